/* static_floating.c - what of a structure that floats can be computed: its equilibrium under loads in balance. */
#include "static.h"

/* The point that goes farthest, turns counting as if at 1 m; its motion. -1 when there is none. */
static PetscErrorCode FindFarthest(const System *system, const PetscReal u[], PetscInt *motion, PetscReal *most)
{
  PetscReal *moved, *motions;

  PetscFunctionBegin;
  *motion = -1;
  *most   = 0.0;
  PetscCall(PetscMalloc1(SystemNumPlaces(system), &moved));
  PetscCall(SystemMovePlaces(system, u, moved));
  motions = moved + SystemPlaceOfMotion(system, 0);
  for (PetscInt i = 0; i < system->names.num_motions; i++) {
    if (PetscAbsReal(motions[i]) <= PetscAbsReal(*most) * (1.0 + 1e-6)) continue;
    *motion = i;
    *most   = motions[i];
  }
  PetscCall(PetscFree(moved));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char *DirectionOf(const Names *names, PetscInt motion, const char **point)
{
  const NamedPoint *const found = &names->points[NamesPointOfMotion(names, motion)];

  *point = found->name;
  return direction_names[found->direction[motion - found->first_motion]];
}

static PetscErrorCode RefuseStrained(const InputNode *node, const System *system, const Floating *floating)
{
  char        text[RESULT_TEXT_LENGTH] = "";
  const char *point, *direction;
  PetscInt    motion;
  PetscReal   most;

  PetscFunctionBegin;
  PetscCall(FindFarthest(system, floating->shape, &motion, &most));
  if (motion >= 0) {
    direction = DirectionOf(&system->names, motion, &point);
    PetscCall(PetscSNPrintf(text, sizeof(text), ", the first moves '%s' most, in %s", point, direction));
  }
  PetscCall(
    InputComplain(node, "the structure floats: no support, spring or joint%s holds it against %" PetscInt_FMT " motion%s%s%s",
                  SystemSticks(system) ? " with a stiffness" : "", floating->num, floating->num == 1 ? "" : "s", text,
                  SystemSticks(system) ? "; friction alone has none: beside it a spring, however soft, changes nothing while it sticks" : ""));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* By the acceleration that the loads would give it, sum phi (phi^T p). */
static PetscErrorCode RefuseUnbalanced(const InputNode *node, const System *system, const Floating *floating, const PetscReal push[])
{
  char        text[RESULT_TEXT_LENGTH] = "";
  const char *point, *direction;
  PetscReal  *u, most;
  PetscInt    motion;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(floating->n, &u));
  for (PetscInt k = 0; k < floating->num; k++)
    for (PetscInt j = 0; j < floating->n; j++) u[j] += push[k] * floating->shape[k * floating->n + j];
  PetscCall(FindFarthest(system, u, &motion, &most));
  if (motion >= 0) {
    direction = DirectionOf(&system->names, motion, &point);
    PetscCall(PetscSNPrintf(text, sizeof(text), ", they would accelerate '%s' by %g %s/s^2 in %s", point, (double)most,
                            direction[0] == 'r' ? "rad" : "m", direction));
  }
  PetscCall(InputComplain(
    node, "the structure floats, no support, spring or joint holds it against %" PetscInt_FMT " motion%s, and its loads are not in balance%s",
    floating->num, floating->num == 1 ? "" : "s", text));
  PetscCall(PetscFree(u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool IsAnyPushed(PetscInt num, const PetscReal push[])
{
  for (PetscInt k = 0; k < num; k++)
    if (push[k] != 0.0) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscErrorCode StaticFindFloating(const InputNode *node, ModeCache *cache, const SystemForces *loads, Floating *floating)
{
  const System *system = cache->system;
  PetscReal    *push;
  PetscBool     strains;

  PetscFunctionBegin;
  PetscCall(FloatingFind(cache, floating));
  PetscCall(PetscMalloc1(floating->num, &push));
  PetscCall(FloatingPush(system, floating, loads, push));
  PetscCall(FloatingStrains(system, floating, &strains));
  if (strains) PetscCall(RefuseStrained(node, system, floating));
  else if (IsAnyPushed(floating->num, push)) PetscCall(RefuseUnbalanced(node, system, floating, push));
  PetscCall(PetscFree(push));
  PetscFunctionReturn(PETSC_SUCCESS);
}
