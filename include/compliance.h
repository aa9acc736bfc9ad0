/*
  compliance.h - what static forces on places move these places by: a symmetric matrix R, which ranks may hold in slices.

  A slice has the columns of some places. Without spreading every rank has all of them, and asks on its own. Spread over ranks, each has its
  share, and one asks at a time: all call ComplianceLead, which is true on the first rank; the others answer what that one asks until it says
  ComplianceDismiss. So whatever follows from R is decided on one rank, and others need not take the same turns.
*/
#pragma once
#include "base.h"

/* R between some of the places, with what else acts there: R + factor left right^T. Each rank has the columns of its own places. */
typedef struct {
  PetscInt   count, first, width; /* of the places; those among them that this rank has the columns of */
  size_t     room;                /* of `columns` */
  PetscReal *columns;             /* [count, width] */
} ComplianceSelection;

/* Between the one who asks and those who answer. */
typedef struct {
  PetscBool                  leads;           /* the others are answering */
  const ComplianceSelection *selected;        /* last, while they do */
  PetscReal                 *given, *found;   /* [num] */
  PetscMPIInt               *counts, *starts; /* [size] of numbers that are gathered */
} ComplianceDialogue;

typedef struct {
  MPI_Comm            comm; /* PETSC_COMM_SELF: not spread */
  PetscMPIInt         rank, size;
  PetscInt            num;          /* places */
  PetscInt            first, width; /* those of this slice */
  const PetscReal    *slice;        /* [num, width] what these move by under a unit force on each place [m/N] */
  PetscReal          *own;          /* the same, where it is not borrowed */
  PetscReal          *diagonal;     /* [num] of all of R */
  ComplianceDialogue *dialogue;     /* NULL where it is not spread */
} Compliance;

/* To be filled: spread over the ranks of the communicator, or all of it on each rank. Collective if it is spread. */
PetscErrorCode ComplianceCreate(MPI_Comm comm, PetscBool spread, PetscInt num, Compliance **compliance);
PetscErrorCode ComplianceDuplicate(const Compliance *compliance, Compliance **copy);
PetscErrorCode ComplianceDestroy(Compliance **compliance);
/* All of it is this matrix [num, num], which is borrowed; there is no diagonal, and nothing to be destroyed. Local. */
Compliance ComplianceOfMatrix(PetscInt num, const PetscReal matrix[]);
/* The first place of the slice of a rank; that of rank `size` is where the last slice ends. Local. */
PetscInt ComplianceFirst(const Compliance *compliance, PetscMPIInt rank);

/* Whether several ranks share it. Local. */
static inline PetscBool ComplianceIsSpread(const Compliance *compliance)
{
  return (PetscBool)(compliance->dialogue != NULL);
}

/* Slices that are filled become those of the mean of R and its transpose; then its diagonal is known. Collective. */
PetscErrorCode ComplianceFinish(Compliance *compliance);
/* R between these places, ascending: [count, count]. Collective, or for the one that leads. */
PetscErrorCode ComplianceBetween(const Compliance *compliance, PetscInt count, const PetscInt places[], PetscReal between[]);

/* Where it is not spread all ranks lead, and have nobody to dismiss. Collective; dismissing is for those who lead. */
PetscErrorCode ComplianceLead(const Compliance *compliance, PetscBool *leads);
PetscErrorCode ComplianceDismiss(const Compliance *compliance);
/* What the rank that led has found, to all; where it is not spread they have found the same. Collective. */
PetscErrorCode ComplianceShare(const Compliance *compliance, size_t count, PetscReal numbers[]);

/* What those who lead may ask. Motions of the places from `first` to before `end`, [end - first], under forces on the first `count` places, of
   which those without a force take no time. Hot. */
void ComplianceMove(const Compliance *compliance, PetscInt count, const PetscReal force[], PetscInt first, PetscInt end, PetscReal motion[]);
/* Motions of the first `count` places under a unit force on one: [count]. */
PetscErrorCode ComplianceRow(const Compliance *compliance, PetscInt place, PetscInt count, PetscReal row[]);
/* left, right: [count, num_shares] of these places, ascending. The selection is zero at first. Hot. */
PetscErrorCode ComplianceSelect(const Compliance *compliance, PetscInt count, const PetscInt places[], PetscInt num_shares, PetscReal factor,
                                const PetscReal left[], const PetscReal right[], ComplianceSelection *selection);
PetscErrorCode ComplianceSelectionDestroy(ComplianceSelection *selection);
/* Whether all who hold parts of it still do. Local. */
PetscBool ComplianceIsSelected(const Compliance *compliance, const ComplianceSelection *selection);
/* Motions of the places that were selected last, under forces on them: [count]. Hot. */
void ComplianceMoveSelected(const Compliance *compliance, const ComplianceSelection *selection, const PetscReal force[], PetscReal motion[]);
/* All of it, which is symmetric: [count, count], until the next selection; `room`, if it needs any, is to be freed. */
PetscErrorCode ComplianceCollect(const Compliance *compliance, const ComplianceSelection *selection, PetscReal **room, const PetscReal **rows);
