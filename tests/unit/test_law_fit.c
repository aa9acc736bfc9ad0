/* test_law_fit.c - parameters of laws found again from loops and from decays: exact ones, noisy ones, and what these cannot tell. */
#include <string.h>
#include "joint_samples.h"
#include "post.h"

enum { MOST_SAMPLES = 400, PER_CYCLE = 80 };

/* A record of a test, with its numbers. */
typedef struct {
  LoopRecord record;
  PetscReal  time[MOST_SAMPLES], displacement[MOST_SAMPLES], velocity[MOST_SAMPLES], force[MOST_SAMPLES];
} Tape;

/* Samples first to end - 1 of a sine of growing amplitude, 0.4, 1 and 2.5 at the end of its cycles; or, steady, of 2.5. */
static void make_path(Tape *tape, PetscBool steady)
{
  for (PetscInt i = 0; i < MOST_SAMPLES; i++) {
    const PetscReal cycles = (PetscReal)i / PER_CYCLE, rate = log(2.5);
    const PetscReal size = steady ? 2.5 : 0.4 * exp(rate * cycles), growth = steady ? 0 : rate;

    tape->time[i]         = cycles;
    tape->displacement[i] = size * sin(2 * PETSC_PI * cycles);
    tape->velocity[i]     = size * (2 * PETSC_PI * cos(2 * PETSC_PI * cycles) + growth * sin(2 * PETSC_PI * cycles));
  }
}

static void make_record(Tape *tape, PetscInt first, PetscInt end)
{
  tape->record = (LoopRecord){.count        = end - first,
                              .time         = tape->time + first,
                              .displacement = tape->displacement + first,
                              .velocity     = tape->velocity + first,
                              .force        = tape->force + first};
}

static void drive(const Sample *sample, Tape *tape)
{
  JointBlock block;

  assert_ok(JointBlockCreate(JointLawFind(sample->law), sample->parameters, 1, &block));
  assert_ok(JointDrive(1, &block, MOST_SAMPLES, tape->displacement, tape->velocity, tape->force, NULL));
  assert_ok(JointBlockDestroy(&block));
}

/* The law of a sample, of which the parameters of these names, separated by a blank each, are to be found from a start that is `off`. */
static LawToFit open_law(const Sample *sample, const char *names, PetscReal off)
{
  LawToFit law = {.law = JointLawFind(sample->law), .num_starts = 40, .warm_up = 1, .mass = 1};

  for (PetscInt i = 0; law.law->parameters[i].name; i++) {
    const JointParameter *p = &law.law->parameters[i];
    char                  name[64];

    law.values[i] = sample->parameters[i];
    snprintf(name, sizeof name, " %s ", p->name);
    if (!strstr(names, name)) continue;
    law.unknowns[law.num_unknowns++] = (FitUnknown){.index = i,
                                                    .start = sample->parameters[i] * off,
                                                    .least = p->least == p->most ? PETSC_NINFINITY : p->least,
                                                    .most  = p->least == p->most ? PETSC_INFINITY : p->most,
                                                    .above = p->above};
    law.values[i]                    = (PetscReal)NAN; /* nobody looks */
  }
  return law;
}

static void fit_tape(const LawToFit *law, const Tape *tape, LawFit *fit)
{
  PetscBool found;
  char      reason[256];

  assert_ok(LawFitLoops(law, 1, &tape->record, &found, fit, reason, sizeof reason));
  if (!found) print_error("%s: %s\n", law->law->name, reason);
  assert_true(found);
}

static void assert_found(const LawToFit *law, const LawFit *fit, const Sample *sample, PetscReal tolerance)
{
  for (PetscInt p = 0; p < law->num_unknowns; p++) {
    const PetscInt i = law->unknowns[p].index;

    if (fabs(fit->parameters[p].value - sample->parameters[i]) > tolerance * fabs(sample->parameters[i]))
      print_error("%s of %s:\n", law->law->parameters[i].name, sample->law);
    assert_close(fit->parameters[p].value, sample->parameters[i], tolerance);
    assert_true(fit->values[i] == fit->parameters[p].value);
    assert_true(fit->parameters[p].determined);
    assert_true(fit->parameters[p].low <= fit->parameters[p].value && fit->parameters[p].value <= fit->parameters[p].high);
  }
}

