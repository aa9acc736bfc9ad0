/* static_print.c - the equilibrium at the end of a path, for people. */
#include "static.h"

enum { MOST_LINES = 20 }; /* of points, and of joints */

static void PrintRest(PetscInt count)
{
  if (count > MOST_LINES) ReportSay("  and %" PetscInt_FMT " more, in the result\n", count - MOST_LINES);
}

static void PrintPoints(const Static *data, const Names *names)
{
  const Watch *watch = &data->watch;

  if (watch->num_points) ReportSay("  %-24s %9s\n", "point", "displacement [m, rad]");
  for (PetscInt p = 0; p < PetscMin(watch->num_points, MOST_LINES); p++) {
    const NamedPoint *point = &names->points[watch->points[p]];

    ReportSay("  %-24s", point->name);
    for (PetscInt c = 0; c < point->num_components; c++)
      ReportSay("  %s %.6g", direction_names[point->direction[c]], (double)data->record.displacement[point->first_motion + c]);
    ReportSay("\n");
  }
  PrintRest(watch->num_points);
}

/* The watched row whose force comes next: the largest of those that are not printed yet. */
static PetscInt NextRow(const Static *data, const PetscBool printed[])
{
  const Watch *watch = &data->watch;
  PetscInt     next  = -1;

  for (PetscInt r = 0; r < watch->num_rows; r++)
    if (!printed[r] &&
        (next < 0 || PetscAbsReal(data->record.force[watch->rows[r]]) > PetscAbsReal(data->record.force[watch->rows[next]]) * (1.0 + 1e-9)))
      next = r;
  return next;
}

static PetscErrorCode PrintJoints(const Static *data, const Names *names)
{
  const Watch *watch = &data->watch;
  PetscBool   *printed;

  PetscFunctionBegin;
  if (watch->num_rows) ReportSay("  %-24s %14s %14s %14s\n", "joint", "force [N, N m]", "motion [m, rad]", "lost [J]");
  PetscCall(PetscCalloc1(watch->num_rows, &printed));
  for (PetscInt i = 0; i < PetscMin(watch->num_rows, MOST_LINES); i++) {
    const PetscInt next = NextRow(data, printed), row = watch->rows[next];

    printed[next] = PETSC_TRUE;
    ReportSay("  %-21s %2s %14.6g %14.6g %14.6g\n", names->rows[row].joint, NamesRowDirection(names, row), (double)data->record.force[row],
              (double)data->record.deflection[row], (double)data->record.dissipated[row]);
  }
  PetscCall(PetscFree(printed));
  PrintRest(watch->num_rows);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void PrintContacts(const Static *data, const Names *names)
{
  const Watch *watch = &data->watch;

  if (watch->num_contacts) ReportSay("  %-24s %14s %14s %14s %14s\n", "contact", "closed [%]", "slipping [%]", "force [N]", "lost [J]");
  for (PetscInt i = 0; i < PetscMin(watch->num_contacts, MOST_LINES); i++) {
    const StaticContactSum *const sum = &data->record.contacts.sums[i];

    ReportSay("  %-24s %14.4g %14.4g %14.6g %14.6g\n", names->contacts[watch->contacts[i]].joint, (double)(100.0 * (1.0 - sum->share[FACES_OPEN])),
              (double)(100.0 * sum->share[FACES_SLIP]), (double)sum->force, (double)sum->dissipated);
  }
  PrintRest(watch->num_contacts);
}

static void PrintBolts(const Static *data, const Names *names)
{
  if (names->num_bolts) ReportSay("  %-24s %14s\n", "bolt", "tension [N]");
  for (PetscInt b = 0; b < PetscMin(names->num_bolts, MOST_LINES); b++)
    ReportSay("  %-24s %14.7g\n", names->bolts[b], (double)data->record.tension[b]);
  PrintRest(names->num_bolts);
}

PetscErrorCode StaticPrint(const char *name, const Static *data, PetscInt rows, const Names *names, const State *state, const char *reason)
{
  PetscFunctionBegin;
  ReportSay("\nstatic %s: %s; %" PetscInt_FMT " steps, %" PetscInt64_FMT " iterations, %" PetscInt64_FMT " steps divided\n", name, reason,
            PetscMax(rows - 1, 0), state->iterations, state->halved);
  StudySayHeld(state->num_held);
  if (data->floating.num)
    ReportSay("  the structure floats: displacements are without the %" PetscInt_FMT " rigid motion%s that nothing holds\n", data->floating.num,
              data->floating.num == 1 ? "" : "s");
  if (rows == 0) PetscFunctionReturn(PETSC_SUCCESS);
  ReportSay("  at factor %g of the loads:\n", (double)data->factor[rows - 1]);
  PrintPoints(data, names);
  PetscCall(PrintJoints(data, names));
  PrintContacts(data, names);
  PrintBolts(data, names);
  PetscFunctionReturn(PETSC_SUCCESS);
}
