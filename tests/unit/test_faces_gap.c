/* test_faces_gap.c - faces apart: gaps as they are, and motions carried over them. [ranks: 1 2 3] */
#include "touch.h"

/* Dual weights have the mean place of their node: the mean of a linear gap is its value there. */
static void a_linear_gap_is_met(void **state)
{
  static const PetscReal heights[] = {0.01, -0.01, 0.003}, slopes[] = {0.0, 0.0, 0.02};

  for (PetscInt c = 0; c < 3 * NUM_SHAPES; c++) {
    Sheet first = unit_sheet, second = unit_sheet;
    Touch touch;

    first.shape      = shapes[c / 3];
    first.distortion = 0.2;
    second.cells[0]  = 3;
    second.height = heights[c % 3], second.slope = slopes[c % 3];
    touch = TouchNew(&first, &second, 0, PETSC_DEFAULT);
    assert_close(touch.points->met, 1.0, 1e-12);
    for (PetscInt i = 0; i < touch.points->num_points; i++)
      assert_near(touch.points->gap[i], second.height + second.slope * touch.points->place[3 * i], 1e-14);
    TouchDestroy(&touch);
  }
}

/* Weights sum to zero with round-off, which the places of a mesh that lies far away would multiply. */
static void closed_faces_have_no_gap_however_far_the_origin_is(void **state)
{
  for (PetscInt c = 0; c < NUM_SHAPES; c++) {
    Sheet first = unit_sheet, second = unit_sheet;
    Touch touch;

    first.shape = second.shape = shapes[c];
    first.cells[0] = 7, first.distortion = 0.2, second.distortion = -0.14;
    first.height = second.height = 100.0;
    for (PetscInt d = 0; d < 2; d++) first.from[d] = second.from[d] = 100.0, first.to[d] = second.to[d] = 101.0;
    touch = TouchNew(&first, &second, 0, PETSC_DEFAULT);
    assert_close(touch.points->met, 1.0, 1e-12);
    for (PetscInt i = 0; i < touch.points->num_points; i++) assert_true(touch.points->gap[i] == 0.0);
    for (PetscInt k = 0; k < 2 * touch.points->first[touch.points->num_points]; k++) assert_true(touch.points->turn[k] == 0.0);
    TouchDestroy(&touch);
  }
}

/* Gaps seen from a tilted slave: distances along its own normal. */
static void a_gap_is_measured_along_the_normal_of_the_slave(void **state)
{
  Sheet first = unit_sheet, second = unit_sheet;
  Touch touch;

  first.slope   = 0.5;
  second.height = 0.05, second.slope = 0.5;
  second.from[0] = second.from[1] = -0.5;
  second.to[0] = second.to[1] = 1.5;
  touch                       = TouchNew(&first, &second, 0, PETSC_DEFAULT);
  assert_close(touch.points->met, sqrt(1.25), 1e-12);
  for (PetscInt i = 0; i < touch.points->num_points; i++) {
    const PetscReal expected[9] = {-0.5 / sqrt(1.25), 0.0, 1.0 / sqrt(1.25), 0.0, 1.0, 0.0, -1.0 / sqrt(1.25), 0.0, -0.5 / sqrt(1.25)};

    for (PetscInt k = 0; k < 9; k++) assert_near(touch.points->frame[9 * i + k], expected[k], 1e-14);
    assert_near(touch.points->gap[i], 0.05 / sqrt(1.25), 1e-14);
  }
  TouchDestroy(&touch);
}

/* Bodies that turn as one do not move against each other, though they are apart; nor do forces over the gap leave a moment. */
static void rigid_motions_are_exact_over_a_gap(void **state)
{
  static const PetscReal gaps[][2] = {{1e-3, 0.0}, {-1e-3, 0.0}, {0.01, 0.02}};

  for (PetscInt c = 0; c < 2 * 3 * NUM_SHAPES * NUM_SHAPES; c++) {
    Sheet first = unit_sheet, second = unit_sheet;
    Touch touch;

    first.shape = shapes[c / 6 % NUM_SHAPES], second.shape = shapes[c / 6 / NUM_SHAPES];
    first.distortion = 0.2, second.distortion = -0.1;
    second.cells[0] = 5, second.from[0] = 0.3;
    first.slope = second.slope = 0.5;
    second.height              = gaps[c / 2 % 3][0], second.slope += gaps[c / 2 % 3][1];
    touch                      = TouchNew(&first, &second, c % 2, PETSC_DEFAULT);
    AssertRigid(&touch, 3e-13);
    AssertBalance(&touch, 1e-13);
    TouchDestroy(&touch);
  }
}

/* Over a gap g the tangential motion is that of the master's plane g behind it: a tilt of the master alone is a shear g tilt. */
static void a_tilt_of_the_master_shears_the_gap(void **state)
{
  const PetscReal tilt[2] = {0.03, -0.02}, gap = 0.02;

  for (PetscInt c = 0; c < NUM_SHAPES; c++) {
    Sheet first = unit_sheet, second = unit_sheet;
    Touch touch;

    first.shape    = shapes[c];
    second.shape   = shapes[(c + 1) % NUM_SHAPES];
    first.cells[0] = 5, second.height = gap, second.distortion = 0.1;
    touch = TouchNew(&first, &second, 0, PETSC_DEFAULT);
    for (PetscInt i = 0; i < touch.points->num_points; i++) {
      const PetscReal *const frame = touch.points->frame + 9 * i, *const place = touch.points->place + 3 * i;
      PetscReal motion[3] = {0.0, 0.0, 0.0};

      for (PetscInt k = touch.points->first[i]; k < touch.points->first[i + 1]; k++) {
        const PetscReal *const at = touch.places + 3 * touch.points->term[k], u = tilt[0] * at[0] + tilt[1] * at[1];

        if (!IsOfMaster(&touch, i, k)) continue;
        for (PetscInt r = 0; r < 3; r++) motion[r] += touch.points->weight[k] * frame[3 * r + 2] * u;
        for (PetscInt r = 1; r < 3; r++) motion[r] += touch.points->turn[2 * k + r - 1] * frame[2] * u;
      }
      assert_near(motion[0], tilt[0] * place[0] + tilt[1] * place[1], 1e-14);
      for (PetscInt r = 1; r < 3; r++) assert_near(motion[r], gap * (tilt[0] * frame[3 * r] + tilt[1] * frame[3 * r + 1]), 1e-14);
    }
    TouchDestroy(&touch);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_linear_gap_is_met),
  cmocka_unit_test(closed_faces_have_no_gap_however_far_the_origin_is),
  cmocka_unit_test(a_gap_is_measured_along_the_normal_of_the_slave),
  cmocka_unit_test(rigid_motions_are_exact_over_a_gap),
  cmocka_unit_test(a_tilt_of_the_master_shears_the_gap),
};

CHECK_MAIN(tests)
