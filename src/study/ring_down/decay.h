/*
  decay.h - one decaying motion whose ring-down is measured, and its place in the result: /ring_down/RUN/MODE or POINT.

  It comes from a run of a transient, a mode or a point of it, or from a file: a record, or a table of what others have measured.
*/
#pragma once
#include "post/decays.h"
#include "study/decays.h"
#include "study/run_samples.h"

/* A measured backbone of a file. */
typedef struct {
  const char    *name;
  Quantity       quantity; /* that the file has amplitudes of; those of the points are displacements */
  PetscBool      modal;    /* no shape was given: amplitudes are taken for modal ones */
  PetscInt       count;
  RingDownPoint *points;
} BackboneFile;

extern const InputTable backbone_file_table;

/* Complains of what cannot be read, and then holds no points. Collective. */
PetscErrorCode BackboneFileRead(const InputNode *node, BackboneFile *file);

typedef struct {
  char                path[256];     /* "selective_01/mode7" */
  const Finding      *run, *channel; /* of a transient: the run, and what holds its motion; NULL: from a file */
  const char         *key;           /* of the motion in that, */
  PetscInt            column;        /* and its column */
  PetscInt            mode;          /* from 1; 0 when it is no mode's */
  const BackboneFile *backbone;      /* which is all there is of it; NULL: it is measured */
  Record              measured;      /* of a file; of a run, what it is of and how it is sampled */
  PetscReal           from, to;      /* what of it is free motion [s] */
  PetscBool           isolate;       /* the band is used only when other motions are in the signal */
  PetscBool           seek;          /* and is that of the highest peak */
  Quantity            amplitude;     /* that is written */
  RingDownOptions     options;
  Finding            *finding;
} Decay;

extern const OutputTable *const decay_tables[]; /* ends with NULL */

/* Adds its finding. Local. */
PetscErrorCode DecayDeclare(Decay *decay, const char *study, Findings *findings);
/* Peaks of the spectrum that are kept. */
enum { DECAY_MAX_PEAKS = 12 };
/* Reads them back from the result: their number, and frequency, height and width [Hz]. */
PetscErrorCode DecayReadPeaks(const Decay *decay, const Result *result, PetscInt *count, SpectrumPeak peaks[], PetscReal band[2]);
/* Local: measures, and writes what is found. */
PetscErrorCode DecayMeasure(const Decay *decay, const Result *result);

/* A record of a file: {file, time, values, ...}. */
typedef struct {
  const char *name;
  Record      record;
  PetscReal  *values; /* of the record */
} RecordFile;

extern const InputTable record_file_table;

/* Complains of what cannot be read, and then holds no samples. Collective. */
PetscErrorCode RecordFileRead(const InputNode *node, RecordFile *file);
