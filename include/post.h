/*
  post.h - signals over time, and what they tell: ring-down curves, and models that are fitted to them.

  This room knows numbers over time, computed or measured, and nothing of cases, Systems or files: the studies
  of the analysis room bring the signals and keep what comes of them.
*/
#pragma once
#include "base.h"
#include "joint.h"

/* What a signal is of; amplitudes change from one to the next by omega [eq. 22 of lacayo2017]. */
typedef enum { QUANTITY_DISPLACEMENT, QUANTITY_VELOCITY, QUANTITY_ACCELERATION, NUM_QUANTITIES } Quantity;

extern const char *const quantity_names[]; /* of the case file; ends with NULL */

/* A point of a ring-down curve: at this amplitude the motion has this frequency and loses energy as this damping ratio would.
   The errors are standard deviations. */
typedef struct {
  PetscReal time;      /* [s] */
  PetscReal amplitude; /* of the displacement [m kg^1/2] of a mode, [m] of a point */
  PetscReal omega;     /* [rad/s] */
  PetscReal zeta;
  PetscReal omega_error; /* [rad/s] */
  PetscReal zeta_error;
  PetscBool trusted; /* one decaying harmonic explains the signal here; what is not is no truth to fit or compare */
} RingDownPoint;

/* A motion, sampled at equal steps of time. */
typedef struct {
  PetscInt         count;
  PetscReal        start, step; /* [s] */
  const PetscReal *values;
  Quantity         quantity;
} Record;

/* ln A and phase of a record as A cos(phase), where its ends have no say: samples first, first + 1, ... of the record. */
typedef struct {
  PetscInt   first, count;
  PetscReal *log_amplitude, *phase;
} Envelope;

/* By the Hilbert transform, of what the record holds between two frequencies [rad/s]; 0 and infinity for all of it. `edge` cycles
   at both ends are dropped. No samples where the record is too short or silent. Local. */
PetscErrorCode EnvelopeFind(const Record *record, PetscReal lowest, PetscReal highest, PetscReal edge, Envelope *envelope);
/* Keeps the longest stretch along which one harmonic stands out from noise and from other motions. Local. */
PetscErrorCode EnvelopeKeepClear(Envelope *envelope);
PetscErrorCode EnvelopeCut(Envelope *envelope, PetscInt first, PetscInt end); /* samples first to end - 1 remain */
PetscErrorCode EnvelopeDestroy(Envelope *envelope);

/* The share of a record's energy outside of two frequencies [rad/s]. Local. */
PetscErrorCode RecordShareOutside(const Record *record, PetscReal lowest, PetscReal highest, PetscReal *share);

/* Continuous functions that are linear between knots, nearest to samples in the least squares [Allen, Sumali, Epp 2008]. */
typedef struct {
  PetscInt         num_knots;
  const PetscReal *knots;    /* ascending */
  PetscReal       *values;   /* at the knots */
  PetscReal       *residual; /* sample less function */
} Piecewise;

/* Of samples at time start + i step, all between the first and the last knot. The caller owns the arrays. Local. */
PetscErrorCode PiecewiseFit(PetscInt count, PetscReal start, PetscReal step, const PetscReal samples[], Piecewise *fit);

typedef struct {
  PetscReal        lowest, highest; /* band that is looked at [rad/s]; 0 and infinity for all */
  PetscReal        plausible[2];    /* frequencies that the motion can have [rad/s]; 0 and infinity for any */
  PetscReal        edge;            /* cycles dropped at both ends */
  PetscReal        drop;            /* of ln amplitude between knots, about */
  PetscReal        min_cycles;      /* between knots, about */
  PetscInt         max_points;
  PetscReal        accept_omega, accept_zeta; /* relative errors up to which a point is trusted */
  PetscReal        integration_step;          /* [s] of the average-acceleration rule that made the record, to be undone; 0 for none */
  PetscInt         num_knots;                 /* 0: chosen from the data */
  const PetscReal *knots;                     /* [s] */
} RingDownOptions;

typedef struct {
  PetscInt       count;
  RingDownPoint *points;
  PetscInt       num_knots; /* count + 1, or 0 */
  PetscReal     *knots;     /* [s] */
  PetscReal     *envelope;  /* of the record's quantity at the knots */
  const char    *remark;    /* why there are no points; NULL when there are */
} RingDownCurve;

/* Frequency and damping along a decay: slopes of phase and ln amplitude between knots, of which the midpoints are retained
   [section 2.2 of lacayo2017]. Local. */
PetscErrorCode RingDownFind(const Record *record, const RingDownOptions *options, RingDownCurve *curve);
PetscErrorCode RingDownDestroy(RingDownCurve *curve);

/* The envelope of a velocity falls less steeply than that of the displacement where the frequency rises meanwhile: makes of the damping
   of successive points, as eq. 21 gives it for a signal of this quantity, that of the displacement. Local. */
