/*
  slide.h - a stretch that is dragged within a circle, along a straight way while the radius changes in proportion.

  A spring that friction holds stretches with the motion until its stretch w has the length r = mu N / k; then its end slips in the direction of w,
  and w, of length r, turns towards the motion d:

      w' = d' - s',  s' = |s'| n,  w = r n   =>   angle' = |d'| sin(delta) / r,  |s'| = |d'| cos(delta) - r'

  with delta from n to d'. The step is exact, however long: tan(delta / 2) falls by exp(-arc), arc = int |d'| / r dt. It slips to the end, as delta
  falls. [Yang, Chu, Menq 1998]. All of it is local, and inline: nothing of a Slide that is not asked for is computed.
*/
#pragma once
#include "decay.h"

typedef struct {
  PetscReal n[2];  /* direction of the stretch at the end */
  PetscReal stuck; /* the part of the step before it slips */

  /* What is left then: its length [m] and 1 / that, or 0; the direction of the way; the radii at its ends, 1 / the first one, 1 / both, 1 / their
     middle, their difference over their sum, the mean of 1 / r, and what that has beyond 1 / middle, by slant^2 / middle. */
  PetscReal left, per_left, e[2], first, last, per_first, per_both, per_middle, slant, rest, mean;

  /* exp(-arc), and 1 less it; delta where it begins to slip; 1 / (1 + cos + (1 - cos) kept^2); delta at the end. */
  PetscReal kept, lost, cosine, sine, scale, last_sine;
} Slide;

/* Of the angle of n, which grows from the first component to the second [rad/m]. */
typedef struct {
  PetscReal begin[2], way[2], from, to;
} SlideSlopes;

#define SLIDE_NOTHING 1e-100  /* stands for no radius, and for no rest of an angle: products of a few are numbers still */
#define SLIDE_ROUND_OFF 1e-15 /* of a square: as near to the circle is on it */

static inline PetscReal SlideDot(const PetscReal a[2], const PetscReal b[2])
{
  return a[0] * b[0] + a[1] * b[1];
}

/* |begin + t way| = from + t (to - from), at the end of which it is longer. */
static inline PetscReal SlideOnset(const PetscReal begin[2], const PetscReal way[2], PetscReal square, PetscReal from, PetscReal to)
{
  const PetscReal rise = to - from, a = square - rise * rise, b = SlideDot(begin, way) - from * rise, c = SlideDot(begin, begin) - from * from;
  PetscReal       root;

  if (c >= -SLIDE_ROUND_OFF * from * from) return b < 0 && a > 0 ? PetscMin(1, -2 * b / a) : 0;
  root = PetscSqrtReal(PetscMax(0, b * b - a * c));
  if (b > 0) return PetscMin(1, -c / (b + root));
  return a > 0 ? PetscMin(1, (root - b) / a) : 0;
}

/* (atanh(z) / z - 1) / z^2, z the slant of two radii: 1/3 + z^2/5 + ..., in pairs, which do not wait for each other. */
static inline PetscReal SlideRest(PetscReal z, PetscReal first, PetscReal last)
{
  const PetscReal s = z * z, q = s * s;

  if (s > 0.01) return (0.5 * PetscLogReal(last / first) / z - 1) / s;
  return (1.0 / 3 + s * (1.0 / 5)) + q * ((1.0 / 7 + s * (1.0 / 9)) + q * ((1.0 / 11 + s * (1.0 / 13)) + q * (1.0 / 15 + s * (1.0 / 17))));
}

/* The mean of 1 / r for r from (1 - z) p to (1 + z) p is atanh(z) / (z p). Divisions are what a Slide takes most of its time for: one for all of it. */
static inline void SlideRadii(Slide *slide)
{
  const PetscReal sum = slide->first + slide->last, both = slide->first * slide->last, unit = 1 / (both * sum);

  slide->per_first  = slide->last * sum * unit;
  slide->per_both   = sum * unit;
  slide->per_middle = 2 * both * unit;
  slide->slant      = 0.5 * (slide->last - slide->first) * slide->per_middle;
  slide->rest       = SlideRest(slide->slant, slide->first, slide->last);
  slide->mean       = (1 + slide->slant * slide->slant * slide->rest) * slide->per_middle;
}

static inline void SlideDecay(Slide *slide)
{
  slide->lost = DecayLoss(slide->left * slide->mean, &slide->kept);
  slide->kept = PetscMax(slide->kept, SLIDE_NOTHING);
}

/* tan(delta / 2) = sin / (1 + cos), and falls by exp(-arc): across / along at the end, without the common factor. Of 1 + cos and 1 - cos the
   smaller one is sin^2 over the other. Along the stretch nothing turns. */
