/* expansion_fields.c - one period of the mesh at points of curves, for ParaView: RESULT_NAME_CURVE_1.xdmf beside RESULT.h5. */
#include "study/deflections.h"
#include "study/expansion.h"
#include "study/stresses.h"

/* That of point `row`, counted from 0. */
static PetscErrorCode FindPath(const char *name, const char *curve, PetscInt row, const Result *result, char path[PETSC_MAX_PATH_LEN])
{
  char suffix[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(suffix, sizeof(suffix), "_%s_%s_%" PetscInt_FMT ".xdmf", name, curve, row + 1));
  PetscCall(ResultPathBeside(ResultPath(result), suffix, path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExpansionPrepare(const Expansion *expansion, const char *name, const char *curve, const System *system, const Result *result)
{
  char path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  if (!expansion->finding) PetscFunctionReturn(PETSC_SUCCESS);
  if (SystemIsOnModes(system)) PetscCall(FindingSetSize(expansion->finding, "places", SystemNumPlaces(system)));
  else
    for (PetscInt f = EXPANSION_FORCE_COSINE; f <= EXPANSION_FORCE_SINE; f++) PetscCall(FindingOmit(expansion->finding, f));
  for (PetscInt row = 0; row < expansion->plan->most; row++) {
    PetscCall(FindPath(name, curve, row, result, path));
    PetscCall(SeriesCheckPlace(path));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* numbers[i, width] at each of `count` times of the period, from harmonics of a row of the result. */
static PetscErrorCode Sample(const Expansion *expansion, PetscInt cosine, PetscInt row, PetscInt width, PetscInt count, const Result *result,
                             PetscReal numbers[])
{
  const PetscInt num = (PetscInt)FindingSize(expansion->finding, "harmonics");
  PetscReal     *c, *s;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(num * width, &c, num * width, &s));
  PetscCall(FindingRead(expansion->finding, cosine, row, 1, c, result));
  PetscCall(FindingRead(expansion->finding, cosine + 1, row, 1, s, result));
  PetscCall(PetscArrayzero(numbers, count * width));
  for (PetscInt i = 0; i < count; i++)
    for (PetscInt k = 0; k < num; k++) {
      const PetscReal angle = 2.0 * PETSC_PI * (PetscReal)((k * i) % count) / (PetscReal)count, by_c = PetscCosReal(angle),
                      by_s = PetscSinReal(angle);

      for (PetscInt j = 0; j < width; j++) numbers[i * width + j] += by_c * c[k * width + j] + by_s * s[k * width + j];
    }
  PetscCall(PetscFree2(c, s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WritePeriod(const Expansion *expansion, PetscInt row, PetscReal frequency, const char *path, const char *name,
                                  const ModeCache *cache, const Result *result, PetscBool *whole)
{
  const System *const system = cache->system;
  const PetscInt      count  = expansion->plan->keys.samples;
  Deflections         deflections;
  PetscReal          *times;
  PetscBool           fine;
  Mat                 moved;

  PetscFunctionBegin;
  *whole = PETSC_FALSE;
  PetscCall(DeflectionsCreate(system, count, &deflections));
  PetscCall(Sample(expansion, EXPANSION_UNKNOWN_COSINE, row, system->num_unknowns, count, result, deflections.coordinates));
  if (system->names.num_supports)
    PetscCall(Sample(expansion, EXPANSION_SUPPORT_COSINE, row, system->names.num_supports, count, result, deflections.supports));
  if (SystemIsOnModes(system)) {
    PetscCall(Sample(expansion, EXPANSION_FORCE_COSINE, row, SystemNumPlaces(system), count, result, deflections.forces));
    PetscCall(DeflectionsLeaveStatic(system, &deflections));
  }
  PetscCall(PetscMalloc1(count, &times));
  for (PetscInt i = 0; i < count; i++) times[i] = (PetscReal)i / ((PetscReal)count * frequency);
  PetscCall(DeflectionsSolve(&deflections, cache, 0, count, &moved, &fine));
  if (fine)
    PetscCall(DeflectionsWrite(&deflections, cache, moved,
                               &(DeflectionSeries){path, name, count, times, expansion->plan->keys.stresses, expansion->plan->keys.stress_points},
                               whole));
  PetscCall(MatDestroy(&moved));
  PetscCall(PetscFree(times));
  PetscCall(DeflectionsDestroy(&deflections));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "peak at 121.4 Hz, level 1" */
static PetscErrorCode Describe(const Expansion *expansion, PetscInt row, const char *kind, PetscReal frequency, const Result *result, char text[],
                               size_t size)
{
  const PetscBool of_mode = (PetscBool)(expansion->plan->leading == EXPANSION_BY_AMPLITUDE);
  PetscReal       other;

  PetscFunctionBegin;
  PetscCall(FindingRead(expansion->finding, of_mode ? EXPANSION_AMPLITUDE : EXPANSION_LEVEL, row, 1, &other, result));
  PetscCall(PetscSNPrintf(text, size, "%s%.6g Hz, %s %.4g%s", kind[0] == 'p' ? "peak at " : "at ", (double)frequency, of_mode ? "amplitude" : "level",
                          (double)other, of_mode ? " m kg^1/2" : ""));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteRow(const Expansion *expansion, PetscInt row, const char *kind, const char *name, const char *curve,
                               const ModeCache *cache, const Result *result, PetscBool *whole)
{
  char      path[PETSC_MAX_PATH_LEN], text[RESULT_TEXT_LENGTH];
  PetscReal frequency;

  PetscFunctionBegin;
  PetscCall(FindingRead(expansion->finding, EXPANSION_FREQUENCY, row, 1, &frequency, result));
  PetscCall(FindPath(name, curve, row, result, path));
  PetscCall(WritePeriod(expansion, row, frequency, path, name, cache, result, whole));
  PetscCall(Describe(expansion, row, kind, frequency, result, text, sizeof(text)));
  if (*whole) ReportSay("  %s %s: a period of the mesh, for ParaView: %s\n", curve, text, path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExpansionWrite(const Expansion *expansion, const char *name, const char *curve, const ModeCache *cache, const Result *result)
{
  char       kind[RESULT_TEXT_LENGTH];
  PetscInt64 missed;
  PetscInt   row   = 0;
  PetscBool  whole = PETSC_TRUE;

  PetscFunctionBegin;
  if (!expansion->finding) PetscFunctionReturn(PETSC_SUCCESS);
  for (; row < expansion->plan->most && whole; row++) {
    PetscCall(FindingRead(expansion->finding, EXPANSION_KIND, row, 1, kind, result));
    if (!kind[0]) break;
    PetscCall(WriteRow(expansion, row, kind, name, curve, cache, result, &whole));
  }
  PetscCall(FindingRead(expansion->finding, EXPANSION_MISSED, 0, 1, &missed, result));
  if (row == 0) ReportSay("  %s: no point for `fields`: the curve passes none of them\n", curve);
  if (missed)
    ReportSay("  %s: %" PetscInt64_FMT " more points for `fields`, beyond the room for %" PetscInt_FMT "\n", curve, missed, expansion->plan->most);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ExpansionSayStresses(const ExpansionPlan *plan, const System *system)
{
  if (plan->keys.stresses && !system->residual) StressesSayReduced();
}
