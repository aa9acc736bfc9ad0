/* modal_iwan_fit.c - the modal Iwan model that fits a ring-down curve best. */
#include "iwan_misfit.h"
#include "../fitting/bounded_squares.h"
#include "../fitting/finalists.h"

enum { LEAST_POINTS = MODAL_IWAN_SIZE, NUM_STARTS = 400, NUM_FINALISTS = 8, NUM_REWEIGHTS = 12 };

/* Ranges of the logarithms of the points, extremes left out. */
typedef struct {
  PetscReal amplitude_low, amplitude_high; /* extremes included */
  PetscReal omega_low, omega_high, zeta_low;
} Ranges;

static PetscErrorCode FindRanges(PetscInt count, const LogPoint points[], Ranges *ranges)
{
  const PetscInt few = count / 20;
  PetscReal     *amplitude, *omega, *zeta;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(count, &amplitude, count, &omega, count, &zeta));
  for (PetscInt i = 0; i < count; i++) {
    amplitude[i] = points[i].ln_amplitude;
    omega[i]     = points[i].ln_omega;
    zeta[i]      = points[i].ln_zeta;
  }
  PetscCall(PetscSortReal(count, amplitude));
  PetscCall(PetscSortReal(count, omega));
  PetscCall(PetscSortReal(count, zeta));
  *ranges = (Ranges){amplitude[0], amplitude[count - 1], omega[few], omega[count - 1 - few], zeta[few]};
  PetscCall(PetscFree3(amplitude, omega, zeta));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Bounds lie far beyond what points can determine, priors are as wide as what is physically possible. The first variances of frequency and
   damping only serve to tell good starts from bad ones. */
static IwanMisfit MisfitOf(PetscInt count, const LogPoint points[], const Ranges *ranges)
{
  const PetscReal middle = 0.5 * (ranges->amplitude_low + ranges->amplitude_high), largest = ranges->amplitude_high - middle;

  return (IwanMisfit){
    .count          = count,
    .points         = points,
    .ln_middle      = middle,
    .omega_variance = PetscSqr(0.02 * (ranges->omega_high - ranges->omega_low) + 1e-6),
    .zeta_variance  = PetscSqr(0.05),
    .low            = {2 * ranges->omega_low - 2, ranges->zeta_low - 12, -40, -0.99, -largest - 2, 0},
    .high           = {2 * ranges->omega_high + 2, ranges->zeta_low + 5, 10, 0, largest + 10, PetscLogReal(1000)},
    .center         = {0, ranges->zeta_low - 1, -25, -0.5, largest + 1, PetscLogReal(2)},
    .width          = {0, 3, 8, 0.5, 4, 2},
  };
}

/* Every start reproduces roughly the fall of the frequency from the lowest to the highest amplitude. */
static void Start(PetscInt index, const Ranges *ranges, PetscReal x[])
{
  const PetscReal drop = 2 * (ranges->omega_high - ranges->omega_low) + 1e-9, largest = 0.5 * (ranges->amplitude_high - ranges->amplitude_low);

  x[LN_STUCK]   = 2 * ranges->omega_high;
  x[LN_DAMPING] = ranges->zeta_low - 2 * HaltonElement(index, 0);
  x[CHI]        = -0.9 * HaltonElement(index, 1);
  x[LN_PHI_MAX] = -largest + (2 * largest + 2) * HaltonElement(index, 2);
  x[LN_BETA]    = 3 * HaltonElement(index, 3);
  x[LN_DROP]    = PetscLogReal(drop) - (x[CHI] + 1) * PetscMin(x[LN_PHI_MAX], largest) + 2 * HaltonElement(index, 4) - 1;
  if (x[LN_PHI_MAX] < largest) x[LN_DROP] -= x[LN_BETA];
}

