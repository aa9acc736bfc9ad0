/* gmsh_entities.c - the geometric entities that elements belong to, with their physical groups; in a partitioned mesh pieces of them. */
#include "gmsh.h"

enum { MAX_DIM = 3, MAX_GROUPS = 100 }; /* of one entity */

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

/* The rest of what is said of an entity: its box (of a point its place, but in 4.0), its groups, its boundary. */
static PetscErrorCode AddEntity(Scanner *scanner, Draft *draft, PetscInt box_of_point, DraftEntity *entity)
{
  PetscReal box[6];

  PetscFunctionBegin;
  PetscCall(DraftReserve(draft->num_entities + 1, sizeof *draft->entities, &draft->room_entities, &draft->entities));
  ScanReals(scanner, "the extents of an entity", entity->dim == 0 ? box_of_point : 6, box);
  PetscCall(ReadGroups(scanner, draft, entity));
  if (entity->dim > 0) SkipInts(scanner, "the boundary of an entity");
  draft->entities[draft->num_entities++] = *entity;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadEntity(Scanner *scanner, Draft *draft, PetscInt dim, PetscInt box_of_point)
{
  DraftEntity entity = {.dim = dim};

  PetscFunctionBegin;
  ScanInts(scanner, "the number of an entity", 1, &entity.tag);
  entity.whole = entity.tag;
  PetscCall(AddEntity(scanner, draft, box_of_point, &entity));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A piece of an entity that is divided over partitions. Gmsh puts the borders between partitions into the groups of what they divide: they are
   of lower dimension than that, and not part of the model. */
static PetscErrorCode ReadPiece(Scanner *scanner, Draft *draft, PetscInt dim, PetscInt box_of_point)
{
  DraftEntity entity = {.dim = dim};
  PetscInt64  parent[2], count, partition = 0;

  PetscFunctionBegin;
  ScanInts(scanner, "the number of an entity", 1, &entity.tag);
  ScanInts(scanner, "the dimension and number of the entity that is divided", 2, parent);
  ScanSizes(scanner, "the number of partitions of an entity", 1, &count);
  for (PetscInt64 i = 0; i < count && !ScanFailed(scanner); i++) ScanInts(scanner, "a partition of an entity", 1, &partition);
  entity.border    = (PetscBool)(parent[0] != dim);
  entity.whole     = parent[1];
  entity.partition = count == 1 ? (PetscInt)partition : 0;
  PetscCall(AddEntity(scanner, draft, box_of_point, &entity));
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef PetscErrorCode (*ReadOne)(Scanner *scanner, Draft *draft, PetscInt dim, PetscInt box_of_point);

static PetscErrorCode ReadAll(Scanner *scanner, Draft *draft, PetscInt box_of_point, ReadOne read)
{
  PetscInt64 counts[MAX_DIM + 1];

  PetscFunctionBegin;
  ScanSizes(scanner, "the numbers of points, curves, surfaces and volumes", MAX_DIM + 1, counts);
  for (PetscInt dim = 0; dim <= MAX_DIM; dim++) {
    for (PetscInt64 i = 0; i < counts[dim] && !ScanFailed(scanner); i++) PetscCall(read(scanner, draft, dim, box_of_point));
  }
  PetscCall(DraftSortEntities(draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GmshReadEntities40(Scanner *scanner, Draft *draft)
{
  PetscFunctionBegin;
  PetscCall(ReadAll(scanner, draft, 6, ReadEntity));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GmshReadEntities41(Scanner *scanner, Draft *draft)
{
  PetscFunctionBegin;
  PetscCall(ReadAll(scanner, draft, 3, ReadEntity));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Ghosts are elements of other partitions again: what lists them is skipped. */
static PetscErrorCode ReadPieces(Scanner *scanner, Draft *draft, PetscInt box_of_point)
{
  PetscInt64 num_ghosts, ignored[2];

  PetscFunctionBegin;
  ScanSizes(scanner, "the number of partitions", 1, &draft->num_partitions);
  ScanSizes(scanner, "the number of ghost entities", 1, &num_ghosts);
  for (PetscInt64 i = 0; i < num_ghosts && !ScanFailed(scanner); i++) ScanInts(scanner, "the number and partition of a ghost entity", 2, ignored);
  PetscCall(ReadAll(scanner, draft, box_of_point, ReadPiece));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GmshReadPartitionedEntities40(Scanner *scanner, Draft *draft)
{
  PetscFunctionBegin;
  PetscCall(ReadPieces(scanner, draft, 6));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GmshReadPartitionedEntities41(Scanner *scanner, Draft *draft)
{
  PetscFunctionBegin;
  PetscCall(ReadPieces(scanner, draft, 3));
  PetscFunctionReturn(PETSC_SUCCESS);
}
