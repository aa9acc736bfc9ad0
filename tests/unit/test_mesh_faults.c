/* test_mesh_faults.c - what is wrong with a mesh file is told with its place, in one message, on all ranks. [ranks: 1 2 3] */
#include "parsed_mesh.h"

/* Two tetrahedra in a group, and a face of one: version 4.1. */
static const char *const new_lines[] = {
  "$MeshFormat",
  "4.1 0 8",
  "$EndMeshFormat", /* 1 */
  "$PhysicalNames",
  "2",
  "2 5 \"foot\"",
  "3 1 \"body\"",
  "$EndPhysicalNames", /* 4 */
  "$Entities",
  "0 0 1 1",
  "4 0 0 0 1 1 0 1 5 0",
  "1 0 0 0 1 1 1 1 1 0",
  "$EndEntities", /* 9 */
  "$Nodes",
  "1 5 1 5",
  "3 1 0 5",
  "1",
  "2",
  "3",
  "4",
  "5", /* 14 */
  "0 0 0",
  "1 0 0",
  "0 1 0",
  "0 0 1",
  "1 1 1",
  "$EndNodes", /* 22 */
  "$Elements",
  "2 3 1 3",
  "2 4 2 1",
  "1 1 2 3",
  "3 1 4 2",
  "2 1 2 3 4",
  "3 2 3 4 5",
  "$EndElements", /* 28 */
};

/* The same, version 2.2. */
static const char *const old_lines[] = {
  "$MeshFormat", "2.2 0 8", "$EndMeshFormat",                                                                                    /* 1 */
  "$Nodes",      "5",       "1 0 0 0",         "2 1 0 0",           "3 0 1 0",           "4 0 0 1",      "5 1 1 1", "$EndNodes", /* 4 */
  "$Elements",   "3",       "1 2 2 5 4 1 2 3", "2 4 2 1 1 1 2 3 4", "3 4 2 1 1 2 3 4 5", "$EndElements",                         /* 12 */
};

/* Version 1, and version 4.0, each without names. */
static const char *const first_lines[] = {
  "$NOD", "4", "1 0 0 0",         "2 1 0 0",           "3 0 1 0", "4 0 0 1", "$ENDNOD", /* 1 */
  "$ELM", "2", "1 2 5 4 3 1 2 3", "2 4 1 1 4 1 2 3 4", "$ENDELM",                       /* 8 */
};

static const char *const middle_lines[] = {
  "$MeshFormat",  "4.0 0 8",      "$EndMeshFormat", /* 1 */
  "$Entities",    "0 0 0 1",      "1 0 0 0 1 1 1 1 1 0",
  "$EndEntities", /* 4 */
  "$Nodes",       "1 4",          "1 3 0 4",
  "1 0 0 0",      "2 1 0 0",      "3 0 1 0",
  "4 0 0 1",      "$EndNodes", /* 8 */
  "$Elements",    "1 1",          "1 3 4 1",
  "2 1 2 3 4",    "$EndElements", /* 16 */
};

/* Version 4.1 in two partitions. */
static const char *const divided_lines[] = {
  "$MeshFormat",
  "4.1 0 8",
  "$EndMeshFormat", /* 1 */
  "$Entities",
  "0 0 0 1",
  "1 0 0 0 1 1 1 1 1 0",
  "$EndEntities", /* 4 */
  "$PartitionedEntities",
  "2",
  "0",
  "0 0 1 2",
  "7 3 1 2 1 2 0 0 0 1 1 1 1 1 0", /* 8: the border between them */
  "3 3 1 1 1 0 0 0 1 1 1 1 1 0",
  "4 3 1 1 2 0 0 0 1 1 1 1 1 0",
  "$EndPartitionedEntities", /* 13 */
  "$Nodes",
  "1 5 1 5",
  "3 3 0 5",
  "1",
  "2",
  "3",
  "4",
  "5",
  "0 0 0",
  "1 0 0",
  "0 1 0",
  "0 0 1",
  "1 1 1",
  "$EndNodes", /* 16 */
  "$Elements",
  "3 3 1 3",
  "2 7 2 1",
  "1 2 3 4",
  "3 3 4 1",
  "2 1 2 3 4",
  "3 4 4 1",
  "3 2 3 4 5",
  "$EndElements", /* 30 */
};

