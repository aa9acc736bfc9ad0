/* modes_laws.c - laws that a nonlinear mode can be followed with, by each method. */
#include "nonlinear_modes.h"

/* What is wrong with a block for equilibrium under a load along the mode, whose loop follows by Masing's rules; NULL: nothing. */
static const char *WhyNotStatic(const SystemBlock *block, PetscBool masing, PetscBool odd)
{
  const JointLaw *const law = block->block.law;

  if (block->memory || block->offset || block->rest) return "has a preload or a gap, and a virgin curve begins at nothing";
  if ((law->traits & JOINT_MASING) && !masing) return "has Masing's rules, and other joints are elastic: the loop of both follows no rule";
  if (law->traits & JOINT_MASING) return NULL;
  if (law->traits & JOINT_VISCOUS) return "depends on the velocity";
  if (!(law->traits & JOINT_ELASTIC)) return "has neither Masing's rules nor is it elastic";
  if (!odd) return "does not answer opposite motions by opposite forces";
  return NULL;
}

/* The joint that a block belongs to, by its first row. */
static const char *JointOf(const System *system, const SystemBlock *block)
{
  return system->names.rows[block->row[block->first[0]]].joint;
}

PetscErrorCode NonlinearModesCheckLaws(const InputNode *node, const System *system, NonlinearModesMethod method)
{
  PetscBool masing = PETSC_TRUE;

  PetscFunctionBegin;
  if (method == METHOD_EPMC) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt b = 0; b < system->num_blocks; b++) masing = (PetscBool)(masing && (system->blocks[b].block.law->traits & JOINT_MASING));
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *const block = &system->blocks[b];
    const char              *why;
    PetscBool                odd;

    PetscCall(PeriodIsOdd(block, &odd));
    why = WhyNotStatic(block, masing, odd);
    if (!why) continue;
    PetscCall(InputComplain(InputFind(node, "method"), "quasi_static does not follow joint '%s': its law %s %s; the method epmc does",
                            JointOf(system, block), block->block.law->name, why));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
