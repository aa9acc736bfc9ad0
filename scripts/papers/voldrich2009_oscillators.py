"""voldrich2009_oscillators.py - section 4.1 of voldrich2009: one mass, eq. 14, at four frequencies; figure 6.

Normalised as in the paper: m = c = A = 1, time is tau. A stop is a phase of stick longer than half a period of the stuck oscillator,
pi / (1 + k_T/c)^(1/2); slips shorter than a period of it are its rebound, and belong to the stop. So the turn of the force at a reversal, where
the massless spring moves by 2 mu F_N0 / k_T, is no stop. Eq. 14 has sign(dv/dtau) where it is printed with sign(v) (errata).
"""
import numpy as np

from .rows import Row

RATIOS = (0.75, 0.5, 0.25, 0.15)  # eta
DAMPING, STIFFNESS, LIMIT = 0.05, 100.0, 0.5
STEP, STEPS, EVERY = 2 * np.pi / 3 / 1000, 140000, 4  # 4 to 20 thousand steps are a period; exp(-D tau) is 4e-7 in the end
STUCK_PERIOD = 2 * np.pi / np.sqrt(1 + STIFFNESS)
STIFF = 1e4  # k_T/c of a mass that is compared with rigid friction
KINDS = ("contact", "jenkins")
STEP_ERROR = "Newmark's rule with a step of 1/300 of the stuck oscillator's period"


def name_of(kind, ratio):
    return f"{kind}_{round(100 * ratio)}"


def case_of_oscillators():
    """Each ratio twice: with a contact under constant load, and with Jenkins' element, which it then is; and one that is much stiffer."""
    names = {name_of(kind, ratio): (kind, ratio) for kind in KINDS for ratio in RATIOS}
    names[name_of("stiff", RATIOS[0])] = ("stiff", RATIOS[0])
    laws = {"contact": {"law": "rough_contact", "normal_stiffness": STIFFNESS, "tangential_stiffness": STIFFNESS, "friction": LIMIT, "preload": 1.0},
            "jenkins": {"law": "jenkins", "stiffness": STIFFNESS, "slip_force": LIMIT}, "stiff": {"law": "jenkins", "stiffness": STIFF, "slip_force": LIMIT}}
    acts = {"contact": {"contact": {"law": "contact"}}, "jenkins": {"y": "jenkins"}, "stiff": {"y": "stiff"}}
    load = [{"harmonic": {"point": name, "amplitude": 1.0, "frequency": float(ratio / (2 * np.pi))}} for name, (_, ratio) in names.items()]
    transient = {"name": "steady", "time_step": float(STEP), "steps": STEPS, "every": EVERY, "load": load, "watch": {"points": "all", "joints": "all", "energy": False}}
    return {"title": "A friction oscillator at four frequencies, eq. 14 (Voldrich 2009)",
            "masses": {name: {"mass": 1.0, "directions": ["y"]} for name in names},
            "springs": [{"between": ["ground", name], "direction": "y", "stiffness": 1.0} for name in names],
            "dampers": [{"between": ["ground", name], "direction": "y", "damping": 2 * DAMPING} for name in names],
            "laws": laws, "joints": {name: {"between": ["ground", name], **acts[kind]} for name, (kind, _) in names.items()},
            "studies": [{"transient": transient}]}


def stick_phases(time, sticks, period):
    """Begin and end of each, in a cycle that goes round: it begins amid slip, or all of it sticks."""
    turns = np.flatnonzero(~sticks)
    if len(turns) == 0:
        return [(0.0, period)]
    sticks = np.roll(sticks, -turns[0])
    edges = np.flatnonzero(np.diff(sticks.astype(int), append=0))
    return [(time[begin], time[end]) for begin, end in zip(edges[::2], edges[1::2])]


def count_stops(phases, period):
    """Of a cycle, in the sense of above."""
    whole = []
    for begin, end in phases:
        if whole and begin - whole[-1][1] < STUCK_PERIOD:
            whole[-1][1] = end
        else:
            whole.append([begin, end])
    if len(whole) > 1 and whole[0][0] + period - whole[-1][1] < STUCK_PERIOD:
        whole[0][0] = whole.pop()[0] - period
    return sum(end - begin > STUCK_PERIOD / 2 for begin, end in whole)


def den_hartog(ratio):
    """Amplitude of a mass that never stops, with rigid friction (Den Hartog 1931)."""
    root = np.sqrt(1 - DAMPING**2)
    growth, angle = DAMPING * np.pi / ratio, root * np.pi / ratio
    below = np.cosh(growth) + np.cos(angle)
    along = (np.sinh(growth) - DAMPING / root * np.sin(angle)) / below
    across = np.sin(angle) / (ratio * root * below)
    free = 1 / np.hypot(1 - ratio**2, 2 * DAMPING * ratio)
    return -along * LIMIT + np.sqrt(free**2 - (across * LIMIT) ** 2)


