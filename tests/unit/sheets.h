/* sheets.h - meshes of two sheets of faces, flat or bent, one against the other: groups "1" and "2". */
#pragma once
#include "parsed_mesh.h"

/* Where bodies are. That of the first sheet is below, that of the second above, or towards and away from the axis z, or the origin. */
typedef enum { ABOVE = 0, ROUND_AXIS = 2, ROUND_ORIGIN = 3 } Bodies;

/* cells[0] x cells[1] quadrilaterals, or twice as many triangles, over a rectangle of the plane z = height + slope x, then bent. */
typedef struct {
  MeshShape shape;
  PetscInt  cells[2];
  PetscReal from[2], to[2], height, slope;
  PetscReal distortion; /* of inner corners, in parts of a cell */
  PetscBool flip;       /* the order of the nodes of all faces */
  void (*bend)(PetscReal place[3]);
  Bodies bodies;
} Sheet;

static const Sheet unit_sheet = {.shape = MESH_QUAD4, .cells = {4, 4}, .to = {1.0, 1.0}};

enum { MOST_TEXT = 4000000 };

static inline void CornerOf(const Sheet *sheet, PetscInt i, PetscInt j, PetscReal place[3])
{
  const PetscBool inner = (PetscBool)(i > 0 && j > 0 && i < sheet->cells[0] && j < sheet->cells[1]);
  const PetscReal move  = inner ? sheet->distortion : 0.0;

  place[0] = sheet->from[0] + (sheet->to[0] - sheet->from[0]) * ((PetscReal)i + move * PetscSinReal(3.0 * i + 5.0 * j)) / sheet->cells[0];
  place[1] = sheet->from[1] + (sheet->to[1] - sheet->from[1]) * ((PetscReal)j + move * PetscCosReal(7.0 * i + 2.0 * j)) / sheet->cells[1];
  place[2] = sheet->height + sheet->slope * place[0];
}

static inline PetscBool IsTriangle(MeshShape shape)
{
  return (PetscBool)(shape == MESH_TRI3 || shape == MESH_TRI6);
}

/* On the lattice of half cells; what is no corner lies midway between corners, before the sheet is bent: between the two of the diagonal in
   cells of two triangles. */
static inline void PlaceOf(const Sheet *sheet, PetscInt i, PetscInt j, PetscReal place[3])
{
  const PetscBool diagonal = (PetscBool)(IsTriangle(sheet->shape) && i % 2 && j % 2);

  for (PetscInt c = 0; c < 3; c++) place[c] = 0.0;
  for (PetscInt k = 0; k < 4; k++) {
    const PetscInt right = k % 2, up = diagonal ? right : k / 2;
    PetscReal      corner[3];

    CornerOf(sheet, (i + right * (i % 2)) / 2, (j + up * (j % 2)) / 2, corner);
    for (PetscInt c = 0; c < 3; c++) place[c] += 0.25 * corner[c];
  }
  if (sheet->bend) sheet->bend(place);
}

static inline PetscInt TagOf(const Sheet *sheet, PetscInt first, PetscInt i, PetscInt j)
{
  return first + j * (2 * sheet->cells[0] + 1) + i;
}

static inline PetscInt NumTags(const Sheet *sheet)
{
  return (2 * sheet->cells[0] + 1) * (2 * sheet->cells[1] + 1);
}

static inline char *WriteNodes(const Sheet *sheet, PetscInt first, char *text)
{
  for (PetscInt j = 0; j <= 2 * sheet->cells[1]; j++) {
    for (PetscInt i = 0; i <= 2 * sheet->cells[0]; i++) {
      PetscReal place[3];

      PlaceOf(sheet, i, j, place);
      text += sprintf(text, "%" PetscInt_FMT " %.17g %.17g %.17g\n", TagOf(sheet, first, i, j), place[0], place[1], place[2]);
    }
  }
  return text;
}

/* Nodes of faces on the lattice of a cell, [num_nodes][2]; normal +z. */
static const PetscInt quad_lattice[9][2]   = {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0}, {2, 1}, {1, 2}, {0, 1}, {1, 1}};
static const PetscInt tri_lattice[2][6][2] = {{{0, 0}, {2, 0}, {2, 2}, {1, 0}, {2, 1}, {1, 1}}, {{0, 0}, {2, 2}, {0, 2}, {1, 1}, {1, 2}, {0, 1}}};

/* Turned round: node 0 stays, corners and the nodes of sides go the other way. */
static inline PetscInt Flipped(MeshShape shape, PetscInt k)
{
  const PetscInt corners = IsTriangle(shape) ? 3 : 4;

  if (k == 8) return k;
  return k < corners ? (corners - k) % corners : 2 * corners - 1 - (k - corners);
}

static inline char *WriteFaces(const Sheet *sheet, PetscInt first, PetscInt group, PetscInt *tag, char *text)
{
  const PetscInt num = IsTriangle(sheet->shape) ? 2 : 1, width = mesh_shapes[sheet->shape].num_nodes;

  for (PetscInt f = 0; f < num * sheet->cells[0] * sheet->cells[1]; f++) {
    const PetscInt cell = f / num, i = 2 * (cell % sheet->cells[0]), j = 2 * (cell / sheet->cells[0]);

    text += sprintf(text, "%" PetscInt_FMT " %d 2 %" PetscInt_FMT " 1", (*tag)++, mesh_shapes[sheet->shape].gmsh_type, group);
    for (PetscInt k = 0; k < width; k++) {
      const PetscInt        n       = sheet->flip ? Flipped(sheet->shape, k) : k;
      const PetscInt *const lattice = num == 2 ? tri_lattice[f % 2][n] : quad_lattice[n];

      text += sprintf(text, " %" PetscInt_FMT, TagOf(sheet, first, i + lattice[0], j + lattice[1]));
    }
    text += sprintf(text, "\n");
  }
  return text;
}

static inline PetscInt NumFaces(const Sheet *sheet)
{
  return (IsTriangle(sheet->shape) ? 2 : 1) * sheet->cells[0] * sheet->cells[1];
}

/* Groups "1" and "2". */
static inline ParsedMesh MakeMesh(MPI_Comm comm, const Sheet sheets[2])
{
  char      *text = malloc(MOST_TEXT), *end = text;
  PetscInt   tag = 1;
  ParsedMesh parsed;

  assert_non_null(text);
  end += sprintf(end, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%" PetscInt_FMT "\n", NumTags(&sheets[0]) + NumTags(&sheets[1]));
  end = WriteNodes(&sheets[0], 1, end);
  end = WriteNodes(&sheets[1], 1 + NumTags(&sheets[0]), end);
  end += sprintf(end, "$EndNodes\n$Elements\n%" PetscInt_FMT "\n", NumFaces(&sheets[0]) + NumFaces(&sheets[1]));
  end = WriteFaces(&sheets[0], 1, 1, &tag, end);
  end = WriteFaces(&sheets[1], 1 + NumTags(&sheets[0]), 2, &tag, end);
  end += sprintf(end, "$EndElements\n");
  assert_true(end - text < MOST_TEXT);
  parsed = Parse(comm, text);
  assert_non_null(parsed.mesh);
  free(text);
  return parsed;
}