static const struct {
  Sample      sample;
  const char *unknowns;
} cases[] = {
  {{"jenkins", {1.2, 0.6}}, " stiffness slip_force "},
  {{"mindlin", {0.5, 0.25, 0.5, 1.4}}, " friction shear_modulus "},
  {{"iwan4", {0.7, 1, -0.5, 5, 0}}, " slip_force stiffness chi beta "},
  {{"bouc_wen", {0.1, 1, 1, 1.5, 0.4, 1}}, " k_l k_h B C "},
  {{"bouc_wen", {0.1, 0.5, 1, 1, 0.3, 2}}, " k_l k_h B C "},
  {{"valanis", {1.5, 0.1, 0.7, 0.6, 1, 0, 0, 1}}, " stiffness slip_stiffness slip_force kappa "},
  {{"generalized_valanis", {0.6, 0.9, 0.1, 0.05, 0.02, 0, -0.02, 0.01, 0.005, 0, 0, 0.002, 0.0005, 1}}, " C1 C2 P1_x P1_v "},
};

enum { NUM_CASES = sizeof cases / sizeof cases[0] };

static void exact_loops_give_their_law(void **state)
{
  (void)state;
  for (PetscInt c = 0; c < NUM_CASES; c++) {
    const LawToFit law = open_law(&cases[c].sample, cases[c].unknowns, 1.7);
    Tape           tape;
    LawFit         fit;

    make_path(&tape, PETSC_FALSE);
    drive(&cases[c].sample, &tape);
    make_record(&tape, 0, 3 * PER_CYCLE);
    fit_tape(&law, &tape, &fit);
    assert_found(&law, &fit, &cases[c].sample, 1e-6);
    assert_true(fit.misfit[0] < 1e-8);
    assert_int_equal(fit.num_points, 3 * PER_CYCLE);
  }
}

/* Of a parabola over time, at steps of any length, it is exact. */
static void velocities_that_were_not_measured_are_found(void **state)
{
  const Sample   dashpot = {"damper", {0.7}};
  const LawToFit law     = open_law(&dashpot, " damping ", 3);
  uint64_t       seed    = 3;
  Tape           tape;
  LawFit         fit;

  (void)state;
  for (PetscInt i = 0; i < 50; i++) {
    const PetscReal t = tape.time[i] = i ? tape.time[i - 1] + 1.1 + Random(&seed) : 0;

    tape.displacement[i] = 3 * t * t;
    tape.force[i]        = 0.7 * 6 * t;
  }
  make_record(&tape, 0, 50);
  tape.record.velocity = NULL;
  fit_tape(&law, &tape, &fit);
  assert_found(&law, &fit, &dashpot, 1e-10);
  assert_true(fit.misfit[0] < 1e-12);
}

/* Mindlin's loop by his own formulas [Mindlin 1949], which are no code of ours: mu N 0.7, 8 a G 1. */
static PetscReal mindlin_branch(PetscReal u)
{
  const PetscReal limit = 0.7, u_c = 1.5 * limit;

  return u < u_c ? limit * (1 - pow(1 - u / u_c, 1.5)) : limit;
}

