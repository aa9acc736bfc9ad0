"""tables.py - what a result holds in numbers, as tables of a page."""
import re

import h5py
import numpy as np

from . import motions, ringdown
from .page import Cell, number, table, unit
from .result import as_text, texts

MOST_ROWS, MOST_COLUMNS = 200, 16  # of a table whose layout is not known in advance
MODES_BESIDE, MOST_CURVES = 5, 12  # columns of a table; rows beneath a figure of their own
IWAN = {"stiffness": ("stiffness while the joints slip, K_inf", "1/s^2"), "damping": ("damping ratio while they stick, zeta_0", "1"),
        "slip_force": ("slip force, F_S", "N kg^-1/2"), "tangent": ("stiffness of the joints while they stick, K_T", "1/s^2"), "chi": ("chi", "1"), "beta": ("beta", "1"),
        "omega_misfit": ("misfit of frequency, relative", "1"), "zeta_misfit": ("misfit of damping, relative", "1"),
        "slip_amplitude": ("amplitude at which the whole element slips", "m kg^1/2"), "num_points": ("points used", "1"), "num_micro": ("of them in microslip", "1")}


PARAMETERS = list(IWAN)[:6]
CYCLES = {"begin": " [s]", "end": " [s]", "amplitude": " [m]", "peak_force": " [N]", "secant_stiffness": " [N/m]", "area": " [J]", "dissipated": " [J]",
          "damping": ""}


def plain(value):
    """A number or a text of Python, of whatever HDF5 gave."""
    value = value.item() if isinstance(value, (np.generic, np.ndarray)) and np.size(value) == 1 else value
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return value if isinstance(value, (int, float, str)) else ", ".join(map(number_or_text, value))


def number_or_text(value):
    value = plain(value)
    return value if isinstance(value, str) else number(value)


def span(values, digits=4):
    """From the smallest to the largest."""
    return f"{number(float(np.min(values)), digits)} ... {number(float(np.max(values)), digits)}" if len(values) else ""


def of_pair(group, mode):
    """The slipping mode that resembles a stuck one, the change of its frequency [%] and the MAC; or that none does."""
    if mode >= len(group["pair"]):
        return [None, None, None]
    if not group["pair"][mode]:
        return ["none", None, None]
    change = float(group["change"][mode])
    return [int(group["pair"][mode]), None if np.isnan(change) else round(100 * change, 3) + 0.0, float(f"{group['pair_mac'][mode]:.3f}")]


def of_modes(result, name):
    """The frequencies of a study in all states side by side; the last columns tell which slipping mode has the same shape, and what slipping changes."""
    found = result.modes_by_study[name]
    states = sorted(found, key=lambda state: state != "stuck")
    states = states if result.has_joints else states[:1]
    groups = [found[state] for state in states]
    count, rigid = max(len(group["omega"]) for group in groups), int(groups[0].attrs.get("rigid", 0))
    paired = len(states) == 2 and "pair" in groups[0]
    of = [f"joints {state} " if result.has_joints else "" for state in states]
    columns = ["mode", *(f"{state}[{symbol}]" for state in of for symbol in ("Hz", "rad/s"))] + ["pair", "change [%]", "MAC"] * paired
    rows = []
    for mode in range(count):
        pairs = [(float(group["frequency"][mode]), float(group["omega"][mode])) if mode < len(group["omega"]) else (None, None) for group in groups]
        values = ["rigid" if mode < rigid else value for pair in pairs for value in pair]
        rows.append([mode + 1, *values] + (of_pair(groups[0], mode) if paired else []))
    return table(columns, rows, "Natural frequencies", f"{name}{'-' * bool(name)}modes-table")


def of_effective_masses(result, state, group):
    masses = group["effective_mass"][:]
    directions = ("x [kg]", "y [kg]", "z [kg]", "rx [kg m^2]", "ry [kg m^2]", "rz [kg m^2]")
    rows = [[mode, *map(float, row)] for mode, row in enumerate(masses, 1)]
    return table(["mode", *directions], rows, f"Effective masses of the modes, joints {state}" if result.has_joints else "Effective masses of the modes")


def amplitudes(study):
    """Column heads, and a function of a run: its level and the amplitude of its first load, once where these are the same."""
    units = {run.load_unit for run in study.runs}
    name = f" [{units.pop()}]" if len(units) == 1 and "" not in units else ""
    if all(run.group.attrs.get("amplitude") == run.level for run in study.runs):
        return [f"level{name}"], lambda run: [run.level]
    return ["level", f"amplitude{name}"], lambda run: [run.level, run.group.attrs.get("amplitude")]


