"""The cases of README.md run as they stand there, and without a warning: those with a title are whole, others are pieces that are put into
the first.

The first case, fitted: all six parameters are determined, and are those of the case, whose mode has unit mass: K_inf = 8e4 / 2, K_T = 4e3 / 2,
F_S = 20 / 2^1/2, chi = -0.4, beta = 1, zeta_0 = 5e-3. Measured: 1e-5 to 6e-3 off; ring-downs smooth over the change to macroslip.
The block on its pad: it slides under 300 N, as its springs alone give 0.1 mm for what the pad does not hold, and sticks under 30 N.

Joint of two plates: each bolt has the tension that it was tightened to, and nothing else holds the upper plate across its plane, so that
the faces press each other with the sum of both, before and under the load of the static, too. Balances of forces: round-off, and the tolerance of
Newton's rule.
"""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np

import box
import sumali
from test_welded_sides import plates
from touching import Bodies, agree, in_a_folder, start

with open(os.path.join(os.environ["DOVETAIL_SOURCE"], "README.md"), encoding="utf-8") as file:
    README = file.read()
BLOCKS = re.findall(r"^```yaml\n(.*?)^```", README, re.M | re.S)
SHOCK, SLIDE, LAP, TABLE = [block for block in BLOCKS if block.startswith("title:")]
PRELOAD, BOLTS = 6e3, ("b1", "b2")
EXACT = {"stiffness": 4e4, "damping": 5e-3, "slip_force": 20 / 2**0.5, "tangent": 2e3, "chi": -0.4, "beta": 1}  # the modal Iwan model of the first case


def script(word):
    """The lines of python that have this word."""
    found = [lines for lines in re.findall(r"^```python\n(.*?)^```", README, re.M | re.S) if word in lines]
    assert len(found) == 1, (word, found)
    return found[0]


def piece(*words):
    """The block that has all of these words."""
    found = [block for block in BLOCKS if all(word in block for word in words)]
    assert len(found) == 1, (words, found)
    return found[0]


