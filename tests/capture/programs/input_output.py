"""Programs that read and write: the libraries for that are left whole to Python, and what is around them is captured."""

import concurrent.futures
import gzip
import io
import pickle
import shutil
import tempfile
import zipfile
from pathlib import Path

import torch

from tests.capture.harness import program, tensor

FILE = io.BytesIO()
WEIGHT = tensor(2, 3)


@program(graphs=1, broken="input and output: torch.serialization.save")
def saved_and_loaded(x):
    FILE.seek(0)
    torch.save({"x": 1, "w": WEIGHT}, FILE)
    FILE.seek(0)
    return x @ torch.load(FILE)["w"].T


@program(graphs=2, broken="input and output: torch.serialization.save")
def saved_between_two_graphs(x):
    y = x + 1
    torch.save(y, io.BytesIO())
    return y * 2


@program(graphs=2, broken=True)
def pickled_between_two_graphs(x):
    y = x + 1
    again = pickle.loads(pickle.dumps({"a": [1, 2]}))
    return y * again["a"][1]


@program(graphs=2, broken=True)
def archive_between_two_graphs(x):
    y = x + 1
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        archive.writestr("a", "text")
    names = zipfile.ZipFile(found).namelist()
    return y * len(names), names


@program(graphs=2, broken="input and output: gzip.compress")
def compressed_between_two_graphs(x):
    y = x + 1
    return y * len(gzip.decompress(gzip.compress(b"text")))


@program(graphs=2, broken="input and output")
def temporary_folder_between_two_graphs(x):
    y = x + 1
    folder = tempfile.mkdtemp()
    path = Path(folder) / "a.txt"
    path.write_text("text")
    text = path.read_text()
    shutil.rmtree(folder)
    return y * len(text), path.exists()


@program(graphs=2, broken="input and output")
def worker_between_two_graphs(x):
    y = x + 1
    with concurrent.futures.ThreadPoolExecutor(1) as workers:
        found = workers.submit(pow, 2, 3).result()
    return y * found
