/* recorder.c - the channels of one run in the result file. */
#include <math.h>
#include <petsctime.h>
#include "record/snapshots.h"
#include "recorder.h"

enum { MOST_SAMPLES = 1024, MOST_NUMBERS = 1 << 20 }; /* in the buffers; numbers: 8 MB */

// clang-format off
static const OutputField run_fields[] = {
  [RUN_TIME]       = {"time", RESULT_REAL, {"samples"}, "s", "times of the samples; NaN for samples not yet computed"},
  [RUN_STEPS]      = {"steps", RESULT_COUNT, {"1"}, NULL, "time steps taken so far"},
  [RUN_ITERATIONS] = {"iterations", RESULT_COUNT, {"1"}, NULL, "Newton iterations so far: evaluations of all joints"},
  [RUN_HALVED]     = {"halved", RESULT_COUNT, {"1"}, NULL, "time steps that were divided"},
  [RUN_HELD]       = {"held", RESULT_COUNT, {"1"}, NULL, "steps for which the friction of faces had to be held before Newton found their balance"},
  [RUN_SECONDS]    = {"seconds", RESULT_REAL, {"1"}, "s", "computing time"},
  [RUN_REASON]     = {"reason", RESULT_TEXT, {"1"}, NULL, "why the run ended; empty until then"},
  [RUN_OUTERMOST]  = {"outermost", RESULT_COUNT, {"contacts"}, NULL, "the most points of each contact that pressed in a sample at the edge of its points, where the faces go on further apart than the joint reaches"},
  [RUN_BESIDE]     = {"beside", RESULT_REAL, {"contacts"}, "m", "the widest gap at rest beside such a point"},
  [RUN_TURNED_BACK] = {"turned_back", RESULT_REAL, {"1"}, "1", "part of what nonlinear joints dissipated that they did while their motion turned back in every step: an error of steps that are too long"},
  [RUN_TURNED]     = {"turned", RESULT_REAL, {"1"}, "rad", "angle by which the direction of sliding turned in a step, a mean by what was dissipated"},
  {0}
};

static const OutputField run_facts[] = {
  {"study", RESULT_TEXT, {0}, NULL, "name of the study"},
  {"model", RESULT_TEXT, {0}, NULL, "modal model that was simulated instead of the structure"},
  {"number", RESULT_COUNT, {0}, NULL, "number of the run in its study, from 1"},
  {"level", RESULT_REAL, {0}, NULL, "factor of loads and initial motion"},
  {"time_step", RESULT_REAL, {0}, "s", "time step of the integration"},
  {"steps_asked", RESULT_COUNT, {0}, NULL, "number of time steps of a complete run"},
  {"every", RESULT_COUNT, {0}, NULL, "number of steps from one sample to the next"},
  {"first", RESULT_COUNT, {0}, NULL, "number of the first sample that is kept, counted from 0 at time 0"},
  {"last", RESULT_COUNT, {0}, NULL, "number of the last one, if the run gets there"},
  {"method", RESULT_TEXT, {0}, NULL, "integration method, newmark or runge_kutta"},
  {"beta", RESULT_REAL, {0}, NULL, "parameter beta of Newmark's rule"},
  {"gamma", RESULT_REAL, {0}, NULL, "parameter gamma of Newmark's rule"},
  {"alpha", RESULT_REAL, {0}, NULL, "parameter alpha of Hilber, Hughes and Taylor"},
  {"tolerance", RESULT_REAL, {0}, NULL, "accepted imbalance of a joint's force"},
  {"load", RESULT_TEXT, {0}, NULL, "kind of the first load"},
  {"amplitude", RESULT_REAL, {0}, NULL, "amplitude of the first load"},
  {"duration", RESULT_REAL, {0}, "s", "duration of the first load"},
  {"mode", RESULT_COUNT, {0}, NULL, "mode whose shape the first load follows"},
  {"joints", RESULT_TEXT, {0}, NULL, "state of the joints for that shape"},
  {"base", RESULT_TEXT, {0}, NULL, "direction in which the first load moves the base"},
  {"pattern", RESULT_TEXT, {0}, NULL, "pattern of the first load"},
  {"point", RESULT_TEXT, {0}, NULL, "point at which the first load acts, or that it moves"},
  {"moved", RESULT_TEXT, {0}, NULL, "what the first load gives of the motion of this point: displacement, velocity or acceleration"},
  {"place", RESULT_TEXT, {0}, NULL, "where the structure is excited, in words"},
  {"free_from", RESULT_REAL, {0}, "s", "end of the last load; the largest number when a load never ends"},
  {0}
};

