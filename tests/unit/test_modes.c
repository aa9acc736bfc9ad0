/* test_modes.c - modes against the three-mass system's table and closed forms of chains, dense and iterated, the same on all ranks. [ranks: 1 2 3] */
#include "scratch.h"
#include "../verify/motion.h"

/* Section 3.1 of lacayo2017. */
static System *BuildThreeMasses(void)
{
  const PetscReal iwan[] = {10.0, 1.0, -0.5, 5.0, 0.0};
  System         *system = SystemNew(3);

  for (PetscInt i = 0; i < 3; i++) {
    assert_ok(SystemAddMass(system, i, i, 10.0));
    AddSpring(system, i - 1, i, 9.0);
  }
  AddJoint(system, JointLawFind("iwan4"), iwan, 1, 2);
  assert_ok(SystemSetUp(system));
  return system;
}

/* n equal masses in a line, held at the lower end or free. */
static System *BuildChain(PetscInt n, PetscReal mass, PetscReal stiffness, PetscBool held)
{
  System *system = SystemNew(n);

  for (PetscInt i = 0; i < n; i++) {
    assert_ok(SystemAddMass(system, i, i, mass));
    if (i > 0 || held) AddSpring(system, i - 1, i, stiffness);
  }
  assert_ok(SystemSetUp(system));
  return system;
}

/* omega_k = 2 sqrt(k/m) sin(angle_k / 2) with angle_k = (2k - 1) pi / (2n + 1) held, (k - 1) pi / n free, k from 1. */
static PetscReal ChainAngle(PetscInt n, PetscBool held, PetscInt k)
{
  return held ? PETSC_PI * (2.0 * (PetscReal)k - 1.0) / (2.0 * (PetscReal)n + 1.0) : PETSC_PI * ((PetscReal)k - 1.0) / (PetscReal)n;
}

/* The exact shape, up to a sign that makes the component of largest magnitude positive. */
static void CheckChainShape(const Modes *modes, PetscInt k, PetscReal mass, PetscBool held, PetscReal tolerance)
{
  const PetscInt  n     = modes->num_unknowns;
  const PetscReal angle = ChainAngle(n, held, k), *const shape = modes->shape + (k - 1) * n;
  PetscReal modal_mass = 0.0, most = 0.0, computed = 0.0, sign;

  for (PetscInt i = 0; i < n; i++) {
    const PetscReal exact = held ? sin(angle * (PetscReal)(i + 1)) : cos(angle * ((PetscReal)i + 0.5));

    modal_mass += mass * exact * exact;
    computed += shape[i] * exact;
  }
  sign = computed < 0.0 ? -1.0 : 1.0;
  for (PetscInt i = 0; i < n; i++) {
    const PetscReal exact = held ? sin(angle * (PetscReal)(i + 1)) : cos(angle * ((PetscReal)i + 0.5));

    assert_near(shape[i], sign * exact / sqrt(modal_mass), tolerance / sqrt(modal_mass));
    if (fabs(shape[i]) > fabs(most) * (1.0 + 1e-6)) most = shape[i]; /* of equal ones the first */
  }
  assert_true(most > 0.0);
}

static void CheckChain(PetscInt n, PetscBool held, PetscInt count, PetscReal tolerance, PetscReal shape_tolerance)
{
  const PetscReal mass = 0.5, stiffness = 800.0;
  System         *system = BuildChain(n, mass, stiffness, held);
  Modes          *modes;

  assert_ok(ModesCompute(system, JOINT_STUCK, count, &modes));
  assert_int_equal(modes->count, count);
  assert_int_equal(modes->num_rigid, held ? 0 : 1);
  for (PetscInt k = 1; k <= count; k++) {
    const PetscReal omega = 2.0 * sqrt(stiffness / mass) * sin(0.5 * ChainAngle(n, held, k));

    if (k == 1 && !held) assert_near(modes->omega[0], 0.0, 0.0);
    else assert_close(modes->omega[k - 1], omega, tolerance);
    assert_near(modes->eigenvalue[k - 1], modes->omega[k - 1] * modes->omega[k - 1], 1e-14 * omega * omega);
    CheckChainShape(modes, k, mass, held, shape_tolerance);
  }
  assert_ok(ModesDestroy(&modes));
  assert_ok(SystemDestroy(&system));
}

