/* modal_iwan.h - the study of modal Iwan models: fitted to ring-downs, or given; and what other studies learn from it. */
#pragma once
#include "post/modal_iwan.h"
#include "study/decays.h"

typedef struct {
  const char      *name;
  InputTexts       of;
  const InputNode *modes;
} ModalIwanKeys;

typedef struct {
  ModalIwanKeys keys;
  PetscInt      num_sources;
  const Study **sources; /* ring-downs that are fitted; none when the models are given */
  PetscInt      count;
  PetscInt     *modes;    /* from 1 */
  ModalIwan    *models;   /* of each mode */
  ModalIwanFit *fits;     /* likewise, when fitted */
  PetscBool     found;    /* all of them */
  Finding     **findings; /* [count] */
} ModalIwanStudy;

/* Models that the case gives. */
extern const InputTable modal_iwan_given_table;
PetscErrorCode          ModalIwanReadGiven(const InputNode *list, const Names *names, ModalIwanStudy *study);

/* Which modes of which ring-downs are to be fitted. */
PetscErrorCode ModalIwanReadSources(const InputNode *node, const Study *self, ModalIwanStudy *study);
/* The ranks share the modes; all of them know all models then. What is not found says why on standard output. Collective. */
PetscErrorCode ModalIwanFitAll(const Result *result, ModalIwanStudy *study);

extern const OutputTable *const modal_iwan_tables[]; /* ends with NULL */

/* The finding of each mode; the numbers. Local. */
PetscErrorCode ModalIwanDeclare(const char *name, Findings *findings, ModalIwanStudy *study);
PetscErrorCode ModalIwanWrite(const ModalIwanStudy *study, const Result *result);
