/* textbook.c - the rival: jointed lumped systems integrated the textbook way, on dense matrices with LAPACK.

   The method of sec. 3.1 and App. A of lacayo2017, as an analyst would write it in C: average-acceleration Newmark, full
   Newton on all unknowns, the whole effective matrix factored in every iteration, Iwan elements made of sliders. No part
   of dovetail. Competent but plain: the linear part of the effective matrix is made once, the matrix is known to be
   symmetric positive definite, and nothing is allocated inside a step. With --predict Newton starts from a constant
   acceleration instead of the last displacement, which saves this rival nearly half of its iterations. With --lu the matrix
   is factored as if it were not symmetric, which is what `A \\ b` of a general matrix does.

   cc -O3 textbook.c -llapack -lblas -lm
   textbook SYSTEM [--steps N] [--sliders N] [--history FILE] [--every N] [--energy] [--predict] [--lu]; SYSTEM: three_mass or chain */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void dgemv_(const char *, const int *, const int *, const double *, const double *, const int *, const double *, const int *, const double *,
            double *, const int *);
void dpotrf_(const char *, const int *, double *, const int *, int *);
void dpotrs_(const char *, const int *, const int *, const double *, const int *, double *, const int *, int *);
void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
void dgetrs_(const char *, const int *, const int *, const double *, const int *, const int *, double *, const int *, int *);
void dsygv_(const int *, const char *, const char *, const int *, double *, const int *, double *, const int *, double *, double *, const int *,
            int *);

enum { MAX_JOINTS = 4, MAX_ITERATIONS = 50 };

static const double PI              = 3.14159265358979323846;
static const double DAMPING_RATIO   = 1e-4;  /* of every mode */
static const double FORCE_TOLERANCE = 1e-10; /* residual, of the largest force so far */

/* Jenkins elements in parallel [App. A]: `num_bins` of equal width in slip displacement and one for the Dirac term. */
typedef struct {
  int     negative, positive; /* unknowns it connects */
  int     count;
  double *stiffness; /* [N/m] */
  double *reach;     /* stretch at which the slider moves [m] */
  double *position;  /* of the slider, last step [m] */
} Iwan;

typedef struct {
  int     n, num_joints;
  double *M, *C, *K; /* [n, n]; K without the joints, the K_infinity of eq. 24 */
  Iwan    joints[MAX_JOINTS];
  double  slip_force, joint_stiffness, chi, beta; /* the same for all joints */
  double  time_step;
  double  amplitude, duration; /* half-sine [N, s] on one unknown; duration 0: half a period of the highest stuck mode */
  int     loaded;              /* unknown that is hit and watched */
} System;

typedef struct {
  double *u, *v, *a;
  double  force[MAX_JOINTS]; /* of each joint [N] */
} State;

typedef struct {
  double *linear; /* 4/h^2 M + 2/h C + K */
  double *tangent, *load, *residual, *du, *x;
  double  scale; /* largest force so far [N] */
  int     predict, lu;
  int    *pivots;
  long    iterations;
} Newmark;

/* All energies [J]; what the joints absorb is partly stored in their sliders' springs. */
typedef struct {
  double work, damped, absorbed;
} Energy;

typedef struct {
  const char *system, *history;
  int         steps, sliders, every, energy, predict, lu;
} Options;

static void Fail(const char *message, const char *what)
{
  fprintf(stderr, "textbook: %s%s\n", message, what);
  exit(2);
}

static double *Allocate(size_t count)
{
  double *array = calloc(count, sizeof *array);
  if (!array) Fail("out of memory", "");
  return array;
}

/* y += factor A x */
static void MultiplyAdd(int n, double factor, const double *A, const double *x, double *y)
{
  const int    one  = 1;
  const double unit = 1;
  dgemv_("N", &n, &n, &factor, A, &n, x, &one, &unit, y, &one);
}

