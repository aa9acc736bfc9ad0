/* test_model_faults.c - faults in the description of a structure are told with their place, each once. */
#include "built.h"
#include <string.h>

/* Standard error goes to a file from CaptureBegin to CaptureEnd, which gives what was written. */
typedef struct {
  FILE *file;
  int   saved;
} Capture;

static Capture CaptureBegin(void)
{
  const Capture capture = {tmpfile(), dup(STDERR_FILENO)};

  assert_non_null(capture.file);
  fflush(stderr);
  assert_true(dup2(fileno(capture.file), STDERR_FILENO) >= 0);
  return capture;
}

static void CaptureEnd(const Capture *capture, char *text, size_t size)
{
  size_t length;

  fflush(stderr);
  assert_true(dup2(capture->saved, STDERR_FILENO) >= 0);
  close(capture->saved);
  rewind(capture->file);
  length       = fread(text, 1, size - 1, capture->file);
  text[length] = '\0';
  fclose(capture->file);
}

/* What the verdict prints on standard error. */
static void Verdict(InputDocument *document, char *text, size_t size)
{
  const Capture        capture = CaptureBegin();
  const PetscErrorCode code    = InputVerdict(document);

  CaptureEnd(&capture, text, size);
  assert_int_equal(code, PETSC_ERR_USER_INPUT);
}

/* The case has one fault, and this is what is said of it after the file's name. */
static void CheckComplaint(const char *text, const char *expected)
{
  Built built = Build(text);
  char  said[4096], *start;

  assert_null(built.system);
  assert_true(InputNumComplaints(built.document) > 0);
  Verdict(built.document, said, sizeof(said));
  start = strchr(said, ':'); /* after `error` */
  assert_non_null(start);
  start = strchr(start + 1, ':'); /* after the file */
  assert_non_null(start);
  start[1 + strcspn(start + 1, "\n")] = '\0';
  assert_string_equal(start + 1, expected);
  assert_int_equal(InputNumComplaints(built.document), 1);
  Destroy(&built);
}

#define TWO "masses: { a: {mass: 1}, b: {mass: 2, directions: [x, y]} }\n"

static void faults_of_masses_are_told(void **state)
{
  (void)state;
  CheckComplaint("title: nothing\n", "1:1: this case has no structure: give masses, matrices, modal or a mesh");
  CheckComplaint("masses: [1, 2]\n", "1:9: masses: must be a map of masses, NAME: {mass: ...}");
  CheckComplaint("masses: { 1st: {mass: 1} }\n",
                 "1:16: masses.1st: the name '1st' must begin with a letter and go on with letters, digits, _, - or a dot");
  CheckComplaint("masses: { ground: {mass: 1} }\n", "1:19: masses.ground: a mass cannot be named 'ground': that is the point that never moves");
  CheckComplaint("masses: { a: {directions: [y]} }\n", "1:14: masses.a: needs 'mass', because it moves in y");
  CheckComplaint("masses: { a: {mass: 1, directions: [x, rx]} }\n", "1:14: masses.a: needs 'inertia', because it moves in rx");
  CheckComplaint("masses: { a: {mass: 1, inertia: 2} }\n", "1:33: masses.a.inertia: has no use: none of rx, ry, rz is among the directions");
  CheckComplaint("masses: { a: {mass: 1, inertia: 2, directions: [rx]} }\n",
                 "1:21: masses.a.mass: has no use: none of x, y, z is among the directions");
  CheckComplaint("masses: { a: {mass: 1, inertia: [2, 3], directions: [x, rx]} }\n",
                 "1:33: masses.a.inertia: must be one number or three, [Ix, Iy, Iz], got 2");
  CheckComplaint("masses: { a: {mass: 1, directions: [x, y, x]} }\n", "1:43: masses.a.directions[2]: direction x is given twice");
  CheckComplaint("masses: { a: {mass: 1, directions: []} }\n", "1:36: masses.a.directions: must name at least one of x, y, z, rx, ry, rz");
  CheckComplaint("masses: { a: {mass: 1, directions: [xx]} }\nsprings: [ {between: [ground, a], stiffness: 1} ]\n",
                 "1:37: masses.a.directions[0]: unknown direction 'xx'; did you mean 'x'? it has: x, y, z, rx, ry, rz");
  CheckComplaint("masses: { a: {mass: 1, fixed: [y]} }\n", "1:31: masses.a.fixed: y is not among the directions of 'a'");
  CheckComplaint("masses: { a: {mass: 1, fixed: [x]} }\n",
                 "1:1: nothing in this structure can move: every direction of every point is held by the ground");
  CheckComplaint(
    "masses: { a: {mass: 1}, b: {mass: 0} }\n",
    "1:28: masses.b: point 'b' in x has no mass, and no stiffness holds it, or a negative one: give it a mass, or connect it by springs or joints");
}

