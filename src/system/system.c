/* system.c - building the equation of motion piece by piece, and finding things in it. */
#include "system.h"
#include "draft.h"

const char *const direction_names[NUM_DIRECTIONS + 1] = {"x", "y", "z", "rx", "ry", "rz", NULL};

PetscErrorCode SystemCreate(PetscInt num_unknowns, System **system)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(system));
  PetscCall(PetscNew(&(*system)->draft));
  (*system)->num_unknowns = num_unknowns;
  (*system)->accuracy     = PETSC_MACHINE_EPSILON;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddTurnedPoint(System *system, const char *name, PetscInt num_components, const PetscInt direction[], const PetscInt unknown[])
{
  SystemPoint *point;

  PetscFunctionBegin;
  PetscCall(ArrayReserve(system->num_points, &system->draft->points_capacity, sizeof(SystemPoint), &system->points));
  point = &system->points[system->num_points++];
  PetscCall(PetscStrallocpy(name, &point->name));
  point->num_components = num_components;
  point->first_row      = system->num_motions;
  point->turned         = PETSC_TRUE;
  PetscCall(PetscArraycpy(point->direction, direction, num_components));
  PetscCall(PetscArraycpy(point->unknown, unknown, num_components));
  system->num_motions += num_components;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddPoint(System *system, const char *name, PetscInt num_components, const PetscInt direction[], const PetscInt unknown[])
{
  const PetscInt first = system->num_motions;

  PetscFunctionBegin;
  PetscCall(SystemAddTurnedPoint(system, name, num_components, direction, unknown));
  system->points[system->num_points - 1].turned = PETSC_FALSE;
  for (PetscInt c = 0; c < num_components; c++) PetscCall(EntriesAdd(&system->draft->point_map, first + c, unknown[c], 1.0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddMass(System *system, PetscInt i, PetscInt j, PetscReal value)
{
  PetscFunctionBegin;
  PetscCall(EntriesAdd(&system->draft->mass, i, j, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddStiffness(System *system, PetscInt i, PetscInt j, PetscReal value)
{
  PetscFunctionBegin;
  PetscCall(EntriesAdd(&system->draft->stiffness, i, j, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddCancelled(System *system, PetscInt i, PetscReal stiffness)
{
  PetscFunctionBegin;
  if (i < 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (!system->cancelled) PetscCall(PetscCalloc1(system->num_unknowns, &system->cancelled));
  system->cancelled[i] += stiffness;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddDamping(System *system, PetscInt i, PetscInt j, PetscReal value)
{
  PetscFunctionBegin;
  PetscCall(EntriesAdd(&system->draft->damping, i, j, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddRow(System *system, const char *joint, PetscInt direction, PetscInt negative, PetscInt positive, PetscInt *row)
{
  SystemDraft *draft = system->draft;
  SystemRow   *added;

  PetscFunctionBegin;
  PetscCall(ArrayReserve(system->num_rows, &draft->rows_capacity, sizeof(SystemRow), &system->rows));
  added = &system->rows[system->num_rows];
  PetscCall(PetscMemzero(added, sizeof(*added)));
  PetscCall(PetscStrallocpy(joint, &added->joint));
  added->direction = direction;
  *row             = system->num_rows++;
  PetscCall(SystemAddRowTerm(system, *row, negative, -1.0));
  PetscCall(SystemAddRowTerm(system, *row, positive, 1.0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddRowTerm(System *system, PetscInt row, PetscInt i, PetscReal factor)
{
  PetscFunctionBegin;
  PetscCall(EntriesAdd(&system->draft->joint_map, row, i, factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddLaw(System *system, const JointLaw *law, const PetscReal parameters[], const PetscInt rows[])
{
  SystemDraft *draft = system->draft;
  DraftLaw    *added;

  PetscFunctionBegin;
  PetscCall(ArrayReserve(draft->num_laws, &draft->laws_capacity, sizeof(DraftLaw), &draft->laws));
  added = &draft->laws[draft->num_laws++];
  PetscCall(PetscMemzero(added, sizeof(*added)));
  added->law = law;
  for (PetscInt i = 0; law->parameters[i].name; i++) added->parameters[i] = parameters[i];
  for (PetscInt c = 0; c < law->dim; c++) PetscCall(SystemAddLawTerm(system, c, rows[c], 1.0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddLawTerm(System *system, PetscInt component, PetscInt row, PetscReal factor)
{
  PetscFunctionBegin;
  PetscCall(EntriesAdd(&system->draft->law_map, (system->draft->num_laws - 1) * JOINT_MAX_DIM + component, row, factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddContact(System *system, const char *joint, PetscInt num_parts, const PetscReal y[], const PetscReal z[])
{
  SystemContact *added;

  PetscFunctionBegin;
  PetscCall(ArrayReserve(system->num_contacts, &system->draft->contacts_capacity, sizeof(SystemContact), &system->contacts));
  added  = &system->contacts[system->num_contacts++];
  *added = (SystemContact){.first = system->draft->num_laws, .num_parts = num_parts};
  PetscCall(PetscStrallocpy(joint, &added->joint));
  PetscCall(PetscMalloc2(num_parts, &added->y, num_parts, &added->z));
  PetscCall(PetscArraycpy(added->y, y, num_parts));
  PetscCall(PetscArraycpy(added->z, z, num_parts));
  system->num_parts += num_parts;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddFollower(System *system, PetscInt point, PetscInt component, PetscInt i, PetscReal factor)
{
  PetscFunctionBegin;
  PetscCall(EntriesAdd(&system->draft->point_map, system->points[point].first_row + component, i, factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddBaseMass(System *system, PetscInt direction, PetscReal mass)
{
  PetscFunctionBegin;
  system->base_mass[direction] += mass;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddBase(System *system, PetscInt direction, PetscInt i, PetscReal inertia)
{
  PetscFunctionBegin;
  PetscCall(EntriesAdd(&system->draft->base, i, direction, inertia));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemSetDamping(System *system, PetscInt num_ratios, const PetscReal ratios[], PetscReal mass_factor, PetscReal stiffness_factor)
{
  SystemDamping *damping = &system->damping;

  PetscFunctionBegin;
  damping->num_ratios       = num_ratios;
  damping->mass_factor      = mass_factor;
  damping->stiffness_factor = stiffness_factor;
  PetscCall(PetscMalloc1(num_ratios, &damping->ratios));
  PetscCall(PetscArraycpy(damping->ratios, ratios, num_ratios));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemSetModalDamping(System *system, const PetscReal viscous[])
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(system->num_unknowns, &system->damping.viscous));
  PetscCall(PetscArraycpy(system->damping.viscous, viscous, system->num_unknowns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemSetContinuum(System *system, const Continuum *continuum)
{
  PetscFunctionBegin;
  system->continuum = continuum;
  for (PetscInt d = 0; d < 3; d++) system->base_mass[d] += continuum->mass;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemDestroy(System **system)
{
  System *s = *system;

  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SystemDraftDestroy(&s->draft));
  PetscCall(MatDestroy(&s->M));
  PetscCall(MatDestroy(&s->K));
  PetscCall(MatDestroy(&s->C));
  PetscCall(MatDestroy(&s->B));
  PetscCall(MatDestroy(&s->T));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) PetscCall(VecDestroy(&s->base[d]));
  for (PetscInt i = 0; i < s->num_patterns; i++) {
    PetscCall(PetscFree(s->patterns[i].name));
    PetscCall(VecDestroy(&s->patterns[i].force));
  }
  for (PetscInt r = 0; r < s->num_rows; r++) PetscCall(PetscFree(s->rows[r].joint));
  for (PetscInt p = 0; p < s->num_points; p++) PetscCall(PetscFree(s->points[p].name));
  for (PetscInt b = 0; b < s->num_blocks; b++) {
    PetscCall(JointBlockDestroy(&s->blocks[b].block));
    PetscCall(PetscFree(s->blocks[b].first));
    PetscCall(PetscFree2(s->blocks[b].row, s->blocks[b].factor));
  }
  for (PetscInt c = 0; c < s->num_contacts; c++) {
    PetscCall(PetscFree(s->contacts[c].joint));
    PetscCall(PetscFree2(s->contacts[c].y, s->contacts[c].z));
  }
  PetscCall(PetscFree(s->contacts));
  PetscCall(PetscFree(s->patterns));
  PetscCall(PetscFree(s->rows));
  PetscCall(PetscFree(s->points));
  PetscCall(PetscFree(s->blocks));
  PetscCall(PetscFree(s->damping.ratios));
  PetscCall(PetscFree(s->damping.viscous));
  PetscCall(PetscFree(s->cancelled));
  PetscCall(PetscFree(*system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *SystemRowDirection(const SystemRow *row)
{
  return row->direction == DIRECTION_OF_MODE ? "q" : direction_names[row->direction];
}

PetscInt SystemFindPoint(const System *system, const char *name)
{
  for (PetscInt p = 0; p < system->num_points; p++) {
    PetscBool same;

    (void)PetscStrcmp(system->points[p].name, name, &same);
    if (same) return p;
  }
  return -1;
}

PetscInt SystemFindMotion(const System *system, PetscInt point, PetscInt direction)
{
  const SystemPoint *found = &system->points[point];

  for (PetscInt c = 0; c < found->num_components; c++)
    if (found->direction[c] == direction) return found->first_row + c;
  return -1;
}

PetscErrorCode SystemGetSize(const System *system, PetscInt *size)
{
  PetscInt m = 0, n = 0;

  PetscFunctionBegin;
  if (system->continuum) PetscCall(MatGetSize(system->continuum->R, &m, &n));
  *size = system->num_unknowns + n - m;
  PetscFunctionReturn(PETSC_SUCCESS);
}
