"""voldrich2009_curves.py - figures 8 and 9 of voldrich2009 by harmonic balance: curves with the branches on which no motion stays, beside stepped
sines, integrations by scipy and the words of the paper. A case for each load, as a curve turns back for one structure at a time."""
import numpy as np

from . import voldrich2009_claims as claims
from .balanced import BalancedCurve, followed
from .responses import Response, swept
from .rows import Row
from .voldrich2009_claims import m2

BAND = {"from": 18.0, "to": 28.01}  # [Hz]; stepped sines at 28 Hz are as those of a slightly higher one
STEP = 0.03  # of a curve: splines between its points are then exact to 1e-4
STEPS = 400  # of a period, of stepped sines
LOW = 19.0  # [Hz], below which third harmonics are near mode 2
FOLDED = (20, *claims.JUMPS)  # [N], the curves that turn back
SETTLED = 27.4  # [Hz], above which motions at 10 and 20 N have a second frequency
SEARCH, HALVED, MOST_CYCLES = {"from": 22.0, "to": 26.5, "count": 10}, 12, 1000  # sweeps for jumps: frequencies [Hz], how many are added, cycles of each
SHORT_SEARCH, SHORT_HALVED, SHORT_CYCLES = {"from": 22.5, "to": 26.5, "count": 5}, 6, 300
AGREE = "accuracies of 1e-4 of curve and sines, splines between points of the curve, and what Newmark's rule with 400 steps a period does to third harmonics"
FROM_EVENTS = "three times the accuracy that the curve is asked for"
BETWEEN = "half of what lies between two frequencies of the sweep, both steady, and 2e-5 by Newmark's rule"
FLOQUET = "between two folds one Floquet multiplier is beyond 1, elsewhere none, until a pair leaves the unit circle near 27.8 Hz"


def accuracy_of(short):
    return 3e-4 if short else 1e-4


def name_of(figure, load):
    return f"{figure}_curve_{load}"


def studies_of(figure, load, pushes, watch, short):
    """The curve of a load, and sines that step through its jumps. Multipliers take as long as the curve: in fig. 8, where nothing turns back, they
    are for the pictures alone."""
    judged = figure == "fig_9" or not short
    yield followed(BAND, pushes, step=STEP, accuracy=accuracy_of(short), stability="yes" if judged else "no", watch=watch)
    if figure == "fig_9" and load in FOLDED:
        frequencies, halved, cycles = (SHORT_SEARCH, SHORT_HALVED, SHORT_CYCLES) if short else (SEARCH, HALVED, MOST_CYCLES)
        yield swept(frequencies, pushes, name="jumps", direction=["up", "down"], refine=halved, max_cycles=cycles, watch=watch)


def jump_of(sweep, motion, direction):
    """The two frequencies that a sweep jumps between, where both are steady."""
    frequency, steady = (sweep.sweeps[direction][key] for key in ("frequency", "steady"))
    known = np.flatnonzero(steady)[np.argsort(frequency[steady != 0])]
    jump = np.abs(np.diff(np.log(sweep.amplitude(motion, direction)[known]))).argmax()
    return frequency[known[jump:jump + 2]]


