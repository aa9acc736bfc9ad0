/* test_no_allocation.c - a step allocates nothing: this program counts every allocation of its thread, whichever library asks for it. */
#include "unit/scratch.h"
#include <errno.h>
#include "jointed.h"
#include "../../src/march/newmark.h"
#include "record/watch.h"

#if defined(__SANITIZE_ADDRESS__)
  #define COUNTS 0 /* the sanitizer has allocators of its own */
#elif defined(__has_feature)
  #if __has_feature(address_sanitizer)
    #define COUNTS 0
  #else
    #define COUNTS 1
  #endif
#else
  #define COUNTS 1
#endif

static _Thread_local PetscInt64 num_allocations;

#if COUNTS
/* The names under which the C library keeps its own. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void *memalign(size_t alignment, size_t size);

__attribute__((used)) void *malloc(size_t size)
{
  num_allocations++;
  return __libc_malloc(size);
}

__attribute__((used)) void *calloc(size_t count, size_t size)
{
  num_allocations++;
  return __libc_calloc(count, size);
}

__attribute__((used)) void *realloc(void *old, size_t size)
{
  num_allocations++;
  return __libc_realloc(old, size);
}

__attribute__((used)) void *memalign(size_t alignment, size_t size)
{
  num_allocations++;
  return __libc_memalign(alignment, size);
}

__attribute__((used)) void *aligned_alloc(size_t alignment, size_t size)
{
  num_allocations++;
  return __libc_memalign(alignment, size);
}

__attribute__((used)) int posix_memalign(void **place, size_t alignment, size_t size)
{
  num_allocations++;
  *place = __libc_memalign(alignment, size);
  return *place ? 0 : ENOMEM;
}
#endif

/* Without a count the rest of a test still runs. */
static void CheckAllocations(PetscInt64 actual, PetscInt64 expected)
{
  if (COUNTS) assert_int_equal(actual, expected);
}

static PetscInt64 AllocationsOf(Motion *motion, PetscInt steps)
{
  const PetscInt64 before = num_allocations;

  MotionStep(motion, steps);
  return num_allocations - before;
}

static void allocations_of_ours_and_of_libraries_are_counted(void **state)
{
  PetscInt64 before = num_allocations;
  PetscReal *numbers;
  Vec        vector;

  (void)state;
  if (!COUNTS) skip();
  assert_ok(PetscMalloc1(100, &numbers));
  assert_int_equal(num_allocations, before + 1);
  assert_ok(PetscFree(numbers));
  before = num_allocations;
  assert_ok(VecCreateSeq(PETSC_COMM_SELF, 100, &vector));
  assert_true(num_allocations > before + 1);
  assert_ok(VecDestroy(&vector));
}

enum { NUM_MASSES = 49 };

/* 49 masses in a line with four Iwan joints beside springs. */
static System *BuildChain(PetscBool factored)
{
  const PetscReal iwan[] = {30.0, 5e5, -0.3, 0.5, 0.0}, ratio = 1e-2;
  System         *system = SystemNew(NUM_MASSES);

  for (PetscInt i = 0; i < NUM_MASSES; i++) {
    assert_ok(SystemAddMass(system, i, i, 1.0));
    AddSpring(system, i - 1, i, 1e6);
  }
  for (PetscInt i = 9; i < 40; i += 10) AddJoint(system, JointLawFind("iwan4"), iwan, i, i + 1);
  assert_ok(SystemSetDamping(system, 1, &ratio, 0.0, 0.0));
  if (factored) ForbidModal(system);
  assert_ok(SystemSetUp(system));
  return system;
}

/* The same with a joint between all neighbours. */
static System *BuildJointedChain(void)
{
  const PetscReal iwan[] = {30.0, 5e5, -0.3, 0.5, 0.0};
  System         *system = SystemNew(NUM_MASSES);

  for (PetscInt i = 0; i < NUM_MASSES; i++) {
    assert_ok(SystemAddMass(system, i, i, 1.0));
    AddSpring(system, i - 1, i, 1e6);
    AddJoint(system, JointLawFind("iwan4"), iwan, i - 1, i);
  }
  assert_ok(SystemSetUp(system));
  return system;
}