enum { DISPLACEMENT, VELOCITY, ACCELERATION, PEAK, PEAK_TIME };

static const OutputField point_fields[] = {
  [DISPLACEMENT] = {"displacement", RESULT_REAL, {"samples", "components"}, "m", "displacement of the point, relative to a moving base (not to `moving_supports`)"},
  [VELOCITY]     = {"velocity", RESULT_REAL, {"samples", "components"}, "m/s", "likewise; NaN of points without mass that a load or a nonlinear joint moves at once"},
  [ACCELERATION] = {"acceleration", RESULT_REAL, {"samples", "components"}, "m/s^2", "likewise"},
  [PEAK]         = {"peak", RESULT_REAL, {"1", "components"}, "m", "largest absolute displacement of all samples, kept or not"},
  [PEAK_TIME]    = {"peak_time", RESULT_REAL, {"1", "components"}, "s", "when it was there"},
  {0}
};

static const OutputField point_facts[] = {
  {"components", RESULT_TEXT, {0}, NULL, "directions of the columns, one word each"},
  {"units", RESULT_TEXT, {0}, NULL, "unit of the displacement in each direction"},
  {0}
};

enum { MODAL_DISPLACEMENT, MODAL_VELOCITY, MODAL_MODE };

static const OutputField modal_fields[] = {
  [MODAL_DISPLACEMENT] = {"displacement", RESULT_REAL, {"samples", "modes"}, "m kg^1/2", "modal coordinates, for the modes with joints stuck"},
  [MODAL_VELOCITY]     = {"velocity", RESULT_REAL, {"samples", "modes"}, "m kg^1/2/s", "likewise"},
  [MODAL_MODE]         = {"mode", RESULT_COUNT, {"modes"}, NULL, "numbers of the modes, from 1"},
  {0}
};

enum { JOINT_DISPLACEMENT, JOINT_FORCE, JOINT_DISSIPATED, JOINT_PEAK, JOINT_PEAK_FORCE };

static const OutputField joint_fields[] = {
  [JOINT_DISPLACEMENT] = {"displacement", RESULT_REAL, {"samples"}, "m", "relative displacement of the two sides, in the axes of the joint; of a layer between faces its mean by area, in those of each point"},
  [JOINT_FORCE]        = {"force", RESULT_REAL, {"samples"}, "N", "force that the joint transmits; of a layer the sum over its points"},
  [JOINT_DISSIPATED]   = {"dissipated", RESULT_REAL, {"samples"}, "J", "energy dissipated since time 0; of a layer by all of its points, which is not the area of the loop of the mean where these move differently"},
  [JOINT_PEAK]         = {"peak", RESULT_REAL, {"1"}, "m", "largest absolute displacement of all samples, kept or not"},
  [JOINT_PEAK_FORCE]   = {"peak_force", RESULT_REAL, {"1"}, "N", "likewise of the force"},
  {0}
};

static const OutputField energy_fields[] = {
  [ENERGY_KINETIC] = {"kinetic", RESULT_REAL, {"samples"}, "J", "kinetic energy"},
  [ENERGY_STRAIN]  = {"strain", RESULT_REAL, {"samples"}, "J", "strain energy of the linear structure"},
  [ENERGY_JOINTS]  = {"joints", RESULT_REAL, {"samples"}, "J", "energy that nonlinear joints have taken up since time 0, to store or to dissipate; negative where they gave out what an initial motion or a preload had put into them"},
  [ENERGY_DAMPING] = {"damping", RESULT_REAL, {"samples"}, "J", "energy dissipated by damping since time 0"},
  [ENERGY_WORK]    = {"work", RESULT_REAL, {"samples"}, "J", "work of the loads since time 0"},
  [ENERGY_BALANCE] = {"balance", RESULT_REAL, {"samples"}, "J", "error of the energy balance, from the integration; with alpha below 0 or gamma above 1/2 what the scheme takes from the motion on purpose"},
  [ENERGY_STORED]  = {"stored", RESULT_REAL, {"samples"}, "J", "what contacts hold beyond that at rest, by their laws; where these tell, and no other law is nonlinear"},
  [ENERGY_DISSIPATED] = {"dissipated", RESULT_REAL, {"samples"}, "J", "what they have lost by friction since time 0, likewise"},
  [ENERGY_EXCHANGED] = {"exchanged", RESULT_REAL, {"samples"}, "J", "what they have taken beside both, negative where they gave: rough faces that are pressed harder or less while they are sheared have no potential; `joints` less all three is what the steps get wrong"},
  {0}
};
// clang-format on

