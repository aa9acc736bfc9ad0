"""look_paraview.py - what ParaView sees in files of fields; its own pvbatch runs this: look_paraview.py TASKS.json

Each task {file, seen} becomes SEEN.npz: the name of the reader, times, node, points, cells as (type, number of corners, corners...), and
each field of the nodes, at all times if there are any, of the elements at the last, and the names of the components of tensors. A task {file, field, time, picture} is drawn, bent by the field.
"""
import json
import sys

import numpy as np
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

BEND = 0.1  # of the size of the structure


def fields_of(data):
    return {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}


def cells_of(grid):
    rows = []
    for i in range(grid.GetNumberOfCells()):
        ids = grid.GetCell(i).GetPointIds()
        rows += [grid.GetCellType(i), ids.GetNumberOfIds(), *(ids.GetId(k) for k in range(ids.GetNumberOfIds()))]
    return rows


def open_file(path):
    reader = simple.OpenDataFile(path)
    reader.UpdatePipelineInformation()
    times = getattr(reader, "TimestepValues", None)
    return reader, [] if times is None else list(np.atleast_1d(times))


def look(path, seen):
    reader, times = open_file(path)
    found = {"reader": type(reader).__name__, "times": times}
    histories = {}
    for time in times or [0]:
        reader.UpdatePipeline(time)
        grid = servermanager.Fetch(reader)
        for name, values in fields_of(grid.GetPointData()).items():
            histories.setdefault(name, []).append(values.copy())
    found |= {f"points/{name}": np.array(values) if times else values[0] for name, values in histories.items()}
    found |= {f"cells/{name}": values for name, values in fields_of(grid.GetCellData()).items()}
    for i in range(reader.PointData.GetNumberOfArrays()):
        array = reader.PointData.GetArray(i)
        if array.GetNumberOfComponents() == 6:
            found[f"components/{array.GetName()}"] = [array.GetComponentName(c) for c in range(6)]
    np.savez(seen, places=vtk_to_numpy(grid.GetPoints().GetData()), cells=cells_of(grid), **found)
    simple.Delete(reader)


def draw(path, field, time, picture):
    reader, _ = open_file(path)
    reader.UpdatePipeline(time)
    bounds = np.reshape(reader.GetDataInformation().GetBounds(), (3, 2))
    values = reader.PointData.GetArray(field).GetRange(-1)
    bent = simple.WarpByVector(Input=reader, Vectors=["POINTS", field], ScaleFactor=BEND * np.ptp(bounds, axis=1).max() / values[1])
    view = simple.CreateView("RenderView")
    view.ViewSize = [800, 450]
    view.ViewTime = time
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.OrientationAxesVisibility = 0
    display = simple.Show(bent, view)
    simple.ColorBy(display, ("POINTS", field, "Magnitude"))
    display.Ambient, display.Diffuse = 1, 0  # the colours as they are, without shades
    display.RescaleTransferFunctionToDataRange(False)
    view.ResetActiveCameraToPositiveY()
    view.ResetCamera(True)
    simple.SaveScreenshot(picture, view)
    simple.Delete(view)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        tasks = json.load(file)
    for task in tasks:
        if "picture" in task:
            draw(task["file"], task["field"], task["time"], task["picture"])
        else:
            look(task["file"], task["seen"])


main()
