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

/* The law of the elements, and its parameters [JOINT_MAX_PARAMETERS]. */
const JointLaw *ModalModelElement(const ModalIwan *model, PetscReal parameters[]);

/* The System as far as it is known before modes and parameters are: names and numbers of unknowns, points and joints. `modes` count
   from 1. Local, like all of it. */
PetscErrorCode ModalModelSketch(const System *truth, PetscInt count, const PetscInt modes[], System **sketch);

/* All stuck modes of the truth must have been found. */
PetscErrorCode ModalModelCreate(const ModeCache *truth, PetscInt count, const PetscInt numbers[], const ModalIwan parameters[], ModalModel **model);
PetscErrorCode ModalModelDestroy(ModalModel **model);
