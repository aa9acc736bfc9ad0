/* whole_groups.c - the groups of the whole mesh: those that have a name and those that have an element. */
#include "keys.h"
#include "whole.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIM = 3 };

static PetscErrorCode ListKeys(const Draft *draft, PetscInt *count, PetscInt64 **keys)
{
  PetscInt num_listed = 0, room = 16;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(room, keys));
  for (PetscInt i = 0; i < draft->num_members + draft->num_names; i++) {
    const PetscInt   j   = i - draft->num_members;
    const PetscInt64 key = j < 0 ? DraftKey(draft->members[i].dim, draft->members[i].number) : DraftKey(draft->names[j].dim, draft->names[j].number);

    if (DraftKeyDim(key) == MESH_ANY_DIM || (num_listed && (*keys)[num_listed - 1] == key)) continue;
    PetscCall(DraftReserve(num_listed + 1, sizeof **keys, &room, keys));
    (*keys)[num_listed++] = key;
  }
  PetscCall(KeysSort(&num_listed, *keys));
  *count = num_listed;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Members in the order of their elements, those of one element in the order of the file. */
static PetscErrorCode FillMembers(const Draft *draft, const PetscInt ranks[], const PetscInt indices[], const PetscInt64 keys[], Whole *whole)
{
  PetscInt *fill;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(draft->num_elements + 1, &fill));
  PetscCall(PetscMalloc1(draft->num_members, &whole->members));
  whole->facts.num_members = draft->num_members;
  for (PetscInt i = 0; i < draft->num_members; i++) fill[ranks[draft->members[i].element] + 1]++;
  for (PetscInt e = 0; e < draft->num_elements; e++) fill[e + 1] += fill[e];
  for (PetscInt i = 0, group = 0; i < draft->num_members; i++) {
    const DraftMember member = draft->members[i];
    const PetscInt64  key    = DraftKey(member.dim, member.number);

    if (keys[group] != key) group = KeysFind(whole->facts.num_groups, keys, key);
    whole->groups[group].total++;
    whole->members[fill[ranks[member.element]]++] =
      (WholeMember){.group = group, .shape = (PetscInt)draft->shapes[member.element], .index = indices[member.element]};
  }
  PetscCall(PetscFree(fill));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A name without a dimension is that of all groups of its number that have no other. */
static void SetName(const DraftName *name, PetscInt num_groups, const PetscInt64 keys[], const char *texts[])
{
  const PetscInt first = name->dim == MESH_ANY_DIM ? 0 : name->dim, last = name->dim == MESH_ANY_DIM ? MAX_DIM : name->dim;

  for (PetscInt dim = first; dim <= last && name->text[0] && num_groups; dim++) {
    const PetscInt64 key   = DraftKey(dim, name->number);
    const PetscInt   group = KeysFind(num_groups, keys, key);

    if (keys[group] == key && (name->dim == dim || !texts[group])) texts[group] = name->text;
  }
}

/* All names one after the other; a group without name is called by its number. */
static PetscErrorCode FillNames(const Draft *draft, const PetscInt64 keys[], Whole *whole)
{
  const PetscInt num_groups = whole->facts.num_groups;
  const char   **texts;
  char(*numbers)[16];
  size_t length = 0;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(num_groups, &texts, num_groups, &numbers));
  for (PetscInt i = 0; i < draft->num_names; i++) SetName(&draft->names[i], num_groups, keys, texts);
  for (PetscInt g = 0; g < num_groups; g++) {
    snprintf(numbers[g], sizeof numbers[g], "%" PetscInt_FMT, whole->groups[g].number);
    if (!texts[g]) texts[g] = numbers[g];
    length += strlen(texts[g]) + 1;
  }
  PetscCall(PetscMalloc1(length, &whole->names));
  whole->facts.names_length = (PetscInt64)length;
  length                    = 0;
  for (PetscInt g = 0; g < num_groups; g++) {
    memcpy(whole->names + length, texts[g], strlen(texts[g]) + 1);
    length += strlen(texts[g]) + 1;
  }
  PetscCall(PetscFree2(texts, numbers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of each dimension that has elements `all`, and the entities that they are of. */
static PetscErrorCode ListImplied(const Draft *draft, Whole *whole)
{
  PetscInt   count = 0, room = 16;
  PetscInt64 before = DraftKey(MESH_ANY_DIM, 0);

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(room, &whole->implied));
  for (PetscInt e = 0; e < draft->num_elements; e++) {
    const PetscInt   dim = mesh_shapes[draft->shapes[e]].dim;
    const PetscInt64 key = DraftKey(dim, draft->element_entities[e]);

    if (key == before) continue;
    PetscCall(DraftReserve(count + 2, sizeof *whole->implied, &room, &whole->implied));
    whole->implied[count++] = DraftKey(dim, WHOLE_ALL);
    whole->implied[count++] = before = key;
  }
  PetscCall(KeysSort(&count, whole->implied));
  whole->facts.num_implied = count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WholeGroups(const Draft *draft, const PetscInt ranks[], const PetscInt indices[], Whole *whole)
{
  PetscInt64 *keys;

  PetscFunctionBegin;
  PetscCall(ListKeys(draft, &whole->facts.num_groups, &keys));
  PetscCall(PetscCalloc1(whole->facts.num_groups, &whole->groups));
  for (PetscInt g = 0; g < whole->facts.num_groups; g++)
    whole->groups[g] = (WholeGroup){.dim = DraftKeyDim(keys[g]), .number = (PetscInt)(keys[g] & INT32_MAX)};
  PetscCall(FillMembers(draft, ranks, indices, keys, whole));
  PetscCall(FillNames(draft, keys, whole));
  PetscCall(PetscFree(keys));
  PetscCall(ListImplied(draft, whole));
  PetscFunctionReturn(PETSC_SUCCESS);
}
