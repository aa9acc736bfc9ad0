/* law.c - the laws a case names under `laws`, and those its joints and studies ask for. */
#include "model.h"
#include <string.h>

static PetscErrorCode ReadLaw(const InputNode *map, NamedLaw *law)
{
  PetscFunctionBegin;
  law->node = map;
  PetscCall(JointLawRead(map, &law->law, law->parameters));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LawsRead(const InputNode *node, Laws *laws)
{
  PetscInt count;

  PetscFunctionBegin;
  if (node && !InputIsMap(node)) PetscCall(InputComplain(node, "must be a map of laws, NAME: {law: ..., parameters}"));
  count = node && InputIsMap(node) ? InputCount(node) : 0;
  PetscCall(PetscCalloc1(count, &laws->laws));
  PetscCall(PetscCalloc1(count + 1, &laws->names));
  laws->node = node;
  for (PetscInt i = 0; i < count; i++) {
    NamedLaw *const law = &laws->laws[laws->count++];

    law->name = laws->names[i] = InputKey(node, i);
    PetscCall(InputCheckName(InputItem(node, i), law->name));
    if (strcmp(law->name, "rigid") == 0)
      PetscCall(InputComplain(InputItem(node, i), "a law cannot be named 'rigid': that word ties two points together"));
    PetscCall(ReadLaw(InputItem(node, i), law));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LawsDestroy(Laws *laws)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(laws->laws));
  PetscCall(PetscFree(laws->names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* No name in `laws`, and none near: people mean a kind of law. */
static PetscErrorCode ComplainUnknown(const Laws *laws, const InputNode *node, const char *name)
{
  const char *kind = JointLawNearest(name);
  PetscInt    ignored;

  PetscFunctionBegin;
  if (laws->count && (!kind || InputNearest(name, laws->names))) PetscCall(InputChoose(node, name, "law", laws->names, &ignored));
  else if (kind)
    PetscCall(InputComplain(node, "unknown law '%s': the case names none such under laws; did you mean the kind of law '%s'? write {law: %s, ...}",
                            name, kind, kind));
  else PetscCall(InputComplain(node, "unknown law '%s': the case names none under laws; `dovetail help laws` lists the kinds of law", name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A name in `laws`. People also write the kind of law there: that gets its own answer. */
static PetscErrorCode FindLaw(Laws *laws, const InputNode *node, NamedLaw *law)
{
  const char *name;
  PetscInt    found = -1;

  PetscFunctionBegin;
  PetscCall(InputGetText(node, &name));
  if (!name) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < laws->count && found < 0; i++)
    if (strcmp(laws->laws[i].name, name) == 0) found = i;
  if (found >= 0) {
    laws->laws[found].used = PETSC_TRUE;
    *law                   = laws->laws[found];
  } else if (strcmp(name, "rigid") == 0) {
    PetscCall(InputComplain(node, "'rigid' must be alone in its direction: no law acts where nothing moves"));
  } else if (JointLawFind(name)) {
    PetscCall(InputComplain(node, "'%s' is a kind of law, not one of the names under laws; write {law: %s, ...} or name one there", name, name));
  } else PetscCall(ComplainUnknown(laws, node, name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LawsResolve(Laws *laws, const InputNode *value, PetscInt dim, const char *where, PetscInt *num_found, NamedLaw **found)
{
  const PetscInt count = InputIsList(value) ? InputCount(value) : 1;

  PetscFunctionBegin;
  if (count == 0) PetscCall(InputComplain(value, "must hold at least one law, or be left out"));
  PetscCall(PetscCalloc1(count, found));
  *num_found = 0;
  for (PetscInt i = 0; i < count; i++) {
    const InputNode *const item = InputIsList(value) ? InputItem(value, i) : value;
    NamedLaw *const        law  = &(*found)[*num_found];

    if (InputIsList(item)) PetscCall(InputComplain(item, "must be the name of a law, or a map {law: ..., parameters}"));
    else if (InputIsMap(item)) PetscCall(ReadLaw(item, law));
    else PetscCall(FindLaw(laws, item, law));
    if (!law->law) continue;
    if (law->law->dim == dim) ++*num_found;
    else if (law->law->dim == 1) PetscCall(InputComplain(item, "the law %s acts in one direction, not %s", law->law->name, where));
    else PetscCall(InputComplain(item, "the law %s acts in %" PetscInt_FMT " directions together, not %s", law->law->name, law->law->dim, where));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LawsWarnUnused(const Laws *laws)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < laws->count; i++) {
    const Place place = InputPlace(laws->laws[i].node);

    if (!laws->laws[i].used)
      LogWarn("%s:%" PetscInt_FMT ":%" PetscInt_FMT ": the law '%s' is not used", place.file, place.line, place.column, laws->laws[i].name);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
