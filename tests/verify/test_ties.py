#!/usr/bin/env python3
"""Rigid points and constraints against matrices of all nodes that are tied here, by T^T K T; the same on 1 rank, and on 3 or 2.
[timeout: 300]"""
import itertools
import os
import subprocess

import h5py
import numpy as np
import scipy.linalg
import scipy.optimize

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
MATERIAL = "materials: {steel: {young: 2.1e11, poisson: 0.3, density: 7800}}\n"
DIRECTIONS = ("x", "y", "z", "rx", "ry", "rz")
SIZES, COUNTS = (0.4, 0.06, 0.04), (4, 2, 2)


class Box:
    """A box of bricks from the origin, group `bar`; its faces `root` at x = 0, `end`, `top`, and the plane `middle` across y of the
    whole height; its nodes by tag."""

    def __init__(self, path, counts=COUNTS, sizes=SIZES):
        self.path, self.counts = path, counts
        nodes = itertools.product(*(range(n + 1) for n in counts))
        self.places = {tag: tuple(i * s / n for i, s, n in zip(node, sizes, counts)) for tag, node in enumerate(nodes, 1)}
        faces = {(2, 1, "root"): (0, 0), (2, 2, "end"): (0, counts[0]), (2, 3, "top"): (2, counts[2])}
        elements = [(5, 4, self.corners(cell)) for cell in itertools.product(*(range(n) for n in counts))]
        for (_, number, _), (axis, level) in faces.items():
            for cell in itertools.product(*(range(n) for i, n in enumerate(counts) if i != axis)):
                low = list(cell[:axis]) + [level] + list(cell[axis:])
                a, b = [i for i in range(3) if i != axis]
                steps = [[0, 0, 0] for _ in range(4)]
                steps[1][a] = steps[2][a] = steps[2][b] = steps[3][b] = 1
                elements.append((3, number, [self.tag(*(i + j for i, j in zip(low, step))) for step in steps]))
        self.groups = {name: sorted({t for kind, n, ts in elements if kind == 3 and n == number for t in ts}) for _, number, name in faces}
        names = [*faces, (3, 4, "bar")]
        with open(path, "w", encoding="utf-8") as out:
            out.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + f"$PhysicalNames\n{len(names)}\n")
            out.writelines(f'{dim} {number} "{name}"\n' for dim, number, name in names)
            out.write(f"$EndPhysicalNames\n$Nodes\n{len(self.places)}\n")
            out.writelines("{} {!r} {!r} {!r}\n".format(tag, *place) for tag, place in self.places.items())
            out.write(f"$EndNodes\n$Elements\n{len(elements)}\n")
            out.writelines(f"{i} {kind} 2 {n} {n} {' '.join(map(str, tags))}\n" for i, (kind, n, tags) in enumerate(elements, 1))
            out.write("$EndElements\n")

    def tag(self, i, j, k):
        """Of the node at these steps in x, y, z."""
        return (i * (self.counts[1] + 1) + j) * (self.counts[2] + 1) + k + 1

    def corners(self, cell):
        i, j, k = cell
        base = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
        return [self.tag(*ij, k) for ij in base] + [self.tag(*ij, k + 1) for ij in base]


def run(name, text, ranks=1, count=8):
    """Reduced matrices and modes of a case, and the motions that shapes are given in."""
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text + f"studies: [modes: {{count: {count}}}]\n")
    command = [PROGRAM, "run", name + ".yaml", "-q"]
    if ranks > 1:
        command = [os.environ.get("DOVETAIL_MPIEXEC", "mpiexec"), "--quiet", "--oversubscribe", "-n", str(ranks)] + command
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=120)
    with h5py.File(name + ".h5") as file:
        motions = [text.decode().rstrip("\0") if isinstance(text, bytes) else text for text in file["system/motions"][:]]
        result = {"M": file["system/mass"][:], "K": file["system/stiffness"][:], "omega": file["modes/stuck/omega"][:],
                  "motions": motions, "shape": file["modes/stuck/shape"][:]}
    with h5py.File(name + ".hdf") as file:
        fields = file["VTKHDF/PointData"]
        result["places"] = file["VTKHDF/Points"][:]
        result["fields"] = np.array([fields[field][:] for field in sorted(fields) if field.startswith("stuck_")])
    return result


