/* material.c - linear elastic materials: isotropic, and orthotropic along given axes. */
#include "element.h"

typedef struct {
  PetscReal young, poisson, density;
} Isotropic;

/* Constants along the material's own axes 1, 2, 3; pairs are 12, 13, 23. */
typedef struct {
  PetscReal  young[3], poisson[3], shear[3], density;
  InputReals axis_1, axis_2;
} Orthotropic;

static const PetscInt pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};

#define DENSITY(Struct) \
  { \
    .key = "density", .kind = INPUT_REAL, .offset = offsetof(Struct, density), .fallback = INPUT_REQUIRED, .most = PETSC_INFINITY, \
    .above = PETSC_TRUE, .unit = "kg/m^3", .help = "mass per unit of volume" \
  }
#define MODULUS(name, member, text) \
  { \
    .key = name, .kind = INPUT_REAL, .offset = offsetof(Orthotropic, member), .fallback = INPUT_REQUIRED, .most = PETSC_INFINITY, \
    .above = PETSC_TRUE, .unit = "Pa", .help = text \
  }
#define POISSON(name, member, text) \
  { \
    .key = name, .kind = INPUT_REAL, .offset = offsetof(Orthotropic, member), .fallback = INPUT_REQUIRED, .help = text \
  }
#define AXIS(name, member, text) \
  { \
    .key = name, .kind = INPUT_REALS, .offset = offsetof(Orthotropic, member), .fallback = INPUT_OPTIONAL, .help = text \
  }

// clang-format off
static const InputField isotropic_fields[] = {
  {.key = "young", .kind = INPUT_REAL, .offset = offsetof(Isotropic, young), .fallback = INPUT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE,
   .unit = "Pa", .help = "Young's modulus"},
  {.key = "poisson", .kind = INPUT_REAL, .offset = offsetof(Isotropic, poisson), .fallback = INPUT_REQUIRED, .least = -1.0, .most = 0.4999,
   .above = PETSC_TRUE, .help = "Poisson's ratio; incompressible materials (0.5) would need other elements"},
  DENSITY(Isotropic),
  {0},
};

static const InputField orthotropic_fields[] = {
  MODULUS("young_1", young[0], "Young's modulus along axis 1"),
  MODULUS("young_2", young[1], "Young's modulus along axis 2"),
  MODULUS("young_3", young[2], "Young's modulus along axis 3"),
  POISSON("poisson_12", poisson[0], "Poisson's ratio: contraction along 2 for unit extension along 1"),
  POISSON("poisson_13", poisson[1], "Poisson's ratio: contraction along 3 for unit extension along 1"),
  POISSON("poisson_23", poisson[2], "Poisson's ratio: contraction along 3 for unit extension along 2"),
  MODULUS("shear_12", shear[0], "shear modulus in the plane of axes 1 and 2"),
  MODULUS("shear_13", shear[1], "shear modulus in the plane of axes 1 and 3"),
  MODULUS("shear_23", shear[2], "shear modulus in the plane of axes 2 and 3"),
  DENSITY(Orthotropic),
  AXIS("axis_1", axis_1, "material axis 1, [x, y, z] of any length; default: x of the model"),
  AXIS("axis_2", axis_2, "a direction in the plane of axes 1 and 2, at any angle to axis 1; default: y of the model"),
  {0},
};
// clang-format on

const InputTable material_table    = {.name = "materials.NAME", .summary = "an isotropic elastic material", .fields = isotropic_fields};
const InputTable orthotropic_table = {.name    = "materials.NAME",
                                      .summary = "an orthotropic material, with three planes of symmetry: these keys instead of young and poisson",
                                      .fields  = orthotropic_fields};

