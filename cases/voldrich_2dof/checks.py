"""checks.py - modes with one rubbing contact, from event to event: what the results of this case, and of scripts/reproduce voldrich2009, are
compared with. Between events the equations are smooth and scipy integrates them; the contact is that of eqs 2 to 5 with R = 0."""
import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import eigh
from scipy.optimize import root

MASS, SPRINGS = 1.0, (41339.0, 41328.0)  # section 4.2
STIFFNESS, FRICTION, FORCE, DAMPING = 4e4, 0.5, 10.0, 0.02
STICK, APART = 0, 2  # other phases, 1 and -1: slip, the contact's force being of this sign
EXACT = {"method": "DOP853", "rtol": 1e-9, "atol": 1e-13}
CHECKED = (20.0, 21.75, 24.0)  # [Hz]
CYCLES = 20  # from rest, before the cycle that closes is sought


class Rubbing:
    """Modes of unit mass under a sine on one motion. `tangential` and `normal` are how the contact moves in them, `normal` 0 where the load
    stays, positive where a mode presses; `pushed` is the motion that the load acts on, and whose amplitude is asked for."""

    def __init__(self, frequencies, damping, tangential, normal, pushed, stiffness, normal_stiffness, friction, preload, force, frequency):
        self.omega, self.damping = 2 * np.pi * np.asarray(frequencies), damping
        self.tangential, self.normal, self.pushed = np.asarray(tangential), np.asarray(normal) * np.ones(len(frequencies)), np.asarray(pushed)
        self.stiffness, self.normal_stiffness, self.friction, self.preload = stiffness, normal_stiffness, friction, preload
        self.force, self.turn = force, 2 * np.pi * frequency
        self.period, self.size = 1 / frequency, len(frequencies)
        self.at_rest = STICK if preload > 0 else APART

    def pressure(self, y):
        return self.preload + self.normal_stiffness * (self.normal @ y[: self.size])

    def rub(self, phase, y, anchor):
        if phase == STICK:
            return self.stiffness * (self.tangential @ y[: self.size] - anchor)
        return 0.0 if phase == APART else phase * self.friction * self.pressure(y)

    def slip_speed(self, y, sign):
        """Of the spring's end, along its force."""
        pressing = self.normal_stiffness * (self.normal @ y[self.size:])
        return sign * (self.tangential @ y[self.size:]) - self.friction / self.stiffness * pressing

    def rate(self, phase, anchor):
        """Within a phase y' = A y + c + p sin(Omega t)."""
        still, one = np.zeros(self.size), np.eye(self.size)
        forces = [self.force_in_modes(phase, y, anchor) for y in np.vstack([still, one])]
        stiffness = np.diag(self.omega**2) + np.array([moved - forces[0] for moved in forces[1:]]).T
        matrix = np.block([[np.zeros_like(one), one], [-stiffness, -np.diag(2 * self.damping * self.omega)]])
        constant, push, turn = np.concatenate([still, -forces[0]]), np.concatenate([still, self.pushed * self.force]), self.turn
        return lambda time, y: matrix @ y + constant + push * math.sin(turn * time)

    def force_in_modes(self, phase, q, anchor):
        """Of the contact, beyond its preload; linear within a phase."""
        pressure = 0.0 if phase == APART else self.pressure(q)
        return self.tangential * self.rub(phase, q, anchor) + self.normal * (pressure - self.preload)

    def events(self, phase, anchor):
        """What ends a phase, when it falls (or, apart, rises) through zero."""
        if phase == STICK:
            ends = [lambda time, y: self.friction * self.pressure(y) - abs(self.rub(STICK, y, anchor))]
        elif phase == APART:
            ends = [lambda time, y: -self.pressure(y)]
        else:
            ends = [lambda time, y: self.slip_speed(y, phase), lambda time, y: self.pressure(y)]
        for end in ends:
            end.terminal, end.direction = True, -1
        return ends

    def after(self, phase, event, y, anchor):
        """The next phase, and where the spring's end then is."""
        place = self.tangential @ y[: self.size]
        if phase == STICK:
            return int(np.sign(self.rub(STICK, y, anchor))), anchor
        if phase == APART:
            sign = int(np.sign(self.tangential @ y[self.size:]))
            return (sign if self.slip_speed(y, sign) > 0 else STICK), place
        return (APART, place) if event == 1 else (STICK, place - self.rub(phase, y, anchor) / self.stiffness)

    def march(self, y, anchor, phase, begin, end, log=None):
        """State, spring's end and phase at the end; `log` takes (from, to, phase, solution). The first step is short: an event that lies
        at a beginning by round-off must not hide one that follows."""
        time = begin
        while time < end - 1e-12 * self.period:
            part = solve_ivp(self.rate(phase, anchor), (time, end), y, events=self.events(phase, anchor), dense_output=log is not None,
                             first_step=min(1e-3 * self.period, (end - time) / 2), max_step=self.period / 40, **EXACT)
            if log is not None:
                log.append((time, part.t[-1], phase, part.sol))
            time, y = part.t[-1], part.y[:, -1]
            if part.status == 1:
                phase, anchor = self.after(phase, next(i for i, times in enumerate(part.t_events) if len(times)), y, anchor)
        if phase != STICK:
            anchor = self.tangential @ y[: self.size] - self.rub(phase, y, anchor) / self.stiffness
        return y, anchor, phase

    def last_cycle(self, start, cycles):
        """Log of a cycle after so many, from a state of modes and their velocities."""
        log = []
        state = self.march(np.asarray(start, dtype=float), self.tangential @ start[: self.size], self.at_rest, 0.0, cycles * self.period)
        self.march(*state, 0.0, self.period, log)
        return state, log

    def closed_cycle(self, start=None, cycles=CYCLES):
        """The log of a motion that repeats itself: Newton's rule on a cycle that begins amid its longest slip, where the spring's end
        is where the state says. What sticks all the time is linear and needs none of this: None."""
        state, log = self.last_cycle(np.zeros(2 * self.size) if start is None else start, cycles)
        begin, end, phase, _ = max(log, key=lambda part: (part[2] != STICK) * (part[1] - part[0]))
        if phase == STICK:
            return None
        begin = (begin + end) / 2
        y, anchor, phase = self.march(*state, 0.0, begin)
        closed = root(lambda y: self.march(y, anchor, phase, begin, begin + self.period)[0] - y, y, options={"xtol": 1e-8, "eps": 1e-7})
        log = []
        self.march(closed.x, anchor, phase, begin, begin + self.period, log)
        return log

    def along(self, log, motion):
        """A motion on a fine grid."""
        return np.concatenate([motion @ solution(np.linspace(begin, end, 400))[: self.size] for begin, end, _, solution in log])

    def amplitude(self, start=None, cycles=CYCLES):
        """Half of what lies between the extremes of the motion that is pushed."""
        log = self.closed_cycle(start, cycles)
        return abs(self.linear()) if log is None else np.ptp(self.along(log, self.pushed)) / 2

    def linear(self, sticks=True, of=None):
        """Complex amplitude of a motion without slip and separation, or without the contact."""
        dynamic = np.diag(self.omega**2 - self.turn**2 + 2j * self.damping * self.omega * self.turn)
        if sticks:
            dynamic = dynamic + self.stiffness * np.outer(self.tangential, self.tangential) + self.normal_stiffness * np.outer(self.normal, self.normal)
        return (self.pushed if of is None else of) @ np.linalg.solve(dynamic, self.pushed * self.force)

    def keeps_stuck(self):
        """Whether the linear motion with a stuck contact stays within the limit of friction all along."""
        angle = np.exp(1j * np.linspace(0, 2 * np.pi, 721))
        rub = self.stiffness * (self.linear(of=self.tangential) * angle).imag
        pressure = self.preload + self.normal_stiffness * (self.linear(of=self.normal) * angle).imag
        return bool(np.all(np.abs(rub) <= self.friction * pressure))


