#!/usr/bin/env python3
"""test_command_line.py - words, exit codes and what is left behind: every refusal is one line, and no file of the user is lost."""
import glob
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = os.environ["DOVETAIL_PROGRAM"]
MPIEXEC = os.environ.get("DOVETAIL_MPIEXEC", "mpiexec")
EXIT_INPUT, EXIT_NATURE = 2, 3
SANITIZED = "ASAN_OPTIONS" in os.environ
PATIENCE = 300 if SANITIZED else 60  # seconds
if SANITIZED:
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0"  # a case that is refused ends the program where it stands

SHOCK = """\
masses: { block: { mass: 2 } }
springs: [ { between: [ground, block], stiffness: 8e3 } ]
studies:
  - transient: { time_step: 1e-4, steps: 200, load: { half_sine: { point: block, duration: 2e-3 } } }
"""
LONG = SHOCK.replace("steps: 200", "every: 100000, steps: 1000000000")
FLOATING = "masses: { block: { mass: 2 } }\nstudies: [ { transient: { time_step: 1, steps: 1, load: { half_sine: { point: block, mode: 1 } } } } ]\n"


def chain(size):
    """A case whose modes take a while."""
    masses = "\n".join(f"  m{i}: {{ mass: {1 + i / size} }}" for i in range(size))
    springs = "\n".join(f"  - {{ between: [m{i}, m{i + 1}], stiffness: 1e6 }}" for i in range(size - 1))
    return f"masses:\n{masses}\nsprings:\n{springs}\nstudies:\n  - modes: {{ count: {size} }}\n"


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def contents(name):
    with open(name, "rb") as file:
        return file.read()


def dovetail(*words, ranks=1, **keywords):
    command = [PROGRAM, *words] if ranks == 1 else [MPIEXEC, "--quiet", "--oversubscribe", "-n", str(ranks), PROGRAM, *words]
    keywords.setdefault("stdout", subprocess.PIPE)
    return subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=PATIENCE, **keywords)


def expect_refusal(message, *words, **keywords):
    """Exit code 2, this error, nothing else but the log, and the folder as it was."""
    before = {name: contents(name) for name in os.listdir(".") if os.path.isfile(name)}
    done = dovetail(*words, **keywords)
    assert done.returncode == EXIT_INPUT, f"{words}: exit code {done.returncode}\n{done.stderr}"
    errors = [line for line in done.stderr.splitlines() if not line.startswith(("reading ", "modes"))]
    assert errors == ["error: " + message], f"{words}:\n{done.stderr}"
    after = {name: contents(name) for name in os.listdir(".") if os.path.isfile(name)}
    assert after == before, f"{words}: the folder held {sorted(before)} and holds {sorted(after)}"


def no_file_of_the_case_becomes_the_result():
    why = "cannot be written: the case itself is read from it; choose another result with -o"
    write("part.yaml", SHOCK)
    write("push.csv", "0, 0\n1e-3, 1\n2e-3, 0\n")
    write("case.yaml", "include: part.yaml\nstudies: [ { transient: { time_step: 1, steps: 1, load: { table: { point: block, file: push.csv } } } } ]\n")
    write("part.yaml", SHOCK.split("studies")[0])
    write("case.h5.tmp", SHOCK)
    write("case.h5", SHOCK)
    os.symlink("case.yaml", "link.h5")
    for result in ("case.yaml", "./part.yaml", "push.csv", "link.h5"):
        expect_refusal(f"{result}: {why}", "run", "case.yaml", "-o", result)
    expect_refusal(f"case.h5: {why}", "run", "case.h5")
    expect_refusal(f"case.h5.tmp: {why}", "run", "case.h5.tmp", "-o", "case.h5")


def no_file_of_others_is_moved_away():
    why = "cannot be written: the file there is not a result of dovetail, or is damaged; choose another name, or move it away"
    write("case.yaml", SHOCK)
    write("notes.txt", "notes")
    for words in (["-o", "notes.txt"], ["-o", "notes.txt", "--resume"]):
        expect_refusal(f"notes.txt: {why}", "run", "case.yaml", *words)


