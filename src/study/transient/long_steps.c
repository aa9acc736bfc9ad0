/*
  long_steps.c - time steps that are too long for modes which loads and initial motions set off.

  A load s(t) leaves the mode k, joints stuck, vibrating with the energy

      E_k = 1/2 |phi_k^T p S(omega_k)|^2,   S(omega) = integral of s(t) exp(-i omega t) dt

  without damping. s is taken linear between time steps, as the scheme sees it. A signal that outlasts the record is faded out over its second half,
  so that its beginning sets off fast modes and not where it is cut. While it acts, it holds the mode at up to

      F_k = 1/2 (phi_k^T p max|s| / max(omega_k, Omega))^2

  Omega being how fast it changes. A mode is noticeable when E_k is a hundredth of the sum over all modes of E_k or F_k, whichever is more; and a
  ten-thousandth where it moves nonlinear joints and nothing resolves or damps it, as joints in microslip lose little. With ten steps in a period
  average acceleration is 3 % slow, (omega h)^2 / 12. With fewer than three a mode alternates from step to step, and the joints with it.
*/
#include <complex.h>
#include "transient.h"

enum { MOST_SAMPLES = 20000 };

static const PetscReal noticeable = 1e-2, noticeable_in_joints = 1e-4, enough_steps = 10.0;

/* The signal at time steps from its start on; `last` is how many intervals there are. */
typedef struct {
  PetscInt   last;
  PetscReal *value;
} Sampled;

