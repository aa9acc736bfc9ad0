/* modal_iwan.h - what other studies learn from a study of modal Iwan models. */
#pragma once
#include "analysis.h"
#include "post.h"

/* The modes that have a model, from 1, and the parameters of each; NULL for these while the study has not found them. Local. */
PetscErrorCode ModalIwanStudyModel(const Study *study, PetscInt *count, const PetscInt **modes, const ModalIwan **models);
