/* kinds.c - element kinds: found by name or by shape, printed for the help, evaluated. */
#include "kinds.h"
#include "solid.h"
#include <string.h>

#define ADDRESS_OF_KIND(name) &element_kind_##name,
const ElementKind *const element_kinds[] = {ELEMENT_KINDS(ADDRESS_OF_KIND) NULL};
#undef ADDRESS_OF_KIND

const ElementKind *ElementFind(const char *name)
{
  for (PetscInt i = 0; element_kinds[i]; i++) {
    if (strcmp(element_kinds[i]->name, name) == 0) return element_kinds[i];
  }
  return NULL;
}

const ElementKind *ElementDefault(MeshShape shape)
{
  for (PetscInt i = 0; element_kinds[i]; i++) {
    if (element_kinds[i]->shape == shape) return element_kinds[i];
  }
  return NULL;
}

PetscErrorCode ElementKindsPrint(FILE *out)
{
  PetscFunctionBegin;
  fprintf(out, "%-11s %-8s\n", "kind", "shape");
  for (PetscInt i = 0; element_kinds[i]; i++) {
    const ElementKind *const kind = element_kinds[i];

    fprintf(out, "%-11s %-8s %s%s\n", kind->name, mesh_shapes[kind->shape].name, kind->summary,
            ElementDefault(kind->shape) == kind ? "" : " (by name only)");
  }
  fprintf(out, "\nThe mesh gives each element its shape. Where a shape has two kinds, `element` of the part selects the one that is not the\n"
               "default. Surfaces (tri3, tri6, quad4, quad8, quad9) have no stiffness: they carry points, supports and pressures.\n"
               "`dovetail help elements KIND` describes what a kind needs.\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The tables of what a kind needs, behind one another. */
static void ListTables(const ElementKind *kind, const InputTable *tables[])
{
  PetscInt count = 0;

  if (kind->needs & ELEMENT_NEEDS_MATERIAL) tables[count++] = &material_table;
  if ((kind->needs & ELEMENT_NEEDS_MATERIAL) && !(kind->needs & ELEMENT_NEEDS_ISOTROPY)) tables[count++] = &orthotropic_table;
  if (kind->needs & ELEMENT_NEEDS_SECTION) {
    tables[count++] = &section_table;
    for (PetscInt s = 0; section_shapes[s]; s++) tables[count++] = section_shapes[s]->table;
  }
  if (kind->needs & ELEMENT_NEEDS_POINT_MASS) tables[count++] = &point_mass_table;
  tables[count] = NULL;
}

PetscErrorCode ElementKindPrint(FILE *out, const ElementKind *kind)
{
  const MeshShapeInfo *const shape      = &mesh_shapes[kind->shape];
  const InputTable          *tables[16] = {NULL};

  PetscFunctionBegin;
  fprintf(out, "%s: %s\n", kind->name, kind->summary);
  fprintf(out, "  shape     %s, number %d of Gmsh, in a group of dimension %" PetscInt_FMT "; %s\n", shape->name, shape->gmsh_type, shape->dim,
          ElementDefault(kind->shape) == kind ? "default kind of this shape" : "used only when `element` names it");
  fprintf(out, "  unknowns  %s at each node\n", kind->num_unknowns > 3 ? "x y z rx ry rz" : "x y z");
  if (kind->better) fprintf(out, "  better    %s\n", kind->better);
  fputc('\n', out);
  ListTables(kind, tables);
  PetscCall(InputPrintTables(out, tables));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ElementEvaluate(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                               PetscReal stiffness[], PetscReal mass[], PetscInt *faulty)
{
  PetscFunctionBegin;
  PetscCheck(!(kind->needs & ELEMENT_NEEDS_MATERIAL) || properties->material, PETSC_COMM_SELF, PETSC_ERR_ARG_NULL, "%s needs a material", kind->name);
  PetscCheck(!(kind->needs & ELEMENT_NEEDS_ISOTROPY) || properties->material->isotropic, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG,
             "%s needs an isotropic material", kind->name);
  PetscCheck(!(kind->needs & ELEMENT_NEEDS_SECTION) || properties->section, PETSC_COMM_SELF, PETSC_ERR_ARG_NULL, "%s needs a section", kind->name);
  PetscCheck(!(kind->needs & ELEMENT_NEEDS_POINT_MASS) || properties->point_mass, PETSC_COMM_SELF, PETSC_ERR_ARG_NULL, "%s needs a mass", kind->name);
  *faulty = -1;
  PetscCall(kind->evaluate(kind, properties, num, coordinates, stiffness, mass, faulty));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ElementStiffen(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                              const PetscReal displacements[], PetscReal geometric[])
{
  const PetscInt size = mesh_shapes[kind->shape].num_nodes * kind->mass_block;

  PetscFunctionBegin;
  if (kind->stiffen) PetscCall(kind->stiffen(kind, properties, num, coordinates, displacements, geometric));
  else PetscCall(PetscArrayzero(geometric, (size_t)num * (size_t)PetscSqr(size)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ElementStress(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                             const PetscReal displacements[], PetscReal nodal[], PetscReal mean[])
{
  PetscFunctionBegin;
  if (kind->stress && num > 0) PetscCall(kind->stress(kind, properties, num, coordinates, displacements, nodal, mean));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt ElementNumPoints(const ElementKind *kind)
{
  return kind->solid ? SolidNumPoints(kind) : 0;
}

PetscErrorCode ElementPointStress(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                                  const PetscReal displacements[], PetscReal places[], PetscReal stresses[])
{
  PetscFunctionBegin;
  if (kind->solid && num > 0) PetscCall(SolidPointStress(kind, properties, num, coordinates, displacements, places, stresses));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal ElementVonMises(const PetscReal stress[ELEMENT_STRESSES])
{
  const PetscReal x = stress[0], y = stress[1], z = stress[2], shear = PetscSqr(stress[3]) + PetscSqr(stress[4]) + PetscSqr(stress[5]);

  return PetscSqrtReal(0.5 * (PetscSqr(x - y) + PetscSqr(y - z) + PetscSqr(z - x)) + 3.0 * shear);
}

void ElementMirror(PetscInt num, PetscInt num_nodes, PetscInt block, PetscReal matrices[])
{
  const PetscInt size = num_nodes * block;

  for (PetscInt e = 0; e < num; e++) {
    PetscReal *const A = matrices + (size_t)e * size * size;

    for (PetscInt i = 0; i < size; i++) {
      for (PetscInt j = 0; j < i - i % block; j++) A[i * size + j] = A[j * size + i];
    }
  }
}

void ElementSpreadMass(const ElementKind *kind, PetscInt num, const PetscReal mass[], PetscReal spread[])
{
  const PetscInt m = kind->mass_block, copies = kind->num_unknowns / m, n = mesh_shapes[kind->shape].num_nodes * m, size = n * copies;

  for (PetscInt e = 0; e < num; e++) {
    const PetscReal *const from = mass + (size_t)e * n * n;
    PetscReal *const       to   = spread + (size_t)e * size * size;

    for (PetscInt i = 0; i < size; i++) {
      for (PetscInt j = i - i % kind->num_unknowns; j < size; j++)
        to[i * size + j] = i % copies == j % copies ? from[(i / copies) * n + j / copies] : 0.0;
    }
  }
}
