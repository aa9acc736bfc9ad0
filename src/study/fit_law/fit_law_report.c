/* fit_law_report.c - a law that was found, told to people, and ready to be used. */
#include "fit_law.h"

static const char *UnitOf(const FitLaw *study, PetscInt index)
{
  const char *unit = study->num_sources ? NULL : "N s/m"; /* of ring-downs damping is a ratio */

  if (index < LAW_FIT_STIFFNESS) unit = study->law.law->parameters[index].unit;
  else if (index == LAW_FIT_STIFFNESS) unit = "N/m";
  return unit ? unit : "";
}

static void PrintMisfit(const FitLaw *study, const LawFit *fit)
{
  if (study->num_sources)
    ReportSay("  %" PetscInt_FMT " points; frequency within %.2g %%, damping %.2g %% (root mean square)\n", fit->num_points, 100.0 * fit->misfit[0],
              100.0 * fit->misfit[1]);
  else ReportSay("  %" PetscInt_FMT " samples; force within %.2g %% of the largest (root mean square)\n", fit->num_points, 100.0 * fit->misfit[0]);
}

/* What makes intervals no intervals of 95 %. */
static void PrintDoubts(const FitLaw *study, const LawFit *fit)
{
  const PetscReal noticeable = 0.5;

  if (study->num_sources && !(study->law.law->traits & JOINT_MASING))
    ReportSay("  the intervals describe scatter only: curves of laws without Masing's rule are of first order in the damping, and that error is not "
              "included\n");
  if (fit->shaking)
    ReportSay("  record %" PetscInt_FMT
              " turns back many times by little: if that is noise of the displacement, the law follows it and its numbers are "
              "off; smooth it\n",
              fit->shaking);
  if (fit->straight) ReportSay("  a spring alone explains these loops as well: how much of the stiffness belongs to the law cannot be determined\n");
  if (fit->alike > noticeable)
    ReportSay(
      "  the remaining error is not noise: neighbouring samples are correlated (%.3f), and the intervals are too short by a factor of about %.2g\n",
      fit->alike, LawFitShortness(fit->alike));
}

/* What of it is only one of many values that fit as well. */
static void PrintOpen(const FitLaw *study, const LawFit *fit)
{
  PetscInt count = 0;

  for (PetscInt p = 0; p < study->law.num_unknowns; p++)
    if (!fit->parameters[p].determined)
      ReportSay("%s%s", count++ ? ", " : "  not determined, any of many values that fit as well: ", FitLawName(study, study->law.unknowns[p].index));
  if (count) ReportSay("\n");
}

/* Ready to paste. A spring that pushes along the motion is none of the law `spring`, but that of a cubic one is. */
static void PrintLaw(const FitLaw *study, const LawFit *fit)
{
  const JointParameter *parameters = study->law.law->parameters;
  const PetscReal       stiffness = fit->values[LAW_FIT_STIFFNESS], damping = fit->values[LAW_FIT_DAMPING];
  const PetscBool       list = (PetscBool)(!study->num_sources && (stiffness != 0 || damping != 0));

  ReportSay("  as a law:\n    %s{ law: %s", list ? "[" : "", study->law.law->name);
  for (PetscInt p = 0; parameters[p].name; p++)
    if (fit->values[p] != parameters[p].fallback) ReportSay(", %s: %.15g", parameters[p].name, fit->values[p]);
  ReportSay(" }");
  if (list && stiffness > 0) ReportSay(", { law: spring, stiffness: %.15g }", stiffness);
  if (list && stiffness < 0) ReportSay(", { law: cubic, stiffness: %.15g, cubic: 0 }", stiffness);
  if (list && damping > 0) ReportSay(", { law: damper, damping: %.15g }", damping);
  ReportSay(list ? "]\n" : "\n");
}

PetscErrorCode FitLawPrint(const char *name, const FitLaw *study, const FitLawFound *found)
{
  PetscFunctionBegin;
  ReportSay("\nfit_law %s: %s, with intervals of 95 %% confidence\n", name, study->law.law->name);
  if (!found->found) ReportSay("  no law: %s\n", found->reason);
  else ReportSay("  %-20s %14s %14s %14s  %s\n", "parameter", "value", "from", "to", "unit");
  for (PetscInt p = 0; found->found && p < study->law.num_unknowns; p++) {
    const PetscInt      index = study->law.unknowns[p].index;
    const FitParameter *q     = &found->fit.parameters[p];

    ReportSay("  %-20s %14.8g %14.8g %14.8g  %s%s%s\n", FitLawName(study, index), q->value, q->low, q->high, UnitOf(study, index),
              q->determined ? "" : "  not determined by the data", q->at_bound ? "  at its bound" : "");
  }
  if (found->found) PrintMisfit(study, &found->fit);
  if (found->found) PrintDoubts(study, &found->fit);
  if (found->found) PrintLaw(study, &found->fit);
  if (found->found) PrintOpen(study, &found->fit);
  PetscFunctionReturn(PETSC_SUCCESS);
}
