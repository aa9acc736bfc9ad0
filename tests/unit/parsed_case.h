/* parsed_case.h - a case from a text, and the complaints about it. */
#pragma once
#include <string.h>
#include "check.h"
#include "input.h"

static inline InputDocument *ParseCase(const char *text)
{
  InputDocument *document;

  assert_ok(InputParse(PETSC_COMM_WORLD, "case.yaml", text, strlen(text), &document));
  return document;
}

/* The first complaint is this one, of so many, after "error: case.yaml:". */
static inline void AssertComplaint(InputDocument *document, PetscInt count, const char *expected)
{
  char first[512] = "";

  assert_int_equal(InputNumComplaints(document), count);
  assert_ok(InputRetract(document, 0, first, sizeof first));
  assert_string_equal(first, expected);
  assert_ok(InputClose(&document));
}
