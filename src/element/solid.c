/* solid.c - stiffness, mass and stress of solid elements, LANES elements at a time. The equations are in NOTES.md. */
#include "solid.h"
#include "lane.h"

enum {
  MAX_NODES     = MESH_MAX_NODES,
  MAX_POINTS    = RULE_MAX_POINTS,
  MAX_INTERNAL  = 3,
  MAX_FUNCTIONS = 11 > MAX_NODES ? 11 : MAX_NODES, /* nodes and internal functions together */
  CONDENSED     = 3 * MAX_INTERNAL
};

/* The functions of a kind at the points of one rule: the same for all elements. */
typedef struct {
  PetscInt  num_points;
  PetscReal weight[MAX_POINTS];
  PetscReal value[MAX_POINTS][MAX_NODES];
  PetscReal gradient[MAX_POINTS][MAX_NODES][3];
  PetscReal internal[MAX_POINTS][MAX_INTERNAL][3];
  PetscReal center[MAX_NODES][3]; /* gradient at the centre */
} Table;

typedef struct {
  const Material *material;
  PetscInt        num_nodes, num_internal;
  Table           stiffness, mass;
} Solid;

/* What belongs to LANES elements. */
typedef struct {
  Lane      node[MAX_NODES][3];
  Lane      volume[MAX_POINTS];                     /* weight times Jacobian determinant at the points of the stiffness */
  Lane      gradient[MAX_FUNCTIONS][MAX_POINTS][3]; /* of each function, times the root of the volume */
  Lane      coupling[8][CONDENSED][3];              /* of a node to the internal unknowns, then L^-1 times that */
  Lane      factor[CONDENSED][CONDENSED];           /* L of the internal unknowns, below the diagonal; inverse on it */
  Lane      share[MAX_NODES][MAX_POINTS];           /* density times volume times shape function */
  Lane      motion[MAX_FUNCTIONS][3];               /* under which it is stressed: of nodes, then internal unknowns */
  PetscBool faulty[LANES];
} Batch;

static const Lane zero = {0};

