/* correlation.c - how outputs go with inputs. */
#include "sampling/statistics.h"
#include <math.h>

/* Of two columns one after the other; nan where one of them does not change. */
static PetscReal Pearson(PetscInt count, const PetscReal a[], const PetscReal b[])
{
  PetscReal mean_a = 0.0, mean_b = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;

  for (PetscInt i = 0; i < count; i++) {
    mean_a += a[i] / (PetscReal)count;
    mean_b += b[i] / (PetscReal)count;
  }
  for (PetscInt i = 0; i < count; i++) {
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
    ab += (a[i] - mean_a) * (b[i] - mean_b);
  }
  return aa > 0.0 && bb > 0.0 ? PetscMin(PetscMax(ab / (PetscSqrtReal(aa) * PetscSqrtReal(bb)), -1.0), 1.0) : (PetscReal)NAN;
}

/* Equal values share the mean of their ranks. `order` and `sorted` are room for the work. */
static PetscErrorCode Rank(PetscInt count, const PetscReal values[], PetscInt order[], PetscReal sorted[], PetscReal ranks[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++) {
    order[i]  = i;
    sorted[i] = values[i];
  }
  PetscCall(PetscSortRealWithArrayInt(count, sorted, order));
  for (PetscInt i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && sorted[end] == sorted[i];) end++;
    for (PetscInt j = i; j < end; j++) ranks[order[j]] = 0.5 * (PetscReal)(i + end + 1);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef struct {
  PetscReal *input, *output, *rank_of_input, *rank_of_output, *sorted;
  PetscInt  *order;
} Room;

static PetscErrorCode Correlate(PetscInt num_rows, PetscInt num_inputs, const PetscReal inputs[], PetscInt num_outputs, const PetscReal outputs[],
                                Room *room, Correlation *correlation)
{
  PetscInt count = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < num_rows; i++) {
    const PetscReal x = inputs[i * num_inputs], y = outputs[i * num_outputs];

    if (!isfinite(x) || !isfinite(y)) continue;
    room->input[count]    = x;
    room->output[count++] = y;
  }
  *correlation = (Correlation){.count = count, .pearson = (PetscReal)NAN, .spearman = (PetscReal)NAN};
  if (count < 3) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Rank(count, room->input, room->order, room->sorted, room->rank_of_input));
  PetscCall(Rank(count, room->output, room->order, room->sorted, room->rank_of_output));
  correlation->pearson  = Pearson(count, room->input, room->output);
  correlation->spearman = Pearson(count, room->rank_of_input, room->rank_of_output);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CorrelationsFind(PetscInt num_rows, PetscInt num_inputs, const PetscReal inputs[], PetscInt num_outputs, const PetscReal outputs[],
                                Correlation table[])
{
  Room room;

  PetscFunctionBegin;
  PetscCall(PetscMalloc6(num_rows, &room.input, num_rows, &room.output, num_rows, &room.rank_of_input, num_rows, &room.rank_of_output, num_rows,
                         &room.sorted, num_rows, &room.order));
  for (PetscInt o = 0; o < num_outputs; o++) {
    for (PetscInt i = 0; i < num_inputs; i++)
      PetscCall(Correlate(num_rows, num_inputs, inputs + i, num_outputs, outputs + o, &room, &table[o * num_inputs + i]));
  }
  PetscCall(PetscFree6(room.input, room.output, room.rank_of_input, room.rank_of_output, room.sorted, room.order));
  PetscFunctionReturn(PETSC_SUCCESS);
}