static void faults_of_links_are_told(void **state)
{
  (void)state;
  CheckComplaint(TWO "springs: {a: 1}\n", "2:10: springs: must be a list, each item beginning with '- between: [A, B]'");
  CheckComplaint(TWO "springs: [ {between: [a], stiffness: 1} ]\n", "2:22: springs[0].between: must name two points, [A, B], got 1");
  CheckComplaint(TWO "springs: [ {between: [a, a], stiffness: 1} ]\n", "2:22: springs[0].between: connects 'a' with itself");
  CheckComplaint(TWO "dampers: [ {between: [a, b], direction: y, damping: 1} ]\n",
                 "2:41: dampers[0].direction: point 'a' has no direction y; it has: x");
  CheckComplaint(TWO "springs: [ {between: [ground, b], stiffness: 1} ]\n",
                 "2:12: springs[0]: needs a direction, because both points have several: x, y");
  CheckComplaint("masses: { a: {mass: 1}, b: {mass: 2, directions: [y]} }\nsprings: [ {between: [a, b], stiffness: 1} ]\n",
                 "2:12: springs[0]: its two points have no direction in common");
}

#define MATRICES(points, mass, stiffness) "matrices:\n  points: " points "\n  mass: " mass "\n  stiffness: " stiffness "\n"

static void faults_of_matrices_are_told(void **state)
{
  (void)state;
  CheckComplaint(MATRICES("[a, b]", "[[1, 0], [0, 1]]", "3"),
                 "4:14: matrices.stiffness: must be a list of rows, [[...], ...], a file NAME.mtx (Matrix Market or Abaqus), or a dataset of the "
                 "file that `file` names");
  CheckComplaint(MATRICES("[a, b]", "[[1, 0]]", "[[1, 0], [0, 1]]"), "3:9: matrices.mass: must have 2 rows, one for each point, got 1");
  CheckComplaint(MATRICES("[a, b]", "[[1, 0], [0, 1, 2]]", "[[1, 0], [0, 1]]"),
                 "3:18: matrices.mass[1]: must have 2 numbers, one for each point, got 3");
  CheckComplaint(MATRICES("[a, b, c]", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "[[9, 0, 0], [0, 9, 5], [0, 4, 9]]"),
                 "4:33: matrices.stiffness[1][2]: must be symmetric: row 2, column 3 is 5, row 3, column 2 is 4");
  CheckComplaint(MATRICES("[a, b]", "[[1, 2], [2, 1]]", "[[1, 0], [0, 1]]"),
                 "3:9: matrices.mass: the mass matrix is not positive definite at point 'b' in x");
  CheckComplaint(MATRICES("[a, b]", "[[1, 1], [1, 1]]", "[[1, 0], [0, 1]]"),
                 "3:9: matrices.mass: the mass matrix is not positive definite at point 'b' in x");
  CheckComplaint(MATRICES("[a, b]", "[[-1, 0], [0, 1]]", "[[1, 0], [0, 1]]"),
                 "3:9: matrices.mass: the mass matrix is not positive definite at point 'a' in x");
  CheckComplaint(MATRICES("[a, b]", "[[1, 0], [0, 0]]", "[[1, 0], [0, 0]]"),
                 "3:9: matrices.mass: point 'b' in x has no mass, and no stiffness holds it, or a negative one: give it a mass, or connect it by "
                 "springs or joints");
  CheckComplaint(MATRICES("[a, a]", "[[1, 0], [0, 1]]", "[[1, 0], [0, 1]]"), "2:15: matrices.points[1]: point 'a' is given twice in x");
  CheckComplaint("masses: { b: {mass: 1} }\n" MATRICES("[a, b]", "[[1, 0], [0, 1]]", "[[1, 0], [0, 1]]"),
                 "3:15: matrices.points[1]: point 'b' is given twice; first at line 1");
}

