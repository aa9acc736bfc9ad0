"""Two spheres that press each other and are pushed to and fro: pressure, shear and loss in closed form, in three dimensions. [timeout: 300]

K. L. Johnson, Contact Mechanics (1985): two spheres with E* = E/(2 (1 - nu^2)), 1/R = 1/R1 + 1/R2, under P touch within the radius
a = (3 P R/(4 E*))^(1/3) with the pressure p0 (1 - r^2/a^2)^(1/2), p0 = 3 P/(2 pi a^2) (eqs. 4.22 to 4.24), whose mean square radius is 2 a^2/5.
R. D. Mindlin, J. Appl. Mech. 16 (1949), 259-268, C. Cattaneo, Rend. Accad. Naz. Lincei 27 (1938): a force Q aside makes all slip but a circle of
radius c = a (1 - Q/(mu P))^(1/3), with the shear mu times the difference of the pressures of a and of c, (c/a) p0 (1 - r^2/c^2)^(1/2) (section 7.2 of Johnson).
R. D. Mindlin, H. Deresiewicz, J. Appl. Mech. 20 (1953), 327-344: a cycle between +Q and -Q loses, with x = Q/(mu P),
    W = 9 (2 - nu) mu^2 P^2/(5 G a) (1 - (1 - x)^(5/3) - (5 x/6) (1 + (1 - x)^(2/3))).
The shear across the push, which nu asks for within what slips, is neglected there, and the bodies are half spaces.

`test_spheres.py --table` computes finer meshes and other stiffnesses, and prints a table (src/faces/NOTES.md); it takes minutes.
"""
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np

from touching import Bodies, agree, graded, in_a_folder, solve

YOUNG, POISSON, RADIUS, A, FRICTION, SHARE, SIZE = 200e9, 0.3, 10.0, 0.01, 0.4, 0.9, 10  # of two equal spheres; a of both; Q/(mu P); bodies, in a
MODULUS = YOUNG / 2 / (1 - POISSON**2)
PRESS, HIGHEST = 4 * MODULUS * A**3 / (3 * RADIUS / 2), 2 * MODULUS * A / (np.pi * RADIUS / 2)
STUCK = A * (1 - SHARE) ** (1 / 3)  # the radius c

SPHERES = """mesh: spheres.msh
materials: {{ steel: {{ young: {young}, poisson: {poisson}, density: 7850 }} }}
parts: {{ lower: steel, upper: steel }}
points: {{ head: {{ rigid: top }} }}
supports: [ {{ group: bottom }}, {{ group: front, directions: y }}, {side}{{ point: head, directions: [{held}y, rx, ry, rz] }} ]
joints:
  face: {{ faces: [low_face, up_face], contact: {{ law: rough_contact, friction: {friction}{stiffness} }} }}
studies:
"""
PRESSED = "  - preload: {{ name: pressed, fields: no, load: {{ force: {{ point: head, direction: z, amplitude: {press} }} }} }}\n"
SHEARED = """  - preload: {{ name: sheared, fields: no, load: [ {{ force: {{ point: head, direction: z, amplitude: {press} }} }},
                                                   {{ force: {{ point: head, direction: x, amplitude: {push} }} }} ] }}
  - static: {{ name: pushed, about: pressed, load: {{ force: {{ point: head, direction: x, amplitude: {push} }} }}, steps: 1, watch: {{ points: none }} }}
  - static: {{ name: cycle, about: pressed, load: {{ force: {{ point: head, direction: x, amplitude: {push} }} }}, path: {{ cycles: 1 }}, steps: {steps} }}
"""


