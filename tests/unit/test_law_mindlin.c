/* test_law_mindlin.c - Mindlin's contact against closed forms and against a continuum of sliders moved one by one. */
#include "joint_samples.h"
#include <stdlib.h>

enum { NUM_POINTS = 3, NUM_TURNS = 14, MOST_KINKS = NUM_TURNS * (NUM_TURNS + 1) / 2 + 2 };

/* Section 3 of peyret2017: a = 2.7 mm, G* = 4.42e-11 1/Pa, mu = 0.3, N = 100 N. */
static const Sample peyret = {"mindlin", {0.0027, 1 / 4.42e-11, 0.3, 100}};

static const PetscReal slip_force = 30, stiffness = 8 * 0.0027 / 4.42e-11, slip_motion = 3 * 30 * 4.42e-11 / (16 * 0.0027);

/* Eqs 6 and 16 of peyret2017, the latter with 1/2 as exponent of the base in the motion. Its Dahl stiffness: 8 a / G* = 4.88688e8, printed
   as 4.839e8 because a was rounded (errata). */
static void virgin_curve_equals_the_closed_form(void **state)
{
  (void)state;
  assert_close(stiffness, 4.88688e8, 1e-5);
  for (PetscInt i = 1; i <= 1000; i++) {
    const PetscReal w = 1e-8 * pow(1e8, (PetscReal)i / 1000) * 0.999999, root = sqrt(1 - w);
    Joint           joint = JointOpen(&peyret, 1);
    const PetscReal force = JointMove(&joint, w * slip_motion);

    assert_near(force, slip_force * (1 - pow(1 - w, 1.5)), 1e-14 * slip_force);
    assert_close(force, slip_force * -expm1(1.5 * log1p(-w)), 1e-14); /* also where little is left of it */
    assert_close(3 * 30 * 4.42e-11 / (16 * 0.0027) * -expm1(2.0 / 3 * log1p(-force / slip_force)), w * slip_motion, 1e-9); /* eq. 6 */
    assert_near(joint.stiffness[0], stiffness * root, 1e-12 * stiffness);
    JointClose(&joint);
  }
}

/* 4 L = 8 int_0^d T - 4 d T over a steady cycle (errata; the rule of section 2.3 is wrong). */
static void dissipation_of_a_cycle_equals_the_closed_form(void **state)
{
  (void)state;
  for (PetscInt i = 0; i <= 100; i++) {
    const long double w = 1e-2L * powl(3e2L, (long double)i / 100), left = w < 1 ? 1 - w : 0, beyond = w > 1 ? w - 1 : 0;
    const long double area  = (w < 1 ? w : 1) - 0.4L * (1 - left * left * sqrtl(left)) + beyond; /* int_0^w (1 - left^1.5) */
    const long double loss  = 8 * area - 4 * w * (1 - left * sqrtl(left));
    const PetscReal   a     = (PetscReal)w * slip_motion;
    Joint             joint = JointOpen(&peyret, 1);
    PetscReal         before;

    JointMove(&joint, a);
    before = joint.dissipated[0];
    assert_close(before, (PetscReal)loss / 4 * slip_force * slip_motion, 2e-12); /* a small difference of areas where w is small */
    JointMove(&joint, -a);
    JointMove(&joint, a);
    assert_close(joint.dissipated[0] - before, (PetscReal)loss * slip_force * slip_motion, 2e-12);
    JointClose(&joint);
  }
}

/* Eqs 14 and 15 of peyret2017 with the signs of the errata: steady microslip of amplitude d. */
static void steady_loop_equals_the_printed_branches(void **state)
{
  Joint           joint = JointOpen(&peyret, 1);
  const PetscReal d     = 0.8 * slip_motion;
  const PetscReal top = JointMove(&joint, d), rest = pow(1 - top / slip_force, 2.0 / 3) + 1;

  (void)state;
  for (PetscInt i = 0; i <= 100; i++) {
    const PetscReal motion = d * (1 - (PetscReal)i / 50);

    assert_near(JointMove(&joint, motion), top - 2 * slip_force * (1 - pow(0.5 * (motion / slip_motion + rest), 1.5)), 1e-12 * slip_force);
  }
  for (PetscInt i = 0; i <= 100; i++) {
    const PetscReal motion = d * ((PetscReal)i / 50 - 1);

    assert_near(JointMove(&joint, motion), -top + 2 * slip_force * (1 - pow(0.5 * (-motion / slip_motion + rest), 1.5)), 1e-12 * slip_force);
  }
  JointClose(&joint);
}