static void the_closed_form_of_mindlin_gives_his_contact(void **state)
{
  const Sample   truth = {"mindlin", {0.5, 0.25, 0.5, 1.4}};
  const LawToFit law   = open_law(&truth, " friction shear_modulus ", 0.4);
  Tape           tape;
  LawFit         fit;

  (void)state;
  make_path(&tape, PETSC_TRUE);
  for (PetscInt i = PER_CYCLE / 4; i <= PER_CYCLE * 5 / 4; i++) {
    const PetscReal direction = i <= PER_CYCLE * 3 / 4 ? -1 : 1;

    tape.displacement[i] *= 0.3;
    tape.force[i] = direction * (2 * mindlin_branch(fabs(tape.displacement[i] + direction * 0.75) / 2) - mindlin_branch(0.75));
  }
  make_record(&tape, PER_CYCLE / 4, PER_CYCLE * 5 / 4 + 1);
  fit_tape(&law, &tape, &fit);
  assert_found(&law, &fit, &truth, 1e-6);
}

/* Any part that tells what the joint remembers will do. */
static void records_may_begin_anywhere_in_a_loop(void **state)
{
  const struct {
    PetscBool  steady;
    PetscInt   first, end, judged;
    LoopMemory memory;
  } parts[] = {
    {PETSC_FALSE, 0, 200, 0, LOOP_FROM_REST},  {PETSC_TRUE, 90, 171, 0, LOOP_CLOSED},  {PETSC_TRUE, 90, 331, 0, LOOP_CLOSED},
    {PETSC_TRUE, 90, 300, 48, LOOP_WARMED_UP}, {PETSC_TRUE, 60, 98, 0, LOOP_FROM_END},
  };

  (void)state;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    const LawToFit law = open_law(&cases[2].sample, cases[2].unknowns, 0.8);
    PetscInt       first;
    Tape           tape;
    LawFit         fit;

    make_path(&tape, parts[i].steady);
    drive(&cases[2].sample, &tape);
    make_record(&tape, parts[i].first, parts[i].end);
    assert_int_equal(LoopFindMemory(&tape.record, &first), parts[i].memory);
    assert_int_equal(first, parts[i].judged);
    fit_tape(&law, &tape, &fit);
    assert_found(&law, &fit, &cases[2].sample, 1e-6);
    assert_int_equal(fit.num_points, parts[i].end - parts[i].first - first);
  }
}

/* The law of bouc_wen forgets its first loading as exp(-B path), here by a factor of 20 a cycle: the last of five is steady, a first one is not. */
static void laws_that_forget_slowly_are_driven_before(void **state)
{
  const Sample truth = {"bouc_wen", {0.1, 1, 1, 1.5, 0.4, 1}};
  LawToFit     law   = open_law(&truth, " k_l k_h B ", 1.3);
  Tape         tape;
  LawFit       fit;
  PetscReal    off[2];

  (void)state;
  make_path(&tape, PETSC_TRUE);
  for (PetscInt i = 0; i < MOST_SAMPLES; i++) tape.displacement[i] *= 0.2;
  drive(&truth, &tape);
  make_record(&tape, MOST_SAMPLES - PER_CYCLE - 10, MOST_SAMPLES - 9);
  for (PetscInt i = 0; i < 2; i++) {
    law.warm_up = i ? 10 : 1;
    fit_tape(&law, &tape, &fit);
    off[i] = fabs(fit.values[3] / truth.parameters[3] - 1);
  }
  assert_true(off[0] > 1e-3);
  assert_true(off[1] < 1e-5);
}

static void assert_refused(const LawToFit *law, const Tape *tape, const char *expected)
{
  PetscBool found;
  LawFit    fit;
  char      reason[256];

  assert_ok(LawFitLoops(law, 1, &tape->record, &found, &fit, reason, sizeof reason));
  assert_false(found);
  if (!strstr(reason, expected)) print_error("%s\n", reason);
  assert_non_null(strstr(reason, expected));
}

