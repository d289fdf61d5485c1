"""Thousands of requests made up from the API's own description: none is answered 5xx, or otherwise than described."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.arena.openapi import description
from tests.arena.test_api import a_site, headers_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CASES = 5000  # in all, of each role


def checks() -> list[Any]:
    """Import them here: every run of the tests imports this file, and schemathesis takes seconds."""
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks as of_schema

    return [
        not_a_server_error,
        of_schema.status_code_conformance,
        of_schema.content_type_conformance,
        of_schema.response_headers_conformance,
        of_schema.response_schema_conformance,
    ]


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr("web.limits.AuthorThrottle.allow_request", lambda *_args: True)
    monkeypatch.setattr("bots.services.MAX_WAITING", 10**9)
    settings.AUTHOR_BYTES_MOST = 10**12


def operations(schema: Any) -> Iterator[Any]:
    for result in schema.get_all_operations():
        yield result.ok()


class Requester:
    """A client with the token of a role, or none, that requests existing and missing objects."""

    def __init__(self, site: dict[str, Any], role: str) -> None:
        self._site = site
        self._headers = headers_of(site["people"].get(role))
        self._checks = checks()
        self.requests = self.granted = 0

    def request(self, operation: Any, most: int) -> None:
        """Make up to ``most`` requests of one operation, each answer held against its description."""
        known = self._site.get(operation.path.split("/")[2], {})

        @settings(
            max_examples=most,
            database=None,
            deadline=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(), there=st.integers(0, 3))
        def once(case: Any, there: int) -> None:
            if there and case.path_parameters:  # three times in four what is really there
                case.path_parameters = {name: known.get(name, value) for name, value in case.path_parameters.items()}
            self.requests += 1
            response = case.call(headers=self._headers)
            case.validate_response(response, checks=self._checks)
            self.granted += response.status_code < 300

        once()


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("role", ["anonymous", "owner", "organiser"])
def test_every_answer_matches_its_description(role: str) -> None:
    import schemathesis

    asker = Requester(a_site(format="swiss", rounds=2), role)
    schema = schemathesis.openapi.from_dict(description())
    schema.app = get_wsgi_application()
    schema.config.update(base_url="http://testserver")
    every = list(operations(schema))
    for operation in every:
        asker.request(operation, -(-CASES // len(every)))
    assert asker.granted > asker.requests / 10, "hardly anything was found"
    print(f"{role}: {asker.requests} requests, {asker.granted} of them granted")
