"""contacts.py - the sheet of faces in contact: what their parts do in time, and where energy is lost."""
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from .sheet import Sheet, escape, head_run, prefix, time_axis

MOST_RUNS, MOST_CONTACTS, HEIGHT, MOST_SAMPLES = 3, 4, 2.6, 1500
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
    def lost(self):
        """By each part, at the end [J]; None where there are too many parts to keep."""
        return self.group["dissipated"][self.run.known - 1] if "dissipated" in self.group else None


def contacts_of(run):
    joints = run.group.get("joints", {})
    return [Contact(run, joint, joints[joint]["contact"]) for joint in joints if "contact" in joints[joint]]


def draw_nothing(axes, why):
    axes.axis("off")
    axes.text(0.5, 0.5, why, ha="center", transform=axes.transAxes)


def draw_shares(axes, contact):
    """How much of the area does what, all of it from bottom to top."""
    factor = time_axis(axes, *contact.run.span)
    times, shares = contact.shares
    axes.stackplot(times * factor, shares.T[::-1], colors=list(STATES.values())[::-1], linewidth=0)
    axes.set(ylim=(0, 1), ylabel=f"share of {escape(contact.joint)}")
    axes.legend(handles=[Patch(facecolor=color, edgecolor="grey", label=name) for name, color in STATES.items()], loc="lower right",
                bbox_to_anchor=(1, 1), borderaxespad=0, frameon=False, ncol=len(STATES))


def draw_states(axes, contact):
    """Every part a line, from the first on."""
    count = len(contact.y)
    if "state" not in contact.group:
        draw_nothing(axes, f"{count} parts: too many to keep what each does")
        return
    factor = time_axis(axes, *contact.run.span)
    axes.imshow(contact.group["state"][: contact.run.known : contact.step].T, cmap=ListedColormap(list(STATES.values())), vmin=-0.5, vmax=2.5, aspect="auto",
                interpolation="nearest", origin="lower", extent=[*(time * factor for time in contact.run.span), 0.5, count + 0.5])
    axes.grid(False)
    axes.set_ylabel("part")
    axes.yaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)


def draw_lost(axes, contact):
    """Where the energy went, by the size of a dot."""
    lost = contact.lost
    if lost is None:
        draw_nothing(axes, "nor what each has lost")
        return
    unit, factor = prefix(lost.sum(), "J")
    length, scale = prefix(max(np.abs(contact.y).max(), np.abs(contact.z).max()), "m")
    axes.scatter(contact.y * scale, contact.z * scale, s=2, color="grey")
    axes.scatter(contact.y * scale, contact.z * scale, s=150 * lost / (lost.max() or 1), color=STATES["slips"], alpha=0.8)
    axes.set(xlabel=f"y [{length}]", ylabel=f"z [{length}]")
    axes.set_title(f"{lost.sum() * factor:.3g} {unit} lost, at most {lost.max() * factor:.3g} in a part", loc="left")
    axes.margins(0.25)


def draw(study):
    """The sheet, when joints with faces were watched: a row for each of them and run."""
    rows = [contact for run in study.some(MOST_RUNS) for contact in contacts_of(run)[:MOST_CONTACTS]]
    if not rows:
        return
    sheet = Sheet(study.result, f"{study.name}_contacts", f"{study.title}: what the parts of faces do", HEIGHT * len(rows), [row.run for row in rows])
    for contact in rows:
        shares, states, lost = sheet.row(HEIGHT, [1.2, 1.2, 0.8], 0.55)
        head_run(shares, contact.run)
        draw_shares(shares, contact)
        draw_states(states, contact)
        draw_lost(lost, contact)
    yield sheet
