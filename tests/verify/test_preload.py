"""Bolts that press faces: columns in closed form, their order, gaps, loads that part the faces, modes about the preload, and what is refused. [timeout: 300]

Two pieces of a column press each other, bolts beside them stand on the same ground and end in the same rigid head, which moves along z alone.
Without Poisson's ratio every body is a spring, k = E A / L, and the faces one more between the pieces, k_n A: 1/k_c = 2 L/(E A) + 1/(k_n A).
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np

from touching import Bodies, agree, in_a_folder, refused, solve

E_PIECE, E_BOLT, WIDTH, SHANK, HEIGHT, STIFFNESS = 70e9, 110e9, 0.05, 0.02, 0.04, 1e13
FORCE = 2e4
K_PIECES = 1 / (2 * HEIGHT / (E_PIECE * WIDTH**2) + 1 / (STIFFNESS * WIDTH**2))

CASE = """mesh: column.msh
materials:
  aluminium: {{ young: {E_PIECE}, poisson: 0, density: 2700 }}
  titanium: {{ young: {E_BOLT}, poisson: 0, density: 4400 }}
parts: {{ pieces: aluminium, shanks: titanium }}
points: {{ head: {{ rigid: heads }} }}
supports: [ {{ group: ground }}, {{ point: head, directions: [x, y, rx, ry, rz] }} ]
joints:
  face: {{ faces: [low_face, up_face], contact: {{ law: rough_contact, friction: 0.2, normal_stiffness: {STIFFNESS}, tangential_stiffness: {STIFFNESS} }} }}
bolts:
{bolts}
studies:
{studies}"""


def write(gap=0.0, bolts=1, cells=(3, 2)):
    """The pieces with meshes that do not match, and bolts beside them."""
    bodies = Bodies()
    for count, bottom, faces in ((cells[0], 0.0, {"ground": (2, 0), "low_face": (2, -1)}), (cells[1], HEIGHT + gap, {"up_face": (2, 0), "heads": (2, -1)})):
        bodies.grid("pieces", "hex8", (count, count, 2), lambda i, j, k, n=count, z=bottom: (WIDTH * i / n, WIDTH * j / n, z + HEIGHT * k / 2), faces)
    for bolt in range(bolts):
        height = 2 * HEIGHT + gap
        bodies.grid("shanks", "hex8", (1, 1, 4), lambda i, j, k, x=0.1 + 0.1 * bolt, h=height: (x + SHANK * i, SHANK * j, h * k / 4),
                    {"ground": (2, 0), f"cut{bolt + 1}": (2, 2), "heads": (2, -1)})
    bodies.write("column.msh")
    return E_BOLT * SHANK**2 / (2 * HEIGHT + gap)


def case(studies, bolts=1, force=FORCE):
    return CASE.format(**globals(), studies="".join(f"  - {study}\n" for study in studies),
                       bolts="\n".join(f"  b{b + 1}: {{ cut: cut{b + 1}, axis: [0, 0, 1], preload: {force} }}" for b in range(bolts)))


def a_bolted_column():
    """J. E. Shigley, Mechanical Engineering Design, bolted joints: delta = F (1/k_b + 1/k_c); a load P lengthens both, by P / (k_b + k_c), until the
    pieces part at P = F (k_b + k_c)/k_c and the bolt bears all of it. A gap adds to delta. Measured: 3e-11 of pressures, 2e-12 of the rest."""
    for gap in (0.0, 1e-5, 1e-4):
        bolt = write(gap)
        parts = FORCE * (bolt + K_PIECES) / K_PIECES
        studies = ["preload: { name: tightened }",
                   f"static: {{ about: tightened, load: {{ force: {{ point: head, direction: z, amplitude: {2 * parts} }} }}, path: [1, -0.5, 0], steps: 8 }}"]
        with solve(case(studies)) as file:
            tightened = file["preload/tightened"]
            agree(f"gap {gap}: tension", tightened["tension"][-1], [FORCE], 1e-9)
            agree(f"gap {gap}: shift", tightened["shift"][-1], [FORCE * (1 / bolt + 1 / K_PIECES) + gap], 1e-9)
            agree(f"gap {gap}: pressure", tightened["joints/face/pressure"][-1], np.full(len(tightened["joints/face/area"]), FORCE / WIDTH**2), 1e-9)
            agree(f"gap {gap}: head", tightened["points/head/displacement"][-1, 2], -FORCE / K_PIECES - gap, 1e-9)
            load = 2 * parts * file["static/static/factor"][()]
            moved = np.where(load < parts, load / (bolt + K_PIECES), (load - FORCE) / bolt)
            assert np.count_nonzero(load > parts) >= 4
            agree(f"gap {gap}: loaded", file["static/static/points/head/displacement"][:, 2], moved, 1e-9)


PRESSED = """mesh: column.msh
materials: {{ aluminium: {{ young: {E_PIECE}, poisson: 0, density: 2700 }} }}
parts: {{ pieces: aluminium }}
points: {{ middle: {{ average: low_face }} }}
supports: [ {{ group: ground }}, {{ group: heads }} ]
patterns: {{ push: {{ pressure: low_face }} }}
joints:
  face: {{ faces: [low_face, up_face], {closed}contact: {{ law: rough_contact, friction: 0.2, normal_stiffness: {STIFFNESS}, tangential_stiffness: {STIFFNESS} }} }}
