"""masing.py - Masing's rules from a virgin curve alone, written apart from src/joint: what dovetail's loops are judged by."""
import numpy as np
from scipy import integrate


def follow(virgin, motions):
    """Forces along a path from rest: reversals in a list, searched for the branch that holds each motion."""
    turns, forces, last = [], [], (0.0, 0.0)
    for motion in motions:
        sense = np.sign(motion - last[0])
        start = turns[-1] if turns else (0.0, 0.0)
        if forces and sense != np.sign(last[0] - start[0]):
            turns.append(last)
        while len(turns) > 1 and sense * (motion - turns[-2][0]) >= 0:
            del turns[-2:]
        if len(turns) == 1 and abs(motion) >= abs(turns[0][0]):
            turns.clear()
        base, scale = (turns[-1], 2) if turns else ((0.0, 0.0), 1)
        last = (motion, base[1] + np.sign(motion - base[0]) * scale * virgin(abs(motion - base[0]) / scale))
        forces.append(last[1])
    return np.array(forces)


def steady(virgin, top, motion, sense):
    """Force in cycles between top and -top, going up (sense 1) or down (-1)."""
    return sense * (2 * virgin((top + sense * motion) / 2) - virgin(top))


def work(virgin, top, slip):
    """int_0^top of the virgin curve, which has a corner at `slip`."""
    ends = [0, *(point for point in (slip / 2, slip) if point < top), top]
    return sum(integrate.quad(virgin, *piece, epsabs=0, epsrel=1e-12)[0] for piece in zip(ends, ends[1:]))


def lost_in_cycle(virgin, top, slip):
    """8 int_0^top F - 4 top F(top), errata of peyret2017, section 2.3, and of jamshidi2021."""
    return 8 * work(virgin, top, slip) - 4 * top * virgin(top)