void RingDownToDisplacement(PetscInt count, Quantity quantity, RingDownPoint points[]);

/* Frequency and damping as functions of the amplitude, from the trusted points of any number of decays: linear in logarithms. */
typedef struct {
  PetscInt   count;
  PetscReal *ln_amplitude, *ln_omega, *ln_zeta; /* ascending amplitudes */
} AmplitudeCurve;

PetscErrorCode AmplitudeCurveCreate(PetscInt count, const RingDownPoint points[], AmplitudeCurve *curve);
PetscErrorCode AmplitudeCurveDestroy(AmplitudeCurve *curve);
/* False where no point is near: outside of all, or in a gap that no decay went through, wider than a factor of two. Local. */
PetscBool AmplitudeCurveAt(const AmplitudeCurve *curve, PetscReal amplitude, PetscReal *omega, PetscReal *zeta);

/* Motion and force of a joint, computed or measured; times ascend, at steps of any length. */
typedef struct {
  PetscInt         count;
  const PetscReal *time, *displacement, *force; /* [s] [m, rad] [N, N m] */
  const PetscReal *velocity;                    /* NULL where it is not known */
  const PetscReal *slope;                       /* df/dd; NULL where it is not known */
} LoopRecord;

/* The samples at which the motion turns back, in their order; of several at one place the first. Turns by less than `resolution` [m, rad]
   do not count, as those of noise. The caller frees *reversals. Local. */
PetscErrorCode LoopFindReversals(const LoopRecord *record, PetscReal resolution, PetscInt *count, PetscInt **reversals);

/* From a reversal to the next but one, there and back. */
typedef struct {
  PetscInt  first, middle, last; /* samples: its reversals */
  PetscReal amplitude;           /* half of the way between the extremes [m, rad] */
  PetscReal area;                /* work of the force around the loop, closed by a straight line where it is open [J] */
  PetscReal secant_stiffness;    /* between the extremes [N/m, N m/rad] */
  PetscReal peak_force;          /* of either sign [N, N m] */
  PetscReal damping;             /* ratio to critical of a spring of the secant stiffness that loses the area in a cycle: area / (4 pi E),
                                    E = k a^2 / 2; NaN without such a stiffness */
} LoopCycle;

/* Of `count` reversals: count - 2 cycles, none of fewer than three. Local. */
void LoopFindCycles(const LoopRecord *record, PetscInt count, const PetscInt reversals[], LoopCycle cycles[]);
/* The work of the force from one sample to another [J]. Local. */
PetscReal LoopWork(const LoopRecord *record, PetscInt first, PetscInt last);

/* The branches of a loop: where the displacement grows, where it falls. */
typedef enum { LOOP_UP, LOOP_DOWN, LOOP_BOTH } LoopBranch;

extern const char *const loop_branch_names[]; /* of the case file; ends with NULL */

enum { LOOP_MAX_WINDOW = 201 };

typedef struct {
  LoopBranch branch;
  PetscInt   window, degree; /* samples, an odd number, and polynomial through them, where velocity or slope are not known */
  PetscReal  trim;           /* share of the length of a branch that is left out at each of its ends */
  PetscReal  noise;          /* motion back by no more than this is no reversal [m, rad] */
} LoopOptions;

/* Points of a loop whose slope is known. */
typedef struct {
  PetscInt   count;
  PetscReal *displacement, *velocity, *force, *slope;
  PetscReal *sense; /* 1 where the displacement grows, -1 where it falls */
  PetscInt   span;  /* points beside each other whose slopes were found from the same samples; 0: slopes are those of the record */
} LoopPoints;

/* The points of the branches asked for, without the ends of each: slopes jump at a reversal, and it lies between samples. Velocity and
   slope are those of the record, or of the polynomials nearest to the samples around, all of one branch. None where no branch has room
   for a window. Local. */
PetscErrorCode LoopPointsFind(const LoopRecord *record, const LoopOptions *options, LoopPoints *points);
PetscErrorCode LoopPointsDestroy(LoopPoints *points);

/* x^i v^j; its name is x, v, x2, xv, v2, x2v, ... */
typedef struct {
  PetscInt x, v;
} PolynomialTerm;

enum { POLYNOMIAL_MAX_ORDER = 20, POLYNOMIAL_NAME_LENGTH = 16 };

/* All terms of order 1 to `order` in the order of the modified Pascal triangle [jalali2022, A.1]; with `terms` NULL only their number. */
PetscInt  PolynomialTriangle(PetscInt order, PolynomialTerm terms[]);
void      PolynomialTermName(PolynomialTerm term, char name[POLYNOMIAL_NAME_LENGTH]);
PetscBool PolynomialTermParse(const char *name, PolynomialTerm *term); /* false for what is no term of order 1 to POLYNOMIAL_MAX_ORDER */

