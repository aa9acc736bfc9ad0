/* decay.c - one decaying motion: where its samples come from, what is found, where it is kept. */
#include "decay.h"

enum {
  TIME,
  AMPLITUDE,
  OMEGA,
  ZETA,
  OMEGA_ERROR,
  ZETA_ERROR,
  TRUSTED,
  DOUBT,
  KNOT_TIME,
  KNOT_ENVELOPE,
  BAND,
  PEAK_FREQUENCY,
  PEAK_HEIGHT,
  PEAK_WIDTH,
  REMARK
};

// clang-format off
static const OutputField fields[] = {
  [TIME]          = {"time", RESULT_REAL, {"points"}, "s", "centres of the pieces between knots; rows after the last are NaN, as are all of a backbone of a file"},
  [AMPLITUDE]     = {"amplitude", RESULT_REAL, {"points"}, "m kg^1/2", "amplitude of the displacement, or of the quantity in the attribute `amplitude`"},
  [OMEGA]         = {"omega", RESULT_REAL, {"points"}, "rad/s", "frequency at this amplitude"},
  [ZETA]          = {"zeta", RESULT_REAL, {"points"}, NULL, "damping ratio at this amplitude"},
  [OMEGA_ERROR]   = {"omega_error", RESULT_REAL, {"points"}, "rad/s", "standard deviation"},
  [ZETA_ERROR]    = {"zeta_error", RESULT_REAL, {"points"}, NULL, "standard deviation"},
  [TRUSTED]       = {"trusted", RESULT_COUNT, {"points"}, NULL, "1 where the signal is one decaying harmonic and the errors are accepted, otherwise 0"},
  [DOUBT]         = {"doubt", RESULT_COUNT, {"points"}, NULL, "why a point is not trusted: 1 other motions or noise, 2 the band cuts the motion, 3 a frequency that the mode cannot have, 4 and 5 the error of the frequency and of the damping; 0 where it is trusted"},
  [KNOT_TIME]     = {"knot_time", RESULT_REAL, {"knots"}, "s", "ends of the pieces"},
  [KNOT_ENVELOPE] = {"knot_envelope", RESULT_REAL, {"knots"}, NULL, "amplitude of the measured signal at the knots"},
  [BAND]          = {"band", RESULT_REAL, {"2"}, "rad/s", "band of the measurement; 0 and infinity without a band"},
  [PEAK_FREQUENCY] = {"peak_frequency", RESULT_REAL, {"peaks"}, "Hz", "clear peaks of the spectrum of a record; rows after the last are NaN"},
  [PEAK_HEIGHT]   = {"peak_height", RESULT_REAL, {"peaks"}, NULL, "height of the peak: twice the magnitude of the Fourier transform"},
  [PEAK_WIDTH]    = {"peak_width", RESULT_REAL, {"peaks"}, "Hz", "width of the peak at half its power"},
  [REMARK]        = {"remark", RESULT_TEXT, {"1"}, NULL, "why there are no points; empty when there are"},
  {0}
};

static const OutputField facts[] = {
  {"study", RESULT_TEXT, {0}, NULL, "name of the study"},
  {"mode", RESULT_COUNT, {0}, NULL, "mode whose coordinate was measured"},
  {"signal", RESULT_TEXT, {0}, NULL, "measured quantity: displacement, velocity or acceleration; of a backbone, displacement"},
  {"amplitude", RESULT_TEXT, {0}, NULL, "quantity of `amplitude`"},
  {"from", RESULT_REAL, {0}, "s", "start of the free decay"},
  {"place", RESULT_TEXT, {0}, NULL, "where the structure was excited, in words"},
  {"model", RESULT_TEXT, {0}, NULL, "modal model, if the motion is that of one"},
  {0}
};
// clang-format on

static const OutputTable table          = {decay_table, "frequency and damping over the amplitude; MODE is mode7, or a point", fields, facts};
const OutputTable *const decay_tables[] = {&table, NULL};

/* Below this share of the energy, other motions are left in the signal: a band would do more harm at its ends. */
static const PetscReal little = 1e-4;

