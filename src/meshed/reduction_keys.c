/* reduction_keys.c - how a case wants its mesh reduced. */
#include "meshed_private.h"

typedef struct {
  PetscInt   modes;
  PetscBool  prove, shared;
  InputTexts keep;
} ReductionInput;

enum { USUAL_MODES = 40, MOST_HELD = 7071 }; /* of 8 bytes for each pair: 400 MB */

#define KEEP \
  { \
    .key = "keep", .kind = INPUT_TEXTS, .offset = offsetof(ReductionInput, keep), .fallback = INPUT_OPTIONAL, \
    .help = "points to keep in addition to those of joints, springs and dampers" \
  }

// clang-format off
static const InputField craig_bampton_fields[] = {
  {.key = "modes", .kind = INPUT_COUNT, .offset = offsetof(ReductionInput, modes), .fallback = INPUT_REQUIRED, .least = 0, .most = PETSC_INFINITY,
   .help = "number of modes with the kept points fixed"},
  KEEP,
  {.key = "prove", .kind = INPUT_TRUTH, .offset = offsetof(ReductionInput, prove), .fallback = 0,
   .help = "verify, by one more factorisation, that none of these modes was missed"},
  {0},
};

static const InputField modes_fields[] = {
  {.key = "count", .kind = INPUT_COUNT, .offset = offsetof(ReductionInput, modes), .fallback = USUAL_MODES, .least = 1, .most = PETSC_INFINITY,
   .help = "number of modes, the lowest of the whole structure with its joints stuck"},
  {.key = "prove", .kind = INPUT_TRUTH, .offset = offsetof(ReductionInput, prove), .fallback = 0,
   .help = "verify, by one more factorisation, that none of these modes was missed"},
  {.key = "shared", .kind = INPUT_TRUTH, .offset = offsetof(ReductionInput, shared), .fallback = 0,
   .help = "MPI processes share the static compliance of joints and points, 8 bytes for each pair of their motions, and compute each run "
           "together; `no`: every process has all of it, and they compute several runs at a time; default: yes where it takes more than 400 MB"},
  {0},
};

static const InputField guyan_fields[] = {
  KEEP,
  {0},
};
// clang-format on

const InputTable craig_bampton_table = {
  .name = "reduction.craig_bampton", .summary = "motions of the kept points, and modes with these points fixed", .fields = craig_bampton_fields};
const InputTable guyan_table = {.name = "reduction.guyan", .summary = "motions of the kept points alone", .fields = guyan_fields};

const InputTable modes_reduction_table = {
  .name    = "reduction.modes",
  .summary = "modes of the whole, and the static compliance of all others at joints and points; what a mesh without `reduction` moves and rests by",
  .fields  = modes_fields};

static const char *const methods[] = {"craig_bampton", "guyan", "modes", NULL};

PetscErrorCode ReductionRead(const InputNode *node, PetscBool in_time, ReductionKeys *keys)
{
  static const InputTable *const tables[] = {&craig_bampton_table, &guyan_table, &modes_reduction_table};
  ReductionInput                 input    = {.modes = USUAL_MODES};
  const InputNode               *value    = NULL;
  PetscInt                       method;

  PetscFunctionBegin;
  keys->node = node;
  keys->kind = node ? REDUCED_TO_MOTIONS : in_time ? REDUCED_TO_MODES : NOT_REDUCED;
  if (node) {
    PetscCall(InputGetTagged(node, "reduction", methods, &method, &value));
    if (method < 0) PetscFunctionReturn(PETSC_SUCCESS);
    input.modes = 0;
    PetscCall(InputRead(value, tables[method], &input));
    if (tables[method] == &modes_reduction_table) keys->kind = REDUCED_TO_MODES;
    keys->keep      = input.keep;
    keys->keep_node = InputFind(value, "keep");
  }
  keys->most_held = !node || !InputFind(value, "shared") ? MOST_HELD : input.shared ? 0 : PETSC_MAX_INT;
  keys->options   = (ReductionOptions){.num_modes = input.modes, .prove = input.prove};
  PetscFunctionReturn(PETSC_SUCCESS);
}