static double Dot(int n, const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static double Norm(int n, const double *x)
{
  return sqrt(Dot(n, x, x));
}

/* A += k (e_j - e_i)(e_j - e_i)^T; i = -1 is the ground */
static void AddSpring(int n, int i, int j, double k, double *A)
{
  A[j * n + j] += k;
  if (i < 0) return;
  A[i * n + i] += k;
  A[i * n + j] -= k;
  A[j * n + i] -= k;
}

/* The four-parameter Iwan element [eqs 10, 11, A.1 to A.5] in bins, each with its own mean strength. */
static void IwanSetUp(const System *system, int num_bins, Iwan *iwan)
{
  const double chi = system->chi, beta = system->beta;
  const double share = beta + (chi + 1) / (chi + 2);
  const double phi   = system->slip_force * (1 + beta) / (system->joint_stiffness * share);
  const double R     = system->slip_force * (chi + 1) / (pow(phi, chi + 2) * share);

  iwan->count     = num_bins + 1;
  iwan->stiffness = Allocate(iwan->count);
  iwan->reach     = Allocate(iwan->count);
  iwan->position  = Allocate(iwan->count);
  for (int i = 0; i < num_bins; i++) {
    const double low = phi * i / num_bins, high = phi * (i + 1) / num_bins;
    const double strength = R * (pow(high, chi + 2) - pow(low, chi + 2)) / (chi + 2);
    iwan->stiffness[i]    = R * (pow(high, chi + 1) - pow(low, chi + 1)) / (chi + 1);
    iwan->reach[i]        = strength / iwan->stiffness[i];
  }
  iwan->stiffness[num_bins] = system->slip_force / phi * beta / share; /* S */
  iwan->reach[num_bins]     = phi;
}

static double IwanEvaluate(const Iwan *iwan, double d, double *tangent)
{
  double force = 0, slope = 0;
  for (int i = 0; i < iwan->count; i++) {
    const double stretch = d - iwan->position[i], reach = iwan->reach[i], k = iwan->stiffness[i];
    if (stretch > reach) force += k * reach;
    else if (stretch < -reach) force -= k * reach;
    else {
      force += k * stretch;
      slope += k;
    }
  }
  *tangent = slope;
  return force;
}

static void IwanCommit(Iwan *iwan, double d)
{
  for (int i = 0; i < iwan->count; i++) {
    const double low = d - iwan->reach[i], high = d + iwan->reach[i], position = iwan->position[i];
    iwan->position[i] = position < low ? low : position > high ? high : position;
  }
}

static double IwanStored(const Iwan *iwan, double d)
{
  double energy = 0;
  for (int i = 0; i < iwan->count; i++) energy += 0.5 * iwan->stiffness[i] * (d - iwan->position[i]) * (d - iwan->position[i]);
  return energy;
}

/* Eq. 25, C = M Phi diag(2 omega zeta) Phi^T M with the modes of the stuck system; gives the highest omega [rad/s]. */
static double DampModes(System *system)
{
  const int n = system->n, kind = 1, size = n * (n + 8);
  int       info;
  double   *shapes = Allocate(n * n), *mass = Allocate(n * n), *square = Allocate(n), *work = Allocate(size), *x = Allocate(n), highest;

  memcpy(shapes, system->K, sizeof(double) * n * n);
  memcpy(mass, system->M, sizeof(double) * n * n);
  for (int i = 0; i < system->num_joints; i++) AddSpring(n, system->joints[i].negative, system->joints[i].positive, system->joint_stiffness, shapes);
  dsygv_(&kind, "V", "L", &n, shapes, &n, mass, &n, square, work, &size, &info);
  if (info) Fail("dsygv failed", "");
  for (int mode = 0; mode < n; mode++) {
    memset(x, 0, sizeof(double) * n);
    MultiplyAdd(n, 1, system->M, shapes + mode * n, x);
    for (int i = 0; i < n * n; i++) system->C[i] += 2 * DAMPING_RATIO * sqrt(square[mode]) * x[i / n] * x[i % n];
  }
  highest = sqrt(square[n - 1]);
  free(shapes), free(mass), free(square), free(work), free(x);
  return highest;
}

/* Sec. 3.1: three masses; the Iwan element is parallel to the spring of the second and third. */
static void DescribeThreeMass(System *system)
{
  *system = (System){
    .n = 3, .num_joints = 1, .slip_force = 10, .joint_stiffness = 1, .chi = -0.5, .beta = 5, .time_step = 0.02, .amplitude = 500, .loaded = 1};
  system->joints[0] = (Iwan){.negative = 1, .positive = 2};
}

/* 49 masses in a line, four Iwan elements parallel to springs, hit in the middle. */
static void DescribeChain(System *system)
{
  *system = (System){.n               = 49,
                     .num_joints      = 4,
                     .slip_force      = 30,
                     .joint_stiffness = 5e5,
                     .chi             = -0.3,
                     .beta            = 0.5,
                     .time_step       = 5e-5,
                     .amplitude       = 200,
                     .duration        = 2e-3,
                     .loaded          = 24};
  for (int i = 0; i < 4; i++) system->joints[i] = (Iwan){.negative = 10 * i + 9, .positive = 10 * i + 10};
}

static void SystemSetUp(const char *name, int sliders, System *system)
{
  double mass, stiffness, highest;

  if (!strcmp(name, "three_mass")) {
    DescribeThreeMass(system);
    mass = 10, stiffness = 9;
  } else if (!strcmp(name, "chain")) {
    DescribeChain(system);
    mass = 1, stiffness = 1e6;
  } else Fail("no such system: ", name);
  system->M = Allocate(system->n * system->n);
  system->C = Allocate(system->n * system->n);
  system->K = Allocate(system->n * system->n);
  for (int i = 0; i < system->n; i++) {
    system->M[i * system->n + i] = mass;
    AddSpring(system->n, i - 1, i, stiffness, system->K);
  }
  for (int i = 0; i < system->num_joints; i++) IwanSetUp(system, sliders, &system->joints[i]);
  highest = DampModes(system);
  if (system->duration == 0) system->duration = PI / highest;
}

static double Load(const System *system, double time)
{
  return time < system->duration ? system->amplitude * sin(PI * time / system->duration) : 0;
}

static double JointMotion(const Iwan *joint, const double *u)
{
  return u[joint->positive] - u[joint->negative];
}

static void NewmarkSetUp(const System *system, const Options *options, Newmark *newmark)
{
  const int    n = system->n;
  const double h = system->time_step;

  *newmark = (Newmark){.predict  = options->predict,
                       .lu       = options->lu,
                       .pivots   = calloc((size_t)n, sizeof(int)),
                       .linear   = Allocate(n * n),
                       .tangent  = Allocate(n * n),
                       .load     = Allocate(n),
                       .residual = Allocate(n),
                       .du       = Allocate(n),
                       .x        = Allocate(n)};
  for (int i = 0; i < n * n; i++) newmark->linear[i] = 4 / (h * h) * system->M[i] + 2 / h * system->C[i] + system->K[i];
}

/* What drives the step besides the joints: p + M (4/h v + a) + C v - K u. */
static void MakeLoad(const System *system, const State *state, double p, Newmark *newmark)
{
  const int n = system->n;

  memset(newmark->load, 0, sizeof(double) * n);
  newmark->load[system->loaded] = p;
  MultiplyAdd(n, -1, system->K, state->u, newmark->load);
  newmark->scale = fmax(newmark->scale, Norm(n, newmark->load));
  MultiplyAdd(n, 1, system->C, state->v, newmark->load);
  for (int i = 0; i < n; i++) newmark->x[i] = 4 / system->time_step * state->v[i] + state->a[i];
  MultiplyAdd(n, 1, system->M, newmark->x, newmark->load);
}

/* Residual and tangent at u + du. */
static void Assemble(const System *system, State *state, Newmark *newmark)
{
  const int n = system->n;

  memcpy(newmark->residual, newmark->load, sizeof(double) * n);
  MultiplyAdd(n, -1, newmark->linear, newmark->du, newmark->residual);
  memcpy(newmark->tangent, newmark->linear, sizeof(double) * n * n);
  for (int i = 0; i < system->num_joints; i++) {
    const Iwan *joint = &system->joints[i];
    double      slope;
    state->force[i] = IwanEvaluate(joint, JointMotion(joint, state->u) + JointMotion(joint, newmark->du), &slope);
    newmark->residual[joint->positive] -= state->force[i];
    newmark->residual[joint->negative] += state->force[i];
    AddSpring(n, joint->negative, joint->positive, slope, newmark->tangent);
  }
}

/* Full Newton for the step's du: from the last displacement, as the books print it, or from a constant acceleration. */
static void Solve(const System *system, State *state, Newmark *newmark)
{
  const int    n = system->n, one = 1;
  const double h = system->time_step;
  int          info;

  for (int i = 0; i < n; i++) newmark->du[i] = newmark->predict ? h * state->v[i] + 0.5 * h * h * state->a[i] : 0;
  for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    Assemble(system, state, newmark);
    if (Norm(n, newmark->residual) <= FORCE_TOLERANCE * newmark->scale) return;
    if (newmark->lu) {
      dgetrf_(&n, &n, newmark->tangent, &n, newmark->pivots, &info);
      if (info) Fail("the effective matrix is singular", "");
      dgetrs_("N", &n, &one, newmark->tangent, &n, newmark->pivots, newmark->residual, &n, &info);
    } else {
      dpotrf_("L", &n, newmark->tangent, &n, &info);
      if (info) Fail("the effective matrix is not positive definite", "");
      dpotrs_("L", &n, &one, newmark->tangent, &n, newmark->residual, &n, &info);
    }
    for (int i = 0; i < n; i++) newmark->du[i] += newmark->residual[i];
    newmark->iterations++;
  }
  Fail("Newton does not converge", "");
}

