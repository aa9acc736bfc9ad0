/* test_law_dahl.c - Dahl's law, and Mindlin's contact as a Dahl law, against closed forms. */
#include "joint_samples.h"

static const PetscReal stiffness = 1.2, slip_force = 0.6;

/* Integrated by hand: dw/dx = -(k/Fc) w^alpha. Near alpha = 1 the power 1 / (1 - alpha) would magnify the round-off of its base. */
static PetscReal left(PetscReal alpha, PetscReal start, PetscReal length)
{
  const PetscReal rho = stiffness / slip_force * length, gone = (1 - alpha) * rho / pow(start, 1 - alpha);

  if (alpha == 1) return start * exp(-rho);
  return gone < 1 ? start * exp(log1p(-gone) / (1 - alpha)) : 0;
}

static void any_path_equals_the_power_integrated_by_hand(void **state)
{
  const PetscReal alphas[] = {0, 0.2, 1.0 / 3, 0.5, 0.9, 1 - 1e-6, 1 - 1e-13, 1, 1 + 1e-10, 1.4, 2};
  uint64_t        seed     = 20;

  (void)state;
  for (size_t a = 0; a < sizeof alphas / sizeof *alphas; a++) {
    Joint     joint = JointOpen(&(Sample){"dahl", {stiffness, slip_force, alphas[a]}}, 1);
    PetscReal force = 0, here = 0;

    for (PetscInt i = 0; i < 500; i++) {
      const PetscReal there = Random(&seed) * (i % 3 ? 0.3 : 1.5), sense = there > here ? 1 : -1;

      force = sense * slip_force * (1 - left(alphas[a], 1 - sense * force / slip_force, fabs(there - here)));
      here  = there;
      assert_near(JointMove(&joint, there), force, 1e-12);
      force = joint.force[0];
    }
    JointClose(&joint);
  }
}

static void cutting_a_step_changes_nothing(void **state)
{
  const Sample laws[] = {{"dahl", {stiffness, slip_force, 1.0 / 3}}, {"mindlin_dahl_simplified", {stiffness, slip_force, 1.0 / 3, 0.5}}};

  (void)state;
  for (PetscInt s = 0; s < 2; s++) {
    Joint leap = JointOpen(&laws[s], 1), creep = JointOpen(&laws[s], 1);

    for (PetscInt i = 0; i < 10; i++) {
      const PetscReal start = creep.displacement[0], end = (i % 2 ? -1 : 1) * (1.1 - 0.1 * (PetscReal)i);

      for (PetscInt k = 1; k <= 100; k++) JointMove(&creep, start + (end - start) * (PetscReal)k / 100);
      assert_near(JointMove(&leap, end), creep.force[0], 1e-10);
      assert_near(leap.dissipated[0], creep.dissipated[0], 1e-10);
    }
    JointClose(&leap);
    JointClose(&creep);
  }
}

/* alpha = 1, steady between -a and a: w_1 = (2 - w_1) exp(-2 k a / Fc) at the ends, and on a branch int F dx = Fc (2 a - (Fc/k) (w_0 - w_1)). */
static void a_steady_cycle_dissipates_the_area_of_its_loop(void **state)
{
  Joint           joint = JointOpen(&(Sample){"dahl", {stiffness, slip_force, 1}}, 1);
  const PetscReal a = 0.4, decay = exp(-2 * stiffness * a / slip_force), end = 2 * decay / (1 + decay);
  const PetscReal expected = 2 * slip_force * (2 * a - slip_force / stiffness * (2 - 2 * end));
  PetscReal       before;

  (void)state;
  for (PetscInt i = 0; i < 100; i++) JointMove(&joint, i % 2 ? -a : a);
  before = joint.dissipated[0];
  JointMove(&joint, a);
  JointMove(&joint, -a);
  assert_close(joint.dissipated[0] - before, expected, 1e-12);
  JointClose(&joint);
}

/* Eqs 13 to 15 of Peyret et al. 2017, with the sign and the anchor of the errata: unloading from delta* >= 0 that is not beyond delta_c. */
static const PetscReal mu = 0.3, normal = 100, radius = 0.0027, compliance = 4.42e-11;

static PetscReal virgin(PetscReal delta)
{
  return mu * normal * (1 - pow(fmax(0, 1 - 16 * radius / (3 * mu * normal * compliance) * delta), 1.5));
}

