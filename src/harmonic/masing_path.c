/* masing_path.c - a periodic path followed by Masing's rules: its branches, and the forces where it turns. */
#include "masing_path.h"

static PetscErrorCode Remember(MasingPath *path, PathMemory memory)
{
  PetscFunctionBeginHot;
  if (path->depth == path->memory_capacity) {
    path->memory_capacity = PetscMax(8, 2 * path->memory_capacity);
    PetscCall(PetscRealloc(sizeof(PathMemory) * (size_t)path->memory_capacity, &path->memory));
  }
  path->memory[path->depth++] = memory;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the present branch closes a loop, as the path goes in this sense; and what it goes on as there. */
static inline PetscReal BranchEnd(const MasingPath *path, PetscReal sense)
{
  if (path->depth == 0) return sense * PETSC_MAX_REAL;
  return path->depth > 1 ? path->memory[path->depth - 2].motion : -path->memory[0].motion;
}

static inline void CloseLoop(MasingPath *path)
{
  path->depth = path->depth > 1 ? path->depth - 2 : 0;
}

static inline PathMemory Branch(const MasingPath *path)
{
  return path->depth == 0 ? (PathMemory){.origin = PATH_VIRGIN} : path->memory[path->depth - 1];
}

/* Force at a motion on the present branch, and its change by x: df = df_r + t (dd - dd_r). */
static void ReachExtreme(MasingPath *path, const PeriodSamples *law, PetscInt extreme)
{
  const PetscInt   P      = path->basis->num_functions;
  const PathMemory branch = Branch(path);
  const PetscReal  scale = branch.origin == PATH_VIRGIN ? 1.0 : 2.0, motion = path->extremes[extreme].motion;
  PetscReal       *change = path->force + extreme * P;
  PetscReal        force, slope;

  PeriodSamplesAt(law, (motion - branch.motion) / scale, &force, &slope);
  path->extremes[extreme].force = branch.force + scale * force;
  for (PetscInt j = 0; j < P; j++) change[j] = slope * path->value[extreme * P + j];
  for (PetscInt j = 0; branch.origin >= 0 && j < P; j++) change[j] += path->force[branch.origin * P + j] - slope * path->value[branch.origin * P + j];
}

/* The angle of a stretch. */
static inline PetscReal LengthOf(const HarmonicBasis *basis)
{
  return 2.0 * PETSC_PI * (PetscReal)basis->stretch / (PetscReal)basis->num_samples;
}

/* The same extreme a stretch earlier or later: its opposite, if there is one. */
static inline PetscInt ExtremeAgain(const MasingPath *path, PetscInt extreme)
{
  return extreme < 0 ? extreme : (extreme + path->num_runs) % path->num_extremes;
}

/* Samples from `sample` to before `end`, of which those behind the stretch are the first ones again. */
static PetscErrorCode AddPiece(MasingPath *path, PetscReal sense, PetscInt sample, PetscInt end, PetscReal from, PetscReal to)
{
  const PathMemory branch  = Branch(path);
  const PetscInt   stretch = path->basis->stretch, cut = PetscMin(PetscMax(sample, stretch), end);
  const PetscReal  length = LengthOf(path->basis), turn = path->basis->turn;

  PetscFunctionBeginHot;
  if (path->num_pieces + 2 > path->pieces_capacity) {
    path->pieces_capacity = PetscMax(8, 2 * path->pieces_capacity);
    PetscCall(PetscRealloc(sizeof(PathPiece) * (size_t)path->pieces_capacity, &path->pieces));
  }
  if (cut > sample || end == cut)
    path->pieces[path->num_pieces++] = (PathPiece){.first  = sample,
                                                   .count  = PetscMax(cut - sample, 0),
                                                   .origin = branch.origin,
                                                   .motion = branch.motion,
                                                   .force  = branch.force,
                                                   .sense  = sense,
                                                   .from   = from,
                                                   .to     = end > cut ? length : to};
  if (end > cut)
    path->pieces[path->num_pieces++] = (PathPiece){.first  = cut - stretch,
                                                   .count  = end - cut,
                                                   .origin = ExtremeAgain(path, branch.origin),
                                                   .motion = turn * branch.motion,
                                                   .force  = turn * branch.force,
                                                   .sense  = turn * sense,
                                                   .from   = cut > sample ? 0.0 : from - length,
                                                   .to     = to - length};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first sample from this one on, before `stop`, that lies beyond a motion: samples between two extremes go one way. */
static PetscInt FirstBeyond(const HarmonicBasis *basis, const PetscReal samples[], PetscInt sample, PetscInt stop, PetscReal sense, PetscReal motion)
{
  while (sample < stop) {
    const PetscInt middle = (sample + stop) / 2;

    if (sense * (HarmonicSampleOf(basis, samples, middle) - motion) < 0.0) sample = middle + 1;
    else stop = middle;
  }
  return sample;
}

/* From an extreme to the next: samples lie on the branch that begins there until it closes a loop, and so on. A loop that closes where the run
   ends, as that of a motion as large on both sides, leaves no piece. */
static PetscErrorCode CutRun(MasingPath *path, const PetscReal samples[], PetscInt extreme, PetscReal until, PetscReal next_motion, PetscInt *sample,
                             PetscInt stop)
{
  const PetscReal   step  = 2.0 * PETSC_PI / (PetscReal)path->basis->num_samples;
  const PathExtreme start = path->extremes[extreme];
  const PetscReal   sense = next_motion > start.motion ? 1.0 : -1.0;
  PetscReal         from  = start.theta;
  PetscInt          last  = path->num_pieces;

  PetscFunctionBeginHot;
  PetscCall(Remember(path, (PathMemory){extreme, start.motion, start.force}));
  while (path->depth > 0 && sense * (next_motion - BranchEnd(path, sense)) >= 0.0) {
    const PetscInt  closed = FirstBeyond(path->basis, samples, *sample, stop, sense, BranchEnd(path, sense));
    const PetscReal at     = PetscMin(step * (PetscReal)closed, until);

    if (at > from) last = path->num_pieces;
    if (at > from) PetscCall(AddPiece(path, sense, *sample, closed, from, at));
    *sample = closed;
    from    = PetscMax(from, at);
    CloseLoop(path);
  }
  if (*sample < stop || from < until) {
    last = path->num_pieces;
    PetscCall(AddPiece(path, sense, *sample, stop, from, until));
  }
  *sample = stop;
  for (; last < path->num_pieces; last++) {
    path->pieces[last].turns = PETSC_TRUE;
    path->pieces[last].end   = until;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From where the joint was left to the first extreme. */
static PetscErrorCode Approach(MasingPath *path, const JointHistory *memory, PetscInt point)
{
  const PetscReal first = path->extremes[0].motion;
  PetscReal       motion, heading, sense;

  PetscFunctionBeginHot;
  path->depth = 0;
  if (!memory) PetscFunctionReturn(PETSC_SUCCESS);
  motion = memory->states[point];
  for (PetscInt k = 0; k < memory->turning[point].count; k++)
    PetscCall(Remember(path, (PathMemory){PATH_REMEMBERED, memory->turning[point].motion[k], memory->turning[point].force[k]}));
  heading = motion - Branch(path).motion;
  sense   = first - motion;
  if (heading * sense < 0.0) PetscCall(Remember(path, (PathMemory){PATH_REMEMBERED, motion, memory->states[memory->num_points + point]}));
  sense = sense < 0.0 ? -1.0 : 1.0;
  while (path->depth > 0 && sense * (first - BranchEnd(path, sense)) >= 0.0) CloseLoop(path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One turn; what was remembered may keep the first from closing, the next one is closed. */
static PetscErrorCode Turn(MasingPath *path, const PeriodSamples *law)
{
  const PetscInt  count = path->num_runs;
  const PetscReal step = 2.0 * PETSC_PI / (PetscReal)path->basis->num_samples, start = path->extremes[0].theta;
  const PetscInt  first = (PetscInt)PetscCeilReal(start / step), end = first + path->basis->stretch;
  PetscInt        sample = first;

  PetscFunctionBeginHot;
  path->num_pieces = 0;
  for (PetscInt i = 0; i < count; i++) {
    const PathExtreme next  = path->extremes[(i + 1) % path->num_extremes];
    const PetscBool   last  = (PetscBool)(i + 1 == count);
    const PetscReal   until = last ? start + LengthOf(path->basis) : next.theta;
    const PetscInt    stop  = last ? end : PetscMin(PetscMax((PetscInt)PetscCeilReal(until / step), sample), end);

    PetscCall(CutRun(path, law->motion, i, until, next.motion, &sample, stop));
    if (!last) ReachExtreme(path, law, i + 1);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces at the extremes that are not followed. */
static void FillOpposites(MasingPath *path)
{
  const PetscInt P = path->basis->num_functions, runs = path->num_runs;

  for (PetscInt i = runs; i < path->num_extremes; i++) path->extremes[i].force = -path->extremes[i - runs].force;
  for (PetscInt j = runs * P; j < path->num_extremes * P; j++) path->force[j] = -path->force[j - runs * P];
}

PetscErrorCode MasingPathFollow(MasingPath *path, const PeriodSamples *law, const JointHistory *memory, PetscInt point)
{
  PetscFunctionBeginHot;
  PetscCall(Approach(path, memory, point));
  ReachExtreme(path, law, 0);
  PetscCall(Turn(path, law));
  if (memory) {
    ReachExtreme(path, law, 0);
    PetscCall(Turn(path, law));
  }
  FillOpposites(path);
  PetscFunctionReturn(PETSC_SUCCESS);
}
