/*
  joint.h - force laws of joints.

  A law gives the force f that a joint transmits from the relative motion d of its two sides and from what
  it remembers. It knows nothing of meshes, matrices, solvers or files. Laws work on blocks: points that
  share one law and one set of parameters. A law changes nothing but the history handed to `commit`, so
  Newton may evaluate as often as it likes and a rejected step costs nothing.

  To add a law: write src/joint/<name>.c, which defines one `const JointLaw joint_law_<name>`, and list it in src/joint/laws.h.
  Help, contract tests and benchmarks run over the list, with the samples that the law gives.
*/
#pragma once
#include "base.h"
#include "input.h"

enum { JOINT_MAX_DIM = 6, JOINT_MAX_PARAMETERS = 32, JOINT_MAX_CORNERS = 2 };

#define JOINT_REQUIRED INPUT_REQUIRED /* the fallback of a parameter that the case must give */

typedef struct {
  const char *name;        /* case-file key, e.g. "slip_force" */
  PetscReal   fallback;    /* JOINT_REQUIRED: the case must give it */
  PetscReal   least, most; /* bounds; none when both are zero */
  PetscBool   above;       /* `least` itself is refused */
  PetscBool   whole;       /* a whole number */
  PetscBool   local;       /* each point of a block has its own */
  PetscBool   shared;      /* of an area: each part of it takes its share */
  const char *unit, *help;
} JointParameter;

/* Parameters as an example: forces, motions and stiffnesses are of order one, for contract tests and benchmarks. */
typedef struct {
  const char *what; /* in a few words */
  PetscReal   parameters[JOINT_MAX_PARAMETERS];
  unsigned    traits; /* JointTrait flags that these parameters add to those of the law */
} JointSample;

/* What follows from the parameters and is worth knowing: the motion at which all slips, constants of a paper. */
typedef struct {
  const char *name, *unit, *help; /* as of a parameter */
} JointDerived;

/* Relative motion of the block's points; component-major: component c of point i is [c * num_points + i]. */
typedef struct {
  const PetscReal *displacement; /* [m, rad] */
  const PetscReal *velocity;     /* [m/s, rad/s]; NULL is allowed for laws without JOINT_VISCOUS */
} JointMotion;

/* What a law with JOINT_RIGID is asked where it acts on a structure. Its force is no function of the motion while it sticks, but it is one of what
   the structure would do if a give stood in series with it: given = motion + give * force, with any positive give. */
typedef struct {
  const PetscReal *given;  /* with the displacement since the last commit [m, rad], or with the velocity at the end of a step [m/s, rad/s] */
  const PetscReal *give;   /* [m/N], or [m/s/N] */
  const PetscReal *before; /* the velocity where that step began, and the force is its mean over the step; NULL: displacements are given */
} JointGrip;

/* What evaluation gives. Tangents have shape [dim, dim, num_points]: df_c/dd_e of point i is
   [(c * dim + e) * num_points + i]. `damping` = df/dv is only asked of laws with JOINT_VISCOUS; all but the force may be NULL. */
typedef struct {
  PetscReal *force;     /* [N, N m] */
  PetscReal *stiffness; /* [N/m] */
  PetscReal *damping;   /* [N s/m] */
  PetscReal *loss;      /* [num_points] what the law wants to know again if the motion is accepted; only for its `commit` */
} JointForce;

/* The turning points of one scalar path, oldest first; grows by doubling. */
typedef struct {
  PetscInt   count, capacity;
  PetscReal *motion, *force;
} TurningPoints;

/* What a block remembers. Only `commit` changes it. */
typedef struct {
  PetscInt       num_points, num_states;
  PetscReal     *states;  /* [num_states, num_points] */
  TurningPoints *turning; /* [num_points]; NULL for laws that remember none */
} JointHistory;

typedef struct JointLaw JointLaw;

/* Points of one law and one set of parameters, but for those that are local; read-only once made. */
typedef struct {
  const JointLaw *law;
  PetscInt        num_points;
  PetscReal       parameters[JOINT_MAX_PARAMETERS]; /* local ones: of the first point */
  PetscReal      *constants;                        /* what `prepare` derived from the parameters */
  PetscReal      *local;                            /* [num_points, num_local] what `prepare_local` derived */
} JointBlock;

