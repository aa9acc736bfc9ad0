/*
  element.h - finite elements: stiffness and mass of blocks of elements; materials, sections; weights of nodes on surfaces.

  An element is a pure function of the places of its nodes and of its properties. This room knows no mesh but its shapes, no
  rank and no assembled matrix. Elements are computed in blocks that share one kind and one set of properties, so that the
  processor works on several of them at once; blocks of a few hundred are best.

  Loads that are proportional to mass (gravity, base motion) need nothing of this room: they are the mass matrix times an
  acceleration. So are total masses: r^T M r for a rigid motion r.

  To add a kind: write src/element/<name>.c, which defines one `const ElementKind`, and list it in kinds.h. The contract tests
  run over the list. A solid element is data: a shape, quadrature rules and internal functions (solid.h).
*/
#pragma once
#include "base.h"
#include "input.h"
#include "mesh.h"

enum { ELEMENT_MAX_UNKNOWNS = 6 };

/* A linear elastic material: stress_ij = tensor[i][j][k][l] strain_kl in the axes of the model [Pa]. */
typedef struct {
  PetscReal density;        /* [kg/m^3] */
  PetscBool isotropic;      /* only then do the next four mean anything */
  PetscReal young, poisson; /* [Pa], [-] */
  PetscReal lambda, mu;     /* Lame's constants [Pa] */
  PetscReal tensor[3][3][3][3];
} Material;

extern const InputTable material_table, orthotropic_table;

/* Reads {young, poisson, density}, or {young_1, ..., density} of an orthotropic material with its axes. Complains of one that
   would not be stable. Local. */
PetscErrorCode MaterialRead(const InputNode *map, Material *material);
PetscErrorCode MaterialSetIsotropic(PetscReal young, PetscReal poisson, PetscReal density, Material *material);

/* A shear coefficient, which depends on Poisson's ratio: k = a (1 + nu) / (b + c nu) [Cowper 1966]; given ones have a = k, b = c = 1. */
typedef struct {
  PetscReal a, b, c;
} SectionShear;

/* The cross section of a beam in its local axes: x from the first node to the second, y as `orientation` has it, z = x cross y. */
typedef struct {
  PetscReal    area;                 /* [m^2] */
  PetscReal    inertia_y, inertia_z; /* of area: int z^2 dA, int y^2 dA [m^4] */
  PetscReal    torsion;              /* torsion constant J [m^4] */
  SectionShear shear[2];             /* for forces along y and z */
  PetscBool    no_rotary_inertia;    /* sections have no mass against turning in bending, only against twisting */
  PetscReal    orientation[3];       /* y lies in the plane of x and this; zero: any, for sections that bend alike in all directions */
  PetscReal    offset[2];            /* of the centroid from the line of nodes, along y and z [m] */
} BeamSection;

/* A shape of cross section, with its dimensions: what follows from them. */
typedef struct {
  const char       *name;                              /* case-file key */
  const InputTable *table;                             /* of its dimensions, read into an array of PetscReal */
  const char *(*refuse)(const PetscReal dimensions[]); /* optional: what is wrong with dimensions each of which is fine */
  void (*compute)(const PetscReal dimensions[], BeamSection *section);
} SectionShape;

enum { SECTION_MAX_DIMENSIONS = 6 };
extern const InputTable          section_table;
extern const SectionShape *const section_shapes[]; /* ends with NULL */

/* Reads {SHAPE: {dimensions}, orientation, offset}. Local. */
PetscErrorCode SectionRead(const InputNode *map, BeamSection *section);

/* A rigid body that hangs on a node. */
typedef struct {
  PetscReal mass;       /* [kg] */
  PetscReal inertia[6]; /* about its centre of mass: Ixx, Iyy, Izz, Ixy, Iyz, Izx, where Ixy = -int x y dm [kg m^2] */
  PetscReal offset[3];  /* of the centre of mass from the node [m] */
} PointMass;

extern const InputTable point_mass_table;
PetscErrorCode          PointMassRead(const InputNode *map, PointMass *point_mass); /* Local. */

/* What elements are made of. A kind takes what it needs and leaves the rest alone. */
typedef enum {
  ELEMENT_NEEDS_MATERIAL   = 1 << 0,
  ELEMENT_NEEDS_ISOTROPY   = 1 << 1, /* of the material */
  ELEMENT_NEEDS_SECTION    = 1 << 2,
  ELEMENT_NEEDS_POINT_MASS = 1 << 3
} ElementNeed;

typedef struct {
  const Material    *material;
  const BeamSection *section;
  const PointMass   *point_mass;
} ElementProperties;

typedef struct ElementKind ElementKind;
typedef struct SolidForm   SolidForm;

struct ElementKind {
  const char      *name;         /* case-file value */
  const char      *summary;      /* one line, for the help */
  MeshShape        shape;        /* of the elements it serves; the first kind of a shape in the list is its default */
  PetscInt         num_unknowns; /* per node: 3 displacements, or 3 displacements and 3 rotations */
  PetscInt         mass_block;   /* 1: the mass between two nodes is one number, the same in all directions; else num_unknowns */
  unsigned         needs;        /* ElementNeed flags */
  const SolidForm *solid;        /* of solid elements */
  const char      *better;       /* what to make a mesh of instead, when a structure of these is far too stiff; else NULL */

