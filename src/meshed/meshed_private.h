/*
  meshed_private.h - what a MeshedPart and a MeshedModel are made of; private to this room.
*/
#pragma once
#include "meshed/build.h"

typedef struct {
  const char *name;
  Material    material;
} NamedMaterial;

/* Elements of one group that share their properties. */
typedef struct {
  const char      *name; /* of the group */
  const InputNode *node;
  PetscInt         group;
  const Material  *material; /* NULL when not given, or after a complaint */
  BeamSection      section;
  PointMass        point_mass;
  PetscBool        has_section, has_point_mass;
} Part;

/* Those of one part and one shape on this rank. */
typedef struct {
  const Part        *part;
  const MeshBlock   *block;
  const ElementKind *kind;
  ElementProperties  properties;
  PetscInt           count;
  PetscInt          *elements; /* indices in the block */
} Batch;

enum { BATCH = 256 }; /* elements computed at once */

/* What the ground holds: nodes, or a point. */
typedef struct {
  const InputNode *node;
  const char      *group, *point; /* one is NULL */
  PetscInt         num_nodes;
  PetscInt        *nodes; /* ascending */
  unsigned         directions;
  PetscBool        turned; /* the directions are along the axes of a frame */
  Frame            frame;
} Support;

enum { SPACE = 3 };

/* Axes of the displacements, or of the rotations, of a node that supports hold along directions of their own: those that are held come
   first. The unknowns of the node are motions along them, u = sum v_k a_k. */
typedef struct {
  PetscReal axis[SPACE][SPACE]; /* a_k */
  unsigned  held;               /* bit k */
} NodeTurn;
#define TURN_ROUND_OFF 1e-14 /* of a component of an axis: none */

typedef enum { SITE_NODE, SITE_AVERAGE, SITE_RIGID } SiteKind;

/* Where a point lies in the mesh: on one node, on the average of the nodes of a surface [RBE3], or in the middle of nodes that it
   moves as a rigid body [RBE2]. The translation of an average is the weighted mean, its rotation the one that fits the nodes best:
   theta = I^-1 sum w r x u, I = sum w (r^2 1 - r r^T), r from the centre. */
typedef struct {
  SiteKind   kind;
  PetscInt   group; /* MESH_NO_GROUP for one node */
  PetscInt   num_nodes;
  PetscInt  *nodes;                /* ascending */
  PetscReal  centre[SPACE];        /* of a group */
  PetscReal  place[SPACE];         /* of a rigid point, which need not be the centre */
  PetscReal *weights;              /* their sum is 1 */
  PetscReal (*arms)[SPACE];        /* r */
  PetscReal inverse[SPACE][SPACE]; /* I^-1 */
} Site;

/* A rigid spider [RBE2]: u_a = U + theta x r_a and theta_a = theta for all of its nodes, r_a from its hub, the centre of the group: for
   the sake of round-off it is that, wherever the point is. Nodes have no unknowns of their own; U and theta are two blocks more, where
   the first node would be. */
typedef struct {
  const char      *name; /* of its point */
  const InputNode *node;
  const Site      *site;
  PetscInt         unknown[NUM_DIRECTIONS]; /* U and theta over all ranks, known to all */
} Spider;

/* The unknowns of the mesh, in blocks of three: the displacements of a node, and its rotations if its elements have them. Blocks follow
   the nodes. A slot is 2 * local node, + 1 for rotations; behind the local nodes come the hubs of rigid spiders. */
typedef struct {
  PetscInt *turn; /* of each slot of a local node: which of the turns, -1 for none; NULL when no support has a frame */
  NodeTurn *turns;
  PetscInt *spider;      /* of each local node: which one moves it, -1 for none; NULL when there are no spiders */
  PetscInt *block;       /* of each slot: its number over all ranks; -1 where there is none or nothing moves */
  PetscInt  first_block; /* this rank owns num_blocks from here on */
  PetscInt  num_blocks, total_blocks;
  PetscInt *slot;   /* of each owned block */
  PetscInt *number; /* of each owned block's three unknowns, over all ranks; -1 is held */
  IS        free;   /* those of all blocks that are not held; NULL when none is: then unknown 3 b + c is c of block b */
  PetscInt  num_local, num_total;
} Unknowns;

