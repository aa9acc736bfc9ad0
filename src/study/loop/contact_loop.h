/* contact_loop.h - the study of faces in contact that are moved along a path: what the case says, and what comes of it. */
#pragma once
#include "contact_drive.h"
#include "study.h"

typedef struct {
  const char      *name;
  const InputNode *contact, *path;
  PetscInt         steps;
  PetscReal        period;
} ContactLoopKeys;

typedef struct {
  ContactLoopKeys keys;
  ContactArea     area;
  SpacePath       path;
  SpaceSamples    samples;
  ContactHistory  history;
  Finding        *finding, *cycles, *parts;
} ContactLoop;

extern const InputTable *const contact_loop_tables[]; /* its own keys, without those of its path; ends with NULL */
extern const StudyKind         loop_of_contact;

/* What it finds: declared when it has been read; written after its run, on rank 0. */
extern const OutputTable contact_loop_output, contact_cycles_output, contact_parts_output;
PetscErrorCode           ContactLoopDeclare(const char *name, Findings *findings, ContactLoop *loop);
PetscErrorCode           ContactLoopWrite(const ContactLoop *loop, const Result *result);

/* For people, after the run. Local. */
PetscErrorCode ContactLoopPrint(const char *name, const ContactLoop *loop);
/* "rough_contact moved in x and y: 801 samples" has this name. Local. */
const char *ContactLoopLaw(const ContactLoop *loop);
