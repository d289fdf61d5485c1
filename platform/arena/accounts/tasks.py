"""Celery tasks that send account emails. The emails are sent in the background, so that the response time does not show
whether an address has an account.
"""

import logging

from celery import shared_task
from django.utils import translation
from kombu.exceptions import OperationalError

from arena.accounts import account_email
from arena.accounts.deletion import account_sessions_forget

logger = logging.getLogger(__name__)


@shared_task(name="accounts.write_reset", autoretry_for=(OSError,), retry_backoff=10, max_retries=5)
def reset_email_task(email: str, language: str) -> None:
    with translation.override(language):
        account_email.account_email_reset_send(email)


@shared_task(name="accounts.write_lock", autoretry_for=(OSError,), retry_backoff=10, max_retries=5)
def guesses_email_task(user_id: int, language: str) -> None:
    with translation.override(language):
        account_email.account_email_guesses_send(user_id)


@shared_task(name="accounts.forget_ended")
def accounts_forget_ended_task() -> None:
    """Delete what has expired; scheduled a few times a day."""
    account_sessions_forget()


def guesses_email_task_send(user_id: int) -> None:
    """Send the task of this email if the broker is available. The response must not wait for the broker."""
    try:
        guesses_email_task.delay(user_id, translation.get_language() or "en")
    except (OperationalError, OSError):
        logger.exception("the broker is unavailable; an email about wrong passwords is not sent")