def places_that_take_no_file_are_told():
    write("case.yaml", SHOCK)
    expect_refusal("/proc/a.h5: cannot be written: the folder '/proc' takes no files", "run", "case.yaml", "-o", "/proc/a.h5")
    expect_refusal("none/a.h5: cannot be written: the folder 'none' does not exist", "run", "case.yaml", "-o", "none/a.h5")


def check_tells_what_follows_from_the_parameters_of_laws():
    """phi_max of a slider alone, 30 N / 2e6 N/m; steel of table 2 of jamshidi2021 pressed so deep that no exponential fits."""
    rough = "law: rough_interface, roughness: 1.13e-6, asperity_radius: 85e-6, density: 250e6, young_1: 70e9, poisson_1: 0.3, young_2: 70e9, " \
            "poisson_2: 0.3, area: 77e-4, friction: 0.16"
    write("case.yaml", "masses: { block: { mass: 2 } }\nstudies: [ { modes: {} } ]\njoints:\n"
          "  a: { between: [ground, block], x: { law: jenkins, stiffness: 2e6, slip_force: 30 } }\n"
          f"  b: {{ between: [ground, block], x: {{ {rough}, load: 20 }} }}\n  c: {{ between: [ground, block], x: {{ {rough}, load: 3.26e7 }} }}\n")
    told = dovetail("check", "case.yaml")
    assert told.returncode == 0, told.stderr
    assert "from which follow: slip_displacement 1.5e-05 m\n" in told.stdout, told.stdout
    assert told.stdout.count(" slip_force 3.2 N,") == 1 and told.stdout.count(" Omega_1 none,") == 1, told.stdout


def several_cases_are_checked_at_once_and_each_for_itself():
    write("fine.yaml", SHOCK)
    write("floating.yaml", "masses: { block: { mass: 2 } }\n")
    write("misspelt.yaml", SHOCK.replace("stiffness", "stifness"))
    names = ["fine.yaml", "floating.yaml", "nowhere.yaml", "misspelt.yaml", "fine.yaml"]
    for ranks in (1, 2):
        done = dovetail("check", *names, ranks=ranks)
        assert done.returncode == EXIT_INPUT, done.returncode
        assert [line for line in done.stdout.splitlines() if line.endswith(".yaml:")] == [name + ":" for name in names], done.stdout
        assert done.stdout.count("No errors found") == 2, done.stdout
        assert re.fullmatch(r"error: floating\.yaml:.*'studies'.*\nfloating\.yaml: refused\nerror: nowhere\.yaml: .*\nnowhere\.yaml: refused\n"
                            r"error: misspelt\.yaml:2:.*'stifness'.*\nmisspelt\.yaml: refused\n", done.stderr), done.stderr
    done = dovetail("check", "fine.yaml", "fine.yaml")
    assert done.returncode == 0 and not done.stderr, done.stderr
    expect_refusal("too many words for `dovetail run`: 'floating.yaml'", "run", "fine.yaml", "floating.yaml")


def a_mistake_in_the_last_study_is_told_before_anything_is_computed():
    """The mesh of cases/sumali takes a second to assemble and reduce; both would be in the log."""
    folder = os.path.join(os.environ["DOVETAIL_SOURCE"], "cases", "sumali")
    with open(os.path.join(folder, "case.yaml"), encoding="utf-8") as file:
        text = file.read().replace("../../meshes/", os.path.join(folder, "..", "..", "meshes") + os.sep)
    write("case.yaml", text)
    assert "assembly of" in dovetail("check", "case.yaml").stderr
    before, study, keys = text.rpartition("- compare: { truth: impact")
    assert study and "\n  - " not in keys, "compare is the last study no more"
    write("case.yaml", before + study.replace("truth", "trut") + keys)
    for command in ("check", "run"):
        done = dovetail(command, "case.yaml")
        assert done.returncode == EXIT_INPUT and re.fullmatch(r"error: case\.yaml:\d+:\d+: studies\[8\]\S*: .*'trut'.*\n", done.stderr), done.stderr


