/* line.c - stiffness and mass of straight beams, integrated from the exact deflection of a beam without load. NOTES.md has the
   equations. */
#include "line.h"
#include <petscdt.h>

enum { NODES = 2, UNKNOWNS = 6, SIZE = NODES * UNKNOWNS, NUM_POINTS = 4 /* the square of a cubic */ };

/* The generalised motions of a cross section, each with its strain. */
enum { ALONG, ACROSS_Y, ACROSS_Z, TWIST, TURN_Y, TURN_Z, NUM_MOTIONS };

/* How the section moves with the unknowns of the element in local axes, and how it is strained. */
typedef struct {
  PetscReal motion[NUM_MOTIONS][SIZE]; /* u, v, w, theta_x, theta_y, theta_z */
  PetscReal strain[NUM_MOTIONS][SIZE]; /* u', v' - theta_z, w' + theta_y, theta_x', theta_y', theta_z' */
} SectionRows;

/* Stiffness and inertia that belong to the rows. */
typedef struct {
  PetscReal stiffness[NUM_MOTIONS], inertia[NUM_MOTIONS];
  PetscReal softness[2]; /* Phi = 12 E I / (k G A L^2) of bending in x-y and in x-z; 0 without shear */
} Constants;

static PetscReal ShearCoefficient(const SectionShear *shear, PetscReal poisson)
{
  return shear->a * (1.0 + poisson) / (shear->b + shear->c * poisson);
}

static Constants FindConstants(const ElementProperties *properties, PetscBool shear, PetscReal length)
{
  const Material *const    material = properties->material;
  const BeamSection *const s        = properties->section;
  const PetscReal          E = material->young, G = material->mu, rho = material->density, bending[2] = {E * s->inertia_z, E * s->inertia_y};
  Constants                c = {
                   .stiffness = {E * s->area, 0.0, 0.0, G * s->torsion, E * s->inertia_y, E * s->inertia_z},
                   .inertia = {rho * s->area, rho * s->area, rho * s->area, rho * (s->inertia_y + s->inertia_z), rho * s->inertia_y, rho * s->inertia_z},
  };

  if (s->no_rotary_inertia) c.inertia[TURN_Y] = c.inertia[TURN_Z] = 0.0;
  for (PetscInt plane = 0; shear && plane < 2; plane++) {
    c.stiffness[ACROSS_Y + plane] = ShearCoefficient(&s->shear[plane], material->poisson) * G * s->area;
    c.softness[plane]             = 12.0 * bending[plane] / (c.stiffness[ACROSS_Y + plane] * length * length);
  }
  return c;
}

/* Deflection, rotation and their derivatives of a beam without load, by its end values (v1, theta1, v2, theta2) at s = x / L
   [Friedman 1993, eqs 8 and 9]. */
static void Deflect(PetscReal s, PetscReal L, PetscReal phi, PetscReal v[4], PetscReal turn[4], PetscReal shear[4], PetscReal curvature[4])
{
  const PetscReal d        = 1.0 / (1.0 + phi);
  const PetscReal slope[4] = {d / L * (6.0 * s * s - 6.0 * s - phi), d * (3.0 * s * s - (4.0 + phi) * s + 1.0 + 0.5 * phi),
                              d / L * (6.0 * s - 6.0 * s * s + phi), d * (3.0 * s * s - (2.0 - phi) * s - 0.5 * phi)};

  v[0]         = d * (2.0 * s * s * s - 3.0 * s * s - phi * s + 1.0 + phi);
  v[1]         = d * L * (s * s * s - (2.0 + 0.5 * phi) * s * s + (1.0 + 0.5 * phi) * s);
  v[2]         = d * (3.0 * s * s - 2.0 * s * s * s + phi * s);
  v[3]         = d * L * (s * s * s - (1.0 - 0.5 * phi) * s * s - 0.5 * phi * s);
  turn[0]      = 6.0 * d / L * (s * s - s);
  turn[1]      = d * (3.0 * s * s - (4.0 + phi) * s + 1.0 + phi);
  turn[2]      = -turn[0];
  turn[3]      = d * (3.0 * s * s - (2.0 - phi) * s);
  curvature[0] = 6.0 * d / (L * L) * (2.0 * s - 1.0);
  curvature[1] = d / L * (6.0 * s - 4.0 - phi);
  curvature[2] = -curvature[0];
  curvature[3] = d / L * (6.0 * s - 2.0 + phi);
  for (PetscInt i = 0; i < 4; i++) shear[i] = slope[i] - turn[i];
}

