/* structure.c - the linear part of a harmonic balance: made from the modes of a System, and what it answers where these are not coupled. */
#include "full_damping.h"
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
  PetscCall(PetscCalloc5(s->n, &s->eigenvalue, s->n, &s->damping, s->n, &s->load_c, s->n, &s->load_s, s->m * s->n, &s->map));
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
  PetscReal     *distribution;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(n_unknowns, &distribution));
  for (PetscInt l = 0; l < num_loads; l++) {
    const PetscReal c = PetscSinReal(loads[l].signal.phase), sine = PetscCosReal(loads[l].signal.phase);
    const PetscInt  place = LoadSystemPlace(&loads[l], s->system);

    PetscCall(LoadDistribution(&loads[l], cache, distribution));
    for (PetscInt j = 0; j < s->n; j++) {
      const PetscReal force = RowsTimesOne(n_unknowns, s->modes->shape + j * n_unknowns, distribution);

      s->load_c[j] += c * force;
      s->load_s[j] += sine * force;
    }
    if (!s->place_c || place < 0) continue;
    s->place_c[place] += c * LoadFactor(&loads[l]);
    s->place_s[place] += sine * LoadFactor(&loads[l]);
  }
  PetscCall(PetscFree(distribution));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What was left out: between the rows, and from the loads to them. */
