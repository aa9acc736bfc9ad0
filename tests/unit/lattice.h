/*
  lattice.h - structures for the tests of reductions: boxes of nodes joined by bars, no two alike, and motions that are kept.

  Every rank holds the whole lattice and makes its rows of matrices of it. Dense matrices are column after column.
*/
#pragma once
#include "continuum.h"
#include "check.h"
#include <petscblaslapack.h>
#include <slepcsys.h>

typedef struct {
  PetscInt  ends[2]; /* nodes; -1 is the ground */
  PetscReal direction[3], stiffness, mass;
} Bar;

typedef struct {
  PetscInt num_nodes, num_bodies, num_bars, num_rows, num_entries;
  PetscReal (*x)[3];
  PetscInt *body;
  Bar      *bars;
  struct {
    PetscInt  row, unknown;
    PetscReal weight;
  } * entries; /* of R */
  uint64_t seed;
} Lattice;

enum { MAX_NODES = 6000, MAX_BARS = 80000, MAX_ENTRIES = 40000 };

static inline Lattice LatticeNew(void)
{
  Lattice lattice = {.seed = 5};

  assert_ok(PetscMalloc1(MAX_NODES, &lattice.x));
  assert_ok(PetscMalloc1(MAX_NODES, &lattice.body));
  assert_ok(PetscMalloc1(MAX_BARS, &lattice.bars));
  assert_ok(PetscMalloc1(MAX_ENTRIES, &lattice.entries));
  return lattice;
}

static inline void LatticeDestroy(Lattice *lattice)
{
  assert_ok(PetscFree(lattice->x));
  assert_ok(PetscFree(lattice->body));
  assert_ok(PetscFree(lattice->bars));
  assert_ok(PetscFree(lattice->entries));
}

/* A random number in [0.5, 1.5). */
static inline PetscReal AroundOne(Lattice *lattice)
{
  lattice->seed = lattice->seed * 6364136223846793005u + 1442695040888963407u;
  return 0.5 + (PetscReal)(lattice->seed >> 11) / 9007199254740992.0;
}

static inline PetscInt AddNode(Lattice *lattice, PetscInt body, PetscReal x, PetscReal y, PetscReal z)
{
  const PetscInt node = lattice->num_nodes++;

  assert_true(node < MAX_NODES);
  lattice->x[node][0] = x;
  lattice->x[node][1] = y;
  lattice->x[node][2] = z;
  lattice->body[node] = body;
  lattice->num_bodies = PetscMax(lattice->num_bodies, body + 1);
  return node;
}

/* `along` need not have length one; other = -1 is the ground. */
static inline void AddBar(Lattice *lattice, PetscInt node, PetscInt other, const PetscReal along[3], PetscReal stiffness)
{
  const PetscReal length = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
  Bar *const      bar    = &lattice->bars[lattice->num_bars++];

  assert_true(lattice->num_bars < MAX_BARS);
  *bar = (Bar){{node, other}, {along[0] / length, along[1] / length, along[2] / length}, stiffness / length, 0.1 * length * AroundOne(lattice)};
}

/* A body of n[0] x n[1] x n[2] nodes, each joined with its 26 neighbours; `first` becomes its first node, node (i, j, k) follows
   as first + (i n[1] + j) n[2] + k. Clamped, a layer of ground lies before i = 0. */
