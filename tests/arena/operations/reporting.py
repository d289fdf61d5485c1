"""A program that fails in a view, in a task and in its log, and prints each byte that Sentry would be sent.

It is a process of its own: Sentry's client changes Django and Celery for as long as a process lives.
"""

import logging
import sys
from io import BytesIO

import django
from celery import current_app, shared_task
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from arena.operations.error_reports import error_reports_start

SECRET = "hen-s-own-secret"


class Printer(Transport):
    """Sends nothing."""

    def capture_envelope(self, envelope: Envelope) -> None:
        written = BytesIO()
        envelope.serialize_into(written)
        sys.stdout.write(written.getvalue().decode() + "\n")


def fail(request: HttpRequest, name: str = SECRET) -> HttpResponse:
    typed = request.POST.get("password", "")
    raise ValueError(f"{SECRET} {typed} {name} peck_{SECRET} {SECRET}@example.org")


@shared_task(name="tests.fail")
def fail_in_a_task(email: str) -> None:
    source = f"def act(view): return {email!r}"
    raise KeyError(source)


urlpatterns = [path("fail/<str:name>/", fail)]

if __name__ == "__main__":
    django.setup()
    settings.ROOT_URLCONF = __name__
    settings.MIDDLEWARE = ["arena.logs.RequestIdMiddleware"]
    error_reports_start("https://key@sentry.example.org/1", Printer)
    client = Client(raise_request_exception=False, REMOTE_ADDR="192.0.2.77")
    headers = {"authorization": f"Token {SECRET}", "cookie": f"sessionid={SECRET}", "x-other": SECRET}
    client.post(f"/fail/{SECRET}/?q={SECRET}", {"password": SECRET, "file": BytesIO(SECRET.encode())}, headers=headers)
    current_app.conf.update(task_always_eager=True)
    fail_in_a_task.delay(f"{SECRET}@example.org")
    logging.getLogger("arena.tests").error("match %d of %s is void", 7, SECRET, extra={"data": SECRET})
    logging.getLogger("strange").error(f"said {SECRET}")