def results_of(run):
    """What has come of a run: largest motion, error of the energy, iterations for a step."""
    if run.known < 2:
        return [None, None, None]
    error = f"{motions.energy_error(run):.3g}" if run.energy else "nan"
    return [float(f"{run.size:.4g}"), float(error), float(f"{run.group['iterations'][0] / run.steps:.3g}")]


def of_runs(study):
    """A line for each run, begun or not."""
    heads, levels = amplitudes(study)
    size = next((unit(run.decisive[0].unit) for run in study.begun if run.decisive), "m")
    largest = f"largest motion{' of a joint' if study.begun and study.begun[0].joints else ''} [{size}]"
    columns = ["run", "load", *heads, "steps", "time step [s]", "simulated [s]", "ended", largest, f"{motions.energy_title(study)} [1]", "iterations per step", "took [s]"]
    rows = []
    for run in study.runs:
        steps = str(run.steps) if run.steps == run.steps_asked else f"{run.steps} of {run.steps_asked}"
        load = f"{as_text(run.group.attrs.get('load', '')).replace('_', ' ')} {run.place}".strip()
        rows.append([run.name, load, *levels(run), steps, run.time_step, run.steps * run.time_step, Cell(run.end) if run.end else run.reason,
                     *results_of(run), float(f"{run.group['seconds'][0]:.3g}")])
    return table(columns, rows, "Runs", f"runs-{study.name}")


def of_energies(study):
    """Where the work went, at the end of each run."""
    parts = {"work": "work of loads [J]", "joints": "into joints [J]", "damping": "into damping [J]", "stored": "still kinetic, strain [J]"}
    rows = []
    for run in study.begun:
        if run.energy:
            last = [float(run.energy[name].read(run.known - 1, run.known)[0]) for name in parts]
            rows.append([run.name, *(float(f"{value:.5g}") for value in last), run.energy["balance"].peak[0], motions.energy_error(run)])
    for row in rows:
        row[5:] = [float(f"{value:.3g}") for value in row[5:]]
    columns = ["run", *parts.values(), "largest error of the balance [J]", "error / largest energy [1]"]
    return table(columns, rows, "Energy balance, at the end of what is known", f"energies-{study.name}") if rows else ""


def of_ring_downs(study):
    """A line for each curve."""
    units = dict.fromkeys(f"{curve.quantity} [{unit(curve.unit)}]" for curve in study.curves)
    columns = ["of", "run", "points", "trusted", f"amplitude of {' or '.join(units)}", "frequency [Hz]", "damping ratio [1]"]
    rows = []
    for curve in sorted(study.curves, key=lambda curve: ringdown.in_order(curve.subject)):
        ranges = [span(values[curve.trusted], digits) for values, digits in ((curve.amplitude, 4), (curve.frequency, 6), (curve.zeta, 4))]
        rows.append([curve.subject, curve.name, len(curve), int(curve.trusted.sum()), *ranges] + [curve.remark])
    if any(curve.remark for curve in study.curves):
        columns.append("remark")
    rows = [row[: len(columns)] for row in rows]
    return table(columns, rows, "Ring-down curves; ranges of trusted points, from smallest to largest", f"ring-down-{study.name}", MOST_CURVES)


def of_nonlinear_modes(study):
    """A line for each mode, and one for each internal resonance."""
    columns = ["mode", "points", "amplitude [m kg^1/2]", "frequency [Hz]", "damping ratio [1]", "largest estimated error [1]", "end"]
    rows = [[curve.subject, len(curve), span(curve.amplitude), span(curve.frequency, 6), span(curve.zeta),
             "" if curve.error is None or not len(curve) else float(np.nanmax(curve.error)), curve.end] for curve in study.curves]
    yield table(columns, rows, f"Nonlinear modes by {study.method}, from smallest to largest", f"nonlinear-modes-{study.name}")
    resonances = [[curve.subject, k, f"mode {mode}", amplitude, "turns back" * turns] for curve in study.curves for k, mode, amplitude, turns in curve.resonances]
    if resonances:
        yield table(["mode", "harmonic", "meets", "at amplitude [m kg^1/2]", "curve"], resonances, "Internal resonances")


