/*
  first_frequency.c - the first frequency of a mesh, by which wrong units show.

  Sound runs through solids at 13 km/s at most (beryllium, diamond 18 along its axes), so that a body of the thickness t first vibrates at c / (2 t) or
  less, even where both of its faces are held. Frequencies below 0.1 Hz are those of towers and bridges.
*/
#include "first_frequency.h"

static const PetscReal fastest = 13e3, lowest = 0.1; /* [m/s], [Hz] */

PetscErrorCode FirstFrequency(const Case *the_case, PetscReal *frequency)
{
  ModeCache    cache = {.system = the_case->system, .model = the_case->model};
  const Modes *modes = NULL;
  PetscInt     size;

  PetscFunctionBegin;
  *frequency = -1.0;
  if (!the_case->system || !the_case->names.mesh) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SystemGetSize(cache.system, &size));
  for (PetscInt count = NUM_DIRECTIONS + 1; !modes || (modes->num_rigid == modes->count && modes->count < size); count *= 2) {
    PetscCall(ModeCacheGet(&cache, JOINT_STUCK, count, &modes));
    if (modes->count == 0) break; /* the complaint has been made */
  }
  *frequency = FirstFrequencyOf(modes);
  PetscCall(ModeCacheDestroy(&cache));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal FirstFrequencyOf(const Modes *modes)
{
  return modes && modes->num_rigid < modes->count ? modes->omega[modes->num_rigid] / (2.0 * PETSC_PI) : -1.0;
}

/* The length and the thickness of the box around a mesh; what is round-off of the length is no thickness. */
static void FindExtent(const Mesh *mesh, PetscReal *longest, PetscReal *thickness)
{
  PetscReal lower[3], upper[3];

  MeshBoundingBox(mesh, lower, upper);
  *longest = 0.0;
  for (PetscInt c = 0; c < 3; c++) *longest = PetscMax(*longest, upper[c] - lower[c]);
  *thickness = *longest;
  for (PetscInt c = 0; c < 3; c++)
    if (upper[c] - lower[c] > 1e-6 * *longest) *thickness = PetscMin(*thickness, upper[c] - lower[c]);
}

/* `mesh: FILE`, or a map that says neither unit nor scale. */
static PetscBool TakenInMetres(const InputNode *mesh)
{
  return (PetscBool)(!InputIsMap(mesh) || (!InputFind(mesh, "unit") && !InputFind(mesh, "scale")));
}

void FirstFrequencyWarn(const Case *the_case, PetscReal frequency)
{
  const Mesh *const mesh = the_case->model ? ModelMesh(the_case->model) : NULL;
  PetscReal         longest, thickness;
  char              unit[PETSC_MAX_PATH_LEN] = "";

  if (!mesh || frequency < 0.0) return;
  FindExtent(mesh, &longest, &thickness);
  if (TakenInMetres(the_case->nodes.mesh))
    snprintf(unit, sizeof(unit), "; if %s is in millimetres, write mesh: {file: %s, unit: mm}", MeshFile(mesh), MeshFile(mesh));
  if (frequency < lowest)
    LogWarn("the first frequency is %.3g Hz, very low for a structure of %.3g m%s; young is in Pa, density in kg/m^3, lengths of sections in m",
            (double)frequency, (double)longest, unit);
  else if (frequency > 0.5 * fastest / thickness)
    LogWarn("the first frequency is %.3g Hz, but a solid of this thickness, %.3g m, has %.3g Hz at most: look at the units; young is in Pa, density "
            "in kg/m^3, lengths of sections in m%s",
            (double)frequency, (double)thickness, (double)(0.5 * fastest / thickness), unit);
}
