/* gmsh.c - .msh files as a list of sections, of which those of a mesh are read and all others skipped. */
#include "gmsh.h"
#include <string.h>

enum { TEXT_FILE, BINARY_FILE };

typedef PetscErrorCode (*ReadSection)(Scanner *scanner, Draft *draft);

/* In the order in which they must come. */
static const struct {
  const char *name;
  ReadSection read2, read4; /* NULL: not a section of this version */
} sections[] = {
  {"PhysicalNames", GmshReadNames, GmshReadNames},
  {"Entities", NULL, GmshReadEntities},
  {"PartitionedEntities", NULL, GmshReadPartitionedEntities},
  {"Nodes", GmshReadNodes2, GmshReadNodes4},
  {"Elements", GmshReadElements2, GmshReadElements4},
};
enum { NUM_SECTIONS = sizeof sections / sizeof *sections };

/* The versions that are read, and which of the two layouts each has. */
static const struct {
  const char *name;
  PetscInt    layout;
} versions[] = {
  {"2", 2}, {"2.0", 2}, {"2.1", 2}, {"2.2", 2}, {"4.1", 4},
};

static PetscInt FindLayout(const char *version)
{
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
    if (strcmp(version, versions[i].name) == 0) return versions[i].layout;
  }
  return 0;
}

/* A binary file says 1 in the byte order of its machine. */
static void ReadByteOrder(Scanner *scanner)
{
  PetscInt64 one;

  scanner->binary = PETSC_TRUE;
  ScanInts(scanner, "the number 1 that tells the byte order", 1, &one);
  if (one == 1 || ScanFailed(scanner)) return;
  scanner->swapped = PETSC_TRUE;
  if (one != 0x01000000) ScanFail(scanner, scanner->at - 4, "expected the number 1 that tells the byte order, found %" PetscInt64_FMT, one);
}

static void ReadVersion(Scanner *scanner, PetscInt *version)
{
  const char *const at = ScanHere(scanner);
  char              word[SCAN_WORD];
  PetscInt64        kind[2];

  ScanWord(scanner, word);
  *version = FindLayout(word);
  if (*version == 0 && (*word < '0' || *word > '9')) {
    scanner->at = at;
    ScanFailExpected(scanner, "the version of the format, 2.2 or 4.1");
  } else if (*version == 0)
    ScanFail(scanner, at, "version %.20s of the format is not read, only 2.0 to 2.2 and 4.1: save it with `gmsh -save -format msh41`", word);
  ScanTextInts(scanner, "0 for a text file or 1 for a binary one, and the bytes of a number, 8", 2, kind);
  if (ScanFailed(scanner)) return;
  if (kind[0] != TEXT_FILE && kind[0] != BINARY_FILE)
    ScanFail(scanner, at, "expected 0 for a text file or 1 for a binary one behind the version, found %" PetscInt64_FMT, kind[0]);
  if (kind[1] != 8) ScanFail(scanner, at, "expected numbers of 8 bytes, found %" PetscInt64_FMT, kind[1]);
  ScanEndOfLine(scanner);
  if (kind[0] == BINARY_FILE) ReadByteOrder(scanner);
}

static PetscInt FindSection(const char *name, PetscInt version)
{
  for (PetscInt i = 0; i < NUM_SECTIONS; i++) {
    if (strcmp(name, sections[i].name) == 0 && (version == 2 ? sections[i].read2 : sections[i].read4)) return i;
  }
  return -1;
}

/* Refuses what comes again or too late: elements need their nodes, nodes their names. */
static void CheckOrder(Scanner *scanner, const char *at, PetscInt version, PetscInt section, PetscInt last)
{
  if (version == 0) ScanFail(scanner, at, "$%s comes before $MeshFormat", sections[section].name);
  else if (section == last) ScanFail(scanner, at, "$%s comes a second time", sections[section].name);
  else if (section < last) ScanFail(scanner, at, "$%s comes after $%s; expected before it", sections[section].name, sections[last].name);
  else if (section == NUM_SECTIONS - 1 && last != section - 1) ScanFail(scanner, at, "$Elements comes without $Nodes before it");
}

static void CheckComplete(Scanner *scanner, const Draft *draft, PetscInt version, PetscInt last)
{
  if (version == 0) ScanFail(scanner, scanner->at, "expected a .msh file of Gmsh, but there is no $MeshFormat");
  else if (last != NUM_SECTIONS - 1)
    ScanFail(scanner, scanner->at, "the file ends, and there is no $%s", last == NUM_SECTIONS - 2 ? "Elements" : "Nodes");
  else if (draft->num_elements == 0) ScanFail(scanner, scanner->at, "there are no elements: was the mesh made before it was saved?");
}

PetscErrorCode GmshRead(Scanner *scanner, Draft *draft)
{
  char     name[SCAN_WORD];
  PetscInt version = 0, last = -1;

  PetscFunctionBegin;
  while (ScanSection(scanner, name)) {
    const char *const at      = scanner->at - strlen(name) - 1;
    const PetscInt    section = FindSection(name, version);

    if (version == 0 && strcmp(name, "MeshFormat") == 0) {
      ReadVersion(scanner, &version);
      ScanSectionEnd(scanner, name);
    } else if (section < 0) {
      ScanSkipSection(scanner, name);
    } else {
      ScanEndOfLine(scanner);
      CheckOrder(scanner, at, version, section, last);
      if (!ScanFailed(scanner)) PetscCall((version == 2 ? sections[section].read2 : sections[section].read4)(scanner, draft));
      ScanSectionEnd(scanner, name);
      last = section;
    }
  }
  CheckComplete(scanner, draft, version, last);
  PetscFunctionReturn(PETSC_SUCCESS);
}
