/* virgin.c - a mode in static equilibrium: its virgin curve by Newton's method, its loops by Masing's rules. */
#include "harmonic/virgin.h"
#include "rows.h"
#include <petscblaslapack.h>

enum { MOST_ITERATIONS = 40, ANGLES = 128 }; /* of half a period */

static const PetscReal RATIO = 1.2, BELOW = 1e-3; /* of successive q; the least of them by the first that is asked for */
static const PetscReal CLOSE_ENOUGH = 1e-11,
                       ROUND_OFF    = 1e-8; /* of the largest motion, of what is left of the equation; where it no longer shrinks */

/* A point of the curve. */
typedef struct {
  PetscReal q, r, slope;
} Knot;

struct Virgin {
  const HarmonicStructure *structure;
  PetscInt                 mode, m, num_components, num_knots, capacity;
  PetscBool                masing;
  JointHistory            *untouched;        /* of each block */
  PetscReal               *row, *influence;  /* [m] b_0; [m, m] H */
  PetscReal               *motion, *change;  /* [m] d and its change by q */
  PetscReal               *g, *left, *trial; /* [m] */
  PetscReal               *tangent;          /* [m, m] of the remainders; */
  PetscReal               *matrix;           /* and I + H A, by columns */
  PetscReal               *law;              /* work: motion, force [num_components], stiffness [JOINT_MAX_DIM num_components] */
  PetscBLASInt            *pivots;
  Knot                    *knots;
  PetscInt                *knot_of;    /* [count] */
  PetscInt                *iterations; /* [count] */
  PetscReal               *remainders; /* [count, m] */
};

static PetscErrorCode Allocate(Virgin *v, PetscInt count)
{
  const System *const system = v->structure->system;
  const PetscInt      m      = v->m;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < system->num_blocks; b++) v->num_components = PetscMax(v->num_components, SystemBlockComponents(&system->blocks[b]));
  PetscCall(PetscCalloc7(m, &v->row, m * m, &v->influence, m, &v->motion, m, &v->change, m, &v->g, m, &v->left, m, &v->trial));
  PetscCall(PetscCalloc4(m * m, &v->tangent, m * m, &v->matrix, (2 + JOINT_MAX_DIM) * v->num_components, &v->law, m, &v->pivots));
  PetscCall(PetscMalloc3(count, &v->knot_of, count, &v->iterations, count * m, &v->remainders));
  PetscCall(PetscCalloc1(system->num_blocks, &v->untouched));
  v->masing = PETSC_TRUE;
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    PetscCall(JointHistoryCreate(&system->blocks[b].block, &v->untouched[b]));
    if (!(system->blocks[b].block.law->traits & JOINT_MASING)) v->masing = PETSC_FALSE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* H_0 less what the mode itself gives. */
static PetscErrorCode FindInfluence(Virgin *v)
{
  const HarmonicStructure *const s    = v->structure;
  const HarmonicRows             rows = HarmonicStructureRows(s);
  const HarmonicExcitation       none = {0.0, -1};
  const PetscInt                 m    = v->m;
  PetscReal                     *weight, *scaled;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(NUM_MODE_WEIGHTS * s->n, &weight, s->n, &scaled));
  HarmonicStructureWeigh(s, 0, 0.0, none, weight);
  weight[v->mode] = 0.0;
  HarmonicStructureSum(s, &rows, weight, scaled, v->influence);
  for (PetscInt r = 0; r < m; r++) v->row[r] = s->map[r * s->n + v->mode];
  for (PetscInt i = 0; s->residual && i < m * m; i++) v->influence[i] += s->residual[i];
  PetscCall(PetscFree2(weight, scaled));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the remainders of a block, and their tangents. */
