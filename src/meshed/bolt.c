/* bolt.c - a bolt as a jump of its shank at a cut: what its shift does to the mesh. */
#include "meshed_private.h"

/* Room for one element. */
typedef struct {
  PetscReal *x, *stiffness;
} Buffers;

static PetscErrorCode BuffersCreate(Buffers *buffers)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(SPACE * MESH_MAX_NODES, &buffers->x, PetscSqr(SPACE * MESH_MAX_NODES), &buffers->stiffness));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode BuffersDestroy(Buffers *buffers)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(buffers->x, buffers->stiffness));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* K_e. The matrix of an element that is inside out means nothing; assembly will complain of it. */
static PetscErrorCode Evaluate(const MeshedPart *meshed, const Batch *batch, PetscInt e, const Buffers *buffers)
{
  const PetscInt        width = mesh_shapes[batch->block->shape].num_nodes;
  const PetscInt *const local = batch->block->local_nodes + batch->elements[e] * width;
  PetscInt              faulty;

  PetscFunctionBegin;
  for (PetscInt k = 0; k < width; k++)
    PetscCall(PetscArraycpy(buffers->x + SPACE * k, MeshGetNodes(meshed->mesh)->coordinates + SPACE * local[k], SPACE));
  PetscCall(ElementEvaluate(batch->kind, &batch->properties, 1, buffers->x, buffers->stiffness, NULL, &faulty));
  ElementMirror(1, width, SPACE, buffers->stiffness);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* - K_e n_c, and n_c^T K_e n_c. */
static PetscErrorCode AddElement(const MeshedPart *meshed, const Cut *cut, const Batch *batch, PetscInt e, const Buffers *buffers, MeshedBolt *bolt,
                                 Vec on_nodes)
{
  const PetscInt        width = mesh_shapes[batch->block->shape].num_nodes, num_rows = SPACE * width;
  const PetscInt *const nodes                        = batch->block->nodes + batch->elements[e] * width;
  PetscReal             jump[SPACE * MESH_MAX_NODES] = {0.0}, force[SPACE * MESH_MAX_NODES];

  PetscFunctionBegin;
  PetscCall(Evaluate(meshed, batch, e, buffers));
  PetscCall(CutFindJump(cut, width, nodes, bolt->axis, jump));
  for (PetscInt i = 0; i < num_rows; i++) {
    force[i] = 0.0;
    for (PetscInt j = 0; j < num_rows; j++) force[i] -= buffers->stiffness[i * num_rows + j] * jump[j];
    bolt->stiffness -= jump[i] * force[i];
  }
  PetscCall(VecSetValuesBlocked(on_nodes, width, nodes, force, ADD_VALUES));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddSide(const MeshedPart *meshed, const Cut *cut, MeshedBolt *bolt, Vec on_nodes)
{
  Buffers buffers;

  PetscFunctionBegin;
  PetscCall(BuffersCreate(&buffers));
  for (PetscInt b = 0; b < meshed->made.num_batches; b++) {
    const Batch *const batch = &meshed->made.batches[b];

    for (PetscInt e = 0; e < batch->count && mesh_shapes[batch->block->shape].dim == SPACE; e++) {
      CutSide side;

      PetscCall(CutFindSide(meshed, cut, batch, e, &side));
      if (side == CUT_ABOVE) PetscCall(AddElement(meshed, cut, batch, e, &buffers, bolt, on_nodes));
    }
  }
  PetscCall(BuffersDestroy(&buffers));
  PetscCall(VecAssemblyBegin(on_nodes));
  PetscCall(VecAssemblyEnd(on_nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindForces(const MeshedPart *meshed, const Cut *cut, MeshedBolt *bolt)
{
  Vec on_nodes;

  PetscFunctionBegin;
  bolt->num_nodes = cut->num_nodes;
  bolt->area      = cut->area;
  PetscCall(NodalForcesCreate(meshed->mesh, &on_nodes));
  PetscCall(AddSide(meshed, cut, bolt, on_nodes));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &bolt->stiffness, 1, MPIU_REAL, MPIU_SUM, MeshComm(meshed->mesh)));
  PetscCall(NodalForcesToUnknowns(meshed, on_nodes, &bolt->forces));
  PetscCall(VecDestroy(&on_nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The axis of length one, the normal where none is given. Complains of one in the cut, along which its sides would only slide. */
static PetscErrorCode FindAxis(const InputNode *map, const Cut *cut, const PetscReal given[], PetscReal axis[SPACE], PetscBool *fine)
{
  const PetscReal  least  = 1e-3; /* of the cosine of the angle between axis and normal */
  const PetscReal *from   = given ? given : cut->normal;
  const PetscReal  length = PetscSqrtReal(PetscSqr(from[0]) + PetscSqr(from[1]) + PetscSqr(from[2]));
  PetscReal        along  = 0.0;

  PetscFunctionBegin;
  for (PetscInt c = 0; c < SPACE; c++) {
    axis[c] = from[c] / length;
    along += axis[c] * cut->normal[c];
  }
  *fine = (PetscBool)(along >= least);
  if (!*fine)
    PetscCall(InputComplain(InputFind(map, "axis"), "lies in the cut '%s', whose normal is [%.4g, %.4g, %.4g]", cut->name, cut->normal[0],
                            cut->normal[1], cut->normal[2]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartBolt(const MeshedPart *meshed, const InputNode *map, const char *group, const PetscReal axis[SPACE],
                              PetscBool parts_are_fine, MeshedBolt *bolt)
{
  const InputNode *const node = InputFind(map, "cut");
  PetscBool              fine;
  PetscInt               index;
  Cut                    cut;

  PetscFunctionBegin;
  *bolt = (MeshedBolt){.forces = NULL};
  if (!meshed->mesh) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MeshChooseGroup(meshed->mesh, node, 2, group, &index));
  if (index < 0 || !parts_are_fine) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CutCreate(meshed, node, index, axis, &cut, &fine));
  if (fine) PetscCall(FindAxis(map, &cut, axis, bolt->axis, &fine));
  if (fine) PetscCall(CutCheck(meshed, node, &cut, &fine));
  if (fine) PetscCall(FindForces(meshed, &cut, bolt));
  if (fine) PetscCall(PetscNew(&bolt->cut));
  if (fine) *bolt->cut = cut;
  else PetscCall(CutDestroy(&cut));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedBoltDestroy(MeshedBolt *bolt)
{
  PetscFunctionBegin;
  PetscCall(VecDestroy(&bolt->forces));
  if (bolt->cut) PetscCall(CutDestroy(bolt->cut));
  PetscCall(PetscFree(bolt->cut));
  PetscFunctionReturn(PETSC_SUCCESS);
}
