/* model.c - what a case says about the structure, read and made into a System. */
#include <string.h>
#include "parts.h"

// clang-format off
const InputTable *const model_tables[] = {
  &mesh_table, &material_table, &orthotropic_table, &part_table, &section_table, &point_mass_table, &point_table, &support_table,
  &support_frame_table, &constraint_table, &craig_bampton_table, &guyan_table, &modes_reduction_table, &mass_table, &spring_table, &damper_table,
  &matrices_table, &numbered_table, &modal_table, &joint_table, &contact_table, &frame_table, &pattern_table, &bolt_table, &damping_table, &rayleigh_table, &moving_table, NULL};
// clang-format on

static PetscErrorCode ReadMesh(const InputNode *root, const ModelNodes *nodes, Model *model)
{
  const MeshedNodes meshed = {.mesh        = nodes->mesh,
                              .materials   = nodes->materials,
                              .parts       = nodes->parts,
                              .points      = nodes->points,
                              .supports    = nodes->supports,
                              .constraints = nodes->constraints,
                              .reduction   = nodes->reduction,
                              .in_time     = nodes->in_time};

  PetscFunctionBegin;
  PetscCall(MeshedPartRead(root, &meshed, &model->points, &model->meshed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelRead(const InputNode *root, const ModelNodes *nodes, Laws *laws, Model **model)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(model));
  (*model)->root  = root;
  (*model)->nodes = *nodes;
  (*model)->laws  = laws;
  PetscCall(MassesRead(nodes->masses, *model));
  PetscCall(MatricesRead(nodes->matrices, *model));
  PetscCall(ModalRead(nodes->modal, *model));
  (*model)->num_lumped = (*model)->points.count;
  PetscCall(ReadMesh(root, nodes, *model));
  if ((*model)->points.count == 0 && !(*model)->meshed && InputNumComplaints(InputDocumentOf(root)) == 0)
    PetscCall(InputComplain(root, "this case has no structure: give masses, matrices, modal or a mesh"));
  PetscCall(PointsIndex(&(*model)->points));
  PetscCall(MatricesIndex(*model));
  PetscCall(SpringsRead(nodes->springs, *model));
  PetscCall(DampersRead(nodes->dampers, *model));
  PetscCall(JointsRead(nodes->joints, laws, *model));
  PetscCall(PatternsRead(nodes->patterns, *model));
  PetscCall(BoltsRead(nodes->bolts, *model));
  PetscCall(DampingRead(nodes->damping, *model));
  if ((*model)->meshed) PetscCall(MeshedPartIndex((*model)->meshed));
  PetscCall(MovingSupportsRead(nodes->moving, *model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelDescribe(const Model *model, FILE *out)
{
  PetscFunctionBegin;
  if (model->meshed_model) PetscCall(MeshedModelDescribe(model->meshed_model, out));
  PetscCall(PatternsDescribe(model, out));
  BoltsDescribe(model, out);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ModelDescribeContacts(const Model *model, FILE *out)
{
  for (PetscInt c = 0; c < model->num_contacts; c++) ContactDescribe(&model->contacts[c], out);
  for (PetscInt f = 0; f < model->num_faces; f++) FacesDescribe(&model->faces[f], out);
}

/* What one that was joined anew shares. */
static PetscErrorCode DestroyMasses(Model *m)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(m->moving));
  PetscCall(PatternsDestroy(m));
  PetscCall(BoltsDestroy(m));
  PetscCall(MeshedPartDestroy(&m->meshed));
  PetscCall(MatricesDestroy(&m->matrices));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelDestroy(Model **model)
{
  Model *const m = *model;

  PetscFunctionBegin;
  if (!m) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt r = 0; r < m->num_rows; r++) PetscCall(PetscFree(m->rows[r].laws));
  PetscCall(PetscFree(m->rows));
  for (PetscInt c = 0; c < m->num_contacts; c++) PetscCall(ContactAreaDestroy(&m->contacts[c].area));
  PetscCall(PetscFree(m->contacts));
  for (PetscInt f = 0; f < m->num_faces; f++) PetscCall(FacesDestroy(&m->faces[f]));
  PetscCall(PetscFree(m->faces));
  PetscCall(PetscFree(m->frames));
  PetscCall(PetscFree(m->links));
  PetscCall(SystemDestroy(&m->whole));
  PetscCall(MeshedModelDestroy(&m->meshed_model));
  if (!m->same) PetscCall(DestroyMasses(m));
  PetscCall(PointsDestroy(&m->points));
  PetscCall(LawsDestroy(&m->own_laws));
  PetscCall(PetscFree(*model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool TakesTooLong(const Model *model)
{
  return (PetscBool)(model->meshed_model && MeshedModelTakesTooLong(model->meshed_model));
}

/* What supports of the mesh take in motions; on modes it comes with these. */
static PetscErrorCode ReactionsBuild(const Model *model, System *system)
{
  PetscFunctionBegin;
  if (!model->nodes.reactions || !model->meshed) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SystemAddReactions(system, NUM_DIRECTIONS * MeshedPartNumSupports(model->meshed)));
  if (MeshedPartKeepsMotions(model->meshed)) PetscCall(MeshedModelSetReactions(model->meshed_model, system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All that is not the mesh. */
static PetscErrorCode FillRest(const Model *model, const Numbering *numbering, System *system)
{
  PetscFunctionBegin;
  PetscCall(MatricesBuild(model, numbering, system));
  PetscCall(LinksBuild(model, numbering, system));
  PetscCall(JointsBuild(model, numbering, system));
  PetscCall(PatternsBuild(model, system));
  PetscCall(BoltsBuild(model, system));
  PetscCall(DampingBuild(model, system));
  PetscCall(SystemSetUp(system));
  PetscCall(ReactionsBuild(model, system));
  if (model->rest) PetscCall(SystemRestAt(system, model->at_rest, model->rest));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* For the modes of a mesh that the case does not reduce: tied to the mesh, while the System for motions in time is reduced. */
static PetscErrorCode BuildWhole(Model *model, const Numbering *numbering)
{
  PetscFunctionBegin;
  PetscCall(SystemCreate(numbering->num_unknowns, &model->whole));
  PetscCall(PointsBuild(model, numbering, model->whole));
  PetscCall(MeshedModelTie(model->meshed_model, model->whole));
  PetscCall(FillRest(model, numbering, model->whole));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On the unknowns of the mesh: of each pattern, and V of each bolt. */
static PetscErrorCode ListForces(const Model *model, Vec **pressure, Vec **bolts)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(model->num_patterns, pressure, model->num_bolts, bolts));
  for (PetscInt p = 0; p < model->num_patterns; p++) (*pressure)[p] = model->patterns[p].forces;
  for (PetscInt b = 0; b < model->num_bolts; b++) (*bolts)[b] = model->bolts[b].shank.forces;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReduceToModes(Model *model, const Numbering *numbering, System *system)
{
  const InputDocument *const document       = InputDocumentOf(model->root);
  const PetscInt             num_complaints = InputNumComplaints(document);
  Vec                       *pressure, *bolts;

  PetscFunctionBegin;
  PetscCall(ListForces(model, &pressure, &bolts));
  PetscCall(MeshedModelReduceToModes(model->meshed_model, pressure, bolts, model->rest ? model->at_rest : NULL, system));
  PetscCall(PetscFree2(pressure, bolts));
  if (InputNumComplaints(document) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  if (MeshedPartSaysReduction(model->meshed)) PetscCall(MeshedModelForgetContinuum(model->meshed_model));
  else PetscCall(BuildWhole(model, numbering));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Under stresses it is another one. */
static PetscBool SharesMesh(const Model *model)
{
  return (PetscBool)(model->same && model->same->meshed_model && model->meshed == model->same->meshed);
}

static PetscErrorCode Fill(Model *model, PetscReal patience, const Numbering *numbering, System *system)
{
  const InputDocument *const document       = InputDocumentOf(model->root);
  const PetscInt             num_complaints = InputNumComplaints(document);

  PetscFunctionBegin;
  PetscCall(PointsBuild(model, numbering, system));
  if (SharesMesh(model)) PetscCall(MeshedModelShare(model->same->meshed_model, numbering, system, &model->meshed_model));
  else if (model->meshed) PetscCall(MeshedModelBuild(model->meshed, patience, numbering, system, &model->meshed_model));
  if (InputNumComplaints(document) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS); /* what follows would only repeat it */
  if (TakesTooLong(model)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FillRest(model, numbering, system));
  PetscCall(InertiaCheck(model, numbering, system));
  if (model->meshed) PetscCall(MeshedModelEstimate(model->meshed_model, system, patience));
  if (InputNumComplaints(document) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  if (TakesTooLong(model)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MasslessCondense(model, numbering, system));
  if (InputNumComplaints(document) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MovingSupportsHold(model, numbering, system));
  if (model->meshed && MeshedPartWantsModes(model->meshed)) PetscCall(ReduceToModes(model, numbering, system));
  if (InputNumComplaints(document) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PatternsCheck(model, system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelBuild(Model *model, PetscReal patience, System **system)
{
  const InputDocument *const document       = InputDocumentOf(model->root);
  const PetscInt             num_complaints = InputNumComplaints(document);
  Numbering                  numbering;

  PetscFunctionBegin;
  PetscCall(SystemDestroy(&model->whole));
  PetscCall(MeshedModelDestroy(&model->meshed_model));
  PetscCall(NumberingCreate(&model->points, &numbering));
  PetscCall(MasslessNumber(model, &numbering));
  PetscCall(SystemCreate(numbering.num_unknowns, system));
  PetscCall(Fill(model, patience, &numbering, *system));
  PetscCall(NumberingDestroy(&numbering));
  if (InputNumComplaints(document) > num_complaints || TakesTooLong(model)) PetscCall(SystemDestroy(system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Its mesh under the stresses that are there. */
static PetscErrorCode Stress(const ModelStress *given, Model *about)
{
  const MeshedBolt **bolts;
  MeshedStress       stress = {
          .node = given->node, .motion = given->motion, .num_bolts = about->num_bolts, .shift = given->shift, .tension = given->tension};

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(about->num_bolts, &bolts));
  for (PetscInt b = 0; b < about->num_bolts; b++) bolts[b] = &about->bolts[b].shank;
  stress.bolts = bolts;
  PetscCall(MeshedPartStress(about->meshed, &stress, &about->stressed));
  about->meshed = about->stressed;
  PetscCall(PetscFree(bolts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelRestAt(const Model *model, const System *same, const State *state, const ModelStress *stress, Model **about, System **system)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(about));
  **about                = *model;
  (*about)->meshed_model = NULL;
  (*about)->whole        = NULL;
  (*about)->at_rest      = same;
  (*about)->rest         = state;
  (*about)->stressed     = NULL;
  if (stress) PetscCall(Stress(stress, *about));
  PetscCall(ModelBuild(*about, PETSC_INFINITY, system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelFindStresses(const Model *model, const ModelStress *stress, PetscReal nodes[], PetscReal elements[])
{
  Model view = *model;

  PetscFunctionBegin;
  if (!stress->shift) view.num_bolts = 0;
  PetscCall(Stress(stress, &view));
  PetscCall(MeshedPartFindStresses(view.stressed, nodes, elements));
  PetscCall(MeshedPartForget(&view.stressed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelFindPointStresses(const Model *model, const ModelStress *stress, PetscInt points, PetscReal values[])
{
  Model view = *model;

  PetscFunctionBegin;
  if (!stress->shift) view.num_bolts = 0;
  PetscCall(Stress(stress, &view));
  PetscCall(MeshedPartFindPointStresses(view.stressed, points, values));
  PetscCall(MeshedPartForget(&view.stressed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelFindReactions(const Model *model, Vec motion, const MeshedLoads *loads, const PetscReal patterns[], PetscReal reactions[])
{
  Model           view = *model;
  MeshedLoads     all  = *loads;
  MeshedPressure *pressures;

  PetscFunctionBegin;
  view.num_bolts = 0;
  PetscCall(PetscMalloc1(model->num_patterns, &pressures));
  PetscCall(PatternsAdd(model, patterns, all.gravity, &all.num_pressures, pressures));
  all.pressures = pressures;
  PetscCall(Stress(&(ModelStress){.motion = motion}, &view));
  PetscCall(MeshedPartFindReactions(view.stressed, &all, reactions));
  PetscCall(MeshedPartForget(&view.stressed));
  PetscCall(PetscFree(pressures));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelRevise(const Model *model, Model **revised, System **system)
{
  const InputDocument *const document       = InputDocumentOf(model->root);
  const PetscInt             num_complaints = InputNumComplaints(document);
  ModelNodes                 nodes          = model->nodes;
  Laws                       laws           = {0};

  PetscFunctionBegin;
  *system         = NULL;
  nodes.reduction = NULL;
  nodes.in_time   = PETSC_FALSE;
  nodes.reactions = PETSC_FALSE;
  PetscCall(LawsRead(model->laws->node, &laws));
  PetscCall(ModelRead(model->root, &nodes, &laws, revised));
  (*revised)->own_laws = laws;
  (*revised)->laws     = &(*revised)->own_laws;
  if (InputNumComplaints(document) == num_complaints) PetscCall(ModelBuild(*revised, PETSC_INFINITY, system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelDeflect(const Model *model, PetscInt count, const PetscReal forces[], Mat *motion)
{
  Model     tied = *model; /* not reduced */
  System   *system;
  Vec      *pressure, *bolts;
  Numbering numbering;

  PetscFunctionBegin;
  *motion           = NULL;
  tied.meshed_model = NULL;
  PetscCall(NumberingCreate(&tied.points, &numbering));
  PetscCall(SystemCreate(numbering.num_unknowns, &system));
  PetscCall(PointsBuild(&tied, &numbering, system));
  PetscCall(MeshedModelBuild(tied.meshed, PETSC_INFINITY, &numbering, system, &tied.meshed_model));
  PetscCall(FillRest(&tied, &numbering, system));
  PetscCall(ListForces(&tied, &pressure, &bolts));
  PetscCall(MeshedModelDeflect(tied.meshed_model, pressure, bolts, system, count, forces, motion));
  PetscCall(PetscFree2(pressure, bolts));
  PetscCall(SystemDestroy(&system));
  PetscCall(MeshedModelDestroy(&tied.meshed_model));
  PetscCall(NumberingDestroy(&numbering));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const FacePoints *ModelFacePoints(const Model *model, const char *joint)
{
  for (PetscInt f = 0; f < model->num_faces; f++)
    if (!strcmp(model->faces[f].joint, joint)) return model->faces[f].points;
  return NULL;
}

PetscErrorCode ModelForget(Model **about)
{
  PetscFunctionBegin;
  if (!*about) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SystemDestroy(&(*about)->whole));
  PetscCall(MeshedModelDestroy(&(*about)->meshed_model));
  PetscCall(MeshedPartForget(&(*about)->stressed));
  PetscCall(PetscFree(*about));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal ModelMemory(const Model *model)
{
  return model->meshed_model ? MeshedModelMemory(model->meshed_model) : 0.0;
}

const Mesh *ModelMesh(const Model *model)
{
  return model->meshed ? MeshedPartMesh(model->meshed) : NULL;
}

PetscBool ModelIsReduced(const Model *model)
{
  return (PetscBool)(model->meshed && MeshedPartIsReduced(model->meshed));
}

const MeshedPart *ModelMeshed(const Model *model)
{
  return model->meshed;
}

const MeshedModel *ModelMeshedModel(const Model *model)
{
  return model->meshed_model;
}

const System *ModelWhole(const Model *model)
{
  return model->whole;
}
