/* fit_polynomial.c - the study of the linear least squares of section 2.3 of jalali2022. */
#include "fit_polynomial.h"

#define OF(member) offsetof(FitPolynomialKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the study and its group in the result; default `fit_polynomial`"},
  {.key = "data", .kind = INPUT_NODE, .offset = OF(data), .fallback = INPUT_REQUIRED, .help = "motion and force of the joint along a loop, from an earlier study or a file"},
  {.key = "branch", .kind = INPUT_WORD, .offset = OF(branch), .fallback = LOOP_UP, .words = loop_branch_names,
   .help = "branch that is fitted. up: growing displacement, C1 = E1, C2 = E2, P1 = P of the law generalized_valanis; down: D1 = E1, D2 = -E2, P2 = -P; both: C1, C2, P1 of a symmetric joint"},
  {.key = "order", .kind = INPUT_COUNT, .offset = OF(order), .fallback = 2, .least = 1, .most = POLYNOMIAL_MAX_ORDER,
   .help = "order of P, which then has all terms x^i v^j with i + j up to it; or give `terms`"},
  {.key = "terms", .kind = INPUT_TEXTS, .offset = OF(terms), .help = "terms of P by name: x, v, x2, xv, v2, x3, x2v, ..."},
  {.key = "solver", .kind = INPUT_WORD, .offset = OF(solver), .fallback = POLYNOMIAL_SVD, .words = polynomial_solver_names,
   .help = "svd gives the smallest coefficients when terms depend on each other; qr gives none"},
  {.key = "regularise", .kind = INPUT_REAL, .offset = OF(regularise), .fallback = 0, .most = PETSC_INFINITY,
   .help = "Tikhonov factor, for columns of unit length. It makes coefficients small that the loop hardly determines, and biases the others, by about the square of (factor times condition number of the scaled columns). `identifiable` is found without it"},
  {.key = "window", .kind = INPUT_COUNT, .offset = OF(window), .fallback = 5, .least = 3, .most = LOOP_MAX_WINDOW,
   .help = "odd number of samples, centred on each point, to which a polynomial in their number is fitted by least squares; its derivatives give the slope dF/dx and the velocity there, where the data do not contain them. Larger for noisy data"},
  {.key = "degree", .kind = INPUT_COUNT, .offset = OF(degree), .fallback = 4, .least = 1, .most = 20, .help = "degree of that polynomial of the samples, below `window`; lower for noisy data. It is not the order of P"},
  {.key = "trim", .kind = INPUT_REAL, .offset = OF(trim), .fallback = 0.05, .most = 0.45,
   .help = "share of each branch that is omitted at both ends, where slopes jump"},
  {.key = "noise", .kind = INPUT_REAL, .offset = OF(noise), .fallback = 0, .most = PETSC_INFINITY, .unit = "m or rad",
   .help = "noise of the displacement: smaller reversals are ignored"},
  {.key = "resolution", .kind = INPUT_REAL, .offset = OF(resolution), .fallback = 1e-3, .most = 1,
   .help = "relative accuracy of the slopes: a coefficient is not identifiable when less than this would remain unexplained without it"},
  {.key = NULL}
};
// clang-format on

static const InputTable fit_polynomial_table = {
  "fit_polynomial",
  "the law generalized_valanis of a loop by linear least squares: dF/dx = E1 + s (P(x, v) - E2 F), s = 1 where x grows, -1 where it falls", fields};
static const InputTable data_table = {"data", "motion and force of a joint", loop_data_fields};

static const InputTable *const own_tables[] = {&fit_polynomial_table, &data_table, NULL};
static const InputTables       tables[]     = {own_tables, NULL};

