"""bricks.py - meshes of hexahedra that everybody gets alike: grids, and how Gmsh writes them."""
import numpy as np

QUAD, HEX = 3, 5  # Gmsh's types


class Grid:
    """A box of cells from `corner` on; places of the nodes, and the array [x, y, z] of their numbers, which start at `first`."""

    def __init__(self, cells, sides, corner=(0.0, 0.0, 0.0), first=0):
        counts = [cell + 1 for cell in cells]
        self.index = np.stack(np.meshgrid(*(np.arange(count) for count in counts), indexing="ij"), axis=-1).reshape(-1, 3)
        self.places = np.array(corner) + self.index * (np.array(sides) / cells)
        self.number = first + np.arange(len(self.index)).reshape(counts)

    def hexahedra(self):
        """The nodes of each cell in Gmsh's order."""
        lower, upper = slice(None, -1), slice(1, None)
        return np.stack([corner.ravel() for z in (lower, upper) for corner in around(self.number[:, :, z])], axis=1)


def around(number):
    """The four corners of all cells, going around in the first two directions."""
    lower, upper = slice(None, -1), slice(1, None)
    return [number[x, y] for x, y in ((lower, lower), (upper, lower), (upper, upper), (lower, upper))]


def quadrangles(number):
    """Those of a face, of which `number` is the array of nodes."""
    return np.stack([corner.ravel() for corner in around(number)], axis=1)


def write_gmsh(path, places, groups):
    """A binary file of version 2.2; `groups` are lists of elements by their names."""
    nodes = np.zeros(len(places), dtype=[("tag", "<i4"), ("place", "<f8", 3)])
    nodes["tag"], nodes["place"] = np.arange(1, len(places) + 1), places
    with open(path, "wb") as file:
        file.write(b"$MeshFormat\n2.2 1 8\n" + np.int32(1).tobytes() + b"\n$EndMeshFormat\n")
        names = "".join(f'{2 if elements.shape[1] == 4 else 3} {group} "{name}"\n' for group, (name, elements) in enumerate(groups.items(), 1))
        file.write(f"$PhysicalNames\n{len(groups)}\n{names}$EndPhysicalNames\n$Nodes\n{len(places)}\n".encode())
        file.write(nodes.tobytes() + b"\n$EndNodes\n")
        file.write(f"$Elements\n{sum(map(len, groups.values()))}\n".encode())
        tag = 1
        for group, elements in enumerate(groups.values(), 1):
            head = np.column_stack([np.arange(tag, tag + len(elements)), np.full((len(elements), 2), group)])
            file.write(np.array([QUAD if elements.shape[1] == 4 else HEX, len(elements), 2], dtype="<i4").tobytes())
            file.write(np.hstack([head, elements + 1]).astype("<i4").tobytes())
            tag += len(elements)
        file.write(b"\n$EndElements\n")
