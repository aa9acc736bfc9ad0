/* static_reactions.c - what the ground gives at each support of a mesh where the path turns, and at its end. */
#include "static.h"
#include <string.h>

enum { FORCE, MOMENT, ROW, WIDTH = 6, SPACE = 3, MOST_LINES = 20 };

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

/* A base that turns pulls at every node otherwise. */
PetscErrorCode StaticReactionsCheck(const InputNode *node, const Names *names, const Static *data)
{
  const InputNode *const key = InputFind(node, "reactions");

  PetscFunctionBegin;
  if (!data->keys.reactions) PetscFunctionReturn(PETSC_SUCCESS);
  if (names->known && !names->mesh)
    PetscCall(InputComplain(key, "are those of the `supports` of a mesh, and this case has none; joints to the ground tell their forces"));
  for (PetscInt l = 0; l < data->num_loads; l++)
    if (data->loads[l].place == LOAD_ON_BASE && data->loads[l].direction >= SPACE)
      PetscCall(InputComplain(key, "are not known under a base that turns"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticReactionsBegin(Study *study, const ModeCache *cache)
{
  Static *const           data   = study->data;
  const MeshedPart *const meshed = ModelMeshed(cache->model);
  const PetscInt          turns  = (data->num_rows - 1) / data->keys.steps + 1;
  PetscInt64             *rows;

  PetscFunctionBegin;
  if (!data->keys.reactions) PetscFunctionReturn(PETSC_SUCCESS);
  data->num_supports = MeshedPartNumSupports(meshed);
  if (data->num_supports == 0) PetscCall(InputComplain(InputFind(study->node, "reactions"), "need `supports`: nothing holds this mesh"));
  PetscCall(PetscMalloc1(data->num_supports, &data->supports));
  PetscCall(PetscMalloc1(turns, &rows));
  for (PetscInt t = 0; t < turns; t++) rows[t] = (PetscInt64)t * data->keys.steps;
  for (PetscInt s = 0; s < data->num_supports; s++) {
    char name[RESULT_TEXT_LENGTH];

    PetscCall(MeshedPartSupportName(meshed, s, sizeof(name), name));
    PetscCall(FindingsAdd(study->findings, &static_reaction_table, &data->supports[s], "/static/%s/supports/%s", study->name, name));
    PetscCall(FindingSetSize(data->supports[s], "turns", turns));
    PetscCall(FindingGive(data->supports[s], ROW, rows));
  }
  PetscCall(PetscFree(rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static MeshedPush PushOf(const Names *names, const Load *load, PetscReal factor)
{
  const NamedPoint *const point = &names->points[NamesPointOfMotion(names, load->motion)];

  return (MeshedPush){.point = point->name, .direction = point->direction[load->motion - point->first_motion], .force = factor * load->amplitude};
}

/* How much there is of each pattern, and the rest; an acceleration of gravity stands for that of the base. */
static void FindLoads(const Names *names, const Static *data, PetscReal factor, PetscReal patterns[], MeshedPush pushes[], MeshedLoads *loads)
{
  for (PetscInt l = 0; l < data->num_loads; l++) {
    const Load *const load = &data->loads[l];

    if (load->place == LOAD_ON_PATTERN) patterns[load->pattern] += factor * load->amplitude;
    if (load->place == LOAD_ON_BASE) loads->gravity[load->direction] -= factor * load->amplitude;
    if (load->place == LOAD_ON_POINT) pushes[loads->num_pushes++] = PushOf(names, load, factor);
  }
}

static PetscErrorCode Find(const Study *study, const ModeCache *cache, PetscInt turn, Vec motion, PetscReal reactions[])
{
  const Static *const data = study->data;
  PetscReal          *patterns;
  MeshedPush         *pushes;
  MeshedLoads         loads = {.num_pushes = 0};

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(study->names->num_patterns, &patterns, data->num_loads, &pushes));
  FindLoads(study->names, data, data->factor[turn * data->keys.steps], patterns, pushes, &loads);
  loads.pushes = pushes;
  PetscCall(ModelFindReactions(cache->model, motion, &loads, patterns, reactions));
  PetscCall(PetscFree2(patterns, pushes));
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
    PetscCall(Find(study, cache, t, motion, reactions));
    PetscCall(VecDestroy(&motion));
    for (PetscInt s = 0; s < data->num_supports && rank == 0; s++) {
      PetscCall(FindingWrite(data->supports[s], FORCE, t, 1, reactions + WIDTH * s, result));
      PetscCall(FindingWrite(data->supports[s], MOMENT, t, 1, reactions + WIDTH * s + SPACE, result));
    }
  }
  Print(data, reactions);
  if (!cache->system->residual)
    ReportSay("  reactions are those of the motions that the reduction keeps: what pressure and weight do between its points is not in them\n");
  PetscCall(PetscFree(reactions));
  PetscFunctionReturn(PETSC_SUCCESS);
}