static PetscErrorCode FindBest(IwanMisfit *misfit, const Ranges *ranges, PetscReal x[])
{
  Candidate best      = {.value = PETSC_INFINITY};
  Finalists finalists = {.most = NUM_FINALISTS};

  PetscFunctionBegin;
  for (PetscInt i = 1; i <= NUM_STARTS; i++) {
    Candidate candidate;

    Start(i, ranges, candidate.x);
    candidate.value = IwanMisfitEvaluate(misfit, candidate.x, NULL, NULL);
    FinalistsEnter(&finalists, &candidate);
  }
  for (PetscInt i = 0; i < finalists.count; i++) {
    PetscCall(IwanMisfitMinimise(misfit, finalists.list[i].x, &finalists.list[i].value));
    if (finalists.list[i].value < best.value) best = finalists.list[i];
  }
  PetscCall(PetscArraycpy(x, best.x, MODAL_IWAN_SIZE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Frequency and damping are weighted by how well the model can follow each: their variances follow from the deviations. */
static PetscErrorCode Reweight(IwanMisfit *misfit, PetscReal x[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < NUM_REWEIGHTS; i++) {
    PetscReal value, omega, zeta, change;

    IwanMisfitVariances(misfit, x, &omega, &zeta);
    omega  = PetscMax(omega, LEAST_OMEGA_VARIANCE);
    zeta   = PetscMax(zeta, LEAST_ZETA_VARIANCE);
    change = PetscMax(PetscAbsReal(omega / misfit->omega_variance - 1), PetscAbsReal(zeta / misfit->zeta_variance - 1));
    if (change < 0.02) break;
    misfit->omega_variance = omega;
    misfit->zeta_variance  = zeta;
    PetscCall(IwanMisfitMinimise(misfit, x, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether the model explains the points, and the reason if not. */
static PetscErrorCode Judge(const IwanMisfit *misfit, PetscBool *found, char reason[], size_t size)
{
  const PetscReal omega = PetscSqrtReal(misfit->omega_variance), zeta = PetscSqrtReal(misfit->zeta_variance);

  PetscFunctionBegin;
  *found = LogPointsExplained(misfit->omega_variance, misfit->zeta_variance);
  if (!*found)
    PetscCall(PetscSNPrintf(reason, size, "no modal Iwan model fits the points: the best one is off by %.2g %% in frequency and %.2g %% in damping",
                            100 * (double)omega, 100 * (double)zeta));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FitUsable(PetscInt count, const LogPoint points[], PetscBool *found, ModalIwanFit *fit, char reason[], size_t size)
{
  Ranges     ranges = {0};
  IwanMisfit misfit;
  PetscReal  x[MODAL_IWAN_SIZE];

  PetscFunctionBegin;
  PetscCall(FindRanges(count, points, &ranges));
  misfit = MisfitOf(count, points, &ranges);
  PetscCall(FindBest(&misfit, &ranges, x));
  PetscCall(Reweight(&misfit, x));
  PetscCall(Judge(&misfit, found, reason, size));
  if (*found) PetscCall(IwanMisfitReport(&misfit, x, fit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModalIwanFitCurve(PetscInt count, const RingDownPoint points[], PetscBool *found, ModalIwanFit *fit, char reason[], size_t size)
{
  LogPoint *usable     = NULL;
  PetscInt  num_usable = 0;

  PetscFunctionBegin;
  *fit   = (ModalIwanFit){0};
  *found = PETSC_FALSE;
  PetscCall(PetscStrncpy(reason, "", size));
  PetscCall(LogPointsGather(count, points, &num_usable, &usable));
  if (num_usable >= LEAST_POINTS) PetscCall(FitUsable(num_usable, usable, found, fit, reason, size));
  else
    PetscCall(PetscSNPrintf(reason, size,
                            "only %" PetscInt_FMT " of %" PetscInt_FMT
                            " points are trusted, with an amplitude, a frequency and a damping above zero: %d are needed",
                            num_usable, count, LEAST_POINTS));
  PetscCall(PetscFree(usable));
  PetscFunctionReturn(PETSC_SUCCESS);
}
