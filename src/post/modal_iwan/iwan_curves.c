/* iwan_curves.c - frequency and damping of a modal Iwan model against amplitude; see NOTES.md. */
#include "iwan_curves.h"

static IwanCurves CurvesOf(const ModalIwan *model)
{
  IwanCurves curves = {
    .stiffness = DualConstant(model->stiffness),
    .damping   = DualConstant(model->damping),
    .tangent   = DualConstant(model->tangent),
    .phi_max   = DualConstant(ModalIwanSlipAmplitude(model)),
    .chi       = DualConstant(model->chi),
    .share     = DualConstant(1 / (1 + model->beta)),
  };

  IwanCurvesPrepare(&curves);
  return curves;
}

void ModalIwanList(const ModalIwan *model, PetscReal values[])
{
  values[MODAL_IWAN_STIFFNESS]  = model->stiffness;
  values[MODAL_IWAN_DAMPING]    = model->damping;
  values[MODAL_IWAN_SLIP_FORCE] = model->slip_force;
  values[MODAL_IWAN_TANGENT]    = model->tangent;
  values[MODAL_IWAN_CHI]        = model->chi;
  values[MODAL_IWAN_BETA]       = model->beta;
}

PetscReal ModalIwanSlipAmplitude(const ModalIwan *model)
{
  const PetscReal ratio = (model->chi + 1) / (model->chi + 2);

  return model->slip_force * (1 + model->beta) / (model->tangent * (model->beta + ratio));
}

/* The first half of the nodes and weights of Gauss's rule of 16 points on [0, 1]; the rule is symmetric. */
static const struct {
  PetscReal node, weight;
} gauss[] = {
  {0.0052995325041750307, 0.013576229705877019}, {0.0277124884633837, 0.031126761969323853},  {0.067184398806084122, 0.047579255841246296},
  {0.1222977958224985, 0.062314485627767015},    {0.19106187779867811, 0.074797994408288382}, {0.27099161117138632, 0.08457825969750131},
  {0.35919822461037054, 0.091301707522461806},   {0.45249374508118129, 0.094725305227534293},
};

enum { NUM_PAIRS = sizeof gauss / sizeof gauss[0] };

/* (2/pi) int_0^angle sin(t)^2 y^power dt, where y = sin(t/2)^2 ends at `cut`. The substitution t = angle s^2 smooths the power
   at its beginning: the error is below 1e-12. */
static Dual PowerMoment(Dual power, Dual cut)
{
  const PetscReal angle = 2 * asin(PetscSqrtReal(cut.value));
  PetscReal       sum = 0, by_power = 0;

  for (PetscInt i = 0; i < 2 * NUM_PAIRS; i++) {
    const PetscReal s    = i < NUM_PAIRS ? gauss[i].node : 1 - gauss[i - NUM_PAIRS].node;
    const PetscReal sine = PetscSinReal(angle * s * s / 2), y = sine * sine, ln_y = PetscLogReal(y);
    const PetscReal term = gauss[i % NUM_PAIRS].weight * s * y * (1 - y) * PetscExpReal(power.value * ln_y);

    sum += term;
    by_power += term * ln_y;
  }
  sum *= 16 * angle / PETSC_PI;
  by_power *= 16 * angle / PETSC_PI;
  return DualOfTwo(sum, power, by_power, cut, 4 / PETSC_PI * PetscSinReal(angle) * PetscPowReal(cut.value, power.value));
}

/* The same integral for power 0. */
static Dual LinearMoment(Dual cut)
{
  const PetscReal angle = 2 * asin(PetscSqrtReal(cut.value)), sine = PetscSinReal(angle);

  return DualOf((angle - sine * PetscCosReal(angle)) / PETSC_PI, cut, 4 / PETSC_PI * sine);
}

void IwanCurvesPrepare(IwanCurves *curves)
{
  curves->moment = PowerMoment(DualShift(curves->chi, 1), DualConstant(1));
}

Dual IwanCurvesSecant(const IwanCurves *curves)
{
  return DualSubtract(DualConstant(1), DualDivide(curves->share, DualShift(curves->chi, 2)));
}

/* The loop of the element at an amplitude: stiffness of its first harmonic, slope of the backbone at the reversal, and energy lost in a cycle
   over amplitude^2. */
typedef struct {
  Dual harmonic, slope, loss;
} Loop;

/* 4 R / ((chi + 2) (chi + 3)) of eq. 9, by phi_max^(chi + 1). */
static Dual LossFactor(const IwanCurves *c)
{
  const Dual powers = DualMultiply(DualShift(c->chi, 2), DualShift(c->chi, 3));

  return DualScale(4, DualDivide(DualMultiply(DualMultiply(c->tangent, c->share), DualShift(c->chi, 1)), powers));
}

