/* test_harmonic_curve.c - curves of one mass by harmonic balance against harmonic solutions of other programs and closed forms. */
#include "verify/motion.h"
#include "harmonic/curve.h"

/* m 1, spring, damping c = 2 zeta with omega = 1 while the joint sticks, a joint to the ground. */
typedef struct {
  System            *system;
  ModeCache          cache;
  Load               load;
  HarmonicStructure *structure;
  PetscBool          direct; /* damping as a damper: it is not known mode by mode */
} Oscillator;

static Oscillator OscillatorOpen(PetscReal spring, PetscReal damping, const char *law, const PetscReal parameters[], PetscReal amplitude,
                                 PetscBool direct)
{
  Oscillator   o = {.system = SystemNew(1), .load = {.place = LOAD_ON_POINT, .amplitude = amplitude, .signal = {.phase = 0.5 * PETSC_PI}}};
  PetscReal    ratio;
  const Modes *modes;

  assert_ok(SystemAddMass(o.system, 0, 0, 1.0));
  assert_ok(SystemAddStiffness(o.system, 0, 0, spring));
  if (direct) assert_ok(SystemAddDamping(o.system, 0, 0, damping));
  AddJoint(o.system, JointLawFind(law), parameters, GROUND, 0);
  assert_ok(SystemSetUp(o.system));
  o.cache = (ModeCache){.system = o.system};
  assert_ok(ModeCacheGet(&o.cache, JOINT_STUCK, 1, &modes));
  ratio = 0.5 * damping / modes->omega[0];
  if (!direct) {
    assert_ok(PetscFree(o.system->damping.ratios));
    assert_ok(SystemSetDamping(o.system, 1, &ratio, 0.0, 0.0));
  }
  assert_ok(HarmonicStructureCreate(&o.cache, 1, &o.load, &o.structure));
  return o;
}

static void OscillatorClose(Oscillator *o)
{
  assert_ok(HarmonicStructureDestroy(&o->structure));
  assert_ok(ModeCacheDestroy(&o->cache));
  assert_ok(SystemDestroy(&o->system));
}

enum { MOST_POINTS = 1000, MOST_FOUND = 20 };

/* What a curve passes. */
typedef struct {
  PetscInt  count, num_folds, num_peaks;
  PetscReal amplitude[2], heading;
  PetscReal fold[MOST_FOUND], fold_amplitude[MOST_FOUND], peak[MOST_FOUND], peak_amplitude[MOST_FOUND];
} Track;

static PetscErrorCode FirstHarmonic(Curve *curve, void *context, PetscReal *amplitude)
{
  const PetscInt j = HarmonicFunction(curve->basis, 1);
  PetscReal     *x;

  PetscFunctionBegin;
  (void)context;
  PetscCall(PetscMalloc1(curve->equation->n, &x));
  CurveMotions(curve, x);
  *amplitude = hypot(x[j], x[j + 1]);
  PetscCall(PetscFree(x));
  PetscFunctionReturn(0);
}

static PetscErrorCode Heading(Curve *curve, void *context, PetscReal *heading)
{
  (void)context;
  *heading = CurveHeading(curve);
  return 0;
}

static void Note(Curve *curve, PetscInt *count, PetscReal frequency[], PetscReal amplitude[])
{
  assert_in_range(*count, 0, MOST_FOUND - 1);
  frequency[*count] = curve->setting.frequency;
  assert_ok(FirstHarmonic(curve, NULL, &amplitude[*count]));
  (*count)++;
}

