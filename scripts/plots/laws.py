"""laws.py - the sheet of a law that was fitted: measured loops beside its own and what is left between them, or its ring-down curves.

A fit is a group /fit_law/<name> with names, value, low, high, determined, at_bound of its unknowns; record<k> with displacement, force and
fitted, of which rows beyond the last sample are NaN; or curve_amplitude, curve_omega and curve_zeta, and attributes `of` and `mode`.
"""
import numpy as np

from .ringdown import Curve
from .result import as_text, texts
from .sheet import COLORS, LINES, Sheet, escape, fit, prefix

HEIGHT, MOST_RECORDS, MOST_SAMPLES = 3.0, 6, 20_000  # of a row [inch]; records, and samples of each, that are drawn at most


class Record:
    """A loop, as far as it is known."""

    def __init__(self, name, group):
        known = np.isfinite(group["fitted"][:])
        self.name, self.data = name, as_text(group.attrs["data"])
        self.x, self.force, self.fitted = (group[key][:][known][:MOST_SAMPLES] for key in ("displacement", "force", "fitted"))
        self.first = max(int(group["judged_from"][0]), 0)


class LawFit:
    """One study, as far as it is known."""

    def __init__(self, result, name, group):
        self.result, self.name, self.group = result, name, group
        self.law, self.remark = as_text(group.attrs["law"]), texts(group["remark"][:1])[0]
        self.names = texts(group["names"][:])
        self.spring = dict(zip(texts(group["parameter_names"][:]), group["parameters"][:])).get("beside.stiffness", 0)  # [N/m]
        self.value, self.low, self.high, self.misfit = (group[key][:] for key in ("value", "low", "high", "misfit"))
        self.determined, self.at_bound = group["determined"][:] == 1, group["at_bound"][:] == 1
        self.points, self.of, self.mode = int(group["points"][0]), str(group.attrs.get("of", "")).split(), int(group.attrs.get("mode", 0))

    @property
    def is_known(self):
        return bool(np.isfinite(self.misfit).all())

    @property
    def records(self):
        return [Record(name, self.group[name]) for name in (f"record{k}" for k in range(1, len(self.group) + 1)) if name in self.group]

    @property
    def curves(self):
        """The measured ring-down curves that it was fitted to."""
        folder, key = self.result.file.get("ring_down", {}), f"mode{self.mode}"
        found = [Curve(None, run, f"mode {self.mode}", folder[run][key]) for run in folder if key in folder[run]]
        return [curve for curve in found if curve.study in self.of]


def fits_of(result):
    return [LawFit(result, name, group) for name, group in result.file.get("fit_law", {}).items()]


def draw_record(sheet, record, spring):
    """The loop, the share of the spring beside the law, and what is left of it: what is not judged, because nobody knows what the joint remembers there, is grey."""
    loop, left = sheet.row(HEIGHT, [1, 1.3])
    x_unit, x_factor = prefix(np.abs(record.x).max(), "m")
    unit, factor = prefix(np.abs(record.force).max(), "N")
    rest_unit, rest_factor = prefix(np.abs(record.force - record.fitted).max(), "N")
    loop.plot(record.x * x_factor, record.force * factor, label="measured", **LINES[0])
    loop.plot(record.x * x_factor, record.fitted * factor, label="fitted", **LINES[1])
    if spring:
        ends = np.array([record.x.min(), record.x.max()])
        loop.plot(ends * x_factor, spring * ends * factor, color="#808080", linewidth=0.8, linestyle="--", label="the spring's part")
    loop.set_xlabel(f"displacement [{x_unit}]")
    loop.set_ylabel(f"force [{unit}]")
    loop.set_title(escape(fit(record.data, 40)), loc="left")
    loop.legend(loc="best")
    loop.margins(0.06)
    samples, rest = np.arange(len(record.x)), (record.force - record.fitted) * rest_factor
    left.plot(samples, rest, color="black", linewidth=0.8)
    left.axvspan(0, record.first, color="#e4e4e4", zorder=0)
    left.set_xlim(0, max(len(rest) - 1, 1))
    left.set_xlabel("sample" + "; grey: not judged" * (record.first > 0))
    left.set_ylabel(f"measured less fitted [{rest_unit}]")


def draw_decays(sheet, found):
    """Trusted points, and the curves of the law."""
    amplitude, omega, zeta = (found.group[f"curve_{key}"][:] for key in ("amplitude", "omega", "zeta"))
    panels = sheet.row(HEIGHT, [1, 1])
    for axes, label, line, values_of in ((panels[0], "frequency [Hz]", omega / (2 * np.pi), lambda c: c.frequency), (panels[1], "damping ratio [1]", zeta, lambda c: c.zeta)):
        for i, curve in enumerate(found.curves):
            axes.plot(curve.amplitude[curve.trusted], values_of(curve)[curve.trusted], "o", markersize=3, color=COLORS[1 + i % (len(COLORS) - 1)],
                      label=escape(fit(curve.name, 24)))
        axes.plot(amplitude, line, label="fitted", **LINES[0])
        axes.set_xscale("log")
        axes.set_xlabel(f"amplitude, mode {found.mode} [{found.curves[0].unit}]")
        axes.set_ylabel(label)
    panels[0].ticklabel_format(axis="y", useOffset=False)
    panels[1].set_yscale("log")
    panels[0].legend(loc="best")


def draw(found):
    """The sheet, when there is a fit."""
    if not found.is_known:
        return
    records = found.records
    shown = records[:MOST_RECORDS]
    some = f", {len(shown)} of {len(records)} records" if len(shown) < len(records) else ""
    what = f"{100 * found.misfit[0]:.2g} % of the largest force" if records else f"{100 * found.misfit[0]:.2g} % of the frequency, {100 * found.misfit[1]:.2g} % of the damping"
    sheet = Sheet(found.result, f"{found.name}_fit_law", f"Fit {found.name}: law {found.law}{' and a spring' if found.spring else ''}, misfit {what}{some}", HEIGHT * max(len(shown), 1))
    for record in shown:
        draw_record(sheet, record, found.spring)
    if not records:
        draw_decays(sheet, found)
    yield sheet
