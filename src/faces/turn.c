/* turn.c - slopes by least squares: exact for all that is linear in y and z, so rigid motions have no error. */
#include "turn.h"

/* Nodes this much narrower across than along are on a line. */
static const PetscReal narrow = 1e-6;

/* Along y and z, from the weighted mean of all. */
static void FindArms(const Surface *surface, const PetscReal frame[], PetscInt num, const PetscInt nodes[], const PetscReal weights[],
                     PetscReal arms[][2])
{
  PetscReal whole = 0.0, mean[2] = {0.0, 0.0};

  for (PetscInt k = 0; k < num; k++) {
    whole += weights[k];
    for (PetscInt t = 0; t < 2; t++) {
      arms[k][t] = Dot(frame + SPACE * (t + 1), surface->places + SPACE * nodes[k]);
      mean[t] += weights[k] * arms[k][t];
    }
  }
  for (PetscInt k = 0; k < num; k++)
    for (PetscInt t = 0; t < 2; t++) arms[k][t] -= mean[t] / whole;
}

PetscBool SlopesFind(const Surface *surface, const PetscReal frame[], PetscInt num, const PetscInt nodes[], const PetscReal weights[],
                     PetscReal slopes[][2])
{
  PetscReal yy = 0.0, yz = 0.0, zz = 0.0, determinant;

  FindArms(surface, frame, num, nodes, weights, slopes);
  for (PetscInt k = 0; k < num; k++) {
    yy += weights[k] * slopes[k][0] * slopes[k][0];
    yz += weights[k] * slopes[k][0] * slopes[k][1];
    zz += weights[k] * slopes[k][1] * slopes[k][1];
  }
  determinant = yy * zz - yz * yz;
  if (determinant <= narrow * narrow * (yy + zz) * (yy + zz)) return PETSC_FALSE;
  for (PetscInt k = 0; k < num; k++) {
    const PetscReal y = slopes[k][0], z = slopes[k][1], part = weights[k] / determinant;

    slopes[k][0] = part * (zz * y - yz * z);
    slopes[k][1] = part * (yy * z - yz * y);
  }
  return PETSC_TRUE;
}
