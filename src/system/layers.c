/* layers.c - rows of B that are seen as one motion: the points of a layer between faces, in one of its directions. */
#include "draft.h"

/* Of the rows on which a law acts that is one of a unit of area. */
static void FindAreas(const SystemDraft *draft, PetscReal area[])
{
  for (PetscInt e = 0; e < draft->law_map.count; e++) area[draft->law_map.j[e]] = DraftLawOf(draft, e)->area;
}

PetscErrorCode SystemSetUpLayers(System *system)
{
  const Names *const names = &system->names;
  PetscReal         *area;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(names->num_rows, &area));
  FindAreas(system->draft, area);
  for (PetscInt first = 0, size; first < names->num_rows; first += size) {
    PetscReal total;

    size  = NamesLayerSize(names, first);
    total = SystemLayerSum(first, size, area);
    for (PetscInt r = first; r < first + size; r++) system->rows[r].share = size > 1 ? area[r] / total : 1.0;
  }
  PetscCall(PetscFree(area));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal SystemLayerMean(const System *system, PetscInt row, PetscInt size, const PetscReal values[])
{
  PetscReal mean = 0.0;

  for (PetscInt r = row; r < row + size; r++) mean += system->rows[r].share * values[r];
  return mean;
}

PetscReal SystemLayerSum(PetscInt row, PetscInt size, const PetscReal values[])
{
  PetscReal sum = 0.0;

  for (PetscInt r = row; r < row + size; r++) sum += values[r];
  return sum;
}

PetscErrorCode SystemLayerRow(const System *system, PetscInt row, PetscInt size, PetscReal on_unknowns[])
{
  const PetscInt    *column;
  const PetscScalar *value;
  PetscInt           count;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(on_unknowns, system->num_unknowns));
  for (PetscInt r = row; r < row + size; r++) {
    PetscCall(MatGetRow(system->B, r, &count, &column, &value));
    for (PetscInt j = 0; j < count; j++) on_unknowns[column[j]] += system->rows[r].share * value[j];
    PetscCall(MatRestoreRow(system->B, r, &count, &column, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
