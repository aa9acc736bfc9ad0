/* synonyms.h - words of the field and of other programs. Not for other rooms, which ask InputNearest. */
#pragma once
#include "input.h"

/* The one of these names (ends with NULL) that means the same as a word: of 'coulomb' jenkins, of 'C3D8R' hex8. NULL for none. */
const char *SynonymFind(const char *text, const char *const names[]);
