"""checks.py - the beam of case.yaml beside what we did not write: the transcendental equation of the paper's appendix (A18), and its equations 36
and 37 integrated by scipy, branch by branch. scripts/reproduce jalali2022 does its sections 4.2, 5.2 and 5.3 with these."""
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

LENGTH, WIDTH, THICKNESS, YOUNG, DENSITY = 0.4, 0.1, 0.007, 200e9, 7850.0  # inferred: README.md
AREA, INERTIA = WIDTH * THICKNESS, WIDTH * THICKNESS**3 / 12
HALF = LENGTH / 2
TABLE_6 = {"k_w": 3.33e8, "a1": -2175.3, "a2": 2.70e5, "a3": 273.2, "a4": 0.314, "k_n": 7.13e4}
TABLE_7 = {"k_theta": 22089.0, "M": 0.06912, "J": 16.011e-5}
FORCE, FREQUENCIES = 4e3, (7, 15, 20, 25)  # [N], [Hz]
DAMPING = 0.02  # that of the case, in each mode
SLIP_FORCE = TABLE_6["k_w"] / TABLE_6["k_n"]
HIGHEST, SCAN = 1100.0, 4000  # [Hz] as far as frequencies are looked for, in so many steps


class Section:
    """Motions and forces at x of the four solutions of E I w'''' + rho I omega^2 w'' - rho A omega^2 w = 0, [omega, 4]: A15 and its derivatives.
    Without the rotary inertia rho I this is A3, with the sign of the errata."""

    def __init__(self, omega, x, rotary):
        rolling, stiffness = rotary * DENSITY * INERTIA * omega**2, YOUNG * INERTIA
        root = np.sqrt(rolling**2 + 4 * stiffness * DENSITY * AREA * omega**2)
        a, b = np.sqrt((root + rolling) / (2 * stiffness)), np.sqrt((root - rolling) / (2 * stiffness))
        sin, cos, sinh, cosh = np.sin(a * x), np.cos(a * x), np.sinh(b * x), np.cosh(b * x)
        self.motion = np.stack([sin, cos, sinh, cosh], -1)
        self.slope = np.stack([a * cos, -a * sin, b * cosh, b * sinh], -1)
        self.moment = stiffness * np.stack([-a**2 * sin, -(a**2) * cos, b**2 * sinh, b**2 * cosh], -1)
        third = np.stack([-(a**3) * cos, a**3 * sin, b**3 * cosh, b**3 * sinh], -1)
        self.shear = stiffness * third + rolling[..., None] * self.slope  # E I w''' where nothing rolls


def conditions(omega, rotary=True, k_w=TABLE_6["k_w"], k_theta=TABLE_7["k_theta"], M=TABLE_7["M"], J=TABLE_7["J"]):
    """The matrix of A18, [omega, 8, 8], each row by its largest entry."""
    omega = np.atleast_1d(np.asarray(omega, float))
    root, joint, tip = (Section(omega, x, rotary) for x in (0.0, HALF, LENGTH))
    mass, roll, nothing = (omega**2 * M)[:, None], (omega**2 * J)[:, None], np.zeros((len(omega), 4))
    rows = [(root.motion, nothing), (root.slope, nothing), (nothing, tip.moment), (nothing, tip.shear),
            (joint.shear + (mass - k_w) * joint.motion, k_w * joint.motion),
            (joint.moment + (k_theta - roll) * joint.slope, -k_theta * joint.slope),
            (-k_w * joint.motion, joint.shear + (k_w - mass) * joint.motion),
            (k_theta * joint.slope, joint.moment + (roll - k_theta) * joint.slope)]
    matrix = np.stack([np.concatenate(row, -1) for row in rows], 1)
    return matrix / np.abs(matrix).max(2, keepdims=True)


def frequencies(count, **parameters):
    """The lowest [Hz] at which A18 has a solution."""
    def determinant(omega):
        return np.linalg.det(conditions(omega, **parameters))

    scan = 2 * np.pi * np.linspace(1, HIGHEST, SCAN)
    changes = np.flatnonzero(np.diff(np.sign(determinant(scan))))
    return np.array([brentq(lambda omega: determinant(omega)[0], scan[i], scan[i + 1], xtol=1e-9) for i in changes[:count]]) / (2 * np.pi)


def solution(frequency, **parameters):
    """What solves A18 there: c1 and c2 of A13 and A14."""
    return np.linalg.svd(conditions(2 * np.pi * frequency, **parameters)[0])[2][-1].reshape(2, 4)


def ends(frequency):
    """Of the mode at this frequency, lateral motions of both sides of the joint and of the tip, by that of the tip."""
    inner, outer = solution(frequency)
    joint, tip = (Section(np.array([2 * np.pi * frequency]), x, True).motion[0] for x in (HALF, LENGTH))
    return np.array([joint @ inner, joint @ outer, tip @ outer]) / (tip @ outer)


def assumed_mode(frequency):
    """omega and b3 [kg^-1/2] of a mode of unit modal mass, with k_w = 0 (errata). At no frequency it is the translation of the outer half, which
    nothing holds sideways. Otherwise Gauss's rule sums the mass, with the flanges (errata)."""
    if frequency == 0:
        return 0.0, -1 / np.sqrt(DENSITY * AREA * HALF + TABLE_7["M"])
    omega = np.array([2 * np.pi * frequency])
    nodes, weights = np.polynomial.legendre.leggauss(40)
    mass, at_joint = 0.0, Section(omega, HALF, True)
    halves = solution(frequency, k_w=0.0)
    for begin, half in zip((0.0, HALF), halves):
        beam = Section(omega, begin + HALF * (nodes[:, None] + 1) / 2, True)
        mass += HALF / 2 * DENSITY * weights @ (AREA * (beam.motion[:, 0] @ half)**2 + INERTIA * (beam.slope[:, 0] @ half)**2)
        mass += TABLE_7["M"] * (at_joint.motion[0] @ half)**2 + TABLE_7["J"] * (at_joint.slope[0] @ half)**2
    return omega[0], float(at_joint.motion[0] @ (halves[0] - halves[1])) / np.sqrt(mass)


