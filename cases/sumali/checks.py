"""checks.py - the energies of the Sumali beam, and the published parameters of its modal models; what the paper reads off its simulations
is compared by scripts/reproduce lacayo2017. The tools are those of the three masses."""
import importlib.util
import os

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


def measure(result):
    return {"worst energy error": max(three_mass.energy_not_in_balance(group) for group in result["/transient"].values())}
