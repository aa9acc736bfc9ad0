/* outermost.c - points at the edge of faces that go on beside them without any. */
#include "record/outermost.h"

/* Part of the gap beside a point: arcs of facets that turn by 15 degrees close by a sixth of it at their last point. */
static const PetscReal enough = 0.1;

PetscErrorCode OutermostCreate(const Names *names, Outermost *outermost)
{
  PetscFunctionBegin;
  *outermost = (Outermost){.num_contacts = names->num_contacts, .num_parts = names->num_parts};
  PetscCall(PetscCalloc3(names->num_contacts, &outermost->pressing, names->num_contacts, &outermost->beside, names->num_parts, &outermost->gap));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OutermostDestroy(Outermost *outermost)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(outermost->pressing, outermost->beside, outermost->gap));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool HasClosed(PetscReal rest, PetscReal now, PetscReal beside)
{
  return (PetscBool)(beside > 0.0 && now < 0.0 && PetscMax(-rest, rest - now) >= enough * beside);
}

void OutermostLook(const System *system, const State *state, Outermost *outermost)
{
  if (outermost->num_parts) SystemPartGaps(system, state->motion, outermost->gap);
  for (PetscInt c = 0; c < outermost->num_contacts; c++) {
    const SystemContact *const contact = &system->contacts[c];
    PetscInt64                 count   = 0;

    for (PetscInt i = 0; contact->beside && i < system->names.contacts[c].num_parts; i++) {
      if (!HasClosed(contact->gap[i], outermost->gap[contact->first + i], contact->beside[i])) continue;
      outermost->beside[c] = PetscMax(outermost->beside[c], contact->beside[i]);
      count++;
    }
    outermost->pressing[c] = PetscMax(outermost->pressing[c], count);
  }
}

/* What is beside them begins at that gap and widens from there. */
void OutermostWarn(const char *who, const Names *names, const PetscInt64 pressing[], const PetscReal beside[])
{
  for (PetscInt c = 0; c < names->num_contacts; c++)
    if (pressing[c])
      LogWarn("%s: the faces of '%s' close as far as they have points, and pressures are too high at their edge: %" PetscInt64_FMT
              " of the outermost points "
              "press where the faces go on, further apart at rest than the joint reaches; give it `reach: %.2g` or more",
              who, names->contacts[c].joint, pressing[c], 2.0 * (double)beside[c]);
}
