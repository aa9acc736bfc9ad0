/* matrices.c - matrices of a structure that another program made, and the motions of its points. */
#include "matrix.h"

typedef struct {
  const char      *file;
  const InputNode *points, *mass, *stiffness, *damping, *map, *base;
  PetscReal        accuracy;
} MatricesInput;

#define OF(member) offsetof(MatricesInput, member)

// clang-format off
static const InputField fields[] = {
  {.key = "file", .kind = INPUT_PATH, .offset = OF(file), .fallback = INPUT_OPTIONAL,
   .help = "HDF5 file whose datasets the other keys name, as mass: /system/mass; MATLAB's file NAME.mat, as mass: M or model.M; or punch file of Nastran, as mass: MAAX"},
  {.key = "points", .kind = INPUT_NODE, .offset = OF(points), .fallback = INPUT_OPTIONAL,
   .help = "one name for each row of the matrices, or of map: POINT (moves in x), POINT DIRECTION, or mode N; a list, a dataset of texts, a cell array, or {nodes: 8, directions: [x, y, z]}; default: n12 x and so on where the stiffness names nodes and directions"},
  {.key = "mass", .kind = INPUT_NODE, .offset = OF(mass), .fallback = INPUT_REQUIRED, .unit = "kg",
   .help = "mass matrix, symmetric, positive definite but for unknowns without mass, whose rows are zero and which are condensed statically: a list of rows, a file NAME.mtx (Matrix Market or Abaqus), or a dataset"},
  {.key = "stiffness", .kind = INPUT_NODE, .offset = OF(stiffness), .fallback = INPUT_REQUIRED, .unit = "N/m",
   .help = "stiffness matrix, symmetric, likewise; joint stiffness that it contains must not be given again by laws"},
  {.key = "damping", .kind = INPUT_NODE, .offset = OF(damping), .fallback = INPUT_OPTIONAL, .unit = "N s/m",
   .help = "damping matrix, symmetric, likewise"},
  {.key = "map", .kind = INPUT_NODE, .offset = OF(map), .fallback = INPUT_OPTIONAL,
   .help = "motions of points as combinations of the unknowns, one row for each of `points`, likewise; without it, points are the unknowns"},
  {.key = "base", .kind = INPUT_NODE, .offset = OF(base), .fallback = INPUT_OPTIONAL,
   .help = "motion of the unknowns for unit motion of the base in x, y, z, rx, ry, rz: up to six columns, likewise"},
  {.key = "accuracy", .kind = INPUT_REAL, .offset = OF(accuracy), .fallback = INPUT_OPTIONAL, .least = 0.0, .most = 1e-3, .above = PETSC_TRUE,
   .help = "relative round-off of the stiffness, by which rigid modes are recognised; default: 1e-13 for files, otherwise the machine precision"},
  {0},
};
// clang-format on

const InputTable matrices_table = {.name = "matrices", .summary = "matrices of a structure from another program", .fields = fields};

/* A symmetric matrix; its node may be NULL: one that is absent. */
static PetscErrorCode ReadSymmetric(const InputNode *node, const char *file, const MatrixShape *shape, Mat *matrix)
{
  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatrixRead(node, file, shape, matrix));
  if (*matrix) PetscCall(MatrixSymmetrise(node, *matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The mass matrix tells the number of unknowns when a map stands between them and the points. */
static PetscErrorCode ReadMass(const MatricesInput *input, const MatrixLabels *labels, GivenMatrices *matrices)
{
  const char *const what  = input->map ? "unknown" : "point";
  const MatrixShape shape = {matrices->size, matrices->size, what, what, labels};
  PetscInt          rows, columns;

  PetscFunctionBegin;
  PetscCall(MatrixRead(input->mass, input->file, &shape, &matrices->mass));
  if (!matrices->mass) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatGetSize(matrices->mass, &rows, &columns));
  matrices->size = rows;
  if (rows == columns) PetscCall(MatrixSymmetrise(input->mass, matrices->mass));
  else PetscCall(InputComplain(input->mass, "must be square, has %" PetscInt_FMT " rows and %" PetscInt_FMT " columns", rows, columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadBase(const MatricesInput *input, GivenMatrices *matrices)
{
  const MatrixShape shape = {matrices->size, ANY, "unknown", "direction", NULL};
  PetscInt          num_directions;

  PetscFunctionBegin;
  if (!input->base) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatrixRead(input->base, input->file, &shape, &matrices->base));
  if (!matrices->base) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatGetSize(matrices->base, NULL, &num_directions));
  if (num_directions > NUM_DIRECTIONS)
    PetscCall(InputComplain(input->base, "must have at most six columns, for x, y, z, rx, ry, rz, got %" PetscInt_FMT, num_directions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadAll(const MatricesInput *input, const MatrixLabels *labels, GivenMatrices *matrices)
{
  const char *const what = input->map ? "unknown" : "point";
  MatrixShape       square;

  PetscFunctionBegin;
  if (!input->map) matrices->size = matrices->num_motions;
  if (input->mass) PetscCall(ReadMass(input, labels, matrices));
  if (!matrices->mass && input->map) PetscFunctionReturn(PETSC_SUCCESS); /* how large the others must be is not known */
  square = (MatrixShape){matrices->size, matrices->size, what, what, labels};
  PetscCall(ReadSymmetric(input->stiffness, input->file, &square, &matrices->stiffness));
  PetscCall(ReadSymmetric(input->damping, input->file, &square, &matrices->damping));
  if (input->map) PetscCall(MotionsReadMap(input->points, input->map, input->file, "unknown", matrices));
  PetscCall(ReadBase(input, matrices));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the points, or of the unknowns that the stiffness names itself. */
static PetscErrorCode ReadNames(const InputNode *node, const MatricesInput *input, const MatrixLabels *labels, MotionNames *names)
{
  PetscFunctionBegin;
  PetscCall(PetscMemzero(names, sizeof(*names)));
  if (input->points) PetscCall(MotionsReadNames(input->points, input->file, names));
  else if (labels->count) PetscCall(MotionsNameLabels(labels, names));
  else if (input->stiffness && InputIsMap(node))
    PetscCall(InputComplain(node, "key 'points' is missing: one name for each row of the matrices, or of map"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatricesRead(const InputNode *node, Model *model)
{
  GivenMatrices *const matrices = &model->matrices;
  MatricesInput        input    = {0};
  MatrixLabels         labels   = {0};
  MotionNames          names;
  PetscInt             before;

  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputRead(node, &matrices_table, &input));
  before = InputNumComplaints(InputDocumentOf(node));
  if (!input.points || input.map) PetscCall(MatrixReadLabels(input.stiffness, input.file, &labels));
  if (InputNumComplaints(InputDocumentOf(node)) > before) input.stiffness = NULL; /* once is enough */
  PetscCall(ReadNames(node, &input, &labels, &names));
  if (names.texts.count) {
    PetscCall(MotionsRead(input.points ? input.points : input.stiffness, &names.texts, model));
    matrices->node     = input.mass;
    matrices->accuracy = input.accuracy > 0.0 ? input.accuracy : input.stiffness && InputIsList(input.stiffness) ? PETSC_MACHINE_EPSILON : 1e-13;
    PetscCall(ReadAll(&input, &labels, matrices));
  }
  PetscCall(MotionNamesDestroy(&names));
  PetscCall(MatrixLabelsDestroy(&labels));
  PetscFunctionReturn(PETSC_SUCCESS);
}
