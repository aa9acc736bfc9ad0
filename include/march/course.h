/*
  course.h - how a moving support moves: displacement, velocity and acceleration, of which a signal gives one.

  What is not given follows by differentiation, where impulses of jumps are left out, or by integration from rest at time 0, by Gauss's rule
  over steps that end where the signal has a kink. Of a steady sine it is the steady sine. Of a random signal its lines are integrated without a
  drift, and pulses start the motion from rest and end it there.
*/
#pragma once
#include "march/signal.h"

typedef enum { COURSE_DISPLACEMENT, COURSE_VELOCITY, COURSE_ACCELERATION, NUM_COURSES } CourseGiven;

extern const char *const course_names[]; /* displacement, velocity, acceleration, then NULL */

typedef struct {
  const Signal *signal;
  CourseGiven   given;
  PetscReal     amplitude, step; /* [s] from one time at which integrals are kept to the next */
  PetscInt      reached;         /* steps that they have been summed over */
  PetscReal     sums[2];         /* of the signal, and of that, at this time */
} Course;

/* `signal` is borrowed; its frequency may change between motions. All of it is local. */
Course CourseCreate(const Signal *signal, CourseGiven given, PetscReal amplitude, PetscReal step);
/* Displacement, velocity, acceleration at a time; the same to the last bit whatever was asked before. Hot. */
void CourseFind(Course *course, PetscReal time, PetscReal motion[NUM_COURSES]);
