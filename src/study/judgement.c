/* judgement.c - what is compared of a modal model and the structure, and where it is kept. */
#include <string.h>
#include "compare.h"

enum { TIME, AMPLITUDE, OMEGA_RATIO, ZETA_RATIO, REGIME };
enum { MODE, PLACE, LINE_REGIME, POINTS, FIRST_RATIO };

static PetscBool HasModel(PetscInt count, const PetscInt modes[], PetscInt mode)
{
  for (PetscInt i = 0; i < count; i++)
    if (modes[i] == mode) return PETSC_TRUE;
  return PETSC_FALSE;
}

static PetscBool Measures(PetscInt count, const Decay decays[], PetscInt mode)
{
  for (PetscInt d = 0; d < count; d++)
    if (decays[d].mode == mode) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Complains when the model's ring-downs say nothing of any mode that is judged. */
static PetscErrorCode CheckModel(const InputNode *node, const Compare *compare)
{
  const char *const moved = RingDownModel(compare->model);
  PetscInt          num_decays;
  const Decay      *decays;

  PetscFunctionBegin;
  if (moved && strcmp(moved, compare->fit->name) != 0)
    PetscCall(InputComplain(InputFind(node, "fit"), "'%s' is a ring-down of the modal model '%s', not of '%s'", compare->keys.model, moved,
                            compare->fit->name));
  PetscCall(RingDownDecays(compare->model, &num_decays, &decays));
  for (PetscInt j = 0; j < compare->num_judged; j++)
    if (Measures(num_decays, decays, compare->judged[j].decay->mode)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputComplain(InputFind(node, "model"), "measures none of the modes that '%s' measures and '%s' has models of", compare->keys.truth,
                          compare->keys.fit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CompareFindJudged(const InputNode *node, Compare *compare)
{
  PetscInt         num_decays, num_modes;
  const Decay     *decays;
  const PetscInt  *modes;
  const ModalIwan *models;

  PetscFunctionBegin;
  PetscCall(RingDownDecays(compare->truth, &num_decays, &decays));
  PetscCall(ModalIwanStudyModel(compare->fit, &num_modes, &modes, &models));
  PetscCall(PetscCalloc1(num_decays, &compare->judged));
  for (PetscInt d = 0; d < num_decays; d++)
    if (HasModel(num_modes, modes, decays[d].mode)) compare->judged[compare->num_judged++].decay = &decays[d];
  if (num_decays == 0 || num_modes == 0) PetscFunctionReturn(PETSC_SUCCESS); /* has been complained of */
  if (compare->num_judged == 0)
    PetscCall(InputComplain(InputFind(node, "truth"), "measures none of the modes that '%s' has models of", compare->keys.fit));
  else PetscCall(CheckModel(node, compare));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt64 Rows(const Judged *judged)
{
  return judged->decay->options.num_knots ? judged->decay->options.num_knots - 1 : judged->decay->options.max_points;
}

static PetscErrorCode ReserveDecay(const char *name, Result *result, Judged *judged)
{
  static const char *const names[NUM_JUDGED_ARRAYS] = {"time", "amplitude", "omega_ratio", "zeta_ratio", "regime"};
  const PetscInt64         rows                     = Rows(judged);
  char                     path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  for (PetscInt a = 0; a < NUM_JUDGED_ARRAYS; a++) {
    PetscCall(PetscSNPrintf(path, sizeof(path), "/compare/%s/%s/%s", name, judged->decay->path, names[a]));
    PetscCall(ResultReserve(result, path, a == REGIME ? RESULT_COUNT : RESULT_REAL, 1, &rows, &judged->arrays[a]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReserveLines(const char *name, Result *result, Compare *compare)
{
  static const char *const names[NUM_LINE_ARRAYS] = {
    "mode",           "place", "regime", "points", "omega_ratio_mean", "omega_ratio_least", "omega_ratio_most", "zeta_ratio_mean", "zeta_ratio_least",
    "zeta_ratio_most"};
  const PetscInt64 rows = compare->num_lines;
  char             path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  for (PetscInt a = 0; a < NUM_LINE_ARRAYS; a++) {
    const ResultType type = a == PLACE || a == LINE_REGIME ? RESULT_TEXT : a < FIRST_RATIO ? RESULT_COUNT : RESULT_REAL;

    PetscCall(PetscSNPrintf(path, sizeof(path), "/compare/%s/table/%s", name, names[a]));
    PetscCall(ResultReserve(result, path, type, 1, &rows, &compare->arrays[a]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A mode, a place and both regimes, in the order in which the decays come. */
static PetscErrorCode AddLines(Compare *compare, const Judged *judged)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < compare->num_lines; i++)
    if (compare->lines[i].mode == judged->decay->mode && !strcmp(compare->lines[i].place, judged->place)) PetscFunctionReturn(PETSC_SUCCESS);
  for (Regime regime = REGIME_MICROSLIP; regime < NUM_REGIMES; regime++)
    compare->lines[compare->num_lines++] = (CompareLine){.mode = judged->decay->mode, .place = judged->place, .regime = regime};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CompareReserve(const char *name, const System *system, Result *result, Compare *compare)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(NUM_REGIMES * compare->num_judged, &compare->lines));
  for (PetscInt j = 0; j < compare->num_judged; j++) {
    Judged *judged = &compare->judged[j];

    PetscCall(DecayPlace(judged->decay, judged->place));
    PetscCall(ReserveDecay(name, result, judged));
    PetscCall(AddLines(compare, judged));
  }
  PetscCall(ReserveLines(name, result, compare));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The curves of one mode of the model, from all of its decays. */
static PetscErrorCode FindCurve(const Compare *compare, const Result *result, PetscInt mode, AmplitudeCurve *curve)
{
  RingDownPoint *points;
  PetscInt       count;

  PetscFunctionBegin;
  PetscCall(RingDownCompile(1, &compare->model, result, mode, &count, &points));
  PetscCall(AmplitudeCurveCreate(count, points, curve));
  PetscCall(PetscFree(points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal SlipAmplitude(const Compare *compare, PetscInt mode)
{
  PetscInt         count;
  const PetscInt  *modes;
  const ModalIwan *models;

  if (ModalIwanStudyModel(compare->fit, &count, &modes, &models) || !models) return PETSC_INFINITY;
  for (PetscInt i = 0; i < count; i++)
    if (modes[i] == mode) return ModalIwanSlipAmplitude(&models[i]);
  return PETSC_INFINITY;
}

/* One point of the structure beside the model. */
typedef struct {
  PetscReal  time, amplitude, omega, zeta; /* measured over model */
  PetscInt64 regime;                       /* 1 microslip, 2 macroslip */
} Beside;

static void Count(CompareLine *line, const Beside *beside)
{
  const PetscReal ratios[2] = {beside->omega, beside->zeta};
  PetscReal      *kept[2]   = {line->omega, line->zeta};

  line->points++;
  for (PetscInt k = 0; k < 2; k++) {
    kept[k][RATIO_MEAN] += (ratios[k] - kept[k][RATIO_MEAN]) / (PetscReal)line->points;
    kept[k][RATIO_LEAST] = line->points == 1 ? ratios[k] : PetscMin(kept[k][RATIO_LEAST], ratios[k]);
    kept[k][RATIO_MOST]  = line->points == 1 ? ratios[k] : PetscMax(kept[k][RATIO_MOST], ratios[k]);
  }
}

static CompareLine *FindLine(const Compare *compare, const Judged *judged, PetscInt64 regime)
{
  CompareLine *line = compare->lines;

  while (line->mode != judged->decay->mode || strcmp(line->place, judged->place) != 0 || line->regime != (Regime)(regime - 1)) line++;
  return line;
}

static PetscErrorCode WriteDecay(const Judged *judged, PetscInt count, const Beside beside[], const Result *result)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++) {
    PetscCall(ResultWriteRows(result, &judged->arrays[TIME], i, 1, &beside[i].time));
    PetscCall(ResultWriteRows(result, &judged->arrays[AMPLITUDE], i, 1, &beside[i].amplitude));
    PetscCall(ResultWriteRows(result, &judged->arrays[OMEGA_RATIO], i, 1, &beside[i].omega));
    PetscCall(ResultWriteRows(result, &judged->arrays[ZETA_RATIO], i, 1, &beside[i].zeta));
    PetscCall(ResultWriteRows(result, &judged->arrays[REGIME], i, 1, &beside[i].regime));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Each trusted point at whose amplitude the model has been measured, too. */
static PetscErrorCode JudgeDecay(const Compare *compare, const Judged *judged, const AmplitudeCurve *curve, PetscReal slip, const Result *result)
{
  DecayFound found;
  Beside    *beside;
  PetscInt   count = 0;

  PetscFunctionBegin;
  PetscCall(DecayRead(judged->decay, result, &found));
  RingDownToDisplacement(found.count, judged->decay->measured.quantity, found.points);
  PetscCall(PetscMalloc1(found.count, &beside));
  for (PetscInt i = 0; i < found.count; i++) {
    const RingDownPoint *point = &found.points[i];
    PetscReal            omega, zeta;

    if (!point->trusted || !AmplitudeCurveAt(curve, point->amplitude, &omega, &zeta)) continue;
    beside[count] = (Beside){point->time, point->amplitude, point->omega / omega, point->zeta / zeta, point->amplitude < slip ? 1 : 2};
    Count(FindLine(compare, judged, beside[count].regime), &beside[count]);
    count++;
  }
  PetscCall(WriteDecay(judged, count, beside, result));
  PetscCall(PetscFree(beside));
  PetscCall(DecayFoundDestroy(&found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteLines(const Compare *compare, const Result *result)
{
  static const char *const regimes[NUM_REGIMES] = {"microslip", "macroslip"};

  PetscFunctionBegin;
  for (PetscInt i = 0; i < compare->num_lines; i++) {
    const CompareLine *line                         = &compare->lines[i];
    const PetscInt64   counts[2]                    = {line->mode, line->points};
    char               texts[2][RESULT_TEXT_LENGTH] = {"", ""};

    PetscCall(PetscStrncpy(texts[0], line->place, RESULT_TEXT_LENGTH));
    PetscCall(PetscStrncpy(texts[1], regimes[line->regime], RESULT_TEXT_LENGTH));
    PetscCall(ResultWriteRows(result, &compare->arrays[MODE], i, 1, &counts[0]));
    PetscCall(ResultWriteRows(result, &compare->arrays[PLACE], i, 1, texts[0]));
    PetscCall(ResultWriteRows(result, &compare->arrays[LINE_REGIME], i, 1, texts[1]));
    PetscCall(ResultWriteRows(result, &compare->arrays[POINTS], i, 1, &counts[1]));
    for (PetscInt k = 0; k < NUM_RATIOS && line->points; k++) {
      PetscCall(ResultWriteRows(result, &compare->arrays[FIRST_RATIO + k], i, 1, &line->omega[k]));
      PetscCall(ResultWriteRows(result, &compare->arrays[FIRST_RATIO + NUM_RATIOS + k], i, 1, &line->zeta[k]));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CompareJudge(Compare *compare, const Result *result)
{
  PetscFunctionBegin;
  for (PetscInt j = 0; j < compare->num_judged; j++) {
    const Judged  *judged = &compare->judged[j];
    AmplitudeCurve curve;

    PetscCall(FindCurve(compare, result, judged->decay->mode, &curve));
    PetscCall(JudgeDecay(compare, judged, &curve, SlipAmplitude(compare, judged->decay->mode), result));
    PetscCall(AmplitudeCurveDestroy(&curve));
  }
  PetscCall(WriteLines(compare, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
