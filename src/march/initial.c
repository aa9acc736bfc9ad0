/* initial.c - the displacement and velocity that a motion starts from. */
#include "march/initial.h"

typedef struct {
  const InputNode *displacement, *velocity, *shape;
} Keys;

typedef struct {
  PetscInt  mode, joints;
  PetscReal displacement, velocity;
} ShapeKeys;

#define OF(member) offsetof(Keys, member)
#define OF_SHAPE(member) offsetof(ShapeKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "displacement", .kind = INPUT_NODE, .offset = OF(displacement), .unit = "m, rad",
   .help = "{POINT: value, or a list with one value for each of its directions}"},
  {.key = "velocity", .kind = INPUT_NODE, .offset = OF(velocity), .unit = "m/s, rad/s", .help = "likewise"},
  {.key = "shape", .kind = INPUT_NODE, .offset = OF(shape), .help = "initial motion along a mode shape"},
  {.key = NULL}
};

static const InputField shape_fields[] = {
  {.key = "mode", .kind = INPUT_COUNT, .offset = OF_SHAPE(mode), .fallback = INPUT_REQUIRED, .least = 1, .most = PETSC_INFINITY,
   .help = "number of the mode, from 1"},
  {.key = "joints", .kind = INPUT_WORD, .offset = OF_SHAPE(joints), .fallback = JOINT_STUCK, .words = joint_state_names,
   .help = "state of the joints for the mode shape"},
  {.key = "displacement", .kind = INPUT_REAL, .offset = OF_SHAPE(displacement), .fallback = 0.0, .unit = "m kg^1/2",
   .help = "factor of the mass-normalised shape"},
  {.key = "velocity", .kind = INPUT_REAL, .offset = OF_SHAPE(velocity), .fallback = 0.0, .unit = "m kg^1/2/s",
   .help = "factor of the mass-normalised shape"},
  {.key = NULL}
};
// clang-format on

static const InputTable initial_table = {"initial",
                                         "initial motion, to which joints have gone straight from rest; all energies count from there: what joints "
                                         "took up or dissipated on the way is in none of them",
                                         fields};
static const InputTable shape_table   = {"initial.shape", "mode shape of the initial motion", shape_fields};

const InputTable *const initial_tables[] = {&initial_table, &shape_table, NULL};

/* Units of a motion, of one that turns, and either. */
typedef struct {
  const char *shift, *turn, *any;
} MotionUnits;

static const MotionUnits displacement_units = {"m", "rad", "m or rad"}, velocity_units = {"m/s", "rad/s", "m/s or rad/s"};

static PetscErrorCode ReadPoint(const InputNode *node, const NamedPoint *point, const MotionUnits *units, PetscReal values[])
{
  InputReals reals;

  PetscFunctionBegin;
  PetscCall(InputGetReals(node, units->any, &reals));
  if (reals.count != point->num_components) {
    PetscCall(InputComplain(node, "point '%s' moves in %" PetscInt_FMT " directions, got %" PetscInt_FMT " values", point->name,
                            point->num_components, reals.count));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (point->turned) {
    PetscCall(
      InputComplain(node, "point '%s' is in the frame of a joint, so that these are no unknowns: start other points, or along a shape", point->name));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt c = 0; c < point->num_components; c++) {
    PetscCall(InputCheckUnit(InputIsList(node) ? InputItem(node, c) : node, point->direction[c] < 3 ? units->shift : units->turn));
    if (point->massless[c]) {
      PetscCall(InputComplain(node, "point '%s' has no mass in direction %s: it follows the others at once and cannot be started by itself",
                              point->name, direction_names[point->direction[c]]));
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    if (point->unknown[c] < 0 && point->follows[c]) {
      PetscCall(InputComplain(node, "point '%s' is not kept: it only follows those that are; name it in `keep` of the reduction", point->name));
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    if (point->unknown[c] >= 0) values[point->unknown[c]] = reals.values[c];
    else if (reals.values[c] != 0.0)
      PetscCall(InputComplain(node, "point '%s' is fixed in direction %s", point->name, direction_names[point->direction[c]]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* {point: values, ...} on the unknowns; NULL when absent. */
static PetscErrorCode ReadPoints(const InputNode *map, const Names *names, const MotionUnits *units, PetscReal **values)
{
  PetscFunctionBegin;
  if (!map || !names->known) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsMap(map)) {
    PetscCall(InputComplain(map, "expected a map from points to values"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscCalloc1(names->num_unknowns, values));
  for (PetscInt i = 0; i < InputCount(map); i++) {
    PetscInt p;

    PetscCall(NamesChoosePoint(names, InputItem(map, i), InputKey(map, i), &p));
    if (p >= 0) PetscCall(ReadPoint(InputItem(map, i), &names->points[p], units, *values));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InitialRead(const InputNode *node, const Names *names, InitialKeys *initial)
{
  Keys      keys  = {NULL, NULL, NULL};
  ShapeKeys shape = {0, JOINT_STUCK, 0.0, 0.0};

  PetscFunctionBegin;
  PetscCall(PetscMemzero(initial, sizeof(*initial)));
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputRead(node, &initial_table, &keys));
  PetscCall(ReadPoints(keys.displacement, names, &displacement_units, &initial->displacement));
  PetscCall(ReadPoints(keys.velocity, names, &velocity_units, &initial->velocity));
  if (keys.shape) PetscCall(InputRead(keys.shape, &shape_table, &shape));
  if (keys.shape) PetscCall(NamesCheckMode(names, keys.shape, shape.mode));
  initial->mode               = shape.mode;
  initial->joints             = (JointState)shape.joints;
  initial->along_displacement = shape.displacement;
  initial->along_velocity     = shape.velocity;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InitialDestroy(InitialKeys *initial)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(initial->displacement));
  PetscCall(PetscFree(initial->velocity));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InitialMotionFind(const InitialKeys *initial, ModeCache *cache, PetscReal level, PetscReal displacement[], PetscReal velocity[],
                                 InitialMotion *motion)
{
  const PetscInt n     = cache->system->num_unknowns;
  const Modes   *modes = NULL;

  PetscFunctionBegin;
  if (initial->mode) PetscCall(ModeCacheGet(cache, initial->joints, initial->mode, &modes));
  for (PetscInt i = 0; i < n; i++) {
    const PetscReal shape = modes ? modes->shape[(initial->mode - 1) * n + i] : 0.0;

    displacement[i] = level * ((initial->displacement ? initial->displacement[i] : 0.0) + initial->along_displacement * shape);
    velocity[i]     = level * ((initial->velocity ? initial->velocity[i] : 0.0) + initial->along_velocity * shape);
  }
  *motion = (InitialMotion){displacement, velocity};
  PetscFunctionReturn(PETSC_SUCCESS);
}
