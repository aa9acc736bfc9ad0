"""jalali2022_fits.py - section 3 of the paper: what the identification of section 2.3 finds of the four examples, Tables 2 to 5."""
import dataclasses
import re

import numpy as np

from .rows import Row, half_digit

ROUND_OFF = 1e-7  # relative: condition numbers of up to 1e6 times the round-off of slopes
TERM = re.compile(r"(?:x(\d*))?(?:v(\d*))?$")
SLOPES = 1e-3  # relative: the accuracy of slopes that the study presumes, its `resolution`
PAPERS_OWN = (f"{SLOPES:g} of the value, or how far the paper's own identified value is off the exact one if that is less: its sampling and "
              "differentiation are not given, so its digits cannot come again")
EXACT_SLOPE = f"{ROUND_OFF:g} of the value: round-off times the condition number; the slopes are those of the law"


@dataclasses.dataclass
class Fit:
    """One identification: a branch of an oscillator's loop, the terms of P, what the paper simulated and what it identified."""

    oscillator: str
    table: str
    terms: list
    symbols: list  # of E1, the terms, E2 in the paper
    exact: list
    printed: list
    branch: str = "up"
    hidden: tuple = ()  # what no loop of this size determines
    about: str = ""

    @property
    def name(self):
        return self.oscillator if self.branch == "up" else f"{self.oscillator}_{self.branch}"


FITS = (
    Fit("example_1", "Table 2", ["x"], ["E1", "alpha", "E2"], [10, 5, 20], ["10.004", "5.017", "20.011"]),
    Fit("example_1", "Section 3.1", ["x"], ["E1", "alpha", "E2"], [10, 5, 20], ["10.004", "5.017", "20.011"], branch="down", about=", other branch"),
    Fit("example_2", "Table 3", ["x", "x2v"], ["E1", "alpha", "beta", "E2"], [10, 30, 1400, 20], ["10.018", "30.53", "1397.1", "20.042"]),
    Fit("example_2_sign", "Table 3, eq. 11", ["x", "x2"], ["E1", "alpha", "beta", "E2"], [10, 30, 1400, 20], ["10.018", "30.53", "1397.1", "20.042"],
        about=", x^2 sgn v"),
    Fit("example_3", "Table 4", ["x", "v", "xv"], ["E1", "a1", "a2", "a3", "E2"], [30, 5e4, 3e4, 3e4, 500], ["29.52", "5e4", "29991", "22104", "499.53"],
        hidden=("a3",)),
    Fit("example_4", "Table 5", ["x", "x3", "x5"], ["E1", "a1", "a2", "a3", "E2"], [10, 40, -40 / 6, 40 / 120, 20],
        ["10", "40.09", "-22.24", "1176.6", "20.02"], hidden=("a2", "a3")),
    Fit("example_4", "Table 5", ["x"], ["E1", "a4", "E2"], [10, 15, 20], ["10", "15.14", "20.02"], branch="down", about=", v < 0"),
)


def study(fit, data):
    return {"fit_polynomial": {"name": fit.name, "branch": fit.branch, "terms": fit.terms, "data": data}}


def studies_of_motion(begin):
    """From the last period that dovetail computed."""
    return [study(fit, {"of": "steady", "joint": fit.oscillator, "direction": "x", "from": float(begin)}) for fit in FITS]


def studies_of_records(path):
    """From columns that hold velocity and slope too."""
    keys = ("time", "displacement", "velocity", "force", "slope")
    return [study(fit, {"file": path, **{key: f"/{fit.oscillator}/{key}" for key in keys}}) for fit in FITS]


class Identified:
    """What a study fit_polynomial found."""

    def __init__(self, fit, group):
        self.fit = fit
        names = [name.decode() for name in group["names"][:]]
        if names != ["E1", *fit.terms, "E2"]:
            raise ValueError(f"{fit.name}: {names}")
        self.values, self.errors, self.shares = (group[key][:] for key in ("value", "standard_error", "share"))
        self.identifiable = group["identifiable"][:].astype(bool)
        self.condition, self.misfit = group["condition"][:], float(group["misfit"][0])
        count = int(group["points"][0])
        self.x, self.v, self.force, self.slope, self.fitted = (group[key][:count] for key in ("displacement", "velocity", "force", "slope", "fitted"))

    def polynomial(self, x, v):
        return sum(value * x**i * v**j for value, (i, j) in zip(self.values[1:-1], map(powers, self.fit.terms)))

    def slope_at(self, s, x, v, force):
        """dF/dx by what was identified where v > 0; where v < 0 by what the oscillator's P says of |v| and sgn v."""
        polynomial = {"example_2": lambda: self.polynomial(x, np.abs(v)), "example_2_sign": lambda: s * self.polynomial(s * x, v)}
        return self.values[0] + s * (polynomial.get(self.fit.oscillator, lambda: self.polynomial(x, v))() - self.values[-1] * force)


def powers(term):
    """Exponents of x and v in a name such as x2v."""
    return tuple(0 if text is None else int(text or 1) for text in TERM.match(term).groups())


