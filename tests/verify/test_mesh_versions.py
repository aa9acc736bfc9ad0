#!/usr/bin/env python3
"""One block in every version and encoding of .msh files, with and without groups, whole and partitioned, in metres, millimetres and inches, has
the same frequencies. [timeout: 300]

Gmsh writes versions 1, 2.2, 4.0 and 4.1, and partitions; header 2.0, names without dimension, names behind the elements and sizes of 4 bytes are
made of these. The expected frequencies are those of version 4.1 as text, whose reading test_mesh_gmsh.py compares with Gmsh itself.
"""
import os
import re
import struct
import subprocess
import sys

import h5py
import numpy as np

try:
    import gmsh
except ImportError:
    print("skipped: there is no python3-gmsh")
    sys.exit(77)

PROGRAM, MPIEXEC = os.environ["DOVETAIL_PROGRAM"], os.environ.get("DOVETAIL_MPIEXEC", "mpiexec")
EXIT_INPUT = 2
ALLOWED = 1e-12  # nodes come in other orders, so that round-off differs: measured 3.3e-14
VERSIONS = ((1.0, 0), (2.2, 0), (2.2, 1), (4.0, 0), (4.1, 0), (4.1, 1))  # and whether binary
BY_GROUP = ("parts: { body: m }", "foot")
BY_NUMBER = ("parts: { '5': m }", "'6'")  # version 1 has no names
BY_ENTITY = ("parts: { volume 1: m, volume 2: { material: m } }", "surface 1")
BY_ALL = ("parts: { all: m }", "surface 1")


def write(name, version, binary, scale=1.0):
    path = f"{name}_{version}_{binary}.msh"
    for option, value in (("MshFileVersion", version), ("Binary", binary), ("ScalingFactor", scale)):
        gmsh.option.setNumber(f"Mesh.{option}", value)
    gmsh.write(path)
    return path


def make_meshes():
    """Two boxes that share a face: `plain` has no groups, `named` has two, `pieces` is in three partitions."""
    occ = gmsh.model.occ
    occ.fragment([(3, occ.addBox(0, 0, 0, 1, 0.8, 0.6))], [(3, occ.addBox(1, 0, 0, 0.5, 0.8, 0.6))])
    occ.synchronize()
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.5)
    gmsh.model.mesh.generate(3)
    gmsh.option.setNumber("Mesh.SaveAll", 1)
    meshes = {name: [write(name, *version) for version in VERSIONS] for name in ("plain",)}
    meshes["mm"], meshes["inch"] = [write("mm", 4.1, 1, 1e3)], [write("inch", 2.2, 0, 1 / 25.4e-3)]
    for dim, entities, number, name in ((3, [1, 2], 5, "body"), (2, [1], 6, "foot")):
        gmsh.model.setPhysicalName(dim, gmsh.model.addPhysicalGroup(dim, entities, number), name)
    gmsh.option.setNumber("Mesh.SaveAll", 0)
    meshes["named"] = [write("named", *version) for version in VERSIONS]
    for option in ("CreateTopology", "CreateGhostCells"):
        gmsh.option.setNumber(f"Mesh.Partition{option}", 1)
    gmsh.model.mesh.partition(3)
    meshes["pieces"] = [write("pieces", *version) for version in VERSIONS if version[0] > 1.0]
    gmsh.option.setNumber("Mesh.PartitionSplitMeshFiles", 1)
    write("split", 4.1, 0)
    return meshes


def change(old, new, edit):
    with open(old, "rb") as file:
        text = file.read()
    changed = edit(text)
    assert changed != text, old
    with open(new, "wb") as file:
        file.write(changed)
    return new


