/* columns_universal.h - columns that are functions of a universal file, and their times. Not for other rooms. */
#pragma once
#include "input/columns.h"

/* Collective. */
PetscErrorCode ColumnsReadUniversal(const InputNode *map, const char *file, PetscInt count, const ColumnKey keys[], Column columns[]);
