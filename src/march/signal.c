/* signal.c - the shapes of time that a load can have: half sine, harmonic, chirp, step, table. */
#include "march/signal.h"

const char *const signal_names[NUM_SIGNALS + 1] = {"half_sine", "harmonic", "chirp", "step", "table", NULL};
const char *const sweep_names[]                 = {"linear", "logarithmic", NULL};

/* sin(pi t / duration) for one half period [eqs 27 to 29 of lacayo2017]. */
static PetscReal HalfSine(const Signal *s, PetscReal time)
{
  return time < s->duration ? PetscSinReal(PETSC_PI * time / s->duration) : 0.0;
}

/* A sine that swells along half a cosine, so that it sets off little of the structure's own vibrations. */
static PetscReal Harmonic(const Signal *s, PetscReal time)
{
  const PetscReal share = time < s->rise ? 0.5 - 0.5 * PetscCosReal(PETSC_PI * time / s->rise) : 1.0;

  return share * PetscSinReal(2.0 * PETSC_PI * s->frequency * time + s->phase);
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

/* Linear between samples. */
static PetscReal Table(const Signal *s, PetscReal time)
{
  PetscInt         low = 0, high = s->num_samples - 1;
  const PetscReal *before, *after;

  while (high - low > 1) {
    const PetscInt middle = (low + high) / 2;

    if (s->samples[2 * middle] <= time) low = middle;
    else high = middle;
  }
  before = s->samples + 2 * low;
  after  = s->samples + 2 * high;
  return before[1] + (after[1] - before[1]) * (time - before[0]) / (after[0] - before[0]);
}

/* When, after its start, a signal begins and ends to be more than zero. */
static PetscReal Beginning(const Signal *s)
{
  return s->kind == SIGNAL_TABLE ? s->samples[0] : 0.0;
}

static PetscReal End(const Signal *s)
{
  if (s->kind == SIGNAL_TABLE) return s->samples[2 * (s->num_samples - 1)];
  return s->duration > 0.0 ? s->duration : PETSC_MAX_REAL;
}

/* What counts of the value where it begins or ends; elsewhere all. */
static PetscReal Share(const Signal *signal, PetscReal time, PetscBool begins, PetscBool ends, PetscReal near)
{
  if (!(begins || ends) || time == 0.0) return 1.0;
  if (signal->until > 0.0 && PetscAbsReal(time - signal->until) <= near) return ends ? 1.0 : 0.0;
  return 0.5;
}

PetscReal SignalValue(const Signal *signal, PetscReal time)
{
  static PetscReal (*const values[NUM_SIGNALS])(const Signal *, PetscReal) = {HalfSine, Harmonic, Chirp, Step, Table};
  const PetscReal since = time - signal->start, beginning = Beginning(signal), end = End(signal);
  const PetscReal near   = 8.0 * PETSC_MACHINE_EPSILON * PetscAbsReal(time);
  const PetscBool begins = (PetscBool)(PetscAbsReal(since - beginning) <= near), ends = (PetscBool)(PetscAbsReal(since - end) <= near);

  if (since < beginning - near || since > end + near) return 0.0;
  return Share(signal, time, begins, ends, near) * values[signal->kind](signal, PetscMin(PetscMax(since, beginning), end));
}

PetscReal SignalFastest(const Signal *signal)
{
  switch (signal->kind) {
  case SIGNAL_HALF_SINE:
    return signal->duration;
  case SIGNAL_HARMONIC:
    return signal->frequency > 0.0 ? 1.0 / signal->frequency : 0.0;
  case SIGNAL_CHIRP:
    return 1.0 / PetscMax(signal->frequency, signal->end_frequency);
  default:
    return 0.0;
  }
}

PetscReal SignalEnd(const Signal *signal)
{
  const PetscReal end = End(signal);

  return end < PETSC_MAX_REAL ? signal->start + end : end;
}
