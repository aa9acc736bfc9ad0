"""checks.py - the eleven oscillators of case.yaml beside what we did not write: the same equations integrated by scipy, branch by branch,
and the closed forms of the paper. scripts/reproduce jalali2022 does all of its sections 2 and 3 with these."""
import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import lambertw

OMEGA, SPRING = 9.85, 100.0  # Fig. 1; mass and force are 1
PERIOD = 2 * np.pi / OMEGA
E0, ALPHA0, KAPPA, ET, ET2, ET3 = 3000.0, 1.0, 0.1, 100.0, 2e6, 1.0  # Table 1
PER_LIMIT = 1 / (ALPHA0 * (1 - KAPPA * ET / E0))  # lambda/E0 of eq. 2, in the form that makes alpha0 the stick limit
TINY = 1e-13  # tolerance of the integrations

# g of eqs 3 to 5.
CURVES = {
    "linear": lambda x: ET * x,
    "quadratic": lambda x: ET * x + ET2 * x * np.abs(x),
    "bilinear": lambda x: np.where(x > 0, ET, ET3) * x,
}


def valanis(curve, kappa):
    """dF/dx of eq. 2 with g1 = g2 (case I), or of eq. 6 where kappa is 0 (case II)."""
    def slope(s, x, v, force):
        q = s * PER_LIMIT * (curve(x) - force)
        return E0 * (1 + q) / (1 + kappa * q)
    return slope


def generalized(constant, relax, forth, back=None):
    """dF/dx of eq. 8, and of eq. 7 where the way back has a P of its own."""
    return lambda s, x, v, force: constant + s * (np.where(s > 0, forth(x, v), (back or forth)(x, v)) - relax * force)


SLOPES = {
    **{f"{name}_{case}": valanis(curve, kappa) for name, curve in CURVES.items() for case, kappa in ((1, KAPPA), (2, 0.0))},
    "example_1": generalized(10, 20, lambda x, v: 5 * x),
    "example_2": generalized(10, 20, lambda x, v: 30 * x + 1400 * x**2 * np.abs(v)),
    "example_2_sign": generalized(10, 20, lambda x, v: 30 * x + 1400 * x**2 * np.sign(v)),
    "example_3": generalized(30, 500, lambda x, v: 1e4 * (5 * x + 3 * np.exp(x) * v)),
    "example_4": generalized(10, 20, lambda x, v: 40 * np.sin(x), lambda x, v: 15 * x),
}
SYMMETRIC = ("linear_1", "linear_2", "quadratic_1", "quadratic_2", "example_1", "example_2_sign")


def integrate(slope, start, times):
    """Displacement, velocity and force of an oscillator at `times`, from their values at the first of them. Between two reversals the
    equations are smooth, so every reversal is found and begins a new integration."""
    def acceleration(time, state):
        return np.sin(OMEGA * time) - SPRING * state[0] - state[2]

    state, begin, pieces = np.array(start, float), times[0], []
    sense = np.sign(state[1]) or 1.0  # from rest the load pushes forwards
    while True:
        def rates(time, y, s=sense):
            return y[1], acceleration(time, y), slope(s, *y) * y[1]

        def reversal(time, y, s=sense):
            return s * y[1]

        reversal.terminal, reversal.direction = True, -1
        done = solve_ivp(rates, (begin, times[-1]), state, method="DOP853", rtol=TINY, atol=TINY, events=reversal, dense_output=True)
        covered = (times >= begin) & (times <= done.t[-1]) if not pieces else (times > begin) & (times <= done.t[-1])
        pieces.append(done.sol(times[covered]))
        if done.status == 0:
            return np.hstack(pieces)
        begin, state, sense = done.t[-1], np.array([done.y[0, -1], 0.0, done.y[2, -1]]), -sense


class Loop:
    """The last periods of an oscillator, as dovetail found them."""

    def __init__(self, result, name, periods=1):
        run = result["/transient/steady"]
        time = run["time"]
        self.name, self.samples = name, int(round(PERIOD / (time[1] - time[0])))
        last = slice(len(time) - periods * self.samples - 1, len(time))
        self.time = time[last]
        self.x, self.force = (run[f"joints/{name}/x/{key}"][last] for key in ("displacement", "force"))
        self.v = run[f"points/{name}/velocity"][last, 0]

    @property
    def slope(self):
        """dF/dx by the law itself, exactly."""
        return SLOPES[self.name](np.sign(self.v), self.x, self.v, self.force)

    @property
    def amplitude(self):
        return np.ptp(self.x) / 2

    @property
    def area(self):
        """The work of a cycle; samples close the loop."""
        return float(np.sum((self.force[1:] + self.force[:-1]) * np.diff(self.x)) / 2)

    @property
    def reversals(self):
        return int(np.count_nonzero(np.diff(np.sign(self.v))))

    @property
    def asymmetry(self):
        """How far half a period later is from the opposite, by the amplitude of the force."""
        half = self.samples // 2
        return float(np.max(np.abs(self.force[half:] + self.force[:-half])) / np.max(np.abs(self.force)))

    def branches(self):
        """Samples between two reversals, and the direction."""
        ends = np.flatnonzero(np.diff(np.sign(self.v))) + 1
        for begin, end in zip([0, *ends], [*ends, len(self.v)]):
            if end - begin > 4:
                yield slice(begin, end), np.sign(self.v[begin])

    def reference(self):
        """The same by scipy, from the first of these states."""
        return integrate(SLOPES[self.name], (self.x[0], self.v[0], self.force[0]), self.time)


