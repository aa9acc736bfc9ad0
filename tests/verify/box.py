"""box.py - meshes for tests in python: a box of bricks or of tetrahedra, and a line of beams, as Gmsh would write them (2.2)."""
import itertools

POINT, LINE, QUAD, TET, HEX = 15, 1, 3, 4, 5
CUBE = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
TETS = ((0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6))  # of a cube, about its diagonal


# A cantilever of `line("rod.msh", 0.5, ...)` that bends in one plane: the beginning of a case. Its frequencies are proportional to the root of `young`.
ROD = """
mesh: rod.msh
materials: { steel: { young: 2e11, poisson: 0.3, density: 7850 } }
parts: { beam: { material: steel, element: beam_euler, section: { rectangle: { height: 0.01, width: 0.03 }, orientation: [0, 1, 0] } } }
points: { end: { at: [0.5, 0, 0] } }
supports: [ { group: root }, { group: beam, directions: [x, z, rx, ry] } ]
"""


def write(path, nodes, groups):
    """groups: {name: (dimension, Gmsh's number of the shape, [nodes of an element from 0, ...])}"""
    elements = [(shape, tag, element) for tag, (_, shape, members) in enumerate(groups.values(), 1) for element in members]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{len(groups)}\n")
        for tag, (name, (dim, _, _)) in enumerate(groups.items(), 1):
            file.write(f'{dim} {tag} "{name}"\n')
        file.write(f"$EndPhysicalNames\n$Nodes\n{len(nodes)}\n")
        for number, place in enumerate(nodes, 1):
            file.write(f"{number} {place[0]!r} {place[1]!r} {place[2]!r}\n")
        file.write(f"$EndNodes\n$Elements\n{len(elements)}\n")
        for number, (shape, tag, element) in enumerate(elements, 1):
            file.write(f"{number} {shape} 2 {tag} {tag} {' '.join(str(node + 1) for node in element)}\n")
        file.write("$EndElements\n")


def box(path, size, cells, tets=False):
    """Groups: `bar` the volumes, `root` and `tip` the faces at both ends of x, `corners` the points at the tip."""
    counts = [n + 1 for n in cells]
    nodes = [tuple(s * i / n for s, i, n in zip(size, place, cells)) for place in itertools.product(*map(range, counts))]

    def number(i, j, k):
        return (i * counts[1] + j) * counts[2] + k

    volumes = [[number(i + a, j + b, k + c) for a, b, c in CUBE] for i, j, k in itertools.product(*map(range, cells))]
    if tets:
        volumes = [[cube[i] for i in tet] for cube in volumes for tet in TETS]
    ends = {}
    for name, i in (("root", 0), ("tip", cells[0])):
        ends[name] = [[number(i, j, k), number(i, j + 1, k), number(i, j + 1, k + 1), number(i, j, k + 1)]
                      for j, k in itertools.product(range(cells[1]), range(cells[2]))]
    corners = [[number(cells[0], j, k)] for j in (0, cells[1]) for k in (0, cells[2])]
    write(path, nodes, {"bar": (3, TET if tets else HEX, volumes), "root": (2, QUAD, ends["root"]), "tip": (2, QUAD, ends["tip"]),
                        "corners": (0, POINT, corners)})


def line(path, length, cells):
    """Along x. Groups: `beam`, and the points `root` and `tip`."""
    write(path, [(length * i / cells, 0.0, 0.0) for i in range(cells + 1)],
          {"beam": (1, LINE, [[i, i + 1] for i in range(cells)]), "root": (0, POINT, [[0]]), "tip": (0, POINT, [[cells]])})
