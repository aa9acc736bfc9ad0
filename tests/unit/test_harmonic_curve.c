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
  Oscillator o = {.system = SystemNew(1), .load = {.place = LOAD_ON_POINT, .amplitude = amplitude, .signal = {.phase = 0.5 * PETSC_PI}}};
  PetscReal  ratio;
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

enum { MOST_POINTS = 4000 };

typedef struct {
  PetscInt   count, num_folds;
  PetscReal  frequency[MOST_POINTS], amplitude[MOST_POINTS], third[MOST_POINTS];
  PetscReal  fold[100], fold_amplitude[100];
  CurvePoint last;
  PetscReal  last_heading;
  PetscInt   last_n;
} Track;

static PetscReal AmplitudeOf(const Curve *curve, PetscInt k)
{
  const PetscInt j = HarmonicFunction(curve->basis, k);
  PetscReal     *x, size;

  if (j < 0) return 0.0;
  assert_ok(PetscMalloc1(curve->equation->n, &x));
  CurveMotions(curve, x);
  size = hypot(x[j], x[j + 1]);
  assert_ok(PetscFree(x));
  return size;
}

static PetscErrorCode Collect(Curve *curve, void *context, PetscBool *go_on)
{
  Track *track = context;

  assert_in_range(track->count, 0, MOST_POINTS - 1);
  track->frequency[track->count] = curve->setting.frequency;
  track->third[track->count]     = AmplitudeOf(curve, 3);
  track->amplitude[track->count] = AmplitudeOf(curve, 1);
  if (getenv("HARMONIC_SHOW"))
    printf("%d W %.8g a1 %.8g H %d N %d its %d step %g bend %g err %g %g\n", (int)track->count, curve->setting.frequency,
           track->amplitude[track->count], (int)curve->basis->highest, (int)curve->basis->num_samples, (int)curve->iterations, curve->step,
           curve->bend, curve->error.left_out, curve->error.kept);
  if (track->count > 0 && CurveHeading(curve) * track->last_heading < 0.0) {
    track->fold[track->num_folds]             = curve->setting.frequency;
    track->fold_amplitude[track->num_folds++] = track->amplitude[track->count];
  }
  track->last_heading = CurveHeading(curve);
  track->count++;
  *go_on = PETSC_TRUE;
  return 0;
}

static CurveOptions OptionsFor(PetscReal accuracy)
{
  return (CurveOptions){.accuracy = accuracy, .most_harmonics = 99, .most_samples = 8192, .largest_step = 0.1, .most_points = MOST_POINTS - 1};
}

static Track FollowFrequency(Oscillator *o, CurveOptions options, PetscReal from, PetscReal to)
{
  Track  track = {0};
  Curve *curve;

  assert_ok(CurveCreateByFrequency(o->structure, options, 1.0, &curve));
  assert_ok(CurveFollow(curve, from, to, Collect, &track));
  if (getenv("HARMONIC_SHOW")) printf("end: %s, %d points, %d rejected\n", curve_ends[curve->end], (int)curve->num_points, (int)curve->rejected);
  assert_int_equal(curve->end, CURVE_ENDED);
  assert_ok(CurveDestroy(&curve));
  return track;
}

static PetscReal LargestOf(const Track *track, const PetscReal values[])
{
  PetscReal most = 0.0;

  for (PetscInt i = 0; i < track->count; i++) most = fmax(most, values[i]);
  return most;
}

static void peaks(void **state)
{
  const PetscReal iwan[] = {0.2, 0.25, -0.5, 0.0, 0.0}, jenkins[] = {0.25, 0.2};

  (void)state;
  for (PetscInt direct = 0; direct < 2; direct++) {
    Oscillator o = OscillatorOpen(0.75, 0.01, "iwan4", iwan, 0.1, direct);
    Track      track = FollowFrequency(&o, OptionsFor(1e-4), 0.6, 1.2);

    printf("iwan4 peak %.8g of 2.0601487, %d points\n", LargestOf(&track, track.amplitude), (int)track.count);
    OscillatorClose(&o);
    o     = OscillatorOpen(0.75, 0.01, "jenkins", jenkins, 0.1, direct);
    track = FollowFrequency(&o, OptionsFor(1e-4), 0.6, 1.2);
    printf("jenkins peak %.8g of 1.227026, %d points\n", LargestOf(&track, track.amplitude), (int)track.count);
    OscillatorClose(&o);
  }
}

static void folds(void **state)
{
  const PetscReal cubic[] = {0.0, 0.1}, gap[] = {3.0, 0.5, 1.0};
  Oscillator      o = OscillatorOpen(1.0, 0.05, "cubic", cubic, 0.18, PETSC_FALSE);
  Track           track = FollowFrequency(&o, OptionsFor(1e-4), 0.6, 1.8);

  (void)state;
  printf("duffing: largest %.6g of 2.83020, %d points, %d folds:", LargestOf(&track, track.amplitude), (int)track.count, (int)track.num_folds);
  for (PetscInt f = 0; f < track.num_folds; f++) printf(" %.6g (%.6g)", track.fold[f], track.fold_amplitude[f]);
  printf(" of 1.2696020 (2.825017), 1.1157003 (1.081870)\n");
  OscillatorClose(&o);
  o     = OscillatorOpen(1.0, 0.04, "gap", gap, 0.1, PETSC_FALSE);
  track = FollowFrequency(&o, OptionsFor(1e-3), 0.6, 1.8);
  printf("gap: largest %.6g of 1.9381, %d points, %d folds:", LargestOf(&track, track.amplitude), (int)track.count, (int)track.num_folds);
  for (PetscInt f = 0; f < track.num_folds; f++) printf(" %.6g (%.6g)", track.fold[f], track.fold_amplitude[f]);
  printf(" of 1.2523712, 1.0930566\n");
  OscillatorClose(&o);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(peaks),
  cmocka_unit_test(folds),
};

CHECK_MAIN_WITH_SLEPC(tests)
