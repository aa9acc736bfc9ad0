/* coulomb.c - dry friction that sticks exactly: no spring, no smoothing. */
#include "laws.h"

enum { SLIP_FORCE, NUM_PARAMETERS };
enum { MOTION, FORCE, NUM_STATES };

static const JointParameter parameters[] = {
  {.name     = "slip_force",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N",
   .help     = "force while it slides, and the most that it holds: mu N"},
  {0},
};

static const JointSample samples[] = {
  {.what = "dry friction", .parameters = {[SLIP_FORCE] = 0.6}},
  {0},
};

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  constants[SLIP_FORCE] = p[SLIP_FORCE];
}

/* K0 has nothing of it: it has no stiffness, neither while it sticks nor while it slides. */
static void Limit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  (void)block;
  (void)state;
  stiffness[0] = 0;
}

/* Of a prescribed motion. One that rests says nothing of the force: what held it holds. */
static void Evaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result)
{
  const PetscInt n = block->num_points;

  for (PetscInt i = 0; i < n; i++) {
    const PetscReal moved = motion->displacement[i] - history->states[MOTION * n + i], held = history->states[FORCE * n + i];

    result->force[i] = moved == 0 ? held : PetscCopysignReal(block->constants[SLIP_FORCE], moved);
    if (result->stiffness) result->stiffness[i] = 0;
    if (result->damping) result->damping[i] = 0;
  }
}

/* Force and slope of one point that comes with a velocity before >= 0; of displacements that is 0. It slides on; or it comes to rest and is held;
   or what pushes is more than can be held, v - given > give F, and it turns back within the step, at the time that these constant forces give. */
static PetscReal Grip(PetscReal limit, PetscReal before, PetscReal given, PetscReal give, PetscReal *slope)
{
  const PetscReal span = before - given + give * limit;

  *slope = 0;
  if (given >= give * limit) return limit;
  if (span <= 2 * give * limit) {
    *slope = 1 / give;
    return given / give;
  }
  *slope = 2 * limit * before / (span * span);
  return limit * (2 * before / span - 1);
}

static void GripAll(const JointBlock *block, const JointGrip *grip, JointForce *result)
{
  for (PetscInt i = 0; i < block->num_points; i++) {
    const PetscReal before = grip->before ? grip->before[i] : 0, way = PetscCopysignReal(1, before == 0 ? grip->given[i] : before);
    PetscReal       slope;

    result->force[i] = way * Grip(block->constants[SLIP_FORCE], way * before, way * grip->given[i], grip->give[i], &slope);
    if (result->stiffness) result->stiffness[i] = slope;
  }
}

static PetscErrorCode Commit(const JointBlock *block, JointHistory *history, const JointMotion *motion, const JointForce *result,
                             PetscReal dissipated[])
{
  const PetscInt n = block->num_points;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < n; i++) {
    dissipated[i] += result->force[i] * (motion->displacement[i] - history->states[MOTION * n + i]);
    history->states[MOTION * n + i] = motion->displacement[i];
    history->states[FORCE * n + i]  = result->force[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Differentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, const JointMotion *dmotion,
                                    JointHistory *dhistory, PetscReal dforce[])
{
  const PetscInt n = block->num_points;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < n; i++) {
    const PetscBool rests = (PetscBool)(motion->displacement[i] == history->states[MOTION * n + i]);

    dforce[i]                        = rests ? dhistory->states[FORCE * n + i] : 0;
    dhistory->states[MOTION * n + i] = dmotion->displacement[i];
    dhistory->states[FORCE * n + i]  = dforce[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

const JointLaw joint_law_coulomb = {
  .name          = "coulomb",
  .summary       = "dry friction with exact stick, without a spring",
  .equation      = "f = slip_force sgn(d') while it slides; |f| <= slip_force, whatever holds it, while d' = 0",
  .source        = "Coulomb 1785; Den Hartog 1931; Moreau 1988",
  .parameters    = parameters,
  .samples       = samples,
  .dim           = 1,
  .num_states    = NUM_STATES,
  .traits        = JOINT_RIGID,
  .num_constants = NUM_PARAMETERS,
  .prepare       = Prepare,
  .limit         = Limit,
  .evaluate      = Evaluate,
  .grip          = GripAll,
  .commit        = Commit,
  .differentiate = Differentiate,
};
