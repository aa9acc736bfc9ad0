/* test_faces.c - which points there are between two sheets of faces, whatever the ranks and the order of the groups. [ranks: 1 2 3] */
#include "touch.h"

/* Bit for bit; the sides are counted from the other end when `swapped`. */
static void AssertSame(const FacePoints *a, const FacePoints *b, PetscBool swapped)
{
  const PetscInt num = a->num_points;

  assert_int_equal(b->num_points, num);
  assert_int_equal(swapped ? 1 - b->side : b->side, a->side);
  assert_memory_equal(a->node, b->node, sizeof(PetscInt) * (size_t)num);
  assert_memory_equal(a->place, b->place, sizeof(PetscReal) * 3 * (size_t)num);
  assert_memory_equal(a->frame, b->frame, sizeof(PetscReal) * 9 * (size_t)num);
  assert_memory_equal(a->area, b->area, sizeof(PetscReal) * (size_t)num);
  assert_memory_equal(a->gap, b->gap, sizeof(PetscReal) * (size_t)num);
  assert_memory_equal(a->first, b->first, sizeof(PetscInt) * (size_t)(num + 1));
  assert_memory_equal(a->term, b->term, sizeof(PetscInt) * (size_t)a->first[num]);
  assert_int_equal(a->num_shared, b->num_shared);
  assert_memory_equal(a->turn, b->turn, sizeof(PetscReal) * 2 * (size_t)a->first[num]);
  assert_memory_equal(a->weight, b->weight, sizeof(PetscReal) * (size_t)a->first[num]);
  assert_true(a->met == b->met);
  for (PetscInt s = 0; s < 2; s++) {
    assert_true(a->areas[s] == b->areas[swapped ? 1 - s : s]);
    assert_true(a->edge[s] == b->edge[swapped ? 1 - s : s]);
  }
}

static void points_do_not_depend_on_ranks_or_the_order_of_groups(void **state)
{
  for (PetscInt c = 0; c < NUM_SHAPES; c++) {
    Sheet       sheets[2] = {unit_sheet, unit_sheet};
    ParsedMesh  spread, alone;
    FacePoints *points, *swapped, *of_one;

    sheets[0].shape = shapes[c], sheets[1].shape = shapes[(c + 1) % NUM_SHAPES];
    sheets[0].cells[0] = sheets[0].cells[1] = 7;
    sheets[0].distortion = 0.2, sheets[1].slope = 0.01, sheets[1].from[0] = 0.3;
    spread  = MakeMesh(PETSC_COMM_WORLD, sheets);
    alone   = MakeMesh(PETSC_COMM_SELF, sheets);
    points  = Find(spread.mesh, 1, 0.2, ABOVE, PETSC_FALSE);
    swapped = Find(spread.mesh, 0, 0.2, ABOVE, PETSC_TRUE);
    of_one  = Find(alone.mesh, 1, 0.2, ABOVE, PETSC_FALSE);
    assert_true(points->num_points > 0);
    AssertSame(points, swapped, PETSC_TRUE);
    AssertSame(points, of_one, PETSC_FALSE);
    assert_ok(FacePointsDestroy(&points));
    assert_ok(FacePointsDestroy(&swapped));
    assert_ok(FacePointsDestroy(&of_one));
    DestroyParsed(&spread);
    DestroyParsed(&alone);
  }
}

static void AssertNone(const Mesh *mesh, const PetscReal *first, const PetscReal *second, PetscReal reach)
{
  const FacePairing pairing = {.groups = {0, 1}, .slave = -1, .reach = reach, .inside = {first, second}};
  FacePoints       *points;

  assert_ok(FacePointsFind(mesh, &pairing, &points));
  assert_int_equal(points->num_points, 0);
  assert_int_equal(points->first[0], 0);
  assert_true(points->met == 0.0);
  assert_close(points->areas[0], 1.0, 1e-12);
  assert_ok(FacePointsDestroy(&points));
}

/* Edges are 1/4, so the default reach is 1/8. */
static void faces_apart_or_back_to_front_do_not_meet(void **state)
{
  Sheet      sheets[2] = {unit_sheet, unit_sheet};
  ParsedMesh parsed;
  PetscReal *inside[2];

  sheets[1].height = 0.13;
  parsed           = MakeMesh(PETSC_COMM_WORLD, sheets);
  for (PetscInt s = 0; s < 2; s++) inside[s] = InsideOf(parsed.mesh, s, ABOVE);
  AssertNone(parsed.mesh, inside[0], inside[1], PETSC_DEFAULT);
  AssertNone(parsed.mesh, inside[0], inside[1], 0.12);
  for (PetscInt f = 0; f < MeshGetGroup(parsed.mesh, 1)->count; f++) inside[1][3 * f + 2] -= 0.2;
  AssertNone(parsed.mesh, inside[0], inside[1], 0.2);
  for (PetscInt s = 0; s < 2; s++) assert_ok(PetscFree(inside[s]));
  DestroyParsed(&parsed);
}

