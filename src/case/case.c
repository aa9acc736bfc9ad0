/* case.c - everything a case asks for: read, checked, built, run. */
#include <string.h>
#include "export.h"
#include "first_frequency.h"

#define OF(member) offsetof(Case, member)

// clang-format off
static const InputField fields[] = {
  /* Read by the input room; here for the help, and for who misspells it. */
  {.key = "include", .kind = INPUT_TEXTS, .fallback = INPUT_OPTIONAL, .help = "case files to include: their keys are merged with those of this file"},
  {.key = "override", .kind = INPUT_NODE, .fallback = INPUT_OPTIONAL, .help = "values of included files given anew, {PATH: VALUE}: {laws.slip.slip_force: 30, studies.hit.steps: 500}; ~ takes one away"},
  {.key = "title", .kind = INPUT_TEXT, .offset = OF(title), .help = "title of the case, one line"},
  {.key = "mesh", .kind = INPUT_NODE, .offset = OF(nodes.mesh), .fallback = INPUT_OPTIONAL,
   .help = "a .msh file of Gmsh in metres, or a map that tells its unit; parts, supports and averages name its physical groups, or `all`, `volume 3`, `surface 5`"},
  {.key = "materials", .kind = INPUT_NODE, .offset = OF(nodes.materials), .help = "materials by name: isotropic, or orthotropic with other keys"},
  {.key = "parts", .kind = INPUT_NODE, .offset = OF(nodes.parts),
   .help = "material and element kind of each group of the mesh; NAME is the group; for solids NAME: MATERIAL is enough"},
  {.key = "points", .kind = INPUT_NODE, .offset = OF(nodes.points),
   .help = "points of the mesh by name, for joints, loads and `watch`; each is one of at, node, average, rigid"},
  {.key = "supports", .kind = INPUT_NODE, .offset = OF(nodes.supports), .help = "supports: nodes of the mesh, or points, that are fixed to the ground"},
  {.key = "constraints", .kind = INPUT_NODE, .offset = OF(nodes.constraints),
   .help = "equations between points of the mesh by name, each a list of terms: sum of factor * motion = 0"},
  {.key = "reduction", .kind = INPUT_NODE, .offset = OF(nodes.reduction),
   .help = "reduction of the mesh to motions of points and modes, or to modes alone; default: motions in time are on its lowest 40 modes"},
  {.key = "masses", .kind = INPUT_NODE, .offset = OF(nodes.masses), .help = "lumped masses by name"},
  {.key = "springs", .kind = INPUT_NODE, .offset = OF(nodes.springs),
   .help = "linear springs between points; `ground` does not move"},
  {.key = "dampers", .kind = INPUT_NODE, .offset = OF(nodes.dampers), .help = "viscous dampers between points"},
  {.key = "matrices", .kind = INPUT_NODE, .offset = OF(nodes.matrices),
   .help = "matrices from another program, written here or in HDF5 or Matrix Market files: {file, points, mass, stiffness, map, ...}"},
  {.key = "modal", .kind = INPUT_NODE, .offset = OF(nodes.modal),
   .help = "a structure given by its modes, measured or computed elsewhere: {frequencies, damping, points, shapes}"},
  {.key = "laws", .kind = INPUT_NODE, .offset = OF(law_map),
   .help = "force laws by name, for joints and studies of laws: {NAME: {law, parameters...}}; see `dovetail help laws`"},
  {.key = "joints", .kind = INPUT_NODE, .offset = OF(nodes.joints),
   .help = "joints by name; directions that are not given are free"},
  {.key = "patterns", .kind = INPUT_NODE, .offset = OF(nodes.patterns),
   .help = "distributed loads by name, for `pattern` of a load; each is one of gravity, pressure"},
  {.key = "bolts", .kind = INPUT_NODE, .offset = OF(nodes.bolts),
   .help = "bolts of the mesh by name: solid shanks that are cut and pulled together"},
  {.key = "moving_supports", .kind = INPUT_NODE, .offset = OF(nodes.moving),
   .help = "points whose motion a study prescribes, by loads with `displacement`, `velocity` or `acceleration`; held where none does: a list of {point, directions}"},
  {.key = "damping", .kind = INPUT_NODE, .offset = OF(nodes.damping),
   .help = "damping of the whole structure: damping ratios of the modes, Rayleigh damping"},
  {.key = "vary", .kind = INPUT_NODE, .offset = OF(vary), .fallback = INPUT_OPTIONAL,
   .help = "numbers of this case that are varied: the studies that outputs need are computed for each sample, and the outputs go into one table; see `dovetail help vary`"},
  {.key = "update", .kind = INPUT_NODE, .offset = OF(update), .fallback = INPUT_OPTIONAL,
   .help = "numbers of this case that are found from measurements, with their uncertainty: by least squares and from their posterior distribution; see `dovetail help update`"},
  {.key = "export", .kind = INPUT_NODE, .offset = OF(export_list),
   .help = "what to export for other programs: `matrices` of any size (up to 500 rows they are always in the result), `mesh_map`, or a list of both"},
  {.key = "studies", .kind = INPUT_NODE, .offset = OF(study_list), .fallback = INPUT_REQUIRED,
   .help = "list of studies to compute, each {KIND: {keys...}}; see `dovetail help studies`"},
  {.key = NULL}
};
// clang-format on

