/*
  json.h - JSON, written as it comes: nothing is kept in memory.

  Every member of an object is named by `key`; items of a list have none (NULL). Numbers have all their digits; NaN is null, and infinity
  1e999, which readers take for infinity. Texts that are not UTF-8 get U+FFFD for what is wrong in them. All of it is local.
*/
#pragma once
#include "base.h"
#include <stdio.h>

enum { JSON_MOST_DEPTH = 32 };

typedef struct {
  FILE     *out;
  int       depth;
  PetscBool filled[JSON_MOST_DEPTH]; /* something stands in what is open at this depth */
  char      closing[JSON_MOST_DEPTH];
} Json;

void JsonBegin(FILE *out, Json *json);
void JsonOpenObject(Json *json, const char *key);
void JsonOpenList(Json *json, const char *key);
void JsonClose(Json *json); /* what was opened last; a new line behind the outermost */
void JsonReal(Json *json, const char *key, PetscReal value);
void JsonCount(Json *json, const char *key, PetscInt64 value);
void JsonTruth(Json *json, const char *key, PetscBool value);
void JsonText(Json *json, const char *key, const char *text); /* null for NULL */
/* An item for each line of a text. */
void JsonLines(Json *json, const char *key, const char *text);
