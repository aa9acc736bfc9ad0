"""moving.py - mode shapes in motion: one page of HTML that holds the structure and its shapes, with a slider; no server, nothing from outside."""
import base64
import html
import json
import os

import numpy as np

from .result import Fault
from .shapes import BEND, COLORS, View

STEPS = 32767  # of a number of two bytes
BEGINNING = "<!DOCTYPE html>\n<!-- mode shapes drawn by scripts/plot-modes of dovetail -->"
STYLE = """body { margin: 0; font: 15px/1.4 "DejaVu Sans", Verdana, Arial, sans-serif; color: #111 } header { padding: .6em 1em } h1 { font-size: 1.2em; margin: 0 0 .4em }
label { margin-right: 1.2em; white-space: nowrap } canvas { display: block; width: 100vw; height: calc(100vh - 7.5em); touch-action: none; cursor: grab } small { color: #444 }"""
SCRIPT = """
const data = JSON.parse(document.getElementById("data").textContent);
const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;
const points = new Float32Array(bytes(data.points)), faces = new Uint32Array(bytes(data.faces)), edges = new Uint32Array(bytes(data.edges));
const shapes = data.shapes.map(s => ({ title: s.title, values: new Int16Array(bytes(s.values)) }));
const canvas = document.querySelector("canvas"), paper = canvas.getContext("2d"), at = id => document.getElementById(id);
const count = points.length / 3, numFaces = faces.length / 4, place = new Float32Array(points.length), share = new Float32Array(count);
const depth = new Float32Array(numFaces), order = new Uint32Array(numFaces), look = data.view.map(row => row.slice());
let phase = 0, last = null;
shapes.forEach((shape, i) => at("shape").add(new Option(shape.title, i)));

function turn(a, b, angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  for (let k = 0; k < 3; k++) [look[a][k], look[b][k]] = [c * look[a][k] - s * look[b][k], s * look[a][k] + c * look[b][k]];
}
function project(factor, values) {
  const [r, u, t] = look, bend = factor * data.bend / 32767;
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i] + bend * values[i], y = points[i + 1] + bend * values[i + 1], z = points[i + 2] + bend * values[i + 2];
    place[i] = r[0] * x + r[1] * y + r[2] * z; place[i + 1] = u[0] * x + u[1] * y + u[2] * z; place[i + 2] = t[0] * x + t[1] * y + t[2] * z;
  }
}
function stroke(scale, color) {
  paper.strokeStyle = color; paper.beginPath();
  for (let e = 0; e < edges.length; e += 2) {
    const i = 3 * edges[e], j = 3 * edges[e + 1];
    paper.moveTo(place[i] * scale, -place[i + 1] * scale); paper.lineTo(place[j] * scale, -place[j + 1] * scale);
  }
  paper.stroke();
}
function draw() {
  const values = shapes[at("shape").value].values, ratio = window.devicePixelRatio || 1, size = at("size").value * Math.sin(phase);
  canvas.width = canvas.clientWidth * ratio; canvas.height = canvas.clientHeight * ratio;
  const scale = 0.9 * Math.min(canvas.width, 2 * canvas.height) / data.length * at("zoom").value;
  paper.setTransform(1, 0, 0, 1, canvas.width / 2, canvas.height / 2); paper.lineWidth = ratio;
  if (at("rest").checked) { project(0, values); stroke(scale, "#aaa"); }
  project(size, values);
  for (let i = 0; i < count; i++) share[i] = Math.hypot(values[3 * i], values[3 * i + 1], values[3 * i + 2]) / 32767;
  for (let f = 0; f < numFaces; f++) {
    depth[f] = 0; order[f] = f;
    for (let k = 0; k < 4; k++) depth[f] += place[3 * faces[4 * f + k] + 2];
  }
  order.sort((a, b) => depth[a] - depth[b]);
  for (const f of order) {
    const c = [0, 1, 2, 3].map(k => 3 * faces[4 * f + k]);
    const ax = place[c[2]] - place[c[0]], ay = place[c[2] + 1] - place[c[0] + 1], az = place[c[2] + 2] - place[c[0] + 2];
    const bx = place[c[3]] - place[c[1]], by = place[c[3] + 1] - place[c[1] + 1], bz = place[c[3] + 2] - place[c[1] + 2];
    const n = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], long = Math.hypot(...n) || 1;
    const light = 0.72 + 0.28 * Math.abs(0.3 * n[0] + 0.5 * n[1] + 0.8 * n[2]) / long / 0.99;
    const mean = Math.abs(Math.sin(phase)) * (share[c[0] / 3] + share[c[1] / 3] + share[c[2] / 3] + share[c[3] / 3]) / 4;
    const color = data.colors[Math.min(Math.round(mean * (data.colors.length - 1)), data.colors.length - 1)];
    paper.fillStyle = paper.strokeStyle = `rgb(${color.map(v => Math.round(v * light)).join()})`;
    paper.beginPath();
    c.forEach((i, k) => paper[k ? "lineTo" : "moveTo"](place[i] * scale, -place[i + 1] * scale));
    paper.closePath(); paper.fill(); paper.stroke();
  }
  if (!numFaces) stroke(scale, "#222");
}
function tick(time) {
  if (at("play").checked) {
    phase = (phase + (last === null ? 0 : (time - last) / 1000 * 2 * Math.PI * 0.5)) % (2 * Math.PI);
    at("phase").value = phase; draw();
  }
  last = time; requestAnimationFrame(tick);
}
for (const id of ["shape", "size", "zoom", "rest"]) at(id).addEventListener("input", draw);
at("phase").addEventListener("input", () => { phase = +at("phase").value; at("play").checked = false; draw(); });
canvas.addEventListener("pointermove", event => { if (event.buttons) { turn(0, 2, event.movementX / 200); turn(1, 2, -event.movementY / 200); draw(); } });
addEventListener("resize", draw);
phase = Math.PI / 2; draw(); requestAnimationFrame(tick);
"""
CONTROLS = """<label>shape <select id="shape"></select></label> <label><input type="checkbox" id="play" checked> play</label>
<label>phase <input type="range" id="phase" min="0" max="6.2832" step="0.01" value="1.5708"></label>
<label>size <input type="range" id="size" min="0" max="3" step="0.05" value="1"></label>
<label>zoom <input type="range" id="zoom" min="0.2" max="5" step="0.05" value="1"></label>
<label><input type="checkbox" id="rest" checked> at rest</label> <small>drag the structure to turn it</small>"""


