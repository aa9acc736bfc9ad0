/* contact_drive.c - faces in contact along a path, and the normal motion at which a force presses them. */
#include "contact_drive.h"

/* Of all parts: num points of one block. Component-major, as a law takes and gives them. */
typedef struct {
  JointBlock   block;
  JointHistory history;
  PetscReal   *displacement, *velocity, *force;      /* [SPACE_DIM, parts] */
  PetscReal   *stiffness;                            /* [SPACE_DIM, SPACE_DIM, parts] */
  PetscReal   *loss, *state, *pressing, *dissipated; /* [parts] */
  PetscReal    preload;                              /* of all */
} Faces;

PetscErrorCode ContactHistoryCreate(PetscInt count, PetscInt num_parts, ContactHistory *history)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc5(SPACE_DIM * count, &history->displacement, SPACE_DIM * count, &history->force, count, &history->dissipated, count,
                         &history->pressing, NUM_FACE_STATES * count, &history->share));
  PetscCall(PetscCalloc3(num_parts, &history->part_state, num_parts, &history->part_pressing, num_parts, &history->part_dissipated));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactHistoryDestroy(ContactHistory *history)
{
  PetscFunctionBegin;
  PetscCall(PetscFree5(history->displacement, history->force, history->dissipated, history->pressing, history->share));
  PetscCall(PetscFree3(history->part_state, history->part_pressing, history->part_dissipated));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FacesCreate(const ContactArea *area, Faces *faces)
{
  const PetscInt n = ContactAreaNumParts(area);
  PetscReal      parameters[JOINT_MAX_PARAMETERS];

  PetscFunctionBegin;
  *faces = (Faces){.preload = 0.0};
  ContactAreaPart(area, 0, parameters);
  PetscCall(JointBlockCreate(area->law.law, parameters, n, &faces->block));
  for (PetscInt part = 0; part < n; part++) {
    ContactAreaPart(area, part, parameters);
    JointBlockSetPoint(&faces->block, part, parameters);
    faces->preload += area->loads[part];
  }
  PetscCall(JointHistoryCreate(&faces->block, &faces->history));
  PetscCall(PetscCalloc4(SPACE_DIM * n, &faces->displacement, SPACE_DIM * n, &faces->velocity, SPACE_DIM * n, &faces->force,
                         SPACE_DIM * SPACE_DIM * n, &faces->stiffness));
  PetscCall(PetscCalloc4(n, &faces->loss, n, &faces->state, n, &faces->pressing, n, &faces->dissipated));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FacesDestroy(Faces *faces)
{
  PetscFunctionBegin;
  PetscCall(PetscFree4(faces->displacement, faces->velocity, faces->force, faces->stiffness));
  PetscCall(PetscFree4(faces->loss, faces->state, faces->pressing, faces->dissipated));
  PetscCall(JointHistoryDestroy(&faces->history));
  PetscCall(JointBlockDestroy(&faces->block));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal Sum(const Faces *faces, const PetscReal values[])
{
  PetscReal sum = 0.0;

  for (PetscInt i = 0; i < faces->block.num_points; i++) sum += values[i];
  return sum;
}

static void Spread(Faces *faces, const PetscReal motion[SPACE_DIM], PetscReal values[])
{
  const PetscInt n = faces->block.num_points;

  for (PetscInt i = 0; i < SPACE_DIM * n; i++) values[i] = motion[i / n];
}

static JointForce Evaluate(Faces *faces)
{
  const JointMotion motion = {faces->displacement, faces->velocity};
  JointForce        result = {.force = faces->force, .stiffness = faces->stiffness, .loss = faces->loss};

  faces->block.law->evaluate(&faces->block, &faces->history, &motion, &result);
  return result;
}

/* How much less than `pressing` presses the faces at a normal motion [N], which rises with it, and the slope of that. */
static PetscReal Lack(Faces *faces, PetscReal motion[SPACE_DIM], PetscReal normal, PetscReal pressing, PetscReal *slope)
{
  motion[0] = normal;
  Spread(faces, motion, faces->displacement);
  Evaluate(faces);
  *slope = Sum(faces, faces->stiffness);
  return Sum(faces, faces->force) - (faces->preload - pressing);
}

/* A normal motion at which the faces are pressed by more than this. */
static PetscReal PressFar(Faces *faces, PetscReal motion[SPACE_DIM], PetscReal pressing)
{
  const PetscReal least = 1e-30;
  PetscReal       depth = 1.0, slope;

  while (depth > least && Lack(faces, motion, -0.5 * depth, pressing, &slope) < 0.0) depth *= 0.5;
  while (Lack(faces, motion, -depth, pressing, &slope) >= 0.0 || slope <= 0.0) depth *= 2.0;
  return -depth;
}

/* They just touch no more: between a motion at which they are pressed and one at which they are not, to the last digit. */
static void Open(Faces *faces, PetscReal motion[SPACE_DIM])
{
  enum { MOST_HALVINGS = 2000 }; /* numbers have no more */
  PetscReal pressed = PressFar(faces, motion, 0.0), open = -pressed, slope;

  while (Lack(faces, motion, open, 0.0, &slope), slope > 0.0) open *= 2.0;
  for (PetscInt k = 0; k < MOST_HALVINGS; k++) {
    const PetscReal middle = 0.5 * (pressed + open);

    if (middle <= pressed || middle >= open) break;
    Lack(faces, motion, middle, 0.0, &slope);
    if (slope > 0.0) pressed = middle;
    else open = middle;
  }
  motion[0] = open;
}

/* Newton's rule on a force that is concave in the motion: after the first step it comes from the pressed side, and rises until round-off ends it. */
static void Press(Faces *faces, PetscReal motion[SPACE_DIM], PetscReal pressing)
{
  enum { MOST_ITERATIONS = 200 };
  PetscReal normal = motion[0], slope, lack = Lack(faces, motion, normal, pressing, &slope);
  PetscBool pressed = PETSC_FALSE; /* it has been on that side */

  if (pressing == 0.0) {
    Open(faces, motion);
    return;
  }
  if (!(slope > 0.0) || !(PetscAbsReal(lack / slope) < PETSC_MAX_REAL))
    lack = Lack(faces, motion, normal = PressFar(faces, motion, pressing), pressing, &slope);
  for (PetscInt k = 0; k < MOST_ITERATIONS && lack != 0.0 && !(lack > 0.0 && pressed); k++) {
    const PetscReal next = normal - lack / slope;

    pressed = (PetscBool)(pressed || lack < 0.0);
    if (lack < 0.0 && next <= normal) break;
    normal = next;
    lack   = Lack(faces, motion, normal, pressing, &slope);
  }
  motion[0] = normal;
}

/* How fast the normal motion follows the pressing force: by the tangent, or, where that is none, over the step. */
static PetscReal NormalVelocity(const Faces *faces, PetscReal rate, PetscReal moved, PetscReal step)
{
  const PetscReal slope = Sum(faces, faces->stiffness), velocity = slope > 0.0 ? -rate / slope : (PetscReal)INFINITY;

  if (PetscAbsReal(velocity) < PETSC_MAX_REAL) return velocity;
  return step > 0.0 ? moved / step : 0.0;
}

static PetscErrorCode Step(Faces *faces, const SpacePath *path, const SpaceSamples *samples, PetscInt i, ContactHistory *history)
{
  const PetscInt   n     = faces->block.num_points;
  const PetscReal *given = samples->motion + SPACE_DIM * i, before = i ? history->displacement[SPACE_DIM * (i - 1)] : 0.0;
  PetscReal        motion[3] = {given[0], given[1], given[2]}, velocity[3];
  JointMotion      all       = {faces->displacement, faces->velocity};
  JointForce       result;

  PetscFunctionBegin;
  for (PetscInt d = 0; d < SPACE_DIM; d++) velocity[d] = samples->velocity[SPACE_DIM * i + d];
  Spread(faces, velocity, faces->velocity);
  if (path->presses) {
    motion[0] = before;
    Press(faces, motion, given[0]);
  }
  Spread(faces, motion, faces->displacement);
  result = Evaluate(faces);
  if (path->presses) velocity[0] = NormalVelocity(faces, velocity[0], motion[0] - before, i ? samples->time[i] - samples->time[i - 1] : 0.0);
  Spread(faces, velocity, faces->velocity);
  PetscCall(faces->block.law->commit(&faces->block, &faces->history, &all, &result, faces->dissipated));
  faces->block.law->inspect(&faces->block, &faces->history, &all, faces->state, faces->pressing);
  for (PetscInt d = 0; d < SPACE_DIM; d++) {
    history->displacement[SPACE_DIM * i + d] = motion[d];
    history->force[SPACE_DIM * i + d]        = Sum(faces, faces->force + d * n);
  }
  history->dissipated[i] = Sum(faces, faces->dissipated);
  history->pressing[i]   = Sum(faces, faces->pressing);
  for (PetscInt part = 0; part < n; part++) history->share[NUM_FACE_STATES * i + (PetscInt)faces->state[part]] += 1.0 / (PetscReal)n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactDrive(const ContactArea *area, const SpacePath *path, const SpaceSamples *samples, ContactHistory *history)
{
  Faces faces;

  PetscFunctionBegin;
  PetscCall(FacesCreate(area, &faces));
  for (PetscInt i = 0; i < samples->count; i++) PetscCall(Step(&faces, path, samples, i, history));
  PetscCall(PetscArraycpy(history->part_state, faces.state, faces.block.num_points));
  PetscCall(PetscArraycpy(history->part_pressing, faces.pressing, faces.block.num_points));
  PetscCall(PetscArraycpy(history->part_dissipated, faces.dissipated, faces.block.num_points));
  PetscCall(FacesDestroy(&faces));
  PetscFunctionReturn(PETSC_SUCCESS);
}
