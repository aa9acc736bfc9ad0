"""checks.py - k_theta, M and J from three frequencies beside what we did not write: the beam of case.yaml by textbook elements in numpy, its
frequencies by scipy, least squares by scipy's `least_squares`, intervals by its Jacobian."""
import numpy as np
from scipy.linalg import block_diag, eigh
from scipy.optimize import least_squares

LENGTH, WIDTH, THICKNESS, YOUNG, DENSITY, ELEMENTS = 0.2, 0.1, 0.007, 200e9, 7850.0, 12  # of each half
AREA, INERTIA = WIDTH * THICKNESS, WIDTH * THICKNESS**3 / 12
K_W = 3.33e8  # Table 6
TABLE_7 = np.array([22089.0, 0.06912, 16.011e-5])
TARGETS, ERRORS = np.array([34.59051208, 196.96981332, 589.56571707]), np.array([4e-5, 2e-4, 4e-3])  # of case.yaml
NORMAL_95 = 1.959963984540054


def half():
    """Stiffness and mass of one half: cubic elements with consistent mass and rotary inertia [w, slope at each node]."""
    h = LENGTH / ELEMENTS
    bending = np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h**2, -6 * h, 2 * h**2], [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h**2, -6 * h, 4 * h**2]]) / h**3
    motion = np.array([[156, 22 * h, 54, -13 * h], [22 * h, 4 * h**2, 13 * h, -3 * h**2], [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h**2, -22 * h, 4 * h**2]]) * h / 420
    turning = np.array([[36, 3 * h, -36, 3 * h], [3 * h, 4 * h**2, -3 * h, -h**2], [-36, -3 * h, 36, -3 * h], [3 * h, -h**2, -3 * h, 4 * h**2]]) / (30 * h)
    stiffness, mass = np.zeros((2, 2 * ELEMENTS + 2, 2 * ELEMENTS + 2))
    for first in range(0, 2 * ELEMENTS, 2):
        place = slice(first, first + 4)
        stiffness[place, place] += YOUNG * INERTIA * bending
        mass[place, place] += DENSITY * (AREA * motion + INERTIA * turning)
    return stiffness, mass


def structure():
    """Both halves, held at the root, with the joint stuck; and what k_theta adds to the stiffness, M and J to the mass, for one of each."""
    matrices = [block_diag(matrix[2:, 2:], matrix) for matrix in half()]
    inner, outer = 2 * ELEMENTS - 2, 2 * ELEMENTS  # their motions at the joint; slopes follow
    size = len(matrices[0])
    across, turn = np.zeros((2, size))
    across[[inner, outer]] = turn[[inner + 1, outer + 1]] = 1, -1
    flanges, rolling = np.zeros((2, size, size))
    flanges[[inner, outer], [inner, outer]] = rolling[[inner + 1, outer + 1], [inner + 1, outer + 1]] = 1
    return matrices[0] + K_W * np.outer(across, across), matrices[1], (np.outer(turn, turn), flanges, rolling)


STIFFNESS, MASS, PARTS = structure()


def frequencies(values, count=3):
    """The lowest [Hz], by the largest eigenvalues of the inverse problem, which have the better digits; and their derivatives [Fox, Kapoor 1968]."""
    stiffness, mass = STIFFNESS + values[0] * PARTS[0], MASS + values[1] * PARTS[1] + values[2] * PARTS[2]
    inverse, shapes = eigh(mass, stiffness, subset_by_index=[len(mass) - count, len(mass) - 1])
    square, shapes = 1 / inverse[::-1], shapes[:, ::-1] / np.sqrt(inverse[::-1])
    energies = np.array([np.einsum("im,ij,jm->m", shapes, part, shapes) for part in PARTS])
    energies[1:] *= -square
    found = np.sqrt(square) / (2 * np.pi)
    return found, (energies / (8 * np.pi**2 * found)).T


def fit():
    """The best values, and half their intervals, all in logarithms."""
    def deviate(logs):
        return (frequencies(np.exp(logs))[0] - TARGETS) / ERRORS

    def jacobian(logs):
        return frequencies(np.exp(logs))[1] * np.exp(logs) / ERRORS[:, None]

    found = least_squares(deviate, np.log(TABLE_7), jacobian, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    return found.x, NORMAL_95 * np.sqrt(np.diag(np.linalg.inv(found.jac.T @ found.jac)))


def measure(result):
    logs, half_width = fit()
    hertz, slopes = frequencies(np.exp(logs), 4)
    update = {key: result["update"][key][:] for key in ("value", "low", "high", "sensitivity")}
    found = {"sensitivities by scipy": float(np.abs(update["sensitivity"] / slopes[:3] - 1).max())}
    for i, name in enumerate(("k_theta", "M", "J")):
        for key, expected in (("value", logs[i]), ("low", logs[i] - half_width[i]), ("high", logs[i] + half_width[i])):
            found[f"{name}, {key} by scipy"] = float((np.log(update[key][i]) - expected) / (2 * half_width[i]))  # of the width
    best, low, high = (result[f"update/predictions/{key}"][0] for key in ("at_best", "low", "high"))
    found["fourth frequency by scipy"] = float(best / hertz[3])
    found["fourth frequency of Table 7, within the band"] = float(low <= frequencies(TABLE_7, 4)[0][3] <= high)
    return found