static PetscErrorCode Tabulate(const SolidForm *form, const RuleFactors *factors, Table *table)
{
  const Shape *const shape = form->shape;
  PetscReal          unused[MAX_NODES];
  Rule               rule;

  PetscFunctionBegin;
  PetscCall(RuleMake(shape->dim, factors, &rule));
  table->num_points = rule.num_points;
  for (PetscInt q = 0; q < rule.num_points; q++) {
    table->weight[q] = rule.weights[q];
    shape->evaluate(shape, rule.points[q], table->value[q], table->gradient[q]);
    for (PetscInt f = 0; f < form->num_internal; f++) {
      for (PetscInt j = 0; j < 3; j++) table->internal[q][f][j] = j == form->internal[f] ? -2.0 * rule.points[q][j] : 0.0;
    }
  }
  shape->evaluate(shape, shape->center, unused, table->center);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The cofactors of J_ij = dx_i/dxi_j, which are det J times the transposed inverse, and the determinant. */
static inline Lane Cofactors(PetscInt num_nodes, const Lane node[][3], const PetscReal gradient[][3], Lane C[3][3])
{
  Lane xx = zero, xy = zero, xz = zero, yx = zero, yy = zero, yz = zero, zx = zero, zy = zero, zz = zero;

  for (PetscInt a = 0; a < num_nodes; a++) {
    const Lane      x = node[a][0], y = node[a][1], z = node[a][2];
    const PetscReal u = gradient[a][0], v = gradient[a][1], w = gradient[a][2];

    xx += x * u, xy += x * v, xz += x * w;
    yx += y * u, yy += y * v, yz += y * w;
    zx += z * u, zy += z * v, zz += z * w;
  }
  C[0][0] = yy * zz - yz * zy, C[0][1] = yz * zx - yx * zz, C[0][2] = yx * zy - yy * zx;
  C[1][0] = zy * xz - zz * xy, C[1][1] = zz * xx - zx * xz, C[1][2] = zx * xy - zy * xx;
  C[2][0] = xy * yz - xz * yy, C[2][1] = xz * yx - xx * yz, C[2][2] = xx * yy - xy * yx;
  return xx * C[0][0] + xy * C[0][1] + xz * C[0][2];
}

static inline Lane Root(Lane x)
{
  for (PetscInt e = 0; e < LANES; e++) x[e] = PetscSqrtReal(x[e]);
  return x;
}

static inline void CheckVolume(Lane volume, PetscBool faulty[LANES])
{
  for (PetscInt e = 0; e < LANES; e++) {
    if (!(volume[e] > 0.0)) faulty[e] = PETSC_TRUE;
  }
}

/* out = factor C gradient */
static inline void Push(const Lane C[3][3], Lane factor, const PetscReal gradient[3], Lane out[3])
{
  for (PetscInt i = 0; i < 3; i++) out[i] = (C[i][0] * gradient[0] + C[i][1] * gradient[1] + C[i][2] * gradient[2]) * factor;
}

/* Gradients in space. Those of the internal functions are taken with the Jacobian of the centre, so that their integral is zero
   and a constant stress does no work on them: the patch test. */
static inline void FindGradients(const Solid *solid, Batch *batch)
{
  const Table *const table = &solid->stiffness;
  const PetscInt     n     = solid->num_nodes;
  Lane               C[3][3], C0[3][3];

  Cofactors(n, (const Lane(*)[3])batch->node, table->center, C0);
  for (PetscInt q = 0; q < table->num_points; q++) {
    const Lane volume = Cofactors(n, (const Lane(*)[3])batch->node, table->gradient[q], C) * table->weight[q];
    const Lane factor = table->weight[q] / Root(volume); /* root of the volume over det J */

    CheckVolume(volume, batch->faulty);
    batch->volume[q] = volume;
    for (PetscInt a = 0; a < n; a++) Push((const Lane(*)[3])C, factor, table->gradient[q][a], batch->gradient[a][q]);
    for (PetscInt f = 0; f < solid->num_internal; f++) Push((const Lane(*)[3])C0, factor, table->internal[q][f], batch->gradient[n + f][q]);
  }
}

/* H = sum over k of a_k b_k^T */
static inline void SumProducts(PetscInt count, const Lane a[][3], const Lane b[][3], Lane H[3][3])
{
  Lane xx = zero, xy = zero, xz = zero, yx = zero, yy = zero, yz = zero, zx = zero, zy = zero, zz = zero;

  for (PetscInt k = 0; k < count; k++) {
    const Lane ax = a[k][0], ay = a[k][1], az = a[k][2], bx = b[k][0], by = b[k][1], bz = b[k][2];

    xx += ax * bx, xy += ax * by, xz += ax * bz;
    yx += ay * bx, yy += ay * by, yz += ay * bz;
    zx += az * bx, zy += az * by, zz += az * bz;
  }
  H[0][0] = xx, H[0][1] = xy, H[0][2] = xz;
  H[1][0] = yx, H[1][1] = yy, H[1][2] = yz;
  H[2][0] = zx, H[2][1] = zy, H[2][2] = zz;
}

/* K_ik = C_ijkl H_jl */
static inline void ApplyMaterial(const Material *material, const Lane H[3][3], Lane K[3][3])
{
  const PetscReal lambda = material->lambda, mu = material->mu;

  if (material->isotropic) {
    const Lane trace = mu * (H[0][0] + H[1][1] + H[2][2]);

    for (PetscInt i = 0; i < 3; i++) {
      for (PetscInt k = 0; k < 3; k++) K[i][k] = lambda * H[i][k] + mu * H[k][i];
      K[i][i] += trace;
    }
    return;
  }
  for (PetscInt i = 0; i < 3; i++) {
    for (PetscInt k = 0; k < 3; k++) {
      K[i][k] = zero;
      for (PetscInt j = 0; j < 3; j++) {
        for (PetscInt l = 0; l < 3; l++) K[i][k] += material->tensor[i][j][k][l] * H[j][l];
      }
    }
  }
}

/* The stiffness between two functions. */
static inline void Couple(const Solid *solid, const Batch *batch, PetscInt f, PetscInt g, Lane K[3][3])
{
  Lane H[3][3];

  SumProducts(solid->stiffness.num_points, (const Lane(*)[3])batch->gradient[f], (const Lane(*)[3])batch->gradient[g], H);
  ApplyMaterial(solid->material, (const Lane(*)[3])H, K);
}

/* Cholesky's L of the stiffness of the internal unknowns. */
static inline void FactorInternal(const Solid *solid, Batch *batch)
{
  const PetscInt n = solid->num_nodes, count = 3 * solid->num_internal;
  Lane(*const L)[CONDENSED] = batch->factor;
  Lane K[3][3];

  for (PetscInt f = 0; f < solid->num_internal; f++) {
    for (PetscInt g = 0; g <= f; g++) {
      Couple(solid, batch, n + f, n + g, K);
      for (PetscInt i = 0; i < 3; i++) {
        for (PetscInt k = 0; k < 3; k++) L[3 * f + i][3 * g + k] = K[i][k];
      }
    }
  }
  for (PetscInt k = 0; k < count; k++) {
    L[k][k] = 1.0 / Root(L[k][k]);
    for (PetscInt i = k + 1; i < count; i++) L[i][k] *= L[k][k];
    for (PetscInt j = k + 1; j < count; j++) {
      for (PetscInt i = j; i < count; i++) L[i][j] -= L[i][k] * L[j][k];
    }
  }
}

/* coupling = L^-1 (internal rows of the stiffness). */
static inline void CoupleInternal(const Solid *solid, Batch *batch)
{
  const PetscInt n = solid->num_nodes;
  Lane           K[3][3];

  for (PetscInt a = 0; a < n; a++) {
    Lane(*const Y)[3] = batch->coupling[a];

    for (PetscInt f = 0; f < solid->num_internal; f++) {
      Couple(solid, batch, n + f, a, K);
      for (PetscInt i = 0; i < 3; i++) {
        const PetscInt row = 3 * f + i;

        for (PetscInt m = 0; m < row; m++) {
          for (PetscInt k = 0; k < 3; k++) K[i][k] -= batch->factor[row][m] * Y[m][k];
        }
        for (PetscInt k = 0; k < 3; k++) Y[row][k] = K[i][k] * batch->factor[row][row];
      }
    }
  }
}

/* Blocks of nodes a <= b, less what the internal unknowns give way. */
static inline void StoreStiffness(const Solid *solid, const Batch *batch, PetscReal *const element[LANES])
{
  const PetscInt n = solid->num_nodes, size = 3 * n;
  Lane           K[3][3], less[3][3];

  for (PetscInt a = 0; a < n; a++) {
    for (PetscInt b = a; b < n; b++) {
      Couple(solid, batch, a, b, K);
      if (solid->num_internal) {
        SumProducts(3 * solid->num_internal, (const Lane(*)[3])batch->coupling[a], (const Lane(*)[3])batch->coupling[b], less);
        for (PetscInt i = 0; i < 3; i++) {
          for (PetscInt k = 0; k < 3; k++) K[i][k] -= less[i][k];
        }
      }
      for (PetscInt i = 0; i < 3; i++) {
        for (PetscInt k = 0; k < 3; k++) {
          for (PetscInt e = 0; e < LANES; e++) element[e][(3 * a + i) * size + 3 * b + k] = K[i][k][e];
        }
      }
    }
  }
}

static inline void FindShares(const Solid *solid, PetscBool volumes_known, Batch *batch)
{
  const Table *const table = &solid->mass;
  Lane               C[3][3];

  for (PetscInt q = 0; q < table->num_points; q++) {
    const Lane volume =
      volumes_known ? batch->volume[q] : Cofactors(solid->num_nodes, (const Lane(*)[3])batch->node, table->gradient[q], C) * table->weight[q];

    CheckVolume(volume, batch->faulty);
    for (PetscInt a = 0; a < solid->num_nodes; a++) batch->share[a][q] = solid->material->density * volume * table->value[q][a];
  }
}

static inline void StoreMass(const Solid *solid, const Batch *batch, PetscReal *const element[LANES])
{
  const PetscInt n = solid->num_nodes;

  for (PetscInt a = 0; a < n; a++) {
    for (PetscInt b = a; b < n; b++) {
      Lane sum = zero;

      for (PetscInt q = 0; q < solid->mass.num_points; q++) sum += batch->share[a][q] * solid->mass.value[q][b];
      for (PetscInt e = 0; e < LANES; e++) element[e][a * n + b] = sum[e];
    }
  }
}

static inline void Gather(PetscInt num_nodes, const PetscReal *const element[LANES], Batch *batch)
{
  for (PetscInt a = 0; a < num_nodes; a++) {
    for (PetscInt i = 0; i < 3; i++) {
      for (PetscInt e = 0; e < LANES; e++) batch->node[a][i][e] = element[e][3 * a + i];
    }
  }
  for (PetscInt e = 0; e < LANES; e++) batch->faulty[e] = PETSC_FALSE;
}

/* The elements first, first + 1, ...; the last one again where there are no more, which writes the same numbers twice. */
static void EvaluateBatch(const Solid *solid, PetscBool same_rule, PetscInt first, PetscInt num, const PetscReal coordinates[], PetscReal stiffness[],
                          PetscReal mass[], PetscInt *faulty)
{
  const PetscInt   n = solid->num_nodes;
  const PetscReal *places[LANES];
  PetscReal       *K[LANES], *M[LANES];
  Batch            batch;

  for (PetscInt e = 0; e < LANES; e++) {
    const size_t index = (size_t)PetscMin(first + e, num - 1);

    places[e] = coordinates + index * 3 * n;
    K[e]      = stiffness ? stiffness + index * 9 * n * n : NULL;
    M[e]      = mass ? mass + index * n * n : NULL;
  }
  Gather(n, places, &batch);
  if (stiffness) {
    FindGradients(solid, &batch);
    if (solid->num_internal) {
      FactorInternal(solid, &batch);
      CoupleInternal(solid, &batch);
    }
    StoreStiffness(solid, &batch, K);
  }
  if (mass) {
    FindShares(solid, stiffness && same_rule ? PETSC_TRUE : PETSC_FALSE, &batch);
    StoreMass(solid, &batch, M);
  }
  for (PetscInt e = 0; e < LANES && *faulty < 0; e++) {
    if (batch.faulty[e]) *faulty = first + e;
  }
}

PetscErrorCode SolidEvaluate(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                             PetscReal stiffness[], PetscReal mass[], PetscInt *faulty)
{
  const SolidForm *const   form  = kind->solid;
  const RuleFactors *const rule  = &form->shape->rule;
  const PetscBool          same  = form->stiffness_rule.table == rule->table && form->stiffness_rule.gauss == rule->gauss;
  Solid                    solid = {.material = properties->material, .num_nodes = form->shape->num_nodes, .num_internal = form->num_internal};

  PetscFunctionBegin;
  PetscCall(Tabulate(form, &form->stiffness_rule, &solid.stiffness));
  PetscCall(Tabulate(form, rule, &solid.mass));
  for (PetscInt first = 0; first < num; first += LANES) EvaluateBatch(&solid, same, first, num, coordinates, stiffness, mass, faulty);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The internal unknowns that the motion of the nodes makes: - L^-T sum_a Y_a u_a. */
static inline void FollowNodes(const Solid *solid, Batch *batch)
{
  const PetscInt n = solid->num_nodes, count = 3 * solid->num_internal;
  Lane           follow[CONDENSED];

  for (PetscInt r = count - 1; r >= 0; r--) {
    follow[r] = zero;
    for (PetscInt a = 0; a < n; a++)
      for (PetscInt k = 0; k < 3; k++) follow[r] -= batch->coupling[a][r][k] * batch->motion[a][k];
    for (PetscInt m = r + 1; m < count; m++) follow[r] -= batch->factor[m][r] * follow[m];
    follow[r] *= batch->factor[r][r];
    batch->motion[n + r / 3][r % 3] = follow[r];
  }
}

/* S_ij = C_ijkl D_kl */
static inline void FindStress(const Material *material, const Lane D[3][3], Lane S[3][3])
{
  const Lane trace = material->lambda * (D[0][0] + D[1][1] + D[2][2]);

  for (PetscInt i = 0; i < 3; i++) {
    for (PetscInt j = 0; j < 3; j++) {
      S[i][j] = material->isotropic ? material->mu * (D[i][j] + D[j][i]) + (i == j ? trace : zero) : zero;
      for (PetscInt t = 0; t < 9 && !material->isotropic; t++) S[i][j] += material->tensor[i][j][t / 3][t % 3] * D[t / 3][t % 3];
    }
  }
}

/* The stress at a point, in the axes of the model. */
static inline void StressAt(const Solid *solid, const Batch *batch, PetscInt q, Lane stress[3][3])
{
  const Lane root    = 1.0 / Root(batch->volume[q]);
  Lane       D[3][3] = {{zero}};

  for (PetscInt f = 0; f < solid->num_nodes + solid->num_internal; f++) {
    for (PetscInt k = 0; k < 3; k++) {
      for (PetscInt l = 0; l < 3; l++) D[k][l] += batch->motion[f][k] * batch->gradient[f][q][l] * root;
    }
  }
  FindStress(solid->material, (const Lane(*)[3])D, stress);
}

/* sum over points of g_a . stress g_b, for nodes a <= b. */
static inline void StoreGeometric(const Solid *solid, const Batch *batch, PetscReal *const element[LANES])
{
  const PetscInt n                         = solid->num_nodes;
  Lane           sum[MAX_NODES][MAX_NODES] = {{zero}}, S[3][3], t[3];

  for (PetscInt q = 0; q < solid->stiffness.num_points; q++) {
    StressAt(solid, batch, q, S);
    for (PetscInt a = 0; a < n; a++) {
      const Lane *const g = batch->gradient[a][q];

      for (PetscInt i = 0; i < 3; i++) t[i] = S[i][0] * g[0] + S[i][1] * g[1] + S[i][2] * g[2];
      for (PetscInt b = a; b < n; b++)
        sum[a][b] += t[0] * batch->gradient[b][q][0] + t[1] * batch->gradient[b][q][1] + t[2] * batch->gradient[b][q][2];
    }
  }
  for (PetscInt a = 0; a < n; a++) {
    for (PetscInt b = a; b < n; b++) {
      for (PetscInt e = 0; e < LANES; e++) element[e][a * n + b] = sum[a][b][e];
    }
  }
}

/* The elements first, first + 1, ... as EvaluateBatch has them, with what moves them. */
static void MoveBatch(const Solid *solid, PetscInt first, PetscInt num, const PetscReal coordinates[], const PetscReal displacements[], Batch *batch)
{
  const PetscInt   n = solid->num_nodes;
  const PetscReal *places[LANES], *motion[LANES];

  for (PetscInt e = 0; e < LANES; e++) {
    const size_t index = (size_t)PetscMin(first + e, num - 1);

    places[e] = coordinates + index * 3 * n;
    motion[e] = displacements + index * 3 * n;
  }
  Gather(n, places, batch);
  for (PetscInt i = 0; i < 3 * n; i++) {
    for (PetscInt e = 0; e < LANES; e++) batch->motion[i / 3][i % 3][e] = motion[e][i];
  }
  FindGradients(solid, batch);
  if (solid->num_internal) {
    FactorInternal(solid, batch);
    CoupleInternal(solid, batch);
    FollowNodes(solid, batch);
  }
}

static void StiffenBatch(const Solid *solid, PetscInt first, PetscInt num, const PetscReal coordinates[], const PetscReal displacements[],
                         PetscReal geometric[])
{
  PetscReal *element[LANES];
  Batch      batch;

  for (PetscInt e = 0; e < LANES; e++) element[e] = geometric + (size_t)PetscMin(first + e, num - 1) * PetscSqr(solid->num_nodes);
  MoveBatch(solid, first, num, coordinates, displacements, &batch);
  StoreGeometric(solid, &batch, element);
}

PetscErrorCode SolidStiffen(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                            const PetscReal displacements[], PetscReal geometric[])
{
  const SolidForm *const form  = kind->solid;
  Solid                  solid = {.material = properties->material, .num_nodes = form->shape->num_nodes, .num_internal = form->num_internal};

  PetscFunctionBegin;
  PetscCall(Tabulate(form, &form->stiffness_rule, &solid.stiffness));
  for (PetscInt first = 0; first < num; first += LANES) StiffenBatch(&solid, first, num, coordinates, displacements, geometric);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* As VTK orders them. */
static const PetscInt components[ELEMENT_STRESSES][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};

/* At nodes the fit of what is found at the points; the mean by volume. */
static void StressBatch(const Solid *solid, const Smoothing *smoothing, const Batch *batch, PetscReal *const nodal[LANES],
                        PetscReal *const mean[LANES])
{
  Lane at[MAX_NODES][ELEMENT_STRESSES] = {{zero}}, sum[ELEMENT_STRESSES] = {zero}, whole = zero, S[3][3];

  for (PetscInt q = 0; q < solid->stiffness.num_points; q++) {
    StressAt(solid, batch, q, S);
    whole += batch->volume[q];
    for (PetscInt c = 0; c < ELEMENT_STRESSES; c++) {
      const Lane stress = S[components[c][0]][components[c][1]];

      sum[c] += batch->volume[q] * stress;
      for (PetscInt a = 0; a < solid->num_nodes; a++) at[a][c] += smoothing->share[a][q] * stress;
    }
  }
  for (PetscInt e = 0; e < LANES; e++) {
    for (PetscInt c = 0; c < ELEMENT_STRESSES; c++) mean[e][c] = sum[c][e] / whole[e];
    for (PetscInt i = 0; i < solid->num_nodes * ELEMENT_STRESSES; i++) nodal[e][i] = at[i / ELEMENT_STRESSES][i % ELEMENT_STRESSES][e];
  }
}

PetscErrorCode SolidStress(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                           const PetscReal displacements[], PetscReal nodal[], PetscReal mean[])
{
  const SolidForm *const form  = kind->solid;
  Solid                  solid = {.material = properties->material, .num_nodes = form->shape->num_nodes, .num_internal = form->num_internal};
  PetscReal             *at_nodes[LANES], *of_element[LANES];
  Smoothing              smoothing;
  Batch                  batch;

  PetscFunctionBegin;
  PetscCall(Tabulate(form, &form->stiffness_rule, &solid.stiffness));
  PetscCall(SmoothingMake(form, &smoothing));
  for (PetscInt first = 0; first < num; first += LANES) {
    for (PetscInt e = 0; e < LANES; e++) {
      const size_t index = (size_t)PetscMin(first + e, num - 1);

      at_nodes[e]   = nodal + index * solid.num_nodes * ELEMENT_STRESSES;
      of_element[e] = mean + index * ELEMENT_STRESSES;
    }
    MoveBatch(&solid, first, num, coordinates, displacements, &batch);
    StressBatch(&solid, &smoothing, &batch, at_nodes, of_element);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt SolidNumPoints(const ElementKind *kind)
{
  Rule rule;

  if (RuleMake(kind->solid->shape->dim, &kind->solid->stiffness_rule, &rule)) return 0;
  return rule.num_points;
}

/* x = sum_a N_a x_a at the points of each element. */
static PetscErrorCode PointPlaces(const SolidForm *form, PetscInt num, const PetscReal coordinates[], PetscReal places[])
{
  PetscReal value[MESH_MAX_NODES], unused[MESH_MAX_NODES][3];
  Rule      rule;

  PetscFunctionBegin;
  PetscCall(RuleMake(form->shape->dim, &form->stiffness_rule, &rule));
  PetscCall(PetscArrayzero(places, 3 * num * rule.num_points));
  for (PetscInt q = 0; q < rule.num_points; q++) {
    form->shape->evaluate(form->shape, rule.points[q], value, unused);
    for (PetscInt e = 0; e < num; e++)
      for (PetscInt i = 0; i < 3 * form->shape->num_nodes; i++)
        places[3 * (e * rule.num_points + q) + i % 3] += value[i / 3] * coordinates[3 * e * form->shape->num_nodes + i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SolidPointStress(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                                const PetscReal displacements[], PetscReal places[], PetscReal stresses[])
{
  const SolidForm *const form  = kind->solid;
  Solid                  solid = {.material = properties->material, .num_nodes = form->shape->num_nodes, .num_internal = form->num_internal};
  Batch                  batch;
  Lane                   S[3][3];

  PetscFunctionBegin;
  PetscCall(Tabulate(form, &form->stiffness_rule, &solid.stiffness));
  PetscCall(PointPlaces(form, num, coordinates, places));
  for (PetscInt first = 0; first < num; first += LANES) {
    MoveBatch(&solid, first, num, coordinates, displacements, &batch);
    for (PetscInt q = 0; q < solid.stiffness.num_points; q++) {
      StressAt(&solid, &batch, q, S);
      for (PetscInt i = 0; i < ELEMENT_STRESSES * PetscMin(LANES, num - first); i++)
        stresses[ELEMENT_STRESSES * ((first + i / ELEMENT_STRESSES) * solid.stiffness.num_points + q) + i % ELEMENT_STRESSES] =
          S[components[i % ELEMENT_STRESSES][0]][components[i % ELEMENT_STRESSES][1]][i / ELEMENT_STRESSES];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