def options_that_cannot_be_meant_are_refused():
    write("case.yaml", SHOCK)
    for words, message in {
        ("-x",): "unknown option '-x'; see `dovetail help`",
        ("-oz.h5",): "unknown option '-oz.h5'; did you mean '-o z.h5'? see `dovetail help`",
        ("-qv",): "unknown option '-qv'; did you mean '-q -v'? see `dovetail help`",
        ("-resume",): "unknown option '-resume'; did you mean '--resume'? see `dovetail help`",
        ("--ouput=z.h5",): "unknown option '--ouput=z.h5'; did you mean '--output'? see `dovetail help`",
        ("--resume=yes",): "--resume takes no value",
        ("-o", ""): "-o needs the name of a file",
        ("-o",): "-o needs the name of a file",
        ("--output=",): "--output= needs the name of a file",
        ("-save_interval", "foo"): "-save_interval: expected seconds, not negative, found 'foo'",
        ("-save_interval", "1s"): "-save_interval: expected seconds, not negative, found '1s'",
        ("-save_interval", "-1"): "-save_interval: expected seconds, not negative, found '-1'",
        ("-save_interval",): "-save_interval: expected seconds, not negative, found nothing",
    }.items():
        expect_refusal(message, "run", "case.yaml", *words)
    done = dovetail("run", "case.yaml", "-save_interval", "foo", ranks=3)
    assert done.returncode == EXIT_INPUT and [line for line in done.stderr.splitlines() if "error:" in line] == [
        "error: -save_interval: expected seconds, not negative, found 'foo'"
    ] and "PETSC" not in done.stderr, done.stderr


def options_are_taken_joined_to_their_value_or_apart():
    write("case.yaml", SHOCK)
    for words, result in ((["--output=a.h5"], "a.h5"), (["--output", "b.h5"], "b.h5"), (["-o", "c.h5"], "c.h5"), ([], "case.h5")):
        done = dovetail("run", "case.yaml", *words, "-save_interval", "0.5", "-vec_type", "seq")
        assert done.returncode == 0 and os.path.exists(result), done.stderr
        assert "save_interval" not in done.stderr and "option -vec_type was not used" in done.stderr, done.stderr


def files_that_are_no_case_are_told_with_what_to_do():
    write("plate.inp", "*HEADING\nplate\n*NODE\n1, 0, 0, 0\n")
    write("plate.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n")
    with open("plate.h5", "wb") as file:
        file.write(b"\x89HDF\r\n\x1a\n" + bytes(100))
    for ranks in (1, 2):
        expect_refusal("plate.inp: is an input file of Abaqus or CalculiX, not a case: convert its mesh with "
                       "`meshio convert plate.inp plate.msh --output-format gmsh22`", "check", "plate.inp", ranks=ranks)
        expect_refusal("plate.msh: is a mesh of Gmsh, not a case: a case names it, `mesh: plate.msh`", "run", "plate.msh", ranks=ranks)
        expect_refusal("plate.h5: is an HDF5 file, not a case: if it is a result, `dovetail info plate.h5` tells what it holds", "run", "plate.h5",
                       ranks=ranks)


def output_on_a_full_disk_is_one_line():
    write("case.yaml", SHOCK)
    with open("/dev/full", "w", encoding="utf-8") as full:
        for words in (["help"], ["help", "case"], ["check", "case.yaml"], ["run", "case.yaml", "-q"]):
            done = dovetail(*words, stdout=full)
            assert done.returncode == EXIT_INPUT, done.returncode
            assert done.stderr == "error: standard output cannot be written: No space left on device\n", done.stderr


