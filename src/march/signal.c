/* signal.c - the shapes of time that a load can have: half sine, harmonic, chirp, step, table. */
#include "march/signal.h"

const char *const signal_names[NUM_SIGNALS + 1] = {"half_sine", "harmonic", "chirp", "step", "table", "random", NULL};
const char *const sweep_names[]                 = {"linear", "logarithmic", NULL};

static PetscBool IsSampled(const Signal *s)
{
  return (PetscBool)(s->kind == SIGNAL_TABLE || s->kind == SIGNAL_RANDOM);
}

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

/* The sample before a time, or the last but one. */
static PetscInt TableInterval(const Signal *s, PetscReal time)
{
  PetscInt low = 0, high = s->num_samples - 1;

  while (high - low > 1) {
    const PetscInt middle = (low + high) / 2;

    if (s->samples[2 * middle] <= time) low = middle;
    else high = middle;
  }
  return low;
}

/* Linear between samples. */
static PetscReal Table(const Signal *s, PetscReal time)
{
  const PetscReal *const before = s->samples + 2 * TableInterval(s, time), *const after = before + 2;

  return before[1] + (after[1] - before[1]) * (time - before[0]) / (after[0] - before[0]);
}

/* When, after its start, a signal begins and ends to be more than zero. */
static PetscReal Beginning(const Signal *s)
{
  return IsSampled(s) ? s->samples[0] : 0.0;
}

static PetscReal End(const Signal *s)
{
  if (IsSampled(s)) return s->samples[2 * (s->num_samples - 1)];
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
  static PetscReal (*const values[NUM_SIGNALS])(const Signal *, PetscReal) = {HalfSine, Harmonic, Chirp, Step, Table, Table};
  const PetscReal since = time - signal->start, beginning = Beginning(signal), end = End(signal);
  const PetscReal near   = 8.0 * PETSC_MACHINE_EPSILON * PetscAbsReal(time);
  const PetscBool begins = (PetscBool)(PetscAbsReal(since - beginning) <= near), ends = (PetscBool)(PetscAbsReal(since - end) <= near);

  if (since < beginning - near || since > end + near) return 0.0;
  return Share(signal, time, begins, ends, near) * values[signal->kind](signal, PetscMin(PetscMax(since, beginning), end));
}

/* amplitude(t) sin(phase(t)), each given with its first two derivatives. */
static void RatesOfSine(const PetscReal amplitude[3], const PetscReal phase[3], PetscReal rates[3])
{
  const PetscReal sine = PetscSinReal(phase[0]), cosine = PetscCosReal(phase[0]);
  const PetscReal of_sine[3] = {sine, phase[1] * cosine, phase[2] * cosine - phase[1] * phase[1] * sine};

  rates[0] = amplitude[0] * of_sine[0];
  rates[1] = amplitude[1] * of_sine[0] + amplitude[0] * of_sine[1];
  rates[2] = amplitude[2] * of_sine[0] + 2.0 * amplitude[1] * of_sine[1] + amplitude[0] * of_sine[2];
}

/* `side` is a time beside `time` that says on which side of a kink to look, as in all that follow. */
static void RatesOfHalfSine(const Signal *s, PetscReal time, PetscReal side, PetscReal rates[3])
{
  const PetscReal omega = PETSC_PI / s->duration, one[3] = {1.0, 0.0, 0.0}, phase[3] = {omega * time, omega, 0.0};

  RatesOfSine(one, phase, rates);
}

static void RatesOfHarmonic(const Signal *s, PetscReal time, PetscReal side, PetscReal rates[3])
{
  const PetscReal omega = 2.0 * PETSC_PI * s->frequency, phase[3] = {omega * time + s->phase, omega, 0.0};
  PetscReal       share[3] = {1.0, 0.0, 0.0};

  if (side < s->rise) {
    const PetscReal swell = PETSC_PI / s->rise;

    share[0] = 0.5 - 0.5 * PetscCosReal(swell * time);
    share[1] = 0.5 * swell * PetscSinReal(swell * time);
    share[2] = 0.5 * swell * swell * PetscCosReal(swell * time);
  }
  RatesOfSine(share, phase, rates);
}

static void RatesOfChirp(const Signal *s, PetscReal time, PetscReal side, PetscReal rates[3])
{
  const PetscReal from = s->frequency, to = s->end_frequency, length = s->duration, one[3] = {1.0, 0.0, 0.0}, turn = 2.0 * PETSC_PI;
  PetscReal       phase[3];

  if (s->sweep == 0 || from == to) {
    phase[0] = turn * (from * time + 0.5 * (to - from) * time * time / length) + s->phase;
    phase[1] = turn * (from + (to - from) * time / length);
    phase[2] = turn * (to - from) / length;
  } else {
    const PetscReal rate = PetscLogReal(to / from) / length, now = from * PetscExpReal(rate * time);

    phase[0] = turn * (now - from) / rate + s->phase;
    phase[1] = turn * now;
    phase[2] = turn * now * rate;
  }
  RatesOfSine(one, phase, rates);
}

