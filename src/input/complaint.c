/* complaint.c - faults of a case, collected with their places and printed in order. */
#include "input_private.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MESSAGE = 1500, MAX_PATH = 500 }; /* bytes */

/* Cuts a text before byte `limit`, between characters, and ends it with "...". The text has room for 3 bytes more. */
static void Shorten(char *text, size_t limit)
{
  if (strlen(text) <= limit) return;
  while (limit > 0 && ((unsigned char)text[limit] & 0xC0) == 0x80) limit--;
  memcpy(text + limit, "...", 4);
}

/* A complaint is one line without control characters, which could change the state of a terminal. */
static void Tame(char *text)
{
  for (; *text; text++) {
    const unsigned char byte = (unsigned char)*text;

    if (byte == '\n' || byte == '\t') *text = ' ';
    else if (byte < 0x20 || byte == 0x7F) *text = '?';
    else if (byte == 0xC2 && (unsigned char)text[1] >= 0x80 && (unsigned char)text[1] < 0xA0) text[0] = text[1] = '?';
  }
}

InputQuoted InputQuote(const char *text)
{
  enum { LIMIT = 60 };
  InputQuoted  quoted;
  const size_t length = strlen(text) > LIMIT + 4 ? LIMIT + 4 : strlen(text);

  quoted.text[0] = '\'';
  memcpy(quoted.text + 1, text, length);
  quoted.text[1 + length] = '\0';
  Shorten(quoted.text, LIMIT);
  memcpy(quoted.text + strlen(quoted.text), "'", 2);
  Tame(quoted.text);
  return quoted;
}

InputQuoted InputDescribe(const InputNode *node)
{
  InputQuoted described;

  if (node->kind == NODE_SCALAR && !InputIsNull(node)) return InputQuote(node->text);
  snprintf(described.text, sizeof described.text, "%s", node->kind == NODE_MAP ? "a map" : node->kind == NODE_LIST ? "a list" : "nothing");
  return described;
}

