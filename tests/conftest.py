"""Shared by every test."""

import gc
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.management import create_contenttypes
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from django.db.models.signals import post_migrate
from django.db.models.sql.compiler import SQLUpdateCompiler
from django.utils import translation
from pytest_django import DjangoDbBlocker

import tests.examples  # noqa: F401  for properties that say nothing of how often they are tried

if TYPE_CHECKING:
    from playwright.sync_api import Browser

collect_ignore = ["researchers"]  # make test-researchers has what these need

# A shell has its background jobs ignore these, and so would all programs that tests start and interrupt.
for _number, _handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL)):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _handler)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A database that PostgreSQL can empty after a test and drop after the run."""
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        # Our own tokens took the place of knox's: Django empties this table no more, but it refers to people.
        cursor.execute("DROP TABLE IF EXISTS knox_authtoken")
        _restore_instead_of_recreating()
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            # Threads of an event loop's pool keep their connections as long as they live.
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid != pg_backend_pid()"
            )


def _restore_instead_of_recreating() -> None:
    """Restore content types and permissions after a test that emptied the database, in a tenth of the time."""
    content_types, permissions = list(ContentType.objects.all()), list(Permission.objects.all())

    def put_back(using: str, **_: Any) -> None:
        ContentType.objects.using(using).bulk_create(content_types)
        Permission.objects.using(using).bulk_create(permissions)

    post_migrate.disconnect(create_contenttypes)
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    post_migrate.connect(put_back, sender=apps.get_app_config("auth"), weak=False)


_prepare_update = SQLUpdateCompiler.pre_sql_setup
_LIBRARIES = ("django", "web.name_keys", __name__)  # whose frames lie between an update and its caller


def _prepare_update_without_joins(compiler: SQLUpdateCompiler) -> None:
    joined = sum(references > 0 for references in compiler.query.alias_refcount.values()) > 1
    assert not joined or _is_called_by_a_test(), (
        "an update that joins tables can overwrite a change: see web.database.database_rows"
    )
    _prepare_update(compiler)


def _is_called_by_a_test() -> bool:
    """Rows of tests are changed by nobody else."""
    frame = sys._getframe()
    while frame.f_back and frame.f_globals["__name__"].startswith(_LIBRARIES):
        frame = frame.f_back
    return str(frame.f_globals["__name__"]).startswith("tests.")


SQLUpdateCompiler.pre_sql_setup = _prepare_update_without_joins  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def _no_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the brief cache, so that a test sees what it has just changed."""
    monkeypatch.setattr("web.brief_cache.CACHED_SECONDS", 0)


