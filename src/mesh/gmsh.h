/* gmsh.h - the sections of Gmsh's .msh files, https://gmsh.info/doc/texinfo/gmsh.html#Gmsh-file-formats. */
#pragma once
#include "draft.h"
#include "scanner.h"

/* Fills the draft; what is wrong with the file is a fault of the scanner. */
PetscErrorCode GmshRead(Scanner *scanner, Draft *draft);

/* The sections of the layouts, which have the numbers of their versions: 1, 2 (2.0 to 2.2), 40 (4.0), 41 (4.1). They begin behind the
   line of "$Name". */
PetscErrorCode GmshReadNames(Scanner *scanner, Draft *draft);
PetscErrorCode GmshReadEntities40(Scanner *scanner, Draft *draft);
PetscErrorCode GmshReadEntities41(Scanner *scanner, Draft *draft);
PetscErrorCode GmshReadPartitionedEntities40(Scanner *scanner, Draft *draft);
PetscErrorCode GmshReadPartitionedEntities41(Scanner *scanner, Draft *draft);
PetscErrorCode GmshReadNodes2(Scanner *scanner, Draft *draft); /* of 1, too */
PetscErrorCode GmshReadNodes40(Scanner *scanner, Draft *draft);
PetscErrorCode GmshReadNodes41(Scanner *scanner, Draft *draft);
PetscErrorCode GmshReadElements1(Scanner *scanner, Draft *draft);
PetscErrorCode GmshReadElements2(Scanner *scanner, Draft *draft);
PetscErrorCode GmshReadElements40(Scanner *scanner, Draft *draft);
PetscErrorCode GmshReadElements41(Scanner *scanner, Draft *draft);

/* A number of a physical group: its sign is an orientation. 0 and a fault when it has no place. */
PetscInt GmshGroupNumber(Scanner *scanner, const char *at, PetscInt64 number);

const char *GmshTypeName(PetscInt64 type); /* NULL: no type at all, or one of our shapes */
