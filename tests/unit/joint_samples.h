/* joint_samples.h - for the contract tests of joint laws: parameters for every law, random motions, marching a block. */
#pragma once
#include "../check.h"
#include "joint.h"
#include <string.h>

enum { SAMPLE_POINTS = 5, SAMPLE_NUMBERS = JOINT_MAX_DIM * SAMPLE_POINTS, SAMPLE_TANGENTS = JOINT_MAX_DIM * SAMPLE_NUMBERS };

/* All of order one: motions, forces, stiffnesses. */
typedef struct {
  const char *law;
  PetscReal   parameters[JOINT_MAX_PARAMETERS];
} Sample;

static const Sample samples[] = {
  {"spring", {1.3}},
  {"damper", {0.7}},
  {"cubic", {0.8, 0.5}},
  {"cubic", {1.5, -0.1}},
  {"gap", {1.7, 0.3, 1}},
  {"gap", {1.7, 0.2, 2}},
  {"gap", {1.7, 0, 1}},
  {"jenkins", {1.2, 0.6}},
  {"iwan4", {0.7, 1, -0.5, 5, 0}},
  {"iwan4", {0.6, 1, -0.23, 0.46, 0}},
  {"iwan4", {0.8, 1.1, 0, 0, 0}},
  {"iwan4", {0.5, 1, -0.9, 0.1, 0}},
  {"iwan4", {0.7, 1, -0.5, 5, 20}},
  {"mindlin", {0.5, 0.25, 0.5, 1.4}},
  {"mindlin_spheres", {2, 2, 0.85, 0.3, 0.85, 0.3, 0.5, 1.4}},
  {"mindlin_spheres", {1, 0, 1.5, 0.2, 0.6, 0.4, 0.4, 1.4}},
  {"rough_interface", {0.3, 0.3, 2, 1.1, 0.3, 1.1, 0.3, 1.5, 0.3, 0.9}},
  {"rough_exponential", {0.3, 0.3, 2, 1.1, 0.3, 1.1, 0.3, 1.5, 0.3, 0.9}},
  {"dahl", {1.2, 0.6, 1}},
  {"dahl", {1.2, 0.6, 1.0 / 3}},
  {"dahl", {1, 0.7, 1.4}},
  {"mindlin_dahl", {1.2, 0.6, 1.0 / 3}},
  {"mindlin_dahl", {1, 0.5, 1}},
  {"mindlin_dahl_simplified", {1.2, 0.6, 1.0 / 3, 0.5}},
  {"bouc_wen", {0.1, 1, 1.1, 1.5, 0.4, 1}},
  {"bouc_wen", {0, 1, 1, 1, 1, 1}},
  {"bouc_wen", {0.1, 0.5, 1, 1, 0.3, 2}},
  {"bouc_wen_rough", {1.2, 0.8, 1.7, 0.2, 0.1}},
  {"valanis", {1.5, 0.1, 0.7, 0.6, 1, 0, 0, 1}},
  {"valanis", {1.5, 0.1, 0.7, 0.6, 3, 0, 0.3, 1}},
  {"valanis", {1, 0.1, 0.7, 0.3, 2, 0.05, 0, 1}},
  {"valanis", {1.5, 0.1, 0.7, 0.6, 1, 0, 0, 2}},
  {"valanis", {1, 0.1, 0.7, 0.3, 2, 0.05, 0, 2}},
  {"generalized_valanis", {0.6, 0.9, 0.1, 0.05, 0.02, 0, -0.02, 0.01, 0.005, 0, 0, 0.002, 0.0005, 1}},
  {"generalized_valanis", {0.6, 0.9, 0.1, 0, 0, 0, 0, 0, 0.02, 0, 0, 0, 0, 2, 0.5, -0.8, -0.1, 0.05}},
};

enum { NUM_SAMPLES = sizeof samples / sizeof samples[0] };

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

/* Uniform between -1 and 1 [Marsaglia 2003, xorshift64]. */
static inline PetscReal Random(uint64_t *seed)
{
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return (PetscReal)(*seed >> 11) / 4503599627370496.0 - 1;
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
