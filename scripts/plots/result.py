"""result.py - a result file as its pictures need it: modes, studies, runs, and what is known of each, read in blocks.

The layout is described in src/output/NOTES.md.
"""
import functools
import os
import re

import h5py
import numpy as np
from scipy import ndimage

BLOCK = 1 << 20  # rows in memory at a time
FEW_CYCLES = 8  # that are seen as well as what they hide
FEW_SAMPLES = 4000  # that a drift is found from
TURNS = ("rx", "ry", "rz")
TRANSLATION, ROTATION, MODE = ("m", "N", "N/m"), ("rad", "N m", "N m/rad"), ("m kg$^{1/2}$", "N kg$^{-1/2}$", "N/(m kg)")  # motion, force, stiffness


class Fault(Exception):
    """Something in the input that a person must mend."""


def as_text(value):
    """An attribute that is a text: of fixed length, and so bytes to h5py, but for results of before."""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def texts(values):
    return [as_text(value) for value in values]


class Channel:
    """A history: a column of a dataset, or the sum of such, as far as it is known."""

    def __init__(self, name, unit, count, datasets, column=None):
        self.name, self.unit, self.count = name, unit, count
        self.datasets, self.column = datasets, column

    def read(self, start, stop):
        rows = slice(max(start, 0), min(stop, self.count))
        return sum(dataset[rows] if self.column is None else dataset[rows, self.column] for dataset in self.datasets)

    def fold(self, reduce, bucket, first=0, last=None):
        """What reduce makes of every `bucket` samples; a rest that does not fill a bucket is left out."""
        last = self.count if last is None else last
        block, end = bucket * max(BLOCK // bucket, 1), last - (last - first) % bucket
        parts = [self.read(start, min(start + block, end)) for start in range(first, end, block)]
        return np.concatenate([reduce(part.reshape(-1, bucket), axis=1) for part in parts])

    def zigzag(self, bucket, first, last):
        """The smallest and the largest of every `bucket` samples, in turn: a line through them looks like one through all."""
        return np.column_stack([self.fold(extreme, bucket, first, last) for extreme in (np.min, np.max)]).ravel()

    def magnitude(self, bucket, window=1):
        """The largest absolute value among every `bucket` samples, and of `window` of these about it; without the stairs this would make."""
        largest = np.maximum(self.fold(np.max, bucket), -self.fold(np.min, bucket))
        return ndimage.uniform_filter1d(ndimage.maximum_filter1d(largest, window, mode="nearest"), window, mode="nearest")

    def mean(self, bucket, window=1):
        """The mean of every `bucket` samples, and of `window` of these about it; unknown at the ends, where there are fewer."""
        means = ndimage.uniform_filter1d(self.fold(np.mean, bucket), window, mode="nearest")
        means[: window // 2] = means[len(means) - (window - 1) // 2 :] = np.nan
        return means

    @functools.cached_property
    def peak(self):
        """The largest magnitude and where it is."""
        largest, where = 0.0, 0
        for start in range(0, self.count, BLOCK):
            values = np.nan_to_num(np.abs(self.read(start, start + BLOCK)), posinf=0)
            if values.max() > largest:
                largest, where = float(values.max()), start + int(np.argmax(values))
        return largest, where

    def period(self, about):
        """Samples of a cycle near a sample: from the crossings of the middle, ripples below a tenth of the peak aside."""
        first = max(about - BLOCK // 2, 0)
        values = self.read(first, about + BLOCK // 2)
        values = values - np.median(values)
        sides = np.where(np.abs(values) > 0.1 * np.abs(values[about - first]), np.sign(values), 0)
        far = np.flatnonzero(sides)
        crossings = far[1:][sides[far[1:]] != sides[far[:-1]]]
        near = np.sort(crossings[np.argsort(np.abs(crossings + first - about))[:7]])
        return 2 * (near[-1] - near[0]) / (len(near) - 1) if len(near) > 2 else self.count


class Steadied(Channel):
    """A channel without its drift, the straight line that a floating structure follows from `begin` on, when its loads have ended;
    until this line crosses zero, in the middle of a push, the structure has not begun to drift."""

    def __init__(self, channel, times, begin):
        super().__init__(channel.name, channel.unit, channel.count, channel.datasets, channel.column)
        free = min(int(np.searchsorted(times, begin)), max(channel.count - 2, 0))
        bucket = max((channel.count - free) // FEW_SAMPLES, 1)
        means = channel.fold(np.mean, bucket, free)
        self.slope, self.offset = np.polyfit(free + (np.arange(len(means)) + 0.5) * bucket - 0.5, means, 1) if len(means) > 1 else (0.0, 0.0)
        self.crossing = np.clip(-self.offset / self.slope, 0, free) if self.slope else 0
        self.rate = self.slope * (channel.count - 1) / (times[channel.count - 1] - times[0])  # [m/s]

    def read(self, start, stop):
        rows = np.arange(max(start, 0), min(stop, self.count))
        return super().read(start, stop) - np.where(rows < self.crossing, 0.0, self.offset + self.slope * rows)


class Relative(Channel):
    """The motion of a point from that of a support that moves it."""

    def __init__(self, channel, support):
        super().__init__(f"{channel.name} from {support.name.rpartition(' ')[0]}", channel.unit, channel.count, channel.datasets, channel.column)
        self.support = support

    def read(self, start, stop):
        return super().read(start, stop) - self.support.read(start, stop)


class JointDirection:
    """What a joint does in one of its directions."""

    def __init__(self, run, group, joint, direction):
        motion, force, self.stiffness_unit = ROTATION if direction in TURNS else MODE if direction == "q" else TRANSLATION
        self.name = f"{joint} {direction}"
        self.displacement = Channel(self.name, motion, run.known, [group["displacement"]])
        self.force = Channel(self.name, force, run.known, [group["force"]])
        self.dissipated = Channel(self.name, "J", run.known, [group["dissipated"]])


class Run:
    """One motion of a study."""

    def __init__(self, result, name, group):
        self.result, self.name, self.group = result, name, group
        self.number = int(group.attrs.get("number", 0))
        self.study = as_text(group.attrs.get("study", name))
        self.level = float(group.attrs.get("level", 1))
        self.steps, self.steps_asked = int(group["steps"][0]), int(group.attrs["steps_asked"])
        self.time_step = float(group.attrs["time_step"])
        self.reason = texts(group["reason"][:])[0]

    @functools.cached_property
    def known(self):
        """Samples up to the last step that is recorded as done: rows beyond it are not real."""
        time = self.group["time"]
        if self.steps == 0 or len(time) < 2 or not np.isfinite(time[1]):
            return 0
        every = max(round((time[1] - time[0]) / self.time_step), 1)
        first = int(self.group.attrs.get("first", 0))  # those before it were not kept
        return min(max(self.steps // every + 1 - first, 0), len(time))

    @property
    def complete(self):
        return self.reason == "complete"

    @property
    def end(self):
        """How it ended, when not as asked."""
        if self.complete:
            return ""
        return self.reason or f"not finished: {self.steps} of {self.steps_asked} steps are known"

    @property
    def place(self):
        """Where its first load pushes, which tells the families of a study apart."""
        attributes = self.group.attrs
        if "mode" in attributes:
            return f"mode {attributes['mode']} {as_text(attributes['joints'])}"
        return f"base {as_text(attributes['base'])}" if "base" in attributes else as_text(attributes.get("point", attributes.get("pattern", "")))

    @property
    def load_kind(self):
        return as_text(self.group.attrs.get("load", ""))

    @property
    def load_unit(self):
        """Of the amplitude of its first load."""
        attributes = self.group.attrs
        if "moved" in attributes:  # a support
            return texts(self.group["loads/units"][:1])[0].replace("^2", "\N{SUPERSCRIPT TWO}")
        if "mode" in attributes:
            return "N/\N{SQUARE ROOT}kg"
        if "base" in attributes:
            return "rad/s\N{SUPERSCRIPT TWO}" if as_text(attributes["base"]) in TURNS else "m/s\N{SUPERSCRIPT TWO}"
        turns = self.result.load_values(self.study, self.load_kind).get("direction", "") in TURNS
        return ("N m" if turns else "N") if "point" in attributes else ""

    @property
    def strength(self):
        """How strong its first load is, in its unit; the factor of loads and initial motion where there is none."""
        if self.load_kind and self.load_unit and "amplitude" in self.group.attrs:
            return f"{self.group.attrs['amplitude']:.7g} {self.load_unit}"
        return f"level {self.level:g}"

    @property
    def load(self):
        return ", ".join(filter(None, [self.place, self.strength]))

    @property
    def free_from(self):
        """The end of the last load, if loads end [s]."""
        end = float(self.group.attrs.get("free_from", np.inf))
        return end if end < self.span[1] else None

    @property
    def span(self):
        """When it begins, and how far it is known [s]."""
        return self.group["time"][0], self.group["time"][self.known - 1]

    def smoothing(self, channels, points):
        """How to draw a history in so many points: the samples to a bucket, and the buckets to a cycle, which then hides nothing else."""
        bucket = -(-self.known // points)
        cycles = [channel.period(channel.peak[1]) for channel in channels]
        return bucket, max([round(cycle / bucket) for cycle in cycles if cycle < self.known / FEW_CYCLES], default=0) or 1

    def middles(self, bucket, first=0, last=None):
        """The times of what a channel folds."""
        last = self.known if last is None else last
        return self.group["time"][first + bucket // 2 : last - (last - first) % bucket : bucket]

    @functools.cached_property
    def joints(self):
        joints = self.group.get("joints", {})
        return [JointDirection(self, group, joint, direction) for joint in joints for direction, group in joints[joint].items() if direction != "contact"]

    @functools.cached_property
    def energy(self):
        """The energies by name, `stored` and their `total` among them; empty when not watched."""
        group = self.group.get("energy", {})
        sums = {name: [name] for name in group}
        if group:
            sums.update(stored=["kinetic", "strain"], total=["kinetic", "strain", "joints", "damping"])
        return {name: Channel(name, "J", self.known, [group[part] for part in parts]) for name, parts in sums.items()}

    @functools.cached_property
    def most_energy(self):
        """What energies are measured by: the largest work or sum."""
        return max(self.energy["work"].peak[0], self.energy["total"].peak[0])

    @functools.cached_property
    def histories(self):
        """What is watched of its motion, by kind: displacements of points and of modes; of joints where there is nothing else."""
        points = self.group.get("points", {})
        support = {channel.name.rpartition(" ")[2]: channel for channel in self.components(self.shaken, points[self.shaken]["displacement"])} if self.shaken else {}
        others = [point for point in points if point != self.shaken] or points
        kinds = {"points": [self.steady(self.relative(channel, support)) for point in others for channel in self.components(point, points[point]["displacement"])],
                 "modes": []}
        if "modal/displacement" in self.group:
            modal = self.group["modal/displacement"]
            numbers = self.group["modal/mode"][:]
            kinds["modes"] = [Channel(f"mode {number}", "m kg$^{1/2}$", self.known, [modal], k) for k, number in enumerate(numbers)]
        if not any(kinds.values()):
            kinds["joints"] = [joint.displacement for joint in self.joints]
        return {kind: [channel for channel in channels if channel.unit != "rad"] or channels for kind, channels in kinds.items() if channels}

    @property
    def shaken(self):
        """The support that a random load moves, when its own motion is watched: what others do is seen from there, as beside its own it may be too
        small to be seen."""
        support = as_text(self.group.attrs.get("point", ""))
        return support if "moved" in self.group.attrs and self.load_kind == "random" and support in self.group.get("points", {}) else ""

    def relative(self, channel, support):
        """To the support, by directions, where that moves likewise."""
        point, _, direction = channel.name.rpartition(" ")
        return Relative(channel, support[direction]) if direction in support and point != self.shaken else channel

    def steady(self, channel):
        """Without the rigid motion that a structure which floats keeps when its loads have ended."""
        drifts = self.result.floats and self.known > FEW_CYCLES and self.free_from is not None
        return Steadied(channel, self.group["time"][: self.known], self.free_from) if drifts else channel

    @property
    def main_kind(self):
        """Of the histories. Points of a structure that floats may drift: there modes come first."""
        return "modes" if self.result.floats and "modes" in self.histories else next(iter(self.histories), "")

    @property
    def motions(self):
        """The main histories; turns only when nothing else moves."""
        return self.histories.get(self.main_kind, [])

    def components(self, point, dataset):
        directions = [name.rpartition(" ")[2] for name in self.result.motions if name.rpartition(" ")[0] == point]
        return [Channel(f"{point} {direction}", "rad" if direction in TURNS else "m", self.known, [dataset], i)
                for i, direction in enumerate(directions)]

    @functools.cached_property
    def decisive(self):
        """The motions whose size tells runs apart: of the joints when there are any, since it is there that amplitude matters."""
        joints = [joint.displacement for joint in self.joints]
        return [channel for channel in joints if channel.unit == "m"] or joints or self.motions

    @functools.cached_property
    def size(self):
        return max((channel.peak[0] for channel in self.decisive), default=0.0)


class Study:
    """The runs of one transient study, by their numbers."""

    def __init__(self, result, name, runs):
        self.result, self.name = result, name
        self.runs = sorted(runs, key=lambda run: run.number)
        self.begun = [run for run in self.runs if run.known > 1]
        missing = f" ({len(self.begun)} of {len(self.runs)} runs)" if len(self.begun) < len(self.runs) else ""
        self.title = f"Study {name}{missing}"

    def some(self, most):
        """At most so many runs that move, from the smallest motion to the largest in equal ratios."""
        moving = [run for run in self.begun if run.size > 0]
        if not moving:
            return self.begun[:most]
        runs = sorted(moving, key=lambda run: run.size)
        if len(runs) <= most:
            return runs
        places = np.log([run.size for run in runs])
        chosen = []
        for place in np.linspace(places[0], places[-1], most):
            free = [i for i in range(len(runs)) if i not in chosen]
            chosen.append(min(free, key=lambda i: abs(places[i] - place)))
        return [runs[i] for i in sorted(chosen)]


class Result:
    """An open result file."""

    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)
        try:
            with open(path, "rb"):
                pass
        except OSError as fault:
            raise Fault(f"{path}: {fault.strerror}") from None
        if not h5py.is_hdf5(path):
            raise Fault(f"{path}: is not a result of dovetail, nor HDF5 at all")
        try:
            self.file = h5py.File(path, "r")
        except OSError as fault:
            raise Fault(f"{path}: is damaged: {fault}") from None
        if "case/complete" not in self.file:
            raise Fault(f"{path}: is not a result of dovetail: it has no /case/complete")
        self.case = {key: as_text(value) for key, value in self.file["case"].attrs.items()}
        self.complete = self.file["case/complete"][()] == 1
        self.title = self.case.get("title", "") or self.name
        state = "" if self.complete else "INCOMPLETE, "
        self.source = f"{state}{self.name}, dovetail {self.case.get('version', '?')} ({self.case.get('commit', '?')}), {self.case.get('date', '?')}"
        self.has_joints = "system/joint_rows" in self.file
        self.motions = texts(self.file["system/motions"][:]) if "system/motions" in self.file else []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    @functools.cached_property
    def modes_by_study(self):
        """The groups of modes by the state of the joints, by name of the study: "" is the one without."""
        groups = dict(self.file.get("modes", {}))
        named = {name: dict(group) for name, group in groups.items() if "omega" not in group}
        own = {state: group for state, group in groups.items() if "omega" in group}
        return {"": own, **named} if own else named

    @property
    def modes(self):
        """Those of the first study."""
        return next(iter(self.modes_by_study.values()), {})

    @functools.cached_property
    def values(self):
        """Every value of the case by its path, without units: "studies[1].transient.every" is "5"."""
        pairs = (line.partition(": ")[::2] for line in self.case.get("values", "").splitlines())
        return {path: re.sub(r" \[[^\[\]]*\]$", "", value) for path, value in pairs if path}

    def load_values(self, study, kind, of="transient"):
        """The values of the first load of a study by their keys."""
        name = next((path for path, value in self.values.items() if path.endswith(f".{of}.name") and value == study), "")
        start = name.removesuffix("name") + "load"
        places = [f"{start}.{kind}.", f"{start}[0].{kind}."]
        return {path.removeprefix(place): value for path, value in self.values.items() for place in places if name and path.startswith(place)}

    def response_unit(self, study):
        """Of the amplitude of the first load of a response; a pattern has none."""
        told, unit = self.load_values(study, "harmonic", "response"), as_text(self.file[f"response/{study}"].attrs.get("load_unit", ""))
        if {"displacement", "velocity", "acceleration"} & told.keys():  # of a support
            return unit.replace("^2", "\N{SUPERSCRIPT TWO}")
        turns = told.get("direction", told.get("base", "")) in TURNS
        return ("rad/s\N{SUPERSCRIPT TWO}" if turns else "m/s\N{SUPERSCRIPT TWO}") if "base" in told else ("N m" if turns else "N") if "point" in told else ""

    @functools.cached_property
    def floats(self):
        """Whether some of its modes are rigid motions."""
        return any(group.attrs.get("rigid", 0) for group in self.modes.values())

    @functools.cached_property
    def studies(self):
        runs = [Run(self, name, group) for name, group in self.file.get("transient", {}).items()]
        return [Study(self, name, [run for run in runs if run.study == name]) for name in self.in_order("transient", dict.fromkeys(run.study for run in runs))]

    def in_order(self, kind, names):
        """Names of studies of a kind in the order of the case, then those that it does not tell."""
        told = [value for path, value in self.values.items() if re.fullmatch(rf"studies\[\d+\]\.{kind}\.(name|of)", path)]
        return sorted(names, key=lambda name: told.index(name) if name in told else len(told))
