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

/* The omega that the modes of `own` would have with one of the numbers changed, to first order; or of its own modes, where the number is in equations
   between motions of the mesh. Nothing where the case refuses that. */
static PetscErrorCode Estimate(FitModesSearch *search, const PetscReal values[], PetscInt p, PetscReal value, const System *own, const Modes *modes,
                               PetscReal omega[], PetscBool *exists)
{
  Structure    structure;
  PetscReal    changed[FIT_MAX_UNKNOWNS];
  PetscBool    can   = PETSC_TRUE;
  const Modes *found = modes;

  PetscFunctionBegin;
  PetscCall(PetscArraycpy(changed, values, search->fit->num_numbers));
  changed[p] = value;
  PetscCall(Build(search, changed, &structure));
  *exists = (PetscBool)(structure.system != NULL);
  if (*exists) PetscCall(ModesCanEstimate(own, structure.system, &can));
  if (!can) PetscCall(FindModes(search, &structure, &found));
  *exists = (PetscBool)(*exists && found && found->count >= modes->count);
  if (*exists && can) PetscCall(ModesEstimate(structure.system, structure.model, (JointState)search->fit->keys.joints, modes, omega));
  else if (*exists) PetscCall(PetscArraycpy(omega, found->omega, modes->count));
  PetscCall(Clear(&structure));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* By the difference of two assemblies: exact for a number that K and M depend on linearly, else to the square of the step. Where the case refuses
   one of them, the number itself is that end. */
static PetscErrorCode DifferentiateBy(FitModesSearch *search, const PetscReal values[], PetscInt p, const System *own, const Modes *modes,
                                      PetscReal slopes[])
{
  const FitModes *fit   = search->fit;
  const PetscReal share = 1e-4, size = values[p] != 0 ? PetscAbsReal(values[p]) : fit->unknowns[p].most - fit->unknowns[p].least;
  PetscReal      *omega[2], end[2];

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(modes->count, &omega[0], modes->count, &omega[1]));
  for (PetscInt side = 0; side < 2; side++) {
    PetscBool exists;

    end[side] = values[p] + (side ? share : -share) * size;
    PetscCall(Estimate(search, values, p, end[side], own, modes, omega[side], &exists));
    if (exists) continue;
    end[side] = values[p];
    PetscCall(Estimate(search, values, p, end[side], own, modes, omega[side], &exists));
  }
  for (PetscInt i = 0; i < fit->num_targets; i++) {
    const PetscInt k = fit->targets[i].mode - 1;

    slopes[i * fit->num_numbers + p] = end[1] == end[0] ? 0 : (omega[1][k] - omega[0][k]) / (end[1] - end[0]) / (2 * PETSC_PI);
  }
  PetscCall(PetscFree2(omega[0], omega[1]));
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
  for (PetscInt p = 0; modes && differentiate && p < fit->num_numbers; p++)
    PetscCall(DifferentiateBy(search, values, p, structure.system, modes, model->slopes));
  PetscCall(Clear(&structure));
  PetscFunctionReturn(PETSC_SUCCESS);
}
