/* test_faces_curved.c - shafts, caps and warped faces: area, gaps, rigid motions and balance of forces. [ranks: 1 2 3] */
#include "touch.h"

enum { AROUND = 48 };

/* x goes once round the axis z, y along it, z becomes what the radius has more than 1. */
static void Wrap(PetscReal place[3])
{
  const PetscReal angle = 2.0 * PETSC_PI * place[0], radius = 1.0 + place[2];

  place[2] = place[1];
  place[0] = radius * cos(angle);
  place[1] = radius * sin(angle);
}

/* A shaft in a bush; the slave's facets are all covered, and no distance is off by more than the height of the arcs over the chords. */
static void a_shaft_lies_in_its_bush(void **state)
{
  const PetscReal clearance = 0.02, arc = (1.0 + clearance) * (1.0 - cos(PETSC_PI / 36)), length = 0.5;

  for (PetscInt c = 0; c < 2 * NUM_SHAPES; c++) {
    const PetscInt slave = c % 2;
    Sheet          first = {.shape = shapes[c / 2], .cells = {AROUND, 3}, .to = {1.0, length}, .bend = Wrap, .bodies = ROUND_AXIS}, second = first;
    Touch          touch;
    PetscReal      mean = 0.0;

    second.cells[0] = 36, second.cells[1] = 2, second.height = clearance, second.flip = PETSC_TRUE;
    touch = TouchNew(&first, &second, slave, 0.1);
    assert_close(touch.points->met, 2.0 * PETSC_PI * (1.0 + slave * clearance) * length, 2e-3);
    assert_close(touch.points->met, touch.points->areas[slave], first.shape == MESH_QUAD8 ? 1e-5 : 1e-12); /* tilted triangles at the ends */
    for (PetscInt i = 0; i < touch.points->num_points; i++) {
      const PetscReal *const frame = touch.points->frame + 9 * i, *const place = touch.points->place + 3 * i;
      const PetscReal radius = sqrt(place[0] * place[0] + place[1] * place[1]), outward = slave ? -1.0 : 1.0;

      assert_near(touch.points->gap[i], clearance, 2.0 * arc);
      assert_true(outward * (frame[0] * place[0] + frame[1] * place[1]) > radius * cos(PETSC_PI / 30));
      assert_near(frame[5], 1.0, 1e-4); /* y along the axis, but for the tilt of the triangles of quad8 */
      mean += touch.points->area[i] * touch.points->gap[i] / touch.points->met;
    }
    assert_near(mean, clearance, arc);
    AssertRigid(&touch, 2e-13);
    AssertBalance(&touch, 1e-13);
    TouchDestroy(&touch);
  }
}

/* The chord of an angle 2 a turns by that and rises by 1 - cos a, of which l turn / 8 is a^2 / 12 less or more. The middle facet of a quad8 is as
   wide as the face. */
static void arcs_tell_how_far_they_turn_and_rise(void **state)
{
  for (PetscInt c = 0; c < NUM_SHAPES; c++) {
    const PetscBool halved = (PetscBool)(IsOfSecondOrder(shapes[c]) && shapes[c] != MESH_QUAD8);
    const PetscReal angle  = PETSC_PI / AROUND / (halved ? 2.0 : 1.0);
    Sheet           first = {.shape = shapes[c], .cells = {AROUND, 3}, .to = {1.0, 0.5}, .bend = Wrap, .bodies = ROUND_AXIS}, second = first;
    Touch           touch;

    second.cells[1] = 5, second.height = 1e-3, second.flip = PETSC_TRUE;
    touch = TouchNew(&first, &second, 1, 0.1);
    for (PetscInt side = 0; side < 2; side++) {
      const FaceCoarseness *const found = &touch.points->coarseness[side];

      assert_close(found->turn, 2.0 * angle, shapes[c] == MESH_QUAD8 ? 2e-3 : 1e-9);
      assert_close(found->rise, (1.0 - cos(angle)) * (1.0 + 1e-3 * side), 2e-3);
    }
    TouchDestroy(&touch);
  }
}

static void Twist(PetscReal place[3])
{
  place[2] += 0.3 * place[0] * place[1];
}

/* int sqrt(1 + 0.09 (x^2 + y^2)) over the unit square, by the midpoints of many small ones. */
static PetscReal TwistedArea(void)
{
  PetscReal area = 0.0;

  for (PetscInt i = 0; i < 200 * 200; i++) {
    const PetscReal x = (i % 200 + 0.5) / 200.0, y = (i / 200 + 0.5) / 200.0;
    area += sqrt(1.0 + 0.09 * (x * x + y * y)) / (200.0 * 200.0);
  }
  return area;
}

