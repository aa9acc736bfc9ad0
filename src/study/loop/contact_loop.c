/* contact_loop.c - the study of faces in contact that are moved along a path in three directions. */
#include "contact_loop.h"

#define OF(member) offsetof(ContactLoopKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the study and its group in the result; default `loop`"},
  {.key = "contact", .kind = INPUT_NODE, .offset = OF(contact), .fallback = INPUT_REQUIRED,
   .help = "faces, as of a joint (joints.NAME.contact in `dovetail help case`): {law: ...}, at a point, or with `area`, `parts` and `moment`; the parts move in parallel"},
  {.key = "path", .kind = INPUT_NODE, .offset = OF(path), .fallback = INPUT_REQUIRED,
   .help = "how the positive side moves, from rest at 0: {pressing: 100 N, y: {sine: {amplitude: 1e-6}}}; a direction whose path has ended stays where it is"},
  {.key = "steps", .kind = INPUT_COUNT, .offset = OF(steps), .fallback = 400, .least = 4, .most = 1000000,
   .help = "number of steps in a period of the fastest sine, in a piece of a ramp, or in a cycle of a table; every corner of every direction is a sample"},
  {.key = "period", .kind = INPUT_REAL, .offset = OF(period), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "s",
   .help = "how long a cycle lasts; default: the common period of all sines, or, of ramps, from a point until it is passed again"},
  {.key = NULL}
};
// clang-format on

static const InputTable contact_loop_table = {"loop of a contact",
                                              "faces that are moved in three directions: forces, dissipated energy, and what they do", fields};

const InputTable *const contact_loop_tables[] = {&contact_loop_table, NULL};

const char *ContactLoopLaw(const ContactLoop *loop)
{
  return loop->area.law.name ? loop->area.law.name : loop->area.law.law->name;
}

/* Far from where squares are no numbers any more; and faces can only press. */
static PetscErrorCode CheckMotion(const InputNode *node, const ContactLoop *loop)
{
  const SpaceSamples *samples = &loop->samples;
  const PetscReal     most    = 1e100;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < samples->count; i++) {
    const PetscReal *motion = samples->motion + SPACE_DIM * i;

    for (PetscInt d = 0; d < SPACE_DIM; d++)
      if (!(PetscAbsReal(motion[d]) <= most) || !(PetscAbsReal(samples->velocity[SPACE_DIM * i + d]) <= most)) {
        PetscCall(InputComplain(node, "goes further or faster than %g", most));
        PetscFunctionReturn(PETSC_SUCCESS);
      }
    if (loop->path.presses && motion[0] < 0.0) {
      PetscCall(InputComplain(node, "presses with %g N at %g s: faces can only press, so `pressing` must be as large as what its change takes away",
                              (double)motion[0], (double)samples->time[i]));
      PetscFunctionReturn(PETSC_SUCCESS);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckPeriod(const InputNode *node, const ContactLoop *loop, PetscBool *fine)
{
  const PetscReal most = 1e5, duration = loop->path.end - loop->path.start, roundoff = 1e-9;

  PetscFunctionBegin;
  *fine = PETSC_FALSE;
  if (InputFind(node, "period") && loop->keys.period > duration * (1.0 + roundoff))
    PetscCall(InputComplain(InputFind(node, "period"), "is longer than the path, which takes %g s", (double)duration));
  else if (InputFind(node, "period") && duration / loop->keys.period > most)
    PetscCall(InputComplain(InputFind(node, "period"), "would make %g cycles of a path of %g s, %g at most", (double)(duration / loop->keys.period),
                            (double)duration, most));
  else *fine = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadPath(const InputNode *node, ContactLoop *loop)
{
  const PetscInt most = 5000000;
  PetscReal      preload;
  PetscBool      fine;

  PetscFunctionBegin;
  preload = loop->area.law.law ? loop->area.law.parameters[loop->area.preload] : 0.0;
  PetscCall(SpacePathRead(loop->keys.path, preload, &loop->path));
  if (!(loop->path.end > loop->path.start) || !loop->area.law.law) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CheckPeriod(node, loop, &fine));
  if (!fine) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SpacePathSample(&loop->path, loop->keys.steps, InputFind(node, "period") ? loop->keys.period : 0.0, most, &loop->samples));
  if (loop->samples.count > most)
    PetscCall(InputComplain(loop->keys.path, "would have %" PetscInt_FMT " samples, %" PetscInt_FMT " at most: give fewer cycles, or fewer `steps`",
                            loop->samples.count, most));
  else PetscCall(CheckMotion(loop->keys.path, loop));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  const PetscInt num_complaints = InputNumComplaints(InputDocumentOf(node));
  ContactLoop   *loop;

  PetscFunctionBegin;
  PetscCall(PetscNew(&loop));
  study->data = loop;
  PetscCall(InputRead(node, &contact_loop_table, &loop->keys));
  PetscCall(StudySetName(study, node, loop->keys.name));
  if (loop->keys.contact) PetscCall(ContactAreaRead(loop->keys.contact, study->laws, &loop->area));
  if (loop->area.law.law && !loop->area.law.law->inspect)
    PetscCall(InputComplain(InputFind(loop->keys.contact, "law"), "the law %s is none of faces that touch", loop->area.law.law->name));
  if (loop->keys.path) PetscCall(ReadPath(node, loop));
  if (loop->samples.time && InputNumComplaints(InputDocumentOf(node)) == num_complaints)
    PetscCall(ContactLoopDeclare(study->name, study->findings, loop));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  ContactLoop *loop = study->data;

  PetscFunctionBegin;
  if (!loop) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ContactAreaDestroy(&loop->area));
  PetscCall(SpacePathDestroy(&loop->path));
  PetscCall(SpaceSamplesDestroy(&loop->samples));
  PetscCall(ContactHistoryDestroy(&loop->history));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const ContactLoop *loop = study->data;

  PetscFunctionBegin;
  fprintf(out, "  loop %-29s ", study->name);
  ContactAreaDescribe(&loop->area, out);
  fprintf(out, ", moved by %s: %" PetscInt_FMT " samples, %" PetscInt_FMT " cycle%s\n", SpacePathWords(&loop->path), loop->samples.count,
          loop->samples.num_cycles, loop->samples.num_cycles == 1 ? "" : "s");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* By rank 0, as it takes no time; other ranks that want the loop read it. */
static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  ContactLoop *loop = study->data;
  PetscMPIInt  rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (outcome->num_unfinished > 0 || rank > 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ContactHistoryCreate(loop->samples.count, ContactAreaNumParts(&loop->area), &loop->history));
  PetscCall(ContactDrive(&loop->area, &loop->path, &loop->samples, &loop->history));
  PetscCall(ContactLoopWrite(loop, result));
  PetscCall(ContactLoopPrint(study->name, loop));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind loop_of_contact = {
  .name         = "loop",
  .summary      = "loops of faces in contact, moved in three directions",
  .stands_alone = StudyAlwaysAlone,
  .read         = Read,
  .group        = StudyOwnGroup,
  .describe     = Describe,
  .run          = Compute,
  .destroy      = Destroy,
};
