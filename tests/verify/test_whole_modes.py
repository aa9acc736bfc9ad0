"""Modes of meshes that are not reduced: against the same mesh reduced to all of its modes, and on 1, 2, 3, 4 ranks. [timeout: 300]"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np

import box
import sumali

BOXES = os.path.join(sumali.SOURCE, "tests", "bad", "meshes", "boxes.msh")

# All that a point can be tied to: joints with laws, rigid ones, a lumped mass behind a spring and one that a rigid joint carries.
TIED = """mesh: {mesh}
materials: {{steel: {{young: 2e11, poisson: 0.3, density: 8000}}}}
parts: {{left: steel, right: steel}}
points:
  a: {{average: left_face}}
  b: {{average: right_face}}
  corner: {{at: [0, 0, 0], of: left}}
  watched: {{at: [2, 0.5, 0.5], of: right}}
masses:
  carried: {{mass: 900, inertia: 300, directions: [x, y, z, rx, ry, rz]}}
  hung: {{mass: 500}}
springs:
  - {{between: [hung, corner], direction: x, stiffness: 3e8}}
laws:
  slip: {{law: iwan4, slip_force: 1e3, stiffness: 2e9, chi: -0.3, beta: 1}}
joints:
  bolt: {{between: [a, b], x: slip, y: rigid, z: {{law: spring, stiffness: 5e9}}, rx: rigid, rz: slip}}
  carrier: {{between: [b, carried], x: rigid, y: rigid, z: rigid, rx: rigid, ry: rigid, rz: rigid}}
{reduction}studies: [modes: {{count: 30, prove: {prove}}}]
"""


def modes(path, state):
    with h5py.File(path.replace(".yaml", ".h5"), "r") as file:
        return {name: data[()] for name, data in file["modes/" + state].items()}


def run_text(name, text, ranks=1):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    sumali.run(name, ranks=ranks)


def compare(what, own, other, tolerance):
    assert own.shape == other.shape, (what, own.shape, other.shape)
    error = np.max(np.abs(own - other)) / np.max(np.abs(other))
    assert error <= tolerance, f"{what}: {error}"


def shapes_up_to_mixing(own, other, omega):
    """The shapes of one group of equal frequencies span what those of the other do: their projections on each other are orthogonal."""
    for k, shape in enumerate(own.T):
        near = np.abs(omega - omega[k]) <= 1e-6 * omega[k] + 1e-3
        span, *_ = np.linalg.lstsq(other[:, near], shape, rcond=None)
        compare(f"shape of mode {k + 1}", other[:, near] @ span, shape, 1e-5)


def all_modes_of_a_reduction_are_those_of_the_whole():
    """The reduction is exact when it keeps all modes: another way to the same numbers, by LAPACK."""
    run_text("whole.yaml", TIED.format(mesh=BOXES, reduction="", prove="yes"))
    run_text("reduced.yaml", TIED.format(mesh=BOXES, reduction="reduction: {craig_bampton: {modes: 1000, keep: [corner]}}\n", prove="no"))
    for state in ("stuck", "slipping"):
        whole, reduced = modes("whole.yaml", state), modes("reduced.yaml", state)
        free = int(np.sum(whole["omega"] == 0))
        assert free == (6 if state == "stuck" else 8) + 1, free  # `ry` is free; slipping, x and rz too
        compare("omega", whole["omega"][free:], reduced["omega"][free:], 1e-10)
        compare("effective mass", whole["effective_mass"][:free].sum(0)[:3], reduced["effective_mass"][:free].sum(0)[:3], 1e-8)
        compare("effective mass", whole["effective_mass"][free:], reduced["effective_mass"][free:], 1e-6)
        shapes_up_to_mixing(whole["shape"][:, free:], reduced["shape"][:, free:], whole["omega"][free:])


def ranks_do_not_matter():
    sumali.write("beam.yaml", "studies: [modes: { count: 16, prove: yes }]\n")
    with open("beam.yaml", encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("reduction:")]
    run_text("beam.yaml", "".join(lines))
    alone = {state: modes("beam.yaml", state) for state in ("stuck", "slipping")}
    assert np.allclose(np.diag(alone["stuck"]["effective_mass"][:3, :3]), 2.62193, rtol=1e-5)  # a free beam: x, y, z take all of it
    for ranks in (2, 3, 4):
        sumali.run("beam.yaml", ranks=ranks)
        for state, expected in alone.items():
            found = modes("beam.yaml", state)
            compare(f"omega on {ranks} ranks", found["omega"], expected["omega"], 1e-10)
            compare(f"effective mass on {ranks} ranks", found["effective_mass"], expected["effective_mass"], 1e-7)
            shapes_up_to_mixing(found["shape"], expected["shape"], expected["omega"])


def reduction_is_from_above():
    """Ritz: a reduced structure is stiffer, here by as much as the modes that were left out."""
    sumali.write("reduced.yaml", "studies: [modes: { count: 16 }]\n")
    sumali.run("reduced.yaml")
    for state in ("stuck", "slipping"):
        whole, reduced = modes("beam.yaml", state)["omega"], modes("reduced.yaml", state)["omega"]
        assert np.all(reduced[6:] >= whole[6:] * (1 - 1e-9)), (reduced, whole)
        assert np.all(reduced[6:9] <= whole[6:9] * 1.002), (reduced, whole)


def without_unknowns_of_its_own():
    """No point, no joint: nothing but the mesh, which floats."""
    text = TIED.format(mesh=BOXES, reduction="", prove="yes")
    run_text("bare.yaml", text[: text.index("points:")] + "studies: [modes: {count: 14}]\n")
    found = modes("bare.yaml", "stuck")
    assert np.sum(found["omega"] == 0) == 12 and found["omega"][12] > 0, found["omega"]


def nothing_but_point_masses():
    """A mesh without stiffness: k / m, and what nothing holds."""
    box.line("line.msh", 1.0, 2)
    run_text("masses.yaml", """mesh: line.msh
