/* cut.c - a surface inside a solid: its normal, its area, and the elements on its two sides, which nothing else may hold together. */
#include "meshed_private.h"

/* The vector of a face, its area times its normal by the order of its nodes, and the middle of its nodes. */
static PetscErrorCode Measure(const Mesh *mesh, const MeshElement *face, PetscReal vector[SPACE], PetscReal middle[SPACE])
{
  const MeshBlock *const block = MeshGetBlock(mesh, face->block);
  const PetscInt         width = mesh_shapes[block->shape].num_nodes;
  PetscReal              x[MESH_MAX_NODES * SPACE], vectors[MESH_MAX_NODES * SPACE];

  PetscFunctionBegin;
  for (PetscInt k = 0; k < width; k++)
    PetscCall(PetscArraycpy(x + SPACE * k, MeshGetNodes(mesh)->coordinates + SPACE * block->local_nodes[face->index * width + k], SPACE));
  PetscCall(ElementFaceVectors(block->shape, 1, x, vectors));
  for (PetscInt c = 0; c < SPACE; c++) {
    vector[c] = middle[c] = 0.0;
    for (PetscInt k = 0; k < width; k++) vector[c] += vectors[SPACE * k + c];
    for (PetscInt k = 0; k < width; k++) middle[c] += x[SPACE * k + c] / (PetscReal)width;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal Dot(const PetscReal a[SPACE], const PetscReal b[SPACE])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Area and centre; and the direction most faces look along, the largest column of sum a a^T / |a|, which does not ask to which side. */
static PetscErrorCode FindDirection(const Mesh *mesh, const MeshGroup *group, Cut *cut, PetscReal along[SPACE])
{
  enum { AREA = 0, CENTRE = 1, PRODUCTS = CENTRE + SPACE, NUM_SUMS = PRODUCTS + SPACE * SPACE };
  PetscReal sums[NUM_SUMS] = {0.0}, vector[SPACE], middle[SPACE];
  PetscInt  largest        = 0;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(along, SPACE));
  for (PetscInt i = 0; i < group->count; i++) {
    PetscReal area;

    PetscCall(Measure(mesh, &group->elements[i], vector, middle));
    area = PetscSqrtReal(Dot(vector, vector));
    sums[AREA] += area;
    for (PetscInt c = 0; c < SPACE; c++) sums[CENTRE + c] += area * middle[c];
    for (PetscInt c = 0; c < SPACE * SPACE && area > 0.0; c++) sums[PRODUCTS + c] += vector[c / SPACE] * vector[c % SPACE] / area;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sums, NUM_SUMS, MPIU_REAL, MPIU_SUM, MeshComm(mesh)));
  cut->area = sums[AREA];
  for (PetscInt c = 0; c < SPACE; c++) {
    cut->centre[c] = sums[CENTRE + c] / cut->area;
    if (sums[PRODUCTS + (SPACE + 1) * c] > sums[PRODUCTS + (SPACE + 1) * largest]) largest = c;
  }
  PetscCall(PetscArraycpy(along, sums + PRODUCTS + SPACE * largest, SPACE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* So that it looks along `towards`, or where that is NULL so that its largest component is positive. */
static void Turn(const PetscReal towards[], PetscReal normal[SPACE])
{
  const PetscReal round_off = 1e-12; /* so that of components equally large the first tells */
  PetscInt        largest   = 0;
  PetscBool       backward;

  for (PetscInt c = 1; c < SPACE; c++)
    if (PetscAbsReal(normal[c]) > PetscAbsReal(normal[largest]) * (1.0 + round_off)) largest = c;
  backward = (PetscBool)((towards ? Dot(towards, normal) : normal[largest]) < 0.0);
  for (PetscInt c = 0; c < SPACE; c++) {
    if (backward) normal[c] = -normal[c];
    if (PetscAbsReal(normal[c]) < round_off) normal[c] = 0.0;
  }
}

/* The mean normal of faces that are numbered one way or the other. Complains where they look in too many directions to have one. */
static PetscErrorCode FindNormal(const Mesh *mesh, const InputNode *node, const MeshGroup *group, Cut *cut, PetscBool *fine)
{
  const PetscReal least      = 0.9; /* of the area, seen along the normal: 25 degrees off it on average */
  PetscReal       sum[SPACE] = {0.0}, vector[SPACE], middle[SPACE], along[SPACE], length;

  PetscFunctionBegin;
  PetscCall(FindDirection(mesh, group, cut, along));
  for (PetscInt i = 0; i < group->count; i++) {
    PetscCall(Measure(mesh, &group->elements[i], vector, middle));
    for (PetscInt c = 0; c < SPACE; c++) sum[c] += Dot(vector, along) < 0.0 ? -vector[c] : vector[c];
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sum, SPACE, MPIU_REAL, MPIU_SUM, MeshComm(mesh)));
  length = PetscSqrtReal(Dot(sum, sum));
  *fine  = (PetscBool)(length >= least * cut->area);
  if (!*fine) PetscCall(InputComplain(node, "the faces of '%s' look in too many directions: a cut is flat, or nearly so", cut->name));
  for (PetscInt c = 0; c < SPACE && *fine; c++) cut->normal[c] = sum[c] / length;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CutCreate(const MeshedPart *meshed, const InputNode *node, PetscInt group_index, const PetscReal towards[], Cut *cut, PetscBool *fine)
{
  const MeshGroup *const group = MeshGetGroup(meshed->mesh, group_index);

  PetscFunctionBegin;
  *cut = (Cut){.name = group->name};
  PetscCall(MeshGroupNodes(meshed->mesh, group_index, &cut->num_nodes, &cut->nodes));
  PetscCall(FacesCheckInner(meshed, node, group_index, fine));
  if (*fine) PetscCall(FindNormal(meshed->mesh, node, group, cut, fine));
  if (*fine) Turn(towards, cut->normal);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CutDestroy(Cut *cut)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(cut->nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CutFind(const Cut *cut, PetscInt node, PetscBool *found)
{
  PetscInt place;

  PetscFunctionBegin;
  *found = PETSC_FALSE;
  PetscCall(PetscFindInt(node, cut->num_nodes, cut->nodes, &place));
  *found = (PetscBool)(place >= 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CutFindJump(const Cut *cut, PetscInt width, const PetscInt nodes[], const PetscReal axis[SPACE], PetscReal jump[])
{
  PetscFunctionBegin;
  for (PetscInt k = 0; k < width; k++) {
    PetscBool found;

    PetscCall(CutFind(cut, nodes[k], &found));
    for (PetscInt c = 0; c < SPACE; c++) jump[SPACE * k + c] = found ? axis[c] : 0.0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CutFindSide(const MeshedPart *meshed, const Cut *cut, const Batch *batch, PetscInt e, CutSide *side)
{
  const PetscInt         width = mesh_shapes[batch->block->shape].num_nodes, first = batch->elements[e] * width;
  const PetscReal *const x       = MeshGetNodes(meshed->mesh)->coordinates;
  PetscReal              height  = 0.0;
  PetscBool              touches = PETSC_FALSE;

  PetscFunctionBegin;
  for (PetscInt k = 0; k < width && !touches; k++) PetscCall(CutFind(cut, batch->block->nodes[first + k], &touches));
  for (PetscInt k = 0; k < width; k++)
    for (PetscInt c = 0; c < SPACE; c++) height += cut->normal[c] * (x[SPACE * batch->block->local_nodes[first + k] + c] - cut->centre[c]);
  *side = touches ? (height > 0.0 ? CUT_ABOVE : CUT_BELOW) : CUT_AWAY;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Beams and shells end at a node, on no side. */
static PetscErrorCode RefuseOthers(const MeshedPart *meshed, const InputNode *node, const Cut *cut, PetscBool *fine)
{
  PetscInt64 least = INT64_MAX, ignored = 0;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < meshed->made.num_batches; b++) {
    const Batch *const batch = &meshed->made.batches[b];
    const PetscInt     dim   = mesh_shapes[batch->block->shape].dim;
    CutSide            side;

    for (PetscInt e = 0; e < batch->count && dim > 0 && dim < SPACE; e++) {
      PetscCall(CutFindSide(meshed, cut, batch, e, &side));
      if (side != CUT_AWAY) least = PetscMin(least, batch->block->tags[batch->elements[e]]);
    }
  }
  PetscCall(LeastOfRanks(MeshComm(meshed->mesh), &least, &ignored));
  *fine = (PetscBool)(least == INT64_MAX);
  if (!*fine)
    PetscCall(InputComplain(node, "element %" PetscInt64_FMT ", which is no solid, ends on '%s': on which side is not known", least, cut->name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* counts[2 * node], [2 * node + 1]: elements at the cut, above and below it, that have a node. */
static PetscErrorCode CountSides(const MeshedPart *meshed, const Cut *cut, PetscInt counts[])
{
  PetscFunctionBegin;
  for (PetscInt b = 0; b < meshed->made.num_batches; b++) {
    const Batch *const batch = &meshed->made.batches[b];
    const PetscInt     width = mesh_shapes[batch->block->shape].num_nodes;
    CutSide            side;

    for (PetscInt e = 0; e < batch->count && mesh_shapes[batch->block->shape].dim == SPACE; e++) {
      PetscCall(CutFindSide(meshed, cut, batch, e, &side));
      for (PetscInt k = 0; k < width && side != CUT_AWAY; k++)
        counts[2 * batch->block->local_nodes[batch->elements[e] * width + k] + (side == CUT_BELOW)]++;
    }
  }
  PetscCall(UnknownsSum(meshed, counts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A node beside the cut that elements of both sides have would feel the jump from one of them only. */
static PetscErrorCode RefuseBridges(const MeshedPart *meshed, const InputNode *node, const Cut *cut, PetscBool *fine)
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);
  PetscInt64             least = INT64_MAX, ignored = 0;
  PetscInt              *counts;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(2 * (nodes->count + nodes->num_ghosts + meshed->attached.num_spiders), &counts));
  PetscCall(CountSides(meshed, cut, counts));
  for (PetscInt n = 0; n < nodes->count; n++) {
    PetscBool found;

    if (!counts[2 * n] || !counts[2 * n + 1]) continue;
    PetscCall(CutFind(cut, nodes->first + n, &found));
    if (!found) least = PetscMin(least, nodes->tags[n]);
  }
  PetscCall(PetscFree(counts));
  PetscCall(LeastOfRanks(MeshComm(meshed->mesh), &least, &ignored));
  *fine = (PetscBool)(least == INT64_MAX);
  if (!*fine)
    PetscCall(
      InputComplain(node, "'%s' does not cut through: beside it, at node %" PetscInt64_FMT ", its two sides hold together", cut->name, least));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CutCheck(const MeshedPart *meshed, const InputNode *node, const Cut *cut, PetscBool *fine)
{
  PetscFunctionBegin;
  PetscCall(RefuseOthers(meshed, node, cut, fine));
  if (*fine) PetscCall(RefuseBridges(meshed, node, cut, fine));
  PetscFunctionReturn(PETSC_SUCCESS);
}