/* An exact step of the Dahl equation with alpha = 1/3 on its branches: dT/dd = K (1 - s (T - T_r) / (2 T_c))^(1/3), or with T_c on the
   virgin curve, whose base to the power 2/3 falls linearly. */
static PetscReal dahl_step(PetscReal force, PetscReal reversal, PetscReal sense, PetscReal length, PetscReal range)
{
  const PetscReal base = 1 - sense * (force - reversal) / range;
  const PetscReal left = fmax(0, pow(fmax(0, base), 2.0 / 3) - 2.0 / 3 * stiffness / range * length);

  return reversal + sense * range * (1 - pow(left, 1.5));
}

static void full_dahl_with_a_third_as_exponent_is_mindlin(void **state)
{
  const PetscInt  num_steps = 40;
  const PetscReal turns[]   = {0.9, -0.7, 0.5, -0.35, 0.3}; /* each inside the one before: the last reversal is that of the branch */
  Joint           joint     = JointOpen(&peyret, 1);
  PetscReal       motion = 0, force = 0, reversal = 0;

  (void)state;
  for (PetscInt i = 0; i < 5; i++) {
    const PetscReal length = (turns[i] * slip_motion - motion) / num_steps;

    for (PetscInt k = 0; k < num_steps; k++) {
      motion += length;
      force = dahl_step(force, reversal, length > 0 ? 1 : -1, fabs(length), (i > 0 ? 2 : 1) * slip_force);
      assert_near(JointMove(&joint, motion), force, 1e-10 * slip_force);
    }
    reversal = force;
  }
  JointClose(&joint);
}

/* Mindlin's contact as sliders in parallel, without any memory rule: F' = K (1 - u/u_c)^(1/2) is that of sliders of strength
   (1 - q^2) u_c, spread evenly over 0 <= q <= 1 with the stiffness K dq. Between kinks, where a slider just slips or sticks, its stretch is
   linear in its strength, so three Gauss points in q sum force and dissipation exactly. */
typedef struct {
  PetscInt  num_turns;
  PetscReal turns[NUM_TURNS];
} Path;

static int compare_reals(const void *a, const void *b)
{
  const PetscReal x = *(const PetscReal *)a, y = *(const PetscReal *)b;

  return (x > y) - (x < y);
}

static PetscInt find_kinks(const Path *path, PetscReal kinks[])
{
  PetscInt count = 0;

  kinks[count++] = 0;
  kinks[count++] = 1;
  for (PetscInt i = 0; i < path->num_turns; i++) {
    for (PetscInt k = -1; k < i; k++) {
      const PetscReal strength = k < 0 ? fabs(path->turns[i]) : fabs(path->turns[i] - path->turns[k]) / 2;

      if (strength < slip_motion) kinks[count++] = sqrt(1 - strength / slip_motion);
    }
  }
  qsort(kinks, (size_t)count, sizeof *kinks, compare_reals);
  return count;
}

/* Stretch of one slider at the end of a path, and how far it has slipped in all. */
static PetscReal slide(const Path *path, PetscReal strength, PetscReal *slipped)
{
  PetscReal position = 0;

  *slipped = 0;
  for (PetscInt i = 0; i < path->num_turns; i++) {
    const PetscReal stretch = fmax(-strength, fmin(strength, path->turns[i] - position));

    *slipped += fabs(path->turns[i] - stretch - position);
    position = path->turns[i] - stretch;
  }
  return path->turns[path->num_turns - 1] - position;
}