enum {
  NUM_NEW     = sizeof new_lines / sizeof *new_lines,
  NUM_OLD     = sizeof old_lines / sizeof *old_lines,
  NUM_FIRST   = sizeof first_lines / sizeof *first_lines,
  NUM_MIDDLE  = sizeof middle_lines / sizeof *middle_lines,
  NUM_DIVIDED = sizeof divided_lines / sizeof *divided_lines,
  MAX_TEXT    = 4000
};

/* The line (from 1) put in place of one of the mesh; `last` cuts off what comes behind it. */
typedef struct {
  int         line;
  const char *text, *said;
  int         last;
} Case;

static const Case new_cases[] = {
  {1, "solid beam", "1:1: expected a section such as $Nodes, found 'solid'", 0},
  {1, "$MeshFromat", "1:12: section $MeshFromat has no end: the file ends before $EndMeshFromat", 0},
  {2, "3.0 0 8", "2:1: version 3.0 of the format is not read, only 1, 2.0 to 2.2, 4.0 and 4.1: save it with `gmsh -save -format msh41`", 0},
  {2, "2.3 0 8", "2:1: version 2.3 of the format is not read, only 1, 2.0 to 2.2, 4.0 and 4.1: save it with `gmsh -save -format msh41`", 0},
  {2, "new 0 8", "2:1: expected the version of the format, such as 2.2 or 4.1, found 'new'", 0},
  {2, "4.1 2 8", "2:1: expected 0 for a text file or 1 for a binary one behind the version, found 2", 0},
  {2, "4.1 0 16", "2:1: expected numbers of 8 bytes, found 16", 0},
  {5, "3", "8:1: expected the dimension and number of a physical group, found '$EndPhysicalNames'", 0},
  {5, "1", "7:1: expected $EndPhysicalNames, as all it announced is read, found '3'", 0},
  {6, "2 5 foot", "6:4: expected the name of a physical group in quotes", 0},
  {6, "4 5 \"foot\"", "6:4: expected a dimension from 0 to 3 before the name, found 4", 0},
  {6, "3 1 \"foot\"", "5:1: the physical group 1 of dimension 3 is given two names", 0},
  {11, "4 0 0 0 1 1 0 101 5 0", "11:15: an entity may be in 100 physical groups, found 101", 0},
  {11, "4 0 0 0 1 1 0 1 5.5 0", "11:17: expected the number of a physical group, found '5.5'", 0},
  {14, "$PartitionedEntities", "27:1: expected a partition of an entity, found '$EndNodes'", 0},
  {14, "$Elements", "14:1: $Elements comes without $Nodes before it", 0},
  {14, "$ParametricNodes", "14:17: section $ParametricNodes has no end: the file ends before $EndParametricNodes", 0},
  {15, "1 4 1 5", "16:1: 5 more nodes come after 0 of the 4 announced", 0},
  {16, "3 1 0 6", "16:1: 6 more nodes come after 0 of the 5 announced", 0},
  {16, "3 1 0 4", "25:5: expected $EndNodes, as all it announced is read, found '1'", 0},
  {16, "3 1 0 -1", "16:1: expected a number of nodes, found -1", 0},
  {16, "3 1 0 123456789012345", "16:1: 123456789012345 nodes are announced, but the rest of the file has room for 15 at most", 0},
  {16, "3 1 2 5", "16:1: expected the parametric flag 0 or 1, found 2", 0},
  {18, "2.5", "18:1: expected a node tag, found '2.5'", 0},
  {18, "0", "15:1: node tags must be positive, but that of the node 2 of the list is 0", 0},
  {18, "4", "15:1: node tag 4 is given twice: to the nodes 2 and 4 of the list", 0},
  {18, "99999999999999999999", "18:1: expected a node tag, found '99999999999999999999'", 0},
  {23, "1 nan 0", "23:3: expected a coordinate, found 'nan'", 0},
  {23, "1 0,5 0", "23:3: expected a coordinate, found '0,5'", 0},
  {23, "1 0 1e999", "23:5: expected a coordinate, found '1e999'", 0},
  {23, "1 0", "27:1: expected a coordinate, found '$EndNodes'", 0},
  {24, "0 1", "16:1: 5 nodes are announced, but the rest of the file has room for 3 at most", 24},
  {27, "", "28:1: expected $EndNodes, as all it announced is read, found '$Elements'", 0},
  {29, "2 4 1 4", "29:1: 4 elements are announced, but the entities have 3", 0},
  {29, "2 2 1 3", "32:1: 2 more elements come after 1 of the 2 announced", 0},
  {30, "2 4 26 1", "30:1: elements of type 26 (Line 4) are not read, only those of first and second order: set Mesh.ElementOrder = 2", 0},
  {30, "2 4 900 1", "30:1: expected a type of elements, found 900", 0},
  {30, "3 4 2 1", "30:1: elements tri3 in an entity of dimension 3", 0},
  {33, "2 1 2 3 6", "33:1: element 2 has node 6, but $Nodes has none of this tag", 0},
  {34, "3 2 3 4", "35:1: expected the tag or a node of an element, found '$EndElements'", 0},
  {34, "3 2 3 4 x", "34:9: expected the tag or a node of an element, found 'x'", 0},
  {34, "3 2 3", "32:1: 2 elements are announced, but the rest of the file has room for 1 at most", 34},
  {35, "$EndElement", "35:1: expected $EndElements, as all it announced is read, found '$EndElement'", 0},
  {35, "$EndElements $Nodes", "35:14: $Nodes comes a second time", 0},
};

