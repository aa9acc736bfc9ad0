/* check.h - what every test includes: cmocka, checks of PETSc codes and of numbers, and the main of a test program. */
#pragma once
#include <petscsys.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define assert_ok(code) CheckCode((code), #code, __FILE__, __LINE__)

/* |actual - expected| <= tolerance * |expected|; an expected zero asks for zero, so state `assert_near` there. */
#define assert_close(actual, expected, relative_tolerance) \
  assert_near(actual, expected, (relative_tolerance)*fmax(fabs((double)(expected)), PETSC_MACHINE_EPSILON *PETSC_MACHINE_EPSILON))

#define assert_near(actual, expected, absolute_tolerance) \
  do { \
    static Margin margin_here = {__FILE__, #actual, __LINE__, -1, 0, NULL}; \
    CheckNumber((actual), (expected), (absolute_tolerance), &margin_here); \
  } while (0)

#define assert_at_least(actual, least, tolerance) assert_near((actual) >= (least) ? 0 : (least) - (actual), 0, tolerance)

/* A comparison in the source: the largest part of its tolerance that was used, and that tolerance. scripts/margins collects them. */
typedef struct Margin {
  const char    *file, *what;
  int            line;
  double         used, tolerance;
  struct Margin *next;
} Margin;

static Margin *first_margin;

static inline void MarginUpdate(Margin *margin, double used, double tolerance)
{
  if (margin->used < 0) {
    margin->next = first_margin;
    first_margin = margin;
  }
  if (used <= margin->used) return;
  margin->used      = used;
  margin->tolerance = tolerance;
}

/* Appends TEST FILE:LINE USED TOLERANCE for each comparison to the file DOVETAIL_TEST_MARGINS, if there is one. */
static inline void MarginsWrite(void)
{
  const char *path = getenv("DOVETAIL_TEST_MARGINS"), *test = getenv("DOVETAIL_TEST");
  FILE       *file = path ? fopen(path, "a") : NULL;

  for (const Margin *margin = first_margin; file && margin; margin = margin->next) {
    fprintf(file, "%s %s:%d %.6g %.3g\n", test ? test : "-", margin->file, margin->line, margin->used, margin->tolerance);
    fflush(file); /* whole lines, as other ranks write to it, too */
  }
  if (file) fclose(file);
}

static inline void CheckCode(PetscErrorCode code, const char *call, const char *file, int line)
{
  if (code == 0) return;
  print_error("%s gave error code %d\n", call, (int)code);
  _fail(file, line);
}

/* Written so that a NaN fails. */
static inline void CheckNumber(double actual, double expected, double tolerance, Margin *margin)
{
  const double error = fabs(actual - expected);

  MarginUpdate(margin, error > 0 ? error / tolerance : 0, tolerance);
  if (error <= tolerance) return;
  print_error("%s is %.17g, not %.17g: off by %.3g (%.3g relative), allowed %.3g\n", margin->what, actual, expected, error, error / fabs(expected),
              tolerance);
  _fail(margin->file, margin->line);
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
    MarginsWrite(); \
    if (finalize() != 0) return 1; \
    return failures; \
  }