def all_nodes(box):
    """K and M of the box held at its root, in x y z of all other nodes in the order of their tags."""
    points = "".join(f"  n{tag}: {{node: {tag}}}\n" for tag in box.places if tag not in box.groups["root"])
    kept = ", ".join(f"n{tag}" for tag in box.places if tag not in box.groups["root"])
    result = run("all_nodes", f"mesh: {box.path}\n{MATERIAL}parts: {{bar: steel}}\npoints:\n{points}supports: [group: root]\n"
                 f"reduction: {{guyan: {{keep: [{kept}]}}}}\n")
    assert result["K"].shape == (3 * (len(box.places) - len(box.groups["root"])),) * 2
    return result["K"], result["M"]


def free_tags(box):
    return [tag for tag in box.places if tag not in box.groups["root"]]


def turning(arm):
    """u = U + theta x r as u = [1, A] (U, theta)."""
    x, y, z = arm
    return np.array([[1, 0, 0, 0, z, -y], [0, 1, 0, -z, 0, x], [0, 0, 1, y, -x, 0]])


def transformation(box, hubs):
    """T: from the hubs (six motions each, first) and the other nodes to all nodes; hubs = [(tags, place)]."""
    tags = free_tags(box)
    slaves = [tag for group, _ in hubs for tag in group]
    masters = [tag for tag in tags if tag not in slaves]
    T = np.zeros((3 * len(tags), 6 * len(hubs) + 3 * len(masters)))
    for i, tag in enumerate(tags):
        rows = slice(3 * i, 3 * i + 3)
        if tag in masters:
            first = 6 * len(hubs) + 3 * masters.index(tag)
            T[rows, first:first + 3] = np.eye(3)
        for h, (group, place) in enumerate(hubs):
            if tag in group:
                T[rows, 6 * h:6 * h + 6] = turning(np.array(box.places[tag]) - place)
    return T


def condense(K, M, kept):
    """Guyan: matrices on the first `kept` unknowns."""
    psi = np.vstack([np.eye(kept), -np.linalg.solve(K[kept:, kept:], K[kept:, :kept])])
    return psi.T @ K @ psi, psi.T @ M @ psi


def close(found, expected, tolerance, what):
    error = np.abs(np.asarray(found) - expected).max() / np.abs(expected).max()
    assert error < tolerance, f"{what}: off by {error:.3g}"


def order(result, names):
    """Rows of the reduced matrices, which come as the points do."""
    return [result["motions"].index(name) for name in names]


def average_matrix(places, weights):
    """The mean motion and turn of nodes [RBE3], by least squares: [6, 3 n]."""
    weights = np.asarray(weights) / np.sum(weights)
    centre = weights @ np.asarray(places)
    A = np.vstack([turning(place - centre) for place in places])
    W = np.repeat(weights, 3)[:, None]
    return np.linalg.solve(A.T @ (W * A), (W * A).T)


