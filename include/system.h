/*
  system.h - the equation of motion, and the state that moves through it.

      M u'' + C u' + K u + B^T f(B u, B u', history) = p(t)

  M, C, K hold everything linear, the linear laws of the joints included; f holds the others. The rows of B
  are relative motions of joints, the rows of T are motions of named points. A System knows no mesh and no
  file. It is made by the functions below, in their order, and read-only once set up.

  Several ranks each hold the whole of it: this room computes on one rank (PETSC_COMM_SELF). Where a mesh is not reduced, its unknowns
  are spread over the ranks as a Continuum, and those here are what its motions are tied to.
*/
#pragma once
#include <petscksp.h>
#include "continuum.h"
#include "joint.h"
#include "names.h"

/* What the linear laws of a row of B put into K and C. */
typedef struct {
  PetscReal stiffness, damping;
  PetscReal share; /* of the area of a layer between faces, whose rows are seen as one motion; 1 of a row alone */
} SystemRow;

/* The points of all joints that share one law and its parameters. Component c of point i moves by the sum, over the terms from
   first[c * num_points + i] to the next, of factor times row, and transmits area (law(motion + offset)) - rest. What is NULL is unused. */
typedef struct {
  JointBlock block;
  PetscInt  *first; /* [dim * num_points + 1] */
  PetscInt  *row;   /* of B, a nonlinear one */
  PetscReal *factor;

  PetscReal    *area;      /* [num_points] of laws of a unit of area: forces, tangents and what is dissipated are the law's times this [m^2] */
  PetscReal    *offset;    /* [dim, num_points] what the law is asked at rest: a gap, the motion of a preloaded state [m] */
  PetscReal    *rest;      /* [dim, num_points] what is transmitted at rest, which the structure's equation does not contain [N] */
  JointHistory *memory;    /* what a State begins with, in place of an untouched history */
  PetscReal    *closed;    /* [dim, dim, num_points] tangents of faces pressed together and stuck, area included [N/m] */
  PetscReal    *reference; /* [dim, dim, num_points] what K0 contains for these points in place of its own choice [N/m] */
} SystemBlock;

/* The faces of one joint. Their parts are points of one block; parts of all contacts are counted through, block after block. */
typedef struct {
  PetscInt   first;     /* part */
  PetscReal *x, *y, *z; /* of the middles, from the joint; of faces of a mesh in the model; x NULL: all are in the plane of the joint [m] */
  PetscReal *area;      /* of faces of a mesh; else NULL [m^2] */
  PetscReal *gap;       /* likewise: how far apart they are at rest, overlaps negative [m] */
  PetscReal *beside;    /* likewise: least gap at rest at which the faces go on beside the part without any, as it is beyond the reach of the
                           joint; 0: they do not [m] */
  PetscReal *share;     /* of the area, whose sum is one */
} SystemContact;

/* Damping that is known once the stuck modes are: ratios of critical [eq. 25 of lacayo2017], and Rayleigh
   C = mass_factor M + stiffness_factor K0 with K0 the stiffness while all joints stick. */
typedef struct {
  PetscInt   num_ratios; /* 0, 1 for all modes, or one for each; the last serves all higher modes */
  PetscReal *ratios;
  PetscReal  mass_factor;      /* [1/s] */
  PetscReal  stiffness_factor; /* [s] */
  PetscReal *viscous;          /* in place of all that, c of each mode in q'' + c q' + omega^2 q = 0 [1/s]; NULL when not known so */
} SystemDamping;

/* Forces that loads can follow: gravity, a pressure. */
typedef struct {
  PetscReal gravity[3]; /* what it accelerates all there is by [m/s^2] */
  Vec       force;      /* that, and what else was added, on the unknowns, for a unit of the load [N, N m] */
} SystemPattern;

/* A bolt whose shank is cut: the sides of the cut shift towards each other by delta, K u + V delta = p, under the tension
   T = V^T u + k delta. At delta = 0 the shank is whole. */
typedef struct {
  PetscReal stiffness; /* k, while all else is at rest [N/m] */
  PetscReal preload;   /* what it is to be tightened to [N] */
  PetscReal tension;   /* at rest: what it was tightened to, of a System about a preload; that of T = tension + V^T u then [N] */
  Vec       force;     /* V on the unknowns, for a unit of delta [N/m]; NULL until the System is reduced to modes */
} SystemBolt;

