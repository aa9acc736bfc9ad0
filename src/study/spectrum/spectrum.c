/* spectrum.c - the study of random motions: power spectral densities and root mean squares of points along the runs of a transient. */
#include "post/decays.h"
#include "post/spectra.h"
#include "study/run_samples.h"
#include "study.h"

typedef struct {
  const char *name, *of;
  InputTexts  points;
  PetscInt    quantity;
  PetscReal   from, segment;
} SpectrumKeys;

/* One point of one run. */
typedef struct {
  const Finding    *run, *channel;
  const char       *path; /* of the channel: "/transient/shaken/points/tip" */
  const NamedPoint *point;
  PetscInt          first, count, segment; /* samples: the first of those that are kept, how many, and of a segment */
  PetscReal         step;
  Finding          *finding;
} Motion;

typedef struct {
  SpectrumKeys keys;
  const Study *transient;
  PetscInt     num_series;
  Motion      *series;
} SpectrumStudy;

#define OF(member) offsetof(SpectrumKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "of the study and its group in the result; `spectrum` when not given"},
  {.key = "of", .kind = INPUT_TEXT, .offset = OF(of), .fallback = INPUT_REQUIRED, .help = "an earlier transient, all of whose runs are looked at"},
  {.key = "points", .kind = INPUT_TEXTS, .offset = OF(points), .fallback = INPUT_OPTIONAL, .help = "points that it watches; default: all of these"},
  {.key = "quantity", .kind = INPUT_WORD, .offset = OF(quantity), .fallback = QUANTITY_ACCELERATION, .words = quantity_names,
   .help = "of the points, in all of their directions"},
  {.key = "from", .kind = INPUT_REAL, .offset = OF(from), .fallback = 0.0, .most = PETSC_INFINITY, .unit = "s",
   .help = "time from which the motion is taken for stationary: what it sets out with has decayed"},
  {.key = "segment", .kind = INPUT_REAL, .offset = OF(segment), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "s",
   .help = "length of the segments under Hann's window, which overlap by half; lines are 1 / segment apart. Longer ones show narrower peaks, more of them less scatter; default: a sixteenth of the record"},
  {.key = NULL}
};

enum { FREQUENCY, DENSITY, RMS, RMS_ERROR };

static const OutputField output_fields[] = {
  [FREQUENCY] = {"frequency", RESULT_REAL, {"lines"}, "Hz", "of the lines"},
  [DENSITY]   = {"density", RESULT_REAL, {"lines", "components"}, "SI^2/Hz", "one-sided power spectral density of the quantity, of which it has the square over Hz"},
  [RMS]       = {"rms", RESULT_REAL, {"components"}, "SI", "root mean square of the quantity less its mean"},
  [RMS_ERROR] = {"rms_error", RESULT_REAL, {"components"}, "SI", "its standard error, as the record is finite: that of a Gaussian process of this spectrum; too small where peaks are narrower than lines"},
  {0}
};

static const OutputField facts[] = {
  {"quantity", RESULT_TEXT, {0}, NULL, "displacement, velocity or acceleration"},
  {"window", RESULT_TEXT, {0}, NULL, "of the segments, `hann`"},
  {"segment", RESULT_REAL, {0}, "s", "length of a segment; segments overlap by half"},
  {"segments", RESULT_COUNT, {0}, NULL, "how many there are"},
  {"from", RESULT_REAL, {0}, "s", "time from which the record is taken"},
  {"components", RESULT_TEXT, {0}, NULL, "directions of the columns, one word each"},
  {0}
};
// clang-format on

static const InputTable         spectrum_table  = {"spectrum", "power spectral densities and root mean squares of random motions", fields};
static const InputTable *const  own_tables[]    = {&spectrum_table, NULL};
static const InputTables        tables[]        = {own_tables, NULL};
static const OutputTable        output_table    = {"spectrum/NAME/RUN/POINT", "spectrum of a point along a run", output_fields, facts};
static const OutputTable *const output_tables[] = {&output_table, NULL};

static const char runs[] = "transient/RUN";

/* "shaken/points/tip" of "/transient/shaken/points/tip" */
static const char *Below(const char *path)
{
  return path + sizeof("/transient/") - 1;
}

static PetscErrorCode Declare(const char *name, const char *point, const SpectrumKeys *keys, Findings *findings, Motion *series)
{
  const PetscInt step_of_segments = PetscMax(series->segment / 2, 1);

  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &output_table, &series->finding, "/spectrum/%s/%s/%s", name, Below(FindingPath(series->run)), point));
  PetscCall(FindingSetSize(series->finding, "lines", SpectrumLines(series->segment)));
  PetscCall(FindingSetSize(series->finding, "components", series->point->num_components));
  PetscCall(FindingSayText(series->finding, "quantity", quantity_names[keys->quantity]));
  PetscCall(FindingSayText(series->finding, "window", "hann"));
  PetscCall(FindingSayReal(series->finding, "segment", (PetscReal)series->segment * series->step));
  PetscCall(FindingSayCount(series->finding, "segments", (series->count - series->segment) / step_of_segments + 1));
  PetscCall(FindingSayReal(series->finding, "from", RunSamplesStart(series->run) + (PetscReal)series->first * series->step));
  PetscCall(FindingSayText(series->finding, "components", FindingText(series->channel, "components")));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How the record of a run is cut; false after a complaint. */
