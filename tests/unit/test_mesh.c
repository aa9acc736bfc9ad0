/* test_mesh.c - meshes: order, distribution, groups, nodes looked up, parts; the same on any number of ranks. [ranks: 1 2 3] */
#include "parsed_mesh.h"

enum { MAX_TEXT = 200000 };

/* Bars of bricks, the second on top of the first and not joined to it: 21 x 4 x 3 nodes each, whose tags are shuffled. */
enum { NX = 20, NY = 3, NZ = 2, BAR_NODES = (NX + 1) * (NY + 1) * (NZ + 1), BAR_BRICKS = NX * NY * NZ };

typedef struct {
  char  *text;
  size_t length;
} Text;

static void Say(Text *text, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
static void Say(Text *text, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  text->length += (size_t)vsnprintf(text->text + text->length, MAX_TEXT - text->length, format, arguments);
  va_end(arguments);
  assert_true(text->length < MAX_TEXT);
}

/* Multiplying by a number prime to the count shuffles. */
static int TagOf(int bar, int i, int j, int k)
{
  return 1000 + 1000 * bar + 101 * ((k * (NY + 1) + j) * (NX + 1) + i) % BAR_NODES;
}

static void SayNodes(Text *text, int bar)
{
  Say(text, "3 %d 0 %d\n", bar + 1, BAR_NODES);
  for (int n = 0; n < 2 * BAR_NODES; n++) {
    const int m = n % BAR_NODES, i = m % (NX + 1), j = m / (NX + 1) % (NY + 1), k = m / (NX + 1) / (NY + 1);

    if (n < BAR_NODES) Say(text, "%d\n", TagOf(bar, i, j, k));
    else Say(text, "%g %g %g\n", 0.1 * i, 0.1 * j, 0.1 * k + 0.1 * NZ * bar);
  }
}

static void SayBricks(Text *text, int bar)
{
  Say(text, "3 %d 5 %d\n", bar + 1, BAR_BRICKS);
  for (int e = 0; e < BAR_BRICKS; e++) {
    const int i = e % NX, j = e / NX % NY, k = e / NX / NY;

    Say(text, "%d %d %d %d %d %d %d %d %d\n", 5000 * (bar + 1) + e, TagOf(bar, i, j, k), TagOf(bar, i + 1, j, k), TagOf(bar, i + 1, j + 1, k),
        TagOf(bar, i, j + 1, k), TagOf(bar, i, j, k + 1), TagOf(bar, i + 1, j, k + 1), TagOf(bar, i + 1, j + 1, k + 1), TagOf(bar, i, j + 1, k + 1));
  }
}

/* The faces that touch: above the first bar, below the second. */
static void SayFaces(Text *text, int bar)
{
  const int k = bar == 0 ? NZ : 0;

  Say(text, "2 %d 3 %d\n", bar + 1, NX * NY);
  for (int e = 0; e < NX * NY; e++) {
    const int i = e % NX, j = e / NX;

    Say(text, "%d %d %d %d %d\n", 20000 * (bar + 1) + e, TagOf(bar, i, j, k), TagOf(bar, i + 1, j, k), TagOf(bar, i + 1, j + 1, k),
        TagOf(bar, i, j + 1, k));
  }
}

/* Groups: volumes "lower", "upper" and 9, which is both; surfaces "contact", "upper" and "empty". */
static char *Bars(void)
{
  Text text = {malloc(MAX_TEXT), 0};

  assert_non_null(text.text);
  Say(&text, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Comments\nskip me\n$EndComments\n$PhysicalNames\n5\n3 1 \"lower\"\n3 2 \"upper\"\n"
             "2 1 \"contact\"\n2 2 \"upper\"\n2 3 \"empty\"\n$EndPhysicalNames\n");
  Say(&text, "$Entities\n0 0 2 2\n1 0 0 0 1 1 1 1 1 0\n2 0 0 0 1 1 1 2 2 -2 0\n1 0 0 0 1 1 1 2 1 9 0\n2 0 0 0 1 1 1 2 -9 2 0\n$EndEntities\n");
  Say(&text, "$Nodes\n2 %d 1 9999\n", 2 * BAR_NODES);
  SayNodes(&text, 0);
  SayNodes(&text, 1);
  Say(&text, "$EndNodes\n$Elements\n4 %d 1 99999\n", 2 * BAR_BRICKS + 2 * NX * NY);
  for (int bar = 0; bar < 2; bar++) SayFaces(&text, bar);
  for (int bar = 0; bar < 2; bar++) SayBricks(&text, bar);
  Say(&text, "$EndElements\n$NodeData\n1\n\"$Nodes\"\n$EndNodeData\n");
  return text.text;
}

static ParsedMesh ParseBars(MPI_Comm comm)
{
  char            *text   = Bars();
  const ParsedMesh parsed = Parse(comm, text);

  free(text);
  assert_non_null(parsed.mesh);
  return parsed;
}

static void ranks_hold_contiguous_slices(void **state)
{
  ParsedMesh             parsed = ParseBars(PETSC_COMM_WORLD);
  const MeshNodes *const nodes  = MeshGetNodes(parsed.mesh);
  PetscInt               before = 0;
  PetscMPIInt            size;

  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Exscan(&nodes->count, &before, 1, MPIU_INT, MPI_SUM, MPI_COMM_WORLD);
  assert_int_equal(nodes->first, RankOf(MPI_COMM_WORLD) ? before : 0);
  assert_int_equal(nodes->total, 2 * BAR_NODES);
  assert_int_equal(Sum(nodes->count), nodes->total);
  assert_true(PetscAbsInt(nodes->count - nodes->total / size) <= 1);
  assert_int_equal(MeshNumBlocks(parsed.mesh), 2);
  for (PetscInt b = 0; b < 2; b++) {
    const MeshBlock *const block = MeshGetBlock(parsed.mesh, b);

    assert_int_equal(block->shape, b == 0 ? MESH_QUAD4 : MESH_HEX8);
    assert_int_equal(block->total, b == 0 ? 2 * NX * NY : 2 * BAR_BRICKS);
    assert_int_equal(Sum(block->count), block->total);
    before = 0;
    MPI_Exscan(&block->count, &before, 1, MPIU_INT, MPI_SUM, MPI_COMM_WORLD);
    assert_int_equal(block->first, RankOf(MPI_COMM_WORLD) ? before : 0);
  }
  DestroyParsed(&parsed);
}

static void the_rank_of_the_lowest_node_has_the_element(void **state)
{
  ParsedMesh             parsed = ParseBars(PETSC_COMM_WORLD);
  const MeshNodes *const nodes  = MeshGetNodes(parsed.mesh);

  for (PetscInt i = 1; i < nodes->num_ghosts; i++) assert_true(nodes->ghosts[i] > nodes->ghosts[i - 1]);
  for (PetscInt b = 0; b < MeshNumBlocks(parsed.mesh); b++) {
    const MeshBlock *const block = MeshGetBlock(parsed.mesh, b);
    const PetscInt         width = mesh_shapes[block->shape].num_nodes;
    PetscInt               last  = nodes->first;

    for (PetscInt e = 0; e < block->count; e++) {
      PetscInt lowest = PETSC_MAX_INT;

      for (PetscInt i = e * width; i < (e + 1) * width; i++) {
        const PetscInt local = block->local_nodes[i];

        lowest = PetscMin(lowest, block->nodes[i]);
        assert_true(local >= 0 && local < nodes->count + nodes->num_ghosts);
        assert_int_equal(block->nodes[i], local < nodes->count ? nodes->first + local : nodes->ghosts[local - nodes->count]);
      }
      assert_true(lowest >= last && lowest < nodes->first + nodes->count);
      last = lowest;
    }
  }
  DestroyParsed(&parsed);
}

/* What this rank has of the mesh is a slice of the mesh on one rank. */
static void the_mesh_does_not_depend_on_the_number_of_ranks(void **state)
{
  ParsedMesh             whole = ParseBars(PETSC_COMM_SELF), parsed = ParseBars(PETSC_COMM_WORLD);
  const MeshNodes *const all = MeshGetNodes(whole.mesh), *const nodes = MeshGetNodes(parsed.mesh);

  assert_memory_equal(nodes->tags, all->tags + nodes->first, (size_t)nodes->count * sizeof *all->tags);
  for (PetscInt i = 0; i < nodes->count + nodes->num_ghosts; i++) {
    const PetscInt global = i < nodes->count ? nodes->first + i : nodes->ghosts[i - nodes->count];

    assert_memory_equal(nodes->coordinates + 3 * i, all->coordinates + 3 * global, 3 * sizeof(PetscReal));
  }
  for (PetscInt b = 0; b < MeshNumBlocks(parsed.mesh); b++) {
    const MeshBlock *const every = MeshGetBlock(whole.mesh, b), *const block = MeshGetBlock(parsed.mesh, b);
    const PetscInt width = mesh_shapes[block->shape].num_nodes;

    assert_int_equal(every->count, block->total);
    if (block->count == 0) continue;
    assert_memory_equal(block->tags, every->tags + block->first, (size_t)block->count * sizeof *block->tags);
    assert_memory_equal(block->nodes, every->nodes + block->first * width, (size_t)(block->count * width) * sizeof *block->nodes);
  }
  DestroyParsed(&parsed);
  DestroyParsed(&whole);
}

static void neighbours_have_near_numbers(void **state)
{
  ParsedMesh             parsed = ParseBars(PETSC_COMM_WORLD);
  const MeshBlock *const bricks = MeshGetBlock(parsed.mesh, 1);

  /* A brick spans two planes of nodes across the bar at least, and a little more at the corner where the numbering begins. */
  for (PetscInt e = 0; e < bricks->count; e++) {
    for (PetscInt i = 0; i < 8; i++) assert_true(PetscAbsInt(bricks->nodes[8 * e + i] - bricks->nodes[8 * e]) < 3 * (NY + 1) * (NZ + 1));
  }
  DestroyParsed(&parsed);
}

static void parts_are_numbered_one_after_the_other(void **state)
{
  ParsedMesh                    parsed = ParseBars(PETSC_COMM_WORLD);
  const MeshNodes *const        nodes  = MeshGetNodes(parsed.mesh);
  const MeshCoincidences *const found  = MeshGetCoincidences(parsed.mesh);
  PetscReal                     lower[3], upper[3];

  assert_int_equal(MeshNumParts(parsed.mesh), 2);
  assert_int_equal(MeshPartStart(parsed.mesh, 0), 0);
  assert_int_equal(MeshPartStart(parsed.mesh, 1), BAR_NODES);
  assert_int_equal(MeshPartStart(parsed.mesh, 2), 2 * BAR_NODES);
  for (PetscInt i = 0; i < nodes->count; i++) assert_int_equal(MeshPartOfNode(parsed.mesh, nodes->first + i), nodes->tags[i] < 2000 ? 0 : 1);
  assert_int_equal(found->between_parts, (NX + 1) * (NY + 1));
  assert_int_equal(found->within_parts, 0);
  MeshBoundingBox(parsed.mesh, lower, upper);
  for (int k = 0; k < 3; k++) assert_near(lower[k], 0, 0);
  assert_close(upper[0], 0.1 * NX, 1e-15);
  assert_close(upper[1], 0.1 * NY, 1e-15);
  assert_close(upper[2], 0.2 * NZ, 1e-15);
  DestroyParsed(&parsed);
}

/* The group's nodes are those of the bar, or of its face, and the same on all ranks. */
static void CheckGroupNodes(const Mesh *mesh, const char *name, PetscInt dim, PetscInt expected)
{
  const PetscInt g = MeshFindGroup(mesh, dim, name);
  PetscInt       count, *nodes, checksum = 0, most;
  PetscReal     *places;

  assert_true(g >= 0);
  assert_ok(MeshGroupNodes(mesh, g, &count, &nodes));
  assert_int_equal(count, expected);
  for (PetscInt i = 0; i < count; i++) checksum += (i + 1) * nodes[i] % 997;
  MPI_Allreduce(&checksum, &most, 1, MPIU_INT, MPI_MAX, MPI_COMM_WORLD);
  assert_int_equal(checksum, most);
  for (PetscInt i = 1; i < count; i++) assert_true(nodes[i] > nodes[i - 1]);
  assert_ok(PetscMalloc1(3 * count, &places));
  assert_ok(MeshNodeCoordinates(mesh, count, nodes, places));
  for (PetscInt i = 0; i < count && dim == 2; i++) assert_near(places[3 * i + 2], 0.1 * NZ, 1e-15);
  assert_ok(PetscFree(places));
  assert_ok(PetscFree(nodes));
}

static void groups_have_their_elements_and_nodes(void **state)
{
  ParsedMesh parsed = ParseBars(PETSC_COMM_WORLD);

  assert_int_equal(MeshNumGroups(parsed.mesh), 6);
  for (PetscInt g = 0; g < 6; g++) {
    const MeshGroup *const group = MeshGetGroup(parsed.mesh, g);

    assert_int_equal(Sum(group->count), group->total);
    for (PetscInt i = 0; i < group->count; i++) {
      const MeshBlock *const block = MeshGetBlock(parsed.mesh, group->elements[i].block);

      assert_int_equal(mesh_shapes[block->shape].dim, group->dim);
      assert_true(group->elements[i].index >= 0 && group->elements[i].index < block->count);
      if (strcmp(group->name, "lower") == 0) assert_true(block->tags[group->elements[i].index] / 5000 == 1);
    }
  }
  CheckGroupNodes(parsed.mesh, "lower", 3, BAR_NODES);
  CheckGroupNodes(parsed.mesh, "9", MESH_ANY_DIM, 2 * BAR_NODES);
  CheckGroupNodes(parsed.mesh, "contact", MESH_ANY_DIM, (NX + 1) * (NY + 1));
  CheckGroupNodes(parsed.mesh, "upper", 2, (NX + 1) * (NY + 1));
  CheckGroupNodes(parsed.mesh, "empty", 2, 0);
  DestroyParsed(&parsed);
}

static void groups_are_found_by_dimension_and_name(void **state)
{
  ParsedMesh        parsed  = ParseBars(PETSC_COMM_WORLD);
  const Mesh *const mesh    = parsed.mesh;
  const char *const order[] = {"contact", "upper", "empty", "lower", "upper", "9"};

  for (PetscInt g = 0; g < 6; g++) assert_string_equal(MeshGetGroup(mesh, g)->name, order[g]);
  assert_int_equal(MeshFindGroup(mesh, 2, "upper"), 1);
  assert_int_equal(MeshFindGroup(mesh, 3, "upper"), 4);
  assert_int_equal(MeshFindGroup(mesh, MESH_ANY_DIM, "upper"), MESH_SEVERAL_GROUPS);
  assert_int_equal(MeshFindGroup(mesh, 1, "upper"), MESH_NO_GROUP);
  assert_int_equal(MeshFindGroup(mesh, MESH_ANY_DIM, "Lower"), MESH_NO_GROUP);
  assert_int_equal(MeshGetGroup(mesh, 1)->total, NX * NY);
  assert_int_equal(MeshGetGroup(mesh, 2)->total, 0);
  assert_int_equal(MeshGetGroup(mesh, 5)->total, 2 * BAR_BRICKS);
  assert_int_equal(MeshGetGroup(mesh, 5)->number, 9);
  DestroyParsed(&parsed);
}

static void a_group_that_cannot_be_chosen_is_told_with_those_that_can(void **state)
{
  static const struct {
    PetscInt    dim;
    const char *name, *said;
  } cases[] = {
    {2, "contcat", "unknown group of surfaces of beam.msh 'contcat'; did you mean 'contact'? it has: contact, upper, empty"},
    {MESH_ANY_DIM, "bolt", "unknown group of beam.msh 'bolt'; it has: contact, upper, empty, lower, upper, 9"},
    {2, "lower", "expected a group of surfaces, but 'lower' of beam.msh is one of volumes"},
    {MESH_ANY_DIM, "upper", "beam.msh has several groups 'upper', of points, curves, surfaces or volumes; expected one"},
    {2, "empty", "the group 'empty' of beam.msh has no elements"},
    {1, "edge", "there is no group of curves of beam.msh: it has no such elements"},
  };

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ParsedMesh parsed = ParseBars(PETSC_COMM_WORLD);
    char       expected[400];
    PetscInt   group;

    assert_ok(MeshChooseGroup(parsed.mesh, InputFind(InputRoot(parsed.document), "mesh"), cases[i].dim, cases[i].name, &group));
    assert_int_equal(group, MESH_NO_GROUP);
    snprintf(expected, sizeof expected, "error: case.yaml:1:7: mesh: %s\n", cases[i].said);
    AssertSaid(*state, &parsed, expected);
    DestroyParsed(&parsed);
  }
}

