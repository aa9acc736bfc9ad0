"""sheet.py - what all pictures share: a page with a title and the name of its source, units, lines that a grey print tells apart."""
import io
import os
import textwrap
import warnings

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import PIL.Image
from matplotlib.transforms import Bbox

from . import ticks
from .result import Fault

warnings.filterwarnings("ignore", message="Glyph")  # letters the font lacks become boxes; that is seen
DOTS = 150  # per inch
WIDTH, TITLE, SOURCE, LEFT, GAP = 11.7, 0.5, 0.25, 0.75, 0.05  # of a page, its title, its last line, what is left of axes, between panels at least [inch]
MOST_POINTS, MARKER, FEW = 3000, 3, 50  # of a row of lines: points, such that a marker counts for, outlines of anything else
SHADES = 128  # colours of a row of dots
MAKER = "scripts/plot of dovetail"  # said in each picture; only such ones are ever removed
DECADES = 1.5  # from which an axis is logarithmic
SELDOM, NOTHING = 0.02, 1e-9  # such an axis may not show so many of the smallest values, nor this share of the largest
LINES = [dict(color=color, linestyle=style, linewidth=width) for color, style, width in
         (("black", "-", 1.2), ("#c8500a", "--", 1.3), ("#0a64b4", ":", 1.9), ("#50901e", "-.", 1.3))]
