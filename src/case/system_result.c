/* system_result.c - the System in the result file: names of motions, rows of joints, unknowns; its matrices. */
#include "export.h"

enum { LARGEST_WRITTEN = 500 }; /* unknowns, and places of the compliance: two megabytes a matrix */

// clang-format off
static const OutputField fields[] = {
  [SYSTEM_MOTIONS]            = {"motions", RESULT_TEXT, {"motions"}, NULL, "names of the motions of points: `u2 x`"},
  [SYSTEM_JOINT_ROWS]         = {"joint_rows", RESULT_TEXT, {"joint_rows"}, NULL, "names of the motions of joints: `bolt1 x`, along the axes of the joint if it has a frame"},
  [SYSTEM_UNKNOWNS]           = {"unknowns", RESULT_TEXT, {"unknowns"}, NULL, "names of the unknowns: the first motion that each one is, or `mode 3`"},
  [SYSTEM_MASS]               = {"mass", RESULT_REAL, {"unknowns", "unknowns"}, "kg", "mass matrix"},
  [SYSTEM_STIFFNESS]          = {"stiffness", RESULT_REAL, {"unknowns", "unknowns"}, "N/m", "stiffness matrix of all that is linear, with the linear laws of joints"},
  [SYSTEM_DAMPING]            = {"damping", RESULT_REAL, {"unknowns", "unknowns"}, "N s/m", "damping matrix of dampers, linear laws of joints and given damping, without modal and Rayleigh damping"},
  [SYSTEM_MOTION_MAP]         = {"motion_map", RESULT_REAL, {"motions", "unknowns"}, NULL, "motions of points (`motions`) for unit unknowns"},
  [SYSTEM_JOINT_MAP]          = {"joint_map", RESULT_REAL, {"joint_rows", "unknowns"}, NULL, "motions of joints (`joint_rows`) for unit unknowns"},
  [SYSTEM_JOINT_STIFFNESS]    = {"joint_stiffness", RESULT_REAL, {"joint_rows"}, "N/m", "stiffness of the linear laws of each row, contained in `stiffness`"},
  [SYSTEM_JOINT_DAMPING]      = {"joint_damping", RESULT_REAL, {"joint_rows"}, "N s/m", "damping of the linear laws of each row, contained in `damping`"},
  [SYSTEM_STIFFNESS_STUCK]    = {"stiffness_stuck", RESULT_REAL, {"unknowns", "unknowns"}, "N/m", "stiffness matrix with the tangents of all joints while they stick"},
  [SYSTEM_STIFFNESS_SLIPPING] = {"stiffness_slipping", RESULT_REAL, {"unknowns", "unknowns"}, "N/m", "stiffness matrix with the tangents of all joints while they slip"},
  [SYSTEM_RESIDUAL]           = {"residual", RESULT_REAL, {"places", "places"}, "m/N", "static compliance of modes left out, and of unknowns without mass, between motions of joints (joint_rows) and then of points (motions)"},
  [SYSTEM_BASE_INERTIA]       = {"base_inertia", RESULT_REAL, {"unknowns", "6"}, "kg", "M r: inertia under unit acceleration of the base in x, y, z, rx, ry, rz"},
  [SYSTEM_MODAL_DAMPING]      = {"modal_damping", RESULT_REAL, {"ratios"}, NULL, "damping ratios of the modes; the last one is used for all higher modes"},
  [SYSTEM_MESH_MAP]           = {"mesh_map", RESULT_REAL, {"mesh_motions", "unknowns"}, NULL, "motions of the mesh (`mesh_nodes`, `mesh_directions`) for unit unknowns"},
  [SYSTEM_MESH_NODES]         = {"mesh_nodes", RESULT_COUNT, {"mesh_motions"}, NULL, "numbers of the nodes in the mesh file; -k: the k-th rigid point, at the centre of its nodes"},
  [SYSTEM_MESH_DIRECTIONS]    = {"mesh_directions", RESULT_COUNT, {"mesh_motions"}, NULL, "directions: 0 to 5 for x, y, z, rx, ry, rz"},
  [SYSTEM_MESH_POINTS]        = {"mesh_points", RESULT_TEXT, {"mesh_points"}, NULL, "names of the points of the mesh"},
  [SYSTEM_MESH_PLACES]        = {"mesh_places", RESULT_REAL, {"mesh_points", "3"}, "m", "where these are, x y z: their nodes, or the centres of the surfaces that they average"},
  {0}
};

