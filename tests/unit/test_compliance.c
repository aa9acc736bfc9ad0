/* test_compliance.c - products with a matrix that ranks share are those with the matrix. [ranks: 1 2 3 4] */
#include "compliance.h"
#include "check.h"

enum { PLACES = 23, CHOSEN = 9, SHARES = 2 };

static const PetscInt chosen[CHOSEN] = {0, 3, 4, 7, 11, 12, 13, 20, 22};

/* Not symmetric yet: the mean with its transpose is. Powers of two, so that nothing is rounded. */
static PetscReal Given(PetscInt i, PetscInt j)
{
  return ldexp(1.0, -abs(i - j)) + ldexp(i - j, -10);
}

static PetscReal Mean(PetscInt i, PetscInt j)
{
  return ldexp(1.0, -abs(i - j));
}

static PetscReal Left(PetscInt a)
{
  return 0.5 + 0.1 * a;
}

static PetscReal Right(PetscInt a)
{
  return 1.0 - 0.07 * a;
}

static Compliance *Create(PetscBool spread)
{
  Compliance *compliance;

  assert_ok(ComplianceCreate(PETSC_COMM_WORLD, spread, PLACES, &compliance));
  for (PetscInt i = 0; i < PLACES; i++)
    for (PetscInt j = 0; j < compliance->width; j++) compliance->own[i * compliance->width + j] = Given(i, compliance->first + j);
  assert_ok(ComplianceFinish(compliance));
  for (PetscInt i = 0; i < PLACES; i++) assert_near(compliance->diagonal[i], 1.0, 0.0);
  return compliance;
}

static void CheckBetween(const Compliance *compliance)
{
  PetscReal between[CHOSEN * CHOSEN];

  assert_ok(ComplianceBetween(compliance, CHOSEN, chosen, between));
  for (PetscInt a = 0; a < CHOSEN; a++)
    for (PetscInt b = 0; b < CHOSEN; b++) assert_near(between[a * CHOSEN + b], Mean(chosen[a], chosen[b]), 0.0);
}

/* Of forces on the first 19 places, of which many are nothing. */
static void CheckMove(const Compliance *compliance)
{
  enum { LOADED = 19, FIRST = 5, END = 21 };
  PetscReal force[LOADED], motion[END - FIRST], row[END];

  for (PetscInt i = 0; i < LOADED; i++) force[i] = i % 3 ? 0.0 : 1.0 + i;
  ComplianceMove(compliance, LOADED, force, FIRST, END, motion);
  for (PetscInt i = FIRST; i < END; i++) {
    PetscReal sum = 0.0;

    for (PetscInt j = 0; j < LOADED; j++) sum += Mean(i, j) * force[j];
    assert_near(motion[i - FIRST], sum, 1e-14 * sum); /* round-off of seven terms */
  }
  assert_ok(ComplianceRow(compliance, 17, END, row));
  for (PetscInt i = 0; i < END; i++) assert_near(row[i], Mean(17, i), 0.0);
}

/* left right^T is made symmetric by two columns. */
static void Select(const Compliance *compliance, PetscInt count, ComplianceSelection *selection)
{
  PetscReal left[CHOSEN * SHARES], right[CHOSEN * SHARES];

  for (PetscInt a = 0; a < count; a++) {
    left[a * SHARES] = right[a * SHARES + 1] = Left(a);
    left[a * SHARES + 1] = right[a * SHARES] = Right(a);
  }
  assert_ok(ComplianceSelect(compliance, count, chosen, SHARES, 2.0, left, right, selection));
  assert_true(ComplianceIsSelected(compliance, selection));
}

static void CheckSelection(const Compliance *compliance, PetscInt count, ComplianceSelection *selection)
{
  const PetscReal *rows;
  PetscReal        force[CHOSEN], motion[CHOSEN], *room;

  Select(compliance, count, selection);
  assert_ok(ComplianceCollect(compliance, selection, &room, &rows));
  for (PetscInt a = 0; a < count; a++) force[a] = a == 2 ? 0.0 : 1.0 - 0.3 * a;
  ComplianceMoveSelected(compliance, selection, force, motion);
  for (PetscInt a = 0; a < count; a++) {
    PetscReal sum = 0.0, size = 0.0;

    for (PetscInt b = 0; b < count; b++) {
      const PetscReal wanted = Mean(chosen[a], chosen[b]) + 2.0 * (Left(a) * Right(b) + Left(b) * Right(a));

      assert_near(rows[a * count + b], wanted, 4e-15 * wanted);
      sum += wanted * force[b];
      size += fabs(wanted * force[b]);
    }
    assert_near(motion[a], sum, 1e-14 * size);
  }
  assert_ok(PetscFree(room));
}

/* One after the other, larger and smaller ones. */
static void CheckSelections(const Compliance *compliance)
{
  ComplianceSelection first = {0}, second = {0};

  CheckSelection(compliance, 4, &first);
  CheckSelection(compliance, CHOSEN, &first);
  CheckSelection(compliance, 0, &first);
  CheckSelection(compliance, 1, &second);
  assert_true(ComplianceIsSelected(compliance, &first) == !ComplianceIsSpread(compliance));
  assert_ok(ComplianceSelectionDestroy(&first));
  assert_ok(ComplianceSelectionDestroy(&second));
}

/* What the one that led has found is everybody's; it can be done again. */
static void CheckDialogue(const Compliance *compliance)
{
  for (PetscInt turn = 0; turn < 2; turn++) {
    PetscReal found = -1.0;
    PetscBool leads;

    assert_ok(ComplianceLead(compliance, &leads));
    if (leads) {
      CheckMove(compliance);
      CheckBetween(compliance);
      CheckSelections(compliance);
      found = 7.0 + turn;
      assert_ok(ComplianceDismiss(compliance));
    }
    assert_ok(ComplianceShare(compliance, 1, &found));
    assert_near(found, 7.0 + turn, 0.0);
  }
}

static void Check(PetscBool spread)
{
  Compliance *compliance = Create(spread), *copy;

  CheckBetween(compliance);
  CheckDialogue(compliance);
  assert_ok(ComplianceDuplicate(compliance, &copy));
  assert_ok(ComplianceDestroy(&compliance));
  CheckBetween(copy);
  CheckDialogue(copy);
  assert_ok(ComplianceDestroy(&copy));
}

static void every_rank_has_all_of_it(void **state)
{
  (void)state;
  Check(PETSC_FALSE);
}

static void ranks_share_it(void **state)
{
  (void)state;
  Check(PETSC_TRUE);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(every_rank_has_all_of_it),
  cmocka_unit_test(ranks_share_it),
};

CHECK_MAIN(tests)
