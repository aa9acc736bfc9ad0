/* laws.h - the laws that laws.c lists, one in each file of this folder. */
#pragma once
#include "joint.h"

extern const JointLaw joint_law_spring, joint_law_damper, joint_law_cubic, joint_law_gap, joint_law_jenkins, joint_law_iwan4, joint_law_mindlin,
  joint_law_mindlin_spheres, joint_law_rough_interface, joint_law_rough_exponential;
extern const JointLaw joint_law_dahl, joint_law_mindlin_dahl, joint_law_mindlin_dahl_simplified, joint_law_bouc_wen, joint_law_bouc_wen_rough,
  joint_law_valanis, joint_law_generalized_valanis, joint_law_rough_contact, joint_law_rough_contact_fading;
