/* earlier.c - what already is at the path of a new result: read, compared, kept under another name. */
#include "result.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <version.h>

static PetscErrorCode Read(const char *path, Earlier *earlier)
{
  const hid_t file = FileOpen(path);
  struct stat status;
  PetscInt64  complete = 0;
  PetscBool   marked   = PETSC_FALSE;

  PetscFunctionBegin;
  *earlier        = (Earlier){0};
  earlier->exists = (PetscBool)(lstat(path, &status) == 0);
  if (file < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(AttributeGetTextByName(file, "/case", "values", &earlier->values));
  PetscCall(AttributeGetTextByName(file, "/case", "version", &earlier->version));
  PetscCall(AttributeGetTextByName(file, "/case", "commit", &earlier->commit));
  PetscCall(DatasetGetCount(file, "/case/complete", &complete, &marked));
  earlier->ours     = (PetscBool)(earlier->values && earlier->version && earlier->commit && marked);
  earlier->complete = (PetscBool)(complete == 1);
  H5Fclose(file);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether metadata have no checksums: the format that HDF5 writes by default, and that results had before. */
static PetscBool IsUnguarded(const char *path)
{
  unsigned char head[9] = {0};
  FILE *const   file    = fopen(path, "rb");
  const size_t  got     = file ? fread(head, 1, sizeof(head), file) : 0;

  if (file) fclose(file);
  return (PetscBool)(got == sizeof(head) && memcmp(head, "\211HDF\r\n\032\n", 8) == 0 && head[8] < 2);
}

static PetscErrorCode Try(FILE *out, const char *path, void *context)
{
  Earlier earlier;

  PetscFunctionBegin;
  (void)out, (void)context;
  PetscCall(Read(path, &earlier));
  PetscCall(EarlierFree(&earlier));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EarlierRead(const char *path, Earlier *earlier)
{
  const Reading trial = {.out = stdout, .work = Try, .path = path, .most_silence = READ_MOST_SILENCE};

  PetscFunctionBegin;
  *earlier = (Earlier){0};
  if (IsUnguarded(path)) PetscCall(ReadApart(&trial));
  PetscCall(Read(path, earlier));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EarlierFree(Earlier *earlier)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(earlier->values));
  PetscCall(PetscFree(earlier->version));
  PetscCall(PetscFree(earlier->commit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One line `path: value` of the values; length 0 past the end. */
typedef struct {
  const char *text;
  int         length, key_length;
  const char *value;
  int         value_length;
} Line;

static Line LineAt(const char *text)
{
  Line        line  = {.text = text, .length = (int)strcspn(text, "\n")};
  const char *colon = memchr(text, ':', (size_t)line.length);

  line.key_length = colon ? (int)(colon - text) : line.length;
  line.value      = text + line.key_length + (colon ? 1 : 0);
  line.value += strspn(line.value, " ");
  line.value_length = (int)PetscMax(0, text + line.length - line.value);
  return line;
}

static PetscBool SameKey(Line a, Line b)
{
  return (PetscBool)(a.key_length == b.key_length && strncmp(a.text, b.text, (size_t)a.key_length) == 0);
}

static const char *NextLine(const char *text)
{
  text += strcspn(text, "\n");
  return *text ? text + 1 : text;
}

static PetscBool HasKey(const char *text, Line line)
{
  for (; *text; text = NextLine(text)) {
    if (SameKey(LineAt(text), line)) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

static void DescribeChange(const char *was_text, const char *is_text, size_t length, char difference[])
{
  const Line was = LineAt(was_text), is = LineAt(is_text);

  if (was.length > 0 && is.length > 0 && SameKey(was, is)) {
    snprintf(difference, length, "%.*s was %.*s, is now %.*s", is.key_length, is.text, was.value_length, was.value, is.value_length, is.value);
  } else if (was.length > 0 && !HasKey(is_text, was)) {
    snprintf(difference, length, "%.*s was %.*s, is now absent", was.key_length, was.text, was.value_length, was.value);
  } else {
    snprintf(difference, length, "%.*s was absent, is now %.*s", is.key_length, is.text, is.value_length, is.value);
  }
}

void EarlierCompareValues(const char *was, const char *is, size_t length, char difference[])
{
  while (*was && *is) {
    const Line old = LineAt(was), now = LineAt(is);

    if (old.length != now.length || strncmp(old.text, now.text, (size_t)now.length) != 0) break;
    was = NextLine(was);
    is  = NextLine(is);
  }
  if (*was || *is) DescribeChange(was, is, length, difference);
}

PetscErrorCode EarlierDifference(const Earlier *earlier, const char *values, size_t length, char difference[])
{
  PetscFunctionBegin;
  difference[0] = '\0';
  if (!earlier->exists) snprintf(difference, length, "there is no such file");
  else if (!earlier->ours) snprintf(difference, length, "it is not a result of dovetail, or is damaged");
  else EarlierCompareValues(earlier->values, values, length, difference);
  if (difference[0] || !earlier->ours) PetscFunctionReturn(PETSC_SUCCESS);
  if (strcmp(earlier->version, DOVETAIL_VERSION) != 0 || strcmp(earlier->commit, DOVETAIL_COMMIT) != 0) {
    snprintf(difference, length, "it was made by dovetail %s (%s), this is %s (%s)", earlier->version, earlier->commit, DOVETAIL_VERSION,
             DOVETAIL_COMMIT);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool IsFree(const char *path)
{
  struct stat status;
  return (PetscBool)(lstat(path, &status) != 0 && errno == ENOENT);
}

/* PATH.1, PATH.2, ...: the first that is free with its restart folder. */
PetscErrorCode EarlierFindFreeName(const char *path, char name[PETSC_MAX_PATH_LEN])
{
  char restart[PETSC_MAX_PATH_LEN], suffix[32];

  PetscFunctionBegin;
  for (PetscInt i = 1;; i++) {
    PetscCall(PetscSNPrintf(suffix, sizeof(suffix), ".%" PetscInt_FMT, i));
    PetscCall(PathAppend(path, suffix, name));
    PetscCall(PathAppend(name, ".restart", restart));
    if (IsFree(name) && IsFree(restart)) PetscFunctionReturn(PETSC_SUCCESS);
  }
}

/* The restart folder goes first: a kill in between must not leave it to a result it does not belong to. */
static PetscErrorCode Keep(const char *path)
{
  char name[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(EarlierFindFreeName(path, name));
  PetscCall(RestartMove(path, name));
  if (rename(path, name) != 0) PetscFunctionReturn(RefuseWriting(path, errno));
  LogSay("%s: the earlier file is kept as %s", path, name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EarlierCheck(const char *path)
{
  Earlier   earlier;
  PetscBool foreign;

  PetscFunctionBegin;
  PetscCall(EarlierRead(path, &earlier));
  foreign = (PetscBool)(earlier.exists && !earlier.ours);
  PetscCall(EarlierFree(&earlier));
  if (foreign)
    PetscFunctionReturn(
      Refuse(path, "cannot be written: the file there is not a result of dovetail, or is damaged; choose another name, or move it away"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EarlierMakeRoom(const char *path, const char *values)
{
  Earlier earlier;
  char    difference[8];

  PetscFunctionBegin;
  PetscCall(EarlierCheck(path)); /* it may have come meanwhile */
  PetscCall(EarlierRead(path, &earlier));
  PetscCall(EarlierDifference(&earlier, values, sizeof(difference), difference));
  if (earlier.exists && !(earlier.complete && difference[0] == '\0')) PetscCall(Keep(path));
  else PetscCall(RestartRemoveAll(path));
  PetscCall(EarlierFree(&earlier));
  PetscFunctionReturn(PETSC_SUCCESS);
}