/* What is left of modes that a System was reduced without, or of unknowns without mass: they follow forces at once.

       u = Phi q + G (p - B^T g),   G = K0^-1 - Phi Omega^-2 Phi^T   (never formed),   g = f - k d

   At rest the modes that are kept give u = Phi Omega^-2 Phi^T (p - B^T g), so that both together are K0^-1, whatever is kept. Of unknowns
   without mass, u = W q + G (p - B^T g) with G = K_ss^-1 for these and nothing for q (SystemCondense). */
typedef struct {
  PetscInt    num_places;
  PetscInt    num_rigid;  /* the first of the modes that are kept, without strain while all joints stick */
  PetscReal  *eigenvalue; /* [num_unknowns] Omega^2 of those, which K + B^T k B is but for round-off; 0 of the rigid ones [rad^2/s^2]; NULL
                             where the unknowns are no modes */
  Compliance *compliance; /* C G C^T, symmetric: the motion of a place under a unit force on another [m/N] */
} SystemResidual;

/* A motion u_s that a study prescribes, or that is held. It has left the unknowns u, and joins in where the equation has it:

       M u'' + C u' + K0 u + B^T g = p - K_s u_s - C_s u_s' - M_s u_s'',   d = B u + B_s u_s,   g = f - k d

   and what moves it is the reaction r_s = K_s^T u + K_ss u_s + the same of velocities and accelerations + B_s^T g - p_s. */
typedef struct {
  PetscReal *stiffness, *damping, *mass;             /* [num_unknowns] K_s with the stiffness of stuck joints, C_s of discrete dampers, M_s */
  PetscReal *own_stiffness, *own_damping, *own_mass; /* [num_supports] K_ss, C_ss, M_ss with each of them all */
  PetscReal *place; /* [num_places] what it moves places by while the unknowns rest, and so what forces on these are on it */
} SystemSupport;

/* What a mesh takes where supports hold it, of motions alone: stiffness u + mass u''. It is a place for the sake of what modes that were left out
   add to the former; no force acts there. */
typedef struct {
  Vec stiffness, mass; /* on the unknowns; NULL until the mesh is reduced */
} SystemReaction;

typedef struct {
  PetscInt      num_unknowns;
  Mat           M, K;
  Mat           C;         /* discrete dampers and given damping; NULL for none */
  PetscReal     accuracy;  /* of the entries of K, relative: the machine's, or that of the computation they come from */
  PetscReal    *cancelled; /* of each unknown: stiffness taken out of K, whose round-off is left there, of that accuracy; NULL: none */
  SystemDamping damping;

  Names names; /* of its points (rows of T) and of the motions of its joints (rows of B) */

  SystemRow *rows; /* [names.num_rows] */
  Mat        B;    /* [names.num_rows, num_unknowns] */

  PetscInt     num_blocks;
  SystemBlock *blocks;

  SystemContact *contacts; /* [names.num_contacts] */

  Mat T; /* [names.num_motions, num_unknowns] */

  Vec       base[NUM_DIRECTIONS];      /* M r, r the rigid motion of the base in that direction; NULL when none */
  PetscReal base_mass[NUM_DIRECTIONS]; /* r^T M r, the mass that moves with the base [kg] */

  const Continuum *continuum; /* NULL: what is here is all there is */

  SystemPattern *patterns; /* [names.num_patterns] */

  SystemBolt *bolts; /* [names.num_bolts] */

  SystemResidual *residual; /* NULL: nothing was left out */

  SystemSupport *supports; /* [names.num_supports] */

  PetscInt        num_reactions; /* six of each support of a mesh, where they are asked for; else none */
  SystemReaction *reactions;

  struct SystemDraft *draft; /* what is being built, NULL once set up */
} System;

