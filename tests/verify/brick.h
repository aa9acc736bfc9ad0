/*
  brick.h - meshes of bricks for tests: [0, a] x [0, b] x [0, c], cells of unequal size, elements of any solid shape.

  Its groups are the volume `body` and the surfaces x0 x1 y0 y1 z0 z1, of which every third element is numbered the wrong way round;
  perhaps also the inner surface `cut`, across x.
*/
#pragma once
#include "../unit/scratch.h"

typedef struct {
  const char *shape; /* hex8, hex20, wedge6, wedge15, tet4, tet10, pyramid5 */
  int         n[3];  /* cells */
  double      size[3];
  int         cut; /* the cell along x before which it is cut; 0: no cut */
} Brick;

enum { MAX_CORNERS = 8, MAX_EDGES = 12, LINEAR = 0, QUADRATIC = 1 };

/* Corners, and edges with a node in the middle, in Gmsh's order. */
typedef struct {
  int num_corners, num_edges, types[2]; /* Gmsh's, linear and quadratic */
  int edges[MAX_EDGES][2];
} Family;

static const Family tetrahedron = {4, 6, {4, 11}, {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}}};
static const Family wedge       = {6, 9, {6, 18}, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}}};
static const Family hexahedron  = {8, 12, {5, 17}, {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}}};
static const Family pyramid     = {5, 0, {7}, {{0}}};
static const Family triangle    = {3, 3, {2, 9}, {{0, 1}, {1, 2}, {2, 0}}};
static const Family quadrilateral = {4, 4, {3, 16}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}};

/* What is being written: first without a file, to see which nodes there are. */
typedef struct {
  const Brick *brick;
  FILE        *file;
  int          order, num_elements;
  char        *used; /* places of the grid of half cells */
} Writer;

static inline int GridNode(const Writer *writer, const int place[3])
{
  const int *const n = writer->brick->n;

  return (place[0] * (2 * n[1] + 1) + place[1]) * (2 * n[2] + 1) + place[2];
}

static inline void PutNode(Writer *writer, const int place[3])
{
  writer->used[GridNode(writer, place)] = 1;
  if (writer->file) fprintf(writer->file, " %d", GridNode(writer, place) + 1);
}

static inline void PutElement(Writer *writer, const Family *family, int group, const int corners[][3])
{
  writer->num_elements++;
  if (writer->file) fprintf(writer->file, "%d %d 2 %d %d", writer->num_elements, family->types[writer->order], group, group);
  for (int i = 0; i < family->num_corners; i++) PutNode(writer, corners[i]);
  for (int e = 0; e < family->num_edges && writer->order == QUADRATIC; e++) {
    const int *const a = corners[family->edges[e][0]], *const b = corners[family->edges[e][1]];
    const int middle[3] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};

    PutNode(writer, middle);
  }
  if (writer->file) fprintf(writer->file, "\n");
}

/* A face or the base of a prism: corners in turn, from the lowest; as triangles cut from there. */
static inline void PutFace(Writer *writer, int group, const int corners[4][3], int as_triangles)
{
  for (int t = 0; t < (as_triangles ? 2 : 1); t++) {
    const int order[2][4] = {{0, 1, 2, 3}, {0, 2, 3, 0}}, num = as_triangles ? 3 : 4, wrong = writer->num_elements % 3 == 0;
    int       turned[4][3];

    for (int i = 0; i < num; i++) memcpy(turned[i], corners[order[t][wrong && i ? num - i : i]], sizeof(turned[i]));
    PutElement(writer, as_triangles ? &triangle : &quadrilateral, group, (const int(*)[3])turned);
  }
}

/* All faces across an axis, before a cell. */
static inline void PutFaces(Writer *writer, int axis, int cell, int group)
{
  const int *const n = writer->brick->n, b = (axis + 1) % 3, c = (axis + 2) % 3;
  const int        as_triangles = writer->brick->shape[0] == 't' || (writer->brick->shape[0] == 'w' && axis == 2);
  static const int turn[4][2]   = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};

  for (int i = 0; i < n[b]; i++)
    for (int j = 0; j < n[c]; j++) {
      int corners[4][3];

      for (int k = 0; k < 4; k++) {
        corners[k][axis] = 2 * cell;
        corners[k][b]    = 2 * i + turn[k][0];
        corners[k][c]    = 2 * j + turn[k][1];
      }
      PutFace(writer, group, (const int(*)[3])corners, as_triangles);
    }
}

/* Kuhn's six tetrahedra: from the lowest corner to the highest along three edges, in any order of the axes. */
static inline void PutTetrahedra(Writer *writer, const int low[3])
{
  static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

  for (int t = 0; t < 6; t++) {
    int corners[4][3], mirrored[4][3];

    memcpy(corners[0], low, sizeof(corners[0]));
    for (int k = 0; k < 3; k++) {
      memcpy(corners[k + 1], corners[k], sizeof(corners[k]));
      corners[k + 1][orders[t][k]] += 2;
    }
    for (int k = 0; k < 4; k++) memcpy(mirrored[k], corners[t < 3 || k == 0 || k == 3 ? k : 3 - k], sizeof(mirrored[k]));
    PutElement(writer, &tetrahedron, 7, (const int(*)[3])mirrored);
  }
}

