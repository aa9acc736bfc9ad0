/*
  joined.c - a structure whose masses and mesh stay while the numbers of what joins them change: laws, joints, springs, dampers, damping.

  Numbers change neither which points there are nor which of them are tied, so that points, mesh, matrices, loads and supports are shared.
*/
#include <string.h>
#include "parts.h"

/* Faces of a mesh and solid bolts are read into the mesh: with them all of it is read again. */
ModelChange ModelChangeOf(const Model *model, const char *key)
{
  static const char *const kept[]    = {"title", "studies", "vary", "update", "export"};
  static const char *const joining[] = {"laws", "joints", "springs", "dampers", "damping"};

  for (size_t i = 0; i < PETSC_STATIC_ARRAY_LENGTH(kept); i++)
    if (!strcmp(key, kept[i])) return MODEL_KEPT;
  for (size_t i = 0; i < PETSC_STATIC_ARRAY_LENGTH(joining) && model && !model->num_faces && !model->num_bolts; i++)
    if (!strcmp(key, joining[i])) return MODEL_JOINED;
  return MODEL_REBUILT;
}

void ModelLend(Model *model)
{
  if (model->meshed) MeshedPartLend(model->meshed);
}

PetscBool ModelKeepsUnknowns(const Model *model, ModelChange change)
{
  if (change == MODEL_KEPT || !model || !model->meshed || !MeshedPartSaysReduction(model->meshed)) return PETSC_TRUE;
  return (PetscBool)(change == MODEL_JOINED && MeshedPartKeepsMotions(model->meshed));
}

/* Shares all that numbers of joints do not change. */
static void Share(const Model *model, Model *joined)
{
  *joined              = (Model){.same = model};
  joined->num_lumped   = model->num_lumped;
  joined->matrices     = model->matrices;
  joined->first_given  = model->first_given;
  joined->meshed       = model->meshed;
  joined->num_patterns = model->num_patterns;
  joined->patterns     = model->patterns;
  joined->num_moving   = model->num_moving;
  joined->moving       = model->moving;
}

PetscErrorCode ModelJoin(const Model *model, const InputNode *root, const ModelNodes *nodes, Laws *laws, Model **joined)
{
  Model *made;

  PetscFunctionBegin;
  PetscCall(PetscNew(joined));
  made = *joined;
  Share(model, made);
  made->root  = root;
  made->nodes = *nodes;
  made->laws  = laws;
  PetscCall(PointsCopy(&model->points, &made->points));
  PetscCall(SpringsRead(nodes->springs, made));
  PetscCall(DampersRead(nodes->dampers, made));
  PetscCall(JointsRead(nodes->joints, laws, made));
  PetscCall(DampingRead(nodes->damping, made));
  PetscFunctionReturn(PETSC_SUCCESS);
}
