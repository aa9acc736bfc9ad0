#!/usr/bin/env python3
"""What the program says of time steps, frequencies and motions that its equations or its scheme are not good for; and that it is right to.

Each warning is tested beside a run that does not deserve it, and where it speaks of an error, that error is measured against small steps.
"""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np

import sumali
from touching import in_a_folder

LIGHT = """
masses: {{ block: {{ mass: 2 }}, light: {{ mass: 0.01 }} }}
springs: [ {{ between: [block, light], stiffness: 8e3 }}, {{ between: [ground, block], stiffness: 8e3 }} ]
joints: {{ j: {{ between: [ground, light], x: {{ law: jenkins, stiffness: 4e8, slip_force: 20 }} }} }}
studies: [ {{ transient: {{ name: t, time_step: {h}, steps: {steps}, load: {load}, watch: {{ joints: all }} }} }} ]
"""

DRAGGED = """
masses: {{ block: {{ mass: 1, directions: [x, y, z] }} }}
springs:
  - {{ between: [ground, block], direction: x, stiffness: 1e5 }}
  - {{ between: [ground, block], direction: y, stiffness: 1e4 }}
  - {{ between: [ground, block], direction: z, stiffness: 1.5e4 }}
joints: {{ pad: {{ between: [ground, block], contact: {{ law: {{ law: rough_contact, normal_stiffness: 1e6, tangential_stiffness: 1e6, friction: 0.3, preload: 100 }} }} }} }}
damping: {{ modal: 0.02 }}
studies:
  - transient: {{ name: t, time_step: {h}, steps: {steps},
      load: [ {{ harmonic: {{ point: block, direction: y, frequency: 10, amplitude: 60 }} }}, {{ harmonic: {{ point: block, direction: z, frequency: 10, amplitude: 60, phase: 1 }} }} ] }}
"""

BOUNCED = """
masses: {{ block: {{ mass: 2 }} }}
springs: [ {{ between: [ground, block], stiffness: 8e3 }} ]
joints:
  pad:
    between: [ground, block]
    contact: {{ law: {{ law: rough_contact, normal_stiffness: 4e7, tangential_stiffness: 3e7, roughness: 2e-6, friction: 0.3, preload: 200 }},
               area: [0.04, 0.04], parts: [4, 4], moment: [1, 0] }}
damping: {{ modal: 1e-3 }}
studies: [ {{ transient: {{ name: t, time_step: {h}, steps: {steps}, load: {{ half_sine: {{ point: block, duration: 2e-3, amplitude: 3000 }} }} }} }} ]
"""

PEAK = """
masses: {{ block: {{ mass: 2 }} }}
springs: [ {{ between: [ground, block], stiffness: 8e4 }} ]
damping: {{ modal: 5e-3 }}
studies: [ {{ response: {{ name: r, frequencies: {{ from: 31, to: 33, count: {count} }}, refine: {refine}, steps: 100, load: {{ harmonic: {{ point: block }} }} }} }} ]
"""

TURNED = """
masses: {{ block: {{ inertia: [1, 1, 1], directions: [rx] }} }}
springs: [ {{ between: [ground, block], direction: rx, stiffness: 1e2 }} ]
studies: [ {{ transient: {{ name: t, time_step: 1e-2, steps: 100, {moved} }} }} ]
"""

BEAM = """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
0 1 "clamped"
1 2 "beam"
$EndPhysicalNames
$Nodes
3
1 0 0 0
2 0.5 0 0
3 1 0 0
$EndNodes
$Elements
3
1 15 2 1 1 1
2 1 2 2 1 1 2
3 1 2 2 1 2 3
$EndElements
"""

BENT = """
mesh: beam.msh
materials: {{ steel: {{ young: 210e9, poisson: 0.3, density: 7850 }} }}
parts: {{ beam: {{ element: beam, material: steel, section: {{ rectangle: {{ height: 0.01, width: 0.01 }}, orientation: [0, 0, 1] }} }} }}
supports: [ {{ group: clamped }} ]
points: {{ tip: {{ at: [1, 0, 0] }} }}
damping: {{ modal: 0.02 }}
studies: [ {{ transient: {{ name: t, time_step: 1e-3, steps: 200, load: {{ harmonic: {{ point: tip, direction: z, frequency: 2, rise: 0.05, amplitude: {force} }} }} }} }} ]
"""


