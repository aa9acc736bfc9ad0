/* mass.c - lumped masses: points that carry their inertia with them. */
#include "parts.h"
#include <string.h>

typedef struct {
  PetscReal  mass;
  InputReals inertia;
  InputTexts directions, fixed;
} MassInput;

// clang-format off
static const InputField fields[] = {
  {.key = "mass", .kind = INPUT_REAL, .offset = offsetof(MassInput, mass), .fallback = INPUT_OPTIONAL, .most = PETSC_INFINITY, .unit = "kg",
   .help = "mass; needed when the point moves in x, y or z"},
  {.key = "inertia", .kind = INPUT_REALS, .offset = offsetof(MassInput, inertia), .fallback = INPUT_OPTIONAL, .most = PETSC_INFINITY,
   .unit = "kg m^2", .help = "moments of inertia [Ix, Iy, Iz], or one number for all; needed when the point turns about x, y or z"},
  {.key = "directions", .kind = INPUT_TEXTS, .offset = offsetof(MassInput, directions), .fallback = INPUT_OPTIONAL,
   .help = "directions in which the point moves, among x y z rx ry rz; default: x"},
  {.key = "fixed", .kind = INPUT_TEXTS, .offset = offsetof(MassInput, fixed), .fallback = INPUT_OPTIONAL,
   .help = "directions in which the point is fixed to the ground"},
  {0},
};
// clang-format on

const InputTable mass_table = {.name = "masses.NAME", .summary = "a lumped mass; `ground` is there already", .fields = fields};

/* Refuses a mass without translation and an inertia without rotation, and the other way round. `direction` is one that needs it, or -1. */
static PetscErrorCode CheckNeeded(const InputNode *map, const char *key, PetscInt direction, const char *group)
{
  const InputNode *const value = InputFind(map, key);

  PetscFunctionBegin;
  if (direction >= 0 && !value) PetscCall(InputComplain(map, "needs '%s', because it moves in %s", key, direction_names[direction]));
  if (direction < 0 && value) PetscCall(InputComplain(value, "has no use: none of %s is among the directions", group));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadInertia(const InputNode *map, const MassInput *input, Point *point)
{
  const InputReals *const inertia     = &input->inertia;
  PetscInt                translation = -1, rotation = -1;

  PetscFunctionBegin;
  for (PetscInt c = 0; c < point->num_components; c++) {
    if (point->direction[c] < 3) translation = point->direction[c];
    else rotation = point->direction[c];
  }
  PetscCall(CheckNeeded(map, "mass", translation, "x, y, z"));
  PetscCall(CheckNeeded(map, "inertia", rotation, "rx, ry, rz"));
  if (InputFind(map, "inertia") && inertia->count != 1 && inertia->count != 3) {
    PetscCall(InputComplain(InputFind(map, "inertia"), "must be one number or three, [Ix, Iy, Iz], got %" PetscInt_FMT, inertia->count));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt c = 0; c < point->num_components; c++) {
    const PetscInt d = point->direction[c];

    if (d < 3) point->mass[c] = input->mass;
    else if (inertia->count) point->mass[c] = inertia->values[inertia->count == 1 ? 0 : d - 3];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadFixed(const InputNode *map, const InputTexts *texts, Point *point)
{
  const InputNode *const node  = InputFind(map, "fixed");
  PetscInt               count = 0, fixed[NUM_DIRECTIONS];

  PetscFunctionBegin;
  if (node) PetscCall(DirectionsRead(node, texts, &count, fixed));
  for (PetscInt i = 0; i < count; i++) {
    PetscBool found = PETSC_FALSE;

    for (PetscInt c = 0; c < point->num_components; c++) {
      if (point->direction[c] != fixed[i]) continue;
      point->fixed[c] = found = PETSC_TRUE;
    }
    if (!found) PetscCall(InputComplain(node, "%s is not among the directions of '%s'", direction_names[fixed[i]], point->name));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadMass(const InputNode *map, Point *point)
{
  const InputDocument *const document   = InputDocumentOf(map);
  const InputNode *const     directions = InputFind(map, "directions");
  PetscInt                   num_complaints;
  MassInput                  input;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(&input, sizeof(input)));
  PetscCall(InputCheckName(map, point->name));
  if (strcmp(point->name, "ground") == 0) PetscCall(InputComplain(map, "a mass cannot be named 'ground': that is the point that never moves"));
  point->num_components = 1; /* x */
  num_complaints        = InputNumComplaints(document);
  PetscCall(InputRead(map, &mass_table, &input));
  if (directions) PetscCall(DirectionsRead(directions, &input.directions, &point->num_components, point->direction));
  if (directions && InputIsList(directions) && InputCount(directions) == 0) {
    PetscCall(InputComplain(directions, "must name at least one of x, y, z, rx, ry, rz"));
  }
  if (InputNumComplaints(document) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS); /* what follows would only repeat it */
  PetscCall(ReadInertia(map, &input, point));
  PetscCall(ReadFixed(map, &input.fixed, point));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MassesRead(const InputNode *node, Model *model)
{
  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsMap(node)) PetscCall(InputComplain(node, "must be a map of masses, NAME: {mass: ...}"));
  if (!InputIsMap(node)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PointsReserve(&model->points, InputCount(node)));
  for (PetscInt i = 0; i < InputCount(node); i++) {
    Point *const point = &model->points.list[model->points.count++];

    point->name = InputKey(node, i);
    point->node = InputItem(node, i);
    PetscCall(ReadMass(point->node, point));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
