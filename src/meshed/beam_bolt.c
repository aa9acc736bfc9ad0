/*
  beam_bolt.c - a bolt as a beam between two points that average or move a face each: its six deformations, each with a stiffness.

      x: stretch, E A / L      rx: twist, G J / L      ry, rz: bend, E I / L      y, z: shear, 12 E I / (L^3 (1 + Phi)),
      of v_B - v_A - L (theta_A + theta_B) / 2       Phi = 12 E I / (kappa G A L^2), kappa = 6 (1 + nu) / (7 + 6 nu)

  [Timoshenko; kappa of a circle: G. R. Cowper, J. Appl. Mech. 33 (1966), 335-340]. A shift delta of its shank is a stretch that is no
  motion: V = (E A / L) r, r the row of the stretch, and k = E A / L.
*/
#include "meshed_private.h"

static PetscReal Length(const PetscReal vector[SPACE])
{
  return PetscSqrtReal(PetscSqr(vector[0]) + PetscSqr(vector[1]) + PetscSqr(vector[2]));
}

/* Of a diameter: two averages of faces that touch are apart by round-off, which is no length to divide by. */
static const PetscReal no_length = 1e-6;

/* x from A to B; y and z any two that are normal to it: the beam is round. */
static PetscErrorCode FindAxes(const InputNode *node, const Site *const sites[2], PetscReal diameter, BeamBolt *beam, PetscBool *fine)
{
  PetscReal(*const axis)[SPACE] = beam->axis;
  PetscInt least                = 0;

  PetscFunctionBegin;
  for (PetscInt c = 0; c < SPACE; c++) axis[0][c] = SitePlace(sites[1])[c] - SitePlace(sites[0])[c];
  beam->length = Length(axis[0]);
  *fine        = (PetscBool)(beam->length > no_length * diameter);
  if (!*fine) PetscCall(InputComplain(node, "a bolt without length: its points are %.3g m apart", (double)beam->length));
  if (!*fine) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt c = 0; c < SPACE; c++) axis[0][c] /= beam->length;
  for (PetscInt c = 1; c < SPACE; c++)
    if (PetscAbsReal(axis[0][c]) < PetscAbsReal(axis[0][least])) least = c;
  for (PetscInt c = 0; c < SPACE; c++) axis[1][c] = (c == least) - axis[0][least] * axis[0][c];
  for (PetscInt c = 0; c < SPACE; c++) axis[1][c] /= PetscSqrtReal(1.0 - PetscSqr(axis[0][least]));
  for (PetscInt c = 0; c < SPACE; c++)
    axis[2][c] = axis[0][(c + 1) % SPACE] * axis[1][(c + 2) % SPACE] - axis[0][(c + 2) % SPACE] * axis[1][(c + 1) % SPACE];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void FindStiffness(const Material *material, PetscReal diameter, BeamBolt *beam)
{
  const PetscReal E = material->young, nu = material->poisson, G = material->mu, L = beam->length;
  const PetscReal area = PETSC_PI / 4.0 * PetscSqr(diameter), inertia = area * PetscSqr(diameter) / 16.0;
  const PetscReal kappa = 6.0 * (1.0 + nu) / (7.0 + 6.0 * nu), Phi = 12.0 * E * inertia / (kappa * G * area * PetscSqr(L));

  beam->area         = area;
  beam->stiffness[0] = E * area / L;
  beam->stiffness[1] = beam->stiffness[2] = 12.0 * E * inertia / (L * L * L * (1.0 + Phi));
  beam->stiffness[3]                      = 2.0 * G * inertia / L;
  beam->stiffness[4] = beam->stiffness[5] = E * inertia / L;
}