static const Load shaker = {.place = LOAD_ON_POINT, .motion = 24, .amplitude = 5.0, .signal = {.kind = SIGNAL_HARMONIC, .frequency = 60.0}};

static void CheckChain(PetscBool factored, StepperOptions options)
{
  Motion motion = MotionBegin(BuildChain(factored), options, 1, &shaker, (InitialMotion){NULL, NULL});

  MotionStep(&motion, 100);
  CheckAllocations(AllocationsOf(&motion, 1900), 0);
  assert_true(motion.state->dissipated[0] > 0.0);
  MotionEnd(&motion);
}

static void steps_in_modal_coordinates_allocate_nothing(void **state)
{
  (void)state;
  CheckChain(PETSC_FALSE, AverageAcceleration(5e-5));
  CheckChain(PETSC_FALSE, RungeKutta(5e-5));
}

static void factored_steps_allocate_nothing(void **state)
{
  (void)state;
  CheckChain(PETSC_TRUE, AverageAcceleration(5e-5));
  CheckChain(PETSC_TRUE, RungeKutta(5e-5));
}

static void steps_on_sparse_matrices_allocate_nothing(void **state)
{
  Motion motion;

  (void)state;
  assert_ok(PetscOptionsSetValue(NULL, "-sparse_joints", "yes"));
  motion = MotionBegin(BuildJointedChain(), AverageAcceleration(5e-5), 1, &shaker, (InitialMotion){NULL, NULL});
  assert_ok(PetscOptionsClearValue(NULL, "-sparse_joints"));
  assert_true(motion.stepper->linear->sparse);
  MotionStep(&motion, 100);
  CheckAllocations(AllocationsOf(&motion, 900), 0);
  assert_true(motion.state->dissipated[0] > 0.0);
  MotionEnd(&motion);
}

static void steps_with_every_law_allocate_nothing(void **state)
{
  uint64_t seed = 3;

  (void)state;
  for (PetscInt i = 0; i < 10; i++) {
    const Jointed jointed = JointedDraw(i < 5 ? 7 : JOINTED_MAX_ELEMENTS, PETSC_FALSE, &seed);
    Motion        motion =
      MotionBegin(JointedBuild(&jointed, i % 2), HilberHughesTaylor(-0.05, 0.05), JOINTED_NUM_LOADS, jointed.loads, (InitialMotion){NULL, NULL});

    MotionStep(&motion, 1);
    CheckAllocations(AllocationsOf(&motion, 400), 0);
    assert_int_equal(motion.state->halved, 0);
    MotionEnd(&motion);
  }
}

/* A step size is made when it is first needed, and kept. */
static void halved_steps_allocate_only_for_new_step_sizes(void **state)
{
  const PetscReal law[] = {0.0, 50.0}, start = 1.0;
  StepperOptions  options = AverageAcceleration(0.5);
  System         *system  = SystemNew(1);
  Motion          motion;

  (void)state;
  options.max_iterations = 4;
  assert_ok(SystemAddMass(system, 0, 0, 1.0));
  AddJoint(system, JointLawFind("cubic"), law, GROUND, 0);
  assert_ok(SystemSetUp(system));
  motion = MotionBegin(system, options, 0, NULL, (InitialMotion){&start, NULL});
  for (PetscInt i = 0; i < 500; i++) {
    const PetscInt   levels      = ((Newmark *)motion.stepper->data)->num_levels;
    const PetscInt64 allocations = AllocationsOf(&motion, 1);

    if (((Newmark *)motion.stepper->data)->num_levels == levels) CheckAllocations(allocations, 0);
    else if (COUNTS) assert_true(allocations > 0);
  }
  assert_true(motion.state->halved > 100);
  MotionEnd(&motion);
}

