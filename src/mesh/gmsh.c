/* gmsh.c - .msh files as a list of sections, of which those of a mesh are read and all others skipped. */
#include "gmsh.h"
#include <string.h>

enum { TEXT_FILE, BINARY_FILE };

typedef PetscErrorCode (*ReadSection)(Scanner *scanner, Draft *draft);

typedef enum { LAYOUT_1, LAYOUT_2, LAYOUT_40, LAYOUT_41, NUM_LAYOUTS, NO_LAYOUT = NUM_LAYOUTS } Layout;
typedef enum { NAMES, ENTITIES, PIECES, NODES, ELEMENTS, NUM_SECTIONS } Section;

/* NULL: not a section of this layout. */
static const struct {
  const char *name, *old_name; /* old: of version 1 */
  ReadSection read[NUM_LAYOUTS];
} sections[NUM_SECTIONS] = {
  [NAMES]    = {"PhysicalNames", "PhysicalNames", {GmshReadNames, GmshReadNames, GmshReadNames, GmshReadNames}},
  [ENTITIES] = {"Entities", "", {NULL, NULL, GmshReadEntities40, GmshReadEntities41}},
  [PIECES]   = {"PartitionedEntities", "", {NULL, NULL, GmshReadPartitionedEntities40, GmshReadPartitionedEntities41}},
  [NODES]    = {"Nodes", "NOD", {GmshReadNodes2, GmshReadNodes2, GmshReadNodes40, GmshReadNodes41}},
  [ELEMENTS] = {"Elements", "ELM", {GmshReadElements1, GmshReadElements2, GmshReadElements40, GmshReadElements41}},
};

static const struct {
  const char *name;
  Layout      layout;
} versions[] = {
  {"2", LAYOUT_2}, {"2.0", LAYOUT_2}, {"2.1", LAYOUT_2}, {"2.2", LAYOUT_2}, {"4", LAYOUT_40}, {"4.0", LAYOUT_40}, {"4.1", LAYOUT_41},
};

static Layout FindLayout(const char *version)
{
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
    if (strcmp(version, versions[i].name) == 0) return versions[i].layout;
  }
  return NO_LAYOUT;
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

/* In a text it says nothing. In binary files of 4.1 counts and tags have that size; of real numbers there are those of 8 bytes only. */
static void SetSize(Scanner *scanner, const char *at, Layout layout, PetscInt64 size)
{
  const PetscBool fine = (PetscBool)(size == 8 || (size == 4 && (!scanner->binary || layout == LAYOUT_41)));

  if (!fine) ScanFail(scanner, at, "expected numbers of 8 bytes, found %" PetscInt64_FMT, size);
  scanner->short_sizes = (PetscBool)(size == 4);
}

static void ReadVersion(Scanner *scanner, Layout *layout)
{
  const char *const at = ScanHere(scanner);
  char              word[SCAN_WORD];
  PetscInt64        kind[2];

  ScanWord(scanner, word);
  *layout = FindLayout(word);
  if (*layout == NO_LAYOUT && (*word < '0' || *word > '9')) {
    scanner->at = at;
    ScanFailExpected(scanner, "the version of the format, such as 2.2 or 4.1");
  } else if (*layout == NO_LAYOUT)
    ScanFail(scanner, at, "version %.20s of the format is not read, only 1, 2.0 to 2.2, 4.0 and 4.1: save it with `gmsh -save -format msh41`", word);
  ScanTextInts(scanner, "0 for a text file or 1 for a binary one, and the bytes of a number, 8", 2, kind);
  if (ScanFailed(scanner)) return;
  if (kind[0] != TEXT_FILE && kind[0] != BINARY_FILE)
    ScanFail(scanner, at, "expected 0 for a text file or 1 for a binary one behind the version, found %" PetscInt64_FMT, kind[0]);
  ScanEndOfLine(scanner);
  if (kind[0] == BINARY_FILE) ReadByteOrder(scanner);
  SetSize(scanner, at, *layout, kind[1]);
}

static const char *NameOf(Section section, Layout layout)
{
  return layout == LAYOUT_1 ? sections[section].old_name : sections[section].name;
}

static Section FindSection(const char *name, Layout layout)
{
  for (Section i = 0; i < NUM_SECTIONS; i++) {
    if (strcmp(name, NameOf(i, layout)) == 0 && (layout == NO_LAYOUT || sections[i].read[layout])) return i;
  }
  return NUM_SECTIONS;
}

static PetscBool WasSeen(PetscInt seen, Section section)
{
  return (PetscBool)(seen >> section & 1);
}

/* Refuses what comes again or too late: elements need their nodes and entities. Names may come anywhere. */
static void CheckOrder(Scanner *scanner, const char *at, Layout layout, Section section, PetscInt seen)
{
  const char *const name = NameOf(section, layout);

  if (layout == NO_LAYOUT) ScanFail(scanner, at, "$%s comes before $MeshFormat", name);
  else if (WasSeen(seen, section)) ScanFail(scanner, at, "$%s comes a second time", name);
  else if (section == ELEMENTS && !WasSeen(seen, NODES))
    ScanFail(scanner, at, "$%s comes without $%s before it", name, layout == LAYOUT_1 ? "NOD" : "Nodes");
  else if (section != NAMES && WasSeen(seen, ELEMENTS)) ScanFail(scanner, at, "$%s comes after $Elements; expected before it", name);
}

static void CheckComplete(Scanner *scanner, const Draft *draft, Layout layout, PetscInt seen)
{
  const PetscBool old = (PetscBool)(layout == LAYOUT_1);

  if (layout == NO_LAYOUT) ScanFail(scanner, scanner->at, "expected a .msh file of Gmsh, but there is no $MeshFormat");
  else if (!WasSeen(seen, NODES)) ScanFail(scanner, scanner->at, "the file ends, and there is no $%s", old ? "NOD" : "Nodes");
  else if (!WasSeen(seen, ELEMENTS)) ScanFail(scanner, scanner->at, "the file ends, and there is no $%s", old ? "ELM" : "Elements");
  else if (draft->num_elements == 0) ScanFail(scanner, scanner->at, "there are no elements: was the mesh made before it was saved?");
}

PetscErrorCode GmshRead(Scanner *scanner, Draft *draft)
{
  char     name[SCAN_WORD];
  Layout   layout = NO_LAYOUT;
  PetscInt seen   = 0; /* a bit for each section */

  PetscFunctionBegin;
  while (ScanSection(scanner, name)) {
    const char *const at = scanner->at - strlen(name) - 1;
    Section           section;

    if (layout == NO_LAYOUT && strcmp(name, sections[NODES].old_name) == 0) layout = LAYOUT_1; /* which says no version */
    section = FindSection(name, layout);
    if (layout == NO_LAYOUT && strcmp(name, "MeshFormat") == 0) {
      ReadVersion(scanner, &layout);
      ScanSectionEnd(scanner, name);
    } else if (section == NUM_SECTIONS) {
      ScanSkipSection(scanner, name);
    } else {
      ScanEndOfLine(scanner);
      CheckOrder(scanner, at, layout, section, seen);
      if (!ScanFailed(scanner)) PetscCall(sections[section].read[layout](scanner, draft));
      ScanSectionEnd(scanner, name);
      seen |= 1 << section;
    }
  }
  CheckComplete(scanner, draft, layout, seen);
  PetscFunctionReturn(PETSC_SUCCESS);
}
