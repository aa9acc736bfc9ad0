"""test_report.py - scripts/report makes of any result a page that stands alone, tells its numbers, and shows its figures in a browser. [timeout: 300]

Numbers of the page are compared with those of the result, and the energy error with one computed here from the energies. The curves of
a ring-down are written here, in closed form. The browser is Chromium (`scripts/setup browser`); without it, its part is skipped.
"""
import base64
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.parse

import h5py
import matplotlib.image
import numpy as np

sys.dont_write_bytecode = True  # the source folder stays as it is
sys.path.append(os.path.join(os.environ["DOVETAIL_SOURCE"], "tests"))
import forked
from plots import energies, loops, motions, overview, ringdown, sheet, spectrogram, ticks
from plots.result import Channel, Result, Steadied
from plots.sheet import plt

EXIT_INPUT, EXIT_NATURE = 2, 3
REPORT, PLOT = (os.path.join(forked.SCRIPTS, name) for name in ("report", "plot"))
MOST_BYTES = 2_500_000
PAPER, HEADS, ROW = (10.75, 7.32), 0.4, 0.15  # what an A4 page holds, a heading, a row of a table [inch]
CASE = """# </pre><script>document.title = "broken out"</script> &amp;
title: A <b>bold</b> $ & a "quote"
masses:
  block: { mass: 2 }
  hull: { mass: 3, inertia: [1, 2, 3], directions: [x, y, z, rx, ry, rz] }
springs:
  - { between: [ground, block], direction: x, stiffness: 8e3 }
  - { between: [block, hull], direction: x, stiffness: 1e3 }
joints:
  bolt: { between: [ground, block], x: { law: iwan4, slip_force: 20, stiffness: 4e3, chi: -0.4, beta: 1 } }
damping: { modal: 1e-3 }
studies:
  - modes: {}
  - transient:
      { name: hit, time_step: 1e-4, steps: 20000, load: { half_sine: { point: block, duration: 2e-3 } },
        watch: { points: all, joints: all, modes: all, energy: yes }, runs: [{ level: [0, 30, -300, 3000, 100, 1000] }] }
  - transient: { name: long, time_step: 1e-4, steps: 1000000, load: { half_sine: { point: block, duration: 2e-3 } }, watch: { points: [block], energy: no } }
  - ring_down: { name: found, of: hit, modes: [7] }
"""
STOPS = """title: Too stiff a wall
masses: { block: { mass: 2 } }
springs: [{ between: [ground, block], stiffness: 8e3 }]
joints: { wall: { between: [ground, block], x: { law: cubic, stiffness: 1, cubic: 1e15 } } }
studies:
  - transient:
      { name: hard, time_step: 1e-2, steps: 2000, max_iterations: 1, tolerance: 1e-15, runs: [{ level: [1e-6, 1e-2] }],
        load: { half_sine: { point: block, start: 3, duration: 0.5 } } }
"""
MODES = CASE[: CASE.index("  - transient")]
LOADERS = {"src", "href", "srcset", "data", "action", "poster", "background"}
FORBIDDEN = {"script", "link", "iframe", "object", "embed", "base", "form"}
AMPLITUDE = np.geomspace(1, 1e-4, 300)
MEASURE = """<script>addEventListener("load", () => {
  const boxes = [...document.images].map(i => { const r = i.getBoundingClientRect(); return [i.naturalWidth, r.x, r.y, r.width, r.height]; });
  document.body.innerHTML = ""; document.title = JSON.stringify({ boxes, wide: document.documentElement.scrollWidth,
    loaded: performance.getEntriesByType("resource").filter(e => !e.name.startsWith("data:")).map(e => e.name) }); });</script>"""


