#!/usr/bin/env python3
"""Universal files of a mesh (`dovetail export --uff`): nodes, elements and shapes are those of the mesh and of the modes, spectra are functions of power
by frequency. Read by a parser written from the format's definition [SDRC, universal datasets 2411, 2412, 55, 58], and what the program reads, by it."""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py
import numpy as np

from touching import Bodies, in_a_folder, solve

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
SIZE, CELLS = (0.3, 0.03, 0.02), (3, 1, 1)
CASE = """mesh: bar.msh
materials: { steel: { young: 2e11, poisson: 0.3, density: 8000 } }
parts: { bar: steel }
supports: [ { group: root } ]
points: { end: { average: tip }, middle: { at: [0.1, 0.03, 0.02] } }
damping: { modal: 0.02 }
studies:
  - modes: { count: 3 }
  - transient: { name: r, time_step: 1e-5, steps: 4000, load: { random: { point: middle, direction: y, spectrum: [[10, 1], [3000, 1]], duration: 0.04, seed: 1 } } }
  - spectrum: { of: r, segment: 5e-3, points: [end, middle] }
"""
COUNTS = {21: 2, 91: 3, 94: 4, 111: 4, 112: 6, 115: 8, 116: 20, 118: 10}


def datasets(path):
    """(number, lines) of each: between lines of -1 in columns 5 and 6."""
    with open(path, encoding="ascii") as file:
        lines = file.read().splitlines()
    marks = [i for i, line in enumerate(lines) if line[:6] == "    -1" and not line[6:].strip()]
    return [(int(lines[a + 1][:6]), lines[a + 2:b]) for a, b in zip(marks[::2], marks[1::2])]


def integers(line):
    """Fields of ten columns."""
    return [int(line[i:i + 10]) for i in range(0, len(line.rstrip()), 10)]


def nodes_of(lines):
    return {integers(head)[0]: [float(place[i:i + 25].replace("D", "E")) for i in (0, 25, 50)] for head, place in zip(lines[::2], lines[1::2])}


def elements_of(lines):
    found, at = {}, 0
    while at < len(lines):
        number, descriptor, *_, count = integers(lines[at])
        at += 2 if descriptor in (11, 21, 22, 24) else 1  # beams have a line of their orientation
        nodes = []
        while len(nodes) < count:
            nodes += integers(lines[at])
            at += 1
        found[number] = descriptor, nodes
    return found


def shape_of(lines):
    """Numbers and motions of nodes, frequency."""
    kind = integers(lines[5])
    assert kind[0] == 1 and kind[1] == 2 and kind[4] == 2, kind  # structural, normal mode, real
    values = [[float(line[i:i + 13]) for i in range(0, 13 * kind[5], 13)] for line in lines[9::2]]
    return [integers(line)[0] for line in lines[8::2]], np.array(values), float(lines[7][:13])


def functions_of(found):
    """Name: function type, node, direction, abscissas, values, unit."""
    functions = {}
    for number, lines in found:
        if number != 58:
            continue
        kind, count, even = integers(lines[6][:30])
        assert kind == 4 and even == 1  # real, of double precision, even abscissas
        values = np.array([float(line[i:i + 20]) for line in lines[11:] for i in range(0, len(line.rstrip()), 20)])
        assert len(values) == count
        start, step = float(lines[6][30:43]), float(lines[6][43:56])
        functions[lines[0].strip()] = (int(lines[5][:5]), int(lines[5][41:51]), int(lines[5][51:55]), start + step * np.arange(count), values,
                                       int(lines[8][:10]), lines[8][47:67].strip())
    return functions


def volume(descriptor, places):
    """Of the linear solid at the corners, positive when these go round as the format wants them: bottom counterclockwise seen from the top."""
    corners = {111: (0, 1, 2, 3), 118: (0, 2, 4, 9), 112: (0, 1, 2, 3, 4, 5), 115: range(8), 116: (0, 2, 4, 6, 12, 14, 16, 18)}[descriptor]
    x = places[list(corners)]
    if len(x) == 4:
        return np.linalg.det(x[1:] - x[0]) / 6
    if len(x) == 6:
        return np.linalg.det([x[1] - x[0], x[2] - x[0], x[3] - x[0]]) / 2
    return np.linalg.det([x[1] - x[0], x[3] - x[0], x[4] - x[0]])


def middles(descriptor, nodes, places):
    """Nodes of second order lie in the middle of the edges that the order of the format puts them on."""
    rings = {118: [(0, 6)], 116: [(0, 8), (12, 8)]}.get(descriptor, [])
    for first, count in rings:
        for i in range(1, count, 2):
            assert np.allclose(places[first + i], (places[first + i - 1] + places[first + (i + 1) % count]) / 2)
    upwards = {118: [(6, 0, 9), (7, 2, 9), (8, 4, 9)], 116: [(8 + i, 2 * i, 12 + 2 * i) for i in range(4)]}.get(descriptor, [])
    for node, low, high in upwards:
        assert np.allclose(places[node], (places[low] + places[high]) / 2)


