"""stress.py - the von Mises stress of the preloaded flange, half of it cut away through the middle bolt; ParaView's own Python runs this:

    xvfb-run -a pvbatch cases/jalali_flange/stress.py RESULT_tightened.xdmf PICTURE.png
"""
import os
import sys

from paraview import simple

LEAST, MOST = 1.0, 200.0  # [MPa], the ends of the scale, which is logarithmic: of the bolts, and of what they press
MIDDLE = 0.05  # [m], of the middle bolt along y


def main(series, picture):
    flange = simple.OpenDataFile(os.path.abspath(series))  # beside a bare name the reader does not find the numbers
    flange.UpdatePipelineInformation()
    last = flange.TimestepValues[-1]
    flange.UpdatePipeline(last)
    stress = simple.Calculator(Input=flange, Function="von_mises * 1e-6", ResultArrayName="von Mises [MPa]")
    half = simple.Clip(Input=stress, ClipType="Plane", Invert=0)
    half.ClipType.Origin, half.ClipType.Normal = [0, MIDDLE, 0], [0, 1, 0]
    view = simple.CreateView("RenderView")
    view.ViewSize, view.ViewTime, view.OrientationAxesVisibility = [1000, 560], last, 0
    view.UseColorPaletteForBackground, view.Background = 0, [1, 1, 1]
    display = simple.Show(half, view)
    simple.ColorBy(display, ("POINTS", "von Mises [MPa]"))
    colours = simple.GetColorTransferFunction("von Mises [MPa]")
    colours.ApplyPreset("Viridis (matplotlib)", True)
    colours.MapControlPointsToLogSpace()
    colours.UseLogScale = 1
    colours.RescaleTransferFunction(LEAST, MOST)
    display.Ambient, display.Diffuse = 0.5, 0.6
    bar = simple.GetScalarBar(colours, view)
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.WindowLocation, bar.Position = "Any Location", [0.89, 0.03]
    bar.ScalarBarLength = 0.3
    bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, "%g", "%g"
    display.SetScalarBarVisibility(view, True)
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0.17, -0.15, 0.10], [0.026, 0.06, 0.005], [1, 0, 0]
    view.CameraViewAngle = 18
    simple.SaveScreenshot(picture, view, ImageQuality=100)


main(*sys.argv[1:])