/* A piece of a cell with these of its corners, or its centre, the ninth. */
static inline void PutPiece(Writer *writer, const Family *family, const int places[][3], const int chosen[])
{
  int piece[MAX_CORNERS][3];

  for (int k = 0; k < family->num_corners; k++) memcpy(piece[k], places[chosen[k]], sizeof(piece[k]));
  PutElement(writer, family, 7, (const int(*)[3])piece);
}

static inline void PutCell(Writer *writer, const int low[3])
{
  static const int turn[9][3]     = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}, {1, 1, 1}};
  static const int whole[]        = {0, 1, 2, 3, 4, 5, 6, 7};
  static const int prisms[2][6]   = {{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}};
  static const int pyramids[6][5] = {{0, 1, 2, 3, 8}, {7, 6, 5, 4, 8}, {0, 4, 5, 1, 8}, {1, 5, 6, 2, 8}, {2, 6, 7, 3, 8}, {3, 7, 4, 0, 8}};
  const char       first          = writer->brick->shape[0];
  int              places[9][3];

  for (int k = 0; k < 9; k++)
    for (int c = 0; c < 3; c++) places[k][c] = low[c] + turn[k][c];
  if (first == 'h') PutPiece(writer, &hexahedron, (const int(*)[3])places, whole);
  for (int p = 0; p < 2 && first == 'w'; p++) PutPiece(writer, &wedge, (const int(*)[3])places, prisms[p]);
  for (int p = 0; p < 6 && first == 'p'; p++) PutPiece(writer, &pyramid, (const int(*)[3])places, pyramids[p]);
  if (first == 't') PutTetrahedra(writer, low);
}

static inline void PutElements(Writer *writer)
{
  const int *const n = writer->brick->n;

  writer->num_elements = 0;
  for (int axis = 0; axis < 3; axis++)
    for (int side = 0; side < 2; side++) PutFaces(writer, axis, side * n[axis], 1 + 2 * axis + side);
  if (writer->brick->cut) PutFaces(writer, 0, writer->brick->cut, 8);
  for (int i = 0; i < n[0]; i++)
    for (int j = 0; j < n[1]; j++)
      for (int k = 0; k < n[2]; k++) PutCell(writer, (const int[3]){2 * i, 2 * j, 2 * k});
}

/* Cells grow smaller along each axis; half cells are halves of them. */
static inline double GridPlace(const Brick *brick, int axis, int half)
{
  const double low = (double)(half / 2) / brick->n[axis], high = (double)((half + 1) / 2) / brick->n[axis];

  return brick->size[axis] * 0.5 * (low * (1.2 - 0.2 * low) + high * (1.2 - 0.2 * high));
}

static inline void PutNodes(const Writer *writer)
{
  const int *const n        = writer->brick->n;
  const int        num_grid = (2 * n[0] + 1) * (2 * n[1] + 1) * (2 * n[2] + 1);
  int              num_used = 0;

  for (int i = 0; i < num_grid; i++) num_used += writer->used[i];
  fprintf(writer->file, "$Nodes\n%d\n", num_used);
  for (int i = 0; i <= 2 * n[0]; i++)
    for (int j = 0; j <= 2 * n[1]; j++)
      for (int k = 0; k <= 2 * n[2]; k++) {
        const int place[3] = {i, j, k}, node = GridNode(writer, place);

        if (writer->used[node])
          fprintf(writer->file, "%d %.17g %.17g %.17g\n", node + 1, GridPlace(writer->brick, 0, i), GridPlace(writer->brick, 1, j),
                  GridPlace(writer->brick, 2, k));
      }
  fprintf(writer->file, "$EndNodes\n");
}

static inline int OrderOf(const char *shape)
{
  static const struct {
    const char *name;
    int         order;
  } known[] = {{"hex8", LINEAR}, {"hex20", QUADRATIC}, {"wedge6", LINEAR},  {"wedge15", QUADRATIC},
               {"tet4", LINEAR}, {"tet10", QUADRATIC}, {"pyramid5", LINEAR}};

  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(shape, known[i].name) == 0) return known[i].order;
  fail_msg("bricks are not made of %s", shape);
  return LINEAR;
}

static inline void BrickWriteOnOneRank(const char *path, const Brick *brick)
{
  Writer writer = {.brick = brick, .order = OrderOf(brick->shape)};

  writer.used = calloc((size_t)((2 * brick->n[0] + 1) * (2 * brick->n[1] + 1) * (2 * brick->n[2] + 1)), 1);
  assert_non_null(writer.used);
  PutElements(&writer);
  writer.file = fopen(path, "w");
  assert_non_null(writer.file);
  fprintf(writer.file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n", brick->cut ? 8 : 7);
  for (int g = 0; g < 6; g++) fprintf(writer.file, "2 %d \"%c%d\"\n", g + 1, "xyz"[g / 2], g % 2);
  if (brick->cut) fprintf(writer.file, "2 8 \"cut\"\n");
  fprintf(writer.file, "3 7 \"body\"\n$EndPhysicalNames\n");
  PutNodes(&writer);
  fprintf(writer.file, "$Elements\n%d\n", writer.num_elements);
  PutElements(&writer);
  fprintf(writer.file, "$EndElements\n");
  assert_int_equal(fclose(writer.file), 0);
  free(writer.used);
}

static inline void BrickWrite(const char *path, const Brick *brick)
{
  if (RankOf(MPI_COMM_WORLD) == 0) BrickWriteOnOneRank(path, brick);
  MPI_Barrier(MPI_COMM_WORLD);
}
