/*
  universal.h - universal files [SDRC 1987]: datasets 164, 2411, 2412, 55 and 58, of what a result holds of points, and of the mesh beside it.

  Nodes of a mesh have the numbers of its file. Points are nodes behind these, or from 1, in the order of /system/motions. What belongs to no point
  (joints, energies) has node 0 and its name.
*/
#pragma once
#include "formats.h"

enum { UNIVERSAL_NAME = 64 };

/* A mesh as the file for ParaView beside a result has it; nothing where there is none. */
typedef struct {
  PetscInt       num_nodes, num_cells;
  PetscReal     *places; /* [num_nodes, 3] */
  PetscInt64    *tags;   /* [num_nodes] */
  PetscInt64    *corners, *first;
  unsigned char *type; /* of cell c, of VTK; its corners are first[c] to first[c + 1] - 1 */
} UniversalMesh;

typedef struct {
  const Catalogue *catalogue;
  FILE            *out;
  PetscBool        binary;
  char             date[32]; /* of the run */
  PetscInt         num_nodes;
  char (*nodes)[UNIVERSAL_NAME];
  PetscReal (*places)[3]; /* of the points; the origin where it is not known */
  PetscInt64    before;   /* the largest number of a node of the mesh */
  UniversalMesh mesh;
  PetscInt      num_modes, num_functions; /* written so far */
} Universal;

/* A place that something is measured at. */
typedef struct {
  PetscInt64 node;      /* 0: none */
  PetscInt   direction; /* 1 to 6 for x to rz; 0: none */
  char       name[UNIVERSAL_NAME];
} UniversalPlace;

/* "m2 y": a motion by its name. */
void UniversalPlaceOf(const Universal *universal, const char *motion, UniversalPlace *place);
void UniversalBegin(const Universal *universal, int number); /* of a dataset */
void UniversalEnd(const Universal *universal);

/* universal_mesh.c: of the first study of modes that has one beside the result. */
PetscErrorCode UniversalReadMesh(Universal *universal);
PetscErrorCode UniversalFreeMesh(Universal *universal);
void           UniversalWriteNode(const Universal *universal, PetscInt64 number, const PetscReal place[3]);
void           UniversalWriteElements(const Universal *universal);
/* How the nodes of the mesh move in mode k of a group, "/modes/stuck": [num_nodes, 3], the caller frees it; NULL where that is not known. */
PetscErrorCode UniversalReadShape(const Universal *universal, const char *group, PetscInt k, PetscReal frequency, PetscReal **shape);
/* universal_modes.c: those that are chosen. */
PetscErrorCode UniversalWriteModes(Universal *universal);
/* universal_functions.c: likewise. */
PetscErrorCode UniversalWriteHistories(Universal *universal);
PetscErrorCode UniversalWriteResponses(Universal *universal);
PetscErrorCode UniversalWriteSpectra(Universal *universal);

/* Values over an abscissa, which need not be whole: what is not there is left out. */
typedef struct {
  PetscInt         function; /* 1: a history, 2: a spectral density, 4: a frequency response */
  const char      *name;     /* of the dataset and its column */
  UniversalPlace   place;
  PetscInt         abscissa, ordinate; /* what they are: 17 time, 18 frequency; 8 displacement, ... */
  const char      *unit, *per;         /* per: of what it is divided by; NULL for nothing */
  PetscInt         count, parts;       /* parts: 2 of complex values */
  const PetscReal *x, *values;
} UniversalFunction58;
/* universal_58.c */
PetscInt       UniversalKindOfLoad(const char *unit); /* 8, 11, 12 of a motion, else 13 */
PetscErrorCode UniversalWriteFunction(Universal *universal, const UniversalFunction58 *function);
