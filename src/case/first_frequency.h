/* first_frequency.h - the first frequency of a mesh, by which wrong units show. */
#pragma once
#include "case.h"

/* That of the mode that is the first to have strain, joints stuck; negative where it is not known: without a mesh, before it is reduced.
   Collective. */
PetscErrorCode FirstFrequency(const Case *the_case, PetscReal *frequency);
/* The same of modes that are known, NULL for none. Local. */
PetscReal FirstFrequencyOf(const Modes *modes);
/* Warns of one that no structure of this size has, with the unit that is probably meant. Local. */
void FirstFrequencyWarn(const Case *the_case, PetscReal frequency);
