/* comparison.c - what is compared of a modal model and the structure, and where it is kept. */
#include "compare.h"
#include <string.h>

static const char models[] = "modal_iwan/NAME/MODE"; /* the table of what a study of modal models says of each mode */

enum { TIME, AMPLITUDE, OMEGA_RATIO, ZETA_RATIO, REGIME };
enum { MODE, PLACE, LINE_REGIME, POINTS, FIRST_RATIO };

// clang-format off
static const OutputField decay_fields[] = {
  [TIME]        = {"time", RESULT_REAL, {"points"}, "s", "times of the trusted points of the structure; NaN of nonlinear modes"},
  [AMPLITUDE]   = {"amplitude", RESULT_REAL, {"points"}, "m kg^1/2", "amplitude of the displacement at these times"},
  [OMEGA_RATIO] = {"omega_ratio", RESULT_REAL, {"points"}, NULL, "frequency of the structure over that of the model at this amplitude"},
  [ZETA_RATIO]  = {"zeta_ratio", RESULT_REAL, {"points"}, NULL, "the same for the damping ratio"},
  [REGIME]      = {"regime", RESULT_COUNT, {"points"}, NULL, "regime of the model: 1 microslip, 2 macroslip"},
  {0}
};

static const OutputField line_fields[] = {
  [MODE]            = {"mode", RESULT_COUNT, {"lines"}, NULL, "one line for each mode, place of excitation and regime"},
  [PLACE]           = {"place", RESULT_TEXT, {"lines"}, NULL, "place of excitation"},
  [LINE_REGIME]     = {"regime", RESULT_TEXT, {"lines"}, NULL, "microslip or macroslip"},
  [POINTS]          = {"points", RESULT_COUNT, {"lines"}, NULL, "number of points compared"},
  [FIRST_RATIO]     = {"omega_ratio_mean", RESULT_REAL, {"lines"}, NULL, "mean of the frequency of the structure over that of the model"},
  [FIRST_RATIO + 1] = {"omega_ratio_least", RESULT_REAL, {"lines"}, NULL, "least value of this ratio"},
  [FIRST_RATIO + 2] = {"omega_ratio_most", RESULT_REAL, {"lines"}, NULL, "largest value of this ratio"},
  [FIRST_RATIO + 3] = {"zeta_ratio_mean", RESULT_REAL, {"lines"}, NULL, "mean of the damping ratio of the structure over that of the model"},
  [FIRST_RATIO + 4] = {"zeta_ratio_least", RESULT_REAL, {"lines"}, NULL, "least value of this ratio"},
  [FIRST_RATIO + 5] = {"zeta_ratio_most", RESULT_REAL, {"lines"}, NULL, "largest value of this ratio"},
  {0}
};
// clang-format on

static const OutputTable decay_outputs = {"compare/NAME/RUN/MODE", "a decay of the structure compared with the model", decay_fields, NULL};
static const OutputTable line_outputs  = {"compare/NAME/table", "summary", line_fields, NULL};

const OutputTable *const compare_tables[] = {&decay_outputs, &line_outputs, NULL};

static const Finding *ModelOf(const Compare *compare, PetscInt mode)
{
  const Findings *all = compare->fit->findings;

  for (const Finding *model = FindingsNext(all, models, NULL); model; model = FindingsNext(all, models, model))
    if (FindingCount(model, "mode") == mode) return model;
  return NULL;
}

