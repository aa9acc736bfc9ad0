/*
  contact_drive.h - faces in contact that are moved along a path, step by step: displacement, force, what is dissipated, and what their parts do.

  The parts of an area move in parallel. Where the pressing force is given, the normal motion at which all of them together are pressed by it is
  found in each step.
*/
#pragma once
#include "model/contact_area.h"
#include "space_path.h"

typedef struct {
  PetscReal *displacement, *force;       /* [count, SPACE_DIM] */
  PetscReal *dissipated, *pressing;      /* [count] since the beginning [J]; what presses all parts [N] */
  PetscReal *share;                      /* [count, NUM_FACE_STATES] of the parts, in the step that ends here */
  PetscReal *part_state, *part_pressing; /* [parts] at the end */
  PetscReal *part_dissipated;
} ContactHistory;

/* Local, all of it. */
PetscErrorCode ContactHistoryCreate(PetscInt count, PetscInt num_parts, ContactHistory *history);
PetscErrorCode ContactHistoryDestroy(ContactHistory *history);
/* From rest at no motion, and pressed by the preload, straight to each sample in turn. */
PetscErrorCode ContactDrive(const ContactArea *area, const SpacePath *path, const SpaceSamples *samples, ContactHistory *history);
