# Two commands do everything: `make run` and `make test`. Both install what they need into .venv.
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
HOST ?= 127.0.0.1
export VENV PYTHON
# A run of the tests starts some hundred Pythons: each would compile our modules again. Not beside the sources: with the
# site's umask nobody else could read what is written there, and a cage shows Python's library to users without rights.
TESTS := test test-browser test-processes test-simulations test-exhaustive test-researchers test-fast coverage test-slow test-properties test-hostile test-postgres test-browser-postgres chaos load
$(TESTS): export PYTHONPYCACHEPREFIX = $(CURDIR)/.pycache
$(TESTS): export PYTHONDONTWRITEBYTECODE =

.PHONY: $(TESTS) run checks tests test-event screenshots video lint style types bench house golden-pages picture messages tables lock clean
.DEFAULT_GOAL := run

# A stamp is written last, so that an installation that was interrupted is taken up again.
$(VENV)/run.stamp: requirements/run.lock pyproject.toml
	@sh .ci/install run
	@touch $@

# What tests need holds all that a site needs, but is not compiled: see .ci/install.
$(VENV)/dev.stamp: requirements/dev.lock requirements/run.lock pyproject.toml
	@sh .ci/install dev
	@touch $@

# GAMES: folders of packages/ whose games the site has too, as in `make run GAMES=openspiel`.
run: $(VENV)/run.stamp
	@for one in $(GAMES); do $(BIN)/python -m pip --disable-pip-version-check -qq install --no-build-isolation "./packages/$$one" || exit; done
	@exec $(BIN)/python manage.py up --host $(HOST) --port $(PORT) --playground

# Each file of tests is one process's; those that take longest come first (tests/conftest.py).
XDIST = -n 2 --dist loadfile --no-loadscope-reorder
test: $(VENV)/dev.stamp
	@sh .ci/tools
	@$(MAKE) --no-print-directory -j 2 checks tests

# What needs one core for a minute.
checks: $(VENV)/dev.stamp
	@$(MAKE) --no-print-directory style
	@$(MAKE) --no-print-directory types

# The part of make test that runs beside it.
tests: $(VENV)/dev.stamp
	$(BIN)/pytest $(XDIST) -m "not slow and not exhaustive and not processes and not simulation and not browser" --durations=10 --durations-min=1

# All in Chromium: journeys, boards, the player, broadcasts, leagues, the demo. CI runs it after make test.
test-browser: $(VENV)/dev.stamp
	@sh .ci/tools browser
	@sh .ci/npm
	$(BIN)/pytest $(XDIST) -m "browser and not slow" --durations=10 --durations-min=1

# Programs as a whole: sites that start, workers that are killed, the cage, hostile bots, peck, races. CI runs it.
test-processes: $(VENV)/dev.stamp
	@sh .ci/tools
	$(BIN)/pytest $(XDIST) -m "processes and not slow" --durations=10 --durations-min=1

# Statistics of many simulated games and seasons: intervals, caps, attacks on ladders, the order of house bots. CI runs it.
test-simulations: $(VENV)/dev.stamp
	$(BIN)/pytest $(XDIST) -m "simulation and not slow" --durations=10 --durations-min=1

# Pages in every role, every format under rulings, every forgery of a proof: `make test` takes a share. CI runs it.
test-exhaustive: $(VENV)/dev.stamp
	$(BIN)/pytest $(XDIST) -m "exhaustive and not slow" --durations=10 --durations-min=1

# The adapters of platform/research, by the suites of PettingZoo, OpenSpiel and Gymnasium, in an environment of their own.
RESEARCHERS := .venv-researchers
$(RESEARCHERS)/stamp: requirements/researchers.lock pyproject.toml
	@VENV=$(RESEARCHERS) sh .ci/install researchers
	@touch $@

test-researchers: $(RESEARCHERS)/stamp
	$(RESEARCHERS)/bin/pytest -c tests/researchers/pytest.ini --rootdir . --confcutdir tests/researchers tests/researchers

# Before a commit, in about five minutes: rules, arithmetic, services and pages; no processes, properties, pages in every role, browser.
test-fast: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/pytest $(XDIST) -m "not slow and not exhaustive and not processes and not simulation and not browser and not hypothesis and not long"

# What make test runs but the browser's, which runs in processes of its own; the report names what was never reached.
coverage: $(VENV)/dev.stamp
	$(BIN)/pytest $(XDIST) --cov --cov-report= -q
	$(BIN)/coverage report
	$(BIN)/coverage html -d htmlcov -q

lint: style types
	@BIN=$(BIN) sh .ci/audit requirements/run.lock

style: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	find templates platform tournaments -name '*.html' -exec $(BIN)/djade --check --target-version 5.2 {} +
	$(BIN)/lint-imports

types: $(VENV)/dev.stamp
	$(BIN)/mypy

bench: $(VENV)/dev.stamp $(RESEARCHERS)/stamp
	$(BIN)/python -m benchmarks
	$(RESEARCHERS)/bin/python -m benchmarks.researchers

# Tournaments and leagues whose workers are killed at random, each on a site of its own.
KILLED = tests/tournaments/test_swiss_with_killed_workers.py tests/tournaments/test_killed_worker.py \
  tests/leagues/test_killed_workers.py
test-slow: $(VENV)/dev.stamp
	$(BIN)/pytest -m slow $(KILLED:%=--ignore %)
	$(BIN)/pytest -m slow $(KILLED)

# Faults of every kind, one after another, on a site of its own; CHAOS_SEED=5 repeats a run. Needs root for some of them.
CHAOS_MINUTES ?= 10
CHAOS_SEED ?= 0
chaos: $(VENV)/dev.stamp
	@sh .ci/tools chaos
	$(BIN)/python -m tests.chaos --minutes $(CHAOS_MINUTES) --seed $(CHAOS_SEED) $(CHAOS)