def write_spheres(cells, quarter):
    """Halves or quarters, y > 0, of a lower and an upper body with so many cells over a, paraboloids in place of spheres as a/R is 1e-3."""
    bodies = Bodies()
    for sign, count, name, faces in ((-1, cells[0], "lower", ("bottom", "low_face")), (1, cells[1], "upper", ("up_face", "top"))):
        right, depth = (graded(fine * A, A / count, SIZE * A, 1.5) for fine in (1.25, 0.5))
        left = right if quarter else np.concatenate([-right[:0:-1], right])
        fine = [np.abs(ends[:-1] + ends[1:]) / 2 < 1.25 * A for ends in (left, right)]
        height = depth if sign > 0 else -depth[::-1]

        def place(i, j, k, sign=sign, left=left, right=right, height=height):
            return left[i], right[j], height[k] + (left[i] ** 2 + right[j] ** 2) / (2 * RADIUS) * (sign - height[k] / (SIZE * A))

        planes = [(2, 0), (2, -1)]
        planes[sign < 0] += (lambda i, j, fine=fine: fine[0][i] and fine[1][j],)
        bodies.grid(name, "hex8", (len(left) - 1, len(right) - 1, len(depth) - 1), place, dict(zip(faces, planes)))
    for name, axis in (("front", 1), ("side", 0)):
        bodies.groups[name] = (0, 15, [[n] for n, at in enumerate(bodies.nodes) if at[axis] == 0 and abs(at[2]) < 0.99 * SIZE * A])
    bodies.write("spheres.msh")
    return 3 * len(bodies.nodes)


def press(cells, stiffness, quarter, steps=0):
    """Stiffness k a/E*, None: that of the elements. The file of results, and the size of the model."""
    size, part = write_spheres(cells, quarter), 4 if quarter else 2
    k = "" if stiffness is None else ", normal_stiffness: {0}, tangential_stiffness: {0}".format(stiffness * MODULUS / A)
    text = (SPHERES + PRESSED + (SHEARED if steps else "")).format(
        young=YOUNG, poisson=POISSON, friction=FRICTION, stiffness=k, press=-PRESS / part, push=SHARE * FRICTION * PRESS / part, steps=steps,
        side="{ group: side, directions: x }, " if quarter else "", held="x, " if quarter else "")
    return solve(text), size


def hertz(radius, a=A):
    """The pressure of a circle of radius a with the curvature of these spheres."""
    return HIGHEST * a / A * np.sqrt(np.maximum(0, 1 - (radius / a) ** 2))


def difference(own, exact, area):
    """In the mean square."""
    return np.sqrt(np.sum(area * (own - exact) ** 2) / np.sum(area * exact**2))


def pressed(file):
    """Where the faces are pressed alone: the pressure in the middle and the radius over those of Hertz, and the error of the pressure."""
    face = file["preload/pressed/joints/face"]
    radius, pressure, area = np.hypot(face["x"][()], face["y"][()]), face["pressure"][-1], face["area"][()]
    own_radius = np.sqrt(np.sum(area * pressure * radius**2) / np.sum(area * pressure) * 5 / 2)
    return pressure[np.argmin(radius)] / HIGHEST, own_radius / A, difference(pressure, hertz(radius), area)


def sheared(file):
    """Pressed and pushed together, along one straight line, nothing slips, and the shear has the shape of the pressure [Mindlin, Deresiewicz 1953]: the part
    that sticks of what is pressed, and the error of the shear."""
    face = file["preload/sheared/joints/face"]
    radius, area, state = np.hypot(face["x"][()], face["y"][()]), face["area"][()], face["state"][-1]
    shear = np.linalg.norm(face["traction"][-1][:, 1:], axis=1)
    return np.sum(area[state == 1]) / np.sum(area[state > 0]), difference(shear, SHARE * FRICTION * hertz(radius), area)


def stuck(file):
    """Pushed after they have been pressed, in one step, which is exact as the pressure does not depend on the shear: the radius of what sticks over c, by its
    area, half a circle."""
    sticks = file["static/pushed/joints/face/contact/last/state"][()] == 1
    return np.sqrt(2 * np.sum(file["preload/pressed/joints/face/area"][()][sticks]) / np.pi) / STUCK


