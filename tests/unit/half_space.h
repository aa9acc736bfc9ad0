/*
  half_space.h - two elastic half-spaces between whose faces a grid of squares makes contact.

  nu = 0: a uniform traction on a square moves the faces in its own direction only, and alike in all three [Love 1929; section 3.4.1 of
  johnson1985]. S is the motion by a unit force on a square; where K0 contains k at all points, H = (S^-1 + k)^-1, d_lin = (1 + k S)^-1 d_free.
*/
#pragma once
#include "balance.h"
#include "check.h"

#include <petscblaslapack.h>
#include <string.h>

enum { HALF_SPACE_DIM = 3 };

static const PetscReal half_space_shear = 80e9; /* G; E* = G for two equal bodies without Poisson's effect */

typedef struct {
  PetscInt         side, num_points, num_rows, m;
  PetscReal        edge, stiffness; /* of a square [m]; k of a point [N/m] */
  PetscReal       *place;           /* [num_points, 2] */
  PetscReal       *unit;            /* [num_points] (1 + k S)^-1 1: d_lin by a unit motion apart */
  PetscReal       *compliance;      /* [num_points, num_points] S of one direction */
  PetscReal       *influence, *motion, *rate, *row_norm;
  const PetscReal *angle; /* [num_points] of HalfSpaceTilt; NULL: none */
  System          *system;
  State           *state;
  Balance         *balance;
  Influence        whole;
  BalanceProblem   problem;
} HalfSpace;

static inline PetscReal HalfSpaceTerm(PetscReal x, PetscReal y, PetscReal y_other)
{
  return x * log((y + hypot(x, y)) / (y_other + hypot(x, y_other)));
}

/* Integral of 1 / r over a square with this half edge. */
static inline PetscReal HalfSpaceIntegral(PetscReal x, PetscReal y, PetscReal b)
{
  return HalfSpaceTerm(x + b, y + b, y - b) + HalfSpaceTerm(y + b, x + b, x - b) + HalfSpaceTerm(x - b, y - b, y + b) +
         HalfSpaceTerm(y - b, x - b, x + b);
}

static inline void HalfSpacePlace(HalfSpace *space)
{
  const PetscInt side = space->side, n = space->num_points;

  assert_ok(PetscMalloc3(2 * n, &space->place, n, &space->unit, n * n, &space->compliance));
  for (PetscInt i = 0; i < n; i++) {
    space->place[2 * i]     = ((PetscReal)(i % side) - 0.5 * (PetscReal)(side - 1)) * space->edge;
    space->place[2 * i + 1] = ((PetscReal)(i / side) - 0.5 * (PetscReal)(side - 1)) * space->edge;
  }
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++)
      space->compliance[i * n + j] =
        HalfSpaceIntegral(space->place[2 * i] - space->place[2 * j], space->place[2 * i + 1] - space->place[2 * j + 1], 0.5 * space->edge) /
        (PETSC_PI * half_space_shear * PetscSqr(space->edge));
}

/* The rows of point i are 3 i, 3 i + 1, 3 i + 2. */
static inline void HalfSpaceSolve(HalfSpace *space)
{
  const PetscInt n = space->num_points, m = space->m;
  PetscBLASInt   size = (PetscBLASInt)n, one = 1, info, *pivots;
  PetscReal     *matrix, *solution;

  assert_ok(PetscMalloc3(n * n, &matrix, n * n, &solution, n, &pivots));
  for (PetscInt i = 0; i < n * n; i++) matrix[i] = space->stiffness * space->compliance[i];
  for (PetscInt i = 0; i < n; i++) matrix[i * (n + 1)] += 1.0;
  for (PetscInt i = 0; i < n * n; i++) solution[i] = space->compliance[i];
  for (PetscInt i = 0; i < n; i++) space->unit[i] = 1.0;
  LAPACKgesv_(&size, &size, matrix, &size, pivots, solution, &size, &info);
  LAPACKgetrs_("N", &size, &one, matrix, &size, pivots, space->unit, &size, &info);
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++)
      for (PetscInt c = 0; c < HALF_SPACE_DIM; c++)
        space->influence[(HALF_SPACE_DIM * i + c) * m + HALF_SPACE_DIM * j + c] = 0.5 * (solution[i * n + j] + solution[j * n + i]);
  assert_ok(PetscFree3(matrix, solution, pivots));
}

/* Smooth faces of this stiffness, in both directions, a unit of area. */
static inline void HalfSpaceLaw(PetscReal stiffness, PetscReal friction, PetscReal parameters[])
{
  const JointLaw *const law = JointLawFind("rough_contact");

  for (PetscInt i = 0; law->parameters[i].name; i++) {
    const char *const name = law->parameters[i].name;

    parameters[i] = 0.0;
    if (!strcmp(name, "normal_stiffness") || !strcmp(name, "tangential_stiffness")) parameters[i] = stiffness;
    if (!strcmp(name, "friction")) parameters[i] = friction;
  }
}

static inline void HalfSpaceJoin(HalfSpace *space, PetscReal friction, PetscReal curvature)
{
  const PetscReal area = PetscSqr(space->edge);
  PetscReal       parameters[JOINT_MAX_PARAMETERS], *zeros;

  HalfSpaceLaw(space->stiffness / area, friction, parameters);
  assert_ok(SystemCreate(space->num_rows, &space->system));
  assert_ok(PetscCalloc1(space->num_points, &zeros));
  assert_ok(SystemAddContact(space->system, "faces", space->num_points, zeros, zeros));
  assert_ok(PetscFree(zeros));
  for (PetscInt i = 0; i < space->num_points; i++) {
    PetscInt rows[HALF_SPACE_DIM];

    for (PetscInt c = 0; c < HALF_SPACE_DIM; c++) {
      assert_ok(SystemAddMass(space->system, HALF_SPACE_DIM * i + c, HALF_SPACE_DIM * i + c, 1.0));
      assert_ok(SystemAddRow(space->system, "faces", c, -1, HALF_SPACE_DIM * i + c, &rows[c]));
    }
    assert_ok(SystemAddLaw(space->system, JointLawFind("rough_contact"), parameters, rows));
    assert_ok(SystemSpreadLaw(space->system, area, 0.5 * curvature * (PetscSqr(space->place[2 * i]) + PetscSqr(space->place[2 * i + 1]))));
  }
  assert_ok(SystemSetUp(space->system));
}

