# Two commands do everything: `make run` and `make test`. Both install what they need into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
PORT ?= 8000

.PHONY: run test lint bench test-slow test-hostile test-postgres lock clean
.DEFAULT_GOAL := run

$(VENV)/run.stamp: requirements/run.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Pecking Order needs Python 3.11 or newer; set PYTHON=/path/to/python3.11")'
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || { echo "Could not make a virtual environment: on Debian, 'apt-get install python3-venv'."; rm -rf $(VENV); exit 1; }
	@echo "Installing the site's packages ..."
	@$(PIP) install --require-hashes -r requirements/run.lock
	@$(PIP) install --no-build-isolation --no-deps -e .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp requirements/dev.lock
	@echo "Installing the test tools ..."
	@$(PIP) install --require-hashes -r requirements/dev.lock
	@touch $@

run: $(VENV)/run.stamp
	@exec $(BIN)/python manage.py up --port $(PORT)

test: $(VENV)/dev.stamp
	@BIN=$(BIN) sh .ci/chromium
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2 --dist loadfile
	$(BIN)/pytest -m browser

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy

bench: $(VENV)/dev.stamp
	$(BIN)/python -m benchmarks

test-slow: $(VENV)/dev.stamp
	$(BIN)/pytest -m slow

test-hostile: $(VENV)/dev.stamp
	$(BIN)/pytest tests/hostile -q

test-postgres: $(VENV)/dev.stamp
	$(BIN)/pytest -m "postgres"

# Needs uv. No registry is written into the locks: pip's own settings say where packages come from.
UV_COMPILE = uv pip compile --universal --generate-hashes --no-annotate --no-header --no-emit-index-url --no-emit-find-links -q pyproject.toml
lock:
	$(UV_COMPILE) --group dev --all-extras -o requirements/dev.lock
	$(UV_COMPILE) --group build -c requirements/dev.lock -o requirements/run.lock

clean:
	rm -rf $(VENV) staticfiles .mypy_cache .ruff_cache .pytest_cache .hypothesis
