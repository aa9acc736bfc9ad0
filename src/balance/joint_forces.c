/* joint_forces.c - the blocks of laws gathered into rows: force, tangent, memory. */
#include "balance/grips.h"

static PetscInt LargestBlock(const System *system, PetscInt power)
{
  PetscInt largest = 1;

  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const JointBlock *block = &system->blocks[b].block;
    const PetscInt    dim   = block->law->dim;

    largest = PetscMax(largest, block->num_points * (power == 1 ? dim : dim * dim));
  }
  return largest;
}

static PetscInt NumComponents(const SystemBlock *block)
{
  return block->block.num_points * block->block.law->dim;
}

PetscBool JointForcesAreDiagonal(const System *system)
{
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *block = &system->blocks[b];

    if (block->block.law->dim > 1) return PETSC_FALSE;
    for (PetscInt c = 0; c < NumComponents(block); c++)
      if (block->first[c + 1] - block->first[c] != 1 || block->factor[c] != 1.0) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* Blocks of scalar laws that alone act on consecutive rows need no gathering and adding up. */
static PetscErrorCode FindDirectBlocks(JointForces *joints)
{
  const System *system = joints->system;
  PetscInt     *uses;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(joints->m, &uses));
  for (PetscInt b = 0; b < system->num_blocks; b++)
    for (PetscInt t = 0; t < system->blocks[b].first[NumComponents(&system->blocks[b])]; t++) uses[system->blocks[b].row[t]]++;
  joints->in_place = PETSC_TRUE;
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *block = &system->blocks[b];
    PetscBool          direct;

    direct =
      (PetscBool)(joints->diagonal && !(block->block.law->traits & (JOINT_VISCOUS | JOINT_RIGID)) && !block->area && !block->offset && !block->rest);
    for (PetscInt i = 0; direct && i < block->block.num_points; i++)
      direct = (PetscBool)(block->row[i] == block->row[0] + i && uses[block->row[i]] == 1);
    joints->first_row[b] = direct ? block->row[0] : -1;
    joints->in_place     = (PetscBool)(joints->in_place && direct);
    joints->viscous      = (PetscBool)(joints->viscous || (block->block.law->traits & (JOINT_VISCOUS | JOINT_RIGID)));
  }
  PetscCall(PetscFree(uses));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All terms of two components of a point. */
static inline void AddToPattern(const TangentPattern *pattern, const SystemBlock *block, PetscInt force, PetscInt motion, PetscReal tangent,
                                PetscReal tangents[])
{
  for (PetscInt t = block->first[force]; t < block->first[force + 1]; t++)
    for (PetscInt s = block->first[motion]; s < block->first[motion + 1]; s++)
      tangents[block->row[t] * pattern->width + pattern->place[block->row[s]]] += block->factor[t] * block->factor[s] * tangent;
}

/* Adds the derivative of component `force` of a point by component `motion` to the tangents of the rows. */
static inline void AddTangent(const JointForces *joints, const SystemBlock *block, PetscInt force, PetscInt motion, PetscInt point, PetscReal tangent,
                              PetscReal tangents[])
{
  const PetscInt n = block->block.num_points;

  if (joints->diagonal) tangents[block->row[point]] += tangent;
  else if (joints->by_points) AddToPattern(&joints->pattern, block, force * n + point, motion * n + point, tangent, tangents);
  else SystemBlockAddTangent(block, force * n + point, motion * n + point, tangent, joints->m, tangents);
}

static PetscInt NumTangents(const JointForces *joints)
{
  return joints->m * (joints->diagonal ? 1 : joints->by_points ? joints->pattern.width : joints->m);
}

/* What K0 contains, or what is closed, point by point. */
static void AddPoints(const JointForces *joints, PetscBool closed, PetscReal tangents[])
{
  PetscReal point[JOINT_MAX_DIM * JOINT_MAX_DIM];

  for (PetscInt b = 0; b < joints->system->num_blocks; b++) {
    const SystemBlock *const block = &joints->system->blocks[b];
    const PetscInt           dim   = block->block.law->dim;

    for (PetscInt i = 0; i < block->block.num_points; i++) {
      if (closed) SystemBlockClosed(block, i, point);
      else SystemBlockStiffness(block, JOINT_STUCK, i, point);
      for (PetscInt t = 0; t < dim * dim; t++) AddTangent(joints, block, t / dim, t % dim, i, point[t], tangents);
    }
  }
}

