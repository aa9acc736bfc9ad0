/* dump_law.c - moves a joint of one point, for tests in python: dump_law LAW PARAMETER... reads motions, a displacement and perhaps a velocity
   on a line, or `new` for an untouched joint, and tells force, stiffness and the energy dissipated so far after each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "joint.h"

typedef struct {
  JointBlock   block;
  JointHistory history;
  PetscReal    dissipated;
} Joint;

static PetscErrorCode Move(Joint *joint, PetscReal displacement, PetscReal velocity)
{
  const JointMotion motion = {.displacement = &displacement, .velocity = &velocity};
  PetscReal         force, stiffness, loss;
  JointForce        result = {.force = &force, .stiffness = &stiffness, .loss = &loss};

  PetscFunctionBegin;
  joint->block.law->evaluate(&joint->block, &joint->history, &motion, &result);
  PetscCall(joint->block.law->commit(&joint->block, &joint->history, &motion, &result, &joint->dissipated));
  printf("%.17g %.17g %.17g\n", force, stiffness, joint->dissipated);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Follow(Joint *joint)
{
  char line[64], *rest;

  PetscFunctionBegin;
  while (fgets(line, sizeof line, stdin)) {
    if (strncmp(line, "new", 3) != 0) {
      const PetscReal displacement = strtod(line, &rest);

      PetscCall(Move(joint, displacement, strtod(rest, NULL)));
      continue;
    }
    PetscCall(JointHistoryDestroy(&joint->history));
    PetscCall(JointHistoryCreate(&joint->block, &joint->history));
    joint->dissipated = 0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  const JointLaw *const law                              = argc > 1 ? JointLawFind(argv[1]) : NULL;
  PetscReal             parameters[JOINT_MAX_PARAMETERS] = {0};
  Joint                 joint                            = {0};

  if (!law) return EXIT_INPUT;
  for (int i = 2; i < argc && i - 2 < JOINT_MAX_PARAMETERS; i++) parameters[i - 2] = strtod(argv[i], NULL);
  PetscCall(PetscInitialize(NULL, NULL, NULL, NULL));
  PetscCall(JointBlockCreate(law, parameters, 1, &joint.block));
  PetscCall(JointHistoryCreate(&joint.block, &joint.history));
  PetscCall(Follow(&joint));
  PetscCall(JointHistoryDestroy(&joint.history));
  PetscCall(JointBlockDestroy(&joint.block));
  PetscCall(PetscFinalize());
  return 0;
}
