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
typedef struct {
  InputDocument   *document;
  const char      *title;
  ModelNodes       nodes;
  const InputNode *law_map, *study_list, *export_list;
  Export export;
  Laws      laws;
  Model    *model;    /* NULL where no study needs a structure */
  Names     names;    /* what it calls things */
  System   *system;   /* NULL until built, and without a structure */
  Findings *findings; /* of the case itself */
  PetscInt  num_studies;
  Study    *studies;
  PetscInt  num_warnings_before; /* that earlier cases were warned of */
} Case;

extern const InputTable  case_table;                 /* the top-level keys */
extern const OutputTable case_output, system_output; /* /case and /system of the result */

/* Reads and checks all that can be known without computing; fails with PETSC_ERR_USER_INPUT after printing all complaints. Collective. */
PetscErrorCode CaseRead(const char *path, Case **the_case);
/* Builds the System, and complains likewise of what shows then. `patience` as in ModelBuild: with one that ends there may be no System
   afterwards, and the case can be described only. */
PetscErrorCode CaseBuild(Case *the_case, PetscReal patience);
PetscErrorCode CaseDestroy(Case **the_case);
/* For `dovetail check`: rank 0 prints, and writes the numbers as members of an open object, if there is one. Collective. */
PetscErrorCode CaseDescribe(const Case *the_case, FILE *out, Json *json);
/* Runs all studies of a case that was built into a result file. */
PetscErrorCode CaseRun(Case *the_case, const char *result_path, ResultMode mode, Outcome *outcome);
