/* space_path_keys.c - paths in three directions as a case gives them. */
#include "input/columns.h"
#include "space_path.h"

typedef struct {
  const InputNode *directions[SPACE_DIM], *pressing_change, *ramp, *table;
  PetscReal        pressing;
} SpaceKeys;

typedef struct {
  const InputNode *through;
  PetscReal        speed;
} RampKeys;

typedef struct {
  const char *file, *time, *columns[SPACE_DIM];
  PetscReal   scale;
} TableKeys;

static const char *const names[SPACE_DIM] = {"x", "y", "z"};

// clang-format off
static const InputField fields[] = {
  {.key = "x", .kind = INPUT_NODE, .offset = offsetof(SpaceKeys, directions[0]), .help = "displacement normal to the faces, which presses them when it falls: a path as of a `law`, {sine: {amplitude: 1e-6}}; default: none"},
  {.key = "y", .kind = INPUT_NODE, .offset = offsetof(SpaceKeys, directions[1]), .help = "displacement along the faces, likewise"},
  {.key = "z", .kind = INPUT_NODE, .offset = offsetof(SpaceKeys, directions[2]), .help = "likewise, across y"},
  {.key = "pressing", .kind = INPUT_REAL, .offset = offsetof(SpaceKeys, pressing), .fallback = INPUT_OPTIONAL, .least = 0, .most = PETSC_INFINITY, .unit = "N",
   .help = "in place of x: force that presses the faces together, for which their normal motion is solved; without it and without x they rest at the preload"},
  {.key = "pressing_change", .kind = INPUT_NODE, .offset = offsetof(SpaceKeys, pressing_change),
   .help = "path of a force [N] that is added to `pressing`, or, without that, to the preload of the law: {sine: {amplitude: 50 N}}"},
  {.key = "ramp", .kind = INPUT_NODE, .offset = offsetof(SpaceKeys, ramp), .help = "in place of x, y, z: straight lines through points"},
  {.key = "table", .kind = INPUT_NODE, .offset = offsetof(SpaceKeys, table), .help = "in place of x, y, z: displacements of a file"},
  {0}
};

static const InputField ramp_fields[] = {
  {.key = "through", .kind = INPUT_NODE, .offset = offsetof(RampKeys, through), .fallback = INPUT_REQUIRED,
   .help = "points [x, y, z] in m, or [y, z] with `pressing` or `pressing_change`, that are reached one after another on straight lines from 0"},
  {.key = "speed", .kind = INPUT_REAL, .offset = offsetof(RampKeys, speed), .fallback = 1.0, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "m/s", .help = "speed; it matters for laws that depend on velocity"},
  {0}
};

static const InputField table_fields[] = {
  {.key = "file", .kind = INPUT_PATH, .offset = offsetof(TableKeys, file), .fallback = INPUT_REQUIRED,
   .help = "numbers in columns separated by commas, semicolons or blanks; HDF5, MATLAB's or universal file; straight lines from 0 to the first values and from each to the next"},
  {.key = "time", .kind = INPUT_TEXT, .offset = offsetof(TableKeys, time), .unit = "s", .help = "column of the times, from 1 (default: the first), or their dataset, /a/b"},
  {.key = "x", .kind = INPUT_TEXT, .offset = offsetof(TableKeys, columns[0]), .unit = "m", .help = "column of the displacement in x (default: the second) or its dataset; none with `pressing` or `pressing_change`"},
  {.key = "y", .kind = INPUT_TEXT, .offset = offsetof(TableKeys, columns[1]), .unit = "m", .help = "of y (default: the next)"},
  {.key = "z", .kind = INPUT_TEXT, .offset = offsetof(TableKeys, columns[2]), .unit = "m", .help = "of z (default: the next)"},
  {.key = "scale", .kind = INPUT_REAL, .offset = offsetof(TableKeys, scale), .fallback = 1.0, .help = "factor of the displacements, to convert them to SI units"},
  {0}
};
// clang-format on

static const InputTable space_table = {"path of a contact", "how the two sides are moved against each other", fields},
                        ramp_table  = {"path.ramp of a contact", "straight lines at constant speed", ramp_fields},
                        table_table = {"path.table of a contact", "displacements of a file, for instance measured ones", table_fields};

const InputTable *const space_path_tables[] = {&space_table, &ramp_table, &table_table, NULL};