static inline void SlideTurn(const PetscReal at[2], Slide *slide)
{
  const PetscReal moves = slide->first > SLIDE_NOTHING ? slide->per_first : 0;
  PetscReal       large, along, across, per_square, last_cosine;

  slide->cosine = moves > 0 ? SlideDot(at, slide->e) * moves : 1;
  slide->sine   = (at[0] * slide->e[1] - at[1] * slide->e[0]) * moves;
  if (slide->sine == 0 && slide->cosine > 0) {
    slide->scale     = 0.5;
    slide->last_sine = 0;
    slide->n[0]      = slide->e[0];
    slide->n[1]      = slide->e[1];
    return;
  }
  SlideDecay(slide);
  large            = 1 + PetscAbsReal(slide->cosine);
  along            = slide->cosine >= 0 ? large : slide->sine;
  across           = (slide->cosine >= 0 ? slide->sine : large) * slide->kept;
  per_square       = 1 / (along * along + across * across);
  slide->scale     = large * per_square;
  last_cosine      = (along * along - across * across) * per_square;
  slide->last_sine = 2 * along * across * per_square;
  slide->n[0]      = last_cosine * slide->e[0] + slide->last_sine * slide->e[1];
  slide->n[1]      = last_cosine * slide->e[1] - slide->last_sine * slide->e[0];
}

/* From the stretch at the beginning, the way, and the radius at the beginning, at least that stretch, and at the end, less than what it would have
   stretched to. */
static inline void SlideAlong(const PetscReal begin[2], const PetscReal way[2], PetscReal from, PetscReal to, Slide *slide)
{
  const PetscReal square = SlideDot(way, way), length = PetscSqrtReal(square), per_length = length > 0 ? 1 / length : 0;
  const PetscReal stuck = SlideOnset(begin, way, square, from, to), at[2] = {begin[0] + stuck * way[0], begin[1] + stuck * way[1]};

  slide->stuck    = stuck;
  slide->left     = (1 - stuck) * length;
  slide->per_left = stuck == 0 ? per_length : slide->left > 0 ? 1 / slide->left : 0;
  slide->first    = PetscMax(from + stuck * (to - from), SLIDE_NOTHING);
  slide->last     = PetscMax(to, SLIDE_NOTHING);
  SlideRadii(slide);
  for (PetscInt c = 0; c < 2; c++) slide->e[c] = length > 0 ? way[c] * per_length : at[c] * slide->per_first;
  SlideTurn(at, slide);
}

/* How far it slips, >= 0 [m]: exact where the radius is constant or the way straight, else of third order in the step.
   int |d'| cos(delta) dt - (last - first): of a constant r that integral is r ln(sin(delta_0) / sin(delta_1)) = r (arc + ln(1 - less)). */
static inline PetscReal SlideLength(const Slide *slide)
{
  const PetscReal grows = slide->last - slide->first;
  PetscReal       large, less, bent;

  if (slide->last_sine == 0 && slide->cosine > 0) return PetscMax(0, slide->left - grows);
  large = 1 + PetscAbsReal(slide->cosine);
  less  = 0.5 * (slide->cosine >= 0 ? slide->sine * slide->sine / large : large) * slide->lost * (1 + slide->kept);
  bent  = less < 0.5 ? log1p(-less) : PetscLogReal(0.5 / slide->scale);
  return PetscMax(0, slide->left + bent / slide->mean - grows);
}

/* d angle = (1 - A) d psi + A d angle_0 + sin(delta) d arc with A = sin(delta) / sin(delta_0), psi the angle of the way. The part that sticks may
   change: there the stretch turns as fast. Of arc the slopes are the means of (1 - x) / r^2 and x / r^2 over 0 <= x <= 1, what is left. */
static inline void SlideDifferentiate(Slide *slide, SlideSlopes *slopes)
{
  PetscReal part = 1 - slide->stuck, by_start, by_psi, along, skew, less, by_first, by_last;

  if (slide->sine == 0 && slide->cosine > 0) SlideDecay(slide); /* it was not needed so far */
  along    = part * slide->mean * slide->last_sine;
  by_start = slide->first > SLIDE_NOTHING ? 2 * slide->kept * slide->scale * slide->per_first : 0;
  by_psi = part * (slide->left > 0 ? slide->lost * slide->per_left : slide->mean) * (slide->lost + slide->cosine * (1 + slide->kept)) * slide->scale;
  skew   = slide->slant * (slide->per_both - slide->per_middle * slide->per_middle * slide->rest);
  less   = 0.5 * slide->last_sine * slide->left;
  by_first = -less * (slide->per_both + skew);
  by_last  = -less * (slide->per_both - skew);

  slopes->begin[0] = by_start * (slide->sine * slide->e[0] - slide->cosine * slide->e[1]);
  slopes->begin[1] = by_start * (slide->sine * slide->e[1] + slide->cosine * slide->e[0]);
  slopes->way[0]   = along * slide->e[0] - by_psi * slide->e[1] + slide->stuck * slopes->begin[0];
  slopes->way[1]   = along * slide->e[1] + by_psi * slide->e[0] + slide->stuck * slopes->begin[1];
  slopes->from     = part * by_first;
  slopes->to       = slide->stuck * by_first + by_last;
}
