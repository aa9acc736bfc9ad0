/*
  test_harmonic_stability.c - multipliers of periodic motions against event-driven motions of scipy, a closed form and the time integrator.

  "Events" are motions of piecewise linear oscillators by matrix exponentials between events, their multipliers by differences or by the product
  of the exponentials. All others are named where they are.
*/
#include "verify/motion.h"
#include "harmonic/stability.h"
#include <petscblaslapack.h>
#include <string.h>

enum { MOST_ROWS = 11 };

/* A System, loads and what they answer; joint laws are those of its blocks. */
typedef struct {
  System            *system;
  ModeCache          cache;
  PetscInt           num_loads;
  Load               loads[3];
  HarmonicStructure *structure;
} Subject;

typedef struct {
  const char *law;
  PetscReal   parameters[JOINT_MAX_PARAMETERS];
} Joint;

static const Joint jenkins = {"jenkins", {0.25, 0.2}}, iwan = {"iwan4", {0.2, 0.25, -0.5, 0.0, 0.0}};

static Load Cosine(PetscInt motion, PetscReal amplitude, PetscReal frequency)
{
  return (Load){.place     = LOAD_ON_POINT,
                .motion    = motion,
                .amplitude = amplitude,
                .signal    = {.kind = SIGNAL_HARMONIC, .frequency = frequency / (2.0 * PETSC_PI), .phase = 0.5 * PETSC_PI}};
}

static void Open(Subject *subject)
{
  const Modes *modes;

  assert_ok(SystemSetUp(subject->system));
  subject->cache = (ModeCache){.system = subject->system};
  assert_ok(ModeCacheGet(&subject->cache, JOINT_STUCK, subject->system->num_unknowns, &modes));
  assert_ok(HarmonicStructureCreate(&subject->cache, subject->num_loads, subject->loads, &subject->structure));
}

static void Close(Subject *subject)
{
  assert_ok(HarmonicStructureDestroy(&subject->structure));
  assert_ok(ModeCacheDestroy(&subject->cache));
  assert_ok(SystemDestroy(&subject->system));
}

/* m 1, a spring, damping and joints to the ground, under amplitude cos(W t). The damping is a damper, or one of the mode. */
static Subject Oscillator(PetscReal spring, PetscReal damping, PetscBool modal, PetscReal amplitude, PetscInt num_joints, const Joint joints[])
{
  Subject subject = {.system = SystemNew(1), .num_loads = 1, .loads = {Cosine(0, amplitude, 1.0)}};

  assert_ok(SystemAddMass(subject.system, 0, 0, 1.0));
  assert_ok(SystemAddStiffness(subject.system, 0, 0, spring));
  if (modal) assert_ok(SystemSetModalDamping(subject.system, &damping));
  else assert_ok(SystemAddDamping(subject.system, 0, 0, damping));
  for (PetscInt j = 0; j < num_joints; j++) AddJoint(subject.system, JointLawFind(joints[j].law), joints[j].parameters, GROUND, 0);
  Open(&subject);
  return subject;
}

typedef struct {
  Stability      *stability;
  StabilityKind   kind;        /* of the points that are located */
  PetscReal       wanted;      /* the frequency of a point on a branch that goes down; 0: none */
  StabilityResult last, found; /* of the last point; where it was wanted, or at the end of the curve */
  PetscInt        count, num_points[3], num_falling, num_located;
  PetscReal       re[MOST_ROWS], im[MOST_ROWS], located[8];
} Search;

static void Keep(Search *search, const Curve *curve)
{
  assert_ok(StabilityOfPoint(search->stability, curve, &search->found));
  for (PetscInt i = 0; i < MOST_ROWS; i++) {
    search->re[i] = i < search->stability->count ? search->stability->re[i] : 0.0;
    search->im[i] = i < search->stability->count ? search->stability->im[i] : 0.0;
  }
}

static PetscErrorCode Distance(Curve *curve, void *context, PetscReal *value)
{
  *value = curve->setting.frequency - ((Search *)context)->wanted;
  return 0;
}

