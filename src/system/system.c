/* system.c - building the equation of motion piece by piece, and finding things in it. */
#include "system.h"
#include "draft.h"

PetscErrorCode SystemCreate(PetscInt num_unknowns, System **system)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(system));
  PetscCall(PetscNew(&(*system)->draft));
  (*system)->num_unknowns = (*system)->names.num_unknowns = num_unknowns;
  (*system)->names.known                                  = PETSC_TRUE;
  (*system)->accuracy                                     = PETSC_MACHINE_EPSILON;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddTurnedPoint(System *system, const char *name, PetscInt num_components, const PetscInt direction[], const PetscInt unknown[])
{
  PetscFunctionBegin;
  PetscCall(NamesAddPoint(&system->names, name, num_components, direction, unknown));
  system->names.points[system->names.num_points - 1].turned = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddPoint(System *system, const char *name, PetscInt num_components, const PetscInt direction[], const PetscInt unknown[])
{
  const PetscInt first = system->names.num_motions;

  PetscFunctionBegin;
  PetscCall(NamesAddPoint(&system->names, name, num_components, direction, unknown));
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

PetscErrorCode SystemAddDamping(System *system, PetscInt i, PetscInt j, PetscReal value)
{
  PetscFunctionBegin;
  PetscCall(EntriesAdd(&system->draft->damping, i, j, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddRow(System *system, const char *joint, PetscInt direction, PetscInt negative, PetscInt positive, PetscInt *row)
{
  PetscFunctionBegin;
  *row = system->names.num_rows;
  PetscCall(NamesAddRow(&system->names, joint, direction));
  PetscCall(SystemAddRowTerm(system, *row, negative, -1.0));
  PetscCall(SystemAddRowTerm(system, *row, positive, 1.0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddFaceRow(System *system, const char *joint, PetscInt direction, PetscInt point, PetscInt *row)
{
  PetscFunctionBegin;
  *row = system->names.num_rows;
  PetscCall(NamesAddFaceRow(&system->names, joint, direction, point));
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

PetscBool SystemSticks(const System *system)
{
  return NamesSticking(&system->names) ? PETSC_TRUE : PETSC_FALSE;
}

PetscErrorCode SystemAddLawTerm(System *system, PetscInt component, PetscInt row, PetscReal factor)
{
  const unsigned traits = system->draft->laws[system->draft->num_laws - 1].law->traits;

  PetscFunctionBegin;
  PetscCall(EntriesAdd(&system->draft->law_map, (system->draft->num_laws - 1) * JOINT_MAX_DIM + component, row, factor));
  if (row >= 0 && !(traits & JOINT_LINEAR)) system->names.rows[row].nonlinear = PETSC_TRUE;
  if (row >= 0 && (traits & JOINT_RIGID)) system->names.rows[row].sticks = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemSpreadLaw(System *system, PetscReal area, PetscReal gap)
{
  DraftLaw *const law = &system->draft->laws[system->draft->num_laws - 1];

  PetscFunctionBegin;
  PetscCheck(area > 0.0, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "a law spreads over an area, not over %g", (double)area);
  law->area = area;
  law->gap  = gap;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Its middles and shares are still to be set. */
static PetscErrorCode AddContact(System *system, const char *joint, PetscInt num_parts, SystemContact **added)
{
  const PetscInt before = system->names.num_contacts;

  PetscFunctionBegin;
  PetscCall(ArrayReserve(before, &system->draft->contacts_capacity, sizeof(SystemContact), &system->contacts));
  PetscCall(NamesAddContact(&system->names, joint, num_parts));
  *added  = &system->contacts[before];
  **added = (SystemContact){.first = system->draft->num_laws};
  PetscCall(PetscMalloc3(num_parts, &(*added)->y, num_parts, &(*added)->z, num_parts, &(*added)->share));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddContact(System *system, const char *joint, PetscInt num_parts, const PetscReal y[], const PetscReal z[])
{
  SystemContact *added;

  PetscFunctionBegin;
  PetscCall(AddContact(system, joint, num_parts, &added));
  PetscCall(PetscArraycpy(added->y, y, num_parts));
  PetscCall(PetscArraycpy(added->z, z, num_parts));
  for (PetscInt i = 0; i < num_parts; i++) added->share[i] = 1.0 / (PetscReal)num_parts;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddFaces(System *system, const char *joint, PetscInt num_parts, const PetscReal place[], const PetscReal area[],
                              const PetscReal gap[], const PetscReal beside[])
{
  SystemContact *added;
  PetscReal      all = 0.0;

  PetscFunctionBegin;
  PetscCall(AddContact(system, joint, num_parts, &added));
  PetscCall(PetscMalloc1(num_parts, &added->x));
  PetscCall(PetscMalloc3(num_parts, &added->area, num_parts, &added->gap, num_parts, &added->beside));
  PetscCall(PetscArraycpy(added->area, area, num_parts));
  PetscCall(PetscArraycpy(added->gap, gap, num_parts));
  PetscCall(PetscArraycpy(added->beside, beside, num_parts));
  for (PetscInt i = 0; i < num_parts; i++) all += area[i];
  for (PetscInt i = 0; i < num_parts; i++) {
    added->x[i]     = place[3 * i];
    added->y[i]     = place[3 * i + 1];
    added->z[i]     = place[3 * i + 2];
    added->share[i] = area[i] / all;
    if (gap[i] < 0.0) system->names.contacts[system->names.num_contacts - 1].overlaps = PETSC_TRUE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddFollower(System *system, PetscInt point, PetscInt component, PetscInt i, PetscReal factor)
{
  PetscFunctionBegin;
  PetscCall(EntriesAdd(&system->draft->point_map, system->names.points[point].first_motion + component, i, factor));
  system->names.points[point].follows[component] = PETSC_TRUE;
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
  for (PetscInt i = 0; i < s->names.num_patterns; i++) PetscCall(VecDestroy(&s->patterns[i].force));
  for (PetscInt b = 0; b < s->names.num_bolts; b++) PetscCall(VecDestroy(&s->bolts[b].force));
  for (PetscInt b = 0; b < s->num_blocks; b++) PetscCall(SystemBlockDestroy(&s->blocks[b]));
  for (PetscInt c = 0; c < s->names.num_contacts; c++) {
    PetscCall(PetscFree(s->contacts[c].x));
    PetscCall(PetscFree3(s->contacts[c].area, s->contacts[c].gap, s->contacts[c].beside));
    PetscCall(PetscFree3(s->contacts[c].y, s->contacts[c].z, s->contacts[c].share));
  }
  PetscCall(PetscFree(s->contacts));
  PetscCall(PetscFree(s->patterns));
  PetscCall(PetscFree(s->bolts));
  PetscCall(PetscFree(s->rows));
  PetscCall(PetscFree(s->blocks));
  PetscCall(PetscFree(s->damping.ratios));
  PetscCall(PetscFree(s->damping.viscous));
  PetscCall(PetscFree(s->cancelled));
  PetscCall(SystemSupportsDestroy(s));
  PetscCall(SystemReactionsDestroy(s));
  PetscCall(NamesDestroy(&s->names));
  if (s->residual) {
    PetscCall(PetscFree(s->residual->eigenvalue));
    PetscCall(ComplianceDestroy(&s->residual->compliance));
  }
  PetscCall(PetscFree(s->residual));
  PetscCall(PetscFree(*system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void SystemTakeMasses(const System *system, PetscReal mass[])
{
  const Entries *const entries = &system->draft->mass;

  for (PetscInt i = 0; i < system->num_unknowns; i++) mass[i] = 0.0;
  for (PetscInt e = 0; e < entries->count; e++)
    if (entries->i[e] == entries->j[e]) mass[entries->i[e]] += entries->value[e];
}

PetscErrorCode SystemGetSize(const System *system, PetscInt *size)
{
  PetscInt m = 0, n = 0;

  PetscFunctionBegin;
  if (system->continuum) PetscCall(MatGetSize(system->continuum->R, &m, &n));
  *size = system->num_unknowns + n - m;
  PetscFunctionReturn(PETSC_SUCCESS);
}
