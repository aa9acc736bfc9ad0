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

static PetscErrorCode AddPiece(MasingPath *path, PetscReal sense, PetscInt first, PetscReal from)
{
  const PathMemory branch = Branch(path);

  PetscFunctionBeginHot;
  if (path->num_pieces == path->pieces_capacity) {
    path->pieces_capacity = PetscMax(8, 2 * path->pieces_capacity);
    PetscCall(PetscRealloc(sizeof(PathPiece) * (size_t)path->pieces_capacity, &path->pieces));
  }
  path->pieces[path->num_pieces++] =
    (PathPiece){.first = first, .origin = branch.origin, .motion = branch.motion, .force = branch.force, .sense = sense, .from = from, .to = from};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From an extreme to the next: samples lie on the branch that begins there until it closes a loop, and so on. */
static PetscErrorCode CutRun(MasingPath *path, const PetscReal samples[], PetscInt extreme, PetscReal until, PetscReal next_motion, PetscInt *sample,
                             PetscInt last_sample)
{
  const PetscInt    N     = path->basis->num_samples;
  const PetscReal   step  = 2.0 * PETSC_PI / (PetscReal)N;
  const PathExtreme start = path->extremes[extreme];
  const PetscReal   sense = next_motion > start.motion ? 1.0 : -1.0;

  PetscFunctionBeginHot;
  PetscCall(Remember(path, (PathMemory){extreme, start.motion, start.force}));
  PetscCall(AddPiece(path, sense, *sample, start.theta));
  for (; *sample < last_sample && step * (PetscReal)*sample < until; (*sample)++) {
    while (path->depth > 0 && sense * (samples[*sample % N] - BranchEnd(path, sense)) >= 0.0) {
      path->pieces[path->num_pieces - 1].to = step * (PetscReal)*sample;
      CloseLoop(path);
      PetscCall(AddPiece(path, sense, *sample, step * (PetscReal)*sample));
    }
    path->pieces[path->num_pieces - 1].count++;
  }
  path->pieces[path->num_pieces - 1].to    = until;
  path->pieces[path->num_pieces - 1].turns = PETSC_TRUE;
  while (path->depth > 0 && sense * (next_motion - BranchEnd(path, sense)) >= 0.0) CloseLoop(path);
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
    const PetscReal   until = i + 1 < count ? next.theta : start + 2.0 * PETSC_PI;

    PetscCall(CutRun(path, law->motion, i, until, next.motion, &sample, first + N));
    if (i + 1 < count) ReachExtreme(path, law, i + 1);
  }
  path->pieces[path->num_pieces - 1].count += first + N - sample; /* round-off of the last angle */
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
