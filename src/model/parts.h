/*
  parts.h - what a Model is made of; private to this room.

  A coordinate is one direction of one point. Coordinates that rigid joints tie together, or that are fixed
  to the ground, move as one: they share a leader, and each leader that is free becomes an unknown.
*/
#pragma once
#include "model.h"

enum { GROUND = -1, RESTING = 0 }; /* the point that never moves; the coordinate that never moves */

typedef struct Structure Structure; /* structure.h */
typedef struct Site      Site;

/* The axes of a joint, of length one and at right angles. */
typedef struct {
  PetscReal axis[3][3]; /* axis[k]: the direction of local axis k */
} Frame;

typedef struct {
  const char      *name;
  const InputNode *node;
  PetscInt         num_components, first; /* component i is coordinate first + i */
  PetscInt         direction[NUM_DIRECTIONS];
  PetscReal        mass[NUM_DIRECTIONS]; /* of each component [kg, kg m^2]; none where a matrix gives it */
  PetscBool        fixed[NUM_DIRECTIONS];
  Site            *site;  /* where it lies in the mesh; NULL for other points */
  PetscBool        kept;  /* a point of the mesh: its motions are coordinates; else they follow from those there are */
  const Frame     *frame; /* whose axes the coordinates are along; NULL for those of the model */
  const char      *user;  /* the joint that wants it so */
} ModelPoint;

typedef struct {
  const char *name;
  PetscInt    point;
} PointName;

/* A spring, a damper. */
typedef struct {
  PetscInt  ends[2], direction; /* points; along an axis of the model */
  PetscReal stiffness, damping;
} Link;

/* Matrices on some coordinates: given by the case, or what a mesh was reduced to. Motions are those of points: either the unknowns
   of the matrices themselves, or combinations of them, rows of `map`. */
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

/* A law of faces that acts in x, y and z together: at the joint itself, or at the parts of an area around it. */
typedef struct {
  const char      *joint;
  const InputNode *node;
  NamedLaw         law;
  PetscInt         rows[NUM_DIRECTIONS]; /* of the Model; -1 where nothing moves */
  PetscInt         parts[2];             /* along y and z */
  PetscReal        size[2];              /* [m] */
  PetscReal        moment[2];            /* of the preload about y and z [N m] */
  PetscInt         preload, gap;         /* parameters of the law */
  PetscReal       *loads, *gaps;         /* these, of each part */
} ModelContact;

/* A load spread over the structure: one of the two. */
typedef struct {
  const char      *name;
  const InputNode *node;         /* of what it is made of */
  PetscReal        gravity[3];   /* [m/s^2] */
  PetscReal        resultant[3]; /* of a pressure of 1 Pa, what supports take included [N] */
  Vec              forces;       /* of a pressure of 1 Pa, on the unknowns of the mesh; else NULL */
} ModelPattern;

typedef struct {
  const InputNode *modal;
  InputReals       ratios;
  PetscReal        mass_factor, stiffness_factor;
} ModelDamping;

struct Model {
  const InputNode *root;

  PetscInt     num_points, num_coordinates;
  ModelPoint  *points;
  PointName   *sorted; /* the points by name */
  const char **names;  /* of all points, then `ground`, then NULL */
  PetscInt    *leader; /* of each coordinate: itself, or another one on the way to the one all follow */

  GivenMatrices matrices; /* whose points are those from first_given on */
  PetscInt      first_given;
  Structure    *structure; /* NULL without a mesh */
  PetscInt      num_links;
  Link         *links;
  PetscInt      num_rows;
  ModelRow     *rows;
  PetscInt      num_contacts;
  ModelContact *contacts;
  PetscInt      num_frames;
  Frame        *frames; /* of joints; room for one of each, so that they never move */
  PetscInt      num_patterns;
  ModelPattern *patterns;
  ModelDamping  damping;
};

/* Which coordinate is which unknown: GROUND where it does not move. */
typedef struct {
  PetscInt  num_unknowns;
  PetscInt *unknown;    /* of each coordinate */
  PetscInt *coordinate; /* the first one of each unknown */
} Numbering;

extern const InputTable mass_table, spring_table, damper_table, matrices_table, modal_table, joint_table, contact_table, frame_table, pattern_table,
  damping_table, rayleigh_table;

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
PetscInt       ContactNumParts(const ModelContact *contact);
/* The middle of a part, from the joint: y and z. */
void ContactFindMiddle(const ModelContact *contact, PetscInt part, PetscReal middle[2]);
/* What a part of the law has of what the area has. */
void ContactShareParameters(const ModelContact *contact, PetscReal parameters[]);
/* What presses each part, and how far open it is where nothing does. */
PetscErrorCode ContactDistributePreload(const InputNode *map, ModelContact *contact);
PetscErrorCode ContactDestroy(ModelContact *contact);
PetscErrorCode PatternsRead(const InputNode *node, Model *model);
PetscErrorCode PatternsDestroy(Model *model);
PetscErrorCode DampingRead(const InputNode *node, Model *model);

