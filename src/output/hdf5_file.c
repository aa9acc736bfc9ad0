/* hdf5_file.c - HDF5 files: made, opened, and what went wrong in them. */
#include "result.h"
#include <stdio.h>
#include <string.h>

PetscErrorCode QuietenHDF5(void)
{
  herr_t status;

  PetscFunctionBegin;
  CallHDF5(status, H5Eset_auto2, H5E_DEFAULT, NULL, NULL);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static herr_t KeepInnermost(unsigned depth, const H5E_error2_t *entry, void *message)
{
  if (depth == 0 && entry->desc) snprintf((char *)message, 128, "%s", entry->desc);
  return 0;
}

PetscErrorCode FailureOfHDF5(const char *function)
{
  char message[128] = "no reason given";

  PetscFunctionBegin;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, KeepInnermost, message);
  SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s: %s", function, message);
}

/* Whatever the environment says: plain file access, no locks of HDF5's own (ours guards the writer, and readers may look at any time).
   STRONG: closing the file closes what a failed call left open. */
static PetscErrorCode AccessCreate(hid_t *access)
{
  herr_t status;

  PetscFunctionBegin;
  CallHDF5(*access, H5Pcreate, H5P_FILE_ACCESS);
  CallHDF5(status, H5Pset_fapl_sec2, *access);
  CallHDF5(status, H5Pset_file_locking, *access, 0, 1);
  CallHDF5(status, H5Pset_fclose_degree, *access, H5F_CLOSE_STRONG);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The format of HDF5 1.8, which every HDF5 since then reads: its metadata have checksums, those of the format before have none. No times:
   equal contents make equal files. */
PetscErrorCode FileCreate(const char *path, hid_t *file)
{
  hid_t  access, properties;
  herr_t status;

  PetscFunctionBegin;
  PetscCall(AccessCreate(&access));
  CallHDF5(status, H5Pset_libver_bounds, access, H5F_LIBVER_V18, H5F_LIBVER_V18);
  CallHDF5(properties, H5Pcreate, H5P_FILE_CREATE);
  CallHDF5(status, H5Pset_obj_track_times, properties, 0);
  CallHDF5(*file, H5Fcreate, path, H5F_ACC_TRUNC, properties, access);
  CallHDF5(status, H5Pclose, properties);
  CallHDF5(status, H5Pclose, access);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* In the format of HDF5 1.0: the image of a later one has a wrong checksum in its head (H5Fget_file_image of HDF5 1.10). */
PetscErrorCode FileCreateInMemory(hid_t *file)
{
  const size_t increment = 65536;
  hid_t        access;
  herr_t       status;

  PetscFunctionBegin;
  PetscCall(AccessCreate(&access));
  CallHDF5(status, H5Pset_fapl_core, access, increment, 0);
  CallHDF5(*file, H5Fcreate, "in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  CallHDF5(status, H5Pclose, access);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GroupMake(hid_t file, const char *path)
{
  hid_t  properties, group;
  herr_t status;

  PetscFunctionBegin;
  CallHDF5(properties, H5Pcreate, H5P_GROUP_CREATE);
  CallHDF5(status, H5Pset_obj_track_times, properties, 0);
  CallHDF5(group, H5Gcreate2, file, path, H5P_DEFAULT, properties, H5P_DEFAULT);
  CallHDF5(status, H5Gclose, group);
  CallHDF5(status, H5Pclose, properties);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Those that HDF5 makes by itself on the way to an object have times. */
PetscErrorCode GroupsMake(hid_t file, const char *path)
{
  char group[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PathAppend(path, "", group));
  for (char *slash = strchr(group + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (H5Lexists(file, group, H5P_DEFAULT) <= 0) PetscCall(GroupMake(file, group));
    *slash = '/';
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FileOpenToChange(const char *path, hid_t *file)
{
  hid_t  access;
  herr_t status;

  PetscFunctionBegin;
  PetscCall(AccessCreate(&access));
  CallHDF5(status, H5Pset_libver_bounds, access, H5F_LIBVER_V18, H5F_LIBVER_V18);
  CallHDF5(*file, H5Fopen, path, H5F_ACC_RDWR, access);
  CallHDF5(status, H5Pclose, access);
  PetscFunctionReturn(PETSC_SUCCESS);
}

hid_t FileOpen(const char *path)
{
  hid_t access, file = H5I_INVALID_HID;

  if (AccessCreate(&access) != PETSC_SUCCESS) return file;
  if (H5Fis_hdf5(path) > 0) file = H5Fopen(path, H5F_ACC_RDONLY, access);
  H5Pclose(access);
  return file;
}

static herr_t AcceptAttribute(hid_t object, const char *name, const H5A_info_t *info, void *unused)
{
  (void)object, (void)name, (void)info, (void)unused;
  return 0;
}

static herr_t AcceptObject(hid_t file, const char *name, const H5O_info_t *info, void *unused)
{
  (void)info, (void)unused;
  return H5Aiterate_by_name(file, name, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, AcceptAttribute, NULL, H5P_DEFAULT);
}

/* HDF5 says of what it failed to read once that it is not there; so this comes first. */
PetscBool FileIsWhole(hid_t file)
{
  return (PetscBool)(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, AcceptObject, NULL) >= 0);
}
