/* loop.h - the study of laws that are moved along a path: what the case says, and what comes of it. */
#pragma once
#include "path.h"
#include "post/loops.h"
#include "study.h"

typedef struct {
  const char      *name;
  const InputNode *law, *path;
  PetscInt         steps;
} LoopKeys;

/* What follows from the parameters of one law: a table whose fields are those of the law. */
typedef struct {
  OutputField fields[JOINT_MAX_PARAMETERS + 1];
  OutputTable table;
} LoopDerived;

typedef struct {
  LoopKeys     keys;
  PetscInt     num_laws;
  NamedLaw    *laws;
  PathKind     kind;
  PathSamples  samples;
  PetscReal   *force, *dissipated; /* of each sample */
  PetscInt     num_cycles;
  LoopCycle   *cycles;
  Finding     *finding;
  LoopDerived *derived; /* [num_laws] */
} Loop;

/* What it finds: declared when it has been read, what follows from the parameters of its laws when these are known to be right; written
   after its run, on rank 0. */
extern const OutputTable loop_output, loop_derived_output;
PetscErrorCode           LoopDeclare(const char *name, Findings *findings, Loop *loop);
PetscErrorCode           LoopDeclareDerived(const char *name, Findings *findings, Loop *loop);
PetscErrorCode           LoopWrite(const Loop *loop, const Result *result);

/* For people, after the run: its cycles, and what follows from the parameters of its laws. Local. */
PetscErrorCode LoopPrint(const char *name, const Loop *loop);
/* The names of its laws for people: "iwan + spring". Local. */
PetscErrorCode LoopNameLaws(const Loop *loop, char names[RESULT_TEXT_LENGTH]);
