/*
  elastic_lanes.h - laws of elastic.h on all lanes at once.

  A law gives its curve once more, on Wide numbers: the same operations in the same order as its other one.
*/
#pragma once
#include "elastic.h"
#include "joint/lanes.h"

typedef struct {
  Wide force, slope;
} ElasticWidePoint;

typedef ElasticWidePoint (*ElasticWideCurve)(const Wide parameters[], Wide displacement);

static inline const PetscReal *ElasticParameters(const JointBlock *block)
{
  return block->parameters;
}

static inline void ElasticEvaluateLanes(const JointLanes *lanes, const Wide motion[], Wide force[], Wide stiffness[], Wide loss[],
                                        ElasticWideCurve curve)
{
  (void)loss; /* there is none */
  for (PetscInt i = 0; i < lanes->num_points; i++) {
    const ElasticWidePoint point = curve(lanes->constants, motion[i]);

    force[i]     = point.force;
    stiffness[i] = point.slope;
  }
}

/* What a law of elastic.h adds to run in lanes: this line before its JointLaw, `.lanes = &lane_law` among its members. */
#define ELASTIC_LANES(WideCurve, count) \
  JOINT_FLAT static void EvaluateLanes(const JointLanes *lanes, const Wide motion[], Wide force[], Wide stiffness[], Wide loss[]) \
  { \
    ElasticEvaluateLanes(lanes, motion, force, stiffness, loss, WideCurve); \
  } \
  static const JointLaneLaw lane_law = {.num_constants = (count), .constants = ElasticParameters, .evaluate = EvaluateLanes};
