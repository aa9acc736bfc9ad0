"""jalali2022_loops.py - section 2 of the paper: the Valanis law in its two cases, figure 2, and the closed forms, eqs 9 to 12."""
import numpy as np
from scipy.optimize import brentq
from scipy.spatial import cKDTree

from .rows import Row

SHAPES = ("linear", "quadratic", "bilinear")
NEAR, FAR = 1e-5, 0.02  # [m] where the law still sticks, and where it has slipped sixty times as far as it sticks
BEND, FINE = 1e-3, 4000  # [m] as far as the curves bend, and steps of it
ERRATA = "the paper says 'slightly scaled'; the number is of an independent integration (errata), to its last digit"
ROUND_OFF = "by the largest force; round-off: the law is exact along a step, and the closed form goes through a point of the same branch"
STEP = "by the amplitude; second order of the step: 2000 to a period (tests/verify/test_rate_laws_in_motion.py)"
STEADY = "what is left of the transient"
READ = 1e-6
DIFFERENCE = f"{READ:g} of the value: tangents are differences, over 2.5e-8 m at rest"
READ_BENT = 1e-5
BENT_DIFFERENCE = f"{READ_BENT:g} of the value: tangents are differences, over 5e-7 m"
LINE = 10_000  # points that a loop is drawn with when distances are measured


def studies():
    """The laws of figure 2 pushed out of stick and far into slip, and slowly to where they bend."""
    far = [{"loop": {"name": f"{name}_{case}_far", "law": f"{name}_{case}", "path": {"ramp": {"through": [s * NEAR, s * FAR]}}}}
           for name, s in (("linear", 1), ("bilinear", -1)) for case in (1, 2)]
    bent = [{"loop": {"name": f"{name}_bent", "law": name, "path": {"ramp": {"through": [BEND]}}, "steps": FINE}} for name in ("linear_1", "quadratic_1", "quadratic_2")]
    return far + bent


def dense(loop):
    """The loop by its amplitudes, as a line of many points."""
    places = np.linspace(0, len(loop.x) - 1, LINE)
    every = np.arange(len(loop.x))
    return np.column_stack([np.interp(places, every, values) / np.max(np.abs(values)) for values in (loop.x - np.mean([loop.x.min(), loop.x.max()]), loop.force)])


def unlike(first, second):
    """How far the shapes of two loops are apart at most, when each is drawn by its own amplitudes."""
    a, b = dense(first), dense(second)
    return max(cKDTree(a).query(b)[0].max(), cKDTree(b).query(a)[0].max())


def figure_2(found):
    pairs = [(found[f"{name}_1"], found[f"{name}_2"]) for name in SHAPES]
    for what, published, of in (("amplitude", (2, 7), lambda loop: loop.amplitude), ("area", (3, 13), lambda loop: loop.area)):
        percent = [100 * (of(second) / of(first) - 1) for first, second in pairs]
        yield Row("Fig. 2", f"case II: {what} larger than in case I, least of three [%]", published[0], min(percent), 0.5, ERRATA)
        yield Row("Fig. 2", f"case II: {what} larger than in case I, most of three [%]", published[1], max(percent), 0.5, ERRATA)
    for name, pair in zip(SHAPES, pairs):
        yield Row("Fig. 2", f"{name}: shapes of cases I and II differ by [% of the amplitude]", 5, 100 * unlike(*pair), 0,
                  "'relatively negligible effects on the shape' and 'very marginal', read as 5 %", kind="at most")
    for name in ("linear", "quadratic"):
        yield Row("Fig. 2", f"{name}: asymmetry of the loops", 0, max(found[f"{name}_{case}"].asymmetry for case in (1, 2)), 1e-9, STEADY)
    for case in (1, 2):
        loop = found[f"bilinear_{case}"]
        drift = 100 * (loop.x.max() + loop.x.min()) / np.ptp(loop.x)
        yield Row("Fig. 2", f"bilinear, case {'I' * case}: drift of the loop towards the softer side [% of its width]", -1, drift, 0,
                  "'a drifted non-symmetric hysteresis loop', read as more than 1 %", kind="at most")
    for case in (1, 2):
        yield Row("Fig. 2", f"quadratic, case {'I' * case}: reversals in a cycle", 3, found[f"quadratic_{case}"].reversals, 0, "more than two (errata)", kind="at least")


def lines(result, name):
    """Tangents of stick and of slip, and the force at which these lines meet: E0, Et, the stick limit."""
    x, force = (result.file[f"loop/{name}_far/{key}"][:] for key in ("displacement", "force"))
    first, second = force[1:3] / x[1:3]
    stick = (first * x[2] - second * x[1]) / (x[2] - x[1])  # a parabola through rest
    slip = (force[-1] - force[-2]) / (x[-1] - x[-2])
    return stick, slip, (force[-1] - slip * x[-1]) / (1 - slip / stick)


def bent(result, name, share):
    """Displacement, force and tangent this share of the way."""
    x, force = (result.file[f"loop/{name}_bent/{key}"][:] for key in ("displacement", "force"))
    k = round(share * FINE)
    return x[k], force[k], (force[k + 1] - force[k - 1]) / (x[k + 1] - x[k - 1])


def kappa_of(x, force, tangent, tools):
    """The one with which eq. 2 has this tangent, g being Et x."""
    def off(kappa):
        q = (tools.ET * x - force) / (tools.ALPHA0 * (1 - kappa * tools.ET / tools.E0))
        return tools.E0 * (1 + q) / (1 + kappa * q) - tangent
    return brentq(off, 0, 0.9, xtol=1e-14)


