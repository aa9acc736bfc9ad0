/* yaml.c - parsing by libyaml, twice: event by event, to refuse what would take too long, then as a document. */
#include "input_private.h"
#include <string.h>
#include <yaml.h>

/* libyaml looks up %TAG directives one by one. */
enum { MAX_DIRECTIVES = 16 };

typedef struct {
  InputDocument *document;
  const char    *file, *text;
  size_t         length;
  PetscInt       depth, num_nodes, num_anchors, num_documents;
} Guard;

static Place PlaceOf(const char *file, yaml_mark_t mark)
{
  return (Place){.file = file, .line = (PetscInt)mark.line + 1, .column = (PetscInt)mark.column + 1};
}

static PetscErrorCode Open(const Guard *guard, yaml_parser_t *parser)
{
  PetscFunctionBegin;
  PetscCheck(yaml_parser_initialize(parser), PETSC_COMM_SELF, PETSC_ERR_MEM, "libyaml has no memory");
  yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(parser, (const unsigned char *)guard->text, guard->length);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The byte at a mark; marks count characters. */
static char ByteAt(const Guard *guard, yaml_mark_t mark)
{
  const char *c = guard->text, *const end = guard->text + guard->length;
  size_t index = 0;

  while (c < end && index < mark.index) {
    c++;
    while (c < end && ((unsigned char)*c & 0xC0) == 0x80) c++;
    index++;
  }
  return c < end ? *c : '\0';
}

/* libyaml's own message, with the place of the fault. */
static PetscErrorCode ReportProblem(const Guard *guard, const yaml_parser_t *parser)
{
  const char *const problem = parser->problem ? parser->problem : "it cannot be parsed";
  const PetscBool   context = parser->context && parser->context_mark.line != parser->problem_mark.line ? PETSC_TRUE : PETSC_FALSE;

  PetscFunctionBegin;
  PetscCheck(parser->error != YAML_MEMORY_ERROR, PETSC_COMM_SELF, PETSC_ERR_MEM, "libyaml has no memory");
  if (parser->error == YAML_READER_ERROR) {
    PetscCall(InputComplainAt(guard->document, InputPlaceOfByte(guard->file, guard->text, guard->length, parser->problem_offset),
                              "not YAML: not a text in UTF-8 (%s)", problem));
  } else if (ByteAt(guard, parser->problem_mark) == '\t') {
    PetscCall(InputComplainAt(guard->document, PlaceOf(guard->file, parser->problem_mark), "not YAML: a tab; indent with blanks"));
  } else if (context) {
    PetscCall(InputComplainAt(guard->document, PlaceOf(guard->file, parser->problem_mark), "not YAML: %s, %s that began in line %" PetscInt_FMT,
                              problem, parser->context, (PetscInt)parser->context_mark.line + 1));
  } else {
    PetscCall(InputComplainAt(guard->document, PlaceOf(guard->file, parser->problem_mark), "not YAML: %s", problem));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool HasAnchor(const yaml_event_t *event)
{
  if (event->type == YAML_SCALAR_EVENT) return event->data.scalar.anchor ? PETSC_TRUE : PETSC_FALSE;
  if (event->type == YAML_SEQUENCE_START_EVENT) return event->data.sequence_start.anchor ? PETSC_TRUE : PETSC_FALSE;
  return event->type == YAML_MAPPING_START_EVENT && event->data.mapping_start.anchor ? PETSC_TRUE : PETSC_FALSE;
}

static PetscErrorCode Watch(Guard *guard, const yaml_event_t *event, PetscBool *fine)
{
  const Place             place    = PlaceOf(guard->file, event->start_mark);
  const yaml_event_type_t type     = event->type;
  InputDocument *const    document = guard->document;
  const PetscInt          before   = InputNumComplaints(document);

  PetscFunctionBegin;
  if (type == YAML_DOCUMENT_START_EVENT && ++guard->num_documents > 1) {
    PetscCall(InputComplainAt(document, place, "a second YAML document begins here; a case file has one"));
  }
  if (HasAnchor(event) && ++guard->num_anchors > INPUT_MAX_ANCHORS) {
    PetscCall(InputComplainAt(document, place, "has more than %d anchors", INPUT_MAX_ANCHORS));
  }
  if (type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT) guard->depth++;
  if (type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT) guard->depth--;
  else guard->num_nodes++;
  if (guard->depth > INPUT_MAX_DEPTH) PetscCall(InputComplainAt(document, place, "is nested deeper than %d levels", INPUT_MAX_DEPTH));
  if (guard->num_nodes > 2 * INPUT_MAX_NODES) PetscCall(InputComplainAt(document, place, "has more than %d values", INPUT_MAX_NODES));
  *fine = InputNumComplaints(document) == before ? PETSC_TRUE : PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Scan(Guard *guard, PetscBool *fine)
{
  yaml_parser_t parser;
  PetscBool     end = PETSC_FALSE;

  PetscFunctionBegin;
  PetscCall(Open(guard, &parser));
  for (*fine = PETSC_TRUE; *fine && !end;) {
    yaml_event_t event;

    if (yaml_parser_parse(&parser, &event)) {
      PetscCall(Watch(guard, &event, fine));
      end = event.type == YAML_STREAM_END_EVENT ? PETSC_TRUE : PETSC_FALSE;
      yaml_event_delete(&event);
    } else {
      PetscCall(ReportProblem(guard, &parser));
      *fine = PETSC_FALSE;
    }
  }
  yaml_parser_delete(&parser);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RefuseDirectives(const Guard *guard, PetscBool *fine)
{
  PetscInt count = 0;

  PetscFunctionBegin;
  *fine = PETSC_TRUE;
  for (const char *line = guard->text; *line && *fine; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : "") {
    if (strncmp(line, "%TAG", 4) != 0 || ++count <= MAX_DIRECTIVES) continue;
    PetscCall(InputComplainAt(guard->document, InputPlaceOfByte(guard->file, guard->text, guard->length, (size_t)(line - guard->text)),
                              "has more than %d %%TAG directives", MAX_DIRECTIVES));
    *fine = PETSC_FALSE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The document API: keeps the marks of all nodes, keys included, and resolves aliases. */
static PetscErrorCode Load(const Guard *guard, InputNode *root, PetscBool *fine)
{
  yaml_parser_t   parser;
  yaml_document_t yaml;

  PetscFunctionBegin;
  PetscCall(Open(guard, &parser));
  if (yaml_parser_load(&parser, &yaml)) {
    PetscCall(InputCompose(guard->document, &yaml, guard->file, root, fine));
    yaml_document_delete(&yaml);
  } else {
    PetscCall(ReportProblem(guard, &parser));
    *fine = PETSC_FALSE;
  }
  yaml_parser_delete(&parser);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputParseYaml(InputDocument *document, const char *file, const char *text, size_t length, InputNode **root)
{
  Guard     guard = {.document = document, .file = file, .text = text, .length = length};
  PetscBool fine;

  PetscFunctionBegin;
  PetscCall(InputNodeCreate(document, NULL, NODE_MAP, (Place){.file = file, .line = 1, .column = 1}, root));
  PetscCall(InputRefuseNul(document, file, text, length, &fine));
  if (fine) PetscCall(RefuseDirectives(&guard, &fine));
  if (fine) PetscCall(Scan(&guard, &fine));
  if (fine) PetscCall(Load(&guard, *root, &fine));
  if (!fine) document->broken = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}
