"""spectrogram.py - the sheet of spectrograms of a study: which frequencies its motions hold, and how they change while these decay."""
import numpy as np
from scipy import signal

from .sheet import WIDTH, Sheet, escape, head_run, time_axis

MOST_RUNS, MOST_CHANNELS, HEIGHT = 3, 2, 2.6
COLUMNS, ROWS = 240, 240  # of a picture
CYCLES, SHARE, MOST_SAMPLES = 24, 0.04, 1 << 15  # of a window: cycles of the strongest motion, share of the run, samples
FEWEST = 64  # samples of a window
DECIBELS = 80  # below the strongest that are seen
MARGIN, APART = 0.12, 0.05  # for numbers of modes [inch], between two of them as a share of the axis
SEEN = 60  # and that decide how far up frequencies are shown


def spectrum(values):
    """Amplitudes through a window of Hann, without mean and drift: weighted by the window, so that they leave nothing at its foot."""
    shape = signal.windows.hann(len(values))
    middle = np.linspace(-1, 1, len(values))
    drift = (shape * middle) @ values / ((shape * middle) @ middle) * middle
    return np.abs(np.fft.rfft(shape * (values - drift - shape @ values / shape.sum()))) * 2 / shape.sum()


def window_of(run, channel):
    """Samples of a window: enough cycles of the strongest motion to tell frequencies apart, few enough to see them change."""
    start = max(min(channel.peak[1], run.known - MOST_SAMPLES), 0)
    values = channel.read(start, start + MOST_SAMPLES)
    period = len(values) / max(np.argmax(spectrum(values)), 1)
    return int(min(max(CYCLES * period, SHARE * run.known, FEWEST), run.known // 4, MOST_SAMPLES))


def coarse(amplitudes, rows):
    """The largest of neighbouring frequencies, so that no line of the spectrum is lost between the points of the picture."""
    size = -(-len(amplitudes) // rows)
    padded = np.pad(amplitudes, ((0, -len(amplitudes) % size), (0, 0)))
    return padded.reshape(-1, size, amplitudes.shape[1]).max(axis=1), size


def natural_frequencies(run, limit):
    """Those with the joints stuck that the picture holds; rigid motions aside."""
    modes = run.result.modes.get("stuck")
    if modes is None:
        return {}
    rigid = int(modes.attrs.get("rigid", 0))
    return {number + 1: value for number, value in enumerate(modes["frequency"][:]) if number >= rigid and 0 < value < limit}


def mark_modes(axes, frequencies):
    """The modes, with their numbers at the right edge where there is room between these."""
    left, bottom, width, height = axes.get_position().bounds
    axes.set_position([left, bottom, width - MARGIN / WIDTH, height])
    shown, below = [], -np.inf
    for number, value in frequencies.items():
        axes.axhline(value, color="#0a64b4", linewidth=0.5, linestyle=(0, (1, 8)))
        if value - below > APART * axes.get_ylim()[1]:
            shown.append((number, value))
            below = value
    twin = axes.twinx()
    twin.set_ylim(axes.get_ylim())
    twin.set_yticks([value for _, value in shown], [f"{number}" for number, _ in shown], fontsize=6, color="#0a64b4")
    twin.tick_params(length=2, pad=1)
    twin.grid(False)


def draw_channel(axes, run, channel):
    length = window_of(run, channel)
    starts = np.unique(np.linspace(0, run.known - length, min(COLUMNS, run.known - length + 1)).astype(int))
    amplitudes = np.transpose([spectrum(channel.read(start, start + length)) for start in starts])
    time = run.group["time"]
    step = (time[run.known - 1] - time[0]) / (run.known - 1)
    strong = np.flatnonzero(amplitudes.max(axis=1) > amplitudes.max() * 10 ** (-SEEN / 20))
    rows = min(int(1.15 * strong[-1]) + 8, len(amplitudes)) if len(strong) else len(amplitudes)
    amplitudes, size = coarse(amplitudes[:rows], ROWS)
    spacing = 1 / (length * step)
    top = (len(amplitudes) * size - 0.5) * spacing
    decibels = 20 * np.log10(np.maximum(amplitudes / (amplitudes.max() or 1), 1e-300))
    factor = time_axis(axes, *run.span)
    edges = (time[0] + np.array([length / 2, run.known - length / 2]) * step) * factor
    axes.imshow(decibels, origin="lower", aspect="auto", cmap="Greys", vmin=-DECIBELS, vmax=0, interpolation="nearest",
                extent=(*edges, -0.5 * spacing, top))
    axes.set_xlim(run.span[0] * factor, run.span[1] * factor)
    axes.set_ylim(0, top)
    axes.grid(False)
    axes.set_ylabel("frequency [Hz]")
    axes.set_title(f"{escape(channel.name)}, windows of {length * step:.3g} s", loc="right")
    mark_modes(axes, natural_frequencies(run, top))


def channels_of(run):
    """What moves most: of points before modes, since these have but one frequency."""
    kinds = [run.histories[kind] for kind in ("points", "modes", "joints") if kind in run.histories]
    moving = [channel for channel in (kinds[0] if kinds else []) if channel.peak[0] > 0]
    return sorted(moving, key=lambda channel: -channel.peak[0])[:MOST_CHANNELS]


def draw(study):
    """The sheet, when there are histories long enough."""
    runs = [run for run in study.some(MOST_RUNS) if run.known > 4 * FEWEST and channels_of(run)]
    if not runs:
        return
    title = f"{study.title}: spectrograms, black at the largest amplitude, white {DECIBELS} dB below"
    sheet = Sheet(study.result, f"{study.name}_spectrograms", title, HEIGHT * len(runs), runs, "on the right: modes with the joints stuck")
    for run in runs:
        channels = channels_of(run)
        panels = sheet.row(HEIGHT, [1] * len(channels))
        head_run(panels[0], run)
        for axes, channel in zip(panels, channels):
            draw_channel(axes, run, channel)
    yield sheet
