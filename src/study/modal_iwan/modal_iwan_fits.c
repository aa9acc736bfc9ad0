/* modal_iwan_fits.c - modal Iwan models fitted to the ring-downs and nonlinear modes of a case, mode by mode. */
#include "modal_iwan.h"

/* Those of the sources' modes that the case names. */
static PetscErrorCode ChooseModes(const InputNode *node, ModalIwanStudy *study)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(node)), num_measured = study->count;
  PetscInt      *measured = study->modes;
  InputReals     wanted;
  char           list[256];

  PetscFunctionBegin;
  PetscCall(DecayListModes(study->count, study->modes, list, sizeof(list)));
  PetscCall(InputGetReals(node, NULL, &wanted));
  if (InputNumComplaints(InputDocumentOf(node)) > before) wanted.count = 0;
  study->modes = NULL;
  study->count = 0;
  for (PetscInt i = 0; i < wanted.count; i++) {
    PetscBool known = PETSC_FALSE;

    for (PetscInt k = 0; k < num_measured; k++) known = (PetscBool)(known || (PetscReal)measured[k] == wanted.values[i]);
    if (known) PetscCall(DecayAddMode((PetscInt)wanted.values[i], &study->count, &study->modes));
    else
      PetscCall(InputComplain(InputIsList(node) ? InputItem(node, i) : node, "mode %g is not among those of the studies of `of`: %s",
                              wanted.values[i], list));
  }
  PetscCall(PetscFree(measured));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModalIwanReadSources(const InputNode *node, const Study *self, ModalIwanStudy *study)
{
  const InputNode *of      = InputFind(node, "of");
  PetscBool        refused = PETSC_FALSE;

  PetscFunctionBegin;
  PetscCall(DecaySourcesRead(of, &study->keys.of, self, &study->num_sources, &study->sources));
  PetscCall(DecayModes(study->num_sources, study->sources, &study->count, &study->modes));
  for (PetscInt s = 0; s < study->num_sources; s++) refused = (PetscBool)(refused || study->sources[s]->refused);
  if (study->num_sources && study->count == 0 && !refused) PetscCall(InputComplain(of, "measures no mode that a model could be fitted to"));
  if (study->num_sources && study->keys.modes && !refused) PetscCall(ChooseModes(study->keys.modes, study));
  PetscCall(PetscCalloc1(study->count, &study->models));
  PetscCall(PetscCalloc1(study->count, &study->fits));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a rank tells the others of a fit. */
typedef struct {
  PetscBool    found;
  ModalIwanFit fit;
  char         reason[RESULT_TEXT_LENGTH];
} Message;

PetscErrorCode ModalIwanFitAll(const Result *result, ModalIwanStudy *study)
{
  PetscMPIInt rank, size;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  study->found = PETSC_TRUE;
  for (PetscInt i = 0; i < study->count; i++) {
    Message        message = {.found = PETSC_FALSE};
    RingDownPoint *points;
    PetscInt       count;

    if (i % size == rank) {
      PetscCall(DecayCompile(study->num_sources, study->sources, result, study->modes[i], &count, &points));
      PetscCall(ModalIwanFitCurve(count, points, &message.found, &message.fit, message.reason, sizeof(message.reason)));
      PetscCall(PetscFree(points));
    }
    PetscCallMPI(MPI_Bcast(&message, (PetscMPIInt)sizeof(message), MPI_BYTE, (PetscMPIInt)(i % size), PETSC_COMM_WORLD));
    study->fits[i]   = message.fit;
    study->models[i] = message.fit.model;
    if (message.found) continue;
    study->found = PETSC_FALSE;
    ReportSay("  mode %" PetscInt_FMT ": no model: %s\n", study->modes[i], message.reason);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
