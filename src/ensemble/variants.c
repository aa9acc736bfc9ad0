/*
  variants.c - a case with other numbers, computed: read in a trial of a document, built with what the case lends, run into memory.

  A sample that fails is no failure of the ensemble: a case that is refused with its numbers, a motion that stops, even a fault of a library are
  reasons in the table.
*/
#include "ensemble_private.h"
#include <math.h>
#include <petsctime.h>
#include <stdio.h>
#include <string.h>

struct Variants {
  const Ensemble   *ensemble;
  Case             *same;     /* the case with the numbers that it has */
  PetscBool         owned;    /* by us: the processes of a sample are not all there are */
  InputDocument    *document; /* of the same text, for trials */
  const InputNode **places;   /* of the parameters, in this document, one after another */
  FILE             *nowhere;  /* what studies print */
};

/* What is heard of a sample while it is computed. */
typedef struct {
  PetscInt64 warnings;
  char       warning[RESULT_TEXT_LENGTH], fault[RESULT_TEXT_LENGTH];
} Heard;

static void HearWarning(void *context, const char *warning)
{
  Heard *const heard = context;

  if (heard->warnings++ == 0) snprintf(heard->warning, sizeof(heard->warning), "warning: %s", warning);
}

/* The innermost words of PETSc, without its traceback. */
static PetscErrorCode HearFault(MPI_Comm comm, int line, const char *function, const char *file, PetscErrorCode code, PetscErrorType type,
                                const char *message, void *context)
{
  Heard *const heard = context;

  if (type == PETSC_ERROR_INITIAL && !heard->fault[0])
    snprintf(heard->fault, sizeof(heard->fault), "a fault of the program or of a library, error %d in %s: %s", (int)code, function,
             message ? message : "");
  return code;
}

