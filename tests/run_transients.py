#!/usr/bin/env python3
"""run_transients.py - what small transients leave in their results, and what is said of those that go wrong.

    run_transients.py PROGRAM
"""
import glob
import os
import resource
import subprocess
import sys

import h5py
import numpy as np

ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
TWO_MASSES = """
masses: {a: {mass: 1}, b: {mass: 2}}
springs:
  - {between: [ground, a], stiffness: 1e4}
  - {between: [a, b], stiffness: 2e4}
"""


def run(program, name, text, code=0):
    """The result of a case, open, and what was said of it."""
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([program, "run", name + ".yaml"], env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == code, f"{name} ended with {done.returncode}, not {code}:\n{done.stdout}{done.stderr}"
    return h5py.File(name + ".h5", "r"), done.stdout + done.stderr


def a_damper_joint_tells_what_it_dissipates(program):
    result, _ = run(program, "dampers", TWO_MASSES + """
joints:
  alone: {between: [b, ground], x: {law: damper, damping: 7}}
  mixed: {between: [a, b], x: [{law: jenkins, slip_force: 5, stiffness: 1e4}, {law: damper, damping: 3}]}
studies:
  - transient: {time_step: 1e-4, steps: 5000, load: {half_sine: {point: b, duration: 5e-3, amplitude: 100}}}
""")
    group = result["transient/transient"]
    alone, mixed = (group[f"joints/{name}/x/dissipated"][:] for name in ("alone", "mixed"))
    lost, stored = group["energy/damping"][-1], group["energy/joints"][-1]
    assert alone[-1] > 0 and np.all(np.diff(alone) >= 0) and np.all(np.diff(mixed) >= -1e-18)
    velocity = group["points/b/velocity"][:, 0]
    mean = 0.5 * (velocity[1:] + velocity[:-1])
    assert abs(alone[-1] - 7 * 1e-4 * np.sum(mean**2)) < 1e-12 * alone[-1]
    slider = mixed[-1] - (lost - alone[-1])  # what the jenkins element lost
    assert slider > 0 and abs(stored - slider) <= 0.5 * 5**2 / 1e4, "the rest of the joint's energy is in the slider's spring"


def what_is_kept_is_what_there_was(program):
    """The last cycles of a load, and a window of a decay: the same bits as without; peaks and extremes are those of all samples; the file shrinks."""
    loads = "load: [{harmonic: {point: a, frequency: 25, amplitude: 3}}, {half_sine: {point: b, amplitude: 40, duration: 1e-2}}]"
    hit = "load: {half_sine: {point: b, amplitude: 40, duration: 1e-2}}"
    result, _ = run(program, "kept", TWO_MASSES + f"""
joints: {{bolt: {{between: [a, b], x: {{law: jenkins, slip_force: 5, stiffness: 1e4}}}}}}
damping: {{modal: 2e-3}}
studies:
  - transient: {{name: all, time_step: 1e-3, steps: 4001, every: 2, {loads}}}
  - transient: {{name: last, time_step: 1e-3, steps: 4001, every: 2, keep: {{last: 10}}, {loads}}}
  - transient: {{name: decay, time_step: 1e-3, steps: 10000, {hit}}}
  - transient: {{name: part, time_step: 1e-3, steps: 10000, keep: {{from: 0.5, to: 8}}, {hit}}}
  - ring_down: {{name: of_all, of: decay, point: b, from: 0.5, to: 8, band: [4, 14]}}
  - ring_down: {{name: of_part, of: part, point: b, band: [4, 14]}}
""")
    for whole, kept, first, count in (("all", "last", 1801, 200), ("decay", "part", 500, 7501)):
        whole, kept = result[f"transient/{whole}"], result[f"transient/{kept}"]
        assert kept.attrs["first"] == first and len(kept["time"]) == count and kept["time"][0] == whole["time"][first]

        def compare(name, own):
            if isinstance(own, h5py.Dataset) and own.dtype.kind != "S" and name != "seconds":
                there = whole[name][()]
                assert np.array_equal(own[()], there[first : first + count] if own.shape != there.shape else there), name

        kept.visititems(compare)
        assert whole["points/b/peak"][0, 0] == np.abs(whole["points/b/displacement"][:]).max()
        assert whole["points/b/peak_time"][0, 0] == whole["time"][np.abs(whole["points/b/displacement"][:, 0]).argmax()]
        assert whole["joints/bolt/x/peak_force"][0] == np.abs(whole["joints/bolt/x/force"][:]).max() == 5.0  # it slides
        assert whole["extremes/imbalance"][0] == np.abs(whole["energy/balance"][:]).max()
    curves = [result[f"ring_down/{run}/b"] for run in ("decay", "part")]
    assert np.isfinite(curves[0]["omega"][:]).sum() > 2
    for name in ("time", "amplitude", "omega", "zeta"):
        assert np.allclose(curves[0][name][:], curves[1][name][:], rtol=1e-12, atol=0, equal_nan=True), name


def columns_say_what_they_are(program):
    result, _ = run(program, "columns", """
masses: {a: {mass: 1, inertia: 2, directions: [x, rz]}, b: {mass: 1}}
springs:
  - {between: [ground, a], direction: x, stiffness: 1e4}
  - {between: [ground, a], direction: rz, stiffness: 1e4}
  - {between: [a, b], stiffness: 1e4}
studies:
  - transient: {time_step: 1e-4, steps: 5, initial: {velocity: {b: 1}}, watch: {points: all, modes: [3, 1]}}
""")
    group = result["transient/transient"]
    point = group["points/a"]
    assert (point.attrs["components"], point.attrs["units"]) == (b"x rz", b"m rad")
    assert point["displacement"].shape == (6, 2)
    assert list(group["modal/mode"][:]) == [3, 1]


def a_load_keeps_the_time_it_was_given(program):
    study = TWO_MASSES + """
studies:
  - transient:
      time_step: 1e-5
      steps: 10
      load: {half_sine: {shape: {mode: 1}TIME}}
      runs: [{mode: [1, 2]}]
"""
    for name, time, same in (("follows", "", False), ("given", ", mode: 1", True)):
        result, _ = run(program, name, study.replace("TIME", time))
        durations = [group.attrs["duration"] for group in result["transient"].values()]
        assert (durations[0] == durations[1]) == same, f"{name}: {durations}"


def an_unstable_motion_stops_with_its_reason(program):
    text = TWO_MASSES + "studies:\n  - transient: {time_step: 1, steps: 10000, beta: 0.1, initial: {velocity: {a: 1}}}\n"
    result, said = run(program, "unstable", text, code=3)
    assert "the motion grew beyond all numbers" in said and "nan" not in said, said
    kept = result["transient/transient/points/a/displacement"][:, 0]
    last = int(result["transient/transient/steps"][()])
    assert 0 < last < 10000 and np.all(np.isfinite(kept[:last])) and np.all(np.isnan(kept[last + 1:]))


def steps_too_long_for_runge_kutta_are_warned_of(program):
    """The highest mode is at 193.2 rad/s, so 8^(1/2) / omega is 14.64 ms."""
    for name, step, code in (("follows_modes", 0.0146, 0), ("passes_modes", 0.0147, 3)):
        text = TWO_MASSES + f"studies:\n  - transient: {{method: runge_kutta, time_step: {step}, steps: 100000, initial: {{velocity: {{a: 1}}}}}}\n"
        result, said = run(program, name, text, code=code)
        assert ("too long for runge_kutta" in said) == (code == 3), f"{name}: {said}"
        assert ("grew beyond all numbers; try a smaller time_step" in said) == (code == 3), f"{name}: {said}"
        assert result["transient/transient"].attrs["method"] == b"runge_kutta" and "beta" not in result["transient/transient"].attrs


def runge_kutta_is_that_of_section_3_of_voldrich2009(program):
    """By hand: four stages from where the slider was at the start of the step, which moves once, at its end."""
    step, steps, friction, spring = 1e-3, 4000, 2.0, 5e3
    result, _ = run(program, "section_3", f"""
masses: {{a: {{mass: 1, directions: [y]}}, b: {{mass: 2, directions: [y]}}}}
springs:
  - {{between: [ground, a], direction: y, stiffness: 1e4}}
  - {{between: [a, b], direction: y, stiffness: 2e4}}
dampers: [{{between: [a, b], direction: y, damping: 4}}]
joints:
  pad: {{between: [ground, a], contact: {{law: {{law: rough_contact, normal_stiffness: 1e4, tangential_stiffness: {spring}, friction: 0.5, preload: {2 * friction}}}}}}}
studies:
  - transient: {{method: runge_kutta, time_step: {step}, steps: {steps}, load: {{harmonic: {{point: b, direction: y, frequency: 9, amplitude: 12}}}}}}
""")
    masses, stiffness, damping = np.array([1.0, 2.0]), np.array([[3e4, -2e4], [-2e4, 2e4]]), 4 * np.array([[1, -1], [-1, 1]])
    slider, slid, y, path = 0.0, 0.0, np.zeros(4), [0.0]

    def force(place):
        return np.clip(spring * (place - slider), -friction, friction)

    def rate(time, y):
        pushes = np.array([-force(y[0]), 12 * np.sin(2 * np.pi * 9 * time)])
        return np.concatenate([y[2:], (pushes - stiffness @ y[:2] - damping @ y[2:]) / masses])

    for k in range(steps):
        one = rate(k * step, y)
        two = rate((k + 0.5) * step, y + step / 2 * one)
        three = rate((k + 0.5) * step, y + step / 2 * two)
        y = y + step / 6 * (one + 2 * two + 2 * three + rate((k + 1) * step, y + step * three))
        end = y[0] - force(y[0]) / spring
        slid, slider = slid + abs(end - slider), end
        path.append(y[1])
    group = result["transient/transient"]
    found = group["points/b/displacement"][:, 0]
    assert np.abs(found - path).max() < 1e-11 * np.abs(path).max(), np.abs(found - path).max()
    assert slid > 0.1 and abs(group["joints/pad/y/dissipated"][-1] / (friction * slid) - 1) < 1e-9


def loads_that_steps_pass_over_are_warned_of(program):
    study = TWO_MASSES + "studies:\n  - transient: {time_step: 1e-3, steps: 5, load: {LOAD}}\n"
    for name, load, warned in (("slow", "half_sine: {point: a, duration: 0.01}", False), ("fast", "half_sine: {point: a, duration: 2e-3}", True),
                               ("tone", "harmonic: {point: a, frequency: 300}", True), ("sweep", "chirp: {point: a, from: 1, to: 200, duration: 1}", True)):
        _, said = run(program, name, study.replace("LOAD", load))
        assert ("steps in the" in said) == warned, f"{name}: {said}"


def joints_that_give_what_they_never_took_are_warned_of(program):
    """Where the quadratic g of Valanis is steeper than E0, beyond (E0 - Et) / (2 Et2) = 0.725 mm, the law makes energy; from an initial motion
    a sound joint gives what it took on the way there."""
    for name, motion, quadratic, warned in (("within", "load: {harmonic: {point: a, frequency: 1.5}}", 2e6, False),
                                            ("beyond", "load: {harmonic: {point: a, frequency: 1.5, amplitude: 3}}", 2e6, True),
                                            ("started", "initial: {displacement: {a: 1e-3}}", 0, False)):
        result, said = run(program, name, f"""
masses: {{a: {{mass: 1}}}}
springs: [{{between: [ground, a], stiffness: 100}}]
joints:
  j: {{between: [ground, a], x: {{law: valanis, stiffness: 3000, slip_force: 1, kappa: 0.1, slip_stiffness: 100, shape: 2, slip_stiffness_quadratic: {quadratic}}}}}
studies:
  - transient: {{time_step: 1e-3, steps: 2000, {motion}}}
""")
        group = result["transient/transient"]
        assert (np.abs(group["joints/j/x/displacement"][:]).max() > 2900 / 4e6) == (name != "within"), name
        assert (group["energy/joints"][:].min() < -0.01 * group["energy/work"][:].max()) == (name != "within"), name
        assert ("released energy that they had not received" in said) == warned, f"{name}: {said}"


FACES = """
masses: {block: {mass: 2, inertia: [0.01, 0.012, 0.011], directions: [x, y, z, rx, ry, rz]}}
laws: {rough: {law: rough_contact, normal_stiffness: 8e5, tangential_stiffness: 4e5, friction: 0.3, preload: 30}}
joints:
  few: {between: [ground, block], contact: {law: rough, area: [0.1, 0.08], parts: [8, 8]}}
  many: {between: [ground, block], contact: {law: rough, area: [0.1, 0.08], parts: [13, 5], moment: [0.2, 0.3]}}
studies:
  - transient: {time_step: 1e-5, steps: 3003, every: 7, load: {half_sine: {point: block, direction: y, amplitude: 70, duration: 3e-3}}, OPTIONS}
"""
PARTS = ("state", "pressing", "dissipated")


def all_parts_are_known_at_the_end(program):
    """The last step is a sample, so histories must end with the last state; they are kept of 64 parts, or as the case says."""
    for name, options, kept in (("said_nothing", "watch: {}", ["few"]), ("said_all", "watch: {parts: all}", ["few", "many"]),
                                ("said_none", "watch: {parts: none}", []), ("said_many", "watch: {parts: [many]}", ["many"])):
        result, _ = run(program, name, FACES.replace("OPTIONS", options))
        group = result["transient/transient"]
        for joint, num_parts in (("few", 64), ("many", 65)):
            contact = group[f"joints/{joint}/contact"]
            last = {kind: contact[f"last/{kind}"][:] for kind in PARTS}
            lost = group[f"joints/{joint}/x/dissipated"][-1]
            assert all(len(values) == num_parts for values in last.values()) and contact["last/time"][0] == group["time"][-1]
            assert abs(last["dissipated"].sum() - lost) < 1e-12 * lost, (name, joint)
            assert np.abs([np.mean(last["state"] == state) for state in range(3)] - contact["share"][-1]).max() < 1e-12, (name, joint)
            pressed = 30 - group[f"joints/{joint}/x/force"][-1]
            assert abs(last["pressing"].sum() - pressed) < 1e-12 * pressed, (name, joint)
            assert all((kind in contact) == (joint in kept) for kind in PARTS), (name, joint, list(contact))
            assert joint not in kept or all(np.array_equal(contact[kind][-1], last[kind]) for kind in PARTS), (name, joint)


def parts_are_known_where_a_run_stopped(program):
    """At a wall too steep for one iteration, between two samples."""
    wall = "joints:\n  wall: {between: [ground, block], y: {law: gap, stiffness: 1e18, clearance: 1e-4, sides: 2}}"
    result, said = run(program, "stopped_faces", FACES.replace("joints:", wall).replace("time_step: 1e-5", "time_step: 1e-4")
                       .replace("OPTIONS", "max_iterations: 1, tolerance: 1e-15, watch: {parts: none}"), code=3)
    group = result["transient/transient"]
    stopped, samples = float(said.partition("stopped at ")[2].split()[0]), group["steps"][0] // 7 + 1
    for joint in ("few", "many"):
        last, lost = group[f"joints/{joint}/contact/last"], group[f"joints/{joint}/x/dissipated"][samples - 1]
        assert group["time"][samples - 1] < last["time"][0] and abs(last["time"][0] - stopped) < 1e-5 * stopped, (last["time"][0], stopped)
        assert 0 < lost < last["dissipated"][:].sum() and np.isfinite(last["pressing"][:]).all() and set(last["state"][:]) <= {0, 1, 2}


def check_tells_how_large_histories_of_parts_are(program):
    sizes = []
    for name, options in (("few_are_kept", "watch: {}"), ("all_are_kept", "watch: {parts: all}")):
        run(program, name, FACES.replace("OPTIONS", options))
        said = subprocess.run([program, "check", name + ".yaml"], env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
        told, made = float(said.partition(" MB of results")[0].split()[-1]), os.path.getsize(name + ".h5") / 1e6
        assert 0 < made - told < 0.15, (name, told, made)
        sizes.append(told)
    assert abs(sizes[1] - sizes[0] - 3 * 65 * (3003 // 7 + 1) * 8e-6) < 0.006, sizes


def memory_does_not_grow_with_the_steps(program):
    if "ASAN_OPTIONS" in os.environ:
        return  # sanitizers keep what was freed

    def peak(steps):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        run(program, "long", TWO_MASSES + f"studies:\n  - transient: {{time_step: 1e-4, steps: {steps}, initial: {{velocity: {{a: 1}}}}}}\n")
        return max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)

    few, many = peak(1000), peak(1000000)
    for leftover in glob.glob("long.h5*"):
        os.remove(leftover)
    assert many - few < 8 * 1024, f"{few} kB for 1000 steps, {many} kB for a million"  # all six energies would be 48 MB


def main():
    program = sys.argv[1]
    for check in (memory_does_not_grow_with_the_steps, what_is_kept_is_what_there_was, columns_say_what_they_are, a_damper_joint_tells_what_it_dissipates, a_load_keeps_the_time_it_was_given,
                  an_unstable_motion_stops_with_its_reason, steps_too_long_for_runge_kutta_are_warned_of, runge_kutta_is_that_of_section_3_of_voldrich2009, loads_that_steps_pass_over_are_warned_of,
                  all_parts_are_known_at_the_end, parts_are_known_where_a_run_stopped, check_tells_how_large_histories_of_parts_are, joints_that_give_what_they_never_took_are_warned_of):
        check(program)


if __name__ == "__main__":
    main()
