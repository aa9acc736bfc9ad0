/* directions.c - directions as a case names them. */
#include "points.h"

/* The directions that a text or list of texts names; complains of unknown and repeated ones. */
PetscErrorCode DirectionsRead(const InputNode *node, const InputTexts *texts, PetscInt *count, PetscInt direction[])
{
  PetscBool seen[NUM_DIRECTIONS] = {PETSC_FALSE};

  PetscFunctionBegin;
  *count = 0;
  for (PetscInt i = 0; i < texts->count; i++) {
    const InputNode *const item = InputIsList(node) ? InputItem(node, i) : node;
    PetscInt               found;

    PetscCall(InputChoose(item, texts->values[i], "direction", direction_names, &found));
    if (found >= 0 && seen[found]) PetscCall(InputComplain(item, "direction %s is given twice", texts->values[i]));
    if (found < 0 || seen[found]) continue;
    seen[found]           = PETSC_TRUE;
    direction[(*count)++] = found;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
