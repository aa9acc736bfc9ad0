/* meshed_model.c - what the meshed part of a structure becomes in a System. */
#include "meshed_private.h"

static PetscErrorCode Assemble(const MeshedPart *meshed, Continuum **continuum)
{
  LogStage stage;

  PetscFunctionBegin;
  LogStageBegin(&stage, "assembly of %" PetscInt_FMT " unknowns", meshed->unknowns.num_total);
  PetscCall(ContinuumCreate(meshed, continuum));
  if (*continuum) LogStageEnd(&stage);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedModelBuild(const MeshedPart *meshed, PetscReal patience, const Numbering *numbering, System *system, MeshedModel **model)
{
  Continuum *continuum;

  PetscFunctionBegin;
  PetscCall(PetscNew(model));
  (*model)->meshed        = meshed;
  (*model)->first_support = PETSC_MAX_INT;
  PetscCall(Assemble(meshed, &continuum));
  if (!continuum) PetscFunctionReturn(PETSC_SUCCESS);
  (*model)->mass = continuum->mass;
  if (meshed->reduction.kind == REDUCED_TO_MOTIONS) {
    PetscCall(ReducedBuild(continuum, patience, numbering, *model, system));
    PetscCall(ContinuumDestroy(&continuum));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  (*model)->continuum = continuum;
  if (meshed->lends) PetscCall(PetscCalloc1(2, &(*model)->whole));
  PetscCall(ContinuumTie(meshed, numbering, continuum));
  PetscCall(MeshedModelTie(*model, system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rows of the continuum are tied to the same unknowns. */
PetscErrorCode MeshedModelShare(const MeshedModel *same, const Numbering *numbering, System *system, MeshedModel **share)
{
  PetscFunctionBegin;
  PetscCheck(same->meshed->lends, PETSC_COMM_SELF, PETSC_ERR_ORDER, "the mesh was not told to lend what it shares");
  PetscCall(PetscNew(share));
  **share                 = *same;
  (*share)->same          = same;
  (*share)->lent          = NULL;
  (*share)->whole         = NULL;
  (*share)->reduction     = NULL;
  (*share)->unknown       = NULL;
  (*share)->first_support = PETSC_MAX_INT;
  if (same->meshed->reduction.kind == REDUCED_TO_MOTIONS) PetscCall(ReducedShare(numbering, *share, system));
  else PetscCall(MeshedModelTie(*share, system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedModelTie(const MeshedModel *model, System *system)
{
  PetscFunctionBegin;
  PetscCall(SystemSetContinuum(system, model->continuum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedModelForgetContinuum(MeshedModel *model)
{
  PetscFunctionBegin;
  if (model->lent) PetscFunctionReturn(PETSC_SUCCESS); /* variants ask for it */
  if (!model->same) PetscCall(ContinuumDestroy(&model->continuum));
  model->continuum = NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedModelDestroy(MeshedModel **model)
{
  MeshedModel *const m = *model;

  PetscFunctionBegin;
  if (!m) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(LentModesDestroy(&m->lent));
  for (JointState state = JOINT_STUCK; m->whole && state <= JOINT_SLIPPING; state++) PetscCall(LentModesDestroy(&m->whole[state]));
  PetscCall(PetscFree(m->whole));
  if (!m->same || m->reduction != m->same->reduction) PetscCall(ReductionDestroy(&m->reduction));
  if (!m->same) {
    PetscCall(ContinuumDestroy(&m->continuum));
    for (PetscInt d = 0; d < SPACE; d++) PetscCall(PetscFree(m->inertia[d]));
    for (PetscInt f = 0; f < m->num_followers; f++) PetscCall(PetscFree(m->followers[f].factor));
    PetscCall(PetscFree(m->followers));
  }
  PetscCall(PetscFree(m->unknown));
  PetscCall(PetscFree(*model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void MeshedModelHold(MeshedModel *model, PetscInt first)
{
  model->first_support = first;
}

PetscBool MeshedModelTakesTooLong(const MeshedModel *model)
{
  return model->takes_too_long;
}

PetscReal MeshedModelMemory(const MeshedModel *model)
{
  return model->cost.matrices_memory + model->cost.factor_memory + model->cost.basis_memory;
}

static void DescribeParts(const Composition *made, const Mesh *mesh, FILE *out)
{
  for (PetscInt p = 0; p < made->num_parts; p++) {
    const Part *const part = &made->parts[p];

    fprintf(out, "    part %s: %" PetscInt_FMT " elements,", part->name, MeshGetGroup(mesh, part->group)->total);
    for (PetscInt b = 0; b < made->num_batches; b++)
      if (made->batches[b].part == part) fprintf(out, " %s", made->batches[b].kind->name);
    fprintf(out, "\n");
  }
}

static void DescribeMesh(const MeshedPart *meshed, FILE *out)
{
  const Attachments *const attached = &meshed->attached;
  PetscReal                lower[SPACE], upper[SPACE];
  PetscInt                 num_elements = 0;

  MeshBoundingBox(meshed->mesh, lower, upper);
  for (PetscInt p = 0; p < meshed->made.num_parts; p++) num_elements += MeshGetGroup(meshed->mesh, meshed->made.parts[p].group)->total;
  fprintf(out, "  mesh %s: %" PetscInt_FMT " nodes, %" PetscInt_FMT " elements, x %g to %g, y %g to %g, z %g to %g m\n", MeshFile(meshed->mesh),
          MeshGetNodes(meshed->mesh)->total, num_elements, lower[0], upper[0], lower[1], upper[1], lower[2], upper[2]);
  DescribeParts(&meshed->made, meshed->mesh, out);
  for (PetscInt i = 0; i < attached->num_spiders; i++)
    fprintf(out, "    point %s: moves %" PetscInt_FMT " nodes rigidly\n", attached->spiders[i].name, attached->spiders[i].site->num_nodes);
  if (attached->num_constraints) fprintf(out, "    %" PetscInt_FMT " constraints\n", attached->num_constraints);
}

static void DescribeReduction(const MeshedModel *model, FILE *out)
{
  const MeshedPart *const    meshed = model->meshed;
  const ContinuumCost *const cost   = &model->cost;

  fprintf(out, "    %" PetscInt_FMT " unknowns, ", meshed->unknowns.num_total);
  if (meshed->reduction.kind == REDUCED_TO_MOTIONS)
    fprintf(out, "reduced to %" PetscInt_FMT " motions of points and %" PetscInt_FMT " modes\n", meshed->kept.count, meshed->kept.num_modes);
  else if (meshed->reduction.kind == REDUCED_TO_MODES)
    fprintf(out, "reduced to the lowest %" PetscInt_FMT " modes of the whole%s and the static compliance of all others\n", model->num_modes,
            meshed->reduction.node ? "" : " (the default; `reduction: {modes: {count: N}}` takes N)");
  else fprintf(out, "not reduced\n");
  if (meshed->reduction.kind == NOT_REDUCED)
    fprintf(out, "    modes: about %.2g s, and %.2g s for each, on one free core\n", cost->seconds, cost->seconds_each);
  else fprintf(out, "    reduction: about %.2g s on one free core\n", cost->seconds);
}

PetscErrorCode MeshedModelDescribe(const MeshedModel *model, FILE *out)
{
  const MeshedPart *const meshed = model->meshed;

  PetscFunctionBegin;
  DescribeMesh(meshed, out);
  fprintf(out, "    mass %g kg\n", model->mass);
  DescribeReduction(model, out);
  PetscFunctionReturn(PETSC_SUCCESS);
}
