/* keep.c - which samples of its runs a transient stores. */
#include "transient.h"

typedef struct {
  PetscReal from, to, last;
} Keys;

#define OF(member) offsetof(Keys, member)

static const PetscReal roundoff = 1e-9;

// clang-format off
static const InputField fields[] = {
  {.key = "from", .kind = INPUT_REAL, .offset = OF(from), .fallback = 0.0, .most = PETSC_INFINITY, .unit = "s", .help = "samples from this time on"},
  {.key = "to", .kind = INPUT_REAL, .offset = OF(to), .fallback = INPUT_OPTIONAL, .most = PETSC_INFINITY, .unit = "s", .help = "samples up to this time; default: end of the run"},
  {.key = "last", .kind = INPUT_REAL, .offset = OF(last), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "cycles",
   .help = "instead of both: so many cycles before the end of the run, of the harmonic load with the lowest frequency"},
  {.key = NULL}
};
// clang-format on

const InputTable keep_table = {"keep", "which samples are stored; time steps, peaks and warnings are those of the whole run", fields};

/* Of the slowest harmonic load [Hz]; 0 for none, or one that only the modes know. */
static PetscReal LowestFrequency(const Run *run, PetscBool *by_mode)
{
  PetscReal lowest = PETSC_INFINITY;

  *by_mode = PETSC_FALSE;
  for (PetscInt l = 0; l < run->num_loads; l++) {
    const Load *const load = &run->loads[l];

    if (load->signal.kind != SIGNAL_HARMONIC) continue;
    if (load->time_mode) *by_mode = PETSC_TRUE;
    else lowest = PetscMin(lowest, load->signal.frequency);
  }
  return *by_mode || lowest == PETSC_INFINITY ? 0.0 : lowest;
}

/* When the samples begin [s]; false after a complaint. */
static PetscErrorCode FindStart(const InputNode *node, const Keys *keys, const Run *run, PetscReal end, PetscReal *start, PetscBool *fine)
{
  PetscBool       by_mode;
  const PetscReal frequency = LowestFrequency(run, &by_mode);

  PetscFunctionBegin;
  *fine  = PETSC_TRUE;
  *start = keys->from;
  if (!InputFind(node, "last")) PetscFunctionReturn(PETSC_SUCCESS);
  *fine = (PetscBool)(frequency > 0.0);
  if (*fine) *start = PetscMax(end - keys->last / frequency, 0.0);
  else
    PetscCall(InputComplain(InputFind(node, "last"), "counts cycles of a harmonic load, and %s; give `from` instead",
                            by_mode ? "the frequency of this one is that of a mode, which is not known yet" : "this study has none"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Choose(const InputNode *node, const Keys *keys, PetscInt every, Run *run)
{
  const PetscReal step = run->options.time_step * every, end = run->options.time_step * run->steps;
  PetscReal       start;
  PetscBool       fine;

  PetscFunctionBegin;
  PetscCall(FindStart(node, keys, run, end, &start, &fine));
  if (!fine) PetscFunctionReturn(PETSC_SUCCESS);
  run->window.first = (PetscInt64)PetscCeilReal(PetscMin(start, 2.0 * end) / step - roundoff);
  run->window.last  = PetscMin(run->window.last, (PetscInt64)PetscFloorReal(PetscMin(keys->to, end) / step + roundoff));
  if (run->window.first > run->window.last)
    PetscCall(InputComplain(node, "of the samples of run '%s', every %g s up to %g s, none is kept", run->name, step, end));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode KeepRead(const InputNode *node, PetscInt every, PetscInt num_runs, Run runs[])
{
  static const char *const ends[]         = {"from", "to"};
  const PetscInt           num_complaints = node ? InputNumComplaints(InputDocumentOf(node)) : 0;
  Keys                     keys           = {.to = PETSC_INFINITY};

  PetscFunctionBegin;
  for (PetscInt r = 0; r < num_runs; r++) runs[r].window = (RecorderWindow){0, runs[r].steps / PetscMax(every, 1)};
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputRead(node, &keep_table, &keys));
  for (PetscInt i = 0; i < 2 && InputIsMap(node) && InputFind(node, "last"); i++)
    if (InputFind(node, ends[i])) PetscCall(InputComplainKey(InputFind(node, ends[i]), "'%s' does not go with `last`, which says it all", ends[i]));
  /* The first run that it does not suit is enough. */
  for (PetscInt r = 0; r < num_runs && InputNumComplaints(InputDocumentOf(node)) == num_complaints; r++)
    if (runs[r].steps > 0 && runs[r].options.time_step > 0.0) PetscCall(Choose(node, &keys, PetscMax(every, 1), &runs[r]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
