/*
  slip_width.h - how many points of a contact between faces of a mesh lie across the area that slips.

  Where part of the faces sticks, the other slips in a strip beside it, and the energy that this loses is no better known than the strip is
  resolved: as wide as one point, it may be wrong by a factor of two, while forces and frequencies are right.
*/
#pragma once
#include "system.h"

/* Below it, energies of slip may be wrong by a third and more (cases/jalali_flange/README.md). */
extern const PetscReal slip_width_least;

/* Of what the parts have lost on some way [J] and their states [FaceState] at its end, both [num_parts]. Each part that slipped is so many
   spacings away from the nearest that did not and presses; n rows of parts, which lose alike, have (n + 1) / 2 in the mean, weighted by
   the losses, and n is told. NAN where nothing slipped or all did, and for contacts whose faces are not those of a mesh. Of order
   num_parts^2, local. */
PetscReal SlipWidth(const SystemContact *contact, PetscInt num_parts, const PetscReal lost[], const PetscReal state[]);
