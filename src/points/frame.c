/* frame.c - the local frame of a joint: its points' motions become coordinates along the axes of the frame. */
#include "points.h"

typedef struct {
  InputReals x, y;
} FrameInput;

// clang-format off
static const InputField fields[] = {
  {.key = "x", .kind = INPUT_REALS, .offset = offsetof(FrameInput, x), .fallback = INPUT_REQUIRED,
   .help = "direction of the local x axis, [x, y, z]; its length does not matter"},
  {.key = "y", .kind = INPUT_REALS, .offset = offsetof(FrameInput, y), .fallback = INPUT_REQUIRED,
   .help = "a direction in the half plane of the local y axis; what it has of x is taken away"},
  {0},
};
// clang-format on

const InputTable frame_table = {.name = "joints.NAME.frame", .summary = "the axes in which a joint acts; z = x cross y", .fields = fields};

static PetscReal Dot(const PetscReal a[3], const PetscReal b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* a less what it has of `unit`, made of length one; the length it had. */
static PetscReal Orthonormalise(const PetscReal a[3], const PetscReal unit[3], PetscReal result[3])
{
  const PetscReal along = Dot(a, unit);
  PetscReal       length;

  for (PetscInt i = 0; i < 3; i++) result[i] = a[i] - along * unit[i];
  length = PetscSqrtReal(Dot(result, result));
  for (PetscInt i = 0; i < 3; i++) result[i] /= length > 0.0 ? length : 1.0;
  return length;
}

static PetscErrorCode CheckDirection(const InputNode *map, const char *key, const InputReals *reals, PetscBool *fine)
{
  PetscFunctionBegin;
  *fine = (PetscBool)(reals->count == 3);
  if (!*fine) PetscCall(InputComplain(InputFind(map, key), "must be three numbers, [x, y, z], got %" PetscInt_FMT, reals->count));
  if (!*fine || Dot(reals->values, reals->values) > 0.0) PetscFunctionReturn(PETSC_SUCCESS);
  *fine = PETSC_FALSE;
  PetscCall(InputComplain(InputFind(map, key), "must not be zero"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const PetscReal parallel = 1e-3; /* sine of an angle below which two directions are one, badly written */

const InputTable support_frame_table = {.name = "supports[].frame", .summary = "axes of the directions of a support", .fields = fields};

PetscErrorCode FrameRead(const InputNode *map, Frame *frame, PetscBool *fine)
{
  const PetscInt  num_complaints = InputNumComplaints(InputDocumentOf(map));
  const PetscReal none[3]        = {0.0, 0.0, 0.0};
  FrameInput      input          = {.x = {0, NULL}};
  PetscReal(*axis)[3]            = frame->axis;
  PetscBool fine_x, fine_y;

  PetscFunctionBegin;
  *fine = PETSC_FALSE;
  PetscCall(InputRead(map, &frame_table, &input));
  if (InputNumComplaints(InputDocumentOf(map)) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CheckDirection(map, "x", &input.x, &fine_x));
  PetscCall(CheckDirection(map, "y", &input.y, &fine_y));
  if (!fine_x || !fine_y) PetscFunctionReturn(PETSC_SUCCESS);
  (void)Orthonormalise(input.x.values, none, axis[0]);
  *fine = (PetscBool)(Orthonormalise(input.y.values, axis[0], axis[1]) > parallel * PetscSqrtReal(Dot(input.y.values, input.y.values)));
  if (!*fine) PetscCall(InputComplain(InputFind(map, "y"), "is parallel to x: it must point elsewhere"));
  for (PetscInt i = 0; i < 3; i++) axis[2][i] = axis[0][(i + 1) % 3] * axis[1][(i + 2) % 3] - axis[0][(i + 2) % 3] * axis[1][(i + 1) % 3];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool SameFrame(const Frame *a, const Frame *b)
{
  static const Frame model_axes = {.axis = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

  if (!a) a = &model_axes;
  if (!b) b = &model_axes;
  for (PetscInt i = 0; i < 3; i++)
    for (PetscInt j = 0; j < 3; j++)
      if (PetscAbsReal(a->axis[i][j] - b->axis[i][j]) > 1e-12) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* A frame mixes x, y, z, and rx, ry, rz: of these a point must have all or none, free or held. */
static PetscErrorCode CheckPoint(const Points *points, const InputNode *node, PetscInt index)
{
  const Point *const point    = &points->list[index];
  PetscInt           count[2] = {0, 0}, fixed[2] = {0, 0};

  PetscFunctionBegin;
  for (PetscInt c = 0; c < point->num_components; c++) {
    count[point->direction[c] / 3]++;
    fixed[point->direction[c] / 3] += point->fixed[c];
  }
  if (point->given)
    PetscCall(InputComplain(node, "point '%s' is one of `matrices`: no frame turns it, but rows of `map` can be along any axes", point->name));
  else if (count[0] != 3 || count[1] % 3)
    PetscCall(InputComplain(node, "point '%s' does not move in all of %s: no frame can be turned there", point->name,
                            count[0] != 3 ? "x, y, z" : "rx, ry, rz"));
  else if (fixed[0] % 3 || fixed[1] % 3)
    PetscCall(InputComplain(node, "point '%s' is held in some of its directions: no frame can be turned there", point->name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FrameAttach(Points *points, const InputNode *node, const char *user, const Frame *frame, PetscInt index)
{
  Point *point;

  PetscFunctionBegin;
  if (index == GROUND) PetscFunctionReturn(PETSC_SUCCESS);
  point = &points->list[index];
  if (!point->user) {
    point->user = user;
    if (SameFrame(frame, NULL)) PetscFunctionReturn(PETSC_SUCCESS);
    point->frame = frame;
    PetscCall(CheckPoint(points, node, index));
  } else if (!SameFrame(frame, point->frame)) {
    PetscCall(InputComplain(node, "point '%s' is used by '%s' in another frame; give each of the two a point of its own", point->name, point->user));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
