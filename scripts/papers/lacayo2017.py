"""lacayo2017.py - R.M. Lacayo, B.J. Deaner, M.S. Allen, A numerical study on the limitations of modal Iwan models for impulsive excitations,
Journal of Sound and Vibration 390 (2017): both its systems, every number, its figures.

The cases are those of cases/three_mass and cases/sumali, which hold the paper's Procedures I to III. Here they go on: the modal models of
Tables 3 and 5, with which the paper compares, and ours, each at so many levels that every amplitude of an impact is covered.
"""
import math

from . import lacayo2017_claims as claims
from . import lacayo2017_figures as figures
from . import lacayo2017_tables as tables
from . import rows, runs
from .lacayo2017_curves import System

# The paper's names of the places that are hit: p2 is an outer bolt and p3 an inner one, see cases/sumali/README.md.
PLACES = {"three_mass": {"u1": "u1", "u2": "u2", "u3": "u3"}, "sumali": {"p1": "p1", "p2": "bolt1_lower", "p3": "bolt2_lower"}}
KEYS = ("stiffness", "damping", "slip_force", "tangent", "chi", "beta")
# Slip amplitudes that the models' motions begin at, least and most, from one to the next by RATIO; by linear damping alone CYCLES make half of it.
LADDER, RATIO, CYCLES, STEPS_A_CYCLE, SAMPLES_EVERY = {"three_mass": (4e-4, 4000), "sumali": (4e-6, 1000)}, 3.0, 1100, 100, 5

MODELS = ("published", "fitted")
PRECISE = {"beta": 1 / 12}  # of Newmark's rule: the period of one oscillator to the fourth order in the step
ACCEPT = {"accept_frequency": 1, "accept_damping": 10, "cycles": 1.5, "drop": 0.15, "max_points": 200}  # one mode alone: nothing else is in its motion


def published_model(tools):
    """Table 3 or 5 as a study."""
    return {"modal_iwan": {"name": "published", "modes": [{"mode": mode, **dict(zip(KEYS, values))} for mode, values in tools.FITS.items()]}}


def ladder(iwan, fits, span):
    """Runs of modal models from many amplitudes, eq. 28."""
    count = math.ceil(math.log(span[1] / span[0]) / math.log(RATIO)) + 1
    table = []
    for mode, values in fits.items():
        model = iwan(*values)
        omega = model.omega_0
        levels = [float(2 / math.pi * omega**2 * model.limit * span[0] * RATIO**k) for k in range(count)]
        step = 2 * math.pi / omega / STEPS_A_CYCLE
        table.append({"mode": mode, "joints": "stuck", "level": levels, "time_step": float(step), "steps": CYCLES * STEPS_A_CYCLE})
    return table


def without_modal(studies):
    """All but the modal models at the levels of the tables, and the comparison with them: ours cover more."""
    return [study for study in studies if study.get("transient", {}).get("name") != "modal" and study.get("ring_down", {}).get("of") != "modal"
            and "compare" not in study]


def models_over_all(name, tools, iwan):
    """Studies: the published models and ours over all amplitudes, and how far the impacts are from each."""
    modes = list(tools.FITS)
    yield published_model(tools)
    for model in MODELS:
        motion = f"{model}_model"
        watch = {"points": "none", "modes": modes, "joints": "none", "energy": False}
        yield {"transient": {"name": motion, "model": model, "every": SAMPLES_EVERY, **PRECISE, "load": {"half_sine": {"shape": {"mode": modes[0]}}},
                             "watch": watch, "runs": ladder(iwan, tools.FITS, LADDER[name])}}
        yield {"ring_down": {"of": motion, **ACCEPT}}
        yield {"compare": {"name": f"by_{model}", "truth": "impact", "model": motion, "fit": model}}


def extended(name, tools, iwan):
    """The case with what the paper compares with; nothing is recorded that is not used."""
    case = runs.read_case(name)
    for study in ("selective", "impact"):
        transient = runs.transient_of(case, study)
        transient["watch"] = dict(transient["watch"], points="none", joints="none", energy=False)
        transient.pop("fields", None)
    case["studies"] = [*without_modal(case["studies"]), *models_over_all(name, tools, iwan)]
    return case


def compute(job):
    """Both systems, run and opened; and the closed forms of a modal Iwan model."""
    tools = {name: runs.tools_of(name) for name in PLACES}
    iwan = tools["three_mass"].ModalIwan
    systems = {}
    for name in PLACES:
        with job.clock.part(name):
            result = runs.run_case(job.program, extended(name, tools[name], iwan), job.folder, name, job.ranks)
        systems[name] = System(result, name, tools[name], iwan, PLACES[name])
    return systems, iwan


def reproduce(job):
    """The rows; tables are printed and figures drawn on the way."""
    systems, iwan = compute(job)
    with job.clock.part("numbers"):
        found = [*tables.rows(systems, iwan), *claims.rows(systems, iwan)]
        rows.print_table(found)
        rows.print_remarks(found)
        print("\nThe same with the modal models that we fitted, in place of the paper's (no part of the verdict):\n")
        rows.print_table(claims.of_model(systems, "fitted"))
        print("\nThe same words read more strictly than above, where the paper leaves it open (no part of the verdict):\n")
        rows.print_table(list(claims.read_strictly(systems, iwan)))
        print(*claims.unmatched(systems["sumali"]), sep="\n")
    with job.clock.part("figures"):
        for sheet in figures.draw(systems, job.short):
            job.save(sheet)
    for system in systems.values():
        system.close()
    return found
