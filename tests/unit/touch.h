/* touch.h - two sheets that touch, and what any two must do: rigid motions give none between them, forces are in balance. */
#pragma once
#include "sheets.h"
#include "faces.h"

static const MeshShape shapes[] = {MESH_TRI3, MESH_TRI6, MESH_QUAD4, MESH_QUAD8, MESH_QUAD9};
enum { NUM_SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static inline PetscBool IsOfSecondOrder(MeshShape shape)
{
  return (PetscBool)(mesh_shapes[shape].num_nodes > 4);
}

static inline void Centre(const Mesh *mesh, MeshElement element, PetscReal centre[3])
{
  const MeshBlock *const block = MeshGetBlock(mesh, element.block);
  const PetscInt         width = mesh_shapes[block->shape].num_nodes;

  for (PetscInt c = 0; c < 3; c++) {
    centre[c] = 0.0;
    for (PetscInt k = 0; k < width; k++)
      centre[c] += MeshGetNodes(mesh)->coordinates[3 * block->local_nodes[element.index * width + k] + c] / (PetscReal)width;
  }
}

static inline PetscReal *InsideOf(const Mesh *mesh, PetscInt side, Bodies bodies)
{
  const MeshGroup *const group = MeshGetGroup(mesh, side);
  PetscReal             *inside;

  assert_ok(PetscMalloc1(3 * group->count + 1, &inside));
  for (PetscInt f = 0; f < group->count; f++) {
    Centre(mesh, group->elements[f], inside + 3 * f);
    if (bodies == ABOVE) inside[3 * f + 2] += side == 0 ? -0.1 : 0.1;
    for (PetscInt c = 0; c < (PetscInt)bodies; c++) inside[3 * f + c] *= side == 0 ? 0.7 : 1.3;
  }
  return inside;
}

/* swap: the groups change places. */
static inline FacePoints *Find(const Mesh *mesh, PetscInt slave, PetscReal reach, Bodies bodies, PetscBool swap)
{
  PetscReal        *inside[2] = {InsideOf(mesh, 0, bodies), InsideOf(mesh, 1, bodies)};
  const FacePairing pairing   = {.groups = {swap, !swap}, .slave = slave, .reach = reach, .inside = {inside[swap], inside[!swap]}};
  FacePoints       *points;

  assert_ok(FacePointsFind(mesh, &pairing, &points));
  assert_ok(PetscFree(inside[0]));
  assert_ok(PetscFree(inside[1]));
  return points;
}

typedef struct {
  ParsedMesh  parsed;
  FacePoints *points;
  PetscReal  *places; /* of all nodes of the mesh */
} Touch;

static inline PetscReal *PlacesOf(const Mesh *mesh)
{
  const PetscInt total = MeshGetNodes(mesh)->total;
  PetscInt      *nodes;
  PetscReal     *places;

  assert_ok(PetscMalloc1(total, &nodes));
  assert_ok(PetscMalloc1(3 * total, &places));
  for (PetscInt n = 0; n < total; n++) nodes[n] = n;
  assert_ok(MeshNodeCoordinates(mesh, total, nodes, places));
  assert_ok(PetscFree(nodes));
  return places;
}

static inline Touch TouchNew(const Sheet *first, const Sheet *second, PetscInt slave, PetscReal reach)
{
  const Sheet sheets[2] = {*first, *second};
  Touch       touch     = {.parsed = MakeMesh(PETSC_COMM_WORLD, sheets)};

  touch.points = Find(touch.parsed.mesh, slave, reach, first->bodies, PETSC_FALSE);
  touch.places = PlacesOf(touch.parsed.mesh);
  return touch;
}

static inline void TouchDestroy(Touch *touch)
{
  assert_ok(FacePointsDestroy(&touch->points));
  assert_ok(PetscFree(touch->places));
  DestroyParsed(&touch->parsed);
}

typedef struct {
  PetscReal gradient[3][3], offset[3];
} Field;

/* A turn about an axis askew to all others, and a shift. */
static const Field rigid = {{{0.0, -0.3, 0.2}, {0.3, 0.0, -0.5}, {-0.2, 0.5, 0.0}}, {1.0, 2.0, 3.0}};

/* The motion of a point, along its frame, in a linear field u = offset + gradient x. */
static inline void MotionOf(const Touch *touch, PetscInt point, const Field *field, PetscReal motion[3])
{
  const FacePoints *const points = touch->points;
  const PetscReal *const  frame  = points->frame + 9 * point;

  for (PetscInt c = 0; c < 3; c++) motion[c] = 0.0;
  for (PetscInt k = points->first[point]; k < points->first[point + 1]; k++) {
    const PetscReal *const place    = touch->places + 3 * points->term[k];
    PetscReal              along[3] = {0.0, 0.0, 0.0};

    for (PetscInt c = 0; c < 3; c++) {
      const PetscReal *const row = field->gradient[c], u = field->offset[c] + row[0] * place[0] + row[1] * place[1] + row[2] * place[2];
      for (PetscInt r = 0; r < 3; r++) along[r] += frame[3 * r + c] * u;
    }
    for (PetscInt r = 0; r < 3; r++) motion[r] += points->weight[k] * along[r] + (r > 0 ? points->turn[2 * k + r - 1] * along[0] : 0.0);
  }
}

/* To a part of the motions themselves, which are about 4. */
static inline void AssertRigid(const Touch *touch, PetscReal part)
{
  for (PetscInt i = 0; i < touch->points->num_points; i++) {
    PetscReal motion[3];

    MotionOf(touch, i, &rigid, motion);
    for (PetscInt c = 0; c < 3; c++) assert_near(motion[c], 0.0, 4.0 * part);
  }
}

/* Forces of tractions that differ from point to point, on all nodes: none in all, and no moment about the origin. */
static inline void AssertBalance(const Touch *touch, PetscReal tolerance)
{
  const FacePoints *const points = touch->points;
  PetscReal               sum[6] = {0.0}, all = 0.0;

  for (PetscInt i = 0; i < points->num_points; i++) {
    const PetscReal *const frame = points->frame + 9 * i, traction[3] = {1.0 + 0.5 * PetscSinReal(2.0 * i), PetscCosReal(3.0 * i), PetscSinReal(i)};

    all += points->area[i];
    for (PetscInt k = points->first[i]; k < points->first[i + 1]; k++) {
      const PetscReal *const place    = touch->places + 3 * points->term[k];
      PetscReal              force[3] = {0.0, 0.0, 0.0};

      for (PetscInt r = 0; r < 3; r++)
        for (PetscInt c = 0; c < 3; c++)
          force[c] += points->area[i] * traction[r] * (points->weight[k] * frame[3 * r + c] + (r > 0 ? points->turn[2 * k + r - 1] * frame[c] : 0.0));
      for (PetscInt c = 0; c < 3; c++) {
        sum[c] += force[c];
        sum[3 + c] += place[(c + 1) % 3] * force[(c + 2) % 3] - place[(c + 2) % 3] * force[(c + 1) % 3];
      }
    }
  }
  for (PetscInt c = 0; c < 6; c++) assert_near(sum[c], 0.0, tolerance * all);
}

/* Whether a term belongs to the master: the nodes of another part of the mesh than the point's. */
static inline PetscBool IsOfMaster(const Touch *touch, PetscInt point, PetscInt k)
{
  return (PetscBool)(MeshPartOfNode(touch->parsed.mesh, touch->points->term[k]) != MeshPartOfNode(touch->parsed.mesh, touch->points->node[point]));
}
