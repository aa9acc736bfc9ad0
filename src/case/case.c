/* case.c - everything a case asks for: read, checked, built, described, run. */
#include <stdlib.h>
#include <string.h>
#include "export.h"

#define OF(member) offsetof(Case, member)

// clang-format off
static const InputField fields[] = {
  /* Read by the input room; here for the help, and for who misspells it. */
  {.key = "include", .kind = INPUT_TEXTS, .fallback = INPUT_OPTIONAL, .help = "files whose maps are united with those of the case"},
  {.key = "title", .kind = INPUT_TEXT, .offset = OF(title), .help = "one line about the case"},
  {.key = "mesh", .kind = INPUT_PATH, .offset = OF(nodes.mesh), .help = "a .msh file that Gmsh wrote, version 2.2 or 4.1, in metres; parts, supports and averages name its physical groups"},
  {.key = "materials", .kind = INPUT_NODE, .offset = OF(nodes.materials), .help = "materials by name; orthotropic ones have other keys"},
  {.key = "parts", .kind = INPUT_NODE, .offset = OF(nodes.parts),
   .help = "what each group of the mesh is made of, NAME being the group; for solids NAME: MATERIAL is enough"},
  {.key = "points", .kind = INPUT_NODE, .offset = OF(nodes.points),
   .help = "points of the mesh by name, which joints connect, loads push and `watch` sees: one of at, node, average, rigid"},
  {.key = "supports", .kind = INPUT_NODE, .offset = OF(nodes.supports), .help = "what the ground holds: nodes of the mesh, points"},
  {.key = "constraints", .kind = INPUT_NODE, .offset = OF(nodes.constraints),
   .help = "equations between points of the mesh by name, each a list of terms: sum of factor * motion = 0"},
  {.key = "reduction", .kind = INPUT_NODE, .offset = OF(nodes.reduction),
   .help = "how the mesh is made small: to the motions of points, and some modes; without it there are modes of the whole mesh, but no transients"},
  {.key = "masses", .kind = INPUT_NODE, .offset = OF(nodes.masses), .help = "lumped masses by name"},
  {.key = "springs", .kind = INPUT_NODE, .offset = OF(nodes.springs),
   .help = "linear springs between points; `ground` does not move"},
  {.key = "dampers", .kind = INPUT_NODE, .offset = OF(nodes.dampers), .help = "viscous dampers between points"},
  {.key = "matrices", .kind = INPUT_NODE, .offset = OF(nodes.matrices),
   .help = "matrices that another program made, in place or in HDF5 and Matrix Market files: {file, points, mass, stiffness, map, ...}"},
  {.key = "modal", .kind = INPUT_NODE, .offset = OF(nodes.modal),
   .help = "a structure by its modes, measured or computed elsewhere: {frequencies, damping, points, shapes}"},
  {.key = "laws", .kind = INPUT_NODE, .offset = OF(law_map),
   .help = "force laws by name, for joints and studies of laws: {NAME: {law, parameters...}}; see `dovetail help laws`"},
  {.key = "joints", .kind = INPUT_NODE, .offset = OF(nodes.joints),
   .help = "joints by name; a direction that is not said is free"},
  {.key = "patterns", .kind = INPUT_NODE, .offset = OF(nodes.patterns),
   .help = "loads spread over the structure by name, which a `load` follows: one of gravity, pressure"},
  {.key = "damping", .kind = INPUT_NODE, .offset = OF(nodes.damping),
   .help = "spread over the whole structure: ratios of critical of the modes, Rayleigh's"},
  {.key = "export", .kind = INPUT_NODE, .offset = OF(export_list),
   .help = "for other programs: `matrices` of any size (those of up to 500 unknowns are always in the result), `mesh_map`, or a list of both"},
  {.key = "studies", .kind = INPUT_NODE, .offset = OF(study_list), .fallback = INPUT_REQUIRED,
   .help = "list of what to compute: {KIND: {keys...}}; see `dovetail help studies`"},
  {.key = NULL}
};
// clang-format on

const InputTable case_table = {"case", "the top-level keys of a case file", fields};

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
    PetscCall(StudyRead(InputItem(list, i), the_case->model, the_case->system, &the_case->laws, the_case->studies, i));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A group of the result, and the study that will make it. */
typedef struct {
  const char  *name;
  const Study *study;
} Group;

/* Each kind of study has its own place in the result. */
static int CompareGroups(const void *a, const void *b)
{
  const Group *left = a, *right = b;
  const int    kinds = strcmp(left->study->kind->name, right->study->kind->name);

  return kinds ? kinds : strcmp(left->name, right->name);
}

