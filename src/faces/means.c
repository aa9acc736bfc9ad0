/* means.c - sums over all facets of the slave. */
#include "means.h"
#include "cover.h"

/* Part of its share below which a sum is what round-off leaves of zero. */
static const PetscReal round_off = 1e-13;

/* Part of a facet: less than this is covered as far as round-off tells. And how far beyond the reach one looks for what covers the rest: the gap
   between a plane and an arc of facets that turn by 15 degrees grows over one of them from a half to 1.1 of their length. */
static const PetscReal no_rest = 1e-6, far_over_reach = 3.0;

typedef struct {
  PetscInt   count, room;
  PetscInt  *row, *column;
  PetscReal *value;
} Entries;

static PetscErrorCode EntriesAdd(PetscInt row, PetscInt column, PetscReal value, Entries *entries)
{
  PetscFunctionBegin;
  if (entries->count == entries->room) {
    entries->room = 2 * entries->room + 1024;
    PetscCall(PetscRealloc(sizeof(PetscInt) * (size_t)entries->room, &entries->row));
    PetscCall(PetscRealloc(sizeof(PetscInt) * (size_t)entries->room, &entries->column));
    PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)entries->room, &entries->value));
  }
  entries->row[entries->count]     = row;
  entries->column[entries->count]  = column;
  entries->value[entries->count++] = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode EntriesAssemble(Entries *entries, PetscInt num_rows, PetscInt num_columns, Mat *matrix)
{
  PetscFunctionBegin;
  PetscCall(MatCreate(PETSC_COMM_SELF, matrix));
  PetscCall(MatSetSizes(*matrix, num_rows, num_columns, PETSC_DETERMINE, PETSC_DETERMINE));
  PetscCall(MatSetType(*matrix, MATSEQAIJ));
  PetscCall(MatSetPreallocationCOO(*matrix, entries->count, entries->row, entries->column));
  PetscCall(MatSetValuesCOO(*matrix, entries->value, INSERT_VALUES));
  PetscCall(PetscFree(entries->row));
  PetscCall(PetscFree(entries->column));
  PetscCall(PetscFree(entries->value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds factor A[i] . integral[:, j] for all nodes j of a face. */
static PetscErrorCode AddSums(PetscInt row, const PetscReal weights[], PetscReal share, PetscReal factor, const Products integral, const Face *face,
                              PetscInt first_column, Entries *entries)
{
  PetscFunctionBegin;
  for (PetscInt j = 0; j < face->num_nodes; j++) {
    PetscReal sum = 0.0;

    for (PetscInt k = 0; k < MOST_CORNERS; k++) sum += weights[k] * integral[k][j];
    if (PetscAbsReal(sum) > round_off * share) PetscCall(EntriesAdd(row, first_column + face->nodes[j], factor * sum, entries));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the matrices of Means. */
typedef struct {
  Entries sums, near;
} Collection;

static PetscErrorCode AddMeeting(PetscInt row, PetscInt corner, const PetscReal weights[], PetscReal share, const Surface *slave,
                                 const Surface *master, const Meeting *meeting, Collection *collection)
{
  const Facet *const facet = &master->facets[meeting->facet];

  PetscFunctionBegin;
  PetscCall(AddSums(row, weights, share, 1.0, meeting->mixed, &master->faces[facet->face], slave->num_nodes, &collection->sums));
  for (PetscInt k = 0; k < facet->num_corners; k++) PetscCall(EntriesAdd(row, facet->corners[k], meeting->share[corner], &collection->near));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddFacet(const Surface *slave, const Facet *facet, const Surface *master, const Cover *cover, Means *means,
                               Collection *collection)
{
  Hats dual = {{0.0}};

  PetscFunctionBegin;
  PetscCall(DualWeights(facet->num_corners, cover->share, cover->mass, dual));
  for (PetscInt i = 0; i < facet->num_corners; i++) {
    const PetscInt row = facet->corners[i];

    means->area[row] += cover->share[i];
    for (PetscInt c = 0; c < SPACE; c++) means->normal[SPACE * row + c] += cover->normal[i][c];
    PetscCall(AddSums(row, dual[i], cover->share[i], -1.0, cover->own, &slave->faces[facet->face], 0, &collection->sums));
    for (PetscInt m = 0; m < cover->num_meetings; m++)
      PetscCall(AddMeeting(row, i, dual[i], cover->share[i], slave, master, &cover->meetings[m], collection));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Around nodes that have a point, where facets are not covered altogether. */
static void FindBeside(const Surface *slave, const FacetSearch *search, PetscReal reach, const PetscReal left[], PetscInt near[], Means *means)
{
  for (PetscInt f = 0; f < slave->num_facets; f++) {
    const Facet *const facet    = &slave->facets[f];
    PetscBool          touching = PETSC_FALSE;
    PetscReal          beside;

    for (PetscInt k = 0; k < facet->num_corners; k++) touching = (PetscBool)(touching || means->area[facet->corners[k]] > 0.0);
    if (!touching || left[f] <= no_rest) continue;
    beside = CoverBeyond(slave, facet, search, reach, far_over_reach * reach, near);
    for (PetscInt k = 0; k < facet->num_corners && beside > 0.0; k++) {
      PetscReal *const least = &means->beside[facet->corners[k]];

      *least = *least > 0.0 ? PetscMin(*least, beside) : beside;
    }
  }
}

static PetscErrorCode AddFacets(const Surface *slave, const Surface *master, PetscReal reach, Means *means, Collection *collection)
{
  FacetSearch search;
  Cover       cover;
  PetscInt   *near;
  PetscReal  *left;

  PetscFunctionBegin;
  PetscCall(FacetSearchCreate(master, &search));
  PetscCall(PetscMalloc3(master->num_facets, &near, master->num_facets, &cover.meetings, slave->num_facets, &left));
  for (PetscInt f = 0; f < slave->num_facets; f++) {
    CoverFind(slave, &slave->facets[f], &search, reach, near, &cover);
    left[f] = cover.left;
    if (cover.num_meetings) PetscCall(AddFacet(slave, &slave->facets[f], master, &cover, means, collection));
  }
  FindBeside(slave, &search, reach, left, near, means);
  PetscCall(PetscFree3(near, cover.meetings, left));
  PetscCall(FacetSearchDestroy(&search));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeansFind(const Surface *slave, const Surface *master, PetscReal reach, Means *means)
{
  Collection collection = {0};

  PetscFunctionBegin;
  PetscCall(PetscCalloc3(slave->num_nodes, &means->area, SPACE * slave->num_nodes, &means->normal, slave->num_nodes, &means->beside));
  PetscCall(AddFacets(slave, master, reach, means, &collection));
  PetscCall(EntriesAssemble(&collection.sums, slave->num_nodes, slave->num_nodes + master->num_nodes, &means->sums));
  PetscCall(EntriesAssemble(&collection.near, slave->num_nodes, master->num_nodes, &means->near));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeansDestroy(Means *means)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(means->area, means->normal, means->beside));
  PetscCall(MatDestroy(&means->sums));
  PetscCall(MatDestroy(&means->near));
  PetscFunctionReturn(PETSC_SUCCESS);
}
