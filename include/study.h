/*
  study.h - one item of the case's `studies` list: modes, transients, fits of laws.

  A kind of study is a folder src/study/KIND with one `const StudyKind study_KIND`: its keys, what it computes, its outputs. The build finds
  the folders; nothing else names a kind. No study knows another one's headers: one that builds on others finds them by kind and name, and
  reads their Findings.

  A study is read and checked against Names, before there is a System. Then it is prepared, which settles sizes and facts of its Findings;
  the result is laid out from these; and it runs. The studies of a case do each of this in their order.
*/
#pragma once
#include "findings.h"
#include "input.h"
#include "model.h"
#include "modes.h"
#include "names.h"

/* Whether everything went as asked: filled by studies, decides the exit code. */
typedef struct {
  PetscInt  num_stopped;               /* computations that nature stopped */
  PetscInt  num_unfinished;            /* computations that the user interrupted */
  PetscBool moved;                     /* others took the result from its place */
  char      place[PETSC_MAX_PATH_LEN]; /* where it is; empty when it is lost */
} Outcome;

typedef struct Study Study;

typedef const InputTable *const *InputTables; /* tables, ends with NULL */

/* The same study of the case with other numbers: read, but not always prepared. */
typedef struct {
  Study     *study;
  ModeCache *cache;
  PetscBool  same_unknowns; /* those of both structures mean the same */
} StudyTwin;

typedef struct StudyKind {
  const char               *name, *summary;
  const InputTables        *tables;  /* its keys, for the help: lists of tables; ends with NULL */
  const OutputTable *const *outputs; /* what it finds; ends with NULL */

  const char *twice; /* complaint about a second group of one name, which comes behind it; NULL for that of StudyOwnGroup */
  const char *once;  /* complaint about a second study of this kind in a case; NULL where many are fine */

  /* Optional: `kind`, which is this one at first, becomes the one that reads these keys in its place, of the same name, as where another method has keys and outputs of its own. Local. */
  PetscErrorCode (*choose)(const InputNode *node, const struct StudyKind **kind);
  /* Optional: whether these keys ask for nothing of a structure. Local. */
  PetscBool (*stands_alone)(const InputNode *node);
  /* Reads its keys, and adds its Findings. Collective. */
  PetscErrorCode (*read)(const InputNode *node, const Names *names, Study *study);
  /* Optional: the names of its groups in the result, one after another, NULL beyond the last; no two of a case may be the same. */
  const char *(*group)(const Study *study, PetscInt i);
  /* Says on `out` what it will do and cost, without doing it (`dovetail check`). Local. */
  PetscErrorCode (*describe)(const Study *study, FILE *out);
  /* Optional: computes what is quick, and settles its Findings; `result` is not laid out yet. Collective. */
  PetscErrorCode (*prepare)(Study *study, ModeCache *cache, const Result *result);
  /* Optional: warns of what the modes of the structure tell about it; in `dovetail check` too, without `prepare`, where the structure is small.
     Collective. */
  PetscErrorCode (*foresee)(Study *study, ModeCache *cache);
  /* Optional: the structure about a state of equilibrium that this study has found when it was prepared, for later studies of what moves
     about that; NULL after a complaint. */
  ModeCache *(*offer)(const Study *study);
  /* Optional: the dimension of its findings along which a row is more than its number as the case changes, "modes"; and which row, from 1, is here
     what `number` is in the case itself, `origin`: 0 after a reason. Collective. */
  const char *followed;
  PetscErrorCode (*follow)(Study *study, ModeCache *cache, const StudyTwin *origin, const Finding *finding, PetscInt number, PetscInt *found,
                           size_t size, char reason[]);
  /* Optional: whether it can estimate a field of its findings. Local. And that field as a twin with the same unknowns would have it, to first order,
     from what was found here and without a solution: differences of estimates by a number of the case are exact derivatives. NAN where there
     are none. Collective. */
  PetscBool (*estimates)(const char *key);
  PetscErrorCode (*estimate)(Study *study, ModeCache *cache, const StudyTwin *twin, const Finding *finding, const char *key, PetscReal values[]);
  /* Optional: computes what these studies, one of each of several variants of a case, have to compute side by side; each is then run, and finds it
     done. Where one process works alone, and nothing is resumed. */
  PetscErrorCode (*run_beside)(PetscInt count, Study *const studies[], ModeCache *const caches[], Result *const results[]);
  /* Computes. Results for people go to rank 0's standard output. Collective. */
  PetscErrorCode (*run)(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome);
  PetscErrorCode (*destroy)(Study *study);
} StudyKind;

struct Study {
  const StudyKind *kind;
  const InputNode *node;
  const Names     *names;         /* what the case calls things */
  Laws            *laws;          /* that the case names */
  const char      *name;          /* for people */
  void            *data;          /* of the kind */
  PetscBool        writes_series; /* RESULT_GROUP.xdmf for its groups */
  PetscBool        refused;       /* there were complaints of it: that it has no findings is no other fault */
  Findings        *findings;
  const Study     *about;  /* the study that offers the state about which this one looks at the structure; NULL: about rest */
  const Study     *before; /* the studies before it in the case, whose findings it may use */
  PetscInt         num_before;
  PetscBool       *uses; /* [num_before] those of them that it has found, and cannot do without */
};

extern const StudyKind *const study_kinds[]; /* made by the build, by name; ends with NULL */

/* Reads `{KIND: {keys...}}` into studies[i]; its kind is NULL after a complaint about that. Those before it have been read. */
PetscErrorCode StudyRead(const InputNode *node, const Names *names, Laws *laws, Study *studies, PetscInt i);
PetscErrorCode StudyDestroy(Study *study);
/* Named by the key `name`, or, when there is none, as its kind. */
PetscErrorCode StudySetName(Study *study, const InputNode *node, const char *name);
/* The key `about`: an earlier study that offers a state of equilibrium. NULL name: none. Complains. */
PetscErrorCode StudyReadAbout(const InputNode *node, const char *name, Study *study);
#define STUDY_ABOUT_FIELD(place) \
  { \
    .key = "about", .kind = INPUT_TEXT, .offset = (place), .fallback = INPUT_OPTIONAL, \
    .help = "name of an earlier `preload`: what moves does so about the state that this has found; default: about the structure at rest" \
  }
/* For kinds whose studies have one group in the result, of their name; for those that need no structure themselves. Local. */
const char *StudyOwnGroup(const Study *study, PetscInt i);
/* A line that says in how many steps friction had to be held, if in any. Local. */
void      StudySayHeld(PetscInt64 num_held);
PetscBool StudyAlwaysAlone(const InputNode *node);
/* Whether `{KIND: {keys...}}` needs no structure. Local. */
PetscBool StudyStandsAlone(const InputNode *node);
/* Marks it, those that it uses, and those that these use: needed[studies of the case]. Local. */
void StudyNeed(const Study *study, PetscBool needed[]);
/* Complains of groups of one name, and of studies that a case can have one of. Local. */
PetscErrorCode StudiesCheck(PetscInt count, const Study studies[]);

/* The study of this kind and name that comes before `study` in the case, which `study` uses from then on; NULL after a complaint, through
   `node`. */
PetscErrorCode StudyFindBefore(const Study *study, const char *kind, const InputNode *node, const char *name, const Study **found);
/* The same of several kinds (ends with NULL). */
PetscErrorCode StudyFindAmong(const Study *study, const char *const kinds[], const InputNode *node, const char *name, const Study **found);
