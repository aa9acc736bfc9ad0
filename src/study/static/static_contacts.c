/* static_contacts.c - faces in contact along a path: shares of the area, forces, losses, and what each part does at its end. */
#include "static.h"

enum { SHARE, FORCE, DISSIPATED, X, Y, Z, AREA, LAST_STATE, LAST_PRESSURE, LAST_GAP, LAST_DISSIPATED };

// clang-format off
static const OutputField fields[] = {
  [SHARE]           = {"share", RESULT_REAL, {"rows", "3"}, NULL, "shares of the area that are open, stick and slip"},
  [FORCE]           = {"force", RESULT_REAL, {"rows"}, "N", "sum of the normal forces of all parts"},
  [DISSIPATED]      = {"dissipated", RESULT_REAL, {"rows"}, "J", "energy that the whole contact has lost along the path so far"},
  [X]               = {"x", RESULT_REAL, {"parts"}, "m", "centres of the parts, in the model: of joints between faces of the mesh only"},
  [Y]               = {"y", RESULT_REAL, {"parts"}, "m", "centres of the parts, relative to the joint; between faces in the model"},
  [Z]               = {"z", RESULT_REAL, {"parts"}, "m", "likewise"},
  [AREA]            = {"area", RESULT_REAL, {"parts"}, "m^2", "of the parts of faces of the mesh"},
  [LAST_STATE]      = {"last/state", RESULT_REAL, {"parts"}, NULL, "state of each part in the last step that reached its equilibrium: 0 open, 1 sticking, 2 slipping"},
  [LAST_PRESSURE]   = {"last/pressure", RESULT_REAL, {"parts"}, "Pa", "on each part then; of laws that are not by area the normal force"},
  [LAST_GAP]        = {"last/gap", RESULT_REAL, {"parts"}, "m", "between the faces then; negative where they press each other's roughness flat"},
  [LAST_DISSIPATED] = {"last/dissipated", RESULT_REAL, {"parts"}, "J", "energy lost in each part until then"},
  {0}
};
// clang-format on

const OutputTable static_contact_table = {"static/NAME/joints/JOINT/contact", "contact of a joint along the path", fields, NULL};

PetscErrorCode StaticDeclareContacts(const char *name, const Names *names, Findings *findings, Static *data)
{
  const Watch    *watch    = &data->watch;
  StaticContacts *contacts = &data->record.contacts;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(watch->num_contacts, &contacts->findings, watch->num_contacts, &contacts->sums));
  PetscCall(PetscCalloc4(names->num_parts, &contacts->state, names->num_parts, &contacts->pressure, names->num_parts, &contacts->gap,
                         names->num_parts, &contacts->dissipated));
  for (PetscInt i = 0; i < watch->num_contacts; i++) {
    const NamedContact *const contact = &names->contacts[watch->contacts[i]];

    PetscCall(FindingsAdd(findings, &static_contact_table, &contacts->findings[i], "/static/%s/joints/%s/contact", name, contact->joint));
    PetscCall(FindingSetSize(contacts->findings[i], "rows", data->num_rows));
    PetscCall(FindingSetSize(contacts->findings[i], "parts", contact->num_parts));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticContactsDestroy(StaticContacts *contacts)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(contacts->findings, contacts->sums));
  PetscCall(PetscFree4(contacts->state, contacts->pressure, contacts->gap, contacts->dissipated));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GiveOrOmit(Finding *finding, PetscInt field, const PetscReal values[])
{
  PetscFunctionBegin;
  if (values) PetscCall(FindingGive(finding, field, values));
  else PetscCall(FindingOmit(finding, field));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticPlaceContacts(const System *system, Static *data)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < data->watch.num_contacts; i++) {
    const SystemContact *const contact = &system->contacts[data->watch.contacts[i]];
    Finding *const             finding = data->record.contacts.findings[i];

    PetscCall(GiveOrOmit(finding, X, contact->x));
    PetscCall(GiveOrOmit(finding, Y, contact->y));
    PetscCall(GiveOrOmit(finding, Z, contact->z));
    PetscCall(GiveOrOmit(finding, AREA, contact->area));
    if (!contact->area) PetscCall(FindingSetUnit(finding, LAST_PRESSURE, "N"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces on the parts become pressures when they have been added up. */
static void SumUp(const SystemContact *contact, PetscInt num_parts, StaticContacts *contacts, StaticContactSum *sum)
{
  *sum = (StaticContactSum){.force = 0.0};
  for (PetscInt p = contact->first; p < contact->first + num_parts; p++) {
    sum->share[(PetscInt)contacts->state[p]] += contact->share[p - contact->first];
    sum->force += contacts->pressure[p];
    sum->dissipated += contacts->dissipated[p];
    if (contact->area) contacts->pressure[p] /= contact->area[p - contact->first];
  }
}

PetscErrorCode StaticTakeContacts(Statics *statics, const State *state, Static *data)
{
  const System *const system   = statics->system;
  StaticContacts     *contacts = &data->record.contacts;

  PetscFunctionBegin;
  if (data->watch.num_contacts == 0) PetscFunctionReturn(PETSC_SUCCESS);
  JointForcesInspect(&statics->balance->joints, state, contacts->state, contacts->pressure);
  SystemPartGaps(system, state->motion, contacts->gap);
  PetscCall(PetscArraycpy(contacts->dissipated, state->parts_dissipated, system->names.num_parts));
  for (PetscInt i = 0; i < data->watch.num_contacts; i++) {
    const PetscInt c = data->watch.contacts[i];

    SumUp(&system->contacts[c], system->names.contacts[c].num_parts, contacts, &contacts->sums[i]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticWriteContacts(const Static *data, PetscInt row, const Result *result)
{
  const StaticContacts *contacts = &data->record.contacts;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < data->watch.num_contacts; i++) {
    PetscCall(FindingWrite(contacts->findings[i], SHARE, row, 1, contacts->sums[i].share, result));
    PetscCall(FindingWrite(contacts->findings[i], FORCE, row, 1, &contacts->sums[i].force, result));
    PetscCall(FindingWrite(contacts->findings[i], DISSIPATED, row, 1, &contacts->sums[i].dissipated, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticWriteLastContacts(const Static *data, const System *system, const Result *result)
{
  const StaticContacts *contacts = &data->record.contacts;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < data->watch.num_contacts; i++) {
    const PetscInt c = data->watch.contacts[i], first = system->contacts[c].first, num = system->names.contacts[c].num_parts;

    PetscCall(FindingWrite(contacts->findings[i], LAST_STATE, 0, num, contacts->state + first, result));
    PetscCall(FindingWrite(contacts->findings[i], LAST_PRESSURE, 0, num, contacts->pressure + first, result));
    PetscCall(FindingWrite(contacts->findings[i], LAST_GAP, 0, num, contacts->gap + first, result));
    PetscCall(FindingWrite(contacts->findings[i], LAST_DISSIPATED, 0, num, contacts->dissipated + first, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
