/*
  test_harmonic_stability.c - multipliers of periodic motions of one mass, against those of other programs and of the time integrator.
*/
#include "verify/motion.h"
#include "harmonic/stability.h"

/* m 1, a spring, a damper, and joints to the ground, under amplitude cos(W t). */
typedef struct {
  System            *system;
  ModeCache          cache;
  Load               load;
  HarmonicStructure *structure;
} Oscillator;

typedef struct {
  const char *law;
  PetscReal   parameters[JOINT_MAX_PARAMETERS];
} Joint;

static Oscillator OscillatorOpen(PetscReal spring, PetscReal damping, PetscReal amplitude, PetscInt num_joints, const Joint joints[])
{
  Oscillator o = {.system = SystemNew(1), .load = {.place = LOAD_ON_POINT, .amplitude = amplitude, .signal = {.phase = 0.5 * PETSC_PI}}};

  assert_ok(SystemAddMass(o.system, 0, 0, 1.0));
  assert_ok(SystemAddStiffness(o.system, 0, 0, spring));
  assert_ok(SystemAddDamping(o.system, 0, 0, damping));
  for (PetscInt j = 0; j < num_joints; j++) AddJoint(o.system, JointLawFind(joints[j].law), joints[j].parameters, GROUND, 0);
  assert_ok(SystemSetUp(o.system));
  o.cache = (ModeCache){.system = o.system};
  assert_ok(HarmonicStructureCreate(&o.cache, 1, &o.load, &o.structure));
  return o;
}

static void OscillatorClose(Oscillator *o)
{
  assert_ok(HarmonicStructureDestroy(&o->structure));
  assert_ok(ModeCacheDestroy(&o->cache));
  assert_ok(SystemDestroy(&o->system));
}

static CurveOptions OptionsFor(PetscReal accuracy)
{
  return (CurveOptions){.accuracy = accuracy, .most_harmonics = 99, .most_samples = 8192, .largest_step = 0.1, .most_points = 4000};
}

typedef struct {
  Stability      *stability;
  PetscInt        most_points;
  PetscReal       wanted; /* frequency of a point on a branch that goes down */
  StabilityResult result, last;
  PetscReal       re[16], im[16];
  PetscInt        count;
  PetscReal       at; /* frequency of `result` */
} Watch;

static void Keep(Watch *watch, const Curve *curve)
{
  assert_ok(StabilityOfPoint(watch->stability, curve, &watch->result));
  watch->count = watch->stability->count;
  watch->at    = curve->setting.frequency;
  assert_in_range(watch->count, 1, 16);
  for (PetscInt i = 0; i < watch->count; i++) {
    watch->re[i] = watch->stability->re[i];
    watch->im[i] = watch->stability->im[i];
  }
}

static PetscErrorCode AtEnd(Curve *curve, void *context, PetscBool *go_on)
{
  (void)context, (void)curve;
  *go_on = PETSC_TRUE;
  return 0;
}

static void Show(const char *what, const Watch *w)
{
  printf("%s: W %.8g %s %s largest %.8g +- %.2g steps %d:", what, w->at, stability_verdicts[w->result.verdict], stability_kinds[w->result.kind], w->result.largest,
         w->result.error, (int)w->result.steps);
  for (PetscInt i = 0; i < w->count; i++) printf(" %.7g%+.7gi (%.7g)", w->re[i], w->im[i], hypot(w->re[i], w->im[i]));
  printf("\n");
}

/* Multipliers at the end of a curve. */
static Watch Multipliers(Oscillator *o, PetscReal from, PetscReal to, PetscReal accuracy, StabilityOptions options)
{
  Watch  watch = {0};
  Curve *curve;

  assert_ok(StabilityCreate(o->structure, options, &watch.stability));
  assert_ok(CurveCreateByFrequency(o->structure, OptionsFor(accuracy), 1.0, &curve));
  assert_ok(CurveFollow(curve, from, to, AtEnd, NULL));
  assert_int_equal(curve->end, CURVE_ENDED);
  Keep(&watch, curve);
  assert_ok(CurveDestroy(&curve));
  assert_ok(StabilityDestroy(&watch.stability));
  return watch;
}

