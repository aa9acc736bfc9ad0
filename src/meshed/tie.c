/* tie.c - elements some of whose nodes rigid spiders move, or have unknowns along axes of their own: their unknowns are replaced, exactly. */
#include "meshed_private.h"
#include <petscblaslapack.h>

enum { MOST_ROWS = MESH_MAX_NODES * ELEMENT_MAX_UNKNOWNS }; /* and columns: a node joins two slots at most */

static PetscInt FindSlot(PetscInt count, const PetscInt slots[], PetscInt slot)
{
  for (PetscInt i = 0; i < count; i++)
    if (slots[i] == slot) return i;
  return -1;
}

PetscInt TieSlots(const MeshedPart *meshed, const Batch *batch, PetscInt e, PetscInt slots[], PetscBool *tied)
{
  const MeshNodes *const nodes  = MeshGetNodes(meshed->mesh);
  const PetscInt *const  spider = meshed->unknowns.spider;
  const PetscInt         width = mesh_shapes[batch->block->shape].num_nodes, each = batch->kind->num_unknowns / SPACE;
  const PetscInt *const  local = batch->block->local_nodes + batch->elements[e] * width;
  PetscInt               count = 0;

  *tied = PETSC_FALSE;
  for (PetscInt k = 0; k < width; k++) {
    if (!spider || spider[local[k]] < 0) {
      for (PetscInt i = 0; i < each; i++) {
        if (UnknownsTurn(meshed, 2 * local[k] + i)) *tied = PETSC_TRUE;
        slots[count++] = 2 * local[k] + i;
      }
      continue;
    }
    *tied = PETSC_TRUE;
    for (PetscInt i = 0; i < 2; i++) {
      const PetscInt slot = 2 * (nodes->count + nodes->num_ghosts + spider[local[k]]) + i;

      if (FindSlot(count, slots, slot) < 0) slots[count++] = slot;
    }
  }
  return count;
}

PetscErrorCode TieCreate(Tie *tie)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(MOST_ROWS * MOST_ROWS, &tie->T, MOST_ROWS * MOST_ROWS, &tie->matrix, MOST_ROWS * MOST_ROWS, &tie->work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TieDestroy(Tie *tie)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(tie->T, tie->matrix, tie->work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The row of T of one unknown of a node. */
static void SetRow(const MeshedPart *meshed, PetscInt local, PetscInt direction, const Tie *tie, PetscReal row[])
{
  const MeshNodes *const nodes        = MeshGetNodes(meshed->mesh);
  const PetscInt         spider       = meshed->unknowns.spider ? meshed->unknowns.spider[local] : -1;
  const PetscInt         first        = 2 * (spider < 0 ? local : nodes->count + nodes->num_ghosts + spider);
  const NodeTurn *const  turn         = spider < 0 ? UnknownsTurn(meshed, first + direction / SPACE) : NULL;
  PetscInt               count        = 1;
  Term                   terms[SPACE] = {{direction, 1.0}};

  for (PetscInt k = 0; k < SPACE && turn; k++) terms[k] = (Term){direction - direction % SPACE + k, turn->axis[k][direction % SPACE]};
  if (turn) count = SPACE;
  if (spider >= 0) count = SpiderTerms(&meshed->attached.spiders[spider], nodes->coordinates + SPACE * local, direction, terms);
  for (PetscInt i = 0; i < count; i++)
    row[SPACE * FindSlot(tie->num_slots, tie->slots, first + terms[i].index / SPACE) + terms[i].index % SPACE] = terms[i].factor;
}

void TieSet(const MeshedPart *meshed, const Batch *batch, PetscInt e, Tie *tie)
{
  const PetscInt        width = mesh_shapes[batch->block->shape].num_nodes, each = batch->kind->num_unknowns;
  const PetscInt *const local = batch->block->local_nodes + batch->elements[e] * width;
  PetscBool             tied;
  PetscInt              num_columns;

  tie->num_slots = TieSlots(meshed, batch, e, tie->slots, &tied);
  tie->num_rows  = width * each;
  tie->rigid     = (PetscBool)(tied && tie->num_slots == 2 && UnknownsSpider(meshed, tie->slots[0]));
  num_columns    = SPACE * tie->num_slots;
  for (PetscInt i = 0; i < tie->num_rows * num_columns; i++) tie->T[i] = 0.0;
  for (PetscInt i = 0; i < tie->num_rows; i++) SetRow(meshed, local[i / each], i % each, tie, tie->T + i * num_columns);
}

/* In the column-major eyes of BLAS T is T^T: first work^T = T^T A, then that times T. */
PetscErrorCode TieTransform(const PetscReal A[], Tie *tie)
{
  const PetscBLASInt n = (PetscBLASInt)tie->num_rows, m = (PetscBLASInt)(SPACE * tie->num_slots);
  const PetscReal    one = 1.0, zero = 0.0;

  PetscFunctionBegin;
  PetscCallBLAS("BLASgemm", BLASgemm_("N", "N", &m, &n, &n, &one, tie->T, &m, A, &n, &zero, tie->work, &m));
  PetscCallBLAS("BLASgemm", BLASgemm_("N", "T", &m, &m, &n, &one, tie->work, &m, tie->T, &m, &zero, tie->matrix, &m));
  PetscFunctionReturn(PETSC_SUCCESS);
}
