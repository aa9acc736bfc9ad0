/* mover.h - what moves in a transient: the structure itself, or in its place the modal model that an earlier study has found. */
#pragma once
#include "modal_model.h"
#include "transient.h"

typedef struct {
  const Study *study; /* that finds the modal model; NULL: the structure moves */
  PetscInt     count;
  PetscInt    *modes;   /* that have an element, from 1 */
  Names        names;   /* of the modal model */
  ModalModel  *model;   /* from MoverBegin to MoverEnd */
  InitialKeys  initial; /* likewise: on its coordinates */
} Mover;

/* Finds the study of that name (NULL: none) before this one. */
PetscErrorCode MoverRead(const InputNode *node, const char *name, const Names *names, const Study *study, Mover *mover);
PetscErrorCode MoverDestroy(Mover *mover);

/* What is watched, by name; local. */
const Names *MoverNames(const Mover *mover, const Names *names);

/* False when the modal model was not found, or not yet. Collective. */
PetscErrorCode MoverIsReady(const Mover *mover, const Result *result, PetscBool *ready);

/* Structure and initial motion to march with, once the study has run, borrowed until MoverEnd. All stuck modes of the structure must have
   been found. Local. */
PetscErrorCode MoverBegin(Mover *mover, ModeCache *structure, const InitialKeys *initial, const Result *result, ModeCache **moves,
                          const InitialKeys **starts);
PetscErrorCode MoverEnd(Mover *mover);
