/* area.h - what the files of a ContactArea share. */
#pragma once
#include "model/contact_area.h"

/* What a part of the law has of what the area has. */
void ContactAreaShare(const ContactArea *area, PetscReal parameters[]);
/* What presses each part, and how far open it is where nothing does. */
PetscErrorCode ContactAreaDistributePreload(const InputNode *map, ContactArea *area);
