/* envelope.c - amplitude and phase of a record, by its Hilbert transform [section 2.2 of lacayo2017]. */
#include <fftw3.h>
#include "post.h"

enum { FEWEST_SAMPLES = 16, NUM_CANDIDATES = 6 };

/* The cosine series of a record mirrored at both ends, which leaves no jump there: x_i = sum X_k cos(k pi i / (count - 1)). */
typedef struct {
  PetscInt   first, count; /* of the record's samples */
  PetscReal  step;         /* [s] */
  PetscReal *coefficient;
} CosineSeries;

/* A sample at which the record turns round: the mirror image then continues it smoothly. Of the first few in a direction the one
   whose neighbours are most alike, as the turn lies between samples. -1 for none. */
static PetscInt FindTurn(const Record *record, PetscInt from, PetscInt direction)
{
  const PetscReal *x     = record->values;
  PetscReal        least = PETSC_INFINITY;
  PetscInt         best = -1, found = 0;

  for (PetscInt i = from; i > 0 && i < record->count - 1 && found < NUM_CANDIDATES; i += direction) {
    const PetscReal here = PetscAbsReal(x[i]), before = PetscAbsReal(x[i - 1]), after = PetscAbsReal(x[i + 1]);

    if (here == 0.0 || here < before || here < after) continue;
    found++;
    if (PetscAbsReal(x[i + 1] - x[i - 1]) / here >= least) continue;
    least = PetscAbsReal(x[i + 1] - x[i - 1]) / here;
    best  = i;
  }
  return best;
}

