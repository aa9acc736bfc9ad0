/* path_turns.c - where motions made of sines turn back: zeros of the velocity at which it changes its sign. */
#include "path.h"

/* What the zero of is looked for: the velocity, whose slope is the acceleration; or the acceleration, whose slope is not needed. */
typedef enum { VELOCITY, ACCELERATION } Wanted;

static PetscReal Value(const Path *path, Wanted wanted, PetscReal time)
{
  PetscReal displacement, velocity, acceleration;

  PathMotion(path, time, &displacement, &velocity, &acceleration);
  return wanted == VELOCITY ? velocity : acceleration;
}

/* The zero between two times where the signs differ: regula falsi, the value of an end that stays halved so that both move (the Illinois
   rule), with a bisection now and then. */
static PetscReal FindZero(const Path *path, Wanted wanted, PetscReal low, PetscReal high)
{
  PetscReal f_low = Value(path, wanted, low), f_high = Value(path, wanted, high);
  int       moved = 0; /* the end that moved last: -1 low, 1 high */

  for (PetscInt i = 0; i < 200 && high - low > 2.0 * PETSC_MACHINE_EPSILON * PetscAbsReal(high); i++) {
    const PetscReal secant = (low * f_high - high * f_low) / (f_high - f_low);
    const PetscReal middle = i % 4 == 3 || !(secant > low && secant < high) ? 0.5 * (low + high) : secant;
    const PetscReal f      = Value(path, wanted, middle);

    if (f == 0.0) return middle;
    if ((f > 0.0) == (f_high > 0.0)) {
      high   = middle;
      f_high = f;
      f_low *= moved == 1 ? 0.5 : 1.0;
      moved = 1;
    } else {
      low   = middle;
      f_low = f;
      f_high *= moved == -1 ? 0.5 : 1.0;
      moved = -1;
    }
  }
  return 0.5 * (low + high);
}

/* Slower than this is rest: a path that only touches it does not turn. A reversal is missed by no more than 1e-20 of the displacement. */
static PetscReal Still(const Path *path, PetscReal time)
{
  const PetscReal relative = 1e-10;
  PetscReal       scale    = 0.0;

  for (PetscInt i = 0; i < path->num_terms; i++) scale += PetscAbsReal(path->terms[i].amplitude) * path->terms[i].frequency;
  if (path->kind == PATH_GROWING_SINE) scale = PathAmplitude(path, time) * path->terms[0].frequency;
  return relative * 2.0 * PETSC_PI * scale;
}

typedef struct {
  PetscInt  capacity;
  PetscReal since; /* the last time it was not at rest, */
  PetscReal way;   /* and its velocity then; 0: it never was */
} Search;

static PetscErrorCode Add(Path *path, PetscReal time, PetscBool turns, Search *search)
{
  PetscReal velocity, acceleration;

  PetscFunctionBegin;
  if (path->num_corners == search->capacity) {
    search->capacity = 2 * search->capacity + 16;
    PetscCall(PetscRealloc((size_t)search->capacity * sizeof(*path->corners), &path->corners));
  }
  path->corners[path->num_corners] = (PathCorner){.time = time, .turns = turns};
  PathMotion(path, time, &path->corners[path->num_corners++].displacement, &velocity, &acceleration);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All turns since it last moved: one when it moves the other way now, two when it did in between. */
static PetscErrorCode Advance(Path *path, PetscReal time, Search *search)
{
  const PetscReal velocity = Value(path, VELOCITY, time), since = search->since;

  PetscFunctionBegin;
  if (PetscAbsReal(velocity) <= Still(path, time)) PetscFunctionReturn(PETSC_SUCCESS);
  if (velocity * search->way < 0.0) PetscCall(Add(path, FindZero(path, VELOCITY, since, time), PETSC_TRUE, search));
  else if (Value(path, ACCELERATION, since) * velocity < 0.0 && Value(path, ACCELERATION, time) * velocity > 0.0) {
    const PetscReal slowest = FindZero(path, ACCELERATION, since, time), there = Value(path, VELOCITY, slowest);

    if (there * velocity < 0.0 && PetscAbsReal(there) > Still(path, slowest)) {
      PetscCall(Add(path, FindZero(path, VELOCITY, since, slowest), PETSC_TRUE, search));
      PetscCall(Add(path, FindZero(path, VELOCITY, slowest, time), PETSC_TRUE, search));
    }
  }
  search->since = time;
  search->way   = velocity;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* It comes from rest at no motion, and then goes from where it begins. */
static PetscBool TurnsAtBeginning(const Path *path)
{
  const PetscReal still = Still(path, 0.0);
  PetscReal       displacement, velocity, acceleration;

  PathMotion(path, 0.0, &displacement, &velocity, &acceleration);
  return (PetscBool)(displacement * (PetscAbsReal(velocity) > still ? velocity : acceleration) < 0.0 &&
                     PetscAbsReal(displacement) > still / PathFastest(path));
}

/* The velocity is looked at 64 times in the shortest period: between two of these its slope has one zero at most. */
PetscErrorCode PathFindTurns(Path *path)
{
  const PetscInt looks  = (PetscInt)PetscCeilReal(64.0 * PathFastest(path) * path->duration);
  Search         search = {0};

  PetscFunctionBegin;
  PetscCall(Add(path, 0.0, TurnsAtBeginning(path), &search));
  search.way = Value(path, VELOCITY, 0.0);
  if (PetscAbsReal(search.way) <= Still(path, 0.0)) search.way = 0.0;
  for (PetscInt i = 1; i <= looks; i++) PetscCall(Advance(path, path->duration * (PetscReal)i / (PetscReal)looks, &search));
  PetscCall(Add(path, path->duration, (PetscBool)(search.since < path->duration), &search));
  PetscFunctionReturn(PETSC_SUCCESS);
}
