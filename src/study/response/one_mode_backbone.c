/* one_mode_backbone.c - a nonlinear mode read back as what its response needs: frequency, damping, mass and load of its shape, along its curve. */
#include <math.h>
#include "one_mode.h"

enum { NUM_AROUND = 5 }; /* points that a slope is found from */

static const PetscReal FREQUENCY_WEIGHT = 10.0; /* of the relative change of frequency in the length of the curve, where that turns */

/* Rows of the mode at one point. */
typedef struct {
  PetscReal  amplitude, omega, zeta, moved_mass, moved_damping;
  PetscReal *q_c, *q_s, *g_c, *g_s; /* [n], [m] */
  PetscReal *mean, *cosine, *sine;  /* [motions], [motions, kept] of the mode's study; NULL: it watches nothing */
} Row;

typedef struct {
  const OneMode *one;
  const Result  *result;
  PetscInt       num_motions, kept;
  PetscInt      *motion; /* [watched] of the mode's study; -1: not watched there */
  Row            row;
} Reader;

static PetscErrorCode ReadField(const Reader *reader, const char *key, PetscInt i, PetscReal numbers[])
{
  return FindingRead(reader->one->mode, FindingField(reader->one->mode, key), i, 1, numbers, reader->result);
}

static PetscErrorCode ReadRow(const Reader *reader, PetscInt i, Row *row)
{
  PetscFunctionBegin;
  PetscCall(ReadField(reader, "amplitude", i, &row->amplitude));
  PetscCall(ReadField(reader, "omega", i, &row->omega));
  PetscCall(ReadField(reader, "zeta", i, &row->zeta));
  PetscCall(ReadField(reader, "moved_mass", i, &row->moved_mass));
  PetscCall(ReadField(reader, "moved_damping", i, &row->moved_damping));
  PetscCall(ReadField(reader, "coordinate_cosine", i, row->q_c));
  PetscCall(ReadField(reader, "coordinate_sine", i, row->q_s));
  PetscCall(ReadField(reader, "remainder_cosine", i, row->g_c));
  PetscCall(ReadField(reader, "remainder_sine", i, row->g_s));
  if (reader->num_motions) {
    PetscCall(ReadField(reader, "mean", i, row->mean));
    PetscCall(ReadField(reader, "cosine", i, row->cosine));
    PetscCall(ReadField(reader, "sine", i, row->sine));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds conj(q) p of a load. */
static void AddWork(const HarmonicSine *load, PetscReal frequency, PetscReal q_c, PetscReal q_s, PetscReal sum[2])
{
  PetscReal p[2];

  HarmonicSineAt(load, frequency, p, NULL);
  sum[0] += q_c * p[0] + q_s * p[1];
  sum[1] += q_s * p[0] - q_c * p[1];
}

/* mu and psi^H P of the shape psi = (q_c - i q_s) / a and the loads P = P_c - i P_s; modes that were left out move the places of the loads, too. */
static void Project(const HarmonicStructure *s, const Row *row, PetscReal numbers[])
{
  const PetscReal square = PetscSqr(row->amplitude);
  PetscReal       mass = 0.0, load[2] = {0.0, 0.0};

  for (PetscInt j = 0; j < s->n; j++) {
    mass += (PetscSqr(row->q_c[j]) + PetscSqr(row->q_s[j])) / square;
    AddWork(&s->load[j], row->omega, row->q_c[j], row->q_s[j], load);
  }
  for (PetscInt r = 0; r < s->m; r++) AddWork(&s->given[r], row->omega, -row->g_c[r], -row->g_s[r], load);
  numbers[BACKBONE_LOG_AMPLITUDE] = PetscLogReal(row->amplitude);
  numbers[BACKBONE_OMEGA]         = row->omega;
  numbers[BACKBONE_MASS]          = mass;
  numbers[BACKBONE_LOSS]          = 2.0 * row->zeta * PetscSqr(row->omega) * row->moved_mass;
  numbers[BACKBONE_DAMPING]       = row->moved_damping;
  numbers[BACKBONE_LOAD_RE]       = load[0] / row->amplitude;
  numbers[BACKBONE_LOAD_IM]       = load[1] / row->amplitude;
}

/* Harmonics of a motion for a unit of a, C - i S: the first one from all coordinates, others as far as the mode's study kept them. */
static void TakeShape(const Reader *reader, PetscInt i, PetscReal shape[])
{
  const OneMode *const one    = reader->one;
  const Row *const     row    = &reader->row;
  const PetscInt       stored = one->keys.stored_harmonics, other = reader->motion[i];
  PetscReal            c, s;

  for (PetscInt k = 0; k <= 2 * stored + 1; k++) shape[k] = 0.0;
  if (other >= 0) shape[0] = row->mean[other] / row->amplitude;
  for (PetscInt k = 2; other >= 0 && k <= PetscMin(stored, reader->kept); k++) {
    shape[2 * k]     = row->cosine[other * reader->kept + k - 1] / row->amplitude;
    shape[2 * k + 1] = -row->sine[other * reader->kept + k - 1] / row->amplitude;
  }
  HarmonicPlaceMotion(one->structure, &one->common.watched.places[i], 1, row->omega, 0.0, row->q_c, row->q_s, row->g_c, row->g_s, &c, &s);
  shape[2] = c / row->amplitude;
  shape[3] = -s / row->amplitude;
}

/* Where the mode's study has the motions that are watched here. */
static PetscErrorCode MatchMotions(const OneMode *one, Reader *reader)
{
  const Finding *const study = FindingsFind(one->source->findings, "/nonlinear_modes/%s", one->source->name);
  const char          *names;

  PetscFunctionBegin;
  reader->num_motions = (PetscInt)PetscMax(FindingSize(one->mode, "motions"), 0);
  reader->kept        = (PetscInt)FindingSize(one->mode, "kept");
  names               = reader->num_motions ? FindingGiven(study, "motions") : NULL;
  for (PetscInt i = 0; i < one->common.watched.count; i++) {
    PetscBool same = PETSC_FALSE;

    reader->motion[i] = -1;
    for (PetscInt k = 0; names && k < reader->num_motions && !same; k++) {
      PetscCall(PetscStrcmp(names + (size_t)k * RESULT_TEXT_LENGTH, one->common.watched.motions[i].name, &same));
      if (same) reader->motion[i] = k;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReaderCreate(const OneMode *one, const Result *result, Reader *reader)
{
  const PetscInt n = one->structure->n, m = one->structure->m;
  PetscInt       kept;

  PetscFunctionBegin;
  *reader = (Reader){.one = one, .result = result};
  PetscCall(PetscMalloc1(one->common.watched.count, &reader->motion));
  PetscCall(MatchMotions(one, reader));
  kept = reader->num_motions * reader->kept;
  PetscCall(PetscCalloc7(n, &reader->row.q_c, n, &reader->row.q_s, m, &reader->row.g_c, m, &reader->row.g_s, reader->num_motions, &reader->row.mean,
                         kept, &reader->row.cosine, kept, &reader->row.sine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReaderDestroy(Reader *reader)
{
  Row *const row = &reader->row;

  PetscFunctionBegin;
  PetscCall(PetscFree(reader->motion));
  PetscCall(PetscFree7(row->q_c, row->q_s, row->g_c, row->g_s, row->mean, row->cosine, row->sine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void MeasureLength(Backbone *backbone)
{
  for (PetscInt i = 1; i < backbone->count; i++) {
    const PetscReal *const now = backbone->numbers + i * backbone->size, *const before = now - backbone->size;
    const PetscReal turn = FREQUENCY_WEIGHT * (now[BACKBONE_OMEGA] / before[BACKBONE_OMEGA] - 1.0);

    backbone->place[i] = backbone->place[i - 1] + hypot(now[BACKBONE_LOG_AMPLITUDE] - before[BACKBONE_LOG_AMPLITUDE], turn);
  }
}

/* Weights of points first, ..., first + num - 1 in the slope at point i of the polynomial through them [Lagrange]. */
static void SlopeWeights(const PetscReal place[], PetscInt first, PetscInt num, PetscInt i, PetscReal weights[])
{
  weights[i - first] = 0.0;
  for (PetscInt p = first; p < first + num; p++) {
    PetscReal weight = 1.0;

    if (p == i) continue;
    weights[i - first] += 1.0 / (place[i] - place[p]);
    for (PetscInt q = first; q < first + num; q++)
      if (q != p) weight *= (q == i ? 1.0 : place[i] - place[q]) / (place[p] - place[q]);
    weights[p - first] = weight;
  }
}

/* No steeper than three times either neighbour, and not against both: a cubic then follows a corner of the mode without ringing [Hyman 1983]. */
static PetscReal Limited(PetscReal slope, PetscReal left, PetscReal right)
{
  const PetscReal most = 3.0 * PetscMin(PetscAbsReal(left), PetscAbsReal(right));

  if (left * right > 0.0 && slope * left < 0.0) return 0.0;
  return PetscMax(-most, PetscMin(most, slope));
}

static void FindSlopes(Backbone *b)
{
  const PetscInt num = PetscMin(b->count, NUM_AROUND), size = b->size;
  PetscReal      weights[NUM_AROUND];

  for (PetscInt i = 0; i < b->count; i++) {
    const PetscInt first = PetscMax(PetscMin(i - num / 2, b->count - num), 0), left = PetscMax(i - 1, 0), right = PetscMin(i + 1, b->count - 1);
    const PetscReal *const at = b->numbers;

    SlopeWeights(b->place, first, num, i, weights);
    for (PetscInt k = 0; k < size; k++) {
      const PetscReal before = left < i ? (at[i * size + k] - at[left * size + k]) / (b->place[i] - b->place[left]) : PETSC_MAX_REAL;
      const PetscReal after  = right > i ? (at[right * size + k] - at[i * size + k]) / (b->place[right] - b->place[i]) : PETSC_MAX_REAL;
      PetscReal       slope  = 0.0;

      for (PetscInt p = 0; p < num; p++) slope += weights[p] * at[(first + p) * size + k];
      b->slopes[i * size + k] = Limited(slope, left < i ? before : after, right > i ? after : before);
    }
  }
}

PetscErrorCode BackboneCreate(const OneMode *one, const Result *result, Backbone *backbone)
{
  const PetscInt per_motion = 2 * (one->keys.stored_harmonics + 1), count = one->common.watched.count;
  Reader         reader;
  PetscInt64     known;

  PetscFunctionBegin;
  *backbone = (Backbone){.size = BACKBONE_SHAPE + count * per_motion};
  PetscCall(FindingRead(one->mode, FindingField(one->mode, "count"), 0, 1, &known, result));
  if (known < 2) PetscFunctionReturn(PETSC_SUCCESS);
  backbone->count = (PetscInt)known;
  PetscCall(PetscCalloc3(backbone->count, &backbone->place, backbone->count * backbone->size, &backbone->numbers, backbone->count * backbone->size,
                         &backbone->slopes));
  PetscCall(ReaderCreate(one, result, &reader));
  for (PetscInt i = 0; i < backbone->count; i++) {
    PetscReal *const numbers = backbone->numbers + i * backbone->size;

    PetscCall(ReadRow(&reader, i, &reader.row));
    Project(one->structure, &reader.row, numbers);
    for (PetscInt k = 0; k < count; k++) TakeShape(&reader, k, numbers + BACKBONE_SHAPE + k * per_motion);
  }
  PetscCall(ReaderDestroy(&reader));
  MeasureLength(backbone);
  FindSlopes(backbone);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BackboneDestroy(Backbone *backbone)
{
  PetscFunctionBegin;
  if (backbone->count) PetscCall(PetscFree3(backbone->place, backbone->numbers, backbone->slopes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Cubics between the points [Hermite]. */
void BackboneAt(const Backbone *b, PetscReal place, PetscInt count, PetscReal numbers[])
{
  const PetscReal x = PetscMin(PetscMax(place, 0.0), b->place[b->count - 1]);
  PetscInt        i = 0;
  PetscReal       step, t;

  while (i < b->count - 2 && b->place[i + 1] < x) i++;
  step = b->place[i + 1] - b->place[i];
  t    = (x - b->place[i]) / step;
  for (PetscInt k = 0; k < count; k++) {
    const PetscReal *const at = b->numbers + i * b->size + k, *const slope = b->slopes + i * b->size + k;

    numbers[k] = at[0] + t * t * (3.0 - 2.0 * t) * (at[b->size] - at[0]) + step * t * (1.0 - t) * ((1.0 - t) * slope[0] - t * slope[b->size]);
  }
  if (place < 0.0) numbers[BACKBONE_LOG_AMPLITUDE] += place;
}
