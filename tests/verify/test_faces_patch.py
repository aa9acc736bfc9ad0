"""Faces of two meshes that press each other: a pressure on one body arrives at the ground unchanged, whatever the meshes and the stiffness between them. [timeout: 300]

Two blocks, one on the other, sides free, in uniaxial stress: every point of the faces carries the pressure p0 of the load, and the top sinks by
p0 L / E of each block and p0 / k of the interface. Elements contain this motion exactly (incompatible modes pass the patch test on
distorted bricks: R. L. Taylor, P. J. Beresford, E. L. Wilson, Int. J. Numer. Methods Eng. 10 (1976), 1211-1219), and so must the faces.
"""
import itertools
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np

from touching import Bodies, agree, in_a_folder, solve

FIRST_ORDER, SECOND_ORDER = ("hex8", "tet4", "wedge6"), ("hex20", "tet10", "hex27")
ALLOWED = 2e-11  # of the pressure, k times a motion: round-off of the stiffness that is factored
SIDE, HEIGHTS, YOUNG, POISSON, PRESSURE = 0.1, (0.1, 0.06), 210e9, 0.3, 1e8

CASE = """mesh: blocks.msh
materials: {{ steel: {{ young: {young}, poisson: {poisson}, density: 7850 }} }}
parts: {{ lower: steel, upper: steel }}
points: {{ top: {{ average: top }} }}
supports: [ {{ group: bottom, directions: z }}, {{ group: left, directions: x }}, {{ group: front, directions: y }} ]
patterns: {{ press: {{ pressure: top }} }}
joints:
  face: {{ faces: [low_face, up_face], contact: {{ law: rough_contact, friction: 0.3, normal_stiffness: {k}, tangential_stiffness: {k} }} }}
studies:
  - preload: {{ name: pressed, load: {{ force: {{ pattern: press, amplitude: {pressure} }} }} }}
"""


def shaken(cells, seed):
    """Places of the nodes of one block in its plane, those inside moved by up to a quarter of a cell; those of its edges stay in them."""
    grid = np.stack(np.meshgrid(*2 * [np.arange(cells + 1) / cells], indexing="ij"))
    moved = np.random.default_rng(seed).uniform(-0.25, 0.25, grid.shape) / cells
    moved[0, [0, -1], :] = moved[1, :, [0, -1]] = 0
    return SIDE * (grid + (moved if seed else 0))


def write(kinds, cells, seed=0):
    """Two blocks; a seed distorts their cells in their plane."""
    bodies = Bodies()
    for body, (kind, count, bottom, height) in enumerate(zip(kinds, cells, (0, HEIGHTS[0]), HEIGHTS)):
        plane = shaken(count, seed and seed + body)

        def place(i, j, k, plane=plane, bottom=bottom, height=height):
            return plane[0, i, j], plane[1, i, j], bottom + height * k / 2

        faces = {"bottom": (2, 0), "low_face": (2, -1)} if body == 0 else {"up_face": (2, 0), "top": (2, -1)}
        bodies.grid(("lower", "upper")[body], kind, (count, count, 2), place, faces)
        nodes = {"left": 0, "front": 1}
        for name, axis in nodes.items():
            held = [[n] for n, at in enumerate(bodies.nodes) if abs(at[axis]) < 1e-12]
            bodies.groups[name] = (0, 15, held)
    bodies.write("blocks.msh")


def press(k, ranks=1):
    with solve(CASE.format(young=YOUNG, poisson=POISSON, k=k, pressure=PRESSURE), ranks=ranks) as file:
        face = file["preload/pressed/joints/face"]
        return face["pressure"][-1], face["area"][()], file["preload/pressed/points/top/displacement"][-1, 2]


def check(what, k, tolerance, ranks=1):
    pressure, area, top = press(k, ranks)
    agree(f"{what}: area", area.sum(), SIDE**2, 1e-12)
    agree(f"{what}: pressure", pressure, np.full_like(pressure, PRESSURE), tolerance)
    agree(f"{what}: top", top, -PRESSURE * (sum(HEIGHTS) / YOUNG + 1 / k), tolerance)


def ratios_of_meshes():
    """Measured: 3.3e-12 of the pressure, 2e-13 of the top."""
    for kind in FIRST_ORDER + SECOND_ORDER:
        for cells, seed in (((4, 4), 0), ((5, 4), 0), ((7, 4), 3), ((4, 7), 5))[0 if kind == "hex8" else 2 :]:
            write((kind, kind), cells, seed)
            check(f"{kind} {cells[0]}:{cells[1]}", 1e13, ALLOWED)


