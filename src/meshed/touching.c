/* touching.c - faces of the mesh that touch: the motions of their points, and what holds them together. */
#include "meshed_private.h"
#include <string.h>
#include "triplets.h"

static PetscErrorCode Grow(Touching *touching, Interface **added)
{
  PetscFunctionBegin;
  PetscCall(PetscRealloc((size_t)(touching->count + 1) * sizeof(*touching->interfaces), &touching->interfaces));
  *added = &touching->interfaces[touching->count++];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TouchingDestroy(Touching *touching)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < touching->count; i++) {
    PetscCall(FacePointsDestroy(&touching->interfaces[i].points));
    PetscCall(PetscFree(touching->interfaces[i].held));
  }
  PetscCall(PetscFree(touching->interfaces));
  PetscCall(PetscFree(touching->beams));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What lies behind the faces of both groups: false after a complaint. */
static PetscErrorCode FindInsides(const MeshedPart *meshed, const InputNode *node, const PetscInt groups[2], PetscReal *inside[2], PetscBool *fine)
{
  PetscFunctionBegin;
  *fine = PETSC_TRUE;
  for (PetscInt side = 0; side < 2; side++) {
    PetscBool found;

    PetscCall(PetscMalloc1(SPACE * MeshGetGroup(meshed->mesh, groups[side])->count, &inside[side]));
    PetscCall(FacesFindInside(meshed, InputItem(node, side), groups[side], inside[side], &found));
    *fine = (PetscBool)(*fine && found);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A node's motion along a direction, times a factor. */
static PetscErrorCode AddAlong(const MeshedPart *meshed, PetscInt node, const PetscReal direction[SPACE], PetscReal factor, MeshMotion *sum)
{
  PetscFunctionBegin;
  for (PetscInt c = 0; c < SPACE; c++)
    if (factor * direction[c] != 0.0) PetscCall(MeshMotionAddNode(meshed, node, c, factor * direction[c], sum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The motion of a point along an axis of its frame: frame . sum weight u, and along the faces what their turning adds over a gap. */
static PetscErrorCode AddMotion(const MeshedPart *meshed, const FacePoints *points, PetscInt point, PetscInt axis, MeshMotion *sum)
{
  const PetscReal *const frame = points->frame + SPACE * SPACE * point;

  PetscFunctionBegin;
  for (PetscInt t = points->first[point]; t < points->first[point + 1]; t++) {
    PetscCall(AddAlong(meshed, points->term[t], frame + SPACE * axis, points->weight[t], sum));
    if (axis > 0) PetscCall(AddAlong(meshed, points->term[t], frame, points->turn[2 * t + axis - 1], sum));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of tied faces the motions that are held. Where supports hold the node of a point nothing is: they hold the other side too, and what is
   left of an equation there would hold it once more. */
static PetscErrorCode FindHeld(const MeshedPart *meshed, Interface *tied)
{
  const PetscInt num = SPACE * tied->points->num_points;
  PetscInt      *moves;
  MeshMotion     sum = {0, 0, NULL, NULL};

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(num, &moves));
  for (PetscInt i = 0; i < num; i++) {
    sum.count = 0;
    PetscCall(AddAlong(meshed, tied->points->node[i / SPACE], tied->points->frame + SPACE * i, 1.0, &sum));
    moves[i] = sum.count;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, moves, (PetscMPIInt)num, MPIU_INT, MPI_SUM, MeshComm(meshed->mesh)));
  PetscCall(PetscMalloc1(num, &tied->held));
  for (PetscInt i = 0; i < num; i++)
    if (moves[i]) tied->held[tied->num_held++] = i;
  PetscCall(MeshMotionDestroy(&sum));
  PetscCall(PetscFree(moves));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Faces that share nodes, and faces that are nowhere near each other. */
static PetscErrorCode CheckPoints(const MeshedPart *meshed, const InputNode *node, const PetscInt groups[2], const FacePoints *points,
                                  PetscBool *fine)
{
  const char *const name = MeshGetGroup(meshed->mesh, groups[0])->name, *const other = MeshGetGroup(meshed->mesh, groups[1])->name;

  PetscFunctionBegin;
  *fine = (PetscBool)(points->num_shared == 0 && points->num_points > 0);
  if (points->num_shared)
    PetscCall(InputComplain(
      node,
      "%" PetscInt_FMT
      " nodes belong to both '%s' and '%s': faces that touch have nodes of their own (in Gmsh neither fragment the bodies nor remove duplicates)",
      points->num_shared, name, other));
  else if (points->num_points == 0) PetscCall(InputComplain(node, "the faces of '%s' and '%s' do not meet", name, other));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Meet(MeshedPart *meshed, const char *joint, const InputNode *node, const PetscInt groups[2], PetscInt slave, PetscReal reach,
                           PetscBool tied, const FacePoints **points)
{
  PetscReal  *inside[2];
  PetscBool   fine;
  FacePoints *found = NULL;
  Interface  *added = NULL;

  PetscFunctionBegin;
  PetscCall(FindInsides(meshed, node, groups, inside, &fine));
  if (fine) {
    const FacePairing pairing = {.groups = {groups[0], groups[1]}, .slave = slave, .reach = reach, .inside = {inside[0], inside[1]}};

    PetscCall(FacePointsFind(meshed->mesh, &pairing, &found));
    PetscCall(CheckPoints(meshed, node, groups, found, &fine));
    if (!fine) PetscCall(FacePointsDestroy(&found));
  }
  for (PetscInt side = 0; side < 2; side++) PetscCall(PetscFree(inside[side]));
  if (!fine) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Grow(&meshed->touching, &added));
  *added = (Interface){.joint = joint, .node = node, .groups = {groups[0], groups[1]}, .tied = tied, .points = found};
  if (tied) PetscCall(FindHeld(meshed, added));
  *points = found;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartTouch(MeshedPart *meshed, const char *joint, const InputNode *node, const InputTexts *groups, PetscInt slave,
                               PetscReal reach, PetscBool tied, PetscBool parts_are_fine, const FacePoints **points)
{
  PetscInt index[2];

  PetscFunctionBegin;
  *points = NULL;
  if (!meshed->mesh) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt side = 0; side < 2; side++)
    PetscCall(MeshChooseGroup(meshed->mesh, InputItem(node, side), SPACE - 1, groups->values[side], &index[side]));
  if (index[0] < 0 || index[1] < 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (index[0] == index[1]) PetscCall(InputComplain(node, "a face cannot touch itself: give two groups"));
  else if (parts_are_fine) PetscCall(Meet(meshed, joint, node, index, slave, reach, tied, points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Young's modulus and Poisson's ratio; of an orthotropic material those of an isotropic one that is as stiff along x, y, z on average. */
static void TakeModuli(const Material *material, PetscReal *young, PetscReal *poisson)
{
  const PetscReal usual = 0.3;
  PetscReal       along = 0.0;

  for (PetscInt c = 0; c < SPACE; c++) along += material->tensor[c][c][c][c] / SPACE;
  *poisson = material->isotropic ? material->poisson : usual;
  *young   = material->isotropic ? material->young : along * (1.0 + usual) * (1.0 - 2.0 * usual) / (1.0 - usual);
}

/* Whether an element has a face among these nodes, which are ascending: three of its own at least. */
static PetscErrorCode HasFace(const Batch *batch, PetscInt e, PetscInt count, const PetscInt nodes[], PetscBool *has)
{
  const PetscInt width = mesh_shapes[batch->block->shape].num_nodes;
  PetscInt       found = 0;

  PetscFunctionBegin;
  for (PetscInt k = 0; k < width; k++) {
    PetscInt at;

    PetscCall(PetscFindInt(batch->block->nodes[batch->elements[e] * width + k], count, nodes, &at));
    found += at >= 0;
  }
  *has = (PetscBool)(found >= 3);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* E / (1 - nu^2) of the stiffest part behind a group, and its nu. */
static PetscErrorCode StiffestBehind(const MeshedPart *meshed, PetscInt group, PetscReal *modulus, PetscReal *poisson)
{
  PetscInt  count, *nodes;
  PetscReal found[2] = {0.0, 0.0}, all[2];

  PetscFunctionBegin;
  PetscCall(MeshGroupNodes(meshed->mesh, group, &count, &nodes));
  for (PetscInt b = 0; b < meshed->made.num_batches; b++) {
    const Batch *const batch = &meshed->made.batches[b];
    PetscBool          has   = PETSC_FALSE;
    PetscReal          young, nu;

    if (mesh_shapes[batch->block->shape].dim < SPACE || !batch->properties.material) continue;
    for (PetscInt e = 0; e < batch->count && !has; e++) PetscCall(HasFace(batch, e, count, nodes, &has));
    TakeModuli(batch->properties.material, &young, &nu);
    if (!has || young / (1.0 - nu * nu) <= found[0]) continue;
    found[0] = young / (1.0 - nu * nu);
    found[1] = nu;
  }
  PetscCall(PetscFree(nodes));
  PetscCallMPI(MPI_Allreduce(found, all, 2, MPIU_REAL, MPIU_MAX, MeshComm(meshed->mesh)));
  *modulus = all[0];
  if (found[0] < all[0]) found[1] = 0.0;
  PetscCallMPI(MPI_Allreduce(&found[1], poisson, 1, MPIU_REAL, MPIU_MAX, MeshComm(meshed->mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartContactModulus(const MeshedPart *meshed, const FacePoints *points, PetscReal *modulus, PetscReal *poisson)
{
  const Interface *touching = meshed->touching.interfaces;
  PetscReal        side[2], ratio[2];

  PetscFunctionBegin;
  while (touching->points != points) touching++;
  for (PetscInt i = 0; i < 2; i++) PetscCall(StiffestBehind(meshed, touching->groups[i], &side[i], &ratio[i]));
  *modulus = 1.0 / (1.0 / side[0] + 1.0 / side[1]);
  *poisson = 0.5 * (ratio[0] + ratio[1]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt TouchingNumHeld(const Touching *touching)
{
  PetscInt count = 0;

  for (PetscInt i = 0; i < touching->count; i++) count += touching->interfaces[i].num_held;
  return count;
}

const Interface *TouchingOfHeld(const Touching *touching, PetscInt i)
{
  const Interface *found = touching->interfaces;

  for (; i >= found->num_held; found++) i -= found->num_held;
  return found;
}

PetscErrorCode TouchingAddHeld(const MeshedPart *meshed, PetscInt i, MeshMotion *sum)
{
  const Interface *const found = TouchingOfHeld(&meshed->touching, i);

  PetscFunctionBegin;
  for (const Interface *before = meshed->touching.interfaces; before < found; before++) i -= before->num_held;
  PetscCall(AddMotion(meshed, found->points, found->held[i] / SPACE, found->held[i] % SPACE, sum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The next row, which is empty again afterwards. */
static PetscErrorCode TakeRow(MeshMotion *sum, PetscInt *row, Triplets *triplets)
{
  PetscFunctionBegin;
  for (PetscInt t = 0; t < sum->count; t++) PetscCall(TripletsAdd(*row, sum->unknown[t], sum->factor[t], triplets));
  sum->count = 0;
  ++*row;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TouchingMatrix(const MeshedPart *meshed, Mat *motions)
{
  const Touching *const touching = &meshed->touching;
  Triplets              triplets = {0};
  MeshMotion            sum      = {0, 0, NULL, NULL};
  PetscInt              row      = 0;

  PetscFunctionBegin;
  *motions = NULL;
  for (PetscInt i = 0; i < touching->count; i++) {
    const Interface *const interface = &touching->interfaces[i];

    for (PetscInt m = 0; m < SPACE * interface->points->num_points && !interface->tied; m++) {
      PetscCall(AddMotion(meshed, interface->points, m / SPACE, m % SPACE, &sum));
      PetscCall(TakeRow(&sum, &row, &triplets));
    }
  }
  for (PetscInt i = 0; i < NUM_DIRECTIONS * touching->num_beams; i++) {
    PetscCall(BeamBoltAdd(meshed, &touching->beams[i / NUM_DIRECTIONS], i % NUM_DIRECTIONS, &sum));
    PetscCall(TakeRow(&sum, &row, &triplets));
  }
  PetscCall(MeshMotionDestroy(&sum));
  if (row == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(TripletsMatrix(&triplets, MeshComm(meshed->mesh), PETSC_DECIDE, row, meshed->unknowns.num_local, meshed->unknowns.num_total, motions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which row of the matrix above each row of B is; -1 for those of joints between points. */
static PetscErrorCode NumberRows(const MeshedPart *meshed, const System *system, PetscInt **number)
{
  const Names *const names = &system->names;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(names->num_rows, number));
  for (PetscInt r = 0; r < names->num_rows; r++) {
    const NamedRow *const row   = &names->rows[r];
    PetscInt              first = 0;

    (*number)[r] = -1;
    for (PetscInt i = 0; row->point != NO_FACE_POINT && (*number)[r] < 0; i++) {
      const Interface *const interface = &meshed->touching.interfaces[i];

      if (!strcmp(interface->joint, row->joint)) (*number)[r] = first + SPACE * row->point + row->direction;
      if (!interface->tied) first += SPACE * interface->points->num_points;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TouchingPlace(const MeshedPart *meshed, const Continuum *continuum, const System *system, PetscInt **place)
{
  PetscInt num_rows, *number;

  PetscFunctionBegin;
  PetscCall(MatGetSize(continuum->touching, &num_rows, NULL));
  PetscCall(NumberRows(meshed, system, &number));
  PetscCall(PetscMalloc1(num_rows, place));
  for (PetscInt i = 0; i < num_rows; i++) (*place)[i] = -1;
  for (PetscInt r = 0; r < system->names.num_rows; r++)
    if (number[r] >= 0) (*place)[number[r]] = r;
  PetscCall(PetscFree(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The tangents of the points of a block, among the rows that this rank has. */
static PetscErrorCode AddTangents(const SystemBlock *block, JointState state, const PetscInt number[], Mat tangents)
{
  const PetscInt dim = block->block.law->dim, n = block->block.num_points;
  PetscInt       first, end;
  PetscReal      tangent[JOINT_MAX_DIM * JOINT_MAX_DIM];

  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(tangents, &first, &end));
  for (PetscInt i = 0; i < n; i++) {
    SystemBlockStiffness(block, state, i, tangent);
    for (PetscInt c = 0; c < dim; c++) {
      const PetscInt row = number[block->row[block->first[c * n + i]]];

      for (PetscInt e = 0; e < dim && row >= first && row < end; e++)
        PetscCall(MatSetValue(tangents, row, number[block->row[block->first[e * n + i]]], tangent[c * dim + e], ADD_VALUES));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What linear laws add: their rows of B are empty in the System, whose K has none of it. */
static PetscErrorCode AddLinear(const System *system, const PetscInt number[], Mat tangents)
{
  PetscInt first, end;

  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(tangents, &first, &end));
  for (PetscInt r = 0; r < system->names.num_rows; r++)
    if (number[r] >= first && number[r] < end) PetscCall(MatSetValue(tangents, number[r], number[r], system->rows[r].stiffness, ADD_VALUES));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Those of beams are the last rows. */
static PetscErrorCode AddBeams(const MeshedPart *meshed, PetscInt num_rows, Mat tangents)
{
  const Touching *const touching = &meshed->touching;
  const PetscInt        num = NUM_DIRECTIONS * touching->num_beams, before = num_rows - num;
  PetscInt              first, end;

  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(tangents, &first, &end));
  for (PetscInt i = 0; i < num; i++) {
    PetscReal stiffness = touching->beams[i / NUM_DIRECTIONS].stiffness[i % NUM_DIRECTIONS];

    if (meshed->stress) stiffness += StressOfDeformation(meshed, i / NUM_DIRECTIONS, i % NUM_DIRECTIONS);

    if (before + i >= first && before + i < end) PetscCall(MatSetValue(tangents, before + i, before + i, stiffness, ADD_VALUES));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TangentMatrix(const MeshedPart *meshed, const Continuum *continuum, const System *system, JointState state, Mat *tangents)
{
  PetscInt *number, num_local, num_rows;

  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(continuum->touching, &num_local, NULL));
  PetscCall(MatGetSize(continuum->touching, &num_rows, NULL));
  PetscCall(
    MatCreateAIJ(PetscObjectComm((PetscObject)continuum->touching), num_local, num_local, num_rows, num_rows, SPACE, NULL, SPACE, NULL, tangents));
  PetscCall(NumberRows(meshed, system, &number));
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *const block = &system->blocks[b];

    if (number[block->row[0]] >= 0) PetscCall(AddTangents(block, state, number, *tangents));
  }
  PetscCall(AddLinear(system, number, *tangents));
  PetscCall(AddBeams(meshed, num_rows, *tangents));
  PetscCall(PetscFree(number));
  PetscCall(MatAssemblyBegin(*tangents, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*tangents, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* K + B^T k B. */
static PetscErrorCode HeldStiffness(const MeshedPart *meshed, const Continuum *continuum, const System *system, JointState state, Mat *K)
{
  Mat tangents, joints;

  PetscFunctionBegin;
  PetscCall(TangentMatrix(meshed, continuum, system, state, &tangents));
  PetscCall(MatPtAP(tangents, continuum->touching, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &joints));
  PetscCall(MatConvert(continuum->K, MATAIJ, MAT_INITIAL_MATRIX, K));
  PetscCall(MatAXPY(*K, 1.0, joints, DIFFERENT_NONZERO_PATTERN));
  if (meshed->stress && meshed->touching.num_beams) PetscCall(StressAddBeams(meshed, *K));
  PetscCall(MatSetOption(*K, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(MatDestroy(&joints));
  PetscCall(MatDestroy(&tangents));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What of that comes from stresses. */
static PetscErrorCode HeldStress(const MeshedPart *meshed, const Continuum *continuum, Mat *stress)
{
  PetscFunctionBegin;
  if (meshed->touching.num_beams) {
    PetscCall(MatConvert(continuum->stress, MATAIJ, MAT_INITIAL_MATRIX, stress));
    PetscCall(StressAddBeams(meshed, *stress));
  } else PetscCall(PetscObjectReference((PetscObject)continuum->stress));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TouchingHold(const MeshedPart *meshed, const Continuum *continuum, const System *system, JointState state, Continuum *held)
{
  PetscFunctionBegin;
  *held = *continuum;
  if (continuum->touching) PetscCall(HeldStiffness(meshed, continuum, system, state, &held->K));
  else PetscCall(PetscObjectReference((PetscObject)held->K));
  if (continuum->stress) PetscCall(HeldStress(meshed, continuum, &held->stress));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TouchingRelease(Continuum *held)
{
  PetscFunctionBegin;
  PetscCall(MatDestroy(&held->K));
  PetscCall(MatDestroy(&held->stress));
  PetscFunctionReturn(PETSC_SUCCESS);
}
