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

void LinearStepBegin(LinearStep *step, const SystemBlock *block, PetscInt point, PetscBool linearised)
{
  const JointHistory *const memory = block->memory;
  const PetscInt            width  = block->block.law->num_local;

  step->copies = step->block.num_points = step->history.num_points = linearised ? step->inputs : 1;
  for (PetscInt i = 0; i < step->copies; i++)
    for (PetscInt l = 0; l < width; l++) step->block.local[i * width + l] = block->block.local[point * width + l];
  for (PetscInt s = 0; s < step->num_states; s++)
    for (PetscInt i = 0; i < step->copies; i++)
      step->history.states[s * step->copies + i] = memory ? memory->states[s * memory->num_points + point] : 0.0;
}

void LinearStepSpread(LinearStep *step)
{
  const PetscInt width = step->block.law->num_local, inputs = step->inputs;

  for (PetscInt i = inputs - 1; i >= 0; i--)
    for (PetscInt l = 0; l < width; l++) step->block.local[i * width + l] = step->block.local[l];
  for (PetscInt s = step->num_states - 1; s >= 0; s--)
    for (PetscInt i = inputs - 1; i >= 0; i--) step->history.states[s * inputs + i] = step->history.states[s];
  step->copies = step->block.num_points = step->history.num_points = inputs;
}

/* Motions and velocities in all copies; and a unit change of another input in each. */
static void SetInputs(LinearStep *step, const PetscReal motion[], const PetscReal velocity[])
{
  const PetscInt dim = step->dim, copies = step->copies, memory = step->inputs - step->num_states;

  for (PetscInt c = 0; c < dim; c++)
    for (PetscInt i = 0; i < copies; i++) {
      step->motion[c * copies + i]    = motion[c];
      step->velocity[c * copies + i]  = velocity[c];
      step->dmotion[c * copies + i]   = i == c;
      step->dvelocity[c * copies + i] = step->viscous && i == dim + c;
    }
  for (PetscInt s = 0; copies > 1 && s < step->num_states; s++)
    for (PetscInt i = 0; i < copies; i++) step->change.states[s * copies + i] = i == memory + s;
}

PetscErrorCode LinearStepTake(LinearStep *step, const PetscReal motion[], const PetscReal velocity[])
{
  const JointLaw *const law = step->block.law;
  const JointMotion     at = {step->motion, step->viscous ? step->velocity : NULL}, change = {step->dmotion, step->viscous ? step->dvelocity : NULL};
  JointForce            result = {step->force, NULL, NULL, step->loss};

  PetscFunctionBeginHot;
  SetInputs(step, motion, velocity);
  if (step->copies == step->inputs) PetscCall(law->differentiate(&step->block, &step->history, &at, &change, &step->change, step->dforce));
  law->evaluate(&step->block, &step->history, &at, &result);
  if (law->commit) PetscCall(law->commit(&step->block, &step->history, &at, &result, step->dissipated));
  PetscFunctionReturn(PETSC_SUCCESS);
}
