/*
  motion.h - for the tests of dynamics: small systems, motions of them, and what these are on the unknowns.

  A Motion is a System marched through time. Every unknown is a point of its own, so that the rows of T tell the motion of the
  unknowns whatever coordinates the linear part has chosen.
*/
#pragma once
#include "march/stepper.h"
#include "check.h"
#include <slepcsys.h>

enum { GROUND = -1 };

/* The fallbacks of the case file. */
static const PetscReal default_tolerance      = 1e-11;
static const PetscInt  default_max_iterations = 25;

static inline StepperOptions OptionsOf(NewmarkRule rule, PetscReal h)
{
  return (StepperOptions){.rule = rule, .tolerance = default_tolerance, .max_iterations = default_max_iterations, .time_step = h};
}

static inline StepperOptions AverageAcceleration(PetscReal h)
{
  return OptionsOf((NewmarkRule){.beta = 0.25, .gamma = 0.5}, h);
}

/* With the beta and gamma that keep it of second order [Hilber, Hughes, Taylor 1977]. */
static inline StepperOptions HilberHughesTaylor(PetscReal alpha, PetscReal h)
{
  return OptionsOf((NewmarkRule){.beta = 0.25 * (1.0 - alpha) * (1.0 - alpha), .gamma = 0.5 - alpha, .alpha = alpha}, h);
}

static inline StepperOptions RungeKutta(PetscReal h)
{
  return (StepperOptions){.method = METHOD_RUNGE_KUTTA, .time_step = h};
}

/* A System of so many unknowns, each a point "u0", "u1", ... */
static inline System *SystemNew(PetscInt num_unknowns)
{
  const PetscInt direction = 0;
  System        *system;

  assert_ok(SystemCreate(num_unknowns, &system));
  for (PetscInt i = 0; i < num_unknowns; i++) {
    char name[16];

    assert_ok(PetscSNPrintf(name, sizeof(name), "u%" PetscInt_FMT, i));
    assert_ok(SystemAddPoint(system, name, 1, &direction, &i));
  }
  return system;
}

/* Entries k (e_j - e_i) (e_j - e_i)^T; what belongs to the ground is left out. */
static inline void AddSpring(System *system, PetscInt i, PetscInt j, PetscReal k)
{
  assert_ok(SystemAddStiffness(system, i, i, k));
  assert_ok(SystemAddStiffness(system, j, j, k));
  assert_ok(SystemAddStiffness(system, i, j, -k));
  assert_ok(SystemAddStiffness(system, j, i, -k));
}

static inline void AddDamper(System *system, PetscInt i, PetscInt j, PetscReal c)
{
  assert_ok(SystemAddDamping(system, i, i, c));
  assert_ok(SystemAddDamping(system, j, j, c));
  assert_ok(SystemAddDamping(system, i, j, -c));
  assert_ok(SystemAddDamping(system, j, i, -c));
}

static inline void AddJoint(System *system, const JointLaw *law, const PetscReal parameters[], PetscInt negative, PetscInt positive)
{
  char     name[16];
  PetscInt row;

  assert_non_null(law);
  assert_int_equal(law->dim, 1);
  assert_ok(PetscSNPrintf(name, sizeof(name), "joint%" PetscInt_FMT, system->names.num_rows));
  assert_ok(SystemAddRow(system, name, 0, negative, positive, &row));
  assert_ok(SystemAddLaw(system, law, parameters, &row));
}

/* A discrete damper that does nothing keeps the linear part from being modal. */
static inline void ForbidModal(System *system)
{
  assert_ok(SystemAddDamping(system, 0, 0, 0.0));
}

typedef struct {
  ModeCache  cache;
  System    *system;
  Stepper   *stepper;
  State     *state;
  PetscInt   n;           /* unknowns */
  PetscReal *coordinates; /* [n, coordinates]: unknown i is its row i */
} Motion;

/* Takes the system, which is set up, and what is known of it. */
static inline Motion MotionOfSubject(ModeCache cache, System *system, StepperOptions options, PetscInt num_loads, const Load loads[],
                                     InitialMotion initial)
{
  Motion motion = {.cache = cache, .system = system, .n = system->num_unknowns};

  assert_ok(LinearPrepare(&motion.cache));
  assert_ok(StepperCreate(&motion.cache, options, num_loads, loads, &motion.stepper));
  assert_ok(StepperStart(motion.stepper, initial, &motion.state));
  assert_ok(PetscMalloc1(motion.n * motion.stepper->linear->n, &motion.coordinates));
  for (PetscInt i = 0; i < motion.n; i++)
    assert_ok(LinearRow(motion.stepper->linear, system->T, i, motion.coordinates + i * motion.stepper->linear->n));
  return motion;
}

static inline Motion MotionBegin(System *system, StepperOptions options, PetscInt num_loads, const Load loads[], InitialMotion initial)
{
  return MotionOfSubject((ModeCache){.system = system}, system, options, num_loads, loads, initial);
}

static inline void MotionEnd(Motion *motion)
{
  assert_ok(PetscFree(motion->coordinates));
  assert_ok(StateDestroy(&motion->state));
  assert_ok(StepperDestroy(&motion->stepper));
  assert_ok(ModeCacheDestroy(&motion->cache));
  assert_ok(SystemDestroy(&motion->system));
}

static inline void MotionStep(Motion *motion, PetscInt steps)
{
  for (PetscInt i = 0; i < steps; i++) {
    PetscBool converged = PETSC_FALSE;

    assert_ok(StepperStep(motion->stepper, motion->state, &converged));
    assert_true(converged);
  }
}

/* u, v or a of one unknown, or of all. */
static inline PetscReal MotionAt(const Motion *motion, const PetscReal coordinates[], PetscInt i)
{
  const PetscInt n = motion->stepper->linear->n;
  PetscReal      value;

  RowsTimes(1, n, motion->coordinates + i * n, coordinates, &value);
  return value;
}

static inline void MotionAll(const Motion *motion, const PetscReal coordinates[], PetscReal values[])
{
  RowsTimes(motion->n, motion->stepper->linear->n, motion->coordinates, coordinates, values);
}

/* Energy at the start and put in since, less what is there and what was lost [J]: zero when nothing is missing. */
static inline PetscReal MotionImbalance(const Motion *motion)
{
  const State *state = motion->state;
  PetscReal    kinetic, strain;

  assert_ok(StepperEnergy(motion->stepper, state, &kinetic, &strain));
  return state->start_energy + state->work - kinetic - strain - state->absorbed - state->damped;
}

/* A matrix of a System, row-major; NULL is zero. */
static inline void MatrixGet(Mat matrix, PetscInt rows, PetscInt columns, PetscReal values[])
{
  for (PetscInt i = 0; i < rows; i++)
    for (PetscInt j = 0; j < columns; j++) {
      values[i * columns + j] = 0.0;
      if (matrix) assert_ok(MatGetValue(matrix, i, j, &values[i * columns + j]));
    }
}

static inline PetscReal Largest(PetscInt count, const PetscReal values[])
{
  PetscReal most = 0.0;

  for (PetscInt i = 0; i < count; i++)
    if (!(fabs(values[i]) <= most)) most = fabs(values[i]); /* not-a-number comes through */
  return most;
}

#define assert_between(actual, least, most) assert_near((actual), 0.5 * ((least) + (most)), 0.5 * ((most) - (least)))

/* Order of convergence that two errors show when the step is divided by `ratio`. */
static inline PetscReal Order(PetscReal coarse, PetscReal fine, PetscReal ratio)
{
  return log(coarse / fine) / log(ratio);
}