static const Case old_cases[] = {
  {2, "1 0 8", "2:1: version 1 of the format is not read, only 1, 2.0 to 2.2, 4.0 and 4.1: save it with `gmsh -save -format msh41`", 0},
  {5, "5000", "5:1: 5000 nodes are announced, but the rest of the file has room for 16 at most", 0},
  {5, "6", "11:1: expected a node tag, found '$EndNodes'", 0},
  {5, "4", "10:1: expected $EndNodes, as all it announced is read, found '5'", 0},
  {5, "5 5", "5:3: expected the end of the line, found '5'", 0},
  {7, "1 1 0 0", "5:1: node tag 1 is given twice: to the nodes 1 and 2 of the list", 0},
  {13, "0", "14:1: expected $EndElements, as all it announced is read, found '1'", 0},
  {13, "4", "17:1: expected the tag, type and number of tags of an element, found '$EndElements'", 0},
  {14, "1 34 2 5 4 1 2 3", "14:1: elements of type 34 (Polygon) are not read, only those of first and second order: set Mesh.ElementOrder = 2", 0},
  {14, "1 2 -1 1 2 3", "14:1: expected the number of tags of an element, found -1", 0},
  {14, "1 2 1 99999999999 1 2 3", "14:1: expected the number of a physical group, found 99999999999", 0},
  {15, "2 4 2 1 1 1 2 3 9", "15:1: element 2 has node 9, but $Nodes has none of this tag", 0},
};

static const Case first_cases[] = {
  {1, "$NODES", "1:7: section $NODES has no end: the file ends before $EndNODES", 0},
  {2, "3", "6:1: expected $EndNOD, as all it announced is read, found '4'", 0},
  {8, "$ELEM", "8:6: section $ELEM has no end: the file ends before $EndELEM", 0},
  {9, "3", "12:1: expected the tag, type, group, entity and number of nodes of an element, found '$ENDELM'", 0},
  {10, "1 2 5 4 4 1 2 3", "10:1: a tri3 has 3 nodes, found 4", 0},
  {11, "2 4 1 1 4 1 2 3 5", "11:1: element 2 has node 5, but $Nodes has none of this tag", 0},
  {12, "$ENDELM $", "12:10: section $ has no end: the file ends before $End", 12},
  {7, "$ENDNOD", "7:8: the file ends, and there is no $ELM", 7},
};

static const Case middle_cases[] = {
  {10, "1 4 0 4", "10:1: expected an entity of dimension 0 to 3, found 4", 0},
  {10, "1 3 2 4", "10:1: expected the parametric flag 0 or 1, found 2", 0},
  {14, "4 0 0", "15:1: expected a coordinate, found '$EndNodes'", 0},
  {18, "3 1 4 1", "18:1: elements tet4 in an entity of dimension 1", 0},
  {19, "2 1 2 3 5", "19:1: element 2 has node 5, but $Nodes has none of this tag", 0},
};

