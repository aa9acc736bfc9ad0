#!/usr/bin/env python3
"""Motions of meshed structures under weight, pressure and moments, and in joints of any frame, on any number of ranks. [timeout: 300]"""
import os
import subprocess

import h5py
import numpy as np

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
STEEL = "materials: {steel: {young: 2e9, poisson: 0.3, density: 8000}}\n"
GRAVITY, DENSITY = 9.81, 8000


def box(low, size, count):
    """Nodes, hexahedra, and the quadrilaterals of its six faces, x0 x1 y0 y1 z0 z1."""
    grid = np.stack(np.meshgrid(*[np.arange(n + 1) for n in count], indexing="ij"), -1)
    places = np.array(low) + grid.reshape(-1, 3) / count * size
    number = np.arange(len(places)).reshape(grid.shape[:3])
    turn = [(0, 0), (1, 0), (1, 1), (0, 1)]

    def corner(i, j, k):
        return number[i:i + count[0] or None, j:j + count[1] or None, k:k + count[2] or None][:count[0], :count[1], :count[2]].ravel()

    bricks = np.stack([corner(i, j, k) for k in (0, 1) for i, j in turn], -1)
    faces = []
    for axis in range(3):
        for end in (0, -1):
            layer = np.moveaxis(number, axis, 0)[end]
            n, m = layer.shape
            faces.append(np.stack([layer[i:n - 1 + i, j:m - 1 + j].ravel() for i, j in turn], -1))
    return places, bricks, faces


