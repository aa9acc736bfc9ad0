/* large_motion.c - motions as large as the structure. */
#include "study/large_motion.h"

/* The longest side of the mesh; 0 without one. */
static PetscReal SizeOf(const Model *model)
{
  const Mesh *mesh = model ? ModelMesh(model) : NULL;
  PetscReal   lower[3], upper[3], longest = 0.0;

  if (!mesh) return 0.0;
  MeshBoundingBox(mesh, lower, upper);
  for (PetscInt c = 0; c < 3; c++) longest = PetscMax(longest, upper[c] - lower[c]);
  return longest;
}

void StudyWarnOfLargeMotion(const char *who, const ModeCache *cache, PetscReal displacement, PetscReal angle)
{
  const PetscReal large = 0.1, turned = 0.2, size = SizeOf(cache->model);
  const Modes    *modes = cache->modes[JOINT_STUCK];

  if (angle > turned)
    LogWarn("%s: points turn by up to %.2g rad: the equations hold for small angles only, and this result is not that of the structure", who, angle);
  else if (size > 0.0 && displacement > large * size && !(modes && modes->num_rigid))
    LogWarn(
      "%s: displacements are up to %.2g m, and the mesh is %.2g m long: the equations hold for small displacements only, and this result is not "
      "that of the structure",
      who, displacement, size);
}
