/* json.c - JSON (RFC 8259): brackets, commas, texts and numbers. */
#include "base/json.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void JsonBegin(FILE *out, Json *json)
{
  *json = (Json){.out = out};
}

/* The bytes of the character that a text begins with, 0 where it is not UTF-8 (RFC 3629). */
static int LengthOfCharacter(const unsigned char *text)
{
  const unsigned first = text[0], second = text[1];
  const int      length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;

  for (int i = 1; i < length; i++)
    if ((text[i] & 0xC0) != 0x80) return 0;
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0; /* too long; half of a pair of UTF-16 */
  return (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F) ? 0 : length;
}

static void WriteText(FILE *out, const char *text, size_t size)
{
  fputc('"', out);
  for (size_t i = 0; i < size;) {
    const unsigned char *const at     = (const unsigned char *)text + i;
    const int                  length = LengthOfCharacter(at);

    if (length == 0) fputs("\\ufffd", out);
    else if (*at == '"' || *at == '\\') fprintf(out, "\\%c", *at);
    else if (*at == '\n') fputs("\\n", out);
    else if (*at == '\t') fputs("\\t", out);
    else if (*at < 0x20 || *at == 0x7F) fprintf(out, "\\u%04x", (unsigned)*at);
    else (void)fwrite(at, 1, (size_t)length, out);
    i += (size_t)PetscMax(length, 1);
  }
  fputc('"', out);
}

/* Members stand on lines of their own, items of a list behind one another. */
static void BeginValue(Json *json, const char *key)
{
  if (json->filled[json->depth]) fputs(key ? "," : ", ", json->out);
  json->filled[json->depth] = PETSC_TRUE;
  if (!key) return;
  fprintf(json->out, "\n%*s", 2 * json->depth, "");
  WriteText(json->out, key, strlen(key));
  fputs(": ", json->out);
}

static void Open(Json *json, const char *key, char opening, char closing)
{
  BeginValue(json, key);
  fputc(opening, json->out);
  if (json->depth == JSON_MOST_DEPTH - 1) abort(); /* no file and no case is so deep */
  json->depth++;
  json->filled[json->depth]  = PETSC_FALSE;
  json->closing[json->depth] = closing;
}

void JsonOpenObject(Json *json, const char *key)
{
  Open(json, key, '{', '}');
}

void JsonOpenList(Json *json, const char *key)
{
  Open(json, key, '[', ']');
}

void JsonClose(Json *json)
{
  const char closing = json->closing[json->depth];

  if (closing == '}' && json->filled[json->depth]) fprintf(json->out, "\n%*s", 2 * (json->depth - 1), "");
  fputc(closing, json->out);
  json->depth--;
  if (json->depth == 0) fputc('\n', json->out);
}

void JsonReal(Json *json, const char *key, PetscReal value)
{
  BeginValue(json, key);
  if (isnan(value)) fputs("null", json->out);
  else if (isinf(value)) fputs(value > 0.0 ? "1e999" : "-1e999", json->out);
  else fputs(DigitsOf(value).text, json->out);
}

void JsonCount(Json *json, const char *key, PetscInt64 value)
{
  BeginValue(json, key);
  fprintf(json->out, "%" PetscInt64_FMT, value);
}

void JsonTruth(Json *json, const char *key, PetscBool value)
{
  BeginValue(json, key);
  fputs(value ? "true" : "false", json->out);
}

void JsonText(Json *json, const char *key, const char *text)
{
  BeginValue(json, key);
  if (text) WriteText(json->out, text, strlen(text));
  else fputs("null", json->out);
}

void JsonLines(Json *json, const char *key, const char *text)
{
  JsonOpenList(json, key);
  while (*text) {
    const size_t length = strcspn(text, "\n");

    BeginValue(json, NULL);
    WriteText(json->out, text, length);
    text += length + (text[length] == '\n');
  }
  JsonClose(json);
}
