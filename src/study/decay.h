/*
  decay.h - one decaying motion whose ring-down is measured, and its place in the result: /ring_down/RUN/MODE or POINT.

  It comes from a run of a transient, a mode or a point of it, or from a file.
*/
#pragma once
#include "post/decays.h"
#include "transient.h"

enum { NUM_DECAY_ARRAYS = 11 };

typedef struct {
  char            path[256]; /* "selective_01/mode7" */
  const Run      *source;    /* NULL: from a file */
  const System   *system;    /* of the source */
  PetscInt        mode;      /* from 1; 0 when it is no mode's */
  PetscInt        motion;    /* row of T, when it is no mode's */
  Record          measured;  /* of a file; of a run, what it is of and how it is sampled */
  PetscReal       from, to;  /* what of it is free motion [s] */
  PetscBool       isolate;   /* the band is used only when other motions are in the signal */
  Quantity        amplitude; /* that is written */
  RingDownOptions options;
  ResultArray     arrays[NUM_DECAY_ARRAYS];
} Decay;

/* The layout, and the arrays to be filled. */
PetscErrorCode DecayReserve(Decay *decay, const char *study, Result *result);
/* Local: measures, and fills the arrays. */
PetscErrorCode DecayMeasure(const Decay *decay, const Result *result);

/* What has been found. */
typedef struct {
  PetscInt       count;
  RingDownPoint *points; /* amplitudes of displacement */
  char           remark[RESULT_TEXT_LENGTH];
} DecayFound;

/* Local; after a barrier, as another rank may have filled them. */
PetscErrorCode DecayRead(const Decay *decay, const Result *result, DecayFound *found);
PetscErrorCode DecayFoundDestroy(DecayFound *found);

/* Where it was excited: a point, a mode; of a record, its name. */
PetscErrorCode DecayPlace(const Decay *decay, char place[RESULT_TEXT_LENGTH]);

/* What all decays of some studies `ring_down` say of a mode, with the damping of the displacement; the caller frees the points. Local. */
PetscErrorCode RingDownCompile(PetscInt num_studies, const Study *const studies[], const Result *result, PetscInt mode, PetscInt *count,
                               RingDownPoint **points);
/* The decays of a study `ring_down`. */
PetscErrorCode RingDownDecays(const Study *study, PetscInt *count, const Decay **decays);

/* The `modal_iwan` whose model's decays a study `ring_down` measures; NULL: the structure's, or records. Local. */
const char *RingDownModel(const Study *study);

/* A record of a file: {file, time, values, ...}. */
typedef struct {
  const char *name;
  Record      record;
  PetscReal  *values; /* of the record */
} RecordFile;

extern const InputTable record_file_table;

/* Complains of what cannot be read, and then holds no samples. Collective. */
PetscErrorCode RecordFileRead(const InputNode *node, RecordFile *file);
