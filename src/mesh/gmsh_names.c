/* gmsh_names.c - the names of physical groups. */
#include "gmsh.h"
#include <stdio.h>
#include <string.h>

enum { MAX_DIM = 3 };

PetscInt GmshGroupNumber(Scanner *scanner, const char *at, PetscInt64 number)
{
  if (number >= -INT32_MAX && number <= INT32_MAX) return (PetscInt)(number < 0 ? -number : number);
  ScanFail(scanner, at, "expected the number of a physical group, found %" PetscInt64_FMT, number);
  return 0;
}

/* The text between the first and the last quote of a line: a name may hold quotes itself. */
static void ReadName(Scanner *scanner, char name[DRAFT_MAX_NAME + 1])
{
  size_t            length = 0;
  const char *const line = ScanLine(scanner, &length), *const open = length ? memchr(line, '"', length) : NULL;
  size_t kept;

  name[0] = '\0';
  if (ScanFailed(scanner)) return;
  if (!open || line[length - 1] != '"' || open == &line[length - 1]) {
    ScanFail(scanner, line, "expected the name of a physical group in quotes");
    return;
  }
  kept = (size_t)(&line[length - 1] - open) - 1;
  if (kept > DRAFT_MAX_NAME) ScanFail(scanner, open, "the name of a physical group may have %d bytes, this one has %zu", DRAFT_MAX_NAME, kept);
  else if (memchr(open + 1, '\0', kept)) ScanFail(scanner, open, "the name of a physical group holds a NUL byte");
  if (ScanFailed(scanner)) return;
  memcpy(name, open + 1, kept);
  name[kept] = '\0';
}

/* A group has one name. */
static PetscErrorCode RefuseSecondNames(Scanner *scanner, const char *start, const Draft *draft)
{
  PetscInt64 *keys;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(draft->num_names, &keys));
  for (PetscInt i = 0; i < draft->num_names; i++) keys[i] = DraftKey(draft->names[i].dim, draft->names[i].number);
  PetscCall(PetscSortInt64(draft->num_names, keys));
  for (PetscInt i = 1; i < draft->num_names; i++) {
    const PetscInt dim = DraftKeyDim(keys[i]);

    if (keys[i] != keys[i - 1]) continue;
    if (dim < 0) ScanFail(scanner, start, "the physical group %d is given two names", (int)(keys[i] & INT32_MAX));
    else ScanFail(scanner, start, "the physical group %d of dimension %" PetscInt_FMT " is given two names", (int)(keys[i] & INT32_MAX), dim);
  }
  PetscCall(PetscFree(keys));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Its dimension and number; version 2.0 had the number only. */
static void ReadGroup(Scanner *scanner, DraftName *name)
{
  PetscInt64 numbers[2];

  ScanTextInts(scanner, "the dimension and number of a physical group", 1, numbers);
  if (ScanNextIs(scanner, '"')) {
    numbers[1] = numbers[0];
    name->dim  = MESH_ANY_DIM;
  } else {
    ScanTextInts(scanner, "the dimension and number of a physical group", 1, &numbers[1]);
    if (numbers[0] < 0 || numbers[0] > MAX_DIM)
      ScanFail(scanner, scanner->at, "expected a dimension from 0 to 3 before the name, found %" PetscInt64_FMT, numbers[0]);
    name->dim = (PetscInt)numbers[0];
  }
  name->number = GmshGroupNumber(scanner, scanner->at, numbers[1]);
}

PetscErrorCode GmshReadNames(Scanner *scanner, Draft *draft)
{
  const char *const start = scanner->at;
  PetscInt64        count;

  PetscFunctionBegin;
  ScanTextInts(scanner, "the number of names", 1, &count);
  if (count < 0) ScanFail(scanner, start, "expected a number of names, found %" PetscInt64_FMT, count);
  for (PetscInt64 i = 0; i < count && !ScanFailed(scanner); i++) {
    DraftName *name;

    PetscCall(DraftReserve(draft->num_names + 1, sizeof *draft->names, &draft->room_names, &draft->names));
    name = &draft->names[draft->num_names++];
    ReadGroup(scanner, name);
    ReadName(scanner, name->text);
  }
  if (!ScanFailed(scanner)) PetscCall(RefuseSecondNames(scanner, start, draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}
