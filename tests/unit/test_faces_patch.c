/* test_faces_patch.c - flat faces: a constant pressure passes between any two meshes, also where one overhangs. [ranks: 1 2 3] */
#include "touch.h"
#include "element.h"

/* int N by the rules of the element room, on the nodes of all ranks. */
static void AddWeights(const Mesh *mesh, PetscInt side, PetscReal integral[])
{
  const MeshGroup *const group = MeshGetGroup(mesh, side);

  for (PetscInt f = 0; f < group->count; f++) {
    const MeshBlock *const block = MeshGetBlock(mesh, group->elements[f].block);
    const PetscInt         width = mesh_shapes[block->shape].num_nodes, start = group->elements[f].index * width;
    PetscReal              places[27], weights[9];
    PetscInt               faulty;

    for (PetscInt k = 0; k < 3 * width; k++) places[k] = MeshGetNodes(mesh)->coordinates[3 * block->local_nodes[start + k / 3] + k % 3];
    assert_ok(ElementWeights(block->shape, 1, places, weights, &faulty));
    for (PetscInt k = 0; k < width; k++) integral[block->nodes[start + k]] += weights[k];
  }
  assert_int_equal(MPI_Allreduce(MPI_IN_PLACE, integral, (PetscMPIInt)MeshGetNodes(mesh)->total, MPIU_REAL, MPIU_SUM, MeshComm(mesh)), MPI_SUCCESS);
}

/* Forces of a unit pressure on both sides are int N: the patch test. */
static void AssertConsistent(const Touch *touch, PetscReal tolerance)
{
  const PetscInt          total  = MeshGetNodes(touch->parsed.mesh)->total;
  const FacePoints *const points = touch->points;
  PetscReal              *force, *integral[2], largest = 0.0;

  assert_ok(PetscCalloc3(total, &force, total, &integral[0], total, &integral[1]));
  for (PetscInt side = 0; side < 2; side++) AddWeights(touch->parsed.mesh, side, integral[side]);
  for (PetscInt i = 0; i < points->num_points; i++)
    for (PetscInt k = points->first[i]; k < points->first[i + 1]; k++) force[points->term[k]] += points->area[i] * points->weight[k];
  for (PetscInt n = 0; n < total; n++) largest = PetscMax(largest, integral[points->side][n]);
  for (PetscInt n = 0; n < total; n++) assert_near(force[n], integral[1 - points->side][n] - integral[points->side][n], tolerance * largest);
  assert_ok(PetscFree3(force, integral[0], integral[1]));
}

static void a_constant_pressure_passes_exactly(void **state)
{
  static const PetscInt ratios[][2] = {{4, 4}, {5, 4}, {7, 4}};

  for (PetscInt c = 0; c < NUM_SHAPES * NUM_SHAPES * 3; c++) {
    const PetscInt *const ratio = ratios[c % 3];
    const PetscReal       warp  = ratio[0] == 7 ? 0.2 : 0.0;
    Sheet                 first = unit_sheet, second = unit_sheet;
    Touch                 touch;

    first.shape = shapes[c / 3 % NUM_SHAPES], second.shape = shapes[c / 3 / NUM_SHAPES];
    first.distortion = warp, second.distortion = -0.7 * warp;
    for (PetscInt k = 0; k < 2; k++) first.cells[k] = ratio[0], second.cells[k] = ratio[1];
    touch = TouchNew(&first, &second, c % 2, PETSC_DEFAULT);
    assert_int_equal(touch.points->side, c % 2);
    assert_close(touch.points->met, 1.0, 1e-12);
    AssertConsistent(&touch, 1e-12);
    AssertRigid(&touch, 1e-13);
    for (PetscInt i = 0; i < touch.points->num_points; i++) assert_near(touch.points->gap[i], 0.0, 1e-15);
    for (PetscInt k = 0; k < 2 * touch.points->first[touch.points->num_points]; k++) assert_true(touch.points->turn[k] == 0.0);
    TouchDestroy(&touch);
  }
}

/* The sum of the weights of one side. */
static PetscReal WeightOf(const Touch *touch, PetscInt point, PetscBool of_master)
{
  PetscReal sum = 0.0;

  for (PetscInt k = touch->points->first[point]; k < touch->points->first[point + 1]; k++)
    if (IsOfMaster(touch, point, k) == of_master) sum += touch->points->weight[k];
  return sum;
}

