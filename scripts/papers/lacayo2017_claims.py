"""lacayo2017_claims.py - what the text of the paper says in numbers, sections 3.1.1 to 4, beside ours.

"Underestimation of X %" is measured/model - 1 and "overestimation of X %" model/measured - 1: the paper says so itself where a factor of 0.6
is 67 % and a factor of 5 is 400 %. The model is that of Tables 3 and 5, as in the paper; of_model also takes ours.

Which points an average is over is not told. Each impact counts once, with the average of its trusted points, since points of a decay hang
together; the paper's choice of impacts being another than ours, the tolerance is twice the standard error of that average.
"""
import numpy as np

from .lacayo2017_curves import MACRO, MICRO, means
from .rows import Row

LINEAR = 1e-4  # damping ratio of every mode in the limit of no amplitude
DECADE = 0.1
HALF_DECADE = 0.5
WEAK = {7: "p2", 8: "p3"}  # where the paper finds modes 7 and 8 least dominant
UP_TO = "'as much as' is read as the average of the worst impact; tolerance: the standard deviation of its points, since the paper names none, and half a digit"
AVERAGE = "twice the standard error of the average over impacts, and the rounding of the paper's number"
ORDER = "an order of magnitude: half a decade either way"
BOUND = "a bound"


def under(ratios):
    return 100 * (ratios - 1)


def over(ratios):
    return 100 * (1 / ratios - 1)


def average(source, quantity, published, rounding, values, spread=0.0, **more):
    """A row for an average over impacts; `spread` is what is known when there is only one."""
    error = 2 * np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else spread
    return Row(source, f"{quantity}, average of {len(values)} [%]", published, np.mean(values), error + rounding, AVERAGE, **more)


def worst_decay(system, model, mode, place=None):
    """Measured over model along the impact that is underestimated most in the mean, of those on a place or on any."""
    found = [system.ratios(model, run, mode) for run in system.in_microslip(place)]
    return max((ratios.within(MICRO) for ratios in found if ratios), key=np.mean)


def worst(system, model, source, quantity, published, rounding, mode, place=None):
    """A row for `as much as`."""
    decay = under(worst_decay(system, model, mode, place))
    return Row(source, f"{quantity} [%]", published, np.mean(decay), np.std(decay) + rounding, UP_TO)


def worst_point(masses, model, quantity, published, tolerance, mode, share):
    """A row for the single worst point of impacts on u2, as a share of the model's damping or of that measured. Of its own two definitions
    the paper uses the first where it speaks of a factor of 0.6; with it modes 1 and 3 would have 17 and 21 %, with the second mode 2 41 %."""
    most = worst_decay(masses, model, mode, "u2").max()
    value = under(most) if share == "model" else -under(1 / most)
    why = {"model": "the single worst point; five in a hundred, which lines of other lengths change",
           "measured": "the single worst point, as a share of the measured damping; two in a hundred: its definition is not told in this sentence"}[share]
    return Row("Section 3.1.3", f"{quantity} [% of the {share}]", published, value, tolerance, why)


def rise(model):
    """The damping at the end of microslip by eq. 13, by the linear one."""
    return float(model.damping(np.array([model.limit * (1 - 1e-9)]))[0]) / LINEAR


def selective(masses, beam, iwan):
    """Sections 3.1.1 and 3.2.2: how much damping rises in microslip."""
    said = {"Section 3.1.1": (masses, {2: 6, 3: 6, 1: 2}), "Section 3.2.2": (beam, {8: 20, 7: 100, 9: 100})}
    for source, (system, factors) in said.items():
        for mode, published in factors.items():
            ours, theirs = rise(system.fitted(mode, iwan)), rise(system.tables[mode])
            quantity = f"mode {mode}, largest damping in microslip by the linear"
            if published == 6:
                yield Row(source, quantity, published, ours, 0, "'more than six times'", kind="at least")
            else:
                half = 0.5 * 10 ** np.floor(np.log10(published))
                yield Row(source, quantity, published, ours, half + abs(theirs - published),
                          "'a doubling', '20 times', 'almost 100': half of the one digit, and as much as eq. 13 with the paper's own table is off the word")


