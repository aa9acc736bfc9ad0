/* fit_polynomial_report.c - a polynomial fit told to people, and as the joint law that it is. */
#include "fit_polynomial.h"

static const char *const verdicts[] = {[POLYNOMIAL_IDENTIFIED] = "identified",
                                       [POLYNOMIAL_BELOW_RESOLUTION] =
                                         "not identifiable: without it the slopes are explained as well, to within `resolution`",
                                       [POLYNOMIAL_UNCERTAIN] = "not identifiable: its standard error is more than half of it",
                                       [POLYNOMIAL_DEPENDENT] = "not identifiable: along this branch it cannot be told from other terms"};

static void PrintUnknowns(const FitPolynomial *study, const PolynomialFit *fit)
{
  ReportSay("  %-8s %16s %15s %10s\n", "name", "value", "standard error", "share");
  for (PetscInt j = 0; j < fit->count; j++) {
    char name[POLYNOMIAL_NAME_LENGTH];

    FitPolynomialName(study, j, name);
    ReportSay("  %-8s %16.9g %15.3g %10.2e  %s\n", name, fit->value[j], fit->standard_error[j], fit->share[j], verdicts[fit->verdict[j]]);
  }
}

/* The name of a parameter of the law, P1_x2v; false when the law has no such term. */
static PetscBool LawHas(const char *prefix, const char *term, char name[])
{
  const JointLaw *law = JointLawFind("generalized_valanis");
  PetscBool       has = PETSC_FALSE;

  (void)PetscSNPrintf(name, 2 * POLYNOMIAL_NAME_LENGTH, "%s_%s", prefix, term);
  for (const JointParameter *p = law->parameters; p->name && !has; p++) (void)PetscStrcmp(p->name, name, &has);
  return has;
}

static PetscBool IsLaw(const FitPolynomial *study, const PolynomialFit *fit)
{
  for (PetscInt t = 1; t <= study->num_terms; t++) {
    char term[POLYNOMIAL_NAME_LENGTH], name[2 * POLYNOMIAL_NAME_LENGTH];

    FitPolynomialName(study, t, term);
    if (!LawHas("P1", term, name)) {
      ReportSay("  the law generalized_valanis has no term %s\n", term);
      return PETSC_FALSE;
    }
  }
  if (fit->value[0] > 0.0 && fit->value[fit->count - 1] >= 0.0) return PETSC_TRUE;
  ReportSay("  no law generalized_valanis has these parameters: E1 must be positive, and E2 must not be negative\n");
  return PETSC_FALSE;
}

/* Of a symmetric joint F(-x, -v) = -F, so that its way back has the slope E1 + P(-x, -v) + E2 F, which a fit of that branch takes for
   E1 - P(x, v) + E2 F. */
static void SayEvenTerms(const FitPolynomial *study)
{
  char     name[POLYNOMIAL_NAME_LENGTH];
  PetscInt count = 0;

  for (PetscInt t = 0; t < study->num_terms; t++) {
    if ((study->terms[t].x + study->terms[t].v) % 2) continue;
    FitPolynomialName(study, t + 1, name);
    ReportSay(count++ ? ", %s" : "  terms of even order: %s", name);
  }
  if (count)
    ReportSay(
      "; of a symmetric joint a fit of `branch: down` gives these with the opposite sign, and all others alike; if it gives them with the same "
      "sign, this law is wrong on the way back\n");
}

static PetscBool AllIdentified(const PolynomialFit *fit)
{
  for (PetscInt j = 0; j < fit->count; j++)
    if (fit->verdict[j] != POLYNOMIAL_IDENTIFIED) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Eq. 7: C1 = E1, P1 = P, C2 = E2 on the way up; D1 = E1, P2 = -P, D2 = -E2 on the way down. */
static void PrintLaw(const FitPolynomial *study, const PolynomialFit *fit)
{
  const PetscBool down = (PetscBool)(study->keys.branch == LOOP_DOWN);
  const PetscReal sign = down ? -1.0 : 1.0;

  if (!IsLaw(study, fit)) return;
  if (!AllIdentified(fit)) ReportSay("  remove the terms that are not identifiable before using this law for other motions\n");
  if (down)
    ReportSay("  its part of a law, beside that of the branch up:\n    branches: 2, D1: %.15g, D2: %.15g", fit->value[0],
              sign * fit->value[fit->count - 1]);
  else
    ReportSay("  as a law%s:\n    {law: generalized_valanis, C1: %.15g, C2: %.15g",
              study->keys.branch == LOOP_UP ? ", if the joint is symmetric" : "", fit->value[0], fit->value[fit->count - 1]);
  for (PetscInt t = 1; t <= study->num_terms; t++) {
    char term[POLYNOMIAL_NAME_LENGTH], name[2 * POLYNOMIAL_NAME_LENGTH];

    FitPolynomialName(study, t, term);
    (void)LawHas(down ? "P2" : "P1", term, name);
    ReportSay(", %s: %.15g", name, sign * fit->value[t]);
  }
  ReportSay(down ? "\n" : "}\n");
  if (study->keys.branch == LOOP_UP) SayEvenTerms(study);
}

PetscErrorCode FitPolynomialPrint(const char *name, const FitPolynomial *study, const LoopPoints *points, const PolynomialFit *fit)
{
  const PetscReal poor = 0.2;

  PetscFunctionBegin;
  ReportSay("\nfit_polynomial %s: branch %s of %s\n", name, loop_branch_names[study->keys.branch], study->data.label);
  if (fit->remark[0]) {
    ReportSay("  stopped: %s\n", fit->remark);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PrintUnknowns(study, fit);
  ReportSay("  %" PetscInt_FMT " points; misfit %.2e of the slopes (root mean square); condition %.2e, of scaled columns %.2e\n", points->count,
            fit->misfit, fit->condition[0], fit->condition[1]);
  if (fit->misfit > poor)
    ReportSay("  the error of the slopes is %.2g %%: do not use this fit before a wider `window` or other terms reduce it\n", 100.0 * fit->misfit);
  PrintLaw(study, fit);
  PetscFunctionReturn(PETSC_SUCCESS);
}
