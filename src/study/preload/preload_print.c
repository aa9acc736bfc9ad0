/* preload_print.c - bolts and faces after tightening, for people. */
#include "preload.h"

static void PrintBolts(const Names *names, const System *system, const Preload *preload)
{
  const PetscInt last = (preload->num_stages - 1) * names->num_bolts;

  if (names->num_bolts) ReportSay("  %-24s %14s %14s %14s\n", "bolt", "asked [N]", "tension [N]", "shift [m]");
  for (PetscInt b = 0; b < names->num_bolts; b++)
    ReportSay("  %-24s %14.7g %14.7g %14.7g\n", names->bolts[b], (double)system->bolts[b].preload, (double)preload->tension[last + b],
              (double)preload->shift[last + b]);
}

static void PrintFaces(const char *where, const Names *names, const System *system, const Preload *preload)
{
  const PetscInt last = (preload->num_stages - 1) * names->num_parts;

  if (names->num_contacts) ReportSay("  %-24s %14s %14s %14s %14s\n", "faces", "closed [%]", "slipping [%]", "force [N]", "most [Pa, N]");
  for (PetscInt c = 0; c < names->num_contacts; c++) {
    const SystemContact *const contact                = &system->contacts[c];
    PetscReal                  share[NUM_FACE_STATES] = {0.0}, force = 0.0, most = 0.0;

    for (PetscInt i = 0; i < names->contacts[c].num_parts; i++) {
      const PetscReal pressure = preload->pressure[last + contact->first + i];

      share[(PetscInt)preload->state[last + contact->first + i]] += contact->share[i];
      force += pressure * (contact->area ? contact->area[i] : 1.0);
      most = PetscMax(most, pressure);
    }
    if (share[FACES_OPEN] > 1.0 - 1e-9) LogWarn("%s: the faces of '%s' touch nowhere after the last stage", where, names->contacts[c].joint);
    ReportSay("  %-24s %14.4g %14.4g %14.6g %14.6g\n", names->contacts[c].joint, (double)(100.0 * (1.0 - share[FACES_OPEN])),
              (double)(100.0 * share[FACES_SLIP]), (double)force, (double)most);
  }
}

PetscErrorCode PreloadPrint(const Study *study, const System *system, const Preload *preload)
{
  PetscFunctionBegin;
  ReportSay("\npreload %s: %" PetscInt_FMT " stage%s of tightening, %" PetscInt64_FMT " iterations, %" PetscInt64_FMT " steps divided\n", study->name,
            preload->num_stages - 1, preload->num_stages == 2 ? "" : "s", preload->iterations, preload->halved);
  StudySayHeld(preload->num_held);
  PrintBolts(&system->names, system, preload);
  PrintFaces(InputPath(study->node), &system->names, system, preload);
  OutermostWarn(InputPath(study->node), &system->names, preload->outermost.pressing, preload->outermost.beside);
  if (preload->keys.stiffening) ReportSay("  its stresses stiffen what moves about it, or soften it where they press\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}
