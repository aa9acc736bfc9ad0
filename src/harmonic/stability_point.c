/* stability_point.c - a point of a joint along the motion: its breaks, its tangents on a grid, and what it remembers. */
#include "linear_loop.h"
#include "stability_parts.h"

static const PetscReal STUCK = 1e-12; /* as in equation.c: what differs less from the reference, relative to it, does not count */
static const PetscReal ASIDE = 1e-7;  /* of a step: how far inside it the tangent at its end is taken, where it may jump */

/* The motions of its components, and what the law is asked at rest. */
static void Gather(const HarmonicEquation *equation, const PetscReal x[], StabilityPoint *point)
{
  const SystemBlock *const block = point->block;
  const PetscInt           P = equation->basis->num_functions, num = block->block.num_points, mean = HarmonicFunction(equation->basis, 0);

  for (PetscInt c = 0; c < point->dim; c++) {
    const PetscInt at = c * num + point->point;

    for (PetscInt t = block->first[at]; t < block->first[at + 1]; t++)
      for (PetscInt j = 0; j < P; j++) point->x[c * P + j] += block->factor[t] * x[block->row[t] * P + j];
    if (block->offset && mean >= 0) point->x[c * P + mean] += block->offset[at];
  }
}

static PetscErrorCode FindRest(const HarmonicEquation *equation, PetscInt block, PetscReal frequency, StabilityPoint *point)
{
  const PetscInt P = equation->basis->num_functions, mean = HarmonicFunction(equation->basis, 0);
  PetscReal     *x, *force, *tangent;
  PeriodVerdict  verdict;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(P, &x, P, &force, P * P, &tangent));
  PetscCall(PetscArraycpy(x, point->x, P));
  if (point->block->offset && mean >= 0) x[mean] -= point->block->offset[point->point];
  PetscCall(PeriodEvaluate(equation->periods[block], point->point, frequency, x, force, tangent, NULL, &verdict));
  point->rest = tangent[0];
  PetscCall(PetscFree3(x, force, tangent));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Corners between two angles, on a branch or on the curve itself. */