/* One of FFTW's transforms of real numbers, in place. */
static PetscErrorCode Transform(PetscInt count, PetscReal values[], fftw_r2r_kind kind)
{
  fftw_plan plan = fftw_plan_r2r_1d((int)count, values, values, kind, FFTW_ESTIMATE);

  PetscFunctionBegin;
  PetscCheck(plan, PETSC_COMM_SELF, PETSC_ERR_LIB, "FFTW makes no plan for %" PetscInt_FMT " numbers", count);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* No samples where there is nothing to transform. */
static PetscErrorCode CosineSeriesFind(const Record *record, CosineSeries *series)
{
  const PetscInt first = FindTurn(record, 1, 1), last = FindTurn(record, record->count - 2, -1);

  PetscFunctionBegin;
  *series = (CosineSeries){.first = first, .step = record->step};
  if (first < 0 || last - first + 1 < FEWEST_SAMPLES) PetscFunctionReturn(PETSC_SUCCESS);
  series->count = last - first + 1;
  PetscCall(PetscMalloc1(series->count, &series->coefficient));
  PetscCall(PetscArraycpy(series->coefficient, record->values + first, series->count));
  PetscCall(Transform(series->count, series->coefficient, FFTW_REDFT00));
  for (PetscInt k = 0; k < series->count; k++) series->coefficient[k] /= (PetscReal)(k == 0 || k == series->count - 1 ? 2 : 1) * (series->count - 1);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal Frequency(const CosineSeries *series, PetscInt k)
{
  return PETSC_PI * (PetscReal)k / (series->step * (PetscReal)(series->count - 1));
}

/* 1 between the frequencies, falling to 0 as a cosine on a tenth of them beyond. */
static PetscReal Gain(PetscReal omega, PetscReal lowest, PetscReal highest)
{
  const PetscReal slope   = 0.1;
  const PetscReal outside = PetscMax(lowest > 0.0 ? 1.0 - omega / lowest : 0.0, highest < PETSC_INFINITY ? omega / highest - 1.0 : 0.0);

  return outside <= 0.0 ? 1.0 : outside >= slope ? 0.0 : 0.5 + 0.5 * PetscCosReal(PETSC_PI * outside / slope);
}

PetscErrorCode RecordShareOutside(const Record *record, PetscReal lowest, PetscReal highest, PetscReal *share)
{
  CosineSeries series;
  PetscReal    inside = 0.0, all = 0.0;

  PetscFunctionBegin;
  PetscCall(CosineSeriesFind(record, &series));
  for (PetscInt k = 0; k < series.count; k++) {
    const PetscReal energy = series.coefficient[k] * series.coefficient[k], omega = Frequency(&series, k);

    all += energy;
    if (omega >= lowest && omega <= highest) inside += energy;
  }
  *share = all > 0.0 ? 1.0 - inside / all : 0.0;
  PetscCall(PetscFree(series.coefficient));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The analytic signal of what lies in the band: its real part is the same series, its imaginary part the one of sines. */
static PetscErrorCode Synthesise(const CosineSeries *series, PetscReal lowest, PetscReal highest, PetscReal real[], PetscReal imaginary[])
{
  const PetscInt n = series->count;

  PetscFunctionBegin;
  for (PetscInt k = 0; k < n; k++) {
    const PetscReal part = series->coefficient[k] * Gain(Frequency(series, k), lowest, highest);

    real[k]      = (k == 0 || k == n - 1 ? 1.0 : 0.5) * part;
    imaginary[k] = k == 0 || k == n - 1 ? 0.0 : 0.5 * part;
  }
  PetscCall(Transform(n, real, FFTW_REDFT00));
  PetscCall(Transform(n - 2, imaginary + 1, FFTW_RODFT00));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* In place: ln amplitude and continuous phase. */
static void ToPolar(PetscInt count, PetscReal real[], PetscReal imaginary[])
{
  PetscReal before = 0.0;

  for (PetscInt i = 0; i < count; i++) {
    const PetscReal amplitude = PetscMax(hypot(real[i], imaginary[i]), PETSC_MACHINE_EPSILON * PETSC_MACHINE_EPSILON * PETSC_MACHINE_EPSILON);
    const PetscReal phase     = atan2(imaginary[i], real[i]);

    real[i]      = PetscLogReal(amplitude);
    imaginary[i] = i ? before + remainder(phase - before, 2.0 * PETSC_PI) : phase;
    before       = imaginary[i];
  }
}

PetscErrorCode EnvelopeCut(Envelope *envelope, PetscInt first, PetscInt end)
{
  PetscFunctionBegin;
  for (PetscInt i = first; i < end; i++) {
    envelope->phase[i - first]         = envelope->phase[i];
    envelope->log_amplitude[i - first] = envelope->log_amplitude[i];
  }
  envelope->first += first;
  envelope->count = PetscMax(end - first, 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What lies `edge` cycles from both ends. */
static PetscErrorCode Trim(Envelope *envelope, PetscReal edge)
{
  const PetscReal margin = 2.0 * PETSC_PI * edge;
  const PetscInt  last   = envelope->count - 1;
  PetscInt        first = 0, end = envelope->count;

  PetscFunctionBegin;
  while (first < end && envelope->phase[first] - envelope->phase[0] < margin) first++;
  while (end > first && envelope->phase[last] - envelope->phase[end - 1] < margin) end--;
  PetscCall(EnvelopeCut(envelope, first, end));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EnvelopeFind(const Record *record, PetscReal lowest, PetscReal highest, PetscReal edge, Envelope *envelope)
{
  CosineSeries series;

  PetscFunctionBegin;
  PetscCall(CosineSeriesFind(record, &series));
  *envelope = (Envelope){.first = series.first, .count = series.count};
  if (series.count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc2(series.count, &envelope->log_amplitude, series.count, &envelope->phase));
  PetscCall(Synthesise(&series, lowest, highest, envelope->log_amplitude, envelope->phase));
  PetscCall(PetscFree(series.coefficient));
  ToPolar(envelope->count, envelope->log_amplitude, envelope->phase);
  PetscCall(Trim(envelope, edge));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Root mean square of what is left of some samples beside the straight line through them. */
static PetscReal Roughness(PetscInt count, const PetscReal samples[])
{
  const PetscReal middle = 0.5 * (count - 1);
  PetscReal       sum = 0.0, moment = 0.0, square = 0.0, spread = 0.0;

  for (PetscInt i = 0; i < count; i++) {
    sum += samples[i];
    moment += samples[i] * (i - middle);
    spread += (i - middle) * (i - middle);
  }
  for (PetscInt i = 0; i < count; i++) {
    const PetscReal left = samples[i] - sum / count - (i - middle) * moment / spread;

    square += left * left;
  }
  return PetscSqrtReal(square / count);
}

PetscErrorCode EnvelopeKeepClear(Envelope *envelope)
{
  const PetscReal rough = 0.3, cycles = 2.0;
  const PetscInt  patience = 2; /* rough blocks that interrupt nothing */
  const PetscReal turns    = envelope->count ? (envelope->phase[envelope->count - 1] - envelope->phase[0]) / (2.0 * PETSC_PI) : 0.0;
  const PetscInt  blocks   = PetscMin((PetscInt)(turns / cycles), envelope->count / 3);
  PetscInt        begin = -1, clear_end = -1, best = 0, best_end = 0;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < blocks; b++) {
    const PetscInt first = envelope->count * b / blocks, end = envelope->count * (b + 1) / blocks;

    if (Roughness(end - first, envelope->log_amplitude + first) > rough) continue;
    if (begin < 0 || b - clear_end > patience) begin = b;
    clear_end = b + 1;
    if (clear_end - begin <= best_end - best) continue;
    best     = begin;
    best_end = clear_end;
  }
  if (blocks) PetscCall(EnvelopeCut(envelope, envelope->count * best / blocks, envelope->count * best_end / blocks));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EnvelopeDestroy(Envelope *envelope)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(envelope->log_amplitude, envelope->phase));
  envelope->count = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}
