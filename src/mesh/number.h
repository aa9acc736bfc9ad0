/* number.h - decimal numbers in a text that no NUL ends, fast. Each gives the byte behind the number, NULL for none. */
#pragma once
#include "base.h"

const char *NumberScanInt(const char *at, const char *end, PetscInt64 *value);
const char *NumberScanReal(const char *at, const char *end, PetscReal *value); /* rounded correctly, as strtod */
