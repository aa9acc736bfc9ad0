/* studies.h - one study of a case, and the kinds that studies.c lists. */
#pragma once
#include "analysis.h"

extern const StudyKind study_modes, study_transient, study_response, study_ring_down, study_modal_iwan, study_compare, study_loop,
  study_fit_polynomial, study_fit_law;

/* Reads `{KIND: {keys...}}` into study i of the case; its kind is NULL after a complaint about that. Those before it have been read. */
PetscErrorCode StudyRead(const InputNode *node, Case *the_case, PetscInt i);
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

/* Names of motions and rows, and the matrices, if they are asked for or small, under /system. */
PetscErrorCode SystemWrite(const System *system, PetscBool matrices, Result *result);

/* What the key `export` of a case asks for. */
PetscErrorCode ExportRead(const InputNode *node, const Model *model, Export *export);
PetscErrorCode ExportDescribe(const Export *export, const System *system, FILE *out);
/* The layout, the arrays to be reserved (with `arrays` NULL only their number), their rows. */
PetscErrorCode ExportPrepare(Export *export, const System *system, Result *result);
PetscErrorCode ExportCollect(Export *export, PetscInt *count, ResultArray **arrays);
PetscErrorCode ExportRun(const Export *export, const System *system, const Result *result);
