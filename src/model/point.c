/* point.c - the named points of a model: their coordinates, and finding them by name. */
#include "parts.h"
#include <stdlib.h>
#include <string.h>

PetscErrorCode PointsReserve(Model *model, PetscInt count)
{
  PetscFunctionBegin;
  PetscCall(PetscRealloc((size_t)(model->num_points + count) * sizeof(ModelPoint), &model->points));
  PetscCall(PetscArrayzero(model->points + model->num_points, count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int CompareNames(const void *a, const void *b)
{
  const PointName *const first = (const PointName *)a, *const second = (const PointName *)b;
  const int order = strcmp(first->name, second->name);

  return order ? order : (first->point > second->point) - (first->point < second->point);
}

static PetscErrorCode SortNames(Model *model)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(model->num_points, &model->sorted));
  PetscCall(PetscCalloc1(model->num_points + 2, &model->names));
  for (PetscInt p = 0; p < model->num_points; p++) {
    model->names[p]  = model->points[p].name;
    model->sorted[p] = (PointName){model->points[p].name, p};
  }
  model->names[model->num_points] = "ground";
  if (model->num_points) qsort(model->sorted, (size_t)model->num_points, sizeof(PointName), CompareNames);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RefuseRepeated(const Model *model)
{
  PetscFunctionBegin;
  for (PetscInt i = 1; i < model->num_points; i++) {
    const ModelPoint *const first = &model->points[model->sorted[i - 1].point], *const second = &model->points[model->sorted[i].point];

    if (strcmp(first->name, second->name) != 0) continue;
    PetscCall(InputComplain(second->node, "point '%s' is given twice; first at line %" PetscInt_FMT, second->name, InputPlace(first->node).line));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CoordinatesAdd(Model *model, PetscInt count, PetscInt *first)
{
  PetscFunctionBegin;
  *first = model->num_coordinates;
  model->num_coordinates += count;
  PetscCall(PetscRealloc((size_t)model->num_coordinates * sizeof(*model->leader), &model->leader));
  for (PetscInt c = *first; c < model->num_coordinates; c++) model->leader[c] = c;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PointsIndex(Model *model)
{
  PetscInt next = RESTING + 1, first;

  PetscFunctionBegin;
  PetscCall(SortNames(model));
  PetscCall(RefuseRepeated(model));
  for (PetscInt p = 0; p < model->num_points; p++) {
    model->points[p].first = next;
    next += model->points[p].num_components;
  }
  PetscCall(CoordinatesAdd(model, next, &first));
  for (PetscInt p = 0; p < model->num_points; p++)
    for (PetscInt c = 0; c < model->points[p].num_components; c++)
      if (model->points[p].fixed[c]) NumberingTie(model, RESTING, model->points[p].first + c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PointsFind(const Model *model, const InputNode *node, const char *name, PetscInt *point, PetscBool *found)
{
  PetscInt low = 0, high = model->num_points;

  PetscFunctionBegin;
  *found = (PetscBool)(strcmp(name, "ground") == 0);
  *point = GROUND;
  while (low < high && !*found) {
    const PetscInt middle = low + (high - low) / 2;
    const int      order  = strcmp(name, model->sorted[middle].name);

    if (order == 0) {
      *point = model->sorted[middle].point;
      *found = PETSC_TRUE;
    }
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  if (!*found) PetscCall(InputChoose(node, name, "point", model->names, point));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PointsReadEnds(Model *model, const InputNode *map, const InputTexts *between, PetscInt ends[2], PetscBool *found)
{
  const InputNode *const node = InputFind(map, "between");

  PetscFunctionBegin;
  *found = PETSC_FALSE;
  if (!node || InputIsMap(node)) PetscFunctionReturn(PETSC_SUCCESS); /* the table has complained */
  if (!InputIsList(node) || InputCount(node) != 2) {
    PetscCall(InputComplain(node, "must name two points, [A, B], got %" PetscInt_FMT, InputIsList(node) ? InputCount(node) : 1));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (between->count != 2) PetscFunctionReturn(PETSC_SUCCESS); /* likewise */
  *found = PETSC_TRUE;
  for (PetscInt i = 0; i < 2; i++) {
    PetscBool one;

    PetscCall(PointsFind(model, InputItem(node, i), between->values[i], &ends[i], &one));
    if (one && ends[i] != GROUND && model->points[ends[i]].num_components == 0) one = PETSC_FALSE; /* its directions are at fault */
    if (one && ends[i] != GROUND) model->points[ends[i]].kept = PETSC_TRUE;                        /* what is connected is a coordinate */
    *found = (PetscBool)(*found && one);
  }
  if (*found && ends[0] == ends[1]) {
    PetscCall(InputComplain(node, "connects '%s' with itself", ends[0] == GROUND ? "ground" : model->points[ends[0]].name));
    *found = PETSC_FALSE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt PointCoordinate(const Model *model, PetscInt point, PetscInt direction)
{
  if (point == GROUND) return RESTING;
  for (PetscInt c = 0; c < model->points[point].num_components; c++)
    if (model->points[point].direction[c] == direction) return model->points[point].first + c;
  return -1;
}

static PetscErrorCode ComplainDirection(const InputNode *node, const ModelPoint *point, PetscInt direction)
{
  char list[32] = "";

  PetscFunctionBegin;
  for (PetscInt c = 0; c < point->num_components; c++) {
    if (c) PetscCall(PetscStrlcat(list, ", ", sizeof(list)));
    PetscCall(PetscStrlcat(list, direction_names[point->direction[c]], sizeof(list)));
  }
  PetscCall(InputComplain(node, "point '%s' has no direction %s; it has: %s", point->name, direction_names[direction], list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PointsFindCoordinates(const Model *model, const InputNode *node, const PetscInt ends[2], PetscInt direction, PetscInt coordinates[2],
                                     PetscBool *found)
{
  PetscFunctionBegin;
  *found = PETSC_TRUE;
  for (PetscInt i = 0; i < 2 && *found; i++) {
    coordinates[i] = PointCoordinate(model, ends[i], direction);
    if (coordinates[i] >= 0) continue;
    *found = PETSC_FALSE;
    PetscCall(ComplainDirection(node, &model->points[ends[i]], direction));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The inertia of a point in one of its directions: on the diagonal, or spread over the axes of a frame. */
static PetscErrorCode AddInertia(PetscReal mass, PetscInt direction, const Combination *motion, System *system)
{
  PetscFunctionBegin;
  for (PetscInt a = 0; a < motion->count; a++) {
    for (PetscInt b = 0; b < motion->count; b++)
      PetscCall(SystemAddMass(system, motion->unknown[a], motion->unknown[b], mass * motion->factor[a] * motion->factor[b]));
    PetscCall(SystemAddBase(system, direction, motion->unknown[a], mass * motion->factor[a]));
    PetscCall(SystemAddBaseMass(system, direction, mass * PetscSqr(motion->factor[a])));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode BuildComponent(const Model *model, PetscInt p, PetscInt component, const Numbering *numbering, System *system)
{
  const ModelPoint *const point   = &model->points[p];
  const PetscInt          ends[2] = {GROUND, p};
  Combination             motion;

  PetscFunctionBegin;
  PetscCall(CombinationCreateAlong(model, numbering, ends, point->direction[component], &motion));
  for (PetscInt i = 0; i < motion.count && point->frame; i++) PetscCall(SystemAddFollower(system, p, component, motion.unknown[i], motion.factor[i]));
  if (point->mass[component] != 0.0) PetscCall(AddInertia(point->mass[component], point->direction[component], &motion, system));
  PetscCall(CombinationDestroy(&motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PointsBuild(const Model *model, const Numbering *numbering, System *system)
{
  PetscFunctionBegin;
  for (PetscInt p = 0; p < model->num_points; p++) {
    const ModelPoint *const point   = &model->points[p];
    const PetscInt *const   unknown = &numbering->unknown[point->first];

    if (point->frame) PetscCall(SystemAddTurnedPoint(system, point->name, point->num_components, point->direction, unknown));
    else PetscCall(SystemAddPoint(system, point->name, point->num_components, point->direction, unknown));
    for (PetscInt c = 0; c < point->num_components; c++)
      if (point->frame || point->mass[c] != 0.0) PetscCall(BuildComponent(model, p, c, numbering, system));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
