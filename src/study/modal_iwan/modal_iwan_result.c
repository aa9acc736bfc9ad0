/* modal_iwan_result.c - what the result says of modal Iwan models: parameters, how certain they are, their curves. */
#include "modal_iwan.h"

enum { CURVE_POINTS = 201 };

/* The numbers of one mode, the parameters in the order of MODAL_IWAN_STIFFNESS and so on. */
enum { SLIP_AMPLITUDE = MODAL_IWAN_SIZE, CURVE_AMPLITUDE, LOW = CURVE_AMPLITUDE + 5, HIGH, DETERMINED, MISFIT, POINTS, NUM_FIELDS };

// clang-format off
static const OutputField fields[] = {
  {"stiffness", RESULT_REAL, {"1"}, "1/s^2", "K_inf, of the mode while its element slips; NaN until the study has run"},
  {"damping", RESULT_REAL, {"1"}, NULL, "zeta_0, damping ratio at small amplitude"},
  {"slip_force", RESULT_REAL, {"1"}, "N kg^-1/2", "F_S, force at which the whole element slips"},
  {"tangent", RESULT_REAL, {"1"}, "1/s^2", "K_T, stiffness of the element while it sticks"},
  {"chi", RESULT_REAL, {"1"}, NULL, "power of the distribution of sliders"},
  {"beta", RESULT_REAL, {"1"}, NULL, "stiffness of the sliders that slip last, relative to that of all others"},
  {"slip_amplitude", RESULT_REAL, {"1"}, "m kg^1/2", "phi_max, amplitude at which the whole element slips"},
  {"curve_amplitude", RESULT_REAL, {"curve"}, "m kg^1/2", "amplitudes of the curves of the model"},
  {"curve_omega", RESULT_REAL, {"curve"}, "rad/s", "frequency of the model at these amplitudes, in closed form"},
  {"curve_zeta", RESULT_REAL, {"curve"}, NULL, "damping ratio of the model at these amplitudes, in closed form"},
  {"printed_omega", RESULT_REAL, {"curve"}, "rad/s", "the same by eqs 8 to 13 of lacayo2017"},
  {"printed_zeta", RESULT_REAL, {"curve"}, NULL, "the same by eqs 8 to 13 of lacayo2017"},
  {"low", RESULT_REAL, {"6"}, NULL, "of a fit: lower ends of the intervals of 95 %, in the order of the parameters above"},
  {"high", RESULT_REAL, {"6"}, NULL, "of a fit: upper ends of these intervals"},
  {"determined", RESULT_COUNT, {"6"}, NULL, "of a fit: 1 where the data determine the parameter"},
  {"misfit", RESULT_REAL, {"2"}, NULL, "of a fit: root mean square of the relative differences of frequency and damping"},
  {"points", RESULT_COUNT, {"2"}, NULL, "of a fit: number of points used, and number of them in microslip"},
  {0}
};

static const OutputField facts[] = {
  {"mode", RESULT_COUNT, {0}, NULL, "number of the mode with joints stuck, from 1"},
  {0}
};
// clang-format on

static const OutputTable table               = {"modal_iwan/NAME/MODE", "modal Iwan model of one mode; MODE is mode7", fields, facts};
const OutputTable *const modal_iwan_tables[] = {&table, NULL};

_Static_assert(sizeof(fields) / sizeof(*fields) == NUM_FIELDS + 1, "the fields of a modal Iwan model");

PetscErrorCode ModalIwanDeclare(const char *name, Findings *findings, ModalIwanStudy *study)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(study->count, &study->findings));
  for (PetscInt i = 0; i < study->count; i++) {
    PetscCall(FindingsAdd(findings, &table, &study->findings[i], "/modal_iwan/%s/mode%" PetscInt_FMT, name, study->modes[i]));
    PetscCall(FindingSetSize(study->findings[i], "curve", CURVE_POINTS));
    PetscCall(FindingSayCount(study->findings[i], "mode", study->modes[i]));
    for (PetscInt f = LOW; f < NUM_FIELDS && !study->fits; f++) PetscCall(FindingOmit(study->findings[i], f));
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

static PetscErrorCode WriteCurves(const ModalIwan *model, const ModalIwanFit *fit, const Result *result, const Finding *finding)
{
  PetscReal amplitude[CURVE_POINTS], omega[CURVE_POINTS], zeta[CURVE_POINTS];

  PetscFunctionBegin;
  ChooseAmplitudes(model, fit, amplitude);
  PetscCall(FindingWrite(finding, CURVE_AMPLITUDE, 0, CURVE_POINTS, amplitude, result));
  for (ModalIwanForm form = MODAL_IWAN_RING_DOWN; form <= MODAL_IWAN_PRINTED; form++) {
    for (PetscInt i = 0; i < CURVE_POINTS; i++) ModalIwanCurve(model, form, amplitude[i], &omega[i], &zeta[i]);
    PetscCall(FindingWrite(finding, CURVE_AMPLITUDE + 1 + 2 * form, 0, CURVE_POINTS, omega, result));
    PetscCall(FindingWrite(finding, CURVE_AMPLITUDE + 2 + 2 * form, 0, CURVE_POINTS, zeta, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteFit(const ModalIwanFit *fit, const Result *result, const Finding *finding)
{
  const PetscReal  misfit[2] = {fit->omega_misfit, fit->zeta_misfit};
  const PetscInt64 points[2] = {fit->num_points, fit->num_micro};
  PetscReal        low[MODAL_IWAN_SIZE], high[MODAL_IWAN_SIZE];
  PetscInt64       determined[MODAL_IWAN_SIZE];

  PetscFunctionBegin;
  ModalIwanList(&fit->low, low);
  ModalIwanList(&fit->high, high);
  for (PetscInt p = 0; p < MODAL_IWAN_SIZE; p++) determined[p] = fit->determined[p];
  PetscCall(FindingWrite(finding, LOW, 0, MODAL_IWAN_SIZE, low, result));
  PetscCall(FindingWrite(finding, HIGH, 0, MODAL_IWAN_SIZE, high, result));
  PetscCall(FindingWrite(finding, DETERMINED, 0, MODAL_IWAN_SIZE, determined, result));
  PetscCall(FindingWrite(finding, MISFIT, 0, 2, misfit, result));
  PetscCall(FindingWrite(finding, POINTS, 0, 2, points, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModalIwanWrite(const ModalIwanStudy *study, const Result *result)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < study->count; i++) {
    const Finding      *finding = study->findings[i];
    const ModalIwan    *model   = &study->models[i];
    const ModalIwanFit *fit     = study->fits ? &study->fits[i] : NULL;
    const PetscReal     slip    = ModalIwanSlipAmplitude(model);
    PetscReal           values[MODAL_IWAN_SIZE];

    if (fit && fit->num_points == 0) continue; /* no model */
    ModalIwanList(model, values);
    for (PetscInt p = 0; p < MODAL_IWAN_SIZE; p++) PetscCall(FindingWrite(finding, p, 0, 1, &values[p], result));
    PetscCall(FindingWrite(finding, SLIP_AMPLITUDE, 0, 1, &slip, result));
    PetscCall(WriteCurves(model, fit, result, finding));
    if (fit) PetscCall(WriteFit(fit, result, finding));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