@pytest.fixture(scope="module")
def module_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> "Iterator[None]":
    """Keep the rows of module fixtures until the end of the module, then roll them back. Each test rolls back its own.

    Not for a module with tests of ``transaction=True``. Give copies of the objects to tests that change them.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


TESTS = Path(__file__).parent
# Those that take longest, some by one test and some by many, the longest first: with one file a process at a time, they
# would otherwise end a run alone. What is not among them is `make test-fast`.
LONG = (
    "browser/test_doubt.py",
    "browser/test_on_air.py",
    "browser/test_journey.py",
    "browser/test_rulings.py",
    "browser/test_bad_input.py",
    "browser/test_passkeys.py",
    "browser/test_playground.py",
    "browser/test_playground_python.py",
    "browser/test_playing.py",
    "browser/test_league.py",  # its ladder takes the workers of the site that these share
    "browser/test_demo.py",
    "hostile/test_hostile.py",
    "arena/test_up_site.py",
    "arena/backup/test_whole_site.py",
    "upgrade/test_two_releases.py",
    "arena/test_aliases_alone.py",
    "arena/test_public_pages.py",
    "arena/test_groups_alone.py",
    "arena/test_deleted_account.py",
    "arena/test_optional_parts.py",
    "arena/test_uninstalled_game.py",
    "arena/test_mail_outage.py",
    "matches/test_killed_worker.py",
    "matches/test_drain.py",
    "arena/backup/test_restore.py",
    "arena/test_wrong_settings.py",
    "games/test_conformance.py",
    "sandbox/",
    "arena/test_who_sees_what.py",
    "arena/test_every_address.py",
    "arena/test_websocket.py",
    "tournaments/proof/",
    "tournaments/rulings/",
    "arena/test_who_creates_what.py",
    "arena/test_server_outages.py",
    "arena/test_api.py",
    "arena/test_migrations.py",
    "tournaments/test_api.py",
    "tournaments/test_permissions.py",
    "tournaments/test_luck.py",
    "matches/test_celery_worker.py",
    "matches/test_check_budget.py",
    "tournaments/test_fide.py",
    "bots/test_archive",
    "games/house/",
    "peck/",
    "matches/test_claims.py",
    "tournaments/test_races.py",
    "tournaments/test_end_to_end.py",
    "test_adding_a_game.py",
    "test_versions_of_rules.py",
    "arena/test_repository_layout.py",
    "matches/test_qualification.py",
    "matches/analysis/",
    "arena/test_query_counts.py",
    "tournaments/test_adjusted.py",
    "luck/test_heckmeck.py",
    "arena/test_what_is_sealed.py",
    "tournaments/test_publication.py",
    "tournaments/test_knockout.py",
    "tournaments/test_premieres.py",
    "matches/airing/",
    "matches/replay/test_pages.py",
    "matches/test_playing.py",
    "matches/referee/test_verdicts.py",
    "arena/test_watch.py",
    "games/test_untrusted",
    "hostile/",
    "arena/test_up_",
    "leagues/test_season.py",
    "leagues/test_api.py",
    "leagues/test_members.py",
    "leagues/test_benching.py",
    "leagues/test_attacks.py",
    "matches/test_lease_histories.py",
    "tournaments/test_calendar",
    "tournaments/test_pages.py",
    "tournaments/test_swiss.py",
    "tournaments/formats/test_dutch",
    "leagues/test_permissions.py",
    "luck/test_pickomino.py",
    "arena/test_takeaway.py",
    "tournaments/test_ratings.py",
    "tournaments/test_admin.py",
    "tournaments/test_invitations.py",
    "matches/test_sequential.py",
    "matches/test_visibility.py",
    "matches/referee/test_luck_adjusted_series.py",
    "bots/test_permissions.py",
    "tournaments/test_forfeits.py",
    "tournaments/test_heats.py",
    "tournaments/test_long_",
    "tournaments/test_drawing.py",
    "chaos/test_invariants.py",
    "tournaments/test_organising_api.py",
    "test_second_value.py",
    "arena/test_downloads.py",
    "tournaments/test_forms.py",
    "games/test_beats.py",
    "matches/test_output.py",
    "arena/test_passkey",
    "matches/sparring/test_",
    "upgrade/test_migrations_since.py",
    "arena/test_page_queries.py",
    "tournaments/formats/test_swiss.py",
    "matches/test_check_games.py",
    "matches/referee/test_error_rates.py",
    "leagues/test_long_ladders.py",
    "hooks/test_events.py",
    "leagues/test_luck_adjusted.py",
    "arena/test_second_factor.py",
    "arena/operations/test_acts.py",
    "arena/test_query_budgets.py",
    "arena/operations/test_metrics.py",
    "bots/test_check_queue.py",
    "tournaments/test_caps.py",
    "tournaments/test_editing.py",
    "arena/test_export.py",
    "bots/test_packages.py",
    "matches/test_results_choice.py",
    "matches/replay/test_pictures.py",
    "tournaments/test_adding_a_format.py",
    "peck/test_luck.py",
    "tournaments/test_round_pages.py",
    "games/test_naive.py",
    "arena/test_home.py",
    "bots/test_deletion.py",
    "arena/test_tokens.py",
    "arena/test_connections.py",
    "arena/test_brief_cache.py",
    "arena/test_account_emails.py",
    "tournaments/formats/test_heats.py",
    "arena/test_api_protocol.py",
    "leagues/test_agreement.py",
    "arena/test_package.py",
    "tournaments/formats/test_knockout.py",
    "tournaments/test_services.py",
    "tournaments/formats/test_annealing.py",
    "games/test_numbers.py",
    "bots/test_pages.py",
    "games/test_karteneck_games.py",
    "matches/referee/test_series.py",
    "tournaments/test_shared_cells.py",
    "tournaments/test_standings_snapshots.py",
    "leagues/test_shared_cells.py",
    "tournaments/test_entry_field.py",
    "arena/test_peck_on_a_site.py",
    "matches/test_failure_files.py",
    "tournaments/test_boards.py",
    "arena/test_celery_app.py",
    "matches/test_held.py",
    "tournaments/test_five_thousand.py",
    "ratings/",
)
# They share a site, so they are one process's.
JOURNEYS = {
    f"tests/browser/test_{name}.py"
    for name in ("doubt", "playground", "playing", "on_air", "journey", "rulings", "bad_input", "passkeys", "league")
}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give a file to one process, and all journeys to one."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return "journeys" if file in JOURNEYS else file

    return Scheduling(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Let one of two processes import the files from the last to the first: what the other has compiled it finds."""
    report: Any = yield
    if os.environ.get("PYTEST_XDIST_WORKER") == "gw1" and isinstance(collector, pytest.Directory):
        report.result.reverse()
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes long first."""

    @cache
    def place(file: Path) -> int:
        path = file.relative_to(TESTS).as_posix()
        return next((place for place, start in enumerate(LONG) if path.startswith(start)), len(LONG))

    for item in items:
        if place(item.path) < len(LONG):
            item.add_marker("long")
    items.sort(key=lambda item: (place(item.path), item.path))


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what was imported: it would look through it once more every few tests."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Let it pass over what the tests have left, which pytest collects at the end and Python once more."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _site_language() -> "Iterator[None]":
    """Leave no language active: a page read in Italian would make the next test's services speak it."""
    yield
    translation.deactivate()


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """One Chromium for the tests of a file; each opens contexts of its own.

    It ends with the file: Playwright keeps an event loop in this thread, where other tests need theirs.
    """
    from tests.browser.chromium import chromium, chromium_path

    if chromium_path() is None:
        without = "no Chromium on this machine ('apt-get install chromium' brings this back)"
        warnings.warn(without, stacklevel=1)
        pytest.skip(without)
    with chromium() as running:
        yield running
