/* test_input_files.c - what is refused before reading, aliases, includes, files of numbers: the same on all ranks. [ranks: 1 2 3] */
#include "scratch.h"
#include "input.h"
#include <petsctime.h>

static void Write(const Scratch *scratch, const char *name, const char *text)
{
  char path[SCRATCH_LENGTH];

  if (RankOf(MPI_COMM_WORLD) == 0) WriteBytes(PathIn(scratch, name, path), strlen(text), text);
}

static InputDocument *Open(const Scratch *scratch, const char *name)
{
  char           path[SCRATCH_LENGTH];
  InputDocument *document;

  assert_ok(InputOpen(PETSC_COMM_WORLD, PathIn(scratch, name, path), &document));
  return document;
}

/* Takes the folder of the test out of what was said. */
static void DropFolder(Scratch *scratch)
{
  const size_t length = strlen(scratch->folder) + 1;

  for (char *at; (at = strstr(scratch->said, scratch->folder)) != NULL;) memmove(at, at + length, strlen(at + length) + 1);
}

/* All ranks agree, and rank 0 alone says `expected`. Closes the document. */
static void AssertVerdict(Scratch *scratch, InputDocument *document, const char *expected)
{
  const PetscErrorCode code     = *expected ? PETSC_ERR_USER_INPUT : PETSC_SUCCESS;
  const int            number   = (int)InputNumComplaints(document);
  int                  range[2] = {number, -number};
  PetscErrorCode       verdict;

  CaptureBegin(scratch);
  assert_ok(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  verdict = InputVerdict(document);
  assert_ok(PetscPopErrorHandler());
  CaptureEnd(scratch);
  DropFolder(scratch);
  assert_string_equal(scratch->said, RankOf(MPI_COMM_WORLD) == 0 ? expected : "");
  assert_int_equal(verdict, code);
  MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  assert_int_equal(range[0], -range[1]);
  assert_ok(InputClose(&document));
}

static void AssertFile(Scratch *scratch, const char *text, const char *expected)
{
  Write(scratch, "case.yaml", text);
  AssertVerdict(scratch, Open(scratch, "case.yaml"), expected);
}

/* A text made of one repeated between two others. */
static void AssertParsed(Scratch *scratch, const char *before, const char *repeated, size_t times, const char *after, const char *expected)
{
  const size_t   lengths[3] = {strlen(before), strlen(repeated), strlen(after)}, length = lengths[0] + times * lengths[1] + lengths[2];
  char *const    text = malloc(length + 1);
  InputDocument *document;

  assert_non_null(text);
  memcpy(text, before, lengths[0]);
  for (size_t i = 0; i < times; i++) memcpy(text + lengths[0] + i * lengths[1], repeated, lengths[1]);
  memcpy(text + lengths[0] + times * lengths[1], after, lengths[2] + 1);
  assert_ok(InputParse(PETSC_COMM_WORLD, "case.yaml", text, length, &document));
  free(text);
  AssertVerdict(scratch, document, expected);
}

static void files_that_cannot_be_read_are_told(void **state)
{
  char           path[SCRATCH_LENGTH];
  InputDocument *document;

  AssertVerdict(*state, Open(*state, "none.yaml"), "error: none.yaml: cannot be read: No such file or directory\n");
  assert_ok(InputOpen(PETSC_COMM_WORLD, ".", &document));
  AssertVerdict(*state, document, "error: .: cannot be read: Is a directory\n");
  assert_ok(InputOpen(PETSC_COMM_WORLD, "/dev/zero", &document));
  AssertVerdict(*state, document, "error: /dev/zero: cannot be read: Is not a regular file\n");
  Write(*state, "large.yaml", "a: 1\n");
  if (RankOf(MPI_COMM_WORLD) == 0) assert_int_equal(truncate(PathIn(*state, "large.yaml", path), 100000000), 0);
  AssertVerdict(*state, Open(*state, "large.yaml"), "error: large.yaml: is 100 MB; a case file may have 16 MB\n");
}

static void what_is_not_yaml_is_told_with_its_place(void **state)
{
  InputDocument *document;

  AssertFile(*state, "", "error: case.yaml: is empty\n");
  AssertFile(*state, "# nothing\n", "error: case.yaml: is empty\n");
  AssertFile(*state, "- 1\n", "error: case.yaml:1:1: expected a map, found a list\n");
  AssertFile(*state, "text\n", "error: case.yaml:1:1: expected a map, found 'text'\n");
  AssertFile(*state, "a: [1, 2\nb: 3\n",
             "error: case.yaml:2:2: not YAML: did not find expected ',' or ']', while parsing a flow sequence that began in line 1\n");
  AssertFile(*state, "a: 1\n b: 2\n", "error: case.yaml:2:3: not YAML: mapping values are not allowed in this context\n");
  AssertFile(*state, "a:\n\tb: 1\n", "error: case.yaml:2:1: not YAML: a tab; indent with blanks\n");
  AssertFile(*state, "\xc3\xa4: '\xff'\n", "error: case.yaml:1:5: not YAML: not a text in UTF-8 (invalid leading UTF-8 octet)\n");
  AssertFile(*state, "a: *b\n", "error: case.yaml:1:4: not YAML: found undefined alias\n");
  AssertFile(*state, "a: 1\n---\nb: 2\n", "error: case.yaml:2:1: a second YAML document begins here; a case file has one\n");
  AssertFile(*state, "? [1]\n: 2\n", "error: case.yaml:1:3: a key must be a text, found a list\n");
  AssertFile(*state, "a: {? {} : 2, '': 3}\n",
             "error: case.yaml:1:7: a: a key must be a text, found a map\nerror: case.yaml:1:15: a: a key is empty\n");
  AssertFile(*state, "a: !kN 3\n", "error: case.yaml:1:4: a: has the tag '!kN'; a case file has no tags\n");
  AssertFile(*state, "a: \"\\0\"\n", "error: case.yaml:1:4: a: holds a NUL character\n");
  AssertFile(*state, "--- # one document, with its marks\na: 1\n...\n", "");
  assert_ok(InputParse(PETSC_COMM_WORLD, "case.yaml", "a: 1\nb: \0\n", 10, &document));
  AssertVerdict(*state, document, "error: case.yaml:2:4: is not text: there is a NUL byte\n");
}

/* Windows' editors begin a file with it: no part of the text, in no column. */
static void a_byte_order_mark_is_no_part_of_a_file(void **state)
{
  char             path[SCRATCH_LENGTH];
  PetscInt         rows, columns;
  const PetscReal *values;
  InputDocument   *document;

  AssertFile(*state,
             "\xef\xbb\xbf"
             "a: 1\n",
             "");
  AssertFile(*state,
             "\xef\xbb\xbf"
             "a: !kN 3\n",
             "error: case.yaml:1:4: a: has the tag '!kN'; a case file has no tags\n");
  AssertFile(*state, "\xef\xbb\xbf", "error: case.yaml: is empty\n");
  assert_ok(InputParse(PETSC_COMM_WORLD, "case.yaml",
                       "\xef\xbb\xbf"
                       "a: *b\n",
                       9, &document));
  AssertVerdict(*state, document, "error: case.yaml:1:4: not YAML: found undefined alias\n");
  Write(*state, "part.yaml",
        "\xef\xbb\xbf"
        "b: !kN 3\n");
  AssertFile(*state, "include: part.yaml\n", "error: part.yaml:1:4: b: has the tag '!kN'; a case file has no tags\n");
  Write(*state, "part.yaml",
        "\xef\xbb\xbf"
        "b: 3\n");
  Write(*state, "numbers.csv",
        "\xef\xbb\xbf"
        "1, 2\n");
  Write(*state, "case.yaml",
        "\xef\xbb\xbf"
        "include: part.yaml\n");
  document = Open(*state, "case.yaml");
  assert_null(strchr(InputSource(document), '\xbf'));
  assert_ok(InputReadTable(InputRoot(document), PathIn(*state, "numbers.csv", path), &rows, &columns, &values));
  assert_int_equal(rows, 1);
  assert_int_equal(columns, 2);
  assert_true(values[0] == 1);
  AssertVerdict(*state, document, "");
}

typedef struct {
  const char *file;
} Names;

/* So that no result is written over them. */
static void a_case_knows_its_files(void **state)
{
  static const InputField fields[] = {{.key = "file", .kind = INPUT_PATH, .offset = offsetof(Names, file)}, {.key = NULL}};
  static const InputTable table    = {"names", NULL, fields};
  char                    path[SCRATCH_LENGTH], link[SCRATCH_LENGTH];
  Names                   names;
  InputDocument          *document;

  Write(*state, "named.csv", "1\n");
  Write(*state, "part.yaml", "file: named.csv\n");
  Write(*state, "case.yaml", "include: part.yaml\n");
  Write(*state, "other.yaml", "a: 1\n");
  if (RankOf(MPI_COMM_WORLD) == 0) assert_int_equal(symlink("case.yaml", PathIn(*state, "link", link)), 0);
  document = Open(*state, "case.yaml");
  assert_ok(InputRead(InputRoot(document), &table, &names));
  assert_true(InputReads(document, PathIn(*state, "case.yaml", path)));
  assert_true(InputReads(document, PathIn(*state, "part.yaml", path)));
  assert_true(InputReads(document, PathIn(*state, "named.csv", path)));
  assert_true(InputReads(document, PathIn(*state, "link", path)));
  assert_false(InputReads(document, PathIn(*state, "other.yaml", path)));
  assert_false(InputReads(document, PathIn(*state, "none.yaml", path)));
  AssertVerdict(*state, document, "");
}

/* The root of a case that cannot be read lacks everything; to say so would not help. */
static void only_the_cause_is_told(void **state)
{
  InputDocument *const document = Open(*state, "none.yaml");

  assert_true(InputIsMap(InputRoot(document)));
  assert_int_equal(InputCount(InputRoot(document)), 0);
  assert_ok(InputComplain(InputRoot(document), "has no masses"));
  AssertVerdict(*state, document, "error: none.yaml: cannot be read: No such file or directory\n");
}

static void aliases_are_expanded_and_maps_merged(void **state)
{
  static const char text[]   = "base: &base {x: 1, y: 2}\na: {<<: *base, x: 3}\nb:\n  <<: [*base, {y: 5, z: 4}]\n  w: *base\n";
  InputDocument    *document = NULL;
  const InputNode  *b;
  PetscReal         value;

  assert_ok(InputParse(PETSC_COMM_WORLD, "case.yaml", text, strlen(text), &document));
  b = InputFind(InputRoot(document), "b");
  assert_int_equal(InputCount(InputFind(InputRoot(document), "a")), 2);
  assert_ok(InputGetReal(InputFind(InputFind(InputRoot(document), "a"), "x"), NULL, &value));
  assert_close(value, 3, 0);
  assert_int_equal(InputCount(b), 4);
  assert_ok(InputGetReal(InputFind(b, "y"), NULL, &value)); /* the first of several merged maps counts */
  assert_close(value, 2, 0);
  assert_string_equal(InputPath(InputFind(InputFind(b, "w"), "y")), "b.w.y");
  assert_string_equal(InputPath(InputFind(b, "z")), "b.z");
  AssertVerdict(*state, document, "");
  AssertFile(*state, "a: {<<: 3}\n", "error: case.yaml:1:9: `<<` merges a map or a list of maps, found a text\n");
}

static void what_has_no_end_or_would_take_too_long_is_refused(void **state)
{
  AssertFile(*state, "a: &a [1, *a]\n", "error: case.yaml:1:4: a[1]: contains itself, through an alias\n");
  AssertFile(*state, "a: &a {b: {c: *a}}\n", "error: case.yaml:1:4: a.b.c: contains itself, through an alias\n");
  AssertFile(*state, "a: &a\n  <<: *a\n  c: 1\n", "error: case.yaml:1:4: a: contains itself, through an alias\n");
  AssertFile(*state,
             "a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
             "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n",
             "error: case.yaml:6:4: f: makes more than 1000000 values, aliases expanded\n");
  AssertParsed(*state, "a: ", "[", 1000000, "", "error: case.yaml:1:67: is nested deeper than 64 levels\n");
  AssertParsed(*state, "a: ", "[", 64, "", "error: case.yaml:1:67: is nested deeper than 64 levels\n");
  AssertParsed(*state, "a: [", "1,", 2100000, "]", "error: case.yaml:1:3999995: has more than 1000000 values\n");
  AssertParsed(*state, "", "%TAG ! b\n", 100, "---\na: 1\n", "error: case.yaml:17:1: has more than 16 %TAG directives\n");
  AssertParsed(*state, "a: 1\n", "\xfe\x01garbage", 1000000, "",
               "error: case.yaml:2:1: not YAML: not a text in UTF-8 (invalid leading UTF-8 octet)\n");
}

/* Seconds to parse a map of `count` entries, the last as the first, or a list of as many texts. */
static PetscLogDouble Time(const char *name, PetscInt count, PetscBool map, InputDocument **document)
{
  char *const    text   = malloc((size_t)count * 32);
  size_t         length = 0;
  PetscLogDouble begin, end;

  assert_non_null(text);
  for (PetscInt i = 0; i < count; i++)
    length += (size_t)sprintf(text + length, "%sk%d%s", map ? "" : "- ", (int)(i % (count - 1)), map ? ": 1\n" : "\n- 1\n");
  assert_ok(PetscTime(&begin));
  assert_ok(InputParse(PETSC_COMM_WORLD, name, text, length, document));
  assert_ok(PetscTime(&end));
  free(text);
  return end - begin;
}

static void many_keys_take_little_longer_than_many_items(void **state)
{
  const PetscInt count = 30000;
  PetscLogDouble map, list;
  InputDocument *document;

  list = Time("list.yaml", count, PETSC_FALSE, &document);
  AssertVerdict(*state, document, "error: list.yaml:1:1: expected a map, found a list\n");
  map = Time("map.yaml", count, PETSC_TRUE, &document);
  assert_int_equal(InputCount(InputRoot(document)), count - 1);
  AssertVerdict(*state, document, "error: map.yaml:30000:1: key 'k0' is given twice; first at line 1\n");
  assert_true(map < 10 * list + 0.5); /* comparing all keys with all takes a hundred times as long */
}

static void included_maps_are_united(void **state)
{
  InputDocument   *document;
  const InputNode *laws;
  const char      *text;

  Write(*state, "laws.yaml", "laws: {b: 2}\ninclude: more.yaml\n");
  Write(*state, "more.yaml", "laws: {c: 3}\nmasses: {m: 4}\ninclude: [laws_too.yaml]\n");
  Write(*state, "laws_too.yaml", "laws: {d: d.csv}\n");
  Write(*state, "case.yaml", "include: [laws.yaml, laws_too.yaml]\nlaws: {a: 1}\n");
  document = Open(*state, "case.yaml");
  laws     = InputFind(InputRoot(document), "laws");
  assert_null(InputFind(InputRoot(document), "include"));
  assert_int_equal(InputCount(laws), 4);
  assert_string_equal(InputKey(laws, 1), "b");
  assert_string_equal(InputPath(InputItem(laws, 3)), "laws.d");
  assert_string_equal(InputPath(InputFind(InputFind(InputRoot(document), "masses"), "m")), "masses.m");
  assert_ok(InputGetText(InputItem(laws, 3), &text));
  assert_non_null(strstr(InputSource(document), "more.yaml\nlaws: {c: 3}"));
  AssertVerdict(*state, document, "");
}

static void faults_of_includes_are_told(void **state)
{
  Write(*state, "laws.yaml", "title: again\nlaws: {a: 2, b: 1}\n");
  AssertFile(*state, "include: laws.yaml\ntitle: x\nlaws: {a: 1}\n",
             "error: laws.yaml:1:1: key 'title' is given twice; first at case.yaml:2\nerror: laws.yaml:2:8: laws: key 'a' is given twice; first at "
             "case.yaml:3\n");
  AssertFile(*state, "include: [none.yaml]\n", "error: case.yaml:1:11: include[0]: 'none.yaml' cannot be read: No such file or directory\n");
  AssertFile(*state, "include: {a: b}\n", "error: case.yaml:1:10: include: expected a path or a list of paths, found a map\n");
  AssertFile(*state, "include: ~\n", "error: case.yaml:1:10: include: has no value\n");
  AssertFile(*state, "include: case.yaml\n", "error: case.yaml:1:10: include: 'case.yaml' includes itself\n");
  Write(*state, "laws.yaml", "include: case.yaml\n");
  AssertFile(*state, "include: laws.yaml\n", "error: laws.yaml:1:10: include: 'case.yaml' includes itself\n");
  Write(*state, "laws.yaml", "a: [\n");
  AssertFile(*state, "include: laws.yaml\n", "error: laws.yaml:2:1: not YAML: did not find expected node content\n");
}

/* The case has the last word, then the files that it includes; what a path leads to is replaced as a whole. */
static void included_values_are_overridden(void **state)
{
  InputDocument   *document;
  const InputNode *root, *law, *study;
  PetscReal        value;

  Write(*state, "base.yaml",
        "laws: {slip.1: {force: 20, chi: 1}, b: [1, 2]}\nstudies: [modes: {}, run: {name: hit, steps: 5}, {name: end, at: 1}]\n");
  Write(*state, "middle.yaml", "include: base.yaml\noverride: {laws.slip.1.force: 21, laws.slip.1.chi: 2}\n");
  Write(*state, "case.yaml",
        "include: middle.yaml\noverride:\n  laws.slip.1.force: 0.03 kN\n  laws.b: [7]\n  laws.b[0]: 8\n  laws.\"c\": 3\n"
        "  studies[1].run.steps: 6\n  studies.hit.more: 9\n  studies.end.at: ~\n  title: x\n");
  document = Open(*state, "case.yaml");
  root     = InputRoot(document);
  law      = InputFind(InputFind(root, "laws"), "slip.1");
  study    = InputFind(InputItem(InputFind(root, "studies"), 1), "run");
  assert_null(InputFind(root, "override"));
  assert_ok(InputGetReal(InputFind(law, "force"), "N", &value));
  assert_close(value, 30, 0);
  assert_string_equal(InputPath(InputFind(law, "force")), "laws.\"slip.1\".force");
  assert_int_equal(InputPlace(InputFind(law, "force")).line, 3);
  assert_ok(InputGetReal(InputFind(law, "chi"), NULL, &value));
  assert_close(value, 2, 0);
  assert_int_equal(InputCount(InputFind(InputFind(root, "laws"), "b")), 1);
  assert_ok(InputGetReal(InputItem(InputFind(InputFind(root, "laws"), "b"), 0), NULL, &value));
  assert_close(value, 8, 0);
  assert_ok(InputGetReal(InputFind(study, "steps"), NULL, &value));
  assert_close(value, 6, 0);
  assert_string_equal(InputPath(InputFind(study, "more")), "studies[1].run.more");
  assert_int_equal(InputCount(InputItem(InputFind(root, "studies"), 2)), 1);
  assert_non_null(InputFind(root, "title"));
  AssertVerdict(*state, document, "");
}

static void faults_of_overrides_are_told(void **state)
{
  Write(*state, "base.yaml", "laws: {slip: {force: 20}}\nstudies: [modes: {}]\n");
  AssertFile(*state, "include: base.yaml\noverride: {laws.slp.force: 1}\n",
             "error: case.yaml:2:12: override: unknown key 'slp'; did you mean 'slip'? it has: slip\n");
  AssertFile(*state, "include: base.yaml\noverride: {laws.slip.chi: ~}\n", "error: case.yaml:2:12: override: unknown key 'chi'; it has: force\n");
  AssertFile(*state, "include: base.yaml\noverride: {laws.slip.force.x: 1}\n",
             "error: case.yaml:2:12: override: laws.slip.force is a single value, there is nothing in it\n");
  AssertFile(*state, "include: base.yaml\noverride:\n  studies[3].modes: 1\n",
             "error: case.yaml:3:3: override: studies is a list of 1: go on with [0] to [0], or with the name of one\n");
  AssertFile(*state, "include: base.yaml\noverride:\n  studies[0]: ~\n",
             "error: case.yaml:3:15: override.\"studies[0]\": an item of a list is not taken away, as those behind it would be counted anew: give "
             "the whole list\n");
  AssertFile(*state, "include: base.yaml\noverride: [1]\n",
             "error: case.yaml:2:11: override: expected a map from paths to values, as in {laws.slip.slip_force: 30}, found a list\n");
  AssertFile(*state, "include: base.yaml\noverride: {laws.slip.force: 1, laws.slip.force: 2}\n",
             "error: case.yaml:2:32: override: key 'laws.slip.force' is given twice; first at line 2\n");
}

static void includes_are_limited_in_depth(void **state)
{
  char name[32], text[64];

  for (int i = 0; i < 12; i++) {
    snprintf(name, sizeof name, "deep%d.yaml", i);
    snprintf(text, sizeof text, "include: deep%d.yaml\n", i + 1);
    Write(*state, name, text);
  }
  AssertVerdict(*state, Open(*state, "deep0.yaml"), "error: deep8.yaml:1:10: include: files are included more than 8 levels deep\n");
}

/* Reads the text as a file of numbers named in a case, which says `expected`. */
static InputDocument *ReadNumbers(const Scratch *scratch, const char *text, PetscInt *rows, PetscInt *columns, const PetscReal **values)
{
  InputDocument *document;
  char           path[SCRATCH_LENGTH];

  Write(scratch, "case.yaml", "table: numbers.csv\n");
  if (text) Write(scratch, "numbers.csv", text);
  document = Open(scratch, "case.yaml");
  assert_ok(InputReadTable(InputItem(InputRoot(document), 0), PathIn(scratch, text ? "numbers.csv" : "none.csv", path), rows, columns, values));
  return document;
}

static void files_of_numbers_are_read(void **state)
{
  static const char *const texts[] = {
    "1,2.5\n-3e-2,4\n",
    "\xef\xbb\xbftime [s], force [N]\r\n1 , 2.5\r\n\r\n# half way\r\n-3e-2,4 # end\r\n",
    "\"time\";\"force\"\n1;2.5\n-.03;+4.",
    "  1   2.5\t\n-0.03\t4  \n",
  };

  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    PetscInt             rows, columns;
    const PetscReal     *values;
    InputDocument *const document = ReadNumbers(*state, texts[i], &rows, &columns, &values);

    assert_int_equal(rows, 2);
    assert_int_equal(columns, 2);
    assert_close(values[0], 1, 0);
    assert_close(values[1], 2.5, 0);
    assert_close(values[2], -0.03, 0);
    assert_close(values[3], 4, 0);
    /* checksum: Fowler-Noll-Vo of the 32 bytes, the same for all these texts */
    assert_string_equal(InputValues(document), "table.content: 2 x 2 numbers, checksum 569c978cc8cc350c\n");
    AssertVerdict(*state, document, "");
  }
}

