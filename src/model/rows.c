/* rows.c - what the rest of the structure sees of a mesh, R u: motions of points that are kept, and equations between points. */
#include "structure.h"

/* Row i of R is the motion of a point, or what a constraint keeps at rest: entries of `sum` before end[i]. */
typedef struct {
  PetscInt   num_rows, *end;
  MeshMotion sum;
} Rows;

const ModelPoint *PointOfCoordinate(const Model *model, PetscInt coordinate)
{
  for (PetscInt p = 0; p < model->num_points; p++)
    if (coordinate < model->points[p].first + model->points[p].num_components) return &model->points[p];
  return NULL;
}

/* Along an axis of the model, or of the frame of a joint. */
static PetscErrorCode AddPoint(const Structure *structure, const ModelPoint *point, PetscInt component, Rows *rows)
{
  const PetscInt direction = point->direction[component], k = direction % SPACE;

  PetscFunctionBegin;
  if (!point->frame) PetscCall(MeshMotionAdd(structure, point->site, direction, 1.0, &rows->sum));
  for (PetscInt c = 0; c < SPACE && point->frame; c++)
    PetscCall(MeshMotionAdd(structure, point->site, direction - k + c, point->frame->axis[k][c], &rows->sum));
  rows->end[rows->num_rows++] = rows->sum.count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RowsCreate(PetscInt room, Rows *rows)
{
  PetscFunctionBegin;
  PetscCall(PetscMemzero(rows, sizeof(*rows)));
  PetscCall(PetscMalloc1(room, &rows->end));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RowsDestroy(Rows *rows)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(rows->end));
  PetscCall(MeshMotionDestroy(&rows->sum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Entries of a row that cancel but for round-off are none: the row is then empty, and said to be. */
static PetscErrorCode ClearRoundOff(const MeshMotion *sum, Mat R)
{
  PetscReal   *size;
  Vec          ones, sizes, largest;
  PetscScalar *value;
  PetscInt     count;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(R, &ones, &sizes));
  PetscCall(VecDuplicate(sizes, &largest));
  PetscCall(PetscMalloc1(sum->count, &size));
  for (PetscInt i = 0; i < sum->count; i++) size[i] = PetscAbsReal(sum->factor[i]);
  PetscCall(MatSetValuesCOO(R, size, INSERT_VALUES));
  PetscCall(VecSet(ones, 1.0));
  PetscCall(MatMult(R, ones, sizes));
  PetscCall(MatSetValuesCOO(R, sum->factor, INSERT_VALUES));
  PetscCall(MatGetRowMaxAbs(R, largest, NULL));
  PetscCall(VecPointwiseDivide(largest, largest, sizes));
  PetscCall(VecGetLocalSize(largest, &count));
  PetscCall(VecGetArray(largest, &value));
  for (PetscInt i = 0; i < count; i++) value[i] = value[i] > 1e-12 ? 1.0 : 0.0;
  PetscCall(VecRestoreArray(largest, &value));
  PetscCall(MatDiagonalScale(R, largest, NULL));
  PetscCall(PetscFree(size));
  PetscCall(VecDestroy(&ones));
  PetscCall(VecDestroy(&sizes));
  PetscCall(VecDestroy(&largest));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ToMatrix(const Structure *structure, const Rows *rows, Mat *matrix)
{
  PetscInt *row;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(rows->sum.count, &row));
  for (PetscInt i = 0, k = 0; i < rows->num_rows; i++)
    while (k < rows->end[i]) row[k++] = i;
  PetscCall(MatCreate(MeshComm(structure->mesh), matrix));
  PetscCall(MatSetSizes(*matrix, PETSC_DECIDE, structure->unknowns.num_local, rows->num_rows, structure->unknowns.num_total));
  PetscCall(MatSetType(*matrix, MATAIJ));
  PetscCall(MatSetPreallocationCOO(*matrix, rows->sum.count, row, rows->sum.unknown));
  PetscCall(MatSetValuesCOO(*matrix, rows->sum.factor, INSERT_VALUES));
  PetscCall(PetscFree(row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RowsMatrix(const Model *model, Mat *R)
{
  const Structure *const structure = model->structure;
  Rows                   rows;

  PetscFunctionBegin;
  PetscCall(RowsCreate(structure->num_kept + structure->num_constraints, &rows));
  for (PetscInt k = 0; k < structure->num_kept; k++) {
    const ModelPoint *const point = PointOfCoordinate(model, structure->kept[k]);

    PetscCall(AddPoint(structure, point, structure->kept[k] - point->first, &rows));
  }
  for (PetscInt c = 0; c < structure->num_constraints; c++) {
    PetscCall(ConstraintAdd(model, &structure->constraints[c], &rows.sum));
    rows.end[rows.num_rows++] = rows.sum.count;
  }
  PetscCall(ToMatrix(structure, &rows, R));
  if (structure->num_constraints) PetscCall(ClearRoundOff(&rows.sum, *R));
  PetscCall(RowsDestroy(&rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A row for each component of each point, empty where it is no follower. */
static PetscErrorCode CreateFollowers(const Model *model, Mat *followers)
{
  Rows rows;

  PetscFunctionBegin;
  PetscCall(RowsCreate(NUM_DIRECTIONS * model->num_points, &rows));
  for (PetscInt p = 0; p < model->num_points; p++) {
    const ModelPoint *const point = &model->points[p];

    for (PetscInt c = 0; c < point->num_components; c++) {
      if (point->site && !point->kept && !point->fixed[c]) PetscCall(AddPoint(model->structure, point, c, &rows));
      else rows.end[rows.num_rows++] = rows.sum.count;
    }
  }
  PetscCall(ToMatrix(model->structure, &rows, followers));
  PetscCall(RowsDestroy(&rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Constraints are tied to what never moves. */
PetscErrorCode ContinuumTie(const Model *model, const Numbering *numbering, Continuum *continuum)
{
  const Structure *const structure = model->structure;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(structure->num_kept + structure->num_constraints, &continuum->unknown));
  for (PetscInt k = 0; k < structure->num_kept; k++) continuum->unknown[k] = numbering->unknown[structure->kept[k]];
  for (PetscInt c = 0; c < structure->num_constraints; c++) continuum->unknown[structure->num_kept + c] = GROUND;
  PetscCall(CreateFollowers(model, &continuum->followers));
  PetscFunctionReturn(PETSC_SUCCESS);
}