static void Advance(System *system, const Newmark *newmark, State *state)
{
  const double h = system->time_step;

  for (int i = 0; i < system->n; i++) {
    const double v = state->v[i];
    state->u[i] += newmark->du[i];
    state->v[i] = 2 / h * newmark->du[i] - v;
    state->a[i] = 4 / (h * h) * newmark->du[i] - 4 / h * v - state->a[i];
  }
  for (int i = 0; i < system->num_joints; i++) IwanCommit(&system->joints[i], JointMotion(&system->joints[i], state->u));
}

/* Average acceleration keeps this balance exactly: mean forces times increments. */
static void AddEnergy(const System *system, const Newmark *newmark, double mean_load, const double before[], const double after[], Energy *energy,
                      double *x)
{
  memset(x, 0, sizeof(double) * system->n);
  MultiplyAdd(system->n, 1 / system->time_step, system->C, newmark->du, x);
  energy->damped += Dot(system->n, x, newmark->du);
  energy->work += mean_load * newmark->du[system->loaded];
  for (int i = 0; i < system->num_joints; i++) energy->absorbed += 0.5 * (before[i] + after[i]) * JointMotion(&system->joints[i], newmark->du);
}

/* x^T A x / 2 */
static double HalfForm(int n, const double *A, const double *x, double *y)
{
  memset(y, 0, sizeof(double) * n);
  MultiplyAdd(n, 0.5, A, x, y);
  return Dot(n, x, y);
}

