/*
  posterior.c - what is known of the numbers in the end: a normal distribution about the best values, in the variables z of unknown.c.

      C^-1 = J^T J + 1 for each normal prior,   J = d (deviations over their uncertainty) / dz     [Gauss, Newton]
*/
#include "posterior.h"
#include <math.h>

PetscReal PosteriorLogPrior(const Update *update, const PetscReal z[])
{
  PetscReal sum = 0;

  for (PetscInt p = 0; p < update->num_unknowns; p++) sum += UnknownLogPrior(&update->unknowns[p], z[p]);
  return sum;
}

PetscBool PosteriorIsProper(const Update *update)
{
  for (PetscInt p = 0; p < update->num_unknowns; p++)
    if (isnan(update->unknowns[p].log_mass)) return PETSC_FALSE;
  return PETSC_TRUE;
}

void PosteriorPlaces(const Update *update, const PetscReal values[], PetscReal z[])
{
  for (PetscInt p = 0; p < update->num_unknowns; p++) z[p] = UnknownPlace(&update->unknowns[p], values[p]);
}

void PosteriorValues(const Update *update, const PetscReal z[], PetscReal values[])
{
  for (PetscInt p = 0; p < update->num_unknowns; p++) values[p] = UnknownValue(&update->unknowns[p], z[p]);
}

static PetscErrorCode FindLaplace(const Update *update, const Evaluated *best, const PetscReal z[], Laplace *laplace)
{
  const PetscInt size = update->num_unknowns;
  PetscReal     *jacobian, *precision;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(update->num_data * size, &jacobian));
  PetscCall(PetscCalloc1(size * size, &precision));
  TargetsDifferentiate(update, best, jacobian);
  for (PetscInt i = 0; i < update->num_data; i++)
    for (PetscInt p = 0; p < size; p++) jacobian[i * size + p] *= UnknownSlope(&update->unknowns[p], z[p]);
  for (PetscInt p = 0; p < size; p++) precision[p * (size + 1)] = update->unknowns[p].normal;
  PetscCall(LaplaceOfJacobian(size, update->num_data, jacobian, precision, laplace));
  PetscCall(PetscFree(jacobian));
  PetscCall(PetscFree(precision));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* With a prior there is always an interval; whether the data tell anything shows by how much narrower than the prior it is. */
static void JudgeByPriors(const Update *update, const PetscReal z[], Updated *updated)
{
  const PetscReal normal_95 = 1.959963984540054, part = 0.5, uniform = PetscSqrtReal(1.0 / 12);

  for (PetscInt p = 0; p < update->num_unknowns; p++) {
    const Unknown *const u         = &update->unknowns[p];
    FitParameter *const  parameter = &updated->found.parameters[p];
    const PetscReal      deviation = updated->laplace.definite ? PetscSqrtReal(updated->laplace.covariance[p * (update->num_unknowns + 1)]) : 0;

    if (!u->has_prior || !updated->laplace.definite) continue;
    parameter->determined = (PetscBool)(deviation < part * (u->normal ? 1 : uniform));
    parameter->low        = UnknownValue(u, PetscMax(z[p] - normal_95 * updated->found.widening * deviation, u->low));
    parameter->high       = UnknownValue(u, PetscMin(z[p] + normal_95 * updated->found.widening * deviation, u->high));
  }
}

static void FindCorrelation(const Laplace *laplace, PetscReal correlation[])
{
  const PetscInt         size = laplace->dim;
  const PetscReal *const C    = laplace->covariance;

  for (PetscInt p = 0; p < size; p++)
    for (PetscInt q = 0; q < size; q++)
      correlation[p * size + q] = p == q ? 1 : C[p * size + q] / PetscSqrtReal(C[p * (size + 1)] * C[q * (size + 1)]);
}

static void FindNormals(const Laplace *laplace, const PetscReal z[], Distribution normals[])
{
  for (PetscInt p = 0; p < laplace->dim; p++)
    normals[p] = (Distribution){.kind   = DISTRIBUTION_NORMAL,
                                .from   = -(PetscReal)INFINITY,
                                .to     = (PetscReal)INFINITY,
                                .centre = z[p],
                                .spread = PetscSqrtReal(laplace->covariance[p * (laplace->dim + 1)])};
}

/* Points of a Sobol' sequence with this normal distribution, whose quantiles are more accurate than those of as many by chance; those beyond a
   bound are left out. None where the correlation of two numbers is 1 but for round-off. */