static void faults_of_files_of_numbers_are_told(void **state)
{
  static const char *const pairs[][2] = {
    {NULL, "error: case.yaml:1:8: table: 'none.csv' cannot be read: No such file or directory\n"},
    {"", "error: numbers.csv: holds no numbers\n"},
    {"time, force\n", "error: numbers.csv: holds no numbers\n"},
    {"time\nforce\n", "error: numbers.csv:2:1: expected a number, found 'force'\n"},
    {"1,2\n3\n", "error: numbers.csv:2:1: expected 2 numbers as in line 1, found 1\n"},
    {"1,2\n3,4 N\n", "error: numbers.csv:2:3: expected a number, found '4 N' - units are SI and not written\n"},
    {"t,x\n1,nan\n", "error: numbers.csv:2:3: expected a number, found 'nan' - it must be finite\n"},
    {"nan,1\n", "error: numbers.csv:1:1: expected a number, found 'nan' - it must be finite\n"},
    {"1,,2\n", "error: numbers.csv:1:3: expected a number, found nothing\n"},
    {"1,2,\n", "error: numbers.csv:1:5: expected a number, found nothing\n"},
    {"0,5;1,5\n", "error: numbers.csv:1:2: commas and semicolons in one line; the decimal mark is a point\n"},
    {"0,5 1,5\n", "error: numbers.csv:1:3: expected a number, found '5 1'\n"},
    {"0,5;1,5\n0,6;1,6\n0,7;1,7\n", "error: numbers.csv:1:2: commas and semicolons in one line; the decimal mark is a point\n"},
    {"time,force\ns,N\n0,1\n", "error: numbers.csv:2:1: expected a number, found 's'\n"},
    {"1,2\nx,3,4\n", "error: numbers.csv:2:1: expected a number, found 'x'\n"},
  };

  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    PetscInt             rows, columns;
    const PetscReal     *values;
    InputDocument *const document = ReadNumbers(*state, pairs[i][0], &rows, &columns, &values);

    assert_int_equal(rows, 0);
    assert_null(values);
    AssertVerdict(*state, document, pairs[i][1]);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test_setup_teardown(files_that_cannot_be_read_are_told, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(what_is_not_yaml_is_told_with_its_place, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(a_byte_order_mark_is_no_part_of_a_file, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(a_case_knows_its_files, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(only_the_cause_is_told, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(aliases_are_expanded_and_maps_merged, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(what_has_no_end_or_would_take_too_long_is_refused, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(many_keys_take_little_longer_than_many_items, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(included_maps_are_united, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(faults_of_includes_are_told, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(included_values_are_overridden, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(faults_of_overrides_are_told, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(includes_are_limited_in_depth, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(files_of_numbers_are_read, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(faults_of_files_of_numbers_are_told, MakeScratch, RemoveScratch),
};

CHECK_MAIN(tests)
