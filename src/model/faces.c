/* faces.c - joints between faces of the mesh: a law that acts by area at the points where two groups of faces meet. */
#include "parts.h"

/* Contact of faces is seen part by part, of a law that does not tell what its points do nothing is. */
static PetscErrorCode AddParts(const ModelFaces *faces, System *system)
{
  const FacePoints *const points = faces->points;
  PetscReal              *gap;

  PetscFunctionBegin;
  if (!faces->law.law->inspect) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(points->num_points, &gap));
  if (!faces->closed) PetscCall(PetscArraycpy(gap, points->gap, points->num_points));
  PetscCall(SystemAddFaces(system, faces->joint, points->num_points, points->place, points->area, gap, points->beside));
  PetscCall(PetscFree(gap));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FacesDestroy(ModelFaces *faces)
{
  PetscFunctionBegin;
  for (PetscInt d = 0; d < 3; d++) PetscCall(PetscFree(faces->laws[d]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode BuildContact(const ModelFaces *faces, System *system)
{
  const FacePoints *const points = faces->points;
  PetscInt                rows[JOINT_MAX_DIM];

  PetscFunctionBegin;
  PetscCall(AddParts(faces, system));
  for (PetscInt i = 0; i < points->num_points; i++) {
    for (PetscInt c = 0; c < faces->law.law->dim; c++) PetscCall(SystemAddFaceRow(system, faces->joint, c, i, &rows[c]));
    PetscCall(SystemAddLaw(system, faces->law.law, faces->law.parameters, rows));
    PetscCall(SystemSpreadLaw(system, points->area[i], faces->closed ? 0.0 : points->gap[i]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Laws of single directions know no gap: they are a layer between the faces. */
static PetscErrorCode BuildLayer(const ModelFaces *faces, PetscInt direction, System *system)
{
  PetscInt row;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < faces->points->num_points && faces->num_laws[direction]; i++) {
    PetscCall(SystemAddFaceRow(system, faces->joint, direction, i, &row));
    for (PetscInt l = 0; l < faces->num_laws[direction]; l++) {
      PetscCall(SystemAddLaw(system, faces->laws[direction][l].law, faces->laws[direction][l].parameters, &row));
      PetscCall(SystemSpreadLaw(system, faces->points->area[i], 0.0));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FacesBuild(const ModelFaces *faces, System *system)
{
  PetscFunctionBegin;
  if (faces->law.law) PetscCall(BuildContact(faces, system));
  for (PetscInt d = 0; d < 3; d++) PetscCall(BuildLayer(faces, d, system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Dampers act on what has mass, which no point of faces has of its own. */
static PetscErrorCode ReadLayer(const InputNode *value, PetscInt direction, Laws *laws, ModelFaces *faces)
{
  char alone[32];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(alone, sizeof(alone), "in %s alone", direction_names[direction]));
  PetscCall(LawsResolve(laws, value, 1, alone, &faces->num_laws[direction], &faces->laws[direction]));
  for (PetscInt l = 0; l < faces->num_laws[direction]; l++) {
    const JointLaw *const law = faces->laws[direction][l].law;

    if ((law->traits & JOINT_LINEAR) && (law->traits & JOINT_VISCOUS))
      PetscCall(InputComplain(value, "the law %s would not act between faces, whose points have no mass of their own: give `damping` of the modes",
                              law->name));
    if (law->traits & JOINT_RIGID)
      PetscCall(InputComplain(value,
                              "the law %s sticks without any give, and does not act between faces: give `contact` a law with friction, or "
                              "take jenkins",
                              law->name));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadLayers(const InputNode *map, const FacesInput *input, Laws *laws, ModelFaces *faces, PetscBool *any)
{
  PetscFunctionBegin;
  *any = PETSC_FALSE;
  for (PetscInt d = 0; d < 3; d++) {
    if (!input->directions[d]) continue;
    *any = PETSC_TRUE;
    if (input->contact || input->tied)
      PetscCall(InputComplain(InputFind(map, direction_names[d]), "acts beside `%s`: give one of them", input->tied ? "tied" : "contact"));
    else PetscCall(ReadLayer(input->directions[d], d, laws, faces));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A law that is written in place may leave its stiffnesses to the elements behind the faces. */
static PetscErrorCode ReadLaw(const InputNode *value, Laws *laws, ModelFaces *faces)
{
  NamedLaw *found     = NULL;
  PetscInt  num_found = 0;

  PetscFunctionBegin;
  if (InputIsMap(value)) {
    faces->law.node = value;
    PetscCall(JointLawReadOfFaces(value, &faces->law.law, faces->law.parameters));
    if (faces->law.law && faces->law.law->dim != 3)
      PetscCall(InputComplain(value, "the law %s does not act in x, y and z together, as faces do", faces->law.law->name));
    if (faces->law.law && faces->law.law->dim != 3) faces->law.law = NULL;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(LawsResolve(laws, value, 3, "in x, y and z together", &num_found, &found));
  if (num_found > 1) PetscCall(InputComplain(value, "expected one law, found %" PetscInt_FMT, num_found));
  if (num_found == 1) faces->law = found[0];
  PetscCall(PetscFree(found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* So stiff that the faces give way by a twentieth of what a layer of elements does that is as thick as its faces are wide: stiffer ones make
   the balance of the joints harder and no number better. Against sliding less, as half-spaces are [Mindlin 1949]. */
static PetscErrorCode ChooseStiffness(const Model *model, ModelFaces *faces)
{
  const PetscReal       layers = 20.0, edge = faces->points->edge[faces->points->side];
  const JointParameter *known = faces->law.law->parameters;
  PetscReal             modulus, poisson;

  PetscFunctionBegin;
  PetscCall(MeshedPartContactModulus(model->meshed, faces->points, &modulus, &poisson));
  for (PetscInt i = 0; known[i].name; i++) {
    PetscBool normal;

    if (!PetscIsNanReal(faces->law.parameters[i])) continue;
    PetscCall(PetscStrcmp(known[i].name, "normal_stiffness", &normal));
    faces->law.parameters[i] = layers * modulus / edge * (normal ? 1.0 : 2.0 * (1.0 - poisson) / (2.0 - poisson));
    faces->chosen            = PETSC_TRUE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CompleteLaw(const Model *model, ModelFaces *faces)
{
  const char *reason = NULL;

  PetscFunctionBegin;
  if (!faces->law.law) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ChooseStiffness(model, faces));
  if (faces->law.law->refuse) reason = faces->law.law->refuse(faces->law.parameters);
  if (reason) PetscCall(InputComplain(faces->law.node, "%s", reason));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Faces have their points in the mesh as it is: where motions of a few points stand for it, they have none. */
static PetscErrorCode CheckReduction(const InputNode *map, const Model *model, PetscBool tied, PetscBool *fine)
{
  PetscFunctionBegin;
  *fine = PETSC_FALSE;
  if (!model->meshed) PetscCall(InputComplain(InputFind(map, "faces"), "needs a `mesh`: its two sides are groups of faces of it"));
  else if (MeshedPartKeepsMotions(model->meshed) && !tied)
    PetscCall(
      InputComplain(InputFind(map, "faces"),
                    "faces cannot follow a mesh that is reduced to motions of points; reduce it to modes, `reduction: {modes: {count: 40}}`"));
  else *fine = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadSlave(const InputNode *map, const FacesInput *input, PetscInt *slave)
{
  PetscBool same;

  PetscFunctionBegin;
  *slave = -1;
  if (!input->slave) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt side = 0; side < input->groups.count; side++) {
    PetscCall(PetscStrcmp(input->slave, input->groups.values[side], &same));
    if (same) *slave = side;
  }
  if (*slave < 0 && input->groups.count == 2)
    PetscCall(InputComplain(InputFind(map, "points_on"), "expected '%s' or '%s', found '%s'", input->groups.values[0], input->groups.values[1],
                            input->slave));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Fewer faces than this across, more than this times as long as those of the other side, turning by more than this. */
static const PetscReal least_across = 3.0, most_ratio = 3.0, most_turn = 15.0 * PETSC_PI / 180.0, margin = 0.01;

/* Pressures are no finer than the coarser side. */
static void WarnOfWidth(const char *where, const InputTexts *groups, const FaceCoarseness coarseness[2])
{
  const PetscInt  coarser = coarseness[1].across < coarseness[0].across;
  const PetscReal across = coarseness[coarser].across, ratio = coarseness[1 - coarser].across / across;

  if (across < (1.0 - margin) * least_across)
    LogWarn("%s: the area where the faces meet is %.2g elements of '%s' wide: with fewer than %g the pressure on it is hardly resolved; refine them",
            where, (double)across, groups->values[coarser], (double)least_across);
  else if (ratio > (1.0 + margin) * most_ratio)
    LogWarn("%s: elements of '%s' are %.2g times as long as those of '%s', and the pressure is no finer than they are; refine them", where,
            groups->values[coarser], (double)ratio, groups->values[1 - coarser]);
}

static void WarnOfTurn(const char *where, const char *group, const FaceCoarseness *coarseness)
{
  const PetscReal degree = PETSC_PI / 180.0;

  if (coarseness->turn <= (1.0 + margin) * most_turn) return;
  LogWarn(
    "%s: '%s' turns by %.3g degrees from one face to the next, and arcs rise %.2g m over them, which make gaps that are not there; refine it to "
    "%g degrees",
    where, group, (double)(coarseness->turn / degree), (double)coarseness->rise, (double)(most_turn / degree));
}

/* Of elements too coarse for the pressures between them. */
static PetscErrorCode WarnOfCoarseness(const InputNode *node, const InputTexts *groups, const FacePoints *points)
{
  const Place place = InputPlace(node);
  char        where[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(where, sizeof(where), "%s:%" PetscInt_FMT ":%" PetscInt_FMT, place.file, place.line, place.column));
  WarnOfWidth(where, groups, points->coarseness);
  for (PetscInt side = 0; side < 2; side++) WarnOfTurn(where, groups->values[side], &points->coarseness[side]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FacesRead(const InputNode *map, const char *joint, const FacesInput *input, PetscBool parts_are_fine, Laws *laws, Model *model)
{
  ModelFaces *const faces = &model->faces[model->num_faces];
  PetscInt          slave;
  PetscBool         fine, layers;

  PetscFunctionBegin;
  *faces = (ModelFaces){.joint = joint, .node = map, .closed = input->closed, .tied = input->tied};
  if (input->groups.count != 2)
    PetscCall(InputComplain(InputFind(map, "faces"), "expected two groups of faces, [A, B], found %" PetscInt_FMT, input->groups.count));
  PetscCall(ReadSlave(map, input, &slave));
  if (input->contact && input->tied) PetscCall(InputComplain(InputFind(map, "tied"), "leaves nothing for a `contact` to do: give one of them"));
  else if (input->contact) PetscCall(ReadLaw(input->contact, laws, faces));
  PetscCall(ReadLayers(map, input, laws, faces, &layers));
  if (!input->contact && !input->tied && !layers)
    PetscCall(InputComplain(map, "give the law between its faces by area, contact: {law: rough_contact, ...} or laws in x, y, z, or tied: yes"));
  PetscCall(CheckReduction(map, model, input->tied, &fine));
  if (fine && input->groups.count == 2)
    PetscCall(MeshedPartTouch(model->meshed, joint, InputFind(map, "faces"), &input->groups, slave, input->reach, input->tied, parts_are_fine,
                              &faces->points));
  if (faces->points) {
    PetscCall(CompleteLaw(model, faces));
    if (!input->tied && InputNumComplaints(InputDocumentOf(map)) == 0)
      PetscCall(WarnOfCoarseness(InputFind(map, "faces"), &input->groups, faces->points));
    model->num_faces++;
  } else PetscCall(FacesDestroy(faces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void DescribeGaps(const ModelFaces *faces, FILE *out)
{
  const FacePoints *const points = faces->points;
  PetscReal               least = PETSC_INFINITY, most = -PETSC_INFINITY;

  for (PetscInt i = 0; i < points->num_points; i++) {
    least = PetscMin(least, points->gap[i]);
    most  = PetscMax(most, points->gap[i]);
  }
  if (PetscMax(PetscAbsReal(least), PetscAbsReal(most)) < 1e-9 * points->edge[points->side]) fprintf(out, ", closed at rest");
  else
    fprintf(out, ", gaps of %.3g to %.3g m at rest%s", (double)least, (double)most,
            faces->closed || faces->tied ? ", which are taken as closed" : (least < 0.0 ? " (negative: they overlap)" : ""));
}

/* "tied", "rough_contact", "spring in x, iwan4 in y" */
static void DescribeLaws(const ModelFaces *faces, FILE *out)
{
  const char *before = "";

  if (faces->tied || faces->law.law) fprintf(out, "%s", faces->tied ? "tied" : faces->law.law->name);
  for (PetscInt d = 0; d < 3; d++)
    for (PetscInt l = 0; l < faces->num_laws[d]; l++, before = ", ")
      fprintf(out, "%s%s in %s", before, faces->laws[d][l].law->name, direction_names[d]);
}

void FacesDescribe(const ModelFaces *faces, FILE *out)
{
  const FacePoints *const points = faces->points;
  const PetscReal         least  = PetscMin(points->areas[0], points->areas[1]);

  fprintf(out, "    faces %s: ", faces->joint);
  DescribeLaws(faces, out);
  fprintf(out, ", %" PetscInt_FMT " points on %.4g m^2", points->num_points, (double)points->met);
  if (points->met < 0.999 * least) fprintf(out, " (%.1f %% of the smaller side)", (double)(100.0 * points->met / least));
  DescribeGaps(faces, out);
  fprintf(out, "\n");
  if (faces->chosen)
    fprintf(out, "      stiffness from the elements behind them: they give way by 5 %% of what a layer as thick as %.3g m does\n",
            (double)points->edge[points->side]);
}
