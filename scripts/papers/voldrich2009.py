"""voldrich2009.py - J. Voldrich, Modelling of the three-dimensional friction contact of vibrating elastic bodies with rough surfaces, Applied
and Computational Mechanics 3 (2009): section 2.1, figure 2; section 4, figures 6 and 8 to 10.

Not in the text, and inferred: the contact is between m1 and the ground, 0.02 is the damping of each mode without the contact, the response is
that of m2, R = 0 and k_N = k_T, each of 16 parts has a sixteenth of the stiffness. Fig. 9 with other k_N and R is a study of ours.
"""
import concurrent.futures
import os
import subprocess

from plots.result import Fault, Result

from . import rows, runs
from . import voldrich2009_claims as claims
from . import voldrich2009_curves as balanced
from . import voldrich2009_figures as figures
from .responses import Response, swept
from .voldrich2009_curves import Curves
from .voldrich2009_faces import Faces, case_of_faces
from .rubbing_parts import CYCLES, STEPS
from .voldrich2009_oscillators import Oscillators, case_of_oscillators

CASE = "voldrich_2dof"
FREQUENCIES = (20.0, 52.4)  # [Hz]
SHAPES = {"m1 y": (0.5257, -0.8507), "m2 y": (0.8507, 0.5257)}  # eq. 15
NORMAL_SHAPES = {"m1 x": (0.46531, 0.0), "m1 y": (0.46531, -0.8507), "m2 y": (0.752975, 0.5257)}  # fig. 9
LOADS, NORMAL_LOADS, MOMENT_LOADS = (0, 10, 20, 30, 50, 100, 200, 600), (0, 10, 20, 25, 30, 50, 100, 200, 600), (30, 50, 100, 200, 600)  # [N]
FEW_NORMAL, FEW_MOMENT, FEW_CURVES = (0, 25, 30, 50, 600), (30, 50), (30,)  # when it must be short
FEW_FREQUENCIES = [18.4, 19.25, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 28.0]  # of fig. 8
AREA = {"area": [0.1, 0.1], "parts": [4, 4], "moment": [1.0, 0.0]}  # fig. 10
TOO_LIGHT = 20  # [N] to be pressed with that moment
KUTTA = {"method": "runge_kutta"}  # section 3
FINE = {"steps": 800, "tolerance": 1e-5}  # of what is compared with integrations from event to event
VARIED = {"k_N = 2e4 N/m": (2e4, 0.0), "k_N = 8e4 N/m": (8e4, 0.0), "R = 0.1 mm": (4e4, 1e-4), "R = 1 mm": (4e4, 1e-3)}
VARIED_LOADS = (10, 20, 25, 30, 50, 100)
MOST_CYCLES = 300  # at a frequency of fig. 9


def band(begin, count):
    return {"from": begin, "to": 28.0, "count": count}


def law(tools, load, normal_stiffness, roughness=0.0):
    return {"law": "rough_contact", "normal_stiffness": normal_stiffness, "tangential_stiffness": tools.STIFFNESS, "roughness": roughness, "friction": tools.FRICTION,
            "preload": float(load)}


def case_of_loads(title, shapes, laws, area=None):
    """A structure for each load, side by side: they know nothing of each other. Each is pushed at its m2."""
    points, rows_of_shapes, joints = [], [], {}
    for place, (load, contact) in enumerate(laws.items()):
        for point, shape in shapes.items():
            mass, direction = point.split()
            points.append(f"{mass}_{load} {direction}")
            rows_of_shapes.append([0.0] * 2 * place + list(shape) + [0.0] * 2 * (len(laws) - 1 - place))
        joints[f"contact_{load}"] = {"between": ["ground", f"m1_{load}"], "contact": {"law": contact, **(area or {})}}
    modal = {"frequencies": list(FREQUENCIES) * len(laws), "damping": 0.02, "points": points, "shapes": rows_of_shapes}
    return {"title": f"{title} (Voldrich 2009)", "modal": modal, "joints": joints, "studies": []}


def pushes(tools, loads):
    return [{"harmonic": {"point": f"m2_{load}", "direction": "y", "amplitude": tools.FORCE}} for load in loads]


def watched(loads):
    """m2; how m1 moves is not asked for."""
    return {"points": [f"m2_{load}" for load in loads]}


def case_of_figure_8(job, tools):
    case = case_of_loads("Response of m2, fig. 8", SHAPES, {load: law(tools, load, tools.STIFFNESS) for load in LOADS})
    keys = {"load": pushes(tools, LOADS), "watch": watched(LOADS)}
    checked = sorted({frequency for _, frequency in claims.few(claims.CHECKS_8, job.short)})
    frequencies = FEW_FREQUENCIES if job.short else band(18.0, 101)
    case["studies"] = [swept(frequencies, **keys), swept(frequencies, name="kutta", steps=STEPS, **keys, **KUTTA), swept(checked, name="fine", **keys, **FINE)]
    return case


def case_of_figure_9(tools, loads, frequencies, normal_stiffness, roughness=0.0, checked=()):
    """Up and down; with 0 N, and near the end of the band, some motions never repeat themselves."""
    laws = {load: law(tools, load, normal_stiffness, roughness) for load in loads}
    case = case_of_loads("Response of m2 with motion normal to the faces, fig. 9", NORMAL_SHAPES, laws)
    keys = {"load": pushes(tools, loads), "direction": ["up", "down"], "max_cycles": MOST_CYCLES, "watch": watched(loads)}
    case["studies"] = [swept(frequencies, **keys)]
    if checked:
        case["studies"].append(swept(checked, name="fine", **keys, **FINE))
    return case


