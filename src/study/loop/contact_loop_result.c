/* contact_loop_result.c - what is kept and said of faces that are moved along a path. */
#include "contact_loop.h"
#include "post/loops.h"

enum { TIME, DISPLACEMENT, FORCE, PRESSING, DISSIPATED, SHARE };
enum { BEGIN, END, CYCLE_DISSIPATED, WORK, OPENING, PEAK_FORCE, PEAK_FRICTION, CYCLE_SHARE };
enum { Y, Z, STATE, PART_PRESSING, PART_DISSIPATED };

// clang-format off
static const OutputField fields[] = {
  [TIME]         = {"time", RESULT_REAL, {"samples"}, "s", "times of the samples"},
  [DISPLACEMENT] = {"displacement", RESULT_REAL, {"samples", "3"}, "m", "motion of the faces against each other in x, normal to them, y and z; x is found where the pressing force is given"},
  [FORCE]        = {"force", RESULT_REAL, {"samples", "3"}, "N", "force of the contact, which is 0 at rest: in x what the preload loses"},
  [PRESSING]     = {"pressing", RESULT_REAL, {"samples"}, "N", "normal force on all parts together"},
  [DISSIPATED]   = {"dissipated", RESULT_REAL, {"samples"}, "J", "energy dissipated so far"},
  [SHARE]        = {"share", RESULT_REAL, {"samples", "3"}, NULL, "shares of the parts that are open, stick and slip, in the step that ends here"},
  {0}
};

static const OutputField facts[] = {
  {"laws", RESULT_TEXT, {0}, NULL, "name of the law"},
  {"path", RESULT_TEXT, {0}, NULL, "what is given of the motion"},
  {"cycles", RESULT_TEXT, {0}, NULL, "how cycles were found: by the period given, by that of sines, by points that are passed again, or not at all"},
  {"begin", RESULT_REAL, {0}, "s", "time of the first sample"},
  {"end", RESULT_REAL, {0}, "s", "time of the last sample"},
  {0}
};

static const OutputField cycle_fields[] = {
  [BEGIN]            = {"begin", RESULT_REAL, {"cycles"}, "s", "start of each cycle"},
  [END]              = {"end", RESULT_REAL, {"cycles"}, "s", "end of each cycle"},
  [CYCLE_DISSIPATED] = {"dissipated", RESULT_REAL, {"cycles"}, "J", "energy that friction dissipates in the cycle, by the law's own account"},
  [WORK]             = {"work", RESULT_REAL, {"cycles", "3"}, "J", "work of the forces in x, y and z along the cycle"},
  [OPENING]          = {"opening", RESULT_REAL, {"cycles"}, "m", "distance between its end and its beginning: 0 of a path that is closed"},
  [PEAK_FORCE]       = {"peak_force", RESULT_REAL, {"cycles", "3"}, "N", "largest absolute force in x, y and z"},
  [PEAK_FRICTION]    = {"peak_friction", RESULT_REAL, {"cycles"}, "N", "largest force along the faces, in any direction"},
  [CYCLE_SHARE]      = {"share", RESULT_REAL, {"cycles", "3"}, NULL, "shares of the time, and of the parts, in which they are open, stick and slip"},
  {0}
};

static const OutputField part_fields[] = {
  [Y]               = {"y", RESULT_REAL, {"parts"}, "m", "centres of the parts, from that of the area"},
  [Z]               = {"z", RESULT_REAL, {"parts"}, "m", "likewise"},
  [STATE]           = {"state", RESULT_REAL, {"parts"}, NULL, "state of each part in the last step: 0 open, 1 sticking, 2 slipping"},
  [PART_PRESSING]   = {"pressing", RESULT_REAL, {"parts"}, "N", "normal force on each part at the end"},
  [PART_DISSIPATED] = {"dissipated", RESULT_REAL, {"parts"}, "J", "energy dissipated in each part"},
  {0}
};
// clang-format on

const OutputTable contact_loop_output   = {"loop/NAME", "faces of a `contact` that are moved along a path in three directions", fields, facts},
                  contact_cycles_output = {"loop/NAME/cycles", "cycles of the path of a `contact`, one after another", cycle_fields, NULL},
                  contact_parts_output  = {"loop/NAME/parts", "parts of the area of a `contact`, at the end of its path", part_fields, NULL};