static PetscErrorCode Watch(Curve *curve, void *context, PetscBool *go_on)
{
  Track *const    track   = context;
  const PetscReal heading = CurveHeading(curve);
  PetscReal       amplitude;
  PetscBool       found;
  CurvePoint      present;

  assert_ok(FirstHarmonic(curve, NULL, &amplitude));
  assert_ok(CurvePointCreate(curve, &present));
  assert_ok(CurvePointCopy(curve, &curve->point, &present));
  if (track->count > 1 && track->amplitude[1] > track->amplitude[0] && track->amplitude[1] >= amplitude) {
    assert_ok(CurveFindPeak(curve, FirstHarmonic, NULL, &found));
    assert_true(found);
    Note(curve, &track->num_peaks, track->peak, track->peak_amplitude);
    assert_ok(CurvePointCopy(curve, &present, &curve->point));
  }
  if (track->count > 0 && heading * track->heading < 0.0) {
    assert_ok(CurveFindRoot(curve, &curve->last, &present, Heading, NULL, &found));
    assert_true(found);
    Note(curve, &track->num_folds, track->fold, track->fold_amplitude);
  }
  assert_ok(CurvePointCopy(curve, &present, &curve->point));
  assert_ok(CurvePointDestroy(&present));
  track->amplitude[0] = track->amplitude[1];
  track->amplitude[1] = amplitude;
  track->heading      = heading;
  track->count++;
  *go_on = PETSC_TRUE;
  return 0;
}

static Track Follow(const Oscillator *o, PetscReal accuracy, PetscReal from, PetscReal to)
{
  const CurveOptions options = {.accuracy = accuracy, .most_harmonics = 63, .most_samples = 8192, .largest_step = 0.1, .most_points = MOST_POINTS};
  Track              track   = {0};
  Curve             *curve;

  assert_ok(CurveCreateByFrequency(o->structure, options, 1.0, &curve));
  assert_ok(CurveFollow(curve, from, to, Watch, &track));
  assert_int_equal(curve->end, CURVE_ENDED);
  assert_ok(CurveDestroy(&curve));
  return track;
}

/* The two ways of damping are the same structure. Expected: harmonic balance of 31 harmonics and 1,024 samples in numpy, by other formulas of the
   joint (a hundred thousand sliders are the same to 1e-6); third digits behind the point are those of the accuracy asked, 1e-5. */
static void peaks_of_oscillators_with_friction(void **state)
{
  const PetscReal iwan[] = {0.2, 0.25, -0.5, 0.0, 0.0}, jenkins[] = {0.25, 0.2};

  (void)state;
  for (PetscInt direct = 0; direct < 2; direct++) {
    Oscillator o     = OscillatorOpen(0.75, 0.01, "iwan4", iwan, 0.1, (PetscBool)direct);
    Track      track = Follow(&o, 1e-5, 0.6, 1.2);

    assert_int_equal(track.num_peaks, 1);
    assert_close(track.peak_amplitude[0], 2.0601487, 1e-5);
    assert_close(track.peak[0], 0.9178661, 1e-5);
    OscillatorClose(&o);
    o     = OscillatorOpen(0.75, 0.01, "jenkins", jenkins, 0.1, (PetscBool)direct);
    track = Follow(&o, 1e-5, 0.6, 1.2);
    assert_int_equal(track.num_folds, 0);
    assert_close(track.peak_amplitude[0], 1.227026, 1e-5);
    assert_close(track.peak[0], 0.960546, 3e-5);
    OscillatorClose(&o);
  }
}

/* Duffing's oscillator, folds of an independent solver to seven digits; a gap, whose corner makes false folds where samples alone decide. */
static void folds_of_duffings_oscillator_and_of_a_gap(void **state)
{
  const PetscReal cubic[] = {0.0, 0.1}, gap[] = {3.0, 0.5, 1.0};
  Oscillator      o     = OscillatorOpen(1.0, 0.05, "cubic", cubic, 0.18, PETSC_FALSE);
  Track           track = Follow(&o, 1e-5, 0.6, 1.8);

  (void)state;
  assert_int_equal(track.num_folds, 2);
  assert_close(track.fold[0], 1.2696020, 1e-6);
  assert_close(track.fold_amplitude[0], 2.825017, 1e-5);
  assert_close(track.fold[1], 1.1157003, 1e-6);
  assert_close(track.fold_amplitude[1], 1.081870, 1e-5);
  assert_int_equal(track.num_peaks, 1);
  assert_close(track.peak_amplitude[0], 2.83020, 1e-5);
  OscillatorClose(&o);
  o     = OscillatorOpen(1.0, 0.04, "gap", gap, 0.1, PETSC_FALSE);
  track = Follow(&o, 1e-4, 0.6, 1.8);
  assert_int_equal(track.num_folds, 2);
  assert_close(track.fold[0], 1.2523712, 3e-5);
  assert_close(track.fold[1], 1.0930566, 3e-5);
  OscillatorClose(&o);
}