/* sum factor * motion = 0 */
typedef struct {
  PetscInt  point, direction;
  PetscReal factor;
} ConstraintTerm;

typedef struct {
  const char      *name;
  const InputNode *node;
  PetscInt         num_terms;
  ConstraintTerm  *terms;
} Constraint;

/* What the mesh is made of. */
typedef struct {
  PetscInt       num_materials, num_parts, num_batches;
  NamedMaterial *materials;
  Part          *parts;
  Batch         *batches;
} Composition;

/* What is at its nodes: supports, points, spiders, constraints. */
typedef struct {
  PetscInt         num_supports, num_sites, num_spiders, num_constraints;
  PetscInt         first_point; /* site s is that of point first_point + s of the structure */
  Support         *supports;
  Site            *sites;
  Spider          *spiders;
  Constraint      *constraints;
  const InputNode *constraints_node;
} Attachments;

/* To motions of points, and modes beside them; or to modes of the whole structure. */
typedef enum { NOT_REDUCED, REDUCED_TO_MOTIONS, REDUCED_TO_MODES } ReductionKind;

/* How it is to be reduced. */
typedef struct {
  ReductionKind    kind;
  const InputNode *node; /* NULL: the case does not say */
  ReductionOptions options;
  PetscInt         most_held; /* places whose compliance every process holds; with more of them, they share it */
  InputTexts       keep;
  const InputNode *keep_node;
} ReductionKeys;

/* The coordinates that remain of it: motions of points, then modes. */
typedef struct {
  PetscInt  count, num_modes;
  PetscInt *coordinates; /* of the motions, [count] */
  PetscInt  first_mode;  /* coordinate of the first mode */
} KeptMotions;

/* Two groups of faces that touch, or are tied: then what their points move by stays at rest, wherever anything moves there. */
typedef struct {
  const char      *joint;
  const InputNode *node; /* the names of the groups */
  PetscInt         groups[2];
  FacePoints      *points;
  PetscBool        tied;
  PetscInt         num_held, *held; /* SPACE * point + axis of the motions that are held, when tied */
} Interface;

/* A bolt as a beam between two points: six deformations, along and about its axes, with a stiffness each. */
typedef struct {
  const Site *sites[2];
  PetscReal   axis[SPACE][SPACE]; /* x along it */
  PetscReal   length, area;
  PetscReal   stiffness[NUM_DIRECTIONS];
} BeamBolt;

/* In the order of their joints: so are the rows of their points; behind these come those of the beams. */
typedef struct {
  PetscInt   count;
  Interface *interfaces;
  PetscInt   num_beams;
  BeamBolt  *beams;
} Touching;

/* What a preload has left. */
typedef struct {
  const InputNode   *node;   /* where the case asks for its stiffness */
  PetscReal         *motion; /* of the unknowns of each slot, [slots, SPACE]; zero where nothing moves */
  PetscInt           num_bolts;
  const MeshedBolt **bolts;
  PetscReal         *shift;
  PetscReal         *pull; /* of each bolt that is a beam: tension over length */
} Stress;

struct MeshedPart {
  const InputNode *node; /* of the mesh */
  Mesh            *mesh;
  Points          *points; /* of the whole structure */
  Composition      made;
  Attachments      attached;
  ReductionKeys    reduction;
  Unknowns         unknowns;
  KeptMotions      kept;
  Touching         touching;
  Stress          *stress; /* under which it is; NULL for none */
  PetscBool        lends;  /* variants of the structure will be built */
};

/* A motion of a point that is not kept: its row times T. */
typedef struct {
  PetscInt   point, component;
  PetscReal *factor;
} Follower;

