/*
  watch.h - what of a motion is kept: points, modes, joints, energy, every so many steps.

  A Watch is what the case asks for. A Recorder is one run's channels in the result file: a frame of numbers is filled from the
  State at each sample, its parts go to the buffers of their channels, and buffers are written when full or when a second is over.
*/
#pragma once
#include "march/stepper.h"
#include "findings.h"
#include "record/extremes.h"
#include "record/outermost.h"
#include "record/turns.h"

typedef struct {
  PetscInt   every;
  PetscInt   num_points, *points;
  PetscInt   num_modes, *modes; /* from 0, of the stuck joints */
  PetscInt   num_rows, *rows;   /* of B; */
  PetscInt  *sizes;             /* and how many from there on are seen as one: the points of a layer between faces */
  PetscInt   num_contacts, *contacts;
  PetscBool *keeps_parts; /* [num_contacts]: whether their histories are kept one by one, beside the shares of the area */
  PetscBool  energy;
} Watch;

extern const InputTable watch_table;

/* NULL node: the defaults. Complains of names it does not know. */
PetscErrorCode WatchRead(const InputNode *node, const Names *names, PetscInt every, Watch *watch);
/* Parts of that: the texts that a key has, its node being NULL when there is none; then all or nothing. */
PetscErrorCode WatchPoints(const InputNode *node, const Names *names, const InputTexts *texts, PetscBool all, Watch *watch);
PetscErrorCode WatchJoints(const InputNode *node, const Names *names, const InputTexts *texts, PetscBool all, Watch *watch);
PetscErrorCode WatchDestroy(Watch *watch);
/* Says which directions the columns of a point are, and their units: fields 0 and on are its displacement, velocity and acceleration, or
   the first `num_rates` of these. Local. */
PetscErrorCode WatchDescribePoint(const NamedPoint *point, PetscInt num_rates, Finding *finding);
/* The unit of one field, a displacement of the point or its rate. Local. */
PetscErrorCode WatchDescribeMotion(const NamedPoint *point, PetscInt rate, PetscInt field, Finding *finding);
/* The units of a joint's displacement, this field, and force, the next one, in this direction. Local. */
PetscErrorCode WatchDescribeJoint(PetscInt direction, PetscInt field, Finding *finding);
/* How many of the lowest modes are needed to watch those asked for. Local. */
PetscInt WatchMaxMode(const Watch *watch);
/* A rough guess of the time a sample takes on one core [s]. Local. */
PetscReal WatchSampleSeconds(const Watch *watch, const Names *names);
/* Numbers kept at each sample, and of each run. Local. */
PetscInt WatchWidth(const Watch *watch, const Names *names);
PetscInt WatchRunWidth(const Watch *watch, const Names *names);

/* Histories of the parts of a contact are kept up to here when the case says nothing. */
enum { MOST_WATCHED_PARTS = 64 };

/* The last channels of a run that watches energy; behind them, of contacts whose laws tell it, what they hold and have lost. */
typedef enum {
  ENERGY_KINETIC,
  ENERGY_STRAIN,
  ENERGY_JOINTS,
  ENERGY_DAMPING,
  ENERGY_WORK,
  ENERGY_BALANCE,
  NUM_ENERGIES,
  ENERGY_STORED = NUM_ENERGIES,
  ENERGY_DISSIPATED,
  ENERGY_EXCHANGED
} Energy;

/* Some rows of the frame, and where they go. */
typedef struct {
  PetscInt   width, offset; /* of its numbers in the frame */
  Finding   *finding;
  PetscInt   field;
  PetscReal *buffer; /* [capacity, width], NULL until begun */
} RecorderChannel;

/* Which samples are kept, counted from 0 at time 0. */
typedef struct {
  PetscInt64 first, last;
} RecorderWindow;

/* What is known of each part of a contact. */
enum { PARTS_STATE, PARTS_PRESSING, PARTS_DISSIPATED, NUM_OF_PARTS };

