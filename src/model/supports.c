/* supports.c - nodes that the ground holds. */
#include "structure.h"

typedef struct {
  const char *group;
  InputTexts  directions;
} SupportInput;

// clang-format off
static const InputField fields[] = {
  {.key = "group", .kind = INPUT_TEXT, .offset = offsetof(SupportInput, group), .fallback = INPUT_REQUIRED,
   .help = "group of the mesh, of any dimension, whose nodes are held; an averaged point is held by a rigid joint to `ground`"},
  {.key = "directions", .kind = INPUT_TEXTS, .offset = offsetof(SupportInput, directions), .fallback = INPUT_OPTIONAL,
   .help = "directions in which they are held, among x y z rx ry rz; all when not given"},
  {0},
};
// clang-format on

const InputTable support_table = {.name = "supports[]", .summary = "nodes that the ground holds", .fields = fields};

static PetscErrorCode ReadSupport(const InputNode *map, Structure *structure)
{
  Support *const support = &structure->supports[structure->num_supports];
  SupportInput   input   = {0};
  PetscInt       group, count = 0, direction[NUM_DIRECTIONS];

  PetscFunctionBegin;
  PetscCall(InputRead(map, &support_table, &input));
  if (!input.group) PetscFunctionReturn(PETSC_SUCCESS);
  support->directions = (1u << NUM_DIRECTIONS) - 1;
  if (InputFind(map, "directions")) {
    PetscCall(DirectionsRead(InputFind(map, "directions"), &input.directions, &count, direction));
    support->directions = 0;
    for (PetscInt i = 0; i < count; i++) support->directions |= 1u << direction[i];
  }
  PetscCall(MeshChooseGroup(structure->mesh, InputFind(map, "group"), MESH_ANY_DIM, input.group, &group));
  if (group < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MeshGroupNodes(structure->mesh, group, &support->num_nodes, &support->nodes));
  support->group = input.group;
  structure->num_supports++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SupportsRead(const InputNode *node, Structure *structure)
{
  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsList(node)) PetscCall(InputComplain(node, "must be a list of supports, each beginning with '- group: NAME'"));
  if (!InputIsList(node)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(InputCount(node), &structure->supports));
  for (PetscInt i = 0; i < InputCount(node); i++) PetscCall(ReadSupport(InputItem(node, i), structure));
  PetscFunctionReturn(PETSC_SUCCESS);
}

unsigned SupportsHold(const Structure *structure, PetscInt node)
{
  unsigned held = 0;

  for (PetscInt s = 0; s < structure->num_supports; s++) {
    PetscInt place;

    (void)PetscFindInt(node, structure->supports[s].num_nodes, structure->supports[s].nodes, &place);
    if (place >= 0) held |= structure->supports[s].directions;
  }
  return held;
}
