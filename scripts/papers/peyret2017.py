"""peyret2017.py - N. Peyret, M. Rosatello, G. Chevallier, J.-L. Dion, A Mindlin derived Dahl friction model, Mechanism and Machine Theory
117 (2017): the models of section 3 along its three excitations, its figures 3 to 8.

Parameters are those of section 3. Not in the text, and ours: the amplitudes of the growing sine of fig. 7, which begins in micro-slip and
ends in macro-slip.
"""
from plots.result import Result, texts

from . import peyret2017_claims as claims
from . import peyret2017_figures as figures
from . import rows, runs
from .loops import Loop, loop, sine
from .mindlin import Mindlin

CONTACT = Mindlin(friction=0.3, load=100.0, radius=0.0027, compliance=4.42e-11)
PRINTED_STIFFNESS, ALPHA = 4.839e8, 1 / 3
LEVELS, CYCLES = {"micro": 0.8, "macro": 1.2}, 5
GROWING = {"from": 0.4 * CONTACT.slip_motion, "to": 1.6 * CONTACT.slip_motion, "cycles": CYCLES, "frequency": 1.0, "growth": "exponential"}
STEPS, FEW = 400, 4  # of a cycle; of a ramp
SMALL = 1e-7  # of delta_c: a step that shows a tangent


def full_dahl(stiffness):
    return {"law": "mindlin_dahl", "stiffness": stiffness, "slip_force": CONTACT.slip_force, "alpha": ALPHA}


def simplified(top):
    """T* is the force that Mindlin's contact has at the end of its first loading."""
    return {**full_dahl(PRINTED_STIFFNESS), "law": "mindlin_dahl_simplified", "cycle_force": float(CONTACT.loading(top))}


def laws():
    return {
        "mindlin": {"law": "mindlin", "contact_radius": CONTACT.radius, "shear_modulus": 1 / CONTACT.compliance, "friction": CONTACT.friction, "load": CONTACT.load},
        "full": full_dahl(PRINTED_STIFFNESS),
        "exact": full_dahl(CONTACT.stiffness),
        "dahl": {**full_dahl(CONTACT.stiffness), "law": "dahl"},
        **{f"simplified_{name}": simplified(level * CONTACT.slip_motion) for name, level in LEVELS.items()},
    }


def fit_of_dahl():
    """Section 2.4 the other way round: which of Dahl's laws with memory is Mindlin's loop."""
    find = {"stiffness": {"start": 1e8, "least": 1e6, "most": 1e11}, "alpha": {"start": 0.8, "least": 0.0, "most": 1.0}}
    return {"fit_law": {"name": "dahl", "law": {"law": "mindlin_dahl", "slip_force": CONTACT.slip_force}, "find": find, "data": [{"of": "micro_mindlin"}]}}


def case():
    """Every law along every path that it is compared on; from rest and from a reversal by a step that shows the tangent; and the fit."""
    studies = []
    for name, level in LEVELS.items():
        path = sine(level * CONTACT.slip_motion, CYCLES)
        studies += [loop(f"{name}_{law}", law, path, STEPS) for law in ("mindlin", "full", "exact")]
        studies.append(loop(f"{name}_simplified", f"simplified_{name}", path, STEPS))
    studies += [loop(f"growing_{law}", law, {"growing_sine": dict(GROWING)}, STEPS) for law in ("mindlin", "full", "exact")]
    top, step = LEVELS["micro"] * CONTACT.slip_motion, SMALL * CONTACT.slip_motion
    path = {"ramp": {"through": [step, top, top - step], "speed": top}}
    studies += [loop(f"tangent_{law}", law, path, FEW) for law in ("mindlin", "dahl")]
    studies.append(fit_of_dahl())
    return {"title": "A Mindlin derived Dahl friction model (Peyret, Rosatello, Chevallier, Dion 2017)", "laws": laws(), "studies": studies}


def compute(job):
    with job.clock.part("loops"):
        result = Result(runs.run_case(job.program, case(), job.folder, "peyret2017", 1))
    return result, {name: Loop(result, name) for name in result.file["loop"]}


def reproduce(job):
    """The rows; tables are printed and figures drawn on the way."""
    result, found = compute(job)
    fit = result.file["fit_law/dahl"]
    judge = claims.Judge(CONTACT, PRINTED_STIFFNESS, LEVELS, GROWING, SMALL, found, dict(zip(texts(fit["names"][:]), fit["value"][:])))
    with job.clock.part("numbers"):
        numbers = list(judge.rows())
        rows.print_table(numbers)
        rows.print_remarks(numbers)
        print("\nWhat the paper says otherwise than the errata, beside ours (no part of the verdict):\n")
        rows.print_table(list(judge.as_printed()))
        print("\nThe same words of the paper's own models, where ours have a memory (no part of the verdict):\n")
        strictly = list(judge.read_strictly())
        rows.print_table(strictly)
        rows.print_remarks(strictly)
        print(*judge.remarks(), sep="\n")
    with job.clock.part("figures"):
        for sheet in figures.draw(result, judge, job.short):
            job.save(sheet)
    result.file.close()
    return numbers