/* Building. Unknown -1 does not move. */
PetscErrorCode SystemCreate(PetscInt num_unknowns, System **system);
PetscErrorCode SystemAddPoint(System *system, const char *name, PetscInt num_components, const PetscInt direction[], const PetscInt unknown[]);
/* The unknowns are along axes of its own; how its components follow them is still to be said. */
PetscErrorCode SystemAddTurnedPoint(System *system, const char *name, PetscInt num_components, const PetscInt direction[], const PetscInt unknown[]);
/* A component of a point that is no unknown itself moves by factor times this unknown, and by what else is said so. */
PetscErrorCode SystemAddFollower(System *system, PetscInt point, PetscInt component, PetscInt i, PetscReal factor);
PetscErrorCode SystemAddMass(System *system, PetscInt i, PetscInt j, PetscReal value);
PetscErrorCode SystemAddStiffness(System *system, PetscInt i, PetscInt j, PetscReal value);
PetscErrorCode SystemAddDamping(System *system, PetscInt i, PetscInt j, PetscReal value);
/* A relative motion u[positive] - u[negative] that joints can act on: a new row of B. */
PetscErrorCode SystemAddRow(System *system, const char *joint, PetscInt direction, PetscInt negative, PetscInt positive, PetscInt *row);
/* The motion of a point of faces of the mesh along an axis of its frame, which no unknown of the System says: a new row of B, empty here. */
PetscErrorCode SystemAddFaceRow(System *system, const char *joint, PetscInt direction, PetscInt point, PetscInt *row);
/* To this motion belongs also factor times this unknown: with sides of -1, a row of B may be any combination. */
PetscErrorCode SystemAddRowTerm(System *system, PetscInt row, PetscInt i, PetscReal factor);
/* A law acting on `law->dim` rows. */
PetscErrorCode SystemAddLaw(System *system, const JointLaw *law, const PetscReal parameters[], const PetscInt rows[]);
/* A component of the law that was added last moves also by factor times this row. */
PetscErrorCode SystemAddLawTerm(System *system, PetscInt component, PetscInt row, PetscReal factor);
/* The law that was added last is one of a unit of area, and acts on this area [m^2]; of faces, they are this gap apart [m] at rest, and K0
   contains them closed and stuck. */
PetscErrorCode SystemSpreadLaw(System *system, PetscReal area, PetscReal gap);
/* The laws of faces that are added next, `num_parts` of them alike but for what is local, are the parts of this joint. */
PetscErrorCode SystemAddContact(System *system, const char *joint, PetscInt num_parts, const PetscReal y[], const PetscReal z[]);
/* The same of faces of a mesh, whose parts are at place[num_parts, 3] and have the areas, gaps and what is beside them as SystemContact says. */
PetscErrorCode SystemAddFaces(System *system, const char *joint, PetscInt num_parts, const PetscReal place[], const PetscReal area[],
                              const PetscReal gap[], const PetscReal beside[]);
/* Unknown i has this inertia, (M r)_i, under a unit acceleration of the base in this direction; and the mass that moves with the base. */
PetscErrorCode SystemAddBase(System *system, PetscInt direction, PetscInt i, PetscReal inertia);
PetscErrorCode SystemAddBaseMass(System *system, PetscInt direction, PetscReal mass);
/* A new pattern: the weight of all there is under this acceleration [m/s^2]; forces are added to it one by one. */
PetscErrorCode SystemAddPattern(System *system, const char *name, const PetscReal gravity[3], PetscInt *pattern);
PetscErrorCode SystemAddForce(System *system, PetscInt pattern, PetscInt i, PetscReal force);
/* A bolt of a mesh; its V comes when the System is reduced to modes. */
PetscErrorCode SystemAddBolt(System *system, const char *name, PetscReal stiffness, PetscReal preload);
PetscErrorCode SystemSetDamping(System *system, PetscInt num_ratios, const PetscReal ratios[], PetscReal mass_factor, PetscReal stiffness_factor);
/* Damping of each mode as it is: viscous[num_unknowns]. */
PetscErrorCode SystemSetModalDamping(System *system, const PetscReal viscous[]);
/* What the unknowns are tied to, which must outlive the System. */
PetscErrorCode SystemSetContinuum(System *system, const Continuum *continuum);
PetscErrorCode SystemSetUp(System *system);
/* The names of what has been added so far, in the order that SystemSetUp gives them, which is not to follow. The caller destroys them. */
PetscErrorCode SystemTakeNames(System *system, Names *names);

