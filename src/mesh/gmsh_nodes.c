/* gmsh_nodes.c - the nodes of .msh files. */
#include "gmsh.h"

enum { MAX_DIM = 3 };

static PetscErrorCode Reserve(Draft *draft, PetscInt count)
{
  PetscFunctionBegin;
  PetscCall(DraftReserve(draft->num_nodes + count, sizeof *draft->node_tags, &draft->room_tags, &draft->node_tags));
  PetscCall(DraftReserve(draft->num_nodes + count, 3 * sizeof *draft->coordinates, &draft->room_coordinates, &draft->coordinates));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes can be found by their tags from now on. `start` is where the list of them begins. */
static PetscErrorCode IndexTags(Scanner *scanner, const char *start, Draft *draft)
{
  PetscInt repeated;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < draft->num_nodes && !ScanFailed(scanner); i++) {
    if (draft->node_tags[i] < 1)
      ScanFail(scanner, start, "node tags must be positive, but that of the node %" PetscInt_FMT " of the list is %" PetscInt64_FMT, i + 1,
               draft->node_tags[i]);
  }
  if (ScanFailed(scanner)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(TagsCreate(draft->num_nodes, draft->node_tags, &draft->tags, &repeated));
  if (repeated >= 0)
    ScanFail(scanner, start, "node tag %" PetscInt64_FMT " is given twice: to the nodes %" PetscInt_FMT " and %" PetscInt_FMT " of the list",
             draft->node_tags[repeated], TagsFind(draft->tags, draft->node_tags[repeated]) + 1, repeated + 1);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GmshReadNodes2(Scanner *scanner, Draft *draft)
{
  const char *const start = scanner->at;
  PetscInt64        announced;
  PetscInt          count;

  PetscFunctionBegin;
  ScanTextInts(scanner, "the number of nodes", 1, &announced);
  ScanEndOfLine(scanner);
  count = ScanCheckCount(scanner, start, announced, "nodes", 4, 28);
  PetscCall(Reserve(draft, count));
  for (PetscInt i = 0; i < count && !ScanFailed(scanner); i++) {
    ScanInts(scanner, "a node tag", 1, &draft->node_tags[i]);
    ScanReals(scanner, "a coordinate", 3, &draft->coordinates[3 * i]);
  }
  draft->num_nodes = count;
  PetscCall(IndexTags(scanner, start, draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How many nodes an entity has: 0 and a fault for what cannot be. */
static PetscInt CheckBlock(Scanner *scanner, const char *at, PetscInt64 dim, PetscInt64 parametric, PetscInt64 announced, PetscInt64 left,
                           PetscInt before)
{
  PetscInt size;

  if (dim < 0 || dim > MAX_DIM) ScanFail(scanner, at, "expected an entity of dimension 0 to 3, found %" PetscInt64_FMT, dim);
  if (parametric != 0 && parametric != 1) ScanFail(scanner, at, "expected the parametric flag 0 or 1, found %" PetscInt64_FMT, parametric);
  size = ScanCheckCount(scanner, at, announced, "nodes", 4, 28);
  if (size > left)
    ScanFail(scanner, at, "%" PetscInt_FMT " more nodes come after %" PetscInt_FMT " of the %" PetscInt64_FMT " announced", size, before,
             left + before);
  return ScanFailed(scanner) ? 0 : size;
}

/* The nodes of an entity: all tags, then all places, with parameters on the entity if it says so. */
static PetscErrorCode ReadBlock(Scanner *scanner, Draft *draft, PetscInt64 most)
{
  const char *const at = ScanHere(scanner);
  PetscInt64        head[3], announced;
  PetscReal         parameters[MAX_DIM];
  PetscInt          size;

  PetscFunctionBegin;
  ScanInts(scanner, "the dimension, number and parametric flag of an entity with nodes", 3, head);
  ScanSizes(scanner, "the number of nodes of an entity", 1, &announced);
  size = CheckBlock(scanner, at, head[0], head[2], announced, most - draft->num_nodes, draft->num_nodes);
  if (ScanFailed(scanner) || size == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Reserve(draft, size));
  ScanSizes(scanner, "a node tag", size, &draft->node_tags[draft->num_nodes]);
  if (head[2] == 0) ScanReals(scanner, "a coordinate", 3 * size, &draft->coordinates[3 * draft->num_nodes]);
  for (PetscInt i = 0; head[2] && i < size && !ScanFailed(scanner); i++) {
    ScanReals(scanner, "a coordinate", 3, &draft->coordinates[3 * (draft->num_nodes + i)]);
    ScanReals(scanner, "a parameter of a node", (PetscInt)head[0], parameters);
  }
  draft->num_nodes += size;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The nodes of an entity in 4.0: of each the tag, the place, and the parameters. */
static PetscErrorCode ReadRows(Scanner *scanner, Draft *draft, PetscInt64 most)
{
  const char *const at = ScanHere(scanner);
  PetscInt64        head[3], announced; /* the number of the entity, its dimension, whether it has parameters */
  PetscReal         parameters[MAX_DIM];
  PetscInt          size;

  PetscFunctionBegin;
  ScanInts(scanner, "the number, dimension and parametric flag of an entity with nodes", 3, head);
  ScanSizes(scanner, "the number of nodes of an entity", 1, &announced);
  size = CheckBlock(scanner, at, head[1], head[2], announced, most - draft->num_nodes, draft->num_nodes);
  if (ScanFailed(scanner) || size == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Reserve(draft, size));
  for (PetscInt i = draft->num_nodes; i < draft->num_nodes + size && !ScanFailed(scanner); i++) {
    ScanInts(scanner, "a node tag", 1, &draft->node_tags[i]);
    ScanReals(scanner, "a coordinate", 3, &draft->coordinates[3 * i]);
    if (head[2]) ScanReals(scanner, "a parameter of a node", (PetscInt)head[1], parameters);
  }
  draft->num_nodes += size;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GmshReadNodes40(Scanner *scanner, Draft *draft)
{
  const char *const start = scanner->at;
  PetscInt64        announced[2]; /* entities, nodes */

  PetscFunctionBegin;
  ScanSizes(scanner, "the numbers of entities and nodes", 2, announced);
  if (announced[1] > PETSC_MAX_INT / 3) ScanFail(scanner, start, "%" PetscInt64_FMT " nodes are too many", announced[1]);
  for (PetscInt64 i = 0; i < announced[0] && !ScanFailed(scanner); i++) PetscCall(ReadRows(scanner, draft, announced[1]));
  PetscCall(IndexTags(scanner, start, draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Gmsh 4.8 may announce more nodes than it writes, when it saves a surface without the volume whose nodes it uses. */
PetscErrorCode GmshReadNodes41(Scanner *scanner, Draft *draft)
{
  const char *const start = scanner->at;
  PetscInt64        announced[4]; /* entities, nodes, lowest and highest tag */

  PetscFunctionBegin;
  ScanSizes(scanner, "the numbers of entities and nodes and the range of tags", 4, announced);
  if (announced[1] > PETSC_MAX_INT / 3) ScanFail(scanner, start, "%" PetscInt64_FMT " nodes are too many", announced[1]);
  for (PetscInt64 i = 0; i < announced[0] && !ScanFailed(scanner); i++) PetscCall(ReadBlock(scanner, draft, announced[1]));
  PetscCall(IndexTags(scanner, start, draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}