static void table(void **state)
{
  const Joint    jenkins = {"jenkins", {0.25, 0.2}}, iwan = {"iwan4", {0.2, 0.25, -0.5, 0.0, 0.0}};
  Oscillator     o;
  Watch w;

  (void)state;
  for (PetscInt most = 128; most <= 16384; most *= 4) {
  const StabilityOptions options = {most/2, most, 1e-9};
  o = OscillatorOpen(0.75, 0.01, 0.1, 1, &jenkins);
  w = Multipliers(&o, 0.6, 0.96, 1e-5, options); Show("jenkins 0.1 0.96: 0.77417 0.52070", &w);
  OscillatorClose(&o);
  o = OscillatorOpen(0.75, 0.01, 0.02, 1, &jenkins);
  w = Multipliers(&o, 0.6, 0.99, 1e-5, options); Show("jenkins 0.02 0.99: 0.96298 0.24724", &w);
  OscillatorClose(&o);
  o = OscillatorOpen(0.75, 0.01, 0.1, 1, &iwan);
  w = Multipliers(&o, 0.6, 0.918, 1e-5, options); Show("iwan 0.1 0.918: 0.838788, 0.750245", &w);
  w = Multipliers(&o, 0.6, 0.8, 1e-5, options); Show("iwan 0.1 0.8: 0.262616+-0.841824i", &w);
  OscillatorClose(&o);
  o = OscillatorOpen(0.75, 0.01, 0.02, 1, &iwan);
  w = Multipliers(&o, 0.6, 0.955, 1e-5, options); Show("iwan 0.02 0.955: 0.903653 0.851921", &w);
  OscillatorClose(&o);
  }
}


typedef struct {
  Stability      *stability;
  PetscReal       wanted;    /* frequency on a branch that goes down; 0: none */
  StabilityKind   kind;      /* that is located */
  StabilityResult last;
  Watch           found;
  PetscInt        count, num_located, num_points[3];
  PetscReal       located[20];
} Search;

static void FindDown(Search *search, Curve *curve)
{
  const PetscInt n = curve->equation->n;
  const PetscReal before = curve->last.y[n], after = curve->point.y[n];
  CurvePoint from, to;
  PetscReal a = 0.0, b = 1.0;
  PetscBool found;

  if (!(before > search->wanted && after <= search->wanted)) return;
  assert_ok(CurvePointCreate(curve, &from));
  assert_ok(CurvePointCreate(curve, &to));
  assert_ok(CurvePointCopy(curve, &curve->last, &from));
  assert_ok(CurvePointCopy(curve, &curve->point, &to));
  for (PetscInt i = 0; i < 50 && fabs(curve->setting.frequency - search->wanted) > 1e-12; i++) {
    assert_ok(CurveInterpolate(curve, &from, &to, 0.5 * (a + b), &found));
    assert_true(found);
    if (curve->setting.frequency > search->wanted) a = 0.5 * (a + b);
    else b = 0.5 * (a + b);
  }
  search->found.stability = search->stability;
  Keep(&search->found, curve);
  assert_ok(CurveInterpolate(curve, &from, &to, 1.0, &found));
  assert_ok(CurvePointDestroy(&from));
  assert_ok(CurvePointDestroy(&to));
}

static void Locate(Search *search, Curve *curve)
{
  CurvePoint from, to;
  PetscBool found;
  StabilityResult result;

  assert_ok(CurvePointCreate(curve, &from));
  assert_ok(CurvePointCreate(curve, &to));
  assert_ok(CurvePointCopy(curve, &curve->last, &from));
  assert_ok(CurvePointCopy(curve, &curve->point, &to));
  assert_ok(StabilityLocate(search->stability, curve, &from, &to, search->kind, &result, &found));
  if (getenv("HARMONIC_SHOW")) printf("located %d at %.8g backward %.8g pair %.8g\n", found, curve->setting.frequency, result.backward, result.pair);
  if (found) search->located[search->num_located++] = curve->setting.frequency;
  assert_ok(CurveInterpolate(curve, &from, &to, 1.0, &found));
  assert_true(found);
  assert_ok(CurvePointDestroy(&from));
  assert_ok(CurvePointDestroy(&to));
}