/* Root mean square of gap - expected, over the area. */
static PetscReal GapError(const FacePoints *points, PetscReal expected)
{
  PetscReal sum = 0.0;

  for (PetscInt i = 0; i < points->num_points; i++) sum += points->area[i] * PetscSqr(points->gap[i] - expected);
  return sqrt(sum / points->met);
}

/* The middle of a warped quadrilateral of edge h is h^2 0.3 / 4 off its diagonals: so far are the triangles of two meshes apart. */
static void faces_may_be_warped(void **state)
{
  for (PetscInt c = 0; c < 2 * NUM_SHAPES * NUM_SHAPES; c++) {
    Sheet first = unit_sheet, second = unit_sheet;
    Touch touch;

    first.bend = second.bend = Twist;
    first.shape = shapes[c / 2 % NUM_SHAPES], second.shape = shapes[c / 2 / NUM_SHAPES];
    second.cells[0] = second.cells[1] = 5;
    second.distortion                 = 0.1;
    touch                             = TouchNew(&first, &second, c % 2, PETSC_DEFAULT);
    assert_close(touch.points->met, TwistedArea(), 2e-3);
    assert_true(GapError(touch.points, 0.0) < 0.3 / 4.0 / 16.0);
    AssertRigid(&touch, 2e-13);
    AssertBalance(&touch, 1e-13);
    TouchDestroy(&touch);
  }
}

/* The square from -0.4 to 0.4 of the plane z = 1 seen from the origin; z is what the radius has more than 1. */
static void Dome(PetscReal place[3])
{
  const PetscReal x = 0.8 * place[0] - 0.4, y = 0.8 * place[1] - 0.4, scale = (1.0 + place[2]) / sqrt(1.0 + x * x + y * y);

  place[0] = x * scale;
  place[1] = y * scale;
  place[2] = scale;
}

/* Errors of the area and of the gap of a cap in a cap. */
static void TryCaps(const MeshShape cap[2], PetscInt slave, PetscInt cells, PetscReal clearance, PetscReal errors[2])
{
  const PetscReal whole = 4.0 * asin(0.16 / 1.16); /* the solid angle of a pyramid with edges of 0.8 and height 1 */
  Sheet           first = {.shape = cap[0], .cells = {cells, cells}, .to = {1.0, 1.0}, .bend = Dome, .bodies = ROUND_ORIGIN}, second = first;
  Touch           touch;

  second.shape    = cap[1];
  second.cells[0] = second.cells[1] = cells + cells / 4;
  second.height                     = clearance;
  touch                             = TouchNew(&first, &second, slave, 0.2);
  errors[0]                         = PetscAbsReal(touch.points->met / (whole * PetscSqr(slave == 0 ? 1.0 : 1.0 + clearance)) - 1.0);
  errors[1]                         = GapError(touch.points, clearance);
  AssertRigid(&touch, 2e-13);
  AssertBalance(&touch, 1e-13);
  TouchDestroy(&touch);
}

/* With half the edge the errors of plane triangles are a quarter; the rim, where caps of two radii do not end alike, is a half of little. Gaps
   between parabolas have about an eighth. */
static void a_cap_lies_in_a_cap(void **state)
{
  for (PetscInt c = 0; c < 2 * NUM_SHAPES * NUM_SHAPES; c++) {
    const MeshShape cap[2]    = {shapes[c / 2 % NUM_SHAPES], shapes[c / 2 / NUM_SHAPES]};
    const PetscBool quadratic = (PetscBool)(IsOfSecondOrder(cap[0]) && IsOfSecondOrder(cap[1]));
    PetscReal       coarse[2], fine[2];

    TryCaps(cap, c % 2, 4, 0.01, coarse);
    TryCaps(cap, c % 2, 8, 0.01, fine);
    assert_true(fine[0] < 0.4 * coarse[0]);
    assert_true(fine[0] < 4e-3);
    assert_true(fine[1] < (quadratic ? 0.23 : 0.26) * coarse[1]);
    assert_true(fine[1] < (quadratic ? 2e-5 : 2e-3));
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_shaft_lies_in_its_bush),
  cmocka_unit_test(arcs_tell_how_far_they_turn_and_rise),
  cmocka_unit_test(faces_may_be_warped),
  cmocka_unit_test(a_cap_lies_in_a_cap),
};

CHECK_MAIN(tests)