def facts_of(group):
    """What is said of a group, as attributes or as datasets of one value; those of six have a value for each parameter."""
    facts = {key: value for key, value in group.attrs.items()}
    single = {key: item[()] for key, item in group.items() if isinstance(item, h5py.Dataset) and item.size == 1}
    facts |= {key: value[0] if np.ndim(value) else value for key, value in single.items()}
    for kind, names in (("misfit", ("omega_misfit", "zeta_misfit")), ("points", ("num_points", "num_micro"))):
        facts |= dict(zip(names, group[kind][()])) if kind in group and np.size(group[kind][()]) == len(names) else {}
    facts.pop("mode", None)
    for kind in ("low", "high", "determined"):
        values = np.ravel(group[kind][()] if kind in group else facts.pop(kind, []))
        facts |= {f"{key}_{kind}": value for key, value in zip(PARAMETERS, values)}
    return facts


def of_iwan(name, models):
    """Parameters and quality of the model of each mode, some modes side by side."""
    facts = {subject: facts_of(group) for subject, group in models.items()}
    subjects = list(facts)
    for start in range(0, len(subjects), MODES_BESIDE):
        shown = [facts[subject] for subject in subjects[start : start + MODES_BESIDE]]
        told = dict.fromkeys(re.sub("_(low|high|determined)$", "", key) for model in shown for key in model)
        keys = [key for key in IWAN if key in told] + [key for key in told if key not in IWAN]
        rows = [[*IWAN.get(key, (key.replace("_", " "), "")), *(with_interval(model, key) for model in shown)] for key in keys]
        caption = f"Modal Iwan model {name}; in brackets: interval of confidence, where known"
        yield table(["parameter", "unit", *subjects[start : start + MODES_BESIDE]], rows, caption, f"modal-iwan-{name}-{start + 1}")


def of_comparison(found):
    """The summary: a line for each mode, place and regime with points."""
    columns = found.table
    if "mode" not in columns:
        return ""
    order = sorted(np.flatnonzero(columns["points"] > 0), key=lambda i: columns["mode"][i])
    rows = [[f"mode {int(columns['mode'][i])}", columns["place"][i], columns["regime"][i], int(columns["points"][i]), *ratios_of(columns, "omega", i), *ratios_of(columns, "zeta", i)] for i in order]
    heads = ["frequency / model, mean", "least ... most", "damping / model, mean", "least ... most"]
    return table(["mode", "excited at", "regime", "points", *heads], rows, "Structure over model, at the same amplitude", f"compare-{found.name}") if rows else ""


def ratios_of(columns, kind, line):
    mean, least, most = (number(float(columns[f"{kind}_ratio_{part}"][line]), 5) for part in ("mean", "least", "most"))
    return mean, f"{least} ... {most}"


def of_record_peaks(study):
    """Clear peaks in the spectra of measured records."""
    rows = [[curve.name, curve.subject, *map(float, peak)] for curve in study.curves for peak in curve.peaks]
    return table(["record", "of", "peak [Hz]", "height", "width [Hz]"], rows, "Peaks of the spectra of the records") if rows else ""


def of_loop(loop):
    """The cycles of laws along a path, and what follows from the parameters of each law."""
    count = len(loop.cycles["area"])
    rows = list(zip(*([float(value) for value in loop.cycles[key][:MOST_ROWS]] for key in CYCLES)))
    some = f"; {MOST_ROWS} of {count}" * (count > MOST_ROWS)
    parts = [table(["cycle", *(f"{key.replace('_', ' ')}{symbol}" for key, symbol in CYCLES.items())],
                   [[i, *row] for i, row in enumerate(rows, 1)], f"Cycles of {loop.name}{some}")] if count else []
    for law, group in loop.group.get("derived", {}).items():
        rows = [[name, float(item[()]), plain(item.attrs.get("unit", ""))] for name, item in group.items()]
        parts.append(table(["", "value", "unit"], rows, f"What follows from the parameters of {law}"))
    return parts


def of_contact_loop(loop):
    """The cycles of faces that are moved in three directions."""
    cycles = loop.cycles
    count = len(cycles["begin"])
    rows = [[i + 1, float(cycles["dissipated"][i]), float(cycles["peak_friction"][i]), *(float(value) for value in cycles["peak_force"][i]),
             *(f"{100 * share:.1f} %" for share in cycles["share"][i])] for i in range(min(count, MOST_ROWS))]
    some = f"; {MOST_ROWS} of {count}" * (count > MOST_ROWS)
    return [table(["cycle", "dissipated [J]", "largest friction [N]", "|f_x| [N]", "|f_y| [N]", "|f_z| [N]", "open", "sticks", "slips"], rows,
                  f"Cycles of {loop.name}{some}")] if count else []


