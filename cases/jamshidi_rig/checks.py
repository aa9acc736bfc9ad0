"""checks.py - steady cycles of the rig: their loops beside asperities summed by scipy, and the equation of motion without Newmark's rule."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from papers import masing
from papers.asperities import Asperities

MASS, SPRING, FREQUENCY, CYCLE = 2.0, 1e6, 65.0, 400  # samples
SURFACE = {"roughness": 2**0.5 * 0.8e-6, "asperity_radius": 85e-6, "density": 250e6, "young_1": 70e9, "poisson_1": 0.3, "young_2": 70e9, "poisson_2": 0.3,
           "area": 77e-4, "load": MASS * 9.81, "friction": 0.16}


class Steady:
    """The last cycle of a run, and the one before."""

    def __init__(self, run):
        self.level = run.attrs["level"]
        self.time, self.displacement = run["time"][-CYCLE - 1:], run["points/block/displacement"][:, 0]
        self.before, self.displacement = self.displacement[-2 * CYCLE - 1:-CYCLE], self.displacement[-CYCLE - 1:]
        self.acceleration = run["points/block/acceleration"][-CYCLE - 1:, 0]
        joint = run["joints/interface/x"]
        self.force, self.dissipated = joint["force"][-CYCLE - 1:], joint["dissipated"][-CYCLE - 1:]
        self.top = (self.displacement.max() - self.displacement.min()) / 2
        self.load = self.level * np.sin(2 * np.pi * FREQUENCY * self.time)

    @property
    def unsteadiness(self):
        """How far the last two cycles are apart, by the motion."""
        return np.abs(self.displacement - self.before).max() / self.top

    @property
    def lost(self):
        return self.dissipated[-1] - self.dissipated[0]

    def measured_force(self):
        """Eq. 49: F - M a, as the paper measures what it plots, Q + K_s x."""
        return self.load - MASS * self.acceleration

    def spectral_imbalance(self, virgin):
        """Of M a + K_s x + Q = F, by the load, with a by Fourier's series of x and Q by asperities: largest of the first six harmonics;
        nothing of it knows Newmark's rule."""
        motion = np.fft.rfft(self.displacement[:-1])
        turn = 2 * np.pi * FREQUENCY * np.arange(len(motion))
        sense = np.sign(np.fft.irfft(1j * turn * motion, CYCLE))
        friction = np.array([masing.steady(virgin, self.top, x, s) for x, s in zip(np.clip(self.displacement[:-1], -self.top, self.top), sense)])
        balance = (SPRING - MASS * turn**2) * motion + np.fft.rfft(friction - self.load[:-1])
        return np.abs(balance[:6]).max() / np.abs(np.fft.rfft(self.load[:-1])).max()


def measure(result):
    surface = Asperities(**SURFACE)
    numbers = {}
    for run in result["/transient"].values():
        cycle = Steady(run)
        name = f"{cycle.level:g} N"
        numbers[f"{name}, last two cycles apart"] = cycle.unsteadiness
        numbers[f"{name}, lost in a cycle by asperities"] = cycle.lost / masing.lost_in_cycle(surface.force, cycle.top, surface.slip_motion)
        numbers[f"{name}, imbalance"] = cycle.spectral_imbalance(surface.force)
        numbers[f"{name}, F - M a less Q + K_s x"] = np.abs(cycle.measured_force() - cycle.force - SPRING * cycle.displacement).max() / cycle.level
        numbers[f"{name}, largest friction"] = np.abs(cycle.force).max()
        numbers[f"{name}, slides"] = cycle.top > surface.slip_motion
        numbers[f"{name}, stays in pre-slip"] = cycle.top < surface.slip_motion
    return numbers