static PetscInt CountGroups(const Study *study)
{
  PetscInt count = 0;

  while (study->kind && study->kind->group && study->kind->group(study, count)) count++;
  return count;
}

/* Runs become groups of the result: no two of them can share a name. */
static PetscErrorCode CheckGroups(const Case *the_case)
{
  PetscInt total = 0, next = 0;
  Group   *groups;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < the_case->num_studies; i++) total += CountGroups(&the_case->studies[i]);
  PetscCall(PetscMalloc1(total, &groups));
  for (PetscInt i = 0; i < the_case->num_studies; i++) {
    const Study   *study = &the_case->studies[i];
    const PetscInt count = CountGroups(study);

    for (PetscInt g = 0; g < count; g++) groups[next++] = (Group){study->kind->group(study, g), study};
  }
  if (total > 1) qsort(groups, (size_t)total, sizeof(*groups), CompareGroups);
  for (PetscInt g = 1; g < total; g++)
    if (!CompareGroups(&groups[g - 1], &groups[g])) {
      const StudyKind *kind = groups[g].study->kind;

      if (kind == &study_ring_down) PetscCall(InputComplain(groups[g].study->node, "'%s' is measured twice in this case", groups[g].name));
      else
        PetscCall(
          InputComplain(groups[g].study->node, "two %s of this case are named '%s'", kind == &study_transient ? "runs" : "studies", groups[g].name));
      break;
    }
  PetscCall(PetscFree(groups));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* They have one place in the result. */
static PetscErrorCode RefuseSecondModes(const Case *the_case)
{
  PetscInt count = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < the_case->num_studies; i++)
    if (the_case->studies[i].kind == &study_modes && ++count == 2)
      PetscCall(InputComplain(the_case->studies[i].node, "a case has one study of modes: give the first the largest count"));
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