/* Without a joint that does anything: F / |omega^2 - W^2 + i c W|. */
static void a_linear_oscillator_is_exact(void **state)
{
  const PetscReal cubic[] = {0.0, 0.0};
  Oscillator      o       = OscillatorOpen(1.0, 0.02, "cubic", cubic, 0.3, PETSC_TRUE);
  Track           track   = Follow(&o, 1e-6, 0.5, 1.5);
  const PetscReal damped  = sqrt(1.0 - 0.5 * 0.02 * 0.02);

  (void)state;
  assert_int_equal(track.num_peaks, 1);
  assert_close(track.peak[0], damped, 1e-5); /* where a parabola sees the top */
  assert_close(track.peak_amplitude[0], 0.3 / (0.02 * sqrt(1.0 - 0.25 * 0.02 * 0.02)), 1e-9);
  OscillatorClose(&o);
}

/* What a curve along a resonance passes. */
typedef struct {
  PetscInt  count;
  PetscReal level[MOST_POINTS], frequency[MOST_POINTS], amplitude[MOST_POINTS];
} Ridge;

static PetscErrorCode Record(Curve *curve, void *context, PetscBool *go_on)
{
  Ridge *const ridge = context;

  assert_in_range(ridge->count, 0, MOST_POINTS - 1);
  ridge->level[ridge->count]     = curve->setting.level;
  ridge->frequency[ridge->count] = curve->setting.frequency;
  assert_ok(FirstHarmonic(curve, NULL, &ridge->amplitude[ridge->count++]));
  *go_on = PETSC_TRUE;
  return 0;
}

/* With one harmonic, which closed forms are of. */
static Ridge FollowRidge(const Oscillator *o, PetscBool peak, PetscReal from, PetscReal to)
{
  const CurveOptions options = {.harmonics = 1, .samples = 2048, .largest_step = 0.3, .most_points = MOST_POINTS};
  Ridge              ridge   = {0};
  Curve             *curve;

  assert_ok(CurveCreateAlongResonance(o->structure, options, (HarmonicResonance){.peak = peak}, &curve));
  assert_ok(CurveFollow(curve, from, to, Record, &ridge));
  assert_int_equal(curve->end, CURVE_ENDED);
  assert_in_range(ridge.count, 10, 200);
  assert_close(ridge.level[0], from, 1e-12);
  assert_close(ridge.level[ridge.count - 1], to, 1e-12);
  assert_ok(CurveDestroy(&curve));
  return ridge;
}

/* k - i s of a joint that answers (k + i s) A to A cos(W t). */
typedef void (*Describe)(PetscReal amplitude, PetscReal *k, PetscReal *s);

static void OfCubic(PetscReal amplitude, PetscReal *k, PetscReal *s)
{
  *k = 0.75 * 0.1 * amplitude * amplitude;
  *s = 0.0;
}

/* Stiffness 0.25, slip force 0.2 [Iwan 1961]. */
static void OfJenkins(PetscReal amplitude, PetscReal *k, PetscReal *s)
{
  const PetscReal least = 0.8, angle = amplitude > least ? acos(1.0 - 2.0 * least / amplitude) : PETSC_PI;

  *k = 0.25 / PETSC_PI * (angle - 0.5 * sin(2.0 * angle));
  *s = amplitude > least ? 4.0 * 0.2 * (amplitude - least) / (PETSC_PI * amplitude * amplitude) : 0.0;
}

/* m 1, damping c, spring k0: (k0 + k - W^2)^2 + (c W + s)^2 = (level / A)^2. Quadrature: k0 + k = W^2. The largest A: of all W that which takes the
   least load, W^2 = k0 + k - c (c W + s) / (2 W). Measured: 2e-8 of the frequency with the cubic joint, 2e-6 at most where one slips, by the
   samples and, of peaks, the difference in place of a derivative. */