MARKERS = "osD^vP*X<>h"
COLORS = ("black", "#c8500a", "#0a64b4", "#50901e", "#9a3fb0", "#7a7a7a")
PREFIXES = {-15: "f", -12: "p", -9: "n", -6: "\N{MICRO SIGN}", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T"}

plt.rcParams.update({"font.size": 8, "axes.titlesize": 8, "axes.titley": 1.0, "axes.grid": True, "grid.color": "#d8d8d8", "grid.linewidth": 0.5,
                     "axes.axisbelow": True, "legend.framealpha": 0.85, "legend.fontsize": 7, "axes.formatter.limits": (-4, 5),
                     "axes.formatter.use_mathtext": True, "svg.hashsalt": "dovetail"})


def prefix(largest, unit):
    """The unit, with a prefix or a power of ten, that makes handy numbers of values up to `largest`, and how many of it are one unit."""
    exponent = 3 * int(np.floor(np.log10(largest) / 3)) if largest > 0 else 0
    if unit == "s":
        exponent = min(exponent, 0)
    return PREFIXES[exponent] + unit if exponent in PREFIXES else f"$10^{{{exponent}}}$ {unit}", 10.0**-exponent


def wish_log(axes, values, decades=DECADES, along="y"):
    """Whether the values span so many decades; the axis is then logarithmic, with zeros below the paper."""
    values = np.asarray(values, dtype=float)
    positive = values[values > 0]
    if not len(positive) or (values < 0).any() or np.log10(positive.max() / positive.min()) < decades:
        return False
    axes.set(**{f"{along}scale": "log"})
    return True


def scale(axes, values, unit, decades=DECADES):
    """The y axis for values of a unit: logarithmic, or in units that make handy numbers. The unit, and how many of it are one."""
    largest = np.nanmax(np.abs(values))
    if not wish_log(axes, values, decades):
        return prefix(largest, unit)
    positive = values[values > 0]
    usual = max(np.quantile(positive, SELDOM), NOTHING * largest)
    if positive.min() < 0.1 * usual:
        axes.set_ylim(0.3 * usual, 3 * largest)
    return unit, 1


class Sheet:
    """A page, filled by rows of axes from its top: a file of its own, or a figure of a page that says itself what it is of.
    It may tell which runs it shows, and what there is to say of them."""

    def __init__(self, result, name, title, height, runs=(), note=""):
        self.name, self.title, self.runs, self.note = name, title, runs, note
        self.height = height + TITLE + SOURCE
        self.edges, self.slots, self.is_finished = [self.height - TITLE], [], False
        self.figure = plt.figure(figsize=(WIDTH, self.height), dpi=DOTS)
        self.heading, self.source, self.result_name = fit(result.title, 120), result.source, getattr(result, "name", "")

    def frame(self):
        """Title and source."""
        self.figure.text(0.5, 1 - 0.12 / self.height, escape(f"{self.heading}\n{self.title}"), fontsize=10, fontweight="bold", ha="center", va="top")
        self.figure.text(1 - 0.15 / WIDTH, 0.1 / self.height, escape(self.source), fontsize=6.5, color="#505050", ha="right")

    def row(self, height, widths=(1,), head=0.4, foot=0.42):
        """Axes side by side; `height` [inch] has room for `head` above them and `foot` below."""
        self.edges.append(self.edges[-1] - height)
        parts = np.cumsum([0, *widths]) / sum(widths) * (WIDTH - 0.15)
        panels = [self.figure.add_axes([(start + LEFT) / WIDTH, (self.edges[-1] + foot) / self.height, (end - start - LEFT) / WIDTH,
                                        (height - head - foot) / self.height]) for start, end in zip(parts, parts[1:])]
        self.slots += zip(panels, parts)
        return panels

    def finish(self):
        """Numbers of logarithmic axes, once these are known, and room for what stands left of the panels."""
        if self.is_finished:
            return
        self.is_finished = True
        for axes in self.figure.axes:
            for along in "xy":
                ticks.number(axes, along)
        renderer = self.figure.canvas.get_renderer()
        for axes, start in self.slots:
            if axes in self.figure.axes and axes.axison:
                ticks.make_room(axes, (start + GAP) * self.figure.dpi, renderer)
                ticks.move_power(axes)

    def save(self, folder, kinds=("png",)):
        """As pictures of their own; their paths."""
        paths = [os.path.join(folder, f"{self.name}.{kind}") for kind in kinds]
        self.frame()
        self.finish()
        for kind, path in zip(kinds, paths):
            try:
                os.makedirs(folder, exist_ok=True)
                self.figure.savefig(path, dpi=DOTS, metadata={"Date": None} if kind == "svg" else {"Software": MAKER, "Source": self.result_name})
            except OSError as fault:
                raise Fault(f"{path}: {fault.strerror}") from None
        plt.close(self.figure)
        return paths

    def embed(self):
        """The rows alone, from the top: height [inch], kind and bytes of each."""
        self.finish()
        for bottom, top in zip(self.edges[1:], self.edges):
            for axes in self.figure.axes:
                box = axes.get_position()
                axes.set_visible(bottom < (box.y0 + box.y1) / 2 * self.height < top)
            yield top - bottom, *self.image(Bbox([[0, bottom], [WIDTH, top]]))
        plt.close(self.figure)

    def image(self, area):
        """The kind and bytes of an area: lines, or dots where lines are many."""
        image, kind = io.BytesIO(), "svg" if self.is_light() else "png"
        self.figure.savefig(image, format=kind, dpi=DOTS, bbox_inches=area, metadata={"Date": None} if kind == "svg" else None)
        return kind, image.getvalue() if kind == "svg" else fewer_colors(image)

    def is_light(self):
        """Whether what is visible is lines of few points."""
        seen = [axes for axes in self.figure.axes if axes.get_visible()]
        dots = sum(line.get_xdata(orig=False).size * (MARKER if line.get_marker() not in ("None", "", " ", None) else 1) for axes in seen for line in axes.lines)
        return dots < MOST_POINTS and not any(axes.images or any(item.get_rasterized() or len(item.get_paths()) > FEW for item in axes.collections) for axes in seen)


def fewer_colors(image):
    """A picture of PNG with as many colours as a print shows, a third as large."""
    smaller = io.BytesIO()
    PIL.Image.open(image).convert("RGB").quantize(SHADES, dither=PIL.Image.Dither.NONE).save(smaller, format="png", optimize=True)
    return smaller.getvalue()


def remove_stale(folder, source, kept):
    """Pictures that an earlier drawing of this result left there, of studies that are gone or have another name; nobody else's."""
    for entry in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        path = os.path.join(folder, entry)
        if entry.endswith(".png") and path not in kept and is_ours(path, source):
            os.remove(path)
            yield path


def is_ours(path, source):
    """Whether a picture says that it was drawn here from a result of this name."""
    try:
        with PIL.Image.open(path) as image:
            return image.info.get("Software") == MAKER and image.info.get("Source") == source
    except OSError:
        return False


def fit(text, most):
    return textwrap.shorten(text, most, placeholder=" ...")


def escape(text):
    """Text of the user's, in which $ begins no formula."""
    return text.replace("$", r"\$")


def heading_of(run):
    """Names the run, and says when it did not end as asked."""
    return escape(fit(f"{run.name}: {run.load}{f' - {run.end}' if run.end else ''}", 165))


def head_run(axes, run):
    """The heading above the first axes of a row and their legend."""
    axes.set_title(heading_of(run) + "\n", loc="left", fontweight="bold" if run.end else "normal")


def time_axis(axes, first, last):
    """Labels the axis; how many of its units are a second."""
    unit, factor = prefix(last, "s")
    axes.set_xlabel(f"time [{unit}]")
    axes.set_xlim(first * factor, last * factor)
    return factor


def legend_above(axes, lift=0, small=False):
    """Where it hides no line, `lift` inches above the axes; inside when the names are too long for that."""
    lines = [line for line in axes.lines if not line.get_label().startswith("_")]
    tight = dict(handlelength=1, columnspacing=0.8, handletextpad=0.3) | (dict(fontsize=6, labelspacing=0.2) if small else {})
    each, letter = (0.28, 0.038) if small else (0.45, 0.045)
    is_long = sum(each + letter * len(line.get_label()) for line in lines) > axes.get_position().width * WIDTH
    if is_long and not small:
        axes.legend(handles=lines, loc="best")
    else:
        axes.legend(handles=lines, loc="lower right", bbox_to_anchor=(1, 1 + lift * DOTS / axes.bbox.height), borderaxespad=0, frameon=False,
                    ncol=2 if is_long else len(lines), **(tight if lift or small else {}))