def a_reader_that_leaves_is_no_fault():
    reader, writer = os.pipe()
    os.close(reader)
    done = dovetail("help", "case", stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def a_full_disk_is_left_empty():
    """A limit on the size of files stands for the disk."""
    write("case.yaml", SHOCK.replace("steps: 200", "steps: 2000000"))

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 24, 1 << 24))

    expect_refusal("case.h5: cannot be written: File too large", "run", "case.yaml", preexec_fn=limit, restore_signals=False)


def a_limit_on_files_needs_no_care():
    write("case.yaml", SHOCK.replace("steps: 200", "steps: 2000000"))
    expect_refusal("case.h5: cannot be written: File too large", "run", "case.yaml",
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 24, 1 << 24)))


def too_little_memory_is_told_at_once():
    """OpenBLAS would ask without end for what it does not get."""
    if SANITIZED:
        return  # the sanitizer needs terabytes of addresses
    write("case.yaml", SHOCK)
    for limit in (250 << 20, 400 << 20):
        done = dovetail("run", "case.yaml", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        assert done.returncode == EXIT_INPUT and "error: too little memory: " in done.stderr, (done.returncode, done.stderr)
    assert os.listdir(".") == ["case.yaml"], os.listdir(".")


def closed_streams_get_no_file_of_ours():
    write("case.yaml", SHOCK)

    def close(*streams):
        return lambda: [os.close(stream) for stream in streams]

    for streams in ((1,), (0, 1), (0, 1, 2)):
        done = dovetail("run", "case.yaml", preexec_fn=close(*streams))
        told = "" if 2 in streams else "error: standard output is closed, and results are printed there; `> /dev/null` discards them\n"
        assert (done.returncode, done.stderr) == (EXIT_INPUT, told), (streams, done.returncode, done.stderr)
        assert os.listdir(".") == ["case.yaml"], os.listdir(".")
    done = dovetail("run", "case.yaml", preexec_fn=close(0, 2))
    assert done.returncode == 0 and "complete" in done.stdout, done.stdout
    assert dovetail("info", "case.h5").returncode == 0


def a_fault_that_only_the_modes_show_leaves_nothing():
    write("case.yaml", FLOATING)
    done = dovetail("run", "case.yaml")
    assert done.returncode == EXIT_INPUT and "mode 1 has no frequency" in done.stderr, done.stderr
    assert os.listdir(".") == ["case.yaml"], os.listdir(".")


def start(words, wait_for):
    """A run that has made this file."""
    process = subprocess.Popen([PROGRAM, "run", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    begun = time.monotonic()
    while not os.path.exists(wait_for) and process.poll() is None and time.monotonic() - begun < PATIENCE:
        time.sleep(0.001)
    return process


def a_signal_before_the_first_run_ends_at_once_and_leaves_nothing():
    write("case.yaml", chain(900))
    for wish in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
        process = start(["case.yaml"], "case.h5.tmp")
        process.send_signal(wish)
        output, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == -wish and output == "", (process.returncode, output)
        assert os.listdir(".") == ["case.yaml"], os.listdir(".")


def a_run_broken_off_tells_how_to_go_on():
    write("my case.yaml", LONG)
    for wish in (signal.SIGINT, signal.SIGHUP, signal.SIGUSR1):
        process = start(["my case.yaml", "-o", "its result.h5"], "its result.h5")
        process.send_signal(wish)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == EXIT_NATURE, process.returncode
        assert "1 run was broken off; `dovetail run 'my case.yaml' -o 'its result.h5' --resume` goes on" in said, said
        assert set(os.listdir(".")) - {"its result.h5.restart"} == {"its result.h5", "my case.yaml"}, os.listdir(".")
        os.remove("its result.h5")


def the_examples_of_the_help_run():
    text = dovetail("help", "case").stdout
    first, second = text.index("# A complete case"), text.index("# Another, of a mesh")
    os.symlink(os.path.join(os.environ["DOVETAIL_SOURCE"], "meshes"), "meshes")
    write("first.yaml", text[first:second])
    write("second.yaml", text[second:])
    for name in ("first.yaml", "second.yaml"):
        done = dovetail("run", name)
        assert done.returncode == 0 and "complete" in done.stdout, done.stderr


def elements_of_the_source():
    """A kind that nobody listed is in no program."""
    found = []
    for path in glob.glob(os.path.join(os.environ["DOVETAIL_SOURCE"], "src", "element", "*.c")):
        with open(path, encoding="utf-8") as file:
            found += re.findall(r"^const ElementKind element_kind_(\w+)", file.read(), re.MULTILINE)
    return found


def the_help_of_results_tells_of_every_kind_of_study():
    """Each dataset has a unit, or is a text or a whole number; lines are no longer than a page of 120 letters."""
    kinds = [line.split()[0] for line in dovetail("help", "studies").stdout.splitlines()[1:]]
    whole = dovetail("help", "results").stdout
    assert len(kinds) > 8 and max(map(len, whole.splitlines())) <= 130, max(whole.splitlines(), key=len)
    for kind in ("case", "system", *kinds):
        told = dovetail("help", "results", kind)
        assert told.returncode == 0 and told.stdout.startswith(f"/{kind}") and told.stdout in whole, told.stdout + told.stderr
    assert ["frequency", "Hz", "modes"] in [line.split()[:3] for line in dovetail("help", "results", "modes").stdout.splitlines()]
    expect_refusal("unknown kind of result 'mode'; did you mean 'modes'? see `dovetail help`", "help", "results", "mode")
    expect_refusal("unknown topic 'result'; did you mean 'results'? see `dovetail help`", "help", "result")


def the_help_of_every_element_tells_what_it_needs():
    names = [line.split()[0] for line in dovetail("help", "elements").stdout.split("\n\n")[0].splitlines()[1:]]
    assert sorted(names) == sorted(elements_of_the_source()), names
    for name in names:
        done = dovetail("help", "elements", name)
        assert done.returncode == 0, f"{name}: exit code {done.returncode}\n{done.stderr}"
        text = done.stdout
        assert text.startswith(name + ": ") and (("\nmaterials.NAME: " in text) != (name == "point_mass")), text
        assert ("\nparts.NAME.section.i_beam: " in text) == name.startswith("beam"), text
        assert ("\nparts.NAME.point_mass: " in text) == (name == "point_mass"), text
    expect_refusal("unknown kind of element 'bem'; did you mean 'beam'? see `dovetail help`", "help", "elements", "bem")


def main():
    failed = 0
    for test in TESTS:
        home = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                test()
            except (AssertionError, subprocess.TimeoutExpired) as fault:
                failed += 1
                print(f"{test.__name__}: {fault}")
            os.chdir(home)
    sys.exit(failed > 0)


TESTS = (
    no_file_of_the_case_becomes_the_result,
    no_file_of_others_is_moved_away,
    places_that_take_no_file_are_told,
    check_tells_what_follows_from_the_parameters_of_laws,
    several_cases_are_checked_at_once_and_each_for_itself,
    a_mistake_in_the_last_study_is_told_before_anything_is_computed,
    options_that_cannot_be_meant_are_refused,
    options_are_taken_joined_to_their_value_or_apart,
    files_that_are_no_case_are_told_with_what_to_do,
    output_on_a_full_disk_is_one_line,
    a_reader_that_leaves_is_no_fault,
    a_full_disk_is_left_empty,
    a_limit_on_files_needs_no_care,
    too_little_memory_is_told_at_once,
    closed_streams_get_no_file_of_ours,
    a_fault_that_only_the_modes_show_leaves_nothing,
    a_signal_before_the_first_run_ends_at_once_and_leaves_nothing,
    a_run_broken_off_tells_how_to_go_on,
    the_examples_of_the_help_run,
    the_help_of_results_tells_of_every_kind_of_study,
    the_help_of_every_element_tells_what_it_needs,
)

if __name__ == "__main__":
    main()
