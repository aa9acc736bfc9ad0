/* course.c - displacement, velocity and acceleration of a support from a signal of one of them. */
#include "march/course.h"

const char *const course_names[] = {"displacement", "velocity", "acceleration", NULL};

Course CourseCreate(const Signal *signal, CourseGiven given, PetscReal amplitude, PetscReal step)
{
  return (Course){.signal = signal, .given = given, .amplitude = amplitude, .step = step, .reached = 0, .sums = {0.0, 0.0}};
}

/* Over a part without a kink: sums[0] += int s dt, sums[1] += sums[0] h + int (to - t) s dt. */
static void AddPart(const Signal *signal, PetscReal from, PetscReal to, PetscReal sums[2])
{
  enum { NUM_POINTS = 4 };
  static const PetscReal place[NUM_POINTS]  = {0.06943184420297371, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629};
  static const PetscReal weight[NUM_POINTS] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693};
  const PetscReal        h                  = to - from;
  PetscReal              once = 0.0, twice = 0.0;

  for (PetscInt i = 0; i < NUM_POINTS; i++) {
    PetscReal rates[3];

    SignalRates(signal, from + place[i] * h, rates);
    once += weight[i] * rates[0];
    twice += weight[i] * (1.0 - place[i]) * rates[0];
  }
  sums[1] += h * (sums[0] + h * twice);
  sums[0] += h * once;
}

static void AddParts(const Signal *signal, PetscReal from, PetscReal to, PetscReal sums[2])
{
  while (from < to) {
    const PetscReal end = PetscMin(to, SignalNextBreak(signal, from));

    AddPart(signal, from, end, sums);
    from = end;
  }
}

/* Always over the same steps, whichever times are asked for, so that a run that is resumed gives the same bits. */
static void Integrate(Course *course, PetscReal time, PetscReal sums[2])
{
  const PetscInt whole = (PetscInt)PetscFloorReal(time / course->step * (1.0 + 4.0 * PETSC_MACHINE_EPSILON));

  if (whole < course->reached) {
    course->reached = 0;
    course->sums[0] = course->sums[1] = 0.0;
  }
  for (; course->reached < whole; course->reached++)
    AddParts(course->signal, course->reached * course->step, (course->reached + 1) * course->step, course->sums);
  sums[0] = course->sums[0];
  sums[1] = course->sums[1];
  AddParts(course->signal, whole * course->step, time, sums);
}

/* The integrals of a steady sine have no part that grows or stays. */
static void IntegrateSteady(const Signal *signal, PetscReal time, PetscReal sums[2])
{
  const PetscReal omega = 2.0 * PETSC_PI * signal->frequency, angle = omega * time + signal->phase;

  sums[0] = -PetscCosReal(angle) / omega;
  sums[1] = -PetscSinReal(angle) / (omega * omega);
}

void CourseFind(Course *course, PetscReal time, PetscReal motion[NUM_COURSES])
{
  PetscReal all[5] = {0.0}; /* twice integrated, once, the signal, its two rates */

  if (course->given != COURSE_DISPLACEMENT) {
    PetscReal sums[2];

    if (course->signal->steady) IntegrateSteady(course->signal, time, sums);
    else Integrate(course, time, sums);
    all[0] = sums[1];
    all[1] = sums[0];
  }
  SignalRates(course->signal, time, all + 2);
  for (PetscInt k = 0; k < NUM_COURSES; k++) motion[k] = course->amplitude * all[2 - course->given + k];
}