def peak_of(response, curve):
    """The largest half peak to peak of the chief motion, the first harmonic there, and where that is."""
    amplitude = curve.amplitude[:, response.chief]
    if not np.isfinite(amplitude).any():
        return [None, None, None]
    place = np.nanargmax(amplitude)
    return [float(f"{value:.6g}") for value in (amplitude[place], curve.first[place, response.chief], curve.frequency[place])]


def peak_over_load(response, curve):
    """The largest half peak to peak of the chief motion for a unit load."""
    peak, load = peak_of(response, curve)[0], abs(curve.level * response.load[0])
    return float(f"{peak / load:.5g}") if peak is not None and load > 0 else None


def of_response(response):
    """A line for each curve, and what was not steady."""
    over = f"peak over load [{response.units[response.chief]}/{response.level_unit}]" if response.level_unit else "peak over load"
    heads = ["curve", "level", "direction", f"peak of {response.motions[response.chief]}, half peak to peak [{response.units[response.chief]}]", "first harmonic there", "at [Hz]", over, "frequencies", "cycles", "not steady", ""]
    rows = [[curve.name, curve.level, curve.direction, *peak_of(response, curve), peak_over_load(response, curve), len(curve.frequency), int(curve.cycles.sum()), int(np.sum(~curve.steady)), curve.end]
            for curve in response.curves]
    yield table(heads, rows, "Curves")
    rows = [[measured.name, measured.motion, *row] for measured in response.measured for row in measured.rows]
    if rows:
        yield table(["measured", "motion", "curve", "frequencies", "difference", "FRAC", "peak frequency ratio", "peak amplitude ratio"],
                    [[*row[:3], int(row[3]), *(float(value) if np.isfinite(value) else "-" for value in row[4:])] for row in rows], "Computed over measured, at the frequencies of both")
    odd = [[curve.name, float(f), reason] for curve in response.curves for f, steady, reason in zip(curve.frequency, curve.steady, curve.reason) if not steady]
    if odd:
        yield table(["curve", "frequency [Hz]", ""], odd[:MOST_ROWS], "What was not steady" + f", the first {MOST_ROWS} of {len(odd)}" * (len(odd) > MOST_ROWS))


def of_balanced(response):
    """A line for each curve by harmonic balance or by one mode, and the points that were located."""
    chief, unit = response.motions[response.chief], response.units[response.chief]
    exact = [] if response.one_mode else ["largest harmonic", "largest estimated error"]
    heads = ["curve", f"largest first harmonic of {chief} [{unit}]", "at [Hz]", "level", "points", *exact, "time [s]", "end"]
    rows = []
    for curve in response.begun:
        first = curve.harmonics[:, response.chief, 0]
        best = max([(first.max(), curve.frequency[first.argmax()], curve.level[first.argmax()]), *((a, f, l) for kind, f, l, a in curve.special if kind == "peak")])
        numbers = [int(curve.highest_harmonic.max()), float(f"{max(curve.left_out.max(), curve.kept.max()):.2g}")] if exact else []
        rows.append([curve.name, *(float(f"{value:.6g}") for value in best), len(first), *numbers, float(f"{curve.seconds:.3g}"), curve.reason or "broken off"])
    yield table(heads, rows, "Curves")
    special = [[curve.name, kind.replace("_", " "), *(float(f"{value:.7g}") for value in numbers)] for curve in response.begun for kind, *numbers in curve.special]
    if special:
        yield table(["curve", "", "frequency [Hz]", "level", f"first harmonic of {chief} [{unit}]"], special[:MOST_ROWS], "Peaks, folds and changes of stability")


def of_polynomial(found):
    """The unknowns of a polynomial fit."""
    rows = [[name, float(value), float(error) if np.isfinite(error) else "unbounded", float(f"{share:.3g}"), "yes" if known else "no"]
            for name, value, error, share, known in zip(found.names, found.value, found.error, found.share, found.identifiable)]
    condition = " and ".join(f"{value:.2g}" if np.isfinite(value) else "infinite" for value in found.condition)
    return table(["", "value", "standard error", "share", "identifiable"], rows,
                 f"{found.points} points, misfit {found.misfit:.2g}; condition {condition} with columns of unit length")


