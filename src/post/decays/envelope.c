/* envelope.c - amplitude and phase of a record, by its Hilbert transform [section 2.2 of lacayo2017]. */
#include <fftw3.h> /* before PETSc brings complex.h, which would change the type of its numbers */
#include "envelope.h"

enum { FEWEST_SAMPLES = 16, NUM_CANDIDATES = 6 };

/* The Fourier transform of a record. The record is continued at both ends by its mirror image, which fades to zero: no jump, and a length
   that transforms fast. Few lengths occur, so that FFTW plans each of them once. */
typedef struct {
  PetscInt      first, count, before, length; /* the record's first sample and number of samples; samples added before them; samples in all */
  PetscReal     step;                         /* [s] */
  fftw_complex *coefficient;                  /* [length / 2 + 1] of exp(i omega_k t) */
} Spectrum;

/* A sample at an extreme of the record, from which the mirror image continues it smoothly. The extreme itself lies between samples, so the
   sample chosen is that of the first few candidates whose two neighbours are most alike. -1 for none. */
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

/* At least twice the number of samples: the next power of two, or three times a power of two. */
static PetscInt FastLength(PetscInt count)
{
  PetscInt power = 4;

  while (power < 2 * count) power *= 2;
  return 3 * (power / 4) >= 2 * count ? 3 * (power / 4) : power;
}

/* Factor of the mirror image `distance` samples beyond an end: 1 for a quarter of its reach, then falling to 0 as a cosine. */
static PetscReal Fade(PetscInt distance, PetscInt reach)
{
  const PetscReal along = (PetscReal)distance / reach, full = 0.25;

  return along <= full ? 1.0 : along >= 1.0 ? 0.0 : 0.5 + 0.5 * PetscCosReal(PETSC_PI * (along - full) / (1.0 - full));
}

static void Continue(const Spectrum *spectrum, const PetscReal samples[], PetscReal all[])
{
  const PetscInt n = spectrum->count, after = spectrum->length - n - spectrum->before;
  const PetscInt reach = PetscMin(PetscMin(spectrum->before, after), n - 1);

  for (PetscInt i = 0; i < spectrum->length; i++) all[i] = 0.0;
  for (PetscInt i = 0; i < n; i++) all[spectrum->before + i] = samples[i];
  for (PetscInt d = 1; d <= reach; d++) {
    all[spectrum->before - d]         = Fade(d, reach) * samples[d];
    all[spectrum->before + n - 1 + d] = Fade(d, reach) * samples[n - 1 - d];
  }
}

