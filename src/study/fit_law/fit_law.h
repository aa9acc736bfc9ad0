/* fit_law.h - the study that finds parameters of a law: what the case says, and what comes of it. */
#pragma once
#include "post/fitting.h"
#include "study/decays.h"
#include "study/loop_data.h"

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
  Finding      *finding;
  Finding     **record_findings; /* [num_records] */
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

/* What it finds: declared when all of the study has been read; written on rank 0. */
extern const OutputTable *const fit_law_outputs[]; /* ends with NULL */
PetscErrorCode                  FitLawDeclare(const char *name, Findings *findings, FitLaw *study);
/* `records` of loops; the range of the amplitudes of ring-downs. */
PetscErrorCode FitLawWrite(const FitLaw *study, const FitLawFound *found, const LoopRecord records[], const PetscReal amplitudes[2],
                           const Result *result);
/* For people. Local. */
PetscErrorCode FitLawPrint(const char *name, const FitLaw *study, const FitLawFound *found);
