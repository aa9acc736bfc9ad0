/* modal_iwan_result.c - what the result says of modal Iwan models: parameters, how certain they are, their curves. */
#include "modal_iwan.h"

enum { CURVE_POINTS = 201, NUM_OF_FIT = 5 };

/* The numbers of one mode: those of a model that is given, then those that a fit adds. */
static const struct {
  const char *name;
  ResultType  type;
  PetscInt64  rows;
} arrays[] = {
  {"stiffness", RESULT_REAL, 1},
  {"damping", RESULT_REAL, 1},
  {"slip_force", RESULT_REAL, 1},
  {"tangent", RESULT_REAL, 1},
  {"chi", RESULT_REAL, 1},
  {"beta", RESULT_REAL, 1},
  {"slip_amplitude", RESULT_REAL, 1},
  {"curve_amplitude", RESULT_REAL, CURVE_POINTS},
  {"curve_omega", RESULT_REAL, CURVE_POINTS},
  {"curve_zeta", RESULT_REAL, CURVE_POINTS},
  {"printed_omega", RESULT_REAL, CURVE_POINTS},
  {"printed_zeta", RESULT_REAL, CURVE_POINTS},
  {"low", RESULT_REAL, MODAL_IWAN_SIZE},
  {"high", RESULT_REAL, MODAL_IWAN_SIZE},
  {"determined", RESULT_COUNT, MODAL_IWAN_SIZE},
  {"misfit", RESULT_REAL, 2},
  {"points", RESULT_COUNT, 2},
};

enum { SLIP_AMPLITUDE = MODAL_IWAN_SIZE, CURVE_AMPLITUDE, LOW = CURVE_AMPLITUDE + 5, HIGH, DETERMINED, MISFIT, POINTS, NUM_ARRAYS };

PetscErrorCode ModalIwanReserve(const char *name, Result *result, ModalIwanStudy *study)
{
  PetscFunctionBegin;
  study->num_arrays = study->fits ? NUM_ARRAYS : NUM_ARRAYS - NUM_OF_FIT;
  PetscCall(PetscCalloc1(study->count * study->num_arrays, &study->arrays));
  for (PetscInt i = 0; i < study->count; i++)
    for (PetscInt a = 0; a < study->num_arrays; a++) {
      char path[PETSC_MAX_PATH_LEN];

      PetscCall(PetscSNPrintf(path, sizeof(path), "/modal_iwan/%s/mode%" PetscInt_FMT "/%s", name, study->modes[i], arrays[a].name));
      PetscCall(ResultReserve(result, path, arrays[a].type, 1, &arrays[a].rows, &study->arrays[i * study->num_arrays + a]));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Amplitudes at which a curve is drawn: where the model passes from stuck to slipping, and what was measured besides. */
static void ChooseAmplitudes(const ModalIwan *model, const ModalIwanFit *fit, PetscReal amplitudes[])
{
  const PetscReal slip = ModalIwanSlipAmplitude(model), beyond = 3.0;
  const PetscReal least = PetscLogReal(fit ? fit->least_amplitude / beyond : slip / 1e5);
  const PetscReal most  = PetscLogReal(fit ? fit->most_amplitude * beyond : slip * 1e3);

  for (PetscInt i = 0; i < CURVE_POINTS; i++) amplitudes[i] = PetscExpReal(least + (most - least) * i / (CURVE_POINTS - 1));
}

static PetscErrorCode WriteCurves(const ModalIwan *model, const ModalIwanFit *fit, const Result *result, const ResultArray places[])
{
  PetscReal amplitude[CURVE_POINTS], omega[CURVE_POINTS], zeta[CURVE_POINTS];

  PetscFunctionBegin;
  ChooseAmplitudes(model, fit, amplitude);
  PetscCall(ResultWriteRows(result, &places[CURVE_AMPLITUDE], 0, CURVE_POINTS, amplitude));
  for (ModalIwanForm form = MODAL_IWAN_RING_DOWN; form <= MODAL_IWAN_PRINTED; form++) {
    for (PetscInt i = 0; i < CURVE_POINTS; i++) ModalIwanCurve(model, form, amplitude[i], &omega[i], &zeta[i]);
    PetscCall(ResultWriteRows(result, &places[CURVE_AMPLITUDE + 1 + 2 * form], 0, CURVE_POINTS, omega));
    PetscCall(ResultWriteRows(result, &places[CURVE_AMPLITUDE + 2 + 2 * form], 0, CURVE_POINTS, zeta));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteFit(const ModalIwanFit *fit, const Result *result, const ResultArray places[])
{
  const PetscReal  misfit[2] = {fit->omega_misfit, fit->zeta_misfit};
  const PetscInt64 points[2] = {fit->num_points, fit->num_micro};
  PetscReal        low[MODAL_IWAN_SIZE], high[MODAL_IWAN_SIZE];
  PetscInt64       determined[MODAL_IWAN_SIZE];

  PetscFunctionBegin;
  ModalIwanList(&fit->low, low);
  ModalIwanList(&fit->high, high);
  for (PetscInt p = 0; p < MODAL_IWAN_SIZE; p++) determined[p] = fit->determined[p];
  PetscCall(ResultWriteRows(result, &places[LOW], 0, MODAL_IWAN_SIZE, low));
  PetscCall(ResultWriteRows(result, &places[HIGH], 0, MODAL_IWAN_SIZE, high));
  PetscCall(ResultWriteRows(result, &places[DETERMINED], 0, MODAL_IWAN_SIZE, determined));
  PetscCall(ResultWriteRows(result, &places[MISFIT], 0, 2, misfit));
  PetscCall(ResultWriteRows(result, &places[POINTS], 0, 2, points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModalIwanWrite(const ModalIwanStudy *study, const Result *result)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < study->count; i++) {
    const ResultArray  *places = &study->arrays[i * study->num_arrays];
    const ModalIwan    *model  = &study->models[i];
    const ModalIwanFit *fit    = study->fits ? &study->fits[i] : NULL;
    const PetscReal     slip   = ModalIwanSlipAmplitude(model);
    PetscReal           values[MODAL_IWAN_SIZE];

    if (fit && fit->num_points == 0) continue; /* no model */
    ModalIwanList(model, values);
    for (PetscInt p = 0; p < MODAL_IWAN_SIZE; p++) PetscCall(ResultWriteRows(result, &places[p], 0, 1, &values[p]));
    PetscCall(ResultWriteRows(result, &places[SLIP_AMPLITUDE], 0, 1, &slip));
    PetscCall(WriteCurves(model, fit, result, places));
    if (fit) PetscCall(WriteFit(fit, result, places));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