def at_half(masses, model):
    """The model's damping of mode 2 by that measured when u2 is hit, at |q2| = 0.5."""
    for run in masses.in_microslip("u2"):
        ratios = masses.ratios(model, run, 2)
        if ratios.amplitude.min() <= 0.5 <= ratios.amplitude.max():
            return 1 / np.interp(0.5, ratios.amplitude[::-1], ratios.zeta[::-1])
    return np.nan


def masses_in_microslip(masses, model):
    """Section 3.1.3."""
    source = "Section 3.1.3"
    yield worst_point(masses, model, "mode 2, u2 hit, microslip underestimated by as much as", 67, 5, 2, "model")
    yield worst_point(masses, model, "mode 1, u2 hit, microslip underestimated by no more than", 13, 2, 1, "measured")
    yield worst_point(masses, model, "mode 3, u2 hit, microslip underestimated by no more than", 17, 2, 3, "measured")
    yield Row(source, "mode 2, u2 hit, model/measured at |q2| = 0.5", 0.6, at_half(masses, model), 0.05, "one digit")
    dominant = np.concatenate([means(masses, model, masses.in_microslip(masses.dominant(mode)), mode, MICRO, under) for mode in masses.modes])
    yield average(source, "each mode hit where it is most dominant, microslip underestimated", 5.6, 0.05, dominant)
    least = min(means(masses, model, masses.in_microslip(), mode, MICRO).min() for mode in masses.modes)
    yield Row(source, "measured/model in microslip, least of all impacts and modes", 1, 1 + least, 0, "'underestimates microslip damping in all'", kind="at least")


def masses_in_macroslip(masses):
    source = "Section 3.1.3"
    confined = [run for run in masses.runs_of("impact") if masses.activity(run, -1) >= 1]
    values = [means(masses, "published", [run for run in confined if masses.place_of(run) == masses.dominant(mode)], mode, MACRO, over) for mode in masses.modes]
    yield average(source, "each mode hit where it is most dominant, macroslip overestimated", 23, 0.5, np.concatenate(values))
    off = max(np.max(np.abs(macroslip_misfit(masses, mode))) for mode in masses.modes)
    most = max(means(masses, "published", confined, mode, MACRO).max() for mode in masses.modes)
    yield Row(source, "measured/model in macroslip, most of all impacts and modes", 1, 1 + most, off,
              "'overestimates macroslip damping in all', as far as the model is right where one mode moves alone: its largest error there", kind="at most")
    factor, error = beginning(masses)
    spread = max(2 * error, (5.6 - 3.8) / 2)
    why = "half of the one digit, and the larger of two standard deviations of the measured damping and half of what lines of other lengths span"
    note = "Straight lines of other lengths give 3.8 to 5.6 here, where other modes are in the signal and damping rises fast"
    yield Row(source, "mode 1, u1 hit, p = 15000, model/measured at |q1| = 4000, the beginning", 5, factor, 0.5 + spread, why, note=note)
    yield Row("Section 4", "the same, overestimated by 'as large as' [%]", 400, 100 * (factor - 1), 50 + 100 * spread, why, note=note)


def macroslip_misfit(masses, mode):
    """Measured over Table 3's closed form, less one, far in macroslip of a mode that is excited alone."""
    curves = [masses.curve(run, mode) for run in masses.runs_of("selective", mode=mode)]
    amplitude, zeta = (np.concatenate([getattr(curve, name)[curve.trusted] for curve in curves]) for name in ("amplitude", "zeta"))
    far = amplitude > 10 * masses.slip(mode)
    return zeta[far] / masses.tables[mode].damping(amplitude[far]) - 1


def beginning(masses):
    """The model's damping by the measured, mode 1, impact on u1 with p = 15,000, at the point next to an amplitude of 4000; its standard deviation."""
    curve = masses.curve(masses.runs["impact_03"], 1)
    ratio = 1 / masses.by_model(curve, 1)
    at = np.argmin(np.abs(curve.amplitude - 4000))
    return ratio[at], ratio[at] * curve.zeta_error[at] / curve.zeta[at]


