/* pattern.c - loads spread over the structure, by name: its weight, a pressure on a surface. */
#include "parts.h"

typedef struct {
  InputReals  gravity;
  const char *pressure;
} PatternInput;

// clang-format off
static const InputField fields[] = {
  {.key = "gravity", .kind = INPUT_REALS, .offset = offsetof(PatternInput, gravity), .fallback = INPUT_OPTIONAL, .unit = "m/s^2",
   .help = "[x, y, z], acceleration of gravity, for instance [0, 0, -9.81]"},
  {.key = "pressure", .kind = INPUT_TEXT, .offset = offsetof(PatternInput, pressure), .fallback = INPUT_OPTIONAL,
   .help = "group of surfaces of the mesh; 1 Pa presses on them from outside, whatever the numbering of their elements"},
  {0},
};
// clang-format on

const InputTable pattern_table = {.name = "patterns.NAME", .summary = "a distributed load: one of gravity, pressure", .fields = fields};

static const char *const kinds[] = {"gravity", "pressure", NULL};
enum { GRAVITY, PRESSURE };

static PetscErrorCode ReadGravity(const InputNode *node, const InputReals *reals, ModelPattern *pattern)
{
  PetscFunctionBegin;
  if (reals->count != 3) {
    PetscCall(InputComplain(node, "must be three numbers, [x, y, z], got %" PetscInt_FMT, reals->count));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscArraycpy(pattern->gravity, reals->values, 3));
  if (reals->values[0] == 0.0 && reals->values[1] == 0.0 && reals->values[2] == 0.0) PetscCall(InputComplain(node, "must not be zero"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which faces are of what is known when `parts` are without fault. */
static PetscErrorCode ReadPressure(const InputNode *node, const char *name, const MeshedPart *meshed, PetscBool fine, ModelPattern *pattern)
{
  PetscFunctionBegin;
  if (!meshed) PetscCall(InputComplain(node, "has no use without `mesh`"));
  else PetscCall(MeshedPartPressure(meshed, node, name, fine, pattern->resultant, &pattern->forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadPattern(const InputNode *map, const char *name, const MeshedPart *meshed, PetscBool fine, ModelPattern *pattern)
{
  const PetscInt num_complaints = InputNumComplaints(InputDocumentOf(map));
  PatternInput   input          = {.gravity = {0, NULL}};
  PetscInt       kind;

  PetscFunctionBegin;
  pattern->name = name;
  PetscCall(InputCheckName(map, name));
  PetscCall(InputRead(map, &pattern_table, &input));
  if (InputNumComplaints(InputDocumentOf(map)) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputExclusive(map, kinds, PETSC_TRUE, &kind));
  if (kind < 0) PetscFunctionReturn(PETSC_SUCCESS);
  pattern->node    = InputFind(map, kinds[kind]);
  pattern->pressed = kind == PRESSURE ? input.pressure : NULL;
  if (kind == GRAVITY) PetscCall(ReadGravity(pattern->node, &input.gravity, pattern));
  else PetscCall(ReadPressure(pattern->node, input.pressure, meshed, fine, pattern));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PatternsRead(const InputNode *node, Model *model)
{
  const PetscBool fine = (PetscBool)(node && InputNumComplaints(InputDocumentOf(node)) == 0);

  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsMap(node)) PetscCall(InputComplain(node, "must be a map of patterns, NAME: {gravity: [x, y, z]} or NAME: {pressure: GROUP}"));
  if (!InputIsMap(node)) PetscFunctionReturn(PETSC_SUCCESS);
  model->num_patterns = InputCount(node);
  PetscCall(PetscCalloc1(model->num_patterns, &model->patterns));
  for (PetscInt i = 0; i < model->num_patterns; i++)
    PetscCall(ReadPattern(InputItem(node, i), InputKey(node, i), model->meshed, fine, &model->patterns[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Only motions in time follow patterns. On a mesh that will be reduced to modes pressures come with these. */
PetscErrorCode PatternsBuild(const Model *model, System *system)
{
  PetscFunctionBegin;
  if (system->continuum && !MeshedPartWantsModes(model->meshed)) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < model->num_patterns; i++) {
    const ModelPattern *const pattern = &model->patterns[i];
    PetscInt                  added;

    PetscCall(SystemAddPattern(system, pattern->name, pattern->gravity, &added));
    if (pattern->forces && !system->continuum) PetscCall(MeshedModelAddForces(model->meshed_model, pattern->forces, system, added));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PatternsCheck(const Model *model, const System *system)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < system->names.num_patterns; i++) {
    PetscReal largest;

    PetscCall(VecNorm(system->patterns[i].force, NORM_INFINITY, &largest));
    if (largest == 0.0) PetscCall(InputComplain(model->patterns[i].node, "has no effect: nothing that it pushes can move"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A component that is round-off beside the others is none. */
static PetscReal Told(const PetscReal vector[3], PetscInt i)
{
  const PetscReal largest = PetscMax(PetscAbsReal(vector[0]), PetscMax(PetscAbsReal(vector[1]), PetscAbsReal(vector[2])));

  return PetscAbsReal(vector[i]) > 1e-12 * largest ? vector[i] : 0.0;
}

PetscErrorCode PatternsDescribe(const Model *model, FILE *out)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < model->num_patterns; i++) {
    const ModelPattern *const pattern = &model->patterns[i];
    const PetscReal *const    vector  = pattern->forces ? pattern->resultant : pattern->gravity;

    fprintf(out, "  pattern %s: %s(%g, %g, %g) %s\n", pattern->name, pattern->forces ? "1 Pa has the resultant " : "gravity of ", Told(vector, 0),
            Told(vector, 1), Told(vector, 2), pattern->forces ? "N" : "m/s^2");
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PatternsDestroy(Model *model)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < model->num_patterns; i++) PetscCall(VecDestroy(&model->patterns[i].forces));
  PetscCall(PetscFree(model->patterns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PatternsAdd(const Model *model, const PetscReal factors[], PetscReal gravity[3], PetscInt *num_pressures, MeshedPressure pressures[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < model->num_patterns; i++) {
    const ModelPattern *const pattern = &model->patterns[i];

    for (PetscInt c = 0; c < 3; c++) gravity[c] += factors[i] * pattern->gravity[c];
    if (pattern->pressed && factors[i] != 0.0)
      pressures[(*num_pressures)++] = (MeshedPressure){.node = pattern->node, .group = pattern->pressed, .pressure = factors[i]};
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
