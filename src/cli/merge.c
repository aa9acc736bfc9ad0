/* merge.c - `dovetail merge`: results of parts of the samples of a case, united into one. */
#include "cli.h"

PetscErrorCode MergeResults(const Arguments *arguments, int *exit_code)
{
  PetscInt missing = 0;

  PetscFunctionBegin;
  PetscCall(EnsembleMerge(arguments->num_operands, arguments->operands, arguments->output, &missing));
  *exit_code = missing ? EXIT_NATURE : EXIT_FINE;
  PetscFunctionReturn(PETSC_SUCCESS);
}