studies:
  - preload: {{}}
  - static: {{ about: preload, load: {{ force: {{ pattern: push, amplitude: {pressure} }} }}, steps: 1 }}
"""


def an_overlap_alone():
    """Two pieces between rigid walls whose meshes overlap by o: they press each other by F = o K_PIECES, and the lower one gives way by F/k,
    k = E A/L. A pressure on the lower face then moves it against both sides: its own piece takes a share by k, the other one and the faces between
    by 1/(1/k + 1/(k_n A)). Without an overlap there is nothing to preload with. Measured: 7e-14."""
    overlap = 2e-5
    force, piece = overlap * K_PIECES, E_PIECE * WIDTH**2 / HEIGHT
    load = 0.5 * force
    write(-overlap, bolts=0)
    with solve(PRESSED.format(**globals(), pressure=load / WIDTH**2, closed="")) as file:
        pressed = file["preload/preload"]
        agree("overlap: pressure", pressed["joints/face/pressure"][-1], np.full(len(pressed["joints/face/area"]), force / WIDTH**2), 1e-9)
        agree("overlap: middle", pressed["points/middle/displacement"][-1, 2], -force / piece, 1e-9)
        other = 1 / (1 / piece + 1 / (STIFFNESS * WIDTH**2))
        agree("overlap: a load on it", file["static/static/points/middle/displacement"][-1, 2], -load / (piece + other), 1e-9)
    for gap, closed in ((0.0, ""), (1e-5, ""), (-overlap, "closed: yes, ")):
        write(gap, bolts=0)
        refused(PRESSED.format(**globals(), pressure=load / WIDTH**2, closed=closed), "nothing to preload with", "overlap")


def bolts_one_after_another():
    """The second bolt takes tension from the first, by k_b times what it presses the pieces shorter; further passes restore it."""
    bolt, passes = write(bolts=2), 3
    with solve(case([f"preload: {{ order: [b2, b1], passes: {passes} }}", f"preload: {{ name: together }}"], bolts=2)) as file:
        tension, shift, expected = file["preload/preload/tension"][()], file["preload/preload/shift"][()], [[0.0, 0.0]]
        delta, done = np.zeros(2), set()
        for stage in range(2 * passes):
            own, other = 1 - stage % 2, stage % 2
            done.add(own)
            # the head sinks by w: k_c w = F + k_b (delta - w), the other bolt locked, or k_c w = F while it is loose
            w = (FORCE + bolt * delta[other]) / (K_PIECES + bolt) if other in done else FORCE / K_PIECES
            delta[own] = FORCE / bolt + w
            delta[other] = delta[other] if other in done else w
            expected.append([FORCE if b == own else bolt * (delta[b] - w) for b in range(2)])
        agree("one after another: tension", tension, expected, 1e-9)
        agree("one after another: shift", shift[-1], delta, 1e-9)
        assert tension[2, 1] < 0.9 * FORCE and tension[-1, 1] > 0.999 * FORCE, tension
        agree("together: shift", file["preload/together/shift"][-1], 2 * [FORCE / bolt + 2 * FORCE / K_PIECES], 1e-9)


def motion_about_the_preload():
    """The column moves along its axis alone, so that meshes of 16 and 49 points do alike, also while a blow parts the faces. Measured: 2e-14."""
    moved = []
    blow = f"half_sine: {{ point: head, direction: z, amplitude: {4 * FORCE}, duration: 2e-4 }}"
    for cells in ((3, 2), (6, 5)):
        write(cells=cells)
        with solve(case(["preload: { name: tightened }", f"transient: {{ about: tightened, time_step: 1e-6, steps: 400, load: {{ {blow} }} }}"])) as file:
            moved.append(file["transient/transient/points/head/displacement"][()])
    agree("in motion", moved[0], moved[1], 1e-9)
    assert moved[0][:, 2].max() > 1.5 * FORCE / K_PIECES, "the faces do not part"


def what_cannot_be():
    """A bolt that ends in the air; pieces that a load parts, the upper one held by nothing else."""
    bodies = Bodies()
    bodies.grid("pieces", "hex8", (2, 2, 1), lambda i, j, k: (i * WIDTH / 2, j * WIDTH / 2, k * HEIGHT), {"ground": (2, 0), "low_face": (2, -1)})
    bodies.grid("pieces", "hex8", (2, 2, 1), lambda i, j, k: (i * WIDTH / 2, j * WIDTH / 2, (1 + k) * HEIGHT), {"up_face": (2, 0), "heads": (2, -1)})
    bodies.grid("shanks", "hex8", (1, 1, 4), lambda i, j, k: (0.1 + SHANK * i, SHANK * j, HEIGHT * k), {"ground": (2, 0), "cut1": (2, 2)})
    bodies.write("column.msh")
    refused(case(["preload: {}"]), "bolt 'b1' pulls nothing together")
    lifted = "preload: { load: { force: { point: head, direction: z, amplitude: 1e3 } } }"
    alone = case([lifted]).replace("bolts:\n  b1: { cut: cut1, axis: [0, 0, 1], preload: 20000.0 }\n", "")
    refused(alone, "no equilibrium", "nothing holds the structure once its faces open")
    with solve(alone.replace("1e3 }", "-1e3 }")) as file:
        agree("resting", file["preload/preload/joints/face/pressure"][-1], np.full(9, 1e3 / WIDTH**2), 1e-9)


HALVES = """mesh: halves.msh
materials: { steel: { young: 210e9, poisson: 0.3, density: 7850 } }
parts: { lower: steel, upper: steel }
supports: [ { group: ground } ]
patterns: { press: { pressure: pressed } }
joints:
  touch: { faces: [low_touch, up_touch], contact: { law: rough_contact, friction: 0.3, normal_stiffness: 1e13, tangential_stiffness: 6e12PRELOAD } }
