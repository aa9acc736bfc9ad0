/* built.h - a text read as a case and built into a System, for the tests of the model room. */
#pragma once
#define _POSIX_C_SOURCE 200809L /* mkstemp, dup2: include this header first */
#include "model.h"
#include "check.h"
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  InputDocument *document;
  Laws           laws;
  Model         *model;
  Names          names;
  System        *system; /* NULL after a complaint */
} Built;

static inline void WriteFile(const char *path, const char *text)
{
  FILE *const file = fopen(path, "w");

  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static inline Built Build(const char *text)
{
  char             path[] = "/tmp/test_model_XXXXXX";
  const int        file   = mkstemp(path);
  Built            built  = {0};
  ModelNodes       nodes;
  const InputNode *root;

  assert_true(file >= 0);
  close(file);
  WriteFile(path, text);
  assert_ok(InputOpen(PETSC_COMM_SELF, path, &built.document));
  unlink(path);
  root  = InputRoot(built.document);
  nodes = (ModelNodes){.masses   = InputFind(root, "masses"),
                       .springs  = InputFind(root, "springs"),
                       .dampers  = InputFind(root, "dampers"),
                       .matrices = InputFind(root, "matrices"),
                       .modal    = InputFind(root, "modal"),
                       .joints   = InputFind(root, "joints"),
                       .damping  = InputFind(root, "damping")};
  assert_ok(LawsRead(InputFind(root, "laws"), &built.laws));
  assert_ok(ModelRead(root, &nodes, &built.laws, &built.model));
  assert_ok(ModelNames(built.model, &built.names));
  if (InputNumComplaints(built.document) == 0) assert_ok(ModelBuild(built.model, PETSC_INFINITY, &built.system));
  return built;
}

static inline void Destroy(Built *built)
{
  assert_ok(SystemDestroy(&built->system));
  assert_ok(NamesDestroy(&built->names));
  assert_ok(ModelDestroy(&built->model));
  assert_ok(LawsDestroy(&built->laws));
  assert_ok(InputClose(&built->document));
}
