/* test_mesh_formats.c - what is read of Gmsh's files: versions, text and binary, numbers, elements that are written twice, entities. [ranks: 1 2 3] */
#include "parsed_mesh.h"
#include "../../src/mesh/number.h"

/* A strip of three quadrilaterals; two nodes of tags 5 and 50 at one place, and a node without element. */
static const char cracked[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n50 1 1 0\n6 2 1 0\n"
                              "7 3 0 0\n8 3 1 0\n1000000 9 9 9\n$EndNodes\n$Elements\n3\n1 3 2 1 1 1 2 5 4\n2 3 2 1 1 2 3 6 50\n3 3 2 1 1 3 7 8 6\n"
                              "$EndElements\n";

static void nodes_at_one_place_within_a_part_are_warned_of(void **state)
{
  Scratch   *scratch = *state;
  ParsedMesh parsed  = Parse(PETSC_COMM_WORLD, cracked);

  assert_int_equal(MeshGetCoincidences(parsed.mesh)->within_parts, 1);
  assert_int_equal(MeshGetCoincidences(parsed.mesh)->between_parts, 0);
  CaptureBegin(scratch);
  MeshWarnOfCracks(parsed.mesh);
  CaptureEnd(scratch);
  assert_string_equal(scratch->said, RankOf(MPI_COMM_WORLD)
                                       ? ""
                                       : "warning: beam.msh: duplicate nodes: 1 pairs of nodes lie at the same place within a "
                                         "part that hangs together, such as 5 and 50 at (1, 1, 0): is this a crack that is not meant?\n");
  DestroyParsed(&parsed);
}

static void nodes_without_elements_are_left_out(void **state)
{
  Scratch   *scratch = *state;
  ParsedMesh parsed;
  PetscInt   node;

  CaptureBegin(scratch);
  LogSetLevel(LOG_NORMAL);
  parsed = Parse(PETSC_COMM_WORLD, cracked);
  LogSetLevel(LOG_QUIET);
  CaptureEnd(scratch);
  assert_string_equal(scratch->said, RankOf(MPI_COMM_WORLD) ? "" : "beam.msh: nodes left out because they have no element: 1\n");
  assert_int_equal(MeshGetNodes(parsed.mesh)->total, 9);
  assert_ok(MeshNodeByTag(parsed.mesh, 1000000, &node));
  assert_int_equal(node, -1);
  DestroyParsed(&parsed);
}

/* Version 2.2 writes an element once for each of its groups; two springs between the same nodes are two. */
static void copies_for_several_groups_are_one_element(void **state)
{
  ParsedMesh parsed = Parse(PETSC_COMM_WORLD, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n6\n"
                                              "1 2 2 7 1 1 2 3\n2 2 2 -9 1 3 2 1\n3 1 2 4 1 1 2\n4 1 2 4 1 1 2\n5 1 2 4 2 1 2\n6 15 0 3\n"
                                              "$EndElements\n");

  assert_int_equal(MeshNumBlocks(parsed.mesh), 3);
  assert_int_equal(MeshGetBlock(parsed.mesh, 0)->total, 1);
  assert_int_equal(MeshGetBlock(parsed.mesh, 1)->total, 3);
  assert_int_equal(MeshGetBlock(parsed.mesh, 2)->total, 1);
  assert_int_equal(MeshNumGroups(parsed.mesh), 3);
  assert_int_equal(MeshGetGroup(parsed.mesh, 0)->total, 3);
  assert_int_equal(MeshGetGroup(parsed.mesh, 1)->number, 7);
  assert_int_equal(MeshGetGroup(parsed.mesh, 1)->total, 1);
  assert_int_equal(MeshGetGroup(parsed.mesh, 2)->number, 9);
  assert_int_equal(MeshGetGroup(parsed.mesh, 2)->total, 1);
  DestroyParsed(&parsed);
}

/* Groups that need no name: `all` of a dimension, and those of entities; a physical group called `all` goes before. */
static void entities_are_groups_without_a_name(void **state)
{
  static const char text[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n$EndNodes\n$Elements\n5\n"
                             "1 2 2 7 3 1 2 3\n2 2 2 0 8 2 4 3\n3 1 2 0 3 1 2\n4 1 2 4 0 2 3\n5 15 0 3\n$EndElements\n"
                             "$PhysicalNames\n3\n2 7 \"left\"\n4 \"all\"\n9 \"no such\"\n$EndPhysicalNames\n";
  static const struct {
    const char *name;
    PetscInt    dim, total;
  } groups[]        = {{"left", 2, 1}, {"all", 1, 1}, {"all", 2, 2}, {"all", 0, 1}, {"surface 3", 2, 1}, {"surface 8", 2, 1}, {"curve 3", 1, 1}};
  ParsedMesh parsed = Parse(PETSC_COMM_WORLD, text);
  PetscInt   count, *nodes;

  (void)state;
  assert_int_equal(MeshNumGroups(parsed.mesh), 2);
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    const PetscInt group = MeshFindGroup(parsed.mesh, groups[i].dim, groups[i].name);

    assert_true(group >= 0);
    assert_int_equal(MeshGetGroup(parsed.mesh, group)->total, groups[i].total);
    assert_int_equal(Sum(MeshGetGroup(parsed.mesh, group)->count), groups[i].total);
  }
  assert_ok(MeshGroupNodes(parsed.mesh, MeshFindGroup(parsed.mesh, MESH_ANY_DIM, "surface 8"), &count, &nodes));
  assert_int_equal(count, 3);
  assert_ok(PetscFree(nodes));
  assert_int_equal(MeshFindGroup(parsed.mesh, 2, "surface 0"), MESH_NO_GROUP);
  assert_int_equal(MeshFindGroup(parsed.mesh, 1, "curve 4"), MESH_NO_GROUP);
  assert_int_equal(MeshFindGroup(parsed.mesh, MESH_ANY_DIM, "no such"), MESH_NO_GROUP);
  assert_int_equal(MeshFindGroup(parsed.mesh, 3, "all"), MESH_NO_GROUP);
  DestroyParsed(&parsed);
}

/* Programs that write the old format call it by any of these names. */
static void every_version_of_the_old_format_is_read(void **state)
{
  static const char *const versions[] = {"2", "2.0", "2.1", "2.2"};

  (void)state;
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
    char       text[200];
    ParsedMesh parsed;

    snprintf(text, sizeof text,
             "$MeshFormat\n%s 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n2 1 0 0\n$EndNodes\n$Elements\n1\n1 1 2 5 3 1 2\n"
             "$EndElements\n",
             versions[i]);
    parsed = Parse(PETSC_COMM_WORLD, text);
    assert_non_null(parsed.mesh);
    assert_int_equal(MeshGetNodes(parsed.mesh)->total, 2);
    assert_int_equal(MeshGetGroup(parsed.mesh, 0)->number, 5);
    DestroyParsed(&parsed);
  }
}

