"""jalali2022.py - H. Jalali et al., Mechanical Systems and Signal Processing 179 (2022) 109339, the generalized Valanis model: sections 2 and 3,
the oscillator of figure 1 with each of its joints, the closed forms, and what the linear least squares of section 2.3 find of Tables 2 to 5;
sections 4.2, 5.2 and 5.3, the bolted flange as a beam (jalali2022_beam.py), and sections 4.1 and 5.1, as a solid (jalali2022_solid.py).

The case of sections 2 and 3 is that of cases/jalali_sdof. Here loops are identified twice: from displacement and force alone, as the paper does, and
with the slopes dF/dx that the law itself has, which leaves nothing to differentiation.
"""
import os

import h5py
import numpy as np

from plots.result import Result

from . import jalali2022_beam as beam
from . import jalali2022_figures as figures
from . import jalali2022_fits as fits
from . import jalali2022_loops as loops
from . import jalali2022_solid as solid
from . import jalali2022_table_6 as table_6
from . import rows, runs

CASE = "jalali_sdof"


def compute_loops(job, tools):
    """The last period of every oscillator, and the identifications from displacement and force; the open result."""
    with job.clock.part("loops"):
        case = runs.read_case(CASE)
        transient = runs.transient_of(case, "steady")
        begin = transient["time_step"] * transient["steps"] - tools.PERIOD
        case["studies"] += [*loops.studies(), *fits.studies_of_motion(begin)]
        result = Result(runs.run_case(job.program, case, job.folder, "loops", 1))  # a single run: one rank
    return result, {name: tools.Loop(result.file, name) for name in tools.SLOPES}


def write_records(path, found, tools):
    """Steady loops with exact slopes; and that of example 3 as scipy finds it, for the law of the case has only the beginning of exp's series."""
    with h5py.File(path, "w") as file:
        for name, loop in found.items():
            x, v, force = loop.reference() if name == "example_3" else (loop.x, loop.v, loop.force)
            slope = tools.SLOPES[name](np.sign(v), x, v, force)
            for key, values in zip(("time", "displacement", "velocity", "force", "slope"), (loop.time, x, v, force, slope)):
                file[f"{name}/{key}"] = values


def identify_exactly(job, found, tools):
    """The identifications with exact slopes; the open result."""
    with job.clock.part("exact slopes"):
        records = os.path.join(job.folder, "records.h5")
        write_records(records, found, tools)
        case = {"title": "Loops with exact slopes (Jalali et al. 2022)", "studies": fits.studies_of_records(records)}
        return Result(runs.run_case(job.program, case, job.folder, "exact", 1))


def reproduce(job):
    """The rows; tables are printed and figures drawn on the way."""
    tools = runs.tools_of(CASE)
    result, found = compute_loops(job, tools)
    exact = identify_exactly(job, found, tools)
    beam_tools, flange = beam.compute(job)
    with job.clock.part("numbers"):
        identified = fits.read_all(result, exact)
        table = [*loops.rows(result, found, tools), *fits.rows(identified, found, tools), *beam.rows(flange, beam_tools)]
        rows.print_table(table)
        rows.print_remarks(table)
        fits.print_tables(identified)
        loops.print_errata(found, tools)
        loops.print_series(found)
    table += solid.report(job, table_6.rows)
    with job.clock.part("figures"):
        for sheet in figures.draw(result, found, identified, tools, job.short):
            job.save(sheet)
        for sheet in beam.draw(flange, beam_tools, job.short):
            job.save(sheet)
    for each in (result, exact, *flange.values()):
        each.file.close()
    return table
