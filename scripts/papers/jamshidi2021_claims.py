"""jamshidi2021_claims.py - what the paper says in equations and words, beside ours."""
import numpy as np
from scipy.integrate import trapezoid
from scipy.special import erf

from . import bouc_wen, masing
from .asperities import Exponential
from .rows import Row

QUADRATURE = "scipy's quadrature and roots, in the same equations"
ROUNDING = "round-off: an identity"
EXCELLENT = 0.05
AGREEMENT = f"'excellent agreement', read as {100 * EXCELLENT:g} %"
FEW = slice(60, 1000, 60)  # samples of a virgin curve that are summed asperity by asperity
UNITS = {"separation": ("eq. 6", "y_c [m]"), "slip_force": ("eq. 19", "Q_L [N]"), "stiffness": ("eq. 27", "K_T [N/m]"), "correction": ("eq. 29", "xi"),
         "slip_displacement": ("eq. 33", "x_L [m]"), "Lambda_0": ("eq. 39", "Lambda_0 [N/m]"), "Lambda_1": ("eq. 39", "Lambda_1 [N/m]"), "Omega_1": ("eq. 39", "Omega_1")}


def with_spring(path, share):
    """The loop of the fit along this path, beside a spring of this share of K_T."""
    return f"{path}_fit_{100 * share:.0f}"


def expected(surface, fit):
    """By scipy, under dovetail's names."""
    return {"separation": surface.separation, "slip_force": surface.slip_force, "stiffness": surface.stiffness, "correction": surface.xi,
            "slip_displacement": surface.slip_motion, "Lambda_0": fit.level, "Lambda_1": fit.decaying, "Omega_1": fit.decay}


def stiffness_of(loop):
    """Motions midway between samples, and the slope of the force there."""
    return (loop.displacement[1:] + loop.displacement[:-1]) / 2, np.diff(loop.force) / np.diff(loop.displacement)