class Page(html.parser.HTMLParser):
    """Tables by their names, texts of <pre>, headings, pictures, and everything that a page could load."""

    def __init__(self, path):
        super().__init__()
        self.tables, self.listings, self.headings, self.images, self.tags, self.loads, self.styles = {}, [], [], [], set(), [], ""
        self.stack, self.words = [], ""
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.feed(self.text)
        self.flat = " ".join(re.sub("<[^>]*>", " ", self.text).split())

    def handle_starttag(self, tag, attributes):
        told = dict(attributes)
        self.tags.add(tag)
        self.loads += [value for key, value in attributes if key in LOADERS or key.endswith(":href")]
        self.styles += told.get("style") or ""
        if tag == "table":
            self.rows = self.tables.setdefault(told.get("id", ""), [])
        elif tag == "tr":
            self.rows.append([])
        elif tag == "img":
            self.images.append(told)
        if tag in ("td", "th", "pre", "h1", "h2", "h3", "style"):
            self.words = ""

    def handle_data(self, data):
        self.words += data

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append(self.words)
        elif tag == "pre":
            self.listings.append(self.words)
        elif tag == "style":
            self.styles += self.words
        elif tag in ("h1", "h2", "h3"):
            self.headings.append(self.words)

    def column(self, table, start):
        """The texts of the column of this heading."""
        head, *rows = self.tables[table]
        places = [i for i, name in enumerate(head) if name.startswith(start)]
        assert len(places) == 1, (table, start, head)
        return [row[places[0]] for row in rows]


