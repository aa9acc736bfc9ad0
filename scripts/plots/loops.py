"""loops.py - the sheet of hysteresis loops of a study: force against displacement, joint by joint and run by run."""
import numpy as np

from .sheet import Sheet, escape, prefix

MOST_RUNS, MOST_JOINTS, CYCLES, HEIGHT, WIDE_HEIGHT = 4, 3, 2, 2.4, 4.0
FEWEST, MANY = 12, 50  # samples of a cycle that a line may join, that need not be shown
FEW_SAMPLES, MOST_SAMPLES = 300, 100_000  # drawn when no line joins them, and at all
THIN = 0.15  # the width of a loop, as a share of its height, below which it is drawn again without its slope
ROUNDING = 1e-9
LITTLE = 1e-6  # of what the busiest direction dissipates: the loop of another one tells nothing


class Loop:
    """What a joint does in the cycles about its largest motion."""

    def __init__(self, run, joint):
        self.run, self.joint = run, joint
        count, about = joint.displacement.count, joint.displacement.peak[1]
        period = joint.displacement.period(about)
        length = min(CYCLES * period, MOST_SAMPLES) if period >= FEWEST else FEW_SAMPLES
        start = int(max(min(about - length / 4, count - length), 0))
        stop = min(round(start + length) + 1, count)
        self.displacement, self.force = joint.displacement.read(start, stop), joint.force.read(start, stop)
        dissipated = joint.dissipated.read(start, stop)
        self.dissipated, self.cycles, self.samples = dissipated[-1] - dissipated[0], (stop - 1 - start) / period, period
        low, high = np.argmin(self.displacement), np.argmax(self.displacement)
        span = self.displacement[high] - self.displacement[low]
        self.secant = (self.force[high] - self.force[low]) / span if span > 0 else 0.0
        self.rest = self.force - self.secant * self.displacement

    @property
    def is_elastic(self):
        return np.ptp(self.rest) <= ROUNDING * np.ptp(self.force)

    @property
    def is_idle(self):
        """Whether there is nothing to see: no motion, or a straight line along which nothing is lost."""
        return self.is_elastic and self.dissipated <= ROUNDING * np.abs(self.force).max() * np.abs(self.displacement).max()

    @property
    def is_thin(self):
        return not self.is_elastic and np.ptp(self.rest) < THIN * np.ptp(self.force)

    @property
    def note(self):
        if not self.displacement.any():
            return "no motion"
        unit, factor = prefix(self.dissipated, "J")
        cycles = "no cycle, dissipates" if self.cycles < 1.5 else f"{self.cycles:.{0 if self.cycles > 10 else 1}f} cycles dissipate"
        return f"{cycles} {self.dissipated * factor:.3g} {unit}"


def draw_loop(axes, loop, force, title):
    x_unit, x_factor = prefix(np.abs(loop.displacement).max(), loop.joint.displacement.unit)
    y_unit, y_factor = prefix(np.abs(force).max(), loop.joint.force.unit)
    look = dict(linewidth=0.9) if loop.samples >= FEWEST else dict(linestyle="none")
    marker = "." if loop.samples < MANY else ""
    axes.plot(loop.displacement * x_factor, force * y_factor, color="black", marker=marker, markersize=3, **look)
    axes.set_xlabel(f"displacement [{x_unit}]")
    axes.set_ylabel(f"{title} [{y_unit}]")
    axes.margins(0.08)


def draw_whole(axes, loop):
    draw_loop(axes, loop, loop.force, f"force of {escape(loop.joint.name)}")
    end = ["did not end as asked"] * bool(loop.run.end)
    axes.set_title("\n".join([escape(loop.run.name), escape(loop.run.load), *end, loop.note]))


def draw_small(axes, loop):
    draw_loop(axes, loop, loop.force, f"force of {escape(loop.joint.name)}")
    axes.set_title(loop.note, loc="left")


def draw_without_slope(axes, loop):
    """What is not elastic, which may be too little to be seen beside what is."""
    if loop.is_elastic:
        axes.axis("off")
        axes.text(0.5, 0.5, "nothing but elastic", ha="center", transform=axes.transAxes)
        return
    unit, factor = prefix(abs(loop.secant), loop.joint.stiffness_unit)
    draw_loop(axes, loop, loop.rest, "rest of the force")
    axes.set_title(f"less {loop.secant * factor:.4g} {unit} times displacement")


def busiest(runs, most):
    """The places of the joint directions that dissipate most in these runs, without those where it is round-off beside what others do."""
    lost = [max(run.joints[j].dissipated.peak[0] for run in runs) for j in range(len(runs[-1].joints))]
    order = sorted((j for j, energy in enumerate(lost) if energy > LITTLE * max(lost)), key=lambda j: -lost[j])
    return sorted(order[:most] or range(min(len(lost), 1)))


def draw(study, most=MOST_JOINTS):
    """The sheet, when joints were watched: a row for each direction of a joint, and another where loops are thin."""
    drawn = study.some(MOST_RUNS)
    shown, count = busiest(drawn, most), len(drawn[-1].joints)
    if not shown:
        return
    loops = {run: [Loop(run, run.joints[j]) for j in shown] for run in drawn}
    runs = [run for run in drawn if not all(loop.is_idle for loop in loops[run])] or drawn
    rows = []
    for j in range(len(shown)):
        of_row = [loops[run][j] for run in runs]
        rows += [(draw_whole, 0.65, of_row)] + [(draw_without_slope, 0.22, of_row)] * any(loop.is_thin for loop in of_row)
    some = f"; {len(shown)} of {count} directions of joints, where most is lost" if count > len(shown) else ""
    height = HEIGHT if len(runs) > 1 else WIDE_HEIGHT
    title = f"{study.title}: hysteresis loops about the largest motion{some}"
    left = ", ".join(run.name for run in drawn if run not in runs)
    sheet = Sheet(study.result, f"{study.name}_loops", title, sum(height + head for _, head, _ in rows), runs, f"nothing but elastic: {left}" if left else "")
    for draw_panel, head, of_row in rows:
        for axes, loop in zip(sheet.row(height + head, [1] * len(runs), head), of_row):
            draw_panel(axes, loop)
    yield sheet
