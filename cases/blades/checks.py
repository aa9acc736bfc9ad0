"""checks.py - frequencies of cantilevers with a mass and a spring at the tip, by their characteristic equation; and when the joint stops."""
import numpy as np
import scipy.optimize

E, RHO, LENGTH, THICK, WIDE, MASS, SPRING, SLIP_FORCE = 210e9, 7850.0, 0.3, 0.002, 0.02, 0.05, 500.0, 0.5
AREA = THICK * WIDE


def frequency(inertia, spring, number):
    """Of mode `number` from 0: Euler's and Bernoulli's beam, V = (k - M omega^2) w and no moment at the tip."""
    mass, stiffness = MASS / (RHO * AREA * LENGTH), spring * LENGTH**3 / (E * inertia)

    def residual(x):
        """Over cosh x."""
        return 1 / np.cosh(x) + np.cos(x) + (stiffness / x**3 - mass * x) * (np.sin(x) - np.cos(x) * np.tanh(x))

    grid = np.linspace(0.1, 12, 2000)
    values = residual(grid)
    roots = [scipy.optimize.brentq(residual, a, b) for a, b, u, v in zip(grid, grid[1:], values, values[1:]) if u * v < 0]
    return roots[number] ** 2 * np.sqrt(E * inertia / (RHO * AREA)) / LENGTH**2 / (2 * np.pi)


def measure(result):
    weak, strong = WIDE * THICK**3 / 12, THICK * WIDE**3 / 12
    expected = {"alike, first": (0, frequency(weak, 0, 0)), "alike, second": (2, frequency(weak, 0, 1)),
                "opposed, first": (1, frequency(weak, 2 * SPRING, 0)), "opposed, second": (3, frequency(weak, 2 * SPRING, 1)),
                "edgewise, first blade": (4, frequency(strong, 0, 0)), "edgewise, second blade": (5, frequency(strong, 0, 0))}
    numbers = {name: result["/modes/stuck/frequency"][mode] / value for name, (mode, value) in expected.items()}
    for mode in (0, 1):
        numbers[f"slipping, mode {mode + 1}"] = result["/modes/slipping/frequency"][mode] / frequency(weak, 0, 0)
    run = result["/transient/hit"]
    lost = run["joints/rub/y/dissipated"][:]
    last = len(lost) * 3 // 4
    numbers["lost in the last quarter"] = lost[-1] - lost[last]
    numbers["it sticks at last"] = np.ptp(run["joints/rub/y/displacement"][last:]) / 2 <= SLIP_FORCE / SPRING
    numbers["energy error"] = np.abs(run["energy/balance"][:]).max() / run["energy/work"][-1]
    return numbers
