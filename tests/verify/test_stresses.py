"""Stresses for ParaView (`stresses: yes`) against closed forms, each said at its test. Of elements alone: unit/element_stress."""
import math
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np

import bolted
import box
from touching import Bodies, agree, in_a_folder, solve

YOUNG, DENSITY = 210e9, 7850.0
LENGTH, WIDTH, HEIGHT = 0.1, 0.03, 0.02
AREA = WIDTH * HEIGHT
XX, YY, ZZ, XY, YZ, XZ = range(6)

CASE = """mesh: {mesh}
materials: {{ steel: {{ young: {young}, poisson: {poisson}, density: 7850 }}, soft: {{ young: 70e9, poisson: {poisson}, density: 2700 }} }}
parts: {{ {parts} }}
supports: {supports}
reduction: {{ modes: {{ count: 4 }} }}
{more}
studies:
{studies}
"""
PRESSED = "  - preload: {{ name: at_rest, stresses: yes, stress_points: yes, load: {{ force: {{ pattern: push, amplitude: {} }} }} }}"


def case(studies, **given):
    return CASE.format(**{"mesh": "bar.msh", "young": YOUNG, "poisson": 0.3, "parts": "bar: steel", "more": "", "studies": studies, **given})


class Seen:
    """What a file for ParaView holds at one time, of nodes and of elements."""

    def __init__(self, path, time=0):
        with h5py.File(path) as file:
            root = file["XDMF"]
            self.places, self.groups = root["Points"][()], root["CellData/group"][()]
            for kind in ("PointData", "CellData"):
                for name, field in root[kind].items():
                    if isinstance(field, h5py.Group):
                        setattr(self, name, field[f"{time:06d}"][()])


def von_mises(stress):
    tensor = np.zeros((*stress.shape[:-1], 3, 3))
    for c, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))):
        tensor[..., i, j] = tensor[..., j, i] = stress[..., c]
    deviator = tensor - np.trace(tensor, axis1=-2, axis2=-1)[..., None, None] / 3 * np.eye(3)
    return np.sqrt(1.5 * (deviator**2).sum(axis=(-2, -1)))


def bar(kind, cells, **more):
    """Along x, corners inside moved from their places."""
    bodies, chance = Bodies(), np.random.default_rng(3)

    def place(*at):
        inside = [0 < i < n for i, n in zip(at, cells)]
        return [size * (i + 0.15 * free * chance.uniform(-1, 1)) / n - (axis > 0) * size / 2
                for axis, (size, i, n, free) in enumerate(zip((LENGTH, WIDTH, HEIGHT), at, cells, inside))]

    bodies.grid("bar", kind, cells, place, {"root": (0, 0), "tip": (0, -1), "side": (1, 0), "bottom": (2, 0), **more})
    return bodies


ROLLERS = "[ { group: root, directions: [x] }, { group: side, directions: [y] }, { group: bottom, directions: [z] } ]"
PUSH = "patterns: { push: { pressure: tip } }"


def pulled():
    """sigma = F / A everywhere, in every element. Measured: 3e-14."""
    for kind in ("hex8", "hex20", "hex27", "tet4", "tet10", "wedge6"):
        bar(kind, (5, 3, 2)).write("bar.msh")
        with solve(case(PRESSED.format(-5e7), supports=ROLLERS, more=PUSH)):
            seen = Seen("case_at_rest.xdmf.h5")
        for name in ("stress", "element_stress"):
            values = getattr(seen, name)
            agree(f"{kind}: {name}", values, np.outer(np.ones(len(values)), [5e7, 0, 0, 0, 0, 0]), 1e-9)
        for name in ("von_mises", "element_von_mises", "point_von_mises"):
            agree(f"{kind}: {name}", getattr(seen, name), 5e7, 1e-9)
        at = seen.point_stress.reshape(len(seen.point_stress), -1, 6)
        agree(f"{kind}: at points of integration", at, np.tile([5e7, 0, 0, 0, 0, 0], (*at.shape[:2], 1)), 1e-9)