parts: {tip: {point_mass: {mass: 10}}}
points: {tip: {node: 3}}
springs: [{between: [tip, ground], direction: x, stiffness: 1000}]
studies: [modes: {count: 12, prove: yes}]
""")
    assert np.allclose(modes("masses.yaml", "stuck")["omega"], [0, 0, 10], rtol=1e-9), modes("masses.yaml", "stuck")["omega"]


def what_round_off_hides_is_said():
    """Slipping, a mass hangs on a spring that is too soft for the modes of the box beside it: there are fewer than with the joint stuck."""
    box.box("box.msh", (1, 0.2, 0.2), (5, 2, 2))
    with open("soft.yaml", "w", encoding="utf-8") as file:
        file.write("""mesh: box.msh
materials: {steel: {young: 2e11, poisson: 0.3, density: 8000}}
parts: {bar: steel}
supports: [{group: root, directions: [x, y, z]}]
points: {tip: {average: tip}}
masses: {hung: {mass: 1000}}
springs: [{between: [hung, tip], stiffness: 1e-2}]
laws: {slip: {law: iwan4, slip_force: 1e3, stiffness: 2e9, chi: -0.3, beta: 1}}
joints: {bolt: {between: [hung, tip], x: slip}}
studies: [modes: {count: 1000}]
""")
    done = subprocess.run(sumali.command("run", "soft.yaml"), check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    stuck, slipping = (modes("soft.yaml", state)["omega"] for state in ("stuck", "slipping"))
    assert len(stuck) == 5 * 9 * 3 + 1 and np.isclose(slipping[0], np.sqrt(1e-2 / 1000)), (len(stuck), slipping)
    assert len(slipping) < len(stuck) and f"warning: {len(slipping)} of {len(stuck)} modes were found" in done.stderr, done.stderr
    row = next(line.split() for line in done.stdout.splitlines() if line.split()[:1] == [str(len(slipping) + 1)])
    assert row[3:5] == ["-", "-"], row


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for test in (all_modes_of_a_reduction_are_those_of_the_whole, ranks_do_not_matter, reduction_is_from_above, without_unknowns_of_its_own,
                     nothing_but_point_masses, what_round_off_hides_is_said):
            test()
            print(test.__name__)


if __name__ == "__main__":
    main()
