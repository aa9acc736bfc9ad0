"""faces.py - points of faces of a mesh, each drawn as a square of its area where it lies on the faces."""
import numpy as np

from .sheet import prefix

ALIGNED = 0.999  # a direction of the faces is called x, y or z when it is so nearly that
POINTS = 72  # per inch
LEAST = 2.0  # of a square that is still seen [points^2]


def flatten(places):
    """Two coordinates on the faces, and what they are called: along the axes of the model where these lie in the faces."""
    directions = np.linalg.svd(places - places.mean(axis=0), full_matrices=False)[2]
    normal = np.abs(directions[2]) if len(directions) == 3 else np.zeros(3)
    if normal.max() > ALIGNED:
        across, up = (axis for axis in range(3) if axis != normal.argmax())
        return places[:, across], places[:, up], "xyz"[across], "xyz"[up]
    return *((places - places.mean(axis=0)) @ directions[:2].T).T, "along the faces", "across"


def draw_points(axes, places, area, values, **look):
    """The points, coloured by their values."""
    across, up, *names = flatten(places)
    unit, factor = prefix(max(np.abs(across).max(), np.abs(up).max()), "m")
    across, up = across * factor, up * factor
    edge = 0.5 * np.sqrt(np.max(area)) * factor
    axes.set(xlim=(across.min() - edge, across.max() + edge), ylim=(up.min() - edge, up.max() + edge), aspect="equal",
             xlabel=f"{names[0]} [{unit}]", ylabel=f"{names[1]} [{unit}]")
    box, dots = axes.get_position(), axes.figure.get_size_inches() * POINTS
    size = min(box.width * dots[0] / np.ptp(axes.get_xlim()), box.height * dots[1] / np.ptp(axes.get_ylim())) * factor  # of a metre [points]
    axes.grid(False)
    return axes.scatter(across, up, s=np.maximum(area * size**2, LEAST), c=values, marker="s", linewidths=0, rasterized=len(values) > 5000, **look)