def bent():
    """sigma = - M y / I, by a moment on a rigid end; nu = 0, so that the end may stay plane. Measured: 1e-12, where bricks are undistorted."""
    inertia, moment = HEIGHT * WIDTH**3 / 12, 100.0
    text = case("  - preload: { name: at_rest, stresses: yes, load: { force: { point: end, direction: rz, amplitude: 100 } } }".replace("stresses: yes", "stresses: yes, stress_points: yes"),
                poisson=0, supports="[ { group: root } ]", more="points: { end: { rigid: tip } }")
    for kind in ("hex8", "hex20", "hex27", "tet10"):
        bodies = Bodies()
        bodies.grid("bar", kind, (4, 2, 1), lambda i, j, k: (LENGTH * i / 4, WIDTH * (j / 2 - 0.5), HEIGHT * (k - 0.5)), {"root": (0, 0), "tip": (0, -1)})
        bodies.write("bar.msh")
        with solve(text):
            seen = Seen("case_at_rest.xdmf.h5")
        expected = np.zeros_like(seen.stress)
        expected[:, XX] = -moment * seen.places[:, 1] / inertia
        agree(f"{kind}: bending", seen.stress, expected, 1e-9)
        places, at = (values.reshape(len(values), -1, width) for values, width in ((seen.point_place, 3), (seen.point_stress, 6)))
        agree(f"{kind}: bending, at points of integration", at[..., XX], -moment * places[..., 1] / inertia, 1e-9)
        assert np.abs(at[..., YY:]).max() < 1e-9 * np.abs(at).max() and len(np.unique(places.reshape(-1, 3).round(9), axis=0)) == places[..., 0].size


def thick_cylinder(kind, cells):
    """A quarter under a pressure inside, held along its axis: places, and errors of the stresses along r and around, by the pressure."""
    inner, outer, pressure = 0.02, 0.05, 1e8
    bodies = Bodies()
    bodies.grid("bar", kind, (*cells, 1), lambda i, j, k: (inner * (outer / inner) ** (i / cells[0]), math.pi / 2 * j / cells[1], 0.004 * k),
                {"tip": (0, 0), "x_axis": (1, 0), "y_axis": (1, -1), "low": (2, 0), "high": (2, -1)})
    bodies.nodes = [(r * math.cos(angle), r * math.sin(angle), z) for r, angle, z in bodies.nodes]
    bodies.write("bar.msh")
    held = ", ".join(f"{{ group: {group}, directions: [{axis}] }}" for group, axis in (("x_axis", "y"), ("y_axis", "x"), ("low", "z"), ("high", "z")))
    with solve(case(PRESSED.format(pressure), supports=f"[ {held} ]", more=PUSH)):
        seen = Seen("case_at_rest.xdmf.h5")
    x, y = seen.places[:, 0], seen.places[:, 1]
    r = np.hypot(x, y)
    along = (seen.stress[:, XX] * x**2 + seen.stress[:, YY] * y**2 + 2 * seen.stress[:, XY] * x * y) / r**2
    around = (seen.stress[:, XX] * y**2 + seen.stress[:, YY] * x**2 - 2 * seen.stress[:, XY] * x * y) / r**2
    mean = pressure * inner**2 / (outer**2 - inner**2)
    exact = mean * (1 - (outer / r) ** 2), mean * (1 + (outer / r) ** 2), np.full_like(r, 2 * 0.3 * mean)
    assert np.allclose(von_mises(seen.stress), seen.von_mises, rtol=1e-12)
    return [np.abs(own - right).max() / pressure for own, right in zip((along, around, seen.stress[:, ZZ]), exact)]


