/* static_contacts.c - faces in contact along a path: shares of the area, forces, losses, and what each part does at its end. */
#include "static.h"

enum { SHARE, FORCE, DISSIPATED, SLIP_WIDTH, X, Y, Z, AREA, LAST_STATE, LAST_PRESSURE, LAST_GAP, LAST_DISSIPATED };

// clang-format off
static const OutputField fields[] = {
  [SHARE]           = {"share", RESULT_REAL, {"rows", "3"}, NULL, "shares of the area that are open, stick and slip"},
  [FORCE]           = {"force", RESULT_REAL, {"rows"}, "N", "sum of the normal forces of all parts"},
  [DISSIPATED]      = {"dissipated", RESULT_REAL, {"rows"}, "J", "energy that the whole contact has lost along the path so far"},
  [SLIP_WIDTH]      = {"slip_width", RESULT_REAL, {"ways"}, NULL, "points of faces of the mesh across the area that slips, mean weighted by the loss, on each way of the path; NaN where nothing slips or all does. Below 2 the loss may be wrong by a third and more"},
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
  PetscCall(PetscCalloc6(names->num_parts, &contacts->state, names->num_parts, &contacts->pressure, names->num_parts, &contacts->gap,
                         names->num_parts, &contacts->dissipated, names->num_parts, &contacts->begun, names->num_parts, &contacts->lost));
  PetscCall(PetscCalloc3(watch->num_contacts, &contacts->width, watch->num_contacts, &contacts->least, watch->num_contacts, &contacts->narrow));
  for (PetscInt i = 0; i < watch->num_contacts; i++) {
    const NamedContact *const contact = &names->contacts[watch->contacts[i]];

    PetscCall(FindingsAdd(findings, &static_contact_table, &contacts->findings[i], "/static/%s/joints/%s/contact", name, contact->joint));
    PetscCall(FindingSetSize(contacts->findings[i], "rows", data->num_rows));
    PetscCall(FindingSetSize(contacts->findings[i], "ways", (data->num_rows - 1) / data->keys.steps));
    PetscCall(FindingSetSize(contacts->findings[i], "parts", contact->num_parts));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticContactsDestroy(StaticContacts *contacts)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(contacts->findings, contacts->sums));
  PetscCall(PetscFree6(contacts->state, contacts->pressure, contacts->gap, contacts->dissipated, contacts->begun, contacts->lost));
  PetscCall(PetscFree3(contacts->width, contacts->least, contacts->narrow));
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

    if (!contact->area) PetscCall(FindingOmit(finding, SLIP_WIDTH));
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

static PetscBool EndsWay(const Static *data, PetscInt row)
{
  return (PetscBool)(row > 0 && row % data->keys.steps == 0);
}

/* What slipped since the path turned last. */
static void MeasureSlip(const System *system, Static *data)
{
  StaticContacts *contacts = &data->record.contacts;

  for (PetscInt p = 0; p < system->names.num_parts; p++) {
    contacts->lost[p]  = contacts->dissipated[p] - contacts->begun[p];
    contacts->begun[p] = contacts->dissipated[p];
  }
  for (PetscInt i = 0; i < data->watch.num_contacts; i++) {
    const PetscInt  c = data->watch.contacts[i], first = system->contacts[c].first;
    const PetscReal width = SlipWidth(&system->contacts[c], system->names.contacts[c].num_parts, contacts->lost + first, contacts->state + first);

    contacts->width[i] = width;
    if (!(width < slip_width_least)) continue;
    contacts->least[i] = contacts->narrow[i]++ ? PetscMin(contacts->least[i], width) : width;
  }
}

PetscErrorCode StaticTakeContacts(Statics *statics, const State *state, PetscInt row, Static *data)
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
  if (EndsWay(data, row)) MeasureSlip(system, data);
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
    if (EndsWay(data, row) && FindingField(contacts->findings[i], "slip_width") >= 0)
      PetscCall(FindingWrite(contacts->findings[i], SLIP_WIDTH, row / data->keys.steps - 1, 1, &contacts->width[i], result));
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

void StaticWarnOfSlip(const char *who, const Names *names, const Static *data)
{
  const StaticContacts *contacts = &data->record.contacts;

  for (PetscInt i = 0; i < data->watch.num_contacts; i++)
    if (contacts->narrow[i])
      LogWarn("%s: on %" PetscInt_FMT " of %" PetscInt_FMT
              " ways of the path what slips of '%s' is fewer than %g points wide (%.3g at least), and the energy "
              "lost there may be wrong by a third and more; refine the faces where they slip",
              who, contacts->narrow[i], (data->num_rows - 1) / data->keys.steps, names->contacts[data->watch.contacts[i]].joint,
              (double)slip_width_least, (double)contacts->least[i]);
}
