"""page.py - a page of HTML that stands alone: chapters with contents, tables, figures inside it. No script, nothing from outside."""
import base64
import html
import math
import os

from .result import Fault
from .sheet import WIDTH

STYLE = """
@page { size: A4 landscape; margin: 12mm }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 0 1.5em 4em; max-width: 1180px; background: #fff; color: #111; font: 15px/1.45 "DejaVu Sans", Verdana, Arial, sans-serif }
h1 { font-size: 1.6em; margin: 1em 0 .4em; line-height: 1.2 }
h2 { font-size: 1.3em; margin: 2.2em 0 .6em; padding-top: .5em; border-top: 2px solid #111 }
h3 { font-size: 1.05em; margin: 1.8em 0 .5em }
a { color: #0a4a84 }
nav { border: 1px solid #999; padding: .6em 1.2em; margin: 1.2em 0; columns: 2 }
nav ol { margin: 0; padding-left: 1.6em }
nav ol ol { padding-left: 1.1em; list-style: none }
.wide { overflow-x: auto; margin: .8em 0 }
table { border-collapse: collapse; font-size: .85em; font-variant-numeric: tabular-nums; border-top: 1.5px solid #111; border-bottom: 1.5px solid #111 }
caption { caption-side: top; text-align: left; padding: .3em 0; font-weight: bold }
th, td { padding: .18em .7em; text-align: right; vertical-align: top; border-bottom: 1px solid #ddd }
thead th { border-bottom: 1px solid #111; vertical-align: bottom }
th.text, td.text { text-align: left }
td.text { white-space: nowrap }
td.long { white-space: normal }
td.odd { font-weight: bold }
figure { margin: 1em 0 1.8em }
figure img { display: block; width: 100%; height: auto }
figure img, .whole { break-inside: avoid }
figcaption { font-size: .85em; margin: .2em 0 .5em }
.warning { border: 2px solid #111; padding: .5em 1em; font-weight: bold }
.note { font-size: .85em; color: #333 }
details { margin: .6em 0; border-left: 3px solid #bbb; padding-left: .8em }
summary { cursor: pointer; font-weight: bold; font-size: .9em }
pre { font: 12px/1.35 "DejaVu Sans Mono", Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: .6em 0 }
footer { margin-top: 3em; border-top: 1px solid #999; font-size: .8em; color: #333 }
.side { display: flex; flex-wrap: wrap; gap: 0 2.5em; align-items: flex-start }
@media print { body { max-width: none; padding: 0; font-size: 9pt } h1 { margin: 0 0 .3em } h2 { margin: .2em 0 .4em } h3 { margin: .6em 0 .3em } h2, h3, caption { break-after: avoid }
  .chapter { break-inside: avoid; margin-bottom: 1em } nav { padding: .3em 1em; margin: .6em 0; columns: 3; font-size: .9em } nav ol ol { display: none }
  tr { break-inside: avoid } thead { display: table-header-group } .wide { overflow: visible; margin: .4em 0 } a { color: inherit; text-decoration: none }
  table { font-size: .8em; line-height: 1.2 } th, td { padding: .08em .6em } figure { margin: .2em 0 .4em } figcaption { margin: 0 0 .2em; font-size: .8em } p { margin: .3em 0 }
  details:not([open]) { display: none } footer { margin-top: .6em; padding-top: .2em } }
"""

LONG = 50  # letters of a cell that may be broken
SHORT_ROWS, MANY_ROWS = 20, 24  # of a table that stands on one page, beyond which it is folded


def text(value):
    return html.escape(str(value))


