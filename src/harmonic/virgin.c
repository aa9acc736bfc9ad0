/* virgin.c - a mode in static equilibrium: what its virgin curve consists of, and its loops by Masing's rules. */
#include "virgin_path.h"

enum { ANGLES = 128 }; /* of half a period */

static PetscErrorCode Allocate(Virgin *v)
{
  const System *const system = v->structure->system;
  const PetscInt      m = v->m, count = v->count;

  PetscFunctionBegin;
  PetscCall(PetscCalloc3(m, &v->row, m * m, &v->influence, count, &v->q));
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

PetscErrorCode VirginCreate(const HarmonicStructure *structure, PetscInt mode, PetscInt count, const PetscReal q[], Virgin **virgin)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(virgin));
  (*virgin)->structure = structure;
  (*virgin)->mode      = mode;
  (*virgin)->m         = structure->m;
  (*virgin)->count     = count;
  PetscCall(Allocate(*virgin));
  PetscCall(PetscArraycpy((*virgin)->q, q, count));
  PetscCall(FindInfluence(*virgin));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VirginDestroy(Virgin **virgin)
{
  Virgin *const v = *virgin;

  PetscFunctionBegin;
  if (!v) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt b = 0; b < v->structure->system->num_blocks; b++) PetscCall(JointHistoryDestroy(&v->untouched[b]));
  PetscCall(PetscFree(v->untouched));
  PetscCall(PetscFree3(v->row, v->influence, v->q));
  PetscCall(PetscFree3(v->knot_of, v->iterations, v->remainders));
  PetscCall(PetscFree(v->knots));
  PetscCall(PetscFree(*virgin));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VirginsFollow(PetscInt count, Virgin *const virgins[], PetscBool beside)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++) {
    if (virgins[i]->followed) continue;
    if (VirginSuitsLanes(virgins[i])) PetscCall(VirginsFollowBeside(beside ? count - i : 1, virgins + i));
    else PetscCall(VirginFollowAlone(virgins[i]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt VirginReached(const Virgin *virgin)
{
  return virgin->reached;
}

PetscReal VirginAmplitude(const Virgin *virgin, PetscInt i)
{
  return virgin->q[i];
}

const PetscReal *VirginRemainder(const Virgin *virgin, PetscInt i)
{
  return virgin->remainders + i * virgin->m;
}

PetscInt VirginIterations(const Virgin *virgin, PetscInt i)
{
  return virgin->iterations[i];
}

/* Where r is asked for the first harmonic of a loop, as a share of its amplitude, ascending; and how much it counts in C_1 and S_1. */
typedef struct {
  PetscReal at, cosine, sine;
} LoopSample;

/* The trapezoidal rule over half a period, q = a cos theta, on its way down: of r(a) - 2 r((a - q) / 2); of elastic joints over a quarter, of r(q),
   which counts twice in C_1. */
static void FindSamples(PetscBool masing, PetscInt count, LoopSample samples[])
{
  for (PetscInt n = 0; n <= count; n++) {
    const PetscReal theta  = PETSC_PI * (PetscReal)(masing ? n : count - n) / (PetscReal)ANGLES;
    const PetscReal weight = (theta == 0.0 || n == ANGLES ? 0.5 : 1.0) * (masing ? 2.0 : 4.0) / (PetscReal)ANGLES;

    samples[n].at     = masing ? PetscSqr(PetscSinReal(0.5 * theta)) : PetscCosReal(theta);
    samples[n].cosine = weight * PetscCosReal(theta);
    samples[n].sine   = masing ? weight * PetscSinReal(theta) : 0.0;
  }
}

/* They are those of all curves. */
static const LoopSample *Samples(PetscBool masing, PetscInt *count)
{
  static LoopSample samples[2][ANGLES + 1];
  static PetscBool  known[2];

  *count = masing ? ANGLES : ANGLES / 2;
  if (!known[masing]) FindSamples(masing, *count, samples[masing]);
  known[masing] = PETSC_TRUE;
  return samples[masing];
}

/* C_1 and S_1 of r under a cos theta. */
static void FirstHarmonic(const Virgin *v, PetscInt top, PetscReal *c, PetscReal *s)
{
  const PetscReal   a = v->knots[top].q, offset = v->masing ? v->knots[top].r : 0.0, factor = v->masing ? -2.0 : 1.0;
  const Knot        rest = {.q = 0.0}, *left = &rest, *right = v->knots;
  const LoopSample *samples;
  PetscInt          count;

  samples = Samples(v->masing, &count);
  *c = *s = 0.0;
  for (PetscInt n = 0; n <= count; n++) {
    const PetscReal q = a * samples[n].at;
    PetscReal       x, r;

    while (right < v->knots + top && right->q < q) left = right++;
    x = q - left->q;
    r = offset + factor * (left->r + x * (left->slope + x * (right->bend + x * right->twist)));
    *c += samples[n].cosine * r;
    *s += samples[n].sine * r;
  }
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
