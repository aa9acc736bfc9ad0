/* continuum.c - the meshed part of a structure as a Continuum: the motions it shows, its bodies; and complaints of what is wrong with it. */
#include "meshed_private.h"
#include <petsctime.h>

/* What a rigid motion (0 to 5: along and about x, y, z through `centre`) does to direction d of a node at x. */
static PetscReal RigidMotion(PetscInt motion, PetscInt d, const PetscReal x[SPACE], const PetscReal centre[SPACE])
{
  const PetscInt axis = motion - SPACE;

  if (motion < SPACE || d >= SPACE) return motion == d ? 1.0 : 0.0;
  if (d == (axis + 1) % SPACE) return -(x[(axis + 2) % SPACE] - centre[(axis + 2) % SPACE]); /* theta x r */
  if (d == (axis + 2) % SPACE) return x[(axis + 1) % SPACE] - centre[(axis + 1) % SPACE];
  return 0.0;
}

static PetscInt BodyOfSlot(const MeshedPart *meshed, PetscInt slot)
{
  const Spider *const spider = UnknownsSpider(meshed, slot);

  return MeshPartOfNode(meshed->mesh, spider ? spider->site->nodes[0] : MeshGetNodes(meshed->mesh)->first + slot / 2);
}

static const PetscReal *PlaceOfSlot(const MeshedPart *meshed, PetscInt slot)
{
  const Spider *const spider = UnknownsSpider(meshed, slot);

  return spider ? spider->site->centre : MeshGetNodes(meshed->mesh)->coordinates + SPACE * (slot / 2);
}

/* What it does to unknown k of a slot. */
static PetscReal RigidMotionOfSlot(const MeshedPart *meshed, PetscInt motion, PetscInt slot, PetscInt k, const PetscReal centre[SPACE])
{
  const PetscReal *const x    = PlaceOfSlot(meshed, slot);
  const NodeTurn *const  turn = UnknownsTurn(meshed, slot);
  const PetscInt         from = slot % 2 ? SPACE : 0;
  PetscReal              sum  = 0.0;

  if (!turn) return RigidMotion(motion, from + k, x, centre);
  for (PetscInt d = 0; d < SPACE; d++) sum += turn->axis[k][d] * RigidMotion(motion, from + d, x, centre);
  return sum;
}

