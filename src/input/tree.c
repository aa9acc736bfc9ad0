/* tree.c - nodes with paths made from libyaml's document: aliases are expanded and maps merged, within limits. */
#include "input_private.h"
#include <string.h>
#include <yaml.h>

/* The state of one of libyaml's nodes. */
enum { OPEN = 1 /* being expanded, further out */, CHECKED = 2 /* its keys have been complained of */ };

typedef struct {
  InputDocument   *document;
  yaml_document_t *yaml;
  const char      *file;
  unsigned char   *marks;
  const char     **texts;   /* of scalars: copied once, however many aliases there are */
  PetscBool        stopped; /* a limit was reached: nothing of the document is used */
} Composer;

static PetscErrorCode Compose(Composer *composer, int index, PetscInt depth, InputNode *node);

static Place PlaceOf(const Composer *composer, int index)
{
  const yaml_mark_t mark = yaml_document_get_node(composer->yaml, index)->start_mark;

  return (Place){.file = composer->file, .line = (PetscInt)mark.line + 1, .column = (PetscInt)mark.column + 1};
}

static PetscErrorCode Stop(Composer *composer, const InputNode *node, const char *message)
{
  PetscFunctionBegin;
  composer->stopped = PETSC_TRUE;
  PetscCall(InputComplain(node, "%s", message));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Complains of the entry of the root that has become too large. */
static PetscErrorCode Limit(Composer *composer, const InputNode *node)
{
  PetscFunctionBegin;
  if (composer->document->num_nodes > INPUT_MAX_NODES && !composer->stopped) {
    while (node->parent && node->parent->parent) node = node->parent;
    PetscCall(Stop(composer, node, "makes more than 1000000 values, aliases expanded"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Called before a list or map is expanded: refuses one that contains itself, or is nested too deep. */
static PetscErrorCode Enter(Composer *composer, int index, PetscInt depth, const InputNode *node)
{
  PetscFunctionBegin;
  if (composer->marks[index] & OPEN) PetscCall(Stop(composer, node, "contains itself, through an alias"));
  else if (depth > INPUT_MAX_DEPTH) PetscCall(Stop(composer, node, "is nested deeper than 64 levels"));
  else PetscCall(Limit(composer, node));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* libyaml gives the default tag to texts without a tag. */
static PetscErrorCode RefuseTag(const yaml_node_t *yaml, const InputNode *node)
{
  static const char *const defaults[] = {YAML_STR_TAG, YAML_SEQ_TAG, YAML_MAP_TAG};
  const char *const        tag        = (const char *)yaml->tag;

  PetscFunctionBegin;
  for (size_t i = 0; tag && i < sizeof defaults / sizeof *defaults; i++) {
    if (strcmp(tag, defaults[i]) == 0) PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (tag) PetscCall(InputComplain(node, "has the tag %s; a case file has no tags", InputQuote(tag).text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A NUL in the text is complained of once, at `node`. */
static PetscErrorCode CopyScalar(Composer *composer, int index, const InputNode *node, const char **text)
{
  const yaml_node_t *const yaml   = yaml_document_get_node(composer->yaml, index);
  const char *const        value  = (const char *)yaml->data.scalar.value;
  const size_t             length = yaml->data.scalar.length;

  PetscFunctionBegin;
  if (!composer->texts[index]) {
    PetscCall(InputCopyText(composer->document, value, length, &composer->texts[index]));
    if (strlen(value) != length) PetscCall(InputComplain(node, "holds a NUL character"));
  }
  *text = composer->texts[index];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ComposeList(Composer *composer, const yaml_node_t *yaml, PetscInt depth, InputNode *node)
{
  PetscFunctionBegin;
  for (const yaml_node_item_t *item = yaml->data.sequence.items.start; item < yaml->data.sequence.items.top && !composer->stopped; item++) {
    InputNode *child;

    PetscCall(InputNodeCreate(composer->document, node, NODE_SCALAR, PlaceOf(composer, *item), &child));
    PetscCall(InputAppend(node, child));
    PetscCall(Compose(composer, *item, depth + 1, child));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is wrong with a key, or NULL. */
static const char *RefuseKey(const yaml_node_t *key)
{
  const char *const text = key->type == YAML_SCALAR_NODE ? (const char *)key->data.scalar.value : "";

  if (key->type == YAML_SEQUENCE_NODE) return "a key must be a text, found a list";
  if (key->type == YAML_MAPPING_NODE) return "a key must be a text, found a map";
  if (key->data.scalar.length == 0) return "a key is empty";
  if (key->data.scalar.length > INPUT_MAX_KEY) return "a key is longer than 200 bytes";
  return strlen(text) != key->data.scalar.length ? "a key holds a NUL character" : NULL;
}

static PetscBool IsMergeKey(const yaml_node_t *key)
{
  return key->type == YAML_SCALAR_NODE && key->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && strcmp((const char *)key->data.scalar.value, "<<") == 0
           ? PETSC_TRUE
           : PETSC_FALSE;
}

static PetscErrorCode ComposeEntry(Composer *composer, const yaml_node_pair_t *pair, PetscInt depth, PetscBool merged, PetscBool complain,
                                   InputNode *map)
{
  const yaml_node_t *const key   = yaml_document_get_node(composer->yaml, pair->key);
  const char *const        fault = RefuseKey(key);
  const Place              place = PlaceOf(composer, pair->key);
  InputNode               *child;

  PetscFunctionBegin;
  PetscCall(InputNodeCreate(composer->document, map, NODE_SCALAR, PlaceOf(composer, pair->value), &child));
  child->key_place = place;
  child->merged    = merged;
  if (fault) {
    if (complain) PetscCall(InputComplainKey(child, "%s", fault));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CopyScalar(composer, pair->key, child, &child->key));
  PetscCall(InputAppend(map, child));
  PetscCall(Compose(composer, pair->value, depth + 1, child));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GatherEntries(Composer *composer, int index, PetscInt depth, PetscBool merged, InputNode *map);

/* `<<: *other` or `<<: [*one, *two]`: the entries of other maps, where this one does not have them itself. */
static PetscErrorCode Merge(Composer *composer, int value, PetscInt depth, InputNode *map)
{
  const yaml_node_t *const yaml = yaml_document_get_node(composer->yaml, value);

  PetscFunctionBegin;
  if (yaml->type == YAML_MAPPING_NODE) {
    PetscCall(GatherEntries(composer, value, depth + 1, PETSC_TRUE, map));
  } else if (yaml->type == YAML_SEQUENCE_NODE) {
    PetscCall(Enter(composer, value, depth, map));
    if (!composer->stopped) composer->marks[value] |= OPEN;
    for (const yaml_node_item_t *item = yaml->data.sequence.items.start; item < yaml->data.sequence.items.top && !composer->stopped; item++) {
      PetscCall(Merge(composer, *item, depth + 1, map));
    }
    composer->marks[value] &= (unsigned char)~OPEN;
  } else {
    PetscCall(InputComplainAt(composer->document, PlaceOf(composer, value), "`<<` merges a map or a list of maps, found a text"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The map's own entries come first: they take precedence over merged ones. */
static PetscErrorCode GatherEntries(Composer *composer, int index, PetscInt depth, PetscBool merged, InputNode *map)
{
  const yaml_node_t *const      yaml  = yaml_document_get_node(composer->yaml, index);
  const yaml_node_pair_t *const first = yaml->data.mapping.pairs.start, *const end = yaml->data.mapping.pairs.top;
  const PetscBool complain = composer->marks[index] & CHECKED ? PETSC_FALSE : PETSC_TRUE;

  PetscFunctionBegin;
  PetscCall(Enter(composer, index, depth, map));
  if (composer->stopped) PetscFunctionReturn(PETSC_SUCCESS);
  composer->marks[index] |= OPEN | CHECKED;
  for (const yaml_node_pair_t *pair = first; pair < end && !composer->stopped; pair++) {
    if (!IsMergeKey(yaml_document_get_node(composer->yaml, pair->key))) PetscCall(ComposeEntry(composer, pair, depth, merged, complain, map));
  }
  for (const yaml_node_pair_t *pair = first; pair < end && !composer->stopped; pair++) {
    if (IsMergeKey(yaml_document_get_node(composer->yaml, pair->key))) PetscCall(Merge(composer, pair->value, depth, map));
  }
  composer->marks[index] &= (unsigned char)~OPEN;
  if (!merged) PetscCall(InputDropDuplicates(map, complain));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Compose(Composer *composer, int index, PetscInt depth, InputNode *node)
{
  const yaml_node_t *const yaml = yaml_document_get_node(composer->yaml, index);

  PetscFunctionBegin;
  PetscCall(Limit(composer, node));
  PetscCall(RefuseTag(yaml, node));
  if (yaml->type == YAML_SCALAR_NODE) {
    node->kind  = NODE_SCALAR;
    node->plain = yaml->data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? PETSC_TRUE : PETSC_FALSE;
    PetscCall(CopyScalar(composer, index, node, &node->text));
  } else if (yaml->type == YAML_SEQUENCE_NODE) {
    node->kind = NODE_LIST;
    PetscCall(Enter(composer, index, depth, node));
    if (!composer->stopped) {
      composer->marks[index] |= OPEN;
      PetscCall(ComposeList(composer, yaml, depth, node));
      composer->marks[index] &= (unsigned char)~OPEN;
    }
  } else {
    node->kind = NODE_MAP;
    PetscCall(GatherEntries(composer, index, depth, PETSC_FALSE, node));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputCompose(InputDocument *document, yaml_document_t *yaml, const char *file, InputNode *root, PetscBool *fine)
{
  const size_t num_nodes = (size_t)(yaml->nodes.top - yaml->nodes.start);
  Composer     composer  = {.document = document, .yaml = yaml, .file = file};

  PetscFunctionBegin;
  *fine = PETSC_FALSE;
  if (num_nodes == 0) {
    PetscCall(InputComplainAt(document, (Place){.file = file}, "is empty"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscCalloc1(num_nodes + 1, &composer.marks));
  PetscCall(PetscCalloc1(num_nodes + 1, &composer.texts));
  root->place = PlaceOf(&composer, 1);
  PetscCall(Compose(&composer, 1, 1, root));
  PetscCall(PetscFree(composer.marks));
  PetscCall(PetscFree(composer.texts));
  if (!composer.stopped && root->kind != NODE_MAP) PetscCall(InputComplain(root, "expected a map, found %s", InputDescribe(root).text));
  *fine = !composer.stopped && root->kind == NODE_MAP ? PETSC_TRUE : PETSC_FALSE;
  if (!*fine) root->count = 0;
  root->kind = NODE_MAP;
  PetscFunctionReturn(PETSC_SUCCESS);
}
