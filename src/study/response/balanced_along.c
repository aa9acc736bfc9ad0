/* balanced_along.c - curves along a resonance over the level: their keys, what they need, and their lines. */
#include <math.h>
#include "balanced.h"

const char *const balanced_along[] = {"phase_resonance", "peak", NULL};

enum { SHOWN = 5 };

static PetscErrorCode ReadModes(const InputNode *node, const Names *names, Balanced *balanced)
{
  const InputReals       modes = balanced->keys.modes;
  const InputNode *const list  = InputFind(node, "modes");

  PetscFunctionBegin;
  if (!list) PetscCall(InputComplain(InputFind(node, "along"), "goes with `modes`, the numbers of those whose resonance is followed"));
  if (list && InputIsList(list) && InputCount(list) == 0) PetscCall(InputComplain(list, "expected numbers of modes, found none"));
  for (PetscInt i = 0; i < modes.count; i++) {
    const InputNode *item = InputIsList(list) ? InputItem(list, i) : list;

    if (modes.values[i] != PetscFloorReal(modes.values[i]))
      PetscCall(InputComplain(item, "expected the number of a mode, found %g", modes.values[i]));
    for (PetscInt k = 0; k < i; k++)
      if (modes.values[k] == modes.values[i]) PetscCall(InputComplain(item, "mode %g is there twice", modes.values[i]));
    PetscCall(NamesCheckMode(names, item, modes.values[i]));
    balanced->curves[i].mode = (PetscInt)modes.values[i] - 1;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalancedReadAlong(const InputNode *node, const Names *names, Balanced *balanced)
{
  static const char *const of_peaks[] = {"at", "direction", NULL}, *const of_points[] = {"direction", NULL};
  const BalancedKeys *const keys   = &balanced->keys;
  PetscInt                  motion = -1;

  PetscFunctionBegin;
  PetscCall(ReadModes(node, names, balanced));
  if (keys->along != ALONG_PEAK) {
    PetscCall(InputRefuseKeys(node, of_peaks, "belongs to `along: peak`"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (!keys->at) PetscCall(InputRefuseKeys(node, of_points, "belongs to `at`"));
  else PetscCall(NamesChooseMotion(names, InputFind(node, "at"), keys->at, keys->direction, &motion));
  for (PetscInt i = 0; i < balanced->common.watched.count && motion >= 0; i++)
    if (!balanced->common.watched.motions[i].of_joint && balanced->common.watched.motions[i].row == motion) balanced->peak_motion = i;
  if (motion >= 0 && balanced->peak_motion < 0)
    PetscCall(InputComplain(InputFind(node, "at"), "is not watched: it must be among the points of `watch`"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* |phi^T P| of the loads together. */
static PetscErrorCode FindPushes(ModeCache *cache, const Response *common, const Modes *modes, PetscReal push[])
{
  const PetscInt n = modes->num_unknowns;
  PetscReal     *c, *s, *one;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(n, &c, n, &s, n, &one));
  PetscCall(PetscArrayzero(c, n));
  PetscCall(PetscArrayzero(s, n));
  for (PetscInt l = 0; l < common->num_loads; l++) {
    PetscCall(LoadDistribution(&common->loads[l], cache, one));
    for (PetscInt i = 0; i < n; i++) {
      c[i] += PetscSinReal(common->loads[l].signal.phase) * one[i];
      s[i] += PetscCosReal(common->loads[l].signal.phase) * one[i];
    }
  }
  for (PetscInt j = 0; j < modes->count; j++) {
    PetscReal p_c = 0.0, p_s = 0.0;

    for (PetscInt i = 0; i < n; i++) {
      p_c += modes->shape[j * n + i] * c[i];
      p_s += modes->shape[j * n + i] * s[i];
    }
    push[j] = hypot(p_c, p_s);
  }
  PetscCall(PetscFree3(c, s, one));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalancedCheckAlong(const InputNode *node, ModeCache *cache, const Balanced *balanced)
{
  const PetscReal        nothing = 1e-9; /* of the mode that the loads push most: round-off */
  const InputNode *const list    = InputFind(node, "modes");
  const Modes           *modes;
  PetscReal             *push, most = 0.0;

  PetscFunctionBegin;
  PetscCall(ModeCacheGet(cache, JOINT_STUCK, cache->system->num_unknowns, &modes));
  PetscCall(PetscMalloc1(modes->count, &push));
  PetscCall(FindPushes(cache, &balanced->common, modes, push));
  for (PetscInt j = 0; j < modes->count; j++) most = PetscMax(most, push[j]);
  for (PetscInt i = 0; i < balanced->num_curves; i++) {
    const InputNode *item = InputIsList(list) ? InputItem(list, i) : list;
    const PetscInt   mode = balanced->curves[i].mode;

    if (mode < modes->num_rigid || !(modes->eigenvalue[mode] > 0.0))
      PetscCall(InputComplain(item, "mode %" PetscInt_FMT " has no frequency: it moves without strain, or is unstable", mode + 1));
    else if (push[mode] <= nothing * most)
      PetscCall(InputComplain(item, "mode %" PetscInt_FMT " is not excited by the loads: it has no resonance under them", mode + 1));
  }
  PetscCall(PetscFree(push));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A few points about evenly in the logarithm of the level, the first and the last among them. */
PetscErrorCode BalancedPrintAlong(const Balanced *balanced, const BalancedCurve *curve, const Result *result)
{
  static const char *const keys[] = {"level", "frequency", "coordinate", "damping"};
  const PetscInt64         most   = balanced->keys.max_points;
  PetscReal               *value[4];
  PetscInt64               count = 0, last = -1;

  PetscFunctionBegin;
  for (PetscInt k = 0; k < 4; k++) PetscCall(FindingReadReals(curve->finding, keys[k], most, result, &value[k]));
  while (count < most && !isnan(value[1][count])) count++;
  for (PetscInt k = 0; k < SHOWN && count > 0; k++) {
    const PetscReal from = log(value[0][0]), wanted = from + (log(value[0][count - 1]) - from) * (PetscReal)k / (PetscReal)(SHOWN - 1);
    PetscInt64      best = k == SHOWN - 1 ? count - 1 : 0;

    for (PetscInt64 i = 0; i < count && k < SHOWN - 1; i++)
      if (fabs(log(value[0][i]) - wanted) < fabs(log(value[0][best]) - wanted)) best = i;
    if (best == last) continue;
    if (last < 0)
      ReportSay("             mode %" PetscInt_FMT ": %10s %14s %24s %12s\n", curve->mode + 1, "level", "frequency [Hz]", "coordinate [m kg^1/2]",
                "damping");
    ReportSay("             %17.6g %14.8g %24.6g %12.6g\n", (double)value[0][best], (double)value[1][best], (double)value[2][best],
              (double)value[3][best]);
    last = best;
  }
  for (PetscInt k = 0; k < 4; k++) PetscCall(PetscFree(value[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
