/* massless.c - unknowns without mass: found before there is a matrix, and condensed out of the System. */
#include "parts.h"

/* Of lumped masses and given matrices, which are all that can be without mass, and not of a mesh, whose mass shows only when it is reduced. */
static void MarkOwn(const Model *model, const Numbering *numbering, PetscBool own[])
{
  for (PetscInt p = 0; p < model->num_lumped; p++) {
    const Point *const point = &model->points.list[p];

    for (PetscInt c = 0; c < point->num_components; c++)
      if (numbering->unknown[point->first + c] >= 0) own[numbering->unknown[point->first + c]] = PETSC_TRUE;
  }
  for (PetscInt i = 0; i < model->matrices.size; i++)
    if (numbering->unknown[model->matrices.coordinates[i]] >= 0) own[numbering->unknown[model->matrices.coordinates[i]]] = PETSC_TRUE;
  for (PetscInt p = model->num_lumped; p < model->points.count; p++) {
    const Point *const point = &model->points.list[p];

    for (PetscInt c = 0; c < point->num_components; c++)
      if (numbering->unknown[point->first + c] >= 0) own[numbering->unknown[point->first + c]] = PETSC_FALSE;
  }
}

/* Moving supports want no mass, and are behind all that moves. */
static PetscErrorCode PutMovingLast(const Model *model, Numbering *numbering)
{
  PetscBool *moving;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(numbering->num_unknowns, &moving));
  MovingSupportsMark(model, numbering, moving);
  PetscCall(NumberingPutLast(&model->points, moving, numbering, &numbering->num_moving));
  PetscCall(PetscFree(moving));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MasslessNumber(const Model *model, Numbering *numbering)
{
  const PetscInt n = numbering->num_unknowns;
  System        *system;
  PetscReal     *mass;
  PetscBool     *massless;

  PetscFunctionBegin;
  PetscCall(PutMovingLast(model, numbering));
  PetscCall(PetscMalloc1(n, &mass));
  PetscCall(PetscCalloc1(n, &massless));
  PetscCall(SystemCreate(n, &system));
  PetscCall(PointsBuild(model, numbering, system));
  PetscCall(MatricesAddMass(model, numbering, system));
  SystemTakeMasses(system, mass);
  MarkOwn(model, numbering, massless);
  for (PetscInt i = 0; i < n; i++) massless[i] = (PetscBool)(massless[i] && mass[i] == 0.0 && i < n - numbering->num_moving);
  PetscCall(NumberingPutLast(&model->points, massless, numbering, &numbering->num_massless));
  PetscCall(SystemDestroy(&system));
  PetscCall(PetscFree(massless));
  PetscCall(PetscFree(mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool MasslessIsCondensed(const Model *model)
{
  return (PetscBool)(!model->meshed || MeshedPartKeepsMotions(model->meshed));
}

static PetscErrorCode Complain(const Model *model, const Numbering *numbering, const Condensed *outcome)
{
  static const char *const reasons[] = {
    [CONDENSED_LOOSE]    = "has no mass, and no stiffness holds it, or a negative one: give it a mass, or connect it by springs or joints",
    [CONDENSED_SLIPPING] = "has no mass, and no stiffness holds it while the joints slip: give it a mass, or a spring beside a joint",
    [CONDENSED_DAMPED] =
      "has no mass, but a damper acts on it: only springs and joints without linear dampers can hold what has no mass; give it one",
    [CONDENSED_COUPLED]  = "has no mass, but the mass matrix couples it to others: such a matrix is not positive definite",
    [CONDENSED_TOO_MANY] = "has no mass, and too many unknowns without mass hang together with it, or there are too many points, for a static "
                           "condensation: give them masses",
  };
  const InputNode *node;
  char             place[128];

  PetscFunctionBegin;
  PetscCall(ModelLocateUnknown(model, numbering, outcome->unknown, &node, place, sizeof(place)));
  PetscCall(InputComplain(node ? node : model->root, "%s %s", node ? place : "an unknown", reasons[outcome->fault]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MasslessCondense(const Model *model, const Numbering *numbering, System *system)
{
  Condensed outcome;

  PetscFunctionBegin;
  if (numbering->num_massless == 0 || system->continuum) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SystemCondense(system, numbering->num_massless, &outcome));
  if (outcome.fault != CONDENSED_FINE) PetscCall(Complain(model, numbering, &outcome));
  else LogSay("%" PetscInt_FMT " unknown%s without mass, condensed statically", numbering->num_massless, numbering->num_massless == 1 ? "" : "s");
  PetscFunctionReturn(PETSC_SUCCESS);
}
