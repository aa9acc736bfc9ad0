/* mesh_file.c - which file a mesh is in, and the unit of its coordinates. */
#include "meshed_private.h"

typedef struct {
  const char *file;
  PetscInt    unit;
  PetscReal   scale;
} MeshInput;

static const char *const units[]   = {"m", "cm", "mm", "inch", "foot", NULL};
static const PetscReal   lengths[] = {1.0, 1e-2, 1e-3, 25.4e-3, 0.3048}; /* [m] */

// clang-format off
static const InputField fields[] = {
  {.key = "file", .kind = INPUT_PATH, .offset = offsetof(MeshInput, file), .fallback = INPUT_REQUIRED, .help = "the .msh file"},
  {.key = "unit", .kind = INPUT_WORD, .offset = offsetof(MeshInput, unit), .fallback = 0, .words = units,
   .help = "unit of the coordinates in the file; everything else is in SI units, the results too"},
  {.key = "scale", .kind = INPUT_REAL, .offset = offsetof(MeshInput, scale), .fallback = 1.0, .above = PETSC_TRUE,
   .help = "instead of unit: what the coordinates in the file are multiplied by to be in metres"},
  {0},
};
// clang-format on

const InputTable mesh_table = {.name = "mesh", .summary = "a mesh whose file is not in metres; `mesh: FILE` is the short form", .fields = fields};

PetscErrorCode MeshFileRead(const InputNode *node, const char **path, PetscReal *scale)
{
  const char *const exclusive[] = {"unit", "scale", NULL};
  MeshInput         input       = {NULL, 0, 1.0};
  PetscInt          which;

  PetscFunctionBegin;
  *scale = 1.0;
  if (InputIsMap(node)) {
    PetscCall(InputRead(node, &mesh_table, &input));
    PetscCall(InputExclusive(node, exclusive, PETSC_FALSE, &which));
    *path  = input.file;
    *scale = which == 1 ? input.scale : lengths[input.unit];
  } else PetscCall(InputGetPath(node, path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of a key that only resembles `mesh` the table of the case has complained. */
PetscBool MeshKeyIsMisspelt(const InputNode *root)
{
  static const char *const key[] = {"mesh", NULL};

  for (PetscInt i = 0; i < InputCount(root); i++)
    if (InputNearest(InputKey(root, i), key)) return PETSC_TRUE;
  return PETSC_FALSE;
}