def kinds_on_kinds():
    """Every two kinds, the one or the other below. Measured: 1.1e-12."""
    for number, (one, other) in enumerate(itertools.combinations(FIRST_ORDER + SECOND_ORDER, 2)):
        kinds = (other, one) if number % 2 else (one, other)
        write(kinds, (3, 2), 7)
        check(f"{kinds[0]} under {kinds[1]}", 1e13, ALLOWED)


def stiffness_of_the_interface():
    """k h/E from 1.2e-3 to 120, h the edge of a brick. The pressure is k times a motion that is p0 / k of p0 L / E: at 1e15 digits are lost.
    Measured: 3e-14, 1e-14, 1.2e-11, 6.3e-11."""
    write(("hex8", "hex8"), (7, 4), 3)
    for k, tolerance in ((1e10, 1e-12), (1e12, 1e-12), (1e14, 1e-10), (1e15, 3e-10)):
        check(f"k = {k:g}", k, tolerance)


def several():
    """Three blocks and two contacts, of another stiffness each: the pressure goes through both. Measured: 2.5e-13 of it, 2e-14 of the top."""
    bodies, groups = Bodies(), (("bottom", "face_a"), ("face_b", "face_c"), ("face_d", "top"))
    for body, (kind, count, faces) in enumerate(zip(("hex8", "tet4", "wedge6"), (4, 5, 3), groups)):

        def place(i, j, k, body=body, count=count):
            return SIDE * i / count, SIDE * j / count, SIDE * (body + k / 2)

        bodies.grid(("lower", "upper", "third")[body], kind, (count, count, 2), place, {faces[0]: (2, 0), faces[1]: (2, -1)})
    for name, axis in {"left": 0, "front": 1}.items():
        bodies.groups[name] = (0, 15, [[n] for n, at in enumerate(bodies.nodes) if abs(at[axis]) < 1e-12])
    bodies.write("blocks.msh")
    joint = CASE[CASE.index("  face:") : CASE.index("studies:")]
    text = CASE.replace("upper: steel", "upper: steel, third: steel").replace(joint, joint.replace("face: ", "one: ", 1).replace("low_face, up_face", "face_a, face_b")
        + joint.replace("face: ", "two: ", 1).replace("low_face, up_face", "face_c, face_d").replace("{k}", "{other}"))
    with solve(text.format(young=YOUNG, poisson=POISSON, k=1e13, other=2e13, pressure=PRESSURE)) as file:
        for name in ("one", "two"):
            pressure = file[f"preload/pressed/joints/{name}/pressure"][-1]
            agree(f"several, {name}: pressure", pressure, np.full_like(pressure, PRESSURE), ALLOWED)
        agree("several: top", file["preload/pressed/points/top/displacement"][-1, 2], -PRESSURE * (3 * SIDE / YOUNG + 1.5 / 1e13), 1e-10)


def layers_and_ties():
    """Laws of single directions by area (verify/layers has their histories), and faces that are glued. Measured: 2e-13."""
    contact = CASE[CASE.index("contact:") : CASE.index(" }}\nstudies")]
    statics = CASE[: CASE.index("studies:")] + "studies:\n  - static: {{ load: {{ force: {{ pattern: press, amplitude: {pressure} }} }}, steps: 1 }}\n"
    spring, iwan = "{{ law: spring, stiffness: {k} }}", "{{ law: iwan4, slip_force: 1e6, stiffness: 1e12, chi: -0.4, beta: 1 }}"
    write(("hex8", "tet4"), (5, 4), 3)
    for what, joint, k in (("layer", f"x: {spring}, y: {spring}, z: {iwan}", 1e12), ("glue", "tied: yes", np.inf)):
        for count in (1, 3):
            with solve(statics.replace(contact, joint).format(young=YOUNG, poisson=POISSON, k=k, pressure=PRESSURE), ranks=count) as file:
                top = file["static/static/points/top/displacement"][-1, 2]
            agree(f"{what}, {count} ranks: top", top, -PRESSURE * (sum(HEIGHTS) / YOUNG + 1 / k), 1e-11)


def ranks():
    """Measured: 4.3e-13."""
    write(("hex8", "tet4"), (5, 4), 3)
    for count in (2, 3):
        check(f"{count} ranks", 1e13, ALLOWED, count)


if __name__ == "__main__":
    in_a_folder(ratios_of_meshes, kinds_on_kinds, stiffness_of_the_interface, several, layers_and_ties, ranks)
