/* basis.c - harmonics and samples of a period. */
#include "harmonic/basis.h"
#include "rows.h"

static PetscErrorCode NumberFunctions(HarmonicBasis *basis)
{
  PetscInt k = basis->odd ? 1 : 0;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(basis->num_harmonics, &basis->harmonic, basis->num_harmonics, &basis->first));
  for (PetscInt h = 0; h < basis->num_harmonics; h++, k += basis->odd ? 2 : 1) {
    basis->harmonic[h] = k;
    basis->first[h]    = basis->num_functions;
    basis->num_functions += k == 0 ? 1 : 2;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* cos theta_n, and sin theta_n behind them, of a whole period. */
static void FillCircle(PetscInt num_samples, PetscReal circle[])
{
  const PetscReal step = 2.0 * PETSC_PI / (PetscReal)num_samples;

  for (PetscInt n = 0; n < num_samples; n++) {
    circle[n]               = PetscCosReal(step * (PetscReal)n);
    circle[num_samples + n] = PetscSinReal(step * (PetscReal)n);
  }
}

/* cos and sin k theta_n; k n is taken modulo N, so that waves are as exact for high harmonics as for the first, and all from one circle. */
static void FillWave(const HarmonicBasis *basis, const PetscReal circle[], PetscInt k, PetscReal cosine[], PetscReal sine[])
{
  const PetscInt N = basis->num_samples, turn = k % N;

  for (PetscInt n = 0, at = 0; n < basis->stretch; n++, at = at + turn < N ? at + turn : at + turn - N) {
    cosine[n] = circle[at];
    if (sine) sine[n] = circle[N + at];
  }
}

static void FillFunctions(HarmonicBasis *basis, const PetscReal circle[])
{
  for (PetscInt h = 0; h < basis->num_harmonics; h++) {
    const PetscInt   k = basis->harmonic[h], j = basis->first[h];
    PetscReal *const cosine = basis->function + j * basis->stretch;

    FillWave(basis, circle, k, cosine, k ? cosine + basis->stretch : NULL);
    basis->weight[j] = (k ? 2.0 : 1.0) / (PetscReal)basis->stretch;
    if (k) basis->weight[j + 1] = basis->weight[j];
  }
}

/* Between neighbours of the waves that products consist of. */
static inline PetscInt WaveStep(const HarmonicBasis *basis)
{
  return basis->odd ? 2 : 1;
}

static void FillWaves(HarmonicBasis *basis, const PetscReal circle[])
{
  FillWave(basis, circle, 0, basis->wave, NULL);
  for (PetscInt w = 1; w < basis->num_waves; w += 2)
    FillWave(basis, circle, (w + 1) / 2 * WaveStep(basis), basis->wave + w * basis->stretch, basis->wave + (w + 1) * basis->stretch);
}

PetscErrorCode HarmonicBasisCreate(PetscInt highest, PetscBool odd, PetscInt num_samples, HarmonicBasis **basis)
{
  const PetscBool halves = (PetscBool)(odd && num_samples % 2 == 0);
  HarmonicBasis  *made;
  PetscReal      *circle;

  PetscFunctionBegin;
  PetscCall(PetscNew(basis));
  made                = *basis;
  made->highest       = odd && highest % 2 == 0 ? highest - 1 : highest;
  made->odd           = odd;
  made->num_samples   = num_samples;
  made->stretch       = halves ? num_samples / 2 : num_samples;
  made->turn          = halves ? -1.0 : 1.0;
  made->num_harmonics = odd ? (made->highest + 1) / 2 : highest + 1;
  made->num_waves     = 4 * made->highest / WaveStep(made) + 1;
  PetscCall(NumberFunctions(made));
  PetscCall(PetscMalloc1(made->num_functions, &made->weight));
  PetscCall(PetscCalloc2(RowsPadded(made->num_functions) * made->stretch, &made->function, RowsPadded(made->num_waves) * made->stretch, &made->wave));
  PetscCall(PetscMalloc1(2 * num_samples, &circle));
  FillCircle(num_samples, circle);
  FillFunctions(made, circle);
  FillWaves(made, circle);
  PetscCall(PetscFree(circle));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicBasisDestroy(HarmonicBasis **basis)
{
  PetscFunctionBegin;
  if (!*basis) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree2((*basis)->harmonic, (*basis)->first));
  PetscCall(PetscFree((*basis)->weight));
  PetscCall(PetscFree2((*basis)->function, (*basis)->wave));
  PetscCall(PetscFree(*basis));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt HarmonicFunction(const HarmonicBasis *basis, PetscInt k)
{
  if (k > basis->highest || (basis->odd && k % 2 == 0)) return -1;
  return basis->first[basis->odd ? (k - 1) / 2 : k];
}

/* cos k theta and sin k theta for the harmonics of a basis, one after another: turned by theta, or by twice that where only odd ones are there. */
typedef struct {
  PetscReal cosine, sine, turn_cosine, turn_sine;
} Waves;

static inline Waves WavesBegin(const HarmonicBasis *basis, PetscReal theta)
{
  const PetscReal cosine = PetscCosReal(theta), sine = PetscSinReal(theta);

  if (basis->odd) return (Waves){cosine, sine, cosine * cosine - sine * sine, 2.0 * cosine * sine};
  return (Waves){1.0, 0.0, cosine, sine};
}

static inline void WavesTurn(Waves *waves)
{
  const PetscReal cosine = waves->cosine * waves->turn_cosine - waves->sine * waves->turn_sine;

  waves->sine   = waves->sine * waves->turn_cosine + waves->cosine * waves->turn_sine;
  waves->cosine = cosine;
}

void HarmonicValues(const HarmonicBasis *basis, PetscReal theta, PetscReal value[], PetscReal slope[], PetscReal curvature[])
{
  Waves waves = WavesBegin(basis, theta);

  for (PetscInt h = 0; h < basis->num_harmonics; h++, WavesTurn(&waves)) {
    const PetscInt  j = basis->first[h];
    const PetscReal k = (PetscReal)basis->harmonic[h];

    if (value) value[j] = waves.cosine;
    if (slope) slope[j] = -k * waves.sine;
    if (curvature) curvature[j] = -k * k * waves.cosine;
    if (basis->harmonic[h] == 0) continue;
    if (value) value[j + 1] = waves.sine;
    if (slope) slope[j + 1] = k * waves.cosine;
    if (curvature) curvature[j + 1] = -k * k * waves.sine;
  }
}

void HarmonicMotionAt(const HarmonicBasis *basis, const PetscReal x[], PetscReal theta, PetscReal *value, PetscReal *slope, PetscReal *curvature)
{
  Waves waves = WavesBegin(basis, theta);

  *value = *slope = *curvature = 0.0;
  for (PetscInt h = 0; h < basis->num_harmonics; h++, WavesTurn(&waves)) {
    const PetscInt  j = basis->first[h];
    const PetscReal k = (PetscReal)basis->harmonic[h], s = basis->harmonic[h] ? x[j + 1] : 0.0;

    *value += x[j] * waves.cosine + s * waves.sine;
    *slope += k * (s * waves.cosine - x[j] * waves.sine);
    *curvature -= k * k * (x[j] * waves.cosine + s * waves.sine);
  }
}

static void Combine(const HarmonicBasis *basis, PetscReal work[], PetscReal samples[])
{
  const PetscInt padded = RowsPadded(basis->num_functions);

  for (PetscInt j = basis->num_functions; j < padded; j++) work[j] = 0.0;
  RowsCombine(padded, basis->stretch, basis->function, work, samples);
}

void HarmonicSample(const HarmonicBasis *basis, const PetscReal x[], PetscReal work[], PetscReal samples[])
{
  for (PetscInt j = 0; j < basis->num_functions; j++) work[j] = x[j];
  Combine(basis, work, samples);
}

void HarmonicSampleSlope(const HarmonicBasis *basis, const PetscReal x[], PetscReal work[], PetscReal samples[])
{
  for (PetscInt h = 0; h < basis->num_harmonics; h++) {
    const PetscInt  j = basis->first[h];
    const PetscReal k = (PetscReal)basis->harmonic[h];

    work[j] = basis->harmonic[h] ? k * x[j + 1] : 0.0;
    if (basis->harmonic[h]) work[j + 1] = -k * x[j];
  }
  Combine(basis, work, samples);
}

void HarmonicAnalyse(const HarmonicBasis *basis, const PetscReal samples[], PetscReal x[])
{
  RowsTimes(basis->num_functions, basis->stretch, basis->function, samples, x);
  for (PetscInt j = 0; j < basis->num_functions; j++) x[j] *= basis->weight[j];
}

/* From the sample that lies farthest out to the extreme beside it, by two steps of Newton's method that stay between its neighbours. */
static PetscReal ExtremeBeside(const HarmonicBasis *basis, const PetscReal x[], PetscInt n)
{
  const PetscReal step  = 2.0 * PETSC_PI / (PetscReal)basis->num_samples;
  PetscReal       theta = step * (PetscReal)n, motion, slope, curvature;

  for (PetscInt i = 0; i < 2; i++) {
    HarmonicMotionAt(basis, x, theta, &motion, &slope, &curvature);
    if (curvature == 0.0 || PetscAbsReal(slope) > PetscAbsReal(curvature) * step) return motion;
    theta -= slope / curvature;
  }
  HarmonicMotionAt(basis, x, theta, &motion, &slope, &curvature);
  return motion;
}

/* The first of the samples that lie farthest on one side, with a factor of 1 or -1. */
static PetscInt Farthest(PetscInt count, PetscReal side, const PetscReal samples[])
{
  RowsLanes most = {0.0};
  PetscReal farthest;
  PetscInt  n = 0;

  most += side * samples[0];
  for (; n + ROWS_LANES <= count; n += ROWS_LANES) most = RowsMax(most, side * RowsLoad(samples + n));
  for (farthest = RowsLargest(most); n < count; n++) farthest = PetscMax(farthest, side * samples[n]);
  for (n = 0; n + 1 < count && side * samples[n] < farthest;) n++;
  return n;
}

PetscErrorCode HarmonicAmplitude(const HarmonicBasis *basis, const PetscReal x[], PetscReal *amplitude)
{
  PetscReal *samples, *work, highest, lowest;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc2(basis->stretch, &samples, RowsPadded(basis->num_functions), &work));
  HarmonicSample(basis, x, work, samples);
  highest    = ExtremeBeside(basis, x, Farthest(basis->stretch, 1.0, samples));
  lowest     = ExtremeBeside(basis, x, Farthest(basis->stretch, -1.0, samples));
  *amplitude = basis->turn < 0.0 ? PetscMax(highest, -lowest) : 0.5 * (highest - lowest);
  PetscCall(PetscFree2(samples, work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sums of samples times the cosine and the sine of wave k. */
static inline PetscReal CosineOf(const PetscReal waves[], PetscInt k)
{
  return k == 0 ? waves[0] : waves[2 * PetscAbsInt(k) - 1];
}

static inline PetscReal SineOf(const PetscReal waves[], PetscInt k)
{
  return k == 0 ? 0.0 : k > 0 ? waves[2 * k] : -waves[-2 * k];
}

/* Products of two functions are sums of waves: cos a cos b = (cos (a - b) + cos (a + b)) / 2, and so on. */
void HarmonicAddProduct(const HarmonicBasis *basis, const PetscReal samples[], PetscInt stride, PetscReal work[], PetscReal matrix[])
{
  const PetscInt step = WaveStep(basis);

  RowsTimes(RowsPadded(basis->num_waves), basis->stretch, basis->wave, samples, work);
  for (PetscInt g = 0; g < basis->num_harmonics; g++)
    for (PetscInt h = 0; h < basis->num_harmonics; h++) {
      const PetscInt   a = basis->harmonic[g], b = basis->harmonic[h], less = (a - b) / step, more = (a + b) / step;
      const PetscReal  half        = 0.5 * basis->weight[basis->first[g]];
      const PetscReal  less_cosine = CosineOf(work, less), more_cosine = CosineOf(work, more);
      const PetscReal  less_sine = SineOf(work, less), more_sine = SineOf(work, more);
      PetscReal *const at = matrix + basis->first[g] * stride + basis->first[h];

      at[0] += half * (less_cosine + more_cosine);
      if (b) at[1] += half * (more_sine - less_sine);
      if (a) at[stride] += half * (more_sine + less_sine);
      if (a && b) at[stride + 1] += half * (less_cosine - more_cosine);
    }
}

void HarmonicCarry(const HarmonicBasis *from, const PetscReal x[], PetscInt num_motions, const HarmonicBasis *to, PetscReal y[])
{
  for (PetscInt r = 0; r < num_motions; r++)
    for (PetscInt h = 0; h < to->num_harmonics; h++) {
      const PetscInt k = to->harmonic[h], i = HarmonicFunction(from, k), j = to->first[h];

      y[r * to->num_functions + j] = i < 0 ? 0.0 : x[r * from->num_functions + i];
      if (k) y[r * to->num_functions + j + 1] = i < 0 ? 0.0 : x[r * from->num_functions + i + 1];
    }
}
