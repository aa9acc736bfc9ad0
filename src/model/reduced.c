/* reduced.c - the mesh made small: assembled, reduced to the motions that are kept, put into the System. */
#include "structure.h"

static PetscInt UnknownOf(const Structure *structure, const Numbering *numbering, PetscInt i)
{
  return numbering->unknown[i < structure->num_kept ? structure->kept[i] : structure->first_mode + i - structure->num_kept];
}

static PetscErrorCode AddMatrices(const Structure *structure, const Numbering *numbering, System *system)
{
  const Reduction *const reduction = structure->reduction;
  const PetscInt         size      = reduction->size;
  GivenMatrices          matrices  = {.size = size};

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(size, &matrices.coordinates));
  for (PetscInt i = 0; i < size; i++)
    matrices.coordinates[i] = i < structure->num_kept ? structure->kept[i] : structure->first_mode + i - structure->num_kept;
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, size, size, reduction->M, &matrices.mass));
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, size, size, reduction->K, &matrices.stiffness));
  PetscCall(MatricesAdd(&matrices, numbering, system));
  for (PetscInt i = 0; i < structure->num_kept; i++)
    PetscCall(SystemAddCancelled(system, UnknownOf(structure, numbering, i), reduction->cancelled[i]));
  PetscCall(MatricesDestroy(&matrices));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* For ModelExpand, when the numbering is gone. */
static PetscErrorCode KeepNumbers(Structure *structure, const Numbering *numbering)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(structure->reduced));
  PetscCall(PetscMalloc1(structure->reduction->size, &structure->reduced));
  for (PetscInt i = 0; i < structure->reduction->size; i++) structure->reduced[i] = UnknownOf(structure, numbering, i);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* T^T M r */
static PetscErrorCode AddBase(const Structure *structure, const Continuum *continuum, const Numbering *numbering, System *system)
{
  PetscReal *inertia;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(structure->reduction->size, &inertia));
  for (PetscInt d = 0; d < SPACE; d++) {
    PetscCall(ReductionProject(structure->reduction, continuum->inertia[d], inertia));
    for (PetscInt i = 0; i < structure->reduction->size; i++) PetscCall(SystemAddBase(system, d, UnknownOf(structure, numbering, i), inertia[i]));
    PetscCall(SystemAddBaseMass(system, d, continuum->mass));
  }
  PetscCall(PetscFree(inertia));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* T^T f; in a sketch ones that stand for it. */
PetscErrorCode StructureAddForces(const Structure *structure, const Numbering *numbering, Vec forces, System *system, PetscInt pattern)
{
  PetscReal *reduced;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < structure->num_kept + structure->num_modes && structure->is_sketch; i++)
    PetscCall(SystemAddForce(system, pattern, UnknownOf(structure, numbering, i), 1.0));
  if (structure->is_sketch) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(structure->reduction->size, &reduced));
  PetscCall(ReductionProject(structure->reduction, forces, reduced));
  for (PetscInt i = 0; i < structure->reduction->size; i++)
    PetscCall(SystemAddForce(system, pattern, UnknownOf(structure, numbering, i), reduced[i]));
  PetscCall(PetscFree(reduced));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The motion of a point that is not kept: its row times T. */
