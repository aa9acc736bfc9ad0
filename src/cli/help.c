/* help.c - `dovetail help`: made from the tables that also read the case. */
#include "cli.h"
#include "element.h"
#include "study/stresses.h"
#include <string.h>

static const char general[] =
  "dovetail - nonlinear dynamics of jointed structures\n"
  "\n"
  "  dovetail run CASE [-o FILE] [--resume]   compute all studies of a case into an HDF5 file\n"
  "  dovetail merge RESULT... -o FILE         unite results of `run CASE --part 1/10` to `--part 10/10` into one\n"
  "  dovetail check CASE...                   find errors in cases; print what they contain, time and memory\n"
  "  dovetail info RESULT                     print what a result file contains\n"
  "  dovetail export RESULT [PATH...] FORM    write parts of a result for other programs; FORM is --csv, --tsv, --json, --uff\n"
  "  dovetail help case                       the keys of a case file\n"
  "  dovetail help vary                       the key `vary`: a case computed for many samples of its numbers\n"
  "  dovetail help update                     the key `update`: numbers of a case found from measurements\n"
  "  dovetail help studies [KIND]             the kinds of studies, and their keys\n"
  "  dovetail help laws [NAME]                the force laws of joints, and their parameters\n"
  "  dovetail help elements [KIND]            the finite elements, and the properties that they need\n"
  "  dovetail help results [KIND]             the datasets of a result file, their units and shapes; of one kind of study\n"
  "  dovetail --version\n"
  "\n"
  "  -o, --output FILE   result file; default: CASE with the ending .h5. Of export: a file, or of several tables a folder;\n"
  "                      default: standard output\n"
  "      --resume        continue an interrupted run of the same case; also where `vary.samples` was raised: samples that\n"
  "                      the earlier result has are taken from it\n"
  "      --part N/M      of a case with `vary`: compute the N-th of M parts of its samples; default FILE: CASE_partN.h5\n"
  "  -q, --quiet         no log\n"
  "  -v, --verbose       detailed log\n"
  "      --json          run, check, info: everything that is printed as JSON, and the numbers of the result by their paths\n"
  "\n"
  "Forms of export. PATH is a group or a dataset of the result as `dovetail info` lists them; default: all of it.\n"
  "      --csv, --tsv    tables with names and units in the first line, all digits; one for each group and kind of rows, such as\n"
  "                      all histories of a run. Several tables on standard output each have a line `# PATH` before them\n"
  "      --json          values, units and attributes by their paths; NaN is null, infinity 1e999\n"
  "      --uff           universal file: points and mesh (2411, 2412), modes (55), histories, frequency responses, spectra (58), in SI units (164)\n"
  "      --uff-binary    the same with datasets 58b, whose numbers keep all digits\n"
  "\n"
  "On several cores: mpiexec -n 4 dovetail run CASE. A mesh and the runs of a transient are distributed over the ranks; the result is the same.\n"
  "Options with one dash, after CASE, are for PETSc and SLEPc; -save_interval SECONDS sets how often a long run is saved (2),\n"
  "-lanes no computes runs of a transient and quasi-static modes one after another, not side by side in vector registers, with the same results,\n"
  "-patience SECONDS the longest reduction of a mesh that `check` computes (20); without it the first frequency is not known;\n"
  "-serve_samples has rank 0 hand out the samples of `vary` and compute none, as it does where ranks are on several machines.\n"
  "Results go to standard output, the log to standard error.\n"
  "Ctrl-C ends a run so that it can be resumed, and so do SIGTERM, SIGHUP, SIGUSR1 and SIGXCPU.\n"
  "Before the first step it ends the program at once, and no result is written.\n"
  "Exit codes: 0 done, 1 a bug in dovetail, 2 an error in the input, 3 stopped before the end (partial results are saved).\n";