static inline PetscInt AddBox(Lattice *lattice, const PetscInt n[3], PetscReal x0, PetscBool clamped)
{
  const PetscInt first = lattice->num_nodes, body = lattice->num_bodies;

  for (PetscInt i = 0; i < n[0]; i++)
    for (PetscInt j = 0; j < n[1]; j++)
      for (PetscInt k = 0; k < n[2]; k++) AddNode(lattice, body, x0 + (PetscReal)i, (PetscReal)j, (PetscReal)k);
  for (PetscInt i = 0; i < n[0]; i++)
    for (PetscInt j = 0; j < n[1]; j++)
      for (PetscInt k = 0; k < n[2]; k++)
        for (PetscInt d = 0; d < 27; d++) {
          const PetscInt  to[3]    = {i + d / 9 - 1, j + d / 3 % 3 - 1, k + d % 3 - 1};
          const PetscReal along[3] = {(PetscReal)(d / 9 - 1), (PetscReal)(d / 3 % 3 - 1), (PetscReal)(d % 3 - 1)};
          const PetscBool ground   = (PetscBool)(clamped && to[0] == -1);

          if ((!ground && (d <= 13 || to[0] >= n[0])) || to[1] < 0 || to[1] >= n[1] || to[2] < 0 || to[2] >= n[2]) continue;
          AddBar(lattice, first + (i * n[1] + j) * n[2] + k, ground ? -1 : first + (to[0] * n[1] + to[1]) * n[2] + to[2], along,
                 1e4 * AroundOne(lattice));
        }
  return first;
}

/* Motions to keep. */

static inline void AddEntry(Lattice *lattice, PetscInt row, PetscInt unknown, PetscReal weight)
{
  assert_true(lattice->num_entries < MAX_ENTRIES);
  lattice->entries[lattice->num_entries].row      = row;
  lattice->entries[lattice->num_entries].unknown  = unknown;
  lattice->entries[lattice->num_entries++].weight = weight;
  lattice->num_rows                               = PetscMax(lattice->num_rows, row + 1);
}

static inline void KeepNode(Lattice *lattice, PetscInt node)
{
  for (PetscInt c = 0; c < 3; c++) AddEntry(lattice, lattice->num_rows, 3 * node + c, 1.0);
}

/* What the six rigid motions, rotations about `centre`, do to component c of a place. */
static inline void RigidMotions(const PetscReal x[3], const PetscReal centre[3], PetscInt c, PetscReal motion[6])
{
  const PetscReal r[3] = {x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]};

  for (PetscInt d = 0; d < 6; d++) motion[d] = d == c ? 1.0 : 0.0;
  motion[3 + (c + 1) % 3] = r[(c + 2) % 3]; /* u = theta x r */
  motion[3 + (c + 2) % 3] = -r[(c + 1) % 3];
}

/* The rigid motion nearest to that of the nodes, by least squares: six rows. */
static inline void KeepPatch(Lattice *lattice, PetscInt num, const PetscInt nodes[])
{
  const PetscInt first     = lattice->num_rows;
  PetscReal      centre[3] = {0}, motion[6], products[36] = {0};
  PetscBLASInt   six = 6, one = 1, info;

  for (PetscInt i = 0; i < num; i++)
    for (PetscInt c = 0; c < 3; c++) centre[c] += lattice->x[nodes[i]][c] / (PetscReal)num;
  for (PetscInt i = 0; i < 3 * num; i++) {
    RigidMotions(lattice->x[nodes[i / 3]], centre, i % 3, motion);
    for (PetscInt a = 0; a < 36; a++) products[a] += motion[a / 6] * motion[a % 6];
  }
  LAPACKpotrf_("U", &six, products, &six, &info);
  assert_int_equal(info, 0);
  for (PetscInt i = 0; i < 3 * num; i++) {
    RigidMotions(lattice->x[nodes[i / 3]], centre, i % 3, motion);
    LAPACKpotrs_("U", &six, &one, products, &six, motion, &six, &info);
    for (PetscInt d = 0; d < 6; d++) AddEntry(lattice, first + d, 3 * nodes[i / 3] + i % 3, motion[d]);
  }
}

/* Distributed matrices. */

typedef struct {
  Continuum continuum;
  PetscInt *body;
} Structure;

