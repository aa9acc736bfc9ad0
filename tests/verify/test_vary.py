# Parameter studies: closed forms, the same case written by hand, the same numbers on any number of ranks, samples that fail.
# [timeout: 240]
"""What an oscillator's frequency is when its stiffness and mass are lognormal is known in closed form. Every sample must be, to the last bit, what the
case gives with these numbers in its text, whatever is shared between samples."""
import os
import subprocess
import sys

import h5py
import numpy as np
from scipy import stats

PROGRAM, MPIEXEC = os.environ["DOVETAIL_PROGRAM"], os.environ["DOVETAIL_MPIEXEC"].split()
SOURCE = os.environ["DOVETAIL_SOURCE"]

OSCILLATOR = """
masses: {{ block: {{ mass: {mass} }} }}
springs: [ {{ between: [ground, block], stiffness: {stiffness} }} ]
joints: {{ bolt: {{ between: [ground, block], x: {{ law: iwan4, slip_force: {slip}, stiffness: 4e3, chi: -0.4, beta: 1 }} }} }}
damping: {{ modal: 0.01 }}
studies:
  - modes: {{}}
  - transient: {{ name: hit, time_step: 1e-4, steps: 20000, watch: {{ modes: all }}, load: {{ half_sine: {{ point: block, duration: 2e-3, amplitude: {force} }} }} }}
  - ring_down: {{ of: hit, accept_damping: 0.5 }}
"""
GIVEN = dict(mass=2.0, stiffness=8e4, slip=20.0, force=3000.0)
OUTPUTS = """
    stuck: modes/stuck/frequency[1]
    peak: "transient/hit/points/block/peak[x]"
    late: { path: "transient/hit/points/block/displacement[x]", over: time, at: 0.1234 }
    rms: { path: "transient/hit/points/block/displacement[x]", take: rms }
    omega: { path: ring_down/hit/mode1/omega, over: amplitude, grid: { from: 2e-3, to: 8e-3, count: 5, spacing: logarithmic }, pick: first }
"""


