/* structure.c - the linear part of a harmonic balance: made from the modes of a System, and what it answers where these are not coupled. */
#include "full_damping.h"
#include "harmonic/period.h"
#include "march/linear.h"

enum { MOST_MODES = 3000, FEWEST_HARMONICS = 3 }; /* that are all found; with which any curve begins */

static const PetscReal SHARE = 0.8; /* of the memory of the machine */

/* R, between active rows once more, and factored; tangents of points of three rows; vectors of an iteration. */
static PetscReal MemoryOf(PetscInt rows, PetscInt harmonics)
{
  const PetscReal m = (PetscReal)rows, P = 2.0 * (PetscReal)harmonics + 1.0, vectors = 150.0;

  return (PetscReal)sizeof(PetscReal) * m * (3.0 * m + 3.0 * P * P + vectors * P);
}

PetscErrorCode HarmonicStructureCheckHarmonics(const Names *names, PetscInt harmonics, const InputNode *node)
{
  const PetscReal needed = MemoryOf(names->num_nonlinear, harmonics), room = SHARE * MachineMemory(), giga = 1e9;

  PetscFunctionBegin;
  if (names->known && needed > room)
    PetscCall(InputComplain(node,
                            "%" PetscInt_FMT " harmonics of %" PetscInt_FMT
                            " nonlinear motions of joints need about %.3g GB of memory, and %.3g GB are there for "
                            "them: fewer harmonics, or the method newmark, take less",
                            harmonics, names->num_nonlinear, needed / giga, room / giga));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt HarmonicStructureMostHarmonics(const HarmonicStructure *s, PetscInt most)
{
  PetscInt harmonics = 1;

  while (harmonics < most && MemoryOf(s->m, harmonics + 1) <= SHARE * MachineMemory()) harmonics++;
  return harmonics;
}

PetscErrorCode HarmonicStructureCheck(const Names *names, const InputNode *node)
{
  PetscFunctionBegin;
  if (!names->known) PetscFunctionReturn(PETSC_SUCCESS);
  if (names->num_nonlinear == 0)
    PetscCall(InputComplain(node, "harmonic balance follows the motions of nonlinear joints, and there is none: a linear structure has the response "
                                  "of its modes; the method newmark takes it"));
  if (NamesSticking(names))
    PetscCall(InputComplain(node,
                            "harmonic balance does not take joints that stick without any give, as '%s': their force jumps, and few harmonics "
                            "tell neither its jumps nor how long they stick; the method newmark of a response follows both",
                            NamesSticking(names)));
  if (names->num_unknowns > MOST_MODES)
    PetscCall(InputComplain(node,
                            "harmonic balance needs all modes, which are found for %d unknowns at most; there are %" PetscInt_FMT
                            ": reduce the structure (`reduction`)",
                            MOST_MODES, names->num_unknowns));
  PetscCall(HarmonicStructureCheckHarmonics(names, FEWEST_HARMONICS, node));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A row of a matrix on the unknowns, over the modes. */
static PetscErrorCode RowOverModes(const Modes *modes, Mat matrix, PetscInt r, PetscReal row[])
{
  const PetscInt    *column;
  const PetscScalar *value;
  PetscInt           count;

  PetscFunctionBegin;
  PetscCall(MatGetRow(matrix, r, &count, &column, &value));
  for (PetscInt j = 0; j < modes->count; j++) {
    row[j] = 0.0;
    for (PetscInt i = 0; i < count; i++) row[j] += value[i] * modes->shape[j * modes->num_unknowns + column[i]];
  }
  PetscCall(MatRestoreRow(matrix, r, &count, &column, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TakeModes(HarmonicStructure *s)
{
  const Modes *const modes = s->modes;

  PetscFunctionBegin;
  PetscCall(PetscCalloc5(s->n, &s->eigenvalue, s->n, &s->damping, s->n, &s->load, s->m, &s->given, s->m * s->n, &s->map));
  for (PetscInt j = 0; j < s->n; j++) {
    s->eigenvalue[j] = j < modes->num_rigid ? 0.0 : modes->eigenvalue[j];
    s->damping[j]    = ModalDamping(&s->system->damping, j, modes->omega[j]);
  }
  for (PetscInt r = 0; r < s->m; r++) PetscCall(RowOverModes(modes, s->system->B, r, s->map + r * s->n));
  for (PetscInt r = 0; r < s->m; r++) {
    PetscReal most = 0.0, rigid = 0.0; /* round-off moves joints a little in any rigid motion */

    for (PetscInt j = 0; j < s->n; j++) most = PetscMax(most, PetscAbsReal(s->map[r * s->n + j]));
    for (PetscInt j = 0; j < modes->num_rigid; j++) rigid = PetscMax(rigid, PetscAbsReal(s->map[r * s->n + j]));
    s->floats = (PetscBool)(s->floats || rigid > 1e-9 * most);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A sin(theta + phase) = A sin(phase) cos(theta) + A cos(phase) sin(theta). */
static PetscErrorCode TakeLoads(HarmonicStructure *s, ModeCache *cache, PetscInt num_loads, const Load loads[])
{
  const PetscInt n_unknowns = s->system->num_unknowns;
  PetscReal     *distribution, *on_modes;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(n_unknowns, &distribution, s->n, &on_modes));
  for (PetscInt l = 0; l < num_loads; l++) {
    const PetscReal phase = loads[l].signal.phase;
    const PetscInt  place = LoadSystemPlace(&loads[l], s->system);

    if (loads[l].place == LOAD_ON_SUPPORT) continue;
    PetscCall(LoadDistribution(&loads[l], cache, distribution));
    RowsTimes(s->n, n_unknowns, s->modes->shape, distribution, on_modes);
    for (PetscInt j = 0; j < s->n; j++) HarmonicSineAdd(&s->load[j], 0, on_modes[j], phase);
    if (!s->place_c || place < 0) continue;
    s->place_c[place] += PetscSinReal(phase) * LoadFactor(&loads[l]);
    s->place_s[place] += PetscCosReal(phase) * LoadFactor(&loads[l]);
  }
  PetscCall(PetscFree2(distribution, on_modes));
  HarmonicSupportsPush(s->supports, s->load);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What was left out between the rows, and what loads give them. */
static PetscErrorCode TakeRows(HarmonicStructure *s)
{
  PetscFunctionBegin;
  if (s->num_places) PetscCall(PetscCalloc1(s->m * s->m, &s->residual));
  for (PetscInt r = 0; r < s->m; r++) PetscCall(HarmonicStructureAddGiven(s, r, 1.0, s->residual ? s->residual + r * s->m : NULL, &s->given[r]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindSenses(HarmonicStructure *s)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(s->system->num_blocks, &s->sense));
  for (PetscInt b = 0; b < s->system->num_blocks; b++) PetscCall(PeriodSensesCreate(&s->system->blocks[b], &s->sense[b]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicStructureCreate(ModeCache *cache, PetscInt num_loads, const Load loads[], HarmonicStructure **structure)
{
  const System      *system = cache->system;
  HarmonicStructure *s;

  PetscFunctionBegin;
  PetscCall(PetscNew(structure));
  s         = *structure;
  s->system = system;
  PetscCall(ModeCacheGet(cache, JOINT_STUCK, system->num_unknowns, &s->modes));
  s->m = system->names.num_nonlinear;
  s->n = s->modes->count;
  if (system->residual) s->num_places = system->residual->num_places;
  if (system->residual) PetscCall(PetscCalloc2(s->num_places, &s->place_c, s->num_places, &s->place_s));
  PetscCall(TakeModes(s));
  PetscCall(HarmonicSupportsCreate(system, s->modes, num_loads, loads, &s->supports));
  PetscCall(TakeLoads(s, cache, num_loads, loads));
  PetscCall(TakeRows(s));
  PetscCall(FindSenses(s));
  if (system->C) PetscCall(FullDampingCreate(s));
  else PetscCall(PetscMalloc1(NUM_MODE_WEIGHTS * s->n, &s->work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicStructureDestroy(HarmonicStructure **structure)
{
  HarmonicStructure *const s = *structure;

  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree5(s->eigenvalue, s->damping, s->load, s->given, s->map));
  PetscCall(HarmonicSupportsDestroy(&s->supports));
  if (s->place_c) PetscCall(PetscFree2(s->place_c, s->place_s));
  for (PetscInt b = 0; b < s->system->num_blocks; b++) PetscCall(PetscFree(s->sense[b]));
  PetscCall(PetscFree(s->sense));
  PetscCall(PetscFree(s->residual));
  PetscCall(PetscFree(s->coupled));
  PetscCall(PetscFree(s->work));
  PetscCall(PetscFree(*structure));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void HarmonicStructureWeigh(const HarmonicStructure *s, PetscInt k, PetscReal W, HarmonicExcitation excitation, PetscReal weight[])
{
  const PetscInt  n  = s->n;
  const PetscReal kW = (PetscReal)k * W, kk = (PetscReal)k;

  for (PetscInt j = 0; j < n; j++) {
    const PetscReal a = s->eigenvalue[j] - kW * kW, b = kW * (s->damping[j] - 2.0 * excitation.damping * W), size = a * a + b * b;
    const PetscReal w = size > 0.0 ? 1.0 / size : 0.0, re = a * w, im = -b * w, square_re = re * re - im * im, square_im = 2.0 * re * im;
    const PetscReal da = -2.0 * kk * kW, db = kk * s->damping[j] - 4.0 * kk * excitation.damping * W, by_zeta = -2.0 * kW * W;
    const PetscReal used = k == 1 && j == excitation.mode ? 0.0 : 1.0;

    weight[j]         = used * re;
    weight[n + j]     = used * im;
    weight[2 * n + j] = used * (square_im * db - square_re * da); /* -h^2 (da + i db) */
    weight[3 * n + j] = -used * (square_re * db + square_im * da);
    weight[4 * n + j] = used * square_im * by_zeta;
    weight[5 * n + j] = -used * square_re * by_zeta;
  }
}

/* Symmetric. */
void HarmonicStructureSum(const HarmonicStructure *s, const HarmonicRows *rows, const PetscReal weight[], PetscReal scaled[], PetscReal matrix[])
{
  const PetscInt m = rows->count, n = s->n;

  for (PetscInt r = 0; r < m; r++) {
    for (PetscInt j = 0; j < n; j++) scaled[j] = weight[j] * rows->map[r * n + j];
    RowsTimes(r + 1, n, rows->map, scaled, matrix + r * m);
  }
  for (PetscInt r = 0; r < m; r++)
    for (PetscInt q = r + 1; q < m; q++) matrix[r * m + q] = matrix[q * m + r];
}

HarmonicRows HarmonicStructureRows(const HarmonicStructure *s)
{
  return (HarmonicRows){s->m, s->map, s->residual};
}

static const HarmonicExcitation loads_alone = {0.0, -1};

void HarmonicStructureLoads(const HarmonicStructure *s, PetscReal frequency, PetscReal c[], PetscReal sine[], PetscReal c_by_frequency[],
                            PetscReal s_by_frequency[])
{
  for (PetscInt j = 0; j < s->n; j++) {
    PetscReal value[2], slope[2];

    HarmonicSineAt(&s->load[j], frequency, value, c_by_frequency ? slope : NULL);
    c[j]    = value[0];
    sine[j] = value[1];
    if (!c_by_frequency) continue;
    c_by_frequency[j] = slope[0];
    s_by_frequency[j] = slope[1];
  }
}

/* Loads on modes that are not coupled, and their changes, become coordinates and their changes: Z^-1 p' + (Z^-1)' p. */
static void Respond(const HarmonicStructure *s, PetscReal frequency, PetscReal q[])
{
  const PetscInt         n = s->n;
  const PetscReal *const w = s->work;

  HarmonicStructureWeigh(s, 1, frequency, loads_alone, s->work);
  for (PetscInt j = 0; j < n; j++) {
    const PetscReal c = q[j], sine = q[n + j], dc = q[2 * n + j], ds = q[3 * n + j];

    q[j]         = w[j] * c + w[n + j] * sine;
    q[n + j]     = w[j] * sine - w[n + j] * c;
    q[2 * n + j] = w[2 * n + j] * c + w[3 * n + j] * sine + w[j] * dc + w[n + j] * ds;
    q[3 * n + j] = w[2 * n + j] * sine - w[3 * n + j] * c + w[j] * ds - w[n + j] * dc;
  }
}

PetscErrorCode HarmonicStructureResponse(const HarmonicStructure *s, PetscReal frequency, PetscReal c[], PetscReal sine[], PetscReal c_by_frequency[],
                                         PetscReal s_by_frequency[])
{
  const PetscInt n = s->n;
  PetscReal     *q;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc1(4 * n, &q));
  HarmonicStructureLoads(s, frequency, q, q + n, q + 2 * n, q + 3 * n);
  if (s->coupled) PetscCall(FullDampingResponse(s, frequency, q, q + n, q + 2 * n, q + 3 * n));
  else Respond(s, frequency, q);
  RowsTimes(s->m, n, s->map, q, c);
  RowsTimes(s->m, n, s->map, q + n, sine);
  RowsTimes(s->m, n, s->map, q + 2 * n, c_by_frequency);
  RowsTimes(s->m, n, s->map, q + 3 * n, s_by_frequency);
  for (PetscInt r = 0; r < s->m; r++) {
    PetscReal value[2], slope[2];

    HarmonicSineAt(&s->given[r], frequency, value, slope);
    c[r] += value[0];
    sine[r] += value[1];
    c_by_frequency[r] += slope[0];
    s_by_frequency[r] += slope[1];
  }
  PetscCall(PetscFree(q));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicStructureSolve(const HarmonicStructure *s, PetscInt k, PetscReal frequency, HarmonicExcitation excitation, PetscReal c[],
                                      PetscReal sine[])
{
  const PetscInt n = s->n;

  PetscFunctionBeginHot;
  if (s->coupled) {
    PetscCall(FullDampingSolve(s, k, frequency, c, sine));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  HarmonicStructureWeigh(s, k, frequency, excitation, s->work);
  for (PetscInt j = 0; j < n; j++) {
    const PetscReal p_c = c[j], p_s = sine[j];

    c[j]    = s->work[j] * p_c + s->work[n + j] * p_s;
    sine[j] = s->work[j] * p_s - s->work[n + j] * p_c;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicStructureCoordinates(const HarmonicStructure *s, PetscInt k, PetscReal frequency, HarmonicExcitation excitation,
                                            PetscReal level, const PetscReal remainder_c[], const PetscReal remainder_s[], PetscReal c[],
                                            PetscReal sine[])
{
  const PetscInt n = s->n;

  PetscFunctionBeginHot;
  if (k == 1) HarmonicStructureLoads(s, frequency, c, sine, NULL, NULL);
  for (PetscInt j = 0; j < n; j++) {
    c[j]    = k == 1 ? level * c[j] : 0.0;
    sine[j] = k == 1 ? level * sine[j] : 0.0;
    for (PetscInt r = 0; r < s->m; r++) {
      c[j] -= s->map[r * n + j] * remainder_c[r];
      sine[j] -= s->map[r * n + j] * remainder_s[r];
    }
  }
  PetscCall(HarmonicStructureSolve(s, k, frequency, excitation, c, sine));
  PetscFunctionReturn(PETSC_SUCCESS);
}
