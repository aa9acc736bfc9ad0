"""command.py - what the programs that look at a result share: their options, and one clear line instead of a traceback."""
import argparse
import os
import sys
import warnings

from .result import Fault

EXIT_INPUT = 2


def refuse(message):
    print("error:", " ".join(str(message).split()), file=sys.stderr)
    return EXIT_INPUT


def installed(text):
    """The scripts are called otherwise where they are installed: dovetail-plot."""
    return text.replace("scripts/", "dovetail-") if os.path.basename(sys.argv[0]).startswith("dovetail-") else text


def guarded(work, result):
    """Calls work(), and says in one line what was wrong with the result."""
    try:
        work()
    except Fault as fault:
        sys.exit(refuse(fault))
    except BrokenPipeError:
        sys.exit(1)
    except Exception as fault:  # a damaged file can fail in any way
        sys.exit(refuse(f"{result}: is damaged, or no result that this program knows: {type(fault).__name__}: {fault}"))


def parser_of(description, kind):
    """Options of all: what -o takes is `kind`."""
    parser = argparse.ArgumentParser(description=installed(description), formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", metavar=kind, help="where it goes; beside the result when nothing is said")
    return parser


def run(description, output, work):
    """Calls work(RESULT, OUTPUT); `output` is what -o takes and what makes the place beside the result when it is not said."""
    kind, place = output
    parser = parser_of(description, kind)
    parser.add_argument("result")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # a page of numbers that make no sense is no reason to speak of matplotlib
    guarded(lambda: work(options.result, options.output or options.result.removesuffix(".h5") + place), options.result)
