"""checks.py - decays of the three masses beside the closed forms of the joint itself, and the published parameters of the modal models;
what the paper reads off its simulations is compared by scripts/reproduce lacayo2017."""
import numpy as np

# Table 3 of lacayo2017: K_infinity, zeta_0, F_S, K_T, chi, beta of the modal Iwan models.
FITS = {
    1: (0.1782, 1e-4, 0.4462, 1.917e-3, -0.5002, 5.700),
    2: (1.399, 1e-4, 2.877, 7.843e-2, -0.5150, 5.614),
    3: (2.922, 1e-4, 3.278, 0.1196, -0.5070, 4.800),
}


class ModalIwan:
    """A modal Iwan model and its closed forms, eqs 8 to 13."""

    def __init__(self, stiffness, zeta, slip_force, joint_stiffness, chi, beta):
        self.slipping, self.zeta, self.slip_force, self.joint, self.chi, self.beta = stiffness, zeta, slip_force, joint_stiffness, chi, beta
        strength = beta + (chi + 1) / (chi + 2)
        self.limit = slip_force * (1 + beta) / (joint_stiffness * strength)  # phi_max, eq. 10
        self.density = slip_force * (chi + 1) / (self.limit ** (chi + 2) * strength)  # R, eq. 11
        self.omega_0 = np.sqrt(stiffness + joint_stiffness)

    def omega(self, q):
        """Eq. 12 with eq. 8, in whose printed form the secant stiffness has chi + 1 for chi + 2."""
        lost = (np.minimum(q, self.limit) / self.limit) ** (self.chi + 1) / ((self.chi + 2) * (self.beta + 1))
        return np.sqrt(self.slipping + np.where(q < self.limit, self.joint * (1 - lost), 0))

    def damping(self, q):
        """Eq. 13 with eq. 9."""
        micro = 4 * self.density * q ** (self.chi + 3) / ((self.chi + 3) * (self.chi + 2))
        lost = 2 * np.pi * self.zeta * self.omega_0 * self.omega(q) * q**2 + np.where(q < self.limit, micro, 4 * self.slip_force * q)
        return lost / (2 * np.pi * (self.omega(q) * q) ** 2)


def joint_alone(result, mode):
    """The joint seen by one mode as long as its shape stays that of the stuck joint: exact in the limit of small amplitudes."""
    shape, omega = result["/modes/stuck/shape"][:, mode - 1], result["/modes/stuck/omega"][mode - 1]
    stretch = abs(shape[2] - shape[1])
    return ModalIwan(omega**2 - stretch**2, 1e-4, 10 * stretch, stretch**2, -0.5, 5)  # F_S = 10, K_T = 1


def read_decay(result, run, mode):
    """Times, |q|, omega and zeta along a free decay, as the study ring_down has measured them."""
    group = result[f"/ring_down/{run}/mode{mode}"]
    rows = np.array([group[name][:] for name in ("time", "amplitude", "omega", "zeta")])
    return rows[:, np.isfinite(rows[0])]


def farthest_from_one(ratios):
    return ratios[np.argmax(np.abs(ratios - 1))]


def limit_of_damping(result, runs, mode):
    """Damping extrapolated to no amplitude: eq. 13 is zeta_0 + c |q|^(chi + 1) there, with chi + 1 = 1/2."""
    decays = np.hstack([read_decay(result, run, mode) for run in runs])
    return np.polyfit(np.sqrt(decays[1]), decays[3], 1)[1]


def energy_not_in_balance(group):
    """Largest error of the energy balance recorded with a run, by the work put in."""
    energy = group["energy"]
    return np.abs(energy["balance"][:]).max() / energy["work"][:].max()


def made_from_nothing(group):
    """How much more a joint's law has dissipated than was put into the joint, by the work: positive only by the error of the time step."""
    energy = group["energy"]
    dissipated = sum(direction["dissipated"][:] for joint in group["joints"].values() for direction in joint.values())
    return np.max(dissipated - energy["joints"][:]) / energy["work"][:].max()


def measure_decays(result):
    """Small amplitudes: the joint as one mode sees it, and the limit of no amplitude."""
    numbers = {}
    for mode, run in {1: "selective_09", 2: "selective_18", 3: "selective_27"}.items():
        alone = joint_alone(result, mode)
        _, q, omega, zeta = read_decay(result, run, mode)
        numbers[f"mode {mode}, omega by the joint"] = farthest_from_one(omega / alone.omega(q))
        numbers[f"mode {mode}, zeta by the joint"] = farthest_from_one(zeta / alone.damping(q))
    for mode, runs in {1: ("selective_08", "selective_09"), 2: ("selective_17", "selective_18"), 3: ("selective_27", "selective_28")}.items():
        numbers[f"mode {mode}, linear damping"] = limit_of_damping(result, runs, mode)
    return numbers


def measure(result):
    runs = list(result["/transient"].values())
    return {
        "worst energy error": max(energy_not_in_balance(group) for group in runs),
        "worst energy from nothing": max(made_from_nothing(group) for group in runs),
        **measure_decays(result),
    }
