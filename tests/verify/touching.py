"""touching.py - meshes of bodies that touch, for tests of faces and bolts: grids of bricks, tetrahedra or wedges of first or second order."""
import itertools
import os
import subprocess
import tempfile

import h5py
import numpy as np

import box
import sumali

# Gmsh's numbers of a solid and of its faces, and the edges and faces of its linear shape in the order of their nodes in the middle.
TET_EDGES, TRI_EDGES, QUAD_EDGES = ((0, 1), (1, 2), (2, 0), (3, 0), (2, 3), (1, 3)), ((0, 1), (1, 2), (2, 0)), ((0, 1), (1, 2), (2, 3), (3, 0))
HEX_EDGES = ((0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7))
HEX_FACES = ((0, 3, 2, 1), (0, 1, 5, 4), (0, 4, 7, 3), (1, 2, 6, 5), (2, 3, 7, 6), (4, 5, 6, 7))
KINDS = {
    "hex8": (5, 3, (), (), (), ()),
    "tet4": (4, 2, (), (), (), ()),
    "wedge6": (6, 2, (), (), (), ()),
    "hex20": (17, 16, HEX_EDGES, QUAD_EDGES, (), ()),
    "hex27": (12, 10, HEX_EDGES, QUAD_EDGES, HEX_FACES + ((0, 1, 2, 3, 4, 5, 6, 7),), ((0, 1, 2, 3),)),
    "tet10": (11, 9, TET_EDGES, TRI_EDGES, (), ()),
}
WEDGES = ((0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7))  # of a cube, triangles at the top and the bottom


class Bodies:
    """Nodes and groups of faces and volumes; `write` gives them to Gmsh's format. Lengths are multiplied by `scale` there."""

    def __init__(self):
        self.nodes, self.groups = [], {}

    def node(self, place):
        self.nodes.append(tuple(float(x) for x in place))
        return len(self.nodes) - 1

    def add(self, name, dimension, shape, elements):
        known = self.groups.setdefault(name, (dimension, shape, []))
        assert known[:2] == (dimension, shape), name
        known[2].extend(elements)

    def middle(self, corners):
        key = tuple(sorted(corners))
        if key not in self.middles:
            self.middles[key] = self.node(np.mean([self.nodes[corner] for corner in corners], axis=0))
        return self.middles[key]

    def complete(self, elements, edges, faces):
        return [[*element, *(self.middle([element[i] for i in part]) for part in (*edges, *faces))] for element in elements]

    def grid(self, name, kind, cells, place, faces):
        """Cells of a grid, place(i, j, k) of its nodes; `faces` {group: (axis, plane)} or (axis, plane, which(a, b)), some of the cells of that plane."""
        counts = [n + 1 for n in cells]
        first = len(self.nodes)
        self.middles = {}
        for at in itertools.product(*map(range, counts)):
            self.node(place(*at))

        def number(at):
            return first + (at[0] * counts[1] + at[1]) * counts[2] + at[2]

        solid, surface, solid_edges, surface_edges, solid_faces, surface_faces = KINDS[kind]
        volumes = []
        for at in itertools.product(*map(range, cells)):
            cube = [number([a + b for a, b in zip(at, corner)]) for corner in box.CUBE]
            parts = {4: box.TETS, 6: WEDGES}.get(len(cube) if kind.startswith("hex") else int(kind[0] == "t") * 4 or 6, (range(8),))
            volumes += [[cube[i] for i in part] for part in parts]
        self.add(name, 3, solid, self.complete(volumes, solid_edges, solid_faces))
        outer = {}  # and inner ones, which two volumes share: a cut
        for volume in volumes:
            for side in self.sides(volume):
                outer.setdefault(tuple(sorted(side)), []).append(side)
        for group, (axis, plane, *which) in faces.items():
            members = []
            for key, sides in outer.items():
                ats = [np.unravel_index(node - first, counts) for node in key]
                if all(at[axis] == plane % counts[axis] for at in ats):
                    least = [min(at[d] for at in ats) for d in range(3) if d != axis]
                    if not which or which[0](*least):
                        members.append(sides[0])
            quads = len(members[0]) == 4
            shape = surface if quads == (surface in (3, 16, 10)) else 3
            self.add(group, 2, shape, self.complete(members, surface_edges, surface_faces))

    @staticmethod
    def sides(volume):
        """Of a linear solid: quadrilaterals of bricks, triangles of tetrahedra, both of wedges; outwards."""
        sides = {8: HEX_FACES, 4: ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)),
                 6: ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (0, 3, 5, 2))}[len(volume)]
        return [[volume[i] for i in side] for side in sides]

    def write(self, path, scale=1.0):
        box.write(path, [tuple(scale * x for x in place) for place in self.nodes], self.groups)


def graded(fine, cell, end, growth=1.25):
    """From 0: cells of one size, then each `growth` times the last; it ends at `end`."""
    ends, size = list(np.arange(0, fine + cell / 2, cell)), cell
    while ends[-1] < end:
        size *= growth
        ends.append(ends[-1] + size)
    ends = np.array(ends)
    coarse = ends > fine
    ends[coarse] = fine + (ends[coarse] - fine) * (end - fine) / (ends[-1] - fine)
    return ends


def start(text, name="case", ranks=1, environment=None):
    """Runs a case in this folder: what it says, and its exit code."""
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    for ending in (".h5", ".hdf"):
        if os.path.exists(name + ending):
            os.remove(name + ending)
    return subprocess.run(sumali.command("run", name + ".yaml", ranks=ranks), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=environment)


def solve(text, name="case", ranks=1):
    done = start(text, name, ranks)
    assert done.returncode == 0, done.stdout + done.stderr
    return h5py.File(name + ".h5", "r")


def refused(text, *words):
    """In one line, with these words. What a program has that refuses a case goes to the system: that is no leak."""
    done = start(text, environment={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
    faults = [line for line in done.stderr.splitlines() if line.startswith("error:")]
    assert done.returncode == 2 and len(faults) == 1 and all(word in faults[0] for word in words), (done.returncode, done.stdout, done.stderr)


def agree(what, own, other, tolerance):
    own, other = np.asarray(own), np.asarray(other)
    error = np.max(np.abs(own - other)) / np.max(np.abs(other))
    if "TOUCHING_PRINT" in os.environ:
        print(f"{what:60s} {error:9.2e} of {tolerance:g}", flush=True)
    assert error <= tolerance, f"{what}: {error:.3g} is above {tolerance:g}: {own.ravel()[:8]} and {other.ravel()[:8]}"


def in_a_folder(*tests):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for test in tests:
            test()
