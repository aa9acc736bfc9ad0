/* point.c - the points of a model put into the System, with the inertia that they carry. */
#include "parts.h"

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
  const Point *const point   = &model->points.list[p];
  const PetscInt     ends[2] = {GROUND, p};
  Combination        motion;

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
  for (PetscInt p = 0; p < model->points.count; p++) {
    const Point *const    point   = &model->points.list[p];
    const PetscInt *const unknown = &numbering->unknown[point->first];

    if (point->frame) PetscCall(SystemAddTurnedPoint(system, point->name, point->num_components, point->direction, unknown));
    else PetscCall(SystemAddPoint(system, point->name, point->num_components, point->direction, unknown));
    for (PetscInt c = 0; c < point->num_components; c++)
      if (point->frame || point->mass[c] != 0.0) PetscCall(BuildComponent(model, p, c, numbering, system));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
