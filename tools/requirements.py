"""Prints the requirements of one extra of pyproject.toml, one per line, for `xargs pip install`."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path


def main() -> None:
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
    print("\n".join(project["optional-dependencies"][sys.argv[1]]))


if __name__ == "__main__":
    main()
