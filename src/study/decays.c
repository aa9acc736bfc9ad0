/* decays.c - what ring-downs have measured and nonlinear modes have found, read back; the modes that they are of. */
#include "study/decays.h"
#include <string.h>

const char        decay_table[]   = "ring_down/RUN/MODE";
static const char modes_table[]   = "nonlinear_modes/NAME/MODE";
const char *const decay_studies[] = {"ring_down", "nonlinear_modes", NULL};

const Finding *DecayNext(const Findings *findings, const Finding *after)
{
  const Finding *next = FindingsNext(findings, decay_table, after);

  return next ? next : FindingsNext(findings, modes_table, after);
}

/* A nonlinear mode is not excited anywhere. */
static PetscBool IsNonlinearMode(const Finding *decay)
{
  return (PetscBool)(FindingText(decay, "signal") == NULL);
}

const char *DecayPlace(const Finding *decay)
{
  return IsNonlinearMode(decay) ? "nonlinear mode" : FindingText(decay, "place");
}

static Quantity QuantityOf(const char *name)
{
  Quantity quantity = QUANTITY_DISPLACEMENT;

  while (quantity_names[quantity + 1] && strcmp(quantity_names[quantity], name) != 0) quantity++;
  return quantity;
}

/* The points of a nonlinear mode, of the displacement. Their errors are of the harmonics; those of static equilibrium are not known. */
static PetscErrorCode ReadMode(const Finding *decay, const Result *result, DecayFound *found)
{
  static const char *const keys[] = {"amplitude", "omega", "zeta", "error"};
  enum { AMPLITUDE, OMEGA, ZETA, ERROR, NUM_KEYS };
  const PetscInt64 most     = FindingSize(decay, "points");
  const PetscInt   num_keys = FindingField(decay, keys[ERROR]) >= 0 ? NUM_KEYS : ERROR;
  PetscReal       *numbers[NUM_KEYS];
  PetscInt64      *trusted;

  PetscFunctionBegin;
  *found = (DecayFound){.signal = QUANTITY_DISPLACEMENT, .amplitude = QUANTITY_DISPLACEMENT};
  for (PetscInt k = 0; k < num_keys; k++) PetscCall(FindingReadReals(decay, keys[k], most, result, &numbers[k]));
  PetscCall(FindingReadCounts(decay, "trusted", most, result, &trusted));
  PetscCall(FindingReadText(decay, "end", result, found->remark));
  PetscCall(PetscMalloc1(most, &found->points));
  for (; found->count < most && !PetscIsNanReal(numbers[AMPLITUDE][found->count]); found->count++) {
    const PetscInt  i     = found->count;
    const PetscReal error = num_keys > ERROR ? numbers[ERROR][i] : 0.0;

    found->points[i] = (RingDownPoint){.time        = (PetscReal)NAN,
                                       .amplitude   = numbers[AMPLITUDE][i],
                                       .omega       = numbers[OMEGA][i],
                                       .zeta        = numbers[ZETA][i],
                                       .omega_error = error * numbers[OMEGA][i],
                                       .zeta_error  = error * numbers[ZETA][i],
                                       .trusted     = (PetscBool)trusted[i]};
  }
  for (PetscInt k = 0; k < num_keys; k++) PetscCall(PetscFree(numbers[k]));
  PetscCall(PetscFree(trusted));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecayRead(const Finding *decay, const Result *result, DecayFound *found)
{
  static const char *const keys[] = {"time", "amplitude", "omega", "zeta", "omega_error", "zeta_error"};
  enum { TIME, AMPLITUDE, OMEGA, ZETA, OMEGA_ERROR, ZETA_ERROR, NUM_KEYS };
  const PetscInt64 most = FindingSize(decay, "points");
  PetscReal       *numbers[NUM_KEYS];
  PetscInt64      *trusted, *doubt;

  PetscFunctionBegin;
  if (IsNonlinearMode(decay)) return ReadMode(decay, result, found);
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
    for (const Finding *d = DecayNext(sources[s]->findings, NULL); d; d = DecayNext(sources[s]->findings, d))
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
  if (InputIsList(of) && InputCount(of) == 0) PetscCall(InputComplain(of, "expected the names of earlier ring-downs or nonlinear modes, found none"));
  for (PetscInt i = 0; i < names->count; i++) {
    const InputNode *item = InputIsList(of) ? InputItem(of, i) : of;
    const Study     *source;

    PetscCall(StudyFindAmong(self, decay_studies, item, names->values[i], &source));
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
    for (const Finding *d = DecayNext(sources[s]->findings, NULL); d; d = DecayNext(sources[s]->findings, d)) {
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
