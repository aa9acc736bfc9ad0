/* mindlin.h - what the laws of Mindlin's contact share: constants of stiffness and slip force, and all that works on them. */
#pragma once
#include "masing.h"

enum { MINDLIN_STIFFNESS, MINDLIN_SLIP_FORCE, MINDLIN_SLIP_MOTION, MINDLIN_PER_SLIP_MOTION, MINDLIN_LOSS, MINDLIN_NUM_CONSTANTS };

PetscInt MindlinCountConstants(const PetscReal parameters[]);

/* The sliding stiffness is 8 a G, in which G is the combined shear modulus. */
const char    *MindlinRefuse(PetscReal contact_radius, PetscReal shear_modulus, PetscReal slip_force);
void           MindlinPrepare(PetscReal contact_radius, PetscReal shear_modulus, PetscReal slip_force, PetscReal constants[]);
void           MindlinLimit(const JointBlock *block, JointState state, PetscReal stiffness[]);
void           MindlinEvaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result);
PetscErrorCode MindlinCommit(const JointBlock *block, JointHistory *history, const JointMotion *motion, const JointForce *result,
                             PetscReal dissipated[]);
PetscErrorCode MindlinDifferentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, const JointMotion *dmotion,
                                    JointHistory *dhistory, PetscReal dforce[]);
