/* march.c - one motion of a transient study, from rest or from where it was broken off. */
#include "march.h"
#include <petsctime.h>

/* A restart file holds the seconds so far, the motions of the points and their rates, the State, how joints have turned, and extremes. */
static PetscInt NumMotions(const March *march)
{
  return march->stepper->linear->system->names.num_motions;
}

/* T u. */
static PetscErrorCode FindMotions(const March *march, const PetscReal coordinates[], PetscReal motions[])
{
  const Linear *const linear = march->stepper->linear;
  PetscScalar        *value;
  Vec                 unknowns, moves;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(linear->system->T, &unknowns, NULL));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, NumMotions(march), motions, &moves));
  PetscCall(VecGetArrayWrite(unknowns, &value));
  PetscCall(linear->kind->expand(linear, coordinates, value));
  PetscCall(VecRestoreArrayWrite(unknowns, &value));
  PetscCall(MatMult(linear->system->T, unknowns, moves));
  PetscCall(VecDestroy(&unknowns));
  PetscCall(VecDestroy(&moves));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All that is known of it now. */
static PetscErrorCode WriteSoFar(March *march, PetscReal *seconds)
{
  Recorder *recorder = &march->run->recorder;

  PetscFunctionBegin;
  PetscCall(RecorderFlush(recorder, march->state, march->result));
  PetscCall(RecorderWriteLast(recorder, march->stepper, march->state, march->result));
  *seconds = march->seconds;
  PetscCall(FindingWrite(recorder->run, RUN_SECONDS, 0, 1, seconds, march->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Everything so far is in the result file before the restart file says so. */
PetscErrorCode MarchSave(March *march)
{
  const Recorder *const recorder = &march->run->recorder;
  const PetscInt        size = StateSize(march->state), num_motions = NumMotions(march), before = 1 + 2 * num_motions;
  const PetscInt        count = before + size + NUM_TURNS + ExtremesSize(&recorder->extremes);
  PetscReal            *numbers, seconds;

  PetscFunctionBegin;
  PetscCall(WriteSoFar(march, &seconds));
  PetscCall(ResultSync(march->result));
  PetscCall(PetscMalloc1(count, &numbers));
  numbers[0] = seconds;
  PetscCall(FindMotions(march, march->state->u, numbers + 1));
  PetscCall(FindMotions(march, march->state->v, numbers + 1 + num_motions));
  StatePack(march->state, numbers + before);
  PetscCall(PetscArraycpy(numbers + before + size, recorder->turns.sums, NUM_TURNS));
  ExtremesPack(&recorder->extremes, numbers + before + size + NUM_TURNS);
  PetscCall(RestartWrite(ResultPath(march->result), march->run->name, count, numbers));
  PetscCall(PetscFree(numbers));
  PetscCall(PetscTime(&march->saved));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether these coordinates move the points as they did. */
static PetscErrorCode MovesAlike(const March *march, const PetscReal coordinates[], const PetscReal wanted[], PetscBool *alike)
{
  const PetscReal allowed = 1e-6; /* round-off of a mesh that is reduced at another number of ranks is 1e-8 */
  PetscReal      *motions, largest = 0.0, off = 0.0;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(NumMotions(march), &motions));
  PetscCall(FindMotions(march, coordinates, motions));
  for (PetscInt i = 0; i < NumMotions(march); i++) {
    largest = PetscMax(largest, PetscAbsReal(wanted[i]));
    off     = PetscMax(off, PetscAbsReal(motions[i] - wanted[i]));
  }
  *alike = (PetscBool)(off <= allowed * largest);
  PetscCall(PetscFree(motions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Coordinates belong to modes, and modes of equal frequency are mixed as round-off has it. */
static PetscErrorCode Unpack(March *march, ModeCache *cache, PetscInt count, const PetscReal numbers[], PetscBool *alike)
{
  const PetscInt num_motions = NumMotions(march), before = 1 + 2 * num_motions;
  const PetscInt behind = NUM_TURNS + ExtremesSize(&march->run->recorder.extremes);

  PetscFunctionBegin;
  PetscCheck(count >= before + behind, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "too few numbers for the motions of the points");
  PetscCall(StateCreate(cache->system, march->stepper->linear->n, march->stepper->linear->m, &march->state));
  PetscCall(StateUnpack(march->state, count - before - behind, numbers + before));
  PetscCall(MovesAlike(march, march->state->u, numbers + 1, alike));
  if (*alike) PetscCall(MovesAlike(march, march->state->v, numbers + 1 + num_motions, alike));
  if (*alike) march->seconds = numbers[0];
  else PetscCall(StateDestroy(&march->state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From a restart file, when there is one; samples up to it are in the result. */
static PetscErrorCode TryResume(March *march, ModeCache *cache, PetscBool *resumed)
{
  Recorder *const recorder = &march->run->recorder;
  PetscInt        count;
  PetscReal      *numbers, *extremes;

  PetscFunctionBegin;
  *resumed = PETSC_FALSE;
  PetscCall(RestartRead(ResultPath(march->result), march->run->name, &count, &numbers));
  if (count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Unpack(march, cache, count, numbers, resumed));
  if (!*resumed) {
    LogWarn("run %s starts again: the saved state uses different modes, as can happen with another number of ranks", march->run->name);
    PetscCall(PetscFree(numbers));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(StepperContinue(march->stepper, march->state));
  PetscCall(RecorderContinue(recorder, march->result));
  PetscCall(RecorderBegin(recorder, cache, march->stepper, RecorderKept(recorder, march->state->step)));
  extremes = numbers + count - ExtremesSize(&recorder->extremes);
  ExtremesUnpack(&recorder->extremes, extremes);
  PetscCall(PetscArraycpy(recorder->turns.sums, extremes - NUM_TURNS, NUM_TURNS));
  PetscCall(PetscFree(numbers));
  SnapshotsBegin(&march->run->snapshots, march->state->step);
  LogDetail("%s goes on from step %" PetscInt_FMT, march->run->name, march->state->step);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Start(March *march, const InitialKeys *initial, ModeCache *cache)
{
  const PetscInt n = cache->system->num_unknowns;
  PetscReal     *displacement, *velocity;
  InitialMotion  motion;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(n, &displacement, n, &velocity));
  PetscCall(InitialMotionFind(initial, cache, march->run->level, displacement, velocity, &motion));
  PetscCall(StepperStart(march->stepper, motion, &march->state));
  PetscCall(PetscFree2(displacement, velocity));
  ExtremesBegin(&march->run->recorder.extremes);
  PetscCall(RecorderBegin(&march->run->recorder, cache, march->stepper, 0));
  PetscCall(RecorderSample(&march->run->recorder, march->stepper, march->state, march->result));
  SnapshotsBegin(&march->run->snapshots, -1);
  PetscCall(SnapshotsTake(&march->run->snapshots, march->stepper, march->state, march->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool MarchIsToSave(const March *march, PetscLogDouble now)
{
  return (PetscBool)(now - march->saved > march->save_interval);
}

PetscInt MarchStepsToNotice(const March *march)
{
  const Snapshots *const snapshots = &march->run->snapshots;
  const PetscInt         step = march->state->step, every = march->run->recorder.watch->every;
  PetscInt               steps = PetscMin(every - step % every, TurnsNext(step) - step);

  if (snapshots->next < snapshots->count) steps = PetscMin(steps, snapshots->steps[snapshots->next] - step);
  return PetscMin(steps, march->run->steps - step);
}

PetscBool MarchNoticesAll(const March *march)
{
  const Snapshots *const snapshots = &march->run->snapshots;
  const PetscInt         step      = march->state->step;

  return (PetscBool)(step % march->run->recorder.watch->every == 0 || step == march->run->steps ||
                     (snapshots->next < snapshots->count && snapshots->steps[snapshots->next] == step));
}

PetscErrorCode MarchNotice(March *march)
{
  Run *const   run   = march->run;
  State *const state = march->state;

  PetscFunctionBeginHot;
  TurnsLook(march->stepper->linear->system, state, &run->recorder.turns);
  if (state->step % run->recorder.watch->every == 0) PetscCall(RecorderSample(&run->recorder, march->stepper, state, march->result));
  PetscCall(SnapshotsTake(&run->snapshots, march->stepper, state, march->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteTurns(const March *march)
{
  const Recorder *recorder    = &march->run->recorder;
  const PetscReal turned_back = TurnsBack(&recorder->turns), turned = TurnsAngle(&recorder->turns);

  PetscFunctionBegin;
  PetscCall(FindingWrite(recorder->run, RUN_TURNED_BACK, 0, 1, &turned_back, march->result));
  PetscCall(FindingWrite(recorder->run, RUN_TURNED, 0, 1, &turned, march->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The last samples, and how it ended. A run that the user broke off has no reason: it can be resumed. */
static PetscErrorCode Finish(March *march, PetscBool converged)
{
  char      reason[RESULT_TEXT_LENGTH] = "complete";
  PetscReal seconds;

  PetscFunctionBegin;
  if (converged && march->state->step < march->run->steps) {
    PetscCall(MarchSave(march));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(WriteSoFar(march, &seconds));
  PetscCall(WriteTurns(march));
  if (march->stepper->unbounded)
    snprintf(reason, sizeof(reason), "stopped at %g s: the motion grew beyond all numbers%s", march->state->time,
             march->run->options.method == METHOD_RUNGE_KUTTA ? "; try a smaller time_step" : "");
  else if (!converged)
    snprintf(reason, sizeof(reason), "stopped at %g s: the joints found no balance, even in steps of %.2g s; try a smaller time_step",
             march->state->time, march->run->options.time_step / (1 << STEPPER_MAX_DEPTH));
  PetscCall(FindingWrite(march->run->recorder.run, RUN_REASON, 0, 1, reason, march->result));
  PetscCall(RestartRemove(ResultPath(march->result), march->run->name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MarchBegin(const MarchTask *task, PetscBool resumed, March *march, PetscBool *begun)
{
  Run *const          run    = task->run;
  const Result *const result = task->result;
  char                reason[RESULT_TEXT_LENGTH];
  PetscBool           going = PETSC_FALSE;

  PetscFunctionBegin;
  *march = (March){.run = run, .result = result, .save_interval = 2.0};
  *begun = PETSC_FALSE;
  PetscCall(PetscOptionsGetReal(NULL, NULL, "-save_interval", &march->save_interval, NULL));
  if (resumed) PetscCall(FindingRead(run->recorder.run, RUN_REASON, 0, 1, reason, result));
  if (resumed && reason[0]) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(StepperCreate(task->cache, run->options, run->num_loads, run->loads, &march->stepper));
  if (resumed) PetscCall(TryResume(march, task->cache, &going));
  if (!going) PetscCall(Start(march, task->initial, task->cache));
  PetscCall(PetscTime(&march->saved));
  *begun = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MarchEnd(March *march, PetscBool converged)
{
  PetscFunctionBegin;
  PetscCall(Finish(march, converged));
  PetscCall(RecorderEnd(&march->run->recorder));
  PetscCall(StateDestroy(&march->state));
  PetscCall(StepperDestroy(&march->stepper));
  PetscFunctionReturn(PETSC_SUCCESS);
}