/* Amplitudes of points are in metres, those of modes in m kg^1/2. */
static PetscErrorCode SetUnits(const Decay *decay, Finding *finding)
{
  static const char *const rates[] = {"", "/s", "/s^2"};
  char                     unit[32];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(unit, sizeof(unit), "%s%s", decay->mode ? "m kg^1/2" : "m", rates[decay->amplitude]));
  PetscCall(FindingSetUnit(finding, AMPLITUDE, unit));
  PetscCall(PetscSNPrintf(unit, sizeof(unit), "%s%s", decay->mode ? "m kg^1/2" : "m", rates[decay->measured.quantity]));
  PetscCall(FindingSetUnit(finding, KNOT_ENVELOPE, unit));
  PetscCall(PetscStrlcat(unit, " s", sizeof(unit)));
  PetscCall(FindingSetUnit(finding, PEAK_HEIGHT, unit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of a record its name stands for the place. */
static PetscErrorCode SayPlace(const Decay *decay, Finding *finding)
{
  char place[RESULT_TEXT_LENGTH], *slash;

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(place, decay->run ? FindingText(decay->run, "place") : decay->path, sizeof(place)));
  PetscCall(PetscStrchr(place, '/', &slash));
  if (slash && !decay->run) *slash = '\0';
  PetscCall(FindingSayText(finding, "place", place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecayDeclare(Decay *decay, const char *study, Findings *findings)
{
  const PetscInt counted = decay->options.num_knots ? decay->options.num_knots - 1 : decay->options.max_points;
  const PetscInt most    = decay->backbone ? decay->backbone->count : counted;
  const char    *model   = decay->run ? FindingText(decay->run, "model") : NULL;
  Finding       *finding;

  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &table, &finding, "/ring_down/%s", decay->path));
  PetscCall(FindingSetSize(finding, "points", most));
  PetscCall(FindingSetSize(finding, "knots", most + 1));
  PetscCall(FindingSetSize(finding, "peaks", DECAY_MAX_PEAKS));
  PetscCall(SetUnits(decay, finding));
  for (PetscInt field = PEAK_FREQUENCY; field <= PEAK_WIDTH && (decay->run || decay->backbone); field++) PetscCall(FindingOmit(finding, field));
  for (PetscInt field = KNOT_TIME; field <= BAND && decay->backbone; field++) PetscCall(FindingOmit(finding, field));
  PetscCall(FindingSayText(finding, "study", study));
  if (decay->mode) PetscCall(FindingSayCount(finding, "mode", decay->mode));
  PetscCall(FindingSayText(finding, "signal", quantity_names[decay->measured.quantity]));
  PetscCall(FindingSayText(finding, "amplitude", quantity_names[decay->amplitude]));
  if (!decay->backbone) PetscCall(FindingSayReal(finding, "from", PetscMax(decay->from, decay->measured.start)));
  PetscCall(SayPlace(decay, finding));
  if (model) PetscCall(FindingSayText(finding, "model", model));
  decay->finding = finding;
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

/* Peaks are found and written; the band of the highest is chosen where none is given. */
static PetscErrorCode SeekPeaks(const Decay *decay, const Record *record, RingDownOptions *options, const Result *result)
{
  SpectrumPeak peaks[DECAY_MAX_PEAKS];
  PetscInt     count, highest = 0;
  PetscReal    rows[DECAY_MAX_PEAKS], band[2];

  PetscFunctionBegin;
  PetscCall(RecordFindPeaks(record, DECAY_MAX_PEAKS, &count, peaks));
  for (PetscInt field = PEAK_FREQUENCY; field <= PEAK_WIDTH; field++) {
    for (PetscInt i = 0; i < count; i++) {
      const PetscReal all[] = {peaks[i].omega / (2.0 * PETSC_PI), peaks[i].height, peaks[i].width / (2.0 * PETSC_PI)};

      rows[i] = all[field - PEAK_FREQUENCY];
    }
    PetscCall(FindingWrite(decay->finding, field, 0, count, rows, result));
  }
  for (PetscInt i = 1; i < count; i++)
    if (peaks[i].height > peaks[highest].height) highest = i;
  if (!decay->seek || count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  SpectrumBand(count, peaks, highest, band);
  options->lowest  = band[0];
  options->highest = band[1];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecayReadPeaks(const Decay *decay, const Result *result, PetscInt *count, SpectrumPeak peaks[], PetscReal band[2])
{
  PetscReal *frequencies, *heights, *widths, *limits;

  PetscFunctionBegin;
  *count = 0;
  if (decay->run || decay->backbone) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindingReadReals(decay->finding, "peak_frequency", DECAY_MAX_PEAKS, result, &frequencies));
  PetscCall(FindingReadReals(decay->finding, "peak_height", DECAY_MAX_PEAKS, result, &heights));
  PetscCall(FindingReadReals(decay->finding, "peak_width", DECAY_MAX_PEAKS, result, &widths));
  PetscCall(FindingReadReals(decay->finding, "band", 2, result, &limits));
  for (; *count < DECAY_MAX_PEAKS && !PetscIsNanReal(frequencies[*count]); (*count)++)
    peaks[*count] = (SpectrumPeak){frequencies[*count], heights[*count], widths[*count]};
  for (PetscInt i = 0; i < 2; i++) band[i] = limits[i] / (2.0 * PETSC_PI);
  PetscCall(PetscFree(frequencies));
  PetscCall(PetscFree(heights));
  PetscCall(PetscFree(widths));
  PetscCall(PetscFree(limits));
  PetscFunctionReturn(PETSC_SUCCESS);
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
  PetscInt64 *trusted, *doubt;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(curve->count, &numbers, curve->count, &trusted, curve->count, &doubt));
  for (PetscInt a = TIME; a <= ZETA_ERROR; a++) {
    for (PetscInt i = 0; i < curve->count; i++) {
      const RingDownPoint *point = &curve->points[i];
      const PetscReal      all[] = {point->time,        point->amplitude * PetscPowRealInt(point->omega, (PetscInt)decay->amplitude),
                                    point->omega,       point->zeta,
                                    point->omega_error, point->zeta_error};

      numbers[i] = all[a];
      trusted[i] = point->trusted;
      doubt[i]   = point->doubt;
    }
    PetscCall(FindingWrite(decay->finding, a, 0, curve->count, numbers, result));
  }
  PetscCall(FindingWrite(decay->finding, TRUSTED, 0, curve->count, trusted, result));
  PetscCall(FindingWrite(decay->finding, DOUBT, 0, curve->count, doubt, result));
  PetscCall(PetscFree3(numbers, trusted, doubt));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteRemark(const Decay *decay, const char *reason, const Result *result)
{
  char remark[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  if (reason) PetscCall(PetscStrncpy(remark, reason, sizeof(remark)));
  PetscCall(FindingWrite(decay->finding, REMARK, 0, 1, remark, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Write(const Decay *decay, const RingDownOptions *options, const RingDownCurve *curve, const Result *result)
{
  const PetscReal band[2] = {options->lowest, options->highest};

  PetscFunctionBegin;
  PetscCall(WritePoints(decay, curve, result));
  PetscCall(FindingWrite(decay->finding, KNOT_TIME, 0, curve->num_knots, curve->knots, result));
  PetscCall(FindingWrite(decay->finding, KNOT_ENVELOPE, 0, curve->num_knots, curve->envelope, result));
  PetscCall(FindingWrite(decay->finding, BAND, 0, 2, band, result));
  PetscCall(WriteRemark(decay, curve->remark, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The samples that the run has left. */
static PetscErrorCode ReadRun(const Decay *decay, const Result *result, PetscInt *count, PetscReal **values)
{
  PetscFunctionBegin;
  PetscCall(RunSamplesCount(decay->run, result, count));
  PetscCall(FindingReadColumn(decay->channel, decay->key, *count, decay->column, result, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A backbone is as its file says. */
static PetscErrorCode WriteBackbone(const Decay *decay, const Result *result)
{
  const RingDownCurve curve = {.count = decay->backbone->count, .points = decay->backbone->points};

  PetscFunctionBegin;
  PetscCall(WritePoints(decay, &curve, result));
  PetscCall(WriteRemark(decay, NULL, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecayMeasure(const Decay *decay, const Result *result)
{
  RingDownOptions options = decay->options;
  Record          all     = decay->measured, record;
  PetscReal      *values  = NULL;
  RingDownCurve   curve;

  PetscFunctionBegin;
  if (decay->backbone) {
    PetscCall(WriteBackbone(decay, result));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (decay->run) PetscCall(ReadRun(decay, result, &all.count, &values));
  if (values) all.values = values;
  record = Cut(decay, &all);
  if (!decay->run) PetscCall(SeekPeaks(decay, &record, &options, result));
  PetscCall(ChooseBand(decay, &record, &options));
  PetscCall(RingDownFind(&record, &options, &curve));
  PetscCall(Write(decay, &options, &curve, result));
  PetscCall(RingDownDestroy(&curve));
  PetscCall(PetscFree(values));
  PetscFunctionReturn(PETSC_SUCCESS);
}
