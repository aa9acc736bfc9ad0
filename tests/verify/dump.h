/*
  dump.h - the main of programs that make something of each mesh of their command line.
*/
#pragma once
#include <string.h>
#include "mesh.h"

/* The exit codes are those of dovetail. */
static inline int DumpAll(int argc, char **argv, PetscErrorCode (*dump)(const InputNode *node, const char *path))
{
  static const char case_text[] = "mesh: of the command line\n";
  InputDocument    *document;

  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(ErrorHandlerInstall());
  PetscCall(InputParse(PETSC_COMM_WORLD, "case.yaml", case_text, strlen(case_text), &document));
  for (int i = 1; i < argc; i++) {
    const PetscErrorCode code = dump(InputFind(InputRoot(document), "mesh"), argv[i]);

    if (code) return code == PETSC_ERR_USER_INPUT ? EXIT_INPUT : EXIT_OURS;
  }
  PetscCall(InputClose(&document));
  PetscCall(PetscFinalize());
  return 0;
}