struct MeshedModel {
  const MeshedPart  *meshed;
  PetscReal          mass;           /* [kg] */
  ContinuumCost      cost;           /* with a patience that ends */
  PetscBool          takes_too_long; /* it would have taken too long */
  PetscInt           num_modes;      /* that the whole is reduced to */
  Reduction         *reduction;      /* of one to modes nothing but its basis */
  Continuum         *continuum;      /* where it is not reduced to motions */
  PetscInt          *unknown;        /* the System's unknown of each column of the reduction's basis, GROUND where it rests */
  PetscReal         *inertia[SPACE]; /* reduced to motions: T^T M r */
  PetscInt           num_followers;  /* likewise: motions of points that are not kept */
  Follower          *followers;
  const MeshedModel *same;          /* of a variant of the structure: whose mesh it is; what both have in common is not its own. NULL otherwise */
  struct LentModes  *lent;          /* for variants: the modes of one that is reduced to these; else NULL */
  struct LentModes **whole;         /* for variants, by JointState: modes of one that is not reduced; NULL where it does not lend */
  PetscInt           first_support; /* unknowns from this one on have become moving supports */
};

/* Modes that a mesh was reduced to, kept for variants of the structure. */
typedef struct LentModes LentModes;
/* `places` are those on what is tied, NULL for modes without; `wanted` is how many were asked for. The modes become part of it. */
PetscErrorCode LentModesCreate(const ContinuumTies *ties, Mat places, PetscInt wanted, ContinuumModes *modes, LentModes **lent);
PetscErrorCode LentModesDestroy(LentModes **lent);
/* They are those of a mesh that is tied so as well; NULL where that differs in a bit, and of NULL. */
PetscErrorCode LentModesFind(const LentModes *lent, const ContinuumTies *ties, Mat places, PetscInt wanted, ContinuumModes **modes);

/* Equations between motions of the mesh: constraints, then tied faces. Local. */
PetscInt MeshedNumHeld(const MeshedPart *meshed);

/* The site of a point of the structure; NULL for those that are not of the mesh. Local. */
const Site *SiteOfPoint(const MeshedPart *meshed, PetscInt point);
/* Whether this motion of a point of the mesh follows from those that are kept. Local. */
PetscBool      SiteFollows(const MeshedPart *meshed, PetscInt point, PetscInt component);
PetscErrorCode SiteDestroy(Site *site);
/* Where it moves: of an average or a single node its centre. Local. */
const PetscReal *SitePlace(const Site *site);
/* The material of this name; NULL after a complaint at `node`. */
PetscErrorCode MaterialFind(const InputNode *node, const char *name, const MeshedPart *meshed, const Material **material);

/* Reading. Each complains and goes on. */
/* The file of a mesh, NULL after a complaint, and the length [m] of its unit. */
PetscErrorCode MeshFileRead(const InputNode *node, const char **path, PetscReal *scale);
/* Whether the case has a key that was meant to be `mesh`. */
PetscBool      MeshKeyIsMisspelt(const InputNode *root);
PetscErrorCode MaterialsRead(const InputNode *node, MeshedPart *meshed);
PetscErrorCode PartsRead(const InputNode *node, MeshedPart *meshed);
PetscErrorCode SupportsRead(const InputNode *node, MeshedPart *meshed);
PetscErrorCode SitesRead(const InputNode *node, MeshedPart *meshed);
/* Once there are unknowns: the directions in which points move. */
PetscErrorCode SitesSettle(MeshedPart *meshed);
/* `in_time`: something moves in time, so that it is reduced in any case. */
PetscErrorCode ReductionRead(const InputNode *node, PetscBool in_time, ReductionKeys *keys);

/* When all points are there: ties those that are held. */
PetscErrorCode SupportsHoldPoints(MeshedPart *meshed);
/* The directions that the ground holds at a node by itself: bit d. Local. */
unsigned SupportsHold(const MeshedPart *meshed, PetscInt node);
/* Whether supports with a frame hold displacements, or rotations, of a node; then the axes that its unknowns are along. Local. */
PetscBool SupportsTurn(const MeshedPart *meshed, PetscInt node, PetscBool rotations, NodeTurn *turn);
PetscBool SupportsAreTurned(const MeshedPart *meshed);
/* The directions in which a node moves: bit d. */
PetscErrorCode UnknownsOfNode(const MeshedPart *meshed, PetscInt node, unsigned *directions);

