"""test_modal_iwan.py - modal Iwan models that a case gives, moved by its transients: three masses against closed forms, a mesh. [timeout: 300]"""
import os
import subprocess
import sys

import h5py
import numpy as np
import scipy.integrate

sys.dont_write_bytecode = True  # the source folder stays as it is
import sumali

sys.path.insert(0, os.path.join(sumali.SOURCE, "cases", "three_mass"))
import checks

EXIT_INPUT = 2
STEP, EVERY = 0.02, 5
LINEAR_BALANCE = 200000 * 2.2e-16  # where nothing slips, each step may err by its round-off in the same direction
KEYS = ("stiffness", "damping", "slip_force", "tangent", "chi", "beta")
TABLE_5 = {  # of lacayo2017
    7: (4.235e5, 1e-4, 1.802, 1.537e5, -0.1369, 2.561),
    8: (1.673e6, 1e-4, 1.518, 1.340e5, -0.1620, 2.000),
    9: (7.321e6, 1e-4, 6.934, 2.822e6, -0.1008, 1.529),
}
FREE = """
masses: {a: {mass: 1}, b: {mass: 2}}
springs: [{between: [a, b], stiffness: 9}]
"""


def modal_iwan(name, models):
    """The study of that name, from the six parameters of each mode."""
    items = "".join(f"        - {{ mode: {mode}, " + ", ".join(f"{key}: {value!r}" for key, value in zip(KEYS, map(float, values))) + " }\n"
                    for mode, values in models.items())
    return f"  - modal_iwan:\n      name: {name}\n      modes:\n{items}"


def three_masses(path, studies):
    with open(os.path.join(sumali.SOURCE, "cases", "three_mass", "case.yaml"), encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[: text.index("studies:")] + "studies:\n  - modes: { count: 3 }\n" + studies)
    sumali.run(path)