/* Bending in x-y has theta_z = v', bending in x-z has theta_y = -w': one set of functions serves both. */
static void FillRows(PetscReal s, PetscReal L, const PetscReal softness[2], SectionRows *rows)
{
  PetscReal v[4], turn[4], shear[4], curvature[4];

  *rows = (SectionRows){.motion = {{0.0}}};
  for (PetscInt node = 0; node < NODES; node++) {
    const PetscInt first = node * UNKNOWNS;

    rows->motion[ALONG][first] = rows->motion[TWIST][first + TWIST] = node ? s : 1.0 - s;
    rows->strain[ALONG][first] = rows->strain[TWIST][first + TWIST] = node ? 1.0 / L : -1.0 / L;
  }
  for (PetscInt plane = 0; plane < 2; plane++) {
    const PetscInt  across = ACROSS_Y + plane, about = plane ? TURN_Y : TURN_Z;
    const PetscReal sense = plane ? -1.0 : 1.0;

    Deflect(s, L, softness[plane], v, turn, shear, curvature);
    for (PetscInt i = 0; i < 4; i++) {
      const PetscInt  column = i / 2 * UNKNOWNS + (i % 2 ? about : across);
      const PetscReal sign   = i % 2 ? sense : 1.0;

      rows->motion[across][column] = sign * v[i];
      rows->strain[across][column] = sign * shear[i];
      rows->motion[about][column]  = sign * sense * turn[i];
      rows->strain[about][column]  = sign * sense * curvature[i];
    }
  }
}

static void AddSquare(PetscReal factor, const PetscReal row[SIZE], PetscReal A[SIZE][SIZE])
{
  for (PetscInt i = 0; i < SIZE; i++) {
    for (PetscInt j = 0; j < SIZE; j++) A[i][j] += factor * row[i] * row[j];
  }
}

