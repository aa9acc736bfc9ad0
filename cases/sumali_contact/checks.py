"""checks.py - the Sumali beam with areas of contact: frequencies beside numpy's, energies, and how damping changes with amplitude."""
import numpy as np
from scipy.linalg import eigh

K_N, K_T, SIDE, PARTS = 3.9e9, 4.73e8, 0.0254, 4  # as in case.yaml


def stiffness_of_area(tangential):
    """K of the six motions of a joint: the sum over parts of what each does when its face moves as a rigid body."""
    middles = SIDE * ((np.arange(PARTS) + 0.5) / PARTS - 0.5)
    total = np.zeros((6, 6))
    for y in middles:
        for z in middles:
            moves = np.hstack([np.eye(3), np.cross(np.eye(3), [0, y, z]).T])  # d + theta x r, r = (0, y, z)
            total += moves.T @ np.diag([K_N, tangential, tangential]) @ moves / PARTS**2
    return total


def frequencies(result, tangential):
    """Of all modes, from the exported matrices and our own stiffness of each area."""
    system = result["/system"]
    rows = [name.decode() for name in system["joint_rows"][:]]
    stiffness = system["stiffness"][:]
    for joint in ("bolt1", "bolt2", "bolt3", "bolt4"):
        motions = system["joint_map"][:][[rows.index(f"{joint} {direction}") for direction in ("x", "y", "z", "rx", "ry", "rz")]]
        stiffness += motions.T @ stiffness_of_area(tangential) @ motions
    return np.sqrt(np.maximum(eigh(stiffness, system["mass"][:], eigvals_only=True), 0))


def farthest_from_one(ratios):
    return ratios[np.argmax(np.abs(ratios - 1))]


def decay(result, run, mode):
    """Frequency and damping from large to small amplitudes, where they are trusted."""
    group = result[f"/ring_down/{run}/mode{mode}"]
    trusted = group["trusted"][:] == 1
    return group["omega"][:][trusted], group["zeta"][:][trusted]


def measure(result):
    runs = result["/transient"].values()
    numbers = {f"{state}, beside numpy": farthest_from_one(result[f"/modes/{state}/omega"][6:12] / frequencies(result, tangential)[6:12])
               for state, tangential in (("stuck", K_T), ("slipping", 0))}
    numbers["worst energy error"] = max(np.abs(run["energy/balance"][:]).max() / run["energy/work"][:].max() for run in runs)
    for mode in (7, 8, 9):
        omega, zeta = decay(result, "hit_5", mode)
        stuck = result["/modes/stuck/omega"][mode - 1]
        numbers[f"hardly hit, frequency of mode {mode}"], numbers[f"hardly hit, damping of mode {mode}"] = map(farthest_from_one, (omega / stuck, zeta / 1e-4))
    omega, zeta = decay(result, "hit_2", 8)
    numbers["rising damping"] = len(zeta) > 5 and bool((np.diff(zeta) < 0).all() and (np.diff(omega) > 0).all())
    numbers["slip of a weak hit"] = result["/transient/hit_5/joints/bolt1/contact/share"][:, 2].max()
    lost = [(run["joints/bolt1/contact/dissipated"][-1].sum(), run["joints/bolt1/x/dissipated"][-1]) for run in runs]
    numbers["lost by the parts"] = max(abs(parts - joint) for parts, joint in lost) / max(joint for _, joint in lost)
    return numbers
