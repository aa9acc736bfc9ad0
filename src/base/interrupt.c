/* interrupt.c - signals that stop the program: at once while nothing would be lost, later as a request to the running computation. */
#ifndef PETSC_DESIRE_FEATURE_TEST_MACROS
  #define PETSC_DESIRE_FEATURE_TEST_MACROS /* sigaction beside ISO C */
#endif
#include "base.h"
#include <signal.h>

/* What asks a program to end: users, terminals that close, batch systems before a time limit (SIGUSR1, SIGXCPU). */
static const int polite[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU};

static volatile sig_atomic_t deferred = 0, asked = 0;
static void (*clean_up)(void) = NULL;

/* The default action of the signal ends the program as soon as the signal is no longer blocked, that is after this function. */
static void Hear(int signal_number)
{
  if (deferred && !asked) {
    asked = 1;
    return;
  }
  if (clean_up) clean_up();
  (void)signal(signal_number, SIG_DFL);
  (void)raise(signal_number);
}

/* nohup has the end of the terminal ignored. */
void InterruptInstall(void (*clean)(void))
{
  struct sigaction action = {.sa_handler = Hear, .sa_flags = SA_RESTART};

  clean_up = clean;
  (void)sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < PETSC_STATIC_ARRAY_LENGTH(polite); i++) {
    struct sigaction before;

    if (polite[i] == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    (void)sigaction(polite[i], &action, NULL);
  }
}

void InterruptDefer(void)
{
  deferred = 1;
}

void InterruptAsk(void)
{
  asked = 1;
}

PetscBool InterruptAsked(void)
{
  return (PetscBool)(asked != 0);
}