static void what_cannot_be_fitted_says_why(void **state)
{
  const LawToFit law    = open_law(&cases[0].sample, cases[0].unknowns, 1);
  LawToFit       spring = open_law(&(Sample){"spring", {1}}, " stiffness ", 1);
  Tape           tape;

  (void)state;
  make_path(&tape, PETSC_TRUE);
  drive(&cases[0].sample, &tape);
  make_record(&tape, 85, 99);
  assert_refused(&law, &tape, "record 1 begins neither at rest nor");
  make_record(&tape, 0, 2);
  assert_refused(&law, &tape, "record 1 has 2 samples");
  make_record(&tape, 0, 4);
  assert_refused(&law, &tape, "4 samples for 2 unknowns");
  spring.unknowns[0].least = 5;
  spring.unknowns[0].most  = 6;
  spring.unknowns[0].start = 5.5;
  make_record(&tape, 0, 200);
  assert_refused(&spring, &tape, "no law spring comes near");
  memset(tape.force, 0, sizeof tape.force);
  assert_refused(&law, &tape, "record 1 has no force");
  memset(tape.displacement, 0, sizeof tape.displacement);
  assert_refused(&law, &tape, "record 1 does not move");
}

/* Away from zero, too; its force may change. */
static void a_record_that_stands_still_somewhere_does_not_move(void **state)
{
  const LawToFit law = open_law(&cases[0].sample, cases[0].unknowns, 1);
  Tape           tape;

  (void)state;
  make_path(&tape, PETSC_TRUE);
  drive(&cases[0].sample, &tape);
  for (PetscInt i = 0; i < MOST_SAMPLES; i++) tape.displacement[i] = 1.5;
  make_record(&tape, 0, 200);
  assert_refused(&law, &tape, "record 1 does not move");
}

static PetscReal normal(uint64_t *seed)
{
  const PetscReal radius = 0.5 + 0.5 * Random(seed);

  return sqrt(-2 * log(fmax(radius, 1e-300))) * cos(PETSC_PI * Random(seed));
}

/* Of 95 % intervals, 3 standard deviations of the binomial distribution below. */
static void intervals_hold_the_truth_in_95_of_100_cases(void **state)
{
  enum { NUM_TRIALS = 100 };
  const PetscInt which[] = {1, 2, 5};
  uint64_t       seed    = 31;

  (void)state;
  for (PetscInt w = 0; w < 3; w++) {
    const Sample *truth   = &cases[which[w]].sample;
    LawToFit      law     = open_law(truth, cases[which[w]].unknowns, 1.1);
    PetscInt      held[8] = {0};
    Tape          clean;

    law.num_starts = 0;
    make_path(&clean, PETSC_FALSE);
    drive(truth, &clean);
    for (PetscInt trial = 0; trial < NUM_TRIALS; trial++) {
      Tape   tape = clean;
      LawFit fit;

      make_record(&tape, 0, 3 * PER_CYCLE);
      for (PetscInt i = 1; i < 3 * PER_CYCLE; i++) tape.force[i] += 2e-3 * normal(&seed);
      fit_tape(&law, &tape, &fit);
      for (PetscInt p = 0; p < law.num_unknowns; p++) {
        const PetscReal value = truth->parameters[law.unknowns[p].index];

        assert_true(fit.parameters[p].standard_error > 0);
        held[p] += fit.parameters[p].low <= value && value <= fit.parameters[p].high;
      }
    }
    for (PetscInt p = 0; p < law.num_unknowns; p++) assert_in_range(held[p], 0.885 * NUM_TRIALS, NUM_TRIALS);
  }
}

/* A contact's circle and its modulus act as their product; a joint that never slips says nothing of its slip force. */
static void what_the_loop_does_not_tell_is_said(void **state)
{
  const Sample contact = {"mindlin", {0.5, 0.25, 0.5, 1.4}}, stuck = {"jenkins", {0.6, 100}};
  LawToFit     law = open_law(&contact, " contact_radius shear_modulus friction ", 1.3);
  Tape         tape;
  LawFit       fit;

  (void)state;
  make_path(&tape, PETSC_FALSE);
  drive(&contact, &tape);
  make_record(&tape, 0, 3 * PER_CYCLE);
  fit_tape(&law, &tape, &fit);
  for (PetscInt p = 0; p < 3; p++) assert_int_equal(fit.parameters[p].determined, law.unknowns[p].index == 2);
  assert_close(fit.values[0] * fit.values[1], 0.125, 1e-6);
  assert_close(fit.values[2], 0.5, 1e-6);
  assert_true(fit.parameters[0].low == 0 && PetscIsInfReal(fit.parameters[0].high) && PetscIsInfReal(fit.parameters[0].standard_error));

  law = open_law(&stuck, " stiffness slip_force ", 1.3);
  drive(&stuck, &tape);
  fit_tape(&law, &tape, &fit);
  for (PetscInt p = 0; p < 2; p++)
    assert_int_equal(fit.parameters[p].determined, !strcmp(law.law->parameters[law.unknowns[p].index].name, "stiffness"));
}