typedef enum { POLYNOMIAL_SVD, POLYNOMIAL_QR } PolynomialSolver;

extern const char *const polynomial_solver_names[]; /* of the case file; ends with NULL */

typedef struct {
  LoopBranch            branch; /* LOOP_BOTH: the joint is symmetric, points of falling displacement count with all their signs turned */
  PetscInt              num_terms;
  const PolynomialTerm *terms;
  PolynomialSolver      solver;
  PetscReal             regularise; /* Tikhonov's factor, of columns of unit length; 0 for none */
  PetscReal             resolution; /* relative accuracy of the slopes */
} PolynomialOptions;

/* What can be said of a coefficient. */
typedef enum { POLYNOMIAL_IDENTIFIED, POLYNOMIAL_BELOW_RESOLUTION, POLYNOMIAL_UNCERTAIN, POLYNOMIAL_DEPENDENT } PolynomialVerdict;

/* The model df/dx = E1 + s (P(x, v) - E2 f) that explains slopes best, s = 1 where x grows, -1 where it falls [jalali2022, eqs 13 to 17].
   Unknowns are E1, the coefficients of P, E2. Shares and verdicts are those of the solution that is not regularised. */
typedef struct {
  PetscInt           count;
  PetscReal         *value;
  PetscReal         *standard_error; /* infinite for what depends on others */
  PetscReal         *share;          /* of the slopes that would remain unexplained without it, whatever the others are then */
  PolynomialVerdict *verdict;
  PetscReal          condition[2]; /* of the matrix of eq. 15, and of the same with columns of unit length */
  PetscReal          misfit;       /* root mean square of fitted less given slopes over that of the slopes */
  PetscReal         *fitted;       /* slope of each point */
  char               remark[128];  /* why there is no model; empty when there is one */
} PolynomialFit;

PetscErrorCode PolynomialFitPoints(const LoopPoints *points, const PolynomialOptions *options, PolynomialFit *fit);
PetscErrorCode PolynomialFitDestroy(PolynomialFit *fit);

/* The modal Iwan model of one mode [eq. 7 of lacayo2017]: a unit mass on a spring, a dashpot and a four-parameter Iwan element. */
typedef struct {
  PetscReal stiffness;  /* K_inf [1/s^2], while the joints slip */
  PetscReal damping;    /* zeta_0, ratio of the critical damping while they stick */
  PetscReal slip_force; /* F_S [N kg^-1/2] */
  PetscReal tangent;    /* K_T [1/s^2], what the joints add while they stick */
  PetscReal chi, beta;
} ModalIwan;

/* The parameters in the order of the struct. */
enum { MODAL_IWAN_STIFFNESS, MODAL_IWAN_DAMPING, MODAL_IWAN_SLIP_FORCE, MODAL_IWAN_TANGENT, MODAL_IWAN_CHI, MODAL_IWAN_BETA, MODAL_IWAN_SIZE };

/* The parameters as a list. Local. */
void ModalIwanList(const ModalIwan *model, PetscReal values[]);
/* Displacement from which all of the element slips, phi_max [eq. 10]. Local. */
PetscReal ModalIwanSlipAmplitude(const ModalIwan *model);

/* Of a model's curves: those of a free decay, where zeta is that of the displacement's amplitude (-d ln amplitude/dt / omega), or
   eqs 8 to 13 of lacayo2017 as printed but for the errata, which jump where all slips. */
typedef enum { MODAL_IWAN_RING_DOWN, MODAL_IWAN_PRINTED } ModalIwanForm;

/* Frequency and damping at this displacement amplitude. Local. */
void ModalIwanCurve(const ModalIwan *model, ModalIwanForm form, PetscReal amplitude, PetscReal *omega, PetscReal *zeta);

/* The model that explains a curve best, and how well. */
typedef struct {
  ModalIwan model;
  ModalIwan low, high;                       /* confidence intervals of 95 %; of what is not determined, all that a model may have */
  PetscBool determined[MODAL_IWAN_SIZE];     /* by the points, to within a factor of two; else the value stands for many others */
  PetscReal omega_misfit, zeta_misfit;       /* root mean square of the relative differences, of the points used */
  PetscReal least_amplitude, most_amplitude; /* of the points used */
  PetscInt  num_points, num_micro;           /* used; of them in microslip */
} ModalIwanFit;

/* Least squares of the ring-down form over the trusted points, from many starts; frequency and damping weigh as much as the model can
   explain them. `found` is false where the points cannot carry a model; `reason` says why. The same on every call. Local. */
PetscErrorCode ModalIwanFitCurve(PetscInt count, const RingDownPoint points[], PetscBool *found, ModalIwanFit *fit, char reason[], size_t size);

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

/* Whether most of its turns are smaller than records tell one place from another. Local. */
PetscErrorCode LoopIsShaking(const LoopRecord *record, PetscBool *shaking);

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
