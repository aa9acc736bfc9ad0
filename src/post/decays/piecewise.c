/* piecewise.c - least squares by continuous functions that are linear between knots. */
#include "piecewise.h"
#include <petscblaslapack.h>

/* The normal equations of hat functions: symmetric and tridiagonal [Allen, Sumali, Epp 2008]. */
typedef struct {
  PetscReal *diagonal, *beside, *right;
} Hats;

/* The piece that contains a time, searched from `piece` on, and the position in it from 0 to 1. */
static PetscInt FindPiece(const Piecewise *fit, PetscReal time, PetscInt piece, PetscReal *along)
{
  while (piece < fit->num_knots - 2 && time >= fit->knots[piece + 1]) piece++;
  *along = (time - fit->knots[piece]) / (fit->knots[piece + 1] - fit->knots[piece]);
  return piece;
}

static void Sum(PetscInt count, PetscReal start, PetscReal step, const PetscReal samples[], const Piecewise *fit, Hats *hats)
{
  PetscInt  piece = 0;
  PetscReal along;

  for (PetscInt i = 0; i < count; i++) {
    piece = FindPiece(fit, start + (PetscReal)i * step, piece, &along);
    hats->diagonal[piece] += (1.0 - along) * (1.0 - along);
    hats->diagonal[piece + 1] += along * along;
    hats->beside[piece] += along * (1.0 - along);
    hats->right[piece] += (1.0 - along) * samples[i];
    hats->right[piece + 1] += along * samples[i];
  }
}

static PetscErrorCode Solve(Hats *hats, PetscInt num_knots)
{
  const PetscBLASInt n = (PetscBLASInt)num_knots, one = 1;
  PetscBLASInt       info;

  PetscFunctionBegin;
  PetscCallBLAS("LAPACKpttrf", LAPACKpttrf_(&n, hats->diagonal, hats->beside, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_ARG_INCOMP, "a piece between knots holds too few samples");
  PetscCallBLAS("LAPACKpttrs", LAPACKpttrs_(&n, &one, hats->diagonal, hats->beside, hats->right, &n, &info));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PiecewiseFit(PetscInt count, PetscReal start, PetscReal step, const PetscReal samples[], Piecewise *fit)
{
  PetscInt  piece = 0;
  PetscReal along;
  Hats      hats;

  PetscFunctionBegin;
  PetscCall(PetscCalloc3(fit->num_knots, &hats.diagonal, fit->num_knots, &hats.beside, fit->num_knots, &hats.right));
  Sum(count, start, step, samples, fit, &hats);
  PetscCall(Solve(&hats, fit->num_knots));
  PetscCall(PetscArraycpy(fit->values, hats.right, fit->num_knots));
  PetscCall(PetscFree3(hats.diagonal, hats.beside, hats.right));
  for (PetscInt i = 0; i < count; i++) {
    piece            = FindPiece(fit, start + (PetscReal)i * step, piece, &along);
    fit->residual[i] = samples[i] - (1.0 - along) * fit->values[piece] - along * fit->values[piece + 1];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
