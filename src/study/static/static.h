/*
  static.h - the study of equilibrium along a path of loads.

  A path goes straight from one factor of the loads to the next, beginning at 0, each piece in as many equal steps. Row 0 of what is found
  is the equilibrium without loads, row i the one after step i.
*/
#pragma once
#include "march/load.h"
#include "record/outermost.h"
#include "record/slip_width.h"
#include "record/turns.h"
#include "record/watch.h"
#include "statics.h"
#include "study/deflections.h"

typedef struct {
  const char      *name, *about;
  const InputNode *load, *path, *watch;
  PetscInt         steps;
  PetscReal        tolerance;
  PetscInt         max_iterations;
  PetscBool        fields, stresses, stress_points, reactions;
} StaticKeys;

/* Of all parts of one contact. */
typedef struct {
  PetscReal share[NUM_FACE_STATES], force, dissipated; /* force: normal to the faces */
} StaticContactSum;

/* Faces at one row of the path. Parts are those of all contacts, whether they are watched or not. */
typedef struct {
  Finding         **findings;                            /* [num_contacts] of the watch */
  StaticContactSum *sums;                                /* likewise */
  PetscReal        *state, *pressure, *gap, *dissipated; /* [num_parts] */
  PetscReal        *begun, *lost;                        /* [num_parts] lost until the last turn of the path, and since */
  PetscReal        *width;                               /* [num_contacts] of what slipped on the way that has just ended */
  PetscReal        *least;                               /* [num_contacts] the least of them so far */
  PetscInt         *narrow;                              /* [num_contacts] ways on which it was below what is enough */
} StaticContacts;

/* What is found at one row of the path, and where it goes. */
typedef struct {
  Finding       *path, **points, **joints;        /* [num_points], [num_rows] of the watch */
  PetscReal     *displacement;                    /* [num_motions] of all points */
  PetscReal     *deflection, *force, *dissipated; /* [num_rows] of all joints */
  StaticContacts contacts;
  Finding      **supports; /* [num_supports] */
  PetscReal     *reaction; /* likewise */
  Finding      **bolts;    /* [num_bolts] */
  PetscReal     *tension;  /* likewise */
  Outermost      outermost;
} StaticRecord;

typedef struct {
  StaticKeys   keys;
  PetscInt     num_loads;
  Load        *loads;
  Watch        watch;
  PetscInt     num_rows; /* of the path, that at factor 0 included */
  PetscReal   *factor;   /* [num_rows] */
  Floating     floating;
  Turns        sliding; /* while the path is followed */
  StaticRecord record;
  Deflections  turns; /* of the mesh where the path turns */
  PetscInt     num_supports;
  Finding    **supports;
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
PetscErrorCode StaticWriteEnd(const Static *data, const System *system, PetscInt rows, const State *state, const char *reason, const Result *result);

/* Faces, likewise. */
extern const OutputTable static_contact_table;
PetscErrorCode           StaticDeclareContacts(const char *name, const Names *names, Findings *findings, Static *data);
PetscErrorCode           StaticContactsDestroy(StaticContacts *contacts);
/* Where their parts are, which only the System knows; before the layout. */
PetscErrorCode StaticPlaceContacts(const System *system, Static *data);
PetscErrorCode StaticTakeContacts(Statics *statics, const State *state, PetscInt row, Static *data);
PetscErrorCode StaticWriteContacts(const Static *data, PetscInt row, const Result *result);
/* Of areas that slip and have too few points across. */
void StaticWarnOfSlip(const char *who, const Names *names, const Static *data);
/* What their parts did in the row that was taken last. */
PetscErrorCode StaticWriteLastContacts(const Static *data, const System *system, const Result *result);

/* What people see of the last row. */
PetscErrorCode StaticPrint(const char *name, const Static *data, PetscInt rows, const Names *names, const State *state, const char *reason);

/* The mesh, for ParaView, where the case asks for it: complains of a place that cannot be written; takes a row of the path, whose motions have
   just been asked for; writes the turns among the rows that were found. Collective but for the second. */
extern const OutputTable static_reaction_table;
/* Before the layout, when the mesh is known. */
PetscErrorCode StaticReactionsBegin(Study *study, const ModeCache *cache);
/* `moved` of DeflectionsSolve. Collective. */
PetscErrorCode StaticReactionsWrite(const Study *study, const ModeCache *cache, PetscInt num_turns, Mat moved, const Result *result);

PetscErrorCode StaticFieldsBegin(const Study *study, const ModeCache *cache, const Result *result);
PetscErrorCode StaticFieldsTake(Static *data, PetscInt row, const Statics *statics, const State *state);
PetscErrorCode StaticFieldsWrite(const Study *study, const ModeCache *cache, PetscInt num_rows, const Result *result);
