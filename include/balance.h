/*
  balance.h - what the joints answer to a motion, and the motion at which they and the structure agree: d + H (f(d) - k d) = d_lin.

  Whatever is asked of a structure with joints, a step in time or an equilibrium, comes down to this equation on its few nonlinear rows:
  H and d_lin say all that the structure has to say. k is the stiffness of the joints while they stick, which the structure holds already.

  Newton with the exact tangent and a line search. An imbalance R [m] means that a joint's force belongs to a motion which is R away from
  the structure's. It is accepted when the force it makes, by the larger of the stuck and the present tangent, is below `tolerance` times
  the joint's force, or when R is round-off of the structure's own motion.

  Many points, as of faces in contact, are balanced by their forces instead: what is small there is the force f - k d - g by which they miss
  what the structure gives them, compared with the largest force of all.

  A block of scalar laws that alone acts on consecutive rows works on them in place; others are gathered and added up.
*/
#pragma once
#include "balance/influence.h"
#include "rows.h"
#include "system.h"

/* Which rows a tangent couples where each point of the joints has rows of its own: row r those of its point, column[r * width + e], whose
   values have the same places. Contacts of meshed faces are so, and their products take as many operations as there are rows. Where points share
   rows or combine them, as the parts of an area do, all rows that they couple are taken together, if that is asked for. */
typedef struct {
  PetscInt  m, width; /* width: rows that are coupled, at most; 0 where points share rows, which are not gathered */
  PetscInt *column;   /* [m, width] */
  PetscInt *place;    /* [m] of a row among the columns of those that it is coupled with */
} TangentPattern;

PetscErrorCode TangentPatternCreate(const System *system, PetscInt m, PetscBool gather, TangentPattern *pattern);
PetscErrorCode TangentPatternDestroy(TangentPattern *pattern);
/* force = tangent motion, and force = (tangent - stiffness) motion. Hot, local. */
void TangentPatternTimes(const TangentPattern *pattern, const PetscReal tangent[], const PetscReal motion[], PetscReal force[]);
void TangentPatternChange(const TangentPattern *pattern, const PetscReal tangent[], const PetscReal stiffness[], const PetscReal motion[],
                          PetscReal force[]);

/* Force and tangent of every nonlinear row, from the blocks of laws that act on it. */
typedef struct {
  const System *system;
  PetscInt      m;               /* nonlinear rows, padded to whole vector lanes with rows that nothing moves */
  PetscBool     diagonal;        /* every law acts on one row */
  PetscBool     by_points;       /* no, but every point has rows of its own, or those that points share are gathered */
  PetscBool     viscous;         /* some law wants velocities */
  PetscReal    *stiffness;       /* stuck, in K0: [m] when diagonal, [m, pattern.width] when by points, else [m, m] */
  PetscReal    *motion, *rate;   /* [m], set by the caller */
  PetscReal    *force, *tangent; /* [m]; tangent like stiffness, both with padding of zeros */

  const Influence *grip; /* while a balance is looked for: what joints that stick without any give are asked with; else NULL */

  TangentPattern pattern;
  PetscReal     *closed; /* when by points, like stiffness: of faces pressed together and stuck */
  PetscReal *lever; /* when by points, [m]: the arm of a force that turns the row, (stiffness / that along the rows it is coupled with)^1/2; else 1 */
  PetscReal *held;  /* [m] motions; not NULL: friction of faces is that of the normal motions here, see JointForcesHold */

  PetscBool  in_place;                                                                /* all blocks work on the rows */
  PetscInt  *first_row;                                                               /* of each block that does; else -1 */
  PetscReal *loss;                                                                    /* [m], of blocks in place */
  PetscReal *block_motion, *block_rate, *block_force, *block_loss, *block_dissipated; /* of the largest block */
  PetscReal *block_stiffness, *block_damping;
  PetscReal *held_motion, *held_force, *held_stiffness; /* of rows, of the largest block */
} JointForces;

/* Each law acts on one row, whose motion is its own. Local. */
PetscBool JointForcesAreDiagonal(const System *system);
/* For the nonlinear rows of the system, padded to m; `gather`: those that points share are one pattern. */
PetscErrorCode JointForcesCreate(const System *system, PetscInt m, PetscBool gather, JointForces *joints);
PetscErrorCode JointForcesDestroy(JointForces *joints);

/* Takes the stuck stiffness from the system again, whose references have changed. */
PetscErrorCode JointForcesRefer(JointForces *joints);

/* Force and tangent at motion and rate, from the histories of the state; a damping counts `rate_factor` times. Hot, local. */
void JointForcesEvaluate(JointForces *joints, const State *state, PetscReal rate_factor);

/* The same, but all faces answer as if they were pressed together and stuck: when by points. Hot, local. */
void JointForcesClose(JointForces *joints, const State *state, PetscReal rate_factor);

/* From now on the friction of faces, limit and stiffness, is that at this normal motion [m], whatever they are evaluated at: forces along and
   normal to faces no longer depend on each other, and have a convex potential. NULL: no longer. Local. */
PetscErrorCode JointForcesHold(JointForces *joints, const PetscReal motion[]);

