/*
  ensemble.h - a case computed for many samples of its numbers: the key `vary`.

  The case itself is computed first, with the numbers that it has. Then each sample is the case with other numbers, and what these do not change is
  not computed again: the structure, where only loads and steps of studies vary; a mesh and its reduction, where only what joins it does. Nor are
  studies that no output needs. Chosen outputs of the studies become rows of one table, by any rank in any order, so that a kill loses no more than
  the samples under way.

  Ranks work apart: each, or so many together as the case says, computes a sample of its own and takes the next one when it is done.
*/
#pragma once
#include "case.h"

typedef struct Ensemble Ensemble;

extern const InputTable *const  ensemble_tables[];  /* of the keys, for the help; ends with NULL */
extern const OutputTable *const ensemble_outputs[]; /* of the result, likewise */

/* Reads the key `vary` of a case that has been read; NULL without one. Complains. */
PetscErrorCode EnsembleRead(Case *the_case, Ensemble **ensemble);
PetscErrorCode EnsembleDestroy(Ensemble **ensemble);

/* For `dovetail check`, of a case that was built: what a sample costs before its studies. Collective. */
PetscErrorCode EnsembleMeasure(Ensemble *ensemble);

/* Only this part of so many is to be computed, from 1. Local. */
PetscErrorCode EnsembleTakePart(Ensemble *ensemble, PetscInt part, PetscInt parts);
/* Before a run that resumes: what the result at a path holds of these samples, and those beside it that were kept. Where it is another number of
   samples, or another part of them, the mode becomes RESULT_NEW, and its rows are taken over. PETSC_ERR_USER_INPUT after a message where that cannot be.
   Of no ensemble nothing is done. Collective. */
PetscErrorCode EnsembleFindEarlier(Ensemble *ensemble, const char *path, ResultMode *mode);
/* `dovetail merge`: unites results of parts of the samples; how many are missing. PETSC_ERR_USER_INPUT after a message. Collective. */
PetscErrorCode EnsembleMerge(PetscInt num, char *const paths[], const char *output, PetscInt *missing);

/* Describes, and computes, the samples behind the studies of the case, which was built; NULL for no ensemble. */
const CaseSequel *EnsembleSequel(Ensemble *ensemble);