const InputTable case_table = {"case", "the top-level keys of a case file", fields};

/* Written by the output room, but for the title; here for the help. */
// clang-format off
static const OutputField output_fields[] = {
  {"complete", RESULT_COUNT, {0}, NULL, "1 when the run ended as asked, else 0"},
  {"sums", RESULT_COUNT, {"blocks", "2"}, NULL, "sums that guard the contents of all datasets, block by block; see src/output/NOTES.md"},
  {0}
};

static const OutputField output_facts[] = {
  {"title", RESULT_TEXT, {0}, NULL, "title of the case, if it has one"},
  {"text", RESULT_TEXT, {0}, NULL, "text of the case file, followed by the files that it includes"},
  {"values", RESULT_TEXT, {0}, NULL, "all values that were used, one line each"},
  {"version", RESULT_TEXT, {0}, NULL, "version of dovetail"},
  {"commit", RESULT_TEXT, {0}, NULL, "commit from which dovetail was built"},
  {"date", RESULT_TEXT, {0}, NULL, "date of the run, UTC, ISO 8601"},
  {"ranks", RESULT_COUNT, {0}, NULL, "number of MPI processes"},
  {0}
};
// clang-format on

const OutputTable case_output = {"case", "the case, and how it was run", output_fields, output_facts};

