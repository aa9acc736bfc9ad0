/* test_input.c - reading values by tables, and the complaints about them. */
#include "check.h"
#include "input.h"
#include <locale.h>
#include <stdio.h>
#include <string.h>

static const char *const methods[] = {"average", "linear", "hht", NULL};

typedef struct {
  PetscReal        slip_force, chi;
  PetscInt         steps, method;
  PetscBool        resume;
  const char      *title, *path;
  InputReals       levels;
  InputTexts       watch;
  const InputNode *load;
} Sample;

// clang-format off
static const InputField fields[] = {
  {.key = "slip_force", .kind = INPUT_REAL, .offset = offsetof(Sample, slip_force), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE,
   .unit = "N", .help = "where it slides"},
  {.key = "chi", .kind = INPUT_REAL, .offset = offsetof(Sample, chi), .fallback = -0.5, .least = -1, .above = PETSC_TRUE, .help = "exponent"},
  {.key = "steps", .kind = INPUT_COUNT, .offset = offsetof(Sample, steps), .fallback = 10, .least = 1, .most = PETSC_INFINITY, .help = "steps"},
  {.key = "method", .kind = INPUT_WORD, .offset = offsetof(Sample, method), .fallback = 2, .words = methods, .help = "of integration"},
  {.key = "resume", .kind = INPUT_TRUTH, .offset = offsetof(Sample, resume), .fallback = 1, .help = "go on"},
  {.key = "title", .kind = INPUT_TEXT, .offset = offsetof(Sample, title), .help = "in words"},
  {.key = "path", .kind = INPUT_PATH, .offset = offsetof(Sample, path), .help = "of a file"},
  {.key = "levels", .kind = INPUT_REALS, .offset = offsetof(Sample, levels), .fallback = INPUT_OPTIONAL, .most = 10, .unit = "m", .help = "numbers"},
  {.key = "watch", .kind = INPUT_TEXTS, .offset = offsetof(Sample, watch), .help = "names"},
  {.key = "load", .kind = INPUT_NODE, .offset = offsetof(Sample, load), .help = "a structure"},
  {.key = NULL},
};
// clang-format on
static const InputTable table = {.name = "sample", .summary = "one of every kind", .fields = fields};

static InputDocument *Parse(const char *text)
{
  InputDocument *document;

  assert_ok(InputParse(PETSC_COMM_WORLD, "in/case.yaml", text, strlen(text), &document));
  return document;
}