class Curves:
    """Those that were computed, by figure and load."""

    def __init__(self, results, loads, short):
        self.short = short
        self.found = {figure: {load: BalancedCurve(results[name_of(figure, load)], m2(load)) for load in some} for figure, some in loads.items()}
        self.jumps = {load: Response(results[name_of("fig_9", load)], "jumps") for load in loads["fig_9"] if load in FOLDED}

    def rows(self, judge):
        yield from self.figure_8(judge)
        yield from self.figure_9(judge)

    def off_sines(self, judge, figure, load, low=False):
        """Largest difference of stepped sines, of all sweeps, below or above the frequencies where third harmonics are large; and how many."""
        sweep = judge.sweeps[figure]
        chosen = (sweep.frequency < LOW) == low
        off = [self.found[figure][load].differences(sweep, m2(load), direction, STEPS)[chosen] for direction in sweep.sweeps]
        return np.nanmax(np.abs(off)), np.count_nonzero(np.isfinite(off))

    def figure_8(self, judge):
        for load in self.found["fig_8"]:
            off, count = self.off_sines(judge, "fig_8", load)
            yield Row("fig. 8", f"{load} N: stepped sines by the curve of harmonic balance, largest difference of {count} from {LOW:g} Hz on", 0, off, 1e-3, AGREE)
        off = max(self.off_sines(judge, "fig_8", load, low=True)[0] for load in self.found["fig_8"])
        yield Row("fig. 8", f"all loads: the same below {LOW:g} Hz, where third harmonics meet mode 2", 0, off, 9 * 2e-5 / (2 * judge.tools.DAMPING), claims.TWO_METHODS,
                  note="At 20 N and 18.4 Hz, where harmonic balance is right: next rows")
        for load, frequency in (claims.CHECK_KUTTA, *claims.few(claims.CHECKS_8, self.short)):
            yield Row("fig. 8", f"{load} N, {frequency:g} Hz: amplitude by harmonic balance, by scipy's", 1,
                      self.found["fig_8"][load].at(frequency) / judge.truth(load, frequency), 3 * accuracy_of(self.short), FROM_EVENTS)

    def figure_9(self, judge):
        for load, curve in self.found["fig_9"].items():
            off, count = self.off_sines(judge, "fig_9", load)
            yield Row("fig. 9", f"{load} N: steady stepped sines by the curve of harmonic balance, largest difference of {count} up and down", 0, off, 1e-3, AGREE)
        for load, sweep in self.jumps.items():
            yield from self.folds(load, sweep)
        for load, frequency, direction in claims.few(claims.CHECKS_9, self.short):
            if load in self.found["fig_9"]:
                yield Row("fig. 9", f"{load} N, {frequency:g} Hz, {direction}: amplitude by harmonic balance, by scipy's", 1,
                          self.found["fig_9"][load].at(frequency, direction) / judge.truth(load, frequency, direction), 3 * accuracy_of(self.short), FROM_EVENTS)

    def folds(self, load, sweep):
        """Of a load whose sweeps jump."""
        curve = self.found["fig_9"][load]
        back, stable = curve.points.heading < 0, curve.points.stable
        yield Row("fig. 9", f"{load} N: folds of the curve by harmonic balance", 2, len(curve.folds), 0, "'jumps ... relate to bifurcation phenomena': one for each direction")
        for direction, fold in zip(("up", "down"), curve.folds):
            low, high = jump_of(sweep, m2(load), direction)
            yield Row("fig. 9", f"{load} N: where the sweep {direction} jumps, by the fold of the curve [Hz]", fold, (low + high) / 2, (high - low) / 2 + 2e-5 * fold, BETWEEN)
        wrong = np.count_nonzero(stable[back] == 1) + np.count_nonzero(stable[~back & (curve.frequency < SETTLED)] == 2)
        yield Row("fig. 9", f"{load} N: points between the folds that are stable, and others up to {SETTLED:g} Hz that are not", 0, wrong, 0, FLOQUET)

    def remarks(self, results):
        """What has no number in the paper."""
        for load, curve in self.found["fig_9"].items():
            lost = curve.frequency[(curve.points.stable == 2) & (curve.frequency > SETTLED)]
            if len(lost):
                yield f"  {load} N: not stable from {lost[0]:.2f} Hz on, where a pair of multipliers has left the unit circle: motions get a second frequency, and sweeps are not steady"
        for figure, curves in self.found.items():
            sweep = results[figure].file["response/sweep"]
            swept_for = sum(float(np.nansum(group["seconds"][:])) for group in sweep.values() if hasattr(group, "keys"))
            points, seconds = (sum(numbers) for numbers in zip(*((len(curve.frequency), curve.points.seconds) for curve in curves.values())))
            judged = "with multipliers" if any(curve.points.judged for curve in curves.values()) else "without multipliers"
            yield f"{figure.replace('_', '. ')}, seconds of wall time: {len(curves)} curves of {points} points {judged} {seconds:.1f}; sweeps by stepped sines {swept_for:.1f}"
