/* modal_iwan_given.c - modal Iwan models whose parameters are known: measured, published. */
#include "modal_iwan.h"

typedef struct {
  PetscInt  mode;
  ModalIwan model;
} ModeKeys;

#define OF(member) offsetof(ModeKeys, member)

// clang-format off
/* The bounds are those of the law iwan4. */
static const InputField fields[] = {
  {.key = "mode", .kind = INPUT_COUNT, .offset = OF(mode), .fallback = INPUT_REQUIRED, .least = 1, .most = PETSC_INFINITY,
   .help = "number of the mode with joints stuck, from 1"},
  {.key = "stiffness", .kind = INPUT_REAL, .offset = OF(model.stiffness), .fallback = INPUT_REQUIRED, .most = PETSC_INFINITY, .unit = "1/s^2",
   .help = "K_inf: square of the frequency [rad/s] while the joints slip"},
  {.key = "damping", .kind = INPUT_REAL, .offset = OF(model.damping), .fallback = INPUT_REQUIRED, .most = 1,
   .help = "zeta_0: damping ratio while the joints stick"},
  {.key = "slip_force", .kind = INPUT_REAL, .offset = OF(model.slip_force), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "N kg^-1/2",
   .help = "F_S: force at which the whole element slips"},
  {.key = "tangent", .kind = INPUT_REAL, .offset = OF(model.tangent), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "1/s^2",
   .help = "K_T: additional stiffness of the joints while they stick"},
  {.key = "chi", .kind = INPUT_REAL, .offset = OF(model.chi), .fallback = INPUT_REQUIRED, .least = -1, .above = PETSC_TRUE,
   .help = "dissipation in microslip grows with amplitude^(chi+3)"},
  {.key = "beta", .kind = INPUT_REAL, .offset = OF(model.beta), .fallback = INPUT_REQUIRED, .most = PETSC_INFINITY,
   .help = "stiffness of the sliders that slip last, relative to that of all others"},
  {.key = NULL}
};
// clang-format on

const InputTable modal_iwan_given_table = {"modes[]", "the given model of one mode", fields};

static PetscErrorCode CheckMode(const InputNode *item, const Names *names, const ModalIwanStudy *known, PetscInt mode)
{
  const InputNode *const node = InputFind(item, "mode");

  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(NamesCheckMode(names, node, mode));
  for (PetscInt i = 0; i < known->count; i++)
    if (known->modes[i] == mode) PetscCall(InputComplain(node, "mode %" PetscInt_FMT " has a model already, in item %" PetscInt_FMT, mode, i + 1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadMode(const InputNode *item, const Names *names, ModalIwanStudy *study)
{
  const PetscInt num_complaints = InputNumComplaints(InputDocumentOf(item));
  ModeKeys       keys           = {0};
  PetscReal      parameters[JOINT_MAX_PARAMETERS];

  PetscFunctionBegin;
  PetscCall(InputRead(item, &modal_iwan_given_table, &keys));
  PetscCall(CheckMode(item, names, study, keys.mode));
  if (InputNumComplaints(InputDocumentOf(item)) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  if (ModalIwanElement(&keys.model, parameters)->refuse(parameters))
    PetscCall(InputComplain(item, "slip_force / tangent is not a displacement at which a mode can slip"));
  study->modes[study->count]    = keys.mode;
  study->models[study->count++] = keys.model;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModalIwanReadGiven(const InputNode *list, const Names *names, ModalIwanStudy *study)
{
  const PetscInt count = list && InputIsList(list) ? InputCount(list) : 0;

  PetscFunctionBegin;
  if (list && count == 0) PetscCall(InputComplain(list, "expected a list of modes: - {mode: 7, stiffness: ..., damping: ..., ...}"));
  PetscCall(PetscMalloc1(count, &study->modes));
  PetscCall(PetscMalloc1(count, &study->models));
  for (PetscInt i = 0; i < count; i++)
    if (InputIsScalar(InputItem(list, i)))
      PetscCall(InputComplain(InputItem(list, i),
                              "expected {mode: 7, stiffness: ..., damping: ..., ...}; a number is for models that are fitted, with `of`"));
    else PetscCall(ReadMode(InputItem(list, i), names, study));
  PetscFunctionReturn(PETSC_SUCCESS);
}
