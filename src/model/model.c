/* model.c - what a case says about the structure, read and made into a System. */
#include "structure.h"

const InputTable *const model_tables[] = {&material_table,      &orthotropic_table,
                                          &part_table,          &section_table,
                                          &point_mass_table,    &point_table,
                                          &support_table,       &constraint_table,
                                          &craig_bampton_table, &guyan_table,
                                          &mass_table,          &spring_table,
                                          &damper_table,        &matrices_table,
                                          &modal_table,         &joint_table,
                                          &contact_table,       &frame_table,
                                          &pattern_table,       &damping_table,
                                          &rayleigh_table,      NULL};

PetscErrorCode ModelRead(const InputNode *root, const ModelNodes *nodes, Laws *laws, Model **model)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(model));
  (*model)->root = root;
  PetscCall(MassesRead(nodes->masses, *model));
  PetscCall(MatricesRead(nodes->matrices, *model));
  PetscCall(ModalRead(nodes->modal, *model));
  PetscCall(StructureRead(root, nodes, *model));
  if ((*model)->num_points == 0 && !(*model)->structure && InputNumComplaints(InputDocumentOf(root)) == 0)
    PetscCall(InputComplain(root, "this case has no structure: give masses, matrices, modal or a mesh"));
  PetscCall(PointsIndex(*model));
  PetscCall(MatricesIndex(*model));
  PetscCall(SpringsRead(nodes->springs, *model));
  PetscCall(DampersRead(nodes->dampers, *model));
  PetscCall(JointsRead(nodes->joints, laws, *model));
  PetscCall(PatternsRead(nodes->patterns, *model));
  PetscCall(DampingRead(nodes->damping, *model));
  PetscCall(StructureIndex(*model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelDescribe(const Model *model, FILE *out)
{
  PetscFunctionBegin;
  if (model->structure) PetscCall(StructureDescribe(model->structure, out));
  PetscCall(PatternsDescribe(model, out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ModelDescribeContacts(const Model *model, FILE *out)
{
  for (PetscInt c = 0; c < model->num_contacts; c++) ContactDescribe(&model->contacts[c], out);
}

PetscErrorCode ModelDestroy(Model **model)
{
  Model *const m = *model;

  PetscFunctionBegin;
  if (!m) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt r = 0; r < m->num_rows; r++) PetscCall(PetscFree(m->rows[r].laws));
  PetscCall(PetscFree(m->rows));
  for (PetscInt c = 0; c < m->num_contacts; c++) PetscCall(ContactDestroy(&m->contacts[c]));
  PetscCall(PetscFree(m->contacts));
  PetscCall(PetscFree(m->frames));
  PetscCall(PetscFree(m->links));
  PetscCall(PatternsDestroy(m));
  PetscCall(StructureDestroy(&m->structure));
  PetscCall(MatricesDestroy(&m->matrices));
  PetscCall(PetscFree(m->leader));
  PetscCall(PetscFree(m->sorted));
  PetscCall(PetscFree(m->names));
  PetscCall(PetscFree(m->points));
  PetscCall(PetscFree(*model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Fill(const Model *model, PetscReal patience, const Numbering *numbering, System *system)
{
  const InputDocument *const document       = InputDocumentOf(model->root);
  const PetscInt             num_complaints = InputNumComplaints(document);

  PetscFunctionBegin;
  PetscCall(PointsBuild(model, numbering, system));
  PetscCall(StructureBuild(model, patience, numbering, system));
  if (InputNumComplaints(document) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS); /* what follows would only repeat it */
  PetscCall(MatricesBuild(model, numbering, system));
  PetscCall(LinksBuild(model, numbering, system));
  PetscCall(JointsBuild(model, numbering, system));
  PetscCall(PatternsBuild(model, numbering, system));
  PetscCall(DampingBuild(model, numbering, system));
  PetscCall(SystemSetUp(system));
  PetscCall(InertiaCheck(model, numbering, system));
  PetscCall(StructureEstimate(model, system, patience));
  if (InputNumComplaints(document) == num_complaints) PetscCall(PatternsCheck(model, system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelBuild(const Model *model, PetscReal patience, System **system)
{
  const InputDocument *const document       = InputDocumentOf(model->root);
  const PetscInt             num_complaints = InputNumComplaints(document);
  Numbering                  numbering;

  PetscFunctionBegin;
  *system = NULL;
  PetscCall(NumberingCreate(model, &numbering));
  if (numbering.num_unknowns == 0 && !StructureMoves(model))
    PetscCall(InputComplain(model->root, "nothing in this structure can move: every direction of every point is held by the ground"));
  else {
    PetscCall(SystemCreate(numbering.num_unknowns, system));
    PetscCall(Fill(model, patience, &numbering, *system));
  }
  PetscCall(NumberingDestroy(&numbering));
  if (InputNumComplaints(document) > num_complaints) PetscCall(SystemDestroy(system));
  PetscFunctionReturn(PETSC_SUCCESS);
}