def lumped_modes(contact=0.0):
    """Frequencies [Hz] and shapes of fig. 7, by scipy; with the contact stuck."""
    first, second = SPRINGS
    squares, shapes = eigh([[first + second + contact, -second], [-second, second]], MASS * np.eye(2))
    return np.sqrt(squares) / (2 * np.pi), shapes


def measure(result):
    """The numbers of expect.yaml."""
    found = {state: result[f"modes/{state}/frequency"][:] for state in ("slipping", "stuck")}
    sweeps = {direction: {name: values[:] for name, values in result[f"response/sweep/{direction}_1"].items() if name in ("frequency", "amplitude", "steady")}
              for direction in ("up", "down")}
    column, along = ([name.decode() for name in result[f"response/{study}/motions"][:]].index("m2 y") for study in ("sweep", "curve"))
    frequencies, shapes = lumped_modes()
    measured = {f"mode {k + 1} {state} by scipy's": found[state][k] / lumped_modes(contact)[0][k]
                for state, contact in (("slipping", 0.0), ("stuck", STIFFNESS)) for k in range(2)}

    def integrated(frequency):
        return Rubbing(frequencies, DAMPING, shapes[0], 0.0, shapes[1], STIFFNESS, 0.0, FRICTION, 30.0, FORCE, frequency).amplitude()

    curve = {name: result[f"response/curve/curve_1/{name}"][:] for name in ("frequency", "amplitude", "stable")}
    truths = {frequency: integrated(frequency) for frequency in CHECKED}
    peak = np.nanargmax(curve["amplitude"][:, along])
    for place, row, truth in (("20 Hz", 0, truths[20.0]), ("peak", peak, integrated(curve["frequency"][peak]))):
        measured[f"{place} by harmonic balance by scipy's"] = curve["amplitude"][row, along] / truth
    measured["points of the curve that are not stable"] = sum(curve["stable"] > 1)
    for frequency, truth in truths.items():
        for direction, sweep in sweeps.items():
            row = np.argmin(np.abs(sweep["frequency"] - frequency))
            measured[f"{frequency:g} Hz {direction} by scipy's"] = sweep["amplitude"][row, column] / truth
    measured["frequencies that are not steady"] = sum(np.sum(sweep["steady"] == 0) for sweep in sweeps.values())
    return measured