def of_law(found):
    """The parameters of a law that was fitted."""
    rows = [[name, float(value), *(float(end) if np.isfinite(end) else "unbounded" for end in (low, high)), "yes" if known else "no", "yes" if held else ""]
            for name, value, low, high, known, held in zip(found.names, found.value, found.low, found.high, found.determined, found.at_bound)]
    return table(["", "value", "from", "to", "determined", "at its bound"], rows, f"{found.points} points; intervals of 95 % confidence")


def of_spectrum(found):
    """Root mean squares of the points along each run."""
    rows = [[run, line.name, line.rms, line.rms_error, found.unit(line)] for run, lines in found.begun.items() for line in lines]
    return table(["run", "motion", f"rms of the {found.quantity}", "standard error", "unit"], rows) if rows else ""


def of_fitted_modes(found):
    """Numbers of a case that were found from frequencies, and these before and after."""
    rows = [[name, path, float(start), float(value), *(float(end) if np.isfinite(end) else "unbounded" for end in (low, high)), "yes" if known else "no", "yes" if held else ""]
            for name, path, start, value, low, high, known, held in zip(found.names, found.paths, found.start, found.value, found.low, found.high, found.determined, found.at_bound)]
    yield table(["", "path", "start", "value", "from", "to", "determined", "at its bound"], rows, "intervals of 95 % confidence")
    rows = [[str(int(mode)), *map(float, numbers)] for mode, *numbers in zip(found.mode, found.target, found.uncertainty, found.before, found.after)]
    yield table(["mode", "target [Hz]", "uncertainty [Hz]", "before [Hz]", "after [Hz]"], rows)


def of_samples(found):
    """What the samples of a case say: parameters, outputs, and what became of samples that have none."""
    rows = [[name, path, as_text(kind), unit(word), number(float(np.nanmean(x))), number(float(np.nanstd(x)))]
            for name, path, kind, word, x in zip(found.inputs, texts(found.group["paths"][:]), found.group["distributions"][:], found.units, found.x.T)]
    yield table(["", "path", "distribution", "unit", "mean", "deviation"], rows, "parameters, as they were sampled")
    if found.outputs and found.is_whole:
        keys = ("mean", "mean_error", "deviation", "least", "most")
        rows = [[name, unit(word), float(found.group["nominal"][i]), *(float(found.statistics[key][i]) for key in keys), *map(float, found.statistics["percentile"][i]),
                 str(int(found.statistics["done"][i]))] for i, (name, word) in enumerate(zip(found.outputs, found.output_units))]
        yield table(["", "unit", "the case itself", "mean", "its error", "deviation", "least", "most", *(f"{percent:g} %" for percent in found.percent), "samples"], rows, "outputs")
    ends = {2: "stopped, or without a value of some output", 3: "refused with these numbers", 4: "a fault of the program or of a library"}
    rows = [[words, str(int((found.status == end).sum())), as_text(found.group["samples/reason"][int(np.argmax(found.status == end))])]
            for end, words in ends.items() if (found.status == end).any()]
    yield table(["samples", "how many", "the first of them"], rows, "samples that are not done") if rows else ""


def of_update(found):
    """Numbers that were found from targets, these, and what was predicted."""
    rows = [[name, path, unit(word), float(value), float(low), float(high), words]
            for name, path, word, value, low, high, words in zip(found.names, texts(found.group["paths"][:]), found.units, found.value, found.low, found.high, found.doubts)]
    yield table(["", "path", "unit", "value", "from", "to", ""], rows, "intervals of least squares")
    rows = [[name, unit(word), *map(float, numbers)] for name, word, *numbers in zip(found.names, found.units, *(found.group["posterior"][key][:] for key in ("low", "median", "high")))]
    yield table(["", "unit", "from", "median", "to"], rows, found.posterior) if found.posterior else ""
    rows = [[found.targets[t], *(float(x[i]) for x in (found.place, found.measured, found.uncertainty, found.before, found.after))] for i, t in enumerate(found.of)]
    yield table(["", "at", "measured", "uncertainty", "before", "after"], rows[:MOST_ROWS], "targets")
    group = found.group.get("predictions")
    if group is not None and "median" in group:
        rows = [[name, unit(as_text(word)), *(float(group[key][i]) for key in ("at_best", "low", "median", "high"))]
                for i, (name, word) in enumerate(zip(texts(group["names"][:]), group["units"][:]))]
        yield table(["", "unit", "with the best values", "from", "median", "to"], rows, "predictions, with their credible intervals")