typedef struct {
  const Watch     *watch;
  PetscInt         num_channels;
  RecorderWindow   window;
  PetscInt64       num_samples; /* kept */
  RecorderChannel *channels;
  Finding         *run, *energy, **contacts; /* [watch->num_contacts] */

  /* While it runs. */
  PetscInt     frame_width, num_motions, num_parts, parts_offset, capacity, buffered; /* parts: of all contacts, when one is watched; in the frame */
  PetscInt64   written;                                                               /* samples in the file */
  PetscReal   *frame;
  LinearRows   motion_map; /* rows of T that are watched */
  PetscInt     num_supports;
  PetscInt    *motion_places; /* of the points that are watched */
  PetscInt     num_bolts;
  PetscReal   *bolt_map, *bolt_residual;         /* [num_bolts, n], and what modes that were left out add, as below; NULL for none */
  PetscReal   *motion_residual, *joint_residual; /* of the same, what modes that were left out add; NULL without such */
  LinearRows   mode_map, joint_map;              /* momenta of modes, rows of B that are watched */
  PetscBool   *is_static;                        /* of motions: without mass, and moved by loads or joints at once */
  Outermost    outermost;
  Extremes     extremes;                    /* of all samples */
  PetscInt     loads_offset, energy_offset; /* in the frame; 0: no loads, no energies */
  Turns        turns;
  PetscInt     stored_offset; /* in the frame, of what joints store, have dissipated and exchanged; 0: not all of them tell */
  SystemEnergy stored_at_rest;
  PetscReal   *stored_work;                     /* [SystemStoredWork] */
  PetscInt     num_reactions, reactions_offset; /* in the frame: six of each support of a mesh */
  PetscReal   *reaction_map[NUM_COURSES];       /* [num_reactions, n] of displacement, velocity, acceleration */
  PetscReal   *reaction_residual;               /* as above */
  PetscReal   *reaction_loads;                  /* [num_reactions, loads]: of a unit of each signal on held nodes */
  PetscLogDouble flushed;
} Recorder;

/* How many samples there are in so many steps, that at time 0 included; and how many of these are kept. Local. */
PetscInt64 RecorderSamples(const Watch *watch, PetscInt64 steps);
PetscInt64 RecorderKept(const Recorder *recorder, PetscInt64 steps);
/* Adds what one run keeps, at `group` of the result. The facts of the run are the caller's to say. Local. */
PetscErrorCode RecorderDeclare(const Watch *watch, const Names *names, Findings *findings, const char *group, RecorderWindow window,
                               Recorder *recorder);
/* And how its loads go; where they act is a matter of these Names. Local. */
PetscErrorCode RecorderDeclareLoads(Recorder *recorder, const Names *names, Findings *findings, const char *group, PetscInt count,
                                    const Load loads[]);
/* Where the parts of contacts are, and whether these tell what they store, which only the System knows; before the layout. Local. */
PetscErrorCode RecorderPlaceParts(Recorder *recorder, const System *system);
/* What the ground gives at supports of a mesh, which have these names: direct[6 of each, loads] of loads on held nodes themselves, for a unit of their
   signals. When the System is known, before the layout. */
PetscErrorCode RecorderAddReactions(Recorder *recorder, Findings *findings, PetscInt num_supports, const char *const names[],
                                    const PetscReal direct[], PetscInt num_loads);
/* Its own numbers, of a run as of all runs. */
enum { RUN_TIME, RUN_STEPS, RUN_ITERATIONS, RUN_HALVED, RUN_HELD, RUN_SECONDS, RUN_REASON, RUN_OUTERMOST, RUN_BESIDE, RUN_TURNED_BACK, RUN_TURNED };
/* The tables of all that runs keep, for the help; ends with NULL. */
extern const OutputTable *const recorder_tables[];
PetscErrorCode                  RecorderDestroy(Recorder *recorder);
/* Whether what all joints took is known to be what they hold and have lost, but for what the scheme gets wrong. Local. */
PetscBool RecorderStores(const Recorder *recorder);

/* Local, from here on: the rank that has the run. */
PetscErrorCode RecorderBegin(Recorder *recorder, ModeCache *cache, const Stepper *stepper, PetscInt64 samples_written);
/* What earlier sessions of a run that is resumed have seen. */
PetscErrorCode RecorderContinue(Recorder *recorder, const Result *result);
PetscErrorCode RecorderSample(Recorder *recorder, const Stepper *stepper, const State *state, const Result *result);
PetscErrorCode RecorderFlush(Recorder *recorder, const State *state, const Result *result);
/* What the parts of contacts do now, whether it is time for a sample or not. */
PetscErrorCode RecorderWriteLast(const Recorder *recorder, const Stepper *stepper, const State *state, const Result *result);
PetscErrorCode RecorderEnd(Recorder *recorder);

/* Of a run in the result: the largest displacement of a watched point [m], the largest angle [rad]. */
PetscErrorCode RecorderFindLargest(const Recorder *recorder, const Names *names, const Result *result, PetscReal largest[2]);
