/*
  elastic.h - laws of one component whose force is a function of the displacement alone.

  A law gives its curve; these functions are inline so that the compiler puts the curve into the loops.
*/
#pragma once
#include "functions.h"

typedef struct {
  PetscReal force; /* [N] */
  PetscReal slope; /* [N/m] */
} ElasticPoint;

typedef ElasticPoint (*ElasticCurve)(const PetscReal parameters[], PetscReal displacement);

/* An elastic joint knows no slip: its tangent at rest is both its limits. */
static inline void ElasticLimit(const JointBlock *block, JointState state, PetscReal stiffness[], ElasticCurve curve)
{
  stiffness[0] = curve(block->parameters, 0).slope;
}

static inline void ElasticEvaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result,
                                   ElasticCurve curve)
{
  const PetscReal *restrict displacement = motion->displacement;
  const PetscReal *restrict parameters   = block->parameters;
  PetscReal *restrict force              = result->force;
  PetscReal *restrict stiffness          = result->stiffness;

  for (PetscInt i = 0; i < block->num_points; i++) force[i] = curve(parameters, displacement[i]).force;
  if (!stiffness) return;
  for (PetscInt i = 0; i < block->num_points; i++) stiffness[i] = curve(parameters, displacement[i]).slope;
}

static inline PetscErrorCode ElasticDifferentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion,
                                                  const JointMotion *dmotion, JointHistory *dhistory, PetscReal dforce[], ElasticCurve curve)
{
  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < block->num_points; i++) dforce[i] = curve(block->parameters, motion->displacement[i]).slope * dmotion->displacement[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A law of this engine: its functions around a curve, and the members of JointLaw that they are. It has the trait JOINT_ELASTIC. */
#define ELASTIC_FUNCTIONS(Curve) \
  JOINT_LIMIT(ElasticLimit, Curve) \
  JOINT_EVALUATE(ElasticEvaluate, Curve) \
  JOINT_DIFFERENTIATE(ElasticDifferentiate, Curve)
#define ELASTIC_LAW .dim = 1, .limit = Limit, .evaluate = Evaluate, .differentiate = Differentiate