def run(name, text):
    with open(f"{name}.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    for old in (f"{name}.h5", f"{name}.html"):
        if os.path.exists(old):
            os.remove(old)
    return subprocess.run([os.environ["DOVETAIL_PROGRAM"], "run", f"{name}.yaml", "-q"], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode


def report(*words):
    return forked.run(REPORT, *words)


def made(result, *options):
    """The page of a result; it is small, and needs nothing from outside."""
    done = report(result, *options)
    path = os.path.abspath(options[-1] if options else result.removesuffix(".h5") + ".html")
    assert done.returncode == 0 and not done.stderr and done.stdout == path + "\n", done
    assert os.path.getsize(path) < MOST_BYTES, os.path.getsize(path)
    page = Page(path)
    check_alone(page)
    return page


def check_alone(page):
    """Nothing is loaded: addresses are inside the page, in its pictures too."""
    assert not page.tags & FORBIDDEN, page.tags & FORBIDDEN
    assert all(load.startswith(("data:image/", "#")) for load in page.loads), [load[:80] for load in page.loads]
    assert not re.search(r"@import|url\(", page.styles)
    targets = set(re.findall(r'id="([^"]+)"', page.text))
    assert {load[1:] for load in page.loads if load.startswith("#")} <= targets
    for image in page.images:
        kind, _, data = image["src"].partition(";base64,")
        data = base64.b64decode(data)
        assert image["alt"] and int(image["width"]) > 500 and int(image["height"]) > 50
        if kind == "data:image/svg+xml":
            inner = re.findall(rb'(?:href|src)="([^"]{1,40})', data)
            assert all(target.startswith((b"#", b"data:")) for target in inner) and b"<script" not in data
        else:
            assert kind == "data:image/png" and data.startswith(b"\x89PNG")


def close(words, wanted, relative=1e-5):
    found = np.array([float(word) for word in words])
    assert np.allclose(found, wanted, rtol=relative, atol=0), (found, wanted)


def add_ring_downs(path):
    """Curves in closed form: omega falls by a hundredth per decade of the amplitude, the damping ratio rises with its root."""
    trusted = np.arange(300) % 10 != 0
    frequency = 10 * (1 - 0.01 * np.log10(AMPLITUDE))
    columns = {"time": np.linspace(0, 3, 300), "amplitude": AMPLITUDE, "omega": 2 * np.pi * np.where(trusted, frequency, 3 * frequency),
               "zeta": np.where(trusted, 0.05 * np.sqrt(AMPLITUDE), -1), "omega_error": np.full(300, 0.01), "zeta_error": np.full(300, 1e-5), "trusted": trusted.astype(np.int64)}
    with h5py.File(path, "r+") as file:
        for number in (2, 3):
            group = file.create_group(f"ring_down/hit_{number}/mode1")
            group.attrs.update(study="decay", mode=1, amplitude="displacement")
            for name, values in columns.items():
                group[name] = np.concatenate([values, np.zeros(7, dtype=np.int64) if name == "trusted" else np.full(7, np.nan)])
        model = file.create_group("modal_iwan/fitted/mode1")
        model.attrs.update(stiffness=987.5, stiffness_low=980.0, stiffness_high=995.0, damping=1e-3, slip_force=21.5, tangent=4125.0, chi=-0.45, chi_determined=0, beta=1.5)
        model["curve_amplitude"], model["curve_omega"], model["curve_zeta"] = AMPLITUDE, 2 * np.pi * frequency, 0.05 * np.sqrt(AMPLITUDE)
        add_comparison(file.create_group("compare/truth"))
        unheard = file.create_group("seal_leakage/first")  # a kind of study that the report has no chapter for
        unheard.attrs["fluid"] = "oil"
        unheard["pressure"], unheard["flow"] = np.array([125.5, 250.25, *[np.nan] * 500]), np.array([[1.5, np.nan, -2.5], [0.5, 0.25, 3.75]])
        unheard["pressure"].attrs["unit"] = "Pa"
        unheard["flow"].attrs.update(unit="m^3/s", dimensions="pressures, gaps")
    return trusted


def add_comparison(group):
    """Decays that are in step with the model, and damped by a half more; rows beyond the points are padding."""
    for run in ("hit_2", "hit_3"):
        decay = group.create_group(f"{run}/mode1")
        for name, values in (("time", np.arange(5.0)), ("amplitude", AMPLITUDE[:5]), ("omega_ratio", np.ones(5)), ("zeta_ratio", np.full(5, 1.5))):
            decay[name] = np.concatenate([values, np.full(200, np.nan)])
        decay["regime"] = np.concatenate([[1, 1, 2, 2, 2], np.zeros(200, dtype=np.int64)])
    lines = {"mode": [1, 2], "place": [b"block", b"block"], "regime": [b"microslip", b"macroslip"], "points": [4, 0]}
    lines |= {f"{kind}_ratio_{part}": [value, np.nan] for kind, value in (("omega", 1.0), ("zeta", 1.5)) for part in ("mean", "least", "most")}
    for name, values in lines.items():
        group[f"table/{name}"] = np.array(values)


def check_plain(page):
    """A kind of study without a chapter of its own is told of in tables, with units."""
    (heading,) = [heading for heading in page.headings if heading.endswith("Seal leakage")]
    assert page.headings.index(heading) > max(page.headings.index(other) for other in page.headings if "Comparison" in other)
    for words in ("fluid oil", "pressure [Pa] 125.5 250.25", "flow [m^3/s] pressures x gaps 2 x 3 -2.5 3.75", "seal leakage of 1"):
        assert words in page.flat, words


def check_ring_downs(page, trusted):
    for column, values in (("amplitude", AMPLITUDE), ("frequency", 10 * (1 - 0.01 * np.log10(AMPLITUDE))), ("damping", 0.05 * np.sqrt(AMPLITUDE))):
        for cell in page.column("ring-down-decay", column):
            close(cell.split(" ... "), [values[trusted].min(), values[trusted].max()], 1e-3)
    assert page.column("ring-down-decay", "points") == ["300", "300"] and page.column("ring-down-decay", "trusted") == ["270", "270"]
    iwan = {row[0]: row[2] for row in page.tables["modal-iwan-fitted-1"]}
    assert iwan["stiffness while the joints slip, K_inf"] == "987.5 [980 ... 995]" and iwan["chi"] == "-0.45 (not determined)" and iwan["beta"] == "1.5", iwan
    assert page.tables["compare-truth"][1:] == [["mode 1", "block", "microslip", "4", "1", "1 ... 1", "1.5", "1.5 ... 1.5"]], page.tables["compare-truth"]


def check_no_padding(page):
    """No row of a table is of dashes alone, however long the datasets are."""
    for name, rows in page.tables.items():
        assert all(any(cell not in ("", "\N{EN DASH}", "nan") for cell in row) for row in rows), name
    assert page.text.count("<tr>") < 250, page.text.count("<tr>")


def check_pages(page):
    """A chapter prints on one page of A4: its figures, and the rows of tables that are not folded, are not higher [inch]."""
    printed = re.sub(r"<details>.*?</details>", "", page.text, flags=re.DOTALL)
    for chapter in printed.split('<section class="chapter">')[1:]:
        figures = sum(float(height) for height in re.findall(r'<img width="\d+" height="(\d+)"', chapter)) / 96 * PAPER[0] / sheet.WIDTH
        high = HEADS * chapter.count("<h2") + figures + ROW * (chapter.count("<tr>") + 2 * chapter.count("<table") + 2 * chapter.count("<figcaption"))
        assert high < PAPER[1], (chapter[:80], high)


def check_found(page, path):
    """What the program's own study found, in the order of its runs."""
    with h5py.File(path) as file:
        groups = [file[f"ring_down/hit_{number}/mode7"] for number in range(1, 7)]
        counts = [int(np.isfinite(group["omega"][:]).sum()) for group in groups]
        kept = [group["trusted"][:] == 1 for group in groups]
        frequencies = [group["omega"][:][some] / (2 * np.pi) for group, some in zip(groups, kept)]
    assert page.column("ring-down-found", "points") == [str(count) for count in counts] and sum(counts) > 20, counts
    assert page.column("ring-down-found", "trusted") == [str(some.sum()) for some in kept] and sum(map(len, frequencies)) > 5, kept
    for cell, values in zip(page.column("ring-down-found", "frequency"), frequencies):
        if len(values):
            close(cell.split(" ... "), [values.min(), values.max()])


def check_hollow(path, trusted):
    """Points that are not trusted are drawn hollow, and do not set the axes; the model is a line through those that are."""
    with Result(path) as result:
        (study,) = [study for study in ringdown.studies_of(result) if study.name == "decay"]
        (drawn_sheet,) = ringdown.draw(study)
        above, below = drawn_sheet.figure.axes[:2]
        for axes in (above, below):
            points = [line for line in axes.lines if line.get_marker() not in ("None", "_", "|") and line.get_label() != "_beyond"]
            drawn = {fill: sorted({x for line in points if (line.get_markerfacecolor() == "none") == fill for x in line.get_xdata()}) for fill in (True, False)}
            assert np.allclose(drawn[True], sorted(AMPLITUDE[~trusted])) and np.allclose(drawn[False], sorted(AMPLITUDE[trusted]))
        (line,) = [line for line in below.lines if line.get_label() == "model fitted"]
        assert np.allclose(line.get_ydata(), 0.05 * np.sqrt(line.get_xdata())) and len(line.get_xdata()) == 300
        assert above.get_xscale() == below.get_xscale() == below.get_yscale() == "log"
        assert 9.9 < above.get_ylim()[0] < 10 and 10.4 < above.get_ylim()[1] < 10.5, above.get_ylim()
        assert below.get_xlabel().endswith("[m kg$^{1/2}$]"), below.get_xlabel()
        list(drawn_sheet.embed())


def boxes_of(axes, renderer):
    """What is written at a panel: its numbers, labels, titles and legend, where they lie."""
    texts = [axes.title, axes._left_title, axes._right_title]  # pylint: disable=protected-access
    for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())) if axes.axison else ():
        texts += [axis.label, *(label for place, label in zip(axis.get_majorticklocs(), axis.get_majorticklabels()) if min(low, high) <= place <= max(low, high))]
    boxes = {f"{text.get_text()}": text.get_window_extent(renderer) for text in texts if text.get_visible() and text.get_text().strip()}
    if axes.get_legend():
        boxes["legend"] = axes.get_legend().get_window_extent(renderer)
    return boxes


