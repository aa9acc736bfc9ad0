/* scrap.c - files of ours that must not outlive the program: a layout that has no place yet, a lock that is held. */
#include "result.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SCRAP = 8 }; /* two for each result that is open */

static char                  names[MAX_SCRAP][PETSC_MAX_PATH_LEN];
static volatile sig_atomic_t used[MAX_SCRAP];

/* A signal may come at any moment: a name counts when it is whole. */
void ScrapAdd(const char *path)
{
  int i = 0;

  while (i < MAX_SCRAP && used[i]) i++;
  if (i == MAX_SCRAP) return;
  snprintf(names[i], sizeof(names[i]), "%s", path);
  atomic_signal_fence(memory_order_release);
  used[i] = 1;
}

void ScrapForget(const char *path)
{
  for (int i = 0; i < MAX_SCRAP; i++)
    if (used[i] && strcmp(names[i], path) == 0) used[i] = 0;
}

void ScrapRemove(const char *path)
{
  unlink(path);
  ScrapForget(path);
}

void ResultAbandon(void)
{
  for (int i = 0; i < MAX_SCRAP; i++) {
    if (used[i]) unlink(names[i]);
    used[i] = 0;
  }
}
