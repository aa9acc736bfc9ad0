/* needs.c - which studies of the case a sample computes: those that find its outputs, and those that these use. */
#include "ensemble_private.h"
#include <string.h>

void OutputNeed(const Output *output, const Case *the_case, PetscBool needed[])
{
  StudyNeed(&the_case->studies[CaseFindStudy(the_case, output->finding)], needed);
  if (output->over) StudyNeed(&the_case->studies[CaseFindStudy(the_case, output->over_finding)], needed);
}

PetscBool OutputIsComputed(const Output *output, const Case *the_case, const PetscBool needed[])
{
  const PetscInt own = CaseFindStudy(the_case, output->finding), over = output->over ? CaseFindStudy(the_case, output->over_finding) : own;

  return (PetscBool)(!needed || (needed[own] && needed[over]));
}

PetscErrorCode NeedsFind(const Ensemble *e, PetscInt num_outputs, PetscBool **needed)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(e->the_case->num_studies, needed));
  for (PetscInt i = 0; i < num_outputs; i++) OutputNeed(&e->outputs[i], e->the_case, *needed);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "modes", "modes and transient hit", "modes, transient hit and ring_down hit": those that are needed, or those that are not; how many. */
static PetscInt List(const Case *the_case, const PetscBool needed[], PetscBool those, FILE *out)
{
  PetscInt count = 0, next = 0;

  for (PetscInt i = 0; i < the_case->num_studies; i++) count += needed[i] == those;
  for (PetscInt i = 0; i < the_case->num_studies && out; i++) {
    const char *const kind = the_case->studies[i].kind->name, *const name = the_case->studies[i].name;

    if (needed[i] != those) continue;
    fprintf(out, "%s%s", next == 0 ? "" : next + 1 == count ? " and " : ", ", kind);
    if (strcmp(kind, name) != 0) fprintf(out, " %s", name);
    next++;
  }
  return count;
}

void NeedsDescribe(const Case *the_case, const PetscBool needed[], FILE *out)
{
  const PetscInt num_idle = List(the_case, needed, PETSC_FALSE, NULL);

  (void)List(the_case, needed, PETSC_TRUE, out);
  if (num_idle == 0) return;
  fprintf(out, "; ");
  (void)List(the_case, needed, PETSC_FALSE, out);
  fprintf(out, num_idle == 1 ? " is not needed" : " are not needed");
}
