"""Metrics for Prometheus: how the work stands, by the database, and how this process answers, by django-prometheus.

https://prometheus.io/docs/instrumenting/writing_exporters/: gauges are read when somebody asks, so each process tells
the same of the site; rates and times of requests are those of the process that answers.
"""

import hmac
from collections.abc import Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from arena.operations.readings import ladders_wrong, queues_read, recent_read, workers_read

# When each counter began would be a series more for each: nobody asks for it.
disable_created_metrics()  # type: ignore[no-untyped-call]


class SiteCollector(Collector):
    """The site as a whole."""

    def collect(self) -> Iterator[Metric]:
        waiting = _gauge("queue_waiting", "Rows that wait for a worker.", "queue")
        oldest = _gauge("queue_oldest_seconds", "For how long the oldest of them waits.", "queue")
        claimed = _gauge("queue_claimed", "Rows that a worker has claimed.", "queue")
        expired = _gauge("queue_expired", "Of those, claims that have run out.", "queue")
        for queue in queues_read():
            waiting.add_metric([queue.name], queue.waiting)
            oldest.add_metric([queue.name], queue.seconds)
            claimed.add_metric([queue.name], queue.claimed)
            expired.add_metric([queue.name], queue.expired)
        yield from (waiting, oldest, claimed, expired)

        recent = recent_read()
        yield GaugeMetricFamily("pecking_matches_lately", "Matches finished within five minutes.", recent.matches)
        if recent.speed is not None:
            yield GaugeMetricFamily(
                "pecking_worker_speed", "Mean units of a fixed piece of work a second.", recent.speed
            )
        faults = _gauge("faults_lately", "Faults of bots in those matches.", "verdict")
        for verdict, count in recent.faults.items():
            faults.add_metric([verdict], count)
        yield faults

        wrong = len(ladders_wrong())
        yield GaugeMetricFamily("pecking_ladders_wrong", "Ladders that results did not give, when last checked.", wrong)

        workers = workers_read()
        up = [reading.worker for reading in workers if reading.is_up]
        slots = sum(worker.slots for worker in up)
        denied = sum(bool(reading.worker.denied) for reading in workers)
        yield GaugeMetricFamily("pecking_workers", "Workers that play matches.", len(up))
        yield GaugeMetricFamily("pecking_worker_slots", "Matches that they play at a time.", slots)
        yield GaugeMetricFamily("pecking_workers_denied", "Workers without a cage, seen within a day.", denied)
        clocks = _gauge("worker_clock_ahead_seconds", "Their clocks less the database's.", "worker")
        for worker in up:
            clocks.add_metric([worker.name], worker.clock_ahead)
        yield clocks


def _gauge(name: str, help_text: str, label: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"pecking_{name}", help_text, labels=[label])


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer Prometheus, if it shows ``METRICS_TOKEN`` as a bearer; else, and where none is set, there is nothing."""
    shown = request.headers.get("Authorization", "").encode()
    if not settings.METRICS_TOKEN or not hmac.compare_digest(shown, f"Bearer {settings.METRICS_TOKEN}".encode()):
        raise Http404
    site = CollectorRegistry()
    site.register(SiteCollector())
    body = generate_latest(REGISTRY) + generate_latest(site)
    return HttpResponse(body, content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})
