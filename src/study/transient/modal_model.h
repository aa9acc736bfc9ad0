/*
  modal_model.h - the modal Iwan model of a structure as a System of its own [eq. 7 of lacayo2017].

      q_k'' + 2 zeta_0 omega_0 q_k' + K_inf q_k + f(q_k) = phi_k^T p,      omega_0^2 = K_inf + K_T

  f is a four-parameter Iwan element between q_k and the ground, a joint of the name mode<k>. Its unknowns are the coordinates of
  all stuck modes of the structure, the truth; a mode without a model stays linear, with the truth's frequency and damping. Points,
  base and patterns keep their names and mean the same motions and forces.
*/
#pragma once
#include "modes.h"
#include "post/modal_iwan.h"

typedef struct {
  System   *system;
  ModeCache cache; /* with modes that are given, not found: the coordinates themselves, in the order of the truth's modes */
} ModalModel;

/* What it calls things: `modes`, from 1, have elements. Local, like all of it. The caller destroys them. */
PetscErrorCode ModalModelNames(const Names *truth, PetscInt count, const PetscInt modes[], Names *names);

/* All stuck modes of the truth must have been found. */
PetscErrorCode ModalModelCreate(const ModeCache *truth, PetscInt count, const PetscInt numbers[], const ModalIwan parameters[], ModalModel **model);
PetscErrorCode ModalModelDestroy(ModalModel **model);
