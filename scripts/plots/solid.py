"""solid.py - a structure of finite elements as it is seen: the outside of its mesh, its edges, and its mode shapes, from a file of fields (.hdf).

The file is VTKHDF, described in src/output/NOTES.md; corners, edges and faces of elements are numbered as in VTK's book of file formats.
"""
import functools
import re

import h5py
import numpy as np

from .result import Fault

SHARP = 30.0  # degrees: an edge of the structure
EDGES = {"line": [(0, 1)], "tri": [(0, 1), (1, 2), (2, 0)], "quad": [(0, 1), (1, 2), (2, 3), (3, 0)],
         "tet": [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)],
         "hex": [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)],
         "wedge": [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)],
         "pyramid": [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4)]}
FACES = {"tri": [(0, 1, 2)], "quad": [(0, 1, 2, 3)], "tet": [(0, 1, 3), (1, 2, 3), (2, 0, 3), (0, 2, 1)],
         "hex": [(0, 4, 7, 3), (1, 2, 6, 5), (0, 1, 5, 4), (3, 7, 6, 2), (0, 3, 2, 1), (4, 5, 6, 7)],
         "wedge": [(0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (1, 4, 5, 2), (2, 5, 3, 0)],
         "pyramid": [(0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]}
CORNERS = {"line": 2, "tri": 3, "quad": 4, "tet": 4, "hex": 8, "wedge": 6, "pyramid": 5}
TYPES = {3: "line", 4: "line", 5: "tri", 22: "tri", 9: "quad", 23: "quad", 28: "quad", 10: "tet", 24: "tet", 12: "hex", 25: "hex", 29: "hex",
         13: "wedge", 26: "wedge", 32: "wedge", 14: "pyramid", 27: "pyramid"}
MIDDLE = np.r_[np.full(4, -0.25), np.full(4, 0.5)]  # of a quadrilateral of eight nodes, by their functions
NAME = re.compile(r"(.+)_0*(\d+)_([^_]+)Hz")


class Shape:
    """A field of a mode: "stuck_001_123.4Hz"."""

    def __init__(self, name):
        self.name = name
        parts = NAME.fullmatch(name)
        self.state, self.mode, self.frequency = (parts[1], int(parts[2]), parts[3]) if parts else ("", 0, "")

    @property
    def is_rigid(self):
        return self.frequency == "0"

    @property
    def title(self):
        return f"Mode {self.mode}, joints {self.state}: {self.frequency} Hz" if self.mode else self.name


class Solid:
    """The outside of a mesh: `points`, `faces` of four corners, the last twice where there are three, `edges`; and fields on these points."""

    def __init__(self, path):
        self.path = path
        with open_fields(path) as file:
            group = file["VTKHDF"]
            every = group["Points"][:]
            connectivity, offsets, types = group["Connectivity"][:], group["Offsets"][:], group["Types"][:]
            self.fields = [name for name, item in group["PointData"].items() if item.ndim == 2 and item.shape[1] == 3]
        outside, lines = surface_of(connectivity, offsets, types)
        faces, self.between = refined(outside, len(every))
        used = np.unique(np.concatenate([faces.ravel(), lines.ravel()])).astype(int)
        place = np.full(len(every) + len(self.between), -1)
        place[used] = np.arange(len(used))
        self.used, self.faces, self.lines = used, place[faces], place[lines]
        self.points = self.seen(every)
        if not self.fields or not len(used):
            raise Fault(f"{path}: nothing to draw: it holds no mode shapes")

    def seen(self, values):
        """Of values at nodes those at the points that are seen, middles of faces among them."""
        middles = np.einsum("k,ikj->ij", MIDDLE, values[self.between])
        return np.concatenate([values, middles])[self.used]

    def field(self, name):
        with open_fields(self.path) as file:
            return self.seen(file["VTKHDF/PointData"][name][:])

    @property
    def shapes(self):
        """Modes that are no rigid motions, then whatever else has a direction."""
        return [shape for shape in map(Shape, sorted(self.fields)) if not shape.is_rigid]

    def first_of_each(self, count=None):
        """The first so many shapes of each state of the joints."""
        states = {}
        for shape in self.shapes:
            states.setdefault(shape.state, []).append(shape)
        return [shape for of_state in states.values() for shape in of_state[:count]]

    @functools.cached_property
    def normals(self):
        corners = self.points[self.faces]
        cross = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
        return cross / np.maximum(np.linalg.norm(cross, axis=1), 1e-300)[:, None]

    @property
    def edges(self):
        """Where the outside bends sharply or ends, and beams."""
        return np.concatenate([self.outline[0], self.lines])

    @functools.cached_property
    def outline(self):
        """The edges of the outside, and the two faces of each; the same twice where there is only one."""
        sides = np.concatenate([np.sort(self.faces[:, [k, (k + 1) % 4]], axis=1) for k in range(4)])
        owner = np.tile(np.arange(len(self.faces)), 4)
        owner, sides = owner[sides[:, 0] != sides[:, 1]], sides[sides[:, 0] != sides[:, 1]]
        order = np.lexsort(sides.T)
        sides, owner = sides[order], owner[order]
        first = np.flatnonzero(np.r_[True, (np.diff(sides, axis=0) != 0).any(axis=1)]) if len(sides) else np.zeros(0, int)
        count = np.diff(np.r_[first, len(sides)])
        other = owner[np.minimum(first + 1, len(owner) - 1)] if len(owner) else owner
        bend = np.abs(np.einsum("ij,ij->i", self.normals[owner[first]], self.normals[other]))
        sharp = (count != 2) | (bend < np.cos(np.radians(SHARP)))
        return sides[first[sharp]], np.column_stack([owner[first], np.where(count > 1, other, owner[first])])[sharp]


def open_fields(path):
    """The file, one line said of what is none."""
    try:
        with open(path, "rb"):
            pass
        file = h5py.File(path, "r")
    except OSError as fault:
        if fault.strerror and fault.filename:
            raise Fault(f"{path}: {fault.strerror}") from None
        file = None
    try:
        if file and file["VTKHDF"].attrs["Type"] == b"UnstructuredGrid" and len(file["VTKHDF/PointData/node"]) == file["VTKHDF/NumberOfPoints"][0]:
            return file
    except (KeyError, TypeError, ValueError):
        pass
    raise Fault(f"{path}: is not a file of fields on a mesh, which dovetail writes beside a result as RESULT.hdf")


def faces_of(nodes, kind):
    """The faces of elements of one kind, a row for each: four corners, four nodes between them; -1 where there is none."""
    edges = {frozenset(edge): CORNERS[kind] + k for k, edge in enumerate(EDGES[kind])}
    second = nodes.shape[1] >= CORNERS[kind] + len(EDGES[kind])
    for face in FACES[kind]:
        rows = np.full((len(nodes), 8), -1)
        rows[:, : len(face)] = nodes[:, list(face)]
        if second:
            between = [edges[frozenset((corner, face[(k + 1) % len(face)]))] for k, corner in enumerate(face)]
            rows[:, 4 : 4 + len(face)] = nodes[:, between]
        yield rows


def surface_of(connectivity, offsets, types):
    """Faces that belong to one solid element only, shells, and the lines of beams."""
    starts = np.r_[0, offsets[1:-1]] if len(offsets) == len(types) + 1 else np.r_[0, offsets[:-1]]
    ends = offsets[-len(types) :] if len(types) else offsets[:0]
    solids, shells, lines = [np.zeros((0, 8), int)], [np.zeros((0, 8), int)], [np.zeros((0, 2), int)]
    for number in np.unique(types):
        kind, chosen = TYPES.get(int(number)), np.flatnonzero(types == number)
        if kind is None:
            continue
        width = int(ends[chosen[0]] - starts[chosen[0]])
        nodes = connectivity[starts[chosen][:, None] + np.arange(width)]
        if kind == "line":
            lines += [nodes[:, [k, k + 1]] for k in range(width - 1)]
        else:
            (shells if kind in ("tri", "quad") else solids).extend(faces_of(nodes, kind))
    solids = np.concatenate(solids)
    _, index, count = np.unique(np.sort(solids[:, :4], axis=1), axis=0, return_index=True, return_counts=True)
    return np.concatenate([solids[index[count == 1]], *shells]), np.concatenate(lines)


def refined(faces, count):
    """Those of second order in four, so that they look bent: corners, the last twice in triangles; and the nodes about the middles of
    quadrilaterals, which are numbered from `count` on."""
    plain, second = faces[faces[:, 4] < 0], faces[faces[:, 4] >= 0]
    out = [np.where(plain[:, 3:4] < 0, plain[:, [0, 1, 2, 2]], plain[:, :4])]
    triangles, quads = second[second[:, 3] < 0], second[second[:, 3] >= 0]
    a, b, c, ab, bc, ca = triangles[:, [0, 1, 2, 4, 5, 6]].T
    out += [np.column_stack(corners) for corners in ((a, ab, ca, ca), (ab, b, bc, bc), (ca, bc, c, c), (ab, bc, ca, ca))]
    middle = count + np.arange(len(quads))
    for k in range(4):
        out.append(np.column_stack([quads[:, k], quads[:, 4 + k], middle, quads[:, 4 + (k + 3) % 4]]))
    return np.concatenate(out), quads
