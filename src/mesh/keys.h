/* keys.h - ascending lists of keys, each of them once. */
#pragma once
#include "base.h"

PetscErrorCode KeysSort(PetscInt *count, PetscInt64 keys[]);                      /* ascending, each once */
PetscInt       KeysFind(PetscInt count, const PetscInt64 keys[], PetscInt64 key); /* the place of the last one that is not above; 0 for none */