/* Root of the characteristic polynomial x^3 - 47 x^2 + 531 x - 810 of K_0, eq. 24, x = m omega^2, nearest to x. */
static PetscReal NearestRoot(PetscReal x)
{
  for (PetscInt i = 0; i < 50; i++) x -= (((x - 47.0) * x + 531.0) * x - 810.0) / ((3.0 * x - 94.0) * x + 531.0);
  return x;
}

/* Table 1, every printed digit and sign; its 0.425 was rounded twice, from 0.42447 by way of 0.4245. */
static void the_three_mass_system_has_the_modes_of_its_table(void **state)
{
  const PetscReal omega[] = {0.4245, 1.216, 1.744}, last_digit[] = {1e-4, 1e-3, 1e-3};
  const PetscReal shape[] = {0.1051, 0.1891, 0.2307, 0.2433, 0.0871, -0.1822, -0.1725, 0.2380, -0.1166};
  System         *system  = BuildThreeMasses();
  Modes          *modes;

  (void)state;
  assert_ok(ModesCompute(system, JOINT_STUCK, 3, &modes));
  assert_int_equal(modes->num_rigid, 0);
  for (PetscInt k = 0; k < 3; k++) {
    assert_near(modes->omega[k], omega[k], 0.5 * last_digit[k]);
    assert_close(modes->omega[k], sqrt(NearestRoot(10.0 * omega[k] * omega[k]) / 10.0), 1e-14);
  }
  for (PetscInt i = 0; i < 9; i++) assert_near(modes->shape[i], shape[i], 0.5e-4);
  assert_ok(ModesDestroy(&modes));
  assert_ok(SystemDestroy(&system));
}

/* While the joint slips, K of eq. 24 is that of three equal springs: a chain held at one end. */
static void the_slipping_three_mass_system_is_an_even_chain(void **state)
{
  System *system = BuildThreeMasses();
  Modes  *modes;

  (void)state;
  assert_ok(ModesCompute(system, JOINT_SLIPPING, 3, &modes));
  for (PetscInt k = 1; k <= 3; k++) {
    assert_close(modes->omega[k - 1], 2.0 * sqrt(0.9) * sin(0.5 * ChainAngle(3, PETSC_TRUE, k)), 1e-14);
    CheckChainShape(modes, k, 10.0, PETSC_TRUE, 1e-13);
  }
  assert_ok(ModesDestroy(&modes));
  assert_ok(SystemDestroy(&system));
}

static void chains_have_the_modes_of_their_closed_form(void **state)
{
  (void)state;
  CheckChain(1, PETSC_TRUE, 1, 1e-15, 1e-15);
  CheckChain(2, PETSC_FALSE, 2, 1e-14, 1e-13);
  CheckChain(40, PETSC_TRUE, 40, 1e-12, 1e-11);
  CheckChain(40, PETSC_FALSE, 40, 1e-12, 1e-11);
  CheckChain(40, PETSC_TRUE, 7, 1e-12, 1e-11);
}

/* More unknowns than LAPACK is asked to find all modes of: a few by iterations, all by LAPACK. */
static void long_chains_have_the_modes_of_their_closed_form(void **state)
{
  (void)state;
  CheckChain(1200, PETSC_TRUE, 10, 1e-9, 1e-9);
  CheckChain(1200, PETSC_FALSE, 10, 1e-9, 1e-9);
  CheckChain(500, PETSC_TRUE, 500, 1e-11, 1e-10);
  CheckChain(500, PETSC_FALSE, 500, 1e-11, 1e-10);
}

