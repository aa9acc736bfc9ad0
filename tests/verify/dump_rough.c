/* dump_rough.c - the model of two rough surfaces, for test_rough_interface.py: dump_rough PARAMETER... in the order of the law
   rough_interface tells each number of its RoughModel on a line of its own. */
#include <stdio.h>
#include <stdlib.h>
#include "../../src/joint/rough.h"

int main(int argc, char **argv)
{
  PetscReal    parameters[JOINT_MAX_PARAMETERS] = {0};
  RoughSurface surface;
  RoughModel   model;

  for (int i = 1; i < argc && i <= JOINT_MAX_PARAMETERS; i++) parameters[i - 1] = strtod(argv[i], NULL);
  surface = RoughSurfaceFrom(parameters);
  if (RoughRefuse(&surface)) return EXIT_INPUT;
  model = RoughFindModel(&surface);
  printf("separation %.17g\ncorrection %.17g\nslip_force %.17g\n", model.separation, model.correction, model.slip_force);
  printf("stiffness %.17g\nslip_motion %.17g\nfullness %.17g\n", model.stiffness, model.slip_motion, model.fullness);
  printf("decay %.17g\ndecaying %.17g\nlevel %.17g\n", model.decay, model.decaying, model.level);
  printf("bouc_wen_b %.17g\nbouc_wen_fall %.17g\n", model.bouc_wen_b, model.bouc_wen_fall);
  return 0;
}
