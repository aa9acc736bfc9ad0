"""asperities.py - eqs 1 to 39 of jamshidi2021 by scipy's quadrature and roots, apart from src/joint: what dovetail's rough surfaces are judged by."""
import numpy as np
from scipy import integrate, optimize


class Asperities:
    """Two rough surfaces, with the combined moduli of any two bodies. Parameters are those of the law rough_interface."""

    def __init__(self, roughness, asperity_radius, density, young_1, poisson_1, young_2, poisson_2, area, load, friction, cut=3, correction=0):
        self.sigma, self.radius, self.load, self.mu, self.cut, self.poisson = roughness, asperity_radius, load, friction, cut, poisson_1
        modulus = 1 / ((1 - poisson_1**2) / young_1 + (1 - poisson_2**2) / young_2)  # eq. 5
        shear_1, shear_2 = young_1 / (2 * (1 + poisson_1)), young_2 / (2 * (1 + poisson_2))
        self.shear = 1 / ((2 - poisson_1) / shear_1 + (2 - poisson_2) / shear_2)  # eq. 8, errata
        self.number = density * area
        self.hertz = 4 / 3 * modulus * np.sqrt(self.radius)  # K of eq. 4
        root = optimize.brentq(lambda log: self.normal_force(np.exp(log)) / self.load - 1, -40, np.log(self.cut + 40), xtol=1e-15, rtol=1e-15)
        self.depth = np.exp(root)  # cut - y_c / sigma
        self.gamma = 4 * self.shear / modulus  # eq. 28
        self.mindlin = 8 * self.shear * self.number * np.sqrt(self.radius * self.sigma) * self.moment(0.5, self.depth)  # eq. 26
        self.xi = correction or self.gamma * self.load / self.sigma / self.mindlin  # eqs 27, 29
        self.stiffness = self.xi * self.mindlin
        self.slip_motion = self.mu / self.gamma * self.sigma * self.depth / self.xi  # eqs 22, 33
        self.slip_force = self.mu * self.load
        self.separation = self.sigma * (self.cut - self.depth)

    def moment(self, power, depth):
        """int w^power phi over asperities pressed in by w, the highest by depth; the root removed by w = q^2, in pieces of one sigma."""
        lowest = self.cut - depth
        begin = max(0, -12 - lowest)
        ends = np.sqrt(np.append(np.arange(begin, depth), depth)) if depth > 0 else np.zeros(2)
        pieces = [integrate.quad(lambda q: 2 * q**(2 * power + 1) * np.exp(-(lowest + q * q)**2 / 2), *piece, epsabs=0, epsrel=1e-13)[0]
                  for piece in zip(ends[:-1], ends[1:])]
        return sum(pieces) / np.sqrt(2 * np.pi)

    def normal_force(self, depth):
        return self.hertz * self.number * self.sigma**1.5 * self.moment(1.5, depth)  # eq. 6

    def slid(self, motion):
        """Depth at which asperities slide, xi x / lambda."""
        return self.xi * motion * self.gamma / self.mu / self.sigma

    def force(self, motion):
        """Q_v, by the identity of the errata."""
        return self.mu * (self.load - self.normal_force(max(0, self.depth - self.slid(motion))))

    def tangent(self, motion):
        """K_tau of eq. 30."""
        return self.stiffness * self.moment(0.5, self.depth - self.slid(motion)) / self.moment(0.5, self.depth)

    def force_by_asperities(self, motion):
        """Eqs 13 and 17 as they stand: slid asperities up to z_l, then those that still stick."""
        slid = self.slid(motion)
        scale = self.mu * self.hertz * self.number * self.sigma**1.5 / np.sqrt(2 * np.pi)

        def at(pressed):
            return pressed**1.5 * (1 - max(0, 1 - slid / pressed)**1.5) * np.exp(-(self.cut - self.depth + pressed)**2 / 2)

        ends = (0, slid, self.depth)
        return scale * sum(integrate.quad(at, *piece, epsabs=0, epsrel=1e-11, limit=400)[0] for piece in zip(ends[:-1], ends[1:]))


class Exponential:
    """Eqs 35 to 39: a stiffness Lambda_1 exp(-Omega_1 x / x_L) - Lambda_0 with the stiffness, slip force and slip motion of asperities."""

    def __init__(self, asperities):
        self.stiffness, self.slip_motion = asperities.stiffness, asperities.slip_motion
        fullness = asperities.slip_force / (self.stiffness * self.slip_motion)
        self.decay = optimize.brentq(lambda w: 1 / w - 1 / np.expm1(w) - fullness, 1e-3, 700, xtol=1e-14, rtol=1e-14)  # Omega_1
        self.decaying, self.level = -self.stiffness / np.expm1(-self.decay), self.stiffness / np.expm1(self.decay)  # Lambda_1, Lambda_0

    def tangent(self, motion):
        """Eq. 38."""
        return np.where(motion < self.slip_motion, self.decaying * np.exp(-self.decay * motion / self.slip_motion) - self.level, 0)

    def force(self, motion):
        """Its integral."""
        x = min(motion, self.slip_motion)
        return -self.decaying * self.slip_motion / self.decay * np.expm1(-self.decay * x / self.slip_motion) - self.level * x