def dovetail(word, path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    environment = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")  # a case that is refused ends where it stands
    return subprocess.run(sumali.command(word, path), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=environment)


def close(values, wanted, tolerance):
    """To within the tolerance of the largest."""
    wanted = np.asarray(wanted)
    assert np.abs(wanted).max() > 0
    error = np.abs(np.asarray(values) - wanted).max() / np.abs(wanted).max()
    assert error <= tolerance, f"off by {error:.2g}, allowed {tolerance:g}"


STUDY = """  - transient:
      name: {name}
      model: table_3
      time_step: {step}
      steps: 200000
      tolerance: 1e-13
      every: {every}
      load: {{ half_sine: {{ shape: {{ mode: 1 }} }} }}
      watch: {{ points: u1, modes: all, joints: all, energy: yes }}
      runs: [{runs}]
"""


def the_three_masses_of_table_3():
    runs = {"small": "{ mode: [1, 2, 3], level: 1e-20 }", "micro": "{ mode: 1, level: 3.4 }, { mode: 2, level: 0.8 }, { mode: 3, level: 0.38 }",
            "macro": "{ mode: 1, level: 6000, joints: slipping }, { mode: 2, level: 50000 }, { mode: 3, level: 200000 }"}
    three_masses("three.yaml", modal_iwan("table_3", checks.FITS) + "".join(STUDY.format(name=name, step=STEP, every=EVERY, runs=runs[name]) for name in runs))
    with h5py.File("three.h5") as file:
        omega_0 = file["modes/stuck/omega"][:]
        for mode, values in checks.FITS.items():
            model = checks.ModalIwan(*values)
            assert [file[f"modal_iwan/table_3/mode{mode}/{key}"][0] for key in KEYS] == list(values)
            check_small(file, mode, model)
            check_microslip(file, mode, model)
            for name in runs:
                check_run(file[f"transient/{name}_{mode}"], mode, model, omega_0[mode - 1], LINEAR_BALANCE if name == "small" else 1e-12)


def check_small(file, mode, model):
    """While all sliders stick it is linear, with sqrt(K_inf + K_T) and zeta_0. A sample is then a combination of the two before, whose
    roots are e^(s t) as the trapezoidal rule has it: ((1 + s h / 2) / (1 - s h / 2))^5, s^2 + 2 zeta omega s + omega^2 = 0."""
    group = file[f"transient/small_{mode}"]
    q = group["modal/displacement"][group["time"][:] > group.attrs["duration"], mode - 1]
    sum_and_product = np.linalg.lstsq(np.array([q[1:-1], -q[:-2]]).T / q.max(), q[2:] / q.max(), rcond=None)[0]
    root = np.roots([1, -sum_and_product[0], sum_and_product[1]])[0] ** (1 / EVERY)
    s = 2 / STEP * (root - 1) / (root + 1)
    close(abs(s), model.omega_0, 1e-8)
    close(-s.real / abs(s), 1e-4, 1e-5)


def maxima(time, q):
    """Of samples: times and values at the vertices of parabolas."""
    at = np.flatnonzero((q[1:-1] > q[:-2]) & (q[1:-1] >= q[2:])) + 1
    slope, bend = (q[at + 1] - q[at - 1]) / 2, q[at + 1] - 2 * q[at] + q[at - 1]
    return time[at] - slope / bend * (time[1] - time[0]), q[at] - slope**2 / (2 * bend)


def check_microslip(file, mode, model):
    """The decay that eqs 12 and 13 foretell, which are made for motions that are nearly harmonic: amplitude at the end, and cycles."""
    group = file[f"transient/micro_{mode}"]
    free = group["time"][:] > group.attrs["duration"]
    time, amplitude = maxima(group["time"][free], group["modal/displacement"][free, mode - 1])
    assert amplitude.max() < model.limit, "beyond microslip"

    def change(_, now):
        omega = model.omega(now[0])
        return [-model.damping(now[0]) * omega * now[0], 2 / STEP * np.arctan(omega * STEP / 2)]

    end = scipy.integrate.solve_ivp(change, (time[0], time[-1]), (amplitude[0], 0), rtol=1e-10, atol=1e-12).y[:, -1]
    linear = np.exp(-1e-4 * model.omega_0 * (time[-1] - time[0]))
    assert amplitude[-1] < 0.95 * amplitude[0] * linear
    close(amplitude[-1], end[0], 5e-4)
    close(end[1], 2 * np.pi * (len(time) - 1), 1e-5)


def check_run(group, mode, model, omega, allowed):
    """Loads are those of the structure, the modes do not couple, eq. 7 holds in what is recorded, energies balance."""
    assert group.attrs["model"] == b"table_3"
    close(group.attrs["duration"], np.pi / omega, 1e-14)  # eq. 28
    assert group["reason"][0] == b"complete"
    q, element = group["modal/displacement"][:], group[f"joints/mode{mode}/q"]
    assert not np.delete(q, mode - 1, axis=1).any()
    close(element["displacement"][:], q[:, mode - 1], 1e-12)
    assert np.abs(element["force"][:]).max() <= model.slip_force * (1 + 1e-9)
    assert np.all(np.diff(element["dissipated"][:]) >= 0) and element["dissipated"][-1] > 0
    assert checks.energy_not_in_balance(group) < allowed, checks.energy_not_in_balance(group)


def given_models_of_what_cannot_have_one():
    model = (5.0, 1e-3, 2.0, 1.0, -0.5, 2.0)
    done = dovetail("run", "rigid.yaml", FREE + "studies:\n" + modal_iwan("fit", {1: model}))
    assert done.returncode == EXIT_INPUT and "rigid.yaml:8:" in done.stderr and "mode 1 has no frequency" in done.stderr, done.stderr
    done = dovetail("run", "wrong.yaml", FREE + "studies:\n" + modal_iwan("fit", {2: model}))
    assert done.returncode == 0 and "the model moves at 2.44949 rad/s, but mode 2 at 3.67423 rad/s" in done.stderr, done.stderr
    masses = "masses:\n" + "".join(f"  m{i}: {{mass: 1}}\n" for i in range(3001))
    springs = "springs:\n" + "".join(f"  - {{between: [{'ground' if i == 0 else f'm{i - 1}'}, m{i}], stiffness: 9}}\n" for i in range(3001))
    run = "  - transient: { model: fit, time_step: 1, steps: 1 }\n"
    done = dovetail("check", "large.yaml", masses + springs + "studies:\n" + modal_iwan("fit", {2: model}) + run)
    assert done.returncode == EXIT_INPUT and "a modal model needs all modes, which are found for 3000 unknowns at most; there are 3001" in done.stderr, done.stderr


HIT = """  - transient:
      name: {name}
      {model}
      time_step: 2e-5
      steps: 2000
      every: 10
      load: {{ half_sine: {{ point: p1, direction: z, mode: 9, amplitude: 1e-12 }} }}
      watch: {{ points: [p1, bolt2_upper], modes: all, joints: all }}
      fields: {{ every: 400, velocity: yes }}
"""


def a_mesh_that_floats():
    """A force that leaves all joints sticking: with the frequencies of the structure the modal model moves as that, its six rigid modes
    and those without a model too, at points and on the mesh."""
    sumali.write("truth.yaml", "studies:\n  - modes: { count: 12 }\n" + HIT.format(name="hit", model=""))
    sumali.run("truth.yaml")
    with h5py.File("truth.h5") as file:
        omega = file["modes/stuck/omega"][:]
        assert not omega[:6].any()
    models = {mode: (omega[mode - 1] ** 2 - values[3], *values[1:]) for mode, values in TABLE_5.items()}
    for ranks in (1, 2, 3):
        sumali.write("model.yaml", "studies:\n" + modal_iwan("table_5", models) + HIT.format(name="hit", model="model: table_5"))
        sumali.run("model.yaml", ranks=ranks)
        with h5py.File("truth.h5") as truth, h5py.File("model.h5") as model:
            one, other = truth["transient/hit"], model["transient/hit"]
            close(other.attrs["duration"], one.attrs["duration"], 1e-9)
            for path in [f"points/{point}/{what}" for point in ("p1", "bolt2_upper") for what in ("displacement", "velocity", "acceleration")]:
                close(other[path][:], one[path][:], 1e-8)
            for what in ("displacement", "velocity"):
                close(other[f"modal/{what}"][:], one[f"modal/{what}"][:], 1e-8)
            assert list(other["joints"]) == ["mode7", "mode8", "mode9"]
        with h5py.File("truth_hit.xdmf.h5") as truth, h5py.File("model_hit.xdmf.h5") as model:
            for name in ("displacement", "velocity"):
                for time in truth[f"XDMF/PointData/{name}"]:
                    wanted = truth[f"XDMF/PointData/{name}/{time}"][:]
                    if wanted.any():
                        close(model[f"XDMF/PointData/{name}/{time}"][:], wanted, 1e-8)


STARTED = """  - transient:
      name: {name}
      {model}
      time_step: 0.02
      steps: 5000
      initial: {{ displacement: {{ u1: 1, u3: -2 }}, velocity: {{ u2: 0.5 }}, shape: {{ mode: 2, velocity: 0.3 }} }}
      runs: [{{ level: 1e-20 }}]
"""


def a_start_from_points_is_the_structures():
    fits = {mode: (omega**2 - checks.FITS[mode][3], *checks.FITS[mode][1:]) for mode, omega in zip((1, 2, 3), (0.42446961337723593, 1.2156841452833735, 1.744115135599142))}
    three_masses("start.yaml", modal_iwan("exact", fits) + STARTED.format(name="truth", model="") + STARTED.format(name="model", model="model: exact"))
    with h5py.File("start.h5") as file:
        for path in [f"points/u{i}/{what}" for i in (1, 2, 3) for what in ("displacement", "velocity")]:
            close(file[f"transient/model/{path}"][:], file[f"transient/truth/{path}"][:], 1e-8)


def main():
    the_three_masses_of_table_3()
    a_start_from_points_is_the_structures()
    given_models_of_what_cannot_have_one()
    a_mesh_that_floats()


if __name__ == "__main__":
    main()