static PetscErrorCode ReadTerm(const InputNode *node, const char *name, PetscInt i, PolynomialTerm terms[])
{
  PetscFunctionBegin;
  if (!PolynomialTermParse(name, &terms[i]))
    PetscCall(InputComplain(node, "expected a term of P as x, v, x2, xv, v2, x2v, of order 1 to %d, found '%s'", POLYNOMIAL_MAX_ORDER, name));
  for (PetscInt j = 0; j < i; j++)
    if (terms[j].x == terms[i].x && terms[j].v == terms[i].v) {
      PetscCall(InputComplain(node, "term '%s' is given twice", name));
      break;
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadTerms(const InputNode *node, FitPolynomial *fit)
{
  static const char *const choices[] = {"order", "terms", NULL};
  const InputNode         *list      = InputFind(node, "terms");
  PetscInt                 choice;

  PetscFunctionBegin;
  PetscCall(InputExclusive(node, choices, PETSC_FALSE, &choice));
  fit->num_terms = list ? fit->keys.terms.count : PolynomialTriangle(fit->keys.order, NULL);
  PetscCall(PetscCalloc1(fit->num_terms, &fit->terms));
  if (!list) (void)PolynomialTriangle(fit->keys.order, fit->terms);
  for (PetscInt i = 0; list && i < fit->num_terms; i++)
    PetscCall(ReadTerm(InputIsList(list) ? InputItem(list, i) : list, fit->keys.terms.values[i], i, fit->terms));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  const PetscInt complaints = InputNumComplaints(InputDocumentOf(node));
  FitPolynomial *fit;

  PetscFunctionBegin;
  PetscCall(PetscNew(&fit));
  study->data = fit;
  PetscCall(InputRead(node, &fit_polynomial_table, &fit->keys));
  PetscCall(StudySetName(study, node, fit->keys.name));
  PetscCall(ReadTerms(node, fit));
  if (fit->keys.window % 2 == 0)
    PetscCall(InputComplain(InputFind(node, "window"), "expected an odd number, so that as many samples lie on either side, got %" PetscInt_FMT,
                            fit->keys.window));
  else if (fit->keys.degree >= fit->keys.window)
    PetscCall(InputComplain(InputFind(node, InputFind(node, "degree") ? "degree" : "window"),
                            "a polynomial of degree %" PetscInt_FMT " needs a window of more than %" PetscInt_FMT " samples, got %" PetscInt_FMT,
                            fit->keys.degree, fit->keys.degree, fit->keys.window));
  if (fit->keys.data) PetscCall(LoopDataRead(fit->keys.data, &data_table, study, &fit->data));
  if (InputNumComplaints(InputDocumentOf(node)) == complaints) PetscCall(FitPolynomialDeclare(study->name, study->findings, fit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  FitPolynomial *fit = study->data;

  PetscFunctionBegin;
  if (!fit) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(LoopDataDestroy(&fit->data));
  PetscCall(PetscFree(fit->terms));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const FitPolynomial *fit = study->data;

  PetscFunctionBegin;
  fprintf(out, "  fit_polynomial %-19s %" PetscInt_FMT " unknowns, %" PetscInt_FMT " samples at most of %s\n", study->name, fit->num_terms + 2,
          fit->data.most, fit->data.label);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The same on all ranks. */
static PetscErrorCode Find(const FitPolynomial *study, const Result *result, LoopPoints *points, PolynomialFit *fit)
{
  const FitPolynomialKeys *keys    = &study->keys;
  const LoopOptions        loop    = {(LoopBranch)keys->branch, keys->window, keys->degree, keys->trim, keys->noise};
  const PolynomialOptions  options = {.branch     = (LoopBranch)keys->branch,
                                      .num_terms  = study->num_terms,
                                      .terms      = study->terms,
                                      .solver     = (PolynomialSolver)keys->solver,
                                      .regularise = keys->regularise,
                                      .resolution = keys->resolution};
  LoopSamples              samples;

  PetscFunctionBegin;
  PetscCall(LoopDataFind(&study->data, result, &samples));
  PetscCall(LoopPointsFind(&samples.record, &loop, points));
  PetscCall(PolynomialFitPoints(points, &options, fit));
  PetscCall(LoopSamplesDestroy(&samples));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A loop that cannot carry the model is nature's refusal. */
static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  LoopPoints    points;
  PolynomialFit fit;
  PetscMPIInt   rank;

  PetscFunctionBegin;
  if (outcome->num_unfinished > 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD)); /* what other ranks computed is there */
  PetscCall(Find(study->data, result, &points, &fit));
  if (fit.remark[0]) outcome->num_stopped++;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) PetscCall(FitPolynomialWrite(study->data, &points, &fit, result));
  PetscCall(FitPolynomialPrint(study->name, study->data, &points, &fit));
  PetscCall(PolynomialFitDestroy(&fit));
  PetscCall(LoopPointsDestroy(&points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind study_fit_polynomial = {
  .name         = "fit_polynomial",
  .summary      = "generalized Valanis law of a loop, by linear least squares",
  .tables       = tables,
  .outputs      = fit_polynomial_outputs,
  .stands_alone = StudyAlwaysAlone,
  .read         = Read,
  .group        = StudyOwnGroup,
  .describe     = Describe,
  .run          = Compute,
  .destroy      = Destroy,
};