static PetscErrorCode OpenDocument(Variants *variants)
{
  const Ensemble *const e     = variants->ensemble;
  PetscInt              count = 0, next = 0;
  Case                 *first;

  PetscFunctionBegin;
  PetscCall(InputOpen(PETSC_COMM_WORLD, InputFile(variants->same->document), &variants->document));
  PetscCall(InputTrialBegin(variants->document)); /* reading tells which texts are numbers */
  PetscCall(CaseReadVariant(variants->document, variants->same, e->change, &first));
  PetscCall(CaseDestroy(&first));
  PetscCall(InputTrialEnd(variants->document));
  for (PetscInt p = 0; p < e->num_parameters; p++) count += e->parameters[p].num_places;
  PetscCall(PetscCalloc1(count, &variants->places));
  for (PetscInt p = 0; p < e->num_parameters; p++)
    for (PetscInt i = 0; i < e->parameters[p].num_places; i++)
      PetscCall(InputFindNumber(InputRoot(variants->document), InputPath(e->parameters[p].places[i]), &variants->places[next++]));
  for (PetscInt i = 0; i < count; i++)
    PetscCheck(variants->places[i], PETSC_COMM_SELF, PETSC_ERR_FILE_UNEXPECTED, "%s has changed while it was computed",
               InputFile(variants->same->document));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VariantsCreate(const Ensemble *ensemble, PetscBool alone, Variants **variants)
{
  const LogLevel level = LogSetLevel(LOG_SILENT);
  Variants      *made;

  PetscFunctionBegin;
  PetscCall(PetscNew(variants));
  made           = *variants;
  made->ensemble = ensemble;
  made->same     = ensemble->the_case;
  made->owned    = (PetscBool)!alone;
  made->nowhere  = fopen("/dev/null", "w");
  PetscCheck(made->nowhere, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "/dev/null cannot be written");
  if (made->owned) {
    PetscCall(CaseRead(InputFile(ensemble->the_case->document), &made->same));
    PetscCall(CaseVerdict(made->same));
    PetscCall(CaseBuild(made->same, PETSC_INFINITY));
  }
  PetscCall(OpenDocument(made));
  (void)LogSetLevel(level);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VariantsDestroy(Variants **variants)
{
  PetscFunctionBegin;
  PetscCall(InputClose(&(*variants)->document));
  if ((*variants)->owned) PetscCall(CaseDestroy(&(*variants)->same));
  PetscCall(PetscFree((*variants)->places));
  (void)fclose((*variants)->nowhere);
  PetscCall(PetscFree(*variants));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Replace(const Variants *variants, const PetscReal values[])
{
  const Ensemble *const e    = variants->ensemble;
  PetscInt              next = 0;

  PetscFunctionBegin;
  for (PetscInt p = 0; p < e->num_parameters; p++)
    for (PetscInt i = 0; i < e->parameters[p].num_places; i++)
      PetscCall(InputReplaceNumber(variants->places[next++], e->parameters[p].relative ? values[p] * e->parameters[p].nominal[i] : values[p]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* There is no variant where the case is refused with these values. */
static PetscErrorCode Build(const Variants *variants, const PetscReal values[], Case **variant)
{
  PetscFunctionBegin;
  PetscCall(Replace(variants, values));
  PetscCall(CaseReadVariant(variants->document, variants->same, variants->ensemble->change, variant));
  if (InputNumComplaints(variants->document) == 0) PetscCall(CaseBuild(*variant, PETSC_INFINITY));
  if (InputNumComplaints(variants->document)) PetscCall(CaseDestroy(variant));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first output without a value is the reason. */
static PetscErrorCode FindOutputs(const Ensemble *e, const Case *variant, const Result *result, Sample *sample)
{
  PetscInt curve = e->num_numbers;
  char     reason[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  for (const Output *output = e->outputs; output < e->outputs + e->num_outputs; output++) {
    PetscReal *const values = sample->outputs + (output->is_curve ? curve : output->column);

    PetscCall(OutputFind(output, variant, result, values, sizeof(reason), reason));
    curve += output->is_curve ? output->count : 0;
    if (!reason[0]) continue;
    sample->status = SAMPLE_PARTIAL;
    if (!sample->reason[0]) PetscCall(PetscStrncpy(sample->reason, reason, sizeof(sample->reason)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Run(const Variants *variants, Case *variant, const char *path, Sample *sample)
{
  Outcome outcome = {0};
  Result *result  = NULL;

  PetscFunctionBegin;
  PetscCall(CaseRunVariant(variant, path, &result, &outcome));
  if (!result) PetscFunctionReturn(PETSC_SUCCESS);
  sample->status = outcome.num_stopped ? SAMPLE_PARTIAL : SAMPLE_DONE;
  PetscCall(FindOutputs(variants->ensemble, variant, result, sample));
  if (outcome.num_stopped && !sample->reason[0]) PetscCall(PetscStrncpy(sample->reason, "a study stopped before its end", sizeof(sample->reason)));
  if (outcome.num_unfinished || InterruptAsked()) sample->status = SAMPLE_NONE;
  PetscCall(ResultClose(&result, (PetscBool)(outcome.num_unfinished == 0)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Try(const Variants *variants, const PetscReal values[], const char *path, Sample *sample)
{
  Case *variant;

  PetscFunctionBegin;
  sample->status = SAMPLE_REFUSED;
  PetscCall(Build(variants, values, &variant));
  if (variant) PetscCall(Run(variants, variant, path, sample));
  if (sample->status == SAMPLE_REFUSED) PetscCall(InputTrialComplaint(variants->document, sample->reason, sizeof(sample->reason)));
  PetscCall(CaseDestroy(&variant));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void Clear(const Ensemble *e, Sample *sample)
{
  PetscReal *const outputs = sample->outputs;

  *sample = (Sample){.outputs = outputs};
  for (PetscInt i = 0; i < e->num_values; i++) outputs[i] = (PetscReal)NAN;
}

/* What has been heard while it was computed. A fault leaves memory behind, and nothing else. */
static PetscErrorCode Judge(const Ensemble *e, PetscErrorCode code, const Heard *heard, Sample *sample)
{
  PetscFunctionBegin;
  if (code) {
    Clear(e, sample);
    sample->status = SAMPLE_FAULT;
    PetscCall(PetscStrncpy(sample->reason, heard->fault[0] ? heard->fault : "a file could not be written", sizeof(sample->reason)));
  }
  sample->warnings = heard->warnings;
  if (sample->status == SAMPLE_DONE) PetscCall(PetscStrncpy(sample->reason, heard->warning, sizeof(sample->reason)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VariantsCompute(Variants *variants, const PetscReal values[], const char *path, Sample *sample)
{
  const LogLevel level  = LogSetLevel(LOG_SILENT);
  FILE *const    report = ReportTo(variants->nowhere);
  Heard          heard  = {0};
  PetscLogDouble start, end;
  PetscErrorCode code;

  PetscFunctionBegin;
  Clear(variants->ensemble, sample);
  PetscCall(PetscTime(&start));
  LogDivert(HearWarning, &heard);
  PetscCall(PetscPushErrorHandler(HearFault, &heard));
  PetscCall(InputTrialBegin(variants->document));
  code = Try(variants, values, path, sample);
  PetscCall(InputTrialEnd(variants->document));
  PetscCall(PetscPopErrorHandler());
  LogDivert(NULL, NULL);
  (void)ReportTo(report);
  (void)LogSetLevel(level);
  PetscCall(Judge(variants->ensemble, code, &heard, sample));
  PetscCall(PetscTime(&end));
  sample->seconds = end - start;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VariantsMeasure(Variants *variants, const PetscReal values[], PetscReal *seconds)
{
  const LogLevel level = LogSetLevel(LOG_SILENT);
  PetscLogDouble start, end;
  Case          *variant;

  PetscFunctionBegin;
  PetscCall(PetscTime(&start));
  PetscCall(InputTrialBegin(variants->document));
  PetscCall(Build(variants, values, &variant));
  PetscCall(CaseDestroy(&variant));
  PetscCall(InputTrialEnd(variants->document));
  PetscCall(PetscTime(&end));
  (void)LogSetLevel(level);
  *seconds = end - start;
  PetscFunctionReturn(PETSC_SUCCESS);
}
