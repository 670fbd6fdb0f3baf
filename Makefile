# Every target sets up what it needs; `make` alone lists them. pip's own configuration is used as it is.

PYTHON ?= python3
JOBS ?= auto
VENV := .venv/bin
RUNS := .venv/.runs
READY := .venv/.installed
RIVALS := .bench/.installed
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The compiled reader is built where cargo 1.87 or later is, unless NATIVE=no; everything works without it.
CARGO := $(if $(filter no,$(NATIVE)),,$(shell cargo --version 2>/dev/null \
	| awk '{ split($$2, v, "."); if (v[1] > 1 || v[2] >= 87) print "cargo" }'))
COMPILED := $(if $(CARGO),.venv/.compiled,without-cargo)

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-versions check docs bench fuzz clean without-cargo

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(READY) $(COMPILED) ## make the private .venv and install everything into it

demo: $(RUNS) ## serve the bundled sample site on this machine, crawl it, show what was found
	@$(VENV)/usp demo

test: setup ## run all tests and the doctests
	@if [ "$(CARGO)" ]; then cargo test --quiet --manifest-path native/Cargo.toml --no-default-features; fi
	@$(VENV)/python -m pytest -n $(JOBS)

test-versions: ## run all tests on every other Python >= 3.11 of this machine
	@.ci/test-versions

check: $(READY) ## ruff, ruff format, mypy --strict, the documentation, layers, clippy
	$(VENV)/ruff check
	$(VENV)/ruff format --check
	$(VENV)/mypy
	$(VENV)/mkdocs build --quiet
	$(VENV)/python -m pytest tests/test_layers.py
	@if [ "$(CARGO)" ] && cargo clippy --version >/dev/null 2>&1; then set -x; cargo fmt --check --manifest-path native/Cargo.toml && \
		cargo clippy --quiet --all-targets --manifest-path native/Cargo.toml -- --deny warnings; fi

docs: $(READY) ## write the generated pages of docs/ again, and build the site in .site
	@$(VENV)/python -m docs.generators
	@$(VENV)/mkdocs build --quiet

bench: setup $(RIVALS) ## compare with other readers, in fresh processes (options: OPTIONS="--quick --only plain")
	@$(VENV)/python -m bench $(OPTIONS)

fuzz: setup ## read N documents, 2000 by default, with both readers: equal or declined (make fuzz N=200000)
	@$(VENV)/python -m tests.native.differences $(N)

clean: ## remove everything that make made
	@rm -rf .venv .bench .hypothesis .mypy_cache .pytest_cache .ruff_cache .site build dist native/target native/Cargo.lock
	@find src tests bench docs -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUNS): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or later is needed: make PYTHON=/path/to/python3 ..." >&2; exit 1; }
	@echo "Setting up .venv; this happens once." >&2
	@$(PYTHON) -m venv .venv \
		|| { echo "$(PYTHON) has no venv module; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@$(VENV)/python -m pip install --quiet --editable .
	@touch $@

$(READY): $(RUNS) # the demo needs none of this
	@echo "Installing what development needs; this happens once and takes about a minute." >&2
	@$(VENV)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

.venv/.compiled: native/Cargo.toml native/pyproject.toml $(wildcard native/src/*.rs) | $(READY)
	@echo "Building the compiled reader; this takes about a minute (make NATIVE=no ... goes without it)." >&2
	@$(VENV)/python -m pip install --quiet ./native
	@touch $@

without-cargo:
	@echo "The compiled reader is not built (no cargo 1.87 or later, or NATIVE=no): Python reads everything." >&2

$(RIVALS): bench/requirements.txt $(READY)
	@$(VENV)/python -m venv .bench
	@.bench/bin/python -m pip install --quiet --requirement bench/requirements.txt
	@touch $@
