"""tables.py - what a result holds in numbers, as tables of a page."""
import h5py
import numpy as np

from . import motions
from .page import Cell, number, table, unit
from .result import texts

MOST_ROWS, MOST_COLUMNS = 200, 16  # of a table whose layout is not known in advance
IWAN = {"stiffness": "stiffness K\N{INFINITY} [1/s^2]", "damping": "damping ratio [1]", "slip_force": "slip force [N kg^-1/2]",
        "tangent": "stiffness of joints K_T [1/s^2]", "chi": "chi [1]", "beta": "beta [1]"}
IWAN_QUALITY = {"omega_misfit": "misfit of frequency [1]", "zeta_misfit": "misfit of damping [1]", "num_points": "points", "num_micro": "of them in microslip"}


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


def of_modes(result):
    """The frequencies of all states side by side; the last column tells what slipping changes."""
    states = sorted(result.modes, key=lambda state: state != "stuck")
    states = states if result.has_joints else states[:1]
    groups = [result.modes[state] for state in states]
    count, rigid = max(len(group["omega"]) for group in groups), int(groups[0].attrs.get("rigid", 0))
    of = [f"joints {state} " if result.has_joints else "" for state in states]
    columns = ["mode", *(f"{state}[{symbol}]" for state in of for symbol in ("Hz", "rad/s"))] + ["change [%]"] * (len(states) == 2)
    rows = []
    for mode in range(count):
        pairs = [(float(group["frequency"][mode]), float(group["omega"][mode])) if mode < len(group["omega"]) else (None, None) for group in groups]
        change = 100 * (pairs[1][0] / pairs[0][0] - 1) if len(pairs) == 2 and mode >= rigid and pairs[0][0] and pairs[1][0] else None
        values = ["rigid" if mode < rigid else value for pair in pairs for value in pair]
        rows.append([mode + 1, *values] + [None if change is None else float(f"{change:.3g}")] * (len(states) == 2))
    return table(columns, rows, "Natural frequencies", "modes-table")


def of_effective_masses(result, state):
    masses = result.modes[state]["effective_mass"][:]
    directions = ("x [kg]", "y [kg]", "z [kg]", "rx [kg m^2]", "ry [kg m^2]", "rz [kg m^2]")
    rows = [[mode, *map(float, row)] for mode, row in enumerate(masses, 1)]
    return table(["mode", *directions], rows, f"Effective masses of the modes, joints {state}" if result.has_joints else "Effective masses of the modes")


def unit_of_load(run):
    """Of the amplitude of its first load; at a point it is a force or a moment."""
    attributes = run.group.attrs
    known = {"mode": "N kg^-1/2", "base": "m/s^2", "point": "N or N m"}
    return next((name for key, name in known.items() if key in attributes), "")


def of_runs(study):
    """A line for each run, begun or not."""
    loads = list(dict.fromkeys(unit_of_load(run) for run in study.runs))
    size = next((unit(run.decisive[0].unit) for run in study.begun if run.decisive), "m")
    largest = f"largest motion{' of a joint' if study.begun and study.begun[0].joints else ''} [{size}]"
    columns = ["run", "load", "level", f"amplitude [{loads[0]}]" if len(loads) == 1 and loads[0] else "amplitude", "steps", "time step [s]",
               "simulated [s]", "ended", "iterations per step", largest, "seconds"]
    rows = []
    for run in study.runs:
        steps = str(run.steps) if run.steps == run.steps_asked else f"{run.steps} of {run.steps_asked}"
        amplitude = run.group.attrs.get("amplitude")
        rows.append([run.name, f"{run.group.attrs.get('load', '')} {run.place}".replace("_", " ").strip(), run.level,
                     None if amplitude is None else float(amplitude), steps, run.time_step, run.steps * run.time_step,
                     Cell(run.end) if run.end else run.reason, float(f"{run.group['iterations'][0] / run.steps:.3g}") if run.steps else None,
                     float(f"{run.size:.4g}") if run in study.begun else None, float(f"{run.group['seconds'][0]:.3g}")])
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
    columns = ["mode", "run", "points", "trusted", f"amplitude [{unit(next((c.unit for cs in study.modes.values() for c in cs), ''))}]", "frequency [Hz]", "damping ratio [1]"]
    rows = []
    for ring_down in study.ring_downs:
        for curve in ring_down.curves:
            ranges = [span(values[curve.trusted]) for values in (curve.amplitude, curve.frequency, curve.zeta)]
            rows.append([curve.number, ring_down.name, len(curve), int(curve.trusted.sum()), *ranges])
    caption = "Ring-down curves; ranges of trusted points, from smallest to largest"
    return table(columns, sorted(rows, key=lambda row: row[:2]), caption, f"ring-down-{study.name}")


def of_iwan(name, modes):
    """The parameters of each mode, with their intervals where these are known."""
    columns = ["mode", *IWAN.values(), *(title for key, title in IWAN_QUALITY.items() if any(key in mode.attrs for mode in modes.values()))]
    rows = []
    for mode, group in modes.items():
        values = [with_interval(group.attrs, key, i) for i, key in enumerate(IWAN)]
        rows.append([mode, *values, *(plain(group.attrs[key]) if key in group.attrs else None for key in IWAN_QUALITY
                                      if any(key in other.attrs for other in modes.values()))])
    return table(columns, rows, f"Modal Iwan model {name}; in brackets: intervals of confidence, where known", f"modal-iwan-{name}")


def with_interval(attributes, key, place):
    """A parameter, its interval (KEY_low, KEY_high), and whether the points determine it."""
    if key not in attributes:
        return None
    value = number_or_text(attributes[key])
    if f"{key}_low" in attributes and f"{key}_high" in attributes:
        value += f" [{number(float(attributes[f'{key}_low']), 4)} ... {number(float(attributes[f'{key}_high']), 4)}]"
    told = attributes.get(f"{key}_determined", np.ravel(attributes.get("determined", [])))
    determined = bool(np.ravel(told)[min(place, np.size(told) - 1)]) if np.size(told) else True
    return value if determined else Cell(value + " (not determined)")


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


def cells_of(item):
    values = np.atleast_1d(item[()])[:MOST_ROWS]
    return texts(values) if values.dtype.kind == "S" else [plain(value) for value in values]


def of_group(path, group):
    """Whatever a group and those in it hold: what is said of them, and datasets of one length side by side."""
    parts = []
    if len(group.attrs):
        parts.append(table(["", "value"], [[key.replace("_", " "), number_or_text(value)] for key, value in group.attrs.items()], path))
    for count, items in columns_of(group).items():
        shown = dict(list(items.items())[:MOST_COLUMNS])
        some = f"; {MOST_ROWS} of {count} rows" * (count > MOST_ROWS) + f"; {MOST_COLUMNS} of {len(items)} columns" * (len(items) > MOST_COLUMNS)
        parts.append(table([heading(name, item) for name, item in shown.items()], list(zip(*map(cells_of, shown.values()))), path + some))
    for name, item in group.items():
        if isinstance(item, h5py.Group):
            parts += of_group(f"{path}/{name}", item)
    return parts
