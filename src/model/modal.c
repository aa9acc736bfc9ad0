/* modal.c - a structure given by its modes: frequencies, damping, and how points move in them. */
#include "matrix.h"

typedef struct {
  const char      *file;
  const InputNode *points, *shapes;
  InputReals       frequencies, damping;
} ModalInput;

#define OF(member) offsetof(ModalInput, member)

// clang-format off
static const InputField fields[] = {
  {.key = "frequencies", .kind = INPUT_REALS, .offset = OF(frequencies), .fallback = INPUT_REQUIRED, .most = PETSC_INFINITY, .unit = "Hz",
   .help = "natural frequencies without the joints; 0 for rigid modes"},
  {.key = "damping", .kind = INPUT_REALS, .offset = OF(damping), .fallback = INPUT_OPTIONAL, .most = 1,
   .help = "damping ratios of these modes, one for all or one for each; `damping` of the case is for the modes with joints stuck"},
  {.key = "points", .kind = INPUT_NODE, .offset = OF(points), .fallback = INPUT_REQUIRED,
   .help = "one name for each row of shapes: POINT (moves in x) or POINT DIRECTION; a list, or a dataset of texts"},
  {.key = "shapes", .kind = INPUT_NODE, .offset = OF(shapes), .fallback = INPUT_REQUIRED, .unit = "kg^-1/2",
   .help = "motions of points in the modes, normalised to modal mass 1: one row for each of `points`, one column for each mode; a list of rows, a file NAME.mtx, or a dataset"},
  {.key = "file", .kind = INPUT_PATH, .offset = OF(file), .fallback = INPUT_OPTIONAL,
   .help = "HDF5 or MATLAB's file whose datasets or variables `points` and `shapes` name"},
  {0},
};
// clang-format on

const InputTable modal_table = {.name = "modal", .summary = "a structure by its modes, measured or computed elsewhere", .fields = fields};

static PetscErrorCode MakeDiagonal(PetscInt n, const PetscReal values[], Mat *matrix)
{
  PetscFunctionBegin;
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 1, NULL, matrix));
  for (PetscInt i = 0; i < n; i++) PetscCall(MatSetValue(*matrix, i, i, values[i], INSERT_VALUES));
  PetscCall(MatAssemblyBegin(*matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*matrix, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* In modal coordinates M = 1, K = omega^2, C = 2 zeta omega [eq. 13 of voldrich2009]. */
static PetscErrorCode MakeMatrices(const ModalInput *input, GivenMatrices *matrices)
{
  const PetscInt n = matrices->size;
  PetscReal     *mass, *stiffness, *damping;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(n, &mass, n, &stiffness, n, &damping));
  for (PetscInt i = 0; i < n; i++) {
    const PetscReal omega = 2.0 * PETSC_PI * input->frequencies.values[i];
    const PetscReal zeta  = input->damping.count ? input->damping.values[input->damping.count > 1 ? i : 0] : 0.0;

    mass[i]      = 1.0;
    stiffness[i] = omega * omega;
    damping[i]   = 2.0 * zeta * omega;
  }
  PetscCall(MakeDiagonal(n, mass, &matrices->mass));
  PetscCall(MakeDiagonal(n, stiffness, &matrices->stiffness));
  if (input->damping.count) PetscCall(MakeDiagonal(n, damping, &matrices->damping));
  PetscCall(PetscFree3(mass, stiffness, damping));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Stiffness is their square, which must be a number. */
static PetscErrorCode CheckFrequencies(const InputNode *node, const InputReals *frequencies)
{
  const PetscReal most = 1e150;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < frequencies->count; i++)
    if (frequencies->values[i] > most)
      PetscCall(
        InputComplain(InputIsList(node) ? InputItem(node, i) : node, "must be at most %g Hz, got %g", (double)most, (double)frequencies->values[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModalRead(const InputNode *node, Model *model)
{
  GivenMatrices *const matrices = &model->matrices;
  ModalInput           input    = {0};
  MotionNames          names;

  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (matrices->node) PetscCall(InputComplainKey(node, "a case has one of `matrices` and `modal`"));
  if (matrices->node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputRead(node, &modal_table, &input));
  PetscCall(CheckFrequencies(InputFind(node, "frequencies"), &input.frequencies));
  if (!input.points || !input.shapes || !input.frequencies.count) PetscFunctionReturn(PETSC_SUCCESS);
  if (input.damping.count > 1 && input.damping.count != input.frequencies.count)
    PetscCall(InputComplain(InputFind(node, "damping"), "expected one ratio, or one for each of %" PetscInt_FMT " modes, got %" PetscInt_FMT,
                            input.frequencies.count, input.damping.count));
  PetscCall(MotionsReadNames(input.points, input.file, &names));
  if (!names.texts.count) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MotionsRead(input.points, &names.texts, model));
  PetscCall(MotionNamesDestroy(&names));
  matrices->node     = node;
  matrices->accuracy = PETSC_MACHINE_EPSILON;
  matrices->size     = input.frequencies.count;
  if (input.damping.count <= 1 || input.damping.count == matrices->size) PetscCall(MakeMatrices(&input, matrices));
  PetscCall(MotionsReadMap(input.points, input.shapes, input.file, "mode", matrices));
  PetscFunctionReturn(PETSC_SUCCESS);
}
