/* naive_hex8.h - a textbook solid element, B^T D B at each point and condensation by elimination: nothing of it is shared with the code
   under test but the corner numbering of the brick. */
#pragma once
#include "check.h"
#include <string.h>

/* Corners of the brick, and the two Gauss points of a direction. */
static const PetscReal naive_corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};

enum { NAIVE_ALL = 33, NAIVE_NODAL = 24 };

static inline void NaiveInvert(const PetscReal A[3][3], PetscReal inverse[3][3], PetscReal *determinant)
{
  *determinant = 0;
  for (int i = 0; i < 3; i++) *determinant += A[0][i] * (A[1][(i + 1) % 3] * A[2][(i + 2) % 3] - A[1][(i + 2) % 3] * A[2][(i + 1) % 3]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      inverse[j][i] =
        (A[(i + 1) % 3][(j + 1) % 3] * A[(i + 2) % 3][(j + 2) % 3] - A[(i + 1) % 3][(j + 2) % 3] * A[(i + 2) % 3][(j + 1) % 3]) / *determinant;
}

/* Shape functions of the nodes, and with derivatives also those of the three incompatible modes 1 - xi_j^2. */
static inline void NaiveFunctions(const PetscReal xi[3], PetscReal value[8], PetscReal derivative[11][3])
{
  memset(derivative, 0, 33 * sizeof(PetscReal));
  for (int a = 0; a < 8; a++) {
    const PetscReal *c = naive_corner[a];

    value[a]         = (1 + c[0] * xi[0]) * (1 + c[1] * xi[1]) * (1 + c[2] * xi[2]) / 8;
    derivative[a][0] = c[0] * (1 + c[1] * xi[1]) * (1 + c[2] * xi[2]) / 8;
    derivative[a][1] = c[1] * (1 + c[0] * xi[0]) * (1 + c[2] * xi[2]) / 8;
    derivative[a][2] = c[2] * (1 + c[0] * xi[0]) * (1 + c[1] * xi[1]) / 8;
  }
  for (int j = 0; j < 3; j++) derivative[8 + j][j] = -2 * xi[j];
}

/* J[i][j] = dx_j/dxi_i */
static inline void NaiveJacobian(const PetscReal x[8][3], const PetscReal derivative[11][3], PetscReal J[3][3])
{
  memset(J, 0, 9 * sizeof(PetscReal));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int a = 0; a < 8; a++) J[i][j] += derivative[a][i] * x[a][j];
}

/* Columns of B of one function with gradient g: strains xx yy zz xy yz zx. */
static inline void NaiveStrain(const PetscReal g[3], int function, PetscReal B[6][NAIVE_ALL])
{
  const int c = 3 * function;

  for (int i = 0; i < 6; i++) B[i][c] = B[i][c + 1] = B[i][c + 2] = 0;
  B[0][c] = B[3][c + 1] = B[5][c + 2] = g[0];
  B[1][c + 1] = B[3][c] = B[4][c + 2] = g[1];
  B[2][c + 2] = B[4][c + 1] = B[5][c] = g[2];
}

/* Eliminates the unknowns of the incompatible modes, the last one first. */
static inline void NaiveCondense(PetscReal K[NAIVE_ALL][NAIVE_ALL])
{
  for (int k = NAIVE_ALL - 1; k >= NAIVE_NODAL; k--)
    for (int i = 0; i < k; i++)
      for (int j = 0; j < k; j++) K[i][j] -= K[i][k] * K[k][j] / K[k][k];
}

/* The brick with incompatible modes [Taylor 1976]; D in the order of NaiveStrain. */
static inline void NaiveHex8(const PetscReal x[8][3], const PetscReal D[6][6], PetscReal density, PetscReal K[NAIVE_ALL][NAIVE_ALL],
                             PetscReal M[8][8])
{
  static PetscReal B[6][NAIVE_ALL];
  const PetscReal  origin[3] = {0, 0, 0};
  PetscReal        N[8], dN[11][3], J[3][3], inverse[3][3], inverse0[3][3], det, det0;

  memset(K, 0, NAIVE_ALL * sizeof(*K));
  memset(M, 0, 8 * sizeof(*M));
  NaiveFunctions(origin, N, dN);
  NaiveJacobian(x, (const PetscReal(*)[3])dN, J);
  NaiveInvert((const PetscReal(*)[3])J, inverse0, &det0);
  for (int q = 0; q < 8; q++) {
    const PetscReal xi[3] = {naive_corner[q][0] / sqrt(3), naive_corner[q][1] / sqrt(3), naive_corner[q][2] / sqrt(3)};

    NaiveFunctions(xi, N, dN);
    NaiveJacobian(x, (const PetscReal(*)[3])dN, J);
    NaiveInvert((const PetscReal(*)[3])J, inverse, &det);
    for (int f = 0; f < 11; f++) {
      PetscReal g[3] = {0, 0, 0};

      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) g[i] += f < 8 ? inverse[i][j] * dN[f][j] : det0 / det * inverse0[i][j] * dN[f][j];
      NaiveStrain(g, f, B);
    }
    for (int i = 0; i < NAIVE_ALL; i++)
      for (int j = 0; j < NAIVE_ALL; j++)
        for (int s = 0; s < 6; s++)
          for (int t = 0; t < 6; t++) K[i][j] += det * B[s][i] * D[s][t] * B[t][j];
    for (int a = 0; a < 8; a++)
      for (int b = 0; b < 8; b++) M[a][b] += density * det * N[a] * N[b];
  }
  NaiveCondense(K);
}
