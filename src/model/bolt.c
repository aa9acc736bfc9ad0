/* bolt.c - bolts of the mesh, by name: where their shanks are cut, what they are to be tightened to. */
#include <string.h>
#include "parts.h"

typedef struct {
  const char *cut, *material;
  InputTexts  between;
  InputReals  axis;
  PetscReal   diameter, preload;
} BoltInput;

// clang-format off
static const InputField fields[] = {
  {.key = "cut", .kind = INPUT_TEXT, .offset = offsetof(BoltInput, cut), .fallback = INPUT_OPTIONAL,
   .help = "of a solid shank: group of surfaces of the mesh, inner faces that cut right through it"},
  {.key = "axis", .kind = INPUT_REALS, .offset = offsetof(BoltInput, axis), .fallback = INPUT_OPTIONAL,
   .help = "[x, y, z], direction in which the sides of the cut shift towards each other; default: the mean normal of the cut"},
  {.key = "between", .kind = INPUT_TEXTS, .offset = offsetof(BoltInput, between), .fallback = INPUT_OPTIONAL,
   .help = "in place of `cut`: two points of the mesh, [A, B], each the average of a face or what moves one rigidly; a round beam without mass connects them"},
  {.key = "diameter", .kind = INPUT_REAL, .offset = offsetof(BoltInput, diameter), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "m",
   .help = "of that beam"},
  {.key = "material", .kind = INPUT_TEXT, .offset = offsetof(BoltInput, material), .fallback = INPUT_OPTIONAL, .help = "of that beam: a name under `materials`"},
  {.key = "preload", .kind = INPUT_REAL, .offset = offsetof(BoltInput, preload), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .unit = "N",
   .help = "tension to which the bolt is tightened"},
  {0},
};
// clang-format on

const InputTable bolt_table = {.name = "bolts.NAME", .summary = "a bolt: a solid shank that is cut and pulled together, or a beam", .fields = fields};