static const Case divided_cases[] = {
  {9, "3", "31:1: the mesh is in 3 partitions, but this file has the elements of 2: save all of it in one file (Mesh.PartitionSplitMeshFiles = 0)",
   0},
  {12, "7 3 1 x", "12:7: expected the number of partitions of an entity, found 'x'", 0},
};

enum {
  NUM_NEW_CASES     = sizeof new_cases / sizeof *new_cases,
  NUM_OLD_CASES     = sizeof old_cases / sizeof *old_cases,
  NUM_FIRST_CASES   = sizeof first_cases / sizeof *first_cases,
  NUM_MIDDLE_CASES  = sizeof middle_cases / sizeof *middle_cases,
  NUM_DIVIDED_CASES = sizeof divided_cases / sizeof *divided_cases
};

static void Write(int num_lines, const char *const lines[], const Case *broken, char text[MAX_TEXT])
{
  text[0] = '\0';
  for (int i = 1; i <= num_lines && !(broken->last && i > broken->last); i++) {
    strcat(text, broken->line == i ? broken->text : lines[i - 1]);
    if (i != broken->last) strcat(text, "\n");
  }
}

static void CheckCases(Scratch *scratch, int num_lines, const char *const lines[], int count, const Case cases[])
{
  char text[MAX_TEXT], expected[500];

  for (int i = 0; i < count; i++) {
    ParsedMesh parsed;

    Write(num_lines, lines, &cases[i], text);
    parsed = Parse(PETSC_COMM_WORLD, text);
    assert_null(parsed.mesh);
    snprintf(expected, sizeof expected, "error: beam.msh:%s\n", cases[i].said);
    AssertSaid(scratch, &parsed, expected);
    DestroyParsed(&parsed);
  }
}

static void new_text_with_one_fault_gives_its_message(void **state)
{
  CheckCases(*state, NUM_NEW, new_lines, NUM_NEW_CASES, new_cases);
}

static void old_text_with_one_fault_gives_its_message(void **state)
{
  CheckCases(*state, NUM_OLD, old_lines, NUM_OLD_CASES, old_cases);
}

static void texts_of_other_versions_with_one_fault_give_its_message(void **state)
{
  CheckCases(*state, NUM_FIRST, first_lines, NUM_FIRST_CASES, first_cases);
  CheckCases(*state, NUM_MIDDLE, middle_lines, NUM_MIDDLE_CASES, middle_cases);
  CheckCases(*state, NUM_DIVIDED, divided_lines, NUM_DIVIDED_CASES, divided_cases);
}

/* Of those versions: nodes, elements of the highest block, and its groups. */
static void other_versions_are_read(void **state)
{
  static const Case none = {0, "", "", 0};
  static const struct {
    const char *const *lines;
    int                count, num_nodes, num_blocks;
    PetscInt           num_groups, tets;
  } meshes[] = {{first_lines, NUM_FIRST, 4, 2, 2, 1}, {middle_lines, NUM_MIDDLE, 4, 1, 1, 1}, {divided_lines, NUM_DIVIDED, 5, 1, 1, 2}};

  for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
    char       text[MAX_TEXT];
    ParsedMesh parsed;

    Write(meshes[i].count, meshes[i].lines, &none, text);
    parsed = Parse(PETSC_COMM_WORLD, text);
    AssertSaid(*state, &parsed, "");
    assert_int_equal(MeshGetNodes(parsed.mesh)->total, meshes[i].num_nodes);
    assert_int_equal(MeshNumBlocks(parsed.mesh), meshes[i].num_blocks); /* the border is none */
    assert_int_equal(MeshNumGroups(parsed.mesh), meshes[i].num_groups);
    assert_int_equal(MeshGetGroup(parsed.mesh, MeshFindGroup(parsed.mesh, 3, "1"))->total, meshes[i].tets);
    assert_int_equal(MeshGetGroup(parsed.mesh, MeshFindGroup(parsed.mesh, 3, "volume 1"))->total, meshes[i].tets);
    assert_int_equal(MeshFindGroup(parsed.mesh, 3, "volume 3"), MESH_NO_GROUP); /* a piece of volume 1 */
    DestroyParsed(&parsed);
  }
}

