/*
  slide.h - a stretch that is dragged within a circle, along a straight way while the radius changes in proportion.

  A spring that friction holds stretches with the motion until its stretch w has the length r = mu N / k; then its end slips in the direction of w,
  and w, of length r, turns towards the motion d:

      w' = d' - s',  s' = |s'| n,  w = r n   =>   angle' = |d'| sin(delta) / r,  |s'| = |d'| cos(delta) - r'

  with delta from n to d'. The step is exact, however long: tan(delta / 2) falls by exp(-arc), arc = int |d'| / r dt. It slips to the end, as delta
  falls. [Yang, Chu, Menq 1998]. All of it is local.
*/
#pragma once
#include "base.h"

typedef struct {
  PetscReal n[2];  /* direction of the stretch at the end */
  PetscReal stuck; /* the part of the step before it slips */

  /* What is left then: its length [m], the direction of the way, the radii at its ends, 1 / their middle, their difference over their sum, the mean of
     1 / r, and what that has beyond 1 / middle, by slant^2 / middle. */
  PetscReal left, e[2], first, last, per_middle, slant, rest, mean;

  /* exp(-arc), and 1 less it; 1 / stretch, or 0 without one, and delta where it begins to slip, of which far = 1 - cos;
     1 / (1 + cos + far kept^2); delta at the end. */
  PetscReal kept, lost, per_stretch, cosine, sine, far, scale, last_sine;
} Slide;

/* Of the angle of n, which grows from the first component to the second [rad/m]. */
typedef struct {
  PetscReal begin[2], way[2], from, to;
} SlideSlopes;

/* From the stretch at the beginning, the way, and the radius at the beginning, at least that stretch, and at the end, less than what it would have
   stretched to. */
void SlideAlong(const PetscReal begin[2], const PetscReal way[2], PetscReal from, PetscReal to, Slide *slide);

/* How far it slips, >= 0 [m]: exact where the radius is constant or the way straight, else of third order in the step. */
PetscReal SlideLength(const Slide *slide);

void SlideDifferentiate(const Slide *slide, SlideSlopes *slopes);
