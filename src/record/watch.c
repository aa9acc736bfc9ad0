/* watch.c - which points, modes and joints of a motion the case wants to see. */
#include "record/watch.h"

typedef struct {
  InputTexts       points, joints, parts;
  const InputNode *modes;
  PetscBool        energy;
} WatchKeys;

#define OF(member) offsetof(WatchKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "points", .kind = INPUT_TEXTS, .offset = OF(points),
   .help = "names of points, `all` (when not given) or `none`: displacement, velocity, acceleration"},
  {.key = "modes", .kind = INPUT_NODE, .offset = OF(modes),
   .help = "numbers of modes, `all` or `none` (when not given): coordinates on the modes with joints stuck"},
  {.key = "joints", .kind = INPUT_TEXTS, .offset = OF(joints),
   .help = "names of joints, `all` (when not given) or `none`: relative displacement, force, dissipated energy; of faces what they do"},
  {.key = "parts", .kind = INPUT_TEXTS, .offset = OF(parts),
   .help = "names of joints with faces, `all` or `none`: what each part does in time, three numbers a part and sample; those of up to 64 parts when not given; what all parts do at the end is kept anyway"},
  {.key = "energy", .kind = INPUT_TRUTH, .offset = OF(energy), .fallback = 1,
   .help = "kinetic, strain, joints, damping, work, and what is missing between them"},
  {.key = NULL}
};
// clang-format on

const InputTable watch_table = {"watch", "what of a motion is kept in the result", fields};

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

PetscErrorCode WatchPoints(const InputNode *node, const System *system, const InputTexts *names, PetscBool all, Watch *watch)
{
  const Extent extent = FindExtent(names, all ? ALL : NONE);
  const char **known;
  PetscInt     p;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(system->num_points, &watch->points));
  if (extent == ALL)
    for (PetscInt i = 0; i < system->num_points; i++) watch->points[watch->num_points++] = i;
  if (extent != SOME) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(system->num_points + 1, &known));
  for (PetscInt i = 0; i < system->num_points; i++) known[i] = system->points[i].name;
  for (PetscInt i = 0; i < names->count; i++) {
    PetscCall(InputChoose(ItemOf(node, i), names->values[i], "point", known, &p));
    if (p >= 0) PetscCall(AddUnique(p, &watch->num_points, watch->points));
  }
  PetscCall(PetscFree(known));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All rows of the joint of that name, and its faces. */
