/* fit_modes_model.c - the structure with other numbers: its frequencies, and what they change with. */
#include "fit_modes.h"

/* The case with these numbers, its System and modes; there are no modes where it is refused. */
typedef struct {
  Model    *model;
  System   *system;
  ModeCache cache;
} Structure;

static PetscErrorCode Replace(const FitModes *fit, const PetscReal values[])
{
  PetscFunctionBegin;
  for (PetscInt p = 0; p < fit->num_numbers; p++)
    for (PetscInt i = 0; i < fit->numbers[p].num_places; i++) PetscCall(InputReplaceNumber(fit->numbers[p].places[i], values[p]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The numbers of the case are as they were afterwards. What is complained of with others is a reason, no fault of the case. */
static PetscErrorCode Build(FitModesSearch *search, const PetscReal values[], Structure *structure)
{
  InputDocument *const document = InputDocumentOf(search->fit->keys.find);
  const PetscInt       before   = InputNumComplaints(document);
  const LogLevel       level    = LogSetLevel(LOG_SILENT);
  PetscReal            given[FIT_MAX_UNKNOWNS];

  PetscFunctionBegin;
  for (PetscInt p = 0; p < search->fit->num_numbers; p++) given[p] = search->fit->numbers[p].given;
  PetscCall(Replace(search->fit, values));
  PetscCall(ModelRevise(search->model, &structure->model, &structure->system));
  PetscCall(Replace(search->fit, given));
  if (!structure->system) PetscCall(InputRetract(document, before, search->reason, sizeof(search->reason)));
  structure->cache = (ModeCache){.system = structure->system, .model = structure->model};
  search->models++;
  (void)LogSetLevel(level);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Clear(Structure *structure)
{
  PetscFunctionBegin;
  PetscCall(ModeCacheDestroy(&structure->cache));
  PetscCall(SystemDestroy(&structure->system));
  PetscCall(ModelDestroy(&structure->model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The lowest modes up to the last target; NULL where there are none. */
static PetscErrorCode FindModes(FitModesSearch *search, Structure *structure, const Modes **modes)
{
  InputDocument *const document = InputDocumentOf(search->fit->keys.find);
  const PetscInt       before   = InputNumComplaints(document);
  const LogLevel       level    = LogSetLevel(LOG_SILENT);
  PetscInt             last     = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < search->fit->num_targets; i++) last = PetscMax(last, search->fit->targets[i].mode);
  PetscCall(ModeCacheGet(&structure->cache, (JointState)search->fit->keys.joints, last, modes));
  if (InputNumComplaints(document) > before) PetscCall(InputRetract(document, before, search->reason, sizeof(search->reason)));
  (void)LogSetLevel(level);
  if ((*modes)->count < last) *modes = NULL;
  for (PetscInt i = 0; *modes && i < search->fit->num_targets; i++)
    if ((*modes)->eigenvalue[search->fit->targets[i].mode - 1] <= 0) {
      PetscCall(PetscSNPrintf(search->reason, sizeof(search->reason), "mode %" PetscInt_FMT " is a rigid motion or unstable, and has no frequency",
                              search->fit->targets[i].mode));
      *modes = NULL;
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* phi^T K phi and phi^T M phi of the modes with one of the numbers changed; nothing where the case refuses that. */
static PetscErrorCode FindEnergies(FitModesSearch *search, const PetscReal values[], PetscInt p, PetscReal value, const Modes *modes,
                                   PetscReal strain[], PetscReal inertia[], PetscBool *exists)
{
  Structure structure;
  PetscReal changed[FIT_MAX_UNKNOWNS];

  PetscFunctionBegin;
  PetscCall(PetscArraycpy(changed, values, search->fit->num_numbers));
  changed[p] = value;
  PetscCall(Build(search, changed, &structure));
  *exists = (PetscBool)(structure.system != NULL);
  if (*exists) PetscCall(ModesEnergies(structure.system, structure.model, (JointState)search->fit->keys.joints, modes, strain, inertia));
  PetscCall(Clear(&structure));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* d lambda = phi^T (dK - lambda dM) phi, by the difference of two assemblies: exact for a number that K and M depend on linearly, else to the
   square of the step. Where the case refuses one of them, the number itself is that end. */
static PetscErrorCode DifferentiateBy(FitModesSearch *search, const PetscReal values[], PetscInt p, const Modes *modes, PetscReal slopes[])
{
  const FitModes *fit   = search->fit;
  const PetscReal share = 1e-4, size = values[p] != 0 ? PetscAbsReal(values[p]) : fit->unknowns[p].most - fit->unknowns[p].least;
  PetscReal      *strain[2], *inertia[2], end[2];

  PetscFunctionBegin;
  PetscCall(PetscMalloc4(modes->count, &strain[0], modes->count, &strain[1], modes->count, &inertia[0], modes->count, &inertia[1]));
  for (PetscInt side = 0; side < 2; side++) {
    PetscBool exists;

    end[side] = values[p] + (side ? share : -share) * size;
    PetscCall(FindEnergies(search, values, p, end[side], modes, strain[side], inertia[side], &exists));
    if (exists) continue;
    end[side] = values[p];
    PetscCall(FindEnergies(search, values, p, end[side], modes, strain[side], inertia[side], &exists));
  }
  for (PetscInt i = 0; i < fit->num_targets; i++) {
    const PetscInt  k      = fit->targets[i].mode - 1;
    const PetscReal change = strain[1][k] - strain[0][k] - modes->eigenvalue[k] * (inertia[1][k] - inertia[0][k]);
    const PetscReal noise  = 8 * PETSC_MACHINE_EPSILON * (PetscAbsReal(strain[0][k]) + modes->eigenvalue[k] * PetscAbsReal(inertia[0][k]));

    /* omega = lambda^1/2 */
    slopes[i * fit->num_numbers + p] =
      PetscAbsReal(change) <= noise || end[1] == end[0] ? 0 : change / (end[1] - end[0]) / (2 * modes->omega[k]) / (2 * PETSC_PI);
  }
  PetscCall(PetscFree4(strain[0], strain[1], inertia[0], inertia[1]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitModesCompute(FitModesSearch *search, const PetscReal values[], PetscBool differentiate, FitModesModel *model)
{
  const FitModes *fit   = search->fit;
  const Modes    *modes = NULL;
  Structure       structure;

  PetscFunctionBegin;
  model->exists = PETSC_FALSE;
  if (InterruptAsked()) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Build(search, values, &structure));
  if (structure.system) PetscCall(FindModes(search, &structure, &modes));
  model->exists = (PetscBool)(modes != NULL);
  for (PetscInt i = 0; modes && i < fit->num_targets; i++) model->frequency[i] = modes->omega[fit->targets[i].mode - 1] / (2 * PETSC_PI);
  for (PetscInt p = 0; modes && differentiate && p < fit->num_numbers; p++) PetscCall(DifferentiateBy(search, values, p, modes, model->slopes));
  PetscCall(Clear(&structure));
  PetscFunctionReturn(PETSC_SUCCESS);
}
