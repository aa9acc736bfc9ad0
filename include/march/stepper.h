/*
  stepper.h - one motion through time: the linear part, the joints, the loads, and the method that makes the steps.

  A method is one `const StepMethod`, listed once in stepper.c. Newmark's rule finds the balance of the joints in each step, the step being
  halved where there is none; Runge's and Kutta's takes the forces of the joints as they are, and wants steps that follow the highest mode.
*/
#pragma once
#include "march/linear.h"
#include "march/load.h"
#include "march/residual.h"
#include "march/supports.h"

typedef enum { METHOD_NEWMARK, METHOD_RUNGE_KUTTA } StepMethodChoice;
extern const char *const step_method_names[]; /* of the case file; ends with NULL */

typedef struct {
  StepMethodChoice method;
  PetscReal        time_step;
  NewmarkRule      rule; /* of Newmark, as all that follows */
  PetscReal        tolerance;
  PetscInt         max_iterations;
} StepperOptions;

/* Newmark's rule as it conserves energy, with a period that is known [Newmark 1959]. Local. */
static inline PetscBool StepperIsAverageAcceleration(const StepperOptions *options)
{
  const NewmarkRule rule = options->rule;

  return (PetscBool)(options->method == METHOD_NEWMARK && rule.beta == 0.25 && rule.gamma == 0.5 && rule.alpha == 0.0);
}

/* What a motion starts from, on the unknowns; NULL for rest. */
typedef struct {
  const PetscReal *displacement, *velocity;
} InitialMotion;

enum { STEPPER_MAX_DEPTH = 12 }; /* a step may be halved so often */

typedef struct Stepper Stepper;

typedef struct {
  PetscErrorCode (*create)(Stepper *stepper);
  PetscErrorCode (*destroy)(Stepper *stepper);
  /* Optional: forgets what belongs to the time step, which changes. */
  PetscErrorCode (*retime)(Stepper *stepper);
  /* Optional: what holds joints that are at rest and stick without any give, when all else at the start is known. */
  PetscErrorCode (*hold)(Stepper *stepper, State *state);
  /* From one time to another. `converged` is false when the state is somewhere between; what is `unbounded` has not moved. Hot. */
  PetscErrorCode (*step)(Stepper *stepper, PetscReal start, PetscReal end, State *state, PetscBool *converged);
} StepMethod;

extern const StepMethod method_newmark, method_runge_kutta;

struct Stepper {
  const StepMethod *method;
  void             *data; /* of the method */
  Linear           *linear;
  Balance          *balance;
  Residual         *residual; /* NULL where no modes were left out */
  Supports         *supports; /* NULL where no support can move */
  StepperOptions    options;
  PetscInt          num_loads;
  const Load       *loads;
  PetscReal        *distribution;             /* [num_loads, n] in the coordinates */
  PetscReal        *old_load, *new_load;      /* [n] at the start of a step, and for the method */
  PetscReal        *old_signal, *new_signal;  /* [num_loads] the values of the loads' signals then */
  PetscBool         old_active, new_active;   /* whether any of it is not zero */
  PetscBool         unbounded;                /* the motion has grown beyond all numbers: no smaller step helps */
  PetscInt          num_dampers, *damper_row; /* rows of B with linear dampers */
  LinearRows        dampers;                  /* these */
  PetscReal        *old_rate, *new_rate;      /* [num_dampers] */
};

/* Complains of a method that cannot march such a System. */
PetscErrorCode StepperCheck(const Names *names, StepMethodChoice method, const InputNode *node);

PetscErrorCode StepperCheckLoads(const InputNode *node, StepMethodChoice method, PetscInt num_loads, const Load loads[]);

/* `loads` are borrowed. After LinearPrepare, and for the same modes of loads; local, like all that follows. */
PetscErrorCode StepperCreate(ModeCache *cache, StepperOptions options, PetscInt num_loads, const Load loads[], Stepper **stepper);
PetscErrorCode StepperDestroy(Stepper **stepper);

/* A State at time 0, in equilibrium with the loads. */
PetscErrorCode StepperStart(Stepper *stepper, InitialMotion initial, State **state);
/* Goes on from a State of the same stepper (a restart). */
PetscErrorCode StepperContinue(Stepper *stepper, State *state);
/* The same motion in steps of another size, its time counted from 0 again; the loads, which the caller may have changed, go on from
   their start. Forces that jump with that are those of the caller. */
PetscErrorCode StepperRetime(Stepper *stepper, PetscReal time_step, State *state);
/* One step; `converged` is false when it did not even with the smallest parts, or when the motion is `unbounded`: the state is
   then where the last part ended.
   Nothing is allocated, but for memory that grows with the turning points, a smaller step size when first needed, and what factors of many
   joints on sparse matrices take and give back where products do not contract. Hot. */
PetscErrorCode StepperStep(Stepper *stepper, State *state, PetscBool *converged);

/* Energies of the present state [J]: kinetic, strain of all that is linear. */
PetscErrorCode StepperEnergy(const Stepper *stepper, const State *state, PetscReal *kinetic, PetscReal *strain);
/* What a row of B has dissipated so far, in its law and in its damper [J]. Local. */
PetscReal StepperDissipated(const Stepper *stepper, const State *state, PetscInt row);
/* Adds to motions what modes that were left out give them: rows[num, m + num_loads], each of ResidualRow; NULL without such modes. Hot,
   local. */
void     StepperAddResidual(const Stepper *stepper, const State *state, PetscInt num, const PetscReal rows[], PetscReal motions[]);
PetscInt StepperResidualWidth(const Stepper *stepper); /* of such a row. Local. */
/* Such rows of places; NULL without such modes. */
PetscErrorCode StepperResidualRows(const Stepper *stepper, PetscInt num, const PetscInt places[], PetscReal **rows);
/* Likewise of rows of B that are seen as one, num times size[i] of them from first[i] on. */
PetscErrorCode StepperResidualLayers(const Stepper *stepper, PetscInt num, const PetscInt first[], const PetscInt size[], PetscReal **rows);
/* Adds to motions of places, or to a rate of them, what moving supports give them. Hot, local. */
void StepperAddSupports(const Stepper *stepper, CourseGiven kind, PetscInt num, const PetscInt places[], PetscReal motions[]);
/* What moves each support [names.num_supports]. Hot, local. */
void StepperReactions(const Stepper *stepper, const State *state, PetscReal reactions[]);
/* What acts on the places of a System on its modes: loads, less the remainders of the joints [SystemNumPlaces]. Local. */
void StepperPlaceForces(const Stepper *stepper, const State *state, PetscReal forces[]);
/* f of a nonlinear row. Local. */
PetscReal StepperJointForce(const Stepper *stepper, const State *state, PetscInt row);

/* A rough guess of the time of one step on one core [s]. Local. */
PetscReal StepperSeconds(const Names *names, StepMethodChoice method);
/* Warns when the time step makes the motion grow without bound: the method of Runge and Kutta takes 8^(1/2) over the highest omega at most.
   After LinearPrepare; says nothing of a continuum. Collective. */
PetscErrorCode StepperWarnOfStep(const InputNode *study, StepMethodChoice method, const ModeCache *cache, PetscReal time_step);

/* For methods: the loads at a time in stepper->new_load; those of the new place take the old one's when a step is done. Hot, local. */
void StepperFindLoads(Stepper *stepper, PetscReal time);
void StepperKeepLoads(Stepper *stepper);
