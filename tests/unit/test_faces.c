/* test_faces.c - contact points between two sheets of faces: constant pressure, rigid motions, gaps, overhang, curved faces. [ranks: 1 2 3] */
#include "parsed_mesh.h"
#include "element.h"
#include "faces.h"

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

static void CornerOf(const Sheet *sheet, PetscInt i, PetscInt j, PetscReal place[3])
{
  const PetscBool inner = (PetscBool)(i > 0 && j > 0 && i < sheet->cells[0] && j < sheet->cells[1]);
  const PetscReal move  = inner ? sheet->distortion : 0.0;

  place[0] = sheet->from[0] + (sheet->to[0] - sheet->from[0]) * ((PetscReal)i + move * PetscSinReal(3.0 * i + 5.0 * j)) / sheet->cells[0];
  place[1] = sheet->from[1] + (sheet->to[1] - sheet->from[1]) * ((PetscReal)j + move * PetscCosReal(7.0 * i + 2.0 * j)) / sheet->cells[1];
  place[2] = sheet->height + sheet->slope * place[0];
}

static PetscBool IsTriangle(MeshShape shape)
{
  return (PetscBool)(shape == MESH_TRI3 || shape == MESH_TRI6);
}

/* On the lattice of half cells; what is no corner lies midway between corners, before the sheet is bent: between the two of the diagonal in
   cells of two triangles. */
static void PlaceOf(const Sheet *sheet, PetscInt i, PetscInt j, PetscReal place[3])
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

static PetscInt TagOf(const Sheet *sheet, PetscInt first, PetscInt i, PetscInt j)
{
  return first + j * (2 * sheet->cells[0] + 1) + i;
}

static PetscInt NumTags(const Sheet *sheet)
{
  return (2 * sheet->cells[0] + 1) * (2 * sheet->cells[1] + 1);
}

static char *WriteNodes(const Sheet *sheet, PetscInt first, char *text)
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
static PetscInt Flipped(MeshShape shape, PetscInt k)
{
  const PetscInt corners = IsTriangle(shape) ? 3 : 4;

  if (k == 8) return k;
  return k < corners ? (corners - k) % corners : 2 * corners - 1 - (k - corners);
}

static char *WriteFaces(const Sheet *sheet, PetscInt first, PetscInt group, PetscInt *tag, char *text)
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

static PetscInt NumFaces(const Sheet *sheet)
{
  return (IsTriangle(sheet->shape) ? 2 : 1) * sheet->cells[0] * sheet->cells[1];
}

/* Groups "1" and "2". */
static ParsedMesh MakeMesh(MPI_Comm comm, const Sheet sheets[2])
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

static void Centre(const Mesh *mesh, MeshElement element, PetscReal centre[3])
{
  const MeshBlock *const block = MeshGetBlock(mesh, element.block);
  const PetscInt         width = mesh_shapes[block->shape].num_nodes;

  for (PetscInt c = 0; c < 3; c++) {
    centre[c] = 0.0;
    for (PetscInt k = 0; k < width; k++)
      centre[c] += MeshGetNodes(mesh)->coordinates[3 * block->local_nodes[element.index * width + k] + c] / (PetscReal)width;
  }
}

static PetscReal *InsideOf(const Mesh *mesh, PetscInt side, Bodies bodies)
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
static FacePoints *Find(const Mesh *mesh, PetscInt slave, PetscReal reach, Bodies bodies, PetscBool swap)
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

static PetscReal *PlacesOf(const Mesh *mesh)
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

static Touch TouchNew(const Sheet *first, const Sheet *second, PetscInt slave, PetscReal reach)
{
  const Sheet sheets[2] = {*first, *second};
  Touch       touch     = {.parsed = MakeMesh(PETSC_COMM_WORLD, sheets)};

  touch.points = Find(touch.parsed.mesh, slave, reach, first->bodies, PETSC_FALSE);
  touch.places = PlacesOf(touch.parsed.mesh);
  return touch;
}

static void TouchDestroy(Touch *touch)
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
static void MotionOf(const Touch *touch, PetscInt point, const Field *field, PetscReal motion[3])
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
static void AssertRigid(const Touch *touch, PetscReal part)
{
  for (PetscInt i = 0; i < touch->points->num_points; i++) {
    PetscReal motion[3];

    MotionOf(touch, i, &rigid, motion);
    for (PetscInt c = 0; c < 3; c++) assert_near(motion[c], 0.0, 4.0 * part);
  }
}

