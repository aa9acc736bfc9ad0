"""ensembles.py - how evenly samples of different costs are handed out to ranks, measured and extrapolated, for scripts/bench.

Measured are the seconds of all samples of two cases on 1, 2, 3 and 4 ranks, and the time in which a rank is given its next numbers (bench_hand_out).
Efficiency is the work of the samples, the least that runs on one rank have measured of each, over the seconds of all cores that ranks have: where there are more ranks
than cores, of all cores of the machine, and what is lost then is also what ranks lose that take turns on a core. "In samples" is the part of their
time that ranks are within samples, which others on the machine do not change: what is left is lost by the hand-out, by rows, and at the end.

The model is a simulation of the queue, which knows the measured costs of all samples, the rule by which a rank takes several at once (ChooseShare of
src/ensemble/samples.c), the time of a take, during which nobody else is served, and two numbers that are fitted to the runs on one rank: seconds
before the first sample, and seconds beside each sample, which its row takes. The bound is that of any hand-out which does not know the costs
beforehand and keeps no rank waiting [Graham 1969]: all work on all ranks, and the longest sample on one.

Ranks of one node take numbers from a counter in memory. Of ranks on several nodes rank 0 answers the others and computes nothing (src/ensemble/hand_out.c):
column "several nodes". The last column is what a counter without a server would do over a network whose hardware does not read and write memory by
itself, where a rank waits until rank 0 asks for numbers, too.
"""
import heapq
import os
import random
import re
import statistics

import h5py
import numpy as np

from machine import execute, print_table, say

CASE = """
masses: {{ block: {{ mass: 2 }} }}
springs: [ {{ between: [ground, block], stiffness: 8e4 }} ]
joints: {{ bolt: {{ between: [ground, block], x: {{ law: jenkins, slip_force: 20, stiffness: 4e3 }} }} }}
studies:
  - transient: {{ name: hit, time_step: 1e-4, steps: {steps}, every: 1000, load: {{ half_sine: {{ point: block, duration: 2e-3, amplitude: 300 }} }} }}
vary:
  samples: {samples}
  parameters: {{ {parameter} }}
  outputs: {{ peak: "transient/hit/points/block/peak[x]" }}
"""
CHEAP_STEPS, LEAST_STEPS, MOST_STEPS = 16000, 4000, 4000000  # 2 ms; 0.5 ms and 0.5 s where 8 million steps take a second
MEASURED, EXTRAPOLATED = (1, 2, 3, 4), (10, 100, 1000)
GOAL = 0.2  # seconds of a share, as in ChooseShare


def cheap_case(samples):
    return CASE.format(steps=CHEAP_STEPS, samples=samples, parameter="k: { path: 'springs[0].stiffness', uniform: { from: 7e4, to: 9e4 } }")


def uneven_case(samples):
    """Numbers of steps that differ by three orders of magnitude, log-uniform, in an order by chance."""
    steps = [round(LEAST_STEPS * (MOST_STEPS / LEAST_STEPS) ** (i / (samples - 1))) for i in range(samples)]
    random.Random(1).shuffle(steps)
    return CASE.replace("  samples: {samples}\n", "").format(steps=CHEAP_STEPS, parameter=f"steps: {{ path: studies.hit.steps, values: {steps} }}")


def stage_seconds(log):
    """Of all samples, as the log tells them."""
    return float(re.search(r"^vary: \d+ samples +([0-9.]+) s", log, re.MULTILINE)[1])


def run(options, folder, name, ranks):
    """Seconds of the stage, and of each sample."""
    result = os.path.join(folder, "result.h5")
    if os.path.exists(result):
        os.remove(result)
    start = ["mpiexec", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    _, log, _ = execute([*start, options.program, "run", os.path.join(folder, name), "-o", result])
    with h5py.File(result, "r") as file:
        assert np.all(file["vary/samples/status"][:] == 1), "a sample is not done"
        return stage_seconds(log), file["vary/samples/seconds"][:]


def measure(options, folder, name, text):
    """For each number of ranks the median of the seconds, and of the part of them that ranks are within samples; the least costs of each sample on one rank,
    which others on the machine disturb least."""
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)
    runs = {ranks: [] for ranks in MEASURED}
    for _ in range(options.repeat):
        for ranks in MEASURED:
            runs[ranks].append(run(options, folder, name, ranks))
    seconds = {ranks: statistics.median(found[0] for found in runs[ranks]) for ranks in MEASURED}
    within = {ranks: statistics.median(found[1].sum() / (ranks * found[0]) for found in runs[ranks]) for ranks in MEASURED}
    return seconds, within, np.min([found[1] for found in runs[1]], axis=0)


def measure_take(options, ranks, *words):
    """Seconds from one number to the next, where ranks only ask."""
    program = os.path.join(os.path.dirname(options.program), "tests", "bench_hand_out")
    output, _, _ = execute(["mpiexec", "--oversubscribe", "-n", str(ranks), program, *words])
    return 1 / float(output.split()[2])


class Model:
    """What the simulation knows beside the costs."""

    def __init__(self, take, message, start, beside):
        self.take, self.message, self.start, self.beside = take, message, start, beside


