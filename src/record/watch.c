/* watch.c - which points, modes and joints of a motion the case wants to see. */
#include "record/watch.h"
#include <string.h>

typedef struct {
  InputTexts       points, joints, parts;
  const InputNode *modes;
  PetscBool        energy;
} WatchKeys;

#define OF(member) offsetof(WatchKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "points", .kind = INPUT_TEXTS, .offset = OF(points),
   .help = "names of points, `all` (default) or `none`: displacement, velocity, acceleration"},
  {.key = "modes", .kind = INPUT_NODE, .offset = OF(modes),
   .help = "numbers of modes, `all` or `none` (default): modal coordinates, for the modes with joints stuck"},
  {.key = "joints", .kind = INPUT_TEXTS, .offset = OF(joints),
   .help = "names of joints, `all` (default) or `none`: relative displacement, force, dissipated energy; for contacts also their state; of layers between faces the mean displacement and the whole force of each direction"},
  {.key = "parts", .kind = INPUT_TEXTS, .offset = OF(parts),
   .help = "names of joints with a contact, `all` or `none`: histories of each part, three numbers per part and sample; default: contacts of up to 64 parts; the state of all parts at the end is always stored"},
  {.key = "energy", .kind = INPUT_TRUTH, .offset = OF(energy), .fallback = 1,
   .help = "store energies: kinetic, strain, joints, damping, work, and the error of their balance"},
  {.key = NULL}
};
// clang-format on

const InputTable watch_table = {"watch", "what is stored of a motion", fields};

typedef enum { SOME, ALL, NONE } Extent;

static Extent FindExtent(const InputTexts *names, Extent fallback)
{
  PetscBool all, none;

  if (names->count == 0) return fallback;
  (void)PetscStrcmp(names->values[0], "all", &all);
  (void)PetscStrcmp(names->values[0], "none", &none);
  if (names->count > 1 || (!all && !none)) return SOME;
  return all ? ALL : NONE;
}

/* The node of item i of a value that may be a single scalar. */
static const InputNode *ItemOf(const InputNode *node, PetscInt i)
{
  return InputIsList(node) ? InputItem(node, i) : node;
}

