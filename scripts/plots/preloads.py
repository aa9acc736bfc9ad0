"""preloads.py - the sheet of a preload: pressure and state of the points of each joint's faces after some of its stages."""
import numpy as np
from matplotlib.colors import ListedColormap

from .contacts import STATES, legend_of_states
from .faces import draw_points, flatten
from .result import as_text, texts
from .sheet import LEFT, WIDTH, Sheet, escape, prefix

MOST_STAGES = 4  # pictures of a row
HEIGHTS, HEAD, FOOT, BAR = (1.0, 4.0), 0.55, 0.42, LEFT + 0.01  # of a picture, of what is above and below, of the scale beside [inch]
STATE_COLORS = ["#d4d4d4", "#7da7d0", STATES["slips"]]  # open points are seen on white paper


class Preload:
    """One study of the result."""

    def __init__(self, result, name, group):
        self.result, self.name, self.group = result, name, group
        self.title = f"Preload {name}"
        self.bolts = texts(group["bolts"])
        self.tension, self.shift = group["tension"][:], group["shift"][:]

    @property
    def stages(self):
        """Those that are drawn: the last, and some before it; the first, of loads alone, when it is the only one."""
        last = len(self.tension) - 1
        return np.unique(np.linspace(min(1, last), last, min(MOST_STAGES, max(last, 1))).round().astype(int))

    @property
    def faces(self):
        """Joints between faces of the mesh; others have no places in the model."""
        return {name: joint for name, joint in self.group.get("joints", {}).items() if "x" in joint and len(joint["x"])}


def preloads_of(result):
    return [Preload(result, name, group) for name, group in result.file.get("preload", {}).items()]


def draw_pressures(row, joint, stages, places, area):
    """All on one scale."""
    pressure = joint["pressure"][:]
    most = pressure[stages].max()
    unit, factor = prefix(most, as_text(joint["pressure"].attrs["unit"]))
    for axes, stage in zip(row, stages):
        image = draw_points(axes, places, area, pressure[stage] * factor, cmap="viridis", vmin=0, vmax=most * factor or 1)
        force = np.sum(pressure[stage] * area)
        prefixed, of_force = prefix(force, "N")
        axes.set_title(f"stage {stage}: pressed by {force * of_force:.4g} {prefixed}\n", loc="left")
    place, inch = row[-1].get_position(), 1 / WIDTH
    bar = row[-1].figure.add_axes([place.x1 + 0.1 * inch, place.y0, 0.1 * inch, place.height])
    row[-1].figure.colorbar(image, cax=bar).outline.set_linewidth(0.5)
    bar.set_title(unit, loc="left")


def draw_states(row, joint, stages, places, area):
    for axes, stage in zip(row, stages):
        state = joint["state"][stage]
        draw_points(axes, places, area, state, cmap=ListedColormap(STATE_COLORS), vmin=-0.5, vmax=2.5)
        axes.set_title(f"closed {100 * np.sum(area[state > 0]) / np.sum(area):.4g} %, slipping {100 * np.sum(area[state == 2]) / np.sum(area):.4g} %\n", loc="left")
    legend_of_states(row[0], STATE_COLORS, (0, 1), loc="lower left")


def height_of(places, width):
    """Of a row whose pictures are so wide [inch], as the faces are long and broad."""
    across, up, *_ = flatten(places)
    return float(np.clip((width - LEFT) * np.ptp(up) / np.ptp(across), *HEIGHTS)) + HEAD + FOOT


def draw(preload):
    """A sheet for each joint between faces."""
    for name, joint in preload.faces.items():
        stages = preload.stages
        places, area = np.stack([joint[axis][:] for axis in "xyz"], axis=1), joint["area"][:]
        alone = len(stages) == 1  # its two pictures then stand side by side
        slots = 2 if alone else len(stages)
        width = (WIDTH - BAR) / slots
        height = height_of(places, width)
        sheet = Sheet(preload.result, f"{preload.name}_{name}_faces", f"{preload.title}: joint {escape(name)} after its stages", height * (1 if alone else 2))
        above = sheet.row(height, [width] * slots + [BAR], HEAD, FOOT)
        below = above[1:] if alone else sheet.row(height, [width] * slots + [BAR], HEAD, FOOT)
        below.pop().remove()
        draw_pressures(above[: len(stages)], joint, stages, places, area)
        draw_states(below, joint, stages, places, area)
        if not alone:
            above.pop().remove()
        yield sheet
