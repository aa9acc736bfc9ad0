/* tangent_pattern.c - which rows a tangent couples: those of a point, or of points that share rows. */
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

/* The root of the rows that laws couple with this one. */
static PetscInt RootOf(PetscInt root[], PetscInt row)
{
  while (root[row] != row) row = root[row] = root[root[row]];
  return row;
}

/* Rows that any point couples have one root, the least of them. */
static void FindRoots(const System *system, PetscInt m, PetscInt root[])
{
  for (PetscInt r = 0; r < m; r++) root[r] = r;
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *const block = &system->blocks[b];
    const PetscInt           n     = block->block.num_points;

    for (PetscInt c = 0; c < n * block->block.law->dim; c++)
      for (PetscInt t = block->first[c]; t < block->first[c + 1]; t++) {
        const PetscInt one = RootOf(root, SystemBlockRow(block, c % n)), other = RootOf(root, block->row[t]);

        root[PetscMax(one, other)] = PetscMin(one, other);
      }
  }
}

static void FillWithThemselves(TangentPattern *pattern)
{
  for (PetscInt r = 0; r < pattern->m; r++)
    for (PetscInt e = 0; e < pattern->width; e++) pattern->column[r * pattern->width + e] = r;
}

/* What is beyond the components of a point couples a row with itself, by nothing. */
static PetscErrorCode FillByPoints(const System *system, TangentPattern *pattern)
{
  PetscFunctionBegin;
  for (PetscInt b = 0; b < system->num_blocks; b++) pattern->width = PetscMax(pattern->width, system->blocks[b].block.law->dim);
  PetscCall(PetscMalloc1(pattern->m * pattern->width, &pattern->column));
  FillWithThemselves(pattern);
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *const block = &system->blocks[b];
    const PetscInt           dim = block->block.law->dim, n = block->block.num_points;

    for (PetscInt c = 0; c < dim * n; c++) {
      pattern->place[block->row[c]] = c / n;
      for (PetscInt e = 0; e < dim; e++) pattern->column[block->row[c] * pattern->width + e] = block->row[e * n + c % n];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows that points share, in their order; the columns of all of them are those of their root. */
static PetscErrorCode FillGathered(const System *system, TangentPattern *pattern)
{
  const PetscInt m = pattern->m;
  PetscInt      *root, *count;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(m, &root, m, &count));
  FindRoots(system, m, root);
  for (PetscInt r = 0; r < m; r++) {
    pattern->place[r] = count[RootOf(root, r)]++;
    pattern->width    = PetscMax(pattern->width, pattern->place[r] + 1);
  }
  PetscCall(PetscMalloc1(m * pattern->width, &pattern->column));
  FillWithThemselves(pattern);
  for (PetscInt r = 0; r < m; r++) pattern->column[RootOf(root, r) * pattern->width + pattern->place[r]] = r;
  for (PetscInt r = 0; r < m; r++) {
    const PetscInt first = RootOf(root, r);

    for (PetscInt e = 0; e < count[first]; e++) pattern->column[r * pattern->width + e] = pattern->column[first * pattern->width + e];
  }
  PetscCall(PetscFree2(root, count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TangentPatternCreate(const System *system, PetscInt m, PetscBool gather, TangentPattern *pattern)
{
  PetscInt *used;

  PetscFunctionBegin;
  *pattern = (TangentPattern){.m = m};
  PetscCall(PetscCalloc1(m, &pattern->place));
  PetscCall(PetscCalloc1(m, &used));
  if (IsByPoints(system, used)) PetscCall(FillByPoints(system, pattern));
  else if (gather) PetscCall(FillGathered(system, pattern));
  PetscCall(PetscFree(used));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TangentPatternDestroy(TangentPattern *pattern)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(pattern->place));
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
