/*
  names.h - what a case calls things, and how many there are: points, motions of joints, contacts, patterns, bolts, unknowns.

  All of it is known from the words of a case and the groups of its mesh, before there is any matrix. Studies check themselves against
  Names when they are read, so that every mistake of a case is told before anything is computed; the System that is built afterwards
  carries the same Names.

  After a complaint about the structure nothing certain can be said: Names are then not `known`, and choosing from them is silent.
*/
#pragma once
#include "input.h"

enum { NUM_DIRECTIONS = 6, DIRECTION_OF_MODE = -1 };
extern const char *const direction_names[NUM_DIRECTIONS + 1]; /* x y z rx ry rz, then NULL */

/* What can be pushed, watched, connected. Component i is motion first_motion + i. */
typedef struct {
  char     *name;
  PetscInt  num_components, first_motion;
  PetscInt  direction[NUM_DIRECTIONS];
  PetscInt  unknown[NUM_DIRECTIONS];  /* of each component; -1: it does not move, or follows unknowns */
  PetscBool follows[NUM_DIRECTIONS];  /* it is no unknown itself but moves as unknowns say */
  PetscBool massless[NUM_DIRECTIONS]; /* it follows because it has no mass */
  PetscBool turned;                   /* its unknowns are along axes of its own */
  PetscInt  support[NUM_DIRECTIONS];  /* the moving support, from 1, that it is; 0: none */
} NamedPoint;

enum { NO_FACE_POINT = -1 };

/* The relative motion of one joint in one direction. Those with a nonlinear law come first. */
typedef struct {
  char     *joint;
  PetscInt  direction; /* DIRECTION_OF_MODE where the motion is the coordinate of a mode; of a point of faces x, y, z in its own frame */
  PetscInt  point;     /* of the faces of a mesh that the joint is between, or NO_FACE_POINT */
  PetscBool nonlinear;
  PetscBool sticks; /* its law does so without any give */
} NamedRow;

/* Faces of one joint; the parts of all contacts are counted through. */
typedef struct {
  char     *joint;
  PetscInt  num_parts;
  PetscBool overlaps; /* faces of a mesh press each other at rest, as some of their parts overlap */
} NamedContact;

typedef struct {
  PetscBool     known;
  PetscBool     mesh;          /* there is one */
  PetscBool     residual;      /* modes were left out, or unknowns without mass, which follow forces at once */
  PetscInt      num_condensed; /* unknowns without mass, which are none any more */
  PetscInt      most_held;     /* of a mesh: places whose compliance every rank then holds; that of more is shared */
  PetscBool     modal_damping; /* damping that is known mode by mode */
  PetscBool     modal_model;   /* the unknowns are coordinates of modes, each on its own */
  PetscBool     dampers;       /* something couples velocities beside that */
  PetscBool     lumped;        /* masses and links alone, so that matrices are sparse, and joints of one component */
  PetscInt      num_nodes;     /* of the mesh */
  PetscInt      num_unknowns;
  PetscInt      num_modes;      /* as many as there are */
  PetscInt      num_mesh_modes; /* of a mesh that the case does not reduce: those of the mesh itself, for a study of modes; else 0 */
  PetscInt      num_points, num_motions;
  NamedPoint   *points;
  PetscInt      num_rows, num_nonlinear;
  NamedRow     *rows;
  PetscInt      num_contacts, num_parts; /* parts: of all contacts */
  NamedContact *contacts;
  PetscInt      num_patterns;
  char        **patterns;
  PetscInt      num_bolts;
  char        **bolts;
  PetscBool     base[NUM_DIRECTIONS]; /* something moves when the base does */
  PetscInt      num_supports;         /* motions that a study may prescribe; else they are held */
  PetscInt     *support_motion;       /* of each: the first motion of a point that it is */
} Names;

/* All of it is local. Adding moves the arrays. */
PetscErrorCode NamesAddPoint(Names *names, const char *name, PetscInt num_components, const PetscInt direction[], const PetscInt unknown[]);
PetscErrorCode NamesAddRow(Names *names, const char *joint, PetscInt direction);
/* Of a point of faces. */
PetscErrorCode NamesAddFaceRow(Names *names, const char *joint, PetscInt direction, PetscInt point);
PetscErrorCode NamesAddContact(Names *names, const char *joint, PetscInt num_parts);
PetscErrorCode NamesAddPattern(Names *names, const char *pattern);
PetscErrorCode NamesAddBolt(Names *names, const char *bolt);
/* Nonlinear rows first, each kind in its order; place[r] is where row r has gone. */
PetscErrorCode NamesOrderRows(Names *names, PetscInt place[]);
/* The unknowns are coordinates of so many modes: all that moves follows them. */
void NamesReduceToModes(Names *names, PetscInt count);
/* The last `count` unknowns are none any more: what has no mass follows the others. */
void NamesCondense(Names *names, PetscInt count);
/* Likewise: they are moving supports. */
PetscErrorCode NamesHold(Names *names, PetscInt count);
PetscErrorCode NamesCopy(const Names *names, Names *copy);
PetscErrorCode NamesDestroy(Names *names);

/* How many rows from this one on are a layer between faces, whose first point it is of; 1: it is a row alone. */
PetscInt NamesLayerSize(const Names *names, PetscInt row);

/* The first joint that sticks without any give; NULL when none does. */
const char *NamesSticking(const Names *names);

PetscInt NamesFindPoint(const Names *names, const char *name);                    /* -1 when unknown */
PetscInt NamesFindMotion(const Names *names, PetscInt point, PetscInt direction); /* -1 when the point has none */
PetscInt NamesPointOfMotion(const Names *names, PetscInt motion);                 /* the point that has it */
PetscInt NamesFindContact(const Names *names, const char *joint);                 /* likewise */
/* The point and the direction of a moving support. */
const char *NamesSupport(const Names *names, PetscInt support, const char **direction);
const char *NamesRowDirection(const Names *names, PetscInt row); /* x to rz, q of a mode */

/* Choosing: an index; -1 and a complaint at `node`, which has the nearest name and what there is, or in silence where nothing is known. */
PetscErrorCode NamesChoosePoint(const Names *names, const InputNode *node, const char *text, PetscInt *point);
PetscErrorCode NamesChoosePattern(const Names *names, const InputNode *node, const char *text, PetscInt *pattern);
PetscErrorCode NamesChooseBolt(const Names *names, const InputNode *node, const char *text, PetscInt *bolt);
PetscErrorCode NamesChooseContact(const Names *names, const InputNode *node, const char *text, PetscInt *contact);
/* The first row of the joint. */
PetscErrorCode NamesChooseJoint(const Names *names, const InputNode *node, const char *text, PetscInt *row);
/* The motion of a point in a direction (-1: the only one that it has). */
PetscErrorCode NamesChooseMotion(const Names *names, const InputNode *node, const char *point, PetscInt direction, PetscInt *motion);
/* The moving support of a point in a direction (-1: the only one of the point). */
PetscErrorCode NamesChooseSupport(const Names *names, const InputNode *node, const char *point, PetscInt direction, PetscInt *support);
/* Complains at `node` of a mode, from 1, that there is not. */
PetscErrorCode NamesCheckMode(const Names *names, const InputNode *node, PetscReal mode);
