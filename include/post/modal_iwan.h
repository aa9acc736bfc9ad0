/*
  modal_iwan.h - the modal Iwan model of one mode of vibration [lacayo2017]: its frequency and damping over the amplitude, and its fit.
*/
#pragma once
#include "joint.h"
#include "post/decays.h"

/* The modal Iwan model of one mode [eq. 7 of lacayo2017]: a unit mass on a spring, a dashpot and a four-parameter Iwan element. */
typedef struct {
  PetscReal stiffness;  /* K_inf [1/s^2], while the joints slip */
  PetscReal damping;    /* zeta_0, ratio of the critical damping while they stick */
  PetscReal slip_force; /* F_S [N kg^-1/2] */
  PetscReal tangent;    /* K_T [1/s^2], what the joints add while they stick */
  PetscReal chi, beta;
} ModalIwan;

/* The parameters in the order of the struct. */
enum { MODAL_IWAN_STIFFNESS, MODAL_IWAN_DAMPING, MODAL_IWAN_SLIP_FORCE, MODAL_IWAN_TANGENT, MODAL_IWAN_CHI, MODAL_IWAN_BETA, MODAL_IWAN_SIZE };

/* The parameters as a list. Local. */
void ModalIwanList(const ModalIwan *model, PetscReal values[]);
/* The law of its element, and the parameters of that, [JOINT_MAX_PARAMETERS]. Local. */
const JointLaw *ModalIwanElement(const ModalIwan *model, PetscReal parameters[]);
/* Displacement from which all of the element slips, phi_max [eq. 10]. Local. */
PetscReal ModalIwanSlipAmplitude(const ModalIwan *model);

/* Of a model's curves: those of a free decay, where zeta is that of the displacement's amplitude (-d ln amplitude/dt / omega), or
   eqs 8 to 13 of lacayo2017 as printed but for the errata, which jump where all slips. */
typedef enum { MODAL_IWAN_RING_DOWN, MODAL_IWAN_PRINTED } ModalIwanForm;

/* Frequency and damping at this displacement amplitude. Local. */
void ModalIwanCurve(const ModalIwan *model, ModalIwanForm form, PetscReal amplitude, PetscReal *omega, PetscReal *zeta);

/* The model that explains a curve best, and how well. */
typedef struct {
  ModalIwan model;
  ModalIwan low, high;                       /* confidence intervals of 95 %; of what is not determined, all that a model may have */
  PetscBool determined[MODAL_IWAN_SIZE];     /* by the points, to within a factor of two; else the value stands for many others */
  PetscReal omega_misfit, zeta_misfit;       /* root mean square of the relative differences, of the points used */
  PetscReal least_amplitude, most_amplitude; /* of the points used */
  PetscInt  num_points, num_micro;           /* used; of them in microslip */
} ModalIwanFit;

/* Least squares of the ring-down form over the trusted points, from many starts; frequency and damping weigh as much as the model can
   explain them. `found` is false where the points cannot carry a model; `reason` says why. The same on every call. Local. */
PetscErrorCode ModalIwanFitCurve(PetscInt count, const RingDownPoint points[], PetscBool *found, ModalIwanFit *fit, char reason[], size_t size);
