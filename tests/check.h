/* check.h - what every test includes: cmocka, checks of PETSc codes and of numbers, and the main of a test program. */
#pragma once
#include <petscsys.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define assert_ok(code) CheckCode((code), #code, __FILE__, __LINE__)

/* |actual - expected| <= tolerance * |expected|; an expected zero asks for zero, so state `assert_near` there. */
#define assert_close(actual, expected, relative_tolerance) \
  CheckNumber((actual), (expected), (relative_tolerance)*fmax(fabs((double)(expected)), PETSC_MACHINE_EPSILON *PETSC_MACHINE_EPSILON), #actual, \
              __FILE__, __LINE__)

#define assert_near(actual, expected, absolute_tolerance) CheckNumber((actual), (expected), (absolute_tolerance), #actual, __FILE__, __LINE__)

static inline void CheckCode(PetscErrorCode code, const char *call, const char *file, int line)
{
  if (code == 0) return;
  print_error("%s gave error code %d\n", call, (int)code);
  _fail(file, line);
}

/* Written so that a NaN fails. */
static inline void CheckNumber(double actual, double expected, double tolerance, const char *what, const char *file, int line)
{
  const double error = fabs(actual - expected);

  if (error <= tolerance) return;
  print_error("%s is %.17g, not %.17g: off by %.3g (%.3g relative), allowed %.3g\n", what, actual, expected, error, error / fabs(expected),
              tolerance);
  _fail(file, line);
}

/* Runs the tests between PetscInitialize and PetscFinalize, or those of SLEPc; the program returns the number of failures. */
#define CHECK_MAIN(tests) CHECK_MAIN_BETWEEN(tests, PetscInitialize, PetscFinalize)
#define CHECK_MAIN_WITH_SLEPC(tests) CHECK_MAIN_BETWEEN(tests, SlepcInitialize, SlepcFinalize)

#define CHECK_MAIN_BETWEEN(tests, initialize, finalize) \
  int main(int argc, char **argv) \
  { \
    int failures; \
    if (initialize(&argc, &argv, NULL, NULL) != 0) return 1; \
    failures = cmocka_run_group_tests(tests, NULL, NULL); \
    if (finalize() != 0) return 1; \
    return failures; \
  }
