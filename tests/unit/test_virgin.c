/* test_virgin.c - virgin curves of modes: side by side the same, to the last bit, as alone; and in equilibrium, by the laws themselves. */
#include "harmonic/virgin.h"
#include "march/linear.h"
#include "verify/motion.h"

enum { MASSES = 6, MODES = 3, VARIANTS = 6, MOST = MODES * VARIANTS, AMPLITUDES = 25, MOST_LAWS = 4, MOST_JOINTS = 28 };

/* Joints between the masses of a chain and from them to the ground, their laws in turn. */
typedef struct {
  PetscInt    num_joints, num_laws;
  const char *law[MOST_LAWS];
  PetscReal   parameters[MOST_LAWS][JOINT_MAX_PARAMETERS];
} Joints;

static const Joints iwan    = {4, 2, {"iwan4", "iwan4"}, {{3.0, 5e4, -0.4, 0.6}, {2.0, 4e4, -0.7, 0.2}}};
static const Joints jenkins = {6, 3, {"jenkins", "iwan4", "jenkins"}, {{5e4, 2.0}, {3.0, 5e4, -0.4, 0.6, 12}, {3e6, 40.0}}};
static const Joints others  = {5, 2, {"ramberg_osgood", "mindlin"}, {{0}, {0}}};
static const Joints elastic = {5, 2, {"cubic", "gap"}, {{1e3, 4e12}, {3e6, 1e-5, 2}}};
static const Joints one     = {1, 1, {"jenkins"}, {{5e4, 2.0}}};
static const Joints many    = {MOST_JOINTS, 2, {"iwan4", "jenkins"}, {{3.0, 5e4, -0.4, 0.6}, {5e4, 2.0}}};

/* Those given, or the law's first sample; of each variant another stiffness. */
static void Parameters(const Joints *joints, PetscInt law, PetscInt variant, PetscReal parameters[])
{
  const PetscReal *const given = joints->parameters[law], *const sample = JointLawFind(joints->law[law])->samples[0].parameters;

  for (PetscInt i = 0; i < JOINT_MAX_PARAMETERS; i++) parameters[i] = given[0] > 0.0 ? given[i] : sample[i];
  parameters[0] *= 1.0 + 0.1 * (PetscReal)variant;
}

typedef struct {
  System            *system;
  ModeCache          cache;
  HarmonicStructure *structure;
} Chain;

static Chain ChainOpen(const Joints *joints, PetscInt variant)
{
  Chain           chain = {.system = SystemNew(MASSES)};
  const PetscReal ratio = 1e-3;

  for (PetscInt i = 0; i < MASSES; i++) {
    assert_ok(SystemAddMass(chain.system, i, i, 1.0 + 0.02 * (PetscReal)(variant * i)));
    AddSpring(chain.system, i - 1, i, 2e4);
  }
  for (PetscInt j = 0; j < joints->num_joints; j++) {
    PetscReal parameters[JOINT_MAX_PARAMETERS];

    Parameters(joints, j % joints->num_laws, variant, parameters);
    AddJoint(chain.system, JointLawFind(joints->law[j % joints->num_laws]), parameters, j % 3 ? j % MASSES - 1 : GROUND, j % MASSES);
  }
  assert_ok(SystemSetDamping(chain.system, 1, &ratio, 0.0, 0.0));
  assert_ok(SystemSetUp(chain.system));
  chain.cache = (ModeCache){.system = chain.system};
  assert_ok(LinearPrepare(&chain.cache));
  assert_ok(HarmonicStructureCreate(&chain.cache, 0, NULL, &chain.structure));
  return chain;
}

static void ChainClose(Chain *chain)
{
  assert_ok(HarmonicStructureDestroy(&chain->structure));
  assert_ok(ModeCacheDestroy(&chain->cache));
  assert_ok(SystemDestroy(&chain->system));
}

/* From microslip to full slip; the range of each mode and variant is another one, so that lanes become idle one by one. */
static Virgin *VirginOf(const Chain *chain, PetscInt i)
{
  PetscReal q[AMPLITUDES];
  Virgin   *virgin;

  for (PetscInt a = 0; a < AMPLITUDES; a++) q[a] = 1e-7 * pow(10.0, (4.0 + 0.1 * (PetscReal)i) * (PetscReal)a / (PetscReal)(AMPLITUDES - 1));
  assert_ok(VirginCreate(chain->structure, i % MODES, AMPLITUDES, q, &virgin));
  return virgin;
}

