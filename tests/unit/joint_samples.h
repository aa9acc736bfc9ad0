/* joint_samples.h - for the contract tests of joint laws: random motions, marching a block. */
#pragma once
#include "../check.h"
#include "../law_samples.h"
#include <string.h>

enum { SAMPLE_POINTS = 5, SAMPLE_NUMBERS = JOINT_MAX_DIM * SAMPLE_POINTS, SAMPLE_TANGENTS = JOINT_MAX_DIM * SAMPLE_NUMBERS };

typedef struct {
  JointBlock   block;
  JointHistory history;
  PetscInt     size; /* of a motion or force */
  PetscReal    displacement[SAMPLE_NUMBERS], velocity[SAMPLE_NUMBERS];
  PetscReal    force[SAMPLE_NUMBERS], stiffness[SAMPLE_TANGENTS], damping[SAMPLE_TANGENTS];
  PetscReal    dissipated[SAMPLE_POINTS];
} Joint;

static inline Joint JointOpen(const Sample *sample, PetscInt num_points)
{
  const JointLaw *law   = JointLawFind(sample->law);
  Joint           joint = {.size = num_points * law->dim};

  assert_ok(JointBlockCreate(law, sample->parameters, num_points, &joint.block));
  assert_ok(JointHistoryCreate(&joint.block, &joint.history));
  return joint;
}

static inline void JointClose(Joint *joint)
{
  assert_ok(JointHistoryDestroy(&joint->history));
  assert_ok(JointBlockDestroy(&joint->block));
}

static inline JointMotion MotionOf(const Joint *joint)
{
  return (JointMotion){joint->displacement, joint->velocity};
}

static inline void JointEvaluate(Joint *joint)
{
  const JointMotion motion = MotionOf(joint);
  JointForce        result = {joint->force, joint->stiffness, joint->block.law->traits & JOINT_VISCOUS ? joint->damping : NULL, NULL};

  joint->block.law->evaluate(&joint->block, &joint->history, &motion, &result);
}

static inline void JointCommit(Joint *joint)
{
  const JointMotion motion = MotionOf(joint);
  PetscReal         force[SAMPLE_NUMBERS], loss[SAMPLE_POINTS];
  JointForce        result = {.force = force, .loss = loss};

  if (!joint->block.law->commit) return;
  joint->block.law->evaluate(&joint->block, &joint->history, &motion, &result);
  assert_ok(joint->block.law->commit(&joint->block, &joint->history, &motion, &result, joint->dissipated));
}

/* Moves a joint of one point and component, and gives its force there. */
static inline PetscReal JointMove(Joint *joint, PetscReal displacement)
{
  joint->displacement[0] = displacement;
  JointEvaluate(joint);
  JointCommit(joint);
  return joint->force[0];
}

/* The force at a motion that is not accepted. */
static inline PetscReal JointTry(Joint *joint, PetscReal displacement)
{
  joint->displacement[0] = displacement;
  JointEvaluate(joint);
  return joint->force[0];
}

/* A motion within a range that is drawn anew for each path: from deep in microslip to three times beyond full slip. */
static inline PetscReal RandomRange(uint64_t *seed)
{
  return pow(10, 1.25 * Random(seed) - 0.75);
}

static inline void RandomMotion(Joint *joint, PetscReal range, uint64_t *seed)
{
  for (PetscInt i = 0; i < joint->size; i++) {
    joint->displacement[i] = range * Random(seed);
    joint->velocity[i]     = Random(seed);
  }
}
