/*
  parts.h - what a Model is made of; private to this room.
*/
#pragma once
#include "model.h"
#include "meshed/build.h"
#include "model/contact_area.h"

/* A spring, a damper. */
typedef struct {
  PetscInt  ends[2], direction; /* points; along an axis of the model */
  PetscReal stiffness, damping;
} Link;

/* Matrices on some coordinates. Motions are those of points: either the unknowns of the matrices themselves, or combinations of them, rows
   of `map`. */
typedef struct {
  const InputNode *node; /* of the mass matrix */
  PetscInt         size;
  PetscInt        *coordinates;              /* [size] */
  Mat              mass, stiffness, damping; /* [size, size]; NULL when not given */
  PetscReal        accuracy;                 /* of the entries of the stiffness */
  Mat              base;                     /* what moves with the base, in up to six directions: [size, 6]; NULL when not given */
  PetscInt         num_points, num_motions;
  PetscInt        *point, *direction; /* of each motion; point GROUND: it is a mode, no point's */
  PetscBool       *combined;          /* of each motion: it is no unknown itself */
  char           **names;             /* of the points */
  Mat              map;               /* [num_motions, size]; NULL: motion i is unknown i */
} GivenMatrices;

/* One direction of a joint. */
typedef struct {
  const char      *joint;
  const InputNode *node;
  PetscInt         direction, negative, positive; /* coordinates */
  PetscInt         num_laws;
  NamedLaw        *laws;
} ModelRow;

/* Faces that touch between two points. */
typedef struct {
  const char      *joint;
  const InputNode *node;
  ContactArea      area;
  PetscInt         rows[NUM_DIRECTIONS]; /* of the Model; -1 where nothing moves */
} ModelContact;

/* A joint between two groups of faces of the mesh: a law by area at the points where they meet. */
typedef struct {
  const char       *joint;
  const InputNode  *node;
  NamedLaw          law; /* in x, y and z together; `law` NULL: laws of single directions */
  PetscInt          num_laws[3];
  NamedLaw         *laws[3];
  const FacePoints *points;
  PetscBool         closed; /* gaps and overlaps at rest are taken as none */
  PetscBool         tied;   /* no law: they move together */
  PetscBool         chosen; /* stiffnesses that the case does not say, from the elements behind */
} ModelFaces;

/* What a case says of one. */
typedef struct {
  InputTexts       groups;
  const char      *slave; /* NULL when not given */
  const InputNode *contact, *directions[3];
  PetscBool        closed, tied;
  PetscReal        reach; /* [m], or PETSC_DEFAULT */
} FacesInput;

/* A load spread over the structure: one of the two. */
typedef struct {
  const char      *name;
  const InputNode *node;         /* of what it is made of */
  PetscReal        gravity[3];   /* [m/s^2] */
  const char      *pressed;      /* group of faces; NULL for gravity */
  PetscReal        resultant[3]; /* of a pressure of 1 Pa, what supports take included [N] */
  Vec              forces;       /* of a pressure of 1 Pa, on the unknowns of the mesh; else NULL */
} ModelPattern;

typedef struct {
  const char *name;
  const char *cut;     /* group of the mesh */
  PetscReal   preload; /* [N] */
  MeshedBolt  shank;
} ModelBolt;

typedef struct {
  const InputNode *modal;
  InputReals       ratios;
  PetscReal        mass_factor, stiffness_factor;
} ModelDamping;

struct Model {
  const InputNode *root;
  ModelNodes       nodes;    /* that it was read from */
  Laws            *laws;     /* likewise */
  Laws             own_laws; /* of one that was revised */
  const Model     *same;     /* of one that was joined anew: whose masses and mesh these are; else NULL */

  Points        points;
  PetscInt      num_lumped; /* the first of them: masses, points of given matrices and modes; the others are of a mesh */
  GivenMatrices matrices;   /* whose points are those from first_given on */
  PetscInt      first_given;
  MeshedPart   *meshed;       /* NULL without a mesh */
  MeshedModel  *meshed_model; /* what it has become, once built */
  System       *whole;        /* tied to the mesh, where the System for motions in time is reduced and the case does not say so; once built */
  const System *at_rest;      /* the System in whose state `rest` this one is at rest; NULL: untouched */
  const State  *rest;
  MeshedPart   *stressed; /* likewise, under its stresses: then `meshed` is this view; NULL without */
  PetscInt      num_links;
  Link         *links;
  PetscInt      num_rows;
  ModelRow     *rows;
  PetscInt      num_contacts;
  ModelContact *contacts;
  PetscInt      num_faces;
  ModelFaces   *faces;
  PetscInt      num_frames;
  Frame        *frames; /* of joints; room for one of each, so that they never move */
  PetscInt      num_patterns;
  ModelPattern *patterns;
  PetscInt      num_bolts;
  ModelBolt    *bolts;
  ModelDamping  damping;
  PetscInt      num_moving;
  PetscInt     *moving; /* coordinates of the moving supports */
};

extern const InputTable mass_table, spring_table, damper_table, matrices_table, numbered_table, modal_table, joint_table, pattern_table, bolt_table,
  damping_table, rayleigh_table, moving_table;

