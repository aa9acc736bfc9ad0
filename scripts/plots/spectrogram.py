"""spectrogram.py - the sheet of spectrograms of a study: which frequencies its motions hold, and how they change while these decay."""
import numpy as np
from scipy import signal

from .result import BLOCK
from .sheet import COLORS, WIDTH, Sheet, escape, heading_of, prefix, time_axis

MOST_RUNS, MOST_CHANNELS, HEIGHT = 3, 2, 2.6
COLUMNS, ROWS = 240, 300  # of a picture
FIRST_CYCLES, FEWEST_CYCLES, MOST_CYCLES = 3, 5, 160  # of the strongest motion in a window: the first one, others
SHARE, ENOUGH_CYCLES, MOST_SAMPLES = 0.12, 12, 1 << 15  # of a window: at most this share of the motion or these cycles, these samples
RATIO, FRAMES = 2**0.5, 16  # of one length that is tried to the next; windows that judge it
FINER = 4  # zeros behind a window: points of the picture between frequencies that it tells apart
FEWEST = 64  # samples of a window
DECIBELS = 60  # below the strongest that are seen
FOLLOWED = 50  # and to which the strongest frequency is followed
ONSET = 1e-3  # of the largest motion: where it begins
MARGIN, APART = 0.12, 0.09  # for numbers of modes, between two of them [inch]
BAR = 0.62  # for the scale of colours [inch]
SEEN = 50  # decibels that decide how far up frequencies are shown


def spectrum(values, points=0):
    """Amplitudes through a window of Hann, without mean and drift: weighted by the window, so that they leave nothing at its foot."""
    shape = signal.windows.hann(len(values))
    middle = np.linspace(-1, 1, len(values))
    drift = (shape * middle) @ values / ((shape * middle) @ middle) * middle
    return np.abs(np.fft.rfft(shape * (values - drift - shape @ values / shape.sum()), max(points, len(values)))) * 2 / shape.sum()


def onset_of(channel):
    """The sample at which it begins to move, unless that is near the end: a window that reaches back to where it rests shows the impact alone."""
    bound = ONSET * channel.peak[0]
    for start in range(0, channel.count, BLOCK):
        moves = np.abs(channel.read(start, start + BLOCK)) > bound
        if moves.any():
            return max(min(start + int(np.argmax(moves)), channel.count - 4 * FEWEST), 0)
    return 0


def concentration(channel, start, length):
    """How few frequencies windows of this length take, each by itself: the sum of squared powers over the square of their sum [Jones, Parks 1990].
    Too short ones smear a frequency, too long ones one that changes."""
    starts = np.linspace(start, channel.count - length, FRAMES).astype(int)
    powers = [spectrum(channel.read(first, first + length)) ** 2 for first in starts]
    return np.mean([np.sum(power**2) / np.sum(power) ** 2 * length for power in powers if power.any()] or [0.0])


