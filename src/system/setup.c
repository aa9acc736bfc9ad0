/* setup.c - from the pieces of a System to its matrices, its rows in order and its laws in blocks. */
#include "system.h"
#include "draft.h"

/* Rows with a nonlinear law come first, each kind in its old order. */
static PetscErrorCode OrderRows(System *system)
{
  SystemDraft *draft = system->draft;
  PetscInt    *place;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(system->names.num_rows, &place));
  PetscCall(NamesOrderRows(&system->names, place));
  for (PetscInt e = 0; e < draft->joint_map.count; e++) draft->joint_map.i[e] = place[draft->joint_map.i[e]];
  for (PetscInt e = 0; e < draft->law_map.count; e++) draft->law_map.j[e] = place[draft->law_map.j[e]];
  PetscCall(PetscFree(place));
  PetscCall(PetscCalloc1(system->names.num_rows, &system->rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds value times b^T b to a matrix, b the row of B. */
static PetscErrorCode AddLink(Entries *entries, PetscInt count, const PetscInt unknown[], const PetscReal factor[], PetscReal value)
{
  PetscFunctionBegin;
  if (value == 0.0) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < count; i++)
    for (PetscInt j = 0; j < count; j++) PetscCall(EntriesAdd(entries, unknown[i], unknown[j], factor[i] * value * factor[j]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddRowLinear(System *system, PetscInt row, PetscReal stiffness, PetscReal damping)
{
  const PetscInt    *unknown;
  const PetscScalar *factor;
  PetscInt           count;

  PetscFunctionBegin;
  system->rows[row].stiffness += stiffness;
  system->rows[row].damping += damping;
  PetscCall(MatGetRow(system->B, row, &count, &unknown, &factor));
  PetscCall(AddLink(&system->draft->stiffness, count, unknown, factor, stiffness));
  PetscCall(AddLink(&system->draft->damping, count, unknown, factor, damping));
  PetscCall(MatRestoreRow(system->B, row, &count, &unknown, &factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A linear law's constant tangents go where all linear things are. */
static PetscErrorCode AbsorbLinearLaw(System *system, const DraftLaw *draft, PetscInt row)
{
  JointBlock      block;
  JointHistory    history;
  const PetscReal rest = 0.0, share = draft->area > 0.0 ? draft->area : 1.0;
  PetscReal       force = 0.0, stiffness = 0.0, damping = 0.0;
  JointForce      result = {&force, &stiffness, &damping, NULL};

  PetscFunctionBegin;
  PetscCheck(draft->law->dim == 1, PETSC_COMM_SELF, PETSC_ERR_SUP, "linear law %s has %" PetscInt_FMT " components", draft->law->name,
             draft->law->dim);
  PetscCall(JointBlockCreate(draft->law, draft->parameters, 1, &block));
  PetscCall(JointHistoryCreate(&block, &history));
  draft->law->evaluate(&block, &history, &(JointMotion){&rest, &rest}, &result);
  PetscCall(AddRowLinear(system, row, share * stiffness, share * damping));
  PetscCall(JointHistoryDestroy(&history));
  PetscCall(JointBlockDestroy(&block));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AbsorbLinearLaws(System *system)
{
  const SystemDraft *draft = system->draft;

  PetscFunctionBegin;
  for (PetscInt e = 0; e < draft->law_map.count; e++) {
    const DraftLaw *law = DraftLawOf(draft, e);

    if (law->law->traits & JOINT_LINEAR) PetscCall(AbsorbLinearLaw(system, law, draft->law_map.j[e]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The inertia M r that a unit acceleration of the base in each direction would load the structure with. */
static PetscErrorCode SetUpBase(System *system)
{
  PetscReal length;

  PetscFunctionBegin;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    Vec inertia;

    PetscCall(EntriesToVector(&system->draft->base, d, system->num_unknowns, &inertia));
    PetscCall(VecNorm(inertia, NORM_INFINITY, &length));
    if (length > 0.0 || (system->continuum && d < 3)) system->base[d] = inertia;
    else PetscCall(VecDestroy(&inertia));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemSetUp(System *system)
{
  SystemDraft   *draft = system->draft;
  const PetscInt n     = system->num_unknowns;

  PetscFunctionBegin;
  PetscCall(OrderRows(system));
  PetscCall(EntriesToMatrix(&draft->joint_map, system->names.num_rows, n, &system->B));
  PetscCall(AbsorbLinearLaws(system));
  PetscCall(SystemSetUpLayers(system));
  PetscCall(SystemSetUpBlocks(system));
  PetscCall(EntriesToMatrix(&draft->mass, n, n, &system->M));
  for (PetscInt i = 0; i < n; i++) PetscCall(EntriesAdd(&draft->stiffness, i, i, 0.0)); /* factorisations want the diagonal */
  PetscCall(EntriesToMatrix(&draft->stiffness, n, n, &system->K));
  if (draft->damping.count) PetscCall(EntriesToMatrix(&draft->damping, n, n, &system->C));
  PetscCall(EntriesToMatrix(&draft->point_map, system->names.num_motions, n, &system->T));
  PetscCall(MatSetOption(system->M, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(MatSetOption(system->K, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(SetUpBase(system));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) system->names.base[d] = (PetscBool)(system->base[d] != NULL);
  PetscCall(SystemGetSize(system, &system->names.num_modes));
  PetscCall(SystemSetUpPatterns(system));
  PetscCall(SystemDraftDestroy(&system->draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemTakeNames(System *system, Names *names)
{
  const Entries *const base = &system->draft->base;

  PetscFunctionBegin;
  PetscCall(OrderRows(system));
  PetscCall(NamesCopy(&system->names, names));
  for (PetscInt e = 0; e < base->count; e++)
    if (base->value[e] != 0.0) names->base[base->j[e]] = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}