static PetscErrorCode Cut(const InputNode *node, const SpectrumKeys *keys, Motion *series, PetscBool *fine)
{
  const PetscInt parts = 16, least = 8;
  PetscReal      samples;

  PetscFunctionBegin;
  *fine           = PETSC_FALSE;
  series->step    = RunSamplesStep(series->run);
  series->first   = (PetscInt)PetscCeilReal(PetscClipInterval((keys->from - RunSamplesStart(series->run)) / series->step, 0.0, 1e9) * (1.0 - 1e-12));
  series->count   = (PetscInt)FindingSize(series->channel, "samples") - series->first;
  samples         = keys->segment > 0.0 ? PetscMin(PetscFloorReal(keys->segment / series->step + 0.5), 1e9) : (PetscReal)(series->count / parts);
  series->segment = (PetscInt)samples;
  if (series->count < 2 * least)
    PetscCall(InputComplain(InputFind(node, "from") ? InputFind(node, "from") : node, "run '%s' has too few samples from %g s on",
                            Below(FindingPath(series->run)), (double)keys->from));
  else if (series->segment < least || 2 * series->segment > series->count)
    PetscCall(InputComplain(InputFind(node, "segment") ? InputFind(node, "segment") : node,
                            "segments need %" PetscInt_FMT " samples at least, and the record two segments: from %g to %g s, got %g s", least,
                            (double)(least * series->step), (double)(0.5 * (PetscReal)series->count * series->step),
                            (double)(samples * series->step)));
  else *fine = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddPoint(const InputNode *node, const NamedPoint *point, const Finding *run, Study *study, PetscBool *fine)
{
  SpectrumStudy *const spectrum = study->data;
  const Finding *const channel  = FindingsFind(spectrum->transient->findings, "%s/points/%s", FindingPath(run), point->name);
  Motion              *series;

  PetscFunctionBegin;
  *fine = PETSC_TRUE;
  if (!channel) {
    *fine = PETSC_FALSE;
    PetscCall(InputComplain(InputFind(node, "points") ? InputFind(node, "points") : node,
                            "point '%s' is not watched by transient '%s': add it to the `points` of its `watch`", point->name, spectrum->keys.of));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscRealloc(sizeof(Motion) * (size_t)(spectrum->num_series + 1), &spectrum->series));
  series  = &spectrum->series[spectrum->num_series++];
  *series = (Motion){.run = run, .channel = channel, .path = FindingPath(channel), .point = point};
  PetscCall(Cut(node, &spectrum->keys, series, fine));
  if (*fine) PetscCall(Declare(study->name, point->name, &spectrum->keys, study->findings, series));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The points that are named, or all that the transient watches. */
static PetscErrorCode AddPoints(const InputNode *node, const Names *names, const Finding *run, Study *study, PetscBool *fine)
{
  SpectrumStudy *const spectrum = study->data;
  const InputNode     *list     = InputFind(node, "points");

  PetscFunctionBegin;
  for (PetscInt i = 0; list && i < spectrum->keys.points.count && *fine; i++) {
    PetscInt p;

    PetscCall(NamesChoosePoint(names, InputIsList(list) ? InputItem(list, i) : list, spectrum->keys.points.values[i], &p));
    *fine = (PetscBool)(p >= 0);
    if (p >= 0) PetscCall(AddPoint(node, &names->points[p], run, study, fine));
  }
  for (PetscInt p = 0; !list && p < names->num_points && *fine; p++)
    if (FindingsFind(spectrum->transient->findings, "%s/points/%s", FindingPath(run), names->points[p].name))
      PetscCall(AddPoint(node, &names->points[p], run, study, fine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  PetscBool      fine = PETSC_TRUE;
  SpectrumStudy *spectrum;

  PetscFunctionBegin;
  PetscCall(PetscNew(&spectrum));
  study->data = spectrum;
  PetscCall(InputRead(node, &spectrum_table, &spectrum->keys));
  PetscCall(StudySetName(study, node, spectrum->keys.name));
  if (!spectrum->keys.of) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(StudyFindBefore(study, "transient", InputFind(node, "of"), spectrum->keys.of, &spectrum->transient));
  if (!spectrum->transient || !names->known) PetscFunctionReturn(PETSC_SUCCESS);
  for (const Finding *run = FindingsNext(spectrum->transient->findings, runs, NULL); run && fine;
       run                = FindingsNext(spectrum->transient->findings, runs, run))
    PetscCall(AddPoints(node, names, run, study, &fine));
  if (fine && spectrum->num_series == 0 && FindingsNext(spectrum->transient->findings, runs, NULL))
    PetscCall(InputComplain(InputFind(node, "of"), "transient '%s' watches no points", spectrum->keys.of));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  SpectrumStudy *const spectrum = study->data;

  PetscFunctionBegin;
  if (!spectrum) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(spectrum->series));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const SpectrumStudy *const spectrum = study->data;

  PetscFunctionBegin;
  fprintf(out, "  spectrum %-25s %" PetscInt_FMT " records of %s\n", study->name, spectrum->num_series, spectrum->keys.of);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteLines(const Motion *series, const Result *result)
{
  const PetscInt num_lines = SpectrumLines(series->segment);
  PetscReal     *frequency;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(num_lines, &frequency));
  for (PetscInt k = 0; k < num_lines; k++) frequency[k] = (PetscReal)k / ((PetscReal)series->segment * series->step);
  PetscCall(FindingWrite(series->finding, FREQUENCY, 0, num_lines, frequency, result));
  PetscCall(PetscFree(frequency));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void Say(const Motion *series, PetscInt component, const Spectrum *found)
{
  char motion[PETSC_MAX_PATH_LEN + 4];

  snprintf(motion, sizeof(motion), "%s %s", Below(series->path), direction_names[series->point->direction[component]]);
  ReportSay("  %-48s %12.5g +- %.2g\n", motion, (double)found->rms, (double)found->error);
}

/* Of what is faster than half the rate of samples that are stored nothing is left but what it folds onto; it seldom ends just there. */
static void WarnOfFolding(const SpectrumStudy *study, const Motion *series, PetscInt component, const Spectrum *found, const PetscReal density[])
{
  const PetscInt  first = found->num_lines - found->num_lines / 8;
  const PetscReal most = 0.01, whole = PetscSqr(found->rms);
  PetscReal       highest = 0.0;

  for (PetscInt k = first; k < found->num_lines; k++) highest += density[k] * found->spacing;
  if (FindingCount(series->run, "every") == 1 || highest <= most * whole) return;
  LogWarn("spectrum %s: %s %s has %.2g %% of the square of its %s in the highest eighth of the lines, up to %.4g Hz: what is faster than its samples "
          "tell is folded onto slower motions; make `every` of the transient smaller",
          study->keys.name ? study->keys.name : "spectrum", Below(series->path), direction_names[series->point->direction[component]],
          (double)(100.0 * highest / whole), quantity_names[study->keys.quantity], (double)(found->spacing * (PetscReal)(found->num_lines - 1)));
}

static PetscErrorCode Measure(const SpectrumStudy *study, const Motion *series, const Result *result)
{
  const PetscInt num_lines = SpectrumLines(series->segment), width = series->point->num_components;
  PetscReal     *density, *one, *rms, *error;

  PetscFunctionBegin;
  PetscCall(PetscMalloc4(num_lines * width, &density, num_lines, &one, width, &rms, width, &error));
  for (PetscInt c = 0; c < width; c++) {
    PetscReal *values;
    Spectrum   found;

    PetscCall(FindingReadColumn(series->channel, quantity_names[study->keys.quantity], series->first + series->count, c, result, &values));
    PetscCall(SpectrumFind(series->count, values + series->first, series->step, series->segment, &found, one));
    for (PetscInt k = 0; k < num_lines; k++) density[k * width + c] = one[k];
    rms[c]   = found.rms;
    error[c] = found.error;
    Say(series, c, &found);
    WarnOfFolding(study, series, c, &found, one);
    PetscCall(PetscFree(values));
  }
  PetscCall(WriteLines(series, result));
  PetscCall(FindingWrite(series->finding, DENSITY, 0, num_lines, density, result));
  PetscCall(FindingWrite(series->finding, RMS, 0, width, rms, result));
  PetscCall(FindingWrite(series->finding, RMS_ERROR, 0, width, error, result));
  PetscCall(PetscFree4(density, one, rms, error));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of runs that ended early nothing is said. */
static PetscErrorCode IsComplete(const Motion *series, const Result *result, PetscBool *complete)
{
  char reason[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(FindingReadText(series->run, "reason", result, reason));
  PetscCall(PetscStrcmp(reason, "complete", complete));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  const SpectrumStudy *const spectrum = study->data;
  PetscMPIInt                rank;

  PetscFunctionBegin;
  if (outcome->num_unfinished > 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD)); /* what other ranks computed is there */
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank > 0) PetscFunctionReturn(PETSC_SUCCESS);
  ReportSay("\nspectrum %s: root mean square of the %s of points, direction by direction, with its standard error [SI]\n", study->name,
            quantity_names[spectrum->keys.quantity]);
  for (PetscInt i = 0; i < spectrum->num_series; i++) {
    PetscBool complete;

    PetscCall(IsComplete(&spectrum->series[i], result, &complete));
    if (complete) PetscCall(Measure(spectrum, &spectrum->series[i], result));
    else ReportSay("  %-48s the run is not complete\n", Below(spectrum->series[i].path));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind study_spectrum = {
  .name     = "spectrum",
  .summary  = "power spectral densities and root mean squares of random motions",
  .tables   = tables,
  .outputs  = output_tables,
  .read     = Read,
  .group    = StudyOwnGroup,
  .describe = Describe,
  .run      = Compute,
  .destroy  = Destroy,
};
