/* mover.h - what moves in a transient: the structure itself, or in its place the modal model that an earlier study has found. */
#pragma once
#include "modal_model.h"
#include "transient.h"

typedef struct {
  const Study *study;   /* that finds the modal model; NULL: the structure moves */
  System      *sketch;  /* of the modal model: what of it is known beforehand */
  ModalModel  *model;   /* from MoverBegin to MoverEnd */
  InitialKeys  initial; /* likewise: on its coordinates */
} Mover;

/* Finds the study of that name (NULL: none) before this one; `system` is NULL when the structure itself has complaints. */
PetscErrorCode MoverRead(const InputNode *node, const char *name, const System *system, const Study *study, Mover *mover);
PetscErrorCode MoverDestroy(Mover *mover);

/* Whose points, joints and modes are watched; local. */
const System *MoverSystem(const Mover *mover, const System *system);

/* False when the modal model was not found, or not yet. Local. */
PetscBool MoverIsReady(const Mover *mover);

/* ModeCache and initial motion to march with, once the study has run, borrowed until MoverEnd. All stuck modes of the structure must have
   been found. Local. */
PetscErrorCode MoverBegin(Mover *mover, ModeCache *structure, const InitialKeys *initial, ModeCache **moves, const InitialKeys **starts);
PetscErrorCode MoverEnd(Mover *mover);