static PetscErrorCode Look(Curve *curve, void *context, PetscBool *go_on)
{
  Search *search = context;
  StabilityResult result;

  *go_on = PETSC_TRUE;
  assert_ok(StabilityOfPoint(search->stability, curve, &result));
  if (getenv("HARMONIC_SHOW"))
    printf("%d W %.8g H %d N %d heading %g: %s %.6g +- %.2g (%g%+gi) steps %d\n", (int)search->count, curve->setting.frequency, (int)curve->basis->highest, (int)curve->basis->num_samples, CurveHeading(curve), stability_verdicts[result.verdict], result.largest, result.error, result.re, result.im, (int)result.steps);
  search->num_points[result.verdict]++;
  if (search->count && search->wanted > 0.0) FindDown(search, curve);
  if (search->count && search->kind && StabilityPasses(&search->last, &result, search->kind)) Locate(search, curve);
  search->last = result;
  search->count++;
  return 0;
}

static Search Follow(Oscillator *o, PetscReal from, PetscReal to, PetscReal accuracy, StabilityOptions options, PetscReal wanted, StabilityKind kind)
{
  Search search = {.wanted = wanted, .kind = kind};
  Curve *curve;

  assert_ok(StabilityCreate(o->structure, options, &search.stability));
  assert_ok(CurveCreateByFrequency(o->structure, OptionsFor(accuracy), 1.0, &curve));
  assert_ok(CurveFollow(curve, from, to, Look, &search));
  printf("%s, %d points: %d %d %d\n", curve_ends[curve->end], (int)search.count, (int)search.num_points[0], (int)search.num_points[1], (int)search.num_points[2]);
  assert_ok(CurveDestroy(&curve));
  assert_ok(StabilityDestroy(&search.stability));
  return search;
}

static void branches(void **state)
{
  const Joint both[] = {{"jenkins", {0.25, 0.2}}, {"cubic", {0.0, 0.05}}}, duffing = {"cubic", {0.0, 0.1}}, bilinear = {"gap", {10.0, 0.0, 1.0}};
  const StabilityOptions options = {0};
  Oscillator  o;
  Search s;

  (void)state;
  o = OscillatorOpen(1.0, 0.05, 0.18, 1, &duffing);
  s = Follow(&o, 0.6, 1.8, 1e-5, options, 1.18, 0); Show("duffing: 1.332863, 0.574896", &s.found);
  OscillatorClose(&o);
  o = OscillatorOpen(0.75, 0.01, 0.3, 2, both);
  s = Follow(&o, 0.6, 1.8, 1e-4, options, 1.2, 0); Show("jenkins + cubic: 1.39968, 0.60181", &s.found);
  OscillatorClose(&o);
  o = OscillatorOpen(1.0, 0.05, 1.0, 1, &bilinear);
  s = Follow(&o, 3.0, 0.7, getenv("ACC") ? atof(getenv("ACC")) : 1e-3, options, 0.0, LEAVES_BACKWARD);
  for (int i = 0; i < s.num_located; i++) printf("PD %.8g\n", s.located[i]);
  OscillatorClose(&o);
}


/* The forces and accelerations that belong to what a state says of motions, velocities and memories. */
static void MakeConsistent(const Motion *motion)
{
  const Linear *const      linear = motion->stepper->linear;
  const SystemBlock *const block  = &motion->system->blocks[0];
  State *const             state  = motion->state;
  const PetscInt           dim    = block->block.law->dim;
  PetscReal                stuck[9], force[3];
  const JointMotion        at = {state->motion, state->rate};
  JointForce               result = {force, NULL, NULL, NULL};

  RowsTimes(linear->m, linear->n, linear->joint_map, state->u, state->motion);
  RowsTimes(linear->m, linear->n, linear->joint_map, state->v, state->rate);
  block->block.law->evaluate(&block->block, &state->history[0], &at, &result);
  SystemBlockStiffness(block, JOINT_STUCK, 0, stuck);
  for (PetscInt c = 0; c < dim; c++) {
    state->remainder[c] = force[c];
    for (PetscInt e = 0; e < dim; e++) state->remainder[c] -= stuck[c * dim + e] * state->motion[e];
  }
  assert_ok(StepperContinue(motion->stepper, state));
  assert_ok(linear->kind->accelerate(linear, motion->stepper->old_active ? motion->stepper->old_load : NULL, state->u, state->v, state->remainder, state->a));
}