static const OutputField facts[] = {
  {"rayleigh_mass", RESULT_REAL, {0}, "1/s", "factor of the mass in Rayleigh damping"},
  {"rayleigh_stiffness", RESULT_REAL, {0}, "s", "factor of the stiffness in Rayleigh damping"},
  {0}
};
// clang-format on

const OutputTable system_output = {"system", "the structure and its matrices; units are those of translations, angles are in rad, moments in N m",
                                   fields, facts};

static PetscErrorCode OmitFields(Finding *finding, SystemField first, SystemField last)
{
  PetscFunctionBegin;
  for (PetscInt field = first; field <= (PetscInt)last; field++) PetscCall(FindingOmit(finding, field));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Frees the names. */
static PetscErrorCode GiveNames(Finding *finding, SystemField field, PetscInt count, char **names)
{
  PetscFunctionBegin;
  PetscCall(FindingSetSize(finding, fields[field].dims[0], count));
  PetscCall(FindingGiveTexts(finding, field, count, (const char *const *)names));
  for (PetscInt i = 0; i < count; i++) PetscCall(PetscFree(names[i]));
  PetscCall(PetscFree(names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "bolt1 x" */
static PetscErrorCode Name(const char *what, const char *direction, char **name)
{
  char text[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(text, sizeof(text), "%s %s", what, direction));
  PetscCall(PetscStrallocpy(text, name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The names of the motions that shapes and points are given in: "u2 x". */
static PetscErrorCode GiveMotions(const Names *names, Finding *finding)
{
  char **list;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(names->num_motions, &list));
  for (PetscInt p = 0; p < names->num_points; p++) {
    const NamedPoint *const point = &names->points[p];

    for (PetscInt c = 0; c < point->num_components; c++)
      PetscCall(Name(point->name, direction_names[point->direction[c]], &list[point->first_motion + c]));
  }
  PetscCall(GiveNames(finding, SYSTEM_MOTIONS, names->num_motions, list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The names of the rows of B: "bolt1 x". */
static PetscErrorCode GiveRows(const Names *names, Finding *finding)
{
  char **list;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(names->num_rows, &list));
  for (PetscInt r = 0; r < names->num_rows; r++) PetscCall(Name(names->rows[r].joint, NamesRowDirection(names, r), &list[r]));
  PetscCall(GiveNames(finding, SYSTEM_JOINT_ROWS, names->num_rows, list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Each unknown has the name of the first motion that it is; the others are modes. */
static PetscErrorCode GiveUnknowns(const Names *names, Finding *finding)
{
  PetscInt num_modes = 0;
  char   **list;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(names->num_unknowns, &list));
  for (PetscInt p = 0; p < names->num_points; p++) {
    const NamedPoint *const point = &names->points[p];

    for (PetscInt c = 0; c < point->num_components; c++)
      if (point->unknown[c] >= 0 && !list[point->unknown[c]])
        PetscCall(Name(point->name, direction_names[point->direction[c]], &list[point->unknown[c]]));
  }
  for (PetscInt i = 0; i < names->num_unknowns; i++) {
    char number[16];

    if (list[i]) continue;
    PetscCall(PetscSNPrintf(number, sizeof(number), "%" PetscInt_FMT, ++num_modes));
    PetscCall(Name("mode", number, &list[i]));
  }
  PetscCall(GiveNames(finding, SYSTEM_UNKNOWNS, names->num_unknowns, list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GiveMatrix(Mat matrix, SystemField field, Finding *finding)
{
  PetscInt   rows, columns;
  PetscReal *dense;

  PetscFunctionBegin;
  if (!matrix) {
    PetscCall(FindingOmit(finding, field));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(MatGetSize(matrix, &rows, &columns));
  PetscCall(PetscCalloc1((size_t)rows * (size_t)columns, &dense));
  for (PetscInt i = 0; i < rows; i++) {
    const PetscInt    *column;
    const PetscScalar *value;
    PetscInt           count;

    PetscCall(MatGetRow(matrix, i, &count, &column, &value));
    for (PetscInt j = 0; j < count; j++) dense[(size_t)i * (size_t)columns + (size_t)column[j]] = value[j];
    PetscCall(MatRestoreRow(matrix, i, &count, &column, &value));
  }
  PetscCall(FindingGive(finding, field, dense));
  PetscCall(PetscFree(dense));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The stiffness while all joints stick, or all slip. */
static PetscErrorCode GiveStiffness(const System *system, JointState state, SystemField field, Finding *finding)
{
  Mat stiffness;

  PetscFunctionBegin;
  PetscCall(SystemStiffness(system, state, &stiffness));
  PetscCall(GiveMatrix(stiffness, field, finding));
  PetscCall(MatDestroy(&stiffness));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the linear laws of each row have put into stiffness and damping. */
static PetscErrorCode GiveLinearLaws(const System *system, Finding *finding)
{
  const PetscInt count = system->names.num_rows;
  PetscReal     *stiffness, *damping;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count, &stiffness, count, &damping));
  for (PetscInt r = 0; r < count; r++) {
    stiffness[r] = system->rows[r].stiffness;
    damping[r]   = system->rows[r].damping;
  }
  PetscCall(FindingGive(finding, SYSTEM_JOINT_STIFFNESS, stiffness));
  PetscCall(FindingGive(finding, SYSTEM_JOINT_DAMPING, damping));
  PetscCall(PetscFree2(stiffness, damping));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* M r */
static PetscErrorCode GiveBase(const System *system, Finding *finding)
{
  const PetscScalar *value;
  PetscReal         *inertia;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(system->num_unknowns * NUM_DIRECTIONS, &inertia));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    if (!system->base[d]) continue;
    PetscCall(VecGetArrayRead(system->base[d], &value));
    for (PetscInt i = 0; i < system->num_unknowns; i++) inertia[i * NUM_DIRECTIONS + d] = value[i];
    PetscCall(VecRestoreArrayRead(system->base[d], &value));
  }
  PetscCall(FindingGive(finding, SYSTEM_BASE_INERTIA, inertia));
  PetscCall(PetscFree(inertia));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the matrix of damping does not hold. */
static PetscErrorCode GiveModalDamping(const System *system, Finding *finding)
{
  PetscFunctionBegin;
  PetscCall(FindingSetSize(finding, "ratios", system->damping.num_ratios));
  if (system->damping.num_ratios) PetscCall(FindingGive(finding, SYSTEM_MODAL_DAMPING, system->damping.ratios));
  else PetscCall(FindingOmit(finding, SYSTEM_MODAL_DAMPING));
  PetscCall(FindingSayReal(finding, "rayleigh_mass", system->damping.mass_factor));
  PetscCall(FindingSayReal(finding, "rayleigh_stiffness", system->damping.stiffness_factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GiveJoints(const System *system, Finding *finding)
{
  PetscFunctionBegin;
  PetscCall(GiveMatrix(system->B, SYSTEM_JOINT_MAP, finding));
  PetscCall(GiveLinearLaws(system, finding));
  if (system->names.num_nonlinear) {
    PetscCall(GiveStiffness(system, JOINT_STUCK, SYSTEM_STIFFNESS_STUCK, finding));
    PetscCall(GiveStiffness(system, JOINT_SLIPPING, SYSTEM_STIFFNESS_SLIPPING, finding));
  } else PetscCall(OmitFields(finding, SYSTEM_STIFFNESS_STUCK, SYSTEM_STIFFNESS_SLIPPING));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Between rows of joints and motions of points, which is what the result names. That of faces is much larger than all other matrices, and may be
   shared by ranks none of which could hold it: only who asks for it gets it. */
static PetscErrorCode GiveResidual(const System *system, PetscBool matrices, Finding *finding)
{
  const PetscInt size = SystemPlaceOfMotion(system, system->names.num_motions);
  PetscReal     *compliance;
  PetscInt      *place;

  PetscFunctionBegin;
  if (!system->residual || !size || (!matrices && size > LARGEST_WRITTEN)) {
    PetscCall(FindingOmit(finding, SYSTEM_RESIDUAL));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscMalloc2((size_t)size * (size_t)size, &compliance, size, &place));
  for (PetscInt i = 0; i < size; i++) place[i] = i;
  PetscCall(ComplianceBetween(system->residual->compliance, size, place, compliance));
  PetscCall(FindingSetSize(finding, "places", size));
  PetscCall(FindingGive(finding, SYSTEM_RESIDUAL, compliance));
  PetscCall(PetscFree2(compliance, place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemGivePlaces(const Names *names, const MeshedPart *meshed, Finding *finding)
{
  char     **list;
  PetscInt   count = 0;
  PetscReal *places;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(names->num_points, &list));
  PetscCall(PetscMalloc1(3 * names->num_points, &places));
  for (PetscInt p = 0; p < names->num_points && meshed; p++) {
    PetscBool found;

    PetscCall(MeshedPartPlaceOfPoint(meshed, names->points[p].name, &found, places + 3 * count));
    if (found) PetscCall(PetscStrallocpy(names->points[p].name, &list[count++]));
  }
  if (count) {
    PetscCall(GiveNames(finding, SYSTEM_MESH_POINTS, count, list));
    PetscCall(FindingGive(finding, SYSTEM_MESH_PLACES, places));
  } else {
    PetscCall(OmitFields(finding, SYSTEM_MESH_POINTS, SYSTEM_MESH_PLACES));
    PetscCall(PetscFree(list));
  }
  PetscCall(PetscFree(places));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemGive(const System *system, PetscBool matrices, Finding *finding)
{
  PetscFunctionBegin;
  PetscCall(GiveMotions(&system->names, finding));
  if (system->names.num_rows) PetscCall(GiveRows(&system->names, finding));
  else PetscCall(OmitFields(finding, SYSTEM_JOINT_ROWS, SYSTEM_JOINT_ROWS));
  if (system->continuum || (!matrices && system->num_unknowns > LARGEST_WRITTEN)) {
    PetscCall(OmitFields(finding, SYSTEM_UNKNOWNS, SYSTEM_MODAL_DAMPING));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(GiveUnknowns(&system->names, finding));
  PetscCall(GiveMatrix(system->M, SYSTEM_MASS, finding));
  PetscCall(GiveMatrix(system->K, SYSTEM_STIFFNESS, finding));
  PetscCall(GiveMatrix(system->C, SYSTEM_DAMPING, finding));
  PetscCall(GiveMatrix(system->T, SYSTEM_MOTION_MAP, finding));
  if (system->names.num_rows) PetscCall(GiveJoints(system, finding));
  else PetscCall(OmitFields(finding, SYSTEM_JOINT_MAP, SYSTEM_STIFFNESS_SLIPPING));
  PetscCall(GiveResidual(system, matrices, finding));
  PetscCall(GiveBase(system, finding));
  PetscCall(GiveModalDamping(system, finding));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemSayHolds(const Finding *finding, Result *result)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; fields[i].key; i++) {
    char path[PETSC_MAX_PATH_LEN];

    if (FindingField(finding, fields[i].key) < 0) continue;
    PetscCall(PetscSNPrintf(path, sizeof(path), "%s/%s", FindingPath(finding), fields[i].key));
    PetscCall(ResultAttributeText(result, path, "holds", fields[i].help));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