static inline Mat NewMatrix(MPI_Comm comm, MatType type, PetscInt num_local, PetscInt n)
{
  Mat matrix;

  assert_ok(MatCreate(comm, &matrix));
  assert_ok(MatSetSizes(matrix, num_local, num_local, n, n));
  assert_ok(MatSetType(matrix, type));
  assert_ok(MatSetBlockSize(matrix, 3));
  assert_ok(MatSetUp(matrix));
  assert_ok(MatSetOption(matrix, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  assert_ok(MatSetOption(matrix, MAT_SYMMETRIC, PETSC_TRUE));
  return matrix;
}

static inline void Assemble(Mat matrix)
{
  assert_ok(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  assert_ok(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
}

/* Calls `add` for all entries of the bar's stiffness and mass (consistent; half of it on the ground is lost). */
typedef void (*AddPair)(void *target, PetscInt i, PetscInt j, PetscReal stiffness, PetscReal mass);

static inline void BarEntries(const Bar *bar, AddPair add, void *target)
{
  for (PetscInt e = 0; e < 36; e++) {
    const PetscInt a = e / 18, b = e / 9 % 2, c = e / 3 % 3, d = e % 3;

    if (bar->ends[a] < 0 || bar->ends[b] < 0) continue;
    add(target, 3 * bar->ends[a] + c, 3 * bar->ends[b] + d, (a == b ? 1.0 : -1.0) * bar->stiffness * bar->direction[c] * bar->direction[d],
        c == d ? bar->mass * (a == b ? 2.0 : 1.0) / 6.0 : 0.0);
  }
}

static inline void AddToContinuum(void *target, PetscInt i, PetscInt j, PetscReal stiffness, PetscReal mass)
{
  const Continuum *continuum = target;
  PetscInt         first, end;
  PetscBool        triangular;

  assert_ok(MatGetOwnershipRange(continuum->K, &first, &end));
  assert_ok(PetscObjectTypeCompareAny((PetscObject)continuum->K, &triangular, MATSEQSBAIJ, MATMPISBAIJ, ""));
  if (i < first || i >= end || (triangular && j < i)) return;
  assert_ok(MatSetValue(continuum->K, i, j, stiffness, ADD_VALUES));
  assert_ok(MatSetValue(continuum->M, i, j, mass, ADD_VALUES));
}

static inline void FillRigid(const Lattice *lattice, Structure *structure, PetscInt first, PetscInt num_local)
{
  const PetscReal origin[3] = {0};
  PetscReal       motion[6];

  assert_ok(PetscMalloc1(num_local, &structure->body));
  for (PetscInt i = first; i < first + num_local; i++) {
    RigidMotions(lattice->x[i / 3], origin, i % 3, motion);
    for (PetscInt d = 0; d < 6; d++) assert_ok(MatSetValue(structure->continuum.rigid, i, d, motion[d], INSERT_VALUES));
    structure->body[i - first] = lattice->body[i / 3];
  }
  Assemble(structure->continuum.rigid);
}

static inline Structure StructureNew(const Lattice *lattice, MPI_Comm comm, MatType type)
{
  const PetscInt n           = 3 * lattice->num_nodes;
  PetscInt       local_nodes = PETSC_DECIDE, num_nodes = lattice->num_nodes, first, end;
  Structure      structure = {.continuum = {.num_held = 0}};
  Continuum     *continuum = &structure.continuum;

  assert_ok(PetscSplitOwnership(comm, &local_nodes, &num_nodes));
  continuum->K = NewMatrix(comm, type, 3 * local_nodes, n);
  continuum->M = NewMatrix(comm, type, 3 * local_nodes, n);
  for (PetscInt b = 0; b < lattice->num_bars; b++) BarEntries(&lattice->bars[b], AddToContinuum, continuum);
  Assemble(continuum->K);
  Assemble(continuum->M);
  assert_ok(MatCreate(comm, &continuum->R));
  assert_ok(MatSetSizes(continuum->R, PETSC_DECIDE, 3 * local_nodes, lattice->num_rows, n));
  assert_ok(MatSetType(continuum->R, MATAIJ));
  assert_ok(MatSetUp(continuum->R));
  assert_ok(MatSetOption(continuum->R, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  assert_ok(MatGetOwnershipRange(continuum->R, &first, &end));
  for (PetscInt e = 0; e < lattice->num_entries; e++)
    if (first <= lattice->entries[e].row && lattice->entries[e].row < end)
      assert_ok(MatSetValue(continuum->R, lattice->entries[e].row, lattice->entries[e].unknown, lattice->entries[e].weight, ADD_VALUES));
  Assemble(continuum->R);
  assert_ok(MatGetOwnershipRange(continuum->K, &first, &end));
  assert_ok(MatCreateDense(comm, 3 * local_nodes, PETSC_DECIDE, n, 6, NULL, &continuum->rigid));
  FillRigid(lattice, &structure, first, end - first);
  continuum->num_bodies = lattice->num_bodies;
  continuum->body       = structure.body;
  return structure;
}

static inline void StructureDestroy(Structure *structure)
{
  assert_ok(MatDestroy(&structure->continuum.K));
  assert_ok(MatDestroy(&structure->continuum.M));
  assert_ok(MatDestroy(&structure->continuum.R));
  assert_ok(MatDestroy(&structure->continuum.rigid));
  assert_ok(PetscFree(structure->body));
}

/* The reduction of a lattice, spread over the ranks of `comm`. */
static inline Reduction *Reduce(const Lattice *lattice, MPI_Comm comm, MatType type, PetscInt num_modes, PetscBool prove)
{
  const ReductionOptions options   = {num_modes, prove};
  Structure              structure = StructureNew(lattice, comm, type);
  Reduction             *reduction;

  assert_ok(ReductionCompute(&structure.continuum, &options, &reduction));
  StructureDestroy(&structure);
  return reduction;
}

/* Dense matrices, the same on all ranks. */

typedef struct {
  PetscInt   n, m;
  PetscReal *K, *M, *R; /* [n, n], [n, n], [m, n] */
} Dense;

static inline void AddToDense(void *target, PetscInt i, PetscInt j, PetscReal stiffness, PetscReal mass)
{
  const Dense *dense = target;

  dense->K[j * dense->n + i] += stiffness;
  dense->M[j * dense->n + i] += mass;
}

static inline Dense DenseNew(const Lattice *lattice)
{
  Dense dense = {.n = 3 * lattice->num_nodes, .m = lattice->num_rows};

  assert_ok(PetscCalloc3(dense.n * dense.n, &dense.K, dense.n * dense.n, &dense.M, dense.m * dense.n, &dense.R));
  for (PetscInt b = 0; b < lattice->num_bars; b++) BarEntries(&lattice->bars[b], AddToDense, &dense);
  for (PetscInt e = 0; e < lattice->num_entries; e++)
    dense.R[lattice->entries[e].unknown * dense.m + lattice->entries[e].row] += lattice->entries[e].weight;
  return dense;
}

static inline void DenseDestroy(Dense *dense)
{
  assert_ok(PetscFree3(dense->K, dense->M, dense->R));
}

/* C[rows, columns] = A^T B or A B. */
static inline void DenseProduct(const char *transposed, PetscInt rows, PetscInt inner, PetscInt columns, const PetscReal A[], const PetscReal B[],
                                PetscReal C[])
{
  const PetscBLASInt r = (PetscBLASInt)rows, i = (PetscBLASInt)inner, c = (PetscBLASInt)columns, a = *transposed == 'T' ? i : r;
  const PetscReal    one = 1.0, zero = 0.0;

  BLASgemm_(transposed, "N", &r, &c, &i, &one, A, &a, B, &i, &zero, C, &r);
}

/* T^T A T with T[n, size]. */
static inline void DenseProject(PetscInt n, PetscInt size, const PetscReal A[], const PetscReal T[], PetscReal projected[])
{
  PetscReal *work;

  assert_ok(PetscMalloc1(n * size, &work));
  DenseProduct("N", n, n, size, A, T, work);
  DenseProduct("T", size, n, size, T, work, projected);
  assert_ok(PetscFree(work));
}

/* K phi = omega^2 M phi with phi^T M phi = 1: omega^2 ascending; phi[n, n] may be NULL. */
static inline void DenseModes(PetscInt n, const PetscReal K[], const PetscReal M[], PetscReal eigenvalue[], PetscReal phi[])
{
  PetscBLASInt size = (PetscBLASInt)n, kind = 1, room = (PetscBLASInt)(8 * n), info;
  PetscReal   *stiffness, *mass, *work;

  assert_ok(PetscMalloc3(n * n, &stiffness, n * n, &mass, room, &work));
  assert_ok(PetscArraycpy(stiffness, K, n * n));
  assert_ok(PetscArraycpy(mass, M, n * n));
  LAPACKsygv_(&kind, "V", "U", &size, stiffness, &size, mass, &size, eigenvalue, work, &room, &info);
  assert_int_equal(info, 0);
  if (phi) assert_ok(PetscArraycpy(phi, stiffness, n * n));
  assert_ok(PetscFree3(stiffness, mass, work));
}

/* A x = b for several right-hand sides, b[n, count] becomes x. */
static inline void DenseSolve(PetscInt n, const PetscReal A[], PetscInt count, PetscReal b[])
{
  PetscBLASInt size = (PetscBLASInt)n, columns = (PetscBLASInt)count, info, *pivots;
  PetscReal   *factor;

  assert_ok(PetscMalloc2(n * n, &factor, n, &pivots));
  assert_ok(PetscArraycpy(factor, A, n * n));
  LAPACKgesv_(&size, &columns, factor, &size, pivots, b, &size, &info);
  assert_int_equal(info, 0);
  assert_ok(PetscFree2(factor, pivots));
}

/* Constraint modes [n, m], by elimination with the unscaled saddle matrix. */
static inline void DenseConstraintModes(const Dense *dense, PetscReal psi[])
{
  const PetscInt n = dense->n, m = dense->m, size = n + m;
  PetscReal     *saddle, *solution;

  assert_ok(PetscCalloc2(size * size, &saddle, size * m, &solution));
  for (PetscInt j = 0; j < n; j++) {
    for (PetscInt i = 0; i < n; i++) saddle[j * size + i] = dense->K[j * n + i];
    for (PetscInt i = 0; i < m; i++) saddle[j * size + n + i] = saddle[(n + i) * size + j] = 1e4 * dense->R[j * m + i];
  }
  for (PetscInt j = 0; j < m; j++) solution[j * size + n + j] = 1e4;
  DenseSolve(size, saddle, m, solution);
  for (PetscInt j = 0; j < m; j++) assert_ok(PetscArraycpy(psi + j * n, solution + j * size, n));
  assert_ok(PetscFree2(saddle, solution));
}

/* Modes with R phi = 0: omega^2 [n - m], phi [n, n - m], in the null space of R that the eigenvectors of R^T R give. */
static inline void DenseFixedModes(const Dense *dense, PetscReal eigenvalue[], PetscReal phi[])
{
  const PetscInt n = dense->n, free = n - dense->m;
  PetscBLASInt   size = (PetscBLASInt)n, room = (PetscBLASInt)(8 * n), info;
  PetscReal     *null, *values, *work, *K, *M, *shapes;

  assert_ok(PetscMalloc6(n * n, &null, n, &values, room, &work, free * free, &K, free * free, &M, free * free, &shapes));
  DenseProduct("T", n, dense->m, n, dense->R, dense->R, null);
  LAPACKsyev_("V", "U", &size, null, &size, values, work, &room, &info);
  assert_int_equal(info, 0);
  DenseProject(n, free, dense->K, null, K);
  DenseProject(n, free, dense->M, null, M);
  DenseModes(free, K, M, eigenvalue, shapes);
  DenseProduct("N", n, free, free, null, shapes, phi);
  assert_ok(PetscFree6(null, values, work, K, M, shapes));
}