/* side x side squares over a width; interface stiffness a unit of area, friction, curvature 1/R of the gap. */
static inline HalfSpace HalfSpaceNew(PetscInt side, PetscReal width, PetscReal stiffness, PetscReal friction, PetscReal curvature)
{
  HalfSpace space = {.side = side, .num_points = side * side, .num_rows = HALF_SPACE_DIM * side * side, .edge = width / (PetscReal)side};

  space.m         = RowsPadded(space.num_rows);
  space.stiffness = stiffness * PetscSqr(space.edge);
  HalfSpacePlace(&space);
  assert_ok(PetscCalloc4(space.m * space.m, &space.influence, space.m, &space.motion, space.m, &space.rate, space.m, &space.row_norm));
  HalfSpaceSolve(&space);
  HalfSpaceJoin(&space, friction, curvature);
  assert_ok(BalanceCreate(space.system, space.m, 1e-11, 50, PETSC_FALSE, &space.balance));
  assert_ok(StateCreate(space.system, space.num_rows, space.m, &space.state));
  for (PetscInt i = 0; i < space.num_rows; i++) space.row_norm[i] = 1.0;
  assert_ok(BalanceStart(space.balance, space.state->motion, space.rate, space.state));
  return space;
}

static inline void HalfSpaceDestroy(HalfSpace *space)
{
  assert_ok(StateDestroy(&space->state));
  assert_ok(BalanceDestroy(&space->balance));
  assert_ok(SystemDestroy(&space->system));
  assert_ok(PetscFree4(space->influence, space->motion, space->rate, space->row_norm));
  assert_ok(PetscFree3(space->place, space->unit, space->compliance));
}

/* The one half-space is a body that floats: nothing but contact holds it against a force on it. Tried with depth, it is pressed by a force
   of that times the stuck stiffness, which is given. */
static inline PetscReal HalfSpaceFloat(HalfSpace *space)
{
  PetscReal sum = 0.0;

  for (PetscInt i = 0; i < space->num_points; i++) sum += space->stiffness * space->unit[i];
  for (PetscInt i = 0; i < space->num_points; i++)
    for (PetscInt j = 0; j < space->num_points; j++) space->influence[HALF_SPACE_DIM * (i * space->m + j)] += space->unit[i] * space->unit[j] / sum;
  return sum;
}

/* The frame of each point is turned about z by an angle of its own: normal and sliding motions then drive each other. */
static inline void HalfSpaceTilt(HalfSpace *space, const PetscReal angle[])
{
  const PetscInt m = space->m;

  for (PetscInt i = 0; i < space->num_points; i++)
    for (PetscInt j = 0; j < space->num_points; j++) {
      PetscReal *const block = space->influence + HALF_SPACE_DIM * (i * m + j), H = block[0];
      const PetscReal  along = cos(angle[i] - angle[j]), across = sin(angle[i] - angle[j]);

      block[0] = block[m + 1] = along * H;
      block[1]                = -across * H;
      block[m]                = across * H;
    }
  space->angle = angle;
}

/* Where the faces would be without touching: this far into each other, and aside. Whether a balance was found. */
static inline PetscBool HalfSpaceTry(HalfSpace *space, PetscReal depth, PetscReal aside, PetscBool closed_first)
{
  PetscBool converged;

  space->whole   = InfluenceOfMatrix(space->m, space->influence);
  space->problem = (BalanceProblem){.influence    = &space->whole,
                                    .motion       = space->motion,
                                    .rate         = space->rate,
                                    .row_norm     = space->row_norm,
                                    .size         = PetscAbsReal(depth) + PetscAbsReal(aside),
                                    .closed_first = closed_first};
  for (PetscInt i = 0; i < space->num_points; i++) {
    const PetscReal x = -depth * space->unit[i], y = aside * space->unit[i], angle = space->angle ? space->angle[i] : 0.0;

    space->motion[HALF_SPACE_DIM * i]     = cos(angle) * x - sin(angle) * y;
    space->motion[HALF_SPACE_DIM * i + 1] = sin(angle) * x + cos(angle) * y;
  }
  assert_ok(BalanceSolve(space->balance, &space->problem, space->state, &converged));
  return converged;
}

static inline void HalfSpaceMove(HalfSpace *space, PetscReal depth, PetscReal aside, PetscBool closed_first)
{
  assert_true(HalfSpaceTry(space, depth, aside, closed_first));
  assert_ok(BalanceCommit(space->balance, space->state));
}

/* The sum of one component over all points. */
static inline PetscReal HalfSpaceForce(const HalfSpace *space, PetscInt component)
{
  PetscReal sum = 0.0;

  for (PetscInt i = 0; i < space->num_points; i++) sum += space->balance->joints.force[HALF_SPACE_DIM * i + component];
  return sum;
}

static inline PetscReal HalfSpaceDissipated(const HalfSpace *space)
{
  PetscReal sum = 0.0;

  for (PetscInt i = 0; i < space->num_rows; i++) sum += space->state->dissipated[i];
  return sum;
}