def check_apart(path):
    """On no sheet does a label lie on another panel, or a title on the legend below it."""
    with Result(path) as result:
        (study,) = [study for study in result.studies if study.name == "hit"]
        sheets = [*overview.draw(study), *motions.draw(study), *loops.draw(study), *energies.draw(study)]
        for found in ringdown.studies_of(result):
            sheets += ringdown.draw(found)
        for drawn in sheets:
            drawn.finish()
            renderer = drawn.figure.canvas.get_renderer()
            panels = [axes for axes, _ in drawn.slots if axes in drawn.figure.axes]
            for axes in panels:
                boxes = boxes_of(axes, renderer)
                for name, box in boxes.items():
                    assert box.x0 >= 0 and box.x1 <= drawn.figure.bbox.width + 1, (drawn.name, name, box)
                    for other in panels:
                        inner = other.bbox.padded(-0.01 * other.bbox.width)
                        assert other is axes or not box.overlaps(inner), (drawn.name, name, other.get_ylabel())
                if "legend" in boxes and not axes.bbox.padded(-2).overlaps(boxes["legend"]):
                    title = axes._left_title  # pylint: disable=protected-access
                    last = title.get_text().split("\n")[-1]
                    assert not last.strip() or not title.get_window_extent(renderer).overlaps(boxes["legend"]), (drawn.name, title.get_text())
            plt.close(drawn.figure)


