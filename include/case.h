/*
  case.h - a case file: read, checked, built, described, run.
*/
#pragma once
#include "study.h"

/* Matrices for other programs. */
typedef struct {
  PetscBool    matrices, mesh_map;
  const Model *model;
  MeshUnknowns rows; /* of the mesh map */
  ResultArray  map, nodes, directions;
} Export;

/* Everything a case asks for, checked. */
typedef struct {
  InputDocument   *document;
  const char      *title;
  ModelNodes       nodes;
  const InputNode *law_map, *study_list, *export_list;
  Export export;
  Laws     laws;
  Model   *model;
  System  *system; /* NULL while there are complaints; NULL, like the Model, where no study needs a structure */
  PetscInt num_studies;
  Study   *studies;
} Case;

extern const InputTable case_table; /* the top-level keys */

/* Reads, checks and builds; fails with PETSC_ERR_USER_INPUT after printing all complaints. `patience` as in ModelBuild: with one
   that ends the case can be described only. Collective. */
PetscErrorCode CaseRead(const char *path, PetscReal patience, Case **the_case);
PetscErrorCode CaseDestroy(Case **the_case);
/* For `dovetail check`: rank 0 prints. Collective. */
PetscErrorCode CaseDescribe(const Case *the_case, FILE *out);
/* Runs all studies into a result file. */
PetscErrorCode CaseRun(Case *the_case, const char *result_path, ResultMode mode, Outcome *outcome);
