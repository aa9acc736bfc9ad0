/* motions.c - the motions that go with given matrices: "bolt x" is point `bolt` in x, "bolt" alone moves in x, "mode 3" is no point. */
#include "matrix.h"
#include <string.h>

/* The direction that stands behind the name; -1 after a complaint. */
static PetscErrorCode ReadDirection(const InputNode *node, const char *text, PetscInt *direction)
{
  PetscFunctionBegin;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    *direction = strcmp(text, direction_names[d]) == 0 ? d : -1;
    if (*direction >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputChoose(node, text, "direction", direction_names, direction));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The given point of this name, the latest first; GROUND when there is none. */
static PetscInt Find(const Model *model, const char *name)
{
  for (PetscInt p = model->points.count - 1; p >= model->first_given; p--)
    if (strcmp(model->points.list[p].name, name) == 0) return p;
  return GROUND;
}

static PetscErrorCode AddPoint(const InputNode *node, const char *name, Model *model, PetscInt *point)
{
  char **const copy = &model->matrices.names[model->matrices.num_points++];

  PetscFunctionBegin;
  PetscCall(PetscStrallocpy(name, copy));
  *point                     = model->points.count++;
  model->points.list[*point] = (Point){.name = *copy, .node = node, .given = PETSC_TRUE};
  PetscCall(InputCheckName(node, name));
  if (strcmp(name, "ground") == 0) PetscCall(InputComplain(node, "a point cannot be named 'ground': that is the one that never moves"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddComponent(const InputNode *node, Point *point, PetscInt direction)
{
  PetscFunctionBegin;
  for (PetscInt c = 0; c < point->num_components; c++) {
    if (point->direction[c] != direction) continue;
    PetscCall(InputComplain(node, "point '%s' is given twice in %s", point->name, direction_names[direction]));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  point->direction[point->num_components++] = direction;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddMotion(const InputNode *node, const char *text, Model *model)
{
  GivenMatrices *const matrices = &model->matrices;
  const PetscInt       motion   = matrices->num_motions++;
  const char *const    blank    = strchr(text, ' ');
  char                 name[128];

  PetscFunctionBegin;
  matrices->point[motion]     = GROUND;
  matrices->direction[motion] = 0;
  PetscCall(PetscStrncpy(name, text, blank ? PetscMin(sizeof(name), (size_t)(blank - text) + 1) : sizeof(name)));
  if (strcmp(name, "mode") == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (blank) PetscCall(ReadDirection(node, blank + 1, &matrices->direction[motion]));
  if (matrices->direction[motion] < 0) PetscFunctionReturn(PETSC_SUCCESS);
  matrices->point[motion] = Find(model, name);
  if (matrices->point[motion] == GROUND) PetscCall(AddPoint(node, name, model, &matrices->point[motion]));
  PetscCall(AddComponent(node, &model->points.list[matrices->point[motion]], matrices->direction[motion]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MotionsRead(const InputNode *node, const InputTexts *names, Model *model)
{
  GivenMatrices *const matrices = &model->matrices;

  PetscFunctionBegin;
  model->first_given = model->points.count;
  PetscCall(PointsReserve(&model->points, names->count));
  PetscCall(PetscCalloc4(names->count, &matrices->point, names->count, &matrices->direction, names->count, &matrices->combined, names->count,
                         &matrices->names));
  for (PetscInt i = 0; i < names->count; i++) PetscCall(AddMotion(InputIsList(node) ? InputItem(node, i) : node, names->values[i], model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef struct {
  PetscInt   nodes;
  InputTexts directions;
} Numbered;

#define OF(member) offsetof(Numbered, member)

// clang-format off
static const InputField numbered_fields[] = {
  {.key = "nodes", .kind = INPUT_COUNT, .offset = OF(nodes), .fallback = INPUT_REQUIRED, .least = 1, .most = 10000000, .help = "how many there are: n1, n2, ..."},
  {.key = "directions", .kind = INPUT_TEXTS, .offset = OF(directions), .fallback = INPUT_REQUIRED, .help = "directions of each node, in the order of the rows: [x, y, z]"},
  {0},
};
// clang-format on

const InputTable numbered_table = {
  .name = "matrices.points", .summary = "points of nodes that all have the same directions", .fields = numbered_fields};

enum { NAME_LENGTH = 24 };

static PetscErrorCode Reserve(PetscInt count, MotionNames *names)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1((size_t)count * NAME_LENGTH, &names->owned));
  PetscCall(PetscMalloc1(count, &names->values));
  for (PetscInt i = 0; i < count; i++) names->values[i] = names->owned + (size_t)i * NAME_LENGTH;
  names->texts = (InputTexts){.count = count, .values = names->values};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Write(PetscInt i, PetscInt node, const char *direction, MotionNames *names)
{
  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(names->owned + (size_t)i * NAME_LENGTH, NAME_LENGTH, "n%" PetscInt_FMT " %s", node, direction));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadNumbered(const InputNode *node, MotionNames *names)
{
  const InputNode *list   = InputFind(node, "directions");
  const PetscInt   before = InputNumComplaints(InputDocumentOf(node));
  Numbered         input  = {.nodes = 0};
  PetscInt         direction;

  PetscFunctionBegin;
  PetscCall(InputRead(node, &numbered_table, &input));
  for (PetscInt d = 0; d < input.directions.count; d++)
    PetscCall(ReadDirection(InputIsList(list) ? InputItem(list, d) : list, input.directions.values[d], &direction));
  if (InputNumComplaints(InputDocumentOf(node)) > before || input.directions.count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Reserve(input.nodes * input.directions.count, names));
  for (PetscInt i = 0; i < names->texts.count; i++)
    PetscCall(Write(i, i / input.directions.count + 1, input.directions.values[i % input.directions.count], names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MotionsNameLabels(const MatrixLabels *labels, MotionNames *names)
{
  PetscFunctionBegin;
  PetscCall(PetscMemzero(names, sizeof(*names)));
  PetscCall(Reserve(labels->count, names));
  for (PetscInt i = 0; i < labels->count; i++)
    PetscCall(Write(i, InputLabelNode(labels->list[i]), direction_names[InputLabelDirection(labels->list[i]) - 1], names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MotionsReadNames(const InputNode *node, const char *file, MotionNames *names)
{
  const char *dataset = NULL;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(names, sizeof(*names)));
  if (InputIsMap(node)) PetscCall(ReadNumbered(node, names));
  else if (!file || !InputIsScalar(node)) PetscCall(InputGetTexts(node, &names->texts));
  else PetscCall(InputGetText(node, &dataset));
  if (dataset) PetscCall(InputReadDatasetTexts(node, file, dataset, &names->texts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MotionNamesDestroy(MotionNames *names)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(names->values));
  PetscCall(PetscFree(names->owned));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MotionsReadMap(const InputNode *names, const InputNode *node, const char *file, const char *unknown, GivenMatrices *matrices)
{
  const MatrixShape shape = {matrices->num_motions, matrices->size, "point", unknown, NULL};

  PetscFunctionBegin;
  for (PetscInt i = 0; i < matrices->num_motions; i++) {
    if (matrices->point[i] != GROUND || matrices->direction[i] < 0) continue; /* of a direction that there is not was complained */
    PetscCall(InputComplain(InputIsList(names) ? InputItem(names, i) : names,
                            "must be a point: row %" PetscInt_FMT " tells how it moves with the modes, or unknowns", i + 1));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(MatrixRead(node, file, &shape, &matrices->map));
  PetscFunctionReturn(PETSC_SUCCESS);
}
