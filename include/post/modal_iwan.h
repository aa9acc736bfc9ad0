/*
  modal_iwan.h - the modal Iwan model of one mode of vibration [lacayo2017]: its frequency and damping over the amplitude, and its fit.
*/
#pragma once
#include "joint.h"
#include "post/decays.h"

/* The modal Iwan model of one mode [eq. 7 of lacayo2017]: a unit mass on a spring, a dashpot and a four-parameter Iwan element. */
typedef struct {
  PetscReal stiffness;  /* K_inf [1/s^2], of the mode when the joints slip */
  PetscReal damping;    /* zeta_0, damping ratio of the mode when the joints stick */
  PetscReal slip_force; /* F_S [N kg^-1/2] */
  PetscReal tangent;    /* K_T [1/s^2], stiffness that the joints add when they stick */
  PetscReal chi, beta;
} ModalIwan;

/* The parameters in the order of the struct. */
enum { MODAL_IWAN_STIFFNESS, MODAL_IWAN_DAMPING, MODAL_IWAN_SLIP_FORCE, MODAL_IWAN_TANGENT, MODAL_IWAN_CHI, MODAL_IWAN_BETA, MODAL_IWAN_SIZE };

/* The parameters as a list. Local. */
void ModalIwanList(const ModalIwan *model, PetscReal values[]);
/* The law of its element, and the parameters of that, [JOINT_MAX_PARAMETERS]. Local. */
const JointLaw *ModalIwanElement(const ModalIwan *model, PetscReal parameters[]);
/* The displacement at which the whole element begins to slip, phi_max [eq. 10]. Local. */
PetscReal ModalIwanSlipAmplitude(const ModalIwan *model);

/* Two forms of a model's curves. RING_DOWN: those of a free decay, where zeta = -d ln(amplitude of the displacement)/dt / omega. PRINTED:
   eqs 8 to 13 of lacayo2017 as printed, errata corrected; they jump at phi_max. */
typedef enum { MODAL_IWAN_RING_DOWN, MODAL_IWAN_PRINTED } ModalIwanForm;

/* Frequency and damping at an amplitude of the displacement. Local. */
void ModalIwanCurve(const ModalIwan *model, ModalIwanForm form, PetscReal amplitude, PetscReal *omega, PetscReal *zeta);

/* The model that fits a ring-down curve best, and how well it is known. */
typedef struct {
  ModalIwan model;
  ModalIwan low, high;                       /* confidence intervals of 95 %; the full admissible range where not determined */
  PetscBool determined[MODAL_IWAN_SIZE];     /* known to within a factor of two; otherwise the value is one of many that fit as well */
  PetscReal omega_misfit, zeta_misfit;       /* root mean squares of the relative deviations of the points used */
  PetscReal least_amplitude, most_amplitude; /* of the points used */
  PetscInt  num_points, num_micro;           /* used, and how many of them are in microslip */
} ModalIwanFit;

/* Least squares of the ring-down form over the trusted points, from many starts. Frequency and damping are weighted by how well the model
   can follow each. Where no model fits the points, `found` is false and `reason` says why. Every call gives the same result. Local. */
PetscErrorCode ModalIwanFitCurve(PetscInt count, const RingDownPoint points[], PetscBool *found, ModalIwanFit *fit, char reason[], size_t size);
