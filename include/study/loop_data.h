/*
  loop_data.h - one `data:` record of a case: the motion and force of a joint, which a study is to learn a law from.

  It comes from a study before this one, `of` a loop or a transient, or from a file of columns. What a case says is read and checked by
  LoopDataRead, before anything is computed; the numbers are there in the run, by LoopDataFind.

  A study that takes such records has a table {"data", "...", loop_data_fields} for its help ("data[]" of a list of them), and hands it
  to LoopDataRead.
*/
#pragma once
#include "post/loops.h"
#include "study.h"

/* Time, displacement, force, velocity, slope. */
enum { LOOP_DATA_QUANTITIES = 5 };

typedef struct {
  char           label[RESULT_TEXT_LENGTH];     /* for people: "hammer_2, bolt x", "loops.csv" */
  const Finding *source;                        /* of a study: the loop, or the history of the joint; NULL for a file */
  const Finding *run;                           /* of a transient, that the history belongs to; NULL for others */
  PetscInt       column;                        /* of the source, for a direction of a contact; -1: it has one */
  PetscReal      from, to;                      /* the part of it that counts [s] */
  PetscInt       most;                          /* samples that LoopDataFind can give at most; 0 after a complaint. For the layout */
  LoopRecord     measured;                      /* of a file */
  PetscReal     *numbers[LOOP_DATA_QUANTITIES]; /* of the file; NULL for those that it does not have */
} LoopData;

extern const InputField loop_data_fields[];

/* Collective. */
PetscErrorCode LoopDataRead(const InputNode *node, const InputTable *table, const Study *study, LoopData *data);
PetscErrorCode LoopDataDestroy(LoopData *data);

/* A record, with the numbers that it points to. */
typedef struct {
  LoopRecord record;
  PetscReal *numbers[LOOP_DATA_QUANTITIES];
} LoopSamples;

/* The samples within `from` and `to` that there are: of a run that was broken off only the first ones, or none. The same on all ranks, each
   of which may ask for it, or not. Local; after a barrier, as another rank may have computed them. */
PetscErrorCode LoopDataFind(const LoopData *data, const Result *result, LoopSamples *samples);
PetscErrorCode LoopSamplesDestroy(LoopSamples *samples);
