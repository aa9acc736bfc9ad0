"""varied.py - sheets of a parameter study: outputs against parameters, bands of curves, what outputs depend on.

A study is the group /vary with names and units, samples/inputs [samples, parameters], samples/outputs [samples, outputs], samples/status, statistics,
and curves/<name> with place [places], values [samples, places], nominal, band [percentiles, places].
"""
import numpy as np

from .result import as_text, texts
from .sheet import COLORS, LINES, Sheet, escape, fit, prefix

ROW, HEIGHT, SHARES = 1.75, 3.4, 2.0  # of a row of the matrix, of a curve, of the shares [inch]
ENOUGH = 0.95  # of the samples must reach a place, or the band there would be that of some kinds of samples only
MOST_INPUTS, MOST_OUTPUTS, MOST_POINTS, MOST_LINES = 6, 5, 2000, 30  # that are drawn


class Varied:
    """One study, as far as it is known."""

    def __init__(self, result, group):
        self.result, self.group = result, group
        self.inputs, self.units = texts(group["parameters"][:]), texts(group["units"][:])
        self.outputs = texts(group["outputs"][:]) if "outputs" in group else []
        self.output_units = texts(group["output_units"][:]) if "output_units" in group else []
        self.status = group["samples/status"][:]
        self.x, self.y = group["samples/inputs"][:], group["samples/outputs"][:]
        self.statistics, self.method = group["statistics"], as_text(group.attrs["method"])
        self.percent = self.statistics["percent"][:]

    @property
    def num_done(self):
        return int((self.status > 0).sum())

    @property
    def has_indices(self):
        return "first" in self.statistics

    @property
    def is_whole(self):
        return self.num_done == len(self.status)

    @property
    def title(self):
        return f"Samples: {self.num_done:,}{'' if self.is_whole else f' of {len(self.status):,}'} of {len(self.inputs)} parameters"

    def curves(self):
        return self.group.get("curves", {}).items()


def studies_of(result):
    group = result.file.get("vary")
    return [Varied(result, group)] if group is not None else []


def named(name, unit):
    return escape(fit(f"{name} [{unit}]" if unit and unit != "1" else name, 34))


def handy(values, name, unit):
    """Values in a unit that makes handy numbers, its name as a label, and how many of it are one."""
    if not unit or unit == "1" or unit.startswith("kg"):  # which has a prefix of its own
        return values, named(name, unit), 1.0
    word, factor = prefix(np.nanmax(np.abs(values)) if np.isfinite(values).any() else 1.0, unit)
    return values * factor, escape(fit(name, 30)) + f" [{word}]", factor


