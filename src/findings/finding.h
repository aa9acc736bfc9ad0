/* finding.h - what the files of the findings room share: a table at one place. */
#pragma once
#include "findings.h"

enum { FINDING_MAX_SIZES = 8 };

typedef enum { FACT_REAL, FACT_COUNT, FACT_TEXT } FactType;

typedef struct {
  const char *name;
  FactType    type;
  PetscReal   real;
  PetscInt64  count;
  char       *text;
} Fact;

/* A field of the table, here. */
typedef struct {
  ResultArray array;
  PetscBool   omitted;
  char       *unit;  /* NULL: that of the table */
  void       *given; /* rows that are known beforehand; NULL for none */
  PetscInt    num_texts;
  char      **texts; /* likewise, of texts */
} FindingPlace;

struct Finding {
  const OutputTable *table;
  char              *path;
  PetscInt           number; /* among those of the study */
  PetscInt           num_fields, num_sizes, num_facts;
  FindingPlace      *places; /* [num_fields] */
  const char        *dimension[FINDING_MAX_SIZES];
  PetscInt64         size[FINDING_MAX_SIZES];
  Fact              *facts;
};

struct Findings {
  PetscInt  count, capacity;
  Finding **list;
};

PetscErrorCode FindingReserve(Finding *finding, Result *result);
PetscErrorCode FindingDestroy(Finding **finding);