def figure_8(masses):
    """Mode 1 of the impact on u2 with p = 15,000."""
    run = masses.runs["impact_12"]
    ratios = masses.ratios("published", run, 1)
    late = ratios.time > 1700
    yield Row("Fig. 8", "mode 1, u2 hit, p = 15000, measured/model after 1700 s, farthest from 1", 1, ratios.zeta[late][np.argmax(np.abs(ratios.zeta[late] - 1))],
              0.1, "'consistent': within 10 %, which a logarithmic plot does not tell apart")
    for mode in (2, 3):
        share = masses.share(run, mode) / masses.share(run, 1)
        yield Row("Fig. 8", f"modal velocity of mode {mode} by that of mode 1, at first", 1, share, HALF_DECADE, "'nearly as significant': half a decade", kind="factor")
    for mode in (2, 3):
        curves = [masses.curve(run, m) for m in (mode, 1)]
        at_1700 = [np.interp(1700, curve.time, curve.amplitude * curve.omega) for curve in curves]
        yield Row("Fig. 8", f"the same at 1700 s, mode {mode}", DECADE**HALF_DECADE, at_1700[0] / at_1700[1], 0, "'small compared to q1': half a decade or more", kind="at most")


def orders(system, source, modes):
    """The largest underestimation where impacts change from macroslip to microslip."""
    for mode in modes:
        ratios = [read_ratios(system, run, mode) for run in system.in_transition()]
        yield Row(source, f"mode {mode}, impacts from macroslip to microslip, largest measured/model", 10, max(ratio.max(initial=0) for ratio in ratios), HALF_DECADE, ORDER, kind="factor")


def read_ratios(system, run, mode):
    """Measured over model below the slip amplitude at all points whose damping is known to a quarter: other modes and the quick change
    make most of them untrusted, but the paper reads them."""
    curve = system.curve(run, mode)
    return system.by_model(curve, mode)[(curve.amplitude < system.slip(mode)) & (curve.zeta_error < 0.25 * curve.zeta)]


def elsewhere(beam, averages_of):
    """Those of modes 7 and 8 at the places where they are not weak."""
    return np.concatenate([averages_of(place, mode) for mode, weak in WEAK.items() for place in beam.places if place != weak])


def beam_in_microslip(beam, model):
    """Section 3.2.4. Large amplitudes in microslip are the last decade before the joints slip, lower ones the decade before that."""
    source, large, lower = "Section 3.2.4", {"least": DECADE}, {"least": DECADE**2, "most": DECADE}
    for where, published, span in (("near late microslip", 68, large), ("at lower amplitudes", 44, lower)):
        runs = beam.in_microslip("p2", **span)
        decays = [under(ratios.within(MICRO)) for ratios in (beam.ratios(model, run, 7) for run in runs) if ratios]
        yield average(source, f"mode 7, p2 hit, underestimated {where}", published, 0.5, [np.mean(decay) for decay in decays], np.std(decays[0]))
    yield average(source, "mode 8, p3 hit, microslip underestimated", 66, 0.5, means(beam, model, beam.in_microslip("p3", least=DECADE**2), 8, MICRO, under))
    for where, published, span in (("large", 40, large), ("lower", 25, lower)):
        values = elsewhere(beam, lambda place, mode: means(beam, model, beam.in_microslip(place, **span), mode, MICRO, under))
        yield average(source, f"modes 7, 8 elsewhere, underestimated at {where} amplitudes", published, 2.5, values)
    values = elsewhere(beam, lambda place, mode: means(beam, model, beam.in_microslip(place, least=DECADE**2), mode, MICRO, under))
    yield Row("Section 4", "modes 7, 8 elsewhere, microslip underestimated by 'typically less than' [%]", 40, np.mean(values), 0, BOUND, kind="at most")
    yield worst(beam, model, source, "mode 9, microslip underestimated by up to", 300, 50, 9)