def run(name, text, *options, ranks=1, expect=0):
    with open(f"{name}.yaml", "w") as file:
        file.write(text)
    started = [*MPIEXEC, "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*started, PROGRAM, "run", "-q", f"{name}.yaml", "-o", f"{name}.h5", *options], capture_output=True, text=True)
    assert done.returncode == expect, f"{name}: {done.returncode}, {done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def varied(parameters, more="seed: 1", outputs=OUTPUTS, **given):
    return OSCILLATOR.format(**(GIVEN | given)) + f"vary:\n  {more}\n  parameters: {parameters}\n  outputs: {outputs}\n"


def table(name):
    with h5py.File(f"{name}.h5") as file:
        samples = file["vary/samples"]
        curves = {key: group["values"][:] for key, group in file.get("vary/curves", {}).items()}
        return dict(inputs=samples["inputs"][:], outputs=samples["outputs"][:], status=samples["status"][:], reason=samples["reason"][:], warnings=samples["warnings"][:],
                    names=[text.decode() for text in file["vary/outputs"][:]], curves=curves,
                    statistics={key: item[:] for key, item in file["vary/statistics"].items()})


def closed_forms():
    """f = (k/m)^(1/2) / 2 pi of lognormal k and m is lognormal, and its Sobol' indices follow from the products of moments."""
    spread_k, spread_m = 0.2, 0.1
    text = f"""
masses: {{ block: {{ mass: 2 }} }}
springs: [ {{ between: [ground, block], stiffness: 8e4 }} ]
studies: [ modes: {{}} ]
vary:
  method: sobol_indices
  samples: 1024
  parameters:
    k: {{ path: "springs[0].stiffness", lognormal: {{ median: 8e4, deviation: {spread_k} }} }}
    m: {{ path: masses.block.mass, lognormal: {{ median: 2 kg, deviation: {spread_m} }} }}
  outputs: {{ f: "modes/stuck/frequency[1]" }}
"""
    run("indices", text)
    found = table("indices")["statistics"]
    # ln f has these deviations of its two parts; V(A) = e^(s^2) (e^(s^2) - 1) of the median squared
    a, b = (spread_k / 2) ** 2, (spread_m / 2) ** 2
    whole = np.exp(a + b) - 1
    first, total = np.array([np.exp(a) - 1, np.exp(b) - 1]) / whole, 1 - np.array([np.exp(b) - 1, np.exp(a) - 1]) / whole
    # a Sobol' sequence of 1024 base samples: measured 1.6e-3
    assert np.abs(found["first"][0] - first).max() < 1e-2, (found["first"], first)
    assert np.abs(found["total"][0] - total).max() < 1e-2, (found["total"], total)
    assert (found["first_low"][0] < first).all() and (first < found["first_high"][0]).all()
    run("lognormal", text.replace("  method: sobol_indices\n", "").replace("samples: 1024", "samples: 4096\n  percentiles: [2.5, 50, 97.5]"))
    found = table("lognormal")["statistics"]
    law = stats.lognorm(s=np.sqrt(a + b), scale=np.sqrt(8e4 / 2) / (2 * np.pi))
    # balanced samples: the mean to 3e-6, percentiles to 4e-4 and less than the width of their own intervals
    assert abs(found["mean"][0] / law.mean() - 1) < 2e-5, found["mean"][0] / law.mean() - 1
    assert abs(found["deviation"][0] / law.std() - 1) < 5e-3, found["deviation"][0] / law.std() - 1
    exact = law.ppf([0.025, 0.5, 0.975])
    assert np.abs(found["percentile"][0] / exact - 1).max() < 2e-3, found["percentile"][0] / exact - 1
    assert (found["percentile_low"][0] < exact).all() and (exact < found["percentile_high"][0]).all()


def same_as_by_hand():
    """Rows of the table against runs of the case with these numbers in its text: what is shared must not show."""
    kinds = {"kept": ("force: { path: studies.hit.load.half_sine.amplitude, uniform: { from: 1e3, to: 5e3 } }", "force"),
             "joined": ("slip: { path: joints.bolt.x.slip_force, normal: { mean: 20, deviation: 2 } }", "slip"),
             "rebuilt": ("mass: { path: masses.block.mass, values: [1.5, 2.5] }", "mass")}
    for kind, (parameter, key) in kinds.items():
        run(kind, varied("{ " + parameter + " }", "seed: 1" if "values" in parameter else "samples: 8"))
        found = table(kind)
        for row in (0, len(found["inputs"]) - 1):
            value = float(found["inputs"][row, 0])
            run("by_hand", OSCILLATOR.format(**(GIVEN | {key: repr(value)})))
            with h5py.File("by_hand.h5") as file:
                hit = file["transient/hit/points/block"]
                x, time = hit["displacement"][:, 0], file["transient/hit/time"][:]
                wanted = dict(stuck=file["modes/stuck/frequency"][0], peak=hit["peak"][0, 0])
                decay = file["ring_down/hit/mode1"]
                amplitude, omega = decay["amplitude"][:], decay["omega"][:]
            for name, exact in wanted.items():
                assert found["outputs"][row, found["names"].index(name)] == exact, (kind, row, name)
            # interpolation and sums, in another order of operations
            assert abs(found["outputs"][row, found["names"].index("late")] - np.interp(0.1234, time, x)) < 1e-13 * np.abs(x).max(), kind
            assert abs(found["outputs"][row, found["names"].index("rms")] / np.sqrt(np.mean(x**2)) - 1) < 1e-12, kind
            known = np.isfinite(amplitude)
            order = np.argsort(amplitude[known])
            places = np.geomspace(2e-3, 8e-3, 5)
            exact = np.exp(np.interp(np.log(places), np.log(amplitude[known][order]), np.log(omega[known][order]), np.nan, np.nan))
            there = np.isfinite(exact) & np.isfinite(found["curves"]["omega"][row])
            assert there.sum() >= 3 and np.abs(found["curves"]["omega"][row][there] / exact[there] - 1).max() < 1e-12, (kind, found["curves"]["omega"][row], exact)


QUASI_STATIC = """
masses: {{ a: {{ mass: 2 }}, b: {{ mass: 1 }}, c: {{ mass: 1.5 }} }}
springs:
  - {{ between: [ground, a], stiffness: 8e4 }}
  - {{ between: [a, b], stiffness: 2e4 }}
  - {{ between: [b, c], stiffness: {stiffness} }}
joints:
  ab: {{ between: [a, b], x: {{ law: iwan4, slip_force: {slip}, stiffness: 3e4, chi: -0.4, beta: 1 }} }}
  bc: {{ between: [b, c], x: {{ law: jenkins, slip_force: 15, stiffness: 2e4 }} }}
damping: {{ modal: 0.01 }}
studies:
  - nonlinear_modes: {{ name: q, modes: [1, 3], from: 1e-5, to: {most}, points: 30, method: quasi_static }}
  - static: {{ name: s, load: {{ force: {{ point: c, amplitude: 60 }} }}, path: {{ cycles: 1 }}, steps: 20 }}
"""


def quasi_static_curves_are_those_by_hand():
    """Curves of eight samples are followed in vector lanes: each sample has the bits of the case with its numbers, and of single lanes, on any
    number of ranks. Some samples go so far that their joints slip all along, others hardly slip."""
    paths = {"first": ("nonlinear_modes/q/mode1/omega", 30), "damping": ("nonlinear_modes/q/mode1/zeta", 14), "third": ("nonlinear_modes/q/mode3/omega", 12),
             "lost": ("static/s/joints/bc/x/dissipated", 61)}
    outputs = "".join(f"\n    {name}: '{path}[{place}]'" for name, (path, place) in paths.items())
    given = dict(stiffness=1e4, slip=10.0, most=1.0)
    parameters = ("{ slip: { path: joints.ab.x.slip_force, uniform: { from: 2, to: 30 } }, stiffness: { path: 'springs[2].stiffness', uniform: { from: 5e3, to: 5e4 } },"
                  " most: { path: studies.q.to, uniform: { from: 1e-3, to: 1 } } }")
    text = QUASI_STATIC.format(**given) + f"vary:\n  samples: 21\n  parameters: {parameters}\n  outputs: {outputs}\n"
    run("curves", text)
    run("single", text, "-lanes", "no")
    run("two", text, ranks=2)
    found = table("curves")
    assert (found["status"] == 1).all() and found["outputs"][:, 1].max() > 3 * found["outputs"][:, 1].min() > 0, found["outputs"]
    for other in ("single", "two"):
        assert np.array_equal(found["outputs"], table(other)["outputs"]), other
    for row in (0, 9, 20):
        values = {key: repr(float(value)) for key, value in zip(("slip", "stiffness", "most"), found["inputs"][row])}
        run("curve_by_hand", QUASI_STATIC.format(**(given | values)))
        with h5py.File("curve_by_hand.h5") as file:
            exact = [file[path][place - 1] for path, place in paths.values()]
        assert found["outputs"][row].tolist() == exact, (row, found["outputs"][row], exact)


def a_reduced_mesh_is_shared():
    """The Sumali beam: the reduction is computed once, and each sample still is that of the whole case."""
    text = f"""
include: {SOURCE}/cases/sumali/case.yaml
override:
  studies:
    - modes: {{ count: 9 }}
    - transient: {{ name: blow, time_step: 1e-5, steps: 200, load: {{ half_sine: {{ shape: {{ mode: 7, joints: slipping }}, amplitude: 300 }} }} }}
"""
    outputs = "{ f: 'modes/slipping/frequency[7]', x: 'transient/blow/points/p1/displacement[last, z]' }".replace("last", "201")
    run("beam", text + f"""vary:
  samples: 3
  parameters:
    slip: {{ path: laws.slip.slip_force, uniform: {{ from: 20, to: 40 }} }}
    along: {{ path: laws.along.stiffness, uniform: {{ from: 4e7, to: 6e7 }} }}
  outputs: {outputs}
""")
    found = table("beam")
    slip, along = map(float, found["inputs"][2])
    run("beam_by_hand", text + f"  laws.slip.slip_force: {slip!r}\n  laws.along.stiffness: {along!r}\n")
    with h5py.File("beam_by_hand.h5") as file:
        exact = [file["modes/slipping/frequency"][6], file["transient/blow/points/p1/displacement"][200, 2]]
    assert found["outputs"][2].tolist() == exact, (found["outputs"][2], exact)


BOXES = """
mesh: {source}/tests/bad/meshes/boxes.msh
materials: {{ steel: {{ young: 2e11, poisson: 0.3, density: 8000 }} }}
parts: {{ left: steel, right: steel }}
points: {{ a: {{ average: left_face }}, b: {{ average: right_face }}, end: {{ at: [2, 0.5, 0.5], of: right }} }}
supports: [ {{ point: a }} ]
masses: {{ hung: {{ mass: 500 }} }}
springs: [ {{ between: [hung, end], direction: x, stiffness: 3e8 }} ]
laws: {{ slip: {{ law: iwan4, slip_force: {slip}, stiffness: {stiffness}, chi: -0.3, beta: 1 }} }}
joints: {{ bolt: {{ between: [a, b], x: slip, y: rigid, z: {{ law: spring, stiffness: 5e9 }}, rx: rigid, ry: rigid, rz: slip }} }}
damping: {{ modal: {damping} }}
patterns: {{ weight: {{ gravity: [3, 0, -9.81] }} }}
{reduction}
studies:
  - modes: {{ count: 4 }}
  - transient: {{ name: blow, time_step: 1e-5, steps: 300, load: {{ half_sine: {{ pattern: weight, amplitude: 1e3, duration: 1e-3 }} }} }}
"""


def a_mesh_on_its_modes_is_shared():
    """Modes of stuck joints are found again only where these are of another stiffness; the mesh is assembled once in any case."""
    numbers = {"slip": "path: laws.slip.slip_force, uniform: { from: 5e2, to: 2e3 }", "damping": "path: damping.modal, uniform: { from: 0.01, to: 0.03 }",
               "stiffness": "path: laws.slip.stiffness, uniform: { from: 1e9, to: 3e9 }"}
    given = dict(source=SOURCE, slip=1e3, stiffness=2e9, damping=0.02)
    outputs = "{ f: 'modes/slipping/frequency[4]', x: 'transient/blow/points/end/displacement[301, x]', lost: 'transient/blow/joints/bolt/x/dissipated[301]' }"
    seconds = {}  # the least, which what else the machine does changes least
    for reduction in ("reduction: { modes: { count: 8 } }", ""):
        for names in (("slip", "damping"), ("slip", "stiffness")):
            parameters = ", ".join(f"{name}: {{ {numbers[name]} }}" for name in names)
            run("boxes", BOXES.format(reduction=reduction, **given) + f"vary:\n  samples: 4\n  parameters: {{ {parameters} }}\n  outputs: {outputs}\n")
            found = table("boxes")
            assert found["status"].tolist() == [1] * 4, found["reason"]
            run("boxes_by_hand", BOXES.format(reduction=reduction, **(given | {name: repr(float(value)) for name, value in zip(names, found["inputs"][3])})))
            with h5py.File("boxes_by_hand.h5") as file:
                blow = file["transient/blow"]
                exact = [file["modes/slipping/frequency"][3], blow["points/end/displacement"][300, 0], blow["joints/bolt/x/dissipated"][300]]
            assert found["outputs"][3].tolist() == exact and min(exact[0], exact[2]) > 0, (reduction, names, found["outputs"][3], exact)
            with h5py.File("boxes.h5") as file:
                seconds[reduction, names[1]] = file["vary/samples/seconds"][:].min()
    # measured 6 and 20 of this small mesh, 100 of the Sumali beam
    for reduction in ("reduction: { modes: { count: 8 } }", ""):
        assert 1.5 * seconds[reduction, "damping"] < seconds[reduction, "stiffness"], seconds


def only_what_outputs_need():
    """Outputs have the bits of samples that compute everything, as those that are kept do, whatever else is left out. A run that stops is no reason where
    nothing is taken of it."""
    more = ("  - transient: { name: stops, time_step: 1e-4, steps: 100, "
            "load: { half_sine: { point: block, duration: 2e-3, amplitude: 1e300 } } }\n")
    vary = "vary:\n  {more}\n  parameters: {{ slip: {{ path: joints.bolt.x.slip_force, values: [18, 19, 20] }} }}\n  outputs: {outputs}\n"
    needs = {"f: 'modes/slipping/frequency[1]'": "modes; transient hit, ring_down hit and transient stops are not needed",
             "peak: 'transient/hit/points/block/peak[x]'": "transient hit; modes, ring_down hit and transient stops are not needed",
             "zeta: { path: ring_down/hit/mode1/zeta, over: amplitude, at: 5e-3 }": "transient hit and ring_down hit; modes and transient stops are not needed"}
    for outputs, said in needs.items():
        text = OSCILLATOR.format(**GIVEN) + more
        run("needed", text + vary.format(more="seed: 1", outputs=f"{{ {outputs} }}"), expect=3)
        run("whole", text + vary.format(more="keep: [1, 2, 3]", outputs=f"{{ {outputs} }}"), expect=3)
        needed, whole = table("needed"), table("whole")
        assert np.array_equal(needed["outputs"], whole["outputs"]) and np.isfinite(whole["outputs"]).all(), outputs
        assert needed["status"].tolist() == [1] * 3 and whole["status"].tolist() == [2] * 3, (needed["status"], whole["status"])
        with h5py.File("whole_sample_2.h5") as file:
            assert "transient/stops" in file and "system" in file
        told = subprocess.run([PROGRAM, "check", "needed.yaml"], capture_output=True, text=True, check=True).stdout
        assert f"each sample computes {said}\n" in told, told


def ranks_agree():
    parameters = "{ slip: { path: joints.bolt.x.slip_force, normal: { mean: 20, deviation: 3 } }, k: { path: 'springs[0].stiffness', relative: yes, uniform: { from: 0.9, to: 1.1 } } }"
    for ranks in (1, 2, 3):
        run(f"ranks{ranks}", varied(parameters, "samples: 24"), ranks=ranks)
    run("together", varied(parameters, "samples: 6\n  ranks: 2"), ranks=3)
    first = table("ranks1")
    for ranks in (2, 3):
        other = table(f"ranks{ranks}")
        for key in ("inputs", "outputs", "status"):
            assert np.array_equal(first[key], other[key], equal_nan=True), (ranks, key)
        for key, values in first["statistics"].items():
            assert np.array_equal(values, other["statistics"][key], equal_nan=True), (ranks, key)
        assert np.array_equal(first["curves"]["omega"], other["curves"]["omega"], equal_nan=True)
    # two ranks that compute a sample together agree to round-off
    assert np.allclose(table("together")["outputs"], first["outputs"][:6], rtol=1e-9, atol=0)


def failures_are_told():
    """A stiffness that is not positive is refused; amplitudes that a decay does not reach are no values; the others are not harmed."""
    said = run("refused", varied("{ slip: { path: joints.bolt.x.slip_force, values: [-5, 20, 21] } }"))
    found = table("refused")
    assert found["status"].tolist() == [3, 1, 1], found["status"]
    assert b"joints.bolt.x.slip_force: must be" in found["reason"][0], found["reason"]
    assert np.isnan(found["outputs"][0]).all() and np.isfinite(found["outputs"][1:]).all()
    assert found["statistics"]["failed"].tolist() == [1] * 4 and "1 sample: refused with these numbers" in said, said
    far = "\n    far: { path: ring_down/hit/mode1/zeta, over: amplitude, at: 1e3 }\n    f: modes/stuck/frequency[1]"
    said = run("far", varied("{ slip: { path: joints.bolt.x.slip_force, values: [19, 20] } }", outputs=far))
    assert table("far")["status"].tolist() == [2, 2] and b"amplitude does not reach 1000" in table("far")["reason"][0]
    assert "output far: amplitude does not reach 1000" in said, said
    said = run("nothing", varied("{ slip: { path: joints.bolt.x.slip_force, values: [19, 20] } }", outputs="\n    row: modes/stuck/frequency[3]"), expect=3)
    assert "index 3 is not one of 1 to 1" in said and "no sample is computed" in said, said
    # an index that is missing is told with the one that is there; a hint can be pasted
    said = run("history", varied("{ slip: { path: joints.bolt.x.slip_force, values: [19, 20] } }", outputs="{ late: 'transient/hit/points/block/displacement[x]' }"), expect=3)
    hint = "transient/hit/points/block/displacement[1, x]"
    assert f"it has 20001 rows: say which, as in {hint}, or" in said, said
    run("hint", varied("{ slip: { path: joints.bolt.x.slip_force, values: [19, 20] } }", outputs=f"{{ late: '{hint}' }}"))
    # no sample has a value: nothing was found
    said = run("none", varied("{ slip: { path: joints.bolt.x.slip_force, values: [-5, -6] } }"), ranks=2, expect=3)
    assert "2 samples: refused with these numbers" in said and "no sample has a value" in said and "nan" not in said, said
    # warnings of a sample are counted: steps that are too long for what the blow sets off
    run("warned", varied("{ h: { path: studies.hit.time_step, values: [1e-4, 4e-3] } }", outputs="{ peak: 'transient/hit/points/block/peak[x]' }"))
    found = table("warned")
    assert found["warnings"][0] == 0 and found["warnings"][1] > 0 and found["reason"][1].startswith(b"warning: "), (found["warnings"], found["reason"])


def kept_samples():
    run("keep", varied("{ slip: { path: joints.bolt.x.slip_force, values: [18, 19, 20] } }", "keep: 2"))
    assert os.path.exists("keep_sample_2.h5") and not os.path.exists("keep_sample_1.h5")
    with h5py.File("keep_sample_2.h5") as file:
        assert file["transient/hit/points/block/peak"][0, 0] == table("keep")["outputs"][1, 1]


for check in (closed_forms, same_as_by_hand, quasi_static_curves_are_those_by_hand, a_reduced_mesh_is_shared, a_mesh_on_its_modes_is_shared,
              only_what_outputs_need, ranks_agree, failures_are_told, kept_samples):
    if not sys.argv[1:] or check.__name__ in sys.argv[1:]:
        check()