def read_all(result, exact):
    """What was identified, by the kind of slopes and the name of the fit."""
    return {kind: {fit.name: Identified(fit, source.file[f"fit_polynomial/{fit.name}"]) for fit in FITS} for kind, source in (("motion", result), ("exact", exact))}


def both_ways(identified, name):
    """What was identified from displacement and force for the way forth and the way back; of example 4 alone these are two."""
    forth = identified["motion"][name]
    return forth, identified["motion"]["example_4_down"] if name == "example_4" else forth


def reconstruct(loop, forth, back):
    """The force along the path of a loop by what was identified on each branch: two samples at a time by Runge and Kutta, the first period
    only to forget the beginning. Times of the path, and the force there."""
    def rate(i, force):
        identified = forth if loop.v[i] > 0 else back
        return identified.slope_at(np.sign(loop.v[i]), loop.x[i], loop.v[i], force) * loop.v[i]

    step = 2 * (loop.time[1] - loop.time[0])
    places = np.arange(0, len(loop.time) - 2, 2)
    forces = np.empty(len(places) + 1)
    force = loop.force[0]
    for _ in range(2):
        forces[0] = force
        for k, i in enumerate(places):
            first = rate(i, force)
            second = rate(i + 1, force + step / 2 * first)
            third = rate(i + 1, force + step / 2 * second)
            force = force + step / 6 * (first + 2 * second + 2 * third + rate(i + 2, force + step * third))
            forces[k + 1] = force
    return np.append(places, places[-1] + 2), forces


def own_tolerance(exact, printed):
    """How far the paper's value is off, and no less than half a unit of its last digit; but no more than the slopes are."""
    value, digit = half_digit(printed)
    return min(max(abs(value - exact), digit), SLOPES * abs(exact))


def rows_of(by_motion, by_law):
    """A fit's unknowns: found from the motion within the paper's own error, and with exact slopes to round-off; what cannot be found is said so."""
    fit = by_motion.fit
    for j, (symbol, exact, printed) in enumerate(zip(fit.symbols, fit.exact, fit.printed)):
        name = f"{fit.name.replace('_down', '')}{fit.about}: {symbol}"
        if symbol in fit.hidden:
            yield Row(fit.table, f"{name} identifiable", 0, by_motion.identifiable[j], 0,
                      "the slopes are explained as well without it (errata), and the study must say so")
            continue
        yield Row(fit.table, f"{name} identifiable", 1, by_motion.identifiable[j], 0, "a flag")
        yield Row(fit.table, name, exact, by_motion.values[j], own_tolerance(exact, printed), PAPERS_OWN)
        if not fit.hidden:
            yield Row(fit.table, f"{name}, exact slopes", exact, by_law.values[j], ROUND_OFF * abs(exact), EXACT_SLOPE)


def reconstructions(identified, found, tools):
    """Figures 4 to 7: the loops again, from what was identified."""
    for number, name in zip("4567", ("example_1", "example_2", "example_3", "example_4")):
        loop = found[name]
        places, force = reconstruct(loop, *both_ways(identified, name))
        yield Row(f"Fig. {number}", f"{name}: loop reconstructed, largest difference by the largest force", 0, tools.largest(force - loop.force[places], loop.force),
                  1e-3, "'high', 'acceptable accuracy': a line's width of the figures, 1e-3", kind="at most")


def rows(identified, found, tools):
    for by_motion, by_law in zip(identified["motion"].values(), identified["exact"].values()):
        yield from rows_of(by_motion, by_law)
    worst = max(by_law.condition[0] for by_law in identified["exact"].values())
    yield Row("Eq. 17", "largest condition number of H, which the normal equations square", 6e5, worst, 0.3, "decades: errata; it hangs on the samples", kind="factor")
    yield from reconstructions(identified, found, tools)


def print_tables(identified):
    """Tables 2 to 5 with the paper's digits, which hang on a sampling and a differentiation that it does not tell."""
    print("\nTables 2 to 5: exact, as the paper identified it, ours from displacement and force, its standard error and share of the slopes, ours with exact slopes (no part of the verdict):\n")
    line = "{:<17} {:<22} {:>12} {:>12} {:>14} {:>10} {:>10} {:>16}  {}".format
    print(line("table", "unknown", "exact", "paper", "ours", "error", "share", "exact slopes", ""))
    for name, ours in identified["motion"].items():
        fit, other = ours.fit, identified["exact"][name]
        for j, symbol in enumerate(fit.symbols):
            print(line(fit.table, f"{name} {symbol}", f"{fit.exact[j]:.6g}", fit.printed[j], f"{ours.values[j]:.7g}", f"{ours.errors[j]:.1e}", f"{ours.shares[j]:.1e}",
                       f"{other.values[j]:.10g}", "" if ours.identifiable[j] else "not identifiable"))
        print(f"{'':18}misfit {ours.misfit:.1e} of the slopes; condition of H {ours.condition[0]:.1e}, of its columns scaled {ours.condition[1]:.1e}")