/* The spectrum has no samples where there is nothing to transform. */
static PetscErrorCode SpectrumFind(const Record *record, Spectrum *spectrum)
{
  const PetscInt first = FindTurn(record, 1, 1), last = FindTurn(record, record->count - 2, -1);
  PetscReal     *all;
  fftw_plan      plan;

  PetscFunctionBegin;
  *spectrum = (Spectrum){.first = first, .step = record->step};
  if (first < 0 || last - first + 1 < FEWEST_SAMPLES) PetscFunctionReturn(PETSC_SUCCESS);
  spectrum->count       = last - first + 1;
  spectrum->length      = FastLength(spectrum->count);
  spectrum->before      = (spectrum->length - spectrum->count) / 2;
  all                   = fftw_alloc_real((size_t)spectrum->length);
  spectrum->coefficient = fftw_alloc_complex((size_t)spectrum->length / 2 + 1);
  PetscCheck(all && spectrum->coefficient, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for %" PetscInt_FMT " numbers", spectrum->length);
  plan = fftw_plan_dft_r2c_1d((int)spectrum->length, all, spectrum->coefficient, FFTW_ESTIMATE);
  Continue(spectrum, record->values + first, all);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  fftw_free(all);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal Frequency(const Spectrum *spectrum, PetscInt k)
{
  return 2.0 * PETSC_PI * (PetscReal)k / (spectrum->step * (PetscReal)spectrum->length);
}

/* Gain of the filter: 1 in the band, falling to 0 as a cosine within a tenth of the limiting frequency beyond it. */
static PetscReal Gain(PetscReal omega, PetscReal lowest, PetscReal highest)
{
  const PetscReal slope   = 0.1;
  const PetscReal outside = PetscMax(lowest > 0.0 ? 1.0 - omega / lowest : 0.0, highest < PETSC_INFINITY ? omega / highest - 1.0 : 0.0);

  return outside <= 0.0 ? 1.0 : outside >= slope ? 0.0 : 0.5 + 0.5 * PetscCosReal(PETSC_PI * outside / slope);
}

PetscErrorCode RecordShareOutside(const Record *record, PetscReal lowest, PetscReal highest, PetscReal *share)
{
  Spectrum  spectrum;
  PetscReal inside = 0.0, all = 0.0;

  PetscFunctionBegin;
  PetscCall(SpectrumFind(record, &spectrum));
  for (PetscInt k = 0; k <= spectrum.length / 2 && spectrum.count; k++) {
    const PetscReal energy = PetscSqr(spectrum.coefficient[k][0]) + PetscSqr(spectrum.coefficient[k][1]), omega = Frequency(&spectrum, k);

    all += energy;
    if (omega >= lowest && omega <= highest) inside += energy;
  }
  *share = all > 0.0 ? 1.0 - inside / all : 0.0;
  fftw_free(spectrum.coefficient);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The analytic signal of the filtered record: positive frequencies only, doubled [Feldman 1994]. */
static PetscErrorCode Synthesise(const Spectrum *spectrum, PetscReal lowest, PetscReal highest, PetscReal real[], PetscReal imaginary[])
{
  const PetscInt n    = spectrum->length;
  fftw_complex  *all  = fftw_alloc_complex((size_t)n);
  fftw_plan      plan = fftw_plan_dft_1d((int)n, all, all, FFTW_BACKWARD, FFTW_ESTIMATE);

  PetscFunctionBegin;
  PetscCheck(all && plan, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for %" PetscInt_FMT " numbers", n);
  for (PetscInt k = 0; k < n; k++) {
    const PetscReal gain = k > n / 2 ? 0.0 : (k == 0 || k == n / 2 ? 1.0 : 2.0) / n * Gain(Frequency(spectrum, k), lowest, highest);

    all[k][0] = gain > 0.0 ? gain * spectrum->coefficient[k][0] : 0.0;
    all[k][1] = gain > 0.0 ? gain * spectrum->coefficient[k][1] : 0.0;
  }
  fftw_execute(plan);
  for (PetscInt i = 0; i < spectrum->count; i++) {
    real[i]      = all[spectrum->before + i][0];
    imaginary[i] = all[spectrum->before + i][1];
  }
  fftw_destroy_plan(plan);
  fftw_free(all);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Replaces real and imaginary parts by ln amplitude and continuous phase. */
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

/* Drops `edge` cycles at both ends. */
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
  Spectrum spectrum;

  PetscFunctionBegin;
  PetscCall(SpectrumFind(record, &spectrum));
  *envelope = (Envelope){.first = spectrum.first, .count = spectrum.count};
  if (spectrum.count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc2(spectrum.count, &envelope->log_amplitude, spectrum.count, &envelope->phase));
  PetscCall(Synthesise(&spectrum, lowest, highest, envelope->log_amplitude, envelope->phase));
  fftw_free(spectrum.coefficient);
  ToPolar(envelope->count, envelope->log_amplitude, envelope->phase);
  PetscCall(Trim(envelope, edge));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Root mean square of the deviations of samples from the straight line fitted to them. */
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
  const PetscInt  tolerated = 2; /* this many rough blocks in a row do not end a stretch */
  const PetscReal turns     = envelope->count ? (envelope->phase[envelope->count - 1] - envelope->phase[0]) / (2.0 * PETSC_PI) : 0.0;
  const PetscInt  blocks    = PetscMin((PetscInt)(turns / cycles), envelope->count / 3);
  PetscInt        begin = -1, clear_end = -1, best = 0, best_end = 0;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < blocks; b++) {
    const PetscInt first = envelope->count * b / blocks, end = envelope->count * (b + 1) / blocks;

    if (Roughness(end - first, envelope->log_amplitude + first) > rough) continue;
    if (begin < 0 || b - clear_end > tolerated) begin = b;
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