static PetscReal sum_sliders(const Path *path, PetscReal *dissipated)
{
  const PetscReal node[NUM_POINTS] = {-sqrt(0.6), 0, sqrt(0.6)}, weight[NUM_POINTS] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  PetscReal       kinks[MOST_KINKS], force                                          = 0;
  const PetscInt  count = find_kinks(path, kinks);

  *dissipated = 0;
  for (PetscInt i = 1; i < count; i++) {
    for (PetscInt k = 0; k < NUM_POINTS; k++) {
      const PetscReal half = (kinks[i] - kinks[i - 1]) / 2, q = kinks[i - 1] + half * (1 + node[k]);
      const PetscReal strength = slip_motion * (1 - q * q), share = stiffness * half * weight[k];
      PetscReal       slipped;

      force += share * slide(path, strength, &slipped);
      *dissipated += share * strength * slipped;
    }
  }
  return force;
}

static void any_path_equals_a_continuum_of_sliders(void **state)
{
  uint64_t seed = 21;

  (void)state;
  for (PetscInt trial = 0; trial < 400; trial++) {
    const PetscReal shrink = trial % 2 ? 0.8 : 1; /* nested, or wild: loops within loops, closed many at once */
    const PetscReal range  = slip_motion * RandomRange(&seed);
    Path            path   = {0};
    Joint           joint  = JointOpen(&peyret, 1);

    for (PetscInt i = 0; i < NUM_TURNS; i++) {
      PetscReal dissipated, force;

      path.turns[path.num_turns++] = range * pow(shrink, (double)i) * Random(&seed);
      force                        = JointMove(&joint, path.turns[i]);
      assert_near(force, sum_sliders(&path, &dissipated), 1e-10 * slip_force);
      assert_near(joint.dissipated[0], dissipated, 1e-10 * slip_force * slip_motion);
      assert_close(joint.dissipated[0], dissipated, 1e-8);
    }
    JointClose(&joint);
  }
}

/* Eqs 1 to 3 and 7 by hand: two steel balls of 20 mm and a steel ball on a plane of aluminium. */
static void spheres_have_the_circle_of_hertz(void **state)
{
  const Sample balls = {"mindlin_spheres", {0.02, 0.02, 210e9, 0.3, 210e9, 0.3, 0.3, 100}};
  const Sample plane = {"mindlin_spheres", {0.02, 0, 210e9, 0.3, 70e9, 0.33, 0.3, 100}};
  const Sample far   = {"mindlin_spheres", {0.02, 1e12, 210e9, 0.3, 70e9, 0.33, 0.3, 100}};
  Joint        ball = JointOpen(&balls, 1), flat = JointOpen(&plane, 1), nearly = JointOpen(&far, 1);

  (void)state;
  JointTry(&ball, 0);
  JointTry(&flat, 0);
  JointTry(&nearly, 0);
  assert_close(ball.stiffness[0], 8 * cbrt(0.75 * 100 * 0.01 / (210e9 / (2 * 0.91))) * (210e9 / 2.6) / (2 * 1.7), 1e-13);
  assert_close(flat.stiffness[0], 8 * cbrt(0.75 * 100 * 0.02 * (0.91 / 210e9 + (1 - 0.33 * 0.33) / 70e9)) / (1.7 * 2.6 / 210e9 + 1.67 * 2.66 / 70e9),
               1e-13);
  assert_close(nearly.stiffness[0], flat.stiffness[0], 1e-12);
  assert_near(JointTry(&ball, 1), 30, 1e-14);
  JointClose(&ball);
  JointClose(&flat);
  JointClose(&nearly);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(virgin_curve_equals_the_closed_form),     cmocka_unit_test(dissipation_of_a_cycle_equals_the_closed_form),
  cmocka_unit_test(steady_loop_equals_the_printed_branches), cmocka_unit_test(full_dahl_with_a_third_as_exponent_is_mindlin),
  cmocka_unit_test(any_path_equals_a_continuum_of_sliders),  cmocka_unit_test(spheres_have_the_circle_of_hertz),
};

CHECK_MAIN(tests)
