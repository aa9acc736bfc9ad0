/* local_slope.c - the slope of a function given by samples, by polynomials that are orthogonal on the abscissas of the samples [Forsythe
   1957]: no matrix to solve, and no loss of accuracy. */
#include "local_slope.h"
#include <string.h>

/* A polynomial at the abscissas of the samples, and its value and slope at the point asked for. */
typedef struct {
  PetscReal places[LOOP_MAX_WINDOW], at, slope, norm;
} Polynomial;

/* The next polynomial of the family: (t - alpha) p - beta p_before. */
static void Raise(PetscInt count, const PetscReal t[], const Polynomial *before, const Polynomial *p, Polynomial *next)
{
  const PetscReal beta  = before->norm > 0.0 ? p->norm / before->norm : 0.0;
  PetscReal       alpha = 0.0;

  for (PetscInt i = 0; i < count; i++) alpha += t[i] * p->places[i] * p->places[i] / p->norm;
  next->at    = -alpha * p->at - beta * before->at; /* at t = 0 */
  next->slope = p->at - alpha * p->slope - beta * before->slope;
  next->norm  = 0.0;
  for (PetscInt i = 0; i < count; i++) {
    next->places[i] = (t[i] - alpha) * p->places[i] - beta * before->places[i];
    next->norm += next->places[i] * next->places[i];
  }
}

/* The coefficient of a polynomial in the samples; its contribution is subtracted from them. */
static PetscReal Extract(PetscInt count, const Polynomial *p, PetscReal rest[])
{
  PetscReal sum = 0.0;

  for (PetscInt i = 0; i < count; i++) sum += rest[i] * p->places[i];
  sum /= p->norm;
  for (PetscInt i = 0; i < count; i++) rest[i] -= sum * p->places[i];
  return sum;
}

PetscBool LocalSlope(PetscInt count, const PetscReal x[], const PetscReal f[], PetscInt degree, PetscReal at, PetscReal *slope)
{
  const PetscReal nothing = 1e-26; /* norm that remains where all abscissas are accounted for, by round-off */
  PetscReal       t[LOOP_MAX_WINDOW], rest[LOOP_MAX_WINDOW], width = 0.0;
  Polynomial      family[3];

  memset(family, 0, sizeof(family));
  for (PetscInt i = 0; i < count; i++) width = PetscMax(width, PetscAbsReal(x[i] - at));
  *slope = 0.0;
  if (!(width > 0.0)) return PETSC_FALSE;
  for (PetscInt i = 0; i < count; i++) {
    t[i]                = (x[i] - at) / width;
    rest[i]             = f[i];
    family[1].places[i] = 1.0;
  }
  family[1].at   = 1.0;
  family[1].norm = (PetscReal)count;
  for (PetscInt k = 0;; k++) {
    const Polynomial *before = &family[k % 3], *p = &family[(k + 1) % 3];

    *slope += Extract(count, p, rest) * p->slope / width;
    if (k == degree) return PETSC_TRUE;
    Raise(count, t, before, p, &family[(k + 2) % 3]);
    if (family[(k + 2) % 3].norm < nothing * count) return (PetscBool)(k > 0);
  }
}
