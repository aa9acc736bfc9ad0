/*
  fitting.h - the parameters of joint laws, identified by least squares from measured loops or decays.

  A fit says for each parameter its value, its confidence interval, and whether the measurement determines it at all.
*/
#pragma once
#include "joint.h"
#include "post/decays.h"
#include "post/loops.h"

/* A number of a model that is to be found, among others that are known. */
typedef struct {
  PetscInt  index;       /* among the numbers of the model */
  PetscReal start;       /* not 0, unless there are bounds on both sides: it says how large the number is */
  PetscReal least, most; /* infinite for none */
  PetscBool above;       /* `least` itself is no value */
  PetscReal small;       /* as good as nothing: a number that may be zero is determined, too, when it is known to within this */
} FitUnknown;

/* What a fit found of it. */
typedef struct {
  PetscReal value;
  PetscReal low, high; /* confidence interval of 95 %; of what is not determined, all that it may be */
  PetscReal standard_error;
  PetscBool determined; /* by what was measured: to within a factor of two, a quarter of its bounds, or half of itself; see NOTES.md */
  PetscBool at_bound;   /* the best value is the nearest that is allowed */
} FitParameter;

/* The numbers of a law in a fit: its parameters, and the spring and the dashpot beside it. */
enum { LAW_FIT_STIFFNESS = JOINT_MAX_PARAMETERS, LAW_FIT_DAMPING, LAW_FIT_SIZE, FIT_MAX_UNKNOWNS = LAW_FIT_SIZE };

/* A law of one component, of which some parameters are to be found. */
typedef struct {
  const JointLaw *law;
  PetscReal       values[LAW_FIT_SIZE]; /* those that are known; beside it stiffness [N/m] and damping, of loops [N s/m], of ring-downs the
                                           ratio of the critical while the law sticks */
  PetscInt        num_unknowns;
  FitUnknown      unknowns[FIT_MAX_UNKNOWNS];
  PetscInt        num_starts; /* beside the given one */
  PetscInt        warm_up;    /* times that a closed loop is driven before it is judged */
  PetscReal       mass;       /* [kg] of the mode; 1 where amplitudes are [m kg^1/2] */
} LawToFit;

typedef struct {
  PetscReal    values[LAW_FIT_SIZE]; /* of the law that was found, and of what is beside it */
  FitParameter parameters[FIT_MAX_UNKNOWNS];
  PetscReal    misfit[2];  /* root mean square: of the force, over the largest of its record; of ln omega and ln zeta */
  PetscInt     num_points; /* judged */
  PetscReal    alike;      /* of loops: correlation of neighbouring deviations. Near 0 noise is left, near 1 the law is another one */
  PetscInt     shaking;    /* of loops: the first record, from 1, whose displacement shakes as noise does; 0 for none */
  PetscBool    straight;   /* of loops: a spring alone explains them as well; what is its and what the law's is not determined then */
} LawFit;

/* By what factor intervals are too short when neighbouring deviations are that much alike. Local. */
PetscReal LawFitShortness(PetscReal alike);

/* Which part of a record is judged: a law remembers, and nobody knows what was before the record. */
typedef enum {
  LOOP_FROM_REST, /* it begins where an untouched joint is: all of it */
  LOOP_CLOSED,    /* it ends where it began: all of it, after it has been driven before */
  LOOP_WARMED_UP, /* what comes after both of its ends have been seen */
  LOOP_FROM_END,  /* it begins farther out than all that follows: all of it */
  LOOP_OF_UNKNOWN_PAST
} LoopMemory;

/* How a record begins, and the first sample that is judged. Local. */
LoopMemory LoopFindMemory(const LoopRecord *record, PetscInt *first);

/* Least squares of the force of the law, a spring and a dashpot along the motions of records, from many starts. `found` is false where no
   such law comes near, or a record is of unknown past; `reason` says why. The same on every call. Local. */
PetscErrorCode LawFitLoops(const LawToFit *law, PetscInt num_records, const LoopRecord records[], PetscBool *found, LawFit *fit, char reason[],
                           size_t size);
/* The force of a law and of what is beside it along a record, [count]. Local. */
PetscErrorCode LawFitForce(const LawToFit *law, const PetscReal values[], const LoopRecord *record, PetscReal force[]);

/* Least squares of the frequency and the damping of a mass on the law, a spring and a dashpot, to the trusted points of its decays.
   Frequency and damping weigh as much as the law can explain them. Laws with JOINT_VISCOUS are refused by PETSc. Local. */
PetscErrorCode LawFitDecays(const LawToFit *law, PetscInt count, const RingDownPoint points[], PetscBool *found, LawFit *fit, char reason[],
                            size_t size);
/* Its frequency and damping at an amplitude; false where it has none. Local. */
PetscErrorCode LawFitCurve(const LawToFit *law, const PetscReal values[], PetscInt count, const PetscReal amplitude[], PetscBool *exists,
                           PetscReal omega[], PetscReal zeta[]);
