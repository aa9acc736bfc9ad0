/* section_shapes.c - area, moments, torsion constant and shear coefficients of cross sections. Sources are in NOTES.md. */
#include "section_shapes.h"

#define LENGTH(name, index, text) \
  { \
    .key = name, .kind = INPUT_REAL, .offset = (index) * sizeof(PetscReal), .fallback = INPUT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, \
    .unit = "m", .help = text \
  }

/* St Venant's torsion constant of a rectangle [Timoshenko 1970, section 109]; the series converges as n^-5. */
static PetscReal RectangleTorsion(PetscReal a, PetscReal b)
{
  const PetscReal width = PetscMin(a, b), ratio = PetscMax(a, b) / width;
  PetscReal       sum = 0.0;

  for (PetscInt n = 1; n < 200; n += 2) sum += PetscTanhReal(0.5 * PETSC_PI * (PetscReal)n * ratio) / PetscPowRealInt((PetscReal)n, 5);
  return PetscMax(a, b) * width * width * width * (1.0 / 3.0 - 64.0 * sum / (PetscPowRealInt(PETSC_PI, 5) * ratio));
}

static const SectionShear rectangle_shear = {10.0, 12.0, 11.0};

enum { HEIGHT, WIDTH, WEB, FLANGE };

static const InputField rectangle_fields[] = {
  LENGTH("height", HEIGHT, "along y"),
  LENGTH("width", WIDTH, "along z"),
  {0},
};
static const InputTable rectangle_table = {.name = "parts.NAME.section.rectangle", .summary = "a solid rectangle", .fields = rectangle_fields};

static void ComputeRectangle(const PetscReal d[], BeamSection *section)
{
  const PetscReal h = d[HEIGHT], b = d[WIDTH];

  *section = (BeamSection){.area      = h * b,
                           .inertia_y = h * b * b * b / 12.0,
                           .inertia_z = b * h * h * h / 12.0,
                           .torsion   = RectangleTorsion(h, b),
                           .shear     = {rectangle_shear, rectangle_shear}};
}

const SectionShape section_shape_rectangle = {.name = "rectangle", .table = &rectangle_table, .compute = ComputeRectangle};

enum { DIAMETER, THICKNESS };

static const InputField circle_fields[] = {
  LENGTH("diameter", DIAMETER, "diameter"),
  {0},
};
static const InputField tube_fields[] = {
  LENGTH("diameter", DIAMETER, "outer diameter"),
  LENGTH("thickness", THICKNESS, "thickness of the wall"),
  {0},
};
static const InputTable circle_table = {.name = "parts.NAME.section.circle", .summary = "a solid circle", .fields = circle_fields};
static const InputTable tube_table   = {.name = "parts.NAME.section.tube", .summary = "a ring", .fields = tube_fields};

/* A ring whose inner radius is m times the outer one. */
static void ComputeRing(PetscReal radius, PetscReal m, BeamSection *section)
{
  const PetscReal    polar = 0.5 * PETSC_PI * PetscSqr(PetscSqr(radius)) * (1.0 - PetscSqr(PetscSqr(m))), square = PetscSqr(1.0 + m * m);
  const SectionShear shear = {6.0 * square, 7.0 * square + 20.0 * m * m, 6.0 * square + 12.0 * m * m};

  *section = (BeamSection){.area      = PETSC_PI * radius * radius * (1.0 - m * m),
                           .inertia_y = 0.5 * polar,
                           .inertia_z = 0.5 * polar,
                           .torsion   = polar,
                           .shear     = {shear, shear}};
}

static void ComputeCircle(const PetscReal d[], BeamSection *section)
{
  ComputeRing(0.5 * d[DIAMETER], 0.0, section);
}

static void ComputeTube(const PetscReal d[], BeamSection *section)
{
  ComputeRing(0.5 * d[DIAMETER], 1.0 - 2.0 * d[THICKNESS] / d[DIAMETER], section);
}

static const char *RefuseTube(const PetscReal d[])
{
  return 2.0 * d[THICKNESS] < d[DIAMETER] ? NULL : "the thickness must be less than half the diameter; a full section is a circle";
}

const SectionShape section_shape_circle = {.name = "circle", .table = &circle_table, .compute = ComputeCircle};
const SectionShape section_shape_tube   = {.name = "tube", .table = &tube_table, .refuse = RefuseTube, .compute = ComputeTube};

