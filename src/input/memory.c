/* memory.c - memory that lives as long as a document. */
#include "input_private.h"
#include <string.h>

enum { CHUNK_BYTES = 65536, ALIGNMENT = sizeof(max_align_t) };

struct InputChunk {
  InputChunk *next;
  size_t      used, size;
  max_align_t data[];
};

/* A chunk larger than usual is put second in the list, so that the one in use is filled first. */
static PetscErrorCode AddChunk(InputDocument *document, size_t bytes, InputChunk **added)
{
  const size_t size = PetscMax(bytes, (size_t)CHUNK_BYTES);
  InputChunk  *chunk;

  PetscFunctionBegin;
  PetscCall(PetscCalloc(sizeof(InputChunk) + size, (void **)&chunk));
  chunk->size = size;
  if (document->chunks && bytes > CHUNK_BYTES) {
    chunk->next            = document->chunks->next;
    document->chunks->next = chunk;
  } else {
    chunk->next      = document->chunks;
    document->chunks = chunk;
  }
  *added = chunk;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputAllocate(InputDocument *document, size_t bytes, void *pointer)
{
  const size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  InputChunk  *chunk   = document->chunks;
  void        *memory;

  PetscFunctionBegin;
  if (!chunk || chunk->size - chunk->used < rounded) PetscCall(AddChunk(document, rounded, &chunk));
  memory = (char *)chunk->data + chunk->used;
  chunk->used += rounded;
  memcpy(pointer, &memory, sizeof memory);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputCopyText(InputDocument *document, const char *text, size_t length, const char **copy)
{
  char *bytes = NULL;

  PetscFunctionBegin;
  PetscCall(InputAllocate(document, length + 1, &bytes));
  if (length) memcpy(bytes, text, length);
  *copy = bytes;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputJoinPath(InputDocument *document, const char *beside, const char *path, const char **joined)
{
  const char *const slash  = strrchr(beside, '/');
  const size_t      folder = slash && path[0] != '/' ? (size_t)(slash - beside) + 1 : 0, length = strlen(path);
  char             *bytes;

  PetscFunctionBegin;
  PetscCall(InputAllocate(document, folder + length + 1, &bytes));
  if (folder) memcpy(bytes, beside, folder);
  memcpy(bytes + folder, path, length);
  *joined = bytes;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputFreeAll(InputDocument *document)
{
  InputChunk *chunk = document->chunks;

  PetscFunctionBegin;
  while (chunk) {
    InputChunk *const next = chunk->next;

    PetscCall(PetscFree(chunk));
    chunk = next;
  }
  document->chunks = NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}