/* Forces of tractions that differ from point to point, on all nodes: none in all, and no moment about the origin. */
static void AssertBalance(const Touch *touch, PetscReal tolerance)
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

/* int N by the rules of the element room, on the nodes of all ranks. */
static void AddWeights(const Mesh *mesh, PetscInt side, PetscReal integral[])
{
  const MeshGroup *const group = MeshGetGroup(mesh, side);

  for (PetscInt f = 0; f < group->count; f++) {
    const MeshBlock *const block = MeshGetBlock(mesh, group->elements[f].block);
    const PetscInt         width = mesh_shapes[block->shape].num_nodes, start = group->elements[f].index * width;
    PetscReal              places[27], weights[9];
    PetscInt               faulty;

    for (PetscInt k = 0; k < 3 * width; k++) places[k] = MeshGetNodes(mesh)->coordinates[3 * block->local_nodes[start + k / 3] + k % 3];
    assert_ok(ElementWeights(block->shape, 1, places, weights, &faulty));
    for (PetscInt k = 0; k < width; k++) integral[block->nodes[start + k]] += weights[k];
  }
  assert_int_equal(MPI_Allreduce(MPI_IN_PLACE, integral, (PetscMPIInt)MeshGetNodes(mesh)->total, MPIU_REAL, MPIU_SUM, MeshComm(mesh)), MPI_SUCCESS);
}

/* Forces of a unit pressure on both sides are int N: the patch test. */
static void AssertConsistent(const Touch *touch, PetscReal tolerance)
{
  const PetscInt          total  = MeshGetNodes(touch->parsed.mesh)->total;
  const FacePoints *const points = touch->points;
  PetscReal              *force, *integral[2], largest = 0.0;

  assert_ok(PetscCalloc3(total, &force, total, &integral[0], total, &integral[1]));
  for (PetscInt side = 0; side < 2; side++) AddWeights(touch->parsed.mesh, side, integral[side]);
  for (PetscInt i = 0; i < points->num_points; i++)
    for (PetscInt k = points->first[i]; k < points->first[i + 1]; k++) force[points->term[k]] += points->area[i] * points->weight[k];
  for (PetscInt n = 0; n < total; n++) largest = PetscMax(largest, integral[points->side][n]);
  for (PetscInt n = 0; n < total; n++) assert_near(force[n], integral[1 - points->side][n] - integral[points->side][n], tolerance * largest);
  assert_ok(PetscFree3(force, integral[0], integral[1]));
}

static const MeshShape shapes[] = {MESH_TRI3, MESH_TRI6, MESH_QUAD4, MESH_QUAD8, MESH_QUAD9};
enum { NUM_SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static void a_constant_pressure_passes_exactly(void **state)
{
  static const PetscInt ratios[][2] = {{4, 4}, {5, 4}, {7, 4}};