def closed_linear(s, x, constant, relax, alpha, x_0, force_0):
    """Eq. 9 through a point of the loop. At x_0 = 0 its c is that of eq. 10, with s F in place of F."""
    level = constant / relax - alpha / relax**2
    c = (s * (force_0 - alpha / relax * x_0) - level) * np.exp(s * relax * x_0)
    return s * (level + c * np.exp(-s * relax * x)) + alpha / relax * x


def closed_quadratic(s, x, constant, relax, alpha, beta, x_0, force_0):
    """Eq. 11 through a point of the loop, for P = alpha x + beta x^2 sgn(v)."""
    level = (constant * relax**2 - alpha * relax + 2 * beta * 1) / relax**3
    tilt = (2 * beta - relax * alpha) / relax**2

    def steady(x):
        return s * (level + beta / relax * x**2) - tilt * x

    return steady(x) + (force_0 - steady(x_0)) * np.exp(-s * relax * (x - x_0))


def closed_valanis(s, x, kappa, x_0, force_0):
    """Eq. 2 with g = Et x, solved by Lambert's W: with q = s (lambda/E0)(F - g), delta = q_inf - q and a = 1 - kappa q_inf,
    a ln(delta/delta_0) + kappa (delta - delta_0) = -rate s (x - x_0)."""
    limit, rate = (E0 - ET) / (E0 - kappa * ET), PER_LIMIT * (E0 - kappa * ET)
    a, delta_0 = 1 - kappa * limit, limit - s * PER_LIMIT * (force_0 - ET * x_0)
    if kappa == 0:
        delta = delta_0 * np.exp(-rate * s * (x - x_0))
    else:
        right = a * np.log(delta_0) + kappa * delta_0 - rate * s * (x - x_0)
        delta = a / kappa * lambertw(kappa / a * np.exp(right / a)).real
    return ET * x + s * (limit - delta) / PER_LIMIT


CLOSED = {
    "linear_1": lambda s, x, *point: closed_valanis(s, x, KAPPA, *point),
    "linear_2": lambda s, x, *point: closed_valanis(s, x, 0.0, *point),
    "example_1": lambda s, x, *point: closed_linear(s, x, 10, 20, 5, *point),
    "example_2_sign": lambda s, x, *point: closed_quadratic(s, x, 10, 20, 30, 1400, *point),
}


def by_closed_form(loop, closed=None):
    """The force along every branch by its closed form through the sample in the middle of it; NaN at samples of no branch."""
    force = np.full_like(loop.force, np.nan)
    for part, s in loop.branches():
        middle = (part.start + part.stop) // 2
        force[part] = (closed or CLOSED[loop.name])(s, loop.x[part], loop.x[middle], loop.force[middle])
    return force


def largest(difference, values):
    return float(np.nanmax(np.abs(difference)) / np.max(np.abs(values)))


def measure(result):
    found = {}
    for name in SLOPES:
        loop, two = Loop(result, name), Loop(result, name, 2)
        found[f"{name}, one period from the next"] = largest(two.x[loop.samples:] - two.x[:-loop.samples], two.x)
        x, _, force = loop.reference()
        found[f"{name}, displacement by scipy"] = largest(loop.x - x, x)
        found[f"{name}, force by scipy"] = largest(loop.force - force, force)
        if name in SYMMETRIC:
            found[f"{name}, asymmetry"] = loop.asymmetry
        if name in CLOSED:
            found[f"{name}, closed form"] = largest(loop.force - by_closed_form(loop), loop.force)
    found["the work of a cycle and what the joint dissipates"] = work_by_dissipated(result)
    return found


def work_by_dissipated(result):
    """Largest difference, over all joints, by the work: in a steady cycle nothing is stored."""
    differences = []
    for name in SLOPES:
        loop, lost = Loop(result, name), result[f"/transient/steady/joints/{name}/x/dissipated"]
        differences.append((lost[-1] - lost[-1 - loop.samples]) / loop.area - 1)
    return float(np.max(np.abs(differences)))
