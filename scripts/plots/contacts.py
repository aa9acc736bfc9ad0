"""contacts.py - the sheet of faces in contact: what their parts do in time, how they were last pressed, and where energy was lost."""
import functools

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from .faces import draw_points, flatten
from .sheet import Sheet, escape, head_run, prefix, time_axis

MOST_RUNS, MOST_CONTACTS, HEIGHT, MOST_SAMPLES, MOST_LINES = 3, 4, 2.6, 1500, 64
WIDTHS = [1.15, 0.95, 1, 1]
ROOM = 0.82  # of a map beside its scale
SLENDER = 5  # faces beyond are drawn wider than they are
STATES = {"open": "white", "sticks": "#dbe7f3", "slips": "#c8500a"}


class Contact:
    """The faces of a joint in one run, at so many samples as a picture shows."""

    def __init__(self, run, joint, group):
        self.run, self.joint, self.group = run, joint, group
        self.step = -(-run.known // MOST_SAMPLES)
        self.y, self.z = group["y"][:], group["z"][:]

    @property
    def shares(self):
        """Times, and means of the shares about them."""
        whole = self.run.known - self.run.known % self.step
        return self.run.middles(self.step), self.group["share"][:whole].reshape(-1, self.step, len(STATES)).mean(axis=1)

    @property
    def has_lines(self):
        """Whether each part is a line of the picture; a map shows more of them."""
        return "state" in self.group and len(self.y) <= MOST_LINES

    @property
    def is_meshed(self):
        """Whether its parts are points of faces of a mesh."""
        return "x" in self.group

    @property
    def area(self):
        """Of such faces: of the rectangle about them, as the result of a run does not say it."""
        across, up, *_ = flatten(np.stack([self.group[axis][:] for axis in "xyz"], axis=1))
        return np.ptp(across) * np.ptp(up)

    @functools.cached_property
    def time(self):
        """When its parts were last known; NaN for never."""
        return float(self.group["last/time"][0]) if "last" in self.group else np.nan

    def last(self, kind):
        return self.group["last"][kind][:]


def contacts_of(run):
    joints = run.group.get("joints", {})
    return [Contact(run, joint, joints[joint]["contact"]) for joint in joints if "contact" in joints[joint]]


def legend_of_states(axes, colors, place, loc="upper left"):
    axes.legend(handles=[Patch(facecolor=color, edgecolor="grey", label=name) for name, color in zip(STATES, colors)], loc=loc,
                bbox_to_anchor=place, borderaxespad=0, frameon=False, ncol=len(STATES))


def draw_shares(axes, contact):
    """How much of the area does what, all of it from bottom to top."""
    factor = time_axis(axes, *contact.run.span)
    times, shares = contact.shares
    axes.stackplot(times * factor, shares.T[::-1], colors=list(STATES.values())[::-1], linewidth=0)
    axes.set(ylim=(0, 1), ylabel=f"share of {escape(contact.joint)}")
    legend_of_states(axes, STATES.values(), (1, 1), loc="lower right")


def draw_states(axes, contact):
    """Every part a line, from the first on."""
    count = len(contact.y)
    factor = time_axis(axes, *contact.run.span)
    axes.imshow(contact.group["state"][: contact.run.known : contact.step].T, cmap=ListedColormap(list(STATES.values())), vmin=-0.5, vmax=2.5, aspect="auto",
                interpolation="nearest", origin="lower", extent=[*(time * factor for time in contact.run.span), 0.5, count + 0.5])
    axes.grid(False)
    axes.set_ylabel("part")
    axes.yaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)


def edges_of(middles, fallback):
    """Of parts that lie side by side; a single one is as wide as those across are, `fallback`."""
    width = np.diff(middles).mean() if len(middles) > 1 else fallback
    return np.append(middles - width / 2, middles[-1] + width / 2)