/* A point between the last and the present one, which is put back. */
static void LookBetween(Search *search, Curve *curve)
{
  StabilityResult result;
  CurvePoint      from, to;
  PetscBool       found;

  assert_ok(CurvePointCreate(curve, &from));
  assert_ok(CurvePointCreate(curve, &to));
  assert_ok(CurvePointCopy(curve, &curve->last, &from));
  assert_ok(CurvePointCopy(curve, &curve->point, &to));
  if (search->wanted > 0.0) {
    assert_ok(CurveFindRoot(curve, &from, &to, Distance, search, &found));
    Keep(search, curve);
  } else {
    assert_ok(StabilityLocate(search->stability, curve, &from, &to, search->kind, &result, &found));
    search->located[search->num_located++] = curve->setting.frequency;
  }
  assert_true(found);
  assert_ok(CurveInterpolate(curve, &from, &to, 1.0, &found));
  assert_true(found);
  assert_ok(CurvePointDestroy(&from));
  assert_ok(CurvePointDestroy(&to));
}

static PetscErrorCode Look(Curve *curve, void *context, PetscBool *go_on)
{
  const PetscInt  n      = curve->equation->n;
  Search *const   search = context;
  StabilityResult result;

  *go_on = PETSC_TRUE;
  assert_ok(StabilityOfPoint(search->stability, curve, &result));
  if (getenv("STABILITY_SHOW"))
    printf("W %.8g heading %+g: %s, %s, %.6g +- %.2g, %d steps\n", curve->setting.frequency, CurveHeading(curve), stability_verdicts[result.verdict],
           stability_kinds[result.kind], result.largest, result.error, (int)result.steps);
  search->num_points[result.verdict]++;
  search->num_falling += CurveHeading(curve) < 0.0;
  if (search->count && search->wanted > 0.0 && curve->last.y[n] > search->wanted && curve->point.y[n] <= search->wanted) LookBetween(search, curve);
  if (search->count && search->kind && StabilityPasses(&search->last, &result, search->kind)) LookBetween(search, curve);
  search->last = result;
  search->count++;
  return 0;
}

static PetscErrorCode PassOn(Curve *curve, void *context, PetscBool *go_on)
{
  (void)curve, (void)context;
  *go_on = PETSC_TRUE;
  return 0;
}

/* Along a curve; `search` says what is looked for, all points or the end alone. */
static void Follow(const Subject *subject, PetscReal from, PetscReal to, PetscReal accuracy, StabilityOptions options, PetscBool end_alone,
                   Search *search)
{
  const CurveOptions curve_options = {.accuracy = accuracy, .most_harmonics = 99, .most_samples = 8192, .largest_step = 0.1, .most_points = 4000};
  Curve             *curve;

  assert_ok(StabilityCreate(subject->structure, options, &search->stability));
  assert_ok(CurveCreateByFrequency(subject->structure, curve_options, 1.0, &curve));
  assert_ok(CurveFollow(curve, from, to, end_alone ? PassOn : Look, search));
  assert_int_equal(curve->end, CURVE_ENDED);
  if (end_alone) Keep(search, curve);
  assert_ok(CurveDestroy(&curve));
  assert_ok(StabilityDestroy(&search->stability));
}

static PetscReal Modulus(const Search *search, PetscInt i)
{
  return hypot(search->re[i], search->im[i]);
}

/* Multipliers at one frequency, with a fixed number of steps. The motion is within 1e-5, so that they are within some 1e-5. */
static Search At(Subject *subject, PetscReal from, PetscReal to, PetscInt steps)
{
  Search search = {0};

  Follow(subject, from, to, 1e-5, (StabilityOptions){.least_steps = steps / 2, .most_steps = steps}, PETSC_TRUE, &search);
  return search;
}

/* Events: 0.774298192, 0.520552757 and 0.962992766, 0.247225280. The largest modulus is extrapolated, others are those of 512 steps. */
static void full_slip(void **state)
{
  (void)state;
  for (PetscInt modal = 0; modal < 2; modal++) {
    Subject subject = Oscillator(0.75, 0.01, (PetscBool)modal, 0.1, 1, &jenkins);
    Search  search  = At(&subject, 0.6, 0.96, 512);

    assert_near(search.found.largest, 0.774298192, 3e-5);
    assert_near(Modulus(&search, 1), 0.520552757, 4e-4);
    assert_near(Modulus(&search, 2), 0.0, 1e-9);
    assert_int_equal(search.found.verdict, STABILITY_STABLE);
    Close(&subject);
    subject = Oscillator(0.75, 0.01, (PetscBool)modal, 0.02, 1, &jenkins);
    search  = At(&subject, 0.6, 0.99, 512);
    assert_near(search.found.largest, 0.962992766, 3e-5);
    assert_near(Modulus(&search, 1), 0.247225280, 4e-4);
    Close(&subject);
  }
}

