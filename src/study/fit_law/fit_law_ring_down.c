/* fit_law_ring_down.c - the ring-downs that a law is to explain, and what moves in them: a mass on the law, a spring and a dashpot. */
#include "fit_law.h"

typedef struct {
  InputTexts       of;
  PetscInt         mode;
  PetscReal        mass;
  const InputNode *stiffness, *damping;
} Keys;

#define OF(member) offsetof(Keys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "of", .kind = INPUT_TEXTS, .offset = OF(of), .fallback = INPUT_REQUIRED, .help = "earlier ring-downs or nonlinear modes"},
  {.key = "mode", .kind = INPUT_COUNT, .offset = OF(mode), .fallback = INPUT_OPTIONAL, .least = 1, .most = PETSC_MAX_INT,
   .help = "mode of theirs; required when there are several"},
  {.key = "mass", .kind = INPUT_REAL, .offset = OF(mass), .fallback = 1, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "kg",
   .help = "mass of the oscillator; 1 in modal coordinates"},
  {.key = "stiffness", .kind = INPUT_NODE, .offset = OF(stiffness), .fallback = INPUT_REQUIRED, .unit = "N/m",
   .help = "stiffness of the spring in parallel with the law: a number, or {start, least, most} to identify it"},
  {.key = "damping", .kind = INPUT_NODE, .offset = OF(damping), .fallback = INPUT_REQUIRED,
   .help = "damping ratio of the dashpot while the law sticks, likewise"},
  {.key = NULL}
};
// clang-format on

const InputTable fit_law_ring_down_table = {"fit_law.ring_down", "decays of a mass on the law, a spring and a dashpot in parallel, instead of `data`",
                                            fields};

static const JointParameter spring  = {.name = "stiffness", .fallback = INPUT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N/m"};
static const JointParameter dashpot = {.name = "damping", .fallback = INPUT_REQUIRED, .most = 1, .above = PETSC_TRUE};

/* The one that is asked for, or the only one. */
static PetscErrorCode ChooseMode(const InputNode *node, const Keys *keys, FitLaw *study)
{
  PetscInt  count, *modes;
  PetscBool known = PETSC_FALSE;
  char      list[256];

  PetscFunctionBegin;
  PetscCall(DecayModes(study->num_sources, study->sources, &count, &modes));
  PetscCall(DecayListModes(count, modes, list, sizeof(list)));
  study->mode = keys->mode ? keys->mode : count ? modes[0] : 0;
  for (PetscInt i = 0; i < count; i++) known = (PetscBool)(known || modes[i] == study->mode);
  if (count == 0) PetscCall(InputComplain(InputFind(node, "of"), "measures no mode that a law could be fitted to"));
  else if (!keys->mode && count > 1) PetscCall(InputComplain(node, "the studies of `of` have modes %s: say which, as `mode`", list));
  else if (!known)
    PetscCall(InputComplain(InputFind(node, "mode"), "mode %" PetscInt_FMT " is not among those of the studies of `of`: %s", study->mode, list));
  PetscCall(PetscFree(modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitLawReadRingDown(const InputNode *node, const Study *self, FitLaw *study)
{
  LawToFit *law  = &study->law;
  Keys      keys = {.mode = 0};

  PetscFunctionBegin;
  PetscCall(InputRead(node, &fit_law_ring_down_table, &keys));
  law->mass = keys.mass;
  PetscCall(FitLawReadNumber(keys.stiffness, &spring, LAW_FIT_STIFFNESS, law));
  PetscCall(FitLawReadNumber(keys.damping, &dashpot, LAW_FIT_DAMPING, law));
  if (law->law && law->law->traits & JOINT_VISCOUS)
    PetscCall(InputComplain(node, "the force of %s depends on the velocity: ring-downs are for laws that do not", law->law->name));
  if (law->law && law->law->traits & JOINT_RIGID)
    PetscCall(InputComplain(node, "%s sticks without any give, so that its force is no function of the amplitude of a mode: fit it to loops",
                            law->law->name));
  if (!InputIsMap(node) || !InputFind(node, "of")) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(DecaySourcesRead(InputFind(node, "of"), &keys.of, self, &study->num_sources, &study->sources));
  if (study->num_sources) PetscCall(ChooseMode(node, &keys, study));
  PetscFunctionReturn(PETSC_SUCCESS);
}