/* Coordinates, velocities, memories. */
static PetscReal *NumberOf(State *state, PetscInt i)
{
  return i < state->n ? &state->u[i] : i < 2 * state->n ? &state->v[i - state->n] : &state->history[0].states[i - 2 * state->n];
}

/* Changes after each of two periods by a small change of each number: [2, size, size]. */
static void Differences(Motion *motion, PetscInt steps, PetscInt size, PetscReal by[])
{
  const PetscReal small = 1e-6;
  const PetscInt  start = StateSize(motion->state);
  PetscReal      *kept;

  assert_ok(PetscMalloc1(start, &kept));
  StatePack(motion->state, kept);
  for (PetscInt j = 0; j < size; j++)
    for (PetscInt side = 0; side < 2; side++) {
      assert_ok(StateUnpack(motion->state, start, kept));
      *NumberOf(motion->state, j) += side ? -small : small;
      MakeConsistent(motion);
      for (PetscInt period = 0; period < 2; period++) {
        MotionStep(motion, steps);
        for (PetscInt i = 0; i < size; i++) {
          PetscReal *const at = &by[(period * size + i) * size + j];

          *at = (side ? *at - *NumberOf(motion->state, i) : *NumberOf(motion->state, i)) / (side ? 2.0 * small : 1.0);
        }
      }
    }
  assert_ok(StateUnpack(motion->state, start, kept));
  MakeConsistent(motion);
  assert_ok(PetscFree(kept));
}

static void BruteForce(System *system, PetscInt num_loads, const Load loads[], PetscReal W, PetscInt periods, PetscInt steps, PetscInt memories, PetscReal *by, PetscInt *size)
{
  Motion motion = MotionBegin(system, AverageAcceleration(2.0 * PETSC_PI / W / (PetscReal)steps), num_loads, loads, (InitialMotion){0});

  MotionStep(&motion, periods * steps);
  *size = 2 * motion.state->n + memories;
  printf("n %d state %g\n", (int)motion.state->n, motion.state->u[0]);
  Differences(&motion, steps, *size, by);
  MotionEnd(&motion);
}

static void brute(void **state)
{
  const Joint    jenkins = {"jenkins", {0.25, 0.2}}, iwan = {"iwan4", {0.2, 0.25, -0.5, 0.0, 0.0}};
  PetscReal by[2*8*8];
  PetscInt size;
  (void)state;
  for (PetscInt w = 0; w < 2; w++) for (PetscInt steps = 512; steps <= 2048; steps *= 2) {
    System *system = SystemNew(1);
    const PetscReal W = w ? 0.918 : 0.96;
    Load load = {.place = LOAD_ON_POINT, .amplitude = 0.1, .signal = {.kind = SIGNAL_HARMONIC, .frequency = W/(2*PETSC_PI), .phase = 0.5 * PETSC_PI}};
    assert_ok(SystemAddMass(system, 0, 0, 1.0));
    assert_ok(SystemAddStiffness(system, 0, 0, 0.75));
    assert_ok(SystemAddDamping(system, 0, 0, 0.01));
    AddJoint(system, JointLawFind(w ? iwan.law : jenkins.law), w ? iwan.parameters : jenkins.parameters, GROUND, 0);
    assert_ok(SystemSetUp(system));
    BruteForce(system, 1, &load, W, 150, steps, 0, by, &size);
    /* A = Z2 Z1^-1 of 2 x 2 */
    const PetscReal *z1 = by, *z2 = by + 4;
    const PetscReal det1 = z1[0] * z1[3] - z1[1] * z1[2], det2 = z2[0] * z2[3] - z2[1] * z2[2];
    const PetscReal trace = (z2[0] * z1[3] - z2[1] * z1[2] - z2[2] * z1[1] + z2[3] * z1[0]) / det1, det = det2 / det1;
    printf("steps %d trace %.8g det %.8g: %.8g %.8g\n", (int)steps, trace, det, 0.5 * trace + sqrt(0.25 * trace * trace - det), 0.5 * trace - sqrt(0.25 * trace * trace - det));
  }
}