/* Reading. Each complains and goes on; `node` may be NULL, for a key that is absent. */
PetscErrorCode MassesRead(const InputNode *node, Model *model);
PetscErrorCode MatricesRead(const InputNode *node, Model *model);
PetscErrorCode ModalRead(const InputNode *node, Model *model);
PetscErrorCode MotionsRead(const InputNode *node, const InputTexts *names, Model *model); /* of matrices */
PetscErrorCode SpringsRead(const InputNode *node, Model *model);
PetscErrorCode DampersRead(const InputNode *node, Model *model);
PetscErrorCode JointsRead(const InputNode *node, Laws *laws, Model *model);
/* The row of a joint in a direction, made if there is none; -1 where neither side can move. */
PetscErrorCode JointsFindRow(Model *model, const char *joint, const InputNode *node, const PetscInt ends[2], PetscInt direction, PetscInt *row);
/* Complains also of a preload that cannot be in equilibrium. */
PetscErrorCode ContactRead(const InputNode *map, const char *joint, const PetscInt ends[2], Laws *laws, Model *model);
/* `added` tells the System's row of each of the Model's, -1 where nothing moves. */
PetscErrorCode ContactBuild(const ModelContact *contact, const PetscInt added[], System *system);
void           ContactDescribe(const ModelContact *contact, FILE *out);
/* Of a joint between faces: complains of those that cannot meet. */
PetscErrorCode FacesRead(const InputNode *map, const char *joint, const FacesInput *input, PetscBool parts_are_fine, Laws *laws, Model *model);
PetscErrorCode FacesBuild(const ModelFaces *faces, System *system);
PetscErrorCode FacesDestroy(ModelFaces *faces);
void           FacesDescribe(const ModelFaces *faces, FILE *out);
PetscErrorCode PatternsRead(const InputNode *node, Model *model);
PetscErrorCode PatternsDestroy(Model *model);
PetscErrorCode BoltsRead(const InputNode *node, Model *model);
PetscErrorCode BoltsDestroy(Model *model);
PetscErrorCode DampingRead(const InputNode *node, Model *model);
PetscErrorCode MovingSupportsRead(const InputNode *node, Model *model);

/* Called when the points have coordinates: those of the unknowns of the matrices. */
PetscErrorCode MatricesIndex(Model *model);
PetscErrorCode MatricesDestroy(GivenMatrices *matrices);
/* The row of the map that a coordinate is, when that is a combination of unknowns; -1 when not. */
PetscInt MatricesFindCombination(const Model *model, PetscInt coordinate);

/* A motion as a combination of unknowns, none of them twice. */
typedef struct {
  PetscInt   count;
  PetscInt  *unknown;
  PetscReal *factor;
} Combination;

/* The motion of one coordinate less that of another. */
PetscErrorCode CombinationCreate(const Model *model, const Numbering *numbering, PetscInt negative, PetscInt positive, Combination *combination);
/* The motion of one point less that of another along an axis of the model, which both have: at points in a frame of all its coordinates. */
PetscErrorCode CombinationCreateAlong(const Model *model, const Numbering *numbering, const PetscInt ends[2], PetscInt direction,
                                      Combination *combination);
PetscErrorCode CombinationDestroy(Combination *combination);

/* Building. */
PetscErrorCode PointsBuild(const Model *model, const Numbering *numbering, System *system);
PetscErrorCode MatricesBuild(const Model *model, const Numbering *numbering, System *system);
/* Of that what is not their entries: how points follow the unknowns, and these the base. */
PetscErrorCode MatricesAddMotions(const Model *model, const Numbering *numbering, System *system);
PetscErrorCode LinksBuild(const Model *model, const Numbering *numbering, System *system);
PetscErrorCode JointsBuild(const Model *model, const Numbering *numbering, System *system);
PetscErrorCode PatternsBuild(const Model *model, System *system);
PetscErrorCode BoltsBuild(const Model *model, System *system);
void           BoltsDescribe(const Model *model, FILE *out);
PetscErrorCode DampingBuild(const Model *model, System *system);
/* Complains of ratios for modes that there are not. */
PetscErrorCode DampingCheck(const Model *model, const Names *names);
PetscErrorCode PatternsDescribe(const Model *model, FILE *out);
/* Complains of a pattern that pushes nothing that moves. */
PetscErrorCode PatternsCheck(const Model *model, const System *system);
/* So much of each adds to gravity [m/s^2], and to the pressures, [num_patterns] at most. Local. */
PetscErrorCode PatternsAdd(const Model *model, const PetscReal factors[], PetscReal gravity[3], PetscInt *num_pressures, MeshedPressure pressures[]);
PetscErrorCode MatricesAddMass(const Model *model, const Numbering *numbering, System *system);
/* Marks the unknowns that are moving supports. Local. */
void MovingSupportsMark(const Model *model, const Numbering *numbering, PetscBool moving[]);
/* They leave the equation of motion. */
PetscErrorCode MovingSupportsHold(Model *model, const Numbering *numbering, System *system);
/* Unknowns without mass become the last ones, moving supports those before them. */
PetscErrorCode MasslessNumber(const Model *model, Numbering *numbering);
/* Whether these leave the System. Those beside a mesh that is not reduced do not: the search for its modes takes them as they are. Local. */
PetscBool MasslessIsCondensed(const Model *model);
/* They do; complains where they cannot, in one line. */
PetscErrorCode MasslessCondense(const Model *model, const Numbering *numbering, System *system);
/* "point 'b' in x", "row 17" of the given matrices for an unknown that is no point's; `node` is NULL for a mode of a mesh. */
PetscErrorCode ModelLocateUnknown(const Model *model, const Numbering *numbering, PetscInt unknown, const InputNode **node, char place[],
                                  size_t length);
/* Complains of an unknown of a mesh without mass, and of a mass matrix that is not positive definite. */
PetscErrorCode InertiaCheck(const Model *model, const Numbering *numbering, const System *system);
