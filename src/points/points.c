/* points.c - the named points of a structure: their coordinates, and finding them by name. */
#include "points.h"
#include <stdlib.h>
#include <string.h>

PetscErrorCode PointsReserve(Points *points, PetscInt count)
{
  PetscFunctionBegin;
  PetscCall(PetscRealloc((size_t)(points->count + count) * sizeof(Point), &points->list));
  PetscCall(PetscArrayzero(points->list + points->count, count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PointsDestroy(Points *points)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(points->leader));
  PetscCall(PetscFree(points->sorted));
  PetscCall(PetscFree(points->names));
  PetscCall(PetscFree(points->list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PointsCopy(const Points *from, Points *to)
{
  PetscFunctionBegin;
  *to = *from;
  PetscCall(PetscMalloc1(from->count, &to->list));
  PetscCall(PetscMalloc1(from->count, &to->sorted));
  PetscCall(PetscMalloc1(from->count + 2, &to->names));
  PetscCall(PetscMalloc1(from->num_coordinates, &to->leader));
  PetscCall(PetscArraycpy(to->list, from->list, from->count));
  PetscCall(PetscArraycpy(to->sorted, from->sorted, from->count));
  PetscCall(PetscArraycpy(to->names, from->names, from->count + 2));
  PetscCall(PetscArraycpy(to->leader, from->leader, from->num_coordinates));
  for (PetscInt p = 0; p < to->count; p++) {
    to->list[p].frame = NULL;
    to->list[p].user  = NULL;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int CompareNames(const void *a, const void *b)
{
  const PointName *const first = (const PointName *)a, *const second = (const PointName *)b;
  const int order = strcmp(first->name, second->name);

  return order ? order : (first->point > second->point) - (first->point < second->point);
}

static PetscErrorCode SortNames(Points *points)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(points->count, &points->sorted));
  PetscCall(PetscCalloc1(points->count + 2, &points->names));
  for (PetscInt p = 0; p < points->count; p++) {
    points->names[p]  = points->list[p].name;
    points->sorted[p] = (PointName){points->list[p].name, p};
  }
  points->names[points->count] = "ground";
  if (points->count) qsort(points->sorted, (size_t)points->count, sizeof(PointName), CompareNames);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RefuseRepeated(const Points *points)
{
  PetscFunctionBegin;
  for (PetscInt i = 1; i < points->count; i++) {
    const Point *const first = &points->list[points->sorted[i - 1].point], *const second = &points->list[points->sorted[i].point];

    if (strcmp(first->name, second->name) != 0) continue;
    PetscCall(InputComplain(second->node, "point '%s' is given twice; first at line %" PetscInt_FMT, second->name, InputPlace(first->node).line));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PointsAddCoordinates(Points *points, PetscInt count, PetscInt *first)
{
  PetscFunctionBegin;
  *first = points->num_coordinates;
  points->num_coordinates += count;
  PetscCall(PetscRealloc((size_t)points->num_coordinates * sizeof(*points->leader), &points->leader));
  for (PetscInt c = *first; c < points->num_coordinates; c++) points->leader[c] = c;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PointsIndex(Points *points)
{
  PetscInt next = RESTING + 1, first;

  PetscFunctionBegin;
  PetscCall(SortNames(points));
  PetscCall(RefuseRepeated(points));
  for (PetscInt p = 0; p < points->count; p++) {
    points->list[p].first = next;
    next += points->list[p].num_components;
  }
  PetscCall(PointsAddCoordinates(points, next, &first));
  for (PetscInt p = 0; p < points->count; p++)
    for (PetscInt c = 0; c < points->list[p].num_components; c++)
      if (points->list[p].fixed[c]) PointsTie(points, RESTING, points->list[p].first + c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PointsFind(const Points *points, const InputNode *node, const char *name, PetscInt *point, PetscBool *found)
{
  PetscInt low = 0, high = points->count;

  PetscFunctionBegin;
  *found = (PetscBool)(strcmp(name, "ground") == 0);
  *point = GROUND;
  while (low < high && !*found) {
    const PetscInt middle = low + (high - low) / 2;
    const int      order  = strcmp(name, points->sorted[middle].name);

    if (order == 0) {
      *point = points->sorted[middle].point;
      *found = PETSC_TRUE;
    }
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  if (!*found && !points->incomplete) PetscCall(InputChoose(node, name, "point", points->names, point));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PointsReadEnds(Points *points, const InputNode *map, const InputTexts *between, PetscInt ends[2], PetscBool *found)
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

    PetscCall(PointsFind(points, InputItem(node, i), between->values[i], &ends[i], &one));
    if (one && ends[i] != GROUND && points->list[ends[i]].num_components == 0) one = PETSC_FALSE; /* its directions are at fault */
    if (one && ends[i] != GROUND) points->list[ends[i]].kept = PETSC_TRUE;                        /* what is connected is a coordinate */
    *found = (PetscBool)(*found && one);
  }
  if (*found && ends[0] == ends[1]) {
    PetscCall(InputComplain(node, "connects '%s' with itself", ends[0] == GROUND ? "ground" : points->list[ends[0]].name));
    *found = PETSC_FALSE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt PointCoordinate(const Points *points, PetscInt point, PetscInt direction)
{
  if (point == GROUND) return RESTING;
  for (PetscInt c = 0; c < points->list[point].num_components; c++)
    if (points->list[point].direction[c] == direction) return points->list[point].first + c;
  return -1;
}

/* By bisection: the points' first coordinates increase. */
PetscInt PointOfCoordinate(const Points *points, PetscInt coordinate)
{
  PetscInt low = 0, high = points->count;

  if (points->count == 0 || coordinate >= points->list[points->count - 1].first + points->list[points->count - 1].num_components) return -1;
  while (high - low > 1) {
    const PetscInt middle = low + (high - low) / 2;

    if (points->list[middle].first <= coordinate) low = middle;
    else high = middle;
  }
  return low;
}

static PetscErrorCode ComplainDirection(const InputNode *node, const Point *point, PetscInt direction)
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

PetscErrorCode PointsFindCoordinates(const Points *points, const InputNode *node, const PetscInt ends[2], PetscInt direction, PetscInt coordinates[2],
                                     PetscBool *found)
{
  PetscFunctionBegin;
  *found = PETSC_TRUE;
  for (PetscInt i = 0; i < 2 && *found; i++) {
    coordinates[i] = PointCoordinate(points, ends[i], direction);
    if (coordinates[i] >= 0) continue;
    *found = PETSC_FALSE;
    PetscCall(ComplainDirection(node, &points->list[ends[i]], direction));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