# Visitors, authors and spectators of a grown site that plays on.
LOAD_MINUTES ?= 10
load: $(VENV)/dev.stamp
	@sh .ci/tools chaos
	$(BIN)/python -m benchmarks.load --minutes $(LOAD_MINUTES) $(LOAD)

# An event of 26 bots in a real browser, one of the slow tests; SHOTS=DIR keeps pictures of all its states.
SHOTS ?=
test-event: $(VENV)/dev.stamp
	@sh .ci/tools browser
	@sh .ci/npm
	EVENT_SHOTS="$(SHOTS)" $(BIN)/pytest -m slow tests/browser/test_event.py tests/browser/test_class.py

# The moving picture of README.md, from a canned game in the replay player.
picture: $(VENV)/dev.stamp
	@sh .ci/tools browser
	@sh .ci/npm
	DJANGO_SETTINGS_MODULE=arena.settings.dev $(BIN)/python -m tests.browser.picture docs/img/replay.webp

# The ceremony of a finished tournament of a running site as WebM: make video EVENT=slug SITE=ADDRESS VIDEO=FILE PACE=8
VIDEO ?= ceremony.webm
PACE ?= 8
video: $(VENV)/dev.stamp
	@sh .ci/tools browser
	$(BIN)/python -m tests.browser.ceremony_video "$(EVENT)" "$(VIDEO)" "$(SITE)" $(PACE)

# Every kind of page of a running site, at two widths, light and dark: make screenshots SHOTS=DIR PASSWORD=organiser's
SITE ?= http://127.0.0.1:8000/
PASSWORD ?=
screenshots: $(VENV)/dev.stamp
	@sh .ci/tools browser
	$(BIN)/python -m tests.browser.screenshots "$(or $(SHOTS),screenshots)" "$(SITE)" "$(PASSWORD)"

# Every property on other examples than those of `make test`, and on many more; EXAMPLES_TIMES=100 for more still.
EXAMPLES_TIMES ?= 10
test-properties: $(VENV)/dev.stamp
	EXAMPLES_TIMES=$(EXAMPLES_TIMES) $(BIN)/pytest -m "hypothesis and not slow" -n 2 --timeout 3600

# ROOT=/some/checkout counts an older one, from its sources alone; HOUSE=-v prints every place.
house: $(VENV)/dev.stamp
	@$(BIN)/python -m benchmarks.house $(ROOT) $(HOUSE)
	@$(if $(ROOT),,$(BIN)/python -m benchmarks.house_paths $(HOUSE))

# What every address answers to everybody, compared with a commit: make golden-pages BASE=COMMIT, HEAD unless given.
golden-pages: $(VENV)/dev.stamp
	@$(BIN)/python -m benchmarks.golden_pages $(BASE)

test-hostile: $(VENV)/dev.stamp
	$(BIN)/python -m tests.hostile.table
	$(BIN)/python -m tests.hostile.bits

# On PostgreSQL, and on Redis where tests would start a Valkey.
test-postgres: $(VENV)/dev.stamp
	@sh .ci/tools redis
	@sh .ci/postgres env REDIS_SERVER="$$(command -v redis-server)" $(BIN)/pytest --migrations -n 2 --dist loadfile -m "(django_db or postgres) and not slow and not browser"

# The journeys, which start whole sites, on PostgreSQL. What else runs in Chromium reads pages that were made before.
test-browser-postgres: $(VENV)/dev.stamp
	@sh .ci/tools browser
	@sh .ci/npm
	@sh .ci/postgres $(BIN)/pytest $(XDIST) -m "browser and postgres and not slow" --durations=10 --durations-min=1

# After a migration is new or renamed: what a first start on SQLite makes its tables from.
tables: $(VENV)/dev.stamp
	@directory=$$(mktemp -d) && PECKING_ORDER_VAR=$$directory DATABASE_URL= DJANGO_SETTINGS_MODULE=arena.settings.dev $(BIN)/python -m arena.embedded.tables; rm -rf $$directory

# Needs Debian's gettext. Translators edit platform/arena/locale/*/LC_MESSAGES/*.po between two runs of it.
messages: $(VENV)/dev.stamp
	$(BIN)/python manage.py mark_engine_texts
	$(BIN)/python manage.py write_glossary
	$(BIN)/python manage.py makemessages --all -i ".venv*" -i tests -i packages -i game_template --no-obsolete --add-location file
	$(BIN)/python manage.py makemessages --all -d djangojs -i ".venv*" -i tests -i packages -i game_template --no-obsolete --add-location file
	$(BIN)/python manage.py compilemessages -i ".venv*"

# No registry is written into the locks: pip's own settings say where packages come from.
UV_COMPILE = $(BIN)/uv pip compile --universal --generate-hashes --no-annotate --no-header --no-emit-index-url --no-emit-find-links -q
lock: $(VENV)/dev.stamp
	$(UV_COMPILE) pyproject.toml --group dev --all-extras -o requirements/dev.lock
	$(UV_COMPILE) pyproject.toml --group build -c requirements/dev.lock -o requirements/run.lock
	$(UV_COMPILE) pyproject.toml --group build --extra postgres --extra storage --extra server -c requirements/dev.lock -o requirements/server.lock
	$(UV_COMPILE) --group pyproject.toml:researchers -c requirements/dev.lock -o requirements/researchers.lock
	$(UV_COMPILE) requirements/install.in -o requirements/install.lock

clean:
	rm -rf $(VENV) $(RESEARCHERS) .golden_pages .pycache staticfiles htmlcov .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis
