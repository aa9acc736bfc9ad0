/* supports.c - moving supports in a harmonic balance: their columns of the matrices over the modes, and the forces that move them. */
#include "harmonic/supports.h"
#include "march/support_damping.h"
#include "rows.h"

/* Columns on the unknowns over the modes. */
static void OverModes(const Modes *modes, const PetscReal on_unknowns[], PetscReal row[])
{
  RowsTimes(modes->count, modes->num_unknowns, modes->shape, on_unknowns, row);
}

static PetscErrorCode TakeMatrices(const Modes *modes, HarmonicSupports *s)
{
  const PetscInt n_unknowns = s->system->num_unknowns;
  PetscReal     *damping;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(s->count * n_unknowns, &damping));
  PetscCall(SupportDampingFind(s->system, modes, damping, s->own_damping));
  for (PetscInt i = 0; i < s->count; i++) {
    const SystemSupport *const support = &s->system->supports[i];

    OverModes(modes, support->stiffness, s->stiffness + i * s->n);
    OverModes(modes, damping + i * n_unknowns, s->damping + i * s->n);
    OverModes(modes, support->mass, s->mass + i * s->n);
    for (PetscInt j = 0; j < s->n; j++) s->follows[i * s->n + j] = ModeFollows(modes, j, support->stiffness);
  }
  PetscCall(PetscFree(damping));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A velocity is i W times a displacement. */
static void TakeLoad(const Load *load, HarmonicSupports *s)
{
  const PetscInt place = LoadSystemPlace(load, s->system);

  if (load->place == LOAD_ON_SUPPORT) HarmonicSineAdd(&s->motion[load->support], -(PetscInt)load->given, load->amplitude, load->signal.phase);
  for (PetscInt i = 0; i < s->count && place >= 0; i++)
    HarmonicSineAdd(&s->pushed[i], 0, LoadFactor(load) * s->system->supports[i].place[place], load->signal.phase);
}

PetscErrorCode HarmonicSupportsCreate(const System *system, const Modes *modes, PetscInt num_loads, const Load loads[], HarmonicSupports **supports)
{
  const PetscInt    count = system->names.num_supports, n = modes->count;
  HarmonicSupports *s;

  PetscFunctionBegin;
  *supports = NULL;
  if (count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscNew(supports));
  s  = *supports;
  *s = (HarmonicSupports){.system = system, .count = count, .n = n};
  PetscCall(PetscCalloc2(count, &s->motion, count, &s->pushed));
  PetscCall(
    PetscCalloc5(count * n, &s->stiffness, count * n, &s->damping, count * n, &s->mass, count * count, &s->own_damping, count * n, &s->follows));
  PetscCall(TakeMatrices(modes, s));
  for (PetscInt l = 0; l < num_loads; l++) TakeLoad(&loads[l], s);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicSupportsDestroy(HarmonicSupports **supports)
{
  HarmonicSupports *const s = *supports;

  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree2(s->motion, s->pushed));
  PetscCall(PetscFree5(s->stiffness, s->damping, s->mass, s->own_damping, s->follows));
  PetscCall(PetscFree(*supports));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void HarmonicSupportsPush(const HarmonicSupports *s, HarmonicSine load[])
{
  for (PetscInt i = 0; s && i < s->count; i++)
    for (PetscInt j = 0; j < s->n; j++) {
      HarmonicSineAddTimes(&load[j], 0, -s->stiffness[i * s->n + j], &s->motion[i]);
      HarmonicSineAddTimes(&load[j], 1, -s->damping[i * s->n + j], &s->motion[i]);
      HarmonicSineAddTimes(&load[j], 2, -s->mass[i * s->n + j], &s->motion[i]);
    }
}

void HarmonicSupportsMove(const HarmonicSupports *s, PetscInt place, PetscReal share, HarmonicSine *given)
{
  for (PetscInt i = 0; s && i < s->count; i++) HarmonicSineAddTimes(given, 0, share * s->system->supports[i].place[place], &s->motion[i]);
}

/* (K_ss + i W C_ss - W^2 M_ss) u_s - p_s of one of them, at level 1. */
static HarmonicSine OwnForce(const HarmonicSupports *s, PetscInt i)
{
  const SystemSupport *const support = &s->system->supports[i];
  HarmonicSine               force   = {{0.0}, {0.0}};

  HarmonicSineAddTimes(&force, 0, -1.0, &s->pushed[i]);
  for (PetscInt t = 0; t < s->count; t++) {
    HarmonicSineAddTimes(&force, 0, support->own_stiffness[t], &s->motion[t]);
    HarmonicSineAddTimes(&force, 1, s->own_damping[i * s->count + t], &s->motion[t]);
    HarmonicSineAddTimes(&force, 2, support->own_mass[t], &s->motion[t]);
  }
  return force;
}

void HarmonicSupportsReact(const HarmonicSupports *s, PetscInt k, PetscReal frequency, PetscReal level, const PetscReal q_c[], const PetscReal q_s[],
                           const PetscReal remainder_c[], const PetscReal remainder_s[], PetscReal c[], PetscReal sine[])
{
  const PetscReal kW = (PetscReal)k * frequency;

  for (PetscInt i = 0; i < s->count; i++) {
    const PetscReal *const K = s->stiffness + i * s->n, *const C = s->damping + i * s->n, *const M = s->mass + i * s->n;
    const PetscReal *const place  = s->system->supports[i].place;
    PetscReal              own[2] = {0.0, 0.0};

    if (k == 1) {
      const HarmonicSine force = OwnForce(s, i);

      HarmonicSineAt(&force, frequency, own, NULL);
    }
    c[i]    = level * own[0];
    sine[i] = level * own[1];
    for (PetscInt j = 0; j < s->n; j++) {
      const PetscReal elastic = K[j] - kW * kW * M[j], viscous = kW * C[j];

      c[i] += elastic * q_c[j] + viscous * q_s[j];
      sine[i] += elastic * q_s[j] - viscous * q_c[j];
    }
    c[i] += RowsTimesOne(s->system->names.num_nonlinear, place, remainder_c);
    sine[i] += RowsTimesOne(s->system->names.num_nonlinear, place, remainder_s);
  }
}
