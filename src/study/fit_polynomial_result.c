/* fit_polynomial_result.c - what the result says of a polynomial fit: /fit_polynomial/NAME. */
#include "fit_polynomial.h"

enum { VALUE, STANDARD_ERROR, SHARE, IDENTIFIABLE, CONDITION, MISFIT, POINTS, REMARK, DISPLACEMENT, VELOCITY, FORCE, SLOPE, FITTED };

/* Rows that are as many as unknowns, or as samples at most. */
enum { PER_UNKNOWN = -1, PER_SAMPLE = -2 };

static const struct {
  const char *name;
  ResultType  type;
  PetscInt64  rows;
} arrays[NUM_POLYNOMIAL_ARRAYS] = {
  [VALUE]          = {"value", RESULT_REAL, PER_UNKNOWN},
  [STANDARD_ERROR] = {"standard_error", RESULT_REAL, PER_UNKNOWN},
  [SHARE]          = {"share", RESULT_REAL, PER_UNKNOWN},
  [IDENTIFIABLE]   = {"identifiable", RESULT_COUNT, PER_UNKNOWN},
  [CONDITION]      = {"condition", RESULT_REAL, 2},
  [MISFIT]         = {"misfit", RESULT_REAL, 1},
  [POINTS]         = {"points", RESULT_COUNT, 1},
  [REMARK]         = {"remark", RESULT_TEXT, 1},
  [DISPLACEMENT]   = {"displacement", RESULT_REAL, PER_SAMPLE},
  [VELOCITY]       = {"velocity", RESULT_REAL, PER_SAMPLE},
  [FORCE]          = {"force", RESULT_REAL, PER_SAMPLE},
  [SLOPE]          = {"slope", RESULT_REAL, PER_SAMPLE},
  [FITTED]         = {"fitted", RESULT_REAL, PER_SAMPLE},
};

void FitPolynomialName(const FitPolynomial *study, PetscInt unknown, char name[POLYNOMIAL_NAME_LENGTH])
{
  if (unknown > 0 && unknown <= study->num_terms) PolynomialTermName(study->terms[unknown - 1], name);
  else (void)PetscStrncpy(name, unknown ? "E2" : "E1", POLYNOMIAL_NAME_LENGTH);
}

static PetscErrorCode WriteNames(const FitPolynomial *study, const char *group, Result *result)
{
  const PetscInt count = study->num_terms + 2;
  char(*names)[POLYNOMIAL_NAME_LENGTH], path[PETSC_MAX_PATH_LEN];
  const char **texts;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count, &names, count, &texts));
  for (PetscInt j = 0; j < count; j++) {
    FitPolynomialName(study, j, names[j]);
    texts[j] = names[j];
  }
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/names", group));
  PetscCall(ResultWriteTexts(result, path, count, texts));
  PetscCall(PetscFree2(names, texts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitPolynomialReserve(const char *name, FitPolynomial *study, Result *result)
{
  char group[PETSC_MAX_PATH_LEN], path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(group, sizeof(group), "/fit_polynomial/%s", name));
  PetscCall(WriteNames(study, group, result));
  for (PetscInt a = 0; a < NUM_POLYNOMIAL_ARRAYS; a++) {
    const PetscInt64 rows = arrays[a].rows == PER_UNKNOWN ? study->num_terms + 2 : arrays[a].rows == PER_SAMPLE ? study->data.most : arrays[a].rows;

    PetscCall(PetscSNPrintf(path, sizeof(path), "%s/%s", group, arrays[a].name));
    PetscCall(ResultReserve(result, path, arrays[a].type, 1, &rows, &study->arrays[a]));
  }
  PetscCall(ResultAttributeText(result, group, "branch", loop_branch_names[study->keys.branch]));
  PetscCall(ResultAttributeText(result, group, "data", study->data.label));
  PetscCall(ResultAttributeReal(result, group, "resolution", study->keys.resolution));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteUnknowns(const FitPolynomial *study, const PolynomialFit *fit, const Result *result)
{
  PetscInt64 *identifiable;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(fit->count, &identifiable));
  for (PetscInt j = 0; j < fit->count; j++) identifiable[j] = fit->verdict[j] == POLYNOMIAL_IDENTIFIED;
  PetscCall(ResultWriteRows(result, &study->arrays[VALUE], 0, fit->count, fit->value));
  PetscCall(ResultWriteRows(result, &study->arrays[STANDARD_ERROR], 0, fit->count, fit->standard_error));
  PetscCall(ResultWriteRows(result, &study->arrays[SHARE], 0, fit->count, fit->share));
  PetscCall(ResultWriteRows(result, &study->arrays[IDENTIFIABLE], 0, fit->count, identifiable));
  PetscCall(ResultWriteRows(result, &study->arrays[CONDITION], 0, 2, fit->condition));
  PetscCall(ResultWriteRows(result, &study->arrays[MISFIT], 0, 1, &fit->misfit));
  PetscCall(PetscFree(identifiable));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitPolynomialWrite(const FitPolynomial *study, const LoopPoints *points, const PolynomialFit *fit, const Result *result)
{
  const PetscInt64 count                      = points->count;
  char             remark[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(remark, fit->remark, sizeof(remark)));
  PetscCall(ResultWriteRows(result, &study->arrays[REMARK], 0, 1, remark));
  PetscCall(ResultWriteRows(result, &study->arrays[POINTS], 0, 1, &count));
  PetscCall(ResultWriteRows(result, &study->arrays[DISPLACEMENT], 0, count, points->displacement));
  PetscCall(ResultWriteRows(result, &study->arrays[VELOCITY], 0, count, points->velocity));
  PetscCall(ResultWriteRows(result, &study->arrays[FORCE], 0, count, points->force));
  PetscCall(ResultWriteRows(result, &study->arrays[SLOPE], 0, count, points->slope));
  if (fit->remark[0]) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ResultWriteRows(result, &study->arrays[FITTED], 0, count, fit->fitted));
  PetscCall(WriteUnknowns(study, fit, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
