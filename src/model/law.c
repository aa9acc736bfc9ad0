/* law.c - the laws a case names under `laws`, and those its joints ask for. */
#include "parts.h"
#include <string.h>

static PetscErrorCode ReadLaw(const InputNode *map, ModelLaw *law)
{
  PetscFunctionBegin;
  law->node = map;
  PetscCall(JointLawRead(map, &law->law, law->parameters));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LawsRead(const InputNode *node, Model *model)
{
  PetscInt count;

  PetscFunctionBegin;
  if (node && !InputIsMap(node)) PetscCall(InputComplain(node, "must be a map of laws, NAME: {law: ..., parameters}"));
  count = node && InputIsMap(node) ? InputCount(node) : 0;
  PetscCall(PetscCalloc1(count, &model->laws));
  PetscCall(PetscCalloc1(count + 1, &model->law_names));
  for (PetscInt i = 0; i < count; i++) {
    ModelLaw *const law = &model->laws[model->num_laws++];

    law->name           = InputKey(node, i);
    model->law_names[i] = law->name;
    PetscCall(InputCheckName(InputItem(node, i), law->name));
    if (strcmp(law->name, "rigid") == 0)
      PetscCall(InputComplain(InputItem(node, i), "a law cannot be named 'rigid': that word ties two points together"));
    PetscCall(ReadLaw(InputItem(node, i), law));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A name in `laws`. People also write the kind of law there: that gets its own answer. */
static PetscErrorCode FindLaw(Model *model, const InputNode *node, ModelLaw *law)
{
  const char *name;
  PetscInt    found = -1;

  PetscFunctionBegin;
  PetscCall(InputGetText(node, &name));
  if (!name) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < model->num_laws && found < 0; i++)
    if (strcmp(model->laws[i].name, name) == 0) found = i;
  if (found >= 0) {
    model->laws[found].used = PETSC_TRUE;
    *law                    = model->laws[found];
  } else if (strcmp(name, "rigid") == 0) {
    PetscCall(InputComplain(node, "'rigid' must be alone in its direction: no law acts where nothing moves"));
  } else if (JointLawFind(name)) {
    PetscCall(InputComplain(node, "'%s' is a kind of law, not one of the names under laws; write {law: %s, ...} or name one there", name, name));
  } else if (model->num_laws == 0) {
    PetscCall(InputComplain(node, "unknown law '%s': the case names none under laws", name));
  } else {
    PetscCall(InputChoose(node, name, "law", model->law_names, &found));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LawsResolve(Model *model, const InputNode *value, PetscInt direction, PetscInt *num_laws, ModelLaw **laws)
{
  const PetscInt count = InputIsList(value) ? InputCount(value) : 1;

  PetscFunctionBegin;
  if (count == 0) PetscCall(InputComplain(value, "must hold at least one law, or be left out"));
  PetscCall(PetscCalloc1(count, laws));
  *num_laws = 0;
  for (PetscInt i = 0; i < count; i++) {
    const InputNode *const item = InputIsList(value) ? InputItem(value, i) : value;
    ModelLaw *const        law  = &(*laws)[*num_laws];

    if (InputIsList(item)) PetscCall(InputComplain(item, "must be the name of a law, or a map {law: ..., parameters}"));
    else if (InputIsMap(item)) PetscCall(ReadLaw(item, law));
    else PetscCall(FindLaw(model, item, law));
    if (!law->law) continue;
    if (law->law->dim == 1) ++*num_laws;
    else
      PetscCall(InputComplain(item, "the law %s acts in %" PetscInt_FMT " directions together, not in %s alone", law->law->name, law->law->dim,
                              direction_names[direction]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LawsWarnUnused(const Model *model)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < model->num_laws; i++) {
    const Place place = InputPlace(model->laws[i].node);

    if (!model->laws[i].used)
      LogWarn("%s:%" PetscInt_FMT ":%" PetscInt_FMT ": no joint uses the law '%s'", place.file, place.line, place.column, model->laws[i].name);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