PetscErrorCode MaterialSetIsotropic(PetscReal young, PetscReal poisson, PetscReal density, Material *material)
{
  const PetscReal mu = young / (2.0 * (1.0 + poisson)), lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));

  PetscFunctionBegin;
  *material = (Material){.density = density, .isotropic = PETSC_TRUE, .young = young, .poisson = poisson, .lambda = lambda, .mu = mu};
  for (PetscInt i = 0; i < 3; i++) {
    for (PetscInt j = 0; j < 3; j++) {
      material->tensor[i][i][j][j] += lambda;
      material->tensor[i][j][i][j] += mu;
      material->tensor[i][j][j][i] += mu;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadIsotropic(const InputNode *map, Material *material)
{
  const PetscInt complaints = InputNumComplaints(InputDocumentOf(map));
  Isotropic      input      = {0};

  PetscFunctionBegin;
  PetscCall(InputRead(map, &material_table, &input));
  if (InputNumComplaints(InputDocumentOf(map)) > complaints) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MaterialSetIsotropic(input.young, input.poisson, input.density, material));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows of the compliance between normal strains and stresses. */
static void FindCompliance(const Orthotropic *input, PetscReal S[3][3])
{
  for (PetscInt i = 0; i < 3; i++) S[i][i] = 1.0 / input->young[i];
  for (PetscInt p = 0; p < 3; p++) {
    const PetscInt i = pairs[p][0], j = pairs[p][1];

    S[i][j] = S[j][i] = -input->poisson[p] / input->young[i];
  }
}

static PetscReal Determinant(const PetscReal S[3][3])
{
  return S[0][0] * (S[1][1] * S[2][2] - S[1][2] * S[2][1]) - S[0][1] * (S[1][0] * S[2][2] - S[1][2] * S[2][0]) +
         S[0][2] * (S[1][0] * S[2][1] - S[1][1] * S[2][0]);
}

/* Sylvester: all principal minors of the compliance must be positive [Jones 1999, section 2.4]. */
static PetscErrorCode CheckStable(const InputNode *map, const Orthotropic *input, const PetscReal S[3][3], PetscBool *fine)
{
  const PetscReal unit = S[0][0] * S[1][1] * S[2][2];

  PetscFunctionBegin;
  *fine = PETSC_TRUE;
  for (PetscInt p = 0; p < 3; p++) {
    static const char *const keys[] = {"poisson_12", "poisson_13", "poisson_23"};
    const PetscInt           i = pairs[p][0], j = pairs[p][1];
    const PetscReal          limit = PetscSqrtReal(input->young[i] / input->young[j]);

    if (PetscAbsReal(input->poisson[p]) < limit) continue;
    *fine = PETSC_FALSE;
    PetscCall(InputComplain(InputFind(map, keys[p]),
                            "must lie between -%.4g and %.4g, the root of young_%d/young_%d, got %g: work could be gained from it", (double)limit,
                            (double)limit, (int)i + 1, (int)j + 1, (double)input->poisson[p]));
  }
  if (!*fine || Determinant(S) > 16.0 * PETSC_MACHINE_EPSILON * unit) PetscFunctionReturn(PETSC_SUCCESS);
  *fine = PETSC_FALSE;
  PetscCall(InputComplain(map,
                          "is not stable: poisson_12, poisson_13 and poisson_23 are too large together (the determinant of the compliance is %.3g of "
                          "its diagonal's product, and must be positive)",
                          (double)(Determinant(S) / unit)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The stiffness along the material's own axes: the inverse of the compliance by cofactors, and the shear moduli. */
static void SetOwnTensor(const Orthotropic *input, const PetscReal S[3][3], PetscReal C[3][3][3][3])
{
  const PetscReal determinant = Determinant(S);

  for (PetscInt i = 0; i < 3; i++) {
    for (PetscInt j = 0; j < 3; j++) {
      const PetscInt i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;

      C[i][i][j][j] = (S[i1][j1] * S[i2][j2] - S[i1][j2] * S[i2][j1]) / determinant;
    }
  }
  for (PetscInt p = 0; p < 3; p++) {
    const PetscInt i = pairs[p][0], j = pairs[p][1];

    C[i][j][i][j] = C[i][j][j][i] = C[j][i][i][j] = C[j][i][j][i] = input->shear[p];
  }
}

/* The material's axes as rows of R, made orthonormal. */
static PetscErrorCode ReadAxes(const InputNode *map, const Orthotropic *input, PetscReal R[3][3], PetscBool *fine)
{
  static const char *const keys[] = {"axis_1", "axis_2"};
  const InputReals *const  axis[] = {&input->axis_1, &input->axis_2};
  PetscReal                along = 0.0, length[2] = {0.0};

  PetscFunctionBegin;
  *fine = PETSC_TRUE;
  for (PetscInt i = 0; i < 2; i++) {
    for (PetscInt j = 0; j < 3; j++) R[i][j] = i == j ? 1.0 : 0.0;
    if (InputFind(map, keys[i]) && axis[i]->count != 3) {
      PetscCall(InputComplain(InputFind(map, keys[i]), "must be three numbers, [x, y, z], got %" PetscInt_FMT, axis[i]->count));
      *fine = PETSC_FALSE;
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    for (PetscInt j = 0; j < 3 && axis[i]->count; j++) R[i][j] = axis[i]->values[j];
  }
  for (PetscInt i = 0; i < 2; i++) { /* Gram and Schmidt */
    const PetscReal before = PetscSqrtReal(R[i][0] * R[i][0] + R[i][1] * R[i][1] + R[i][2] * R[i][2]);

    for (PetscInt j = 0; i == 1 && j < 3; j++) along += R[0][j] * R[1][j];
    for (PetscInt j = 0; i == 1 && j < 3; j++) R[1][j] -= along * R[0][j];
    length[i] = PetscSqrtReal(R[i][0] * R[i][0] + R[i][1] * R[i][1] + R[i][2] * R[i][2]);
    if (!(length[i] > 1e-6 * before)) *fine = PETSC_FALSE;
    for (PetscInt j = 0; j < 3 && *fine; j++) R[i][j] /= length[i];
    if (*fine) continue;
    PetscCall(InputComplain(map, i ? "axis_2 must not be parallel to axis_1" : "axis_1 must not be zero"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt j = 0; j < 3; j++) R[2][j] = R[0][(j + 1) % 3] * R[1][(j + 2) % 3] - R[0][(j + 2) % 3] * R[1][(j + 1) % 3];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* out_ijkl = R_ai R_bj R_ck R_dl C_abcd, one index after the other: the last one turned becomes the first. */
static void Turn(const PetscReal R[3][3], PetscReal C[3][3][3][3])
{
  for (PetscInt pass = 0; pass < 4; pass++) {
    PetscReal turned[3][3][3][3] = {{{{0.0}}}};

    for (PetscInt i = 0; i < 3 * 27; i++) {
      const PetscInt a = i / 27, b = i / 9 % 3, c = i / 3 % 3, d = i % 3;

      for (PetscInt l = 0; l < 3; l++) turned[l][a][b][c] += R[d][l] * C[a][b][c][d];
    }
    for (PetscInt i = 0; i < 81; i++) (&C[0][0][0][0])[i] = (&turned[0][0][0][0])[i];
  }
}

static PetscErrorCode ReadOrthotropic(const InputNode *map, Material *material)
{
  const PetscInt complaints = InputNumComplaints(InputDocumentOf(map));
  Orthotropic    input      = {.density = 0.0};
  PetscReal      S[3][3], R[3][3];
  PetscBool      straight, stable;

  PetscFunctionBegin;
  PetscCall(InputRead(map, &orthotropic_table, &input));
  if (InputNumComplaints(InputDocumentOf(map)) > complaints) PetscFunctionReturn(PETSC_SUCCESS);
  FindCompliance(&input, S);
  PetscCall(CheckStable(map, &input, (const PetscReal(*)[3])S, &stable));
  PetscCall(ReadAxes(map, &input, R, &straight));
  if (!stable || !straight) PetscFunctionReturn(PETSC_SUCCESS);
  *material = (Material){.density = input.density};
  SetOwnTensor(&input, (const PetscReal(*)[3])S, material->tensor);
  Turn((const PetscReal(*)[3])R, material->tensor);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MaterialRead(const InputNode *map, Material *material)
{
  PetscBool orthotropic = PETSC_FALSE;

  PetscFunctionBegin;
  PetscCall(MaterialSetIsotropic(1.0, 0.0, 1.0, material)); /* usable after a complaint */
  for (const InputField *field = orthotropic_fields; InputIsMap(map) && field->key; field++) {
    PetscBool shared;

    PetscCall(PetscStrcmp(field->key, "density", &shared));
    if (!shared && InputFind(map, field->key)) orthotropic = PETSC_TRUE;
  }
  if (orthotropic) PetscCall(ReadOrthotropic(map, material));
  else PetscCall(ReadIsotropic(map, material));
  PetscFunctionReturn(PETSC_SUCCESS);
}
