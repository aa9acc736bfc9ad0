/* law_decays.c - parameters of laws, found from ring-down curves of a mass that they hold. */
#include <petscdt.h>
#include "bounded_squares.h"
#include "../decays/log_points.h"
#include "law_fit.h"

enum { NUM_NODES = 48 };

/* Angles of half a cycle, closer together where a branch begins, and their weights in the first harmonic and in the work. */
typedef struct {
  PetscReal cosine[NUM_NODES], harmonic[NUM_NODES], work[NUM_NODES];
} HalfCycle;

typedef struct {
  const LawToFit *law;
  PetscInt        count;
  const LogPoint *points;
  HalfCycle       half;
} Decays;

static PetscErrorCode HalfCyclePrepare(HalfCycle *half)
{
  PetscReal node[NUM_NODES], weight[NUM_NODES];

  PetscFunctionBegin;
  PetscCall(PetscDTGaussQuadrature(NUM_NODES, 0, 1, node, weight));
  for (PetscInt i = 0; i < NUM_NODES; i++) {
    const PetscReal angle = PETSC_PI * node[i] * node[i], part = 2 * PETSC_PI * node[i] * weight[i];

    half->cosine[i]   = PetscCosReal(angle);
    half->harmonic[i] = part * half->cosine[i];
    half->work[i]     = part * PetscSinReal(angle);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* At an amplitude: stiffness of the first harmonic and energy lost in a cycle, of the steady loop. `slope` is the stiffness of a spring whose
   energy falls in a decay as the work of the law does, from one half cycle to the next. */
typedef struct {
  PetscReal harmonic, slope, loss;
} Loop;

/* Moves the law to a displacement; `slope` is its tangent there. */
static PetscErrorCode StepTo(const JointBlock *block, JointHistory *history, PetscReal displacement, PetscReal *slope, PetscReal *lost)
{
  const JointMotion motion = {.displacement = &displacement};
  PetscReal         force = 0, stiffness = 0;
  const JointForce  result = {.force = &force, .stiffness = &stiffness};

  PetscFunctionBegin;
  PetscCall(JointStep(block, history, &motion, &result, lost));
  *slope = stiffness;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Moves the law to and fro; each extreme is smaller by `fall` than the one before it, and the last is the given one. */
static PetscErrorCode Prepare(const JointBlock *block, PetscInt num_halves, PetscReal extreme, PetscReal fall, JointHistory *history)
{
  PetscReal slope, lost = 0;

  PetscFunctionBegin;
  PetscCall(JointHistoryCreate(block, history));
  for (PetscInt i = num_halves; i >= 0; i--) PetscCall(StepTo(block, history, (i % 2 ? -1 : 1) * (extreme + (PetscReal)i * fall), &slope, &lost));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The sum of weight times force over the angles of a half cycle, from one extreme to the next. */
static PetscReal SumForces(const HalfCycle *half, const JointBlock *block, const JointHistory *history, PetscReal from, PetscReal to,
                           const PetscReal weight[])
{
  PetscReal  force, sum = 0;
  JointForce result = {.force = &force};

  for (PetscInt i = 0; i < NUM_NODES; i++) {
    const PetscReal   displacement = 0.5 * (from + to) + 0.5 * (from - to) * half->cosine[i];
    const JointMotion there        = {.displacement = &displacement};

    block->law->evaluate(block, history, &there, &result);
    sum += weight[i] * force;
  }
  return sum;
}

/* The work of the force along one cycle of a decay at an amplitude, after earlier cycles that fell in the same way. A whole cycle, because the
   remaining mean force, which some laws lose slowly, does no work along it. */
static PetscErrorCode FindWork(const Decays *decays, const JointBlock *block, PetscReal amplitude, PetscReal fall, PetscReal *work)
{
  const PetscReal extremes[] = {amplitude + fall, -amplitude, amplitude - fall};
  PetscReal       slope, lost = 0;
  JointHistory    history;

  PetscFunctionBegin;
  *work = 0;
  PetscCall(Prepare(block, 2 * decays->law->warm_up, extremes[0], fall, &history));
  for (PetscInt i = 0; i < 2; i++) {
    const PetscReal size = 0.5 * (extremes[i] - extremes[i + 1]);

    *work -= size * SumForces(&decays->half, block, &history, extremes[i], extremes[i + 1], decays->half.work);
    PetscCall(StepTo(block, &history, extremes[i + 1], &slope, &lost));
  }
  PetscCall(JointHistoryDestroy(&history));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* In a cycle, a spring k gives back the energy 2 k amplitude fall. */
static PetscErrorCode FindSlope(const Decays *decays, const JointBlock *block, PetscReal amplitude, PetscReal *slope)
{
  const PetscReal fall = 1e-3 * amplitude;
  PetscReal       falling, growing;

  PetscFunctionBegin;
  PetscCall(FindWork(decays, block, amplitude, fall, &falling));
  PetscCall(FindWork(decays, block, amplitude, -fall, &growing));
  *slope = (growing - falling) / (4 * amplitude * fall);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Moves from one extreme to the other and adds half of the loop. */
static PetscErrorCode AddHalf(const HalfCycle *half, const JointBlock *block, JointHistory *history, PetscReal from, Loop *loop)
{
  PetscReal slope = 0;

  PetscFunctionBegin;
  loop->harmonic += SumForces(half, block, history, from, -from, half->harmonic) / (PETSC_PI * from);
  PetscCall(StepTo(block, history, -from, &slope, &loop->loss));
  loop->slope += 0.5 * slope;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Both halves of a Masing loop are alike, its steady state is reached at the first extreme, and its work falls by the slope there. */
static PetscErrorCode FindLoop(const Decays *decays, const JointBlock *block, PetscReal amplitude, Loop *loop)
{
  const PetscInt masing = block->law->traits & JOINT_MASING;
  JointHistory   history;

  PetscFunctionBegin;
  *loop = (Loop){0};
  PetscCall(Prepare(block, masing ? 0 : 2 * decays->law->warm_up, amplitude, 0, &history));
  PetscCall(AddHalf(&decays->half, block, &history, amplitude, loop));
  if (masing) *loop = (Loop){2 * loop->harmonic, 2 * loop->slope, 2 * loop->loss};
  else {
    PetscCall(AddHalf(&decays->half, block, &history, -amplitude, loop));
    PetscCall(FindSlope(decays, block, amplitude, &loop->slope));
  }
  PetscCall(JointHistoryDestroy(&history));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From the energy of a half cycle, as the curves of modal Iwan models; see NOTES.md. */
static PetscErrorCode LnCurve(const Decays *decays, const JointBlock *block, const PetscReal values[], PetscReal amplitude, PetscReal *ln_omega,
                              PetscReal *ln_zeta)
{
  const PetscReal mass = decays->law->mass, stiffness = values[LAW_FIT_STIFFNESS];
  PetscReal       stuck, undamped, viscous, zeta;
  Loop            loop;

  PetscFunctionBegin;
  block->law->limit(block, JOINT_STUCK, &stuck);
  PetscCall(FindLoop(decays, block, amplitude, &loop));
  undamped  = PetscSqrtReal((stiffness + loop.harmonic) / mass);
  viscous   = 2 * PETSC_PI * values[LAW_FIT_DAMPING] * PetscSqrtReal((stiffness + stuck) * mass) * undamped;
  zeta      = (loop.loss / PetscSqr(amplitude) + viscous) / (2 * PETSC_PI * (stiffness + loop.slope));
  *ln_zeta  = PetscLogReal(zeta);
  *ln_omega = PetscLogReal(undamped) - 0.5 * PetscLogReal(1 + zeta * zeta);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Deviations are not finite where the law is unstable or gives out energy; then there is no model either. */
static PetscErrorCode Deviate(void *context, const PetscReal values[], PetscBool *exists, PetscReal deviations[])
{
  const Decays *decays = context;
  JointBlock    block;

  PetscFunctionBegin;
  PetscCall(LawFitBlock(decays->law, values, exists, &block));
  if (!*exists) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < decays->count; i++) {
    const LogPoint *point = &decays->points[i];

    PetscCall(LnCurve(decays, &block, values, PetscExpReal(point->ln_amplitude), &deviations[2 * i], &deviations[2 * i + 1]));
    deviations[2 * i] -= point->ln_omega;
    deviations[2 * i + 1] -= point->ln_zeta;
  }
  PetscCall(JointBlockDestroy(&block));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal OmegaRange(PetscInt count, const LogPoint points[])
{
  PetscReal least = PETSC_INFINITY, most = PETSC_NINFINITY;

  for (PetscInt i = 0; i < count; i++) {
    least = PetscMin(least, points[i].ln_omega);
    most  = PetscMax(most, points[i].ln_omega);
  }
  return most - least;
}

static PetscErrorCode Judge(const LawToFit *law, const Decays *decays, const ParameterFit *problem, PetscBool *found, LawFit *fit, char reason[],
                            size_t size)
{
  PetscReal *deviations;
  PetscBool  exists;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(problem->count, &deviations));
  PetscCall(Deviate(problem->context, fit->values, &exists, deviations));
  for (PetscInt i = 0; i < problem->count; i++) fit->misfit[i % 2] += PetscSqr(deviations[i]) / decays->count;
  PetscCall(PetscFree(deviations));
  for (PetscInt k = 0; k < 2; k++) fit->misfit[k] = PetscSqrtReal(fit->misfit[k]);
  *found = LogPointsExplained(problem->variance[0], problem->variance[1]);
  if (!*found)
    PetscCall(PetscSNPrintf(reason, size, "no mass on a law %s fits the points: the best one is off by %.2g %% in frequency and %.2g %% in damping",
                            law->law->name, 100 * (double)fit->misfit[0], 100 * (double)fit->misfit[1]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FitPoints(const LawToFit *law, Decays *decays, PetscBool *found, LawFit *fit, char reason[], size_t size)
{
  ParameterFit problem = LawFitProblem(law, fit);
  PetscReal   *own;

  PetscFunctionBegin;
  problem.count       = 2 * decays->count;
  problem.num_kinds   = 2;
  problem.variance[0] = PetscSqr(0.02 * OmegaRange(decays->count, decays->points) + 1e-6);
  problem.variance[1] = 0.05 * 0.05;
  problem.floor[0]    = LEAST_OMEGA_VARIANCE;
  problem.floor[1]    = LEAST_ZETA_VARIANCE;
  problem.huber       = HUBER;
  problem.deviate     = Deviate;
  problem.context     = decays;
  PetscCall(PetscMalloc1(problem.count, &own));
  for (PetscInt i = 0; i < decays->count; i++) {
    own[2 * i]     = decays->points[i].omega_variance;
    own[2 * i + 1] = decays->points[i].zeta_variance;
  }
  problem.own     = own;
  fit->num_points = decays->count;
  PetscCall(ParameterFitFind(&problem, found, fit->parameters));
  if (*found) PetscCall(Judge(law, decays, &problem, found, fit, reason, size));
  else PetscCall(PetscSNPrintf(reason, size, "the law %s is refused or unstable at all starts: give better starts, or bounds", law->law->name));
  PetscCall(PetscFree(own));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckLaw(const LawToFit *law)
{
  PetscFunctionBegin;
  PetscCheck(!(law->law->traits & JOINT_VISCOUS), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "ring-downs are for laws that do not depend on the velocity");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LawFitDecays(const LawToFit *law, PetscInt count, const RingDownPoint points[], PetscBool *found, LawFit *fit, char reason[],
                            size_t size)
{
  const PetscInt needed = (law->num_unknowns + 4) / 2;
  Decays         decays = {.law = law};
  LogPoint      *usable = NULL;

  PetscFunctionBegin;
  PetscCall(CheckLaw(law));
  PetscCall(LawFitBegin(law, found, fit, reason, size));
  PetscCall(LogPointsGather(count, points, &decays.count, &usable));
  PetscCall(HalfCyclePrepare(&decays.half));
  decays.points = usable;
  if (decays.count >= needed) PetscCall(FitPoints(law, &decays, found, fit, reason, size));
  else
    PetscCall(PetscSNPrintf(reason, size, "only %" PetscInt_FMT " of %" PetscInt_FMT " points are trusted: %" PetscInt_FMT " are needed",
                            decays.count, count, needed));
  PetscCall(PetscFree(usable));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LawFitCurve(const LawToFit *law, const PetscReal values[], PetscInt count, const PetscReal amplitude[], PetscBool *exists,
                           PetscReal omega[], PetscReal zeta[])
{
  Decays     decays = {.law = law};
  JointBlock block;

  PetscFunctionBegin;
  PetscCall(CheckLaw(law));
  PetscCall(HalfCyclePrepare(&decays.half));
  PetscCall(JointBlockCreate(law->law, values, 1, &block));
  *exists = PETSC_TRUE;
  for (PetscInt i = 0; i < count; i++) {
    PetscCall(LnCurve(&decays, &block, values, amplitude[i], &omega[i], &zeta[i]));
    omega[i] = PetscExpReal(omega[i]);
    zeta[i]  = PetscExpReal(zeta[i]);
    if (PetscIsInfOrNanReal(omega[i]) || PetscIsInfOrNanReal(zeta[i])) *exists = PETSC_FALSE;
  }
  PetscCall(JointBlockDestroy(&block));
  PetscFunctionReturn(PETSC_SUCCESS);
}
