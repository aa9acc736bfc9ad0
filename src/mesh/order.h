/* order.h - the order of nodes, and the parts that hang together. */
#pragma once
#include "draft.h"

/* Reverse Cuthill-McKee, part by part in the order of the file; nodes without elements are left out. */
typedef struct {
  PetscInt  num_nodes; /* with elements */
  PetscInt *old;       /* place in the draft of each node, [num_nodes] */
  PetscInt *new;       /* its inverse, -1 for nodes without elements, [draft->num_nodes] */
  PetscInt  num_parts;
  PetscInt *starts; /* of the parts, [num_parts + 1] */
} Order;

PetscErrorCode OrderCreate(const Draft *draft, Order *order);
PetscErrorCode OrderDestroy(Order *order);
