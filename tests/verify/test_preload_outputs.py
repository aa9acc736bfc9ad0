"""test_preload_outputs.py - what is kept about preloads: contacts and bolts in statics and in time, motions of the mesh and its faces for ParaView. [timeout: 300]

Two plates with two bolts through them (bolted.py). Forces are in balance on the upper plate and the halves of the shanks above their cuts;
energy that the load has given in a cycle is lost in the joint; nodes of both faces, which lie on each other, move as the joint says.
"""
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # the source folder stays as it is
import h5py
import numpy as np

import bolted
import sumali

AREA, PRESSURE = 0.07 * 0.03, 1e6  # of the upper face [m^2], [Pa]
SLOW = 0.02  # [s], hundreds of periods of the lowest mode
TIGHT = "preload: { name: tight, order: [b1, b2], passes: 2 }"
STUDIES = [
    TIGHT,
    f"static: {{ name: pull, about: tight, load: {{ force: {{ pattern: pull, amplitude: {-PRESSURE} }} }}, steps: 4 }}",
    "static: { name: shear, about: tight, load: { force: { point: top, direction: x, amplitude: 3e3 } }, path: { cycles: 1 }, steps: 60 }",
    f"transient: {{ name: slow, about: tight, load: {{ half_sine: {{ pattern: pull, amplitude: {-PRESSURE}, duration: {SLOW} }} }}, time_step: 1e-5, steps: 1000, every: 10 }}",
    "modes: { count: 2 }",
    "modes: { name: bolted, about: tight, count: 2 }",
]


