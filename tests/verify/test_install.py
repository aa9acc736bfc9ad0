#!/usr/bin/env python3
"""test_install.py - what `cmake --install` puts into an empty folder works from there, wherever one is: no sources, nothing but PATH."""
import os
import re
import shutil
import subprocess
import tempfile

BUILD = os.path.dirname(os.environ["DOVETAIL_PROGRAM"])
SANITIZED = "ASAN_OPTIONS" in os.environ
if SANITIZED:
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0"
CASE = """\
title: A mass
masses: { block: { mass: 2 } }
springs: [ { between: [ground, block], stiffness: 8e4 } ]
studies: [ { modes: {} } ]
"""
COMPLETE = 'source "$1"; COMP_WORDS=("${@:2}"); COMP_CWORD=$(($# - 2)); _dovetail; printf "%s\\n" "${COMPREPLY[@]}"'


def run(prefix, *command, code=0):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("DOVETAIL_")}
    environment["PATH"] = os.path.join(prefix, "bin") + ":/usr/bin:/bin"
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == code, (command, done.returncode, done.stdout, done.stderr)
    return done.stdout


def install():
    """Into an empty folder, by the cmake that built it."""
    prefix = os.path.abspath("prefix")
    subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    return prefix


def a_case_is_run_drawn_and_reported(prefix):
    with open("a.yaml", "w", encoding="utf-8") as file:
        file.write(CASE)
    assert "31.831" in run(prefix, "dovetail", "run", "a.yaml"), "sqrt(8e4 / 2) / 2 pi"
    assert run(prefix, "dovetail-plot", "a.h5").split() == ["a_pictures/modes.png"]
    assert run(prefix, "dovetail-report", "a.h5").strip() == os.path.abspath("a.html")
    assert os.path.getsize("a_pictures/modes.png") > 5000 and os.path.getsize("a.html") > 10000


def papers_find_the_program_and_their_cases(prefix):
    studies = run(prefix, "dovetail-reproduce", "--help").replace("\n", " ")
    assert "lacayo2017" in studies and "voldrich2009" in studies, studies
    asks = "import sys; sys.path.insert(0, sys.argv[1]); from papers import runs; print(runs.find_program(None)); print(len(runs.read_case('sumali')['studies']))"
    program, count = run(prefix, "/usr/bin/python3", "-c", asks, os.path.join(prefix, "share", "dovetail", "scripts")).split()
    assert program == os.path.join(prefix, "bin", "dovetail") and int(count) > 3


def manuals_tell_what_the_help_tells(prefix):
    """Each kind of study and each law has a section; groff sets both pages without a word."""
    pages = {section: os.path.join(prefix, "share", "man", f"man{section}", f"dovetail.{section}") for section in (1, 5)}
    with open(pages[5], encoding="utf-8") as file:
        headings = re.findall(r"^\.SH (.*)$", file.read(), re.M)
    kinds = re.findall(r"^  (\w+) ", run(prefix, "dovetail", "help", "studies"), re.M)
    laws = re.findall(r"^(\w+) ", run(prefix, "dovetail", "help", "laws"), re.M)
    assert len(kinds) > 10 and len(laws) > 10
    assert headings == ["NAME", "CASE FILE", "PARAMETER STUDY", "UPDATE BY MEASUREMENTS",
                        *(f"STUDY {kind}" for kind in kinds), "LAWS", *(f"LAW {law}" for law in laws), "ELEMENTS"], headings
    for page in pages.values() if shutil.which("groff") else ():
        done = subprocess.run(["groff", "-man", "-Tascii", "-ww", page], capture_output=True, text=True, check=True)
        assert not done.stderr and "dovetail" in done.stdout, done.stderr


def words_are_completed(prefix):
    script = os.path.join(prefix, "share", "bash-completion", "completions", "dovetail")

    def complete(*words):
        return set(run(prefix, "bash", "-c", COMPLETE, "bash", script, "dovetail", *words).split())

    commands = set(re.findall(r"^  dovetail ([a-z]+)", run(prefix, "dovetail", "help"), re.M))
    assert complete("") == commands | {"--help", "--version"} and {"run", "check"} <= commands
    assert complete("ch") == {"check"}
    assert "--resume" in complete("run", "--")
    assert complete("help", "la") == {"laws"} and complete("help", "laws", "iw") == {"iwan4"}
    assert "a.yaml" in complete("run", "") and "a.h5" not in complete("run", "")
    assert "a.h5" in complete("info", "") and "a.yaml" not in complete("info", "")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prefix = install()
        a_case_is_run_drawn_and_reported(prefix)
        papers_find_the_program_and_their_cases(prefix)
        manuals_tell_what_the_help_tells(prefix)
        words_are_completed(prefix)
        os.chdir("/")


if __name__ == "__main__":
    main()
