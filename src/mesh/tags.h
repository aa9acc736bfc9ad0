/* tags.h - finds the place in a list by a tag, a number that somebody else chose. */
#pragma once
#include "base.h"

typedef struct Tags Tags;

/* `repeated` is the place of a tag that stood in the list before, -1 when all are different. The list must last. */
PetscErrorCode TagsCreate(PetscInt count, const PetscInt64 list[], Tags **tags, PetscInt *repeated);
PetscErrorCode TagsDestroy(Tags **tags);
PetscInt       TagsFind(const Tags *tags, PetscInt64 tag); /* -1: not there */