typedef struct {
  char   bytes[1000];
  size_t length;
  int    swap;
} Binary;

static void Put(Binary *binary, const void *value, size_t size)
{
  const char *const bytes = value;

  for (size_t i = 0; i < size; i++) binary->bytes[binary->length++] = bytes[binary->swap ? size - 1 - i : i];
}

static void PutText(Binary *binary, const char *text)
{
  binary->length += (size_t)snprintf(binary->bytes + binary->length, sizeof binary->bytes - binary->length, "%s", text);
}

static void PutInts(Binary *binary, int count, const int32_t values[])
{
  for (int i = 0; i < count; i++) Put(binary, &values[i], sizeof *values);
}

static void PutSizes(Binary *binary, int count, const uint64_t values[])
{
  for (int i = 0; i < count; i++) Put(binary, &values[i], sizeof *values);
}

/* A line of nodes 7 and 300 from (0, 0, 0) to (0.1, -2.5, 1e-30), in either version. */
static void WriteLine(Binary *binary, int version, int swap)
{
  const double   ends[6] = {0, 0, 0, 0.1, -2.5, 1e-30};
  const uint64_t tags[]  = {7, 300};
  const int32_t  one = 1, small_tags[] = {7, 300};

  *binary = (Binary){.swap = swap};
  PutText(binary, version == 2 ? "$MeshFormat\n2.2 1 8\n" : "$MeshFormat\n4.1 1 8\n");
  PutInts(binary, 1, &one);
  PutText(binary, version == 2 ? "\n$EndMeshFormat\n$Nodes\n2\n" : "\n$EndMeshFormat\n$Nodes\n");
  if (version == 4) {
    PutSizes(binary, 4, (const uint64_t[]){1, 2, 7, 300});
    PutInts(binary, 3, (const int32_t[]){1, 1, 0});
    PutSizes(binary, 1, (const uint64_t[]){2});
    PutSizes(binary, 2, tags);
  }
  for (int i = 0; i < 2; i++) {
    if (version == 2) PutInts(binary, 1, &small_tags[i]);
    for (int k = 0; k < 3; k++) Put(binary, &ends[3 * i + k], sizeof *ends);
  }
  PutText(binary, version == 2 ? "\n$EndNodes\n$Elements\n1\n" : "\n$EndNodes\n$Elements\n");
  if (version == 2) PutInts(binary, 8, (const int32_t[]){1, 1, 2, 55, 3, 1, 300, 7});
  else {
    PutSizes(binary, 4, (const uint64_t[]){1, 1, 55, 55});
    PutInts(binary, 3, (const int32_t[]){1, 1, 1});
    PutSizes(binary, 4, (const uint64_t[]){1, 55, 300, 7});
  }
  PutText(binary, "\n$EndElements\n");
}

