"""checks.py - what the paper reads off its simulations of the Sumali beam, read off ours: damping along decays beside eq. 13 with the fitted parameters of Table 5. The tools are those of the three masses."""
import importlib.util
import os

import numpy as np

_path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "three_mass", "checks.py")
_spec = importlib.util.spec_from_file_location("three_mass", _path)
three_mass = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(three_mass)

# Table 5 of lacayo2017: K_infinity, zeta_0, F_S, K_T, chi, beta of the modal Iwan models.
FITS = {
    7: (4.235e5, 1e-4, 1.802, 1.537e5, -0.1369, 2.561),
    8: (1.673e6, 1e-4, 1.518, 1.340e5, -0.1620, 2.000),
    9: (7.321e6, 1e-4, 6.934, 2.822e6, -0.1008, 1.529),
}
# Simulations of Table D.1 whose amplitude stays below half of phi_max, and those far beyond it.
MICROSLIP = {7: (6, 7, 8), 8: (15, 16, 17), 9: (22, 23, 24)}
MACROSLIP = {7: (1, 2), 8: (9, 10), 9: (18, 19)}


def damping_by_table(result, mode, simulation):
    """The measured damping by that of Table 5, where it is farthest from it."""
    fit = three_mass.ModalIwan(*FITS[mode])
    _, q, _, zeta = three_mass.read_decay(result, f"selective_{simulation:02d}", mode)
    return three_mass.farthest_from_one(zeta / fit.damping(q))


def measure(result):
    numbers = {"worst energy error": max(three_mass.energy_not_in_balance(group) for group in result["/transient"].values())}
    for name, simulations in (("microslip", MICROSLIP), ("macroslip", MACROSLIP)):
        for mode in FITS:
            numbers[f"mode {mode}, zeta in {name}"] = three_mass.farthest_from_one(
                np.array([damping_by_table(result, mode, simulation) for simulation in simulations[mode]]))
    return numbers