/* Each half cycle of a decaying motion is remembered; the memory doubles when it is full. */
static void the_memory_of_a_ring_down_grows_by_doubling(void **state)
{
  const PetscReal iwan[] = {1.0, 1.0, -0.5, 0.5, 0.0}, start = 1.0;
  System         *system = SystemNew(1);
  Motion          motion;
  PetscInt        first_capacity, capacity;
  PetscInt64      allocations;

  (void)state;
  assert_ok(SystemAddMass(system, 0, 0, 1.0));
  AddSpring(system, GROUND, 0, 1.0);
  AddJoint(system, JointLawFind("iwan4"), iwan, GROUND, 0);
  assert_ok(SystemSetUp(system));
  motion         = MotionBegin(system, AverageAcceleration(0.1), 0, NULL, (InitialMotion){&start, NULL});
  first_capacity = motion.state->history[0].turning[0].capacity;
  MotionStep(&motion, 10);
  allocations = AllocationsOf(&motion, 50000);
  capacity    = motion.state->history[0].turning[0].capacity;
  assert_true(motion.state->history[0].turning[0].count > 1000);
  assert_true(capacity < 2 * motion.state->history[0].turning[0].count);
  CheckAllocations(allocations, lround(log2((double)(capacity / first_capacity))));
  MotionEnd(&motion);
}

/* A flush is due when the buffers are full or a second is over: steps with one are not judged. */
static void samples_allocate_nothing_between_flushes(void **state)
{
  const Scratch *scratch = *state;
  char           path[SCRATCH_LENGTH];
  const Watch    watch      = {.every      = 1,
                               .num_points = 2,
                               .points     = (PetscInt[]){0, 24},
                               .num_modes  = 3,
                               .modes      = (PetscInt[]){0, 1, 5},
                               .num_rows   = 4,
                               .sizes      = (PetscInt[]){1, 1, 1, 1},
                               .rows       = (PetscInt[]){0, 1, 2, 3},
                               .energy     = PETSC_TRUE};
  Motion         motion     = MotionBegin(BuildChain(PETSC_FALSE), AverageAcceleration(5e-5), 1, &shaker, (InitialMotion){NULL, NULL});
  PetscInt       num_judged = 0;
  Recorder       recorder;
  Findings      *findings;
  Result        *result;
  PetscBool      resumed;

  assert_ok(ResultOpen(PathIn(scratch, "result.h5", path), RESULT_NEW, "", "", &result, &resumed));
  assert_ok(FindingsCreate(&findings));
  assert_ok(
    RecorderDeclare(&watch, &motion.system->names, findings, "/transient/run", (RecorderWindow){0, RecorderSamples(&watch, 2000) - 1}, &recorder));
  assert_ok(RecorderPlaceParts(&recorder, motion.system));
  assert_ok(FindingsReserve(findings, result));
  assert_ok(ResultBeginData(result));
  assert_ok(RecorderBegin(&recorder, &motion.cache, motion.stepper, 0));
  for (PetscInt i = 0; i < 2000; i++) {
    const PetscInt   buffered = recorder.buffered;
    const PetscInt64 before   = num_allocations;

    assert_ok(RecorderSample(&recorder, motion.stepper, motion.state, result));
    if (recorder.buffered == buffered + 1) {
      num_judged++;
      CheckAllocations(num_allocations, before);
    }
    MotionStep(&motion, 1);
  }
  assert_true(num_judged > 1000);
  assert_ok(RecorderDestroy(&recorder));
  assert_ok(ResultClose(&result, PETSC_TRUE));
  assert_ok(FindingsDestroy(&findings));
  MotionEnd(&motion);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(allocations_of_ours_and_of_libraries_are_counted),
  cmocka_unit_test(steps_in_modal_coordinates_allocate_nothing),
  cmocka_unit_test(factored_steps_allocate_nothing),
  cmocka_unit_test(steps_on_sparse_matrices_allocate_nothing),
  cmocka_unit_test(steps_with_every_law_allocate_nothing),
  cmocka_unit_test(halved_steps_allocate_only_for_new_step_sizes),
  cmocka_unit_test(the_memory_of_a_ring_down_grows_by_doubling),
  cmocka_unit_test_setup_teardown(samples_allocate_nothing_between_flushes, MakeScratch, RemoveScratch),
};

CHECK_MAIN_WITH_SLEPC(tests)
