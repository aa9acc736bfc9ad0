/* fit_law.h - the study that finds parameters of a law: what the case says, and what comes of it. */
#pragma once
#include "loop_data.h"
#include "post/fitting.h"
#include "ring_down_sources.h"

enum { NUM_FIT_LAW_ARRAYS = 13, NUM_FIT_RECORD_ARRAYS = 5 };

typedef struct {
  const char      *name;
  const InputNode *law, *find, *beside, *data, *ring_down;
  PetscInt         starts, warm_up;
} FitLawKeys;

typedef struct {
  FitLawKeys    keys;
  LawToFit      law;
  PetscInt      num_records;
  LoopData     *records;
  PetscInt      num_sources;
  const Study **sources; /* ring-downs, in place of records */
  PetscInt      mode;
  ResultArray   arrays[NUM_FIT_LAW_ARRAYS];
  ResultArray  *record_arrays; /* [num_records, NUM_FIT_RECORD_ARRAYS] */
} FitLaw;

/* The law, what of it is known, and what is to be found, with bounds and starts. */
extern const InputTable fit_law_find_table;
PetscErrorCode          FitLawReadUnknowns(const FitLawKeys *keys, LawToFit *law);

/* The ring-downs, and the mass, spring and dashpot that move in them. */
extern const InputTable fit_law_ring_down_table;
PetscErrorCode          FitLawReadRingDown(const InputNode *node, const Study *self, FitLaw *study);

/* The spring and the dashpot beside the law of loops. */
extern const InputTable fit_law_beside_table;
PetscErrorCode          FitLawReadBeside(const InputNode *node, FitLaw *study);

/* One unknown: {start, least, most} or its start alone; `given` is another place for the start, not a number when there is none. */
PetscErrorCode FitLawReadUnknown(const InputNode *node, const JointParameter *parameter, PetscReal given, PetscInt index, LawToFit *law);
/* One that is known, a number, or is not: {start, least, most}; nothing without a node. */
PetscErrorCode FitLawReadNumber(const InputNode *node, const JointParameter *parameter, PetscInt index, LawToFit *law);

/* The name of one of the numbers of the law. Local. */
const char *FitLawName(const FitLaw *study, PetscInt index);

/* What was found; `reason` why nothing was. */
typedef struct {
  PetscBool found;
  LawFit    fit;
  char      reason[256];
} FitLawFound;

/* Decays have curves besides. Local. */
PetscInt       FitLawNumArrays(const FitLaw *study);
PetscErrorCode FitLawReserve(const char *name, FitLaw *study, Result *result);
/* `records` of loops; the range of the amplitudes of ring-downs. */
PetscErrorCode FitLawWrite(const FitLaw *study, const FitLawFound *found, const LoopRecord records[], const PetscReal amplitudes[2],
                           const Result *result);
PetscErrorCode FitLawPrint(const char *name, const FitLaw *study, const FitLawFound *found);