static PetscReal unloading(PetscReal turn, PetscReal delta)
{
  const PetscReal Tc = mu * normal, base = (16 * radius / (3 * Tc * compliance) * delta + pow(1 - virgin(turn) / Tc, 2.0 / 3) + 1) / 2;

  return virgin(turn) - 2 * Tc * (1 - pow(fmax(0, base), 1.5));
}

static void full_dahl_is_the_contact_of_mindlin(void **state)
{
  const PetscReal critical = 3 * mu * normal * compliance / (16 * radius); /* eq. 23 with 16 a */

  (void)state;
  for (PetscReal lambda = 0.1; lambda < 1; lambda += 0.1) {
    Joint           joint = JointOpen(&(Sample){"mindlin_dahl", {8 * radius / compliance, mu * normal, 1.0 / 3}}, 1);
    const PetscReal turn  = lambda * critical;

    for (PetscInt i = 1; i <= 100; i++) assert_near(JointMove(&joint, turn * (PetscReal)i / 100), virgin(turn * (PetscReal)i / 100), 1e-9);
    for (PetscInt cycle = 0; cycle < 3; cycle++) {
      for (PetscInt i = 99; i >= -100; i--)
        assert_near(JointMove(&joint, turn * (PetscReal)i / 100), unloading(turn, turn * (PetscReal)i / 100), 1e-9);
      for (PetscInt i = -99; i <= 100; i++) {
        assert_near(JointMove(&joint, turn * (PetscReal)i / 100), -unloading(turn, -turn * (PetscReal)i / 100), 1e-9);
      }
    }
    JointClose(&joint);
  }
}

/* Beyond full slip, lambda > 1, the branch is anchored where it began, not by its force (errata), its base stops at 0. */
static PetscReal slipped(PetscReal turn, PetscReal delta)
{
  const PetscReal Tc = mu * normal, critical = 3 * mu * normal * compliance / (16 * radius);

  return Tc - 2 * Tc * (1 - pow(fmax(0, 1 - (turn - delta) / (2 * critical)), 1.5));
}

/* Eq. 26, w = 1 - s (T - T_r) / (2 T_c) with dw/d delta = -sigma / (2 T_c) w^(1/3), in many small steps of its own. */
static PetscReal step_of_eq_26(PetscReal force, PetscReal turned, PetscReal length)
{
  const PetscReal Tc = mu * normal, sigma = 8 * radius / compliance, sense = length > 0 ? 1 : -1;
  const PetscReal base = fmax(0, 1 - sense * (force - turned) / (2 * Tc)), next = pow(base, 2.0 / 3) - sigma * fabs(length) / (3 * Tc);

  return turned + sense * 2 * Tc * (1 - pow(fmax(0, next), 1.5));
}

static void full_dahl_is_the_contact_of_mindlin_in_full_slip_too(void **state)
{
  const PetscReal critical = 3 * mu * normal * compliance / (16 * radius), Tc = mu * normal;
  const PetscReal lambdas[] = {1, 1.01, 1.3, 2, 5};

  (void)state;
  for (PetscInt l = 0; l < 5; l++) {
    Joint           dahl    = JointOpen(&(Sample){"mindlin_dahl", {8 * radius / compliance, Tc, 1.0 / 3}}, 1);
    Joint           mindlin = JointOpen(&(Sample){"mindlin", {radius, 1 / compliance, mu, normal}}, 1);
    const PetscReal turn    = lambdas[l] * critical;

    assert_near(JointMove(&dahl, turn), Tc, 1e-12 * Tc);
    JointMove(&mindlin, turn);
    for (PetscInt half = 0; half < 4; half++) {
      const PetscReal from = half % 2 ? -turn : turn, turned = half % 2 ? -Tc : Tc;
      PetscReal       force = turned;

      for (PetscInt i = 1; i <= 200; i++) {
        const PetscReal here = from * (1 - (PetscReal)i / 100), expected = half % 2 ? -slipped(turn, -here) : slipped(turn, here);

        force = step_of_eq_26(force, turned, -from / 100);
        assert_near(JointMove(&dahl, here), expected, 1e-9 * Tc);
        assert_near(JointMove(&mindlin, here), expected, 1e-9 * Tc);
        assert_near(force, expected, 1e-9 * Tc);
      }
    }
    JointClose(&dahl);
    JointClose(&mindlin);
  }
}

