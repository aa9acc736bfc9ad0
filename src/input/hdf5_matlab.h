/* hdf5_matlab.h - what MATLAB keeps in HDF5 files (v7.3) in ways of its own: sparse matrices, texts, cell arrays. Not for other rooms. */
#pragma once
#include <hdf5.h>
#include "dataset.h"

/* Whether MATLAB's header stands before the HDF5 file. */
PetscBool HDF5IsMatlab(const char *file);
/* Says what a dataset is that holds no numbers: a text, a cell array. */
void HDF5RefuseMatlabClass(hid_t dataset, const char *path, DatasetReport *report);
/* A group with the numbers, their rows, and where each column begins. */
PetscBool HDF5IsMatlabSparse(hid_t object);
void      HDF5LoadMatlabSparse(hid_t group, const char *path, DatasetReport *report, void **bytes);
/* A matrix of characters, a text in each row; or a cell array of texts. */
void HDF5LoadMatlabTexts(hid_t dataset, const char *path, DatasetReport *report, void **bytes);
