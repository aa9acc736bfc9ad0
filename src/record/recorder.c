/* recorder.c - the channels of one run in the result file. */
#include <petsctime.h>
#include <string.h>
#include "recorder.h"

enum { MOST_SAMPLES = 1024, MOST_NUMBERS = 1 << 20, NUM_OWN_ARRAYS = 5 }; /* in the buffers; numbers: 8 MB */

static const char *const energy_names[NUM_ENERGIES] = {"kinetic", "strain", "joints", "damping", "work", "balance"};

PetscErrorCode RecorderAddChannel(Recorder *recorder, Result *result, PetscInt width, PetscInt offset, const char *format, ...)
{
  RecorderChannel *channel = &recorder->channels[recorder->num_channels++];
  const PetscInt64 dims[2] = {recorder->num_samples, width};
  char             path[PETSC_MAX_PATH_LEN];
  size_t           length;
  va_list          arguments;

  PetscFunctionBegin;
  va_start(arguments, format);
  PetscCall(PetscVSNPrintf(path, sizeof(path), format, &length, arguments));
  va_end(arguments);
  channel->width  = PetscMax(width, 1);
  channel->offset = offset;
  PetscCall(ResultReserve(result, path, RESULT_REAL, width ? 2 : 1, dims, &channel->array));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which direction each column of a point's motions is, and the unit of its displacement, a word for each. */
static PetscErrorCode DescribePoint(const SystemPoint *point, Result *result, const char *group)
{
  char path[PETSC_MAX_PATH_LEN], components[64] = "", units[64] = "";

  PetscFunctionBegin;
  for (PetscInt c = 0; c < point->num_components; c++) {
    const PetscBool turns = (PetscBool)(point->direction[c] >= 3);

    PetscCall(PetscSNPrintf(components + strlen(components), sizeof(components) - strlen(components), "%s%s", c ? " " : "",
                            direction_names[point->direction[c]]));
    PetscCall(PetscSNPrintf(units + strlen(units), sizeof(units) - strlen(units), "%s%s", c ? " " : "", turns ? "rad" : "m"));
  }
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/points/%s", group, point->name));
  PetscCall(ResultAttributeText(result, path, "components", components));
  PetscCall(ResultAttributeText(result, path, "units", units));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The frame: time; u, v, a of the watched rows of T; modal q, q'; joint d, f, dissipated; parts of faces; energies. */
static PetscErrorCode AddPoints(Recorder *recorder, const System *system, Result *result, const char *group, PetscInt *offset)
{
  static const char *const names[] = {"displacement", "velocity", "acceleration"};
  const Watch             *watch   = recorder->watch;

  PetscFunctionBegin;
  for (PetscInt p = 0; p < watch->num_points; p++) {
    recorder->num_motions += system->points[watch->points[p]].num_components;
    PetscCall(DescribePoint(&system->points[watch->points[p]], result, group));
  }
  for (PetscInt kind = 0; kind < 3; kind++)
    for (PetscInt p = 0; p < watch->num_points; p++) {
      const SystemPoint *point = &system->points[watch->points[p]];

      PetscCall(RecorderAddChannel(recorder, result, point->num_components, *offset, "%s/points/%s/%s", group, point->name, names[kind]));
      *offset += point->num_components;
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the columns, as people count. */
static PetscErrorCode WriteModeNumbers(const Watch *watch, Result *result, const char *group)
{
  const PetscInt64 count = watch->num_modes;
  PetscInt64      *numbers;
  char             path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count, &numbers));
  for (PetscInt i = 0; i < watch->num_modes; i++) numbers[i] = watch->modes[i] + 1;
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/modal/mode", group));
  PetscCall(ResultWriteCounts(result, path, 1, &count, numbers));
  PetscCall(PetscFree(numbers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddModes(Recorder *recorder, Result *result, const char *group, PetscInt *offset)
{
  static const char *const names[] = {"displacement", "velocity"};
  const Watch             *watch   = recorder->watch;

  PetscFunctionBegin;
  for (PetscInt kind = 0; kind < 2 && watch->num_modes; kind++) {
    PetscCall(RecorderAddChannel(recorder, result, watch->num_modes, *offset, "%s/modal/%s", group, names[kind]));
    *offset += watch->num_modes;
  }
  if (watch->num_modes) PetscCall(WriteModeNumbers(watch, result, group));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddJoints(Recorder *recorder, const System *system, Result *result, const char *group, PetscInt *offset)
{
  static const char *const names[] = {"displacement", "force", "dissipated"};
  const Watch             *watch   = recorder->watch;

  PetscFunctionBegin;
  for (PetscInt kind = 0; kind < 3; kind++)
    for (PetscInt r = 0; r < watch->num_rows; r++) {
      const SystemRow *row = &system->rows[watch->rows[r]];

      PetscCall(RecorderAddChannel(recorder, result, 0, (*offset)++, "%s/joints/%s/%s/%s", group, row->joint, SystemRowDirection(row), names[kind]));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReserveOwn(Recorder *recorder, Result *result, const char *group)
{
  const PetscInt64 one = 1;
  char             path[PETSC_MAX_PATH_LEN];
  const struct {
    const char  *name;
    ResultType   type;
    ResultArray *array;
  } own[NUM_OWN_ARRAYS] = {{"steps", RESULT_COUNT, &recorder->steps},
                           {"iterations", RESULT_COUNT, &recorder->iterations},
                           {"halved", RESULT_COUNT, &recorder->halved},
                           {"seconds", RESULT_REAL, &recorder->seconds},
                           {"reason", RESULT_TEXT, &recorder->reason}};

  PetscFunctionBegin;
  for (PetscInt i = 0; i < NUM_OWN_ARRAYS; i++) {
    PetscCall(PetscSNPrintf(path, sizeof(path), "%s/%s", group, own[i].name));
    PetscCall(ResultReserve(result, path, own[i].type, 1, &one, own[i].array));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt64 RecorderSamples(const Watch *watch, PetscInt64 steps)
{
  return steps / watch->every + 1;
}

PetscErrorCode RecorderReserve(const Watch *watch, const System *system, Result *result, const char *group, PetscInt steps, Recorder *recorder)
{
  PetscInt offset = 1;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(recorder, sizeof(*recorder)));
  recorder->watch       = watch;
  recorder->num_samples = RecorderSamples(watch, steps);
  PetscCall(PetscCalloc1(1 + 3 * watch->num_points + 2 + 3 * watch->num_rows + 4 * watch->num_contacts + NUM_ENERGIES, &recorder->channels));
  PetscCall(RecorderAddChannel(recorder, result, 0, 0, "%s/time", group));
  PetscCall(AddPoints(recorder, system, result, group, &offset));
  PetscCall(AddModes(recorder, result, group, &offset));
  PetscCall(AddJoints(recorder, system, result, group, &offset));
  PetscCall(RecorderAddContacts(recorder, system, result, group, &offset));
  for (PetscInt e = 0; watch->energy && e < NUM_ENERGIES; e++)
    PetscCall(RecorderAddChannel(recorder, result, 0, offset++, "%s/energy/%s", group, energy_names[e]));
  recorder->frame_width = offset;
  PetscCall(ReserveOwn(recorder, result, group));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderDestroy(Recorder *recorder)
{
  PetscFunctionBegin;
  PetscCall(RecorderEnd(recorder));
  PetscCall(PetscFree(recorder->channels));
  PetscCall(PetscFree(recorder->last));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* q_k = phi_k^T M u [eq. 14 of lacayo2017], as a row on the coordinates. */
static PetscErrorCode MapModes(Recorder *recorder, ModeCache *cache, Linear *linear)
{
  const Watch   *watch = recorder->watch;
  const PetscInt n     = cache->system->num_unknowns;
  const Modes   *modes;
  PetscReal     *momentum;
  Vec            shape, product;

  PetscFunctionBegin;
  if (!watch->num_modes) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ModeCacheGet(cache, JOINT_STUCK, WatchMaxMode(watch), &modes));
  PetscCall(PetscMalloc1(n, &momentum));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, NULL, &shape));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, momentum, &product));
  for (PetscInt i = 0; i < watch->num_modes; i++) {
    PetscCall(VecPlaceArray(shape, modes->shape + watch->modes[i] * n));
    PetscCall(MatMult(cache->system->M, shape, product));
    PetscCall(VecResetArray(shape));
    PetscCall(linear->kind->project_force(linear, momentum, recorder->mode_map + i * linear->n));
  }
  PetscCall(VecDestroy(&shape));
  PetscCall(VecDestroy(&product));
  PetscCall(PetscFree(momentum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderBegin(Recorder *recorder, ModeCache *cache, const Stepper *stepper, PetscInt64 samples_written)
{
  const Watch  *watch  = recorder->watch;
  Linear       *linear = stepper->linear;
  const System *system = cache->system;
  PetscInt      row    = 0;

  PetscFunctionBegin;
  recorder->written  = samples_written;
  recorder->buffered = 0;
  recorder->capacity = PetscClipInterval(MOST_NUMBERS / WatchWidth(watch, system), 1, MOST_SAMPLES);
  PetscCall(PetscTime(&recorder->flushed));
  PetscCall(PetscMalloc4(recorder->frame_width, &recorder->frame, recorder->num_motions * linear->n, &recorder->motion_map,
                         watch->num_modes * linear->n, &recorder->mode_map, watch->num_rows * linear->n, &recorder->joint_map));
  for (PetscInt c = 0; c < recorder->num_channels; c++)
    PetscCall(PetscMalloc1(recorder->capacity * recorder->channels[c].width, &recorder->channels[c].buffer));
  for (PetscInt p = 0; p < watch->num_points; p++) {
    const SystemPoint *point = &system->points[watch->points[p]];

    for (PetscInt c = 0; c < point->num_components; c++)
      PetscCall(LinearRow(linear, system->T, point->first_row + c, recorder->motion_map + row++ * linear->n));
  }
  for (PetscInt r = 0; r < watch->num_rows; r++) PetscCall(LinearRow(linear, system->B, watch->rows[r], recorder->joint_map + r * linear->n));
  PetscCall(MapModes(recorder, cache, linear));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void FrameJoints(const Recorder *recorder, const Stepper *stepper, const State *state, PetscReal frame[])
{
  const PetscInt count = recorder->watch->num_rows, n = stepper->linear->n;

  for (PetscInt i = 0; i < count; i++) {
    const PetscInt   r   = recorder->watch->rows[i];
    const SystemRow *row = &stepper->linear->system->rows[r];
    PetscReal        d, v = 0.0;

    RowsTimes(1, n, recorder->joint_map + i * n, state->u, &d);
    if (row->damping != 0.0) RowsTimes(1, n, recorder->joint_map + i * n, state->v, &v);
    frame[i]             = row->nonlinear ? state->motion[r] : d;
    frame[count + i]     = row->stiffness * frame[i] + row->damping * v + (row->nonlinear ? StepperJointForce(stepper, state, r) : 0.0);
    frame[2 * count + i] = StepperDissipated(stepper, state, r);
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

PetscErrorCode RecorderSample(Recorder *recorder, const Stepper *stepper, const State *state, const Result *result)
{
  const Watch   *watch = recorder->watch;
  const PetscInt n = stepper->linear->n, motions = recorder->num_motions;
  PetscReal     *next = recorder->frame;
  PetscLogDouble now;

  PetscFunctionBeginHot;
  *next++ = state->time;
  RowsTimes(motions, n, recorder->motion_map, state->u, next);
  RowsTimes(motions, n, recorder->motion_map, state->v, next + motions);
  RowsTimes(motions, n, recorder->motion_map, state->a, next + 2 * motions);
  next += 3 * motions;
  RowsTimes(watch->num_modes, n, recorder->mode_map, state->u, next);
  RowsTimes(watch->num_modes, n, recorder->mode_map, state->v, next + watch->num_modes);
  next += 2 * watch->num_modes;
  FrameJoints(recorder, stepper, state, next);
  next += 3 * watch->num_rows;
  RecorderFrameContacts(recorder, stepper, state, next);
  next += NUM_OF_PARTS * recorder->num_parts + NUM_FACE_STATES * watch->num_contacts;
  if (watch->energy) PetscCall(FrameEnergy(stepper, state, next));
  for (PetscInt c = 0; c < recorder->num_channels; c++) {
    const RecorderChannel *channel = &recorder->channels[c];

    for (PetscInt i = 0; i < channel->width; i++) channel->buffer[recorder->buffered * channel->width + i] = recorder->frame[channel->offset + i];
  }
  recorder->buffered++;
  PetscCall(PetscTime(&now));
  if (recorder->buffered == recorder->capacity || now - recorder->flushed > 1.0) PetscCall(RecorderFlush(recorder, state, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderFlush(Recorder *recorder, const State *state, const Result *result)
{
  const PetscInt64 steps = state->step;

  PetscFunctionBegin;
  for (PetscInt c = 0; c < recorder->num_channels; c++)
    PetscCall(ResultWriteRows(result, &recorder->channels[c].array, recorder->written, recorder->buffered, recorder->channels[c].buffer));
  recorder->written += recorder->buffered;
  recorder->buffered = 0;
  PetscCall(ResultWriteRows(result, &recorder->steps, 0, 1, &steps));
  PetscCall(ResultWriteRows(result, &recorder->iterations, 0, 1, &state->iterations));
  PetscCall(ResultWriteRows(result, &recorder->halved, 0, 1, &state->halved));
  PetscCall(PetscTime(&recorder->flushed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderEnd(Recorder *recorder)
{
  PetscFunctionBegin;
  for (PetscInt c = 0; c < recorder->num_channels; c++) PetscCall(PetscFree(recorder->channels[c].buffer));
  if (recorder->frame) PetscCall(PetscFree4(recorder->frame, recorder->motion_map, recorder->mode_map, recorder->joint_map));
  recorder->frame = NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}
