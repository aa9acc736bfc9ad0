/*
  static.h - the study of equilibrium along a path of loads.

  A path goes straight from one factor of the loads to the next, beginning at 0, each piece in as many equal steps. Row 0 of what is found
  is the equilibrium without loads, row i the one after step i.
*/
#pragma once
#include "march/load.h"
#include "record/watch.h"
#include "statics.h"
#include "study.h"

typedef struct {
  const char      *name, *about;
  const InputNode *load, *path, *watch;
  PetscInt         steps;
  PetscReal        tolerance;
  PetscInt         max_iterations;
} StaticKeys;

/* What is found at one row of the path, and where it goes. */
typedef struct {
  Finding   *path, **points, **joints;        /* [num_points], [num_rows] of the watch */
  PetscReal *displacement;                    /* [num_motions] of all points */
  PetscReal *deflection, *force, *dissipated; /* [num_rows] of all joints */
} StaticRecord;

typedef struct {
  StaticKeys   keys;
  PetscInt     num_loads;
  Load        *loads;
  Watch        watch;
  PetscInt     num_rows; /* of the path, that at factor 0 included */
  PetscReal   *factor;   /* [num_rows] */
  Floating     floating;
  StaticRecord record;
} Static;

extern const InputTable static_path_table;

/* Finds the rigid motions that nothing holds, and complains at `node` of them where the loads [all of them] are not in balance, or where
   they move joints that have laws. Collective. */
PetscErrorCode StaticFindFloating(const InputNode *node, ModeCache *cache, const SystemForces *loads, Floating *floating);

/* The factors of a path: a list of where it turns, a map of cycles, or NULL for the way to 1. The caller frees *factor. */
PetscErrorCode StaticPathRead(const InputNode *node, PetscInt steps, PetscInt *num_rows, PetscReal **factor);

extern const OutputTable *const static_outputs[];
PetscErrorCode                  StaticDeclare(const char *name, const Names *names, Findings *findings, Static *data);
/* The row of the path that the state is at. Local; rank 0 writes. */
PetscErrorCode StaticWriteRow(Static *data, PetscInt row, Statics *statics, const State *state, const Result *result);
PetscErrorCode StaticWriteEnd(const Static *data, PetscInt rows, const State *state, const char *reason, const Result *result);
/* What people see of the last row. */
PetscErrorCode StaticPrint(const char *name, const Static *data, PetscInt rows, const Names *names, const State *state, const char *reason);
