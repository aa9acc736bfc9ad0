"""test_fields_vtk.py - VTK, and so ParaView, sees in a file of fields what Gmsh made and what was put on its nodes. [timeout: 300]

Every shape must be a valid element of the right size, its edges and faces bulging where the nodes between the corners are.
"""

import os
import subprocess
import sys

sys.dont_write_bytecode = True  # the source folder stays as it is
try:
    import gmsh
    import numpy as np
    from gmsh_shapes import MAP, SHAPES, start_anew, write_shapes
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkFiltersGeneral import vtkCellValidator
    from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as fault:
    print(f"skipped: {fault}")
    sys.exit(77)

DUMP = os.path.join(os.path.dirname(os.environ["DOVETAIL_PROGRAM"]), "tests", "dump_fields")
UNKNOWN_SIZES = "hex27", "wedge18"  # of which vtkCellSizeFilter of VTK 9.1 cuts tetrahedra that overlap, or none
POLYLINE = "line3"  # two straight pieces
ORIENTATION = 32  # a complaint of vtkCellValidator, which volume_inside replaces: it does not agree with VTK's own faces of wedges


def dump(paths, ranks=1):
    subprocess.run([os.environ["DOVETAIL_MPIEXEC"], "-n", str(ranks), "--oversubscribe", DUMP, *paths], check=True)


def read(path):
    reader = vtkHDFReader()
    assert reader.CanReadFile(path), f"{path}: VTK says it cannot read it"
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def array(data, name):
    found = data.GetArray(name)
    assert found, f"no field {name}"
    return vtk_to_numpy(found)


def size_of(grid):
    """The lengths, areas or volumes of its cells, all added up."""
    sizes = vtkCellSizeFilter()
    sizes.SetInputData(grid)
    sizes.Update()
    return sum(array(sizes.GetOutput().GetCellData(), name).sum() for name in ("Length", "Area", "Volume"))


def expected_size(name, dim):
    stretch = {1: np.linalg.norm(MAP[:, 0]), 2: np.linalg.norm(np.cross(MAP[:, 0], MAP[:, 1])), 3: np.linalg.det(MAP)}
    return SHAPES[name][1] * stretch[dim]


def places_of(cell):
    return np.array([cell.GetPoints().GetPoint(i) for i in range(cell.GetNumberOfPoints())])


def check_between_corners(name, cell):
    """A straight element: what lies on an edge is halfway, what lies on a face or in a brick is in the middle of its corners."""
    middles = 0
    for cells in ([cell.GetEdge(i) for i in range(cell.GetNumberOfEdges())], [cell.GetFace(i) for i in range(cell.GetNumberOfFaces())], [cell]):
        for part in cells:
            at = places_of(part)
            if part.GetClassName() == "vtkPolyLine":
                at = at[[0, 2, 1]]
            corners = {3: 2, 9: 4, 27: 8}.get(len(at)) if part.GetClassName() != "vtkTriangle" else None
            if corners:
                middles += 1
                assert np.allclose(at[-1], at[:corners].mean(axis=0), atol=1e-12), f"{name}: {part.GetClassName()} {at}"
    assert middles or (cell.IsLinear() and name != POLYLINE), f"{name}: nothing was looked at"


def volume_inside(cell):
    """By the theorem of Gauss from its plane faces, positive when they look outwards."""
    volume = 0
    for i in range(cell.GetNumberOfFaces()):
        at = places_of(cell.GetFace(i))
        corners = at[:3] if cell.GetFace(i).GetNumberOfEdges() == 3 else at[:4]
        volume += corners[0] @ np.cross(corners[1] - corners[0], corners[2] - corners[0]) / 6
        if len(corners) == 4:
            volume += corners[0] @ np.cross(corners[2] - corners[0], corners[3] - corners[0]) / 6
    return volume


def check_shape(name):
    _, size, left_out = SHAPES[name]
    grid = read(f"{name}.hdf")
    cell = grid.GetCell(0)
    _, dim, order, count, _, _ = gmsh.model.mesh.getElementProperties(SHAPES[name][0])
    assert grid.GetNumberOfCells() == 1 and grid.GetNumberOfPoints() == count, name
    assert cell.GetCellDimension() == dim and cell.GetNumberOfPoints() == count - left_out and (order < 2 or name == POLYLINE) == bool(cell.IsLinear()), name
    fault = int(vtkCellValidator.Check(cell, 1e-6)) & ~ORIENTATION
    assert fault == 0, f"{name}: VTK says its {cell.GetClassName()} is invalid: {fault}"
    check_between_corners(name, cell)
    sizes = [size_of(grid)] if size and name not in UNKNOWN_SIZES else []
    sizes += [volume_inside(cell)] if dim == 3 else []
    for found in sizes:
        wanted = expected_size(name, dim)
        assert abs(found - wanted) < 1e-12 * wanted, f"{name}: of sizes {sizes}, not {wanted}"


