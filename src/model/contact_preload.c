/* contact_preload.c - how a preload and its moment press the parts of an area. */
#include "area.h"
#include <petscblaslapack.h>

enum { NUM_UNKNOWNS = 3 }; /* of rigid faces that approach: depth, and tilts about y and z */

/* Rigid faces that approach: part i is pressed by F(b_i . x) with b_i = (1, z_i, -y_i) and x the depth and the tilts. The forces are the
   slope of a convex potential, whose minimum under the preload is sought. Lengths along the faces are counted in halves of their sides, so
   that tilts are depths of an edge and moments are forces there: an area of micrometres is solved like one of metres. */
typedef struct {
  const ContactArea *area;
  JointBlock         part; /* unloaded */
  JointHistory       untouched;
  PetscReal          wanted[NUM_UNKNOWNS], force[NUM_UNKNOWNS], slope[NUM_UNKNOWNS * NUM_UNKNOWNS];
} Pressing;

static PetscReal DepthOf(const Pressing *pressing, const PetscReal x[], PetscInt part, PetscReal b[])
{
  PetscReal middle[2];

  ContactAreaMiddle(pressing->area, part, middle);
  b[0] = 1.0;
  b[1] = 2.0 * middle[1] / pressing->area->size[1];
  b[2] = -2.0 * middle[0] / pressing->area->size[0];
  return b[0] * x[0] + b[1] * x[1] + b[2] * x[2];
}

static PetscReal Press(const Pressing *pressing, PetscReal depth, PetscReal *slope)
{
  const PetscReal   displacement[3] = {-depth, 0.0, 0.0}, velocity[3] = {0.0, 0.0, 0.0};
  const JointMotion motion = {displacement, velocity};
  PetscReal         force[3], stiffness[9];
  JointForce        result = {.force = force, .stiffness = stiffness};

  pressing->part.law->evaluate(&pressing->part, &pressing->untouched, &motion, &result);
  *slope = stiffness[0];
  return -force[0];
}

/* Sum of b F less what is wanted; and the sum of b b^T F'. */
static void SumForces(Pressing *pressing, const PetscReal x[])
{
  for (PetscInt i = 0; i < NUM_UNKNOWNS; i++) pressing->force[i] = -pressing->wanted[i];
  for (PetscInt i = 0; i < NUM_UNKNOWNS * NUM_UNKNOWNS; i++) pressing->slope[i] = 0.0;
  for (PetscInt part = 0; part < ContactAreaNumParts(pressing->area); part++) {
    PetscReal       b[NUM_UNKNOWNS], slope;
    const PetscReal force = Press(pressing, DepthOf(pressing, x, part, b), &slope);

    for (PetscInt i = 0; i < NUM_UNKNOWNS; i++) {
      pressing->force[i] += b[i] * force;
      for (PetscInt j = 0; j < NUM_UNKNOWNS; j++) pressing->slope[i * NUM_UNKNOWNS + j] += b[i] * b[j] * slope;
    }
  }
}

/* A little is added so that tilts which no part resists do no harm. */
static PetscErrorCode FindDirection(Pressing *pressing, PetscReal direction[])
{
  const PetscReal little = 1e-10;
  PetscBLASInt    n = NUM_UNKNOWNS, one = 1, pivots[NUM_UNKNOWNS], info;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < NUM_UNKNOWNS; i++) {
    direction[i] = -pressing->force[i];
    pressing->slope[i * (NUM_UNKNOWNS + 1)] += little * pressing->slope[i * (NUM_UNKNOWNS + 1)] + PETSC_SMALL * pressing->slope[0];
  }
  PetscCallBLAS("LAPACKgesv", LAPACKgesv_(&n, &one, pressing->slope, &n, pivots, direction, &n, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "no part of a pressed area is stiff");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Along a direction the slope of the potential rises: the step at which it is zero, or the whole one. */
static void Advance(Pressing *pressing, const PetscReal direction[], PetscReal x[])
{
  enum { NUM_BISECTIONS = 50 };
  PetscReal low = 0.0, high = 1.0, at[NUM_UNKNOWNS];

  for (PetscInt k = 0; k <= NUM_BISECTIONS; k++) {
    const PetscReal step = k == 0 ? high : 0.5 * (low + high);
    PetscReal       rise = 0.0;

    for (PetscInt i = 0; i < NUM_UNKNOWNS; i++) at[i] = x[i] + step * direction[i];
    SumForces(pressing, at);
    for (PetscInt i = 0; i < NUM_UNKNOWNS; i++) rise += pressing->force[i] * direction[i];
    if (rise <= 0.0) low = step;
    else high = step;
    if (low == high) break;
  }
  for (PetscInt i = 0; i < NUM_UNKNOWNS; i++) x[i] = at[i];
}

/* Newton's rule, from faces that are pressed far into each other; with that, the sum of forces is within round-off of the preload. */
static PetscErrorCode FindBalance(Pressing *pressing, PetscReal x[], PetscBool *found)
{
  enum { MAX_ITERATIONS = 200 };
  const PetscReal enough = 1e-12;

  PetscFunctionBegin;
  *found = PETSC_FALSE;
  for (PetscInt iteration = 0; iteration < MAX_ITERATIONS && !*found; iteration++) {
    PetscReal direction[NUM_UNKNOWNS];

    SumForces(pressing, x);
    *found = PETSC_TRUE;
    for (PetscInt i = 0; i < NUM_UNKNOWNS; i++) *found = (PetscBool)(*found && PetscAbsReal(pressing->force[i]) <= enough * pressing->wanted[0]);
    if (*found) break;
    PetscCall(FindDirection(pressing, direction));
    Advance(pressing, direction, x);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A depth to which the preload does not press faces that lie flat on each other, but half of it would. */
static PetscReal FindStart(const Pressing *pressing)
{
  const PetscReal share = pressing->wanted[0] / ContactAreaNumParts(pressing->area);
  PetscReal       depth = 1.0, slope;

  while (Press(pressing, 0.5 * depth, &slope) >= share) depth *= 0.5;
  while (Press(pressing, depth, &slope) < share) depth *= 2.0;
  return depth;
}

PetscErrorCode ContactAreaDistributePreload(const InputNode *map, ContactArea *area)
{
  Pressing  pressing = {.area   = area,
                        .wanted = {area->law.parameters[area->preload], 2.0 * area->moment[0] / area->size[1], 2.0 * area->moment[1] / area->size[0]}};
  PetscReal parameters[JOINT_MAX_PARAMETERS], x[NUM_UNKNOWNS] = {0.0};
  PetscBool found;

  PetscFunctionBegin;
  ContactAreaShare(area, parameters);
  parameters[area->preload] = parameters[area->gap] = 0.0;
  PetscCall(JointBlockCreate(area->law.law, parameters, 1, &pressing.part));
  PetscCall(JointHistoryCreate(&pressing.part, &pressing.untouched));
  x[0] = FindStart(&pressing);
  PetscCall(FindBalance(&pressing, x, &found));
  if (!found) PetscCall(InputComplain(map, "no pressing of its parts balances the preload and its moment"));
  for (PetscInt part = 0; part < ContactAreaNumParts(area); part++) {
    PetscReal       b[NUM_UNKNOWNS], slope;
    const PetscReal depth = DepthOf(&pressing, x, part, b);

    area->loads[part] = PetscMax(0.0, Press(&pressing, depth, &slope));
    area->gaps[part]  = PetscMax(0.0, -depth);
  }
  PetscCall(JointHistoryDestroy(&pressing.untouched));
  PetscCall(JointBlockDestroy(&pressing.part));
  PetscFunctionReturn(PETSC_SUCCESS);
}
