/* loop.c - the study of laws that are moved along a path: their hysteresis loops. */
#include "contact_loop.h"
#include "loop.h"

#define OF(member) offsetof(LoopKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the study and its group in the result; default `loop`"},
  {.key = "law", .kind = INPUT_NODE, .offset = OF(law), .fallback = INPUT_REQUIRED,
   .help = "name of a law, {law: ..., parameters}, or a list of these that act in parallel; or give a `contact`"},
  {.key = "path", .kind = INPUT_NODE, .offset = OF(path), .fallback = INPUT_REQUIRED, .help = "the prescribed displacement, from rest at 0: {sine: {amplitude: 1e-6}}"},
  {.key = "steps", .kind = INPUT_COUNT, .offset = OF(steps), .fallback = 400, .least = 4, .most = 1000000,
   .help = "number of steps in a period of the fastest sine, in a piece of a ramp, or in a cycle of a table; every reversal is a sample"},
  {.key = NULL}
};
// clang-format on

static const InputTable loop_table = {"loop",
                                      "response of laws to a prescribed displacement: loops, energy and stiffness of each cycle, which goes from a "
                                      "reversal to the next but one and overlaps the next by half",
                                      fields};

static const InputTable *const own_tables[] = {&loop_table, NULL};
static const InputTables       tables[]     = {own_tables, path_tables, contact_loop_tables, space_path_tables, NULL};

/* Far from where squares are no numbers any more. */
static PetscErrorCode CheckSize(const InputNode *node, const PathSamples *samples)
{
  const PetscReal most  = 1e100;
  PetscReal       moves = 0.0, speed = 0.0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < samples->count; i++) {
    moves = PetscMax(moves, PetscAbsReal(samples->displacement[i]));
    speed = PetscMax(speed, PetscAbsReal(samples->velocity[i]));
  }
  if (!(moves <= most)) PetscCall(InputComplain(node, "goes as far as %g, %g at most", moves, most));
  else if (!(speed <= most)) PetscCall(InputComplain(node, "moves as fast as %g in a second, %g at most", speed, most));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadPath(const InputNode *node, Loop *loop)
{
  const PetscInt64 most = 20000000;
  Path             path;

  PetscFunctionBegin;
  PetscCall(PathRead(node, PATH_OF_JOINT, &path));
  loop->kind = path.kind;
  if (path.num_corners) {
    const PetscInt64 count = PathCount(&path, loop->keys.steps);

    if (count > most)
      PetscCall(InputComplain(node, "would have %lld samples, %lld at most: give fewer cycles, or fewer `steps`", (long long)count, (long long)most));
    else {
      PetscCall(PathSample(&path, loop->keys.steps, &loop->samples));
      PetscCall(CheckSize(node, &loop->samples));
    }
  }
  PetscCall(PathDestroy(&path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  Loop *loop;

  PetscFunctionBegin;
  PetscCall(PetscNew(&loop));
  study->data = loop;
  PetscCall(InputRead(node, &loop_table, &loop->keys));
  PetscCall(StudySetName(study, node, loop->keys.name));
  if (loop->keys.law)
    PetscCall(LawsResolve(study->laws, loop->keys.law, 1, "along one path: give it as `contact: {law: ...}`", &loop->num_laws, &loop->laws));
  if (loop->keys.path) PetscCall(ReadPath(loop->keys.path, loop));
  loop->num_cycles = PetscMax(loop->samples.num_reversals - 2, 0);
  PetscCall(PetscCalloc3(loop->samples.count, &loop->force, loop->samples.count, &loop->dissipated, loop->num_cycles, &loop->cycles));
  if (loop->samples.count) PetscCall(LoopDeclare(study->name, study->findings, loop));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  Loop *loop = study->data;

  PetscFunctionBegin;
  if (!loop) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(loop->laws));
  PetscCall(PetscFree(loop->derived));
  PetscCall(PathSamplesDestroy(&loop->samples));
  PetscCall(PetscFree3(loop->force, loop->dissipated, loop->cycles));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const Loop *loop = study->data;
  char        laws[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(LoopNameLaws(loop, laws));
  fprintf(out, "  loop %-29s %s along a %s: %" PetscInt_FMT " samples, %" PetscInt_FMT " cycle%s\n", study->name, laws, path_names[loop->kind],
          loop->samples.count, loop->num_cycles, loop->num_cycles == 1 ? "" : "s, each overlapping the next by half");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Prepare(Study *study, ModeCache *cache, const Result *result)
{
  PetscFunctionBegin;
  PetscCall(LoopDeclareDerived(study->name, study->findings, study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Drive(Loop *loop)
{
  const PathSamples *samples = &loop->samples;
  JointBlock        *blocks;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(loop->num_laws, &blocks));
  for (PetscInt l = 0; l < loop->num_laws; l++) PetscCall(JointBlockCreate(loop->laws[l].law, loop->laws[l].parameters, 1, &blocks[l]));
  PetscCall(JointDrive(loop->num_laws, blocks, samples->count, samples->displacement, samples->velocity, loop->force, loop->dissipated));
  for (PetscInt l = 0; l < loop->num_laws; l++) PetscCall(JointBlockDestroy(&blocks[l]));
  PetscCall(PetscFree(blocks));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void FindCycles(Loop *loop)
{
  const PathSamples *samples = &loop->samples;
  const LoopRecord   record  = {
       .count = samples->count, .time = samples->time, .displacement = samples->displacement, .force = loop->force, .velocity = samples->velocity};

  LoopFindCycles(&record, samples->num_reversals, samples->reversals, loop->cycles);
}

/* By rank 0, as it takes no time; other ranks that want the loop read it. */
static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  Loop       *loop = study->data;
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (outcome->num_unfinished > 0 || rank > 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Drive(loop));
  FindCycles(loop);
  PetscCall(LoopWrite(loop, result));
  PetscCall(LoopPrint(study->name, loop));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Faces in contact have keys and outputs of their own; `kind` is this one at first. */
static PetscErrorCode Choose(const InputNode *node, const StudyKind **kind)
{
  PetscFunctionBegin;
  if (InputIsMap(node) && InputFind(node, "contact")) *kind = &loop_of_contact;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const OutputTable *const all_outputs[] = {&loop_output,           &loop_derived_output,  &contact_loop_output,
                                                 &contact_cycles_output, &contact_parts_output, NULL};

const StudyKind study_loop = {
  .name         = "loop",
  .summary      = "hysteresis loops of laws and of contacts that are moved along a path",
  .tables       = tables,
  .outputs      = all_outputs,
  .choose       = Choose,
  .stands_alone = StudyAlwaysAlone,
  .read         = Read,
  .group        = StudyOwnGroup,
  .describe     = Describe,
  .prepare      = Prepare,
  .run          = Compute,
  .destroy      = Destroy,
};
