/*
  preload.h - the study of bolts that are tightened one after another, and the structure about the state that they leave.

  Stage 0 is the structure under its loads, all bolts still loose; each later stage tightens the bolts of one item of `order`, those before
  them locked as they are and those after them loose. It is computed when the study is prepared, as other studies move about its end.
*/
#pragma once
#include "march/load.h"
#include "record/outermost.h"
#include "statics/tightening.h"
#include "study/deflections.h"

typedef struct {
  const char      *name;
  const InputNode *order, *load;
  PetscInt         passes, steps;
  PetscReal        tolerance;
  PetscInt         max_iterations;
  PetscBool        fields, stresses, stiffening;
} PreloadKeys;

/* The bolts that are tightened together. */
typedef struct {
  PetscInt  count;
  PetscInt *bolts;
} PreloadStage;

typedef struct {
  PreloadKeys   keys;
  PetscInt      num_loads;
  Load         *loads;
  PetscInt      num_stages; /* stage 0 included, whose bolts are none */
  PreloadStage *stages;

  Floating  floating;
  PetscBool found; /* an equilibrium after the last stage */
  State    *rest;  /* which is this, and must live as long as the structure about it */
  Model    *about; /* the structure about that */
  System   *system;
  ModeCache cache;

  Finding    *bolts, **points, **faces;                   /* [num_points], [num_contacts] */
  PetscReal  *tension, *shift;                            /* [num_stages, num_bolts] */
  PetscReal  *displacement;                               /* [num_stages, num_motions] */
  PetscReal  *state, *pressure, *gap, *motion, *traction; /* [num_stages, num_parts], the last two of three components each */
  Deflections deflections;                                /* of the mesh after each stage */
  PetscInt64  iterations, halved, num_held;
  Outermost   outermost;
} Preload;

/* The stages: a list of bolts, or of lists of bolts that are tightened together; NULL: all at once. */
PetscErrorCode PreloadOrderRead(const InputNode *node, const Names *names, PetscInt passes, PetscInt *num_stages, PreloadStage **stages);
PetscErrorCode PreloadOrderDestroy(PetscInt num_stages, PreloadStage **stages);

extern const OutputTable *const preload_outputs[];
PetscErrorCode                  PreloadDeclare(const char *name, const Names *names, Findings *findings, Preload *preload);
/* What is there after a stage. */
PetscErrorCode PreloadTakeStage(Preload *preload, PetscInt stage, const Tightening *tightening, const State *state);
/* All that was found, for the result. */
PetscErrorCode PreloadGive(const System *system, Preload *preload);
PetscErrorCode PreloadPrint(const Study *study, const System *system, const Preload *preload);

/* Complains of a structure that no stresses can stiffen. */
PetscErrorCode PreloadStressCheck(const Study *study, const InputNode *node);
/* The structure about the state after the last stage, its stiffness with what the stresses there add. */
PetscErrorCode PreloadStressBuild(const Study *study, const ModeCache *cache, const State *state);

/* Complains of places where files for ParaView cannot be written. Collective, as is writing them. */
PetscErrorCode PreloadFieldsCheck(const Study *study, const ModeCache *cache, const char *result_path);
PetscErrorCode PreloadFieldsWrite(const Study *study, const ModeCache *cache, const Result *result);