/* A joint that sticks leaves a linear oscillator, whose multipliers have the modulus exp(-c T / 2), by its formula or by steps. */
static void stuck(void **state)
{
  (void)state;
  for (PetscInt modal = 0; modal < 2; modal++) {
    Subject      subject = Oscillator(0.75, 0.01, (PetscBool)modal, 1e-3, 1, &jenkins);
    const Search search  = At(&subject, 0.6, 0.8, 512);

    assert_near(search.found.largest, exp(-0.01 * PETSC_PI / 0.8), 1e-7);
    assert_int_equal(search.found.verdict, STABILITY_STABLE);
    Close(&subject);
  }
}

/* The product of both multipliers is exp(-c T) exactly. On the branch between the folds (1.332863, 0.574896 by Hill's method, which is right for
   elastic laws) one multiplier is beyond 1, on no other. */
static void duffing(void **state)
{
  const Joint cubic   = {"cubic", {0.0, 0.1}};
  Subject     subject = Oscillator(1.0, 0.05, PETSC_TRUE, 0.18, 1, &cubic);
  Search      search  = {.wanted = 1.18};

  (void)state;
  Follow(&subject, 0.6, 1.8, 1e-5, (StabilityOptions){0}, PETSC_FALSE, &search);
  assert_near(search.found.largest, 1.332863, 1e-5);
  assert_near(Modulus(&search, 1), 0.574896, 3e-4);
  assert_near(Modulus(&search, 0) * Modulus(&search, 1), exp(-0.05 * 2.0 * PETSC_PI / 1.18), 4e-5); /* of 512 steps */
  assert_int_equal(search.found.kind, LEAVES_FORWARD);
  assert_true(search.num_points[STABILITY_UNSTABLE] + search.num_points[STABILITY_UNDECIDED] >= search.num_falling);
  assert_true(search.num_points[STABILITY_UNSTABLE] <= search.num_falling);
  assert_true(search.num_falling >= 10);
  Close(&subject);
}

/* Two joints on one mass, of which one remembers: 1.39968, 0.60181 by another program's steps of first order, 16384 a period. */
static void fold_with_slip(void **state)
{
  const Joint joints[] = {jenkins, {"cubic", {0.0, 0.05}}};
  Subject     subject  = Oscillator(0.75, 0.01, PETSC_FALSE, 0.3, 2, joints);
  Search      search   = {.wanted = 1.2};

  (void)state;
  Follow(&subject, 0.6, 1.8, 1e-4, (StabilityOptions){0}, PETSC_FALSE, &search);
  assert_near(search.found.largest, 1.39968, 1e-3);
  assert_near(Modulus(&search, 1), 0.60181, 1e-3);
  assert_int_equal(search.found.verdict, STABILITY_UNSTABLE);
  Close(&subject);
}

/* Events: the period doubles at 2.35935971, 1.03460289 and 0.87215174, at any load. */
static void period_doubling(void **state)
{
  const PetscReal expected[] = {2.35935971, 1.03460289, 0.87215174};
  const Joint     bilinear   = {"gap", {10.0, 0.0, 1.0}};
  Subject         subject    = Oscillator(1.0, 0.05, PETSC_FALSE, 1.0, 1, &bilinear);
  Search          search     = {.kind = LEAVES_BACKWARD};

  (void)state;
  Follow(&subject, 3.0, 0.8, 1e-4, (StabilityOptions){0}, PETSC_FALSE, &search);
  assert_int_equal(search.num_located, 3);
  for (PetscInt i = 0; i < 3; i++) assert_near(search.located[i], expected[i], 6e-4); /* 1.9e-4: the motion is within 1e-4 */
  Close(&subject);
}