/* What other programs write is told with what to do, in a line without a place in the file. */
static void files_of_other_programs_are_recognised(void **state)
{
  static const char *const files[][2] = {
    {"\x89HDF\r\n\x1a\n",
     "is an HDF5 file, not a mesh of Gmsh: convert its mesh with `meshio convert beam.msh beam-gmsh.msh --output-format gmsh22`"},
    {"*HEADING\n",
     "is an input file of Abaqus or CalculiX, not a mesh of Gmsh: convert it with `meshio convert beam.msh beam-gmsh.msh --output-format gmsh22`"},
    {"** comment\n",
     "is an input file of Abaqus or CalculiX, not a mesh of Gmsh: convert it with `meshio convert beam.msh beam-gmsh.msh --output-format gmsh22`"},
    {"ISO-10303-21;\n", "is a geometry (STEP), not a mesh of Gmsh: make its mesh with `gmsh -3 beam.msh -o beam-gmsh.msh`"},
  };

  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char       expected[500];
    ParsedMesh parsed = Parse(PETSC_COMM_WORLD, files[i][0]);

    snprintf(expected, sizeof expected, "error: beam.msh: %s\n", files[i][1]);
    AssertSaid(*state, &parsed, expected);
    DestroyParsed(&parsed);
  }
}

/* Both meshes without a fault: what the cases break is what they say. */
static void unbroken_meshes_are_read(void **state)
{
  static const Case none = {0, "", "", 0};
  char              text[MAX_TEXT];

  for (int old = 0; old < 2; old++) {
    ParsedMesh parsed;

    if (old) Write(NUM_OLD, old_lines, &none, text);
    else Write(NUM_NEW, new_lines, &none, text);
    parsed = Parse(PETSC_COMM_WORLD, text);
    AssertSaid(*state, &parsed, "");
    assert_int_equal(MeshGetNodes(parsed.mesh)->total, 5);
    DestroyParsed(&parsed);
  }
}

/* Every beginning of a text is refused or, when only the last blank is missing, read; never anything else. */
static void every_truncated_text_is_refused(void **state)
{
  static const Case none = {0, "", "", 0};
  char              text[MAX_TEXT];

  Write(NUM_NEW, new_lines, &none, text);
  for (size_t length = strlen(text); length-- > 0;) {
    ParsedMesh parsed = ParseBytes(PETSC_COMM_SELF, text, length);

    assert_int_equal(InputNumComplaints(parsed.document), length + 1 == strlen(text) ? 0 : 1);
    DestroyParsed(&parsed);
  }
}

