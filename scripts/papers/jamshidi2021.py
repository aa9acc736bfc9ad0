"""jamshidi2021.py - H. Jamshidi, A. Koochakinejad, Analytical determination of Bouc-Wen friction model of two contacted flat rough surfaces in
elastic region, Journal of Theoretical and Applied Vibration and Acoustics (2021): Tables 1 and 2, figures 4, 7 to 9, 14, 15.

The surface of Table 1 is the case below; that of Table 2 and the test rig is cases/jamshidi_rig. The paper's Bouc-Wen model is the law
rough_exponential, its rough interface model the law rough_interface. Not in the text, and ours: the amplitudes of fig. 7, the motion of fig. 8,
the spring of the rig (illegible).
"""
from plots.result import Result

from . import jamshidi2021_claims as claims
from . import jamshidi2021_figures as figures
from . import rows, runs
from .asperities import Asperities, Exponential
from .loops import Loop, loop, sine

TABLE_1 = {"roughness": 0.5e-6, "asperity_radius": 150e-6, "density": 5e8, "young_1": 200e9, "poisson_1": 0.3, "young_2": 200e9, "poisson_2": 0.3,
           "area": 500e-6, "load": 50.0, "friction": 0.3}
SPRINGS = (0.0, 0.2, 0.4)  # k_l by K_T, figs 7 and 9
TOPS = {"pre": 0.7, "slide": 1.5}  # of fig. 7, by x_L
TERMS = ({"amplitude": 0.8, "frequency": 1.0}, {"amplitude": 0.3, "frequency": 5.0})  # of fig. 8, by x_L [Hz]: loops within loops, and slip at the ends
CYCLES, STEPS, FINE = 5, 400, 1200  # steps of a cycle; of the virgin curve
LAWS = {"sum": "rough_interface", "fit": "rough_exponential"}


def laws_of(table, surface):
    return {f"{law}_{table}": {"law": kind, **surface} for law, kind in LAWS.items()}


def bouc_wen(fit):
    """Step 5 of appendix C: the law from its constants."""
    constants = {"stiffness": fit.stiffness, "slip_displacement": fit.slip_motion, "decay": fit.decay, "offset": fit.level}
    return {"law": "bouc_wen_rough", **{key: float(value) for key, value in constants.items()}}


def virgin_loops(table, slip_motion):
    """From rest to where all slips and on, by the sum of asperities and by the exponential fit."""
    path = {"ramp": {"through": [1.2 * slip_motion], "speed": slip_motion}}
    return [loop(f"virgin_{law}_{table}", f"{law}_{table}", path, FINE) for law in LAWS]


def loops_of_table_1(surface):
    """Figs 7 and 9: each path by the fit with springs beside it, by the sum without one, and by the Bouc-Wen law given by its constants."""
    unit = float(surface.slip_motion)
    nested = {"multi_sine": {"terms": [{**term, "amplitude": term["amplitude"] * unit} for term in TERMS], "duration": 2.0}}
    paths = {**{name: sine(top * unit, CYCLES) for name, top in TOPS.items()}, "nested": nested}
    for name, path in paths.items():
        yield loop(f"{name}_sum", "sum_1", path, STEPS)
        yield loop(f"{name}_bouc_wen", "bouc_wen", path, STEPS)
        for share in SPRINGS:
            beside = [{"law": "spring", "stiffness": float(share * surface.stiffness)}] if share else []
            yield loop(claims.with_spring(name, share), ["fit_1", *beside], path, STEPS)


def case_of_loops(surfaces, tables):
    studies = [study for table, surface in surfaces.items() for study in virgin_loops(table, float(surface.slip_motion))]
    return {"title": "Two rough surfaces (Jamshidi, Koochakinejad 2021)",
            "laws": {**laws_of(1, tables[1]), **laws_of(2, tables[2]), "bouc_wen": bouc_wen(Exponential(surfaces[1]))},
            "studies": [*studies, *loops_of_table_1(surfaces[1])]}


def case_of_rig(law):
    """That of cases/, by the sum or by the fit."""
    case = runs.read_case("jamshidi_rig")
    case["laws"]["rough"]["law"] = LAWS[law]
    return case


def compute(job):
    """All loops, and the rig with both laws."""
    tools = runs.tools_of("jamshidi_rig")
    tables = {1: TABLE_1, 2: tools.SURFACE}
    surfaces = {table: Asperities(**values) for table, values in tables.items()}
    with job.clock.part("loops"):
        result = Result(runs.run_case(job.program, case_of_loops(surfaces, tables), job.folder, "loops", 1))
    with job.clock.part("rig"):
        rigs = {law: Result(runs.run_case(job.program, case_of_rig(law), job.folder, f"rig_{law}", 1)) for law in LAWS}
    loops = {name: Loop(result, name) for name in result.file["loop"]}
    steady = {law: [tools.Steady(run) for run in rig.file["transient"].values()] for law, rig in rigs.items()}
    return result, rigs, claims.Judge(surfaces, loops, SPRINGS, TOPS), claims.RigJudge(surfaces[2], steady, tools)


def reproduce(job):
    """The rows; tables are printed and figures drawn on the way."""
    result, rigs, judge, rig = compute(job)
    with job.clock.part("numbers"):
        numbers = [*judge.rows(), *rig.rows()]
        rows.print_table(numbers)
        rows.print_remarks(numbers)
        print("\nWhat eq. 46 gives as it is printed, beside ours (no part of the verdict):\n")
        rows.print_table(list(judge.as_printed()))
        print("\nHow near the two models of the rig are, K_s being assumed: 'excellent agreement' as 5 % (no part of the verdict):\n")
        rows.print_table(list(rig.compared()))
        print("", *judge.remarks(), *rig.remarks(), sep="\n")
    with job.clock.part("figures"):
        for sheet in figures.draw(result, rigs["fit"], judge, rig, job.short):
            job.save(sheet)
    for file in (result, *rigs.values()):
        file.file.close()
    return numbers
