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

/* A pulse and its first two rates by time: it begins with a value and a rate, but no acceleration, and dies out within a duration, where it has none of
   the three. The polynomial of degree five. */
static void Pulse(PetscReal value, PetscReal rate, PetscReal duration, PetscReal time, PetscReal pulse[3])
{
  const PetscReal s = time / duration, left = 1.0 - s, slope = rate * duration;

  pulse[0] = left * left * left * (value * (1.0 + s * (3.0 + 6.0 * s)) + slope * s * (1.0 + 3.0 * s));
  pulse[1] = left * left * (-30.0 * value * s * s + slope * (1.0 - 3.0 * s) * (1.0 + 5.0 * s)) / duration;
  pulse[2] = left * (-60.0 * value * s * (1.0 - 2.0 * s) - 12.0 * slope * s * (3.0 - 5.0 * s)) / (duration * duration);
}

/* Adds the pulse of a line, or of what the samples have beside all lines, so long after the start, `way` 1, or before the end, -1. */
static void AddPulse(PetscReal value, PetscReal rate, PetscReal lasts, PetscReal time, PetscReal way, PetscReal sum[3])
{
  PetscReal pulse[3];

  Pulse(value, way * rate, lasts, time, pulse);
  sum[0] += pulse[0];
  sum[1] += way * pulse[1];
  sum[2] += pulse[2];
}

/* Those of all lines whose period is not over: T / time of them, so that all steps h together ask for T / h ln(T / h) pulses. */
static void AddPulses(const Course *course, PetscReal time, PetscReal way, PetscReal sum[3])
{
  const Signal *const signal = course->signal;
  const PetscBool     twice  = (PetscBool)(course->given == COURSE_ACCELERATION);
  const PetscReal     half = 0.5 * signal->duration, longest = PetscMin(1.0 / signal->frequency, half);

  for (PetscInt k = 0; k < signal->num_lines; k++) {
    const PetscReal *const line      = signal->lines + 2 * k;
    const PetscReal        frequency = signal->frequency + (PetscReal)k / signal->duration, omega = 2.0 * PETSC_PI * frequency;
    const PetscReal        lasts = PetscMin(1.0 / frequency, half), once = -line[1] / omega;

    if (time >= lasts) break;
    AddPulse(twice ? -line[0] / (omega * omega) : once, twice ? once : 0.0, lasts, time, way, sum);
  }
  if (time < longest) AddPulse(signal->images[twice ? 1 : 0], twice ? signal->images[0] : 0.0, longest, time, way, sum);
}

/* A random signal is a sum of lines, of which each is integrated without a part that grows or stays. The motion so found is under way when the signal
   begins and ends: pulses take off what keeps it from rest there, for each line over its own period, so that its pulse is about as large as itself. */
static void Centre(const Course *course, PetscReal time, PetscReal all[5])
{
  const Signal *const signal = course->signal;
  const PetscInt      first  = course->given == COURSE_ACCELERATION ? 0 : 1;
  const PetscReal     since = time - signal->start, left = signal->duration - since;
  PetscReal           pulses[3] = {0.0};

  if (since <= 0.0 || left <= 0.0) {
    all[0] = all[1] = 0.0;
    return;
  }
  all[0] += signal->origin[1] + signal->origin[0] * since;
  all[1] += signal->origin[0];
  if (since < left) AddPulses(course, since, 1.0, pulses);
  else AddPulses(course, left, -1.0, pulses);
  for (PetscInt k = 0; k < 3; k++) all[first + k] -= pulses[k];
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
  if (course->given != COURSE_DISPLACEMENT && course->signal->kind == SIGNAL_RANDOM) Centre(course, time, all);
  for (PetscInt k = 0; k < NUM_COURSES; k++) motion[k] = course->amplitude * all[2 - course->given + k];
}