static PetscErrorCode TakeResidual(HarmonicStructure *s)
{
  const SystemResidual *const residual = s->system->residual;
  PetscReal                  *row;

  PetscFunctionBegin;
  if (!residual) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc3(s->m * s->m, &s->residual, s->m, &s->given_c, s->m, &s->given_s));
  PetscCall(PetscMalloc1(s->num_places, &row));
  for (PetscInt r = 0; r < s->m; r++) {
    PetscCall(ComplianceRow(residual->compliance, r, s->num_places, row));
    for (PetscInt q = 0; q < s->m; q++) s->residual[r * s->m + q] = row[q];
    for (PetscInt p = 0; p < s->num_places; p++) {
      s->given_c[r] += row[p] * s->place_c[p];
      s->given_s[r] += row[p] * s->place_s[p];
    }
  }
  PetscCall(PetscFree(row));
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
  PetscCall(TakeLoads(s, cache, num_loads, loads));
  PetscCall(TakeResidual(s));
  if (system->C) PetscCall(FullDampingCreate(s));
  else PetscCall(PetscMalloc1(NUM_MODE_WEIGHTS * s->n, &s->work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicStructureDestroy(HarmonicStructure **structure)
{
  HarmonicStructure *const s = *structure;

  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree5(s->eigenvalue, s->damping, s->load_c, s->load_s, s->map));
  if (s->place_c) PetscCall(PetscFree2(s->place_c, s->place_s));
  if (s->residual) PetscCall(PetscFree3(s->residual, s->given_c, s->given_s));
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

PetscErrorCode HarmonicStructureResponse(const HarmonicStructure *s, PetscReal frequency, PetscReal c[], PetscReal sine[], PetscReal c_by_frequency[],
                                         PetscReal s_by_frequency[])
{
  const PetscInt n = s->n;
  PetscReal     *q;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc1(4 * n, &q));
  if (s->coupled) PetscCall(FullDampingResponse(s, frequency, q, q + n, q + 2 * n, q + 3 * n));
  else {
    const PetscReal *const w = s->work;

    HarmonicStructureWeigh(s, 1, frequency, loads_alone, s->work);
    for (PetscInt j = 0; j < n; j++) {
      q[j]         = w[j] * s->load_c[j] + w[n + j] * s->load_s[j];
      q[n + j]     = w[j] * s->load_s[j] - w[n + j] * s->load_c[j];
      q[2 * n + j] = w[2 * n + j] * s->load_c[j] + w[3 * n + j] * s->load_s[j];
      q[3 * n + j] = w[2 * n + j] * s->load_s[j] - w[3 * n + j] * s->load_c[j];
    }
  }
  RowsTimes(s->m, n, s->map, q, c);
  RowsTimes(s->m, n, s->map, q + n, sine);
  RowsTimes(s->m, n, s->map, q + 2 * n, c_by_frequency);
  RowsTimes(s->m, n, s->map, q + 3 * n, s_by_frequency);
  for (PetscInt r = 0; s->residual && r < s->m; r++) {
    c[r] += s->given_c[r];
    sine[r] += s->given_s[r];
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
  for (PetscInt j = 0; j < n; j++) {
    c[j]    = k == 1 ? level * s->load_c[j] : 0.0;
    sine[j] = k == 1 ? level * s->load_s[j] : 0.0;
    for (PetscInt r = 0; r < s->m; r++) {
      c[j] -= s->map[r * n + j] * remainder_c[r];
      sine[j] -= s->map[r * n + j] * remainder_s[r];
    }
  }
  PetscCall(HarmonicStructureSolve(s, k, frequency, excitation, c, sine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreatePlace(const HarmonicStructure *s, const PetscReal on_unknowns[], HarmonicPlace *row)
{
  const PetscInt n_unknowns = s->system->num_unknowns;

  PetscFunctionBegin;
  *row = (HarmonicPlace){0};
  PetscCall(PetscMalloc1(s->n, &row->modes));
  for (PetscInt j = 0; j < s->n; j++) row->modes[j] = RowsTimesOne(n_unknowns, s->modes->shape + j * n_unknowns, on_unknowns);
  if (s->residual) PetscCall(PetscCalloc1(s->num_places, &row->residual));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicPlaceCreate(const HarmonicStructure *s, PetscInt place, HarmonicPlace *row)
{
  PetscReal *on_unknowns;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(s->system->num_unknowns, &on_unknowns));
  PetscCall(SystemAddPlace(s->system, place, 1.0, on_unknowns));
  PetscCall(CreatePlace(s, on_unknowns, row));
  PetscCall(PetscFree(on_unknowns));
  if (s->residual) PetscCall(ComplianceRow(s->system->residual->compliance, place, s->num_places, row->residual));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicPlaceCreateLayer(const HarmonicStructure *s, PetscInt first, PetscInt size, HarmonicPlace *row)
{
  PetscReal *on_unknowns, *one;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(s->system->num_unknowns, &on_unknowns, s->num_places, &one));
  PetscCall(SystemLayerRow(s->system, first, size, on_unknowns));
  PetscCall(CreatePlace(s, on_unknowns, row));
  for (PetscInt r = first; s->residual && r < first + size; r++) {
    PetscCall(ComplianceRow(s->system->residual->compliance, r, s->num_places, one));
    for (PetscInt p = 0; p < s->num_places; p++) row->residual[p] += s->system->rows[r].share * one[p];
  }
  PetscCall(PetscFree2(on_unknowns, one));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicPlaceDestroy(HarmonicPlace *row)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(row->modes));
  PetscCall(PetscFree(row->residual));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void HarmonicPlaceMotion(const HarmonicStructure *s, const HarmonicPlace *row, PetscInt k, PetscReal level, const PetscReal q_c[],
                         const PetscReal q_s[], const PetscReal remainder_c[], const PetscReal remainder_s[], PetscReal *c, PetscReal *sine)
{
  *c    = RowsTimesOne(s->n, row->modes, q_c);
  *sine = RowsTimesOne(s->n, row->modes, q_s);
  if (!row->residual) return;
  for (PetscInt r = 0; r < s->m; r++) {
    *c -= row->residual[r] * remainder_c[r];
    *sine -= row->residual[r] * remainder_s[r];
  }
  for (PetscInt p = 0; k == 1 && p < s->num_places; p++) {
    *c += level * row->residual[p] * s->place_c[p];
    *sine += level * row->residual[p] * s->place_s[p];
  }
}