/* Complains of nodes that two spiders, or a spider and a support, would move. */
PetscErrorCode SpidersCreate(MeshedPart *meshed);
/* Complains of those whose nodes do not tell how they turn; present[slot] is 1 where an element has a stiffness or a mass. */
PetscErrorCode SpidersCheck(const MeshedPart *meshed, const PetscInt present[]);
/* What moves a node at x in a direction: up to three of the hub's six motions. Local. */
typedef struct {
  PetscInt  index;
  PetscReal factor;
} Term;
PetscInt SpiderTerms(const Spider *spider, const PetscReal x[SPACE], PetscInt direction, Term terms[SPACE]);

/* joined[part of the mesh]: the lowest part that hangs together with it by spiders. Local. */
PetscErrorCode SpidersJoin(const MeshedPart *meshed, PetscInt joined[]);

PetscErrorCode UnknownsCreate(MeshedPart *meshed);
PetscErrorCode UnknownsDestroy(Unknowns *unknowns);
/* What moves a node in a direction, if this rank owns it: up to three unknowns; none when it is held. Local. */
PetscInt UnknownsOf(const MeshedPart *meshed, PetscInt node, PetscInt direction, Term terms[SPACE]);
/* Whether this rank has the unknowns of a spider's hub. Local. */
PetscBool UnknownsOwn(const MeshedPart *meshed, const Spider *spider);
/* The axes that the unknowns of a slot are along; NULL for those of the model. Local. */
const NodeTurn *UnknownsTurn(const MeshedPart *meshed, PetscInt slot);
/* The spider whose hub a slot belongs to; NULL for those of nodes. Local. */
const Spider *UnknownsSpider(const MeshedPart *meshed, PetscInt slot);

/* Adds what ranks count for slots of their ghosts to the counts of the owners. */
PetscErrorCode UnknownsSum(const MeshedPart *meshed, PetscInt counts[]);

/* A place inside the structure behind each face that this rank has of a group: [count, SPACE]. Complains at `node` of faces that do not
   have one element behind them. */
PetscErrorCode FacesFindInside(const MeshedPart *meshed, const InputNode *node, PetscInt group, PetscReal inside[], PetscBool *fine);
/* Complains at `node` of faces of a group that do not lie between two solid elements. */
PetscErrorCode FacesCheckInner(const MeshedPart *meshed, const InputNode *node, PetscInt group, PetscBool *fine);

/* Forces on all nodes of the mesh, SPACE each, all zero. */
PetscErrorCode NodalForcesCreate(const Mesh *mesh, Vec *on_nodes);
/* pressure.c: adds the forces of a pressure on all nodes. Collective. */
PetscErrorCode PressureAddOnNodes(const MeshedPart *meshed, const MeshedPressure *pressure, Vec on_nodes);
/* The same on the unknowns: what supports hold goes to the ground, what a rigid spider moves to its hub. */
PetscErrorCode NodalForcesToUnknowns(const MeshedPart *meshed, Vec on_nodes, Vec *forces);

/* A surface inside solids. */
typedef struct Cut {
  const char *name; /* of the group */
  PetscInt    num_nodes;
  PetscInt   *nodes; /* ascending, the same on all ranks */
  PetscReal   area;
  PetscReal   centre[SPACE], normal[SPACE]; /* the mean one, of length one; elements above are where it points */
} Cut;
typedef enum { CUT_AWAY, CUT_BELOW, CUT_ABOVE } CutSide;
/* `towards`: the direction that is above; NULL for that in which the largest component of the normal is positive. Complains at `node` of
   faces that are no cut. */
