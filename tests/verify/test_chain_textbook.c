/* test_chain_textbook.c - a chain with two Iwan joints against the textbook: Newton on all unknowns, a full tangent, one state for each slider. */
#include "dense.h"
#include "motion.h"

enum { NUM_MASSES = 10, NUM_JOINTS = 2, NUM_SLIDERS = 50, HIT = 4 };

/* The joints of lacayo2017 in bins of equal width [App. A], plus the slider of the delta function at phi_max. */
typedef struct {
  PetscReal stiffness[NUM_SLIDERS + 1], reach[NUM_SLIDERS + 1], position[NUM_SLIDERS + 1];
} Sliders;

typedef struct {
  PetscReal mass, spring, slip_force, joint, chi, beta, ratio, force, duration, time_step;
} Numbers;

static const Numbers numbers = {.mass       = 1.0,
                                .spring     = 1e6,
                                .slip_force = 30.0,
                                .joint      = 5e5,
                                .chi        = -0.3,
                                .beta       = 0.5,
                                .ratio      = 1e-3,
                                .force      = 400.0,
                                .duration   = 2e-3,
                                .time_step  = 5e-5};

/* Joint j acts between masses joined[j] and joined[j] + 1. */
static const PetscInt joined[NUM_JOINTS] = {2, 6};

/* Density R phi^chi up to phi_max, and S at phi_max [Segalman 2005]: bin by bin its stiffness and, over that, its strength. */
static Sliders SlidersBegin(const Numbers *x)
{
  const PetscReal share = x->beta + (x->chi + 1.0) / (x->chi + 2.0), phi_max = x->slip_force * (1.0 + x->beta) / (x->joint * share);
  const PetscReal R = x->slip_force * (x->chi + 1.0) / (pow(phi_max, x->chi + 2.0) * share), S = x->slip_force / phi_max * x->beta / share;
  Sliders         sliders;

  for (PetscInt i = 0; i < NUM_SLIDERS; i++) {
    const PetscReal low = phi_max * (PetscReal)i / NUM_SLIDERS, high = phi_max * (PetscReal)(i + 1) / NUM_SLIDERS;

    sliders.stiffness[i] = R * (pow(high, x->chi + 1.0) - pow(low, x->chi + 1.0)) / (x->chi + 1.0);
    sliders.reach[i]     = R * (pow(high, x->chi + 2.0) - pow(low, x->chi + 2.0)) / (x->chi + 2.0) / sliders.stiffness[i];
    sliders.position[i]  = 0.0;
  }
  sliders.stiffness[NUM_SLIDERS] = S;
  sliders.reach[NUM_SLIDERS]     = phi_max;
  sliders.position[NUM_SLIDERS]  = 0.0;
  return sliders;
}

static PetscReal SlidersForce(const Sliders *sliders, PetscReal d, PetscReal *tangent)
{
  PetscReal force = 0.0;

  *tangent = 0.0;
  for (PetscInt i = 0; i <= NUM_SLIDERS; i++) {
    const PetscReal stretch = d - sliders->position[i];

    if (fabs(stretch) <= sliders->reach[i]) *tangent += sliders->stiffness[i];
    force += sliders->stiffness[i] * fmax(-sliders->reach[i], fmin(sliders->reach[i], stretch));
  }
  return force;
}

static void SlidersCommit(Sliders *sliders, PetscReal d)
{
  for (PetscInt i = 0; i <= NUM_SLIDERS; i++) sliders->position[i] = fmax(d - sliders->reach[i], fmin(d + sliders->reach[i], sliders->position[i]));
}

typedef struct {
  Dense     dense;
  Sliders   joints[NUM_JOINTS];
  PetscReal u[NUM_MASSES], v[NUM_MASSES], a[NUM_MASSES];
} Textbook;

static Textbook TextbookBegin(void)
{
  Textbook  book = {.dense = {.n = NUM_MASSES}};
  PetscReal stuck[NUM_MASSES * NUM_MASSES];

  for (PetscInt i = 0; i < NUM_MASSES; i++) {
    book.dense.M[i * NUM_MASSES + i] = numbers.mass;
    DenseConnect(NUM_MASSES, book.dense.K, i - 1, i, numbers.spring);
  }
  for (PetscInt i = 0; i < NUM_MASSES * NUM_MASSES; i++) stuck[i] = book.dense.K[i];
  for (PetscInt j = 0; j < NUM_JOINTS; j++) {
    DenseConnect(NUM_MASSES, stuck, joined[j], joined[j] + 1, numbers.joint);
    book.joints[j] = SlidersBegin(&numbers);
  }
  DenseAddModalDamping(&book.dense, stuck, 1, &numbers.ratio);
  return book;
}

