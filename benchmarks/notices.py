"""Measure ten thousand notices of one event: ``python -m benchmarks.notices``.

On a site with PostgreSQL and Valkey, an event for 10,000 people is published; half of them want an email at once. Then
the emails are sent to a dummy server. The figures are the seconds and the additional memory of both steps, and the
response times of two pages before and meanwhile: the home page and an inbox.
"""

import argparse
import resource
import threading
import time
import urllib.request
from collections.abc import Callable
from statistics import median
from typing import Any, Final
from uuid import uuid4

from benchmarks.load.figures import PAGE_BAR_MS, percentile
from benchmarks.load.site import Site
from tests.waiting import eventually

PAUSE: Final = 0.05  # seconds between two requests of a visitor
QUIET_SECONDS: Final = 15.0
SMALL: Final = 1000  # people of a first event, which loads all code before memory is measured


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.notices", description=__doc__)
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--port", type=int, default=9640, help="this one and the twenty above it are used")
    args = parser.parse_args()
    with Site(args.port, 100) as site:
        import django

        django.setup()  # with the settings of that site
        people, cookie = _people(args.people)
        site.programs["web"].start()
        assert eventually(lambda: _seconds(f"{site.url}/") is not None, 60), site.log_ends()
        _publish(people[:SMALL])
        _send()
        visits = [("home", f"{site.url}/", ""), ("inbox", f"{site.url}/notices/", cookie)]
        _print_times("before", _during(visits, lambda: time.sleep(QUIET_SECONDS)))
        for name, act in (("published", lambda: _publish(people)), ("emails sent", _send)):
            memory, began = _peak(), time.perf_counter()
            taken = _during(visits, act)
            print(f"{name}: {time.perf_counter() - began:.1f} s, {_peak() - memory:.1f} MiB more")
            _print_times("meanwhile", taken)


def _people(count: int) -> tuple[list[int], str]:
    """Create the people; every second one wants emails. Return their ids, and the session cookie of the first one."""
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client

    from arena.embedded.preparation import preparation_static_files_collect
    from notices.models import EmailRate, NoticeChoice
    from tournaments.hook_events import FINISHED

    call_command("migrate", verbosity=0)
    preparation_static_files_collect()
    user = get_user_model()
    people = user.objects.bulk_create(
        [user(username=f"hen-{number}", email=f"hen-{number}@example.org") for number in range(count)], 1000
    )
    choices = [
        NoticeChoice(person=one, kind=FINISHED, in_inbox=True, email=EmailRate.NOW if at % 2 else EmailRate.NEVER)
        for at, one in enumerate(people)
    ]
    NoticeChoice.objects.bulk_create(choices, 1000)
    client = Client()
    client.force_login(people[0], "arena.accounts.backends.SpellingBackend")
    return [one.pk for one in people], f"{settings.SESSION_COOKIE_NAME}={client.session.session_key}"


def _publish(people: list[int]) -> None:
    from unittest.mock import patch

    from celery import Celery
    from django.db import transaction

    from hooks.services import Event
    from notices.services import notice_events_publish
    from tournaments.hook_events import FINISHED

    data = {"name": "Barnyard Cup", "state": "finished", "page": ""}
    with patch.object(Celery, "send_task"), transaction.atomic():
        notice_events_publish(events=[Event(FINISHED, people, data, uuid4())])


def _send() -> None:
    from django.test import override_settings

    from notices.emails import due_notice_emails_send

    with override_settings(EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend"):
        while due_notice_emails_send():
            pass


def _during(visits: list[tuple[str, str, str]], act: Callable[[], Any]) -> dict[str, list[float]]:
    """Return the response times in milliseconds of a visitor's requests by page, while ``act`` runs."""
    over = threading.Event()
    taken: dict[str, list[float]] = {name: [] for name, _url, _cookie in visits}

    def visit(name: str, url: str, cookie: str) -> None:
        while not over.is_set():
            seconds = _seconds(url, cookie)
            assert seconds is not None, f"{url} does not answer"
            taken[name].append(1000 * seconds)
            time.sleep(PAUSE)

    visitors = [threading.Thread(target=visit, args=one) for one in visits]
    for visitor in visitors:
        visitor.start()
    act()
    over.set()
    for visitor in visitors:
        visitor.join()
    return taken


def _seconds(url: str, cookie: str = "") -> float | None:
    began = time.perf_counter()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers={"Cookie": cookie}), timeout=30) as answer:
            answer.read()
    except OSError:
        return None
    return time.perf_counter() - began


def _peak() -> float:
    """Return the peak memory of this process in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _print_times(when: str, taken: dict[str, list[float]]) -> None:
    for name, values in taken.items():
        figures = f"{median(values):.0f} ms, p95 {percentile(values, 0.95):.0f} ms (bar {PAGE_BAR_MS:.0f})"
        print(f"  {when}: {name} {figures}, {len(values)} requests")


if __name__ == "__main__":
    main()