PetscErrorCode CutCreate(const MeshedPart *meshed, const InputNode *node, PetscInt group, const PetscReal towards[], Cut *cut, PetscBool *fine);
PetscErrorCode CutDestroy(Cut *cut);
/* Complains at `node` when elements above and below hold together by more than the cut. */
PetscErrorCode CutCheck(const MeshedPart *meshed, const InputNode *node, const Cut *cut, PetscBool *fine);
/* Whether a node is of the cut. Local. */
PetscErrorCode CutFind(const Cut *cut, PetscInt node, PetscBool *found);
/* n_c: an axis at the nodes of the cut, nothing at the others; jump[width, SPACE]. Local. */
PetscErrorCode CutFindJump(const Cut *cut, PetscInt width, const PetscInt nodes[], const PetscReal axis[SPACE], PetscReal jump[]);
/* The side of an element that has a node of the cut; of all others CUT_AWAY. Local. */
PetscErrorCode CutFindSide(const MeshedPart *meshed, const Cut *cut, const Batch *batch, PetscInt e, CutSide *side);

/* sum factor * unknown, of nodes and hubs that this rank owns. */
typedef struct {
  PetscInt   count, room;
  PetscInt  *unknown;
  PetscReal *factor;
} MeshMotion;

PetscErrorCode TouchingDestroy(Touching *touching);
/* Motions that are held between tied faces, all of them; and one of them, whose parts of this rank are added. Local. */
PetscInt       TouchingNumHeld(const Touching *touching);
PetscErrorCode TouchingAddHeld(const MeshedPart *meshed, PetscInt i, MeshMotion *sum);
/* The joint that motion belongs to. Local. */
const Interface *TouchingOfHeld(const Touching *touching, PetscInt i);
/* Adds a deformation of a beam, 0 to 5. Local. */
PetscErrorCode BeamBoltAdd(const MeshedPart *meshed, const BeamBolt *beam, PetscInt deformation, MeshMotion *sum);
/* Three rows for each point of faces that touch and are not tied: its motion along the axes of its frame; six for each beam. NULL without any. */
PetscErrorCode TouchingMatrix(const MeshedPart *meshed, Mat *motions);
/* The place of each of these rows: its row of B, -1 where no law acts along it. Local; the caller frees it. */
PetscErrorCode TouchingPlace(const MeshedPart *meshed, const Continuum *continuum, const System *system, PetscInt **place);
/* The continuum with its faces held together as the joints between them are in this state: for as long as that lives, until released. */
PetscErrorCode TouchingHold(const MeshedPart *meshed, const Continuum *continuum, const System *system, JointState state, Continuum *held);
PetscErrorCode TouchingRelease(Continuum *held);

/* Stiffness, mass, inertia of the whole mesh. Complains of an element that is inside out; the continuum is then not to be used, but to
   be destroyed. */
PetscErrorCode AssemblyFill(const MeshedPart *meshed, Continuum *continuum, PetscBool *fine);

/* Where the nodes of elements first, ..., first + count - 1 of a batch are: [count, width, SPACE]. Local. */
void BatchPlaces(const MeshedPart *meshed, const Batch *batch, PetscInt first, PetscInt count, PetscReal places[]);

/* R: a row for each kept coordinate, then one for each constraint. */
PetscErrorCode RowsMatrix(const MeshedPart *meshed, Mat *R);

/* The mesh with what there is on it; NULL after a complaint. */
PetscErrorCode ContinuumCreate(const MeshedPart *meshed, Continuum **continuum);
/* Ties what it shows to unknowns of the System: for one that is not reduced. */
PetscErrorCode ContinuumTie(const MeshedPart *meshed, const Numbering *numbering, Continuum *continuum);
/* Complains of what is wrong with it, if anything is. */
PetscErrorCode ContinuumComplain(const MeshedPart *meshed, const Continuum *continuum, const ContinuumFault *fault);

/* A mesh that is reduced: put into the System, or sketched there when it would take longer than the patience [s]. */
PetscErrorCode ReducedBuild(const Continuum *continuum, PetscReal patience, const Numbering *numbering, MeshedModel *model, System *system);

/* One of a variant, whose reduction is that of `same`, is put into the System. */
PetscErrorCode ReducedShare(const Numbering *numbering, MeshedModel *share, System *system);

