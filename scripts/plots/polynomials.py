"""polynomials.py - the sheet of a polynomial fit: the points of the loop, their slopes beside the fitted ones, and what each term does.

A fit is a group /fit_polynomial/<name> with names, value, standard_error, share, identifiable of its unknowns, and displacement, force,
slope and fitted of its points; rows beyond the last point are NaN.
"""
import numpy as np

from .result import as_text, texts
from .sheet import COLORS, Sheet, escape, fit, prefix

HEIGHT, POINTS = 3.0, 200  # of a row [inch]; points that are drawn at most
WORDS = {"up": "where the displacement grows", "down": "where the displacement falls", "both": "of both branches"}


class PolynomialFit:
    """One study, as far as it is known."""

    def __init__(self, result, name, group):
        self.result, self.name = result, name
        self.points = max(int(group["points"][0]), 0)
        self.remark = texts(group["remark"][:1])[0]
        self.names = texts(group["names"][:])
        self.value, self.error, self.share, self.condition = (group[key][:] for key in ("value", "standard_error", "share", "condition"))
        self.identifiable, self.misfit = group["identifiable"][:] == 1, float(group["misfit"][0])
        self.branch, self.data, self.resolution = as_text(group.attrs["branch"]), as_text(group.attrs["data"]), float(group.attrs["resolution"])
        self.x, self.force, self.slope, self.fitted = (group[key][: self.points] for key in ("displacement", "force", "slope", "fitted"))

    @property
    def is_known(self):
        return self.points > 0 and bool(np.isfinite(self.fitted).all())

    def some(self):
        """Places of the points that are drawn, evenly over all."""
        return np.unique(np.linspace(0, self.points - 1, min(self.points, POINTS)).round().astype(int))


def fits_of(result):
    return [PolynomialFit(result, name, group) for name, group in result.file.get("fit_polynomial", {}).items()]


def draw_against_motion(axes, found, series, unit):
    """Values of the points over the displacement: each with its label and look."""
    some = found.some()
    x_unit, x_factor = prefix(np.abs(found.x).max(), "m")
    y_unit, y_factor = prefix(max(np.abs(values).max() for values, _, _ in series), unit)
    for values, label, look in series:
        axes.plot(found.x[some] * x_factor, values[some] * y_factor, linestyle="none", label=label, **look)
    axes.set_xlabel(f"displacement [{x_unit}]")
    axes.margins(0.05)
    return y_unit


def draw_loop(axes, found):
    unit = draw_against_motion(axes, found, [(found.force, "_", dict(marker=".", color=COLORS[0], markersize=3))], "N")
    axes.set_ylabel(f"force [{unit}]")
    axes.set_title(f"{found.points} points {WORDS[found.branch]}", loc="left")


def draw_slopes(axes, found):
    given, fitted = dict(marker="o", color=COLORS[0], fillstyle="none", markersize=4, markeredgewidth=0.6), dict(marker=".", color=COLORS[1], markersize=2.5)
    unit = draw_against_motion(axes, found, [(found.slope, "of the loop", given), (found.fitted, "fitted", fitted)], "N/m")
    axes.set_ylabel(f"slope of the force [{unit}]")
    axes.set_title(f"slope; misfit {found.misfit:.2g}", loc="left")
    axes.legend(loc="best")


def draw_shares(axes, found):
    """Terms that are not identifiable are hollow; those that depend on others have no share."""
    places = np.arange(len(found.names))
    shares = np.where(found.share > 0, found.share, np.nan)
    for chosen, fill, label in ((found.identifiable, COLORS[0], "identified"), (~found.identifiable, "none", "not identifiable")):
        if np.isfinite(shares[chosen]).any():
            axes.plot(shares[chosen], places[chosen], "o", color=COLORS[0], markerfacecolor=fill, markersize=5, label=label)
    for place in places[~(found.share > 0)]:
        axes.text(0.02, place, "depends on others", transform=axes.get_yaxis_transform(), va="center", color="#505050")
    if np.isfinite(shares).any():
        if found.resolution > 0:
            axes.axvline(found.resolution, color=COLORS[1], linestyle="--", linewidth=1, label="resolution")
        axes.set_xscale("log")
        axes.set_xlim(right=2)
        axes.legend(loc="best")
    axes.set_yticks(places, found.names)
    axes.set_ylim(len(places) - 0.5, -0.5)
    axes.set_xlabel("share: of the slopes, unexplained without it")
    axes.set_title("terms", loc="left")


def draw(found):
    """The sheet, when there is a fit."""
    if not found.is_known:
        return
    height = max(HEIGHT, 1 + 0.16 * len(found.names))
    sheet = Sheet(found.result, f"{found.name}_fit_polynomial", f"Polynomial fit {found.name}: generalized Valanis law of {escape(fit(found.data, 60))}", height)
    loop, slopes, shares = sheet.row(height, [1, 1.2, 0.9])
    draw_loop(loop, found)
    draw_slopes(slopes, found)
    draw_shares(shares, found)
    yield sheet
