#!/usr/bin/env python3
"""Measured backbones and frequency responses of files: closed forms, written in all units and kinds of files, are read, fitted and compared."""
import os
import subprocess
import sys

import h5py
import numpy as np
import scipy.integrate
import scipy.io

sys.dont_write_bytecode = True  # the source folder stays as it is
import sumali

sys.path.insert(0, os.path.join(sumali.SOURCE, "tests"))
from compare_results import differences, read
from universal_file import COMPLEX_DOUBLE, COMPLEX_SINGLE, header, numbers

GRAVITY, SHAPE = 9.81, 1.7
MODEL = dict(stiffness=1.6e5, damping=2e-3, slip_force=6.0, tangent=4e4, chi=-0.3, beta=1.5)


def run(name, text, ranks=1, expected=0):
    with open(f"{name}.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run(sumali.command("run", f"{name}.yaml", ranks=ranks), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == expected, f"{name}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout, done.stderr


def backbone(amplitude):
    """Frequency and damping of a decaying modal Iwan model [src/post/modal_iwan/NOTES.md], by quadrature: the first harmonic of the element in
    phase with the motion, and its energy of a half cycle over the slope of the backbone."""
    k, zeta0, force, tangent, chi, beta = (MODEL[key] for key in ("stiffness", "damping", "slip_force", "tangent", "chi", "beta"))
    b, p = 1 / (1 + beta), chi + 1
    largest = force / (tangent * (1 - b / (p + 1)))  # phi_max, where F(phi_max) = F_S

    def slope(x):
        return tangent * (1 - b * (x / largest) ** p) if x < largest else 0.0

    def at(a):
        end = 2 * np.arcsin(min(1, np.sqrt(largest / a)))
        first = 2 / np.pi * scipy.integrate.quad(lambda t: slope(a * np.sin(t / 2) ** 2) * np.sin(t) ** 2, 0, end, limit=200, epsabs=0, epsrel=1e-10)[0]
        lost = 4 * tangent * b * min(a, largest) ** (p + 2) / largest**p * p / ((p + 1) * (p + 2)) + 4 * force * max(a - largest, 0)
        omega = np.sqrt(k + first)
        omega0 = np.sqrt(k + tangent)
        zeta = (lost + 2 * np.pi * zeta0 * omega0 * omega * a**2) / (2 * np.pi * a**2 * (k + slope(a)))
        return omega * np.sqrt(1 - zeta**2), zeta

    omega, zeta = np.transpose([at(a) for a in amplitude])
    return omega, zeta, largest


def write_backbones(amplitude, omega, zeta):
    """The same numbers as different programs write them."""
    acceleration = amplitude * SHAPE * omega**2 / GRAVITY
    np.savetxt("tested.csv", np.transpose([acceleration, omega / (2 * np.pi), 100 * zeta]), delimiter=",", header="amplitude [g],frequency [Hz],damping [%]", comments="", fmt="%.15g")
    with h5py.File("tested.h5", "w") as file:
        file["b/a"], file["b/w"], file["b/eta"], file["b/error"] = 1e6 * amplitude, omega, 2 * zeta, np.full(len(zeta), 2e-6)
    scipy.io.savemat("tested.mat", {"t": {"v": 2 * amplitude * omega, "f": omega / (2 * np.pi), "Q": 0.5 / zeta}})


BACKBONES = """
  - ring_down: { name: tested, backbones: { file: tested.csv, quantity: acceleration, scale: %g, shape: %g, damping_unit: percent } }
  - ring_down: { name: others, backbones: [
      { name: hdf, file: tested.h5, amplitude: /b/a, frequency: /b/w, damping: /b/eta, damping_error: /b/error, frequency_unit: rad/s, damping_unit: loss_factor, quantity: displacement, scale: 1e-6 },
      { file: tested.mat, amplitude: t.v, frequency: t.f, damping: t.Q, damping_unit: quality, quantity: velocity, scale: 0.5 } ], modes: 3 }
""" % (GRAVITY, SHAPE)


def check_backbones():
    """All forms say the same; the parameters of the model come back, by both fits; the structure itself agrees with the table."""
    largest = backbone([1.0])[2]
    amplitude = largest * np.geomspace(0.01, 30, 40)
    omega, zeta, _ = backbone(amplitude)
    write_backbones(amplitude, omega, zeta)
    structure = "masses: {m: {mass: 1}}\nsprings: [{between: [ground, m], stiffness: %(stiffness)r}]\njoints: {j: {between: [ground, m], x: {law: iwan4, slip_force: %(slip_force)r, stiffness: %(tangent)r, chi: %(chi)r, beta: %(beta)r}}}\n" % MODEL
    law = "  - fit_law: { law: { law: iwan4, chi: %(chi)r, beta: %(beta)r }, find: { slip_force: 3, stiffness: 1e4 }, ring_down: { of: tested, stiffness: %(stiffness)r, damping: %(damping)r } }\n" % MODEL
    model = "  - transient: { name: model, model: fitted, time_step: 2e-4, steps: 40000, every: 5, load: { half_sine: { point: m, duration: 2e-3 } }, runs: [ { level: [2e3] } ], watch: { modes: all } }\n  - ring_down: { of: model }\n  - compare: { truth: tested, model: model, fit: fitted }\n"
    text = structure + "damping: {modal: %(damping)r}\nstudies:" % MODEL + BACKBONES + "  - modal_iwan: { name: fitted, of: tested }\n" + law + model
    run("backbones", text)
    with h5py.File("backbones.h5") as file:
        for place in ("tested/mode1", "hdf/mode3", "others_2/mode3"):
            found = file[f"ring_down/{place}"]
            for key, wanted in (("amplitude", amplitude), ("omega", omega), ("zeta", zeta)):
                assert np.allclose(found[key][:], wanted, rtol=1e-12, atol=0), f"{place}: {key}"
            assert found["trusted"][:].all() and "knot_time" not in found
        assert np.allclose(file["ring_down/hdf/mode3/zeta_error"][:], 1e-6, rtol=1e-12)
        fitted = file["modal_iwan/fitted/mode1"]
        for key, wanted in MODEL.items():  # the weak priors of the fit move parameters by 1e-5 at most
            value = fitted[key][0] if key in fitted else fitted.attrs[key]
            assert abs(value / wanted - 1) < 1e-3, f"{key}: {value}, not {wanted}"
        names = [text.decode().rstrip("\0") for text in file["fit_law/fit_law/names"][:]]
        for name, value in zip(names, file["fit_law/fit_law/value"][:]):
            wanted = MODEL["slip_force" if name == "slip_force" else "tangent"]
            assert abs(value / wanted - 1) < 5e-3, f"{name}: {value}, not {wanted}"
        table = file["compare/compare/table"]
        rows = table["points"][:] > 0
        assert table["points"][:].sum() >= 10
        assert np.abs(table["omega_ratio_mean"][rows] - 1).max() < 1e-3 and np.abs(table["zeta_ratio_mean"][rows] - 1).max() < 0.02


def write_responses(frequency, receptance):
    acceleration = -((2 * np.pi * frequency) ** 2) * receptance
    np.savetxt("parts.csv", np.transpose([frequency, receptance.real, receptance.imag]), delimiter=";", fmt="%.15g")
    np.savetxt("polar.csv", np.transpose([frequency, np.abs(acceleration) / GRAVITY, np.degrees(np.angle(acceleration))]), delimiter=" ", fmt="%.15g")
    step = frequency[1] - frequency[0]
    text = ""
    for node, kind, unit, values in ((1, COMPLEX_SINGLE, "g", acceleration / GRAVITY), (2, COMPLEX_DOUBLE, "m/s^2", acceleration)):
        lines = header(4, kind, True, node, 3, unit=unit, count=len(frequency), abscissa=18, start=frequency[0], step=step, per="N")
        text += "    -1\n    58\n" + lines + numbers(kind, True, values, frequency) + "    -1\n"
    with open("tested.uff", "w", encoding="ascii") as file:
        file.write(text)


RESPONSE = """masses: {{ m: {{ mass: 2, directions: [x, y] }} }}
springs: [ {{ between: [ground, m], direction: x, stiffness: 8e4 }}, {{ between: [ground, m], direction: y, stiffness: 2e5 }} ]
damping: {{ modal: 0.02 }}
studies:
  - response: {{ name: r, frequencies: {{ from: 26, to: 40, count: 8 }}, direction: [up, rest], level: [1, 7], steps: 1000, tolerance: 1e-7, load: {{ harmonic: {{ point: m, direction: x, amplitude: 3, phase: 0.4 }} }},
      measured: {measured} }}
"""
FORMS = "[ { name: parts, file: parts.csv, real: 2, imaginary: 3, quantity: displacement }, { name: polar, file: polar.csv, amplitude: 2, phase: 3, scale: 9.81, quantity: acceleration, motion: m x }, " \
        "{ name: sizes, file: polar.csv, amplitude: 2, scale: 9.81, quantity: acceleration }, { name: first, file: tested.uff, values: 1 z, scale: 9.81 }, { name: second, file: tested.uff, values: 2 }, " \
        "{ name: larger, file: tested.uff, values: 2 z, scale: 1.25 } ]"


def check_responses():
    """Of an oscillator: 1 / (k - m Omega^2 + i c Omega). The trapezoidal rule errs by (2 pi / 1000)^2 / 12 in frequency, at most 1.6e-4 of the
    response near a peak of 2 % of damping; straight lines between frequencies of 0.05 Hz by (0.05 / 0.7)^2 / 8 at most; 5 digits by 1e-5."""
    frequency = 20 + 0.05 * np.arange(601)
    omega, omega0 = 2 * np.pi * frequency, 200.0
    receptance = 1 / (2 * (omega0**2 - omega**2 + 2j * 0.02 * omega0 * omega))
    write_responses(frequency, receptance)
    said, _ = run("measured", RESPONSE.format(measured=FORMS))
    assert "FRAC" in said and "second" in said
    alone = read("measured.h5")
    run("measured", RESPONSE.format(measured=FORMS), ranks=2)
    assert not differences(alone, read("measured.h5"))
    with h5py.File("measured.h5") as file:
        group = file["response/r/measured"]
        for name, scale, rate in (("parts", 1, 0), ("polar", 1, 2), ("sizes", 1, 2), ("first", 1, 2), ("second", 1, 2), ("larger", 1.25, 2)):
            found = group[name]
            exact = np.abs(receptance) * omega**rate * scale
            assert np.allclose(found["amplitude"][:], exact, rtol=3e-5), name  # single precision is written with six digits
            assert name == "sizes" or np.allclose(np.exp(1j * found["phase"][:]), np.exp(1j * (np.angle(receptance) + rate * np.pi / 2)), atol=1e-4), name
            assert found["amplitude"].attrs["unit"] in (b"m/N", b"m/s^2/N", "m/N", "m/s^2/N") and list(found["points"][:]) == [8] * 4
            assert np.abs(found["difference"][:] - (1 - 1 / scale)).max() < 2e-3, f"{name}: {found['difference'][:]}"
            assert np.abs(found["frac"][:] - 1).max() < 1e-5 and np.all(found["peak_frequency_ratio"][:] == 1), name
            assert np.abs(found["peak_amplitude_ratio"][:] * scale - 1).max() < 2e-3, name
    drawn = subprocess.run([os.path.join(sumali.SOURCE, "scripts", "plot"), "measured.h5"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert drawn.returncode == 0 and "r_measured" in drawn.stdout, drawn.stdout + drawn.stderr


def check_words():
    """What is refused, or warned of, with what to do."""
    rows = "[ { name: radians, file: radians.csv, amplitude: 2, phase: 3, quantity: displacement } ]"
    np.savetxt("radians.csv", [[20, 1, 0.1], [40, 1, -3.0]])
    _, told = run("words", RESPONSE.format(measured=rows))
    assert "if they are in rad, say `phase_unit: rad`" in told, told
    np.savetxt("percent.csv", [[0.1, 30, 0.5], [1, 29, 0.8]])
    said, told = run("words", "studies: [ { ring_down: { name: t, backbones: { file: percent.csv, quantity: displacement } } } ]\n")
    assert "a damping ratio of 0.8 is large" in told and "taken for modal ones" in said, told + said
    for more, wanted in (("{ file: tested.uff, values: 1 z }", "key 'scale' is missing: the file says that its unit is 'g' over 'N'"),
                         ("{ file: tested.uff }", "say which function as `values`"),
                         ("{ file: tested.uff, values: 2, real: 2, imaginary: 3 }", "is not said of a universal file"),
                         ("{ file: parts.csv, values: 2, amplitude: 2 }", "chooses a function of a universal file"),
                         ("{ file: parts.csv, amplitude: 2 }", "key 'quantity' is missing")):
        _, told = run("refused", RESPONSE.format(measured=more), expected=2)
        assert wanted in told, f"{more}: {told}"


check_backbones()
check_responses()
check_words()
