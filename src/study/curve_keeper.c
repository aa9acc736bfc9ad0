/* curve_keeper.c - curves of periodic motions in restart files. */
#include "study/curve_keeper.h"
#include <petsctime.h>
#include <string.h>

/* What stands before what the study knows and the state of the curve. */
enum { KEPT_SECONDS, KEPT_ROW, KEPT_MARK, KEPT_HEAD };

static const PetscReal INTERVAL = 2.0; /* [s] */

static PetscInt OwnNumbers(const CurveKeeper *keeper)
{
  return (PetscInt)((keeper->own_size + sizeof(PetscReal) - 1) / sizeof(PetscReal));
}

/* "/response/NAME/curve_1" as "response-NAME-curve_1": a study of another kind may have the same name. */
static void NameFile(CurveKeeper *keeper)
{
  (void)PetscStrncpy(keeper->name, FindingPath(keeper->finding) + 1, sizeof(keeper->name));
  for (char *c = keeper->name; *c; c++)
    if (*c == '/') *c = '-';
}

PetscErrorCode CurveKeeperBegin(const Result *result, const Finding *finding, PetscInt field, void *own, size_t own_size, CurveKeeper *keeper)
{
  PetscFunctionBegin;
  *keeper = (CurveKeeper){.result = result, .finding = finding, .field = field, .own = own, .own_size = own_size, .interval = INTERVAL};
  NameFile(keeper);
  PetscCall(PetscOptionsGetReal(NULL, NULL, "-save_interval", &keeper->interval, NULL));
  PetscCall(PetscTime(&keeper->begun));
  keeper->saved = keeper->begun;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveKeeperSeconds(const CurveKeeper *keeper, PetscReal *seconds)
{
  PetscLogDouble now;

  PetscFunctionBegin;
  PetscCall(PetscTime(&now));
  *seconds = keeper->seconds_before + (now - keeper->begun);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Everything so far is in the result file before the restart file says so. */
static PetscErrorCode Save(CurveKeeper *keeper, const Curve *curve)
{
  const PetscInt before = KEPT_HEAD + OwnNumbers(keeper), count = before + CurveStateSize(curve);
  PetscReal     *numbers;

  PetscFunctionBegin;
  PetscCall(ResultSync(keeper->result));
  PetscCall(PetscCalloc1(count, &numbers));
  PetscCall(CurveKeeperSeconds(keeper, &numbers[KEPT_SECONDS]));
  numbers[KEPT_ROW] = (PetscReal)(curve->num_points - 1);
  PetscCall(FindingRead(keeper->finding, keeper->field, curve->num_points - 1, 1, &numbers[KEPT_MARK], keeper->result));
  memcpy(numbers + KEPT_HEAD, keeper->own, keeper->own_size);
  CurveStatePack(curve, numbers + before);
  PetscCall(RestartWrite(ResultPath(keeper->result), keeper->name, count, numbers));
  PetscCall(PetscFree(numbers));
  PetscCall(PetscTime(&keeper->saved));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveKeeperLook(CurveKeeper *keeper, const Curve *curve, PetscBool *go_on)
{
  const PetscBool ends = (PetscBool)(curve->at_end && curve->num_points > 1);
  PetscLogDouble  now;

  PetscFunctionBegin;
  *go_on = (PetscBool)!InterruptAsked();
  if (ends) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscTime(&now));
  if (!*go_on || now - keeper->saved > keeper->interval) PetscCall(Save(keeper, curve));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether the result still has the last row that was kept. */
static PetscErrorCode HasRow(const CurveKeeper *keeper, const PetscReal numbers[], PetscBool *has)
{
  PetscReal mark;

  PetscFunctionBegin;
  *has = (PetscBool)(numbers[KEPT_ROW] >= 0.0 && numbers[KEPT_ROW] < (PetscReal)FindingSize(keeper->finding, "points"));
  if (!*has) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindingRead(keeper->finding, keeper->field, (PetscInt64)numbers[KEPT_ROW], 1, &mark, keeper->result));
  *has = (PetscBool)(mark == numbers[KEPT_MARK]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveKeeperFollow(CurveKeeper *keeper, Curve *curve, PetscReal from, PetscReal to, CurveAccept accept, void *context)
{
  const PetscInt before = KEPT_HEAD + OwnNumbers(keeper);
  PetscInt       count;
  PetscReal     *numbers;
  PetscBool      goes_on = PETSC_FALSE;
  void          *fresh;

  PetscFunctionBegin;
  PetscCall(RestartRead(ResultPath(keeper->result), keeper->name, &count, &numbers));
  if (count > before) PetscCall(HasRow(keeper, numbers, &goes_on));
  if (goes_on) {
    PetscCall(PetscMalloc1(keeper->own_size, (char **)&fresh));
    memcpy(fresh, keeper->own, keeper->own_size);
    memcpy(keeper->own, numbers + KEPT_HEAD, keeper->own_size);
    keeper->seconds_before = numbers[KEPT_SECONDS];
    LogDetail("%s goes on from point %" PetscInt_FMT, FindingPath(keeper->finding) + 1, (PetscInt)numbers[KEPT_ROW] + 1);
    PetscCall(CurveContinue(curve, from, to, count - before, numbers + before, accept, context, &goes_on));
    if (!goes_on) {
      memcpy(keeper->own, fresh, keeper->own_size);
      keeper->seconds_before = 0.0;
      LogWarn("%s starts again: what was saved belongs to other modes, as can happen with another number of ranks", FindingPath(keeper->finding) + 1);
    }
    PetscCall(PetscFree(fresh));
  }
  PetscCall(PetscFree(numbers));
  if (!goes_on) PetscCall(CurveFollow(curve, from, to, accept, context));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveKeeperEnd(const CurveKeeper *keeper)
{
  PetscFunctionBegin;
  PetscCall(RestartRemove(ResultPath(keeper->result), keeper->name));
  PetscFunctionReturn(PETSC_SUCCESS);
}
