/* loop.h - the study of laws that are moved along a path: what the case says, and what comes of it. */
#pragma once
#include "path.h"
#include "post/loops.h"
#include "study.h"

enum { NUM_LOOP_SAMPLES = 2, NUM_LOOP_CYCLES = 8 };

typedef struct {
  const char      *name;
  const InputNode *law, *path;
  PetscInt         steps;
} LoopKeys;

typedef struct {
  LoopKeys    keys;
  PetscInt    num_laws;
  NamedLaw   *laws;
  PathKind    kind;
  PathSamples samples;
  PetscReal  *force, *dissipated; /* of each sample */
  PetscInt    num_cycles;
  LoopCycle  *cycles;
  ResultArray sample_arrays[NUM_LOOP_SAMPLES], cycle_arrays[NUM_LOOP_CYCLES];
} Loop;

/* The layout, with all that is known in advance; the rest. */
PetscErrorCode LoopReserve(const char *name, Result *result, Loop *loop);
PetscErrorCode LoopWrite(const Loop *loop, const Result *result);

/* For people, after the run: its cycles, and what follows from the parameters of its laws. Local. */
PetscErrorCode LoopPrint(const char *name, const Loop *loop);
/* The names of its laws for people: "iwan + spring". Local. */
PetscErrorCode LoopNameLaws(const Loop *loop, char names[RESULT_TEXT_LENGTH]);

/* The record of a study `loop`: its samples are known once it has been read, their forces after its run. The same on all ranks. Local. */
LoopRecord LoopStudyRecord(const Study *study);
