"""test_ring_down.py - ring-downs of records and runs whose frequency and damping are known; fits and comparisons of them. [timeout: 300]"""
import os
import subprocess
import sys

import h5py
import numpy as np
import scipy.signal

sys.dont_write_bytecode = True  # the source folder stays as it is
import sumali

sys.path.insert(0, os.path.join(sumali.SOURCE, "tests"))
from compare_results import differences, read

EXIT_INPUT, EXIT_NATURE = 2, 3
OMEGA, STEP, COUNT = 2 * np.pi * 30, 1e-3, 20000  # 33 samples a cycle, 600 cycles
TIME = STEP * np.arange(COUNT)


def dovetail(word, path, text, ranks=1, *more):
    """What is refused ends the program where it stands, which is no leak."""
    environment = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return subprocess.run(sumali.command(word, path, *more, ranks=ranks), env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def run(path, text, ranks=1, *more):
    done = dovetail("run", path, text, ranks, *more)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Curve:
    """What a result says of a decay: the trusted points."""

    def __init__(self, path, decay):
        with h5py.File(path) as file:
            group = file[f"ring_down/{decay}"]
            kept = group["trusted"][:] == 1
            self.time, self.amplitude, self.omega, self.zeta = (group[name][:][kept] for name in ("time", "amplitude", "omega", "zeta"))
            self.remark = group["remark"][0].decode()

    def check(self, fewest, omega, zeta, amplitude, allowed=(1e-3, 0.02, 0.01)):
        """With the truth, numbers or functions of time."""
        assert len(self.time) >= fewest, f"only {len(self.time)} points are trusted: {self.remark}"
        for name, found, wanted, most in zip(("omega", "zeta", "amplitude"), (self.omega, self.zeta, self.amplitude), (omega, zeta, amplitude), allowed):
            wanted = wanted(self.time) if callable(wanted) else wanted
            error = np.abs(found / wanted - 1).max()
            assert error <= most, f"{name} is off by {error:.2g}, allowed {most:g}"


class Decay:
    """x = Re exp(s(t)) with ds/dt = -alpha + i omega: displacement, and its derivatives in closed form."""

    def __init__(self, log, rate, change):
        """Of time: ln of the amplitude with the phase, its first and its second derivative, all complex."""
        self.log, self.rate, self.change = log, rate, change

    def record(self, quantity):
        shape = np.exp(self.log(TIME))
        factor = {"displacement": 1, "velocity": self.rate(TIME), "acceleration": self.rate(TIME) ** 2 + self.change(TIME)}[quantity]
        return (factor * shape).real

    def check(self, curve, fewest, **allowed):
        """The damping is that of a displacement's amplitude: alpha / |alpha + i omega| [eq. 21 of lacayo2017]."""
        curve.check(fewest, lambda t: self.rate(t).imag, lambda t: -self.rate(t).real / np.abs(self.rate(t)), lambda t: np.exp(self.log(t).real), **allowed)


def linear(zeta=2e-3):
    s = OMEGA * (-zeta + 1j)
    return Decay(lambda t: s * t, lambda t: np.full_like(t, s, complex), np.zeros_like)


def power(z=2e-4, c=4e-3, b=0.01):
    """dA/dt = -(z + c A) OMEGA A, d phase/dt = OMEGA (1 - b A), from A = 1, as joints in microslip do: with p = z OMEGA,
    A = z / ((z + c) exp(p t) - c), and the integral of A is that of -(d ln A/dt) / (c OMEGA) less z t / c."""

    def amplitude(t):
        return z / ((z + c) * np.exp(z * OMEGA * t) - c)

    def log(t):
        ln = np.log(amplitude(t))
        return ln + 1j * OMEGA * (t - b * (-ln / (c * OMEGA) - z / c * t))

    def rate(t):
        return OMEGA * (-(z + c * amplitude(t)) + 1j * (1 - b * amplitude(t)))

    def change(t):
        return OMEGA * (-c - 1j * b) * amplitude(t) * rate(t).real

    return Decay(log, rate, change)


def write_record(form, values):
    """The keys of a record in a file of that form."""
    if form == "hdf5":
        with h5py.File("record.h5", "w") as file:
            file["measured/time"], file["measured/value"] = TIME, values
        return "file: record.h5, time: /measured/time, values: /measured/value"
    separator = {"comma": ",", "semicolon": "; ", "blanks": "  ", "heading": ","}[form]
    np.savetxt("record.csv", np.array([TIME, values]).T, fmt="%.17g", delimiter=separator, header="time,value", comments="# " if form == "heading" else "#")
    return "file: record.csv"


def measure(form, values, quantity, more=""):
    run("record.yaml", f"studies:\n  - ring_down: {{ records: {{ {write_record(form, values)}, quantity: {quantity} }}{more} }}\n", 1, "-o", "found.h5")
    return Curve("found.h5", "ring_down/mode1")


def records():
    quantities = ("displacement", "velocity", "acceleration")
    for number, form in enumerate(("comma", "semicolon", "blanks", "heading", "hdf5")):
        quantity = quantities[number % 3]
        linear().check(measure(form, linear().record(quantity), quantity), 8)
    noise = np.random.default_rng(1).standard_normal(COUNT)
    for quantity in quantities:
        exact = power().record(quantity)
        power().check(measure("hdf5", exact, quantity), 12)
        noisy = exact + 1e-3 * np.abs(exact).max() * noise
        power().check(measure("hdf5", noisy, quantity), 5)
    judged_by_scipy(power().record("acceleration"))
    two = linear().record("velocity") + 0.3 * np.cos(2.7 * OMEGA * TIME) * np.exp(-0.5 * TIME) * OMEGA
    linear().check(measure("hdf5", two, "velocity"), 5)  # where the other has died away; before, none is trusted
    linear().check(measure("hdf5", two, "velocity", ", band: [20, 50]"), 8)


def judged_by_scipy(values):
    """Envelope and phase at mid record, of another Hilbert transform."""
    curve = measure("hdf5", values, "acceleration", ", amplitude: acceleration")
    analytic = scipy.signal.hilbert(values)
    ln, phase = np.log(np.abs(analytic)), np.unwrap(np.angle(analytic))
    for time, amplitude, omega in zip(curve.time, curve.amplitude, curve.omega):
        if not 0.25 * TIME[-1] < time < 0.75 * TIME[-1]:
            continue
        near = np.abs(TIME - time) < 5.5 * 2 * np.pi / OMEGA
        slope = np.polyfit(TIME[near] - time, phase[near], 2)[1]
        assert abs(slope / omega - 1) < 1e-4, f"at {time}: {omega}, but {slope} by scipy"
        level = np.exp(np.polyfit(TIME[near] - time, ln[near], 2)[2])
        assert abs(level / amplitude - 1) < 0.01, f"at {time}: {amplitude}, but {level} by scipy"


def bad_datasets():
    with h5py.File("bad.h5", "w") as file:
        file["t"], file["v"], file["short"] = TIME[:9], TIME[:9], TIME[:8]
        file["two"], file["nan"], file["squares"], file["group/x"] = np.ones((9, 2)), np.full(9, np.nan), TIME[:9] ** 2, 1.0
    for keys, wanted in (("time: /t, values: /w", "values: 'bad.h5' has no dataset '/w'; / has: group, nan, short, squares, t, two, v"),
                         ("time: /t, values: /group", "values: 'bad.h5' /group is a group, not a dataset"),
                         ("time: /t, values: /two", "values: expected one column, found a dataset of 9 x 2"),
                         ("time: /t, values: /nan", "values: /nan must be finite: row 1, column 1 is nan"),
                         ("time: /t, values: /short", "records: there are 9 numbers of `time` and 8 of `values`"),
                         ("time: /squares, values: /v", "time: expected times at equal steps, 8e-06 s on average; found 1e-06 s before sample 2"),
                         ("time: /t, values: 2", "values: bad.h5 is an HDF5 file: give `values` as one of its datasets, /a/b, not 2"),
                         ("values: /v", "file: bad.h5 is an HDF5 file: give `time` as one of its datasets, /a/b")):
        for ranks in (1, 2) if "/w" in keys else (1,):
            done = dovetail("check", "bad.yaml", f"studies:\n  - ring_down: {{ records: {{ file: bad.h5, {keys} }} }}\n", ranks)
            assert done.returncode == EXIT_INPUT and done.stderr.count("error:") == 1 and wanted in done.stderr, done.stderr


OSCILLATOR = """masses: {{ a: {{ mass: 2 }} }}
springs: [{{ between: [ground, a], stiffness: 200 }}]
dampers: [{{ between: [ground, a], damping: 0.08 }}]
studies:
  - transient:
      name: hit
      time_step: {step}
      steps: {steps}
      load: {{ half_sine: {{ point: a, amplitude: 10, duration: 0.3 }} }}
      watch: {{ points: a, modes: all }}
  - ring_down: {{ of: hit{more} }}
"""


def oscillators():
    """omega_0 = 10 rad/s, zeta = 2e-3; the modal coordinate is sqrt(2) times the motion of the mass."""
    omega, zeta, step = 10 * np.sqrt(1 - 4e-6), 2e-3, 0.03
    found = {}
    for name, keys in (("mode", ""), ("displacement", ", point: a, quantity: displacement"), ("acceleration", ", point: a, quantity: acceleration"),
                       ("raw", ", correct_period: no"), ("velocities", ", amplitude: velocity"), ("window", ", from: 50, to: 200"),
                       ("knots", ", knots: [20, 40, 60, 80, 100, 120, 140, 160]")):
        run("oscillator.yaml", OSCILLATOR.format(step=step, steps=10000, more=keys), 1, "-o", "found.h5")
        found[name] = Curve("found.h5", "hit/a" if "point" in keys else "hit/mode1")
        if name == "raw":
            continue
        curve = found[name]
        curve.check(6, omega, zeta, curve.amplitude, (1e-5, 1e-3, 0))
        factor = omega if name == "velocities" else 1
        with h5py.File("found.h5") as file:
            group, mass = file["transient/hit"], "point" in keys
            q, v = (group[f"points/a/{what}"][:].ravel() if mass else group[f"modal/{what}"][:, 0] for what in ("displacement", "velocity"))
        envelope = np.hypot(q, (v + zeta * 10 * q) / omega)  # of a decay exp(-zeta omega_0 t), at any time
        log = np.interp(curve.time, step * np.arange(len(q)), np.log(np.maximum(envelope, 1e-300)))
        assert np.abs(curve.amplitude / (factor * np.exp(log)) - 1).max() < 2e-4, name
    slower = 2 / step * np.arctan(omega * step / 2)  # of the trapezoidal rule, but for the damping
    found["raw"].check(6, slower, found["raw"].zeta, found["raw"].amplitude, (1e-5, 0, 0))
    assert slower / omega < 1 - 7e-3
    assert found["window"].time.min() > 50 and found["window"].time.max() < 200
    assert set(found["knots"].time) <= {30, 50, 70, 90, 110, 130, 150}


IWAN = """masses: { a: { mass: 1 } }
springs: [{ between: [ground, a], stiffness: 95 }]
joints: { j: { between: [ground, a], x: { law: iwan4, slip_force: 5, stiffness: 5, chi: -0.3, beta: 0.8 } } }
damping: { modal: 1e-4 }
studies:
  - transient:
      name: hit
      load: { half_sine: { point: a, mode: 1 } }
      watch: { points: none, modes: all, joints: none }
      runs: [{ level: [1500, 300], time_step: 0.005, steps: 40000 }, { level: [60, 6, 0.6], time_step: 0.01, steps: 60000 }]
  - ring_down: { of: hit }
"""
FIT = """  - modal_iwan: { name: fit, of: hit }
  - transient:
      name: model
      model: fit
      load: { half_sine: { point: a, mode: 1 } }
      watch: { points: none, modes: all, joints: none }
      runs: [{ level: [1500, 300], time_step: 0.005, steps: 40000 }, { level: [60, 6, 0.6], time_step: 0.01, steps: 60000 }]
  - ring_down: { of: model }
  - compare: { name: itself, truth: hit, model: hit, fit: fit }
  - compare: { name: other, truth: hit, model: model, fit: fit }
"""
LAW = {"stiffness": 95, "damping": 1e-4, "slip_force": 5, "tangent": 5, "chi": -0.3, "beta": 0.8}  # a unit mass: its mode is itself


def one_mass_is_its_own_model():
    for ranks in (1, 2, 3):
        run("iwan.yaml", IWAN + FIT, ranks, "-o", f"iwan{ranks}.h5")
        faults = differences(read("iwan1.h5"), read(f"iwan{ranks}.h5"))
        assert not faults, faults
    with h5py.File("iwan1.h5") as file:
        group = file["modal_iwan/fit/mode1"]
        for i, (name, wanted) in enumerate(LAW.items()):
            found, low, high = group[name][0], group["low"][i], group["high"][i]
            assert abs(found / wanted - 1) < 0.01, f"{name}: {found}, not {wanted}"
            # The intervals tell of scatter, not of what is wrong with all points alike: chi (1e-3 off) is 1.7 half-widths from its value, others are within one.
            assert abs(found - wanted) <= 2 * (high - low) / 2, f"{name}: {wanted} is far from {low} to {high}"
        for name, allowed in (("itself", 1e-3), ("other", 0.02)):
            table = file[f"compare/{name}/table"]
            assert table["points"][:].min() >= 3, table["points"][:]
            for ratio in ("omega_ratio_mean", "omega_ratio_least", "omega_ratio_most", "zeta_ratio_mean", "zeta_ratio_least", "zeta_ratio_most"):
                assert np.abs(table[ratio][:] - 1).max() < allowed, f"{name}: {ratio} {table[ratio][:]}"


def killed_and_resumed():
    """To the bits of an unbroken run, on one rank and on two."""
    run("long.yaml", OSCILLATOR.format(step=3e-4, steps=2000000, more="").replace("steps:", "every: 100\n      steps:"), 1, "-o", "unbroken.h5")
    assert len(Curve("unbroken.h5", "hit/mode1").time) > 5
    for ranks in (1, 2):
        if os.path.exists("killed.h5"):
            os.remove("killed.h5")
        sumali.kill("long.yaml", "killed.h5", "hit", 300000)
        sumali.run("long.yaml", "-o", "killed.h5", "--resume", ranks=ranks)
        faults = differences(read("unbroken.h5"), read("killed.h5"))
        assert not faults, faults


def nothing_to_find():
    noise = np.random.default_rng(2).standard_normal(COUNT)
    for values in (np.zeros(COUNT), noise, linear().record("velocity") * (TIME < 0.05)):
        curve = measure("hdf5", values, "velocity")
        assert len(curve.time) == 0
        with h5py.File("found.h5") as file:
            group = file["ring_down/ring_down/mode1"]
            assert curve.remark or not group["trusted"][:].any()
    short = dovetail("run", "short.yaml", IWAN.replace("0000 }", "00 }") + FIT, 1, "-o", "short.h5")
    assert short.returncode == EXIT_NATURE, short.stderr
    assert "mode 1: no model: " in short.stdout and "transient model: not run, because modal_iwan fit found no model for some of its modes" in short.stdout, short.stdout
    with h5py.File("short.h5") as file:
        assert file["transient/model_1/reason"][0] == b"not run: there is no modal model"


def only_the_joint_holds_it():
    """Slipping, the mass floats; stuck, it is an oscillator of 100 rad/s, and far below the slip force that is its frequency (closed form)."""
    stiffness, slip_force = 1e4, 1e6
    text = f"""masses: {{ a: {{ mass: 1 }} }}
joints: {{ j: {{ between: [ground, a], x: {{ law: jenkins, slip_force: {slip_force}, stiffness: {stiffness} }} }} }}
damping: {{ modal: 0.01 }}
studies:
  - modes: {{ count: 1 }}
  - transient: {{ name: hit, time_step: 5e-4, steps: 8000, load: {{ half_sine: {{ point: a, amplitude: 1, mode: 1 }} }}, watch: {{ modes: all }} }}
  - ring_down: {{ of: hit }}
"""
    assert "1 of them move without strain while the joints are slipping" in run("held_by_joint.yaml", text, 1, "-o", "held_by_joint.h5")
    Curve("held_by_joint.h5", "hit/mode1").check(5, 100.0 * np.sqrt(1 - 0.01**2), 0.01, None, allowed=(1e-5, 2e-3))  # frequency and damping; 8e-7 and 6e-4 measured


def what_is_said_at_run():
    harmonic = OSCILLATOR.replace("half_sine: {{ point: a, amplitude: 10, duration: 0.3 }}", "harmonic: {{ point: a, amplitude: 10, frequency: 1 }}")
    rigid = OSCILLATOR.replace("between: [ground, a]", "between: [a, b]").replace("a: {{ mass: 2 }}", "a: {{ mass: 2 }}, b: {{ mass: 1 }}")
    for text, wanted in ((harmonic, "a load of run 'hit' never ends"), (OSCILLATOR.replace("0.3", "400"), "run 'hit' is never free: it ends at 300 s, its loads at 400 s"),
                         (rigid, "mode 1 has no frequency: it moves without strain, or is unstable")):
        done = dovetail("run", "said.yaml", text.format(step=0.03, steps=10000, more=""))
        assert done.returncode == EXIT_INPUT and wanted in done.stderr and done.stderr.count("error:") == 1, done.stderr


def main():
    records()
    bad_datasets()
    oscillators()
    one_mass_is_its_own_model()
    killed_and_resumed()
    nothing_to_find()
    only_the_joint_holds_it()
    what_is_said_at_run()


if __name__ == "__main__":
    main()
