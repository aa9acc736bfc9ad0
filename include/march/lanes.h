/*
  march/lanes.h - motions of structures that are alike, side by side: a Stepper with its State in each vector lane.

  All numbers may differ from lane to lane: loads, laws' parameters, modes, time steps. Alike are the sizes, the laws of the joints and the
  rows on which they act. What a lane computes is, to the last bit, what StepperStep computes: how motions are grouped, or whether they run in
  lanes at all, changes no result. A step that finds no balance is left to the Stepper, which halves it.

  While a motion is in a lane its State is what it was when it was last kept, but for step and time; Stepper and State are borrowed.
*/
#pragma once
#include "balance/lanes.h"
#include "march/stepper.h"

typedef struct {
  PetscInt     n, m, num_loads; /* of the coordinates and joints' rows; the most loads of a lane */
  PetscBool    residual;        /* of some lane modes were left out */
  WideMask     busy;
  Stepper     *stepper[WIDE_LANES]; /* NULL: idle */
  State       *state[WIDE_LANES];
  BalanceLanes balance;

  PetscBool  shared;                        /* these are the same in all lanes: numbers; else Wide ones */
  PetscReal *stiffness, *damping, *inverse; /* [n] of modes, and of S */
  PetscReal *map, *response;                /* [n, m] of the joints: B and S^-1 B^T, coordinate by coordinate */
  Wide       h, from_a_to_u, from_a_to_v, to_u, to_v;
  Wide      *u, *v, *a, *lin_u, *lin_v, *lin_a; /* [n] of the states, and of the linear response */
  Wide       damped, work, absorbed;            /* of the states */

  Wide      *distribution;        /* [num_loads, n] */
  Wide      *old_load, *new_load; /* [n] */
  PetscBool  old_active, new_active;
  PetscReal *own_room, *room, *structure_room, *load_room;
} Lanes;

/* Whether a Stepper can march in lanes, and whether two of them can side by side. All of it is local. */
PetscBool LanesSuit(const Stepper *stepper);
PetscBool LanesAlike(const Stepper *one, const Stepper *other);
/* Whether they are alike, and share the structure, its modes and the time step: what differs are loads, laws' parameters and where they are. */
PetscBool LanesShare(const Stepper *one, const Stepper *other);
/* From how many motions on it takes less time than one after the other. */
PetscInt LanesWorthwhile(void);

/* For Steppers like this one, or, where they are `shared`, that share its structure, which takes less memory; all lanes idle. */
PetscErrorCode LanesCreate(const Stepper *like, PetscBool shared, Lanes **lanes);
PetscErrorCode LanesDestroy(Lanes **lanes);

/* Puts a motion into an idle lane, from its State on; and takes it out again, its State being kept. */
PetscErrorCode LanesEnter(Lanes *lanes, PetscInt lane, Stepper *stepper, State *state);
PetscErrorCode LanesLeave(Lanes *lanes, PetscInt lane);
/* An idle lane; -1 when all are busy. */
PetscInt LanesIdle(const Lanes *lanes);

/* So many steps of all motions. Those that cannot go on leave their lanes at once, as StepperStep left them; `failed` has a bit for each. Hot. */
PetscErrorCode LanesAdvance(Lanes *lanes, PetscInt num_steps, unsigned *failed);

/* Brings a State up to its lane; or only the motions of the joints and what they dissipated. */
PetscErrorCode LanesKeep(Lanes *lanes, PetscInt lane);
void           LanesKeepMotions(Lanes *lanes, PetscInt lane);