static void empty_and_missing_files_are_told(void **state)
{
  ParsedMesh parsed = Parse(PETSC_COMM_WORLD, "");

  AssertSaid(*state, &parsed, "error: beam.msh:1:1: expected a .msh file of Gmsh, but there is no $MeshFormat\n");
  DestroyParsed(&parsed);
  parsed = Parse(PETSC_COMM_WORLD, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n0\n$EndNodes\n$Elements\n0\n$EndElements\n");
  AssertSaid(*state, &parsed, "error: beam.msh:10:1: there are no elements: was the mesh made before it was saved?\n");
  assert_ok(MeshReadGmsh(PETSC_COMM_WORLD, InputFind(InputRoot(parsed.document), "mesh"), "no/such.msh", 1.0, &parsed.mesh));
  assert_null(parsed.mesh);
  assert_int_equal(InputNumComplaints(parsed.document), 2);
  AssertSaid(*state, &parsed,
             "error: beam.msh:10:1: there are no elements: was the mesh made before it was saved?\n"
             "error: case.yaml:1:7: mesh: 'no/such.msh' cannot be read: No such file or directory\n");
  DestroyParsed(&parsed);
}

/* A folder is no file. */
static void folder_is_refused(void **state)
{
  Scratch   *scratch = *state;
  ParsedMesh parsed  = Parse(PETSC_COMM_WORLD, "x");

  assert_ok(MeshReadGmsh(PETSC_COMM_WORLD, InputFind(InputRoot(parsed.document), "mesh"), scratch->folder, 1.0, &parsed.mesh));
  assert_null(parsed.mesh);
  assert_int_equal(InputNumComplaints(parsed.document), 2);
  DestroyParsed(&parsed);
}

static size_t Add(char *bytes, size_t length, const void *more, size_t count)
{
  memcpy(bytes + length, more, count);
  return length + count;
}

static size_t AddText(char *bytes, size_t length, const char *text)
{
  return Add(bytes, length, text, strlen(text));
}

/* The head of a binary file of version 4.1, and one node. */
static size_t WriteBinaryNode(char *bytes, int32_t one, uint64_t tag, double x)
{
  const int32_t  entity[3] = {0, 1, 0};
  const uint64_t numbers[] = {1, 1, 1, 1}, count = 1;
  const double   place[] = {x, 0, 0};
  size_t         length  = 0;

  length = AddText(bytes, length, "$MeshFormat\n4.1 1 8\n");
  length = Add(bytes, length, &one, sizeof one);
  length = AddText(bytes, length, "\n$EndMeshFormat\n$Nodes\n");
  length = Add(bytes, length, numbers, sizeof numbers);
  length = Add(bytes, length, entity, sizeof entity);
  length = Add(bytes, length, &count, sizeof count);
  length = Add(bytes, length, &tag, sizeof tag);
  length = Add(bytes, length, place, sizeof place);
  return AddText(bytes, length, "\n$EndNodes\n");
}

static void CheckBinary(Scratch *scratch, const char *bytes, size_t size, const char *expected)
{
  ParsedMesh parsed = ParseBytes(PETSC_COMM_WORLD, bytes, size);

  assert_null(parsed.mesh);
  AssertSaid(scratch, &parsed, expected);
  DestroyParsed(&parsed);
}

static void faults_of_binary_files_name_the_byte(void **state)
{
  char   bytes[1000];
  size_t size;

  size = WriteBinaryNode(bytes, 1, 1, 0.5);
  CheckBinary(*state, bytes, size, "error: beam.msh: byte 142: the file ends, and there is no $Elements\n");
  CheckBinary(*state, bytes, size - 20, "error: beam.msh: byte 79: 1 nodes are announced, but the rest of the file has room for 0 at most\n");
  CheckBinary(*state, bytes, 95, "error: beam.msh: byte 91: expected the number of nodes of an entity (8 bytes), but the file ends after 4\n");
  CheckBinary(*state, bytes, 22, "error: beam.msh: byte 20: expected the number 1 that tells the byte order (4 bytes), but the file ends after 2\n");
  size = WriteBinaryNode(bytes, 7, 1, 0.5);
  CheckBinary(*state, bytes, size, "error: beam.msh: byte 20: expected the number 1 that tells the byte order, found 7\n");
  size = WriteBinaryNode(bytes, 1, UINT64_MAX, 0.5);
  CheckBinary(*state, bytes, size, "error: beam.msh: byte 47: node tags must be positive, but that of the node 1 of the list is -1\n");
  size = WriteBinaryNode(bytes, 1, 1, (double)NAN);
  CheckBinary(*state, bytes, size, "error: beam.msh: byte 107: expected a coordinate, found a number that is not finite\n");
  size = WriteBinaryNode(bytes, 1, 1, 0.5);
  memset(bytes + 91, 0x7F, 8); /* the number of nodes of the entity */
  CheckBinary(*state, bytes, size,
              "error: beam.msh: byte 79: 9187201950435737471 nodes are announced, but the rest of the file has room for 1 at most\n");
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(unbroken_meshes_are_read, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(new_text_with_one_fault_gives_its_message, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(old_text_with_one_fault_gives_its_message, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(other_versions_are_read, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(texts_of_other_versions_with_one_fault_give_its_message, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(files_of_other_programs_are_recognised, MakeScratch, RemoveScratch),
    cmocka_unit_test(every_truncated_text_is_refused),
    cmocka_unit_test_setup_teardown(empty_and_missing_files_are_told, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(folder_is_refused, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(faults_of_binary_files_name_the_byte, MakeScratch, RemoveScratch),
  };
  int failures;

  if (PetscInitialize(&argc, &argv, NULL, NULL) != 0) return 1;
  failures = cmocka_run_group_tests(tests, NULL, NULL);
  if (PetscFinalize() != 0) return 1;
  return failures;
}
