/*
  load.h - what pushes the structure: a signal of time on a point, on a mode shape, on the base or on a pattern of forces.

  A moving support is not pushed: its displacement, velocity or acceleration is amplitude s(t) (supports.h).

      p(t) = amplitude s(t) D,   D = unit force at a point | M phi [eq. 27 of lacayo2017] | -M r of a base in direction r | forces of a pattern
*/
#pragma once
#include "march/course.h"
#include "modes.h"

typedef enum { LOAD_ON_POINT, LOAD_ON_SHAPE, LOAD_ON_BASE, LOAD_ON_PATTERN, LOAD_ON_SUPPORT } LoadPlace;

typedef struct {
  const InputNode *node; /* where the case says it */
  LoadPlace        place;
  PetscInt         motion;    /* on a point: the row of T */
  PetscInt         direction; /* on a base or point */
  PetscInt         mode;      /* on a shape: which, from 1 */
  JointState       joints;    /* and in which state */
  PetscInt         pattern;   /* on a pattern: which */
  PetscInt         support;   /* a moving support: which */
  CourseGiven      given;     /* and what the load is of it */
  PetscReal        amplitude; /* [N], [N kg^-1/2] on a shape, [m/s^2] of a base; [m], [m/s], [m/s^2] of a support */
  PetscInt         time_mode; /* stuck mode, from 1, that gives the frequency; 0 when the case gives it */
  PetscBool        follows;   /* time_mode is the mode of the shape, whichever a run makes of it */
  Signal           signal;
} Load;

extern const InputTable *const load_tables[], *const sine_load_tables[], *const force_load_tables[]; /* each ends with NULL */

/* Reads one load, or a list of them. The caller frees *loads. */
PetscErrorCode LoadsRead(const InputNode *node, const Names *names, PetscInt *count, Load **loads);

/* The same of sines alone, whose frequency the caller gives (signal.frequency). */
PetscErrorCode LoadsReadSines(const InputNode *node, const Names *names, PetscInt *count, Load **loads);

/* The same of forces at rest, whose size at any time is the caller's. */
PetscErrorCode LoadsReadForces(const InputNode *node, const Names *names, PetscInt *count, Load **loads);

/* The largest mode that the loads ask for, 0 for none, in each state of the joints. */
void LoadsMaxMode(PetscInt count, const Load loads[], PetscInt max_mode[2]);

/* Takes the time of the load from its mode, if it has one; complains of a mode without frequency. */
PetscErrorCode LoadResolve(Load *load, ModeCache *cache);

/* Complains of motions of supports at `load`, in one line with this reason; and of displacements that jump while the motion goes on. */
PetscErrorCode LoadsRefuseSupports(const InputNode *load, PetscInt count, const Load loads[], const char *reason);
PetscErrorCode LoadCheckJumps(const Load *load);

/* Where it pushes the System, a place; -1 on a mode shape, or where it moves a support. And how much of it at a signal of 1: its amplitude with its sign. Local. */
PetscInt  LoadSystemPlace(const Load *load, const System *system);
PetscReal LoadFactor(const Load *load);

/* Of its amplitude and signal; 1 of a pattern. */
const char *LoadUnit(const Load *load, const Names *names);

/* D times the amplitude: what it adds to forces; and what it is on the unknowns, [num_unknowns]: of a support the force -K_s times the amplitude
   of the load, of whichever kind, which says where it acts and no more. */
PetscErrorCode LoadAddForces(const Load *load, ModeCache *cache, SystemForces *forces);
PetscErrorCode LoadDistribution(const Load *load, ModeCache *cache, PetscReal distribution[]);