/* In local axes. */
static PetscErrorCode Integrate(const Constants *constants, PetscReal length, PetscReal K[SIZE][SIZE], PetscReal M[SIZE][SIZE])
{
  PetscReal   place[NUM_POINTS], weight[NUM_POINTS];
  SectionRows rows;

  PetscFunctionBegin;
  PetscCall(PetscDTGaussQuadrature(NUM_POINTS, 0.0, 1.0, place, weight));
  PetscCall(PetscMemzero(K, SIZE * sizeof(*K)));
  PetscCall(PetscMemzero(M, SIZE * sizeof(*M)));
  for (PetscInt q = 0; q < NUM_POINTS; q++) {
    FillRows(place[q], length, constants->softness, &rows);
    for (PetscInt m = 0; m < NUM_MOTIONS; m++) {
      AddSquare(weight[q] * length * constants->stiffness[m], rows.strain[m], K);
      AddSquare(weight[q] * length * constants->inertia[m], rows.motion[m], M);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal Normalize(PetscReal v[3])
{
  const PetscReal length = PetscSqrtReal(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);

  for (PetscInt i = 0; i < 3 && length > 0.0; i++) v[i] /= length;
  return length;
}

/* The local axes as rows, and the length; no axes where the nodes coincide or the orientation points along the beam. */
static PetscBool FindAxes(const PetscReal node[], const PetscReal orientation[3], PetscReal axes[3][3], PetscReal *length)
{
  PetscReal along = 0.0, guide[3] = {orientation[0], orientation[1], orientation[2]};
  PetscInt  least = 0;

  for (PetscInt i = 0; i < 3; i++) axes[0][i] = node[3 + i] - node[i];
  *length = Normalize(axes[0]);
  for (PetscInt i = 1; i < 3; i++) {
    if (PetscAbsReal(axes[0][i]) < PetscAbsReal(axes[0][least])) least = i;
  }
  if (Normalize(guide) == 0.0) guide[least] = 1.0;
  for (PetscInt i = 0; i < 3; i++) along += guide[i] * axes[0][i];
  for (PetscInt i = 0; i < 3; i++) axes[1][i] = guide[i] - along * axes[0][i];
  if (!(*length > 0.0) || !(Normalize(axes[1]) > 1e-6)) return PETSC_FALSE;
  for (PetscInt i = 0; i < 3; i++) axes[2][i] = axes[0][(i + 1) % 3] * axes[1][(i + 2) % 3] - axes[0][(i + 2) % 3] * axes[1][(i + 1) % 3];
  return PETSC_TRUE;
}

/* From the unknowns of a node, in the axes of the model, to the motion of the centroid in local axes: u + theta x r, turned. */
static void FindTransformation(const PetscReal axes[3][3], const PetscReal offset[2], PetscReal T[UNKNOWNS][UNKNOWNS])
{
  PetscReal r[3];

  for (PetscInt i = 0; i < 3; i++) r[i] = offset[0] * axes[1][i] + offset[1] * axes[2][i];
  for (PetscInt i = 0; i < 3; i++) {
    for (PetscInt j = 0; j < 3; j++) {
      T[i][j] = T[i + 3][j + 3] = axes[i][j];
      T[i + 3][j]               = 0.0;
      T[i][j + 3]               = r[(j + 1) % 3] * axes[i][(j + 2) % 3] - r[(j + 2) % 3] * axes[i][(j + 1) % 3]; /* (r x axis_i) theta */
    }
  }
}

/* out = T^T A T, where T is the same for both nodes. */
static void Transform(const PetscReal A[SIZE][SIZE], const PetscReal T[UNKNOWNS][UNKNOWNS], PetscReal out[])
{
  PetscReal half[SIZE][SIZE] = {{0.0}};

  for (PetscInt i = 0; i < SIZE; i++) {
    for (PetscInt j = 0; j < SIZE; j++) {
      for (PetscInt k = 0; k < UNKNOWNS; k++) half[i][j] += A[i][j - j % UNKNOWNS + k] * T[k][j % UNKNOWNS];
    }
  }
  for (PetscInt i = 0; i < SIZE; i++) {
    for (PetscInt j = i - i % UNKNOWNS; j < SIZE; j++) {
      out[i * SIZE + j] = 0.0;
      for (PetscInt k = 0; k < UNKNOWNS; k++) out[i * SIZE + j] += T[k][i % UNKNOWNS] * half[i - i % UNKNOWNS + k][j];
    }
  }
}

PetscErrorCode LineEvaluate(const ElementProperties *properties, PetscBool shear, PetscInt num, const PetscReal coordinates[], PetscReal stiffness[],
                            PetscReal mass[], PetscInt *faulty)
{
  const BeamSection *const section = properties->section;
  PetscReal                K[SIZE][SIZE], M[SIZE][SIZE], T[UNKNOWNS][UNKNOWNS], axes[3][3], length;

  PetscFunctionBegin;
  for (PetscInt e = 0; e < num; e++) {
    const size_t entries = SIZE * SIZE;
    Constants    constants;

    if (!FindAxes(coordinates + (size_t)e * 3 * NODES, section->orientation, axes, &length)) {
      if (*faulty < 0) *faulty = e;
      continue;
    }
    constants = FindConstants(properties, shear, length);
    FindTransformation((const PetscReal(*)[3])axes, section->offset, T);
    PetscCall(Integrate(&constants, length, K, M));
    if (stiffness) Transform((const PetscReal(*)[SIZE])K, (const PetscReal(*)[UNKNOWNS])T, stiffness + e * entries);
    if (mass) Transform((const PetscReal(*)[SIZE])M, (const PetscReal(*)[UNKNOWNS])T, mass + e * entries);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* N int (v'^2 + w'^2) dx, of the whole slope, and what it gives to twist: N (I_y + I_z) / A int theta_x'^2 dx. In local axes. */
static PetscErrorCode IntegrateGeometric(const Constants *constants, PetscReal gyration, PetscReal length, PetscReal force, PetscReal G[SIZE][SIZE])
{
  PetscReal   place[NUM_POINTS], weight[NUM_POINTS];
  SectionRows rows;

  PetscFunctionBegin;
  PetscCall(PetscDTGaussQuadrature(NUM_POINTS, 0.0, 1.0, place, weight));
  PetscCall(PetscMemzero(G, SIZE * sizeof(*G)));
  for (PetscInt q = 0; q < NUM_POINTS; q++) {
    const PetscReal share = weight[q] * length * force;

    FillRows(place[q], length, constants->softness, &rows);
    for (PetscInt i = 0; i < SIZE; i++) { /* v' = shear strain + theta_z, w' = shear strain - theta_y */
      rows.strain[ACROSS_Y][i] += rows.motion[TURN_Z][i];
      rows.strain[ACROSS_Z][i] -= rows.motion[TURN_Y][i];
    }
    AddSquare(share, rows.strain[ACROSS_Y], G);
    AddSquare(share, rows.strain[ACROSS_Z], G);
    AddSquare(share * gyration, rows.strain[TWIST], G);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* E A u', the same all along it. */
static PetscReal AxialForce(const Constants *constants, PetscReal length, const PetscReal T[UNKNOWNS][UNKNOWNS], const PetscReal displacement[])
{
  PetscReal stretch = 0.0;

  for (PetscInt i = 0; i < UNKNOWNS; i++) stretch += T[ALONG][i] * (displacement[UNKNOWNS + i] - displacement[i]);
  return constants->stiffness[ALONG] * stretch / length;
}

PetscErrorCode LineStiffen(const ElementProperties *properties, PetscBool shear, PetscInt num, const PetscReal coordinates[],
                           const PetscReal displacements[], PetscReal geometric[])
{
  const BeamSection *const section  = properties->section;
  const PetscReal          gyration = (section->inertia_y + section->inertia_z) / section->area;
  PetscReal                G[SIZE][SIZE], T[UNKNOWNS][UNKNOWNS], axes[3][3], length;

  PetscFunctionBegin;
  for (PetscInt e = 0; e < num; e++) {
    const size_t entries = SIZE * SIZE;
    Constants    constants;
    PetscReal    force;

    PetscCheck(FindAxes(coordinates + (size_t)e * 3 * NODES, section->orientation, axes, &length), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG,
               "a beam without a direction");
    constants = FindConstants(properties, shear, length);
    FindTransformation((const PetscReal(*)[3])axes, section->offset, T);
    force = AxialForce(&constants, length, (const PetscReal(*)[UNKNOWNS])T, displacements + (size_t)e * SIZE);
    PetscCall(IntegrateGeometric(&constants, gyration, length, force, G));
    Transform((const PetscReal(*)[SIZE])G, (const PetscReal(*)[UNKNOWNS])T, geometric + e * entries);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the part behind the section on the part before it: N = E A u', M_x = G J theta_x', bending moments by the curvatures, which are linear along
   the beam; and shear forces from what these change by, M_z' + Q_y = 0, M_y' - Q_z = 0, with and without a strain of shear. In local axes. */
static void FindForces(const Constants *constants, PetscReal length, const PetscReal local[SIZE], PetscReal force[ELEMENT_STRESSES])
{
  PetscReal moment[2][NUM_MOTIONS] = {{0.0}};

  for (PetscInt end = 0; end < NODES; end++) {
    SectionRows rows;

    FillRows((PetscReal)end, length, constants->softness, &rows);
    for (PetscInt m = 0; m < NUM_MOTIONS; m++)
      for (PetscInt i = 0; i < SIZE; i++) moment[end][m] += constants->stiffness[m] * rows.strain[m][i] * local[i];
  }
  for (PetscInt m = 0; m < NUM_MOTIONS; m++) force[m] = 0.5 * (moment[0][m] + moment[1][m]);
  force[ACROSS_Y] = (moment[0][TURN_Z] - moment[1][TURN_Z]) / length;
  force[ACROSS_Z] = (moment[1][TURN_Y] - moment[0][TURN_Y]) / length;
}

PetscErrorCode LineStress(const ElementProperties *properties, PetscBool shear, PetscInt num, const PetscReal coordinates[],
                          const PetscReal displacements[], PetscReal mean[])
{
  PetscReal T[UNKNOWNS][UNKNOWNS], axes[3][3], local[SIZE], length;

  PetscFunctionBegin;
  for (PetscInt e = 0; e < num; e++) {
    const PetscReal *const u = displacements + (size_t)e * SIZE;
    Constants              constants;

    PetscCheck(FindAxes(coordinates + (size_t)e * 3 * NODES, properties->section->orientation, axes, &length), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG,
               "a beam without a direction");
    constants = FindConstants(properties, shear, length);
    FindTransformation((const PetscReal(*)[3])axes, properties->section->offset, T);
    for (PetscInt i = 0; i < SIZE; i++) {
      local[i] = 0.0;
      for (PetscInt k = 0; k < UNKNOWNS; k++) local[i] += T[i % UNKNOWNS][k] * u[i - i % UNKNOWNS + k];
    }
    FindForces(&constants, length, local, mean + (size_t)e * ELEMENT_STRESSES);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
