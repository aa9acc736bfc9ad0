/* universal.c - a universal file: units, nodes and elements, then what is chosen of modes, histories, frequency responses and spectra. */
#include "universal.h"
#include "names.h"
#include <stdio.h>
#include <string.h>

void UniversalBegin(const Universal *universal, int number)
{
  fprintf(universal->out, "    -1\n%6d\n", number);
}

void UniversalEnd(const Universal *universal)
{
  fputs("    -1\n", universal->out);
}

void UniversalPlaceOf(const Universal *universal, const char *motion, UniversalPlace *place)
{
  const char *const blank = strrchr(motion, ' ');

  *place = (UniversalPlace){0};
  for (PetscInt d = 0; blank && d < NUM_DIRECTIONS; d++)
    if (!strcmp(blank + 1, direction_names[d])) place->direction = d + 1;
  snprintf(place->name, sizeof(place->name), "%.*s", place->direction ? (int)(blank - motion) : (int)strlen(motion), motion);
  for (PetscInt n = 0; n < universal->num_nodes; n++)
    if (!strcmp(universal->nodes[n], place->name)) place->node = universal->before + n + 1;
}

/* The points of /system/motions, each once. */
static PetscErrorCode FindNodes(Universal *universal)
{
  const Entry *const motions = CatalogueFind(universal->catalogue, "/system/motions");
  UniversalPlace     place;
  PetscErrorCode     code;
  char              *texts;

  PetscFunctionBegin;
  if (!motions || motions->type != RESULT_TEXT) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1((size_t)EntryRows(motions) * EntryItemBytes(motions) + 1, &texts));
  PetscCall(PetscCalloc1(EntryRows(motions) + 1, &universal->nodes));
  code = EntryReadRows(universal->catalogue, motions, 0, EntryRows(motions), texts);
  for (PetscInt m = 0; m < EntryRows(motions) && code == PETSC_SUCCESS; m++) {
    UniversalPlaceOf(universal, texts + (size_t)m * EntryItemBytes(motions), &place);
    if (!place.node) memcpy(universal->nodes[universal->num_nodes++], place.name, sizeof(place.name));
  }
  PetscCall(PetscFree(texts));
  PetscFunctionReturn(code);
}

/* Of points of a mesh the result says where they are. */
static PetscErrorCode FindPlaces(Universal *universal)
{
  const Entry *const names = CatalogueFind(universal->catalogue, "/system/mesh_points"), *const places =
                                                                                           CatalogueFind(universal->catalogue, "/system/mesh_places");
  PetscErrorCode code;
  PetscReal(*found)[3];
  UniversalPlace place;
  char          *texts;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(universal->num_nodes, &universal->places));
  if (!names || !places || names->type != RESULT_TEXT || places->type != RESULT_REAL || EntryWidth(places) != 3 ||
      EntryRows(places) != EntryRows(names))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(EntryRows(names), &found));
  PetscCall(PetscCalloc1((size_t)EntryRows(names) * EntryItemBytes(names) + 1, &texts));
  code = EntryReadRows(universal->catalogue, names, 0, EntryRows(names), texts);
  if (code == PETSC_SUCCESS) code = EntryReadRows(universal->catalogue, places, 0, EntryRows(places), found);
  for (PetscInt p = 0; p < EntryRows(names) && code == PETSC_SUCCESS; p++) {
    UniversalPlaceOf(universal, texts + (size_t)p * EntryItemBytes(names), &place);
    if (place.node) PetscCall(PetscArraycpy(universal->places[place.node - universal->before - 1], found[p], 3));
  }
  PetscCall(PetscFree(texts));
  PetscCall(PetscFree(found));
  PetscFunctionReturn(code);
}

/* Dataset 164: SI. */
static void WriteUnits(const Universal *universal)
{
  UniversalBegin(universal, 164);
  fprintf(universal->out, "%10d%-20s%10d\n", 1, "SI: Meter (newton)", 2);
  fprintf(universal->out, "%25s%25s%25s\n%25s\n", "1.0000000000000000D+00", "1.0000000000000000D+00", "1.0000000000000000D+00",
          "2.7314999999999998D+02");
  UniversalEnd(universal);
}

/* Dataset 2411. Where a point of no mesh is, a result does not know: it is put at the origin. */
static void WriteNodes(const Universal *universal)
{
  if (universal->num_nodes + universal->mesh.num_nodes == 0) return;
  UniversalBegin(universal, 2411);
  for (PetscInt n = 0; n < universal->mesh.num_nodes; n++) UniversalWriteNode(universal, universal->mesh.tags[n], universal->mesh.places + 3 * n);
  for (PetscInt n = 0; n < universal->num_nodes; n++) UniversalWriteNode(universal, universal->before + n + 1, universal->places[n]);
  UniversalEnd(universal);
}

static PetscErrorCode WriteAll(Universal *universal)
{
  PetscErrorCode code;

  PetscFunctionBegin;
  PetscCall(UniversalReadMesh(universal));
  code = FindNodes(universal);
  if (code == PETSC_SUCCESS) code = FindPlaces(universal);
  if (code) PetscFunctionReturn(code);
  WriteUnits(universal);
  WriteNodes(universal);
  UniversalWriteElements(universal);
  code = UniversalWriteModes(universal);
  if (code == PETSC_SUCCESS) code = UniversalWriteHistories(universal);
  if (code == PETSC_SUCCESS) code = UniversalWriteResponses(universal);
  if (code == PETSC_SUCCESS) code = UniversalWriteSpectra(universal);
  PetscFunctionReturn(code);
}

PetscErrorCode WriteUniversal(const Catalogue *catalogue, PetscBool binary, FILE *out)
{
  Universal      universal = {.catalogue = catalogue, .out = out, .binary = binary};
  PetscErrorCode code;
  char          *date;

  PetscFunctionBegin;
  PetscCall(AttributeGetTextByName(catalogue->file, "/case", "date", &date));
  snprintf(universal.date, sizeof(universal.date), "%s", date ? date : "NONE");
  PetscCall(PetscFree(date));
  code = WriteAll(&universal);
  PetscCall(PetscFree(universal.nodes));
  PetscCall(PetscFree(universal.places));
  PetscCall(UniversalFreeMesh(&universal));
  if (code == PETSC_SUCCESS && universal.num_modes + universal.num_functions == 0)
    PetscFunctionReturn(Refuse(catalogue->result, "nothing of what was chosen goes into a universal file: modes, histories over time and frequency "
                                                  "responses do, and spectra"));
  PetscFunctionReturn(code);
}
