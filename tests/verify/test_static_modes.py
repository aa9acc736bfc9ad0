"""Equilibria of meshes on their lowest modes, held and floating: against the same mesh with all of its modes, and on 1, 2, 3 ranks. [timeout: 300]"""
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
EXIT_INPUT = 2

# Two boxes with a joint, a lumped mass on a spring and one on a rigid joint; `supports` hold them or leave them free.
BOXED = """mesh: {mesh}
materials: {{steel: {{young: 2e11, poisson: 0.3, density: 8000}}}}
parts: {{left: steel, right: steel}}
points:
  a: {{average: left_face}}
  b: {{average: right_face}}
  corner: {{at: [1, 0, 0], of: left}}
  watched: {{at: [2, 0.5, 0.5], of: right}}
  left: {{average: left_end}}
  right: {{average: right_end}}
masses:
  carried: {{mass: 900, inertia: 300, directions: [x, y, z, rx, ry, rz]}}
  hung: {{mass: 500}}
springs:
  - {{between: [hung, corner], direction: x, stiffness: 3e8}}
{springs}laws:
  slip: {law}
joints:
  bolt: {{between: [a, b], x: slip, y: rigid, z: {{law: spring, stiffness: 5e9}}, rx: rigid, ry: rigid, rz: slip}}
  carrier: {{between: [b, carried], x: rigid, y: rigid, z: rigid, rx: rigid, ry: rigid, rz: rigid}}
patterns:
  weight: {{gravity: [3, 0, -9.81]}}
  press: {{pressure: right_face}}
{supports}{reduction}studies:
{studies}"""

LAWS = {"iwan4": "{law: iwan4, slip_force: 1e3, stiffness: 2e9, chi: -0.3, beta: 1}", "jenkins": "{law: jenkins, stiffness: 2e9, slip_force: 1e3}"}
ALL = "reduction: {craig_bampton: {modes: 1000, keep: [corner, left, right]}}\n"
MODES = "reduction: {modes: {count: 20}}\n"
HELD = "supports: [{point: left}, {point: right, directions: [y, z, rx, ry, rz]}]\n"  # on both sides of the joint, so that it may slip
HOLDING = "  - {between: [ground, right], direction: x, stiffness: 1e9}\n"
POINTS, ROWS = ("a", "b", "corner", "watched", "carried", "hung"), ("x", "z", "rz")

LOADS = {
    "point": "point: right, direction: x, amplitude: 2e5",
    "corner": "point: corner, direction: y, amplitude: 2e5",
    "hung": "point: hung, amplitude: 3e5",
    "weight": "pattern: weight, amplitude: 3",
    "press": "pattern: press, amplitude: 3e6",
    "base": "base: x, amplitude: 20",
}
# In balance, but for round-off: along the axis of the boxes and about it, below what the joint holds; within one box; a pressure on all of it.
PAIR = ", ".join(f"{{ force: {{ point: {point}, direction: {direction}, amplitude: {sign}{size} }} }}"
                 for direction, size in (("x", 700), ("rz", 600), ("ry", 500)) for point, sign in (("left", "-"), ("right", "")))
INNER = "{ force: { point: hung, amplitude: 2e5 } }, { force: { point: corner, direction: x, amplitude: -2e5 } }"


def start(name, reduction, studies, supports="", law="iwan4", ranks=1):
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(BOXED.format(mesh=BOXES, law=LAWS[law], supports=supports, springs=HOLDING if supports else "", reduction=reduction, studies="".join(f"  - {study}\n" for study in studies)))
    if os.path.exists(name + ".h5"):
        os.remove(name + ".h5")
    return subprocess.run(sumali.command("run", name + ".yaml", ranks=ranks), stdin=subprocess.DEVNULL, capture_output=True, text=True)


