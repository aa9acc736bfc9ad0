/* tapes.h - for the tests of fits: a record of a joint with its numbers, a law of which some parameters are to be found, what was found. */
#pragma once
#include <string.h>
#include "joint_samples.h"
#include "post/fitting.h"

enum { MOST_SAMPLES = 400, PER_CYCLE = 80 };

/* A record of a test, with its numbers. */
typedef struct {
  LoopRecord record;
  PetscReal  time[MOST_SAMPLES], displacement[MOST_SAMPLES], velocity[MOST_SAMPLES], force[MOST_SAMPLES];
} Tape;

/* Samples first to end - 1 of a sine of growing amplitude, 0.4, 1 and 2.5 at the end of its cycles; or, steady, of 2.5. */
static inline void make_path(Tape *tape, PetscBool steady)
{
  for (PetscInt i = 0; i < MOST_SAMPLES; i++) {
    const PetscReal cycles = (PetscReal)i / PER_CYCLE, rate = log(2.5);
    const PetscReal size = steady ? 2.5 : 0.4 * exp(rate * cycles), growth = steady ? 0 : rate;

    tape->time[i]         = cycles;
    tape->displacement[i] = size * sin(2 * PETSC_PI * cycles);
    tape->velocity[i]     = size * (2 * PETSC_PI * cos(2 * PETSC_PI * cycles) + growth * sin(2 * PETSC_PI * cycles));
  }
}

static inline void make_record(Tape *tape, PetscInt first, PetscInt end)
{
  tape->record = (LoopRecord){.count        = end - first,
                              .time         = tape->time + first,
                              .displacement = tape->displacement + first,
                              .velocity     = tape->velocity + first,
                              .force        = tape->force + first};
}

static inline void drive(const Sample *sample, Tape *tape)
{
  JointBlock block;

  assert_ok(JointBlockCreate(JointLawFind(sample->law), sample->parameters, 1, &block));
  assert_ok(JointDrive(1, &block, MOST_SAMPLES, tape->displacement, tape->velocity, tape->force, NULL));
  assert_ok(JointBlockDestroy(&block));
}

/* The law of a sample, of which the parameters of these names, separated by a blank each, are to be found from a start that is `off`. */
static inline LawToFit open_law(const Sample *sample, const char *names, PetscReal off)
{
  LawToFit law = {.law = JointLawFind(sample->law), .num_starts = 40, .warm_up = 1, .mass = 1};

  for (PetscInt i = 0; law.law->parameters[i].name; i++) {
    const JointParameter *p = &law.law->parameters[i];
    char                  name[64];

    law.values[i] = sample->parameters[i];
    snprintf(name, sizeof name, " %s ", p->name);
    if (!strstr(names, name)) continue;
    law.unknowns[law.num_unknowns++] = (FitUnknown){.index = i,
                                                    .start = sample->parameters[i] * off,
                                                    .least = p->least == p->most ? PETSC_NINFINITY : p->least,
                                                    .most  = p->least == p->most ? PETSC_INFINITY : p->most,
                                                    .above = p->above};
    law.values[i]                    = (PetscReal)NAN; /* nobody looks */
  }
  return law;
}

static inline void fit_tape(const LawToFit *law, const Tape *tape, LawFit *fit)
{
  PetscBool found;
  char      reason[256];

  assert_ok(LawFitLoops(law, 1, &tape->record, &found, fit, reason, sizeof reason));
  if (!found) print_error("%s: %s\n", law->law->name, reason);
  assert_true(found);
}

static inline void assert_found(const LawToFit *law, const LawFit *fit, const Sample *sample, PetscReal tolerance)
{
  for (PetscInt p = 0; p < law->num_unknowns; p++) {
    const PetscInt i = law->unknowns[p].index;

    if (fabs(fit->parameters[p].value - sample->parameters[i]) > tolerance * fabs(sample->parameters[i]))
      print_error("%s of %s:\n", law->law->parameters[i].name, sample->law);
    assert_close(fit->parameters[p].value, sample->parameters[i], tolerance);
    assert_true(fit->values[i] == fit->parameters[p].value);
    assert_true(fit->parameters[p].determined);
    assert_true(fit->parameters[p].low <= fit->parameters[p].value && fit->parameters[p].value <= fit->parameters[p].high);
  }
}

static const struct {
  Sample      sample;
  const char *unknowns;
} cases[] = {
  {{"jenkins", {1.2, 0.6}}, " stiffness slip_force "},
  {{"mindlin", {0.5, 0.25, 0.5, 1.4}}, " friction shear_modulus "},
  {{"iwan4", {0.7, 1, -0.5, 5, 0}}, " slip_force stiffness chi beta "},
  {{"bouc_wen", {0.1, 1, 1, 1.5, 0.4, 1}}, " k_l k_h B C "},
  {{"bouc_wen", {0.1, 0.5, 1, 1, 0.3, 2}}, " k_l k_h B C "},
  {{"valanis", {1.5, 0.1, 0.7, 0.6, 1, 0, 0, 1}}, " stiffness slip_stiffness slip_force kappa "},
  {{"generalized_valanis", {0.6, 0.9, 0.1, 0.05, 0.02, 0, -0.02, 0.01, 0.005, 0, 0, 0.002, 0.0005, 1}}, " C1 C2 P1_x P1_v "},
};

enum { NUM_CASES = sizeof cases / sizeof cases[0] };

static inline PetscReal normal(uint64_t *seed)
{
  const PetscReal radius = 0.5 + 0.5 * Random(seed);

  return sqrt(-2 * log(fmax(radius, 1e-300))) * cos(PETSC_PI * Random(seed));
}
