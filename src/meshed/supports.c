/* supports.c - nodes that the ground holds. */
#include "meshed_private.h"

typedef struct {
  const char      *group, *point;
  InputTexts       directions;
  const InputNode *frame;
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
  {.key = "frame", .kind = INPUT_NODE, .offset = offsetof(SupportInput, frame), .fallback = INPUT_OPTIONAL,
   .help = "axes of the directions; default: those of the model. A roller on an inclined plane holds x, normal to the plane"},
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

/* Of displacements, or of rotations, all are held or none: then it does not matter along which axes. */
static PetscBool IsWhole(unsigned directions)
{
  const unsigned all = (1 << SPACE) - 1;

  return (PetscBool)(directions == 0 || directions == all);
}

static PetscErrorCode ReadFrame(const InputNode *node, Support *support)
{
  PetscFunctionBegin;
  PetscCall(FrameRead(node, &support->frame, &support->turned));
  if (IsWhole(support->directions & ((1 << SPACE) - 1)) && IsWhole(support->directions >> SPACE)) {
    PetscCall(InputComplain(node, "has no use: the support holds all directions, whichever axes they are along; give it `directions`"));
    support->turned = PETSC_FALSE;
  }
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
  if (input.frame) PetscCall(ReadFrame(input.frame, support));
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

static PetscBool HoldsNode(const Support *support, PetscInt node)
{
  PetscInt place;

  (void)PetscFindInt(node, support->num_nodes, support->nodes, &place);
  return (PetscBool)(place >= 0);
}

/* The part of a direction that is at right angles to the axes there are becomes the next axis, unless too little is left of it. */
static void AddAxis(const PetscReal direction[SPACE], PetscReal least, PetscInt *count, NodeTurn *turn)
{
  PetscReal rest[SPACE], length = 0.0;

  if (*count == SPACE) return;
  for (PetscInt c = 0; c < SPACE; c++) rest[c] = direction[c];
  for (PetscInt k = 0; k < *count; k++) {
    const PetscReal *const axis  = turn->axis[k];
    const PetscReal        along = rest[0] * axis[0] + rest[1] * axis[1] + rest[2] * axis[2];

    for (PetscInt c = 0; c < SPACE; c++) rest[c] -= along * axis[c];
  }
  for (PetscInt c = 0; c < SPACE; c++) length += PetscSqr(rest[c]);
  length = PetscSqrtReal(length);
  if (length <= least) return;
  for (PetscInt c = 0; c < SPACE; c++) turn->axis[*count][c] = rest[c] / length;
  (*count)++;
}

PetscBool SupportsTurn(const MeshedPart *meshed, PetscInt node, PetscBool rotations, NodeTurn *turn)
{
  const PetscReal parallel = 1e-3; /* as of frames: below it two directions are one, badly written */
  const PetscReal distinct = 0.5;  /* one axis of the model at least has as much beside any two */
  const Frame     model    = {.axis = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  PetscBool       turned   = PETSC_FALSE;
  PetscInt        count    = 0;

  for (PetscInt s = 0; s < meshed->attached.num_supports; s++) {
    const Support *const support    = &meshed->attached.supports[s];
    const unsigned       directions = support->directions >> (rotations ? SPACE : 0);

    for (PetscInt k = 0; k < SPACE && HoldsNode(support, node); k++) {
      if (!(directions >> k & 1u)) continue;
      AddAxis(support->turned ? support->frame.axis[k] : model.axis[k], parallel, &count, turn);
      if (support->turned) turned = PETSC_TRUE;
    }
  }
  turn->held = (1u << count) - 1u;
  for (PetscInt k = 0; k < SPACE; k++) AddAxis(model.axis[k], distinct, &count, turn);
  return turned;
}

PetscBool SupportsAreTurned(const MeshedPart *meshed)
{
  for (PetscInt s = 0; s < meshed->attached.num_supports; s++)
    if (meshed->attached.supports[s].turned && meshed->attached.supports[s].group) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Directions of the model along which no axis moves that is not held. */
static unsigned HeldAlong(const NodeTurn *turn)
{
  unsigned held = (1 << SPACE) - 1;

  for (PetscInt k = 0; k < SPACE; k++)
    for (PetscInt d = 0; d < SPACE && !(turn->held >> k & 1u); d++)
      if (PetscAbsReal(turn->axis[k][d]) > TURN_ROUND_OFF) held &= ~(1u << d);
  return held;
}

unsigned SupportsHold(const MeshedPart *meshed, PetscInt node)
{
  const unsigned displacements = (1 << SPACE) - 1;
  unsigned       held          = 0;
  NodeTurn       turn;

  for (PetscInt s = 0; s < meshed->attached.num_supports; s++)
    if (HoldsNode(&meshed->attached.supports[s], node)) held |= meshed->attached.supports[s].directions;
  if (!held || !SupportsAreTurned(meshed)) return held;
  if (SupportsTurn(meshed, node, PETSC_FALSE, &turn)) held = (held & ~displacements) | HeldAlong(&turn);
  if (SupportsTurn(meshed, node, PETSC_TRUE, &turn)) held = (held & displacements) | HeldAlong(&turn) << SPACE;
  return held;
}

/* A held motion is that of a rigid joint to the ground, along the axes of the support: nothing may have turned the point otherwise. */
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
  PetscCall(FrameAttach(meshed->points, support->node, "supports", support->turned ? &support->frame : NULL, ends[1]));
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
