"""A response tells in how many steps the friction of faces had to be held: as many as the transient that takes the same steps, and says so when it ends."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import h5py

import bolted
from touching import in_a_folder, start

FREQUENCY, STEPS, CYCLES = 50, 16, 5
LOAD = "load: {{ harmonic: {{ point: top, direction: x, {}amplitude: 24e3 }} }}"
STUDIES = f"""  - preload: {{ name: tightened, fields: no }}
  - response: {{ name: sines, about: tightened, frequencies: [{FREQUENCY}], direction: rest, steps: {STEPS}, window: 2, min_cycles: {CYCLES}, max_cycles: {CYCLES}, {LOAD.format("")} }}
  - transient: {{ name: sine, about: tightened, time_step: {1 / FREQUENCY / STEPS!r}, steps: {CYCLES * STEPS}, {LOAD.format(f"frequency: {FREQUENCY}, ")} }}
"""


def stiff_faces_with_much_friction():
    bolted.write_mesh()
    text = bolted.CASE.format(modes=30, studies=STUDIES)
    done = start(text.replace("friction: 0.2, normal_stiffness: 1e14, tangential_stiffness: 5e13", "friction: 2, normal_stiffness: 1e16, tangential_stiffness: 1e16"))
    assert done.returncode == 0, done.stderr
    with h5py.File("case.h5") as file:
        held = int(file["response/sines/rest_1/held"][0])
        assert held == file["transient/sine/held"][0] and held > 1, (held, file["transient/sine/held"][0])  # 4 are seen
    told = [int(line.split()[1]) for line in done.stdout.splitlines() if "friction of faces held" in line]
    assert told == [held, held], done.stdout


if __name__ == "__main__":
    in_a_folder(stiff_faces_with_much_friction)
