/* gmsh_types.c - what Gmsh calls the types of elements that are none of our shapes. */
#include "gmsh.h"

const char *GmshTypeName(PetscInt64 type)
{
  // clang-format off
  static const char *const names[] = {
    [20] = "Triangle 9", [21] = "Triangle 10", [22] = "Triangle 12", [23] = "Triangle 15", [24] = "Triangle 15I", [25] = "Triangle 21",
    [26] = "Line 4", [27] = "Line 5", [28] = "Line 6", [29] = "Tetrahedron 20", [30] = "Tetrahedron 35", [31] = "Tetrahedron 56",
    [32] = "Tetrahedron 22", [33] = "Tetrahedron 28", [34] = "Polygon", [35] = "Polyhedron", [36] = "Quadrilateral 16", [37] = "Quadrilateral 25",
    [38] = "Quadrilateral 36", [39] = "Quadrilateral 12", [40] = "Quadrilateral 16I", [41] = "Quadrilateral 20", [42] = "Triangle 28",
    [43] = "Triangle 36", [44] = "Triangle 45", [45] = "Triangle 55", [46] = "Triangle 66", [47] = "Quadrilateral 49", [48] = "Quadrilateral 64",
    [49] = "Quadrilateral 81", [50] = "Quadrilateral 100", [51] = "Quadrilateral 121", [52] = "Triangle 18", [53] = "Triangle 21I",
    [54] = "Triangle 24", [55] = "Triangle 27", [56] = "Triangle 30", [57] = "Quadrilateral 24", [58] = "Quadrilateral 28",
    [59] = "Quadrilateral 32", [60] = "Quadrilateral 36I", [61] = "Quadrilateral 40", [62] = "Line 7", [63] = "Line 8", [64] = "Line 9",
    [65] = "Line 10", [66] = "Line 11", [67] = "Border", [69] = "Polygon Border", [70] = "Border", [71] = "Tetrahedron 84",
    [72] = "Tetrahedron 120", [73] = "Tetrahedron 165", [74] = "Tetrahedron 220", [75] = "Tetrahedron 286", [79] = "Tetrahedron 34",
    [80] = "Tetrahedron 40", [81] = "Tetrahedron 46", [82] = "Tetrahedron 52", [83] = "Tetrahedron 58", [84] = "Line 1", [85] = "Triangle 1",
    [86] = "Quadrilateral 1", [87] = "Tetrahedron 1", [88] = "Hexahedron 1", [89] = "Prism 1", [90] = "Prism", [91] = "Prism",
    [92] = "Hexahedron 64", [93] = "Hexahedron 125", [94] = "Hexahedron 216", [95] = "Hexahedron 343", [96] = "Hexahedron 512",
    [97] = "Hexahedron 729", [98] = "Hexahedron 1000", [99] = "Hexahedron 32", [100] = "Hexahedron 44", [101] = "Hexahedron 56",
    [102] = "Hexahedron 68", [103] = "Hexahedron 80", [104] = "Hexahedron 92", [105] = "Hexahedron 104", [106] = "Prism", [107] = "Prism",
    [108] = "Prism", [109] = "Prism", [110] = "Prism", [111] = "Prism", [112] = "Prism", [113] = "Prism", [114] = "Prism", [115] = "Prism",
    [116] = "Prism", [117] = "Prism", [118] = "Pyramid 30", [119] = "Pyramid 55", [120] = "Pyramid 91", [121] = "Pyramid 140",
    [122] = "Pyramid 204", [123] = "Pyramid 285", [124] = "Pyramid 385", [125] = "Pyramid 21", [126] = "Pyramid 29", [127] = "Pyramid 37",
    [128] = "Pyramid 45", [129] = "Pyramid 53", [130] = "Pyramid 61", [131] = "Pyramid 69", [132] = "Pyramid 1", [133] = "Point Xfem",
    [134] = "Line Xfem", [135] = "Triangle Xfem", [136] = "Tetrahedron Xfem", [137] = "Tetrahedron 16",
  };
  // clang-format on

  return type >= 0 && type < (PetscInt64)(sizeof names / sizeof *names) ? names[type] : NULL;
}