/* Elements some of whose nodes rigid spiders move, or have unknowns along axes of their own: u_e = T u, where u are the blocks of `slots`, each of which comes once. */
typedef struct {
  PetscInt   num_slots, slots[2 * MESH_MAX_NODES], num_rows;
  PetscBool  rigid;  /* one spider moves all of its nodes */
  PetscReal *T;      /* [num_rows, SPACE * num_slots] */
  PetscReal *matrix; /* what TieTransform made */
  PetscReal *work;
} Tie;
/* The slots that an element joins, whether they move or not; `tied` when its unknowns are not theirs. Local. */
PetscInt       TieSlots(const MeshedPart *meshed, const Batch *batch, PetscInt e, PetscInt slots[], PetscBool *tied);
PetscErrorCode TieCreate(Tie *tie);
PetscErrorCode TieDestroy(Tie *tie);
void           TieSet(const MeshedPart *meshed, const Batch *batch, PetscInt e, Tie *tie);
/* T^T A T, into tie->matrix. */
PetscErrorCode TieTransform(const PetscReal A[], Tie *tie);

/* Adds K_sigma of elements first, ..., first + count - 1 of a batch at `coordinates`, whose stiffness is known. */
PetscErrorCode StressInsert(const MeshedPart *meshed, const Batch *batch, PetscInt first, PetscInt count, const PetscReal coordinates[],
                            const PetscReal stiffness[], Tie *tie, Mat stress);
/* The motion of the nodes of an element under stress, as its stiffness has them. */
PetscErrorCode StressMotion(const MeshedPart *meshed, const Batch *batch, PetscInt e, Tie *tie, PetscReal motion[]);
/* That a structure buckles, in so many ways. */
PetscErrorCode StressComplain(const MeshedPart *meshed, PetscInt count);
/* What a bolt that is a beam adds against its own deformations. Local. */
PetscReal StressOfDeformation(const MeshedPart *meshed, PetscInt beam, PetscInt deformation);
/* Adds that of the chords of bolts that are beams, to a matrix [n, n] AIJ. */
PetscErrorCode StressAddBeams(const MeshedPart *meshed, Mat matrix);

/* What supports hold: their nodes, ascending, those of points that are held included; of these sites and centres [supports], NULL of groups. */
typedef struct {
  const MeshedPart *meshed;
  PetscInt          num_nodes, *nodes;
  const Site      **sites;
  PetscReal (*centres)[SPACE];
} Holding;
PetscErrorCode HoldingCreate(const MeshedPart *meshed, Holding *holding);
PetscErrorCode HoldingDestroy(Holding *holding);
PetscBool      HoldingHas(const Holding *holding, PetscInt node); /* Local. */
/* Adds what each support gives at a node at x under this force and moment: reactions[supports, 6]. Local. */
void HoldingAdd(const Holding *holding, PetscInt node, const PetscReal x[SPACE], const PetscReal force[], PetscReal reactions[]);
/* Where a site moves. Collective. */
PetscErrorCode SiteFindPlace(const MeshedPart *meshed, const Site *site, PetscReal place[SPACE]);
/* The site of the point of this name; NULL for none. Local. */
const Site *SiteByName(const MeshedPart *meshed, const char *point);

/* Adds `scale` times a motion of a site. Local. */
PetscErrorCode MeshMotionAdd(const MeshedPart *meshed, const Site *site, PetscInt direction, PetscReal scale, MeshMotion *sum);
PetscErrorCode MeshMotionDestroy(MeshMotion *sum);
/* The same of one node. */
PetscErrorCode MeshMotionAddNode(const MeshedPart *meshed, PetscInt node, PetscInt direction, PetscReal scale, MeshMotion *sum);

/* After the points are indexed. */
PetscErrorCode ConstraintsRead(const InputNode *node, MeshedPart *meshed);
/* Adds its left-hand side. Local. */
PetscErrorCode ConstraintAdd(const MeshedPart *meshed, const Constraint *constraint, MeshMotion *sum);

/* The least of what ranks give, and what the rank that gave it says with it; INT64_MAX is nothing. */
PetscErrorCode LeastOfRanks(MPI_Comm comm, PetscInt64 *least, PetscInt64 *remark);