PetscErrorCode JointForcesRefer(JointForces *joints)
{
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(joints->stiffness, NumTangents(joints)));
  AddPoints(joints, PETSC_FALSE, joints->stiffness);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of rows that are coupled: a moment is a force at this arm. */
static void FindLevers(JointForces *joints)
{
  const TangentPattern *const pattern = &joints->pattern;

  for (PetscInt r = 0; r < joints->m; r++) {
    const PetscReal own  = joints->closed[r * pattern->width + pattern->place[r]];
    PetscReal       most = 0.0;

    joints->lever[r] = 1.0;
    if (r >= joints->system->names.num_nonlinear || joints->system->names.rows[r].direction < 3) continue;
    for (PetscInt e = r * pattern->width; e < (r + 1) * pattern->width; e++) {
      const PetscInt other = pattern->column[e];

      if (other < joints->system->names.num_nonlinear && joints->system->names.rows[other].direction < 3)
        most = PetscMax(most, joints->closed[other * pattern->width + pattern->place[other]]);
    }
    if (most > 0.0 && own > 0.0) joints->lever[r] = PetscSqrtReal(own / most);
  }
}

PetscErrorCode JointForcesCreate(const System *system, PetscInt m, PetscBool gather, JointForces *joints)
{
  const PetscInt values = LargestBlock(system, 1), tangents = LargestBlock(system, 2);

  PetscFunctionBegin;
  *joints = (JointForces){.system = system, .m = m, .diagonal = JointForcesAreDiagonal(system)};
  PetscCall(TangentPatternCreate(system, m, gather, &joints->pattern));
  joints->by_points = (PetscBool)(!joints->diagonal && joints->pattern.width > 0);
  PetscCall(PetscCalloc2(NumTangents(joints), &joints->stiffness, NumTangents(joints), &joints->tangent));
  PetscCall(PetscCalloc4(m, &joints->motion, m, &joints->rate, m, &joints->force, m, &joints->loss));
  PetscCall(PetscCalloc5(values, &joints->block_motion, values, &joints->block_rate, values, &joints->block_force, values, &joints->block_loss,
                         values, &joints->block_dissipated));
  PetscCall(PetscCalloc2(tangents, &joints->block_stiffness, tangents, &joints->block_damping));
  PetscCall(PetscMalloc1(system->num_blocks, &joints->first_row));
  PetscCall(FindDirectBlocks(joints));
  PetscCall(JointForcesRefer(joints));
  if (!joints->by_points) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc2(NumTangents(joints), &joints->closed, m, &joints->lever));
  AddPoints(joints, PETSC_TRUE, joints->closed);
  FindLevers(joints);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointForcesDestroy(JointForces *joints)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(joints->stiffness, joints->tangent));
  PetscCall(PetscFree4(joints->motion, joints->rate, joints->force, joints->loss));
  PetscCall(PetscFree5(joints->block_motion, joints->block_rate, joints->block_force, joints->block_loss, joints->block_dissipated));
  PetscCall(PetscFree2(joints->block_stiffness, joints->block_damping));
  PetscCall(PetscFree(joints->first_row));
  PetscCall(TangentPatternDestroy(&joints->pattern));
  PetscCall(PetscFree2(joints->closed, joints->lever));
  PetscCall(PetscFree3(joints->held_motion, joints->held_force, joints->held_stiffness));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void Gather(const SystemBlock *block, const PetscReal rows[], PetscReal values[])
{
  const PetscInt count = NumComponents(block);

  for (PetscInt c = 0; c < count; c++) {
    values[c] = 0.0;
    for (PetscInt t = block->first[c]; t < block->first[c + 1]; t++) values[c] += block->factor[t] * rows[block->row[t]];
  }
}

/* From a unit of area to the points. */
static void Spread(const SystemBlock *block, PetscInt count, PetscReal values[])
{
  const PetscInt n = block->block.num_points;

  for (PetscInt c = 0; block->area && c < count; c++)
    for (PetscInt i = 0; i < n; i++) values[c * n + i] *= block->area[i];
}

