/*
  decays.h - frequency and damping against amplitude, for the studies that learn from them: what ring-downs have measured, the findings
  "ring_down/RUN/MODE", and nonlinear modes, "nonlinear_modes/NAME/MODE". Both are called decays here.
*/
#pragma once
#include "post/decays.h"
#include "study.h"

extern const char        decay_table[];   /* the path of the table of ring-downs */
extern const char *const decay_studies[]; /* kinds of studies that find decays; ends with NULL */

/* The decay that comes after another one among the findings of a study, the first after NULL; NULL beyond the last. Local. */
const Finding *DecayNext(const Findings *findings, const Finding *after);
/* Where the structure was excited. Local. */
const char *DecayPlace(const Finding *decay);

typedef struct {
  PetscInt       count;
  RingDownPoint *points;    /* amplitudes of displacement */
  Quantity       signal;    /* that was measured */
  Quantity       amplitude; /* that is written */
  char           remark[RESULT_TEXT_LENGTH];
} DecayFound;

/* Local; after a barrier, as another rank may have measured it. */
PetscErrorCode DecayRead(const Finding *decay, const Result *result, DecayFound *found);
PetscErrorCode DecayFoundDestroy(DecayFound *found);

/* The studies of these names, before `self`, that the value `of` lists; the caller frees them. */
PetscErrorCode DecaySourcesRead(const InputNode *of, const InputTexts *names, const Study *self, PetscInt *count, const Study ***sources);

/* All modes that they measure, from 1, ascending; the caller frees them. Local. */
PetscErrorCode DecayModes(PetscInt num_sources, const Study *const sources[], PetscInt *count, PetscInt **modes);
PetscErrorCode DecayAddMode(PetscInt mode, PetscInt *count, PetscInt **modes);                   /* unless it is among them */
PetscErrorCode DecayListModes(PetscInt count, const PetscInt modes[], char list[], size_t size); /* "1, 2, 7" */

/* What all of their decays say of a mode, with the damping of the displacement; the caller frees the points. Local, as DecayRead. */
PetscErrorCode DecayCompile(PetscInt num_sources, const Study *const sources[], const Result *result, PetscInt mode, PetscInt *count,
                            RingDownPoint **points);
