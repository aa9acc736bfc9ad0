/* saddle_modes.h - the lowest modes of what a saddle holds: with the boundary at rest, or tied. */
#pragma once
#include "krylov.h"
#include "saddle.h"

/* A value of omega^2 with nothing near, and the number of modes found below it. */
typedef struct {
  PetscReal shift;
  PetscInt  num_below;
} Gap;

/* theta of KrylovModes is 1 / (omega^2 - shift of the saddle); `known` as KrylovFind has it. At least `count` modes, or fewer when they
   did not converge. `gap`, behind these modes, may be NULL; it costs some more modes. */
PetscErrorCode SaddleModes(const Saddle *saddle, const Product *M, const ContinuumTies *ties, Mat known, PetscInt count, KrylovModes *modes,
                           Gap *gap);

/* The first modes once more through the saddle, without ties and shift, as many as `purified` has columns: what round-off has brought in goes
   out, to nearly all digits. Unit modal mass, and the largest component positive. */
PetscErrorCode SaddlePurify(const Saddle *saddle, const Boundary *boundary, const Product *K, const Product *M, const KrylovModes *modes,
                            Mat purified);

/* That no mode below the gap was missed, by one more factorisation: with K - shift M there is one more negative pivot for each [Sylvester].
   `num_rigid` are known besides those in `gap`. */
PetscErrorCode SaddleProve(const Continuum *continuum, const Boundary *boundary, const ContinuumTies *ties, const Gap *gap, PetscInt num_rigid,
                           ContinuumFault *fault);
