/* joints.c - joints: for each direction the laws between their two sides, or a rigid tie. */
#include "parts.h"
#include <string.h>

typedef struct {
  InputTexts       between;
  FacesInput       faces;
  const InputNode *frame, *contact, *directions[NUM_DIRECTIONS];
} JointInput;

#define DIRECTION(name, index, text) \
  { \
    .key = name, .kind = INPUT_NODE, .offset = offsetof(JointInput, directions) + (index) * sizeof(const InputNode *), .fallback = INPUT_OPTIONAL, \
    .help = text \
  }

// clang-format off
static const InputField fields[] = {
  {.key = "between", .kind = INPUT_TEXTS, .offset = offsetof(JointInput, between), .fallback = INPUT_OPTIONAL,
   .help = "its two sides, [A, B]; the motion of the joint is that of B minus that of A; either may be `ground`"},
  {.key = "faces", .kind = INPUT_TEXTS, .offset = offsetof(JointInput, faces.groups), .fallback = INPUT_OPTIONAL,
   .help = "in place of `between`: two groups of faces of the mesh that meet, [A, B], whose elements need not match; with a `contact` by area"},
  {.key = "frame", .kind = INPUT_NODE, .offset = offsetof(JointInput, frame), .fallback = INPUT_OPTIONAL,
   .help = "axes of the joint, {x: [1, 1, 0], y: [-1, 1, 0]}; default: those of the model"},
  DIRECTION("x", 0, "what acts in x: the name of a law, {law: ..., parameters}, a list of these, or `rigid`"),
  DIRECTION("y", 1, "what acts in y, likewise"),
  DIRECTION("z", 2, "what acts in z, likewise"),
  DIRECTION("rx", 3, "what acts in the rotation about x, likewise"),
  DIRECTION("ry", 4, "what acts in the rotation about y, likewise"),
  DIRECTION("rz", 5, "what acts in the rotation about z, likewise"),
  {.key = "contact", .kind = INPUT_NODE, .offset = offsetof(JointInput, contact), .fallback = INPUT_OPTIONAL,
   .help = "contact of faces normal to x: a law that acts in x, y and z together; between `faces` its parameters are per m^2, x is normal to them everywhere, and its stiffnesses may be left to the elements behind"},
  {.key = "closed", .kind = INPUT_TRUTH, .offset = offsetof(JointInput, faces.closed), .fallback = 0,
   .help = "`yes`: gaps and overlaps that the mesh has between `faces` are taken as none"},
  {.key = "tied", .kind = INPUT_TRUTH, .offset = offsetof(JointInput, faces.tied), .fallback = 0,
   .help = "`yes`: the `faces` move together where they meet, as if glued, whatever gaps there are; in place of a `contact`"},
  {.key = "points_on", .kind = INPUT_TEXT, .offset = offsetof(JointInput, faces.slave), .fallback = INPUT_OPTIONAL,
   .help = "the group of `faces` whose nodes are the points of contact; default: the one with the smaller faces"},
  {.key = "reach", .kind = INPUT_REAL, .offset = offsetof(JointInput, faces.reach), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "m",
   .help = "`faces` further apart than this at rest never touch; default: half a mean edge of the coarser ones. Curved faces that loads press flat need the gap that they close"},
  {0},
};
// clang-format on

const InputTable joint_table = {.name = "joints.NAME", .summary = "a joint between two points", .fields = fields};

