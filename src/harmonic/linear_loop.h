/*
  linear_loop.h - steps of a law at one point, stretch after stretch of a periodic motion, until the loop closes.

  A stretch is a period, or the half of one of a loop that goes on with the other sign. It is closed when it ends with the memory that it began
  with, or when its forces are those of the stretch before. Where all is odd, so that there is one steady loop, memory that fades slowly is not
  waited for: Newton's rule, with the memory at the end of a stretch by that at its beginning, gives what a closed one begins with. Where that is not
  determined, as the memory of a point that sticks, and where steady loops may be many, the loop is the one that follows from what the point
  remembers.
*/
#pragma once
#include "linear_step.h"

enum { LOOP_PATIENCE = 3 }; /* stretches before Newton's rule is tried where all is odd: sliders take two */

typedef struct {
  PetscInt         count; /* steps of a stretch */
  PetscReal        turn;  /* 1; -1: the next stretch is the opposite of this one */
  const PetscReal *sense; /* [num_states] memory at the end of a closed stretch by that at its beginning: 1, -1; 0: neither */
  PetscErrorCode (*go)(void *context, PetscReal sign); /* takes the steps of a stretch, of the motion or, -1, its opposite */
  void     *context;
  PetscBool forces_alone;   /* changes will not be asked for: what stretches before the last depend on does not matter */
  PetscInt  most, patience; /* stretches: before it is given up, before Newton's rule is tried, if they are fewer */
  PetscInt  taken;          /* stretches */
  PetscReal gap;            /* change of the forces, of the largest, or of the memory, of its range, whichever is less */
  PetscReal sign;           /* of the last stretch */
  PetscBool jumped;         /* by Newton's rule: the past is none of the loop's */
} LinearLoop;

/* From what the point remembers. All steps are recorded; what they depend on is known, of forces alone, or of a loop that jumped, those of the last
   stretch. Hot. */
PetscErrorCode LinearLoopClose(LinearStep *step, PetscInt point, LinearLoop *loop);
PetscBool      LinearLoopIsClosed(const LinearLoop *loop);
/* What a stretch begins with, for changes of its end by something else, ends[num_used, columns], in place: (sense - E)^-1 of them, where
   by_begin[num_used, num_used] is E; it is lost. False where that is not determined. Hot. */
PetscErrorCode LinearLoopSolve(const LinearStep *step, const PetscReal sense[], PetscReal by_begin[], PetscInt columns, PetscReal ends[],
                               PetscBool *determined);
