"""Bolts that are beams between the ends of two bars, apart from each other, against closed forms.

Stretch: three springs in series, E A / L of each bar (nu = 0, and averages of faces in uniaxial stress) and of the bolt. Bending, shear and
twist: Timoshenko's cantilever, bars so stiff that they do not count (S. P. Timoshenko, Strength of Materials; kappa of a circle: G. R. Cowper,
J. Appl. Mech. 33 (1966), 335-340).
"""
import math
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from touching import Bodies, agree, in_a_folder, refused, solve

BAR, SIDE, GAP, DIAMETER, YOUNG, FORCE = 0.1, 0.02, 0.05, 8e-3, 210e9, 5e3
AREA, SHANK = SIDE**2, math.pi / 4 * DIAMETER**2

CASE = """mesh: bars.msh
materials: {{ steel: {{ young: {young}, poisson: {poisson}, density: 7850 }}, body: {{ young: {body}, poisson: 0, density: 7850 }} }}
parts: {{ left: body, right: body }}
supports: {supports}
points: {{ a: {{ average: end_a }}, b: {{ average: end_b }} }}
reduction: {{ modes: {{ count: 8 }} }}
bolts: {{ bolt: {{ between: [a, b], diameter: {diameter}, material: steel, preload: {force} }} }}
studies:
"""


def write(axis=0, gap=GAP):
    """Along x, or another axis of the model."""
    bodies = Bodies()
    for name, start, faces in (("left", 0, {"wall_a": (0, 0), "end_a": (0, -1)}), ("right", BAR + gap, {"end_b": (0, 0), "wall_b": (0, -1)})):

        def place(i, j, k, start=start):
            own = (start + BAR * i / 3, SIDE * (j / 2 - 0.5), SIDE * (k / 2 - 0.5))
            return own[-axis % 3], own[(1 - axis) % 3], own[(2 - axis) % 3]

        bodies.grid(name, "hex8", (3, 2, 2), place, faces)
    bodies.write("bars.msh")


def case(studies, **changes):
    given = {"young": YOUNG, "poisson": 0, "body": YOUNG, "supports": "[ { group: wall_a }, { group: wall_b } ]", "diameter": DIAMETER, "force": FORCE}
    return CASE.format(**{**given, **changes}) + studies


def tightened():
    """Shift and tension, and how far the ends come together. Measured: 3e-15."""
    shank, bar = YOUNG * SHANK / GAP, YOUNG * AREA / BAR
    for axis in range(3):
        write(axis)
        for ranks in (1, 2, 3):
            with solve(case("  - preload: {}\n"), ranks=ranks) as file:
                found = file["preload/preload"]
                ends = [found[f"points/{point}/displacement"][-1, axis] for point in "ab"]
                agree(f"axis {axis}, {ranks} ranks: tension", found["tension"][-1], [FORCE], 1e-9)
                agree(f"axis {axis}, {ranks} ranks: shift", found["shift"][-1], [FORCE * (1 / shank + 2 / bar)], 1e-9)
                agree(f"axis {axis}, {ranks} ranks: ends", ends, [FORCE / bar, -FORCE / bar], 1e-9)


def pulled():
    """A locked bolt shares a load with the bars: as a spring between them. Measured: 2e-16."""
    load, shank, bar = 1e3, YOUNG * SHANK / GAP, YOUNG * AREA / BAR
    write()
    studies = f"  - preload: {{ name: tight }}\n  - static: {{ about: tight, load: {{ force: {{ point: b, direction: x, amplitude: {load} }} }}, steps: 1 }}\n"
    with solve(case(studies)) as file:
        moved = load / (bar + 1 / (1 / bar + 1 / shank))  # of b
        agree("tension", file["static/static/bolts/bolt/tension"][-1], FORCE + moved / (1 / bar + 1 / shank), 1e-9)


def bent():
    """The right bar hangs on the bolt alone. Bars 1e5 times as stiff give way by 6e-6 of it, as measured."""
    poisson, load = 0.3, 100
    inertia, shear = SHANK * DIAMETER**2 / 16, YOUNG / (2 * (1 + poisson))
    kappa = 6 * (1 + poisson) / (7 + 6 * poisson)
    expected = {("z", "z"): GAP**3 / (3 * YOUNG * inertia) + GAP / (kappa * shear * SHANK), ("z", "ry"): -(GAP**2) / (2 * YOUNG * inertia),
                ("y", "y"): GAP**3 / (3 * YOUNG * inertia) + GAP / (kappa * shear * SHANK), ("y", "rz"): GAP**2 / (2 * YOUNG * inertia),
                ("rx", "rx"): GAP / (shear * 2 * inertia), ("x", "x"): GAP / (YOUNG * SHANK)}
    write()
    names = ["x", "y", "z", "rx", "ry", "rz"]
    studies = "".join(f"  - static: {{ name: in_{d}, load: {{ force: {{ point: b, direction: {d}, amplitude: {load} }} }}, steps: 1 }}\n"
                      for d in sorted({pushed for pushed, _ in expected}))
    with solve(case(studies, poisson=poisson, body=1e5 * YOUNG, supports="[ { group: wall_a } ]")) as file:
        for (pushed, seen), value in expected.items():
            moved = file[f"static/in_{pushed}/points/b/displacement"][-1, names.index(seen)]
            agree(f"{seen} under {pushed}", moved, load * value, 3e-5)


def wrong():
    write()
    whole = case("  - preload: {}\n")
    refused(whole.replace("between: [a, b]", "between: [a, a]"), "bolts.bolt.between", "without length", "0 m apart")
    refused(whole.replace("between: [a, b]", "between: [a, ground]"), "bolts.bolt.between", "average")
    refused(whole.replace(", material: steel", ""), "bolts.bolt", "`material`")
    refused(whole.replace("diameter:", "cut: end_a, diameter:"), "bolts.bolt")
    write(gap=1e-12)
    refused(whole, "bolts.bolt.between", "without length", "e-12 m apart")


if __name__ == "__main__":
    in_a_folder(tightened, pulled, bent, wrong)
