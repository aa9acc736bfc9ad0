/*
  unit.c - units that are written behind a number, and those of keys: what one is in the other.

  A unit is a product of powers, read from left to right: N s/m^2 is N s m^-2. Angles are a dimension of their own, so that Hz (2 pi rad/s) and
  rad/s are told apart; a unit that leaves rad out is accepted where a key has it, N m for N m/rad.
*/
#include "input_private.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KILOGRAM, METRE, SECOND, RADIAN, NUM_BASES };

/* Powers of ten are kept apart, so that 3 mm is the number that 0.003 is. */
typedef struct {
  PetscReal power[NUM_BASES];
  PetscReal ten, factor;
} Unit;

typedef struct {
  const char *name;
  PetscBool   prefixes; /* whether it takes them */
  Unit        unit;
} NamedUnit;

// clang-format off
static const NamedUnit named[] = {
  {"m", PETSC_TRUE, {{0, 1, 0, 0}, 0, 1}},
  {"g", PETSC_TRUE, {{1, 0, 0, 0}, -3, 1}},
  {"s", PETSC_TRUE, {{0, 0, 1, 0}, 0, 1}},
  {"rad", PETSC_TRUE, {{0, 0, 0, 1}, 0, 1}},
  {"N", PETSC_TRUE, {{1, 1, -2, 0}, 0, 1}},
  {"Pa", PETSC_TRUE, {{1, -1, -2, 0}, 0, 1}},
  {"J", PETSC_TRUE, {{1, 2, -2, 0}, 0, 1}},
  {"W", PETSC_TRUE, {{1, 2, -3, 0}, 0, 1}},
  {"Hz", PETSC_TRUE, {{0, 0, -1, 1}, 0, 2 * PETSC_PI}},
  {"bar", PETSC_TRUE, {{1, -1, -2, 0}, 5, 1}},
  {"t", PETSC_FALSE, {{1, 0, 0, 0}, 3, 1}},
  {"min", PETSC_FALSE, {{0, 0, 1, 0}, 0, 60}},
  {"deg", PETSC_FALSE, {{0, 0, 0, 1}, 0, PETSC_PI / 180}},
  {"\u00B0", PETSC_FALSE, {{0, 0, 0, 1}, 0, PETSC_PI / 180}},
  {"rpm", PETSC_FALSE, {{0, 0, -1, 1}, 0, 2 * PETSC_PI / 60}},
  {"%", PETSC_FALSE, {{0, 0, 0, 0}, -2, 1}},
};
static const struct {
  const char *name;
  PetscReal   ten;
} prefixes[] = {{"n", -9}, {"u", -6}, {"\u00B5", -6}, {"\u03BC", -6}, {"m", -3}, {"c", -2}, {"k", 3}, {"M", 6}, {"G", 9}};

static const char *const common[] = {"m", "mm", "cm", "um", "km", "kg", "g", "t", "s", "ms", "us", "min", "N", "mN", "kN", "MN", "Pa", "kPa", "MPa", "GPa",
                                     "bar", "J", "mJ", "kJ", "W", "Hz", "kHz", "rad", "mrad", "deg", "rpm", NULL};
// clang-format on

enum { NUM_NAMED = sizeof named / sizeof *named, NUM_PREFIXES = sizeof prefixes / sizeof *prefixes };

static const Unit *FindNamed(const char *name, size_t length, PetscBool prefixed)
{
  for (size_t i = 0; i < NUM_NAMED; i++) {
    if ((named[i].prefixes || !prefixed) && strlen(named[i].name) == length && strncmp(named[i].name, name, length) == 0) return &named[i].unit;
  }
  return NULL;
}

