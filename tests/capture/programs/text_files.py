"""Files in memory that the call makes: `io.StringIO`."""

import contextlib
import io
import sys

from tests.capture.harness import program, tensor

X = tensor(2, 3)


@program(graphs=1)
def written_and_read(x):
    file = io.StringIO()
    sizes = [file.write("ab"), file.write("\n"), file.tell()]
    file.writelines(["one\n", "two\n", "end"])
    file.flush()
    sizes.append(file.seek(1))
    seen = [file.read(3), file.readline(), next(file), file.readlines(), file.read(), file.readline()]
    file.seek(0)
    lines = list(file)
    file.seek(0, 2)
    file.write("!")
    return x + file.tell(), sizes, seen, lines, file.getvalue(), file.readable(), file.closed


@program(graphs=1)
def printed_into(x):
    file = io.StringIO("start ")
    print("at the start", file=file) if file.tell() else None
    file.seek(0, io.SEEK_END)
    print("a", 1, [2.5], sep="-", end=";", file=file)
    print(file=file)
    print("b", file=file)
    return x + 1, file.getvalue(), isinstance(file, io.TextIOBase), type(file) is io.StringIO


@program(broken="text of a tensor")
def text_of_a_tensor(x):
    file = io.StringIO()
    print("mean", (x + 1).mean(), file=file)
    file.write(f"{x.sum()}")
    return x * 2, file.getvalue()


@program(graphs=1)
def left_to_the_caller(x):
    file = io.StringIO()
    file.write("abc\r\ndef")
    other = io.StringIO("xyz")
    other.read(1)
    closed = io.StringIO()
    closed.close()
    return x + 1, file, file.getvalue(), other.read(), other, [closed.closed, file]


@program(graphs=1)
def closed_by_with(x):
    with io.StringIO() as file:
        file.write("kept")
        text = file.getvalue()
    try:
        file.write("more")
    except ValueError as error:
        return x + len(text), str(error), file.closed


@program(graphs=1)
def output_redirected(x):
    with contextlib.redirect_stdout(io.StringIO()) as file:
        print("inside", 1)
        inside = sys.stdout is file
        print("to the error output", file=sys.stderr) if not inside else None
    print("outside")
    return x + 1, file.getvalue(), inside, sys.stdout is file


class Lines(list):
    def write(self, text):
        self.append(text)


@program
def output_redirected_to_an_object_of_the_programs(x):
    y = x + 1
    with contextlib.redirect_stdout(Lines()) as lines:
        print("inside")
        count = len(lines)
    return y * count, list(lines)


class Tee(io.TextIOBase):
    def __init__(self):
        self.said, self.flushed = [], 0

    def write(self, text):
        self.said.append(text)
        return len(text)

    def flush(self):
        self.flushed += 1


@program(tensor(2), Lines(["before"]), Tee(), steady=False)
def printed_into_objects_that_existed(x, lines, tee):
    y = x + 1
    print("a", 2, file=lines, sep="-")
    print("b", None, end="!", file=tee, flush=True)
    print(file=tee)
    return y * len(lines), list(lines), list(tee.said), tee.flushed


@program(tensor(2), Tee(), steady=False)
def output_that_was_redirected_before(x, tee):
    before, sys.stdout = sys.stdout, tee
    try:
        return said_so_far(x, tee), said_so_far(x, tee)
    finally:
        sys.stdout = before


def said_so_far(x, tee):
    print("said")
    return x * len(tee.said)


@program(broken="in the middle")
def overwritten(x):
    file = io.StringIO("abcdef")
    y = x + 1
    file.write("XY")
    return y, file.getvalue()


@program(broken=True)
def break_while_it_is_written(x):
    file = io.StringIO()
    file.write("first ")
    y = x + 1
    print(y.sum().item(), file=file)
    file.write("last")
    return y * 2, file.getvalue()