/* A mass that absorbs by a cubic spring. scipy (DOP853's motion and its variations, shooting): a pair leaves at W = 0.985242091. */
static void quasi_periodic(void **state)
{
  const PetscReal damping = 0.02, cubic[] = {0.0, 0.1};
  Subject         subject = {.system = SystemNew(2), .num_loads = 1, .loads = {Cosine(0, 0.04, 1.0)}};
  Search          search  = {.kind = LEAVES_AS_PAIR};

  (void)state;
  assert_ok(SystemAddMass(subject.system, 0, 0, 1.0));
  assert_ok(SystemAddMass(subject.system, 1, 1, 0.1));
  assert_ok(SystemAddStiffness(subject.system, 0, 0, 1.0));
  AddDamper(subject.system, 0, 1, damping);
  assert_ok(SystemAddDamping(subject.system, 0, 0, damping));
  AddJoint(subject.system, JointLawFind("cubic"), cubic, 0, 1);
  Open(&subject);
  Follow(&subject, 0.8, 1.0, 1e-4, (StabilityOptions){0}, PETSC_FALSE, &search);
  assert_int_equal(search.num_located, 1);
  assert_near(search.located[0], 0.985242091, 1e-5);
  assert_int_equal(search.last.kind, LEAVES_AS_PAIR);
  Close(&subject);
}

/* The forces and accelerations that belong to what a state says of motions, velocities and memories; rows are the components of one block. */
static void MakeConsistent(const Motion *motion)
{
  Linear *const            linear = motion->stepper->linear;
  const SystemBlock *const block  = &motion->system->blocks[0];
  State *const             state  = motion->state;
  const PetscInt           dim = block->block.law->dim, num = block->block.num_points;
  const JointMotion        at = {state->motion, state->rate};
  PetscReal                reference[JOINT_MAX_DIM * JOINT_MAX_DIM], force[JOINT_MAX_DIM];
  JointForce               result = {force, NULL, NULL, NULL};

  LinearRowsTimes(&linear->joints, state->u, state->motion);
  LinearRowsTimes(&linear->joints, state->v, state->rate);
  block->block.law->evaluate(&block->block, &state->history[0], &at, &result);
  SystemBlockStiffness(block, JOINT_STUCK, 0, reference);
  for (PetscInt i = 0; i < num; i++)
    for (PetscInt c = 0; c < dim; c++) {
      PetscReal *const remainder = &state->remainder[c * num + i];

      *remainder = force[c * num + i];
      for (PetscInt e = 0; e < dim; e++) *remainder -= reference[c * dim + e] * state->motion[e * num + i];
    }
  assert_ok(StepperContinue(motion->stepper, state));
  assert_ok(
    linear->kind->accelerate(linear, motion->stepper->old_active ? motion->stepper->old_load : NULL, state->u, state->v, state->remainder, state->a));
}

/* Coordinates, velocities, memories. */
static PetscReal *NumberOf(State *state, PetscInt i)
{
  return i < state->n ? &state->u[i] : i < 2 * state->n ? &state->v[i - state->n] : &state->history[0].states[i - 2 * state->n];
}

/* Differences after each of two periods by a small change of each number: [2, size, size], column by column. */
static void Differences(Motion *motion, PetscInt steps, PetscInt size, PetscReal by[])
{
  const PetscReal small = 1e-6;
  const PetscInt  count = StateSize(motion->state);
  PetscReal      *kept;

  assert_ok(PetscMalloc1(count, &kept));
  StatePack(motion->state, kept);
  for (PetscInt j = 0; j < size; j++)
    for (PetscInt side = 0; side < 2; side++) {
      assert_ok(StateUnpack(motion->state, count, kept));
      *NumberOf(motion->state, j) += side ? -small : small;
      MakeConsistent(motion);
      for (PetscInt period = 0; period < 2; period++) {
        MotionStep(motion, steps);
        for (PetscInt i = 0; i < size; i++) {
          PetscReal *const at = &by[(period * size + j) * size + i];

          *at = side ? (*at - *NumberOf(motion->state, i)) / (2.0 * small) : *NumberOf(motion->state, i);
        }
      }
    }
  assert_ok(PetscFree(kept));
}

