#!/usr/bin/python3
"""faces.py - a cycle of the flange's faces for ParaView: pressure, state, length of slip since the beginning of the cycle, energy lost in it.

    cases/jalali_flange/faces.py RESULT.h5 [-o SERIES.xdmf] [--picture PNG]

Of the run at 15 Hz, which keeps what every part does, 40 times of its last cycle; the faces themselves are those that the preload has written
beside the result. The picture has four of these times.
"""
import argparse
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(os.path.dirname(HERE)), "scripts")]
import h5py
import numpy as np
from matplotlib.collections import PolyCollection

import checks
from plots import sheet

FREQUENCY, EVERY = 15, 10  # [Hz]; samples from one time to the next
PICTURES = (("pressure", "pressure [MPa]", 1e-6, "viridis"), ("state", "state", 1, None),
            ("slip", "slip [\N{MICRO SIGN}m]", 1e6, "magma_r"))
HEAD = '<?xml version="1.0"?>\n<Xdmf Version="3.0"><Domain><Grid Name="face" GridType="Collection" CollectionType="Temporal">\n'
GRID = """<Grid><Time Value="{time!r}"/>
<Topology TopologyType="Quadrilateral" NumberOfElements="{cells}"><DataItem Format="HDF" NumberType="Int" Dimensions="{cells} 4">{file}:/faces</DataItem></Topology>
<Geometry GeometryType="XYZ"><DataItem Format="HDF" Precision="8" Dimensions="{nodes} 3">{file}:/points</DataItem></Geometry>
{fields}</Grid>
"""
FIELD = '<Attribute Name="{name}" Center="Node"><DataItem Format="HDF" Precision="8" Dimensions="{nodes}">{file}:/{name}_{index}</DataItem></Attribute>\n'


def read_faces(result_path):
    """Places of the nodes and quadrilaterals, from what the preload has written."""
    with h5py.File(os.path.splitext(result_path)[0] + "_tightened_face.xdmf.h5") as file:
        return file["XDMF/Points"][:], file["XDMF/Topology"][:].reshape(-1, 5)[:, 1:]  # each after its kind


def parts_at(nodes, places):
    """The part of the joint at each node; -1 where there is none."""
    near = {tuple(np.rint(1e7 * place).astype(int)): part for part, place in enumerate(places)}
    return np.array([near.get(tuple(np.rint(1e7 * node).astype(int)), -1) for node in nodes])


class Cycle:
    """What the parts do in the last cycle, in the order of the points of the joint."""

    def __init__(self, file):
        run = file[f"transient/at_{FREQUENCY}_hz"]
        contact, preload = run["joints/face/contact"], file["preload/tightened/joints/face"]
        last = slice(-checks.SAMPLES - 1, None)
        self.time = run["time"][last]
        self.load = checks.FORCE * np.sin(2 * np.pi * FREQUENCY * self.time)
        area, pressing, lost = preload["area"][:], contact["pressing"][last], contact["dissipated"][last]
        self.places = np.column_stack([preload[key][:] for key in "xyz"])
        pressed, work = 0.5 * (pressing[1:] + pressing[:-1]), np.diff(lost, axis=0)  # slip work is mu N times the way; faces may part meanwhile
        way = np.divide(work, checks.FRICTION * pressed, out=np.zeros_like(work), where=(work > 0) & (pressed > 0))
        self.fields = {"pressure": pressing / area, "state": contact["state"][last], "slip": np.vstack([0 * way[:1], np.cumsum(way, axis=0)]),
                       "lost": (lost - lost[0]) / area}


def write(path, cycle, nodes, faces, parts):
    """The series, its numbers beside it; nodes that meet nothing are open."""
    own = os.path.basename(path) + ".h5"
    with h5py.File(path + ".h5", "w") as numbers, open(path, "w", encoding="utf-8") as text:
        numbers["points"], numbers["faces"] = nodes, faces
        text.write(HEAD)
        for index in range(0, checks.SAMPLES + 1, EVERY):
            for name, values in cycle.fields.items():
                numbers[f"{name}_{index}"] = np.where(parts >= 0, values[index].astype(float)[parts], 0.0)
            fields = "".join(FIELD.format(name=name, nodes=len(nodes), file=own, index=index) for name in cycle.fields)
            text.write(GRID.format(time=float(cycle.time[index]), cells=len(faces), nodes=len(nodes), file=own, fields=fields))
        text.write("</Grid></Domain></Xdmf>\n")


def paint(axes, nodes, faces, values, **look):
    """The faces seen along z: y to the right, x upwards."""
    drawn = PolyCollection(1e3 * nodes[faces][:, :, [1, 0]], array=values, edgecolors="#909090", linewidths=0.2, cmap=look["colours"])
    drawn.set_clim(*look["range"])
    axes.add_collection(drawn)
    axes.set(aspect="equal", xlim=(-1, 101), ylim=(-1, 49))
    axes.grid(False)
    axes.label_outer()
    return drawn


def draw(path, cycle, nodes, faces, parts):
    """Pressure, state and slip at the end of each quarter of the cycle; a face has the state of most of its corners."""
    quarters = [checks.SAMPLES * quarter // 4 for quarter in (1, 2, 3, 4)]
    states = sheet.matplotlib.colors.ListedColormap(["#f2f2f2", "#0a64b4", "#c8500a"])
    figure, panels = sheet.plt.subplots(3, len(quarters), figsize=(sheet.WIDTH, 4.9), sharex=True, sharey=True, constrained_layout=True)
    for row, (name, label, factor, colours) in zip(panels, PICTURES):
        most = 2.5 if colours is None else factor * max(cycle.fields[name][quarter].max() for quarter in quarters)
        for axes, quarter in zip(row, quarters):
            corners = np.where(parts >= 0, factor * cycle.fields[name][quarter][parts], 0.0)[faces]
            values = np.array([np.bincount(face.astype(int)).argmax() for face in corners]) if colours is None else corners.mean(axis=1)
            drawn = paint(axes, nodes, faces, values, colours=colours or states, range=(-0.5 if colours is None else 0, most))
        bar = figure.colorbar(drawn, ax=row, shrink=0.9, aspect=12, ticks=[0, 1, 2] if colours is None else None)
        bar.set_label(label)
        if colours is None:
            bar.ax.set_yticklabels(["open", "sticks", "slips"])
    for axes, quarter in zip(panels[0], quarters):
        axes.set_title(f"load {round(cycle.load[quarter] / 1e3)} kN")
    for axes in panels[-1]:
        axes.set_xlabel("y [mm]")
    for axes in panels[:, 0]:
        axes.set_ylabel("x [mm]")
    figure.savefig(path, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result")
    parser.add_argument("-o", "--output")
    parser.add_argument("--picture")
    options = parser.parse_args()
    nodes, faces = read_faces(options.result)
    with h5py.File(options.result) as file:
        cycle = Cycle(file)
    parts = parts_at(nodes, cycle.places)
    write(options.output or os.path.splitext(options.result)[0] + "_cycle.xdmf", cycle, nodes, faces, parts)
    if options.picture:
        draw(options.picture, cycle, nodes, faces, parts)


if __name__ == "__main__":
    main()
