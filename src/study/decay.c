/* decay.c - one decaying motion: where its samples come from, what is found, where it is kept. */
#include "decay.h"

enum { TIME, AMPLITUDE, OMEGA, ZETA, OMEGA_ERROR, ZETA_ERROR, TRUSTED, KNOT_TIME, KNOT_ENVELOPE, BAND, REMARK };

/* Below this share of the energy, other motions are left in the signal: a band would do more harm at its ends. */
static const PetscReal little = 1e-4;

static PetscInt64 Rows(const Decay *decay, PetscInt array)
{
  const PetscInt most = decay->options.num_knots ? decay->options.num_knots - 1 : decay->options.max_points;

  return array == BAND ? 2 : array == REMARK ? 1 : array >= KNOT_TIME ? most + 1 : most;
}

static PetscErrorCode WriteAttributes(const Decay *decay, const char *study, const char *group, Result *result)
{
  PetscFunctionBegin;
  PetscCall(ResultAttributeText(result, group, "study", study));
  if (decay->mode) PetscCall(ResultAttributeCount(result, group, "mode", decay->mode));
  PetscCall(ResultAttributeText(result, group, "signal", quantity_names[decay->measured.quantity]));
  PetscCall(ResultAttributeText(result, group, "amplitude", quantity_names[decay->amplitude]));
  PetscCall(ResultAttributeReal(result, group, "from", PetscMax(decay->from, decay->measured.start)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecayReserve(Decay *decay, const char *study, Result *result)
{
  static const char *const names[NUM_DECAY_ARRAYS] = {"time",    "amplitude", "omega",         "zeta", "omega_error", "zeta_error",
                                                      "trusted", "knot_time", "knot_envelope", "band", "remark"};
  char                     group[PETSC_MAX_PATH_LEN], path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(group, sizeof(group), "/ring_down/%s", decay->path));
  for (PetscInt a = 0; a < NUM_DECAY_ARRAYS; a++) {
    const PetscInt64 rows = Rows(decay, a);

    PetscCall(PetscSNPrintf(path, sizeof(path), "%s/%s", group, names[a]));
    PetscCall(ResultReserve(result, path, a == REMARK ? RESULT_TEXT : a == TRUSTED ? RESULT_COUNT : RESULT_REAL, 1, &rows, &decay->arrays[a]));
  }
  PetscCall(WriteAttributes(decay, study, group, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The free part of the samples, into an array of the caller's that holds them all. */
static Record Cut(const Decay *decay, const Record *all)
{
  const PetscReal step  = all->step;
  const PetscInt  first = (PetscInt)PetscMax(PetscCeilReal((decay->from - all->start) / step - 1e-9), 0.0);
  const PetscInt  end   = (PetscInt)PetscMin(PetscFloorReal((decay->to - all->start) / step + 1e-9) + 1.0, (PetscReal)all->count);
  Record          part  = *all;

  part.start  = all->start + first * step;
  part.values = all->values + first;
  part.count  = PetscMax(end - first, 0);
  return part;
}

static PetscErrorCode ChooseBand(const Decay *decay, const Record *record, RingDownOptions *options)
{
  PetscReal share = 1.0;

  PetscFunctionBegin;
  if (decay->isolate) PetscCall(RecordShareOutside(record, options->lowest, options->highest, &share));
  if (share > little) PetscFunctionReturn(PETSC_SUCCESS);
  options->lowest  = 0.0;
  options->highest = PETSC_INFINITY;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows of a result for each number of the points. */
static PetscErrorCode WritePoints(const Decay *decay, const RingDownCurve *curve, const Result *result)
{
  PetscReal  *numbers;
  PetscInt64 *trusted;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(curve->count, &numbers, curve->count, &trusted));
  for (PetscInt a = TIME; a <= ZETA_ERROR; a++) {
    for (PetscInt i = 0; i < curve->count; i++) {
      const RingDownPoint *point = &curve->points[i];
      const PetscReal      all[] = {point->time,        point->amplitude * PetscPowRealInt(point->omega, (PetscInt)decay->amplitude),
                                    point->omega,       point->zeta,
                                    point->omega_error, point->zeta_error};

      numbers[i] = all[a];
      trusted[i] = point->trusted;
    }
    PetscCall(ResultWriteRows(result, &decay->arrays[a], 0, curve->count, numbers));
  }
  PetscCall(ResultWriteRows(result, &decay->arrays[TRUSTED], 0, curve->count, trusted));
  PetscCall(PetscFree2(numbers, trusted));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Write(const Decay *decay, const RingDownOptions *options, const RingDownCurve *curve, const Result *result)
{
  const PetscReal band[2]                    = {options->lowest, options->highest};
  char            remark[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  PetscCall(WritePoints(decay, curve, result));
  PetscCall(ResultWriteRows(result, &decay->arrays[KNOT_TIME], 0, curve->num_knots, curve->knots));
  PetscCall(ResultWriteRows(result, &decay->arrays[KNOT_ENVELOPE], 0, curve->num_knots, curve->envelope));
  PetscCall(ResultWriteRows(result, &decay->arrays[BAND], 0, 2, band));
  if (curve->remark) PetscCall(PetscStrncpy(remark, curve->remark, sizeof(remark)));
  PetscCall(ResultWriteRows(result, &decay->arrays[REMARK], 0, 1, remark));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecayMeasure(const Decay *decay, const Result *result)
{
  RingDownOptions options = decay->options;
  Record          all     = decay->measured, record;
  PetscReal      *values  = NULL;
  RingDownCurve   curve;

  PetscFunctionBegin;
  if (decay->source && decay->mode) PetscCall(RunReadMode(decay->source, result, decay->mode - 1, &all.count, &values));
  else if (decay->source)
    PetscCall(RunReadMotion(decay->source, result, decay->system, decay->motion, (PetscInt)decay->measured.quantity, &all.count, &values));
  if (values) all.values = values;
  record = Cut(decay, &all);
  PetscCall(ChooseBand(decay, &record, &options));
  PetscCall(RingDownFind(&record, &options, &curve));
  PetscCall(Write(decay, &options, &curve, result));
  PetscCall(RingDownDestroy(&curve));
  PetscCall(PetscFree(values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecayRead(const Decay *decay, const Result *result, DecayFound *found)
{
  const PetscInt64 most = Rows(decay, TIME);
  PetscReal       *numbers[ZETA_ERROR + 1];
  PetscInt64      *trusted;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(found, sizeof(*found)));
  PetscCall(PetscMalloc1(most, &found->points));
  PetscCall(PetscMalloc1(most, &trusted));
  for (PetscInt a = TIME; a <= ZETA_ERROR; a++) {
    PetscCall(PetscMalloc1(most, &numbers[a]));
    PetscCall(ResultReadRows(result, &decay->arrays[a], 0, most, numbers[a]));
  }
  PetscCall(ResultReadRows(result, &decay->arrays[TRUSTED], 0, most, trusted));
  PetscCall(ResultReadRows(result, &decay->arrays[REMARK], 0, 1, found->remark));
  while (found->count < most && !PetscIsNanReal(numbers[TIME][found->count])) {
    const PetscInt  i     = found->count++;
    const PetscReal omega = numbers[OMEGA][i];

    found->points[i] = (RingDownPoint){.time        = numbers[TIME][i],
                                       .amplitude   = numbers[AMPLITUDE][i] * PetscPowRealInt(omega, -(PetscInt)decay->amplitude),
                                       .omega       = omega,
                                       .zeta        = numbers[ZETA][i],
                                       .omega_error = numbers[OMEGA_ERROR][i],
                                       .zeta_error  = numbers[ZETA_ERROR][i],
                                       .trusted     = (PetscBool)trusted[i]};
  }
  for (PetscInt a = TIME; a <= ZETA_ERROR; a++) PetscCall(PetscFree(numbers[a]));
  PetscCall(PetscFree(trusted));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecayFoundDestroy(DecayFound *found)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(found->points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecayPlace(const Decay *decay, char place[RESULT_TEXT_LENGTH])
{
  char *slash;

  PetscFunctionBegin;
  if (decay->source) PetscCall(RunPlace(decay->source, decay->system, place));
  else {
    PetscCall(PetscStrncpy(place, decay->path, RESULT_TEXT_LENGTH));
    PetscCall(PetscStrchr(place, '/', &slash));
    if (slash) *slash = '\0';
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RingDownCompile(PetscInt num_studies, const Study *const studies[], const Result *result, PetscInt mode, PetscInt *count,
                               RingDownPoint **points)
{
  PetscFunctionBegin;
  *count  = 0;
  *points = NULL;
  for (PetscInt s = 0; s < num_studies; s++) {
    PetscInt     num_decays;
    const Decay *decays;

    PetscCall(RingDownDecays(studies[s], &num_decays, &decays));
    for (PetscInt d = 0; d < num_decays; d++) {
      DecayFound found;

      if (decays[d].mode != mode) continue;
      PetscCall(DecayRead(&decays[d], result, &found));
      RingDownToDisplacement(found.count, decays[d].measured.quantity, found.points);
      PetscCall(PetscRealloc(sizeof(RingDownPoint) * (size_t)(*count + found.count), points));
      for (PetscInt i = 0; i < found.count; i++) (*points)[(*count)++] = found.points[i];
      PetscCall(DecayFoundDestroy(&found));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
