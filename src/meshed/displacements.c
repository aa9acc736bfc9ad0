/* displacements.c - what motions of the unknowns do to the nodes of the mesh, and which motions the unknowns are. */
#include "meshed_private.h"

/* The motion of a hub, on all ranks. */
static PetscErrorCode MotionOfHub(const MeshedPart *meshed, const Spider *spider, PetscInt first, const PetscScalar unknown[],
                                  PetscReal motion[NUM_DIRECTIONS])
{
  PetscFunctionBegin;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) motion[d] = UnknownsOwn(meshed, spider) ? unknown[spider->unknown[d] - first] : 0.0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, motion, NUM_DIRECTIONS, MPIU_REAL, MPI_SUM, MeshComm(meshed->mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The nodes of rigid spiders. */
static PetscErrorCode FollowHubs(const MeshedPart *meshed, PetscInt first, const PetscScalar unknown[], PetscReal displacement[])
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);

  PetscFunctionBegin;
  for (PetscInt s = 0; s < meshed->attached.num_spiders; s++) {
    const Spider *const spider = &meshed->attached.spiders[s];
    PetscReal           motion[NUM_DIRECTIONS];
    Term                terms[SPACE];

    PetscCall(MotionOfHub(meshed, spider, first, unknown, motion));
    for (PetscInt i = 0; i < SPACE * nodes->count; i++) {
      if (meshed->unknowns.spider[i / SPACE] != s) continue;
      (void)SpiderTerms(spider, nodes->coordinates + SPACE * (i / SPACE), i % SPACE, terms);
      for (PetscInt k = 0; k < SPACE; k++) displacement[i] += terms[k].factor * motion[terms[k].index];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The displacements of the nodes that this rank owns, which were zero; rotations are left out. */
static PetscErrorCode ToNodes(const MeshedPart *meshed, PetscInt first, const PetscScalar unknown[], PetscReal displacement[])
{
  const Unknowns *const unknowns = &meshed->unknowns;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < unknowns->num_blocks; b++)
    for (PetscInt c = 0; c < SPACE && unknowns->slot[b] % 2 == 0 && !UnknownsSpider(meshed, unknowns->slot[b]); c++) {
      const PetscInt        number = unknowns->number[SPACE * b + c];
      const NodeTurn *const turn   = UnknownsTurn(meshed, unknowns->slot[b]);
      PetscReal *const      u      = displacement + SPACE * (unknowns->slot[b] / 2);

      if (number >= 0 && !turn) u[c] = unknown[number - first];
      for (PetscInt d = 0; d < SPACE && number >= 0 && turn; d++) u[d] += turn->axis[c][d] * unknown[number - first];
    }
  PetscCall(FollowHubs(meshed, first, unknown, displacement));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartSpread(const MeshedPart *meshed, Vec motion, PetscReal displacement[])
{
  const PetscScalar *value;
  PetscInt           first;

  PetscFunctionBegin;
  PetscCall(VecGetOwnershipRange(motion, &first, NULL));
  PetscCall(PetscArrayzero(displacement, SPACE * MeshGetNodes(meshed->mesh)->count));
  PetscCall(VecGetArrayRead(motion, &value));
  PetscCall(ToNodes(meshed, first, value, displacement));
  PetscCall(VecRestoreArrayRead(motion, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of column i of the reduction's basis. */
static PetscReal ReducedMotion(const MeshedModel *model, PetscInt i, const PetscReal unknowns[], const PetscReal supports[])
{
  const PetscInt unknown = model->unknown[i];

  if (unknown == GROUND) return 0.0;
  if (unknown < model->first_support) return unknowns[unknown];
  return supports ? supports[unknown - model->first_support] : 0.0;
}

PetscErrorCode MeshedModelMotion(const MeshedModel *model, const PetscReal unknowns[], const PetscReal supports[], Vec *motion)
{
  const MeshedPart *const meshed = model->meshed;
  const PetscInt          size   = model->reduction->size;
  PetscReal              *reduced;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(size, &reduced));
  for (PetscInt i = 0; i < size; i++) reduced[i] = ReducedMotion(model, i, unknowns, supports);
  PetscCall(VecCreateMPI(MeshComm(meshed->mesh), meshed->unknowns.num_local, meshed->unknowns.num_total, motion));
  PetscCall(ReductionExpand(model->reduction, reduced, *motion));
  PetscCall(PetscFree(reduced));
  PetscFunctionReturn(PETSC_SUCCESS);
}

MeshUnknowns MeshedPartUnknowns(const MeshedPart *meshed)
{
  const Unknowns *const unknowns = &meshed->unknowns;
  MeshUnknowns          range    = {.count = unknowns->num_local, .total = unknowns->num_total};

  for (PetscInt i = SPACE * unknowns->num_blocks - 1; i >= 0; i--)
    if (unknowns->number[i] >= 0) range.first = unknowns->number[i];
  return range;
}

void MeshedPartMotions(const MeshedPart *meshed, PetscInt64 node[], PetscInt64 direction[])
{
  const Unknowns *const  unknowns = &meshed->unknowns;
  const MeshNodes *const nodes    = MeshGetNodes(meshed->mesh);

  for (PetscInt i = 0, local = 0; i < SPACE * unknowns->num_blocks; i++) {
    const PetscInt      slot   = unknowns->slot[i / SPACE];
    const Spider *const spider = UnknownsSpider(meshed, slot);

    if (unknowns->number[i] < 0) continue;
    node[local]        = spider ? -(PetscInt64)(spider - meshed->attached.spiders) - 1 : nodes->tags[slot / 2];
    direction[local++] = i % SPACE + (slot % 2 ? SPACE : 0);
  }
}

PetscErrorCode MeshedModelMap(const MeshedModel *model, PetscInt num_unknowns, PetscInt first, PetscInt count, PetscReal rows[])
{
  const PetscScalar *basis;
  PetscInt           stride;

  PetscFunctionBegin;
  PetscCall(MatDenseGetLDA(model->reduction->basis, &stride));
  PetscCall(MatDenseGetArrayRead(model->reduction->basis, &basis));
  PetscCall(PetscArrayzero(rows, (size_t)count * (size_t)num_unknowns));
  for (PetscInt j = 0; j < model->reduction->size; j++) {
    const PetscScalar *const column = basis + (size_t)j * (size_t)stride + first;

    for (PetscInt i = 0; i < count && model->unknown[j] != GROUND && model->unknown[j] < model->first_support; i++)
      rows[(size_t)i * (size_t)num_unknowns + (size_t)model->unknown[j]] += column[i];
  }
  PetscCall(MatDenseRestoreArrayRead(model->reduction->basis, &basis));
  PetscFunctionReturn(PETSC_SUCCESS);
}
