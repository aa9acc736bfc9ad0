/* tightening.c - equilibria while bolts are pulled together: free ones by their tension, locked ones by their shift. */
#include "statics/tightening.h"
#include <petscblaslapack.h>

static PetscInt PlaceOf(const Tightening *tightening, PetscInt bolt)
{
  return SystemPlaceOfBolt(tightening->statics->system, bolt);
}

static PetscReal *ColumnOf(const Tightening *tightening, PetscInt bolt)
{
  return tightening->column + bolt * tightening->statics->num_places;
}

PetscErrorCode TighteningCreate(Statics *statics, Tightening **tightening)
{
  const PetscInt num_bolts = statics->system->names.num_bolts;
  Tightening    *t;

  PetscFunctionBegin;
  PetscCall(PetscNew(tightening));
  t            = *tightening;
  t->statics   = statics;
  t->num_bolts = num_bolts;
  PetscCall(PetscCalloc4(num_bolts * statics->num_places, &t->column, num_bolts, &t->delta, num_bolts, &t->tension, num_bolts, &t->free));
  PetscCall(PetscMalloc1(num_bolts * num_bolts, &t->inverse));
  for (PetscInt b = 0; b < num_bolts; b++) PetscCall(FlexibilityColumn(statics->flexibility, PlaceOf(t, b), statics->new_u, ColumnOf(t, b)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TighteningDestroy(Tightening **tightening)
{
  Tightening *t = *tightening;

  PetscFunctionBegin;
  if (!t) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree4(t->column, t->delta, t->tension, t->free));
  PetscCall(InfluenceDestroy(&t->influence));
  PetscCall(PetscFree(t->inverse));
  PetscCall(PetscFree(*tightening));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* k - C by Cholesky's method. It is positive where something stretches when a free bolt is pulled together. */
static PetscErrorCode Invert(Tightening *tightening, PetscInt *loose)
{
  const PetscReal resists = 1e-9; /* of the stiffness of the cut; less is round-off of moving what is free */
  const PetscInt  num     = tightening->num_free;
  PetscBLASInt    size, info;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(num, &size));
  for (PetscInt i = 0; i < num; i++)
    for (PetscInt j = 0; j < num; j++)
      tightening->inverse[i * num + j] = (i == j ? tightening->statics->system->bolts[tightening->free[i]].stiffness : 0.0) -
                                         ColumnOf(tightening, tightening->free[i])[PlaceOf(tightening, tightening->free[j])];
  LAPACKpotrf_("U", &size, tightening->inverse, &size, &info);
  if (info > 0) *loose = tightening->free[info - 1];
  for (PetscInt i = 0; i < num && *loose < 0; i++)
    if (PetscSqr(tightening->inverse[i * num + i]) < resists * tightening->statics->system->bolts[tightening->free[i]].stiffness)
      *loose = tightening->free[i];
  if (*loose >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  LAPACKpotri_("U", &size, tightening->inverse, &size, &info);
  for (PetscInt i = 0; i < num; i++) /* its other half; the upper one of BLAS is the lower one here */
    for (PetscInt j = 0; j < i; j++) tightening->inverse[j * num + i] = tightening->inverse[i * num + j];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* H + (B Y) M (B Y)^T */
static PetscErrorCode Soften(Tightening *tightening)
{
  const Statics *const statics       = tightening->statics;
  const PetscInt       num_nonlinear = statics->system->names.num_nonlinear, num = tightening->num_free;
  PetscReal           *left, *right;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(num * num_nonlinear, &left, num * num_nonlinear, &right));
  for (PetscInt a = 0; a < num; a++)
    for (PetscInt i = 0; i < num_nonlinear; i++) {
      left[a * num_nonlinear + i]  = ColumnOf(tightening, tightening->free[a])[i];
      right[a * num_nonlinear + i] = 0.0;
      for (PetscInt b = 0; b < num; b++)
        right[a * num_nonlinear + i] += tightening->inverse[a * num + b] * ColumnOf(tightening, tightening->free[b])[i];
    }
  PetscCall(InfluenceDestroy(&tightening->influence));
  PetscCall(InfluenceExtend(&statics->influence, num, num_nonlinear, left, right, &tightening->influence));
  PetscCall(PetscFree2(left, right));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TighteningFree(Tightening *tightening, PetscInt count, const PetscInt bolts[], PetscInt *loose)
{
  PetscFunctionBegin;
  tightening->num_free = count;
  PetscCall(PetscArraycpy(tightening->free, bolts, count));
  *loose = -1;
  if (count > 0) PetscCall(Invert(tightening, loose));
  if (*loose < 0) PetscCall(Soften(tightening));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* M times what the free bolts lack. */
static void FindShifts(const Tightening *tightening, const PetscReal lacking[], PetscReal shift[])
{
  const PetscInt num = tightening->num_free;

  for (PetscInt a = 0; a < num; a++) {
    shift[a] = 0.0;
    for (PetscInt b = 0; b < num; b++) shift[a] += tightening->inverse[a * num + b] * lacking[b];
  }
}

/* What places move by under a load and these tensions while all joints stick, and the free bolts by: shift[num_free]. */
static PetscErrorCode Answer(Tightening *tightening, const SystemForces *load, const PetscReal tension[], PetscReal u[], PetscReal motion[],
                             PetscReal shift[])
{
  Statics *const statics = tightening->statics;
  PetscReal     *lacking;

  PetscFunctionBegin;
  PetscCall(FlexibilitySolve(statics->flexibility, load, u));
  PetscCall(FlexibilityMotions(statics->flexibility, load->places, u, 0, motion));
  PetscCall(PetscMalloc1(tightening->num_free, &lacking));
  for (PetscInt a = 0; a < tightening->num_free; a++) {
    const PetscInt bolt = tightening->free[a];

    lacking[a] = tension[bolt] - motion[PlaceOf(tightening, bolt)];
  }
  FindShifts(tightening, lacking, shift);
  for (PetscInt a = 0; a < tightening->num_free; a++)
    for (PetscInt c = 0; c < statics->num_places; c++) motion[c] -= shift[a] * ColumnOf(tightening, tightening->free[a])[c];
  PetscCall(PetscFree(lacking));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Locked bolts are loads -V delta. */
static void SetLocked(const Tightening *tightening, PetscReal places[])
{
  for (PetscInt b = 0; b < tightening->num_bolts; b++) places[PlaceOf(tightening, b)] = -tightening->delta[b];
  for (PetscInt a = 0; a < tightening->num_free; a++) places[PlaceOf(tightening, tightening->free[a])] = 0.0;
}

/* From delta as the loads alone would have it to what the joints make of it. */
static PetscErrorCode TakeShifts(Tightening *tightening, const PetscReal linear[], const State *state)
{
  const PetscInt num_nonlinear = tightening->statics->system->names.num_nonlinear, num = tightening->num_free;
  PetscReal     *given, *shift;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(num, &given, num, &shift));
  for (PetscInt a = 0; a < num; a++)
    for (PetscInt i = 0; i < num_nonlinear; i++) given[a] += ColumnOf(tightening, tightening->free[a])[i] * state->remainder[i];
  FindShifts(tightening, given, shift);
  for (PetscInt a = 0; a < num; a++) tightening->delta[tightening->free[a]] = linear[a] + shift[a];
  PetscCall(PetscFree2(given, shift));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All bolts at their shifts: the unknowns, and the tensions. */
static PetscErrorCode Settle(Tightening *tightening, State *state)
{
  Statics *const   statics = tightening->statics;
  const PetscReal *motion;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < tightening->num_bolts; b++) statics->new_load.places[PlaceOf(tightening, b)] = -tightening->delta[b];
  PetscCall(StaticsArrive(statics, state));
  PetscCall(StaticsMotions(statics, state, &motion));
  for (PetscInt b = 0; b < tightening->num_bolts; b++)
    tightening->tension[b] = motion[PlaceOf(tightening, b)] + statics->system->bolts[b].stiffness * tightening->delta[b];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TighteningStep(Tightening *tightening, const SystemForces *load, const PetscReal tension[], State *state, PetscBool *converged)
{
  Statics *const  statics = tightening->statics;
  const Influence locked  = statics->influence;
  PetscReal      *shift;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(tightening->num_free, &shift));
  SetLocked(tightening, statics->old_load.places);
  PetscCall(Answer(tightening, &statics->old_load, tightening->tension, statics->old_u, statics->old_motion, shift));
  PetscCall(SystemForcesMix(statics->system, 1.0, load, 0.0, &statics->new_load));
  SetLocked(tightening, statics->new_load.places);
  PetscCall(Answer(tightening, &statics->new_load, tension, statics->new_u, statics->new_motion, shift));
  statics->influence = tightening->influence;
  PetscCall(StaticsApproach(statics, state, converged));
  statics->influence = locked;
  if (*converged) {
    PetscCall(TakeShifts(tightening, shift, state));
    PetscCall(Settle(tightening, state));
  }
  PetscCall(PetscFree(shift));
  PetscFunctionReturn(PETSC_SUCCESS);
}
