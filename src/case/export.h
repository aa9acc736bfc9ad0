/* export.h - the System in the result, and what the key `export` of a case asks for. */
#pragma once
#include "case.h"

/* Names of motions and rows, and the matrices, if they are asked for or small, under /system. */
PetscErrorCode SystemWrite(const System *system, PetscBool matrices, Result *result);

/* What the key `export` of a case asks for. */
PetscErrorCode ExportRead(const InputNode *node, const Model *model, Export *export);
PetscErrorCode ExportDescribe(const Export *export, const System *system, FILE *out);
/* The layout, and its rows. */
PetscErrorCode ExportPrepare(Export *export, const System *system, Result *result);
PetscErrorCode ExportRun(const Export *export, const System *system, const Result *result);