static const char *const sources[NUM_CYCLE_SOURCES] = {"the period given", "the common period of its sines", "points that it passes again", "none"};

PetscErrorCode ContactLoopDeclare(const char *name, Findings *findings, ContactLoop *loop)
{
  const PetscInt num_parts = ContactAreaNumParts(&loop->area);

  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &contact_loop_output, &loop->finding, "/loop/%s", name));
  PetscCall(FindingSetSize(loop->finding, "samples", loop->samples.count));
  PetscCall(FindingSayText(loop->finding, "laws", ContactLoopLaw(loop)));
  PetscCall(FindingSayText(loop->finding, "path", SpacePathWords(&loop->path)));
  PetscCall(FindingSayText(loop->finding, "cycles", sources[loop->samples.source]));
  PetscCall(FindingSayReal(loop->finding, "begin", loop->path.start));
  PetscCall(FindingSayReal(loop->finding, "end", loop->path.end));
  PetscCall(FindingsAdd(findings, &contact_cycles_output, &loop->cycles, "/loop/%s/cycles", name));
  PetscCall(FindingSetSize(loop->cycles, "cycles", loop->samples.num_cycles));
  PetscCall(FindingsAdd(findings, &contact_parts_output, &loop->parts, "/loop/%s/parts", name));
  PetscCall(FindingSetSize(loop->parts, "parts", num_parts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef struct {
  PetscReal begin, end, dissipated, work[SPACE_DIM], opening, peak_force[SPACE_DIM], peak_friction, share[NUM_FACE_STATES];
} Cycle;

/* Each step counts with its length; of the cycle's first sample the step belongs to what was before. */
static Cycle FindCycle(const ContactLoop *loop, PetscInt c)
{
  const SpaceSamples *const   samples = &loop->samples;
  const ContactHistory *const history = &loop->history;
  const PetscInt              first = samples->begin[c], last = samples->end[c];
  Cycle                       cycle = {.begin = samples->time[first], .end = samples->time[last]};

  cycle.dissipated = history->dissipated[last] - history->dissipated[first];
  for (PetscInt d = 0; d < SPACE_DIM; d++) {
    cycle.work[d] = LoopWork(SPACE_DIM, history->force + d, history->displacement + d, first, last);
    cycle.opening += PetscSqr(history->displacement[SPACE_DIM * last + d] - history->displacement[SPACE_DIM * first + d]);
  }
  cycle.opening = PetscSqrtReal(cycle.opening);
  for (PetscInt i = first; i <= last; i++) {
    const PetscReal *const force = history->force + SPACE_DIM * i, weight = i == first ? 0.0 : samples->time[i] - samples->time[i - 1];

    for (PetscInt d = 0; d < SPACE_DIM; d++) cycle.peak_force[d] = PetscMax(cycle.peak_force[d], PetscAbsReal(force[d]));
    cycle.peak_friction = PetscMax(cycle.peak_friction, PetscSqrtReal(PetscSqr(force[1]) + PetscSqr(force[2])));
    for (PetscInt k = 0; k < NUM_FACE_STATES; k++) cycle.share[k] += weight * history->share[NUM_FACE_STATES * i + k] / (cycle.end - cycle.begin);
  }
  return cycle;
}

static PetscErrorCode WriteCycle(const ContactLoop *loop, PetscInt c, const Result *result)
{
  const Cycle cycle = FindCycle(loop, c);

  PetscFunctionBegin;
  PetscCall(FindingWrite(loop->cycles, BEGIN, c, 1, &cycle.begin, result));
  PetscCall(FindingWrite(loop->cycles, END, c, 1, &cycle.end, result));
  PetscCall(FindingWrite(loop->cycles, CYCLE_DISSIPATED, c, 1, &cycle.dissipated, result));
  PetscCall(FindingWrite(loop->cycles, WORK, c, 1, cycle.work, result));
  PetscCall(FindingWrite(loop->cycles, OPENING, c, 1, &cycle.opening, result));
  PetscCall(FindingWrite(loop->cycles, PEAK_FORCE, c, 1, cycle.peak_force, result));
  PetscCall(FindingWrite(loop->cycles, PEAK_FRICTION, c, 1, &cycle.peak_friction, result));
  PetscCall(FindingWrite(loop->cycles, CYCLE_SHARE, c, 1, cycle.share, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteParts(const ContactLoop *loop, const Result *result)
{
  const ContactHistory *const history = &loop->history;

  PetscFunctionBegin;
  for (PetscInt part = 0; part < ContactAreaNumParts(&loop->area); part++) {
    PetscReal middle[2];

    ContactAreaMiddle(&loop->area, part, middle);
    PetscCall(FindingWrite(loop->parts, Y, part, 1, &middle[0], result));
    PetscCall(FindingWrite(loop->parts, Z, part, 1, &middle[1], result));
    PetscCall(FindingWrite(loop->parts, STATE, part, 1, &history->part_state[part], result));
    PetscCall(FindingWrite(loop->parts, PART_PRESSING, part, 1, &history->part_pressing[part], result));
    PetscCall(FindingWrite(loop->parts, PART_DISSIPATED, part, 1, &history->part_dissipated[part], result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactLoopWrite(const ContactLoop *loop, const Result *result)
{
  const ContactHistory *const history = &loop->history;
  const PetscInt              count   = loop->samples.count;

  PetscFunctionBegin;
  PetscCall(FindingWrite(loop->finding, TIME, 0, count, loop->samples.time, result));
  PetscCall(FindingWrite(loop->finding, DISPLACEMENT, 0, count, history->displacement, result));
  PetscCall(FindingWrite(loop->finding, FORCE, 0, count, history->force, result));
  PetscCall(FindingWrite(loop->finding, PRESSING, 0, count, history->pressing, result));
  PetscCall(FindingWrite(loop->finding, DISSIPATED, 0, count, history->dissipated, result));
  PetscCall(FindingWrite(loop->finding, SHARE, 0, count, history->share, result));
  for (PetscInt c = 0; c < loop->samples.num_cycles; c++) PetscCall(WriteCycle(loop, c, result));
  PetscCall(WriteParts(loop, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void PrintCycle(const ContactLoop *loop, PetscInt c)
{
  const Cycle cycle = FindCycle(loop, c);

  ReportSay("  %7" PetscInt_FMT "  %12.6g  %14.6g", c + 1, (double)cycle.dissipated, (double)cycle.peak_friction);
  for (PetscInt d = 0; d < SPACE_DIM; d++) ReportSay("  %12.6g", (double)cycle.peak_force[d]);
  for (PetscInt k = 0; k < NUM_FACE_STATES; k++) ReportSay("  %5.1f %%", 100.0 * (double)cycle.share[k]);
  ReportSay("  %12.3g\n", (double)cycle.opening);
}

static void PrintCycles(const ContactLoop *loop)
{
  const PetscInt ends = 3, count = loop->samples.num_cycles; /* of many the first and the last ones */

  if (count == 0) {
    ReportSay("  no cycle: %s; `period` says how long one lasts\n", loop->samples.source == CYCLES_OF_RETURNS ? "the path passes no point again"
                                                                    : loop->path.has_file
                                                                      ? "a file does not say where one begins"
                                                                      : "the path is over before, or its sines have no common period");
    return;
  }
  ReportSay("  %7s  %12s  %14s  %12s  %12s  %12s  %7s  %7s  %7s  %12s\n", "cycle", "dissipated", "largest |f_yz|", "largest |f_x|", "|f_y|", "|f_z|",
            "open", "sticks", "slips", "opening [m]");
  for (PetscInt c = 0; c < count; c++) {
    if (c < ends || c >= count - ends) PrintCycle(loop, c);
    else if (c == ends) ReportSay("  %7s\n", "...");
  }
}

PetscErrorCode ContactLoopPrint(const char *name, const ContactLoop *loop)
{
  const PetscInt last = loop->samples.count - 1;

  PetscFunctionBegin;
  ReportSay("\nloop %s: contact %s moved by %s, %" PetscInt_FMT " samples; dissipated %.6g J in %g s\n", name, ContactLoopLaw(loop),
            SpacePathWords(&loop->path), loop->samples.count, (double)loop->history.dissipated[last], (double)(loop->path.end - loop->path.start));
  PrintCycles(loop);
  PetscFunctionReturn(PETSC_SUCCESS);
}
