/* include.c - files that a case includes: their maps are united with its own; then each file that includes others may override values. */
#include "input_private.h"
#include <string.h>

/* The files read so far; those `open` are being included from. A file included twice counts once. */
typedef struct {
  InputDocument *document;
  PetscInt       count, depth;
  struct {
    PetscInt64 device, inode;
    PetscBool  open;
    PetscInt   depth;
    InputNode *override; /* NULL: it has none */
  } files[INPUT_MAX_FILES];
} Library;

static PetscErrorCode IncludeAll(Library *library, const InputNode *node);

/* The place of a file in the library, or that of a new one. */
static PetscInt FindFile(const Library *library, const InputBytes *bytes)
{
  PetscInt i = 0;

  while (i < library->count && (library->files[i].inode != bytes->inode || library->files[i].device != bytes->device)) i++;
  return i;
}

/* Takes a key out of the map; NULL where it is not there. */
static InputNode *Take(InputNode *map, const char *key)
{
  for (PetscInt i = 0; i < map->count; i++) {
    InputNode *const item = map->items[i];

    if (strcmp(item->key, key) != 0) continue;
    map->count--;
    for (; i < map->count; i++) {
      map->items[i]        = map->items[i + 1];
      map->items[i]->index = i;
    }
    return item;
  }
  return NULL;
}

/* The file's own entries come before those it includes. */
static PetscErrorCode Adopt(Library *library, const char *path, const InputBytes *bytes)
{
  InputDocument *const document = library->document;
  const PetscInt       file     = library->count++;
  InputNode           *root, *include;

  PetscFunctionBegin;
  library->files[file].device = bytes->device;
  library->files[file].inode  = bytes->inode;
  library->files[file].open   = PETSC_TRUE;
  PetscCall(InputBufferPrint(&document->source, "\n# included: %s\n", path));
  PetscCall(InputBufferAdd(&document->source, bytes->text, bytes->length));
  PetscCall(InputParseYaml(document, path, bytes->text, bytes->length, &root));
  include                       = Take(root, "include");
  library->files[file].override = Take(root, "override");
  library->files[file].depth    = library->depth;
  for (PetscInt i = 0; i < root->count; i++) PetscCall(InputAppend(document->root, root->items[i]));
  if (include) PetscCall(IncludeAll(library, include));
  library->files[file].open = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Include(Library *library, const InputNode *node)
{
  const char *path;
  PetscBool   fine;
  PetscInt    file;
  InputBytes  bytes = {0};

  PetscFunctionBegin;
  PetscCall(InputScanText(node, &path, &fine));
  if (!fine) library->document->broken = PETSC_TRUE;
  if (!fine) PetscFunctionReturn(PETSC_SUCCESS);
  if (library->depth > INPUT_MAX_INCLUDE_DEPTH) {
    PetscCall(InputComplain(node, "files are included more than %d levels deep", INPUT_MAX_INCLUDE_DEPTH));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputJoinPath(library->document, node->place.file, path, &path));
  PetscCall(InputNoteFile(library->document, path));
  PetscCall(InputBytesRead(library->document, path, INPUT_MAX_BYTES, "case file", &bytes));
  file = FindFile(library, &bytes);
  if (bytes.fault) library->document->broken = PETSC_TRUE;
  if (bytes.fault) PetscCall(InputComplain(node, "%s %s", InputQuote(path).text, bytes.fault));
  else if (file == INPUT_MAX_FILES) PetscCall(InputComplain(node, "a case may have %d files", INPUT_MAX_FILES));
  else if (file == library->count) PetscCall(Adopt(library, path, &bytes));
  else if (library->files[file].open) PetscCall(InputComplain(node, "%s includes itself", InputQuote(path).text));
  PetscCall(InputBytesDestroy(&bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* `node` is the value of `include`. */
static PetscErrorCode IncludeAll(Library *library, const InputNode *node)
{
  PetscFunctionBegin;
  library->depth++;
  if (node->kind == NODE_MAP) PetscCall(InputComplain(node, "expected a path or a list of paths, found a map"));
  else if (node->kind == NODE_SCALAR) PetscCall(Include(library, node));
  else
    for (PetscInt i = 0; i < node->count; i++) PetscCall(Include(library, node->items[i]));
  library->depth--;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A file overrides what those say that it includes: the case itself has the last word. */
static PetscErrorCode OverrideAll(const Library *library)
{
  PetscFunctionBegin;
  for (PetscInt depth = INPUT_MAX_INCLUDE_DEPTH; depth >= 0; depth--)
    for (PetscInt f = 0; f < library->count; f++)
      if (library->files[f].override && library->files[f].depth == depth)
        PetscCall(InputOverride(library->document->root, library->files[f].override));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputResolveIncludes(InputDocument *document, const InputBytes *bytes)
{
  const InputNode *const include = Take(document->root, "include");
  Library                library = {.document = document, .count = 1};

  PetscFunctionBegin;
  library.files[0].device   = bytes->device;
  library.files[0].inode    = bytes->inode;
  library.files[0].open     = PETSC_TRUE;
  library.files[0].override = Take(document->root, "override");
  if (include) PetscCall(IncludeAll(&library, include));
  if (library.count > 1) PetscCall(InputUniteMaps(document->root));
  if (!document->broken) PetscCall(OverrideAll(&library));
  PetscFunctionReturn(PETSC_SUCCESS);
}