/* Complains when the model's ring-downs are those of another model, or say nothing of any mode that is compared. */
static PetscErrorCode CheckModel(const InputNode *node, const Compare *compare)
{
  const Findings *all   = compare->model->findings;
  const Finding  *first = DecayNext(all, NULL);
  const char     *moved = first ? FindingText(first, "model") : NULL;

  PetscFunctionBegin;
  if (moved && strcmp(moved, compare->fit->name) != 0)
    PetscCall(InputComplain(InputFind(node, "fit"), "'%s' is a ring-down of the modal model '%s', not of '%s'", compare->keys.model, moved,
                            compare->fit->name));
  for (const Finding *decay = first; decay; decay = DecayNext(all, decay))
    for (PetscInt j = 0; j < compare->num_decays; j++)
      if (FindingCount(decay, "mode") == compare->decays[j].mode) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputComplain(InputFind(node, "model"), "measures none of the modes that '%s' measures and '%s' has models of", compare->keys.truth,
                          compare->keys.fit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CompareFindDecays(const InputNode *node, Compare *compare)
{
  const Findings *all   = compare->truth->findings;
  PetscInt        count = 0;

  PetscFunctionBegin;
  for (const Finding *decay = DecayNext(all, NULL); decay; decay = DecayNext(all, decay)) count++;
  PetscCall(PetscCalloc1(count, &compare->decays));
  for (const Finding *decay = DecayNext(all, NULL); decay; decay = DecayNext(all, decay)) {
    const PetscInt mode = (PetscInt)FindingCount(decay, "mode");

    if (mode && ModelOf(compare, mode))
      compare->decays[compare->num_decays++] = (ComparedDecay){.decay = decay, .mode = mode, .place = DecayPlace(decay)};
  }
  if (count == 0 || !FindingsNext(compare->fit->findings, models, NULL)) PetscFunctionReturn(PETSC_SUCCESS); /* has been complained of */
  if (compare->num_decays == 0)
    PetscCall(InputComplain(InputFind(node, "truth"), "measures none of the modes that '%s' has models of", compare->keys.fit));
  else if (DecayNext(compare->model->findings, NULL)) PetscCall(CheckModel(node, compare));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A mode, a place and both regimes, in the order in which the decays come. */
static PetscErrorCode AddLines(Compare *compare, const ComparedDecay *compared)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < compare->num_lines; i++)
    if (compare->lines[i].mode == compared->mode && !strcmp(compare->lines[i].place, compared->place)) PetscFunctionReturn(PETSC_SUCCESS);
  for (Regime regime = REGIME_MICROSLIP; regime < NUM_REGIMES; regime++)
    compare->lines[compare->num_lines++] = (CompareLine){.mode = compared->mode, .place = compared->place, .regime = regime};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CompareDeclare(const char *name, Findings *findings, Compare *compare)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(NUM_REGIMES * compare->num_decays, &compare->lines));
  for (PetscInt j = 0; j < compare->num_decays; j++) {
    ComparedDecay *compared = &compare->decays[j];

    PetscCall(FindingsAdd(findings, &decay_outputs, &compared->finding, "/compare/%s%s", name, strchr(FindingPath(compared->decay) + 1, '/')));
    PetscCall(FindingSetSize(compared->finding, "points", FindingSize(compared->decay, "points")));
    PetscCall(AddLines(compare, compared));
  }
  PetscCall(FindingsAdd(findings, &line_outputs, &compare->table, "/compare/%s/table", name));
  PetscCall(FindingSetSize(compare->table, "lines", compare->num_lines));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The curves of one mode of the model, from all of its decays. */
static PetscErrorCode FindCurve(const Compare *compare, const Result *result, PetscInt mode, AmplitudeCurve *curve)
{
  RingDownPoint *points;
  PetscInt       count;

  PetscFunctionBegin;
  PetscCall(DecayCompile(1, &compare->model, result, mode, &count, &points));
  PetscCall(AmplitudeCurveCreate(count, points, curve));
  PetscCall(PetscFree(points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Infinite while there is no model. */
static PetscErrorCode SlipAmplitude(const Compare *compare, PetscInt mode, const Result *result, PetscReal *amplitude)
{
  const Finding *model = ModelOf(compare, mode);

  PetscFunctionBegin;
  PetscCall(FindingRead(model, FindingField(model, "slip_amplitude"), 0, 1, amplitude, result));
  if (PetscIsNanReal(*amplitude)) *amplitude = PETSC_INFINITY;
  PetscFunctionReturn(PETSC_SUCCESS);
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

static CompareLine *FindLine(const Compare *compare, const ComparedDecay *compared, PetscInt64 regime)
{
  CompareLine *line = compare->lines;

  while (line->mode != compared->mode || strcmp(line->place, compared->place) != 0 || line->regime != (Regime)(regime - 1)) line++;
  return line;
}

static PetscErrorCode WriteDecay(const ComparedDecay *compared, PetscInt count, const Beside beside[], const Result *result)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++) {
    PetscCall(FindingWrite(compared->finding, TIME, i, 1, &beside[i].time, result));
    PetscCall(FindingWrite(compared->finding, AMPLITUDE, i, 1, &beside[i].amplitude, result));
    PetscCall(FindingWrite(compared->finding, OMEGA_RATIO, i, 1, &beside[i].omega, result));
    PetscCall(FindingWrite(compared->finding, ZETA_RATIO, i, 1, &beside[i].zeta, result));
    PetscCall(FindingWrite(compared->finding, REGIME, i, 1, &beside[i].regime, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Each trusted point at whose amplitude the model has been measured, too. */
static PetscErrorCode CompareDecay(const Compare *compare, const ComparedDecay *compared, const AmplitudeCurve *curve, PetscReal slip,
                                   const Result *result)
{
  DecayFound found;
  Beside    *beside;
  PetscInt   count = 0;

  PetscFunctionBegin;
  PetscCall(DecayRead(compared->decay, result, &found));
  RingDownToDisplacement(found.count, found.signal, found.points);
  PetscCall(PetscMalloc1(found.count, &beside));
  for (PetscInt i = 0; i < found.count; i++) {
    const RingDownPoint *point = &found.points[i];
    PetscReal            omega, zeta;

    if (!point->trusted || !AmplitudeCurveAt(curve, point->amplitude, &omega, &zeta)) continue;
    beside[count] = (Beside){point->time, point->amplitude, point->omega / omega, point->zeta / zeta, point->amplitude < slip ? 1 : 2};
    Count(FindLine(compare, compared, beside[count].regime), &beside[count]);
    count++;
  }
  PetscCall(WriteDecay(compared, count, beside, result));
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
    PetscCall(FindingWrite(compare->table, MODE, i, 1, &counts[0], result));
    PetscCall(FindingWrite(compare->table, PLACE, i, 1, texts[0], result));
    PetscCall(FindingWrite(compare->table, LINE_REGIME, i, 1, texts[1], result));
    PetscCall(FindingWrite(compare->table, POINTS, i, 1, &counts[1], result));
    for (PetscInt k = 0; k < NUM_RATIOS && line->points; k++) {
      PetscCall(FindingWrite(compare->table, FIRST_RATIO + k, i, 1, &line->omega[k], result));
      PetscCall(FindingWrite(compare->table, FIRST_RATIO + NUM_RATIOS + k, i, 1, &line->zeta[k], result));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CompareDecays(Compare *compare, const Result *result)
{
  PetscFunctionBegin;
  for (PetscInt j = 0; j < compare->num_decays; j++) {
    const ComparedDecay *compared = &compare->decays[j];
    AmplitudeCurve       curve;
    PetscReal            slip;

    PetscCall(FindCurve(compare, result, compared->mode, &curve));
    PetscCall(SlipAmplitude(compare, compared->mode, result, &slip));
    PetscCall(CompareDecay(compare, compared, &curve, slip, result));
    PetscCall(AmplitudeCurveDestroy(&curve));
  }
  PetscCall(WriteLines(compare, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
