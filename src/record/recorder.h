/*
  recorder.h - the files that make up the Recorder.

  In the frame are all parts of all contacts, each kind of number behind the other, then the shares of those that are watched.
*/
#pragma once
#include "record/watch.h"

/* One dataset of num_samples rows; `width` 0 for a plain series. */
PetscErrorCode RecorderAddChannel(Recorder *recorder, Result *result, PetscInt width, PetscInt offset, const char *format, ...)
  PETSC_ATTRIBUTE_FORMAT(5, 6);

PetscErrorCode RecorderAddContacts(Recorder *recorder, const System *system, Result *result, const char *group, PetscInt *offset);
/* Hot, local. */
void RecorderFrameContacts(const Recorder *recorder, const Stepper *stepper, const State *state, PetscReal frame[]);
