/* points.c - contact points from the weighted means at the nodes of the slave. */
#include "faces.h"
#include "coarseness.h"
#include "means.h"
#include "turn.h"

/* Part of an edge: a shorter gap is round-off, and none. */
static const PetscReal no_gap = 1e-12;

/* How many there are, and at least as many terms as they can have. */
static PetscErrorCode CountPoints(const Surface *slave, const Means *means, PetscInt *num_points, PetscInt *num_terms)
{
  PetscInt count;

  PetscFunctionBegin;
  *num_points = *num_terms = 0;
  for (PetscInt i = 0; i < slave->num_nodes; i++) {
    if (means->area[i] <= 0.0) continue;
    for (PetscInt m = 0; m < 2; m++) {
      const Mat matrix = m == 0 ? means->sums : means->near;

      PetscCall(MatGetRow(matrix, i, &count, NULL, NULL));
      *num_terms += count;
      PetscCall(MatRestoreRow(matrix, i, &count, NULL, NULL));
    }
    (*num_points)++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Allocate(PetscInt num_points, PetscInt num_terms, FacePoints *points)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc5(num_points, &points->node, SPACE * num_points, &points->place, SPACE * SPACE * num_points, &points->frame, num_points,
                         &points->area, num_points, &points->beside));
  PetscCall(PetscCalloc5(num_points, &points->gap, num_points + 1, &points->first, num_terms, &points->term, num_terms, &points->weight,
                         2 * num_terms, &points->turn));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The mean motion of a node, and the same mean of the places: the gap as a vector. Places are counted from the node, as weights sum to zero
   with round-off, and the origin may be far away. Where its own node is all of the slave's part, the weight of that is -1 to the last bit. */
static PetscErrorCode AddTerms(const Surface *slave, const Surface *master, const Means *means, PetscInt node, FacePoints *points,
                               PetscInt *num_slaves, PetscReal gap[SPACE])
{
  const PetscInt     first = points->first[points->num_points];
  PetscInt           count;
  const PetscInt    *column;
  const PetscScalar *sum;

  PetscFunctionBegin;
  PetscCall(MatGetRow(means->sums, node, &count, &column, &sum));
  *num_slaves = 0;
  while (*num_slaves < count && column[*num_slaves] < slave->num_nodes) (*num_slaves)++;
  for (PetscInt k = 0; k < count; k++) {
    const Surface *const surface  = k < *num_slaves ? slave : master;
    const PetscInt       position = k < *num_slaves ? column[k] : column[k] - slave->num_nodes;
    const PetscReal      weight   = *num_slaves == 1 && k == 0 ? -1.0 : sum[k] / means->area[node];

    points->term[first + k]   = surface->nodes[position];
    points->weight[first + k] = weight;
    for (PetscInt c = 0; c < SPACE; c++) gap[c] += weight * (surface->places[SPACE * position + c] - slave->places[SPACE * node + c]);
  }
  points->first[points->num_points + 1] = first + count;
  PetscCall(MatRestoreRow(means->sums, node, &count, &column, &sum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The term of the point at work that is this node of the master; a new one of weight 0 when there is none. */
static PetscInt TermOf(PetscInt node, PetscInt num_slaves, FacePoints *points)
{
  PetscInt *const end = &points->first[points->num_points + 1];

  for (PetscInt k = points->first[points->num_points] + num_slaves; k < *end; k++)
    if (points->term[k] == node) return k;
  points->term[*end] = node;
  return (*end)++;
}

/* Carries the motion of the master to where the slave is: over the tangential parts of the gap by the slopes of the motion, which changes
   weights; then along x by the rotation about y and z: u_y += gap du_x/dy, u_z += gap du_x/dz. gap: its parts along x, y, z. */
static void CarryOver(const Surface *master, const PetscReal frame[], PetscInt num, const PetscInt nodes[], const PetscReal slopes[][2],
                      PetscInt num_slaves, PetscReal gap[SPACE], FacePoints *points)
{
  for (PetscInt k = 0; k < num; k++) {
    const PetscReal shift = -gap[1] * slopes[k][0] - gap[2] * slopes[k][1];

    points->weight[TermOf(master->nodes[nodes[k]], num_slaves, points)] += shift;
    gap[0] += shift * Dot(frame, master->places + SPACE * nodes[k]);
  }
  for (PetscInt k = 0; k < num; k++) {
    PetscReal *const turn = points->turn + 2 * TermOf(master->nodes[nodes[k]], num_slaves, points);

    for (PetscInt t = 0; t < 2; t++) turn[t] = gap[0] * slopes[k][t];
  }
}

static PetscErrorCode CloseGap(const Surface *master, const Means *means, PetscInt node, PetscInt num_slaves, PetscReal gap[SPACE],
                               FacePoints *points)
{
  const PetscReal *const frame   = points->frame + SPACE * SPACE * points->num_points;
  const PetscReal        longest = PetscMax(PetscMax(PetscAbsReal(gap[0]), PetscAbsReal(gap[1])), PetscAbsReal(gap[2]));
  const PetscInt        *column;
  const PetscScalar     *weight;
  PetscReal(*slopes)[2];
  PetscInt count;

  PetscFunctionBegin;
  for (PetscInt c = 0; c < SPACE; c++)
    if (PetscAbsReal(gap[c]) <= no_gap * master->edge) gap[c] = 0.0;
  if (longest <= no_gap * master->edge) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatGetRow(means->near, node, &count, &column, &weight));
  PetscCall(PetscMalloc1(count, &slopes));
  if (SlopesFind(master, frame, count, column, weight, slopes))
    CarryOver(master, frame, count, column, (const PetscReal(*)[2])slopes, num_slaves, gap, points);
  PetscCall(PetscFree(slopes));
  PetscCall(MatRestoreRow(means->near, node, &count, &column, &weight));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The axis of the model that is farthest from all normals: y of all points along it makes frames of neighbours alike. */
static PetscInt FarthestAxis(const Surface *slave, const Means *means)
{
  PetscReal along[SPACE] = {0.0, 0.0, 0.0};
  PetscInt  axis         = 0;

  for (PetscInt i = 0; i < SPACE * slave->num_nodes; i++) along[i % SPACE] += PetscAbsReal(means->normal[i]);
  for (PetscInt c = 1; c < SPACE; c++)
    if (along[c] < along[axis] - 1e-9 * (along[0] + along[1] + along[2])) axis = c;
  return axis;
}

static PetscErrorCode AddPoint(const Surface *slave, const Surface *master, const Means *means, PetscInt node, PetscInt axis, FacePoints *points)
{
  const PetscInt   i            = points->num_points;
  PetscReal *const frame        = points->frame + SPACE * SPACE * i;
  PetscReal        arrow[SPACE] = {0.0, 0.0, 0.0}, gap[SPACE];
  PetscInt         num_slaves   = 0;

  PetscFunctionBegin;
  SetFrame(means->normal + SPACE * node, axis, frame);
  PetscCall(AddTerms(slave, master, means, node, points, &num_slaves, arrow));
  for (PetscInt c = 0; c < SPACE; c++) gap[c] = Dot(frame + SPACE * c, arrow);
  PetscCall(CloseGap(master, means, node, num_slaves, gap, points));
  PetscCall(PetscArraycpy(points->place + SPACE * i, slave->places + SPACE * node, SPACE));
  points->node[i]   = slave->nodes[node];
  points->area[i]   = means->area[node];
  points->beside[i] = means->beside[node];
  points->gap[i]    = gap[0];
  points->met += means->area[node];
  points->num_points++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode MakePoints(const Surface *slave, const Surface *master, PetscReal reach, FacePoints *points)
{
  Means    means;
  PetscInt num_points, num_terms, axis;

  PetscFunctionBegin;
  PetscCall(MeansFind(slave, master, reach, &means));
  PetscCall(CountPoints(slave, &means, &num_points, &num_terms));
  PetscCall(Allocate(num_points, num_terms, points));
  axis = FarthestAxis(slave, &means);
  for (PetscInt i = 0; i < slave->num_nodes; i++)
    if (means.area[i] > 0.0) PetscCall(AddPoint(slave, master, &means, i, axis, points));
  if (points->num_points) PetscCall(CoarsenessFind(slave, master, &means, axis, points));
  PetscCall(MeansDestroy(&means));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes of both, which are ascending. */
static PetscInt CountShared(const Surface *a, const Surface *b)
{
  PetscInt count = 0;

  for (PetscInt i = 0, j = 0; i < a->num_nodes && j < b->num_nodes;) {
    if (a->nodes[i] == b->nodes[j]) count++, i++, j++;
    else if (a->nodes[i] < b->nodes[j]) i++;
    else j++;
  }
  return count;
}

PetscErrorCode FacePointsFind(const Mesh *mesh, const FacePairing *pairing, FacePoints **points)
{
  Surface   surfaces[2];
  PetscReal reach = pairing->reach;

  PetscFunctionBegin;
  PetscCall(PetscNew(points));
  for (PetscInt s = 0; s < 2; s++) {
    PetscCall(SurfaceGather(mesh, pairing->groups[s], pairing->inside[s], &surfaces[s]));
    (*points)->areas[s] = surfaces[s].area;
    (*points)->edge[s]  = surfaces[s].edge;
  }
  (*points)->num_shared = CountShared(&surfaces[0], &surfaces[1]);
  (*points)->side       = pairing->slave >= 0 ? pairing->slave : surfaces[1].edge < surfaces[0].edge;
  (*points)->group      = pairing->groups[(*points)->side];
  if (reach == (PetscReal)PETSC_DEFAULT) reach = 0.5 * PetscMax(surfaces[0].edge, surfaces[1].edge);
  PetscCall(MakePoints(&surfaces[(*points)->side], &surfaces[1 - (*points)->side], reach, *points));
  for (PetscInt s = 0; s < 2; s++) PetscCall(SurfaceDestroy(&surfaces[s]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FacePointsDestroy(FacePoints **points)
{
  PetscFunctionBegin;
  if (*points) {
    PetscCall(PetscFree5((*points)->node, (*points)->place, (*points)->frame, (*points)->area, (*points)->beside));
    PetscCall(PetscFree5((*points)->gap, (*points)->first, (*points)->term, (*points)->weight, (*points)->turn));
  }
  PetscCall(PetscFree(*points));
  PetscFunctionReturn(PETSC_SUCCESS);
}
