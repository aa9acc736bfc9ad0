"""nonlinear.py - nonlinear modes of a result, and their sheets: frequency and damping against amplitude, with ring-downs of the same modes.

A mode is a group /nonlinear_modes/<study>/mode<k> with amplitude, omega, zeta and trusted along its curve, and resonance_* where a harmonic
meets another mode.
"""
from . import ringdown
from .result import as_text, texts
from .sheet import COLORS, LINES, MARKERS, Sheet, escape

HEIGHT, MOST_MODES, MOST_BESIDE = 3.0, 8, 5  # ring-downs that are drawn beside a mode


class ModeCurve(ringdown.Curve):
    """A mode of one study."""

    def __init__(self, name, subject, group):
        super().__init__(None, name, subject, group)
        self.quantity, self.count = "displacement", int(group["count"][0])
        self.end = texts(group["end"][:1])[0] or "interrupted"
        self.error = group["error"][: self.count] if "error" in group else None
        self.resonances = [] if "resonance_harmonic" not in group else [
            (int(k), int(mode), float(a), bool(turns)) for k, mode, a, turns in
            zip(*(group[f"resonance_{key}"][:] for key in ("harmonic", "mode", "amplitude", "turns"))) if k]

    @property
    def unit(self):
        return "m kg$^{1/2}$"


class NonlinearModes:
    """One study."""

    def __init__(self, result, name, group):
        self.result, self.name, self.method = result, name, as_text(group.attrs["method"])
        self.curves = [ModeCurve(name, subject, item) for subject, item in ringdown.by_subject(group).items()]

    @property
    def begun(self):
        return [curve for curve in self.curves if len(curve)]


def modes_of(result):
    return [NonlinearModes(result, name, group) for name, group in result.file.get("nonlinear_modes", {}).items()]


def beside(result, subject):
    """Trusted points of ring-downs of the same mode of the structure, by their studies."""
    found = {}
    for study in ringdown.studies_of(result):
        for curve in study.curves:
            if curve.subject == subject and curve.trusted.any() and curve.quantity == "displacement" and not (curve.run and "model" in curve.run.group.attrs):
                found.setdefault(study.name, []).append(curve)
    return dict(list(found.items())[:MOST_BESIDE])


def draw_mode(sheet, curve, others):
    """A row: frequency and damping."""
    panels = sheet.row(HEIGHT, [1, 1], head=0.55)
    for axes, label, values_of in ((panels[0], "frequency [Hz]", lambda c: c.frequency), (panels[1], "damping ratio [1]", lambda c: c.zeta)):
        axes.set_xscale("log")
        axes.set_yscale("log" if axes is panels[1] and (curve.zeta > 0).all() else "linear")
        for i, (name, curves) in enumerate(others.items()):
            for j, other in enumerate(curves):
                axes.plot(other.amplitude[other.trusted], values_of(other)[other.trusted], linestyle="none", marker=MARKERS[i], markersize=3,
                          markerfacecolor="none", markeredgewidth=0.6, color=COLORS[1 + i % (len(COLORS) - 1)], label="_" if j else escape(f"ring-down {name}"))
        axes.plot(curve.amplitude, values_of(curve), **LINES[0], label=escape(curve.name) if others else "_", zorder=4)
        for _, _, amplitude, turns in curve.resonances:
            axes.axvline(amplitude, color="#9a3fb0" if turns else "#b0b0b0", linewidth=0.6, linestyle=":")
        axes.set_xlabel(f"amplitude of {escape(curve.subject)} [{curve.unit}]")
        axes.set_ylabel(label)
    panels[0].ticklabel_format(axis="y", useOffset=False)
    panels[0].set_title(f"{escape(curve.subject)}: {len(curve)} points, {escape(curve.end)}\n", loc="left")
    if others:
        panels[1].legend(loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0, frameon=False, ncol=1 + len(others), columnspacing=1, handletextpad=0.3)


def draw(study):
    """The sheet, when there are points."""
    shown = study.begun[:MOST_MODES]
    if not shown:
        return
    some = f", {len(shown)} of {len(study.begun)} modes" if len(shown) < len(study.begun) else ""
    sheet = Sheet(study.result, f"{study.name}_nonlinear_modes", f"Nonlinear modes {study.name}: frequency and damping against amplitude, by {study.method}{some}",
                  HEIGHT * len(shown))
    if any(curve.resonances for curve in shown):
        sheet.note = "dotted: a harmonic of the mode meets another mode"
    for curve in shown:
        draw_mode(sheet, curve, beside(study.result, curve.subject))
    yield sheet