def pressed_inside():
    """Lame's cylinder [S. P. Timoshenko, J. N. Goodier, Theory of elasticity, 3rd ed., McGraw-Hill 1970, section 28]: largest errors along the radius,
    around and along the axis by the pressure, nearly all of them at the inner face; of elements of second order a quarter for half the length, of
    the first half. Measured with 8 layers: hex20 9.5e-3, 8.9e-3, 1.8e-4; tet10 1.3e-2, 5.5e-3, 3.5e-3; hex8 0.14, 0.039, 0.053."""
    for kind, bounds, least in (("hex20", (0.03, 0.03, 6e-4), 3.2), ("tet10", (0.04, 0.02, 0.012), 2.6), ("hex8", (0.4, 0.12, 0.16), 1.2)):
        coarse, fine = (thick_cylinder(kind, (n, 2 * n)) for n in (4, 8))
        assert all(error < bound for error, bound in zip(fine, bounds)), (kind, fine)
        assert all(before > least * after for before, after in zip(coarse, fine)), (kind, coarse, fine)


def side_by_side():
    """Two materials that share nodes, stretched alike: sigma = E epsilon in each; at nodes of both that of the stiffer one. nu = 0. Measured: 1e-13."""
    bodies = Bodies()
    bodies.grid("bar", "hex20", (3, 4, 1), lambda i, j, k: (LENGTH * i / 3, WIDTH * j / 4, HEIGHT * k), {"root": (0, 0), "tip": (0, -1)})
    halves = [[], []]
    for element in bodies.groups.pop("bar")[2]:
        halves[int(np.mean([bodies.nodes[node][1] for node in element[:8]]) > WIDTH / 2)].append(element)
    for name, half in zip(("bar", "other"), halves):
        bodies.add(name, 3, 17, half)
    bodies.write("bar.msh")
    force = 1e5
    strain = force / (AREA / 2 * (YOUNG + 70e9))
    # the end is guided: it moves along x without turning
    text = case(f"  - preload: {{ name: at_rest, stresses: yes, load: {{ force: {{ point: end, direction: x, amplitude: {force} }} }} }}", poisson=0,
                parts="bar: steel, other: soft", supports="[ { group: root }, { point: end, directions: [y, z, rx, ry, rz] } ]",
                more="points: { end: { rigid: tip } }")
    for ranks in (1, 2, 3):
        with solve(text, ranks=ranks):
            seen = Seen("case_at_rest.xdmf.h5")
        young = np.where(seen.places[:, 1] < WIDTH / 2 * (1 + 1e-9), YOUNG, 70e9)
        agree(f"{ranks} ranks: two materials at nodes", seen.stress[:, XX], young * strain, 1e-9)
        agree(f"{ranks} ranks: in elements", np.sort(seen.element_stress[:, XX]), np.repeat([70e9 * strain, YOUNG * strain], 6), 1e-9)


def carried():
    """A cantilever of beams under forces at its tip, in its own axes: N = F_x, Q_y = F_y, Q_z = F_z, M_y = -F_z (L - x), M_z = F_y (L - x), torque M_x;
    turned and with its centroid beside the line of nodes, which F_x bends too. Measured: 1e-12."""
    axes = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
    axes *= np.linalg.det(axes)  # rows: x, y, z of the beam
    cells, offset, force, torque = 5, np.array([0.004, -0.003]), np.array([300.0, -200.0, 500.0]), 7.0
    box.write("bar.msh", [tuple(map(float, LENGTH * i / cells * axes[0])) for i in range(cells + 1)],
              {"beam": (1, box.LINE, [[i, i + 1] for i in range(cells)]), "root": (0, box.POINT, [[0]])})
    loads = [(direction, amplitude) for direction, amplitude in zip(("x", "y", "z", "rx", "ry", "rz"), np.concatenate([force @ axes, torque * axes[0]]))]
    text = ", ".join(f"{{ force: {{ point: end, direction: {direction}, amplitude: {amplitude!r} }} }}" for direction, amplitude in loads)
    for kind in ("beam", "beam_euler"):
        section = (f"{{ rectangle: {{ height: {HEIGHT}, width: {WIDTH} }}, orientation: [{', '.join(map(repr, axes[1].tolist()))}],"
                   f" offset: [{offset[0]}, {offset[1]}] }}")
        given = {"parts": f"beam: {{ material: steel, element: {kind}, section: {section} }}", "supports": "[ { group: root } ]",
                 "more": f"points: {{ end: {{ at: [{', '.join(repr(float(x)) for x in LENGTH * axes[0])}] }} }}"}
        with solve(case(f"  - preload: {{ name: at_rest, stresses: yes, load: [ {text} ] }}", **given)):
            seen = Seen("case_at_rest.xdmf.h5")
        assert not hasattr(seen, "stress")
        left = LENGTH * (1 - (np.arange(cells) + 0.5) / cells)  # from the middle of each to the tip, where forces act on the line of nodes
        around_x = torque - offset[0] * force[2] + offset[1] * force[1]
        moments = np.stack([np.full(cells, around_x), -left * force[2] - offset[1] * force[0], left * force[1] + offset[0] * force[0]], axis=1)
        agree(f"{kind}: forces", seen.beam_force, np.outer(np.ones(cells), force), 1e-9)
        agree(f"{kind}: moments", seen.beam_moment, moments, 1e-9)


