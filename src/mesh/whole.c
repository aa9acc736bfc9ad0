/* whole.c - a draft brought into its final order: nodes renumbered, elements sorted by their lowest node. */
#include "whole.h"
#include "coincide.h"
#include "order.h"
#include <string.h>

static PetscErrorCode MoveNodes(Draft *draft, const Order *order, Whole *whole)
{
  PetscFunctionBegin;
  whole->facts.num_nodes   = order->num_nodes;
  whole->facts.num_dropped = draft->num_nodes - order->num_nodes;
  PetscCall(PetscMalloc1(3 * order->num_nodes, &whole->coordinates));
  PetscCall(PetscMalloc1(order->num_nodes, &whole->node_tags));
  for (PetscInt i = 0; i < order->num_nodes; i++) {
    memcpy(&whole->coordinates[3 * i], &draft->coordinates[3 * order->old[i]], 3 * sizeof *whole->coordinates);
    whole->node_tags[i] = draft->node_tags[order->old[i]];
  }
  PetscCall(PetscFree(draft->coordinates));
  PetscCall(PetscFree(draft->node_tags));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void FindBox(Whole *whole)
{
  WholeFacts *const facts = &whole->facts;

  for (PetscInt k = 0; k < 3; k++) facts->lower[k] = facts->upper[k] = whole->coordinates[k];
  for (PetscInt i = 0; i < facts->num_nodes; i++) {
    for (PetscInt k = 0; k < 3; k++) {
      facts->lower[k] = PetscMin(facts->lower[k], whole->coordinates[3 * i + k]);
      facts->upper[k] = PetscMax(facts->upper[k], whole->coordinates[3 * i + k]);
    }
  }
}

static PetscErrorCode FindParts(Order *order, Whole *whole)
{
  WholeFacts *const facts = &whole->facts;
  PetscReal         extent;

  PetscFunctionBegin;
  facts->num_parts   = order->num_parts;
  whole->part_starts = order->starts;
  order->starts      = NULL;
  extent             = PetscMax(PetscMax(facts->upper[0] - facts->lower[0], facts->upper[1] - facts->lower[1]), facts->upper[2] - facts->lower[2]);
  PetscCall(
    CoincidencesFind(facts->num_nodes, whole->coordinates, whole->node_tags, facts->num_parts, whole->part_starts, extent, &facts->coincidences));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Elements in the order of their lowest node, those that share it in the order of the file. */
static PetscErrorCode SortElements(const Draft *draft, PetscInt num_nodes, PetscInt sorted[], PetscInt ranks[])
{
  PetscInt *fill, *lowest;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(num_nodes + 1, &fill));
  PetscCall(PetscMalloc1(draft->num_elements, &lowest));
  for (PetscInt e = 0; e < draft->num_elements; e++) {
    lowest[e] = draft->connectivity[draft->starts[e]];
    for (PetscInt i = draft->starts[e] + 1; i < draft->starts[e + 1]; i++) lowest[e] = PetscMin(lowest[e], draft->connectivity[i]);
    fill[lowest[e] + 1]++;
  }
  for (PetscInt v = 0; v < num_nodes; v++) fill[v + 1] += fill[v];
  for (PetscInt e = 0; e < draft->num_elements; e++) {
    ranks[e]         = fill[lowest[e]]++;
    sorted[ranks[e]] = e;
  }
  PetscCall(PetscFree(lowest));
  PetscCall(PetscFree(fill));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AllocateBlocks(const Draft *draft, Whole *whole)
{
  PetscFunctionBegin;
  for (PetscInt e = 0; e < draft->num_elements; e++) whole->facts.counts[draft->shapes[e]]++;
  for (MeshShape shape = 0; shape < MESH_NUM_SHAPES; shape++) {
    const PetscInt count = whole->facts.counts[shape];

    PetscCall(PetscMalloc1(count, &whole->lowest[shape]));
    PetscCall(PetscMalloc1(count, &whole->tags[shape]));
    PetscCall(PetscMalloc1(count, &whole->entities[shape]));
    PetscCall(PetscMalloc1(count * mesh_shapes[shape].num_nodes, &whole->nodes[shape]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void FillBlocks(const Draft *draft, const PetscInt sorted[], PetscInt indices[], Whole *whole)
{
  PetscInt filled[MESH_NUM_SHAPES] = {0};

  for (PetscInt k = 0; k < draft->num_elements; k++) {
    const PetscInt        e = sorted[k], num_nodes = draft->starts[e + 1] - draft->starts[e];
    const MeshShape       shape = draft->shapes[e];
    const PetscInt        index = filled[shape]++;
    const PetscInt *const nodes = &draft->connectivity[draft->starts[e]];

    indices[e]                    = index;
    whole->tags[shape][index]     = draft->element_tags[e];
    whole->entities[shape][index] = draft->element_entities[e];
    whole->lowest[shape][index]   = nodes[0];
    for (PetscInt i = 1; i < num_nodes; i++) whole->lowest[shape][index] = PetscMin(whole->lowest[shape][index], nodes[i]);
    memcpy(&whole->nodes[shape][index * num_nodes], nodes, (size_t)num_nodes * sizeof *nodes);
  }
}

PetscErrorCode WholeCreate(Draft *draft, Whole *whole)
{
  Order     order;
  PetscInt *sorted, *ranks, *indices;

  PetscFunctionBegin;
  memset(whole, 0, sizeof *whole);
  PetscCall(TagsDestroy(&draft->tags));
  PetscCall(OrderCreate(draft, &order));
  PetscCall(MoveNodes(draft, &order, whole));
  FindBox(whole);
  PetscCall(FindParts(&order, whole));
  for (PetscInt i = 0; i < draft->starts[draft->num_elements]; i++) draft->connectivity[i] = order.new[draft->connectivity[i]];
  PetscCall(OrderDestroy(&order));
  PetscCall(PetscMalloc3(draft->num_elements, &sorted, draft->num_elements, &ranks, draft->num_elements, &indices));
  PetscCall(SortElements(draft, whole->facts.num_nodes, sorted, ranks));
  PetscCall(AllocateBlocks(draft, whole));
  FillBlocks(draft, sorted, indices, whole);
  PetscCall(WholeGroups(draft, ranks, indices, whole));
  PetscCall(PetscFree3(sorted, ranks, indices));
  PetscCall(DraftDestroy(draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WholeDestroy(Whole *whole)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(whole->part_starts));
  PetscCall(PetscFree(whole->coordinates));
  PetscCall(PetscFree(whole->node_tags));
  for (MeshShape shape = 0; shape < MESH_NUM_SHAPES; shape++) {
    PetscCall(PetscFree(whole->lowest[shape]));
    PetscCall(PetscFree(whole->nodes[shape]));
    PetscCall(PetscFree(whole->tags[shape]));
    PetscCall(PetscFree(whole->entities[shape]));
  }
  PetscCall(PetscFree(whole->groups));
  PetscCall(PetscFree(whole->names));
  PetscCall(PetscFree(whole->implied));
  PetscCall(PetscFree(whole->members));
  memset(whole, 0, sizeof *whole);
  PetscFunctionReturn(PETSC_SUCCESS);
}