static PetscErrorCode ReadStructure(Case *the_case, PetscReal patience)
{
  PetscFunctionBegin;
  if (HasStructure(the_case)) {
    PetscCall(ModelRead(InputRoot(the_case->document), &the_case->nodes, &the_case->laws, &the_case->model));
    if (!InputNumComplaints(the_case->document)) PetscCall(ModelBuild(the_case->model, patience, &the_case->system));
    PetscCall(ExportRead(the_case->export_list, the_case->model, &the_case->export));
  } else if (the_case->export_list) PetscCall(InputComplain(the_case->export_list, "this case has no structure to export"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseRead(const char *path, PetscReal patience, Case **the_case)
{
  Case *made;

  PetscFunctionBegin;
  PetscCall(PetscNew(the_case));
  made = *the_case;
  PetscCall(InputOpen(PETSC_COMM_WORLD, path, &made->document));
  if (InputNumComplaints(made->document)) PetscCall(InputVerdict(made->document)); /* not YAML: nothing else can be said */
  PetscCall(InputRead(InputRoot(made->document), &case_table, made));
  PetscCall(LawsRead(made->law_map, &made->laws));
  PetscCall(ReadStructure(made, patience));
  PetscCall(ReadStudies(made));
  PetscCall(CheckGroups(made));
  PetscCall(RefuseSecondModes(made));
  PetscCall(InputVerdict(made->document));
  PetscCall(LawsWarnUnused(&made->laws));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseDestroy(Case **the_case)
{
  Case *c = *the_case;

  PetscFunctionBegin;
  if (!c) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < c->num_studies; i++) PetscCall(StudyDestroy(&c->studies[i]));
  PetscCall(PetscFree(c->studies));
  PetscCall(SystemDestroy(&c->system));
  PetscCall(ModelDestroy(&c->model));
  PetscCall(LawsDestroy(&c->laws));
  PetscCall(InputClose(&c->document));
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

static PetscErrorCode DescribeJoints(const System *system, FILE *out)
{
  PetscFunctionBegin;
  fprintf(out, "  joint motions: %" PetscInt_FMT ", nonlinear %" PetscInt_FMT "\n", system->num_rows, system->num_nonlinear);
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

/* What the libraries take, all modes in both states of the joints, and the rows of the joints in a few forms. */
static PetscReal EstimateMemory(const System *system)
{
  const PetscReal libraries = 50e6, n = system->num_unknowns, m = system->num_nonlinear;

  return libraries + 8.0 * (4.0 * n * n + 4.0 * m * n + 4.0 * m * m);
}

/* The first frequency of a mesh: one in millimetres shows by it. Negative when it is not known. */
static PetscErrorCode FirstFrequency(const Case *the_case, PetscReal *frequency)
{
  ModeCache    cache = {.system = the_case->system, .model = the_case->model};
  const Modes *modes = NULL;
  PetscInt     size;

  PetscFunctionBegin;
  *frequency = -1.0;
  if (!the_case->system || !ModelMesh(the_case->model) || ModelIsSketch(the_case->model)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SystemGetSize(cache.system, &size));
  for (PetscInt count = NUM_DIRECTIONS + 1; !modes || (modes->num_rigid == modes->count && modes->count < size); count *= 2) {
    PetscCall(ModeCacheGet(&cache, JOINT_STUCK, count, &modes));
    if (modes->count == 0) break; /* the complaint has been made */
  }
  if (modes->num_rigid < modes->count) *frequency = modes->omega[modes->num_rigid] / (2.0 * PETSC_PI);
  PetscCall(ModeCacheDestroy(&cache));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DescribeStructure(const Case *the_case, PetscReal frequency, FILE *out)
{
  const System *system = the_case->system;

  PetscFunctionBegin;
  fprintf(out, "  %" PetscInt_FMT " unknowns, %" PetscInt_FMT " points\n", system->num_unknowns, system->num_points);
  PetscCall(ModelDescribe(the_case->model, out));
  if (frequency >= 0.0) fprintf(out, "    first frequency %.6g Hz, joints stuck\n", frequency);
  if (ModelIsSketch(the_case->model)) fprintf(out, "    first frequency not computed: that takes a factorisation, and so does finding mechanisms\n");
  PetscCall(DescribeMass(system, out));
  PetscCall(DescribeJoints(system, out));
  ModelDescribeContacts(the_case->model, out);
  PetscCall(ExportDescribe(&the_case->export, system, out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Case *the_case, PetscReal frequency, FILE *out)
{
  const System *system = the_case->system;

  PetscFunctionBegin;
  if (the_case->title) fprintf(out, "%s\n", the_case->title);
  if (system) PetscCall(DescribeStructure(the_case, frequency, out));
  for (PetscInt i = 0; i < the_case->num_studies; i++) PetscCall(the_case->studies[i].kind->describe(&the_case->studies[i], system, out));
  if (system) fprintf(out, "  about %.3g MB of memory on each rank", EstimateMemory(system) / 1e6);
  if (system && ModelMemory(the_case->model) > 0.0) fprintf(out, ", and %.3g MB for the mesh over all ranks", ModelMemory(the_case->model) / 1e6);
  fprintf(out, "%snothing is wrong with the case as far as can be seen without computing\n", system ? "\n" : "");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseDescribe(const Case *the_case, FILE *out)
{
  PetscReal   frequency;
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCall(FirstFrequency(the_case, &frequency));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) PetscCall(Describe(the_case, frequency, out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Prepare(Case *the_case, ModeCache *cache, Result *result)
{
  LogStage stage;

  PetscFunctionBegin;
  LogStageBegin(&stage, "modes and layout of the result");
  if (the_case->system) PetscCall(ExportPrepare(&the_case->export, the_case->system, result));
  if (the_case->title) PetscCall(ResultAttributeText(result, "/case", "title", the_case->title));
  for (PetscInt i = 0; i < the_case->num_studies; i++) PetscCall(the_case->studies[i].kind->prepare(&the_case->studies[i], cache, result));
  PetscCall(InputVerdict(the_case->document)); /* what only the modes could tell */
  PetscCall(ResultBeginData(result));
  LogStageEnd(&stage);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseRun(Case *the_case, const char *result_path, ResultMode mode, Outcome *outcome)
{
  ModeCache cache = {.system = the_case->system, .model = the_case->model};
  Result   *result;
  PetscBool resumed, complete;

  PetscFunctionBegin;
  PetscCall(ResultOpen(result_path, mode, InputSource(the_case->document), InputValues(the_case->document), &result, &resumed));
  PetscCall(Prepare(the_case, &cache, result));
  if (the_case->system) PetscCall(ExportRun(&the_case->export, the_case->system, result));
  for (PetscInt i = 0; i < the_case->num_studies; i++) {
    const Study *study = &the_case->studies[i];
    LogStage     stage;

    LogStageBegin(&stage, "%s%s%s", study->kind->name, study->name == study->kind->name ? "" : " ",
                  study->name == study->kind->name ? "" : study->name);
    PetscCall(study->kind->run(&the_case->studies[i], &cache, result, resumed, outcome));
    LogStageEnd(&stage);
  }
  complete = (PetscBool)(outcome->num_unfinished == 0);
  PetscCall(ResultClose(&result, complete));
  PetscCall(ModeCacheDestroy(&cache));
  PetscFunctionReturn(PETSC_SUCCESS);
}
