/* stresses.c - stresses of a mesh as fields of its nodes and elements. */
#include "study/stresses.h"
#include "element.h"

enum { SPACE = 3, STRESS = 0, VON_MISES, ELEMENT_STRESS, ELEMENT_VON_MISES, BEAM_FORCE, BEAM_MOMENT, POINT_PLACE, POINT_STRESS, POINT_VON_MISES };
enum { OF_POINT = SPACE + ELEMENT_STRESSES };

typedef struct {
  const char *name;
  PetscInt    width;
  PetscBool   of_cells, of_beams, of_points; /* of points: the width is that of each */
} Kind;

static const Kind kinds[STRESSES_MOST_FIELDS] = {
  [STRESS]            = {"stress", ELEMENT_STRESSES, PETSC_FALSE, PETSC_FALSE, PETSC_FALSE},
  [VON_MISES]         = {"von_mises", 1, PETSC_FALSE, PETSC_FALSE, PETSC_FALSE},
  [ELEMENT_STRESS]    = {"element_stress", ELEMENT_STRESSES, PETSC_TRUE, PETSC_FALSE, PETSC_FALSE},
  [ELEMENT_VON_MISES] = {"element_von_mises", 1, PETSC_TRUE, PETSC_FALSE, PETSC_FALSE},
  [BEAM_FORCE]        = {"beam_force", SPACE, PETSC_TRUE, PETSC_TRUE, PETSC_FALSE},
  [BEAM_MOMENT]       = {"beam_moment", SPACE, PETSC_TRUE, PETSC_TRUE, PETSC_FALSE},
  [POINT_PLACE]       = {"point_place", SPACE, PETSC_TRUE, PETSC_FALSE, PETSC_TRUE},
  [POINT_STRESS]      = {"point_stress", ELEMENT_STRESSES, PETSC_TRUE, PETSC_FALSE, PETSC_TRUE},
  [POINT_VON_MISES]   = {"point_von_mises", 1, PETSC_TRUE, PETSC_FALSE, PETSC_TRUE},
};

// clang-format off
static const OutputField of_nodes[] = {
  {"stress", RESULT_REAL, {"nodes", "6"}, "Pa", "XX, YY, ZZ, XY, YZ, XZ along the axes of the model: in each element the best fit of the stresses at its points of integration; at a node the mean over the elements of one material around it, where materials meet that of the one with the larger von Mises stress; NaN where there is no solid"},
  {"von_mises", RESULT_REAL, {"nodes"}, "Pa", "von Mises stress of `stress`"},
  {0}
};

static const OutputField of_elements[] = {
  {"element_stress", RESULT_REAL, {"elements", "6"}, "Pa", "mean over the volume of each solid element, in the same order; NaN for others"},
  {"element_von_mises", RESULT_REAL, {"elements"}, "Pa", "von Mises stress of `element_stress`"},
  {"beam_force", RESULT_REAL, {"elements", "3"}, "N", "of a mesh with beams: axial force, positive in tension, and shear forces along y and z of each beam, in its middle; NaN for others"},
  {"beam_moment", RESULT_REAL, {"elements", "3"}, "N m", "likewise: torque, bending moments about y and z, about the centroid of the section"},
  {"point_place", RESULT_REAL, {"elements", "3 points"}, "m", "with `stress_points`: where the points of integration of each solid element are, x y z of the first, of the second, ...; NaN behind the last of an element"},
  {"point_stress", RESULT_REAL, {"elements", "6 points"}, "Pa", "stress at each of them, in the same order of components; not smoothed"},
  {"point_von_mises", RESULT_REAL, {"elements", "points"}, "Pa", "von Mises stress of these"},
  {0}
};

const OutputTable stresses_nodes_output = {
  "PointData", "stresses in the files for ParaView beside the result, where `stresses: yes` asks for them. Of a preload and of a static: of loads, bolts and joints together, exact for a mesh on its modes. Of modes, in RESULT.hdf as stress_stuck_001_34.8Hz: for a coordinate of 1 m kg^1/2. Of a transient: of the modes that are kept, in motion, and of all others at rest under loads and joints. About a preload: what the motion changes, without the preload",
  of_nodes, NULL};

const OutputTable stresses_elements_output = {"CellData", "the same of elements", of_elements, NULL};
// clang-format on

