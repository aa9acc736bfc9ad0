/* linear_step.c - a law taken step by step with all its changes at once. */
#include "linear_step.h"

PetscErrorCode LinearStepCreate(const JointBlock *block, LinearStep *step)
{
  const JointLaw *const law = block->law;
  PetscInt              size;

  PetscFunctionBegin;
  *step        = (LinearStep){.dim = law->dim, .num_states = law->num_states, .viscous = (PetscBool)((law->traits & JOINT_VISCOUS) != 0)};
  step->inputs = step->dim * (step->viscous ? 2 : 1) + step->num_states;
  size         = step->dim * step->inputs;
  PetscCall(JointBlockCreate(law, block->parameters, step->inputs, &step->block));
  PetscCall(JointHistoryCreate(&step->block, &step->history));
  PetscCall(JointHistoryCreate(&step->block, &step->change));
  PetscCall(PetscCalloc4(size, &step->motion, size, &step->velocity, size, &step->dmotion, size, &step->dvelocity));
  PetscCall(PetscCalloc4(size, &step->force, size, &step->dforce, size, &step->loss, step->inputs, &step->dissipated));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LinearStepDestroy(LinearStep *step)
{
  PetscFunctionBegin;
  PetscCall(JointHistoryDestroy(&step->history));
  PetscCall(JointHistoryDestroy(&step->change));
  PetscCall(JointBlockDestroy(&step->block));
  PetscCall(PetscFree4(step->motion, step->velocity, step->dmotion, step->dvelocity));
  PetscCall(PetscFree4(step->force, step->dforce, step->loss, step->dissipated));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void LinearStepBegin(LinearStep *step, const SystemBlock *block, PetscInt point)
{
  const JointHistory *const memory = block->memory;
  const PetscInt            width  = block->block.law->num_local;

  for (PetscInt i = 0; i < step->inputs; i++)
    for (PetscInt l = 0; l < width; l++) step->block.local[i * width + l] = block->block.local[point * width + l];
  for (PetscInt s = 0; s < step->num_states; s++)
    for (PetscInt i = 0; i < step->inputs; i++)
      step->history.states[s * step->inputs + i] = memory ? memory->states[s * memory->num_points + point] : 0.0;
}

/* Motions and velocities in all copies; and a unit change of another input in each. */
static void SetInputs(LinearStep *step, const PetscReal motion[], const PetscReal velocity[])
{
  const PetscInt dim = step->dim, inputs = step->inputs, memory = step->viscous ? 2 * dim : dim;

  for (PetscInt c = 0; c < dim; c++)
    for (PetscInt i = 0; i < inputs; i++) {
      step->motion[c * inputs + i]    = motion[c];
      step->velocity[c * inputs + i]  = velocity[c];
      step->dmotion[c * inputs + i]   = i == c;
      step->dvelocity[c * inputs + i] = step->viscous && i == dim + c;
    }
  for (PetscInt s = 0; s < step->num_states; s++)
    for (PetscInt i = 0; i < inputs; i++) step->change.states[s * inputs + i] = i == memory + s;
}

PetscErrorCode LinearStepTake(LinearStep *step, const PetscReal motion[], const PetscReal velocity[], PetscBool differentiate)
{
  const JointLaw *const law = step->block.law;
  const JointMotion     at = {step->motion, step->viscous ? step->velocity : NULL}, change = {step->dmotion, step->viscous ? step->dvelocity : NULL};
  JointForce            result = {step->force, NULL, NULL, step->loss};

  PetscFunctionBeginHot;
  SetInputs(step, motion, velocity);
  if (differentiate) PetscCall(law->differentiate(&step->block, &step->history, &at, &change, &step->change, step->dforce));
  law->evaluate(&step->block, &step->history, &at, &result);
  if (law->commit) PetscCall(law->commit(&step->block, &step->history, &at, &result, step->dissipated));
  PetscFunctionReturn(PETSC_SUCCESS);
}
