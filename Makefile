# Everything lives in .venv, with the versions of constraints.txt. Once installed, no target needs a
# network: the stamps change only with pyproject.toml and constraints.txt.

# The first Python that is new enough; override with `make PYTHON=/path/to/python …`.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
PINS := pyproject.toml constraints.txt
# setuptools first, so that the build uses the pinned one instead of an isolated newest.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
EDITABLE = $(INSTALL) setuptools && $(INSTALL) --no-build-isolation -e

.PHONY: demo test lint browser docs pictures bench defects live clean

demo: $(VENV)/.installed  ## the default matrix, offline: prints the table and the files written
	$(BIN)/python run_eval.py run --out runs/demo -o runs/demo/results.json -o runs/demo/summary.md

test: lint browser  ## what CI runs
	$(BIN)/pytest

lint: $(VENV)/.installed-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

browser:  ## chromium for the tests of the page, where it may be installed
	.ci/browser

docs: $(VENV)/.installed-test  ## writes the tables and help texts of the pages anew
	UPDATE_DOCS=1 $(BIN)/pytest tests/test_pages.py tests/test_long_page.py tests/test_ci_page.py tests/test_local_models.py tests/commands/test_documentation.py tests/eval/test_edge_page.py tests/reports/test_frames.py
	$(BIN)/python run_eval.py stress -q -o docs/edge-table.md

pictures: $(VENV)/.installed-test browser  ## writes docs/pictures from the default run
	$(BIN)/python docs/make_pictures.py

bench: $(VENV)/.installed-test
	$(BIN)/python -m benchmarks

defects: $(VENV)/.installed  ## plants every defect, asks the regression check, and writes docs/detection.md
	$(BIN)/python -m tests.defects --write

# MODEL=path/to.gguf: another model; its recording stays in runs/ instead of live/.
live: $(VENV)/.installed-test $(VENV)/.installed-live  ## records live/recording.jsonl.gz from a small real model on this machine
	$(BIN)/python live/record.py $(if $(MODEL),--model '$(MODEL)') $(if $(THREADS),--threads $(THREADS))
	$(if $(MODEL),,UPDATE_DOCS=1 $(BIN)/pytest tests/test_local_models.py)

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/.installed: $(PINS) | $(BIN)/python
	$(EDITABLE) .
	@touch $@

$(VENV)/.installed-test: $(PINS) | $(BIN)/python
	$(EDITABLE) '.[test]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-live: live/requirements.txt | $(BIN)/python
	$(INSTALL) --no-deps -r live/requirements.txt
	@touch $@

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; make PYTHON=/path/to/it" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
