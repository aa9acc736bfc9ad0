/* sparse_influence.c - products with H, and Newton's equation, by sparse factors. */
#include "sparse_influence.h"

struct SparseInfluence {
  const LinearRows *joints;
  KSP               solver; /* with S, borrowed */
  PetscReal         c;
  InfluenceProducts products;

  Mat           sum, factors; /* S + c B^T D B, and its factors */
  MatFactorInfo info;
  PetscInt      num_values;
  PetscReal    *stiff;          /* [num_values] S, at the places of the sum */
  PetscInt     *place, *others; /* of b_i b_j of each row b in the sum, row after row from others[r] on */

  Vec        x, y;                        /* borrow arrays */
  PetscReal *force, *response, *solution; /* [n] B^T f, S^-1 B^T f of the forces asked for last, and of the sum */
  PetscReal *asked;                       /* [m] these forces */
};

/* A factorisation that says so where it fails: a step may be divided. A pivot is nothing when it is zero, as masses may be small. */
static PetscErrorCode AnalyseFactors(Mat matrix, Mat *factors, MatFactorInfo *info)
{
  IS rows, columns;

  PetscFunctionBegin;
  PetscCall(MatFactorInfoInitialize(info));
  info->zeropivot = 0.0;
  PetscCall(MatGetFactor(matrix, MATSOLVERPETSC, MAT_FACTOR_CHOLESKY, factors));
  PetscCall(MatGetOrdering(matrix, MATORDERINGND, &rows, &columns));
  PetscCall(MatCholeskyFactorSymbolic(*factors, matrix, rows, info));
  PetscCall(ISDestroy(&rows));
  PetscCall(ISDestroy(&columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SparseInfluenceCountFactors(Mat matrix, PetscReal *count)
{
  MatFactorInfo info;
  MatInfo       found;
  Mat           factors;

  PetscFunctionBegin;
  PetscCall(AnalyseFactors(matrix, &factors, &info));
  PetscCall(MatGetInfo(factors, MAT_LOCAL, &found));
  *count = found.nz_used;
  PetscCall(MatDestroy(&factors));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* S with places for all that joints may add. */
static PetscErrorCode CreateSum(SparseInfluence *sparse, Mat S)
{
  const LinearRows *const joints = sparse->joints;
  Mat                     rows, places;

  PetscFunctionBegin;
  PetscCall(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, joints->count, joints->n, joints->first, joints->column, joints->value, &rows));
  PetscCall(MatTransposeMatMult(rows, rows, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &places));
  PetscCall(MatScale(places, 0.0));
  PetscCall(MatDuplicate(S, MAT_COPY_VALUES, &sparse->sum));
  PetscCall(MatrixAdd(&sparse->sum, 1.0, places));
  PetscCall(MatSetOption(sparse->sum, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(MatDestroy(&places));
  PetscCall(MatDestroy(&rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the products of the entries of each row go. */
static void FillPlaces(SparseInfluence *sparse, const PetscInt start[], const PetscInt column[])
{
  const LinearRows *const joints = sparse->joints;
  PetscInt                next   = 0;

  for (PetscInt r = 0; r < joints->count; r++) {
    sparse->others[r] = next;
    for (PetscInt i = joints->first[r]; i < joints->first[r + 1]; i++)
      for (PetscInt j = joints->first[r]; j < joints->first[r + 1]; j++) {
        PetscInt at = start[joints->column[i]];

        while (column[at] != joints->column[j]) at++;
        sparse->place[next++] = at;
      }
  }
}

static PetscErrorCode FindPlaces(SparseInfluence *sparse)
{
  const LinearRows *const joints = sparse->joints;
  const PetscInt         *start, *column;
  PetscReal              *value;
  PetscInt                n, num_places = 0;
  PetscBool               done;

  PetscFunctionBegin;
  for (PetscInt r = 0; r < joints->count; r++) num_places += PetscMax(0, PetscSqr(joints->first[r + 1] - joints->first[r]));
  PetscCall(MatGetRowIJ(sparse->sum, 0, PETSC_FALSE, PETSC_FALSE, &n, &start, &column, &done));
  PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_PLIB, "a sparse matrix does not show its rows");
  sparse->num_values = start[n];
  PetscCall(PetscMalloc3(sparse->num_values, &sparse->stiff, num_places, &sparse->place, joints->count, &sparse->others));
  FillPlaces(sparse, start, column);
  PetscCall(MatRestoreRowIJ(sparse->sum, 0, PETSC_FALSE, PETSC_FALSE, &n, &start, &column, &done));
  PetscCall(MatSeqAIJGetArray(sparse->sum, &value));
  PetscCall(PetscArraycpy(sparse->stiff, value, sparse->num_values));
  PetscCall(MatSeqAIJRestoreArray(sparse->sum, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Solve(const SparseInfluence *sparse, KSP solver, Mat factors, const PetscReal right[], PetscReal solution[])
{
  PetscFunctionBeginHot;
  PetscCall(VecPlaceArray(sparse->x, right));
  PetscCall(VecPlaceArray(sparse->y, solution));
  if (solver) PetscCall(KSPSolve(solver, sparse->x, sparse->y));
  else PetscCall(MatSolve(factors, sparse->x, sparse->y));
  PetscCall(VecResetArray(sparse->x));
  PetscCall(VecResetArray(sparse->y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Leaves it in sparse->response. The last forces of a balance are those that it ends with, which are then asked for again. */
static PetscErrorCode Respond(SparseInfluence *sparse, const PetscReal force[])
{
  PetscBool known;

  PetscFunctionBeginHot;
  PetscCall(PetscArraycmp(force, sparse->asked, sparse->joints->count, &known));
  if (known) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscArraycpy(sparse->asked, force, sparse->joints->count));
  LinearRowsCombine(sparse->joints, force, sparse->force);
  PetscCall(Solve(sparse, sparse->solver, NULL, sparse->force, sparse->response));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SparseInfluenceRespond(SparseInfluence *sparse, const PetscReal force[], PetscReal response[])
{
  PetscFunctionBeginHot;
  PetscCall(Respond(sparse, force));
  PetscCall(PetscArraycpy(response, sparse->response, sparse->joints->n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Move(void *data, const PetscReal force[], PetscReal motion[])
{
  SparseInfluence *const sparse = data;

  PetscFunctionBeginHot;
  PetscCall(Respond(sparse, force));
  LinearRowsTimes(sparse->joints, sparse->response, motion);
  for (PetscInt r = 0; r < sparse->joints->count; r++) motion[r] *= sparse->c;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* S + c B^T D B. */
static PetscErrorCode FillSum(const SparseInfluence *sparse, const PetscReal D[])
{
  const LinearRows *const joints = sparse->joints;
  PetscReal              *value;

  PetscFunctionBeginHot;
  PetscCall(MatSeqAIJGetArray(sparse->sum, &value));
  PetscCall(PetscArraycpy(value, sparse->stiff, sparse->num_values));
  for (PetscInt r = 0; r < joints->count; r++) {
    const PetscReal change = sparse->c * D[r];
    PetscInt        next   = sparse->others[r];

    if (change == 0.0) continue;
    for (PetscInt i = joints->first[r]; i < joints->first[r + 1]; i++)
      for (PetscInt j = joints->first[r]; j < joints->first[r + 1]; j++) value[sparse->place[next++]] += change * joints->value[i] * joints->value[j];
  }
  PetscCall(MatSeqAIJRestoreArray(sparse->sum, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* solution = right - c B (S + c B^T D B)^-1 B^T D right */
static PetscErrorCode SolveWith(void *data, const PetscReal D[], const PetscReal right[], PetscReal solution[], PetscBool *solved)
{
  SparseInfluence *const  sparse = data;
  const LinearRows *const joints = sparse->joints;
  MatFactorError          fault;

  PetscFunctionBeginHot;
  PetscCall(FillSum(sparse, D));
  PetscCall(MatCholeskyFactorNumeric(sparse->factors, sparse->sum, &sparse->info));
  PetscCall(MatFactorGetError(sparse->factors, &fault));
  *solved = (PetscBool)(fault == MAT_FACTOR_NOERROR);
  if (!*solved) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt r = 0; r < joints->count; r++) solution[r] = D[r] * right[r];
  LinearRowsCombine(joints, solution, sparse->force);
  PetscCall(Solve(sparse, NULL, sparse->factors, sparse->force, sparse->solution));
  LinearRowsTimes(joints, sparse->solution, solution);
  for (PetscInt r = 0; r < joints->count; r++) solution[r] = right[r] - sparse->c * solution[r];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SparseInfluenceCreate(const LinearRows *joints, Mat S, KSP solver, PetscReal c, SparseInfluence **sparse, Influence *influence)
{
  const PetscInt   n = joints->n;
  SparseInfluence *made;

  PetscFunctionBegin;
  PetscCall(PetscNew(sparse));
  made           = *sparse;
  made->joints   = joints;
  made->solver   = solver;
  made->c        = c;
  made->products = (InfluenceProducts){.data = made, .move = Move, .solve = SolveWith};
  PetscCall(PetscCalloc4(n, &made->force, n, &made->response, n, &made->solution, joints->count, &made->asked));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, NULL, &made->x));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, NULL, &made->y));
  PetscCall(CreateSum(made, S));
  PetscCall(FindPlaces(made));
  PetscCall(AnalyseFactors(made->sum, &made->factors, &made->info));
  *influence = InfluenceOfProducts(joints->count, &made->products);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SparseInfluenceDestroy(SparseInfluence **sparse)
{
  SparseInfluence *const s = *sparse;

  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatDestroy(&s->sum));
  PetscCall(MatDestroy(&s->factors));
  PetscCall(PetscFree3(s->stiff, s->place, s->others));
  PetscCall(VecDestroy(&s->x));
  PetscCall(VecDestroy(&s->y));
  PetscCall(PetscFree4(s->force, s->response, s->solution, s->asked));
  PetscCall(PetscFree(*sparse));
  PetscFunctionReturn(PETSC_SUCCESS);
}
