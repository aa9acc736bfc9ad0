/* reduced.c - the mesh made small: reduced to the motions that are kept, put into the System. */
#include "meshed_private.h"

/* The System's unknown of each column of the basis: motions, then modes. */
static PetscErrorCode NumberColumns(const KeptMotions *kept, const Numbering *numbering, MeshedModel *model)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(kept->count + kept->num_modes, &model->unknown));
  for (PetscInt i = 0; i < kept->count; i++) model->unknown[i] = numbering->unknown[kept->coordinates[i]];
  for (PetscInt i = 0; i < kept->num_modes; i++) model->unknown[kept->count + i] = numbering->unknown[kept->first_mode + i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddMatrices(const MeshedModel *model, System *system)
{
  const Reduction *const reduction = model->reduction;
  const PetscInt         size      = reduction->size;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < size; i++)
    for (PetscInt j = 0; j < size; j++) {
      const PetscReal mass = reduction->M[j * size + i], stiffness = reduction->K[j * size + i];

      if (mass != 0.0) PetscCall(SystemAddMass(system, model->unknown[i], model->unknown[j], mass));
      if (stiffness != 0.0) PetscCall(SystemAddStiffness(system, model->unknown[i], model->unknown[j], stiffness));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddBase(const MeshedModel *model, System *system)
{
  PetscFunctionBegin;
  for (PetscInt d = 0; d < SPACE; d++) {
    for (PetscInt i = 0; i < model->reduction->size; i++) PetscCall(SystemAddBase(system, d, model->unknown[i], model->inertia[d][i]));
    PetscCall(SystemAddBaseMass(system, d, model->mass));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddFollowers(const MeshedModel *model, System *system)
{
  PetscFunctionBegin;
  for (const Follower *f = model->followers; f < model->followers + model->num_followers; f++)
    for (PetscInt i = 0; i < model->reduction->size; i++)
      if (f->factor[i] != 0.0) PetscCall(SystemAddFollower(system, f->point, f->component, model->unknown[i], f->factor[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ProjectFollower(const MeshedModel *model, PetscInt p, PetscInt component, Vec row, Follower *follower)
{
  const MeshedPart *const meshed = model->meshed;
  MeshMotion              motion = {0, 0, NULL, NULL};

  PetscFunctionBegin;
  PetscCall(MeshMotionAdd(meshed, SiteOfPoint(meshed, p), meshed->points->list[p].direction[component], 1.0, &motion));
  PetscCall(VecZeroEntries(row));
  PetscCall(VecSetValues(row, motion.count, motion.unknown, motion.factor, ADD_VALUES));
  PetscCall(VecAssemblyBegin(row));
  PetscCall(VecAssemblyEnd(row));
  PetscCall(MeshMotionDestroy(&motion));
  *follower = (Follower){.point = p, .component = component};
  PetscCall(PetscMalloc1(model->reduction->size, &follower->factor));
  PetscCall(ReductionProject(model->reduction, row, follower->factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What else there is to know of the mesh, so that it can be put into a System again when its continuum is gone. */
static PetscErrorCode Project(const Continuum *continuum, MeshedModel *model)
{
  const Points *const points = model->meshed->points;
  Vec                 row;

  PetscFunctionBegin;
  for (PetscInt d = 0; d < SPACE; d++) {
    PetscCall(PetscMalloc1(model->reduction->size, &model->inertia[d]));
    PetscCall(ReductionProject(model->reduction, continuum->inertia[d], model->inertia[d]));
  }
  PetscCall(PetscMalloc1(NUM_DIRECTIONS * points->count, &model->followers));
  PetscCall(VecDuplicate(continuum->inertia[0], &row));
  for (PetscInt p = 0; p < points->count; p++)
    for (PetscInt c = 0; c < points->list[p].num_components; c++)
      if (SiteFollows(model->meshed, p, c)) PetscCall(ProjectFollower(model, p, c, row, &model->followers[model->num_followers++]));
  PetscCall(VecDestroy(&row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Put(const MeshedModel *model, System *system)
{
  PetscFunctionBegin;
  PetscCall(AddMatrices(model, system));
  PetscCall(AddBase(model, system));
  PetscCall(AddFollowers(model, system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the reduction would take, and whether that is too long; complains of what shows before it. */
static PetscErrorCode Estimate(const Continuum *continuum, PetscReal patience, MeshedModel *model, PetscBool *fine)
{
  ContinuumFault fault;

  PetscFunctionBegin;
  PetscCall(ReductionEstimate(continuum, &model->meshed->reduction.options, &fault, &model->cost));
  PetscCall(ContinuumComplain(model->meshed, continuum, &fault));
  *fine                 = (PetscBool)(fault.reason == CONTINUUM_FINE);
  model->takes_too_long = (PetscBool)(*fine && model->cost.seconds > patience);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Reduce(const Continuum *continuum, MeshedModel *model, System *system)
{
  PetscFunctionBegin;
  PetscCall(ReductionCompute(continuum, &model->meshed->reduction.options, &model->reduction));
  PetscCall(ContinuumComplain(model->meshed, continuum, &model->reduction->fault));
  if (model->reduction->fault.reason != CONTINUUM_FINE) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Project(continuum, model));
  PetscCall(Put(model, system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ReducedShare(const Numbering *numbering, MeshedModel *share, System *system)
{
  PetscFunctionBegin;
  share->reduction = share->same->reduction;
  PetscCall(NumberColumns(&share->meshed->kept, numbering, share));
  PetscCall(Put(share, system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ReducedBuild(const Continuum *continuum, PetscReal patience, const Numbering *numbering, MeshedModel *model, System *system)
{
  const KeptMotions *const kept = &model->meshed->kept;
  PetscBool                fine = PETSC_TRUE;
  LogStage                 stage;

  PetscFunctionBegin;
  if (patience < PETSC_INFINITY) PetscCall(Estimate(continuum, patience, model, &fine));
  if (!fine || model->takes_too_long) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(NumberColumns(kept, numbering, model));
  LogStageBegin(&stage, "reduction of %" PetscInt_FMT " unknowns to %" PetscInt_FMT, model->meshed->unknowns.num_total,
                kept->count + kept->num_modes);
  PetscCall(Reduce(continuum, model, system));
  LogStageEnd(&stage);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* T^T f */
PetscErrorCode MeshedModelAddForces(const MeshedModel *model, Vec forces, System *system, PetscInt pattern)
{
  const PetscInt size = model->meshed->kept.count + model->meshed->kept.num_modes;
  PetscReal     *reduced;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(size, &reduced));
  PetscCall(ReductionProject(model->reduction, forces, reduced));
  for (PetscInt i = 0; i < size; i++) PetscCall(SystemAddForce(system, pattern, model->unknown[i], reduced[i]));
  PetscCall(PetscFree(reduced));
  PetscFunctionReturn(PETSC_SUCCESS);
}
