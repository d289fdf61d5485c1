"""Celery tasks for stored API responses, snapshots, keys of names and prepared files."""

import logging

from celery import shared_task
from django.apps import apps

from web.idempotency import idempotent_answers_forget
from web.name_keys import Keyed, name_keys_fill
from web.prepared.services import prepared_files_tend
from web.snapshots import snapshots_forget

logger = logging.getLogger(__name__)


@shared_task(name="web.forget_answers", expires=3600)
def web_forget_answers() -> None:
    """Delete old API responses and snapshots. Runs every hour."""
    idempotent_answers_forget()
    snapshots_forget()


@shared_task(name="web.fill_keys", expires=300)
def web_fill_name_keys() -> None:
    """Set missing keys of names, which the previous release did not store. Runs every few minutes."""
    for model in apps.get_models():
        if issubclass(model, Keyed):
            for text, other in name_keys_fill(model):
                logger.warning("%s %r differs from %r only in its spelling", model.__name__, text, other)


@shared_task(name="web.tend_files", expires=60)
def web_tend_prepared_files() -> None:
    """Do everything that is due for prepared files. Runs every minute."""
    prepared_files_tend()
