/* decays.c - the decays that a study of ring-downs measures: of modes or a point of runs, of records. */
#include "ring_down.h"

static const char runs[] = "transient/RUN"; /* the table of what a transient says of each of its runs */

static RingDownOptions Options(const RingDownKeys *keys)
{
  const PetscBool banded = (PetscBool)(keys->band.count == 2);

  return (RingDownOptions){
    .lowest       = banded ? 2.0 * PETSC_PI * keys->band.values[0] : 0.0,
    .highest      = banded ? 2.0 * PETSC_PI * keys->band.values[1] : PETSC_INFINITY,
    .plausible    = {0.0, PETSC_INFINITY},
    .edge         = keys->edge,
    .drop         = keys->drop,
    .min_cycles   = keys->cycles,
    .max_points   = keys->max_points,
    .accept_omega = keys->accept_frequency,
    .accept_zeta  = keys->accept_damping,
    .num_knots    = keys->knots.count,
    .knots        = keys->knots.values,
  };
}

static PetscErrorCode AddDecay(RingDown *study, Decay **decay)
{
  PetscFunctionBegin;
  PetscCall(PetscRealloc(sizeof(Decay) * (size_t)(study->num_decays + 1), &study->decays));
  *decay = &study->decays[study->num_decays++];
  PetscCall(PetscMemzero(*decay, sizeof(**decay)));
  (*decay)->options   = Options(&study->keys);
  (*decay)->from      = study->keys.from;
  (*decay)->to        = study->keys.to;
  (*decay)->amplitude = (Quantity)study->keys.amplitude;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "hit_01" of "/transient/hit_01" */
static const char *RunName(const Finding *run)
{
  return FindingPath(run) + sizeof("/transient/") - 1;
}

static PetscErrorCode AddOfPoint(const Finding *run, RingDown *study)
{
  Decay *decay = NULL;

  PetscFunctionBegin;
  PetscCall(AddDecay(study, &decay));
  decay->run               = run;
  decay->channel           = FindingsFind(study->transient->findings, "%s/points/%s", FindingPath(run), study->keys.point);
  decay->measured.quantity = (Quantity)study->keys.quantity;
  decay->key               = quantity_names[study->keys.quantity];
  decay->column            = study->component;
  PetscCall(PetscSNPrintf(decay->path, sizeof(decay->path), "%s/%s", RunName(run), study->keys.point));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The column of a mode among those that the run watches, -1 when it does not. */
static PetscInt ColumnOfMode(const Finding *modal, PetscInt mode)
{
  const PetscInt64 *numbers = modal ? FindingGiven(modal, "mode") : NULL;

  for (PetscInt64 i = 0; numbers && i < FindingSize(modal, "modes"); i++)
    if (numbers[i] == mode) return (PetscInt)i;
  return -1;
}

static PetscErrorCode AddOfMode(const Finding *run, PetscInt mode, RingDown *study)
{
  Decay *decay = NULL;

  PetscFunctionBegin;
  PetscCall(AddDecay(study, &decay));
  decay->run               = run;
  decay->channel           = FindingsFind(study->transient->findings, "%s/modal", FindingPath(run));
  decay->mode              = mode;
  decay->isolate           = (PetscBool)(study->keys.isolate && study->keys.band.count == 0);
  decay->measured.quantity = QUANTITY_VELOCITY;
  decay->key               = "velocity";
  decay->column            = ColumnOfMode(decay->channel, mode);
  PetscCall(PetscSNPrintf(decay->path, sizeof(decay->path), "%s/mode%" PetscInt_FMT, RunName(run), mode));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Those that are asked for, the one that the run's first load pushes along, or all that it watches. */
static PetscErrorCode AddModes(const Finding *run, RingDown *study)
{
  const PetscInt    excited = (PetscInt)FindingCount(run, "mode");
  const Finding    *modal   = FindingsFind(study->transient->findings, "%s/modal", FindingPath(run));
  const PetscInt64 *watched = modal ? FindingGiven(modal, "mode") : NULL;

  PetscFunctionBegin;
  if (study->keys.modes.count)
    for (PetscInt i = 0; i < study->keys.modes.count; i++) PetscCall(AddOfMode(run, (PetscInt)study->keys.modes.values[i], study));
  else if (excited) PetscCall(AddOfMode(run, excited, study));
  else
    for (PetscInt64 i = 0; watched && i < FindingSize(modal, "modes"); i++) PetscCall(AddOfMode(run, (PetscInt)watched[i], study));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Complains, at most once, of modes that the runs do not keep. */
static PetscErrorCode CheckModes(const InputNode *node, const RingDown *study)
{
  const InputNode *at = InputFind(node, "modes") ? InputFind(node, "modes") : InputFind(node, "of");

  PetscFunctionBegin;
  if (study->num_decays == 0)
    PetscCall(InputComplain(at, "transient '%s' watches no modes: add `modes: all`, or a list of them, to its `watch`", study->keys.of));
  for (PetscInt i = 0; i < study->num_decays; i++) {
    if (study->decays[i].column >= 0) continue;
    PetscCall(InputComplain(at, "mode %" PetscInt_FMT " is not watched by transient '%s': add it to the `modes` of its `watch`",
                            study->decays[i].mode, study->keys.of));
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckPoint(const InputNode *node, const RingDown *study)
{
  PetscFunctionBegin;
  if (study->num_decays && !study->decays[0].channel)
    PetscCall(InputComplain(InputFind(node, "point"), "point '%s' is not watched by transient '%s': add it to the `points` of its `watch`",
                            study->keys.point, study->keys.of));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Complains of times and frequencies that samples from `start` to `end` do not have. */
static PetscErrorCode CheckRange(const InputNode *node, const RingDownKeys *keys, const char *of, PetscReal start, PetscReal end, PetscReal step)
{
  const PetscInt  fewest = 6;
  const PetscReal most   = 0.5 / step;
  PetscInt        within = 0;

  PetscFunctionBegin;
  if (InputFind(node, "from") && keys->from >= end)
    PetscCall(InputComplain(InputFind(node, "from"), "must be before %s ends, at %g s, got %g", of, end, keys->from));
  if (InputFind(node, "to") && keys->to <= start)
    PetscCall(InputComplain(InputFind(node, "to"), "must be after %s begins, at %g s, got %g", of, start, keys->to));
  if (keys->band.count == 2 && keys->band.values[0] >= most)
    PetscCall(
      InputComplain(InputFind(node, "band"), "must begin below %g Hz, half the sampling frequency of %s, got %g", most, of, keys->band.values[0]));
  start = PetscMax(start, keys->from);
  end   = PetscMin(end, keys->to);
  for (PetscInt k = 0; k < keys->knots.count; k++) within += keys->knots.values[k] >= start && keys->knots.values[k] <= end;
  if (keys->knots.count >= fewest && within < fewest && start < end)
    PetscCall(
      InputComplain(InputFind(node, "knots"), "six or more must lie within %s, from %g to %g s, found %" PetscInt_FMT, of, start, end, within));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first run that has something wrong is enough. */
static PetscErrorCode CheckRanges(const InputNode *node, const RingDown *study)
{
  const PetscInt  before = InputNumComplaints(InputDocumentOf(node));
  const Findings *all    = study->transient->findings;

  PetscFunctionBegin;
  for (const Finding *run = FindingsNext(all, runs, NULL); run && InputNumComplaints(InputDocumentOf(node)) == before;
       run                = FindingsNext(all, runs, run)) {
    char of[128];

    PetscCall(PetscSNPrintf(of, sizeof(of), "run '%s'", RunName(run)));
    PetscCall(CheckRange(node, &study->keys, of, RunSamplesStart(run), RunSamplesEnd(run), RunSamplesStep(run)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The point that is measured; false after a complaint. */
static PetscErrorCode ChoosePoint(const InputNode *node, const Names *names, RingDown *study, PetscBool *found)
{
  const NamedPoint *point;
  PetscInt          motion = -1;

  PetscFunctionBegin;
  PetscCall(NamesChooseMotion(names, InputFind(node, "point"), study->keys.point, study->keys.direction, &motion));
  *found = (PetscBool)(motion >= 0);
  if (!*found) PetscFunctionReturn(PETSC_SUCCESS);
  point            = &names->points[NamesPointOfMotion(names, motion)];
  study->component = motion - point->first_motion;
  if (point->massless[study->component] && study->keys.quantity != QUANTITY_DISPLACEMENT)
    PetscCall(InputComplain(InputFind(node, "point"),
                            "point '%s' has no mass in direction %s, and so no velocity or acceleration of its own: take "
                            "`quantity: displacement`, or a point with mass",
                            point->name, direction_names[point->direction[study->component]]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecaysOfRuns(const InputNode *node, const Names *names, RingDown *study)
{
  static const char *const of_points[] = {"direction", "quantity", NULL};
  const Findings          *all         = study->transient->findings;
  PetscBool                found       = PETSC_TRUE;

  PetscFunctionBegin;
  if (!InputFind(node, "point")) PetscCall(InputRefuseKeys(node, of_points, "belongs to a `point`; modes are measured by their velocity"));
  if (study->keys.point && InputFind(node, "modes")) PetscCall(InputComplain(InputFind(node, "modes"), "give `modes` or a `point`, not both"));
  if (study->keys.point) PetscCall(ChoosePoint(node, names, study, &found));
  if (!found || !FindingsNext(all, runs, NULL)) PetscFunctionReturn(PETSC_SUCCESS); /* has been complained of */
  for (const Finding *run = FindingsNext(all, runs, NULL); run; run = FindingsNext(all, runs, run))
    if (study->keys.point) PetscCall(AddOfPoint(run, study));
    else PetscCall(AddModes(run, study));
  if (study->keys.point) PetscCall(CheckPoint(node, study));
  else PetscCall(CheckModes(node, study));
  PetscCall(CheckRanges(node, study));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A file tells of one mode. */
static PetscErrorCode CheckOneMode(const InputNode *node, const RingDown *study)
{
  PetscFunctionBegin;
  if (study->keys.modes.count > 1)
    PetscCall(InputComplain(InputFind(node, "modes"), "expected the one mode that was measured, found %" PetscInt_FMT, study->keys.modes.count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* NAME/mode1, or STUDY/mode1 of a single file, or STUDY_2/mode1 of several. */
static PetscErrorCode NameOfFile(const RingDown *study, const char *name, const char *own, PetscInt i, PetscInt count, Decay *decay)
{
  PetscFunctionBegin;
  decay->mode = study->keys.modes.count ? (PetscInt)study->keys.modes.values[0] : 1;
  if (own || count == 1) PetscCall(PetscSNPrintf(decay->path, sizeof(decay->path), "%s/mode%" PetscInt_FMT, own ? own : name, decay->mode));
  else PetscCall(PetscSNPrintf(decay->path, sizeof(decay->path), "%s_%" PetscInt_FMT "/mode%" PetscInt_FMT, name, i + 1, decay->mode));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecaysOfBackbones(const InputNode *node, const char *name, RingDown *study)
{
  static const char *const of_signals[] = {"point",          "direction", "isolate", "correct_period", "quantity", "from",       "to",
                                           "band",           "knots",     "drop",    "cycles",         "edge",     "max_points", "accept_frequency",
                                           "accept_damping", NULL};
  const InputNode         *list         = study->keys.backbones;

  PetscFunctionBegin;
  study->num_backbones = InputIsList(list) ? InputCount(list) : 1;
  PetscCall(PetscCalloc1(study->num_backbones, &study->backbones));
  if (study->num_backbones == 0) PetscCall(InputComplain(list, "expected a backbone, {file, quantity, ...}, or a list of them, found none"));
  PetscCall(InputRefuseKeys(node, of_signals, "belongs to signals, `of` or `records`: a backbone is taken as it is"));
  PetscCall(CheckOneMode(node, study));
  for (PetscInt i = 0; i < study->num_backbones; i++) {
    BackboneFile *file  = &study->backbones[i];
    Decay        *decay = NULL;

    PetscCall(BackboneFileRead(InputIsList(list) ? InputItem(list, i) : list, file));
    PetscCall(AddDecay(study, &decay));
    decay->backbone = file;
    PetscCall(NameOfFile(study, name, file->name, i, study->num_backbones, decay));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecaysOfRecords(const InputNode *node, const char *name, RingDown *study)
{
  static const char *const of_runs[] = {"point", "direction", "isolate", "correct_period", NULL}, *const of_records[] = {"quantity", NULL};
  const InputNode *records = study->keys.records;

  PetscFunctionBegin;
  study->num_records = InputIsList(records) ? InputCount(records) : 1;
  PetscCall(PetscCalloc1(study->num_records, &study->records));
  if (study->num_records == 0) PetscCall(InputComplain(records, "expected a record, {file, ...}, or a list of them, found none"));
  PetscCall(InputRefuseKeys(node, of_runs, "belongs to a transient, `of`"));
  PetscCall(InputRefuseKeys(node, of_records, "each record says its own: put it beside its `file`"));
  PetscCall(CheckOneMode(node, study));
  for (PetscInt i = 0; i < study->num_records; i++) {
    RecordFile *file  = &study->records[i];
    Decay      *decay = NULL;

    PetscCall(RecordFileRead(InputIsList(records) ? InputItem(records, i) : records, file));
    PetscCall(AddDecay(study, &decay));
    decay->measured = file->record;
    decay->isolate = decay->seek = (PetscBool)(study->keys.band.count == 0);
    if (file->record.count)
      PetscCall(CheckRange(node, &study->keys, "the record", file->record.start, file->record.start + (file->record.count - 1) * file->record.step,
                           file->record.step));
    PetscCall(NameOfFile(study, name, file->name, i, study->num_records, decay));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
