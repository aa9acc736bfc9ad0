/* reactions.c - what the ground gives at the supports of a mesh, under loads as studies have them. */
#include "study/reactions.h"

enum { SPACE = 3 };

/* A base that turns pulls at every node otherwise. */
PetscErrorCode ReactionsCheck(const InputNode *key, const Names *names, PetscInt num_loads, const Load loads[])
{
  PetscFunctionBegin;
  if (names->known && !names->mesh)
    PetscCall(InputComplain(key, "are those of the `supports` of a mesh, and this case has none; joints to the ground tell their forces"));
  for (PetscInt l = 0; l < num_loads; l++)
    if (loads[l].place == LOAD_ON_BASE && loads[l].direction >= SPACE) PetscCall(InputComplain(key, "are not known under a base that turns"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ReactionsNames(const InputNode *key, const Model *model, PetscInt *num_supports, char (**names)[RESULT_TEXT_LENGTH])
{
  const MeshedPart *const meshed = ModelMeshed(model);

  PetscFunctionBegin;
  *num_supports = MeshedPartNumSupports(meshed);
  if (*num_supports == 0) PetscCall(InputComplain(key, "need `supports`: nothing holds this mesh"));
  PetscCall(PetscMalloc1(*num_supports, names));
  for (PetscInt s = 0; s < *num_supports; s++) PetscCall(MeshedPartSupportName(meshed, s, RESULT_TEXT_LENGTH, (*names)[s]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static MeshedPush PushOf(const Names *names, const Load *load, PetscReal factor)
{
  const NamedPoint *const point = &names->points[NamesPointOfMotion(names, load->motion)];

  return (MeshedPush){.point = point->name, .direction = point->direction[load->motion - point->first_motion], .force = factor * load->amplitude};
}

/* How much there is of each pattern, and the rest; an acceleration of gravity stands for that of the base. A load along the shape of a mode pushes
   what moves in it, and no node that is held. */
static void TakeLoad(const Names *names, const Load *load, PetscReal factor, PetscReal patterns[], MeshedPush pushes[], MeshedLoads *loads)
{
  if (load->place == LOAD_ON_PATTERN) patterns[load->pattern] += factor * load->amplitude;
  if (load->place == LOAD_ON_BASE) loads->gravity[load->direction] -= factor * load->amplitude;
  if (load->place == LOAD_ON_POINT) pushes[loads->num_pushes++] = PushOf(names, load, factor);
}

static PetscErrorCode Still(const Model *model, Vec *motion)
{
  const MeshUnknowns unknowns = MeshedPartUnknowns(ModelMeshed(model));

  PetscFunctionBegin;
  PetscCall(VecCreateMPI(MeshComm(ModelMesh(model)), unknowns.count, unknowns.total, motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ReactionsFind(const Model *model, const Names *names, Vec motion, PetscInt num_loads, const Load loads[], PetscReal factor,
                             PetscReal reactions[])
{
  PetscReal  *patterns;
  MeshedPush *pushes;
  MeshedLoads all   = {.num_pushes = 0};
  Vec         still = NULL;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(names->num_patterns, &patterns, num_loads, &pushes));
  for (PetscInt l = 0; l < num_loads; l++) TakeLoad(names, &loads[l], factor, patterns, pushes, &all);
  all.pushes = pushes;
  if (!motion) PetscCall(Still(model, &still));
  PetscCall(ModelFindReactions(model, motion ? motion : still, &all, patterns, reactions));
  PetscCall(VecDestroy(&still));
  PetscCall(PetscFree2(patterns, pushes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ReactionsSayReduced(void)
{
  ReportSay("  reactions are those of the motions that the reduction keeps: what pressure and weight do between its points is not in them\n");
}
