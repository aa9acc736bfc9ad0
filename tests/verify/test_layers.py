"""Layers between faces: laws of single directions by area, whose histories are the sum of their forces and the mean of their motions. [timeout: 300]

A block lies on another whose bottom is held, meshes that do not match, with a layer of iwan4 along the faces and of springs against them. Forces act on
the face itself, spread over it, so that it neither turns nor bends: every point of the layer moves alike but for k h / E = 2e-5 of it, as the blocks
are stiff. Sources: equilibrium (the layer transmits what is applied, less the inertia of what it holds), and the law moved alone, by the study `loop`.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np

from touching import Bodies, agree, in_a_folder, solve

SIDE, HEIGHT, DENSITY, PATH, STEPS = 0.1, 0.04, 7850, (1, -1, 0.6, -0.4), 8
LAW = "{ law: iwan4, slip_force: 1e6, stiffness: 1e10, chi: -0.4, beta: 1 }"  # Pa, N/m^3
FORCE, NORMAL, ALONG = 8e3, 1e11, 4e9  # N, N/m^3
AREA, MASS = SIDE**2, DENSITY * SIDE**2 * HEIGHT
CASE = f"""mesh: blocks.msh
materials: {{ stiff: {{ young: 2.1e13, poisson: 0.3, density: {DENSITY} }} }}
parts: {{ lower: stiff, upper: stiff }}
points: {{ face: {{ average: up_face }}, top: {{ average: top }} }}
supports: [ {{ group: bottom }} ]
laws: {{ slide: {LAW} }}
joints:
  layer: {{ faces: [low_face, up_face], x: {{ law: spring, stiffness: {NORMAL} }}, y: slide, z: {{ law: spring, stiffness: {ALONG} }} }}