typedef enum { JOINT_STUCK, JOINT_SLIPPING } JointState;

/* What faces do at a point. */
typedef enum { FACES_OPEN, FACES_STICK, FACES_SLIP, NUM_FACE_STATES } FaceState;

typedef enum {
  JOINT_LINEAR  = 1 << 0, /* f = k d + c v: belongs in K and C, has no history */
  JOINT_ELASTIC = 1 << 1, /* force is a function of d alone: no history, nothing dissipated */
  JOINT_VISCOUS = 1 << 2, /* force depends on velocity */
  JOINT_MASING  = 1 << 3, /* obeys Masing's rules with turning-point memory; the first two states are the motion last committed and its force */
  JOINT_ACTIVE  = 1 << 4, /* may give out energy that it never took, or count as dissipated what it gives back */
  JOINT_NEVER_LEVELS_OFF = 1 << 5, /* the tangent goes on changing however far it moves: it has no limit in slip, or does not reach it */
  JOINT_RIGID            = 1 << 6  /* sticks without any give: of one component, K0 has nothing of it, `evaluate` is of prescribed motions */
} JointTrait;

struct JointLaw {
  const char           *name;       /* case-file value of `law:` */
  const char           *summary;    /* one line, for `help laws` */
  const char           *equation;   /* a few lines of plain text, for `help laws NAME` */
  const char           *source;     /* papers */
  const JointParameter *parameters; /* ends with a NULL name */
  const JointSample    *samples;    /* at least one; ends with a NULL `what` */
  PetscInt              dim;        /* components of motion and force */
  PetscInt              num_states; /* reals remembered per point */
  unsigned              traits;     /* JointTrait flags; JOINT_MASING laws remember turning points */

  /* Optional: what is wrong with parameters that each lie within their bounds, or NULL. */
  const char *(*refuse)(const PetscReal parameters[]);

  /* Optional: number of derived constants, or what gives it where it depends on the parameters; and the constants. */
  PetscInt num_constants;
  PetscInt (*count_constants)(const PetscReal parameters[]);
  void (*prepare)(const PetscReal parameters[], PetscReal constants[]);

  /* Of laws with local parameters: number of derived constants of a point, and these. */
  PetscInt num_local;
  void (*prepare_local)(const PetscReal parameters[], const PetscReal constants[], PetscReal local[]);

  /* Optional: what follows from the parameters; ends with a NULL name. At most JOINT_MAX_PARAMETERS. */
  const JointDerived *derived;
  void (*derive)(const PetscReal parameters[], PetscReal values[]);

  /* Tangent stiffness [dim, dim] at rest (stuck) and in the limit of full slip (slipping), of the block's first point. */
  void (*limit)(const JointBlock *block, JointState state, PetscReal stiffness[]);

  /* Force and exact tangent for a motion, from the committed history. Changes nothing. */
  void (*evaluate)(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result);

  /* Of laws with JOINT_RIGID: the force, and as `stiffness` its derivative by what is given. Changes nothing. */
  void (*grip)(const JointBlock *block, const JointGrip *grip, JointForce *result);

  /* Accepts a motion, with what `evaluate`, or `grip`, gave for it, `loss` included: advances the history and adds the energy dissipated on
     the way to it to dissipated[num_points] [J]. Optional for laws with neither states nor dissipation. */
  PetscErrorCode (*commit)(const JointBlock *block, JointHistory *history, const JointMotion *motion, const JointForce *result,
                           PetscReal dissipated[]);

  /* Of laws of faces, whose first component is normal to them: what each point does since the last commit, a FaceState, and what presses
     it [N], at the motion that was accepted. */
  void (*inspect)(const JointBlock *block, const JointHistory *history, const JointMotion *motion, PetscReal state[], PetscReal pressing[]);

  /* Optional: what each point holds at the motion that was accepted, beyond what it does untouched, and what it has taken beside that, negative
     where it gave: both together are its work so far less what it has dissipated, where steps are short [J]. The second is of forces that have
     no potential, and depends on the way. */
  void (*store)(const JointBlock *block, const JointHistory *history, const JointMotion *motion, PetscReal stored[], PetscReal exchanged[]);