def run(name, studies, ranks=1, modes=12):
    bolted.write_case(f"{name}.yaml", studies, modes)
    done = subprocess.run(sumali.command("run", f"{name}.yaml", "-q", ranks=ranks), check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert "released energy" not in done.stderr, done.stderr  # faces may give what the preload has put into them
    return h5py.File(f"{name}.h5", "r")


def near(what, own, other, tolerance):
    error = np.max(np.abs(own - other)) / np.max(np.abs(other))
    assert error <= tolerance, f"{what}: {error:.3g} is above {tolerance:g}"


def tensions(group):
    return sum(group[f"bolts/{bolt}/tension"][()] for bolt in bolted.BOLTS)


def statics(file):
    """The balance is that of the equilibria, 1e-10 of the forces of joints."""
    for name, pull in (("pull", PRESSURE * AREA), ("shear", 0.0)):
        group = file[f"static/{name}"]
        contact, factor = group["joints/face/contact"], group["factor"][()]
        near(f"{name}: balance", tensions(group), contact["force"][()] + pull * factor, 1e-9)
        near(f"{name}: preload", tensions(group)[0], np.sum(file["preload/tight/tension"][-1]), 1e-9)
        near(f"{name}: shares", contact["share"][()].sum(axis=1), 1.0, 1e-12)
        last = contact["last"]
        near(f"{name}: pressure", np.sum(last["pressure"][()] * contact["area"][()]), contact["force"][-1], 1e-12)
        near(f"{name}: losses", np.sum(last["dissipated"][()]), contact["dissipated"][-1], 1e-12)
        shares = [np.sum(contact["area"][()][last["state"][()] == state]) / np.sum(contact["area"][()]) for state in range(3)]
        near(f"{name}: states", np.array(shares), contact["share"][-1], 1e-12)
        pressed = last["state"][()] > 0
        assert np.all(last["gap"][()][pressed] < 0) and np.all(last["gap"][()][~pressed] >= 0)
    assert tensions(file["static/pull"])[-1] > 9e3 + 100  # the bolts take their share of the load


def cycle(file):
    """From the second turn to the end the load comes back to where it was; the trapezium rule is right to the square of the steps."""
    group = file["static/shear"]
    force, motion, lost = 3e3 * group["factor"][()], group["points/top/displacement"][:, 0], group["joints/face/contact/dissipated"][()]
    work = np.sum(0.5 * (force[61:] + force[60:-1]) * np.diff(motion[60:]))
    assert lost[-1] > lost[60] > 0
    near("loss of a cycle", lost[-1] - lost[60], work, 2e-2)


def in_time(file):
    """At rest the tension is that of the preload; a load that comes slowly does what it does at rest, but for what it starts to swing."""
    group = file["transient/slow"]
    for bolt, preload in (("b1", 4e3), ("b2", 5e3)):
        tension, still = group[f"bolts/{bolt}/tension"][()], file[f"static/pull/bolts/{bolt}/tension"][()]
        assert abs(tension[0] - file["preload/tight/tension"][-1, list(bolted.BOLTS).index(bolt)]) < 1e-9 * preload
        near(f"{bolt}: at the peak", tension[-1] - tension[0], still[-1] - still[0], 1e-2)


def series(name):
    with h5py.File(f"{name}.xdmf.h5", "r") as file:
        times, points = file["XDMF/Time"][()], file["XDMF/PointData"]
        fields = {field: np.array([points[field][f"{i:06d}"][()] for i in range(len(times))]) for field in points if field != "node"}
        return times, file["XDMF/Points"][()], points["node"][()], fields


def at(places, place):
    return np.flatnonzero(np.linalg.norm(places - place, axis=1) < 1e-9)


def mesh_and_faces(file, name):
    """Equilibria are right to 1e-10, of motions of the mesh against all of them, not against what they differ by."""
    group = file["preload/tight"]
    times, places, nodes, fields = series(f"{name}_tight")
    moved = fields["displacement"]
    assert np.array_equal(times, np.arange(5)) and list(fields) == ["displacement"] and len(places) == len(nodes)
    near("corner", moved[:, at(places, bolted.CORNER)[0]], group["points/corner/displacement"][()], 1e-9)
    assert np.abs(moved[0]).max() < 1e-10 * np.abs(moved).max() and not moved[:, places[:, 2] == 0].any()
    times, spots, tags, seen = series(f"{name}_tight_face")
    rows = np.array([np.flatnonzero(nodes == tag)[0] for tag in tags])
    assert np.array_equal(times, np.arange(5)) and np.array_equal(seen["displacement"], moved[:, rows])
    assert len(tags) == 32 and np.all(spots[:, 2] == 0.015), len(tags)  # all 8 x 4 nodes of one side, no other
    joint = group["joints/face"]
    order = [at(spots, place)[0] for place in np.stack([joint[axis][()] for axis in "xyz"], axis=1)]
    assert sorted(order) == list(range(32))
    for field in ("pressure", "state", "gap"):
        assert np.array_equal(seen[field][:, order], joint[field][()]), field
    partners = [next(row for row in at(places, place) if nodes[row] in others) for place in spots for others in [partner_tags(tags)]]
    apart = moved[:, partners] - moved[:, rows]
    size = np.abs(moved).max()
    normal = np.sign(np.sum(apart[-1, :, 2] * seen["gap"][-1]))
    assert np.abs(normal * apart[..., 2] - seen["gap"]).max() < 1e-10 * size
    assert np.abs(apart[..., :2] - seen["slip"][..., :2]).max() < 1e-10 * size and not seen["slip"][..., 2].any()
    assert np.abs(seen["slip"]).max() > 1e-4 * size


def partner_tags(tags):
    """Nodes of the two sides of the face, less those that are written; the shanks have nodes at such places, too."""
    made = bolted.draft()
    sides = {tag for (place, body), tag in made.nodes.items() if place[2] == bolted.MIDDLE and body in ("lower", "upper")}
    return sides - set(tags)


def whatever_modes_are_kept(file):
    """The fields are exact: with fewer modes they are the same, but for the tolerance of the equilibria."""
    few = run("few", [TIGHT], modes=2)
    few.close()
    for end in ("", "_face"):
        own, other = series(f"few_tight{end}")[3], series(f"bolted_tight{end}")[3]
        for field in ("displacement", *(("pressure", "gap", "slip") if end else ())):
            near(f"fewer modes: {field}", own[field], other[field], 1e-7)


def on_ranks():
    """Nodes are numbered alike; the rest is right to round-off."""
    for ranks in (2, 3):
        run("ranks", [TIGHT], ranks).close()
        for end in ("", "_face"):
            one, other = series(f"bolted_tight{end}"), series(f"ranks_tight{end}")
            assert all(np.array_equal(mine, theirs) for mine, theirs in zip(one[:3], other[:3]))
            for field in one[3]:
                near(f"{ranks} ranks: {field}", other[3][field], one[3][field], 1e-7)
            with h5py.File(f"bolted_tight{end}.xdmf.h5") as mine, h5py.File(f"ranks_tight{end}.xdmf.h5") as theirs:
                assert all(np.array_equal(mine[f"XDMF/{key}"][()], theirs[f"XDMF/{key}"][()]) for key in ("Topology", "CellData/element", "CellData/group"))


def with_loads():
    """A load along a mode moves its mode alone; a load on a place moves the point on which it acts."""
    forces = "point: top, direction: z, amplitude: -2e3", "point: corner, direction: x, amplitude: 50", "shape: { mode: 1 }, amplitude: 100"
    load = f"load: [ {', '.join(f'{{ force: {{ {force} }} }}' for force in forces)} ]"
    with run("loaded", ["modes: { count: 2 }", f"preload: {{ name: tight, order: [b1, b2], {load} }}"]) as file:
        _, places, _, fields = series("loaded_tight")
        near("loaded", fields["displacement"][:, at(places, bolted.CORNER)[0]], file["preload/tight/points/corner/displacement"][()], 1e-9)
        assert fields["displacement"][0].any()


def floating():
    """Without supports: without the rigid motions, as points are."""
    bolted.write_case("free.yaml", [TIGHT])
    with open("free.yaml", encoding="utf-8") as case:
        text = case.read()
    with open("free.yaml", "w", encoding="utf-8") as case:
        case.write("".join(line for line in text.splitlines(keepends=True) if not line.startswith("supports")))
    sumali.run("free.yaml")
    with h5py.File("free.h5") as file:
        _, places, _, fields = series("free_tight")
        near("floating", fields["displacement"][1:, at(places, bolted.CORNER)[0]], file["preload/tight/points/corner/displacement"][1:], 1e-8)


def only_if_wanted():
    run("none", ["preload: { name: tight, fields: no }"]).close()
    assert not [name for name in os.listdir() if name.startswith("none_")]
    bolted.write_case("taken.yaml", [TIGHT])
    with open("taken_tight_face.xdmf", "w", encoding="utf-8") as taken:
        taken.write("measured in May")
    environment = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")  # a case that is refused ends where it stands
    done = subprocess.run(sumali.command("run", "taken.yaml", "-q"), env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "taken_tight_face.xdmf: is not a file of fields (XDMF) and will not be replaced" in done.stderr, done


def with_stiffening():
    """The displacement of the mesh that stresses stiffen by is that of the fields after the last stage, found once for both: fields are those without
    stiffening, and frequencies those without fields. Measured: the same to the bit; the solver may round several right-hand sides otherwise than one."""
    modes = "modes: { about: tight, count: 4, joints: stuck }"
    plain, both, alone = TIGHT, TIGHT.replace(" }", ", stiffening: yes }"), TIGHT.replace(" }", ", stiffening: yes, fields: no }")
    frequency, moved = {}, {}
    for name, study in (("plain", plain), ("both", both), ("alone", alone)):
        with run(f"stress_{name}", [study, modes]) as file:
            frequency[name] = file["modes/stuck/frequency"][()]
        if name != "alone":
            moved[name] = series(f"stress_{name}_tight")[3]["displacement"]
    near("fields with stiffening", moved["both"], moved["plain"], 1e-11)
    near("stiffening with fields", frequency["both"], frequency["alone"], 1e-11)
    assert np.max(np.abs(frequency["both"] / frequency["plain"] - 1)) > 1e-8, frequency


def drawn():
    """One picture of the faces, a chapter with its tables, and both studies of modes; what they show was looked at."""
    scripts = os.path.join(sumali.SOURCE, "scripts")
    told = subprocess.run([sys.executable, os.path.join(scripts, "plot"), "bolted.h5", "-o", "pictures"], check=True, capture_output=True, text=True)
    assert {"pictures/tight_face_faces.png", "pictures/slow_contacts.png", "pictures/modes.png", "pictures/bolted_modes.png"} <= set(told.stdout.split()), told
    assert all(os.path.getsize(path) > 10_000 for path in told.stdout.split())
    subprocess.run([sys.executable, os.path.join(scripts, "report"), "bolted.h5"], check=True, capture_output=True)
    with open("bolted.html", encoding="utf-8") as file:
        page = file.read()
    for words in ("Preload tight", "Tensions of the bolts", "b1 [N]", "Faces of face", "Joint face after its stages", "Modes: bolted"):
        assert words in page, words


bolted.write_mesh()
with run("bolted", STUDIES) as result:
    statics(result)
    cycle(result)
    in_time(result)
    mesh_and_faces(result, "bolted")
    whatever_modes_are_kept(result)
on_ranks()
with_loads()
floating()
with_stiffening()
drawn()
only_if_wanted()