static System *ContactSystem(void)
{
  const PetscReal spring[] = {1.0, 1.5, 0.7};
  const PetscReal parameters[JOINT_MAX_PARAMETERS] = {4.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.3};
  System *system = SystemNew(3);
  PetscInt rows[3];

  for (PetscInt i = 0; i < 3; i++) {
    assert_ok(SystemAddMass(system, i, i, 1.0));
    assert_ok(SystemAddStiffness(system, i, i, spring[i]));
    assert_ok(SystemAddDamping(system, i, i, 0.08));
    assert_ok(SystemAddRow(system, "contact", i, GROUND, i, &rows[i]));
  }
  assert_ok(SystemAddLaw(system, JointLawFind("rough_contact"), parameters, rows));
  assert_ok(SystemSetUp(system));
  return system;
}

static void contact(void **state)
{
  const PetscReal W = 2.1, amplitude[] = {1.0, 0.5, 0.2};
  Load loads[3];
  Oscillator o = {.system = ContactSystem()};
  PetscReal by[2*64];
  PetscInt size;

  (void)state;
  for (PetscInt i = 0; i < 3; i++) loads[i] = (Load){.place = LOAD_ON_POINT, .motion = i, .amplitude = amplitude[i], .signal = {.kind = SIGNAL_HARMONIC, .frequency = W/(2*PETSC_PI), .phase = 0.5 * PETSC_PI}};
  o.cache = (ModeCache){.system = o.system};
  assert_ok(HarmonicStructureCreate(&o.cache, 3, loads, &o.structure));
  for (PetscInt most = 256; most <= 8192; most *= 2) {
    Watch w = Multipliers(&o, 4.0, W, 1e-3, (StabilityOptions){.least_steps = most/2, .most_steps = most, .accuracy = 1e-9});
    Show("contact 0.8872 0.8872 0.8216 0.5880", &w);
  }
  OscillatorClose(&o);
  for (PetscInt steps = 512; steps <= 4096; steps *= 2) {
    BruteForce(ContactSystem(), 3, loads, W, 250, steps, 2, by, &size);
    Stability s = {0};
    for (int i = 0; i < size; i++) { for (int j = 0; j < size; j++) printf(" %.4g", by[i*size+j]); printf("\n"); }
    (void)s;
  }
}


static void absorber(void **state)
{
  const PetscReal mass = 0.1, damping = 0.02, cubic[] = {0.0, 0.1};
  System *system = SystemNew(2);
  Oscillator o = {.system = system, .load = {.place = LOAD_ON_POINT, .amplitude = getenv("AMP") ? atof(getenv("AMP")) : 0.04, .signal = {.phase = 0.5 * PETSC_PI}}};
  Search s;

  (void)state;
  assert_ok(SystemAddMass(system, 0, 0, 1.0));
  assert_ok(SystemAddMass(system, 1, 1, mass));
  assert_ok(SystemAddStiffness(system, 0, 0, 1.0));
  AddDamper(system, 0, 1, damping);
  assert_ok(SystemAddDamping(system, 0, 0, damping));
  AddJoint(system, JointLawFind("cubic"), cubic, 0, 1);
  assert_ok(SystemSetUp(system));
  o.cache = (ModeCache){.system = system};
  assert_ok(HarmonicStructureCreate(&o.cache, 1, &o.load, &o.structure));
  s = Follow(&o, 0.8, 1.3, 1e-4, (StabilityOptions){0}, 0.0, LEAVES_AS_PAIR);
  for (int i = 0; i < s.num_located; i++) printf("NS %.8g\n", s.located[i]);
  OscillatorClose(&o);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(table),
  cmocka_unit_test(branches),
  cmocka_unit_test(brute),
  cmocka_unit_test(contact),
  cmocka_unit_test(absorber),
};

CHECK_MAIN_WITH_SLEPC(tests)
