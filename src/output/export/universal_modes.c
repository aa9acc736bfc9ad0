/* universal_modes.c - dataset 55: real normal modes at points. */
#include "universal.h"
#include "names.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Modes of one state of the joints. */
typedef struct {
  char            group[PETSC_MAX_PATH_LEN];
  PetscInt        count, num_motions, num_values; /* values of each node: 3, or 6 where any turns */
  UniversalPlace *places;
  PetscReal      *frequency, *shape; /* [num_motions, count] */
} ModeTable;

static PetscErrorCode ReadPlaces(const Universal *universal, const Entry *shape, ModeTable *modes)
{
  char word[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  modes->num_values = 3;
  for (PetscInt m = 0; m < modes->num_motions; m++) {
    PetscCall(DimensionWord(universal->catalogue, shape, 0, m, sizeof(word), word));
    UniversalPlaceOf(universal, word, &modes->places[m]);
    if (modes->places[m].direction > 3) modes->num_values = NUM_DIRECTIONS;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Eleven lines before the nodes: what it is, its kind (a structure, normal modes, displacements, real), frequency and modal mass. */
static void WriteHead(const Universal *universal, const ModeTable *modes, PetscInt k)
{
  UniversalBegin(universal, 55);
  fprintf(universal->out, "%.60s mode %" PetscInt_FMT "\nNONE\n%.80s\nNONE\nNONE\n", modes->group, k + 1, universal->date);
  fprintf(universal->out, "%10d%10d%10d%10d%10d%10" PetscInt_FMT "\n", 1, 2, modes->num_values == 3 ? 2 : 3, 8, 2, modes->num_values);
  fprintf(universal->out, "%10d%10d%10d%10" PetscInt_FMT "\n", 2, 4, 1, k + 1);
  fprintf(universal->out, "%13.5E%13.5E%13.5E%13.5E\n", modes->frequency[k], 1.0, 0.0, 0.0);
}

static void WriteValues(const Universal *universal, PetscInt64 node, PetscInt count, const PetscReal values[])
{
  fprintf(universal->out, "%10" PetscInt64_FMT "\n", node);
  for (PetscInt d = 0; d < count; d++) fprintf(universal->out, "%13.5E", values[d]);
  fputc('\n', universal->out);
}

/* Nodes of the mesh, whose rotations a file for ParaView does not hold, and points. */
static PetscErrorCode WriteMode(const Universal *universal, const ModeTable *modes, PetscInt k)
{
  PetscReal *of_mesh;

  PetscFunctionBegin;
  PetscCall(UniversalReadShape(universal, modes->group, k, modes->frequency[k], &of_mesh));
  WriteHead(universal, modes, k);
  for (PetscInt n = 0; n < universal->mesh.num_nodes && of_mesh; n++) {
    PetscReal value[NUM_DIRECTIONS] = {0};

    for (PetscInt d = 0; d < 3; d++) value[d] = of_mesh[3 * n + d];
    WriteValues(universal, universal->mesh.tags[n], modes->num_values, value);
  }
  PetscCall(PetscFree(of_mesh));
  for (PetscInt n = 0; n < universal->num_nodes; n++) {
    PetscReal value[NUM_DIRECTIONS] = {0};

    for (PetscInt m = 0; m < modes->num_motions; m++)
      if (modes->places[m].node == universal->before + n + 1 && modes->places[m].direction)
        value[modes->places[m].direction - 1] = modes->shape[m * modes->count + k];
    WriteValues(universal, universal->before + n + 1, modes->num_values, value);
  }
  UniversalEnd(universal);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const Universal *universal, const Entry *frequency, const Entry *shape, ModeTable *modes)
{
  PetscErrorCode code;

  PetscFunctionBegin;
  code = EntryReadRows(universal->catalogue, frequency, 0, modes->count, modes->frequency);
  if (code == PETSC_SUCCESS) code = EntryReadRows(universal->catalogue, shape, 0, modes->num_motions, modes->shape);
  if (code == PETSC_SUCCESS) PetscCall(ReadPlaces(universal, shape, modes));
  PetscFunctionReturn(code);
}

static PetscErrorCode WriteState(Universal *universal, const Entry *shape)
{
  ModeTable      modes = {.count = EntryWidth(shape), .num_motions = EntryRows(shape)};
  const Entry   *frequency;
  PetscErrorCode code;

  PetscFunctionBegin;
  EntryGroup(shape, modes.group);
  frequency = CatalogueFind(universal->catalogue, "%s/frequency", modes.group);
  if (!frequency || frequency->type != RESULT_REAL || EntryRows(frequency) != modes.count) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc3(modes.num_motions, &modes.places, modes.count, &modes.frequency, modes.num_motions * modes.count, &modes.shape));
  code = Read(universal, frequency, shape, &modes);
  for (PetscInt k = 0; k < modes.count && code == PETSC_SUCCESS; k++) {
    if (isnan(modes.frequency[k])) continue; /* not computed yet */
    PetscCall(WriteMode(universal, &modes, k));
    universal->num_modes++;
  }
  PetscCall(PetscFree3(modes.places, modes.frequency, modes.shape));
  PetscFunctionReturn(code);
}

PetscErrorCode UniversalWriteModes(Universal *universal)
{
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < universal->catalogue->count && code == PETSC_SUCCESS; i++) {
    const Entry *const entry = &universal->catalogue->entries[i];

    if (!entry->chosen || entry->is_group || entry->type != RESULT_REAL || entry->num_dims != 2) continue;
    if (!strncmp(entry->path, "/modes/", 7) && !strcmp(strrchr(entry->path, '/'), "/shape")) code = WriteState(universal, entry);
  }
  PetscFunctionReturn(code);
}
