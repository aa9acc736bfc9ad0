/* document.c - opening and closing a case file, and questions about it. */
#include "input_private.h"
#include <string.h>
#include <sys/stat.h>

PetscErrorCode InputNoteFile(InputDocument *document, const char *path)
{
  PetscFunctionBegin;
  if (document->num_files == document->most_files) {
    document->most_files = PetscMax(2 * document->most_files, 8);
    PetscCall(PetscRealloc((size_t)document->most_files * sizeof *document->files, &document->files));
  }
  document->files[document->num_files++] = path;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A link has the number of the file that it points to. */
PetscBool InputReads(const InputDocument *document, const char *path)
{
  struct stat that, file;

  if (stat(path, &that) != 0) return PETSC_FALSE;
  for (PetscInt i = 0; i < document->num_files; i++) {
    if (stat(document->files[i], &file) == 0 && file.st_ino == that.st_ino && file.st_dev == that.st_dev) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

static PetscErrorCode Create(MPI_Comm comm, const char *file, InputDocument **created)
{
  InputDocument *document;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(1, &document));
  document->comm = comm;
  PetscCall(InputCopyText(document, file, strlen(file), &document->file));
  PetscCall(InputNoteFile(document, document->file));
  PetscCall(InputNodeCreate(document, NULL, NODE_MAP, (Place){.file = document->file, .line = 1, .column = 1}, &document->root));
  PetscCall(InputBufferAdd(&document->source, "", 0));
  PetscCall(InputBufferAdd(&document->values, "", 0));
  *created = document;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Fill(InputDocument *document, const InputBytes *bytes)
{
  char said[4 * PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  if (InputRecognise(document->file, bytes->text, bytes->length, PETSC_FALSE, said, sizeof said)) {
    document->broken = PETSC_TRUE;
    PetscCall(InputComplainAt(document, (Place){.file = document->file}, "%s", said));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputBufferAdd(&document->source, bytes->text, bytes->length));
  PetscCall(InputParseYaml(document, document->file, bytes->text, bytes->length, &document->root));
  PetscCall(InputResolveIncludes(document, bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputOpen(MPI_Comm comm, const char *path, InputDocument **document)
{
  InputBytes bytes = {0};

  PetscFunctionBegin;
  PetscCall(Create(comm, path, document));
  PetscCall(InputBytesRead(*document, path, INPUT_MAX_BYTES, "case file", &bytes));
  if (bytes.fault) {
    (*document)->broken = PETSC_TRUE;
    PetscCall(InputComplainAt(*document, (Place){.file = path}, "%s", bytes.fault));
  } else {
    PetscCall(Fill(*document, &bytes));
  }
  PetscCall(InputBytesDestroy(&bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputParse(MPI_Comm comm, const char *name, const char *text, size_t length, InputDocument **document)
{
  InputBytes bytes = {.length = length};

  PetscFunctionBegin;
  PetscCall(Create(comm, name, document));
  PetscCall(PetscMalloc1(length + 1, &bytes.text));
  if (length) memcpy(bytes.text, text, length);
  bytes.text[length] = '\0';
  InputDropByteOrderMark(bytes.text, &bytes.length);
  PetscCall(Fill(*document, &bytes));
  PetscCall(InputBytesDestroy(&bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputClose(InputDocument **document)
{
  PetscFunctionBegin;
  if (!*document) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputFreeAll(*document));
  PetscCall(InputBufferDestroy(&(*document)->source));
  PetscCall(InputBufferDestroy(&(*document)->values));
  PetscCall(PetscFree((*document)->files));
  PetscCall(PetscFree((*document)->complaints));
  PetscCall(PetscFree((*document)->recorded));
  PetscCall(PetscFree((*document)->trial.replaced));
  PetscCall(PetscFree(*document));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *InputFile(const InputDocument *document)
{
  return document->file;
}

const char *InputSource(const InputDocument *document)
{
  return document->source.data;
}

const char *InputValues(const InputDocument *document)
{
  return document->values.data;
}

const InputNode *InputRoot(const InputDocument *document)
{
  return document->root;
}