static PetscErrorCode Sample(const Signal *signal, const Run *run, Sampled *sampled)
{
  const PetscReal h = run->options.time_step, end = SignalEnd(signal), first = PetscFloorReal(signal->start / h);
  const PetscReal room = PetscClipInterval((PetscReal)run->steps - first, 0.0, (PetscReal)MOST_SAMPLES);
  const PetscBool ends = (PetscBool)(end < h * (first + room));

  PetscFunctionBegin;
  sampled->last = (PetscInt)(ends ? PetscCeilReal(end / h) - first : room);
  PetscCall(PetscMalloc1(sampled->last + 1, &sampled->value));
  for (PetscInt n = 0; n <= sampled->last; n++) {
    const PetscReal late = 2.0 * (PetscReal)n / PetscMax((PetscReal)sampled->last, 1.0) - 1.0;
    const PetscReal fade = ends || late < 0.0 ? 1.0 : 0.5 + 0.5 * PetscCosReal(PETSC_PI * late);

    sampled->value[n] = fade * SignalValue(signal, (first + (PetscReal)n) * h);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* S(omega), but for its phase. */
static double complex Transform(const Sampled *sampled, PetscReal h, PetscReal omega)
{
  const double complex s = omega * (double complex)I, turn = cexp(-s * h), bend = (1.0 - turn) / (s * s * h);
  const double complex from = 1.0 / s - bend, to = bend - turn / s;
  double complex       sum = 0.0, phase = 1.0;

  for (PetscInt n = 0; n < sampled->last; n++) {
    sum += phase * (sampled->value[n] * from + sampled->value[n + 1] * to);
    phase *= turn;
  }
  return sum;
}

/* What modes get of the loads and the initial motion of a run. */
typedef struct {
  const Modes    *modes;
  PetscReal      *energy; /* [modes->count] E_k */
  double complex *impulse;
  PetscReal      *held; /* phi_k^T p max|s| / max(omega_k, Omega) of all loads */
  PetscReal       total;
} SetOff;

/* Omega [rad/s]; infinite where what S says of the signal is all. */
static PetscReal PaceOf(const Signal *signal)
{
  const PetscReal fastest = SignalFastest(signal);

  if (signal->kind == SIGNAL_RANDOM) return 2.0 * PETSC_PI / fastest;
  if (signal->kind == SIGNAL_TABLE) return PETSC_PI / (signal->samples[2 * (signal->num_samples - 1)] - signal->samples[0]);
  if (fastest == 0.0) return PETSC_INFINITY;
  return (signal->kind == SIGNAL_HALF_SINE ? PETSC_PI : 2.0 * PETSC_PI) / fastest;
}

static PetscErrorCode AddLoad(const Run *run, const Load *load, ModeCache *cache, SetOff *set_off)
{
  const Modes    *modes = set_off->modes;
  const PetscInt  n     = modes->num_unknowns;
  const PetscReal pace  = PaceOf(&load->signal);
  PetscReal      *force, largest = 0.0;
  Sampled         sampled;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(n, &force));
  PetscCall(LoadDistribution(load, cache, force));
  PetscCall(Sample(&load->signal, run, &sampled));
  for (PetscInt i = 0; i <= sampled.last; i++) largest = PetscMax(largest, PetscAbsReal(sampled.value[i]));
  for (PetscInt k = 0; k < modes->count; k++) {
    PetscReal push = 0.0;

    if (!(modes->omega[k] > 0.0)) continue;
    for (PetscInt j = 0; j < n; j++) push += modes->shape[k * n + j] * force[j];
    set_off->impulse[k] += push * Transform(&sampled, run->options.time_step, modes->omega[k]);
    set_off->held[k] += PetscAbsReal(push) * largest / PetscMax(modes->omega[k], pace);
  }
  PetscCall(PetscFree(sampled.value));
  PetscCall(PetscFree(force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* As if loads came at other phases. */
static PetscErrorCode AddInitial(const Run *run, const InitialKeys *initial, ModeCache *cache, SetOff *set_off)
{
  const Modes   *modes = set_off->modes;
  const PetscInt n     = modes->num_unknowns;
  PetscReal     *displacement, *velocity, *q, *rate;
  InitialMotion  motion;

  PetscFunctionBegin;
  PetscCall(PetscMalloc4(n, &displacement, n, &velocity, modes->count, &q, modes->count, &rate));
  PetscCall(InitialMotionFind(initial, cache, run->level, displacement, velocity, &motion));
  PetscCall(ModesProject(cache->system, modes, displacement, q));
  PetscCall(ModesProject(cache->system, modes, velocity, rate));
  for (PetscInt k = 0; k < modes->count; k++)
    if (modes->omega[k] > 0.0) set_off->energy[k] += 0.5 * (PetscSqr(modes->omega[k] * q[k]) + PetscSqr(rate[k]));
  PetscCall(PetscFree4(displacement, velocity, q, rate));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Find(const Run *run, const InitialKeys *initial, ModeCache *cache, SetOff *set_off)
{
  const PetscInt count = set_off->modes->count;

  PetscFunctionBegin;
  PetscCall(PetscCalloc3(count, &set_off->energy, count, &set_off->impulse, count, &set_off->held));
  for (PetscInt l = 0; l < run->num_loads; l++) PetscCall(AddLoad(run, &run->loads[l], cache, set_off));
  for (PetscInt k = 0; k < count; k++) set_off->energy[k] = 0.5 * creal(set_off->impulse[k] * conj(set_off->impulse[k]));
  PetscCall(AddInitial(run, initial, cache, set_off));
  for (PetscInt k = 0; k < count; k++) set_off->total += PetscMax(set_off->energy[k], 0.5 * PetscSqr(set_off->held[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether a tenth or more of a mode's strain energy is in nonlinear joints, which all stick. */
static PetscErrorCode MovesJoints(const System *system, const Modes *modes, PetscInt mode, PetscBool *moves)
{
  const PetscReal enough = 0.1;
  Vec             shape, motion, force;
  PetscScalar     energy;
  Mat             tangents;

  PetscFunctionBegin;
  PetscCall(SystemTangents(system, JOINT_STUCK, &tangents));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, modes->num_unknowns, modes->shape + mode * modes->num_unknowns, &shape));
  PetscCall(MatCreateVecs(tangents, &motion, &force));
  PetscCall(MatMult(system->B, shape, motion));
  PetscCall(MatMult(tangents, motion, force));
  PetscCall(VecDot(motion, force, &energy));
  *moves = (PetscBool)(energy >= enough * modes->eigenvalue[mode]);
  PetscCall(VecDestroy(&shape));
  PetscCall(VecDestroy(&motion));
  PetscCall(VecDestroy(&force));
  PetscCall(MatDestroy(&tangents));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool RunFollows(const Run *run, PetscReal omega)
{
  return (PetscBool)(enough_steps * omega * run->options.time_step <= 2.0 * PETSC_PI);
}

static PetscReal StepsInPeriod(const Run *run, const Modes *modes, PetscInt mode)
{
  return 2.0 * PETSC_PI / (modes->omega[mode] * run->options.time_step);
}

/* Fewer than three steps in a period, and no damping to speak of, neither of the mode nor of the scheme. */
static PetscBool Alternates(const Run *run, const System *system, const Modes *modes, PetscInt mode)
{
  const PetscReal few = 3.0, least = 2e-3;

  return (PetscBool)(StepperIsAverageAcceleration(&run->options) && StepsInPeriod(run, modes, mode) < few &&
                     ModalDamping(&system->damping, mode, modes->omega[mode]) < 2.0 * least * modes->omega[mode]);
}

/* The highest mode that matters and does not take steps enough; -1 for none. */
static PetscErrorCode Highest(const Run *run, const System *system, const SetOff *set_off, PetscInt *mode, PetscBool *in_joints)
{
  const Modes *modes = set_off->modes;

  PetscFunctionBegin;
  *in_joints = PETSC_FALSE;
  for (*mode = modes->count - 1; *mode >= 0 && modes->omega[*mode] > 0.0 && StepsInPeriod(run, modes, *mode) < enough_steps; --*mode) {
    const PetscReal share = set_off->energy[*mode] / set_off->total;

    if (share > noticeable) PetscFunctionReturn(PETSC_SUCCESS);
    if (share > noticeable_in_joints && system->names.num_nonlinear && Alternates(run, system, modes, *mode))
      PetscCall(MovesJoints(system, modes, *mode, in_joints));
    if (*in_joints) PetscFunctionReturn(PETSC_SUCCESS);
  }
  *mode = -1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RunWarnOfFastModes(const Run *run, const InputNode *study, const InitialKeys *initial, ModeCache *cache, PetscBool *warned)
{
  SetOff    set_off = {.modes = cache->modes[JOINT_STUCK]};
  PetscInt  mode;
  PetscBool in_joints;

  PetscFunctionBegin;
  PetscCall(Find(run, initial, cache, &set_off));
  PetscCall(Highest(run, cache->system, &set_off, &mode, &in_joints));
  *warned = (PetscBool)(mode >= 0);
  if (*warned) {
    const PetscReal omega = set_off.modes->omega[mode];

    LogWarn("%s: run %s takes %.2g time steps in a period of mode %" PetscInt_FMT ", %.4g Hz, to which its load or initial motion gives %.2g %% of "
            "the energy%s; ten or more follow it: a time_step of %.2g s%s",
            InputPath(study), run->name, StepsInPeriod(run, set_off.modes, mode), mode + 1, omega / (2.0 * PETSC_PI),
            100.0 * set_off.energy[mode] / set_off.total, in_joints ? ", and which moves the joints" : "", 2.0 * PETSC_PI / (enough_steps * omega),
            in_joints ? "; else damping or `alpha: -0.1` quiets it" : "");
  }
  PetscCall(PetscFree3(set_off.energy, set_off.impulse, set_off.held));
  PetscFunctionReturn(PETSC_SUCCESS);
}