class Judge:
    """The loops of dovetail, and what they are judged by: surfaces and their exponential fits by the number of their table."""

    def __init__(self, surfaces, loops, springs, tops):
        self.surfaces, self.loops, self.springs, self.tops = surfaces, loops, springs, tops
        self.fits = {table: Exponential(surface) for table, surface in surfaces.items()}
        self.surface, self.fit = surfaces[1], self.fits[1]

    def rows(self):
        for table in self.surfaces:
            yield from self.parameters(table)
            yield from self.identities(table)
        yield from self.virgin_curves()
        yield from self.agreement()
        yield from self.steady_loops()
        yield from self.bouc_wen_law()
        yield from self.nested_loops()

    def parameters(self, table):
        derived = self.loops[f"virgin_sum_{table}"].derived[f"sum_{table}"]
        for key, value in expected(self.surfaces[table], self.fits[table]).items():
            source, name = UNITS[key]
            yield Row(source, f"Table {table}: {name}", value, derived[key], 1e-9 * value, QUADRATURE)
        yield Row("eq. 29", f"Table {table}: xi", 1, derived["correction"], 0, "'xi < 1'", kind="at most")
        surface = self.surfaces[table]
        gamma = 2 * (1 - surface.poisson) / (2 - surface.poisson)
        yield Row("eq. 28", f"Table {table}: gamma = K_T sigma/F_v", gamma, derived["stiffness"] * surface.sigma / surface.load, 1e-12, ROUNDING)

    def identities(self, table):
        d = self.loops[f"virgin_fit_{table}"].derived[f"fit_{table}"]
        end = np.exp(-d["Omega_1"])
        yield Row("eq. 39", f"Table {table}: C-I, (Lambda_1 - Lambda_0)/K_T", 1, (d["Lambda_1"] - d["Lambda_0"]) / d["stiffness"], 1e-12, ROUNDING)
        yield Row("eq. 39", f"Table {table}: C-II, (Lambda_1 exp(-Omega_1) - Lambda_0)/K_T", 0, (d["Lambda_1"] * end - d["Lambda_0"]) / d["stiffness"], 1e-12, ROUNDING)
        area = (d["Lambda_1"] / d["Omega_1"] * (1 - end) - d["Lambda_0"]) * d["slip_displacement"]
        yield Row("eq. 39", f"Table {table}: C-III, integral of the stiffness by Q_L", 1, area / d["slip_force"], 1e-9, "round-off of the root Omega_1",
                  note="Lambda_n are called A_n in eqs 37 to 48, as is the Bouc-Wen A (errata)")

    def virgin_curves(self):
        surface, loop = self.surface, self.loops["virgin_sum_1"]
        direct = [surface.force_by_asperities(motion) for motion in loop.displacement[FEW]]
        yield Row("eq. 17", "sum of asperities, largest difference of the force by Q_L", 0, np.abs(loop.force[FEW] - direct).max() / surface.slip_force, 1e-9, QUADRATURE)
        for law, truth, source in (("sum", surface.tangent, "eq. 34"), ("fit", self.fit.tangent, "eq. 38")):
            motions, slopes = stiffness_of(self.loops[f"virgin_{law}_1"])
            off = [abs(slope - truth(motion)) for motion, slope in list(zip(motions, slopes))[FEW]]
            yield Row(source, f"{law}, largest difference of the stiffness by K_T", 0, max(off) / surface.stiffness, 1e-5, "slopes between 1,200 samples")

    def agreement(self):
        """Of the exponential with the sum of asperities; and what the cut leaves of the heights, which is no number of dovetail's."""
        yield Row("eq. 6", "heights within 3 sigma [%]", 99.73, 100 * erf(self.surface.cut / np.sqrt(2)), 0.005, "half a unit of the last digit")
        slopes = {law: stiffness_of(self.loops[f"virgin_{law}_1"])[1] for law in ("sum", "fit")}
        off = np.abs(slopes["fit"] - slopes["sum"]).max() / self.surface.stiffness
        yield Row("fig. 4", "exponential less sum of asperities, largest difference of the stiffness by K_T", 0, off, EXCELLENT, AGREEMENT)

    def steady_loops(self):
        """Fig. 7, by closed forms."""
        for name, share in self.tops.items():
            top = share * self.surface.slip_motion
            lost, force = masing.lost_in_cycle(self.fit.force, top, self.surface.slip_motion), self.fit.force(top)
            for spring in self.springs:
                cycles, at = self.loops[with_spring(name, spring)].cycles, f"x_o = {share} x_L, k_l = {spring:g} K_T"
                yield Row("fig. 7", f"{at}, dissipated in a cycle by 8 int Q_v - 4 x_o Q_v(x_o)", 1, cycles["dissipated"][-1] / lost, 1e-9, "round-off: the law counts along the path")
                peak = force + spring * self.surface.stiffness * top
                yield Row("fig. 7", f"{at}, largest force by Q_v(x_o) + k_l x_o", 1, cycles["peak_force"][-1] / peak, 1e-9, QUADRATURE)

    def bouc_wen_law(self):
        """Steps 1 to 5 of appendix C: the fit, and the Bouc-Wen law of its constants."""
        for path in (*self.tops, "nested"):
            off = np.abs(self.loops[f"{path}_bouc_wen"].force - self.loops[with_spring(path, 0)].force).max()
            yield Row("app. C", f"{path}: law bouc_wen_rough with K_T, x_L, Omega_1, Lambda_0 less rough_exponential, by Q_L", 0, off / self.surface.slip_force, 1e-9, QUADRATURE)

    def nested_loops(self):
        """Figs 8 and 9: the Bouc-Wen equation with memory, and the sum by Masing's rules from its asperities."""
        loop = self.loops[with_spring("nested", 0)]
        equation = bouc_wen.with_memory(self.fit, loop.displacement)
        yield Row("eq. 44", "fig. 9: Bouc-Wen equation with memory less rough_exponential by Q_L", 0, np.abs(equation - loop.force).max() / self.surface.slip_force, 1e-9,
                  "scipy's integration, to 1e-12 a step", note="A and B in the memory form of the errata; with eq. 46 as printed, see below")
        loop = self.loops["nested_sum"]
        some = np.unique(np.concatenate([np.arange(0, len(loop.time), 10), loop.reversals]))
        forces = masing.follow(self.surface.force, loop.displacement[some])
        yield Row("eq. 41", "fig. 8: Masing's rules over asperities less rough_interface by Q_L", 0, np.abs(forces - loop.force[some]).max() / self.surface.slip_force, 1e-9, QUADRATURE)
        spring = self.loops[with_spring("nested", self.springs[-1])]
        off = spring.force - self.loops[with_spring("nested", 0)].force - self.springs[-1] * self.surface.stiffness * spring.displacement
        yield Row("eq. 45", f"fig. 9: Q with k_l = {self.springs[-1]:g} K_T less k_l x and Q without, by Q_L", 0, np.abs(off).max() / self.surface.slip_force, 1e-9, ROUNDING)

    def as_printed(self):
        """Eq. 46 as it stands, along the same paths: published is what it gives."""
        why = "what the errata derive"
        for name, share in self.tops.items():
            loop, top = self.loops[with_spring(name, 0)], share * self.surface.slip_motion
            force = bouc_wen.as_printed(self.fit, loop.displacement, top)
            last = loop.within(loop.cycles["begin"][-1], loop.cycles["end"][-1])
            at = f"x_o = {share} x_L"
            yield Row("eq. 46", f"{at}, largest force in steady state by Q_L", np.abs(force[last]).max() / self.surface.slip_force,
                      loop.cycles["peak_force"][-1] / self.surface.slip_force, 1e-3, why)
            yield Row("eq. 46", f"{at}, area of the loop by 8 int Q_v - 4 x_o Q_v(x_o)", trapezoid(force[last], loop.displacement[last]) / loop.cycles["dissipated"][-1],
                      loop.cycles["area"][-1] / loop.cycles["dissipated"][-1], 1e-3, why)
            yield Row("eq. 46", f"{at}, initial slope by K_T", force[1] / loop.displacement[1] / self.surface.stiffness,
                      loop.force[1] / loop.displacement[1] / self.surface.stiffness, 0.02, why)
        loop = self.loops[with_spring("nested", 0)]
        top, last = np.abs(loop.displacement).max(), loop.within(1, 2)
        force = bouc_wen.as_printed(self.fit, loop.displacement, top)
        yield Row("eq. 46", "fig. 9: area in the second cycle [J]", trapezoid(force[last], loop.displacement[last]), trapezoid(loop.force[last], loop.displacement[last]),
                  1e-3 * trapezoid(loop.force[last], loop.displacement[last]), why)

    def remarks(self):
        """How near the exponential is to the sum of asperities: 'excellent agreement', which the paper puts no number to."""
        yield "'Excellent agreement' of the exponential with the sum of asperities, in numbers:"
        for table, surface in self.surfaces.items():
            total, fit = (self.loops[f"virgin_{law}_{table}"] for law in ("sum", "fit"))
            slopes = (stiffness_of(fit)[1] - stiffness_of(total)[1]) / surface.stiffness
            forces = np.abs(fit.force - total.force).max() / surface.slip_force
            yield (f"  Table {table}: stiffness off by {np.abs(slopes).max():.3f} K_T at most and {np.sqrt(np.mean(slopes**2)):.3f} in the mean square, "
                   f"force by {forces:.3f} Q_L at most")
        for name, share in self.tops.items():
            lost = [self.loops[loop].cycles["dissipated"][-1] for loop in (with_spring(name, 0), f"{name}_sum")]
            yield f"  x_o = {share} x_L: energy of a cycle by {100 * (lost[0] / lost[1] - 1):+.2f} %"


