/* jointed.h - random small systems with joints of every law, whose forces a test can evaluate by itself. */
#pragma once
#include "motion.h"
#include "unit/joint_samples.h"

enum { JOINTED_MAX_UNKNOWNS = 9, JOINTED_MAX_ELEMENTS = 18, JOINTED_MAX_ROWS = 2 * JOINTED_MAX_ELEMENTS, JOINTED_NUM_LOADS = 2 };

/* The list has no nonlinear law that feels velocities and none of several components: two are made here. */

/* f = drag v |v| */
static inline void DragLimit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  (void)block;
  (void)state;
  stiffness[0] = 0.0;
}

static inline void DragEvaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result)
{
  (void)history;
  for (PetscInt i = 0; i < block->num_points; i++) {
    result->force[i] = block->parameters[0] * motion->velocity[i] * fabs(motion->velocity[i]);
    if (result->stiffness) result->stiffness[i] = 0.0;
    if (result->damping) result->damping[i] = 2.0 * block->parameters[0] * fabs(motion->velocity[i]);
  }
}

/* f_x = (stiffness + cubic |d|^2) d_x + turn v_y |d|^2, f_y likewise with -turn v_x: neither tangent is diagonal, nor the sum symmetric. */
static inline void RadialLimit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  (void)state;
  stiffness[0] = stiffness[3] = block->parameters[0];
  stiffness[1] = stiffness[2] = 0.0;
}

static inline void RadialEvaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result)
{
  const PetscInt  n         = block->num_points;
  const PetscReal stiffness = block->parameters[0], cubic = block->parameters[1], turn = block->parameters[2];

  (void)history;
  for (PetscInt i = 0; i < n; i++) {
    const PetscReal d[] = {motion->displacement[i], motion->displacement[n + i]}, v[] = {motion->velocity[i], motion->velocity[n + i]};
    const PetscReal square = d[0] * d[0] + d[1] * d[1], across[] = {turn * v[1], -turn * v[0]};

    for (PetscInt c = 0; c < 2; c++) {
      result->force[c * n + i] = (stiffness + cubic * square) * d[c] + across[c] * square;
      for (PetscInt e = 0; e < 2; e++) {
        const PetscInt at = (c * 2 + e) * n + i;

        if (result->stiffness) result->stiffness[at] = 2.0 * d[e] * (cubic * d[c] + across[c]) + (c == e ? stiffness + cubic * square : 0.0);
        if (result->damping) result->damping[at] = c == e ? 0.0 : (c == 0 ? turn : -turn) * square;
      }
    }
  }
}

static const JointParameter drag_parameters[]   = {{.name = "drag"}, {0}};
static const JointParameter radial_parameters[] = {{.name = "stiffness"}, {.name = "cubic"}, {.name = "turn"}, {0}};

static const JointLaw law_drag = {
  .name = "drag", .parameters = drag_parameters, .dim = 1, .traits = JOINT_VISCOUS, .limit = DragLimit, .evaluate = DragEvaluate};
static const JointLaw law_radial = {
  .name = "radial", .parameters = radial_parameters, .dim = 2, .traits = JOINT_VISCOUS, .limit = RadialLimit, .evaluate = RadialEvaluate};

/* A joint with a memory of its own beside the System's. */
typedef struct {
  const JointLaw *law;
  PetscReal       parameters[JOINT_MAX_PARAMETERS];
  PetscInt        negative[2], positive[2];
  JointBlock      block;
  JointHistory    history;
} Element;

typedef struct {
  PetscInt  n, num_elements;
  PetscReal mass[JOINTED_MAX_UNKNOWNS], spring[JOINTED_MAX_UNKNOWNS]; /* spring i from i - 1 to i */
  PetscReal mass_factor, stiffness_factor;
  PetscBool one_component; /* without the radial law */
  Element   elements[JOINTED_MAX_ELEMENTS];
  Load      loads[JOINTED_NUM_LOADS];
} Jointed;

