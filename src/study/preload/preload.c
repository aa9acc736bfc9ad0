/* preload.c - the study of bolts that are tightened one after another. */
#include "preload.h"
#include "rows.h"
#include "study/stresses.h"

#define OF(member) offsetof(PreloadKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "of the study, for `about` of later ones, and of its group in the result; default `preload`"},
  {.key = "order", .kind = INPUT_NODE, .offset = OF(order),
   .help = "bolts in the order in which they are tightened, [b1, [b2, b3]]: those of one list together; default: all at once"},
  {.key = "passes", .kind = INPUT_COUNT, .offset = OF(passes), .fallback = 1, .least = 1, .most = 1000, .help = "how often the whole order is gone through"},
  {.key = "steps", .kind = INPUT_COUNT, .offset = OF(steps), .fallback = 1, .least = 1, .most = 100000,
   .help = "of the forces in each stage; one is exact where flat faces without gaps close, curved faces and gaps want more"},
  {.key = "load", .kind = INPUT_NODE, .offset = OF(load), .fallback = INPUT_OPTIONAL,
   .help = "one load or a list of them, which act from the first stage on: {force: {pattern: weight}}; faces that overlap at rest press each other anyway"},
  {.key = "stiffening", .kind = INPUT_TRUTH, .offset = OF(stiffening),
   .help = "what moves about the preload is stiffened by tension in the mesh, and softened by compression; factors the mesh once more"},
  {.key = "tolerance", .kind = INPUT_REAL, .offset = OF(tolerance), .fallback = 1e-10, .least = 1e-15, .most = 1e-2,
   .help = "accepted imbalance of the joints' forces, relative to these"},
  {.key = "max_iterations", .kind = INPUT_COUNT, .offset = OF(max_iterations), .fallback = 100, .least = 1, .most = 10000, .help = "of Newton, before a step is halved"},
  {.key = "fields", .kind = INPUT_TRUTH, .offset = OF(fields), .fallback = 1,
   .help = "write what the mesh and its faces do after each stage, for ParaView: RESULT_NAME.xdmf, RESULT_NAME_JOINT.xdmf; factors the mesh once more"},
  STRESSES_FIELD(OF(stresses), "after each stage, of loads, bolts and faces together; exact for a mesh on its modes"),
  STRESS_POINTS_FIELD(OF(stress_points)),
  {.key = NULL}
};
// clang-format on

static const InputTable preload_table = {"preload", "bolts tightened one after another, faces closing; other studies move about what comes of it",
                                         fields};
static const InputTable *const own_tables[] = {&preload_table, NULL};
static const InputTables       tables[]     = {own_tables, force_load_tables, NULL};

/* Faces that overlap at rest press each other without any other load. */
static PetscBool Overlap(const Names *names)
{
  for (PetscInt c = 0; c < names->num_contacts; c++)
    if (names->contacts[c].overlaps) return PETSC_TRUE;
  return PETSC_FALSE;
}