def draw_map(axes, contact, values, **look):
    """Parts where they are on the faces: side by side, or of a mesh as its points are."""
    if contact.is_meshed:
        places = np.stack([contact.group[axis][:] for axis in "xyz"], axis=1)
        return draw_points(axes, places, np.full(len(places), contact.area / len(places)), values, **look)
    y, z = np.unique(contact.y), np.unique(contact.z)
    widths = [np.diff(middles).mean() for middles in (y, z) if len(middles) > 1] or [1.0]
    cells = np.full((len(z), len(y)), np.nan)
    cells[np.searchsorted(z, contact.z), np.searchsorted(y, contact.y)] = values
    across, up = edges_of(y, widths[0]), edges_of(z, widths[-1])
    length, factor = prefix(max(np.abs(across).max(), np.abs(up).max()), "m")
    image = axes.pcolormesh(across * factor, up * factor, cells, rasterized=True, **look)
    ratio = np.ptp(across) / np.ptp(up)
    axes.set(xlabel=f"y [{length}]", ylabel=f"z [{length}]", aspect="equal" if 1 / SLENDER < ratio < SLENDER else "auto")
    for axis, middles, name in ((axes.xaxis, y, "y"), (axes.yaxis, z, "z")):
        if len(middles) == 1:  # how wide it is the result does not say
            axis.set_ticks([])
            axis.set_label_text(name)
    axes.grid(False)
    return image


def in_words(value, unit):
    unit, factor = prefix(abs(value), unit)
    return f"{value * factor:.3g} {unit}"


def draw_amounts(axes, contact, values, unit, colors):
    """A map with its scale beside it, when there is anything at all."""
    place = axes.get_position()
    axes.set_position([place.x0, place.y0, place.width * ROOM, place.height])
    unit, factor = prefix(np.abs(values).max(), unit)
    image = draw_map(axes, contact, values * factor, cmap=colors, vmin=0, vmax=(values.max() * factor) or 1)
    if not values.any():
        return
    bar = axes.figure.colorbar(image, cax=axes.inset_axes([1.03, 0, 0.05, 1]))
    bar.outline.set_linewidth(0.5)
    bar.ax.set_title(unit, loc="left")


def draw_last_states(axes, contact):
    draw_map(axes, contact, contact.last("state"), cmap=ListedColormap(list(STATES.values())), vmin=-0.5, vmax=2.5)
    axes.set_title(f"state at {in_words(contact.time, 's')}", loc="left")


def draw_pressing(axes, contact):
    pressing = contact.last("pressing")
    draw_amounts(axes, contact, pressing, "N", "Blues")
    axes.set_title(f"pressed by {in_words(pressing.sum(), 'N')}", loc="left")


def draw_lost(axes, contact):
    """Where the energy went."""
    lost = contact.last("dissipated")
    draw_amounts(axes, contact, lost, "J", "Oranges")
    axes.set_title(f"lost {in_words(lost.sum(), 'J')}", loc="left")


def draw(study):
    """The sheet, when joints with faces were watched: a row for each of them and run."""
    rows = [contact for run in study.some(MOST_RUNS) for contact in contacts_of(run)[:MOST_CONTACTS]]
    if not rows:
        return
    sheet = Sheet(study.result, f"{study.name}_contacts", f"{study.title}: what the parts of faces do", HEIGHT * len(rows), [row.run for row in rows])
    for contact in rows:
        shares, *others = sheet.row(HEIGHT, WIDTHS, 0.55)
        head_run(shares, contact.run)
        draw_shares(shares, contact)
        for axes, draw_it in zip(others, [draw_states if contact.has_lines else draw_last_states, draw_pressing, draw_lost]):
            if draw_it is draw_states or np.isfinite(contact.time):
                draw_it(axes, contact)
            else:
                axes.set(xticks=[], yticks=[])
                axes.text(0.5, 0.5, "not known yet", ha="center", transform=axes.transAxes)
    yield sheet