static PetscErrorCode ReadStudies(Case *the_case)
{
  const InputNode *list = the_case->study_list;

  PetscFunctionBegin;
  if (!list) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsList(list) || InputCount(list) == 0) {
    PetscCall(InputComplain(list, "expected a list of studies: - modes: {count: 12}"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  the_case->num_studies = InputCount(list);
  PetscCall(PetscCalloc1(the_case->num_studies, &the_case->studies));
  for (PetscInt i = 0; i < the_case->num_studies; i++)
    PetscCall(StudyRead(InputItem(list, i), &the_case->names, &the_case->laws, the_case->studies, i));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A case may hold nothing but laws, and studies of these and of what was measured; it then has no Model and no System. */
static PetscBool HasStructure(const Case *the_case)
{
  static const ModelNodes none;
  const InputNode        *list = the_case->study_list;

  if (memcmp(&the_case->nodes, &none, sizeof(none)) != 0 || !list || !InputIsList(list) || InputCount(list) == 0) return PETSC_TRUE;
  for (PetscInt i = 0; i < InputCount(list); i++)
    if (!StudyStandsAlone(InputItem(list, i))) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Whether a study moves the structure in time: all that need it do, but the one of its modes. */
static PetscBool MovesInTime(const Case *the_case)
{
  const InputNode *list = the_case->study_list;

  if (!list || !InputIsList(list)) return PETSC_FALSE;
  for (PetscInt i = 0; i < InputCount(list); i++) {
    const InputNode *const item = InputItem(list, i);

    if (InputIsMap(item) && !InputFind(item, "modes") && !StudyStandsAlone(item)) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

static PetscBool IsNeeded(const PetscBool needed[], PetscInt study)
{
  return (PetscBool)(!needed || needed[study]);
}

/* A variant whose structure is the same. */
static void Borrow(Case *variant)
{
  variant->model  = variant->same->model;
  variant->names  = variant->same->names;
  variant->system = variant->same->system;
  variant->cache  = variant->same->cache;
}

static PetscErrorCode ReadModel(Case *the_case)
{
  const InputNode *const root = InputRoot(the_case->document);

  PetscFunctionBegin;
  if (the_case->same && the_case->change == MODEL_JOINED)
    PetscCall(ModelJoin(the_case->same->model, root, &the_case->nodes, &the_case->laws, &the_case->model));
  else PetscCall(ModelRead(root, &the_case->nodes, &the_case->laws, &the_case->model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether one of them keeps what supports of the mesh take meanwhile. */
static PetscBool WantsReactions(const Case *the_case)
{
  const InputNode *list = the_case->study_list;

  if (!list || !InputIsList(list)) return PETSC_FALSE;
  for (PetscInt i = 0; i < InputCount(list); i++) {
    const InputNode *const item = InputItem(list, i), *const transient = InputIsMap(item) ? InputFind(item, "transient") : NULL;

    if (transient && InputIsMap(transient) && InputFind(transient, "reactions")) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

static PetscErrorCode ReadStructure(Case *the_case)
{
  PetscFunctionBegin;
  if (the_case->same && the_case->change == MODEL_KEPT) {
    Borrow(the_case);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (HasStructure(the_case)) {
    the_case->nodes.in_time   = MovesInTime(the_case);
    the_case->nodes.reactions = WantsReactions(the_case);
    PetscCall(ReadModel(the_case));
    PetscCall(ModelNames(the_case->model, &the_case->names));
    PetscCall(ExportRead(the_case->export_list, the_case->model, &the_case->export));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  the_case->names.known = PETSC_TRUE;
  if (the_case->export_list) PetscCall(InputComplain(the_case->export_list, "this case has no structure to export"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All that can be known without computing; complaints are in the document. */
static PetscErrorCode ReadKeys(Case *the_case)
{
  PetscFunctionBegin;
  PetscCall(FindingsCreate(&the_case->findings));
  PetscCall(InputRead(InputRoot(the_case->document), &case_table, the_case));
  PetscCall(LawsRead(the_case->law_map, &the_case->laws));
  PetscCall(ReadStructure(the_case));
  PetscCall(ReadStudies(the_case));
  PetscCall(StudiesCheck(the_case->num_studies, the_case->studies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseRead(const char *path, Case **the_case)
{
  Case *made;

  PetscFunctionBegin;
  PetscCall(PetscNew(the_case));
  made                      = *the_case;
  made->num_warnings_before = LogNumWarnings();
  PetscCall(InputOpen(PETSC_COMM_WORLD, path, &made->document));
  if (InputNumComplaints(made->document)) PetscCall(InputVerdict(made->document)); /* not YAML: nothing else can be said */
  PetscCall(ReadKeys(made));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseVerdict(const Case *the_case)
{
  PetscFunctionBegin;
  PetscCall(InputVerdict(the_case->document));
  PetscCall(LawsWarnUnused(&the_case->laws));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CaseLend(Case *the_case, ModelChange change)
{
  if (the_case->model && change == MODEL_JOINED) ModelLend(the_case->model);
}

PetscErrorCode CaseReadVariant(InputDocument *document, Case *same, ModelChange change, Case **variant)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(variant));
  (*variant)->document = document;
  (*variant)->same     = same;
  (*variant)->change   = change;
  PetscCall(ReadKeys(*variant));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseBuild(Case *the_case, PetscReal patience)
{
  PetscFunctionBegin;
  if (the_case->model && !the_case->system) PetscCall(ModelBuild(the_case->model, patience, &the_case->system));
  if (!the_case->cache) the_case->cache = &the_case->own_cache;
  if (the_case->cache == &the_case->own_cache) *the_case->cache = (ModeCache){.system = the_case->system, .model = the_case->model};
  PetscCall(InputVerdict(the_case->document));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool IsBorrowed(const Case *the_case)
{
  return (PetscBool)(the_case->same && the_case->change == MODEL_KEPT);
}

static PetscErrorCode DestroyStructure(Case *c)
{
  PetscFunctionBegin;
  PetscCall(ModeCacheDestroy(&c->own_cache));
  PetscCall(SystemDestroy(&c->system));
  PetscCall(ModelDestroy(&c->model));
  PetscCall(NamesDestroy(&c->names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseDestroy(Case **the_case)
{
  Case *c = *the_case;

  PetscFunctionBegin;
  if (!c) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < c->num_studies; i++) PetscCall(StudyDestroy(&c->studies[i]));
  PetscCall(PetscFree(c->studies));
  PetscCall(FindingsDestroy(&c->findings));
  if (!IsBorrowed(c)) PetscCall(DestroyStructure(c));
  PetscCall(LawsDestroy(&c->laws));
  if (!c->same) PetscCall(InputClose(&c->document));
  PetscCall(PetscFree(*the_case));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the case itself finds is not asked for where only some studies are. */
static PetscErrorCode LayOut(const Case *the_case, const CaseSequel *sequel, Result *result)
{
  PetscFunctionBegin;
  if (the_case->title) PetscCall(ResultAttributeText(result, "/case", "title", the_case->title));
  if (!the_case->needed) PetscCall(FindingsReserve(the_case->findings, result));
  if (!the_case->needed && the_case->system) PetscCall(SystemSayHolds(the_case->export.finding, result));
  for (PetscInt i = 0; i < the_case->num_studies; i++)
    if (IsNeeded(the_case->needed, i)) PetscCall(FindingsReserve(the_case->studies[i].findings, result));
  if (sequel) PetscCall(FindingsReserve(sequel->findings, result));
  PetscCall(ResultBeginData(result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The structure as a study looks at it; NULL where there is no such state, which has been complained of. */
static ModeCache *CacheOf(const Study *study, ModeCache *at_rest)
{
  return study->about ? study->about->kind->offer(study->about) : at_rest;
}

/* A study that is not needed may have others find more modes than they ask for, and where these are iterated, they are other ones in the last
   digits. */
static PetscBool IsPrepared(const Case *the_case, PetscInt study)
{
  return (PetscBool)(IsNeeded(the_case->needed, study) || (the_case->system && !ModesComeTogether(the_case->system)));
}

/* What the studies settle, and what only the modes can tell of them. */
static PetscErrorCode Prepare(Case *the_case, const Result *result)
{
  PetscFunctionBegin;
  if (!the_case->needed && the_case->system) PetscCall(ExportPrepare(&the_case->export, the_case->system, the_case->findings));
  for (PetscInt i = 0; i < the_case->num_studies; i++) {
    const Study *study = &the_case->studies[i];
    ModeCache   *own   = IsPrepared(the_case, i) ? CacheOf(study, the_case->cache) : NULL;

    if (study->kind->prepare && own) PetscCall(study->kind->prepare(&the_case->studies[i], own, result));
    if (study->kind->foresee && own) PetscCall(study->kind->foresee(&the_case->studies[i], own));
  }
  FirstFrequencyWarn(the_case, FirstFrequencyOf(the_case->cache->modes[JOINT_STUCK]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RunStudy(Case *the_case, PetscInt number, Result *result, PetscBool resumed, Outcome *outcome)
{
  Study *const study = &the_case->studies[number];
  LogStage     stage;

  PetscFunctionBegin;
  LogStageBegin(&stage, "%s%s%s", study->kind->name, study->name == study->kind->name ? "" : " ",
                study->name == study->kind->name ? "" : study->name);
  PetscCall(study->kind->run(study, CacheOf(study, the_case->cache), result, resumed, outcome));
  LogStageEnd(&stage);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RunStudies(Case *the_case, Result *result, PetscBool resumed, Outcome *outcome)
{
  PetscFunctionBegin;
  if (the_case->system) PetscCall(ExportRun(&the_case->export, the_case->system, result));
  for (PetscInt i = 0; i < the_case->num_studies; i++) PetscCall(RunStudy(the_case, i, result, resumed, outcome));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseIdentity(const Case *the_case, const CaseSequel *sequel, char **identity)
{
  const char *const values = InputValues(the_case->document), *const more = sequel && sequel->identity ? sequel->identity : "";
  const size_t length = strlen(values) + strlen(more) + 1;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(length, identity));
  PetscCall(PetscSNPrintf(*identity, length, "%s%s", values, more));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseRun(Case *the_case, const char *result_path, ResultMode mode, const CaseSequel *sequel, Outcome *outcome)
{
  Result   *result;
  PetscBool resumed, complete;
  LogStage  stage;
  char     *identity;

  PetscFunctionBegin;
  PetscCall(CaseIdentity(the_case, sequel, &identity));
  PetscCall(ResultOpen(result_path, mode, InputSource(the_case->document), identity, &result, &resumed));
  PetscCall(PetscFree(identity));
  LogStageBegin(&stage, "modes and layout of the result");
  PetscCall(Prepare(the_case, result));
  PetscCall(InputVerdict(the_case->document));
  PetscCall(LayOut(the_case, sequel, result));
  LogStageEnd(&stage);
  PetscCall(RunStudies(the_case, result, resumed, outcome));
  if (sequel) PetscCall(sequel->run(sequel->context, result, resumed, outcome));
  PetscCall(ResultRescue(result, &outcome->moved));
  PetscCall(PetscStrncpy(outcome->place, ResultPath(result), sizeof(outcome->place)));
  complete = (PetscBool)(outcome->num_unfinished == 0);
  PetscCall(ResultClose(&result, complete));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode OpenResult(const Case *variant, const char *path, Result **result)
{
  PetscBool resumed;

  PetscFunctionBegin;
  if (path) PetscCall(ResultOpen(path, RESULT_NEW, InputSource(variant->document), InputValues(variant->document), result, &resumed));
  else PetscCall(ResultOpenInMemory(result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseOpenVariant(Case *variant, const PetscBool needed[], const char *path, Result **result)
{
  PetscFunctionBegin;
  variant->needed = needed;
  PetscCall(OpenResult(variant, path, result));
  PetscCall(Prepare(variant, *result));
  if (InputNumComplaints(variant->document)) {
    PetscCall(ResultClose(result, PETSC_FALSE));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(LayOut(variant, NULL, *result));
  if (!needed && variant->system) PetscCall(ExportRun(&variant->export, variant->system, *result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CaseRunsBeside(const Case *the_case, const PetscBool needed[])
{
  for (PetscInt i = 0; i < the_case->num_studies; i++)
    if (the_case->studies[i].kind->run_beside && IsNeeded(needed, i)) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscErrorCode CaseRunBeside(PetscInt count, Case *const variants[], Result *const results[], PetscInt study)
{
  Study     **studies;
  ModeCache **caches;

  PetscFunctionBegin;
  if (count < 2 || !variants[0]->studies[study].kind->run_beside) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc2(count, &studies, count, &caches));
  for (PetscInt i = 0; i < count; i++) {
    studies[i] = &variants[i]->studies[study];
    caches[i]  = CacheOf(studies[i], variants[i]->cache);
  }
  PetscCall(studies[0]->kind->run_beside(count, studies, caches, results));
  PetscCall(PetscFree2(studies, caches));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseRunStudy(Case *variant, PetscInt study, Result *result, Outcome *outcome)
{
  PetscFunctionBegin;
  PetscCall(RunStudy(variant, study, result, PETSC_FALSE, outcome));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CaseFindStudy(const Case *the_case, const char *path)
{
  for (PetscInt i = 0; i < the_case->num_studies; i++)
    if (the_case->studies[i].findings && FindingsFind(the_case->studies[i].findings, "%s", path)) return i;
  return -1;
}

const Finding *CaseFind(const Case *the_case, const char *path)
{
  const Finding *const own   = FindingsFind(the_case->findings, "%s", path);
  const PetscInt       study = own ? -1 : CaseFindStudy(the_case, path);

  return study < 0 ? own : FindingsFind(the_case->studies[study].findings, "%s", path);
}
