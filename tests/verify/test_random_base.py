"""Random loads of a spectrum, and the spectra of what they move: closed forms of one degree of freedom, scipy's Welch, the statistics of samples."""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np
import scipy.signal

import sumali

MASS, STIFFNESS, DAMPING, DENSITY = 2.0, 8e4, 80.0, 0.5
OMEGA, ZETA = np.sqrt(STIFFNESS / MASS), DAMPING / (2 * np.sqrt(STIFFNESS * MASS))
SEEDS, DURATION, STEP, HIGHEST = 16, 20.0, 5e-4, 300.0
TEXT = f"""masses: {{table: {{mass: 0}}, block: {{mass: {MASS}}}}}
springs: [{{between: [table, block], stiffness: {STIFFNESS}}}]
dampers: [{{between: [table, block], damping: {DAMPING}}}]
moving_supports: [{{point: table}}]
studies:
"""


def run(name, text, ranks=1):
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run(sumali.command("run", name + ".yaml", ranks=ranks), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + done.stdout
    return h5py.File(name + ".h5")


def transient(name, seed, where, more=""):
    load = f"random: {{{where}, spectrum: [[0.5, {DENSITY}], [{HIGHEST}, {DENSITY}]], duration: {DURATION}, seed: {seed}}}"
    return f"  - transient: {{name: {name}, time_step: {STEP}, steps: {int(DURATION / STEP)}, every: 2, load: {{{load}}}{more}}}\n"


def response_to_white_noise():
    """rms of the relative displacement, sigma^2 = pi S0 / (2 zeta omega^3) = G / (8 zeta omega^3) (Crandall and Mark 1963), within the error that is
    told, which is that of the samples among each other; and the density, G |H|^2."""
    text = TEXT
    for seed in range(SEEDS):
        text += transient(f"t{seed}", seed, "base: x", ", watch: {points: [block]}")
        text += f"  - spectrum: {{name: s{seed}, of: t{seed}, quantity: displacement, from: 1, segment: 2}}\n"
    result = run("base", text)
    groups = [result[f"spectrum/s{seed}/t{seed}/block"] for seed in range(SEEDS)]
    rms, error = (np.array([g[key][0] for g in groups]) for key in ("rms", "rms_error"))
    exact = np.sqrt(DENSITY / (8 * ZETA * OMEGA**3))
    away = (rms - exact) / error
    assert np.max(np.abs(away)) <= 4.0, away  # of 16 normal numbers
    assert abs(np.mean(away)) <= 4.0 / SEEDS**0.5, away
    spread = np.std(rms, ddof=1) / np.mean(error)
    assert 0.5 <= spread <= 1.6, spread  # chi of 15 degrees of freedom: 0.5 to 1.6 at 99.9 %
    frequency = groups[0]["frequency"][()]
    density = np.mean([g["density"][:, 0] for g in groups], axis=0)
    some = (frequency > 10) & (frequency < 60)
    omega = 2 * np.pi * frequency[some]
    expected = DENSITY / np.abs(OMEGA**2 - omega**2 + 2j * ZETA * OMEGA * omega) ** 2
    # 16 times 18 segments: 6 % each line, and Hann's window flattens the peak by 3 %.
    assert np.max(np.abs(density[some] / expected - 1.0)) <= 0.3
    assert abs(np.mean(density[some] / expected) - 1.0) <= 0.04


def a_moved_support_and_welch():
    """The table has the spectrum that was asked for, up to its highest frequency; scipy finds the same density from its record; alike on two ranks."""
    text = TEXT + transient("t", 3, "acceleration: table", ", watch: {points: [table, block]}, runs: [{level: [1, 2]}]") + "  - spectrum: {of: t, from: 0.5, segment: 1.5}\n"
    result = run("table", text)
    group = result["spectrum/spectrum/t_1/table"]
    values = result["transient/t_1/points/table/acceleration"][int(0.5 / (2 * STEP)) :, 0]
    frequency, density = scipy.signal.welch(values, fs=0.5 / STEP, window="hann", nperseg=1500, detrend="constant")
    assert np.max(np.abs(group["frequency"][()] - frequency)) <= 1e-9
    assert np.max(np.abs(group["density"][:, 0] - density)) <= 1e-10 * np.max(density)
    assert abs(group["rms"][0] - np.std(values)) <= 1e-12 * group["rms"][0]
    whole = np.sqrt(DENSITY * (HIGHEST - 0.5))
    assert abs(group["rms"][0] - whole) <= 4 * group["rms_error"][0] and group["rms_error"][0] < 0.01 * whole
    for edge in (slice(3, 225), slice(225, 448)):  # lower and upper half of the band
        assert abs(np.mean(density[edge]) / DENSITY - 1.0) <= 0.06
    absolute = np.sqrt(DENSITY * OMEGA * (1 + 4 * ZETA**2) / (8 * ZETA))
    block = result["spectrum/spectrum/t_1/block"]
    assert abs(block["rms"][0] - absolute) <= 4 * block["rms_error"][0]
    assert [unit.decode() for unit in result["transient/t_1/loads/units"]] == ["m/s^2"]
    kept = run("kept", text.replace("watch: {", "keep: {from: 0.3}, watch: {"))["spectrum/spectrum/t_1/table"]  # `from` is a time of the run
    assert kept.attrs["from"] == group.attrs["from"] and kept["rms"][0] == group["rms"][0] and kept["density"][7, 0] == group["density"][7, 0]
    spread = run("spread", text, ranks=2)
    for path in ("spectrum/spectrum/t_2/block/density", "transient/t_2/points/table/displacement"):
        assert np.max(np.abs(spread[path][()] - result[path][()])) <= 1e-12 * np.max(np.abs(result[path][()]))


def uniform(state):
    """splitmix64, within (0, 1)."""
    mask = (1 << 64) - 1
    state[0] = z = (state[0] + 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return (((z ^ (z >> 31)) >> 11) + 0.5) * 2.0**-53


def lines(seed, duration, lowest, highest, density):
    """omega, A and B of A cos + B sin: normal, of variance density / duration; those below the lowest take their numbers, too."""
    state, found = [seed], []
    for k in range(1, int(round(highest * duration)) + 1):
        radius, angle = np.sqrt(-2 * np.log(uniform(state))), 2 * np.pi * uniform(state)
        if k / duration >= lowest:
            found.append((2 * np.pi * k / duration, *(np.sqrt(density / duration) * radius * np.array([np.cos(angle), np.sin(angle)]))))
    return np.array(found).T


def a_table_that_is_shaken_does_not_drift():
    """Its displacement is the sum of -a_k / omega_k^2 of its lines, but for the periods of the lowest line in which it starts and ends."""
    duration, lowest, highest, seed, start = 4.0, 2.0, 100.0, 7, 0.25
    text = TEXT
    for given in ("acceleration", "velocity"):
        load = f"random: {{{given}: table, spectrum: [[{lowest}, {DENSITY}], [{highest}, {DENSITY}]], duration: {duration}, seed: {seed}, start: {start}}}"
        text += f"  - transient: {{name: {given}, time_step: 2.5e-4, steps: 20000, load: {{{load}}}, watch: {{points: [table, block]}}}}\n"
    result = run("shaken", text)
    omega, a, b = lines(seed, duration, lowest, highest, DENSITY)
    for given, rates in (("acceleration", 2), ("velocity", 1)):
        time = result[f"transient/{given}/time"][()]
        motion = {key: result[f"transient/{given}/points/table/{key}"][:, 0] for key in ("displacement", "velocity", "acceleration")}
        inside = (time > start + 0.5) & (time < start + duration - 0.5)
        angle = np.outer(time[inside] - start, omega)
        turned = {2: -(a * np.cos(angle) + b * np.sin(angle)) / omega**2, 1: (a * np.sin(angle) - b * np.cos(angle)) / omega}[rates].sum(axis=1)
        # 1.3e-7 and 4.0e-5: straight lines between 16 samples of the highest period have images, which integration makes smaller
        assert np.max(np.abs(motion["displacement"][inside] - turned)) <= (5e-7 if rates == 2 else 1.5e-4) * np.max(np.abs(turned)), given
        outside = (time <= start) | (time >= start + duration)
        for key in ("displacement", "velocity")[:rates]:
            assert np.all(motion[key][outside] == 0), f"{given}: {key} at rest before and after"
            change = np.abs(np.diff(motion[key]))
            assert np.max(change) <= 1.05 * 2.5e-4 * np.max(np.abs(motion[{"displacement": "velocity", "velocity": "acceleration"}[key]])), f"{key} jumps"
        # it starts and ends with no more than it has in between; by one pulse for all lines it was 2.8
        assert np.max(np.abs(motion["displacement"])) <= 1.001 * np.max(np.abs(turned)), given
        if rates == 2:  # derivatives of each other, pulses included; to the second order in the step
            for key, rate in (("displacement", "velocity"), ("velocity", "acceleration")):
                by_difference = np.gradient(motion[key], time)
                some = (time > start + 1e-3) & (time < start + duration - 1e-3)
                assert np.max(np.abs(by_difference - motion[rate])[some]) <= 2e-2 * np.max(np.abs(motion[rate])), key
            at_ends = np.sqrt(np.mean(motion["acceleration"][~inside & ~outside] ** 2)) / np.sqrt(DENSITY * (highest - lowest))
            assert 0.8 < at_ends < 1.2, f"{at_ends}: the pulses take little of the acceleration"  # 0.98
    block = result["transient/acceleration/points/block/displacement"][:, 0]
    assert np.abs(block[-1000:]).max() < 1e-4 * np.abs(block).max(), "the block comes to rest where it was"  # 1e-6, by its damping


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        response_to_white_noise()
        a_moved_support_and_welch()
        a_table_that_is_shaken_does_not_drift()
