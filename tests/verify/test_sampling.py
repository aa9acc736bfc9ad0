#!/usr/bin/env python3
"""Distributions, Sobol' points and statistics of samples against scipy, asked of the programs dump_samples and dump_statistics."""
import os
import subprocess

import numpy as np
from scipy import special, stats
from scipy.stats import qmc

TESTS = os.path.join(os.path.dirname(os.environ["DOVETAIL_PROGRAM"]), "tests")
TAILS = np.array([1e-300, 1e-100, 1e-30, 1e-12, 1e-9, 1e-6, 1e-3, 0.02, 0.074, 0.076, 0.2, 0.4, 0.499, 0.49999999])

# Of each distribution what the case says and what scipy has; in N, as dump_samples asks for that.
DISTRIBUTIONS = {
    "uniform": ("{uniform: {from: 2 N, to: 3 kN}}", stats.uniform(2, 2998)),
    "normal": ("{normal: {mean: 3, deviation: 2}}", stats.norm(3, 2)),
    "truncated": ("{normal: {mean: 3, deviation: 2, least: 1, most: 8}}", stats.truncnorm(-1, 2.5, 3, 2)),
    "tail": ("{normal: {mean: 0, deviation: 1, least: 8, most: 9}}", stats.truncnorm(8, 9)),
    "lognormal": ("{lognormal: {median: 2, deviation: 0.5}}", stats.lognorm(0.5, scale=2)),
    "by_mean": ("{lognormal: {mean: 2, coefficient_of_variation: 30 %}}", stats.lognorm(np.sqrt(np.log(1.09)), scale=2 / np.sqrt(1.09))),
    "triangular": ("{triangular: {from: 1, peak: 2, to: 5}}", stats.triang(0.25, 1, 4)),
    "log_uniform": ("{log_uniform: {from: 1 mN, to: 1 kN}}", stats.loguniform(1e-3, 1e3)),
}


def write(distributions, plan=None):
    with open("case.yaml", "w", encoding="utf-8") as file:
        file.write("parameters:\n" + "".join(f"  {name}: {text}\n" for name, text in distributions.items()))
        file.write(f"plan: {plan}\n" if plan else "")


def ask(program, arguments, lines):
    done = subprocess.run([os.path.join(TESTS, program), *arguments], input="\n".join(lines) + "\n", capture_output=True, text=True)
    assert done.returncode == 0, f"{program} {arguments}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def numbers(*lines):
    return np.array([[float(word) for word in line.split()] for line in ask("dump_samples", ["case.yaml"], lines).splitlines()])


def table(command, name, values):
    return numbers(*(f"{command} {name} {value!r}" for value in values.tolist()))[:, 0]


def close(got, expected, tolerance, what):
    error = np.max(np.abs(np.asarray(got) - expected) / np.maximum(np.abs(expected), 1e-300))
    assert error <= tolerance, f"{what}: {error:.3g} relative, {tolerance:.1g} allowed"


def normal_quantiles():
    """Quantiles of both tails. scipy's ndtri has errors up to 1e-15; 2.2e-16 to 6e-16 was seen, and 1.9e-16 against 40 digits of mpmath."""
    write({"n": "{normal: {mean: 0, deviation: 1}}"})
    close(table("quantile", "n", TAILS), special.ndtri(TAILS), 3e-15, "normal quantiles")
    close(table("upper", "n", TAILS), -special.ndtri(TAILS), 3e-15, "normal quantiles from above")


def distributions():
    """Everything of every distribution. Deviations are of scipy: its truncnorm in a tail loses three digits (7e-13 in the cdf, 2e-11 in the deviation);
    elsewhere the cdf at 1e-100 has z times the round-off of z, which is that of a logarithm over the deviation: 3e-13."""
    write({name: text for name, (text, _) in DISTRIBUTIONS.items()})
    u = np.concatenate([TAILS[3:], 1 - TAILS[5:]])
    for name, (_, scipy) in DISTRIBUTIONS.items():
        loose = 100 if name == "tail" else 1
        tails = [1e-100, 1e-12, 1e-6] if name in ("normal", "lognormal", "by_mean") else []  # at a bound, x itself has too few digits
        x = scipy.ppf(np.concatenate([tails, np.linspace(0.01, 0.99, 9)]))
        close(table("quantile", name, u), scipy.ppf(u), 1e-14, f"quantiles of {name}")
        close(np.append(table("cdf", name, x), 1), np.append(scipy.cdf(x), 1), 3e-12, f"cdf of {name}")
        close(10 + np.abs(table("density", name, x)), 10 + np.abs(scipy.logpdf(x)), 1e-14 * loose, f"density of {name}")
        close(numbers(f"moments {name}")[0], [scipy.mean(), scipy.std()], 1e-10 if loose > 1 else 1e-14, f"moments of {name}")


