/* units.c - what the numbers of points and joints are: directions and units. */
#include <string.h>
#include "record/watch.h"

PetscErrorCode WatchDescribeMotion(const NamedPoint *point, PetscInt rate, PetscInt field, Finding *finding)
{
  static const char *const rates[]    = {"", "/s", "/s^2"};
  PetscInt                 num_angles = 0;
  char                     unit[32];

  PetscFunctionBegin;
  for (PetscInt c = 0; c < point->num_components; c++) num_angles += point->direction[c] >= 3;
  if (!num_angles) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscSNPrintf(unit, sizeof(unit), num_angles < point->num_components ? "m%s, rad%s" : "rad%s", rates[rate], rates[rate]));
  PetscCall(FindingSetUnit(finding, field, unit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WatchDescribePoint(const NamedPoint *point, PetscInt num_rates, Finding *finding)
{
  char components[64] = "", units[64] = "";

  PetscFunctionBegin;
  for (PetscInt c = 0; c < point->num_components; c++) {
    const PetscBool turns = (PetscBool)(point->direction[c] >= 3);

    PetscCall(PetscSNPrintf(components + strlen(components), sizeof(components) - strlen(components), "%s%s", c ? " " : "",
                            direction_names[point->direction[c]]));
    PetscCall(PetscSNPrintf(units + strlen(units), sizeof(units) - strlen(units), "%s%s", c ? " " : "", turns ? "rad" : "m"));
  }
  PetscCall(FindingSayText(finding, "components", components));
  PetscCall(FindingSayText(finding, "units", units));
  for (PetscInt rate = 0; rate < num_rates; rate++) PetscCall(WatchDescribeMotion(point, rate, rate, finding));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WatchDescribeJoint(PetscInt direction, PetscInt field, Finding *finding)
{
  PetscFunctionBegin;
  if (direction == DIRECTION_OF_MODE) {
    PetscCall(FindingSetUnit(finding, field, "m kg^1/2"));
    PetscCall(FindingSetUnit(finding, field + 1, "N kg^-1/2"));
  } else if (direction >= 3) {
    PetscCall(FindingSetUnit(finding, field, "rad"));
    PetscCall(FindingSetUnit(finding, field + 1, "N m"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
