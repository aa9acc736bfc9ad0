/*
  case.h - a case file: read, checked, built, described, run.
*/
#pragma once
#include "base/json.h"
#include "study.h"

/* Matrices for other programs. */
typedef struct {
  PetscBool    matrices, mesh_map;
  const Model *model;
  MeshUnknowns rows;    /* of the mesh map */
  Finding     *finding; /* /system */
} Export;

/* Everything a case asks for: read and checked first, then built. */
typedef struct Case {
  InputDocument   *document;
  const char      *title;
  ModelNodes       nodes;
  const InputNode *law_map, *study_list, *export_list;
  Export export;
  Laws      laws;
  Model    *model;             /* NULL where no study needs a structure */
  Names     names;             /* what it calls things */
  System   *system;            /* NULL until built, and without a structure */
  ModeCache own_cache, *cache; /* its modes */
  Findings *findings;          /* of the case itself */
  PetscInt  num_studies;
  Study    *studies;
  PetscInt  num_warnings_before; /* that earlier cases were warned of */

  const InputNode *vary, *update; /* for the ensemble room */

  struct Case *same;   /* of a variant: the case with other numbers; else NULL */
  ModelChange  change; /* what it does not share with that */

  const PetscBool *needed; /* likewise, the studies that are computed [num_studies]; NULL: all */
} Case;

/* What comes behind the studies into the same result. */
typedef struct {
  Findings   *findings; /* laid out with those of the studies */
  void       *context;
  const char *identity; /* lines that tell the result from others of the same values; NULL for none */
  /* Collective. */
  PetscErrorCode (*run)(void *context, Result *result, PetscBool resumed, Outcome *outcome);
  /* For `dovetail check`, behind the studies. Local. */
  PetscErrorCode (*describe)(const void *context, FILE *out);
} CaseSequel;

extern const InputTable  case_table;                 /* the top-level keys */
extern const OutputTable case_output, system_output; /* /case and /system of the result */

/* Reads and checks all that can be known without computing; of what is no YAML fails with PETSC_ERR_USER_INPUT. Other complaints wait for the
   verdict, so that other rooms can read their keys, too. Collective. */
PetscErrorCode CaseRead(const char *path, Case **the_case);
/* Fails with PETSC_ERR_USER_INPUT after printing all complaints; warns of what is not used. Collective. */
PetscErrorCode CaseVerdict(const Case *the_case);
/* Builds the System, and complains likewise of what shows then. `patience` as in ModelBuild: with one that ends there may be no System
   afterwards, and the case can be described only. */
PetscErrorCode CaseBuild(Case *the_case, PetscReal patience);
PetscErrorCode CaseDestroy(Case **the_case);
/* For `dovetail check`: rank 0 prints, and writes the numbers as members of an open object, if there is one. Collective. */
PetscErrorCode CaseDescribe(const Case *the_case, const CaseSequel *sequel, FILE *out, Json *json);
/* What tells its result from others, see ResultOpen: the values used so far, and what the sequel adds. The caller frees. Local. */
PetscErrorCode CaseIdentity(const Case *the_case, const CaseSequel *sequel, char **identity);
/* Runs all studies of a case that was built into a result file, and the sequel, NULL for none. */
PetscErrorCode CaseRun(Case *the_case, const char *result_path, ResultMode mode, const CaseSequel *sequel, Outcome *outcome);

/* Before it is built: variants in which numbers change so much will share what they can, and that is kept for them. Local. */
void CaseLend(Case *the_case, ModelChange change);
/* The same case with other numbers, in a trial of a document of the same text: `same`, built, must outlive it, and lends it what `change` says
   that the numbers do not change. Complaints stay in the document: with any, it is only to be destroyed. */
PetscErrorCode CaseReadVariant(InputDocument *document, Case *same, ModelChange change, Case **variant);
/* Prepares it, and opens its result; `path` NULL: in memory. Of the studies only those in needed[num_studies] are in it, NULL for all and what else
   the result of a case holds. The caller closes the result; NULL after complaints. */
PetscErrorCode CaseOpenVariant(Case *variant, const PetscBool needed[], const char *path, Result **result);
/* Computes what the studies of this number, which is needed, have to compute side by side: of variants of one case, where one process works alone. */
PetscErrorCode CaseRunBeside(PetscInt count, Case *const variants[], Result *const results[], PetscInt study);
/* Runs the study of this number, which is needed. */
PetscErrorCode CaseRunStudy(Case *variant, PetscInt study, Result *result, Outcome *outcome);
/* Whether some of these studies gain by that, NULL for all. Local. */
PetscBool CaseRunsBeside(const Case *the_case, const PetscBool needed[]);
/* What the studies have found, by its place in the result, and the case itself. Local; NULL where there is none. */
const Finding *CaseFind(const Case *the_case, const char *path);
/* The number of the study that has found it; -1 for none. Local. */
PetscInt CaseFindStudy(const Case *the_case, const char *path);

/* The dimension of a finding at this place whose rows can be followed as the case changes; NULL for none. Local. */
const char *CaseFollowed(const Case *the_case, const char *path);
/* Which row, from 1, of a finding of a variant is the row `number` of the case itself; 0 after a reason. Collective. */
PetscErrorCode CaseFollow(Case *variant, const char *path, PetscInt number, PetscInt *found, size_t size, char reason[]);
/* Whether a study estimates a field of its finding, where other numbers change no more than this. Local. */
PetscBool CaseEstimates(const Case *the_case, const char *path, const char *key, ModelChange change);
/* That field of a variant that was run as `twin`, which was built, would have it: StudyKind. Collective. */
PetscErrorCode CaseEstimate(Case *variant, Case *twin, const char *path, const char *key, PetscReal values[]);