  for (PetscInt c = 0; c < NUM_SHAPES * NUM_SHAPES * 3; c++) {
    const PetscInt *const ratio = ratios[c % 3];
    const PetscReal       warp  = ratio[0] == 7 ? 0.2 : 0.0;
    Sheet                 first = unit_sheet, second = unit_sheet;
    Touch                 touch;

    first.shape = shapes[c / 3 % NUM_SHAPES], second.shape = shapes[c / 3 / NUM_SHAPES];
    first.distortion = warp, second.distortion = -0.7 * warp;
    for (PetscInt k = 0; k < 2; k++) first.cells[k] = ratio[0], second.cells[k] = ratio[1];
    touch = TouchNew(&first, &second, c % 2, PETSC_DEFAULT);
    assert_int_equal(touch.points->side, c % 2);
    assert_close(touch.points->met, 1.0, 1e-12);
    AssertConsistent(&touch, 1e-12);
    AssertRigid(&touch, 1e-13);
    for (PetscInt i = 0; i < touch.points->num_points; i++) assert_near(touch.points->gap[i], 0.0, 1e-15);
    for (PetscInt k = 0; k < 2 * touch.points->first[touch.points->num_points]; k++) assert_true(touch.points->turn[k] == 0.0);
    TouchDestroy(&touch);
  }
}

/* Whether a term belongs to the master: the nodes of another part of the mesh than the point's. */
static PetscBool IsOfMaster(const Touch *touch, PetscInt point, PetscInt k)
{
  return (PetscBool)(MeshPartOfNode(touch->parsed.mesh, touch->points->term[k]) != MeshPartOfNode(touch->parsed.mesh, touch->points->node[point]));
}

/* The sum of the weights of one side. */
static PetscReal WeightOf(const Touch *touch, PetscInt point, PetscBool of_master)
{
  PetscReal sum = 0.0;

  for (PetscInt k = touch->points->first[point]; k < touch->points->first[point + 1]; k++)
    if (IsOfMaster(touch, point, k) == of_master) sum += touch->points->weight[k];
  return sum;
}

/* The term at the place of term k, on the other side. */
static PetscInt PartnerOf(const Touch *touch, PetscInt point, PetscInt k)
{
  const FacePoints *const points = touch->points;

  for (PetscInt j = points->first[point]; j < points->first[point + 1]; j++) {
    const PetscReal *const a = touch->places + 3 * points->term[j], *const b = touch->places + 3 * points->term[k];

    if (points->term[j] != points->term[k] && PetscAbsReal(a[0] - b[0]) + PetscAbsReal(a[1] - b[1]) + PetscAbsReal(a[2] - b[2]) < 1e-14) return j;
  }
  fail_msg("Node %" PetscInt_FMT " has no partner", points->term[k]);
  return -1;
}

static PetscBool IsOfSecondOrder(MeshShape shape)
{
  return (PetscBool)(mesh_shapes[shape].num_nodes > 4);
}

/* What moves both alike gives no motion, as each node has the weight of its partner; with linear functions a point is one node and its partner. */
static void on_matching_meshes_nodes_have_the_weights_of_their_partners(void **state)
{
  for (PetscInt c = 0; c < 2 * NUM_SHAPES; c++) {
    Sheet first = unit_sheet, second;
    Touch touch;

    first.shape      = shapes[c / 2];
    first.distortion = c % 2 ? 0.15 : 0.0;
    second           = first;
    second.flip      = PETSC_TRUE;
    touch            = TouchNew(&first, &second, 0, PETSC_DEFAULT);
    assert_int_equal(touch.points->num_points, MeshGetNodes(touch.parsed.mesh)->total / 2);
    for (PetscInt i = 0; i < touch.points->num_points; i++) {
      const PetscInt start = touch.points->first[i];

      for (PetscInt k = start; k < touch.points->first[i + 1]; k++)
        assert_near(touch.points->weight[k] + touch.points->weight[PartnerOf(&touch, i, k)], 0.0, 1e-12);
      if (IsOfSecondOrder(first.shape)) continue;
      assert_int_equal(touch.points->first[i + 1], start + 2);
      assert_int_equal(touch.points->term[start], touch.points->node[i]);
      assert_true(touch.points->weight[start] == -1.0);
    }
    TouchDestroy(&touch);
  }
}

/* Dual weights have the mean place of their node: the mean of a linear gap is its value there. */
static void a_linear_gap_is_met(void **state)
{
  static const PetscReal heights[] = {0.01, -0.01, 0.003}, slopes[] = {0.0, 0.0, 0.02};

  for (PetscInt c = 0; c < 3 * NUM_SHAPES; c++) {
    Sheet first = unit_sheet, second = unit_sheet;
    Touch touch;

    first.shape      = shapes[c / 3];
    first.distortion = 0.2;
    second.cells[0]  = 3;
    second.height = heights[c % 3], second.slope = slopes[c % 3];
    touch = TouchNew(&first, &second, 0, PETSC_DEFAULT);
    assert_close(touch.points->met, 1.0, 1e-12);
    for (PetscInt i = 0; i < touch.points->num_points; i++)
      assert_near(touch.points->gap[i], second.height + second.slope * touch.points->place[3 * i], 1e-14);
    TouchDestroy(&touch);
  }
}

/* The same seen from a tilted slave: distances along its own normal. */
static void a_gap_is_measured_along_the_normal_of_the_slave(void **state)
{
  Sheet first = unit_sheet, second = unit_sheet;
  Touch touch;

  first.slope   = 0.5;
  second.height = 0.05, second.slope = 0.5;
  second.from[0] = second.from[1] = -0.5;
  second.to[0] = second.to[1] = 1.5;
  touch                       = TouchNew(&first, &second, 0, PETSC_DEFAULT);
  assert_close(touch.points->met, sqrt(1.25), 1e-12);
  for (PetscInt i = 0; i < touch.points->num_points; i++) {
    const PetscReal expected[9] = {-0.5 / sqrt(1.25), 0.0, 1.0 / sqrt(1.25), 0.0, 1.0, 0.0, -1.0 / sqrt(1.25), 0.0, -0.5 / sqrt(1.25)};

    for (PetscInt k = 0; k < 9; k++) assert_near(touch.points->frame[9 * i + k], expected[k], 1e-14);
    assert_near(touch.points->gap[i], 0.05 / sqrt(1.25), 1e-14);
  }
  TouchDestroy(&touch);
}

/* Force and moment of a unit pressure on each side are those of the rectangle [from, 1] x [0, 1]. */
static void AssertResultants(const Touch *touch, PetscReal from)
{
  const FacePoints *const points    = touch->points;
  const PetscReal         expect[3] = {1.0 - from, 0.5 * (1.0 - from * from), 0.5 * (1.0 - from)};
  PetscReal               sum[2][3] = {{0.0}};

  for (PetscInt i = 0; i < points->num_points; i++) {
    for (PetscInt k = points->first[i]; k < points->first[i + 1]; k++) {
      const PetscReal force = points->area[i] * points->weight[k];
      const PetscBool side  = IsOfMaster(touch, i, k);
      for (PetscInt c = 0; c < 3; c++) sum[side][c] += (side ? 1.0 : -1.0) * force * (c == 0 ? 1.0 : touch->places[3 * points->term[k] + c - 1]);
    }
  }
  for (PetscInt c = 0; c < 6; c++) assert_close(sum[c / 3][c % 3], expect[c % 3], 1e-11);
}

/* However little of a face is covered: rigid motions, resultants, and weights that stay bounded. */
static void faces_may_overhang(void **state)
{
  static const PetscReal froms[] = {0.5, 0.6, 0.79, 0.7999, 0.999, 0.99999};

  for (PetscInt c = 0; c < 6 * NUM_SHAPES * 2; c++) {
    Sheet first = unit_sheet, second = unit_sheet;
    Touch touch;

    first.shape = shapes[c / 6 % NUM_SHAPES], second.shape = shapes[(c / 6 + c) % NUM_SHAPES];
    first.cells[0] = first.cells[1] = 5;
    second.distortion               = 0.2;
    second.from[0] = froms[c % 6], second.to[0] = froms[c % 6] + 1.0;
    touch = TouchNew(&first, &second, c / 6 / NUM_SHAPES, PETSC_DEFAULT);
    assert_close(touch.points->met, 1.0 - froms[c % 6], 1e-9);
    AssertResultants(&touch, froms[c % 6]);
    AssertRigid(&touch, 1e-11);
    for (PetscInt i = 0; i < touch.points->num_points; i++) {
      assert_close(WeightOf(&touch, i, PETSC_FALSE), -1.0, 1e-11);
      assert_close(WeightOf(&touch, i, PETSC_TRUE), 1.0, 1e-11);
      for (PetscInt k = touch.points->first[i]; k < touch.points->first[i + 1]; k++) assert_near(touch.points->weight[k], 0.0, 6.0);
    }
    TouchDestroy(&touch);
  }
}

enum { AROUND = 48 };

/* x goes once round the axis z, y along it, z becomes what the radius has more than 1. */
static void Wrap(PetscReal place[3])
{
  const PetscReal angle = 2.0 * PETSC_PI * place[0], radius = 1.0 + place[2];

  place[2] = place[1];
  place[0] = radius * cos(angle);
  place[1] = radius * sin(angle);
}

/* A shaft in a bush; the slave's facets are all covered, and no distance is off by more than the height of the arcs over the chords. */
static void a_shaft_lies_in_its_bush(void **state)
{
  const PetscReal clearance = 0.02, arc = (1.0 + clearance) * (1.0 - cos(PETSC_PI / 36)), length = 0.5;

  for (PetscInt c = 0; c < 2 * NUM_SHAPES; c++) {
    const PetscInt slave = c % 2;
    Sheet          first = {.shape = shapes[c / 2], .cells = {AROUND, 3}, .to = {1.0, length}, .bend = Wrap, .bodies = ROUND_AXIS}, second = first;
    Touch          touch;
    PetscReal      mean = 0.0;

    second.cells[0] = 36, second.cells[1] = 2, second.height = clearance, second.flip = PETSC_TRUE;
    touch = TouchNew(&first, &second, slave, 0.1);
    assert_close(touch.points->met, 2.0 * PETSC_PI * (1.0 + slave * clearance) * length, 2e-3);
    assert_close(touch.points->met, touch.points->areas[slave], first.shape == MESH_QUAD8 ? 1e-5 : 1e-12); /* tilted triangles at the ends */
    for (PetscInt i = 0; i < touch.points->num_points; i++) {
      const PetscReal *const frame = touch.points->frame + 9 * i, *const place = touch.points->place + 3 * i;
      const PetscReal radius = sqrt(place[0] * place[0] + place[1] * place[1]), outward = slave ? -1.0 : 1.0;

      assert_near(touch.points->gap[i], clearance, 2.0 * arc);
      assert_true(outward * (frame[0] * place[0] + frame[1] * place[1]) > radius * cos(PETSC_PI / 30));
      assert_near(frame[5], 1.0, 1e-4); /* y along the axis, but for the tilt of the triangles of quad8 */
      mean += touch.points->area[i] * touch.points->gap[i] / touch.points->met;
    }
    assert_near(mean, clearance, arc);
    AssertRigid(&touch, 1e-13);
    AssertBalance(&touch, 1e-13);
    TouchDestroy(&touch);
  }
}

/* Bodies that turn as one do not move against each other, though they are apart; nor do forces over the gap leave a moment. */
static void rigid_motions_are_exact_over_a_gap(void **state)
{
  static const PetscReal gaps[][2] = {{1e-3, 0.0}, {-1e-3, 0.0}, {0.01, 0.02}};

  for (PetscInt c = 0; c < 2 * 3 * NUM_SHAPES * NUM_SHAPES; c++) {
    Sheet first = unit_sheet, second = unit_sheet;
    Touch touch;

    first.shape = shapes[c / 6 % NUM_SHAPES], second.shape = shapes[c / 6 / NUM_SHAPES];
    first.distortion = 0.2, second.distortion = -0.1;
    second.cells[0] = 5, second.from[0] = 0.3;
    first.slope = second.slope = 0.5;
    second.height              = gaps[c / 2 % 3][0], second.slope += gaps[c / 2 % 3][1];
    touch                      = TouchNew(&first, &second, c % 2, PETSC_DEFAULT);
    AssertRigid(&touch, 1e-13);
    AssertBalance(&touch, 1e-13);
    TouchDestroy(&touch);
  }
}

/* Over a gap g the tangential motion is that of the master's plane g behind it: a tilt of the master alone is a shear g tilt. */
static void a_tilt_of_the_master_shears_the_gap(void **state)
{
  const PetscReal tilt[2] = {0.03, -0.02}, gap = 0.02;

  for (PetscInt c = 0; c < NUM_SHAPES; c++) {
    Sheet first = unit_sheet, second = unit_sheet;
    Touch touch;

    first.shape    = shapes[c];
    second.shape   = shapes[(c + 1) % NUM_SHAPES];
    first.cells[0] = 5, second.height = gap, second.distortion = 0.1;
    touch = TouchNew(&first, &second, 0, PETSC_DEFAULT);
    for (PetscInt i = 0; i < touch.points->num_points; i++) {
      const PetscReal *const frame = touch.points->frame + 9 * i, *const place = touch.points->place + 3 * i;
      PetscReal motion[3] = {0.0, 0.0, 0.0};

      for (PetscInt k = touch.points->first[i]; k < touch.points->first[i + 1]; k++) {
        const PetscReal *const at = touch.places + 3 * touch.points->term[k], u = tilt[0] * at[0] + tilt[1] * at[1];

        if (!IsOfMaster(&touch, i, k)) continue;
        for (PetscInt r = 0; r < 3; r++) motion[r] += touch.points->weight[k] * frame[3 * r + 2] * u;
        for (PetscInt r = 1; r < 3; r++) motion[r] += touch.points->turn[2 * k + r - 1] * frame[2] * u;
      }
      assert_near(motion[0], tilt[0] * place[0] + tilt[1] * place[1], 1e-14);
      for (PetscInt r = 1; r < 3; r++) assert_near(motion[r], gap * (tilt[0] * frame[3 * r] + tilt[1] * frame[3 * r + 1]), 1e-14);
    }
    TouchDestroy(&touch);
  }
}

static void Twist(PetscReal place[3])
{
  place[2] += 0.3 * place[0] * place[1];
}

/* int sqrt(1 + 0.09 (x^2 + y^2)) over the unit square, by the midpoints of many small ones. */
static PetscReal TwistedArea(void)
{
  PetscReal area = 0.0;

  for (PetscInt i = 0; i < 200 * 200; i++) {
    const PetscReal x = (i % 200 + 0.5) / 200.0, y = (i / 200 + 0.5) / 200.0;
    area += sqrt(1.0 + 0.09 * (x * x + y * y)) / (200.0 * 200.0);
  }
  return area;
}

/* Root mean square of gap - expected, over the area. */
static PetscReal GapError(const FacePoints *points, PetscReal expected)
{
  PetscReal sum = 0.0;

  for (PetscInt i = 0; i < points->num_points; i++) sum += points->area[i] * PetscSqr(points->gap[i] - expected);
  return sqrt(sum / points->met);
}

/* The middle of a warped quadrilateral of edge h is h^2 0.3 / 4 off its diagonals: so far are the triangles of two meshes apart. */
static void faces_may_be_warped(void **state)
{
  for (PetscInt c = 0; c < 2 * NUM_SHAPES * NUM_SHAPES; c++) {
    Sheet first = unit_sheet, second = unit_sheet;
    Touch touch;

    first.bend = second.bend = Twist;
    first.shape = shapes[c / 2 % NUM_SHAPES], second.shape = shapes[c / 2 / NUM_SHAPES];
    second.cells[0] = second.cells[1] = 5;
    second.distortion                 = 0.1;
    touch                             = TouchNew(&first, &second, c % 2, PETSC_DEFAULT);
    assert_close(touch.points->met, TwistedArea(), 2e-3);
    assert_true(GapError(touch.points, 0.0) < 0.3 / 4.0 / 16.0);
    AssertRigid(&touch, 1e-13);
    AssertBalance(&touch, 1e-13);
    TouchDestroy(&touch);
  }
}

/* The square from -0.4 to 0.4 of the plane z = 1 seen from the origin; z is what the radius has more than 1. */
static void Dome(PetscReal place[3])
{
  const PetscReal x = 0.8 * place[0] - 0.4, y = 0.8 * place[1] - 0.4, scale = (1.0 + place[2]) / sqrt(1.0 + x * x + y * y);

  place[0] = x * scale;
  place[1] = y * scale;
  place[2] = scale;
}

/* Errors of the area and of the gap of a cap in a cap. */
static void TryCaps(const MeshShape cap[2], PetscInt slave, PetscInt cells, PetscReal clearance, PetscReal errors[2])
{
  const PetscReal whole = 4.0 * asin(0.16 / 1.16); /* the solid angle of a pyramid with edges of 0.8 and height 1 */
  Sheet           first = {.shape = cap[0], .cells = {cells, cells}, .to = {1.0, 1.0}, .bend = Dome, .bodies = ROUND_ORIGIN}, second = first;
  Touch           touch;

  second.shape    = cap[1];
  second.cells[0] = second.cells[1] = cells + cells / 4;
  second.height                     = clearance;
  touch                             = TouchNew(&first, &second, slave, 0.2);
  errors[0]                         = PetscAbsReal(touch.points->met / (whole * PetscSqr(slave == 0 ? 1.0 : 1.0 + clearance)) - 1.0);
  errors[1]                         = GapError(touch.points, clearance);
  AssertRigid(&touch, 1e-13);
  AssertBalance(&touch, 1e-13);
  TouchDestroy(&touch);
}

/* With half the edge the errors of plane triangles are a quarter; the rim, where caps of two radii do not end alike, is a half of little. Gaps
   between parabolas have about an eighth. */
static void a_cap_lies_in_a_cap(void **state)
{
  for (PetscInt c = 0; c < 2 * NUM_SHAPES * NUM_SHAPES; c++) {
    const MeshShape cap[2]    = {shapes[c / 2 % NUM_SHAPES], shapes[c / 2 / NUM_SHAPES]};
    const PetscBool quadratic = (PetscBool)(IsOfSecondOrder(cap[0]) && IsOfSecondOrder(cap[1]));
    PetscReal       coarse[2], fine[2];

    TryCaps(cap, c % 2, 4, 0.01, coarse);
    TryCaps(cap, c % 2, 8, 0.01, fine);
    assert_true(fine[0] < 0.4 * coarse[0]);
    assert_true(fine[0] < 4e-3);
    assert_true(fine[1] < (quadratic ? 0.23 : 0.26) * coarse[1]);
    assert_true(fine[1] < (quadratic ? 2e-5 : 2e-3));
  }
}

/* Bit for bit; the sides are counted from the other end when `swapped`. */
static void AssertSame(const FacePoints *a, const FacePoints *b, PetscBool swapped)
{
  const PetscInt num = a->num_points;

  assert_int_equal(b->num_points, num);
  assert_int_equal(swapped ? 1 - b->side : b->side, a->side);
  assert_memory_equal(a->node, b->node, sizeof(PetscInt) * (size_t)num);
  assert_memory_equal(a->place, b->place, sizeof(PetscReal) * 3 * (size_t)num);
  assert_memory_equal(a->frame, b->frame, sizeof(PetscReal) * 9 * (size_t)num);
  assert_memory_equal(a->area, b->area, sizeof(PetscReal) * (size_t)num);
  assert_memory_equal(a->gap, b->gap, sizeof(PetscReal) * (size_t)num);
  assert_memory_equal(a->first, b->first, sizeof(PetscInt) * (size_t)(num + 1));
  assert_memory_equal(a->term, b->term, sizeof(PetscInt) * (size_t)a->first[num]);
  assert_int_equal(a->num_shared, b->num_shared);
  assert_memory_equal(a->turn, b->turn, sizeof(PetscReal) * 2 * (size_t)a->first[num]);
  assert_memory_equal(a->weight, b->weight, sizeof(PetscReal) * (size_t)a->first[num]);
  assert_true(a->met == b->met);
  for (PetscInt s = 0; s < 2; s++) {
    assert_true(a->areas[s] == b->areas[swapped ? 1 - s : s]);
    assert_true(a->edge[s] == b->edge[swapped ? 1 - s : s]);
  }
}

static void points_do_not_depend_on_ranks_or_the_order_of_groups(void **state)
{
  for (PetscInt c = 0; c < NUM_SHAPES; c++) {
    Sheet       sheets[2] = {unit_sheet, unit_sheet};
    ParsedMesh  spread, alone;
    FacePoints *points, *swapped, *of_one;

    sheets[0].shape = shapes[c], sheets[1].shape = shapes[(c + 1) % NUM_SHAPES];
    sheets[0].cells[0] = sheets[0].cells[1] = 7;
    sheets[0].distortion = 0.2, sheets[1].slope = 0.01, sheets[1].from[0] = 0.3;
    spread  = MakeMesh(PETSC_COMM_WORLD, sheets);
    alone   = MakeMesh(PETSC_COMM_SELF, sheets);
    points  = Find(spread.mesh, 1, 0.2, ABOVE, PETSC_FALSE);
    swapped = Find(spread.mesh, 0, 0.2, ABOVE, PETSC_TRUE);
    of_one  = Find(alone.mesh, 1, 0.2, ABOVE, PETSC_FALSE);
    assert_true(points->num_points > 0);
    AssertSame(points, swapped, PETSC_TRUE);
    AssertSame(points, of_one, PETSC_FALSE);
    assert_ok(FacePointsDestroy(&points));
    assert_ok(FacePointsDestroy(&swapped));
    assert_ok(FacePointsDestroy(&of_one));
    DestroyParsed(&spread);
    DestroyParsed(&alone);
  }
}

static void AssertNone(const Mesh *mesh, const PetscReal *first, const PetscReal *second, PetscReal reach)
{
  const FacePairing pairing = {.groups = {0, 1}, .slave = -1, .reach = reach, .inside = {first, second}};
  FacePoints       *points;

  assert_ok(FacePointsFind(mesh, &pairing, &points));
  assert_int_equal(points->num_points, 0);
  assert_int_equal(points->first[0], 0);
  assert_true(points->met == 0.0);
  assert_close(points->areas[0], 1.0, 1e-12);
  assert_ok(FacePointsDestroy(&points));
}

/* Edges are 1/4, so the default reach is 1/8. */
static void faces_apart_or_back_to_front_do_not_meet(void **state)
{
  Sheet      sheets[2] = {unit_sheet, unit_sheet};
  ParsedMesh parsed;
  PetscReal *inside[2];

  sheets[1].height = 0.13;
  parsed           = MakeMesh(PETSC_COMM_WORLD, sheets);
  for (PetscInt s = 0; s < 2; s++) inside[s] = InsideOf(parsed.mesh, s, ABOVE);
  AssertNone(parsed.mesh, inside[0], inside[1], PETSC_DEFAULT);
  AssertNone(parsed.mesh, inside[0], inside[1], 0.12);
  for (PetscInt f = 0; f < MeshGetGroup(parsed.mesh, 1)->count; f++) inside[1][3 * f + 2] -= 0.2;
  AssertNone(parsed.mesh, inside[0], inside[1], 0.2);
  for (PetscInt s = 0; s < 2; s++) assert_ok(PetscFree(inside[s]));
  DestroyParsed(&parsed);
}

/* Side by side; the second time they overlap by less than a file's digits. */
static void faces_that_share_an_edge_do_not_meet(void **state)
{
  for (PetscInt c = 0; c < 2; c++) {
    Sheet second = unit_sheet;
    Touch touch;

    second.from[0] = c == 0 ? 1.0 : 1.0 - 1e-11;
    second.to[0]   = 2.0;
    touch          = TouchNew(&unit_sheet, &second, 0, PETSC_DEFAULT);
    assert_int_equal(touch.points->num_points, 0);
    TouchDestroy(&touch);
  }
}

static void the_finer_faces_are_the_slave(void **state)
{
  Sheet first = unit_sheet, second = unit_sheet;

  for (PetscInt side = 0; side < 2; side++) {
    Touch touch;

    first.cells[1]  = side == 0 ? 5 : 4;
    second.cells[1] = side == 1 ? 5 : 4;
    touch           = TouchNew(&first, &second, -1, PETSC_DEFAULT);
    assert_int_equal(touch.points->side, side);
    assert_close(touch.points->edge[side], 0.225, 1e-12);
    assert_close(touch.points->edge[1 - side], 0.25, 1e-12);
    TouchDestroy(&touch);
  }
}

/* One group is part of the other. */
static void nodes_of_both_groups_are_counted(void **state)
{
  Sheet      sheets[2] = {unit_sheet, unit_sheet};
  ParsedMesh parsed    = MakeMesh(PETSC_COMM_WORLD, sheets);
  PetscReal *inside    = InsideOf(parsed.mesh, 0, ABOVE);

  for (PetscInt c = 0; c < 2; c++) {
    const FacePairing pairing = {.groups = {0, c}, .reach = 0.1, .inside = {inside, inside}};
    FacePoints       *points;

    assert_ok(FacePointsFind(parsed.mesh, &pairing, &points));
    assert_int_equal(points->num_shared, c == 0 ? 25 : 0);
    assert_ok(FacePointsDestroy(&points));
  }
  assert_ok(PetscFree(inside));
  DestroyParsed(&parsed);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_constant_pressure_passes_exactly),
    cmocka_unit_test(on_matching_meshes_nodes_have_the_weights_of_their_partners),
    cmocka_unit_test(a_linear_gap_is_met),
    cmocka_unit_test(a_gap_is_measured_along_the_normal_of_the_slave),
    cmocka_unit_test(faces_may_overhang),
    cmocka_unit_test(a_shaft_lies_in_its_bush),
    cmocka_unit_test(rigid_motions_are_exact_over_a_gap),
    cmocka_unit_test(a_tilt_of_the_master_shears_the_gap),
    cmocka_unit_test(faces_may_be_warped),
    cmocka_unit_test(a_cap_lies_in_a_cap),
    cmocka_unit_test(nodes_of_both_groups_are_counted),
    cmocka_unit_test(points_do_not_depend_on_ranks_or_the_order_of_groups),
    cmocka_unit_test(faces_apart_or_back_to_front_do_not_meet),
    cmocka_unit_test(faces_that_share_an_edge_do_not_meet),
    cmocka_unit_test(the_finer_faces_are_the_slave),
  };
  int failures;

  if (PetscInitialize(&argc, &argv, NULL, NULL) != 0) return 1;
  LogSetLevel(LOG_QUIET);
  failures = cmocka_run_group_tests(tests, NULL, NULL);
  if (PetscFinalize() != 0) return 1;
  return failures;
}