static void PrintEnergy(const System *system, const State *state, const Energy *energy, double *x)
{
  const double kinetic = HalfForm(system->n, system->M, state->v, x), strain = HalfForm(system->n, system->K, state->u, x);
  double       stored = 0;

  for (int i = 0; i < system->num_joints; i++) stored += IwanStored(&system->joints[i], JointMotion(&system->joints[i], state->u));
  printf("work: %.17g\nkinetic: %.17g\nstrain: %.17g\n", energy->work, kinetic, strain);
  printf("joints_stored: %.17g\njoints_dissipated: %.17g\ndamped: %.17g\n", stored, energy->absorbed - stored, energy->damped);
  printf("energy_error: %.3g\n", (kinetic + strain + energy->absorbed + energy->damped - energy->work) / energy->work);
}

static double Now(void)
{
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void Integrate(System *system, const Options *options)
{
  Newmark newmark;
  State   state  = {.u = Allocate(system->n), .v = Allocate(system->n), .a = Allocate(system->n)};
  Energy  energy = {0, 0, 0};
  FILE   *file   = options->history ? fopen(options->history, "w") : NULL;
  double  peak   = 0, start, seconds, before[MAX_JOINTS];

  if (options->history && !file) Fail("cannot write ", options->history);
  if (file) fprintf(file, "time,displacement,force\n");
  NewmarkSetUp(system, options, &newmark);
  start = Now();
  for (int step = 1; step <= options->steps; step++) {
    const double time = step * system->time_step, p = Load(system, time);
    memcpy(before, state.force, sizeof before);
    MakeLoad(system, &state, p, &newmark);
    Solve(system, &state, &newmark);
    Advance(system, &newmark, &state);
    if (options->energy) AddEnergy(system, &newmark, 0.5 * (Load(system, time - system->time_step) + p), before, state.force, &energy, newmark.x);
    for (int i = 0; i < system->num_joints; i++) peak = fmax(peak, fabs(state.force[i]));
    if (file && step % options->every == 0) fprintf(file, "%.17g,%.17g,%.17g\n", time, state.u[system->loaded], state.force[0]);
  }
  seconds = Now() - start;
  if (file && fclose(file)) Fail("cannot write ", options->history);
  printf("system: %s\nsliders: %d\nsteps: %d\nseconds: %.6f\nsteps_per_second: %.1f\n", options->system, options->sliders, options->steps, seconds,
         options->steps / seconds);
  printf("iterations_per_step: %.4f\ndisplacement: %.17g\npeak_force: %.17g\n", (double)newmark.iterations / options->steps, state.u[system->loaded],
         peak);
  if (options->energy) PrintEnergy(system, &state, &energy, newmark.x);
}

static int Count(const char *text)
{
  char *end;
  long  count = strtol(text, &end, 10);
  if (*end || end == text || count < 1 || count > 2000000000) Fail("not a count: ", text);
  return (int)count;
}

static Options Parse(int argc, char **argv)
{
  Options options = {.steps = 20000, .sliders = 200, .every = 1};

  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (argv[i][0] != '-') options.system = argv[i];
    else if (!strcmp(argv[i], "--energy")) options.energy = 1;
    else if (!strcmp(argv[i], "--predict")) options.predict = 1;
    else if (!strcmp(argv[i], "--lu")) options.lu = 1;
    else if (!strcmp(argv[i], "--steps")) options.steps = Count(value), i++;
    else if (!strcmp(argv[i], "--sliders")) options.sliders = Count(value), i++;
    else if (!strcmp(argv[i], "--every")) options.every = Count(value), i++;
    else if (!strcmp(argv[i], "--history")) options.history = value, i++;
    else Fail("no such option: ", argv[i]);
  }
  if (!options.system)
    Fail("usage: textbook three_mass|chain [--steps N] [--sliders N] [--history FILE] [--every N] [--energy] [--predict] [--lu]", "");
  return options;
}

int main(int argc, char **argv)
{
  const Options options = Parse(argc, argv);
  System        system;

  SystemSetUp(options.system, options.sliders, &system);
  Integrate(&system, &options);
  return 0;
}