def compare_with_tied(box, K, M, hubs, text, keep, ranks, followers=()):
    """The modes, the condensed matrices, and how nodes follow; followers = [(name, matrix on all nodes)]."""
    T = transformation(box, hubs)
    Kt, Mt = T.T @ K @ T, T.T @ M @ T
    omega2, shapes = scipy.linalg.eigh(Kt, Mt)
    names = [f"{point} {d}" for point in keep for d in DIRECTIONS]
    case = f"mesh: {box.path}\n{MATERIAL}parts: {{bar: steel}}\nsupports: [group: root]\n{text}"
    reduced = run("guyan", case + f"reduction: {{guyan: {{keep: [{', '.join(keep)}]}}}}\n", ranks)
    rows = order(reduced, names)
    for key, matrix in zip("KM", condense(Kt, Mt, len(names))):
        close(reduced[key][np.ix_(rows, rows)] if len(rows) == len(reduced[key]) else reduced[key], matrix, 1e-9, f"condensed {key}")
    whole = run("whole", case + f"reduction: {{craig_bampton: {{modes: 10000, keep: [{', '.join(keep)}]}}}}\n", ranks)
    assert len(whole["M"]) == len(Kt)
    close(whole["omega"], np.sqrt(omega2[:8]), 1e-8, "omega")
    moved = T @ shapes[:, :8]
    for name, matrix in followers:
        expected = matrix @ moved
        found = whole["shape"][order(whole, [f"{name} {d}" for d in DIRECTIONS[:len(matrix)]])]
        signs = np.sign(np.sum(expected * found, axis=0))
        close(found * signs, expected, 1e-6, f"follower {name}")
    tags, places = free_tags(box), {tuple(np.round(place, 9)): tag for tag, place in box.places.items()}
    for i, place in enumerate(whole["places"]):
        tag = places[tuple(np.round(place, 9))]
        expected = moved[3 * tags.index(tag):3 * tags.index(tag) + 3] if tag in tags else np.zeros((3, 8))
        found = np.abs(whole["fields"][:, i].T)
        scale = np.abs(whole["fields"]).max(axis=(1, 2)) / np.abs(moved).max(axis=0)
        assert np.abs(found - np.abs(expected) * scale).max() < 1e-5 * np.abs(whole["fields"]).max(), f"node {tag} is drawn elsewhere"


def pick(box, tags):
    """The matrix that takes the motions of some nodes out of those of all."""
    all_tags = free_tags(box)
    matrix = np.zeros((3 * len(tags), 3 * len(all_tags)))
    for i, tag in enumerate(tags):
        matrix[3 * i:3 * i + 3, 3 * all_tags.index(tag):3 * all_tags.index(tag) + 3] = np.eye(3)
    return matrix


def rigid_points_are_transformed_matrices(box, K, M, ranks):
    end, centre, aside = box.groups["end"], np.array([SIZES[0], SIZES[1] / 2, SIZES[2] / 2]), np.array([0.5, -0.1, 0.07])
    compare_with_tied(box, K, M, [(end, centre)], "points: {plate: {rigid: end}}\n", ["plate"], ranks)
    slave, patch = box.tag(COUNTS[0], 1, 2), box.groups["top"]
    free = [tag for tag in patch if tag not in box.groups["root"]]
    top = np.zeros((6, 3 * len(patch)))
    top[:] = average_matrix([np.array(box.places[tag]) for tag in patch], np.ones(len(patch)))
    columns = [3 * patch.index(tag) + c for tag in free for c in range(3)]
    compare_with_tied(box, K, M, [(end, aside)], f"points:\n  plate: {{rigid: end, at: {list(aside)}}}\n  corner: {{node: {slave}}}\n"
                      "  cover: {average: top, weights: equal}\n", ["plate"], ranks,
                      [("corner", pick(box, [slave])), ("cover", top[:, columns] @ pick(box, free))])


