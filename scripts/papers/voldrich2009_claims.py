"""voldrich2009_claims.py - section 4.2 of voldrich2009, figures 7 to 10: what the paper says in numbers or words, beside ours.

The paper gives no number of a response. Its words are read as each row says; amplitudes are compared with closed forms where all is linear, and
else with integrations that are not ours: scipy's from event to event, and section 3's Runge-Kutta.
"""
import re

import numpy as np

from .rows import Row, half_digit
from .rubbing_parts import STEPS, amplitudes, pressed_by

CHECKS_8 = ((30, 22.0), (100, 24.0), (30, 20.0), (10, 20.0))  # load [N], frequency [Hz]
CHECK_KUTTA = (20, 18.4)  # where third harmonics are large
CHECKS_9 = ((50, 25.0, "down"), (50, 26.5, "up"), (25, 25.0, "up"), (10, 22.5, "up"))  # and direction of the sweep
CHECKS_10 = ((30, 22.0), (50, 22.0), (50, 24.0), (100, 24.0))
CYCLES = 25  # from rest, before the cycle that closes is sought
HIGH = np.array([0.0, 0.0, -1.2, 0.0])  # a start from which the larger of two motions is reached
FEW = 2  # of these, when it must be short
ENDS = (0, 600)  # [N], the free and the stuck state
JUMPS = (25, 30, 50)  # [N], fig. 9
TWICE = 2  # the peak of fig. 9 by that of fig. 8, or the other way round
JUMP = 1.2  # of the larger motion by the smaller one, at the same frequency
PRINTED = "half a unit of the last digit"
NEWMARK = "Newmark's rule with 400 steps a period lowers resonances by 2e-5, a flank at 2 % of damping by up to 2e-5/(2 zeta)"
FINE_STEP = "Newmark's rule with 800 steps a period, of second order"
KUTTA = "section 3's method with 400 steps a period, of first order where phases change; steady to 1e-4"
SAME = "the same method, step by step: round-off"
TWO_METHODS = "Newmark's rule with 400 steps a period lowers mode 2, which third harmonics excite, by 9 * 2e-5: up to 9 * 2e-5/(2 zeta) on its flanks"
RUNGE = "section 3's method with 400 steps and from rest for 40 periods, of first order where phases change"


def few(checks, short):
    return checks[:FEW] if short else checks


def varied_name(number):
    return f"fig_9_varied_{number}"


def rest_name(load, frequency):
    return f"section_3_{load}_{frequency:g}"


def m2(load):
    return f"m2_{load} y"


class Section3:
    """What dovetail finds by the method of section 3: the curves of fig. 8, and motions from rest of fig. 10."""

    def __init__(self, sweep, file):
        self.sweep, self.file = sweep, file

    def last_amplitude(self, load, frequency):
        """Half of what lies between the extremes of the last cycle."""
        return np.ptp(self.file[f"transient/{rest_name(load, frequency)}/points/m2_{load}/displacement"][-STEPS:, 0]) / 2


