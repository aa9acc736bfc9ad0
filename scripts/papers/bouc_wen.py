"""bouc_wen.py - the Bouc-Wen equation of jamshidi2021, eq. 44, integrated by scipy: with the memory of the errata, and as printed."""
import numpy as np
from scipy import integrate

ACCURACY = 1e-12


def integrated(rate, x, z, motion):
    """z at a motion, along dz/dx = rate(x, z)."""
    return float(integrate.odeint(lambda z, x: rate(x, z[0]), [z], [x, motion], rtol=ACCURACY, atol=ACCURACY * abs(motion - x), mxstep=5000)[-1, 0])


def with_memory(fit, motions):
    """k_h z along a path from rest. On a branch that left (x_r, z_r) in direction s: A = 1 + s B (z_r + (Lambda_0/K_T)(x_r - x)), B = Omega_1/(2 x_L),
    both 0 from |x - x_r| = 2 x_L on; on the virgin curve x_r = z_r = 0, B is twice that, and x_L is where it ends."""
    turns, x, z, last, found = [], 0.0, 0.0, 0.0, []
    for motion in motions:
        sense = np.sign(motion - x)
        if sense * last < 0:
            turns.append((x, z))
        while x != motion:
            (start, z_start), scale = (turns[-1], 2) if turns else ((0.0, 0.0), 1)
            slips = start + sense * scale * fit.slip_motion
            closes = turns[-2][0] if len(turns) > 1 else -start if turns else motion
            stop = min((place for place in (motion, slips, closes) if sense * (place - x) > 0), key=lambda place: sense * place)
            if sense * (slips - x) > 0:
                b, fall = fit.decay / (scale * fit.slip_motion), fit.level / fit.stiffness
                z = integrated(lambda x, z: 1 + sense * b * (z_start + fall * (start - x)) - b * sense * z, x, z, stop)
            x = stop
            if len(turns) > 1 and x == turns[-2][0]:
                del turns[-2:]
            if len(turns) == 1 and sense * x >= abs(turns[0][0]):
                turns.clear()
        last = sense or last
        found.append(fit.stiffness * z)
    return np.array(found)


def as_printed(fit, motions, top):
    """k_h z of eqs 44 to 48 with h of eq. A.1, from z(0) = 0 along a path of amplitude `top`."""
    ratio, turn = fit.level / fit.decaying, fit.decay / fit.slip_motion
    gamma_1 = 1 + np.exp(-turn * top)
    gamma_2 = (1 + np.exp(-fit.decay) + ratio * fit.decay * (1 - top / fit.slip_motion)) * (top > fit.slip_motion)
    x, z, found = 0.0, 0.0, []
    for motion in motions:
        sense = np.sign(motion - x)
        end = sense * (2 * fit.slip_motion - top)  # h = 1 as far as this
        stop = motion if sense * motion <= sense * end else end if sense * x < sense * end else x
        if stop != x:
            z = integrated(lambda x, z: fit.decaying / (2 * fit.stiffness) * (gamma_1 + gamma_2) - fit.level / fit.stiffness
                           - sense * ratio * fit.decaying * turn / (2 * fit.stiffness) * x - sense * turn / 2 * z, x, z, stop)
        x = motion
        found.append(fit.stiffness * z)
    return np.array(found)
