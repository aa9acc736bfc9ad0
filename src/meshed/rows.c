/* rows.c - what the rest of the structure sees of a mesh, R u: motions of points that are kept, and equations between points. */
#include "meshed_private.h"

/* Row i of R is the motion of a point, or what a constraint keeps at rest: entries of `sum` before end[i]. */
typedef struct {
  PetscInt   num_rows, *end;
  MeshMotion sum;
} Rows;

/* Along an axis of the model, or of the frame of a joint. */
static PetscErrorCode AddPoint(const MeshedPart *meshed, PetscInt index, PetscInt component, Rows *rows)
{
  const Point *const point     = &meshed->points->list[index];
  const Site *const  site      = SiteOfPoint(meshed, index);
  const PetscInt     direction = point->direction[component], k = direction % SPACE;

  PetscFunctionBegin;
  if (!point->frame) PetscCall(MeshMotionAdd(meshed, site, direction, 1.0, &rows->sum));
  for (PetscInt c = 0; c < SPACE && point->frame; c++)
    PetscCall(MeshMotionAdd(meshed, site, direction - k + c, point->frame->axis[k][c], &rows->sum));
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

static PetscErrorCode ToMatrix(const MeshedPart *meshed, const Rows *rows, Mat *matrix)
{
  PetscInt *row;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(rows->sum.count, &row));
  for (PetscInt i = 0, k = 0; i < rows->num_rows; i++)
    while (k < rows->end[i]) row[k++] = i;
  PetscCall(MatCreate(MeshComm(meshed->mesh), matrix));
  PetscCall(MatSetSizes(*matrix, PETSC_DECIDE, meshed->unknowns.num_local, rows->num_rows, meshed->unknowns.num_total));
  PetscCall(MatSetType(*matrix, MATAIJ));
  PetscCall(MatSetPreallocationCOO(*matrix, rows->sum.count, row, rows->sum.unknown));
  PetscCall(MatSetValuesCOO(*matrix, rows->sum.factor, INSERT_VALUES));
  PetscCall(PetscFree(row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RowsMatrix(const MeshedPart *meshed, Mat *R)
{
  Rows rows;

  PetscFunctionBegin;
  PetscCall(RowsCreate(meshed->kept.count + MeshedNumHeld(meshed), &rows));
  for (PetscInt k = 0; k < meshed->kept.count; k++) {
    const PetscInt point = PointOfCoordinate(meshed->points, meshed->kept.coordinates[k]);

    PetscCall(AddPoint(meshed, point, meshed->kept.coordinates[k] - meshed->points->list[point].first, &rows));
  }
  for (PetscInt c = 0; c < meshed->attached.num_constraints; c++) {
    PetscCall(ConstraintAdd(meshed, &meshed->attached.constraints[c], &rows.sum));
    rows.end[rows.num_rows++] = rows.sum.count;
  }
  for (PetscInt i = 0; i < TouchingNumHeld(&meshed->touching); i++) {
    PetscCall(TouchingAddHeld(meshed, i, &rows.sum));
    rows.end[rows.num_rows++] = rows.sum.count;
  }
  PetscCall(ToMatrix(meshed, &rows, R));
  if (meshed->attached.num_constraints) PetscCall(ClearRoundOff(&rows.sum, *R));
  PetscCall(RowsDestroy(&rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A row for each component of each point, empty where it is no follower. */
static PetscErrorCode CreateFollowers(const MeshedPart *meshed, Mat *followers)
{
  Rows rows;

  PetscFunctionBegin;
  PetscCall(RowsCreate(NUM_DIRECTIONS * meshed->points->count, &rows));
  for (PetscInt p = 0; p < meshed->points->count; p++) {
    const Point *const point = &meshed->points->list[p];

    for (PetscInt c = 0; c < point->num_components; c++) {
      if (SiteFollows(meshed, p, c)) PetscCall(AddPoint(meshed, p, c, &rows));
      else rows.end[rows.num_rows++] = rows.sum.count;
    }
  }
  PetscCall(ToMatrix(meshed, &rows, followers));
  PetscCall(RowsDestroy(&rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Constraints are tied to what never moves. */
PetscErrorCode ContinuumTie(const MeshedPart *meshed, const Numbering *numbering, Continuum *continuum)
{

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(meshed->kept.count + MeshedNumHeld(meshed), &continuum->unknown));
  for (PetscInt k = 0; k < meshed->kept.count; k++) continuum->unknown[k] = numbering->unknown[meshed->kept.coordinates[k]];
  for (PetscInt c = 0; c < MeshedNumHeld(meshed); c++) continuum->unknown[meshed->kept.count + c] = GROUND;
  PetscCall(CreateFollowers(meshed, &continuum->followers));
  PetscFunctionReturn(PETSC_SUCCESS);
}
