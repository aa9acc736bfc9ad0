/* check.c - `dovetail check`: cases read, built and described, but not run. */
#include <stdio.h>
#include "cli.h"

typedef struct {
  Case     *the_case;
  Ensemble *ensemble;
  Update   *update;
} Checked;

static PetscErrorCode ReadAndBuild(const char *path, PetscReal patience, Checked *checked)
{
  PetscErrorCode code = CaseRead(path, &checked->the_case);

  PetscFunctionBegin;
  if (code) PetscFunctionReturn(code);
  PetscCall(EnsembleRead(checked->the_case, &checked->ensemble));
  PetscCall(UpdateRead(checked->the_case, &checked->update));
  code = CaseVerdict(checked->the_case);
  if (code == PETSC_SUCCESS) code = CaseBuild(checked->the_case, patience);
  PetscFunctionReturn(code);
}

static PetscErrorCode Describe(const Checked *checked, FILE *out, Json *json)
{
  const PetscBool built = (PetscBool)(!checked->the_case->model || checked->the_case->system);

  PetscFunctionBegin;
  if (checked->ensemble && built) PetscCall(EnsembleMeasure(checked->ensemble));
  if (checked->update && built) PetscCall(UpdateMeasure(checked->update));
  PetscCall(CaseDescribe(checked->the_case, checked->update ? UpdateSequel(checked->update) : EnsembleSequel(checked->ensemble), out, json));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Free(Checked *checked)
{
  PetscFunctionBegin;
  PetscCall(UpdateDestroy(&checked->update));
  PetscCall(EnsembleDestroy(&checked->ensemble));
  PetscCall(CaseDestroy(&checked->the_case));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* PETSC_ERR_USER_INPUT after complaints; the case is freed all the same. */
static PetscErrorCode CheckCase(const char *path, PetscReal patience)
{
  Checked        checked = {0};
  PetscErrorCode code;

  PetscFunctionBegin;
  code = ReadAndBuild(path, patience, &checked);
  if (code != PETSC_ERR_USER_INPUT) {
    PetscCall(code);
    PetscCall(Describe(&checked, stdout, NULL));
  }
  PetscCall(Free(&checked));
  PetscFunctionReturn(code);
}

/* A member of the list `cases`: what is wrong with it, what there is to warn of, what it holds. */
static PetscErrorCode CheckOneAsJson(const char *path, PetscReal patience, Told *told, Json *json)
{
  Checked        checked = {0};
  PetscMPIInt    rank;
  PetscErrorCode code;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) JsonOpenObject(json, NULL);
  if (rank == 0) JsonText(json, "case", path);
  code = ReadAndBuild(path, patience, &checked);
  if (rank == 0) JsonTruth(json, "valid", (PetscBool)(code == PETSC_SUCCESS));
  if (code != PETSC_ERR_USER_INPUT) {
    PetscCall(code);
    PetscCall(Describe(&checked, ToldReport(told), json));
  }
  if (rank == 0) PetscCall(ToldWrite(told, json));
  if (rank == 0) JsonClose(json);
  PetscCall(Free(&checked));
  PetscFunctionReturn(code);
}

static PetscErrorCode CheckAsJson(const Arguments *arguments, PetscReal patience)
{
  PetscErrorCode verdict = PETSC_SUCCESS;
  PetscMPIInt    rank;
  Told          *told;
  Json           json;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCall(ToldBegin(&told));
  JsonBegin(stdout, &json);
  if (rank == 0) JsonOpenObject(&json, NULL);
  if (rank == 0) JsonOpenList(&json, "cases");
  for (int i = 0; i < arguments->num_operands; i++) {
    const PetscErrorCode code = CheckOneAsJson(arguments->operands[i], patience, told, &json);

    if (code != PETSC_SUCCESS && code != PETSC_ERR_USER_INPUT) PetscCall(code);
    if (code) verdict = code;
  }
  if (rank == 0) JsonClose(&json);
  if (rank == 0) JsonClose(&json);
  PetscCall(ToldEnd(&told));
  PetscFunctionReturn(verdict);
}

/* Several cases have headings, and after the complaints of each that is refused a line says so. */
PetscErrorCode CheckCases(const Arguments *arguments)
{
  PetscReal      patience = 20.0; /* [s] for the reduction of a mesh */
  PetscErrorCode verdict  = PETSC_SUCCESS;

  PetscFunctionBegin;
  PetscCall(PetscOptionsGetReal(NULL, NULL, "-patience", &patience, NULL));
  if (arguments->json) PetscFunctionReturn(CheckAsJson(arguments, patience));
  if (arguments->num_operands == 1) PetscFunctionReturn(CheckCase(arguments->operands[0], patience));
  for (int i = 0; i < arguments->num_operands; i++) {
    PetscErrorCode code;

    ReportSay("%s%s:\n", i > 0 ? "\n" : "", arguments->operands[i]);
    (void)fflush(stdout); /* complaints go to standard error */
    code = CheckCase(arguments->operands[i], patience);
    if (code == PETSC_SUCCESS) continue;
    if (code != PETSC_ERR_USER_INPUT) PetscCall(code);
    verdict = code;
    PetscCall(PetscFPrintf(PETSC_COMM_WORLD, stderr, "%s: refused\n", arguments->operands[i]));
  }
  PetscFunctionReturn(verdict);
}
