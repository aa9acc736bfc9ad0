/* ring_down.h - the study of frequency and damping along decays: what the case says, and the decays that come of it. */
#pragma once
#include "decay.h"
#include "study.h"

typedef struct {
  const char      *name, *of, *point;
  InputReals       modes, band, knots;
  const InputNode *records, *backbones;
  PetscInt         direction, quantity, amplitude, max_points;
  PetscReal        from, to, edge, drop, cycles, accept_frequency, accept_damping;
  PetscBool        isolate, correct_period;
} RingDownKeys;

typedef struct {
  RingDownKeys  keys;
  const Study  *transient;        /* whose runs are measured; NULL: records */
  PetscInt      point, component; /* that is measured, -1 for modes */
  PetscInt      num_decays;
  Decay        *decays;
  PetscInt      num_records;
  RecordFile   *records;
  PetscInt      num_backbones;
  BackboneFile *backbones;
} RingDown;

/* The decays of the runs of its transient; those of records and of backbones, `name` being that of the study. */
PetscErrorCode DecaysOfRuns(const InputNode *node, const Names *names, RingDown *study);
PetscErrorCode DecaysOfRecords(const InputNode *node, const char *name, RingDown *study);
PetscErrorCode DecaysOfBackbones(const InputNode *node, const char *name, RingDown *study);

/* What was found, for people. On rank 0. */
PetscErrorCode RingDownPrint(const Study *study, const Result *result);