static void AddBlock(Virgin *v, PetscInt b, const PetscReal d[])
{
  const SystemBlock *const block = &v->structure->system->blocks[b];
  const PetscInt           num = block->block.num_points, dim = block->block.law->dim, count = SystemBlockComponents(block);
  PetscReal *const motion = v->law, *const force = motion + count, *const stiffness = force + count;
  const JointMotion at     = {motion, NULL};
  JointForce        result = {force, stiffness, NULL, NULL};
  PetscReal         stuck[JOINT_MAX_DIM * JOINT_MAX_DIM];

  SystemBlockMotion(block, d, motion);
  block->block.law->evaluate(&block->block, &v->untouched[b], &at, &result);
  for (PetscInt i = 0; i < num; i++) {
    const PetscReal area = block->area ? block->area[i] : 1.0;

    SystemBlockStiffness(block, JOINT_STUCK, i, stuck);
    for (PetscInt c = 0; c < dim; c++) {
      PetscReal left = area * force[c * num + i];

      for (PetscInt e = 0; e < dim; e++) {
        left -= stuck[c * dim + e] * motion[e * num + i];
        SystemBlockAddTangent(block, c * num + i, e * num + i, area * stiffness[(c * dim + e) * num + i] - stuck[c * dim + e], v->m, v->tangent);
      }
      for (PetscInt t = block->first[c * num + i]; t < block->first[c * num + i + 1]; t++) v->g[block->row[t]] += block->factor[t] * left;
    }
  }
}

/* What is left of d + H g - b_0 q, the largest of it. */
static PetscReal Evaluate(Virgin *v, PetscReal q, const PetscReal d[])
{
  const PetscInt m       = v->m;
  PetscReal      largest = 0.0;

  for (PetscInt i = 0; i < m; i++) v->g[i] = 0.0;
  for (PetscInt i = 0; i < m * m; i++) v->tangent[i] = 0.0;
  for (PetscInt b = 0; b < v->structure->system->num_blocks; b++) AddBlock(v, b, d);
  for (PetscInt r = 0; r < m; r++) {
    v->left[r] = d[r] - v->row[r] * q + RowsTimesOne(m, v->influence + r * m, v->g);
    largest    = PetscMax(largest, PetscAbsReal(v->left[r]));
  }
  return largest;
}