def say(word, text, name="case"):
    """What it says to standard error, and the first run of the result."""
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    if os.path.exists(name + ".h5"):
        os.remove(name + ".h5")
    done = subprocess.run(sumali.command(word, name + ".yaml"), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stderr


def run(text):
    said = say("run", text)
    with h5py.File("case.h5") as file:
        group = file["transient/t"]
        return said, {key: group[key][()] for key in ("turned_back", "turned")} | {"joints": group["energy/joints"][-1]}


def timed(case, h, duration, **more):
    return case.format(h=h, steps=round(duration / h), **more)


def modes_that_loads_set_off_are_told():
    """A step on a light mass on a stiff joint, which stays within its slip force: without end it swings by twice what rests, and slips once."""
    step, hit = "{ step: { point: light, amplitude: 15 } }", "{ half_sine: { point: light, duration: 2e-3, amplitude: 15 } }"
    for word in ("check", "run"):
        said = say(word, timed(LIGHT, 1e-4, 0.02, load=step))
        assert "run t takes 0.31 time steps in a period of mode 2, 3.183e+04 Hz" in said, said
        for h, load in ((3e-6, step), (1e-4, hit)):
            said = say(word, timed(LIGHT, h, 0.02, load=load))
            assert "warning" not in said, said


def joints_that_turn_back_in_every_step_are_told():
    """Measured: 100 times the energy of small steps, with all of it lost while turning back."""
    step = "{ step: { point: light, amplitude: 15 } }"
    said, coarse = run(timed(LIGHT, 1e-4, 0.02, load=step))
    assert "turned back in every time step: steps of 0.0001 s do not resolve modes" in said and coarse["turned_back"] > 0.5, said
    said, fine = run(timed(LIGHT, 5e-7, 0.02, load=step))
    assert "warning" not in said and fine["turned_back"] == 0, said
    assert coarse["joints"] > 30 * fine["joints"], (coarse, fine)


def sliding_that_turns_is_told():
    """Measured: errors of 0.19 to 0.27 of the angle that is told; what is told is 0.08 to 0.5."""
    said, fine = run(timed(DRAGGED, 2e-5, 0.5))
    assert "warning" not in said, said
    for h, warned in ((4e-3, True), (1e-3, False)):
        said, coarse = run(timed(DRAGGED, h, 0.5))
        assert ("the direction of sliding turns by" in said) == warned, said
        error = 1 - coarse["joints"] / fine["joints"]
        assert 0.08 < error / coarse["turned"] < 0.5, (h, error, coarse)


def energy_from_joints_is_blamed_on_the_step():
    said = say("run", timed(BOUNCED, 1e-4, 0.2))
    assert "released energy that they had not received" in said and "their laws cannot do so, and the time_step is too long" in said, said
    said = say("run", timed(BOUNCED, 1e-5, 0.2))
    assert "warning" not in said, said


def narrow_peaks_are_told():
    for count, refine, warned in ((5, 0, True), (5, 20, False), (41, 0, False)):
        said = say("run", PEAK.format(count=count, refine=refine))
        assert ("is narrower than the frequencies around it" in said) == warned, said


def runs_that_nothing_moves_are_told():
    for moved, warned in (("watch: { points: all }", True), ("load: { step: { point: block, amplitude: 0 } }", True), ("load: { step: { point: block, amplitude: 1 } }", False)):
        for word in ("check", "run"):
            said = say(word, TURNED.format(moved=moved))
            assert ("run t has neither a load nor an initial motion" in said) == warned, said


def large_motions_are_told():
    """A step of 15 N m on 100 N m/rad turns by 0.3 rad; a tip of a cantilever moves by F L^3 / (3 E I) = F 1.9 mm/N, and its mesh is 1 m long."""
    for moment, warned in ((15, True), (5, False)):
        said = say("run", TURNED.format(moved=f"load: {{ step: {{ point: block, amplitude: {moment} }} }}"))
        assert ("points turn by up to 0.3 rad" in said) == warned, said
    with open("beam.msh", "w", encoding="utf-8") as file:
        file.write(BEAM)
    for force, warned in ((48, True), (20, False)):
        said = say("run", BENT.format(force=force))
        assert ("the mesh is 1 m long: the equations hold for small displacements only" in said) == warned, said


def cases_that_are_right_are_silent():
    for case in ("three_mass", "voldrich_2dof", "jalali_sdof", "jalali_beam", "blades", "sumali", "sumali_contact"):
        path = os.path.join(os.environ["DOVETAIL_SOURCE"], "cases", case, "case.yaml")
        done = subprocess.run(sumali.command("check", path), stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert done.returncode == 0 and "warning" not in done.stderr, done.stderr


if __name__ == "__main__":
    in_a_folder(modes_that_loads_set_off_are_told, joints_that_turn_back_in_every_step_are_told, sliding_that_turns_is_told,
                energy_from_joints_is_blamed_on_the_step, narrow_peaks_are_told, runs_that_nothing_moves_are_told, large_motions_are_told,
                cases_that_are_right_are_silent)