/* Room for `count` more points. */
PetscErrorCode PointsReserve(Model *model, PetscInt count);
/* Called when all points are there: their coordinates and the index of their names. */
PetscErrorCode PointsIndex(Model *model);
/* The two different points that `between` names, the value of that key of the map; `found` is false after a complaint. */
PetscErrorCode PointsReadEnds(Model *model, const InputNode *map, const InputTexts *between, PetscInt ends[2], PetscBool *found);
/* The point of this name, GROUND for the ground; `found` is false after a complaint. */
PetscErrorCode PointsFind(const Model *model, const InputNode *node, const char *name, PetscInt *point, PetscBool *found);
/* The coordinate of a point in a direction: RESTING of the ground, -1 when the point has none. */
PetscInt PointCoordinate(const Model *model, PetscInt point, PetscInt direction);
/* The coordinates of two points in a direction; `found` is false after the complaint that one has none. */
PetscErrorCode PointsFindCoordinates(const Model *model, const InputNode *node, const PetscInt ends[2], PetscInt direction, PetscInt coordinates[2],
                                     PetscBool *found);

/* Coordinates that are no point's. */
PetscErrorCode CoordinatesAdd(Model *model, PetscInt count, PetscInt *first);
/* Called when the points have coordinates: those of the unknowns of the matrices. */
PetscErrorCode MatricesIndex(Model *model);
PetscErrorCode MatricesDestroy(GivenMatrices *matrices);
/* The row of the map that a coordinate is, when that is a combination of unknowns; -1 when not. */
PetscInt MatricesFindCombination(const Model *model, PetscInt coordinate);

/* {x: [...], y: [...]}; complains if not fine. */
PetscErrorCode FrameRead(const InputNode *map, Frame *frame, PetscBool *fine);
/* From now on the coordinates of a point are along the axes of a frame, NULL for those of the model: `user` wants it so. Complains
   at `node` if another one wants it otherwise, or the point cannot be turned. */
PetscErrorCode FrameAttach(Model *model, const InputNode *node, const char *user, const Frame *frame, PetscInt index);

void           NumberingTie(Model *model, PetscInt first, PetscInt second); /* from now on they move as one */
PetscErrorCode NumberingCreate(const Model *model, Numbering *numbering);
PetscErrorCode NumberingDestroy(Numbering *numbering);
/* The point and direction index of an unknown; point -1 of a mode. */
void NumberingLocate(const Model *model, const Numbering *numbering, PetscInt unknown, PetscInt *point, PetscInt *direction);

/* A list of directions, or one; complains of unknown and repeated ones. */
PetscErrorCode DirectionsRead(const InputNode *node, const InputTexts *texts, PetscInt *count, PetscInt direction[]);

/* What the mesh and what is said of it add: points; and when all is read, the coordinates that remain of it. */
PetscErrorCode StructureRead(const InputNode *root, const ModelNodes *nodes, Model *model);
PetscErrorCode StructureIndex(Model *model);
PetscErrorCode StructureDestroy(Structure **structure);
PetscErrorCode StructureBuild(const Model *model, PetscReal patience, const Numbering *numbering, System *system);
/* What the modes of a mesh that is not reduced take, once the System is set up. */
PetscErrorCode StructureEstimate(const Model *model, const System *system, PetscReal patience);
/* Whether there is a mesh that is not reduced and not all held. Local. */
PetscBool      StructureMoves(const Model *model);
PetscErrorCode StructureDescribe(const Structure *structure, FILE *out);

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
/* Their mass and so on, but not how they follow the base. */
PetscErrorCode MatricesAdd(const GivenMatrices *matrices, const Numbering *numbering, System *system);
PetscErrorCode LinksBuild(const Model *model, const Numbering *numbering, System *system);
PetscErrorCode JointsBuild(const Model *model, const Numbering *numbering, System *system);
PetscErrorCode PatternsBuild(const Model *model, const Numbering *numbering, System *system);
PetscErrorCode DampingBuild(const Model *model, const Numbering *numbering, System *system);
PetscErrorCode PatternsDescribe(const Model *model, FILE *out);
/* Complains of a pattern that pushes nothing that moves. */
PetscErrorCode PatternsCheck(const Model *model, const System *system);
/* Complains of an unknown without mass, and of a mass matrix that is not positive definite. */
PetscErrorCode InertiaCheck(const Model *model, const Numbering *numbering, const System *system);