/* A chain of repeating masses and springs has hundreds of nearly equal modes. */
static void nearly_multiple_modes_are_orthonormal(void **state)
{
  enum { N = 600 };
  System   *system = SystemNew(N);
  Modes    *modes;
  PetscReal mass[N], worst = 0.0;

  (void)state;
  for (PetscInt i = 0; i < N; i++) {
    mass[i] = 1.0 + 0.3 * (PetscReal)(i * 7 % 5);
    assert_ok(SystemAddMass(system, i, i, mass[i]));
    AddSpring(system, i - 1, i, 1000.0 * (PetscReal)(1 + i % 3));
  }
  assert_ok(SystemSetUp(system));
  assert_ok(ModesCompute(system, JOINT_STUCK, N, &modes));
  for (PetscInt k = 0; k < N; k++)
    for (PetscInt l = 0; l <= k; l++) {
      PetscReal product = k == l ? -1.0 : 0.0;

      for (PetscInt i = 0; i < N; i++) product += modes->shape[k * N + i] * mass[i] * modes->shape[l * N + i];
      worst = fmax(worst, fabs(product));
    }
  assert_near(worst, 0.0, 1e-13);
  assert_ok(ModesDestroy(&modes));
  assert_ok(SystemDestroy(&system));
}

/* x^2 - sum x + product = 0 without cancellation, for roots far apart. */
static void Roots(PetscReal sum, PetscReal product, PetscReal root[2])
{
  root[1] = 0.5 * (sum + sqrt(sum * sum - 4.0 * product));
  root[0] = product / root[1];
}

static void CheckOrthonormal(const System *system, const Modes *modes)
{
  const PetscInt n = modes->num_unknowns;
  PetscReal      M[9];

  assert_true(n <= 3);
  MatrixGet(system->M, n, n, M);
  for (PetscInt k = 0; k < n; k++)
    for (PetscInt l = 0; l < n; l++) {
      PetscReal product = 0.0;

      for (PetscInt i = 0; i < n; i++) product += modes->shape[k * n + i] * M[i * n + i] * modes->shape[l * n + i];
      assert_near(product, k == l ? 1.0 : 0.0, 1e-14);
    }
}

/* Ground, a stiff spring, a light mass, a soft spring, 1 kg: K x = lambda M x in its first row is x_a / x_b = soft / (stiff + soft - lambda m). */
static void CheckLightMass(PetscReal light, PetscReal stiff, PetscReal soft)
{
  System   *system = SystemNew(2);
  Modes    *modes;
  PetscReal root[2];

  assert_ok(SystemAddMass(system, 0, 0, light));
  assert_ok(SystemAddMass(system, 1, 1, 1.0));
  AddSpring(system, GROUND, 0, stiff);
  AddSpring(system, 0, 1, soft);
  assert_ok(SystemSetUp(system));
  assert_ok(ModesCompute(system, JOINT_STUCK, 2, &modes));
  Roots((stiff + soft) / light + soft, stiff * soft / light, root);
  assert_int_equal(modes->num_rigid, 0);
  for (PetscInt k = 0; k < 2; k++) assert_close(modes->eigenvalue[k], root[k], 1e-14);
  assert_close(modes->shape[0] / modes->shape[1], soft / (stiff + soft - root[0] * light), 1e-14);
  CheckOrthonormal(system, modes);
  assert_ok(ModesDestroy(&modes));
  assert_ok(SystemDestroy(&system));
}

/* The largest lambda is up to 1e20 times the lowest, in whose shape the light mass moves down to 1e-8 of the other. */
static void a_light_mass_leaves_the_low_modes_as_they_are(void **state)
{
  (void)state;
  for (PetscReal light = 1.0; light > 0.5e-12; light *= 1e-3)
    for (PetscReal ratio = 1.0; ratio <= 1e8; ratio *= 100.0) CheckLightMass(light, 1e4 * ratio, 1e4);
  CheckLightMass(1e-6, 1e10, 1e4);
}