def assumed_modes(count):
    """omega and b3 of the lowest; the paper takes one."""
    return np.array([assumed_mode(f) for f in (0.0, *frequencies(count - 1, k_w=0.0))]).T


def damping_of(omega, jump):
    """The damping matrix of the case: DAMPING in each mode of the stuck structure."""
    square, shapes = np.linalg.eigh(np.diag(omega**2) + TABLE_6["k_w"] * np.outer(jump, jump))
    return shapes * 2 * DAMPING * np.sqrt(square) @ shapes.T


def slope(sense, x, v):
    """What eq. 37 has besides - sense k_n N, of a symmetric joint: P backwards is that of the opposite motion."""
    s = sense
    return TABLE_6["k_w"] + TABLE_6["a1"] * s * x + TABLE_6["a2"] * s * v + TABLE_6["a3"] * v**2 + TABLE_6["a4"] * s * v**3


def reconstruct(frequency, modes, periods=3, samples=1000):
    """The last period of eqs 36 and 37: eta and N, with one mode as in the paper or with several. Between two reversals the equations are
    smooth, so every reversal begins a new integration."""
    omega, jump = assumed_modes(modes)
    damping, speed = damping_of(omega, jump), 2 * np.pi * frequency
    times = np.arange((periods - 1) * samples, periods * samples + 1) / (samples * frequency)
    q, v = slice(0, modes), slice(modes, 2 * modes)
    begin, state, sense, pieces = 0.0, np.zeros(2 * modes + 1), 1.0, []
    while begin < times[-1]:
        def rates(time, y, s=sense):
            eta, rate = jump @ y[q], jump @ y[v]
            push = jump * (FORCE * np.sin(speed * time) - y[-1]) - damping @ y[v] - omega**2 * y[q]
            return np.array([*y[v], *push, (slope(s, eta, rate) - s * TABLE_6["k_n"] * y[-1]) * rate])

        def reversal(time, y, s=sense):
            return s * (jump @ y[v])

        reversal.terminal, reversal.direction = True, -1
        done = solve_ivp(rates, (begin, times[-1]), state, method="LSODA", rtol=1e-8, atol=1e-13, events=reversal, dense_output=True)
        covered = times[(times >= begin) & (times < done.t[-1])] if done.status else times[times >= begin]
        if covered.size:
            pieces.append(np.stack([jump @ done.sol(covered)[q], done.sol(covered)[-1]]))
        begin, state, sense = done.t[-1], done.y[:, -1], -sense
    return np.hstack(pieces)


def half_width(x):
    return float(np.ptp(x) / 2)


def area(x, force):
    """The work of a cycle; samples close the loop."""
    return float(np.sum((force[1:] + force[:-1]) * np.diff(x)) / 2)


def closed_form():
    """Half-width and area of eq. 37 without a1 to a4, where nothing has mass: N approaches k_w / k_n along exp(-k_n eta)."""
    width = np.log((SLIP_FORCE + FORCE) / (SLIP_FORCE - FORCE)) / TABLE_6["k_n"]
    return width / 2, 2 * (SLIP_FORCE * width - 2 * FORCE / TABLE_6["k_n"])


def last_cycle(result, frequency, direction="y"):
    """eta, opposite to what the joint is stretched by, and N."""
    run = result[f"transient/at_{frequency}_hz"]
    time = run["time"][:]
    last = slice(len(time) - 1 - int(round(1 / frequency / (time[1] - time[0]))), len(time))
    return tuple(-run[f"joints/contact/{direction}/{key}"][last] for key in ("displacement", "force"))


def motions_of(result, mode):
    """Of the mode, as `ends` has them."""
    names = [name.decode() for name in result["system/motions"]]
    return result["modes/stuck/shape"][[names.index(f"{point} y") for point in ("inner_end", "outer_end", "tip")], mode - 1]


def measure(result):
    found = {}
    hertz = result["modes/stuck/omega"][:3] / (2 * np.pi)
    for mode, (computed, expected) in enumerate(zip(hertz, frequencies(3)), 1):
        found[f"mode {mode}, frequency by A18"] = computed / expected
        found[f"mode {mode}, without rotary inertia"] = computed / frequencies(3, rotary=False)[mode - 1]
        motion = motions_of(result, mode)
        found[f"mode {mode}, motions by A18"] = float(np.abs(motion / motion[2] - ends(expected)).max())
    width, work = closed_form()
    for frequency in FREQUENCIES:
        x, force = last_cycle(result, frequency)
        found[f"{frequency} Hz, half-width"], found[f"{frequency} Hz, area"] = half_width(x), area(x, force)
        found[f"{frequency} Hz, half-width by the closed form"] = half_width(x) / width
        found[f"{frequency} Hz, area by the closed form"] = area(x, force) / work
    modal_x, modal_force = reconstruct(FREQUENCIES[-1], 4)  # the quickest
    found["25 Hz, motion by four modes"] = float(np.abs(x - modal_x).max() / half_width(modal_x))
    found["25 Hz, force by four modes"] = float(np.abs(force - modal_force).max() / FORCE)
    found["25 Hz, area by four modes"] = area(x, force) / area(modal_x, modal_force)
    return found