def tensions(tension, middles):
    """Each shank is a column of bricks: the mean of sigma_zz over one times its area is the tension, by balance, whatever else is there; at each stage and
    beside the cut too. Measured: 7e-12, of what Newton leaves."""
    stages = [Seen("bolted_tight.xdmf.h5", stage) for stage in range(3)]
    shanks = np.flatnonzero(stages[0].groups == 3)
    bolt = (middles[shanks, 0] > 0.035).astype(int)
    assert len(shanks) == 8 and sorted(bolt) == [0] * 4 + [1] * 4
    pull = [seen.element_stress[shanks, ZZ] * bolted.CELL[0] * bolted.CELL[1] for seen in stages]
    agree("tensions at all stages", pull, tension[:, bolt], 1e-9)
    return stages[1:]


def turns(name, pressures, corner, middles):
    """The mesh moves as the point at a node does, and the uppermost layer of bricks carries the load, the mean of sigma_zz over it being the pressure; up to
    58 % of the faces slide. Measured: 9e-12."""
    with h5py.File(f"bolted_{name}.xdmf.h5") as file:
        assert np.array_equal(file["XDMF/Time"], [2 * turn for turn in range(len(pressures))])
    found = [Seen(f"bolted_{name}.xdmf.h5", turn) for turn in range(len(pressures))]
    node = int(np.argmin(np.linalg.norm(found[0].places - bolted.CORNER, axis=1)))
    agree(f"{name}: the corner", [seen.displacement[node] for seen in found], corner[::2], 1e-9)
    layer = middles[:, 2] > bolted.CORNER[2] - bolted.CELL[2]
    assert layer.sum() == 21
    agree(f"{name}: the layer", [seen.element_stress[layer, ZZ].mean() for seen in found], [-1e6 * pressure for pressure in pressures], 1e-9)
    return found[1:]


def bolted_plates():
    """Two bolts tightened; then the top is pressed, at rest, and about the preload pulled and pressed. Stresses on 1, 2, 3 ranks. Measured: 2e-14."""
    bolted.write_mesh("bolted.msh")
    keys = "load: { force: { pattern: pull, amplitude: 1e6 } }, steps: 2, fields: yes, stresses: yes"
    bolted.write_case("bolted.yaml", ["preload: { name: tight, order: [b1, b2], stresses: yes }", f"static: {{ name: at_rest, {keys} }}",
                                      f"static: {{ name: about, about: tight, path: [-1, 1], {keys} }}"])
    with open("bolted.yaml", encoding="utf-8") as file:
        text = file.read()
    first = None
    for ranks in (1, 2, 3):
        with solve(text, "bolted", ranks=ranks) as file:
            tension = file["preload/tight/tension"][()]
            corner = {name: file[f"static/{name}/points/corner/displacement"][()] for name in ("at_rest", "about")}
        with h5py.File("bolted_tight.xdmf.h5") as file:
            middles = file["XDMF/Points"][()][file["XDMF/Topology"][()].reshape(-1, 9)[:, 1:]].mean(axis=1)
        states = tensions(tension, middles) + turns("at_rest", (0, 1), corner["at_rest"], middles) + turns("about", (0, -1, 1), corner["about"], middles)
        found = np.concatenate([np.ravel(getattr(seen, name)) for seen in states for name in ("stress", "von_mises", "element_stress", "element_von_mises")])
        first = found if first is None else first
        agree(f"{ranks} ranks: all stresses", found, first, 1e-9)


