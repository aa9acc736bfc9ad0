/* mesh.c - meshes: read by rank 0 with one verdict for all, and what they say of themselves. */
#include "mesh_private.h"
#include "coincide.h"
#include "gmsh.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is wrong with a file, the same on all ranks; an empty text: nothing. */
typedef struct {
  PetscInt line, column;
  char     text[4 * PETSC_MAX_PATH_LEN];
} Fault;

/* In a text line and column, in a binary file the byte, counted from 0. */
static void Locate(const Scanner *scanner, Fault *fault)
{
  if (!scanner->fault_at) return;
  if (scanner->binary) {
    snprintf(fault->text, sizeof fault->text, "byte %td: %s", scanner->fault_at - scanner->start, scanner->fault);
    return;
  }
  snprintf(fault->text, sizeof fault->text, "%s", scanner->fault);
  fault->line = fault->column = 1;
  for (const char *at = scanner->start; at < scanner->fault_at; at++) {
    fault->column++;
    if (*at != '\n') continue;
    fault->line++;
    fault->column = 1;
  }
}

static void SayWhatIsLeftOut(const char *name, const Whole *whole)
{
  if (whole->facts.num_dropped) LogSay("%s: nodes left out because they have no element: %" PetscInt_FMT, name, whole->facts.num_dropped);
}

PetscErrorCode MeshParseGmsh(MPI_Comm comm, InputDocument *document, const char *name, const char *bytes, size_t size, PetscReal scale, Mesh **mesh)
{
  Whole       whole;
  Draft       draft;
  Fault       fault;
  PetscMPIInt rank;

  PetscFunctionBegin;
  *mesh = NULL;
  memset(&whole, 0, sizeof whole);
  memset(&draft, 0, sizeof draft);
  memset(&fault, 0, sizeof fault);
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) {
    Scanner scanner = ScannerOf(bytes, size);

    if (!InputRecognise(name, bytes, size, PETSC_TRUE, fault.text, sizeof fault.text)) {
      PetscCall(GmshRead(&scanner, &draft));
      Locate(&scanner, &fault);
    }
    DraftScale(&draft, scale);
    if (!fault.text[0]) PetscCall(WholeCreate(&draft, &whole));
    PetscCall(DraftDestroy(&draft));
  }
  PetscCallMPI(MPI_Bcast(&fault, (PetscMPIInt)sizeof fault, MPI_BYTE, 0, comm));
  if (fault.text[0]) {
    PetscCall(InputComplainAt(document, (Place){.file = name, .line = fault.line, .column = fault.column}, "%s", fault.text));
  } else {
    SayWhatIsLeftOut(name, &whole);
    PetscCall(MeshSpread(comm, name, &whole, mesh));
  }
  PetscCall(WholeDestroy(&whole));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The bytes of a file, or why they cannot be had. */
static PetscErrorCode Load(const char *path, char **bytes, size_t *size, Fault *fault)
{
  FILE *const file = fopen(path, "rb");
  struct stat status;

  PetscFunctionBegin;
  if (!file || stat(path, &status) != 0) {
    snprintf(fault->text, sizeof fault->text, "%s", strerror(errno));
  } else if (!S_ISREG(status.st_mode)) {
    snprintf(fault->text, sizeof fault->text, "Is not a regular file");
  } else {
    PetscCall(PetscMalloc1((size_t)status.st_size + 1, bytes)); /* there are bytes, even if there are none */
    *size = fread(*bytes, 1, (size_t)status.st_size, file);
    if (ferror(file)) snprintf(fault->text, sizeof fault->text, "%s", strerror(errno));
  }
  if (file) fclose(file);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshReadGmsh(MPI_Comm comm, const InputNode *node, const char *path, PetscReal scale, Mesh **mesh)
{
  char       *bytes = NULL;
  size_t      size  = 0;
  Fault       fault;
  PetscMPIInt rank;

  PetscFunctionBegin;
  *mesh = NULL;
  memset(&fault, 0, sizeof fault);
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) PetscCall(Load(path, &bytes, &size, &fault));
  PetscCallMPI(MPI_Bcast(&fault, (PetscMPIInt)sizeof fault, MPI_BYTE, 0, comm));
  if (fault.text[0]) PetscCall(InputComplain(node, "'%s' cannot be read: %s", path, fault.text));
  else PetscCall(MeshParseGmsh(comm, InputDocumentOf(node), path, bytes, size, scale, mesh));
  PetscCall(PetscFree(bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshDestroy(Mesh **mesh)
{
  PetscFunctionBegin;
  if (!*mesh) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*mesh)->file));
  PetscCall(PetscFree((*mesh)->ghosts));
  PetscCall(PetscFree((*mesh)->coordinates));
  PetscCall(PetscFree((*mesh)->node_tags));
  for (PetscInt b = 0; b < (*mesh)->num_blocks; b++) {
    PetscCall(PetscFree((*mesh)->block_memory[b].nodes));
    PetscCall(PetscFree((*mesh)->block_memory[b].local_nodes));
    PetscCall(PetscFree((*mesh)->block_memory[b].tags));
    PetscCall(PetscFree((*mesh)->block_memory[b].entities));
  }
  PetscCall(PetscFree((*mesh)->groups));
  PetscCall(PetscFree((*mesh)->names));
  PetscCall(PetscFree((*mesh)->members));
  PetscCall(PetscFree((*mesh)->implied_names));
  PetscCall(PetscFree((*mesh)->implied_members));
  PetscCall(PetscFree((*mesh)->part_starts));
  PetscCall(PetscFree(*mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

MPI_Comm MeshComm(const Mesh *mesh)
{
  return mesh->comm;
}

const char *MeshFile(const Mesh *mesh)
{
  return mesh->file;
}

const MeshNodes *MeshGetNodes(const Mesh *mesh)
{
  return &mesh->nodes;
}

PetscInt MeshNumBlocks(const Mesh *mesh)
{
  return mesh->num_blocks;
}

const MeshBlock *MeshGetBlock(const Mesh *mesh, PetscInt i)
{
  return &mesh->blocks[i];
}

void MeshBoundingBox(const Mesh *mesh, PetscReal lower[3], PetscReal upper[3])
{
  memcpy(lower, mesh->lower, sizeof mesh->lower);
  memcpy(upper, mesh->upper, sizeof mesh->upper);
}

PetscInt MeshNumParts(const Mesh *mesh)
{
  return mesh->num_parts;
}

PetscInt MeshPartStart(const Mesh *mesh, PetscInt part)
{
  return mesh->part_starts[part];
}

PetscInt MeshPartOfNode(const Mesh *mesh, PetscInt node)
{
  return FindInterval(mesh->num_parts, mesh->part_starts, node);
}

const MeshCoincidences *MeshGetCoincidences(const Mesh *mesh)
{
  return &mesh->coincidences;
}

void MeshWarnOfCracks(const Mesh *mesh)
{
  const MeshCoincidences *const found = &mesh->coincidences;

  if (found->within_parts == 0) return;
  LogWarn("%s: duplicate nodes: %" PetscInt_FMT " pairs of nodes lie at the same place within a part that hangs together, such as %" PetscInt64_FMT
          " and %" PetscInt64_FMT " at (%g, %g, %g): is this a crack that is not meant?",
          mesh->file, found->within_parts, found->tags[0], found->tags[1], found->place[0], found->place[1], found->place[2]);
}