studies:
"""


def write():
    bodies = Bodies()
    for name, cells, bottom, faces in (("lower", (4, 3, 1), 0, {"bottom": (2, 0), "low_face": (2, -1)}), ("upper", (3, 3, 1), HEIGHT, {"up_face": (2, 0), "top": (2, -1)})):

        def place(i, j, k, cells=cells, bottom=bottom):
            return SIDE * i / cells[0], SIDE * j / cells[1], bottom + HEIGHT * k

        bodies.grid(name, "hex8", cells, place, faces)
    bodies.write("blocks.msh")


def push(direction, point="face", case=CASE, ranks=1):
    load = f"load: {{ force: {{ point: {point}, direction: {direction}, amplitude: {FORCE} }} }}"
    with solve(case + f"  - static: {{ {load}, path: {list(PATH)}, steps: {STEPS} }}\n", ranks=ranks) as file:
        group = file["static/static"]
        return FORCE * group["factor"][:], {d: {key: group[f"joints/layer/{d}/{key}"][:] for key in ("displacement", "force", "dissipated")} for d in "xyz"}


def springs():
    """What is applied, over k A. Measured: 1.6e-11, round-off of blocks that are 50,000 times as stiff."""
    for direction, layer, k in (("z", "x", NORMAL), ("y", "z", ALONG)):
        applied, joint = push(direction)
        sign = np.sign(joint[layer]["force"][1])
        agree(f"{direction}: force", sign * joint[layer]["force"], applied, 5e-11)
        agree(f"{direction}: displacement", sign * joint[layer]["displacement"], applied / (k * AREA), 5e-11)
        assert not joint[layer]["dissipated"].any(), direction


def a_soft_block():
    """Pulled at a corner it opens the layer there and closes it elsewhere: the mean by area is F / k A all the same. That of the points alike would be
    another one. Measured: 1e-13."""
    soft = CASE.replace("2.1e13", "2.1e10").replace("points: {", "points: { corner: { at: [0.1, 0.1, 0.08] },")
    for ranks in (1, 2):
        applied, joint = push("z", "corner", soft, ranks)
        sign = np.sign(joint["x"]["force"][1])
        agree(f"soft, {ranks} ranks: force", sign * joint["x"]["force"], applied, 1e-11)
        agree(f"soft, {ranks} ranks: displacement", sign * joint["x"]["displacement"], applied / (NORMAL * AREA), 1e-11)


def a_law_with_memory():
    """The law along the mean motion, for the whole area; its energy is that of all points. Measured: 1.4e-10, which is the tolerance of the balance, 1.5e-12, 1.9e-11."""
    for ranks in (1, 3):
        applied, joint = push("x", ranks=ranks)
        moved = joint["y"]["displacement"]
        through = ", ".join(repr(float(x)) for x in moved[1:])
        with solve(f"laws: {{ slide: {LAW} }}\nstudies:\n  - loop: {{ law: slide, steps: 4, path: {{ ramp: {{ through: [{through}] }} }} }}\n", "loop") as file:
            loop = file["loop/loop"]
            at = np.searchsorted(loop["time"][:], np.concatenate([[0], np.cumsum(np.abs(np.diff(moved)))]) - 1e-12)
            force, dissipated = AREA * loop["force"][:][at], AREA * loop["dissipated"][:][at]
        agree(f"slide, {ranks} ranks: balance", joint["y"]["force"], applied, 1e-9)
        agree(f"slide, {ranks} ranks: law", joint["y"]["force"], force, 1e-11)
        agree(f"slide, {ranks} ranks: energy", joint["y"]["dissipated"], dissipated, 1e-10)


def in_motion():
    """Newton's law of the block, along both axes: what is applied less what the layer transmits; and the work on the layer of the law, as all points move
    alike, against `energy/joints`. Measured: 1.2e-11, 4.6e-12, 1.6e-11."""
    load = "load: [{{ harmonic: {{ point: face, direction: x, frequency: 150, amplitude: {0} }} }}, {{ harmonic: {{ point: face, direction: y, frequency: 90, amplitude: {0} }} }}]"
    with solve(CASE + f"  - transient: {{ name: shaken, time_step: 2e-5, steps: 600, {load.format(0.7 * FORCE)} }}\n") as file:
        run = file["transient/shaken"]
        acceleration = (run["points/face/acceleration"][:] + run["points/top/acceleration"][:]) / 2
        time, joint = run["time"][:], {d: {key: run[f"joints/layer/{d}/{key}"][:] for key in ("displacement", "force", "dissipated")} for d in "xyz"}
        absorbed = run["energy/joints"][:]
    for layer, axis, frequency in (("y", 0, 150), ("z", 1, 90)):
        applied = 0.7 * FORCE * np.sin(2 * np.pi * frequency * time)
        agree(f"in motion, {layer}", joint[layer]["force"] + MASS * acceleration[:, axis], applied, 1e-10)
    force, moved = joint["y"]["force"], joint["y"]["displacement"]
    agree("in motion: work", np.cumsum((force[1:] + force[:-1]) / 2 * np.diff(moved)), absorbed[1:] - absorbed[0], 1e-10)
    assert (np.diff(joint["y"]["dissipated"]) >= 0).all() and 0.1 * absorbed[-1] < joint["y"]["dissipated"][-1] <= absorbed[-1]


def steady():
    """A spring under a block: F / k A, and what its inertia and damping make of it. Measured: 4e-7, as time steps are finite."""
    damping, frequency = 0.1, 40
    ratio = frequency / (np.sqrt(ALONG * AREA / MASS) / (2 * np.pi))
    text = CASE.replace("studies:", f"damping: {{ modal: {damping} }}\nstudies:") + "  - response: { frequencies: [40], load: { harmonic: { point: face, direction: y, amplitude: 100 } }, watch: { joints: layer } }\n"
    with solve(text) as file:
        group = file["response/response"]
        amplitude = group["up_1/amplitude"][0, [name.decode() for name in group["motions"][:]].index("joint layer z")]
        assert not group["up_1/held"][:].any()
    agree("steady", amplitude, 100 / (ALONG * AREA) / np.hypot(1 - ratio**2, 2 * damping * ratio), 2e-6)


def after_a_preload():
    """Of each point: what the soft block transmits at the corner that is pulled and beside it, in the result and in the file for ParaView. Where no law
    acts (across), the motion is not known. Measured: 1.5e-13."""
    soft = CASE.replace("2.1e13", "2.1e10").replace("points: {", "points: { corner: { at: [0.1, 0.1, 0.08] },").replace("joints:", "joints:\n  held: { between: [ground, top], y: rigid, rx: rigid }", 1)
    text = soft.replace(f", z: {{ law: spring, stiffness: {ALONG} }}", "") + f"  - preload: {{ load: [ {{ force: {{ point: corner, direction: z, amplitude: {FORCE} }} }}, {{ force: {{ point: face, direction: x, amplitude: {FORCE} }} }} ] }}\n"
    for ranks in (1, 2):
        with solve(text, ranks=ranks) as file:
            layer = {key: values[:] for key, values in file["preload/preload/joints/layer/layer"].items()}
        traction, motion = layer["traction"][-1], layer["motion"][-1]
        agree(f"preload, {ranks} ranks: forces", np.abs(layer["area"] @ traction[:, :2]), [FORCE, FORCE], 1e-9)
        agree(f"preload, {ranks} ranks: springs", traction[:, 0], NORMAL * motion[:, 0], 1e-13)
        assert np.isnan(motion[:, 2]).all() and not traction[:, 2].any() and np.ptp(traction[:, 0]) > np.max(np.abs(traction[:, 0])), traction
        with h5py.File("case_preload_layer.xdmf.h5") as file:
            places, field = file["XDMF/Points"][:], {key: file[f"XDMF/PointData/{key}/000000"][:] for key in ("motion", "traction")}
        at = [int(np.argmin(np.linalg.norm(places - point, axis=1))) for point in np.stack([layer[axis] for axis in "xyz"], axis=1)]
        for key, values in (("motion", motion), ("traction", traction)):
            agree(f"preload, {ranks} ranks: {key} along the axes", np.linalg.norm(field[key][at], axis=1), np.linalg.norm(values[:, :2], axis=1), 1e-12)
        agree(f"preload, {ranks} ranks: what is pulled", layer["area"] @ field["traction"][at], [FORCE, 0, FORCE], 1e-9)


if __name__ == "__main__":
    in_a_folder(write, springs, a_soft_block, a_law_with_memory, in_motion, steady, after_a_preload)
