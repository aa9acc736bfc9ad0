/*
  lent_modes.c - modes of a mesh and what it is tied to, for variants of its structure: with the same tied unknowns, to the last bit, they would
  find the same ones again.
*/
#include "meshed_private.h"

struct LentModes {
  Mat             K, M, places; /* of the unknowns that the mesh is tied to; where forces act on them, NULL for modes without places */
  PetscInt        wanted;       /* how many modes were asked for */
  ContinuumModes *modes;
};

static PetscErrorCode Keep(Mat matrix, Mat *kept)
{
  PetscFunctionBegin;
  *kept = matrix;
  if (matrix) PetscCall(PetscObjectReference((PetscObject)matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LentModesCreate(const ContinuumTies *ties, Mat places, PetscInt wanted, ContinuumModes *modes, LentModes **lent)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(lent));
  PetscCall(Keep(ties->K, &(*lent)->K));
  PetscCall(Keep(ties->M, &(*lent)->M));
  PetscCall(Keep(places, &(*lent)->places));
  (*lent)->wanted = wanted;
  (*lent)->modes  = modes;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LentModesDestroy(LentModes **lent)
{
  PetscFunctionBegin;
  if (!*lent) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatDestroy(&(*lent)->K));
  PetscCall(MatDestroy(&(*lent)->M));
  PetscCall(MatDestroy(&(*lent)->places));
  PetscCall(ContinuumModesDestroy(&(*lent)->modes));
  PetscCall(PetscFree(*lent));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AreSame(Mat first, Mat second, PetscBool *same)
{
  PetscInt rows[2], columns[2];

  PetscFunctionBegin;
  PetscCall(MatGetSize(first, &rows[0], &columns[0]));
  PetscCall(MatGetSize(second, &rows[1], &columns[1]));
  *same = (PetscBool)(rows[0] == rows[1] && columns[0] == columns[1]);
  if (*same) PetscCall(MatEqual(first, second, same));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LentModesFind(const LentModes *lent, const ContinuumTies *ties, Mat places, PetscInt wanted, ContinuumModes **modes)
{
  PetscBool same = (PetscBool)(lent && lent->wanted == wanted);

  PetscFunctionBegin;
  *modes = NULL;
  if (same) PetscCall(AreSame(lent->K, ties->K, &same));
  if (same) PetscCall(AreSame(lent->M, ties->M, &same));
  if (same && places) PetscCall(AreSame(lent->places, places, &same));
  if (same) *modes = lent->modes;
  PetscFunctionReturn(PETSC_SUCCESS);
}
