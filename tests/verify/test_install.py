#!/usr/bin/env python3
"""test_install.py - what `cmake --install` puts into an empty folder works from there, wherever one is: no sources, nothing but PATH."""
import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time

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


# Zsh puts all that it would offer into the line at ^X, and prints the line before it is run, which nothing does then.
ZSH = """PROMPT='ready> '; PS2=; unsetopt prompt_sp zle_bracketed_paste 2>/dev/null; unset zle_bracketed_paste
fpath=($1 $fpath); autoload -Uz compinit; compinit -u -D
zstyle ':completion:all:*' completer _all_matches _complete
zstyle ':completion:all:*' insert true
zstyle ':completion:*' list-prompt ''; zstyle ':completion:*' squeeze-slashes true
zle -C all complete-word _generic; bindkey '^X' all
accept() { print -r -- $'\\n'"LINE<$BUFFER>"; BUFFER=; zle .accept-line }; zle -N accept-line accept
"""


class Zsh:
    """An interactive shell on a terminal of its own, as nothing else completes."""

    def __init__(self, prefix):
        environment = {"PATH": os.path.join(prefix, "bin") + ":/usr/bin:/bin", "HOME": os.getcwd(), "TERM": "dumb", "COLUMNS": "2000", "LC_ALL": "C.UTF-8"}
        with open("start.zsh", "w", encoding="utf-8") as file:
            file.write(ZSH.replace("$1", os.path.join(prefix, "share", "zsh", "site-functions")))
        self.master, slave = pty.openpty()
        self.shell = subprocess.Popen(["zsh", "-f", "-i"], stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True)
        os.close(slave)
        self.tell("source ./start.zsh\n")
        self.read("ready> ")

    def tell(self, text):
        os.write(self.master, text.encode())

    def read(self, until):
        """What it prints up to this, for a minute at most."""
        heard, end = "", time.monotonic() + 60
        while not re.search(until, heard):
            assert time.monotonic() < end, f"zsh does not say {until!r}, but {heard!r}"
            if select.select([self.master], [], [], 1)[0]:
                heard += os.read(self.master, 65536).decode(errors="replace")
        return heard

    def complete(self, *words):
        self.tell("dovetail " + " ".join(words) + "\x18\r")
        line = re.search(r"LINE<(.*?)>", self.read(r"LINE<[^>]*>[^>]*ready> "), re.S).group(1)
        return set(line.split()[len(words):])

    def end(self):
        self.tell("exit\r")
        os.close(self.master)
        self.shell.wait()


def check_words(prefix, complete):
    commands = set(re.findall(r"^  dovetail ([a-z]+)", run(prefix, "dovetail", "help"), re.M))
    laws = set(re.findall(r"^(\w+) ", run(prefix, "dovetail", "help", "laws"), re.M))
    studies = set(re.findall(r"^  (\w+) ", run(prefix, "dovetail", "help", "studies"), re.M))
    assert complete("") >= commands and {"run", "check"} <= commands
    assert complete("ch") == {"check"}
    assert {"--resume", "--uff", "--uff-binary"} <= complete("run", "--")
    assert complete("help", "la") == {"laws"} and complete("help", "laws", "iw") == {"iwan4"}
    assert complete("help", "laws", "") == laws
    assert complete("help", "studies", "") == studies == complete("help", "results", "")
    assert "hex8" in complete("help", "elements", "") and "kind" not in complete("help", "elements", "")
    assert "a.yaml" in complete("run", "") and "a.h5" not in complete("run", "")
    assert complete("run", "a.y") == {"a.yaml"}
    assert "a.h5" in complete("info", "") and "a.yaml" not in complete("info", "")
    assert "a.h5" in complete("run", "a.yaml", "-o", "")
    assert complete("export", "a.h") == {"a.h5"}
    assert {"case", "modes", "system"} <= complete("export", "a.h5", "") and not any("a.h5" in word for word in complete("export", "a.h5", ""))
    assert "modes/stuck" in complete("export", "a.h5", "modes/")


def words_are_completed(prefix):
    script = os.path.join(prefix, "share", "bash-completion", "completions", "dovetail")

    def complete(*words):
        return set(run(prefix, "bash", "-c", COMPLETE, "bash", script, "dovetail", *words).split())

    check_words(prefix, complete)
    if not shutil.which("zsh"):
        print("zsh is not installed: its completion is not tried")
        return
    shell = Zsh(prefix)
    check_words(prefix, shell.complete)
    shell.end()


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
