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

/* A sample on its way. */
typedef struct {
  InputDocument    *document; /* of the text of the case, for trials */
  const InputNode **places;   /* of the parameters, in this document, one after another */
  Case             *variant;
  Result           *result;
  Outcome           outcome;
  PetscInt64        warnings;
  char              warning[RESULT_TEXT_LENGTH], fault[RESULT_TEXT_LENGTH];
} Slot;

struct Variants {
  const Ensemble  *ensemble;
  Case            *same;   /* the case with the numbers that it has */
  PetscBool        owned;  /* by us: the processes of a sample are not all there are */
  const PetscBool *needed; /* the studies that are computed; NULL: all */
  PetscInt         num_slots;
  Slot             slots[VARIANTS_MOST], *heard; /* that is worked on */
  FILE            *nowhere;                      /* what studies print */
  VariantSlopes   *slopes;                       /* that are asked for; NULL: none */
  Slot             beside;                       /* of structures with a number a little less, or more; not open until asked for */
};

static void HearWarning(void *context, const char *warning)
{
  Slot *const slot = ((Variants *)context)->heard;

  if (slot->warnings++ == 0) snprintf(slot->warning, sizeof(slot->warning), "warning: %s", warning);
}

/* The innermost words of PETSc, without its traceback. */
static PetscErrorCode HearFault(MPI_Comm comm, int line, const char *function, const char *file, PetscErrorCode code, PetscErrorType type,
                                const char *message, void *context)
{
  Slot *const slot = ((Variants *)context)->heard;

  if (type == PETSC_ERROR_INITIAL && !slot->fault[0])
    snprintf(slot->fault, sizeof(slot->fault), "a fault of the program or of a library, error %d in %s: %s", (int)code, function,
             message ? message : "");
  return code;
}