/* The rigid motions of the mesh's bodies, and the body of each unknown of this rank. Bodies without unknowns get no number. */
static PetscErrorCode AddBodies(const MeshedPart *meshed, Continuum *continuum)
{
  const Unknowns *const unknowns = &meshed->unknowns;
  const PetscInt        num_all  = MeshNumParts(meshed->mesh);
  PetscReal             lower[SPACE], upper[SPACE], centre[SPACE], *motion;
  PetscInt             *number, *joined, first = 0;

  PetscFunctionBegin;
  MeshBoundingBox(meshed->mesh, lower, upper);
  for (PetscInt c = 0; c < SPACE; c++) centre[c] = 0.5 * (lower[c] + upper[c]);
  PetscCall(PetscCalloc2(num_all, &number, num_all, &joined));
  PetscCall(SpidersJoin(meshed, joined));
  PetscCall(MatCreateDense(MeshComm(meshed->mesh), unknowns->num_local, PETSC_DECIDE, unknowns->num_total, NUM_DIRECTIONS, NULL, &continuum->rigid));
  PetscCall(PetscMalloc1(unknowns->num_local, &continuum->body));
  PetscCall(MatDenseGetArrayWrite(continuum->rigid, &motion));
  PetscCallMPI(MPI_Scan(&unknowns->num_local, &first, 1, MPIU_INT, MPI_SUM, MeshComm(meshed->mesh)));
  first -= unknowns->num_local;
  for (PetscInt i = 0; i < SPACE * unknowns->num_blocks; i++) {
    const PetscInt slot = unknowns->slot[i / SPACE], local = unknowns->number[i] - first;

    if (unknowns->number[i] < 0) continue;
    continuum->body[local]         = joined[BodyOfSlot(meshed, slot)];
    number[continuum->body[local]] = 1;
    for (PetscInt m = 0; m < NUM_DIRECTIONS; m++) motion[m * unknowns->num_local + local] = RigidMotionOfSlot(meshed, m, slot, i % SPACE, centre);
  }
  PetscCall(MatDenseRestoreArrayWrite(continuum->rigid, &motion));
  PetscCall(MatAssemblyBegin(continuum->rigid, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(continuum->rigid, MAT_FINAL_ASSEMBLY));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, number, (PetscMPIInt)num_all, MPIU_INT, MPI_MAX, MeshComm(meshed->mesh)));
  for (PetscInt p = 0; p < num_all; p++) number[p] = number[p] ? continuum->num_bodies++ : -1;
  for (PetscInt i = 0; i < unknowns->num_local; i++) continuum->body[i] = number[continuum->body[i]];
  PetscCall(PetscFree2(number, joined));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContinuumCreate(const MeshedPart *meshed, Continuum **continuum)
{
  PetscLogDouble start, end;
  PetscBool      fine;

  PetscFunctionBegin;
  PetscCall(PetscNew(continuum));
  (*continuum)->num_held = MeshedNumHeld(meshed);
  PetscCall(PetscTime(&start));
  PetscCall(AssemblyFill(meshed, *continuum, &fine));
  PetscCall(PetscTime(&end));
  LogDetail("stiffness and mass assembled in %.3f s", end - start);
  if (!fine) {
    PetscCall(ContinuumDestroy(continuum));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(RowsMatrix(meshed, &(*continuum)->R));
  PetscCall(TouchingMatrix(meshed, &(*continuum)->touching));
  PetscCall(AddBodies(meshed, *continuum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a complaint is about: how it is reduced, or the mesh. */
static const InputNode *NodeOf(const MeshedPart *meshed)
{
  return meshed->reduction.node ? meshed->reduction.node : meshed->node;
}

/* A constraint, or a joint whose faces are tied; and where the case says so. */
static PetscErrorCode NameHeld(const MeshedPart *meshed, PetscInt i, char text[], size_t size)
{
  const PetscInt num = meshed->attached.num_constraints;

  PetscFunctionBegin;
  if (i < num) PetscCall(PetscSNPrintf(text, size, "constraint '%s'", meshed->attached.constraints[i].name));
  else PetscCall(PetscSNPrintf(text, size, "joint '%s'", TouchingOfHeld(&meshed->touching, i - num)->joint));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const InputNode *NodeOfHeld(const MeshedPart *meshed, PetscInt i)
{
  const PetscInt num = meshed->attached.num_constraints;

  return i < num ? meshed->attached.constraints[i].node : TouchingOfHeld(&meshed->touching, i - num)->node;
}

/* "point 'a' in rx", "constraint 'a'", "joint 'a'" */
static PetscErrorCode NameRow(const MeshedPart *meshed, PetscInt row, char text[], size_t size)
{
  const PetscBool kept       = (PetscBool)(row < meshed->kept.count);
  const PetscInt  coordinate = kept ? meshed->kept.coordinates[row] : RESTING;
  const Point    *point;

  PetscFunctionBegin;
  if (!kept) {
    PetscCall(NameHeld(meshed, row - meshed->kept.count, text, size));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  point = &meshed->points->list[PointOfCoordinate(meshed->points, coordinate)];
  PetscCall(PetscSNPrintf(text, size, "point '%s' in %s", point->name, direction_names[point->direction[coordinate - point->first]]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The names of the groups that have nodes in a body: "'lower', 'upper'". */
static PetscErrorCode NameBody(const MeshedPart *meshed, const Continuum *continuum, PetscInt body, char text[], size_t size)
{
  const Unknowns *const unknowns  = &meshed->unknowns;
  PetscInt              mesh_part = -1, *joined;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(MeshNumParts(meshed->mesh), &joined));
  PetscCall(SpidersJoin(meshed, joined));
  for (PetscInt i = 0, local = 0; i < SPACE * unknowns->num_blocks; i++) {
    if (unknowns->number[i] < 0) continue;
    if (continuum->body[local++] == body) mesh_part = joined[BodyOfSlot(meshed, unknowns->slot[i / SPACE])];
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &mesh_part, 1, MPIU_INT, MPI_MAX, MeshComm(meshed->mesh)));
  text[0] = '\0';
  for (PetscInt p = 0; p < meshed->made.num_parts; p++) {
    PetscInt found = 0;

    for (PetscInt b = 0; b < meshed->made.num_batches; b++) {
      const Batch *const batch = &meshed->made.batches[b];
      const PetscInt     width = mesh_shapes[batch->block->shape].num_nodes;

      for (PetscInt e = 0; e < batch->count && batch->part == &meshed->made.parts[p] && !found; e++)
        found = joined[MeshPartOfNode(meshed->mesh, batch->block->nodes[batch->elements[e] * width])] == mesh_part;
    }
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPIU_INT, MPI_MAX, MeshComm(meshed->mesh)));
    if (!found) continue;
    if (text[0]) PetscCall(PetscStrlcat(text, ", ", size));
    PetscCall(PetscStrlcat(text, "'", size));
    PetscCall(PetscStrlcat(text, meshed->made.parts[p].name, size));
    PetscCall(PetscStrlcat(text, "'", size));
  }
  PetscCall(PetscFree(joined));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ComplainOfFreedom(const MeshedPart *meshed, const Continuum *continuum, const ContinuumFault *fault)
{
  char body[512];

  PetscFunctionBegin;
  PetscCall(NameBody(meshed, continuum, fault->body, body, sizeof(body)));
  PetscCall(InputComplain(NodeOf(meshed),
                          "part %s floats free: %" PetscInt_FMT " of the rigid motions are held by no support and seen by no kept point; keep or "
                          "connect more points on it",
                          body, fault->count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ComplainOfConstraint(const MeshedPart *meshed, const ContinuumFault *fault)
{
  const InputNode *const node = NodeOfHeld(meshed, fault->row - meshed->kept.count);
  char                   other[128];

  PetscFunctionBegin;
  if (fault->reason == CONTINUUM_EMPTY_ROW) {
    PetscCall(InputComplain(node, "constrains nothing: its motions are held by supports, or cancel"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(NameRow(meshed, fault->other_row, other, sizeof(other)));
  PetscCall(InputComplain(node, "is redundant: it follows from earlier constraints, mainly from %s; remove one of them", other));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ComplainOfRows(const MeshedPart *meshed, const ContinuumFault *fault)
{
  char row[128], other[128];

  PetscFunctionBegin;
  if (fault->row >= meshed->kept.count) {
    PetscCall(ComplainOfConstraint(meshed, fault));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(NameRow(meshed, fault->row, row, sizeof(row)));
  if (fault->reason == CONTINUUM_EMPTY_ROW) {
    PetscCall(InputComplain(NodeOf(meshed), "%s does not move: all of its nodes are held by supports", row));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(NameRow(meshed, fault->other_row, other, sizeof(other)));
  if (fault->other_row >= meshed->kept.count)
    PetscCall(InputComplain(NodeOfHeld(meshed, fault->other_row - meshed->kept.count),
                            "conflicts with motions that are kept: %s would follow from the others; use a rigid joint, or do not keep it", row));
  else if (meshed->reduction.kind == REDUCED_TO_MOTIONS)
    PetscCall(
      InputComplain(NodeOf(meshed), "the motion of %s follows from those kept before it, above all from %s; keep one of them only", row, other));
  else
    PetscCall(InputComplain(meshed->points->list[PointOfCoordinate(meshed->points, meshed->kept.coordinates[fault->row])].node,
                            "the motion of %s follows from those of other points, above all of %s; connect one of them only", row, other));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContinuumComplain(const MeshedPart *meshed, const Continuum *continuum, const ContinuumFault *fault)
{
  const InputNode *const node = NodeOf(meshed);

  PetscFunctionBegin;
  switch (fault->reason) {
  case CONTINUUM_FINE:
    break;
  case CONTINUUM_EMPTY_ROW:
  case CONTINUUM_DEPENDENT_ROW:
    PetscCall(ComplainOfRows(meshed, fault));
    break;
  case CONTINUUM_FREE_BODY:
    PetscCall(ComplainOfFreedom(meshed, continuum, fault));
    break;
  case CONTINUUM_SINGULAR:
    PetscCall(InputComplain(node, "%" PetscInt_FMT " motions strain nothing%s: parts hang together by single nodes or edges", fault->count,
                            meshed->reduction.kind == REDUCED_TO_MOTIONS ? " while the kept points are at rest" : " and have no mass"));
    break;
  case CONTINUUM_INDEFINITE:
    if (meshed->stress) PetscCall(StressComplain(meshed, fault->count));
    else PetscCall(InputComplain(node, "the stiffness has %" PetscInt_FMT " directions of negative energy", fault->count));
    break;
  case CONTINUUM_NOT_FACTORED:
    PetscCall(
      InputComplain(node, "the stiffness could not be factored (MUMPS %" PetscInt_FMT "); -9, -13 and -19 mean too little memory", fault->count));
    break;
  case CONTINUUM_NOT_CONVERGED:
    PetscCall(InputComplain(node, "only %" PetscInt_FMT " modes converged", fault->count));
    break;
  case CONTINUUM_MISSED_MODES:
    PetscCall(InputComplain(node, "%" PetscInt_FMT " modes were missed; ask for a few more", fault->count));
    break;
  case CONTINUUM_INACCURATE:
    PetscCall(InputComplain(node, "the reduction is inaccurate: a relative error of %.3g", fault->error));
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
