/* choose.c - a name of the case among those that there are. */
#include "names.h"
#include <string.h>

static PetscBool IsAmong(const char *name, PetscInt count, const char *const known[])
{
  for (PetscInt k = 0; k < count; k++)
    if (!strcmp(known[k], name)) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Complains, saying each of the names once. */
static PetscErrorCode Complain(const InputNode *node, const char *text, const char *what, PetscInt count, const char *const list[])
{
  const char **known;
  PetscInt     num_known = 0, chosen;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(count + 1, &known));
  for (PetscInt i = 0; i < count; i++)
    if (!IsAmong(list[i], num_known, known)) known[num_known++] = list[i];
  PetscCall(InputChoose(node, text, what, known, &chosen));
  PetscCall(PetscFree(known));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first of a list that is that text. */
static PetscErrorCode Choose(const Names *names, const InputNode *node, const char *text, const char *what, PetscInt count, const char *const list[],
                             PetscInt *index)
{
  PetscFunctionBegin;
  *index = -1;
  if (!names->known) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < count && *index < 0; i++)
    if (!strcmp(list[i], text)) *index = i;
  if (*index < 0) PetscCall(Complain(node, text, what, count, list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesChoosePoint(const Names *names, const InputNode *node, const char *text, PetscInt *point)
{
  const char **list;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(names->num_points, &list));
  for (PetscInt i = 0; i < names->num_points; i++) list[i] = names->points[i].name;
  PetscCall(Choose(names, node, text, "point", names->num_points, list, point));
  PetscCall(PetscFree(list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesChooseJoint(const Names *names, const InputNode *node, const char *text, PetscInt *row)
{
  const char **list;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(names->num_rows, &list));
  for (PetscInt i = 0; i < names->num_rows; i++) list[i] = names->rows[i].joint;
  PetscCall(Choose(names, node, text, "joint", names->num_rows, list, row));
  PetscCall(PetscFree(list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesChooseContact(const Names *names, const InputNode *node, const char *text, PetscInt *contact)
{
  const char **list;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(names->num_contacts, &list));
  for (PetscInt i = 0; i < names->num_contacts; i++) list[i] = names->contacts[i].joint;
  PetscCall(Choose(names, node, text, "joint with faces", names->num_contacts, list, contact));
  PetscCall(PetscFree(list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesChoosePattern(const Names *names, const InputNode *node, const char *text, PetscInt *pattern)
{
  PetscFunctionBegin;
  *pattern = -1;
  if (names->known && names->num_patterns == 0) PetscCall(InputComplain(node, "unknown pattern '%s': the case has none under `patterns`", text));
  else PetscCall(Choose(names, node, text, "pattern", names->num_patterns, (const char *const *)names->patterns, pattern));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesChooseBolt(const Names *names, const InputNode *node, const char *text, PetscInt *bolt)
{
  PetscFunctionBegin;
  *bolt = -1;
  if (names->known && names->num_bolts == 0) PetscCall(InputComplain(node, "unknown bolt '%s': the case has none under `bolts`", text));
  else PetscCall(Choose(names, node, text, "bolt", names->num_bolts, (const char *const *)names->bolts, bolt));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesChooseMotion(const Names *names, const InputNode *node, const char *point, PetscInt direction, PetscInt *motion)
{
  PetscInt p;

  PetscFunctionBegin;
  *motion = -1;
  PetscCall(NamesChoosePoint(names, node, point, &p));
  if (p < 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (direction < 0 && names->points[p].num_components > 1) {
    PetscCall(InputComplain(node, "point '%s' moves in %" PetscInt_FMT " directions: say which", point, names->points[p].num_components));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  *motion = direction < 0 ? names->points[p].first_motion : NamesFindMotion(names, p, direction);
  if (*motion < 0) PetscCall(InputComplain(node, "point '%s' does not move in direction %s", point, direction_names[direction]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The only component of a point that is a moving support; -1 where none or several are. */
static PetscInt OnlySupport(const NamedPoint *point)
{
  PetscInt found = -1, count = 0;

  for (PetscInt c = 0; c < point->num_components; c++)
    if (point->support[c]) {
      found = c;
      count++;
    }
  return count == 1 ? found : -1;
}

PetscErrorCode NamesChooseSupport(const Names *names, const InputNode *node, const char *point, PetscInt direction, PetscInt *support)
{
  const NamedPoint *chosen;
  PetscInt          p, c;

  PetscFunctionBegin;
  *support = -1;
  PetscCall(NamesChoosePoint(names, node, point, &p));
  if (p < 0) PetscFunctionReturn(PETSC_SUCCESS);
  chosen = &names->points[p];
  c      = direction < 0 ? OnlySupport(chosen) : -1;
  for (PetscInt k = 0; k < chosen->num_components; k++)
    if (direction >= 0 && chosen->direction[k] == direction) c = k;
  if (c >= 0) *support = chosen->support[c] - 1;
  if (c < 0 && direction < 0)
    PetscCall(
      InputComplain(node, "point '%s' is not a moving support, or one in several directions: name it in `moving_supports`, and say which", point));
  else if (*support < 0)
    PetscCall(InputComplain(node, "point '%s' is not a moving support in direction %s: name it in `moving_supports` of the case", point,
                            direction_names[direction >= 0 ? direction : chosen->direction[c]]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NamesCheckMode(const Names *names, const InputNode *node, PetscReal mode)
{
  PetscFunctionBegin;
  if (names->known && mode > (PetscReal)names->num_modes)
    PetscCall(InputComplain(node, "there are %" PetscInt_FMT " modes, got %g", names->num_modes, (double)mode));
  PetscFunctionReturn(PETSC_SUCCESS);
}
