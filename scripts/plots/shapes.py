"""shapes.py - mode shapes on meshes: a file of fields read by VTK, and a picture of one of them."""
import os

import h5py
import numpy as np
import vtkmodules.vtkInteractionStyle  # noqa: F401 - what VTK draws with registers itself when imported
import vtkmodules.vtkRenderingFreeType  # noqa: F401
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkLookupTable
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkPolyData
from vtkmodules.vtkFiltersCore import vtkFeatureEdges
from vtkmodules.vtkFiltersGeneral import vtkWarpVector
from vtkmodules.vtkFiltersGeometry import vtkDataSetSurfaceFilter
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.vtkIOImage import vtkPNGWriter
from vtkmodules.vtkRenderingAnnotation import vtkScalarBarActor
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow, vtkTextActor, vtkWindowToImageFilter

SIZE = 1600, 900
BEND = 0.1  # of the longest side of the structure
SHARP = 30  # degrees: an edge of the structure
FINE = 3  # how often the side of an element of second order is halved
INK, PALE = (0.13, 0.13, 0.13), (0.55, 0.55, 0.55)


class Fault(Exception):
    """Something in the input that a person must mend."""


def read(path):
    """The mesh with its fields, one line said of what is none; VTK crashes on some files that are not."""
    try:
        with open(path, "rb"):
            pass
        with h5py.File(path, "r") as file:
            ours = file["VTKHDF"].attrs["Type"] == b"UnstructuredGrid" and len(file["VTKHDF/PointData/node"]) == file["VTKHDF/NumberOfPoints"][0]
    except OSError as fault:
        if fault.strerror and fault.filename:
            raise Fault(f"{path}: {fault.strerror}") from None
        ours = False
    except (KeyError, TypeError, ValueError):
        ours = False
    if not ours:
        raise Fault(f"{path}: is not a file of fields on a mesh, which dovetail writes beside a result as RESULT.hdf")
    reader = vtkHDFReader()
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    if not grid.GetNumberOfCells() or not names(grid):
        raise Fault(f"{path}: nothing to draw: it holds no mode shapes")
    return grid


def names(grid):
    """Of the fields that have a direction."""
    data = grid.GetPointData()
    arrays = [data.GetArray(i) for i in range(data.GetNumberOfArrays())]
    return [array.GetName() for array in arrays if array.GetNumberOfComponents() == 3]


def largest_length(vectors):
    return np.sqrt((vectors**2).sum(axis=1).max(initial=0))


def surface_of(grid):
    """Its outside, in pieces so small that elements of second order look bent."""
    surface = vtkDataSetSurfaceFilter()
    surface.SetInputData(grid)
    surface.SetNonlinearSubdivisionLevel(FINE)
    surface.Update()
    return surface.GetOutput()


def bent(surface, name):
    """The surface moved so that its farthest point moves by BEND, which colours are relative to."""
    vectors = vtk_to_numpy(surface.GetPointData().GetArray(name))
    largest = largest_length(vectors)
    lower, upper = np.reshape(surface.GetBounds(), (3, 2)).T
    lengths = numpy_to_vtk(np.sqrt((vectors**2).sum(axis=1)) / (largest or 1), deep=True)
    lengths.SetName("relative")
    surface.GetPointData().AddArray(lengths)
    warp = vtkWarpVector()
    warp.SetInputData(surface)
    warp.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_POINTS, name)
    warp.SetScaleFactor(BEND * (upper - lower).max() / (largest or 1))
    warp.Update()
    return warp.GetOutput()


def sharp_edges(surface):
    """The edges of the structure, and of its surface where that ends."""
    edges = vtkFeatureEdges()
    edges.SetInputData(surface)
    edges.SetFeatureAngle(SHARP)
    edges.NonManifoldEdgesOff()
    edges.ColoringOff()
    edges.Update()
    return edges.GetOutput()


def actor_of(data):
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(data)
    mapper.ScalarVisibilityOff()
    actor = vtkActor()
    actor.SetMapper(mapper)
    return actor


def beams_of(surface):
    lines = vtkPolyData()
    lines.SetPoints(surface.GetPoints())
    lines.SetLines(surface.GetLines())
    return lines


def drawn_in(color, width, lines):
    actor = actor_of(lines)
    actor.GetProperty().SetColor(color)
    actor.GetProperty().SetLineWidth(width)
    actor.GetProperty().LightingOff()
    return actor


def colors():
    """From blue through green to yellow, as light as far: a grey print reads alike (viridis, by its corners)."""
    corners = np.array([(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)]) / 255
    table = vtkLookupTable()
    table.SetNumberOfTableValues(256)
    for i, place in enumerate(np.linspace(0, len(corners) - 1, 256)):
        table.SetTableValue(i, *[np.interp(place, range(len(corners)), corners[:, c]) for c in range(3)])
    table.SetTableRange(0, 1)
    table.Build()
    return table


