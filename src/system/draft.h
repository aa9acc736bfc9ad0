/* draft.h - a System that is being built: what was added, in the order it came. */
#pragma once
#include "system.h"

/* Entries of a sparse matrix; those at the same place add up. */
typedef struct {
  PetscInt   count, capacity;
  PetscInt  *i, *j;
  PetscReal *value;
} Entries;

/* A law before laws are gathered into blocks. */
typedef struct {
  const JointLaw *law;
  PetscReal       parameters[JOINT_MAX_PARAMETERS];
  PetscReal       area, gap; /* 0: the law is not one of a unit of area */
} DraftLaw;

/* The place of a law: point `point` of block `block`; -1 for linear laws, which are in no block. */
typedef struct {
  PetscInt block, point;
} LawPlace;

typedef struct SystemDraft {
  Entries   mass, stiffness, damping, joint_map, point_map, base, force;
  Entries   law_map; /* row law * JOINT_MAX_DIM + component, column a row of B; in the order of the laws */
  PetscInt  num_laws, laws_capacity, patterns_capacity, contacts_capacity, bolts_capacity;
  DraftLaw *laws;
} SystemDraft;

/* Entries of unknown -1 are left out. */
PetscErrorCode EntriesAdd(Entries *entries, PetscInt i, PetscInt j, PetscReal value);
PetscErrorCode EntriesToMatrix(const Entries *entries, PetscInt num_rows, PetscInt num_columns, Mat *matrix);
PetscErrorCode EntriesDestroy(Entries *entries);
/* Room for one more item in a growing array; the array may move. */
PetscErrorCode ArrayReserve(PetscInt count, PetscInt *capacity, size_t item_size, void *array);
/* The vector of `length` whose entry i is the sum of the entries (i, column). */
PetscErrorCode EntriesToVector(const Entries *entries, PetscInt column, PetscInt length, Vec *vector);
PetscErrorCode SystemDraftDestroy(SystemDraft **draft);

/* The law that entry e of the law map belongs to. Local. */
const DraftLaw *DraftLawOf(const SystemDraft *draft, PetscInt e);
/* The blocks of the nonlinear laws; wants the rows in order. */
PetscErrorCode SystemSetUpBlocks(System *system);
/* Areas, gaps and references of the blocks whose laws are of a unit of area; places[num_laws] say which point a law has become. */
PetscErrorCode SystemSpreadBlocks(System *system, const LawPlace places[]);
PetscErrorCode SystemBlockDestroy(SystemBlock *block);
PetscErrorCode SystemSupportsDestroy(System *system);
PetscErrorCode SystemReactionsDestroy(System *system);
/* In its place one of so many values. */
PetscErrorCode VectorReplace(Vec *vector, PetscInt count, const PetscReal values[]);
/* The shares of rows in the layers that they belong to. */
PetscErrorCode SystemSetUpLayers(System *system);
/* The forces of all patterns; wants the base. */
PetscErrorCode SystemSetUpPatterns(System *system);
