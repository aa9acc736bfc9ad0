/* names.c - what a case calls things: gathered, ordered, found. */
#include "names.h"
#include <string.h>

const char *const direction_names[NUM_DIRECTIONS + 1] = {"x", "y", "z", "rx", "ry", "rz", NULL};

/* Room for one more item: arrays double, so that thousands of points cost no more than they should. */
static PetscErrorCode Grow(PetscInt count, size_t item_size, void *array)
{
  PetscFunctionBegin;
  if (count == 0 || (count >= 8 && (count & (count - 1)) == 0)) PetscCall(PetscRealloc((size_t)PetscMax(8, 2 * count) * item_size, (void **)array));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesAddPoint(Names *names, const char *name, PetscInt num_components, const PetscInt direction[], const PetscInt unknown[])
{
  NamedPoint *point;

  PetscFunctionBegin;
  PetscCall(Grow(names->num_points, sizeof(*names->points), &names->points));
  point  = &names->points[names->num_points++];
  *point = (NamedPoint){.num_components = num_components, .first_motion = names->num_motions};
  PetscCall(PetscStrallocpy(name, &point->name));
  PetscCall(PetscArraycpy(point->direction, direction, num_components));
  PetscCall(PetscArraycpy(point->unknown, unknown, num_components));
  names->num_motions += num_components;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesAddRow(Names *names, const char *joint, PetscInt direction)
{
  PetscFunctionBegin;
  PetscCall(NamesAddFaceRow(names, joint, direction, NO_FACE_POINT));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesAddFaceRow(Names *names, const char *joint, PetscInt direction, PetscInt point)
{
  PetscFunctionBegin;
  PetscCall(Grow(names->num_rows, sizeof(*names->rows), &names->rows));
  names->rows[names->num_rows] = (NamedRow){.direction = direction, .point = point};
  PetscCall(PetscStrallocpy(joint, &names->rows[names->num_rows++].joint));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesAddContact(Names *names, const char *joint, PetscInt num_parts)
{
  PetscFunctionBegin;
  PetscCall(Grow(names->num_contacts, sizeof(*names->contacts), &names->contacts));
  names->contacts[names->num_contacts] = (NamedContact){.num_parts = num_parts};
  PetscCall(PetscStrallocpy(joint, &names->contacts[names->num_contacts++].joint));
  names->num_parts += num_parts;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesAddPattern(Names *names, const char *pattern)
{
  PetscFunctionBegin;
  PetscCall(Grow(names->num_patterns, sizeof(*names->patterns), &names->patterns));
  PetscCall(PetscStrallocpy(pattern, &names->patterns[names->num_patterns++]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesAddBolt(Names *names, const char *bolt)
{
  PetscFunctionBegin;
  PetscCall(Grow(names->num_bolts, sizeof(*names->bolts), &names->bolts));
  PetscCall(PetscStrallocpy(bolt, &names->bolts[names->num_bolts++]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void NamesReduceToModes(Names *names, PetscInt count)
{
  for (PetscInt p = 0; p < names->num_points; p++) {
    NamedPoint *const point = &names->points[p];

    for (PetscInt c = 0; c < point->num_components; c++) {
      point->follows[c] = (PetscBool)(point->follows[c] || point->unknown[c] >= 0);
      point->unknown[c] = -1;
    }
  }
  names->num_unknowns = names->num_modes = count;
  names->residual                        = PETSC_TRUE;
}

void NamesCondense(Names *names, PetscInt count)
{
  const PetscInt kept = names->num_unknowns - count;

  if (count == 0) return;
  for (PetscInt p = 0; p < names->num_points; p++) {
    NamedPoint *const point = &names->points[p];

    for (PetscInt c = 0; c < point->num_components; c++) {
      if (point->unknown[c] < kept) continue;
      point->follows[c] = point->massless[c] = PETSC_TRUE;
      point->unknown[c]                      = -1;
    }
  }
  names->num_unknowns  = kept;
  names->num_condensed = count;
  names->num_modes -= PetscMin(names->num_modes, count);
  names->residual = PETSC_TRUE;
}

PetscErrorCode NamesHold(Names *names, PetscInt count)
{
  const PetscInt kept = names->num_unknowns - count;

  PetscFunctionBegin;
  if (count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(count, &names->support_motion));
  for (PetscInt s = 0; s < count; s++) names->support_motion[s] = -1;
  for (PetscInt p = 0; p < names->num_points; p++) {
    NamedPoint *const point = &names->points[p];

    for (PetscInt c = 0; c < point->num_components; c++) {
      const PetscInt support = point->unknown[c] - kept;

      if (support < 0) continue;
      point->support[c] = support + 1;
      point->unknown[c] = -1;
      if (names->support_motion[support] < 0) names->support_motion[support] = point->first_motion + c;
    }
  }
  names->num_supports = count;
  names->num_unknowns = kept;
  names->num_modes -= PetscMin(names->num_modes, count);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesOrderRows(Names *names, PetscInt place[])
{
  NamedRow *sorted;
  PetscInt  next = 0;

  PetscFunctionBegin;
  for (PetscInt r = 0; r < names->num_rows; r++)
    if (names->rows[r].nonlinear) place[r] = next++;
  names->num_nonlinear = next;
  for (PetscInt r = 0; r < names->num_rows; r++)
    if (!names->rows[r].nonlinear) place[r] = next++;
  PetscCall(PetscMalloc1(names->num_rows, &sorted));
  for (PetscInt r = 0; r < names->num_rows; r++) sorted[place[r]] = names->rows[r];
  PetscCall(PetscFree(names->rows));
  names->rows = sorted;
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *NamesSticking(const Names *names)
{
  for (PetscInt r = 0; r < names->num_nonlinear; r++)
    if (names->rows[r].sticks) return names->rows[r].joint;
  return NULL;
}

/* Item by item, so that a copy can grow on. */
PetscErrorCode NamesCopy(const Names *names, Names *copy)
{
  PetscFunctionBegin;
  *copy            = *names;
  copy->num_points = copy->num_motions = copy->num_rows = copy->num_contacts = copy->num_parts = copy->num_patterns = copy->num_bolts = 0;
  copy->points                                                                                                                        = NULL;
  copy->rows                                                                                                                          = NULL;
  copy->contacts                                                                                                                      = NULL;
  copy->patterns                                                                                                                      = NULL;
  copy->bolts                                                                                                                         = NULL;
  if (names->num_supports) {
    PetscCall(PetscMalloc1(names->num_supports, &copy->support_motion));
    PetscCall(PetscArraycpy(copy->support_motion, names->support_motion, names->num_supports));
  }
  for (PetscInt i = 0; i < names->num_points; i++) {
    const NamedPoint *point = &names->points[i];
    char             *name;

    PetscCall(NamesAddPoint(copy, point->name, point->num_components, point->direction, point->unknown));
    name                 = copy->points[i].name;
    copy->points[i]      = *point;
    copy->points[i].name = name;
  }
  for (PetscInt i = 0; i < names->num_rows; i++) {
    PetscCall(NamesAddFaceRow(copy, names->rows[i].joint, names->rows[i].direction, names->rows[i].point));
    copy->rows[i].nonlinear = names->rows[i].nonlinear;
    copy->rows[i].sticks    = names->rows[i].sticks;
  }
  for (PetscInt i = 0; i < names->num_contacts; i++) {
    PetscCall(NamesAddContact(copy, names->contacts[i].joint, names->contacts[i].num_parts));
    copy->contacts[i].overlaps = names->contacts[i].overlaps;
  }
  for (PetscInt i = 0; i < names->num_patterns; i++) PetscCall(NamesAddPattern(copy, names->patterns[i]));
  for (PetscInt i = 0; i < names->num_bolts; i++) PetscCall(NamesAddBolt(copy, names->bolts[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesDestroy(Names *names)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < names->num_points; i++) PetscCall(PetscFree(names->points[i].name));
  for (PetscInt i = 0; i < names->num_rows; i++) PetscCall(PetscFree(names->rows[i].joint));
  for (PetscInt i = 0; i < names->num_contacts; i++) PetscCall(PetscFree(names->contacts[i].joint));
  for (PetscInt i = 0; i < names->num_patterns; i++) PetscCall(PetscFree(names->patterns[i]));
  for (PetscInt i = 0; i < names->num_bolts; i++) PetscCall(PetscFree(names->bolts[i]));
  PetscCall(PetscFree(names->points));
  PetscCall(PetscFree(names->rows));
  PetscCall(PetscFree(names->contacts));
  PetscCall(PetscFree(names->patterns));
  PetscCall(PetscFree(names->bolts));
  PetscCall(PetscFree(names->support_motion));
  PetscCall(PetscMemzero(names, sizeof(*names)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt NamesFindPoint(const Names *names, const char *name)
{
  for (PetscInt p = 0; p < names->num_points; p++)
    if (!strcmp(names->points[p].name, name)) return p;
  return -1;
}

PetscInt NamesFindMotion(const Names *names, PetscInt point, PetscInt direction)
{
  const NamedPoint *found = &names->points[point];

  for (PetscInt c = 0; c < found->num_components; c++)
    if (found->direction[c] == direction) return found->first_motion + c;
  return -1;
}

PetscInt NamesPointOfMotion(const Names *names, PetscInt motion)
{
  PetscInt p = 0;

  while (motion >= names->points[p].first_motion + names->points[p].num_components) p++;
  return p;
}

PetscInt NamesFindContact(const Names *names, const char *joint)
{
  for (PetscInt c = 0; c < names->num_contacts; c++)
    if (!strcmp(names->contacts[c].joint, joint)) return c;
  return -1;
}

/* In the order of its points, as all of them have the same laws. */
PetscInt NamesLayerSize(const Names *names, PetscInt row)
{
  const NamedRow *const first = &names->rows[row];
  PetscInt              size  = 1;

  if (first->point != 0) return size;
  while (row + size < names->num_rows && first[size].point == size && first[size].direction == first->direction &&
         !strcmp(first[size].joint, first->joint))
    size++;
  return size;
}

const char *NamesSupport(const Names *names, PetscInt support, const char **direction)
{
  const PetscInt          motion = names->support_motion[support];
  const NamedPoint *const point  = &names->points[NamesPointOfMotion(names, motion)];

  *direction = direction_names[point->direction[motion - point->first_motion]];
  return point->name;
}

const char *NamesRowDirection(const Names *names, PetscInt row)
{
  const PetscInt direction = names->rows[row].direction;

  return direction == DIRECTION_OF_MODE ? "q" : direction_names[direction];
}