def constraints_are_the_null_space_of_their_rows(box, K, M, ranks):
    first, second, third = box.tag(2, 0, 0), box.tag(3, 2, 1), box.tag(4, 1, 2)
    R = np.zeros((3, len(K)))
    for row, terms in enumerate([[(first, 2, 1.0), (second, 2, -1.0)], [(first, 1, 2.0), (third, 0, 0.5), (third, 2, -3.0)],
                                 [(second, 2, 1.0), (third, 2, -1.0)]]):
        for tag, c, factor in terms:
            R[row, 3 * free_tags(box).index(tag) + c] += factor
    N = scipy.linalg.null_space(R)
    omega2 = scipy.linalg.eigh(N.T @ K @ N, N.T @ M @ N, eigvals_only=True)
    text = (f"mesh: {box.path}\n{MATERIAL}parts: {{bar: steel}}\nsupports: [group: root]\n"
            f"points: {{a: {{node: {first}}}, b: {{node: {second}}}, c: {{node: {third}}}, tip: {{node: {box.tag(4, 0, 0)}}}}}\n"
            "constraints:\n  level: [{point: a, direction: z}, {point: b, direction: z, factor: -1}]\n"
            "  odd: [{point: a, direction: y, factor: 2}, {point: c, direction: x, factor: 0.5}, {point: c, direction: z, factor: -3}]\n"
            "  chain: [{point: b, direction: z}, {point: c, direction: z, factor: -1}]\n")
    for kept in ("", ", keep: tip"):
        result = run("constraints", text + f"reduction: {{craig_bampton: {{modes: 10000{kept}}}}}\n", ranks)
        assert len(result["M"]) == len(K) - 3, (len(result["M"]), len(K))
        close(result["omega"], np.sqrt(omega2[:8]), 1e-8, "omega")
        sums = R[0] @ pick(box, [first, second, third]).T
        shapes = result["shape"][order(result, [f"{p} {d}" for p in "abc" for d in "xyz"])]
        assert np.abs(sums @ shapes).max() < 1e-9 * np.abs(shapes).max()


def hubs_and_averages_can_be_constrained(box, K, M, ranks):
    """The plate's turn about x is tied to the sideways motion of the patch: a screw."""
    end, centre = box.groups["end"], np.array([SIZES[0], SIZES[1] / 2, SIZES[2] / 2])
    T = transformation(box, [(end, centre)])
    patch = box.groups["top"]
    free = [tag for tag in patch if tag not in box.groups["root"]]
    columns = [3 * patch.index(tag) + c for tag in free for c in range(3)]
    top = average_matrix([np.array(box.places[tag]) for tag in patch], np.ones(len(patch)))[:, columns] @ pick(box, free) @ T
    row = -0.3 * top[1]
    row[3] += 0.02
    N = scipy.linalg.null_space(row[None, :])
    omega2 = scipy.linalg.eigh(N.T @ T.T @ K @ T @ N, N.T @ T.T @ M @ T @ N, eigvals_only=True)
    result = run("screw", f"mesh: {box.path}\n{MATERIAL}parts: {{bar: steel}}\nsupports: [group: root]\n"
                 "points: {plate: {rigid: end}, cover: {average: top, weights: equal}}\n"
                 "constraints: {screw: [{point: plate, direction: rx, factor: 0.02}, {point: cover, direction: y, factor: -0.3}]}\n"
                 "reduction: {craig_bampton: {modes: 40}}\n", ranks)
    close(result["omega"], np.sqrt(omega2[:8]), 1e-8, "omega")


def half_a_box_with_symmetry_by_constraints_has_modes_of_the_whole(ranks):
    """Symmetric in y: nodes of the plane of symmetry cannot leave it."""
    whole, half = Box("whole.msh", (4, 4, 2), (0.4, 0.12, 0.04)), Box("half.msh")
    text = f"{MATERIAL}parts: {{bar: steel}}\nsupports: [group: root]\n"
    expected = run("of_whole", f"mesh: {whole.path}\n{text}reduction: {{craig_bampton: {{modes: 30}}}}\n", count=30)["omega"]
    plane = [half.tag(i, half.counts[1], k) for i in range(1, half.counts[0] + 1) for k in range(half.counts[2] + 1)]
    points = "".join(f"  p{tag}: {{node: {tag}}}\n" for tag in plane)
    constraints = "".join(f"  c{tag}: [{{point: p{tag}, direction: y}}]\n" for tag in plane)
    found = run("of_half", f"mesh: {half.path}\n{text}points:\n{points}constraints:\n{constraints}reduction: {{craig_bampton: {{modes: 30}}}}\n",
                ranks)["omega"]
    assert expected[-1] > found[-1]
    close([expected[np.abs(expected - value).argmin()] for value in found], found, 1e-8, "omega")


