/* interrupt.c - the user's wish to stop, heard but not obeyed at once. */
#include "base.h"
#include <signal.h>

static volatile sig_atomic_t asked = 0;

static void Note(int signal_number)
{
  asked = 1;
  (void)signal(signal_number, SIG_DFL);
}

void InterruptInstall(void)
{
  (void)signal(SIGINT, Note);
  (void)signal(SIGTERM, Note);
}

PetscBool InterruptAsked(void)
{
  return (PetscBool)(asked != 0);
}
