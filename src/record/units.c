/* units.c - what the numbers of points and joints are: directions and units. */
#include <string.h>
#include "record/watch.h"

PetscErrorCode WatchDescribePoint(const NamedPoint *point, PetscInt num_rates, Finding *finding)
{
  static const char *const rates[]        = {"", "/s", "/s^2"};
  char                     components[64] = "", units[64] = "";
  PetscInt                 num_angles = 0;

  PetscFunctionBegin;
  for (PetscInt c = 0; c < point->num_components; c++) {
    const PetscBool turns = (PetscBool)(point->direction[c] >= 3);

    num_angles += turns;
    PetscCall(PetscSNPrintf(components + strlen(components), sizeof(components) - strlen(components), "%s%s", c ? " " : "",
                            direction_names[point->direction[c]]));
    PetscCall(PetscSNPrintf(units + strlen(units), sizeof(units) - strlen(units), "%s%s", c ? " " : "", turns ? "rad" : "m"));
  }
  PetscCall(FindingSayText(finding, "components", components));
  PetscCall(FindingSayText(finding, "units", units));
  for (PetscInt kind = 0; kind < num_rates && num_angles; kind++) {
    char unit[32];

    PetscCall(PetscSNPrintf(unit, sizeof(unit), num_angles < point->num_components ? "m%s, rad%s" : "rad%s", rates[kind], rates[kind]));
    PetscCall(FindingSetUnit(finding, kind, unit));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

enum { DISPLACEMENT, FORCE };

PetscErrorCode WatchDescribeJoint(PetscInt direction, Finding *finding)
{
  PetscFunctionBegin;
  if (direction == DIRECTION_OF_MODE) {
    PetscCall(FindingSetUnit(finding, DISPLACEMENT, "m kg^1/2"));
    PetscCall(FindingSetUnit(finding, FORCE, "N kg^-1/2"));
  } else if (direction >= 3) {
    PetscCall(FindingSetUnit(finding, DISPLACEMENT, "rad"));
    PetscCall(FindingSetUnit(finding, FORCE, "N m"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