/* Advances the histories of the state to the motion that was evaluated last, with what it dissipated. Hot. */
PetscErrorCode JointForcesCommit(JointForces *joints, State *state);

/* What the parts of all contacts do (a FaceState) at the motion of the state, and what presses them [N]. Hot, local. */
void JointForcesInspect(JointForces *joints, const State *state, PetscReal face_state[], PetscReal pressing[]);

/* A solution by forces begins with what the last one knew, but for every so many steps of the state: a motion that is resumed there goes on
   the same to the last bit. */
enum { BALANCE_MEMORY = 16 };

/* What the structure says to the joints. */
typedef struct {
  const Influence *influence;     /* H; all of it one matrix, or products, where motions are balanced */
  const PetscReal *motion, *rate; /* [m] d_lin, and its velocity */
  const PetscReal *row_norm;      /* [m] length of the rows of B in the coordinates of the structure */
  PetscReal        size;          /* of the structure's motion in these, for judging round-off */
  PetscReal        rate_factor;   /* what a change of motion changes its velocity by [1/s] */
  PetscBool        closed_first;  /* of many points: the first iterate is that of faces all closed and stuck, as a preload wants it */
} BalanceProblem;

typedef struct {
  PetscInt      m; /* nonlinear rows, padded to whole vector lanes with rows that nothing moves */
  PetscInt      max_iterations;
  PetscReal     tolerance;
  JointForces   joints;                                                                    /* at the motion that is tried */
  PetscReal    *remainder, *residual, *correction, *start, *old_force, *stuck, *steepness; /* [m] */
  PetscReal    *rounded;          /* [m] round-off of forces that are counted from what the joints transmit at rest [N] */
  PetscReal    *change, *product; /* [m] work */
  PetscReal    *jacobian;         /* [m, m] column-major; NULL where H is known by products, or forces are balanced */
  PetscBLASInt *pivots;

  struct ForceBalance *forces;        /* of many points, see BalanceUseForces; else NULL */
  PetscInt             most_factored; /* of their rows; the equation of more is solved by iteration */
  PetscReal            left;          /* what that may leave, of the imbalance that is accepted */
} Balance;

/* Whether these rows are balanced by the forces of their points, where each has rows of its own: more than 64, and those of faces of a mesh. */
PetscErrorCode BalanceIsByForces(const System *system, PetscInt m, PetscBool *by_forces);

/* For the nonlinear rows of the system, padded to m; `by_products`: where all problems have an H that is known by products. These are of joints
   that act on one row each, and not between faces of a mesh: JointForcesAreDiagonal. */
PetscErrorCode BalanceCreate(const System *system, PetscInt m, PetscReal tolerance, PetscInt max_iterations, PetscBool by_products,
                             Balance **balance);
PetscErrorCode BalanceDestroy(Balance **balance);

/* Whether Newton's method works on the forces of the points, those that share rows together, or on the motions of the rows. BalanceCreate chooses as
   BalanceIsByForces says. Not where each law acts on one row. */
PetscErrorCode BalanceUseForces(Balance *balance, PetscBool by_forces);

/* From now on equations of many points are solved as exactly as by factors: equilibria are few, and where friction alone holds something what
   is accepted of forces may be much of motions. */
void BalanceSolveExactly(Balance *balance);

/* Finds the motion and rate of balance->joints, and the remainder. Of the state only the count of iterations changes, and the yield is
   made free of the round-off of many steps. Hot. */
PetscErrorCode BalanceSolve(Balance *balance, const BalanceProblem *problem, State *state, PetscBool *converged);

/* What the joints take on the way from the state to what BalanceSolve found, the force being its mean [J]. Hot, local. */
PetscReal BalanceAbsorbed(const Balance *balance, const State *state);

/* Force and remainder of the joints at a motion and rate that are known: [m], from the memory of the state. Hot, local. */
void BalanceEvaluate(Balance *balance, const PetscReal motion[], const PetscReal rate[], const State *state);

/* Accepts what BalanceSolve found or BalanceEvaluate was given: motions and memory of the joints. Hot. */
PetscErrorCode BalanceCommit(Balance *balance, State *state);

/* Of a state whose remainders were found otherwise than by BalanceSolve: what R makes of them. */
void BalanceYield(const Balance *balance, const Influence *influence, State *state);

/* Brings untouched joints to a first motion, along their virgin paths. */
PetscErrorCode BalanceStart(Balance *balance, const PetscReal motion[], const PetscReal rate[], State *state);

/* k d of a row: what its joints would carry if they stuck. Local. */
PetscReal BalanceStuckForce(const Balance *balance, const State *state, PetscInt row);

/* H times forces. H is symmetric: a small one is taken by columns, which need not be summed across the lanes. Hot, local. */
static inline void BalanceInfluence(const PetscReal influence[], PetscInt num_rows, const PetscReal force[], PetscReal motion[])
{
  enum { SMALL = 16 };
  const PetscInt m = RowsWhole(num_rows);

  if (m <= SMALL) RowsCombineByLanes(m, m, influence, force, motion);
  else RowsTimes(m, m, influence, force, motion);
}
