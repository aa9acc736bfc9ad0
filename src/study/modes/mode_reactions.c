/* mode_reactions.c - what the ground gives to a mesh in its modes: K_h phi - omega^2 M_h phi at the nodes that it holds. */
#include "mode_reactions.h"
#include "mode_fields.h"
#include "study/reactions.h"

enum { FORCE, MOMENT, SPACE = 3 };

// clang-format off
static const OutputField fields[] = {
  [FORCE]  = {"force", RESULT_REAL, {"modes", "3"}, "N/(m kg^1/2)", "force of the ground on the structure for a coordinate of 1 m kg^1/2, x, y, z"},
  [MOMENT] = {"moment", RESULT_REAL, {"modes", "3"}, "N m/(m kg^1/2)", "its moment about the origin of the model"},
  {0}
};
// clang-format on

#define SUMMARY \
  "what the ground gives to a mesh in each mode at a support, named by its group or point, where `reactions: yes` asks for it; what joints do to " \
  "the " \
  "held nodes themselves is not in it"

const OutputTable mode_reaction_table       = {"modes/STATE/supports/SUPPORT", SUMMARY, fields, NULL};
const OutputTable named_mode_reaction_table = {"modes/NAME/STATE/supports/SUPPORT", "likewise, of a study with a name", fields, NULL};

/* A few rows times a motion, the same on all ranks. */
static PetscErrorCode RowsOfAll(Mat rows, Vec motion, PetscReal product[])
{
  const PetscScalar *value;
  PetscInt           first, end, count;
  Vec                own;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(rows, NULL, &own));
  PetscCall(MatMult(rows, motion, own));
  PetscCall(VecGetSize(own, &count));
  PetscCall(VecGetOwnershipRange(own, &first, &end));
  PetscCall(PetscArrayzero(product, count));
  PetscCall(VecGetArrayRead(own, &value));
  PetscCall(PetscArraycpy(product + first, value, end - first));
  PetscCall(VecRestoreArrayRead(own, &value));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, product, (PetscMPIInt)count, MPIU_REAL, MPI_SUM, PetscObjectComm((PetscObject)rows)));
  PetscCall(VecDestroy(&own));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* reactions[supports, modes, 6] */
static PetscErrorCode Find(const Model *model, const Modes *modes, PetscReal reactions[])
{
  const PetscInt of_all = REACTIONS_OF_SUPPORT * MeshedPartNumSupports(ModelMeshed(model));
  PetscReal     *elastic, *inertial;
  Mat            stiffness, mass;

  PetscFunctionBegin;
  PetscCall(MeshedPartReactionRows(ModelMeshed(model), &stiffness, &mass));
  PetscCall(PetscMalloc2(of_all, &elastic, of_all, &inertial));
  for (PetscInt k = 0; k < modes->count; k++) {
    Vec motion;

    PetscCall(ModeMotion(model, modes, k, &motion));
    PetscCall(RowsOfAll(stiffness, motion, elastic));
    PetscCall(RowsOfAll(mass, motion, inertial));
    for (PetscInt r = 0; r < of_all; r++)
      reactions[(r / REACTIONS_OF_SUPPORT * modes->count + k) * REACTIONS_OF_SUPPORT + r % REACTIONS_OF_SUPPORT] =
        elastic[r] - modes->eigenvalue[k] * inertial[r];
    PetscCall(VecDestroy(&motion));
  }
  PetscCall(PetscFree2(elastic, inertial));
  PetscCall(MatDestroy(&stiffness));
  PetscCall(MatDestroy(&mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Give(PetscInt count, const PetscReal reactions[], Finding *finding)
{
  PetscReal *part;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(SPACE * count, &part));
  for (PetscInt field = FORCE; field <= MOMENT; field++) {
    for (PetscInt i = 0; i < SPACE * count; i++) part[i] = reactions[i / SPACE * REACTIONS_OF_SUPPORT + SPACE * field + i % SPACE];
    PetscCall(FindingGive(finding, field, part));
  }
  PetscCall(PetscFree(part));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModesGiveReactions(const InputNode *key, const char *name, const Model *model, const Modes *modes, Findings *findings)
{
  PetscInt   num_supports;
  PetscReal *reactions;
  char(*supports)[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(ReactionsNames(key, model, &num_supports, &supports));
  PetscCall(PetscMalloc1(REACTIONS_OF_SUPPORT * num_supports * modes->count, &reactions));
  PetscCall(Find(model, modes, reactions));
  for (PetscInt s = 0; s < num_supports; s++) {
    const char *const state = joint_state_names[modes->state];
    Finding          *finding;

    if (name) PetscCall(FindingsAdd(findings, &named_mode_reaction_table, &finding, "/modes/%s/%s/supports/%s", name, state, supports[s]));
    else PetscCall(FindingsAdd(findings, &mode_reaction_table, &finding, "/modes/%s/supports/%s", state, supports[s]));
    PetscCall(FindingSetSize(finding, "modes", modes->count));
    PetscCall(Give(modes->count, reactions + REACTIONS_OF_SUPPORT * s * modes->count, finding));
  }
  PetscCall(PetscFree(reactions));
  PetscCall(PetscFree(supports));
  PetscFunctionReturn(PETSC_SUCCESS);
}