/* Factors I + H A. */
static PetscErrorCode Factor(Virgin *v, PetscBool *regular)
{
  const PetscInt m = v->m;
  PetscBLASInt   order, info;

  PetscFunctionBeginHot;
  for (PetscInt c = 0; c < m; c++)
    for (PetscInt r = 0; r < m; r++) {
      PetscReal sum = r == c ? 1.0 : 0.0;

      for (PetscInt k = 0; k < m; k++) sum += v->influence[r * m + k] * v->tangent[k * m + c];
      v->matrix[c * m + r] = sum;
    }
  PetscCall(PetscBLASIntCast(m, &order));
  PetscCallBLAS("LAPACKgetrf", LAPACKgetrf_(&order, &order, v->matrix, &order, v->pivots, &info));
  *regular = (PetscBool)(info == 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Solve(Virgin *v, PetscReal right[])
{
  PetscBLASInt order, one = 1, info;

  PetscFunctionBeginHot;
  PetscCall(PetscBLASIntCast(v->m, &order));
  PetscCallBLAS("LAPACKgetrs", LAPACKgetrs_("N", &order, &one, v->matrix, &order, v->pivots, right, &order, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetrs: %d", (int)info);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal LargestOf(PetscInt m, const PetscReal x[])
{
  PetscReal largest = 0.0;

  for (PetscInt i = 0; i < m; i++) largest = PetscMax(largest, PetscAbsReal(x[i]));
  return largest;
}

/* Newton's method at q from v->motion, steps halved until what is left shrinks; the tangent of the curve is what it ends with. */
static PetscErrorCode FindEquilibrium(Virgin *v, PetscReal q, PetscInt *iterations, PetscBool *found)
{
  const PetscInt m      = v->m;
  PetscReal      before = Evaluate(v, q, v->motion), now;

  PetscFunctionBeginHot;
  *found = PETSC_FALSE;
  for (*iterations = 1; *iterations <= MOST_ITERATIONS; (*iterations)++) {
    PetscBool regular = PETSC_FALSE;

    PetscCall(Factor(v, &regular));
    if (!regular) PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(PetscArraycpy(v->change, v->row, m));
    PetscCall(Solve(v, v->change));
    *found = (PetscBool)(before <= CLOSE_ENOUGH * LargestOf(m, v->motion));
    if (*found) PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(Solve(v, v->left));
    for (PetscInt i = 0; i < m; i++) v->trial[i] = v->left[i];
    for (PetscReal part = 1.0;; part *= 0.5) {
      for (PetscInt i = 0; i < m; i++) v->motion[i] -= part * v->trial[i];
      now = Evaluate(v, q, v->motion);
      if (now < before || part < 1e-3) break;
      for (PetscInt i = 0; i < m; i++) v->motion[i] += part * v->trial[i];
    }
    if (!(now < before)) {
      *found = (PetscBool)(now <= ROUND_OFF * LargestOf(m, v->motion));
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    before = now;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* r = b_0^T g and its slope b_0^T A dd/dq. */
static PetscErrorCode AddKnot(Virgin *v, PetscReal q)
{
  const PetscInt m     = v->m;
  PetscReal      slope = 0.0;

  PetscFunctionBeginHot;
  if (v->num_knots == v->capacity) {
    v->capacity = PetscMax(256, 2 * v->capacity);
    PetscCall(PetscRealloc(sizeof(Knot) * (size_t)v->capacity, &v->knots));
  }
  for (PetscInt i = 0; i < m; i++) slope += v->row[i] * RowsTimesOne(m, v->tangent + i * m, v->change);
  v->knots[v->num_knots++] = (Knot){q, RowsTimesOne(m, v->row, v->g), slope};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From one q to another, in steps that are divided where Newton's method fails. */
static PetscErrorCode StepTo(Virgin *v, PetscReal from, PetscReal to, PetscInt *iterations, PetscBool *found)
{
  const PetscReal least = 1e-4 * (to - from);
  PetscReal       at = from, step = to - from;
  PetscReal      *last;

  PetscFunctionBeginHot;
  *found = PETSC_TRUE;
  PetscCall(PetscMalloc1(2 * v->m, &last));
  while (at < to) {
    const PetscReal next = at + step > to - least ? to : at + step;

    PetscCall(PetscArraycpy(last, v->motion, v->m));
    PetscCall(PetscArraycpy(last + v->m, v->change, v->m));
    for (PetscInt i = 0; i < v->m; i++) v->motion[i] += (next - at) * v->change[i];
    PetscCall(FindEquilibrium(v, next, iterations, found));
    if (*found) {
      PetscCall(AddKnot(v, next));
      at = next;
      continue;
    }
    PetscCall(PetscArraycpy(v->motion, last, v->m));
    PetscCall(PetscArraycpy(v->change, last + v->m, v->m));
    step *= 0.25;
    if (step < least) break;
  }
  PetscCall(PetscFree(last));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From rest, where joints stick, over knots whose q grow by no more than RATIO. */
static PetscErrorCode FollowCurve(Virgin *v, PetscInt count, const PetscReal q[], PetscInt *reached)
{
  PetscReal at    = 0.0;
  PetscBool found = PETSC_TRUE;

  PetscFunctionBegin;
  PetscCall(PetscArraycpy(v->change, v->row, v->m));
  for (*reached = 0; *reached < count; (*reached)++) {
    const PetscReal to = q[*reached];

    for (PetscReal next = PetscMax(RATIO * at, BELOW * q[0]); found && at < to; next = RATIO * at) {
      if (next > to / PetscSqrtReal(RATIO)) next = to;
      PetscCall(StepTo(v, at, next, &v->iterations[*reached], &found));
      at = next;
    }
    if (!found) PetscFunctionReturn(PETSC_SUCCESS);
    v->knot_of[*reached] = v->num_knots - 1;
    PetscCall(PetscArraycpy(v->remainders + *reached * v->m, v->g, v->m));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VirginCreate(const HarmonicStructure *structure, PetscInt mode, PetscInt count, const PetscReal q[], Virgin **virgin,
                            PetscInt *reached)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(virgin));
  (*virgin)->structure = structure;
  (*virgin)->mode      = mode;
  (*virgin)->m         = structure->m;
  PetscCall(Allocate(*virgin, count));
  PetscCall(FindInfluence(*virgin));
  PetscCall(FollowCurve(*virgin, count, q, reached));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VirginDestroy(Virgin **virgin)
{
  Virgin *const v = *virgin;

  PetscFunctionBegin;
  if (!v) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt b = 0; b < v->structure->system->num_blocks; b++) PetscCall(JointHistoryDestroy(&v->untouched[b]));
  PetscCall(PetscFree(v->untouched));
  PetscCall(PetscFree7(v->row, v->influence, v->motion, v->change, v->g, v->left, v->trial));
  PetscCall(PetscFree4(v->tangent, v->matrix, v->law, v->pivots));
  PetscCall(PetscFree3(v->knot_of, v->iterations, v->remainders));
  PetscCall(PetscFree(v->knots));
  PetscCall(PetscFree(*virgin));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const PetscReal *VirginRemainder(const Virgin *virgin, PetscInt i)
{
  return virgin->remainders + i * virgin->m;
}

PetscInt VirginIterations(const Virgin *virgin, PetscInt i)
{
  return virgin->iterations[i];
}

/* r at q >= 0 by the cubic through the knots around it with their slopes; *knot is at or below that, and moves. */
static PetscReal At(const Virgin *v, PetscReal q, PetscInt *knot)
{
  static const Knot rest = {0.0, 0.0, 0.0};
  const Knot       *left, *right;
  PetscReal         h, s;

  while (*knot > 0 && v->knots[*knot - 1].q > q) (*knot)--;
  while (*knot < v->num_knots - 1 && v->knots[*knot].q < q) (*knot)++;
  right = &v->knots[*knot];
  left  = *knot > 0 ? right - 1 : &rest;
  h     = right->q - left->q;
  s     = (q - left->q) / h;
  return left->r + s * (h * left->slope + s * (3.0 * (right->r - left->r) - h * (2.0 * left->slope + right->slope) +
                                               s * (2.0 * (left->r - right->r) + h * (left->slope + right->slope))));
}

/* C_1 and S_1 of r under a cos theta, by the trapezoidal rule over half a period: its way down. */
static void FirstHarmonic(const Virgin *v, PetscInt top, PetscReal *c, PetscReal *s)
{
  const PetscReal a = v->knots[top].q, r_a = v->knots[top].r, weight = 2.0 / (PetscReal)ANGLES;
  PetscInt        knot = 0;

  *c = *s = 0.0;
  for (PetscInt n = 0; n <= ANGLES; n++) {
    const PetscReal theta = PETSC_PI * (PetscReal)n / (PetscReal)ANGLES, cosine = PetscCosReal(theta), q = a * cosine;
    const PetscReal end = n == 0 || n == ANGLES ? 0.5 : 1.0;
    const PetscReal r   = v->masing ? r_a - 2.0 * At(v, 0.5 * (a - q), &knot) : PetscSignReal(q) * At(v, PetscAbsReal(q), &knot);

    *c += end * weight * r * cosine;
    *s += end * weight * r * PetscSinReal(theta);
  }
  if (!v->masing) *s = 0.0;
}

void VirginLoop(const Virgin *v, PetscInt i, PetscReal *omega, PetscReal *zeta)
{
  const HarmonicStructure *const s   = v->structure;
  const PetscInt                 top = v->knot_of[i];
  PetscReal                      c, sine;

  FirstHarmonic(v, top, &c, &sine);
  *omega = PetscSqrtReal(s->eigenvalue[v->mode] + c / v->knots[top].q);
  *zeta  = (s->damping[v->mode] - sine / (v->knots[top].q * *omega)) / (2.0 * *omega);
}
