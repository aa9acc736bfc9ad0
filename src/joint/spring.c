/* spring.c - a linear spring. */
#include "laws.h"
#include "engine/elastic.h"

enum { STIFFNESS };

static const JointParameter parameters[] = {
  {.name = "stiffness", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N/m", .help = "force for each metre"},
  {0},
};

static const JointSample samples[] = {
  {.what = "a spring", .parameters = {[STIFFNESS] = 1.3}},
  {0},
};

static inline ElasticPoint Curve(const PetscReal p[], PetscReal displacement)
{
  return (ElasticPoint){.force = p[STIFFNESS] * displacement, .slope = p[STIFFNESS]};
}

ELASTIC_FUNCTIONS(Curve)

const JointLaw joint_law_spring = {
  .name       = "spring",
  .summary    = "linear spring",
  .equation   = "f = stiffness d",
  .source     = "Hooke",
  .parameters = parameters,
  .samples    = samples,
  .traits     = JOINT_LINEAR | JOINT_ELASTIC,
  ELASTIC_LAW,
};