/* Directions that share times; the corners are filled in later. */
static PetscErrorCode CreateCorners(SpacePath *path, PathKind kind, PetscInt count)
{
  PetscFunctionBegin;
  for (PetscInt d = path->presses; d < SPACE_DIM; d++) {
    path->paths[d] = (Path){.kind = kind, .num_corners = count};
    PetscCall(PetscCalloc1(count, &path->paths[d].corners));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Steps follow the direction that moves most: what others do within a hundredth of that makes none. */
static void MarkBranches(SpacePath *path)
{
  const PetscReal little = 0.01;
  PetscReal       most   = 0.0;

  for (PetscInt d = path->presses; d < SPACE_DIM; d++)
    for (PetscInt i = 0; i < path->paths[d].num_corners; i++) most = PetscMax(most, PetscAbsReal(path->paths[d].corners[i].displacement));
  for (PetscInt d = path->presses; d < SPACE_DIM; d++)
    if (path->paths[d].num_corners) PathMarkTurns(&path->paths[d], little * most, PETSC_FALSE);
}

static PetscErrorCode CheckPoints(const InputNode *list, PetscInt dim, PetscBool *fine)
{
  PetscFunctionBegin;
  *fine = (PetscBool)(InputIsList(list) && InputCount(list) > 0);
  for (PetscInt i = 0; *fine && i < InputCount(list); i++) *fine = InputIsList(InputItem(list, i));
  if (!*fine)
    PetscCall(InputComplain(list, dim == SPACE_DIM ? "expected a list of points, [[x, y, z], ...]"
                                                   : "expected a list of points, [[y, z], ...], as the pressing force is given"));
  for (PetscInt i = 0; *fine && i < InputCount(list); i++)
    if (InputCount(InputItem(list, i)) != dim) {
      PetscCall(InputComplain(InputItem(list, i), "expected %s, found %" PetscInt_FMT " number%s",
                              dim == SPACE_DIM ? "three numbers, [x, y, z]" : "two numbers, [y, z], as the pressing force is given",
                              InputCount(InputItem(list, i)), InputCount(InputItem(list, i)) == 1 ? "" : "s"));
      *fine = PETSC_FALSE;
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A point after the one before it: when it is reached. */
static PetscErrorCode AddPoint(const InputNode *item, PetscReal speed, PetscInt i, SpacePath *path)
{
  const PetscInt first = path->presses;
  InputReals     place;
  PetscReal      square = 0.0, before;

  PetscFunctionBegin;
  PetscCall(InputGetReals(item, "m", &place));
  if (place.count != SPACE_DIM - first) PetscFunctionReturn(PETSC_SUCCESS); /* complained of */
  for (PetscInt d = first; d < SPACE_DIM; d++) square += PetscSqr(place.values[d - first] - path->paths[d].corners[i].displacement);
  before = path->paths[first].corners[i].time;
  for (PetscInt d = first; d < SPACE_DIM; d++)
    path->paths[d].corners[i + 1] = (PathCorner){.time = before + PetscSqrtReal(square) / speed, .displacement = place.values[d - first]};
  if (square == 0.0) PetscCall(InputComplain(item, "must differ from where the path is already"));
  else if (!(path->paths[first].corners[i + 1].time > before))
    PetscCall(InputComplain(item, "is so near to the point before that nothing moves at %g m/s", speed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadRamp(const InputNode *map, SpacePath *path)
{
  RampKeys  keys = {.through = NULL};
  PetscBool fine;

  PetscFunctionBegin;
  PetscCall(InputRead(map, &ramp_table, &keys));
  if (!keys.through) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CheckPoints(keys.through, SPACE_DIM - path->presses, &fine));
  if (!fine) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CreateCorners(path, PATH_RAMP, InputCount(keys.through) + 1));
  for (PetscInt i = 0; i < InputCount(keys.through); i++) PetscCall(AddPoint(InputItem(keys.through, i), keys.speed, i, path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Those of the times, and of each direction that the file gives. */
static PetscErrorCode ReadColumns(const InputNode *map, const TableKeys *keys, SpacePath *path, Column columns[])
{
  const PetscInt   first = path->presses, count = 1 + SPACE_DIM - first;
  const InputNode *node                  = InputFind(map, "time") ? InputFind(map, "time") : InputFind(map, "file");
  ColumnKey        wanted[1 + SPACE_DIM] = {{"time", keys->time, 1, PETSC_TRUE, COLUMN_OF_TIME}};
  PetscBool        ascend;

  PetscFunctionBegin;
  for (PetscInt c = 1; c < count; c++) {
    const PetscInt d = first + c - 1;

    wanted[c] = (ColumnKey){names[d], keys->columns[d], c + 1, PETSC_FALSE, COLUMN_OF_TIME};
  }
  PetscCall(ColumnsRead(map, keys->file, count, wanted, columns));
  if (columns[0].count == 1) PetscCall(InputComplain(node, "expected two times or more, found one"));
  if (columns[0].count > 1) PetscCall(ColumnCheckTimes(node, &columns[0], &ascend));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadTable(const InputNode *map, SpacePath *path)
{
  TableKeys keys = {.scale = 1.0};
  Column    columns[1 + SPACE_DIM];

  PetscFunctionBegin;
  path->has_file = PETSC_TRUE;
  PetscCall(InputRead(map, &table_table, &keys));
  if (InputFind(map, "scale") && keys.scale == 0.0) PetscCall(InputComplain(InputFind(map, "scale"), "must not be 0: nothing would move"));
  if (path->presses && keys.columns[0])
    PetscCall(InputComplain(InputFind(map, "x"), "is solved for where the pressing force is given: leave it out"));
  if (!keys.file) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadColumns(map, &keys, path, columns));
  PetscCall(CreateCorners(path, PATH_TABLE, columns[0].count));
  for (PetscInt d = path->presses; d < SPACE_DIM; d++)
    for (PetscInt i = 0; i < columns[0].count; i++)
      path->paths[d].corners[i] =
        (PathCorner){.time = ColumnAt(&columns[0], i), .displacement = keys.scale * ColumnAt(&columns[1 + d - path->presses], i)};
  PetscCall(ColumnsDestroy(1 + SPACE_DIM - path->presses, columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadDirections(const SpaceKeys *keys, SpacePath *path)
{
  PetscFunctionBegin;
  for (PetscInt d = 0; d < SPACE_DIM; d++)
    if (keys->directions[d]) PetscCall(PathRead(keys->directions[d], PATH_OF_FACES, &path->paths[d]));
  for (PetscInt d = 0; d < SPACE_DIM; d++) path->has_file = (PetscBool)(path->has_file || path->paths[d].kind == PATH_TABLE);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which of the ways to say it this is. */
static PetscErrorCode ReadWay(const InputNode *node, const SpaceKeys *keys, SpacePath *path)
{
  static const char *const ways[] = {"ramp", "table", NULL}, *const single[] = {"x", "y", "z", NULL};
  PetscInt way;

  PetscFunctionBegin;
  PetscCall(InputExclusive(node, ways, PETSC_FALSE, &way));
  if (keys->ramp || keys->table) PetscCall(InputRefuseKeys(node, single, "is given by the `ramp` or `table`"));
  if (path->presses && keys->directions[0])
    PetscCall(InputComplain(InputFind(node, "x"), "is solved for where the pressing force is given: leave out one of them"));
  if (keys->ramp) PetscCall(ReadRamp(keys->ramp, path));
  else if (keys->table) PetscCall(ReadTable(keys->table, path));
  else PetscCall(ReadDirections(keys, path));
  if (keys->pressing_change) PetscCall(PathRead(keys->pressing_change, PATH_OF_PRESSING, &path->paths[0]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindEnds(const InputNode *node, SpacePath *path)
{
  PetscReal start = PETSC_MAX_REAL, end = PETSC_MIN_REAL;

  PetscFunctionBegin;
  for (PetscInt d = 0; d < SPACE_DIM; d++) {
    const Path *const own = &path->paths[d];

    if (own->num_corners == 0) continue;
    start = PetscMin(start, own->corners[0].time);
    end   = PetscMax(end, own->corners[own->num_corners - 1].time);
  }
  if (start > end) PetscCall(InputComplain(node, "moves nothing: give x, y or z, or `pressing_change`, a `ramp` or a `table`"));
  else {
    path->start = start;
    path->end   = end;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SpacePathRead(const InputNode *node, PetscReal preload, SpacePath *path)
{
  const PetscInt num_complaints = InputNumComplaints(InputDocumentOf(node));
  SpaceKeys      keys           = {.pressing = 0.0};

  PetscFunctionBegin;
  PetscCall(PetscMemzero(path, sizeof(*path)));
  PetscCall(InputRead(node, &space_table, &keys));
  path->presses = (PetscBool)(InputIsMap(node) && (InputFind(node, "pressing") || keys.pressing_change));
  path->mean    = path->presses && !InputFind(node, "pressing") ? preload : keys.pressing;
  if (InputNumComplaints(InputDocumentOf(node)) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadWay(node, &keys, path));
  if (InputNumComplaints(InputDocumentOf(node)) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  if (keys.ramp || keys.table) MarkBranches(path);
  PetscCall(FindEnds(node, path));
  PetscFunctionReturn(PETSC_SUCCESS);
}