static PetscErrorCode CheckStresses(const InputNode *node, const PreloadKeys *keys, const Names *names)
{
  const InputNode *const stresses = InputFind(node, "stresses");

  PetscFunctionBegin;
  if (names->mesh && !keys->fields) PetscCall(InputComplain(stresses, "are among the fields of the mesh, which `fields: no` leaves out"));
  PetscCall(StressesCheck(stresses, names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(node));
  Preload       *preload;

  PetscFunctionBegin;
  PetscCall(PetscNew(&preload));
  study->data = preload;
  PetscCall(InputRead(node, &preload_table, &preload->keys));
  PetscCall(StudySetName(study, node, preload->keys.name));
  PetscCall(PreloadOrderRead(preload->keys.order, names, preload->keys.passes, &preload->num_stages, &preload->stages));
  if (preload->keys.stiffening) PetscCall(PreloadStressCheck(study, InputFind(node, "stiffening")));
  study->writes_series = (PetscBool)(preload->keys.fields && names->mesh);
  PetscCall(StressesCheckPoints(InputFind(node, "stress_points"), preload->keys.stresses));
  if (preload->keys.stresses) PetscCall(CheckStresses(node, &preload->keys, names));
  PetscCall(LoadsReadForces(preload->keys.load, names, &preload->num_loads, &preload->loads));
  PetscCall(
    LoadsRefuseSupports(preload->keys.load, preload->num_loads, preload->loads, "supports are not moved in a preload; a `static` moves them"));
  if (names->known && names->num_bolts == 0 && preload->num_loads == 0 && !Overlap(names))
    PetscCall(InputComplain(node, "there is nothing to preload with: the case has no `bolts` and no faces that overlap, and the study no `load`"));
  if (names->known && InputNumComplaints(InputDocumentOf(node)) == before) PetscCall(PreloadDeclare(study->name, names, study->findings, preload));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  Preload *preload = study->data;

  PetscFunctionBegin;
  if (!preload) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(preload->loads));
  PetscCall(PreloadOrderDestroy(preload->num_stages, &preload->stages));
  PetscCall(FloatingDestroy(&preload->floating));
  PetscCall(PetscFree2(preload->points, preload->faces));
  PetscCall(PreloadLayersDestroy(preload));
  PetscCall(PetscFree3(preload->tension, preload->shift, preload->displacement));
  PetscCall(DeflectionsDestroy(&preload->deflections));
  PetscCall(MatDestroy(&preload->moved));
  PetscCall(PetscFree5(preload->state, preload->pressure, preload->gap, preload->motion, preload->traction));
  PetscCall(OutermostDestroy(&preload->outermost));
  PetscCall(ModeCacheDestroy(&preload->cache));
  PetscCall(SystemDestroy(&preload->system));
  PetscCall(ModelForget(&preload->about));
  PetscCall(StateDestroy(&preload->rest));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const Preload *preload = study->data;

  PetscFunctionBegin;
  fprintf(out, "  preload %-26s %" PetscInt_FMT " stage%s of tightening, %" PetscInt_FMT " step%s each\n", study->name, preload->num_stages - 1,
          preload->num_stages == 2 ? "" : "s", preload->keys.steps, preload->keys.steps == 1 ? "" : "s");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All bolts that are not locked: those of this stage, and those that no stage has tightened yet. */
static PetscErrorCode FreeBolts(const PreloadStage *stage, const PetscBool tightened[], Tightening *tightening, PetscInt *loose)
{
  PetscInt *bolts, count = 0;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(tightening->num_bolts, &bolts));
  for (PetscInt b = 0; b < tightening->num_bolts; b++) {
    PetscBool now = PETSC_FALSE;

    for (PetscInt k = 0; k < stage->count; k++) now = (PetscBool)(now || stage->bolts[k] == b);
    if (now || !tightened[b]) bolts[count++] = b;
  }
  PetscCall(TighteningFree(tightening, count, bolts, loose));
  PetscCall(PetscFree(bolts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* In steps, to the tensions that this stage ends with; the loads come with stage 0. */
static PetscErrorCode Approach(const Preload *preload, PetscInt stage, const SystemForces *total, Tightening *tightening, State *state,
                               PetscBool *converged)
{
  const PreloadStage *const now    = &preload->stages[stage];
  const System *const       system = tightening->statics->system;
  PetscReal                *start, *tension;
  SystemForces              load;

  PetscFunctionBegin;
  PetscCall(SystemForcesCreate(system, &load));
  PetscCall(PetscMalloc2(tightening->num_bolts, &start, tightening->num_bolts, &tension));
  PetscCall(PetscArraycpy(start, tightening->tension, tightening->num_bolts));
  for (PetscInt step = 1; step <= preload->keys.steps && *converged; step++) {
    const PetscReal share = (PetscReal)step / (PetscReal)preload->keys.steps;

    PetscCall(PetscArrayzero(tension, tightening->num_bolts));
    for (PetscInt k = 0; k < now->count; k++) {
      const PetscInt b = now->bolts[k];

      tension[b] = start[b] + share * (system->bolts[b].preload - start[b]);
    }
    PetscCall(SystemForcesMix(system, stage == 0 ? share : 1.0, total, 0.0, &load));
    PetscCall(TighteningStep(tightening, &load, tension, state, converged));
  }
  PetscCall(PetscFree2(start, tension));
  PetscCall(SystemForcesDestroy(&load));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether anything acts before the first bolt is tightened. */
static PetscBool IsLoaded(const Preload *preload, PetscInt num_bolts)
{
  return (PetscBool)(preload->num_loads > 0 || num_bolts == 0);
}

static PetscErrorCode TightenAll(Preload *preload, const SystemForces *total, Tightening *tightening, State *state)
{
  PreloadEnd *const end = &preload->end;
  PetscBool        *tightened;

  PetscFunctionBegin;
  *end = (PreloadEnd){.found = PETSC_TRUE, .loose = -1};
  PetscCall(PetscCalloc1(tightening->num_bolts, &tightened));
  for (PetscInt s = 0; s < preload->num_stages && end->found; s++) {
    const PreloadStage *const stage = &preload->stages[s];

    end->stage = s;
    PetscCall(FreeBolts(stage, tightened, tightening, &end->loose));
    end->found = (PetscBool)(end->loose < 0);
    if (end->found && (s > 0 || IsLoaded(preload, tightening->num_bolts))) PetscCall(Approach(preload, s, total, tightening, state, &end->found));
    if (end->found) PetscCall(PreloadTakeStage(preload, s, tightening, state));
    for (PetscInt k = 0; k < stage->count; k++) tightened[stage->bolts[k]] = PETSC_TRUE;
  }
  end->share = state->time;
  PetscCall(PetscFree(tightened));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Complain(const Study *study, const PreloadEnd *end)
{
  PetscFunctionBegin;
  if (end->loose >= 0)
    PetscCall(InputComplain(study->node, "bolt '%s' pulls nothing together: beside its cut nothing holds what is on one of its sides",
                            study->names->bolts[end->loose]));
  else
    PetscCall(InputComplain(study->node,
                            "stage %" PetscInt_FMT " found no equilibrium beyond %.3g %% of a step: more `steps` may help, or nothing "
                            "holds the structure once its faces open",
                            end->stage, (double)(100.0 * end->share)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The structure about the state that has been found, for later studies. */
static PetscErrorCode BuildAbout(const Study *study, const ModeCache *cache, const State *state)
{
  const PetscInt num_bolts = cache->system->names.num_bolts;
  Preload       *preload   = study->data;

  PetscFunctionBegin;
  if (preload->keys.stiffening) PetscCall(PreloadStressBuild(study, cache, state));
  else PetscCall(ModelRestAt(cache->model, cache->system, state, NULL, &preload->about, &preload->system));
  preload->cache = (ModeCache){.system = preload->system, .model = preload->about};
  preload->found = (PetscBool)(preload->system != NULL);
  for (PetscInt b = 0; b < num_bolts && preload->found; b++)
    preload->system->bolts[b].tension = preload->tension[(preload->num_stages - 1) * num_bolts + b];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Tighten(const System *system, const SystemForces *total, Preload *preload, State **state)
{
  Statics    *statics;
  Tightening *tightening;

  PetscFunctionBegin;
  PetscCall(StaticsCreate(system, &preload->floating, preload->keys.tolerance, preload->keys.max_iterations, &statics));
  PetscCall(TighteningCreate(statics, &tightening));
  PetscCall(StaticsStart(statics, state));
  statics->closed_first = PETSC_TRUE;
  PetscCall(TightenAll(preload, total, tightening, *state));
  preload->iterations = (*state)->iterations;
  preload->halved     = (*state)->halved;
  preload->num_held   = (*state)->num_held;
  PetscCall(TighteningDestroy(&tightening));
  PetscCall(StaticsDestroy(&statics));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* By all ranks alike, or by one that the others help. */
static PetscErrorCode Compute(const Study *study, const ModeCache *cache, const SystemForces *total)
{
  const System *const system  = cache->system;
  Preload            *preload = study->data;
  PetscBool           leads;

  PetscFunctionBegin;
  PetscCall(DeflectionsCreate(system, preload->num_stages, &preload->deflections));
  PetscCall(SystemLead(system, &leads));
  if (leads) {
    PetscCall(Tighten(system, total, preload, &preload->rest));
    PetscCall(SystemDismiss(system));
  }
  PetscCall(SystemShareState(system, RowsPadded(system->names.num_nonlinear), &preload->rest));
  PetscCall(PreloadShare(system, preload));
  if (preload->end.found) PetscCall(PreloadGive(system, preload));
  if (preload->end.found) PetscCall(PreloadGiveLayers(cache->model, preload));
  if (preload->end.found) PetscCall(BuildAbout(study, cache, preload->rest));
  else PetscCall(Complain(study, &preload->end));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Prepare(Study *study, ModeCache *cache, const Result *result)
{
  const PetscInt before  = InputNumComplaints(InputDocumentOf(study->node));
  Preload       *preload = study->data;
  SystemForces   total;

  PetscFunctionBegin;
  PetscCall(SystemForcesCreate(cache->system, &total));
  for (PetscInt l = 0; l < preload->num_loads; l++) PetscCall(LoadAddForces(&preload->loads[l], cache, &total));
  PetscCall(FloatingFind(cache, &preload->floating));
  PetscCall(PreloadFieldsCheck(study, cache, ResultPath(result)));
  if (InputNumComplaints(InputDocumentOf(study->node)) == before) PetscCall(Compute(study, cache, &total));
  PetscCall(SystemForcesDestroy(&total));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static ModeCache *Offer(const Study *study)
{
  Preload *preload = study->data;

  return preload->found ? &preload->cache : NULL;
}

static PetscErrorCode Run(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  PetscFunctionBegin;
  PetscCall(PreloadPrint(study, cache->system, study->data));
  PetscCall(PreloadFieldsWrite(study, cache, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind study_preload = {
  .name     = "preload",
  .summary  = "bolts tightened one after another, and the state about which other studies move",
  .tables   = tables,
  .outputs  = preload_outputs,
  .read     = Read,
  .group    = StudyOwnGroup,
  .describe = Describe,
  .prepare  = Prepare,
  .offer    = Offer,
  .run      = Run,
  .destroy  = Destroy,
};
