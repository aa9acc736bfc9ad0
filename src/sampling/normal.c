/*
  normal.c - the standard normal distribution by erfc, its quantiles by rational functions and one step of Halley.

  The quantiles are PPND16 of algorithm AS 241 [Wichura 1988], whose error of 1e-16 grows by the roundings of twenty operations; the step takes
  that away. The residual is that of erf where z is small, so that z has a small relative error there, too.
*/
#include "normal.h"
#include "gauss.h"
#include <math.h>

static const PetscReal root_half = 0.70710678118654752440, log_root_two_pi = 0.91893853320467274178;

PetscReal NormalCdf(PetscReal z)
{
  return 0.5 * erfc(-z * root_half);
}

PetscReal NormalLogDensity(PetscReal z)
{
  return -0.5 * z * z - log_root_two_pi;
}

static PetscReal Density(PetscReal z, void *context)
{
  (void)context;
  return PetscExpReal(NormalLogDensity(z));
}

/* Differences of tails would lose digits where the density hardly changes between them; five points of Gauss do not. */
PetscReal NormalBetween(PetscReal from, PetscReal to)
{
  const PetscReal width = to - from, largest = PetscMax(1.0, PetscMax(PetscAbsReal(from), PetscAbsReal(to)));

  if (!(width > 0.0)) return 0.0;
  if (width * largest < 0.25) return GaussPanel(from, to, Density, NULL);
  if (from > 0.0) return NormalCdf(-from) - NormalCdf(-to);
  if (to < 0.0) return NormalCdf(to) - NormalCdf(from);
  return 0.5 * (erf(to * root_half) - erf(from * root_half));
}

/* A quotient of polynomials of degree 7, the constants first. */
static PetscReal Quotient(const PetscReal above[8], const PetscReal below[8], PetscReal r)
{
  PetscReal a = 0.0, b = 0.0;

  for (int i = 7; i >= 0; i--) {
    a = a * r + above[i];
    b = b * r + below[i];
  }
  return a / b;
}

/* q <= 0.425, the probability from 0 to z. */
static PetscReal CentralQuantile(PetscReal q)
{
  static const PetscReal above[8] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
                                     4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3};
  static const PetscReal below[8] = {1.0,
                                     4.2313330701600911252e1,
                                     6.8718700749205790830e2,
                                     5.3941960214247511077e3,
                                     2.1213794301586595867e4,
                                     3.9307895800092710610e4,
                                     2.8729085735721942674e4,
                                     5.2264952788528545610e3};

  return q * Quotient(above, below, 0.180625 - q * q);
}

/* The distance from 0 of a tail of this probability. */
static PetscReal TailQuantile(PetscReal tail)
{
  static const PetscReal above[2][8] = {{1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
                                         1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
                                        {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
                                         2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7}};
  static const PetscReal below[2][8] = {{1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
                                         1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9},
                                        {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
                                         7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
                                         2.04426310338993978564e-15}};
  const PetscReal        r           = PetscSqrtReal(-PetscLogReal(tail));
  const int              far         = r > 5.0;

  return Quotient(above[far], below[far], r - (far ? 5.0 : 1.6));
}

/* Halley's step of Phi(z) - p = residual: d = residual / phi(z), z -= d / (1 + z d / 2). */
static PetscReal Corrected(PetscReal z, PetscReal residual)
{
  const PetscReal step = residual * PetscExpReal(-NormalLogDensity(z));

  return PetscIsInfOrNanReal(step) ? z : z - step / (1.0 + 0.5 * z * step);
}

PetscReal NormalQuantile(PetscReal below, PetscReal above)
{
  const PetscReal tail = PetscMin(below, above), q = 0.5 - tail, sign = below < above ? -1.0 : 1.0; /* q is exact where it is small */
  PetscReal       z;

  if (!(tail > 0.0)) return sign * (PetscReal)INFINITY;
  if (q <= 0.425) {
    z = CentralQuantile(q);
    return sign * Corrected(z, 0.5 * erf(z * root_half) - q);
  }
  z = TailQuantile(tail);
  return sign * -Corrected(-z, NormalCdf(-z) - tail);
}
