"""test_ensemble_memory.py - memory does not grow with the number of samples, but for the table itself, which is read once for its statistics."""
import os
import subprocess
import sys
import time

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
CASE = """masses: {{ block: {{ mass: 2 }} }}
springs: [ {{ between: [ground, block], stiffness: 8e4 }} ]
studies: [ modes: {{}} ]
vary:
  samples: {samples}
  parameters: {{ k: {{ path: "springs[0].stiffness", uniform: {{ from: 7e4, to: 9e4 }} }} }}
  outputs: {{ f: "modes/stuck/frequency[1]" }}
"""


def peak(samples):
    """The largest memory of a run [MB]."""
    name = f"samples{samples}"
    with open(f"{name}.yaml", "w", encoding="utf-8") as file:
        file.write(CASE.format(samples=samples))
    process = subprocess.Popen([PROGRAM, "run", f"{name}.yaml", "-q"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    found = 0
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status", encoding="ascii", errors="replace") as file:
                found = max([found] + [int(line.split()[1]) for line in file if line.startswith("VmHWM:")])
        except OSError:
            pass
        time.sleep(0.002)
    assert process.returncode == 0, f"{samples} samples: exit code {process.returncode}"
    return found / 1024


def main():
    if "ASAN_OPTIONS" in os.environ:
        print("not with sanitizers, which keep what was given back")
        sys.exit(77)
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    few = peak(500), peak(many)
    grown = few[1] - few[0]
    print(f"{few[0]:.2f} MB with 500 samples, {few[1]:.2f} MB with {many}")
    # A row of the table has 176 bytes; three copies of its numbers are in memory for the statistics, and sorted ones. The rest is a sample's 2 kB
    # and more that would not be given back.
    allowed = 1.0 + (many - 500) * 300 / 2**20
    assert grown < allowed, f"{grown:.2f} MB more with {many} samples than with 500; {allowed:.2f} MB are allowed"


if __name__ == "__main__":
    main()