static PetscErrorCode DrawNormal(const Update *update, const PetscReal z[], Updated *updated)
{
  const PetscInt size = update->num_unknowns, many = 8 * update->posterior.draws;
  const PlanKeys keys = {.method = PLAN_SOBOL, .samples = many, .seed = update->posterior.seed, .scramble = PETSC_TRUE};
  Distribution   normals[FIT_MAX_UNKNOWNS];
  PetscReal     *correlation, at[FIT_MAX_UNKNOWNS];
  PetscInt       fault;
  Plan          *plan;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(size * size, &correlation));
  PetscCall(PetscMalloc1(update->posterior.draws * size, &updated->draws));
  FindCorrelation(&updated->laplace, correlation);
  FindNormals(&updated->laplace, z, normals);
  PetscCall(PlanCreate(&keys, size, normals, correlation, &fault, &plan));
  for (PetscInt i = 0; !fault && i < many && updated->num_draws < update->posterior.draws; i++) {
    PlanValues(plan, i, at);
    if (PetscIsInfReal(PosteriorLogPrior(update, at))) continue;
    PosteriorValues(update, at, updated->draws + size * updated->num_draws++);
  }
  if (!fault) PetscCall(PlanDestroy(&plan));
  PetscCall(PetscFree(correlation));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteLaplace(const Update *update, const PetscReal z[], const Updated *updated, const Result *result)
{
  const PetscInt       size = update->num_unknowns;
  const Laplace *const l    = &updated->laplace;
  const PetscReal      inner =
    DistributionQuantile(&(Distribution){.kind = DISTRIBUTION_NORMAL, .from = -(PetscReal)INFINITY, .to = (PetscReal)INFINITY, .spread = 1},
                         0.5 * (1 + update->posterior.confidence));
  const PetscReal evidence = isnan(updated->log_prior) ? (PetscReal)NAN : LaplaceLogEvidence(l, updated->log_likelihood + updated->log_prior);
  PetscReal      *correlation;

  PetscFunctionBegin;
  for (PetscInt p = 0; p < size; p++) {
    const Unknown *const u         = &update->unknowns[p];
    const PetscReal      deviation = PetscSqrtReal(l->covariance[p * (size + 1)]), spread = PetscAbsReal(UnknownSlope(u, z[p])) * deviation;
    const PetscReal      low = UnknownValue(u, PetscMax(z[p] - inner * deviation, u->low)),
                    high     = UnknownValue(u, PetscMin(z[p] + inner * deviation, u->high));

    PetscCall(FindingWrite(update->marginals, MARGINAL_MEDIAN, p, 1, &updated->values[p], result));
    PetscCall(FindingWrite(update->marginals, MARGINAL_DEVIATION, p, 1, &spread, result));
    PetscCall(FindingWrite(update->marginals, MARGINAL_LOW, p, 1, &low, result));
    PetscCall(FindingWrite(update->marginals, MARGINAL_HIGH, p, 1, &high, result));
  }
  PetscCall(PetscMalloc1(size * size, &correlation));
  FindCorrelation(l, correlation);
  PetscCall(FindingWrite(update->marginals, MARGINAL_CORRELATION, 0, size, correlation, result));
  PetscCall(PetscFree(correlation));
  PetscCall(FindingWrite(update->marginals, MARGINAL_LOG_EVIDENCE, 0, 1, &evidence, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SayReason(const Update *update, const char *text, const Result *result)
{
  char reason[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(reason, text, sizeof(reason)));
  PetscCall(FindingWrite(update->marginals, MARGINAL_REASON, 0, 1, reason, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteNormal(const Update *update, const PetscReal z[], const Updated *updated, const Result *result)
{
  PetscBool held = PETSC_FALSE;

  PetscFunctionBegin;
  for (PetscInt p = 0; p < update->num_unknowns; p++) held = (PetscBool)(held || updated->found.parameters[p].at_bound);
  if (updated->laplace.definite) PetscCall(WriteLaplace(update, z, updated, result));
  PetscCall(SayReason(update,
                      !updated->laplace.definite   ? "the targets do not determine all numbers: give priors, or find fewer"
                      : held                       ? "a number is at its bound, where the posterior is not normal: a chain tells more"
                      : !updated->found.converged  ? "the search did not end at a minimum: the posterior is not centred here"
                      : !PosteriorIsProper(update) ? "normal; no evidence, as a number has neither a prior nor two bounds"
                                                   : "normal",
                      result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PosteriorRun(Update *update, Evaluations *evaluations, const Evaluated *best, const Result *result, PetscBool resumed,
                            Updated *updated, Outcome *outcome)
{
  PetscReal   z[FIT_MAX_UNKNOWNS];
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(EvaluationsWorld(evaluations), &rank));
  PosteriorPlaces(update, updated->values, z);
  PetscCall(FindLaplace(update, best, z, &updated->laplace));
  JudgeByPriors(update, z, updated);
  updated->log_likelihood = TargetsLogLikelihood(update, updated->chi_square);
  updated->log_prior      = PosteriorIsProper(update) ? PosteriorLogPrior(update, z) : (PetscReal)NAN;
  if (update->posterior.method == POSTERIOR_CHAIN) PetscCall(WalkRun(update, evaluations, z, result, resumed, updated, outcome));
  if (update->posterior.method != POSTERIOR_LAPLACE) PetscFunctionReturn(PETSC_SUCCESS);
  if (rank == 0) PetscCall(WriteNormal(update, z, updated, result));
  if (updated->laplace.definite) PetscCall(DrawNormal(update, z, updated));
  PetscFunctionReturn(PETSC_SUCCESS);
}