class RigJudge:
    """The steady cycles of the rig by both laws, Table 2."""

    def __init__(self, surface, steady, tools):
        self.surface, self.fit, self.steady, self.tools = surface, Exponential(surface), steady, tools

    def rows(self):
        yield Row("Table 2", "Q_L with mu = 0.16 [N]", 3.139, np.abs(self.steady["sum"][-1].force).max(), 5e-4, "the last digit of the errata, which read S/H as mu",
                  note="The paper gives no mu; E is printed as 70 MPa. The block's weight is 2 kg times 9.81 m/s^2")
        slips = {3: ("at most", "stays in pre-slip"), 6: ("at least", "slides"), 8: ("at least", "slides")}
        for law, virgin in (("sum", self.surface.force), ("fit", self.fit.force)):
            for cycle in self.steady[law]:
                at = f"{cycle.level:g} N, {law}"
                yield Row("fig. 14" if cycle.level < 5 else "fig. 15", f"{at}: last two cycles apart, by the motion", 0, cycle.unsteadiness, 1e-6,
                          "a steady state: what the figures cannot show")
                if cycle.level in slips:
                    kind, word = slips[cycle.level]
                    yield Row("figs 14, 15", f"{at}: largest motion by x_L", 1, cycle.top / self.surface.slip_motion, 0, f"it {word} (errata); of 4 N the spring decides", kind=kind)
                lost = masing.lost_in_cycle(virgin, cycle.top, self.surface.slip_motion)
                yield Row("figs 14, 15", f"{at}: dissipated in a cycle by 8 int Q_v - 4 x_o Q_v(x_o)", 1, cycle.lost / lost, 1e-6, "what is left of unsteadiness")
                off = np.abs(cycle.measured_force() - cycle.force - self.tools.SPRING * cycle.displacement).max() / cycle.level
                yield Row("eqs 49, 50", f"{at}: F - M a less Q + K_s x, by F", 0, off, 1e-9, "the imbalance that the solver accepts")
                yield Row("eq. 49", f"{at}: first harmonics of the balance with a by Fourier's series, by F", 0, cycle.spectral_imbalance(virgin), 5e-4,
                          "Newmark's error of 400 steps a cycle: (omega h)^2/12 of the inertia of the harmonics that matter")

    def compared(self):
        """The Bouc-Wen model beside the rough interface model of figs 14 and 15, which the paper draws and does not compare in words."""
        for total, fit in zip(self.steady["sum"], self.steady["fit"]):
            at = f"{total.level:g} N: of the Bouc-Wen model by that of the rough interface model,"
            yield Row("figs 14, 15", f"{at} motion", 1, fit.top / total.top, EXCELLENT, AGREEMENT)
            yield Row("figs 14, 15", f"{at} energy of a cycle", 1, fit.lost / total.lost, EXCELLENT, AGREEMENT)

    def remarks(self):
        yield f"The rig with K_s = {self.tools.SPRING:g} N/m, which is assumed: the paper's is illegible. Motion, friction and energy of a cycle:"
        for total, fit in zip(self.steady["sum"], self.steady["fit"]):
            yield (f"  {total.level:g} N: x_o = {1e6 * total.top:.4g} um = {total.top / self.surface.slip_motion:.3g} x_L, Q = {np.abs(total.force).max():.4g} N, "
                   f"{1e6 * total.lost:.4g} uJ by the sum of asperities; the exponential {100 * (fit.top / total.top - 1):+.2g} %, "
                   f"{100 * (np.abs(fit.force).max() / np.abs(total.force).max() - 1):+.2g} %, {100 * (fit.lost / total.lost - 1):+.2g} %")
