/* coincide.c - nodes at the same place, found by sorting along a direction in which few others share a position. */
#include "coincide.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_COMPANIONS = 16 }; /* of one node that are looked at */

static const PetscReal nearness = 1e-8; /* of the extent of the mesh, as Gmsh's Geometry.Tolerance */

typedef struct {
  PetscReal position;
  PetscInt  node;
} Entry;

static int CompareEntries(const void *a, const void *b)
{
  const Entry *const one = a, *const two = b;

  if (one->position != two->position) return one->position < two->position ? -1 : 1;
  return one->node < two->node ? -1 : one->node > two->node;
}

PetscInt FindInterval(PetscInt count, const PetscInt starts[], PetscInt value)
{
  PetscInt low = 0, high = count;

  while (high - low > 1) {
    const PetscInt middle = low + (high - low) / 2;

    if (starts[middle] <= value) low = middle;
    else high = middle;
  }
  return low;
}

static PetscReal Distance(const PetscReal a[3], const PetscReal b[3])
{
  return PetscSqrtReal(PetscSqr(a[0] - b[0]) + PetscSqr(a[1] - b[1]) + PetscSqr(a[2] - b[2]));
}

static void Note(PetscInt one, PetscInt two, const PetscReal coordinates[], const PetscInt64 tags[], MeshCoincidences *coincidences, PetscInt *lowest)
{
  coincidences->within_parts++;
  if (*lowest >= 0 && PetscMin(one, two) >= *lowest) return;
  *lowest               = PetscMin(one, two);
  coincidences->tags[0] = PetscMin(tags[one], tags[two]);
  coincidences->tags[1] = PetscMax(tags[one], tags[two]);
  memcpy(coincidences->place, &coordinates[3 * one], sizeof coincidences->place);
}

PetscErrorCode CoincidencesFind(PetscInt count, const PetscReal coordinates[], const PetscInt64 tags[], PetscInt num_parts, const PetscInt starts[],
                                PetscReal extent, MeshCoincidences *coincidences)
{
  /* A unit vector whose components have no simple ratio, so that the planes of regular meshes do not collapse. */
  const PetscReal direction[] = {0.6180339887498949, 0.5235987755982989, 0.5864544011476497}, near = nearness * extent;
  PetscInt        lowest = -1;
  Entry          *entries;

  PetscFunctionBegin;
  memset(coincidences, 0, sizeof *coincidences);
  PetscCall(PetscMalloc1(count, &entries));
  for (PetscInt i = 0; i < count; i++) {
    const PetscReal *const x = &coordinates[3 * i];

    entries[i] = (Entry){.position = direction[0] * x[0] + direction[1] * x[1] + direction[2] * x[2], .node = i};
  }
  qsort(entries, (size_t)count, sizeof *entries, CompareEntries);
  for (PetscInt i = 0; i < count; i++) {
    PetscInt companions = 0;

    for (PetscInt j = i + 1; j < count && companions < MAX_COMPANIONS && entries[j].position - entries[i].position <= near; j++) {
      const PetscInt one = entries[i].node, two = entries[j].node;

      if (Distance(&coordinates[3 * one], &coordinates[3 * two]) > near) continue;
      companions++;
      if (FindInterval(num_parts, starts, one) == FindInterval(num_parts, starts, two)) Note(one, two, coordinates, tags, coincidences, &lowest);
      else coincidences->between_parts++;
    }
  }
  PetscCall(PetscFree(entries));
  PetscFunctionReturn(PETSC_SUCCESS);
}
