"""Housekeeping of the API, of snapshots, and of the keys of names."""

import logging

from celery import shared_task
from django.apps import apps

from web.idempotency import answers_forget
from web.name_keys import Keyed, keys_fill
from web.prepared.services import files_tend
from web.snapshots import snapshots_forget

logger = logging.getLogger(__name__)


@shared_task(name="web.forget_answers", expires=3600)
def forget_answers() -> None:
    """Run every hour."""
    answers_forget()
    snapshots_forget()


@shared_task(name="web.fill_keys", expires=300)
def fill_keys() -> None:
    """Run every few minutes, for names that the release before has stored."""
    for model in apps.get_models():
        if issubclass(model, Keyed):
            for text, other in keys_fill(model):
                logger.warning("%s %r differs from %r by its exact spelling alone", model.__name__, text, other)


@shared_task(name="web.tend_files", expires=60)
def tend_files() -> None:
    """Run every minute."""
    files_tend()
