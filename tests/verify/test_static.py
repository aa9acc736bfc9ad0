#!/usr/bin/env python3
"""Equilibrium along paths of loads: chains and beams against closed forms, joints against their laws moved alone, faces against formulas,
a motion that has come to rest; floating structures, lost equilibrium, divided steps; the same bits on 1, 2 and 3 ranks. [timeout: 300]"""
import os
import subprocess
import sys

import h5py
import numpy as np
from scipy.integrate import solve_ivp

sys.dont_write_bytecode = True  # the source folder stays as it is
sys.path.insert(0, os.path.join(os.environ["DOVETAIL_SOURCE"], "tests"))
from compare_results import differences, read

PROGRAM, MPIEXEC, SOURCE = (os.environ[f"DOVETAIL_{name}"] for name in ("PROGRAM", "MPIEXEC", "SOURCE"))
EXIT_INPUT, EXIT_NATURE = 2, 3
ENVIRONMENT = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")  # a case that is refused ends where it stands
PAD = """
masses: { a: { mass: 1 }, b: { mass: 1 } }
springs: [ { between: [ground, a], stiffness: 1e3 }, { between: [a, b], stiffness: 5e3 } ]
joints: { pad: { between: [ground, a], x: { law: LAW } } }
"""
LAWS = {"jenkins": "jenkins, stiffness: 1e5, slip_force: 4", "iwan4": "iwan4, stiffness: 1e4, slip_force: 6, chi: -0.4, beta: 1"}