static Loop MicroslipLoop(const IwanCurves *c, Dual ratio)
{
  const Dual power    = DualExp(DualMultiply(DualShift(c->chi, 1), DualLog(ratio))); /* (amplitude / phi_max)^(chi + 1) */
  const Dual slipping = DualMultiply(DualMultiply(c->tangent, c->share), power);

  return (Loop){
    .harmonic = DualSubtract(c->tangent, DualMultiply(slipping, c->moment)),
    .slope    = DualSubtract(c->tangent, slipping),
    .loss     = DualMultiply(LossFactor(c), power),
  };
}

/* The loss is that at phi_max plus 4 F_S (amplitude - phi_max). */
static Loop MacroslipLoop(const IwanCurves *c, Dual ratio)
{
  const Dual cut = DualDivide(DualConstant(1), ratio), power = DualShift(c->chi, 1);
  const Dual rise     = DualMultiply(c->share, DualExp(DualMultiply(power, DualLog(ratio))));
  const Dual harmonic = DualSubtract(LinearMoment(cut), DualMultiply(rise, PowerMoment(power, cut)));
  const Dual slipped  = DualMultiply(cut, DualSubtract(DualConstant(1), cut));
  const Dual further  = DualScale(4, DualMultiply(DualMultiply(c->tangent, IwanCurvesSecant(c)), slipped));

  return (Loop){
    .harmonic = DualMultiply(c->tangent, harmonic),
    .slope    = DualConstant(0),
    .loss     = DualAdd(DualMultiply(LossFactor(c), DualMultiply(cut, cut)), further),
  };
}

/* The last line is the frequency of a damped oscillator, sqrt(1 - zeta^2) of the undamped one to the order of zeta^2. */
void IwanCurvesEvaluate(const IwanCurves *c, PetscReal amplitude, Dual *ln_omega, Dual *ln_zeta)
{
  const Dual ratio     = DualDivide(DualConstant(amplitude), c->phi_max);
  const Loop loop      = ratio.value < 1 ? MicroslipLoop(c, ratio) : MacroslipLoop(c, ratio);
  const Dual ln_stuck  = DualScale(0.5, DualLog(DualAdd(c->stiffness, c->tangent)));
  const Dual undamped  = DualScale(0.5, DualLog(DualAdd(c->stiffness, loop.harmonic)));
  const Dual viscous   = DualScale(2 * PETSC_PI, DualMultiply(c->damping, DualExp(DualAdd(ln_stuck, undamped))));
  const Dual stiffness = DualScale(2 * PETSC_PI, DualAdd(c->stiffness, loop.slope));
  const Dual zeta      = DualDivide(DualAdd(loop.loss, viscous), stiffness);

  *ln_zeta  = DualLog(zeta);
  *ln_omega = DualSubtract(undamped, DualScale(0.5, DualLog(DualShift(DualMultiply(zeta, zeta), 1))));
}

/* Eqs 8 to 13 as printed, with (chi + 2) in eq. 8 corrected. */
static void PrintedCurve(const ModalIwan *model, PetscReal amplitude, PetscReal *omega, PetscReal *zeta)
{
  const PetscReal chi = model->chi, phi_max = ModalIwanSlipAmplitude(model), power = PetscPowReal(amplitude / phi_max, chi + 1);
  const PetscReal R         = model->slip_force * (chi + 1) / (PetscPowReal(phi_max, chi + 2) * (model->beta + (chi + 1) / (chi + 2)));
  PetscReal       stiffness = model->stiffness, loss = 4 * model->slip_force * amplitude;

  if (amplitude < phi_max) {
    stiffness += model->tangent * (1 - power / ((chi + 2) * (model->beta + 1)));
    loss = 4 * R * PetscPowReal(amplitude, chi + 3) / ((chi + 3) * (chi + 2));
  }
  *omega = PetscSqrtReal(stiffness);
  loss += 2 * PETSC_PI * model->damping * PetscSqrtReal(model->stiffness + model->tangent) * *omega * PetscSqr(amplitude);
  *zeta = loss / (2 * PETSC_PI * PetscSqr(*omega * amplitude));
}

void ModalIwanCurve(const ModalIwan *model, ModalIwanForm form, PetscReal amplitude, PetscReal *omega, PetscReal *zeta)
{
  const IwanCurves curves = CurvesOf(model);
  Dual             ln_omega, ln_zeta;

  if (form == MODAL_IWAN_PRINTED) {
    PrintedCurve(model, amplitude, omega, zeta);
    return;
  }
  IwanCurvesEvaluate(&curves, amplitude, &ln_omega, &ln_zeta);
  *omega = PetscExpReal(ln_omega.value);
  *zeta  = PetscExpReal(ln_zeta.value);
}

const JointLaw *ModalIwanElement(const ModalIwan *model, PetscReal parameters[])
{
  const PetscReal in_order[] = {model->slip_force, model->tangent, model->chi, model->beta, 0.0}; /* no sliders: exact */

  for (size_t i = 0; i < sizeof(in_order) / sizeof(*in_order); i++) parameters[i] = in_order[i];
  return JointLawFind("iwan4");
}
