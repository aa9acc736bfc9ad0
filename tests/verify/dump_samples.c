/* dump_samples.c - distributions and plans, for tests in python: dump_samples CASE reads `parameters: {NAME: distribution}` and, if there is one,
   `plan:` of a case, then lines `quantile NAME u`, `upper NAME above`, `cdf NAME x`, `density NAME x`, `moments NAME`, `points`, `values`,
   `remark`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sampling/plan.h"

enum { MOST = 128 };

typedef struct {
  const char  *names[MOST + 1];
  Distribution distributions[MOST];
  Plan        *plan;
} Study;

static PetscErrorCode Read(const InputNode *root, Study *study)
{
  const InputNode *const parameters = InputFind(root, "parameters"), *const plan = InputFind(root, "plan");

  PetscFunctionBegin;
  for (PetscInt i = 0; i < InputCount(parameters) && i < MOST; i++) {
    study->names[i] = InputKey(parameters, i);
    PetscCall(DistributionRead(InputItem(parameters, i), "N", &study->distributions[i]));
  }
  if (plan) PetscCall(PlanRead(plan, study->names, study->distributions, &study->plan));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void PrintRows(const Study *study, void (*give)(const Plan *, PetscInt, PetscReal[]))
{
  PetscReal row[MOST];

  for (PetscInt i = 0; i < PlanNumRows(study->plan); i++) {
    give(study->plan, i, row);
    for (PetscInt j = 0; j < PlanNumParameters(study->plan); j++) printf("%.17g ", row[j]);
    printf("\n");
  }
}

static void Answer(const Study *study, const char *command, const char *name, PetscReal number)
{
  const Distribution *d = study->distributions;

  for (PetscInt i = 0; study->names[i]; i++) {
    if (strcmp(study->names[i], name) == 0) d = &study->distributions[i];
  }
  if (strcmp(command, "quantile") == 0) printf("%.17g\n", DistributionQuantile(d, number));
  else if (strcmp(command, "upper") == 0) printf("%.17g\n", DistributionQuantileBetween(d, 1 - number, number));
  else if (strcmp(command, "cdf") == 0) printf("%.17g\n", DistributionCdf(d, number));
  else if (strcmp(command, "density") == 0) printf("%.17g\n", DistributionLogDensity(d, number));
  else if (strcmp(command, "moments") == 0) printf("%.17g %.17g\n", DistributionMean(d), DistributionDeviation(d));
  else if (strcmp(command, "points") == 0) PrintRows(study, PlanPoint);
  else if (strcmp(command, "values") == 0) PrintRows(study, PlanValues);
  else if (strcmp(command, "remark") == 0) printf("%s\n", PlanRemark(study->plan) ? PlanRemark(study->plan) : "");
}

int main(int argc, char **argv)
{
  InputDocument *document;
  Study          study = {0};
  char           line[256], command[64], name[64], number[64];

  PetscCall(PetscInitialize(NULL, NULL, NULL, NULL));
  PetscCall(ErrorHandlerInstall());
  if (argc != 2) return EXIT_INPUT;
  PetscCall(InputOpen(PETSC_COMM_WORLD, argv[1], &document));
  PetscCall(Read(InputRoot(document), &study));
  if (InputVerdict(document)) return EXIT_INPUT;
  while (fgets(line, sizeof line, stdin)) {
    *name = *number = '\0';
    if (sscanf(line, "%63s %63s %63s", command, name, number) >= 1) Answer(&study, command, name, strtod(number, NULL));
  }
  PetscCall(PlanDestroy(&study.plan));
  PetscCall(InputClose(&document));
  PetscCall(PetscFinalize());
  return 0;
}
