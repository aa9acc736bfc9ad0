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

/* Samples from `sample` to before `end`, of which those behind N are the first ones again. */
static PetscErrorCode AddPiece(MasingPath *path, PetscReal sense, PetscInt sample, PetscInt end, PetscReal from, PetscReal to)
{
  const PathMemory branch = Branch(path);
  const PetscInt   N = path->basis->num_samples, cut = PetscMin(PetscMax(sample, N), end);

  PetscFunctionBeginHot;
  if (path->num_pieces + 2 > path->pieces_capacity) {
    path->pieces_capacity = PetscMax(8, 2 * path->pieces_capacity);
    PetscCall(PetscRealloc(sizeof(PathPiece) * (size_t)path->pieces_capacity, &path->pieces));
  }
  for (PetscInt half = 0; half < 2; half++) {
    const PetscInt  first = half ? cut : sample, last = half ? end : cut;
    const PetscReal turn = half ? 2.0 * PETSC_PI : 0.0;

    if (half ? last <= first : (last <= first && end > cut)) continue;
    path->pieces[path->num_pieces++] = (PathPiece){.first  = half ? first - N : first,
                                                   .count  = PetscMax(last - first, 0),
                                                   .origin = branch.origin,
                                                   .motion = branch.motion,
                                                   .force  = branch.force,
                                                   .sense  = sense,
                                                   .from   = half && first > sample ? turn : from,
                                                   .to     = !half && end > cut ? 2.0 * PETSC_PI : to,
                                                   .turn   = turn};
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first sample from this one on, before `stop`, that lies beyond a motion. */
static PetscInt FirstBeyond(PetscInt N, const PetscReal samples[], PetscInt sample, PetscInt stop, PetscReal sense, PetscReal motion)
{
  while (sample < stop && sense * (samples[sample < N ? sample : sample - N] - motion) < 0.0) sample++;
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
    const PetscInt  closed = FirstBeyond(path->basis->num_samples, samples, *sample, stop, sense, BranchEnd(path, sense));
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
  const PetscInt  N = path->basis->num_samples, count = path->num_extremes;
  const PetscReal step = 2.0 * PETSC_PI / (PetscReal)N, start = path->extremes[0].theta;
  const PetscInt  first  = (PetscInt)PetscCeilReal(start / step);
  PetscInt        sample = first;

  PetscFunctionBeginHot;
  path->num_pieces = 0;
  for (PetscInt i = 0; i < count; i++) {
    const PathExtreme next  = path->extremes[(i + 1) % count];
    const PetscBool   last  = (PetscBool)(i + 1 == count);
    const PetscReal   until = last ? start + 2.0 * PETSC_PI : next.theta;
    const PetscInt    stop  = last ? first + N : PetscMin(PetscMax((PetscInt)PetscCeilReal(until / step), sample), first + N);

    PetscCall(CutRun(path, law->motion, i, until, next.motion, &sample, stop));
    if (!last) ReachExtreme(path, law, i + 1);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MasingPathFollow(MasingPath *path, const PeriodSamples *law, const JointHistory *memory, PetscInt point)
{
  PetscFunctionBeginHot;
  PetscCall(Approach(path, memory, point));
  ReachExtreme(path, law, 0);
  PetscCall(Turn(path, law));
  if (!memory) PetscFunctionReturn(PETSC_SUCCESS);
  ReachExtreme(path, law, 0);
  PetscCall(Turn(path, law));
  PetscFunctionReturn(PETSC_SUCCESS);
}
