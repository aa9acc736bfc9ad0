/* order.c - reverse Cuthill-McKee over the elements [Cuthill & McKee 1969; George & Liu 1979]: nodes of an element get near numbers. */
#include "order.h"
#include <string.h>

enum { MAX_SWEEPS = 8 };

/* A walk visits each element once, for a node met again brings only elements whose nodes all have been met: it costs as much as
   reading the elements. Marks of earlier walks need no wiping: each walk has its own. */
typedef struct {
  const Draft *draft;
  PetscInt    *first, *elements; /* elements[first[v]] ... are those of node v */
  PetscInt    *degrees;          /* neighbours of a node, counted once for each element they share */
  PetscInt    *node_marks, *element_marks, mark;
  PetscInt    *queue, num_queued; /* the nodes met by a walk */
  PetscInt     last_level;        /* where its farthest nodes begin in the queue */
  PetscInt     depth;             /* their distance */
  PetscInt64  *neighbours;        /* those of one node: degree, then node */
} Walk;

static PetscErrorCode Connect(Walk *walk)
{
  const Draft *const draft = walk->draft;
  PetscInt          *fill;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(draft->num_nodes + 1, &walk->first, draft->num_nodes, &walk->degrees));
  PetscCall(PetscMalloc1(draft->starts[draft->num_elements], &walk->elements));
  for (PetscInt e = 0; e < draft->num_elements; e++) {
    for (PetscInt i = draft->starts[e]; i < draft->starts[e + 1]; i++) {
      walk->first[draft->connectivity[i] + 1]++;
      walk->degrees[draft->connectivity[i]] += draft->starts[e + 1] - draft->starts[e] - 1;
    }
  }
  for (PetscInt v = 0; v < draft->num_nodes; v++) walk->first[v + 1] += walk->first[v];
  PetscCall(PetscMalloc1(draft->num_nodes, &fill));
  if (draft->num_nodes) memcpy(fill, walk->first, (size_t)draft->num_nodes * sizeof *fill);
  for (PetscInt e = 0; e < draft->num_elements; e++) {
    for (PetscInt i = draft->starts[e]; i < draft->starts[e + 1]; i++) walk->elements[fill[draft->connectivity[i]]++] = e;
  }
  PetscCall(PetscFree(fill));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Queues the nodes not met so far that share an element with `node`, those of few neighbours first. */
static PetscErrorCode Visit(Walk *walk, PetscInt node)
{
  const Draft *const draft = walk->draft;
  PetscInt           count = 0;

  PetscFunctionBegin;
  for (PetscInt k = walk->first[node]; k < walk->first[node + 1]; k++) {
    const PetscInt e = walk->elements[k];

    if (walk->element_marks[e] == walk->mark) continue;
    walk->element_marks[e] = walk->mark;
    for (PetscInt i = draft->starts[e]; i < draft->starts[e + 1]; i++) {
      const PetscInt other = draft->connectivity[i];

      if (walk->node_marks[other] == walk->mark) continue;
      walk->node_marks[other]   = walk->mark;
      walk->neighbours[count++] = (PetscInt64)walk->degrees[other] << 32 | other;
    }
  }
  PetscCall(PetscSortInt64(count, walk->neighbours));
  for (PetscInt i = 0; i < count; i++) walk->queue[walk->num_queued++] = (PetscInt)(walk->neighbours[i] & INT32_MAX);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WalkFrom(Walk *walk, PetscInt root)
{
  PetscInt level_end = 1;

  PetscFunctionBegin;
  walk->mark++;
  walk->node_marks[root] = walk->mark;
  walk->queue[0]         = root;
  walk->num_queued       = 1;
  walk->last_level       = 0;
  walk->depth            = 0;
  for (PetscInt i = 0; i < walk->num_queued; i++) {
    if (i == level_end) {
      walk->last_level = i;
      level_end        = walk->num_queued;
      walk->depth++;
    }
    PetscCall(Visit(walk, walk->queue[i]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Walks from the far end of the last walk as long as that leads farther: long thin levels make near numbers. */
static PetscErrorCode WalkPart(Walk *walk, PetscInt root)
{
  PetscFunctionBegin;
  PetscCall(WalkFrom(walk, root));
  for (PetscInt sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    const PetscInt depth = walk->depth;

    root = walk->queue[walk->last_level];
    for (PetscInt i = walk->last_level; i < walk->num_queued; i++) {
      if (walk->degrees[walk->queue[i]] < walk->degrees[root]) root = walk->queue[i];
    }
    PetscCall(WalkFrom(walk, root));
    if (walk->depth <= depth) break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The nodes of the last walk are the next part, in reverse. */
static PetscErrorCode AddPart(const Walk *walk, Order *order, PetscInt *room)
{
  PetscFunctionBegin;
  PetscCall(DraftReserve(order->num_parts + 2, sizeof *order->starts, room, &order->starts));
  for (PetscInt i = walk->num_queued - 1; i >= 0; i--) {
    order->new[walk->queue[i]]     = order->num_nodes;
    order->old[order->num_nodes++] = walk->queue[i];
  }
  order->starts[++order->num_parts] = order->num_nodes;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OrderCreate(const Draft *draft, Order *order)
{
  Walk     walk = {.draft = draft};
  PetscInt room = 0;

  PetscFunctionBegin;
  memset(order, 0, sizeof *order);
  PetscCall(Connect(&walk));
  PetscCall(PetscCalloc2(draft->num_nodes, &walk.node_marks, draft->num_elements, &walk.element_marks));
  PetscCall(PetscMalloc2(draft->num_nodes, &walk.queue, draft->num_nodes, &walk.neighbours));
  PetscCall(PetscMalloc2(draft->num_nodes, &order->old, draft->num_nodes, &order->new));
  PetscCall(DraftReserve(1, sizeof *order->starts, &room, &order->starts));
  order->starts[0] = 0;
  for (PetscInt v = 0; v < draft->num_nodes; v++) order->new[v] = -1;
  for (PetscInt v = 0; v < draft->num_nodes; v++) {
    if (order->new[v] >= 0 || walk.first[v] == walk.first[v + 1]) continue;
    PetscCall(WalkPart(&walk, v));
    PetscCall(AddPart(&walk, order, &room));
  }
  PetscCall(PetscFree2(walk.queue, walk.neighbours));
  PetscCall(PetscFree2(walk.node_marks, walk.element_marks));
  PetscCall(PetscFree2(walk.first, walk.degrees));
  PetscCall(PetscFree(walk.elements));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OrderDestroy(Order *order)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(order->old, order->new));
  PetscCall(PetscFree(order->starts));
  PetscFunctionReturn(PETSC_SUCCESS);
}
