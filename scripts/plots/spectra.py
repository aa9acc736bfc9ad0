"""spectra.py - sheets of power spectral densities: for each run of a random motion the densities of its points against frequency.

A study is a group /spectrum/<name>/<run>/<point> with frequency [lines], density [lines, components], rms and rms_error [components] of its quantity.
"""
import numpy as np

from .result import as_text
from .sheet import COLORS, LINES, Sheet, escape, fit, legend_above

HEIGHT, MOST_LINES, MOST_RUNS, SPAN = 3.4, 6, 4, 1e-9  # of a row [inch]; lines of a panel; runs that are drawn; densities that are shown, of the largest
UNITS = {"displacement": ("m", "rad"), "velocity": ("m/s", "rad/s"), "acceleration": ("m/s\N{SUPERSCRIPT TWO}", "rad/s\N{SUPERSCRIPT TWO}")}


class Line:
    """One direction of a point; what is known of it."""

    def __init__(self, point, word, group, column):
        self.name, self.turns = f"{point} {word}", word.startswith("r")
        self.frequency, self.density = group["frequency"][1:], group["density"][1:, column]
        self.rms, self.rms_error = float(group["rms"][column]), float(group["rms_error"][column])

    def label(self, unit):
        return f"{self.name}: rms {self.rms:.4g} \N{PLUS-MINUS SIGN} {self.rms_error:.2g} {unit}"


class Spectrum:
    """One study."""

    def __init__(self, result, name, group):
        self.result, self.name = result, name
        self.runs = {run: sorted(lines_of(points), key=lambda line: (line.turns, -line.rms)) for run, points in group.items()}
        first = next(iter(next(iter(group.values())).values()))
        self.quantity = as_text(first.attrs["quantity"])

    @property
    def begun(self):
        """Runs that were complete."""
        return {run: lines for run, lines in self.runs.items() if lines}

    def unit(self, line):
        return UNITS[self.quantity][line.turns]


def lines_of(points):
    """Of one run: those that were found and are not zero all along."""
    for point, group in points.items():
        for column, word in enumerate(as_text(group.attrs["components"]).split()):
            if np.isfinite(group["rms"][column]) and (group["density"][1:, column] > 0).any():
                yield Line(point, word, group, column)


def spectra_of(result):
    return [Spectrum(result, name, group) for name, group in result.file.get("spectrum", {}).items()]


def draw_lines(axes, spectrum, lines, turns):
    """Densities of motions that have the same unit."""
    shown = [line for line in lines if line.turns == turns][:MOST_LINES]
    unit = UNITS[spectrum.quantity][turns]
    for i, line in enumerate(shown):
        axes.plot(line.frequency, line.density, **LINES[i % len(LINES)] | dict(color=COLORS[i % len(COLORS)], linewidth=1), label=escape(fit(line.label(unit), 60)))
    largest = max(line.density.max() for line in shown)
    axes.set(xscale="log", yscale="log", xlabel="frequency [Hz]", ylabel=f"density [({unit})\N{SUPERSCRIPT TWO}/Hz]")
    axes.set_ylim(bottom=max(min(line.density[line.density > 0].min() for line in shown), SPAN * largest))
    legend_above(axes)


def draw(spectrum):
    """The sheet, when there is a density."""
    runs = list(spectrum.begun.items())
    shown = runs if len(runs) <= MOST_RUNS else [runs[i] for i in np.linspace(0, len(runs) - 1, MOST_RUNS).round().astype(int)]
    if not shown:
        return
    some = f", {len(shown)} of {len(runs)} runs" if len(shown) < len(runs) else ""
    only = shown[0][1][0] if len(shown) == 1 else None
    rms = f"; {only.name} rms {only.rms:.4g} {spectrum.unit(only)}" if only else ""
    sheet = Sheet(spectrum.result, f"{spectrum.name}_spectrum", f"Spectrum {spectrum.name}: densities of the {spectrum.quantity}{some}{rms}", HEIGHT * len(shown))
    for run, lines in shown:
        kinds = sorted({line.turns for line in lines})
        row = sheet.row(HEIGHT, [1] * len(kinds), 0.6)
        row[0].set_title(escape(fit(run, 60)) + "\n", loc="left")
        for axes, turns in zip(row, kinds):
            draw_lines(axes, spectrum, lines, turns)
    yield sheet
