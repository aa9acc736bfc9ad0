"""mindlin.py - Mindlin's contact and the Dahl models of peyret2017 by numpy and scipy, as printed but for the errata: what dovetail is judged by."""
import dataclasses

import numpy as np
from scipy import integrate


@dataclasses.dataclass
class Mindlin:
    """Eqs 4 to 23."""

    friction: float
    load: float
    radius: float
    compliance: float  # G* [1/Pa]

    @property
    def slip_force(self):
        return self.friction * self.load  # eq. 4

    @property
    def slip_motion(self):
        """Eq. 23; 16 for the printed 12 (errata)."""
        return 3 * self.slip_force * self.compliance / (16 * self.radius)

    @property
    def stiffness(self):
        return 8 * self.radius / self.compliance  # sigma of eq. 21

    def motion(self, force):
        """Eq. 6."""
        return self.slip_motion * (1 - (1 - force / self.slip_force) ** (2 / 3))

    def loading(self, motion):
        """T_0, eq. 13."""
        return self.slip_force * (1 - np.clip(1 - motion / self.slip_motion, 0, None) ** 1.5)

    def unloading(self, motion, top):
        """T_1, eq. 14, anchored at delta* so that it holds in macro-slip (errata)."""
        return self.loading(top) - 2 * self.slip_force * (1 - np.clip(1 - (top - motion) / (2 * self.slip_motion), 0, None) ** 1.5)

    def reloading(self, motion, top):
        """T_2, eq. 15, whose sign before delta is a minus (errata)."""
        return -self.unloading(-motion, top)

    def along_sine(self, time, top):
        """Forces along top sin(2 pi time)."""
        motion, quarter = top * np.sin(2 * np.pi * time), 4 * time % 4
        down = (quarter >= 1) & (quarter < 3)
        return np.where(time <= 0.25, self.loading(np.clip(motion, 0, None)), np.where(down, self.unloading(motion, top), self.reloading(motion, top)))


def dahl(model, stiffness, speed, envelope, time, loaded=0.0):
    """Eqs 26 and 27 in time from rest, as the paper integrates them: T* from an envelope of the motion, eq. 26 until `loaded`. What the
    errata add: direction in eq. 26, no tangent where the base is below 0 or the force at mu N."""
    def rate(t, force):
        forth = np.sign(speed(t)) * force[0] / model.slip_force
        top = model.loading(min(envelope(t), model.slip_motion)) / model.slip_force
        base = 1 - forth if t < loaded else 1 - (top + forth) / 2
        return [stiffness * speed(t) * np.cbrt(max(base, 0)) if forth < 1 else 0.0]

    return integrate.solve_ivp(rate, (0, time[-1]), [0.0], t_eval=time, max_step=time[1] - time[0], rtol=1e-6, atol=1e-6 * model.slip_force).y[0]
