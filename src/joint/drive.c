/* drive.c - laws in parallel, moved along a path. */
#include "joint.h"

PetscErrorCode JointStep(const JointBlock *law, JointHistory *history, const JointMotion *motion, const JointForce *result, PetscReal *dissipated)
{
  PetscReal  loss  = 0.0;
  JointForce whole = *result;

  PetscFunctionBegin;
  whole.loss = &loss;
  law->law->evaluate(law, history, motion, &whole);
  if (law->law->commit) PetscCall(law->law->commit(law, history, motion, &whole, dissipated));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One law: adds its force, and what it has dissipated, at each point of the path; of a damper, which keeps no account, that is its work. */
static PetscErrorCode DriveOne(const JointBlock *law, PetscInt count, const PetscReal displacement[], const PetscReal velocity[], PetscReal force[],
                               PetscReal dissipated[])
{
  JointHistory history;
  PetscReal    lost = 0.0, before = 0.0;

  PetscFunctionBegin;
  PetscCheck(law->num_points == 1 && law->law->dim == 1, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "laws of one point and one component can be driven");
  PetscCall(JointHistoryCreate(law, &history));
  for (PetscInt i = 0; i < count; i++) {
    const JointMotion motion = {.displacement = displacement + i, .velocity = velocity ? velocity + i : NULL};
    PetscReal         f;
    const JointForce  result = {.force = &f};

    PetscCall(JointStep(law, &history, &motion, &result, &lost));
    if (!law->law->commit && law->law->traits & JOINT_VISCOUS && i > 0) lost += 0.5 * (before + f) * (displacement[i] - displacement[i - 1]);
    before = f;
    force[i] += f;
    if (dissipated) dissipated[i] += lost;
  }
  PetscCall(JointHistoryDestroy(&history));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointDrive(PetscInt num_laws, const JointBlock laws[], PetscInt count, const PetscReal displacement[], const PetscReal velocity[],
                          PetscReal force[], PetscReal dissipated[])
{
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(force, count));
  if (dissipated) PetscCall(PetscArrayzero(dissipated, count));
  for (PetscInt l = 0; l < num_laws; l++) PetscCall(DriveOne(&laws[l], count, displacement, velocity, force, dissipated));
  PetscFunctionReturn(PETSC_SUCCESS);
}
