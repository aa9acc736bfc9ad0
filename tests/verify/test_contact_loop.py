#!/usr/bin/env python3
"""Contacts moved along paths in three directions, against closed forms and an integration of their equations by scipy; at 1, 2 and 3 ranks.

Smooth faces are a spring k_T that friction holds within mu N: a line gives the loop of Jenkins, a circle of radius R slips for ever with a lag of
asin(r / R), r = mu N / k_T. Under loads that change the stretch w follows Coulomb's law, w' = d' - s', |w| <= r(t), s' along w [Yang, Chu, Menq 1998].
"""
import os
import subprocess
import sys

import h5py
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

sys.dont_write_bytecode = True  # the source folder stays as it is
sys.path.insert(0, os.path.join(os.environ["DOVETAIL_SOURCE"], "tests"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from compare_results import differences, read

import sumali

K_N, K_T, MU, PRELOAD, ROUGH = 4e7, 3e7, 0.3, 200.0, 2e-6
Y = 1e-5
MEAN, CHANGE = 120.0, 100.0  # of the pressing force of `wander` [N]
FACES = f"normal_stiffness: {K_N}, tangential_stiffness: {K_T}, friction: {MU}, preload: {PRELOAD}"
PROPORTION = 0.2  # of the normal motion, -x over y
FADE = 30.0  # [s/m]
POINTS = [[-1e-6, 0, 0], [-1e-6, 1e-5, 0], [2e-5, 1e-5, 3e-6], [-2e-6, 0, 4e-6], [-1e-6, 0, 0], [-1e-6, 1e-5, 0], [2e-5, 1e-5, 3e-6]]
WANDER = "pressing: {mean} N, pressing_change: {{ sine: {{ amplitude: {change} N, frequency: 3, cycles: 3, phase: 0.4 }} }}, " \
    "y: {{ multi_sine: {{ duration: 1, terms: [{{ amplitude: 6e-6, frequency: 1 }}, {{ amplitude: 3e-6, frequency: 3, phase: 1 }}] }} }}, " \
    "z: {{ sine: {{ amplitude: 5e-6, frequency: 2, phase: 1.1 }} }}"
CASE = """laws:
  smooth: {{ law: rough_contact, {faces} }}
  rough: {{ law: rough_contact, roughness: {rough}, {faces} }}
  fading: {{ law: rough_contact_fading, fade: {fade}, {faces} }}
studies:
  - loop: {{ name: line, contact: {{ law: smooth }}, path: {{ y: {{ sine: {{ amplitude: {y}, cycles: 3 }} }} }} }}
  - loop: {{ name: pressed, contact: {{ law: smooth }}, path: {{ pressing: 50 N, z: {{ sine: {{ amplitude: {y}, cycles: 2 }} }} }} }}
  - loop: {{ name: circle, steps: 4000, contact: {{ law: smooth }}, path: {{ y: {{ sine: {{ amplitude: {y} }} }}, z: {{ sine: {{ amplitude: {y}, phase: 0.5*pi }} }} }} }}
  - loop: {{ name: fading, steps: 4000, contact: {{ law: fading }}, path: {{ pressing: {preload}, y: {{ sine: {{ amplitude: {y}, frequency: 100 }} }},
            z: {{ sine: {{ amplitude: {y}, frequency: 100, phase: 0.5*pi }} }} }} }}
  - loop: {{ name: proportional, contact: {{ law: smooth }}, path: {{ x: {{ sine: {{ amplitude: {x}, cycles: 3, phase: pi }} }}, y: {{ sine: {{ amplitude: {y}, cycles: 3 }} }} }} }}
  - loop: {{ name: moment, contact: {{ law: smooth, area: [0.04, 0.02], parts: [4, 2], moment: [0, 1] }}, path: {{ y: {{ sine: {{ amplitude: {y} }} }} }} }}
  - loop: {{ name: open, contact: {{ law: rough, area: [0.04, 0.02], parts: [4, 2], moment: [0.2, 1] }}, period: 0.25,
            path: {{ pressing: 100, pressing_change: {{ sine: {{ amplitude: 100 N, cycles: 1 }} }}, y: {{ sine: {{ amplitude: {y}, cycles: 1 }} }} }} }}
  - loop: {{ name: wander_100, steps: 100, contact: {{ law: rough }}, path: {{ {wander} }} }}
  - loop: {{ name: wander_1000, steps: 1000, contact: {{ law: rough }}, path: {{ {wander} }} }}
  - loop: {{ name: points, steps: 50, contact: {{ law: rough }}, path: {{ ramp: {{ through: {points} }} }} }}
  - loop: {{ name: file, steps: 50, contact: {{ law: rough }}, path: {{ table: {{ file: path.csv, scale: 1e-6 }} }} }}
  - fit_law: {{ name: again, law: {{ law: jenkins }}, find: {{ stiffness: 1e7, slip_force: 30 }}, data: {{ of: line, direction: y }} }}
""".format(faces=FACES, rough=ROUGH, fade=FADE, y=Y, preload=PRELOAD, x=PROPORTION * Y, points=POINTS,
           wander=WANDER.format(mean=MEAN, change=CHANGE))


def run(ranks=1):
    done = subprocess.run(sumali.command("run", "contacts.yaml", ranks=ranks), capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    return done.stdout


def close(actual, expected, tolerance, what):
    error = np.max(np.abs(np.asarray(actual) - expected)) / np.max(np.abs(expected))
    assert error <= tolerance, f"{what}: {actual} is not {expected}, off by {error:.2g}"


class Loop:
    def __init__(self, name):
        with h5py.File("contacts.h5") as file:
            group = file[f"loop/{name}"]
            self.time, self.motion, self.force, self.pressing, self.dissipated, self.share = (
                group[key][:] for key in ("time", "displacement", "force", "pressing", "dissipated", "share"))
            self.cycles = {key: values[:] for key, values in group["cycles"].items()}
            self.parts = {key: values[:] for key, values in group["parts"].items()}
        for values in (self.time, self.motion, self.force, self.pressing, self.dissipated, self.share, *self.cycles.values(), *self.parts.values()):
            assert not np.isnan(values).any(), f"{name} has numbers that were not written"


def load_of(depth, rough=ROUGH):
    """Eq. 2 of Voldrich 2009, and its slope over k_N."""
    t = np.clip(depth / rough, 0, 1)
    return K_N * (rough * (t**3 - t**4 / 2) + np.maximum(depth - rough, 0)), 3 * t**2 - 2 * t**3


def depth_of(load):
    return brentq(lambda depth: load_of(depth)[0] - load, 0, 1e-4, xtol=1e-22, rtol=1e-15) if load > 0 else 0.0


def a_line_gives_the_loop_of_jenkins():
    for name, direction, load in (("line", 1, PRELOAD), ("pressed", 2, 50.0)):
        loop, slip = Loop(name), MU * load
        # samples fall on reversals, and a straight step is exact: round-off of 1200 of them
        close(loop.cycles["dissipated"][1:], 4 * slip * (Y - slip / K_T), 1e-12, f"{name}: energy of a cycle")
        close(loop.cycles["peak_friction"], slip, 1e-12, f"{name}: largest force")
        close(loop.cycles["work"][-1, direction], 4 * slip * (Y - slip / K_T), 3e-4, f"{name}: work")  # Simpson's rule over the onset of slip
        assert np.all(loop.cycles["opening"] < 1e-18)
        sticks = 2 * np.arccos(1 - 2 * slip / K_T / Y) / (2 * np.pi)  # the motion of 2 r from each reversal on
        close(loop.cycles["share"][-1], [0, sticks, 1 - sticks], 1.3e-2, f"{name}: shares")  # 4.2e-3: two onsets within steps of 1/400
        close(loop.pressing, load, 1e-13, f"{name}: pressing force")
    # normal motion of smooth faces: preload less load over k_N
    close(Loop("pressed").motion[:, 0], (PRELOAD - 50) / K_N, 1e-13, "normal motion under a force")


def a_circle_slips_behind_the_motion():
    loop, reach = Loop("circle"), MU * PRELOAD / K_T
    last = loop.time > 1.2  # it is steady by then: what was at the start falls by exp(- R / r) in a radian
    way = loop.motion[last, 1] + 1j * loop.motion[last, 2]
    velocity = -1j * way  # y = sin, z = cos
    lag = np.angle(loop.force[last, 1] + 1j * loop.force[last, 2]) - np.angle(velocity)
    close(np.abs((lag + np.pi) % (2 * np.pi) - np.pi), np.arcsin(reach / Y), 5e-5, "lag of friction")  # chords of 4000 steps: 1e-5
    close(loop.cycles["dissipated"][-1], 2 * np.pi * Y * MU * PRELOAD * np.sqrt(1 - (reach / Y) ** 2), 1e-6, "energy of a circle")
    close(loop.cycles["share"][-1], [0, 0, 1], 1e-12, "slip all the time")


def friction_that_fades_follows_the_speed_of_slip():
    """On a circle |s'| = omega (R^2 - r^2)^(1/2), r = mu(|s'|) N / k_T."""
    loop, omega = Loop("fading"), 2 * np.pi * 100
    reach = brentq(lambda r: r - MU / (1 + FADE * omega * np.sqrt(Y**2 - r**2)) * PRELOAD / K_T, 0, 0.999 * Y)
    last = loop.time > 0.012
    close(np.hypot(*loop.force[last, 1:].T), K_T * reach, 3e-7, "force of fading friction")


def a_load_in_proportion_to_the_motion_tilts_the_loop():
    """Slip lines mu (N_0 + a y), joined by lines of slope k_T: the area between."""
    loop, a, mn = Loop("proportional"), K_N * PROPORTION, MU * PRELOAD
    top, bottom = mn + MU * a * Y, -(mn - MU * a * Y)
    down = (K_T * Y - top - mn) / (K_T + MU * a)  # where slip begins on the way down, and up
    up = (mn - bottom - K_T * Y) / (K_T - MU * a)
    corners = np.array([[Y, top], [down, -mn - MU * a * down], [-Y, bottom], [up, mn + MU * a * up]])
    after = np.roll(corners, -1, axis=0)
    area = 0.5 * abs(np.sum(corners[:, 0] * after[:, 1] - corners[:, 1] * after[:, 0]))
    close(loop.cycles["dissipated"][1:], area, 1e-11, "energy under a load in proportion")
    close([loop.force[:, 1].max(), loop.force[400:, 1].min()], [top, corners[1, 1]], 5e-3, "largest and least friction")  # 1e-3: corners between samples
    close(loop.pressing, PRELOAD - K_N * loop.motion[:, 0], 1e-12, "pressing force")


def a_moment_presses_parts_each_by_its_own():
    """M_z = - sum y F: smooth parts are pressed by N / n - M y / sum y^2, and each is a Jenkins element."""
    loop = Loop("moment")
    y = loop.parts["y"]
    load = PRELOAD / 8 - y / np.sum(y**2)
    close(loop.parts["pressing"], load, 1e-12, "loads of the parts")
    slip, stiffness = MU * load, K_T / 8
    close(loop.cycles["dissipated"][1], np.sum(4 * slip * (Y - slip / stiffness)), 1e-12, "energy of an area")
    close(np.sum(loop.parts["dissipated"]), loop.dissipated[-1], 1e-13, "energy of all parts")


def faces_open_where_nothing_presses():
    loop = Loop("open")
    given = 100 + 100 * np.sin(2 * np.pi * loop.time)
    # 1e-12 of the largest force: the preload and its distribution (1e-12) are subtracted
    assert np.abs(loop.pressing - given).max() <= 1e-9, f"off by {np.abs(loop.pressing - given).max():.2g} N"
    least = np.argmin(given)
    assert loop.share[least, 0] == 1 and loop.pressing[least] == 0, "all parts are open where nothing presses"
    assert 0 < loop.share[least - 20, 0] < 1, "the moment opens parts before others"
    close(loop.cycles["begin"], [0, 0.25, 0.5, 0.75], 1e-12, "cycles of a given period")


def reach_of(time):
    """Of rough faces under the load of that moment: stiffness k_T h, reach mu F_N / (k_T h), and depth."""
    load = MEAN + CHANGE * np.sin(6 * np.pi * time + 0.4)
    depth = depth_of(load)
    hold = K_T * load_of(depth)[1]
    return hold, MU * load / hold, depth, load


def way_of(time):
    y = 6e-6 * np.sin(2 * np.pi * time) + 3e-6 * np.sin(6 * np.pi * time + 1)
    z = 5e-6 * np.sin(4 * np.pi * time + 1.1)
    return np.array([y, z])


def velocity_of(time):
    y = 6e-6 * 2 * np.pi * np.cos(2 * np.pi * time) + 3e-6 * 6 * np.pi * np.cos(6 * np.pi * time + 1)
    z = 5e-6 * 4 * np.pi * np.cos(4 * np.pi * time + 1.1)
    return np.array([y, z])


def reach_rate(time):
    """r' by r as a function of the depth, r = (mu / k_T) F_N / h and u' = F_N' / (k_N h)."""
    hold, reach, depth, load = reach_of(time)
    rate, share = CHANGE * 6 * np.pi * np.cos(6 * np.pi * time + 0.4), hold / K_T
    t = min(depth / ROUGH, 1)
    slope = 6 * t * (1 - t) / ROUGH
    return MU / K_T * (rate / share - load * slope / share**2 * rate / (K_N * share))


def wander(times):
    """The stretch by events: it sticks, w' = d', until |w| = r; it slips, w = r n, while n . d' >= r'."""
    def sticks(time, w):
        return velocity_of(time)

    def slips(time, w):
        n, d = w / np.hypot(*w), velocity_of(time)
        across = d - np.dot(d, n) * n
        return across + reach_rate(time) * n

    def begins(time, w):
        return np.hypot(*w) - reach_of(time)[1]

    def ends(time, w):
        return np.dot(w / np.hypot(*w), velocity_of(time)) - reach_rate(time)

    begins.terminal = ends.terminal = True
    begins.direction, ends.direction = 1, -1
    at, w, slipping, found = 0.0, way_of(0), False, np.empty((len(times), 2))
    if np.hypot(*w) > reach_of(0)[1]:  # straight from rest to where the path begins
        w, slipping = w / np.hypot(*w) * reach_of(0)[1], True
    slipping = slipping and ends(0, w) > 0
    while at < times[-1]:
        piece = solve_ivp(slips if slipping else sticks, (at, times[-1]), w, events=ends if slipping else begins, rtol=1e-10, atol=1e-18, dense_output=True)
        inside = (times >= at) & (times <= piece.t[-1])
        found[inside] = piece.sol(times[inside]).T
        at, w, slipping = piece.t[-1], piece.y[:, -1], not slipping
    return found


def any_way_agrees_with_an_integration():
    errors = []
    for name in ("wander_100", "wander_1000"):
        loop = Loop(name)
        states = [reach_of(time) for time in loop.time]
        close(loop.pressing, [state[3] for state in states], 1e-12, f"{name}: pressing force")
        close(loop.motion[:, 0], [depth_of(PRELOAD) - state[2] for state in states], 1e-12, f"{name}: normal motion")
        expected = np.array([state[0] for state in states])[:, None] * wander(loop.time)
        assert 0.05 < loop.share[:, 1].mean() < 0.9, "it both sticks and slips"
        errors.append(np.abs(loop.force[:, 1:] - expected).max() / np.abs(expected).max())
    # 5.5e-4 and 5.9e-6: of second order in the step
    assert errors[0] <= 2e-3 and errors[1] <= 2e-5, f"wander: off by {errors}"


def a_file_is_the_points_it_goes_through():
    points, file = Loop("points"), Loop("file")
    for key in ("motion", "force", "dissipated"):
        corner = [np.argmin(np.abs(points.time - time)) for time in np.loadtxt("path.csv")[:, 0]]
        same = [np.argmin(np.abs(file.time - time)) for time in np.loadtxt("path.csv")[:, 0]]
        close(getattr(file, key)[same], getattr(points, key)[corner], 2e-3, f"{key} of a file")  # 6.6e-4 of the energy: other steps between the points
    close(points.cycles["begin"], [np.loadtxt("path.csv")[1, 0]], 1e-12, "a cycle begins at a point that is passed again")
    assert points.cycles["opening"][0] == 0 and len(file.cycles["begin"]) == 0


def a_law_is_found_from_one_direction():
    with h5py.File("contacts.h5") as file:
        found = {plain.decode(): value for plain, value in zip(file["fit_law/again/names"][:], file["fit_law/again/value"][:])}
    close([found["stiffness"], found["slip_force"]], [K_T, MU * PRELOAD], 1e-6, "a law that is fitted to a contact")


def write_path():
    """The times of the ramp at 1 m/s, in micrometres."""
    places = np.vstack([[0, 0, 0], POINTS])
    times = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
    np.savetxt("path.csv", np.column_stack([times, 1e6 * places]))


def main():
    write_path()
    with open("contacts.yaml", "w") as file:
        file.write(CASE)
    printed = run()
    assert "no cycle: a file does not say where one begins" in printed
    a_line_gives_the_loop_of_jenkins()
    a_circle_slips_behind_the_motion()
    friction_that_fades_follows_the_speed_of_slip()
    a_load_in_proportion_to_the_motion_tilts_the_loop()
    a_moment_presses_parts_each_by_its_own()
    faces_open_where_nothing_presses()
    any_way_agrees_with_an_integration()
    a_file_is_the_points_it_goes_through()
    a_law_is_found_from_one_direction()
    alone = read("contacts.h5")
    for ranks in (2, 3):
        run(ranks)
        assert not differences(alone, read("contacts.h5")), f"{ranks} ranks give another result"


main()