def with_short_sizes(binary):
    """A binary file of 4.1 without entities, in sizes of 4 bytes: as programs of 32 bits wrote it."""
    def take(kinds, at):
        return struct.unpack_from("<" + kinds, binary, at), at + struct.calcsize("<" + kinds)

    out = b"$MeshFormat\n4.1 1 4\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n$Nodes\n"
    head, at = take("4Q", binary.index(b"$Nodes\n") + 7)
    out += struct.pack("<4I", *head)
    for _ in range(head[0]):
        (dim, tag, parametric, count), at = take("3iQ", at)
        tags, at = take(f"{count}Q", at)
        places, at = take(f"{3 * count}d", at)
        assert not parametric
        out += struct.pack(f"<3iI{count}I{3 * count}d", dim, tag, parametric, count, *tags, *places)
    head, at = take("4Q", binary.index(b"$Elements\n") + 10)
    out += b"\n$EndNodes\n$Elements\n" + struct.pack("<4I", *head)
    for _ in range(head[0]):
        (dim, tag, kind, count), at = take("3iQ", at)
        numbers, at = take(f"{count * (1 + gmsh.model.mesh.getElementProperties(kind)[3])}Q", at)
        out += struct.pack(f"<3iI{len(numbers)}I", dim, tag, kind, count, *numbers)
    return out + b"\n$EndElements\n"


def names_last(text):
    names = re.search(rb"\$PhysicalNames.*\$EndPhysicalNames\n", text, re.DOTALL).group()
    return text.replace(names, b"") + names


def made_of(meshes):
    """Files that Gmsh does not write any more, or never did."""
    header = {"2.0": (b"2.2 0 8", b"2.0 0 8"), "2": (b"2.2 0 8", b"2 0 8")}
    old = [change("named_2.2_0.msh", f"named_{name}.msh", lambda text, pair=pair: text.replace(*pair)) for name, pair in header.items()]
    no_dimension = change(old[1], "no_dimension.msh", lambda text: text.replace(b'2 6 "foot"', b'6 "foot"').replace(b'3 5 "body"', b'5 "body"'))
    last = [change(path, f"last_{i}.msh", names_last) for i, path in enumerate(("named_2.2_0.msh", "named_4.1_0.msh", "named_4.1_1.msh"))]
    meshes["named"] += old + [no_dimension] + last + [change("named_4.1_0.msh", "text4.msh", lambda text: text.replace(b"4.1 0 8", b"4.1 0 4"))]
    meshes["plain"].append(change("plain_4.1_1.msh", "binary4.msh", with_short_sizes))


def run(mesh, parts, foot, ranks=1):
    with open("case.yaml", "w", encoding="utf-8") as file:
        file.write(f"mesh: {mesh}\nmaterials: {{ m: {{ young: 2e11, poisson: 0.3, density: 8000 }} }}\n{parts}\n"
                   f"supports: [ {{ group: {foot} }} ]\nstudies: [ modes: {{ count: 8 }} ]\n")
    launch = [MPIEXEC, "--quiet", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    return subprocess.run(launch + [PROGRAM, "run", "case.yaml", "-q"], stdin=subprocess.DEVNULL, capture_output=True, text=True)


def main():
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    meshes = make_meshes()
    made_of(meshes)
    gmsh.finalize()
    asked = [(path, BY_ALL, 1) for path in meshes["plain"]] + [("plain_4.0_0.msh", BY_ENTITY, ranks) for ranks in (1, 2, 3)]
    asked += [(path, BY_NUMBER if "_1.0_" in path else BY_GROUP, 1) for path in meshes["named"]]
    asked += [(path, BY_GROUP, 1) for path in meshes["pieces"]] + [("pieces_4.1_1.msh", BY_ENTITY, 2)]
    asked += [("{ file: mm_4.1_1.msh, unit: mm }", BY_ALL, 1), ("{ file: mm_4.1_1.msh, scale: 1e-3 }", BY_ALL, 3),
              ("{ file: inch_2.2_0.msh, unit: inch }", BY_ALL, 1)]
    expected = None
    for path, (parts, foot), ranks in [("named_4.1_0.msh", BY_GROUP, 1)] + asked:
        done = run(path, parts, foot, ranks)
        assert done.returncode == 0, f"{path}, {parts}: {done.stderr}"
        with h5py.File("case.h5") as file:
            found = file["modes/stuck/frequency"][:]
        expected = found if expected is None else expected
        assert expected[0] > 1.0 and np.abs(found / expected - 1).max() < ALLOWED, f"{path}, {parts}: {found / expected - 1}"
    done = run("split_4.1_0_2.msh", *BY_GROUP)  # one of three files
    assert done.returncode == EXIT_INPUT and "the mesh is in 3 partitions, but this file has the elements of 1:" in done.stderr, done.stderr


main()
