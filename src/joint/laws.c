/* laws.c - laws: found by name, read from a case, printed for the help. */
#include "laws.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define JOINT_LIST_LAW(name) &joint_law_##name,
const JointLaw *const joint_laws[] = {JOINT_LAWS(JOINT_LIST_LAW) NULL};

/* Where the parameters of a law are read to: each into the one or the other. */
typedef struct {
  const InputNode *law; /* only claims its key */
  PetscReal        real[JOINT_MAX_PARAMETERS];
  PetscInt         whole[JOINT_MAX_PARAMETERS];
} Values;

/* Fields of the parameters, then one for `law:` itself when asked for, then the end. */
typedef InputField Fields[JOINT_MAX_PARAMETERS + 2];

const JointLaw *JointLawFind(const char *name)
{
  for (PetscInt i = 0; joint_laws[i]; i++) {
    if (strcmp(joint_laws[i]->name, name) == 0) return joint_laws[i];
  }
  return NULL;
}

/* Their names, up to NULL. */
static void ListNames(const char *names[sizeof joint_laws / sizeof joint_laws[0]])
{
  for (size_t i = 0; i < sizeof joint_laws / sizeof joint_laws[0]; i++) names[i] = joint_laws[i] ? joint_laws[i]->name : NULL;
}

const char *JointLawNearest(const char *text)
{
  const char *names[sizeof joint_laws / sizeof joint_laws[0]];

  ListNames(names);
  return InputNearest(text, names);
}

static InputField DescribeParameter(const JointParameter *parameter, PetscInt i)
{
  const size_t place = (size_t)i;

  return (InputField){
    .key      = parameter->name,
    .kind     = parameter->whole ? INPUT_COUNT : INPUT_REAL,
    .offset   = parameter->whole ? offsetof(Values, whole) + place * sizeof(PetscInt) : offsetof(Values, real) + place * sizeof(PetscReal),
    .fallback = parameter->fallback,
    .least    = parameter->least,
    .most     = parameter->most,
    .above    = parameter->above,
    .unit     = parameter->unit,
    .help     = parameter->help,
  };
}

static InputTable DescribeLaw(const JointLaw *law, PetscBool with_law, Fields fields)
{
  PetscInt count = 0;

  while (law->parameters[count].name) {
    fields[count] = DescribeParameter(&law->parameters[count], count);
    count++;
  }
  if (with_law)
    fields[count++] =
      (InputField){.key = "law", .kind = INPUT_NODE, .offset = offsetof(Values, law), .fallback = INPUT_REQUIRED, .help = "name of the law"};
  fields[count] = (InputField){0};
  return (InputTable){.name = law->name, .summary = law->summary, .fields = fields};
}

