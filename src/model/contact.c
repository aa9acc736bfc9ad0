/* contact.c - faces that touch: a law that acts in x, y and z together, at a joint or at the parts of an area around it. */
#include "parts.h"

typedef struct {
  const InputNode *law;
  InputReals       area, parts, moment;
} ContactInput;

// clang-format off
static const InputField fields[] = {
  {.key = "law", .kind = INPUT_NODE, .offset = offsetof(ContactInput, law), .fallback = INPUT_REQUIRED,
   .help = "the name of a law, or {law: ..., parameters}; its parameters are for the whole area, and each part has its share"},
  {.key = "area", .kind = INPUT_REALS, .offset = offsetof(ContactInput, area), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "m",
   .help = "[along y, along z]: rectangle around the joint that moves rigidly with its two sides; default: contact at the joint itself"},
  {.key = "parts", .kind = INPUT_REALS, .offset = offsetof(ContactInput, parts), .fallback = INPUT_OPTIONAL, .least = 1, .most = 1000,
   .help = "[along y, along z]: number of parts; the law acts at the centre of each part"},
  {.key = "moment", .kind = INPUT_REALS, .offset = offsetof(ContactInput, moment), .fallback = INPUT_OPTIONAL, .unit = "N m",
   .help = "[M_y, M_z], moment of the preload about the joint: M_y = sum z F_N, M_z = - sum y F_N"},
  {0},
};
// clang-format on

const InputTable contact_table = {
  .name = "joints.NAME.contact", .summary = "faces that can press, slide, separate and close again; x is normal to them", .fields = fields};