def check_ticks():
    """Numbers at 1, 2 and 5 where these fit, at least two of them over any range, and none on the next."""
    for decades in (0.1, 0.3, 0.6, 1, 1.7, 3, 7, 30):
        for start in (1e-9, 3.3e-4, 0.07, 12):
            for length in (0.8, 1.6, 4):
                high = start * 10.0**decades
                values = np.array(ticks.places(start, high, length, 0.2))
                mantissas = {float(f"{value / 10.0 ** ticks.exponent_of(value):.6g}") for value in values}
                assert len(values) >= 2 and start <= values.min() * (1 + 1e-9) and values.max() <= high * (1 + 1e-9), (start, high, length, values)
                assert mantissas <= {1, 2, 3, 5} or decades <= 1, (start, high, length, mantissas)
                assert len(values) == 2 or np.diff(np.log10(values)).min() / decades * length > 0.19, (start, high, length, values)
    assert ticks.labels([0.001, 0.002, 0.005]) == ["0.001", "0.002", "0.005"] and ticks.labels([2e-6, 1e-5]) == ["$2\\cdot10^{-6}$", "$10^{-5}$"]


def check_strongest():
    """A tone that rises from 10.1 to 12.3 Hz in 3 s, after a second of rest, is followed to a tenth of a hertz from its first cycles on."""
    step = 1e-3
    times = np.arange(4000) * step
    since = np.maximum(times - 1, 0)
    tone = Channel("tone", "m", len(times), [np.where(times < 1, 0.0, np.sin(2 * np.pi * (10.1 * since + 0.5 * 2.2 / 3 * since**2)))])
    start = spectrogram.onset_of(tone)
    first, length = spectrogram.window_of(tone, start)
    middles, lengths = spectrogram.frames_of(tone, start, first, length)
    assert 0.995 < times[start] < 1.01 and times[middles[0]] < 1.2 and lengths[0] < 400, (start, middles[0], lengths[0])
    amplitudes = spectrogram.amplitudes_of(tone, middles, lengths, 1 << 14)
    found = spectrogram.follow(amplitudes, 1 / ((1 << 14) * step))
    assert np.abs(found - (10.1 + 2.2 / 3 * (middles * step - 1))).max() < 0.1, found


def check_drift():
    """A structure that floats: pushed for 0.1 s in the middle of which it begins to drift at 3 m/s, while it vibrates by 1 mm."""
    times = np.arange(20_001) * 1e-3
    vibration = 1e-3 * np.sin(2 * np.pi * 7.3 * times)
    motion = vibration + 3 * np.maximum(times - 1.05, 0)
    steadied = Steadied(Channel("p x", "m", len(times), [motion]), times, 1.1)
    assert abs(steadied.rate / 3 - 1) < 1e-4 and np.abs(steadied.read(0, len(times)) - vibration).max() < 5e-5
    assert abs(steadied.peak[0] / 1e-3 - 1) < 0.05


def check_spectrum():
    """A spectrogram tells amplitude and frequency of what a drift would hide."""
    times = np.arange(4096) / 4096
    found = spectrogram.spectrum(3 * np.cos(2 * np.pi * 100 * times + 0.3) + 50 + 1e3 * times)
    assert np.argmax(found) == 100 and abs(found[100] / 3 - 1) < 2e-3, (np.argmax(found), found[100])
    assert found[:90].max() < 1e-5 * found[100], found[:90].max()


def energy_error(run_group):
    energy = {name: values[:] for name, values in run_group["energy"].items()}
    total = energy["kinetic"] + energy["strain"] + energy["joints"] + energy["damping"]
    return np.abs(energy["balance"]).max() / max(np.abs(energy["work"]).max(), np.abs(total).max())