PetscErrorCode InputWritePath(const InputNode *node, InputBuffer *buffer)
{
  PetscFunctionBegin;
  if (node->parent) {
    PetscCall(InputWritePath(node->parent, buffer));
    if (node->key) {
      if (buffer->length) PetscCall(InputBufferAdd(buffer, ".", 1));
      PetscCall(InputBufferAddName(buffer, node->key));
    } else {
      PetscCall(InputBufferPrint(buffer, "[%" PetscInt_FMT "]", node->index));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Keeps a complaint about `place`. */
static PetscErrorCode Keep(InputDocument *document, Place place, InputBuffer *text)
{
  InputComplaint *complaint;

  PetscFunctionBegin;
  if (document->num_kept == document->capacity) {
    document->capacity = PetscMax(2 * document->capacity, 16);
    PetscCall(PetscRealloc(document->capacity * sizeof *document->complaints, &document->complaints));
  }
  Tame(text->data);
  complaint  = &document->complaints[document->num_kept++];
  *complaint = (InputComplaint){.place = place, .order = document->num_kept};
  PetscCall(InputCopyText(document, text->data, strlen(text->data), &complaint->text));
  PetscCall(InputCopyText(document, place.file, strlen(place.file), &complaint->place.file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Without `about`, the complaint has no path. */
static PetscErrorCode Complain(InputDocument *document, Place place, const InputNode *about, const char *format, va_list arguments)
  PETSC_ATTRIBUTE_FORMAT(4, 0);
static PetscErrorCode Complain(InputDocument *document, Place place, const InputNode *about, const char *format, va_list arguments)
{
  char        message[MAX_MESSAGE + 8];
  InputBuffer text = {0};

  PetscFunctionBegin;
  document->num_complaints++;
  if (document->num_kept >= INPUT_MAX_KEPT) PetscFunctionReturn(PETSC_SUCCESS);
  if (about) PetscCall(InputWritePath(about, &text));
  if (text.length) {
    Shorten(text.data, MAX_PATH);
    text.length = strlen(text.data);
    PetscCall(InputBufferAdd(&text, ": ", 2));
  }
  vsnprintf(message, sizeof message, format, arguments);
  Shorten(message, MAX_MESSAGE);
  PetscCall(InputBufferAdd(&text, message, strlen(message)));
  PetscCall(Keep(document, place, &text));
  PetscCall(InputBufferDestroy(&text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputComplain(const InputNode *node, const char *format, ...)
{
  va_list arguments;

  PetscFunctionBegin;
  if (node == node->document->root && node->document->broken) PetscFunctionReturn(PETSC_SUCCESS);
  va_start(arguments, format);
  PetscCall(Complain(node->document, node->place, node, format, arguments));
  va_end(arguments);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputComplainKey(const InputNode *node, const char *format, ...)
{
  va_list arguments;

  PetscFunctionBegin;
  va_start(arguments, format);
  PetscCall(Complain(node->document, node->key_place, node->parent, format, arguments));
  va_end(arguments);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputComplainAt(InputDocument *document, Place place, const char *format, ...)
{
  va_list arguments;

  PetscFunctionBegin;
  va_start(arguments, format);
  PetscCall(Complain(document, place, NULL, format, arguments));
  va_end(arguments);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt InputNumComplaints(const InputDocument *document)
{
  return (PetscInt)document->num_complaints;
}

PetscErrorCode InputRetract(InputDocument *document, PetscInt count, char first[], size_t size)
{
  PetscFunctionBegin;
  if (first) PetscCall(PetscStrncpy(first, document->num_kept > (size_t)count ? document->complaints[count].text : "", size));
  document->num_complaints = PetscMin(document->num_complaints, (size_t)count);
  document->num_kept       = PetscMin(document->num_kept, (size_t)count);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int CompareComplaints(const void *a, const void *b)
{
  const InputComplaint *const one = a, *const two = b;
  const int file = strcmp(one->place.file, two->place.file);

  if (file != 0) return file;
  if (one->place.line != two->place.line) return one->place.line < two->place.line ? -1 : 1;
  if (one->place.column != two->place.column) return one->place.column < two->place.column ? -1 : 1;
  return one->order < two->order ? -1 : one->order > two->order;
}

/* Two readers of one value may complain alike: this counts once. After sorting, equal complaints need not be neighbours, but all complaints
   about one place are. */
static void DropRepeated(InputDocument *document)
{
  InputComplaint *const complaints = document->complaints;
  size_t                kept = 0, first = 0; /* of those kept, the first at this place */

  for (size_t i = 0; i < document->num_kept; i++) {
    const Place here = complaints[i].place;
    size_t      j;

    if (kept == 0 || here.line != complaints[first].place.line || here.column != complaints[first].place.column ||
        strcmp(here.file, complaints[first].place.file) != 0)
      first = kept;
    for (j = first; j < kept && j < first + INPUT_MAX_PRINTED && strcmp(complaints[j].text, complaints[i].text) != 0; j++) continue;
    if (j < kept && j < first + INPUT_MAX_PRINTED) document->num_complaints--;
    else complaints[kept++] = complaints[i];
  }
  document->num_kept = kept;
}

static PetscErrorCode WriteComplaint(const InputComplaint *complaint, InputBuffer *buffer)
{
  const Place place = complaint->place;

  PetscFunctionBegin;
  PetscCall(InputBufferPrint(buffer, "error: %s:", place.file));
  if (place.line > 0) PetscCall(InputBufferPrint(buffer, "%" PetscInt_FMT ":%" PetscInt_FMT ":", place.line, place.column));
  PetscCall(InputBufferPrint(buffer, " %s\n", complaint->text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputWriteComplaints(InputDocument *document, InputBuffer *buffer)
{
  size_t shown;

  PetscFunctionBegin;
  if (document->num_kept) qsort(document->complaints, document->num_kept, sizeof *document->complaints, CompareComplaints);
  DropRepeated(document);
  shown = PetscMin(document->num_kept, (size_t)INPUT_MAX_PRINTED);
  for (size_t i = 0; i < shown; i++) PetscCall(WriteComplaint(&document->complaints[i], buffer));
  if (document->num_complaints > shown)
    PetscCall(InputBufferPrint(buffer, "error: %s: and %zu more\n", document->file, document->num_complaints - shown));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What has been printed, for who listens. */
static void TellComplaints(const InputDocument *document)
{
  const size_t shown = PetscMin(document->num_kept, (size_t)INPUT_MAX_PRINTED);

  for (size_t i = 0; i < shown; i++) LogTellError(document->complaints[i].place, document->complaints[i].text);
}

PetscErrorCode InputVerdict(InputDocument *document)
{
  InputBuffer text = {0};
  PetscMPIInt rank;

  PetscFunctionBegin;
  if (document->num_complaints == 0 || document->trial.under_way) PetscFunctionReturn(PETSC_SUCCESS);
  if (document->num_complaints != document->num_shown) {
    PetscCall(InputWriteComplaints(document, &text));
    PetscCallMPI(MPI_Comm_rank(document->comm, &rank));
    if (rank == 0) {
      fputs(text.data, PETSC_STDERR);
      fflush(PETSC_STDERR);
      TellComplaints(document);
    }
    PetscCall(InputBufferDestroy(&text));
    document->num_shown = document->num_complaints;
  }
  SETERRQ(document->comm, PETSC_ERR_USER_INPUT, "%" PetscInt_FMT " faults in %s", InputNumComplaints(document), document->file);
}
