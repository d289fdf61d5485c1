"""What is stored about people and is dropped by itself: sessions and tokens that have ended, and old audits."""

from datetime import timedelta

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.utils import timezone

from arena.accounts.models import AccessToken


def ended_forget() -> None:
    """Drop sessions and access tokens that are no longer good, and what staff did more than ``AUDIT_DAYS`` ago."""
    now = timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    AccessToken.objects.filter(expiry__lt=now).delete()
    LogEntry.objects.filter(action_time__lt=now - timedelta(days=settings.AUDIT_DAYS)).delete()