def body_of(surface, table):
    actor = actor_of(surface)
    mapper = actor.GetMapper()
    mapper.ScalarVisibilityOn()
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray("relative")
    mapper.SetLookupTable(table)
    mapper.SetScalarRange(0, 1)
    mapper.InterpolateScalarsBeforeMappingOn()
    actor.GetProperty().SetAmbient(0.35)
    actor.GetProperty().SetDiffuse(0.7)
    actor.GetProperty().SetLineWidth(4)
    return actor


def text(words, place, size, justify="left", bold=False):
    actor = vtkTextActor()
    actor.SetInput(words)
    actor.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
    actor.SetPosition(*place)
    look = actor.GetTextProperty()
    look.SetFontSize(size)
    look.SetColor(INK)
    look.SetBold(bold)
    getattr(look, "SetJustificationTo" + {"left": "Left", "right": "Right", "centre": "Centered"}[justify])()
    return actor


def legend(table):
    bar = vtkScalarBarActor()
    bar.SetLookupTable(table)
    bar.SetTitle("relative motion")
    bar.SetNumberOfLabels(6)
    bar.SetLabelFormat("%.1f")
    bar.UnconstrainedFontSizeOn()
    bar.SetVerticalTitleSeparation(14)
    bar.SetMaximumWidthInPixels(110)
    bar.GetPositionCoordinate().SetValue(0.9, 0.2)
    bar.SetHeight(0.55)
    bar.SetWidth(0.08)
    for look, size in ((bar.GetTitleTextProperty(), 20), (bar.GetLabelTextProperty(), 20)):
        look.SetColor(INK)
        look.SetFontSize(size)
        look.ItalicOff()
        look.BoldOff()
        look.ShadowOff()
    return bar


def look_at(renderer, surface):
    """From a corner, mostly along the shortest side, the longest across the picture unless that is z, which points upwards."""
    sides = np.diff(np.reshape(surface.GetBounds(), (3, 2)), axis=1).ravel()
    order = np.argsort(-sides, kind="stable")
    toward, up = np.zeros(3), np.array([0, 0, 1])
    toward[order] = (0.35, 0.8, 0.6) if order[2] == 2 else (0.35, 0.6, 0.9)
    across = np.cross(up, toward)
    if across[order[0]] < 0:
        toward[order[1]] *= -1
    camera = renderer.GetActiveCamera()
    camera.SetFocalPoint(0, 0, 0)
    camera.SetPosition(*toward)
    camera.SetViewUp(*up)
    camera.ParallelProjectionOn()
    renderer.ResetCamera()
    fit(renderer, camera)


def fit(renderer, camera):
    """Fills the middle of the picture; ResetCamera leaves room for any turn."""
    lower, upper = np.reshape(renderer.ComputeVisiblePropBounds(), (3, 2)).T
    corners = np.array([[(lower, upper)[i >> c & 1][c] for c in range(3)] for i in range(8)])
    out, up = (np.array(v) for v in (camera.GetDirectionOfProjection(), camera.GetViewUp()))
    right = np.cross(out, up)
    right /= np.linalg.norm(right)
    up = np.cross(right, out)
    wide, high = (np.ptp(corners @ side) for side in (right, up))
    camera.SetParallelScale(0.5 * max(high / 0.72, wide / 0.78 * SIZE[1] / SIZE[0]))
    camera.SetWindowCenter(0.06, 0.0)


def save(renderer, path):
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(8)
    window.SetSize(*SIZE)
    window.AddRenderer(renderer)
    window.Render()
    image = vtkWindowToImageFilter()
    image.SetInput(window)
    image.ReadFrontBufferOff()
    writer = vtkPNGWriter()
    writer.SetFileName(path)
    writer.SetInputConnection(image.GetOutputPort())
    with open(path, "wb"):
        pass  # a folder that takes no files is told by the system's words
    writer.Write()


def draw(grid, name, title, source, path):
    surface, table = surface_of(grid), colors()
    shape = bent(surface, name)
    renderer = vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    for lines in (sharp_edges(surface), beams_of(surface)):
        renderer.AddActor(drawn_in(PALE, 2, lines))
    renderer.AddActor(body_of(shape, table))
    renderer.AddActor(drawn_in(INK, 1.2, sharp_edges(shape)))
    look_at(renderer, surface)
    for actor in (text(title, (0.5, 0.93), 34, "centre", True), text(source, (0.99, 0.015), 16, "right"), legend(table)):
        renderer.AddActor2D(actor)
    save(renderer, path)
