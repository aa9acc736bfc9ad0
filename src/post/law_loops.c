/* law_loops.c - parameters of laws, found from measured loops. */
#include "parameter_fit.h"

#define LEAST_ERROR 1e-6 /* of the largest force: nothing is taken to be known better */

/* A record as the law is driven along it: what goes before, then the record. */
typedef struct {
  const LoopRecord *record;
  PetscInt          before, first;                   /* samples that are driven before the record; first of the record that is judged */
  PetscReal        *displacement, *velocity, *force; /* [before + count] */
  PetscReal         largest;                         /* force */
} Course;

typedef struct {
  const JointLaw *law;
  PetscInt        count;
  Course         *courses;
} Loops;

static PetscReal Largest(PetscInt count, const PetscReal values[])
{
  PetscReal largest = 0;

  for (PetscInt i = 0; i < count; i++) largest = PetscMax(largest, PetscAbsReal(values[i]));
  return largest;
}

static PetscBool Moves(const LoopRecord *record)
{
  for (PetscInt i = 1; i < record->count; i++)
    if (record->displacement[i] != record->displacement[0]) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* dx/dt where it is not measured: of the parabola through three samples. */
static PetscReal VelocityAt(const LoopRecord *record, PetscInt i)
{
  const PetscInt   middle = PetscMin(PetscMax(i, 1), record->count - 2);
  const PetscReal *t = record->time + middle, *x = record->displacement + middle;
  const PetscReal  before = (x[0] - x[-1]) / (t[0] - t[-1]), after = (x[1] - x[0]) / (t[1] - t[0]);

  if (record->velocity) return record->velocity[i];
  return before + (after - before) * (2 * record->time[i] - t[0] - t[-1]) / (t[1] - t[-1]);
}

static PetscErrorCode CourseCreate(const LawToFit *law, const LoopRecord *record, Course *course)
{
  const PetscInt passes = LoopFindMemory(record, &course->first) == LOOP_CLOSED ? law->warm_up : 0;
  const PetscInt total  = (passes + 1) * record->count;

  PetscFunctionBegin;
  course->record  = record;
  course->before  = passes * record->count;
  course->largest = Largest(record->count, record->force);
  PetscCall(PetscMalloc3(total, &course->displacement, total, &course->velocity, total, &course->force));
  for (PetscInt i = 0; i < total; i++) {
    course->displacement[i] = record->displacement[i % record->count];
    course->velocity[i]     = law->law->traits & JOINT_VISCOUS ? VelocityAt(record, i % record->count) : 0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CourseDestroy(Course *course)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(course->displacement, course->velocity, course->force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Drive(const Course *course, const JointBlock *block)
{
  PetscFunctionBegin;
  PetscCall(JointDrive(1, block, course->before + course->record->count, course->displacement, course->velocity, course->force, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Deviate(void *context, const PetscReal values[], PetscBool *exists, PetscReal deviations[])
{
  const Loops *loops = context;
  PetscInt     n     = 0;
  JointBlock   block;

  PetscFunctionBegin;
  *exists = loops->law->refuse && loops->law->refuse(values) ? PETSC_FALSE : PETSC_TRUE;
  if (!*exists) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(JointBlockCreate(loops->law, values, 1, &block));
  for (PetscInt c = 0; c < loops->count; c++) {
    const Course *course = &loops->courses[c];

    PetscCall(Drive(course, &block));
    for (PetscInt i = course->first; i < course->record->count; i++)
      deviations[n++] = (course->force[course->before + i] - course->record->force[i]) / course->largest;
  }
  PetscCall(JointBlockDestroy(&block));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What makes a record useless; the samples that are judged. */
static PetscErrorCode CheckRecord(const LoopRecord *record, PetscInt number, PetscInt *num_judged, char reason[], size_t size)
{
  PetscInt first;

  PetscFunctionBegin;
  if (record->count < 3)
    PetscCall(PetscSNPrintf(reason, size, "record %" PetscInt_FMT " has %" PetscInt_FMT " sample%s: 3 or more are needed", number, record->count,
                            record->count == 1 ? "" : "s"));
  else if (!Moves(record)) PetscCall(PetscSNPrintf(reason, size, "record %" PetscInt_FMT " does not move", number));
  else if (Largest(record->count, record->force) == 0) PetscCall(PetscSNPrintf(reason, size, "record %" PetscInt_FMT " has no force", number));
  else if (LoopFindMemory(record, &first) == LOOP_OF_UNKNOWN_PAST)
    PetscCall(PetscSNPrintf(
      reason, size, "record %" PetscInt_FMT " begins neither at rest nor at its end, and is no whole cycle: what the joint remembers is unknown",
      number));
  else *num_judged += record->count - first;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckRecords(PetscInt count, const LoopRecord records[], PetscInt num_unknowns, char reason[], size_t size)
{
  PetscInt num_judged = 0;

  PetscFunctionBegin;
  for (PetscInt r = 0; r < count && !reason[0]; r++) PetscCall(CheckRecord(&records[r], r + 1, &num_judged, reason, size));
  if (!reason[0] && num_judged < num_unknowns + 3)
    PetscCall(PetscSNPrintf(reason, size, "there are %" PetscInt_FMT " samples for %" PetscInt_FMT " unknowns: 3 more than unknowns are needed",
                            num_judged, num_unknowns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of samples that go together by this much the number that tell something is smaller [Bartlett 1935]. */
PetscReal LawFitShortness(PetscReal alike)
{
  return PetscSqrtReal((1 + alike) / (1 - alike));
}

/* How far none at all is from the records. */
static PetscReal MisfitOfNone(const Loops *loops, PetscInt count)
{
  PetscReal sum = 0;

  for (PetscInt c = 0; c < loops->count; c++)
    for (PetscInt i = loops->courses[c].first; i < loops->courses[c].record->count; i++)
      sum += PetscSqr(loops->courses[c].record->force[i] / loops->courses[c].largest) / count;
  return PetscSqrtReal(sum);
}

/* How far the force of the law is from the records, and whether it is so by chance. */
static PetscErrorCode Misfit(Loops *loops, PetscInt count, LawFit *fit)
{
  PetscReal *deviations, sum = 0, together = 0;
  PetscBool  exists;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count, &deviations));
  PetscCall(Deviate(loops, fit->values, &exists, deviations));
  for (PetscInt i = 0; i < count; i++) sum += PetscSqr(deviations[i]);
  for (PetscInt i = 1; i < count; i++) together += deviations[i] * deviations[i - 1];
  fit->misfit[0] = PetscSqrtReal(sum / count);
  fit->alike     = fit->misfit[0] > LEAST_ERROR ? together / sum : 0;
  PetscCall(PetscFree(deviations));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindShaking(const Loops *loops, PetscInt *number)
{
  PetscFunctionBegin;
  *number = 0;
  for (PetscInt c = 0; c < loops->count && *number == 0; c++) {
    PetscBool shaking;

    PetscCall(LoopIsShaking(loops->courses[c].record, &shaking));
    if (shaking) *number = c + 1;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FitCourses(const LawToFit *law, Loops *loops, PetscBool *found, LawFit *fit, char reason[], size_t size)
{
  const PetscReal enough  = 0.5; /* of what the force itself is: a law that leaves more explains nothing */
  PetscReal       none    = 0;
  ParameterFit    problem = {.num_values   = LAW_FIT_SIZE,
                             .values       = fit->values,
                             .num_unknowns = law->num_unknowns,
                             .unknowns     = law->unknowns,
                             .num_starts   = law->num_starts,
                             .num_kinds    = 1,
                             .variance     = {1e-3 * 1e-3},
                             .floor        = {LEAST_ERROR * LEAST_ERROR},
                             .huber        = PETSC_INFINITY,
                             .deviate      = Deviate,
                             .context      = loops};

  PetscFunctionBegin;
  for (PetscInt c = 0; c < loops->count; c++) problem.count += loops->courses[c].record->count - loops->courses[c].first;
  PetscCall(ParameterFitFind(&problem, found, fit->parameters));
  fit->num_points = problem.count;
  if (!*found) {
    PetscCall(PetscSNPrintf(reason, size, "%s is refused at all starts: give better ones, or bounds", law->law->name));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(Misfit(loops, problem.count, fit));
  PetscCall(FindShaking(loops, &fit->shaking));
  none   = MisfitOfNone(loops, problem.count);
  *found = fit->misfit[0] < enough * none ? PETSC_TRUE : PETSC_FALSE;
  if (!*found)
    PetscCall(PetscSNPrintf(reason, size, "no law %s comes near: the best misses the force by %.2g %% of the largest, which is %.2g %% on average",
                            law->law->name, 100 * (double)fit->misfit[0], 100 * (double)none));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LawFitLoops(const LawToFit *law, PetscInt num_records, const LoopRecord records[], PetscBool *found, LawFit *fit, char reason[],
                           size_t size)
{
  Loops loops = {.law = law->law};

  PetscFunctionBegin;
  *found = PETSC_FALSE;
  *fit   = (LawFit){0};
  PetscCall(PetscArraycpy(fit->values, law->values, LAW_FIT_SIZE));
  PetscCall(PetscStrncpy(reason, "", size));
  PetscCall(CheckRecords(num_records, records, law->num_unknowns, reason, size));
  if (reason[0]) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(num_records, &loops.courses));
  for (loops.count = 0; loops.count < num_records; loops.count++) PetscCall(CourseCreate(law, &records[loops.count], &loops.courses[loops.count]));
  PetscCall(FitCourses(law, &loops, found, fit, reason, size));
  for (PetscInt c = 0; c < loops.count; c++) PetscCall(CourseDestroy(&loops.courses[c]));
  PetscCall(PetscFree(loops.courses));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LawFitForce(const LawToFit *law, const PetscReal values[], const LoopRecord *record, PetscReal force[])
{
  JointBlock block;
  Course     course;

  PetscFunctionBegin;
  PetscCall(CourseCreate(law, record, &course));
  PetscCall(JointBlockCreate(law->law, values, 1, &block));
  PetscCall(Drive(&course, &block));
  PetscCall(PetscArraycpy(force, course.force + course.before, record->count));
  PetscCall(JointBlockDestroy(&block));
  PetscCall(CourseDestroy(&course));
  PetscFunctionReturn(PETSC_SUCCESS);
}
