/*
  merge.c - `dovetail merge`: results of parts of the samples united into one.

  The largest of the results is copied; rows of the others are put in. So the studies of the case itself, and whatever else it holds, are there, and
  what is missing can be computed by --resume.
*/
#include "stored_table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  PetscInt      num;
  StoredTable **tables, *base, *whole; /* those that are united; the largest; what becomes of them */
  char         *values;                /* of the whole */
} Merge;

static PetscErrorCode Refuse(const char *path, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
static PetscErrorCode Refuse(const char *path, const char *format, ...)
{
  char    text[1024];
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  fprintf(stderr, "error: %s: %s\n", path, text);
  LogTellError((Place){.file = path}, text);
  return PETSC_ERR_USER_INPUT;
}

static PetscErrorCode OpenAll(char *const paths[], Merge *merge)
{
  char fault[512];

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(merge->num, &merge->tables));
  for (PetscInt i = 0; i < merge->num; i++) {
    PetscCall(StoredTableOpen(paths[i], STORED_READ, &merge->tables[i], sizeof(fault), fault));
    if (!merge->tables[i]) PetscFunctionReturn(Refuse(paths[i], "cannot be merged: %s", fault));
    if (!merge->base || merge->tables[i]->ensemble->num_rows > merge->base->ensemble->num_rows) merge->base = merge->tables[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Results of one plan: of the same case, and with the same first rows. */
static PetscErrorCode CheckPlan(const Merge *merge, const StoredTable *table)
{
  const Ensemble *const base = merge->base->ensemble, *const e = table->ensemble;
  char difference[512];

  PetscFunctionBegin;
  PetscCall(StoredCompare(StoredValues(merge->base->result), StoredValues(table->result), stored_table_ignored, sizeof(difference), difference));
  if (difference[0]) PetscFunctionReturn(Refuse(table->path, "is not of the same case as %s: %s", merge->base->path, difference));
  if (base->method == PLAN_LATIN_HYPERCUBE && e->num_rows != base->num_rows)
    PetscFunctionReturn(Refuse(table->path, "a Latin hypercube cannot be extended: it is one of %" PetscInt_FMT " samples, %s one of %" PetscInt_FMT,
                               e->num_rows, merge->base->path, base->num_rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckAll(const Merge *merge, const char *output)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < merge->num; i++) {
    PetscCall(CheckPlan(merge, merge->tables[i]));
    if (StoredIsAt(merge->tables[i]->result, output))
      PetscFunctionReturn(Refuse(output, "cannot be written: it is one of the results that are merged; choose another name with -o"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool SameNumbers(PetscInt count, const PetscReal a[], const PetscReal b[])
{
  for (PetscInt i = 0; i < count; i++)
    if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i]))) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Two results that have computed the same sample must agree on it. */
static PetscErrorCode CheckRow(PetscInt row, const StoredTable *one, const StoredTable *other)
{
  const Ensemble *const e    = one->ensemble;
  const char           *what = NULL;

  PetscFunctionBegin;
  if (!SameNumbers(e->num_parameters, one->inputs, other->inputs)) what = "parameters";
  else if (one->sample.status != other->sample.status) what = "status";
  else if (!SameNumbers(e->num_values, one->sample.outputs, other->sample.outputs)) what = "outputs";
  if (!what) PetscFunctionReturn(PETSC_SUCCESS);
  PetscFunctionReturn(
    Refuse(other->path, "the %s of sample %" PetscInt_FMT " are others than in %s: leave one of the two out", what, row + 1, one->path));
}

/* The result that a row is taken from: the first that has it, or one in which it failed; NULL for none. */
static PetscErrorCode ChooseRow(const Merge *merge, PetscInt row, StoredTable **chosen)
{
  PetscFunctionBegin;
  *chosen = NULL;
  for (PetscInt i = 0; i < merge->num; i++) {
    StoredTable *const table = merge->tables[i];

    PetscCall(StoredTableRead(table, row));
    if (table->sample.status == SAMPLE_NONE) continue;
    if (!*chosen || (!SampleIsFinished(&(*chosen)->sample) && SampleIsFinished(&table->sample))) *chosen = table;
    else if (SampleIsFinished(&table->sample)) PetscCall(CheckRow(row, *chosen, table));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode UniteRows(const Merge *merge, PetscInt *missing)
{
  StoredTable *chosen;

  PetscFunctionBegin;
  *missing = 0;
  for (PetscInt row = 0; row < merge->base->ensemble->num_rows; row++) {
    PetscCall(ChooseRow(merge, row, &chosen));
    *missing += !chosen;
    if (chosen && chosen != merge->base)
      PetscCall(TablesWriteSample(merge->whole->ensemble, row, chosen->inputs, &chosen->sample, merge->whole->result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The copy is filled under a temporary name, and takes its place when it is whole. */
static PetscErrorCode Unite(Merge *merge, const char *output, PetscInt *missing)
{
  const char *const of_part[] = {SHARE_KEY, NULL};
  char              temporary[PETSC_MAX_PATH_LEN], fault[512];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(temporary, sizeof(temporary), "%s.tmp", output));
  PetscCall(StoredStrip(StoredValues(merge->base->result), of_part, &merge->values));
  PetscCall(StoredCopy(merge->base->result, temporary, merge->values));
  PetscCall(StoredTableOpen(temporary, STORED_CHANGE, &merge->whole, sizeof(fault), fault));
  if (!merge->whole) PetscFunctionReturn(Refuse(temporary, "cannot be filled: %s", fault));
  PetscCall(UniteRows(merge, missing));
  if (*missing == 0) PetscCall(StatisticsWrite(merge->whole->ensemble, merge->whole->result));
  PetscCall(StoredTableClose(&merge->whole, (PetscBool)(*missing == 0)));
  PetscCall(StoredPutInPlace(temporary, output, *missing ? "" : merge->values)); /* what is complete is not replaced by what is not */
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Tell(const Merge *merge, const char *output, PetscInt missing)
{
  const PetscInt num_rows = merge->base->ensemble->num_rows;

  PetscFunctionBegin;
  ReportSay("\nresult: %s\n", output);
  if (missing)
    LogWarn("%" PetscInt_FMT " of %" PetscInt_FMT " samples are missing; run with --resume: `dovetail run CASE -o %s --resume` computes them",
            missing, num_rows, output);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode MergeAll(char *const paths[], const char *output, Merge *merge, PetscInt *missing)
{
  int lock = -1;

  PetscFunctionBegin;
  PetscCall(StoredLock(output, &lock));
  PetscCall(OpenAll(paths, merge));
  PetscCall(CheckAll(merge, output));
  PetscCall(Unite(merge, output, missing));
  PetscCall(Tell(merge, output, *missing));
  PetscCall(StoredUnlock(output, &lock));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Merge *merge)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < merge->num && merge->tables; i++) PetscCall(StoredTableClose(&merge->tables[i], PETSC_FALSE));
  PetscCall(PetscFree(merge->tables));
  PetscCall(PetscFree(merge->values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One rank is enough. */
PetscErrorCode EnsembleMerge(PetscInt num, char *const paths[], const char *output, PetscInt *missing)
{
  const MPI_Comm world = PETSC_COMM_WORLD;
  Merge          merge = {.num = num};
  PetscErrorCode code  = PETSC_SUCCESS;
  PetscMPIInt    rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(world, &rank));
  if (rank == 0) {
    PETSC_COMM_WORLD = PETSC_COMM_SELF;
    code             = MergeAll(paths, output, &merge, missing);
    PETSC_COMM_WORLD = world;
    if (code == PETSC_SUCCESS) PetscCall(Destroy(&merge));
  }
  PetscCallMPI(MPI_Bcast(&code, 1, MPI_INT, 0, world));
  PetscCallMPI(MPI_Bcast(missing, 1, MPIU_INT, 0, world));
  PetscFunctionReturn(code);
}