static PetscErrorCode CheckPair(const InputNode *map, const char *key, const InputReals *pair)
{
  const InputNode *const node  = InputFind(map, key);
  const PetscBool        empty = (PetscBool)(node && InputIsList(node) && InputCount(node) == 0);

  PetscFunctionBegin;
  if (empty || (pair->count != 0 && pair->count != 2))
    PetscCall(InputComplain(node, "must be two numbers, [along y, along z], got %" PetscInt_FMT, pair->count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckArea(const InputNode *map, const ContactInput *input)
{
  const InputNode *const area = InputFind(map, "area");

  PetscFunctionBegin;
  PetscCall(CheckPair(map, "area", &input->area));
  PetscCall(CheckPair(map, "parts", &input->parts));
  PetscCall(CheckPair(map, "moment", &input->moment));
  if (area && !InputFind(map, "parts")) PetscCall(InputComplain(map, "give `parts` with `area`, for instance parts: [4, 4]"));
  if (!area && input->parts.count) PetscCall(InputComplain(InputFind(map, "parts"), "needs an `area`, [along y, along z]"));
  if (!area && input->moment.count) PetscCall(InputComplain(InputFind(map, "moment"), "needs an `area`: a point takes no moment"));
  for (PetscInt i = 0; i < input->parts.count; i++)
    if (input->parts.values[i] != PetscFloorReal(input->parts.values[i]))
      PetscCall(InputComplain(InputFind(map, "parts"), "expected whole numbers, found %g", (double)input->parts.values[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt ContactNumParts(const ModelContact *contact)
{
  return contact->parts[0] * contact->parts[1];
}

void ContactFindMiddle(const ModelContact *contact, PetscInt part, PetscReal middle[2])
{
  const PetscInt place[2] = {part % contact->parts[0], part / contact->parts[0]};

  for (PetscInt a = 0; a < 2; a++) middle[a] = contact->size[a] * ((place[a] + 0.5) / contact->parts[a] - 0.5);
}

static PetscInt FindParameter(const JointLaw *law, const char *name)
{
  PetscInt  p     = 0;
  PetscBool found = PETSC_FALSE;

  for (; law->parameters[p].name; p++) {
    if (PetscStrcmp(law->parameters[p].name, name, &found) || found) break;
  }
  return found ? p : -1;
}

void ContactShareParameters(const ModelContact *contact, PetscReal parameters[])
{
  const JointParameter *const known = contact->law.law->parameters;

  for (PetscInt p = 0; known[p].name; p++) parameters[p] = contact->law.parameters[p] / (known[p].shared ? ContactNumParts(contact) : 1);
}

/* Parts can only press: the force must act between the middles of the outermost ones. */
static PetscErrorCode CheckMoment(const InputNode *map, const ModelContact *contact, PetscBool *fine)
{
  const PetscReal preload = contact->law.parameters[contact->preload], roundoff = 1e-12;

  PetscFunctionBegin;
  *fine = PETSC_TRUE;
  for (PetscInt i = 0; i < 2; i++) {
    const PetscInt  along  = 1 - i; /* a moment about y acts along z */
    const PetscReal reach  = 0.5 * contact->size[along] * (1.0 - 1.0 / contact->parts[along]);
    const PetscReal moment = PetscAbsReal(contact->moment[i]);

    if (moment == 0.0 || moment < (1.0 - roundoff) * preload * reach) continue;
    *fine = PETSC_FALSE;
    if (reach == 0.0)
      PetscCall(InputComplain(InputFind(map, "moment"), "a single part along %s takes no moment about %s", direction_names[1 + along],
                              direction_names[1 + i]));
    else
      PetscCall(
        InputComplain(InputFind(map, "moment"),
                      "a moment of %g N m about %s takes a preload above %.4g N, got %g N: parts can only press, and the outermost are %g m away",
                      (double)contact->moment[i], direction_names[1 + i], (double)(moment / reach), (double)preload, (double)reach));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Load(const InputNode *map, ModelContact *contact)
{
  const PetscReal preload = contact->law.parameters[contact->preload], gap = contact->law.parameters[contact->gap];
  PetscBool       fine;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(ContactNumParts(contact), &contact->loads, ContactNumParts(contact), &contact->gaps));
  for (PetscInt part = 0; part < ContactNumParts(contact); part++) {
    contact->loads[part] = preload / ContactNumParts(contact);
    contact->gaps[part]  = gap;
  }
  PetscCall(CheckMoment(map, contact, &fine));
  if (fine && (contact->moment[0] != 0.0 || contact->moment[1] != 0.0)) PetscCall(ContactDistributePreload(map, contact));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindRows(const InputNode *map, const char *joint, const PetscInt ends[2], Model *model, ModelContact *contact)
{
  const PetscInt num_directions = contact->size[0] > 0.0 ? NUM_DIRECTIONS : 3;
  PetscInt       num_rows       = 0;

  PetscFunctionBegin;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    contact->rows[d] = -1;
    if (d < num_directions) PetscCall(JointsFindRow(model, joint, map, ends, d, &contact->rows[d]));
    num_rows += contact->rows[d] >= 0;
  }
  if (num_rows == 0) PetscCall(InputComplain(map, "neither side can move: this contact would never act"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactRead(const InputNode *map, const char *joint, const PetscInt ends[2], Laws *laws, Model *model)
{
  const PetscInt num_complaints = InputNumComplaints(InputDocumentOf(map));
  ModelContact  *contact        = &model->contacts[model->num_contacts];
  ContactInput   input          = {.law = NULL};
  NamedLaw      *found          = NULL;
  PetscInt       num_found      = 0;

  PetscFunctionBegin;
  PetscCall(InputRead(map, &contact_table, &input));
  PetscCall(CheckArea(map, &input));
  if (input.law) PetscCall(LawsResolve(laws, input.law, 3, "in x, y and z together", &num_found, &found));
  if (num_found > 1) PetscCall(InputComplain(input.law, "expected one law, found %" PetscInt_FMT, num_found));
  if (num_found == 1 && InputNumComplaints(InputDocumentOf(map)) == num_complaints) {
    *contact = (ModelContact){.joint = joint, .node = map, .law = found[0], .parts = {1, 1}};
    for (PetscInt a = 0; a < 2; a++) {
      if (input.area.count) contact->size[a] = input.area.values[a];
      if (input.parts.count) contact->parts[a] = (PetscInt)input.parts.values[a];
      if (input.moment.count) contact->moment[a] = input.moment.values[a];
    }
    contact->preload = FindParameter(contact->law.law, "preload");
    contact->gap     = FindParameter(contact->law.law, "gap");
    PetscCall(FindRows(map, joint, ends, model, contact));
    PetscCall(Load(map, contact));
    model->num_contacts++;
  }
  PetscCall(PetscFree(found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A part moves as its place on a rigid face does: by d + r x (rotations), r = (0, y, z) [eq. 7 of voldrich2009]. */
static PetscErrorCode AddRotations(const ModelContact *contact, PetscInt part, const PetscInt rows[], System *system)
{
  PetscReal middle[2];

  PetscFunctionBegin;
  ContactFindMiddle(contact, part, middle);
  PetscCall(SystemAddLawTerm(system, 0, rows[4], middle[1]));
  PetscCall(SystemAddLawTerm(system, 0, rows[5], -middle[0]));
  PetscCall(SystemAddLawTerm(system, 1, rows[3], -middle[1]));
  PetscCall(SystemAddLawTerm(system, 2, rows[3], middle[0]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddParts(const ModelContact *contact, System *system)
{
  PetscReal *y, *z;

  PetscFunctionBegin;
  if (!contact->law.law->inspect) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc2(ContactNumParts(contact), &y, ContactNumParts(contact), &z));
  for (PetscInt part = 0; part < ContactNumParts(contact); part++) {
    PetscReal middle[2];

    ContactFindMiddle(contact, part, middle);
    y[part] = middle[0];
    z[part] = middle[1];
  }
  PetscCall(SystemAddContact(system, contact->joint, ContactNumParts(contact), y, z));
  PetscCall(PetscFree2(y, z));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactBuild(const ModelContact *contact, const PetscInt added[], System *system)
{
  PetscReal parameters[JOINT_MAX_PARAMETERS];
  PetscInt  rows[NUM_DIRECTIONS], num_rows = 0;

  PetscFunctionBegin;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    rows[d] = contact->rows[d] < 0 ? -1 : added[contact->rows[d]];
    num_rows += rows[d] >= 0;
  }
  if (num_rows == 0) {
    PetscCall(InputComplain(contact->node, "its two sides cannot move against each other: this contact would never act"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(AddParts(contact, system));
  ContactShareParameters(contact, parameters);
  for (PetscInt part = 0; part < ContactNumParts(contact); part++) {
    parameters[contact->preload] = contact->loads[part];
    parameters[contact->gap]     = contact->gaps[part];
    PetscCall(SystemAddLaw(system, contact->law.law, parameters, rows));
    PetscCall(AddRotations(contact, part, rows, system));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the case cannot say of each part, and what the moment makes of it. */
void ContactDescribe(const ModelContact *contact, FILE *out)
{
  const PetscReal preload = contact->law.parameters[contact->preload];
  PetscReal       least = PETSC_INFINITY, most = 0.0;
  PetscInt        num_open = 0;

  for (PetscInt part = 0; part < ContactNumParts(contact); part++) {
    least = PetscMin(least, contact->loads[part]);
    most  = PetscMax(most, contact->loads[part]);
    num_open += contact->gaps[part] > 0.0;
  }
  fprintf(out, "    contact %s: %s", contact->joint, contact->law.law->name);
  if (contact->size[0] > 0.0)
    fprintf(out, ", %" PetscInt_FMT " parts on %g x %g m", ContactNumParts(contact), (double)contact->size[0], (double)contact->size[1]);
  if (preload > 0.0) fprintf(out, ", preload %g N", (double)preload);
  if (most > least) fprintf(out, ", which presses parts with %.4g to %.4g N", (double)least, (double)most);
  if (num_open == ContactNumParts(contact)) fprintf(out, ", open by %g m at rest", (double)contact->gaps[0]);
  else if (num_open > 0) fprintf(out, ", %" PetscInt_FMT " of them open at rest", num_open);
  fprintf(out, "\n");
}

PetscErrorCode ContactDestroy(ModelContact *contact)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(contact->loads, contact->gaps));
  PetscFunctionReturn(PETSC_SUCCESS);
}