/* Errata, sec. 2.3: 8 int T0 - 4 delta* T*, with int_0^delta* T0 done by hand. */
static void a_mindlin_cycle_dissipates_its_closed_form(void **state)
{
  const PetscReal critical = 3 * mu * normal * compliance / (16 * radius);

  (void)state;
  for (PetscReal lambda = 0.2; lambda < 1; lambda += 0.1) {
    Joint           joint = JointOpen(&(Sample){"mindlin_dahl", {8 * radius / compliance, mu * normal, 1.0 / 3}}, 1);
    const PetscReal turn = lambda * critical, loading = mu * normal * (turn - critical * 0.4 * (1 - pow(1 - lambda, 2.5)));
    PetscReal       before;

    JointMove(&joint, turn);
    before = joint.dissipated[0];
    JointMove(&joint, -turn);
    JointMove(&joint, turn);
    assert_close(joint.dissipated[0] - before, 8 * loading - 4 * turn * virgin(turn), 1e-10);
    JointClose(&joint);
  }
}

/* Errata, fact 3: a wrong start is forgotten by about sqrt(1 - lambda) each half cycle. */
static void simplified_dahl_becomes_full_dahl_in_steady_cycles(void **state)
{
  const PetscReal critical = 3 * mu * normal * compliance / (16 * radius), turn = 0.8 * critical;
  Joint           joint = JointOpen(&(Sample){"mindlin_dahl_simplified", {8 * radius / compliance, mu * normal, 1.0 / 3, virgin(turn)}}, 1);
  PetscReal       off   = 0;

  (void)state;
  for (PetscInt half = 0; half < 40; half++) {
    off = fabs(JointMove(&joint, half % 2 ? -turn : turn) - (half % 2 ? -virgin(turn) : virgin(turn)));
    if (half == 6) assert_true(off < 0.02 * virgin(turn));
  }
  assert_near(off, 0, 1e-9);
  for (PetscInt i = -99; i <= 100; i++) {
    assert_near(JointMove(&joint, turn * (PetscReal)i / 100), -unloading(turn, -turn * (PetscReal)i / 100), 1e-9);
  }
  JointClose(&joint);
}

/* By eq. 27 alone the force would go on to 2 T_c - T*; it stops at T_c (errata), on either side, and turns back from there. */
static void simplified_dahl_stops_at_the_slip_force(void **state)
{
  const PetscReal cycle_force = 0.25, begin = 1 - cycle_force / (2 * slip_force), end = begin - 0.5;
  const PetscReal slip  = 3 * slip_force / stiffness * (pow(begin, 2.0 / 3) - pow(end, 2.0 / 3)); /* dw/dx = -k / (2 T_c) w^(1/3) */
  Joint           joint = JointOpen(&(Sample){"mindlin_dahl_simplified", {stiffness, slip_force, 1.0 / 3, cycle_force}}, 1);

  (void)state;
  for (PetscReal sense = -1; sense <= 1; sense += 2) {
    assert_near(JointTry(&joint, 0.999 * sense * slip),
                sense * 2 * slip_force * (begin - pow(pow(begin, 2.0 / 3) - 0.999 * slip * stiffness / slip_force / 3, 1.5)), 1e-14);
    assert_true(fabs(joint.force[0]) < slip_force && joint.stiffness[0] > 0.1 * stiffness);
    assert_near(JointTry(&joint, 1.001 * sense * slip), sense * slip_force, 1e-15);
    assert_near(joint.stiffness[0], 0, 0);
  }
  assert_near(JointMove(&joint, 50), slip_force, 1e-15);
  assert_true(JointTry(&joint, 50 - 0.1 * slip) < 0.9 * slip_force);
  JointClose(&joint);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(any_path_equals_the_power_integrated_by_hand),         cmocka_unit_test(cutting_a_step_changes_nothing),
  cmocka_unit_test(a_steady_cycle_dissipates_the_area_of_its_loop),       cmocka_unit_test(full_dahl_is_the_contact_of_mindlin),
  cmocka_unit_test(full_dahl_is_the_contact_of_mindlin_in_full_slip_too), cmocka_unit_test(a_mindlin_cycle_dissipates_its_closed_form),
  cmocka_unit_test(simplified_dahl_becomes_full_dahl_in_steady_cycles),   cmocka_unit_test(simplified_dahl_stops_at_the_slip_force),
};

CHECK_MAIN(tests)