/* The law that the map names, NULL after a complaint. */
static PetscErrorCode ReadName(const InputNode *map, const JointLaw **law)
{
  const char      *names[sizeof joint_laws / sizeof joint_laws[0]];
  const InputNode *node = InputFind(map, "law");
  const char      *text;
  PetscInt         index;

  PetscFunctionBegin;
  *law = NULL;
  ListNames(names);
  if (!node) {
    PetscCall(InputComplain(map, "a law is needed, written {law: NAME, its parameters}"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputGetText(node, &text));
  if (!text) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputChoose(node, text, "law", names, &index));
  if (index >= 0) *law = joint_laws[index];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether each key of the map is a parameter. */
static PetscBool AllAreParameters(const InputNode *map, const JointLaw *law)
{
  for (PetscInt i = 0; i < InputCount(map); i++) {
    PetscInt p = 0;

    while (law->parameters[p].name && strcmp(law->parameters[p].name, InputKey(map, i)) != 0) p++;
    if (!law->parameters[p].name) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* One that is not there may be meant by a name that is misspelt, of which its reader will tell. */
static PetscBool MayBeLeftOut(const JointParameter *parameter, const InputNode *unknown, PetscBool misspelt)
{
  return (PetscBool)(InputFind(unknown, parameter->name) || (misspelt && !parameter->whole && parameter->fallback == JOINT_REQUIRED));
}

/* Those that are marked may be left out: they are not numbers then. */
static PetscErrorCode ReadParameters(const InputNode *map, const JointLaw *law, const PetscBool optional[], PetscReal parameters[])
{
  Values     values = {0};
  Fields     fields;
  InputTable table = DescribeLaw(law, PETSC_TRUE, fields);

  PetscFunctionBegin;
  for (PetscInt i = 0; law->parameters[i].name; i++) {
    if (!optional[i]) continue;
    fields[i].fallback = INPUT_OPTIONAL;
    values.real[i]     = (PetscReal)NAN;
  }
  PetscCall(InputRead(map, &table, &values));
  for (PetscInt i = 0; law->parameters[i].name; i++) parameters[i] = law->parameters[i].whole ? (PetscReal)values.whole[i] : values.real[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointLawReadPart(const InputNode *map, const InputNode *unknown, const JointLaw **law, PetscReal parameters[])
{
  PetscBool optional[JOINT_MAX_PARAMETERS] = {PETSC_FALSE}, misspelt;

  PetscFunctionBegin;
  PetscCall(ReadName(map, law));
  if (!*law) PetscFunctionReturn(PETSC_SUCCESS);
  misspelt = PetscNot(!unknown || AllAreParameters(unknown, *law));
  for (PetscInt i = 0; (*law)->parameters[i].name; i++) optional[i] = (PetscBool)(unknown && MayBeLeftOut(&(*law)->parameters[i], unknown, misspelt));
  PetscCall(ReadParameters(map, *law, optional, parameters));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointLawReadOfFaces(const InputNode *map, const JointLaw **law, PetscReal parameters[])
{
  PetscBool optional[JOINT_MAX_PARAMETERS] = {PETSC_FALSE};

  PetscFunctionBegin;
  PetscCall(ReadName(map, law));
  if (!*law) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; (*law)->parameters[i].name; i++)
    optional[i] = (PetscBool)((*law)->parameters[i].shared && (*law)->parameters[i].fallback == JOINT_REQUIRED);
  PetscCall(ReadParameters(map, *law, optional, parameters));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointLawRead(const InputNode *map, const JointLaw **law, PetscReal parameters[])
{
  const PetscInt complaints = InputNumComplaints(InputDocumentOf(map));
  const char    *reason     = NULL;

  PetscFunctionBegin;
  PetscCall(JointLawReadPart(map, NULL, law, parameters));
  if (*law && (*law)->refuse && InputNumComplaints(InputDocumentOf(map)) == complaints) reason = (*law)->refuse(parameters);
  if (reason) PetscCall(InputComplain(map, "%s", reason));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointLawsPrint(FILE *out)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; joint_laws[i]; i++) fprintf(out, "%-24s %s\n", joint_laws[i]->name, joint_laws[i]->summary);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void PrintIndented(FILE *out, const char *title, const char *text)
{
  fprintf(out, "\n%s\n  ", title);
  for (; *text; text++) {
    fputc(*text, out);
    if (*text == '\n') fputs("  ", out);
  }
  fputc('\n', out);
}

static void PrintDerived(FILE *out, const JointDerived *derived)
{
  int width = 0;

  fputs("\nfollows from them\n", out);
  for (const JointDerived *d = derived; d->name; d++) width = PetscMax(width, (int)strlen(d->name));
  for (const JointDerived *d = derived; d->name; d++)
    fprintf(out, "  %-*s  %s%s%s%s\n", width, d->name, d->unit ? "[" : "", d->unit ? d->unit : "", d->unit ? "] " : "", d->help);
}

/* Of a law, and of the parameters of a sample. */
static const struct {
  unsigned    trait;
  const char *text;
} properties[] = {
  {JOINT_LINEAR, "linear"},
  {JOINT_ELASTIC, "elastic: the force follows from the motion alone, nothing is dissipated"},
  {JOINT_VISCOUS, "depends on the velocity"},
  {JOINT_MASING, "remembers turning points, by Masing's rules"},
  {JOINT_ACTIVE, "may give out energy that it never took"},
  {JOINT_NEVER_LEVELS_OFF, "never levels off: the tangent goes on changing however far it moves"},
  {JOINT_RIGID, "sticks without any give, which K0 has nothing of: modes that steps, loads and initial shapes call stuck slide there; a study of "
                "modes holds it. Not for harmonic balance, runge_kutta, contacts and faces"},
};

static void PrintProperties(FILE *out, unsigned traits, const char *before)
{
  for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
    if (traits & properties[i].trait) fprintf(out, "%s%s", before, properties[i].text);
  }
}

/* As few digits as give the number back. */
static void PrintNumber(FILE *out, PetscReal number)
{
  char text[32];
  int  digits = 15;

  do snprintf(text, sizeof text, "%.*g", digits, number);
  while (digits++ < 17 && strtod(text, NULL) != number);
  fputs(text, out);
}

/* What is not given is the fallback, of an optional parameter 0. */
static void PrintSample(FILE *out, const JointLaw *law, const JointSample *sample)
{
  fprintf(out, "  {law: %s", law->name);
  for (PetscInt i = 0; law->parameters[i].name; i++) {
    const PetscReal fallback = law->parameters[i].fallback == INPUT_OPTIONAL ? 0 : law->parameters[i].fallback;

    if (sample->parameters[i] == fallback) continue;
    fprintf(out, ", %s: ", law->parameters[i].name);
    PrintNumber(out, sample->parameters[i]);
  }
  fprintf(out, "} # %s", sample->what);
  PrintProperties(out, sample->traits, "; ");
  fputc('\n', out);
}

PetscErrorCode JointLawPrint(FILE *out, const JointLaw *law)
{
  Fields           fields;
  const InputTable table = DescribeLaw(law, PETSC_FALSE, fields);

  PetscFunctionBegin;
  PetscCall(InputPrintTable(out, &table));
  if (law->derived) PrintDerived(out, law->derived);
  fprintf(out, "\nproperties\n  %s", law->dim == 1 ? "one component" : "several components, the first normal to the faces");
  PrintProperties(out, law->traits, "\n  ");
  fputs("\n\nexamples, of order one\n", out);
  for (const JointSample *sample = law->samples; sample->what; sample++) PrintSample(out, law, sample);
  PrintIndented(out, "equation", law->equation);
  PrintIndented(out, "source", law->source);
  PetscFunctionReturn(PETSC_SUCCESS);
}
