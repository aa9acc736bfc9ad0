/*
  fitting.h - the parameters of joint laws, identified by least squares from measured loops or decays.

  A fit says for each parameter its value, its confidence interval, and whether the measurement determines it at all.
*/
#pragma once
#include "joint.h"
#include "post/decays.h"
#include "post/loops.h"

/* An unknown number of a model; its other numbers are given. */
typedef struct {
  PetscInt  index;       /* among the numbers of the model */
  PetscReal start;       /* first guess, which also sets the scale; it may be 0 only where there are bounds on both sides */
  PetscReal least, most; /* bounds; infinite for none */
  PetscBool above;       /* the value must be greater than `least` */
  PetscReal small;       /* negligible: a number that may be zero also counts as determined when it is known to within this */
} FitUnknown;

/* What a fit found for one unknown. */
typedef struct {
  PetscReal value;
  PetscReal low, high; /* confidence interval of 95 %; its bounds where it is not determined */
  PetscReal standard_error;
  PetscBool determined; /* the data fix it to within a factor of two, a quarter of its bounds, or half of itself; see NOTES.md */
  PetscBool at_bound;   /* the best value lies on a bound */
} FitParameter;

/* The numbers of a fit: the parameters of the law, and the stiffness and the damping of the spring and the dashpot in parallel with it. */
enum { LAW_FIT_STIFFNESS = JOINT_MAX_PARAMETERS, LAW_FIT_DAMPING, LAW_FIT_SIZE, FIT_MAX_UNKNOWNS = LAW_FIT_SIZE };

/* Unknown numbers of a model that is to meet targets of which it is said how well they are known, with the model's own derivatives. */
typedef struct {
  PetscInt          num_unknowns;
  const FitUnknown *unknowns;
  PetscInt          count;       /* of targets */
  const PetscReal  *uncertainty; /* standard deviation of each */
  /* How far the model with these values is from each target; unless NULL, the derivatives of that, [count, num_unknowns]. `exists` is false where
     there is no such model. */
  PetscErrorCode (*deviate)(void *context, const PetscReal values[], PetscBool *exists, PetscReal deviations[], PetscReal slopes[]);
  void     *context;
  PetscReal small; /* slope of the misfit at which the search ends, in standard deviations of the unknowns; 0: that of round-off */
} TargetFit;

typedef struct {
  PetscBool    found;     /* there is a model at the start */
  PetscBool    converged; /* no other values nearby are better */
  FitParameter parameters[FIT_MAX_UNKNOWNS];
  PetscReal    correlation[FIT_MAX_UNKNOWNS * FIT_MAX_UNKNOWNS]; /* [num_unknowns, num_unknowns]; no numbers where something is not determined */
  PetscReal    widening;                                         /* of all uncertainties, where targets are missed by more than theirs */
} TargetFound;

/* Least squares from the start. What calls it on several ranks must give the same deviations to each. */
PetscErrorCode TargetFitFind(const TargetFit *fit, TargetFound *found);

/* A law of one component of which some parameters are unknown. */
typedef struct {
  const JointLaw *law;
  PetscReal       values[LAW_FIT_SIZE]; /* the known ones. Stiffness of the spring in [N/m]; damping of the dashpot in [N s/m] for loops, for
                                           decays as the damping ratio while the law sticks */
  PetscInt        num_unknowns;
  FitUnknown      unknowns[FIT_MAX_UNKNOWNS];
  PetscInt        num_starts; /* in addition to the given one */
  PetscInt        warm_up;    /* how many times a closed loop is repeated before it is compared */
  PetscReal       mass;       /* [kg] of the mode; 1 where amplitudes are [m kg^1/2] */
} LawToFit;

typedef struct {
  PetscReal    values[LAW_FIT_SIZE]; /* of the law that was found, and of the spring and the dashpot */
  FitParameter parameters[FIT_MAX_UNKNOWNS];
  PetscReal    misfit[2];  /* root mean squares. Loops: of the force over the largest of its record. Decays: of ln omega and of ln zeta */
  PetscInt     num_points; /* compared */
  PetscReal    alike;      /* loops: correlation of neighbouring deviations. Near 0 they are noise; near 1 the joint follows another law */
  PetscInt     shaking;    /* loops: the first record, counted from 1, whose displacement is noisy; 0 for none */
  PetscBool    straight;   /* loops: a spring alone fits as well, so that the split of the stiffness between spring and law is open */
} LawFit;

/* The factor by which intervals are too short when neighbouring deviations have this correlation. Local. */
PetscReal LawFitShortness(PetscReal alike);

/* A law has memory, and the motion before the record is unknown. How a record begins tells which part of it can be compared. */
typedef enum {
  LOOP_FROM_REST,      /* begins at zero displacement and force: all of it */
  LOOP_CLOSED,         /* ends where it began: all of it, after it has been repeated as a warm-up */
  LOOP_WARMED_UP,      /* the part after both extremes of the displacement have been reached */
  LOOP_FROM_END,       /* begins at the largest displacement of all: all of it */
  LOOP_OF_UNKNOWN_PAST /* none of these: nothing */
} LoopMemory;

/* How a record begins, and its first sample that can be compared. Local. */
LoopMemory LoopFindMemory(const LoopRecord *record, PetscInt *first);

/* Least squares of the force of the law, the spring and the dashpot along the motions of records, from many starts. Where no such law fits,
   or a record has an unknown past, `found` is false and `reason` says why. Every call gives the same result. Local. */
PetscErrorCode LawFitLoops(const LawToFit *law, PetscInt num_records, const LoopRecord records[], PetscBool *found, LawFit *fit, char reason[],
                           size_t size);
/* The force [count] of the law, the spring and the dashpot along a record. Local. */
PetscErrorCode LawFitForce(const LawToFit *law, const PetscReal values[], const LoopRecord *record, PetscReal force[]);

/* Least squares of the frequency and the damping of a mass on the law, the spring and the dashpot, over the trusted points of its decays.
   Frequency and damping are weighted by how well the law can follow each. Laws with the trait JOINT_VISCOUS are a PETSc error. Local. */
PetscErrorCode LawFitDecays(const LawToFit *law, PetscInt count, const RingDownPoint points[], PetscBool *found, LawFit *fit, char reason[],
                            size_t size);
/* Frequency and damping of that mass at some amplitudes; `exists` is false where one of them is not finite. Local. */
PetscErrorCode LawFitCurve(const LawToFit *law, const PetscReal values[], PetscInt count, const PetscReal amplitude[], PetscBool *exists,
                           PetscReal omega[], PetscReal zeta[]);
