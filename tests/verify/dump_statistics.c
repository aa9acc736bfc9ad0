/* dump_statistics.c - statistics of a table, for tests in python: dump_statistics ROWS COLUMNS reads the numbers and tells of each column its summary,
   then percentiles with intervals of 95 %, then the correlations of all columns with all. */
#include <stdio.h>
#include <stdlib.h>
#include "sampling/statistics.h"

static PetscErrorCode Tell(PetscInt rows, PetscInt columns, const PetscReal table[])
{
  Correlation *correlations;

  PetscFunctionBegin;
  for (PetscInt j = 0; j < columns; j++) {
    const PetscReal percents[] = {0, 5, 50, 97.5, 99.9, 100};
    Estimate        p[sizeof percents / sizeof *percents];
    Summary         s;

    PetscCall(SummaryFind(rows, columns, table + j, &s));
    printf("%d %d %.17g %.17g %.17g %.17g %.17g\n", (int)s.count, (int)s.num_failed, s.mean, s.mean_error, s.deviation, s.least, s.most);
    PetscCall(PercentilesFind(rows, columns, table + j, 0.95, (PetscInt)(sizeof p / sizeof *p), percents, p));
    for (size_t i = 0; i < sizeof p / sizeof *p; i++) printf("%.17g %.17g %.17g\n", p[i].value, p[i].low, p[i].high);
  }
  PetscCall(PetscMalloc1(columns * columns, &correlations));
  PetscCall(CorrelationsFind(rows, columns, table, columns, table, correlations));
  for (PetscInt i = 0; i < columns * columns; i++)
    printf("%d %.17g %.17g\n", (int)correlations[i].count, correlations[i].pearson, correlations[i].spearman);
  PetscCall(PetscFree(correlations));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  const PetscInt rows = argc == 3 ? atoi(argv[1]) : 0, columns = argc == 3 ? atoi(argv[2]) : 0;
  PetscReal     *table;

  if (rows < 1 || columns < 1) return EXIT_INPUT;
  PetscCall(PetscInitialize(NULL, NULL, NULL, NULL));
  PetscCall(PetscMalloc1(rows * columns, &table));
  for (PetscInt i = 0; i < rows * columns; i++) {
    if (scanf("%lf", &table[i]) != 1) return EXIT_INPUT;
  }
  PetscCall(Tell(rows, columns, table));
  PetscCall(PetscFree(table));
  PetscCall(PetscFinalize());
  return 0;
}
