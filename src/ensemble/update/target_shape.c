/*
  target_shape.c - the shape of a mode as a target: motions of points, known up to a factor.

  With the factor s that fits best, s = sum v phi / sigma^2 / sum phi^2 / sigma^2, the squares of (s phi - v) / sigma sum up to
  (1 - MAC) sum v^2 / sigma^2, the MAC being weighted alike.
*/
#include "update_private.h"
#include <string.h>

/* The number of a motion among all, from 1; 0 where there is none of this name. */
static PetscInt FindMotion(const Names *names, const char *text)
{
  for (PetscInt p = 0; p < names->num_points; p++) {
    const NamedPoint *const point  = &names->points[p];
    const size_t            length = strlen(point->name);

    if (strncmp(text, point->name, length) != 0 || text[length] != ' ') continue;
    for (PetscInt c = 0; c < point->num_components; c++)
      if (point->direction[c] >= 0 && !strcmp(text + length + 1, direction_names[point->direction[c]])) return point->first_motion + c + 1;
  }
  return 0;
}

static PetscErrorCode ComplainMotion(const InputNode *node, const char *text, const Names *names)
{
  const char **list;
  char        *name;
  PetscInt     count = 0, chosen;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(names->num_motions + 1, &list));
  for (PetscInt p = 0; p < names->num_points; p++)
    for (PetscInt c = 0; c < names->points[p].num_components && count < names->num_motions; c++) {
      const PetscInt direction = names->points[p].direction[c];

      if (direction < 0) continue;
      PetscCall(InputKeep(node, strlen(names->points[p].name) + 4, &name));
      PetscCall(PetscSNPrintf(name, strlen(names->points[p].name) + 4, "%s %s", names->points[p].name, direction_names[direction]));
      list[count++] = name;
    }
  PetscCall(InputChoose(node, text, "motion", list, &chosen));
  PetscCall(PetscFree(list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One output for each motion: the row of the motion and the column of the mode. */
PetscErrorCode ShapeRead(const InputNode *map, const InputTexts *motions, const Case *the_case, const Output *output, Update *update, Target *target)
{
  static const char *const others[] = {"over", "at", "grid", "take", "pick", "data", "logarithmic", NULL};
  const InputNode *const   list     = InputFind(map, "motions");
  char                     index[64];

  PetscFunctionBegin;
  PetscCall(InputRefuseKeys(map, others, "a shape is known by its `motions`"));
  target->is_shape = PETSC_TRUE;
  target->count    = motions->count;
  if (!output->key || strcmp(output->key, "shape") != 0 || !output->index || strchr(output->index, ','))
    PetscCall(InputComplain(InputFind(map, "path"), "`motions` are those of the shape of a mode: expected a path as modes/stuck/shape[1]"));
  else if (motions->count < 2) PetscCall(InputComplain(list, "a shape takes at least 2 motions, as it is known up to a factor"));
  else if (the_case->names.known)
    for (PetscInt i = 0; i < motions->count; i++) {
      const PetscInt row    = FindMotion(&the_case->names, motions->values[i]);
      Output         motion = *output;

      if (!row) PetscCall(ComplainMotion(InputIsList(list) ? InputItem(list, i) : list, motions->values[i], &the_case->names));
      PetscCall(PetscSNPrintf(index, sizeof(index), "%" PetscInt_FMT ", %s", row, output->index));
      PetscCall(PetscStrallocpy(index, &motion.index));
      PetscCall(PetscStrallocpy(output->finding, &motion.finding));
      PetscCall(OutputsAdd(&motion, &update->ensemble));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sums of products with the shape, over the variances: with the values, and with itself. */
static void FindProducts(const Target *target, const PetscReal outputs[], PetscReal *with_values, PetscReal *with_itself)
{
  *with_values = *with_itself = 0;
  for (PetscInt i = 0; i < target->count; i++) {
    *with_values += target->value[i] * outputs[i] / PetscSqr(target->uncertainty[i]);
    *with_itself += PetscSqr(outputs[i] / target->uncertainty[i]);
  }
}

PetscReal ShapeFactor(const Target *target, const PetscReal outputs[])
{
  PetscReal with_values, with_itself;

  FindProducts(target, outputs, &with_values, &with_itself);
  return with_values / with_itself;
}

PetscReal ShapeFactorSlope(const Target *target, const PetscReal outputs[], PetscInt stride, const PetscReal slopes[])
{
  PetscReal with_values, with_itself, values = 0, itself = 0;

  FindProducts(target, outputs, &with_values, &with_itself);
  for (PetscInt i = 0; i < target->count; i++) {
    values += target->value[i] * slopes[i * stride] / PetscSqr(target->uncertainty[i]);
    itself += 2 * outputs[i] * slopes[i * stride] / PetscSqr(target->uncertainty[i]);
  }
  return (values - with_values / with_itself * itself) / with_itself;
}
