/* law_loops.c - parameters of laws, and of a spring and a dashpot in parallel with them, found from measured loops. */
#include "../loops/norms.h"
#include "bounded_squares.h"
#include "law_fit.h"
#include "loop_memory.h"
#include "parameter_scale.h"

#define LEAST_ERROR 1e-6 /* of the largest force: no force is assumed to be known better */

/* The motion along which the law is driven: a warm-up, then the record. */
typedef struct {
  const LoopRecord *record;
  PetscInt          before, first;                   /* samples of the warm-up; first sample of the record that is compared */
  PetscReal        *displacement, *velocity, *force; /* [before + count] */
  PetscReal         largest;                         /* force */
} Course;

typedef struct {
  const LawToFit *law;
  PetscInt        count;
  Course         *courses;
} Loops;

static PetscBool Moves(const LoopRecord *record)
{
  for (PetscInt i = 1; i < record->count; i++)
    if (record->displacement[i] != record->displacement[0]) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* The velocity; where it is not measured, that of the parabola through three samples. */
static PetscReal VelocityAt(const LoopRecord *record, PetscInt i)
{
  const PetscInt   middle = PetscMin(PetscMax(i, 1), record->count - 2);
  const PetscReal *t = record->time + middle, *x = record->displacement + middle;
  const PetscReal  before = (x[0] - x[-1]) / (t[0] - t[-1]), after = (x[1] - x[0]) / (t[1] - t[0]);

  if (record->velocity) return record->velocity[i];
  return before + (after - before) * (2 * record->time[i] - t[0] - t[-1]) / (t[1] - t[-1]);
}

/* Position among the unknowns of the number `index`; -1 where it is known. */
static PetscInt UnknownAt(const LawToFit *law, PetscInt index)
{
  for (PetscInt p = 0; p < law->num_unknowns; p++)
    if (law->unknowns[p].index == index) return p;
  return -1;
}

/* The velocity enters by the law or by the dashpot. */
static PetscBool NeedsVelocity(const LawToFit *law)
{
  return (PetscBool)(law->law->traits & JOINT_VISCOUS || law->values[LAW_FIT_DAMPING] != 0 || UnknownAt(law, LAW_FIT_DAMPING) >= 0);
}

static PetscErrorCode CourseCreate(const LawToFit *law, const LoopRecord *record, Course *course)
{
  const PetscInt  passes  = LoopFindMemory(record, &course->first) == LOOP_CLOSED ? law->warm_up : 0;
  const PetscInt  total   = (passes + 1) * record->count;
  const PetscBool viscous = NeedsVelocity(law);

  PetscFunctionBegin;
  course->record  = record;
  course->before  = passes * record->count;
  course->largest = LargestOf(record->count, record->force);
  PetscCall(PetscMalloc3(total, &course->displacement, total, &course->velocity, total, &course->force));
  for (PetscInt i = 0; i < total; i++) {
    course->displacement[i] = record->displacement[i % record->count];
    course->velocity[i]     = viscous ? VelocityAt(record, i % record->count) : 0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CourseDestroy(Course *course)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(course->displacement, course->velocity, course->force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The spring and the dashpot have no memory. */
static PetscErrorCode Drive(const Course *course, const JointBlock *block, const PetscReal values[])
{
  const PetscInt total = course->before + course->record->count;

  PetscFunctionBegin;
  PetscCall(JointDrive(1, block, total, course->displacement, course->velocity, course->force, NULL));
  for (PetscInt i = course->before; i < total; i++)
    course->force[i] += values[LAW_FIT_STIFFNESS] * course->displacement[i] + values[LAW_FIT_DAMPING] * course->velocity[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Deviate(void *context, const PetscReal values[], PetscBool *exists, PetscReal deviations[])
{
  const Loops *loops = context;
  PetscInt     n     = 0;
  JointBlock   block;

  PetscFunctionBegin;
  PetscCall(LawFitBlock(loops->law, values, exists, &block));
  if (!*exists) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt c = 0; c < loops->count; c++) {
    const Course *course = &loops->courses[c];

    PetscCall(Drive(course, &block, values));
    for (PetscInt i = course->first; i < course->record->count; i++)
      deviations[n++] = (course->force[course->before + i] - course->record->force[i]) / course->largest;
  }
  PetscCall(JointBlockDestroy(&block));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Why a record cannot be used; otherwise the samples that can be compared are counted. */
static PetscErrorCode CheckRecord(const LoopRecord *record, PetscInt number, PetscInt *num_judged, char reason[], size_t size)
{
  PetscInt first;

  PetscFunctionBegin;
  if (record->count < 3)
    PetscCall(PetscSNPrintf(reason, size, "record %" PetscInt_FMT " has %" PetscInt_FMT " sample%s: 3 or more are needed", number, record->count,
                            record->count == 1 ? "" : "s"));
  else if (!Moves(record)) PetscCall(PetscSNPrintf(reason, size, "record %" PetscInt_FMT " does not move", number));
  else if (LargestOf(record->count, record->force) == 0) PetscCall(PetscSNPrintf(reason, size, "record %" PetscInt_FMT " has no force", number));
  else if (LoopFindMemory(record, &first) == LOOP_OF_UNKNOWN_PAST)
    PetscCall(PetscSNPrintf(
      reason, size, "record %" PetscInt_FMT " begins neither at rest nor at an extreme, and is no whole cycle: the motion before it is unknown",
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
    PetscCall(PetscSNPrintf(reason, size, "%" PetscInt_FMT " samples are too few for %" PetscInt_FMT " unknowns: %" PetscInt_FMT " are needed",
                            num_judged, num_unknowns, num_unknowns + 3));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The number of independent samples is smaller by the square of this when neighbours are correlated [Bartlett 1935]. */
PetscReal LawFitShortness(PetscReal alike)
{
  return PetscSqrtReal((1 + alike) / (1 - alike));
}

/* The misfit of no force at all. */
static PetscReal MisfitOfNone(const Loops *loops, PetscInt count)
{
  PetscReal sum = 0;

  for (PetscInt c = 0; c < loops->count; c++)
    for (PetscInt i = loops->courses[c].first; i < loops->courses[c].record->count; i++)
      sum += PetscSqr(loops->courses[c].record->force[i] / loops->courses[c].largest) / count;
  return PetscSqrtReal(sum);
}

/* The misfit of the law, and the correlation of neighbouring deviations. */
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

/* The least sum of squares for a spring without a law, with a dashpot where that is unknown. */
static PetscReal LeftBySpring(const Loops *loops)
{
  const LawToFit *law      = loops->law;
  const PetscReal damping  = UnknownAt(law, LAW_FIT_DAMPING) < 0 ? law->values[LAW_FIT_DAMPING] : 0;
  const PetscBool dashpot  = (PetscBool)(UnknownAt(law, LAW_FIT_DAMPING) >= 0);
  PetscReal       normal[] = {0, 0, 0}, right[] = {0, 0}, sum = 0;

  for (PetscInt c = 0; c < loops->count; c++) {
    const Course *course = &loops->courses[c];

    for (PetscInt i = course->first; i < course->record->count; i++) {
      const PetscReal x = course->displacement[i] / course->largest, v = course->velocity[i] / course->largest;
      const PetscReal force = course->record->force[i] / course->largest - damping * v;

      normal[0] += x * x;
      normal[1] += x * v;
      normal[2] += v * v;
      right[0] += x * force;
      right[1] += v * force;
      sum += force * force;
    }
  }
  if (dashpot && normal[2] > 0) {
    const PetscReal share = normal[1] / normal[2];

    sum -= right[1] * right[1] / normal[2];
    normal[0] -= share * normal[1];
    right[0] -= share * right[1];
  }
  return normal[0] > 0 ? sum - right[0] * right[0] / normal[0] : sum;
}

/* A law that sticks throughout cannot be told from a spring. Each unknown follows some noise, which reduces the sum by about 2. */
static void JudgeSplit(const Loops *loops, const ParameterFit *problem, LawFit *fit)
{
  const PetscInt  count = problem->num_unknowns;
  const PetscReal left = problem->count * PetscSqr(fit->misfit[0]), student = StudentDeviation((PetscReal)(problem->count - count));
  const PetscReal enough = PetscSqr(student) + 2 * (PetscReal)(count - 1);

  if (UnknownAt(loops->law, LAW_FIT_STIFFNESS) < 0) return;
  fit->straight = (PetscBool)(LeftBySpring(loops) < left + enough * problem->variance[0]);
  for (PetscInt p = 0; fit->straight && p < count; p++)
    if (problem->unknowns[p].index != LAW_FIT_DAMPING) ScaleLeaveOpen(&problem->unknowns[p], &fit->parameters[p]);
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

/* A spring or a dashpot in parallel may be zero. It is negligible below a tenth of the loops' own stiffness or damping. */
static void FindSmall(const LawToFit *law, const Loops *loops, FitUnknown unknowns[])
{
  const PetscReal share = 0.1;

  for (PetscInt p = 0; p < law->num_unknowns; p++) {
    unknowns[p] = law->unknowns[p];
    if (unknowns[p].index < LAW_FIT_STIFFNESS) continue;
    unknowns[p].small = PETSC_INFINITY;
    for (PetscInt c = 0; c < loops->count; c++) {
      const Course    *course = &loops->courses[c];
      const PetscReal *motion = unknowns[p].index == LAW_FIT_STIFFNESS ? course->displacement : course->velocity;

      unknowns[p].small = PetscMin(unknowns[p].small, share * course->largest / LargestOf(course->record->count, motion));
    }
  }
}

static PetscErrorCode FitCourses(const LawToFit *law, Loops *loops, PetscBool *found, LawFit *fit, char reason[], size_t size)
{
  const PetscReal enough = 0.5; /* of the force itself: a law that leaves more does not explain it */
  PetscReal       none   = 0;
  FitUnknown      unknowns[FIT_MAX_UNKNOWNS];
  ParameterFit    problem = LawFitProblem(law, fit);

  PetscFunctionBegin;
  problem.num_kinds   = 1;
  problem.variance[0] = 1e-3 * 1e-3;
  problem.floor[0]    = LEAST_ERROR * LEAST_ERROR;
  problem.huber       = PETSC_INFINITY;
  problem.deviate     = Deviate;
  problem.context     = loops;
  FindSmall(law, loops, unknowns);
  problem.unknowns = unknowns;
  for (PetscInt c = 0; c < loops->count; c++) problem.count += loops->courses[c].record->count - loops->courses[c].first;
  PetscCall(ParameterFitFind(&problem, found, fit->parameters));
  fit->num_points = problem.count;
  if (!*found) {
    PetscCall(PetscSNPrintf(reason, size, "the law %s is refused at all starts: give better starts, or bounds", law->law->name));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(Misfit(loops, problem.count, fit));
  PetscCall(FindShaking(loops, &fit->shaking));
  JudgeSplit(loops, &problem, fit);
  none   = MisfitOfNone(loops, problem.count);
  *found = fit->misfit[0] < enough * none ? PETSC_TRUE : PETSC_FALSE;
  if (!*found)
    PetscCall(PetscSNPrintf(reason, size, "no law %s fits: the best one is off by %.2g %% of the largest force, which itself is %.2g %% on average",
                            law->law->name, 100 * (double)fit->misfit[0], 100 * (double)none));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LawFitLoops(const LawToFit *law, PetscInt num_records, const LoopRecord records[], PetscBool *found, LawFit *fit, char reason[],
                           size_t size)
{
  Loops loops = {.law = law};

  PetscFunctionBegin;
  PetscCall(LawFitBegin(law, found, fit, reason, size));
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
  PetscCall(Drive(&course, &block, values));
  PetscCall(PetscArraycpy(force, course.force + course.before, record->count));
  PetscCall(JointBlockDestroy(&block));
  PetscCall(CourseDestroy(&course));
  PetscFunctionReturn(PETSC_SUCCESS);
}
