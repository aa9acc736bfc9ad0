/*
  modes.h - natural frequencies and shapes of a System, while its joints all stick or all slip; coordinates on them.
*/
#pragma once
#include "model.h"
#include "system.h"

/* Modes of the linear system while all joints stick, or all slip: K phi = omega^2 M phi, phi^T M phi = 1, in ascending
   order. The component of largest magnitude is positive (of equal ones the first). Of modes of equal frequency, and of rigid ones, these are the
   mixtures that CanonicalTurn chooses. */
typedef struct {
  PetscInt   num_unknowns, count;
  JointState state;
  PetscInt   num_rigid;  /* motions without strain: their omega is exactly 0 */
  PetscInt   num_cut;    /* modes beyond these that have the frequency of the last one: which of them are here is a choice */
  PetscReal *eigenvalue; /* omega^2 [rad^2/s^2]; negative where the system is unstable */
  PetscReal *omega;      /* [rad/s] */
  PetscReal *shape;      /* mode k is shape[k * num_unknowns], ... */
  Mat        field;      /* what they do to the continuum of the System, column by column; NULL without one */
} Modes;

/* Room for so many modes, to be filled. Local. */
PetscErrorCode ModesCreate(PetscInt num_unknowns, PetscInt count, Modes **modes);
/* The lowest modes: at most `count`, of a System without continuum. Computed on rank 0, the same on all. Collective on PETSC_COMM_WORLD. */
PetscErrorCode ModesCompute(const System *system, JointState state, PetscInt count, Modes **modes);
/* Whether all modes are found at once, so that a mode is the same to the last bit however many are asked for. Local. */
PetscBool ModesComeTogether(const System *system);
/* Those in which joints that stick without any give stand still as well, of which K0 has nothing: to be shown, as motions want all coordinates.
   Without modes that were left out. Likewise collective. */
PetscErrorCode ModesComputeHeld(const System *system, PetscInt count, Modes **modes);
PetscErrorCode ModesDestroy(Modes **modes);
/* The end of the group of modes that have the frequency of mode k, from that on. Local. */
PetscInt ModesGroupEnd(const Modes *modes, PetscInt k);

/* (phi_i^T M psi_j)^2 of the modes of two states of one System, the modal assurance criterion weighted by mass: [first, second]. 1 for the same
   shape; a row or column sums to 1 at most. Collective on PETSC_COMM_WORLD. */
PetscErrorCode ModesMac(const System *system, const Modes *first, const Modes *second, PetscReal mac[]);

/* The motions of the points in each mode: [num_motions, count]. T phi_k, and in slipping modes what follows the joints at once. Collective. */
PetscErrorCode ModesMotions(const System *system, const Modes *modes, PetscReal motions[]);

/* phi_k^T M r for each mode and direction of the base: [count, NUM_DIRECTIONS]; its square is the effective mass [kg]. */
PetscErrorCode ModesParticipation(const System *system, const Modes *modes, PetscReal participation[]);

/* phi^T K phi and phi^T M phi of each mode phi, of the same System or of one with the same unknowns and other numbers (ModelRevise), `model` being
   what that was built from: [count]. */
PetscErrorCode ModesEnergies(const System *system, const Model *model, JointState state, const Modes *modes, PetscReal strain[], PetscReal inertia[]);

/* What the modes would be in another such System, to first order in what it differs: omega, by phi^T (K - lambda M) phi there, NAN where a rigid mode
   would be none; and of one without continuum the shapes of the first ones of `all` its modes, NAN of equal frequency. [count]; collective. They hold of
   one that has as many unknowns and the same equations between them (averages, constraints): modes of another one satisfy others. */
PetscErrorCode ModesCanEstimate(const System *system, const System *other, PetscBool *can);
PetscErrorCode ModesEstimate(const System *system, const Model *model, JointState state, const Modes *modes, PetscReal omega[]);
PetscErrorCode ModesEstimateShapes(const System *system, const Modes *all, Modes *estimate);

/* q = phi^T M u, of all modes [eq. 14 of lacayo2017], and u = phi q. Local. */
PetscErrorCode ModesProject(const System *system, const Modes *modes, const PetscReal unknowns[], PetscReal coordinates[]);
PetscErrorCode ModesExpand(const Modes *modes, const PetscReal coordinates[], PetscReal unknowns[]);

/* The names of the case file for JointState; ends with NULL. */
extern const char *const joint_state_names[];

/* A System and what has been found out about it so far. */
typedef struct {
  const System *system;
  const Model  *model;    /* that it was built from; NULL when that is not known */
  Modes        *modes[2]; /* by JointState; NULL until asked for */
  PetscBool     prove;    /* that no mode of a continuum was missed */
  PetscBool     holds;    /* while joints stick, those without any give are held: ModesComputeHeld */
} ModeCache;

/* At least `count` modes (all when fewer exist), kept for the next who asks. Complains where a continuum has none to give, and then there
   are none. Collective. */
PetscErrorCode ModeCacheGet(ModeCache *cache, JointState state, PetscInt count, const Modes **modes);
/* As many modes as it takes to have all rigid ones, and at least one that is not if there is any. Collective. */
PetscErrorCode ModeCacheGetRigid(ModeCache *cache, JointState state, const Modes **modes);
/* The highest omega while all joints stick [rad/s], to four digits where not all modes are known; 0 of a continuum, or where it is not found.
   Collective. */
PetscErrorCode ModeCacheHighest(const ModeCache *cache, PetscReal *omega);
PetscErrorCode ModeCacheDestroy(ModeCache *cache);