/* 1 kg, a stiff spring, a light mass, a soft spring, 2 kg, all free. */
static void CheckFreeLightMass(PetscReal light, PetscReal stiff, PetscReal soft)
{
  System         *system    = SystemNew(3);
  const PetscReal round_off = 8.0 * PETSC_MACHINE_EPSILON * stiff / soft; /* of the sums of springs in K */
  Modes          *modes;
  PetscReal       root[2];

  assert_ok(SystemAddMass(system, 0, 0, 1.0));
  assert_ok(SystemAddMass(system, 1, 1, light));
  assert_ok(SystemAddMass(system, 2, 2, 2.0));
  AddSpring(system, 0, 1, stiff);
  AddSpring(system, 1, 2, soft);
  assert_ok(SystemSetUp(system));
  assert_ok(ModesCompute(system, JOINT_STUCK, 3, &modes));
  Roots(stiff * (1.0 + 1.0 / light) + soft * (1.0 / light + 0.5), stiff * soft * (3.0 + light) / (2.0 * light), root);
  assert_int_equal(modes->num_rigid, 1);
  assert_near(modes->eigenvalue[0], 0.0, 0.0);
  assert_close(modes->eigenvalue[1], root[0], 1e-14 + round_off);
  assert_close(modes->eigenvalue[2], root[1], 1e-14);
  for (PetscInt i = 0; i < 3; i++) assert_close(modes->shape[i], 1.0 / sqrt(3.0 + light), 1e-14 + round_off);
  assert_close(modes->shape[3 + 1] / modes->shape[3], 1.0 - root[0] / stiff, 1e-14 + round_off);
  CheckOrthonormal(system, modes);
  assert_ok(ModesDestroy(&modes));
  assert_ok(SystemDestroy(&system));
}

static void a_light_mass_leaves_rigid_modes_rigid_and_no_others(void **state)
{
  (void)state;
  for (PetscReal light = 1.0; light > 0.5e-12; light *= 1e-3)
    for (PetscReal ratio = 1.0; ratio <= 1e8; ratio *= 100.0) CheckFreeLightMass(light, 1e4 * ratio, 1e4);
}

/* A chain of 1 kg with a light mass on stiff springs beside each: the low modes are those of the chain with both masses. Few of
   them by iterations, all by LAPACK. */
static void light_masses_leave_the_low_modes_of_long_chains(void **state)
{
  enum { N = 300, SHOWN = 5 };
  const PetscReal light = 1e-9, soft = 1e4, stiff = 1e8;

  (void)state;
  for (PetscInt held = 0; held <= 1; held++)
    for (PetscInt count = SHOWN; count <= 2 * N; count += 2 * N - SHOWN) {
      System *system = SystemNew(2 * N);
      Modes  *modes;

      for (PetscInt i = 0; i < N; i++) {
        assert_ok(SystemAddMass(system, i, i, 1.0));
        assert_ok(SystemAddMass(system, N + i, N + i, light));
        if (i > 0 || held) AddSpring(system, i - 1, i, soft);
        AddSpring(system, i, N + i, stiff);
      }
      assert_ok(SystemSetUp(system));
      assert_ok(ModesCompute(system, JOINT_STUCK, count, &modes));
      assert_int_equal(modes->count, count);
      assert_int_equal(modes->num_rigid, 1 - held);
      for (PetscInt k = 2 - held; k <= SHOWN; k++) /* round-off of K: 1e8 / (1e4 angle^2) of 1e-16 */
        assert_close(modes->omega[k - 1], 2.0 * sqrt(soft / (1.0 + light)) * sin(0.5 * ChainAngle(N, held, k)), 1e-8);
      assert_ok(ModesDestroy(&modes));
      assert_ok(SystemDestroy(&system));
    }
}

