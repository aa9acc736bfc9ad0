/* section.c - cross sections of beams: a shape with dimensions, or numbers; how it is turned and where it lies. */
#include "element.h"
#include "section_shapes.h"

typedef struct {
  const InputNode *shape; /* only claims the key: one member serves all shapes, of which one may be given */
  InputReals       orientation, offset;
  PetscBool        rotary_inertia;
} SectionInput;

#define SHAPE(name, text) \
  { \
    .key = name, .kind = INPUT_NODE, .offset = offsetof(SectionInput, shape), .fallback = INPUT_OPTIONAL, .help = text \
  }

// clang-format off
static const InputField fields[] = {
  SHAPE("rectangle", "a solid rectangle: {height (along y), width (along z)}"),
  SHAPE("circle", "a solid circle: {diameter}"),
  SHAPE("tube", "a ring: {diameter (outer), thickness}"),
  SHAPE("i_beam", "an I-beam: {height (along y), width, web, flange}"),
  SHAPE("values", "any section, by its constants: {area, inertia_y, inertia_z, torsion, shear_y, shear_z}"),
  {.key = "orientation", .kind = INPUT_REALS, .offset = offsetof(SectionInput, orientation), .fallback = INPUT_OPTIONAL,
   .help = "local y lies in the plane of the axis and this direction, [x, y, z]; required unless the bending stiffness is the same in all directions"},
  {.key = "offset", .kind = INPUT_REALS, .offset = offsetof(SectionInput, offset), .fallback = INPUT_OPTIONAL, .unit = "m",
   .help = "offset of the centroid from the line of nodes, [along y, along z]; default zero"},
  {.key = "rotary_inertia", .kind = INPUT_TRUTH, .offset = offsetof(SectionInput, rotary_inertia), .fallback = 1,
   .help = "whether cross sections have mass against turning in bending, rho I (Rayleigh); `no` gives with element beam_euler the frequencies of Euler and Bernoulli"},
  {0},
};
// clang-format on

const InputTable section_table = {
  .name = "parts.NAME.section", .summary = "the cross section of beams: one of the shapes, and its orientation", .fields = fields};

const SectionShape *const section_shapes[] = {
  &section_shape_rectangle, &section_shape_circle, &section_shape_tube, &section_shape_i_beam, &section_shape_values, NULL,
};

static PetscErrorCode ReadShape(const InputNode *map, BeamSection *section)
{
  const char         *names[sizeof section_shapes / sizeof section_shapes[0]];
  PetscReal           dimensions[SECTION_MAX_DIMENSIONS] = {0.0};
  const InputNode    *node;
  const SectionShape *shape;
  const char         *reason;
  PetscInt            complaints, index;

  PetscFunctionBegin;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) names[i] = section_shapes[i] ? section_shapes[i]->name : NULL;
  PetscCall(InputExclusive(map, names, PETSC_TRUE, &index));
  if (index < 0) PetscFunctionReturn(PETSC_SUCCESS);
  shape      = section_shapes[index];
  node       = InputFind(map, shape->name);
  complaints = InputNumComplaints(InputDocumentOf(map));
  PetscCall(InputRead(node, shape->table, dimensions));
  if (InputNumComplaints(InputDocumentOf(map)) > complaints) PetscFunctionReturn(PETSC_SUCCESS);
  reason = shape->refuse ? shape->refuse(dimensions) : NULL;
  if (reason) PetscCall(InputComplain(node, "%s", reason));
  else shape->compute(dimensions, section);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A list of `count` numbers, when it is given; all of them zero is as good as none. */
static PetscErrorCode ReadVector(const InputNode *map, const char *key, const InputReals *reals, PetscInt count, PetscReal vector[], PetscBool *given)
{
  const InputNode *const node = InputFind(map, key);

  PetscFunctionBegin;
  *given = PETSC_FALSE;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (reals->count != count) {
    PetscCall(InputComplain(node, "must be %" PetscInt_FMT " numbers, got %" PetscInt_FMT, count, reals->count));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt i = 0; i < count; i++) {
    vector[i] = reals->values[i];
    if (vector[i] != 0.0) *given = PETSC_TRUE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Without an orientation the same section would stand differently in each program, so we do not guess. */
PetscErrorCode SectionRead(const InputNode *map, BeamSection *section)
{
  const PetscInt complaints = InputNumComplaints(InputDocumentOf(map));
  SectionInput   input      = {0};
  PetscBool      oriented, moved, round;

  PetscFunctionBegin;
  *section = (BeamSection){.area = 1.0, .inertia_y = 1.0, .inertia_z = 1.0, .torsion = 1.0, .shear = {{1, 1, 1}, {1, 1, 1}}}; /* usable */
  PetscCall(InputRead(map, &section_table, &input));
  if (!InputIsMap(map)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadShape(map, section));
  section->no_rotary_inertia = (PetscBool)!input.rotary_inertia;
  PetscCall(ReadVector(map, "orientation", &input.orientation, 3, section->orientation, &oriented));
  PetscCall(ReadVector(map, "offset", &input.offset, 2, section->offset, &moved));
  if (oriented || InputNumComplaints(InputDocumentOf(map)) > complaints) PetscFunctionReturn(PETSC_SUCCESS);
  round = PetscAbsReal(section->inertia_y - section->inertia_z) <= 1e-9 * section->inertia_y &&
              PetscAbsReal(section->shear[0].a - section->shear[1].a) <= 1e-9 * section->shear[0].a
            ? PETSC_TRUE
            : PETSC_FALSE;
  if (!round || moved)
    PetscCall(InputComplain(map, "needs an orientation, [x, y, z]: its y and z are not alike%s", round ? " where it is offset" : ""));
  PetscFunctionReturn(PETSC_SUCCESS);
}