/* Takes the subject's system: the motion from rest until it is steady, and differences. */
static void DifferencesOfSubject(Subject *subject, PetscReal frequency, PetscInt periods, PetscInt steps, PetscInt size, PetscReal by[])
{
  Motion motion;

  for (PetscInt l = 0; l < subject->num_loads; l++) subject->loads[l].signal.frequency = frequency / (2.0 * PETSC_PI);
  assert_ok(HarmonicStructureDestroy(&subject->structure));
  assert_ok(ModeCacheDestroy(&subject->cache));
  motion = MotionBegin(subject->system, AverageAcceleration(2.0 * PETSC_PI / frequency / (PetscReal)steps), subject->num_loads, subject->loads,
                       (InitialMotion){0});
  MotionStep(&motion, periods * steps);
  assert_true(size >= 2 * motion.state->n);
  Differences(&motion, steps, size, by);
  MotionEnd(&motion);
}

/* The memory of one Masing joint is that of the motion a period later, so that two periods of differences by motion and velocity alone,
   Z2 Z1^-1, have its multipliers. The integrator turns at samples: it is within 3e-3 at 2048 steps. */
static void masing_by_integrator(void **state)
{
  const Joint *const joints[]    = {&jenkins, &iwan};
  const PetscReal    frequency[] = {0.96, 0.918};

  (void)state;
  for (PetscInt j = 0; j < 2; j++) {
    Subject      subject = Oscillator(0.75, 0.01, PETSC_FALSE, 0.1, 1, joints[j]);
    const Search search  = At(&subject, 0.6, frequency[j], 512);
    PetscReal    by[8], *one = by, *two = by + 4, det, trace, root;

    DifferencesOfSubject(&subject, frequency[j], 120, 2048, 2, by);
    det   = one[0] * one[3] - one[1] * one[2];
    trace = (two[0] * one[3] - two[1] * one[2] - two[2] * one[1] + two[3] * one[0]) / det;
    root  = sqrt(0.25 * trace * trace - (two[0] * two[3] - two[1] * two[2]) / det);
    assert_near(search.found.largest, 0.5 * trace + root, 1e-2);
    assert_near(Modulus(&search, 1), 0.5 * trace - root, 1e-2);
  }
}

static Subject ContactSubject(void)
{
  const PetscReal spring[] = {1.0, 1.5, 0.7}, amplitude[] = {1.0, 0.5, 0.2},
                  parameters[JOINT_MAX_PARAMETERS] = {4.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.3};
  Subject  subject                                 = {.system = SystemNew(3), .num_loads = 3};
  PetscInt rows[3];

  for (PetscInt i = 0; i < 3; i++) {
    assert_ok(SystemAddMass(subject.system, i, i, 1.0));
    assert_ok(SystemAddStiffness(subject.system, i, i, spring[i]));
    assert_ok(SystemAddDamping(subject.system, i, i, 0.08));
    assert_ok(SystemAddRow(subject.system, "contact", i, GROUND, i, &rows[i]));
    subject.loads[i] = Cosine(i, amplitude[i], 1.0);
  }
  assert_ok(SystemAddLaw(subject.system, JointLawFind("rough_contact"), parameters, rows));
  Open(&subject);
  return subject;
}

static int Descending(const void *a, const void *b)
{
  const PetscReal x = *(const PetscReal *)a, y = *(const PetscReal *)b;

  return (x < y) - (x > y);
}

/* Moduli of the eigenvalues of a matrix, the largest first. */
static void Moduli(PetscInt size, PetscReal matrix[], PetscReal moduli[])
{
  PetscBLASInt order = (PetscBLASInt)size, one = 1, length = 8 * MOST_ROWS, info;
  PetscReal    re[MOST_ROWS], im[MOST_ROWS], work[8 * MOST_ROWS], none;

  LAPACKgeev_("N", "N", &order, matrix, &order, re, im, &none, &one, &none, &one, work, &length, &info);
  assert_int_equal(info, 0);
  for (PetscInt i = 0; i < size; i++) moduli[i] = hypot(re[i], im[i]);
  qsort(moduli, (size_t)size, sizeof(PetscReal), Descending);
}

/* A point that slides in two directions and is apart half of the time; two of its numbers are where it slipped to. Another program: 0.8872,
   0.8872, 0.8216, 0.5880. The first pair is normal to the faces and dissipates nothing but by the damper: exp(-c T / 2). */