static void binary_files_of_either_byte_order_are_read(void **state)
{
  for (int i = 0; i < 4; i++) {
    Binary     binary;
    ParsedMesh parsed;
    PetscInt   ends[2];
    PetscReal  places[6];

    WriteLine(&binary, i % 2 ? 2 : 4, i / 2);
    parsed = ParseBytes(PETSC_COMM_WORLD, binary.bytes, binary.length);
    assert_int_equal(InputNumComplaints(parsed.document), 0);
    assert_ok(MeshNodeByTag(parsed.mesh, 7, &ends[0]));
    assert_ok(MeshNodeByTag(parsed.mesh, 300, &ends[1]));
    assert_ok(MeshNodeCoordinates(parsed.mesh, 2, ends, places));
    assert_true(places[0] == 0 && places[3] == 0.1 && places[4] == -2.5 && places[5] == 1e-30);
    assert_int_equal(MeshGetBlock(parsed.mesh, 0)->total, 1);
    if (RankOf(MPI_COMM_WORLD) == 0 && MeshGetBlock(parsed.mesh, 0)->count) {
      assert_int_equal(MeshGetBlock(parsed.mesh, 0)->tags[0], 55);
      assert_int_equal(MeshGetBlock(parsed.mesh, 0)->nodes[0], ends[1]);
    }
    DestroyParsed(&parsed);
  }
}

/* As strtod, to the last bit, for numbers of any length and size. */
static void numbers_are_rounded_correctly(void **state)
{
  uint64_t bits = 88172645463325252u;

  for (int i = 0; i < 200000; i++) {
    char        text[64];
    double      value;
    PetscReal   scanned;
    const char *end;

    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    memcpy(&value, &bits, sizeof value);
    if (i % 2) value = (double)(int64_t)bits * pow(10.0, (int)(bits % 40) - 30);
    if (!(fabs(value) < 1e308)) continue;
    snprintf(text, sizeof text, "%.*g", (int)(bits % 20) + 1, value);
    end = NumberScanReal(text, text + strlen(text), &scanned);
    if (!isfinite(strtod(text, NULL))) continue;
    assert_ptr_equal(end, text + strlen(text));
    assert_true(scanned == strtod(text, NULL));
  }
}

static void what_is_no_number_is_refused(void **state)
{
  static const char *const wrong[] = {"", "-", ".", "-.", "e5", "1e", "1e+", "nan", "inf", "1e999", "x"};
  static const char *const right[] = {"1", "-1.", ".5", "+.5e-3", "1E5", "0e0", "-0", "00012", "1e-400"};

  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    PetscReal value;

    assert_null(NumberScanReal(wrong[i], wrong[i] + strlen(wrong[i]), &value));
  }
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
    PetscReal value;

    assert_ptr_equal(NumberScanReal(right[i], right[i] + strlen(right[i]), &value), right[i] + strlen(right[i]));
    assert_true(value == strtod(right[i], NULL));
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(nodes_at_one_place_within_a_part_are_warned_of, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(nodes_without_elements_are_left_out, MakeScratch, RemoveScratch),
    cmocka_unit_test(copies_for_several_groups_are_one_element),
    cmocka_unit_test(every_version_of_the_old_format_is_read),
    cmocka_unit_test(entities_are_groups_without_a_name),
    cmocka_unit_test(binary_files_of_either_byte_order_are_read),
    cmocka_unit_test(numbers_are_rounded_correctly),
    cmocka_unit_test(what_is_no_number_is_refused),
  };
  int failures;

  if (PetscInitialize(&argc, &argv, NULL, NULL) != 0 || ErrorHandlerInstall() != 0) return 1;
  LogSetLevel(LOG_QUIET);
  failures = cmocka_run_group_tests(tests, NULL, NULL);
  if (PetscFinalize() != 0) return 1;
  return failures;
}
