/* mesh_motion.c - motions of points as sums of the mesh's unknowns. */
#include "meshed_private.h"

static PetscErrorCode Append(Term term, MeshMotion *sum)
{
  PetscFunctionBegin;
  if (sum->count == sum->room) {
    sum->room = 2 * sum->room + NUM_DIRECTIONS;
    PetscCall(PetscRealloc((size_t)sum->room * sizeof(*sum->unknown), &sum->unknown));
    PetscCall(PetscRealloc((size_t)sum->room * sizeof(*sum->factor), &sum->factor));
  }
  sum->unknown[sum->count]  = term.index;
  sum->factor[sum->count++] = term.factor;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshMotionAddNode(const MeshedPart *meshed, PetscInt node, PetscInt direction, PetscReal scale, MeshMotion *sum)
{
  Term           terms[SPACE];
  const PetscInt count = UnknownsOf(meshed, node, direction, terms);

  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++) PetscCall(Append((Term){terms[i].index, scale * terms[i].factor}, sum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A rigid point moves with the hub of its spider, as the nodes do. */
static PetscErrorCode AddRigid(const MeshedPart *meshed, const Site *site, PetscInt direction, PetscReal factor, MeshMotion *sum)
{
  Term terms[SPACE];

  PetscFunctionBegin;
  for (PetscInt s = 0; s < meshed->attached.num_spiders; s++) {
    const Spider *const spider = &meshed->attached.spiders[s];
    const PetscInt      count  = SpiderTerms(spider, site->place, direction, terms);

    for (PetscInt i = 0; i < count && spider->site == site && UnknownsOwn(meshed, spider); i++)
      PetscCall(Append((Term){spider->unknown[terms[i].index], factor * terms[i].factor}, sum));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The part of a node in I^-1 sum w r x u. */
static PetscErrorCode AddTurn(const MeshedPart *meshed, const Site *site, PetscInt n, PetscInt direction, PetscReal scale, MeshMotion *sum)
{
  const PetscReal *const r = site->arms[n], *const row = site->inverse[direction - SPACE];

  PetscFunctionBegin;
  for (PetscInt l = 0; l < SPACE; l++) { /* (r x u)_j = r_k u_l - r_l u_k, (r x u)_k = r_l u_j - r_j u_l */
    const PetscInt j = (l + 1) % SPACE, k = (l + 2) % SPACE;

    PetscCall(MeshMotionAddNode(meshed, site->nodes[n], l, scale * site->weights[n] * (row[j] * r[k] - row[k] * r[j]), sum));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshMotionAdd(const MeshedPart *meshed, const Site *site, PetscInt direction, PetscReal scale, MeshMotion *sum)
{
  PetscFunctionBegin;
  if (site->kind == SITE_RIGID) {
    PetscCall(AddRigid(meshed, site, direction, scale, sum));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt n = 0; n < site->num_nodes; n++) {
    if (site->kind == SITE_AVERAGE && direction >= SPACE) PetscCall(AddTurn(meshed, site, n, direction, scale, sum));
    else PetscCall(MeshMotionAddNode(meshed, site->nodes[n], direction, scale * site->weights[n], sum));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshMotionDestroy(MeshMotion *sum)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(sum->unknown));
  PetscCall(PetscFree(sum->factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}
