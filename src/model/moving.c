/* moving.c - moving supports: points whose motion a study prescribes, and which are held where none does. */
#include "parts.h"

typedef struct {
  const char *point;
  InputTexts  directions;
} MovingInput;

// clang-format off
static const InputField fields[] = {
  {.key = "point", .kind = INPUT_TEXT, .offset = offsetof(MovingInput, point), .fallback = INPUT_REQUIRED,
   .help = "point that is moved; beside a mesh one that is in `keep` of its reduction craig_bampton"},
  {.key = "directions", .kind = INPUT_TEXTS, .offset = offsetof(MovingInput, directions), .fallback = INPUT_OPTIONAL,
   .help = "its directions that are moved, among x y z rx ry rz; default: all that it has"},
  {0},
};
// clang-format on

const InputTable moving_table = {
  .name = "moving_supports[]", .summary = "a point whose motion a study prescribes; modes are those of the structure with it held", .fields = fields};

static PetscErrorCode Add(const InputNode *node, PetscInt point, PetscInt direction, Model *model)
{
  const PetscInt coordinate = PointCoordinate(&model->points, point, direction);
  const char    *name       = model->points.list[point].name;

  PetscFunctionBegin;
  if (coordinate < 0) PetscCall(InputComplain(node, "point '%s' does not move in direction %s", name, direction_names[direction]));
  else if (model->points.list[point].fixed[coordinate - model->points.list[point].first])
    PetscCall(InputComplain(node, "point '%s' is fixed in direction %s: a moving support must be free to move", name, direction_names[direction]));
  else model->moving[model->num_moving++] = coordinate;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddDirections(const InputNode *map, const InputTexts *texts, PetscInt index, Model *model)
{
  const InputNode *const node  = InputFind(map, "directions");
  const Point *const     point = &model->points.list[index];
  PetscInt               count = 0, direction[NUM_DIRECTIONS];

  PetscFunctionBegin;
  if (node) PetscCall(DirectionsRead(node, texts, &count, direction));
  for (PetscInt c = 0; !node && c < point->num_components; c++)
    if (!point->fixed[c]) direction[count++] = point->direction[c];
  for (PetscInt i = 0; i < count; i++) PetscCall(Add(node ? node : map, index, direction[i], model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is no unknown cannot leave the equation. */
static PetscErrorCode CheckPoint(const InputNode *node, const Model *model, PetscInt index, PetscBool *fine)
{
  const Point *const point  = &model->points.list[index];
  const PetscBool    meshed = (PetscBool)(index >= model->num_lumped);

  PetscFunctionBegin;
  *fine = PETSC_FALSE;
  if (point->frame)
    PetscCall(
      InputComplain(node, "point '%s' is in the frame of joint %s: a moving support moves along the axes of the model", point->name, point->user));
  else if (model->meshed && !MeshedPartKeepsMotions(model->meshed))
    PetscCall(InputComplain(node, "beside a mesh needs `reduction: {craig_bampton: {keep: [%s]}}`: the motion of its support must be an unknown",
                            meshed ? point->name : "..."));
  else if (meshed && !point->kept)
    PetscCall(InputComplain(node, "point '%s' only follows those that are kept: name it in `keep` of the reduction", point->name));
  else if (point->num_components && MatricesFindCombination(model, point->first) >= 0)
    PetscCall(InputComplain(node, "point '%s' is a combination of unknowns: a moving support must be unknowns itself", point->name));
  else *fine = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadSupport(const InputNode *map, Model *model)
{
  MovingInput input = {0};
  PetscInt    point = GROUND;
  PetscBool   found = PETSC_FALSE, fine = PETSC_FALSE;

  PetscFunctionBegin;
  PetscCall(InputRead(map, &moving_table, &input));
  if (!input.point) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PointsFind(&model->points, InputFind(map, "point"), input.point, &point, &found));
  if (!found) PetscFunctionReturn(PETSC_SUCCESS);
  if (point == GROUND) PetscCall(InputComplain(InputFind(map, "point"), "the ground does not move; loads on the `base` shake all of it"));
  else PetscCall(CheckPoint(InputFind(map, "point"), model, point, &fine));
  if (fine) PetscCall(AddDirections(map, &input.directions, point, model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MovingSupportsRead(const InputNode *node, Model *model)
{
  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsList(node) || InputCount(node) == 0) {
    PetscCall(InputComplain(node, "must be a list, each item beginning with '- point: NAME'"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscMalloc1(NUM_DIRECTIONS * InputCount(node), &model->moving));
  for (PetscInt i = 0; i < InputCount(node); i++) PetscCall(ReadSupport(InputItem(node, i), model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Points that are tied together are one support. */
void MovingSupportsMark(const Model *model, const Numbering *numbering, PetscBool moving[])
{
  for (PetscInt i = 0; i < model->num_moving; i++)
    if (numbering->unknown[model->moving[i]] != GROUND) moving[numbering->unknown[model->moving[i]]] = PETSC_TRUE;
}

PetscErrorCode MovingSupportsHold(Model *model, const Numbering *numbering, System *system)
{
  PetscFunctionBegin;
  if (numbering->num_moving == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SystemHold(system, numbering->num_moving));
  if (model->meshed_model) MeshedModelHold(model->meshed_model, system->num_unknowns);
  LogDetail("%" PetscInt_FMT " moving support%s", numbering->num_moving, numbering->num_moving == 1 ? "" : "s");
  PetscFunctionReturn(PETSC_SUCCESS);
}
