/*
  outermost.h - whether faces of the mesh close at the edge of their points, where they go on without.

  Faces that are further apart at rest than their joint reaches have no points, so nothing holds them where loads close that gap: the contact
  ends where its points end, and pressures there are too high. A point at that edge tells of it when it presses after its faces have moved
  by a part of the gap beside it, or overlapped by that at rest; a recess beside flat faces is no fault, as these hardly move.
*/
#pragma once
#include "system.h"

/* Of each contact, among the states that were looked at. */
typedef struct {
  PetscInt    num_contacts, num_parts;
  PetscInt64 *pressing; /* the most of its outermost points that pressed at once so [num_contacts] */
  PetscReal  *beside;   /* the widest gap at rest beside one of them [m], [num_contacts] */
  PetscReal  *gap;      /* work [num_parts] */
} Outermost;

PetscErrorCode OutermostCreate(const Names *names, Outermost *outermost);
PetscErrorCode OutermostDestroy(Outermost *outermost);
/* Hot, local. */
void OutermostLook(const System *system, const State *state, Outermost *outermost);
/* A line for each contact that did, of what `who` is. */
void OutermostWarn(const char *who, const Names *names, const PetscInt64 pressing[], const PetscReal beside[]);
