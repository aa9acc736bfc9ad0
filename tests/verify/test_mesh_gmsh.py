"""test_mesh_gmsh.py - what is read of a mesh is what Gmsh says of it: every tag, coordinate, connection and group. [timeout: 300]

Meshes of Gmsh's own making, in all versions and encodings of .msh files, are read on 1 and on 3 ranks.
"""

import os
import subprocess
import sys

try:
    import gmsh
except ImportError:
    print("skipped: there is no python3-gmsh")
    sys.exit(77)

BUILD = os.path.dirname(os.environ["DOVETAIL_PROGRAM"])
DUMP = os.path.join(BUILD, "tests", "dump_mesh")
ORDERS = {"linear": (1, 0), "quadratic": (2, 0), "serendipity": (2, 1)}
VERSIONS = ((1.0, 0), (2.2, 0), (2.2, 1), (4.0, 0), (4.1, 0), (4.1, 1))  # Gmsh writes the old ones as text only


def start_anew():
    """An empty model and all options as they were."""
    gmsh.finalize()
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)


def name_group(dim, tags, name, number=-1):
    number = gmsh.model.addPhysicalGroup(dim, tags, number)
    if name:
        gmsh.model.setPhysicalName(dim, number, name)


def make_bricks_and_wedges():
    """A block of bricks beside one of wedges; equal numbers and names in several dimensions, groups that overlap."""
    geo = gmsh.model.geo
    points = [geo.addPoint(x, y, 0, 0.5) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1), (2, 0))]
    ends = ((0, 1), (1, 2), (2, 3), (3, 0), (1, 4), (4, 2))
    lines = [geo.addLine(points[i], points[j]) for i, j in ends]
    square = geo.addPlaneSurface([geo.addCurveLoop(lines[:4])])
    triangle = geo.addPlaneSurface([geo.addCurveLoop([lines[4], lines[5], -lines[1]])])
    for line in lines:
        geo.mesh.setTransfiniteCurve(line, 4)
    geo.mesh.setTransfiniteSurface(square)
    geo.mesh.setRecombine(2, square)
    bricks = geo.extrude([(2, square)], 0, 0, 1, [3], recombine=True)
    wedges = geo.extrude([(2, triangle)], 0, 0, 1, [3], recombine=True)
    geo.synchronize()
    name_group(3, [bricks[1][1]], "steel block", 1)
    name_group(3, [wedges[1][1]], "wedge  block")
    name_group(3, [bricks[1][1], wedges[1][1]], "both", 7)
    name_group(2, [bricks[0][1], wedges[0][1]], "top", 1)
    name_group(2, [square], "steel block", 7)
    name_group(2, [-square, triangle], "", 12)
    name_group(1, [lines[0]], "edge x0", 1)
    name_group(0, [points[0], points[4]], "tips", 1)


def make_tetrahedra():
    """Two boxes that touch without sharing nodes."""
    for x in (0, 1):
        gmsh.model.occ.addBox(x, 0, 0, 1, 0.7, 0.3)
    gmsh.model.occ.synchronize()
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.3)
    name_group(3, [1], "lower")
    name_group(3, [2], "upper")
    name_group(2, [2], "contact")
    name_group(2, [7], "contact upper")


def make_recombined():
    """A quarter of a thick ring of bricks, no groups at all: everything is saved."""
    occ = gmsh.model.occ
    outer = occ.addDisk(0, 0, 0, 1.0, 1.0)
    inner = occ.addDisk(0, 0, 0, 0.4, 0.4)
    ring, _ = occ.cut([(2, outer)], [(2, inner)])
    occ.extrude(ring, 0, 0, 0.5, [2], recombine=True)
    occ.synchronize()
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.4)
    gmsh.option.setNumber("Mesh.RecombineAll", 1)


MESHES = {"wedges": make_bricks_and_wedges, "tetrahedra": make_tetrahedra, "recombined": make_recombined}


def write_versions(name):
    """The current mesh in all versions and encodings."""
    paths = []
    for version, binary in VERSIONS:
        gmsh.option.setNumber("Mesh.MshFileVersion", version)
        gmsh.option.setNumber("Mesh.Binary", binary)
        paths.append(f"{name}_{version}_{'binary' if binary else 'text'}.msh")
        gmsh.write(paths[-1])
    return paths


def make_meshes():
    paths = []
    for name, make in MESHES.items():
        for order, (degree, incomplete) in ORDERS.items():
            start_anew()
            make()
            gmsh.option.setNumber("Mesh.SecondOrderIncomplete", incomplete)
            gmsh.model.mesh.generate(3)
            gmsh.model.mesh.setOrder(degree)
            paths += write_versions(f"{name}_{order}")
    return paths + write_all_shapes()


