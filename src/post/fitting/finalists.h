/* finalists.h - a search tries many starts; the best few of them, the finalists, are moved to the minimum near them. */
#pragma once
#include "post/fitting.h"

enum { MOST_FINALISTS = 8 };

typedef struct {
  PetscReal value, x[FIT_MAX_UNKNOWNS]; /* the function and where it has that value, in the solver's unknowns */
} Candidate;

/* In ascending order of their values. */
typedef struct {
  PetscInt  most, count; /* most: how many are kept, at most MOST_FINALISTS */
  Candidate list[MOST_FINALISTS];
} Finalists;

/* Keeps a candidate if it is among the best; one whose value is not finite never is. Local. */
void FinalistsEnter(Finalists *finalists, const Candidate *candidate);