static PetscErrorCode AddCorners(const StabilityPoint *point, const HarmonicBasis *basis, const BranchPiece *piece, StabilityGrid *grid)
{
  const JointLaw *const law    = point->samples.block.law;
  const PetscBool       masing = (PetscBool)((law->traits & JOINT_MASING) != 0);
  PetscReal             corner[JOINT_MAX_CORNERS], from, to, slope, curvature;
  const PetscInt        count = law->corners ? law->corners(&point->samples.block, corner) : 0;

  PetscFunctionBegin;
  HarmonicMotionAt(basis, point->x, piece->from, &from, &slope, &curvature);
  HarmonicMotionAt(basis, point->x, piece->to, &to, &slope, &curvature);
  for (PetscInt c = 0; c < count; c++)
    for (PetscInt side = 0; side < (masing ? 2 : 1); side++) {
      const PetscReal motion = piece->motion + (side ? -1.0 : 1.0) * piece->scale * corner[c];

      if ((motion - from) * (motion - to) < 0.0) PetscCall(StabilityGridAddBreak(grid, BranchAngle(basis, point->x, piece->from, piece->to, motion)));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Scalar points: pieces and breaks. */
static PetscErrorCode FollowPath(const HarmonicEquation *equation, PetscInt block, PetscReal frequency, StabilityGrid *grid, StabilityPoint *point)
{
  const JointHistory *const memory   = point->block->memory;
  PeriodSamples *const      samples  = &point->samples;
  MasingPath                extremes = {.basis = equation->basis};

  PetscFunctionBegin;
  PetscCall(PeriodSamplesCreate(equation->periods[block], samples));
  HarmonicSample(equation->basis, point->x, samples->work, samples->motion);
  PetscCall(MasingPathFindExtremes(&extremes, point->x, samples->motion, memory ? memory->states[point->point] : 0.0));
  if (extremes.num_extremes == 0) PetscCall(FindRest(equation, block, frequency, point));
  else if (samples->block.law->traits & JOINT_MASING) PetscCall(BranchPathFollow(&point->path, &extremes, point->x, samples, memory, point->point));
  else PetscCall(BranchPathElastic(&point->path, &extremes));
  for (PetscInt p = 0; p < point->path.num_pieces; p++) {
    const BranchPiece *const piece = &point->path.pieces[p];

    point->num_memory = PetscMax(point->num_memory, PetscMax(piece->depth, piece->turn + 1));
    PetscCall(StabilityGridAddBreak(grid, piece->from));
    PetscCall(AddCorners(point, equation->basis, piece, grid));
  }
  PetscCall(MasingPathDestroy(&extremes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StabilityPointCreate(const HarmonicEquation *equation, PetscInt block, PetscInt index, PetscReal frequency, const PetscReal x[],
                                    StabilityGrid *grid, StabilityPoint *point)
{
  const Period *const   period = equation->periods[block];
  const JointLaw *const law    = period->block->block.law;

  PetscFunctionBegin;
  *point      = (StabilityPoint){.block = period->block, .point = index, .dim = law->dim, .marched = period->kind == &period_marched};
  point->area = period->block->area ? period->block->area[index] : 1.0;
  SystemBlockStiffness(point->block, JOINT_STUCK, index, point->stuck);
  PetscCall(PetscCalloc1(point->dim * equation->basis->num_functions, &point->x));
  Gather(equation, x, point);
  if (point->marched) PetscCall(LinearStepCreate(point->block, &point->steps));
  else PetscCall(FollowPath(equation, block, frequency, grid, point));
  PetscCall(PetscCalloc1(PetscMax(point->num_memory, law->num_states), &point->live));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StabilityPointDestroy(StabilityPoint *point)
{
  PetscFunctionBegin;
  if (point->samples.block.law) PetscCall(PeriodSamplesDestroy(&point->samples));
  PetscCall(BranchPathDestroy(&point->path));
  PetscCall(PetscFree(point->x));
  PetscCall(PetscFree(point->live));
  PetscCall(PetscFree(point->piece));
  PetscCall(PetscFree(point->tangent));
  PetscCall(PetscFree(point->linear));
  PetscCall(LinearStepDestroy(&point->steps));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The piece in which the middle of a segment lies. */
static PetscInt PieceAt(const BranchPath *path, PetscReal theta)
{
  const PetscReal first = path->pieces[0].from, turned = theta - 2.0 * PETSC_PI * PetscFloorReal((theta - first) / (2.0 * PETSC_PI));
  PetscInt        p = 0;

  while (p + 1 < path->num_pieces && path->pieces[p].to <= turned) p++;
  return p;
}

static PetscReal TangentAt(const StabilityPoint *point, const BranchPiece *piece, PetscReal motion)
{
  PetscReal force, slope;

  PeriodSamplesAt(&point->samples, (motion - piece->motion) / piece->scale, &force, &slope);
  return point->area * slope;
}

static PetscReal MotionAt(const StabilityPoint *point, const StabilityGrid *grid, const HarmonicBasis *basis, PetscInt node)
{
  PetscReal motion = 0.0;

  for (PetscInt j = 0; j < basis->num_functions; j++) motion += point->x[j] * grid->value[node * basis->num_functions + j];
  return motion;
}

/* Tangents at both ends of each step; at the ends of a segment those inside it. */
static PetscErrorCode FillTangents(StabilityPoint *point, const StabilityGrid *grid, const HarmonicBasis *basis)
{
  const PetscReal *const tangent = point->tangent;
  PetscReal              before  = MotionAt(point, grid, basis, 0);

  PetscFunctionBegin;
  for (PetscInt i = 0; i < grid->num_steps; i++) {
    const PetscInt           s     = grid->segment[i];
    const BranchPiece *const piece = &point->path.pieces[point->piece[s]];
    const PetscReal          after = MotionAt(point, grid, basis, i + 1);
    const PetscBool          first = (PetscBool)(i == 0 || grid->segment[i - 1] != s);
    const PetscBool          last  = (PetscBool)(i + 1 == grid->num_steps || grid->segment[i + 1] != s);

    point->tangent[2 * i]     = first ? TangentAt(point, piece, before + ASIDE * (after - before)) : tangent[2 * i - 1];
    point->tangent[2 * i + 1] = TangentAt(point, piece, last ? after + ASIDE * (before - after) : after);
    before                    = after;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode LineariseScalar(StabilityPoint *point, const StabilityGrid *grid, const HarmonicBasis *basis)
{
  PetscReal most = 0.0;

  PetscFunctionBegin;
  PetscCall(PetscFree(point->piece));
  PetscCall(PetscFree(point->tangent));
  PetscCall(PetscCalloc1(grid->num_segments, &point->piece));
  PetscCall(PetscMalloc1(2 * grid->num_steps, &point->tangent));
  if (point->path.num_pieces == 0)
    for (PetscInt i = 0; i < 2 * grid->num_steps; i++) point->tangent[i] = point->rest;
  else {
    for (PetscInt s = 0; s < grid->num_segments; s++) point->piece[s] = PieceAt(&point->path, 0.5 * (grid->edge[s] + grid->edge[s + 1]));
    PetscCall(FillTangents(point, grid, basis));
    for (PetscInt k = 0; k < point->num_memory; k++) point->live[k] = (PetscBool)(k < point->path.pieces[point->piece[0]].depth);
  }
  for (PetscInt i = 0; i < 2 * grid->num_steps; i++) most = PetscMax(most, PetscAbsReal(point->tangent[i] - point->stuck[0]));
  point->active = (PetscBool)(most > STUCK * PetscAbsReal(point->stuck[0]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A marched point on its way through the period. */
typedef struct {
  StabilityPoint      *point;
  const StabilityGrid *grid;
  const HarmonicBasis *basis;
  PetscReal            frequency;
} Round;

static PetscErrorCode GoRound(void *context, PetscReal sign)
{
  const Round *const    round = context;
  StabilityPoint *const point = round->point;
  const PetscInt        P     = round->basis->num_functions;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < round->grid->num_steps; i++) {
    const PetscReal *const value                 = round->grid->value + (i + 1) * P;
    PetscReal              motion[JOINT_MAX_DIM] = {0.0}, velocity[JOINT_MAX_DIM] = {0.0};

    for (PetscInt c = 0; c < point->dim; c++)
      for (PetscInt h = 0; h < round->basis->num_harmonics; h++) {
        const PetscInt  j = round->basis->first[h];
        const PetscReal k = round->frequency * (PetscReal)round->basis->harmonic[h], *x = point->x + c * P;

        motion[c] += sign * x[j] * value[j];
        if (round->basis->harmonic[h] == 0) continue;
        motion[c] += sign * x[j + 1] * value[j + 1];
        velocity[c] += sign * k * (x[j + 1] * value[j] - x[j] * value[j + 1]);
      }
    PetscCall(LinearStepTake(&point->steps, motion, velocity));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers of step i that the inputs act on: row 0 .. num_moved - 1 are forces, the others what is remembered. */
static const PetscReal *RowOf(const StabilityPoint *point, PetscInt i, PetscInt row)
{
  return point->linear + (i * (point->steps.num_moved + point->num_memory) + row) * point->steps.inputs;
}

/* Whether some step lets number s of the memory act on a row. */
static PetscBool Acts(const StabilityPoint *point, PetscInt num_steps, PetscInt s, PetscInt row)
{
  for (PetscInt i = 0; i < num_steps; i++)
    if (RowOf(point, i, row)[point->steps.inputs - point->num_memory + s] != 0.0) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* A number that no motion changes is a constant. */
static PetscBool Changes(const StabilityPoint *point, PetscInt num_steps, PetscInt s)
{
  const PetscInt inputs = point->steps.inputs, own = inputs - point->num_memory + s;

  for (PetscInt i = 0; i < num_steps; i++) {
    const PetscReal *const row = RowOf(point, i, point->steps.num_moved + s);

    for (PetscInt e = 0; e < inputs; e++)
      if (row[e] != (e == own ? 1.0 : 0.0)) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* What is remembered counts if it changes, and acts on a force or on another number that counts. */
static void FindLive(StabilityPoint *point, PetscInt num_steps)
{
  const PetscInt forces = point->steps.num_moved;
  PetscBool      again  = PETSC_TRUE;

  for (PetscInt s = 0; s < point->num_memory; s++) {
    point->live[s] = PETSC_FALSE;
    for (PetscInt c = 0; c < forces && !point->live[s]; c++) point->live[s] = Acts(point, num_steps, s, c);
  }
  while (again) {
    again = PETSC_FALSE;
    for (PetscInt s = 0; s < point->num_memory; s++)
      for (PetscInt r = 0; r < point->num_memory && !point->live[s]; r++)
        if (r != s && point->live[r] && Acts(point, num_steps, s, forces + r)) point->live[s] = again = PETSC_TRUE;
  }
  for (PetscInt s = 0; s < point->num_memory; s++)
    if (point->live[s]) point->live[s] = Changes(point, num_steps, s);
}

/* Whether its forces ever differ from those while it sticks. */
static PetscBool IsActive(const StabilityPoint *point, PetscInt num_steps)
{
  const LinearStep *const steps   = &point->steps;
  PetscReal               largest = 0.0;

  for (PetscInt e = 0; e < point->dim * point->dim; e++) largest = PetscMax(largest, PetscAbsReal(point->stuck[e]));
  for (PetscInt s = 0; s < point->num_memory; s++)
    if (point->live[s]) return PETSC_TRUE;
  for (PetscInt i = 0; i < num_steps; i++)
    for (PetscInt c = 0; c < steps->num_moved; c++)
      for (PetscInt e = 0; e < steps->inputs - point->num_memory; e++) {
        const PetscBool motion = (PetscBool)(e < steps->num_moved);
        const PetscReal stuck  = motion ? point->stuck[steps->moved[c] * point->dim + steps->moved[e]] : 0.0;

        if (PetscAbsReal(RowOf(point, i, c)[e] - stuck) > (motion ? STUCK * largest : 0.0)) return PETSC_TRUE;
      }
  return PETSC_FALSE;
}

static PetscErrorCode CloseLoop(StabilityPoint *point, const StabilityGrid *grid, const HarmonicBasis *basis, PetscReal frequency, PetscBool *closes)
{
  LinearStep *const steps = &point->steps;
  Round             round = {point, grid, basis, frequency};
  LinearLoop        loop  = {.count    = grid->num_steps,
                             .turn     = 1.0,
                             .go       = GoRound,
                             .context  = &round,
                             .most     = PERIOD_MOST,
                             .patience = basis->odd ? LOOP_PATIENCE : LOOP_LONG_PATIENCE};
  PetscReal        *sense;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(steps->num_states, &sense));
  for (PetscInt s = 0; s < steps->num_states; s++) sense[s] = 1.0;
  loop.sense = sense;
  PetscCall(LinearLoopClose(steps, point->point, &loop));
  if (!LinearLoopIsClosed(&loop)) *closes = PETSC_FALSE;
  PetscCall(PetscFree(sense));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The last period of a closed loop. */
static PetscErrorCode LineariseMarched(StabilityPoint *point, const StabilityGrid *grid, const HarmonicBasis *basis, PetscReal frequency,
                                       PetscBool *closes)
{
  LinearStep *const steps = &point->steps;
  PetscInt          rows, width;

  PetscFunctionBegin;
  PetscCall(CloseLoop(point, grid, basis, frequency, closes));
  point->num_memory = steps->num_used;
  rows              = steps->num_moved + steps->num_used;
  width             = rows * steps->inputs;
  PetscCall(PetscFree(point->linear));
  PetscCall(PetscMalloc1(grid->num_steps * width, &point->linear));
  for (PetscInt i = 0; i < grid->num_steps; i++)
    PetscCall(LinearStepRows(steps, steps->num_steps - grid->num_steps + i, 0, rows, point->linear + i * width));
  for (PetscInt i = 0; i < grid->num_steps; i++)
    for (PetscInt e = 0; e < steps->num_moved * steps->inputs; e++) point->linear[i * width + e] *= point->area;
  FindLive(point, grid->num_steps);
  point->active = IsActive(point, grid->num_steps);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StabilityPointLinearise(StabilityPoint *point, const StabilityGrid *grid, const HarmonicBasis *basis, PetscReal frequency,
                                       PetscBool *closes)
{
  PetscFunctionBegin;
  if (point->marched) PetscCall(LineariseMarched(point, grid, basis, frequency, closes));
  else PetscCall(LineariseScalar(point, grid, basis));
  PetscFunctionReturn(PETSC_SUCCESS);
}