def chosen(count, most):
    """Samples that are drawn, evenly among all."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int)) if count else np.array([], dtype=int)


def draw_panel(axes, varied, i, j, rows, factor):
    x, label, _ = handy(varied.x[:, j], varied.inputs[j], varied.units[j])
    x, y = x[rows], factor * varied.y[rows, i]
    axes.set_xlabel(label)
    axes.plot(x, y, ".", color=COLORS[2], markersize=2 if len(rows) < 500 else 1, rasterized=True)
    rank = varied.statistics["spearman"][i, j]
    if np.isfinite(rank):
        axes.text(0.03, 0.96, f"{rank:+.2f}", transform=axes.transAxes, va="top", fontsize=7, color=COLORS[1] if abs(rank) > 0.3 else "#606060",
                  bbox=dict(facecolor="white", edgecolor="none", alpha=0.8, pad=1))
    axes.ticklabel_format(useOffset=False)


def draw_histogram(axes, varied, i, factor):
    y = factor * varied.y[:, i]
    y = y[np.isfinite(y)]
    if not len(y):
        return
    axes.hist(y, bins=min(60, max(8, int(np.sqrt(len(y))))), orientation="horizontal", color="#b8c8dc")
    for percent, value in zip(varied.percent, varied.statistics["percentile"][i]):
        axes.axhline(factor * value, color=COLORS[0], linewidth=0.8)
        axes.text(0.98, factor * value, f"{percent:g} %", transform=axes.get_yaxis_transform(), fontsize=6, ha="right", va="bottom")
    axes.axhline(factor * varied.group["nominal"][i], color=COLORS[1], linewidth=1, linestyle="--")
    axes.set_xlabel("samples")


def draw_matrix(varied):
    inputs, outputs = varied.inputs[:MOST_INPUTS], varied.outputs[:MOST_OUTPUTS]
    some = f"; {len(inputs)} parameters and {len(outputs)} outputs are drawn" if (len(inputs), len(outputs)) != (len(varied.inputs), len(varied.outputs)) else ""
    rows = chosen(len(varied.status), MOST_POINTS)
    sheet = Sheet(varied.result, "vary_samples", f"{varied.title}: outputs against parameters, with the correlation of ranks{some}", ROW * len(outputs) + 0.5,
                  note="solid lines are percentiles, the dashed one is the case itself")
    for i, output in enumerate(outputs):
        is_last = i == len(outputs) - 1
        panels = sheet.row(ROW + 0.4 * is_last, [1.15] + [1] * (len(inputs) - 1) + [1], 0.12, 0.5 if is_last else 0.2)
        _, label, factor = handy(varied.y[:, i], output, varied.output_units[i])
        for j, axes in enumerate(panels[:-1]):
            draw_panel(axes, varied, i, j, rows, factor)
            if j:
                axes.set_yticklabels([])
        draw_histogram(panels[-1], varied, i, factor)
        panels[-1].set_yticklabels([])
        panels[0].set_ylabel(label)
        bottom, top = panels[0].get_ylim()
        for axes in panels:
            axes.set_ylim(bottom, top)
            axes.tick_params(labelsize=6.5)
        if not is_last:
            for axes in panels:
                axes.set_xlabel("")
    return sheet


def draw_curve(axes, varied, name, group):
    place, values, band = group["place"][:], group["values"], group["band"][:]
    band[:, group["count"][:] < ENOUGH * max(group["count"][:].max(), 1)] = np.nan
    for row in chosen(len(values), MOST_LINES):
        axes.plot(place, values[int(row)], color="#b0b0b0", linewidth=0.4, zorder=1)
    for low, high in zip(range(len(band) // 2), range(len(band) - 1, -1, -1)):
        axes.fill_between(place, band[low], band[high], color=COLORS[2], alpha=0.25, linewidth=0, zorder=2,
                          label=f"{varied.percent[low]:g} to {varied.percent[high]:g} %")
    if len(band) % 2:
        axes.plot(place, band[len(band) // 2], color=COLORS[2], linewidth=1.4, zorder=3, label=f"{varied.percent[len(band) // 2]:g} %")
    axes.plot(place, group["nominal"][:], **LINES[1], zorder=4, label="the case itself")
    over, unit = as_text(group.attrs["over"]), as_text(group.attrs["unit_of_place"])
    is_log = bool(group.attrs["logarithmic"])
    finite = band[np.isfinite(band)]
    axes.set(xscale="log" if is_log else "linear", xlabel=named(over, unit), ylabel=named(name, as_text(group.attrs["unit_of_values"])))
    if is_log and len(finite) and finite.min() > 0 and finite.max() > 5 * finite.min():
        axes.set_yscale("log")
    axes.legend(loc="best")


def draw_bands(varied):
    curves = list(varied.curves())
    pairs = [curves[i:i + 2] for i in range(0, len(curves), 2)]
    sheet = Sheet(varied.result, "vary_bands", f"{varied.title}: bands of curves", HEIGHT * len(pairs), note="thin lines are single samples; bands are drawn where 95 % of the samples have a value")
    for pair in pairs:
        for axes, (name, group) in zip(sheet.row(HEIGHT, [1] * len(pair), 0.2, 0.5), pair):
            draw_curve(axes, varied, name, group)
    return sheet


def draw_bars(axes, varied, i, keys):
    places, width = np.arange(len(varied.inputs)), 0.8 / len(keys)
    for k, key in enumerate(keys):
        value = varied.statistics[key][i]
        spread = [value - varied.statistics[f"{key}_low"][i], varied.statistics[f"{key}_high"][i] - value] if varied.has_indices else None
        axes.bar(places + (k - (len(keys) - 1) / 2) * width, value, width * 0.9, yerr=spread, capsize=3, color=(COLORS[2], COLORS[1])[k],
                 error_kw=dict(linewidth=0.8), label={"first": "alone", "total": "alone and with others"}.get(key))
    axes.axhline(0, color="black", linewidth=0.6)
    axes.set_xticks(places, [escape(fit(name, 14)) for name in varied.inputs])
    axes.set_ylabel(escape(fit(varied.outputs[i], 26)))
    if varied.has_indices:
        axes.legend(loc="best")


def draw_shares(varied):
    """Sobol' indices, or correlations of ranks."""
    keys = ("first", "total") if varied.has_indices else ("spearman",)
    outputs = varied.outputs[:2 * MOST_OUTPUTS]
    what = "Sobol' indices, shares of the variance" if varied.has_indices else "correlation of ranks"
    sheet = Sheet(varied.result, "vary_shares", f"{varied.title}: {what}", SHARES * ((len(outputs) + 1) // 2))
    for first in range(0, len(outputs), 2):
        pair = range(first, min(first + 2, len(outputs)))
        for axes, i in zip(sheet.row(SHARES, [1] * len(pair), 0.25, 0.3), pair):
            draw_bars(axes, varied, i, keys)
    return sheet


def draw(varied):
    """The sheets, where there are samples."""
    if not varied.num_done or not varied.is_whole:
        return
    if varied.outputs:
        yield draw_matrix(varied)
    if len(varied.group.get("curves", {})):
        yield draw_bands(varied)
    if varied.outputs:
        yield draw_shares(varied)