def check(text):
    with open("piece.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run(sumali.command("check", "piece.yaml"), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stdout + done.stderr


def solve(text, name):
    done = start(text, name)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stdout + done.stderr
    return h5py.File(name + ".h5", "r")


def the_first_case_runs():
    with solve(SHOCK, "shock") as file:
        assert len(file["transient/hammer_2/time"]) == 20001
    names = {}
    exec(script("shock.h5"), names)
    assert names["time"].shape == names["displacement"].shape and np.max(np.abs(names["loop"][1])) <= 20 * (1 + 1e-9)  # the slip force


def the_first_case_identifies_its_joint():
    longer = SHOCK.replace("steps: 20000", "steps: 50000\n      every: 10\n      watch: { modes: all }")
    with solve(longer + piece("- ring_down: { of: hammer }", "modal_iwan"), "fitted") as file:
        model = file["modal_iwan/fitted/mode1"]
        assert np.all(model["determined"][()] == 1), model["determined"][()]
        for key, value in EXACT.items():
            agree(key, model[key][()], value, 2e-2)
        assert model["points"][0] > model["points"][1], "no macroslip"
        for name in ("hammer", "model"):
            assert len(file[f"transient/{name}_3/time"]) == 5001


def nonlinear_modes_identify_the_joint_without_a_decay():
    with solve(SHOCK + piece("- nonlinear_modes:"), "curves") as file:
        for key, value in EXACT.items():
            agree(key, file["modal_iwan/direct/mode1"][key][()], value, 2e-2)


def the_mistake_of_the_first_case_has_its_place():
    with open("shock.yaml", "w", encoding="utf-8") as file:
        file.write(SHOCK.replace("slip_force", "slip_forse"))
    done = subprocess.run(sumali.command("check", "shock.yaml"), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 2 and re.search(r"^    (error: shock.yaml.*?) \.\.\.$", README, re.M)[1] in done.stderr, done.stderr


def numbers_have_units_and_variants_override():
    """The quantities of the README in the places of the first case leave its result as it is; the variant is another one."""
    with open("shock.yaml", "w", encoding="utf-8") as file:
        written = {"mass: 2 ": "mass: 2000 g ", "stiffness: 8e4": "stiffness: 80 N/mm", "duration: 2e-3": "duration: 2 ms", "modal: 5e-3": "modal: 0.5 %"}
        text = SHOCK
        for plain, quantity in written.items():
            assert f"`{quantity.strip()}`" in README and plain in text, quantity
            text = text.replace(plain, quantity)
        file.write(text)
    check("".join(line[4:] for line in README.splitlines(True) if re.match("    (include|override): ", line)))
    with solve(SHOCK, "plain") as plain, solve(text, "quantities") as quantities:
        assert plain["case"].attrs["values"] == quantities["case"].attrs["values"], quantities["case"].attrs["values"].decode()


def measured_modes_serve_as_a_structure():
    modal = re.search(r"`(modal: \{.*?)`", README)[1]
    with solve(modal + "\nstudies: [ { modes: {} } ]\n", "modal") as file:
        agree("frequencies", file["modes/stuck/frequency"][()], [20, 52.4], 1e-12)


def responses_of_the_first_case_are_steady():
    with solve(SHOCK + piece("- response: { name: sines") + piece("- response:", "harmonic_balance", "frequencies") + piece("- response:", "along"), "sines") as file:
        for name, curve in file["response/sines"].items():
            if isinstance(curve, h5py.Group):
                known = np.isfinite(curve["frequency"][()])
                assert np.sum(known) > 25 and np.all(curve["steady"][()][known] == 1), name
        for i in (1, 2):  # the refined peak of the stepped sines lies below that of the curve, by what lies between its frequencies
            stepped = np.nanmax(file[f"response/sines/up_{i}/harmonics"][:, 0, 0])
            peak = np.nanmax(file[f"response/curve/curve_{i}/special/amplitude"][()])
            assert 0.999 * stepped < peak < 1.02 * stepped, (stepped, peak)
        backbone = file["response/backbone/curve_1"]  # between the frequencies of the modes, stuck and slipping
        ends = backbone["frequency"][:][np.isfinite(backbone["frequency"][:])][[0, -1]]
        agree("beginning of the backbone", ends[0], 32.617, 1e-3)
        assert 31.831 < ends[1] < 32.2, ends


def the_block_slides():
    with solve(SLIDE, "slide") as file:
        most = [np.max(np.abs(file[f"transient/push_{run}/points/block/displacement"][:, 1])) for run in (1, 2)]
        assert most[0] < 3e-6 and 3e-4 < most[1] < 4e-4, most
        sliding = [np.max(file[f"transient/push_{run}/joints/pad/contact/share"][:, 2]) for run in (1, 2)]
        assert sliding[1] == 1, sliding


def a_pull_at_rest_is_in_balance():
    """At each factor of the path the spring and the joint hold the load. Measured: round-off of a balance of 1e-11."""
    with solve(SHOCK + piece("- static: { name: pull"), "pull") as file:
        static = file["static/pull"]
        held = 8e4 * static["points/block/displacement"][:, 0] + static["joints/bolt/x/force"][()]
        agree("force", held, 30 * static["factor"][()], 1e-9)


def laws_are_driven_and_found_again():
    """The loops of the README, and its fit from those of two other amplitudes: exact data give exact parameters. Measured: 1e-12."""
    with solve(piece("- loop: { name: grow"), "loops") as file:
        assert len(file["loop/grow/cycles/area"]) == 58
    exact = {"slip_force": 20, "stiffness": 4e3, "chi": -0.4, "beta": 1}
    for name, amplitude in (("small", 2e-3), ("large", 3e-2)):
        law = f"[{{ law: iwan4, {', '.join(f'{key}: {value}' for key, value in exact.items())} }}, {{ law: spring, stiffness: 2e3 }}]"
        columns(name, f"{{ law: {law}, path: {{ sine: {{ amplitude: {amplitude} }} }}, steps: 200 }}")
    with solve(piece("- fit_law:"), "law") as file:
        found = file["fit_law/fit_law"]
        agree("parameters", found["value"][:5], [*exact.values(), 2e3], 1e-6)


def columns(name, loop):
    """NAME.csv of a loop: time, displacement, force."""
    with solve(f"studies: [ {{ loop: {loop} }} ]\n", name) as file:
        np.savetxt(name + ".csv", np.transpose([file[f"loop/loop/{key}"][()] for key in ("time", "displacement", "force")]))


def slopes_of_a_loop_are_fitted():
    """The law behind the loop is P = a x + b v; local polynomials of 21 samples give 1e-4 of its terms, measured."""
    columns("loop", "{ law: { law: generalized_valanis, C1: 4e3, C2: 200, P1_x: 1e4, P1_v: 1e3 }, path: { growing_sine: { from: 5e-3, to: 2e-2, cycles: 4 } }, steps: 1000 }")
    with solve(piece("- fit_polynomial:"), "slopes") as file:
        agree("terms", file["fit_polynomial/fit_polynomial/value"][()] / [4e3, 1e4, 1e3, 200], np.ones(4), 1e-3)


def a_measured_decay_is_analysed():
    """110 Hz at 1 %, with noise of 2e-4."""
    time, omega = np.arange(0, 2, 1 / 5120), 2 * np.pi * 110
    signal = 50 * np.exp(-0.01 * omega * time) * np.sin(omega * time) + 0.01 * np.random.default_rng(1).standard_normal(len(time))
    np.savetxt("hammer.csv", np.transpose([time, signal]), delimiter=",", header="time,acceleration", comments="")
    with solve(piece("- ring_down: { records"), "decay") as file:
        decay = file["ring_down/ring_down/mode1"]
        agree("frequency", np.nanmedian(decay["omega"][()]), omega * (1 - 0.01**2) ** 0.5, 1e-3)


def frequencies_find_stiffness_and_modulus():
    """A cantilever of 0.513 m on a spring at its tip, which can have both frequencies; as many unknowns as targets, so that these are met. Measured: 1e-12."""
    box.line("beam.msh", 0.513, 10)
    beam = """
mesh: beam.msh
materials: { steel: { young: 205e9, poisson: 0.3, density: 7850 } }
parts: { beam: { element: beam, material: steel, section: { rectangle: { height: 0.01, width: 0.02 }, orientation: [0, 1, 0] } } }
supports: [ { group: root }, { group: beam, directions: [x, z, rx, ry] } ]
points: { tip: { at: [0.513, 0, 0] } }
springs: [ { between: [ground, tip], direction: y, stiffness: 1e3 } ]
studies:
"""
    with solve(beam + piece("- fit_modes:"), "identified") as file:
        agree("frequencies", file["fit_modes/fit_modes/after"][()], [34.6, 197.2], 1e-6)


def a_bracket_in_millimetres_is_read():
    """10 x 40 x 30 mm; surfaces 5 and 8 are the eighth part's neighbours in the file: its bottom, held, and its end, on rollers."""
    bodies = Bodies()
    faces = {"a": (0, 0), "b": (1, 0), "c": (1, -1), "floor": (2, 0), "d": (2, -1), "e": (2, -1, lambda a, b: a == 0), "end": (0, -1)}
    bodies.grid("body", "hex8", (2, 4, 3), lambda i, j, k: (5 * i, 10 * j, 10 * k), faces)
    assert list(bodies.groups).index("floor") == 4 and list(bodies.groups).index("end") == 7
    bodies.write("bracket.msh")
    steel = re.search(r"^materials:.*$", LAP, re.M)[0]
    with solve(piece("bracket.msh") + steel + "\nstudies: [ { modes: { count: 2 } } ]\n", "bracket") as file:
        assert file["modes/stuck/frequency"][0] > 1e3


def patterns_and_turned_joints_are_read():
    plates("plates.msh", lambda x: False)
    with open("plates.msh", encoding="utf-8") as file:
        text = file.read()
    with open("plates.msh", "w", encoding="utf-8") as file:
        file.write(text.replace("upper_top_start", "roof"))
    around = """
mesh: plates.msh
materials: { steel: { young: 210e9, poisson: 0.3, density: 7850 } }
parts: { lower: steel, upper: steel }
supports: [ { group: clamped }, { group: clamped_upper } ]
points: { lower: { average: lower_top_end }, upper: { average: upper_bottom_end } }
laws: { slip: { law: iwan4, slip_force: 20, stiffness: 4e6, chi: -0.4, beta: 1 } }
studies: [ { static: { load: [ { force: { pattern: weight } }, { force: { pattern: wind, amplitude: 100 } } ] } } ]
"""
    solve(around + piece("patterns:", "frame:"), "patterns").close()


def matrices_of_other_programs_are_joined():
    """Both ways: matrices from a file with a joint, and the eigenvalues of what comes out of them."""
    with h5py.File("model.h5", "w") as file:
        file["M"], file["K"], file["T"] = np.diag([2.0, 3.0, 4.0]), np.diag([2e5, 5e5, 9e5]), np.eye(3)
        file["names"] = ["bolt_a x", "bolt_b x", "tip z"]
    with solve(piece("matrices:") + "studies: [ { modes: {} } ]\n", "case") as file:
        omega = file["modes/stuck/omega"][()]
    names = {}
    exec("import h5py, scipy.linalg\n" + script("stiffness_stuck"), names)
    agree("squares", np.sqrt(names["squares"]), omega, 1e-9)


def measured_backbones_and_responses_are_read():
    np.savetxt("backbone.csv", [[0.1, 32.0, 0.5], [1.0, 31.8, 0.7], [10.0, 31.2, 1.1]], delimiter=",")
    np.savetxt("frf.csv", [[28, 1, 0.1], [32, 0, 9.0], [36, -1, 0.2]], delimiter=",")
    check(SHOCK + piece("backbones: { file: backbone.csv"))


def the_joint_of_two_plates_is_in_balance():
    """Measured: 1e-15 of the tension, 2e-15 and 1e-13 of the sums."""
    check(LAP)
    with solve(LAP, "lap") as file:
        tightened, static = file["preload/tightened"], file["static/cycle"]
        face = tightened["joints/lap"]
        agree("tension", tightened["tension"][-1], 2 * [PRELOAD], 1e-9)
        agree("force between the plates", face["pressure"][()] @ face["area"][()], np.sum(tightened["tension"][()], axis=1), 1e-9)
        tension, head = sum(static[f"bolts/{bolt}/tension"][()] for bolt in BOLTS), static["bolts/b1/tension"][()]
        agree("force between the plates in the cycle", static["joints/lap/contact/force"][()], tension, 1e-9)
        agree("force under the head in the cycle", static["joints/under_head/contact/force"][()], head, 1e-9)
        assert np.min(tension) < 2 * PRELOAD - 1, tension  # the load does something


def the_table_shakes_its_block():
    """Transmissibility at resonance in closed form, (1 + 4 zeta^2)^1/2 / 2 zeta but for zeta^2; at rest the block goes along."""
    with solve(TABLE, "table") as file:
        zeta = 40 / (2 * (8e4 * 2) ** 0.5)
        highest = max(np.max(np.abs(file["response/shaken/up_1/amplitude"][()]), axis=0))
        agree("amplitude at resonance", [highest], [1e-3 * (1 + 4 * zeta**2) ** 0.5 / (2 * zeta)], 2e-2)
        agree("shift", file["static/shift/points/block/displacement"][-1], [1e-3], 1e-12)


def the_table_rumbles():
    """The density goes straight in logarithms from 5 to 50 Hz, and is level up to 300: its integral."""
    power = np.log(50) / np.log(10)
    expected = (0.5 * 50 ** -power * (50 ** (power + 1) - 5 ** (power + 1)) / (power + 1) + 0.5 * 250) ** 0.5
    with solve(TABLE + piece("rumble", "spectrum: {"), "rumble") as file:
        table = file["spectrum/spectrum/rumble/table"]
        assert abs(table["rms"][0] - expected) <= 4 * table["rms_error"][0], (table["rms"][0], expected)


def with_the_meshes(test):
    """README's cases stand in the folder of the sources."""
    def run():
        os.symlink(os.path.join(os.environ["DOVETAIL_SOURCE"], "meshes"), "meshes")
        test()
    return run


if __name__ == "__main__":
    in_a_folder(the_first_case_runs, the_first_case_identifies_its_joint, nonlinear_modes_identify_the_joint_without_a_decay, the_mistake_of_the_first_case_has_its_place,
                numbers_have_units_and_variants_override, measured_modes_serve_as_a_structure, responses_of_the_first_case_are_steady, the_block_slides, the_table_shakes_its_block, the_table_rumbles, a_pull_at_rest_is_in_balance, laws_are_driven_and_found_again,
                slopes_of_a_loop_are_fitted, a_measured_decay_is_analysed, frequencies_find_stiffness_and_modulus, a_bracket_in_millimetres_is_read,
                patterns_and_turned_joints_are_read, measured_backbones_and_responses_are_read, matrices_of_other_programs_are_joined, with_the_meshes(the_joint_of_two_plates_is_in_balance))