def write_all_shapes():
    """An element of each type, its nodes anywhere, with tags far apart and shared nodes between neighbours."""
    types = (15, 1, 8, 2, 9, 3, 16, 10, 4, 11, 5, 17, 12, 6, 18, 13, 7, 19, 14)
    start_anew()
    count = 40
    tags = [7 + 50000 * ((11 * i) % count) for i in range(count)]
    everywhere = gmsh.model.addDiscreteEntity(3)
    coordinates = [((i * 0.6180339887498949) % 1.0) * 10.0 ** (i % 7 - 3) for i in range(3 * count)]
    gmsh.model.mesh.addNodes(3, everywhere, tags, coordinates)
    element = 1000000
    for i, kind in enumerate(types):
        _, dim, _, num_nodes, *_ = gmsh.model.mesh.getElementProperties(kind)
        entity = gmsh.model.addDiscreteEntity(dim)
        nodes = [tags[(2 * i + k) % count] for k in range(num_nodes)]
        gmsh.model.mesh.addElementsByType(entity, kind, [element - 1000 * i], nodes)
        name_group(dim, [entity], f"type {kind}")
    return write_versions("shapes")


def expected_mesh(path):
    """What Gmsh reads: nodes with elements, elements, groups. Versions 1 and 2.2 hold an element once for each of its groups."""
    gmsh.clear()
    gmsh.open(path)
    mesh = gmsh.model.mesh
    tags, places, _ = mesh.getNodes()
    places = {int(tag): tuple(places[3 * i : 3 * i + 3]) for i, tag in enumerate(tags)}
    elements, of_entity = {}, {}
    for entity in gmsh.model.getEntities():
        copies = set()
        for kind, its_tags, its_nodes in zip(*mesh.getElements(*entity)):
            width = len(its_nodes) // len(its_tags)
            for i, tag in enumerate(its_tags):
                nodes = tuple(int(n) for n in its_nodes[width * i : width * (i + 1)])
                key = (int(kind), tuple(sorted(nodes)))
                if ("_1.0_" in path or "_2.2_" in path) and key in copies:
                    continue
                copies.add(key)
                elements[int(tag)] = (int(kind), nodes)
                of_entity.setdefault(entity, set()).add(int(tag))
    used = {n for _, nodes in elements.values() for n in nodes}
    groups = {}
    for dim, number in gmsh.model.getPhysicalGroups():
        entities = gmsh.model.getEntitiesForPhysicalGroup(dim, number)
        members = set().union(*(of_entity.get((dim, int(entity)), set()) for entity in entities))
        nodes = {int(tag) for tag in mesh.getNodesForPhysicalGroup(dim, number)[0]}
        name = gmsh.model.getPhysicalName(dim, number) or str(number)
        groups[(dim, number)] = (name, members, nodes)
    return {tag: places[tag] for tag in used}, elements, groups


def read_mesh(path, ranks):
    """What dump_mesh wrote, put together from all ranks; nothing may come twice."""
    nodes, elements, groups = {}, {}, {}
    for rank in range(ranks):
        with open(f"{path}.{rank}", encoding="utf-8") as lines:
            for line in lines:
                kind, *words = line.rstrip("\n").split(" ", 4 if line.startswith("group") else -1)
                if kind == "node":
                    assert int(words[0]) not in nodes, f"{path}: node {words[0]} is owned twice"
                    nodes[int(words[0])] = tuple(float(word) for word in words[1:])
                elif kind == "element":
                    assert int(words[0]) not in elements, f"{path}: element {words[0]} is owned twice"
                    elements[int(words[0])] = (int(words[1]), tuple(int(word) for word in words[2:]))
                elif kind == "group":
                    group = groups.setdefault((int(words[0]), int(words[1])), {"members": [], "nodes": []})
                    group["name"], group["total"] = words[3], int(words[2])
                elif kind == "member":
                    groups[(int(words[0]), int(words[1]))]["members"].append(int(words[2]))
                elif kind == "nodes":
                    group = groups[(int(words[0]), int(words[1]))]
                    assert rank == 0 or group["nodes"] == words[2:], f"{path}: ranks disagree on the nodes of {group['name']}"
                    group["nodes"] = words[2:]
    for group in groups.values():
        assert len(set(group["members"])) == len(group["members"]) == group["total"], f"{path}: {group['name']}"
        assert len(set(group["nodes"])) == len(group["nodes"]), f"{path}: {group['name']}"
    shown = {key: (g["name"], set(g["members"]), {int(tag) for tag in g["nodes"]}) for key, g in groups.items()}
    return nodes, elements, shown


def check(path, expected, ranks):
    for what, found, wanted in zip(("nodes", "elements", "groups"), read_mesh(path, ranks), expected):
        assert wanted or what == "groups", f"{path}: the test has no {what}"
        missing, extra = wanted.keys() - found.keys(), found.keys() - wanted.keys()
        assert not missing and not extra, f"{path} on {ranks} ranks: {what} missing {sorted(missing)[:5]}, too many {sorted(extra)[:5]}"
        for tag, value in wanted.items():
            assert found[tag] == value, f"{path} on {ranks} ranks: {what} {tag}: read {found[tag]}, Gmsh says {value}"


def main():
    gmsh.initialize()
    paths = make_meshes()
    kinds = set()
    for ranks in (1, 3):
        subprocess.run([os.environ["DOVETAIL_MPIEXEC"], "-n", str(ranks), "--oversubscribe", DUMP, *paths], check=True)
        for path in paths:
            expected = expected_mesh(path)
            kinds |= {kind for kind, _ in expected[1].values()}
            check(path, expected, ranks)
    gmsh.finalize()
    assert len(kinds) == 19, f"only types {sorted(kinds)} were seen"


main()