static void CheckRidge(const Ridge *ridge, PetscReal spring, PetscReal damping, Describe describe, PetscBool peak, PetscReal tolerance)
{
  for (PetscInt i = 0; i < ridge->count; i++) {
    const PetscReal A = ridge->amplitude[i], W = ridge->frequency[i];
    PetscReal       k, s, square;

    describe(A, &k, &s);
    square = spring + k - (peak ? 0.5 * damping * (damping * W + s) / W : 0.0);
    assert_close(W, sqrt(square), tolerance);
    assert_close(ridge->level[i], A * hypot(spring + k - W * W, damping * W + s), 20.0 * tolerance);
  }
}

static void resonances_over_the_level_of_one_harmonic(void **state)
{
  const PetscReal cubic[] = {0.0, 0.1}, jenkins[] = {0.25, 0.2};

  (void)state;
  for (PetscInt i = 0; i < 4; i++) { /* phase and peak, damping by mode and by a damper */
    const PetscBool peak = (PetscBool)(i % 2), direct = (PetscBool)(i / 2);
    Oscillator      o     = OscillatorOpen(1.0, 0.05, "cubic", cubic, 1.0, direct);
    Ridge           ridge = FollowRidge(&o, peak, 1e-4, 1.0);

    CheckRidge(&ridge, 1.0, 0.05, OfCubic, peak, 1e-7);
    OscillatorClose(&o);
    o     = OscillatorOpen(0.75, 0.01, "jenkins", jenkins, 1.0, direct);
    ridge = FollowRidge(&o, peak, 1e-3, 1.0);
    CheckRidge(&ridge, 0.75, 0.01, OfJenkins, peak, 1e-5);
    ridge = FollowRidge(&o, peak, 1.0, 0.2); /* it begins where the joint slips: the load grows there first */
    CheckRidge(&ridge, 0.75, 0.01, OfJenkins, peak, 1e-5);
    OscillatorClose(&o);
  }
}

/* A chain of masses on springs, every fourth of them on a joint, pushed at its first mass; or two such chains, one the mirror of the other, whose
   last masses a spring connects that nothing strains. */
enum { CHAIN = 54, JOINT_AT_EVERY = 4 };

static Oscillator ChainOpen(PetscBool mirrored, PetscBool direct)
{
  const PetscReal iwan[] = {0.2, 0.25, -0.5, 0.0, 0.0}, jenkins[] = {0.25, 0.05}, ratio = 0.02;
  const PetscInt  n = mirrored ? 2 * CHAIN : CHAIN;
  Oscillator      o = {.system = SystemNew(n)};
  Load            loads[2];
  const Modes    *modes;

  for (PetscInt i = 0; i < n; i++) {
    const PetscInt place = PetscMin(i, 2 * CHAIN - 1 - i), joint = place / JOINT_AT_EVERY;

    assert_ok(SystemAddMass(o.system, i, i, 1.0));
    assert_ok(SystemAddStiffness(o.system, i, i, 0.75));
    if (direct) assert_ok(SystemAddDamping(o.system, i, i, 0.04));
    for (PetscInt side = 0; i + 1 < n && side < 2; side++) {
      assert_ok(SystemAddStiffness(o.system, i + side, i + side, 0.5));
      assert_ok(SystemAddStiffness(o.system, i + side, i + 1 - side, -0.5));
    }
    if (place % JOINT_AT_EVERY == 0) AddJoint(o.system, JointLawFind(joint % 3 ? "iwan4" : "jenkins"), joint % 3 ? iwan : jenkins, GROUND, i);
  }
  assert_ok(SystemSetUp(o.system));
  o.cache = (ModeCache){.system = o.system};
  assert_ok(ModeCacheGet(&o.cache, JOINT_STUCK, n, &modes));
  if (!direct) assert_ok(SystemSetDamping(o.system, 1, &ratio, 0.0, 0.0));
  for (PetscInt l = 0; l < 2; l++)
    loads[l] = (Load){.place = LOAD_ON_POINT, .motion = l ? n - 1 : 0, .amplitude = 0.3, .signal = {.phase = 0.5 * PETSC_PI}};
  assert_ok(HarmonicStructureCreate(&o.cache, mirrored ? 2 : 1, loads, &o.structure));
  return o;
}

typedef struct {
  PetscInt  count, least_active, most_active;
  PetscReal amplitude, slope; /* of R along the tangent, of that which the frequency alone changes R by: the largest */
} ChainTrack;