def the_structure_is_shown():
    """Of bricks, tetrahedra and wedges, of both orders: every node with its place and number, every element with its volume, every shape; and points."""
    for kind, descriptor in (("hex8", 115), ("tet4", 111), ("wedge6", 112), ("hex20", 116), ("tet10", 118)):
        bodies = Bodies()
        bodies.grid("bar", kind, CELLS, lambda i, j, k: (SIZE[0] * i / CELLS[0], SIZE[1] * j / CELLS[1], SIZE[2] * k / CELLS[2]), {"root": (0, 0), "tip": (0, -1)})
        bodies.write("bar.msh")
        result = solve(CASE)
        subprocess.run([PROGRAM, "export", "case.h5", "modes", "spectrum", "transient/r/points", "-o", "case.uff"], check=True)
        found = datasets("case.uff")
        by_number = {number: lines for number, lines in found}
        nodes, elements = nodes_of(by_number[2411]), elements_of(by_number[2412])
        points = sorted(nodes)[len(bodies.nodes):]
        assert np.allclose([nodes[n + 1] for n in range(len(bodies.nodes))], bodies.nodes, rtol=0, atol=1e-16), kind
        assert len(points) == 2 and np.allclose([nodes[n] for n in points], [[0.3, 0.015, 0.01], [0.1, 0.03, 0.02]], rtol=0, atol=1e-15)
        assert {what for what, _ in elements.values()} == {descriptor} and all(len(of) == COUNTS[descriptor] for _, of in elements.values())
        total = 0
        for what, of in elements.values():
            places = np.array([nodes[n] for n in of])
            total += volume(what, places)
            assert volume(what, places) > 0, (kind, of)
            middles(what, of, places)
        assert abs(total / np.prod(SIZE) - 1) < 1e-12, (kind, total)
        shapes_are_those_of_the_modes(found, nodes, points, result)
        spectra_are_those_of_the_study(found, points, result)
        result.close()


def shapes_are_those_of_the_modes(found, nodes, points, result):
    """To six digits, as E13.5 has them."""
    shapes = [shape_of(lines) for number, lines in found if number == 55 and lines[0].startswith("/modes/stuck")]
    assert len(shapes) == 3
    names = [name.decode() for name in result["system/motions"][:]]
    with h5py.File("case.hdf") as file:
        tags = file["VTKHDF/PointData/node"][:]
        for k, (numbers, values, frequency) in enumerate(shapes):
            assert sorted(numbers) == sorted(nodes) and np.isclose(frequency, result["modes/stuck/frequency"][k], rtol=1e-5)
            own = dict(zip(numbers, values))
            name = next(name for name in file["VTKHDF/PointData"] if name.startswith(f"stuck_{k + 1:03d}_"))
            for tag, shape in zip(tags, file[f"VTKHDF/PointData/{name}"][:]):
                assert np.allclose(own[tag][:3], shape, rtol=6e-6, atol=0)
            motions = result["modes/stuck/shape"][:, k]
            for point, node in zip(("end", "middle"), points):
                for axis, direction in enumerate("xyz"):
                    assert np.isclose(own[node][axis], motions[names.index(f"{point} {direction}")], rtol=6e-6, atol=0)


def spectra_are_those_of_the_study(found, points, result):
    functions = functions_of(found)
    for point, node in zip(("end", "middle"), points):
        spectrum = result[f"spectrum/spectrum/r/{point}"]
        for c, direction in enumerate(spectrum.attrs["components"].decode().split()):
            kind, at, way, frequency, density, quantity, unit = functions[f"/spectrum/spectrum/r/{point}/density {direction}"]
            assert (kind, at, way, quantity) == (2, node, c + 1, 12) and unit == ("(m/s^2)^2/Hz" if c < 3 else "(rad/s^2)^2/Hz"), (kind, at, way, unit)
            assert np.allclose(frequency, spectrum["frequency"][:], rtol=1e-5) and np.allclose(density, spectrum["density"][:, c], rtol=1e-11)
        assert functions[f"/transient/r/points/{point}/displacement y"][:3] == (1, node, 2)


def and_histories_come_back():
    """Through the program's own reader, by the number of the node: a record for ring-downs. Its file of a mesh that is not there any more says so."""
    subprocess.run([PROGRAM, "export", "case.h5", "transient/r/points/end/displacement", "-o", "end.uff"], check=True)
    node = sorted(nodes_of(dict(datasets("end.uff"))[2411]))[-2]
    with open("back.yaml", "w", encoding="utf-8") as file:
        file.write(f"studies:\n  - ring_down: {{ records: {{ name: r, file: end.uff, values: {node} y, quantity: displacement }}, band: [500, 4000] }}\n")
    done = subprocess.run([PROGRAM, "run", "back.yaml"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr
    os.remove("case.hdf")
    done = subprocess.run([PROGRAM, "export", "case.h5", "modes", "--uff", "-o", "alone.uff"], capture_output=True, text=True)
    assert done.returncode == 0 and "neither its nodes nor its elements" in done.stderr, done.stderr
    assert sorted(nodes_of(dict(datasets("alone.uff"))[2411])) == [1, 2] and 2412 not in dict(datasets("alone.uff"))


if __name__ == "__main__":
    in_a_folder(the_structure_is_shown, and_histories_come_back)
