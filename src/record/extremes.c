/* extremes.c - the most that was seen in all samples of a run. */
#include "record/extremes.h"
#include "record/watch.h"
#include <math.h>
#include <string.h>

enum { NUM_ENERGY_EXTREMES = sizeof(EnergyExtremes) / sizeof(PetscReal) };

/* In the order of EnergyExtremes. */
// clang-format off
static const OutputField fields[] = {
  {"imbalance", RESULT_REAL, {"1"}, "J", "largest absolute value of `balance` in all samples, kept or not, as the following"},
  {"largest", RESULT_REAL, {"1"}, "J", "largest energy that was put in or held"},
  {"given", RESULT_REAL, {"1"}, "J", "the most that joints have given out beyond what they had taken"},
  {"at_start", RESULT_REAL, {"1"}, "J", "of contacts whose laws tell: what `joints` is more than `stored`, `dissipated` and `exchanged` at time 0"},
  {"lost", RESULT_REAL, {"1"}, "J", "the most by which that differs from `at_start`: what the steps get wrong; 0 where laws do not tell"},
  {0}
};
// clang-format on

const OutputTable energy_extremes_table = {"transient/RUN/extremes", "extremes of the energies", fields, NULL};

PetscErrorCode ExtremesCreate(PetscInt most_peaks, Extremes *extremes)
{
  PetscFunctionBegin;
  *extremes = (Extremes){.num_peaks = 0};
  PetscCall(PetscCalloc1(most_peaks, &extremes->peaks));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExtremesDestroy(Extremes *extremes)
{
  PetscFunctionBegin;
  for (PetscInt p = 0; p < extremes->num_peaks; p++) PetscCall(PetscFree2(extremes->peaks[p].most, extremes->peaks[p].time));
  PetscCall(PetscFree(extremes->peaks));
  extremes->num_peaks = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExtremesAddPeak(Extremes *extremes, Finding *finding, PetscInt field, PetscBool timed, PetscInt width, PetscInt offset)
{
  Peak *const peak = &extremes->peaks[extremes->num_peaks++];

  PetscFunctionBegin;
  *peak = (Peak){.finding = finding, .field = field, .timed = timed, .width = width, .offset = offset};
  PetscCall(PetscCalloc2(width, &peak->most, width, &peak->time));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExtremesAddEnergies(Extremes *extremes, Findings *findings, const char *group)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &energy_extremes_table, &extremes->energies, "%s/extremes", group));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nothing was seen: less than any absolute value. */
void ExtremesBegin(Extremes *extremes)
{
  extremes->energy = (EnergyExtremes){.imbalance = 0.0};
  for (PetscInt p = 0; p < extremes->num_peaks; p++)
    for (PetscInt i = 0; i < extremes->peaks[p].width; i++) extremes->peaks[p].most[i] = -1.0;
}

static void LookAtEnergies(EnergyExtremes *extremes, PetscReal time, const PetscReal energy[], const PetscReal stored[])
{
  const PetscReal held = energy[ENERGY_KINETIC] + energy[ENERGY_STRAIN] + energy[ENERGY_JOINTS] + energy[ENERGY_DAMPING];
  const PetscReal gone = stored ? energy[ENERGY_JOINTS] - stored[0] - stored[1] - stored[2] : 0.0;

  if (time == 0.0) extremes->at_start = gone;
  extremes->imbalance = PetscMax(extremes->imbalance, PetscAbsReal(energy[ENERGY_BALANCE]));
  extremes->largest   = PetscMax(extremes->largest, PetscMax(PetscAbsReal(energy[ENERGY_WORK]), PetscAbsReal(held)));
  extremes->given     = PetscMax(extremes->given, -energy[ENERGY_JOINTS]);
  extremes->lost      = PetscMax(extremes->lost, PetscAbsReal(gone - extremes->at_start));
}

void ExtremesLook(Extremes *extremes, PetscReal time, const PetscReal frame[], const PetscReal energy[], const PetscReal stored[])
{
  for (PetscInt p = 0; p < extremes->num_peaks; p++) {
    Peak *const peak = &extremes->peaks[p];

    for (PetscInt i = 0; i < peak->width; i++) {
      const PetscReal size = PetscAbsReal(frame[peak->offset + i]);

      if (!(size > peak->most[i])) continue;
      peak->most[i] = size;
      peak->time[i] = time;
    }
  }
  if (extremes->energies) LookAtEnergies(&extremes->energy, time, energy, stored);
}

PetscErrorCode ExtremesWrite(const Extremes *extremes, const Result *result)
{
  PetscReal numbers[NUM_ENERGY_EXTREMES];

  PetscFunctionBegin;
  memcpy(numbers, &extremes->energy, sizeof(extremes->energy));
  for (PetscInt p = 0; p < extremes->num_peaks; p++) {
    const Peak *const peak = &extremes->peaks[p];

    PetscCall(FindingWrite(peak->finding, peak->field, 0, 1, peak->most, result));
    if (peak->timed) PetscCall(FindingWrite(peak->finding, peak->field + 1, 0, 1, peak->time, result));
  }
  for (PetscInt f = 0; f < NUM_ENERGY_EXTREMES && extremes->energies; f++) PetscCall(FindingWrite(extremes->energies, f, 0, 1, &numbers[f], result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is not there yet is NaN: nothing was seen. */
PetscErrorCode ExtremesRead(Extremes *extremes, const Result *result)
{
  PetscReal numbers[NUM_ENERGY_EXTREMES] = {0};

  PetscFunctionBegin;
  for (PetscInt p = 0; p < extremes->num_peaks; p++) {
    const Peak *const peak = &extremes->peaks[p];

    PetscCall(FindingRead(peak->finding, peak->field, 0, 1, peak->most, result));
    if (peak->timed) PetscCall(FindingRead(peak->finding, peak->field + 1, 0, 1, peak->time, result));
    for (PetscInt i = 0; i < peak->width; i++)
      if (isnan(peak->most[i])) peak->most[i] = -1.0;
  }
  for (PetscInt f = 0; f < NUM_ENERGY_EXTREMES && extremes->energies; f++) {
    PetscCall(FindingRead(extremes->energies, f, 0, 1, &numbers[f], result));
    if (isnan(numbers[f])) numbers[f] = 0.0;
  }
  memcpy(&extremes->energy, numbers, sizeof(extremes->energy));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt ExtremesSize(const Extremes *extremes)
{
  PetscInt size = NUM_ENERGY_EXTREMES;

  for (PetscInt p = 0; p < extremes->num_peaks; p++) size += 2 * extremes->peaks[p].width;
  return size;
}

void ExtremesPack(const Extremes *extremes, PetscReal numbers[])
{
  memcpy(numbers, &extremes->energy, sizeof(extremes->energy));
  numbers += NUM_ENERGY_EXTREMES;
  for (PetscInt p = 0; p < extremes->num_peaks; p++) {
    const Peak *const peak = &extremes->peaks[p];

    for (PetscInt i = 0; i < peak->width; i++) *numbers++ = peak->most[i];
    for (PetscInt i = 0; i < peak->width; i++) *numbers++ = peak->time[i];
  }
}

void ExtremesUnpack(Extremes *extremes, const PetscReal numbers[])
{
  memcpy(&extremes->energy, numbers, sizeof(extremes->energy));
  numbers += NUM_ENERGY_EXTREMES;
  for (PetscInt p = 0; p < extremes->num_peaks; p++) {
    const Peak *const peak = &extremes->peaks[p];

    for (PetscInt i = 0; i < peak->width; i++) peak->most[i] = *numbers++;
    for (PetscInt i = 0; i < peak->width; i++) peak->time[i] = *numbers++;
  }
}
