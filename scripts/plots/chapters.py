"""chapters.py - the chapters of a report: what is told of a result, and in which order."""
import os

from . import balanced, compared, contact_loops, contacts, driven, energies, fitted_modes, iwan, laws, loops, model, modes, nonlinear, overview, polynomials, preloads, responses, ringdown, shapes, spectra, tables, updated, varied
from .page import beside, folded, listing, paragraph, table
from .result import as_text

MOST_JOINTS = 12  # directions whose loops are drawn
MOST_RUNS = 2  # whose table stands on one page with their figures
MOST_TABLES = 6  # of a study without a chapter of its own, that are not folded
MOST_TEXT = 200_000  # letters of a case
OF_THE_CASE = ("case", "system")  # groups of a result that are no study's


def names_of(runs, every):
    """Their names, those that follow each other as `first to last`."""
    groups = []
    for run in runs:
        place = every.index(run)
        if groups and groups[-1][-1] == place - 1:
            groups[-1].append(place)
        else:
            groups.append([place])
    return ", ".join(every[group[0]].name + (f" to {every[group[-1]].name}" if len(group) > 1 else "") for group in groups)


def caption_of(sheet, study=None):
    """What the figure shows, and what it leaves out."""
    words = [sheet.title.partition(": ")[2] or sheet.title]
    words[0] = words[0][0].upper() + words[0][1:]
    if study and sheet.runs:
        left = [run for run in study.begun if run not in sheet.runs]
        if left:
            words.append(f"{len(sheet.runs)} of {len(study.begun)} runs are drawn, from the smallest to the largest motion; left out: {names_of(left, study.begun)}")
    return "; ".join(filter(None, [*words, sheet.note])) + "."


def title_of(kind):
    return kind.replace("_", " ")


def kinds_of(result):
    """The kinds of study that a result has something of: those with a chapter of their own in its order, then the others."""
    found = [name for name, item in result.file.items() if name not in OF_THE_CASE and hasattr(item, "items")]
    return [kind for kind in CHAPTERS if kind in found] + [kind for kind in found if kind not in CHAPTERS]


def write(page, result):
    """All chapters."""
    for kind in kinds_of(result):
        if kind in CHAPTERS:
            CHAPTERS[kind](page, result)
        else:
            write_plain(page, result, kind)


def cut(words):
    return words if len(words) <= MOST_TEXT else words[:MOST_TEXT] + f"\n... cut here: {len(words):,} letters in all"


def head(result):
    """State and origin of the result, and the case."""
    case = result.case
    wanted = {"Result": result.name, "Program": f"dovetail {case.get('version', '?')}, commit {case.get('commit', '?')}",
              "Date": str(case.get("date", "?")).replace("T", " ").replace("Z", " UTC"), "MPI ranks": str(case.get("ranks", "?")),
              "State": "complete" if result.complete else "NOT COMPLETE", "Size of the file": f"{os.path.getsize(result.path) / 1e6:.3g} MB",
              "Computed": summary(result)}
    parts = [beside([table(["", ""], [[key, value] for key, value in wanted.items()], "Computation", "case-table"), *model.summary(result)])]
    if not result.complete:
        parts.insert(0, paragraph("This result is not complete: the computation goes on, was stopped, or was broken off. "
                                  "What is reported is what the file holds; `dovetail run CASE --resume` goes on with it.", "warning"))
    odd = [f"{run.name}: {run.end}" for study in result.studies for run in study.runs if run.end]
    if odd:
        more = f"; and {len(odd) - 5} more, see the tables" if len(odd) > 5 else ""
        parts.append(paragraph(f"{len(odd)} run{'s' * (len(odd) > 1)} did not end as asked: {'; '.join(odd[:5])}{more}.", "warning"))
    for key, title in (("text", "The case file"), ("values", "Every value used, defaults among them")):
        words = str(case.get(key, ""))
        if words:
            parts.append(folded(f"{title} ({words.count(chr(10)) + 1} lines)", listing(cut(words))))
    return parts


def summary(result):
    """What was computed, in one line."""
    parts = [f"{max(len(group['omega']) for group in result.modes.values())} modes"] if result.modes else []
    parts += [f"{len(study.runs)} run{'s' * (len(study.runs) != 1)} of {study.name}" for study in result.studies]
    parts += [f"{title_of(kind)} of {len(result.file[kind])}" for kind in kinds_of(result) if kind not in ("modes", "transient")]
    return ", ".join(parts) or "nothing yet"


