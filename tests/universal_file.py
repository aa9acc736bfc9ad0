"""universal_file.py - datasets 58 of universal files, for the tests that read them."""
SINGLE, DOUBLE, COMPLEX_SINGLE, COMPLEX_DOUBLE = 2, 4, 5, 6


def header(function, kind, even, node, direction, name="", unit="m/s^2", ordinate=12, count=0, abscissa=17, start=0.0, step=0.0, per="NONE"):
    """Eleven lines; of the first five three are blank. `per`: unit of the force that a frequency response is divided by."""
    return "".join(line.ljust(80) + "\n" for line in (
        name, "", "20-Nov-26 10:00:00", "", "",
        f"{function:5d}{0:10d}{0:5d}{0:10d} {'NONE':<10s}{node:10d}{direction:4d} {'NONE':<10s}{0:10d}{0:4d}",
        f"{kind:10d}{count:10d}{1 if even else 0:10d}{start if even else 0.0:13.5E}{step if even else 0.0:13.5E}{0.0:13.5E}",
        f"{abscissa:10d}{0:5d}{0:5d}{0:5d} {'Time':<20s} {'s':<20s}",
        f"{ordinate:10d}{0:5d}{0:5d}{0:5d} {'Signal':<20s} {unit:<20s}",
        f"{0 if per == 'NONE' else 13:10d}{0:5d}{0:5d}{0:5d} {'NONE':<20s} {per:<20s}", f"{0:10d}{0:5d}{0:5d}{0:5d} {'NONE':<20s} {'NONE':<20s}"))


def numbers(kind, even, values, times):
    """Six numbers or two to six of different widths a line, as the format prescribes; the last line is what is left."""
    single, complex_values = kind in (SINGLE, COMPLEX_SINGLE), kind in (COMPLEX_SINGLE, COMPLEX_DOUBLE)
    form = "{:13.5E}" if single else "{:20.12E}"
    groups = []
    for time, value in zip(times, values):
        texts = [form.format(part) for part in ((value.real, value.imag) if complex_values else (value,))]
        groups.append(([] if even else ["{:13.5E}".format(time)]) + texts)
    fields = [field for group in groups for field in group]
    width = 6 if single else 4 if even else 3 if complex_values else 4
    return "".join("".join(fields[i:i + width]) + "\n" for i in range(0, len(fields), width))
