/* run.c - what the result says of one motion of a transient study. */
#include "transient.h"

static void JudgeEnergies(const Run *run, RunSummary *summary)
{
  const EnergyExtremes *const energy  = &run->recorder.extremes.energy;
  const PetscReal             largest = energy->largest;

  if (!run->recorder.watch->energy) return;
  summary->energy_error = largest > 0.0 ? energy->imbalance / largest : 0.0;
  summary->given_out    = largest > 0.0 ? energy->given / largest : 0.0;
  if (RecorderStores(&run->recorder) && largest > 0.0) summary->joint_error = energy->lost / largest;
}

/* Another rank may have had the run. */
PetscErrorCode RunSummarise(Run *run, const Result *result, RunSummary *summary)
{
  Recorder *const recorder = &run->recorder;
  PetscBool       complete;

  PetscFunctionBegin;
  PetscCall(FindingRead(recorder->run, RUN_STEPS, 0, 1, &summary->steps, result));
  PetscCall(FindingRead(recorder->run, RUN_ITERATIONS, 0, 1, &summary->iterations, result));
  PetscCall(FindingRead(recorder->run, RUN_HALVED, 0, 1, &summary->halved, result));
  PetscCall(FindingRead(recorder->run, RUN_HELD, 0, 1, &summary->num_held, result));
  PetscCall(FindingRead(recorder->run, RUN_SECONDS, 0, 1, &summary->seconds, result));
  PetscCall(FindingRead(recorder->run, RUN_TURNED_BACK, 0, 1, &summary->turned_back, result));
  PetscCall(FindingRead(recorder->run, RUN_TURNED, 0, 1, &summary->turned, result));
  PetscCall(FindingRead(recorder->run, RUN_REASON, 0, 1, summary->reason, result));
  PetscCall(PetscStrcmp(summary->reason, "complete", &complete));
  summary->end = complete ? RUN_COMPLETE : summary->reason[0] ? RUN_STOPPED : RUN_UNFINISHED;
  if (summary->end == RUN_UNFINISHED) PetscCall(PetscStrncpy(summary->reason, "interrupted", sizeof(summary->reason)));
  summary->energy_error = -1.0;
  summary->given_out    = 0.0;
  summary->joint_error  = 0.0;
  PetscCall(RecorderContinue(recorder, result));
  JudgeEnergies(run, summary);
  PetscFunctionReturn(PETSC_SUCCESS);
}
