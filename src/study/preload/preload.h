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
  PetscBool        fields, stresses, stress_points, stiffening;
} PreloadKeys;

/* The bolts that are tightened together. */
typedef struct {
  PetscInt  count;
  PetscInt *bolts;
} PreloadStage;

/* How far tightening came. */
typedef struct {
  PetscBool found; /* an equilibrium after the last stage */
  PetscInt  stage; /* last one */
  PetscInt  loose; /* bolt that nothing pulls against then; -1 */
  PetscReal share; /* of its last step that found an equilibrium */
} PreloadEnd;

/* A layer between faces: laws of single directions, whose rows in each are one behind the other. */
typedef struct {
  const char *joint;
  PetscInt    num_points, first[3]; /* rows of B in x, y, z of the points; -1: no law acts there */
  Finding    *finding;
  PetscReal  *motion, *force; /* [num_stages, num_points, 3]; the latter becomes a traction when it is given */
} PreloadLayer;

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

  Finding      *bolts, **points, **faces;                   /* [num_points], [num_contacts] */
  PetscReal    *tension, *shift;                            /* [num_stages, num_bolts] */
  PetscReal    *displacement;                               /* [num_stages, num_motions] */
  PetscReal    *state, *pressure, *gap, *motion, *traction; /* [num_stages, num_parts], the last two of three components each */
  PetscInt      num_layers;
  PreloadLayer *layers;
  Deflections   deflections; /* of the mesh after each stage */
  Mat           moved;       /* u of each stage but for what the coordinates are; NULL: not asked for, or these say all */
  PreloadEnd    end;
  PetscInt64    iterations, halved, num_held;
  Outermost     outermost;
} Preload;

/* The stages: a list of bolts, or of lists of bolts that are tightened together; NULL: all at once. */
PetscErrorCode PreloadOrderRead(const InputNode *node, const Names *names, PetscInt passes, PetscInt *num_stages, PreloadStage **stages);
PetscErrorCode PreloadOrderDestroy(PetscInt num_stages, PreloadStage **stages);

extern const OutputTable *const preload_outputs[];
PetscErrorCode                  PreloadDeclare(const char *name, const Names *names, Findings *findings, Preload *preload);
/* What is there after a stage. */
PetscErrorCode PreloadTakeStage(Preload *preload, PetscInt stage, const Tightening *tightening, const State *state);
/* What is there after all stages, from the rank that found it to those that helped. Collective. */
PetscErrorCode PreloadShare(const System *system, Preload *preload);
/* All that was found, for the result. */
PetscErrorCode PreloadGive(const System *system, Preload *preload);

/* Layers, likewise. */
extern const OutputTable preload_layer_table;
PetscErrorCode           PreloadDeclareLayers(const char *name, const Names *names, Findings *findings, Preload *preload);
/* After a stage, `motion` of all places. */
void           PreloadTakeLayers(Preload *preload, PetscInt stage, const Statics *statics, const State *state, const PetscReal motion[]);
PetscErrorCode PreloadGiveLayers(const Model *model, Preload *preload);
PetscErrorCode PreloadLayersDestroy(Preload *preload);

PetscErrorCode PreloadPrint(const Study *study, const System *system, const Preload *preload);

/* Finds what the whole mesh has moved by, beside what the coordinates say, of all stages where their fields are written, else of the last one
   alone: one factorisation serves the fields and the stresses. Nothing after a complaint. Collective. */
PetscErrorCode PreloadDeflect(Preload *preload, const ModeCache *cache, PetscBool *fine);
/* Complains of a structure that no stresses can stiffen. */
PetscErrorCode PreloadStressCheck(const Study *study, const InputNode *node);
/* The structure about the state after the last stage, its stiffness with what the stresses there add. */
PetscErrorCode PreloadStressBuild(const Study *study, const ModeCache *cache, const State *state);

/* Complains of places where files for ParaView cannot be written. Collective, as is writing them. */
PetscErrorCode PreloadFieldsCheck(const Study *study, const ModeCache *cache, const char *result_path);
PetscErrorCode PreloadFieldsWrite(const Study *study, const ModeCache *cache, const Result *result);