def curve_of(force, tangent, kappa, tools):
    """g of eq. 2, or of eq. 6 where kappa is 0, from force and tangent on the way forth."""
    share = tangent / tools.E0
    return force + (share - 1) / (1 - kappa * share) / tools.PER_LIMIT


def table_1(result, tools):
    """What the parameters mean, read from the laws far into slip, and where they bend."""
    yield Row("Table 1", "kappa, case I: from force and tangent of linear_1", tools.KAPPA, kappa_of(*bent(result, "linear_1", 0.3), tools), READ_BENT, BENT_DIFFERENCE)
    for case, kappa in ((1, tools.KAPPA), (2, 0.0)):
        x, force, tangent = bent(result, f"quadratic_{case}", 0.9)
        found = (curve_of(force, tangent, kappa, tools) - tools.ET * x) / x**2
        yield Row("Table 1", f"Et2, case {'I' * case}: from force and tangent of quadratic_{case} [N/m^2]", tools.ET2, found, READ_BENT * tools.ET2, BENT_DIFFERENCE)
        _, below, _ = lines(result, f"bilinear_{case}")
        yield Row("Table 1", f"Et3, case {'I' * case}: tangent in slip where x < 0 [N/m]", tools.ET3, below, READ * tools.ET3, DIFFERENCE)
    for case in (1, 2):
        stick, slip, limit = lines(result, f"linear_{case}")
        name = f"case {'I' * case}"
        yield Row("Table 1", f"E0, {name}: tangent at rest [N/m]", tools.E0, stick, READ * tools.E0, DIFFERENCE)
        yield Row("Table 1", f"Et, {name}: tangent in slip [N/m]", tools.ET, slip, READ * tools.ET, DIFFERENCE)
        meant, expected = ("alpha0", tools.ALPHA0) if case == 1 else ("E0/lambda", 1 / tools.PER_LIMIT)  # eq. 6 keeps lambda, so it slips a little earlier
        yield Row("Table 1", f"{meant}, {name}: where the lines of stick and slip meet [N]", expected, limit, READ * expected, DIFFERENCE)


def closed_forms(found, tools):
    named = {"linear_1": ("Eq. 2", "case I with g = Et x, by Lambert's W"), "linear_2": ("Eq. 6", "case II with g = Et x"),
             "example_1": ("Eq. 9", "P = alpha x, c of eq. 10 with s F"), "example_2_sign": ("Eq. 11", "P = alpha x + beta x^2 sgn v, c of eq. 12 with s F")}
    for name, (source, what) in named.items():
        loop = found[name]
        yield Row(source, f"{what}: largest difference on branches of {name}", 0,
                  tools.largest(loop.force - tools.by_closed_form(loop), loop.force), 1e-10, ROUND_OFF)


def simulations(found, tools):
    """Every loop beside scipy's."""
    for name, loop in found.items():
        x, _, force = loop.reference()
        apart = max(tools.largest(loop.x - x, x), tools.largest(loop.force - force, force))
        yield Row("Eqs 1 and 2" if "example" not in name else "Eqs 1 and 8", f"{name}: steady loop beside scipy's, largest difference", 0, apart, 1e-4, STEP)


def rows(result, found, tools):
    yield from figure_2(found)
    yield from table_1(result, tools)
    yield from closed_forms(found, tools)
    yield from simulations(found, tools)


def print_errata(found, tools):
    """How far the paper's own letters are off."""
    loop = found["example_1"]

    def printed(s, x, x_0, force_0):
        """Eq. 9 with c = F + alpha/E2^2 - E1/E2 of a point at x = 0."""
        at_zero = tools.CLOSED["example_1"](s, np.zeros(1), x_0, force_0)[0]
        level = 10 / 20 - 5 / 20**2
        return s * (level + (at_zero - level) * np.exp(-s * 20 * x)) + 5 / 20 * x

    with np.errstate(over="ignore"):
        off = {s: max(np.max(np.abs(printed(s, loop.x[part], loop.x[part][9], loop.force[part][9]) - loop.force[part])) for part, way in loop.branches() if way == s)
               for s in (1, -1)}
    most = np.max(np.abs(loop.force))
    other = found["example_2"]
    by_sign = tools.by_closed_form(other, tools.CLOSED["example_2_sign"])
    print("\nFormulas as they are printed, by the largest force (no part of the verdict):\n"
          f"  eq. 10, c = F + ...: off by {off[1] / most:.1e} where v > 0, by {off[-1] / most:.2g} where v < 0; c = s F + ... is right\n"
          f"  eq. 11 beside P = alpha x + beta x^2 |v|, which is printed above it: off by {tools.largest(other.force - by_sign, other.force):.2g}; "
          "it solves P = alpha x + beta x^2 sgn v")


def print_series(found):
    """What the polynomials of the law leave out of exp and sin along the loops."""
    x = found["example_3"].x
    left_of_exp = np.max(np.abs(np.expm1(x) - x - x**2 / 2) / np.exp(x))
    x = np.linspace(1e-3, np.max(np.abs(found["example_4"].x)), 100)
    left_of_sin = np.max(np.abs(np.sin(x) - x + x**3 / 6 - x**5 / 120) / np.sin(x))
    print("\nWhat the polynomials of generalized_valanis leave out along these loops; scipy, above, and the exact slopes of example 3 have exp and sin themselves:\n"
          f"  example 3: exp(x) v as v + x v + x^2 v / 2, {left_of_exp:.1e} of it; example 4: sin x as x - x^3/6 + x^5/120, {left_of_sin:.1e} of it")
