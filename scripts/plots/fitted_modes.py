"""fitted_modes.py - the sheet of numbers of a case that were found from natural frequencies: how far off these are before and after, and what
each changes with.

A fit is a group /fit_modes/<name> with names, paths, start, value, low, high, determined, at_bound of its numbers, and mode, target, uncertainty,
before, after, sensitivity of its targets.
"""
import numpy as np

from .result import texts
from .sheet import COLORS, Sheet, escape, fit

HEIGHT, MOST = 3.2, 20  # of the row [inch]; targets that are drawn


class ModesFit:
    """One study, as far as it is known."""

    def __init__(self, result, name, group):
        self.result, self.name, self.group = result, name, group
        self.reason = texts(group["reason"][:1])[0]
        self.names, self.paths = texts(group["names"][:]), texts(group["paths"][:])
        for key in ("start", "value", "low", "high", "mode", "target", "uncertainty", "before", "after"):
            setattr(self, key, group[key][:])
        self.determined, self.at_bound = group["determined"][:] == 1, group["at_bound"][:] == 1

    @property
    def is_known(self):
        return bool(np.isfinite(self.after).all())

    @property
    def share(self):
        """Relative change of each frequency with each number."""
        return self.group["sensitivity"][:] * self.value / self.after[:, None]


def fits_of(result):
    return [ModesFit(result, name, group) for name, group in result.file.get("fit_modes", {}).items()]


def draw(found):
    """The sheet, when there is a fit."""
    if not found.is_known:
        return
    count = min(len(found.mode), MOST)
    places, some = np.arange(count), f", the first {count} of {len(found.mode)} frequencies" if count < len(found.mode) else ""
    sheet = Sheet(found.result, f"{found.name}_fit_modes", f"Fit {found.name}: numbers of the case from natural frequencies{some}", HEIGHT)
    off, shares = sheet.row(HEIGHT, [1, 1.3])
    for values, label, color, marker in ((found.before, "before", COLORS[1], "o"), (found.after, "after", COLORS[0], "s")):
        off.errorbar(places, 100 * (values / found.target - 1)[:count], 100 * (found.uncertainty / found.target)[:count], color=color, linestyle="none",
                     marker=marker, markersize=4, capsize=3, linewidth=0.8, label=label)
    off.axhline(0, color="black", linewidth=0.6)
    off.set_ylabel("off its target [%]")
    off.legend(loc="best")
    width = 0.8 / len(found.names)
    for j, name in enumerate(found.names):
        shares.bar(places + (j - (len(found.names) - 1) / 2) * width, found.share[:count, j], width, color=COLORS[j % len(COLORS)], label=escape(fit(name, 24)))
    shares.axhline(0, color="black", linewidth=0.6)
    shares.set_ylabel("change [%] by 1 % of the number")
    shares.legend(loc="best")
    for axes in (off, shares):
        axes.set_xticks(places, [f"{mode:g}" for mode in found.mode[:count]])
        axes.set_xlabel("mode")
        axes.margins(x=0.1)
    yield sheet
