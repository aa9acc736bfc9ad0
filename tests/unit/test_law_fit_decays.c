/* test_law_fit_decays.c - parameters of laws found again from decays on them. */
#include "post/modal_iwan.h"
#include "tapes.h"

/* The curves of modal Iwan models are those of the law iwan4 beside a spring and a dashpot: Table 3 of lacayo2017, mode 2. */
static void decays_of_modal_iwan_models_give_their_law(void **state)
{
  enum { NUM_POINTS = 40 };
  const ModalIwan model   = {1.399, 1e-4, 2.877, 7.843e-2, -0.515, 5.614};
  const Sample    element = {"iwan4", {2.877, 7.843e-2, -0.515, 5.614, 0}};
  const PetscReal own[] = {1.399, 1e-4}, phi_max = ModalIwanSlipAmplitude(&model);
  LawToFit        law = open_law(&element, " slip_force stiffness chi beta ", 1.4);
  RingDownPoint   points[NUM_POINTS];
  PetscReal       amplitude[NUM_POINTS], omega[NUM_POINTS], zeta[NUM_POINTS];
  PetscBool       found;
  LawFit          fit;
  char            reason[256];

  (void)state;
  for (PetscInt k = 0; k < 2; k++)
    law.unknowns[law.num_unknowns++] =
      (FitUnknown){.index = LAW_FIT_STIFFNESS + k, .start = own[k] * 1.3, .most = PETSC_INFINITY, .above = PETSC_TRUE};
  for (PetscInt i = 0; i < NUM_POINTS; i++) {
    points[i] = (RingDownPoint){.amplitude = 0.02 * phi_max * pow(1000, (PetscReal)i / (NUM_POINTS - 1)), .trusted = PETSC_TRUE};
    ModalIwanCurve(&model, MODAL_IWAN_RING_DOWN, points[i].amplitude, &points[i].omega, &points[i].zeta);
    amplitude[i] = points[i].amplitude;
  }
  assert_ok(LawFitDecays(&law, NUM_POINTS, points, &found, &fit, reason, sizeof reason));
  if (!found) print_error("%s\n", reason);
  assert_true(found);
  law.num_unknowns = 4;
  assert_found(&law, &fit, &element, 1e-3);
  for (PetscInt k = 0; k < 2; k++) assert_close(fit.values[LAW_FIT_STIFFNESS + k], own[k], 1e-4);
  assert_ok(LawFitCurve(&law, fit.values, NUM_POINTS, amplitude, &found, omega, zeta));
  assert_true(found);
  for (PetscInt i = 0; i < NUM_POINTS; i++) {
    assert_close(omega[i], points[i].omega, 1e-5);
    assert_close(zeta[i], points[i].zeta, 1e-3);
  }
}

/* The energy K a^2 / 2 + c a^4 / 4 falls by what the dashpot takes: it is the force at the extreme that counts, not the tangent there. */
static void decays_on_a_hardening_spring_lose_energy_not_stiffness(void **state)
{
  enum { NUM_POINTS = 5 };
  const PetscReal mass = 2, spring = 3, damping = 1e-3, linear = 0.8, cubic = 0.5, amplitude[NUM_POINTS] = {1e-3, 0.1, 0.5, 1, 2};
  const LawToFit  law                  = {.law = JointLawFind("cubic"), .mass = mass, .warm_up = 10};
  PetscReal       values[LAW_FIT_SIZE] = {linear, cubic}, omega[NUM_POINTS], zeta[NUM_POINTS];
  PetscBool       exists;

  (void)state;
  values[LAW_FIT_STIFFNESS] = spring;
  values[LAW_FIT_DAMPING]   = damping;
  assert_ok(LawFitCurve(&law, values, NUM_POINTS, amplitude, &exists, omega, zeta));
  assert_true(exists);
  for (PetscInt i = 0; i < NUM_POINTS; i++) {
    const PetscReal secant = spring + linear + cubic * PetscSqr(amplitude[i]), harmonic = spring + linear + 0.75 * cubic * PetscSqr(amplitude[i]);
    const PetscReal lost = damping * sqrt((spring + linear) * harmonic) / secant;

    assert_close(zeta[i], lost, 1e-6);
    assert_close(omega[i], sqrt(harmonic / mass / (1 + lost * lost)), 1e-9);
  }
}

/* Of power 0 the law dahl is jenkins without its memory of turns: the work of its half cycles is summed, not known. */
static void decays_of_laws_with_and_without_memory_of_turns_are_alike(void **state)
{
  enum { NUM_POINTS = 4 };
  const char     *names[]               = {"jenkins", "dahl"};
  const PetscReal amplitude[NUM_POINTS] = {0.3, 0.8, 2, 10};
  PetscReal       omega[2][NUM_POINTS], zeta[2][NUM_POINTS];

  (void)state;
  for (PetscInt l = 0; l < 2; l++) {
    const LawToFit law                  = {.law = JointLawFind(names[l]), .mass = 1, .warm_up = 10};
    PetscReal      values[LAW_FIT_SIZE] = {1.2, 0.6, 0};
    PetscBool      exists;

    values[LAW_FIT_STIFFNESS] = 3;
    values[LAW_FIT_DAMPING]   = 1e-3;
    assert_ok(LawFitCurve(&law, values, NUM_POINTS, amplitude, &exists, omega[l], zeta[l]));
    assert_true(exists);
  }
  for (PetscInt i = 0; i < NUM_POINTS; i++) {
    assert_close(omega[1][i], omega[0][i], 1e-6);
    assert_close(zeta[1][i], zeta[0][i], 1e-3);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(decays_of_modal_iwan_models_give_their_law),
  cmocka_unit_test(decays_on_a_hardening_spring_lose_energy_not_stiffness),
  cmocka_unit_test(decays_of_laws_with_and_without_memory_of_turns_are_alike),
};

CHECK_MAIN(tests)
