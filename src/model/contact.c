/* contact.c - a joint whose sides are faces that touch: the laws of its parts, and how these move with the joint. */
#include "parts.h"

static PetscErrorCode FindRows(const InputNode *map, const char *joint, const PetscInt ends[2], Model *model, ModelContact *contact)
{
  const PetscInt num_directions = contact->area.size[0] > 0.0 ? NUM_DIRECTIONS : 3;
  PetscInt       num_rows       = 0;

  PetscFunctionBegin;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    contact->rows[d] = -1;
    if (d < num_directions) PetscCall(JointsFindRow(model, joint, map, ends, d, &contact->rows[d]));
    num_rows += contact->rows[d] >= 0;
  }
  if (num_rows == 0) PetscCall(InputComplain(map, "neither side can move: this contact would never act"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactRead(const InputNode *map, const char *joint, const PetscInt ends[2], Laws *laws, Model *model)
{
  ModelContact *contact = &model->contacts[model->num_contacts];

  PetscFunctionBegin;
  *contact = (ModelContact){.joint = joint, .node = map};
  PetscCall(ContactAreaRead(map, laws, &contact->area));
  if (!contact->area.law.law) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindRows(map, joint, ends, model, contact));
  model->num_contacts++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A part moves as its place on a rigid face does: by d + r x (rotations), r = (0, y, z) [eq. 7 of voldrich2009]. */
static PetscErrorCode AddRotations(const ModelContact *contact, PetscInt part, const PetscInt rows[], System *system)
{
  PetscReal middle[2];

  PetscFunctionBegin;
  ContactAreaMiddle(&contact->area, part, middle);
  PetscCall(SystemAddLawTerm(system, 0, rows[4], middle[1]));
  PetscCall(SystemAddLawTerm(system, 0, rows[5], -middle[0]));
  PetscCall(SystemAddLawTerm(system, 1, rows[3], -middle[1]));
  PetscCall(SystemAddLawTerm(system, 2, rows[3], middle[0]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddParts(const ModelContact *contact, System *system)
{
  PetscReal *y, *z;

  PetscFunctionBegin;
  if (!contact->area.law.law->inspect) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc2(ContactAreaNumParts(&contact->area), &y, ContactAreaNumParts(&contact->area), &z));
  for (PetscInt part = 0; part < ContactAreaNumParts(&contact->area); part++) {
    PetscReal middle[2];

    ContactAreaMiddle(&contact->area, part, middle);
    y[part] = middle[0];
    z[part] = middle[1];
  }
  PetscCall(SystemAddContact(system, contact->joint, ContactAreaNumParts(&contact->area), y, z));
  PetscCall(PetscFree2(y, z));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactBuild(const ModelContact *contact, const PetscInt added[], System *system)
{
  PetscReal parameters[JOINT_MAX_PARAMETERS];
  PetscInt  rows[NUM_DIRECTIONS], num_rows = 0;

  PetscFunctionBegin;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    rows[d] = contact->rows[d] < 0 ? -1 : added[contact->rows[d]];
    num_rows += rows[d] >= 0;
  }
  if (num_rows == 0) {
    PetscCall(InputComplain(contact->node, "its two sides cannot move against each other: this contact would never act"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(AddParts(contact, system));
  for (PetscInt part = 0; part < ContactAreaNumParts(&contact->area); part++) {
    ContactAreaPart(&contact->area, part, parameters);
    PetscCall(SystemAddLaw(system, contact->area.law.law, parameters, rows));
    PetscCall(AddRotations(contact, part, rows, system));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ContactDescribe(const ModelContact *contact, FILE *out)
{
  fprintf(out, "    contact %s: ", contact->joint);
  ContactAreaDescribe(&contact->area, out);
  fprintf(out, "\n");
}
