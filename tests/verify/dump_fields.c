/* dump_fields.c - fields of known values on a mesh, for test_fields_vtk.py and look_paraview.py: dump_fields FILE.msh... makes FILE.hdf,
   FILE.xdmf and its numbers of each. */
#include "output.h"
#include "dump.h"

enum { NUM_FIELDS = 3 };

/* A free-free beam along x bends like this, nearly, and twists. */
static void Evaluate(const Mesh *mesh, PetscReal *values[NUM_FIELDS])
{
  const MeshNodes *const nodes = MeshGetNodes(mesh);
  PetscReal              lower[3], upper[3];

  MeshBoundingBox(mesh, lower, upper);
  for (PetscInt i = 0; i < nodes->count; i++) {
    const PetscReal *const x     = &nodes->coordinates[3 * i];
    const PetscReal        s     = PETSC_PI * (x[0] - lower[0]) / (upper[0] - lower[0]);
    const PetscReal        slope = -2 * PETSC_PI / (upper[0] - lower[0]) * PetscSinReal(2 * s), angle = PetscCosReal(s) / (upper[1] - lower[1]);

    values[0][i]         = x[0] + 2 * x[1] + 3 * x[2];
    values[1][3 * i]     = -slope * (x[2] - 0.5 * (lower[2] + upper[2]));
    values[1][3 * i + 1] = 0;
    values[1][3 * i + 2] = PetscCosReal(2 * s);
    values[2][3 * i]     = 0;
    values[2][3 * i + 1] = -angle * (x[2] - 0.5 * (lower[2] + upper[2]));
    values[2][3 * i + 2] = angle * (x[1] - 0.5 * (lower[1] + upper[1]));
  }
}

typedef struct {
  const Mesh *mesh;
  PetscReal **values;
} Source;

/* The two shapes, growing. */
static PetscErrorCode FindField(void *context, PetscInt time, PetscInt field, PetscReal values[])
{
  const Source *const source = context;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < 3 * MeshGetNodes(source->mesh)->count; i++) values[i] = (time + 1) * source->values[field + 1][i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DumpSeries(const char *name, const Mesh *mesh, PetscReal *values[NUM_FIELDS])
{
  static const PetscReal   times[]  = {0, 1e-3, 4e-3};
  static const char *const fields[] = {"bending", "twist"};
  Source                   source   = {mesh, values};
  const Series series = {.name = "run", .num_times = 3, .times = times, .num_fields = 2, .fields = fields, .find = FindField, .source = &source};
  PetscBool    whole;

  PetscFunctionBegin;
  PetscCall(SeriesWrite(name, mesh, &series, &whole));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Dump(const InputNode *node, const char *path)
{
  char       name[PETSC_MAX_PATH_LEN];
  Mesh      *mesh;
  PetscReal *values[NUM_FIELDS];

  PetscFunctionBegin;
  PetscCall(MeshReadGmsh(PETSC_COMM_WORLD, node, path, 1.0, &mesh));
  PetscCall(InputVerdict(InputDocumentOf(node)));
  PetscCall(PetscSNPrintf(name, sizeof name, "%.*s.hdf", (int)strlen(path) - 4, path));
  for (PetscInt f = 0; f < NUM_FIELDS; f++) PetscCall(PetscMalloc1(3 * MeshGetNodes(mesh)->count, &values[f]));
  Evaluate(mesh, values);
  PetscCall(FieldsWrite(name, mesh, NUM_FIELDS,
                        (const Field[]){{"plane", 1, values[0], PETSC_FALSE},
                                        {"stuck_001_123.4Hz", 3, values[1], PETSC_FALSE},
                                        {"stuck_002_2345.67Hz", 3, values[2], PETSC_FALSE}}));
  PetscCall(PetscSNPrintf(name, sizeof name, "%.*s.xdmf", (int)strlen(path) - 4, path));
  PetscCall(DumpSeries(name, mesh, values));
  for (PetscInt f = 0; f < NUM_FIELDS; f++) PetscCall(PetscFree(values[f]));
  PetscCall(MeshDestroy(&mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  return DumpAll(argc, argv, Dump);
}
