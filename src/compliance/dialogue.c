/* dialogue.c - what a compliance is asked for, by one rank where several hold it. */
#include "compliance.h"
#include <petscblaslapack.h>
#include "rows.h"

typedef enum { ASK_MOTION, ASK_SELECTION, ASK_SELECTED_MOTION, ASK_COLLECTION, DISMISSED } Asked;

typedef struct {
  Asked     asked;
  PetscInt  count;      /* of forces, of places that are selected */
  PetscInt  first, end; /* places whose motions are wanted */
  PetscInt  num_shares; /* of the selection */
  PetscReal factor;
} Question;

/* y += the rows times their forces, four at a time. */
static void AddRows(PetscInt n, const PetscReal *const rows[ROWS_GROUP], const PetscReal f[ROWS_GROUP], PetscReal *restrict y)
{
  const PetscReal *const r0 = rows[0], *const r1 = rows[1], *const r2 = rows[2], *const r3 = rows[3];
  PetscInt j = 0;

  for (; j + ROWS_LANES <= n; j += ROWS_LANES)
    RowsStore(y + j, RowsLoad(y + j) + (f[0] * RowsLoad(r0 + j) + f[1] * RowsLoad(r1 + j)) + (f[2] * RowsLoad(r2 + j) + f[3] * RowsLoad(r3 + j)));
  for (; j < n; j++) y[j] += (f[0] * r0[j] + f[1] * r1[j]) + (f[2] * r2[j] + f[3] * r3[j]);
}

/* motion = A^T force of A [count, stride], the first n columns: rows without a force take no time. */
static void Combine(PetscInt n, size_t stride, const PetscReal A[], PetscInt count, const PetscReal force[], PetscReal motion[])
{
  const PetscReal *rows[ROWS_GROUP];
  PetscReal        forces[ROWS_GROUP] = {0.0};
  PetscInt         num                = 0;

  for (PetscInt i = 0; i < n; i++) motion[i] = 0.0;
  for (PetscInt i = 0; i < count; i++) {
    if (force[i] == 0.0) continue;
    rows[num]     = A + (size_t)i * stride;
    forces[num++] = force[i];
    if (num < ROWS_GROUP) continue;
    AddRows(n, rows, forces, motion);
    num = 0;
  }
  for (PetscInt k = num; k < ROWS_GROUP && num > 0; k++) {
    rows[k]   = rows[0];
    forces[k] = 0.0;
  }
  if (num > 0) AddRows(n, rows, forces, motion);
}

/* Of the wanted places those of this slice; so many. */
static PetscInt MoveOwn(const Compliance *compliance, PetscInt count, const PetscReal force[], PetscInt first, PetscInt end, PetscReal motion[])
{
  const PetscInt from = PetscMin(PetscMax(first - compliance->first, 0), compliance->width);
  const PetscInt to   = PetscMax(from, PetscMin(end - compliance->first, compliance->width));

  Combine(to - from, (size_t)compliance->width, compliance->slice + from, count, force, motion);
  return to - from;
}

