/* contact.c - faces that touch: a law that acts in x, y and z together, at a joint or at the parts of an area around it. */
#include "parts.h"
#include <petscblaslapack.h>

enum { NUM_UNKNOWNS = 3 }; /* of rigid faces that approach: depth, and tilts about y and z */

typedef struct {
  const InputNode *law;
  InputReals       area, parts, moment;
} ContactInput;

// clang-format off
static const InputField fields[] = {
  {.key = "law", .kind = INPUT_NODE, .offset = offsetof(ContactInput, law), .fallback = INPUT_REQUIRED,
   .help = "the name of a law, or {law: ..., parameters}; of all of the area, each part has its share of what is per area"},
  {.key = "area", .kind = INPUT_REALS, .offset = offsetof(ContactInput, area), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "m",
   .help = "[along y, along z]: a rectangle around the joint that moves with its two sides; else all acts at the joint itself"},
  {.key = "parts", .kind = INPUT_REALS, .offset = offsetof(ContactInput, parts), .fallback = INPUT_OPTIONAL, .least = 1, .most = 1000,
   .help = "[along y, along z]: whole numbers; a point of the law at the middle of each part"},
  {.key = "moment", .kind = INPUT_REALS, .offset = offsetof(ContactInput, moment), .fallback = INPUT_OPTIONAL, .unit = "N m",
   .help = "[M_y, M_z] of the preload about the joint: M_y = sum z F_N, M_z = - sum y F_N"},
  {0},
};
// clang-format on

const InputTable contact_table = {
  .name = "joints.NAME.contact", .summary = "faces that press, slide, part and meet again; x is normal to them", .fields = fields};