def simulate(costs, ranks, model, polled=False, served=False):
    """Seconds until the last rank has ended. `polled`: a take waits until rank 0 asks for numbers itself; `served`: rank 0 computes nothing."""
    pending, given, counter_free = len(costs), 0, 0.0
    busy = 0.0  # when rank 0 asks again
    take = model.message if served else model.take
    queue = [(model.start, rank, 0, 0) for rank in range(1 if served else 0, ranks)]  # when it asks, who, samples done, the first number that it had last
    heapq.heapify(queue)
    ended = 0.0
    while queue:
        now, rank, done, first = heapq.heappop(queue)
        asked = max(now, counter_free)
        if polled and rank > 0:
            asked = max(asked, busy)
        counter_free = asked + take
        now = counter_free
        share = 1
        if done:
            each = max((now - model.start) / done, 1e-9)
            share = int(max(1, min(GOAL / each, (pending - first) / (4 * ranks))))
        share = min(share, pending - given)
        if share == 0:
            ended = max(ended, now)
            continue
        mine = costs[given : given + share] + model.beside
        if rank == 0:
            busy = now + float(mine.sum())
        heapq.heappush(queue, (now + float(mine.sum()), rank, done + share, given))
        given += share
    return ended


def graham(costs, ranks):
    """The longest time of a hand-out that keeps nobody waiting, and the shortest of any."""
    work, longest = float(costs.sum()), float(costs.max())
    return work / ranks + (1 - 1 / ranks) * longest, max(work / ranks, longest)


def fit(many_samples, few_samples):
    """Seconds before the first sample and beside each one, of two runs on one rank."""
    (rest, number), (few_rest, few) = ((seconds - costs.sum(), len(costs)) for seconds, costs in (many_samples, few_samples))
    beside = max(0.0, (rest - few_rest) / (number - few))
    return max(0.0, rest - beside * number), beside


def report_measured(name, seconds, within, costs, model):
    cores = len(os.sched_getaffinity(0))
    work, rows = float(costs.sum()), []
    for ranks, found in seconds.items():
        at_once = min(ranks, cores)
        longest, shortest = graham(costs, at_once)
        expected = simulate(costs, at_once, model)
        remark = "" if ranks <= cores else f"{ranks} ranks take turns on {cores} cores"
        rows.append([f"{ranks}", f"{found:.3f}", f"{100 * within[ranks]:.1f} %", f"{100 * work / (at_once * found):.1f} %", f"{100 * work / (at_once * longest):.1f} %",
                     f"{100 * work / (at_once * shortest):.1f} %", f"{100 * work / (at_once * expected):.1f} %", remark])
    say(f"\n{name}: {len(costs)} samples, {work:.2f} s of work, {1e3 * costs.min():.2f} to {1e3 * costs.max():.1f} ms each; measured")
    print_table([["ranks", "seconds", "in samples", "efficiency", "guaranteed", "best possible", "model", ""], *rows], 0)
    return [{"case": name, "ranks": ranks, "seconds": found, "within": within[ranks], "work": work, "model": simulate(costs, min(ranks, cores), model)} for ranks, found in seconds.items()]


def many(costs, number):
    """Costs of a larger study of the same distribution."""
    return np.random.default_rng(1).choice(costs, number)


def report_simulated(name, costs, model):
    rows, found = [], []
    for number in (len(costs), 10000, 100000):
        drawn = costs if number == len(costs) else many(costs, number)
        for ranks in EXTRAPOLATED:
            work = float(drawn.sum())
            times = [simulate(drawn, ranks, model), simulate(drawn, ranks, model, served=True), simulate(drawn, ranks, model, polled=True)]
            longest, shortest = graham(drawn, ranks)
            share = [f"{100 * work / (ranks * time):.1f} %" for time in (times[0], times[1], longest, shortest, times[2])]
            rows.append([str(number), str(ranks), f"{times[0]:.3f}", *share])
            found.append({"case": name, "samples": number, "ranks": ranks, "seconds": times[0], "served": times[1], "polled": times[2], "work": work})
    say(f"\n{name}: simulated, on as many cores as ranks")
    print_table([["samples", "ranks", "seconds", "one node", "several nodes", "guaranteed", "best possible", "no server"], *rows], 0)
    return found


def bench(options, folder):
    cases = {"cheap": (cheap_case, 2000), "uneven": (uneven_case, 200)}
    take, message, rows = measure_take(options, 2), measure_take(options, 2, "-serve_samples"), []
    say(f"ranks that only ask are given a number each {1e6 * take:.2f} us, each {1e6 * message:.2f} us by a rank that answers (a message there and back)")
    for name, (text, samples) in cases.items():
        seconds, within, costs = measure(options, folder, f"{name}.yaml", text(samples))
        if name == "cheap":
            with open(os.path.join(folder, "few.yaml"), "w", encoding="utf-8") as file:
                file.write(text(samples // 10))
            start, beside = fit(run(options, folder, f"{name}.yaml", 1), run(options, folder, "few.yaml", 1))
            model = Model(take, message, start, beside)
            say(f"fitted: {1e3 * start:.2f} ms before the first sample, {1e6 * beside:.1f} us beside each one")
        rows += report_measured(name, seconds, within, costs, model) + report_simulated(name, costs, model)
    return rows