"""
APART = "  apart: { faces: [low_apart, up_apart], contact: { law: rough_contact, friction: 0.3, normal_stiffness: 1e13, tangential_stiffness: 6e12 } }\n"


def frequencies(text, *studies):
    """By the state of the joints, and what the points of each joint do at the end of the preload."""
    with solve(text + "studies:\n" + "".join(f"  - {study}\n" for study in studies)) as file:
        joints = file["preload/pressed/joints"] if "preload" in file else {}
        return {name: file[f"modes/{name}/omega"][()] for name in ("stuck", "slipping")}, {name: joints[name]["state"][-1] for name in joints}


def modes_about_the_preload():
    """A block of which one half stands, the other is above a gap: as one with faces at its standing half alone, which are closed by its law."""
    bodies, n, side = Bodies(), 4, 0.1
    bodies.grid("lower", "hex8", (5, 4, 3), lambda i, j, k: (side * i / 5, side * j / 4, side * (k - 3) / 3),
                {"ground": (2, 0), "low_touch": (2, -1, lambda a, b: a < 3), "low_apart": (2, -1, lambda a, b: a >= 3)})
    bodies.grid("upper", "hex8", (n, n, 3), lambda i, j, k: (side * i / n, side * j / n, side * k / 3 + (1e-4 if k == 0 and i > n // 2 else 0)),
                {"up_touch": (2, 0, lambda a, b: a < n // 2), "up_apart": (2, 0, lambda a, b: a > n // 2), "pressed": (2, -1, lambda a, b: a < n // 2)})
    bodies.write("halves.msh")
    preload, about = "preload: { name: pressed, load: { force: { pattern: press, amplitude: 1e6 } } }", "modes: { about: pressed, count: 8 }"
    own, states = frequencies(HALVES.replace("PRELOAD", "") + APART, preload, about)
    assert np.all(states["touch"] > 0) and not np.any(states["apart"]), states
    closed_by_law = HALVES.replace("PRELOAD", ", preload: 1e6")
    alone, _ = frequencies(closed_by_law, "modes: { count: 8 }")
    closed, _ = frequencies(closed_by_law + APART.replace("6e12", "6e12, preload: 1e6").replace("{ f", "{ closed: yes, f"), "modes: { count: 8 }")
    for name in ("stuck", "slipping"):
        agree(f"modes about the preload, {name}", own[name], alone[name], 1e-9)  # measured: 2e-15
    assert closed["stuck"][0] > 1.05 * own["stuck"][0], (closed, own)


WEDGE = """mesh: wedge.msh
materials: {{ steel: {{ young: 210e9, poisson: 0.3, density: 7850 }} }}
parts: {{ lower: steel, upper: steel }}
points: {{ head: {{ average: top }} }}
supports: [ {{ group: ground }} ]
springs: [ {{ between: [ground, head], direction: x, stiffness: {spring} }} ]
joints:
  face: {{ faces: [low_face, up_face], contact: {{ law: rough_contact, friction: {friction}, normal_stiffness: 1e13, tangential_stiffness: 1e13 }} }}