/* The last lines of `dovetail help case` are two case files, each from its comment on. */
static const char example[] =
  "\n"
  "Numbers are in the unit that stands with their key. They may be written in another one, and computed: 210 GPa, 5 mm, 9 kN/mm,\n"
  "2*pi*50 rad/s, 1/3, sqrt(2). Known are m, g, s, rad, N, Pa, J, W, Hz, bar with n u m c k M G, and t, min, deg, rpm, %.\n"
  "`include: base.yaml` and `override: {laws.bolted.slip_force: 30 N, studies.hammer.steps: 500}` make a variant of a case.\n"
  "\n"
  "# A complete case: a mass on a spring and on a joint that slips, struck by a hammer.\n"
  "masses:\n"
  "  block: { mass: 2 }\n"
  "springs:\n"
  "  - { between: [ground, block], stiffness: 8e3 }\n"
  "laws:\n"
  "  bolted: { law: iwan4, slip_force: 20, stiffness: 4e3, chi: -0.4, beta: 1 }\n"
  "joints:\n"
  "  bolt: { between: [ground, block], x: bolted }\n"
  "damping: { modal: 1e-3 }\n"
  "studies:\n"
  "  - modes: { count: 1 }\n"
  "  - transient:\n"
  "      time_step: 1e-4\n"
  "      steps: 20000\n"
  "      load: { half_sine: { point: block, amplitude: 300, duration: 2e-3 } }\n"
  "\n"
  "# Another, of a mesh: two beams that a bolt joins, between the averages of two patches of their faces.\n"
  "mesh: meshes/sumali.msh\n"
  "materials: { steel: { young: 210e9, poisson: 0.3, density: 7850 } }\n"
  "parts: { lower: steel, upper: steel }\n"
  "points:\n"
  "  edge: { at: [0.254, -0.0254, 0], of: lower }\n"
  "  bolt_lower: { average: bolt1_lower }\n"
  "  bolt_upper: { average: bolt1_upper }\n"
  "joints:\n"
  "  bolt:\n"
  "    between: [bolt_lower, bolt_upper]\n"
  "    x: { law: iwan4, slip_force: 30, stiffness: 4e8, chi: -0.2, beta: 0.5 }\n"
  "    y: { law: spring, stiffness: 5e8 }\n"
  "    z: rigid\n"
  "    rx: rigid\n"
  "    ry: rigid\n"
  "    rz: rigid\n"
  "reduction: { craig_bampton: { modes: 10, keep: edge } }\n"
  "studies:\n"
  "  - modes: { count: 10 }\n"
  "  - transient:\n"
  "      time_step: 1e-5\n"
  "      steps: 1000\n"
  "      load: { half_sine: { point: edge, direction: z, amplitude: 10, duration: 1e-3 } }\n";

enum { MAX_NAMES = 128 };

