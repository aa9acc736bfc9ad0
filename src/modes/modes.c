/* modes.c - natural frequencies and shapes of the linear system. */
#include "modes.h"
#include "continuum/canonical.h"
#include "eigen.h"
#include "held.h"

enum { SPACE = 3 };

const char *const joint_state_names[] = {"stuck", "slipping", NULL};

PetscErrorCode ModesCreate(PetscInt num_unknowns, PetscInt count, Modes **modes)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(modes));
  (*modes)->num_unknowns = num_unknowns;
  (*modes)->count        = count;
  PetscCall(PetscMalloc3(count, &(*modes)->eigenvalue, count, &(*modes)->omega, (size_t)count * (size_t)num_unknowns, &(*modes)->shape));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal *Shape(const Modes *modes, PetscInt k)
{
  return modes->shape + (size_t)k * (size_t)modes->num_unknowns;
}

/* Unit modal mass; the largest component positive, of equal ones the first, so that every solver gives the same sign. */
static PetscErrorCode NormaliseShape(Mat M, Vec shape, Vec work)
{
  const PetscScalar *value;
  PetscInt           n, sign_of    = 0;
  PetscReal          mass, largest = 0.0;
  PetscBool          negative;

  PetscFunctionBegin;
  PetscCall(MatMult(M, shape, work));
  PetscCall(VecDot(shape, work, &mass));
  PetscCall(VecGetLocalSize(shape, &n));
  PetscCall(VecGetArrayRead(shape, &value));
  for (PetscInt i = 0; i < n; i++) {
    if (PetscAbsReal(value[i]) <= largest * (1.0 + 1e-6)) continue;
    largest = PetscAbsReal(value[i]);
    sign_of = i;
  }
  negative = (PetscBool)(value[sign_of] < 0.0);
  PetscCall(VecRestoreArrayRead(shape, &value));
  PetscCall(VecScale(shape, (negative ? -1.0 : 1.0) / PetscSqrtReal(mass)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* K, and what judges its round-off: the magnitudes of its entries, of how many one of its rows may be the sum, and what cancelled in it. */
typedef struct {
  Mat        K, M, magnitude;
  PetscReal  accuracy, unseen; /* unseen: what round-off of a shape of unit modal mass makes of its omega^2 */
  PetscInt   longest_row;
  PetscReal *cancelled; /* [unknowns]; NULL: nothing */
} Pair;

/* Each component has that of 1 / M_ii^(1/2): sum eps^2 K_ii / M_ii. */
static PetscErrorCode FindUnseen(Pair *pair)
{
  Vec stiffness, mass;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(pair->K, &stiffness, &mass));
  PetscCall(MatGetDiagonal(pair->K, stiffness));
  PetscCall(MatGetDiagonal(pair->M, mass));
  PetscCall(VecPointwiseDivide(stiffness, stiffness, mass));
  PetscCall(VecNorm(stiffness, NORM_1, &pair->unseen));
  pair->unseen *= PetscSqr(PETSC_MACHINE_EPSILON);
  PetscCall(VecDestroy(&stiffness));
  PetscCall(VecDestroy(&mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* K, M and what cancelled, in the motions that are left. */
static PetscErrorCode TakeMatrices(const System *system, JointState state, const Held *held, Pair *pair)
{
  const PetscInt n = held->Z ? held->num_free : system->num_unknowns;
  Mat            K;

  PetscFunctionBegin;
  PetscCall(SystemStiffness(system, state, &K));
  if (held->Z) {
    PetscCall(HeldProject(held, K, &pair->K));
    PetscCall(HeldProject(held, system->M, &pair->M));
    PetscCall(MatDestroy(&K));
  } else {
    pair->K = K;
    pair->M = system->M;
    PetscCall(PetscObjectReference((PetscObject)pair->M));
  }
  if (system->cancelled) PetscCall(PetscMalloc1(n, &pair->cancelled));
  for (PetscInt i = 0; system->cancelled && i < n; i++) pair->cancelled[i] = system->cancelled[held->Z ? held->free[i] : i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreatePair(const System *system, JointState state, const Held *held, Pair *pair)
{
  PetscScalar *entry;
  MatInfo      info;

  PetscFunctionBegin;
  *pair = (Pair){.accuracy = system->accuracy};
  PetscCall(TakeMatrices(system, state, held, pair));
  PetscCall(MatSeqAIJGetMaxRowNonzeros(pair->K, &pair->longest_row));
  PetscCall(MatDuplicate(pair->K, MAT_COPY_VALUES, &pair->magnitude));
  PetscCall(MatGetInfo(pair->K, MAT_LOCAL, &info));
  PetscCall(MatSeqAIJGetArray(pair->magnitude, &entry));
  for (PetscInt i = 0; i < (PetscInt)info.nz_used; i++) entry[i] = PetscAbsReal(entry[i]);
  PetscCall(MatSeqAIJRestoreArray(pair->magnitude, &entry));
  PetscCall(FindUnseen(pair));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DestroyPair(Pair *pair)
{
  PetscFunctionBegin;
  PetscCall(MatDestroy(&pair->K));
  PetscCall(MatDestroy(&pair->M));
  PetscCall(MatDestroy(&pair->magnitude));
  PetscCall(PetscFree(pair->cancelled));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* sum |phi_i| s_ij |phi_j| with s_ij^2 = s_i s_j, s_i what cancelled at unknown i: entries of K are round-off of that, too. */
static PetscErrorCode SumCancelled(const Pair *pair, Vec magnitude, PetscReal *sum)
{
  const PetscScalar *value;
  PetscReal          root = 0.0;
  PetscInt           n;

  PetscFunctionBegin;
  PetscCall(VecGetLocalSize(magnitude, &n));
  PetscCall(VecGetArrayRead(magnitude, &value));
  for (PetscInt i = 0; i < n && pair->cancelled; i++) root += value[i] * PetscSqrtReal(pair->cancelled[i]);
  PetscCall(VecRestoreArrayRead(magnitude, &value));
  *sum = PetscSqr(root);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* omega^2 of a shape of unit modal mass [Rayleigh], and the errors of the sum that it is; exactly 0 when it is no more than these. */
static PetscErrorCode FindEigenvalue(const Pair *pair, Vec shape, PetscReal *eigenvalue, PetscReal *error)
{
  Vec       work, magnitude;
  PetscReal sum, cancelled = 0.0;

  PetscFunctionBegin;
  PetscCall(VecDuplicate(shape, &work));
  PetscCall(VecDuplicate(shape, &magnitude));
  PetscCall(MatMult(pair->K, shape, work));
  PetscCall(VecDot(shape, work, eigenvalue));
  PetscCall(VecCopy(shape, magnitude));
  PetscCall(VecAbs(magnitude));
  PetscCall(MatMult(pair->magnitude, magnitude, work));
  PetscCall(VecDot(magnitude, work, &sum));
  PetscCall(SumCancelled(pair, magnitude, &cancelled));
  *error = pair->accuracy * ((PetscReal)pair->longest_row * sum + cancelled) + pair->unseen;
  if (PetscAbsReal(*eigenvalue) <= *error) *eigenvalue = 0.0;
  PetscCall(VecDestroy(&work));
  PetscCall(VecDestroy(&magnitude));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the columns of `shapes`, of which the first ones are looked at: omega^2 in ascending order, its errors, and whose it is. */
typedef struct {
  Mat        shapes;
  PetscInt   count;
  PetscInt  *column;
  PetscReal *eigenvalue, *error;
} Lowest;

static PetscErrorCode LowestDestroy(Lowest *lowest)
{
  PetscFunctionBegin;
  PetscCall(MatDestroy(&lowest->shapes));
  PetscCall(PetscFree3(lowest->column, lowest->eigenvalue, lowest->error));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* They ascend but for round-off. Equal ones stay in their order, however many there are behind them. */
static void Sort(PetscInt count, PetscReal eigenvalue[], PetscInt column[])
{
  for (PetscInt k = 1; k < count; k++) {
    const PetscReal value = eigenvalue[k];
    const PetscInt  own   = column[k];
    PetscInt        place = k;

    for (; place > 0 && eigenvalue[place - 1] > value; place--) {
      eigenvalue[place] = eigenvalue[place - 1];
      column[place]     = column[place - 1];
    }
    eigenvalue[place] = value;
    column[place]     = own;
  }
}

static PetscErrorCode LowestFind(const Pair *pair, PetscInt count, Lowest *lowest)
{
  PetscReal *error;
  Vec        shape, work;

  PetscFunctionBegin;
  lowest->count = count;
  PetscCall(EigenLowest(pair->K, pair->M, count, &lowest->shapes));
  PetscCall(MatCreateVecs(pair->M, &work, NULL));
  PetscCall(PetscMalloc3(count, &lowest->column, count, &lowest->eigenvalue, count, &lowest->error));
  PetscCall(PetscMalloc1(count, &error));
  for (PetscInt k = 0; k < count; k++) {
    PetscCall(MatDenseGetColumnVec(lowest->shapes, k, &shape));
    PetscCall(NormaliseShape(pair->M, shape, work));
    PetscCall(FindEigenvalue(pair, shape, &lowest->eigenvalue[k], &error[k]));
    PetscCall(MatDenseRestoreColumnVec(lowest->shapes, k, &shape));
    lowest->column[k] = k;
  }
  Sort(count, lowest->eigenvalue, lowest->column);
  for (PetscInt k = 0; k < count; k++) lowest->error[k] = error[lowest->column[k]];
  PetscCall(PetscFree(error));
  PetscCall(VecDestroy(&work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* So many modes, and all that have the frequency of the last of them: up to *end. Where more of these than are asked for follow, the rest is cut off. */
static PetscErrorCode FindWhole(const Pair *pair, PetscInt count, Lowest *lowest, PetscInt *end)
{
  PetscInt n, wanted = count + 1;

  PetscFunctionBegin;
  PetscCall(MatGetSize(pair->K, &n, NULL));
  for (;;) {
    PetscCall(LowestFind(pair, PetscMin(n, wanted), lowest));
    *end = CanonicalGroupEnd(lowest->count, lowest->eigenvalue, lowest->error, count - 1);
    if (*end < lowest->count || lowest->count == n || wanted > 2 * count + CANONICAL_MOST_MORE) break;
    PetscCall(LowestDestroy(lowest));
    wanted = 2 * wanted + 4;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Shapes in their order, group by group of one frequency: [end] of them. */
static PetscErrorCode TakeShapes(const Lowest *lowest, PetscInt end, PetscInt n, PetscReal shapes[])
{
  PetscFunctionBegin;
  for (PetscInt k = 0; k < end; k++) {
    PetscScalar *shape;

    PetscCall(MatDenseGetColumn(lowest->shapes, lowest->column[k], &shape));
    PetscCall(PetscArraycpy(shapes + (size_t)k * (size_t)n, shape, n));
    PetscCall(MatDenseRestoreColumn(lowest->shapes, &shape));
  }
  for (PetscInt k = 0, next; k < end; k = next) {
    next = CanonicalGroupEnd(end, lowest->eigenvalue, lowest->error, k);
    if (next > k + 1) PetscCall(CanonicalTurn(PETSC_COMM_SELF, 0, n, (size_t)n, next - k, shapes + (size_t)k * (size_t)n));
    CanonicalMean(next - k, lowest->eigenvalue + k);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Solve(const System *system, JointState state, const Held *held, Modes *modes)
{
  const PetscInt n      = held->Z ? held->num_free : modes->num_unknowns;
  Lowest         lowest = {0};
  Pair           pair;
  PetscInt       end = 0;
  PetscReal     *shapes;

  PetscFunctionBegin;
  if (modes->count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CreatePair(system, state, held, &pair));
  PetscCall(FindWhole(&pair, modes->count, &lowest, &end));
  PetscCall(PetscMalloc1((size_t)end * (size_t)n, &shapes));
  PetscCall(TakeShapes(&lowest, end, n, shapes));
  if (!held->Z) PetscCall(PetscArraycpy(modes->shape, shapes, (size_t)modes->count * (size_t)n));
  for (PetscInt k = 0; held->Z && k < modes->count; k++) PetscCall(HeldExpand(held, shapes + (size_t)k * (size_t)n, Shape(modes, k)));
  for (PetscInt k = 0; k < modes->count; k++) {
    modes->eigenvalue[k] = lowest.eigenvalue[k];
    modes->omega[k]      = PetscSqrtReal(PetscMax(0.0, lowest.eigenvalue[k]));
    modes->num_rigid += lowest.eigenvalue[k] == 0.0;
  }
  modes->num_cut = end - modes->count;
  PetscCall(PetscFree(shapes));
  PetscCall(LowestDestroy(&lowest));
  PetscCall(DestroyPair(&pair));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On rank 0, for all. */
static PetscErrorCode Share(Modes *modes)
{
  PetscFunctionBegin;
  PetscCallMPI(MPI_Bcast(&modes->num_rigid, 1, MPIU_INT, 0, PETSC_COMM_WORLD));
  PetscCallMPI(MPI_Bcast(&modes->num_cut, 1, MPIU_INT, 0, PETSC_COMM_WORLD));
  PetscCallMPI(MPI_Bcast(modes->eigenvalue, modes->count, MPIU_REAL, 0, PETSC_COMM_WORLD));
  PetscCallMPI(MPI_Bcast(modes->omega, modes->count, MPIU_REAL, 0, PETSC_COMM_WORLD));
  for (PetscInt k = 0; k < modes->count; k++) PetscCallMPI(MPI_Bcast(Shape(modes, k), modes->num_unknowns, MPIU_REAL, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Compute(const System *system, JointState state, const Held *held, PetscInt count, Modes **modes)
{
  const PetscInt n = system->num_unknowns;
  PetscMPIInt    rank;
  PetscBool      leads;

  PetscFunctionBegin;
  PetscCall(ModesCreate(n, PetscMin(count, held->Z ? held->num_free : n), modes));
  (*modes)->state = state;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCall(SystemLead(system, &leads));
  if (rank == 0) PetscCall(Solve(system, state, held, *modes));
  if (leads) PetscCall(SystemDismiss(system));
  PetscCall(Share(*modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModesCompute(const System *system, JointState state, PetscInt count, Modes **modes)
{
  PetscFunctionBegin;
  PetscCall(Compute(system, state, &(Held){0}, count, modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool ModesComeTogether(const System *system)
{
  return (PetscBool)(!system->continuum && EigenFindsAll(system->num_unknowns));
}

PetscErrorCode ModesComputeHeld(const System *system, PetscInt count, Modes **modes)
{
  Held held;

  PetscFunctionBegin;
  PetscCall(HeldCreate(system, &held));
  PetscCall(Compute(system, JOINT_STUCK, &held, count, modes));
  PetscCall(HeldDestroy(&held));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt ModesGroupEnd(const Modes *modes, PetscInt k)
{
  PetscInt end = k + 1;

  while (end < modes->count && modes->eigenvalue[end] == modes->eigenvalue[k]) end++;
  return end;
}

PetscErrorCode ModesDestroy(Modes **modes)
{
  PetscFunctionBegin;
  if (!*modes) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatDestroy(&(*modes)->field));
  PetscCall(PetscFree3((*modes)->eigenvalue, (*modes)->omega, (*modes)->shape));
  PetscCall(PetscFree(*modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds A x of each column x of the field, A of few rows: sum[rows, count]. */
static PetscErrorCode AddOfField(Mat A, const Modes *modes, PetscReal sum[])
{
  Vec                shape, product, all;
  VecScatter         gather;
  PetscInt           num_rows;
  const PetscScalar *value;

  PetscFunctionBegin;
  PetscCall(MatGetSize(A, &num_rows, NULL));
  PetscCall(MatCreateVecs(A, NULL, &product));
  PetscCall(VecScatterCreateToAll(product, &gather, &all));
  for (PetscInt k = 0; k < modes->count; k++) {
    PetscCall(MatDenseGetColumnVecRead(modes->field, k, &shape));
    PetscCall(MatMult(A, shape, product));
    PetscCall(MatDenseRestoreColumnVecRead(modes->field, k, &shape));
    PetscCall(VecScatterBegin(gather, product, all, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecScatterEnd(gather, product, all, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecGetArrayRead(all, &value));
    for (PetscInt i = 0; i < num_rows; i++) sum[(size_t)i * (size_t)modes->count + (size_t)k] += value[i];
    PetscCall(VecRestoreArrayRead(all, &value));
  }
  PetscCall(VecScatterDestroy(&gather));
  PetscCall(VecDestroy(&all));
  PetscCall(VecDestroy(&product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* By those who hold the residual. */
static PetscErrorCode AddYield(const System *system, const Modes *modes, PetscReal motions[])
{
  PetscBool leads;

  PetscFunctionBegin;
  PetscCall(SystemLead(system, &leads));
  if (leads) PetscCall(SystemYield(system, modes->count, modes->shape, motions));
  if (leads) PetscCall(SystemDismiss(system));
  PetscCall(SystemShare(system, (size_t)system->names.num_motions * (size_t)modes->count, motions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModesMotions(const System *system, const Modes *modes, PetscReal motions[])
{
  Vec                shape, motion;
  const PetscScalar *value;

  PetscFunctionBegin;
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, modes->num_unknowns, NULL, &shape));
  PetscCall(MatCreateVecs(system->T, NULL, &motion));
  for (PetscInt k = 0; k < modes->count; k++) {
    PetscCall(VecPlaceArray(shape, Shape(modes, k)));
    PetscCall(MatMult(system->T, shape, motion));
    PetscCall(VecResetArray(shape));
    PetscCall(VecGetArrayRead(motion, &value));
    for (PetscInt i = 0; i < system->names.num_motions; i++) motions[(size_t)i * (size_t)modes->count + (size_t)k] = value[i];
    PetscCall(VecRestoreArrayRead(motion, &value));
  }
  if (modes->state == JOINT_SLIPPING && system->residual) PetscCall(AddYield(system, modes, motions));
  if (modes->field && system->names.num_motions) PetscCall(AddOfField(system->continuum->followers, modes, motions));
  PetscCall(VecDestroy(&shape));
  PetscCall(VecDestroy(&motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddParticipationOfField(const Continuum *continuum, const Modes *modes, PetscReal participation[])
{
  PetscReal product;
  Vec       shape;

  PetscFunctionBegin;
  for (PetscInt k = 0; k < modes->count; k++) {
    PetscCall(MatDenseGetColumnVecRead(modes->field, k, &shape));
    for (PetscInt d = 0; d < SPACE; d++) {
      PetscCall(VecDot(continuum->inertia[d], shape, &product));
      participation[k * NUM_DIRECTIONS + d] += product;
    }
    PetscCall(MatDenseRestoreColumnVecRead(modes->field, k, &shape));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModesParticipation(const System *system, const Modes *modes, PetscReal participation[])
{
  const PetscInt     n = modes->num_unknowns;
  const PetscScalar *inertia;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(participation, modes->count * NUM_DIRECTIONS));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    if (!system->base[d]) continue;
    PetscCall(VecGetArrayRead(system->base[d], &inertia));
    for (PetscInt k = 0; k < modes->count; k++)
      for (PetscInt i = 0; i < n; i++) participation[k * NUM_DIRECTIONS + d] += Shape(modes, k)[i] * inertia[i];
    PetscCall(VecRestoreArrayRead(system->base[d], &inertia));
  }
  if (modes->field) PetscCall(AddParticipationOfField(system->continuum, modes, participation));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the modes from `first` on. */
static void WarnOfUnstable(const Modes *modes, JointState state, PetscInt first)
{
  for (PetscInt k = first; k < modes->count; k++)
    if (modes->eigenvalue[k] < 0.0)
      LogWarn("mode %" PetscInt_FMT " is unstable while the joints are %s: omega^2 = %g rad^2/s^2", k + 1, joint_state_names[state],
              modes->eigenvalue[k]);
}

/* Each 1 / omega^2 is found to the round-off of the largest: at this spread omega was seen to be wrong by 2e-5. */
static void WarnOfRoundOff(const ContinuumModes *modes, JointState state, PetscInt wanted)
{
  const PetscReal  spread = 2e11;
  const PetscReal *omega2 = modes->eigenvalue + modes->num_rigid;
  PetscInt         k      = 0;

  if (modes->count < wanted)
    LogWarn("%" PetscInt_FMT " of %" PetscInt_FMT " modes were found while the joints are %s: beside the softest the others are lost in round-off",
            modes->count, wanted, joint_state_names[state]);
  while (k < modes->count - modes->num_rigid && omega2[k] <= spread * omega2[0]) k++;
  if (k < modes->count - modes->num_rigid)
    LogWarn("while the joints are %s the modes from %" PetscInt_FMT " on have fewer than five digits: the softest is too much softer, %g rad/s",
            joint_state_names[state], modes->num_rigid + k + 1, PetscSqrtReal(PetscMax(0.0, omega2[0])));
}

/* Of a mesh that is not reduced. */
static PetscErrorCode ComputeWhole(const ModeCache *cache, JointState state, PetscInt count, Modes **modes)
{
  ContinuumModes *found;

  PetscFunctionBegin;
  PetscCall(MeshedModelModes(ModelMeshedModel(cache->model), cache->system, state, count, cache->prove, &found));
  PetscCall(ModesCreate(cache->system->num_unknowns, found->count, modes));
  for (PetscInt k = 0; k < found->count; k++) {
    (*modes)->eigenvalue[k] = found->eigenvalue[k];
    (*modes)->omega[k]      = PetscSqrtReal(PetscMax(0.0, found->eigenvalue[k]));
  }
  (*modes)->state     = state;
  (*modes)->num_rigid = found->num_rigid;
  (*modes)->num_cut   = found->num_cut;
  if (found->fault.reason == CONTINUUM_FINE) WarnOfRoundOff(found, state, count);
  PetscCall(PetscArraycpy((*modes)->shape, found->tied, (size_t)found->count * (size_t)cache->system->num_unknowns));
  (*modes)->field = found->motion;
  found->motion   = NULL;
  PetscCall(ContinuumModesDestroy(&found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeCacheGet(ModeCache *cache, JointState state, PetscInt count, const Modes **modes)
{
  Modes         **kept  = &cache->modes[state];
  const PetscInt  known = *kept ? (*kept)->count : 0;
  const PetscBool holds = (PetscBool)(cache->holds && state == JOINT_STUCK);
  PetscInt        wanted, num_held = 0;

  PetscFunctionBegin;
  PetscCall(SystemGetSize(cache->system, &wanted));
  if (holds) PetscCall(HeldCount(cache->system, &num_held));
  wanted = PetscMin(count, wanted - num_held);
  if (known < wanted || !*kept) {
    PetscCall(ModesDestroy(kept));
    if (cache->system->continuum) PetscCall(ComputeWhole(cache, state, wanted, kept));
    else if (holds) PetscCall(ModesComputeHeld(cache->system, wanted, kept));
    else PetscCall(ModesCompute(cache->system, state, wanted, kept));
    if (*kept) WarnOfUnstable(*kept, state, known);
  }
  *modes = *kept;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeCacheGetRigid(ModeCache *cache, JointState state, const Modes **modes)
{
  const PetscInt n     = cache->system->num_unknowns;
  PetscInt       count = 12; /* rigid motions of two bodies */

  PetscFunctionBegin;
  do {
    count = PetscMin(count, n);
    PetscCall(ModeCacheGet(cache, state, count, modes));
    count *= 2;
  } while ((*modes)->num_rigid == (*modes)->count && (*modes)->count < n);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeCacheDestroy(ModeCache *cache)
{
  PetscFunctionBegin;
  PetscCall(ModesDestroy(&cache->modes[JOINT_STUCK]));
  PetscCall(ModesDestroy(&cache->modes[JOINT_SLIPPING]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