/* Modes of a System with its continuum, joints stuck, of unit modal mass, the rigid ones first; the places as SystemResidual has them. */
typedef struct {
  PetscInt         count, num_rigid;
  const PetscReal *eigenvalue; /* omega^2 [rad^2/s^2], [count] */
  const PetscReal *unknowns;   /* of each mode: [count, num_unknowns] */
  const PetscReal *motion;     /* of the places: [num_places, count] */
  Compliance      *compliance; /* what all other modes give them; it becomes the System's */
} SystemModes;

/* Forces and moments at supports of the mesh, so many; how they follow the unknowns, [num_unknowns] each, NULL for what is known. */
PetscErrorCode SystemAddReactions(System *system, PetscInt count);
PetscErrorCode SystemSetReaction(System *system, PetscInt r, const PetscReal stiffness[], const PetscReal mass[]);

/* From now on the unknowns are the coordinates of these modes, and the continuum is no longer needed. Of a System that is set up. */
PetscErrorCode SystemReduceToModes(System *system, const SystemModes *modes);
/* Why unknowns without mass cannot be condensed. */
typedef enum {
  CONDENSED_FINE,
  CONDENSED_LOOSE,    /* no stiffness holds `unknown`, or a negative one */
  CONDENSED_SLIPPING, /* none does while the joints slip */
  CONDENSED_DAMPED,   /* a damper acts on it: it would follow in time, not at once */
  CONDENSED_COUPLED,  /* the mass matrix couples it to others */
  CONDENSED_TOO_MANY  /* dense matrices of those that hang together with it, or of all points, are too large */
} CondensedFault;

typedef struct {
  CondensedFault fault;
  PetscInt       unknown;
} Condensed;

/* The last `count` unknowns have no mass: they leave the equation of motion, and what forces move them by is the residual. Of a System that is
   set up, without a continuum; unchanged where there is a fault. Local. */
PetscErrorCode SystemCondense(System *system, PetscInt count, Condensed *outcome);
/* The last `count` unknowns are moving supports: they leave the equation of motion. Of a System that is set up, without a continuum, on its
   unknowns. Local. */
PetscErrorCode SystemHold(System *system, PetscInt count);
/* Adds what the supports move places by when they move so, to motions [num_places] from the place `first` on. Local. */
void SystemAddSupports(const System *system, const PetscReal supports[], PetscInt first, PetscReal motion[]);
/* Whether any joint sticks without any give. Local. */
PetscBool SystemSticks(const System *system);
/* Whether the unknowns are coordinates of modes, while the others were left out. Local. */
static inline PetscBool SystemIsOnModes(const System *system)
{
  return (PetscBool)(system->residual && system->residual->eigenvalue);
}
/* The mass on the diagonal of each unknown of what has been added so far, before it is set up: [num_unknowns]. */
void SystemTakeMasses(const System *system, PetscReal mass[]);
/* What all places of this System move by under unit forces on each while all joints stick, all modes together, without those that are rigid.
   From that of the same System, which was reduced to modes, and whose joints may have other tangents. NULL where something has come loose, or
   so much changes that ranks which share it have no room. Collective, if it is spread; the caller destroys it. */
PetscErrorCode SystemComplianceFrom(const System *system, const System *same, Compliance **compliance);
PetscErrorCode SystemDestroy(System **system);

/* sum += factor matrix, whose nonzeros may be elsewhere. MatAXPY alone is not enough where the sum will be factored: PETSc 3.18.5
   gives it the operations of the old pattern and the groups of equal rows (inodes) of the new one. Orderings then separate rows of
   a group, and PETSc's LU, which takes a group at a time, is wrong without a word. A copy is consistent again. Local. */
PetscErrorCode MatrixAdd(Mat *sum, PetscReal factor, Mat matrix);

/* Solves with the matrix by one factorisation; options of the command line have this prefix. The caller destroys it. Local. */
PetscErrorCode MatrixFactor(Mat matrix, const char *prefix, KSP *ksp);

/* K with the tangents of the joints while all stick, or all slip; where modes were left out, with their compliance between the joints and
   what has mass. The caller destroys it. */
PetscErrorCode SystemStiffness(const System *system, JointState state, Mat *K);
/* The row that moves a point: that of its first component, unless this is held. Local. */
PetscInt SystemBlockRow(const SystemBlock *block, PetscInt point);
/* Adds what the residual gives the points when the unknowns move so while all joints slip, u[count, num_unknowns], to their motions
   [num_motions, count]: the forces that slipping takes off the joints move it. Nothing without a residual. For the one that leads. */