/* 100 N on 1 kg that a spring of 1e4 N/m holds, by way of a light mass: 1 cm (1 - cos omega t). */
static void a_light_mass_leaves_the_motion_of_the_heavy_one(void **state)
{
  const PetscReal rest[] = {0.0, 0.0}, h = 1e-4, omega = 99.99995, numerical = 2.0 / h * atan(0.5 * h * omega); /* of average acceleration */
  System         *system = SystemNew(2);
  Load            push   = {.place = LOAD_ON_POINT, .amplitude = 100.0, .signal = {.kind = SIGNAL_STEP}};
  Motion          motion;
  PetscReal       most = 0.0;

  (void)state;
  assert_ok(SystemAddMass(system, 0, 0, 1e-6));
  assert_ok(SystemAddMass(system, 1, 1, 1.0));
  AddSpring(system, GROUND, 0, 1e10);
  AddSpring(system, 0, 1, 1e4);
  assert_ok(SystemSetUp(system));
  push.motion = NamesFindMotion(&system->names, NamesFindPoint(&system->names, "u1"), 0);
  motion      = MotionBegin(system, AverageAcceleration(h), 1, &push, (InitialMotion){rest, rest});
  for (PetscInt i = 1; i <= 10000; i++) {
    MotionStep(&motion, 1);
    assert_near(MotionAt(&motion, motion.state->u, 1), 0.01 * (1.0 - cos(numerical * h * (PetscReal)i)), 1e-7);
    most = fmax(most, MotionAt(&motion, motion.state->u, 1));
  }
  assert_close(most, 0.02, 1e-6);
  assert_near(MotionImbalance(&motion), 0.0, 1e-12);
  MotionEnd(&motion);
}

/* A chain on springs of 1 N/m to the ground, but for one that pushes away: its mode lies far below those near zero, where
   iterations look. */
static void the_unstable_mode_of_a_long_chain_is_found(void **state)
{
  enum { N = 600, COUNT = 6 };
  const PetscReal ground = -1e4;
  System         *system = SystemNew(N);
  Modes          *modes;

  (void)state;
  for (PetscInt i = 0; i < N; i++) {
    assert_ok(SystemAddMass(system, i, i, 1.0));
    if (i > 0) AddSpring(system, i - 1, i, 100.0);
    AddSpring(system, GROUND, i, i == N / 2 ? ground : 1.0);
  }
  assert_ok(SystemSetUp(system));
  assert_ok(ModesCompute(system, JOINT_STUCK, COUNT, &modes));
  assert_true(modes->eigenvalue[0] < 0.97 * ground && modes->eigenvalue[0] > ground - 200.0);
  for (PetscInt k = 1; k < COUNT; k++) assert_between(modes->eigenvalue[k], 1.0, 2.0);
  assert_ok(ModesDestroy(&modes));
  assert_ok(SystemDestroy(&system));
}

/* Two chains that nothing holds, one mass that nothing holds. */
static void every_free_part_gives_a_rigid_mode(void **state)
{
  System *system = SystemNew(6);
  Modes  *modes;

  (void)state;
  for (PetscInt i = 0; i < 6; i++) assert_ok(SystemAddMass(system, i, i, 1.0 + (PetscReal)i));
  AddSpring(system, 0, 1, 3e7);
  AddSpring(system, 1, 2, 1e4);
  AddSpring(system, 3, 4, 50.0);
  assert_ok(SystemSetUp(system));
  assert_ok(ModesCompute(system, JOINT_STUCK, 6, &modes));
  assert_int_equal(modes->num_rigid, 3);
  for (PetscInt k = 0; k < 3; k++) assert_near(modes->omega[k], 0.0, 0.0);
  assert_close(modes->omega[3], sqrt(50.0 * (1.0 / 4.0 + 1.0 / 5.0)), 1e-14); /* beside springs 6e5 times as stiff */
  assert_ok(ModesDestroy(&modes));
  assert_ok(SystemDestroy(&system));
}

/* A full mass matrix, unevenly distributed. */
static System *BuildUneven(PetscInt n)
{
  System *system = SystemNew(n);

  for (PetscInt i = 0; i < n; i++) {
    for (PetscInt j = 0; j < n; j++) assert_ok(SystemAddMass(system, i, j, 0.3 / (1.0 + (PetscReal)((i - j) * (i - j)))));
    assert_ok(SystemAddMass(system, i, i, 1.0 + sin((PetscReal)i)));
    AddSpring(system, i - 1, i, 100.0 * (1.5 + cos((PetscReal)i)));
  }
  for (PetscInt i = 0; i < n; i++) { /* even unknowns move with x, odd ones with z */
    for (PetscInt j = 0; j < n; j++) {
      const PetscReal mass = 0.3 / (1.0 + (PetscReal)((i - j) * (i - j))) + (i == j ? 1.0 + sin((PetscReal)i) : 0.0);

      assert_ok(SystemAddBase(system, j % 2 ? 2 : 0, i, mass));
      if (i % 2 == j % 2) assert_ok(SystemAddBaseMass(system, j % 2 ? 2 : 0, mass));
    }
  }
  assert_ok(SystemSetUp(system));
  return system;
}