static const OutputTable run_table    = {"transient/RUN", "one run", run_fields, run_facts};
static const OutputTable point_table  = {"transient/RUN/points/POINT", "histories of a point", point_fields, point_facts};
static const OutputTable modal_table  = {"transient/RUN/modal", "modal coordinates", modal_fields, NULL};
static const OutputTable joint_table  = {"transient/RUN/joints/JOINT/DIRECTION", "histories of a joint; direction q of a modal model", joint_fields,
                                         NULL};
static const OutputTable energy_table = {"transient/RUN/energy", "energies", energy_fields, NULL};

const OutputTable *const recorder_tables[] = {&run_table,
                                              &point_table,
                                              &modal_table,
                                              &joint_table,
                                              &recorder_contact_table,
                                              &recorder_bolt_table,
                                              &recorder_support_table,
                                              &recorder_reaction_table,
                                              &energy_table,
                                              &energy_extremes_table,
                                              &recorder_load_table,
                                              &snapshots_table,
                                              NULL};

void RecorderAddChannel(Recorder *recorder, Finding *finding, PetscInt field, PetscInt width, PetscInt offset)
{
  recorder->channels[recorder->num_channels++] = (RecorderChannel){.width = width, .offset = offset, .finding = finding, .field = field};
}

/* The frame: time; u, v, a of the watched rows of T; modal q, q'; joint d, f, dissipated; parts of faces; tensions of bolts; reactions of
   moving supports; energies. */
