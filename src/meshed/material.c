/* material.c - the materials a case names. */
#include "meshed_private.h"

typedef struct {
  const char *name;
  PetscReal   factor; /* to SI units */
} Unit;

/* The first unit in which the value would be that of a solid, between the limits in SI units; NULL when there is none. */
static const Unit *GuessUnit(PetscReal value, const Unit *units, size_t count, PetscReal least, PetscReal most)
{
  for (size_t i = 0; i < count; i++)
    if (value * units[i].factor >= least && value * units[i].factor <= most) return &units[i];
  return NULL;
}

/* Who works in millimetres has MPa and t/mm^3; soft rubber, 1e6 Pa and more, would be harder than tungsten carbide in MPa and goes unmentioned. */
static void WarnOfUnits(const char *name, const Material *material)
{
  static const Unit moduli[]    = {{"MPa", 1e6}, {"GPa", 1e9}};
  static const Unit densities[] = {{"t/mm^3", 1e12}, {"kg/mm^3", 1e9}, {"g/cm^3", 1e3}};
  const PetscReal   young = material->young, density = material->density;
  const Unit       *unit;

  if (material->isotropic && young < 1e7) {
    unit = GuessUnit(young, moduli, PETSC_STATIC_ARRAY_LENGTH(moduli), 1e9, 7e11);
    if (unit)
      LogWarn("materials.%s: young is %g Pa, hardly that of a solid; if it is in %s, write %g", name, young, unit->name, young * unit->factor);
  }
  if (density < 1.0) {
    unit = GuessUnit(density, densities, PETSC_STATIC_ARRAY_LENGTH(densities), 500.0, 25e3);
    if (unit)
      LogWarn("materials.%s: density is %g kg/m^3, hardly that of a solid; if it is in %s, write %g", name, density, unit->name,
              density * unit->factor);
  }
}

PetscErrorCode MaterialsRead(const InputNode *node, MeshedPart *meshed)
{
  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsMap(node)) PetscCall(InputComplain(node, "must be a map of materials, NAME: {young, poisson, density}"));
  if (!InputIsMap(node)) PetscFunctionReturn(PETSC_SUCCESS);
  meshed->made.num_materials = InputCount(node);
  PetscCall(PetscCalloc1(meshed->made.num_materials, &meshed->made.materials));
  for (PetscInt i = 0; i < meshed->made.num_materials; i++) {
    meshed->made.materials[i].name = InputKey(node, i);
    PetscCall(InputCheckName(InputItem(node, i), InputKey(node, i)));
    PetscCall(MaterialRead(InputItem(node, i), &meshed->made.materials[i].material));
    WarnOfUnits(meshed->made.materials[i].name, &meshed->made.materials[i].material);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MaterialFind(const InputNode *node, const char *name, const MeshedPart *meshed, const Material **material)
{
  const char **names;
  PetscInt     index;

  PetscFunctionBegin;
  *material = NULL;
  if (meshed->made.num_materials == 0) {
    PetscCall(InputComplain(node, "unknown material '%s': the case names none under materials", name));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscCalloc1(meshed->made.num_materials + 1, &names));
  for (PetscInt i = 0; i < meshed->made.num_materials; i++) names[i] = meshed->made.materials[i].name;
  PetscCall(InputChoose(node, name, "material", names, &index));
  if (index >= 0) *material = &meshed->made.materials[index].material;
  PetscCall(PetscFree(names));
  PetscFunctionReturn(PETSC_SUCCESS);
}
