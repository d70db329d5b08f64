# `make demo` and `make test` set up all they need in .venv: Python 3.11 or newer and make are enough.
PYTHON ?= $(shell for each in python3 python3.14 python3.13 python3.12 python3.11; do \
  "$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$each; exit; }; done; echo python3)
WORKERS ?= 2
BIN := .venv/bin
STAMP := .venv/.installed
EXTRAS := .[laptop,dev]

.DEFAULT_GOAL := help
.PHONY: help install demo test lint bench crash pictures lock clean

help:  ## show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-14s %s\n", $$1, $$2}'

install: $(STAMP)  ## set up .venv

demo: $(STAMP)  ## start Redis, a back office, a local workspace and the bot; ends with Ctrl-C
	@$(BIN)/sopdesk demo $(if $(PORT),--port $(PORT))

test: lint  ## check the code, then run every test
	$(BIN)/pytest -n $(WORKERS) --cov --cov-report= --cov-report=json:.coverage.json
	@$(BIN)/python -m tests.parts.branches .coverage.json

lint: $(STAMP)  ## ruff and mypy
	$(BIN)/ruff check
	$(BIN)/mypy

bench: $(STAMP)  ## measure what a case costs against two yardsticks; writes docs/bench.md
	@$(BIN)/python -m tests.bench

crash: $(STAMP)  ## 300 seeded kills and faults; a short run of the same is part of `make test`
	$(BIN)/pytest tests/crash -n $(WORKERS) --crash-runs=300

pictures: $(STAMP)  ## make the pictures of docs/ anew, in a real browser
	SOPDESK_PICTURES=docs $(BIN)/pytest -q tests/browser

lock: | check-python  ## write requirements.lock anew from pyproject.toml
	@set -e; fresh=$$(mktemp -d); trap 'rm -rf "$$fresh"' EXIT; \
	"$(PYTHON)" -m venv "$$fresh/venv"; \
	"$$fresh/venv/bin/python" -m pip install --quiet --disable-pip-version-check -e "$(EXTRAS)"; \
	"$$fresh/venv/bin/python" -m pip list --format=freeze --exclude pip --exclude setuptools --exclude sopdesk > "$$fresh/list"; \
	{ grep '^#' requirements.lock; sort -f "$$fresh/list"; } > "$$fresh/lock"; \
	cp "$$fresh/lock" requirements.lock
	@echo "requirements.lock is written"

clean:  ## remove .venv, caches and the demo's data
	rm -rf .venv var dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage

.PHONY: check-python
check-python:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "make: '$(PYTHON)' is not found. Install Python 3.11 or newer, or name one: make PYTHON=python3.12 demo" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: '$(PYTHON)' is older than Python 3.11, or does not start. Name a newer one: make PYTHON=python3.12 demo" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "make: '$(PYTHON)' cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }

$(STAMP): pyproject.toml requirements.lock | check-python
	@echo "Setting up .venv (once; a minute or two) …"
	@"$(PYTHON)" -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e "$(EXTRAS)"
	@touch $@