def write_mesh(path, boxes, turned):
    """Groups NAME of each box and NAME_x0, ... of its faces."""
    names, elements, places, first = [], [], [], 1
    for name, low, size, count in boxes:
        nodes, bricks, faces = box(low, size, count)
        for group, dim, kind, members in [(name, 3, 5, bricks)] + [(f"{name}_{s}", 2, 3, f) for s, f in zip(("x0", "x1", "y0", "y1", "z0", "z1"), faces)]:
            names.append(f'{dim} {len(names) + 1} "{group}"')
            elements += [f"{kind} 2 {len(names)} {len(names)} " + " ".join(str(i + first) for i in nodes_of) for nodes_of in members]
        places.append(nodes @ turned.T)
        first += len(nodes)
    places = np.concatenate(places)
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(names)), *names, "$EndPhysicalNames", "$Nodes", str(len(places))]
    lines += [f"{i + 1} {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(places.tolist())]
    lines += ["$EndNodes", "$Elements", str(len(elements)), *[f"{i + 1} {e}" for i, e in enumerate(elements)], "$EndElements", ""]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def run(name, text, ranks):
    name = f"{name}_{ranks}"
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    command = [PROGRAM, "run", name + ".yaml", "-q"]
    if ranks > 1:
        command = [os.environ.get("DOVETAIL_MPIEXEC", "mpiexec"), "--quiet", "--oversubscribe", "-n", str(ranks)] + command
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return h5py.File(name + ".h5")


def close(actual, expected, tolerance):
    """Relative to the largest of all that is expected."""
    error, scale = np.abs(np.asarray(actual) - expected).max(), np.abs(expected).max()
    assert scale > 0 and error <= tolerance * scale, f"off by {error / scale:.3g} of {scale:.6g}, allowed {tolerance:g}"


FREE = """mesh: free.msh
{steel}parts: {{body: steel}}
points: {{a: {{at: [0, 0, 0]}}, b: {{at: [0.3, 0.2, 0.1]}}, top: {{average: body_z1}}, foot: {{average: body_z0}}}}
reduction: {{craig_bampton: {{modes: 4, keep: [top, foot]}}}}
patterns: {{weight: {{gravity: [1, 0, -9.81]}}}}
studies:
  - transient: {{name: fall, time_step: 1e-3, steps: 200, load: {{step: {{pattern: weight, amplitude: 2}}}}}}
  - transient:
      name: lift
      time_step: 1e-3
      steps: 200
      load: [{{step: {{pattern: weight}}}}, {{step: {{base: z, amplitude: -9.81}}}}]
"""


def a_free_body_falls(ranks):
    """By 1/2 g t^2 without strain; not at all for one who falls with it."""
    write_mesh("free.msh", [("body", (0, 0, 0), (0.3, 0.2, 0.1), (3, 2, 2))], np.eye(3))
    with run("free", FREE.format(steel=STEEL), ranks) as file:
        time = file["transient/fall/time"][:]
        for point in ("a", "b"):
            close(file[f"transient/fall/points/{point}/displacement"][:], np.outer(time**2, (1, 0, -GRAVITY)), 1e-8)
            close(file[f"transient/lift/points/{point}/displacement"][:], np.outer(0.5 * time**2, (1, 0, 0)), 1e-8)


TORQUE = """mesh: held.msh
{steel}parts: {{body: steel}}
points: {{foot: {{average: body_z0}}}}
joints: {{foot: {{between: [ground, foot], x: rigid, y: rigid, z: rigid, rx: rigid, ry: [{{law: spring, stiffness: 6e5}}, {{law: spring, stiffness: 3e5}}], rz: rigid}}}}
reduction: {{guyan: {{}}}}
studies:
  - transient: {{name: turn, time_step: 1e-4, steps: 500, load: {{step: {{point: foot, direction: ry, amplitude: 70}}}}}}
"""


def a_moment_on_an_averaged_face_turns_a_body_on_springs(ranks):
    """theta = M / k (1 - cos w t), tan(w h / 2) = omega h / 2: what average acceleration makes of it, exactly."""
    write_mesh("held.msh", [("body", (0, 0, 0), (0.3, 0.2, 0.1), (3, 2, 2))], np.eye(3))
    inertia = DENSITY * 0.3 * 0.2 * 0.1 * ((0.3**2 + 0.1**2) / 12 + 0.05**2)
    step, omega = 1e-4, np.sqrt(9e5 / inertia)
    with run("held", TORQUE.format(steel=STEEL), ranks) as file:
        time, angle = file["transient/turn/time"][:], file["transient/turn/points/foot/displacement"][:, 4]
        close(angle, 70 / 9e5 * (1 - np.cos(2 / step * np.arctan(omega * step / 2) * time)), 1e-9)
        close(file["transient/turn/joints/foot/ry/force"][:], 9e5 * angle, 1e-12)


PUSHED = """mesh: sheared.msh
{steel}parts: {{body: steel}}
points: {{middle: {{rigid: body}}}}
supports: [{{point: middle, directions: [x, y, z, rx, rz]}}]
joints: {{pivot: {{between: [ground, middle], ry: {{law: spring, stiffness: 9e5}}}}}}
reduction: {{guyan: {{}}}}
patterns: {{wind: {{pressure: body_x1}}}}
studies:
  - transient: {{name: turn, time_step: 1e-4, steps: 500, load: {{step: {{pattern: wind, amplitude: 4e4}}}}}}
"""


def a_pressure_on_a_rigid_body_turns_it(ranks):
    """The push on a sheared face passes its middle at half the rise of the edges: the same oscillation as under a moment."""
    write_mesh("sheared.msh", [("body", (0, 0, 0), (0.3, 0.2, 0.1), (3, 2, 2))], np.array([[1, 0, 0], [0, 1, 0], [0.5, 0, 1]]))
    moment = -4e4 * 0.2 * 0.1 * 0.15 * 0.5
    inertia = DENSITY * 0.3 * 0.2 * 0.1 * (1.25 * 0.3**2 + 0.1**2) / 12
    step, omega = 1e-4, np.sqrt(9e5 / inertia)
    with run("sheared", PUSHED.format(steel=STEEL), ranks) as file:
        assert file["transient/turn"].attrs["pattern"] == b"wind" and "point" not in file["transient/turn"].attrs
        time, motion = file["transient/turn/time"][:], file["transient/turn/points/middle/displacement"][:]
        close(motion[:, 4], moment / 9e5 * (1 - np.cos(2 / step * np.arctan(omega * step / 2) * time)), 1e-9)
        assert not np.delete(motion, 4, 1).any()


LAP = """mesh: {name}.msh
{steel}parts: {{lower: steel, upper: steel}}
points:
  foot: {{{kind}: lower_z1}}
  head: {{{kind}: upper_z0}}
  end: {{at: {end}}}
supports: [{{group: lower_z0}}]
laws: {{slip: {{law: jenkins, stiffness: 2e7, slip_force: 15}}}}
joints:
  bolt:
    between: [foot, head]{frame}
    x: [slip, {{law: spring, stiffness: 1e6}}]
    y: {{law: spring, stiffness: 3e7}}
    z: rigid
    rx: rigid
    ry: {{law: spring, stiffness: 4e4}}
    rz: [{{law: iwan4, slip_force: 1.5, stiffness: 2e5, chi: -0.3, beta: 0.5}}, {{law: spring, stiffness: 1e4}}]
damping: {{modal: 1e-2}}
reduction: {{craig_bampton: {{modes: 6, keep: [end]}}}}
patterns: {{weight: {{gravity: {gravity}}}, wind: {{pressure: upper_x1}}}}
studies:
  - modes: {{count: 12}}
  - transient:
      name: shock
      time_step: 2e-5
      steps: 400
      load:
        - {{half_sine: {{point: end, direction: x, amplitude: {x!r}, duration: 2e-3}}}}
        - {{half_sine: {{point: end, direction: y, amplitude: {y!r}, duration: 2e-3}}}}
        - {{half_sine: {{point: end, direction: z, amplitude: {z!r}, duration: 2e-3}}}}
        - {{step: {{pattern: weight}}}}
        - {{step: {{pattern: wind, amplitude: 4e3, rise: 1e-3}}}}
"""


def lap(name, kind, turned, frame, ranks):
    """A block that slips on another one, all of it turned."""
    write_mesh(name + ".msh", [("lower", (0, 0, 0), (0.3, 0.1, 0.05), (3, 2, 1)), ("upper", (0.1, 0, 0.05), (0.3, 0.1, 0.06), (3, 2, 1))], turned)
    force = (turned @ (150, 40, -60)).tolist()
    return run(name, LAP.format(name=name, kind=kind, steel=STEEL, end=(turned @ (0.4, 0, 0.11)).tolist(), frame=frame, gravity=(turned @ (0, 1, -GRAVITY)).tolist(),
                                x=force[0], y=force[1], z=force[2]), ranks)


def rotation():
    """About an axis that is none of the model's."""
    axis, angle = np.array([1, -2, 2]) / 3, 0.8
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def a_structure_does_not_know_how_it_lies(kind, ranks):
    """Turned as a whole, with the frame of its joint, it has the same frequencies and does the same."""
    turned = rotation()
    frame = f"\n    frame: {{x: {(2 * turned[:, 0]).tolist()}, y: {(turned[:, 1] + 0.3 * turned[:, 0]).tolist()}}}"
    with lap("straight", kind, np.eye(3), "", 1) as one, lap("turned", kind, turned, frame, ranks) as other:
        for state in ("stuck", "slipping"):
            close(other[f"modes/{state}/omega"][:] / one[f"modes/{state}/omega"][:], 1.0, 1e-10)
        assert (one["modes/stuck/omega"][:] / one["modes/slipping/omega"][:]).max() > 1.1, "slip must change something"
        for direction in ("x", "y", "ry", "rz"):
            for what in ("displacement", "force", "dissipated"):
                path = f"transient/shock/joints/bolt/{direction}/{what}"
                if path in one and (what != "dissipated" or direction in ("x", "rz")):
                    close(other[path][:], one[path][:], 1e-10)
        assert one["transient/shock/joints/bolt/x/dissipated"][-1] > 0
        assert one["transient/shock/joints/bolt/rz/dissipated"][-1] > 0
        for point in ("end", "head"):
            path = f"transient/shock/points/{point}/displacement"
            moved, expected = other[path][:], one[path][:]
            for start in range(0, moved.shape[1], 3):
                close(moved[:, start:start + 3], expected[:, start:start + 3] @ turned.T, 1e-9)


def what_only_looks_knows_patterns_and_frames(ranks):
    """A check that does not reduce; names and map of unknowns that are along the axes of a frame."""
    frame = np.array([[0.6, 0.8, 0], [-0.8, 0.6, 0], [0, 0, 1]])
    lap("named", "average", np.eye(3), f"\n    frame: {{x: {frame[0].tolist()}, y: {frame[1].tolist()}}}", ranks).close()
    name = f"named_{ranks}"
    said = subprocess.run([PROGRAM, "check", name + ".yaml", "-patience", "0"], check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
    assert "first frequency not computed" in said and "pattern wind: 1 Pa has the resultant (-0.006, 0, 0) N" in said, said
    with h5py.File(name + ".h5") as file:
        unknowns, motions = [[text.decode() for text in file[f"system/{what}"][:]] for what in ("unknowns", "motions")]
        for kind in ("", "r"):
            rows, columns = [[where.index(f"foot {kind}{axis}") for axis in "xyz"] for where in (motions, unknowns)]
            close(file["system/motion_map"][:][np.ix_(rows, columns)], frame.T, 1e-15)


def main():
    for ranks in (1, 2, 3):
        a_free_body_falls(ranks)
        a_moment_on_an_averaged_face_turns_a_body_on_springs(ranks)
        a_pressure_on_a_rigid_body_turns_it(ranks)
        for kind in ("average", "rigid"):
            a_structure_does_not_know_how_it_lies(kind, ranks)
        what_only_looks_knows_patterns_and_frames(ranks)


if __name__ == "__main__":
    main()
