/* universal.h - universal files: measured functions, datasets 58 and 58b. Not for other rooms. */
#pragma once
#include "input_private.h"

enum { UNIVERSAL_TEXT = 81 };

/* A function that a file holds: what its header says, and where its numbers are. */
typedef struct {
  PetscInt  function;                                            /* 1: time response, 4: frequency response, ... */
  PetscInt  abscissa, ordinate;                                  /* 17: time; 8, 11, 12: displacement, velocity, acceleration; 0: not said */
  char      name[UNIVERSAL_TEXT], entity[12], unit[24], per[24]; /* trimmed; "NONE" is ""; per: unit of what the ordinate is divided by */
  PetscInt  node, direction;                                     /* 1, 2, 3: x, y, z; 4, 5, 6: about them; negative: against them */
  PetscBool is_complex, twice_as_long, even, binary, big_endian; /* twice_as_long: double precision */
  PetscInt  count;                                               /* of samples */
  PetscReal start, step;
  PetscInt  line; /* of its first number */
  size_t    begin, end;
} UniversalFunction;

typedef struct {
  InputDocument     *document;
  const char        *file;
  InputBytes         bytes;
  PetscReal          length_factor; /* units of length in a metre, of dataset 164; 1 when it does not say */
  PetscInt           count;
  UniversalFunction *functions;
} UniversalFile;

/* After a complaint there are no functions. Collective. */
PetscErrorCode UniversalOpen(const InputNode *node, const char *path, UniversalFile *file);
PetscErrorCode UniversalClose(UniversalFile *file);

/* The function that the text names: its number, its name, or its node and direction; without a text the only one. A frequency response, of complex
   numbers, or a time response, of real ones. -1 after a complaint. */
PetscErrorCode UniversalChoose(const InputNode *node, const char *key, const char *text, PetscBool response, const UniversalFile *file,
                               PetscInt *chosen);

/* Its numbers, in arrays of the caller's: `values` are real and imaginary parts in turn where they are complex (UniversalParts: 2, otherwise 1);
   `fine` is false after a complaint. */
PetscInt       UniversalParts(const UniversalFunction *function);
PetscErrorCode UniversalReadNumbers(const UniversalFile *file, const UniversalFunction *function, PetscReal times[], PetscReal values[],
                                    PetscBool *fine);
