"""ticks.py - numbers at axes: 1-2-5 where an axis is logarithmic, and never in the way of what stands beside it."""
import numpy as np
from matplotlib.ticker import FixedFormatter, FixedLocator, LogLocator, MaxNLocator, NullFormatter

APART = {"x": 0.38, "y": 0.17}  # between two numbers at least [inch]
PLAIN = (-4, 4)  # exponents of numbers that are written out
FEWEST = 2  # numbers of an axis
MANTISSAS = ((1, 2, 5), (1, 3), (1,))
SMALL = ((2.5, range(2, 10)), (4.5, (1, 2, 5)), (np.inf, (1,)))  # small ticks, over so many decades


def exponent_of(value):
    return int(np.floor(np.log10(value) + 1e-9))


def labels(values):
    """Of the numbers of a logarithmic axis, all in one way."""
    exponents = [exponent_of(value) for value in values]
    if values and PLAIN[0] <= min(exponents) and max(exponents) < PLAIN[1]:
        return [f"{value:.6g}" for value in values]
    mantissas = [value / 10.0**exponent for value, exponent in zip(values, exponents)]
    return [f"$10^{{{e}}}$" if abs(m - 1) < 1e-9 else f"${m:.3g}\\cdot10^{{{e}}}$" for m, e in zip(mantissas, exponents)]


def steps(low, high, mantissas, stride=1):
    """The mantissas of every so many decades between two values."""
    exponents = range(int(np.floor(np.log10(low))) - 1, int(np.ceil(np.log10(high))) + 1)
    values = [mantissa * 10.0**exponent for exponent in exponents if exponent % stride == 0 for mantissa in mantissas]
    return [value for value in values if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]


def places(low, high, length, apart):
    """Where a logarithmic axis of this length [inch] has numbers: 1-2-5 as long as these fit, then decades, some of them; over less than a
    decade steps of 1-2-5."""
    near = apart / length * np.log10(high / low)  # two numbers must be so many decades apart
    for mantissas in MANTISSAS:
        values = steps(low, high, mantissas)
        if len(values) >= FEWEST + (high < 10 * low) and np.diff(np.log10(values)).min() >= near:
            return values
    strides = (steps(low, high, (1,), stride) for stride in range(max(int(np.ceil(near)), 1), int(np.log10(high / low)) + 1))
    values = max(strides, key=len, default=[])
    if len(values) >= FEWEST:
        return values
    values = [value for value in MaxNLocator(min(max(int(length / apart), FEWEST), 5), steps=[1, 2, 5, 10]).tick_values(low, high) if low <= value <= high]
    while len(values) > FEWEST and np.diff(np.log10(values)).min() < near:
        values = values[::2]
    return values


def number(axes, along):
    """Numbers of one axis of a panel, if it is logarithmic."""
    axis = getattr(axes, f"{along}axis")
    if axis.get_scale() != "log" or not axis.get_visible():
        return
    low, high = sorted(getattr(axes, f"get_{along}lim")())
    box, size = axes.get_position(), axes.figure.get_size_inches()
    length = box.width * size[0] if along == "x" else box.height * size[1]
    if low <= 0 or high <= low:
        return
    values = places(low, high, length, APART[along])
    axis.set_major_locator(FixedLocator(values))
    axis.set_major_formatter(FixedFormatter(labels(values)))
    axis.set_minor_locator(LogLocator(subs=next(subs for most, subs in SMALL if np.log10(high / low) < most)))
    axis.set_minor_formatter(NullFormatter())


def make_room(axes, edge, renderer):
    """Moves the left side of a panel until its numbers and its label are right of `edge` [dots]."""
    box = axes.yaxis.get_tightbbox(renderer)
    if box is None or not axes.yaxis.get_visible() or box.x0 >= edge:
        return
    place = axes.get_position()
    shift = min((edge - box.x0) / axes.figure.bbox.width, 0.5 * place.width)
    for other in axes.figure.axes:
        if other.get_position().bounds == place.bounds:
            other.set_position([place.x0 + shift, place.y0, place.width - shift, place.height])


def move_power(axes):
    """A power of ten of the numbers of a linear axis stands inside, where it meets no title."""
    power = axes.yaxis.get_offset_text()
    if power.get_text():
        axes.text(0.02, 0.96, power.get_text(), transform=axes.transAxes, va="top", fontsize=7)
        power.set_visible(False)
