/* ring_down_print.c - what a study of ring-downs tells of each decay: the span of what is trusted, and why the rest is not. */
#include "ring_down.h"

/* What the trusted points of a decay lie between. */
typedef struct {
  PetscInt  trusted;
  PetscReal amplitude[2], frequency[2], damping[2]; /* least, most */
} Extent;

static void Widen(PetscReal range[2], PetscReal value)
{
  range[0] = PetscMin(range[0], value);
  range[1] = PetscMax(range[1], value);
}

static Extent FindExtent(const DecayFound *found, Quantity amplitude)
{
  Extent extent = {0, {PETSC_MAX_REAL, 0.0}, {PETSC_MAX_REAL, 0.0}, {PETSC_MAX_REAL, 0.0}};

  for (PetscInt i = 0; i < found->count; i++) {
    const RingDownPoint *point = &found->points[i];

    if (!point->trusted) continue;
    extent.trusted++;
    Widen(extent.amplitude, point->amplitude * PetscPowRealInt(point->omega, (PetscInt)amplitude));
    Widen(extent.frequency, point->omega / (2.0 * PETSC_PI));
    Widen(extent.damping, point->zeta);
  }
  return extent;
}

/* "  peaks of NAME: 80.4 Hz (width 0.22, height 1.3), ..."; and the band that was chosen. */
static PetscErrorCode PrintPeaks(const Decay *decay, const Result *result)
{
  SpectrumPeak peaks[DECAY_MAX_PEAKS];
  PetscReal    band[2];
  PetscInt     count;

  PetscFunctionBegin;
  PetscCall(DecayReadPeaks(decay, result, &count, peaks, band));
  if (count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  ReportSay("  peaks of %s: frequency (width at half power) [Hz], height\n", decay->path);
  for (PetscInt i = 0; i < count; i++) ReportSay("    %10.6g (%.3g) %10.3g\n", peaks[i].omega, peaks[i].width, peaks[i].height);
  if (decay->seek && band[0] > 0.0)
    ReportSay("    no band was given: %.4g to %.4g Hz, about the highest peak, is measured; `band` chooses another\n", band[0], band[1]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Why points are not trusted, and what can be done. */
static const struct {
  const char *why, *remedy;
} doubts[NUM_DOUBTS] = {
  [DOUBT_MOTIONS]         = {"other motions or noise are in the signal", "a `band` about this frequency keeps them out"},
  [DOUBT_BAND]            = {"the band cuts the motion", "give a wider `band`"},
  [DOUBT_OTHER_FREQUENCY] = {"the frequency is one that this mode cannot have", "another mode is stronger: give a `band` about this one"},
  [DOUBT_OMEGA_ERROR]     = {"the error of the frequency is not accepted", "accept_frequency"},
  [DOUBT_ZETA_ERROR]      = {"the error of the damping is not accepted", "accept_damping"},
};

/* Twice the relative standard deviation of what is doubted; the least of all points. */
static PetscReal LeastError(const DecayFound *found, RingDownDoubt doubt)
{
  PetscReal least = PETSC_INFINITY;

  for (PetscInt i = 0; i < found->count; i++) {
    const RingDownPoint *p = &found->points[i];

    if (p->doubt == doubt) least = PetscMin(least, 2.0 * (doubt == DOUBT_OMEGA_ERROR ? p->omega_error / p->omega : p->zeta_error / p->zeta));
  }
  return least;
}

/* A line for each reason, where hardly any point of a decay is trusted. */
static void PrintDoubts(const RingDownKeys *keys, const DecayFound *found)
{
  PetscInt count[NUM_DOUBTS] = {0};

  for (PetscInt i = 0; i < found->count; i++) count[found->points[i].doubt]++;
  if (2 * count[DOUBT_NONE] >= found->count) return;
  for (RingDownDoubt d = DOUBT_MOTIONS; d < NUM_DOUBTS; d++) {
    if (!count[d]) continue;
    ReportSay("    %" PetscInt_FMT " not trusted: %s", count[d], doubts[d].why);
    if (d < DOUBT_OMEGA_ERROR) ReportSay("; %s\n", doubts[d].remedy);
    else
      ReportSay(", %.2g at least where `%s` is %.2g\n", LeastError(found, d), doubts[d].remedy,
                d == DOUBT_OMEGA_ERROR ? keys->accept_frequency : keys->accept_damping);
  }
}

PetscErrorCode RingDownPrint(const Study *study, const Result *result)
{
  const RingDown *ring_down = study->data;

  PetscFunctionBegin;
  ReportSay("\nring_down %s: %" PetscInt_FMT " decay%s; of what is trusted\n", study->name, ring_down->num_decays,
            ring_down->num_decays == 1 ? "" : "s");
  ReportSay("  %-24s %9s %-23s %-23s %s\n", "decay", "trusted", quantity_names[ring_down->keys.amplitude], "frequency [Hz]", "damping ratio");
  for (PetscInt i = 0; i < ring_down->num_decays; i++) {
    const Decay *decay = &ring_down->decays[i];
    DecayFound   found;
    Extent       extent;

    PetscCall(DecayRead(decay->finding, result, &found));
    extent = FindExtent(&found, decay->amplitude);
    if (found.remark[0]) ReportSay("  %-24s %s\n", decay->path, found.remark);
    else if (extent.trusted == 0) ReportSay("  %-24s  0 of %-3" PetscInt_FMT "\n", decay->path, found.count);
    else
      ReportSay("  %-24s %2" PetscInt_FMT " of %-3" PetscInt_FMT " %10.3g to %-9.3g %10.6g to %-9.6g %9.3g to %-9.3g\n", decay->path, extent.trusted,
                found.count, extent.amplitude[0], extent.amplitude[1], extent.frequency[0], extent.frequency[1], extent.damping[0],
                extent.damping[1]);
    PrintDoubts(&ring_down->keys, &found);
    if (decay->backbone && decay->backbone->modal)
      ReportSay("    its amplitudes are taken for modal ones, as no `shape` of the mode at the measured point is given\n");
    PetscCall(PrintPeaks(decay, result));
    PetscCall(DecayFoundDestroy(&found));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