/* What the law gave becomes what the points transmit. */
static void SpreadForce(const SystemBlock *block, JointForce *result)
{
  const PetscInt dim = block->block.law->dim;

  Spread(block, dim, result->force);
  Spread(block, dim * dim, result->stiffness);
  if (block->block.law->traits & JOINT_VISCOUS) Spread(block, dim * dim, result->damping);
  for (PetscInt c = 0; block->rest && c < NumComponents(block); c++) result->force[c] -= block->rest[c];
}

/* Adds a block's force and tangent (with its damping times `rate_factor`) to those of the rows. */
static void Scatter(JointForces *joints, const SystemBlock *block, PetscReal rate_factor)
{
  const PetscInt  dim = block->block.law->dim, n = block->block.num_points;
  const PetscBool viscous = (PetscBool)((block->block.law->traits & JOINT_VISCOUS) != 0);

  for (PetscInt c = 0; c < n * dim; c++)
    for (PetscInt t = block->first[c]; t < block->first[c + 1]; t++) joints->force[block->row[t]] += block->factor[t] * joints->block_force[c];
  for (PetscInt c = 0; c < dim; c++)
    for (PetscInt e = 0; e < dim; e++)
      for (PetscInt i = 0; i < n; i++) {
        const PetscInt from    = (c * dim + e) * n + i;
        PetscReal      tangent = joints->block_stiffness[from];

        if (viscous) tangent += rate_factor * joints->block_damping[from];
        AddTangent(joints, block, c, e, i, tangent, joints->tangent);
      }
}

/* Components along the faces, and their tangents, become those at the held normal motion; what is along does not ask what is normal. */
static void HoldFriction(JointForces *joints, const SystemBlock *block, const JointHistory *history, const JointMotion *motion)
{
  const PetscInt n = block->block.num_points, dim = block->block.law->dim;
  JointForce     result = {joints->held_force, joints->held_stiffness, NULL, NULL};

  for (PetscInt i = 0; i < n; i++) {
    joints->block_motion[i] = block->offset ? block->offset[i] : 0.0;
    for (PetscInt t = block->first[i]; t < block->first[i + 1]; t++) joints->block_motion[i] += block->factor[t] * joints->held[block->row[t]];
  }
  block->block.law->evaluate(&block->block, history, motion, &result);
  for (PetscInt c = n; c < dim * n; c++) joints->block_force[c] = joints->held_force[c];
  for (PetscInt t = dim; t < dim * dim; t++)
    for (PetscInt i = 0; i < n; i++) joints->block_stiffness[t * n + i] = t % dim ? joints->held_stiffness[t * n + i] : 0.0;
}

static void EvaluateGathered(JointForces *joints, const SystemBlock *block, const JointHistory *history, PetscReal rate_factor)
{
  const JointMotion motion = {joints->block_motion, joints->block_rate};
  JointForce        result = {joints->block_force, joints->block_stiffness, joints->block_damping, NULL};

  SystemBlockMotion(block, joints->motion, joints->block_motion);
  if (block->block.law->traits & JOINT_VISCOUS) Gather(block, joints->rate, joints->block_rate);
  block->block.law->evaluate(&block->block, history, &motion, &result);
  if (joints->held && block->block.law->inspect) HoldFriction(joints, block, history, &motion);
  SpreadForce(block, &result);
  Scatter(joints, block, rate_factor);
}

void JointForcesEvaluate(JointForces *joints, const State *state, PetscReal rate_factor)
{
  const System  *system = joints->system;
  const PetscInt m      = joints->m;

  if (!joints->in_place) {
    const PetscInt num_tangents = NumTangents(joints);

    for (PetscInt i = 0; i < m; i++) joints->force[i] = 0.0;
    for (PetscInt i = 0; i < num_tangents; i++) joints->tangent[i] = 0.0;
  }
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *block  = &system->blocks[b];
    const PetscInt     row    = joints->first_row[b];
    const JointMotion  motion = {joints->motion + row, NULL};
    JointForce         result = {joints->force + row, joints->tangent + row, NULL, joints->loss + row};

    if (block->block.law->grip) GripEvaluate(joints, block, state, rate_factor);
    else if (row < 0) EvaluateGathered(joints, block, &state->history[b], rate_factor);
    else block->block.law->evaluate(&block->block, &state->history[b], &motion, &result);
  }
}

