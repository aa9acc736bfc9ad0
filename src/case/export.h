/* export.h - the System in the result, and what the key `export` of a case asks for. */
#pragma once
#include "case.h"

/* What lies under /system: names always, matrices if they are asked for or small, the map of a mesh if it is asked for. */
typedef enum {
  SYSTEM_MOTIONS,
  SYSTEM_JOINT_ROWS,
  SYSTEM_UNKNOWNS,
  SYSTEM_MASS,
  SYSTEM_STIFFNESS,
  SYSTEM_DAMPING,
  SYSTEM_MOTION_MAP,
  SYSTEM_JOINT_MAP,
  SYSTEM_JOINT_STIFFNESS,
  SYSTEM_JOINT_DAMPING,
  SYSTEM_STIFFNESS_STUCK,
  SYSTEM_STIFFNESS_SLIPPING,
  SYSTEM_RESIDUAL,
  SYSTEM_BASE_INERTIA,
  SYSTEM_MODAL_DAMPING,
  SYSTEM_MESH_MAP,
  SYSTEM_MESH_NODES,
  SYSTEM_MESH_DIRECTIONS,
  SYSTEM_MESH_POINTS,
  SYSTEM_MESH_PLACES
} SystemField;

/* Gives all that is known of the System; not the map of a mesh. Local. */
PetscErrorCode SystemGive(const System *system, PetscBool matrices, Finding *finding);
/* Where the points of a mesh are. Collective. */
PetscErrorCode SystemGivePlaces(const Names *names, const MeshedPart *meshed, Finding *finding);
/* Each dataset says what it holds in an attribute of that name. Once it is laid out; collective. */
PetscErrorCode SystemSayHolds(const Finding *finding, Result *result);

/* What the key `export` of a case asks for. */
PetscErrorCode ExportRead(const InputNode *node, const Model *model, Export *export);
PetscErrorCode ExportDescribe(const Export *export, const Names *names, FILE *out);
/* Adds /system to the findings. Local. */
PetscErrorCode ExportPrepare(Export *export, const System *system, Findings *findings);
/* Writes the map of a mesh. */
PetscErrorCode ExportRun(const Export *export, const System *system, const Result *result);