def in_modes_and_motions():
    """Of a clamped bar in its first mode along x, u = sqrt(2 / (rho A L)) sin(k x), k = pi / 2 L: sigma = E u', here with nu = 0, to (k h)^2 / 12. A motion
    on modes is the sum of its modes, so its stress is that of theirs. Measured: 1.4e-3, which is that; 8e-15."""
    bodies = Bodies()
    bodies.grid("bar", "hex20", (12, 1, 1), lambda i, j, k: (LENGTH * i / 12, WIDTH * j, HEIGHT * k), {"root": (0, 0), "tip": (0, -1), "side": (1, 0)})
    bodies.write("bar.msh")
    studies = """  - modes: { count: 4, joints: stuck, stresses: yes }
  - transient: { name: hit, time_step: 1e-6, steps: 60, load: { half_sine: { point: end, direction: y, duration: 2e-5, amplitude: 100 } }, fields: { every: 30, stresses: yes } }"""
    given = {"poisson": 0, "supports": "[ { group: root }, { group: side, directions: [z] } ]", "more": "points: { end: { average: tip } }"}
    for reduction in ("modes: { count: 4 }", "craig_bampton: { modes: 4, keep: [end] }"):
        text = case(studies, **given).replace("modes: { count: 4 } }", reduction + " }", 1)
        with solve(text) as file, h5py.File("case.hdf") as fields:
            omega, motions = file["modes/stuck/omega"][()], file["transient/hit/fields/displacement"][()]
            points, cells = fields["VTKHDF/PointData"], fields["VTKHDF/CellData"]
            names = sorted(name for name in points if name.startswith("stuck_"))
            places = fields["VTKHDF/Points"][()]
            own = {name: {kind: (points if kind[0] != "e" else cells)[f"{kind}_{name}"][()] for kind in ("stress", "von_mises", "element_stress")} for name in names}
        if reduction.startswith("modes"):
            k = math.pi / 2 / LENGTH
            mode = int(np.argmin(np.abs(omega - k * math.sqrt(YOUNG / DENSITY))))
            stress = own[names[mode]]["stress"]
            agree("a mode along the bar", np.abs(stress[:, XX]), YOUNG * k * math.sqrt(2 / (DENSITY * WIDTH * HEIGHT * LENGTH)) * np.cos(k * places[:, 0]), 0.01)
            agree("its von Mises stress", own[names[mode]]["von_mises"], von_mises(stress), 1e-12)
            whole = text.replace("reduction: { modes: { count: 4 } }\n", "").replace(studies[studies.index("\n"):], "")
            with solve(whole, "whole", ranks=3), h5py.File("whole.hdf") as fields:
                found = fields[f"VTKHDF/PointData/stress_{names[mode]}"][()]
            agree("the same mode of a mesh that is not reduced, 3 ranks", found, stress, 1e-9)
            for time in (1, 2):
                seen = Seen("case_hit.xdmf.h5", time)
                for kind in ("stress", "element_stress"):
                    agree(f"a motion, {kind}", getattr(seen, kind), sum(q * own[name][kind] for q, name in zip(motions[time], names)), 1e-9)
        else:
            seen = Seen("case_hit.xdmf.h5", 2)
            assert np.isfinite(seen.stress).all() and seen.von_mises.max() > 0


if __name__ == "__main__":
    in_a_folder(pulled, bent, pressed_inside, side_by_side, carried, bolted_plates, in_modes_and_motions)