static PetscErrorCode AddJoint(const System *system, const char *joint, Watch *watch)
{
  PetscFunctionBegin;
  for (PetscInt r = 0; r < system->num_rows; r++) {
    PetscBool same;

    PetscCall(PetscStrcmp(system->rows[r].joint, joint, &same));
    if (same) PetscCall(AddUnique(r, &watch->num_rows, watch->rows));
  }
  for (PetscInt c = 0; c < system->num_contacts; c++) {
    PetscBool same;

    PetscCall(PetscStrcmp(system->contacts[c].joint, joint, &same));
    if (same) PetscCall(AddUnique(c, &watch->num_contacts, watch->contacts));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WatchJoints(const InputNode *node, const System *system, const InputTexts *names, PetscBool all, Watch *watch)
{
  const Extent extent    = FindExtent(names, all ? ALL : NONE);
  PetscInt     num_known = 0, j;
  const char **known;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(system->num_rows, &watch->rows));
  PetscCall(PetscMalloc1(system->num_contacts, &watch->contacts));
  if (extent == NONE) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(system->num_rows + 1, &known));
  for (PetscInt r = 0; r < system->num_rows; r++) {
    PetscBool same = PETSC_FALSE;

    for (PetscInt k = 0; k < num_known && !same; k++) PetscCall(PetscStrcmp(system->rows[r].joint, known[k], &same));
    if (!same) known[num_known++] = system->rows[r].joint;
  }
  for (PetscInt k = 0; extent == ALL && k < num_known; k++) PetscCall(AddJoint(system, known[k], watch));
  for (PetscInt i = 0; extent == SOME && i < names->count; i++) {
    PetscCall(InputChoose(ItemOf(node, i), names->values[i], "joint", known, &j));
    if (j >= 0) PetscCall(AddJoint(system, known[j], watch));
  }
  PetscCall(PetscFree(known));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which of the faces that are watched have histories of their parts. */
static PetscErrorCode ReadParts(const InputNode *node, const System *system, const InputTexts *names, Watch *watch)
{
  const Extent extent = FindExtent(names, SOME);
  const char **known;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(watch->num_contacts, &watch->keeps_parts));
  for (PetscInt i = 0; i < watch->num_contacts; i++)
    watch->keeps_parts[i] = (PetscBool)(extent == ALL || (!node && system->contacts[watch->contacts[i]].num_parts <= MOST_WATCHED_PARTS));
  PetscCall(PetscCalloc1(system->num_contacts + 1, &known));
  for (PetscInt c = 0; c < system->num_contacts; c++) known[c] = system->contacts[c].joint;
  for (PetscInt k = 0; extent == SOME && k < names->count; k++) {
    PetscInt c, i = 0;

    PetscCall(InputChoose(ItemOf(node, k), names->values[k], "joint with faces", known, &c));
    while (i < watch->num_contacts && watch->contacts[i] != c) i++;
    if (i < watch->num_contacts) watch->keeps_parts[i] = PETSC_TRUE;
    else if (c >= 0) PetscCall(InputComplain(ItemOf(node, k), "joint '%s' is not watched: add it to `joints`", known[c]));
  }
  PetscCall(PetscFree(known));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadModes(const InputNode *node, const System *system, Watch *watch)
{
  const char *text;
  PetscBool   all = PETSC_FALSE, none = (PetscBool)!node;
  PetscInt    mode, count;

  PetscFunctionBegin;
  if (node && InputIsScalar(node)) {
    PetscCall(InputGetText(node, &text));
    PetscCall(PetscStrcmp(text, "all", &all));
    PetscCall(PetscStrcmp(text, "none", &none));
  }
  PetscCall(PetscMalloc1(system->num_unknowns, &watch->modes));
  for (PetscInt k = 0; all && k < system->num_unknowns; k++) watch->modes[watch->num_modes++] = k;
  if (all || none) PetscFunctionReturn(PETSC_SUCCESS);
  count = InputIsList(node) ? InputCount(node) : 1;
  for (PetscInt i = 0; i < count; i++) {
    mode = 0;
    PetscCall(InputGetCount(ItemOf(node, i), &mode));
    if (mode >= 1 && mode <= system->num_unknowns) PetscCall(AddUnique(mode - 1, &watch->num_modes, watch->modes));
    else PetscCall(InputComplain(ItemOf(node, i), "modes are numbered 1 to %" PetscInt_FMT ", got %" PetscInt_FMT, system->num_unknowns, mode));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WatchRead(const InputNode *node, const System *system, PetscInt every, Watch *watch)
{
  WatchKeys keys = {.energy = PETSC_TRUE};

  PetscFunctionBegin;
  PetscCall(PetscMemzero(watch, sizeof(*watch)));
  if (node) PetscCall(InputRead(node, &watch_table, &keys));
  watch->every  = every;
  watch->energy = keys.energy;
  if (!system) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(WatchPoints(node ? InputFind(node, "points") : NULL, system, &keys.points, PETSC_TRUE, watch));
  PetscCall(WatchJoints(node ? InputFind(node, "joints") : NULL, system, &keys.joints, PETSC_TRUE, watch));
  PetscCall(ReadParts(node ? InputFind(node, "parts") : NULL, system, &keys.parts, watch));
  PetscCall(ReadModes(keys.modes, system, watch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WatchDestroy(Watch *watch)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(watch->points));
  PetscCall(PetscFree(watch->modes));
  PetscCall(PetscFree(watch->rows));
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

/* Measured on one core of an AMD EPYC: products of a row of B, T or the modes with the motion, a look at every part of faces, and writing. */
PetscReal WatchSampleSeconds(const Watch *watch, const System *system)
{
  const PetscInt width = WatchWidth(watch, system);

  return 30e-9 + (watch->num_contacts ? 7e-9 * (PetscReal)system->num_parts : 0.0) +
         (PetscReal)width * (4e-9 + 0.25e-9 * (PetscReal)system->num_unknowns);
}

PetscInt WatchWidth(const Watch *watch, const System *system)
{
  PetscInt width = 1 + 2 * watch->num_modes + 3 * watch->num_rows + (watch->energy ? 6 : 0);

  for (PetscInt i = 0; i < watch->num_contacts; i++)
    width += NUM_FACE_STATES + (watch->keeps_parts[i] ? NUM_OF_PARTS * system->contacts[watch->contacts[i]].num_parts : 0);
  for (PetscInt p = 0; p < watch->num_points; p++) width += 3 * system->points[watch->points[p]].num_components;
  return width;
}

/* Of each contact the time of its last state, that state, and where its parts are. */
PetscInt WatchRunWidth(const Watch *watch, const System *system)
{
  PetscInt width = 0;

  for (PetscInt i = 0; i < watch->num_contacts; i++) width += 1 + (NUM_OF_PARTS + 2) * system->contacts[watch->contacts[i]].num_parts;
  return width;
}
