/*
  mode_estimate.h - what a study of modes would find of a structure that differs a little, without solving for its modes.
*/
#pragma once
#include "study.h"

PetscBool ModeEstimates(const char *key);
/* A field of the table of modes as a twin would have it, of the modes that are known; `all` keeps those beyond them, NULL at first. NAN of modes of
   equal frequency. Collective. */
PetscErrorCode ModeEstimate(const ModeCache *cache, const Modes *modes, const ModeCache *twin, const char *key, Modes **all, PetscReal values[]);