static PetscErrorCode DeclarePoints(Recorder *recorder, const Names *names, Findings *findings, const char *group, PetscInt *offset)
{
  const Watch *watch = recorder->watch;

  PetscFunctionBegin;
  for (PetscInt p = 0; p < watch->num_points; p++) recorder->num_motions += names->points[watch->points[p]].num_components;
  for (PetscInt p = 0; p < watch->num_points; p++) {
    const NamedPoint *point = &names->points[watch->points[p]];
    Finding          *finding;

    PetscCall(FindingsAdd(findings, &point_table, &finding, "%s/points/%s", group, point->name));
    PetscCall(FindingSetSize(finding, "samples", recorder->num_samples));
    PetscCall(FindingSetSize(finding, "components", point->num_components));
    PetscCall(WatchDescribePoint(point, 3, finding));
    PetscCall(WatchDescribeMotion(point, 0, PEAK, finding));
    for (PetscInt kind = 0; kind < 3; kind++)
      RecorderAddChannel(recorder, finding, kind, point->num_components, *offset + kind * recorder->num_motions);
    PetscCall(ExtremesAddPeak(&recorder->extremes, finding, PEAK, PETSC_TRUE, point->num_components, *offset));
    *offset += point->num_components;
  }
  *offset += 2 * recorder->num_motions;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DeclareModes(Recorder *recorder, Findings *findings, const char *group, PetscInt *offset)
{
  const Watch *watch = recorder->watch;
  Finding     *finding;
  PetscInt64  *numbers;

  PetscFunctionBegin;
  if (!watch->num_modes) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindingsAdd(findings, &modal_table, &finding, "%s/modal", group));
  PetscCall(FindingSetSize(finding, "samples", recorder->num_samples));
  PetscCall(FindingSetSize(finding, "modes", watch->num_modes));
  PetscCall(PetscMalloc1(watch->num_modes, &numbers));
  for (PetscInt i = 0; i < watch->num_modes; i++) numbers[i] = watch->modes[i] + 1;
  PetscCall(FindingGive(finding, MODAL_MODE, numbers));
  PetscCall(PetscFree(numbers));
  RecorderAddChannel(recorder, finding, MODAL_DISPLACEMENT, watch->num_modes, *offset);
  RecorderAddChannel(recorder, finding, MODAL_VELOCITY, watch->num_modes, *offset + watch->num_modes);
  *offset += 2 * watch->num_modes;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DeclareJoints(Recorder *recorder, const Names *names, Findings *findings, const char *group, PetscInt *offset)
{
  const PetscInt count = recorder->watch->num_rows;

  PetscFunctionBegin;
  for (PetscInt r = 0; r < count; r++) {
    const PetscInt row = recorder->watch->rows[r];
    Finding       *finding;

    PetscCall(FindingsAdd(findings, &joint_table, &finding, "%s/joints/%s/%s", group, names->rows[row].joint, NamesRowDirection(names, row)));
    PetscCall(FindingSetSize(finding, "samples", recorder->num_samples));
    PetscCall(WatchDescribeJoint(names->rows[row].direction, JOINT_DISPLACEMENT, finding));
    PetscCall(WatchDescribeJoint(names->rows[row].direction, JOINT_PEAK, finding));
    for (PetscInt kind = 0; kind < 3; kind++) RecorderAddChannel(recorder, finding, kind, 1, *offset + kind * count + r);
    PetscCall(ExtremesAddPeak(&recorder->extremes, finding, JOINT_PEAK, PETSC_FALSE, 1, *offset + JOINT_DISPLACEMENT * count + r));
    PetscCall(ExtremesAddPeak(&recorder->extremes, finding, JOINT_PEAK_FORCE, PETSC_FALSE, 1, *offset + JOINT_FORCE * count + r));
  }
  *offset += 3 * count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DeclareEnergy(Recorder *recorder, Findings *findings, const char *group, PetscInt *offset)
{
  Finding *finding;

  PetscFunctionBegin;
  if (!recorder->watch->energy) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindingsAdd(findings, &energy_table, &finding, "%s/energy", group));
  PetscCall(FindingSetSize(finding, "samples", recorder->num_samples));
  PetscCall(ExtremesAddEnergies(&recorder->extremes, findings, group));
  recorder->energy        = finding;
  recorder->energy_offset = *offset;
  for (PetscInt e = 0; e < NUM_ENERGIES; e++) RecorderAddChannel(recorder, finding, e, 1, (*offset)++);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of a modal model, which has no contacts, the structure is not what moves. */
PetscErrorCode RecorderAddStored(Recorder *recorder, const System *system)
{
  PetscFunctionBegin;
  if (!recorder->energy) PetscFunctionReturn(PETSC_SUCCESS);
  recorder->stored_at_rest = (SystemEnergy){(PetscReal)NAN, (PetscReal)NAN};
  if (recorder->outermost.num_contacts) PetscCall(SystemStoredAtRest(system, &recorder->stored_at_rest));
  for (PetscInt e = ENERGY_STORED; e <= ENERGY_EXCHANGED; e++) {
    if (PetscIsNanReal(recorder->stored_at_rest.stored)) PetscCall(FindingOmit(recorder->energy, e));
    else RecorderAddChannel(recorder, recorder->energy, e, 1, recorder->frame_width + e - ENERGY_STORED);
  }
  if (PetscIsNanReal(recorder->stored_at_rest.stored)) PetscFunctionReturn(PETSC_SUCCESS);
  recorder->stored_offset = recorder->frame_width;
  recorder->frame_width += ENERGY_EXCHANGED + 1 - ENERGY_STORED;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool RecorderStores(const Recorder *recorder)
{
  return (PetscBool)(recorder->stored_offset > 0);
}

PetscInt64 RecorderSamples(const Watch *watch, PetscInt64 steps)
{
  return steps / watch->every + 1;
}

PetscInt64 RecorderKept(const Recorder *recorder, PetscInt64 steps)
{
  return PetscClipInterval(RecorderSamples(recorder->watch, steps) - recorder->window.first, 0, recorder->num_samples);
}

PetscErrorCode RecorderDeclare(const Watch *watch, const Names *names, Findings *findings, const char *group, RecorderWindow window,
                               Recorder *recorder)
{
  PetscInt offset = 1;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(recorder, sizeof(*recorder)));
  recorder->watch       = watch;
  recorder->window      = window;
  recorder->num_samples = window.last - window.first + 1;
  PetscCall(ExtremesCreate(watch->num_points + 2 * watch->num_rows, &recorder->extremes));
  PetscCall(PetscCalloc1(2 + 3 * watch->num_points + 2 + 3 * watch->num_rows + 4 * watch->num_contacts + names->num_bolts + names->num_supports +
                           ENERGY_EXCHANGED + 1,
                         &recorder->channels));
  PetscCall(FindingsAdd(findings, &run_table, &recorder->run, "%s", group));
  PetscCall(FindingSetSize(recorder->run, "samples", recorder->num_samples));
  PetscCall(FindingSayCount(recorder->run, "every", watch->every));
  PetscCall(FindingSayCount(recorder->run, "first", window.first));
  PetscCall(FindingSayCount(recorder->run, "last", window.last));
  RecorderAddChannel(recorder, recorder->run, RUN_TIME, 1, 0);
  PetscCall(FindingSetSize(recorder->run, "contacts", names->num_contacts));
  PetscCall(OutermostCreate(names, &recorder->outermost));
  PetscCall(DeclarePoints(recorder, names, findings, group, &offset));
  PetscCall(DeclareModes(recorder, findings, group, &offset));
  PetscCall(DeclareJoints(recorder, names, findings, group, &offset));
  PetscCall(RecorderDeclareContacts(recorder, names, findings, group, &offset));
  PetscCall(RecorderDeclareBolts(recorder, names, findings, group, &offset));
  PetscCall(RecorderDeclareSupports(recorder, names, findings, group, &offset));
  PetscCall(DeclareEnergy(recorder, findings, group, &offset));
  recorder->frame_width = offset;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderDestroy(Recorder *recorder)
{
  PetscFunctionBegin;
  PetscCall(RecorderEnd(recorder));
  PetscCall(OutermostDestroy(&recorder->outermost));
  PetscCall(ExtremesDestroy(&recorder->extremes));
  PetscCall(PetscFree(recorder->channels));
  PetscCall(PetscFree(recorder->contacts));
  PetscCall(PetscFree(recorder->reaction_loads));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* q_k = phi_k^T M u [eq. 14 of lacayo2017], as a row on the coordinates. */
static PetscErrorCode MapModes(Recorder *recorder, ModeCache *cache, Linear *linear)
{
  const Watch   *watch = recorder->watch;
  const PetscInt n     = cache->system->num_unknowns;
  const Modes   *modes;
  PetscReal     *momentum, *row;
  Vec            shape, product;

  PetscFunctionBegin;
  PetscCall(LinearRowsCreate(linear, watch->num_modes, &recorder->mode_map));
  if (!watch->num_modes) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ModeCacheGet(cache, JOINT_STUCK, WatchMaxMode(watch), &modes));
  PetscCall(PetscMalloc2(n, &momentum, linear->n, &row));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, NULL, &shape));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, momentum, &product));
  for (PetscInt i = 0; i < watch->num_modes; i++) {
    PetscCall(VecPlaceArray(shape, modes->shape + watch->modes[i] * n));
    PetscCall(MatMult(cache->system->M, shape, product));
    PetscCall(VecResetArray(shape));
    PetscCall(linear->kind->project_force(linear, momentum, row));
    PetscCall(LinearRowsAppend(&recorder->mode_map, row));
  }
  PetscCall(VecDestroy(&shape));
  PetscCall(VecDestroy(&product));
  PetscCall(PetscFree2(momentum, row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Motions without mass that a load or a joint moves at once: their velocity is not one of the structure. */
static void FindStatic(const System *system, const Stepper *stepper, Recorder *recorder)
{
  const Watch   *watch = recorder->watch;
  const PetscInt width = StepperResidualWidth(stepper);
  PetscInt       next  = 0;

  for (PetscInt p = 0; p < watch->num_points; p++)
    for (PetscInt c = 0; c < system->names.points[watch->points[p]].num_components; c++, next++)
      for (PetscInt j = 0; system->names.points[watch->points[p]].massless[c] && j < width; j++)
        if (recorder->motion_residual[next * width + j] != 0.0) recorder->is_static[next] = PETSC_TRUE;
}

/* What modes that were left out add to what is watched. */
static PetscErrorCode MapResidual(Recorder *recorder, const System *system, const Stepper *stepper)
{
  const Watch *watch = recorder->watch;
  PetscInt    *places, next = 0;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(recorder->num_motions, &places));
  for (PetscInt p = 0; p < watch->num_points; p++)
    for (PetscInt c = 0; c < system->names.points[watch->points[p]].num_components; c++)
      places[next++] = SystemPlaceOfMotion(system, system->names.points[watch->points[p]].first_motion + c);
  PetscCall(PetscCalloc1(recorder->num_motions, &recorder->is_static));
  PetscCall(StepperResidualRows(stepper, recorder->num_motions, places, &recorder->motion_residual));
  PetscCall(StepperResidualLayers(stepper, watch->num_rows, watch->rows, watch->sizes, &recorder->joint_residual));
  recorder->motion_places = places;
  FindStatic(system, stepper, recorder);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rows of the points and of the joints that are watched. */
static PetscErrorCode MapMotions(Recorder *recorder, const System *system, Linear *linear)
{
  const Watch *const watch = recorder->watch;
  PetscReal         *row;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(linear->n, &row));
  PetscCall(LinearRowsCreate(linear, recorder->num_motions, &recorder->motion_map));
  for (PetscInt p = 0; p < watch->num_points; p++) {
    const NamedPoint *point = &system->names.points[watch->points[p]];

    for (PetscInt c = 0; c < point->num_components; c++) {
      PetscCall(LinearRow(linear, system->T, point->first_motion + c, row));
      PetscCall(LinearRowsAppend(&recorder->motion_map, row));
    }
  }
  PetscCall(LinearRowsCreate(linear, watch->num_rows, &recorder->joint_map));
  for (PetscInt r = 0; r < watch->num_rows; r++) {
    PetscCall(LinearLayerRow(linear, watch->rows[r], watch->sizes[r], row));
    PetscCall(LinearRowsAppend(&recorder->joint_map, row));
  }
  PetscCall(PetscFree(row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderBegin(Recorder *recorder, ModeCache *cache, const Stepper *stepper, PetscInt64 samples_written)
{
  const Watch  *watch  = recorder->watch;
  Linear       *linear = stepper->linear;
  const System *system = cache->system;

  PetscFunctionBegin;
  recorder->written  = samples_written;
  recorder->buffered = 0;
  recorder->capacity = PetscClipInterval(MOST_NUMBERS / WatchWidth(watch, &system->names), 1, MOST_SAMPLES);
  PetscCall(PetscTime(&recorder->flushed));
  PetscCall(PetscMalloc1(recorder->frame_width, &recorder->frame));
  for (PetscInt c = 0; c < recorder->num_channels; c++)
    PetscCall(PetscMalloc1(recorder->capacity * recorder->channels[c].width, &recorder->channels[c].buffer));
  PetscCall(MapMotions(recorder, system, linear));
  PetscCall(PetscMalloc1(SystemStoredWork(system), &recorder->stored_work));
  PetscCall(TurnsCreate(system, &recorder->turns));
  PetscCall(MapModes(recorder, cache, linear));
  PetscCall(MapResidual(recorder, system, stepper));
  PetscCall(RecorderMapBolts(recorder, system, stepper));
  PetscCall(RecorderMapReactions(recorder, cache, stepper));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderContinue(Recorder *recorder, const Result *result)
{
  Outermost *const outermost = &recorder->outermost;

  PetscFunctionBegin;
  PetscCall(FindingRead(recorder->run, RUN_OUTERMOST, 0, outermost->num_contacts, outermost->pressing, result));
  PetscCall(FindingRead(recorder->run, RUN_BESIDE, 0, outermost->num_contacts, outermost->beside, result));
  PetscCall(ExtremesRead(&recorder->extremes, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Linear laws are those of all points alike, so that the mean motion tells what they transmit together. */
static PetscReal TransmittedForce(const Stepper *stepper, const State *state, PetscInt first, PetscInt size, PetscReal d, PetscReal v)
{
  const System *const system = stepper->linear->system;
  PetscReal           sum    = 0.0;

  for (PetscInt r = first; r < first + size; r++)
    sum +=
      system->rows[r].stiffness * d + system->rows[r].damping * v + (system->names.rows[r].nonlinear ? StepperJointForce(stepper, state, r) : 0.0);
  return sum;
}

static void FrameJoints(const Recorder *recorder, const Stepper *stepper, const State *state, PetscReal frame[])
{
  const System *const system = stepper->linear->system;
  const PetscInt      count  = recorder->watch->num_rows;

  for (PetscInt i = 0; i < count; i++) {
    const PetscInt r = recorder->watch->rows[i], size = recorder->watch->sizes[i];
    PetscReal      v = 0.0, d = LinearRowsTimesOne(&recorder->joint_map, i, state->u);

    if (system->rows[r].damping != 0.0) v = LinearRowsTimesOne(&recorder->joint_map, i, state->v);
    StepperAddSupports(stepper, COURSE_DISPLACEMENT, 1, &r, &d);
    StepperAddSupports(stepper, COURSE_VELOCITY, 1, &r, &v);
    if (recorder->joint_residual) StepperAddResidual(stepper, state, 1, recorder->joint_residual + i * StepperResidualWidth(stepper), &d);
    frame[i]             = system->names.rows[r].nonlinear ? SystemLayerMean(system, r, size, state->motion) : d;
    frame[count + i]     = TransmittedForce(stepper, state, r, size, frame[i], v);
    frame[2 * count + i] = 0.0;
    for (PetscInt k = r; k < r + size; k++) frame[2 * count + i] += StepperDissipated(stepper, state, k);
  }
}

static PetscErrorCode FrameEnergy(const Stepper *stepper, const State *state, PetscReal frame[])
{
  PetscReal kinetic, strain;

  PetscFunctionBeginHot;
  PetscCall(StepperEnergy(stepper, state, &kinetic, &strain));
  frame[ENERGY_KINETIC] = kinetic;
  frame[ENERGY_STRAIN]  = strain;
  frame[ENERGY_JOINTS]  = state->absorbed;
  frame[ENERGY_DAMPING] = state->damped;
  frame[ENERGY_WORK]    = state->work;
  frame[ENERGY_BALANCE] = state->start_energy + state->work - kinetic - strain - state->absorbed - state->damped;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void FrameStored(const Recorder *recorder, const Stepper *stepper, const State *state, PetscReal frame[])
{
  const System *const system = stepper->linear->system;
  SystemEnergy        now;

  if (!RecorderStores(recorder)) return;
  now      = SystemStored(system, state->motion, state->history, recorder->stored_work);
  frame[0] = now.stored - recorder->stored_at_rest.stored;
  frame[1] = SystemLayerSum(0, system->names.num_nonlinear, state->dissipated);
  frame[2] = now.exchanged - recorder->stored_at_rest.exchanged;
}

/* All numbers of a sample. */
static PetscErrorCode FillFrame(Recorder *recorder, const Stepper *stepper, const State *state)
{
  const Watch   *watch   = recorder->watch;
  const PetscInt motions = recorder->num_motions;
  PetscReal     *next    = recorder->frame;

  PetscFunctionBeginHot;
  *next++ = state->time;
  LinearRowsTimes(&recorder->motion_map, state->u, next);
  StepperAddResidual(stepper, state, motions, recorder->motion_residual, next);
  LinearRowsTimes(&recorder->motion_map, state->v, next + motions);
  LinearRowsTimes(&recorder->motion_map, state->a, next + 2 * motions);
  for (PetscInt kind = 0; kind < NUM_COURSES; kind++)
    StepperAddSupports(stepper, (CourseGiven)kind, motions, recorder->motion_places, next + kind * motions);
  for (PetscInt i = 0; i < motions; i++)
    if (recorder->is_static[i]) next[motions + i] = next[2 * motions + i] = (PetscReal)NAN;
  next += 3 * motions;
  LinearRowsTimes(&recorder->mode_map, state->u, next);
  LinearRowsTimes(&recorder->mode_map, state->v, next + watch->num_modes);
  next += 2 * watch->num_modes;
  FrameJoints(recorder, stepper, state, next);
  next += 3 * watch->num_rows;
  RecorderFrameContacts(recorder, stepper, state, next);
  next += NUM_OF_PARTS * recorder->num_parts + NUM_FACE_STATES * watch->num_contacts;
  RecorderFrameBolts(recorder, stepper, state, next);
  next += recorder->num_bolts;
  StepperReactions(stepper, state, next);
  if (watch->energy) PetscCall(FrameEnergy(stepper, state, recorder->frame + recorder->energy_offset));
  RecorderFrameLoads(recorder, stepper, state, recorder->frame + recorder->loads_offset);
  FrameStored(recorder, stepper, state, recorder->frame + recorder->stored_offset);
  RecorderFrameReactions(recorder, stepper, state, recorder->frame + recorder->reactions_offset);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void Keep(Recorder *recorder)
{
  for (PetscInt c = 0; c < recorder->num_channels; c++) {
    const RecorderChannel *channel = &recorder->channels[c];

    for (PetscInt i = 0; i < channel->width; i++) channel->buffer[recorder->buffered * channel->width + i] = recorder->frame[channel->offset + i];
  }
  recorder->buffered++;
}

PetscErrorCode RecorderSample(Recorder *recorder, const Stepper *stepper, const State *state, const Result *result)
{
  const PetscInt64       sample = state->step / recorder->watch->every;
  const PetscReal *const frame  = recorder->frame;
  PetscLogDouble         now;

  PetscFunctionBeginHot;
  PetscCall(FillFrame(recorder, stepper, state));
  ExtremesLook(&recorder->extremes, state->time, frame, frame + recorder->energy_offset,
               RecorderStores(recorder) ? frame + recorder->stored_offset : NULL);
  OutermostLook(stepper->linear->system, state, &recorder->outermost);
  if (sample >= recorder->window.first && sample <= recorder->window.last) Keep(recorder);
  PetscCall(PetscTime(&now));
  if (recorder->buffered == recorder->capacity || now - recorder->flushed > 1.0) PetscCall(RecorderFlush(recorder, state, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderFlush(Recorder *recorder, const State *state, const Result *result)
{
  const PetscInt64 steps = state->step;

  PetscFunctionBegin;
  for (PetscInt c = 0; c < recorder->num_channels; c++)
    PetscCall(FindingWrite(recorder->channels[c].finding, recorder->channels[c].field, recorder->written, recorder->buffered,
                           recorder->channels[c].buffer, result));
  recorder->written += recorder->buffered;
  recorder->buffered = 0;
  PetscCall(FindingWrite(recorder->run, RUN_STEPS, 0, 1, &steps, result));
  PetscCall(FindingWrite(recorder->run, RUN_ITERATIONS, 0, 1, &state->iterations, result));
  PetscCall(FindingWrite(recorder->run, RUN_HALVED, 0, 1, &state->halved, result));
  PetscCall(FindingWrite(recorder->run, RUN_HELD, 0, 1, &state->num_held, result));
  PetscCall(FindingWrite(recorder->run, RUN_OUTERMOST, 0, recorder->outermost.num_contacts, recorder->outermost.pressing, result));
  PetscCall(FindingWrite(recorder->run, RUN_BESIDE, 0, recorder->outermost.num_contacts, recorder->outermost.beside, result));
  PetscCall(ExtremesWrite(&recorder->extremes, result));
  PetscCall(PetscTime(&recorder->flushed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderEnd(Recorder *recorder)
{
  PetscFunctionBegin;
  for (PetscInt c = 0; c < recorder->num_channels; c++) PetscCall(PetscFree(recorder->channels[c].buffer));
  PetscCall(PetscFree(recorder->frame));
  PetscCall(LinearRowsDestroy(&recorder->motion_map));
  PetscCall(LinearRowsDestroy(&recorder->mode_map));
  PetscCall(LinearRowsDestroy(&recorder->joint_map));
  PetscCall(TurnsDestroy(&recorder->turns));
  PetscCall(PetscFree(recorder->motion_residual));
  PetscCall(PetscFree(recorder->is_static));
  PetscCall(PetscFree(recorder->motion_places));
  PetscCall(PetscFree(recorder->joint_residual));
  PetscCall(PetscFree(recorder->bolt_map));
  PetscCall(PetscFree(recorder->stored_work));
  PetscCall(PetscFree(recorder->bolt_residual));
  PetscCall(RecorderUnmapReactions(recorder));
  PetscFunctionReturn(PETSC_SUCCESS);
}
