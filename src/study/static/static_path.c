/* static_path.c - the factors of the loads, step by step. */
#include "static.h"

typedef struct {
  PetscInt  cycles;
  PetscReal from, to;
} CycleKeys;

#define OF(member) offsetof(CycleKeys, member)

// clang-format off
static const InputField cycle_fields[] = {
  {.key = "cycles", .kind = INPUT_COUNT, .offset = OF(cycles), .fallback = INPUT_REQUIRED, .least = 1, .most = 100000, .help = "how often to `from` and back to `to`, after the first way to `to`"},
  {.key = "from", .kind = INPUT_REAL, .offset = OF(from), .fallback = -1.0, .help = "the factor at one end of the cycles"},
  {.key = "to", .kind = INPUT_REAL, .offset = OF(to), .fallback = 1.0, .help = "the factor at the other end"},
  {.key = NULL}
};
// clang-format on

const InputTable static_path_table = {"path", "cycles of the loads", cycle_fields};

/* Where the path turns, after 0. */
static PetscErrorCode ReadTurns(const InputNode *node, PetscInt *count, PetscReal **turns)
{
  CycleKeys  cycle = {0, -1.0, 1.0};
  InputReals list  = {0};

  PetscFunctionBegin;
  if (node && !InputIsMap(node)) {
    PetscCall(InputGetReals(node, NULL, &list));
    if (InputIsList(node) && InputCount(node) == 0) PetscCall(InputComplain(node, "expected factors of the loads, or {cycles: 2}, found none"));
    PetscCall(PetscMalloc1(list.count, turns));
    for (PetscInt i = 0; i < list.count; i++) (*turns)[i] = list.values[i];
    *count = list.count;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (node) PetscCall(InputRead(node, &static_path_table, &cycle));
  *count = 2 * cycle.cycles + 1;
  PetscCall(PetscMalloc1(*count, turns));
  for (PetscInt i = 0; i < *count; i++) (*turns)[i] = i % 2 ? cycle.from : cycle.to;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticPathRead(const InputNode *node, PetscInt steps, PetscInt *num_rows, PetscReal **factor)
{
  const PetscInt64 most  = 10000000;
  PetscInt         count = 0;
  PetscReal       *turns, start = 0.0;

  PetscFunctionBegin;
  PetscCall(ReadTurns(node, &count, &turns));
  if ((PetscInt64)count * steps > most) {
    PetscCall(
      InputComplain(node, "would take %lld steps, %lld at most: give fewer cycles, or fewer `steps`", (long long)count * steps, (long long)most));
    count = 0;
  }
  *num_rows = 1 + count * steps;
  PetscCall(PetscCalloc1(*num_rows, factor));
  for (PetscInt i = 0; i < count; i++) {
    for (PetscInt s = 1; s < steps; s++) (*factor)[i * steps + s] = start + (turns[i] - start) * (PetscReal)s / (PetscReal)steps;
    (*factor)[(i + 1) * steps] = start = turns[i];
  }
  PetscCall(PetscFree(turns));
  PetscFunctionReturn(PETSC_SUCCESS);
}
