/* studies.h - one study of a case, and the kinds that studies.c lists. */
#pragma once
#include "analysis.h"

extern const StudyKind study_modes, study_transient;

/* Reads `{KIND: {keys...}}`; its kind is NULL after a complaint about that. */
PetscErrorCode StudyRead(const InputNode *node, const System *system, Study *study);
PetscErrorCode StudyDestroy(Study *study);

/* Names of motions and rows, and the matrices of small systems, under /system. */
PetscErrorCode SystemWrite(const System *system, Result *result);
