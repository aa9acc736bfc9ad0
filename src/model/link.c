/* link.c - springs and dampers between two points, or a point and the ground. */
#include "parts.h"

typedef struct {
  InputTexts between;
  PetscInt   direction; /* -1 when not given */
  PetscReal  stiffness, damping;
} LinkInput;

#define BETWEEN \
  { \
    .key = "between", .kind = INPUT_TEXTS, .offset = offsetof(LinkInput, between), .fallback = INPUT_REQUIRED, \
    .help = "the two points it connects, [A, B]; either may be `ground`" \
  }
#define DIRECTION \
  { \
    .key = "direction", .kind = INPUT_WORD, .offset = offsetof(LinkInput, direction), .fallback = INPUT_OPTIONAL, .words = direction_names, \
    .help = "direction in which it acts; may be omitted when both points have only one in common" \
  }

// clang-format off
static const InputField spring_fields[] = {
  BETWEEN,
  DIRECTION,
  {.key = "stiffness", .kind = INPUT_REAL, .offset = offsetof(LinkInput, stiffness), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .unit = "N/m",
   .help = "force per relative displacement (N m/rad for rotations)"},
  {0},
};

static const InputField damper_fields[] = {
  BETWEEN,
  DIRECTION,
  {.key = "damping", .kind = INPUT_REAL, .offset = offsetof(LinkInput, damping), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .unit = "N s/m",
   .help = "force per relative velocity (N m s/rad for rotations)"},
  {0},
};
// clang-format on

const InputTable spring_table = {.name = "springs[]", .summary = "a linear spring", .fields = spring_fields};
const InputTable damper_table = {.name = "dampers[]", .summary = "a viscous damper", .fields = damper_fields};

/* The only direction that both ends have; -1 after a complaint. */
static PetscErrorCode SharedDirection(const Model *model, const InputNode *map, const PetscInt ends[2], PetscInt *direction)
{
  PetscInt num_shared = 0;
  char     list[32]   = "";

  PetscFunctionBegin;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    if (PointCoordinate(&model->points, ends[0], d) < 0 || PointCoordinate(&model->points, ends[1], d) < 0) continue;
    if (num_shared++) PetscCall(PetscStrlcat(list, ", ", sizeof(list)));
    PetscCall(PetscStrlcat(list, direction_names[d], sizeof(list)));
    *direction = d;
  }
  if (num_shared == 1) PetscFunctionReturn(PETSC_SUCCESS);
  *direction = -1;
  if (num_shared) PetscCall(InputComplain(map, "needs a direction, because both points have several: %s", list));
  else PetscCall(InputComplain(map, "its two points have no direction in common"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindDirection(const Model *model, const InputNode *map, const PetscInt ends[2], PetscInt direction, Link *link)
{
  const InputNode *const node = InputFind(map, "direction");
  PetscInt               coordinates[2];
  PetscBool              found;

  PetscFunctionBegin;
  if (!node) PetscCall(SharedDirection(model, map, ends, &direction));
  if (direction < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PointsFindCoordinates(&model->points, node ? node : map, ends, direction, coordinates, &found));
  if (found) *link = (Link){{ends[0], ends[1]}, direction, link->stiffness, link->damping};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const InputTable *table, Model *model)
{
  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsList(node)) PetscCall(InputComplain(node, "must be a list, each item beginning with '- between: [A, B]'"));
  if (!InputIsList(node)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscRealloc((size_t)(model->num_links + InputCount(node)) * sizeof(Link), &model->links));
  for (PetscInt i = 0; i < InputCount(node); i++) {
    const InputNode *const map   = InputItem(node, i);
    Link *const            link  = &model->links[model->num_links++];
    LinkInput              input = {.direction = -1};
    PetscInt               ends[2];
    PetscBool              found = PETSC_FALSE;

    PetscCall(InputRead(map, table, &input));
    *link = (Link){{GROUND, GROUND}, 0, input.stiffness, input.damping};
    if (InputIsMap(map)) PetscCall(PointsReadEnds(&model->points, map, &input.between, ends, &found));
    if (found) PetscCall(FindDirection(model, map, ends, input.direction, link));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SpringsRead(const InputNode *node, Model *model)
{
  PetscFunctionBegin;
  PetscCall(Read(node, &spring_table, model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DampersRead(const InputNode *node, Model *model)
{
  PetscFunctionBegin;
  PetscCall(Read(node, &damper_table, model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddLink(const Link *link, const Combination *motion, System *system)
{
  PetscFunctionBegin;
  for (PetscInt a = 0; a < motion->count; a++)
    for (PetscInt b = 0; b < motion->count; b++) {
      const PetscReal product = motion->factor[a] * motion->factor[b];

      if (link->stiffness != 0.0) PetscCall(SystemAddStiffness(system, motion->unknown[a], motion->unknown[b], product * link->stiffness));
      if (link->damping != 0.0) PetscCall(SystemAddDamping(system, motion->unknown[a], motion->unknown[b], product * link->damping));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LinksBuild(const Model *model, const Numbering *numbering, System *system)
{
  PetscFunctionBegin;
  for (PetscInt l = 0; l < model->num_links; l++) {
    const Link *const link = &model->links[l];
    Combination       motion;

    PetscCall(CombinationCreateAlong(model, numbering, link->ends, link->direction, &motion));
    PetscCall(AddLink(link, &motion, system));
    PetscCall(CombinationDestroy(&motion));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
