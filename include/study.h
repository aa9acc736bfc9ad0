/*
  study.h - one item of the case's `studies` list: modes, transients, fits of laws.

  Each kind of study is one `const StudyKind`; the case reader and the help come from it. The program prepares all studies (which lays out
  the result file) and then runs them in their order.
*/
#pragma once
#include "input.h"
#include "model.h"
#include "modes.h"
#include "output.h"

/* Whether everything went as asked: filled by studies, decides the exit code. */
typedef struct {
  PetscInt num_stopped;    /* computations that nature stopped */
  PetscInt num_unfinished; /* computations that the user interrupted */
} Outcome;

typedef struct Study Study;

typedef const InputTable *const *InputTables; /* tables, ends with NULL */

typedef struct {
  const char        *name, *summary;
  const InputTables *tables; /* its keys, for the help: lists of tables; ends with NULL */

  /* Optional: whether these keys ask for nothing of a structure. Local. */
  PetscBool (*stands_alone)(const InputNode *node);
  /* Reads its keys; `system` is NULL when there is no structure, or it has complaints itself: names cannot be checked then. */
  PetscErrorCode (*read)(const InputNode *node, const System *system, Study *study);
  /* Optional: the names of its groups in the result, one after another, NULL beyond the last; no two of a case may be the same. */
  const char *(*group)(const Study *study, PetscInt i);
  /* Says on `out` what it will do and cost, without doing it (`dovetail check`). */
  PetscErrorCode (*describe)(const Study *study, const System *system, FILE *out);
  /* Computes what is quick and lays out all of its results. */
  PetscErrorCode (*prepare)(Study *study, ModeCache *cache, Result *result);
  /* Computes. Results for people go to rank 0's standard output. */
  PetscErrorCode (*run)(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome);
  PetscErrorCode (*destroy)(Study *study);
} StudyKind;

struct Study {
  const StudyKind *kind;
  const InputNode *node;
  const Model     *model;  /* that the System comes from; NULL without one */
  Laws            *laws;   /* that the case names */
  const char      *name;   /* for people */
  void            *data;   /* of the kind */
  const Study     *before; /* the studies before it in the case, whose findings it may use */
  PetscInt         num_before;
};

extern const StudyKind *const study_kinds[]; /* ends with NULL */

extern const StudyKind study_modes, study_transient, study_response, study_ring_down, study_modal_iwan, study_compare, study_loop,
  study_fit_polynomial, study_fit_law;

/* Reads `{KIND: {keys...}}` into studies[i]; its kind is NULL after a complaint about that. Those before it have been read. */
PetscErrorCode StudyRead(const InputNode *node, const Model *model, const System *system, Laws *laws, Study *studies, PetscInt i);
PetscErrorCode StudyDestroy(Study *study);
/* Named by the key `name`, or, when there is none, as its kind. */
PetscErrorCode StudySetName(Study *study, const InputNode *node, const char *name);
/* For kinds whose studies have one group in the result, of their name; for those that need no structure themselves. Local. */
const char *StudyOwnGroup(const Study *study, PetscInt i);
PetscBool   StudyAlwaysAlone(const InputNode *node);
/* Whether `{KIND: {keys...}}` needs no structure. Local. */
PetscBool StudyStandsAlone(const InputNode *node);

/* The study of this kind and name that comes before `study` in the case; NULL after a complaint, through `node`. */
PetscErrorCode StudyFindBefore(const Study *study, const StudyKind *kind, const InputNode *node, const char *name, const Study **found);
/* The same of several kinds (ends with NULL). */
PetscErrorCode StudyFindAmong(const Study *study, const StudyKind *const kinds[], const InputNode *node, const char *name, const Study **found);
