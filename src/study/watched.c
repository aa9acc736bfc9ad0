/* watched.c - motions that a study of periodic motions watches. */
#include "study/watched.h"

// clang-format off
const OutputField watched_fields[] = {
  [WATCHED_NAMES] = {"motions", RESULT_TEXT, {"motions"}, NULL, "names of the motions: `m2 y`, `joint pad y`"},
  [WATCHED_UNITS] = {"units", RESULT_TEXT, {"motions"}, NULL, "unit of each motion, m or rad"},
  {0}
};
// clang-format on

static PetscErrorCode AddPoint(const NamedPoint *point, Watched *watched)
{
  PetscFunctionBegin;
  for (PetscInt c = 0; c < point->num_components; c++) {
    WatchedMotion *motion = &watched->motions[watched->count++];

    *motion = (WatchedMotion){.row = point->first_motion + c, .turns = (PetscBool)(point->direction[c] >= 3)};
    PetscCall(PetscSNPrintf(motion->name, sizeof(motion->name), "%s %s", point->name, direction_names[point->direction[c]]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WatchedCreate(const Names *names, const Watch *watch, Watched *watched)
{
  PetscInt count = watch->num_rows;

  PetscFunctionBegin;
  *watched = (Watched){0};
  for (PetscInt p = 0; p < watch->num_points; p++) count += names->points[watch->points[p]].num_components;
  PetscCall(PetscMalloc1(count, &watched->motions));
  for (PetscInt p = 0; p < watch->num_points; p++) PetscCall(AddPoint(&names->points[watch->points[p]], watched));
  for (PetscInt r = 0; r < watch->num_rows; r++) {
    const NamedRow *row    = &names->rows[watch->rows[r]];
    WatchedMotion  *motion = &watched->motions[watched->count++];

    *motion = (WatchedMotion){.row = watch->rows[r], .size = watch->sizes[r], .turns = (PetscBool)(row->direction >= 3), .of_joint = PETSC_TRUE};
    PetscCall(PetscSNPrintf(motion->name, sizeof(motion->name), "joint %s %s", row->joint, NamesRowDirection(names, watch->rows[r])));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WatchedFindPlaces(const HarmonicStructure *structure, Watched *watched)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(watched->count, &watched->places));
  for (PetscInt i = 0; i < watched->count; i++) {
    const WatchedMotion *motion = &watched->motions[i];

    if (motion->of_joint) PetscCall(HarmonicPlaceCreateLayer(structure, motion->row, motion->size, &watched->places[i]));
    else PetscCall(HarmonicPlaceCreate(structure, SystemPlaceOfMotion(structure->system, motion->row), &watched->places[i]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WatchedDestroy(Watched *watched)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; watched->places && i < watched->count; i++) PetscCall(HarmonicPlaceDestroy(&watched->places[i]));
  PetscCall(PetscFree(watched->places));
  PetscCall(PetscFree(watched->motions));
  watched->count = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WatchedGive(const Watched *watched, Finding *finding)
{
  const char **name, **unit;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(watched->count, &name, watched->count, &unit));
  for (PetscInt i = 0; i < watched->count; i++) {
    name[i] = watched->motions[i].name;
    unit[i] = watched->motions[i].turns ? "rad" : "m";
  }
  PetscCall(FindingSetSize(finding, "motions", watched->count));
  PetscCall(FindingGiveTexts(finding, WATCHED_NAMES, watched->count, name));
  PetscCall(FindingGiveTexts(finding, WATCHED_UNITS, watched->count, unit));
  PetscCall(PetscFree2(name, unit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WatchedSetUnits(const Watched *watched, PetscInt num_fields, const PetscInt fields[], Finding *finding)
{
  PetscInt num_turns = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < watched->count; i++) num_turns += watched->motions[i].turns;
  for (PetscInt f = 0; f < num_fields && num_turns; f++) PetscCall(FindingSetUnit(finding, fields[f], num_turns < watched->count ? "m, rad" : "rad"));
  PetscFunctionReturn(PETSC_SUCCESS);
}