def write_beam(path, count, length):
    """Lines along x from the origin, groups `bar`, and the points `root` and `tip`."""
    with open(path, "w", encoding="utf-8") as out:
        out.write('$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n0 1 "root"\n0 2 "tip"\n1 3 "bar"\n$EndPhysicalNames\n')
        out.write(f"$Nodes\n{count + 1}\n" + "".join(f"{i + 1} {i * length / count!r} 0 0\n" for i in range(count + 1)) + "$EndNodes\n")
        out.write(f"$Elements\n{count + 2}\n1 15 2 1 1 1\n2 15 2 2 2 {count + 1}\n")
        out.write("".join(f"{i + 2} 1 2 3 3 {i} {i + 1}\n" for i in range(1, count + 1)) + "$EndElements\n")


LENGTH, SIDE, ARM, YOUNG, POISSON, DENSITY = 0.5, 0.001, 0.12, 2.1e11, 0.3, 7800
# So thin that the rotary inertia of the section does not show.
BEAM = (f"mesh: beam.msh\n{MATERIAL}supports: [group: root]\n"
        f"parts: {{bar: {{material: steel, element: beam_euler, section: {{rectangle: {{height: {SIDE}, width: {SIDE}}}}}}}}}\n")


def an_arm_on_a_cantilever_deflects_by_closed_forms(ranks):
    """A rigid arm goes on along x, or stands across; force on its end [Euler-Bernoulli; torsion of a square: 0.1406 a^4, Timoshenko]."""
    bending, torsion = YOUNG * SIDE**4 / 12, YOUNG / (2 * (1 + POISSON)) * 0.1406 * SIDE**4
    tip = LENGTH**3 / (3 * bending)
    along = tip + ARM * LENGTH**2 / bending + ARM**2 * LENGTH / bending
    across = tip + ARM**2 * LENGTH / torsion
    for at, expected, tolerance in (([LENGTH + ARM, 0, 0], along, 1e-9), ([LENGTH, ARM, 0], across, 1e-3)):
        result = run("arm", BEAM + f"points: {{end: {{rigid: tip, at: {at}}}}}\nreduction: {{guyan: {{keep: end}}}}\n", ranks)
        row = result["motions"].index("end z")
        close(np.linalg.inv(result["K"])[row, row], expected, tolerance, f"deflection with its end at {at}")


def a_cantilever_with_a_heavy_end_has_the_frequencies_of_its_equation(ranks):
    """The centre of the end is at a = ARM beyond the tip: E I w'' = omega^2 (J w' + m a (w + a w')), -E I w''' = omega^2 m (w + a w')."""
    line, bending = DENSITY * SIDE**2, YOUNG * SIDE**4 / 12
    mass, inertia = 2 * LENGTH * line, 5e-3 * LENGTH * line

    def determinant(omega):
        b = (omega**2 * line / bending) ** 0.25
        x = b * LENGTH
        shapes = [[np.cosh(x) - np.cos(x), b * (np.sinh(x) + np.sin(x)), b**2 * (np.cosh(x) + np.cos(x)), b**3 * (np.sinh(x) - np.sin(x))],
                  [np.sinh(x) - np.sin(x), b * (np.cosh(x) - np.cos(x)), b**2 * (np.sinh(x) + np.sin(x)), b**3 * (np.cosh(x) + np.cos(x))]]
        rows = [[bending * w2 - omega**2 * (inertia * w1 + mass * ARM * (w + ARM * w1)), bending * w3 + omega**2 * mass * (w + ARM * w1)]
                for w, w1, w2, w3 in shapes]
        return np.linalg.det(rows) / np.cosh(x) ** 2

    grid = np.linspace(1, 1000, 4000)
    signs = np.sign([determinant(omega) for omega in grid])
    exact = [scipy.optimize.brentq(determinant, grid[i], grid[i + 1], xtol=1e-10) for i in np.flatnonzero(np.diff(signs))][:3]
    result = run("heavy_end", BEAM + f"points: {{end: {{rigid: tip, at: [{LENGTH + ARM}, 0, 0]}}}}\n"
                 f"masses: {{block: {{mass: {mass!r}, inertia: {inertia!r}, directions: [x, y, z, rx, ry, rz]}}}}\n"
                 "joints: {weld: {between: [end, block], x: rigid, y: rigid, z: rigid, rx: rigid, ry: rigid, rz: rigid}}\n"
                 "reduction: {craig_bampton: {modes: 60}}\n", ranks)
    assert len(exact) == 3
    close([result["omega"][np.abs(result["omega"] - omega).argmin()] for omega in exact], exact, 1e-5, "omega")


