/* gmsh_names.c - physical groups: their names, and the geometric entities that belong to them. */
#include "gmsh.h"
#include <stdio.h>
#include <string.h>

enum { MAX_DIM = 3, MAX_GROUPS = 100 }; /* of one entity */

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
    if (keys[i] == keys[i - 1])
      ScanFail(scanner, start, "the physical group %d of dimension %d is given two names", (int)(keys[i] & INT32_MAX), (int)(keys[i] >> 32));
  }
  PetscCall(PetscFree(keys));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GmshReadNames(Scanner *scanner, Draft *draft)
{
  const char *const start = scanner->at;
  PetscInt64        count, numbers[2];

  PetscFunctionBegin;
  ScanTextInts(scanner, "the number of names", 1, &count);
  if (count < 0) ScanFail(scanner, start, "expected a number of names, found %" PetscInt64_FMT, count);
  for (PetscInt64 i = 0; i < count && !ScanFailed(scanner); i++) {
    DraftName *name;

    PetscCall(DraftReserve(draft->num_names + 1, sizeof *draft->names, &draft->room_names, &draft->names));
    ScanTextInts(scanner, "the dimension and number of a physical group", 2, numbers);
    if (numbers[0] < 0 || numbers[0] > MAX_DIM)
      ScanFail(scanner, scanner->at, "expected a dimension from 0 to 3 before the name, found %" PetscInt64_FMT, numbers[0]);
    name         = &draft->names[draft->num_names++];
    name->dim    = (PetscInt)numbers[0];
    name->number = GmshGroupNumber(scanner, scanner->at, numbers[1]);
    ReadName(scanner, name->text);
  }
  if (!ScanFailed(scanner)) PetscCall(RefuseSecondNames(scanner, start, draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Once, whichever way the entity is turned in it. */
static PetscErrorCode AddGroup(Draft *draft, DraftEntity *entity, PetscInt number)
{
  PetscFunctionBegin;
  for (PetscInt i = entity->first_group; i < draft->num_entity_groups; i++) {
    if (draft->entity_groups[i] == number) PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(DraftReserve(draft->num_entity_groups + 1, sizeof *draft->entity_groups, &draft->room_entity_groups, &draft->entity_groups));
  draft->entity_groups[draft->num_entity_groups++] = number;
  entity->num_groups++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadGroups(Scanner *scanner, Draft *draft, DraftEntity *entity)
{
  const char *const at = ScanHere(scanner);
  PetscInt64        count, number;

  PetscFunctionBegin;
  ScanSizes(scanner, "the number of physical groups of an entity", 1, &count);
  if (count < 0 || count > MAX_GROUPS) ScanFail(scanner, at, "an entity may be in %d physical groups, found %" PetscInt64_FMT, MAX_GROUPS, count);
  entity->first_group = draft->num_entity_groups;
  for (PetscInt64 i = 0; i < count && !ScanFailed(scanner); i++) {
    const char *const here = ScanHere(scanner);

    ScanInts(scanner, "the number of a physical group", 1, &number);
    PetscCall(AddGroup(draft, entity, GmshGroupNumber(scanner, here, number)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers that tell us nothing, after their count. */
static void SkipInts(Scanner *scanner, const char *what)
{
  PetscInt64 count, ignored;

  ScanSizes(scanner, what, 1, &count);
  for (PetscInt64 i = 0; i < count && !ScanFailed(scanner); i++) ScanInts(scanner, what, 1, &ignored);
}

static PetscErrorCode ReadEntity(Scanner *scanner, Draft *draft, PetscInt dim)
{
  DraftEntity entity = {.dim = dim};
  PetscReal   box[6];

  PetscFunctionBegin;
  PetscCall(DraftReserve(draft->num_entities + 1, sizeof *draft->entities, &draft->room_entities, &draft->entities));
  ScanInts(scanner, "the number of an entity", 1, &entity.tag);
  ScanReals(scanner, "the extents of an entity", dim == 0 ? 3 : 6, box);
  PetscCall(ReadGroups(scanner, draft, &entity));
  if (dim > 0) SkipInts(scanner, "the boundary of an entity");
  draft->entities[draft->num_entities++] = entity;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GmshReadEntities(Scanner *scanner, Draft *draft)
{
  PetscInt64 counts[MAX_DIM + 1];

  PetscFunctionBegin;
  ScanSizes(scanner, "the numbers of points, curves, surfaces and volumes", MAX_DIM + 1, counts);
  for (PetscInt dim = 0; dim <= MAX_DIM; dim++) {
    for (PetscInt64 i = 0; i < counts[dim] && !ScanFailed(scanner); i++) PetscCall(ReadEntity(scanner, draft, dim));
  }
  PetscCall(DraftSortEntities(draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Gmsh puts the borders between partitions into the groups of what they divide: such a mesh is not the one that was made. */
PetscErrorCode GmshReadPartitionedEntities(Scanner *scanner, Draft *draft)
{
  PetscFunctionBegin;
  (void)draft;
  ScanFail(scanner, scanner->at, "a partitioned mesh is not read: save it without partitions, elements are spread over ranks here");
  PetscFunctionReturn(PETSC_SUCCESS);
}