/* A name whole comes before one with a prefix: min is a minute, m a metre. */
static PetscBool FindUnit(const char *name, size_t length, Unit *unit)
{
  const Unit *found = FindNamed(name, length, PETSC_FALSE);

  if (found) {
    *unit = *found;
    return PETSC_TRUE;
  }
  for (size_t i = 0; i < NUM_PREFIXES; i++) {
    const size_t prefix = strlen(prefixes[i].name);

    found = prefix < length && strncmp(prefixes[i].name, name, prefix) == 0 ? FindNamed(name + prefix, length - prefix, PETSC_TRUE) : NULL;
    if (!found) continue;
    *unit = *found;
    unit->ten += prefixes[i].ten;
    return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

static void Multiply(const Unit *by, PetscReal power, Unit *unit)
{
  for (int b = 0; b < NUM_BASES; b++) unit->power[b] += power * by->power[b];
  unit->ten += power * by->ten;
  unit->factor *= PetscPowReal(by->factor, power);
}

/* Bytes of a name: letters, and what is not ASCII but neither dot nor power. */
static size_t MeasureName(const char *text)
{
  size_t length = 0;

  while (isalpha((unsigned char)text[length]) || text[length] == '%' ||
         ((unsigned char)text[length] >= 0x80 && strncmp(text + length, "\u00B7", 2) != 0 && strncmp(text + length, "\u00B2", 2) != 0 &&
          strncmp(text + length, "\u00B3", 2) != 0))
    length++;
  return length;
}

/* The power behind a name: ^2, ^-1/2, or a raised 2 or 3; 1 where there is none. */
static PetscBool ReadPower(const char **text, PetscReal *power)
{
  char *end;

  *power = 1;
  if (strncmp(*text, "\u00B2", 2) == 0 || strncmp(*text, "\u00B3", 2) == 0) {
    *power = strncmp(*text, "\u00B2", 2) == 0 ? 2 : 3;
    *text += 2;
    return PETSC_TRUE;
  }
  if (**text != '^') return PETSC_TRUE;
  if (!isdigit((unsigned char)(*text)[1 + ((*text)[1] == '-')])) return PETSC_FALSE;
  *power = (PetscReal)strtol(*text + 1, &end, 10);
  *text  = end;
  if (end[0] == '/' && isdigit((unsigned char)end[1])) {
    *power /= (PetscReal)strtol(end + 1, &end, 10);
    *text = end;
  }
  return PetscAbsReal(*power) <= 9 ? PETSC_TRUE : PETSC_FALSE; /* not so of what is no number */
}

/* What stands between two factors; whether the next one is divided by. */
static PetscBool SkipSign(const char **text)
{
  PetscBool divided = PETSC_FALSE;

  while (**text == ' ' || **text == '*' || **text == '/' || strncmp(*text, "\u00B7", 2) == 0) {
    if (**text == '/') divided = PETSC_TRUE;
    *text += (unsigned char)**text >= 0x80 ? 2 : 1;
  }
  return divided;
}

/* False where a part of it is no unit: `text` is then that part, `length` bytes of it. */
static PetscBool ParseUnit(const char **text, size_t *length, Unit *unit)
{
  *unit = (Unit){.factor = 1};
  if (**text == '1' && (*text)[1 + strspn(*text + 1, " ")] == '/') ++*text;
  if (strcmp(*text, "1") == 0) ++*text;
  while (**text) {
    const PetscBool divided = SkipSign(text);
    Unit            factor;
    PetscReal       power;
    const char     *after;

    *length = MeasureName(*text);
    if (*length == 0) *length = strlen(*text);
    after = *text + *length;
    if (!FindUnit(*text, *length, &factor) || !ReadPower(&after, &power)) return PETSC_FALSE;
    *text = after;
    Multiply(&factor, divided ? -power : power, unit);
  }
  return PETSC_TRUE;
}

static PetscBool SamePower(PetscReal a, PetscReal b)
{
  return PetscAbsReal(a - b) < 1e-9 ? PETSC_TRUE : PETSC_FALSE;
}

/* rad may be left out, where the key has no other angle. */
static PetscBool IsSameQuantity(const Unit *written, const Unit *wanted)
{
  for (int b = 0; b < RADIAN; b++) {
    if (!SamePower(written->power[b], wanted->power[b])) return PETSC_FALSE;
  }
  return SamePower(written->power[RADIAN], wanted->power[RADIAN]) || (SamePower(written->power[RADIAN], 0) && wanted->factor == 1) ? PETSC_TRUE
                                                                                                                                   : PETSC_FALSE;
}

/* Alternatives of a key stand between commas or the word `or`; " of a base" says where one holds. */
static const char *NextAlternative(const char *wanted, char one[], size_t size)
{
  const char *const comma = strstr(wanted, ", "), *const word = strstr(wanted, " or ");
  const char *const end    = comma && (!word || comma < word) ? comma : word;
  const size_t      length = end ? (size_t)(end - wanted) : strlen(wanted);
  char             *place;

  snprintf(one, size, "%.*s", (int)PetscMin(length, size - 1), wanted);
  if ((place = strstr(one, " of ")) || (place = strstr(one, " on "))) *place = '\0';
  return end ? end + (end == comma ? 2 : 4) : NULL;
}

/* value times factor times ten to a power, by the exponent of its digits: 0.7 cm is 0.007, not the number beside it. */
static PetscReal Scale(PetscReal value, PetscReal ten, PetscReal factor)
{
  const Digits digits   = DigitsOf(value);
  const size_t mantissa = strcspn(digits.text, "e");
  const int    exponent = digits.text[mantissa] ? atoi(digits.text + mantissa + 1) : 0;
  char         shifted[64];

  if (ten != PetscFloorReal(ten)) return value * PetscPowReal(10, ten) * factor;
  snprintf(shifted, sizeof shifted, "%.*se%d", (int)mantissa, digits.text, exponent + (int)ten);
  return InputParseNumber(shifted, &value) ? (PetscReal)NAN : value * factor;
}

static PetscBool ConvertTo(const Unit *unit, const char *wanted, PetscReal *value)
{
  while (wanted) {
    char        one[80];
    const char *text = one;
    size_t      length;
    Unit        key;

    wanted = NextAlternative(wanted, one, sizeof one);
    if (!ParseUnit(&text, &length, &key) || !IsSameQuantity(unit, &key)) continue;
    *value = Scale(*value, unit->ten - key.ten, unit->factor / key.factor);
    return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* What is wrong with a part of a unit. */
static void ExplainUnknown(const char *part, size_t length, char fault[], size_t size)
{
  char        name[40];
  const char *nearest;
  Unit        known;

  if (length == 0 || FindUnit(part, length, &known)) {
    if (length == 0) snprintf(fault, size, " - behind its last sign a unit is missing");
    else snprintf(fault, size, " - the power of '%.*s' is not a number from -9 to 9", (int)PetscMin(length, sizeof name - 1), part);
    return;
  }
  snprintf(name, sizeof name, "%.*s", (int)PetscMin(length, sizeof name - 1), part);
  nearest = InputNearest(name, common);
  snprintf(fault, size, " - '%s' is no unit that is known here%s%s%s", name, nearest ? "; did you mean '" : "", nearest ? nearest : "",
           nearest ? "'?" : "");
}

PetscBool InputConvertUnit(const char *written, const char *wanted, PetscReal *value, char fault[], size_t size)
{
  const char *text   = written;
  size_t      length = 0;
  Unit        unit;

  *fault = '\0';
  if (!isalpha((unsigned char)*written) && !strchr("%1/*", *written) && (unsigned char)*written < 0x80) return PETSC_FALSE;
  if (!ParseUnit(&text, &length, &unit)) {
    ExplainUnknown(text, length, fault, size);
    return PETSC_FALSE;
  }
  if (wanted && strcmp(wanted, INPUT_ANY_UNIT) == 0) *value = Scale(*value, unit.ten, unit.factor);
  else if (!ConvertTo(&unit, wanted ? wanted : "1", value)) {
    if (wanted) snprintf(fault, size, " - [%s] is another quantity than [%s]", written, wanted);
    else snprintf(fault, size, " - the number has no unit");
    return PETSC_FALSE;
  }
  if (PetscAbsReal(*value) <= PETSC_MAX_REAL) return PETSC_TRUE; /* not so of what is no number */
  snprintf(fault, size, " - it is too large or too small");
  return PETSC_FALSE;
}
