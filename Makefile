# make demo         set everything up and run the example
# make test         set everything up and run the tests        (PYTHON=python3.12 or python3.13 for those Pythons)
# make test-fast    the same without the slow ones
# make conformance  CPython's own tests with every frame rewritten, compared with a plain run
# make torture      a graph break forced before every instruction of every conformance program
# make check        formatting, linting, types, layers
# make docs         write the pages that are made from the code
# make bench        what calls and captures cost, beside torch.compile
# make zoo          models under both, case by case; writes the table and the plots in docs/
# make sanitize     the tests with the extension built for the address and undefined-behaviour sanitizers
#
# Environments: .venv for Python 3.11. torch for 3.12 and 3.13 brings several GB of CUDA packages, so theirs live in a
# cache folder outside of the checkout and are shared by all checkouts; that is why the package is found by PYTHONPATH.

PYTHON ?= python3.11
CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/framelift

INTERPRETER := $(shell tools/find-python $(PYTHON))
ifeq ($(INTERPRETER),)
$(error $(PYTHON) was not found: install it, or name another with PYTHON=python3.12)
endif
VERSION := $(shell $(INTERPRETER) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
RELEASE := $(shell $(INTERPRETER) -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')
VENV ?= $(if $(filter 3.11,$(VERSION)),.venv,$(CACHE)/venv-$(VERSION))

ENV_PYTHON := $(abspath $(VENV))/bin/python
BIN := $(abspath $(VENV))/bin
# The environment is made again when what it should hold has changed, not when a checkout has newer files.
STAMP := $(VENV)/.framelift-$(shell sha256sum pyproject.toml | cut -c1-16)
NATIVE := $(wildcard csrc/*.cpp csrc/*.h csrc/compat/*.h)
BUILT := build/.built-$(RELEASE)

export PYTHONPATH := $(CURDIR)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test test-fast torture conformance check format docs bench zoo sanitize build environment clean

demo: build
	$(ENV_PYTHON) examples/hello.py

# The order of sets of strings differs from run to run, and with it what can be captured: tests want to be repeatable.
export PYTHONHASHSEED = 1

test: build
	$(ENV_PYTHON) -m pytest $(ARGS)

test-fast: build
	$(ENV_PYTHON) -m pytest -m "not slow" $(ARGS)

torture: build
	FRAMELIFT_FULL=1 $(ENV_PYTHON) -m pytest tests/torture $(ARGS)

conformance: build
	$(ENV_PYTHON) tests/conformance/compare.py $(ARGS)

docs: build
	$(ENV_PYTHON) tools/write_docs.py

bench: build
	@missed=0; for script in benchmarks/bench_*.py; do echo "$$script"; $(ENV_PYTHON) $$script || missed=1; done; exit $$missed

zoo: build
	$(ENV_PYTHON) benchmarks/zoo.py --write $(ARGS)

# In a copy of the tree: a library built so cannot be loaded into an ordinary Python. The sanitizers' own library has to
# be there before Python is, and Python has to allocate where it can watch.
sanitize: COPY = build/sanitize
sanitize: PRELOAD = $(shell gcc -print-file-name=libasan.so):$(shell gcc -print-file-name=libstdc++.so)
sanitize: environment
	mkdir -p $(COPY) && rm -rf $(COPY)/framelift $(COPY)/csrc $(COPY)/tests
	cp -a framelift csrc tests setup.py pyproject.toml README.md LICENSE $(COPY)/ && rm -f $(COPY)/framelift/*.so
	cd $(COPY) && FRAMELIFT_SANITIZE=1 $(ENV_PYTHON) setup.py --quiet build_ext --inplace
	cd $(COPY) && PYTHONPATH=$(CURDIR)/$(COPY) LD_PRELOAD=$(PRELOAD) PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 \
		UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 $(ENV_PYTHON) -m pytest $(ARGS)

check: environment
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(if $(NATIVE),$(BIN)/clang-format --dry-run --Werror $(NATIVE))

format: environment
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(if $(NATIVE),$(BIN)/clang-format -i $(NATIVE))

build: $(BUILT)
environment: $(STAMP)

$(STAMP):
	test -x $(ENV_PYTHON) || $(INTERPRETER) -m venv $(VENV)
	$(ENV_PYTHON) -m pip install --quiet --upgrade pip "setuptools>=77" wheel
	$(ENV_PYTHON) -m pip install --quiet torch==2.13.0 numpy
	$(ENV_PYTHON) tools/requirements.py dev | xargs $(ENV_PYTHON) -m pip install --quiet
	rm -f $(VENV)/.framelift-*
	touch $@

# In place; the name of the library has the Python's ABI in it, so that several Pythons get along in one checkout.
$(BUILT): $(STAMP) setup.py $(NATIVE)
	$(ENV_PYTHON) setup.py --quiet build_ext --inplace
	mkdir -p build && touch $@

clean:
	rm -rf build framelift.egg-info framelift/_core*.so .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