/* The residual p - M a - C v - K u - B^T f and its tangent with respect to u at the end of a step. */
static void TextbookResidual(const Textbook *book, const PetscReal load[], PetscReal residual[], PetscReal tangent[])
{
  const PetscReal h = numbers.time_step;

  for (PetscInt i = 0; i < NUM_MASSES; i++) residual[i] = load[i];
  for (PetscInt i = 0; i < NUM_MASSES * NUM_MASSES; i++)
    tangent[i] = 4.0 / (h * h) * book->dense.M[i] + 2.0 / h * book->dense.C[i] + book->dense.K[i];
  DenseAddProduct(NUM_MASSES, -1.0, book->dense.M, book->a, residual);
  DenseAddProduct(NUM_MASSES, -1.0, book->dense.C, book->v, residual);
  DenseAddProduct(NUM_MASSES, -1.0, book->dense.K, book->u, residual);
  for (PetscInt j = 0; j < NUM_JOINTS; j++) {
    const PetscInt  i = joined[j];
    PetscReal       slope;
    const PetscReal force = SlidersForce(&book->joints[j], book->u[i + 1] - book->u[i], &slope);

    residual[i] += force;
    residual[i + 1] -= force;
    DenseConnect(NUM_MASSES, tangent, i, i + 1, slope);
  }
}

/* Average acceleration; Newton until nothing is left but round-off. */
static void TextbookStep(Textbook *book, const PetscReal load[])
{
  const PetscReal h = numbers.time_step;
  PetscReal       residual[NUM_MASSES], tangent[NUM_MASSES * NUM_MASSES], last = PETSC_INFINITY;

  for (PetscInt i = 0; i < NUM_MASSES; i++) {
    const PetscReal v = book->v[i], a = book->a[i];

    book->u[i] += h * v + 0.25 * h * h * a;
    book->v[i] = v + 0.5 * h * a;
    book->a[i] = 0.0;
  }
  for (PetscInt iteration = 0; iteration < 50; iteration++) {
    PetscReal size;

    TextbookResidual(book, load, residual, tangent);
    size = Largest(NUM_MASSES, residual);
    if (size < 1e-8 && size > 0.5 * last) break;
    last = size;
    DenseSolve(NUM_MASSES, tangent, residual);
    for (PetscInt i = 0; i < NUM_MASSES; i++) {
      book->u[i] += residual[i];
      book->v[i] += 2.0 / h * residual[i];
      book->a[i] += 4.0 / (h * h) * residual[i];
    }
  }
  for (PetscInt j = 0; j < NUM_JOINTS; j++) SlidersCommit(&book->joints[j], book->u[joined[j] + 1] - book->u[joined[j]]);
}

static Motion ChainBegin(const Load *load)
{
  const PetscReal parameters[] = {numbers.slip_force, numbers.joint, numbers.chi, numbers.beta, NUM_SLIDERS};
  System         *system       = SystemNew(NUM_MASSES);

  for (PetscInt i = 0; i < NUM_MASSES; i++) {
    assert_ok(SystemAddMass(system, i, i, numbers.mass));
    AddSpring(system, i - 1, i, numbers.spring);
  }
  for (PetscInt j = 0; j < NUM_JOINTS; j++) AddJoint(system, JointLawFind("iwan4"), parameters, joined[j], joined[j] + 1);
  assert_ok(SystemSetDamping(system, 1, &numbers.ratio, 0.0, 0.0));
  assert_ok(SystemSetUp(system));
  return MotionBegin(system, AverageAcceleration(numbers.time_step), 1, load, (InitialMotion){NULL, NULL});
}

/* Hit hard enough for full slip, then 0.1 s of ring-down: 2000 steps. */
static void the_textbook_gives_the_same_motion(void **state)
{
  const Load load = {
    .place = LOAD_ON_POINT, .motion = HIT, .amplitude = numbers.force, .signal = {.kind = SIGNAL_HALF_SINE, .duration = numbers.duration}};
  Motion    motion   = ChainBegin(&load);
  Textbook  book     = TextbookBegin();
  PetscReal worst[3] = {0.0}, size[3] = {0.0}, most_force = 0.0;

  (void)state;
  for (PetscInt step = 1; step <= 2000; step++) {
    const PetscReal time               = numbers.time_step * (PetscReal)step;
    PetscReal       forces[NUM_MASSES] = {0.0}, x[3][NUM_MASSES];

    forces[HIT] = time < numbers.duration ? numbers.force * sin(PETSC_PI * time / numbers.duration) : 0.0;
    TextbookStep(&book, forces);
    MotionStep(&motion, 1);
    MotionAll(&motion, motion.state->u, x[0]);
    MotionAll(&motion, motion.state->v, x[1]);
    MotionAll(&motion, motion.state->a, x[2]);
    for (PetscInt i = 0; i < NUM_MASSES; i++) {
      const PetscReal expected[] = {book.u[i], book.v[i], book.a[i]};

      for (PetscInt c = 0; c < 3; c++) {
        worst[c] = fmax(worst[c], fabs(x[c][i] - expected[c]));
        size[c]  = fmax(size[c], fabs(expected[c]));
      }
    }
    for (PetscInt j = 0; j < NUM_JOINTS; j++) most_force = fmax(most_force, fabs(StepperJointForce(motion.stepper, motion.state, j)));
  }
  assert_close(most_force, numbers.slip_force, 1e-12);
  assert_near(worst[0], 0, 1e-9 * size[0]);
  assert_near(worst[1], 0, 1e-9 * size[1]);
  assert_near(worst[2], 0, 1e-9 * size[2]);
  MotionEnd(&motion);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(the_textbook_gives_the_same_motion),
};

CHECK_MAIN_WITH_SLEPC(tests)
