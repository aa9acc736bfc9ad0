/* law_samples.h - the samples of all laws, and random numbers: for the contract tests of tests/unit and for scripts/bench laws. */
#pragma once
#include "joint.h"

/* A joint: its law by name, and its parameters. */
typedef struct {
  const char *law;
  PetscReal   parameters[JOINT_MAX_PARAMETERS];
} Sample;

/* A sample of a law in the list, with the traits of both. */
typedef struct {
  Sample      sample;
  const char *what;
  unsigned    traits;
} ListedSample;

/* Sample i of all laws, one after the other; false when there are no more. */
static inline PetscBool SampleGet(PetscInt i, ListedSample *listed)
{
  for (PetscInt l = 0; joint_laws[l]; l++) {
    for (const JointSample *sample = joint_laws[l]->samples; sample->what; sample++) {
      if (i-- > 0) continue;
      *listed = (ListedSample){{.law = joint_laws[l]->name}, sample->what, joint_laws[l]->traits | sample->traits};
      for (PetscInt p = 0; p < JOINT_MAX_PARAMETERS; p++) listed->sample.parameters[p] = sample->parameters[p];
      return PETSC_TRUE;
    }
  }
  return PETSC_FALSE;
}

static inline uint64_t HashText(uint64_t hash, const char *text)
{
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
  return hash;
}

/* A seed for a test of a sample, from the names of law and sample [FNV-1a]: whatever laws and samples are added, the random numbers of the
   others stay. */
static inline uint64_t SampleSeed(const ListedSample *listed, uint64_t test)
{
  return HashText(HashText(0xcbf29ce484222325 ^ test, listed->sample.law), listed->what) | 1;
}

/* Uniform between -1 and 1 [Marsaglia 2003, xorshift64]. */
static inline PetscReal Random(uint64_t *seed)
{
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return (PetscReal)(*seed >> 11) / 4503599627370496.0 - 1;
}
