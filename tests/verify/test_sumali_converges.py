"""test_sumali_converges.py - finer bricks of the Sumali beam go where quadratic elements are; ranks do not matter. [timeout: 300]

Averages weighted by areas, so that all meshes have the same structure: equal weights depend on the nodes.
The error of hex8 falls with h^2, so the limit by Richardson is f(h/2) - (f(h) - f(h/2)) / 3, and what is left of the error of order
h^4. That of hex20 is of order h^4 from the start. Both must be at the same place, within a quarter of the step that was extrapolated.
"""
import importlib.util
import os
import sys

try:
    import gmsh  # noqa: F401, for meshes/make
except ImportError:
    print("skipped: there is no python3-gmsh")
    sys.exit(77)

sys.dont_write_bytecode = True
import numpy as np

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
REST_OF_STEP = 0.25
ACROSS_RANKS = 1e-10


def load_study():
    path = os.path.join(os.environ["DOVETAIL_SOURCE"], "cases", "sumali", "convergence.py")
    specification = importlib.util.spec_from_file_location("convergence", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def main():
    study = load_study()
    measure = lambda *mesh, ranks=1: np.concatenate(study.measure(PROGRAM, *mesh, ranks=ranks)[2:])
    coarse, fine, quadratic = (measure(element, refine, "area") for element, refine in (("hex8", 1), ("hex8", 2), ("hex20", 1)))
    step = (coarse - fine) / 3
    faults = []
    if not np.all(step > 0):
        faults.append(f"hex8 should come down when bricks are halved: steps {3 * step}")
    if not np.all(np.abs(fine - step - quadratic) < REST_OF_STEP * np.abs(step)):
        faults.append(f"hex8 goes to {fine - step}, hex20 gives {quadratic} rad/s, more than {REST_OF_STEP} of {step} apart")
    apart = np.max(np.abs(measure("hex8", 1, "area", ranks=4) / coarse - 1))
    if not apart < ACROSS_RANKS:
        faults.append(f"modes on 4 ranks differ from those on one by {apart:.1e}")
    sys.exit("\n".join(faults) or 0)


main()
