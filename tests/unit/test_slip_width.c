/* test_slip_width.c - points across areas that slip, on grids where they can be counted. */
#include "check.h"
#include "record/slip_width.h"

enum { ACROSS = 8, ALONG = 5, NUM = ACROSS * ALONG };

/* Parts of a grid, `pitch` apart across and twice as far along; all stick and have lost nothing. */
typedef struct {
  PetscReal     x[NUM], y[NUM], z[NUM], area[NUM], lost[NUM], state[NUM];
  SystemContact contact;
} Grid;

static void Make(PetscReal pitch, Grid *grid)
{
  *grid         = (Grid){.x = {0.0}};
  grid->contact = (SystemContact){.x = grid->x, .y = grid->y, .z = grid->z, .area = grid->area};
  for (PetscInt i = 0; i < NUM; i++) {
    grid->x[i]     = pitch * (PetscReal)(i % ACROSS);
    grid->z[i]     = 2.0 * pitch * (PetscReal)(i / ACROSS);
    grid->state[i] = FACES_STICK;
  }
}

/* The first columns slip and have lost so much each. */
static void Slip(PetscInt columns, PetscReal loss, Grid *grid)
{
  for (PetscInt i = 0; i < NUM; i++)
    if (i % ACROSS < columns) {
      grid->lost[i]  = loss;
      grid->state[i] = FACES_SLIP;
    }
}

static PetscReal Width(const Grid *grid)
{
  return SlipWidth(&grid->contact, NUM, grid->lost, grid->state);
}

static void columns_that_lose_alike_are_counted(void **state)
{
  Grid grid;

  (void)state;
  for (PetscInt columns = 1; columns < ACROSS; columns++) {
    Make(1e-3, &grid);
    Slip(columns, 2e-6, &grid);
    assert_close(Width(&grid), (PetscReal)columns, 1e-14); /* round-off of sums of 35 terms */
  }
}

/* Depths 1 and 2 of losses 3 and 1: 2 (3 + 2) / 4 - 1. */
static void losses_are_weights(void **state)
{
  Grid grid;

  (void)state;
  Make(0.5, &grid);
  Slip(2, 3.0, &grid);
  Slip(1, 1.0, &grid);
  assert_close(Width(&grid), 1.5, 1e-14);
}

static void what_is_open_holds_nothing(void **state)
{
  Grid grid;

  (void)state;
  Make(1.0, &grid);
  Slip(2, 1.0, &grid);
  for (PetscInt i = 0; i < NUM; i++)
    if (i % ACROSS == 2) grid.state[i] = FACES_OPEN;
  assert_close(Width(&grid), 4.0, 1e-14); /* depths 2 and 3 */
}

/* What sticks again has slipped; what has lost a ten-thousandth of the others has not. */
static void losses_say_what_slipped(void **state)
{
  Grid grid;

  (void)state;
  Make(1.0, &grid);
  Slip(4, 1e-4, &grid);
  Slip(3, 1.0, &grid);
  for (PetscInt i = 0; i < NUM; i++) grid.state[i] = FACES_STICK;
  assert_close(Width(&grid), 3.0, 1e-14);
}

static void without_an_edge_there_is_no_width(void **state)
{
  Grid grid;

  (void)state;
  Make(1.0, &grid);
  assert_true(PetscIsNanReal(Width(&grid))); /* nothing slips */
  Slip(ACROSS, 1.0, &grid);
  assert_true(PetscIsNanReal(Width(&grid))); /* all does */
  Slip(2, 0.0, &grid);
  assert_close(Width(&grid), 2.0 * 3.5 - 1.0, 1e-14);
  grid.contact.area = NULL; /* no faces of a mesh */
  assert_true(PetscIsNanReal(Width(&grid)));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(columns_that_lose_alike_are_counted), cmocka_unit_test(losses_are_weights),
  cmocka_unit_test(what_is_open_holds_nothing),          cmocka_unit_test(losses_say_what_slipped),
  cmocka_unit_test(without_an_edge_there_is_no_width),
};

CHECK_MAIN(tests)
