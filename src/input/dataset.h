/* dataset.h - what rank 0 finds at a path of a file of datasets: numbers, or texts. Not for other rooms. */
#pragma once
#include "input_private.h"

enum { DATASET_FAULT = 1000, DATASET_MAX_TOLD = 20, DATASET_MAX_TEXT_BYTES = 16000000 };

/* An entry of a sparse matrix, from 0. */
typedef struct {
  PetscInt64 row, column;
  double     value;
} DatasetEntry;

/* Rank 0 broadcasts it, and then the bytes. */
typedef struct {
  PetscInt64 rows, columns;
  PetscBool  sparse;     /* the bytes are entries; otherwise all numbers, */
  PetscBool  by_columns; /* column by column, not row by row; or texts, each with a NUL, one a row */
  PetscInt64 num_bytes;
  char       fault[DATASET_FAULT]; /* empty when all is well */
} DatasetReport;

typedef enum { DATASET_NUMBERS, DATASET_TEXTS } DatasetKind;

/* On rank 0 only; `bytes` is for the caller to free, and the report says what is wrong. */
typedef void (*DatasetLoader)(const char *file, const char *path, DatasetKind kind, DatasetReport *report, void **bytes);
void DatasetLoadHDF5(const char *file, const char *path, DatasetKind kind, DatasetReport *report, void **bytes);
void DatasetLoadMatlab(const char *file, const char *path, DatasetKind kind, DatasetReport *report, void **bytes);

/* The first fault is the cause of later ones. */
void DatasetFault(DatasetReport *report, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
/* Room for a matrix whose sizes are in the report, or for its entries; NULL after a fault. */
double       *DatasetReserveNumbers(const char *path, DatasetReport *report, void **bytes);
DatasetEntry *DatasetReserveEntries(const char *path, PetscInt64 count, DatasetReport *report, void **bytes);
/* Room for as many texts as the report has rows, of so many bytes each; then adds one without its padding. */
char *DatasetReserveTexts(const char *path, size_t size, DatasetReport *report, void **bytes);
void  DatasetAddText(const char *text, size_t length, DatasetReport *report, char packed[]);
/* ", NAME" */
void DatasetTell(const char *name, PetscInt64 index, char list[], size_t size);
