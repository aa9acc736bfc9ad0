/* synonyms.c - words of the field and of other programs, and the names that mean the same here. */
#include "synonyms.h"
#include <ctype.h>
#include <string.h>

enum { LONGEST = 40 };

/* Letters and digits alone, small ones. A name that does not exist where it is looked for does not count: the next one of the word is tried. */
static const struct {
  const char *word, *name;
} synonyms[] = {
  /* laws of joints */
  {"friction", "jenkins"},
  {"dryfriction", "coulomb"},
  {"coulombfriction", "coulomb"},
  {"coulomb", "friction"},
  {"mu", "friction"},
  {"slider", "jenkins"},
  {"stickslip", "jenkins"},
  {"elasticslip", "jenkins"},
  {"macroslip", "jenkins"},
  {"iwan", "iwan4"},
  {"iwan", "modal_iwan"},
  {"segalman", "iwan4"},
  {"microslip", "iwan4"},
  {"hertz", "rough_contact"},
  {"penalty", "rough_contact"},
  {"contact", "rough_contact"},
  {"unilateral", "gap"},
  {"clearance", "gap"},
  {"backlash", "gap"},
  {"stop", "gap"},
  {"linear", "spring"},
  {"elastic", "spring"},
  {"bushing", "spring"},
  {"dashpot", "damper"},
  {"viscous", "damper"},
  {"duffing", "cubic"},
  {"bristle", "lugre"},
  {"masing", "ramberg_osgood"},
  {"preisach", "bouc_wen"},
  /* kinds of elements of Abaqus, CalculiX, Nastran, Ansys; behind a longest common beginning any letters may follow: C3D8R */
  {"c3d8", "hex8"},
  {"chexa", "hex8"},
  {"hexa8", "hex8"},
  {"solid185", "hex8"},
  {"brick", "hex8"},
  {"hexa", "hex8"},
  {"c3d20", "hex20"},
  {"hexa20", "hex20"},
  {"solid186", "hex20"},
  {"c3d27", "hex27"},
  {"hexa27", "hex27"},
  {"c3d10", "tet10"},
  {"ctetra", "tet10"},
  {"tetra10", "tet10"},
  {"solid187", "tet10"},
  {"c3d4", "tet4"},
  {"tetra4", "tet4"},
  {"tetra", "tet10"},
  {"c3d6", "wedge6"},
  {"cpenta", "wedge6"},
  {"penta6", "wedge6"},
  {"prism", "wedge6"},
  {"c3d15", "wedge15"},
  {"penta15", "wedge15"},
  {"cpyra", "pyramid5"},
  {"pyra5", "pyramid5"},
  {"b31", "beam"},
  {"cbeam", "beam"},
  {"cbar", "beam"},
  {"timoshenko", "beam"},
  {"b33", "beam_euler"},
  {"bernoulli", "beam_euler"},
  {"eulerbernoulli", "beam_euler"},
  {"conm2", "point_mass"},
  {"mass21", "point_mass"},
  /* studies */
  {"eigen", "modes"},
  {"eigenvalue", "modes"},
  {"eigenvalues", "modes"},
  {"eigenmodes", "modes"},
  {"eigenfrequencies", "modes"},
  {"modal", "modes"},
  {"modalanalysis", "modes"},
  {"normalmodes", "modes"},
  {"naturalfrequencies", "modes"},
  {"frequency", "modes"},
  {"sol103", "modes"},
  {"harmonic", "response"},
  {"frequencyresponse", "response"},
  {"frf", "response"},
  {"steadystate", "response"},
  {"sweep", "response"},
  {"steppedsine", "response"},
  {"sol111", "response"},
  {"dynamic", "transient"},
  {"dynamics", "transient"},
  {"time", "transient"},
  {"timehistory", "transient"},
  {"timeintegration", "transient"},
  {"newmark", "transient"},
  {"impact", "transient"},
  {"sol109", "transient"},
  {"equilibrium", "static"},
  {"sol101", "static"},
  {"pretension", "preload"},
  {"tightening", "preload"},
  {"boltload", "preload"},
  {"hysteresis", "loop"},
  {"decay", "ring_down"},
  {"freedecay", "ring_down"},
  {"hilbert", "ring_down"},
  {"backbone", "ring_down"},
  {"identify", "fit_law"},
  {"identification", "fit_law"},
  {"modelupdating", "fit_modes"},
  {"updating", "fit_modes"},
  {"validate", "compare"},
  /* keys and directions */
  {"dt", "time_step"},
  {"deltat", "time_step"},
  {"bc", "supports"},
  {"boundary", "supports"},
  {"fixed", "supports"},
  {"spc", "supports"},
  {"e", "young"},
  {"youngsmodulus", "young"},
  {"elasticmodulus", "young"},
  {"modulus", "young"},
  {"nu", "poisson"},
  {"rho", "density"},
  {"ux", "x"},
  {"uy", "y"},
  {"uz", "z"},
  {"rotx", "rx"},
  {"roty", "ry"},
  {"rotz", "rz"},
};

/* The letters and digits of a text, small ones; empty when they are too many. */
static void Plain(const char *text, char plain[LONGEST])
{
  size_t length = 0;

  for (; *text && length + 1 < LONGEST; text++)
    if (isalnum((unsigned char)*text)) plain[length++] = (char)tolower((unsigned char)*text);
  plain[*text ? 0 : length] = '\0';
}

static const char *Among(const char *name, const char *const names[])
{
  for (PetscInt i = 0; names[i]; i++)
    if (!strcmp(names[i], name)) return names[i];
  return NULL;
}

/* Whether the text is the word, or one that ends in a digit with letters behind: C3D10M, but not C3D10. */
static PetscBool Means(const char *plain, const char *word)
{
  const size_t length = strlen(word);

  if (strncmp(plain, word, length) != 0) return PETSC_FALSE;
  if (!isdigit((unsigned char)word[length - 1])) return (PetscBool)(plain[length] == '\0');
  return (PetscBool)(strspn(plain + length, "0123456789") == 0);
}

const char *SynonymFind(const char *text, const char *const names[])
{
  char plain[LONGEST];

  Plain(text, plain);
  for (size_t i = 0; plain[0] && i < sizeof synonyms / sizeof *synonyms; i++) {
    const char *const name = Means(plain, synonyms[i].word) ? Among(synonyms[i].name, names) : NULL;

    if (name) return name;
  }
  return NULL;
}
