"""Celery tasks of matches. Each task may arrive twice: the services decide what is left to do."""

import time

from celery import shared_task

from bots.checks import version_checks_expire, version_checks_release, version_checks_wake
from matches.airing.services import broadcasts_end
from matches.analysis.services import analyses_advance, analyses_wait, analyses_wake, analysis_make
from matches.challenges.services import challenges_tend
from matches.queue.claims import claim_slice_seconds, claims_waiting
from matches.queue.dispatch import SLOTS_AT_LEAST, dispatch_lost_results, dispatch_workers
from matches.queue.leases import leases_expire
from matches.queue.worker_status import workers_forget, workers_slots_up
from matches.retention import retention_apply
from matches.sparring.services import sparrings_tend
from matches.worker import celery_worker as celery_worker  # registers its signal handlers in every worker
from matches.worker.playing import worker_play_claim
from matches.worker.process import worker_process_is_draining
from matches.worker.qualification import qualification_check_next
from web.prepared.services import prepared_file_make_next, prepared_files_wake


@shared_task(name="matches.play")
def matches_play() -> None:
    """Play claims for the time of a slice.

    The task then ends, so that Celery may use the process for other tasks.
    """
    until = time.monotonic() + claim_slice_seconds()
    while worker_play_claim():
        if time.monotonic() >= until:
            break
    else:
        if not worker_process_is_draining():
            return
    dispatch_workers()  # more matches may wait, for this worker or another


@shared_task(name="matches.qualify_version")
def matches_qualify_version_task(*_from_an_older_site: int) -> None:
    """Check the next version that is due. Older releases send an argument, which is ignored."""
    qualification_check_next()


@shared_task(name="matches.sweep")
def matches_sweep_task() -> None:
    """Requeue lost work: expired leases, lost wake-up messages and abandoned checks.

    Also tend challenges and sparring.
    """
    leases_expire()
    if claims_waiting():
        dispatch_workers(max(workers_slots_up(), SLOTS_AT_LEAST))
    if analyses_wait():
        analyses_wake()
    dispatch_lost_results()
    challenges_tend()
    sparrings_tend()
    version_checks_expire()
    version_checks_release()
    version_checks_wake()
    workers_forget()


@shared_task(name="matches.end_broadcasts")
def matches_end_broadcasts_task() -> None:
    """Write the results of matches whose broadcast is over. Runs every second."""
    broadcasts_end()


@shared_task(name="matches.retain")
def matches_retain_task() -> None:
    """Delete old data. Runs every few minutes."""
    retention_apply()


@shared_task(name="matches.analyse")
def matches_analyse_task(analysis_id: int | None = None) -> None:
    """Make the analysis with this id, or work on pending analyses for a short time."""
    if analysis_id is None:
        analyses_advance()
    else:
        analysis_make(analysis_id=analysis_id)
    if claims_waiting():  # this message may have taken the place of a message that wakes workers for matches
        dispatch_workers()


@shared_task(name="matches.prepare_files")
def matches_prepare_files_task() -> None:
    """Make the prepared file that has waited longest. A worker that is draining leaves it to another."""
    if prepared_file_make_next(stopping=worker_process_is_draining):
        prepared_files_wake()
    if claims_waiting():
        dispatch_workers()
