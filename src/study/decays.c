/* decays.c - what ring-downs have measured, read back; the modes that they measure. */
#include "study/decays.h"
#include <string.h>

const char decay_table[] = "ring_down/RUN/MODE";

static Quantity QuantityOf(const char *name)
{
  Quantity quantity = QUANTITY_DISPLACEMENT;

  while (quantity_names[quantity + 1] && strcmp(quantity_names[quantity], name) != 0) quantity++;
  return quantity;
}

PetscErrorCode DecayRead(const Finding *decay, const Result *result, DecayFound *found)
{
  static const char *const keys[] = {"time", "amplitude", "omega", "zeta", "omega_error", "zeta_error"};
  enum { TIME, AMPLITUDE, OMEGA, ZETA, OMEGA_ERROR, ZETA_ERROR, NUM_KEYS };
  const PetscInt64 most = FindingSize(decay, "points");
  PetscReal       *numbers[NUM_KEYS];
  PetscInt64      *trusted, *doubt;

  PetscFunctionBegin;
  *found = (DecayFound){.signal = QuantityOf(FindingText(decay, "signal")), .amplitude = QuantityOf(FindingText(decay, "amplitude"))};
  for (PetscInt k = 0; k < NUM_KEYS; k++) PetscCall(FindingReadReals(decay, keys[k], most, result, &numbers[k]));
  PetscCall(FindingReadCounts(decay, "trusted", most, result, &trusted));
  PetscCall(FindingReadCounts(decay, "doubt", most, result, &doubt));
  PetscCall(FindingReadText(decay, "remark", result, found->remark));
  PetscCall(PetscMalloc1(most, &found->points));
  while (found->count < most && !PetscIsNanReal(numbers[OMEGA][found->count])) {
    const PetscInt  i     = found->count++;
    const PetscReal omega = numbers[OMEGA][i];

    found->points[i] = (RingDownPoint){.time        = numbers[TIME][i],
                                       .amplitude   = numbers[AMPLITUDE][i] * PetscPowRealInt(omega, -(PetscInt)found->amplitude),
                                       .omega       = omega,
                                       .zeta        = numbers[ZETA][i],
                                       .omega_error = numbers[OMEGA_ERROR][i],
                                       .zeta_error  = numbers[ZETA_ERROR][i],
                                       .trusted     = (PetscBool)trusted[i],
                                       .doubt       = (RingDownDoubt)doubt[i]};
  }
  for (PetscInt k = 0; k < NUM_KEYS; k++) PetscCall(PetscFree(numbers[k]));
  PetscCall(PetscFree(trusted));
  PetscCall(PetscFree(doubt));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecayFoundDestroy(DecayFound *found)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(found->points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecayAddMode(PetscInt mode, PetscInt *count, PetscInt **modes)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < *count; i++)
    if ((*modes)[i] == mode) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscRealloc(sizeof(PetscInt) * (size_t)(*count + 1), modes));
  (*modes)[(*count)++] = mode;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecayModes(PetscInt num_sources, const Study *const sources[], PetscInt *count, PetscInt **modes)
{
  PetscFunctionBegin;
  *count = 0;
  *modes = NULL;
  for (PetscInt s = 0; s < num_sources; s++)
    for (const Finding *d = FindingsNext(sources[s]->findings, decay_table, NULL); d; d = FindingsNext(sources[s]->findings, decay_table, d))
      if (FindingCount(d, "mode")) PetscCall(DecayAddMode((PetscInt)FindingCount(d, "mode"), count, modes));
  if (*count) PetscCall(PetscSortInt(*count, *modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecayListModes(PetscInt count, const PetscInt modes[], char list[], size_t size)
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

PetscErrorCode DecaySourcesRead(const InputNode *of, const InputTexts *names, const Study *self, PetscInt *count, const Study ***sources)
{
  PetscFunctionBegin;
  *count = 0;
  PetscCall(PetscMalloc1(names->count, sources));
  if (InputIsList(of) && InputCount(of) == 0) PetscCall(InputComplain(of, "expected the names of earlier ring-downs, found none"));
  for (PetscInt i = 0; i < names->count; i++) {
    const InputNode *item = InputIsList(of) ? InputItem(of, i) : of;
    const Study     *source;

    PetscCall(StudyFindBefore(self, "ring_down", item, names->values[i], &source));
    for (PetscInt s = 0; s < *count; s++)
      if ((*sources)[s] == source) PetscCall(InputComplain(item, "'%s' is there twice: its points would count double", source->name));
    if (source) (*sources)[(*count)++] = source;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecayCompile(PetscInt num_sources, const Study *const sources[], const Result *result, PetscInt mode, PetscInt *count,
                            RingDownPoint **points)
{
  PetscFunctionBegin;
  *count  = 0;
  *points = NULL;
  for (PetscInt s = 0; s < num_sources; s++)
    for (const Finding *d = FindingsNext(sources[s]->findings, decay_table, NULL); d; d = FindingsNext(sources[s]->findings, decay_table, d)) {
      DecayFound found;

      if (FindingCount(d, "mode") != mode) continue;
      PetscCall(DecayRead(d, result, &found));
      RingDownToDisplacement(found.count, found.signal, found.points);
      PetscCall(PetscRealloc(sizeof(RingDownPoint) * (size_t)(*count + found.count), points));
      for (PetscInt i = 0; i < found.count; i++) (*points)[(*count)++] = found.points[i];
      PetscCall(DecayFoundDestroy(&found));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}
