/* response_frequencies.c - the frequencies of a response: a list, or a range. */
#include "response.h"

typedef struct {
  PetscReal from, to;
  PetscInt  count, spacing;
} RangeKeys;

enum { LINEAR, LOGARITHMIC };

#define OF(member) offsetof(RangeKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "from", .kind = INPUT_REAL, .offset = OF(from), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "Hz",
   .help = "lowest frequency"},
  {.key = "to", .kind = INPUT_REAL, .offset = OF(to), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "Hz",
   .help = "highest frequency"},
  {.key = "count", .kind = INPUT_COUNT, .offset = OF(count), .fallback = INPUT_REQUIRED, .least = 2, .most = 1000000, .help = "number of frequencies, both ends included"},
  {.key = "spacing", .kind = INPUT_WORD, .offset = OF(spacing), .fallback = LINEAR, .words = sweep_names, .help = "linear: equal differences; logarithmic: equal ratios"},
  {.key = NULL}
};
// clang-format on

const InputTable response_range_table = {"response.frequencies", "a range of frequencies; or give a list of them, [18, 20, 22]", fields};

static PetscErrorCode ReadRange(const InputNode *node, PetscInt *count, PetscReal **frequencies)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(node));
  RangeKeys      keys   = {0};

  PetscFunctionBegin;
  PetscCall(InputRead(node, &response_range_table, &keys));
  if (InputNumComplaints(InputDocumentOf(node)) > before) PetscFunctionReturn(PETSC_SUCCESS);
  if (keys.from >= keys.to) {
    PetscCall(
      InputComplain(InputFind(node, "to"), "must be above `from`, %g Hz, got %g; `direction: down` begins at the highest", keys.from, keys.to));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  *count = keys.count;
  PetscCall(PetscMalloc1(*count, frequencies));
  for (PetscInt i = 0; i < *count; i++) {
    const PetscReal share = (PetscReal)i / (PetscReal)(*count - 1);

    (*frequencies)[i] = keys.spacing == LINEAR ? keys.from + share * (keys.to - keys.from) : keys.from * PetscPowReal(keys.to / keys.from, share);
    if (i == 0 || (*frequencies)[i] > (*frequencies)[i - 1]) continue;
    PetscCall(InputComplain(InputFind(node, "count"), "there are no %" PetscInt_FMT " different numbers between %.17g and %.17g", keys.count,
                            keys.from, keys.to));
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadList(const InputNode *node, PetscInt *count, PetscReal **frequencies)
{
  const PetscInt num_complaints = InputNumComplaints(InputDocumentOf(node));
  InputReals     reals          = {0};
  PetscReal      before         = 0.0;

  PetscFunctionBegin;
  PetscCall(InputGetReals(node, "Hz", &reals));
  if (InputNumComplaints(InputDocumentOf(node)) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < reals.count; i++) {
    if (!(reals.values[i] > before)) {
      PetscCall(InputComplain(InputIsList(node) ? InputItem(node, i) : node, "frequencies must be above 0 Hz and ascend, got %g after %g",
                              reals.values[i], before));
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    before = reals.values[i];
  }
  if (reals.count == 0 && InputIsList(node) && InputCount(node) == 0) PetscCall(InputComplain(node, "expected one frequency or more, found none"));
  *count = reals.count;
  PetscCall(PetscMalloc1(*count, frequencies));
  PetscCall(PetscArraycpy(*frequencies, reals.values, *count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseFrequenciesRead(const InputNode *node, PetscInt *count, PetscReal **frequencies)
{
  PetscFunctionBegin;
  *count       = 0;
  *frequencies = NULL;
  if (InputIsMap(node)) PetscCall(ReadRange(node, count, frequencies));
  else PetscCall(ReadList(node, count, frequencies));
  PetscFunctionReturn(PETSC_SUCCESS);
}