/* x^T A y */
static PetscReal Between(PetscInt n, const PetscReal A[], const PetscReal x[], const PetscReal y[])
{
  PetscReal sum = 0.0;

  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) sum += x[i] * A[i * n + j] * y[j];
  return sum;
}

static void shapes_are_orthonormal_in_the_mass_and_diagonal_in_the_stiffness(void **state)
{
  enum { N = 12 };
  System   *system = BuildUneven(N);
  Modes    *modes;
  PetscReal M[N * N], K[N * N];

  (void)state;
  MatrixGet(system->M, N, N, M);
  MatrixGet(system->K, N, N, K);
  assert_ok(ModesCompute(system, JOINT_STUCK, N, &modes));
  for (PetscInt k = 0; k < N; k++)
    for (PetscInt l = 0; l < N; l++) {
      assert_near(Between(N, M, modes->shape + k * N, modes->shape + l * N), k == l ? 1.0 : 0.0, 1e-13);
      assert_near(Between(N, K, modes->shape + k * N, modes->shape + l * N), k == l ? modes->eigenvalue[k] : 0.0, 1e-13 * modes->eigenvalue[N - 1]);
    }
  assert_ok(ModesDestroy(&modes));
  assert_ok(SystemDestroy(&system));
}

/* Phi^T M r squared and summed over all modes is r^T M r. */
static void effective_masses_sum_to_the_mass_that_moves_with_the_base(void **state)
{
  enum { N = 12 };
  System   *system = BuildUneven(N);
  Modes    *modes;
  PetscReal participation[N * NUM_DIRECTIONS], M[N * N], sums[NUM_DIRECTIONS] = {0.0};

  (void)state;
  MatrixGet(system->M, N, N, M);
  assert_ok(ModesCompute(system, JOINT_STUCK, N, &modes));
  assert_ok(ModesParticipation(system, modes, participation));
  for (PetscInt k = 0; k < N; k++)
    for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) sums[d] += PetscSqr(participation[k * NUM_DIRECTIONS + d]);
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    PetscReal rigid[N];

    for (PetscInt i = 0; i < N; i++) rigid[i] = d == (i % 2 ? 2 : 0) ? 1.0 : 0.0;
    if (d == 0 || d == 2) {
      assert_close(sums[d], Between(N, M, rigid, rigid), 1e-13);
      assert_close(system->base_mass[d], Between(N, M, rigid, rigid), 1e-14);
    } else assert_near(sums[d], 0.0, 0.0);
  }
  assert_ok(ModesDestroy(&modes));
  assert_ok(SystemDestroy(&system));
}

/* Omega^2 = -1 of a unit mass on a spring that pushes away; the log warns, once. */
static void an_unstable_mode_keeps_its_negative_eigenvalue(void **state)
{
  Scratch     *scratch = *state;
  System      *system  = SystemNew(2);
  ModeCache    cache   = {.system = system};
  const Modes *modes;

  assert_ok(SystemAddMass(system, 0, 0, 1.0));
  assert_ok(SystemAddMass(system, 1, 1, 1.0));
  AddSpring(system, GROUND, 0, -1.0);
  AddSpring(system, GROUND, 1, 4.0);
  assert_ok(SystemSetUp(system));
  CaptureBegin(scratch);
  assert_ok(ModeCacheGet(&cache, JOINT_SLIPPING, 1, &modes));
  CaptureEnd(scratch);
  if (RankOf(PETSC_COMM_WORLD) == 0) assert_non_null(strstr(scratch->said, "mode 1 is unstable while the joints are slipping"));
  CaptureBegin(scratch);
  assert_ok(ModeCacheGet(&cache, JOINT_SLIPPING, 2, &modes));
  CaptureEnd(scratch);
  assert_string_equal(scratch->said, "");
  assert_close(modes->eigenvalue[0], -1.0, 1e-14);
  assert_near(modes->omega[0], 0.0, 0.0);
  assert_close(modes->omega[1], 2.0, 1e-14);
  assert_int_equal(modes->num_rigid, 0);
  assert_ok(ModeCacheDestroy(&cache));
  assert_ok(SystemDestroy(&system));
}

