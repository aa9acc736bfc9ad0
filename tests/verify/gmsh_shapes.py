"""gmsh_shapes.py - elements of any shapes as a mesh of Gmsh's, for the tests that look at what is drawn of them."""
import gmsh
import numpy as np

TURN = np.linalg.qr(np.array([[0.3, 0.5, 0.9], [0.8, -0.2, 0.1], [0.2, 0.9, -0.4]]))[0]
MAP = TURN @ np.diag([2.0, 0.7, 1.1]) @ np.array([[1, 0.2, 0.1], [0, 1, -0.3], [0, 0, 1]])
MAP *= np.sign(np.linalg.det(MAP))
# Gmsh's number, the size of its element of reference, nodes that VTK has no place for.
SHAPES = {"point": (15, None, 0), "line2": (1, 2, 0), "line3": (8, 2, 0), "tri3": (2, 1 / 2, 0), "tri6": (9, 1 / 2, 0), "quad4": (3, 4, 0),
          "quad8": (16, 4, 0), "quad9": (10, 4, 0), "tet4": (4, 1 / 6, 0), "tet10": (11, 1 / 6, 0), "hex8": (5, 8, 0), "hex20": (17, 8, 0),
          "hex27": (12, 8, 0), "wedge6": (6, 1, 0), "wedge15": (18, 1, 0), "wedge18": (13, 1, 0), "pyramid5": (7, 4 / 3, 0),
          "pyramid13": (19, 4 / 3, 0), "pyramid14": (14, 4 / 3, 1)}


def start_anew():
    gmsh.finalize()
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)


def write_shapes(path, names):
    """One element of each, mapped from its place of reference and put beside the one before; corners are given no particular tags."""
    start_anew()
    for i, name in enumerate(names):
        kind = SHAPES[name][0]
        _, dim, _, count, local, _ = gmsh.model.mesh.getElementProperties(kind)
        places = np.zeros((count, 3))
        places[:, : max(dim, 1)] = np.reshape(local, (count, -1))[:, : max(dim, 1)]
        entity = gmsh.model.addDiscreteEntity(dim)
        tags = [10 + 7 * k % 29 + 100 * i for k in range(count)]
        gmsh.model.mesh.addNodes(dim, entity, tags, (places @ MAP.T + [10 * i, 0, 0]).ravel())
        gmsh.model.mesh.addElementsByType(entity, kind, [5 + i], tags)
    gmsh.write(path)
