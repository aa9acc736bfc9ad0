/* preload_order.c - which bolts are tightened when. */
#include "preload.h"

static PetscErrorCode AddBolt(const InputNode *node, const Names *names, PreloadStage *stage)
{
  const char *text;
  PetscInt    bolt;

  PetscFunctionBegin;
  PetscCall(InputGetText(node, &text));
  if (!text) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(NamesChooseBolt(names, node, text, &bolt));
  for (PetscInt b = 0; b < stage->count; b++)
    if (stage->bolts[b] == bolt && bolt >= 0) PetscCall(InputComplain(node, "bolt '%s' is given twice", text));
  if (bolt >= 0) stage->bolts[stage->count++] = bolt;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadStage(const InputNode *node, const Names *names, PreloadStage *stage)
{
  const PetscInt count = InputIsList(node) ? InputCount(node) : 1;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count, &stage->bolts));
  stage->count = 0;
  if (count == 0) PetscCall(InputComplain(node, "expected bolts that are tightened together, [b1, b2], found none"));
  for (PetscInt b = 0; b < count; b++) PetscCall(AddBolt(InputIsList(node) ? InputItem(node, b) : node, names, stage));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TakeAll(const Names *names, PreloadStage *stage)
{
  PetscFunctionBegin;
  stage->count = names->num_bolts;
  PetscCall(PetscMalloc1(stage->count, &stage->bolts));
  for (PetscInt b = 0; b < stage->count; b++) stage->bolts[b] = b;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PreloadOrderRead(const InputNode *node, const Names *names, PetscInt passes, PetscInt *num_stages, PreloadStage **stages)
{
  const PetscInt each = node ? (InputIsList(node) ? InputCount(node) : 1) : (names->num_bolts > 0);

  PetscFunctionBegin;
  *num_stages = 1 + passes * each;
  PetscCall(PetscCalloc1(*num_stages, stages));
  if (node && each == 0) PetscCall(InputComplain(node, "expected bolts in the order of tightening, [b1, [b2, b3]], found none"));
  for (PetscInt s = 0; s < each; s++)
    if (node) PetscCall(ReadStage(InputIsList(node) ? InputItem(node, s) : node, names, &(*stages)[1 + s]));
    else PetscCall(TakeAll(names, &(*stages)[1 + s]));
  for (PetscInt s = 1 + each; s < *num_stages; s++) {
    const PreloadStage *const first = &(*stages)[s - each];

    (*stages)[s].count = first->count;
    PetscCall(PetscMalloc1(first->count, &(*stages)[s].bolts));
    PetscCall(PetscArraycpy((*stages)[s].bolts, first->bolts, first->count));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PreloadOrderDestroy(PetscInt num_stages, PreloadStage **stages)
{
  PetscFunctionBegin;
  for (PetscInt s = 0; *stages && s < num_stages; s++) PetscCall(PetscFree((*stages)[s].bolts));
  PetscCall(PetscFree(*stages));
  PetscFunctionReturn(PETSC_SUCCESS);
}
