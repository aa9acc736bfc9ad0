/* ring_down_sources.c - the ring-downs that a study learns from, and the modes that they measure. */
#include "ring_down_sources.h"

PetscErrorCode RingDownAddMode(PetscInt mode, PetscInt *count, PetscInt **modes)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < *count; i++)
    if ((*modes)[i] == mode) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscRealloc(sizeof(PetscInt) * (size_t)(*count + 1), modes));
  (*modes)[(*count)++] = mode;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RingDownModes(PetscInt num_sources, const Study *const sources[], PetscInt *count, PetscInt **modes)
{
  PetscFunctionBegin;
  *count = 0;
  *modes = NULL;
  for (PetscInt s = 0; s < num_sources; s++) {
    PetscInt     num_decays;
    const Decay *decays;

    PetscCall(RingDownDecays(sources[s], &num_decays, &decays));
    for (PetscInt d = 0; d < num_decays; d++)
      if (decays[d].mode) PetscCall(RingDownAddMode(decays[d].mode, count, modes));
  }
  if (*count) PetscCall(PetscSortInt(*count, *modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RingDownListModes(PetscInt count, const PetscInt modes[], char list[], size_t size)
{
  PetscFunctionBegin;
  list[0] = '\0';
  for (PetscInt i = 0; i < count; i++) {
    char number[32];

    PetscCall(PetscSNPrintf(number, sizeof(number), "%s%" PetscInt_FMT, i ? ", " : "", modes[i]));
    PetscCall(PetscStrlcat(list, number, size));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RingDownSourcesRead(const InputNode *of, const InputTexts *names, const Study *self, PetscInt *count, const Study ***sources)
{
  PetscFunctionBegin;
  *count = 0;
  PetscCall(PetscMalloc1(names->count, sources));
  if (InputIsList(of) && InputCount(of) == 0) PetscCall(InputComplain(of, "expected the names of ring-downs before this study, found none"));
  for (PetscInt i = 0; i < names->count; i++) {
    const InputNode *item = InputIsList(of) ? InputItem(of, i) : of;
    const Study     *source;

    PetscCall(StudyFindBefore(self, &study_ring_down, item, names->values[i], &source));
    for (PetscInt s = 0; s < *count; s++)
      if ((*sources)[s] == source) PetscCall(InputComplain(item, "'%s' is there twice: its points would count double", source->name));
    if (source) (*sources)[(*count)++] = source;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
