/* contact_area.c - faces that touch, as a case gives them: a law, the parts of a rectangle, and what presses each. */
#include "area.h"

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
  const InputNode *const size = InputFind(map, "area");

  PetscFunctionBegin;
  PetscCall(CheckPair(map, "area", &input->area));
  PetscCall(CheckPair(map, "parts", &input->parts));
  PetscCall(CheckPair(map, "moment", &input->moment));
  if (size && !InputFind(map, "parts")) PetscCall(InputComplain(map, "give `parts` with `area`, for instance parts: [4, 4]"));
  if (!size && input->parts.count) PetscCall(InputComplain(InputFind(map, "parts"), "needs an `area`, [along y, along z]"));
  if (!size && input->moment.count) PetscCall(InputComplain(InputFind(map, "moment"), "needs an `area`: a point takes no moment"));
  for (PetscInt i = 0; i < input->parts.count; i++)
    if (input->parts.values[i] != PetscFloorReal(input->parts.values[i]))
      PetscCall(InputComplain(InputFind(map, "parts"), "expected whole numbers, found %g", (double)input->parts.values[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt ContactAreaNumParts(const ContactArea *area)
{
  return area->parts[0] * area->parts[1];
}

void ContactAreaMiddle(const ContactArea *area, PetscInt part, PetscReal middle[2])
{
  const PetscInt place[2] = {part % area->parts[0], part / area->parts[0]};

  for (PetscInt a = 0; a < 2; a++) middle[a] = area->size[a] * ((place[a] + 0.5) / area->parts[a] - 0.5);
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

void ContactAreaShare(const ContactArea *area, PetscReal parameters[])
{
  const JointParameter *const known = area->law.law->parameters;

  for (PetscInt p = 0; known[p].name; p++) parameters[p] = area->law.parameters[p] / (known[p].shared ? ContactAreaNumParts(area) : 1);
}

void ContactAreaPart(const ContactArea *area, PetscInt part, PetscReal parameters[])
{
  ContactAreaShare(area, parameters);
  parameters[area->preload] = area->loads[part];
  parameters[area->gap]     = area->gaps[part];
}

/* Parts can only press: the force must act between the middles of the outermost ones. */
static PetscErrorCode CheckMoment(const InputNode *map, const ContactArea *area, PetscBool *fine)
{
  const PetscReal preload = area->law.parameters[area->preload], roundoff = 1e-12;

  PetscFunctionBegin;
  *fine = PETSC_TRUE;
  for (PetscInt i = 0; i < 2; i++) {
    const PetscInt  along  = 1 - i; /* a moment about y acts along z */
    const PetscReal reach  = 0.5 * area->size[along] * (1.0 - 1.0 / area->parts[along]);
    const PetscReal moment = PetscAbsReal(area->moment[i]);

    if (moment == 0.0 || moment < (1.0 - roundoff) * preload * reach) continue;
    *fine = PETSC_FALSE;
    if (reach == 0.0)
      PetscCall(InputComplain(InputFind(map, "moment"), "a single part along %s takes no moment about %s", direction_names[1 + along],
                              direction_names[1 + i]));
    else
      PetscCall(
        InputComplain(InputFind(map, "moment"),
                      "a moment of %g N m about %s takes a preload above %.4g N, got %g N: parts can only press, and the outermost are %g m away",
                      (double)area->moment[i], direction_names[1 + i], (double)(moment / reach), (double)preload, (double)reach));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Load(const InputNode *map, ContactArea *area)
{
  const PetscReal preload = area->law.parameters[area->preload], gap = area->law.parameters[area->gap];
  PetscBool       fine;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(ContactAreaNumParts(area), &area->loads, ContactAreaNumParts(area), &area->gaps));
  for (PetscInt part = 0; part < ContactAreaNumParts(area); part++) {
    area->loads[part] = preload / ContactAreaNumParts(area);
    area->gaps[part]  = gap;
  }
  PetscCall(CheckMoment(map, area, &fine));
  if (fine && (area->moment[0] != 0.0 || area->moment[1] != 0.0)) PetscCall(ContactAreaDistributePreload(map, area));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of what the case says, when all of it is right. */
static PetscErrorCode Take(const InputNode *map, const ContactInput *input, const NamedLaw *law, ContactArea *area)
{
  PetscFunctionBegin;
  *area = (ContactArea){.law = *law, .parts = {1, 1}, .preload = FindParameter(law->law, "preload"), .gap = FindParameter(law->law, "gap")};
  for (PetscInt a = 0; a < 2; a++) {
    if (input->area.count) area->size[a] = input->area.values[a];
    if (input->parts.count) area->parts[a] = (PetscInt)input->parts.values[a];
    if (input->moment.count) area->moment[a] = input->moment.values[a];
  }
  PetscCall(Load(map, area));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactAreaRead(const InputNode *map, Laws *laws, ContactArea *area)
{
  const PetscInt num_complaints = InputNumComplaints(InputDocumentOf(map));
  ContactInput   input          = {.law = NULL};
  NamedLaw      *found          = NULL;
  PetscInt       num_found      = 0;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(area, sizeof(*area)));
  PetscCall(InputRead(map, &contact_table, &input));
  PetscCall(CheckArea(map, &input));
  if (input.law) PetscCall(LawsResolve(laws, input.law, 3, "in x, y and z together", &num_found, &found));
  if (num_found > 1) PetscCall(InputComplain(input.law, "expected one law, found %" PetscInt_FMT, num_found));
  if (num_found == 1 && InputNumComplaints(InputDocumentOf(map)) == num_complaints) PetscCall(Take(map, &input, &found[0], area));
  PetscCall(PetscFree(found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactAreaDestroy(ContactArea *area)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(area->loads, area->gaps));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the case cannot say of each part, and what the moment makes of it. */
void ContactAreaDescribe(const ContactArea *area, FILE *out)
{
  const PetscReal preload = area->law.parameters[area->preload];
  PetscReal       least = PETSC_INFINITY, most = 0.0;
  PetscInt        num_open = 0;

  for (PetscInt part = 0; part < ContactAreaNumParts(area); part++) {
    least = PetscMin(least, area->loads[part]);
    most  = PetscMax(most, area->loads[part]);
    num_open += area->gaps[part] > 0.0;
  }
  fprintf(out, "%s", area->law.law->name);
  if (area->size[0] > 0.0)
    fprintf(out, ", %" PetscInt_FMT " parts on %g x %g m", ContactAreaNumParts(area), (double)area->size[0], (double)area->size[1]);
  if (preload > 0.0) fprintf(out, ", preload %g N", (double)preload);
  if (most > least) fprintf(out, ", which presses parts with %.4g to %.4g N", (double)least, (double)most);
  if (num_open == ContactAreaNumParts(area)) fprintf(out, ", open by %g m at rest", (double)area->gaps[0]);
  else if (num_open > 0) fprintf(out, ", %" PetscInt_FMT " of them open at rest", num_open);
}
