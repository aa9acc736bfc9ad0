/* supports.c - nodes that the ground holds. */
#include "meshed_private.h"

typedef struct {
  const char *group, *point;
  InputTexts  directions;
} SupportInput;

enum { ALL_DIRECTIONS = (1 << NUM_DIRECTIONS) - 1 };

// clang-format off
static const InputField fields[] = {
  {.key = "group", .kind = INPUT_TEXT, .offset = offsetof(SupportInput, group), .fallback = INPUT_OPTIONAL,
   .help = "group of the mesh, of any dimension, whose nodes are fixed"},
  {.key = "point", .kind = INPUT_TEXT, .offset = offsetof(SupportInput, point), .fallback = INPUT_OPTIONAL,
   .help = "point that is fixed, instead of a group; the nodes of an average can still move relative to each other"},
  {.key = "directions", .kind = INPUT_TEXTS, .offset = offsetof(SupportInput, directions), .fallback = INPUT_OPTIONAL,
   .help = "fixed directions, among x y z rx ry rz; default: all"},
  {0},
};
// clang-format on

const InputTable support_table = {.name = "supports[]", .summary = "what the ground holds: one of group, point", .fields = fields};

static const char *const kinds[] = {"group", "point", NULL};

static PetscErrorCode ReadGroup(const InputNode *node, const char *name, const Mesh *mesh, Support *support)
{
  PetscInt group;

  PetscFunctionBegin;
  PetscCall(MeshChooseGroup(mesh, node, MESH_ANY_DIM, name, &group));
  if (group >= 0) PetscCall(MeshGroupNodes(mesh, group, &support->num_nodes, &support->nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadSupport(const InputNode *map, MeshedPart *meshed)
{
  Support *const support = &meshed->attached.supports[meshed->attached.num_supports];
  SupportInput   input   = {0};
  PetscInt       kind    = -1, count, direction[NUM_DIRECTIONS];

  PetscFunctionBegin;
  PetscCall(InputRead(map, &support_table, &input));
  if (InputIsMap(map)) PetscCall(InputExclusive(map, kinds, PETSC_TRUE, &kind));
  if (kind < 0) PetscFunctionReturn(PETSC_SUCCESS);
  meshed->attached.num_supports++;
  support->node       = map;
  support->group      = input.group;
  support->point      = input.point;
  support->directions = ALL_DIRECTIONS;
  if (InputFind(map, "directions")) {
    PetscCall(DirectionsRead(InputFind(map, "directions"), &input.directions, &count, direction));
    support->directions = 0;
    for (PetscInt i = 0; i < count; i++) support->directions |= 1u << direction[i];
  }
  if (input.group) PetscCall(ReadGroup(InputFind(map, "group"), input.group, meshed->mesh, support));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SupportsRead(const InputNode *node, MeshedPart *meshed)
{
  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsList(node)) PetscCall(InputComplain(node, "must be a list of supports, each beginning with '- group: NAME' or '- point: NAME'"));
  if (!InputIsList(node)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(InputCount(node), &meshed->attached.supports));
  for (PetscInt i = 0; i < InputCount(node); i++) PetscCall(ReadSupport(InputItem(node, i), meshed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

unsigned SupportsHold(const MeshedPart *meshed, PetscInt node)
{
  unsigned held = 0;

  for (PetscInt s = 0; s < meshed->attached.num_supports; s++) {
    PetscInt place;

    (void)PetscFindInt(node, meshed->attached.supports[s].num_nodes, meshed->attached.supports[s].nodes, &place);
    if (place >= 0) held |= meshed->attached.supports[s].directions;
  }
  return held;
}

/* A held motion is that of a rigid joint to the ground: along the axes of the model, so that nothing may have turned the point. */
static PetscErrorCode HoldPoint(MeshedPart *meshed, const Support *support)
{
  const InputNode *const directions = InputFind(support->node, "directions");
  PetscInt               ends[2]    = {GROUND, GROUND}, coordinates[2];
  PetscBool              found;

  PetscFunctionBegin;
  PetscCall(PointsFind(meshed->points, InputFind(support->node, "point"), support->point, &ends[1], &found));
  if (found && ends[1] == GROUND) PetscCall(InputComplain(InputFind(support->node, "point"), "the ground is held already"));
  if (!found || ends[1] == GROUND) PetscFunctionReturn(PETSC_SUCCESS);
  meshed->points->list[ends[1]].kept = PETSC_TRUE;
  PetscCall(FrameAttach(meshed->points, support->node, "supports", NULL, ends[1]));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    if (!(support->directions >> d & 1u) || (!directions && PointCoordinate(meshed->points, ends[1], d) < 0)) continue;
    PetscCall(PointsFindCoordinates(meshed->points, directions, ends, d, coordinates, &found));
    if (found) PointsTie(meshed->points, coordinates[0], coordinates[1]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SupportsHoldPoints(MeshedPart *meshed)
{

  PetscFunctionBegin;
  for (PetscInt s = 0; s < meshed->attached.num_supports; s++)
    if (meshed->attached.supports[s].point) PetscCall(HoldPoint(meshed, &meshed->attached.supports[s]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