def case_of_masses():
    """Modes and stepped sines of the case of the project."""
    case = runs.read_case(CASE)
    case["studies"] = [study for study in case["studies"] if "method" not in study.get("response", {})]
    return case


def loads_of_curves(short):
    return {"fig_8": LOADS, "fig_9": FEW_CURVES if short else NORMAL_LOADS}


def cases_of_curves(job, tools):
    """By harmonic balance, a load at a time."""
    shapes = {"fig_8": SHAPES, "fig_9": NORMAL_SHAPES}
    for figure, loads in loads_of_curves(job.short).items():
        for load in loads:
            case = case_of_loads(f"Response of m2, {figure.replace('_', '. ')}, {load} N", shapes[figure], {load: law(tools, load, tools.STIFFNESS)})
            case["studies"] = list(balanced.studies_of(figure, load, pushes(tools, (load,)), watched((load,)), job.short))
            yield balanced.name_of(figure, load), case


def from_rest(tools, load, frequency):
    """The method of section 3 for as long as numpy's does."""
    harmonic = {"point": f"m2_{load}", "direction": "y", "amplitude": tools.FORCE, "frequency": frequency}
    return {"transient": {"name": claims.rest_name(load, frequency), "time_step": 1 / (frequency * STEPS), "steps": STEPS * CYCLES, "load": {"harmonic": harmonic},
                          "watch": {**watched((load,)), "joints": "none", "energy": False}, **KUTTA}}


def case_of_figure_10(tools, loads, frequencies, checked=()):
    case = case_of_loads("Response of m2 under a moment of the preload, fig. 10", SHAPES, {load: law(tools, load, tools.STIFFNESS) for load in loads}, AREA)
    case["studies"] = [swept(frequencies, pushes(tools, loads), watch=watched(loads)), *(from_rest(tools, *check) for check in checked)]
    return case


def cases(job, tools):
    """All that is computed, the longest first."""
    checked = sorted({frequency for _, frequency, _ in claims.few(claims.CHECKS_9, job.short)})
    loads, frequencies = (FEW_NORMAL, band(22.0, 11)) if job.short else (NORMAL_LOADS, band(18.0, 101))
    yield "fig_9", case_of_figure_9(tools, loads, frequencies, tools.STIFFNESS, checked=checked)
    loads, frequencies = (FEW_MOMENT, {"from": 20.0, "to": 24.0, "count": 11}) if job.short else (MOMENT_LOADS, band(18.0, 51))
    yield "fig_10", case_of_figure_10(tools, loads, frequencies, claims.few(claims.CHECKS_10, job.short))
    for number, (normal_stiffness, roughness) in enumerate(VARIED.values(), 1):
        if not job.short:
            yield claims.varied_name(number), case_of_figure_9(tools, VARIED_LOADS, band(21.0, 36), normal_stiffness, roughness)
    yield "fig_8", case_of_figure_8(job, tools)
    yield from cases_of_curves(job, tools)
    yield "fig_6", case_of_oscillators()
    yield "fig_2", case_of_faces()
    yield "lumped", case_of_masses()


def compute(job, tools):
    """The results, open; as many cases at a time as there are ranks."""
    with job.clock.part("dovetail"), concurrent.futures.ThreadPoolExecutor(job.ranks) as pool:
        found = {name: pool.submit(runs.run_case, job.program, case, job.folder, name, 1) for name, case in cases(job, tools)}
        return {name: Result(result.result()) for name, result in found.items()}


def refusal(job, tools):
    """What dovetail says of a preload that cannot take the moment."""
    path = runs.write_case(case_of_figure_10(tools, (TOO_LIGHT,), band(18.0, 2)), job.folder, "fig_10_too_light")
    done = subprocess.run([job.program, "check", path], env=runs.ENVIRONMENT, capture_output=True, text=True)
    if done.returncode != 2:
        raise Fault(f"{path}: is not refused, exit code {done.returncode}")
    return done.stderr.strip().replace(os.path.dirname(path) + os.sep, "")


def reproduce(job):
    """The rows; tables are printed and figures drawn on the way."""
    tools = runs.tools_of(CASE)
    results = compute(job, tools)
    sweeps = {name: Response(result) for name, result in results.items() if "response/sweep" in result.file}
    curves = Curves(results, loads_of_curves(job.short), job.short)
    fine = {name: Response(results[name], "fine") for name in ("fig_8", "fig_9")}
    section_3 = claims.Section3(Response(results["fig_8"], "kutta"), results["fig_10"].file)
    with job.clock.part("scipy"):
        faces, oscillators = Faces(results["fig_2"]), Oscillators(results["fig_6"], tools)
        judge = claims.Judge(tools, (FREQUENCIES, SHAPES, NORMAL_SHAPES, AREA), sweeps, fine, section_3, results["lumped"], refusal(job, tools), curves)
        numbers = [*faces.rows(), *oscillators.rows(), *judge.rows(), *curves.rows(judge)]
    rows.print_table(numbers)
    rows.print_remarks(numbers)
    print("\nThe same words read more strictly than above, where the paper leaves it open (no part of the verdict):\n")
    strictly = list(judge.read_strictly())
    rows.print_table(strictly)
    rows.print_remarks(strictly)
    print("", *oscillators.remarks(), *judge.remarks(list(VARIED)), *curves.remarks(results), sep="\n")
    with job.clock.part("figures"):
        for sheet in figures.draw(results, faces, oscillators, judge, curves, VARIED, job.short):
            job.save(sheet)
    for result in results.values():
        result.file.close()
    return numbers