class Steady:
    """The last cycle of a mass."""

    def __init__(self, group, kind, ratio):
        name = name_of(kind, ratio)
        count = round(2 * np.pi / ratio / STEP / EVERY)
        last = slice(len(group["time"]) - count, None)
        self.ratio, self.period = ratio, 2 * np.pi / ratio
        self.tau = np.arange(count) * EVERY * STEP
        self.sine = np.sin(ratio * group["time"][last])
        self.motion, self.velocity = (group[f"points/{name}/{of}"][last, 0] for of in ("displacement", "velocity"))
        self.force = group[f"joints/{name}/y/force"][last]
        self.sticks = np.abs(self.force) < LIMIT * (1 - 1e-9)
        self.stops = count_stops(stick_phases(self.tau, self.sticks, self.period), self.period)

    @property
    def amplitude(self):
        return np.ptp(self.motion) / 2


class Oscillators:
    """What dovetail and scipy have computed of them."""

    def __init__(self, result, tools):
        group = result.file["transient/steady"]
        self.found = {kind: {ratio: Steady(group, kind, ratio) for ratio in RATIOS} for kind in KINDS}
        self.stiff = Steady(group, "stiff", RATIOS[0])
        self.reference = {ratio: self.integrate(tools, ratio) for ratio in RATIOS}

    @staticmethod
    def integrate(tools, ratio):
        """Amplitude, share of the cycle that sticks, and stops, from event to event by scipy."""
        rubbing = tools.Rubbing([1 / (2 * np.pi)], DAMPING, [1.0], 0.0, [1.0], STIFFNESS, 0.0, LIMIT, 1.0, 1.0, ratio / (2 * np.pi))
        log = rubbing.closed_cycle(cycles=6)
        phases = [(begin - log[0][0], end - log[0][0]) for begin, end, phase, _ in log if phase == tools.STICK]
        amplitude = np.ptp(rubbing.along(log, rubbing.pushed)) / 2
        return amplitude, sum(end - begin for begin, end in phases) / rubbing.period, count_stops(phases, rubbing.period)

    def rows(self):
        for ratio, steady in self.found["contact"].items():
            amplitude, sticking, stops = self.reference[ratio]
            at = f"eta = {ratio}"
            yield Row("fig. 6", f"{at}: amplitude of v by scipy's, from event to event", 1, steady.amplitude / amplitude, 2e-4, STEP_ERROR)
            yield Row("fig. 6", f"{at}: share of the cycle that sticks, less scipy's", 0, steady.sticks.mean() - sticking, 2e-3,
                      "two samples of a thousand or more")
            yield Row("fig. 6", f"{at}: stops in a cycle less scipy's", 0, steady.stops - stops, 0, "a count")
            other = self.found["jenkins"][ratio]
            yield Row("eq. 14", f"{at}: rough_contact under constant load less jenkins, by mu F_N0/A", 0, np.abs(other.force - steady.force).max() / LIMIT, 1e-8,
                      "what Newton's rule leaves of 1e-11 in each step")
        yield from self.claims()

    def claims(self):
        stops = {ratio: steady.stops for ratio, steady in self.found["contact"].items()}
        yield Row("sec. 4.1", "eta = 0.75: stops in a cycle", 0, stops[0.75], 0, "'a slip occurs in the whole course of the vibration cycle'")
        for ratio in (0.5, 0.25):
            yield Row("sec. 4.1", f"eta = {ratio}: stops in a cycle", 1, stops[ratio], 0, "'the stick stage occurs during the cycle'", kind="at least")
        yield Row("sec. 4.1", "eta = 0.15: stops in a cycle", 4, stops[0.15], 0, "'the phases stick and slip take turns four times'")
        yield Row("sec. 4.1", f"eta = 0.75, k_T/c = {STIFF:g}: amplitude of v by Den Hartog's (1931), rigid friction", 1, self.stiff.amplitude / den_hartog(RATIOS[0]), 0.01,
                  "the time in which the spring turns the force round, (2 mu F_N0/k_T)^(1/2) = 0.01 of 1/omega_0", note="With k_T/c = 100 it is 5 % lower")

    def remarks(self):
        yield "Section 4.1, steady cycles: amplitude of v, share of the cycle that sticks, phases of stick, stops"
        for ratio, steady in self.found["contact"].items():
            phases = len(stick_phases(steady.tau, steady.sticks, steady.period))
            yield f"  eta = {ratio:<5}  {steady.amplitude:.4f}  {steady.sticks.mean():.3f}  {phases}  {steady.stops}"
        yield "  A stop is longer than half a period of the stuck oscillator, slips shorter than a period of it being its rebound: reading of ours."
