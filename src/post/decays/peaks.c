/* peaks.c - the peaks of a record's spectrum: frequencies of what it holds, and the band of one of them. */
#include <fftw3.h> /* before PETSc brings complex.h, which would change the type of its numbers */
#include "post/decays.h"

enum { FEWEST_SAMPLES = 64, FEWEST_CYCLES = 4 };

/* Above the level around it [power]: noise of a million lines stays below 20; a peak stands out to a damping ratio of 0.03. */
static const PetscReal clear_above_level = 30.0;
/* Above the valleys on both sides [power], and as a share of the highest peak. */
static const PetscReal clear_above_valley = 10.0, least_share = 1e-4;
/* A decay whose frequency changes has ripples in its spectrum, which are no other motion: of peaks this close the higher one counts. */
static const PetscReal close_ratio = 1.03;
/* Lines between which the level is their median span this ratio of frequencies. */
static const PetscReal level_ratio = 2.0;

typedef struct {
  PetscInt   count;
  PetscReal  spacing; /* [rad/s] */
  PetscReal *power;   /* [count] */
} Lines;

/* 1 for three quarters of the record, then falling to 0 as a cosine: what has not decayed by then leaves no side lobes. */
static PetscReal Taper(PetscInt i, PetscInt count)
{
  const PetscReal along = (PetscReal)i / (PetscReal)count, full = 0.75;

  return along <= full ? 1.0 : 0.5 + 0.5 * PetscCosReal(PETSC_PI * (along - full) / (1.0 - full));
}

