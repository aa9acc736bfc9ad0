"""Meshes reduced to modes and the static compliance of all others, against the same mesh with all of its modes or very many. [timeout: 600]"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np

import sumali

BOXES = os.path.join(sumali.SOURCE, "tests", "bad", "meshes", "boxes.msh")

# Two boxes with a joint, a lumped mass on a spring and one on a rigid joint; `supports` hold them or leave them free.
BOXED = """mesh: {mesh}
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
  slip: {law}
joints:
  bolt: {{between: [a, b], x: slip, y: rigid, z: {{law: spring, stiffness: 5e9}}, rx: rigid, ry: rigid, rz: slip}}
  carrier: {{between: [b, carried], x: rigid, y: rigid, z: rigid, rx: rigid, ry: rigid, rz: rigid}}
patterns:
  weight: {{gravity: [3, 0, -9.81]}}
  press: {{pressure: right_face}}
{supports}{reduction}{rest}"""

IWAN = "{law: iwan4, slip_force: 1e3, stiffness: 2e9, chi: -0.3, beta: 1}"
ALL = "reduction: {craig_bampton: {modes: 1000, keep: [corner]}}\n"
HELD = "supports:\n  - point: a\n"
MODES = "studies: [modes: {count: 12}]\n"


def run(name, text, ranks=1):
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    if os.path.exists(name + ".h5"):
        os.remove(name + ".h5")
    sumali.run(name + ".yaml", ranks=ranks)
    return h5py.File(name + ".h5", "r")


def boxed(name, reduction, rest, supports="", law=IWAN, ranks=1):
    return run(name, BOXED.format(mesh=BOXES, law=law, supports=supports, reduction=reduction, rest=rest), ranks)


def modes_of(count):
    return f"reduction: {{modes: {{count: {count}}}}}\n"


def agree(what, own, other, tolerance):
    error = np.max(np.abs(own - other)) / np.max(np.abs(other))
    assert error <= tolerance, f"{what}: {error:.3g} is above {tolerance:g}"
    return error


def static_compliance(system, num_rigid):
    """Of the rows of joints and the motions of points, without what is rigid: by all coordinates that there are, and the residual."""
    stiffness, mass = system["stiffness_stuck"][()], system["mass"][()]
    factor = np.linalg.inv(np.linalg.cholesky(mass))
    lam, shapes = np.linalg.eigh(factor @ stiffness @ factor.T)
    rows = np.vstack([system["joint_map"][()], system["motion_map"][()]]) @ factor.T @ shapes[:, num_rigid:]
    compliance = (rows / lam[num_rigid:]) @ rows.T
    return compliance + system["residual"][()] if "residual" in system else compliance


def statics_are_exact():
    """Under forces on joints and points. Measured: 3e-13 free, 2e-12 held; without the residual 0.2 and more."""
    for supports, num_rigid in (("", 6), (HELD, 0)):
        whole = static_compliance(boxed("all", ALL, MODES, supports)["system"], num_rigid)
        for count in (10, 40):
            with boxed("some", modes_of(count), MODES, supports) as file:
                agree(f"{count} modes", static_compliance(file["system"], num_rigid), whole, 1e-10)
                largest = np.max(np.abs(file["system/residual"][()]))
                assert largest > 0.01 * np.max(np.abs(whole)), largest  # it is a good part of it


def joints_that_slip_are_as_soft_as_on_the_mesh():
    """The first elastic frequencies while the joint slips: 40 modes with the joint stuck give them by their residual. Measured: 2e-4."""
    with boxed("all", ALL, MODES) as full, boxed("some", modes_of(40), MODES) as file:
        for state, rigid in (("stuck", 6), ("slipping", 8)):
            own, other = (f[f"modes/{state}/omega"][()] for f in (file, full))
            assert np.sum(own == 0) == np.sum(other == 0) == rigid, (state, own, other)
            agree(state, own[rigid:], other[rigid:], 1e-9 if state == "stuck" else 1e-3)


LOADS = {"point": "point: watched, direction: x, amplitude: 2e4", "corner": "point: corner, direction: y, amplitude: 2e4",
         "press": "pattern: press, amplitude: 3e5", "weight": "pattern: weight", "base": "base: x, amplitude: 20"}


def settled(load):
    """So much damped that it stands still in the end, where it has been pushed to; the joint does not slip."""
    return f"""damping: {{modal: 0.9}}
studies:
  - transient:
      time_step: 2e-4
      steps: 1500
      load: {{step: {{{load}, rise: 2e-2}}}}
      watch: {{points: all, joints: all, energy: yes}}
"""


def loads_of_every_kind_settle_where_statics_has_them():
    """Points, pressures, weight, the base: the ends of motions of 9 modes and of all. Measured: 3e-12 at most."""
    stiff = "{law: iwan4, slip_force: 1e9, stiffness: 2e9, chi: -0.3, beta: 1}"
    for name, load in LOADS.items():
        with boxed("all", ALL, settled(load), HELD, stiff) as full, boxed("some", modes_of(9), settled(load), HELD, stiff) as file:
            own, other = (np.concatenate([f[f"transient/transient/points/{point}/displacement"][-1] for point in ("watched", "corner", "hung")])
                          for f in (file, full))
            agree(name, own, other, 1e-9)
            if name != "corner":
                own, other = (f["transient/transient/joints/bolt/x/force"][-1] for f in (file, full))
                agree(f"{name}: bolt", own, other, 1e-9)


def pushed(time_step=2e-6):
    return f"""studies:
  - transient:
      time_step: {time_step}
      steps: 3000
      load: {{half_sine: {{point: watched, direction: x, amplitude: 3e5, duration: 8e-4}}}}
      watch: {{points: all, joints: [bolt], energy: yes}}
