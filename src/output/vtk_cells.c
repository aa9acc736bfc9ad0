/*
  vtk_cells.c - the shapes of elements as VTK knows them: types, the same in XDMF (XdmfTopologyType.cpp), and orders of nodes, which
  XDMF has from VTK. Of a brick of 27 nodes ParaView 5.11 finds only 24 in XDMF, so it gets the 20 on the edges.

  Corners are ordered alike but for wedges, whose first triangle looks outwards in VTK: only so do all its faces (the
  validator of VTK 9.1 wants wedges of second order the other way round, against VTK's own faces and volumes). Behind them VTK goes along the edges of the
  lower face, of the upper face, upwards; Gmsh takes edges by their lowest corner, then the next. VTK's triquadratic hexahedron has
  its faces in the order -x +x -y +y -z +z, Gmsh's in the order -z -y -x +x +y +z.
*/
#include "fields.h"

const VtkCell vtk_cells[MESH_NUM_SHAPES] = {
  [MESH_POINT1]    = {1, 1, 1, 1, {0}},
  [MESH_LINE2]     = {3, 2, 2, 2, {0, 1}},
  [MESH_LINE3]     = {4, 3, 2, 3, {0, 2, 1}}, /* a line through all three: VTK 9.1 crashes when it draws its quadratic edge finely */
  [MESH_TRI3]      = {5, 3, 4, 3, {0, 1, 2}},
  [MESH_TRI6]      = {22, 6, 0x24, 6, {0, 1, 2, 3, 4, 5}},
  [MESH_QUAD4]     = {9, 4, 5, 4, {0, 1, 2, 3}},
  [MESH_QUAD8]     = {23, 8, 0x25, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
  [MESH_QUAD9]     = {28, 9, 0x23, 9, {0, 1, 2, 3, 4, 5, 6, 7, 8}},
  [MESH_TET4]      = {10, 4, 6, 4, {0, 1, 2, 3}},
  [MESH_TET10]     = {24, 10, 0x26, 10, {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}},
  [MESH_HEX8]      = {12, 8, 9, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
  [MESH_HEX20]     = {25, 20, 0x30, 20, {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15}},
  [MESH_HEX27]     = {29, 27, 0x30, 20, {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15, 22, 23, 21, 24, 20, 25, 26}},
  [MESH_WEDGE6]    = {13, 6, 8, 6, {0, 2, 1, 3, 5, 4}},
  [MESH_WEDGE15]   = {26, 15, 0x28, 15, {0, 2, 1, 3, 5, 4, 7, 9, 6, 13, 14, 12, 8, 11, 10}},
  [MESH_WEDGE18]   = {32, 18, 0x29, 18, {0, 2, 1, 3, 5, 4, 7, 9, 6, 13, 14, 12, 8, 11, 10, 16, 17, 15}},
  [MESH_PYRAMID5]  = {14, 5, 7, 5, {0, 1, 2, 3, 4}},
  [MESH_PYRAMID13] = {27, 13, 0x27, 13, {0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12}},
  [MESH_PYRAMID14] = {27, 13, 0x27, 13, {0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12}}, /* without the centre of its base */
};
