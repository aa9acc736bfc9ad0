/* tabulated.c - the tables of tabulated.h. */
#include "tabulated.h"

/* Polynomials are arrays of their terms, lowest first, in 0 <= t <= 1. */

static void Multiply(PetscInt num_a, const PetscReal a[], PetscInt num_b, const PetscReal b[], PetscReal product[])
{
  for (PetscInt i = 0; i < num_a + num_b - 1; i++) product[i] = 0;
  for (PetscInt i = 0; i < num_a; i++) {
    for (PetscInt k = 0; k < num_b; k++) product[i + k] += a[i] * b[k];
  }
}

static void Integrate(PetscReal start, PetscInt num_terms, const PetscReal terms[], PetscReal integral[])
{
  integral[0] = start;
  for (PetscInt i = 0; i < num_terms; i++) integral[i + 1] = terms[i] / (PetscReal)(i + 1);
}

static PetscReal Sum(PetscInt num_terms, const PetscReal terms[])
{
  return PolynomialValue(num_terms, terms, 1);
}

static void PrepareSlope(PetscReal stiffness, TabulatedSlope slope, const void *context, PetscInt index, PetscReal terms[])
{
  PetscReal values[TABULATED_SLOPE_TERMS];

  for (PetscInt k = 0; k < TABULATED_SLOPE_TERMS; k++) {
    values[k] = stiffness * slope(context, 1 - ((PetscReal)index + PolynomialPoint(TABULATED_SLOPE_TERMS, k)) / TABULATED_PIECES);
  }
  PolynomialThrough(TABULATED_SLOPE_TERMS, values, terms);
}

/* What the integrals are at the beginning of a piece, where the motion is begun (2 - begun) u_L: `curved` is F - u F', the
   slope of the loss. */
typedef struct {
  PetscReal force, curved, loss;
} Start;

/* d(F - u F') = -u dF', dF = F' du, dL = (F - u F') du. */
static void PreparePiece(PetscReal slip_motion, PetscInt index, Start *start, PetscReal piece[])
{
  const PetscReal begun = (PetscReal)index / TABULATED_PIECES, width = 1.0 / TABULATED_PIECES;
  const PetscReal motion[3] = {slip_motion * begun * (2 - begun), slip_motion * 2 * width * (1 - begun), -slip_motion * width * width};
  const PetscReal rate[2]   = {motion[1], 2 * motion[2]};
  PetscReal       fall[TABULATED_SLOPE_TERMS - 1], product[TABULATED_LOSS_TERMS - 1], curved[TABULATED_FORCE_TERMS];

  Multiply(TABULATED_SLOPE_TERMS, piece + TABULATED_SLOPE, 2, rate, product);
  Integrate(start->force, TABULATED_FORCE_TERMS - 1, product, piece + TABULATED_FORCE);
  for (PetscInt i = 1; i < TABULATED_SLOPE_TERMS; i++) fall[i - 1] = -(PetscReal)i * piece[TABULATED_SLOPE + i];
  Multiply(TABULATED_SLOPE_TERMS - 1, fall, 3, motion, product);
  Integrate(start->curved, TABULATED_FORCE_TERMS - 1, product, curved);
  Multiply(TABULATED_FORCE_TERMS, curved, 2, rate, product);
  Integrate(start->loss, TABULATED_LOSS_TERMS - 1, product, piece + TABULATED_LOSS);
  *start = (Start){Sum(TABULATED_FORCE_TERMS, piece + TABULATED_FORCE), Sum(TABULATED_FORCE_TERMS, curved),
                   Sum(TABULATED_LOSS_TERMS, piece + TABULATED_LOSS)};
}

void TabulatedPrepare(PetscReal stiffness, PetscReal slip_motion, TabulatedSlope slope, const void *context, PetscReal constants[])
{
  Start start = {0};

  for (PetscInt i = 0; i < TABULATED_PIECES; i++) {
    PetscReal *const piece = constants + TABULATED_TABLE + i * TABULATED_PIECE_SIZE;

    PrepareSlope(stiffness, slope, context, i, piece + TABULATED_SLOPE);
    PreparePiece(slip_motion, i, &start, piece);
  }
  constants[TABULATED_SLIP_MOTION] = slip_motion;
  constants[TABULATED_PER_MOTION]  = 1 / slip_motion;
  constants[TABULATED_SLIP_FORCE]  = start.force;
  constants[TABULATED_SLIP_LOSS]   = start.loss;
}
