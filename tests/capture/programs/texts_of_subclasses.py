"""Texts of numbers, strings and objects: each conversion asks another method."""

from tests.capture.harness import call, meanwhile, program, tensor

X = tensor(2, 3)


class I(int):
    def __repr__(self):
        return f"I{int(self)}"


class J(int):
    def __str__(self):
        return "J!"

    def __format__(self, spec):
        return f"<{spec}>"


class F(float):
    def __repr__(self):
        return "F?"


class S(str):
    def __str__(self):
        return "S!"

    def __repr__(self):
        return "S\\back'sl\"ashé"


class O:
    def __repr__(self):
        return "C:\\dir\té"


@program
def texts_of_subclasses(x):
    i, j, f, s, o, c = I(2), J(3), F(1.5), S("abc"), O(), 1 + 2j
    return (
        x + 1,
        [
            f"{i}",
            f"{i!r}",
            f"{i!s}",
            f"{i:3d}",
            f"{i:>4}",
            "{}".format(i),
            "{0!r} {0:05}".format(i),
            "%s %d %r %5s" % (i, i, i, i),
            str(i),
            repr(i),
            format(i),
            format(i, "x"),
            print(i),
            "".join([str(i)]),
        ],
        [f"{j}", f"{j:x}", "%s" % j, "%d" % j, str(j), "{:>3}".format(j), repr(j)],
        [f"{f}", f"{f:.1f}", str(f), "%s %.2f %g" % (f, f, f), "{!r}".format(f)],
        [
            f"{s}",
            f"{s:>5}",
            f"{s!r}",
            "%s" % s,
            "%r" % s,
            s + "d",
            str(s),
            "{}".format(s),
            "{:5}".format(s),
            ascii(s),
            repr([s]),
            "".join([s, "z"]),
        ],
        [f"{o}", ascii(o), f"{o!a}", "%a" % o, repr([o]), str({"k": o}), "%s" % [o]],
        [
            f"{c}",
            f"{c:.1f}",
            f"{True}",
            f"{True:d}",
            f"{None}",
            f"{[1, 'a']}",
            f"{'é'!a}",
            "%a" % "é",
            f"{b'x'}",
            f"{1e100:g}",
            f"{-0.0}",
            f"{float('nan'):5}",
            f"{10**20:,}",
        ],
        [
            "%s %s" % ("a", 1),
            "%(a)s %(b)03d" % {"a": 1, "b": 2},
            "%*d" % (5, 3),
            "%-5d|" % 3,
            "%+.2e" % 12345.678,
            "%c%c" % ("a", 98),
            "%%" % (),
            "%x %X %o %#x" % (255, 255, 8, 255),
            "%5.1f" % 3.14159,
            "%s" % (1,),
            "%s" % ((1, 2),),
            "%.3s" % "abcdef",
        ],
    )


@program
def wrong_formats(x):
    out = []
    for bad in (
        lambda: "%d" % "a",
        lambda: "%s %s" % 1,
        lambda: "%s" % (1, 2),
        lambda: "%(a)s" % 3,
        lambda: "{} {}".format(1),
        lambda: "{a}".format(b=1),
        lambda: "{0[x]}".format([1]),
        lambda: "{0.nope}".format(1),
        lambda: "%q" % 1,
        lambda: f"{O():x}",
        lambda: f"{[]:x}",
        lambda: format(1, 2),
        lambda: "{!z}".format(1),
        lambda: "{".format(1),
        lambda: f"{'a':d}",
        lambda: f"{1.5:d}",
        lambda: "%d" % 1.5,
        lambda: "%c" % 300000000,
        lambda: "%x" % 1.5,
    ):
        try:
            out.append(bad())
        except Exception as e:
            out.append((type(e).__name__, str(e)))
    return x + len(out), out