/* What InputVerdict prints. */
static void Print(InputDocument *document, char text[], size_t size)
{
  FILE *const screen = PETSC_STDERR, *const file = tmpfile();
  const PetscErrorCode expected = InputNumComplaints(document) ? PETSC_ERR_USER_INPUT : PETSC_SUCCESS;
  PetscErrorCode       verdict;

  assert_non_null(file);
  PETSC_STDERR = file;
  assert_ok(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  verdict = InputVerdict(document);
  assert_ok(PetscPopErrorHandler());
  PETSC_STDERR = screen;
  assert_int_equal(verdict, expected);
  rewind(file);
  text[fread(text, 1, size - 1, file)] = '\0';
  fclose(file);
}

static void AssertComplaints(InputDocument *document, const char *expected)
{
  char text[8192];

  Print(document, text, sizeof text);
  assert_string_equal(text, expected);
  assert_ok(InputClose(&document));
}

/* A sample with the given further lines is read with one complaint. */
static void AssertRefused(const char *lines, const char *expected)
{
  char           text[4096], line[4096];
  InputDocument *document;
  Sample         sample = {0};

  snprintf(text, sizeof text, "slip_force: 1\n%s", lines);
  snprintf(line, sizeof line, "error: in/case.yaml:%s\n", expected);
  document = Parse(text);
  assert_ok(InputRead(InputRoot(document), &table, &sample));
  AssertComplaints(document, line);
}

static void every_kind_is_read(void **state)
{
  InputDocument *document = Parse("slip_force: 30.7\nchi: -.25\nsteps: 1e3\nmethod: linear\nresume: no\ntitle: 'a title'\npath: data/x.csv\n"
                                  "levels: [1, 2.5, +1e-3, 5.]\nwatch: [p1, p 2]\nload: {sine: 3}\n");
  Sample         sample   = {0};

  (void)state;
  assert_ok(InputRead(InputRoot(document), &table, &sample));
  assert_ok(InputVerdict(document));
  assert_close(sample.slip_force, 30.7, 0);
  assert_close(sample.chi, -0.25, 0);
  assert_int_equal(sample.steps, 1000);
  assert_int_equal(sample.method, 1);
  assert_false(sample.resume);
  assert_string_equal(sample.title, "a title");
  assert_string_equal(sample.path, "in/data/x.csv");
  assert_int_equal(sample.levels.count, 4);
  assert_close(sample.levels.values[2], 1e-3, 0);
  assert_close(sample.levels.values[3], 5, 0);
  assert_int_equal(sample.watch.count, 2);
  assert_string_equal(sample.watch.values[1], "p 2");
  assert_true(InputIsMap(sample.load));
  assert_string_equal(InputPath(InputFind(sample.load, "sine")), "load.sine");
  assert_string_equal(InputKey(sample.load, 0), "sine");
  assert_string_equal(InputValues(document), "slip_force: 30.7 [N]\nchi: -0.25\nsteps: 1000\nmethod: linear\nresume: no\ntitle: a title\n"
                                             "path: data/x.csv\nlevels: [1, 2.5, 0.001, 5] [m]\nwatch: [p1, \"p 2\"]\n");
  assert_ok(InputClose(&document));
  assert_null(document);
}

static void absent_values_fall_back(void **state)
{
  InputDocument  *document = Parse("slip_force: 1\n");
  const PetscReal before   = 7;
  Sample          sample   = {.levels = {.count = 1, .values = &before}, .title = "old", .watch = {.count = 3}};

  (void)state;
  assert_ok(InputRead(InputRoot(document), &table, &sample));
  assert_ok(InputVerdict(document));
  assert_close(sample.chi, -0.5, 0);
  assert_int_equal(sample.steps, 10);
  assert_int_equal(sample.method, 2);
  assert_true(sample.resume);
  assert_null(sample.title);
  assert_null(sample.path);
  assert_null(sample.load);
  assert_int_equal(sample.watch.count, 0);
  assert_ptr_equal(sample.levels.values, &before); /* INPUT_OPTIONAL stays */
  assert_string_equal(InputValues(document), "slip_force: 1 [N]\nchi: -0.5\nsteps: 10\nmethod: hht\nresume: yes\n");
  assert_ok(InputClose(&document));
}

static void a_refused_value_leaves_a_usable_one(void **state)
{
  InputDocument *document = Parse("slip_force: x\nchi: 3\nsteps: 0\nmethod: x\nlevels: [-1, 2]\nwatch: [{}, p]\n");
  Sample         sample   = {0};

  (void)state;
  assert_ok(InputRead(InputRoot(document), &table, &sample));
  assert_int_equal(InputNumComplaints(document), 6);
  assert_true(sample.slip_force > 0);
  assert_close(sample.chi, -0.5, 0);
  assert_int_equal(sample.steps, 10);
  assert_int_equal(sample.method, 2);
  assert_int_equal(sample.levels.count, 2);
  assert_true(sample.levels.values[0] >= 0 && sample.levels.values[0] <= 10);
  assert_int_equal(sample.watch.count, 1);
  assert_string_equal(sample.watch.values[0], "p");
  assert_ok(InputClose(&document));
}

static void what_is_no_number_is_refused(void **state)
{
  static const char *const pairs[][2] = {
    {"abc", "found 'abc'"},
    {"3 kN", "found '3 kN' - the number has no unit"},
    {"3kN", "found '3kN' - the number has no unit"},
    {"-210 GPa", "found '-210 GPa' - the number has no unit"},
    {"1,5", "found '1,5' - the decimal mark is a point"},
    {"1_000", "found '1_000' - digits are not grouped"},
    {"0x10", "found '0x10' - numbers are decimal"},
    {"010", "found '010' - a leading zero could mean octal"},
    {"-007.5", "found '-007.5' - a leading zero could mean octal"},
    {"1d3", "found '1d3' - the exponent is written with e"},
    {".nan", "found '.nan' - it must be finite"},
    {"NaN", "found 'NaN' - it must be finite"},
    {"-.inf", "found '-.inf' - it must be finite"},
    {"Infinity", "found 'Infinity' - it must be finite"},
    {"1e999", "found '1e999' - it is too large"},
    {"1e-999", "found '1e-999' - it is too small"},
    {"1e", "found '1e' - 'e' is no unit that is known here"},
    {"1.2.3", "found '1.2.3'"},
    {"1:30", "found '1:30'"},
    {".", "found '.'"},
    {"--1", "found '--1'"},
    {"'3'", "found the text '3' - remove the quotes"},
    {"[1]", "found a list"},
    {"{a: 1}", "found a map"},
    {"yes", "found 'yes'"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    char text[100], expected[300];

    snprintf(text, sizeof text, "chi: %s\n", pairs[i][0]);
    snprintf(expected, sizeof expected, "2:6: chi: expected a number, %s", pairs[i][1]);
    AssertRefused(text, expected);
  }
}

static void numbers_do_not_depend_on_the_locale(void **state)
{
  static const char *const commas[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
  PetscBool                found    = PETSC_FALSE;
  InputDocument           *document;
  PetscReal                value;

  (void)state;
  for (size_t i = 0; i < sizeof commas / sizeof *commas && !found; i++) found = setlocale(LC_NUMERIC, commas[i]) ? PETSC_TRUE : PETSC_FALSE;
  if (!found) skip();
  document = Parse("a: -12.5e-1\n");
  assert_ok(InputGetReal(InputFind(InputRoot(document), "a"), NULL, &value));
  setlocale(LC_NUMERIC, "C");
  assert_close(value, -1.25, 0);
  assert_string_equal(InputValues(document), "a: -1.25\n");
  assert_ok(InputClose(&document));
}

static void numbers_are_echoed_so_that_they_read_back(void **state)
{
  InputDocument *document = Parse("a: 0.1\nb: 0.30000000000000004\nc: 200000\nd: -0\ne: 123456789012345678\n");

  (void)state;
  for (PetscInt i = 0; i < InputCount(InputRoot(document)); i++) {
    PetscReal value;

    assert_ok(InputGetReal(InputItem(InputRoot(document), i), NULL, &value));
    assert_ok(InputGetReal(InputItem(InputRoot(document), i), NULL, &value)); /* twice read, once echoed */
  }
  assert_string_equal(InputValues(document), "a: 0.1\nb: 0.30000000000000004\nc: 200000\nd: -0\ne: 1.2345678901234568e+17\n");
  assert_ok(InputClose(&document));
}

static void keys_that_are_no_plain_names_are_quoted_in_paths(void **state)
{
  InputDocument *document = Parse("a: {b: 1}\na.b: 2\n\"a\\n\\\"c\": 3\n");
  PetscInt       value;

  (void)state;
  assert_ok(InputGetCount(InputItem(InputItem(InputRoot(document), 0), 0), &value));
  assert_ok(InputGetCount(InputItem(InputRoot(document), 1), &value));
  assert_ok(InputGetCount(InputItem(InputRoot(document), 2), &value));
  assert_string_equal(InputValues(document), "a.b: 1\n\"a.b\": 2\n\"a\\n\\\"c\": 3\n");
  assert_ok(InputClose(&document));
}

static void wrong_kinds_are_told(void **state)
{
  (void)state;
  AssertRefused("steps: 3.7\n", "2:8: steps: expected a whole number, found '3.7'");
  AssertRefused("steps: 3e99\n", "2:8: steps: expected a whole number, found '3e99' - it is too large");
  AssertRefused("steps: ten\n", "2:8: steps: expected a whole number, found 'ten'");
  AssertRefused("resume: banana\n", "2:9: resume: expected yes or no, found 'banana'");
  AssertRefused("resume: 'yes'\n", "2:9: resume: expected yes or no, found the text 'yes' - remove the quotes");
  AssertRefused("method: lineer\n", "2:9: method: expected one of average, linear, hht, found 'lineer'; did you mean 'linear'?");
  AssertRefused("method: quick\n", "2:9: method: expected one of average, linear, hht, found 'quick'");
  AssertRefused("method: [hht]\n", "2:9: method: expected one of average, linear, hht, found a list");
  AssertRefused("title: {a: b}\n", "2:8: title: expected a text, found a map");
  AssertRefused("levels: {a: b}\n", "2:9: levels: expected a number or a list of numbers, found a map");
  AssertRefused("levels: [1, [2]]\n", "2:13: levels[1]: expected a number, found a list");
  AssertRefused("watch: {a: b}\n", "2:8: watch: expected a text or a list of texts, found a map");
  AssertRefused("title: ~\n", "2:8: title: has no value");
  AssertRefused("chi: null\n", "2:6: chi: has no value");
  AssertRefused("load:\nchi: -0.1\n", "2:6: load: has no value");
  AssertRefused("levels: [1, ]\nwatch: [a,\n  ~]\n", "4:3: watch[1]: has no value");
  AssertRefused("path: ''\n", "2:7: path: has no value");
}

static void bounds_are_told(void **state)
{
  // clang-format off
  static const InputField bounded[] = {
    {.key = "a", .kind = INPUT_REAL, .fallback = 1, .above = PETSC_TRUE, .unit = "N"},
    {.key = "b", .kind = INPUT_REAL, .fallback = 1, .most = PETSC_INFINITY},
    {.key = "c", .kind = INPUT_REAL, .least = PETSC_NINFINITY, .most = 1},
    {.key = "d", .kind = INPUT_REAL, .least = 2, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N/m"},
    {.key = "e", .kind = INPUT_COUNT, .least = 2, .most = 4, .unit = "m"},
    {.key = "f", .kind = INPUT_REAL, .most = 1, .above = PETSC_TRUE},
    {.key = "g", .kind = INPUT_REAL},
    {.key = NULL},
  };
  // clang-format on
  static const InputTable bounded_table = {.name = "bounded", .fields = bounded};
  InputDocument          *document      = Parse("{a: -3, b: -1, c: 2, d: 2, e: 5, f: 0, g: -1e300}");
  char                    member[sizeof(PetscReal) + sizeof(PetscInt)];

  (void)state;
  assert_ok(InputRead(InputRoot(document), &bounded_table, member));
  AssertComplaints(document, "error: in/case.yaml:1:5: a: must be positive, got -3\n"
                             "error: in/case.yaml:1:12: b: must be at least 0, got -1\n"
                             "error: in/case.yaml:1:19: c: must be at most 1, got 2\n"
                             "error: in/case.yaml:1:25: d: must be above 2 N/m, got 2\n"
                             "error: in/case.yaml:1:31: e: must lie in [2, 4] m, got 5\n"
                             "error: in/case.yaml:1:37: f: must lie in (0, 1], got 0\n");
}

static void keys_are_checked(void **state)
{
  InputDocument *document = Parse("chi: -0.1\n");
  Sample         sample   = {0};

  (void)state;
  AssertRefused("stepz: 3\n",
                "2:1: unknown key 'stepz'; did you mean 'steps'? it has: slip_force, chi, steps, method, resume, title, path, levels, watch, load");
  AssertRefused("banana: 3\n", "2:1: unknown key 'banana'; it has: slip_force, chi, steps, method, resume, title, path, levels, watch, load");
  AssertRefused("chi: -0.1\nchi: -0.2\n", "3:1: key 'chi' is given twice; first at line 2");
  assert_ok(InputRead(InputRoot(document), &table, &sample));
  AssertComplaints(document, "error: in/case.yaml:1:1: key 'slip_force' is missing: where it slides [N]\n");
}

static void a_misspelt_key_is_not_also_missing(void **state)
{
  InputDocument *document = Parse("slipforce: 3\n");
  Sample         sample   = {0};

  (void)state;
  assert_ok(InputRead(InputRoot(document), &table, &sample));
  AssertComplaints(document, "error: in/case.yaml:1:1: unknown key 'slipforce'; did you mean 'slip_force'? "
                             "it has: slip_force, chi, steps, method, resume, title, path, levels, watch, load\n");
}

static void paths_lead_to_the_value(void **state)
{
  InputDocument         *document = Parse("joints:\n  bolt:\n    x: [ {slip_force: -3}, 5 ]\n");
  const InputNode *const list     = InputFind(InputFind(InputFind(InputRoot(document), "joints"), "bolt"), "x");
  Sample                 sample   = {0};

  (void)state;
  assert_int_equal(InputCount(list), 2);
  assert_true(InputIsList(list) && InputIsScalar(InputItem(list, 1)));
  assert_int_equal(InputPlace(list).line, 3);
  assert_int_equal(InputPlace(list).column, 8);
  assert_string_equal(InputPath(InputItem(list, 1)), "joints.bolt.x[1]");
  assert_ok(InputRead(InputItem(list, 0), &table, &sample));
  assert_ok(InputRead(InputItem(list, 1), &table, &sample));
  AssertComplaints(document, "error: in/case.yaml:3:23: joints.bolt.x[0].slip_force: must be positive, got -3\n"
                             "error: in/case.yaml:3:28: joints.bolt.x[1]: expected a map, found '5'\n");
}

static void choices_are_made(void **state)
{
  static const char *const kinds[] = {"sine", "step", NULL}, *const none[] = {NULL}, *const rivals[] = {"steps", "duration", NULL};
  InputDocument         *document = Parse("a: sine\nb: stepp\nc: {step: 5}\nd: {setp: 5}\ne: {}\nf: {sine: 1, step: 2}\ng: 3\nh: {duration: 1}\n"
                                                  "i: {duration: 1, steps: 3}\nj: {x: 1}\n");
  const InputNode *const root     = InputRoot(document), *value;
  const char            *text;
  PetscInt               index;

  (void)state;
  assert_ok(InputGetText(InputFind(root, "a"), &text));
  assert_ok(InputChoose(InputFind(root, "a"), text, "load", kinds, &index));
  assert_int_equal(index, 0);
  assert_ok(InputGetText(InputFind(root, "b"), &text));
  assert_ok(InputChoose(InputFind(root, "b"), text, "load", kinds, &index));
  assert_int_equal(index, -1);
  assert_ok(InputChoose(InputFind(root, "c"), InputKey(root, 2), "point", none, &index)); /* a key */
  assert_int_equal(index, -1);
  assert_ok(InputGetTagged(InputFind(root, "c"), "load", kinds, &index, &value));
  assert_int_equal(index, 1);
  assert_string_equal(InputPath(value), "c.step");
  for (PetscInt i = 3; i < 7; i++) {
    assert_ok(InputGetTagged(InputItem(root, i), "load", kinds, &index, &value));
    assert_int_equal(index, -1);
  }
  assert_ok(InputExclusive(InputFind(root, "h"), rivals, PETSC_TRUE, &index));
  assert_int_equal(index, 1);
  assert_ok(InputExclusive(InputFind(root, "j"), rivals, PETSC_FALSE, &index));
  assert_int_equal(index, -1);
  assert_ok(InputExclusive(InputFind(root, "i"), rivals, PETSC_TRUE, &index));
  assert_int_equal(index, -1);
  assert_ok(InputExclusive(InputFind(root, "j"), rivals, PETSC_TRUE, &index));
  AssertComplaints(document, "error: in/case.yaml:2:4: b: unknown load 'stepp'; did you mean 'step'? it has: sine, step\n"
                             "error: in/case.yaml:3:1: unknown point 'c'; there is none\n"
                             "error: in/case.yaml:4:5: d: unknown load 'setp'; did you mean 'step'? it has: sine, step\n"
                             "error: in/case.yaml:5:4: e: needs one of sine, step\n"
                             "error: in/case.yaml:6:14: f: has 'step' beside 'sine'; each load stands alone\n"
                             "error: in/case.yaml:7:4: g: expected a map with one of sine, step, found '3'\n"
                             "error: in/case.yaml:9:18: i: 'duration' and 'steps' exclude each other\n"
                             "error: in/case.yaml:10:4: j: needs one of steps, duration\n");
}

static void the_nearest_name_is_found(void **state)
{
  static const char *const names[] = {"slip_force", "stiffness", "beta", "chi", "x", NULL};

  (void)state;
  assert_string_equal(InputNearest("slipforce", names), "slip_force");
  assert_string_equal(InputNearest("SlipForce", names), "slip_force");
  assert_string_equal(InputNearest("slip-force", names), "slip_force");
  assert_string_equal(InputNearest("sitffness", names), "stiffness");
  assert_string_equal(InputNearest("stifness", names), "stiffness");
  assert_string_equal(InputNearest("bta", names), "beta");
  assert_string_equal(InputNearest("X", names), "x");
  assert_null(InputNearest("y", names));
  assert_null(InputNearest("mass", names));
  assert_null(InputNearest("", names));
}

static void complaints_are_sorted_told_once_and_counted(void **state)
{
  char             text[2000] = "a: []", printed[8192], *last;
  InputDocument   *document;
  const InputNode *list;
  PetscReal        value;

  (void)state;
  for (size_t i = 0; i < 50; i++) memcpy(text + 4 + 3 * i, "x, ]", 5);
  document = Parse(text);
  list     = InputFind(InputRoot(document), "a");
  for (PetscInt i = 49; i >= 0; i--) assert_ok(InputGetReal(InputItem(list, i), NULL, &value));
  assert_ok(InputGetReal(InputItem(list, 7), NULL, &value)); /* again */
  assert_ok(InputComplainAt(document, (Place){.file = "other.csv", .line = 3, .column = 2}, "%s", "is\nodd \x1b[31m"));
  Print(document, printed, sizeof printed);
  assert_memory_equal(printed, "error: in/case.yaml:1:5: a[0]: expected a number, found 'x'\nerror: in/case.yaml:1:8: a[1]: ", 90);
  last = strstr(printed, "error: in/case.yaml: and ");
  assert_non_null(last);
  assert_string_equal(last, "error: in/case.yaml: and 31 more\n");
  assert_non_null(strstr(printed, ":1:62: a[19]: "));
  assert_null(strstr(printed, "a[20]"));
  assert_ok(InputClose(&document));
}

static void no_text_of_a_case_steers_the_terminal(void **state)
{
  (void)state;
  AssertRefused("chi: \"\\e[31m\\n\"\n", "2:6: chi: expected a number, found the text '?[31m ' - remove the quotes");
  AssertRefused("chi: aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff\n",
                "2:6: chi: expected a number, found 'aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeefffffffff...'");
}

/* The complaint about a name, empty when it may stand in a result. */
static void AssertName(const char *name, const char *complaint)
{
  char           text[512], expected[512], found[1024];
  InputDocument *document;

  snprintf(text, sizeof text, "name: \"%s\"\n", name);
  document = Parse(text);
  assert_ok(InputCheckName(InputItem(InputRoot(document), 0), name));
  Print(document, found, sizeof found);
  if (complaint[0]) snprintf(expected, sizeof expected, "error: in/case.yaml:1:7: name: %s\n", complaint);
  assert_string_equal(found, complaint[0] ? expected : "");
  assert_ok(InputClose(&document));
}

static void names_must_suit_a_result_file(void **state)
{
  const char *const sixty_four = "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcd";

  (void)state;
  AssertName("a", "");
  AssertName("bolt_1-Left", "");
  AssertName(sixty_four, "");
  AssertName("", "the name '' must begin with a letter and go on with letters, digits, _, - or a dot");
  AssertName("1st", "the name '1st' must begin with a letter and go on with letters, digits, _, - or a dot");
  AssertName("a/b", "the name 'a/b' must begin with a letter and go on with letters, digits, _, - or a dot");
  AssertName("a b", "the name 'a b' must begin with a letter and go on with letters, digits, _, - or a dot");
  AssertName("M8.1", "");
  AssertName("a..b", "the dots of the name 'a..b' must each stand between two other characters");
  AssertName("a.", "the dots of the name 'a.' must each stand between two other characters");
  AssertName("abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcde",
             "the name 'abcdefghijabcdefghij...' is too long: 64 letters are the most");
}

static void the_help_tells_what_a_table_says(void **state)
{
  FILE *const file = tmpfile();
  char        text[4096];

  (void)state;
  assert_non_null(file);
  assert_ok(InputPrintTable(file, &table));
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  assert_non_null(strstr(text, "sample: one of every kind\n"));
  assert_non_null(strstr(text, "  slip_force  where it slides\n              number [N], positive, required\n"));
  assert_non_null(strstr(text, "  chi         exponent\n              number, in (-1, 0], default -0.5\n"));
  assert_non_null(strstr(text, "one of average, linear, hht, default hht\n"));
  assert_non_null(strstr(text, "yes or no, default yes\n"));
  assert_non_null(strstr(text, "number or list of numbers [m], in [0, 10], optional\n"));
}

/* Each shape that a path in the name of a table tells, and a family of kinds. */
static void the_help_tells_the_shape_of_what_is_nested(void **state)
{
  static const InputField root[]  = {{.key = "one", .kind = INPUT_NODE, .help = "a"},
                                     {.key = "some", .kind = INPUT_NODE, .fallback = INPUT_REQUIRED},
                                     {.key = "named", .kind = INPUT_NODE},
                                     {.key = "load", .kind = INPUT_NODE},
                                     {.key = "free", .kind = INPUT_NODE, .unit = "kg"},
                                     {.key = NULL}};
  static const InputField own[]   = {{.key = "x", .kind = INPUT_REAL, .help = "b"}, {.key = "y", .kind = INPUT_NODE, .help = "c"}, {.key = NULL}};
  static const InputField more[]  = {{.key = "x", .kind = INPUT_REAL, .help = "b"}, {.key = "z", .kind = INPUT_NODE, .help = "c"}, {.key = NULL}};
  static const InputTable given[] = {{"root", "r", root},      {"one", "o", own},       {"one.y", "p", more},    {"some[]", "s", own},
                                     {"named.NAME", "n", own}, {"load.sine", "l", own}, {"load.step", "m", more}};
  static const InputTable *const tables[] = {&given[0], &given[1], &given[2], &given[3], &given[4], &given[5], &given[6], NULL};
  FILE *const                    file     = tmpfile();
  char                           text[4096];

  (void)state;
  assert_non_null(file);
  assert_ok(InputPrintTables(file, tables));
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  assert_non_null(strstr(text, "  one    a\n         {x, y}, optional\n"));
  assert_non_null(strstr(text, "  some   \n         list of {x, y}, required\n"));
  assert_non_null(strstr(text, "  named  \n         {NAME: {x, y}}, optional\n"));
  assert_non_null(strstr(text, "  load   \n         {KIND: {...}}, KIND one of sine, step, optional\n"));
  assert_non_null(strstr(text, "  free   \n         [kg], optional\n"));
  assert_non_null(strstr(text, "\none: o\n  x  b\n     number, default 0\n  y  c\n     {x, z}, optional\n"));
  assert_non_null(strstr(text, "\nload.KIND: keys of every kind\n  x  b\n     number, default 0\n\nload.sine: l\n  y  c\n     optional\n\n"
                               "load.step: m\n  z  c\n     optional\n"));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(every_kind_is_read),
  cmocka_unit_test(absent_values_fall_back),
  cmocka_unit_test(a_refused_value_leaves_a_usable_one),
  cmocka_unit_test(what_is_no_number_is_refused),
  cmocka_unit_test(numbers_do_not_depend_on_the_locale),
  cmocka_unit_test(numbers_are_echoed_so_that_they_read_back),
  cmocka_unit_test(keys_that_are_no_plain_names_are_quoted_in_paths),
  cmocka_unit_test(wrong_kinds_are_told),
  cmocka_unit_test(bounds_are_told),
  cmocka_unit_test(keys_are_checked),
  cmocka_unit_test(a_misspelt_key_is_not_also_missing),
  cmocka_unit_test(paths_lead_to_the_value),
  cmocka_unit_test(choices_are_made),
  cmocka_unit_test(the_nearest_name_is_found),
  cmocka_unit_test(complaints_are_sorted_told_once_and_counted),
  cmocka_unit_test(no_text_of_a_case_steers_the_terminal),
  cmocka_unit_test(names_must_suit_a_result_file),
  cmocka_unit_test(the_help_tells_what_a_table_says),
  cmocka_unit_test(the_help_tells_the_shape_of_what_is_nested),
};

CHECK_MAIN(tests)