"""


def energy_is_balanced_to_round_off():
    """Free, with a joint that slips, and pushed at a place that the modes left out move too. Measured: 2e-13 of the work."""
    with boxed("some", modes_of(20), pushed()) as file:
        energy = file["transient/transient/energy"]
        off = np.max(np.abs(energy["balance"][()])) / np.max(np.abs(energy["work"][()]))
        assert off <= 1e-11, off
        assert energy["joints"][-1] > 1e-3 * np.max(energy["work"][()])


def laws_of_velocity_see_the_velocity_of_all():
    """A law whose force depends on the velocity, in a joint that the modes left out move. Measured: 3e-3."""
    law = "{law: generalized_valanis, C1: 2e9, C2: 2e6, P1_v: 2e6}"
    with boxed("all", ALL, pushed(1e-6), law=law) as full, boxed("some", modes_of(60), pushed(1e-6), law=law) as file:
        for name, tolerance in (("joints/bolt/x/displacement", 2e-2), ("points/a/displacement", 2e-2)):
            own, other = (f["transient/transient/" + name][()] for f in (file, full))
            agree(name, own, other, tolerance)


def ranks_do_not_matter():
    alone = boxed("alone", modes_of(20), pushed())
    for ranks in (2, 3):
        with boxed("several", modes_of(20), pushed(), ranks=ranks) as file:
            agree(f"residual on {ranks} ranks", file["system/residual"][()], alone["system/residual"][()], 1e-9)
            name = "transient/transient/points/watched/displacement"
            agree(f"motion on {ranks} ranks", file[name][()], alone[name][()], 1e-6)
    alone.close()


BEAM = """
studies:
  - modes: {count: 9, joints: stuck}
  - transient:
      time_step: 1e-5
      steps: 6000
      load: {half_sine: {point: p1, direction: z, amplitude: 800, duration: 1.5e-3}}
      watch: {points: p1, modes: 7, joints: all, energy: yes}
"""
# The matrices of the reduction as another program would use them, without its residual.
ALONE = """matrices: {file: modes.h5, mass: /system/mass, stiffness: /system/stiffness, points: /system/motions, map: /system/motion_map}
damping: {modal: 1e-4}
laws:
  slip: {law: iwan4, slip_force: 30.7, stiffness: 4.73e8, chi: -0.23, beta: 0.46}
joints:
""" + "".join(f"  bolt{i}: {{between: [bolt{i}_lower, bolt{i}_upper], x: slip}}\n" for i in (1, 2, 3, 4))


def beam(name, reduction):
    sumali.write(name + ".yaml", BEAM)
    with open(name + ".yaml", encoding="utf-8") as file:
        return run(name, "".join(reduction if line.startswith("reduction:") else line for line in file))


def dissipated(file):
    joints = file["transient/transient/joints"]
    return sum(joint["x/dissipated"][-1] for joint in joints.values())


def forty_modes_dissipate_what_the_beam_does():
    """The Sumali beam under an impact, against 300 modes beside its kept motions: 8e-5, the tip 2e-5. The same modes alone miss half."""
    with beam("reference", "reduction: {craig_bampton: {modes: 300, keep: [p1]}}\n") as reference:
        expected, tip = dissipated(reference), reference["transient/transient/points/p1/displacement"][()]
        frequencies = reference["modes/stuck/omega"][()]
    with beam("modes", "reduction: {modes: {count: 40}}\n") as file:
        own, explicit = dissipated(file), file["transient/transient/points/p1/displacement"][()]
        agree("dissipation", own, expected, 1e-3)
        agree("tip", explicit, tip, 1e-4)
    with run("modes_alone", ALONE + BEAM) as file:
        assert dissipated(file) < 0.7 * expected, dissipated(file) / expected
    with beam("default", "") as file:  # without a reduction: forty modes for motions, and the modes of the mesh itself
        assert np.array_equal(file["transient/transient/points/p1/displacement"][()], explicit)
        agree("modes of the whole", file["modes/stuck/omega"][6:], frequencies[6:], 2e-6)


def check_says_so():
    for reduction, expected in (("", "40 modes of the whole (the default;"), (modes_of(12), "12 modes of the whole and the static compliance")):
        sumali.write("said.yaml", BEAM)
        with open("said.yaml", encoding="utf-8") as file:
            lines = [line for line in file if not line.startswith("reduction:")]
        with open("said.yaml", "w", encoding="utf-8") as file:
            file.write("".join(lines[:-1]) + lines[-1] + reduction)
        for patience in ((), ("-patience", "1e-9")):
            said = subprocess.run(sumali.command("check", "said.yaml", *patience), check=True, capture_output=True, text=True).stdout
            assert expected in said and "transient transient" in said, said
            assert ("first frequency not computed" in said) == bool(patience), said


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    statics_are_exact()
    joints_that_slip_are_as_soft_as_on_the_mesh()
    loads_of_every_kind_settle_where_statics_has_them()
    energy_is_balanced_to_round_off()
    laws_of_velocity_see_the_velocity_of_all()
    ranks_do_not_matter()
    forty_modes_dissipate_what_the_beam_does()
    check_says_so()