def write_modes(page, result):
    """A chapter for each study of modes."""
    for name, found in result.modes_by_study.items():
        page.chapter(f"Modes: {name}" if name else "Modes")
        solid = shapes.fields_beside(result, name)
        page.add(tables.of_modes(result, name))
        for sheet in shapes.draw_sheet(result, name, solid) if solid else ():
            page.figure(sheet, caption_of(sheet))
        points = ((sheet, caption_of(sheet)) for sheet in modes.draw_study(result, name))
        if solid:
            page.folded_figures("Mode shapes at points", points)
        else:
            for sheet, caption in points:
                page.figure(sheet, caption)
        for state, group in found.items():
            if "effective_mass" in group and (state == "stuck" or result.has_joints):
                page.add(folded(f"Effective masses, {state}", tables.of_effective_masses(result, state, group)))


def write_preloads(page, result):
    """A chapter for each preload."""
    for preload in preloads.preloads_of(result):
        page.chapter(preload.title)
        page.add(*tables.of_preload(preload))
        for sheet in preloads.draw(preload):
            page.figure(sheet, caption_of(sheet))


def write_studies(page, result):
    """A chapter for each transient study: on a page a few of its runs, all of them in numbers; the rest is folded."""
    for study in result.studies:
        page.chapter(f"Transient {study.name}")
        models = dict.fromkeys(as_text(run.group.attrs["model"]) for run in study.runs if "model" in run.group.attrs)
        if models:
            page.add(paragraph(f"What moves here is the modal Iwan model {', '.join(models)}."))
        runs = tables.of_runs(study)
        page.add(runs if len(study.runs) <= MOST_RUNS else folded(f"Runs ({len(study.runs)} rows)", runs))
        if not study.begun:
            page.add(paragraph("No run has come beyond its start."))
            continue
        for sheet in (*overview.draw(study), *contacts.draw(study)):
            page.figure(sheet, caption_of(sheet, study))
        more = {"Hysteresis loops": loops.draw(study, MOST_JOINTS), "Energies": energies.draw(study) if any(run.joints for run in study.begun) else ()}
        for title, sheets in more.items():
            page.folded_figures(title, ((sheet, caption_of(sheet, study)) for sheet in sheets))
        balance = tables.of_energies(study)
        page.add(folded("Energy balance of each run", balance) if balance else "")


def write_responses(page, result):
    """A chapter for each frequency response."""
    for response in responses.responses_of(result):
        page.chapter(f"Response {response.name}")
        if not response.begun:
            page.add(paragraph("No frequency has been reached."))
        for sheet in responses.draw(response):
            page.figure(sheet, caption_of(sheet))
        page.add(*tables.of_response(response))
    for response in balanced.responses_of(result):
        page.chapter(f"Response {response.name}")
        for sheet in balanced.draw(response):
            page.figure(sheet, caption_of(sheet))
        page.add(*tables.of_balanced(response))


def write_spectra(page, result):
    """A chapter for each study of random motions."""
    for found in spectra.spectra_of(result):
        page.chapter(f"Spectrum {found.name}")
        if not found.begun:
            page.add(paragraph("Nothing moved, or no run was complete."))
        for sheet in spectra.draw(found):
            page.figure(sheet, caption_of(sheet))
        page.add(tables.of_spectrum(found))


def write_loops(page, result):
    """A section for each study of laws along a path."""
    studies, of_contacts = driven.loops_of(result), contact_loops.contact_loops_of(result)
    if studies or of_contacts:
        page.chapter("Loops of laws")
    for loop in studies:
        page.section(f"{loop.name}: {loop.laws} along a {loop.path}")
        for sheet in driven.draw(loop):
            page.figure(sheet, caption_of(sheet))
        page.add(*tables.of_loop(loop))
    for loop in of_contacts:
        page.section(f"{loop.name}: contact {loop.law} moved by {loop.path}")
        for sheet in contact_loops.draw(loop):
            page.figure(sheet, caption_of(sheet))
        page.add(*tables.of_contact_loop(loop))


