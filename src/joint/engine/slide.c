/* slide.c - the exact step of a stretch that is dragged within a circle. */
#include "slide.h"
#include "decay.h"

static const PetscReal NOTHING   = 1e-100; /* stands for no radius, and for no rest of an angle: products of a few are numbers still */
static const PetscReal ROUND_OFF = 1e-15;  /* of a square: as near to the circle is on it */

static PetscReal Dot(const PetscReal a[2], const PetscReal b[2])
{
  return a[0] * b[0] + a[1] * b[1];
}

/* |begin + t way| = from + t (to - from), at the end of which it is longer. */
static PetscReal FindOnset(const PetscReal begin[2], const PetscReal way[2], PetscReal from, PetscReal to)
{
  const PetscReal rise = to - from, a = Dot(way, way) - rise * rise, b = Dot(begin, way) - from * rise, c = Dot(begin, begin) - from * from;
  PetscReal       root;

  if (c >= -ROUND_OFF * from * from) return b < 0 && a > 0 ? PetscMin(1, -2 * b / a) : 0;
  root = PetscSqrtReal(PetscMax(0, b * b - a * c));
  if (b > 0) return PetscMin(1, -c / (b + root));
  return a > 0 ? PetscMin(1, (root - b) / a) : 0;
}

/* (atanh(z) / z - 1) / z^2, z the slant of two radii. */
static PetscReal AtanhRest(PetscReal z, PetscReal first, PetscReal last)
{
  const PetscReal square = z * z;

  if (square > 0.01) return (0.5 * PetscLogReal(last / first) / z - 1) / square;
  return 1.0 / 3 +
         square * (1.0 / 5 + square * (1.0 / 7 + square * (1.0 / 9 + square * (1.0 / 11 + square * (1.0 / 13 + square * (1.0 / 15 + square / 17))))));
}

/* The mean of 1 / r for r from (1 - z) p to (1 + z) p is atanh(z) / (z p). */
static void FindRadii(Slide *slide)
{
  slide->per_middle = 2 / (slide->first + slide->last);
  slide->slant      = 0.5 * (slide->last - slide->first) * slide->per_middle;
  slide->rest       = AtanhRest(slide->slant, slide->first, slide->last);
  slide->mean       = (1 + slide->slant * slide->slant * slide->rest) * slide->per_middle;
}

/* tan(delta / 2) = sin / (1 + cos), and falls by exp(-arc). Of 1 + cos and 1 - cos the smaller one is sin^2 over the other. */
static void Turn(const PetscReal at[2], Slide *slide)
{
  const PetscReal arc = slide->left * slide->mean, stretch = PetscSqrtReal(Dot(at, at));
  PetscReal       large, small, near, square, last_cosine;

  slide->per_stretch = stretch > 0 ? 1 / stretch : 0;
  slide->cosine      = stretch > 0 ? Dot(at, slide->e) * slide->per_stretch : 1;
  slide->sine        = (at[0] * slide->e[1] - at[1] * slide->e[0]) * slide->per_stretch;
  slide->kept        = PetscExpReal(-arc);
  slide->lost        = arc > 0.1 ? 1 - slide->kept : arc - DecayBend(arc);
  slide->kept        = PetscMax(slide->kept, NOTHING);

  large            = 1 + PetscAbsReal(slide->cosine);
  small            = slide->sine * slide->sine / large;
  near             = slide->cosine >= 0 ? large : small;
  slide->far       = slide->cosine >= 0 ? small : large;
  square           = slide->far * slide->kept * slide->kept;
  slide->scale     = 1 / (near + square);
  last_cosine      = (near - square) * slide->scale;
  slide->last_sine = 2 * slide->sine * slide->kept * slide->scale;
  slide->n[0]      = last_cosine * slide->e[0] + slide->last_sine * slide->e[1];
  slide->n[1]      = last_cosine * slide->e[1] - slide->last_sine * slide->e[0];
}

void SlideAlong(const PetscReal begin[2], const PetscReal way[2], PetscReal from, PetscReal to, Slide *slide)
{
  const PetscReal stuck = FindOnset(begin, way, from, to), at[2] = {begin[0] + stuck * way[0], begin[1] + stuck * way[1]};
  const PetscReal length = PetscSqrtReal(Dot(way, way)), per_length = length > 0 ? 1 / length : 0;

  slide->stuck = stuck;
  slide->left  = (1 - stuck) * length;
  slide->first = PetscMax(from + stuck * (to - from), NOTHING);
  slide->last  = PetscMax(to, NOTHING);
  for (PetscInt c = 0; c < 2; c++) slide->e[c] = length > 0 ? way[c] * per_length : at[c] / slide->first;
  FindRadii(slide);
  Turn(at, slide);
}

/* int |d'| cos(delta) dt - (last - first): of a constant r that integral is r ln(sin(delta_0) / sin(delta_1)) = r (arc + ln(1 - less)). */
PetscReal SlideLength(const Slide *slide)
{
  const PetscReal less = 0.5 * slide->far * slide->lost * (1 + slide->kept), bent = less < 0.5 ? log1p(-less) : PetscLogReal(0.5 / slide->scale);

  return PetscMax(0, slide->left + bent / slide->mean - (slide->last - slide->first));
}

/* d angle = (1 - A) d psi + A d angle_0 + sin(delta) d arc with A = sin(delta) / sin(delta_0), psi the angle of the way. The part that sticks may
   change: there the stretch turns as fast. Of arc the slopes are the means of (1 - x) / r^2 and x / r^2 over 0 <= x <= 1, what is left. */
void SlideDifferentiate(const Slide *slide, SlideSlopes *slopes)
{
  const PetscReal part = 1 - slide->stuck, along = part * slide->mean * slide->last_sine,
                  by_start = 2 * slide->kept * slide->scale * slide->per_stretch;
  const PetscReal per_left = slide->left > 0 ? slide->lost / slide->left : slide->mean;
  const PetscReal by_psi   = part * per_left * (slide->lost + slide->cosine * (1 + slide->kept)) * slide->scale;
  const PetscReal ends = 1 / (slide->first * slide->last), skew = slide->slant * (ends - slide->per_middle * slide->per_middle * slide->rest);
  const PetscReal less = 0.5 * slide->last_sine * slide->left, by_first = -less * (ends + skew), by_last = -less * (ends - skew);

  slopes->begin[0] = by_start * (slide->sine * slide->e[0] - slide->cosine * slide->e[1]);
  slopes->begin[1] = by_start * (slide->sine * slide->e[1] + slide->cosine * slide->e[0]);
  slopes->way[0]   = along * slide->e[0] - by_psi * slide->e[1] + slide->stuck * slopes->begin[0];
  slopes->way[1]   = along * slide->e[1] + by_psi * slide->e[0] + slide->stuck * slopes->begin[1];
  slopes->from     = part * by_first;
  slopes->to       = slide->stuck * by_first + by_last;
}
