/* machine.c - what the machine has. */
#include "base.h"
#include <unistd.h>

/* Of the container that the program runs in, where it has a limit: cgroups, version 2. */
static PetscReal ContainerMemory(void)
{
  FILE *const file  = fopen("/sys/fs/cgroup/memory.max", "r");
  double      limit = 0.0;
  int         found = 0;

  if (!file) return PETSC_INFINITY;
  found = fscanf(file, "%lf", &limit); /* the word `max` where there is none */
  fclose(file);
  return found == 1 && limit > 0.0 ? limit : PETSC_INFINITY;
}

PetscReal MachineMemory(void)
{
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

  return pages > 0 && size > 0 ? PetscMin((PetscReal)pages * (PetscReal)size, ContainerMemory()) : 0.0;
}