/* R along the tangent does not change, by differences of R. */
static PetscReal SlopeOfTangent(Curve *curve)
{
  const PetscReal         step = 1e-6 * curve->setting.frequency / PetscAbsReal(CurveHeading(curve));
  const HarmonicEquation *e    = curve->equation;
  HarmonicSetting         setting;
  PetscReal               most = 0.0, *x, *residual[3];

  assert_ok(PetscMalloc4(e->n, &x, e->n, &residual[0], e->n, &residual[1], e->n, &residual[2]));
  for (PetscInt side = 0; side < 3; side++) { /* back, forth, and forth by the frequency alone */
    const PetscReal along = side ? step : -step;

    setting = curve->setting;
    setting.frequency += along * curve->point.tangent[e->n];
    for (PetscInt i = 0; i < e->n; i++) x[i] = curve->point.y[i] + (side < 2 ? along * curve->point.tangent[i] : 0.0);
    assert_ok(HarmonicEquationEvaluate(curve->equation, x, setting, PETSC_FALSE));
    for (PetscInt i = 0; i < e->n; i++) residual[side][i] = e->residual[i];
  }
  for (PetscInt i = 0; i < e->n; i++) most = PetscMax(most, PetscAbsReal(residual[1][i] - residual[0][i]) / 2.0);
  most /= HarmonicLargest(e->n, residual[2]);
  assert_ok(PetscFree4(x, residual[0], residual[1], residual[2]));
  return most;
}

static PetscErrorCode WatchChain(Curve *curve, void *context, PetscBool *go_on)
{
  ChainTrack *const track = context;

  track->least_active = track->count ? PetscMin(track->least_active, curve->equation->num_active) : curve->equation->num_active;
  track->most_active  = PetscMax(track->most_active, curve->equation->num_active);
  track->count++;
  assert_ok(FirstHarmonic(curve, NULL, &track->amplitude));
  if (track->count % 4 == 0) track->slope = PetscMax(track->slope, SlopeOfTangent(curve));
  *go_on = PETSC_TRUE;
  return 0;
}

static ChainTrack FollowChain(PetscBool mirrored, PetscBool direct)
{
  const CurveOptions options = {
    .harmonics = 13, .most_harmonics = 13, .samples = 128, .most_samples = 128, .largest_step = 0.1, .most_points = MOST_POINTS};
  Oscillator o     = ChainOpen(mirrored, direct);
  ChainTrack track = {0};
  Curve     *curve;

  assert_ok(CurveCreateByFrequency(o.structure, options, 1.0, &curve));
  assert_ok(CurveFollow(curve, 0.9, 1.0, WatchChain, &track));
  assert_int_equal(curve->end, CURVE_ENDED);
  assert_ok(CurveDestroy(&curve));
  OscillatorClose(&o);
  return track;
}

/* Up to 240 active unknowns are solved for by factors, more by an iteration: half a chain that way, the whole one this way. Expected: half of it is
   the same structure; R by differences. Measured:
   amplitude 2e-15; R by its differences along the tangent 3e-9 by factors, and 5e-6 by an iteration, which is to leave 1e-6. */
static void many_rows_are_what_few_are(void **state)
{
  (void)state;
  for (PetscInt direct = 0; direct < 2; direct++) {
    const ChainTrack half = FollowChain(PETSC_FALSE, (PetscBool)direct), whole = FollowChain(PETSC_TRUE, (PetscBool)direct);

    assert_in_range(half.most_active, 1, 240);
    assert_in_range(whole.least_active, 241, 1000);
    assert_int_equal(whole.count, half.count);
    assert_close(whole.amplitude, half.amplitude, 1e-8);
    assert_true(half.slope < 1e-7);
    assert_true(whole.slope < 3e-5);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(peaks_of_oscillators_with_friction), cmocka_unit_test(folds_of_duffings_oscillator_and_of_a_gap),
  cmocka_unit_test(a_linear_oscillator_is_exact),       cmocka_unit_test(resonances_over_the_level_of_one_harmonic),
  cmocka_unit_test(many_rows_are_what_few_are),
};

CHECK_MAIN_WITH_SLEPC(tests)