  /* As ElementEvaluate. */
  PetscErrorCode (*evaluate)(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                             PetscReal stiffness[], PetscReal mass[], PetscInt *faulty);
  /* As ElementStiffen; NULL for kinds that bear no stress. */
  PetscErrorCode (*stiffen)(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                            const PetscReal displacements[], PetscReal geometric[]);
  /* As ElementStress; NULL for the same kinds. */
  PetscErrorCode (*stress)(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                           const PetscReal displacements[], PetscReal nodal[], PetscReal mean[]);
};

/* All kinds, in the order of the help; ends with NULL. */
extern const ElementKind *const element_kinds[];

const ElementKind *ElementFind(const char *name);   /* NULL when there is none */
const ElementKind *ElementDefault(MeshShape shape); /* NULL for shapes that only bear loads */
PetscErrorCode     ElementKindsPrint(FILE *out);
PetscErrorCode     ElementKindPrint(FILE *out, const ElementKind *kind); /* with the tables of what it needs */

/* Stiffness [N/m, ...] and consistent mass [kg, ...] of `num` elements with nodes at coordinates[num][num_nodes][3].
   stiffness[num][n][n] has n = num_nodes * num_unknowns rows, node by node, x y z (rx ry rz); mass[num][m][m] has
   m = num_nodes * mass_block. Only blocks of a node and itself or a later node (row <= column) are written, as
   MatSetValuesBlocked wants for a symmetric matrix; ElementMirror completes them. Either of the two may be NULL.
   `faulty` is the first element that is inside out or flat where it is integrated (or whose nodes coincide), -1 when there is
   none; its numbers mean nothing. Local. */
PetscErrorCode ElementEvaluate(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                               PetscReal stiffness[], PetscReal mass[], PetscInt *faulty);

/* What the stresses under displacements[num][num_nodes * num_unknowns] add to the stiffness of the same elements, none of which is faulty:
   geometric, in the layout of the mass. Local. */
PetscErrorCode ElementStiffen(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                              const PetscReal displacements[], PetscReal geometric[]);

enum { ELEMENT_STRESSES = 6 };

/* Stresses of the same elements under such displacements [Pa], in the order and axes of VTK: XX YY ZZ XY YZ XZ of the model. Of solids
   mean[num][6] is the mean over the volume, nodal[num][num_nodes][6] the stress at each node as this element alone sees it (NOTES.md: Stress).
   Of beams `mean` is what the section in the middle carries, along the axes of the beam: N, Q_y, Q_z [N], M_x, M_y, M_z [N m], by which the part
   behind it acts on the part before it; `nodal` is left alone. Of kinds that bear none neither is written. Local. */
PetscErrorCode ElementStress(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                             const PetscReal displacements[], PetscReal nodal[], PetscReal mean[]);
/* Likewise what they are found from: stresses of solids at the points of integration of their stiffness, [num][points][6], and where these are,
   places[num][points][3]; and how many points a kind has, 0 for those that are no solids. */
PetscInt       ElementNumPoints(const ElementKind *kind);
PetscErrorCode ElementPointStress(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                                  const PetscReal displacements[], PetscReal places[], PetscReal stresses[]);
PetscReal      ElementVonMises(const PetscReal stress[ELEMENT_STRESSES]);

/* Completes matrices[num][num_nodes * block][num_nodes * block] below their diagonal blocks. */
void ElementMirror(PetscInt num, PetscInt num_nodes, PetscInt block, PetscReal matrices[]);

/* The blocks that ElementEvaluate gave of the mass, in the layout of the stiffness. */
void ElementSpreadMass(const ElementKind *kind, PetscInt num, const PetscReal mass[], PetscReal spread[]);

/* The integral of each shape function over each element: weights[num][num_nodes] [m^dim]. Their sum over an element is its
   length, area or volume; a field averaged over a surface is sum(weight u) / sum(weight); a force b for each unit of volume
   (or of area) puts b * weight on a node. Corners of quadratic faces have weights of zero (tri6) or less (quad8): that is
   exact. `faulty` as above, for shapes of dimension 3. Shapes that ElementHasWeights has not are refused. Local. */
PetscBool      ElementHasWeights(MeshShape shape);
PetscErrorCode ElementWeights(MeshShape shape, PetscInt num, const PetscReal coordinates[], PetscReal weights[], PetscInt *faulty);

/* The integral of shape function times unit normal over faces (dimension 2): vectors[num][num_nodes][3] [m^2]. The normal is
   that by the right-hand rule of the nodes' order; pressure p that pushes against it puts -p * vector on a node. Local. */
PetscErrorCode ElementFaceVectors(MeshShape shape, PetscInt num, const PetscReal coordinates[], PetscReal vectors[]);
