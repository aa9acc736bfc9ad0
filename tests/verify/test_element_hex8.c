/* test_element_hex8.c - the brick in lanes against a textbook element, B^T D B by loops, in isotropic and in fibrous material. */
#include "unit/elements.h"
#include "verify/naive_hex8.h"

/* D in the order xx yy zz xy yz zx. */
static void VoigtMatrix(const Material *material, PetscReal D[6][6])
{
  static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};

  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) D[i][j] = material->tensor[at[i][0]][at[i][1]][at[j][0]][at[j][1]];
}

static PetscReal Difference(PetscInt n, const PetscReal A[], PetscInt stride, const PetscReal B[])
{
  PetscReal difference = 0, most = 0;

  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) {
      difference = fmax(difference, fabs(A[i * n + j] - B[i * stride + j]));
      most       = fmax(most, fabs(B[i * stride + j]));
    }
  return difference / most;
}

static void lanes_give_the_matrices_of_the_textbook(void **state)
{
  static PetscReal naive[NAIVE_ALL][NAIVE_ALL], mass[8][8];
  const Material   materials[] = {Steel(), Laminate()};
  const PetscReal  length[3]   = {5, 2, 3};
  Box              box         = BoxOpen(ElementFind("hex8"), 3, 3, 2, length, RandomEverywhere);
  PetscReal       *x           = BoxCoordinates(&box);

  (void)state;
  for (int m = 0; m < 2; m++) {
    const ElementProperties properties = {.material = &materials[m]};
    PetscReal              *K, *M, D[6][6], small[64];

    VoigtMatrix(&materials[m], D);
    ElementsFull(box.kind, &properties, box.num_elements, x, &K, &M);
    for (PetscInt e = 0; e < box.num_elements; e++) {
      NaiveHex8((const PetscReal(*)[3])(x + 24 * e), (const PetscReal(*)[6])D, materials[m].density, naive, mass);
      for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++) small[8 * a + b] = M[576 * e + (3 * a + 1) * 24 + 3 * b + 1];
      assert_near(Difference(24, K + 576 * e, NAIVE_ALL, naive[0]), 0, 5e-15);
      assert_near(Difference(8, small, 8, mass[0]), 0, 6e-15); /* sums over eight points, in another order */
    }
    assert_ok(PetscFree(K));
    assert_ok(PetscFree(M));
  }
  assert_ok(PetscFree(x));
  BoxClose(&box);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(lanes_give_the_matrices_of_the_textbook),
};

CHECK_MAIN(tests)