PetscErrorCode SystemYield(const System *system, PetscInt count, const PetscReal u[], PetscReal motions[]);
/* What K0 contains for this point from now on: [dim, dim], row-major, area included. Of a System that is set up. */
PetscErrorCode SystemSetReference(System *system, PetscInt block, PetscInt point, const PetscReal tangents[]);
/* Tangents of a point while it sticks, which K0 contains, or slips: [dim, dim], row-major, area included. Faces with a reference keep of it
   in slip what is normal to them. Local. */
void SystemBlockStiffness(const SystemBlock *block, JointState state, PetscInt point, PetscReal tangents[]);
/* The motions that the law of a block is asked for, [dim, num_points], at motions of the rows of B. Hot, local. */
void     SystemBlockMotion(const SystemBlock *block, const PetscReal rows[], PetscReal motion[]);
PetscInt SystemBlockComponents(const SystemBlock *block);
/* How far apart the faces are at each part of all contacts, at motions of the rows of B: [names.num_parts] [m]. Hot, local. */
void SystemPartGaps(const System *system, const PetscReal rows[], PetscReal gap[]);
/* The same of faces pressed together and stuck, wherever they are; of others while they stick. Local. */
void SystemBlockClosed(const SystemBlock *block, PetscInt point, PetscReal tangents[]);
/* Adds the derivative of a component's force by another's motion (c * num_points + i) to the rows of B: [m, m]. Local. */
void SystemBlockAddTangent(const SystemBlock *block, PetscInt force, PetscInt motion, PetscReal tangent, PetscInt m, PetscReal rows[]);
/* Rows of B that are seen as one, `size` of them from this one on (NamesLayerSize): their mean by area of motions, and their sum of forces or
   energies, of a number for each row of B. Hot, local. */
PetscReal SystemLayerMean(const System *system, PetscInt row, PetscInt size, const PetscReal values[]);
PetscReal SystemLayerSum(PetscInt row, PetscInt size, const PetscReal values[]);
/* That mean as a force on the unknowns, or how it follows them: [num_unknowns]. Local. */
PetscErrorCode SystemLayerRow(const System *system, PetscInt row, PetscInt size, PetscReal on_unknowns[]);
/* The tangents between the rows of B, sparse, all of the nonlinear ones' diagonal among them. The caller destroys it. */
PetscErrorCode SystemTangents(const System *system, JointState state, Mat *tangents);

/* Unknowns, with those of the continuum, less the rows that tie the two: as many modes there are. */
PetscErrorCode SystemGetSize(const System *system, PetscInt *size);

/* Where forces act and motions are seen: the rows of B, then those of T, the patterns, the directions of the base (which load it by M r),
   the bolts (which load it by -V delta, and whose motion is V^T u), the reactions of a mesh (whose motion is their force).
   All of it is local. */
PetscInt SystemNumPlaces(const System *system);
PetscInt SystemPlaceOfMotion(const System *system, PetscInt motion);
PetscInt SystemPlaceOfPattern(const System *system, PetscInt pattern);
PetscInt SystemPlaceOfBase(const System *system, PetscInt direction);
/* Adds what this force on a place is on the unknowns: [num_unknowns]. */
PetscErrorCode SystemAddPlace(const System *system, PetscInt place, PetscReal factor, PetscReal force[]);
/* The motions of all places when the unknowns move: [num_places]. Modes that were left out give their own. */
PetscErrorCode SystemMovePlaces(const System *system, const PetscReal u[], PetscReal motion[]);
PetscInt       SystemPlaceOfBolt(const System *system, PetscInt bolt);
PetscInt       SystemPlaceOfReaction(const System *system, PetscInt reaction);

/* Forces on a System: on its places, which modes that were left out follow, and spread over the unknowns as M phi is, which they do not. */
typedef struct {
  PetscReal *places;   /* [num_places] in units of each [N], [Pa] of a pressure */
  PetscReal *unknowns; /* [num_unknowns], without those on places */
  PetscReal *supports; /* [names.num_supports] displacements of the moving supports, which load the unknowns by -K_s u_s [m, rad] */
} SystemForces;

