"""rows.py - the numbers of a paper beside ours: rows, their verdicts, the table, JSON."""
import dataclasses
import json
import math
import textwrap

KEYS = ("source", "quantity", "published", "computed", "difference", "tolerance", "verdict")
KINDS = ("equal", "at most", "at least", "factor")
WIDTH = 150


@dataclasses.dataclass
class Row:
    """A number that the paper gives. The tolerance is absolute, in the unit of the number; `why` says where it is from.

    kind `at most`, `at least`: the paper gives a bound, and only what lies beyond it is a difference. `factor`: an order of magnitude;
    difference and tolerance are those of the decimal logarithm.
    """

    source: str
    quantity: str
    published: float
    computed: float
    tolerance: float
    why: str
    kind: str = "equal"
    note: str = ""

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"{self.kind} is no kind of row")
        self.published, self.computed, self.tolerance = float(self.published), float(self.computed), float(self.tolerance)

    @property
    def difference(self):
        if self.kind == "factor":
            return math.log10(self.computed / self.published) if self.computed > 0 else -math.inf
        difference = self.computed - self.published
        return {"equal": difference, "at most": max(difference, 0.0), "at least": min(difference, 0.0)}[self.kind]

    @property
    def verdict(self):
        return "ok" if abs(self.difference) <= self.tolerance else "off"  # NaN is off

    def as_json(self):
        row = {key: getattr(self, key) for key in KEYS}
        return {key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in row.items()}


def half_digit(printed):
    """A number as it is printed, and half a unit of its last digit, up to which it is known."""
    mantissa, _, exponent = printed.replace(",", "").lower().partition("e")
    return float(printed.replace(",", "")), 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def print_table(rows):
    """All rows; then why the tolerances, and what there is to say."""
    cells = [list(KEYS)]
    for row in rows:
        bound = "" if row.kind == "equal" else f" ({row.kind})"
        tenths = " decades" if row.kind == "factor" else ""
        numbers = [f"{row.published:.6g}{bound}", f"{row.computed:.6g}", f"{row.difference:+.2g}{tenths}", f"{row.tolerance:.2g}"]
        cells.append([row.source, row.quantity, *numbers, row.verdict if row.verdict == "ok" else "OFF"])
    widths = [max(map(len, column)) for column in zip(*cells)]
    for line in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


def print_remarks(rows):
    """Where the tolerances are from, and notes, each once."""
    groups = {}
    for row in rows:
        groups.setdefault((row.why, row.note), []).append(row.source)
    print("\nTolerances:")
    for (why, note), sources in groups.items():
        text = f"{'; '.join(dict.fromkeys(sources))}: {why}." + (f" {note}." if note else "")
        print(textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="    "))


def write_json(rows, path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump([row.as_json() for row in rows], file, indent=1)
        file.write("\n")
