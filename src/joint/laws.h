/* laws.h - the list of laws, each a file of this folder. */
#pragma once
#include "joint.h"

/* In the order of the help; a new law is a line here. */
// clang-format off
#define JOINT_LAWS(LAW) \
  LAW(spring) \
  LAW(damper) \
  LAW(cubic) \
  LAW(gap) \
  LAW(coulomb) \
  LAW(jenkins) \
  LAW(iwan4) \
  LAW(ramberg_osgood) \
  LAW(mindlin) \
  LAW(mindlin_spheres) \
  LAW(rough_interface) \
  LAW(rough_exponential) \
  LAW(dahl) \
  LAW(mindlin_dahl) \
  LAW(mindlin_dahl_simplified) \
  LAW(lugre) \
  LAW(tanh_friction) \
  LAW(bouc_wen) \
  LAW(bouc_wen_rough) \
  LAW(valanis) \
  LAW(generalized_valanis) \
  LAW(rough_contact) \
  LAW(rough_contact_fading)
// clang-format on

#define JOINT_DECLARE_LAW(name) extern const JointLaw joint_law_##name;
JOINT_LAWS(JOINT_DECLARE_LAW)