static void CompareBits(const Virgin *virgin, const Virgin *alone, PetscInt m)
{
  assert_int_equal(VirginReached(virgin), AMPLITUDES);
  assert_int_equal(VirginReached(alone), AMPLITUDES);
  for (PetscInt a = 0; a < AMPLITUDES; a++) {
    PetscReal omega[2], zeta[2];

    VirginLoop(virgin, a, &omega[0], &zeta[0]);
    VirginLoop(alone, a, &omega[1], &zeta[1]);
    assert_true(omega[0] == omega[1] && zeta[0] == zeta[1]);
    assert_int_equal(VirginIterations(virgin, a), VirginIterations(alone, a));
    for (PetscInt r = 0; r < m; r++) assert_true(VirginRemainder(virgin, a)[r] == VirginRemainder(alone, a)[r]);
  }
}

/* d = b_0 q - H g by the modes, and the force of each law, asked for it untouched, less what it would be stuck: g again. */
static void CheckEquilibrium(const Chain *chain, PetscInt mode, const Virgin *virgin, PetscInt a)
{
  const HarmonicStructure *const s = chain->structure;
  const PetscReal *const         g = VirginRemainder(virgin, a);
  PetscReal                      d[MOST_JOINTS], left[MOST_JOINTS] = {0.0}, largest = 0.0, force, stiffness, stuck;

  for (PetscInt r = 0; r < s->m; r++) d[r] = s->map[r * s->n + mode] * VirginAmplitude(virgin, a);
  for (PetscInt j = 0; j < s->n; j++) {
    PetscReal pushed = 0.0;

    for (PetscInt r = 0; r < s->m && j != mode; r++) pushed += s->map[r * s->n + j] * g[r];
    for (PetscInt r = 0; r < s->m; r++) d[r] -= s->map[r * s->n + j] * pushed / s->eigenvalue[j];
  }
  for (PetscInt b = 0; b < chain->system->num_blocks; b++) {
    const SystemBlock *const block = &chain->system->blocks[b];

    for (PetscInt i = 0; i < block->block.num_points; i++) {
      const JointBlock point  = JointBlockPoint(&block->block, i);
      JointForce       result = {&force, &stiffness, NULL, NULL};
      JointHistory     history;

      assert_ok(JointHistoryCreate(&point, &history));
      point.law->evaluate(&point, &history, &(JointMotion){&d[block->row[i]], NULL}, &result);
      assert_ok(JointHistoryDestroy(&history));
      SystemBlockStiffness(block, JOINT_STUCK, i, &stuck);
      left[block->row[i]] += force - stuck * d[block->row[i]] - g[block->row[i]];
      largest = PetscMax(largest, PetscMax(stuck, PetscAbsReal(stiffness)) * PetscAbsReal(d[block->row[i]]));
    }
  }
  /* what is left of an equilibrium is 1e-11 of the motions, times a joint's stiffness: measured 1.6e-11 at most of the largest */
  for (PetscInt r = 0; r < s->m; r++) assert_true(PetscAbsReal(left[r]) <= 1e-10 * largest);
}

static void Compare(const Joints *joints)
{
  Chain   chain[VARIANTS];
  Virgin *alone[MOST], *beside[MOST];

  for (PetscInt v = 0; v < VARIANTS; v++) chain[v] = ChainOpen(joints, v);
  for (PetscInt i = 0; i < MOST; i++) {
    alone[i]  = VirginOf(&chain[i / MODES], i);
    beside[i] = VirginOf(&chain[i / MODES], i);
  }
  assert_ok(VirginsFollow(MOST, alone, PETSC_FALSE));
  assert_ok(VirginsFollow(MOST, beside, PETSC_TRUE));
  for (PetscInt i = 0; i < MOST; i++) {
    CompareBits(beside[i], alone[i], joints->num_joints);
    for (PetscInt a = 0; a < AMPLITUDES; a++) CheckEquilibrium(&chain[i / MODES], i % MODES, alone[i], a);
    assert_ok(VirginDestroy(&alone[i]));
    assert_ok(VirginDestroy(&beside[i]));
  }
  for (PetscInt v = 0; v < VARIANTS; v++) ChainClose(&chain[v]);
}

static void curves_side_by_side_are_those_of_one_alone(void **state)
{
  (void)state;
  Compare(&iwan);
  Compare(&jenkins);
  Compare(&one);
}

static void laws_without_a_corner_are_too(void **state)
{
  (void)state;
  Compare(&others);
}

static void elastic_joints_are_too(void **state)
{
  (void)state;
  Compare(&elastic);
}

/* More rows than lanes take: LAPACK. */
static void many_joints_are_in_equilibrium(void **state)
{
  (void)state;
  Compare(&many);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(curves_side_by_side_are_those_of_one_alone),
  cmocka_unit_test(laws_without_a_corner_are_too),
  cmocka_unit_test(elastic_joints_are_too),
  cmocka_unit_test(many_joints_are_in_equilibrium),
};

CHECK_MAIN_WITH_SLEPC(tests)
