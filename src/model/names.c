/* names.c - what the words of a case call things, before there is any matrix. */
#include "parts.h"

/* Whether there will be a matrix of damping. */
static PetscBool HasDampers(const Model *model)
{
  PetscBool has = (PetscBool)(model->matrices.damping != NULL);

  for (PetscInt l = 0; l < model->num_links; l++) has = (PetscBool)(has || model->links[l].damping != 0.0);
  for (PetscInt r = 0; r < model->num_rows; r++)
    for (PetscInt l = 0; l < model->rows[r].num_laws; l++) {
      const unsigned traits = model->rows[r].laws[l].law->traits;

      has = (PetscBool)(has || ((traits & JOINT_LINEAR) && (traits & JOINT_VISCOUS)));
    }
  return has;
}

/* A System that has names and nothing else. */
static PetscErrorCode Draft(const Model *model, const Numbering *numbering, System *system)
{
  PetscFunctionBegin;
  PetscCall(PointsBuild(model, numbering, system));
  PetscCall(MatricesAddMotions(model, numbering, system));
  PetscCall(JointsBuild(model, numbering, system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModelNames(const Model *model, Names *names)
{
  Numbering numbering;
  System   *system;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(names, sizeof(*names)));
  if (InputNumComplaints(InputDocumentOf(model->root))) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(NumberingCreate(&model->points, &numbering));
  PetscCall(MasslessNumber(model, &numbering));
  PetscCall(SystemCreate(numbering.num_unknowns, &system));
  if (numbering.num_unknowns == numbering.num_massless + numbering.num_moving && !(model->meshed && MeshedPartMoves(model->meshed)))
    PetscCall(InputComplain(model->root, "nothing in this structure can move: every direction of every point is held by the ground"));
  else PetscCall(Draft(model, &numbering, system));
  PetscCall(SystemTakeNames(system, names));
  for (PetscInt i = 0; i < model->num_patterns; i++) PetscCall(NamesAddPattern(names, model->patterns[i].name));
  for (PetscInt b = 0; b < model->num_bolts; b++) PetscCall(NamesAddBolt(names, model->bolts[b].name));
  if (MasslessIsCondensed(model)) NamesCondense(names, numbering.num_massless);
  PetscCall(NamesHold(names, MasslessIsCondensed(model) ? numbering.num_moving : 0));
  names->num_modes     = names->num_unknowns;
  names->modal_damping = (PetscBool)(model->damping.ratios.count > 0);
  names->dampers       = HasDampers(model);
  names->lumped        = (PetscBool)(!model->meshed && model->matrices.size == 0 && names->num_contacts == 0);
  if (model->meshed) MeshedPartName(model->meshed, names);
  if (names->num_modes) PetscCall(DampingCheck(model, names));
  names->known = (PetscBool)(InputNumComplaints(InputDocumentOf(model->root)) == 0);
  PetscCall(SystemDestroy(&system));
  PetscCall(NumberingDestroy(&numbering));
  PetscFunctionReturn(PETSC_SUCCESS);
}
