/* gmsh.h - the sections of Gmsh's .msh files, https://gmsh.info/doc/texinfo/gmsh.html#Gmsh-file-formats. */
#pragma once
#include "draft.h"
#include "scanner.h"

/* Fills the draft; what is wrong with the file is a fault of the scanner. */
PetscErrorCode GmshRead(Scanner *scanner, Draft *draft);

/* The sections of both versions, and of each. They begin behind the line of "$Name". */
PetscErrorCode GmshReadNames(Scanner *scanner, Draft *draft);
PetscErrorCode GmshReadEntities(Scanner *scanner, Draft *draft);            /* 4.1 */
PetscErrorCode GmshReadPartitionedEntities(Scanner *scanner, Draft *draft); /* 4.1 */
PetscErrorCode GmshReadNodes2(Scanner *scanner, Draft *draft);              /* 2.2 */
PetscErrorCode GmshReadNodes4(Scanner *scanner, Draft *draft);              /* 4.1 */
PetscErrorCode GmshReadElements2(Scanner *scanner, Draft *draft);           /* 2.2 */
PetscErrorCode GmshReadElements4(Scanner *scanner, Draft *draft);           /* 4.1 */

/* A number of a physical group: its sign is an orientation. 0 and a fault when it has no place. */
PetscInt GmshGroupNumber(Scanner *scanner, const char *at, PetscInt64 number);

const char *GmshTypeName(PetscInt64 type); /* NULL: no type at all, or one of our shapes */