static void RatesOfStep(const Signal *s, PetscReal time, PetscReal side, PetscReal rates[3])
{
  const PetscBool rises = (PetscBool)(side < s->rise);

  rates[0] = rises ? time / s->rise : 1.0;
  rates[1] = rises ? 1.0 / s->rise : 0.0;
  rates[2] = 0.0;
}

static void RatesOfTable(const Signal *s, PetscReal time, PetscReal side, PetscReal rates[3])
{
  const PetscInt         low    = TableInterval(s, side);
  const PetscReal *const before = s->samples + 2 * low, *const after = before + 2;

  rates[1] = (after[1] - before[1]) / (after[0] - before[0]);
  rates[0] = before[1] + rates[1] * (time - before[0]);
  rates[2] = 0.0;
}

/* On one side of a time. */
static void RatesBeside(const Signal *signal, PetscReal time, PetscReal shift, PetscReal rates[3])
{
  static void (*const all[NUM_SIGNALS])(const Signal *, PetscReal, PetscReal, PetscReal[3]) = {RatesOfHalfSine, RatesOfHarmonic, RatesOfChirp,
                                                                                               RatesOfStep,     RatesOfTable,    RatesOfTable};
  const PetscReal since = time - signal->start, side = since + shift;

  rates[0] = rates[1] = rates[2] = 0.0;
  if (side >= Beginning(signal) && side <= End(signal)) all[signal->kind](signal, since, side, rates);
}

/* How far beside a time its two sides are looked at: beyond its round-off. */
static PetscReal Aside(const Signal *signal, PetscReal time)
{
  return 16.0 * PETSC_MACHINE_EPSILON * (PetscAbsReal(time) + PetscAbsReal(signal->start)) + PETSC_SMALL * PETSC_SMALL;
}

void SignalRates(const Signal *signal, PetscReal time, PetscReal rates[3])
{
  const PetscReal aside = Aside(signal, time);
  PetscReal       before[3], after[3];
  PetscReal       share = 0.5;

  if (PetscAbsReal(time) <= aside) share = 1.0;
  else if (signal->until > 0.0 && PetscAbsReal(time - signal->until) <= aside) share = 0.0;
  RatesBeside(signal, time, -aside, before);
  RatesBeside(signal, time, aside, after);
  for (PetscInt k = 0; k < 3; k++) rates[k] = (1.0 - share) * before[k] + share * after[k];
}

PetscReal SignalNextBreak(const Signal *signal, PetscReal time)
{
  const PetscReal aside = Aside(signal, time), since = time + aside - signal->start;
  const PetscReal breaks[] = {Beginning(signal), signal->rise, End(signal)};
  PetscReal       next     = PETSC_MAX_REAL;

  for (size_t i = 0; i < sizeof(breaks) / sizeof(breaks[0]); i++)
    if (breaks[i] > since) next = PetscMin(next, breaks[i]);
  if (IsSampled(signal) && since > breaks[0] && since < End(signal)) next = signal->samples[2 * (TableInterval(signal, since) + 1)];
  return next < PETSC_MAX_REAL ? next + signal->start : next;
}

/* What a rate of this order is in size: 1 of the value. */
static PetscReal Quickness(const Signal *signal, PetscInt order)
{
  const PetscReal fastest = SignalFastest(signal);
  PetscReal       most    = order == 0 || signal->kind == SIGNAL_STEP || IsSampled(signal) ? 0.0 : 1.0 / fastest;

  if (signal->kind == SIGNAL_STEP) most = order == 0 || signal->rise == 0.0 ? 1.0 : 1.0 / signal->rise;
  else if (order == 0 && !IsSampled(signal)) most = 1.0;
  for (PetscInt i = 1; IsSampled(signal) && i < signal->num_samples; i++) {
    const PetscReal *const sample = signal->samples + 2 * i;

    most = PetscMax(most, order == 0 ? PetscMax(PetscAbsReal(sample[1]), PetscAbsReal(sample[-1]))
                                     : PetscAbsReal((sample[1] - sample[-1]) / (sample[0] - sample[-2])));
  }
  return most;
}

PetscBool SignalJumps(const Signal *signal, PetscInt order)
{
  PetscReal at, negligible;

  if (IsSampled(signal) && !signal->samples) return PETSC_FALSE; /* has been complained of */
  at         = signal->start + PetscMin(Beginning(signal), 0.0) - 1.0;
  negligible = 1e-9 * Quickness(signal, order);
  while ((at = SignalNextBreak(signal, at)) < PETSC_MAX_REAL && (signal->until <= 0.0 || at < signal->until - Aside(signal, at))) {
    const PetscReal aside = 4.0 * Aside(signal, at);
    PetscReal       before[3], after[3];

    if (at <= aside) continue; /* what is there when the motion begins is no jump */
    RatesBeside(signal, at, -aside, before);
    RatesBeside(signal, at, aside, after);
    if (PetscAbsReal(after[order] - before[order]) > negligible) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

PetscReal SignalFastest(const Signal *signal)
{
  switch (signal->kind) {
  case SIGNAL_HALF_SINE:
    return signal->duration;
  case SIGNAL_HARMONIC:
    return signal->frequency > 0.0 ? 1.0 / signal->frequency : 0.0;
  case SIGNAL_RANDOM:
    return 1.0 / signal->end_frequency;
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
