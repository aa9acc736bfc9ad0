/* error.c - the error handler: silent for faults in the input, PETSc's traceback for bugs. */
#include "base.h"

static PetscErrorCode Handle(MPI_Comm comm, int line, const char *function, const char *file, PetscErrorCode code, PetscErrorType type,
                             const char *message, void *context)
{
  if (code == PETSC_ERR_USER_INPUT) return code;
  return PetscTraceBackErrorHandler(comm, line, function, file, code, type, message, context);
}

PetscErrorCode ErrorHandlerInstall(void)
{
  PetscFunctionBegin;
  PetscCall(PetscPushErrorHandler(Handle, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}
