#!/usr/bin/python3
"""picture.py - the picture of the README: the first bending mode of the beam, and its frequency and damping over its amplitude.

    cases/sumali/picture.py RESULT.h5 [-o PICTURE.png]

RESULT.h5 is that of the case, with RESULT.hdf beside it. Circles are ring-downs of motions in time, lines the modal Iwan model that was fitted to them.
"""
import argparse
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "scripts"))
import h5py
import numpy as np

from plots import shapes, sheet
from plots.solid import Solid

MODE = "mode7"


def ring_downs(file):
    """Amplitude, frequency [Hz] and damping ratio of all decays of the mode along its own shape, what is trusted of them."""
    points = []
    for run in file["ring_down"].values():
        if MODE in run and run.name.startswith("/ring_down/selective"):
            decay = run[MODE]
            kept = decay["trusted"][:] == 1
            points.append(np.array([decay["amplitude"][kept], decay["omega"][kept] / (2 * np.pi), decay["zeta"][kept]]))
    return np.hstack(points)


def draw_shape(axes, path):
    solid = Solid(path)
    shape = next(shape for shape in solid.shapes if shape.state == "stuck" and not shape.is_rigid)
    shapes.paint(axes, solid, shape.name, 0.6)
    axes.set_title(shape.title)


def draw_curve(axes, file, points, row, key, label, per):
    model = file[f"modal_iwan/fitted/{MODE}"]
    shown = (model["curve_amplitude"][:] >= points[0].min()) & (model["curve_amplitude"][:] <= points[0].max())
    axes.plot(points[0], points[row], "o", markersize=3, markerfacecolor="none", color=sheet.COLORS[1], label="ring-downs in time")
    axes.plot(model["curve_amplitude"][shown], model[key][shown] / per, color=sheet.COLORS[0], linewidth=1.2, label="modal Iwan model")
    axes.set_xscale("log")
    axes.set_ylabel(label)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result")
    parser.add_argument("-o", "--output", default="beam.png")
    options = parser.parse_args()
    figure = sheet.plt.figure(figsize=(8.4, 2.6))
    draw_shape(figure.add_axes([0.01, 0.02, 0.45, 0.86]), os.path.splitext(options.result)[0] + ".hdf")
    with h5py.File(options.result) as file:
        points = ring_downs(file)
        upper, lower = figure.add_axes([0.57, 0.57, 0.42, 0.37]), figure.add_axes([0.57, 0.17, 0.42, 0.37])
        draw_curve(upper, file, points, 1, "curve_omega", "frequency [Hz]", 2 * np.pi)
        draw_curve(lower, file, points, 2, "curve_zeta", "damping ratio", 1)
    lower.set_yscale("log")
    upper.tick_params(labelbottom=False)
    upper.legend()
    lower.set_xlabel("amplitude of the mode [m kg$^{1/2}$]")
    figure.align_ylabels([upper, lower])
    figure.savefig(options.output, dpi=110)


if __name__ == "__main__":
    main()
