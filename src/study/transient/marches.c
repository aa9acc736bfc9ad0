/* marches.c - the motions of a transient study that one rank computes: side by side where they are alike, the others one after another. */
#include <petsctime.h>
#include "march.h"
#include "march/lanes.h"

typedef struct {
  PetscInt   count, next; /* of this rank; the next to begin */
  MarchTask *tasks;
  PetscBool  resumed;
  PetscBool  shared; /* all move one structure */
  Progress   progress;
  PetscReal  done; /* steps of the runs that have ended */
} Marches;

/* The next run that has not ended in an earlier session. */
static PetscErrorCode BeginNext(Marches *marches, March *march, PetscBool *begun)
{
  PetscFunctionBegin;
  *begun = PETSC_FALSE;
  while (!*begun && marches->next < marches->count) {
    const MarchTask *const task = &marches->tasks[marches->next++];

    PetscCall(MarchBegin(task, marches->resumed, march, begun));
    if (!*begun) marches->done += task->run->steps;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Their seconds since they were last counted: those who run side by side share them. */
static PetscErrorCode CountSeconds(PetscInt count, March *const marches[], PetscLogDouble *counted)
{
  PetscLogDouble now;

  PetscFunctionBegin;
  PetscCall(PetscTime(&now));
  for (PetscInt i = 0; i < count; i++) marches[i]->seconds += (now - *counted) / (PetscReal)count;
  *counted = now;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode End(Marches *marches, March *march, PetscBool converged)
{
  PetscFunctionBegin;
  marches->done += march->run->steps;
  PetscCall(MarchEnd(march, converged));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* To its end, or to where the user breaks it off. */
static PetscErrorCode MarchAlone(Marches *marches, March *march)
{
  State *const   state     = march->state;
  PetscBool      converged = PETSC_TRUE;
  PetscLogDouble counted;

  PetscFunctionBegin;
  PetscCall(PetscTime(&counted));
  while (state->step < march->run->steps) {
    PetscCall(StepperStep(march->stepper, state, &converged));
    if (!converged) break;
    PetscCall(MarchNotice(march));
    if (state->step % STEPS_BETWEEN_LOOKS) continue;
    PetscCall(CountSeconds(1, &march, &counted));
    if (MarchIsToSave(march, counted)) PetscCall(MarchSave(march));
    ProgressUpdate(&marches->progress, marches->done + march->state->step);
    if (InterruptAsked()) break;
  }
  PetscCall(CountSeconds(1, &march, &counted));
  PetscCall(End(marches, march, converged));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Motions side by side. They enter lanes at multiples of STEPS_BETWEEN_LOOKS, where all are looked at. */
typedef struct {
  Lanes         *lanes;
  March          march[WIDE_LANES];
  PetscInt       notice[WIDE_LANES]; /* the step at which something of it is noticed */
  March         *busy[WIDE_LANES];   /* those that are going on */
  PetscInt       num_busy;
  PetscLogDouble counted; /* until when their seconds are counted */
} Group;

static PetscErrorCode Enter(Group *group, const March *march)
{
  const PetscInt lane = LanesIdle(group->lanes);

  PetscFunctionBegin;
  PetscCall(CountSeconds(group->num_busy, group->busy, &group->counted));
  group->march[lane]             = *march;
  group->notice[lane]            = march->state->step + MarchStepsToNotice(march);
  group->busy[group->num_busy++] = &group->march[lane];
  PetscCall(LanesEnter(group->lanes, lane, march->stepper, march->state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Its lane is idle from now on. */
static PetscErrorCode Remove(Group *group, PetscInt lane)
{
  PetscInt kept = 0;

  PetscFunctionBegin;
  PetscCall(CountSeconds(group->num_busy, group->busy, &group->counted));
  if (group->lanes->stepper[lane]) PetscCall(LanesLeave(group->lanes, lane));
  for (PetscInt i = 0; i < group->num_busy; i++)
    if (group->busy[i] != &group->march[lane]) group->busy[kept++] = group->busy[i];
  group->num_busy = kept;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool CanEnter(const March *march)
{
  return (PetscBool)(march->state->step < march->run->steps && march->state->step % STEPS_BETWEEN_LOOKS == 0 && LanesSuit(march->stepper));
}

/* Variants of a structure have numbers of their own in each lane. */
static PetscBool FitTogether(const Marches *marches, const March *one, const March *other)
{
  return marches->shared ? LanesShare(one->stepper, other->stepper) : LanesAlike(one->stepper, other->stepper);
}

/* Runs that follow enter idle lanes, up to the first that is not like these: that waits, begun. */
static PetscErrorCode Fill(Marches *marches, Group *group, March *waiting, PetscBool *waits)
{
  PetscFunctionBegin;
  while (!*waits && group->num_busy > 0 && group->num_busy < WIDE_LANES && marches->next < marches->count) {
    PetscCall(BeginNext(marches, waiting, waits));
    if (!*waits || !CanEnter(waiting) || !FitTogether(marches, group->busy[0], waiting)) break;
    PetscCall(Enter(group, waiting));
    *waits = PETSC_FALSE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What there is to notice of a motion that has come to such a step. */
static PetscErrorCode Notice(Marches *marches, Group *group, PetscInt lane)
{
  March *const march = &group->march[lane];

  PetscFunctionBegin;
  if (march->state->step < group->notice[lane]) PetscFunctionReturn(PETSC_SUCCESS);
  if (MarchNoticesAll(march)) PetscCall(LanesKeep(group->lanes, lane));
  else LanesKeepMotions(group->lanes, lane);
  PetscCall(MarchNotice(march));
  group->notice[lane] = march->state->step + MarchStepsToNotice(march);
  if (march->state->step < march->run->steps) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Remove(group, lane));
  PetscCall(End(marches, march, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* To the next multiple of STEPS_BETWEEN_LOOKS. */
static PetscErrorCode Advance(Marches *marches, Group *group)
{
  PetscInt left = STEPS_BETWEEN_LOOKS;

  PetscFunctionBegin;
  while (left > 0 && group->num_busy > 0) {
    PetscInt steps = left;
    unsigned failed;

    for (PetscInt lane = 0; lane < WIDE_LANES; lane++)
      if (group->lanes->stepper[lane]) steps = PetscMin(steps, group->notice[lane] - group->march[lane].state->step);
    PetscCall(LanesAdvance(group->lanes, steps, &failed));
    left -= steps;
    for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
      if (group->lanes->stepper[lane]) PetscCall(Notice(marches, group, lane));
      if (!(failed >> lane & 1)) continue;
      PetscCall(Remove(group, lane));
      PetscCall(End(marches, &group->march[lane], PETSC_FALSE));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Saves now and then, tells how far all are. */
static PetscErrorCode Look(Marches *marches, Group *group)
{
  PetscReal done = marches->done;

  PetscFunctionBegin;
  PetscCall(CountSeconds(group->num_busy, group->busy, &group->counted));
  for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
    March *const march = &group->march[lane];

    if (!group->lanes->stepper[lane]) continue;
    done += march->state->step;
    if (!MarchIsToSave(march, group->counted)) continue;
    PetscCall(LanesKeep(group->lanes, lane));
    PetscCall(MarchSave(march));
  }
  ProgressUpdate(&marches->progress, done);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The last ones of a group go on alone; or end where the user broke them off. */
static PetscErrorCode Disband(Marches *marches, Group *group)
{
  PetscFunctionBegin;
  for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
    if (!group->lanes->stepper[lane]) continue;
    PetscCall(Remove(group, lane));
    if (InterruptAsked()) PetscCall(End(marches, &group->march[lane], PETSC_TRUE));
    else PetscCall(MarchAlone(marches, &group->march[lane]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* This motion, with all that follow and are like it; the one behind them may have begun, and waits. */
static PetscErrorCode MarchTogether(Marches *marches, const March *first, March *waiting, PetscBool *waits)
{
  Group group = {0};

  PetscFunctionBegin;
  PetscCall(LanesCreate(first->stepper, marches->shared, &group.lanes));
  PetscCall(Enter(&group, first));
  while (!InterruptAsked()) {
    PetscCall(Fill(marches, &group, waiting, waits));
    if (group.num_busy < LanesWorthwhile()) break;
    PetscCall(Advance(marches, &group));
    PetscCall(Look(marches, &group));
  }
  PetscCall(Disband(marches, &group));
  PetscCall(LanesDestroy(&group.lanes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Those of equal time steps follow each other, so that they can run side by side. */
static int CompareTimeSteps(const void *one, const void *other)
{
  const MarchTask *const a = one, *const b = other;

  if (a->run->options.time_step != b->run->options.time_step) return a->run->options.time_step < b->run->options.time_step ? -1 : 1;
  return (a->place > b->place) - (a->place < b->place);
}

static PetscErrorCode Collect(PetscInt count, const MarchTask tasks[], Marches *marches)
{
  PetscReal   total = 0.0;
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCall(PetscMalloc1(count, &marches->tasks));
  marches->shared = PETSC_TRUE;
  for (PetscInt t = 0; t < count; t++) {
    if (tasks[t].run->rank != rank) continue;
    marches->tasks[marches->count]         = tasks[t];
    marches->tasks[marches->count++].place = t;
    marches->shared                        = (PetscBool)(marches->shared && tasks[t].cache->system == tasks[0].cache->system);
    total += tasks[t].run->steps;
  }
  qsort(marches->tasks, (size_t)marches->count, sizeof(MarchTask), CompareTimeSteps);
  ProgressBegin(&marches->progress, "steps", total);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TasksMarch(PetscInt count, const MarchTask tasks[], PetscBool resumed)
{
  Marches   marches = {.resumed = resumed};
  March     march, waiting;
  PetscBool begun, waits = PETSC_FALSE, wanted = PETSC_TRUE;

  PetscFunctionBegin;
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-lanes", &wanted, NULL));
  PetscCall(Collect(count, tasks, &marches));
  while (!InterruptAsked() || waits) {
    begun = waits;
    if (waits) march = waiting;
    else PetscCall(BeginNext(&marches, &march, &begun));
    waits = PETSC_FALSE;
    if (!begun) break;
    if (wanted && marches.count - marches.next + 1 >= LanesWorthwhile() && CanEnter(&march))
      PetscCall(MarchTogether(&marches, &march, &waiting, &waits));
    else PetscCall(MarchAlone(&marches, &march));
  }
  ProgressEnd(&marches.progress);
  PetscCall(PetscFree(marches.tasks));
  PetscFunctionReturn(PETSC_SUCCESS);
}