static PetscErrorCode AddUnique(PetscInt value, PetscInt *count, PetscInt values[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < *count; i++)
    if (values[i] == value) PetscFunctionReturn(PETSC_SUCCESS);
  values[(*count)++] = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WatchPoints(const InputNode *node, const Names *names, const InputTexts *texts, PetscBool all, Watch *watch)
{
  const Extent extent = FindExtent(texts, all ? ALL : NONE);
  PetscInt     p;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(names->num_points, &watch->points));
  for (PetscInt i = 0; extent == ALL && i < names->num_points; i++) watch->points[watch->num_points++] = i;
  for (PetscInt i = 0; extent == SOME && i < texts->count; i++) {
    PetscCall(NamesChoosePoint(names, ItemOf(node, i), texts->values[i], &p));
    if (p >= 0) PetscCall(AddUnique(p, &watch->num_points, watch->points));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All rows of the joint of that name, and its faces. Where those are of a mesh, the points of a contact are seen as parts only, and those of
   laws of single directions together, as a layer. */
static PetscErrorCode AddJoint(const Names *names, const char *joint, Watch *watch)
{
  const PetscInt contact = NamesFindContact(names, joint);

  PetscFunctionBegin;
  for (PetscInt r = 0; r < names->num_rows; r++) {
    const PetscInt  point = names->rows[r].point;
    const PetscBool seen  = (PetscBool)(point == NO_FACE_POINT || (point == 0 && contact < 0));

    if (seen && !strcmp(names->rows[r].joint, joint)) PetscCall(AddUnique(r, &watch->num_rows, watch->rows));
  }
  if (contact >= 0) PetscCall(AddUnique(contact, &watch->num_contacts, watch->contacts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WatchJoints(const InputNode *node, const Names *names, const InputTexts *texts, PetscBool all, Watch *watch)
{
  const Extent extent = FindExtent(texts, all ? ALL : NONE);
  PetscInt     row;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(names->num_rows, &watch->rows, names->num_rows, &watch->sizes));
  PetscCall(PetscMalloc1(names->num_contacts, &watch->contacts));
  for (PetscInt r = 0; extent == ALL && r < names->num_rows; r++)
    if (names->rows[r].point <= 0) PetscCall(AddJoint(names, names->rows[r].joint, watch));
  for (PetscInt i = 0; extent == SOME && i < texts->count; i++) {
    PetscCall(NamesChooseJoint(names, ItemOf(node, i), texts->values[i], &row));
    if (row >= 0) PetscCall(AddJoint(names, names->rows[row].joint, watch));
  }
  for (PetscInt i = 0; i < watch->num_rows; i++) watch->sizes[i] = NamesLayerSize(names, watch->rows[i]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which of the faces that are watched have histories of their parts. */
static PetscErrorCode ReadParts(const InputNode *node, const Names *names, const InputTexts *texts, Watch *watch)
{
  const Extent extent = FindExtent(texts, SOME);

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(watch->num_contacts, &watch->keeps_parts));
  for (PetscInt i = 0; i < watch->num_contacts; i++)
    watch->keeps_parts[i] = (PetscBool)(extent == ALL || (!node && names->contacts[watch->contacts[i]].num_parts <= MOST_WATCHED_PARTS));
  for (PetscInt k = 0; extent == SOME && k < texts->count; k++) {
    PetscInt c, i = 0;

    PetscCall(NamesChooseContact(names, ItemOf(node, k), texts->values[k], &c));
    while (i < watch->num_contacts && watch->contacts[i] != c) i++;
    if (i < watch->num_contacts) watch->keeps_parts[i] = PETSC_TRUE;
    else if (c >= 0) PetscCall(InputComplain(ItemOf(node, k), "joint '%s' is not watched: add it to `joints`", names->contacts[c].joint));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadMode(const InputNode *node, const Names *names, Watch *watch)
{
  PetscInt mode = 0;

  PetscFunctionBegin;
  PetscCall(InputGetCount(node, &mode));
  if (mode >= 1 && mode <= names->num_unknowns) PetscCall(AddUnique(mode - 1, &watch->num_modes, watch->modes));
  else if (names->known) PetscCall(InputComplain(node, "modes are numbered 1 to %" PetscInt_FMT ", got %" PetscInt_FMT, names->num_unknowns, mode));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadModes(const InputNode *node, const Names *names, Watch *watch)
{
  const char *text;
  PetscBool   all = PETSC_FALSE, none = (PetscBool)!node;

  PetscFunctionBegin;
  if (node && InputIsScalar(node)) {
    PetscCall(InputGetText(node, &text));
    PetscCall(PetscStrcmp(text, "all", &all));
    PetscCall(PetscStrcmp(text, "none", &none));
  }
  PetscCall(PetscMalloc1(names->num_unknowns, &watch->modes));
  for (PetscInt k = 0; all && k < names->num_unknowns; k++) watch->modes[watch->num_modes++] = k;
  if (all || none) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < (InputIsList(node) ? InputCount(node) : 1); i++) PetscCall(ReadMode(ItemOf(node, i), names, watch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WatchRead(const InputNode *node, const Names *names, PetscInt every, Watch *watch)
{
  WatchKeys keys = {.energy = PETSC_TRUE};

  PetscFunctionBegin;
  PetscCall(PetscMemzero(watch, sizeof(*watch)));
  if (node) PetscCall(InputRead(node, &watch_table, &keys));
  watch->every  = every;
  watch->energy = keys.energy;
  PetscCall(WatchPoints(node ? InputFind(node, "points") : NULL, names, &keys.points, PETSC_TRUE, watch));
  PetscCall(WatchJoints(node ? InputFind(node, "joints") : NULL, names, &keys.joints, PETSC_TRUE, watch));
  PetscCall(ReadParts(node ? InputFind(node, "parts") : NULL, names, &keys.parts, watch));
  PetscCall(ReadModes(keys.modes, names, watch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WatchDestroy(Watch *watch)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(watch->points));
  PetscCall(PetscFree(watch->modes));
  PetscCall(PetscFree2(watch->rows, watch->sizes));
  PetscCall(PetscFree(watch->contacts));
  PetscCall(PetscFree(watch->keeps_parts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt WatchMaxMode(const Watch *watch)
{
  PetscInt most = 0;

  for (PetscInt i = 0; i < watch->num_modes; i++) most = PetscMax(most, watch->modes[i] + 1);
  return most;
}

/* Measured on one core of an AMD EPYC: products of a row of B, T or the modes with the motion, a look at every part of faces and point of layers, and writing. */
PetscReal WatchSampleSeconds(const Watch *watch, const Names *names)
{
  const PetscInt width = WatchWidth(watch, names);
  PetscInt       seen  = watch->num_contacts ? names->num_parts : 0;

  for (PetscInt r = 0; r < watch->num_rows; r++) seen += watch->sizes[r] - 1;
  return 30e-9 + 7e-9 * (PetscReal)seen + (PetscReal)width * (4e-9 + 0.25e-9 * (PetscReal)names->num_unknowns);
}

PetscInt WatchWidth(const Watch *watch, const Names *names)
{
  PetscInt width = 1 + 2 * watch->num_modes + 3 * watch->num_rows + names->num_bolts + (watch->energy ? 6 : 0);

  for (PetscInt i = 0; i < watch->num_contacts; i++)
    width += NUM_FACE_STATES + (watch->keeps_parts[i] ? NUM_OF_PARTS * names->contacts[watch->contacts[i]].num_parts : 0);
  for (PetscInt p = 0; p < watch->num_points; p++) width += 3 * names->points[watch->points[p]].num_components;
  return width;
}

/* Of each contact the time of its last state, that state, and where its parts are. */
PetscInt WatchRunWidth(const Watch *watch, const Names *names)
{
  PetscInt width = 0;

  for (PetscInt i = 0; i < watch->num_contacts; i++) width += 1 + (NUM_OF_PARTS + 2) * names->contacts[watch->contacts[i]].num_parts;
  return width;
}