  /* Optional, of laws of one component: the motions at which the tangent jumps, ascending, at most JOINT_MAX_CORNERS; of JOINT_MASING laws their
     distances along the virgin curve. Sums over samples of a period are mended there. Returns how many. */
  PetscInt (*corners)(const JointBlock *block, PetscReal motion[]);

  /* For a change `dmotion` of the motion and `dhistory` of the committed history: the change of the force, and in place the
     change of the history that `commit` would give. Call before `commit`; `history` is not changed, `dhistory` has its layout
     before and the next history's after. */
  PetscErrorCode (*differentiate)(const JointBlock *block, const JointHistory *history, const JointMotion *motion, const JointMotion *dmotion,
                                  JointHistory *dhistory, PetscReal dforce[]);

  /* Optional: how blocks of it run side by side, all at once: see joint/lanes.h. */
  const struct JointLaneLaw *lanes;
};

/* All laws, in the order of the help; ends with NULL. */
extern const JointLaw *const joint_laws[];
const JointLaw              *JointLawFind(const char *name);    /* NULL when unknown. Local. */
const char                  *JointLawNearest(const char *text); /* the name of a law that is probably meant; NULL for none. Local. */

PetscErrorCode JointBlockCreate(const JointLaw *law, const PetscReal parameters[], PetscInt num_points, JointBlock *block);
PetscErrorCode JointBlockDestroy(JointBlock *block);
/* Gives a point its own local parameters, in place of those of all. Local. */
void JointBlockSetPoint(JointBlock *block, PetscInt point, const PetscReal parameters[]);
/* One point of a block as a block, for as long as that lives; not to be destroyed. Local. */
JointBlock JointBlockPoint(const JointBlock *block, PetscInt point);

/* An untouched joint: no motion, no force, no memory. Local. */
PetscErrorCode JointHistoryCreate(const JointBlock *block, JointHistory *history);
PetscErrorCode JointHistoryCopy(const JointHistory *from, JointHistory *to); /* same layout; `to` may have other counts */
PetscErrorCode JointHistoryDestroy(JointHistory *history);

/* Laws of one component in parallel, one point each, along a path: from rest at no motion to each displacement in turn. The force after
   each, and, unless NULL, the energy dissipated so far. `velocity` may be NULL when no law has JOINT_VISCOUS. Local. */
PetscErrorCode JointDrive(PetscInt num_laws, const JointBlock laws[], PetscInt count, const PetscReal displacement[], const PetscReal velocity[],
                          PetscReal force[], PetscReal dissipated[]);

/* One step of one such law, accepted: gives what `result` asks for, and adds to what the law dissipates. Local. */
PetscErrorCode JointStep(const JointBlock *law, JointHistory *history, const JointMotion *motion, const JointForce *result, PetscReal *dissipated);

/* The history as numbers, for restart files: JointHistoryPack writes JointHistorySize numbers. Local. */
PetscInt       JointHistorySize(const JointHistory *history);
void           JointHistoryPack(const JointHistory *history, PetscReal numbers[]);
PetscErrorCode JointHistoryUnpack(JointHistory *history, PetscInt count, const PetscReal numbers[]);

/* Reads `{law: NAME, parameters...}`: complains through the node of the fault; law is NULL after an unknown name. */
PetscErrorCode JointLawRead(const InputNode *map, const JointLaw **law, PetscReal parameters[]);
/* The same where the parameters that are keys of `unknown` may be left out: they are not numbers then; any, when it has keys that are no
   parameters, which its reader complains of. The law is not asked whether it refuses what is there. */
PetscErrorCode JointLawReadPart(const InputNode *map, const InputNode *unknown, const JointLaw **law, PetscReal parameters[]);
/* The same of a law between faces of a mesh, whose stiffnesses (parameters that areas share) may be left out: they are not numbers then. */
PetscErrorCode JointLawReadOfFaces(const InputNode *map, const JointLaw **law, PetscReal parameters[]);

/* `help laws` and `help laws NAME`, which tells the samples as text to paste. */
PetscErrorCode JointLawsPrint(FILE *out);
PetscErrorCode JointLawPrint(FILE *out, const JointLaw *law);
