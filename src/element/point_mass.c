/* point_mass.c - a rigid body that hangs on a node: mass, moments of inertia, distance. */
#include "kinds.h"

typedef struct {
  PetscReal  mass;
  InputReals inertia, offset;
} PointMassInput;

// clang-format off
static const InputField fields[] = {
  {.key = "mass", .kind = INPUT_REAL, .offset = offsetof(PointMassInput, mass), .fallback = INPUT_REQUIRED, .most = PETSC_INFINITY,
   .above = PETSC_TRUE, .unit = "kg", .help = "mass"},
  {.key = "inertia", .kind = INPUT_REALS, .offset = offsetof(PointMassInput, inertia), .fallback = INPUT_OPTIONAL, .unit = "kg m^2",
   .help = "moments of inertia about its centre of mass: [Ixx, Iyy, Izz], or [Ixx, Iyy, Izz, Ixy, Iyz, Izx] with Ixy = -int x y dm; default zero"},
  {.key = "offset", .kind = INPUT_REALS, .offset = offsetof(PointMassInput, offset), .fallback = INPUT_OPTIONAL, .unit = "m",
   .help = "vector from the node to the centre of mass, [x, y, z]; default zero"},
  {0},
};
// clang-format on

const InputTable point_mass_table = {
  .name = "parts.NAME.point_mass", .summary = "a rigid body that is attached to each node of the group", .fields = fields};

/* Moments of a body are at least zero and obey the inequality of the triangle; both say that int x_i x_j dm is positive semidefinite. */
static PetscBool IsBody(const PetscReal J[6])
{
  const PetscReal half = 0.5 * (J[0] + J[1] + J[2]), slack = 1e-9 * half;
  const PetscReal a = half - J[0] + slack, b = half - J[1] + slack, c = half - J[2] + slack;

  if (half == 0.0) return J[3] == 0.0 && J[4] == 0.0 && J[5] == 0.0 && J[0] == 0.0 && J[1] == 0.0 ? PETSC_TRUE : PETSC_FALSE;
  return a > 0.0 && a * b - J[3] * J[3] > 0.0 && a * (b * c - J[4] * J[4]) - J[3] * (J[3] * c + J[4] * J[5]) - J[5] * (J[3] * J[4] + b * J[5]) > 0.0
           ? PETSC_TRUE
           : PETSC_FALSE;
}

PetscErrorCode PointMassRead(const InputNode *map, PointMass *point_mass)
{
  const PetscInt complaints = InputNumComplaints(InputDocumentOf(map));
  PointMassInput input      = {0};

  PetscFunctionBegin;
  PetscCall(InputRead(map, &point_mass_table, &input));
  *point_mass = (PointMass){.mass = input.mass};
  if (InputNumComplaints(InputDocumentOf(map)) > complaints) PetscFunctionReturn(PETSC_SUCCESS);
  if (InputFind(map, "inertia") && input.inertia.count != 3 && input.inertia.count != 6)
    PetscCall(InputComplain(InputFind(map, "inertia"), "must be three numbers or six, got %" PetscInt_FMT, input.inertia.count));
  if (InputFind(map, "offset") && input.offset.count != 3)
    PetscCall(InputComplain(InputFind(map, "offset"), "must be three numbers, [x, y, z], got %" PetscInt_FMT, input.offset.count));
  if (InputNumComplaints(InputDocumentOf(map)) > complaints) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < input.inertia.count; i++) point_mass->inertia[i] = input.inertia.values[i];
  for (PetscInt i = 0; i < input.offset.count; i++) point_mass->offset[i] = input.offset.values[i];
  if (!IsBody(point_mass->inertia))
    PetscCall(InputComplain(InputFind(map, "inertia"), "belongs to no body: each principal moment must be at most the sum of the two others"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* With r the offset, v + omega x r is the motion of the centre of mass: [m I, -m [r]; m [r], I - m [r] [r]]. */
static PetscErrorCode Evaluate(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                               PetscReal stiffness[], PetscReal mass[], PetscInt *faulty)
{
  static const PetscInt  place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}}; /* in the list of moments */
  const PointMass *const body        = properties->point_mass;
  const PetscReal *const r = body->offset, m = body->mass;
  const PetscReal        cross[3][3] = {{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}};

  PetscFunctionBegin;
  for (PetscInt i = 0; stiffness && i < 36 * num; i++) stiffness[i] = 0.0;
  for (PetscInt e = 0; mass && e < num; e++) {
    PetscReal *const M = mass + (size_t)e * 36;

    for (PetscInt i = 0; i < 3; i++) {
      for (PetscInt j = 0; j < 3; j++) {
        M[i * 6 + j]           = i == j ? m : 0.0;
        M[i * 6 + 3 + j]       = -m * cross[i][j];
        M[(i + 3) * 6 + j]     = m * cross[i][j];
        M[(i + 3) * 6 + 3 + j] = body->inertia[place[i][j]];
        for (PetscInt k = 0; k < 3; k++) M[(i + 3) * 6 + 3 + j] -= m * cross[i][k] * cross[k][j];
      }
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

const ElementKind element_kind_point_mass = {
  .name         = "point_mass",
  .summary      = "rigid body on a node: mass, moments of inertia, offset",
  .shape        = MESH_POINT1,
  .num_unknowns = 6,
  .mass_block   = 6,
  .needs        = ELEMENT_NEEDS_POINT_MASS,
  .evaluate     = Evaluate,
};
