"""updated.py - sheets of numbers that were found from targets: how far off these are before and after, and what the posterior says of the numbers.

The search is the group /update with names, units, value, low, high, targets, data_target, measured, uncertainty, before, after, place; draws of the
posterior are predictions/draws [draws, numbers]; a predicted curve is predictions/<name> with place, at_best, low, median, high [places].
"""
import h5py
import numpy as np

from .result import as_text, texts
from .sheet import COLORS, LINES, Sheet, escape, fit
from .varied import handy

HEIGHT, PAIR, CURVE = 3.4, 1.9, 3.2  # of the targets, of a row of pairs, of predicted curves [inch]
MOST_NUMBERS, MOST_DRAWS = 6, 1000  # that are drawn


class Updated:
    """One search, as far as it is known."""

    def __init__(self, result, group):
        self.result, self.group = result, group
        self.names, self.units = texts(group["names"][:]), texts(group["units"][:])
        self.targets, self.of = texts(group["targets"][:]), group["data_target"][:].astype(int) - 1
        for key in ("value", "low", "high", "measured", "uncertainty", "before", "after", "place"):
            setattr(self, key, group[key][:])
        self.reason = texts(group["reason"][:1])[0]

    @property
    def is_known(self):
        return bool(np.isfinite(self.after).any())

    @property
    def draws(self):
        """Of the posterior, where some have been made: [draws, numbers]."""
        draws = self.group["predictions/draws"][:] if "predictions/draws" in self.group else np.empty((0, len(self.names)))
        return draws[np.isfinite(draws).all(axis=1)][:MOST_DRAWS]

    @property
    def doubts(self):
        """Of each number, why its interval is not to be trusted; empty where it is."""
        words = ["not determined by the targets" if prior == "none" else "known by its prior more than by the targets" for prior in texts(self.group["priors"][:])]
        return [", ".join(([] if determined else [why]) + (["at its bound"] if at_bound else []))
                for why, determined, at_bound in zip(words, self.group["determined"][:], self.group["at_bound"][:])]

    @property
    def posterior(self):
        """How the posterior was found, and whether it can be trusted; empty before it is known."""
        group = self.group["posterior"]
        if not texts(group["reason"][:1])[0]:
            return ""
        return f"posterior by {as_text(group.attrs['method'])}, intervals of {100 * float(group.attrs['confidence']):g} %: {texts(group['reason'][:1])[0]}"

    def curves(self):
        return [(name, item) for name, item in self.group.get("predictions", {}).items() if isinstance(item, h5py.Group)]


def searches_of(result):
    group = result.file.get("update")
    return [Updated(result, group)] if group is not None else []


def draw_targets(found):
    """In parts of their uncertainty, so that all stand on one axis."""
    places = np.arange(len(found.of))
    sheet = Sheet(found.result, "update_targets", f"Numbers from targets, {found.reason}: what is off of each target, in parts of its uncertainty", HEIGHT,
                  note="within the grey band a target is met")
    (axes,) = sheet.row(HEIGHT, [1], 0.3, 0.55)
    axes.axhspan(-2, 2, color="#e8e8e8", zorder=0)
    for values, label, color, marker in ((found.before, "before", COLORS[1], "o"), (found.after, "after", COLORS[2], "s")):
        axes.plot(places, (values - found.measured) / found.uncertainty, linestyle="none", marker=marker, markersize=4, color=color, label=label)
    axes.axhline(0, color="black", linewidth=0.6)
    axes.set_yscale("symlog", linthresh=2)
    axes.margins(x=0.05, y=0.15)
    firsts = [int(np.argmax(found.of == t)) for t in range(len(found.targets))]
    axes.set_xticks(firsts, [escape(fit(name, 24)) for name in found.targets])
    axes.set_ylabel("(computed - measured) / uncertainty")
    axes.legend(loc="best")
    return sheet


def draw_pair(axes, draws, labels, i, j):
    if i == j:
        axes.hist(draws[:, i], bins=min(40, max(8, int(np.sqrt(len(draws))))), color="#b8c8dc")
        axes.set_yticks([])
    else:
        axes.plot(draws[:, j], draws[:, i], ".", color=COLORS[2], markersize=1.5, rasterized=True)
    axes.tick_params(labelsize=6.5)


def draw_pairs(found):
    """The posterior, by its draws: each number, each two of them, and their correlation."""
    count = min(len(found.names), MOST_NUMBERS)
    scaled = [handy(found.draws[:, i], found.names[i], found.units[i]) for i in range(count)]
    draws, labels = np.column_stack([values for values, _, _ in scaled]), [label for _, label, _ in scaled]
    sheet = Sheet(found.result, "update_posterior", f"Numbers from targets: {len(draws)} draws of the posterior", PAIR * count + 0.3, note=found.posterior)
    for i in range(count):
        is_last = i == count - 1
        panels = sheet.row(PAIR + 0.3 * is_last, [1] * count, 0.12, 0.5 if is_last else 0.2)
        for j, axes in enumerate(panels):
            if j > i:
                axes.axis("off")
                axes.text(0.5, 0.5, f"{np.corrcoef(draws[:, i], draws[:, j])[0, 1]:+.3f}", transform=axes.transAxes, ha="center", va="center", fontsize=14)
                continue
            draw_pair(axes, draws, labels, i, j)
            if is_last:
                axes.set_xlabel(labels[j])
            else:
                axes.set_xticklabels([])
            if j == 0 and i:
                axes.set_ylabel(labels[i])
            elif i != j:
                axes.set_yticklabels([])
    return sheet


def draw_curves(found):
    """What was not fitted, with its band."""
    curves = found.curves()
    sheet = Sheet(found.result, "update_predictions", "Numbers from targets: predicted curves, with their bands", CURVE * len(curves))
    for name, group in curves:
        (axes,) = sheet.row(CURVE, [1], 0.2, 0.5)
        place = group["place"][:]
        axes.fill_between(place, group["low"][:], group["high"][:], color=COLORS[2], alpha=0.25, linewidth=0, label="credible band")
        axes.plot(place, group["at_best"][:], **LINES[0], label="with the best values")
        axes.set(xlabel=escape(as_text(group.attrs.get("over", ""))), ylabel=escape(fit(name, 40)))
        axes.legend(loc="best")
    return sheet


def draw(found):
    """The sheets, when there is a fit."""
    if not found.is_known:
        return
    yield draw_targets(found)
    if len(found.draws) > 1:
        yield draw_pairs(found)
    if found.curves():
        yield draw_curves(found)