def solve(*arguments, **options):
    done = start(*arguments, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return h5py.File(arguments[0] + ".h5", "r")


def agree(what, own, other, tolerance=1e-10):
    error = np.max(np.abs(own - other)) / np.max(np.abs(other))
    assert error <= tolerance, f"{what}: {error:.3g} is above {tolerance:g}"


def read(file, name="s"):
    """Displacements of all points, then motions, forces and losses of the joints."""
    group = file[f"static/{name}"]
    points = np.hstack([group[f"points/{point}/displacement"][()] for point in POINTS])
    joints = [np.stack([group[f"joints/bolt/{row}/{what}"][()] for row in ROWS]) for what in ("displacement", "force", "dissipated")]
    return points, *joints


def compare(what, own, other):
    for name, mine, theirs in zip(("points", "joint motions", "joint forces", "losses"), own, other):
        if np.any(theirs):
            agree(f"{what}: {name}", mine, theirs)


def held_as_on_the_whole_mesh():
    """Measured: 2e-13 of motions and losses, 2e-11 of forces, which are what the joint leaves of the load."""
    studies = [f"static: {{ name: {name}, load: {{ force: {{ {load} }} }}, path: [1, -1, 1], steps: 6, tolerance: 1e-14 }}" for name, load in LOADS.items()]
    for law in LAWS:
        with solve("all", ALL, studies, HELD, law) as full, solve("some", MODES, studies, HELD, law) as file:
            for name in LOADS:
                compare(f"{law}: {name}", read(file, name), read(full, name))
                assert sum(file[f"static/{name}/joints/bolt/{row}/dissipated"][-1] for row in ("x", "rz")) > 0, f"{law}: {name} does not slip"
                assert file[f"static/{name}/rigid_motions"][0] == 0


def floating_as_on_the_whole_mesh():
    """Without the rigid motions both are the same. Measured: 5e-12."""
    studies = [f"static: {{ name: pair, load: [ {PAIR} ], path: [1, -1, 1], steps: 6, tolerance: 1e-14 }}",
               f"static: {{ name: inner, load: [ {INNER} ], steps: 2 }}"]
    with solve("all", ALL, studies) as full, solve("some", MODES, studies) as file:
        compare("floating: pair", read(file, "pair"), read(full, "pair"))
        assert file["static/pair/joints/bolt/x/dissipated"][-1] > 0
        agree("floating: inner", read(file, "inner")[0], read(full, "inner")[0])  # it leaves the joint alone
        for name in ("pair", "inner"):
            assert file[f"static/{name}/rigid_motions"][0] == full[f"static/{name}/rigid_motions"][0] == 6


def unbalanced_loads_are_refused():
    """In one line, by the acceleration that they would give, which is the same however the mesh is reduced."""
    said = set()
    for reduction in (ALL, MODES, ""):
        done = start("pushed", reduction, ["static: { load: { force: { point: hung, amplitude: 1e4 } } }"])
        faults = [line.partition("static: ")[2] for line in done.stderr.splitlines() if line.startswith("error:")]
        assert done.returncode == EXIT_INPUT and len(faults) == 1 and "PETSC" not in done.stderr, (done.returncode, done.stderr)
        said.update(faults)
    expected = "the structure floats, no support, spring or joint holds it against 6 motions, and its loads are not in balance, they would accelerate 'hung' by "
    assert len(said) == 1 and said.pop().startswith(expected), said


def a_beam_in_the_air():
    """Forces at its ends and middle that are in balance: F l / (E A) and, as of a beam on two supports, 2 F l^3 / (48 E I), exact for cubic elements."""
    length, young, height, width, force = 0.4, 210e9, 0.002, 0.02, 30.0
    box.line("beam.msh", length, 16)
    text = f"""mesh: beam.msh
materials: {{ steel: {{ young: {young}, poisson: 0.3, density: 7850 }} }}
parts: {{ beam: {{ material: steel, element: beam_euler, section: {{ rectangle: {{ height: {height}, width: {width} }}, orientation: [0, 1, 0] }} }} }}
points: {{ root: {{ at: [0, 0, 0] }}, middle: {{ at: [{length / 2}, 0, 0] }}, tip: {{ at: [{length}, 0, 0] }} }}
REDUCTIONstudies:
  - static:
      name: s
      steps: 1
      load:
"""
    for point, direction, amplitude in (("root", "x", -force), ("tip", "x", force), ("root", "y", force), ("tip", "y", force), ("middle", "y", -2 * force)):
        text += f"        - force: {{ point: {point}, direction: {direction}, amplitude: {amplitude} }}\n"
    for reduction in ("reduction: { craig_bampton: { modes: 2, keep: [root, middle, tip] } }\n", "reduction: { modes: { count: 12 } }\n", ""):
        with open("beam.yaml", "w", encoding="utf-8") as file:
            file.write(text.replace("REDUCTION", reduction))
        sumali.run("beam.yaml")
        with h5py.File("beam.h5") as file:
            root, middle, tip = (file[f"static/s/points/{point}/displacement"][-1] for point in ("root", "middle", "tip"))
            x, y = (file["static/s/points/tip"].attrs["components"].decode().split().index(direction) for direction in "xy")
            assert file["static/s/rigid_motions"][0] == 6
        agree(f"stretch, {reduction}", tip[x] - root[x], force * length / (young * height * width))
        agree(f"bending, {reduction}", middle[y] - (root[y] + tip[y]) / 2, -2 * force * length**3 / 48 / (young * width * height**3 / 12))
        agree(f"middle, {reduction}", tip[x], -root[x], 1e-9)  # the centre of mass stays


def ranks_do_not_matter():
    """Three ranks sum a mesh in another order: 1e-10 of the largest."""
    studies = [f"static: {{ name: s, load: [ {PAIR} ], path: [1, -1], steps: 4, tolerance: 1e-14 }}"]
    with solve("alone", MODES, studies) as alone:
        for ranks in (2, 3):
            with solve("several", MODES, studies, ranks=ranks) as file:
                compare(f"{ranks} ranks", read(file), read(alone))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        held_as_on_the_whole_mesh()
        floating_as_on_the_whole_mesh()
        unbalanced_loads_are_refused()
        a_beam_in_the_air()
        ranks_do_not_matter()
