"""Stresses of a preload that stiffen what moves about it (`stiffening: yes`), against closed forms and against the same told in another way.

A strip on two hinges under an axial force P: omega_n^2 = omega_0n^2 (1 + P / P_n) [W. Weaver, S. P. Timoshenko, D. H. Young, Vibration problems in
engineering, 5th ed., Wiley 1990, section 5.8]; so omega_n^2 - omega_0n^2 = P k^2 / (rho A), k = n pi / L, whatever bends and shears. Of solids, what
fibres do along x adds (k r)^2 of it, as much as rotary inertia takes; of beams the latter alone counts.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np

import bolted
import box
from touching import Bodies, agree, in_a_folder, refused, solve

LENGTH, WIDTH, HEIGHT, YOUNG, DENSITY = 0.5, 0.02, 0.01, 210e9, 7850.0
AREA, INERTIA = WIDTH * HEIGHT, WIDTH * HEIGHT**3 / 12
EULER = np.pi**2 * YOUNG * INERTIA / LENGTH**2
SECTION = f"{{ rectangle: {{ height: {HEIGHT}, width: {WIDTH} }}, orientation: [0, 0, 1] }}"

CASE = """mesh: {mesh}
materials: {{ steel: {{ young: 210e9, poisson: {poisson}, density: 7850 }}, stiff: {{ young: 210e13, poisson: 0, density: 7850 }} }}
parts: {{ {parts} }}
supports: {supports}
reduction: {{ modes: {{ count: {modes} }} }}
{more}
studies:
  - preload: {{ name: plain, {load} fields: no }}
  - preload: {{ name: stiff, {load} fields: no, stiffening: yes }}
  - modes: {{ name: plain, about: plain, joints: stuck, count: {count} }}
  - modes: {{ name: stiff, about: stiff, joints: stuck, count: {count} }}