/* A list behind another. */
static PetscErrorCode AddTables(InputTables added, PetscInt *count, const InputTable *tables[MAX_NAMES])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; added[i]; i++) {
    PetscCheck(*count < MAX_NAMES - 1, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "more tables than the help has room for");
    tables[(*count)++] = added[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintCase(FILE *out)
{
  const InputTable *tables[MAX_NAMES] = {&case_table};
  PetscInt          count             = 1;

  PetscFunctionBegin;
  PetscCall(AddTables(model_tables, &count, tables));
  PetscCall(InputPrintTables(out, tables));
  fputs(example, out);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char vary_example[] = "\n"
                                   "# Added to a case: 1024 samples of two numbers of it.\n"
                                   "vary:\n"
                                   "  samples: 1024\n"
                                   "  parameters:\n"
                                   "    slip: { path: laws.bolted.slip_force, lognormal: { mean: 20 N, coefficient_of_variation: 0.2 } }\n"
                                   "    springs: { path: [\"springs[0].stiffness\"], relative: yes, uniform: { from: 0.9, to: 1.1 } }\n"
                                   "  outputs:\n"
                                   "    frequency: modes/stuck/frequency[1]\n"
                                   "    rebound: { path: \"transient/points/block/displacement[x]\", take: least }\n";

static PetscErrorCode PrintVary(FILE *out)
{
  PetscFunctionBegin;
  PetscCall(InputPrintTables(out, ensemble_tables));
  fputs(vary_example, out);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char update_example[] =
  "\n"
  "# Added to a case: two numbers of it are found from a frequency and from the damping of a ring-down at some amplitudes.\n"
  "update:\n"
  "  find:\n"
  "    slip: { path: laws.bolted.slip_force, start: 15 N, least: 1 N, most: 1 kN }\n"
  "    stiffness: { path: \"springs[0].stiffness\", lognormal: { median: 8 kN/m, deviation: 0.1 } }\n"
  "  targets:\n"
  "    frequency: { path: modes/stuck/frequency[1], value: 12.3 Hz, uncertainty: 0.01 Hz }\n"
  "    damping: { path: ring_down/hit/mode1/zeta, over: amplitude, at: [1e-4, 1e-3], value: [0.002, 0.009], relative_uncertainty: 5 % }\n"
  "  posterior: { method: chain, steps: 2000 }\n"
  "  predict: { rebound: { path: \"transient/points/block/displacement[x]\", take: least } }\n";

static PetscErrorCode PrintUpdate(FILE *out)
{
  PetscFunctionBegin;
  PetscCall(InputPrintTables(out, update_tables));
  fputs(update_example, out);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintStudies(FILE *out)
{
  PetscFunctionBegin;
  fprintf(out, "Each item of `studies` is {KIND: {keys...}}; `dovetail help studies KIND` describes the keys.\n");
  for (PetscInt i = 0; study_kinds[i]; i++) fprintf(out, "  %-12s %s\n", study_kinds[i]->name, study_kinds[i]->summary);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* `error: unknown WHAT 'text'; did you mean 'nearest'?` */
static PetscErrorCode Refuse(const char *what, const char *text, const char *const names[])
{
  const char *nearest = InputNearest(text, names);

  PetscFunctionBegin;
  fprintf(stderr, "error: unknown %s '%s'; %s%s%ssee `dovetail help`\n", what, text, nearest ? "did you mean '" : "", nearest ? nearest : "",
          nearest ? "'? " : "");
  PetscFunctionReturn(PETSC_ERR_USER_INPUT);
}

static PetscErrorCode PrintStudy(FILE *out, const char *name)
{
  const char       *names[MAX_NAMES]  = {NULL};
  const InputTable *tables[MAX_NAMES] = {NULL};
  PetscInt          count             = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; study_kinds[i] && i < MAX_NAMES - 1; i++) {
    PetscBool same;

    names[i] = study_kinds[i]->name;
    PetscCall(PetscStrcmp(name, names[i], &same));
    if (!same) continue;
    for (PetscInt t = 0; study_kinds[i]->tables[t]; t++) PetscCall(AddTables(study_kinds[i]->tables[t], &count, tables));
    PetscCall(InputPrintTables(out, tables));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscFunctionReturn(Refuse("study", name, names));
}

static PetscErrorCode PrintLaw(FILE *out, const char *name)
{
  const char     *names[MAX_NAMES] = {NULL};
  const JointLaw *law              = JointLawFind(name);

  PetscFunctionBegin;
  for (PetscInt i = 0; joint_laws[i] && i < MAX_NAMES - 1; i++) names[i] = joint_laws[i]->name;
  if (!law) PetscFunctionReturn(Refuse("law", name, names));
  PetscCall(JointLawPrint(out, law));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintElement(FILE *out, const char *name)
{
  const char        *names[MAX_NAMES] = {NULL};
  const ElementKind *kind             = ElementFind(name);

  PetscFunctionBegin;
  for (PetscInt i = 0; element_kinds[i] && i < MAX_NAMES - 1; i++) names[i] = element_kinds[i]->name;
  if (!kind) PetscFunctionReturn(Refuse("kind of element", name, names));
  PetscCall(ElementKindPrint(out, kind));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintOutputs(FILE *out, const OutputTable *const tables[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; tables && tables[i]; i++) {
    if (i > 0) fputc('\n', out);
    PetscCall(OutputTablePrint(out, tables[i]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const OutputTable *const case_outputs[] = {&case_output, NULL}, *const system_outputs[] = {&system_output, NULL};
static const OutputTable *const stresses_outputs[] = {&stresses_nodes_output, &stresses_elements_output, NULL};

static PetscErrorCode PrintResults(FILE *out)
{
  PetscFunctionBegin;
  fputs("The groups of a result file: name, unit, shape and meaning of each dataset. Words in capitals stand for names of\n"
        "the case, STATE for stuck or slipping. Texts have `text` instead of a unit, whole numbers `whole`, numbers without\n"
        "unit `1`. `dovetail help results KIND` describes one kind of study.\n\n",
        out);
  PetscCall(OutputTablePrint(out, &case_output));
  fputc('\n', out);
  PetscCall(OutputTablePrint(out, &system_output));
  for (PetscInt i = 0; study_kinds[i]; i++) {
    fputc('\n', out);
    PetscCall(PrintOutputs(out, study_kinds[i]->outputs));
  }
  fputc('\n', out);
  PetscCall(PrintOutputs(out, stresses_outputs));
  fputc('\n', out);
  PetscCall(PrintOutputs(out, ensemble_outputs));
  fputc('\n', out);
  PetscCall(PrintOutputs(out, update_outputs));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What one kind of study leaves, or `case`, `system`, `stresses`, `vary`, `update`. */
static PetscErrorCode PrintResult(FILE *out, const char *name)
{
  const char               *names[MAX_NAMES]  = {"case", "system", "stresses", "vary", "update"};
  const OutputTable *const *tables[MAX_NAMES] = {case_outputs, system_outputs, stresses_outputs, ensemble_outputs, update_outputs};
  PetscInt                  count             = 5;

  PetscFunctionBegin;
  for (PetscInt i = 0; study_kinds[i] && count < MAX_NAMES - 1; i++) {
    names[count]    = study_kinds[i]->name;
    tables[count++] = study_kinds[i]->outputs;
  }
  for (PetscInt i = 0; i < count; i++)
    if (!strcmp(names[i], name)) PetscFunctionReturn(PrintOutputs(out, tables[i]));
  PetscFunctionReturn(Refuse("kind of result", name, names));
}

/* A topic of the help, and one of the names in it. */
typedef struct {
  const char *name;
  PetscErrorCode (*print)(FILE *out);
  PetscErrorCode (*print_one)(FILE *out, const char *name); /* NULL where it has no names */
} Topic;

static const Topic topics[] = {{"case", PrintCase, NULL},
                               {"vary", PrintVary, NULL},
                               {"update", PrintUpdate, NULL},
                               {"studies", PrintStudies, PrintStudy},
                               {"laws", JointLawsPrint, PrintLaw},
                               {"elements", ElementKindsPrint, PrintElement},
                               {"results", PrintResults, PrintResult}};
enum { NUM_TOPICS = PETSC_STATIC_ARRAY_LENGTH(topics) };

static PetscErrorCode PrintTopic(FILE *out, const char *topic, const char *name)
{
  const char *names[NUM_TOPICS + 1] = {NULL};

  PetscFunctionBegin;
  for (PetscInt i = 0; i < NUM_TOPICS; i++) {
    names[i] = topics[i].name;
    if (!strcmp(topic, topics[i].name)) PetscFunctionReturn(name && topics[i].print_one ? topics[i].print_one(out, name) : topics[i].print(out));
  }
  PetscFunctionReturn(Refuse("topic", topic, names));
}

PetscErrorCode HelpPrint(FILE *out, const Arguments *arguments)
{
  PetscMPIInt    rank;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) {
    if (arguments->num_operands) code = PrintTopic(out, arguments->operands[0], arguments->operands[1]);
    else fprintf(out, "%s", general);
  }
  PetscCallMPI(MPI_Bcast(&code, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn(code);
}