static const InputField i_beam_fields[] = {
  LENGTH("height", HEIGHT, "whole height, along y"),
  LENGTH("width", WIDTH, "width of both flanges, along z"),
  LENGTH("web", WEB, "thickness of the web"),
  LENGTH("flange", FLANGE, "thickness of each flange"),
  {0},
};
static const InputTable i_beam_table = {
  .name = "parts.NAME.section.i_beam", .summary = "two equal flanges and a web between them", .fields = i_beam_fields};

static const char *RefuseI(const PetscReal d[])
{
  if (2.0 * d[FLANGE] >= d[HEIGHT]) return "two flanges must be thinner than the height";
  return d[WEB] <= d[WIDTH] ? NULL : "the web must not be thicker than the flanges are wide";
}

/* Shear along y by Cowper's formula of thin walls; along z the flanges alone carry it, as rectangles. Torsion by the sum of
   b t^3 / 3, free warping. */
static void ComputeI(const PetscReal d[], BeamSection *section)
{
  const PetscReal h = d[HEIGHT], b = d[WIDTH], tw = d[WEB], tf = d[FLANGE], inner = h - 2.0 * tf, middle = h - tf;
  const PetscReal area = 2.0 * b * tf + inner * tw, m = 2.0 * b * tf / (middle * tw), n2 = PetscSqr(b / middle);

  *section = (BeamSection){
    .area      = area,
    .inertia_y = (2.0 * tf * b * b * b + inner * tw * tw * tw) / 12.0,
    .inertia_z = (b * h * h * h - (b - tw) * inner * inner * inner) / 12.0,
    .torsion   = (2.0 * b * tf * tf * tf + inner * tw * tw * tw) / 3.0,
    .shear     = {{10.0 * PetscSqr(1.0 + 3.0 * m), 12.0 + 72.0 * m + 150.0 * m * m + 90.0 * m * m * m + 30.0 * n2 * (m + m * m),
                   11.0 + 66.0 * m + 135.0 * m * m + 90.0 * m * m * m + 5.0 * n2 * (8.0 * m + 9.0 * m * m)},
                  {rectangle_shear.a * 2.0 * b * tf / area, rectangle_shear.b, rectangle_shear.c}},
  };
}

const SectionShape section_shape_i_beam = {.name = "i_beam", .table = &i_beam_table, .refuse = RefuseI, .compute = ComputeI};

enum { AREA, INERTIA_Y, INERTIA_Z, TORSION, SHEAR_Y, SHEAR_Z };

#define VALUE(name, index, of, text) \
  { \
    .key = name, .kind = INPUT_REAL, .offset = (index) * sizeof(PetscReal), .fallback = INPUT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, \
    .unit = of, .help = text \
  }
#define COEFFICIENT(name, index, text) \
  { \
    .key = name, .kind = INPUT_REAL, .offset = (index) * sizeof(PetscReal), .fallback = 1.0, .most = PETSC_INFINITY, .above = PETSC_TRUE, \
    .help = text \
  }

static const InputField values_fields[] = {
  VALUE("area", AREA, "m^2", "area"),
  VALUE("inertia_y", INERTIA_Y, "m^4", "int z^2 dA: bending in the plane of x and z"),
  VALUE("inertia_z", INERTIA_Z, "m^4", "int y^2 dA: bending in the plane of x and y"),
  VALUE("torsion", TORSION, "m^4", "torsion constant J"),
  COEFFICIENT("shear_y", SHEAR_Y, "shear area over area, for forces along y"),
  COEFFICIENT("shear_z", SHEAR_Z, "shear area over area, for forces along z"),
  {0},
};
static const InputTable values_table = {.name = "parts.NAME.section.values", .summary = "any section, by its constants", .fields = values_fields};

static void ComputeValues(const PetscReal d[], BeamSection *section)
{
  *section = (BeamSection){.area      = d[AREA],
                           .inertia_y = d[INERTIA_Y],
                           .inertia_z = d[INERTIA_Z],
                           .torsion   = d[TORSION],
                           .shear     = {{d[SHEAR_Y], 1.0, 1.0}, {d[SHEAR_Z], 1.0, 1.0}}};
}

const SectionShape section_shape_values = {.name = "values", .table = &values_table, .compute = ComputeValues};