/* A motion of one end along or about an axis of the beam. */
static PetscErrorCode AddEnd(const MeshedPart *meshed, const Site *site, PetscBool turns, const PetscReal axis[SPACE], PetscReal factor,
                             MeshMotion *sum)
{
  PetscFunctionBegin;
  for (PetscInt c = 0; c < SPACE; c++)
    if (axis[c] != 0.0) PetscCall(MeshMotionAdd(meshed, site, c + (turns ? SPACE : 0), factor * axis[c], sum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BeamBoltAdd(const MeshedPart *meshed, const BeamBolt *beam, PetscInt deformation, MeshMotion *sum)
{
  const PetscBool turns = (PetscBool)(deformation >= SPACE);
  const PetscInt  k     = deformation % SPACE;

  PetscFunctionBegin;
  for (PetscInt end = 0; end < 2; end++) {
    PetscCall(AddEnd(meshed, beam->sites[end], turns, beam->axis[k], end ? 1.0 : -1.0, sum));
    if (turns || k == 0) continue; /* v' = theta_z, w' = -theta_y */
    PetscCall(AddEnd(meshed, beam->sites[end], PETSC_TRUE, beam->axis[SPACE - k], (k == 1 ? -0.5 : 0.5) * beam->length, sum));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindForces(const MeshedPart *meshed, const BeamBolt *beam, MeshedBolt *bolt)
{
  MeshMotion stretch = {0, 0, NULL, NULL};

  PetscFunctionBegin;
  PetscCall(BeamBoltAdd(meshed, beam, 0, &stretch));
  PetscCall(VecCreateMPI(MeshComm(meshed->mesh), meshed->unknowns.num_local, meshed->unknowns.num_total, &bolt->forces));
  for (PetscInt t = 0; t < stretch.count; t++)
    PetscCall(VecSetValue(bolt->forces, stretch.unknown[t], beam->stiffness[0] * stretch.factor[t], ADD_VALUES));
  PetscCall(VecAssemblyBegin(bolt->forces));
  PetscCall(VecAssemblyEnd(bolt->forces));
  PetscCall(MeshMotionDestroy(&stretch));
  bolt->area      = beam->area;
  bolt->length    = beam->length;
  bolt->stiffness = beam->stiffness[0];
  PetscCall(PetscArraycpy(bolt->axis, beam->axis[0], SPACE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Its points: averages of faces, or what moves faces rigidly; one node does not turn. */
static PetscErrorCode FindSites(const MeshedPart *meshed, const InputNode *node, const InputTexts *between, const Site *sites[2], PetscBool *fine)
{
  PetscFunctionBegin;
  *fine = PETSC_TRUE;
  for (PetscInt end = 0; end < 2; end++) {
    PetscInt  point;
    PetscBool found;

    PetscCall(PointsFind(meshed->points, InputItem(node, end), between->values[end], &point, &found));
    sites[end] = found && point != GROUND ? SiteOfPoint(meshed, point) : NULL;
    if (found && (!sites[end] || sites[end]->kind == SITE_NODE))
      PetscCall(InputComplain(InputItem(node, end), "a bolt takes a point of the mesh that averages a face, or moves one rigidly; '%s' does not",
                              between->values[end]));
    *fine = (PetscBool)(*fine && sites[end] && sites[end]->kind != SITE_NODE);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartBeamBolt(MeshedPart *meshed, const InputNode *map, const InputTexts *between, PetscReal diameter, const char *material,
                                  PetscBool parts_are_fine, MeshedBolt *bolt)
{
  const InputNode *const node  = InputFind(map, "between");
  const Material        *found = NULL;
  BeamBolt               beam  = {.length = 0.0};
  PetscBool              fine;

  PetscFunctionBegin;
  *bolt = (MeshedBolt){.forces = NULL};
  if (!meshed->mesh || !parts_are_fine) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MaterialFind(InputFind(map, "material"), material, meshed, &found));
  PetscCall(FindSites(meshed, node, between, beam.sites, &fine));
  if (found && !found->isotropic) PetscCall(InputComplain(InputFind(map, "material"), "a bolt takes an isotropic material"));
  if (fine) PetscCall(FindAxes(node, beam.sites, diameter, &beam, &fine));
  if (!fine || !found || !found->isotropic) PetscFunctionReturn(PETSC_SUCCESS);
  FindStiffness(found, diameter, &beam);
  PetscCall(FindForces(meshed, &beam, bolt));
  PetscCall(PetscRealloc((size_t)(meshed->touching.num_beams + 1) * sizeof(beam), &meshed->touching.beams));
  meshed->touching.beams[meshed->touching.num_beams++] = beam;
  PetscFunctionReturn(PETSC_SUCCESS);
}
