/* jenkins.h - the parameters of the law jenkins, for laws that become it with a give in series. */
#pragma once
#include "joint.h"

enum { JENKINS_STIFFNESS, JENKINS_SLIP_FORCE };

extern const JointLaw joint_law_jenkins;
