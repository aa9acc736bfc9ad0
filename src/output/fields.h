/* fields.h - what the files about fields on meshes share: VTK's cells, lists that ranks hold in slices, what is written of a mesh. */
#pragma once
#include "result.h"

/* vtk_cells.c: how VTK and XDMF draw a shape. Corner i is node order[i] of ours; nodes that there is no place for are left out. */
typedef struct {
  unsigned char type;
  PetscInt      num_corners;
  unsigned char xdmf_type;
  PetscInt      num_xdmf_corners;
  PetscInt      order[MESH_MAX_NODES];
} VtkCell;

enum { XDMF_POLYLINE = 2 }; /* the last type of XDMF that needs to be told how many corners it has */

extern const VtkCell vtk_cells[MESH_NUM_SHAPES];

/* What a rank gives to a dataset: `count` items of `length` rows each, made on demand from the source. */
typedef struct Slice Slice;
struct Slice {
  PetscInt count, length;
  void (*fill)(const Slice *slice, PetscInt first, PetscInt count, void *rows);
  const void *source;
  size_t      item_bytes; /* in the file */
};

/* A dataset: the first slices of all ranks one after another, then the second ones, ... */
typedef struct {
  char       path[160];
  hid_t      stored;
  PetscInt   width; /* numbers of a row; 0: the dataset has one dimension */
  PetscInt   num_slices;
  Slice      slices[MESH_NUM_SHAPES + 1];
  PetscInt64 num_rows; /* on all ranks; from ColumnCount */
} Column;

/* column.c */
void ColumnAddSlice(Column *column, PetscInt count, PetscInt length, void (*fill)(const Slice *, PetscInt, PetscInt, void *), const void *source);
void SliceCopy(const Slice *slice, PetscInt first, PetscInt count, void *rows); /* a `fill`: the source holds the rows */
PetscErrorCode ColumnCount(MPI_Comm comm, Column *column);                      /* collective */
PetscInt64     ColumnBytes(const Column *column);                               /* on disk, at most */
PetscErrorCode ColumnAllocate(hid_t file, const Column *column);                /* local */
PetscErrorCode ColumnWrite(MPI_Comm comm, hid_t file, const Column *column);    /* collective; `file` on rank 0 */

/* The elements of one shape that are drawn. */
typedef struct {
  const Mesh      *mesh;
  const MeshBlock *block;
  const VtkCell   *cell;
  PetscInt64       corners_before; /* of the shapes before */
  PetscInt64      *groups;         /* number of its group; 0: none, [block->count] */
  PetscInt         count;          /* on this rank */
  PetscInt         first;          /* elements that this rank has in the blocks before */
  PetscInt        *elements;       /* which of the block they are, [count]; NULL: all */
  const PetscInt  *row;            /* of the grid */
} Cells;

typedef struct {
  PetscInt          num_cells;
  Cells             cells[MESH_NUM_SHAPES];
  PetscInt64        totals[3]; /* points, cells, corners of cells in the whole mesh */
  PetscInt          num_nodes; /* of this rank that are written */
  const PetscReal  *coordinates;
  const PetscInt64 *tags;
  PetscInt         *nodes; /* which of this rank's they are, ascending, [num_nodes]; NULL: all */
  PetscInt         *row;   /* of each node of the mesh, where it is written, [nodes of the mesh]; NULL: at its number */
} Grid;

enum { GRID_NUM_COLUMNS = 5, VTKHDF_NUM_COLUMNS = GRID_NUM_COLUMNS + 6 };

/* grid.c: columns that borrow from both. */
PetscErrorCode GridCreate(const Mesh *mesh, Grid *grid);
/* grid_group.c: the same of one group, which owns its nodes. */
PetscErrorCode GridCreateGroup(const Mesh *mesh, const MeshGroup *group, Grid *grid);
/* Of values of all nodes that this rank owns those that are written, in their place: [num_nodes, width]. */
void GridKeepNodes(const Grid *grid, PetscInt width, PetscReal values[]);
/* Of values of all elements that this rank has, block after block, those that are drawn; not of a group. */
void           GridAddElements(const Grid *grid, const PetscReal values[], Column *column);
PetscErrorCode GridDestroy(Grid *grid);
void           GridDescribe(const Grid *grid, const char *root, Column columns[GRID_NUM_COLUMNS]); /* all but the cells themselves */
void           GridDescribeCells(const Mesh *mesh, const Grid *grid, Column columns[]);            /* as VTKHDF has them */
void           GridDescribeMixed(const Grid *grid, const char *root, Column *column);              /* as XDMF has them */

/* A kind of HDF5 file that all ranks fill together. */
typedef struct {
  const char *group;                                                      /* by which such a file is known */
  PetscErrorCode (*lay_out)(hid_t file, const void *plan);                /* on rank 0: all datasets, empty */
  PetscErrorCode (*fill)(hid_t file, const void *plan, PetscBool *whole); /* collective; `file` on rank 0; not whole: to be thrown away */
} FileKind;

/* new_file.c */
PetscErrorCode FileWriteTogether(const char *path, MPI_Comm comm, const FileKind *kind, PetscInt64 num_bytes, const void *plan, PetscBool *whole);
PetscErrorCode VerdictOfFirst(MPI_Comm comm, PetscErrorCode code); /* everybody gets rank 0's */
/* Local: what stands at the path would be replaced, so it must be ours to replace. */
PetscErrorCode PlaceCheck(const char *path, const char *kind, PetscBool (*is_ours)(const char *path, const char *kind));
PetscBool      HoldsGroup(const char *path, const char *group);