static inline PetscReal RandomBetween(uint64_t *seed, PetscReal least, PetscReal most)
{
  return least + 0.5 * (Random(seed) + 1.0) * (most - least);
}

static inline PetscInt RandomIndex(uint64_t *seed, PetscInt count)
{
  return PetscMin((PetscInt)RandomBetween(seed, 0.0, (PetscReal)count), count - 1);
}

/* Kinds of elements: the laws of the list that are not linear, then those made here. */
enum { KIND_CUBIC, KIND_GAP, KIND_JENKINS, KIND_IWAN4, KIND_SLIDERS, KIND_DRAG, KIND_RADIAL, NUM_KINDS };

static inline void ElementDraw(Element *element, PetscInt kind, uint64_t *seed)
{
  static const char *const names[] = {"cubic", "gap", "jenkins", "iwan4", "iwan4"};
  PetscReal *const         p       = element->parameters;

  element->law = kind == KIND_DRAG ? &law_drag : kind == KIND_RADIAL ? &law_radial : JointLawFind(names[kind]);
  for (PetscInt i = 0; i < 4; i++) p[i] = RandomBetween(seed, 0.3, 2.0);
  if (kind == KIND_GAP) {
    p[0] *= 20.0;
    p[2] = p[3] > 1.0 ? 2.0 : 1.0;
  }
  if (kind == KIND_IWAN4 || kind == KIND_SLIDERS) {
    p[2] = -0.4 * p[2];
    p[4] = kind == KIND_SLIDERS ? 30.0 : 0.0;
  }
}

static inline void ElementConnect(Element *element, PetscInt n, uint64_t *seed)
{
  for (PetscInt c = 0; c < 2; c++) {
    element->positive[c] = RandomIndex(seed, n);
    do element->negative[c] = RandomIndex(seed, n + 1) - 1;
    while (element->negative[c] == element->positive[c]);
  }
}

static inline Jointed JointedDraw(PetscInt num_elements, PetscBool one_component, uint64_t *seed)
{
  const PetscInt num_kinds = one_component ? KIND_RADIAL : NUM_KINDS;
  Jointed        jointed   = {.n = 3 + RandomIndex(seed, JOINTED_MAX_UNKNOWNS - 2), .num_elements = num_elements, .one_component = one_component};

  for (PetscInt i = 0; i < jointed.n; i++) {
    jointed.mass[i]   = RandomBetween(seed, 1.0, 2.0);
    jointed.spring[i] = RandomBetween(seed, 0.5, 2.0);
  }
  for (PetscInt e = 0; e < num_elements; e++) {
    ElementDraw(&jointed.elements[e], (e + RandomIndex(seed, 2)) % num_kinds, seed);
    ElementConnect(&jointed.elements[e], jointed.n, seed);
  }
  jointed.mass_factor      = RandomBetween(seed, 0.0, 0.02);
  jointed.stiffness_factor = RandomBetween(seed, 0.0, 0.02);
  for (PetscInt l = 0; l < JOINTED_NUM_LOADS; l++)
    jointed.loads[l] = (Load){.place     = LOAD_ON_POINT,
                              .motion    = RandomIndex(seed, jointed.n),
                              .amplitude = RandomBetween(seed, 1.0, 4.0),
                              .signal    = {.kind = SIGNAL_HARMONIC, .frequency = RandomBetween(seed, 0.05, 0.3)}};
  return jointed;
}

static inline void AddElement(System *system, const Element *element)
{
  PetscInt rows[2];

  for (PetscInt c = 0; c < element->law->dim; c++) assert_ok(SystemAddRow(system, "joint", c, element->negative[c], element->positive[c], &rows[c]));
  assert_ok(SystemAddLaw(system, element->law, element->parameters, rows));
}

