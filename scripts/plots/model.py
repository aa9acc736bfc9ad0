"""model.py - what a case is about, in a few tables of its report: mesh, materials, masses, joints, laws, damping; from the values it was run with."""
import os
import re

import h5py

from .page import number, table

MOST_ROWS = 12  # of a table
MOST_NAMES = 6
DIRECTIONS = ("x", "y", "z", "rx", "ry", "rz", "q", "contact", "faces")
ONE = {"masses": "mass", "points": "point", "constraints": "constraint", "bolts": "bolt", "joints": "joint", "springs and dampers": "spring or damper"}


def tree_of(values, root):
    """The values below a path by names and keys: {"bolt1": {"between": ..., "x[0]": ...}}."""
    found = {}
    for path, value in values.items():
        if path.startswith(root + "."):
            name, _, key = path.removeprefix(root + ".").partition(".")
            found.setdefault(name, {})[key] = value
    return found


def joined(words):
    words = list(words)
    return ", ".join(words[:MOST_NAMES]) + (f" and {len(words) - MOST_NAMES} more" if len(words) > MOST_NAMES else "")


def plain(value):
    """A number as engineers write it."""
    try:
        return number(float(value))
    except ValueError:
        return value.strip("[]")


def mesh_of(result):
    """Its file, nodes and elements, as far as these are told beside the result."""
    file = result.values.get("mesh", result.values.get("mesh.file", ""))
    if not file:
        return ""
    words = [os.path.basename(file)]
    try:
        with h5py.File(result.path.removesuffix(".h5") + ".hdf", "r") as fields:
            words += [f"{number(int(fields['VTKHDF/NumberOfPoints'][0]))} nodes, {number(int(fields['VTKHDF/NumberOfCells'][0]))} elements"]
    except (OSError, KeyError):
        pass
    return ", ".join(words)


def facts_of(result):
    """Lines of what the structure is made of."""
    values = result.values
    counted = {kind: len(tree_of(values, kind)) for kind in ("masses", "points", "constraints", "bolts", "joints")}
    springs = len({re.match(r"\w+\[\d+\]", path)[0] for path in values if re.match(r"(springs|dampers)\[\d+\]", path)})
    yield "Mesh", mesh_of(result)
    yield "Made of", ", ".join(f"{count} {kind if count > 1 else ONE[kind]}" for kind, count in (*counted.items(), ("springs and dampers", springs)) if count)
    yield "Unknowns", number(len(result.file["system/unknowns"])) if "system/unknowns" in result.file else ""
    for key, name in (("reduction", "Reduction"), ("damping", "Damping")):
        told = [f"{path.removeprefix(key + '.').replace('_', ' ').replace('.', ' ')} {plain(value)}" for path, value in values.items()
                if path.startswith(key + ".") and value != "no"]
        yield name, ", ".join(told)


def materials_of(result):
    """A line for each, and the parts that are made of it."""
    values = result.values
    parts = {path.removeprefix("parts."): value for path, value in values.items() if path.startswith("parts.")}
    rows = []
    for name, told in tree_of(values, "materials").items():
        rows.append([name, *(float(told[key]) if key in told else None for key in ("young", "poisson", "density")), joined(part for part, value in parts.items() if value == name)])
    return table(["material", "Young's modulus [Pa]", "Poisson's ratio [1]", "density [kg/m^3]", "parts"], rows[:MOST_ROWS], "Materials") if rows else ""


def law_in(told, direction):
    """What acts in one direction: laws by name, or one that is written in place."""
    if f"{direction}.law" in told:
        keys = {key.removeprefix(direction + "."): value for key, value in told.items() if key.startswith(direction + ".") and not key.endswith(".law")}
        return f"{told[direction + '.law']} ({', '.join(f'{key} {plain(value)}' for key, value in list(keys.items())[:MOST_NAMES])})"
    laws = [value for key, value in told.items() if key == direction or re.fullmatch(rf"{direction}\[\d+\](\.law)?", key)]
    return " + ".join(laws)


def joints_of(result):
    """Those that are alike in one line: which, and what acts in each direction."""
    alike = {}
    for name, told in tree_of(result.values, "joints").items():
        acts = {}
        for direction in DIRECTIONS:
            law = law_in(told, direction)
            if law:
                acts.setdefault(law, []).append(direction)
        words = "; ".join(f"{', '.join(directions)}: {law.strip('[]')}" for law, directions in acts.items())
        alike.setdefault(words, []).append(name)
    rows = [[joined(names), words] for words, names in alike.items()]
    return table(["joints", "what acts"], rows[:MOST_ROWS], "Joints") if rows else ""


def laws_of(result):
    """The laws that have a name, with their parameters."""
    rows = []
    for name, told in tree_of(result.values, "laws").items():
        rows.append([name, told.get("law", ""), ", ".join(f"{key} {plain(value)}" for key, value in told.items() if key != "law")])
    return table(["law", "kind", "parameters, in SI units"], rows[:MOST_ROWS], "Laws") if rows else ""


def summary(result):
    """The tables, those that there is something in."""
    facts = [[name, words] for name, words in facts_of(result) if words]
    parts = [table(["", ""], facts, "Structure", "structure-table") if facts else "", materials_of(result), joints_of(result), laws_of(result)]
    return [part for part in parts if part]
