/*
  contact_area.h - faces that touch at a point, or at the parts of a rectangle that moves rigidly with its two sides: a law that acts in x, y and z
  together, and what presses each part at rest.

  A joint has one between its two sides, and a study moves one along a path.
*/
#pragma once
#include "model.h"

typedef struct {
  NamedLaw   law;
  PetscReal  size[2]; /* along y and z; 0: at the joint itself */
  PetscInt   parts[2];
  PetscReal  moment[2];    /* of the preload about y and z [N m] */
  PetscInt   preload, gap; /* parameters of the law */
  PetscReal *loads, *gaps; /* these, of each part */
} ContactArea;

extern const InputTable contact_table;

/* Complains also of a preload that cannot be in equilibrium; `law.law` of the area is NULL where it cannot be used. Local. */
PetscErrorCode ContactAreaRead(const InputNode *map, Laws *laws, ContactArea *area);
PetscErrorCode ContactAreaDestroy(ContactArea *area);
PetscInt       ContactAreaNumParts(const ContactArea *area);
/* The middle of a part, from that of the area: y and z. */
void ContactAreaMiddle(const ContactArea *area, PetscInt part, PetscReal middle[2]);
/* The parameters of a part: its share of what the area has, its own preload and gap. */
void ContactAreaPart(const ContactArea *area, PetscInt part, PetscReal parameters[]);
/* "rough_contact, 16 parts on 0.04 x 0.04 m, preload 200 N, ..." */
void ContactAreaDescribe(const ContactArea *area, FILE *out);