def check_numbers(page, path):
    with h5py.File(path) as file:
        assert page.headings[0] == 'A <b>bold</b> $ & a "quote"'
        assert page.listings[0].strip() == file["case"].attrs["text"].decode().strip() and page.listings[1].strip() == file["case"].attrs["values"].decode().strip()
        told = dict(page.tables["case-table"])
        assert told["State"] == "complete" and told["MPI ranks"] == "1" and file["case"].attrs["commit"].decode() in told["Program"]
        for state in ("stuck", "slipping"):
            elastic = slice(int(file[f"modes/{state}"].attrs["rigid"]), None)
            close(page.column("modes-table", f"joints {state} [Hz]")[elastic], file[f"modes/{state}/frequency"][elastic])
            close(page.column("modes-table", f"joints {state} [rad/s]")[elastic], file[f"modes/{state}/omega"][elastic])
        runs = [file[f"transient/hit_{number}"] for number in range(1, 7)]
        assert page.column("runs-hit", "run") == [f"hit_{number}" for number in range(1, 7)]
        close(page.column("runs-hit", "level")[1:], [group.attrs["level"] for group in runs[1:]])
        close(page.column("runs-hit", "time step"), [1e-4] * 6)
        assert set(page.column("runs-hit", "steps")) == {"20000"} and set(page.column("runs-hit", "ended")) == {"complete"}
        close(page.column("runs-hit", "error of energy")[1:], [energy_error(group) for group in runs[1:]], 1e-2)
        close(page.column("runs-hit", "took"), [group["seconds"][0] for group in runs], 1e-2)
        close(page.column("energies-hit", "into joints")[1:], [group["energy/joints"][-1] for group in runs[1:]], 1e-4)
        close(page.column("energies-hit", "error /")[1:], [energy_error(group) for group in runs[1:]], 1e-2)
        close(page.column("runs-long", "simulated"), [100])
    assert "3 of 6 runs are drawn, from the smallest to the largest motion; left out: " in page.flat
    chapters = ("Modes", "Transient hit", "Transient long", "Ring-down decay", "Ring-down found", "Modal Iwan models fitted", "Comparison truth")
    for words in chapters:
        assert sum(heading.endswith(words) for heading in page.headings) == 1, words
    assert page.text.count('<section class="chapter">') == page.text.count("</section>") == len(page.headings) - 1 == len(chapters) + 1
    for figure in ("hit_overview", "hit_loops", "hit_energies", "long_overview", "decay_ring_down", "found_ring_down", "fitted_modal_iwan", "truth_compare"):
        assert page.text.count(f'<figure id="{figure}">') == 1, figure
    assert 15 < len(page.images) < 40 and all(len(image["alt"]) > 20 for image in page.images), [image["alt"] for image in page.images]
    for words in ("iwan4", "x: iwan4 (slip_force 20, stiffness 4000, chi -0.4, beta 1", "2 masses", "1 joint", "modal 0.001"):
        assert words in page.flat, words


def check_zigzag():
    """Figures of long histories keep each peak: the smallest and the largest of each bucket."""
    values = np.zeros(100_000)
    values[12_345], values[54_321] = 7, -5
    line = Channel("spike", "m", len(values), [values]).zigzag(1000, 0, len(values))
    assert len(line) == 200 and line.max() == 7 and line.min() == -5


def check_unfinished():
    """What a kill leaves: reported as such, and rows that are not known change nothing."""
    pages = []
    for rest in (np.nan, 1e300):
        shutil.copyfile("stopped.h5", "broken.h5")
        with h5py.File("broken.h5", "r+") as file:
            group = file["transient/hard_1"]
            rows = len(group["time"])
            file["case/complete"][()] = 0
            group["steps"][0], group["reason"][0] = 500, b""
            group.visititems(lambda _, item: item.__setitem__(slice(501, None), rest) if isinstance(item, h5py.Dataset) and len(item) == rows else None)
        pages.append(made("broken.h5"))
    assert pages[0].text == pages[1].text
    assert "This result is not complete" in pages[0].flat and dict(pages[0].tables["case-table"])["State"] == "NOT COMPLETE"
    assert pages[0].column("runs-hard", "steps")[0] == "500 of 2000" and pages[0].column("runs-hard", "ended")[0] == "not finished: 500 of 2000 steps are known"


def check_update():
    """A chain that is too short, and a number that no target tells, are said where their intervals are."""
    assert run("updated", MODES + """update:
  find: { slip: { path: joints.bolt.x.slip_force, least: 10, most: 30 }, k: { path: "springs[0].stiffness" } }
  targets: { f: { path: "modes/stuck/frequency[7]", value: 13, uncertainty: 0.1 } }
  posterior: { method: chain, steps: 10, bridge: 0 }
""") == EXIT_NATURE
    page = made("updated.h5")
    assert "not determined by the targets" in page.flat and "posterior by chain, intervals of 95 %: not converged" in page.flat, page.flat
    with h5py.File("updated.h5", "r+") as file:  # as a search that is broken off leaves it
        file["update/posterior/reason"][0] = b""
    assert "posterior by" not in made("updated.h5").flat