"""


def case(**given):
    return CASE.format(**{"mesh": "strip.msh", "poisson": 0, "parts": "strip: steel", "modes": 12, "count": 6, "more": "", "load": "", **given})


def change(file):
    """By which the stresses change omega^2."""
    before, after = (file[f"modes/{name}/stuck/omega"][()] for name in ("plain", "stiff"))
    return after**2 - before**2


def strip(kind, cells, **faces):
    """Along x, bent in z. Ends are one group of faces; `hinge` and `roller` are the nodes amid each."""
    bodies = Bodies()
    bodies.grid("strip", kind, cells, lambda i, j, k: (LENGTH * i / cells[0], WIDTH * j / cells[1], HEIGHT * (k / cells[2] - 0.5)),
                {"low": (0, 0), "high": (0, -1), **faces})
    shape = bodies.groups["low"][1]
    bodies.add("ends", 2, shape, bodies.groups["low"][2] + bodies.groups.pop("high")[2])
    for name, x in (("hinge", 0.0), ("roller", LENGTH)):
        bodies.add(name, 0, box.POINT, [[n] for n, at in enumerate(bodies.nodes) if abs(at[0] - x) + abs(at[2]) < 1e-9])
    return bodies


HINGES = "[ { group: hinge, directions: [x, y, z] }, { group: roller, directions: [y, z] } ]"


def pushed(kind, share):
    return case(parts=f"strip: {{ material: steel, element: {kind} }}", supports=HINGES, more="patterns: { push: { pressure: ends } }",
                load=f"load: {{ force: {{ pattern: push, amplitude: {-share * EULER / AREA} }} }},")


def strips():
    """Modes 0, 2, 3 bend in z. Bricks of 8 nodes are straight between their nodes: of the square of the slope they have (2 sin(k h / 2) / (k h))^2, of
    that of the deflection, and so of the mass, (2 + cos(k h)) / 3. Measured: 1.2e-4."""
    k = np.pi * np.arange(1, 4) / LENGTH
    for kind, cells in (("hex8", 40), ("hex20", 16), ("tet10", 16)):
        strip(kind, (cells, 1, 2)).write("strip.msh")
        step = k * LENGTH / cells
        chord = 3 * (2 * np.sin(step / 2) / step) ** 2 / (2 + np.cos(step)) if kind == "hex8" else 1
        for share in (0.5, -0.5, 3.0):
            with solve(pushed(kind, share)) as file:
                agree(f"{kind}, {share:+g} P_cr", change(file)[[0, 2, 3]], share * EULER * k**2 * chord / (DENSITY * AREA), 1e-3)
                assert [file[f"preload/{name}"].attrs["stiffening"] for name in ("plain", "stiff")] == [b"no", b"yes"]
                reduced = change(file)
    with solve(pushed("tet10", 3.0).replace("reduction: { modes: { count: 12 } }\n", "")) as file:
        agree("a mesh that the case does not reduce", change(file), reduced, 1e-9)


def buckled():
    """Far beyond the force that buckles, and so little that only the modes tell."""
    strip("hex20", (8, 1, 2)).write("strip.msh")
    for share in (-1.5, -1.02):
        refused(pushed("hex20", share), "stiffening", "buckle", "1 direction of negative energy")


def beams():
    """Free to turn at both ends. Measured: 4e-7; with shear 5e-5, as a section turns less than the axis does, by P_E / (k G A) = 8e-4 of it."""
    box.line("strip.msh", LENGTH, 20)
    k = np.pi * np.arange(1, 4) / LENGTH
    for kind, share in (("beam_euler", 0.5), ("beam_euler", -0.5), ("beam", 3.0)):
        text = case(parts=f"beam: {{ material: steel, element: {kind}, section: {SECTION} }}", more="points: { tip: { at: [0.5, 0, 0] } }",
                    supports="[ { group: root, directions: [x, y, z, rx, rz] }, { group: tip, directions: [y, z] } ]",
                    load=f"load: {{ force: {{ point: tip, direction: x, amplitude: {share * EULER} }} }},")
        with solve(text) as file:
            expected = share * EULER * k**2 / (DENSITY * AREA * (1 + k**2 * INERTIA / AREA))
            agree(f"{kind}, {share:+g} P_cr", change(file)[[0, 2, 3]], expected, 1e-3)


def at_rest():
    """A pulled cantilever under a load F across it: w = F L / P (1 - tanh(k L) / (k L)), k^2 = P / (E I) [Timoshenko, Gere, Theory of elastic stability, 2nd
    ed., McGraw-Hill 1961, section 1.11]. What the modes leave out stiffens too. Measured: 9e-7, of cubic functions in place of hyperbolic ones."""
    box.line("strip.msh", LENGTH, 20)
    pull, load = 3 * EULER, 10.0
    kl = LENGTH * np.sqrt(pull / (YOUNG * INERTIA))
    text = case(parts=f"beam: {{ material: steel, element: beam_euler, section: {SECTION} }}", more="points: { tip: { at: [0.5, 0, 0] } }", modes=3, count=3,
                supports="[ { group: root } ]", load=f"load: {{ force: {{ point: tip, direction: x, amplitude: {pull} }} }},")
    text += f"  - static: {{ about: stiff, load: {{ force: {{ point: tip, direction: z, amplitude: {load} }} }}, steps: 1 }}\n"
    with solve(text) as file:
        moved = file["static/static/points/tip/displacement"][-1, 2]
        agree("a pulled cantilever", moved, load * LENGTH / pull * (1 - np.tanh(kl) / kl), 1e-5)


def at_the_cut():
    """Pulled by a bolt between two hinges, or by forces at one of them: the stress is the same, also in the bricks at the cut, where u jumps.
    Measured: 1e-10."""
    found = []
    bodies = strip("hex8", (20, 1, 2), cut=(0, 9))
    bodies.write("strip.msh")
    more = f"points: {{ a: {{ at: [{LENGTH}, 0, 0] }}, b: {{ at: [{LENGTH}, {WIDTH}, 0] }} }}"
    forces = ", ".join(f"{{ force: {{ point: {point}, direction: x, amplitude: {0.25 * EULER} }} }}" for point in "ab")
    told = [{"supports": HINGES, "more": more, "load": f"load: [ {forces} ],"}]
    told += [{"supports": "[ { group: hinge }, { group: roller } ]", "more": f"bolts: {{ bolt: {{ cut: cut, preload: {0.5 * EULER}, axis: [{way}, 0, 0] }} }}"}
             for way in (1, -1)]
    for words in told:
        with solve(case(poisson=0.3, **words)) as file:
            found.append(change(file)[[0, 3]])  # one and three half waves; what is between them is held in x or not
    agree("a bolt along x", found[1], found[0], 1e-7)
    agree("a bolt against x", found[2], found[0], 1e-7)


def rigid():
    """A block at the tip of a cantilever, pushed at its middle: moved rigidly, or 1e4 times as stiff as the rest. Its nodes move on circles."""
    cells, block, found = (20, 2, 2), 0.1, []
    bodies = strip("hex20", cells)
    solids = bodies.groups.pop("strip")
    of_block = [[n for n in element if bodies.nodes[n][0] > LENGTH - block - 1e-9] == list(element) for element in solids[2]]
    bodies.add("strip", 3, solids[1], [element for element, inside in zip(solids[2], of_block) if not inside])
    bodies.add("block", 3, solids[1], [element for element, inside in zip(solids[2], of_block) if inside])
    bodies.write("strip.msh")
    middle = f"[{LENGTH - block / 2}, {WIDTH / 2}, 0]"
    for material, point, ranks in (("steel", "{ rigid: block }", 1), ("steel", "{ rigid: block }", 3), ("stiff", f"{{ at: {middle} }}", 1)):
        with solve(case(parts=f"strip: steel, block: {material}", supports="[ { group: low } ]", more=f"points: {{ tip: {point} }}",
                        load=f"load: {{ force: {{ point: tip, direction: x, amplitude: {-0.1 * EULER} }} }},", count=3), ranks=ranks) as file:
            found.append(change(file))
    agree("a rigid block", found[0], found[2], 1e-3)  # measured: 1.2e-5
    agree("a rigid block, 3 ranks", found[1], found[0], 1e-7)


def between_points():
    """A bolt that is a beam holds a block, which a wall guides along it: T (1 + 1 / (5 (1 + Phi)^2)) / L against motion across it, as the classical
    matrix of a beam under a force has it, Phi = 0 [Przemieniecki 1968, section 15.2], and with shear
    [J. B. Kosmatka, Comput. Struct. 57 (1995) 141-149]. Measured: 2e-4, by which the blocks give way."""
    bar, side, gap, diameter, force, nu = 0.1, 0.02, 0.05, 8e-3, 20e3, 0.3
    bodies = Bodies()
    for name, start, faces in (("left", 0, {"wall_a": (0, 0), "end_a": (0, -1)}), ("right", bar + gap, {"end_b": (0, 0), "wall_b": (0, -1)})):
        bodies.grid(name, "hex8", (3, 2, 2), lambda i, j, k, start=start: (start + bar * i / 3, side * (j / 2 - 0.5), side * (k / 2 - 0.5)), faces)
    bodies.write("strip.msh")
    shank = np.pi / 4 * diameter**2
    phi = 12 * YOUNG * shank * diameter**2 / 16 / (6 * (1 + nu) / (7 + 6 * nu) * YOUNG / (2 * (1 + nu)) * shank * gap**2)
    for ends in ("average", "rigid"):
        with solve(case(parts="left: stiff, right: stiff", poisson=nu, supports="[ { group: wall_a }, { group: wall_b, directions: [x] } ]",
                        more=f"points: {{ a: {{ {ends}: end_a }}, b: {{ {ends}: end_b }} }}\n"
                        f"bolts: {{ bolt: {{ between: [a, b], diameter: {diameter}, material: steel, preload: {force} }} }}")) as file:
            expected = force / gap * (1 + 1 / (5 * (1 + phi) ** 2)) / (DENSITY * bar * side**2)
            agree(f"a bolt between points, {ends}", change(file)[:2], [expected, expected], 1e-3)


def floating():
    """Two plates and their bolts that nothing holds: free they stay, though forces over a gap do not turn with the faces; the same on any number of
    ranks. Measured: 1e-15."""
    text = bolted.CASE.format(modes=12, studies="").replace("supports: [ { group: bottom } ]\n", "").replace("up_face],", "up_face], closed: yes,")
    text += "  - preload: { name: stiff, fields: no, stiffening: yes }\n  - modes: { about: stiff, joints: stuck, count: 12 }\n"
    for gap in (0.0, 5e-4):
        bolted.write_mesh(gap=gap)
        found = []
        for ranks in (1, 2, 3):
            with solve(text, ranks=ranks) as file:
                found.append(file["modes/stuck/omega"][()])
                assert not found[-1][:6].any() and found[-1][6:].all(), found[-1]
                agree(f"free plates, gap {gap:g}, {ranks} ranks", found[-1], found[0], 1e-10)


if __name__ == "__main__":
    in_a_folder(strips, buckled, beams, at_rest, at_the_cut, rigid, between_points, floating)