studies:
  - preload: {{ load: {{ force: {{ point: head, direction: z, amplitude: {weight} }} }} }}
  - static: {{ about: preload, load: {{ force: {{ point: head, direction: x, amplitude: {push} }} }}, path: [1, 1.5], steps: 4 }}
"""


def a_wedge_that_slides():
    """NAFEMS, Benchmark tests for contact (CGS-4): a block goes up a slope a under a weight G and a force F, F/G = (tan a + mu)/(1 - mu tan a); what
    is more pulls a spring. Equilibrium of the block alone, so that its deformation does not matter. Before, the block rests on the slope by friction
    and the spring. Measured: 1e-10; sliding it is held 2000 times less stiffly than stuck, and so much of the round-off of the stuck one is seen."""
    slope, friction, weight, spring, bodies = 0.1, 0.3, 1e4, 1e8, Bodies()

    def rise(x, z):
        return z + slope * x

    bodies.grid("lower", "hex8", (8, 4, 2), lambda i, j, k: (0.04 * (i - 1), 0.025 * j, rise(0.04 * (i - 1), 0.02 * k)), {"ground": (2, 0), "low_face": (2, -1)})
    bodies.grid("upper", "hex8", (5, 3, 2), lambda i, j, k: (0.04 * i, 0.1 * j / 3, rise(0.04 * i, 0.04 + 0.02 * k)), {"up_face": (2, 0), "top": (2, -1)})
    bodies.write("wedge.msh")
    slides = weight * (slope + friction) / (1 - friction * slope)
    with solve(WEDGE.format(spring=spring, friction=friction, weight=-weight, push=2 * slides)) as file:
        rest = file["preload/preload/points/head/displacement"][-1, 0]
        moved = rest + file["static/static/points/head/displacement"][-4:, 0]
        load = 2 * slides * file["static/static/factor"][-4:]
        agree("wedge", load - spring * moved, np.full(4, slides), 1e-9)


if __name__ == "__main__":
    in_a_folder(a_bolted_column, an_overlap_alone, bolts_one_after_another, motion_about_the_preload, what_cannot_be, a_wedge_that_slides, modes_about_the_preload)
