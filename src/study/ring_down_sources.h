/* ring_down_sources.h - the ring-downs that a study learns from, and the modes that they measure. */
#pragma once
#include "decay.h"
#include "study.h"

/* The studies `ring_down` of these names, before `self`, that the value `of` lists; the caller frees them. */
PetscErrorCode RingDownSourcesRead(const InputNode *of, const InputTexts *names, const Study *self, PetscInt *count, const Study ***sources);

/* All modes that they measure, from 1, ascending; the caller frees them. Local. */
PetscErrorCode RingDownModes(PetscInt num_sources, const Study *const sources[], PetscInt *count, PetscInt **modes);
PetscErrorCode RingDownAddMode(PetscInt mode, PetscInt *count, PetscInt **modes);                   /* unless it is among them */
PetscErrorCode RingDownListModes(PetscInt count, const PetscInt modes[], char list[], size_t size); /* "1, 2, 7" */