static void faults_of_joints_are_told(void **state)
{
  (void)state;
  CheckComplaint(TWO "joints: { j: {between: [a, b]} }\n", "2:14: joints.j: acts in no direction: give at least one of x, y, z, rx, ry, rz, contact");
  CheckComplaint(TWO "joints: { j: {between: [a, b], y: rigid} }\n", "2:35: joints.j.y: point 'a' has no direction y; it has: x");
  CheckComplaint(TWO "joints: { j: {between: [a, b], x: slip} }\n",
                 "2:35: joints.j.x: unknown law 'slip': the case names none under laws; `dovetail help laws` lists the kinds of law");
  CheckComplaint(
    TWO "joints: { j: {between: [a, b], x: macroslip} }\n",
    "2:35: joints.j.x: unknown law 'macroslip': the case names none such under laws; did you mean the kind of law 'jenkins'? write {law: "
    "jenkins, ...}");
  CheckComplaint(TWO "joints: { j: {between: [a, b], x: iwan4} }\n",
                 "2:35: joints.j.x: 'iwan4' is a kind of law, not one of the names under laws; write {law: iwan4, ...} or name one there");
  CheckComplaint(TWO "joints: { j: {between: [a, b], x: [rigid, {law: spring, stiffness: 1}]} }\n",
                 "2:36: joints.j.x[0]: 'rigid' must be alone in its direction: no law acts where nothing moves");
  CheckComplaint(TWO "joints: { j: {between: [a, b], x: []} }\n", "2:35: joints.j.x: must hold at least one law, or be left out");
  CheckComplaint(TWO "laws: { rigid: {law: spring, stiffness: 1} }\n",
                 "2:16: laws.rigid: a law cannot be named 'rigid': that word ties two points together");
  CheckComplaint(TWO "joints:\n  j: {between: [a, b], x: rigid}\n  k: {between: [b, a], x: {law: spring, stiffness: 1}}\n",
                 "4:27: joints.k.x: its two sides are rigidly tied together: this law would never act");
  CheckComplaint("masses: { a: {mass: 1, directions: [x, y], fixed: x} }\njoints: { j: {between: [ground, a], x: {law: spring, stiffness: 1}} }\n",
                 "2:40: joints.j.x: its two sides are both held by the ground: this law would never act");
}

static void faults_of_damping_are_told(void **state)
{
  (void)state;
  CheckComplaint(TWO "damping: {}\n", "2:10: damping: is empty: give modal, rayleigh or both");
  CheckComplaint(TWO "damping: {modal: [0.1, 1]}\n", "2:24: damping.modal[1]: must be below 1, a ratio to critical damping, got 1");
  CheckComplaint(TWO "damping: {modal: []}\n", "2:18: damping.modal: must hold at least one ratio");
  CheckComplaint(TWO "damping: {modal: [0.1, 0.1, 0.1, 0.1]}\n", "2:18: damping.modal: has 4 ratios, but there are only 3 modes");
}

static void a_law_that_no_joint_uses_is_warned_of(void **state)
{
  char    said[1024];
  Capture capture;
  Built   built;

  (void)state;
  capture = CaptureBegin();
  built   = Build(TWO "laws: { slip: {law: spring, stiffness: 1}, slop: {law: spring, stiffness: 1} }\njoints: { j: {between: [a, b], x: slip} }\n");
  assert_ok(LawsWarnUnused(&built.laws));
  CaptureEnd(&capture, said, sizeof(said));
  assert_non_null(built.system);
  assert_non_null(strstr(said, ":2:50: the law 'slop' is not used"));
  assert_null(strstr(said, "'slip'"));
  Destroy(&built);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(faults_of_masses_are_told),   cmocka_unit_test(faults_of_links_are_told),
    cmocka_unit_test(faults_of_matrices_are_told), cmocka_unit_test(faults_of_joints_are_told),
    cmocka_unit_test(faults_of_damping_are_told),  cmocka_unit_test(a_law_that_no_joint_uses_is_warned_of),
  };
  int failures;

  if (PetscInitialize(&argc, &argv, NULL, NULL) != 0) return 1;
  if (ErrorHandlerInstall() != 0) return 1;
  failures = cmocka_run_group_tests(tests, NULL, NULL);
  if (PetscFinalize() != 0) return 1;
  return failures;
}
