/* description.c - what `dovetail check` says of a case that was built: what it contains and how long it takes; what is seen without running it. */
#include <math.h>
#include "export.h"
#include "first_frequency.h"
#include "march/linear.h"

enum { FEW_UNKNOWNS = 500 }; /* of which `dovetail check` finds all modes */

static PetscErrorCode DescribeMass(const System *system, FILE *out)
{
  PetscFunctionBegin;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++)
    if (system->base[d]) fprintf(out, "  mass that moves in %-2s %g %s\n", direction_names[d], system->base_mass[d], d < 3 ? "kg" : "kg m^2");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DescribeDerived(const JointBlock *block, FILE *out)
{
  const JointLaw *law = block->law;
  PetscReal       values[JOINT_MAX_PARAMETERS];

  PetscFunctionBegin;
  if (!law->derive) PetscFunctionReturn(PETSC_SUCCESS);
  law->derive(block->parameters, values);
  fprintf(out, "      from which follow:");
  for (PetscInt i = 0; law->derived[i].name; i++) {
    fprintf(out, "%s %s ", i > 0 ? "," : "", law->derived[i].name);
    if (PetscIsNanReal(values[i])) fprintf(out, "none");
    else fprintf(out, "%g%s%s", values[i], law->derived[i].unit ? " " : "", law->derived[i].unit ? law->derived[i].unit : "");
  }
  fprintf(out, "\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DescribeLaws(const System *system, FILE *out)
{
  PetscFunctionBegin;
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const JointBlock *block = &system->blocks[b].block;

    fprintf(out, "    %" PetscInt_FMT " x %s:", block->num_points, block->law->name);
    for (PetscInt i = 0; block->law->parameters[i].name; i++)
      if (!block->law->parameters[i].local) fprintf(out, " %s %g", block->law->parameters[i].name, block->parameters[i]);
    fprintf(out, "\n");
    PetscCall(DescribeDerived(block, out));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the libraries take, all modes in both states of the joints, and the rows of the joints in a few forms, which ranks may share; where steps
   need no modes, each unknown as read and in sparse matrices. */
static PetscReal EstimateMemory(const Names *names, PetscMPIInt num_ranks)
{
  const PetscReal libraries = 50e6, of_sparse = 5e3, n = names->num_unknowns, m = names->num_nonlinear;
  const PetscBool shared = (PetscBool)(names->residual && m > names->most_held);

  if (LinearLooksSparse(names)) return libraries + of_sparse * n;
  return libraries + 8.0 * (4.0 * n * n + 4.0 * m * n + 4.0 * m * m / (shared ? num_ranks : 1));
}

static PetscErrorCode DescribeStructure(const Case *the_case, PetscReal frequency, FILE *out)
{
  const Names *names = &the_case->names;

  PetscFunctionBegin;
  fprintf(out, "  %" PetscInt_FMT " unknowns, %" PetscInt_FMT " points\n", names->num_unknowns, names->num_points);
  if (names->num_condensed)
    fprintf(out, "    %" PetscInt_FMT " more without mass, condensed statically: what is there follows the others, and forces, at once\n",
            names->num_condensed);
  PetscCall(ModelDescribe(the_case->model, out));
  if (frequency >= 0.0)
    fprintf(out, "    first frequency %.6g Hz%s\n", frequency, names->num_rows > 0 || names->num_contacts > 0 ? ", joints stuck" : "");
  if (!the_case->system) fprintf(out, "    first frequency not computed: it needs a factorisation; mechanisms are not detected without one either\n");
  else PetscCall(DescribeMass(the_case->system, out));
  fprintf(out, "  joint motions: %" PetscInt_FMT ", nonlinear %" PetscInt_FMT "\n", names->num_rows, names->num_nonlinear);
  if (the_case->system) PetscCall(DescribeLaws(the_case->system, out));
  ModelDescribeContacts(the_case->model, out);
  PetscCall(ExportDescribe(&the_case->export, names, out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void DescribeVerdict(PetscInt num_warnings, FILE *out)
{
  if (num_warnings == 0) fprintf(out, "No errors found; no study was run.\n");
  else fprintf(out, "No errors found, but %" PetscInt_FMT " warning%s; no study was run.\n", num_warnings, num_warnings == 1 ? "" : "s");
}

static PetscErrorCode Describe(const Case *the_case, const CaseSequel *sequel, PetscReal frequency, FILE *out)
{
  const PetscBool structure = (PetscBool)(the_case->model != NULL);
  PetscMPIInt     num_ranks;

  PetscFunctionBegin;
  if (the_case->title) fprintf(out, "%s\n", the_case->title);
  if (structure) PetscCall(DescribeStructure(the_case, frequency, out));
  for (PetscInt i = 0; i < the_case->num_studies; i++) PetscCall(the_case->studies[i].kind->describe(&the_case->studies[i], out));
  if (sequel) PetscCall(sequel->describe(sequel->context, out));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &num_ranks));
  if (structure) fprintf(out, "  about %.3g MB of memory on each rank", EstimateMemory(&the_case->names, num_ranks) / 1e6);
  if (structure && ModelMemory(the_case->model) > 0.0) fprintf(out, ", and %.3g MB for the mesh over all ranks", ModelMemory(the_case->model) / 1e6);
  if (structure) fprintf(out, "\n");
  DescribeVerdict(LogNumWarnings() - the_case->num_warnings_before, out);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What modes tell of the studies of the structure at rest, where all of these are found in no time. */
static PetscErrorCode Foresee(const Case *the_case)
{
  ModeCache cache = {.system = the_case->system, .model = the_case->model};

  PetscFunctionBegin;
  if (!cache.system || cache.system->continuum || cache.system->num_unknowns > FEW_UNKNOWNS) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < the_case->num_studies; i++) {
    Study *study = &the_case->studies[i];

    if (study->kind->foresee && !study->about) PetscCall(study->kind->foresee(study, &cache));
  }
  PetscCall(ModeCacheDestroy(&cache));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What `Describe` says, as numbers. */
static PetscErrorCode WriteNumbers(const Case *the_case, PetscReal frequency, Json *json)
{
  const Names *const names = &the_case->names;
  PetscMPIInt        num_ranks;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &num_ranks));
  JsonText(json, "title", the_case->title);
  if (the_case->model) {
    JsonCount(json, "unknowns", names->num_unknowns);
    JsonCount(json, "condensed", names->num_condensed);
    JsonCount(json, "points", names->num_points);
    JsonCount(json, "joint_motions", names->num_rows);
    JsonCount(json, "nonlinear_joint_motions", names->num_nonlinear);
    JsonReal(json, "first_frequency", frequency >= 0.0 ? frequency : (PetscReal)NAN);
    JsonReal(json, "memory", EstimateMemory(names, num_ranks));
    JsonReal(json, "mesh_memory", ModelMemory(the_case->model));
  }
  JsonOpenList(json, "studies");
  for (PetscInt i = 0; i < the_case->num_studies; i++) {
    JsonOpenObject(json, NULL);
    JsonText(json, "kind", the_case->studies[i].kind->name);
    JsonText(json, "name", the_case->studies[i].name);
    JsonClose(json);
  }
  JsonClose(json);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseDescribe(const Case *the_case, const CaseSequel *sequel, FILE *out, Json *json)
{
  PetscReal   frequency;
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCall(Foresee(the_case));
  PetscCall(FirstFrequency(the_case, &frequency));
  FirstFrequencyWarn(the_case, frequency);
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) PetscCall(Describe(the_case, sequel, frequency, out));
  if (rank == 0 && json) PetscCall(WriteNumbers(the_case, frequency, json));
  PetscFunctionReturn(PETSC_SUCCESS);
}