/* The noise of its largest forces says something of it, but nothing against a larger one. The limit is that of 95 %: of 40 cases 8 in
   one of 3000. When nothing at all is determined, that is said too. */
static void noise_does_not_tell_when_a_stuck_joint_slips(void **state)
{
  const Sample stuck = {"jenkins", {0.6, 100}};
  LawToFit     both = open_law(&stuck, " stiffness slip_force ", 0.02), alone = open_law(&stuck, " slip_force ", 0.02);
  uint64_t     seed   = 5;
  PetscInt     claims = 0;
  Tape         clean;
  LawFit       fit;

  (void)state;
  make_path(&clean, PETSC_FALSE);
  drive(&stuck, &clean);
  for (PetscInt trial = 0; trial < 40; trial++) {
    Tape tape = clean;

    make_record(&tape, 0, 3 * PER_CYCLE);
    for (PetscInt i = 1; i < 3 * PER_CYCLE; i++) tape.force[i] += 2e-2 * normal(&seed);
    fit_tape(&both, &tape, &fit);
    for (PetscInt p = 0; p < 2; p++)
      if (strcmp(both.law->parameters[both.unknowns[p].index].name, "stiffness")) claims += fit.parameters[p].determined;
      else assert_true(fit.parameters[p].determined);
  }
  assert_in_range(claims, 0, 8);
  make_record(&clean, 0, 3 * PER_CYCLE);
  alone.unknowns[0].start = 50;
  fit_tape(&alone, &clean, &fit);
  assert_false(fit.parameters[0].determined);
}

/* Noise of the force is not alike from sample to sample; what an offset of the force leaves is; noise of the displacement shakes. */
static void what_is_left_is_told_from_noise(void **state)
{
  LawToFit law  = open_law(&cases[1].sample, cases[1].unknowns, 1.1);
  uint64_t seed = 9;
  Tape     clean, tape;
  LawFit   fit;

  (void)state;
  law.num_starts = 0;
  make_path(&clean, PETSC_TRUE);
  drive(&cases[1].sample, &clean);
  tape = clean;
  make_record(&tape, PER_CYCLE, 3 * PER_CYCLE);
  for (PetscInt i = 0; i < MOST_SAMPLES; i++) tape.force[i] += 2e-2 * normal(&seed);
  fit_tape(&law, &tape, &fit);
  assert_true(fabs(fit.alike) < 4 / sqrt(2 * PER_CYCLE)); /* 4 standard deviations of white noise [Bartlett 1946] */
  assert_int_equal(fit.shaking, 0);

  tape = clean;
  make_record(&tape, PER_CYCLE, 3 * PER_CYCLE);
  for (PetscInt i = 0; i < MOST_SAMPLES; i++) tape.force[i] += 0.1;
  fit_tape(&law, &tape, &fit);
  assert_true(fit.alike > 0.9);
  assert_close(LawFitShortness(0.6), 2, 1e-15);

  tape = clean;
  make_record(&tape, PER_CYCLE, 3 * PER_CYCLE);
  for (PetscInt i = 0; i < MOST_SAMPLES; i++) tape.displacement[i] += 2e-2 * normal(&seed);
  fit_tape(&law, &tape, &fit);
  assert_int_equal(fit.shaking, 1);
}