/* A cut shifts by one bolt only. */
static PetscErrorCode RefuseTwins(const Model *model, const InputNode *node, const char *cut, const ModelBolt *bolt)
{
  PetscFunctionBegin;
  for (const ModelBolt *other = model->bolts; other < bolt; other++)
    if (other->cut && !strcmp(other->cut, cut)) PetscCall(InputComplain(node, "'%s' is the cut of bolt '%s' already", cut, other->name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Elements that shift with two bolts would couple their tensions beside u; the nodes that both push tell. */
static PetscErrorCode RefuseNeighbours(const Model *model, const InputNode *node, const ModelBolt *bolt)
{
  PetscFunctionBegin;
  for (const ModelBolt *other = model->bolts; other < bolt && bolt->shank.forces; other++) {
    PetscReal largest;
    Vec       product;

    if (!other->shank.forces || !other->cut) continue;
    PetscCall(VecDuplicate(bolt->shank.forces, &product));
    PetscCall(VecPointwiseMult(product, bolt->shank.forces, other->shank.forces));
    PetscCall(VecNorm(product, NORM_INFINITY, &largest));
    PetscCall(VecDestroy(&product));
    if (largest > 0.0)
      PetscCall(InputComplain(node, "'%s' is too near to '%s', the cut of bolt '%s': both push the same nodes", bolt->cut, other->cut, other->name));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckAxis(const InputNode *node, const InputReals *axis)
{
  PetscFunctionBegin;
  if (axis->count != 3) PetscCall(InputComplain(node, "must be three numbers, [x, y, z], got %" PetscInt_FMT, axis->count));
  else if (axis->values[0] == 0.0 && axis->values[1] == 0.0 && axis->values[2] == 0.0) PetscCall(InputComplain(node, "must not be zero"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The keys that go with a shank, or with a beam. */
static PetscErrorCode CheckKeys(const InputNode *map, PetscBool is_beam, const BoltInput *input)
{
  static const char *const of_shanks[] = {"axis", NULL}, *const of_beams[] = {"diameter", "material", NULL};

  PetscFunctionBegin;
  PetscCall(InputRefuseKeys(map, is_beam ? of_shanks : of_beams,
                            is_beam ? "belongs to a `cut`: a beam is as its points lie" : "belongs to a beam, `between`"));
  if (!is_beam) PetscFunctionReturn(PETSC_SUCCESS);
  for (const char *const *key = of_beams; *key; key++)
    if (!InputFind(map, *key)) PetscCall(InputComplain(map, "a beam needs its `%s`", *key));
  if (input->between.count != 2)
    PetscCall(InputComplain(InputFind(map, "between"), "expected two points, [A, B], found %" PetscInt_FMT, input->between.count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadShank(const InputNode *map, const Model *model, const BoltInput *input, PetscBool fine, ModelBolt *bolt)
{
  PetscFunctionBegin;
  PetscCall(MeshedPartBolt(model->meshed, map, input->cut, input->axis.count ? input->axis.values : NULL, fine, &bolt->shank));
  PetscCall(RefuseNeighbours(model, InputFind(map, "cut"), bolt));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadBolt(const InputNode *map, const char *name, const Model *model, PetscBool fine, ModelBolt *bolt)
{
  static const char *const ways[]         = {"cut", "between", NULL};
  const PetscInt           num_complaints = InputNumComplaints(InputDocumentOf(map));
  BoltInput                input          = {.axis = {0, NULL}};
  PetscInt                 way            = -1;

  PetscFunctionBegin;
  *bolt = (ModelBolt){.name = name};
  PetscCall(InputCheckName(map, name));
  PetscCall(InputRead(map, &bolt_table, &input));
  if (InputIsMap(map)) PetscCall(InputExclusive(map, ways, PETSC_TRUE, &way));
  if (way >= 0) PetscCall(CheckKeys(map, (PetscBool)(way == 1), &input));
  if (way == 0 && InputFind(map, "axis") && input.axis.count) PetscCall(CheckAxis(InputFind(map, "axis"), &input.axis));
  if (way == 0 && input.cut) PetscCall(RefuseTwins(model, InputFind(map, "cut"), input.cut, bolt));
  bolt->cut     = input.cut;
  bolt->preload = input.preload;
  if (InputNumComplaints(InputDocumentOf(map)) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  if (way == 0) PetscCall(ReadShank(map, model, &input, fine, bolt));
  else PetscCall(MeshedPartBeamBolt(model->meshed, map, &input.between, input.diameter, input.material, fine, &bolt->shank));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The static compliance of a cut is what a reduction to motions of points has not: its tension would be wrong. */
static PetscErrorCode RefuseStructure(const InputNode *node, const Model *model, PetscBool *fine)
{
  const PetscInt num_complaints = InputNumComplaints(InputDocumentOf(node));

  PetscFunctionBegin;
  if (!InputIsMap(node)) PetscCall(InputComplain(node, "must be a map of bolts, NAME: {cut: GROUP, preload: 8e3}"));
  else if (!model->meshed) PetscCall(InputComplain(node, "has no use without `mesh`"));
  else if (MeshedPartIsReduced(model->meshed) && !MeshedPartWantsModes(model->meshed))
    PetscCall(InputComplain(node, "needs `reduction: {modes: {count: N}}`, or none: motions of points do not tell the stretch of a shank"));
  *fine = (PetscBool)(InputNumComplaints(InputDocumentOf(node)) == num_complaints);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BoltsRead(const InputNode *node, Model *model)
{
  const PetscBool parts_are_fine = (PetscBool)(node && InputNumComplaints(InputDocumentOf(node)) == 0);
  PetscBool       fine           = PETSC_FALSE;

  PetscFunctionBegin;
  if (node) PetscCall(RefuseStructure(node, model, &fine));
  if (!fine) PetscFunctionReturn(PETSC_SUCCESS);
  model->num_bolts = InputCount(node);
  PetscCall(PetscCalloc1(model->num_bolts, &model->bolts));
  for (PetscInt b = 0; b < model->num_bolts; b++) PetscCall(ReadBolt(InputItem(node, b), InputKey(node, b), model, parts_are_fine, &model->bolts[b]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of a mesh that is not reduced bolts are locked, and their shanks whole. */
PetscErrorCode BoltsBuild(const Model *model, System *system)
{
  PetscFunctionBegin;
  if (!model->num_bolts || !MeshedPartWantsModes(model->meshed)) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt b = 0; b < model->num_bolts; b++)
    PetscCall(SystemAddBolt(system, model->bolts[b].name, model->bolts[b].shank.stiffness, model->bolts[b].preload));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void BoltsDescribe(const Model *model, FILE *out)
{
  for (PetscInt b = 0; b < model->num_bolts; b++) {
    const ModelBolt *const  bolt  = &model->bolts[b];
    const MeshedBolt *const shank = &bolt->shank;

    fprintf(out, "  bolt %s: ", bolt->name);
    if (bolt->cut)
      fprintf(out, "%" PetscInt_FMT " nodes of the cut, area %g m^2, stiffness at the cut %g N/m", shank->num_nodes, shank->area, shank->stiffness);
    else fprintf(out, "a beam, %g m long, area %g m^2, stiffness %g N/m", shank->length, shank->area, shank->stiffness);
    fprintf(out, ", preload %g N (%g Pa)\n", bolt->preload, bolt->preload / shank->area);
  }
}

PetscErrorCode BoltsDestroy(Model *model)
{
  PetscFunctionBegin;
  for (PetscInt b = 0; b < model->num_bolts; b++) PetscCall(MeshedBoltDestroy(&model->bolts[b].shank));
  PetscCall(PetscFree(model->bolts));
  PetscFunctionReturn(PETSC_SUCCESS);
}
