/*
  analysis.h - what is done with a System: modes, transients, models of modes.

  A study is one item of the case's `studies` list. Each kind of study is one `const StudyKind`, listed once in studies.c;
  the case reader and the help come from it. The program prepares all studies (which lays out the result file) and then runs
  them in their order.

  To add a kind: write src/analysis/<name>.c, which defines one `const StudyKind`, and list it in studies.c.
*/
#pragma once
#include "input.h"
#include "model.h"
#include "output.h"
#include "system.h"

/* Modes of the linear system while all joints stick, or all slip: K phi = omega^2 M phi, phi^T M phi = 1, in ascending
   order. The component of largest magnitude is positive (of equal ones the first). */
typedef struct {
  PetscInt   num_unknowns, count;
  PetscInt   num_rigid;  /* motions without strain: their omega is exactly 0 */
  PetscReal *eigenvalue; /* omega^2 [rad^2/s^2]; negative where the system is unstable */
  PetscReal *omega;      /* [rad/s] */
  PetscReal *shape;      /* mode k is shape[k * num_unknowns], ... */
  Mat        field;      /* what they do to the continuum of the System, column by column; NULL without one */
} Modes;

/* Room for so many modes, to be filled. Local. */
PetscErrorCode ModesCreate(PetscInt num_unknowns, PetscInt count, Modes **modes);
/* The lowest modes: at most `count`, of a System without continuum. Computed on rank 0, the same on all. Collective on PETSC_COMM_WORLD. */
PetscErrorCode ModesCompute(const System *system, JointState state, PetscInt count, Modes **modes);
PetscErrorCode ModesDestroy(Modes **modes);
/* Solvers mix rigid modes as round-off has it, which the number of ranks changes. These are the same whatever the mixture was: each moves
   some unknown as much as can be, which all rigid modes after it leave at rest. Local. */
void ModesTurnRigid(Modes *modes);

/* The motions of the points in each mode, T phi_k: [num_motions, count]. */
PetscErrorCode ModesMotions(const System *system, const Modes *modes, PetscReal motions[]);

/* phi_k^T M r for each mode and direction of the base: [count, NUM_DIRECTIONS]; its square is the effective mass [kg]. */
PetscErrorCode ModesParticipation(const System *system, const Modes *modes, PetscReal participation[]);

/* q = phi^T M u, of all modes [eq. 14 of lacayo2017], and u = phi q. Local. */
PetscErrorCode ModesProject(const System *system, const Modes *modes, const PetscReal unknowns[], PetscReal coordinates[]);
PetscErrorCode ModesExpand(const Modes *modes, const PetscReal coordinates[], PetscReal unknowns[]);

/* The names of the case file for JointState; ends with NULL. */
extern const char *const joint_state_names[];

/* A System and what has been found out about it so far. */
typedef struct {
  const System *system;
  const Model  *model;    /* that it was built from; NULL when that is not known */
  Modes        *modes[2]; /* by JointState; NULL until asked for */
  PetscBool     prove;    /* that no mode of a continuum was missed */
} Subject;

/* At least `count` modes (all when fewer exist), kept for the next who asks. Complains where a continuum has none to give, and then there
   are none. Collective. */
PetscErrorCode SubjectModes(Subject *subject, JointState state, PetscInt count, const Modes **modes);
PetscErrorCode SubjectDestroy(Subject *subject);

/* Whether everything went as asked: filled by studies, decides the exit code. */
typedef struct {
  PetscInt num_stopped;    /* computations that nature stopped */
  PetscInt num_unfinished; /* computations that the user interrupted */
} Outcome;

typedef struct Study Study;

typedef const InputTable *const *InputTables; /* tables, ends with NULL */

typedef struct {
  const char        *name, *summary;
  const InputTables *tables; /* its keys, for the help: lists of tables; ends with NULL */

  /* Optional: whether these keys ask for nothing of a structure. Local. */
  PetscBool (*stands_alone)(const InputNode *node);
  /* Reads its keys; `system` is NULL when there is no structure, or it has complaints itself: names cannot be checked then. */
  PetscErrorCode (*read)(const InputNode *node, const System *system, Study *study);
  /* Optional: the names of its groups in the result, one after another, NULL beyond the last; no two of a case may be the same. */
  const char *(*group)(const Study *study, PetscInt i);
  /* Says on `out` what it will do and cost, without doing it (`dovetail check`). */
  PetscErrorCode (*describe)(const Study *study, const System *system, FILE *out);
  /* Computes what is quick and lays out all of its results. */
  PetscErrorCode (*prepare)(Study *study, Subject *subject, Result *result);
  /* Optional: the arrays it reserved, for ResultBeginData; with `arrays` NULL only their number. */
  PetscErrorCode (*collect)(Study *study, PetscInt *count, ResultArray **arrays);
  /* Computes. Results for people go to rank 0's standard output. */
  PetscErrorCode (*run)(Study *study, Subject *subject, Result *result, PetscBool resumed, Outcome *outcome);
  PetscErrorCode (*destroy)(Study *study);
} StudyKind;

struct Study {
  const StudyKind *kind;
  const InputNode *node;
  const Model     *model;  /* that the System comes from; NULL without one */
  Laws            *laws;   /* that the case names */
  const char      *name;   /* for people */
  void            *data;   /* of the kind */
  const Study     *before; /* the studies before it in the case, whose findings it may use */
  PetscInt         num_before;
};

extern const StudyKind *const study_kinds[]; /* ends with NULL */

/* Matrices for other programs. */
typedef struct {
  PetscBool    matrices, mesh_map;
  const Model *model;
  MeshUnknowns rows; /* of the mesh map */
  ResultArray  map, nodes, directions;
} Export;

/* Everything a case asks for, checked. */
typedef struct {
  InputDocument   *document;
  const char      *title;
  ModelNodes       nodes;
  const InputNode *law_map, *study_list, *export_list;
  Export export;
  Laws     laws;
  Model   *model;
  System  *system; /* NULL while there are complaints; NULL, like the Model, where no study needs a structure */
  PetscInt num_studies;
  Study   *studies;
} Case;

extern const InputTable case_table; /* the top-level keys */

/* Reads, checks and builds; fails with PETSC_ERR_USER_INPUT after printing all complaints. `patience` as in ModelBuild: with one
   that ends the case can be described only. Collective. */
PetscErrorCode CaseRead(const char *path, PetscReal patience, Case **the_case);
PetscErrorCode CaseDestroy(Case **the_case);
/* For `dovetail check`: rank 0 prints. Collective. */
PetscErrorCode CaseDescribe(const Case *the_case, FILE *out);
/* Runs all studies into a result file. */
PetscErrorCode CaseRun(Case *the_case, const char *result_path, ResultMode mode, Outcome *outcome);
