/* static_reactions.c - what the ground gives at each support of a mesh where the path turns, and at its end. */
#include "static.h"
#include <string.h>
#include "study/reactions.h"

enum { FORCE, MOMENT, ROW, WIDTH = REACTIONS_OF_SUPPORT, SPACE = 3, MOST_LINES = 20 };

// clang-format off
static const OutputField fields[] = {
  [FORCE]  = {"force", RESULT_REAL, {"turns", "3"}, "N", "force of the ground on the structure, x, y, z; NaN where no equilibrium was found"},
  [MOMENT] = {"moment", RESULT_REAL, {"turns", "3"}, "N m", "its moment about the origin of the model"},
  [ROW]    = {"row", RESULT_COUNT, {"turns"}, NULL, "row of the path that each is of, from 0"},
  {0}
};
// clang-format on

const OutputTable static_reaction_table = {
  "static/NAME/supports/SUPPORT",
  "what the ground gives to a mesh at a support, named by its group or point, where `reactions: yes` asks for it: of loads and joints together; what "
  "joints do to the held nodes themselves is not in it; about a preload without that",
  fields, NULL};

PetscErrorCode StaticReactionsBegin(Study *study, const ModeCache *cache)
{
  Static *const  data  = study->data;
  const PetscInt turns = (data->num_rows - 1) / data->keys.steps + 1;
  PetscInt64    *rows;
  char(*names)[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  if (!data->keys.reactions) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReactionsNames(InputFind(study->node, "reactions"), cache->model, &data->num_supports, &names));
  PetscCall(PetscMalloc1(data->num_supports, &data->supports));
  PetscCall(PetscMalloc1(turns, &rows));
  for (PetscInt t = 0; t < turns; t++) rows[t] = (PetscInt64)t * data->keys.steps;
  for (PetscInt s = 0; s < data->num_supports; s++) {
    PetscCall(FindingsAdd(study->findings, &static_reaction_table, &data->supports[s], "/static/%s/supports/%s", study->name, names[s]));
    PetscCall(FindingSetSize(data->supports[s], "turns", turns));
    PetscCall(FindingGive(data->supports[s], ROW, rows));
  }
  PetscCall(PetscFree(rows));
  PetscCall(PetscFree(names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void Print(const Static *data, const PetscReal reactions[])
{
  ReportSay("  %-24s %12s %12s %12s %12s %12s %12s\n", "support", "Fx [N]", "Fy [N]", "Fz [N]", "Mx [N m]", "My [N m]", "Mz [N m]");
  for (PetscInt s = 0; s < PetscMin(data->num_supports, MOST_LINES); s++) {
    ReportSay("  %-24s", strrchr(FindingPath(data->supports[s]), '/') + 1);
    for (PetscInt c = 0; c < WIDTH; c++) ReportSay(" %12.5g", (double)reactions[WIDTH * s + c]);
    ReportSay("\n");
  }
  if (data->num_supports > MOST_LINES) ReportSay("  and %" PetscInt_FMT " more, in the result\n", data->num_supports - MOST_LINES);
}

PetscErrorCode StaticReactionsWrite(const Study *study, const ModeCache *cache, PetscInt num_turns, Mat moved, const Result *result)
{
  const Static *const data = study->data;
  PetscReal          *reactions;
  PetscMPIInt         rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCall(PetscMalloc1(WIDTH * data->num_supports, &reactions));
  for (PetscInt t = 0; t < num_turns; t++) {
    Vec motion;

    PetscCall(DeflectionsMotion(&data->turns, cache, t, moved, t, &motion));
    PetscCall(ReactionsFind(cache->model, study->names, motion, data->num_loads, data->loads, data->factor[t * data->keys.steps], reactions));
    PetscCall(VecDestroy(&motion));
    for (PetscInt s = 0; s < data->num_supports && rank == 0; s++) {
      PetscCall(FindingWrite(data->supports[s], FORCE, t, 1, reactions + WIDTH * s, result));
      PetscCall(FindingWrite(data->supports[s], MOMENT, t, 1, reactions + WIDTH * s + SPACE, result));
    }
  }
  Print(data, reactions);
  if (!cache->system->residual) ReactionsSayReduced();
  PetscCall(PetscFree(reactions));
  PetscFunctionReturn(PETSC_SUCCESS);
}
