/* fit_law_beside.c - the spring and the dashpot beside a law that is fitted to loops: an elastic path, and what resists motion. */
#include "fit_law.h"

typedef struct {
  const InputNode *stiffness, *damping;
} Keys;

#define OF(member) offsetof(Keys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "stiffness", .kind = INPUT_NODE, .offset = OF(stiffness), .unit = "N/m",
   .help = "stiffness of the spring: a number, or {start, least, most} to identify it; it may be negative unless `least: 0` is given; default 0"},
  {.key = "damping", .kind = INPUT_NODE, .offset = OF(damping), .unit = "N s/m",
   .help = "damping of the dashpot: a number, or {start, least, most} to identify it; default 0"},
  {.key = NULL}
};
// clang-format on

const InputTable fit_law_beside_table = {"fit_law.beside", "a spring and a dashpot in parallel with the law", fields};

/* A spring of any sign: one that may be nothing is found on either side of it, and no bound hides that a law is too stiff far out. A dashpot
   that gives out energy is no joint's. */
static const JointParameter spring  = {.name = "stiffness", .fallback = INPUT_REQUIRED, .unit = "N/m"};
static const JointParameter dashpot = {.name = "damping", .fallback = INPUT_REQUIRED, .most = PETSC_INFINITY, .unit = "N s/m"};

PetscErrorCode FitLawReadBeside(const InputNode *node, FitLaw *study)
{
  Keys keys = {NULL, NULL};

  PetscFunctionBegin;
  PetscCall(InputRead(node, &fit_law_beside_table, &keys));
  PetscCall(FitLawReadNumber(keys.stiffness, &spring, LAW_FIT_STIFFNESS, &study->law));
  PetscCall(FitLawReadNumber(keys.damping, &dashpot, LAW_FIT_DAMPING, &study->law));
  PetscFunctionReturn(PETSC_SUCCESS);
}
