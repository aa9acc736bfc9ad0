/* pyramid5.c - the pyramid of 5 nodes, which joins bricks to tetrahedra [Bedrosian 1992]. */
#include "kinds.h"
#include "solid.h"

static const PetscReal nodes[][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 1}};
enum { APEX = 4 };

/* In a = xi / (1 - zeta), b = eta / (1 - zeta) the function of a corner of the base is (1 - zeta) (1 +- a) (1 +- b) / 4. At the apex a and b
   have no limit, and gradients depend on the way there: the axis is taken. */
static void Evaluate(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3])
{
  const PetscReal height = 1.0 - point[2], a = height > 0.0 ? point[0] / height : 0.0, b = height > 0.0 ? point[1] / height : 0.0;

  for (PetscInt k = 0; k < APEX; k++) {
    const PetscReal x = shape->nodes[k][0], y = shape->nodes[k][1];

    value[k]       = 0.25 * height * (1.0 + x * a) * (1.0 + y * b);
    gradient[k][0] = 0.25 * x * (1.0 + y * b);
    gradient[k][1] = 0.25 * y * (1.0 + x * a);
    gradient[k][2] = 0.25 * (x * a * y * b - 1.0);
  }
  value[APEX]       = point[2];
  gradient[APEX][0] = gradient[APEX][1] = 0.0;
  gradient[APEX][2]                     = 1.0;
}

/* Strains are bilinear in a and b, whatever the height: four functions, each 1 at a corner of the base. */
static void EvaluateBase(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3])
{
  const PetscReal height = 1.0 - point[2], a = height > 0.0 ? point[0] / height : 0.0, b = height > 0.0 ? point[1] / height : 0.0;

  for (PetscInt k = 0; k < shape->num_nodes; k++) value[k] = 0.25 * (1.0 + nodes[k][0] * a) * (1.0 + nodes[k][1] * b);
}

static const Shape base = {.dim = 3, .num_nodes = APEX, .nodes = nodes, .evaluate = EvaluateBase};

/* Gauss and Legendre's points of a and b, at the heights of Gauss and Jacobi for the weight (1 - zeta)^2. Gradients do not depend on the
   height: one is enough for the stiffness. Two are exact for the mass where the base is plane. */
#define G 0.57735026918962576451           /* 1 / sqrt 3 */
#define LOWER 0.12251482265544137787       /* 1/3 - sqrt(2/45) */
#define UPPER 0.54415184401122528880       /* 1/3 + sqrt(2/45) */
#define LOWER_SHARE 0.23254745125350790275 /* 1/6 + 1 / (72 sqrt(2/45)) */
#define UPPER_SHARE 0.10078588207982543058 /* 1/6 - 1 / (72 sqrt(2/45)) */
#define LAYER(z, g) \
  {-(g), -(g), z}, {g, -(g), z}, {g, g, z}, \
  { \
    -(g), g, z \
  }

static const RuleTable pyramid4 = {3, 4, {LAYER(0.25, 0.75 * G)}, {1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3}};

static const RuleTable pyramid8 = {
  3,
  8,
  {LAYER(LOWER, (1 - LOWER) * G), LAYER(UPPER, (1 - UPPER) * G)},
  {LOWER_SHARE, LOWER_SHARE, LOWER_SHARE, LOWER_SHARE, UPPER_SHARE, UPPER_SHARE, UPPER_SHARE, UPPER_SHARE},
};

static const Shape shape = {
  .dim       = 3,
  .num_nodes = 5,
  .nodes     = nodes,
  .center    = {0, 0, 0.25},
  .rule      = {&pyramid8, 0},
  .evaluate  = Evaluate,
};

static const SolidForm form = {
  .shape          = &shape,
  .stiffness_rule = {&pyramid4, 0},
  .stress         = &base,
};

const ElementKind element_kind_pyramid5 = {
  .name         = "pyramid5",
  .summary      = "pyramid of 5 nodes, between bricks and tetrahedra: too stiff in bending",
  .shape        = MESH_PYRAMID5,
  .num_unknowns = 3,
  .mass_block   = 1,
  .needs        = ELEMENT_NEEDS_MATERIAL,
  .solid        = &form,
  .better       = "hex8",
  .evaluate     = SolidEvaluate,
  .stiffen      = SolidStiffen,
  .stress       = SolidStress,
};