/* All of it is local. Forces are zero at first. */
PetscErrorCode SystemForcesCreate(const System *system, SystemForces *forces);
PetscErrorCode SystemForcesDestroy(SystemForces *forces);
/* other = factor forces + other_factor other */
PetscErrorCode SystemForcesMix(const System *system, PetscReal factor, const SystemForces *forces, PetscReal other_factor, SystemForces *other);
/* What all of them are on the unknowns: [num_unknowns]. */
PetscErrorCode SystemForcesGather(const System *system, const SystemForces *forces, PetscReal force[]);

/* What moves. `u`, `v`, `a` are in the coordinates of the integrator that owns the State. */
typedef struct {
  PetscInt      n;
  PetscInt      step;
  PetscReal     time; /* [s] */
  PetscReal    *u, *v, *a;
  PetscInt      num_blocks;
  JointHistory *history;          /* of each block */
  PetscInt      num_rows;         /* nonlinear rows of B, padded */
  PetscReal    *motion;           /* d of each such row */
  PetscReal    *rate;             /* its velocity; only kept when a law wants it */
  PetscReal    *remainder;        /* f - k d of each such row, k the stiffness while stuck [N] */
  PetscReal    *dissipated;       /* energy dissipated so far by the law of each such row [J] */
  PetscReal    *parts_dissipated; /* energy dissipated so far by each part of the contacts [J] */
  PetscInt      num_parts;
  PetscInt      num_dampers;            /* rows of B with a linear damper, in their order */
  PetscReal    *damper_loss;            /* energy dissipated so far in each such damper [J] */
  PetscReal     start_energy;           /* kinetic and strain at time 0 [J] */
  PetscReal     work, damped, absorbed; /* by loads, by dampers, by joints so far [J] */
  PetscInt64    halved;                 /* steps that had to be divided, so far */
  PetscInt64    num_held;               /* steps for which the friction of faces had to be held, as Newton went round, so far */
  PetscReal    *trend;                  /* change of the remainder in the last step, from which the next is guessed [N] */
  PetscReal    *yield, *yield_trend;    /* of many points: what modes that were left out give way by under both, R times them [m] */
  PetscInt64    iterations;             /* of Newton, so far */
} State;

/* For n coordinates and the nonlinear rows, both perhaps padded to whole vector lanes. */
PetscErrorCode StateCreate(const System *system, PetscInt n, PetscInt num_rows, State **state);
PetscErrorCode StateDestroy(State **state);

/* What the last step changed was that much of what the next one will, if it is as before. Local. */
void StateScaleTrend(State *state, PetscReal factor);

/* Where the ranks share the static compliance of the modes that were left out, one of them asks: see ComplianceLead, ComplianceDismiss and
   ComplianceShare. Else each has all of it, and leads. Collective, but for dismissing. */
PetscBool      SystemIsShared(const System *system);
PetscErrorCode SystemLead(const System *system, PetscBool *leads);
PetscErrorCode SystemDismiss(const System *system);
PetscErrorCode SystemShare(const System *system, size_t count, PetscReal numbers[]);
/* The State that the rank that led has found, with so many nonlinear rows; NULL at first on the others. */
PetscErrorCode SystemShareState(const System *system, PetscInt num_rows, State **state);

/* The State as numbers, for restart files. Local. */
PetscInt       StateSize(const State *state);
void           StatePack(const State *state, PetscReal numbers[]);
PetscErrorCode StateUnpack(State *state, PetscInt count, const PetscReal numbers[]);

/* What all nonlinear joints hold by their laws, and what they have taken beside that as forces without a potential do; not a number where a law
   does not tell [J]. */
typedef struct {
  PetscReal stored, exchanged;
} SystemEnergy;

/* At motions of the rows of B, after these histories, and before anything moves: both together are the work that joints have taken less what
   they have dissipated, but for a constant and for what the steps of a scheme get wrong. `work` has SystemStoredWork numbers. Local, the second
   one hot. */
PetscInt       SystemStoredWork(const System *system);
SystemEnergy   SystemStored(const System *system, const PetscReal rows[], const JointHistory history[], PetscReal work[]);
PetscErrorCode SystemStoredAtRest(const System *system, SystemEnergy *rest);

/* A System that is set up, joints that move from now on: about the state of the same one, at rest there. Faces that press each other stick. */
PetscErrorCode SystemRestAt(System *system, const System *same, const State *state);