static PetscErrorCode OpenDocument(const Variants *variants, Slot *slot)
{
  const Ensemble *const e     = variants->ensemble;
  PetscInt              count = 0, next = 0;
  Case                 *first;

  PetscFunctionBegin;
  PetscCall(InputOpen(PETSC_COMM_WORLD, InputFile(variants->same->document), &slot->document));
  PetscCall(InputTrialBegin(slot->document)); /* reading tells which texts are numbers */
  PetscCall(CaseReadVariant(slot->document, variants->same, e->change, &first));
  PetscCall(CaseDestroy(&first));
  PetscCall(InputTrialEnd(slot->document));
  for (PetscInt p = 0; p < e->num_parameters; p++) count += e->parameters[p].num_places;
  PetscCall(PetscCalloc1(count, &slot->places));
  for (PetscInt p = 0; p < e->num_parameters; p++)
    for (PetscInt i = 0; i < e->parameters[p].num_places; i++)
      PetscCall(InputFindNumber(InputRoot(slot->document), InputPath(e->parameters[p].places[i]), &slot->places[next++]));
  for (PetscInt i = 0; i < count; i++)
    PetscCheck(slot->places[i], PETSC_COMM_SELF, PETSC_ERR_FILE_UNEXPECTED, "%s has changed while it was computed",
               InputFile(variants->same->document));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VariantsCreate(const Ensemble *ensemble, PetscBool alone, Variants **variants)
{
  const LogLevel level = LogSetLevel(LOG_SILENT);
  Variants      *made;
  PetscMPIInt    size;

  PetscFunctionBegin;
  PetscCall(PetscNew(variants));
  made           = *variants;
  made->ensemble = ensemble;
  made->same     = ensemble->the_case;
  made->owned    = (PetscBool)!alone;
  made->needed   = ensemble->needed;
  made->nowhere  = fopen("/dev/null", "w");
  PetscCheck(made->nowhere, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "/dev/null cannot be written");
  if (made->owned) {
    PetscCall(CaseRead(InputFile(ensemble->the_case->document), &made->same));
    PetscCall(CaseVerdict(made->same));
    CaseLend(made->same, ensemble->change);
    PetscCall(CaseBuild(made->same, PETSC_INFINITY));
  }
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  made->num_slots = size == 1 && CaseRunsBeside(made->same, made->needed) ? VARIANTS_MOST : 1;
  for (PetscInt i = 0; i < made->num_slots; i++) PetscCall(OpenDocument(made, &made->slots[i]));
  (void)LogSetLevel(level);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CloseDocument(Slot *slot)
{
  PetscFunctionBegin;
  PetscCall(InputClose(&slot->document));
  PetscCall(PetscFree(slot->places));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VariantsDestroy(Variants **variants)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < (*variants)->num_slots; i++) PetscCall(CloseDocument(&(*variants)->slots[i]));
  PetscCall(CloseDocument(&(*variants)->beside));
  if ((*variants)->owned) PetscCall(CaseDestroy(&(*variants)->same));
  (void)fclose((*variants)->nowhere);
  PetscCall(PetscFree(*variants));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void VariantsNeed(Variants *variants, const PetscBool needed[])
{
  variants->needed = needed;
}

PetscInt VariantsMost(const Variants *variants)
{
  return variants->num_slots;
}

static PetscErrorCode Replace(const Ensemble *e, const Slot *slot, const PetscReal values[])
{
  PetscInt next = 0;

  PetscFunctionBegin;
  for (PetscInt p = 0; p < e->num_parameters; p++)
    for (PetscInt i = 0; i < e->parameters[p].num_places; i++)
      PetscCall(InputReplaceNumber(slot->places[next++], e->parameters[p].relative ? values[p] * e->parameters[p].nominal[i] : values[p]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* There is no variant where the case is refused with these values. */
static PetscErrorCode Build(const Variants *variants, const PetscReal values[], Slot *slot)
{
  PetscFunctionBegin;
  PetscCall(Replace(variants->ensemble, slot, values));
  PetscCall(CaseReadVariant(slot->document, variants->same, variants->ensemble->change, &slot->variant));
  if (InputNumComplaints(slot->document) == 0) PetscCall(CaseBuild(slot->variant, PETSC_INFINITY));
  if (InputNumComplaints(slot->document)) PetscCall(CaseDestroy(&slot->variant));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first output without a value is the reason. */
static PetscErrorCode FindOutputs(const Ensemble *e, Case *variant, const Result *result, Sample *sample)
{
  PetscInt curve = e->num_numbers;
  char     reason[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  for (const Output *output = e->outputs; output < e->outputs + e->num_outputs; output++) {
    PetscReal *const values = sample->outputs + (output->is_curve ? curve : output->column);

    curve += output->is_curve ? output->count : 0;
    if (!OutputIsComputed(output, variant, variant->needed)) continue;
    PetscCall(OutputFind(output, variant, result, values, sizeof(reason), reason));
    if (!reason[0]) continue;
    sample->status = SAMPLE_PARTIAL;
    if (!sample->reason[0]) PetscCall(PetscStrncpy(sample->reason, reason, sizeof(sample->reason)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Conclude(const Ensemble *e, const Slot *slot, Sample *sample)
{
  const Outcome *const outcome = &slot->outcome;

  PetscFunctionBegin;
  sample->status = outcome->num_stopped ? SAMPLE_PARTIAL : SAMPLE_DONE;
  PetscCall(FindOutputs(e, slot->variant, slot->result, sample));
  if (outcome->num_stopped && !sample->reason[0]) PetscCall(PetscStrncpy(sample->reason, "a study stopped before its end", sizeof(sample->reason)));
  if (outcome->num_unfinished || InterruptAsked()) sample->status = SAMPLE_NONE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Up to the studies; there is no result where the case is refused. */
static PetscErrorCode Open(Variants *variants, const PetscReal values[], const char *path, Slot *slot, Sample *sample)
{
  PetscFunctionBegin;
  variants->heard = slot;
  sample->status  = SAMPLE_REFUSED;
  PetscCall(Build(variants, values, slot));
  if (slot->variant) PetscCall(CaseOpenVariant(slot->variant, variants->needed, path, &slot->result));
  if (!slot->result) PetscCall(InputTrialComplaint(slot->document, sample->reason, sizeof(sample->reason)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The studies of all, each kind's after the other: what they can compute side by side first. */
static PetscErrorCode RunAll(Variants *variants, PetscInt count)
{
  Case    *going[VARIANTS_MOST];
  Result  *results[VARIANTS_MOST];
  PetscInt num_going = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++) {
    if (!variants->slots[i].result) continue;
    going[num_going]     = variants->slots[i].variant;
    results[num_going++] = variants->slots[i].result;
  }
  for (PetscInt study = 0; study < variants->same->num_studies; study++) {
    if (variants->needed && !variants->needed[study]) continue;
    PetscCall(CaseRunBeside(num_going, going, results, study));
    for (PetscInt i = 0; i < count; i++) {
      variants->heard = &variants->slots[i];
      if (variants->slots[i].result)
        PetscCall(CaseRunStudy(variants->slots[i].variant, study, variants->slots[i].result, &variants->slots[i].outcome));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Close(Slot *slot)
{
  PetscFunctionBegin;
  PetscCall(ResultClose(&slot->result, (PetscBool)(slot->outcome.num_unfinished == 0)));
  PetscCall(CaseDestroy(&slot->variant));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All exact outputs as a structure beside a variant would have them, to first order. */
static PetscErrorCode EstimateOutputs(const Ensemble *e, Case *variant, Case *beside, PetscReal estimates[])
{
  const Output *last  = NULL;
  PetscReal    *field = NULL;
  PetscInt      num_dims;
  PetscInt64    dims[RESULT_MAX_DIMS], size = 1;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < e->num_values; i++) estimates[i] = (PetscReal)NAN;
  for (const Output *output = e->outputs; output < e->outputs + e->num_outputs; output++) {
    const Finding *const finding = output->exact ? CaseFind(variant, output->finding) : NULL;

    if (!finding || FindingField(finding, output->key) < 0) continue;
    if (!last || last->key != output->key || strcmp(last->finding, output->finding) != 0) {
      PetscCall(FindingShape(finding, FindingField(finding, output->key), &num_dims, dims));
      for (size = 1; num_dims; num_dims--) size *= dims[num_dims - 1];
      PetscCall(PetscRealloc((size_t)size * sizeof(PetscReal), &field));
      PetscCall(CaseEstimate(variant, beside, output->finding, output->key, field));
    }
    PetscCall(OutputTakeFrom(output, variant, field, &estimates[output->column]));
    last = output;
  }
  PetscCall(PetscFree(field));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the case is refused with the value, the variant itself is that end. */
static PetscErrorCode EstimateAt(Variants *variants, const PetscReal values[], Case *variant, PetscBool *exists, PetscReal estimates[])
{
  Slot *const beside = &variants->beside;

  PetscFunctionBegin;
  PetscCall(InputTrialBegin(beside->document));
  PetscCall(Build(variants, values, beside));
  *exists = (PetscBool)(beside->variant != NULL);
  PetscCall(EstimateOutputs(variants->ensemble, variant, beside->variant ? beside->variant : variant, estimates));
  PetscCall(CaseDestroy(&beside->variant));
  PetscCall(InputTrialEnd(beside->document));
  variants->slopes->num_built++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DifferentiateBy(Variants *variants, const PetscReal values[], PetscInt p, Case *variant)
{
  const Ensemble *const      e      = variants->ensemble;
  const VariantSlopes *const slopes = variants->slopes;
  PetscReal                  end[2] = {slopes->low[p], slopes->high[p]}, *estimates[2], *changed;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(e->num_values, &estimates[0], e->num_values, &estimates[1], e->num_parameters, &changed));
  PetscCall(PetscArraycpy(changed, values, e->num_parameters));
  for (PetscInt side = 0; side < 2; side++) {
    PetscBool exists;

    changed[p] = end[side];
    PetscCall(EstimateAt(variants, changed, variant, &exists, estimates[side]));
    if (!exists) end[side] = values[p];
  }
  for (const Output *output = e->outputs; output < e->outputs + e->num_outputs; output++)
    if (output->exact)
      slopes->slopes[output->column * e->num_parameters + p] = (estimates[1][output->column] - estimates[0][output->column]) / (end[1] - end[0]);
  PetscCall(PetscFree3(estimates[0], estimates[1], changed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Differentiate(Variants *variants, const PetscReal values[], Case *variant)
{
  PetscFunctionBegin;
  if (!variants->beside.document) PetscCall(OpenDocument(variants, &variants->beside));
  for (PetscInt p = variants->slopes->first; p < variants->ensemble->num_parameters; p += variants->slopes->stride)
    PetscCall(DifferentiateBy(variants, values, p, variant));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Try(Variants *variants, PetscInt count, const PetscReal *const values[], const char *path, Sample samples[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++) PetscCall(Open(variants, values[i], path, &variants->slots[i], &samples[i]));
  PetscCall(RunAll(variants, count));
  for (PetscInt i = 0; i < count; i++) {
    if (variants->slots[i].result) PetscCall(Conclude(variants->ensemble, &variants->slots[i], &samples[i]));
    if (variants->slopes && variants->slots[i].result && samples[i].status != SAMPLE_NONE)
      PetscCall(Differentiate(variants, values[i], variants->slots[i].variant));
    PetscCall(Close(&variants->slots[i]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void Clear(const Ensemble *e, Sample *sample)
{
  PetscReal *const outputs = sample->outputs;

  *sample = (Sample){.outputs = outputs};
  for (PetscInt i = 0; i < e->num_values; i++) outputs[i] = (PetscReal)NAN;
}

/* What has been heard while it was computed. A fault leaves memory behind, and nothing else. */
static PetscErrorCode Judge(const Ensemble *e, PetscErrorCode code, const Slot *slot, Sample *sample)
{
  PetscFunctionBegin;
  if (code) {
    Clear(e, sample);
    sample->status = SAMPLE_FAULT;
    PetscCall(PetscStrncpy(sample->reason, slot->fault[0] ? slot->fault : "a file could not be written", sizeof(sample->reason)));
  }
  sample->warnings = slot->warnings;
  if (sample->status == SAMPLE_DONE) PetscCall(PetscStrncpy(sample->reason, slot->warning, sizeof(sample->reason)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Begin(Variants *variants, PetscInt count, Sample samples[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++) {
    Slot *const slot = &variants->slots[i];

    Clear(variants->ensemble, &samples[i]);
    slot->variant    = NULL;
    slot->result     = NULL;
    slot->outcome    = (Outcome){0};
    slot->warnings   = 0;
    slot->warning[0] = slot->fault[0] = '\0';
    PetscCall(InputTrialBegin(slot->document));
  }
  variants->heard = &variants->slots[0];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* While samples are computed, nothing is printed, and faults are heard. */
static PetscErrorCode TryQuietly(Variants *variants, PetscInt count, const PetscReal *const values[], const char *path, Sample samples[],
                                 PetscErrorCode *code)
{
  const LogLevel level  = LogSetLevel(LOG_SILENT);
  FILE *const    report = ReportTo(variants->nowhere);

  PetscFunctionBegin;
  LogDivert(HearWarning, variants);
  PetscCall(PetscPushErrorHandler(HearFault, variants));
  PetscCall(Begin(variants, count, samples));
  *code = Try(variants, count, values, path, samples);
  for (PetscInt i = 0; i < count; i++) PetscCall(InputTrialEnd(variants->slots[i].document));
  PetscCall(PetscPopErrorHandler());
  LogDivert(NULL, NULL);
  (void)ReportTo(report);
  (void)LogSetLevel(level);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VariantsCompute(Variants *variants, PetscInt count, const PetscReal *const values[], const char *path, Sample samples[])
{
  PetscLogDouble start, end;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBegin;
  PetscCall(PetscTime(&start));
  PetscCall(TryQuietly(variants, count, values, path, samples, &code));
  if (code && count > 1) { /* whose fault it is shows when each is alone */
    for (PetscInt i = 0; i < count; i++) PetscCall(VariantsCompute(variants, 1, &values[i], path, &samples[i]));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscTime(&end));
  for (PetscInt i = 0; i < count; i++) {
    PetscCall(Judge(variants->ensemble, code, &variants->slots[i], &samples[i]));
    samples[i].seconds = (end - start) / (PetscReal)count;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VariantsDifferentiate(Variants *variants, const PetscReal values[], VariantSlopes *slopes, Sample *sample)
{
  PetscFunctionBegin;
  variants->slopes = slopes;
  PetscCall(VariantsCompute(variants, 1, &values, NULL, sample));
  variants->slopes = NULL;
  if (sample->status == SAMPLE_FAULT) PetscCall(CloseDocument(&variants->beside)); /* it may have come in a trial */
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VariantsMeasure(Variants *variants, const PetscReal values[], PetscReal *seconds)
{
  const LogLevel level = LogSetLevel(LOG_SILENT);
  Slot *const    slot  = &variants->slots[0];
  PetscLogDouble start, end;

  PetscFunctionBegin;
  PetscCall(PetscTime(&start));
  PetscCall(InputTrialBegin(slot->document));
  PetscCall(Build(variants, values, slot));
  PetscCall(CaseDestroy(&slot->variant));
  PetscCall(InputTrialEnd(slot->document));
  PetscCall(PetscTime(&end));
  (void)LogSetLevel(level);
  *seconds = end - start;
  PetscFunctionReturn(PETSC_SUCCESS);
}
