/*
  stress.c - a mesh under the stresses of a preload, and what these add to its stiffness.

      K_sigma = sum_e int (grad N_a . sigma grad N_b) dV        of solids; of beams N int (v'^2 + w'^2) dx
      T / L (s_y s_y^T + s_z s_z^T)                       of bolts that are beams, s how far their ends move apart across them: of the
                                                          chord; what bends beside it is a stiffness of deformations that there are

  Nodes of rigid spiders turn on circles: u_a = U + theta x r_a + theta x (theta x r_a) / 2. What forces f_a of an element do along the
  last term goes to the rotations of the hub: H = sum (f r^T + r f^T) / 2 - (f . r) 1.
*/
#include "meshed_private.h"
#include "triplets.h"

static PetscInt NumSlots(const MeshedPart *meshed)
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);

  return 2 * (nodes->count + nodes->num_ghosts + meshed->attached.num_spiders);
}

/* The motion of this rank's blocks, zero where supports hold. */
static PetscErrorCode ToBlocks(const MeshedPart *meshed, Vec motion, Vec *of_blocks)
{
  const Unknowns *const unknowns = &meshed->unknowns;
  const PetscScalar    *from;
  PetscScalar          *to;
  PetscInt              first;

  PetscFunctionBegin;
  PetscCall(VecCreateMPI(MeshComm(meshed->mesh), SPACE * unknowns->num_blocks, SPACE * unknowns->total_blocks, of_blocks));
  PetscCall(VecGetOwnershipRange(motion, &first, NULL));
  PetscCall(VecGetArrayRead(motion, &from));
  PetscCall(VecGetArrayWrite(*of_blocks, &to));
  for (PetscInt i = 0; i < SPACE * unknowns->num_blocks; i++) to[i] = unknowns->number[i] < 0 ? 0.0 : from[unknowns->number[i] - first];
  PetscCall(VecRestoreArrayWrite(*of_blocks, &to));
  PetscCall(VecRestoreArrayRead(motion, &from));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* That of all slots of this rank's elements, of ghosts and hubs too. */
static PetscErrorCode ToSlots(const MeshedPart *meshed, Vec motion, PetscReal of_slots[])
{
  const PetscInt *const block = meshed->unknowns.block, num_slots = NumSlots(meshed);
  const PetscScalar    *value;
  PetscInt             *blocks, count = 0;
  Vec                   of_blocks, own;
  VecScatter            scatter;
  IS                    wanted;

  PetscFunctionBegin;
  PetscCall(ToBlocks(meshed, motion, &of_blocks));
  PetscCall(PetscMalloc1(num_slots, &blocks));
  for (PetscInt s = 0; s < num_slots; s++)
    if (block[s] >= 0) blocks[count++] = block[s];
  PetscCall(ISCreateBlock(PETSC_COMM_SELF, SPACE, count, blocks, PETSC_COPY_VALUES, &wanted));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, SPACE * count, &own));
  PetscCall(VecScatterCreate(of_blocks, wanted, own, NULL, &scatter));
  PetscCall(VecScatterBegin(scatter, of_blocks, own, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(scatter, of_blocks, own, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGetArrayRead(own, &value));
  for (PetscInt s = 0, i = 0; s < num_slots; s++)
    for (PetscInt c = 0; c < SPACE; c++) of_slots[SPACE * s + c] = block[s] < 0 ? 0.0 : value[i++];
  PetscCall(VecRestoreArrayRead(own, &value));
  PetscCall(VecScatterDestroy(&scatter));
  PetscCall(VecDestroy(&own));
  PetscCall(VecDestroy(&of_blocks));
  PetscCall(ISDestroy(&wanted));
  PetscCall(PetscFree(blocks));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of each beam its tension by its length, in the order of the beams, which is that of their bolts. */
static void FindPull(const MeshedPart *meshed, const MeshedStress *given, PetscReal pull[])
{
  for (PetscInt b = 0, beam = 0; b < given->num_bolts && beam < meshed->touching.num_beams; b++)
    if (!given->bolts[b]->cut) pull[beam++] = given->tension[b] / given->bolts[b]->length;
}

PetscErrorCode MeshedPartStress(const MeshedPart *meshed, const MeshedStress *given, MeshedPart **stressed)
{
  Stress *stress;

  PetscFunctionBegin;
  PetscCall(PetscNew(&stress));
  *stress = (Stress){.node = given->node, .num_bolts = given->num_bolts};
  PetscCall(PetscMalloc4(SPACE * NumSlots(meshed), &stress->motion, given->num_bolts, &stress->bolts, given->num_bolts, &stress->shift,
                         meshed->touching.num_beams, &stress->pull));
  PetscCall(ToSlots(meshed, given->motion, stress->motion));
  PetscCall(PetscArraycpy(stress->bolts, given->bolts, given->num_bolts));
  PetscCall(PetscArraycpy(stress->shift, given->shift, given->num_bolts));
  FindPull(meshed, given, stress->pull);
  PetscCall(PetscNew(stressed));
  **stressed          = *meshed;
  (*stressed)->stress = stress;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartForget(MeshedPart **stressed)
{
  Stress *stress = *stressed ? (*stressed)->stress : NULL;

  PetscFunctionBegin;
  if (!stress) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree4(stress->motion, stress->bolts, stress->shift, stress->pull));
  PetscCall(PetscFree(stress));
  PetscCall(PetscFree(*stressed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StressComplain(const MeshedPart *meshed, PetscInt count)
{
  PetscFunctionBegin;
  PetscCall(InputComplain(meshed->stress->node,
                          "the stresses of this preload buckle the structure: with them its stiffness has %" PetscInt_FMT
                          " direction%s of negative energy",
                          count, count == 1 ? "" : "s"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What bolts make of it: above a cut its nodes are seen at u - delta n. */
static PetscErrorCode AddJumps(const MeshedPart *meshed, const Batch *batch, PetscInt e, PetscReal motion[])
{
  const Stress *const   stress = meshed->stress;
  const PetscInt        width  = mesh_shapes[batch->block->shape].num_nodes;
  const PetscInt *const nodes  = batch->block->nodes + batch->elements[e] * width;
  PetscReal             jump[SPACE * MESH_MAX_NODES];

  PetscFunctionBegin;
  for (PetscInt b = 0; b < stress->num_bolts && batch->kind->solid; b++) {
    const MeshedBolt *const bolt = stress->bolts[b];
    CutSide                 side = CUT_AWAY;

    if (bolt->cut) PetscCall(CutFindSide(meshed, bolt->cut, batch, e, &side));
    if (side != CUT_ABOVE) continue;
    PetscCall(CutFindJump(bolt->cut, width, nodes, bolt->axis, jump));
    for (PetscInt i = 0; i < SPACE * width; i++) motion[i] -= stress->shift[b] * jump[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StressMotion(const MeshedPart *meshed, const Batch *batch, PetscInt e, Tie *tie, PetscReal motion[])
{
  const PetscReal *const of_slots = meshed->stress->motion;
  PetscInt               slots[2 * MESH_MAX_NODES];
  PetscBool              tied;
  const PetscInt         num_columns = SPACE * TieSlots(meshed, batch, e, slots, &tied);

  PetscFunctionBegin;
  if (tied) TieSet(meshed, batch, e, tie);
  for (PetscInt j = 0; j < num_columns && !tied; j++) motion[j] = of_slots[SPACE * slots[j / SPACE] + j % SPACE];
  for (PetscInt i = 0; i < tie->num_rows && tied; i++) {
    motion[i] = 0.0;
    for (PetscInt j = 0; j < num_columns; j++) motion[i] += tie->T[i * num_columns + j] * of_slots[SPACE * slots[j / SPACE] + j % SPACE];
  }
  PetscCall(AddJumps(meshed, batch, e, motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds H of a node to the block of a hub's rotations. */
static void AddCircle(const PetscReal f[SPACE], const PetscReal r[SPACE], PetscInt stride, PetscReal block[])
{
  const PetscReal along = f[0] * r[0] + f[1] * r[1] + f[2] * r[2];

  for (PetscInt i = 0; i < SPACE; i++)
    for (PetscInt j = 0; j < SPACE; j++) block[i * stride + j] += 0.5 * (f[i] * r[j] + r[i] * f[j]) - (i == j ? along : 0.0);
}

/* Of the nodes of an element that spiders move, under its forces f = K_e u_e. */
static void AddCircles(const MeshedPart *meshed, const Batch *batch, PetscInt e, const PetscReal stiffness[], const PetscReal motion[], Tie *tie)
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);
  const PetscInt         width = mesh_shapes[batch->block->shape].num_nodes, each = batch->kind->num_unknowns, num_columns = SPACE * tie->num_slots;
  const PetscInt *const  local = batch->block->local_nodes + batch->elements[e] * width;

  for (PetscInt k = 0; k < width; k++) {
    const PetscInt s = meshed->unknowns.spider ? meshed->unknowns.spider[local[k]] : -1, slot = 2 * (nodes->count + nodes->num_ghosts + s) + 1;
    PetscReal      f[SPACE] = {0.0}, r[SPACE];
    PetscInt       at       = 0;

    if (s < 0) continue;
    while (tie->slots[at] != slot) at++;
    for (PetscInt c = 0; c < SPACE; c++) {
      r[c] = nodes->coordinates[SPACE * local[k] + c] - meshed->attached.spiders[s].site->centre[c];
      for (PetscInt j = 0; j < tie->num_rows; j++) f[c] += stiffness[(each * k + c) * tie->num_rows + j] * motion[j];
    }
    AddCircle(f, r, num_columns, tie->matrix + SPACE * at * (num_columns + 1));
  }
}

static PetscErrorCode Insert(const MeshedPart *meshed, const Batch *batch, PetscInt e, const PetscReal geometric[], const PetscReal stiffness[],
                             const PetscReal motion[], Tie *tie, Mat stress)
{
  const PetscReal *matrix = geometric;
  PetscInt         blocks[2 * MESH_MAX_NODES], slots[2 * MESH_MAX_NODES];
  PetscBool        tied;
  const PetscInt   num_slots = TieSlots(meshed, batch, e, slots, &tied);

  PetscFunctionBegin;
  if (tied) {
    TieSet(meshed, batch, e, tie);
    if (tie->rigid) PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(TieTransform(geometric, tie));
    AddCircles(meshed, batch, e, stiffness, motion, tie);
    matrix = tie->matrix;
  }
  for (PetscInt i = 0; i < num_slots; i++) blocks[i] = meshed->unknowns.block[slots[i]];
  PetscCall(MatSetValuesBlocked(stress, num_slots, blocks, num_slots, blocks, matrix, ADD_VALUES));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StressInsert(const MeshedPart *meshed, const Batch *batch, PetscInt first, PetscInt count, const PetscReal coordinates[],
                            const PetscReal stiffness[], Tie *tie, Mat stress)
{
  const PetscInt width = mesh_shapes[batch->block->shape].num_nodes, rows = width * batch->kind->num_unknowns, size = PetscSqr(rows);
  PetscReal     *motion, *packed, *geometric;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(count * rows, &motion, count * PetscSqr(width * batch->kind->mass_block), &packed, count * size, &geometric));
  for (PetscInt e = 0; e < count; e++) PetscCall(StressMotion(meshed, batch, first + e, tie, motion + e * rows));
  PetscCall(ElementStiffen(batch->kind, &batch->properties, count, coordinates, motion, packed));
  ElementSpreadMass(batch->kind, count, packed, geometric);
  ElementMirror(count, width, batch->kind->num_unknowns, geometric);
  for (PetscInt e = 0; e < count; e++)
    PetscCall(Insert(meshed, batch, first + e, geometric + e * size, stiffness + e * size, motion + e * rows, tie, stress));
  PetscCall(PetscFree3(motion, packed, geometric));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* T int v'^2 dx less that of the chord, which is straight: T / (5 L (1 + Phi)^2) against shear, T L / 12 against bending. */
PetscReal StressOfDeformation(const MeshedPart *meshed, PetscInt beam, PetscInt deformation)
{
  const BeamBolt *const bolt = &meshed->touching.beams[beam];
  const PetscReal       pull = meshed->stress->pull[beam], soft = 12.0 * bolt->stiffness[4] / (PetscSqr(bolt->length) * bolt->stiffness[1]);

  if (deformation % SPACE == 0) return 0.0;
  return deformation < SPACE ? pull / (5.0 * PetscSqr(soft)) : pull * PetscSqr(bolt->length) / 12.0;
}

/* How far the ends of a beam move apart across it. */
static PetscErrorCode AddAcross(const MeshedPart *meshed, const BeamBolt *beam, PetscInt axis, MeshMotion *sum)
{
  PetscFunctionBegin;
  for (PetscInt end = 0; end < 2; end++)
    for (PetscInt c = 0; c < SPACE; c++)
      if (beam->axis[axis][c] != 0.0) PetscCall(MeshMotionAdd(meshed, beam->sites[end], c, (end ? 1.0 : -1.0) * beam->axis[axis][c], sum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RowsOfBeams(const MeshedPart *meshed, Mat *rows)
{
  Triplets   triplets = {0};
  MeshMotion sum      = {0, 0, NULL, NULL};

  PetscFunctionBegin;
  for (PetscInt row = 0; row < 2 * meshed->touching.num_beams; row++) {
    PetscCall(AddAcross(meshed, &meshed->touching.beams[row / 2], 1 + row % 2, &sum));
    for (PetscInt t = 0; t < sum.count; t++) PetscCall(TripletsAdd(row, sum.unknown[t], sum.factor[t], &triplets));
    sum.count = 0;
  }
  PetscCall(MeshMotionDestroy(&sum));
  PetscCall(TripletsMatrix(&triplets, MeshComm(meshed->mesh), PETSC_DECIDE, 2 * meshed->touching.num_beams, meshed->unknowns.num_local,
                           meshed->unknowns.num_total, rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StressAddBeams(const MeshedPart *meshed, Mat matrix)
{
  PetscInt     first, end;
  PetscScalar *value;
  Mat          rows, weighed, strings;
  Vec          pull;

  PetscFunctionBegin;
  PetscCall(RowsOfBeams(meshed, &rows));
  PetscCall(MatCreateVecs(rows, NULL, &pull));
  PetscCall(VecGetOwnershipRange(pull, &first, &end));
  PetscCall(VecGetArrayWrite(pull, &value));
  for (PetscInt row = first; row < end; row++) value[row - first] = meshed->stress->pull[row / 2];
  PetscCall(VecRestoreArrayWrite(pull, &value));
  PetscCall(MatDuplicate(rows, MAT_COPY_VALUES, &weighed));
  PetscCall(MatDiagonalScale(weighed, pull, NULL));
  PetscCall(MatTransposeMatMult(rows, weighed, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &strings));
  PetscCall(MatAXPY(matrix, 1.0, strings, DIFFERENT_NONZERO_PATTERN));
  PetscCall(MatDestroy(&strings));
  PetscCall(MatDestroy(&weighed));
  PetscCall(MatDestroy(&rows));
  PetscCall(VecDestroy(&pull));
  PetscFunctionReturn(PETSC_SUCCESS);
}
