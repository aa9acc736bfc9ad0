/* reduction_keys.c - how a case wants its mesh reduced. */
#include "meshed_private.h"

typedef struct {
  PetscInt   modes;
  PetscBool  prove;
  InputTexts keep;
} ReductionInput;

#define KEEP \
  { \
    .key = "keep", .kind = INPUT_TEXTS, .offset = offsetof(ReductionInput, keep), .fallback = INPUT_OPTIONAL, \
    .help = "points whose motions are kept, besides those that joints, springs and dampers connect" \
  }

// clang-format off
static const InputField craig_bampton_fields[] = {
  {.key = "modes", .kind = INPUT_COUNT, .offset = offsetof(ReductionInput, modes), .fallback = INPUT_REQUIRED, .least = 0, .most = PETSC_INFINITY,
   .help = "number of modes with the kept points at rest"},
  KEEP,
  {.key = "prove", .kind = INPUT_TRUTH, .offset = offsetof(ReductionInput, prove), .fallback = 0,
   .help = "prove by one more factorisation that none of these modes was missed"},
  {0},
};

static const InputField guyan_fields[] = {
  KEEP,
  {0},
};
// clang-format on

const InputTable craig_bampton_table = {
  .name = "reduction.craig_bampton", .summary = "kept motions, and modes while these are at rest", .fields = craig_bampton_fields};
const InputTable guyan_table = {.name = "reduction.guyan", .summary = "kept motions alone", .fields = guyan_fields};

static const char *const methods[] = {"craig_bampton", "guyan", NULL};

PetscErrorCode ReductionRead(const InputNode *node, MeshedPart *meshed)
{
  ReductionInput   input = {0};
  const InputNode *value;
  PetscInt         method;

  PetscFunctionBegin;
  meshed->reduction.node = node;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputGetTagged(node, "reduction", methods, &method, &value));
  if (method < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputRead(value, method == 0 ? &craig_bampton_table : &guyan_table, &input));
  meshed->reduction.options   = (ReductionOptions){.num_modes = input.modes, .prove = input.prove};
  meshed->reduction.keep      = input.keep;
  meshed->reduction.keep_node = InputFind(value, "keep");
  PetscFunctionReturn(PETSC_SUCCESS);
}
