/* mend.c - damage of a result that is resumed: what is known is written anew, the rest is as if it had not been computed. */
#include "result.h"
#include <math.h>
#include <string.h>

PetscErrorCode MendGiven(Result *result, int slot, const void *values)
{
  const Extent *const extent = &result->extents[slot];
  PetscBool           sound;

  PetscFunctionBegin;
  PetscCall(SumsCheck(result, slot, &sound));
  if (sound) PetscFunctionReturn(PETSC_SUCCESS);
  LogWarn("%s: %s was damaged and is written anew", result->path, extent->path);
  PetscCall(DataWrite(result, result->offsets[slot], (size_t)extent->num_bytes, values));
  PetscCall(SumsCheck(result, slot, &sound)); /* they get the sums of what is there now */
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MendReserved(Result *result, int slot)
{
  PetscBool sound;

  PetscFunctionBegin;
  PetscCall(SumsCheck(result, slot, &sound));
  result->extents[slot].damaged = (PetscBool)!sound;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of what belongs together, "/KIND/NAME", the letters. */
static size_t LengthOfStudy(const char *path)
{
  const char *const name = strchr(path + 1, '/');

  return name ? 1 + (size_t)(name - path) + strcspn(name + 1, "/") : strlen(path);
}

static PetscErrorCode WriteNotYet(const Result *result, int slot)
{
  enum { NUMBERS = 4096 };
  const Extent *const extent = &result->extents[slot];
  PetscReal           empty[NUMBERS];

  PetscFunctionBegin;
  for (PetscInt i = 0; i < NUMBERS; i++) empty[i] = extent->type == RESULT_REAL ? (PetscReal)NAN : 0.0; /* the bytes of 0 and of "" */
  for (PetscInt64 at = 0; at < extent->num_bytes; at += (PetscInt64)sizeof(empty))
    PetscCall(
      DataWrite(result, result->offsets[slot] + at, (size_t)PetscMin((PetscInt64)sizeof(empty), extent->num_bytes - at), (const char *)empty));
  SumsForget(result, slot);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Forget(Result *result, const char *path)
{
  const size_t length = LengthOfStudy(path);
  char         study[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(study, sizeof(study), "%.*s", (int)length, path));
  LogWarn("%s: rows of %s are damaged; %s is computed anew", result->path, path, study);
  for (PetscInt64 s = 0; s < result->num_slots; s++) {
    Extent *const extent = &result->extents[s];

    if (!extent->guarded || extent->given || strncmp(extent->path, study, length) || LengthOfStudy(extent->path) != length) continue;
    PetscCall(WriteNotYet(result, (int)s));
    extent->damaged = PETSC_FALSE;
  }
  PetscCall(RestartForget(result->path, strrchr(study, '/') + 1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MendAll(Result *result)
{
  PetscFunctionBegin;
  for (PetscInt64 s = 0; s < result->num_slots; s++)
    if (result->extents[s].damaged) PetscCall(Forget(result, result->extents[s].path));
  PetscFunctionReturn(PETSC_SUCCESS);
}
