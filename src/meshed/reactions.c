/*
  reactions.c - what the ground gives to a mesh at rest, support by support.

      R = sum_e (K_e u_e - M_e g) - p      at nodes that are held, g the acceleration of gravity, p of pressures and of forces on points

  Forces are those in the directions that a support holds; a direction that two supports hold belongs to the first of them, and where their
  axes are askew R is the sum of what each gives along its own. Moments are about the origin of the model. Of a point that is held its nodes carry them: the force is their sum, the moment that about the centre of the point.
*/
#include "meshed_private.h"

typedef struct {
  PetscReal *places, *motion, *stiffness, *mass, *spread;
  PetscInt   num_rows;
  Tie        tie;
} Buffers;

static PetscErrorCode BuffersCreate(const ElementKind *kind, Buffers *buffers)
{
  const PetscInt width = mesh_shapes[kind->shape].num_nodes, size = PetscSqr(width * kind->num_unknowns);

  PetscFunctionBegin;
  buffers->num_rows = width * kind->num_unknowns;
  PetscCall(PetscMalloc5(BATCH * width * SPACE, &buffers->places, buffers->num_rows, &buffers->motion, BATCH * size, &buffers->stiffness,
                         BATCH * size, &buffers->mass, BATCH * size, &buffers->spread));
  PetscCall(TieCreate(&buffers->tie));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode BuffersDestroy(Buffers *buffers)
{
  PetscFunctionBegin;
  PetscCall(TieDestroy(&buffers->tie));
  PetscCall(PetscFree5(buffers->places, buffers->motion, buffers->stiffness, buffers->mass, buffers->spread));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* K_e u_e - M_e g at the nodes of one element, six numbers each: forces, moments. */
static PetscErrorCode AddElement(const Batch *batch, PetscInt e, const Buffers *buffers, PetscInt place, const PetscReal gravity[SPACE], Vec forces)
{
  const PetscInt         width = mesh_shapes[batch->block->shape].num_nodes, each = batch->kind->num_unknowns, rows = buffers->num_rows;
  const PetscReal *const K = buffers->stiffness + place * rows * rows, *const M = buffers->spread + place * rows * rows;
  PetscReal force[MESH_MAX_NODES * NUM_DIRECTIONS] = {0.0};

  PetscFunctionBegin;
  for (PetscInt i = 0; i < rows; i++)
    for (PetscInt j = 0; j < rows; j++) {
      const PetscReal g = j % each < SPACE ? gravity[j % each] : 0.0;

      force[NUM_DIRECTIONS * (i / each) + i % each] += K[i * rows + j] * buffers->motion[j] - M[i * rows + j] * g;
    }
  PetscCall(VecSetValuesBlocked(forces, width, batch->block->nodes + batch->elements[e] * width, force, ADD_VALUES));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddBatch(const MeshedPart *meshed, const Batch *batch, const PetscReal gravity[SPACE], Vec forces)
{
  const PetscInt width = mesh_shapes[batch->block->shape].num_nodes;
  PetscInt       faulty;
  Buffers        buffers;

  PetscFunctionBegin;
  PetscCall(BuffersCreate(batch->kind, &buffers));
  for (PetscInt first = 0; first < batch->count; first += BATCH) {
    const PetscInt count = PetscMin(BATCH, batch->count - first);

    BatchPlaces(meshed, batch, first, count, buffers.places);
    PetscCall(ElementEvaluate(batch->kind, &batch->properties, count, buffers.places, buffers.stiffness, buffers.mass, &faulty));
    ElementSpreadMass(batch->kind, count, buffers.mass, buffers.spread);
    ElementMirror(count, width, batch->kind->num_unknowns, buffers.stiffness);
    ElementMirror(count, width, batch->kind->num_unknowns, buffers.spread);
    for (PetscInt e = 0; e < count; e++) {
      PetscCall(StressMotion(meshed, batch, first + e, &buffers.tie, buffers.motion));
      PetscCall(AddElement(batch, first + e, &buffers, e, gravity, forces));
    }
  }
  PetscCall(BuffersDestroy(&buffers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const Site *SiteOf(const MeshedPart *meshed, const char *point)
{
  for (PetscInt s = 0; s < meshed->attached.num_sites; s++)
    if (!strcmp(meshed->points->list[meshed->attached.first_point + s].name, point)) return &meshed->attached.sites[s];
  return NULL;
}

/* Pressures act on displacements alone. */
static PetscErrorCode SubtractPressures(const MeshedPart *meshed, const MeshedLoads *loads, PetscReal forces[])
{
  const PetscScalar *push;
  Vec                on_nodes;

  PetscFunctionBegin;
  PetscCall(NodalForcesCreate(meshed->mesh, &on_nodes));
  for (PetscInt p = 0; p < loads->num_pressures; p++) PetscCall(PressureAddOnNodes(meshed, &loads->pressures[p], on_nodes));
  PetscCall(VecGetArrayRead(on_nodes, &push));
  for (PetscInt i = 0; i < SPACE * MeshGetNodes(meshed->mesh)->count; i++) forces[NUM_DIRECTIONS * (i / SPACE) + i % SPACE] -= push[i];
  PetscCall(VecRestoreArrayRead(on_nodes, &push));
  PetscCall(VecDestroy(&on_nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a unit force or moment on a site is on its node n, as MeshMotionAdd has its motion. */
static void Share(const Site *site, PetscInt n, PetscInt direction, PetscReal share[NUM_DIRECTIONS])
{
  for (PetscInt c = 0; c < NUM_DIRECTIONS; c++) share[c] = 0.0;
  if (site->kind != SITE_AVERAGE || direction < SPACE) {
    share[direction] = site->weights ? site->weights[n] : 1.0;
    return;
  }
  for (PetscInt l = 0; l < SPACE; l++) {
    const PetscInt         j = (l + 1) % SPACE, k = (l + 2) % SPACE;
    const PetscReal *const r = site->arms[n], *const row = site->inverse[direction - SPACE];

    share[l] = site->weights[n] * (row[j] * r[k] - row[k] * r[j]);
  }
}

/* Nodes of rigid points are held with these only, if at all. */
static void SubtractPush(const MeshedPart *meshed, const MeshedPush *push, PetscReal forces[])
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);
  const Site *const      site  = SiteOf(meshed, push->point);

  for (PetscInt n = 0; site && site->kind != SITE_RIGID && n < site->num_nodes; n++) {
    const PetscInt i = site->nodes[n] - nodes->first;
    PetscReal      share[NUM_DIRECTIONS];

    if (i < 0 || i >= nodes->count) continue;
    Share(site, n, push->direction, share);
    for (PetscInt c = 0; c < NUM_DIRECTIONS; c++) forces[NUM_DIRECTIONS * i + c] -= push->force * share[c];
  }
}

/* The part of a vector along the axes of a support that it holds; bit k of `held`. */
static void Project(const Support *support, unsigned held, const PetscReal vector[SPACE], PetscReal part[SPACE])
{
  static const Frame model = {.axis = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  const Frame *const frame = support->turned ? &support->frame : &model;

  for (PetscInt c = 0; c < SPACE; c++) part[c] = 0.0;
  for (PetscInt k = 0; k < SPACE; k++) {
    const PetscReal *const axis  = frame->axis[k];
    const PetscReal        along = vector[0] * axis[0] + vector[1] * axis[1] + vector[2] * axis[2];

    for (PetscInt c = 0; c < SPACE && (held >> k & 1u); c++) part[c] += along * axis[c];
  }
}

static void AddMoment(const PetscReal x[SPACE], const PetscReal force[SPACE], PetscReal moment[SPACE])
{
  for (PetscInt i = 0; i < SPACE; i++) {
    const PetscInt j = (i + 1) % SPACE, k = (i + 2) % SPACE;

    moment[i] += x[j] * force[k] - x[k] * force[j];
  }
}

/* Directions in which supports hold a node, of its displacements or of its rotations, each once, and which support it is. */
typedef struct {
  PetscInt  count, support[SPACE];
  PetscReal axis[SPACE][SPACE]; /* as the supports say */
  PetscReal own[SPACE][SPACE];  /* of each what is at right angles to those before it, of unit length */
  PetscReal part[SPACE][SPACE]; /* a_k = sum_j part[k][j] own_j */
} Holds;

/* A direction that those before it hold already is theirs. */
static void AddHold(const PetscReal axis[SPACE], PetscInt support, Holds *holds)
{
  const PetscReal parallel = 1e-3; /* as in supports.c */
  const PetscInt  k        = holds->count;
  PetscReal       rest[SPACE], length;

  if (k == SPACE) return;
  for (PetscInt c = 0; c < SPACE; c++) rest[c] = axis[c];
  for (PetscInt j = 0; j < k; j++) {
    holds->part[k][j] = axis[0] * holds->own[j][0] + axis[1] * holds->own[j][1] + axis[2] * holds->own[j][2];
    for (PetscInt c = 0; c < SPACE; c++) rest[c] -= holds->part[k][j] * holds->own[j][c];
  }
  length = PetscSqrtReal(PetscSqr(rest[0]) + PetscSqr(rest[1]) + PetscSqr(rest[2]));
  if (length <= parallel) return;
  holds->part[k][k] = length;
  holds->support[k] = support;
  for (PetscInt c = 0; c < SPACE; c++) {
    holds->axis[k][c] = axis[c];
    holds->own[k][c]  = rest[c] / length;
  }
  holds->count++;
}

static void FindHolds(const MeshedPart *meshed, PetscInt node, PetscBool rotations, Holds *holds)
{
  static const Frame model = {.axis = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

  *holds = (Holds){.count = 0};
  for (PetscInt s = 0; s < meshed->attached.num_supports; s++) {
    const Support *const support = &meshed->attached.supports[s];
    const Frame *const   frame   = support->turned ? &support->frame : &model;
    PetscInt             place   = -1;

    if (!support->point) (void)PetscFindInt(node, support->num_nodes, support->nodes, &place);
    for (PetscInt k = 0; k < SPACE && place >= 0; k++)
      if (support->directions >> (rotations ? SPACE + k : k) & 1u) AddHold(frame->axis[k], s, holds);
  }
}

/* A vector is the sum of what each hold gives along its axis, c_k a_k, and of what nothing holds. */
static void Divide(const Holds *holds, const PetscReal vector[SPACE], PetscReal parts[][SPACE])
{
  PetscReal c[SPACE];

  for (PetscInt k = holds->count - 1; k >= 0; k--) {
    c[k] = vector[0] * holds->own[k][0] + vector[1] * holds->own[k][1] + vector[2] * holds->own[k][2];
    for (PetscInt l = k + 1; l < holds->count; l++) c[k] -= c[l] * holds->part[l][k];
    c[k] /= holds->part[k][k];
    for (PetscInt i = 0; i < SPACE; i++) parts[k][i] = c[k] * holds->axis[k][i];
  }
}

/* What supports of groups give at a node. */
static void AddNode(const MeshedPart *meshed, PetscInt i, const PetscReal force[], PetscReal reactions[])
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);
  Holds                  holds;
  PetscReal              parts[SPACE][SPACE];

  for (PetscInt rotations = 0; rotations < 2; rotations++) {
    FindHolds(meshed, nodes->first + i, (PetscBool)rotations, &holds);
    Divide(&holds, force + SPACE * rotations, parts);
    for (PetscInt k = 0; k < holds.count; k++) {
      PetscReal *const reaction = reactions + NUM_DIRECTIONS * holds.support[k];

      for (PetscInt c = 0; c < SPACE; c++) reaction[SPACE * rotations + c] += parts[k][c];
      if (!rotations) AddMoment(nodes->coordinates + SPACE * i, parts[k], reaction + SPACE);
    }
  }
}

/* Each node once, however many supports hold it. */
static PetscErrorCode SumGroups(const MeshedPart *meshed, const PetscReal forces[], PetscReal reactions[])
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);
  PetscBool             *seen;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(nodes->count, &seen));
  for (PetscInt s = 0; s < meshed->attached.num_supports; s++) {
    const Support *const support = &meshed->attached.supports[s];

    for (PetscInt n = 0; n < support->num_nodes; n++) {
      const PetscInt i = support->nodes[n] - nodes->first;

      if (i < 0 || i >= nodes->count || seen[i]) continue;
      seen[i] = PETSC_TRUE;
      AddNode(meshed, i, forces + NUM_DIRECTIONS * i, reactions);
    }
  }
  PetscCall(PetscFree(seen));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Force, and moment about the centre. */
static void SumSite(const MeshNodes *nodes, const Site *site, const PetscReal centre[SPACE], const PetscReal forces[], PetscReal sum[])
{
  for (PetscInt n = 0; n < site->num_nodes; n++) {
    const PetscInt   i    = site->nodes[n] - nodes->first;
    const PetscReal *here = forces + NUM_DIRECTIONS * i;
    PetscReal        arm[SPACE];

    if (i < 0 || i >= nodes->count) continue;
    for (PetscInt c = 0; c < SPACE; c++) arm[c] = nodes->coordinates[SPACE * i + c] - centre[c];
    for (PetscInt c = 0; c < NUM_DIRECTIONS; c++) sum[c] += here[c];
    AddMoment(arm, here, sum + SPACE);
  }
}

/* The place of a node that one rank owns. */
static PetscErrorCode CentreOf(const MeshedPart *meshed, const Site *site, PetscReal centre[SPACE])
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);
  const PetscInt         i     = site->nodes[0] - nodes->first;

  PetscFunctionBegin;
  PetscCall(PetscArraycpy(centre, site->kind == SITE_RIGID ? site->place : site->centre, SPACE));
  if (site->kind != SITE_NODE) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt c = 0; c < SPACE; c++) centre[c] = i >= 0 && i < nodes->count ? nodes->coordinates[SPACE * i + c] : 0.0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, centre, SPACE, MPIU_REAL, MPI_SUM, MeshComm(meshed->mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindOfPoint(const MeshedPart *meshed, const Support *support, const PetscReal forces[], PetscReal reaction[])
{
  const Site *const site                = SiteOf(meshed, support->point);
  PetscReal         sum[NUM_DIRECTIONS] = {0.0}, centre[SPACE];

  PetscFunctionBegin;
  if (!site) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CentreOf(meshed, site, centre));
  SumSite(MeshGetNodes(meshed->mesh), site, centre, forces, sum);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sum, NUM_DIRECTIONS, MPIU_REAL, MPI_SUM, MeshComm(meshed->mesh)));
  Project(support, support->directions, sum, reaction);
  Project(support, support->directions >> SPACE, sum + SPACE, reaction + SPACE);
  AddMoment(centre, reaction, reaction + SPACE);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SumUp(const MeshedPart *meshed, const PetscReal forces[], PetscReal reactions[])
{
  const PetscInt count = NUM_DIRECTIONS * meshed->attached.num_supports;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(reactions, count));
  PetscCall(SumGroups(meshed, forces, reactions));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, reactions, (PetscMPIInt)count, MPIU_REAL, MPI_SUM, MeshComm(meshed->mesh)));
  for (PetscInt s = 0; s < meshed->attached.num_supports; s++)
    if (meshed->attached.supports[s].point) PetscCall(FindOfPoint(meshed, &meshed->attached.supports[s], forces, reactions + NUM_DIRECTIONS * s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartFindReactions(const MeshedPart *stressed, const MeshedLoads *loads, PetscReal reactions[])
{
  const MeshNodes *const nodes = MeshGetNodes(stressed->mesh);
  PetscScalar           *force;
  Vec                    forces;

  PetscFunctionBegin;
  PetscCall(VecCreateMPI(MeshComm(stressed->mesh), NUM_DIRECTIONS * nodes->count, NUM_DIRECTIONS * nodes->total, &forces));
  PetscCall(VecSetBlockSize(forces, NUM_DIRECTIONS));
  for (PetscInt b = 0; b < stressed->made.num_batches; b++) PetscCall(AddBatch(stressed, &stressed->made.batches[b], loads->gravity, forces));
  PetscCall(VecAssemblyBegin(forces));
  PetscCall(VecAssemblyEnd(forces));
  PetscCall(VecGetArray(forces, &force));
  PetscCall(SubtractPressures(stressed, loads, force));
  for (PetscInt p = 0; p < loads->num_pushes; p++) SubtractPush(stressed, &loads->pushes[p], force);
  PetscCall(SumUp(stressed, force, reactions));
  PetscCall(VecRestoreArray(forces, &force));
  PetscCall(VecDestroy(&forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt MeshedPartNumSupports(const MeshedPart *meshed)
{
  return meshed->attached.num_supports;
}

PetscErrorCode MeshedPartSupportName(const MeshedPart *meshed, PetscInt s, size_t size, char name[])
{
  const Support *const support = &meshed->attached.supports[s];
  PetscInt             alike   = 1;

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(name, support->point ? support->point : support->group, size));
  for (PetscInt i = 0; i < s; i++) {
    const Support *const other = &meshed->attached.supports[i];

    alike += !strcmp(other->point ? other->point : other->group, name);
  }
  for (char *c = name; *c; c++)
    if (*c == ' ' || *c == '/') *c = '_';
  if (alike > 1) PetscCall(PetscSNPrintf(name + strlen(name), size - strlen(name), "_%" PetscInt_FMT, alike));
  PetscFunctionReturn(PETSC_SUCCESS);
}
