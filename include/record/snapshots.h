/*
  snapshots.h - the motions of all unknowns at chosen steps of a run. They go into the result while it runs; what the mesh does at these
  times is made of them when all runs have ended (motion_fields.h).
*/
#pragma once
#include "march/stepper.h"
#include "findings.h"

typedef struct {
  PetscInt  count; /* 0: none is wanted */
  PetscInt *steps; /* ascending */
  PetscBool velocity;
  PetscBool stresses, stress_points; /* are wanted of the mesh, once it is known how it moved */
  PetscBool forces;                  /* are kept, too */
  Finding  *finding;
  PetscInt  next; /* while it runs: the next to take */
} Snapshots;

enum { SNAPSHOTS_TIME, SNAPSHOTS_DISPLACEMENT, SNAPSHOTS_VELOCITY, SNAPSHOTS_FORCE };
extern const OutputTable snapshots_table;

/* Adds them at `group`/fields. Local. */
PetscErrorCode SnapshotsDeclare(PetscInt num_unknowns, Findings *findings, const char *group, Snapshots *snapshots);
/* Whether forces are kept, too: of a System on its modes, where the others follow them; NULL: what moves is no structure. Before the layout. Local. */
PetscErrorCode SnapshotsPlace(Snapshots *snapshots, const System *system);
PetscErrorCode SnapshotsDestroy(Snapshots *snapshots);

/* Local, from here on: the rank that has the run. */
/* Those up to this step have been taken; -1 for none. */
void SnapshotsBegin(Snapshots *snapshots, PetscInt64 step);
/* Takes one if this step is chosen. */
PetscErrorCode SnapshotsTake(Snapshots *snapshots, const Stepper *stepper, const State *state, const Result *result);