/* As the study reads them: a spring of any sign, a dashpot that takes energy. */
static void find_beside(LawToFit *law, PetscReal stiffness, PetscReal damping)
{
  law->unknowns[law->num_unknowns++] = (FitUnknown){.index = LAW_FIT_STIFFNESS, .start = stiffness, .least = PETSC_NINFINITY, .most = PETSC_INFINITY};
  law->unknowns[law->num_unknowns++] = (FitUnknown){.index = LAW_FIT_DAMPING, .start = damping, .most = PETSC_INFINITY};
}

static void add_beside(Tape *tape, PetscReal stiffness, PetscReal damping)
{
  for (PetscInt i = 0; i < MOST_SAMPLES; i++) tape->force[i] += stiffness * tape->displacement[i] + damping * tape->velocity[i];
}

/* The first four laws; a spring that pushes along the motion, too, and what is not there. */
static void what_is_beside_a_law_is_found_with_it(void **state)
{
  const PetscReal beside[][2] = {{0.35, 0.02}, {-0.05, 0}, {0, 0.1}, {3, 0.001}};

  (void)state;
  for (PetscInt c = 0; c < 4; c++) {
    LawToFit law = open_law(&cases[c].sample, c < 3 ? cases[c].unknowns : " k_h B C ", 1.3); /* k_l is a spring itself */
    Tape     tape;
    LawFit   fit;

    find_beside(&law, 0.2, 0.01);
    make_path(&tape, PETSC_FALSE);
    drive(&cases[c].sample, &tape);
    add_beside(&tape, beside[c][0], beside[c][1]);
    make_record(&tape, 0, 3 * PER_CYCLE);
    fit_tape(&law, &tape, &fit);
    for (PetscInt p = 0; p < law.num_unknowns; p++) assert_true(fit.parameters[p].determined);
    for (PetscInt k = 0; k < 2; k++) assert_true(fabs(fit.values[LAW_FIT_STIFFNESS + k] - beside[c][k]) < 1e-6);
    law.num_unknowns -= 2;
    assert_found(&law, &fit, &cases[c].sample, 1e-6);
    assert_false(fit.straight);
  }
}

static void what_is_known_beside_a_law_is_not_the_laws(void **state)
{
  LawToFit law = open_law(&cases[1].sample, cases[1].unknowns, 1.7);
  Tape     tape;
  LawFit   fit;

  (void)state;
  law.values[LAW_FIT_STIFFNESS] = -0.3;
  law.values[LAW_FIT_DAMPING]   = 0.05;
  make_path(&tape, PETSC_TRUE);
  drive(&cases[1].sample, &tape);
  add_beside(&tape, -0.3, 0.05);
  make_record(&tape, 90, 171); /* a closed loop, driven before */
  fit_tape(&law, &tape, &fit);
  assert_found(&law, &fit, &cases[1].sample, 1e-6);
}

/* Of a joint that hardly slips, or slips less than noise would hide, either spring may be all. In 40 cases with noise one or two
   may seem to tell; the dashpot is hidden only where the law found narrow loops in the noise. */
static void the_split_of_two_springs_is_left_open(void **state)
{
  const Sample stuck                = {"jenkins", {0.6, 100}};
  uint64_t     seed                 = 11;
  PetscInt     claims[LAW_FIT_SIZE] = {0};
  Tape         clean;

  (void)state;
  make_path(&clean, PETSC_FALSE);
  drive(&stuck, &clean);
  add_beside(&clean, 0.4, 0.05);
  make_record(&clean, 0, 3 * PER_CYCLE);
  for (PetscInt trial = 0; trial < 40; trial++) {
    LawToFit law  = open_law(&stuck, " stiffness slip_force ", 0.02);
    Tape     tape = clean;
    LawFit   fit;

    find_beside(&law, 0.2, 0.1);
    make_record(&tape, 0, 3 * PER_CYCLE);
    for (PetscInt i = 1; trial > 0 && i < 3 * PER_CYCLE; i++) tape.force[i] += 2e-2 * normal(&seed);
    fit_tape(&law, &tape, &fit);
    for (PetscInt p = 0; p < law.num_unknowns; p++) claims[law.unknowns[p].index] += fit.parameters[p].determined;
    if (trial == 0) assert_true(fit.straight);
  }
  assert_in_range(claims[0], 0, 2);
  assert_in_range(claims[1], 0, 2);
  assert_in_range(claims[LAW_FIT_STIFFNESS], 0, 2);
  assert_in_range(claims[LAW_FIT_DAMPING], 20, 40);
}

