/*
  update.h - numbers of a case found from measurements: the key `update`.

  The case itself is computed first, with the numbers that it has. Then those that are unknown are moved until outputs of the studies agree with
  what was measured, weighted by how well that is known: by bounded least squares from many starts, and, around the best values, by the posterior
  distribution of the numbers given the measurements and what was known before. Other outputs are predicted with bands.

  Ranks share the work: each computes starts, or samples, of its own.
*/
#pragma once
#include "case.h"

typedef struct Update Update;

extern const InputTable *const  update_tables[];  /* of the keys, for the help; ends with NULL */
extern const OutputTable *const update_outputs[]; /* of the result, likewise */

/* Reads the key `update` of a case that has been read; NULL without one. Complains. */
PetscErrorCode UpdateRead(Case *the_case, Update **update);
PetscErrorCode UpdateDestroy(Update **update);

/* For `dovetail check`, of a case that was built: what an evaluation costs before its studies. Collective. */
PetscErrorCode UpdateMeasure(Update *update);

/* Describes, and computes, what comes behind the studies of the case, which was built. */
const CaseSequel *UpdateSequel(Update *update);
