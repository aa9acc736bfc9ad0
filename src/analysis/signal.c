/* signal.c - the shapes of time that a load can have: half sine, harmonic, chirp, step, table. */
#include "signal.h"

const char *const signal_names[NUM_SIGNALS + 1] = {"half_sine", "harmonic", "chirp", "step", "table", NULL};
const char *const sweep_names[]                 = {"linear", "logarithmic", NULL};

/* sin(pi t / duration) for one half period [eqs 27 to 29 of lacayo2017]. */
static PetscReal HalfSine(const Signal *s, PetscReal time)
{
  return time < s->duration ? PetscSinReal(PETSC_PI * time / s->duration) : 0.0;
}

static PetscReal Harmonic(const Signal *s, PetscReal time)
{
  return PetscSinReal(2.0 * PETSC_PI * s->frequency * time + s->phase);
}

/* The phase is the integral of the frequency, which runs from one value to the other linearly or by equal ratios. */
static PetscReal Chirp(const Signal *s, PetscReal time)
{
  const PetscReal from = s->frequency, to = s->end_frequency, length = s->duration;
  PetscReal       turns;

  if (s->sweep == 0 || from == to) turns = from * time + 0.5 * (to - from) * time * time / length;
  else turns = from * length / PetscLogReal(to / from) * (PetscPowReal(to / from, time / length) - 1.0);
  return PetscSinReal(2.0 * PETSC_PI * turns + s->phase);
}

static PetscReal Step(const Signal *s, PetscReal time)
{
  return time < s->rise ? time / s->rise : 1.0;
}

/* Linear between samples, zero outside of them. */
static PetscReal Table(const Signal *s, PetscReal time)
{
  PetscInt         low = 0, high = s->num_samples - 1;
  const PetscReal *before, *after;

  if (time < s->samples[0] || time > s->samples[2 * high]) return 0.0;
  while (high - low > 1) {
    const PetscInt middle = (low + high) / 2;

    if (s->samples[2 * middle] <= time) low = middle;
    else high = middle;
  }
  before = s->samples + 2 * low;
  after  = s->samples + 2 * high;
  return before[1] + (after[1] - before[1]) * (time - before[0]) / (after[0] - before[0]);
}

PetscReal SignalValue(const Signal *signal, PetscReal time)
{
  static PetscReal (*const values[NUM_SIGNALS])(const Signal *, PetscReal) = {HalfSine, Harmonic, Chirp, Step, Table};
  const PetscReal since                                                    = time - signal->start;

  if (since < 0.0 || (signal->duration > 0.0 && since >= signal->duration)) return 0.0;
  return values[signal->kind](signal, since);
}
