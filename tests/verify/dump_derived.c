/* dump_derived.c - what follows from the parameters of a law, for tests in python: dump_derived LAW PARAMETER... in the order of the law's
   table tells each quantity on a line of its own. */
#include <stdio.h>
#include <stdlib.h>
#include "joint.h"

int main(int argc, char **argv)
{
  PetscReal             parameters[JOINT_MAX_PARAMETERS] = {0}, values[JOINT_MAX_PARAMETERS];
  const JointLaw *const law                              = argc > 1 ? JointLawFind(argv[1]) : NULL;

  if (!law || !law->derive) return EXIT_INPUT;
  for (int i = 2; i < argc && i < 2 + JOINT_MAX_PARAMETERS; i++) parameters[i - 2] = strtod(argv[i], NULL);
  if (law->refuse && law->refuse(parameters)) return EXIT_INPUT;
  law->derive(parameters, values);
  for (PetscInt i = 0; law->derived[i].name; i++) printf("%s %.17g\n", law->derived[i].name, values[i]);
  return 0;
}