def write_polynomials(page, result):
    """A section for each polynomial fit."""
    fits = polynomials.fits_of(result)
    if fits:
        page.chapter("Polynomial fits")
    for found in fits:
        page.section(f"{found.name}: {found.data}, branch {found.branch}")
        if found.remark:
            page.add(paragraph(f"Stopped: {found.remark}."))
        for sheet in polynomials.draw(found):
            page.figure(sheet, caption_of(sheet))
            page.add(tables.of_polynomial(found))


def write_laws(page, result):
    """A section for each law that was fitted."""
    fits = laws.fits_of(result)
    if fits:
        page.chapter("Fits of laws")
    for found in fits:
        page.section(f"{found.name}: {found.law}")
        if found.remark:
            page.add(paragraph(f"No law was found: {found.remark}."))
        for sheet in laws.draw(found):
            page.figure(sheet, caption_of(sheet))
            page.add(tables.of_law(found))


def write_fitted_modes(page, result):
    """A section for each fit of numbers to frequencies."""
    fits = fitted_modes.fits_of(result)
    if fits:
        page.chapter("Numbers from natural frequencies")
    for found in fits:
        page.section(f"{found.name}: {found.reason}")
        for sheet in fitted_modes.draw(found):
            page.figure(sheet, caption_of(sheet))
            page.add(*tables.of_fitted_modes(found))


def write_nonlinear_modes(page, result):
    """A chapter for each study of nonlinear modes."""
    for study in nonlinear.modes_of(result):
        page.chapter(f"Nonlinear modes {study.name}")
        if not study.begun:
            page.add(paragraph("No point was reached."))
        for sheet in nonlinear.draw(study):
            page.figure(sheet, caption_of(sheet))
        page.add(*tables.of_nonlinear_modes(study))


def write_ring_downs(page, result):
    for study in ringdown.studies_of(result):
        page.chapter(study.title)
        if not study.subjects:
            page.add(paragraph("No point was retained."))
        for sheet in ringdown.draw(study):
            page.figure(sheet, caption_of(sheet))
        page.add(tables.of_ring_downs(study), tables.of_record_peaks(study))


def write_models(page, result):
    """A chapter for each study of modal Iwan models."""
    for name, groups in iwan.groups_of(result).items():
        page.chapter(f"Modal Iwan models {name}")
        for sheet in iwan.draw(result, name):
            page.figure(sheet, caption_of(sheet))
        page.add(*tables.of_iwan(name, groups))


def write_comparisons(page, result):
    """A chapter for each comparison of decays with models."""
    for found in compared.comparisons_of(result):
        page.chapter(f"Comparison {found.name}")
        for sheet in compared.draw(found):
            page.figure(sheet, caption_of(sheet))
        page.add(tables.of_comparison(found))
        if not found.subjects and not found.table:
            page.add(*tables.of_group(found.name, found.group))


def write_samples(page, result):
    """A chapter of the samples of a case."""
    for found in varied.studies_of(result):
        page.chapter(found.title)
        if not found.is_whole:
            page.add(paragraph("Not all samples are computed: there are no statistics yet."))
        for sheet in varied.draw(found):
            page.figure(sheet, caption_of(sheet))
        page.add(*tables.of_samples(found))


def write_update(page, result):
    """A chapter of the numbers that were found from targets."""
    for found in updated.searches_of(result):
        page.chapter(f"Numbers from targets: {found.reason}")
        for sheet in updated.draw(found):
            page.figure(sheet, caption_of(sheet))
        page.add(*tables.of_update(found))


def write_plain(page, result, kind):
    """A chapter of tables, of a kind of study that has none of its own."""
    page.chapter(title_of(kind).capitalize())
    parts = tables.of_group(kind, result.file[kind])
    page.add(*parts[:MOST_TABLES])
    if len(parts) > MOST_TABLES:
        page.add(folded(f"{len(parts) - MOST_TABLES} more tables", "\n".join(parts[MOST_TABLES:])))


CHAPTERS = {"preload": write_preloads, "modes": write_modes, "transient": write_studies, "response": write_responses, "spectrum": write_spectra, "nonlinear_modes": write_nonlinear_modes, "loop": write_loops, "ring_down": write_ring_downs,
            "modal_iwan": write_models, "compare": write_comparisons, "fit_polynomial": write_polynomials, "fit_law": write_laws,
            "fit_modes": write_fitted_modes, "vary": write_samples, "update": write_update}
