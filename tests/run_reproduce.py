#!/usr/bin/env python3
"""run_reproduce.py - scripts/reproduce STUDY in its short form finds all numbers of a paper, tells them as JSON, and draws; what is no study gets one line."""
import argparse
import glob
import json
import math
import os
import subprocess
import sys
import tempfile

EXIT_INPUT = 2
REPRODUCE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "scripts", "reproduce")
NUMBERS, TEXTS = {"published", "computed", "difference", "tolerance"}, {"source", "quantity", "verdict"}
FEWEST = {  # rows
    "jalali2022": 165,
    "jamshidi2021": 80,
    "lacayo2017": 100,
    "peyret2017": 30,
    "voldrich2009": 70,
}


def run(*words):
    return subprocess.run([sys.executable, REPRODUCE, *words], capture_output=True, text=True)


def check_rows(rows, study):
    """Every row has its keys, is finite, and says itself whether it is out."""
    assert len(rows) >= FEWEST[study], f"{len(rows)} rows"
    for row in rows:
        assert set(row) == NUMBERS | TEXTS, row
        assert all(isinstance(row[key], float) and math.isfinite(row[key]) for key in NUMBERS), row
        assert all(row[key] for key in TEXTS) and row["tolerance"] >= 0, row
        assert row["verdict"] == ("ok" if abs(row["difference"]) <= row["tolerance"] else "off"), row


def check_study(program, study, ranks):
    with tempfile.TemporaryDirectory(dir=".") as folder:
        path = os.path.join(folder, "rows.json")
        done = run(study, "--short", "--ranks", str(ranks), "--program", program, "-o", folder, "--json", path)
        assert done.returncode in (0, 1), f"{done.stdout}{done.stderr}"
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)
        check_rows(rows, study)
        off = [row for row in rows if row["verdict"] == "off"]
        assert done.returncode == (1 if off else 0), done.returncode
        assert not off, off
        assert all(row["quantity"] in done.stdout for row in rows) and "seconds: " in done.stdout
        assert glob.glob(os.path.join(folder, "*.png")), "no figure"


def check_refusal():
    done = run("lacayo2071")
    assert done.returncode == EXIT_INPUT and done.stderr.count("\n") == 1, done.stderr
    assert "lacayo2071" in done.stderr and "lacayo2017" in done.stderr, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("study", choices=sorted(FEWEST))
    options = parser.parse_args()
    check_refusal()
    check_study(options.program, options.study, options.ranks)


if __name__ == "__main__":
    main()