/* closed (motion + offset) - rest, and closed, in the rows of faces. */
static void CloseBlock(JointForces *joints, const SystemBlock *block)
{
  const PetscInt dim = block->block.law->dim, n = block->block.num_points, width = joints->pattern.width;

  for (PetscInt c = 0; c < dim * n; c++) {
    const PetscInt row = block->row[c];

    joints->force[row] = block->rest ? -block->rest[c] : 0.0;
    for (PetscInt e = 0; e < dim; e++) {
      const PetscInt  component = e * n + c % n, at = row * width + joints->pattern.place[block->row[component]];
      const PetscReal motion = joints->motion[block->row[component]] + (block->offset ? block->offset[component] : 0.0);

      joints->tangent[at] = joints->closed[at];
      joints->force[row] += joints->closed[at] * motion;
    }
  }
}

void JointForcesClose(JointForces *joints, const State *state, PetscReal rate_factor)
{
  JointForcesEvaluate(joints, state, rate_factor);
  for (PetscInt b = 0; b < joints->system->num_blocks; b++)
    if (joints->system->blocks[b].closed) CloseBlock(joints, &joints->system->blocks[b]);
}

PetscErrorCode JointForcesHold(JointForces *joints, const PetscReal motion[])
{
  const PetscInt values = LargestBlock(joints->system, 1), tangents = LargestBlock(joints->system, 2);

  PetscFunctionBegin;
  if (motion && !joints->held_motion)
    PetscCall(PetscMalloc3(joints->m, &joints->held_motion, values, &joints->held_force, tangents, &joints->held_stiffness));
  if (motion) PetscCall(PetscArraycpy(joints->held_motion, motion, joints->m));
  joints->held = motion ? joints->held_motion : NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Those of faces also have their parts: `parts`, else NULL. */
static PetscErrorCode CommitGathered(JointForces *joints, const SystemBlock *block, JointHistory *history, PetscReal dissipated[], PetscReal parts[])
{
  const JointMotion motion = {joints->block_motion, joints->block_rate};
  JointForce        result = {joints->block_force, joints->block_stiffness, joints->block_damping, joints->block_loss};
  const PetscInt    n      = block->block.num_points;

  PetscFunctionBeginHot;
  SystemBlockMotion(block, joints->motion, joints->block_motion);
  if (block->block.law->traits & JOINT_VISCOUS) Gather(block, joints->rate, joints->block_rate);
  for (PetscInt i = 0; i < n; i++) joints->block_dissipated[i] = 0.0;
  block->block.law->evaluate(&block->block, history, &motion, &result);
  PetscCall(block->block.law->commit(&block->block, history, &motion, &result, joints->block_dissipated));
  Spread(block, 1, joints->block_dissipated);
  for (PetscInt i = 0; i < n; i++) dissipated[SystemBlockRow(block, i)] += joints->block_dissipated[i]; /* several rows: the first */
  for (PetscInt i = 0; parts && i < n; i++) parts[i] += joints->block_dissipated[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointForcesCommit(JointForces *joints, State *state)
{
  const System *system = joints->system;
  PetscReal    *parts  = state->parts_dissipated;

  PetscFunctionBeginHot;
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *block  = &system->blocks[b];
    const PetscInt     row    = joints->first_row[b];
    const JointMotion  motion = {joints->motion + row, NULL};
    const JointForce   result = {.force = joints->force + row, .loss = joints->loss + row};

    if (!block->block.law->commit) continue;
    if (block->block.law->grip) PetscCall(GripCommit(joints, block, state, &state->history[b], state->dissipated));
    else if (row < 0) PetscCall(CommitGathered(joints, block, &state->history[b], state->dissipated, block->block.law->inspect ? parts : NULL));
    else PetscCall(block->block.law->commit(&block->block, &state->history[b], &motion, &result, state->dissipated + row));
    if (block->block.law->inspect) parts += block->block.num_points;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void JointForcesInspect(JointForces *joints, const State *state, PetscReal face_state[], PetscReal pressing[])
{
  for (PetscInt b = 0, first = 0; b < joints->system->num_blocks; b++) {
    const SystemBlock *block  = &joints->system->blocks[b];
    const JointMotion  motion = {joints->block_motion, NULL};

    if (!block->block.law->inspect) continue;
    SystemBlockMotion(block, state->motion, joints->block_motion);
    block->block.law->inspect(&block->block, &state->history[b], &motion, face_state + first, pressing + first);
    Spread(block, 1, pressing + first);
    first += block->block.num_points;
  }
}
