/* blocks.c - the laws of a System, gathered: those that are the same become points of one block. */
#include "draft.h"

const DraftLaw *DraftLawOf(const SystemDraft *draft, PetscInt e)
{
  return &draft->laws[draft->law_map.i[e] / JOINT_MAX_DIM];
}

/* But for what each point has of its own. */
static PetscBool SameLaw(const DraftLaw *a, const DraftLaw *b)
{
  if (a->law != b->law || (a->area > 0.0) != (b->area > 0.0)) return PETSC_FALSE;
  for (PetscInt i = 0; a->law->parameters[i].name; i++)
    if (!a->law->parameters[i].local && a->parameters[i] != b->parameters[i]) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* In their order; `sample` is the first law of each block, `size` its number of points. */
static void FindPlaces(const SystemDraft *draft, PetscInt *num_blocks, PetscInt sample[], PetscInt size[], LawPlace places[])
{
  *num_blocks = 0;
  for (PetscInt l = 0; l < draft->num_laws; l++) {
    PetscInt b = 0;

    places[l] = (LawPlace){-1, -1};
    if (draft->laws[l].law->traits & JOINT_LINEAR) continue;
    while (b < *num_blocks && !SameLaw(&draft->laws[l], &draft->laws[sample[b]])) b++;
    if (b == *num_blocks) {
      sample[b] = l;
      size[b]   = 0;
      ++*num_blocks;
    }
    places[l] = (LawPlace){b, size[b]++};
  }
}

/* The component of its block that an entry of the law map is a term of. */
static PetscInt ComponentOf(const System *system, PetscInt e, LawPlace place)
{
  return system->draft->law_map.i[e] % JOINT_MAX_DIM * system->blocks[place.block].block.num_points + place.point;
}

/* Counts the terms of each component behind its place, and sums up: first[c] is where component c begins. */
static PetscErrorCode SetTerms(System *system, const LawPlace places[])
{
  const Entries *map = &system->draft->law_map;

  PetscFunctionBegin;
  for (PetscInt e = 0; e < map->count; e++) {
    const LawPlace place = places[map->i[e] / JOINT_MAX_DIM];

    if (place.block >= 0) system->blocks[place.block].first[ComponentOf(system, e, place) + 1]++;
  }
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    SystemBlock *block = &system->blocks[b];
    PetscInt     count = block->block.num_points * block->block.law->dim;

    for (PetscInt c = 0; c < count; c++) block->first[c + 1] += block->first[c];
    PetscCall(PetscMalloc2(block->first[count], &block->row, block->first[count], &block->factor));
    for (PetscInt t = 0; t < block->first[count]; t++) block->row[t] = -1;
  }
  for (PetscInt e = 0; e < map->count; e++) {
    const LawPlace place = places[map->i[e] / JOINT_MAX_DIM];
    SystemBlock   *block;
    PetscInt       t;

    if (place.block < 0) continue;
    block = &system->blocks[place.block];
    for (t = block->first[ComponentOf(system, e, place)]; block->row[t] >= 0;) t++;
    block->row[t]    = map->j[e];
    block->factor[t] = map->value[e];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt SystemBlockRow(const SystemBlock *block, PetscInt point)
{
  const PetscInt n = block->block.num_points;
  PetscInt       c = point;

  while (c + n < n * block->block.law->dim && block->first[c] == block->first[c + 1]) c += n;
  return block->row[block->first[c]];
}

/* From the law that a contact begins with to the place of that among the parts of all. */
static void CountParts(System *system, const LawPlace places[])
{
  for (PetscInt c = 0; c < system->names.num_contacts; c++) {
    SystemContact *contact = &system->contacts[c];
    const LawPlace place   = places[contact->first];

    contact->first = place.point;
    for (PetscInt b = 0; b < place.block; b++)
      if (system->blocks[b].block.law->inspect) contact->first += system->blocks[b].block.num_points;
  }
}

PetscErrorCode SystemSetUpBlocks(System *system)
{
  const SystemDraft *draft = system->draft;
  PetscInt          *sample, *size;
  LawPlace          *places;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(draft->num_laws, &sample, draft->num_laws, &size, draft->num_laws, &places));
  FindPlaces(draft, &system->num_blocks, sample, size, places);
  PetscCall(PetscCalloc1(system->num_blocks, &system->blocks));
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const DraftLaw *law = &draft->laws[sample[b]];

    PetscCall(JointBlockCreate(law->law, law->parameters, size[b], &system->blocks[b].block));
    PetscCall(PetscCalloc1(size[b] * law->law->dim + 1, &system->blocks[b].first));
  }
  for (PetscInt l = 0; l < draft->num_laws; l++)
    if (places[l].block >= 0) JointBlockSetPoint(&system->blocks[places[l].block].block, places[l].point, draft->laws[l].parameters);
  PetscCall(SetTerms(system, places));
  CountParts(system, places);
  PetscCall(SystemSpreadBlocks(system, places));
  PetscCall(PetscFree3(sample, size, places));
  PetscFunctionReturn(PETSC_SUCCESS);
}