static PetscErrorCode CheckPair(const InputNode *map, const char *key, const InputReals *pair)
{
  PetscFunctionBegin;
  if (pair->count != 0 && pair->count != 2)
    PetscCall(InputComplain(InputFind(map, key), "must be two numbers, [along y, along z], got %" PetscInt_FMT, pair->count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckArea(const InputNode *map, const ContactInput *input)
{
  PetscFunctionBegin;
  PetscCall(CheckPair(map, "area", &input->area));
  PetscCall(CheckPair(map, "parts", &input->parts));
  PetscCall(CheckPair(map, "moment", &input->moment));
  if (input->area.count && !input->parts.count) PetscCall(InputComplain(map, "give `parts` with `area`, for instance parts: [4, 4]"));
  if (!input->area.count && input->parts.count) PetscCall(InputComplain(InputFind(map, "parts"), "needs an `area`, [along y, along z]"));
  if (!input->area.count && input->moment.count) PetscCall(InputComplain(InputFind(map, "moment"), "needs an `area`: a point takes no moment"));
  for (PetscInt i = 0; i < input->parts.count; i++)
    if (input->parts.values[i] != PetscFloorReal(input->parts.values[i]))
      PetscCall(InputComplain(InputFind(map, "parts"), "expected whole numbers, found %g", (double)input->parts.values[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt NumParts(const ModelContact *contact)
{
  return contact->parts[0] * contact->parts[1];
}

/* The middle of a part, from the joint: y and z. */
static void FindMiddle(const ModelContact *contact, PetscInt part, PetscReal middle[2])
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

/* What a part of the law has of what the area has. */
static void ShareParameters(const ModelContact *contact, PetscReal parameters[])
{
  const JointParameter *const known = contact->law.law->parameters;

  for (PetscInt p = 0; known[p].name; p++) parameters[p] = contact->law.parameters[p] / (known[p].shared ? NumParts(contact) : 1);
}

/* Rigid faces that approach: part i is pressed by F(b_i . x) with b_i = (1, z_i, -y_i) and x the depth and the tilts. The forces are the
   slope of a convex potential, whose minimum under the preload is sought. */
typedef struct {
  const ModelContact *contact;
  JointBlock          part; /* unloaded */
  JointHistory        untouched;
  PetscReal           wanted[NUM_UNKNOWNS], force[NUM_UNKNOWNS], slope[NUM_UNKNOWNS * NUM_UNKNOWNS];
} Pressing;

static PetscReal DepthOf(const Pressing *pressing, const PetscReal x[], PetscInt part, PetscReal b[])
{
  PetscReal middle[2];

  FindMiddle(pressing->contact, part, middle);
  b[0] = 1.0;
  b[1] = middle[1];
  b[2] = -middle[0];
  return b[0] * x[0] + b[1] * x[1] + b[2] * x[2];
}

static PetscReal Press(const Pressing *pressing, PetscReal depth, PetscReal *slope)
{
  const PetscReal   displacement[3] = {-depth, 0.0, 0.0}, velocity[3] = {0.0, 0.0, 0.0};
  const JointMotion motion = {displacement, velocity};
  PetscReal         force[3], stiffness[9];
  JointForce        result = {.force = force, .stiffness = stiffness};

  pressing->part.law->evaluate(&pressing->part, &pressing->untouched, &motion, &result);
  *slope = stiffness[0];
  return -force[0];
}

/* Sum of b F less what is wanted; and the sum of b b^T F'. */
static void SumForces(Pressing *pressing, const PetscReal x[])
{
  for (PetscInt i = 0; i < NUM_UNKNOWNS; i++) pressing->force[i] = -pressing->wanted[i];
  for (PetscInt i = 0; i < NUM_UNKNOWNS * NUM_UNKNOWNS; i++) pressing->slope[i] = 0.0;
  for (PetscInt part = 0; part < NumParts(pressing->contact); part++) {
    PetscReal       b[NUM_UNKNOWNS], slope;
    const PetscReal force = Press(pressing, DepthOf(pressing, x, part, b), &slope);

    for (PetscInt i = 0; i < NUM_UNKNOWNS; i++) {
      pressing->force[i] += b[i] * force;
      for (PetscInt j = 0; j < NUM_UNKNOWNS; j++) pressing->slope[i * NUM_UNKNOWNS + j] += b[i] * b[j] * slope;
    }
  }
}

/* A little is added so that tilts which no part resists do no harm. */
static PetscErrorCode FindDirection(Pressing *pressing, PetscReal direction[])
{
  const PetscReal little = 1e-10;
  PetscBLASInt    n = NUM_UNKNOWNS, one = 1, pivots[NUM_UNKNOWNS], info;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < NUM_UNKNOWNS; i++) {
    direction[i] = -pressing->force[i];
    pressing->slope[i * (NUM_UNKNOWNS + 1)] += little * pressing->slope[i * (NUM_UNKNOWNS + 1)] + PETSC_SMALL * pressing->slope[0];
  }
  PetscCallBLAS("LAPACKgesv", LAPACKgesv_(&n, &one, pressing->slope, &n, pivots, direction, &n, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "no part of a pressed area is stiff");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Along a direction the slope of the potential rises: the step at which it is zero, or the whole one. */
static void Advance(Pressing *pressing, const PetscReal direction[], PetscReal x[])
{
  enum { NUM_BISECTIONS = 50 };
  PetscReal low = 0.0, high = 1.0, at[NUM_UNKNOWNS];

  for (PetscInt k = 0; k <= NUM_BISECTIONS; k++) {
    const PetscReal step = k == 0 ? high : 0.5 * (low + high);
    PetscReal       rise = 0.0;

    for (PetscInt i = 0; i < NUM_UNKNOWNS; i++) at[i] = x[i] + step * direction[i];
    SumForces(pressing, at);
    for (PetscInt i = 0; i < NUM_UNKNOWNS; i++) rise += pressing->force[i] * direction[i];
    if (rise <= 0.0) low = step;
    else high = step;
    if (low == high) break;
  }
  for (PetscInt i = 0; i < NUM_UNKNOWNS; i++) x[i] = at[i];
}

/* Newton's rule, from faces that are pressed far into each other; with that, the sum of forces is within round-off of the preload. */
static PetscErrorCode FindBalance(Pressing *pressing, PetscReal x[], PetscBool *found)
{
  enum { MAX_ITERATIONS = 200 };
  const PetscReal enough = 1e-12;

  PetscFunctionBegin;
  *found = PETSC_FALSE;
  for (PetscInt iteration = 0; iteration < MAX_ITERATIONS && !*found; iteration++) {
    PetscReal direction[NUM_UNKNOWNS], reach[NUM_UNKNOWNS];

    SumForces(pressing, x);
    for (PetscInt i = 0; i < NUM_UNKNOWNS; i++) reach[i] = i == 0 ? 1.0 : 0.5 * pressing->contact->size[2 - i];
    *found = PETSC_TRUE;
    for (PetscInt i = 0; i < NUM_UNKNOWNS; i++)
      *found = (PetscBool)(*found && PetscAbsReal(pressing->force[i]) <= enough * reach[i] * pressing->wanted[0]);
    if (*found) break;
    PetscCall(FindDirection(pressing, direction));
    Advance(pressing, direction, x);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A depth to which the preload does not press faces that lie flat on each other, but half of it would. */
static PetscReal FindStart(const Pressing *pressing)
{
  const PetscReal share = pressing->wanted[0] / NumParts(pressing->contact);
  PetscReal       depth = 1.0, slope;

  while (Press(pressing, 0.5 * depth, &slope) >= share) depth *= 0.5;
  while (Press(pressing, depth, &slope) < share) depth *= 2.0;
  return depth;
}

/* What presses each part, and how far open it is where nothing does. */
static PetscErrorCode DistributePreload(const InputNode *map, ModelContact *contact)
{
  Pressing  pressing = {.contact = contact, .wanted = {contact->law.parameters[contact->preload], contact->moment[0], contact->moment[1]}};
  PetscReal parameters[JOINT_MAX_PARAMETERS], x[NUM_UNKNOWNS] = {0.0};
  PetscBool found;

  PetscFunctionBegin;
  ShareParameters(contact, parameters);
  parameters[contact->preload] = parameters[contact->gap] = 0.0;
  PetscCall(JointBlockCreate(contact->law.law, parameters, 1, &pressing.part));
  PetscCall(JointHistoryCreate(&pressing.part, &pressing.untouched));
  x[0] = FindStart(&pressing);
  PetscCall(FindBalance(&pressing, x, &found));
  if (!found) PetscCall(InputComplain(map, "no pressing of its parts balances the preload and its moment"));
  for (PetscInt part = 0; part < NumParts(contact); part++) {
    PetscReal       b[NUM_UNKNOWNS], slope;
    const PetscReal depth = DepthOf(&pressing, x, part, b);

    contact->loads[part] = PetscMax(0.0, Press(&pressing, depth, &slope));
    contact->gaps[part]  = PetscMax(0.0, -depth);
  }
  PetscCall(JointHistoryDestroy(&pressing.untouched));
  PetscCall(JointBlockDestroy(&pressing.part));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Parts can only press: the force must act between the middles of the outermost ones. */
static PetscErrorCode CheckMoment(const InputNode *map, const ModelContact *contact, PetscBool *fine)
{
  const PetscReal preload = contact->law.parameters[contact->preload];

  PetscFunctionBegin;
  *fine = PETSC_TRUE;
  for (PetscInt i = 0; i < 2; i++) {
    const PetscInt  along  = 1 - i; /* a moment about y acts along z */
    const PetscReal reach  = 0.5 * contact->size[along] * (1.0 - 1.0 / contact->parts[along]);
    const PetscReal moment = PetscAbsReal(contact->moment[i]);

    if (moment == 0.0 || moment < preload * reach) continue;
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
  PetscCall(PetscMalloc2(NumParts(contact), &contact->loads, NumParts(contact), &contact->gaps));
  for (PetscInt part = 0; part < NumParts(contact); part++) {
    contact->loads[part] = preload / NumParts(contact);
    contact->gaps[part]  = gap;
  }
  PetscCall(CheckMoment(map, contact, &fine));
  if (fine && (contact->moment[0] != 0.0 || contact->moment[1] != 0.0)) PetscCall(DistributePreload(map, contact));
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
  FindMiddle(contact, part, middle);
  PetscCall(SystemAddLawTerm(system, 0, rows[4], middle[1]));
  PetscCall(SystemAddLawTerm(system, 0, rows[5], -middle[0]));
  PetscCall(SystemAddLawTerm(system, 1, rows[3], -middle[1]));
  PetscCall(SystemAddLawTerm(system, 2, rows[3], middle[0]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactBuild(const ModelContact *contact, const PetscInt added[], System *system)
{
  PetscReal parameters[JOINT_MAX_PARAMETERS];
  PetscInt  rows[NUM_DIRECTIONS];

  PetscFunctionBegin;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) rows[d] = contact->rows[d] < 0 ? -1 : added[contact->rows[d]];
  ShareParameters(contact, parameters);
  for (PetscInt part = 0; part < NumParts(contact); part++) {
    parameters[contact->preload] = contact->loads[part];
    parameters[contact->gap]     = contact->gaps[part];
    PetscCall(SystemAddLaw(system, contact->law.law, parameters, rows));
    PetscCall(AddRotations(contact, part, rows, system));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactDestroy(ModelContact *contact)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(contact->loads, contact->gaps));
  PetscFunctionReturn(PETSC_SUCCESS);
}
