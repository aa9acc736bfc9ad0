/*
  functions.h - the functions of a law, made of those of its engine.

  The functions of an engine take as last arguments what the law adds (a backbone, a step), and are inline, so that the compiler puts it
  into their loops. Each macro here defines one function of a law, with the name and the arguments that joint.h gives it and what the
  law adds. An engine gathers its own, and the members of JointLaw that they become: MASING_FUNCTIONS(Backbone) before the JointLaw,
  MASING_LAW among its members.
*/
#pragma once
#include "joint.h"

/* All that is called becomes part of the function. Left to itself the compiler calls engines now and then, at half the speed. */
#define JOINT_FLAT __attribute__((flatten))

#define JOINT_LIMIT(Function, ...) \
  static void Limit(const JointBlock *block, JointState state, PetscReal stiffness[]) \
  { \
    Function(block, state, stiffness, __VA_ARGS__); \
  }

#define JOINT_EVALUATE(Function, ...) \
  JOINT_FLAT static void Evaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result) \
  { \
    Function(block, history, motion, result, __VA_ARGS__); \
  }

#define JOINT_COMMIT(Function, ...) \
  JOINT_FLAT static PetscErrorCode Commit(const JointBlock *block, JointHistory *history, const JointMotion *motion, const JointForce *result, \
                                          PetscReal dissipated[]) \
  { \
    return Function(block, history, motion, result, dissipated, __VA_ARGS__); \
  }

#define JOINT_DIFFERENTIATE(Function, ...) \
  static PetscErrorCode Differentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, const JointMotion *dmotion, \
                                      JointHistory *dhistory, PetscReal dforce[]) \
  { \
    return Function(block, history, motion, dmotion, dhistory, dforce, __VA_ARGS__); \
  }