def start(name, structure, studies, ranks=1, more=()):
    with open(f"{name}.yaml", "w", encoding="utf-8") as file:
        file.write(f"{structure}\nstudies:\n" + "".join(f"  - {study}\n" for study in studies))
    launch = [MPIEXEC, "--quiet", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    return subprocess.run(launch + [PROGRAM, "run", f"{name}.yaml", "-q", *more], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=ENVIRONMENT)


def solve(name, structure, static, *others, ranks=1, code=0):
    done = start(name, structure, [f"static: {{ name: s, {static} }}", *others], ranks)
    assert done.returncode == code, f"{name}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return h5py.File(f"{name}.h5")


def close(found, expected, allowed, what):
    scale = np.max(np.abs(expected))
    wrong = np.max(np.abs(np.asarray(found) - expected)) / scale
    assert wrong <= allowed, f"{what}: off by {wrong:.2g} of the largest, {allowed:.2g} allowed"


def check_chain():
    """Springs in series: each takes all forces beyond it. Round-off of three unknowns."""
    structure = "masses: { a: { mass: 1 }, b: { mass: 2 }, c: { mass: 1 } }\nsprings: [ { between: [ground, a], stiffness: 1e3 }, { between: [a, b], stiffness: 2e3 }, { between: [b, c], stiffness: 500 } ]"
    with solve("chain", structure, "load: [ { force: { point: c, amplitude: 10 } }, { force: { point: a, amplitude: -3 } } ], path: [1, -2], steps: 2") as file:
        factor = np.array([0, 0.5, 1, -0.5, -2])
        assert np.array_equal(file["static/s/factor"][:], factor)
        a = factor * 7 / 1e3
        b = a + factor * 10 / 2e3
        for point, exact in (("a", a), ("b", b), ("c", b + factor * 10 / 500)):
            close(file[f"static/s/points/{point}/displacement"][:, 0], exact, 1e-13, f"chain {point}")


def check_beam():
    """A cantilever of Euler's beam elements, condensed to its tip: P L^3 / (3 E I), P L^2 / (2 E I) and q L^4 / (8 E I) are exact for cubic elements and the
    loads that are consistent with them. Round-off of the condensation leaves 3e-12."""
    young, density, length, height, width = 210e9, 7850, 0.3, 0.002, 0.02
    inertia, mass = width * height**3 / 12, density * width * height
    structure = f"""mesh: {SOURCE}/meshes/blades.msh
materials: {{ steel: {{ young: {young}, poisson: 0.3, density: {density} }} }}
parts: {{ blades: {{ material: steel, element: beam_euler, section: {{ rectangle: {{ height: {height}, width: {width} }}, orientation: [0, 1, 0] }} }}, tips: {{ point_mass: {{ mass: 0.05 }} }} }}
points: {{ tip: {{ at: [{length}, 0, 0] }} }}
supports: [ {{ group: roots }} ]
patterns: {{ weight: {{ gravity: [0, -9.81, 0] }} }}
reduction: {{ craig_bampton: {{ modes: 4, keep: tip }} }}"""
    stiffness = young * inertia
    with solve("beam_push", structure, "load: { force: { point: tip, direction: y, amplitude: 0.7 } }, steps: 1") as file:
        found = file["static/s/points/tip/displacement"]
        place = found.parent.attrs["components"].decode().split().index
        close(found[-1, place("y")], 0.7 * length**3 / 3 / stiffness, 1e-10, "beam under a force")
        close(found[-1, place("rz")], 0.7 * length**2 / 2 / stiffness, 1e-10, "slope under a force")
    with solve("beam_weight", structure, "load: { force: { pattern: weight } }, steps: 1") as file:
        found = file["static/s/points/tip/displacement"]
        exact = -9.81 * (mass * length**4 / 8 + 0.05 * length**3 / 3) / stiffness
        close(found[-1, place("y")], exact, 1e-10, "beam under its weight")


def check_loops():
    """A joint beside a spring, pushed through another spring: its law, moved by the study `loop` along the displacements that were found, has to balance the load
    on them. The balance is accepted at 1e-10 of the joint's force; Newton ends far below, 6e-13 at most here."""
    for name, law in LAWS.items():
        structure = PAD.replace("LAW", law)
        with solve(f"cycle_{name}", structure, "load: { force: { point: b, amplitude: 9 } }, path: { cycles: 2 }, steps: 7") as file:
            group = file["static/s"]
            factor, moved, found = group["factor"][:], group["points/a/displacement"][:, 0], group["joints/pad/x/force"][:]
            close(group["joints/pad/x/displacement"][:], moved, 1e-10, f"{name}: the joint and its point")
            close(group["points/b/displacement"][:, 0] - moved, factor * 9 / 5e3, 1e-10, f"{name}: the spring in series")
            lost = group["joints/pad/x/dissipated"][:]
        through = ", ".join(repr(float(x)) for x in moved[1:])
        done = start(f"loop_{name}", f"laws: {{ pad: {{ law: {law} }} }}", [f"loop: {{ law: pad, steps: 4, path: {{ ramp: {{ through: [{through}] }} }} }}"])
        assert done.returncode == 0, done.stderr
        with h5py.File(f"loop_{name}.h5") as file:
            loop = file["loop/loop"]
            at = np.searchsorted(loop["time"][:], np.concatenate([[0], np.cumsum(np.abs(np.diff(moved)))]) - 1e-12)
            force, dissipated = loop["force"][:][at], loop["dissipated"][:][at]
        close(force + 1e3 * moved, factor * 9, 1e-11, f"{name}: balance of the law moved alone")
        close(found, force, 1e-11, f"{name}: force")
        close(lost, dissipated, 1e-11, f"{name}: energy")


def check_faces():
    """Smooth faces that are pulled apart while they are pushed sideways: stick, slip at mu F_N, and part [Voldrich 2009, eqs 1 to 5]."""
    normal, along, friction, preload, spring_x, spring_y, pull, push = 4e4, 3e4, 0.3, 20.0, 2e3, 1e3, 40.0, 8.0
    structure = f"""masses: {{ a: {{ mass: 1, directions: [x, y, z] }} }}
springs: [ {{ between: [ground, a], direction: x, stiffness: {spring_x} }}, {{ between: [ground, a], direction: y, stiffness: {spring_y} }}, {{ between: [ground, a], direction: z, stiffness: 1e3 }} ]
joints: {{ pad: {{ between: [ground, a], contact: {{ law: {{ law: rough_contact, normal_stiffness: {normal}, tangential_stiffness: {along}, preload: {preload}, friction: {friction} }} }} }} }}"""
    load = f"load: [ {{ force: {{ point: a, direction: x, amplitude: {pull} }} }}, {{ force: {{ point: a, direction: y, amplitude: {push} }} }} ], steps: 40"
    with solve("faces", structure, load) as file:
        group = file["static/s"]
        s, moved = group["factor"][:], group["points/a/displacement"][:]
        x = s * pull / (spring_x + normal)
        pressed = np.maximum(preload - normal * x, 0)
        x = np.where(pressed > 0, x, (s * pull - preload) / spring_x)
        stuck = along * s * push / (spring_y + along)
        slips = stuck > friction * pressed
        force = np.where(slips, friction * pressed, stuck)
        assert 0 < np.sum(slips & (pressed > 0)) < np.sum(slips) < len(s), "the faces do not stick, slip and part"
        close(moved[:, 0], x, 1e-12, "faces: apart")
        close(moved[:, 1], (s * push - force) / spring_y, 1e-12, "faces: sideways")
        close(group["joints/pad/y/force"][:], force, 1e-12, "faces: friction")


def check_stiff_faces():
    """A block between soft springs on a face that is 2e5 times as stiff, which slips in y under a preload: pressed more it sticks, however the push turns, and
    nothing moves. Relieved it is dragged: what is left of the push has the size r of the friction and turns by push' sin(delta) / r, delta from it to push'
    [Yang, Chu, Menq 1998], which scipy integrates."""
    structure = """masses: { b: { mass: 1, directions: [x, y, z] } }
springs: [ { between: [ground, b], direction: x, stiffness: 1e4 }, { between: [ground, b], direction: y, stiffness: 2e3 }, { between: [ground, b], direction: z, stiffness: 2e3 } ]
joints: { pad: { between: [ground, b], contact: { law: { law: rough_contact, normal_stiffness: 4e8, tangential_stiffness: 4e8, preload: 20, friction: 0.5 } } } }"""
    loads = [f"{{ force: {{ point: b, direction: {axis}, amplitude: {size} }} }}" for axis, size in zip("yxyz", (20, -200, -20, 30))]
    done = start("stiff", structure, [f"preload: {{ name: p, load: {loads[0]} }}", f"static: {{ name: s, about: p, load: [ {', '.join(loads[1:])} ], path: [1, 0, -0.05], steps: 300 }}"])
    assert done.returncode == 0, done.stdout + done.stderr
    way = np.arctan2(-30, 20)
    angle = solve_ivp(lambda s, at: np.hypot(20, 30) * np.sin(way - at) / (10 - 100 * s), (0, 0.05), [0.0], rtol=1e-10).y[0, -1]
    with h5py.File("stiff.h5") as file:
        moved = file["static/s/points/b/displacement"][:, 1:]
    assert np.max(np.abs(moved[:601])) < 1e-6  # of 3e-3: what sticks is stretched by 1e-7
    close(moved[-1], (np.array([21 - 10, -1.5]) - 5 * np.array([np.cos(angle), np.sin(angle)])) / 2e3, 7e-4, "what is dragged")  # seen: 2.1e-4, a third with three times the steps, which are a hundred stretches long


def check_stiff_areas():
    """A block on an area of n x n stiff parts, which share its motions, is tipped about their outermost row, y_e = a / 2 (1 - 1 / n) from the middle, and slides
    obliquely on that row alone, there and back. With R = 1e-3 m^2 times its springs k against rotation: theta (R + k y_e^2) = M - P y_e; lifted by
    theta y_e the middle is pulled by its spring, so that the row carries N = P + k theta y_e; and it slides by (F - mu N) / k along F."""
    press, friction = 200.0, 0.3
    cases = ((1.1e10, 888.0, 4, 1, 22.445, (274.13, -95.96)), (6.1e9, 343.0, 8, 3, 20.8, (272.9, 136.8)), (6e11, 8960.0, 4, 3, 28.3, (-54.9, 253.4)),
             (8.8e8, 1160.0, 6, 20, 15.7, (-290.0, -175.0)))
    for i, (contact, spring, parts, steps, moment, push) in enumerate(cases):
        springs = ", ".join(f"{{ between: [ground, b], direction: {axis}, stiffness: {spring * (1e-3 if axis[0] == 'r' else 1)} }}" for axis in ("x", "y", "z", "ry", "rz"))
        structure = f"""masses: {{ b: {{ mass: 2, inertia: 1e-3, directions: [x, y, z, ry, rz] }} }}
springs: [ {springs} ]
joints: {{ pad: {{ between: [ground, b], contact: {{ law: {{ law: rough_contact, normal_stiffness: {contact}, tangential_stiffness: {contact}, preload: {press}, friction: {friction} }},
                                               area: [0.04, 0.04], parts: [{parts}, {parts}] }} }} }}"""
        loads = ", ".join(f"{{ force: {{ point: b, direction: {axis}, amplitude: {size} }} }}" for axis, size in zip(("y", "z", "rz"), (*push, moment)))
        name = f"tipped_{i}"
        done = start(name, structure, [f"static: {{ name: s, load: [ {loads} ], path: [1, -1], steps: {steps} }}"])
        assert done.returncode == 0 and "complete" in done.stdout and "0 steps divided" in done.stdout, done.stdout + done.stderr
        arm, size = 0.02 * (1 - 1 / parts), np.hypot(*push)
        turned = (moment - press * arm) / (spring * (1e-3 + arm**2))
        slid = np.array(push) / size * (size - friction * (press + spring * turned * arm)) / spring
        with h5py.File(name + ".h5") as file:
            moved, state = file["static/s/points/b/displacement"][:], file["static/s/joints/pad/contact/last/state"][:]
        for row, sign in ((steps, 1), (2 * steps, -1)):
            close(moved[row, [1, 2]], sign * slid, 1.2e-5, name + " slides")  # seen: 2.5e-6, what the row gives way by beside its slip
            close(moved[row, [4]], np.array([sign * turned]), 1.2e-5, name + " turns")
        assert (state == 2).sum() == parts and (state == 0).sum() == parts * (parts - 1), state


def check_turning():
    """A block that a preload has dragged along y is dragged on along z: friction turns, in few steps too late, which is said. Against 2000 steps, which are
    silent: of the angle that is told, 0.16 is missing in what is lost."""
    structure = """masses: { b: { mass: 1, directions: [x, y, z] } }
springs: [ { between: [ground, b], direction: x, stiffness: 1e4 }, { between: [ground, b], direction: y, stiffness: 2e3 }, { between: [ground, b], direction: z, stiffness: 2e3 } ]
joints: { pad: { between: [ground, b], contact: { law: { law: rough_contact, normal_stiffness: 4e8, tangential_stiffness: 4e8, preload: 20, friction: 0.5 } } } }"""
    y, z, back = (f"{{ force: {{ point: b, direction: {axis}, amplitude: {size} }} }}" for axis, size in (("y", 20), ("z", 30), ("y", -5)))
    lost = {}
    for steps in (3, 30, 2000):
        done = start(f"turning_{steps}", structure, [f"preload: {{ name: p, load: {y} }}", f"static: {{ name: s, about: p, load: [ {back}, {z} ], steps: {steps} }}"])
        assert done.returncode == 0 and ("the direction of sliding turns by" in done.stderr) == (steps == 3), done.stderr
        with h5py.File(f"turning_{steps}.h5") as file:
            lost[steps] = sum(file[f"static/s/joints/pad/{axis}/dissipated"][-1] for axis in "xyz")
            turned = file["static/s/turned"][0] if steps == 3 else turned
    assert 0.2 < turned < 0.3 and 0.08 < (1 - lost[3] / lost[2000]) / turned < 0.5, (turned, lost)
    assert abs(1 - lost[30] / lost[2000]) < 0.02, lost


def check_rest():
    """What a motion with heavy damping comes to: it creeps one way, as the equilibrium does. exp(-40 / 2) of it, 2e-9, is left at the end."""
    structure = "masses: { a: { mass: 1 } }\nsprings: [ { between: [ground, a], stiffness: 1e3 } ]\ndampers: [ { between: [ground, a], damping: 2e3 } ]\njoints: { pad: { between: [ground, a], x: { law: LAW } } }"
    for name, law in LAWS.items():
        transient = "transient: { name: t, time_step: 0.02, steps: 3000, load: { step: { point: a, amplitude: 9, rise: 20 } } }"
        with solve(f"rest_{name}", structure.replace("LAW", law), "load: { force: { point: a, amplitude: 9 } }", transient) as file:
            moved = file["transient/t/points/a/displacement"][:, 0]
            assert np.all(np.diff(moved) > -1e-12), "the motion turns back"
            close(file["static/s/points/a/displacement"][-1, 0], moved[-1], 5e-9, f"{name}: at rest")
            close(file["static/s/joints/pad/x/force"][-1], file["transient/t/joints/pad/x/force"][-1], 5e-9, f"{name}: force at rest")


TWO = "masses: { a: { mass: 1 }, b: { mass: 3 } }\n"


def check_floating():
    """Two masses on a spring under opposite forces: it stretches by F / k, the centre of mass stays. A joint beside it takes its share; round-off of two unknowns."""
    load = "load: [ { force: { point: a, amplitude: -2 } }, { force: { point: b, amplitude: 2 } } ], steps: 1"
    for spring, pad in ((1e3, 0.0), (1e3, 1e3)):
        structure = TWO + f"springs: [ {{ between: [a, b], stiffness: {spring} }} ]"
        if pad:
            structure += f"\njoints: {{ pad: {{ between: [a, b], x: {{ law: jenkins, stiffness: {pad}, slip_force: 4 }} }} }}"
        with solve("free", structure, load) as file:
            moved = [file[f"static/s/points/{point}/displacement"][-1, 0] for point in ("a", "b")]
            close(moved, np.array([-3, 1]) / 4 * 2 / (spring + pad), 1e-13, "free")
            assert file["static/s/rigid_motions"][0] == 1


def check_refusal():
    spring = "springs: [ { between: [a, b], stiffness: 1e3 } ]"
    pad = "joints: { pad: { between: [ground, a], x: { law: gap, stiffness: 1e3, clearance: 1e-3 } } }"
    said = "the structure floats{}against 1 motion{}"
    for structure, expected in ((spring, said.format(", no support, spring or joint holds it ", ", and its loads are not in balance, they would accelerate 'a' by 0.25 m/s^2 in x")),
                                (spring + "\n" + pad, said.format(": no support, spring or joint holds it ", ", the first moves 'a' most, in x"))):
        done = start("floats", TWO + structure, ["static: { load: { force: { point: a } } }"])
        assert done.returncode == EXIT_INPUT and expected in done.stderr and done.stderr.count("\n") == 1, f"floating: {done.returncode} {done.stderr}"


def check_lost():
    """A slider alone holds 4 N: of ten steps to 10 N four find an equilibrium, and the result has them."""
    structure = "masses: { a: { mass: 1 } }\njoints: { pad: { between: [ground, a], x: { law: jenkins, stiffness: 1e5, slip_force: 4 } } }"
    with solve("lost", structure, "load: { force: { point: a, amplitude: 10 } }, path: 1.005", code=EXIT_NATURE) as file:
        group = file["static/s"]
        reason = group["reason"][0].decode().rstrip("\0")
        assert group["steps"][0] == 3 and reason.startswith("stopped in step 4 of 10: no equilibrium beyond factor 0.39"), reason
        close(group["joints/pad/x/force"][:4], 10 * group["factor"][:4], 1e-9, "before it is lost")
        assert np.all(np.isnan(group["factor"][4:])) and np.all(np.isnan(group["joints/pad/x/force"][4:]))


def check_division():
    """Few iterations divide the steps; the equilibrium is that of many. Both are far within their tolerance, 6e-14, and the memory of iwan4 goes by the same turning points."""
    structure = PAD.replace("LAW", LAWS["iwan4"])
    load = "load: { force: { point: b, amplitude: 12 } }, path: { cycles: 1 }, steps: 2"
    with solve("whole_steps", structure, load) as whole, solve("divided", structure, load + ", max_iterations: 4") as divided:
        assert whole["static/s/halved"][0] < divided["static/s/halved"][0], "no step was divided"
        close(divided["static/s/points/a/displacement"][:], whole["static/s/points/a/displacement"][:], 1e-11, "divided steps")


def check_ranks():
    structure, static = PAD.replace("LAW", LAWS["iwan4"]), "load: { force: { point: b, amplitude: 9 } }, path: [1, -1]"
    with solve("ranks", structure, static):
        pass
    one = read("ranks.h5")
    for ranks in (2, 3):
        with solve("ranks", structure, static, ranks=ranks):
            pass
        faults = differences(one, read("ranks.h5"))
        assert not faults, f"{ranks} ranks: {faults[:5]}"


def main():
    for check in (check_chain, check_beam, check_loops, check_faces, check_stiff_faces, check_stiff_areas, check_turning, check_rest, check_floating, check_refusal, check_lost, check_division, check_ranks):
        check()


if __name__ == "__main__":
    main()
