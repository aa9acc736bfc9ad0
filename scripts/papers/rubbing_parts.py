"""rubbing_parts.py - section 3 of voldrich2009 as the paper has it: modes with a contact of many parts, integrated by the method of Runge and
Kutta of the fourth order; a part keeps where its spring's end is, moved once a step."""
import numpy as np
from scipy.optimize import root

STEPS, CYCLES = 400, 40  # of a period; from rest until the motion repeats itself


def pressed_by(preload, moment, places, stiffness):
    """The loads of rows of equal parts at `places`, pressed by rigid faces under a preload and its moment."""
    each = stiffness / len(places)

    def loads(approach):
        return np.maximum(0.0, each * (approach[0] + places * approach[1]))

    def missing(approach):
        pressed = loads(approach)
        return [pressed.sum() - preload, (places @ pressed - moment) / places.max()]
    flat = [preload / stiffness, moment / (each * places @ places)]
    found = root(missing, flat, tol=1e-13)
    return loads(found.x)


def amplitudes(frequencies, damping, rubbing, pushed, stiffness, friction, loads, force, turns):
    """Half of what lies between the extremes of the motion that is pushed, of many oscillators at once: `loads` has a row for each, of its
    parts, which share the stiffness (what nothing presses takes none), `turns` the frequency of each load."""
    omega = 2 * np.pi * np.asarray(frequencies)
    squares, resistance = omega**2, 2 * damping * omega
    turn, step = 2 * np.pi * turns, 1 / (turns[:, None] * STEPS)
    springs, limits = np.where(loads > 0, stiffness / loads.shape[1], 0.0), friction * loads
    compliances = np.divide(1.0, springs, out=np.zeros_like(springs), where=springs > 0)
    anchors, opposite = np.zeros_like(loads), -limits

    def rub(q):
        return np.maximum(np.minimum(springs * ((q @ rubbing)[:, None] - anchors), limits), opposite)  # np.clip takes three times as long

    def rate(part, y):
        q, v = y
        sine = force * np.sin(turn * part * step[:, 0])
        return np.array([v, sine[:, None] * pushed - rub(q).sum(axis=1)[:, None] * rubbing - squares * q - resistance * v])

    y = np.zeros((2, len(turns), len(omega)))
    least, most = np.full(len(turns), np.inf), np.full(len(turns), -np.inf)
    for k in range(STEPS * CYCLES):
        one = rate(k, y)
        two = rate(k + 0.5, y + step / 2 * one)
        three = rate(k + 0.5, y + step / 2 * two)
        four = rate(k + 1, y + step * three)
        y = y + step / 6 * (one + 2 * two + 2 * three + four)
        anchors = (y[0] @ rubbing)[:, None] - rub(y[0]) * compliances
        if k >= STEPS * (CYCLES - 1):
            least, most = np.minimum(least, y[0] @ pushed), np.maximum(most, y[0] @ pushed)
    return (most - least) / 2
