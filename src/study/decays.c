/* decays.c - the decays that a study of ring-downs measures: of modes or a point of runs, of records. */
#include "ring_down.h"

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

static PetscErrorCode AddOfRun(RingDown *study, const Run *run, const System *system, PetscInt mode)
{
  Decay *decay = NULL;

  PetscFunctionBegin;
  PetscCall(AddDecay(study, &decay));
  decay->source            = run;
  decay->system            = system;
  decay->mode              = mode;
  decay->motion            = study->motion;
  decay->isolate           = (PetscBool)(mode && study->keys.isolate && study->keys.band.count == 0);
  decay->measured.quantity = mode ? QUANTITY_VELOCITY : (Quantity)study->keys.quantity;
  if (mode) PetscCall(PetscSNPrintf(decay->path, sizeof(decay->path), "%s/mode%" PetscInt_FMT, run->name, mode));
  else PetscCall(PetscSNPrintf(decay->path, sizeof(decay->path), "%s/%s", run->name, study->keys.point));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool Watches(const Watch *watch, PetscInt mode)
{
  for (PetscInt i = 0; i < watch->num_modes; i++)
    if (watch->modes[i] == mode - 1) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* The mode that the first load of a run pushes along, 0 for none. */
static PetscInt ExcitedMode(const Run *run)
{
  return run->num_loads && run->loads[0].place == LOAD_ON_SHAPE ? run->loads[0].mode : 0;
}

static PetscErrorCode AddModesOfRun(RingDown *study, const Run *run, const Watch *watch, const System *system)
{
  const PetscInt excited = ExcitedMode(run);

  PetscFunctionBegin;
  if (study->keys.modes.count)
    for (PetscInt i = 0; i < study->keys.modes.count; i++) PetscCall(AddOfRun(study, run, system, (PetscInt)study->keys.modes.values[i]));
  else if (excited) PetscCall(AddOfRun(study, run, system, excited));
  else
    for (PetscInt i = 0; i < watch->num_modes; i++) PetscCall(AddOfRun(study, run, system, watch->modes[i] + 1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Complains, at most once, of modes that the runs do not keep. */
static PetscErrorCode CheckModes(const InputNode *node, const RingDown *study, const Watch *watch)
{
  const InputNode *at = InputFind(node, "modes") ? InputFind(node, "modes") : InputFind(node, "of");

  PetscFunctionBegin;
  if (study->num_decays == 0)
    PetscCall(InputComplain(at, "transient '%s' watches no modes: add `modes: all`, or a list of them, to its `watch`", study->keys.of));
  for (PetscInt i = 0; i < study->num_decays; i++) {
    const PetscInt mode = study->decays[i].mode;

    if (mode == 0 || Watches(watch, mode)) continue;
    PetscCall(
      InputComplain(at, "mode %" PetscInt_FMT " is not watched by transient '%s': add it to the `modes` of its `watch`", mode, study->keys.of));
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckPoint(const InputNode *node, const RingDown *study, const System *system, const Watch *watch)
{
  PetscFunctionBegin;
  for (PetscInt p = 0; p < watch->num_points; p++) {
    const SystemPoint *point = &system->points[watch->points[p]];

    if (study->motion >= point->first_row && study->motion < point->first_row + point->num_components) PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (study->motion >= 0)
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
static PetscErrorCode CheckRanges(const InputNode *node, const RingDown *study, PetscInt count, const Run runs[], const Watch *watch)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(node));

  PetscFunctionBegin;
  for (PetscInt r = 0; r < count && InputNumComplaints(InputDocumentOf(node)) == before; r++) {
    const PetscReal step = runs[r].options.time_step;
    char            of[128];

    if (!(step > 0.0) || runs[r].steps <= 0) continue; /* complained of */
    PetscCall(PetscSNPrintf(of, sizeof(of), "run '%s'", runs[r].name));
    PetscCall(CheckRange(node, &study->keys, of, 0.0, runs[r].steps * step, step * watch->every));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DecaysOfRuns(const InputNode *node, const System *system, RingDown *study)
{
  static const char *const of_points[] = {"direction", "quantity", NULL};
  PetscInt                 count;
  const Run               *runs;
  const Watch             *watch;

  PetscFunctionBegin;
  if (!InputFind(node, "point")) PetscCall(InputRefuseKeys(node, of_points, "belongs to a `point`; modes are measured by their velocity"));
  TransientRuns(study->transient, &count, &runs, &watch);
  study->motion = -1;
  if (study->keys.point && InputFind(node, "modes")) PetscCall(InputComplain(InputFind(node, "modes"), "give `modes` or a `point`, not both"));
  if (study->keys.point && system) {
    PetscCall(PointMotionChoose(InputFind(node, "point"), system, study->keys.point, study->keys.direction, &study->motion));
    PetscCall(CheckPoint(node, study, system, watch));
  }
  for (PetscInt r = 0; r < count; r++)
    if (study->keys.point) PetscCall(AddOfRun(study, &runs[r], system, 0));
    else PetscCall(AddModesOfRun(study, &runs[r], watch, system));
  if (system && !study->keys.point) PetscCall(CheckModes(node, study, watch));
  PetscCall(CheckRanges(node, study, count, runs, watch));
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
  if (study->keys.modes.count > 1)
    PetscCall(InputComplain(InputFind(node, "modes"), "expected the one mode that was measured, found %" PetscInt_FMT, study->keys.modes.count));
  for (PetscInt i = 0; i < study->num_records; i++) {
    RecordFile *file  = &study->records[i];
    Decay      *decay = NULL;

    PetscCall(RecordFileRead(InputIsList(records) ? InputItem(records, i) : records, file));
    PetscCall(AddDecay(study, &decay));
    decay->measured = file->record;
    if (file->record.count)
      PetscCall(CheckRange(node, &study->keys, "the record", file->record.start, file->record.start + (file->record.count - 1) * file->record.step,
                           file->record.step));
    decay->mode = study->keys.modes.count ? (PetscInt)study->keys.modes.values[0] : 1;
    if (file->name || study->num_records == 1)
      PetscCall(PetscSNPrintf(decay->path, sizeof(decay->path), "%s/mode%" PetscInt_FMT, file->name ? file->name : name, decay->mode));
    else PetscCall(PetscSNPrintf(decay->path, sizeof(decay->path), "%s_%" PetscInt_FMT "/mode%" PetscInt_FMT, name, i + 1, decay->mode));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
