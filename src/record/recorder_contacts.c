/* recorder_contacts.c - the channels of faces in contact: what their parts do. */
#include "recorder.h"

enum { X = NUM_OF_PARTS, Y, Z, SHARE, LAST_TIME, LAST };

// clang-format off
static const OutputField fields[] = {
  [PARTS_STATE]             = {"state", RESULT_REAL, {"samples", "parts"}, NULL, "state of each part in the last step: 0 open, 1 sticking, 2 slipping"},
  [PARTS_PRESSING]          = {"pressing", RESULT_REAL, {"samples", "parts"}, "N", "normal force on each part"},
  [PARTS_DISSIPATED]        = {"dissipated", RESULT_REAL, {"samples", "parts"}, "J", "energy dissipated in each part since time 0"},
  [X]                       = {"x", RESULT_REAL, {"parts"}, "m", "centres of the parts, in the model: of joints between faces of the mesh only"},
  [Y]                       = {"y", RESULT_REAL, {"parts"}, "m", "centres of the parts, relative to the joint; between faces in the model"},
  [Z]                       = {"z", RESULT_REAL, {"parts"}, "m", "likewise"},
  [SHARE]                   = {"share", RESULT_REAL, {"samples", "3"}, NULL, "shares of the area that are open, stick and slip"},
  [LAST_TIME]               = {"last/time", RESULT_REAL, {"1"}, "s", "time of the following datasets; NaN until the run was saved, and while they are written"},
  [LAST + PARTS_STATE]      = {"last/state", RESULT_REAL, {"parts"}, NULL, "state of each part when the run ended or was last saved"},
  [LAST + PARTS_PRESSING]   = {"last/pressing", RESULT_REAL, {"parts"}, "N", "likewise"},
  [LAST + PARTS_DISSIPATED] = {"last/dissipated", RESULT_REAL, {"parts"}, "J", "likewise"},
  {0}
};
// clang-format on

const OutputTable recorder_contact_table = {"transient/RUN/joints/JOINT/contact", "contact of a joint, part by part", fields, NULL};

static PetscErrorCode DeclareContact(Recorder *recorder, const Names *names, PetscInt i, Findings *findings, const char *group, PetscInt *offset)
{
  const NamedContact *const contact = &names->contacts[recorder->watch->contacts[i]];
  Finding                  *finding;

  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &recorder_contact_table, &finding, "%s/joints/%s/contact", group, contact->joint));
  PetscCall(FindingSetSize(finding, "samples", recorder->num_samples));
  PetscCall(FindingSetSize(finding, "parts", contact->num_parts));
  for (PetscInt kind = 0; kind < NUM_OF_PARTS; kind++)
    if (!recorder->watch->keeps_parts[i]) PetscCall(FindingOmit(finding, kind));
    else RecorderAddChannel(recorder, finding, kind, contact->num_parts, 0); /* RecorderPlaceParts knows where */
  RecorderAddChannel(recorder, finding, SHARE, NUM_FACE_STATES, *offset);
  *offset += NUM_FACE_STATES;
  recorder->contacts[i] = finding;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderDeclareContacts(Recorder *recorder, const Names *names, Findings *findings, const char *group, PetscInt *offset)
{
  const Watch *watch = recorder->watch;

  PetscFunctionBegin;
  recorder->parts_offset = *offset;
  if (watch->num_contacts) recorder->num_parts = names->num_parts;
  *offset += NUM_OF_PARTS * recorder->num_parts;
  PetscCall(PetscCalloc1(watch->num_contacts, &recorder->contacts));
  for (PetscInt i = 0; i < watch->num_contacts; i++) PetscCall(DeclareContact(recorder, names, i, findings, group, offset));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the channels of a contact's parts. */
static void SetOffsets(Recorder *recorder, const Finding *contact, PetscInt first)
{
  for (PetscInt c = 0; c < recorder->num_channels; c++) {
    RecorderChannel *const channel = &recorder->channels[c];

    if (channel->finding == contact && channel->field < NUM_OF_PARTS)
      channel->offset = recorder->parts_offset + channel->field * recorder->num_parts + first;
  }
}

PetscErrorCode RecorderPlaceParts(Recorder *recorder, const System *system)
{
  PetscFunctionBegin;
  PetscCall(RecorderAddStored(recorder, system));
  for (PetscInt i = 0; i < recorder->watch->num_contacts; i++) {
    const SystemContact *contact = &system->contacts[recorder->watch->contacts[i]];

    if (contact->x) PetscCall(FindingGive(recorder->contacts[i], X, contact->x));
    else PetscCall(FindingOmit(recorder->contacts[i], X));
    PetscCall(FindingGive(recorder->contacts[i], Y, contact->y));
    PetscCall(FindingGive(recorder->contacts[i], Z, contact->z));
    SetOffsets(recorder, recorder->contacts[i], contact->first);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How much of the area is open, sticks, slips. */
static void FrameShares(PetscInt num_parts, const PetscReal part[], const PetscReal state[], PetscReal share[])
{
  for (PetscInt k = 0; k < NUM_FACE_STATES; k++) share[k] = 0.0;
  for (PetscInt i = 0; i < num_parts; i++) share[(PetscInt)state[i]] += part[i];
}

void RecorderFrameContacts(const Recorder *recorder, const Stepper *stepper, const State *state, PetscReal frame[])
{
  const Watch *const  watch  = recorder->watch;
  const System *const system = stepper->linear->system;
  const PetscInt      count  = recorder->num_parts;

  if (count == 0) return;
  JointForcesInspect(&stepper->balance->joints, state, frame + PARTS_STATE * count, frame + PARTS_PRESSING * count);
  for (PetscInt i = 0; i < count; i++) frame[PARTS_DISSIPATED * count + i] = state->parts_dissipated[i];
  for (PetscInt i = 0; i < watch->num_contacts; i++) {
    const PetscInt c = watch->contacts[i];

    FrameShares(system->names.contacts[c].num_parts, system->contacts[c].share, frame + PARTS_STATE * count + system->contacts[c].first,
                frame + NUM_OF_PARTS * count + i * NUM_FACE_STATES);
  }
}

/* Without a time while the rest is written, so that a kill in between is seen. */
PetscErrorCode RecorderWriteLast(const Recorder *recorder, const Stepper *stepper, const State *state, const Result *result)
{
  const System *const system  = stepper->linear->system;
  const PetscReal     unknown = (PetscReal)NAN;

  PetscFunctionBegin;
  RecorderFrameContacts(recorder, stepper, state, recorder->frame); /* until the next sample the frame is free */
  for (PetscInt i = 0; i < recorder->watch->num_contacts; i++) {
    const PetscInt c = recorder->watch->contacts[i];

    PetscCall(FindingWrite(recorder->contacts[i], LAST_TIME, 0, 1, &unknown, result));
    for (PetscInt kind = 0; kind < NUM_OF_PARTS; kind++)
      PetscCall(FindingWrite(recorder->contacts[i], LAST + kind, 0, system->names.contacts[c].num_parts,
                             recorder->frame + kind * recorder->num_parts + system->contacts[c].first, result));
    PetscCall(FindingWrite(recorder->contacts[i], LAST_TIME, 0, 1, &state->time, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