/* Side by side; the second time they overlap by less than a file's digits. */
static void faces_that_share_an_edge_do_not_meet(void **state)
{
  for (PetscInt c = 0; c < 2; c++) {
    Sheet second = unit_sheet;
    Touch touch;

    second.from[0] = c == 0 ? 1.0 : 1.0 - 1e-11;
    second.to[0]   = 2.0;
    touch          = TouchNew(&unit_sheet, &second, 0, PETSC_DEFAULT);
    assert_int_equal(touch.points->num_points, 0);
    TouchDestroy(&touch);
  }
}

/* Half of 7 x 5 cells lies on half of 4 x 4: two and two and a half across. Faces of second order are four facets each; of quad8 there is one more
   in the middle, as wide as the face, and facets at the corners are half as wide. */
static void facets_across_the_common_area_are_counted(void **state)
{
  for (PetscInt c = 0; c < NUM_SHAPES; c++) {
    const PetscReal halves = shapes[c] == MESH_QUAD8 ? 5.0 / 3.0 : IsOfSecondOrder(shapes[c]) ? 2.0 : 1.0;
    Sheet           first = unit_sheet, second = unit_sheet;
    Touch           touch;

    first.shape = second.shape = shapes[c];
    first.cells[0] = 7, first.cells[1] = 5;
    second.from[1] = 0.5, second.to[1] = 1.5;
    touch = TouchNew(&first, &second, 1, PETSC_DEFAULT);
    assert_true(touch.points->coarseness[0].turn == 0.0 && touch.points->coarseness[1].turn == 0.0);
    assert_close(touch.points->coarseness[0].across, 2.5 * halves, shapes[c] == MESH_QUAD8 ? 0.05 : 1e-12); /* not all of a row are met */
    assert_close(touch.points->coarseness[1].across, 2.0 * halves, 1e-12);
    TouchDestroy(&touch);
  }
}

static void the_finer_faces_are_the_slave(void **state)
{
  Sheet first = unit_sheet, second = unit_sheet;

  for (PetscInt side = 0; side < 2; side++) {
    Touch touch;

    first.cells[1]  = side == 0 ? 5 : 4;
    second.cells[1] = side == 1 ? 5 : 4;
    touch           = TouchNew(&first, &second, -1, PETSC_DEFAULT);
    assert_int_equal(touch.points->side, side);
    assert_close(touch.points->edge[side], 0.225, 1e-12);
    assert_close(touch.points->edge[1 - side], 0.25, 1e-12);
    TouchDestroy(&touch);
  }
}

/* One group is part of the other. */
static void nodes_of_both_groups_are_counted(void **state)
{
  Sheet      sheets[2] = {unit_sheet, unit_sheet};
  ParsedMesh parsed    = MakeMesh(PETSC_COMM_WORLD, sheets);
  PetscReal *inside[2] = {InsideOf(parsed.mesh, 0, ABOVE), InsideOf(parsed.mesh, 1, ABOVE)};

  for (PetscInt c = 0; c < 2; c++) {
    const FacePairing pairing = {.groups = {0, c}, .reach = 0.1, .inside = {inside[0], inside[c]}};
    FacePoints       *points;

    assert_ok(FacePointsFind(parsed.mesh, &pairing, &points));
    assert_int_equal(points->num_shared, c == 0 ? 25 : 0);
    assert_ok(FacePointsDestroy(&points));
  }
  for (PetscInt s = 0; s < 2; s++) assert_ok(PetscFree(inside[s]));
  DestroyParsed(&parsed);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(nodes_of_both_groups_are_counted),          cmocka_unit_test(points_do_not_depend_on_ranks_or_the_order_of_groups),
  cmocka_unit_test(faces_apart_or_back_to_front_do_not_meet),  cmocka_unit_test(faces_that_share_an_edge_do_not_meet),
  cmocka_unit_test(facets_across_the_common_area_are_counted), cmocka_unit_test(the_finer_faces_are_the_slave),
};

CHECK_MAIN(tests)