static void contact_by_integrator(void **state)
{
  const PetscReal W       = 2.1;
  Subject         subject = ContactSubject();
  Search          search  = {0};
  PetscReal       by[2 * MOST_ROWS * MOST_ROWS], moduli[MOST_ROWS];

  (void)state;
  Follow(&subject, 4.0, W, 1e-3, (StabilityOptions){.least_steps = 256, .most_steps = 512}, PETSC_TRUE, &search);
  assert_near(Modulus(&search, 0), exp(-0.08 * PETSC_PI / W), 1e-4);
  assert_near(Modulus(&search, 2), 0.8216, 1e-3);
  assert_near(Modulus(&search, 3), 0.5880, 5e-3);
  assert_int_equal(search.found.verdict, STABILITY_STABLE);
  DifferencesOfSubject(&subject, W, 150, 1024, 11, by);
  Moduli(11, by, moduli);
  for (PetscInt i = 0; i < 8; i++) assert_near(Modulus(&search, i), moduli[i], 6e-3);
}

/* Laws with rates remember the motion and the force of the last step, LuGre's the velocity as well. */
static void rates_by_integrator(void **state)
{
  const char *const laws[] = {"dahl", "lugre"};

  (void)state;
  for (PetscInt l = 0; l < 2; l++) {
    const JointLaw *const law    = JointLawFind(laws[l]);
    const PetscInt        size   = 2 + law->num_states;
    Joint                 joint  = {.law = laws[l]};
    Search                search = {0};
    PetscReal             by[2 * MOST_ROWS * MOST_ROWS], moduli[MOST_ROWS];
    Subject               subject;

    memcpy(joint.parameters, law->samples[0].parameters, sizeof(joint.parameters));
    subject = Oscillator(0.75, 0.05, PETSC_FALSE, 0.6, 1, &joint);
    Follow(&subject, 0.5, 0.9, 1e-3, (StabilityOptions){.least_steps = 512, .most_steps = 1024}, PETSC_TRUE, &search);
    DifferencesOfSubject(&subject, 0.9, 150, 1024, size, by);
    Moduli(size, by, moduli);
    for (PetscInt i = 0; i < size; i++) assert_near(Modulus(&search, i), moduli[i], 6e-4);
  }
}

/* Two masses, each with a joint below it, of which both remember: as with one joint. */
static void two_joints_by_integrator(void **state)
{
  Subject      subject = {.system = SystemNew(2), .num_loads = 1, .loads = {Cosine(0, 0.12, 1.0)}};
  Search       search  = {0};
  PetscReal    by[32], moduli[4];
  PetscBLASInt order = 4, pivots[4], info;

  (void)state;
  for (PetscInt i = 0; i < 2; i++) {
    assert_ok(SystemAddMass(subject.system, i, i, 1.0));
    AddSpring(subject.system, i, 1 - i, 0.3);
    AddDamper(subject.system, i, 1 - i, 0.02);
    AddJoint(subject.system, JointLawFind(iwan.law), iwan.parameters, i - 1, i);
  }
  assert_ok(SystemAddStiffness(subject.system, 0, 0, 0.5));
  assert_ok(SystemAddDamping(subject.system, 0, 0, 0.05));
  Open(&subject);
  Follow(&subject, 0.3, 0.6, 1e-5, (StabilityOptions){.least_steps = 512, .most_steps = 1024}, PETSC_TRUE, &search);
  DifferencesOfSubject(&subject, 0.6, 120, 2048, 4, by);
  LAPACKgesv_(&order, &order, by, &order, pivots, by + 16, &order, &info);
  assert_int_equal(info, 0);
  Moduli(4, by + 16, moduli);
  for (PetscInt i = 0; i < 4; i++) assert_near(Modulus(&search, i), moduli[i], 3e-3);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(full_slip),
  cmocka_unit_test(stuck),
  cmocka_unit_test(duffing),
  cmocka_unit_test(fold_with_slip),
  cmocka_unit_test(period_doubling),
  cmocka_unit_test(quasi_periodic),
  cmocka_unit_test(masing_by_integrator),
  cmocka_unit_test(two_joints_by_integrator),
  cmocka_unit_test(contact_by_integrator),
  cmocka_unit_test(rates_by_integrator),
};

CHECK_MAIN_WITH_SLEPC(tests)