static PetscErrorCode MakeRoom(ComplianceSelection *selection)
{
  const size_t needed = (size_t)selection->width * (size_t)selection->count;

  PetscFunctionBegin;
  if (needed <= selection->room) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(selection->columns));
  selection->room = needed + needed / 2; /* places come and go */
  PetscCall(PetscMalloc1(selection->room, &selection->columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddShares(const Question *question, const PetscReal left[], const PetscReal right[], const ComplianceSelection *selection)
{
  const PetscReal    one = 1.0;
  const PetscBLASInt n = (PetscBLASInt)question->num_shares, count = (PetscBLASInt)selection->count, width = (PetscBLASInt)selection->width;

  PetscFunctionBegin;
  if (n && width)
    BLASgemm_("T", "N", &width, &count, &n, &question->factor, right + (size_t)selection->first * (size_t)n, &n, left, &n, &one, selection->columns,
              &width);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SelectOwn(const Compliance *compliance, const Question *question, const PetscInt places[], const PetscReal left[],
                                const PetscReal right[], ComplianceSelection *selection)
{
  const PetscInt count = question->count;
  PetscInt       end;

  PetscFunctionBegin;
  selection->count = count;
  for (selection->first = 0; selection->first < count && places[selection->first] < compliance->first;) selection->first++;
  for (end = selection->first; end < count && places[end] < compliance->first + compliance->width;) end++;
  selection->width = end - selection->first;
  PetscCall(MakeRoom(selection));
  for (PetscInt a = 0; a < count; a++) {
    const PetscReal *const row = compliance->slice + (size_t)places[a] * (size_t)compliance->width;
    PetscReal *const       own = selection->columns + (size_t)a * (size_t)selection->width;

    for (PetscInt b = 0; b < selection->width; b++) own[b] = row[places[selection->first + b] - compliance->first];
  }
  PetscCall(AddShares(question, left, right, selection));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* As rows. */
static void Transpose(const ComplianceSelection *selection, PetscReal rows[])
{
  for (PetscInt b = 0; b < selection->width; b++)
    for (PetscInt a = 0; a < selection->count; a++)
      rows[(size_t)b * (size_t)selection->count + (size_t)a] = selection->columns[(size_t)a * (size_t)selection->width + (size_t)b];
}

/* Both sides call what follows: the first rank gives, and gets what all have found, one after the other. */
static PetscErrorCode Ask(const Compliance *compliance, Question *question)
{
  PetscFunctionBegin;
  PetscCheck(compliance->rank > 0 || compliance->dialogue->leads, PETSC_COMM_SELF, PETSC_ERR_ORDER, "nobody answers: ComplianceLead comes first");
  PetscCallMPI(MPI_Bcast(question, (PetscMPIInt)sizeof(*question), MPI_BYTE, 0, compliance->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Send(const Compliance *compliance, size_t count, const PetscReal own[], PetscReal all[])
{
  ComplianceDialogue *const dialogue  = compliance->dialogue;
  const PetscMPIInt         own_count = (PetscMPIInt)count;

  PetscFunctionBegin;
  PetscCheck(count <= PETSC_MPI_INT_MAX / (size_t)compliance->size, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "%zu numbers are more than MPI counts",
             count);
  PetscCallMPI(MPI_Gather(&own_count, 1, MPI_INT, dialogue->counts, 1, MPI_INT, 0, compliance->comm));
  for (PetscMPIInt r = 0, start = 0; r < compliance->size && compliance->rank == 0; r++) {
    dialogue->starts[r] = start;
    start += dialogue->counts[r];
  }
  PetscCallMPI(MPI_Gatherv(own, own_count, MPIU_REAL, all, dialogue->counts, dialogue->starts, MPIU_REAL, 0, compliance->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindMotion(const Compliance *compliance, const Question *question, PetscReal all[])
{
  ComplianceDialogue *const dialogue = compliance->dialogue;
  PetscInt                  num;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Bcast(dialogue->given, question->count, MPIU_REAL, 0, compliance->comm));
  num = MoveOwn(compliance, question->count, dialogue->given, question->first, question->end, dialogue->found);
  PetscCall(Send(compliance, (size_t)num, dialogue->found, all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindSelectedMotion(const Compliance *compliance, const ComplianceSelection *selection, PetscReal all[])
{
  ComplianceDialogue *const dialogue = compliance->dialogue;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Bcast(dialogue->given, selection->count, MPIU_REAL, 0, compliance->comm));
  Combine(selection->width, (size_t)selection->width, selection->columns, selection->count, dialogue->given, dialogue->found);
  PetscCall(Send(compliance, (size_t)selection->width, dialogue->found, all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindRows(const Compliance *compliance, const ComplianceSelection *selection, PetscReal all[])
{
  const size_t size = (size_t)selection->width * (size_t)selection->count;
  PetscReal   *rows;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(size, &rows));
  Transpose(selection, rows);
  PetscCall(Send(compliance, size, rows, all));
  PetscCall(PetscFree(rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Those who answer get what is to be selected. */
static PetscErrorCode BeTold(const Compliance *compliance, const Question *question, ComplianceSelection *selection)
{
  const PetscInt size = question->count * question->num_shares;
  PetscInt      *places;
  PetscReal     *left, *right;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(question->count, &places, size, &left, size, &right));
  PetscCallMPI(MPI_Bcast(places, question->count, MPIU_INT, 0, compliance->comm));
  PetscCallMPI(MPI_Bcast(left, size, MPIU_REAL, 0, compliance->comm));
  PetscCallMPI(MPI_Bcast(right, size, MPIU_REAL, 0, compliance->comm));
  PetscCall(SelectOwn(compliance, question, places, left, right, selection));
  PetscCall(PetscFree3(places, left, right));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Answer(const Compliance *compliance)
{
  Question            question  = {.asked = ASK_MOTION};
  ComplianceSelection selection = {0};

  PetscFunctionBegin;
  while (question.asked != DISMISSED) {
    PetscCall(Ask(compliance, &question));
    if (question.asked == ASK_MOTION) PetscCall(FindMotion(compliance, &question, NULL));
    if (question.asked == ASK_SELECTION) PetscCall(BeTold(compliance, &question, &selection));
    if (question.asked == ASK_SELECTED_MOTION) PetscCall(FindSelectedMotion(compliance, &selection, NULL));
    if (question.asked == ASK_COLLECTION) PetscCall(FindRows(compliance, &selection, NULL));
  }
  PetscCall(ComplianceSelectionDestroy(&selection));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ComplianceLead(const Compliance *compliance, PetscBool *leads)
{
  PetscFunctionBegin;
  *leads = (PetscBool)(compliance->rank == 0);
  if (compliance->dialogue) compliance->dialogue->leads = *leads;
  if (compliance->dialogue) compliance->dialogue->selected = NULL;
  if (!*leads) PetscCall(Answer(compliance));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ComplianceDismiss(const Compliance *compliance)
{
  Question question = {.asked = DISMISSED};

  PetscFunctionBegin;
  if (!compliance->dialogue) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Ask(compliance, &question));
  compliance->dialogue->leads = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ComplianceShare(const Compliance *compliance, size_t count, PetscReal numbers[])
{
  const size_t most = (size_t)1 << 28; /* at a time, which MPI counts in 32 bits */

  PetscFunctionBegin;
  for (size_t done = 0; compliance->dialogue && done < count; done += most)
    PetscCallMPI(MPI_Bcast(numbers + done, (PetscMPIInt)PetscMin(most, count - done), MPIU_REAL, 0, compliance->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AskMotion(const Compliance *compliance, PetscInt count, const PetscReal force[], PetscInt first, PetscInt end,
                                PetscReal motion[])
{
  Question question = {.asked = ASK_MOTION, .count = count, .first = first, .end = end};

  PetscFunctionBegin;
  PetscCall(Ask(compliance, &question));
  PetscCall(PetscArraycpy(compliance->dialogue->given, force, count));
  PetscCall(FindMotion(compliance, &question, motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ComplianceMove(const Compliance *compliance, PetscInt count, const PetscReal force[], PetscInt first, PetscInt end, PetscReal motion[])
{
  if (compliance->dialogue) PetscCallAbort(PETSC_COMM_SELF, AskMotion(compliance, count, force, first, end, motion));
  else (void)MoveOwn(compliance, count, force, first, end, motion);
}

static PetscErrorCode AskRow(const Compliance *compliance, PetscInt place, PetscInt count, PetscReal row[])
{
  PetscReal *unit;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(place + 1, &unit));
  unit[place] = 1.0;
  PetscCall(AskMotion(compliance, place + 1, unit, 0, count, row));
  PetscCall(PetscFree(unit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ComplianceRow(const Compliance *compliance, PetscInt place, PetscInt count, PetscReal row[])
{
  PetscFunctionBegin;
  if (compliance->dialogue) PetscCall(AskRow(compliance, place, count, row));
  else PetscCall(PetscArraycpy(row, compliance->slice + (size_t)place * (size_t)compliance->width, count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ComplianceSelect(const Compliance *compliance, PetscInt count, const PetscInt places[], PetscInt num_shares, PetscReal factor,
                                const PetscReal left[], const PetscReal right[], ComplianceSelection *selection)
{
  Question question = {.asked = ASK_SELECTION, .count = count, .num_shares = num_shares, .factor = factor};

  PetscFunctionBegin;
  if (compliance->dialogue) {
    PetscCall(Ask(compliance, &question));
    PetscCallMPI(MPI_Bcast((void *)(uintptr_t)places, count, MPIU_INT, 0, compliance->comm));
    PetscCallMPI(MPI_Bcast((void *)(uintptr_t)left, count * num_shares, MPIU_REAL, 0, compliance->comm));
    PetscCallMPI(MPI_Bcast((void *)(uintptr_t)right, count * num_shares, MPIU_REAL, 0, compliance->comm));
  }
  PetscCall(SelectOwn(compliance, &question, places, left, right, selection));
  if (compliance->dialogue) compliance->dialogue->selected = selection;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool ComplianceIsSelected(const Compliance *compliance, const ComplianceSelection *selection)
{
  return (PetscBool)(!compliance->dialogue || compliance->dialogue->selected == selection);
}

PetscErrorCode ComplianceSelectionDestroy(ComplianceSelection *selection)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(selection->columns));
  *selection = (ComplianceSelection){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AskSelectedMotion(const Compliance *compliance, const ComplianceSelection *selection, const PetscReal force[],
                                        PetscReal motion[])
{
  Question question = {.asked = ASK_SELECTED_MOTION};

  PetscFunctionBegin;
  PetscCheck(ComplianceIsSelected(compliance, selection), PETSC_COMM_SELF, PETSC_ERR_ORDER, "others hold another selection");
  PetscCall(Ask(compliance, &question));
  PetscCall(PetscArraycpy(compliance->dialogue->given, force, selection->count));
  PetscCall(FindSelectedMotion(compliance, selection, motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ComplianceMoveSelected(const Compliance *compliance, const ComplianceSelection *selection, const PetscReal force[], PetscReal motion[])
{
  if (compliance->dialogue) PetscCallAbort(PETSC_COMM_SELF, AskSelectedMotion(compliance, selection, force, motion));
  else Combine(selection->width, (size_t)selection->width, selection->columns, selection->count, force, motion);
}

PetscErrorCode ComplianceCollect(const Compliance *compliance, const ComplianceSelection *selection, PetscReal **room, const PetscReal **rows)
{
  Question question = {.asked = ASK_COLLECTION};

  PetscFunctionBegin;
  *room = NULL;
  *rows = selection->columns;
  if (!compliance->dialogue) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCheck(ComplianceIsSelected(compliance, selection), PETSC_COMM_SELF, PETSC_ERR_ORDER, "others hold another selection");
  PetscCall(PetscMalloc1((size_t)selection->count * (size_t)selection->count, room));
  *rows = *room;
  PetscCall(Ask(compliance, &question));
  PetscCall(FindRows(compliance, selection, *room));
  PetscFunctionReturn(PETSC_SUCCESS);
}
