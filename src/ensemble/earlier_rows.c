/*
  earlier_rows.c - samples that earlier results have: of the same case with fewer samples, or with a part of them.

  The new result takes the place of the earlier one, which is kept as RESULT.1 until all that it holds is in the new one and on disk. A run that was
  killed meanwhile finds it there.
*/
#include "stored_table.h"
#include <string.h>
#include <unistd.h>

typedef struct EarlierRows {
  PetscInt      num;
  StoredTable **tables;
  char         *path; /* of the new result */
} EarlierRows;

static PetscErrorCode Add(Ensemble *e, StoredTable *table)
{
  EarlierRows *const earlier = e->earlier;

  PetscFunctionBegin;
  PetscCall(PetscRealloc(sizeof(StoredTable *) * (size_t)(earlier->num + 1), &earlier->tables));
  earlier->tables[earlier->num++] = table;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EarlierRowsDestroy(Ensemble *e)
{
  PetscFunctionBegin;
  if (!e->earlier) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < e->earlier->num; i++) PetscCall(StoredTableClose(&e->earlier->tables[i], PETSC_FALSE));
  PetscCall(PetscFree(e->earlier->tables));
  PetscCall(PetscFree(e->earlier->path));
  PetscCall(PetscFree(e->earlier));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A result of these samples, of other ones or of a part of them; NULL for anything else. */
static PetscErrorCode Open(const char *path, const char *values, StoredTable **table)
{
  char fault[512], difference[512];

  PetscFunctionBegin;
  PetscCall(StoredTableOpen(path, STORED_READ, table, sizeof(fault), fault));
  if (!*table) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(StoredCompare(StoredValues((*table)->result), values, stored_table_ignored, sizeof(difference), difference));
  if (difference[0]) PetscCall(StoredTableClose(table, PETSC_FALSE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On all ranks; `rows` is 0 where nothing is to be refused. */
static PetscErrorCode RefuseOther(const Ensemble *e, const char *path, PetscInt rows)
{
  const InputNode *const samples = InputFind(e->node, "samples");

  PetscFunctionBegin;
  if (rows)
    PetscCall(InputComplain(samples ? samples : e->node,
                            "a Latin hypercube cannot be extended: %s has one of %" PetscInt_FMT " samples; without --resume all are computed anew",
                            path, rows));
  PetscCall(InputVerdict(e->the_case->document));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The result at the path: one that is to be resumed, one that is to be extended, or neither. */
static PetscErrorCode LookAtPlace(Ensemble *e, const char *values, ResultMode *mode, PetscInt *refused)
{
  StoredTable *table;

  PetscFunctionBegin;
  PetscCall(Open(e->earlier->path, values, &table));
  if (!table) PetscFunctionReturn(PETSC_SUCCESS);
  if (strcmp(StoredValues(table->result), values) == 0) {
    PetscCall(StoredTableClose(&table, PETSC_FALSE));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  *mode = RESULT_NEW;
  if (e->method == PLAN_LATIN_HYPERCUBE && table->ensemble->num_rows != e->num_rows) *refused = table->ensemble->num_rows;
  PetscCall(Add(e, table));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Those beside it, which a run that was killed has left. */
static PetscErrorCode LookBeside(Ensemble *e, const char *values, ResultMode *mode)
{
  char         name[PETSC_MAX_PATH_LEN];
  StoredTable *table;

  PetscFunctionBegin;
  for (PetscInt i = 1;; i++) {
    PetscCall(StoredKeptName(e->earlier->path, i, name));
    if (access(name, F_OK) != 0) break;
    PetscCall(Open(name, values, &table));
    if (table) PetscCall(Add(e, table));
  }
  if (e->earlier->num && access(e->earlier->path, F_OK) != 0) *mode = RESULT_NEW;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EnsembleFindEarlier(Ensemble *e, const char *path, ResultMode *mode)
{
  PetscMPIInt rank;
  char       *values;
  PetscInt    found[2] = {(PetscInt)*mode, 0};

  PetscFunctionBegin;
  if (!e || *mode != RESULT_RESUME) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) {
    PetscCall(PetscNew(&e->earlier));
    PetscCall(PetscStrallocpy(path, &e->earlier->path));
    PetscCall(CaseIdentity(e->the_case, EnsembleSequel(e), &values));
    PetscCall(LookAtPlace(e, values, mode, &found[1]));
    PetscCall(LookBeside(e, values, mode));
    PetscCall(PetscFree(values));
    found[0] = (PetscInt)*mode;
  }
  PetscCallMPI(MPI_Bcast(found, 2, MPIU_INT, 0, PETSC_COMM_WORLD));
  *mode = (ResultMode)found[0];
  PetscCall(RefuseOther(e, path, found[1]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A sample whose own result is to be kept, and is not there, is computed again. */
static PetscErrorCode LacksFile(const Ensemble *e, PetscInt row, const Result *result, PetscBool *lacks)
{
  char     suffix[64], name[PETSC_MAX_PATH_LEN];
  PetscInt place = -1;

  PetscFunctionBegin;
  *lacks = PETSC_FALSE;
  if (e->num_keep) PetscCall(PetscFindInt(row + 1, e->num_keep, e->keep, &place));
  if (place < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscSNPrintf(suffix, sizeof(suffix), SAMPLE_SUFFIX, row + 1));
  PetscCall(ResultPathBeside(ResultPath(result), suffix, name));
  *lacks = (PetscBool)(access(name, F_OK) != 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether the sample that the table has just read is that of the plan. */
static PetscBool IsOfPlan(const Ensemble *e, PetscInt row, const StoredTable *table, PetscReal values[])
{
  PlanValues(e->plan, row, values);
  return (PetscBool)(memcmp(values, table->inputs, sizeof(PetscReal) * (size_t)e->num_parameters) == 0);
}

/* How many rows are taken, and how many of what it has are not in the new result. */
static PetscErrorCode TakeRows(const Ensemble *e, StoredTable *table, PetscInt64 status[], const Result *result, PetscInt *taken, PetscInt *left)
{
  PetscReal *values;
  PetscBool  lacks;

  PetscFunctionBegin;
  *taken = *left = 0;
  PetscCall(PetscMalloc1(e->num_parameters, &values));
  for (PetscInt row = 0; row < table->ensemble->num_rows; row++) {
    PetscCall(StoredTableRead(table, row));
    if (!SampleIsFinished(&table->sample)) continue;
    if (row < e->num_rows && (status[row] == SAMPLE_NONE || status[row] == SAMPLE_FAULT) && IsOfPlan(e, row, table, values)) {
      PetscCall(LacksFile(e, row, result, &lacks));
      if (!lacks) {
        PetscCall(TablesWriteSample(e, row, values, &table->sample, result));
        status[row] = table->sample.status;
        ++*taken;
      }
    }
    *left += row >= e->num_rows || status[row] == SAMPLE_NONE || status[row] == SAMPLE_FAULT || !IsOfPlan(e, row, table, values);
  }
  PetscCall(PetscFree(values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where it is kept meanwhile. */
static PetscErrorCode FindKept(const EarlierRows *earlier, const StoredTable *table, char name[PETSC_MAX_PATH_LEN], PetscBool *found)
{
  PetscFunctionBegin;
  *found = PETSC_FALSE;
  for (PetscInt i = 1; !*found; i++) {
    PetscCall(StoredKeptName(earlier->path, i, name));
    if (access(name, F_OK) != 0) break;
    *found = StoredIsAt(table->result, name);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TakeTable(const Ensemble *e, StoredTable *table, PetscInt64 status[], const Result *result)
{
  PetscInt  taken, left;
  PetscBool found;
  char      name[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(TakeRows(e, table, status, result, &taken, &left));
  PetscCall(ResultSync(result));
  PetscCall(FindKept(e->earlier, table, name, &found));
  if (taken) LogSay("  %" PetscInt_FMT " samples are taken from the earlier result", taken);
  if (!found) PetscFunctionReturn(PETSC_SUCCESS);
  if (left) LogSay("  %" PetscInt_FMT " samples of %s are none of these: it stays", left, name);
  else PetscCall(StoredRemove(name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EarlierRowsTake(Ensemble *e, const Result *result)
{
  PetscInt64 *status;

  PetscFunctionBegin;
  if (!e->earlier) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindingReadCounts(e->samples, "status", e->num_rows, result, &status));
  for (PetscInt i = 0; i < e->earlier->num; i++) PetscCall(TakeTable(e, e->earlier->tables[i], status, result));
  PetscCall(PetscFree(status));
  PetscCall(EarlierRowsDestroy(e));
  PetscFunctionReturn(PETSC_SUCCESS);
}