def sobol_points():
    """The first 2048 points of 256 coordinates: scipy has the cells' lower corners, dovetail their middles, 2^-33 further."""
    write({f"p{i}": "{uniform: {from: 0, to: 1}}" for i in range(100)}, "{samples: 2048, scramble: no}")
    expected = qmc.Sobol(256, scramble=False).random(2048)
    assert np.array_equal(numbers("points"), expected[:, :100] + 2.0**-33), "Sobol' points of 100 parameters"
    write({f"p{i}": "{uniform: {from: 0, to: 1}}" for i in range(128)}, "{method: sobol_indices, samples: 8, scramble: no}")
    rows = numbers("points").reshape(8, 130, 128)
    assert np.array_equal(np.hstack([rows[:, 0], rows[:, 1]]), expected[:8] + 2.0**-33), "Sobol' points of 256 coordinates"


def discrepancies():
    """How even samples are: the centred discrepancy of scrambled Sobol' points is that of scipy's, 3.3e-5 to 4.5e-5 of both; random points have 1e-3."""
    write({f"p{i}": "{uniform: {from: 0, to: 1}}" for i in range(5)}, "{samples: 512, seed: 7}")
    got = qmc.discrepancy(numbers("points"))
    theirs = [qmc.discrepancy(qmc.Sobol(5, seed=seed).random(512)) for seed in range(8)]
    assert 0.7 * min(theirs) < got < 1.4 * max(theirs), f"discrepancy {got:.3g}, scipy's {min(theirs):.3g} to {max(theirs):.3g}"
    write({f"p{i}": "{uniform: {from: 0, to: 1}}" for i in range(5)}, "{method: random, samples: 20000, seed: 2}")
    points = numbers("points")
    for column in points.T:
        assert stats.kstest(column, "uniform").pvalue > 1e-4
    chance = np.abs(np.corrcoef(points.T) - np.eye(5)).max() * np.sqrt(20000)
    assert chance < 4.5, f"correlation of random columns: {chance:.2g} standard errors"


def correlated_values():
    """Kendall's tau and the medians of a Gaussian copula do not depend on the marginals: tau = 2 / pi asin rho [Lindskog, McNeil, Schmock 2003]."""
    write({"a": DISTRIBUTIONS["lognormal"][0], "b": DISTRIBUTIONS["triangular"][0]},
          "{method: sobol, samples: 4096, correlation: {parameters: [b, a], matrix: [[1, -0.6], [-0.6, 1]]}}")
    a, b = numbers("values").T
    tau = stats.kendalltau(a, b).statistic
    assert abs(tau - 2 / np.pi * np.arcsin(-0.6)) < 1e-3, tau  # 2.4e-5 as seen; of independent samples 1e-2
    for column, name in ((a, "lognormal"), (b, "triangular")):
        distance = stats.kstest(column, DISTRIBUTIONS[name][1].cdf).statistic
        assert distance < 1e-2, f"{name}: {distance:.2g} from its distribution"  # 3e-3 as seen; of independent samples 1.4e-2


def statistics():
    """Means, percentiles, ranks of their intervals and correlations of a table with failed samples and equal values."""
    rng = np.random.default_rng(1)
    x = rng.lognormal(0, 1, (301, 3))
    x[:, 1] = np.round(x[:, 0] + x[:, 1])
    x[::7, 2] = np.nan
    text = ask("dump_statistics", ["301", "3"], [" ".join(repr(v) for v in row) for row in x.tolist()])
    rows = iter([[float(word) for word in line.split()] for line in text.splitlines()])
    for column in x.T:
        good = np.sort(column[np.isfinite(column)])
        n = len(good)
        close(next(rows), [n, 301 - n, good.mean(), stats.sem(good), good.std(ddof=1), good[0], good[-1]], 1e-14, "summary")
        for percent in (0, 5, 50, 97.5, 99.9, 100):
            got, p = next(rows), percent / 100
            close(got[0], np.percentile(good, percent), 1e-14, f"percentile {percent}")
            # The largest k with P(B < k) <= 2.5 % and the smallest with P(B >= k) <= 2.5 %.
            low = max(k for k in range(n + 1) if k == 0 or stats.binom.cdf(k - 1, n, p) <= 0.025)
            high = min(k for k in range(1, n + 2) if k == n + 1 or stats.binom.sf(k - 1, n, p) <= 0.025)
            assert got[1] == (good[low - 1] if low else -np.inf), f"{percent} %: from {got[1]}"
            assert got[2] == (good[high - 1] if high <= n else np.inf), f"{percent} %: to {got[2]}"
    for i in range(3):
        for j in range(3):
            good = np.isfinite(x[:, i]) & np.isfinite(x[:, j])
            expected = [good.sum(), np.corrcoef(x[good, i], x[good, j])[0, 1], stats.spearmanr(x[good, i], x[good, j]).statistic]
            close(next(rows), expected, 1e-14, "correlation")


for test in (normal_quantiles, distributions, sobol_points, discrepancies, correlated_values, statistics):
    test()
