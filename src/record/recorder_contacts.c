/* recorder_contacts.c - the channels of faces in contact: what their parts do. */
#include "recorder.h"

/* Where the parts of a contact are. */
static PetscErrorCode WritePlaces(const SystemContact *contact, Result *result, const char *group)
{
  const PetscInt64 count = contact->num_parts;
  char             path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/joints/%s/contact/y", group, contact->joint));
  PetscCall(ResultWriteReals(result, path, 1, &count, contact->y));
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/joints/%s/contact/z", group, contact->joint));
  PetscCall(ResultWriteReals(result, path, 1, &count, contact->z));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char *const names[NUM_OF_PARTS] = {"state", "pressing", "dissipated"};

static PetscErrorCode ReserveLast(const SystemContact *contact, Result *result, const char *group, RecorderLast *last)
{
  const PetscInt64 one = 1, count = contact->num_parts;
  char             path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/joints/%s/contact/last/time", group, contact->joint));
  PetscCall(ResultReserve(result, path, RESULT_REAL, 1, &one, &last->time));
  for (PetscInt kind = 0; kind < NUM_OF_PARTS; kind++) {
    PetscCall(PetscSNPrintf(path, sizeof(path), "%s/joints/%s/contact/last/%s", group, contact->joint, names[kind]));
    PetscCall(ResultReserve(result, path, RESULT_REAL, 1, &count, &last->parts[kind]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderAddContacts(Recorder *recorder, const System *system, Result *result, const char *group, PetscInt *offset)
{
  const Watch   *watch = recorder->watch;
  const PetscInt begin = *offset;

  PetscFunctionBegin;
  if (watch->num_contacts) recorder->num_parts = system->num_parts;
  *offset += NUM_OF_PARTS * recorder->num_parts;
  PetscCall(PetscCalloc1(watch->num_contacts, &recorder->last));
  for (PetscInt i = 0; i < watch->num_contacts; i++) {
    const SystemContact *contact = &system->contacts[watch->contacts[i]];

    for (PetscInt kind = 0; watch->keeps_parts[i] && kind < NUM_OF_PARTS; kind++)
      PetscCall(RecorderAddChannel(recorder, result, contact->num_parts, begin + kind * recorder->num_parts + contact->first,
                                   "%s/joints/%s/contact/%s", group, contact->joint, names[kind]));
    PetscCall(RecorderAddChannel(recorder, result, NUM_FACE_STATES, *offset, "%s/joints/%s/contact/share", group, contact->joint));
    *offset += NUM_FACE_STATES;
    PetscCall(ReserveLast(contact, result, group, &recorder->last[i]));
    PetscCall(WritePlaces(contact, result, group));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How much of the area is open, sticks, slips. */
static void FrameShares(const SystemContact *contact, const PetscReal state[], PetscReal share[])
{
  for (PetscInt k = 0; k < NUM_FACE_STATES; k++) share[k] = 0.0;
  for (PetscInt i = 0; i < contact->num_parts; i++) share[(PetscInt)state[contact->first + i]] += 1.0 / (PetscReal)contact->num_parts;
}

void RecorderFrameContacts(const Recorder *recorder, const Stepper *stepper, const State *state, PetscReal frame[])
{
  const Watch *const  watch  = recorder->watch;
  const System *const system = stepper->linear->system;
  const PetscInt      count  = recorder->num_parts;

  if (count == 0) return;
  JointForcesInspect(&stepper->balance->joints, state, frame + PARTS_STATE * count, frame + PARTS_PRESSING * count);
  for (PetscInt i = 0; i < count; i++) frame[PARTS_DISSIPATED * count + i] = state->parts_dissipated[i];
  for (PetscInt i = 0; i < watch->num_contacts; i++)
    FrameShares(&system->contacts[watch->contacts[i]], frame + PARTS_STATE * count, frame + NUM_OF_PARTS * count + i * NUM_FACE_STATES);
}

/* Without a time while the rest is written, so that a kill in between is seen. */
PetscErrorCode RecorderWriteLast(const Recorder *recorder, const Stepper *stepper, const State *state, const Result *result)
{
  const PetscReal unknown = (PetscReal)NAN;

  PetscFunctionBegin;
  RecorderFrameContacts(recorder, stepper, state, recorder->frame); /* until the next sample the frame is free */
  for (PetscInt i = 0; i < recorder->watch->num_contacts; i++) {
    const SystemContact *contact = &stepper->linear->system->contacts[recorder->watch->contacts[i]];
    const RecorderLast  *last    = &recorder->last[i];

    PetscCall(ResultWriteRows(result, &last->time, 0, 1, &unknown));
    for (PetscInt kind = 0; kind < NUM_OF_PARTS; kind++)
      PetscCall(ResultWriteRows(result, &last->parts[kind], 0, contact->num_parts, recorder->frame + kind * recorder->num_parts + contact->first));
    PetscCall(ResultWriteRows(result, &last->time, 0, 1, &state->time));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
