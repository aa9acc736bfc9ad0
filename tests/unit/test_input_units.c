/* test_input_units.c - arithmetic and units in the place of a number. */
#include "check.h"
#include "input.h"
#include <stdio.h>
#include <string.h>

typedef struct {
  PetscReal length, force, frequency, share, torsion, mixed, base, speed;
  PetscInt  count;
} Sample;

#define QUANTITY(name, its_unit) \
  { \
    .key = #name, .kind = INPUT_REAL, .offset = offsetof(Sample, name), .fallback = INPUT_OPTIONAL, .unit = its_unit \
  }

static const InputField fields[] = {
  QUANTITY(length, "m"),
  QUANTITY(force, "N"),
  QUANTITY(frequency, "Hz"),
  QUANTITY(share, NULL),
  QUANTITY(torsion, "N m/rad"),
  QUANTITY(mixed, "N or N m, N kg^-1/2 on a shape, m/s^2 of a base"),
  QUANTITY(base, "N/m^2 s"),
  QUANTITY(speed, "rad/s"),
  {.key = "count", .kind = INPUT_COUNT, .offset = offsetof(Sample, count), .fallback = INPUT_OPTIONAL},
  {.key = NULL},
};
static const InputTable table = {.name = "sample", .fields = fields};

static InputDocument *Read(const char *text, Sample *sample)
{
  InputDocument *document;

  *sample = (Sample){0};
  assert_ok(InputParse(PETSC_COMM_WORLD, "case.yaml", text, strlen(text), &document));
  assert_ok(InputRead(InputRoot(document), &table, sample));
  return document;
}

static PetscReal *MemberOf(Sample *sample, const char *line)
{
  for (const InputField *field = fields; field->key; field++) {
    if (strncmp(field->key, line, strlen(field->key)) == 0) return (PetscReal *)(void *)((char *)sample + field->offset);
  }
  return NULL;
}

/* Decimal prefixes give the very number that the decimal number is; angles and times are rounded once or twice. */
static void quantities_are_converted_to_the_unit_of_the_key(void **state)
{
  static const struct {
    const char *line;
    PetscReal   value, tolerance;
  } cases[] = {
    {"length: 5 mm", 0.005, 0},
    {"length: 3mm", 0.003, 0},
    {"length: 0.7 cm", 0.007, 0},
    {"length: -12.5 um", -12.5e-6, 0},
    {"length: 7 \u00B5m", 7e-6, 0},
    {"length: 1/3 m", 1.0 / 3.0, 0},
    {"length: (2 + 1)/4 mm", 0.00075, 0},
    {"force: 30 kN", 3e4, 0},
    {"force: 2 kg m/s^2", 2, 0},
    {"force: 3 MPa mm^2", 3, 0},
    {"force: 3 MPa*mm\u00B2", 3, 0},
    {"force: 1 kJ/m", 1e3, 0},
    {"force: 2 t\u00B7mm/s\u00B2", 2, 0},
    {"frequency: 50 Hz", 50, 0},
    {"frequency: 1.2 kHz", 1200, 0},
    {"frequency: 2*pi*50 rad/s", 50, 1e-15},
    {"frequency: 3000 rpm", 50, 1e-15},
    {"frequency: 360 deg/s", 1, 1e-15},
    {"share: 0.5 %", 0.005, 0},
    {"share: 1/8", 0.125, 0},
    {"share: 2^-1^2", 0.5, 0},
    {"share: -2^2", -4, 0},
    {"share: 2*-3", -6, 0},
    {"share: 1 - 2 - 3", -4, 0},
    {"share: 8/2/2", 2, 0},
    {"share: sqrt(2)", 1.4142135623730951, 1e-15},
    {"share: 2*pi", 6.283185307179586, 1e-15},
    {"share: 1e2*1.5E-1", 15, 1e-15},
    {"torsion: 6 N m", 6, 0},
    {"torsion: 6 N m/rad", 6, 0},
    {"torsion: 6 kN mm/rad", 6, 0},
    {"torsion: pi N m/deg", 180, 1e-15},
    {"mixed: 5 kN", 5e3, 0},
    {"mixed: 5 N m", 5, 0},
    {"mixed: 5 N/kg^1/2", 5, 0},
    {"mixed: 5 N g^-1/2", 158.11388300841895, 1e-15},
    {"mixed: 5 mm/s^2", 5e-3, 0},
    {"base: 4 kN s/m^2", 4e3, 0},
    {"base: 4 Pa ms", 4e-3, 0},
    {"base: 1 min N/m^2", 60, 0},
    {"speed: 1 Hz", 6.283185307179586, 1e-15},
    {"speed: 5 /s", 5, 0},
    {"speed: 5 1/s", 5, 0},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Sample         sample;
    InputDocument *document = Read(cases[i].line, &sample);

    assert_int_equal(InputNumComplaints(document), 0);
    assert_close(*MemberOf(&sample, cases[i].line), cases[i].value, 3 * cases[i].tolerance);
    assert_ok(InputClose(&document));
  }
}

static void whole_numbers_may_be_computed(void **state)
{
  Sample         sample;
  InputDocument *document = Read("count: 3*2^4", &sample);

  (void)state;
  assert_ok(InputVerdict(document));
  assert_int_equal(sample.count, 48);
  assert_string_equal(InputValues(document), "count: 48\n");
  assert_ok(InputClose(&document));
}