def check_refused(name, reason, *options):
    """One line that names the file, and no page."""
    done = report(name, *options)
    assert done.returncode == EXIT_INPUT and not done.stdout, done
    assert re.fullmatch(rf"error: \S+: .*{reason}.*\n", done.stderr), done.stderr
    assert options or not os.path.exists(name.removesuffix(".h5") + ".html")
    assert not [left for left in os.listdir(".") if left.endswith(".html.tmp")]


def check_refusals():
    with open("text.h5", "w", encoding="utf-8") as file:
        file.write("no result\n")
    with open("full.h5", "rb") as whole, open("cut.h5", "wb") as part:
        part.write(whole.read(3000))
    with h5py.File("foreign.h5", "w") as file:
        file["x"] = [1.0]
    with h5py.File("nearly.h5", "w") as file:
        file["case/complete"] = 1
        file["transient/a/steps"] = [3]
    for name, reason in (("missing", "No such file"), ("text", "not a result"), ("cut", "damaged"), ("foreign", "not a result"), ("nearly", "damaged")):
        check_refused(f"{name}.h5", reason)
    check_refused("modes.h5", "left alone", "-o", "full.yaml")
    check_refused("modes.h5", "left alone", "-o", "modes.h5")
    check_refused("modes.h5", "directory", "-o", ".")
    check_refused("modes.h5", "No such file", "-o", "nowhere/page.html")


def browse(path, *words):
    """What Chromium says of a page; it may take long to start on a busy machine."""
    command = ["chromium", "--headless", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
               "--disable-background-networking", "--disable-component-update", f"--user-data-dir={os.path.abspath('chromium')}", "--window-size=1280,6000", *words]
    done = subprocess.run([*command, "file://" + urllib.parse.quote(os.path.abspath(path))], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_browser(page, path):
    """Every picture is decoded and laid out, nothing is loaded, nothing sticks out; where pictures are, there is ink."""
    with open("measured.html", "w", encoding="utf-8") as file:
        file.write(page.text.replace("</head>", MEASURE + "</head>"))
    title = re.search("<title>(.*?)</title>", browse("measured.html", "--dump-dom"), re.DOTALL)[1]
    seen = json.loads(html.unescape(title))
    assert len(seen["boxes"]) == len(page.images) and not seen["loaded"] and seen["wide"] <= 1280, seen
    assert all(natural > 0 and width > 1000 and height > 50 for natural, _, _, width, height in seen["boxes"]), seen["boxes"]
    browse(path, "--screenshot=" + os.path.abspath("page.png"))
    picture = matplotlib.image.imread("page.png")[:, :, :3].mean(axis=2)
    assert picture.shape == (6000, 1280) and 0.01 < (picture < 0.9).mean() < 0.3, (picture < 0.9).mean()
    shown = [[int(round(value)) for value in box[1:]] for box in seen["boxes"] if box[2] + box[4] < 6000]
    assert len(shown) > 8
    for x, y, width, height in shown:
        ink = (picture[y : y + height, x : x + width] < 0.9).mean()
        assert 0.003 < ink < 0.5, f"the picture at {x}, {y} has {100 * ink:.2g} % ink"


def main():
    assert run("full", CASE) == 0 and run("modes", MODES) == 0 and run("stopped", STOPS) == EXIT_NATURE
    trusted = add_ring_downs("full.h5")
    page = made("full.h5")
    check_numbers(page, "full.h5")
    check_ring_downs(page, trusted)
    check_no_padding(page)
    check_pages(page)
    check_plain(page)
    check_found(page, "full.h5")
    check_hollow("full.h5", trusted)
    check_apart("full.h5")
    check_ticks()
    check_spectrum()
    check_strongest()
    check_drift()
    check_zigzag()
    drawn = forked.run(PLOT, "full.h5").stdout.split()
    assert "full_pictures/decay_ring_down.png" in drawn and "full_pictures/hit_motions_of_points.png" in drawn, drawn
    assert not [heading for heading in made("modes.h5").headings if "Transient" in heading]
    stopped = made("stopped.h5")
    assert "did not end as asked" in stopped.flat and "hard_2" in stopped.flat
    check_unfinished()
    check_update()
    check_refusals()
    made("modes.h5", "-o", "modes.html")  # an earlier page is replaced
    if not shutil.which("chromium"):
        print("skipped: there is no Chromium to look at the page with; scripts/setup browser installs it")
        sys.exit(77)
    check_browser(page, "full.html")


main()
