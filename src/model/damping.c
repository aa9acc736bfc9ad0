/* damping.c - damping that is spread over the structure: modal ratios and Rayleigh's. */
#include "parts.h"

typedef struct {
  InputReals       modal;
  const InputNode *rayleigh;
} DampingInput;

typedef struct {
  PetscReal mass, stiffness;
} RayleighInput;

// clang-format off
static const InputField damping_fields[] = {
  {.key = "modal", .kind = INPUT_REALS, .offset = offsetof(DampingInput, modal), .fallback = INPUT_OPTIONAL, .most = PETSC_INFINITY,
   .help = "damping ratio of each mode with all joints stuck, below 1; the last one is used for all higher modes"},
  {.key = "rayleigh", .kind = INPUT_NODE, .offset = offsetof(DampingInput, rayleigh), .fallback = INPUT_OPTIONAL,
   .help = "damping matrix from the mass and stiffness matrices: {mass, stiffness}"},
  {0},
};

static const InputField rayleigh_fields[] = {
  {.key = "mass", .kind = INPUT_REAL, .offset = offsetof(RayleighInput, mass), .fallback = 0.0, .most = PETSC_INFINITY, .unit = "1/s",
   .help = "factor of the mass matrix"},
  {.key = "stiffness", .kind = INPUT_REAL, .offset = offsetof(RayleighInput, stiffness), .fallback = 0.0, .most = PETSC_INFINITY, .unit = "s",
   .help = "factor of the stiffness matrix with all joints stuck"},
  {0},
};
// clang-format on

const InputTable damping_table  = {.name = "damping", .summary = "damping of the whole structure", .fields = damping_fields};
const InputTable rayleigh_table = {
  .name = "damping.rayleigh", .summary = "Rayleigh damping, C = mass * M + stiffness * K", .fields = rayleigh_fields};

static PetscErrorCode ReadRatios(const InputNode *node, const InputReals *ratios, ModelDamping *damping)
{
  PetscFunctionBegin;
  damping->modal  = node;
  damping->ratios = *ratios;
  if (InputIsList(node) && InputCount(node) == 0) PetscCall(InputComplain(node, "must hold at least one ratio"));
  for (PetscInt i = 0; i < ratios->count; i++) {
    const InputNode *const item = InputIsList(node) ? InputItem(node, i) : node;

    if (ratios->values[i] >= 1.0) PetscCall(InputComplain(item, "must be below 1, a ratio to critical damping, got %g", ratios->values[i]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DampingRead(const InputNode *node, Model *model)
{
  DampingInput  input;
  RayleighInput rayleigh = {0.0, 0.0};
  PetscInt      num_complaints;

  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMemzero(&input, sizeof(input)));
  num_complaints = InputNumComplaints(InputDocumentOf(node));
  PetscCall(InputRead(node, &damping_table, &input));
  if (InputNumComplaints(InputDocumentOf(node)) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  if (InputFind(node, "modal")) PetscCall(ReadRatios(InputFind(node, "modal"), &input.modal, &model->damping));
  if (input.rayleigh) PetscCall(InputRead(input.rayleigh, &rayleigh_table, &rayleigh));
  if (InputCount(node) == 0) PetscCall(InputComplain(node, "is empty: give modal, rayleigh or both"));
  model->damping.mass_factor      = rayleigh.mass;
  model->damping.stiffness_factor = rayleigh.stiffness;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DampingBuild(const Model *model, System *system)
{
  const ModelDamping *const damping = &model->damping;

  PetscFunctionBegin;
  PetscCall(SystemSetDamping(system, damping->ratios.count, damping->ratios.values, damping->mass_factor, damping->stiffness_factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DampingCheck(const Model *model, const Names *names)
{
  const ModelDamping *const damping = &model->damping;

  PetscFunctionBegin;
  if (damping->ratios.count > names->num_modes)
    PetscCall(InputComplain(damping->modal, "has %" PetscInt_FMT " ratios, but there are only %" PetscInt_FMT " modes", damping->ratios.count,
                            names->num_modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}
