"""checks.py - what the paper reads off its simulations of the three masses, read off ours: amplitude, frequency and damping along decays,
beside the closed forms with the fitted parameters of Table 3 and with those of the joint itself."""
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


def most_in_microslip(result, run, mode):
    """The largest damping while the modal amplitude is below phi_max of Table 3, in units of the linear damping."""
    _, q, _, zeta = read_decay(result, run, mode)
    return zeta[q < ModalIwan(*FITS[mode]).limit].max() / 1e-4


def energy_not_in_balance(group):
    """Largest error of the energy balance recorded with a run, by the work put in."""
    energy = group["energy"]
    return np.abs(energy["balance"][:]).max() / energy["work"][:].max()


def made_from_nothing(group):
    """How much more a joint's law has dissipated than was put into the joint, by the work: positive only by the error of the time step."""
    energy = group["energy"]
    dissipated = sum(direction["dissipated"][:] for joint in group["joints"].values() for direction in joint.values())
    return np.max(dissipated - energy["joints"][:]) / energy["work"][:].max()


def measure_selective(result):
    fit = {mode: ModalIwan(*FITS[mode]) for mode in FITS}
    numbers = {}
    for mode, run in {1: "selective_07", 2: "selective_15", 3: "selective_25"}.items():
        _, q, omega, zeta = read_decay(result, run, mode)
        numbers[f"mode {mode}, omega by eq. 12"] = farthest_from_one(omega / fit[mode].omega(q))
        numbers[f"mode {mode}, zeta by eq. 13"] = farthest_from_one(zeta / fit[mode].damping(q))
    for mode, run in {1: "selective_09", 2: "selective_18", 3: "selective_27"}.items():
        alone = joint_alone(result, mode)
        _, q, omega, zeta = read_decay(result, run, mode)
        numbers[f"mode {mode}, omega by the joint"] = farthest_from_one(omega / alone.omega(q))
        numbers[f"mode {mode}, zeta by the joint"] = farthest_from_one(zeta / alone.damping(q))
    numbers["mode 1, linear damping"] = limit_of_damping(result, ("selective_08", "selective_09"), 1)
    numbers["mode 2, linear damping"] = limit_of_damping(result, ("selective_17", "selective_18"), 2)
    numbers["mode 3, linear damping"] = limit_of_damping(result, ("selective_27", "selective_28"), 3)
    numbers["mode 2, more than six times"] = most_in_microslip(result, "selective_13", 2) > 6
    numbers["mode 3, more than six times"] = most_in_microslip(result, "selective_23", 3) > 6
    return numbers


def measure_impact(result):
    fit = {mode: ModalIwan(*FITS[mode]) for mode in FITS}
    _, q, _, zeta = read_decay(result, "impact_15", 2)
    excess = np.interp(0.5, q[::-1], (zeta / fit[2].damping(q))[::-1])
    _, q, _, zeta = read_decay(result, "impact_03", 1)
    early = fit[1].damping(q[0]) / zeta[0]
    time, q, _, zeta = read_decay(result, "impact_12", 1)
    return {
        "u2 p = 30, mode 2, zeta at |q| = 0.5": excess,
        "u1 p = 15000, mode 1, 1/zeta early": early,
        "u2 p = 15000, mode 1, zeta after 1700 s": farthest_from_one((zeta / fit[1].damping(q))[time > 1700]),
    }


def measure(result):
    runs = list(result["/transient"].values())
    return {
        "worst energy error": max(energy_not_in_balance(group) for group in runs),
        "worst energy from nothing": max(made_from_nothing(group) for group in runs),
        **measure_selective(result),
        **measure_impact(result),
    }
