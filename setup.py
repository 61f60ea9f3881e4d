"""Builds `framelift._core` from csrc/*.cpp. What the package is stands in pyproject.toml; this is only the compiling.

Every source has an object of its own under build/, compiled again only when the source, a header it includes (as the
compiler reported last time) or the command line has changed. `FRAMELIFT_SANITIZE=1` makes a build for the address and
undefined-behaviour sanitizers.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
CSRC = ROOT / "csrc"
SANITIZE = os.environ.get("FRAMELIFT_SANITIZE") == "1"
JOBS = 2

# The files that may include torch's headers, which take their time to compile.
USES_TORCH = (CSRC / "tensor_checks.cpp", CSRC / "global_state.cpp")

COMPILE = [
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-plt",
    "-Wall",
    "-Wextra",
    "-Werror=return-type",
    "-Wno-missing-field-initializers",
]
COMPILE += ["-O1", "-g", "-fno-omit-frame-pointer"] if SANITIZE else ["-O3", "-DNDEBUG"]
SANITIZERS = ["-fsanitize=address,undefined"] if SANITIZE else []


def torch_flags() -> tuple[list[str], list[str]]:
    """How to compile and link against the installed torch.

    No rpath: framelift imports torch before the extension, and the loader then finds its libraries already there.
    """
    torch = importlib.import_module("torch")
    cpp_extension = importlib.import_module("torch.utils.cpp_extension")
    headers = [flag for path in cpp_extension.include_paths() for flag in ("-isystem", path)]
    abi = f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}"
    libraries = [f"-L{path}" for path in cpp_extension.library_paths()]
    return ["-std=c++20", abi, *headers], [*libraries, "-lc10", "-ltorch", "-ltorch_cpu", "-ltorch_python"]


def compiler() -> list[str]:
    return os.environ.get("CXX", "g++").split()


def object_folder() -> Path:
    """One folder per release of Python and kind of build, so that they do not overwrite each other."""
    suffix = "-sanitize" if SANITIZE else ""
    release = ".".join(map(str, sys.version_info[:3]))
    return ROOT / "build" / f"{sysconfig.get_platform()}-{sys.implementation.name}-{release}{suffix}"


def is_fresh(target: Path, command: list[str]) -> bool:
    """Whether `target` was made by this command and is newer than all that it was made from."""
    record, depfile = target.with_suffix(".json"), target.with_suffix(".d")
    if not (target.exists() and record.exists() and depfile.exists()):
        return False
    if json.loads(record.read_text()) != command:
        return False
    _, _, listed = depfile.read_text().replace("\\\n", " ").partition(":")
    made = target.stat().st_mtime
    needed = [Path(re.sub(r"\\(.)", r"\1", name)) for name in re.findall(r"(?:\\.|\S)+", listed)]
    return all(path.exists() and path.stat().st_mtime <= made for path in needed)


def compile_one(source: Path, target: Path, flags: list[str]) -> None:
    command = [*compiler(), *flags, "-c", str(source), "-o", str(target), "-MD", "-MF", str(target.with_suffix(".d"))]
    if is_fresh(target, command):
        return
    print(f"compiling {source.relative_to(ROOT)}", flush=True)  # noqa: T201
    subprocess.run(command, check=True)
    target.with_suffix(".json").write_text(json.dumps(command))


class IncrementalBuild(build_ext):
    """Compiles what has changed, two files at a time, and links."""

    def build_extension(self, ext: Extension) -> None:
        headers = Path(sysconfig.get_path("include"))
        if not (headers / "Python.h").exists():
            raise SystemExit(f"framelift needs Python's headers to build (python3-dev): no Python.h in {headers}.")
        folder = object_folder()
        folder.mkdir(parents=True, exist_ok=True)
        common = [*COMPILE, *SANITIZERS, f"-I{CSRC}", "-isystem", str(headers)]
        compile_torch, link_torch = torch_flags()

        def build(source: str) -> Path:
            path = ROOT / source
            target = folder / f"{path.stem}.o"
            compile_one(path, target, [*common, *(compile_torch if path in USES_TORCH else ["-std=c++20"])])
            return target

        with ThreadPoolExecutor(JOBS) as pool:
            objects = list(pool.map(build, ext.sources))

        # Linked beside its final place and moved there: a process that has the old one loaded keeps it.
        library = Path(self.get_ext_fullpath(ext.name)).resolve()
        library.parent.mkdir(parents=True, exist_ok=True)
        fresh = folder / library.name
        command = [*compiler(), "-shared", *SANITIZERS, *map(str, objects), *link_torch, "-o", str(fresh)]
        subprocess.run(command, check=True)
        beside = library.with_suffix(".new")
        beside.write_bytes(fresh.read_bytes())
        beside.chmod(0o755)
        beside.replace(library)


def sources() -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in CSRC.glob("*.cpp"))


setup(
    ext_modules=[Extension("framelift._core", sources(), language="c++")] if sources() else [],
    cmdclass={"build_ext": IncrementalBuild},
)