def with_interval(facts, key):
    """A value, its interval (KEY_low, KEY_high), and whether the points determine it (KEY_determined)."""
    if key not in facts:
        return "\N{EN DASH}"
    value = number_or_text(facts[key])
    if f"{key}_low" in facts and f"{key}_high" in facts:
        value += f" [{number_or_text(facts[f'{key}_low'])} ... {number_or_text(facts[f'{key}_high'])}]"
    return value if facts.get(f"{key}_determined", True) else Cell(value + " (not determined)")


def columns_of(group):
    """The datasets of a group that stand side by side, by the number of their rows."""
    lengths = {}
    for name, item in group.items():
        if isinstance(item, h5py.Dataset) and item.ndim <= 1 and item.dtype.names is None and item.size:
            lengths.setdefault(item.size, {})[name] = item
    return lengths


def heading(name, item):
    symbol = plain(item.attrs.get("unit", item.attrs.get("units", "")))
    return name.replace("_", " ") + (f" [{symbol}]" if symbol else "")


def cells_of(item, rows):
    values = np.atleast_1d(item[()])[rows]
    return texts(values) if values.dtype.kind == "S" else [plain(value) for value in values]


def of_blocks(path, group):
    """The datasets of two dimensions and more: how large they are, and what their numbers span."""
    rows = []
    for name, item in group.items():
        if isinstance(item, h5py.Dataset) and item.ndim > 1 and item.dtype.kind in "fi":
            values = item[()]
            known = values[np.isfinite(values)]
            dimensions = plain(item.attrs.get("dimensions", "")).replace(", ", " x ")
            extremes = [plain(known.min()), plain(known.max())] if known.size else [None, None]
            rows.append([heading(name, item), dimensions, " x ".join(map(str, item.shape)), *extremes])
    return [table(["", "dimensions", "size", "least", "most"], rows, path)] if rows else []


def of_preload(preload):
    """Bolts after each stage, the first one being that of the loads alone; what the faces of each joint do then."""
    stages = range(len(preload.tension))
    if preload.bolts:
        yield table(["stage", *(f"{bolt} [N]" for bolt in preload.bolts)], [[stage, *map(float, preload.tension[stage])] for stage in stages],
                    "Tensions of the bolts", "tension-table")
        yield table(["stage", *(f"{bolt} [m]" for bolt in preload.bolts)], [[stage, *map(float, preload.shift[stage])] for stage in stages],
                    "Shifts of the bolts", "shift-table")
    for name, joint in preload.faces.items():
        area, state, pressure = joint["area"][:], joint["state"][:], joint["pressure"][:]
        rows = [[stage, *(float(100 * np.sum(area[chosen]) / np.sum(area)) for chosen in (state[stage] > 0, state[stage] == 2)),
                 float(np.sum(pressure[stage] * area)), float(pressure[stage].max())] for stage in stages]
        yield table(["stage", "closed [%]", "slipping [%]", "force [N]", "largest pressure [Pa]"], rows, f"Faces of {name}", "faces-table")


def known_rows(items):
    """Places of the rows that say anything: those in which a number is known, where there are numbers that may be unknown."""
    reals = [item[()] for item in items.values() if item.dtype.kind == "f"]
    if not reals:
        return np.arange(next(iter(items.values())).size)
    return np.flatnonzero(np.any([np.isfinite(np.atleast_1d(values)) for values in reals], axis=0))


def of_group(path, group):
    """Whatever a group and those in it hold: what is said of them, and datasets of one length side by side, rows that are not known left out."""
    parts = []
    if len(group.attrs):
        parts.append(table(["", "value"], [[key.replace("_", " "), number_or_text(value)] for key, value in group.attrs.items()], path))
    for count, items in columns_of(group).items():
        shown = dict(list(items.items())[:MOST_COLUMNS])
        shown = dict(sorted(shown.items(), key=lambda item: item[1].dtype.kind != "S"))
        known = known_rows(shown)
        some = f"; {MOST_ROWS} of {len(known)} rows" * (len(known) > MOST_ROWS) + f"; {MOST_COLUMNS} of {len(items)} columns" * (len(items) > MOST_COLUMNS)
        if len(known):
            rows = [cells_of(item, known[:MOST_ROWS]) for item in shown.values()]
            parts.append(table([heading(name, item) for name, item in shown.items()], list(zip(*rows)), path + some))
    parts += of_blocks(path, group)
    for name, item in group.items():
        if isinstance(item, h5py.Group):
            parts += of_group(f"{path}/{name}", item)
    return parts