/* The term at the place of term k, on the other side. */
static PetscInt PartnerOf(const Touch *touch, PetscInt point, PetscInt k)
{
  const FacePoints *const points = touch->points;

  for (PetscInt j = points->first[point]; j < points->first[point + 1]; j++) {
    const PetscReal *const a = touch->places + 3 * points->term[j], *const b = touch->places + 3 * points->term[k];

    if (points->term[j] != points->term[k] && PetscAbsReal(a[0] - b[0]) + PetscAbsReal(a[1] - b[1]) + PetscAbsReal(a[2] - b[2]) < 1e-14) return j;
  }
  fail_msg("Node %" PetscInt_FMT " has no partner", points->term[k]);
  return -1;
}

/* What moves both alike gives no motion, as each node has the weight of its partner; with linear functions a point is one node and its partner. */
static void on_matching_meshes_nodes_have_the_weights_of_their_partners(void **state)
{
  for (PetscInt c = 0; c < 2 * NUM_SHAPES; c++) {
    Sheet first = unit_sheet, second;
    Touch touch;

    first.shape      = shapes[c / 2];
    first.distortion = c % 2 ? 0.15 : 0.0;
    second           = first;
    second.flip      = PETSC_TRUE;
    touch            = TouchNew(&first, &second, 0, PETSC_DEFAULT);
    assert_int_equal(touch.points->num_points, MeshGetNodes(touch.parsed.mesh)->total / 2);
    for (PetscInt i = 0; i < touch.points->num_points; i++) {
      const PetscInt start = touch.points->first[i];

      for (PetscInt k = start; k < touch.points->first[i + 1]; k++)
        assert_near(touch.points->weight[k] + touch.points->weight[PartnerOf(&touch, i, k)], 0.0, 1e-12);
      if (IsOfSecondOrder(first.shape)) continue;
      assert_int_equal(touch.points->first[i + 1], start + 2);
      assert_int_equal(touch.points->term[start], touch.points->node[i]);
      assert_true(touch.points->weight[start] == -1.0);
    }
    TouchDestroy(&touch);
  }
}

/* Force and moment of a unit pressure on each side are those of the rectangle [from, 1] x [0, 1]. */
static void AssertResultants(const Touch *touch, PetscReal from)
{
  const FacePoints *const points    = touch->points;
  const PetscReal         expect[3] = {1.0 - from, 0.5 * (1.0 - from * from), 0.5 * (1.0 - from)};
  PetscReal               sum[2][3] = {{0.0}};

  for (PetscInt i = 0; i < points->num_points; i++) {
    for (PetscInt k = points->first[i]; k < points->first[i + 1]; k++) {
      const PetscReal force = points->area[i] * points->weight[k];
      const PetscBool side  = IsOfMaster(touch, i, k);
      for (PetscInt c = 0; c < 3; c++) sum[side][c] += (side ? 1.0 : -1.0) * force * (c == 0 ? 1.0 : touch->places[3 * points->term[k] + c - 1]);
    }
  }
  for (PetscInt c = 0; c < 6; c++) assert_close(sum[c / 3][c % 3], expect[c % 3], 2e-11);
}

/* However little of a face is covered: rigid motions, resultants, and weights that stay bounded. */
static void faces_may_overhang(void **state)
{
  static const PetscReal froms[] = {0.5, 0.6, 0.79, 0.7999, 0.999, 0.99999};

  for (PetscInt c = 0; c < 6 * NUM_SHAPES * 2; c++) {
    Sheet first = unit_sheet, second = unit_sheet;
    Touch touch;

    first.shape = shapes[c / 6 % NUM_SHAPES], second.shape = shapes[(c / 6 + c) % NUM_SHAPES];
    first.cells[0] = first.cells[1] = 5;
    second.distortion               = 0.2;
    second.from[0] = froms[c % 6], second.to[0] = froms[c % 6] + 1.0;
    touch = TouchNew(&first, &second, c / 6 / NUM_SHAPES, PETSC_DEFAULT);
    assert_close(touch.points->met, 1.0 - froms[c % 6], 1e-9);
    AssertResultants(&touch, froms[c % 6]);
    AssertRigid(&touch, 1e-11);
    for (PetscInt i = 0; i < touch.points->num_points; i++) {
      assert_close(WeightOf(&touch, i, PETSC_FALSE), -1.0, 1e-11);
      assert_close(WeightOf(&touch, i, PETSC_TRUE), 1.0, 1e-11);
      for (PetscInt k = touch.points->first[i]; k < touch.points->first[i + 1]; k++) assert_near(touch.points->weight[k], 0.0, 6.0);
    }
    TouchDestroy(&touch);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_constant_pressure_passes_exactly),
  cmocka_unit_test(on_matching_meshes_nodes_have_the_weights_of_their_partners),
  cmocka_unit_test(faces_may_overhang),
};

CHECK_MAIN(tests)