def packed(values, kind):
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode()


def data_of(solid, shapes):
    """What the page needs: places about the middle, faces, edges, shapes in whole numbers of two bytes."""
    view = View(solid.points)
    middle = 0.5 * (solid.points.min(axis=0) + solid.points.max(axis=0))
    places = view.flat(solid.points)
    listed = []
    for shape in shapes:
        vectors = solid.field(shape.name)
        largest = np.linalg.norm(vectors, axis=1).max() or 1.0
        listed.append({"title": shape.title, "values": packed(np.round(vectors / largest * STEPS), "<i2")})
    return {"points": packed(solid.points - middle, "<f4"), "faces": packed(solid.faces, "<u4"), "edges": packed(solid.edges, "<u4"), "shapes": listed,
            "view": [view.right.tolist(), view.up.tolist(), view.toward.tolist()], "bend": BEND * float(np.ptp(solid.points, axis=0).max()),
            "length": float(1.15 * max(np.ptp(places[:, 0]), 2 * np.ptp(places[:, 1]), 1e-300)),
            "colors": [[round(255 * value) for value in COLORS(k / 63)[:3]] for k in range(64)]}


def is_ours(path):
    """Whether there is nothing yet, or an earlier page."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(len(BEGINNING)) == BEGINNING
    except FileNotFoundError:
        return True
    except OSError as fault:
        raise Fault(f"{path}: {fault.strerror}") from None


def write(solid, shapes, path):
    """The page; all or nothing."""
    if not is_ours(path):
        raise Fault(f"{path}: is no page of mode shapes; it is left alone, choose another folder")
    title = html.escape(f"Mode shapes of {os.path.basename(solid.path)}")
    data = json.dumps(data_of(solid, shapes)).replace("<", "\\u003c")
    whole = f"""{BEGINNING}
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>
<body><header><h1>{title}</h1>{CONTROLS}</header><canvas role="img" aria-label="{title}, the chosen one in motion"></canvas>
<script type="application/json" id="data">{data}</script><script>{SCRIPT}</script></body></html>
"""
    try:
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            file.write(whole)
        os.replace(path + ".tmp", path)
    except OSError as fault:
        raise Fault(f"{path}: {fault.strerror}") from None