static void a_bound_holds_and_says_so(void **state)
{
  LawToFit law = open_law(&cases[1].sample, cases[1].unknowns, 1);
  Tape     tape;
  LawFit   fit;

  (void)state;
  make_path(&tape, PETSC_FALSE);
  drive(&cases[1].sample, &tape);
  make_record(&tape, 0, 3 * PER_CYCLE);
  for (PetscInt p = 0; p < 2; p++)
    if (law.unknowns[p].index == 2) law.unknowns[p] = (FitUnknown){.index = 2, .start = 0.43, .least = 0.4, .most = 0.45};
  fit_tape(&law, &tape, &fit);
  for (PetscInt p = 0; p < 2; p++) assert_int_equal(fit.parameters[p].at_bound, law.unknowns[p].index == 2);
  assert_close(fit.values[2], 0.45, 1e-12);
}

static void several_records_are_one_truth_and_every_call_is_the_same(void **state)
{
  const LawToFit law = open_law(&cases[2].sample, cases[2].unknowns, 2);
  Tape           tapes[2];
  LoopRecord     records[2];
  LawFit         fit, again;
  PetscBool      found;
  char           reason[256];

  (void)state;
  for (PetscInt t = 0; t < 2; t++) {
    make_path(&tapes[t], (PetscBool)t);
    drive(&cases[2].sample, &tapes[t]);
    make_record(&tapes[t], t ? 60 : 0, t ? 141 : 80);
    records[t] = tapes[t].record;
  }
  assert_ok(LawFitLoops(&law, 2, records, &found, &fit, reason, sizeof reason));
  assert_ok(LawFitLoops(&law, 2, records, &found, &again, reason, sizeof reason));
  assert_true(found);
  assert_memory_equal(&fit, &again, sizeof fit);
  assert_found(&law, &fit, &cases[2].sample, 1e-6);
}

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
  cmocka_unit_test(exact_loops_give_their_law),
  cmocka_unit_test(velocities_that_were_not_measured_are_found),
  cmocka_unit_test(the_closed_form_of_mindlin_gives_his_contact),
  cmocka_unit_test(records_may_begin_anywhere_in_a_loop),
  cmocka_unit_test(laws_that_forget_slowly_are_driven_before),
  cmocka_unit_test(what_cannot_be_fitted_says_why),
  cmocka_unit_test(a_record_that_stands_still_somewhere_does_not_move),
  cmocka_unit_test(intervals_hold_the_truth_in_95_of_100_cases),
  cmocka_unit_test(what_is_beside_a_law_is_found_with_it),
  cmocka_unit_test(what_is_known_beside_a_law_is_not_the_laws),
  cmocka_unit_test(the_split_of_two_springs_is_left_open),
  cmocka_unit_test(what_the_loop_does_not_tell_is_said),
  cmocka_unit_test(noise_does_not_tell_when_a_stuck_joint_slips),
  cmocka_unit_test(what_is_left_is_told_from_noise),
  cmocka_unit_test(a_bound_holds_and_says_so),
  cmocka_unit_test(several_records_are_one_truth_and_every_call_is_the_same),
  cmocka_unit_test(decays_of_modal_iwan_models_give_their_law),
  cmocka_unit_test(decays_on_a_hardening_spring_lose_energy_not_stiffness),
  cmocka_unit_test(decays_of_laws_with_and_without_memory_of_turns_are_alike),
};

CHECK_MAIN(tests)
