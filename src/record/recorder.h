/*
  recorder.h - the files that make up the Recorder.

  In the frame are all parts of all contacts, each kind of number behind the other, then the shares of those that are watched.
*/
#pragma once
#include "record/watch.h"

extern const OutputTable recorder_contact_table, recorder_bolt_table, recorder_support_table, recorder_load_table, recorder_reaction_table;

/* Rows of the frame from `offset` on go to this field. */
void RecorderAddChannel(Recorder *recorder, Finding *finding, PetscInt field, PetscInt width, PetscInt offset);

PetscErrorCode RecorderDeclareContacts(Recorder *recorder, const Names *names, Findings *findings, const char *group, PetscInt *offset);
/* Hot, local. */
void RecorderFrameContacts(const Recorder *recorder, const Stepper *stepper, const State *state, PetscReal frame[]);

/* Channels of what the joints store and have dissipated, where all of them tell. */
PetscErrorCode RecorderAddStored(Recorder *recorder, const System *system);

PetscErrorCode RecorderDeclareBolts(Recorder *recorder, const Names *names, Findings *findings, const char *group, PetscInt *offset);
PetscErrorCode RecorderDeclareSupports(Recorder *recorder, const Names *names, Findings *findings, const char *group, PetscInt *offset);
/* How bolts follow the coordinates. */
PetscErrorCode RecorderMapBolts(Recorder *recorder, const System *system, const Stepper *stepper);
/* Hot, local. */
void RecorderFrameBolts(const Recorder *recorder, const Stepper *stepper, const State *state, PetscReal frame[]);

/* How reactions follow the coordinates, until they are unmapped. */
PetscErrorCode RecorderMapReactions(Recorder *recorder, ModeCache *cache, const Stepper *stepper);
PetscErrorCode RecorderUnmapReactions(Recorder *recorder);
/* Hot, local. */
void RecorderFrameReactions(const Recorder *recorder, const Stepper *stepper, const State *state, PetscReal frame[]);

/* Hot, local. */
void RecorderFrameLoads(const Recorder *recorder, const Stepper *stepper, const State *state, PetscReal frame[]);