def a_rigid_brick_on_springs_has_its_mass_and_moments(ranks):
    stiffness = dict(zip(DIRECTIONS, (2e6, 3e6, 5e6, 7e4, 11e4, 13e4)))
    box = Box("brick.msh")
    mass = DENSITY * np.prod(SIZES)
    moments = [mass / 12 * (sum(s**2 for s in SIZES) - size**2) for size in SIZES]
    text = f"mesh: {box.path}\n{MATERIAL}parts: {{bar: steel}}\npoints: {{body: {{rigid: bar}}}}\nsprings:\n" + "".join(
        f"  - {{between: [body, ground], direction: {d}, stiffness: {k!r}}}\n" for d, k in stiffness.items())
    result = run("brick", text + "reduction: {guyan: {keep: body}}\n", ranks)
    close(result["M"], np.diag([mass] * 3 + moments), 1e-13, "mass")
    assert np.array_equal(result["K"], np.diag(list(stiffness.values()))), result["K"]


def the_map_to_the_mesh_names_hubs(box, ranks):
    """Rows of the map at negative nodes are the hub's motions: those of the kept point at the same place. All nodes have a row but the
    support's and the hub's."""
    run("hubs", f"mesh: {box.path}\n{MATERIAL}parts: {{bar: steel}}\npoints: {{body: {{rigid: end}}}}\n"
        "supports: [{group: root, directions: [x, y, z]}]\nreduction: {craig_bampton: {modes: 3, keep: body}}\nexport: mesh_map\n", ranks)
    with h5py.File("hubs.h5") as file:
        system = file["system"]
        nodes, directions, rows, motions = (system[name][()] for name in ("mesh_nodes", "mesh_directions", "mesh_map", "motion_map"))
    assert sorted(set(nodes)) == [-1] + sorted(set(box.places) - set(box.groups["root"]) - set(box.groups["end"])), nodes
    assert list(directions[nodes == -1]) == [0, 1, 2, 3, 4, 5], directions
    close(rows[nodes == -1], motions[:6], 1e-9, "motions of the hub")


def main():
    box = Box("box.msh")
    write_beam("beam.msh", 20, LENGTH)
    K, M = all_nodes(box)
    checks = [
        lambda ranks: rigid_points_are_transformed_matrices(box, K, M, ranks),
        lambda ranks: constraints_are_the_null_space_of_their_rows(box, K, M, ranks),
        lambda ranks: hubs_and_averages_can_be_constrained(box, K, M, ranks),
        half_a_box_with_symmetry_by_constraints_has_modes_of_the_whole,
        an_arm_on_a_cantilever_deflects_by_closed_forms,
        a_cantilever_with_a_heavy_end_has_the_frequencies_of_its_equation,
        a_rigid_brick_on_springs_has_its_mass_and_moments,
        lambda ranks: the_map_to_the_mesh_names_hubs(box, ranks),
    ]
    for number, check in enumerate(checks):
        for ranks in (1, 3 - number % 2):
            check(ranks)


if __name__ == "__main__":
    main()
