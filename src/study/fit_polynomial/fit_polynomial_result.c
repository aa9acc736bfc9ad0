/* fit_polynomial_result.c - what the result says of a polynomial fit: /fit_polynomial/NAME. */
#include "fit_polynomial.h"

enum { NAMES, VALUE, STANDARD_ERROR, SHARE, IDENTIFIABLE, CONDITION, MISFIT, POINTS, REMARK, DISPLACEMENT, VELOCITY, FORCE, SLOPE, FITTED };

// clang-format off
static const OutputField fields[] = {
  [NAMES]          = {"names", RESULT_TEXT, {"unknowns"}, NULL, "E1, the terms of P, E2"},
  [VALUE]          = {"value", RESULT_REAL, {"unknowns"}, "SI", "coefficients, each in its SI unit"},
  [STANDARD_ERROR] = {"standard_error", RESULT_REAL, {"unknowns"}, "SI", "standard errors of the values; infinite for a coefficient that depends on others"},
  [SHARE]          = {"share", RESULT_REAL, {"unknowns"}, NULL, "share of the slopes that would remain unexplained without the coefficient; without regularisation"},
  [IDENTIFIABLE]   = {"identifiable", RESULT_COUNT, {"unknowns"}, NULL, "1 where the loop determines the coefficient, otherwise 0; without regularisation"},
  [CONDITION]      = {"condition", RESULT_REAL, {"2"}, NULL, "condition number of the columns as they are, and scaled to unit length"},
  [MISFIT]         = {"misfit", RESULT_REAL, {"1"}, NULL, "root mean square error of the slopes, relative to that of the slopes"},
  [POINTS]         = {"points", RESULT_COUNT, {"1"}, NULL, "number of points used"},
  [REMARK]         = {"remark", RESULT_TEXT, {"1"}, NULL, "why there is no fit; empty when there is one"},
  [DISPLACEMENT]   = {"displacement", RESULT_REAL, {"samples"}, "m or rad", "displacements of the points used; rows after the last are NaN"},
  [VELOCITY]       = {"velocity", RESULT_REAL, {"samples"}, "m/s or rad/s", "likewise"},
  [FORCE]          = {"force", RESULT_REAL, {"samples"}, "N or N m", "likewise"},
  [SLOPE]          = {"slope", RESULT_REAL, {"samples"}, "N/m or N m/rad", "slope of the force over the displacement, likewise"},
  [FITTED]         = {"fitted", RESULT_REAL, {"samples"}, "N/m or N m/rad", "slope of the fitted law at these points"},
  {0}
};

static const OutputField facts[] = {
  {"branch", RESULT_TEXT, {0}, NULL, "fitted branch: up, down or both"},
  {"data", RESULT_TEXT, {0}, NULL, "study or file of the loop"},
  {"resolution", RESULT_REAL, {0}, NULL, "relative accuracy of the slopes, as given by the case"},
  {0}
};
// clang-format on

static const OutputTable table = {"fit_polynomial/NAME", "generalized Valanis law of a loop", fields, facts};

const OutputTable *const fit_polynomial_outputs[] = {&table, NULL};

void FitPolynomialName(const FitPolynomial *study, PetscInt unknown, char name[POLYNOMIAL_NAME_LENGTH])
{
  if (unknown > 0 && unknown <= study->num_terms) PolynomialTermName(study->terms[unknown - 1], name);
  else (void)PetscStrncpy(name, unknown ? "E2" : "E1", POLYNOMIAL_NAME_LENGTH);
}

static PetscErrorCode GiveNames(FitPolynomial *study)
{
  const PetscInt count = study->num_terms + 2;
  char(*names)[POLYNOMIAL_NAME_LENGTH];
  const char **texts;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count, &names, count, &texts));
  for (PetscInt j = 0; j < count; j++) {
    FitPolynomialName(study, j, names[j]);
    texts[j] = names[j];
  }
  PetscCall(FindingGiveTexts(study->finding, NAMES, count, texts));
  PetscCall(PetscFree2(names, texts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitPolynomialDeclare(const char *name, Findings *findings, FitPolynomial *study)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &table, &study->finding, "/fit_polynomial/%s", name));
  PetscCall(FindingSetSize(study->finding, "unknowns", study->num_terms + 2));
  PetscCall(FindingSetSize(study->finding, "samples", study->data.most));
  PetscCall(GiveNames(study));
  PetscCall(FindingSayText(study->finding, "branch", loop_branch_names[study->keys.branch]));
  PetscCall(FindingSayText(study->finding, "data", study->data.label));
  PetscCall(FindingSayReal(study->finding, "resolution", study->keys.resolution));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteUnknowns(const FitPolynomial *study, const PolynomialFit *fit, const Result *result)
{
  PetscInt64 *identifiable;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(fit->count, &identifiable));
  for (PetscInt j = 0; j < fit->count; j++) identifiable[j] = fit->verdict[j] == POLYNOMIAL_IDENTIFIED;
  PetscCall(FindingWrite(study->finding, VALUE, 0, fit->count, fit->value, result));
  PetscCall(FindingWrite(study->finding, STANDARD_ERROR, 0, fit->count, fit->standard_error, result));
  PetscCall(FindingWrite(study->finding, SHARE, 0, fit->count, fit->share, result));
  PetscCall(FindingWrite(study->finding, IDENTIFIABLE, 0, fit->count, identifiable, result));
  PetscCall(FindingWrite(study->finding, CONDITION, 0, 2, fit->condition, result));
  PetscCall(FindingWrite(study->finding, MISFIT, 0, 1, &fit->misfit, result));
  PetscCall(PetscFree(identifiable));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitPolynomialWrite(const FitPolynomial *study, const LoopPoints *points, const PolynomialFit *fit, const Result *result)
{
  const PetscInt64 count                      = points->count;
  char             remark[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(remark, fit->remark, sizeof(remark)));
  PetscCall(FindingWrite(study->finding, REMARK, 0, 1, remark, result));
  PetscCall(FindingWrite(study->finding, POINTS, 0, 1, &count, result));
  PetscCall(FindingWrite(study->finding, DISPLACEMENT, 0, count, points->displacement, result));
  PetscCall(FindingWrite(study->finding, VELOCITY, 0, count, points->velocity, result));
  PetscCall(FindingWrite(study->finding, FORCE, 0, count, points->force, result));
  PetscCall(FindingWrite(study->finding, SLOPE, 0, count, points->slope, result));
  if (fit->remark[0]) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindingWrite(study->finding, FITTED, 0, count, fit->fitted, result));
  PetscCall(WriteUnknowns(study, fit, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
