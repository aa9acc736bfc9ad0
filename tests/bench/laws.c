/* laws.c - how fast joint laws are, for scripts/bench laws: bench_laws [--seconds S] [--law NAME] [--points N].

   Every law (or those that begin with NAME) with the parameters of the contract tests, in blocks of N points (1,000) on one core. Each point follows a path of
   its own, between deep microslip and beyond full slip, once in small steps (a random sum of sines, a hundred steps a period) and once
   in jumps (anywhere within its range), so that turning points and loops come and go. At each step force and tangent are evaluated
   several times, as Newton does, and then the motion is accepted. Prints a line for each: law, parameters, path, millions of
   evaluations a second, and of accepted motions (the energy dissipated is part of that), in processor time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "../law_samples.h"

enum {
  POINTS      = 1000,
  MOST_POINTS = 10000,
  WAVES       = 3,
  ITERATES    = 4,
  WARM_UP     = 50,
  NUMBERS     = JOINT_MAX_DIM * MOST_POINTS,
  TANGENTS    = JOINT_MAX_DIM * NUMBERS
};

typedef enum { SMALL_STEPS, JUMPS } Kind;

typedef struct {
  JointBlock   block;
  JointHistory history;
  uint64_t     seed;
  PetscReal    range[NUMBERS], frequency[WAVES][NUMBERS], phase[WAVES][NUMBERS];
  PetscReal    displacement[ITERATES][NUMBERS], velocity[ITERATES][NUMBERS];
  PetscReal    force[NUMBERS], stiffness[TANGENTS], damping[TANGENTS], loss[MOST_POINTS], dissipated[MOST_POINTS];
} Bench;

static PetscReal Seconds(void)
{
  return (PetscReal)clock() / (PetscReal)CLOCKS_PER_SEC;
}

static PetscErrorCode Open(const Sample *sample, PetscInt points, Bench *bench)
{
  PetscFunctionBegin;
  memset(bench, 0, sizeof *bench);
  bench->seed = 1;
  PetscCall(JointBlockCreate(JointLawFind(sample->law), sample->parameters, points, &bench->block));
  PetscCall(JointHistoryCreate(&bench->block, &bench->history));
  for (PetscInt i = 0; i < bench->block.law->dim * points; i++) {
    bench->range[i] = pow(10, 0.75 * Random(&bench->seed) - 0.5);
    for (PetscInt w = 0; w < WAVES; w++) {
      bench->frequency[w][i] = 1 + 0.9 * Random(&bench->seed);
      bench->phase[w][i]     = PETSC_PI * Random(&bench->seed);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Motions of a step as Newton tries them: each half as far from the last one as the one before. */
static void Draw(Bench *bench, Kind kind, PetscInt step)
{
  const PetscReal time = (PetscReal)step * 2 * PETSC_PI / 100;

  for (PetscInt i = 0; i < bench->block.law->dim * bench->block.num_points; i++) {
    PetscReal motion = Random(&bench->seed), velocity = Random(&bench->seed);

    if (kind == SMALL_STEPS) {
      motion = velocity = 0;
      for (PetscInt w = 0; w < WAVES; w++) {
        motion += sin(bench->frequency[w][i] * time + bench->phase[w][i]) / WAVES;
        velocity += bench->frequency[w][i] * cos(bench->frequency[w][i] * time + bench->phase[w][i]) / WAVES;
      }
    }
    for (PetscInt k = 0; k < ITERATES; k++) {
      const PetscReal away = 0.02 * Random(&bench->seed) / (PetscReal)(1 << k);

      bench->displacement[k][i] = bench->range[i] * (motion + away);
      bench->velocity[k][i]     = bench->range[i] * (velocity + away);
    }
  }
}

/* Processor time of evaluating, and of accepting, added to what there is. */
static PetscErrorCode Step(Bench *bench, PetscReal spent[2])
{
  const JointLaw *law    = bench->block.law;
  JointForce      result = {bench->force, bench->stiffness, law->traits & JOINT_VISCOUS ? bench->damping : NULL, NULL};
  PetscReal       begun  = Seconds(), between;

  PetscFunctionBegin;
  for (PetscInt k = 0; k < ITERATES; k++)
    law->evaluate(&bench->block, &bench->history, &(JointMotion){bench->displacement[k], bench->velocity[k]}, &result);
  between = Seconds();
  spent[0] += between - begun;
  if (law->commit) {
    const JointMotion motion = {bench->displacement[ITERATES - 1], bench->velocity[ITERATES - 1]};
    JointForce        last   = {.force = bench->force, .loss = bench->loss};

    law->evaluate(&bench->block, &bench->history, &motion, &last);
    PetscCall(law->commit(&bench->block, &bench->history, &motion, &last, bench->dissipated));
  }
  spent[1] += Seconds() - between;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Measure(const Sample *sample, PetscInt points, Kind kind, PetscReal seconds, Bench *bench)
{
  PetscReal spent[2] = {0};
  PetscInt  steps    = 0;

  PetscFunctionBegin;
  PetscCall(Open(sample, points, bench));
  for (PetscInt i = 0; i < WARM_UP || spent[0] + spent[1] < seconds; i++) {
    if (i == WARM_UP) steps = (PetscInt)(spent[0] = spent[1] = 0);
    Draw(bench, kind, i);
    PetscCall(Step(bench, spent));
    steps++;
  }
  printf("%s\t", sample->law);
  for (PetscInt p = 0; bench->block.law->parameters[p].name; p++) printf("%s%g", p > 0 ? " " : "", sample->parameters[p]);
  printf("\t%s\t%.5g\t", kind == JUMPS ? "jumps" : "small steps", 1e-6 * (PetscReal)points * ITERATES * (PetscReal)steps / spent[0]);
  if (bench->block.law->commit) printf("%.5g\n", 1e-6 * (PetscReal)points * (PetscReal)steps / spent[1]);
  else printf("-\n");
  PetscCall(JointHistoryDestroy(&bench->history));
  PetscCall(JointBlockDestroy(&bench->block));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  ListedSample listed;
  Bench       *bench   = malloc(sizeof *bench);
  PetscReal    seconds = 0.05;
  const char  *law     = "";
  PetscInt     points  = POINTS;

  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--seconds") == 0) seconds = strtod(argv[i + 1], NULL);
    if (strcmp(argv[i], "--law") == 0) law = argv[i + 1];
    if (strcmp(argv[i], "--points") == 0) points = (PetscInt)strtol(argv[i + 1], NULL, 10);
  }
  if (!bench || points < 1 || points > MOST_POINTS) return EXIT_FAILURE;
  for (PetscInt s = 0; SampleGet(s, &listed); s++) {
    if (strncmp(listed.sample.law, law, strlen(law)) != 0) continue;
    if (Measure(&listed.sample, points, SMALL_STEPS, seconds, bench) || Measure(&listed.sample, points, JUMPS, seconds, bench)) return EXIT_FAILURE;
  }
  free(bench);
  return EXIT_SUCCESS;
}
