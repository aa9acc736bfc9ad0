/* modal_reduction.c - the whole structure reduced to its modes, and what the others give its joints and points in statics. */
#include "meshed_private.h"
#include "triplets.h"

/* The rows of points of faces. */
static PetscErrorCode PlaceFaces(const MeshedPart *meshed, const Continuum *continuum, const System *system, Triplets *triplets)
{
  PetscInt *place;

  PetscFunctionBegin;
  if (!continuum->touching) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(TouchingPlace(meshed, continuum, system, &place));
  PetscCall(TripletsAddRows(0, place, continuum->touching, triplets));
  PetscCall(PetscFree(place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What stiffness alone gives at supports. */
static PetscErrorCode PlaceReactions(const MeshedPart *meshed, const System *system, Triplets *triplets)
{
  Mat stiffness, mass;

  PetscFunctionBegin;
  if (system->num_reactions == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MeshedPartReactionRows(meshed, &stiffness, &mass));
  PetscCall(TripletsAddRows(SystemPlaceOfReaction(system, 0), NULL, stiffness, triplets));
  PetscCall(MatDestroy(&stiffness));
  PetscCall(MatDestroy(&mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Faces move with the mesh, points follow it, patterns, the base and bolts load it, supports hold it. */
static PetscErrorCode PlaceOnMesh(const MeshedPart *meshed, const Continuum *continuum, const Vec pressure[], const Vec bolts[], const System *system,
                                  Mat *rows)
{
  Triplets triplets = {0};

  PetscFunctionBegin;
  PetscCall(PlaceFaces(meshed, continuum, system, &triplets));
  PetscCall(TripletsAddRows(SystemPlaceOfMotion(system, 0), NULL, continuum->followers, &triplets));
  for (PetscInt p = 0; p < system->names.num_patterns; p++) {
    PetscCall(TripletsAddVector(SystemPlaceOfPattern(system, p), 1.0, pressure[p], &triplets));
    for (PetscInt d = 0; d < SPACE; d++)
      PetscCall(TripletsAddVector(SystemPlaceOfPattern(system, p), system->patterns[p].gravity[d], continuum->inertia[d], &triplets));
  }
  for (PetscInt d = 0; d < SPACE; d++) PetscCall(TripletsAddVector(SystemPlaceOfBase(system, d), 1.0, continuum->inertia[d], &triplets));
  for (PetscInt b = 0; b < system->names.num_bolts; b++) PetscCall(TripletsAddVector(SystemPlaceOfBolt(system, b), 1.0, bolts[b], &triplets));
  PetscCall(PlaceReactions(meshed, system, &triplets));
  PetscCall(TripletsMatrix(&triplets, PetscObjectComm((PetscObject)continuum->K), PETSC_DECIDE, SystemNumPlaces(system), meshed->unknowns.num_local,
                           meshed->unknowns.num_total, rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PlaceOnUnknowns(const System *system, Mat *rows)
{
  Triplets triplets = {0};

  PetscFunctionBegin;
  PetscCall(TripletsAddRows(0, NULL, system->B, &triplets));
  PetscCall(TripletsAddRows(SystemPlaceOfMotion(system, 0), NULL, system->T, &triplets));
  for (PetscInt p = 0; p < system->names.num_patterns; p++)
    PetscCall(TripletsAddVector(SystemPlaceOfPattern(system, p), 1.0, system->patterns[p].force, &triplets));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) PetscCall(TripletsAddVector(SystemPlaceOfBase(system, d), 1.0, system->base[d], &triplets));
  PetscCall(TripletsMatrix(&triplets, PETSC_COMM_SELF, PETSC_DECIDE, SystemNumPlaces(system), system->num_unknowns, system->num_unknowns, rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The whole structure while all joints stick, and its places. */
typedef struct {
  Continuum       held;
  ContinuumTies   ties;
  ContinuumPlaces places;
} Whole;

/* What the mesh is tied to. */
static PetscErrorCode TieWhole(const MeshedModel *model, const System *system, Whole *whole)
{
  PetscFunctionBegin;
  *whole        = (Whole){0};
  whole->ties   = (ContinuumTies){.num = system->num_unknowns, .M = system->M, .unknown = model->continuum->unknown};
  whole->places = (ContinuumPlaces){.num = SystemNumPlaces(system), .spread = SystemNumPlaces(system) > model->meshed->reduction.most_held};
  PetscCall(PlaceOnUnknowns(system, &whole->places.on_tied));
  PetscCall(SystemStiffness(system, JOINT_STUCK, &whole->ties.K));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is on the mesh itself. */
static PetscErrorCode Join(const MeshedModel *model, const Vec pressure[], const Vec bolts[], const System *system, Whole *whole)
{
  PetscFunctionBegin;
  PetscCall(PlaceOnMesh(model->meshed, model->continuum, pressure, bolts, system, &whole->places.on_motion));
  PetscCall(TouchingHold(model->meshed, model->continuum, system, JOINT_STUCK, &whole->held));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Separate(Whole *whole)
{
  PetscFunctionBegin;
  PetscCall(TouchingRelease(&whole->held));
  PetscCall(MatDestroy(&whole->ties.K));
  PetscCall(MatDestroy(&whole->places.on_motion));
  PetscCall(MatDestroy(&whole->places.on_tied));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindModes(const MeshedModel *model, const Vec pressure[], const Vec bolts[], const System *same, const System *system,
                                Whole *whole, ContinuumModes **modes)
{
  const ReductionOptions *const options = &model->meshed->reduction.options;

  PetscFunctionBegin;
  PetscCall(Join(model, pressure, bolts, system, whole));
  if (same && same->residual && !model->meshed->stress) PetscCall(SystemComplianceFrom(system, same, &whole->places.known));
  PetscCall(ContinuumModesFind(&whole->held, &whole->ties, &whole->places, options->num_modes, options->prove, modes));
  PetscCall(ContinuumComplain(model->meshed, model->continuum, &(*modes)->fault));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedModelDeflect(const MeshedModel *model, const Vec pressure[], const Vec bolts[], const System *system, PetscInt count,
                                  const PetscReal forces[], Mat *motion)
{
  ContinuumFault fault;
  LogStage       stage;
  Whole          whole;

  PetscFunctionBegin;
  LogStageBegin(&stage, "%" PetscInt_FMT " displacement%s of the mesh", count, count == 1 ? "" : "s");
  PetscCall(TieWhole(model, system, &whole));
  PetscCall(Join(model, pressure, bolts, system, &whole));
  PetscCall(ContinuumDeflect(&whole.held, &whole.ties, &whole.places, count, forces, &fault, motion));
  PetscCall(ContinuumComplain(model->meshed, model->continuum, &fault));
  PetscCall(Separate(&whole));
  LogStageEnd(&stage);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* For MeshedModelMotion. */
static PetscErrorCode KeepBasis(ContinuumModes *modes, MeshedModel *model)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(&model->reduction));
  model->reduction->size  = modes->count;
  model->reduction->basis = modes->motion;
  modes->motion           = NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which of them are kept is a choice that the case has not made. */
static void WarnOfCut(const ContinuumModes *modes)
{
  if (modes->num_cut)
    LogWarn("%" PetscInt_FMT " more mode%s the frequency of mode %" PetscInt_FMT ", the last one that is kept, and %s left out: keep %" PetscInt_FMT
            " modes to treat equal directions alike",
            modes->num_cut, modes->num_cut == 1 ? " has" : "s have", modes->count, modes->num_cut == 1 ? "is" : "are", modes->count + modes->num_cut);
}

/* Modes that stresses make unstable, where the factor is of a stiffness that is shifted and has not told. */
static PetscErrorCode CheckStability(const MeshedPart *meshed, ContinuumModes *modes)
{
  PetscInt count = 0;

  PetscFunctionBegin;
  if (!meshed->stress || modes->fault.reason != CONTINUUM_FINE) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = modes->num_rigid; k < modes->count; k++) count += modes->eigenvalue[k] < 0.0;
  if (count) PetscCall(StressComplain(meshed, count));
  if (count) modes->fault.reason = CONTINUUM_INDEFINITE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The System becomes that of the modes, unknown k that of column k of the basis. Modes that are lent stay whole: the compliance is another one. */
static PetscErrorCode TakeModes(ContinuumModes *modes, PetscBool lent, MeshedModel *model, System *system)
{
  SystemModes taken = {.count      = modes->count,
                       .num_rigid  = modes->num_rigid,
                       .eigenvalue = modes->eigenvalue,
                       .unknowns   = modes->tied,
                       .motion     = modes->placed,
                       .compliance = modes->compliance};

  PetscFunctionBegin;
  WarnOfCut(modes);
  if (lent) PetscCall(ComplianceDuplicate(modes->compliance, &taken.compliance));
  else modes->compliance = NULL; /* it is the System's */
  PetscCall(SystemReduceToModes(system, &taken));
  PetscCall(PetscMalloc1(modes->count, &model->unknown));
  for (PetscInt k = 0; k < modes->count; k++) model->unknown[k] = k;
  PetscCall(MeshedModelSetReactions(model, system));
  model->num_modes = modes->count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* About a state they are not lent: their compliance comes from that of the structure at rest. */
static PetscErrorCode ReduceAnew(MeshedModel *model, const Vec pressure[], const Vec bolts[], const System *same, Whole *whole, System *system)
{
  const PetscBool lends = (PetscBool)(model->meshed->lends && !model->same && !same);
  ContinuumModes *found;

  PetscFunctionBegin;
  PetscCall(FindModes(model, pressure, bolts, same, system, whole, &found));
  PetscCall(CheckStability(model->meshed, found));
  if (found->fault.reason == CONTINUUM_FINE) {
    if (lends) PetscCall(LentModesCreate(&whole->ties, whole->places.on_tied, model->meshed->reduction.options.num_modes, found, &model->lent));
    PetscCall(KeepBasis(found, model));
    PetscCall(TakeModes(found, lends, model, system));
  }
  if (!model->lent) PetscCall(ContinuumModesDestroy(&found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Reduce(MeshedModel *model, const Vec pressure[], const Vec bolts[], const System *same, System *system)
{
  ContinuumModes *lent = NULL;
  Whole           whole;

  PetscFunctionBegin;
  PetscCall(TieWhole(model, system, &whole));
  if (model->same && !same)
    PetscCall(LentModesFind(model->same->lent, &whole.ties, whole.places.on_tied, model->meshed->reduction.options.num_modes, &lent));
  if (lent) {
    model->reduction = model->same->reduction;
    PetscCall(TakeModes(lent, PETSC_TRUE, model, system));
  } else PetscCall(ReduceAnew(model, pressure, bolts, same, &whole, system));
  PetscCall(Separate(&whole));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedModelReduceToModes(MeshedModel *model, const Vec pressure[], const Vec bolts[], const System *same, System *system)
{
  PetscInt size;
  LogStage stage;

  PetscFunctionBegin;
  PetscCall(SystemGetSize(system, &size));
  LogStageBegin(&stage, "reduction of %" PetscInt_FMT " unknowns to %" PetscInt_FMT " modes", size, model->num_modes);
  PetscCall(Reduce(model, pressure, bolts, same, system));
  LogStageEnd(&stage);
  PetscFunctionReturn(PETSC_SUCCESS);
}