static void what_cannot_be_is_told(void **state)
{
  static const char *const pairs[][2] = {
    {"length: 5 N", " - [N] is another quantity than [m]"},
    {"length: 5 rad", " - [rad] is another quantity than [m]"},
    {"length: 5 m^2", " - [m^2] is another quantity than [m]"},
    {"length: 5 %", " - [%] is another quantity than [m]"},
    {"force: 5 kg", " - [kg] is another quantity than [N]"},
    {"frequency: 5 1/s", " - [1/s] is another quantity than [Hz]"}, /* 5 turns or 5 radians in a second */
    {"share: 5 mm", " - the number has no unit"},
    {"mixed: 5 Pa", " - [Pa] is another quantity than [N or N m, N kg^-1/2 on a shape, m/s^2 of a base]"},
    {"length: 5 M", " - 'M' is no unit that is known here; did you mean 'm'?"},
    {"force: 5 kn", " - 'kn' is no unit that is known here; did you mean 'kN'?"},
    {"length: 5 m^x", " - the power of 'm' is not a number from -9 to 9"},
    {"length: 5 lightyears", " - 'lightyears' is no unit that is known here"},
    {"length: 5 m / 2", " - '2' is no unit that is known here"},
    {"share: 1/0", " - it divides by zero"},
    {"share: 1/(2 - 2)", " - it divides by zero"},
    {"share: 0^-1", " - it divides by zero"},
    {"share: 1e200*1e200", " - it is too large"},
    {"share: 1e-200*1e-200", " - it is too small"},
    {"share: 10^999", " - it is too large"},
    {"share: sqrt(-1)", " - the root of a negative number is not real"},
    {"share: (-8)^(1/3)", " - it has no real value"},
    {"share: (1 + 2", " - a bracket is not closed"},
    {"share: 10-20", " - a sum has blanks on both sides of its sign"},
    {"share: 5 -3", " - a sum has blanks on both sides of its sign"},
    {"share: 1 + 010", " - a leading zero could mean octal"},
    {"share: 1,5 mm", " - the decimal mark is a point"},
    {"length: 5 mm)", " - ')' is no unit that is known here"},
    {"share: 2*", ""},
    {"share: pie", ""},
    {"share: ((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))", " - it has too many brackets in each other"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    FILE *const screen = PETSC_STDERR, *const file = tmpfile();
    Sample         sample;
    InputDocument *document = Read(pairs[i][0], &sample);
    char           text[1000], expected[300];

    assert_int_equal(InputNumComplaints(document), 1);
    PETSC_STDERR = file;
    assert_ok(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    assert_int_equal(InputVerdict(document), PETSC_ERR_USER_INPUT);
    assert_ok(PetscPopErrorHandler());
    PETSC_STDERR = screen;
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    snprintf(expected, sizeof expected, "%s\n", pairs[i][1]);
    assert_non_null(strstr(text, ": expected a number, found '"));
    if (strcmp(expected, strrchr(text, '\'') + (pairs[i][1][0] ? 0 : 1)) != 0) assert_non_null(strstr(text, expected));
    assert_ok(InputClose(&document));
  }
}

/* Who searches for a number by its path sees it in the unit of its key, and what is put in its place is in that, too. */
static void numbers_are_found_and_replaced_in_the_unit_of_their_key(void **state)
{
  Sample            sample;
  InputDocument    *document = Read("frequency: 3000 rpm\nlength: 1e3 mm\n", &sample);
  const InputNode **numbers;
  const char      **paths;
  PetscInt          count;
  PetscReal         value;

  (void)state;
  assert_ok(InputListNumbers(InputRoot(document), &count, &numbers, &paths));
  assert_int_equal(count, 2);
  assert_string_equal(paths[0], "frequency");
  assert_ok(InputGetReal(numbers[0], INPUT_ANY_UNIT, &value));
  assert_close(value, 50, 3e-15);
  assert_ok(InputReplaceNumber(numbers[1], 0.25));
  assert_ok(InputRead(InputRoot(document), &table, &sample));
  assert_close(sample.length, 0.25, 0);
  assert_ok(InputVerdict(document));
  assert_ok(PetscFree(numbers));
  assert_ok(PetscFree(paths));
  assert_ok(InputClose(&document));
}

static void one_of_several_units_can_be_asked_for(void **state)
{
  Sample                 sample;
  InputDocument         *document = Read("mixed: 5 N\nshare: 2\n", &sample);
  const InputNode *const root     = InputRoot(document);

  (void)state;
  assert_ok(InputCheckUnit(InputFind(root, "mixed"), "N"));
  assert_ok(InputCheckUnit(InputFind(root, "share"), "N"));
  assert_int_equal(InputNumComplaints(document), 0);
  assert_ok(InputCheckUnit(InputFind(root, "mixed"), "m/s^2"));
  assert_int_equal(InputNumComplaints(document), 1);
  assert_ok(InputClose(&document));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(quantities_are_converted_to_the_unit_of_the_key),
  cmocka_unit_test(whole_numbers_may_be_computed),
  cmocka_unit_test(what_cannot_be_is_told),
  cmocka_unit_test(numbers_are_found_and_replaced_in_the_unit_of_their_key),
  cmocka_unit_test(one_of_several_units_can_be_asked_for),
};
CHECK_MAIN(tests)