static void all_ranks_hold_the_same_modes(void **state)
{
  enum { N = 12 };
  System   *system = BuildUneven(N);
  Modes    *modes;
  PetscReal least[N * N], most[N * N];

  (void)state;
  assert_ok(ModesCompute(system, JOINT_STUCK, N, &modes));
  MPI_Allreduce(modes->shape, least, N * N, MPIU_REAL, MPI_MIN, PETSC_COMM_WORLD);
  MPI_Allreduce(modes->shape, most, N * N, MPIU_REAL, MPI_MAX, PETSC_COMM_WORLD);
  for (PetscInt i = 0; i < N * N; i++) assert_near(least[i], most[i], 0.0);
  MPI_Allreduce(modes->omega, least, N, MPIU_REAL, MPI_MIN, PETSC_COMM_WORLD);
  MPI_Allreduce(modes->omega, most, N, MPIU_REAL, MPI_MAX, PETSC_COMM_WORLD);
  for (PetscInt i = 0; i < N; i++) assert_near(least[i], most[i], 0.0);
  assert_ok(ModesDestroy(&modes));
  assert_ok(SystemDestroy(&system));
}

static void a_subject_keeps_its_modes_until_more_are_asked_for(void **state)
{
  ModeCache    cache  = {.system = NULL};
  System      *system = BuildUneven(5);
  const Modes *some, *fewer, *all;

  (void)state;
  cache.system = system;
  assert_ok(ModeCacheGet(&cache, JOINT_STUCK, 3, &some));
  assert_int_equal(some->count, 3);
  assert_ok(ModeCacheGet(&cache, JOINT_STUCK, 2, &fewer));
  assert_ptr_equal(fewer, some);
  assert_ok(ModeCacheGet(&cache, JOINT_STUCK, 100, &all));
  assert_int_equal(all->count, 5);
  assert_null(cache.modes[JOINT_SLIPPING]);
  assert_ok(ModeCacheDestroy(&cache));
  assert_ok(SystemDestroy(&system));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(the_three_mass_system_has_the_modes_of_its_table),
  cmocka_unit_test(the_slipping_three_mass_system_is_an_even_chain),
  cmocka_unit_test(chains_have_the_modes_of_their_closed_form),
  cmocka_unit_test(long_chains_have_the_modes_of_their_closed_form),
  cmocka_unit_test(nearly_multiple_modes_are_orthonormal),
  cmocka_unit_test(a_light_mass_leaves_the_low_modes_as_they_are),
  cmocka_unit_test(a_light_mass_leaves_rigid_modes_rigid_and_no_others),
  cmocka_unit_test(light_masses_leave_the_low_modes_of_long_chains),
  cmocka_unit_test(a_light_mass_leaves_the_motion_of_the_heavy_one),
  cmocka_unit_test(the_unstable_mode_of_a_long_chain_is_found),
  cmocka_unit_test(every_free_part_gives_a_rigid_mode),
  cmocka_unit_test(shapes_are_orthonormal_in_the_mass_and_diagonal_in_the_stiffness),
  cmocka_unit_test(effective_masses_sum_to_the_mass_that_moves_with_the_base),
  cmocka_unit_test_setup_teardown(an_unstable_mode_keeps_its_negative_eigenvalue, MakeScratch, RemoveScratch),
  cmocka_unit_test(all_ranks_hold_the_same_modes),
  cmocka_unit_test(a_subject_keeps_its_modes_until_more_are_asked_for),
};

CHECK_MAIN_WITH_SLEPC(tests)