def number(value, digits=6):
    """As engineers write it; nothing where nothing is known."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "\N{EN DASH}"
    return f"{value:,}".replace(",", "\N{NARROW NO-BREAK SPACE}") if isinstance(value, int) else f"{value:.{digits}g}"


def unit(name):
    """A unit of the figures as a text."""
    return name.replace("$^{1/2}$", "^1/2").replace("$", "")


class Cell(str):
    """A text of a table that stands out."""


def table(columns, rows, caption="", name="", most=MANY_ROWS):
    """Columns of texts alone are on the left, others on the right; the units stand in the heads, if there are any. Long ones are folded."""
    kinds = ["" if any(isinstance(row[i], (int, float)) for row in rows) else "text" for i in range(len(columns))]

    def cell(tag, value, kind, more=""):
        kinds = " ".join(filter(None, [kind, "odd" * isinstance(value, Cell), "long" * (isinstance(value, str) and len(value) > LONG)]))
        shown = text(value) if isinstance(value, str) else number(value)
        return f"<{tag}{more}{f' class={chr(34)}{kinds}{chr(34)}' if kinds else ''}>{shown}</{tag}>"

    head = "".join(cell("th", column, kind, ' scope="col"') for column, kind in zip(columns, kinds)) if any(columns) else ""
    head = f"<thead><tr>{head}</tr></thead>\n" if head else ""
    body = "\n".join("<tr>" + "".join(cell("td", value, kind) for value, kind in zip(row, kinds)) + "</tr>" for row in rows)
    title = f"<caption>{text(caption)}</caption>" if caption else ""
    mark = f' id="{text(name)}"' if name else ""
    kept = " whole" if len(rows) <= SHORT_ROWS else ""
    whole = f'<div class="wide{kept}"><table{mark}>{title}{head}<tbody>\n{body}\n</tbody></table></div>'
    return folded(f"{caption} ({len(rows)} rows)", whole) if len(rows) > most else whole


def paragraph(words, kind=""):
    return f'<p class="{kind}">{text(words)}</p>' if kind else f"<p>{text(words)}</p>"


def folded(title, inside):
    return f"<details><summary>{text(title)}</summary>\n{inside}\n</details>"


def listing(words):
    return f"<pre>{text(words)}</pre>"


def picture(height, kind, image, told):
    """A part of the page, in 96 dots per inch; its size is told, so that nothing moves while the page is opened."""
    mime = {"svg": "image/svg+xml", "png": "image/png"}[kind]
    data = base64.b64encode(image).decode()
    return f'<img width="{96 * WIDTH:.0f}" height="{96 * height:.0f}" alt="{text(told)}" src="data:{mime};base64,{data}">'


def beside(parts):
    """Small tables side by side, as many as there is room for."""
    return f'<div class="side">{"".join(parts)}</div>'


class Page:
    """What is written so far: chapters, which print on one page each if they fit, and sections in these."""

    def __init__(self, title):
        self.title, self.parts, self.contents, self.figures = title, [], [], 0

    def add(self, *parts):
        self.parts += parts

    def chapter(self, title):
        self.close()
        self.contents.append((title, []))
        self.parts.append(f'<section class="chapter"><h2 id="c{len(self.contents)}">{len(self.contents)} {text(title)}</h2>')

    def close(self):
        """Ends the chapter, if there is one."""
        if self.contents:
            self.parts.append("</section>")

    def section(self, title):
        sections = self.contents[-1][1]
        sections.append(title)
        self.parts.append(f'<h3 id="c{len(self.contents)}s{len(sections)}">{len(self.contents)}.{len(sections)} {text(title)}</h3>')

    def folded_figures(self, title, sheets_and_captions):
        """Figures that are seen when somebody opens them, and not printed before."""
        start = len(self.parts)
        for sheet, caption in sheets_and_captions:
            self.figure(sheet, caption)
        if len(self.parts) > start:
            self.parts[start:] = [folded(title, "\n".join(self.parts[start:]))]

    def figure(self, sheet, caption):
        """The rows of a sheet, between which a page may end."""
        self.figures += 1
        first, *rest = [picture(*row, caption) for row in sheet.embed()]
        head = f'<div class="whole"><figcaption>Figure {self.figures}: {text(caption)}</figcaption>\n{first}</div>'
        self.parts.append("\n".join([f'<figure id="{text(sheet.name)}">{head}', *rest, "</figure>"]))

    def contents_list(self):
        items = []
        for i, (title, sections) in enumerate(self.contents, 1):
            inner = "".join(f'<li><a href="#c{i}s{j}">{i}.{j} {text(section)}</a></li>' for j, section in enumerate(sections, 1))
            items.append(f'<li><a href="#c{i}">{text(title)}</a>{f"<ol>{inner}</ol>" if inner else ""}</li>')
        return f'<nav aria-label="Contents"><ol>{"".join(items)}</ol></nav>'

    def write(self, path, head, foot):
        """All or nothing: what was there before stays until the page is whole."""
        self.close()
        whole = "\n".join([f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{text(self.title)}</title>',
                           f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>',
                           f"<h1>{text(self.title)}</h1>", *head, self.contents_list(), *self.parts, f"<footer>{text(foot)}</footer></body></html>\n"])
        try:
            with open(path + ".tmp", "w", encoding="utf-8", errors="replace") as file:
                file.write(whole)
            os.replace(path + ".tmp", path)
        except OSError as fault:
            raise Fault(f"{path}: {fault.strerror}") from None
