/* tangent_pattern.c - which rows a tangent couples, where each point has rows of its own. */
#include "balance.h"

/* Each component of each point is one row, which no other is. */
static PetscBool IsByPoints(const System *system, PetscInt used[])
{
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *const block = &system->blocks[b];

    for (PetscInt c = 0; c < block->block.num_points * block->block.law->dim; c++) {
      if (block->first[c + 1] - block->first[c] != 1) return PETSC_FALSE;
      if (block->factor[c] != 1.0 || used[block->row[c]]++) return PETSC_FALSE;
    }
  }
  return PETSC_TRUE;
}

/* What is beyond the components of a point couples a row with itself, by nothing. */
static void FillColumns(const System *system, TangentPattern *pattern)
{
  for (PetscInt r = 0; r < pattern->m; r++)
    for (PetscInt e = 0; e < pattern->width; e++) pattern->column[r * pattern->width + e] = r;
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *const block = &system->blocks[b];
    const PetscInt           dim = block->block.law->dim, n = block->block.num_points;

    for (PetscInt c = 0; c < dim * n; c++)
      for (PetscInt e = 0; e < dim; e++) pattern->column[block->row[c] * pattern->width + e] = block->row[e * n + c % n];
  }
}

PetscErrorCode TangentPatternCreate(const System *system, PetscInt m, TangentPattern *pattern)
{
  PetscInt *used;

  PetscFunctionBegin;
  *pattern = (TangentPattern){.m = m};
  PetscCall(PetscCalloc1(m, &used));
  if (IsByPoints(system, used)) {
    for (PetscInt b = 0; b < system->num_blocks; b++) pattern->width = PetscMax(pattern->width, system->blocks[b].block.law->dim);
    PetscCall(PetscMalloc1(m * pattern->width, &pattern->column));
    FillColumns(system, pattern);
  }
  PetscCall(PetscFree(used));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TangentPatternDestroy(TangentPattern *pattern)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(pattern->column));
  *pattern = (TangentPattern){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

void TangentPatternTimes(const TangentPattern *pattern, const PetscReal tangent[], const PetscReal motion[], PetscReal force[])
{
  const PetscInt width = pattern->width;

  for (PetscInt r = 0; r < pattern->m; r++) {
    const PetscReal *const value  = tangent + r * width;
    const PetscInt *const  column = pattern->column + r * width;
    PetscReal              sum    = 0.0;

    for (PetscInt e = 0; e < width; e++) sum += value[e] * motion[column[e]];
    force[r] = sum;
  }
}

void TangentPatternChange(const TangentPattern *pattern, const PetscReal tangent[], const PetscReal stiffness[], const PetscReal motion[],
                          PetscReal force[])
{
  const PetscInt width = pattern->width;

  for (PetscInt r = 0; r < pattern->m; r++) {
    PetscReal sum = 0.0;

    for (PetscInt e = r * width; e < (r + 1) * width; e++) sum += (tangent[e] - stiffness[e]) * motion[pattern->column[e]];
    force[r] = sum;
  }
}
