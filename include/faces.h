/*
  faces.h - contact points between two groups of surface elements of a mesh: where one lies against the other.

  A point belongs to a node of the slave faces. Its motion is a weighted mean, over the area in which faces of both groups
  overlap, of the motion of the master relative to that of the slave (dual mortar; src/faces/NOTES.md). So a constant pressure
  passes exactly between meshes that do not match, and where they match a point is a node against its partner.

  This is geometry alone: no law, no unknown, no matrix of a structure.
*/
#pragma once
#include "base.h"
#include "mesh.h"

/* How coarse the faces of a group are where they meet those of the other; those of second order are cut into linear ones. */
typedef struct {
  PetscReal across; /* how many of them lie side by side where the area is narrowest; less than one where a face is wider than that */
  PetscReal turn;   /* the most that they turn by from one to the next, edges left out [rad] */
  PetscReal rise;   /* of an arc over the one that turns most [m] */
} FaceCoarseness;

/* The motion of point i, with motions u_k of its terms, first[i] <= k < first[i + 1], and rows x, y, z of its frame:
     d_x = x . sum weight_k u_k,   d_y = y . sum weight_k u_k + sum turn_k[0] x . u_k,   d_z = z . sum weight_k u_k + sum turn_k[1] x . u_k
   It is zero when both bodies move as one rigid body, whatever the gap; so forces at points leave both together in equilibrium.
   All of it is the same on all ranks, to the last bit, and does not depend on how many there are. */
typedef struct {
  PetscInt       side;  /* which of the two groups is the slave: 0 or 1 */
  PetscInt       group; /* that one, of the mesh */
  PetscInt       num_points;
  PetscInt      *node;     /* of the slave, ascending, numbers over all ranks, [num_points] */
  PetscReal     *place;    /* of the node [m], [num_points, 3] */
  PetscReal     *frame;    /* rows x, y, z, right-handed: x the outward normal of the slave, y and z tangential; [num_points, 3, 3] */
  PetscReal     *area;     /* the point's share of the overlaps [m^2], [num_points] */
  PetscReal     *gap;      /* at rest, along x; positive: open, negative: overlap [m], [num_points] */
  PetscReal     *beside;   /* least gap at rest beyond the reach at which faces go on beside it without points; 0: they do not [m], [num_points] */
  PetscInt      *first;    /* of its terms, [num_points + 1] */
  PetscInt      *term;     /* node, number over all ranks; those of the slave stand before those of the master */
  PetscReal     *weight;   /* of the master: sum 1; of the slave: sum -1, which its own node has alone on linear faces where enough is covered */
  PetscReal     *turn;     /* [terms, 2], how the rotation of the master carries its motion over the gap; 0 for the slave, and where no gap is */
  PetscReal      areas[2]; /* of the faces of both groups [m^2] */
  PetscReal      met;      /* of the overlaps: the sum of all areas of points [m^2] */
  PetscReal      edge[2];  /* mean edge of the linear faces of both groups; those of second order are cut into such [m] */
  FaceCoarseness coarseness[2]; /* of both groups */
  PetscInt       num_shared;    /* nodes that are in both groups: where faces hang together nothing can open or slide */
} FacePoints;

typedef struct {
  PetscInt         groups[2]; /* of surfaces, of the mesh */
  PetscInt         slave;     /* 0 or 1; -1: the one with the finer faces */
  PetscReal        reach;     /* faces further apart than this do not meet [m]; PETSC_DEFAULT: half an edge of the coarser faces */
  const PetscReal *inside[2]; /* for each element of the group on this rank: a point on the side of the body behind it, [count, 3] */
} FacePairing;

/* There may be no points at all: faces that are too far apart, or do not look at each other. Collective. */
PetscErrorCode FacePointsFind(const Mesh *mesh, const FacePairing *pairing, FacePoints **points);
PetscErrorCode FacePointsDestroy(FacePoints **points);
