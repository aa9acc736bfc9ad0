"""lacayo2017_curves.py - a system of the paper as its numbers and figures need it: ring-downs, and how far the modal models are from them."""
import collections
import functools

import numpy as np

from plots import ringdown
from plots.result import Result, as_text

MICRO, MACRO = 1, 2  # regimes of the study `compare`: below and above the slip amplitude of the modal model


Model = collections.namedtuple("Model", "amplitude omega zeta")


class Ratios:
    """Measured over modelled along one decay, at the points that the study `compare` trusts."""

    def __init__(self, group):
        known = np.isfinite(group["zeta_ratio"][:])
        self.time, self.amplitude, self.omega, self.zeta = (group[name][:][known] for name in ("time", "amplitude", "omega_ratio", "zeta_ratio"))
        self.regime = group["regime"][:][known]

    def within(self, regime):
        """Ratios of damping in one regime."""
        return self.zeta[self.regime == regime]


class System:
    """The three masses or the Sumali beam: its result and what the paper's tables say of it."""

    def __init__(self, path, name, tools, iwan, places):
        self.result = Result(path)
        self.name, self.file, self.modes, self.places = name, self.result.file, list(tools.FITS), places
        self.tables = {mode: iwan(*tools.FITS[mode]) for mode in self.modes}
        self.tools = tools
        self.runs = {run.name: run for study in self.result.studies for run in study.runs}

    def close(self):
        self.result.file.close()

    def runs_of(self, study, place=None, mode=None):
        """The runs of a study, of one place or along one mode, in the order of the paper."""
        runs = [run for run in self.runs.values() if run.study == study]
        runs = [run for run in runs if place is None or as_text(run.group.attrs["point"]) == self.places[place]]
        return sorted((run for run in runs if mode is None or run.group.attrs["mode"] == mode), key=lambda run: run.number)

    def place_of(self, run):
        """The paper's name of where it is hit."""
        return next(name for name, point in self.places.items() if point == as_text(run.group.attrs["point"]))

    @functools.cache
    def curve(self, run, mode):
        """The ring-down of a mode: all points, trusted or not."""
        return ringdown.Curve(run, run.name, f"mode {mode}", self.file[f"ring_down/{run.name}/mode{mode}"])

    @functools.cache
    def model(self, model, mode):
        """Amplitude, omega and zeta of a modal model, ascending: each motion down to where the next one begins."""
        curves = [self.curve(run, mode) for run in self.runs_of(f"{model}_model", mode=mode)]
        ends = [0.0] + [curve.amplitude[0] for curve in curves[:-1]]
        columns = [np.concatenate([getattr(curve, name)[curve.amplitude > end][::-1] for curve, end in zip(curves, ends)]) for name in ("amplitude", "omega", "zeta")]
        return Model(*columns)

    def by_model(self, curve, mode, model="published"):
        """The damping of a ring-down over that of a model at the same amplitudes, at all points, trusted or not."""
        known = self.model(model, mode)
        return curve.zeta / np.exp(np.interp(np.log(curve.amplitude), np.log(known.amplitude), np.log(known.zeta)))

    @functools.cache
    def ratios(self, model, run, mode):
        """None where no point of a decay is trusted."""
        name = f"compare/by_{model}/{run.name}/mode{mode}"
        ratios = Ratios(self.file[name]) if name in self.file else None
        return ratios if ratios and len(ratios.time) else None

    def iwan(self, model, mode):
        """The parameters and curves of a modal model."""
        return self.file[f"modal_iwan/{model}/mode{mode}"]

    def fitted(self, mode, iwan):
        """The closed forms of our fit."""
        return iwan(*(float(self.iwan("fitted", mode)[key][0]) for key in ("stiffness", "damping", "slip_force", "tangent", "chi", "beta")))

    def slip(self, mode, model="published"):
        """Its slip amplitude."""
        return float(self.iwan(model, mode)["slip_amplitude"][0])

    @functools.cache
    def activity(self, run, at=0):
        """How much of their slip amplitudes all modes together have, at the first point of their decays or (-1) the last: the joints stay
        in microslip below 1."""
        ends = [self.curve(run, mode).amplitude[[at]] / self.slip(mode) for mode in self.modes if len(self.curve(run, mode))]
        return float(np.sum(ends))

    def in_microslip(self, place=None, least=0.0, most=1.0):
        """Impacts that keep the joints in microslip from beginning to end, of a range of activities."""
        return [run for run in self.runs_of("impact", place) if least <= self.activity(run) < most]

    def in_transition(self):
        """Impacts that begin in macroslip and end in microslip."""
        return [run for run in self.runs_of("impact") if self.activity(run) >= 1 > self.activity(run, -1)]

    def share(self, run, mode):
        """Of the sum of all modal velocities, at the first point of each decay."""
        firsts = {m: float(np.sum(self.curve(run, m).amplitude[:1] * self.curve(run, m).omega[:1])) for m in self.modes}
        return firsts[mode] / sum(firsts.values())

    def dominant(self, mode):
        """The place from which the mode has the largest share, in microslip."""
        return max(self.places, key=lambda place: np.mean([self.share(run, mode) for run in self.in_microslip(place)]))


def means(system, model, runs, mode, regime, of=lambda ratios: ratios - 1):
    """The average of each run that has points in this regime: by how much the model underestimates, when nothing else is asked."""
    found = [system.ratios(model, run, mode) for run in runs]
    return np.array([np.mean(of(ratios.within(regime))) for ratios in found if ratios and len(ratios.within(regime))])