def write_structure(path):
    """Two parts that touch: bricks and tetrahedra of second order, surfaces and edges in groups, a beam that hangs on."""
    start_anew()
    occ = gmsh.model.occ
    block = occ.addBox(0, 0, 0, 2, 0.5, 0.25)
    cap = occ.addBox(2, 0, 0, 0.5, 0.5, 0.25)
    ends = occ.addPoint(2.5, 0, 0), occ.addPoint(3.5, 0, 0)
    beam = occ.addLine(*ends)
    occ.synchronize()
    for curve in gmsh.model.getBoundary(gmsh.model.getBoundary([(3, block)], oriented=False), combined=False, oriented=False):
        gmsh.model.mesh.setTransfiniteCurve(curve[1], 5)
    for surface in gmsh.model.getBoundary([(3, block)], oriented=False):
        gmsh.model.mesh.setTransfiniteSurface(surface[1])
        gmsh.model.mesh.setRecombine(2, surface[1])
    gmsh.model.mesh.setTransfiniteVolume(block)
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.2)
    gmsh.option.setNumber("Mesh.SecondOrderIncomplete", 1)
    gmsh.option.setNumber("Mesh.Binary", 1)  # places to the last bit
    for dim, tag, number in ((3, block, 7), (3, cap, 9), (2, 1, 3), (1, beam, 4)):
        gmsh.model.addPhysicalGroup(dim, [tag], number)
    gmsh.model.mesh.generate(3)
    gmsh.model.mesh.setOrder(2)
    gmsh.write(path)
    return {block: 7, cap: 9}, beam


def elements_of(dim, entity):
    """Its elements: tag to the set of the tags of nodes."""
    found = {}
    for tags, nodes in zip(*gmsh.model.mesh.getElements(dim, entity)[1:]):
        found.update({int(tag): set(map(int, its)) for tag, its in zip(tags, np.reshape(nodes, (len(tags), -1)))})
    return found


def check_points(grid):
    """Places and values at every node of Gmsh's."""
    tags, places, _ = gmsh.model.mesh.getNodes()
    place = {int(tag): x for tag, x in zip(tags, np.reshape(places, (-1, 3)))}
    found = array(grid.GetPointData(), "node")
    points = vtk_to_numpy(grid.GetPoints().GetData())
    assert len(set(found)) == len(found) > 100
    assert (points == [place[tag] for tag in found]).all(), "places"
    plane = array(grid.GetPointData(), "plane")
    assert np.abs(plane - points @ [1, 2, 3]).max() < 1e-14 * plane.max()
    shape = array(grid.GetPointData(), "stuck_001_123.4Hz")
    assert np.abs(shape[:, 2] - np.cos(2 * np.pi * points[:, 0] / 3.5)).max() < 1e-14


def check_cells(grid, volumes, beam):
    """Exactly the elements of the volumes and of the beam, with their nodes, parts and groups."""
    node = array(grid.GetPointData(), "node")
    element, part, group = (array(grid.GetCellData(), name) for name in ("element", "part", "group"))
    wanted = {(3, volume): elements_of(3, volume) for volume in volumes} | {(1, beam): elements_of(1, beam)}
    number = {(3, volume): of for volume, of in volumes.items()} | {(1, beam): 4}
    assert len(element) == sum(map(len, wanted.values())) > 100
    parts = {}
    for i, tag in enumerate(element):
        (entity,) = [entity for entity, elements in wanted.items() if tag in elements]
        ids = grid.GetCell(i).GetPointIds()
        assert {node[ids.GetId(k)] for k in range(ids.GetNumberOfIds())} == wanted[entity][tag], f"element {tag}"
        assert group[i] == number[entity], f"group of element {tag}"
        parts.setdefault(entity, set()).add(part[i])
    assert all(len(seen) == 1 for seen in parts.values()) and len(set.union(*parts.values())) == len(parts), parts


def check_structure():
    volumes, beam = write_structure("structure.msh")
    files = []
    for ranks in (1, 2, 3):
        dump(["structure.msh"], ranks)
        with open("structure.hdf", "rb") as file:
            files.append(file.read())
    assert files[0] == files[1] == files[2], "the file depends on the number of ranks"
    grid = read("structure.hdf")
    check_points(grid)
    check_cells(grid, volumes, beam)
    size = 2.5 * 0.5 * 0.25 + 1
    assert abs(size_of(grid) - size) < 1e-12, f"{size_of(grid)} instead of {size}"


def main():
    gmsh.initialize()
    for name in SHAPES:
        write_shapes(f"{name}.msh", [name])
    dump([f"{name}.msh" for name in SHAPES])
    faults = []
    for name in SHAPES:
        try:
            check_shape(name)
        except AssertionError as fault:
            faults.append(str(fault))
    assert not faults, "\n".join(faults)
    check_structure()
    gmsh.finalize()


main()
