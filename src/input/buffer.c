/* buffer.c - a text that grows. */
#include "input_private.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static PetscErrorCode Reserve(InputBuffer *buffer, size_t extra)
{
  const size_t needed = buffer->length + extra + 1;

  PetscFunctionBegin;
  if (needed > buffer->capacity) {
    const size_t capacity = PetscMax(needed, 2 * buffer->capacity);

    PetscCall(PetscRealloc(capacity, &buffer->data));
    buffer->capacity = capacity;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputBufferAdd(InputBuffer *buffer, const char *bytes, size_t length)
{
  PetscFunctionBegin;
  PetscCall(Reserve(buffer, length));
  if (length) memcpy(buffer->data + buffer->length, bytes, length);
  buffer->length += length;
  buffer->data[buffer->length] = '\0';
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputBufferPrint(InputBuffer *buffer, const char *format, ...)
{
  va_list arguments;
  int     length;

  PetscFunctionBegin;
  va_start(arguments, format);
  length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  PetscCheck(length >= 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "vsnprintf failed on '%s'", format);
  PetscCall(Reserve(buffer, (size_t)length));
  va_start(arguments, format);
  vsnprintf(buffer->data + buffer->length, (size_t)length + 1, format, arguments);
  va_end(arguments);
  buffer->length += (size_t)length;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The number of bytes at the start of a text that need no escape. */
static size_t CountUnescaped(const char *text)
{
  size_t count = 0;

  while ((unsigned char)text[count] >= 0x20 && !strchr("\"\\\177", text[count])) count++;
  return count;
}

PetscErrorCode InputBufferAddEscaped(InputBuffer *buffer, const char *text)
{
  PetscFunctionBegin;
  while (*text) {
    const size_t plain = CountUnescaped(text);

    PetscCall(InputBufferAdd(buffer, text, plain));
    text += plain;
    if (*text == '\n') PetscCall(InputBufferAdd(buffer, "\\n", 2));
    else if (*text == '"' || *text == '\\') PetscCall(InputBufferPrint(buffer, "\\%c", *text));
    else if (*text) PetscCall(InputBufferPrint(buffer, "\\x%02x", (unsigned)(unsigned char)*text));
    if (*text) text++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Letters of other alphabets need no quotes. */
static PetscBool IsPlain(const char *text)
{
  if (!*text) return PETSC_FALSE;
  for (const char *c = text; *c; c++) {
    if (!isalnum((unsigned char)*c) && !strchr("_-+/", *c) && (unsigned char)*c < 0x80) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

PetscErrorCode InputBufferAddName(InputBuffer *buffer, const char *text)
{
  const PetscBool plain = IsPlain(text);

  PetscFunctionBegin;
  if (!plain) PetscCall(InputBufferAdd(buffer, "\"", 1));
  PetscCall(InputBufferAddEscaped(buffer, text));
  if (!plain) PetscCall(InputBufferAdd(buffer, "\"", 1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputBufferDestroy(InputBuffer *buffer)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(buffer->data));
  *buffer = (InputBuffer){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
