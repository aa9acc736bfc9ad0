/* case.c - everything a case asks for: read, checked, built, described, run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "export.h"
#include "first_frequency.h"
#include "march/linear.h"

#define OF(member) offsetof(Case, member)

enum { FEW_UNKNOWNS = 500 }; /* of which `dovetail check` finds all modes */

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

static PetscErrorCode DescribeMass(const System *system, FILE *out)
{
  PetscFunctionBegin;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++)
    if (system->base[d]) fprintf(out, "  mass that moves in %-2s %g %s\n", direction_names[d], system->base_mass[d], d < 3 ? "kg" : "kg m^2");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DescribeDerived(const JointBlock *block, FILE *out)
{
  const JointLaw *law = block->law;
  PetscReal       values[JOINT_MAX_PARAMETERS];

  PetscFunctionBegin;
  if (!law->derive) PetscFunctionReturn(PETSC_SUCCESS);
  law->derive(block->parameters, values);
  fprintf(out, "      from which follow:");
  for (PetscInt i = 0; law->derived[i].name; i++) {
    fprintf(out, "%s %s ", i > 0 ? "," : "", law->derived[i].name);
    if (PetscIsNanReal(values[i])) fprintf(out, "none");
    else fprintf(out, "%g%s%s", values[i], law->derived[i].unit ? " " : "", law->derived[i].unit ? law->derived[i].unit : "");
  }
  fprintf(out, "\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DescribeLaws(const System *system, FILE *out)
{
  PetscFunctionBegin;
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const JointBlock *block = &system->blocks[b].block;

    fprintf(out, "    %" PetscInt_FMT " x %s:", block->num_points, block->law->name);
    for (PetscInt i = 0; block->law->parameters[i].name; i++)
      if (!block->law->parameters[i].local) fprintf(out, " %s %g", block->law->parameters[i].name, block->parameters[i]);
    fprintf(out, "\n");
    PetscCall(DescribeDerived(block, out));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the libraries take, all modes in both states of the joints, and the rows of the joints in a few forms, which ranks may share; where steps
   need no modes, each unknown as read and in sparse matrices. */
static PetscReal EstimateMemory(const Names *names, PetscMPIInt num_ranks)
{
  const PetscReal libraries = 50e6, of_sparse = 5e3, n = names->num_unknowns, m = names->num_nonlinear;
  const PetscBool shared = (PetscBool)(names->residual && m > names->most_held);

  if (LinearLooksSparse(names)) return libraries + of_sparse * n;
  return libraries + 8.0 * (4.0 * n * n + 4.0 * m * n + 4.0 * m * m / (shared ? num_ranks : 1));
}

static PetscErrorCode DescribeStructure(const Case *the_case, PetscReal frequency, FILE *out)
{
  const Names *names = &the_case->names;

  PetscFunctionBegin;
  fprintf(out, "  %" PetscInt_FMT " unknowns, %" PetscInt_FMT " points\n", names->num_unknowns, names->num_points);
  if (names->num_condensed)
    fprintf(out, "    %" PetscInt_FMT " more without mass, condensed statically: what is there follows the others, and forces, at once\n",
            names->num_condensed);
  PetscCall(ModelDescribe(the_case->model, out));
  if (frequency >= 0.0)
    fprintf(out, "    first frequency %.6g Hz%s\n", frequency, names->num_rows > 0 || names->num_contacts > 0 ? ", joints stuck" : "");
  if (!the_case->system) fprintf(out, "    first frequency not computed: it needs a factorisation; mechanisms are not detected without one either\n");
  else PetscCall(DescribeMass(the_case->system, out));
  fprintf(out, "  joint motions: %" PetscInt_FMT ", nonlinear %" PetscInt_FMT "\n", names->num_rows, names->num_nonlinear);
  if (the_case->system) PetscCall(DescribeLaws(the_case->system, out));
  ModelDescribeContacts(the_case->model, out);
  PetscCall(ExportDescribe(&the_case->export, names, out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void DescribeVerdict(PetscInt num_warnings, FILE *out)
{
  if (num_warnings == 0) fprintf(out, "No errors found; no study was run.\n");
  else fprintf(out, "No errors found, but %" PetscInt_FMT " warning%s; no study was run.\n", num_warnings, num_warnings == 1 ? "" : "s");
}

static PetscErrorCode Describe(const Case *the_case, const CaseSequel *sequel, PetscReal frequency, FILE *out)
{
  const PetscBool structure = (PetscBool)(the_case->model != NULL);
  PetscMPIInt     num_ranks;

  PetscFunctionBegin;
  if (the_case->title) fprintf(out, "%s\n", the_case->title);
  if (structure) PetscCall(DescribeStructure(the_case, frequency, out));
  for (PetscInt i = 0; i < the_case->num_studies; i++) PetscCall(the_case->studies[i].kind->describe(&the_case->studies[i], out));
  if (sequel) PetscCall(sequel->describe(sequel->context, out));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &num_ranks));
  if (structure) fprintf(out, "  about %.3g MB of memory on each rank", EstimateMemory(&the_case->names, num_ranks) / 1e6);
  if (structure && ModelMemory(the_case->model) > 0.0) fprintf(out, ", and %.3g MB for the mesh over all ranks", ModelMemory(the_case->model) / 1e6);
  if (structure) fprintf(out, "\n");
  DescribeVerdict(LogNumWarnings() - the_case->num_warnings_before, out);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What modes tell of the studies of the structure at rest, where all of these are found in no time. */
static PetscErrorCode Foresee(const Case *the_case)
{
  ModeCache cache = {.system = the_case->system, .model = the_case->model};

  PetscFunctionBegin;
  if (!cache.system || cache.system->continuum || cache.system->num_unknowns > FEW_UNKNOWNS) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < the_case->num_studies; i++) {
    Study *study = &the_case->studies[i];

    if (study->kind->foresee && !study->about) PetscCall(study->kind->foresee(study, &cache));
  }
  PetscCall(ModeCacheDestroy(&cache));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What `Describe` says, as numbers. */
static PetscErrorCode WriteNumbers(const Case *the_case, PetscReal frequency, Json *json)
{
  const Names *const names = &the_case->names;
  PetscMPIInt        num_ranks;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &num_ranks));
  JsonText(json, "title", the_case->title);
  if (the_case->model) {
    JsonCount(json, "unknowns", names->num_unknowns);
    JsonCount(json, "condensed", names->num_condensed);
    JsonCount(json, "points", names->num_points);
    JsonCount(json, "joint_motions", names->num_rows);
    JsonCount(json, "nonlinear_joint_motions", names->num_nonlinear);
    JsonReal(json, "first_frequency", frequency >= 0.0 ? frequency : (PetscReal)NAN);
    JsonReal(json, "memory", EstimateMemory(names, num_ranks));
    JsonReal(json, "mesh_memory", ModelMemory(the_case->model));
  }
  JsonOpenList(json, "studies");
  for (PetscInt i = 0; i < the_case->num_studies; i++) {
    JsonOpenObject(json, NULL);
    JsonText(json, "kind", the_case->studies[i].kind->name);
    JsonText(json, "name", the_case->studies[i].name);
    JsonClose(json);
  }
  JsonClose(json);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseDescribe(const Case *the_case, const CaseSequel *sequel, FILE *out, Json *json)
{
  PetscReal   frequency;
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCall(Foresee(the_case));
  PetscCall(FirstFrequency(the_case, &frequency));
  FirstFrequencyWarn(the_case, frequency);
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) PetscCall(Describe(the_case, sequel, frequency, out));
  if (rank == 0 && json) PetscCall(WriteNumbers(the_case, frequency, json));
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
