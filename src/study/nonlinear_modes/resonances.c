/*
  resonances.c - internal resonances of a nonlinear mode: where a harmonic of it meets another mode that the joints couple to it.

  There the other mode answers strongly, and the curve may turn back in amplitude and make a loop. The modes are those with joints stuck, whose
  frequencies fall as joints slip: a turn is therefore ascribed to what is nearest, and how near that is is told.
*/
#include "nonlinear_modes.h"

static void Add(Resonances *found, Resonance resonance)
{
  for (PetscInt i = 0; i < found->count && !resonance.turns; i++)
    if (found->list[i].harmonic == resonance.harmonic && found->list[i].mode == resonance.mode && !found->list[i].turns) return;
  if (found->count < MOST_RESONANCES) found->list[found->count++] = resonance;
}

PetscBool ModeMovesJoints(const HarmonicStructure *s, PetscInt mode)
{
  for (PetscInt r = 0; r < s->m; r++)
    if (PetscAbsReal(s->map[r * s->n + mode]) > 1e-9 * HarmonicLargest(s->n, s->map + r * s->n)) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Half of the width at half power that the mode has under the artificial damping. */
static PetscReal HalfWidth(const HarmonicStructure *s, PetscInt mode, const ModePoint *point)
{
  return 0.5 * PetscAbsReal(s->damping[mode] - 2.0 * point->zeta * point->omega);
}

/* Harmonic k, which passed the mode since the last point or is within its width now. */
static void LookAt(ModeTrack *track, const ModePoint *point, PetscInt k, PetscInt mode)
{
  const PetscReal other = PetscSqrtReal(track->structure->eigenvalue[mode]), now = (PetscReal)k * point->omega - other;
  const PetscReal before = (PetscReal)k * track->last_omega - other;
  const PetscBool passed = (PetscBool)(track->count > 0 && now * before < 0.0 && k <= track->last_harmonics);
  const PetscReal part   = passed ? before / (before - now) : 1.0;

  if (!passed && PetscAbsReal(now) > HalfWidth(track->structure, mode, point)) return;
  Add(&track->resonances,
      (Resonance){.harmonic  = k,
                  .mode      = mode,
                  .amplitude = passed ? track->last_amplitude * PetscPowReal(point->amplitude / track->last_amplitude, part) : point->amplitude,
                  .apart     = passed ? 0.0 : PetscAbsReal(now) / other});
}

/* The harmonic and the mode that are nearest to each other where the curve turns. */
static void AddTurn(ModeTrack *track, const ModePoint *point)
{
  const HarmonicStructure *const s       = track->structure;
  Resonance                      nearest = {.amplitude = point->amplitude, .apart = PETSC_INFINITY, .turns = PETSC_TRUE};

  for (PetscInt h = 0; h < point->basis->num_harmonics; h++)
    for (PetscInt j = 0; j < s->n; j++) {
      const PetscInt  k     = point->basis->harmonic[h];
      const PetscReal other = PetscSqrtReal(s->eigenvalue[j]), apart = PetscAbsReal((PetscReal)k * point->omega - other) / other;

      if (!track->coupled[j] || k < 1 || apart >= nearest.apart) continue;
      nearest.harmonic = k;
      nearest.mode     = j;
      nearest.apart    = apart;
    }
  if (nearest.harmonic) Add(&track->resonances, nearest);
}

void ResonancesLook(ModeTrack *track, const ModePoint *point, PetscReal heading)
{
  const HarmonicStructure *const s = track->structure;

  for (PetscInt j = 0; j < s->n; j++)
    for (PetscInt h = 0; track->coupled[j] && h < point->basis->num_harmonics; h++)
      if (point->basis->harmonic[h] >= 1) LookAt(track, point, point->basis->harmonic[h], j);
  if (track->count > 0 && heading * track->last_heading < 0.0) AddTurn(track, point);
  track->last_amplitude = point->amplitude;
  track->last_omega     = point->omega;
  track->last_heading   = heading;
  track->last_harmonics = point->harmonics;
}
