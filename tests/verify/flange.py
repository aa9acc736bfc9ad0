"""flange.py - two plates with flanges and three bolts, of bricks, in millimetres: a case that other programs and meshes have computed.

Plates 200 x 100 x 7, flanges 10 thick and 47 high (plate included), bolts M8 at y = 20, 50, 80, z = 27, holes 9, heads 16 x 6 that share their nodes
with the flanges under them. The flanges touch at x = 0, where the shanks are cut.
"""
import numpy as np

import box

BOLTS, AXIS, THICKNESS, HEIGHT, PLATE, HEAD, SHANK, HOLE, WASHER = (20.0, 50.0, 80.0), 27.0, 10.0, 47.0, 7.0, 6.0, 4.0, 4.5, 8.0
HALF = (15.0, 20.0)  # of the rectangle round each bolt that its rings end in


class Plane:
    """Quadrilaterals of the section at x = 0, by region, counterclockwise seen from +x."""

    def __init__(self, sides, layers):
        self.places, self.known, self.regions = [], {}, {}
        for bolt in BOLTS:
            self.rings(np.array([bolt, AXIS]), sides, layers)
        ends = [BOLTS[0] - HALF[0], BOLTS[-1] + HALF[0]]
        for left, right in ((0.0, ends[0]), (ends[1], 100.0)):
            self.patch("rest", lambda s, t: (left + s * (right - left), PLATE + 2 * t * HALF[1]), 1, sides)
        for left, right, cells in ((0.0, ends[0], 1), (ends[0], ends[1], 3 * sides), (ends[1], 100.0, 1)):
            self.patch("strip", lambda s, t: (left + s * (right - left), t * PLATE), cells, 1)

    def node(self, place):
        key = tuple(np.round(place, 6) + 0.0)
        if key not in self.known:
            self.known[key] = len(self.places)
            self.places.append(place)
        return self.known[key]

    def patch(self, region, place, across, along):
        at = [[self.node(np.array(place(i / across, j / along), dtype=float)) for j in range(along + 1)] for i in range(across + 1)]
        self.regions.setdefault(region, []).extend(
            [at[i][j], at[i + 1][j], at[i + 1][j + 1], at[i][j + 1]] for i in range(across) for j in range(along))

    def rings(self, centre, sides, layers):
        """Of one bolt: a square in the middle of the shank, then rings that end in circles and in the rectangle."""
        def square(half, side, t):
            along, out = 2 * t - 1, 1.0
            for _ in range(side):
                out, along = -along, out
            return np.array([out * half[0], along * half[1]])

        def circle(radius, side, t):
            angle = np.pi / 2 * (t - 0.5 + side)
            return radius * np.array([np.cos(angle), np.sin(angle)])

        core = 2 * [0.45 * SHANK]
        bolt = BOLTS.index(centre[0]) + 1
        self.patch(f"shank{bolt}", lambda s, t: centre + core * (2 * np.array([s, t]) - 1), sides, sides)
        for side in range(4):
            def between(inner, outer, side=side):
                return lambda s, t: centre + (1 - s) * inner(side, t) + s * outer(side, t)

            def round_of(radius):
                return lambda side, t: circle(radius, side, t)

            self.patch(f"shank{bolt}", between(lambda side, t: square(core, side, t), round_of(SHANK)), 1, sides)
            self.patch("gap", between(round_of(SHANK), round_of(HOLE)), 1, sides)
            self.patch("washer", between(round_of(HOLE), round_of(WASHER)), 2, sides)
            self.patch("rest", between(round_of(WASHER), lambda side, t: square(HALF, side, t)), layers, sides)


class Flange:
    """Nodes [mm], bricks of each part, faces of each group. Cells: on a quarter of a circle, from washers to the rectangle, through a flange and along
    a plate."""

    def __init__(self, sides=4, layers=3, through=2, along=12):
        self.plane = Plane(sides, layers)
        self.nodes, self.known = [], {}
        self.parts, self.groups = {"left": [], "right": [], "bolts": []}, {}
        shanks = [f"shank{b + 1}" for b in range(len(BOLTS))]
        for part, sign in (("left", -1), ("right", 1)):
            self.extrude(part, part, ("strip", "washer", "rest"), sign * np.linspace(0, THICKNESS, through + 1), touching="touch_" + part)
            self.extrude(part, part, ("strip",), sign * np.linspace(THICKNESS, 200, along + 1), end="clamp" if sign < 0 else None)
            self.extrude("bolts", part, (*shanks, "gap", "washer"), sign * np.linspace(THICKNESS, THICKNESS + HEAD, 3))
            self.top(part, sign * np.linspace(0, THICKNESS, through + 1))
        for bolt, shank in enumerate(shanks):
            self.extrude("bolts", shank, (shank,), np.linspace(-THICKNESS, THICKNESS, 2 * through + 1), cut=f"cut{bolt + 1}")

    def node(self, x, flat, body):
        body = "left" if x < -THICKNESS + 1e-9 else "right" if x > THICKNESS - 1e-9 else body
        key = (round(x, 6), flat, body)
        if key not in self.known:
            self.known[key] = len(self.nodes)
            self.nodes.append((float(x), *self.plane.places[flat]))
        return self.known[key]

    def extrude(self, part, body, regions, levels, touching=None, end=None, cut=None):
        levels = np.sort(levels)
        for region in regions:
            for quad in self.plane.regions[region]:
                at = [[self.node(x, flat, body) for flat in quad] for x in levels]
                self.parts[part] += [low + high for low, high in zip(at[:-1], at[1:])]
                for group, x in ((touching, 0.0), (cut, 0.0), (end, levels[0])):
                    if group:
                        self.groups.setdefault(group, []).append(at[int(np.argmin(np.abs(levels - x)))])

    def top(self, part, levels):
        levels = np.sort(levels)
        row = sorted((place[0], flat) for flat, place in enumerate(self.plane.places) if abs(place[1] - HEIGHT) < 1e-9)
        for (_, one), (_, other) in zip(row[:-1], row[1:]):
            for low, high in zip(levels[:-1], levels[1:]):
                corners = (low, one), (high, one), (high, other), (low, other)
                self.groups.setdefault("top_" + part, []).append([self.node(x, flat, part) for x, flat in corners])

    def write(self, path):
        box.write(path, [tuple(1e-3 * x for x in place) for place in self.nodes],
                  {name: (3, box.HEX, bricks) for name, bricks in self.parts.items()} | {name: (2, box.QUAD, faces) for name, faces in self.groups.items()})


# In SI units; ELEMENT is the kind.
CASE = """mesh: flange.msh
materials: { steel: { young: 210e9, poisson: 0.3, density: 7850 } }
parts: { left: { material: steel, element: ELEMENT }, right: { material: steel, element: ELEMENT }, bolts: { material: steel, element: ELEMENT } }
supports: [ { group: clamp } ]
points: { left: { average: top_left }, right: { average: top_right } }
reduction: { modes: { count: 20 } }
joints:
  face: { faces: [touch_left, touch_right], contact: { law: rough_contact, friction: 0.2, normal_stiffness: 1e14, tangential_stiffness: 5e13 } }
bolts:
  b1: { cut: cut1, axis: [1, 0, 0], preload: 8e3 }
  b2: { cut: cut2, axis: [1, 0, 0], preload: 8e3 }
  b3: { cut: cut3, axis: [1, 0, 0], preload: 8e3 }
studies:
  - preload: { name: tightened }
"""
SHEAR = """      load: [ { force: { point: left, direction: z, amplitude: -4e3 } }, { force: { point: right, direction: z, amplitude: 4e3 } } ]
"""
