/* trial.c - a document that is read with other numbers for a while, and is then as it was before. */
#include "input_private.h"

/* Memory of the trial is a list of chunks of its own. */
PetscErrorCode InputTrialBegin(InputDocument *document)
{
  InputTrial *const trial = &document->trial;

  PetscFunctionBegin;
  PetscCheck(!trial->under_way, PETSC_COMM_SELF, PETSC_ERR_ORDER, "%s: a trial within a trial", document->file);
  trial->under_way      = PETSC_TRUE;
  trial->chunks         = document->chunks;
  trial->num_files      = document->num_files;
  trial->num_complaints = document->num_complaints;
  trial->num_kept       = document->num_kept;
  trial->num_replaced   = 0;
  document->chunks      = NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputTrialEnd(InputDocument *document)
{
  InputTrial *const trial = &document->trial;

  PetscFunctionBegin;
  PetscCheck(trial->under_way, PETSC_COMM_SELF, PETSC_ERR_ORDER, "%s: no trial is under way", document->file);
  for (PetscInt i = trial->num_replaced - 1; i >= 0; i--) {
    const InputReplaced *const before = &trial->replaced[i];

    before->node->text         = before->text;
    before->node->has_quantity = before->has_quantity;
    before->node->quantity     = before->quantity;
  }
  PetscCall(InputFreeAll(document));
  document->chunks         = trial->chunks;
  document->num_files      = trial->num_files;
  document->num_complaints = trial->num_complaints;
  document->num_kept       = trial->num_kept;
  trial->under_way         = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool InputIsTrial(const InputDocument *document)
{
  return document->trial.under_way;
}

PetscErrorCode InputTrialComplaint(const InputDocument *document, char text[], size_t size)
{
  const PetscBool any = (PetscBool)(document->num_kept > document->trial.num_kept);

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(text, any ? document->complaints[document->trial.num_kept].text : "", size));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputTrialKeep(InputNode *number)
{
  InputTrial *const trial = &number->document->trial;

  PetscFunctionBegin;
  if (!trial->under_way) PetscFunctionReturn(PETSC_SUCCESS);
  if (trial->num_replaced == trial->most_replaced) {
    trial->most_replaced = PetscMax(2 * trial->most_replaced, 16);
    PetscCall(PetscRealloc((size_t)trial->most_replaced * sizeof *trial->replaced, &trial->replaced));
  }
  trial->replaced[trial->num_replaced++] =
    (InputReplaced){.node = number, .text = number->text, .has_quantity = number->has_quantity, .quantity = number->quantity};
  PetscFunctionReturn(PETSC_SUCCESS);
}