static PetscErrorCode AddFollower(const Model *model, PetscInt p, PetscInt component, Vec row, const Numbering *numbering, System *system)
{
  const Structure *const  structure = model->structure;
  const ModelPoint *const point     = &model->points[p];
  PetscReal              *factor;
  MeshMotion              motion = {0, 0, NULL, NULL};

  PetscFunctionBegin;
  PetscCall(MeshMotionAdd(structure, point->site, point->direction[component], 1.0, &motion));
  PetscCall(VecZeroEntries(row));
  PetscCall(VecSetValues(row, motion.count, motion.unknown, motion.factor, ADD_VALUES));
  PetscCall(VecAssemblyBegin(row));
  PetscCall(VecAssemblyEnd(row));
  PetscCall(MeshMotionDestroy(&motion));
  PetscCall(PetscMalloc1(structure->reduction->size, &factor));
  PetscCall(ReductionProject(structure->reduction, row, factor));
  for (PetscInt i = 0; i < structure->reduction->size; i++)
    if (factor[i] != 0.0) PetscCall(SystemAddFollower(system, p, component, UnknownOf(structure, numbering, i), factor[i]));
  PetscCall(PetscFree(factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddFollowers(const Model *model, const Continuum *continuum, const Numbering *numbering, System *system)
{
  Vec row;

  PetscFunctionBegin;
  PetscCall(VecDuplicate(continuum->inertia[0], &row));
  for (PetscInt p = 0; p < model->num_points; p++)
    for (PetscInt c = 0; c < model->points[p].num_components && model->points[p].site && !model->points[p].kept; c++)
      if (!model->points[p].fixed[c]) PetscCall(AddFollower(model, p, c, row, numbering, system));
  PetscCall(VecDestroy(&row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the reduction would take, and whether that is too long; complains of what shows before it. */
static PetscErrorCode Estimate(const Model *model, const Continuum *continuum, PetscReal patience, PetscBool *fine)
{
  Structure *const structure = model->structure;
  ContinuumFault   fault;

  PetscFunctionBegin;
  PetscCall(ReductionEstimate(continuum, &structure->options, &fault, &structure->cost));
  PetscCall(ContinuumComplain(model, continuum, &fault));
  *fine                = (PetscBool)(fault.reason == CONTINUUM_FINE);
  structure->is_sketch = (PetscBool)(*fine && structure->cost.seconds > patience);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of a mesh whose reduction would take too long all that a study can name, and numbers that stand for those to come. */
static PetscErrorCode Sketch(const Model *model, const Numbering *numbering, System *system)
{
  const Structure *const structure = model->structure;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < structure->num_kept + structure->num_modes; i++) {
    const PetscInt unknown = UnknownOf(structure, numbering, i);

    PetscCall(SystemAddMass(system, unknown, unknown, 1.0));
    for (PetscInt d = 0; d < SPACE; d++) PetscCall(SystemAddBase(system, d, unknown, 1.0));
  }
  for (PetscInt d = 0; d < SPACE; d++) PetscCall(SystemAddBaseMass(system, d, structure->mass));
  for (PetscInt p = 0; p < model->num_points; p++)
    for (PetscInt c = 0; c < model->points[p].num_components && model->points[p].site && !model->points[p].kept; c++)
      if (!model->points[p].fixed[c]) PetscCall(SystemAddFollower(system, p, c, 0, 1.0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Reduce(const Model *model, const Numbering *numbering, const Continuum *continuum, System *system)
{
  Structure *const structure = model->structure;

  PetscFunctionBegin;
  PetscCall(ReductionDestroy(&structure->reduction));
  PetscCall(ReductionCompute(continuum, &structure->options, &structure->reduction));
  PetscCall(ContinuumComplain(model, continuum, &structure->reduction->fault));
  if (structure->reduction->fault.reason != CONTINUUM_FINE) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(KeepNumbers(structure, numbering));
  PetscCall(AddMatrices(structure, numbering, system));
  system->accuracy = 1e-13; /* rigid motions were seen to strain K_bb by 1e-12 of its largest entry: so much for each entry of a row */
  PetscCall(AddBase(structure, continuum, numbering, system));
  PetscCall(AddFollowers(model, continuum, numbering, system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Reduced, or sketched when that would take too long. */
static PetscErrorCode BuildReduced(const Model *model, PetscReal patience, const Numbering *numbering, const Continuum *continuum, System *system)
{
  const Structure *const structure = model->structure;
  PetscBool              fine      = PETSC_TRUE;
  LogStage               stage;

  PetscFunctionBegin;
  if (patience < PETSC_INFINITY) PetscCall(Estimate(model, continuum, patience, &fine));
  if (!fine) PetscFunctionReturn(PETSC_SUCCESS);
  if (structure->is_sketch) {
    PetscCall(Sketch(model, numbering, system));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  LogStageBegin(&stage, "reduction of %" PetscInt_FMT " unknowns to %" PetscInt_FMT, structure->unknowns.num_total,
                structure->num_kept + structure->num_modes);
  PetscCall(Reduce(model, numbering, continuum, system));
  LogStageEnd(&stage);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StructureBuild(const Model *model, PetscReal patience, const Numbering *numbering, System *system)
{
  Structure *const structure = model->structure;
  Continuum       *continuum;
  LogStage         stage;

  PetscFunctionBegin;
  if (!structure) PetscFunctionReturn(PETSC_SUCCESS);
  LogStageBegin(&stage, "assembly of %" PetscInt_FMT " unknowns", structure->unknowns.num_total);
  PetscCall(ContinuumCreate(model, &continuum));
  if (!continuum) PetscFunctionReturn(PETSC_SUCCESS);
  LogStageEnd(&stage);
  structure->mass = continuum->mass;
  if (structure->reduction_node) {
    PetscCall(BuildReduced(model, patience, numbering, continuum, system));
    PetscCall(ContinuumDestroy(&continuum));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(ContinuumTie(model, numbering, continuum));
  PetscCall(SystemSetContinuum(system, continuum));
  PetscCall(ContinuumDestroy(&structure->continuum));
  structure->continuum = continuum;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool ModelIsSketch(const Model *model)
{
  return (PetscBool)(model->structure && model->structure->is_sketch);
}

PetscBool StructureMoves(const Model *model)
{
  return (PetscBool)(model->structure && !model->structure->reduction_node && model->structure->unknowns.num_total > 0);
}

const Mesh *ModelMesh(const Model *model)
{
  return model->structure ? model->structure->mesh : NULL;
}

/* The motion of a hub, on all ranks. */
static PetscErrorCode MotionOfHub(const Structure *structure, const Spider *spider, PetscInt first, const PetscScalar unknown[],
                                  PetscReal motion[NUM_DIRECTIONS])
{
  PetscFunctionBegin;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) motion[d] = UnknownsOwn(structure, spider) ? unknown[spider->unknown[d] - first] : 0.0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, motion, NUM_DIRECTIONS, MPIU_REAL, MPI_SUM, MeshComm(structure->mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The nodes of rigid spiders. */
static PetscErrorCode FollowHubs(const Structure *structure, PetscInt first, const PetscScalar unknown[], PetscReal displacement[])
{
  const MeshNodes *const nodes = MeshGetNodes(structure->mesh);

  PetscFunctionBegin;
  for (PetscInt s = 0; s < structure->num_spiders; s++) {
    const Spider *const spider = &structure->spiders[s];
    PetscReal           motion[NUM_DIRECTIONS];
    Term                terms[SPACE];

    PetscCall(MotionOfHub(structure, spider, first, unknown, motion));
    for (PetscInt i = 0; i < SPACE * nodes->count; i++) {
      if (structure->unknowns.spider[i / SPACE] != s) continue;
      (void)SpiderTerms(spider, nodes->coordinates + SPACE * (i / SPACE), i % SPACE, terms);
      for (PetscInt k = 0; k < SPACE; k++) displacement[i] += terms[k].factor * motion[terms[k].index];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The displacements of the nodes that this rank owns, which were zero; rotations are left out. */
static PetscErrorCode ToNodes(const Structure *structure, PetscInt first, const PetscScalar unknown[], PetscReal displacement[])
{
  const Unknowns *const unknowns = &structure->unknowns;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < unknowns->num_blocks; b++)
    for (PetscInt c = 0; c < SPACE && unknowns->slot[b] % 2 == 0 && !UnknownsSpider(structure, unknowns->slot[b]); c++) {
      const PetscInt number = unknowns->number[SPACE * b + c];

      if (number >= 0) displacement[SPACE * (unknowns->slot[b] / 2) + c] = unknown[number - first];
    }
  PetscCall(FollowHubs(structure, first, unknown, displacement));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelSpread(const Model *model, Vec motion, PetscReal displacement[])
{
  const PetscScalar *value;
  PetscInt           first;

  PetscFunctionBegin;
  PetscCall(VecGetOwnershipRange(motion, &first, NULL));
  PetscCall(PetscArrayzero(displacement, SPACE * MeshGetNodes(model->structure->mesh)->count));
  PetscCall(VecGetArrayRead(motion, &value));
  PetscCall(ToNodes(model->structure, first, value, displacement));
  PetscCall(VecRestoreArrayRead(motion, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelExpand(const Model *model, const PetscReal unknowns[], PetscReal displacement[])
{
  const Structure *const structure = model->structure;
  const PetscInt         size      = structure->reduction->size;
  PetscReal             *reduced;
  Vec                    motion;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(size, &reduced));
  for (PetscInt i = 0; i < size; i++) reduced[i] = structure->reduced[i] == GROUND ? 0.0 : unknowns[structure->reduced[i]];
  PetscCall(VecCreateMPI(MeshComm(structure->mesh), structure->unknowns.num_local, structure->unknowns.num_total, &motion));
  PetscCall(ReductionExpand(structure->reduction, reduced, motion));
  PetscCall(ModelSpread(model, motion, displacement));
  PetscCall(VecDestroy(&motion));
  PetscCall(PetscFree(reduced));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool ModelIsReduced(const Model *model)
{
  return (PetscBool)(model->structure && model->structure->reduction_node);
}

MeshUnknowns ModelMeshUnknowns(const Model *model)
{
  const Unknowns *const unknowns = &model->structure->unknowns;
  MeshUnknowns          range    = {.count = unknowns->num_local, .total = unknowns->num_total};

  for (PetscInt i = SPACE * unknowns->num_blocks - 1; i >= 0; i--)
    if (unknowns->number[i] >= 0) range.first = unknowns->number[i];
  return range;
}

void ModelMeshMotions(const Model *model, PetscInt64 node[], PetscInt64 direction[])
{
  const Structure *const structure = model->structure;
  const Unknowns *const  unknowns  = &structure->unknowns;
  const MeshNodes *const nodes     = MeshGetNodes(structure->mesh);

  for (PetscInt i = 0, local = 0; i < SPACE * unknowns->num_blocks; i++) {
    const PetscInt      slot   = unknowns->slot[i / SPACE];
    const Spider *const spider = UnknownsSpider(structure, slot);

    if (unknowns->number[i] < 0) continue;
    node[local]        = spider ? -(PetscInt64)(spider - structure->spiders) - 1 : nodes->tags[slot / 2];
    direction[local++] = i % SPACE + (slot % 2 ? SPACE : 0);
  }
}

PetscErrorCode ModelMeshMap(const Model *model, PetscInt num_unknowns, PetscInt first, PetscInt count, PetscReal rows[])
{
  const Structure *const structure = model->structure;
  const PetscScalar     *basis;
  PetscInt               stride;

  PetscFunctionBegin;
  PetscCall(MatDenseGetLDA(structure->reduction->basis, &stride));
  PetscCall(MatDenseGetArrayRead(structure->reduction->basis, &basis));
  PetscCall(PetscArrayzero(rows, (size_t)count * (size_t)num_unknowns));
  for (PetscInt j = 0; j < structure->reduction->size; j++) {
    const PetscScalar *const column = basis + (size_t)j * (size_t)stride + first;

    for (PetscInt i = 0; i < count && structure->reduced[j] != GROUND; i++)
      rows[(size_t)i * (size_t)num_unknowns + (size_t)structure->reduced[j]] += column[i];
  }
  PetscCall(MatDenseRestoreArrayRead(structure->reduction->basis, &basis));
  PetscFunctionReturn(PETSC_SUCCESS);
}