def beam_in_macroslip(beam):
    source = "Section 3.2.4"
    runs = beam.runs_of("impact")
    values = np.concatenate([means(beam, "published", runs, mode, MACRO, over) for mode in WEAK])
    yield average(source, "modes 7, 8, macroslip overestimated", 60, 2.5, values)
    values = elsewhere(beam, lambda place, mode: means(beam, "published", beam.runs_of("impact", place), mode, MACRO, over))
    yield Row("Section 4", "modes 7, 8 elsewhere, macroslip overestimated by 'typically less than' [%]", 60, np.mean(values), 0, BOUND, kind="at most")


def figure_15(beam):
    """Simulation 6 of Table D.2."""
    run = beam.runs["impact_06"]
    rates = {mode: float(np.mean((curve.omega * curve.zeta)[curve.trusted])) for mode in beam.modes for curve in [beam.curve(run, mode)]}
    yield Row("Fig. 15", "simulation 6, decay of mode 8 by that of mode 7", 1, rates[8] / rates[7], np.log10(2), "'about the same rate': a factor of two", kind="factor")
    yield Row("Fig. 15", "the same of mode 9 by the quicker of them", 2, rates[9] / max(rates[7], rates[8]), 0, "'rapidly compared to': twice as fast at least", kind="at least")


def read_strictly(systems, iwan):
    """The same words by a stricter reading, with nothing but the digits as tolerance. Ours were chosen with these numbers in sight."""
    masses, beam = systems["three_mass"], systems["sumali"]
    for system, source, mode, place, published, half in ((masses, "Section 3.1.3", 2, "u2", 67, 0.5), (masses, "Section 3.1.3", 1, "u2", 13, 0.5),
                                                         (masses, "Section 3.1.3", 3, "u2", 17, 0.5), (beam, "Section 3.2.4", 9, None, 300, 50)):
        most = worst_decay(system, "published", mode, place).max()
        name = f"mode {mode}, {place or 'any place'} hit, microslip underestimated at the single worst point"
        yield Row(source, f"{name} [% of the model's]", published, under(most), half, "")
        yield Row(source, f"{name} [% of the measured]", published, -under(1 / most), half, "")
    for source, system, mode, published, half in (("Section 3.2.2", beam, 8, 20, 5), ("Section 3.2.2", beam, 7, 100, 5), ("Section 3.2.2", beam, 9, 100, 5)):
        yield Row(source, f"mode {mode}, largest damping in microslip by the linear, eq. 13 with our fit", published, rise(system.fitted(mode, iwan)), half, "")
        yield Row(source, f"mode {mode}, the same, eq. 13 with the paper's own table", published, rise(system.tables[mode]), half, "")
    yield Row("Section 3.1.3", "mode 1, u1 hit, p = 15000, model/measured at |q1| = 4000", 5, beginning(masses)[0], 0.5, "")


def of_model(systems, model):
    """What depends on the modal model that the structure is compared with."""
    return [*masses_in_microslip(systems["three_mass"], model), *beam_in_microslip(systems["sumali"], model)]


def rows(systems, iwan):
    masses, beam = systems["three_mass"], systems["sumali"]
    return [*selective(masses, beam, iwan), *of_model(systems, "published"), *masses_in_macroslip(masses), *orders(masses, "Section 3.1.3", (2, 3)),
            *figure_8(masses), *beam_in_macroslip(beam), *orders(beam, "Section 3.2.4", (7, 8)), *figure_15(beam)]


def unmatched(beam):
    """What the paper says without a number and our exact law does not show, and what would explain it."""
    zeta = beam.ratios("published", beam.runs["impact_06"], 9).zeta
    yield ("\nSaid without a number, and not found: Fig. 15, in simulation 6 mode 9 'deviates further from the modal model as time advances'."
           f"\n  Ours is {zeta[0]:.2f} times the model's damping at first and {zeta[-1]:.2f} times at last: it comes nearer, as linear damping prevails."
           "\n  The paper's 200 sliders (Appendix A) explain part of it: mode 9 may be below the weakest slider of its modal model here, whose damping would be the linear one."
           "\n  With `sliders: 200` in the law of the joints modes 7 and 9 deviate further at first, then come nearer, too (cases/sumali/README.md).")
