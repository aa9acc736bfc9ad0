/* response_march.c - one frequency of a response: cycle by cycle, until the motion is steady. */
#include <math.h>
#include <petsctime.h>
#include "response.h"

/* What modes that were left out add to each motion: of points, and of joints, which come behind them. */
static PetscErrorCode MapResidual(ResponseMarch *march)
{
  const Response *response = march->response;
  const PetscInt  num = response->watched.count, num_points = num - response->watch.num_rows, width = StepperResidualWidth(march->stepper);
  PetscInt       *places;
  PetscReal      *of_points, *of_joints;

  PetscFunctionBegin;
  if (width == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(num_points, &places));
  PetscCall(PetscMalloc1(num * width, &march->motion_residual));
  for (PetscInt i = 0; i < num_points; i++) places[i] = SystemPlaceOfMotion(march->cache->system, response->watched.motions[i].row);
  PetscCall(StepperResidualRows(march->stepper, num_points, places, &of_points));
  PetscCall(StepperResidualLayers(march->stepper, num - num_points, response->watch.rows, response->watch.sizes, &of_joints));
  PetscCall(PetscArraycpy(march->motion_residual, of_points, num_points * width));
  PetscCall(PetscArraycpy(march->motion_residual + num_points * width, of_joints, (num - num_points) * width));
  PetscCall(PetscFree(of_points));
  PetscCall(PetscFree(of_joints));
  PetscCall(PetscFree(places));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of a joint its first row: layers between faces and moving supports do not go together. */
static PetscErrorCode MapPlaces(ResponseMarch *march)
{
  const Response *response = march->response;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(response->watched.count, &march->places));
  for (PetscInt i = 0; i < response->watched.count; i++) {
    const WatchedMotion *motion = &response->watched.motions[i];

    march->places[i] = motion->of_joint ? motion->row : SystemPlaceOfMotion(march->cache->system, motion->row);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode MapMotions(ResponseMarch *march)
{
  const Response *response = march->response;
  Linear         *linear   = march->stepper->linear;
  PetscReal      *row;

  PetscFunctionBegin;
  PetscCall(LinearRowsCreate(linear, response->watched.count, &march->motion_map));
  PetscCall(PetscMalloc1(linear->n, &row));
  for (PetscInt i = 0; i < response->watched.count; i++) {
    const WatchedMotion *motion = &response->watched.motions[i];

    if (motion->of_joint) PetscCall(LinearLayerRow(linear, motion->row, motion->size, row));
    else PetscCall(LinearRow(linear, march->cache->system->T, motion->row, row));
    PetscCall(LinearRowsAppend(&march->motion_map, row));
  }
  PetscCall(PetscFree(row));
  PetscCall(MapResidual(march));
  PetscCall(MapPlaces(march));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How fast each motion goes after a unit impulse on itself, (b M^-1 b^T)^1/2 of its row b: the length of b in modal coordinates. Of points of
   one body that is 1 / m^1/2 of a translation and 1 / J^1/2 of an angle, so angles are weighed against translations by a radius of inertia. */
static PetscErrorCode FindScales(const ResponseMarch *march, PetscReal scale[])
{
  Linear *const  linear = march->stepper->linear;
  const PetscInt n      = linear->n;
  PetscReal     *rest, *remainder, *speed, *row;

  PetscFunctionBegin;
  PetscCall(PetscCalloc4(n, &rest, linear->m, &remainder, n, &speed, n, &row));
  for (PetscInt i = 0; i < march->response->watched.count; i++) {
    LinearRowsGet(&march->motion_map, i, row);
    PetscCall(linear->kind->accelerate(linear, row, rest, rest, remainder, speed));
    scale[i] = 0.0;
    for (PetscInt j = 0; j < n; j++) scale[i] += row[j] * speed[j];
    scale[i] = PetscSqrtReal(PetscMax(scale[i], 0.0));
  }
  PetscCall(PetscFree4(rest, remainder, speed, row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseMarchBegin(const Response *response, ResponseCurve *curve, ModeCache *cache, const Result *result, Progress *progress,
                                  ResponseMarch *march)
{
  const ResponseKeys  *keys    = &response->keys;
  const StepperOptions options = {.method         = (StepMethodChoice)keys->method,
                                  .rule           = {.beta = 0.25, .gamma = 0.5},
                                  .tolerance      = keys->balance,
                                  .max_iterations = keys->max_iterations,
                                  .time_step      = 1.0};
  PetscReal           *scale;

  PetscFunctionBegin;
  *march = (ResponseMarch){.response = response, .curve = curve, .result = result, .cache = cache, .progress = progress};
  PetscCall(PetscMalloc1(response->num_loads, &march->loads));
  PetscCall(PetscMalloc1(response->watched.count, &scale));
  PetscCall(PetscArraycpy(march->loads, response->loads, response->num_loads));
  for (PetscInt l = 0; l < response->num_loads; l++) march->loads[l].amplitude *= curve->level;
  PetscCall(StepperCreate(cache, options, response->num_loads, march->loads, &march->stepper));
  PetscCall(MapMotions(march));
  PetscCall(FindScales(march, scale));
  PetscCall(SteadyCreate(response->watched.count, scale, keys->steps, keys->window, &march->steady));
  PetscCall(DriftCreate(cache, march->stepper->linear, response->frequency[0], &march->drift));
  PetscCall(PetscFree(scale));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseMarchEnd(ResponseMarch *march)
{
  PetscFunctionBegin;
  PetscCall(StateDestroy(&march->state));
  PetscCall(SteadyDestroy(&march->steady));
  PetscCall(DriftDestroy(&march->drift));
  PetscCall(LinearRowsDestroy(&march->motion_map));
  PetscCall(PetscFree(march->motion_residual));
  PetscCall(PetscFree(march->places));
  PetscCall(StepperDestroy(&march->stepper));
  PetscCall(PetscFree(march->loads));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The loads are at the same phase at the end of a cycle and at the start of the next, whatever its frequency: nothing jumps. */
static PetscErrorCode Tune(ResponseMarch *march, PetscReal frequency)
{
  const InitialMotion rest = {NULL, NULL};

  PetscFunctionBegin;
  for (PetscInt l = 0; l < march->response->num_loads; l++) march->loads[l].signal.frequency = frequency;
  if (!march->state) PetscCall(StepperStart(march->stepper, rest, &march->state));
  PetscCall(StepperRetime(march->stepper, 1.0 / (frequency * (PetscReal)march->response->keys.steps), march->state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TakeCycle(ResponseMarch *march, PetscBool *converged)
{
  const PetscInt num_motions = march->response->watched.count;
  PetscReal     *sample;

  PetscFunctionBeginHot;
  for (PetscInt step = 1; step <= march->response->keys.steps; step++) {
    PetscCall(StepperStep(march->stepper, march->state, converged));
    if (!*converged) PetscFunctionReturn(PETSC_SUCCESS);
    sample = SteadySample(march->steady, step);
    LinearRowsTimes(&march->motion_map, march->state->u, sample);
    StepperAddResidual(march->stepper, march->state, num_motions, march->motion_residual, sample);
    StepperAddSupports(march->stepper, COURSE_DISPLACEMENT, num_motions, march->places, sample);
  }
  SteadyEndCycle(march->steady);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Why it is not steady: what settles slowly can be waited for, what does not goes on like this. */
static PetscErrorCode ExplainUnrest(const ResponseMarch *march, PetscReal ratio, ResponsePoint *point)
{
  const PetscReal settles = 0.9, nearly = 0.1; /* a change as large as the motion may shrink by chance */
  const PetscInt  window = march->response->keys.window;
  const char     *worst  = march->response->watched.motions[march->steady->worst].name;

  PetscFunctionBegin;
  if (ratio < settles && point->change < nearly)
    PetscCall(
      PetscSNPrintf(point->reason, sizeof(point->reason), "still settles: %s is %.1e away; more `max_cycles` would do", worst, (double)point->away));
  else
    PetscCall(PetscSNPrintf(point->reason, sizeof(point->reason),
                            "does not settle: %s changes by %.1e within %" PetscInt_FMT " cycles (quasi-periodic, subharmonic, or slow)", worst,
                            (double)point->change, window));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Explain(const ResponseMarch *march, PetscReal ratio, ResponsePoint *point)
{
  const char *more = march->stepper->unbounded && march->response->keys.method == METHOD_NEWMARK ? "" : "; give more `steps`";

  PetscFunctionBegin;
  if (point->stopped)
    PetscCall(PetscSNPrintf(point->reason, sizeof(point->reason),
                            march->stepper->unbounded ? "stopped in cycle %" PetscInt_FMT ": the motion grew beyond all numbers%s"
                                                      : "stopped in cycle %" PetscInt_FMT ": the joints found no balance%s",
                            point->cycles + 1, more));
  else if (point->steady) PetscCall(PetscStrncpy(point->reason, "steady", sizeof(point->reason)));
  else PetscCall(ExplainUnrest(march, ratio, point));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* After a cycle: whether the motion is steady by both estimates; the second takes longer, and only what passes the first gets it. */
static PetscErrorCode Judge(const ResponseMarch *march, PetscReal *ratio, ResponsePoint *point)
{
  const ResponseKeys *keys = &march->response->keys;
  PetscReal           left;

  PetscFunctionBegin;
  SteadyChange(march->steady, &point->change, &point->away, ratio);
  if (point->cycles < keys->min_cycles || point->away > keys->tolerance) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SteadyLeft(march->steady, &left));
  point->away   = PetscMax(point->away, left);
  point->steady = (PetscBool)(point->away <= keys->tolerance);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode March(ResponseMarch *march, ResponsePoint *point, PetscBool *done)
{
  const ResponseKeys *keys      = &march->response->keys;
  PetscReal           ratio     = 1.0;
  PetscBool           converged = PETSC_TRUE;

  PetscFunctionBegin;
  SteadyBegin(march->steady);
  DriftMark(&march->drift, march->state);
  *done = PETSC_TRUE;
  while (*done && !point->steady && !point->stopped && point->cycles < keys->max_cycles) {
    PetscCall(TakeCycle(march, &converged));
    point->stopped = (PetscBool)!converged;
    if (point->stopped) break;
    if (point->cycles++ == 0) DriftTake(&march->drift, 1.0 / point->frequency, march->state);
    PetscCall(Judge(march, &ratio, point));
    *done = (PetscBool)!InterruptAsked();
  }
  *done = (PetscBool)(*done || point->steady);
  PetscCall(Explain(march, ratio, point));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseDwell(ResponseMarch *march, PetscReal frequency, PetscInt row, ResponsePoint *point, PetscBool *done)
{
  PetscLogDouble begun, ended;
  PetscInt64     halved, num_held;

  PetscFunctionBegin;
  *point = (ResponsePoint){.frequency = frequency, .change = (PetscReal)INFINITY, .away = (PetscReal)INFINITY};
  PetscCall(PetscTime(&begun));
  PetscCall(Tune(march, frequency));
  halved   = march->state->halved;
  num_held = march->state->num_held;
  PetscCall(March(march, point, done));
  PetscCall(PetscTime(&ended));
  point->seconds  = ended - begun;
  point->steps    = (PetscInt64)march->state->step;
  point->halved   = march->state->halved - halved;
  point->num_held = march->state->num_held - num_held;
  if (!*done) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ResponseWritePoint(march->response, march->curve, row, point, march->steady, march->result));
  if (point->halved) LogDetail("%s at %g Hz: %" PetscInt64_FMT " steps were divided", march->curve->name, (double)frequency, point->halved);
  ProgressUpdate(march->progress, march->progress->done + 1.0);
  PetscFunctionReturn(PETSC_SUCCESS);
}
