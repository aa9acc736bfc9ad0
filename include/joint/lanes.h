/*
  joint/lanes.h - blocks of one law side by side: a block in each vector lane, with parameters, constants and history of its own.

  What a lane gives is, to the last bit, what the law's own `evaluate` and `commit` give. A law may say how it works on all lanes at once,
  as a JointLaneLaw; of others each lane is asked for itself. A lane without a block is idle: its numbers mean nothing.
*/
#pragma once
#include "joint.h"
#include "rows/wide.h"

typedef struct {
  const JointLaw            *law;
  const struct JointLaneLaw *kind; /* NULL: each lane for itself */
  PetscInt                   num_points;
  WideMask                   busy;
  const JointBlock          *block[WIDE_LANES];   /* NULL: idle */
  JointHistory              *history[WIDE_LANES]; /* of each; while a lane is busy parts of it may be in `memory` alone */
  const PetscReal           *numbers[WIDE_LANES]; /* those of each law, `constants` and more; of an idle lane those of another */
  Wide                      *constants;           /* [kind->num_constants] of the laws */
  Wide                      *memory;              /* [num_points, kind->num_memory] */
  PetscReal                 *room, *work;         /* `work`: [5, num_points] of one lane */
} JointLanes;

/* A law, or its engine, on all lanes at once. */
typedef struct JointLaneLaw {
  PetscInt num_constants, num_memory;
  /* Optional: which blocks it works on, where not on all. */
  PetscBool (*suits)(const JointBlock *block);
  /* The numbers that a block's law computes with: num_constants of them, or more. */
  const PetscReal *(*constants)(const JointBlock *block);
  /* Optional: from the history of a lane to its memory, and back. */
  void (*recall)(JointLanes *lanes, PetscInt lane);
  void (*keep)(const JointLanes *lanes, PetscInt lane);
  /* As of JointLaw, at motions [num_points]. */
  void (*evaluate)(const JointLanes *lanes, const Wide motion[], Wide force[], Wide stiffness[], Wide loss[]);
  /* As of JointLaw, of these lanes, which are busy. Optional for laws without history. */
  PetscErrorCode (*commit)(JointLanes *lanes, WideMask moved, const Wide motion[], const Wide force[], const Wide loss[], Wide dissipated[]);
  /* Optional: force and stiffness of a point that nothing has touched at `count` motions, a multiple of WIDE_LANES; all lanes have its block. */
  void (*untouched)(const JointLanes *lanes, PetscInt count, const PetscReal motion[], PetscReal force[], PetscReal stiffness[]);
} JointLaneLaw;

/* For laws of one component without JOINT_VISCOUS; all lanes idle at first. All of it is local. */
PetscErrorCode JointLanesCreate(const JointBlock *like, JointLanes *lanes);
PetscErrorCode JointLanesDestroy(JointLanes *lanes);
/* Whether two blocks can be side by side. */
PetscBool JointLanesAlike(const JointBlock *one, const JointBlock *other);

/* Lanes that all have this block, for `untouched`; their law is NULL where it has no such function. The block is borrowed. */
PetscErrorCode JointLanesCreateUntouched(const JointBlock *block, JointLanes *lanes);

/* From now on the lane has this block and this history, which are borrowed; NULL: it is idle. */
void JointLanesSet(JointLanes *lanes, PetscInt lane, const JointBlock *block, JointHistory *history);
/* Brings the history of a lane up to what was committed last. */
void JointLanesKeep(const JointLanes *lanes, PetscInt lane);

/* Force and tangent for motions, and the loss that `commit` wants to know again: [num_points]. Hot. */
void JointLanesEvaluate(const JointLanes *lanes, const Wide motion[], Wide force[], Wide stiffness[], Wide loss[]);
/* These lanes accept a motion, with what was evaluated for it. Hot. */
PetscErrorCode JointLanesCommit(JointLanes *lanes, WideMask moved, const Wide motion[], const Wide force[], const Wide loss[], Wide dissipated[]);
