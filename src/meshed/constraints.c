/* constraints.c - equations between motions of points of the mesh: sum factor * motion = 0. */
#include "meshed_private.h"

typedef struct {
  const char *point;
  PetscInt    direction;
  PetscReal   factor;
} TermInput;

// clang-format off
static const InputField fields[] = {
  {.key = "point", .kind = INPUT_TEXT, .offset = offsetof(TermInput, point), .fallback = INPUT_REQUIRED,
   .help = "a point of the mesh; it need not be kept by the reduction"},
  {.key = "direction", .kind = INPUT_WORD, .offset = offsetof(TermInput, direction), .fallback = INPUT_REQUIRED, .words = direction_names,
   .help = "direction of its motion"},
  {.key = "factor", .kind = INPUT_REAL, .offset = offsetof(TermInput, factor), .fallback = 1.0,
   .help = "factor of this motion in the sum; a length [m] for rotations in a sum with displacements"},
  {0},
};
// clang-format on

const InputTable constraint_table = {
  .name = "constraints.NAME[]", .summary = "a term of an equation: the sum of factor * motion of all of them is zero", .fields = fields};

static PetscErrorCode RefuseRepeated(const MeshedPart *meshed, const InputNode *node, const Constraint *constraint, const ConstraintTerm *term)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < constraint->num_terms; i++)
    if (constraint->terms[i].point == term->point && constraint->terms[i].direction == term->direction)
      PetscCall(InputComplain(node, "names the motion of '%s' in %s a second time", meshed->points->list[term->point].name,
                              direction_names[term->direction]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadTerm(const InputNode *map, const MeshedPart *meshed, Constraint *constraint)
{
  const PetscInt num_complaints = InputNumComplaints(InputDocumentOf(map));
  TermInput      input          = {NULL, 0, 1.0};
  ConstraintTerm term;
  PetscInt       ends[2], ignored[2];
  PetscBool      found;

  PetscFunctionBegin;
  PetscCall(InputRead(map, &constraint_table, &input));
  if (InputNumComplaints(InputDocumentOf(map)) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PointsFind(meshed->points, InputFind(map, "point"), input.point, &term.point, &found));
  if (!found) PetscFunctionReturn(PETSC_SUCCESS);
  if (term.point == GROUND || !SiteOfPoint(meshed, term.point)) {
    PetscCall(InputComplain(InputFind(map, "point"), "'%s' is not a point of the mesh", input.point));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (!meshed->points->list[term.point].num_components) PetscFunctionReturn(PETSC_SUCCESS); /* the point has been complained of */
  ends[0] = ends[1] = term.point;
  PetscCall(PointsFindCoordinates(meshed->points, InputFind(map, "direction"), ends, input.direction, ignored, &found));
  if (input.factor == 0.0) PetscCall(InputComplain(InputFind(map, "factor"), "must not be zero: the motion would not matter"));
  if (!found || input.factor == 0.0) PetscFunctionReturn(PETSC_SUCCESS);
  term.direction = input.direction;
  term.factor    = input.factor;
  PetscCall(RefuseRepeated(meshed, map, constraint, &term));
  constraint->terms[constraint->num_terms++] = term;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadConstraint(const InputNode *list, const char *name, const MeshedPart *meshed, Constraint *constraint)
{
  PetscFunctionBegin;
  *constraint = (Constraint){.name = name, .node = list};
  PetscCall(InputCheckName(list, name));
  if (!InputIsList(list) || InputCount(list) == 0) {
    PetscCall(InputComplain(list, "must be a list of terms, [{point: a, direction: z}, {point: b, direction: z, factor: -1}]"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscMalloc1(InputCount(list), &constraint->terms));
  for (PetscInt i = 0; i < InputCount(list); i++) PetscCall(ReadTerm(InputItem(list, i), meshed, constraint));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ConstraintsRead(const InputNode *node, MeshedPart *meshed)
{

  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsMap(node)) PetscCall(InputComplain(node, "must be a map of equations, NAME: [{point: a, direction: z}, ...]"));
  if (!InputIsMap(node)) PetscFunctionReturn(PETSC_SUCCESS);
  meshed->attached.num_constraints = InputCount(node);
  PetscCall(PetscCalloc1(meshed->attached.num_constraints, &meshed->attached.constraints));
  for (PetscInt i = 0; i < meshed->attached.num_constraints; i++)
    PetscCall(ReadConstraint(InputItem(node, i), InputKey(node, i), meshed, &meshed->attached.constraints[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ConstraintAdd(const MeshedPart *meshed, const Constraint *constraint, MeshMotion *sum)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < constraint->num_terms; i++) {
    const ConstraintTerm *const term = &constraint->terms[i];

    PetscCall(MeshMotionAdd(meshed, SiteOfPoint(meshed, term->point), term->direction, term->factor, sum));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