/* Of the record less its mean, with zeros behind it: four lines or more within what a record of this length can tell apart. */
static PetscErrorCode LinesFind(const Record *record, Lines *lines)
{
  fftw_complex *coefficient;
  fftw_plan     plan;
  PetscReal    *samples, mean = 0.0;
  PetscInt      length = 4;

  PetscFunctionBegin;
  while (length < 4 * record->count) length *= 2;
  samples     = fftw_alloc_real((size_t)length);
  coefficient = fftw_alloc_complex((size_t)length / 2 + 1);
  plan        = fftw_plan_dft_r2c_1d((int)length, samples, coefficient, FFTW_ESTIMATE);
  PetscCheck(samples && coefficient && plan, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for %" PetscInt_FMT " numbers", length);
  for (PetscInt i = 0; i < record->count; i++) mean += record->values[i] / (PetscReal)record->count;
  for (PetscInt i = 0; i < length; i++) samples[i] = i < record->count ? Taper(i, record->count) * (record->values[i] - mean) : 0.0;
  fftw_execute(plan);
  lines->count   = length / 2;
  lines->spacing = 2.0 * PETSC_PI / ((PetscReal)length * record->step);
  PetscCall(PetscMalloc1(lines->count, &lines->power));
  for (PetscInt k = 0; k < lines->count; k++)
    lines->power[k] = PetscSqr(2.0 * record->step) * (PetscSqr(coefficient[k][0]) + PetscSqr(coefficient[k][1]));
  fftw_destroy_plan(plan);
  fftw_free(coefficient);
  fftw_free(samples);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The median of the lines from `first` to `end` - 1. */
static PetscErrorCode FindLevel(const Lines *lines, PetscInt first, PetscInt end, PetscReal *level)
{
  PetscReal *sorted;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(end - first, &sorted));
  PetscCall(PetscArraycpy(sorted, lines->power + first, end - first));
  PetscCall(PetscSortReal(end - first, sorted));
  *level = sorted[(end - first) / 2];
  PetscCall(PetscFree(sorted));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The lowest power between a line and the next higher one to that side, or the end. */
static PetscReal FindValley(const Lines *lines, PetscInt line, PetscInt direction)
{
  PetscReal least = lines->power[line];

  for (PetscInt k = line + direction; k > 0 && k < lines->count && lines->power[k] <= lines->power[line]; k += direction)
    least = PetscMin(least, lines->power[k]);
  return least;
}

/* How many lines away the power has fallen to half. */
static PetscReal HalfPower(const Lines *lines, PetscInt line, PetscInt direction)
{
  const PetscReal half = 0.5 * lines->power[line];
  PetscInt        k    = line;

  while (k > 0 && k < lines->count - 1 && lines->power[k] > half) k += direction;
  if (lines->power[k] > half) return (PetscReal)((k - line) * direction);
  return (PetscReal)((k - line) * direction) - (half - lines->power[k]) / (lines->power[k - direction] - lines->power[k]);
}

/* The top lies between lines, on a parabola through ln power. */
static SpectrumPeak Measure(const Lines *lines, PetscInt line)
{
  const PetscReal before = PetscLogReal(lines->power[line - 1]), here = PetscLogReal(lines->power[line]),
                  after = PetscLogReal(lines->power[line + 1]);
  const PetscReal bend = before - 2.0 * here + after, shift = bend < 0.0 ? 0.5 * (before - after) / bend : 0.0;

  return (SpectrumPeak){.omega  = lines->spacing * ((PetscReal)line + shift),
                        .height = PetscExpReal(0.5 * (here - 0.25 * (before - after) * shift)),
                        .width  = lines->spacing * (HalfPower(lines, line, -1) + HalfPower(lines, line, 1))};
}

/* They come by ascending frequency. Of those that are kept the lowest makes room. */
static void Keep(SpectrumPeak peak, PetscInt most, PetscInt *count, SpectrumPeak peaks[])
{
  PetscInt lowest = 0;

  if (*count > 0 && peak.omega < close_ratio * peaks[*count - 1].omega) {
    if (peak.height > peaks[*count - 1].height) peaks[*count - 1] = peak;
    return;
  }
  for (PetscInt i = 1; i < *count; i++)
    if (peaks[i].height < peaks[lowest].height) lowest = i;
  if (*count == most && peak.height <= peaks[lowest].height) return;
  if (*count == most) {
    for (PetscInt i = lowest; i + 1 < most; i++) peaks[i] = peaks[i + 1];
    (*count)--;
  }
  peaks[(*count)++] = peak;
}

static PetscErrorCode FindClear(const Lines *lines, PetscInt first, PetscInt most, PetscInt *count, SpectrumPeak peaks[])
{
  PetscReal highest = 0.0;

  PetscFunctionBegin;
  for (PetscInt k = first; k < lines->count; k++) highest = PetscMax(highest, lines->power[k]);
  for (PetscInt begin = first; begin < lines->count - 1;) {
    const PetscInt end   = PetscMin(PetscMax((PetscInt)(level_ratio * (PetscReal)begin), begin + FEWEST_SAMPLES), lines->count - 1);
    PetscReal      level = 0.0;

    PetscCall(FindLevel(lines, PetscMin(begin, (PetscInt)((PetscReal)end / level_ratio)), end, &level));
    for (PetscInt k = begin; k < end; k++) {
      const PetscReal power = lines->power[k];

      if (power < least_share * highest || power < clear_above_level * level || power <= lines->power[k - 1] || power < lines->power[k + 1]) continue;
      if (power > clear_above_valley * PetscMax(FindValley(lines, k, -1), FindValley(lines, k, 1))) Keep(Measure(lines, k), most, count, peaks);
    }
    begin = end;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecordFindPeaks(const Record *record, PetscInt most, PetscInt *count, SpectrumPeak peaks[])
{
  Lines    lines = {0};
  PetscInt first;

  PetscFunctionBegin;
  *count = 0;
  if (record->count < FEWEST_SAMPLES) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(LinesFind(record, &lines));
  first = (PetscInt)(2.0 * PETSC_PI * FEWEST_CYCLES / ((PetscReal)record->count * record->step * lines.spacing));
  PetscCall(FindClear(&lines, PetscMax(first, 1), most, count, peaks));
  PetscCall(PetscFree(lines.power));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Halfway, in logarithms, to the peaks beside it, and an octave at most. */
void SpectrumBand(PetscInt count, const SpectrumPeak peaks[], PetscInt peak, PetscReal band[2])
{
  const PetscReal omega = peaks[peak].omega;

  band[0] = peak > 0 ? PetscMax(0.5 * omega, PetscSqrtReal(omega * peaks[peak - 1].omega)) : 0.5 * omega;
  band[1] = peak + 1 < count ? PetscMin(2.0 * omega, PetscSqrtReal(omega * peaks[peak + 1].omega)) : 2.0 * omega;
}
