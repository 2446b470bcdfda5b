# The two commands are `make demo` and `make test`. Each sets up all it needs (a virtual environment, the build, the
# packages) on a machine with Python >= 3.11, a C++17 compiler and make, and is quick the second time.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
SOURCES := $(wildcard src/core/*) CMakeLists.txt pyproject.toml

.PHONY: demo test test-long lint bench fuzz mutate clean build

demo: build
	@$(BIN)/python demo.py

test: build
	$(BIN)/python -m pytest

test-long: build
	ROSENBLATT_LONG=1 $(BIN)/python -m pytest --timeout 3600

lint: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: build
	$(BIN)/python -m benchmarks

# The readers of text under libFuzzer with sanitizers: RUNS inputs, or until it is stopped (RUNS=-1). Needs clang++.
RUNS ?= 10000000
fuzz:
	@mkdir -p build/fuzz/corpus
	clang++ -std=c++17 -O2 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -pthread fuzz/lines.cpp -o build/fuzz/lines
	build/fuzz/lines -dict=fuzz/lines.dict -max_len=200 -timeout=10 -runs=$(RUNS) build/fuzz/corpus fuzz/seeds

# Small faults put into copies of the package: which of them do the tests notice? About half an hour on two cores.
SEED ?= 0
SAMPLE ?= 120
mutate: build
	$(BIN)/python -m mutate --sample $(SAMPLE) --seed $(SEED) --jobs 2 --cpp 4

build: $(VENV)/.built

$(VENV)/.packages: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "rosenblatt needs Python 3.11 or newer: make PYTHON=python3.11")'
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "this Python cannot make virtual environments: install its venv package (Debian: python3-venv)"; exit 1; }
	@echo "setting up $(VENV): a minute or two, once"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install "scikit-build-core>=1.0" "nanobind>=3.0" cmake ninja
	@$(BIN)/python -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb"))["project"]; print(*p["dependencies"], *sum(p["optional-dependencies"].values(), []), sep="\n")' > $(VENV)/packages.txt
	@$(PIP) install -r $(VENV)/packages.txt
	@touch $@

# The compiled core is built in place; the stub goes beside the sources for mypy and editors.
$(VENV)/.built: $(VENV)/.packages $(SOURCES)
	@echo "building the core"
	@$(PIP) install --no-build-isolation --no-deps --editable .
	@cp $$($(BIN)/python -c 'from rosenblatt import _core; print(_core.__file__.rsplit("/", 1)[0])')/_core.pyi src/rosenblatt/
	@touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache src/rosenblatt/_core.pyi