static void nodes_are_found_by_tag(void **state)
{
  ParsedMesh parsed = ParseBars(PETSC_COMM_WORLD);
  PetscInt   node;
  PetscReal  place[3];
  PetscInt64 tag;

  assert_ok(MeshNodeByTag(parsed.mesh, TagOf(1, 7, 2, 1), &node));
  assert_ok(MeshNodeTags(parsed.mesh, 1, &node, &tag));
  assert_int_equal(tag, TagOf(1, 7, 2, 1));
  assert_ok(MeshNodeCoordinates(parsed.mesh, 1, &node, place));
  assert_close(place[0], 0.7, 1e-15);
  assert_close(place[1], 0.2, 1e-15);
  assert_close(place[2], 0.3, 1e-15);
  assert_ok(MeshNodeByTag(parsed.mesh, 77, &node));
  assert_int_equal(node, -1);
  DestroyParsed(&parsed);
}

static void the_nearest_node_is_found_within_a_group_or_all(void **state)
{
  ParsedMesh      parsed  = ParseBars(PETSC_COMM_WORLD);
  const PetscReal free_[] = {0.71, 0.1, 0.0}, touch[] = {0.7, 0.1, 0.2};
  MeshNearest     nearest;
  PetscInt        expected;

  assert_ok(MeshNearestNode(parsed.mesh, MESH_NO_GROUP, free_, &nearest));
  assert_ok(MeshNodeByTag(parsed.mesh, TagOf(0, 7, 1, 0), &expected));
  assert_int_equal(nearest.node, expected);
  assert_int_equal(nearest.num_equal, 1);
  assert_close(nearest.distance, 0.01, 1e-12);
  assert_ok(MeshNearestNode(parsed.mesh, MESH_NO_GROUP, touch, &nearest));
  assert_int_equal(nearest.num_equal, 2);
  assert_ok(MeshNearestNode(parsed.mesh, MeshFindGroup(parsed.mesh, 3, "upper"), touch, &nearest));
  assert_ok(MeshNodeByTag(parsed.mesh, TagOf(1, 7, 1, 0), &expected));
  assert_int_equal(nearest.num_equal, 1);
  assert_int_equal(nearest.node, expected);
  assert_ok(MeshNearestNode(parsed.mesh, MeshFindGroup(parsed.mesh, 2, "empty"), touch, &nearest));
  assert_int_equal(nearest.node, -1);
  DestroyParsed(&parsed);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ranks_hold_contiguous_slices),
    cmocka_unit_test(the_rank_of_the_lowest_node_has_the_element),
    cmocka_unit_test(the_mesh_does_not_depend_on_the_number_of_ranks),
    cmocka_unit_test(neighbours_have_near_numbers),
    cmocka_unit_test(parts_are_numbered_one_after_the_other),
    cmocka_unit_test(groups_have_their_elements_and_nodes),
    cmocka_unit_test(groups_are_found_by_dimension_and_name),
    cmocka_unit_test_setup_teardown(a_group_that_cannot_be_chosen_is_told_with_those_that_can, MakeScratch, RemoveScratch),
    cmocka_unit_test(nodes_are_found_by_tag),
    cmocka_unit_test(the_nearest_node_is_found_within_a_group_or_all),
  };
  int failures;

  if (PetscInitialize(&argc, &argv, NULL, NULL) != 0 || ErrorHandlerInstall() != 0) return 1;
  LogSetLevel(LOG_QUIET);
  failures = cmocka_run_group_tests(tests, NULL, NULL);
  if (PetscFinalize() != 0) return 1;
  return failures;
}
