/* internal_resonances.c - harmonics of a periodic motion that meet other modes: found along a curve, written, told of. */
#include "study/internal_resonances.h"

static const PetscReal NEAR = 0.05; /* modes that are farther off than this do not make a curve turn */

enum { SHOWN = 3, BEYOND = 4 }; /* BEYOND: harmonics up to so many times the highest of a point are looked at */

static void Add(InternalResonanceList *found, InternalResonance resonance)
{
  for (PetscInt i = 0; i < found->count && !resonance.turns; i++)
    if (found->list[i].harmonic == resonance.harmonic && found->list[i].mode == resonance.mode && !found->list[i].turns) return;
  if (found->count < MOST_INTERNAL_RESONANCES) found->list[found->count++] = resonance;
}

PetscBool ModeMovesJoints(const HarmonicStructure *s, PetscInt mode)
{
  for (PetscInt r = 0; r < s->m; r++)
    if (PetscAbsReal(s->map[r * s->n + mode]) > 1e-9 * HarmonicLargest(s->n, s->map + r * s->n)) return PETSC_TRUE;
  return PETSC_FALSE;
}

void InternalResonancesCoupled(const HarmonicStructure *s, PetscInt without, PetscBool coupled[])
{
  for (PetscInt j = 0; j < s->n; j++) coupled[j] = (PetscBool)(j >= s->modes->num_rigid && j != without && ModeMovesJoints(s, j));
}

/* Half of the width at half power that the mode has under the artificial damping. */
static PetscReal HalfWidth(const Curve *curve, PetscInt mode)
{
  const HarmonicSetting setting = curve->setting;
  const PetscReal       zeta    = setting.mode < 0 ? 0.0 : setting.damping;

  return 0.5 * PetscAbsReal(curve->structure->damping[mode] - 2.0 * zeta * setting.frequency);
}

/* Amplitudes and levels are passed through by their logarithms; near enough for frequencies. */
static PetscReal Between(PetscReal before, PetscReal now, PetscReal part)
{
  return before > 0.0 && now > 0.0 ? before * PetscPowReal(now / before, part) : now;
}

/* Harmonic k, which passed the mode since the last point or is within its width now. */
static void LookAt(const Curve *curve, PetscInt k, PetscInt mode, const PetscReal at[2], InternalResonances *found)
{
  const PetscInt  highest = curve->basis->highest;
  const PetscReal other = PetscSqrtReal(curve->structure->eigenvalue[mode]), now = (PetscReal)k * curve->setting.frequency - other;
  const PetscReal before = (PetscReal)k * found->last_omega - other;
  const PetscBool had = (PetscBool)(k <= found->last_highest), has = (PetscBool)(k <= highest);
  const PetscBool passed = (PetscBool)(found->num_points > 0 && now * before < 0.0 && (had || !has));
  const PetscReal part   = passed ? before / (before - now) : 1.0;

  if (!passed && PetscAbsReal(now) > HalfWidth(curve, mode)) return;
  Add(has ? &found->met : &found->left_out,
      (InternalResonance){.harmonic = k,
                          .mode     = mode,
                          .at = {passed ? Between(found->last_at[0], at[0], part) : at[0], passed ? Between(found->last_at[1], at[1], part) : at[1]},
                          .apart = passed ? 0.0 : PetscAbsReal(now) / other});
}

/* The harmonic and the mode that are nearest to each other where the curve turns. */
static void AddTurn(const Curve *curve, const PetscBool coupled[], PetscInt least, const PetscReal at[2], InternalResonances *found)
{
  const HarmonicStructure *const s       = curve->structure;
  InternalResonance              nearest = {.at = {at[0], at[1]}, .apart = NEAR, .turns = PETSC_TRUE};

  for (PetscInt h = 0; h < curve->basis->num_harmonics; h++)
    for (PetscInt j = 0; j < s->n; j++) {
      const PetscInt  k     = curve->basis->harmonic[h];
      const PetscReal other = PetscSqrtReal(s->eigenvalue[j]), apart = PetscAbsReal((PetscReal)k * curve->setting.frequency - other) / other;

      if (!coupled[j] || k < least || apart >= nearest.apart) continue;
      nearest.harmonic = k;
      nearest.mode     = j;
      nearest.apart    = apart;
    }
  if (nearest.harmonic) Add(&found->met, nearest);
}

void InternalResonancesLook(const Curve *curve, const PetscBool coupled[], PetscInt least, const PetscReal at[2], InternalResonances *found)
{
  const PetscInt  most    = BEYOND * curve->basis->highest;
  const PetscReal heading = CurveHeading(curve);

  for (PetscInt j = 0; j < curve->structure->n; j++)
    for (PetscInt k = least; coupled[j] && k <= most; k++)
      if (!curve->basis->odd || k % 2) LookAt(curve, k, j, at, found);
  if (found->num_points > 0 && heading * found->last_heading < 0.0) AddTurn(curve, coupled, least, at, found);
  found->num_points++;
  found->last_at[0]   = at[0];
  found->last_at[1]   = at[1];
  found->last_omega   = curve->setting.frequency;
  found->last_heading = heading;
  found->last_highest = curve->basis->highest;
}

static PetscErrorCode WriteCount(const Finding *finding, PetscInt field, PetscInt row, PetscInt64 value, const Result *result)
{
  PetscFunctionBegin;
  if (field >= 0) PetscCall(FindingWrite(finding, field, row, 1, &value, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InternalResonancesWrite(const InternalResonanceList *found, const InternalResonanceFields *fields, const Finding *finding,
                                       const Result *result)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < found->count; i++) {
    const InternalResonance *const r = &found->list[i];

    PetscCall(WriteCount(finding, fields->harmonic, i, r->harmonic, result));
    PetscCall(WriteCount(finding, fields->mode, i, r->mode + 1, result));
    PetscCall(WriteCount(finding, fields->turns, i, r->turns, result));
    for (PetscInt a = 0; a < 2; a++)
      if (fields->at[a] >= 0) PetscCall(FindingWrite(finding, fields->at[a], i, 1, &r->at[a], result));
    if (fields->apart >= 0) PetscCall(FindingWrite(finding, fields->apart, i, 1, &r->apart, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InternalResonancesPrint(const InternalResonanceFields *fields, const char *before, const char *whose, const char *unit,
                                       PetscBool turns_only, const Finding *finding, const Result *result)
{
  PetscInt count = 0, listed = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < MOST_INTERNAL_RESONANCES; i++, listed++) {
    PetscInt64 harmonic, mode, turns = 0;
    PetscReal  at;

    PetscCall(FindingRead(finding, fields->harmonic, i, 1, &harmonic, result));
    if (harmonic == 0) break;
    if (fields->turns >= 0) PetscCall(FindingRead(finding, fields->turns, i, 1, &turns, result));
    if ((turns_only && !turns) || ++count > SHOWN) continue;
    PetscCall(FindingRead(finding, fields->mode, i, 1, &mode, result));
    PetscCall(FindingRead(finding, fields->at[0], i, 1, &at, result));
    ReportSay("%s%" PetscInt64_FMT " times %s frequency is that of mode %" PetscInt64_FMT " at %.4g%s%s", count > 1 ? "; " : before, harmonic, whose,
              mode, (double)at, unit, turns ? ", where it turns" : "");
  }
  if (count > SHOWN) ReportSay("; and %" PetscInt_FMT " more", count - SHOWN);
  if (count && listed == MOST_INTERNAL_RESONANCES) ReportSay(" among the first %d, which are all that is kept", MOST_INTERNAL_RESONANCES);
  if (count) ReportSay("\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}