/* `rigid`, alone or as the only item of a list. */
static PetscErrorCode IsRigid(const InputNode *value, PetscBool *rigid)
{
  const char *text;

  PetscFunctionBegin;
  *rigid = PETSC_FALSE;
  if (InputIsList(value) && InputCount(value) == 1) value = InputItem(value, 0);
  if (!InputIsScalar(value)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputGetText(value, &text));
  *rigid = (PetscBool)(text && strcmp(text, "rigid") == 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Tie(Model *model, const InputNode *node, const PetscInt ends[2], const PetscInt coordinates[2])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < 2; i++) {
    if (MatricesFindCombination(model, coordinates[i]) < 0) continue;
    PetscCall(InputComplain(node, "point '%s' is a combination of unknowns here, which cannot be tied rigidly; give a stiff spring",
                            model->points.list[ends[i]].name));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PointsTie(&model->points, coordinates[0], coordinates[1]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadDirection(Model *model, Laws *laws, const char *joint, const InputNode *value, const PetscInt ends[2], PetscInt direction)
{
  PetscInt  coordinates[2];
  PetscBool found, rigid;
  ModelRow *row;
  char      alone[32];

  PetscFunctionBegin;
  PetscCall(PointsFindCoordinates(&model->points, value, ends, direction, coordinates, &found));
  if (!found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(IsRigid(value, &rigid));
  if (rigid) {
    PetscCall(Tie(model, value, ends, coordinates));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  row  = &model->rows[model->num_rows++];
  *row = (ModelRow){.joint = joint, .node = value, .direction = direction, .negative = coordinates[0], .positive = coordinates[1]};
  PetscCall(PetscSNPrintf(alone, sizeof(alone), "in %s alone", direction_names[direction]));
  PetscCall(LawsResolve(laws, value, 1, alone, &row->num_laws, &row->laws));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointsFindRow(Model *model, const char *joint, const InputNode *node, const PetscInt ends[2], PetscInt direction, PetscInt *row)
{
  const PetscInt negative = PointCoordinate(&model->points, ends[0], direction), positive = PointCoordinate(&model->points, ends[1], direction);

  PetscFunctionBegin;
  *row = -1;
  for (PetscInt r = 0; r < model->num_rows; r++)
    if (model->rows[r].joint == joint && model->rows[r].direction == direction) *row = r;
  if (*row >= 0 || (negative <= RESTING && positive <= RESTING)) PetscFunctionReturn(PETSC_SUCCESS);
  *row              = model->num_rows++;
  model->rows[*row] = (ModelRow){
    .joint = joint, .node = node, .direction = direction, .negative = PetscMax(negative, RESTING), .positive = PetscMax(positive, RESTING)};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TurnEnds(Model *model, const InputNode *map, const char *name, const InputNode *node, const PetscInt ends[2])
{
  Frame *const frame = node ? &model->frames[model->num_frames] : NULL;
  PetscBool    fine  = PETSC_TRUE;

  PetscFunctionBegin;
  if (node) PetscCall(FrameRead(node, frame, &fine));
  if (node) model->num_frames++;
  for (PetscInt i = 0; i < 2 && fine; i++)
    PetscCall(FrameAttach(&model->points, node ? node : InputItem(InputFind(map, "between"), i), name, frame, ends[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadBetweenPoints(const InputNode *map, const char *name, const JointInput *input, Laws *laws, Model *model)
{
  PetscInt  ends[2], num_directions = 0;
  PetscBool found;

  PetscFunctionBegin;
  PetscCall(PointsReadEnds(&model->points, map, &input->between, ends, &found));
  if (found) PetscCall(TurnEnds(model, map, name, input->frame, ends));
  if (found && model->meshed) PetscCall(MeshedPartWarnOfWelds(model->meshed, name, ends));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    if (!input->directions[d]) continue;
    num_directions++;
    if (found) PetscCall(ReadDirection(model, laws, name, input->directions[d], ends, d));
  }
  if (input->contact && found) PetscCall(ContactRead(input->contact, name, ends, laws, model));
  if (num_directions == 0 && !InputFind(map, "contact"))
    PetscCall(InputComplain(map, "acts in no direction: give at least one of x, y, z, rx, ry, rz, contact"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Keys that say nothing between faces, or nothing between points. */
static PetscErrorCode RefuseStray(const InputNode *map, PetscBool between_faces)
{
  static const char *const of_points[] = {"between", "frame", "rx", "ry", "rz", NULL};
  static const char *const of_faces[]  = {"closed", "tied", "points_on", "reach", NULL};

  PetscFunctionBegin;
  for (const char *const *key = between_faces ? of_points : of_faces; *key; key++)
    if (InputFind(map, *key))
      PetscCall(
        InputComplain(InputFind(map, *key), between_faces ? "a joint between faces has no `%s`" : "`%s` is for joints between `faces`", *key));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadJoint(const InputNode *map, const char *name, PetscBool fine, Laws *laws, Model *model)
{
  JointInput      input;
  const PetscBool between_faces = (PetscBool)(InputIsMap(map) && InputFind(map, "faces"));

  PetscFunctionBegin;
  PetscCall(PetscMemzero(&input, sizeof(input)));
  input.faces.reach = PETSC_DEFAULT;
  PetscCall(InputCheckName(map, name));
  PetscCall(InputRead(map, &joint_table, &input));
  input.faces.contact = input.contact;
  for (PetscInt d = 0; d < 3; d++) input.faces.directions[d] = input.directions[d];
  if (!InputIsMap(map)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(RefuseStray(map, between_faces));
  if (between_faces) PetscCall(FacesRead(map, name, &input.faces, fine, laws, model));
  else if (InputFind(map, "between")) PetscCall(ReadBetweenPoints(map, name, &input, laws, model));
  else PetscCall(InputComplain(map, "needs its two sides: between: [A, B] of points, or faces: [A, B] of groups of the mesh"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A law that sticks without any give has its motion for itself, and is balanced by motions. */
static PetscErrorCode CheckSticking(const Model *model)
{
  PetscFunctionBegin;
  for (PetscInt r = 0; r < model->num_rows; r++) {
    const ModelRow *const row       = &model->rows[r];
    PetscInt              nonlinear = 0;
    const char           *sticking  = NULL;

    for (PetscInt l = 0; l < row->num_laws; l++) {
      nonlinear += !(row->laws[l].law->traits & JOINT_LINEAR);
      if (row->laws[l].law->traits & JOINT_RIGID) sticking = row->laws[l].law->name;
    }
    if (sticking && nonlinear > 1)
      PetscCall(InputComplain(row->node,
                              "%s sticks without any give, and stands beside no other nonlinear law in one direction: give the other one "
                              "a joint of its own",
                              sticking));
    if (sticking && (model->num_contacts || model->num_faces))
      PetscCall(InputComplain(row->node, "%s sticks without any give, which is not balanced together with contacts: take jenkins there", sticking));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointsRead(const InputNode *node, Laws *laws, Model *model)
{
  const PetscBool fine = (PetscBool)(node && InputNumComplaints(InputDocumentOf(node)) == 0);

  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsMap(node)) PetscCall(InputComplain(node, "must be a map of joints, NAME: {between: [A, B], x: ...}"));
  if (!InputIsMap(node)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(NUM_DIRECTIONS * InputCount(node), &model->rows));
  PetscCall(PetscCalloc1(InputCount(node), &model->frames));
  PetscCall(PetscCalloc1(InputCount(node), &model->contacts));
  PetscCall(PetscCalloc1(InputCount(node), &model->faces));
  for (PetscInt i = 0; i < InputCount(node); i++) PetscCall(ReadJoint(InputItem(node, i), InputKey(node, i), fine, laws, model));
  PetscCall(CheckSticking(model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ComplainOfNoMotion(const Model *model, const Numbering *numbering, const ModelRow *row)
{
  const PetscBool held = (PetscBool)(numbering->unknown[row->negative] == GROUND && MatricesFindCombination(model, row->negative) < 0);

  PetscFunctionBegin;
  PetscCall(
    InputComplain(row->node, "its two sides %s: this law would never act", held ? "are both held by the ground" : "are rigidly tied together"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddRow(const ModelRow *row, const Combination *motion, System *system, PetscInt *added)
{
  PetscFunctionBegin;
  PetscCall(SystemAddRow(system, row->joint, row->direction, GROUND, GROUND, added));
  for (PetscInt i = 0; i < motion->count; i++) PetscCall(SystemAddRowTerm(system, *added, motion->unknown[i], motion->factor[i]));
  for (PetscInt l = 0; l < row->num_laws; l++) PetscCall(SystemAddLaw(system, row->laws[l].law, row->laws[l].parameters, added));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointsBuild(const Model *model, const Numbering *numbering, System *system)
{
  PetscInt *added;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(model->num_rows, &added));
  for (PetscInt r = 0; r < model->num_rows; r++) {
    const ModelRow *const row = &model->rows[r];
    Combination           motion;

    added[r] = -1;

    PetscCall(CombinationCreate(model, numbering, row->negative, row->positive, &motion));
    if (motion.count) PetscCall(AddRow(row, &motion, system, &added[r]));
    else if (row->num_laws) PetscCall(ComplainOfNoMotion(model, numbering, row));
    PetscCall(CombinationDestroy(&motion));
  }
  for (PetscInt c = 0; c < model->num_contacts; c++) PetscCall(ContactBuild(&model->contacts[c], added, system));
  for (PetscInt f = 0; f < model->num_faces; f++) PetscCall(FacesBuild(&model->faces[f], system));
  PetscCall(PetscFree(added));
  PetscFunctionReturn(PETSC_SUCCESS);
}
