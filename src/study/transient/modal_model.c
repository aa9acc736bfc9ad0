/* modal_model.c - from the modes of a structure and the parameters of some to a System. */
#include "modal_model.h"
#include "march/linear.h"

enum { GROUND = -1 };

/* Points of the same names and directions; none of their components is an unknown. */
static PetscErrorCode AddPoints(const System *truth, System *system)
{
  const PetscInt follows[NUM_DIRECTIONS] = {-1, -1, -1, -1, -1, -1};

  PetscFunctionBegin;
  for (PetscInt p = 0; p < truth->names.num_points; p++) {
    const NamedPoint *const point = &truth->names.points[p];

    PetscCall(SystemAddTurnedPoint(system, point->name, point->num_components, point->direction, follows));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* T phi. */
static PetscErrorCode MovePoints(const System *truth, const Modes *modes, System *system)
{
  PetscReal *motions;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1((size_t)truth->names.num_motions * (size_t)modes->count, &motions));
  PetscCall(ModesMotions(truth, modes, motions));
  for (PetscInt p = 0; p < truth->names.num_points; p++)
    for (PetscInt c = 0; c < truth->names.points[p].num_components; c++) {
      const PetscReal *const row = motions + (size_t)(truth->names.points[p].first_motion + c) * (size_t)modes->count;

      for (PetscInt k = 0; k < modes->count; k++)
        if (row[k] != 0.0) PetscCall(SystemAddFollower(system, p, c, k, row[k]));
    }
  PetscCall(PetscFree(motions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* phi^T M r. */
static PetscErrorCode AddBase(const System *truth, const Modes *modes, System *system)
{
  PetscReal *participation;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(modes->count * NUM_DIRECTIONS, &participation));
  PetscCall(ModesParticipation(truth, modes, participation));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    PetscCall(SystemAddBaseMass(system, d, truth->base_mass[d]));
    for (PetscInt k = 0; k < modes->count && truth->base[d]; k++) PetscCall(SystemAddBase(system, d, k, participation[k * NUM_DIRECTIONS + d]));
  }
  PetscCall(PetscFree(participation));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* phi_k^T A phi_k of a matrix of the truth. */
static PetscErrorCode Quadratic(Mat A, const Modes *modes, PetscInt k, PetscReal *value)
{
  Vec shape, product;

  PetscFunctionBegin;
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, modes->num_unknowns, modes->shape + (size_t)k * (size_t)modes->num_unknowns, &shape));
  PetscCall(VecDuplicate(shape, &product));
  PetscCall(MatMult(A, shape, product));
  PetscCall(VecDot(shape, product, value));
  PetscCall(VecDestroy(&shape));
  PetscCall(VecDestroy(&product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* phi^T f. */
static PetscErrorCode AddPatterns(const System *truth, const Modes *modes, System *system)
{
  const PetscReal    in_the_forces[3] = {0.0, 0.0, 0.0}; /* gravity is */
  const PetscScalar *force;
  PetscReal         *along;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(modes->count, &along));
  for (PetscInt i = 0; i < truth->names.num_patterns; i++) {
    PetscInt pattern;

    PetscCall(SystemAddPattern(system, truth->names.patterns[i], in_the_forces, &pattern));
    PetscCall(VecGetArrayRead(truth->patterns[i].force, &force));
    RowsTimes(modes->count, modes->num_unknowns, modes->shape, force, along);
    PetscCall(VecRestoreArrayRead(truth->patterns[i].force, &force));
    for (PetscInt k = 0; k < modes->count; k++) PetscCall(SystemAddForce(system, pattern, k, along[k]));
  }
  PetscCall(PetscFree(along));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode NameElement(PetscInt mode, char name[32])
{
  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(name, 32, "mode%" PetscInt_FMT, mode));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Between the ground and a mode, which counts from 1. */
static PetscErrorCode AddElement(PetscInt mode, const ModalIwan *model, System *system)
{
  PetscReal       parameters[JOINT_MAX_PARAMETERS];
  const JointLaw *law = ModalIwanElement(model, parameters);
  char            name[32];
  PetscInt        row;

  PetscFunctionBegin;
  PetscCall(NameElement(mode, name));
  PetscCall(SystemAddRow(system, name, DIRECTION_OF_MODE, GROUND, mode - 1, &row));
  PetscCall(SystemAddLaw(system, law, parameters, &row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What each mode is made of; a mode without an element has a tangent of 0. */
typedef struct {
  PetscReal *stiffness, *tangent, *viscous; /* [n] */
} Oscillators;

static PetscErrorCode OscillatorsCreate(const System *truth, const Modes *modes, PetscInt count, const PetscInt numbers[],
                                        const ModalIwan parameters[], Oscillators *made)
{
  const PetscInt n = modes->count;

  PetscFunctionBegin;
  PetscCall(PetscCalloc3(n, &made->stiffness, n, &made->tangent, n, &made->viscous));
  for (PetscInt k = 0; k < n; k++) {
    made->stiffness[k] = modes->eigenvalue[k];
    if (truth->C) PetscCall(Quadratic(truth->C, modes, k, &made->viscous[k]));
    made->viscous[k] += ModalDamping(&truth->damping, k, modes->omega[k]);
  }
  for (PetscInt i = 0; i < count; i++) {
    const ModalIwan *const model = &parameters[i];
    const PetscInt         k     = numbers[i] - 1;

    made->stiffness[k] = model->stiffness;
    made->tangent[k]   = model->tangent;
    made->viscous[k]   = 2.0 * model->damping * PetscSqrtReal(model->stiffness + model->tangent);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode OscillatorsDestroy(Oscillators *oscillators)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(oscillators->stiffness, oscillators->tangent, oscillators->viscous));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The coordinates themselves. Finding them would put them into another order, and mix those of equal frequency. */
static PetscErrorCode GiveModes(const Oscillators *oscillators, JointState state, PetscInt n, Modes **modes)
{
  PetscFunctionBegin;
  PetscCall(ModesCreate(n, n, modes));
  PetscCall(PetscArrayzero((*modes)->shape, (size_t)n * (size_t)n));
  for (PetscInt k = 0; k < n; k++) {
    const PetscReal eigenvalue = oscillators->stiffness[k] + (state == JOINT_STUCK ? oscillators->tangent[k] : 0.0);

    (*modes)->shape[(size_t)k * (size_t)n + (size_t)k] = 1.0;
    (*modes)->eigenvalue[k]                            = eigenvalue;
    (*modes)->omega[k]                                 = PetscSqrtReal(PetscMax(0.0, eigenvalue));
    (*modes)->num_rigid += eigenvalue == 0.0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModalModelNames(const Names *truth, PetscInt count, const PetscInt modes[], Names *names)
{
  const PetscInt follows[NUM_DIRECTIONS] = {-1, -1, -1, -1, -1, -1};
  PetscInt      *place;

  PetscFunctionBegin;
  *names = (Names){.known         = truth->known,
                   .mesh          = truth->mesh,
                   .num_nodes     = truth->num_nodes,
                   .modal_damping = PETSC_TRUE,
                   .modal_model   = PETSC_TRUE,
                   .num_unknowns  = truth->num_unknowns,
                   .num_modes     = truth->num_unknowns};
  PetscCall(PetscArraycpy(names->base, truth->base, NUM_DIRECTIONS));
  for (PetscInt p = 0; p < truth->num_points; p++) {
    const NamedPoint *point = &truth->points[p];

    PetscCall(NamesAddPoint(names, point->name, point->num_components, point->direction, follows));
    names->points[p].turned = PETSC_TRUE;
  }
  for (PetscInt i = 0; i < count; i++) {
    char joint[32];

    PetscCall(NameElement(modes[i], joint));
    PetscCall(NamesAddRow(names, joint, DIRECTION_OF_MODE));
    names->rows[i].nonlinear = PETSC_TRUE;
  }
  for (PetscInt i = 0; i < truth->num_patterns; i++) PetscCall(NamesAddPattern(names, truth->patterns[i]));
  PetscCall(PetscMalloc1(count, &place));
  PetscCall(NamesOrderRows(names, place));
  PetscCall(PetscFree(place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode BuildSystem(const System *truth, const Modes *modes, const Oscillators *oscillators, PetscInt count, const PetscInt numbers[],
                                  const ModalIwan parameters[], System **system)
{
  PetscFunctionBegin;
  PetscCall(SystemCreate(modes->count, system));
  PetscCall(AddPoints(truth, *system));
  PetscCall(MovePoints(truth, modes, *system));
  PetscCall(AddBase(truth, modes, *system));
  PetscCall(AddPatterns(truth, modes, *system));
  for (PetscInt k = 0; k < modes->count; k++) {
    PetscCall(SystemAddMass(*system, k, k, 1.0));
    PetscCall(SystemAddStiffness(*system, k, k, oscillators->stiffness[k]));
  }
  PetscCall(SystemSetModalDamping(*system, oscillators->viscous));
  for (PetscInt i = 0; i < count; i++) PetscCall(AddElement(numbers[i], &parameters[i], *system));
  PetscCall(SystemSetUp(*system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModalModelCreate(const ModeCache *truth, PetscInt count, const PetscInt numbers[], const ModalIwan parameters[], ModalModel **model)
{
  const System *const system = truth->system;
  const Modes *const  modes  = truth->modes[JOINT_STUCK];
  Oscillators         oscillators;

  PetscFunctionBegin;
  PetscCheck(modes && modes->count == system->num_unknowns, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "a modal model wants all modes");
  PetscCall(PetscNew(model));
  PetscCall(OscillatorsCreate(system, modes, count, numbers, parameters, &oscillators));
  PetscCall(BuildSystem(system, modes, &oscillators, count, numbers, parameters, &(*model)->system));
  (*model)->cache.system = (*model)->system;
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++)
    PetscCall(GiveModes(&oscillators, state, modes->count, &(*model)->cache.modes[state]));
  PetscCall(OscillatorsDestroy(&oscillators));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModalModelDestroy(ModalModel **model)
{
  PetscFunctionBegin;
  if (!*model) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ModeCacheDestroy(&(*model)->cache));
  PetscCall(SystemDestroy(&(*model)->system));
  PetscCall(PetscFree(*model));
  PetscFunctionReturn(PETSC_SUCCESS);
}
