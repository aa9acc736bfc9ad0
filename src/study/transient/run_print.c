/* run_print.c - a run that has ended: its row in the table, and what there is to warn of. */
#include "transient.h"

/* Columns of the table of runs. */
PetscErrorCode RunsPrintHeading(const char *study, PetscInt count)
{
  PetscFunctionBegin;
  ReportSay("\ntransient %s: %" PetscInt_FMT " run%s\n", study, count, count == 1 ? "" : "s");
  ReportSay("  %-24s %10s %10s %10s %10s %12s  %s\n", "run", "steps", "seconds", "steps/s", "iter/step", "energy error", "end");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All runs of a study have one rule. */
void RunsPrintFooting(const Run *run)
{
  const NewmarkRule rule = run->options.rule;

  if (run->options.method != METHOD_NEWMARK || (rule.alpha == 0.0 && rule.gamma == 0.5)) return;
  ReportSay("  energy error: with alpha %g and gamma %g it is what this numerical damping takes from the motion, as asked for, and tells nothing of "
            "errors\n",
            (double)rule.alpha, (double)rule.gamma);
}

static PetscErrorCode PrintRow(const Run *run, const RunSummary *summary)
{
  const PetscReal steps = PetscMax((PetscReal)summary->steps, 1.0);
  char            error[32], iterations[32] = "-";

  PetscFunctionBegin;
  if (summary->steps == 0) {
    ReportSay("  %-24s %10d %10s %10s %10s %12s  %s\n", run->name, 0, "-", "-", "-", "-", summary->reason);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  snprintf(error, sizeof(error), "%.1e", summary->energy_error);
  if (run->options.method == METHOD_NEWMARK) snprintf(iterations, sizeof(iterations), "%.3f", (double)((PetscReal)summary->iterations / steps));
  ReportSay("  %-24s %10" PetscInt64_FMT " %10.3g %10.3g %10s %12s  %s\n", run->name, summary->steps, summary->seconds,
            summary->seconds > 0.0 ? steps / summary->seconds : 0.0, iterations, summary->energy_error < 0.0 ? "-" : error, summary->reason);
  if (summary->halved) ReportSay("  %-24s %10" PetscInt64_FMT " steps had to be divided for the joints to find their balance\n", "", summary->halved);
  StudySayHeld(summary->num_held);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Their motion is that of the signal, not of the rule, and the work on it is known to the second order of the step. */
static PetscBool MovesSupports(const Run *run)
{
  for (PetscInt l = 0; l < run->num_loads; l++)
    if (run->loads[l].place == LOAD_ON_SUPPORT) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Energy that comes from nowhere or goes nowhere tells of steps that are too long. Average acceleration conserves it, other rules of Newmark's
   take it on purpose, and the method of Runge and Kutta loses or makes some wherever joints begin to slip. */
static void WarnOfEnergy(const Run *run, const RunSummary *summary)
{
  const PetscBool exact   = (PetscBool)(StepperIsAverageAcceleration(&run->options) && !MovesSupports(run));
  const PetscReal allowed = exact ? 1e-6 : run->options.method == METHOD_NEWMARK && !MovesSupports(run) ? PETSC_INFINITY : 1e-2;

  if (summary->energy_error > allowed)
    LogWarn("run %s: the energy is wrong by %.1e of what was put in; try a smaller time_step", run->name, summary->energy_error);
}

/* Whether no law can give out energy that it has not taken, as is known of springs, of what obeys Masing's rules and of contacts. */
static PetscBool AllPassive(const System *system)
{
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const JointLaw *law = system->blocks[b].block.law;

    if ((law->traits & JOINT_ACTIVE) || !((law->traits & (JOINT_ELASTIC | JOINT_MASING)) || law->inspect)) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* From rest no joint can give what it has not taken, but what a preload has put into it. Some laws may, beyond the motions that they are made for;
   where there are none of these it is the step, within which forces are no straight lines. */
static void WarnOfSources(const Run *run, const RunSummary *summary, const System *system)
{
  const PetscReal allowed = 1e-2;

  if (summary->given_out <= allowed) return;
  LogWarn("run %s: the joints released energy that they had not received, %.1e times the largest energy: %s", run->name, summary->given_out,
          AllPassive(system) ? "their laws cannot do so, and the time_step is too long for them; try a tenth of it"
                             : "their laws are not valid for such motions, or, where half the time_step shows less of it, the time_step is too long");
}

/* Joints that turn back in every step move with modes that the steps do not resolve, and lose what no joint would. Measured on oscillators of stiff
   joints: energies 8 % off and more where this part is 0.04 and more, a hundred times too large where it is 0.5 to 1. */
static void WarnOfTurningBack(const Run *run, const RunSummary *summary)
{
  const PetscReal allowed = 0.03;

  if (summary->turned_back > allowed)
    LogWarn(
      "run %s: %.2g %% of what the joints dissipated, they did while their motion turned back in every time step: steps of %.3g s do not resolve "
      "modes that move them; try a smaller time_step, damping, or `alpha: -0.1`",
      run->name, 100.0 * summary->turned_back, run->options.time_step);
}

/* Modes that were kept, and how many of them turn by more than a radian in a step. */
static PetscInt CountFastModes(const System *system, PetscReal time_step)
{
  PetscInt count = 0;

  for (PetscInt k = 0; SystemIsOnModes(system) && k < system->num_unknowns; k++)
    count += system->residual->eigenvalue[k] * time_step * time_step > 1.0;
  return count;
}

/* Forces of faces that open, close or begin to slide within a step are no straight lines over it, as the scheme takes them to be. */
static void WarnOfChatter(const Run *run, const RunSummary *summary, const System *system)
{
  const PetscReal allowed  = 1e-2;
  const PetscInt  fast     = CountFastModes(system, run->options.time_step);
  char            less[80] = "";

  if (summary->joint_error <= allowed) return;
  if (fast)
    snprintf(less, sizeof(less), ", or keep %" PetscInt_FMT " modes: the other %" PetscInt_FMT " are too fast for it", system->num_unknowns - fast,
             fast);
  LogWarn("run %s: faces lost or made %.1e of the largest energy as they open, close and slide within time steps of %.3g s; halve the time_step%s",
          run->name, (double)summary->joint_error, (double)run->options.time_step, less);
}

/* What joints take on the way to an initial motion is not counted, so they may well give it. */
PetscErrorCode RunPrint(const Run *run, const RunSummary *summary, const System *system, PetscBool from_rest)
{
  PetscFunctionBegin;
  PetscCall(PrintRow(run, summary));
  WarnOfEnergy(run, summary);
  if (from_rest) WarnOfSources(run, summary, system);
  WarnOfChatter(run, summary, system);
  WarnOfTurningBack(run, summary);
  TurnsWarnOfAngle("run", run->name, summary->turned, "in a time step", "try a smaller time_step");
  PetscFunctionReturn(PETSC_SUCCESS);
}
