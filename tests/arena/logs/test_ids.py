"""Ids on the lines of the log: of the request, the person, the match and the task, and along the tasks of a request."""

import json
import logging
import logging.config
import re
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from celery import current_app, shared_task
from celery.contrib.testing.worker import start_worker
from django.conf import settings
from django.test import Client
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from arena.logs import LogFormatter
from tests.arena.factories import UserFactory
from tests.bots.test_permissions import token_of
from tests.matches.factories import FinishedMatchFactory
from tests.waiting import eventually

logger = logging.getLogger("arena.tests")
MADE = re.compile(r"[0-9a-f]{32}")
Logs = Callable[[str], StringIO]


def lines(log: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


@shared_task(name="tests.log_word")
def log_word(word: str, again: bool = False) -> None:
    logger.info(word)
    if again:
        log_word.delay(f"{word}, and from a task")


@pytest.mark.django_db
def test_each_request_has_an_id_of_its_own_in_the_answer_and_on_its_lines(log_as: Logs, client: Client) -> None:
    log = log_as("json")
    answers = [client.get("/nowhere/") for _ in range(2)]
    ids = [answer.headers["X-Request-ID"] for answer in answers]
    assert all(MADE.fullmatch(one) for one in ids)
    assert [line["request_id"] for line in lines(log)] == ids
    assert ids[0] != ids[1]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("header", "given", "taken"),
    [
        ("", "abc-1", False),
        ("X-Request-ID", "abc-1", True),
        ("X-Other", "abc-1", False),
        ("X-Request-ID", "a" * 65, False),
        ("X-Request-ID", "a b", False),
        ("X-Request-ID", 'a","level":"critical', False),
        ("X-Request-ID", "a\r\nb", False),
        ("X-Request-ID", "ä", False),
        ("X-Request-ID", "", False),
    ],
)
def test_an_id_is_taken_from_the_proxy_of_the_settings_alone_and_only_if_it_is_one(
    header: str, given: str, taken: bool, settings: Any, client: Client
) -> None:
    settings.REQUEST_ID_HEADER = header
    response = client.get("/nowhere/", headers={"x-request-id": given}).headers["X-Request-ID"]
    assert (response == given) is taken
    assert taken or MADE.fullmatch(response)


@pytest.mark.django_db
def test_lines_name_the_person_once_somebody_has_looked_and_nobody_looks_for_them(
    log_as: Logs, client: Client, django_assert_num_queries: Any
) -> None:
    person = UserFactory()
    client.force_login(person)
    log = log_as("json")
    client.get("/nowhere/")  # its page shows who is signed in
    client.get("/api/nowhere/", headers={"authorization": f"Token {token_of(person)}"})
    assert lines(log)[0]["user_id"] == person.pk
    with django_assert_num_queries(0):
        client.get("/healthz")
    assert "user_id" not in lines(log)[-1] or lines(log)[-1]["user_id"] == person.pk


@pytest.mark.django_db
def test_lines_name_the_token_s_owner(log_as: Logs, client: Client) -> None:
    person = UserFactory()
    log = log_as("json")
    client.get("/api/bots/nowhere/output/", headers={"authorization": f"Token {token_of(person)}"})
    assert lines(log)[-1]["user_id"] == person.pk


@pytest.mark.django_db
def test_lines_of_a_match_s_pages_name_it(log_as: Logs, client: Client) -> None:
    match = FinishedMatchFactory()
    log = log_as("json")
    client.get(f"/matches/{match.pk}/games/99/frames.json")
    client.get(f"/api/matches/{match.pk + 1}/")
    client.get("/nowhere/")
    assert [line.get("match_id") for line in lines(log)] == [match.pk, match.pk + 1, None]


def test_the_id_of_a_request_goes_with_its_tasks_and_theirs() -> None:
    log = StringIO()
    handler = logging.StreamHandler(log)  # of its own: a worker that starts sets up the others again
    handler.setFormatter(LogFormatter("json"))
    logger.addHandler(handler)
    words = {"first": "abc", "first, and from a task": "abc", "alone": None}
    try:
        with start_worker(current_app, pool="solo", perform_ping_check=False, queues=["books"], loglevel="INFO"):
            bind_contextvars(request_id="abc")
            log_word.delay("first", again=True)
            clear_contextvars()
            log_word.delay("alone")
            assert eventually(lambda: words.keys() <= {line["event"] for line in lines(log)})
    finally:
        logger.removeHandler(handler)
        logging.config.dictConfig(settings.LOGGING)
    data = {line["event"]: line for line in lines(log)}
    assert {word: data[word].get("request_id") for word in words} == words
    assert len({data[word]["task_id"] for word in words}) == 3
    assert {data[word]["task"] for word in words} == {"tests.log_word"}
    assert "request_id" not in get_contextvars()