def lost(file, steps):
    """In the last cycle, over that of Mindlin and Deresiewicz: by the sum of slip work, and by trapezoids of force and motion."""
    cycle = file["static/cycle"]
    assert cycle["reason"][0] == b"complete"
    exact = 9 * (2 - POISSON) * (FRICTION * PRESS) ** 2 / (5 * YOUNG / 2 / (1 + POISSON) * A) * (
        1 - (1 - SHARE) ** (5 / 3) - 5 * SHARE / 6 * (1 + (1 - SHARE) ** (2 / 3)))
    work, load, moved = (values[-2 * steps - 1 :] for values in (
        cycle["joints/face/contact/dissipated"][()], SHARE * FRICTION * PRESS / 2 * cycle["factor"][()], cycle["points/head/displacement"][:, 0]))
    return 2 * (work[-1] - work[0]) / exact, 2 * np.sum((load[1:] + load[:-1]) / 2 * np.diff(moved)) / exact


def spheres_are_pressed():
    """A quarter, by the stiffness of the elements, 20 E*/h, over two meshes."""
    errors = []
    for cells in ((4, 4), (8, 6)):
        file, _ = press(cells, None, True)
        with file:
            highest, radius, error = pressed(file)
        errors.append(error)
        # Measured: 1.0e-2, 3.2e-3; and 1.8e-2, 4.7e-3, as the pressure ends in a kink, which a mesh of size h meets within h.
        agree(f"spheres {cells}: highest pressure", highest, 1, 0.13 / max(cells))
        agree(f"spheres {cells}: radius", radius, 1, 0.25 / max(cells))
    # Measured: 0.108, 0.052, in the mean square; the trial found 0.101, 0.045.
    assert errors[0] < 0.3 and errors[1] < 0.7 * errors[0], errors


def spheres_are_pushed():
    """A half, 6 on 5 cells over a, k a/E* = 1000."""
    steps = 5
    file, _ = press((6, 5), 1000, False, steps)
    with file:
        highest, _, error = pressed(file)
        sticking, shear_error = sheared(file)
        radius = stuck(file)
        loss, _ = lost(file, steps)
    agree("pushed: highest pressure", highest, 1, 3e-3)  # measured: 7e-4, the trial 4e-3
    agree("pushed: what sticks", radius, 1, 0.05)  # measured: 1.3e-2; areas are of h^2, 0.13 c^2
    agree("pushed: loss", loss, 1, 0.03)  # measured: 9e-3, the trial 4e-3; with 10 and 20 steps the same
    # Measured: 0.059 as the trial, 0.079 with what slips where the pressure ends, 0.83 sticks; pressed first it would be 0.22.
    assert error < 0.18 and shear_error < 0.24 and sticking > 0.5, (error, shear_error, sticking)


def table():
    """What a half gives, by meshes and by stiffnesses k a/E*."""
    steps = 10
    print("| cells over a | k a/E* | unknowns | p(0) | radius | L2 of pressure | together: part that sticks | L2 of shear | stuck radius "
          "| energy: slip work | loop | its a step | s |", flush=True)
    for cells, stiffness in ((4, 4), 1000), ((6, 6), 1000), ((8, 8), 1000), ((10, 10), 1000), ((6, 5), 1000), ((8, 6), 1000), \
                            ((6, 6), 10), ((6, 6), 100), ((6, 6), None), ((10, 10), None), ((6, 5), None):
        begin = time.time()
        file, size = press(cells, stiffness, False, steps)
        with file:
            numbers = [*pressed(file), *sheared(file), stuck(file), *lost(file, steps), file["static/cycle/iterations"][0] / file["static/cycle/steps"][0]]
        row = [f"{cells[0]}:{cells[1]}", stiffness or "automatic", size, *(f"{number:.4g}" for number in numbers), f"{time.time() - begin:.0f}"]
        print("| " + " | ".join(map(str, row)) + " |", flush=True)


if __name__ == "__main__":
    in_a_folder(*([table] if "--table" in sys.argv else [spheres_are_pressed, spheres_are_pushed]))
