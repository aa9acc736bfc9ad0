/* mindlin.h - what the laws of Mindlin's contact share: the backbone of a stiffness and a slip force. All of it is local. */
#pragma once
#include "masing_lanes.h"
#include "slip.h"

enum { MINDLIN_STIFFNESS, MINDLIN_SLIP_FORCE, MINDLIN_SLIP_MOTION, MINDLIN_PER_SLIP_MOTION, MINDLIN_LOSS, MINDLIN_NUM_CONSTANTS };

/* The sliding stiffness is 8 a G, in which G is the combined shear modulus. */
static inline const char *MindlinRefuse(PetscReal contact_radius, PetscReal shear_modulus, PetscReal slip_force)
{
  return SlipRefuse(slip_force, 8 * contact_radius * shear_modulus);
}

static inline void MindlinPrepare(PetscReal contact_radius, PetscReal shear_modulus, PetscReal slip_force, PetscReal constants[])
{
  constants[MINDLIN_STIFFNESS]       = 8 * contact_radius * shear_modulus;
  constants[MINDLIN_SLIP_FORCE]      = slip_force;
  constants[MINDLIN_SLIP_MOTION]     = 1.5 * slip_force / constants[MINDLIN_STIFFNESS];
  constants[MINDLIN_PER_SLIP_MOTION] = 1 / constants[MINDLIN_SLIP_MOTION];
  constants[MINDLIN_LOSS]            = slip_force * constants[MINDLIN_SLIP_MOTION] / 5;
}

/* With r = sqrt(1 - w): 1 - r^3 and 1 - 5 r^2 + 5 r^3 - r^5, written by their factors of 1 - r = w / (1 + r), which keeps them
   exact where w is small. */
static inline MasingBackbone MindlinBackbone(const PetscReal c[], PetscReal u)
{
  const PetscReal w = u * c[MINDLIN_PER_SLIP_MOTION];
  PetscReal       root, slip;

  if (w >= 1) {
    return (MasingBackbone){
      .force = c[MINDLIN_SLIP_FORCE],
      .loss  = c[MINDLIN_LOSS] + c[MINDLIN_SLIP_FORCE] * (u - c[MINDLIN_SLIP_MOTION]),
    };
  }
  root = PetscSqrtReal(1 - w);
  slip = w / (1 + root);
  return (MasingBackbone){
    .force = c[MINDLIN_SLIP_FORCE] * slip * (1 + root * (1 + root)),
    .slope = c[MINDLIN_STIFFNESS] * root,
    .loss  = c[MINDLIN_LOSS] * slip * slip * slip * (1 + root * (3 + root)),
  };
}

static inline MasingWideBackbone MindlinWideBackbone(const JointLanes *lanes, Wide u)
{
  const Wide *const c = lanes->constants;
  const Wide        w = u * c[MINDLIN_PER_SLIP_MOTION], root = WideSqrt(1.0 - w), slip = w / (1.0 + root);
  const WideMask    all  = w >= 1.0;
  const Wide        loss = c[MINDLIN_LOSS] + c[MINDLIN_SLIP_FORCE] * (u - c[MINDLIN_SLIP_MOTION]);

  return (MasingWideBackbone){
    .force = WideSelect(all, c[MINDLIN_SLIP_FORCE], c[MINDLIN_SLIP_FORCE] * slip * (1.0 + root * (1.0 + root))),
    .slope = WideSelect(all, WideOf(0), c[MINDLIN_STIFFNESS] * root),
    .loss  = WideSelect(all, loss, c[MINDLIN_LOSS] * slip * slip * slip * (1.0 + root * (3.0 + root))),
  };
}