/* Everything but SystemSetUp. */
static inline System *JointedDraft(const Jointed *jointed)
{
  System *system = SystemNew(jointed->n);

  for (PetscInt i = 0; i < jointed->n; i++) {
    assert_ok(SystemAddMass(system, i, i, jointed->mass[i]));
    AddSpring(system, i - 1, i, jointed->spring[i]);
  }
  assert_ok(SystemAddMass(system, 0, 1, 0.2));
  assert_ok(SystemAddMass(system, 1, 0, 0.2));
  for (PetscInt e = 0; e < jointed->num_elements; e++) AddElement(system, &jointed->elements[e]);
  assert_ok(SystemSetDamping(system, 0, NULL, jointed->mass_factor, jointed->stiffness_factor));
  return system;
}

static inline System *JointedBuild(const Jointed *jointed, PetscBool factored)
{
  System *system = JointedDraft(jointed);

  if (factored) ForbidModal(system);
  assert_ok(SystemSetUp(system));
  return system;
}

static inline void JointedOpen(Jointed *jointed)
{
  for (PetscInt e = 0; e < jointed->num_elements; e++) {
    Element *element = &jointed->elements[e];

    assert_ok(JointBlockCreate(element->law, element->parameters, 1, &element->block));
    assert_ok(JointHistoryCreate(&element->block, &element->history));
  }
}

static inline void JointedClose(Jointed *jointed)
{
  for (PetscInt e = 0; e < jointed->num_elements; e++) {
    assert_ok(JointHistoryDestroy(&jointed->elements[e].history));
    assert_ok(JointBlockDestroy(&jointed->elements[e].block));
  }
}

static inline PetscReal Relative(const PetscReal values[], PetscInt negative, PetscInt positive)
{
  return values[positive] - (negative == GROUND ? 0.0 : values[negative]);
}

/* force += B^T f at u and v, from the elements' own memories, which advance. */
static inline void JointedAddForces(Jointed *jointed, const PetscReal u[], const PetscReal v[], PetscReal force[])
{
  for (PetscInt e = 0; e < jointed->num_elements; e++) {
    Element          *element = &jointed->elements[e];
    PetscReal         d[2], rate[2], f[2], stiffness[4], damping[4], loss[2], dissipated[2] = {0.0, 0.0};
    const JointMotion motion = {d, rate};
    JointForce        result = {f, stiffness, damping, loss};

    for (PetscInt c = 0; c < element->law->dim; c++) {
      d[c]    = Relative(u, element->negative[c], element->positive[c]);
      rate[c] = Relative(v, element->negative[c], element->positive[c]);
    }
    element->law->evaluate(&element->block, &element->history, &motion, &result);
    if (element->law->commit) assert_ok(element->law->commit(&element->block, &element->history, &motion, &result, dissipated));
    for (PetscInt c = 0; c < element->law->dim; c++) {
      force[element->positive[c]] += f[c];
      if (element->negative[c] != GROUND) force[element->negative[c]] -= f[c];
    }
  }
}

/* M, K, and C of everything that damps. */
typedef struct {
  PetscInt  n;
  PetscReal M[JOINTED_MAX_UNKNOWNS * JOINTED_MAX_UNKNOWNS], C[JOINTED_MAX_UNKNOWNS * JOINTED_MAX_UNKNOWNS],
    K[JOINTED_MAX_UNKNOWNS * JOINTED_MAX_UNKNOWNS];
} Matrices;

static inline Matrices MatricesOf(const System *system)
{
  const PetscInt n        = system->num_unknowns;
  Matrices       matrices = {.n = n};
  PetscReal      stuck[JOINTED_MAX_UNKNOWNS * JOINTED_MAX_UNKNOWNS];
  Mat            K0;

  assert_ok(SystemStiffness(system, JOINT_STUCK, &K0));
  MatrixGet(system->M, n, n, matrices.M);
  MatrixGet(system->C, n, n, matrices.C);
  MatrixGet(system->K, n, n, matrices.K);
  MatrixGet(K0, n, n, stuck);
  assert_ok(MatDestroy(&K0));
  for (PetscInt i = 0; i < n * n; i++) matrices.C[i] += system->damping.mass_factor * matrices.M[i] + system->damping.stiffness_factor * stuck[i];
  return matrices;
}