def window_of(channel, start):
    """Samples of a window: of some lengths the one with which the spectra are most concentrated."""
    known = channel.count - start
    stop = min(start + MOST_SAMPLES, channel.count)
    values = channel.read(start, stop)
    period = len(values) / max(np.argmax(spectrum(values)), 1)
    least = int(min(max(FEWEST_CYCLES * period, FEWEST), known // 4))
    most = int(max(min(MOST_CYCLES * period, max(SHARE * known, ENOUGH_CYCLES * period), known // 3, MOST_SAMPLES), least))
    lengths = [int(least * RATIO**k) for k in range(1 + int(np.log(most / least) / np.log(RATIO) + 1e-9))]
    return int(min(FIRST_CYCLES * period, least)), max(lengths, key=lambda length: concentration(channel, start, length))


def frames_of(channel, start, first, length):
    """Middles and lengths of the windows: shorter ones at the beginning, so that the picture begins where the motion does."""
    middles = np.unique(np.linspace(start + first // 2, channel.count - length // 2 - 1, COLUMNS).astype(int))
    return middles, np.clip(2 * (middles - start), first, length)


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
    shown, below, apart = [], -np.inf, APART / (height * axes.figure.get_size_inches()[1]) * axes.get_ylim()[1]
    for number, value in frequencies.items():
        axes.axhline(value, color="#0a64b4", linewidth=0.5, linestyle=(0, (1, 8)))
        if value - below > apart:
            shown.append((number, value))
            below = value
    twin = axes.twinx()
    twin.set_ylim(axes.get_ylim())
    twin.set_yticks([value for _, value in shown], [f"{number}" for number, _ in shown], fontsize=6, color="#0a64b4")
    twin.tick_params(length=2, pad=1)
    twin.grid(False)


def amplitudes_of(channel, middles, lengths, points):
    firsts = middles - lengths // 2
    return np.transpose([spectrum(channel.read(first, first + length), points) for first, length in zip(firsts, lengths)])


def draw_scale(axes, image, channel, most):
    """The colours, in decibels below the largest amplitude."""
    unit, factor = prefix(most, channel.unit)
    place = axes.get_position()
    axes.set_position([place.x0, place.y0, place.width - BAR / WIDTH, place.height])
    bar = axes.figure.add_axes([place.x1 - 0.42 / WIDTH, place.y0, 0.1 / WIDTH, place.height])
    axes.figure.colorbar(image, cax=bar).outline.set_linewidth(0.5)
    bar.tick_params(labelsize=6, length=2, pad=1)
    bar.set_ylabel(f"dB of {most * factor:.3g} {unit}", fontsize=6, labelpad=1)


def follow(amplitudes, spacing):
    """The strongest frequency of each window, between the points of its spectrum by a parabola; NaN where little moves."""
    peaks = np.clip(amplitudes.argmax(axis=0), 1, len(amplitudes) - 2)
    columns = np.arange(amplitudes.shape[1])
    below, at, above = (np.log(np.maximum(amplitudes[peaks + k, columns], 1e-300)) for k in (-1, 0, 1))
    bend = below - 2 * at + above
    shift = np.where(bend < 0, 0.5 * (below - above) / np.where(bend < 0, bend, -1), 0.0)
    return np.where(at > np.log(amplitudes.max() or 1) - FOLLOWED / 20 * np.log(10), (peaks + np.clip(shift, -0.5, 0.5)) * spacing, np.nan)


def draw_channel(axes, run, channel, above=""):
    """The picture, and in colour which frequency is strongest."""
    start = onset_of(channel)
    first, length = window_of(channel, start)
    middles, lengths = frames_of(channel, start, first, length)
    points = 1 << int(np.ceil(np.log2(FINER * length if length < MOST_SAMPLES / FINER else length)))
    amplitudes = amplitudes_of(channel, middles, lengths, points)
    time = run.group["time"]
    step = (time[run.known - 1] - time[0]) / (run.known - 1)
    strong = np.flatnonzero(amplitudes.max(axis=1) > amplitudes.max() * 10 ** (-SEEN / 20))
    rows = min(int(1.15 * strong[-1]) + 8 * FINER, len(amplitudes)) if len(strong) else len(amplitudes)
    spacing, most = 1 / (points * step), amplitudes.max()
    strongest = follow(amplitudes, spacing)
    amplitudes, size = coarse(amplitudes[:rows], ROWS)
    top = (len(amplitudes) * size - 0.5) * spacing
    decibels = 20 * np.log10(np.maximum(amplitudes / (most or 1), 1e-300))
    begin, end = time[start], run.span[1]
    factor = time_axis(axes, begin, end)
    image = axes.imshow(decibels, origin="lower", aspect="auto", cmap="Greys", vmin=-DECIBELS, vmax=0, interpolation="nearest",
                        extent=(*((time[0] + middles[[0, -1]] * step) * factor), -0.5 * spacing, top))
    axes.plot((time[0] + middles * step) * factor, strongest, color=COLORS[1], linewidth=0.9)
    axes.set_xlim(begin * factor, end * factor)
    axes.set_ylim(0, top)
    axes.grid(False)
    axes.set_ylabel("frequency [Hz]")
    axes.set_title(f"{above}\n{escape(channel.name)}, windows of {length * step:.4g} s", loc="left")
    draw_scale(axes, image, channel, most)
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
    sheet = Sheet(study.result, f"{study.name}_spectrograms", f"{study.title}: spectrograms", HEIGHT * len(runs), runs,
                  "coloured line: the strongest frequency; on the right: numbers of modes, at their frequencies with the joints stuck")
    for run in runs:
        channels = channels_of(run)
        panels = sheet.row(HEIGHT, [1] * len(channels), head=0.5)
        for i, (axes, channel) in enumerate(zip(panels, channels)):
            draw_channel(axes, run, channel, "" if i else heading_of(run))
    yield sheet
