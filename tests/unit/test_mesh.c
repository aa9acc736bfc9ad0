/* test_mesh.c - meshes: order, distribution, groups, nodes looked up, parts; the same on any number of ranks. [ranks: 1 2 3] */
#include "parsed_mesh.h"
#include "../../src/mesh/number.h"

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

static PetscInt Sum(PetscInt value)
{
  PetscInt total;

  MPI_Allreduce(&value, &total, 1, MPIU_INT, MPI_SUM, MPI_COMM_WORLD);
  return total;
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
