/*
  turns.h - whether time steps follow the ways of the joints.

  A joint whose motion turns back in every step moves with a mode that the steps do not resolve: what it loses is an artefact of the scheme. A joint
  that slides and changes its direction from one step to the next does so in the middle of a step, which laws of friction in two directions take as
  straight: where it is long against the stretch at which they slip, friction has the direction of its middle at its end.

  Three steps in a row are compared, by what the law of each point has lost in the last of them: all of the first 4096 steps, later one in eight.
  Runs are saved at multiples of BALANCE_MEMORY, where what has been seen of steps is forgotten, so that runs that are resumed see the same.
*/
#pragma once
#include "system.h"

enum { TURNS_LOST, TURNS_BACK, TURNS_ANGLE, NUM_TURNS }; /* in all [J]; while it turned back in each of the three; times the angle [J rad] */

typedef struct {
  PetscInt   num_components, num_points; /* of the laws of all blocks */
  PetscReal *motion;                     /* [num_components] in the last step that was looked at */
  PetscReal *moved[3];                   /* [num_components] in the steps before, the last one first */
  PetscReal *lost;                       /* [num_points] before the last step [J] */
  PetscReal  sums[NUM_TURNS];
} Turns;

PetscErrorCode TurnsCreate(const System *system, Turns *turns);
PetscErrorCode TurnsDestroy(Turns *turns);
/* The next step behind this one that is looked at. Hot, local. */
PetscInt TurnsNext(PetscInt step);
/* After every step, or only these. Hot, local. */
void TurnsLook(const System *system, const State *state, Turns *turns);
/* The part of what joints lost that they lost while turning back in every step; the mean angle by which what slides turned in a step [rad]. */
PetscReal TurnsBack(const Turns *turns);
PetscReal TurnsAngle(const Turns *turns);
/* Warns of an angle that is too large, of a `run` or `static` of this name, as `in a time step`; the remedy ends the line. */
void TurnsWarnOfAngle(const char *what, const char *name, PetscReal angle, const char *when, const char *remedy);