class Judge:
    """The sweeps of dovetail, and what they are judged by."""

    def __init__(self, tools, system, sweeps, fine, section_3, lumped, refusal, curves):
        self.tools, self.sweeps, self.fine, self.section_3, self.lumped, self.refusal = tools, sweeps, fine, section_3, lumped.file, refusal
        self.frequencies, self.shapes, self.normal_shapes, self.area = system
        self.curves, self.short, self.truths = curves.found, curves.short, {}

    def rubbing(self, load, frequency, normal=False):
        """The structure of fig. 8 or 9, for scipy."""
        tools, shapes = self.tools, self.normal_shapes if normal else self.shapes
        return tools.Rubbing(self.frequencies, tools.DAMPING, shapes["m1 y"], shapes.get("m1 x", 0.0), shapes["m2 y"], tools.STIFFNESS,
                             tools.STIFFNESS if normal else 0.0, tools.FRICTION, load, tools.FORCE, frequency)

    def truth(self, load, frequency, direction=None):
        """Amplitude by scipy, from event to event: of fig. 8, or of fig. 9 in a direction of the sweep."""
        key = load, frequency, direction
        if key not in self.truths:
            rubbing = self.rubbing(load, frequency, direction is not None)
            self.truths[key] = rubbing.amplitude(HIGH if direction == "down" else None, cycles=CYCLES)
        return self.truths[key]

    def linear(self, name, sticks, frequencies=None):
        """Amplitudes of m2 in closed form, along a sweep when no frequencies are given."""
        normal = name == "fig_9"
        frequencies = self.sweeps[name].frequency if frequencies is None else frequencies
        return np.array([abs(self.rubbing(0.0, frequency, normal).linear(sticks)) for frequency in frequencies])

    def loads(self, name):
        return [int(motion.split()[0].removeprefix("m2_")) for motion in self.sweeps[name].columns if motion.startswith("m2_") and motion.endswith(" y")]

    def excess(self, name, load):
        """Largest amplitude along a sweep by what the free and the stuck structure have at most at the same frequency, and faces that touch
        without load; where all is steady."""
        sweep = self.sweeps[name]
        bound = np.maximum(self.linear(name, False), self.linear(name, True))
        over = [sweep.amplitude(m2(load), direction) / np.maximum(bound, sweep.amplitude(m2(0), direction)) for direction in sweep.sweeps]
        return np.max(over, axis=0)[sweep.steady].max()

    def jump(self, name, load):
        """Amplitude of one sweep by that of the other at the same frequency, never less than 1; 1 where not all is steady."""
        sweep = self.sweeps[name]
        up, down = (sweep.amplitude(m2(load), direction) for direction in ("up", "down"))
        return np.where(sweep.steady, np.maximum(up / down, down / up), 1.0)

    def peak(self, name, load):
        """Of the curve by harmonic balance, else of all sweeps."""
        if load in self.curves.get(name, {}):
            return self.curves[name][load].peak[1]
        sweep = self.sweeps[name]
        return max(sweep.peak(m2(load), direction)[1] for direction in sweep.sweeps)

    def highest_between(self, name):
        """Peak of the loads between the free and the stuck state."""
        return max(self.peak(name, load) for load in self.loads(name) if load not in ENDS)

    def rows(self):
        yield from self.figure_7()
        yield from self.figure_8()
        yield from self.figure_9()
        yield from self.figure_10()

    def figure_7(self):
        found, stuck = (self.lumped[f"modes/{state}"] for state in ("slipping", "stuck"))
        for mode, printed in enumerate(("20", "52.4")):
            value, tolerance = half_digit(printed)
            yield Row("sec. 4.2", f"frequency {mode + 1} of masses and springs, without the contact [Hz]", value, found["frequency"][mode], tolerance, PRINTED)
        for mode, printed in enumerate(((0.5257, 0.8507), (-0.8507, 0.5257))):
            shape = found["shape"][:, mode]
            shape = shape * np.sign(shape @ printed)
            for mass, value in enumerate(printed):
                yield Row("eq. 15", f"vector {mode + 1}, m{mass + 1}", value, shape[mass], 5e-5, PRINTED)
        yield Row("fig. 7", "frequency 1 with the contact stuck [Hz]", 24.66, stuck["frequency"][0], 0.005, "half a unit of the last digit (errata)",
                  note="Not in the paper: that the contact is between m1 and the ground is inferred from it")
        lumped, modal = self.sweeps["lumped"], self.sweeps["fig_8"]
        at = [frequency for frequency in lumped.frequency if np.isclose(modal.frequency, frequency).any()]
        off = max(abs(lumped.at("m2 y", frequency) / modal.at(m2(30), frequency) - 1) for frequency in at)
        yield Row("fig. 7", "30 N: masses, springs and dampers by modes, worst of their common frequencies", 0, off, 5e-3,
                  "printed frequencies and vectors, 19.998 Hz being 20: 8e-5/(2 zeta) on a flank",
                  note="Dampers of alpha M + beta K, which give 2 % to both modes")

    def figure_8(self):
        sweep, name = self.sweeps["fig_8"], "fig_8"
        for load, sticks, state in ((0, False, "free"), (600, True, "stuck")):
            off = np.abs(sweep.amplitude(m2(load)) / self.linear(name, sticks) - 1).max()
            yield Row("fig. 8", f"{load} N: all of the curve by the closed form of the {state} structure, largest difference", 0, off, 1e-3, NEWMARK)
        peaks = {load: self.peak(name, load) for load in self.loads(name)}
        yield Row("fig. 8", "the load with the lowest peak [N]", 30, min(peaks, key=peaks.get), 0, "'the preloading value 30 N seems the best one'",
                  note="Of the response of m2, inferred")
        for load, state in zip(ENDS, ("free", "stuck")):
            yield Row("fig. 8", f"peak at 30 N by that of the {state} state", 0.5, peaks[30] / peaks[load], 0, "'a markedly lower response': less than half, reading of ours", kind="at most")
            yield Row("fig. 8", f"highest peak of the loads between by that of the {state} state", 1, self.highest_between(name) / peaks[load], 0,
                      "'the maximum of the graphs for the free and stuck states is greater than responses of any other state', of peaks; at every frequency, see below",
                      kind="at most")
        off = max(np.abs(self.section_3.sweep.amplitude(m2(load)) / sweep.amplitude(m2(load)) - 1).max() for load in self.loads(name))
        yield Row("fig. 8", "all curves by section 3's method (`method: runge_kutta`), largest difference", 0, off, 9 * 2e-5 / (2 * self.tools.DAMPING), TWO_METHODS,
                  note="At 20 N and 18.4 Hz, where section 3's with 400 steps is right")
        load, frequency = CHECK_KUTTA
        yield Row("fig. 8", f"{load} N, {frequency:g} Hz: amplitude by section 3's method (`method: runge_kutta`), by scipy's", 1,
                  self.section_3.sweep.at(m2(load), frequency) / self.truth(load, frequency), 2e-4, KUTTA)
        for load, frequency in few(CHECKS_8, self.short):
            yield Row("fig. 8", f"{load} N, {frequency:g} Hz: amplitude by scipy's, from event to event", 1,
                      self.fine[name].at(m2(load), frequency) / self.truth(load, frequency), 2e-4, FINE_STEP)

    def figure_9(self):
        sweep, name = self.sweeps["fig_9"], "fig_9"
        sticks = np.array([self.rubbing(600.0, frequency, True).keeps_stuck() for frequency in sweep.frequency])
        off = np.abs(sweep.amplitude(m2(600)) / self.linear(name, True) - 1)[sticks].max()
        yield Row("fig. 9", f"600 N: by the closed form where that does not slip ({sticks.sum()} of {len(sticks)} frequencies), largest difference", 0, off, 1e-3, NEWMARK)
        for load in JUMPS:
            yield Row("fig. 9", f"{load} N: amplitude of one sweep by that of the other, at most", JUMP, self.jump(name, load).max(), 0,
                      "'jumps ... relate to bifurcation phenomena': at some frequency the sweeps up and down differ by a fifth, reading of ours", kind="at least",
                      note="With k_N = 4e4 N/m, which is inferred from these very jumps, and R = 0; with half of it there are none, see below")
        beyond = [load for load in self.loads(name) if self.excess(name, load) >= JUMP]
        yield Row("fig. 9", "loads that exceed the free and the stuck state at the same frequency by a fifth", 1, len(beyond), 0,
                  "'the maximum of the graphs of free and stuck states is not any more a sufficient estimate', at the same frequency; of peaks, see below", kind="at least")
        altered = [load for load in self.loads(name) if load in self.loads("fig_8") and not 1 / TWICE < self.peak(name, load) / self.peak("fig_8", load) < TWICE]
        for word, bound, kind, load in (("lowest", 10, "at least", min(altered, default=np.nan)), ("highest", 100, "at most", max(altered, default=np.nan))):
            yield Row("fig. 9", f"{word} load whose peak is that of fig. 8 at least doubled or halved [N]", bound, load, 0,
                      "'more substantial differences occur especially for preloading values from 10 N to 100 N', reading of ours", kind=kind)
        for load, frequency, direction in few(CHECKS_9, self.short):
            yield Row("fig. 9", f"{load} N, {frequency:g} Hz, {direction}: amplitude by scipy's, from event to event", 1,
                      self.fine[name].at(m2(load), frequency, direction) / self.truth(load, frequency, direction), 5e-4, FINE_STEP)

    def figure_10(self):
        sweep = self.sweeps["fig_10"]
        least = float(re.search(r"preload above ([0-9.]+) N", self.refusal).group(1))
        value, tolerance = half_digit("26.7")
        yield Row("fig. 10", "least preload that takes M_y0 = 1 N m, as dovetail says [N]", value, least, tolerance, "half a unit of the last digit (errata)",
                  note="1 N m by 0.0375 m, where the middles of the outermost parts are")
        with_moment, without = sweep.peak(m2(50))[1], self.peak("fig_8", 50)
        yield Row("fig. 10", "50 N: peak with the moment by that of fig. 8", 1, with_moment / without, 0, "'the higher response for 50 N as against fig. 8'", kind="at least",
                  note="k/16 for each part, inferred")
        truth = self.parts()
        for (load, frequency), amplitude in zip(few(CHECKS_10, self.short), truth):
            near = sweep.nearest(frequency)
            yield Row("fig. 10", f"{load} N, {near:g} Hz: amplitude by section 3's Runge-Kutta", 1, sweep.at(m2(load), near) / amplitude, 3e-3, RUNGE)
            yield Row("fig. 10", f"{load} N, {near:g} Hz: amplitude after 40 periods by `method: runge_kutta`, by numpy's", 1,
                      self.section_3.last_amplitude(load, frequency) / amplitude, 1e-9, SAME)

    def parts(self):
        """Four rows of parts under a moment, by section 3."""
        tools, sweep = self.tools, self.sweeps["fig_10"]
        across = self.area["parts"][1]
        places = self.area["area"][1] * ((np.arange(across) + 0.5) / across - 0.5)
        loads = np.array([pressed_by(load, self.area["moment"][0], places, tools.STIFFNESS) for load, _ in few(CHECKS_10, self.short)])
        turns = np.array([sweep.nearest(frequency) for _, frequency in few(CHECKS_10, self.short)])
        rubbing, pushed = (np.array(self.shapes[motion]) for motion in ("m1 y", "m2 y"))
        return amplitudes(self.frequencies, tools.DAMPING, rubbing, pushed, tools.STIFFNESS, tools.FRICTION, loads, tools.FORCE, turns)

    def read_strictly(self):
        """Figs 8 and 9, whose words on the free and the stuck state do not both hold in one reading; and jumps that the paper does not tell of."""
        worst = max(self.excess("fig_8", load) for load in self.loads("fig_8"))
        yield Row("fig. 8", "largest amplitude of any load by the larger one of the free and the stuck state, at the same frequency", 1, worst, 3e-3,
                  "'greater than responses of any other state'; " + NEWMARK, kind="at most",
                  note="Where these two cross, near 22 Hz, loads at which the contact slips are above both")
        ends = max(self.linear("fig_9", sticks).max() for sticks in (False, True))
        yield Row("fig. 9", "highest peak of the loads between by the higher one of the free and the stuck state", 1, self.highest_between("fig_9") / ends, 0,
                  "'not any more a sufficient estimate'", kind="at least")
        others = [load for load in self.loads("fig_9") if load not in JUMPS and self.jump("fig_9", load).max() >= JUMP]
        yield Row("fig. 9", "other loads than 25, 30 and 50 N with jumps", 0, len(others), 0, "'the jumps within graphs with 25 N, 30 N and 50 N'",
                  note=f"There are at {' and '.join(map(str, others))} N" if others else "")

    def remarks(self, varied):
        """Lines on what has no number in the paper; `varied` tells the other k_N and R."""
        yield "Peaks of m2 [mm at Hz]:"
        sweep = self.sweeps["fig_10"]
        yield "  fig. 10: " + ", ".join(f"{load} N {1e3 * height:.3f} at {at:.1f}" for load in self.loads("fig_10") for at, height in [sweep.peak(m2(load))])
        for name, curves in self.curves.items():
            peaks = (f"{load} N {1e3 * height:.3f} at {at:.2f}" for load, (at, height) in ((load, curve.peak) for load, curve in curves.items()))
            yield f"  {name.replace('_', '. ')}, by harmonic balance: {', '.join(peaks)}"
        yield "Largest amplitude by that of the free and the stuck structure, and of 0 N, at the same frequency:"
        for name in ("fig_8", "fig_9"):
            yield f"  {name.replace('_', '. ')}: " + ", ".join(f"{load} N {self.excess(name, load):.2f}" for load in self.loads(name))
        yield "Fig. 9, where sweeps up and down are steady and differ by a fifth or more [Hz], k_N and R not being in the paper:"
        for number, label in enumerate(["k_N = 4e4 N/m, R = 0", *([] if self.short else varied)]):
            name = varied_name(number) if number else "fig_9"
            yield f"  {label}: " + (", ".join(f"{load} N {self.between(name, load)}" for load in self.loads(name) if self.jump(name, load).max() >= JUMP) or "nowhere")
        for name, sweep in self.sweeps.items():
            for direction, frequencies in sweep.unsteady.items():
                if len(frequencies):
                    yield f"{name.replace('_', '. ', 1).replace('_', ' ')}, {direction}: not steady at {', '.join(f'{frequency:g}' for frequency in frequencies)} Hz, at one load at least"
        yield f"A preload that cannot take the moment: {self.refusal}"

    def between(self, name, load):
        at = self.sweeps[name].frequency[self.jump(name, load) >= JUMP]
        return f"{at[0]:g}" if at[0] == at[-1] else f"{at[0]:g} to {at[-1]:g}"
