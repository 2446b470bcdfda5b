# The two commands are `make demo` and `make test`. Each sets up all it needs (a virtual environment, the build, the
# packages) on a machine with Python >= 3.11, a C++17 compiler and make, and is quick the second time.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
SOURCES := $(wildcard src/core/*) CMakeLists.txt pyproject.toml
CXX_SOURCES := $(wildcard src/core/* fuzz/*.cpp sanitize/* tests/core/*.cpp)
unexport PYTHONDONTWRITEBYTECODE  # pytest's own compiled tests save each of its processes six seconds

.PHONY: demo quick test test-long test-oldest test-core lint format hooks bench trial fuzz sanitize run-team run-loops run-loops-threads mutate clean build wheel

demo: build
	@$(BIN)/rosenblatt study --folder build/demo/breast-cancer
	@echo
	@$(BIN)/rosenblatt study example:xor --folder build/demo/xor
	@echo
	@echo "(Here the command is $(BIN)/rosenblatt; 'source $(BIN)/activate' makes it rosenblatt.)"

# For every save: the linter, and the cheap tests of every file (tests/conftest.py says which those are).
quick: build
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@ROSENBLATT_QUICK=1 $(BIN)/python tests/both_passes.py --quick

test: build
	@$(BIN)/python tests/both_passes.py $(ARGS)

test-long: build
	@ROSENBLATT_LONG=1 $(BIN)/python tests/both_passes.py --timeout 3600 $(ARGS)

# The estimators with the oldest versions that pyproject.toml allows; and an install without any extra. Each has an
# environment of its own, made once, and the wheel that users would get.
test-oldest: .venv-oldest/.packages wheel
	@.venv-oldest/bin/python -m pip --quiet install --no-deps --force-reinstall build/wheel/*.whl
	.venv-oldest/bin/python -m pytest $(addprefix tests/,estimators/test_estimators.py estimators/test_online.py models/test_models.py \
		separation/test_clinic.py files/test_tables.py plots/test_separation_figure.py plots/test_theorem_figure.py \
		plots/test_loss_figure.py plots/test_network_figure.py plots/test_figure_files.py \
		cluster/test_dask_collections.py cluster/test_files_as_shards.py)

test-core: .venv-core/.packages wheel
	@.venv-core/bin/python -m pip --quiet install --no-deps --force-reinstall build/wheel/*.whl
	.venv-core/bin/python tests/without_extras.py

.venv-oldest/.packages .venv-core/.packages: pyproject.toml .ci/requirements.py | build
	@$(BIN)/python -m venv --clear $(@D)
	@$(BIN)/python .ci/requirements.py $(patsubst .venv-%/,--%,$(dir $@)) > $(@D)/packages.txt
	@$(@D)/bin/python -m pip --disable-pip-version-check --quiet install -r $(@D)/packages.txt
	@touch $@

wheel: build
	@rm -rf build/wheel
	@$(PIP) wheel --no-build-isolation --no-deps --wheel-dir build/wheel .

lint: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(CXX_SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports

format: build
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CXX_SOURCES)

# git then refuses a commit whose files are not formatted (.pre-commit-config.yaml).
hooks: build
	$(BIN)/pre-commit install

bench: build
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.verdicts
	$(BIN)/python -m benchmarks.streams
	$(BIN)/python -m benchmarks.cluster

# Real files through the commands that their owners would type, for somebody to read: make trial DATA=FOLDER.
trial: build
	@test -d "$(DATA)" || (echo "say where the files are: make trial DATA=FOLDER" && exit 2)
	@$(BIN)/python -m benchmarks.trial "$(DATA)"

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

# The loops under ASan and UBSan, and with the threads under TSan: a law broken, a byte beyond an array, a race.
SANITIZE := build/sanitize
CHECKED := -std=c++17 -O0 -g1 -ffp-contract=off -Wall -Wextra -Wno-psabi -pthread -fno-sanitize-recover=all -DROSENBLATT_NATIVE
sanitize:
	@mkdir -p $(SANITIZE)
	@$(MAKE) --no-print-directory -j2 run-loops run-loops-threads run-team

run-team: $(SANITIZE)/team
	$<
run-loops: $(SANITIZE)/loops
	$<
run-loops-threads: $(SANITIZE)/loops-threads
	$< --no-races

$(SANITIZE)/loops: sanitize/loops.cpp $(wildcard sanitize/*.hpp src/core/*.hpp)
	$(CXX) $(CHECKED) -fsanitize=address,undefined $< -o $@
$(SANITIZE)/loops-threads: sanitize/loops.cpp $(wildcard sanitize/*.hpp src/core/*.hpp)
	$(CXX) $(CHECKED) -fsanitize=thread $< -o $@
$(SANITIZE)/team: sanitize/team.cpp sanitize/law.hpp src/core/team.hpp
	$(CXX) $(CHECKED) -fsanitize=thread $< -o $@

build: $(VENV)/.built

$(VENV)/.packages: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "rosenblatt needs Python 3.11 or newer: make PYTHON=python3.11")'
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "this Python cannot make virtual environments: install its venv package (Debian: python3-venv)"; exit 1; }
	@echo "setting up $(VENV) with all that developers use: some minutes, once"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install "scikit-build-core>=1.0" "nanobind>=3.0" cmake ninja
	@$(BIN)/python .ci/requirements.py > $(VENV)/packages.txt
	@$(PIP) install -r $(VENV)/packages.txt
	@touch $@

# The compiled core is built in place; the stub goes beside the sources for mypy and editors.
$(VENV)/.built: $(VENV)/.packages $(SOURCES)
	@echo "building the core: a minute or two"
	@$(PIP) install --no-build-isolation --no-deps --config-settings build-dir=build/editable --editable .
	@cp $$($(BIN)/python -c 'from rosenblatt import _core; print(_core.__file__.rsplit("/", 1)[0])')/_core.pyi src/rosenblatt/
	@touch $@

clean:
	rm -rf $(VENV) .venv-oldest .venv-core build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache src/rosenblatt/_core.pyi
