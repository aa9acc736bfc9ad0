/* parsed_mesh.h - a text read as a mesh, for the tests of the mesh room. */
#pragma once
#include "scratch.h"
#include "mesh.h"

typedef struct {
  InputDocument *document;
  Mesh          *mesh; /* NULL after a complaint */
} ParsedMesh;

static inline ParsedMesh ParseBytes(MPI_Comm comm, const char *bytes, size_t size)
{
  static const char text[] = "mesh: beam.msh\n";
  ParsedMesh        parsed = {NULL, NULL};

  assert_ok(InputParse(comm, "case.yaml", text, strlen(text), &parsed.document));
  assert_ok(MeshParseGmsh(comm, parsed.document, "beam.msh", RankOf(comm) == 0 ? bytes : NULL, RankOf(comm) == 0 ? size : 0, 1.0, &parsed.mesh));
  assert_true((parsed.mesh != NULL) == (InputNumComplaints(parsed.document) == 0));
  return parsed;
}

static inline ParsedMesh Parse(MPI_Comm comm, const char *text)
{
  return ParseBytes(comm, text, strlen(text));
}

static inline void DestroyParsed(ParsedMesh *parsed)
{
  assert_ok(MeshDestroy(&parsed->mesh));
  assert_ok(InputClose(&parsed->document));
}

/* All ranks come to the same verdict, and rank 0 alone says `expected`. */
static inline void AssertSaid(Scratch *scratch, const ParsedMesh *parsed, const char *expected)
{
  PetscErrorCode code;

  CaptureBegin(scratch);
  assert_ok(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  code = InputVerdict(parsed->document);
  assert_ok(PetscPopErrorHandler());
  CaptureEnd(scratch);
  assert_int_equal(code, *expected ? PETSC_ERR_USER_INPUT : PETSC_SUCCESS);
  assert_string_equal(scratch->said, RankOf(MPI_COMM_WORLD) == 0 ? expected : "");
}

/* Over all ranks. */
static inline PetscInt Sum(PetscInt value)
{
  PetscInt total;

  MPI_Allreduce(&value, &total, 1, MPIU_INT, MPI_SUM, MPI_COMM_WORLD);
  return total;
}