PetscErrorCode StressesCheck(const InputNode *node, const Names *names)
{
  PetscFunctionBegin;
  if (names->known && !names->mesh) PetscCall(InputComplain(node, "has no use without `mesh`: nothing else has stresses"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt NumElements(const Mesh *mesh)
{
  PetscInt count = 0;

  for (PetscInt b = 0; b < MeshNumBlocks(mesh); b++) count += MeshGetBlock(mesh, b)->count;
  return count;
}

PetscErrorCode StressesCheckPoints(const InputNode *points, PetscBool stresses)
{
  PetscFunctionBegin;
  if (points && !stresses) PetscCall(InputComplain(points, "belongs to `stresses: yes`"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers of a node or element. */
static PetscInt WidthOf(const Stresses *stresses, const Kind *kind)
{
  return kind->width * (kind->of_points ? stresses->num_points : 1);
}

size_t StressesRoom(const Stresses *stresses)
{
  const Mesh *const mesh = ModelMesh(stresses->model);
  size_t            room = 0;

  for (PetscInt i = 0; i < stresses->num_fields; i++) {
    const Kind *const kind = &kinds[stresses->fields[i]];

    room += (size_t)WidthOf(stresses, kind) * (size_t)(kind->of_cells ? NumElements(mesh) : MeshGetNodes(mesh)->count);
  }
  return room;
}

PetscErrorCode StressesCreate(const Model *model, PetscBool points, Stresses *stresses)
{
  const Mesh *const mesh = ModelMesh(model);
  PetscBool         solids, beams;

  PetscFunctionBegin;
  *stresses = (Stresses){.model = model};
  MeshedPartBears(ModelMeshed(model), &solids, &beams);
  if (points) PetscCall(MeshedPartMostPoints(ModelMeshed(model), &stresses->num_points));
  for (PetscInt k = 0; k < STRESSES_MOST_FIELDS; k++)
    if (kinds[k].of_points ? stresses->num_points > 0 : kinds[k].of_beams ? beams : solids) stresses->fields[stresses->num_fields++] = k;
  PetscCall(PetscMalloc2(ELEMENT_STRESSES * MeshGetNodes(mesh)->count, &stresses->nodes, ELEMENT_STRESSES * NumElements(mesh), &stresses->elements));
  PetscCall(PetscMalloc1((size_t)(OF_POINT * stresses->num_points) * (size_t)NumElements(mesh), &stresses->points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StressesDestroy(Stresses *stresses)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(stresses->nodes, stresses->elements));
  PetscCall(PetscFree(stresses->points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void StressesAppend(const Stresses *stresses, PetscInt *num_fields, const char *names[], PetscInt widths[], PetscBool of_cells[])
{
  for (PetscInt i = 0; i < stresses->num_fields; i++, (*num_fields)++) {
    const Kind *const kind = &kinds[stresses->fields[i]];

    names[*num_fields]    = kind->name;
    widths[*num_fields]   = WidthOf(stresses, kind);
    of_cells[*num_fields] = kind->of_cells;
  }
}

PetscErrorCode StressesFind(Stresses *stresses, const ModelStress *stress)
{
  PetscFunctionBegin;
  PetscCall(ModelFindStresses(stresses->model, stress, stresses->nodes, stresses->elements));
  if (stresses->num_points) PetscCall(ModelFindPointStresses(stresses->model, stress, stresses->num_points, stresses->points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of one element or node; NULL: it bears none of this kind. */
static void GetRow(const Kind *kind, const PetscReal stress[], PetscReal row[])
{
  const PetscInt first = kind == &kinds[BEAM_MOMENT] ? SPACE : 0;

  for (PetscInt c = 0; c < kind->width; c++) row[c] = stress ? stress[first + c] : (PetscReal)NAN;
  if (stress && kind->width == 1) row[0] = ElementVonMises(stress);
}

/* Of all points of all elements. */
static void GetPoints(const Stresses *stresses, const Kind *kind, PetscReal values[])
{
  const PetscInt count = stresses->num_points * NumElements(ModelMesh(stresses->model));

  for (PetscInt p = 0; p < count; p++) {
    const PetscReal *const own = stresses->points + OF_POINT * p;

    for (PetscInt c = 0; c < kind->width; c++) values[kind->width * p + c] = own[kind == &kinds[POINT_PLACE] ? c : SPACE + c];
    if (kind == &kinds[POINT_VON_MISES]) values[p] = ElementVonMises(own + SPACE);
  }
}

PetscErrorCode StressesGet(const Stresses *stresses, PetscInt i, PetscReal values[])
{
  const Mesh *const mesh = ModelMesh(stresses->model);
  const Kind *const kind = &kinds[stresses->fields[i]];

  PetscFunctionBegin;
  if (kind->of_points) GetPoints(stresses, kind, values);
  if (kind->of_points) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt n = 0; n < MeshGetNodes(mesh)->count && !kind->of_cells; n++)
    GetRow(kind, stresses->nodes + ELEMENT_STRESSES * n, values + kind->width * n);
  for (PetscInt b = 0, row = 0; b < MeshNumBlocks(mesh) && kind->of_cells; b++) {
    const PetscBool bears = (PetscBool)(mesh_shapes[MeshGetBlock(mesh, b)->shape].dim == (kind->of_beams ? 1 : SPACE));

    for (PetscInt e = 0; e < MeshGetBlock(mesh, b)->count; e++, row++)
      GetRow(kind, bears ? stresses->elements + ELEMENT_STRESSES * row : NULL, values + kind->width * row);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void StressesSayReduced(void)
{
  ReportSay("  stresses are those of the motions that the reduction keeps: what pressure and weight do between its points is not in them\n");
}
